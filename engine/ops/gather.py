"""Picking elements by index, and its reverse: adding elements where an index says."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from engine.dtypes import DType
from engine.errors import ArgumentError, DTypeError, ShapeError
from engine.indexed_slices import IndexedSlices
from engine.opdef import define
from engine.ops.arguments import as_tensor, shape_argument, static_int
from engine.ops.shape_ops import reshape, reshape_like, runtime_shape, shape, squeeze
from engine.registry import RegisterGradient
from engine.shapes import Dims, element_count, merge, normalize_axis, show
from engine.tensor import Operation, Tensor


def _data_type(data: DType, indices: DType, *_rest: DType, **_attrs: Any) -> DType:
    if not indices.is_integer:
        raise DTypeError(f"indices must be integers; cast them first (got {indices.name})")
    return data


def _check_range(indices: Any, size: int) -> None:
    if np.size(indices) and (np.min(indices) < 0 or np.max(indices) >= size):
        wrong = np.asarray(indices)[(indices < 0) | (indices >= size)].flat[0]
        raise ValueError(f"index {wrong} is not in [0, {size})")


# GatherV2 -----------------------------------------------------------------------------------------


def _gathered(params: Dims, indices: Dims, *, axis: int, batch_dims: int) -> Dims:
    if params is None or indices is None:
        return None
    place, batch = _places(len(params), len(indices), axis, batch_dims)
    merge(params[:batch], indices[:batch])
    return (*params[:place], *indices[batch:], *params[place + 1 :])


def _places(params_rank: int, indices_rank: int, axis: int, batch_dims: int) -> tuple[int, int]:
    """Return axis and batch_dims counted from the front."""
    place = normalize_axis(axis, params_rank) if params_rank else -1
    if place < 0:
        raise ShapeError("a scalar has no axis to gather from")
    batch = batch_dims + indices_rank if batch_dims < 0 else batch_dims
    if not 0 <= batch <= min(place, indices_rank):
        raise ShapeError(f"batch_dims {batch_dims} must lie between 0 and axis {place}")
    return place, batch


def _batched_index(indices: Any, batch: int) -> tuple[Any, ...]:
    """Return an index that pairs each index with its own batch entry."""
    grids = np.indices(np.shape(indices)[:batch], sparse=True)
    tail = (1,) * (np.ndim(indices) - batch)
    return (*(grid.reshape(grid.shape + tail) for grid in grids), indices)


def _gather_kernel(params: Any, indices: Any, *, axis: int, batch_dims: int) -> Any:
    place, batch = _places(np.ndim(params), np.ndim(indices), axis, batch_dims)
    _check_range(indices, np.shape(params)[place])
    if not batch:
        return np.take(params, indices, place)
    found = np.moveaxis(params, place, batch)[_batched_index(indices, batch)]
    last = np.ndim(indices)
    outer = place - batch
    return np.moveaxis(found, [last + k for k in range(outer)], [batch + k for k in range(outer)])


_gather = define(
    "GatherV2",
    kernel=_gather_kernel,
    shape=_gathered,
    dtype=_data_type,
    match=(0,),
    arity=2,
    attrs={"axis": 0, "batch_dims": 0},
    latex=r"#1[#2]",
)


@RegisterGradient("GatherV2")
def _gather_gradient(op: Operation, grad: Tensor) -> list[Any]:
    params, indices = op.inputs
    attrs = {"axis": op.attrs["axis"], "batch_dims": op.attrs["batch_dims"]}
    first = attrs["axis"] == 0 or (params.dims is not None and -attrs["axis"] == len(params.dims))
    if not first or attrs["batch_dims"]:
        return [_gather_gradient_op(grad, indices, params, **attrs), None]
    rows = element_count(indices.dims)
    if rows is None or params.dims is None or None in params.dims[1:]:
        values = _rows_like(grad, params)
    else:
        values = reshape(grad, (rows, *params.dims[1:]))
    flat = reshape(indices, (-1,))
    return [IndexedSlices(values, flat, shape(params)), None]


def gather(
    params: Any,
    indices: Any,
    validate_indices: Any = None,
    axis: Any = None,
    batch_dims: int = 0,
    name: str | None = None,
) -> Tensor:
    """Return the slices of `params` along an axis that the indices name.

    Args:
        params: the tensor to pick from.
        indices: integers of any shape, which takes the place of the axis.
        validate_indices: accepted as in TensorFlow; indices are always validated.
        axis: `batch_dims` by default.
        batch_dims: how many leading axes params and indices share.
        name: of the operation.

    Raises:
        ShapeError: the axis does not exist, or the shared axes differ.
    """
    batch = static_int(batch_dims, "batch_dims")
    place = batch if axis is None else static_int(axis, "axis")
    result: Tensor = _gather(params, indices, axis=place, batch_dims=batch, name=name)
    return result


def _rows_kernel(x: Any, like: Any) -> Any:
    row = np.shape(like)[1:]
    return np.reshape(x, (int(np.prod(np.shape(x)[: np.ndim(x) - len(row)])), *row))


_rows_like = define(
    "ReshapeRowsLike",
    kernel=_rows_kernel,
    shape=lambda _x, like: None if like is None else (None, *like[1:]),
    match=(0,),
    arity=2,
    latex=r"\operatorname{reshape}(#1)",
)


@RegisterGradient("ReshapeRowsLike")
def _rows_like_gradient(op: Operation, grad: Tensor) -> list[Any]:
    return [reshape_like(grad, op.inputs[0]), None]


def _spread_kernel(grad: Any, indices: Any, like: Any, *, axis: int, batch_dims: int) -> Any:
    place, batch = _places(np.ndim(like), np.ndim(indices), axis, batch_dims)
    whole = np.zeros(np.shape(like), np.asarray(grad).dtype)
    view = np.moveaxis(whole, place, batch)
    outer, count = place - batch, np.ndim(indices) - batch
    moved = np.moveaxis(
        grad,
        [batch + k for k in range(outer)],
        [batch + count + k for k in range(outer)],
    )
    np.add.at(view, _batched_index(indices, batch), moved)
    return whole


_gather_gradient_op = define(
    "GatherGrad",
    kernel=_spread_kernel,
    shape=lambda _grad, _indices, like, **_attrs: like,
    dtype=_data_type,
    match=(0,),
    arity=3,
    attrs={"axis": 0, "batch_dims": 0},
    latex=r"\operatorname{scatter}(#1, #2)",
)


@RegisterGradient("GatherGrad")
def _gather_gradient_gradient(op: Operation, grad: Tensor) -> list[Any]:
    attrs = {"axis": op.attrs["axis"], "batch_dims": op.attrs["batch_dims"]}
    return [_gather(grad, op.inputs[1], **attrs), None, None]


# GatherNd and ScatterNd ---------------------------------------------------------------------------


def _gathered_nd(params: Dims, indices: Dims) -> Dims:
    if params is None or indices is None or not indices or indices[-1] is None:
        return None
    depth = indices[-1]
    if depth > len(params):
        raise ShapeError(f"an index of length {depth} is too long for a shape {show(params)}")
    return (*indices[:-1], *params[depth:])


def nd_index(indices: Any, sizes: Sequence[int]) -> tuple[Any, ...]:
    index = tuple(np.moveaxis(indices, -1, 0))
    for part, size in zip(index, sizes, strict=False):
        _check_range(part, size)
    return index


def _gather_nd_kernel(params: Any, indices: Any) -> Any:
    if not np.shape(indices)[-1]:
        return np.broadcast_to(params, np.shape(indices)[:-1] + np.shape(params))
    return np.asarray(params)[nd_index(indices, np.shape(params))]


_gather_nd = define(
    "GatherNd",
    kernel=_gather_nd_kernel,
    shape=_gathered_nd,
    dtype=_data_type,
    match=(0,),
    arity=2,
    latex=r"#1[#2]",
)


@RegisterGradient("GatherNd")
def _gather_nd_gradient(op: Operation, grad: Tensor) -> list[Any]:
    params, indices = op.inputs
    if indices.dims is not None and len(indices.dims) == 2 and indices.dims[1] == 1:
        return [IndexedSlices(grad.as_tensor(), squeeze(indices, -1), shape(params)), None]
    return [scatter_nd(indices, grad, shape(params)), None]


def gather_nd(params: Any, indices: Any, batch_dims: int = 0, name: str | None = None) -> Tensor:
    """Return the elements or slices that the index vectors along the last axis name.

    Raises:
        ArgumentError: batch_dims is not 0.
        ShapeError: an index vector is longer than the rank of `params`.
    """
    if static_int(batch_dims, "batch_dims"):
        raise ArgumentError(f"gather_nd takes batch_dims 0 only (got {batch_dims}); use tf.gather")
    result: Tensor = _gather_nd(params, indices, name=name)
    return result


def _scattered_nd(indices: Dims, updates: Dims, *runtime: Dims, shape: Dims) -> Dims:
    target = runtime_shape(shape, runtime)
    if target is None or indices is None or updates is None or indices[-1] is None:
        return target
    try:
        merge(updates, (*indices[:-1], *target[indices[-1] :]))
    except ShapeError:
        raise ShapeError(f"the updates do not fit indices into a shape {show(target)}") from None
    return target


def _scatter_type(indices: DType, updates: DType, *_rest: DType, **_attrs: Any) -> DType:
    return _data_type(updates, indices)


def _scatter_nd_kernel(indices: Any, updates: Any, *runtime: Any, shape: Any) -> Any:
    target = tuple(runtime[0].tolist()) if runtime else shape
    whole = np.zeros(target, np.asarray(updates).dtype)
    if np.shape(indices)[-1]:
        np.add.at(whole, nd_index(indices, target), updates)
        return whole
    return whole + np.sum(updates, tuple(range(np.ndim(indices) - 1)))


_scatter_nd = define(
    "ScatterNd",
    kernel=_scatter_nd_kernel,
    shape=_scattered_nd,
    dtype=_scatter_type,
    match=(1,),
    arity=None,
    attrs={"shape": None},
    latex=r"\operatorname{scatter}(#1, #2)",
)


@RegisterGradient("ScatterNd")
def _scatter_nd_gradient(op: Operation, grad: Tensor) -> list[Any]:
    return [None, gather_nd(grad, op.inputs[0]), *(None for _ in op.inputs[2:])]


def scatter_nd(indices: Any, updates: Any, shape: Any, name: str | None = None) -> Tensor:
    """Add updates into zeros of a shape, where the index vectors along the last axis say."""
    known, runtime = shape_argument(shape)
    updates = as_tensor(updates) if runtime else updates
    result: Tensor = _scatter_nd(indices, updates, *runtime, shape=known, name=name)
    return result
