"""Activations at their corners, where the derivative is a convention, and at infinity."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import engine as tf
from engine.ops.activation import elu, leaky_relu, relu, relu6, selu, softplus, softsign
from engine.ops.bias import bias_add, l2_loss

SELU_SLOPE = 1.0507009873554804934193349852946


@pytest.fixture(autouse=True)
def _own_graph() -> Any:
    with tf.Graph().as_default():
        yield


@pytest.mark.parametrize(
    ("function", "at", "slope"),
    [
        (relu, 0.0, 0.0),
        (relu, np.nan, 0.0),
        (relu6, 0.0, 0.0),
        (relu6, 6.0, 0.0),
        (leaky_relu, 0.0, float(np.float32(0.2))),
        (elu, 0.0, 1.0),
        (selu, 0.0, SELU_SLOPE),
        (softplus, 0.0, 0.5),
        (softplus, 1000.0, 1.0),
        (softsign, 0.0, 1.0),
        (softsign, -1.0, 0.25),
    ],
)
def test_slope_at_a_point(function: Callable[[Any], Any], at: float, slope: float) -> None:
    x = tf.constant(at, tf.float64)
    (gradient,) = tf.gradients(function(x), x)
    np.testing.assert_allclose(gradient.numpy(), slope)


def test_an_infinite_upstream_gradient_on_a_dead_unit_is_nan() -> None:
    x = tf.constant([-1.0, 1.0])
    (gradient,) = tf.gradients(relu(x), x, grad_ys=[tf.constant([np.inf, np.inf])])
    np.testing.assert_array_equal(gradient.numpy(), [np.nan, np.inf])


def test_the_second_derivative_of_relu_is_zero_not_none() -> None:
    x = tf.constant([-1.0, 2.0])
    (first,) = tf.gradients(relu(x) * relu(x), x)
    (second,) = tf.gradients(first, x)
    np.testing.assert_array_equal(second.numpy(), [0.0, 2.0])
    (slope,) = tf.gradients(relu(x), x)
    np.testing.assert_array_equal(tf.gradients(slope, x)[0].numpy(), [0.0, 0.0])


def test_softplus_of_large_numbers() -> None:
    x = tf.constant([-1000.0, 1000.0])
    np.testing.assert_array_equal(softplus(x).numpy(), [0.0, 1000.0])


def test_bias_and_penalty() -> None:
    x = tf.placeholder(tf.float32, [None, 2])
    bias = tf.constant([10.0, 20.0])
    penalty = l2_loss(bias_add(x, bias))
    by_x, by_bias = tf.gradients(penalty, [x, bias])
    with tf.Session() as session:
        value, slope, total = session.run([penalty, by_x, by_bias], {x: [[1, 2], [3, 4]]})
    assert value == (11**2 + 22**2 + 13**2 + 24**2) / 2
    np.testing.assert_array_equal(slope, [[11, 22], [13, 24]])
    np.testing.assert_array_equal(total, [24, 46])


def test_what_does_not_fit_is_refused() -> None:
    x = tf.constant([[1.0, 2.0]])
    with pytest.raises(TypeError, match=r"alpha is a number \(got 'a'\)"):
        leaky_relu(x, alpha="a")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"\(2,\) and \(3,\) are not compatible"):
        bias_add(x, [1.0, 2.0, 3.0])
    with pytest.raises(ValueError, match="data_format is for example"):
        bias_add(x, [1.0, 2.0], data_format="HW")
    with pytest.raises(TypeError, match="Elu does not take int32"):
        elu(tf.constant([1]))
