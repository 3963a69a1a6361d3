"""The product of the other rows of a segment, without dividing.

With the rows sorted by segment, the product of the rows before a row is a linear recurrence that
starts anew with each segment, and so is the product of those after it. Nothing is divided by, so
the derivatives are right at zeros, at any order.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.dtypes import DType, bool_, int64
from engine.graph import create_op
from engine.opdef import define
from engine.ops.arithmetic import multiply
from engine.ops.cast import cast
from engine.ops.comparison import select_v2
from engine.ops.complex_parts import conj
from engine.ops.scan import linear_scan, shift
from engine.ops.shape_ops import reshape, reshape_like
from engine.registry import NotDifferentiable
from engine.shapes import Dims
from engine.tensor import Tensor

segment_order = define(
    "SegmentOrder",
    kernel=lambda ids: np.argsort(ids, kind="stable"),
    shape=lambda ids: ids,
    dtype=lambda _ids: int64,
    kinds="iu",
    latex=r"\operatorname{argsort}(#1)",
)
NotDifferentiable("SegmentOrder")


def _boundary(ids: Any, like: Any, *, last: bool) -> Any:
    found = np.ones(np.shape(ids), np.bool_)
    inner = slice(None, -1) if last else slice(1, None)
    found[inner] = ids[1:] != ids[:-1]
    column = found.reshape(-1, *(1,) * (np.ndim(like) - 1))
    return np.broadcast_to(column, np.shape(like))


def _like(_ids: Dims, like: Dims, *, last: bool) -> Dims:
    return like


def _bool(_ids: DType, _like: DType, *, last: bool) -> DType:
    return bool_


segment_boundary = define(
    "SegmentBoundary",
    kernel=_boundary,
    shape=_like,
    dtype=_bool,
    match=(0,),
    kinds="iu",
    arity=2,
    attrs={"last": False},
    latex=r"#1_i \ne #1_{i \mp 1}",
)
NotDifferentiable("SegmentBoundary")


def other_products(data: Tensor, ids: Tensor, segments: Tensor) -> Tensor:
    """Return, for each row of `data`, the product of the other rows with its id.

    Args:
        data: [..., *row]; of complex numbers, the conjugates are multiplied.
        ids: integers, shaped like the leading axes of the data.
        segments: [segments, *row]; only its shape counts.
    """
    flat_ids = reshape(ids, (-1,))
    rows = create_op("ReshapeRowsLike", [conj(data), segments]).outputs[0]
    order = segment_order(flat_ids)
    sorted_ids, sorted_rows = _picked(flat_ids, order), _picked(rows, order)
    before = _running(sorted_rows, sorted_ids, last=False)
    after = _running(sorted_rows, sorted_ids, last=True)
    products = _picked(multiply(before, after), segment_order(order))
    return reshape_like(products, data)


def _picked(rows: Tensor, order: Tensor) -> Tensor:
    return create_op("GatherSegments", [rows, order]).outputs[0]


def _running(rows: Tensor, ids: Tensor, *, last: bool) -> Tensor:
    """Return the products of the rows before each row, or of those after it, in its segment."""
    edge = segment_boundary(ids, rows, last=last)
    neighbour = shift(rows, axis=0, offset=-1 if last else 1)
    factors = select_v2(edge, 0, neighbour)
    product: Tensor = linear_scan(factors, cast(edge, rows.dtype), axis=0, reverse=last)
    return product
