"""What is said about a gradient that is None, zero or not finite."""

from __future__ import annotations

import pytest

import explorer
from explorer.explanation import explain
from explorer.views.words import reason as short_reason
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


OUTSIDE = """
x = tf.constant(9.0)
with tf.GradientTape() as t:
    t.watch(x)
y = x * x
print(t.gradient(y, x))
"""
ROUNDED = """
x = tf.Variable(9.0)
y = tf.cast(tf.cast(x, tf.int32), tf.float32)
print(tf.gradients(y, x))
"""
DEAD = """
x = tf.Variable(-2.0)
h = 3.0 * x
y = tf.nn.relu(h)
print(tf.gradients(y, x))
"""
CANCELLING = """
x = tf.Variable(2.0)
y = x - x
print(tf.gradients(y, x))
"""
UNSEEDED = """
x = tf.Variable(2.0)
y = x * x
print(tf.gradients(y, x, grad_ys=[0.0]))
"""
TINY = """
x = tf.Variable(2.0)
y = 1e-30 * (1e-30 * x)
print(tf.gradients(y, x))
"""
EMPTY = """
x = tf.Variable([[1.0], [2.0]])
y = tf.zeros([0, 2]) @ x
print(tf.gradients(y, x))
"""
UNCHOSEN = """
x = tf.Variable([800.0, 1.0])
y = tf.where(x > 5.0, x, tf.exp(x))
print(tf.gradients(y, x))
"""
TANGENT = """
x = tf.Variable(0.0)
y = tf.sqrt(x)
print(tf.gradients(y, x))
"""


@pytest.mark.parametrize(
    ("text", "phrase"),
    [
        (OUTSIDE, "every path is cut: x → y (not recorded, line 6)"),
        (ROUNDED, "every path is cut: u₁ → y (integer, line 4)"),
        (DEAD, "exactly zero: the local derivative of Relu by h is zero"),
        (CANCELLING, "exactly zero: contributions to x cancel"),
        (UNSEEDED, "exactly zero: the initial gradient of y is zero"),
        (TINY, "exactly zero: a product at mul is too small for its type"),
        (EMPTY, "exactly zero: y has no elements"),
        (
            UNCHOSEN,
            "Exp makes the first infinite value; gradients/Exp_grad/Mul makes the first NaN at [0] "
            "of 0 and inf",
        ),
        (TANGENT, "gradients/Sqrt_grad/SqrtGrad makes the first infinite value"),
    ],
)
def test_the_cause_is_named(text: str, phrase: str) -> None:
    program = explorer.run(f"import tensorflow as tf\nimport numpy as np{text}")
    explanation = explain(program.questions[0])
    assert verdict_phrase(explanation, explanation.verdicts[0]) == phrase


def test_a_truth_value_is_not_called_an_integer() -> None:
    program = explorer.run(
        "import tensorflow as tf\nx = tf.constant(1.0)\n"
        "y = tf.where(x > 0.0, x, 2.0 * x)\ntf.gradients(y, x)\n"
    )
    explanation = explorer.explain(program.questions[0])
    cut = next(held.cut for held in explanation.held_back if held.cut.tensor.dtype.is_bool)
    assert short_reason(cut) == "boolean"
