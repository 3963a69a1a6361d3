"""What is outside the language: one clear sentence with the line, and nothing else escapes."""

from __future__ import annotations

import ast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from explorer.program import ProgramError, run
from explorer.program.interpreter import EXPRESSIONS, REFUSED, STATEMENTS

REFUSALS = [
    ("class A:\n    pass", "classes are not part of the language"),
    ("x = yield 1", "generators are not part"),
    ("async def f():\n    pass", "without `async`"),
    ("match 1:\n    case 1:\n        pass", "write `if` and `elif`"),
    ("import os", "'os' cannot be imported"),
    ("import torch", "TensorFlow's names"),
    ("import matplotlib.pyplot as plt", "the page draws the pictures"),
    ("from . import x", "cannot import its neighbours"),
    ("from tensorflow import gradientz", "did you mean 'gradients'"),
    ("import tensorflow as tf\ntf.keras.layers.Dense(3)", r"tf.keras.layers is not part"),
    ("import tensorflow as tf\ntf.data.Dataset", "loop over a Python list"),
    ("import tensorflow as tf\ntf.io.read_file('x')", "files are not read"),
    ("import tensorflow as tf\ntf.config.list_physical_devices('GPU')", "devices are not listed"),
    ("import tensorflow as tf\ntf.gradiants", "did you mean 'gradients'"),
    ("import numpy as np\nnp.load('x')", "files are not read"),
    ("import numpy as np\nnp.array([print])", "holds numbers"),
    ("import numpy as np\nnp.zeros(3, dtype='O')", "hold numbers"),
    ("import numpy as np\nnp.ndarray((3,))", "cannot be made"),
    ("open('f')", "files are not read"),
    ("eval('1')", "write the expression itself"),
    ("__import__('os')", "has no value yet"),
    ("x = ().__class__", "private"),
    ("x = (lambda: 0).__globals__", "private"),
    ("x = (lambda: 0).interpreter", "no attribute"),
    ("import tensorflow as tf\ntf.constant(1.0)._consumers", "private"),
    ("import tensorflow as tf\ntf.constant(1.0).op.opdef", "no attribute"),
    ("import tensorflow as tf\ntf.Tensor(1, 2, 3, 4)", "cannot be made"),
    ("getattr(1, '__class__')", "private"),
    ("'{0.__class__}'.format(1)", "not part of the language"),
    ("'{0[a].real}'.format({'a': 1})", "not part of the language"),
    ("f'{(1).__class__}'", "private"),
    ("type(type(1))('X', (), {})", "cannot be made"),
    ("x = 3\nx.real = 4", "cannot be assigned"),
    ("import tensorflow as tf\nx = tf.constant([1.0])\nx[0] = 2.0", "entries of a tensor"),
    ("import tensorflow as tf\nx = tf.constant(1.0)\nx()", "square brackets"),
    ("None.numpy()", "a gradient is None when"),
    ("break", "only inside a loop"),
    ("return 1", "outside a function"),
    ("%matplotlib inline", "notebook command"),
    ("undefined", "has no value yet"),
    ("tf.constant(1)", "import tensorflow as tf"),
    ("a, b = 1, 2, 3", "2 names on the left, 3 values"),
    ("def f(x):\n    return x\nf()", r"f\(\): missing a required argument"),
    ("{}['k']", "the dictionary has no key 'k'"),
    ("with 3:\n    pass", "cannot stand after `with`"),
    ("raise 3", "only exceptions can be raised"),
    ("assert 1 == 2", "1 == 2 is not true"),
    ("assert False, 'words'", "words"),
    ("'%d' % 'a'", "a real number is required"),
    ("def f():\n    print(x)\n    x = 1\nf()", "only later"),
]


@pytest.mark.parametrize(("text", "sentence"), REFUSALS)
def test_refusal_says_what_and_where(text: str, sentence: str) -> None:
    with pytest.raises(ProgramError, match=sentence) as caught:
        run(text)
    assert caught.value.line in range(1, len(text.split("\n")) + 1)
    assert "\n" not in caught.value.sentence


def test_only_text_is_run() -> None:
    with pytest.raises(ProgramError, match="a program is text"):
        run(3)  # type: ignore[arg-type]


def test_every_node_is_handled_or_refused() -> None:
    """What is new in Python is refused until somebody adds a handler."""
    for node_type in (ast.stmt, ast.expr):
        for kind in node_type.__subclasses__():
            table = STATEMENTS if node_type is ast.stmt else EXPRESSIONS
            assert callable(table[kind])
            assert kind not in table or kind not in REFUSED


def test_names_of_our_own_do_not_reach_the_program() -> None:
    text = "import tensorflow as tf\nimport numpy as np\nprint(tf, np, print, len, tf.square)"
    assert "0x" not in run(text).printed[0]


_ATOMS = """
0 1 2.5 'a' None True x f tf np [1] (1,) {1:2} {} [] 10**9 range(9) tf.constant(1.0) print
"""
ATOMS = st.sampled_from(_ATOMS.split())
OPERATIONS = st.sampled_from(
    ["{}+{}", "{}*{}", "{}**{}", "{}[{}]", "{}({})", "{}%{}", "{}<{}", "[{},{}]"]
)


@st.composite
def expressions(draw: st.DrawFn) -> str:
    value = draw(ATOMS)
    for _ in range(draw(st.integers(0, 4))):
        value = f"({draw(OPERATIONS).format(value, draw(ATOMS))})"
    return value


@settings(max_examples=150, deadline=None)
@given(expressions())
def test_nothing_but_program_errors_escapes(expression: str) -> None:
    header = "import tensorflow as tf\nimport numpy as np\nx = tf.Variable(2.0)\nf = lambda v: v\n"
    try:
        program = run(f"{header}y = {expression}\nprint(y)\n")
    except ProgramError as error:
        assert error.line in (5, 6)
        assert error.sentence
    else:
        assert all(isinstance(row, str) for row in program.printed)


@settings(max_examples=100, deadline=None)
@given(st.text(max_size=60))
def test_any_text_is_answered(text: str) -> None:
    try:
        run(text)
    except ProgramError as error:
        assert error.sentence
