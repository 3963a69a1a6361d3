"""Static shapes: what is known of a tensor's shape before anything is computed.

Inside the engine a shape is `Dims`: a tuple whose entries are a size or None (a size known only
at run time), or None altogether when not even the rank is known. `TensorShape` is the face that
users see.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from typing import Any, TypeAlias

from engine.errors import ArgumentTypeError, ShapeError

Dims: TypeAlias = "tuple[int | None, ...] | None"


class TensorShape:
    """A static shape as TensorFlow shows it: `(2, None)`, or `<unknown>`."""

    __slots__ = ("dims",)

    def __init__(self, dims: Any) -> None:
        self.dims: Dims = as_dims(dims)

    @property
    def rank(self) -> int | None:
        return None if self.dims is None else len(self.dims)

    @property
    def ndims(self) -> int | None:
        return self.rank

    def as_list(self) -> list[int | None]:
        return list(self._known())

    def is_fully_defined(self) -> bool:
        return is_static(self.dims)

    def num_elements(self) -> int | None:
        return element_count(self.dims)

    def is_compatible_with(self, other: Any) -> bool:
        return compatible(self.dims, as_dims(other))

    def _known(self) -> tuple[int | None, ...]:
        if self.dims is None:
            raise ShapeError(
                "the rank of this shape is known only at run time; give the tensor a shape"
            )
        return self.dims

    def __len__(self) -> int:
        return len(self._known())

    def __iter__(self) -> Iterator[int | None]:
        return iter(self._known())

    def __getitem__(self, key: Any) -> Any:
        found = self._known()[key]
        return TensorShape(found) if isinstance(key, slice) else found

    def __bool__(self) -> bool:
        return self.dims is not None

    def __eq__(self, other: object) -> bool:
        try:
            return self.dims == as_dims(other)
        except (ArgumentTypeError, TypeError):
            return False

    def __hash__(self) -> int:
        return hash(self.dims)

    def __add__(self, other: Any) -> TensorShape:
        return TensorShape(self._known() + TensorShape(other)._known())

    def __str__(self) -> str:
        return show(self.dims)

    def __repr__(self) -> str:
        return f"TensorShape({None if self.dims is None else list(self.dims)})"


def show(dims: Dims) -> str:
    """Write a shape the way TensorFlow prints it."""
    return "<unknown>" if dims is None else str(dims)


def as_dims(value: Any) -> Dims:
    """Return the dims of a TensorShape, list, tuple, size or None.

    Raises:
        ArgumentTypeError: an entry is neither a size nor None.
    """
    if value is None:
        return None
    if isinstance(value, TensorShape):
        return value.dims
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, int):
        return (_size(value),)
    if not isinstance(value, Iterable) or isinstance(value, str | bytes):
        raise ArgumentTypeError(f"a shape is a list of sizes, for example [2, 3] (got {value!r})")
    return tuple(_size(entry) for entry in value)


def _size(entry: Any) -> int | None:
    if entry is None:
        return None
    try:
        size = entry.__index__()
    except (AttributeError, TypeError):
        raise ArgumentTypeError(
            f"a shape holds whole numbers or None (got {entry!r} of type {type(entry).__name__})"
        ) from None
    return None if size < 0 else int(size)


def is_static(dims: Dims) -> bool:
    """Whether every size is known."""
    return dims is not None and None not in dims


def element_count(dims: Dims) -> int | None:
    """Return the number of elements, or None when it is known only at run time."""
    if dims is None or None in dims:
        return None
    return math.prod(dims)  # type: ignore[arg-type]


def compatible(first: Dims, second: Dims) -> bool:
    """Whether one run-time shape could satisfy both."""
    if first is None or second is None:
        return True
    return len(first) == len(second) and all(
        a is None or b is None or a == b for a, b in zip(first, second, strict=True)
    )


def merge(first: Dims, second: Dims) -> Dims:
    """Return what both shapes together say.

    Raises:
        ShapeError: they contradict each other.
    """
    if first is None:
        return second
    if second is None:
        return first
    if not compatible(first, second):
        raise ShapeError(f"shapes {show(first)} and {show(second)} are not compatible")
    return tuple(b if a is None else a for a, b in zip(first, second, strict=True))


def broadcast(*shapes: Dims, **_attrs: Any) -> Dims:
    """Return the shape that NumPy broadcasting gives.

    Raises:
        ShapeError: two sizes differ and neither is 1.
    """
    if len(shapes) == 1:
        return shapes[0]
    if None in shapes:
        return None
    known: list[tuple[int | None, ...]] = [shape for shape in shapes if shape is not None]
    first = known[0]
    if all(shape == first for shape in known) and None not in first:
        return first
    rank = max(map(len, known))
    padded = [(1,) * (rank - len(shape)) + shape for shape in known]
    return tuple(_broadcast_size(sizes) for sizes in zip(*padded, strict=True))


def _broadcast_size(sizes: tuple[int | None, ...]) -> int | None:
    fixed = {size for size in sizes if size is not None and size != 1}
    if len(fixed) > 1:
        raise ShapeError("sizes must be equal or 1 to broadcast")
    if fixed:
        return fixed.pop()
    return None if None in sizes else 1


def normalize_axis(axis: int, rank: int) -> int:
    """Return the axis counted from the front.

    Raises:
        ShapeError: the tensor has no such axis.
    """
    if not -rank <= axis < rank:
        raise ShapeError(f"axis {axis} is out of range for a tensor of rank {rank}")
    return axis % rank if rank else 0


def normalize_axes(axis: Any, rank: int) -> tuple[int, ...]:
    """Return the axes to reduce, counted from the front and sorted; None means all of them."""
    if axis is None:
        return tuple(range(rank))
    if isinstance(axis, int):
        axis = (axis,)
    axes = sorted(normalize_axis(int(entry), rank) for entry in axis)
    if len(set(axes)) != len(axes):
        raise ShapeError(f"an axis is named twice in {tuple(axis)}")
    return tuple(axes)
