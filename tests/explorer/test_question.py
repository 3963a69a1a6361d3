"""Questions: their titles, and asking them differently."""

from __future__ import annotations

import pytest

import engine as tf
import explorer
from engine.errors import ArgumentError, ArgumentTypeError
from explorer.question import question_of

TOTAL = """
import tensorflow as tf
x = tf.constant(1.0)
a = 12.0 * x
b = 2.0 * a
c = 3.0 * b
y = a + b + c
total = tf.gradients(y, [a, b, c])
partial = tf.gradients(y, [a, b, c], stop_gradients=[a, b, c])
"""


def values(question: explorer.Question) -> list[float]:
    return [float(result.numpy()) for result in question.backward.results]


def test_titles_use_the_authors_names() -> None:
    total, partial = explorer.run(TOTAL).questions
    assert total.title == "∂y/∂a, ∂y/∂b, ∂y/∂c"
    assert partial.title == "∂y/∂a, ∂y/∂b, ∂y/∂c | a, b, c held constant"


def test_asking_with_a_stop_holds_that_tensor_constant() -> None:
    program = explorer.run(TOTAL)
    total = program.questions[0]
    y, (a, b, _c) = total.backward.ys[0], total.backward.xs
    # y = a + b + 3b; with b held constant only the direct a remains.
    stopped = explorer.ask(total, [y], [a], [b])
    assert values(stopped) == [1.0]
    assert explorer.explain(stopped).paths[0].count == 1


def test_asking_again_does_not_grow_the_graph() -> None:
    program = explorer.run(TOTAL)
    total, partial = program.questions
    size = program.graph.size_in_operations
    again = explorer.ask(total, total.backward.ys, total.backward.xs, total.backward.xs)
    assert again.backward is partial.backward
    assert program.graph.size_in_operations == size


def test_asking_about_nothing_is_refused() -> None:
    total = explorer.run(TOTAL).questions[0]
    with pytest.raises(ArgumentError, match="no x is chosen; choose at least one"):
        explorer.ask(total, total.backward.ys, [])


def test_what_gradients_returned_is_a_question() -> None:
    with tf.Graph().as_default():
        x = tf.constant(3.0)
        grads = tf.gradients(x * x, [x])
        assert question_of(grads).backward.results[0] is grads[0]
        with pytest.raises(ArgumentTypeError, match=r"tf\.gradients returned \(got float\)"):
            question_of(3.0)
