"""Ops that put entries in order: the largest ones, the n-th one, the distinct ones."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.dtypes import DType, as_dtype, int32
from engine.errors import ArgumentError, ShapeError
from engine.graph import create_op
from engine.opdef import REQUIRED, define
from engine.ops.arguments import as_tensor, static_int
from engine.ops.arithmetic import multiply, realdiv
from engine.ops.cast import cast
from engine.ops.comparison import equal
from engine.ops.reduction import sum_op
from engine.ops.shape_ops import expand_dims
from engine.registry import RegisterGradient
from engine.shapes import Dims
from engine.tensor import Operation, Tensor

# TopKV2


def _last_size(source: Dims, what: str) -> int | None:
    """Return the size of the last axis.

    Raises:
        ShapeError: there is none.
    """
    if source is None:
        return None
    if not source:
        raise ShapeError(f"a scalar has no axis to take {what} from")
    return source[-1]


def _top_shape(source: Dims, *, k: int, sorted: bool) -> tuple[Dims, Dims]:
    size = _last_size(source, "the largest entries")
    if k < 0 or (size is not None and k > size):
        raise ShapeError(f"k must lie between 0 and the size of the last axis (k is {k})")
    dims = None if source is None else (*source[:-1], k)
    return dims, dims


def _top_kernel(x: Any, *, k: int, sorted: bool) -> tuple[Any, Any]:
    last = np.shape(x)[-1] - 1
    if k > last + 1:
        raise ValueError(f"there are no {k} entries along an axis of size {last + 1}")
    # Sorted backwards twice, so that of equal entries the first one comes first.
    order = last - np.argsort(x[..., ::-1], -1, kind="stable")[..., ::-1]
    chosen = order[..., :k]
    return np.take_along_axis(x, chosen, -1), chosen.astype(np.int32)


_top_k = define(
    "TopKV2",
    kernel=_top_kernel,
    shape=_top_shape,
    dtype=lambda x, *, k, sorted: (x, int32),
    kinds="fiu",
    outputs=2,
    attrs={"k": REQUIRED, "sorted": True},
    latex=r"\operatorname{top}_k(#1)",
    corner="of equal entries the first one counts as larger, and gets the gradient",
)


@RegisterGradient("TopKV2")
def _top_k_gradient(op: Operation, upstream: Tensor, _places: Any) -> Tensor:
    """Return the upstream gradient, put back where the entries came from."""
    attrs = {"axis": -1, "batch_dims": -1}
    return create_op("GatherGrad", [upstream, op.outputs[1], op.inputs[0]], attrs).outputs[0]


def top_k(
    input: Any, k: Any = 1, sorted: bool = True, name: str | None = None
) -> tuple[Tensor, Tensor]:
    """Return the k largest entries along the last axis, the largest first, and their places.

    Raises:
        ShapeError: there are fewer than k entries.
    """
    values, places = _top_k(as_tensor(input), k=static_int(k, "k"), sorted=bool(sorted), name=name)
    return values, places


# NthElement


def _nth_shape(source: Dims, *, n: int, reverse: bool) -> Dims:
    size = _last_size(source, "an entry")
    if n < 0 or (size is not None and n >= size):
        raise ShapeError(f"n must be below the size of the last axis (n is {n})")
    return None if source is None else source[:-1]


def _nth_kernel(x: Any, *, n: int, reverse: bool) -> Any:
    size = np.shape(x)[-1]
    if n >= size:
        raise ValueError(f"there is no entry {n} along an axis of size {size}")
    place = size - 1 - n if reverse else n
    return np.partition(x, place, -1)[..., place]


_nth_element = define(
    "NthElement",
    kernel=_nth_kernel,
    shape=_nth_shape,
    kinds="fiu",
    attrs={"n": REQUIRED, "reverse": False},
    latex=r"\operatorname{nth}_n(#1)",
    corner="entries equal to the n-th share the gradient equally",
)


@RegisterGradient("NthElement")
def _nth_element_gradient(op: Operation, upstream: Tensor) -> Tensor:
    """Return the upstream gradient where the n-th entry is, shared equally among ties."""
    reached = cast(equal(op.inputs[0], expand_dims(op.outputs[0], -1)), upstream.dtype)
    share = realdiv(reached, sum_op(reached, axis=(-1,), keepdims=True))
    gradient: Tensor = multiply(share, expand_dims(upstream, -1))
    return gradient


def nth_element(input: Any, n: Any, reverse: bool = False, name: str | None = None) -> Tensor:
    """Return the n-th smallest entry along the last axis, counted from 0; with reverse, largest.

    Raises:
        ShapeError: there is no n-th entry.
    """
    result: Tensor = _nth_element(
        as_tensor(input), n=static_int(n, "n"), reverse=bool(reverse), name=name
    )
    return result


# Unique: TensorFlow registers no gradient for it, so asking for one is an error


def _unique_shape(source: Dims, *, out_idx: Any) -> tuple[Dims, Dims]:
    if source is not None and len(source) != 1:
        raise ShapeError("the distinct entries are taken of a vector")
    return (None,), source or (None,)


def _unique_kernel(x: Any, *, out_idx: Any) -> tuple[Any, Any]:
    _, first, inverse = np.unique(x, return_index=True, return_inverse=True)
    order = np.argsort(first)
    rank = np.empty_like(order)
    rank[order] = np.arange(len(order))
    return x[first[order]], rank[inverse].astype(as_dtype(out_idx).dtype)


def _unique_type(x: DType, *, out_idx: Any) -> tuple[DType, DType]:
    return x, as_dtype(out_idx)


_unique = define(
    "Unique",
    kernel=_unique_kernel,
    shape=_unique_shape,
    dtype=_unique_type,
    outputs=2,
    attrs={"out_idx": "int32"},
    latex=r"\operatorname{unique}(#1)",
)


def unique(x: Any, out_idx: Any = "int32", name: str | None = None) -> tuple[Tensor, Tensor]:
    """Return the distinct entries of a vector in order of appearance, and where each entry went.

    Raises:
        ArgumentError: `out_idx` is neither int32 nor int64.
    """
    dtype = as_dtype(out_idx)
    if dtype.name not in ("int32", "int64"):
        raise ArgumentError(f"out_idx must be int32 or int64 (got {dtype.name})")
    entries, places = _unique(as_tensor(x), out_idx=dtype.name, name=name)
    return entries, places
