"""Lengths and cross products of vectors."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from engine.errors import ArgumentError, ShapeError
from engine.graph import graph_of
from engine.opdef import OpDef, define
from engine.ops.arguments import as_tensor, static_int, static_ints
from engine.ops.arithmetic import abs as absolute
from engine.ops.arithmetic import multiply, pow, realdiv
from engine.ops.complex_parts import conj
from engine.ops.elementary import sqrt
from engine.ops.reduce import reduce_max, reduce_sum
from engine.ops.reduction import reduced_dims
from engine.ops.shape_ops import squeeze
from engine.ops.unreduce import aligned
from engine.registry import RegisterGradient
from engine.shapes import Dims, merge, show
from engine.tensor import Operation, Tensor

# EuclideanNorm


def _length(x: Any, *, axis: Any, keepdims: Any) -> Any:
    squares = (x * np.conj(x)).astype(x.dtype)
    return np.sqrt(np.add.reduce(squares, axis=axis, dtype=x.dtype, keepdims=keepdims))


_euclidean_norm = define(
    "EuclideanNorm",
    kernel=_length,
    shape=reduced_dims,
    kinds="fc",
    attrs={"axis": None, "keepdims": False},
    latex=r"\lVert #1 \rVert",
    corner="at the zero vector the derivative is nan",
)


@RegisterGradient("EuclideanNorm")
def _euclidean_norm_gradient(op: Operation, upstream: Tensor) -> Tensor:
    """Return the upstream gradient times the unit vector x / z."""
    direction = realdiv(op.inputs[0], aligned(op.outputs[0], op))
    gradient: Tensor = multiply(aligned(upstream, op), direction)
    return gradient


def reduce_euclidean_norm(
    input_tensor: Any, axis: Any = None, keepdims: bool = False, name: str | None = None
) -> Tensor:
    """Return the Euclidean lengths along axes; along all of them when axis is None."""
    axes = None if axis is None else static_ints(axis, "axis")
    length: Tensor = _euclidean_norm(
        as_tensor(input_tensor), axis=axes, keepdims=bool(keepdims), name=name
    )
    return length


# Norms composed of other ops

_EUCLIDEAN: tuple[Any, ...] = ("euclidean", 2)


def norm(
    tensor: Any,
    ord: Any = "euclidean",
    axis: Any = None,
    keepdims: bool | None = None,
    name: str | None = None,
    keep_dims: bool | None = None,
) -> Tensor:
    """Return norms of vectors or, when `axis` names two axes, of matrices.

    Args:
        tensor: the vectors or matrices.
        ord: "euclidean" or a positive number, also infinity; of matrices "euclidean", "fro", 1 or
            infinity.
        axis: the axis of the vectors; None takes all entries for one vector.
        keepdims: whether reduced axes stay, with size 1.
        name: of the scope.
        keep_dims: version 1's name of keepdims.

    Raises:
        ArgumentError: there is no such norm.
    """
    matrix = isinstance(axis, list | tuple) and len(axis) == 2
    _check_order(ord, matrix=matrix)
    if matrix:
        axes: tuple[int, ...] | None = static_ints(axis, "axis")
    else:
        axes = None if axis is None else (static_int(axis, "axis"),)
    with graph_of([tensor]).name_scope(name or "norm"):
        result = _NORMS[matrix](as_tensor(tensor), ord, axes)
        return result if keepdims or keep_dims else squeeze(result, axes)


def _check_order(order: Any, *, matrix: bool) -> None:
    if matrix:
        known = order in ("euclidean", "fro", 1, np.inf)
        expected = "'euclidean', 'fro', 1 or infinity"
    else:
        known = order == "euclidean" or (not isinstance(order, str) and order > 0)
        expected = "'euclidean' or a positive number"
    if not known:
        kind = "matrix" if matrix else "vector"
        raise ArgumentError(f"the order of a {kind} norm is {expected} (got {order!r})")


def _vector_norm(x: Tensor, order: Any, axes: tuple[int, ...] | None) -> Tensor:
    if order in _EUCLIDEAN:
        return _frobenius_norm(x, axes)
    sizes = absolute(x)
    if order == 1:
        return reduce_sum(sizes, axes, keepdims=True)
    if order == np.inf:
        return reduce_max(sizes, axes, keepdims=True)
    powers = reduce_sum(pow(sizes, order), axes, keepdims=True)
    root: Tensor = pow(powers, 1.0 / order)
    return root


def _matrix_norm(x: Tensor, order: Any, axes: tuple[int, ...] | None) -> Tensor:
    assert axes is not None
    if order in ("euclidean", "fro"):
        return _frobenius_norm(x, axes)
    rows, columns = axes
    summed, compared = (rows, columns) if order == 1 else (columns, rows)
    return reduce_max(reduce_sum(absolute(x), summed, keepdims=True), compared, keepdims=True)


def _frobenius_norm(x: Tensor, axes: tuple[int, ...] | None) -> Tensor:
    root: Tensor = sqrt(reduce_sum(multiply(x, conj(x)), axes, keepdims=True))
    return root


_NORMS: dict[bool, Callable[[Tensor, Any, tuple[int, ...] | None], Tensor]] = {
    False: _vector_norm,
    True: _matrix_norm,
}

# Cross


def _cross_shape(first: Dims, second: Dims) -> Dims:
    dims = merge(first, second)
    if dims is not None and (not dims or dims[-1] not in (3, None)):
        raise ShapeError(f"a cross product takes vectors of 3 numbers, not {show(dims)}")
    return dims


cross: OpDef = define(
    "Cross",
    kernel=lambda a, b: np.cross(a, b).astype(a.dtype),
    shape=_cross_shape,
    kinds="fiu",
    arity=2,
    latex=r"#1 \times #2",
)


@RegisterGradient("Cross")
def _cross_gradient(op: Operation, upstream: Tensor) -> list[Any]:
    """Return b x g and g x a."""
    a, b = op.inputs
    return [lambda: cross(b, upstream), lambda: cross(upstream, a)]
