"""Do pictures get the names that the author gave?"""

# ruff: noqa: E501 - a program stands on few lines

from __future__ import annotations

import pytest

from explorer.program import run

HEADER = "import tensorflow as tf\n"


def _labels(text: str) -> dict[str, str]:
    """Return the op type under each label."""
    program = run(HEADER + text)
    return {label: tensor.op.type for tensor, label in program.labels.items()}


@pytest.mark.parametrize(
    ("text", "labels"),
    [
        ("a = tf.constant(1.)\nb = a\n", {"a": "Const"}),
        ("v = tf.Variable(1.)\ny = v * v\n", {"v": "VarHandleOp", "y": "Mul"}),
        ("a, b = tf.constant(1.), tf.exp(0.)\n", {"a": "Const", "b": "Exp"}),
        ("w = [tf.constant(1.), tf.exp(1.)]\n", {"w[0]": "Const", "w[1]": "Exp"}),
        ("p = {'k': tf.exp(1.)}\n", {"p[k]": "Exp"}),
        ("h = tf.constant(1.)\nfor i in range(2):\n    h = tf.sin(h)\n",
         {"h₁": "Const", "h₂": "Sin", "h₃": "Sin"}),
        ("def f(x):\n    h = tf.sin(x)\n    return h\ny = f(1.)\n", {"y": "Sin"}),
        ("def f(x):\n    h = tf.sin(x)\n    return tf.exp(h)\ny = f(1.)\n", {"h": "Sin", "y": "Exp"}),
        ("def f(x):\n    y = tf.sin(x)\n    return tf.exp(y)\ny = f(1.)\n", {"y": "Exp"}),
        ("_ = tf.exp(1.)\nfor _ in [1]:\n    pass\n", {}),
        ("with tf.name_scope('s') as s:\n    z = tf.exp(1.)\n", {"z": "Exp"}),
    ],
)  # fmt: skip
def test_first_name_labels_the_tensor(text: str, labels: dict[str, str]) -> None:
    assert _labels(text) == labels


def test_names_are_what_they_are_bound_to_at_the_end() -> None:
    program = run(HEADER + "x = tf.Variable(1.)\nh = x\nh = tf.sin(h)\nk = h\nn = h\nn = 3\n")
    assert list(program.names) == ["x", "h", "k"]
    assert program.names["h"] is program.names["k"]
    assert program.labels[program.names["x"].handle] == "x"
