"""How a local derivative becomes a gradient function: upstream times local, un-broadcast once.

For z = f(x, y) elementwise, the gradient of x is the upstream gradient times dz/dx, summed over
the axes along which x was broadcast. An op declares only dz/dx; everything else stands here.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from engine.shapes import is_static

if TYPE_CHECKING:
    from engine.tensor import Operation, Tensor

Local: TypeAlias = "Callable[..., Any] | float | None"


@dataclass(frozen=True, eq=False)
class Contribution:
    """What one input receives: its gradient, and the local derivative it was made with.

    Attributes:
        value: the contribution, shaped like the input.
        local: the local derivative, a tensor or, when it is constant, a number.
    """

    value: Tensor
    local: Tensor | float


class LocalRule:
    """The gradient function generated from local derivatives.

    Attributes:
        entries: one per input, over `(*inputs, output)`: a function that builds the derivative, a
            number when it is constant, None when it is zero everywhere.
    """

    def __init__(self, local: tuple[Local, ...] | Local) -> None:
        self.entries: tuple[Local, ...] = local if isinstance(local, tuple) else (local,)

    def __call__(self, op: Operation, upstream: Tensor) -> list[Callable[[], Tensor] | None]:
        return [self.entry(op, slot, upstream) for slot in range(len(op.inputs))]

    def entry(self, op: Operation, slot: int, upstream: Tensor) -> Callable[[], Tensor] | None:
        if self.entries[slot] is None:
            return None
        return lambda: self.contribute(op, slot, upstream).value

    def contribute(self, op: Operation, slot: int, upstream: Tensor) -> Contribution:
        """Build the contribution of one input, with the role of each new operation recorded."""
        graph = op.graph
        entry = self.entries[slot]
        if callable(entry):
            with graph.control_dependencies([upstream.op]), graph.role("local"):
                local = entry(*op.inputs, op.outputs[0])
                if local.dtype.is_complex:
                    local = graph.create_op("Conj", [local]).outputs[0]
            with graph.role("chain"):
                product = graph.create_op("Mul", [upstream, local]).outputs[0]
        else:
            assert entry is not None
            local = float(entry)
            product = _scaled(upstream, local)
        with graph.role("unbroadcast"):
            return Contribution(unbroadcast(product, op, slot), local)


def _scaled(upstream: Tensor, factor: float) -> Tensor:
    if factor == 1:
        return upstream
    graph = upstream.graph
    with graph.role("chain"):
        if factor == -1:
            return graph.create_op("Neg", [upstream]).outputs[0]
        constant = np.asarray(factor, upstream.dtype.dtype)
        return graph.create_op("Mul", [upstream, constant]).outputs[0]


def unbroadcast(gradient: Tensor, op: Operation, slot: int) -> Tensor:
    """Sum a gradient over the axes along which input `slot` of `op` was broadcast.

    Nothing is added when the shapes agree; with static shapes the least that does it, one Sum
    and, if axes were missing as well as of size 1, one Reshape; otherwise one operation that looks
    at the shapes at run time.
    """
    target = op.inputs[slot]
    if len(op.inputs) == 1 or _keeps_shape(op, slot):
        return gradient
    return sum_to_shape_of(gradient, target)


def sum_to_shape_of(gradient: Tensor, target: Tensor) -> Tensor:
    """Sum a gradient over the axes along which `target` was broadcast to the gradient's shape."""
    if not (is_static(target.dims) and is_static(gradient.dims)):
        return target.graph.create_op("SumToShapeOf", [gradient, target]).outputs[0]
    assert target.dims is not None
    assert gradient.dims is not None
    return _sum_to(gradient, gradient.dims, target.dims)


def _keeps_shape(op: Operation, slot: int) -> bool:
    """Whether this input certainly has the output's shape: all others are it, or scalars."""
    target = op.inputs[slot]
    return all(other is target or other.dims == () for other in op.inputs) and target.dims != ()


def _sum_to(
    gradient: Tensor, source: tuple[int | None, ...], target: tuple[int | None, ...]
) -> Tensor:
    missing = len(source) - len(target)
    if missing < 0:  # a seed of the wrong shape; the walk says so
        return gradient
    ones = [
        missing + axis
        for axis, (have, want) in enumerate(zip(source[missing:], target, strict=True))
        if want == 1 and have != 1
    ]
    axes = [*range(missing), *ones]
    if not axes:
        return gradient
    create = gradient.graph.create_op
    summed = create("Sum", [gradient], {"axis": axes, "keepdims": bool(ones)}).outputs[0]
    if ones and missing:
        summed = create("Reshape", [summed], {"shape": target}).outputs[0]
    return summed
