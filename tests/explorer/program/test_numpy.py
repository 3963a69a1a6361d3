"""Does the NumPy face give NumPy's results?"""

from __future__ import annotations

import numpy as np
import pytest

from explorer.program import run
from explorer.program.numpy_face import _TABLE

HEADER = "import numpy as np\nimport tensorflow as tf\n"


@pytest.mark.parametrize(
    ("expression", "printed"),
    [
        ("np.array([1, 2], tf.float32).dtype", "float32"),
        ("[np.float32(1.5), np.int64(3)]", "[1.5, 3]"),
        ("np.zeros((2,)), np.ones(shape=2, dtype=np.int32), np.empty(2)", "[0. 0.] [1 1] [0. 0.]"),
        ("np.arange(6).reshape(2, 3).T[1]", "[1 4]"),
        ("np.arange(1, 4) @ np.arange(3)", "8"),
        ("np.mean([[1., 3.], [5., 7.]], axis=0)", "[3. 5.]"),
        ("np.sum(tf.constant([1., 2.])), np.allclose(tf.constant(1.), 1)", "3.0 True"),
        ("np.linalg.det([[1., 2.], [3., 4.]]).round(6)", "-2.0"),
        ("np.pi, np.inf, np.newaxis", "3.141592653589793 inf None"),
        ("np.random.RandomState(3).randint(0, 9, size=3).shape", "(3,)"),
        ("np.array([1.25]).astype(int).tolist()", "[1]"),
        ("np.where([True, False], 1, 2), np.linspace(0, 1, 3)", "[1 2] [0.  0.5 1. ]"),
    ],
)
def test_prints(expression: str, printed: str) -> None:
    assert run(f"{HEADER}print({expression})").printed == (printed,)


def test_assignment_to_entries() -> None:
    text = "a = np.zeros((2, 2))\na[0, :] = [1, 2]\na[1, 1] += 5\na *= 2\nprint(a.tolist())"
    assert run(HEADER + text).printed == ("[[2.0, 4.0], [0.0, 10.0]]",)


def test_seeded_numbers_are_numpys() -> None:
    expected = np.random.RandomState(7).randn(3)
    text = "np.random.seed(7)\nprint(np.random.randn(3).tolist())"
    assert run(HEADER + text).printed == (str(expected.tolist()),)


def test_each_function_is_named_once() -> None:
    names = [name for _, listed in _TABLE for name in listed.split()]
    assert len(names) == len(set(names))
    assert all(callable(getattr(np, name)) for name in names)
