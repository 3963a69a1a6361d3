"""How large the tensor is that a function of the engine would make at once, as a constant.

Other functions only add an operation, and the meter sees its static shape before it is computed.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from engine.shapes import TensorShape

if TYPE_CHECKING:
    from explorer.program.interpreter import Interpreter

Guard = Callable[..., None]
_WHAT = "a tensor"


def check_shape(it: Interpreter, shape: Any) -> None:
    """Refuse a shape of too many elements; what is no list of numbers is left to the engine."""
    if isinstance(shape, TensorShape):
        shape = shape.dims or ()
    sizes = shape if isinstance(shape, Sequence | np.ndarray) else (shape,)
    known = [int(size) for size in sizes if isinstance(size, int | np.integer) and size >= 0]
    it.meter.elements(math.prod(known), _WHAT)


def _first(it: Interpreter, *args: Any, **kwargs: Any) -> None:
    check_shape(it, kwargs.get("shape", kwargs.get("dims", args[0] if args else ())))


def _third(it: Interpreter, *args: Any, **kwargs: Any) -> None:
    check_shape(it, kwargs.get("shape", args[2] if len(args) > 2 else ()))


def _second(it: Interpreter, *args: Any, **kwargs: Any) -> None:
    check_shape(it, kwargs.get("shape", args[1] if len(args) > 1 else ()))


def _eye(it: Interpreter, *args: Any, **kwargs: Any) -> None:
    rows = kwargs.get("num_rows", args[0] if args else 0)
    columns = kwargs.get("num_columns", args[1] if len(args) > 1 else None)
    batch = kwargs.get("batch_shape", args[2] if len(args) > 2 else None)
    check_shape(it, (rows, rows if columns is None else columns, *(batch or ())))


def _range(it: Interpreter, *args: Any, **kwargs: Any) -> None:
    numbers = [
        float(value)
        for value in (
            *args[:3],
            *(kwargs[key] for key in ("start", "limit", "delta") if key in kwargs),
        )
        if isinstance(value, int | float | np.generic)
    ]
    if not numbers:
        return
    start, limit = (0.0, numbers[0]) if len(numbers) == 1 else numbers[:2]
    step = numbers[2] if len(numbers) > 2 else 1.0
    if step and math.isfinite(limit - start):
        it.meter.elements(max(0, math.ceil((limit - start) / step)), _WHAT)


def _linspace(it: Interpreter, *args: Any, **kwargs: Any) -> None:
    check_shape(it, kwargs.get("num", args[2] if len(args) > 2 else ()))


GUARDS: dict[str, Guard] = {
    "zeros": _first,
    "ones": _first,
    "fill": _first,
    "constant": _third,
    "get_variable": _second,
    "eye": _eye,
    "range": _range,
    "linspace": _linspace,
    "lin_space": _linspace,
}


def guarded(function: Callable[..., Any], guard: Guard) -> Callable[..., Any]:
    """Return the function with its guard in front."""

    def run(it: Interpreter, *args: Any, **kwargs: Any) -> Any:
        guard(it, *args, **kwargs)
        return function(*args, **kwargs)

    return run
