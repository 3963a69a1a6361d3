"""How a window slides over a tensor: the arithmetic that convolutions and pools share.

A window is laid over every axis of the tensor; over an axis that is not filtered it has size 1. A
kernel visits the offsets inside the window one by one, and looks at each for all windows at once.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from engine.errors import ArgumentError, ShapeError
from engine.shapes import Dims

PADDINGS = ("SAME", "VALID", "EXPLICIT")


@dataclass(frozen=True)
class Axis:
    """The way of a window along one axis.

    Attributes:
        size: of the tensor.
        window: how many offsets the window has.
        stride: from one window to the next.
        dilation: from one offset to the next.
        before: how many cells are added in front.
        after: how many cells are added at the end.
        count: how many windows there are.
    """

    size: int
    window: int
    stride: int
    dilation: int
    before: int
    after: int
    count: int

    @property
    def padded_size(self) -> int:
        return self.before + self.size + self.after

    def reach(self, offset: int) -> slice:
        """Return where, in the padded tensor, this offset of each window is."""
        if not self.count:
            return slice(0)
        start = offset * self.dilation
        return slice(start, start + (self.count - 1) * self.stride + 1, self.stride)

    def inside(self, offset: int) -> Any:
        """Return for each window whether this offset is in the tensor, not in the padding."""
        places = np.arange(self.count) * self.stride + offset * self.dilation - self.before
        return (places >= 0) & (places < self.size)


@dataclass(frozen=True)
class Sliding:
    """What window slides how: one entry per axis, as a convolution or pool has in its attributes.

    Attributes:
        window: sizes; None where one is known only at run time.
        strides: steps between windows.
        padding: "SAME" (as many windows as steps fit, filled up evenly), "VALID" (none added) or
            "EXPLICIT".
        explicit: pairs of cells to add, for "EXPLICIT".
        dilations: steps inside the window.
    """

    window: tuple[int | None, ...]
    strides: tuple[int, ...]
    padding: str
    explicit: tuple[tuple[int, int], ...]
    dilations: tuple[int, ...]

    def counts(self, source: Dims) -> tuple[int | None, ...]:
        """Return how many windows there are along each axis, as far as known.

        Raises:
            ShapeError: the window is larger than the padded tensor.
        """
        sizes = (None,) * len(self.window) if source is None else source
        return tuple(map(self._count, range(len(self.window)), sizes))

    def _count(self, axis: int, size: int | None) -> int | None:
        window, stride = self.window[axis], self.strides[axis]
        if size is None:
            return None
        if self.padding == "SAME":
            return -(-size // stride)
        if window is None:
            return None
        padded = size + sum(self._explicit(axis))
        extent = (window - 1) * self.dilations[axis] + 1
        if extent > max(padded, 1):
            raise ShapeError(f"a window of extent {extent} does not fit into size {padded}")
        return (padded - extent + stride) // stride

    def _explicit(self, axis: int) -> tuple[int, int]:
        return self.explicit[axis] if self.padding == "EXPLICIT" else (0, 0)

    def axes(self, shape: Sequence[int]) -> tuple[Axis, ...]:
        """Return the way along each axis of a tensor of this shape."""
        counts = self.counts(tuple(shape))
        return tuple(self._axis(axis, size, counts[axis]) for axis, size in enumerate(shape))

    def _axis(self, axis: int, size: int, count: int | None) -> Axis:
        window, stride, dilation = self.window[axis], self.strides[axis], self.dilations[axis]
        assert window is not None
        assert count is not None
        before, after = self._explicit(axis)
        if self.padding == "SAME":
            missing = max((count - 1) * stride + (window - 1) * dilation + 1 - size, 0)
            before, after = missing // 2, missing - missing // 2
        return Axis(size, window, stride, dilation, before, after, count)


def checked_padding(padding: Any, explicit: Sequence[int]) -> tuple[tuple[int, int], ...]:
    """Return the explicit paddings as pairs, one per axis.

    Raises:
        ArgumentError: the padding is unknown.
    """
    if padding not in PADDINGS:
        raise ArgumentError(f"padding is 'SAME' or 'VALID', or one pair per axis (got {padding!r})")
    return tuple(zip(explicit[::2], explicit[1::2], strict=True))


def offsets(axes: Sequence[Axis]) -> Iterator[tuple[int, ...]]:
    """Yield every offset inside the window, the last axis fastest."""
    return itertools.product(*(range(axis.window) for axis in axes))


def reach(axes: Sequence[Axis], offset: Sequence[int]) -> tuple[slice, ...]:
    """Return where, in the padded tensor, an offset of each window is."""
    return tuple(axis.reach(place) for axis, place in zip(axes, offset, strict=True))


def inside(axes: Sequence[Axis], offset: Sequence[int]) -> Any:
    """Return for each window whether an offset is in the tensor, not in the padding."""
    flags = [axis.inside(place) for axis, place in zip(axes, offset, strict=True)]
    result: Any = np.array(True)
    for flag in flags:
        result = result[..., None] & flag
    return result


def padded(x: Any, axes: Sequence[Axis], value: Any = 0) -> Any:
    """Return the tensor with its padding around it."""
    pairs = [(axis.before, axis.after) for axis in axes]
    if not any(map(any, pairs)):
        return x
    return np.pad(x, pairs, constant_values=value)


def trimmed(x: Any, axes: Sequence[Axis]) -> Any:
    """Undo `padded`."""
    return x[tuple(slice(axis.before, axis.before + axis.size) for axis in axes)]
