"""Absurd requests are answered before they are tried."""

from __future__ import annotations

import pytest

from explorer.program import Budget, BudgetError, run

NUMPY = "import numpy as np\n"
TENSORFLOW = "import tensorflow as tf\n"

ABSURD = [
    ("9**9**9", "binary digits"),
    ("pow(9, 9**9)", "binary digits"),
    ("x = 1 << 10**10", "binary digits"),
    ("x = 3\nwhile True:\n    x = x * x", "binary digits"),
    ("[0] * 10**9", "a list would have"),
    ("'a' * 10**9", "a string would have"),
    ("10**9 * 'a'", "a string would have"),
    ("s = 'a'\nwhile True:\n    s += s", "a string would have"),
    ("xs = [0]\nwhile True:\n    xs += xs", "elements"),
    ("xs = [0]\nwhile True:\n    xs.extend(xs)", "elements"),
    ("','.join(['a' * 90000] * 9)", "a string would have"),
    ("'a'.replace('', 'b' * 90000)", "a string would have"),
    ("'a'.ljust(10**10)", "a string would have"),
    ("f'{1:>1000000000}'", "a width in a format"),
    ("'%1000000000d' % 1", "a width in a format"),
    ("'{:1000000000}'.format(1)", "a width in a format"),
    ("range(10**12)", "a range would have"),
    ("round(5, -10**9)", "at most 400 digits"),
    ("import math\nmath.factorial(10**7)", "numbers up to 400"),
    ("while True:\n    pass", "statements"),
    ("[0 for i in range(10**6) for j in range(10**6)]", "statements"),
    ("def f():\n    return f()\nf()", "deep; use a loop"),
    ("x = []\nwhile True:\n    x = [x]", "nested more than"),
    ("t = 1\nfor i in range(60):\n    t = (t, t)", "inner lists"),
    ("x = []\nx.append(x)\nx == x", "nested more than"),
    ("while True:\n    print('x' * 1000)", "prints more than"),
    ("try:\n    while True: pass\nexcept Exception:\n    pass", "statements"),
    (
        "while True:\n    try:\n        while True: pass\n    finally:\n        continue",
        "statements",
    ),
    (NUMPY + "np.zeros((10**9,))", "an array would have"),
    (NUMPY + "np.zeros(shape=10**9)", "an array would have"),
    (NUMPY + "np.arange(0, 10**9)", "an array would have"),
    (NUMPY + "np.linspace(0, 1, 10**9)", "an array would have"),
    (NUMPY + "np.eye(10**5)", "an array would have"),
    (NUMPY + "np.tile([1], 10**9)", "an array would have"),
    (NUMPY + "np.repeat([1], 10**9)", "an array would have"),
    (NUMPY + "np.random.randn(10**5, 10**5)", "an array would have"),
    (NUMPY + "np.random.normal(0, 1, 10**9)", "an array would have"),
    (NUMPY + "np.random.default_rng(0).normal(size=(10**9,))", "an array would have"),
    (NUMPY + "a = np.ones(10**5)\na[:, None] * a", "an array would have"),
    (NUMPY + "a = np.ones(10**5)\nnp.add(a[:, None], a)", "an array would have"),
    (NUMPY + "a = np.ones(10**5)\nnp.outer(a, a)", "an array would have"),
    (NUMPY + "a = np.ones((10**5, 1))\na @ a.T", "a matrix product would have"),
    (NUMPY + "np.diag(np.ones(10**5))", "a matrix would have"),
    (NUMPY + "a = np.ones((10, 10**4))\na[[0] * 10**4]", "an array would have"),
    (TENSORFLOW + "tf.zeros([10**9])", "a tensor would have"),
    (TENSORFLOW + "tf.ones((10**5, 10**5))", "a tensor would have"),
    (TENSORFLOW + "tf.fill([10**9], 1.0)", "a tensor would have"),
    (TENSORFLOW + "tf.constant(1.0, shape=[10**9])", "a tensor would have"),
    (TENSORFLOW + "tf.eye(10**6)", "a tensor would have"),
    (TENSORFLOW + "tf.range(10**9)", "a tensor would have"),
    (TENSORFLOW + "a = tf.ones([10**5, 1])\na * tf.transpose(a)", "a tensor would have"),
]


@pytest.mark.parametrize(("text", "sentence"), ABSURD)
def test_absurd_request_ends_with_a_sentence(text: str, sentence: str) -> None:
    budget = Budget(statements=20_000, operations=2_000, printed_chars=20_000)
    with pytest.raises(BudgetError, match=sentence) as caught:
        run(text, budget)
    assert caught.value.line is not None


def test_operations_are_counted_inside_one_call_of_gradients() -> None:
    text = TENSORFLOW + "x = tf.constant(1.0)\ny = x\nfor i in range(40):\n    y = y * x\n"
    run(text, Budget(operations=60))
    with pytest.raises(BudgetError, match="more than 60 operations") as caught:
        run(text + "tf.gradients(y, x)\n", Budget(operations=60))
    assert caught.value.line == 6


def test_time_is_limited() -> None:
    with pytest.raises(BudgetError, match="more than 0 seconds"):
        run("while True:\n    pass", Budget(seconds=0))


def test_bytes_of_arrays_are_given_back() -> None:
    text = NUMPY + "for i in range(50):\n    a = np.zeros(100_000)\n"
    run(text, Budget(bytes=4_000_000))
    kept = NUMPY + "kept = [np.zeros(100_000) for i in range(50)]\n"
    with pytest.raises(BudgetError, match="take more than"):
        run(kept, Budget(bytes=4_000_000))


def test_source_is_limited() -> None:
    with pytest.raises(BudgetError, match="11 characters, and the limit is 10"):
        run("x = 1 + 234", Budget(source_chars=10))


@pytest.mark.parametrize(
    "text", ["(" * 90 + "1" + ")" * 90 + "+1", "-" * 90 + "1", "x" + ".a" * 90]
)
def test_deep_text(text: str) -> None:
    if text.startswith("("):
        run(text)  # parentheses alone are no nesting
    else:
        with pytest.raises(BudgetError, match="nested more than 50 deep"):
            run(text)


def test_the_run_after_an_exhausted_one_starts_afresh() -> None:
    with pytest.raises(BudgetError):
        run("while True:\n    pass", Budget(statements=100))
    assert run("print(1)", Budget(statements=100)).printed == ("1",)
