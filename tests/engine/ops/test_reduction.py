"""Reductions: ties, zeros, empties, axes, and what they refuse."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from engine.errors import ArgumentError, DTypeError, ShapeError
from engine.gradients import gradients
from engine.graph import Graph
from engine.ops import reduce
from engine.ops.core import constant, placeholder
from engine.plan import evaluate
from engine.tensor import Tensor


def value(tensor: Tensor) -> Any:
    return evaluate([tensor])[0]


def slope(function: Any, x: Any, **arguments: Any) -> Any:
    with Graph().as_default():
        tensor = constant(x, "float64")
        return value(gradients(function(tensor, **arguments), tensor)[0])


@pytest.mark.parametrize(
    ("function", "x", "expected"),
    [
        (reduce.reduce_max, [1.0, 3.0, 3.0], [0, 0.5, 0.5]),
        (reduce.reduce_min, [1.0, 1.0, 3.0, 1.0], [1 / 3, 1 / 3, 0, 1 / 3]),
        (reduce.reduce_max, [1.0, np.nan], [np.nan, np.nan]),
        (reduce.reduce_prod, [0.0, 2.0, 3.0], [6, 0, 0]),
        (reduce.reduce_prod, [0.0, 0.0, 3.0], [0, 0, 0]),
        (reduce.reduce_mean, [1.0, 2.0, 3.0, 4.0], [0.25] * 4),
        (reduce.reduce_logsumexp, [1000.0, 1000.0], [0.5, 0.5]),
        (reduce.reduce_logsumexp, [-np.inf, 0.0], [0, 1]),
        (reduce.reduce_variance, [1.0, 3.0], [-1, 1]),
        (reduce.reduce_std, [1.0, 3.0], [-0.5, 0.5]),
    ],
)
def test_gradients_by_hand(function: Any, x: Any, expected: Any) -> None:
    np.testing.assert_allclose(slope(function, x), expected, rtol=1e-15)


def test_the_second_derivative_of_a_product_is_right_at_a_zero() -> None:
    with Graph().as_default():
        x = constant([0.0, 2.0, 3.0], "float64")
        first = gradients(reduce.reduce_prod(x), x)[0]
        rows = [value(gradients(first[row], x)[0]) for row in range(3)]
        np.testing.assert_array_equal(rows, [[0, 3, 2], [3, 0, 0], [2, 0, 0]])


def test_the_second_derivative_of_a_maximum_is_none() -> None:
    with Graph().as_default():
        x = constant([1.0, 2.0])
        assert gradients(gradients(reduce.reduce_max(x), x)[0], x) == [None]


@pytest.mark.parametrize(
    ("function", "expected"),
    [
        (reduce.reduce_sum, 0.0),
        (reduce.reduce_prod, 1.0),
        (reduce.reduce_max, -np.inf),
        (reduce.reduce_min, np.inf),
        (reduce.reduce_mean, np.nan),
        (reduce.reduce_logsumexp, -np.inf),
    ],
)
def test_nothing_reduces_to_the_neutral_element(function: Any, expected: float) -> None:
    with Graph().as_default():
        np.testing.assert_array_equal(value(function(constant([], "float32"))), expected)


@pytest.mark.parametrize("dtype", ["int32", "uint8", "float16", "float32"])
def test_element_types_are_kept(dtype: str) -> None:
    functions = (reduce.reduce_sum, reduce.reduce_mean, reduce.reduce_max, reduce.reduce_prod)
    with Graph().as_default():
        x = constant([[1, 2], [3, 5]], dtype)
        results = [value(function(x, 0)) for function in functions]
        assert {result.dtype.name for result in results} == {dtype}
        np.testing.assert_array_equal(results[0], [4, 7])


def test_the_mean_of_integers_is_cut_off_towards_zero() -> None:
    with Graph().as_default():
        assert value(reduce.reduce_mean(constant([-1, -2, -4]))) == -2


def test_the_mean_of_many_halves_does_not_overflow() -> None:
    with Graph().as_default():
        assert value(reduce.reduce_mean(constant(np.full(4096, 100, np.float16)))) == 100


@pytest.mark.parametrize(
    ("axis", "expected"),
    [(1, [3, 12]), ([0], [3, 5, 7]), ((0, -1), 15), (np.array([1]), [3, 12]), ([], None)],
)
def test_axes_in_every_form(axis: Any, expected: Any) -> None:
    x = [[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]]
    with Graph().as_default():
        for form in (axis, constant(axis, "int32")):
            result = value(reduce.reduce_sum(x, form))
            np.testing.assert_array_equal(result, x if expected is None else expected)


def test_version_1_names_of_arguments() -> None:
    with Graph().as_default():
        result = reduce.reduce_sum([[1.0, 2.0]], reduction_indices=[1], keep_dims=True)
        np.testing.assert_array_equal(value(result), [[3.0]])
        with pytest.raises(ArgumentError, match="axis and reduction_indices name the same"):
            reduce.reduce_sum([1.0], axis=0, reduction_indices=0)


def test_axes_must_be_known_and_there() -> None:
    with Graph().as_default():
        x = constant([1.0, 2.0], name="x")
        with pytest.raises(ShapeError, match=r"Sum: axis 1 is out of range .*x:0"):
            reduce.reduce_sum(x, 1)
        with pytest.raises(ShapeError, match="an axis is named twice"):
            reduce.reduce_sum(x, [0, -1])
        with pytest.raises(ArgumentError, match="axis must be known while the graph is built"):
            reduce.reduce_sum(x, placeholder("int32", []))


def test_types_that_cannot_be_reduced() -> None:
    with Graph().as_default():
        with pytest.raises(DTypeError, match="Max does not take complex64"):
            reduce.reduce_max(constant([1j], "complex64"))
        with pytest.raises(DTypeError, match="All does not take float32"):
            reduce.reduce_all(constant([1.0]))
        with pytest.raises(DTypeError, match=r"floating numbers \(got int32\)"):
            reduce.reduce_variance(constant([1, 2]))


def test_truth() -> None:
    with Graph().as_default():
        x = constant([[True, False], [True, True]])
        np.testing.assert_array_equal(value(reduce.reduce_all(x, 1)), [False, True])
        assert value(reduce.reduce_any(x))


def test_positions() -> None:
    with Graph().as_default():
        x = constant([[1.0, 5.0, 5.0], [7.0, 0.0, 0.0]])
        np.testing.assert_array_equal(value(reduce.argmax(x, 1)), [1, 0])
        np.testing.assert_array_equal(value(reduce.argmin(x, dimension=1)), [0, 1])
        np.testing.assert_array_equal(value(reduce.argmax(x)), [1, 0, 0])
        assert reduce.argmax(x, output_type="int32").dtype.name == "int32"
        assert gradients(reduce.argmax(x), x) == [None]


def test_summing_everything_takes_one_op_back() -> None:
    with Graph().as_default() as graph:
        x = constant([[1.0, 2.0], [3.0, 4.0]])
        gradients(reduce.reduce_sum(x), x)
        made = [op.type for op in graph.operations if op.name.startswith("gradients/Sum_grad")]
        assert made == ["BroadcastTo"]
