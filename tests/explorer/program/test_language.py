"""Does the evaluator do what Python does? Python itself is asked."""

from __future__ import annotations

import contextlib
import io

import pytest

from explorer.program import ProgramError, run
from tests.explorer.program.snippets import SNIPPETS


def _python_prints(text: str) -> tuple[str, ...]:
    """Return what Python prints for a program of our own, written in this repository."""
    output = io.StringIO()
    with contextlib.redirect_stdout(output):
        exec(compile(text, "snippet", "exec"), {"__name__": "__main__"})
    return tuple(output.getvalue().removesuffix("\n").split("\n"))


@pytest.mark.parametrize("name", SNIPPETS)
def test_prints_what_python_prints(name: str) -> None:
    assert run(SNIPPETS[name]).printed == _python_prints(SNIPPETS[name])


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ("print 'hello'", ("hello",)),
        ("x = 3\nprint 'x is', x  # a comment", ("x is 3",)),
        ('print "a %s" % 4', ("a 4",)),
        ('print("a %s") % 4', ("a 4",)),
        ("print 'a',\nprint 'b'", ("a b",)),
        ("print\nprint 1", ("", "1")),
        ("print (1), 2", ("1 2",)),
        ("for i in range(2): print i", ("0", "1")),
        ("if True:\n    print [i\n  for i in range(3)]; print 'z'", ("[0, 1, 2]", "z")),
        ("print sum(x for x in xrange(4))", ("6",)),
        ("from __future__ import print_function\nprint(1, 2)", ("1 2",)),
    ],
)
def test_python_2_print(text: str, printed: tuple[str, ...]) -> None:
    assert run(text).printed == printed


@pytest.mark.parametrize(
    "text",
    [
        "    x = 1\n    print(x)",
        ">>> x = 1\n>>> print(x)\n1",
        "\ufeffx = 1\r\nprint(x)\r\n",
        "x\u00a0= 1\nprint(x)",
    ],
)
def test_traces_of_copying_are_removed(text: str) -> None:
    assert run(text).printed == ("1",)


def test_text_is_kept_as_given() -> None:
    text = "print 'x'"
    assert run(text).text == text


def test_catching_does_not_forgive_what_the_language_refuses() -> None:
    with pytest.raises(ProgramError, match="open"):
        run("try:\n    open('f')\nexcept Exception:\n    pass")


def test_error_has_line_and_sentence() -> None:
    with pytest.raises(ProgramError) as caught:
        run("x = 1\n\ny = x / 0\n")
    assert (caught.value.line, caught.value.sentence) == (3, "division by zero")
    assert str(caught.value) == "line 3: division by zero"


def test_error_inside_a_function_has_the_line_inside() -> None:
    with pytest.raises(ProgramError) as caught:
        run("def f(x):\n    return 1 / x\n\ny = f(0)\n")
    assert caught.value.line == 2


def test_syntax_error_has_its_line() -> None:
    with pytest.raises(ProgramError, match="not Python") as caught:
        run("x = 1\nif x\n    y = 2\n")
    assert caught.value.line == 2
