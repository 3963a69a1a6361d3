"""Where an infinity or a NaN came from."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from engine.backward import Backward
from engine.plan import inputs_of
from engine.replay import Values
from engine.tensor import Operation, Tensor


@dataclass(frozen=True, eq=False)
class Origin:
    """The operation that made a value that is not finite.

    Attributes:
        op: the operation; a constant, placeholder or variable if the value was given as such.
        backward: whether it was made by the call of `gradients` rather than by the program.
        operands: the values of its inputs.
        value: the output that is not finite.
        position: index of the first such element.
        at: the elements of the operands that it was made from, where operands and output
            broadcast together; otherwise empty.
    """

    op: Operation
    backward: bool
    operands: tuple[Any, ...]
    value: Any
    position: tuple[int, ...]
    at: tuple[Any, ...]


def origin_of(backward: Backward, tensor: Tensor, values: Values) -> Origin | None:
    """Return what made the value of a tensor NaN or infinite; None if it is finite or not known.

    Args:
        tensor: any tensor, forward or backward.
        values: what `evaluate_record` returned.
    """
    value = values.get(tensor)
    if value is None or not _any(lambda array: ~np.isfinite(array), value):
        return None
    stack = [tensor.op]
    seen: set[Operation] = set()
    while stack:
        op = stack.pop()
        if op not in seen:
            seen.add(op)
            stack.extend(entry.op for entry in inputs_of(op, eager=True))
    ops = sorted(seen, key=lambda op: op.id)
    first = first_nan if np.any(np.isnan(value)) else first_nonfinite
    return first(backward, ops, values)


def first_nonfinite(backward: Backward, ops: Sequence[Operation], values: Values) -> Origin | None:
    """Return the first operation that makes something not finite from finite operands."""
    return _first(backward, ops, values, lambda value: ~np.isfinite(value))


def first_nan(backward: Backward, ops: Sequence[Operation], values: Values) -> Origin | None:
    """Return the first operation that makes a NaN from operands without NaN."""
    return _first(backward, ops, values, np.isnan)


def _first(
    backward: Backward, ops: Sequence[Operation], values: Values, bad: Callable[[Any], Any]
) -> Origin | None:
    made = set(backward.operations)
    tainted: dict[Tensor, bool] = {}
    for op in ops:
        inputs = inputs_of(op, eager=True)
        for tensor in op.outputs:
            tainted[tensor] = _any(bad, values.get(tensor))
        if not any(tainted[tensor] for tensor in op.outputs):
            continue
        if not any(tainted.get(tensor, False) for tensor in inputs):
            output = next(tensor for tensor in op.outputs if tainted[tensor])
            return _origin(op, op in made, [values.get(t) for t in inputs], values[output], bad)
    return None


def _any(bad: Callable[[Any], Any], value: Any) -> bool:
    return value is not None and np.asarray(value).dtype.kind in "fc" and bool(np.any(bad(value)))


def _origin(
    op: Operation, backward: bool, operands: Sequence[Any], value: Any, bad: Callable[[Any], Any]
) -> Origin:
    position = tuple(int(axis) for axis in np.argwhere(np.atleast_1d(bad(value)))[0])
    position = position[: np.ndim(value)]
    return Origin(op, backward, tuple(operands), value, position, _at(operands, value, position))


def _at(operands: Sequence[Any], value: Any, position: tuple[int, ...]) -> tuple[Any, ...]:
    try:
        aligned = [np.broadcast_to(operand, np.shape(value)) for operand in operands]
    except ValueError:
        return ()
    return tuple(operand[position] for operand in aligned)
