"""What may be called, and how: every call of a program goes through `apply`."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from explorer.program.errors import ProgramError
from explorer.program.sizes import CONTAINERS, check_nesting, checked

if TYPE_CHECKING:
    from explorer.program.interpreter import Interpreter


class Native:
    """A function of ours under the name that the program knows it by.

    Args:
        interpreter: the run it belongs to.
        name: what the program calls it.
        run: called as `run(interpreter, *args, **kwargs)`.
        checks: whether arguments are measured first; False for functions that look at one entry.
    """

    __slots__ = ("__name__", "checks", "interpreter", "run")

    def __init__(
        self,
        interpreter: Interpreter,
        name: str,
        run: Callable[..., Any],
        checks: bool = True,
    ) -> None:
        self.interpreter = interpreter
        self.__name__ = name
        self.run = run
        self.checks = checks

    @property
    def shown(self) -> str:
        return f"<built-in function {self.__name__}>"

    def __repr__(self) -> str:
        return self.shown

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        try:
            return self.run(self.interpreter, *args, **kwargs)
        except TypeError as error:
            self._explain(error, args, kwargs)
            raise

    def _explain(self, error: TypeError, args: Sequence[Any], kwargs: Mapping[str, Any]) -> None:
        """Say it with the program's name when the arguments do not fit the parameters."""
        try:
            inspect.signature(self.run).bind(self.interpreter, *args, **kwargs)
        except TypeError as mismatch:
            raise TypeError(f"{self.__name__}(): {mismatch}") from error
        except ValueError:  # a function of C that has no signature says it by itself
            return


def apply(
    interpreter: Interpreter, function: Any, args: Sequence[Any], kwargs: Mapping[str, Any]
) -> Any:
    """Call a function of the program, of ours, of the engine or of NumPy.

    Raises:
        TypeError: it cannot be called.
        BudgetError: an argument or the result is too large.
    """
    meter = interpreter.meter
    kind = function.__class__
    if isinstance(function, type):
        function = _constructor(interpreter, function)
    elif not callable(function):
        raise TypeError(_not_callable(function))
    if kind is not Native or function.checks:
        for value in args:
            if value.__class__ in CONTAINERS:
                check_nesting(meter, value)
        for value in kwargs.values():
            if value.__class__ in CONTAINERS:
                check_nesting(meter, value)
    line = interpreter.line
    result = function(*args, **kwargs)
    if interpreter.line != line:
        interpreter.move_to(line)
    return checked(meter, result)


def _constructor(interpreter: Interpreter, kind: type) -> Any:
    """Return what makes a value of a type, if programs may make one."""
    found = interpreter.constructors.get(kind)
    if found is None:
        raise ProgramError(f"a {kind.__name__} cannot be made by calling its type")
    return found


def _not_callable(value: Any) -> str:
    kind = type(value).__name__
    if kind in ("Tensor", "Variable"):
        return f"a {kind} is a value, not a function; write square brackets to index it"
    return f"a value of type {kind} is not a function and cannot be called"
