"""What is said about a gradient that is None though the value got through."""

from __future__ import annotations

import pytest

import explorer
from explorer.explanation import explain
from explorer.wording import verdict_phrase

THROUGH_STATE = """
x = tf.Variable(3.0)
state = tf.Variable(0.0)
state.assign_add(x)
print(tf.gradients(state * state, x))
"""
THROUGH_NUMPY = """
x = tf.Variable([1.0, 2.0])
a = x * x
m = tf.constant(np.mean(a.numpy()))
print(tf.gradients(m * m, x))
"""


@pytest.mark.parametrize(
    ("text", "phrase"),
    [
        (
            THROUGH_STATE,
            "no path leads from it to y; its value was written into state, and assigning carries "
            "no gradient",
        ),
        (
            THROUGH_NUMPY,
            "no path leads from it to y; the value of a went to NumPy, and m is a constant made of "
            "one in line 5",
        ),
    ],
)
def test_a_detour_is_named(text: str, phrase: str) -> None:
    program = explorer.run(f"import tensorflow as tf\nimport numpy as np{text}")
    explanation = explain(program.questions[0])
    assert verdict_phrase(explanation, explanation.verdicts[0]) == phrase
