"""How a gradient gets from the shape of a result back to the shape of what was reduced.

With static shapes by attributes alone; when sizes are known only at run time, by the two ops of
this module, which look at a tensor for its shape and at nothing else of it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.elementwise import sum_to_shape_of
from engine.graph import create_op
from engine.opdef import define
from engine.registry import RegisterGradient
from engine.shapes import Dims, is_static, normalize_axes
from engine.tensor import Operation, Tensor


def _like(_source: Dims, like: Dims, **_attrs: Any) -> Dims:
    return like


def _sum_to(x: Any, like: Any) -> Any:
    target = np.shape(like)
    missing = np.ndim(x) - len(target)
    axes = tuple(range(max(missing, 0))) + tuple(
        missing + axis
        for axis, size in enumerate(target)
        if missing >= 0 and size == 1 and np.shape(x)[missing + axis] != 1
    )
    total = np.add.reduce(x, axis=axes, dtype=x.dtype, keepdims=True) if axes else x
    if missing < 0 or np.shape(total)[missing:] != target:
        raise ValueError(f"a gradient of shape {np.shape(x)} does not fit the shape {target}")
    return np.reshape(total, target)


define(
    "SumToShapeOf",
    kernel=_sum_to,
    shape=_like,
    match=(0,),
    kinds="fciu",
    arity=2,
    latex=r"\operatorname{sum}(#1)",
)


@RegisterGradient("SumToShapeOf")
def _sum_to_shape_of_gradient(op: Operation, upstream: Tensor) -> list[Any]:
    return [lambda: broadcast_like(upstream, op.inputs[0]), None]


def _broadcast_like(x: Any, like: Any, *, axis: tuple[int, ...]) -> Any:
    if axis:
        x = np.expand_dims(x, normalize_axes(axis, np.ndim(like)))
    return np.broadcast_to(x, np.shape(like))


define(
    "BroadcastLike",
    kernel=_broadcast_like,
    shape=_like,
    match=(0,),
    arity=2,
    attrs={"axis": ()},
    latex=r"\operatorname{broadcast}(#1)",
)


@RegisterGradient("BroadcastLike")
def _broadcast_like_gradient(op: Operation, upstream: Tensor) -> list[Any]:
    axis = op.attrs["axis"]
    if axis:
        return [lambda: create_op("Sum", [upstream], {"axis": axis}).outputs[0], None]
    return [lambda: sum_to_shape_of(upstream, op.inputs[0]), None]


def broadcast_like(x: Tensor, like: Tensor, axis: tuple[int, ...] = ()) -> Tensor:
    """Broadcast x to the run-time shape of `like`.

    Args:
        x: has the axes of `like` but for `axis`, all of its size, or is broadcast by NumPy's rules
            when `axis` is empty.
        like: gives the shape.
        axis: the axes of `like` that x lacks.
    """
    return create_op("BroadcastLike", [x, like], {"axis": axis}).outputs[0]


def aligned(tensor: Tensor, reduction: Operation) -> Tensor:
    """Return a tensor shaped like a reduction's result so that it broadcasts against its input.

    Nothing is added when it does already: the reduced axes were kept, or were the first ones.
    """
    source, axis = reduction.inputs[0], reduction.attrs["axis"]
    if reduction.attrs["keepdims"] or axis is None or axis == ():
        return tensor
    if source.dims is None:
        return broadcast_like(tensor, source, (axis,) if isinstance(axis, int) else axis)
    axes = normalize_axes(axis, len(source.dims))
    if axes == tuple(range(len(axes))):
        return tensor
    if not is_static(source.dims):
        return broadcast_like(tensor, source, axes)
    kept = tuple(1 if index in axes else size for index, size in enumerate(source.dims))
    return create_op("Reshape", [tensor], {"shape": kept}).outputs[0]


def spread_back(tensor: Tensor, reduction: Operation) -> Tensor:
    """Return a tensor shaped like a reduction's result, repeated to the shape of its input."""
    source = reduction.inputs[0]
    together = aligned(tensor, reduction)
    if not is_static(source.dims):
        return broadcast_like(tensor, source) if together is tensor else together
    if together.dims == source.dims:
        return together
    return create_op("BroadcastTo", [together], {"shape": source.dims}).outputs[0]
