"""Reductions of rows with the same segment id, when the ids of one axis are sorted; also of rows
that are picked first (sparse).

The result has as many rows as the last id says, known at run time only, or as many as an attribute
says. Sums may be divided by the number of rows, or by its root: that is a scaling of segments.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from engine.indexed_slices import IndexedSlices
from engine.opdef import OpDef, define
from engine.ops.arguments import as_tensor, static_int
from engine.ops.segment import (
    data_type,
    extremum_gradient,
    gather_segments,
    product_gradient,
    reduced_rows,
    sum_into_rows_of,
)
from engine.ops.shape_ops import shape
from engine.registry import RegisterGradient
from engine.shapes import Dims, merge
from engine.tensor import Operation, Tensor


def _segments(data: Dims, ids: Dims) -> Dims:
    merge(ids, (None,))
    if data is None:
        return None
    merge(data[:1], ids)
    return (None, *data[1:])


def _check(ids: Any) -> None:
    if np.any(ids[1:] < ids[:-1]):
        raise ValueError("segment ids must be sorted; use unsorted_segment_sum and the like")
    if np.size(ids) and ids[0] < 0:
        raise ValueError(f"segment ids must not be negative (got {ids[0]})")


def _count(ids: Any) -> int:
    return int(ids[-1]) + 1 if np.size(ids) else 0


def _kernel(function: np.ufunc, empty: Any = 0, power: float = 0) -> Callable[..., Any]:
    def kernel(data: Any, ids: Any) -> Any:
        _check(ids)
        rows = reduced_rows(function, data, ids, _count(ids), empty)
        return _scale(rows, ids, power=power)

    return kernel


# Scaling of segments


def _scale(segments: Any, ids: Any, *, power: float) -> Any:
    if not power:
        return segments
    counts = np.maximum(np.bincount(ids, minlength=len(segments)), 1) ** float(power)
    column = counts.reshape(-1, *(1,) * (np.ndim(segments) - 1))
    return np.divide(segments, column).astype(segments.dtype)


segment_scale = define(
    "SegmentScale",
    kernel=_scale,
    shape=lambda segments, _ids, *, power: segments,
    dtype=data_type,
    match=(0,),
    kinds="fc",
    arity=2,
    attrs={"power": 1},
    latex=r"#1 / n(#2)^p",
)


@RegisterGradient("SegmentScale")
def _segment_scale_gradient(op: Operation, upstream: Tensor) -> list[Any]:
    return [segment_scale(upstream, op.inputs[1], power=op.attrs["power"]), None]


# Sorted ids


def _define(op_type: str, kernel: Callable[..., Any], **fields: Any) -> OpDef:
    word = op_type.removeprefix("Segment").lower()
    return define(
        op_type,
        kernel=kernel,
        shape=_segments,
        dtype=data_type,
        match=(0,),
        arity=2,
        latex=rf"\operatorname{{segment{word}}}(#1, #2)",
        **fields,
    )


segment_sum = _define("SegmentSum", _kernel(np.add), kinds="fciu")


@RegisterGradient("SegmentSum")
def _segment_sum_gradient(op: Operation, upstream: Tensor) -> list[Any]:
    return [gather_segments(upstream, op.inputs[1]), None]


segment_mean = _define("SegmentMean", _kernel(np.add, power=1), kinds="fciu")


@RegisterGradient("SegmentMean")
def _segment_mean_gradient(op: Operation, upstream: Tensor) -> list[Any]:
    ids = op.inputs[1]
    return [gather_segments(segment_scale(upstream, ids), ids), None]


segment_max = _define(
    "SegmentMax",
    _kernel(np.maximum),
    kinds="fiu",
    corner="rows that share the maximum share the gradient equally",
)
RegisterGradient("SegmentMax")(extremum_gradient)

segment_min = _define(
    "SegmentMin",
    _kernel(np.minimum),
    kinds="fiu",
    corner="rows that share the minimum share the gradient equally",
)
RegisterGradient("SegmentMin")(extremum_gradient)

segment_prod = _define("SegmentProd", _kernel(np.multiply, 1), kinds="fciu")
RegisterGradient("SegmentProd")(product_gradient)


# Sparse: rows picked by index


def _sparse_segments(
    data: Dims, indices: Dims, ids: Dims, *, num_segments: int | None = None, **_attrs: Any
) -> Dims:
    merge(merge(indices, ids), (None,))
    return None if data is None else (num_segments, *data[1:])


def _sparse_kernel(power: float) -> Callable[..., Any]:
    def kernel(
        data: Any,
        indices: Any,
        ids: Any,
        *,
        num_segments: int | None = None,
        sparse_gradient: bool = False,
    ) -> Any:
        _check(ids)
        if np.size(indices) and not 0 <= np.min(indices) <= np.max(indices) < len(data):
            raise ValueError(f"the indices must lie in [0, {len(data)})")
        count = _count(ids) if num_segments is None else num_segments
        rows = reduced_rows(np.add, np.take(data, indices, 0), ids, count, 0)
        return _scale(rows, ids, power=power)

    return kernel


def _sparse_gradient(power: float) -> Callable[..., Any]:
    def gradient(op: Operation, upstream: Tensor) -> list[Any]:
        """Return the (scaled) upstream gradient of each picked row, added up where it came from."""
        data, indices, ids = op.inputs
        scaled = segment_scale(upstream, ids, power=power) if power else upstream
        rows = gather_segments(scaled, ids)
        if op.attrs["sparse_gradient"]:
            return [IndexedSlices(rows, indices, shape(data)), None, None]
        return [sum_into_rows_of(data, rows, indices), None, None]

    return gradient


def _define_sparse(kind: str, power: float) -> tuple[OpDef, OpDef]:
    """Define a sparse reduction twice: of as many rows as the ids say, and of a given number."""
    found = []
    for suffix, attrs in (("", {}), ("WithNumSegments", {"num_segments": None})):
        op_type = f"SparseSegment{kind}{suffix}"
        opdef = define(
            op_type,
            kernel=_sparse_kernel(power),
            shape=_sparse_segments,
            dtype=data_type,
            match=(0,),
            kinds="fc",
            arity=3,
            attrs={**attrs, "sparse_gradient": False},
            latex=rf"\operatorname{{segment{kind.lower()}}}(#1[#2], #3)",
        )
        RegisterGradient(op_type)(_sparse_gradient(power))
        found.append(opdef)
    return found[0], found[1]


_SPARSE_SUM = _define_sparse("Sum", 0)
_SPARSE_MEAN = _define_sparse("Mean", 1)
_SPARSE_SQRT_N = _define_sparse("SqrtN", 0.5)


def _sparse(
    pair: tuple[OpDef, OpDef],
    arguments: tuple[Any, Any, Any],
    num_segments: Any,
    sparse_gradient: bool,
    name: str | None,
) -> Tensor:
    data, indices, ids = arguments
    attrs: dict[str, Any] = {"sparse_gradient": bool(sparse_gradient)}
    if num_segments is not None:
        attrs["num_segments"] = static_int(num_segments, "num_segments")
    opdef = pair[0] if num_segments is None else pair[1]
    result: Tensor = opdef(as_tensor(data), indices, ids, name=name, **attrs)
    return result


def sparse_segment_sum(
    data: Any,
    indices: Any,
    segment_ids: Any,
    name: str | None = None,
    num_segments: Any = None,
    sparse_gradient: bool = False,
) -> Tensor:
    """Sum the rows of `data` that the indices pick, by segment.

    Args:
        data: [rows, *row].
        indices: [n] integers, which rows to pick.
        segment_ids: [n] integers, sorted: the segment of each picked row.
        name: of the operation.
        num_segments: how many rows the result has; by default one more than the last id.
        sparse_gradient: whether the gradient comes as IndexedSlices.
    """
    arguments = (data, indices, segment_ids)
    return _sparse(_SPARSE_SUM, arguments, num_segments, sparse_gradient, name)


def sparse_segment_mean(
    data: Any,
    indices: Any,
    segment_ids: Any,
    name: str | None = None,
    num_segments: Any = None,
    sparse_gradient: bool = False,
) -> Tensor:
    """Return the means of the picked rows, by segment; arguments as `sparse_segment_sum`."""
    arguments = (data, indices, segment_ids)
    return _sparse(_SPARSE_MEAN, arguments, num_segments, sparse_gradient, name)


def sparse_segment_sqrt_n(
    data: Any,
    indices: Any,
    segment_ids: Any,
    name: str | None = None,
    num_segments: Any = None,
    sparse_gradient: bool = False,
) -> Tensor:
    """Return the sums of the picked rows over the root of their number, by segment."""
    arguments = (data, indices, segment_ids)
    return _sparse(_SPARSE_SQRT_N, arguments, num_segments, sparse_gradient, name)
