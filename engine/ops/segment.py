"""Reductions of the rows of a tensor that carry the same segment id, in any order of the ids.

Rows with a negative id are dropped. The ids may have several axes: the leading ones of the data.
The ops that want the ids of one axis, sorted, stand in `engine.ops.sorted_segment`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.dtypes import DType
from engine.errors import DTypeError
from engine.graph import create_op, graph_of
from engine.opdef import OpDef, define
from engine.ops.arguments import as_tensor, shape_argument
from engine.ops.arithmetic import maximum, multiply, realdiv
from engine.ops.cast import cast
from engine.ops.comparison import equal
from engine.ops.elementary import sqrt
from engine.ops.fill import ones_like
from engine.ops.no_nan import divide_no_nan
from engine.ops.segment_product import other_products
from engine.ops.shape_ops import shape
from engine.registry import RegisterGradient
from engine.shapes import Dims, merge
from engine.tensor import Operation, Tensor


def data_type(data: DType, *ids: DType, **_attrs: Any) -> DType:
    """Return the element type of the data.

    Raises:
        DTypeError: the ids are no integers.
    """
    for dtype in ids:
        if not dtype.is_integer:
            raise DTypeError(f"segment ids must be integers; cast them first (got {dtype.name})")
    return data


def _segments(data: Dims, ids: Dims, *_runtime: Dims, num_segments: int | None) -> Dims:
    if data is None or ids is None:
        return None
    merge(data[: len(ids)], ids)
    return (num_segments, *data[len(ids) :])


def reduced_rows(function: np.ufunc, data: Any, ids: Any, count: int, empty: Any) -> Any:
    """Reduce the rows of each of `count` segments; a segment without rows is `empty`.

    Raises:
        ValueError: an id is `count` or more.
    """
    kept = np.asarray(ids) >= 0
    used = np.asarray(ids)[kept]
    if used.size and used.max() >= count:
        raise ValueError(f"segment id {used.max()} is not in [0, {count})")
    dtype = np.asarray(data).dtype
    start = function.identity if function.identity is not None else _start(function, dtype)
    rows = np.full((count, *np.shape(data)[np.ndim(ids) :]), start, dtype)
    function.at(rows, used, np.asarray(data)[kept])
    rows[np.bincount(used.ravel(), minlength=count) == 0] = empty
    return rows


def _start(extremum: np.ufunc, dtype: Any) -> Any:
    """Return what every number is larger, or smaller, than."""
    smallest = extremum is np.minimum
    if dtype.kind == "f":
        return np.inf if smallest else -np.inf
    return extreme_value(dtype, largest=smallest)


def extreme_value(dtype: Any, *, largest: bool) -> Any:
    """Return the largest or the smallest finite number of an element type."""
    limits = np.finfo(dtype) if np.dtype(dtype).kind == "f" else np.iinfo(dtype)
    return limits.max if largest else limits.min


def _kernel(function: np.ufunc, empty: Any) -> Any:
    def kernel(data: Any, ids: Any, *runtime: Any, num_segments: int | None) -> Any:
        count = int(runtime[0]) if num_segments is None else num_segments
        value = empty(np.asarray(data).dtype) if callable(empty) else empty
        return reduced_rows(function, data, ids, count, value)

    return kernel


_SEGMENTS: dict[str, Any] = {"num_segments": None}

_segment_sum = define(
    "UnsortedSegmentSum",
    kernel=_kernel(np.add, 0),
    shape=_segments,
    dtype=data_type,
    match=(0,),
    kinds="fciu",
    arity=None,
    attrs=_SEGMENTS,
    latex=r"\operatorname{segmentsum}(#1, #2)",
)


@RegisterGradient("UnsortedSegmentSum")
def _segment_sum_gradient(op: Operation, upstream: Tensor) -> list[Any]:
    return [gather_segments(upstream, op.inputs[1]), *(None for _ in op.inputs[1:])]


# Rows from segments, the reverse


def _gather_kernel(segments: Any, ids: Any) -> Any:
    kept = np.asarray(ids) >= 0
    found = np.zeros(np.shape(ids) + np.shape(segments)[1:], np.asarray(segments).dtype)
    found[kept] = segments[np.asarray(ids)[kept]]
    return found


gather_segments = define(
    "GatherSegments",
    kernel=_gather_kernel,
    shape=lambda segments, ids: None if segments is None or ids is None else (*ids, *segments[1:]),
    dtype=data_type,
    match=(0,),
    arity=2,
    latex=r"#1[#2]",
)


@RegisterGradient("GatherSegments")
def _gather_segments_gradient(op: Operation, upstream: Tensor) -> list[Any]:
    segments, ids = op.inputs
    return [lambda: sum_into_rows_of(segments, upstream, ids), None]


def sum_into_rows_of(like: Tensor, data: Tensor, ids: Tensor) -> Tensor:
    """Sum rows with equal ids; there are as many segments as rows of `like`."""
    if like.dims is not None and like.dims[0] is not None:
        count = {"num_segments": like.dims[0]}
        return create_op("UnsortedSegmentSum", [data, ids], count).outputs[0]
    return create_op("UnsortedSegmentSum", [data, ids, shape(like)[0]]).outputs[0]


# Extrema and products


def extremum_gradient(op: Operation, upstream: Tensor) -> list[Any]:
    """Return the upstream gradient where the extremum is, shared equally among ties."""
    data, ids = op.inputs[:2]
    reached = cast(equal(data, gather_segments(op.outputs[0], ids)), upstream.dtype)
    ties = gather_segments(sum_into_rows_of(op.outputs[0], reached, ids), ids)
    share = divide_no_nan(reached, ties)
    return [multiply(share, gather_segments(upstream, ids)), *(None for _ in op.inputs[1:])]


def product_gradient(op: Operation, upstream: Tensor) -> list[Any]:
    """Return the upstream gradient times the product of the other rows of the segment."""
    data, ids = op.inputs[:2]
    others = other_products(data, ids, op.outputs[0])
    return [multiply(others, gather_segments(upstream, ids)), *(None for _ in op.inputs[1:])]


_segment_max = define(
    "UnsortedSegmentMax",
    kernel=_kernel(np.maximum, lambda dtype: extreme_value(dtype, largest=False)),
    shape=_segments,
    dtype=data_type,
    match=(0,),
    kinds="fiu",
    arity=None,
    attrs=_SEGMENTS,
    latex=r"\operatorname{segmentmax}(#1, #2)",
    corner="rows that share the maximum share the gradient equally",
)
RegisterGradient("UnsortedSegmentMax")(extremum_gradient)

_segment_min = define(
    "UnsortedSegmentMin",
    kernel=_kernel(np.minimum, lambda dtype: extreme_value(dtype, largest=True)),
    shape=_segments,
    dtype=data_type,
    match=(0,),
    kinds="fiu",
    arity=None,
    attrs=_SEGMENTS,
    latex=r"\operatorname{segmentmin}(#1, #2)",
    corner="rows that share the minimum share the gradient equally",
)
RegisterGradient("UnsortedSegmentMin")(extremum_gradient)

_segment_prod = define(
    "UnsortedSegmentProd",
    kernel=_kernel(np.multiply, 1),
    shape=_segments,
    dtype=data_type,
    match=(0,),
    kinds="fciu",
    arity=None,
    attrs=_SEGMENTS,
    latex=r"\operatorname{segmentprod}(#1, #2)",
)
RegisterGradient("UnsortedSegmentProd")(product_gradient)


# The public functions


def _reduce(opdef: OpDef, data: Any, segment_ids: Any, num_segments: Any, name: Any) -> Tensor:
    known, runtime = shape_argument([num_segments])
    count = known[0] if known else None
    rest = [] if count is not None else [runtime[0][0]]
    result: Tensor = opdef(as_tensor(data), segment_ids, *rest, num_segments=count, name=name)
    return result


def unsorted_segment_sum(
    data: Any, segment_ids: Any, num_segments: Any, name: str | None = None
) -> Tensor:
    """Sum the rows of `data` that have equal ids; rows with a negative id are dropped.

    Args:
        data: [..., *row]; its leading axes are those of the ids.
        segment_ids: integers, below `num_segments`.
        num_segments: how many rows the result has.
        name: of the operation.

    Raises:
        ShapeError: the shape of the ids is not the beginning of the data's.
    """
    return _reduce(_segment_sum, data, segment_ids, num_segments, name)


def unsorted_segment_max(
    data: Any, segment_ids: Any, num_segments: Any, name: str | None = None
) -> Tensor:
    """Return the largest of the rows with equal ids; arguments as `unsorted_segment_sum`.

    A segment without rows has the smallest finite number.
    """
    return _reduce(_segment_max, data, segment_ids, num_segments, name)


def unsorted_segment_min(
    data: Any, segment_ids: Any, num_segments: Any, name: str | None = None
) -> Tensor:
    """Return the smallest of the rows with equal ids; arguments as `unsorted_segment_sum`.

    A segment without rows has the largest finite number.
    """
    return _reduce(_segment_min, data, segment_ids, num_segments, name)


def unsorted_segment_prod(
    data: Any, segment_ids: Any, num_segments: Any, name: str | None = None
) -> Tensor:
    """Multiply the rows with equal ids; arguments as `unsorted_segment_sum`."""
    return _reduce(_segment_prod, data, segment_ids, num_segments, name)


def unsorted_segment_mean(
    data: Any, segment_ids: Any, num_segments: Any, name: str = "UnsortedSegmentMean"
) -> Tensor:
    """Return the means of the rows with equal ids, 0 without rows."""
    with graph_of([data, segment_ids]).name_scope(name):
        sums = unsorted_segment_sum(data, segment_ids, num_segments)
        mean: Tensor = realdiv(sums, _row_counts(data, segment_ids, num_segments))
        return mean


def unsorted_segment_sqrt_n(
    data: Any, segment_ids: Any, num_segments: Any, name: str = "UnsortedSegmentSqrtN"
) -> Tensor:
    """Return the sums of the rows with equal ids over the root of their number, 0 without rows."""
    with graph_of([data, segment_ids]).name_scope(name):
        sums = unsorted_segment_sum(data, segment_ids, num_segments)
        scaled: Tensor = realdiv(sums, sqrt(_row_counts(data, segment_ids, num_segments)))
        return scaled


def _row_counts(data: Any, segment_ids: Any, num_segments: Any) -> Tensor:
    """Return how many rows each segment has, at least 1, shaped like the sums."""
    ones = ones_like(as_tensor(data))
    counts: Tensor = maximum(unsorted_segment_sum(ones, segment_ids, num_segments), 1)
    return counts
