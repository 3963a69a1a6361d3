"""Elementary functions at their corners."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from engine.errors import DTypeError
from engine.gradients import gradients
from engine.graph import Graph
from engine.ops import elementary
from engine.ops.core import constant
from engine.plan import evaluate

inf, nan = np.inf, np.nan


def slope(function: Any, at: float, upstream: float = 1.0) -> Any:
    with Graph().as_default():
        x = constant(at, "float64")
        found = gradients(function(x), x, constant(upstream, "float64"))[0]
        return None if found is None else evaluate([found])[0]


@pytest.mark.parametrize(
    ("function", "at", "expected"),
    [
        (elementary.sqrt, 0.0, inf),
        (elementary.rsqrt, 0.0, -inf),
        (elementary.reciprocal, 0.0, -inf),
        (elementary.log, 0.0, inf),
        (elementary.log, -2.0, -0.5),
        (elementary.tanh, 1000.0, 0.0),
        (elementary.sigmoid, -1000.0, 0.0),
        (elementary.sigmoid, 0.0, 0.25),
        (elementary.exp, 0.0, 1.0),
    ],
)
def test_derivatives_at_corners(function: Any, at: float, expected: float) -> None:
    assert slope(function, at) == expected


@pytest.mark.parametrize(
    "function", [elementary.sqrt, elementary.rsqrt, elementary.reciprocal, elementary.inv]
)
def test_a_zero_upstream_stays_zero_where_the_derivative_is_infinite(function: Any) -> None:
    assert slope(function, 0.0, upstream=0.0) == 0.0


def test_elsewhere_zero_times_infinity_is_nan() -> None:
    assert np.isnan(slope(elementary.log, 0.0, upstream=0.0))


@pytest.mark.parametrize(
    "function", [elementary.floor, elementary.ceil, elementary.round, elementary.rint]
)
def test_rounding_has_no_gradient(function: Any) -> None:
    assert slope(function, 1.5) is None


def test_rounding_goes_to_the_even_neighbour() -> None:
    with Graph().as_default():
        x = constant([-1.5, -0.5, 0.5, 1.5, 2.5])
        for function in (elementary.round, elementary.rint):
            np.testing.assert_array_equal(evaluate([function(x)])[0], [-2, 0, 0, 2, 2])


def test_rounding_an_integer_adds_nothing() -> None:
    with Graph().as_default():
        whole = constant([1, 2])
        assert elementary.round(whole) is whole


def test_integers_are_refused_with_advice() -> None:
    with Graph().as_default(), pytest.raises(DTypeError, match="Sqrt does not take int32; cast"):
        elementary.sqrt(constant(4))


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64", "complex64", "complex128"])
def test_element_types_are_kept(dtype: str) -> None:
    functions = [
        "sqrt",
        "rsqrt",
        "reciprocal",
        "exp",
        "expm1",
        "log",
        "log1p",
        "sigmoid",
        "sinh",
        "tanh",
        "sin",
        "tan",
        "atan",
    ]
    with Graph().as_default():
        x = constant(np.array([0.5, 0.25]).astype(dtype))
        results = [getattr(elementary, name)(x) for name in functions]
        assert {evaluate([y])[0].dtype.name for y in results} == {dtype}


def test_a_sine_names_its_derivative_cosine() -> None:
    with Graph().as_default() as graph:
        x = constant(0.0)
        gradients(elementary.sin(x), x)
        assert graph.get_operation_by_name("gradients/Sin_grad/Cos").role == "local"
