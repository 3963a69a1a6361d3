"""The arithmetic of sliding windows."""

from __future__ import annotations

import numpy as np
import pytest

from engine.errors import ArgumentError, ShapeError
from engine.ops.windows import Sliding, checked_padding, inside, offsets, padded, reach, trimmed


def _along(size: int, window: int, stride: int, padding: str, dilation: int = 1) -> object:
    return Sliding((window,), (stride,), padding, ((1, 2),), (dilation,)).axes((size,))[0]


@pytest.mark.parametrize(
    ("size", "window", "stride", "padding", "dilation", "expected"),
    [
        (5, 3, 1, "SAME", 1, (5, 1, 1)),
        (5, 2, 2, "SAME", 1, (3, 0, 1)),
        (6, 2, 3, "SAME", 1, (2, 0, 0)),
        (5, 2, 1, "SAME", 3, (5, 1, 2)),
        (5, 2, 2, "VALID", 1, (2, 0, 0)),
        (5, 2, 1, "VALID", 4, (1, 0, 0)),
        (3, 3, 1, "EXPLICIT", 1, (4, 1, 2)),
        (0, 1, 2, "VALID", 1, (0, 0, 0)),
    ],
)
def test_how_many_windows_and_how_much_padding(
    size: int,
    window: int,
    stride: int,
    padding: str,
    dilation: int,
    expected: tuple[int, int, int],
) -> None:
    axis = _along(size, window, stride, padding, dilation)
    assert (axis.count, axis.before, axis.after) == expected  # type: ignore[attr-defined]


def test_every_offset_is_seen_for_all_windows_at_once() -> None:
    axes = Sliding((2, 2), (1, 2), "SAME", (), (1, 1)).axes((2, 3))
    x = np.arange(1, 7).reshape(2, 3)
    cells = padded(x, axes)
    seen = {offset: cells[reach(axes, offset)].tolist() for offset in offsets(axes)}
    assert seen == {
        (0, 0): [[1, 3], [4, 6]],
        (0, 1): [[2, 0], [5, 0]],
        (1, 0): [[4, 6], [0, 0]],
        (1, 1): [[5, 0], [0, 0]],
    }
    for offset, entries in seen.items():
        assert np.array_equal(inside(axes, offset), np.array(entries) > 0)
    assert np.array_equal(trimmed(cells, axes), x)


def test_no_window_has_no_cells() -> None:
    axes = Sliding((1,), (3,), "VALID", (), (1,)).axes((0,))
    assert np.zeros(4)[reach(axes, (0,))].size == 0


def test_unknown_sizes_give_unknown_counts() -> None:
    sliding = Sliding((None, 2), (2, 1), "VALID", (), (1, 1))
    assert sliding.counts((4, None)) == (None, None)
    assert Sliding((None,), (2,), "SAME", (), (1,)).counts((5,)) == (3,)
    assert sliding.counts(None) == (None, None)


def test_a_window_that_does_not_fit_is_refused() -> None:
    with pytest.raises(ShapeError, match="a window of extent 5 does not fit into size 4"):
        _along(4, 3, 1, "VALID", 2)
    with pytest.raises(ArgumentError, match="padding is 'SAME' or 'VALID'"):
        checked_padding("FULL", ())
