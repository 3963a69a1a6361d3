"""Python's `math` and `functools` as the program sees them."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from engine.tensor import Operators
from explorer.program.calls import Native, apply
from explorer.program.errors import BudgetError
from explorer.program.faces import Face

if TYPE_CHECKING:
    from explorer.program.interpreter import Interpreter

_MOST = 400  # 400! has about 2900 binary digits

_PLAIN = (
    "acos acosh asin asinh atan atan2 atanh cbrt ceil copysign cos cosh degrees dist erf erfc exp "
    "exp2 expm1 fabs floor fmod frexp fsum gamma gcd hypot isclose isfinite isinf isnan isqrt "
    "lgamma log log10 log1p log2 modf pow radians sin sinh sqrt tan tanh trunc"
)


def _number(value: Any) -> Any:
    if isinstance(value, Operators | np.ndarray):
        return float(value)
    return value


def _on_numbers(function: Callable[..., Any]) -> Callable[..., Any]:
    return lambda _it, *args, **kwargs: function(*map(_number, args), **kwargs)


def _bounded(function: Callable[..., Any]) -> Callable[..., Any]:
    def run(_it: Interpreter, *args: Any) -> Any:
        if any(isinstance(arg, int) and arg > _MOST for arg in args):
            raise BudgetError(f"math.{function.__name__} here takes numbers up to {_MOST}")
        return function(*args)

    return run


def _prod(it: Interpreter, values: Any, *, start: Any = 1) -> Any:
    result = start
    for value in values:
        it.meter.step()
        result = result * value
        if isinstance(result, int):
            it.meter.integer_bits(result.bit_length())
    return result


def math_face(it: Interpreter) -> Face:
    """Return the module `math` of one run."""
    members: dict[str, Any] = {
        name: getattr(math, name) for name in ("pi", "e", "tau", "inf", "nan")
    }
    for name in _PLAIN.split():
        members[name] = Native(it, name, _on_numbers(getattr(math, name)))
    for name in ("factorial", "comb", "perm"):
        members[name] = Native(it, name, _bounded(getattr(math, name)))
    members["prod"] = Native(it, "prod", _prod)
    return Face("math", members)


def _reduce(it: Interpreter, function: Any, values: Any, *initial: Any) -> Any:
    rest = iter(values)
    result = initial[0] if initial else next(rest, None)
    for value in rest:
        it.meter.step()
        result = apply(it, function, [result, value], {})
    return result


def _partial(it: Interpreter, function: Any, *first: Any, **named: Any) -> Native:
    def run(inner: Interpreter, *args: Any, **kwargs: Any) -> Any:
        return apply(inner, function, [*first, *args], {**named, **kwargs})

    return Native(it, "partial", run)


def functools_face(it: Interpreter) -> Face:
    """Return the module `functools` of one run."""
    members = {"reduce": Native(it, "reduce", _reduce), "partial": Native(it, "partial", _partial)}
    return Face("functools", members)
