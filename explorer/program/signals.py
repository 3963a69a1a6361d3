"""What a statement answers when the statements after it must not run."""

from __future__ import annotations

from typing import Any, Final

from explorer.program.errors import ProgramError


class Return:
    """`return value`."""

    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:
        self.value = value


class _Jump:
    """`break` or `continue`."""

    __slots__ = ()


BREAK: Final = _Jump()
CONTINUE: Final = _Jump()


def returned(signal: Any, line: int | None) -> Any:
    """Return the value of a function whose body ended with this signal.

    Raises:
        ProgramError: a `break` or `continue` stood outside any loop.
    """
    if signal is None:
        return None
    if isinstance(signal, Return):
        return signal.value
    raise ProgramError("`break` and `continue` stand only inside a loop", line)
