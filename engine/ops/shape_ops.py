"""Ops that change or read the shape of a tensor and nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from engine.dtypes import DType, as_dtype
from engine.elementwise import sum_to_shape_of
from engine.errors import ArgumentError, ShapeError
from engine.opdef import REQUIRED, define
from engine.ops.arguments import as_tensor, shape_argument, static_ints
from engine.registry import NotDifferentiable, RegisterGradient
from engine.shapes import (
    Dims,
    broadcast,
    element_count,
    is_static,
    merge,
    normalize_axes,
    normalize_axis,
    show,
)
from engine.tensor import Operation, Tensor


def runtime_shape(known: Dims, inputs: Sequence[Dims]) -> Dims:
    """Return what is statically known of a shape given as attribute and, perhaps, as an input.

    Args:
        known: the attribute, None where only the input has the size.
        inputs: the dims of the shape input, if there is one.
    """
    if known is None and inputs and inputs[0] is not None and inputs[0][0] is not None:
        return (None,) * inputs[0][0]
    return known


# Reshape ------------------------------------------------------------------------------------------


def _reshaped(source: Dims, *runtime: Dims, shape: Dims) -> Dims:
    target = runtime_shape(shape, runtime)
    if target is None:
        return None
    if sum(size == -1 for size in target) > 1:
        raise ShapeError(f"only one size of {target} may be -1")
    if None in target:
        return tuple(None if size is None or size < 0 else size for size in target)
    sizes = [size for size in target if size is not None and size != -1]
    product = element_count(tuple(sizes)) or 0
    count = element_count(source)
    if -1 not in target:
        if count is not None and count != product:
            raise ShapeError(f"{count} elements do not fill the shape {target}")
        return target
    if count is None:
        return tuple(None if size == -1 else size for size in target)
    if not product or count % product:
        raise ShapeError(f"the -1 in {target} cannot be found for {count} elements")
    return tuple(count // product if size == -1 else size for size in target)


def _reshape_kernel(x: Any, *runtime: Any, shape: Any) -> Any:
    return np.reshape(x, tuple(runtime[0].tolist()) if runtime else shape)


_reshape = define(
    "Reshape",
    kernel=_reshape_kernel,
    shape=_reshaped,
    match=(0,),
    arity=None,
    attrs={"shape": None},
    latex=r"\operatorname{reshape}(#1)",
)


@RegisterGradient("Reshape")
def _reshape_gradient(op: Operation, grad: Tensor) -> list[Any]:
    return [reshape_like(grad, op.inputs[0]), *(None for _ in op.inputs[1:])]


def reshape(tensor: Any, shape: Any, name: str | None = None) -> Tensor:
    """Return the same elements in another shape; one size may be -1.

    Raises:
        ShapeError: the elements do not fill the shape.
    """
    known, runtime = shape_argument(shape)
    result: Tensor = _reshape(tensor, *runtime, shape=known, name=name)
    return result


def _like(source: Dims, like: Dims) -> Dims:
    have, want = element_count(source), element_count(like)
    if have is not None and want is not None and have != want:
        raise ShapeError(f"{have} elements do not fill the shape {show(like)}")
    return like


_reshape_to_like = define(
    "ReshapeLike",
    kernel=lambda x, like: np.reshape(x, np.shape(like)),
    shape=_like,
    match=(0,),
    arity=2,
    latex=r"\operatorname{reshape}(#1)",
)


@RegisterGradient("ReshapeLike")
def _reshape_like_gradient(op: Operation, grad: Tensor) -> list[Any]:
    return [reshape_like(grad, op.inputs[0]), None]


def reshape_like(tensor: Any, like: Tensor) -> Tensor:
    """Reshape a tensor to the shape of another one, static or not."""
    result: Tensor = (
        _reshape(tensor, shape=like.dims)
        if is_static(like.dims)
        else _reshape_to_like(tensor, like)
    )
    return result


# ExpandDims and Squeeze ---------------------------------------------------------------------------


def _expanded(source: Dims, *, axis: int) -> Dims:
    if source is None:
        return None
    place = normalize_axis(axis, len(source) + 1)
    return (*source[:place], 1, *source[place:])


_expand_dims = define(
    "ExpandDims",
    kernel=lambda x, *, axis: np.expand_dims(x, axis),
    shape=_expanded,
    attrs={"axis": REQUIRED},
    latex=r"\operatorname{expand}(#1)",
)


@RegisterGradient("ExpandDims")
def _expand_dims_gradient(op: Operation, grad: Tensor) -> Tensor:
    return reshape_like(grad, op.inputs[0])


def expand_dims(input: Any, axis: Any = None, name: str | None = None, dim: Any = None) -> Tensor:
    """Insert an axis of size 1.

    Args:
        input: a tensor.
        axis: where the new axis will be; -1 is the last.
        name: of the operation.
        dim: the name that TensorFlow 1 gives to `axis`.
    """
    chosen = static_ints(axis if dim is None else dim, "axis")
    if len(chosen) != 1:
        raise ArgumentError(f"expand_dims inserts one axis (got {chosen})")
    result: Tensor = _expand_dims(input, axis=chosen[0], name=name)
    return result


def _squeezed(source: Dims, *, axis: tuple[int, ...]) -> Dims:
    if source is None:
        return None
    if axis:
        drop = normalize_axes(axis, len(source))
        for place in drop:
            if source[place] not in (1, None):
                raise ShapeError(f"axis {place} has size {source[place]}, only size 1 can go")
        return tuple(size for place, size in enumerate(source) if place not in drop)
    return tuple(size for size in source if size != 1) if None not in source else None


_squeeze = define(
    "Squeeze",
    kernel=lambda x, *, axis: np.squeeze(x, axis or None),
    shape=_squeezed,
    attrs={"axis": ()},
    latex=r"\operatorname{squeeze}(#1)",
)


@RegisterGradient("Squeeze")
def _squeeze_gradient(op: Operation, grad: Tensor) -> Tensor:
    return reshape_like(grad, op.inputs[0])


def squeeze(
    input: Any, axis: Any = None, name: str | None = None, squeeze_dims: Any = None
) -> Tensor:
    """Remove axes of size 1, all of them or the named ones."""
    chosen = axis if squeeze_dims is None else squeeze_dims
    axes = () if chosen is None else static_ints(chosen, "axis")
    result: Tensor = _squeeze(input, axis=axes, name=name)
    return result


# Shape, Size, Rank --------------------------------------------------------------------------------


def _out_type(*_dtypes: DType, out_type: Any = "int32") -> DType:
    return as_dtype(out_type)


_shape = define(
    "Shape",
    kernel=lambda x, *, out_type: np.array(np.shape(x), as_dtype(out_type).dtype),
    shape=lambda source, **_: (None if source is None else len(source),),
    dtype=_out_type,
    attrs={"out_type": "int32"},
    latex=r"\operatorname{shape}(#1)",
)
NotDifferentiable("Shape")


def shape(input: Any, out_type: Any = "int32", name: str | None = None) -> Tensor:
    """Return the run-time shape as a vector of integers."""
    result: Tensor = _shape(input, out_type=as_dtype(out_type).name, name=name)
    return result


_size = define(
    "Size",
    kernel=lambda x, *, out_type: np.array(np.size(x), as_dtype(out_type).dtype),
    shape=lambda _source, **_: (),
    dtype=_out_type,
    attrs={"out_type": "int32"},
    latex=r"\operatorname{size}(#1)",
)
NotDifferentiable("Size")


def size(input: Any, out_type: Any = "int32", name: str | None = None) -> Tensor:
    """Return the number of elements as an integer scalar."""
    result: Tensor = _size(input, out_type=as_dtype(out_type).name, name=name)
    return result


rank = define(
    "Rank",
    kernel=lambda x: np.array(np.ndim(x), np.int32),
    shape=lambda _source: (),
    dtype=_out_type,
    latex=r"\operatorname{rank}(#1)",
)
NotDifferentiable("Rank")


# BroadcastTo --------------------------------------------------------------------------------------


def _broadcasted(source: Dims, *runtime: Dims, shape: Dims) -> Dims:
    target = runtime_shape(shape, runtime)
    if source is None or target is None:
        return target
    try:
        if len(source) > len(target):
            raise ShapeError("it has fewer axes")
        together = broadcast(source, target)
        return merge(together, target) if None not in target else together
    except ShapeError:
        raise ShapeError(f"cannot broadcast {show(source)} to {show(target)}") from None


def _broadcast_kernel(x: Any, *runtime: Any, shape: Any) -> Any:
    return np.broadcast_to(x, tuple(runtime[0].tolist()) if runtime else shape)


_broadcast_to = define(
    "BroadcastTo",
    kernel=_broadcast_kernel,
    shape=_broadcasted,
    match=(0,),
    arity=None,
    attrs={"shape": None},
    latex=r"\operatorname{broadcast}(#1)",
)


@RegisterGradient("BroadcastTo")
def _broadcast_to_gradient(op: Operation, grad: Tensor) -> list[Any]:
    return [sum_to_shape_of(grad, op.inputs[0]), *(None for _ in op.inputs[1:])]


def broadcast_to(input: Any, shape: Any, name: str | None = None) -> Tensor:
    """Repeat a tensor along missing axes and axes of size 1.

    Raises:
        ShapeError: it cannot be broadcast to this shape.
    """
    known, runtime = shape_argument(shape)
    result: Tensor = _broadcast_to(as_tensor(input), *runtime, shape=known, name=name)
    return result
