"""Which exceptions a program may raise and catch."""

from __future__ import annotations

from typing import Any

from explorer.program.errors import ProgramError

EXCEPTIONS: dict[str, type[Exception]] = {
    kind.__name__: kind
    for kind in (
        Exception,
        ValueError,
        TypeError,
        LookupError,
        KeyError,
        IndexError,
        AttributeError,
        NameError,
        RuntimeError,
        NotImplementedError,
        ArithmeticError,
        ZeroDivisionError,
        OverflowError,
        FloatingPointError,
        AssertionError,
    )
}

UNFORGIVABLE = (ProgramError, RecursionError, MemoryError)
"""What the language refuses, the program can neither catch nor clean up after."""

_ALLOWED = frozenset(EXCEPTIONS.values())


def check_raised(value: Any) -> Exception:
    """Return the exception that `raise value` raises.

    Raises:
        TypeError: the value is not an exception.
    """
    if isinstance(value, type) and value in _ALLOWED:
        return value()
    if isinstance(value, Exception):
        return value
    raise TypeError("only exceptions can be raised, for example ValueError('what is wrong')")


def caught_by(error: Exception, kinds: Any) -> bool:
    """Whether `except kinds` catches the error.

    Raises:
        TypeError: the kinds are not exceptions.
    """
    listed = kinds if isinstance(kinds, tuple) else (kinds,)
    for kind in listed:
        if not isinstance(kind, type) or not issubclass(kind, Exception):
            raise TypeError("after `except` stands an exception, for example ValueError")
    return isinstance(error, tuple(listed))
