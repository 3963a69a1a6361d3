"""Comparisons, logic and selection."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from engine.errors import ArgumentError, DTypeError, ShapeError
from engine.gradients import gradients
from engine.graph import Graph
from engine.ops import comparison
from engine.ops.core import constant
from engine.plan import evaluate
from engine.tensor import Tensor


def value(tensor: Tensor) -> Any:
    return evaluate([tensor])[0]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("less", [True, False, False]),
        ("less_equal", [True, True, False]),
        ("greater", [False, False, True]),
        ("greater_equal", [False, True, True]),
        ("equal", [False, True, False]),
        ("not_equal", [True, False, True]),
    ],
)
def test_comparisons(name: str, expected: list[bool]) -> None:
    with Graph().as_default():
        result = getattr(comparison, name)(constant([1.0, 2.0, 3.0]), 2.0)
        assert result.dtype.name == "bool"
        np.testing.assert_array_equal(value(result), expected)


def test_strings_can_be_compared_for_equality() -> None:
    with Graph().as_default():
        result = comparison.equal(constant(["a", "b"]), constant("a"))
        np.testing.assert_array_equal(value(result), [True, False])


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("logical_and", [False, False, False, True]),
        ("logical_or", [False, True, True, True]),
        ("logical_xor", [False, True, True, False]),
    ],
)
def test_logic(name: str, expected: list[bool]) -> None:
    with Graph().as_default():
        first, second = constant([False, False, True, True]), constant([False, True, False, True])
        np.testing.assert_array_equal(value(getattr(comparison, name)(first, second)), expected)
        np.testing.assert_array_equal(
            value(comparison.logical_not(first)), [True, True, False, False]
        )


def test_selection_hands_the_gradient_to_the_chosen_branch_and_sums_what_was_broadcast() -> None:
    with Graph().as_default():
        x, y = constant([1.0, 2.0, 3.0]), constant(5.0)
        chosen = comparison.where(constant([True, False, False]), x, y)
        np.testing.assert_array_equal(value(chosen), [1, 5, 5])
        slopes = [value(g) for g in gradients(chosen, [x, y])]
        np.testing.assert_array_equal(slopes[0], [1, 0, 0])
        assert slopes[1] == 2


def test_a_vector_condition_chooses_rows_where_it_cannot_be_broadcast() -> None:
    with Graph().as_default():
        first, second = constant(np.ones((2, 3))), constant(np.zeros((2, 3)))
        rows = comparison.where(constant([True, False]), first, second)
        assert rows.op.type == "Select"
        np.testing.assert_array_equal(value(rows), [[1, 1, 1], [0, 0, 0]])
        columns = comparison.where(constant([True, False, True]), first, second)
        assert columns.op.type == "SelectV2"
        np.testing.assert_array_equal(value(columns), [[1, 0, 1], [1, 0, 1]])


def test_a_square_follows_broadcasting() -> None:
    with Graph().as_default():
        first, second = constant(np.ones((2, 2))), constant(np.zeros((2, 2)))
        chosen = comparison.where([True, False], first, second)
        np.testing.assert_array_equal(value(chosen), [[1, 0], [1, 0]])


def test_where_alone_lists_coordinates() -> None:
    with Graph().as_default():
        found = comparison.where(constant([[True, False], [True, True]]))
        assert found.dims == (None, 2)
        np.testing.assert_array_equal(value(found), [[0, 0], [1, 0], [1, 1]])


def test_where_needs_both_branches() -> None:
    with Graph().as_default(), pytest.raises(ArgumentError, match="x and y both, or neither"):
        comparison.where(constant([True]), 1.0)


def test_the_condition_must_be_bool() -> None:
    with Graph().as_default(), pytest.raises(DTypeError, match=r"must be bool \(got float32\)"):
        comparison.where(constant([1.0]), constant([1.0]), constant([2.0]))


def test_select_does_not_broadcast() -> None:
    with Graph().as_default(), pytest.raises(ShapeError, match=r"\(2,\) and \(3,\)"):
        comparison.select(constant([True, False]), constant([1.0, 2.0]), constant([1.0, 2.0, 3.0]))


def test_the_untaken_branch_can_still_spoil_a_gradient() -> None:
    with Graph().as_default():
        x = constant(0.0)
        safe = comparison.where(x > 0, 1 / x, 0.0)
        assert value(safe) == 0
        assert np.isnan(value(gradients(safe, x)[0]))
