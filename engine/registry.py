"""Which function computes the gradient of which op type.

One table from op type to gradient function; None stands for "registered as not differentiable".
A program that registers its own rules does so in an overlay (`scoped`), so that it can run again
and so that two users never see each other's rules.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any, TypeVar

from engine.errors import ArgumentTypeError, GradientLookupError, RegistryError

if TYPE_CHECKING:
    from engine.tensor import Operation

GradientFunction = Callable[..., Any]
_F = TypeVar("_F", bound=GradientFunction)


class Registry:
    """A table of gradient functions on top of another one."""

    def __init__(self, below: Registry | None = None) -> None:
        self.below = below
        self._functions: dict[str, GradientFunction | None] = {}
        self._places: dict[str, str] = {}

    def register(self, op_type: str, function: GradientFunction | None) -> None:
        if not isinstance(op_type, str):
            raise ArgumentTypeError(f"op_type must be a string (got {op_type!r})")
        if op_type in self:
            raise RegistryError(
                f"Registering two gradient with name '{op_type}'! "
                f"(Previous registration was in {self.place(op_type)})"
            )
        self._functions[op_type] = function
        self._places[op_type] = _place(function)

    def __contains__(self, op_type: str) -> bool:
        return op_type in self._functions or (self.below is not None and op_type in self.below)

    def get(self, op_type: str) -> GradientFunction | None:
        """Return the gradient function, or None for a type that is not differentiable.

        Raises:
            GradientLookupError: nothing is registered under this name.
        """
        registry: Registry | None = self
        while registry is not None:
            if op_type in registry._functions:
                return registry._functions[op_type]
            registry = registry.below
        raise GradientLookupError(f"gradient registry has no entry for: {op_type}")

    def place(self, op_type: str) -> str:
        """Return where the registration stands, as `file:line`."""
        if op_type in self._places:
            return self._places[op_type]
        return self.below.place(op_type) if self.below is not None else "unknown"

    def names(self) -> tuple[str, ...]:
        """Return every registered name, the ones below first."""
        below = self.below.names() if self.below is not None else ()
        return below + tuple(self._functions)


def _place(function: GradientFunction | None) -> str:
    code = getattr(function, "__code__", None)
    if code is not None:
        return f"{code.co_filename}:{code.co_firstlineno}"
    caller = sys._getframe(3)  # inspect.stack() reads source files: slow
    return f"{caller.f_code.co_filename}:{caller.f_lineno}"


_BASE = Registry()
_current: ContextVar[Registry] = ContextVar("registry", default=_BASE)


def current() -> Registry:
    """Return the registry in force."""
    return _current.get()


@contextmanager
def scoped() -> Iterator[Registry]:
    """Collect registrations in an overlay that is dropped at the end.

    A graph remembers the registry it was made under, so its gradients can still be taken later.
    """
    overlay = Registry(below=current())
    token = _current.set(overlay)
    try:
        yield overlay
    finally:
        _current.reset(token)


class RegisterGradient:
    """Decorator that registers a gradient function for an op type.

    The function is called `function(op, *upstream)` with one upstream gradient per output of the
    operation, and returns one gradient, or None, per input. An entry may also be a function of no
    arguments: it is called only if that input's gradient is wanted.

    Raises:
        RegistryError: the type has a gradient function already.
    """

    def __init__(self, op_type: str) -> None:
        if not isinstance(op_type, str):
            raise ArgumentTypeError(f"op_type must be a string (got {op_type!r})")
        self._op_type = op_type

    def __call__(self, function: _F) -> _F:
        current().register(self._op_type, function)
        return function


def NotDifferentiable(op_type: str) -> None:  # noqa: N802 - TensorFlow's name
    """Register that no gradient ever flows through operations of this type."""
    current().register(op_type, None)


NoGradient = NotDifferentiable
no_gradient = NotDifferentiable


def gradient_function(op: Operation) -> GradientFunction | None:
    """Return the gradient function of an operation; None when it has none by declaration.

    Looked up in this order: an operation without inputs has none; the function set on the
    operation itself; the name given by `gradient_override_map`; the op type.

    Raises:
        GradientLookupError: nothing is registered.
    """
    if not op.inputs:
        return None
    if op.gradient_function is not None:
        return op.gradient_function
    try:
        return op.graph.registry.get(op.attrs.get("_gradient_op_type", op.type))
    except GradientLookupError:
        raise GradientLookupError(
            f"No gradient defined for operation'{op.name}' (op type: {op.type}): register one with "
            f"@tf.RegisterGradient({op.attrs.get('_gradient_op_type', op.type)!r}), or put "
            "tf.stop_gradient on its input to treat it as a constant"
        ) from None
