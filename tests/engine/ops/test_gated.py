"""Gelu, silu and mish: values and derivatives at points known in closed form."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.stats import norm

import engine as tf
from tests.sample_tables import spread

POINTS = spread(7)


def _derivative(function: object, points: object) -> object:
    x = tf.constant(points)
    return tf.gradients(function(x), x)[0].numpy()  # type: ignore[operator]


def test_gelu_is_x_times_the_normal_distribution() -> None:
    np.testing.assert_allclose(
        tf.nn.gelu(tf.constant(POINTS)).numpy(), POINTS * norm.cdf(POINTS), rtol=1e-12
    )
    expected = norm.cdf(POINTS) + POINTS * norm.pdf(POINTS)
    np.testing.assert_allclose(_derivative(tf.nn.gelu, POINTS), expected, rtol=1e-12)


def test_the_approximation_of_gelu_is_close() -> None:
    close = tf.nn.gelu(tf.constant(POINTS), approximate=True).numpy()
    np.testing.assert_allclose(close, POINTS * norm.cdf(POINTS), atol=1e-3)


def test_silu_is_x_times_sigmoid() -> None:
    gate = 1 / (1 + np.exp(-POINTS))
    np.testing.assert_allclose(tf.nn.silu(tf.constant(POINTS)).numpy(), POINTS * gate, rtol=1e-12)
    expected = gate * (1 + POINTS * (1 - gate))
    np.testing.assert_allclose(_derivative(tf.nn.swish, POINTS), expected, rtol=1e-12)
    steep = tf.nn.silu(tf.constant(POINTS), beta=2.0).numpy()
    np.testing.assert_allclose(steep, POINTS / (1 + np.exp(-2 * POINTS)), rtol=1e-12)


def test_mish_at_zero_has_slope_three_fifths() -> None:
    assert tf.nn.mish(tf.constant(0.0)).numpy() == 0
    assert _derivative(tf.nn.mish, 0.0) == pytest.approx(math.tanh(math.log(2)))


@pytest.mark.parametrize(("function", "scope"), [("gelu", "Gelu"), ("silu", "swish")])
def test_each_stands_in_a_scope(function: str, scope: str) -> None:
    assert getattr(tf.nn, function)(tf.constant(1.0)).name.startswith(f"{scope}/")
