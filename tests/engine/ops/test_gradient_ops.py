"""Gradient ops: formulas, the rule for a zero upstream gradient, second derivatives."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from engine.gradients import gradients
from engine.graph import Graph
from engine.ops import gradient_ops
from engine.ops.core import constant
from engine.ops.elementary import sqrt
from engine.plan import evaluate


def run(function: Any, *inputs: float) -> Any:
    with Graph().as_default():
        return evaluate([function(*(constant(entry, "float64") for entry in inputs))])[0]


@pytest.mark.parametrize(
    ("function", "expected"),
    [
        (gradient_ops.sqrt_grad, 3.0),  # 6 / (2 * 1)
        (gradient_ops.rsqrt_grad, -3.0),
        (gradient_ops.reciprocal_grad, -6.0),
        (gradient_ops.inv_grad, -6.0),
        (gradient_ops.tanh_grad, 0.0),
        (gradient_ops.sigmoid_grad, 0.0),
    ],
)
def test_formulas_at_output_1_and_upstream_6(function: Any, expected: float) -> None:
    assert run(function, 1.0, 6.0) == expected


@pytest.mark.parametrize("output", [0.0, np.inf, np.nan])
@pytest.mark.parametrize(
    "function",
    [
        gradient_ops.sqrt_grad,
        gradient_ops.rsqrt_grad,
        gradient_ops.reciprocal_grad,
        gradient_ops.inv_grad,
    ],
)
def test_a_zero_upstream_gives_zero(function: Any, output: float) -> None:
    assert run(function, output, 0.0) == 0


def test_the_others_follow_arithmetic() -> None:
    assert np.isnan(run(gradient_ops.tanh_grad, np.inf, 0.0))


def test_derivatives_of_a_root_to_the_third_order() -> None:
    with Graph().as_default():
        x = constant(4.0, "float64")
        y = sqrt(x)
        found = []
        for _ in range(3):
            y = gradients(y, x)[0]
            found.append(evaluate([y])[0])
        # 1/2 x^(-1/2), -1/4 x^(-3/2), 3/8 x^(-5/2)
        np.testing.assert_allclose(found, [0.25, -1 / 32, 3 / 256], rtol=1e-15)
