"""Tensors made from little: one value repeated, zeros, ones, identity matrices, sequences."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.convert import to_array, to_tensor
from engine.dtypes import DType, as_dtype, float32
from engine.errors import ArgumentError, ArgumentTypeError, DTypeError, ShapeError
from engine.graph import create_op, get_default_graph, graph_of
from engine.opdef import REQUIRED, define
from engine.ops.arguments import (
    as_tensor,
    as_tensors,
    holds_tensor,
    shape_argument,
    static_int,
    static_ints,
)
from engine.ops.shape_ops import expand_dims, runtime_shape
from engine.registry import NotDifferentiable, RegisterGradient
from engine.shapes import Dims, normalize_axis
from engine.tensor import Operation, Tensor

# Fill ---------------------------------------------------------------------------------------------


def _filled(value: Dims, *runtime: Dims, dims: Dims) -> Dims:
    if value not in (None, ()):
        raise ShapeError("the value to fill with must be a scalar")
    return runtime_shape(dims, runtime)


def _fill_kernel(value: Any, *runtime: Any, dims: Any) -> Any:
    array = np.asarray(value)
    return np.full(tuple(runtime[0].tolist()) if runtime else dims, array, array.dtype)


_fill = define(
    "Fill",
    kernel=_fill_kernel,
    shape=_filled,
    match=(0,),
    arity=None,
    attrs={"dims": None},
    latex=r"\operatorname{fill}(#1)",
)


@RegisterGradient("Fill")
def _fill_gradient(op: Operation, grad: Tensor) -> list[Any]:
    total = create_op("Sum", [grad]).outputs[0]
    return [total, *(None for _ in op.inputs[1:])]


def fill(dims: Any, value: Any, name: str | None = None) -> Tensor:
    """Return a tensor of shape `dims` with one scalar everywhere."""
    known, runtime = shape_argument(dims)
    result: Tensor = _fill(as_tensor(value), *runtime, dims=known, name=name)
    return result


def zeros(shape: Any, dtype: Any = float32, name: str | None = None) -> Tensor:
    """Return zeros."""
    return _constant_of(0, shape, dtype, name or "zeros")


def ones(shape: Any, dtype: Any = float32, name: str | None = None) -> Tensor:
    """Return ones."""
    return _constant_of(1, shape, dtype, name or "ones")


def _constant_of(number: int, shape: Any, dtype: Any, name: str) -> Tensor:
    known, runtime = shape_argument(shape)
    value = np.array(number, as_dtype(dtype).dtype)
    if runtime:
        result: Tensor = _fill(value, *runtime, dims=known, name=name)
        return result
    if any(size is None or size < 0 for size in known or ()):
        raise ArgumentError(f"a size cannot be negative (got {known})")
    return to_tensor(np.full(known or (), value), get_default_graph(), name=name)


# ZerosLike and OnesLike ---------------------------------------------------------------------------


def _like_type(source: DType, dtype: Any = None) -> DType:
    return source if dtype is None else as_dtype(dtype)


def _like_kernel(make: Any) -> Any:
    return lambda x, dtype: make(
        np.shape(x), np.asarray(x).dtype if dtype is None else as_dtype(dtype).dtype
    )


_zeros_like = define(
    "ZerosLike",
    kernel=_like_kernel(np.zeros),
    shape=lambda source, **_: source,
    dtype=_like_type,
    attrs={"dtype": None},
    latex=r"\mathbf{0}",
)
NotDifferentiable("ZerosLike")

_ones_like = define(
    "OnesLike",
    kernel=_like_kernel(np.ones),
    shape=lambda source, **_: source,
    dtype=_like_type,
    attrs={"dtype": None},
    latex=r"\mathbf{1}",
)
NotDifferentiable("OnesLike")


def zeros_like(
    input: Any, dtype: Any = None, name: str | None = None, optimize: bool = True
) -> Tensor:
    """Return zeros of the shape and, unless `dtype` is given, the type of a tensor."""
    kind = None if dtype is None else as_dtype(dtype).name
    result: Tensor = _zeros_like(input, dtype=kind, name=name or "zeros_like")
    return result


def stands_for_nothing(gradient: Tensor) -> bool:
    """Whether this is the zero gradient of an output that nothing depends on."""
    return gradient.op.type == "ZerosLike" and gradient.op.role == "zeros"


def ones_like(
    input: Any, dtype: Any = None, name: str | None = None, optimize: bool = True
) -> Tensor:
    """Return ones of the shape and, unless `dtype` is given, the type of a tensor."""
    kind = None if dtype is None else as_dtype(dtype).name
    result: Tensor = _ones_like(input, dtype=kind, name=name or "ones_like")
    return result


# OneHot -------------------------------------------------------------------------------------------


def _one_hot_shape(indices: Dims, on: Dims, off: Dims, *, depth: int, axis: int) -> Dims:
    if on not in (None, ()) or off not in (None, ()):
        raise ShapeError("on_value and off_value must be scalars")
    if indices is None:
        return None
    place = normalize_axis(axis, len(indices) + 1)
    return (*indices[:place], depth, *indices[place:])


def _one_hot_type(indices: DType, on: DType, _off: DType, **_attrs: Any) -> DType:
    if not indices.is_integer:
        raise DTypeError(f"OneHot needs integer indices; cast them first (got {indices.name})")
    return on


def _one_hot_kernel(indices: Any, on: Any, off: Any, *, depth: int, axis: int) -> Any:
    hot = np.expand_dims(indices, -1) == np.arange(depth)
    return np.moveaxis(np.where(hot, on, off), -1, axis)


define(
    "OneHot",
    kernel=_one_hot_kernel,
    shape=_one_hot_shape,
    dtype=_one_hot_type,
    match=(1, 2),
    arity=3,
    attrs={"depth": REQUIRED, "axis": -1},
    latex=r"\operatorname{onehot}(#1)",
)
NotDifferentiable("OneHot")


def one_hot(
    indices: Any,
    depth: Any,
    on_value: Any = None,
    off_value: Any = None,
    axis: int | None = None,
    dtype: Any = None,
    name: str | None = None,
) -> Tensor:
    """Return, for each index, a vector of length `depth` that is on there and off elsewhere.

    Args:
        indices: integers; one outside `[0, depth)` makes a vector of `off_value` alone.
        depth: length of the new axis.
        on_value: 1 by default.
        off_value: 0 by default.
        axis: where the new axis goes, last by default.
        dtype: by default that of `on_value` or `off_value`, else float32.
        name: of the operation.
    """
    given = [value for value in (on_value, off_value) if value is not None]
    kind = as_dtype(dtype) if dtype is not None else _type_of(given)
    place = -1 if axis is None else static_int(axis, "axis")
    attrs = {"depth": static_int(depth, "depth"), "axis": place}
    graph = graph_of([indices, on_value, off_value])
    places = to_tensor(indices, graph)
    with graph.name_scope(name or "one_hot") as scope:
        on = to_tensor(1 if on_value is None else on_value, graph, kind, name="on_value")
        off = to_tensor(0 if off_value is None else off_value, graph, kind, name="off_value")
        return graph.create_op("OneHot", [places, on, off], attrs, scope).outputs[0]


def _type_of(values: list[Any]) -> DType:
    tensor = next((value for value in values if holds_tensor(value)), None)
    if tensor is not None:
        return as_tensor(tensor).dtype
    return as_dtype(to_array(values[0]).dtype) if values else float32


# Identity matrices and sequences ------------------------------------------------------------------


def eye(
    num_rows: Any,
    num_columns: Any = None,
    batch_shape: Any = None,
    dtype: Any = float32,
    name: str | None = None,
) -> Tensor:
    """Return an identity matrix, or a batch of them."""
    rows = static_int(num_rows, "num_rows")
    columns = rows if num_columns is None else static_int(num_columns, "num_columns")
    matrix = np.eye(rows, columns, dtype=as_dtype(dtype).dtype)
    if batch_shape is not None:
        matrix = np.broadcast_to(matrix, (*static_ints(batch_shape, "batch_shape"), *matrix.shape))
    return to_tensor(matrix, get_default_graph(), name=name or "eye")


def _range_kernel(start: Any, limit: Any, delta: Any) -> Any:
    if not delta:
        raise ValueError("range needs a delta other than 0")
    return np.arange(start, limit, delta).astype(np.asarray(start).dtype)


_range = define(
    "Range",
    kernel=_range_kernel,
    shape=lambda *_scalars: (None,),
    kinds="fiu",
    arity=3,
    latex=r"(#1, #1 + #3, \ldots, #2)",
)
NotDifferentiable("Range")


def range(
    start: Any, limit: Any = None, delta: Any = 1, dtype: Any = None, name: str | None = None
) -> Tensor:
    """Return the numbers from `start` up to, not including, `limit` in steps of `delta`.

    With one argument, from 0 up to it.

    Raises:
        ArgumentError: delta is zero.
    """
    first, end = (0, start) if limit is None else (start, limit)
    if holds_tensor([first, end, delta]):
        result: Tensor = _range(*as_tensors([first, end, delta], dtype), name=name or "range")
        return result
    arrays = [to_array(value) for value in (first, end, delta)]
    if any(array.ndim or array.dtype.kind not in "iuf" for array in arrays):
        raise ArgumentTypeError(f"range takes numbers (got {first!r}, {end!r}, {delta!r})")
    if not arrays[2].any():
        raise ArgumentError("range needs a delta other than 0")
    # Unlike NumPy's rule, an int32 next to a float32 leaves it float32.
    widest = max((array.dtype for array in arrays), key=lambda d: (d.kind == "f", d.itemsize))
    kind = widest if dtype is None else as_dtype(dtype).dtype
    numbers = np.arange(*(array[()] for array in arrays)).astype(kind)
    return to_tensor(numbers, get_default_graph(), name=name or "range")


define(
    "LinSpace",
    kernel=lambda start, stop, *, num: np.linspace(start, stop, num, dtype=start.dtype),
    shape=lambda _start, _stop, *, num: (num,),
    kinds="f",
    arity=2,
    attrs={"num": REQUIRED},
    latex=r"(#1, \ldots, #2)",
)
NotDifferentiable("LinSpace")


def linspace(start: Any, stop: Any, num: Any, name: str | None = None, axis: int = 0) -> Tensor:
    """Return `num` evenly spaced numbers from `start` to `stop`, both included.

    Args:
        start: a float scalar or tensor.
        stop: likewise, of the same shape.
        num: how many, at least 1.
        name: of the last operation.
        axis: where the new axis goes.

    Raises:
        ArgumentError: fewer than one number.
    """
    count = static_int(num, "num")
    if count < 1:
        raise ArgumentError(f"linspace makes at least one number (got num={count})")
    first, last = as_tensors([start, stop])
    if first.dims is None:
        raise ArgumentError(f"linspace needs a start of known rank (got {first.name})")
    place = normalize_axis(axis, len(first.dims) + 1)
    steps = np.linspace(0, 1, count).astype(first.dtype.dtype)
    weights = steps.reshape([-1 if at == place else 1 for at, _ in enumerate((*first.dims, None))])
    span = create_op("Sub", [last, first]).outputs[0]
    scaled = create_op("Mul", [expand_dims(span, place), weights]).outputs[0]
    return create_op("AddV2", [expand_dims(first, place), scaled], name=name or "linspace").outputs[
        0
    ]
