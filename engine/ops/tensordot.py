"""Contraction of two tensors over any axes, as one matrix product between reshapes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from engine.errors import ArgumentError, ShapeError
from engine.graph import create_op
from engine.ops.arguments import as_tensors, is_list, known_value, static_ints
from engine.ops.matmul import matmul
from engine.ops.shape_ops import reshape, shape
from engine.ops.transpose import transpose
from engine.shapes import normalize_axis, show
from engine.tensor import Operators, Tensor


def tensordot(a: Any, b: Any, axes: Any, name: str | None = None) -> Tensor:
    """Sum the products of the elements of two tensors over pairs of axes.

    Args:
        a: a tensor of known rank.
        b: likewise.
        axes: n for the last n axes of a with the first n of b; or two lists of equal length.
        name: of the last operation.

    Returns:
        The free axes of a, then those of b.

    Raises:
        ArgumentError: a rank is unknown, or axes are not pairs.
        ShapeError: the sizes of a pair differ.
    """
    first, second = as_tensors([a, b])
    rank_a, rank_b = _rank(first), _rank(second)
    axes_a, axes_b = _pairs(axes, rank_a, rank_b)
    for axis_a, axis_b in zip(axes_a, axes_b, strict=True):
        size_a, size_b = first.shape[axis_a], second.shape[axis_b]
        if size_a is not None and size_b is not None and size_a != size_b:
            raise ShapeError(
                f"tensordot: axis {axis_a} has size {size_a} and axis {axis_b} has size {size_b} "
                f"(got {first.name} {show(first.dims)}, {second.name} {show(second.dims)})"
            )
    free_a = [axis for axis in range(rank_a) if axis not in axes_a]
    free_b = [axis for axis in range(rank_b) if axis not in axes_b]
    left = _as_matrix(first, free_a, axes_a)
    right = _as_matrix(second, axes_b, free_b)
    product = matmul(left, right)
    sizes = [*_sizes(first, free_a), *_sizes(second, free_b)]
    return reshape(product, sizes, name or "Tensordot")


def _rank(tensor: Tensor) -> int:
    if tensor.dims is None:
        raise ArgumentError(f"tensordot needs tensors of known rank (got {tensor.name})")
    return len(tensor.dims)


def _pairs(axes: Any, rank_a: int, rank_b: int) -> tuple[list[int], list[int]]:
    """Return the axes to contract, counted from the front."""
    if isinstance(axes, Operators):
        axes = known_value(axes.as_tensor())
    if not is_list(axes):
        (count,) = static_ints(axes, "axes")
        if not 0 <= count <= min(rank_a, rank_b):
            raise ArgumentError(f"axes must lie between 0 and {min(rank_a, rank_b)} (got {count})")
        return list(range(rank_a - count, rank_a)), list(range(count))
    if len(axes) != 2:
        raise ArgumentError(f"axes are a number or two lists (got {axes!r})")
    axes_a = [normalize_axis(axis, rank_a) for axis in static_ints(axes[0], "an axis")]
    axes_b = [normalize_axis(axis, rank_b) for axis in static_ints(axes[1], "an axis")]
    if (
        len(axes_a) != len(axes_b)
        or len(set(axes_a)) < len(axes_a)
        or len(set(axes_b)) < len(axes_b)
    ):
        raise ArgumentError(f"axes must pair different axes of a and b (got {axes!r})")
    return axes_a, axes_b


def _as_matrix(tensor: Tensor, rows: Sequence[int], columns: Sequence[int]) -> Tensor:
    """Return the tensor as a matrix whose rows and columns run over these axes."""
    order = [*rows, *columns]
    ordered = tensor if order == sorted(order) else transpose(tensor, order)
    if len(rows) == 1 and len(columns) == 1:
        return ordered
    return reshape(ordered, [_product(_sizes(tensor, rows)), _product(_sizes(tensor, columns))])


def _sizes(tensor: Tensor, axes: Sequence[int]) -> list[Any]:
    """Return sizes as numbers where known, else as scalar tensors."""
    dims = [tensor.shape[axis] for axis in axes]
    if None not in dims:
        return dims
    sizes = shape(tensor)
    return [sizes[axis] if size is None else size for axis, size in zip(axes, dims, strict=True)]


def _product(sizes: Sequence[Any]) -> Any:
    total: Any = int(np.prod([size for size in sizes if not isinstance(size, Operators)]))
    for size in sizes:
        if isinstance(size, Operators):
            total = size if isinstance(total, int) and total == 1 else _times(total, size)
    return total


def _times(first: Any, second: Any) -> Tensor:
    return create_op("Mul", [first, second]).outputs[0]
