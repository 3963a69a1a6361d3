"""Static shapes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import mutually_broadcastable_shapes

from engine.errors import ArgumentTypeError, ShapeError
from engine.shapes import (
    TensorShape,
    as_dims,
    broadcast,
    compatible,
    element_count,
    is_static,
    merge,
    normalize_axes,
    normalize_axis,
    show,
)


@pytest.mark.parametrize(
    ("given", "dims"),
    [
        (None, None),
        ([], ()),
        ([2, None], (2, None)),
        ((2, -1), (2, None)),
        (3, (3,)),
        (np.array([2, 3]), (2, 3)),
        (np.int64(4), (4,)),
        (TensorShape([1, 2]), (1, 2)),
    ],
)
def test_as_dims(given: Any, dims: Any) -> None:
    assert as_dims(given) == dims


@pytest.mark.parametrize("given", ["23", 2.5, [2.5], [[2]], object()])
def test_what_is_no_shape_is_refused(given: Any) -> None:
    with pytest.raises(
        ArgumentTypeError, match=r"a shape (is a list of sizes|holds whole numbers)"
    ):
        as_dims(given)


def test_a_shape_of_tensorflow_s_face() -> None:
    shape = TensorShape([2, None, 3])
    assert shape.rank == shape.ndims == len(shape) == 3
    assert shape.as_list() == [2, None, 3]
    assert list(shape) == [2, None, 3]
    assert shape[0] == 2
    assert shape[1:] == [None, 3]
    assert not shape.is_fully_defined()
    assert shape.num_elements() is None
    assert TensorShape([2, 3]).num_elements() == 6
    assert shape == (2, None, 3)
    assert shape != "abc"
    assert hash(shape) == hash(TensorShape((2, None, 3)))
    assert shape + TensorShape([1]) == [2, None, 3, 1]
    assert str(shape) == "(2, None, 3)"
    assert repr(shape) == "TensorShape([2, None, 3])"


def test_an_unknown_rank() -> None:
    shape = TensorShape(None)
    assert shape.rank is None
    assert not shape
    assert TensorShape([])
    assert str(shape) == "<unknown>"
    assert shape.is_compatible_with([1, 2])
    with pytest.raises(ShapeError, match="rank of this shape is known only at run time"):
        len(shape)
    with pytest.raises(ShapeError, match="rank of this shape"):
        shape.as_list()


def test_compatible_and_merge() -> None:
    assert compatible((2, None), (2, 3))
    assert not compatible((2,), (2, 1))
    assert not compatible((2,), (3,))
    assert merge((2, None), (None, 3)) == (2, 3)
    assert merge(None, (2,)) == (2,)
    assert merge((2,), None) == (2,)
    with pytest.raises(ShapeError, match=r"shapes \(2,\) and \(3,\) are not compatible"):
        merge((2,), (3,))


def test_element_count() -> None:
    assert element_count(()) == 1
    assert element_count((2, 0)) == 0
    assert element_count((2, None)) is None
    assert element_count(None) is None
    assert is_static((0,))
    assert not is_static((None,))
    assert show(None) == "<unknown>"


@given(mutually_broadcastable_shapes(num_shapes=3, min_side=0, max_dims=4))
def test_broadcast_is_numpy_s(shapes: Any) -> None:
    assert broadcast(*shapes.input_shapes) == shapes.result_shape


@given(
    mutually_broadcastable_shapes(num_shapes=2, min_side=1, max_dims=3),
    st.lists(st.booleans(), min_size=6, max_size=6),
)
def test_broadcast_of_partly_known_shapes_fits_the_run_time_shape(
    shapes: Any, hidden: list[bool]
) -> None:
    hide = iter(hidden)
    partly = [
        tuple(None if next(hide, False) else size for size in shape)
        for shape in shapes.input_shapes
    ]
    assert compatible(broadcast(*partly), shapes.result_shape)


def test_broadcast_with_unknown_sizes() -> None:
    assert broadcast((None,), (3,)) == (3,)
    assert broadcast((None,), (1,)) == (None,)
    assert broadcast((None, 2), ()) == (None, 2)
    assert broadcast(None, (2,)) is None
    with pytest.raises(ShapeError, match="sizes must be equal or 1"):
        broadcast((2,), (3,))


def test_axes() -> None:
    assert normalize_axis(-1, 3) == 2
    assert normalize_axes(None, 2) == (0, 1)
    assert normalize_axes(-1, 2) == (1,)
    assert normalize_axes([1, 0], 2) == (0, 1)
    assert normalize_axes([], 2) == ()
    with pytest.raises(ShapeError, match="axis 2 is out of range for a tensor of rank 2"):
        normalize_axis(2, 2)
    with pytest.raises(ShapeError, match=r"an axis is named twice in \(0, -2\)"):
        normalize_axes((0, -2), 2)
    with pytest.raises(ShapeError, match="out of range for a tensor of rank 0"):
        normalize_axes([0], 0)
