"""Values and derivatives of arithmetic at its corners, and what it refuses."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from engine.errors import DTypeError, ShapeError
from engine.gradients import gradients
from engine.graph import Graph
from engine.ops import arithmetic
from engine.ops.core import constant
from engine.plan import evaluate
from engine.tensor import Tensor

inf, nan = np.inf, np.nan


def value(tensor: Tensor) -> Any:
    return evaluate([tensor])[0]


def slopes(op_type: str, *inputs: Any, upstream: Any = None) -> list[Any]:
    """Return the gradients of one op at float64 inputs, None where there is none."""
    with Graph().as_default() as graph:
        tensors = [constant(entry, "float64") for entry in inputs]
        y = graph.create_op(op_type, tensors).outputs[0]
        seeds = None if upstream is None else [constant(upstream, "float64")]
        found = gradients(y, tensors, seeds)
        return [None if g is None else value(g) for g in found]


@pytest.mark.parametrize(
    ("op_type", "inputs", "expected"),
    [
        ("Maximum", (2.0, 2.0), [1, 0]),
        ("Minimum", (2.0, 2.0), [1, 0]),
        ("Maximum", (nan, 2.0), [0, 1]),
        ("Minimum", (2.0, nan), [0, 1]),
        ("Abs", (0.0,), [0]),
        ("Sign", (3.0,), [0]),
        ("Pow", (0.0, 2.0), [0, 0]),
        ("Pow", (0.0, 0.0), [0, 0]),  # x**0 is constant; TensorFlow says nan
        ("Pow", (0.0, 0.5), [inf, 0]),
        ("Pow", (0.0, -1.0), [-inf, nan]),
        ("Pow", (-2.0, 3.0), [12, 0]),
        ("RealDiv", (1.0, 0.0), [inf, -inf]),
        ("FloorMod", (7.5, 2.0), [1, -3]),
        ("DivNoNan", (3.0, 0.0), [0, 0]),
        ("MulNoNan", (inf, 0.0), [0, inf]),
    ],
)
def test_derivatives_at_corners(op_type: str, inputs: Any, expected: Any) -> None:
    np.testing.assert_array_equal(slopes(op_type, *inputs), expected)


@pytest.mark.parametrize("op_type", ["FloorDiv", "TruncateDiv"])
def test_rounded_quotients_have_no_gradient(op_type: str) -> None:
    assert slopes(op_type, 7.0, 2.0) == [None, None]


def test_an_infinite_upstream_leaves_the_side_that_was_not_chosen_at_zero() -> None:
    assert slopes("Maximum", 1.0, 2.0, upstream=inf) == [0, inf]


def test_the_same_tensor_twice_gets_both_contributions() -> None:
    with Graph().as_default():
        x = constant(3.0)
        assert value(gradients(x * x, x)[0]) == 6


@pytest.mark.parametrize(
    ("function", "x", "y", "expected"),
    [
        (arithmetic.truediv, 7, 2, 3.5),
        (arithmetic.div, -7, 2, -4),
        (arithmetic.div, -7.0, 2.0, -3.5),
        (arithmetic.floordiv, -7, 2, -4),
        (arithmetic.truncatediv, -7, 2, -3),
        (arithmetic.truncatediv, -7.0, 2.0, -3.0),
        (arithmetic.floormod, -7, 2, 1),
        (arithmetic.floormod, -7.5, 2.0, 0.5),
        (arithmetic.floordiv, 1.0, 0.1, 10.0),
        (arithmetic.squared_difference, 1, 4, 9),
    ],
)
def test_quotients_round_as_their_names_say(function: Any, x: Any, y: Any, expected: Any) -> None:
    with Graph().as_default():
        assert value(function(x, y)) == expected


@pytest.mark.parametrize(
    ("dtype", "expected"), [("int8", "float32"), ("int32", "float64"), ("int64", "float64")]
)
def test_true_division_casts_integers(dtype: str, expected: str) -> None:
    with Graph().as_default():
        quotient = constant([1, 2], dtype) / constant([2, 2], dtype)
        assert quotient.dtype.name == expected
        np.testing.assert_array_equal(value(quotient), [0.5, 1.0])


def test_true_division_names_both_types() -> None:
    with Graph().as_default(), pytest.raises(DTypeError, match=r"int32 != float32; cast one"):
        constant([1]) / constant([2.0])


@pytest.mark.parametrize("op_type", ["FloorDiv", "FloorMod", "Div", "TruncateDiv"])
def test_division_of_integers_by_zero_is_an_error(op_type: str) -> None:
    with Graph().as_default() as graph:
        y = graph.create_op(op_type, [constant([1, 2]), constant([1, 0])]).outputs[0]
        with pytest.raises(ShapeError, match="integer division by zero"):
            value(y)


def test_shapes_that_do_not_broadcast_are_named() -> None:
    with Graph().as_default():
        x, y = constant([1.0, 2.0, 3.0], name="x"), constant([1.0, 2.0], name="y")
        with pytest.raises(ShapeError, match=r"AddV2: .* \(got x:0 .*\(3,\), y:0 .*\(2,\)\)"):
            arithmetic.add(x, y)


def test_names_are_those_of_tensorflow() -> None:
    with Graph().as_default():
        x = constant(2.0)
        made = [x * x, arithmetic.multiply(x, x), x + 1, arithmetic.add(x, 1), x / 2, x**2, -x]
        assert [t.op.name for t in made] == [
            "mul",
            "Mul_1",
            "add",
            "Add_1",
            "truediv",
            "pow",
            "Neg",
        ]


def test_clipping_is_a_minimum_inside_a_maximum() -> None:
    with Graph().as_default():
        x = constant([-2.0, 0.5, 1.0, 3.0])
        clipped = arithmetic.clip_by_value(x, -1.0, 1.0)
        np.testing.assert_array_equal(value(clipped), [-1, 0.5, 1, 1])
        np.testing.assert_array_equal(value(gradients(clipped, x)[0]), [0, 1, 1, 0])
        assert clipped.op.type == "Maximum"
        assert clipped.op.inputs[0].op.name == "clip_by_value/Minimum"


def test_absolute_value_of_complex_numbers_is_real() -> None:
    with Graph().as_default():
        modulus = abs(constant([3 + 4j]))
        assert modulus.op.type == "ComplexAbs"
        np.testing.assert_array_equal(value(modulus), [5.0])
        assert abs(constant([-2.0])).op.type == "Abs"


def test_only_the_wanted_side_is_built() -> None:
    with Graph().as_default() as graph:
        x = constant(3.0)
        assert value(gradients(x**2, x)[0]) == 6
        assert "Log" not in {op.type for op in graph.operations}


def test_scalar_times_tensor() -> None:
    with Graph().as_default():
        np.testing.assert_array_equal(value(arithmetic.scalar_mul(3, constant([1.0, 2.0]))), [3, 6])
