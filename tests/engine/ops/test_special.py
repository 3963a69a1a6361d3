"""Special functions at known points, at their corners, and at higher orders.

The numbers with many digits were computed with mpmath at 30 digits.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import engine as tf

inf, nan = np.inf, np.nan


def slope(function: Any, at: float, order: int = 1) -> float:
    """Return a derivative of a function of one float64 number."""
    with tf.Graph().as_default():
        x = tf.constant(at, tf.float64)
        y = function(x)
        for _ in range(order):
            y = tf.gradients(y, x)[0]
        return float(y.numpy())


def values(function: Any, *arguments: Any) -> Any:
    with tf.Graph().as_default():
        return function(*(tf.constant(x, tf.float64) for x in arguments)).numpy()


@pytest.mark.parametrize(
    ("function", "order", "expected"),
    [
        (tf.math.special.bessel_i1, 1, 0.5),
        (tf.math.special.bessel_i1, 2, 0.0),
        (tf.math.special.bessel_i1, 3, 0.375),
        (tf.math.special.bessel_i1e, 1, 0.5),
        (tf.math.special.bessel_j1, 1, 0.5),
        (tf.math.special.bessel_j1, 3, -0.375),
        (tf.math.special.bessel_i0, 2, 0.5),
        (tf.math.special.bessel_i0, 4, 0.375),
        (tf.math.special.bessel_j0, 2, -0.5),
    ],
)
def test_bessel_functions_have_their_true_derivatives_at_zero(
    function: Any, order: int, expected: float
) -> None:
    assert slope(function, 0.0, order) == pytest.approx(expected, abs=1e-15)


def test_bessel_functions_of_the_second_kind_are_infinite_at_zero_and_below() -> None:
    points = [0.0, -1.0, -inf]
    assert values(tf.math.special.bessel_k0, points).tolist() == [inf] * 3
    assert values(tf.math.special.bessel_k1e, points).tolist() == [inf] * 3
    assert values(tf.math.special.bessel_y1, points).tolist() == [-inf] * 3


@pytest.mark.parametrize(("order", "expected"), [(1, -1.0), (2, 0.5), (3, -2 / 3)])
def test_spence_has_its_true_derivatives_at_one(order: int, expected: float) -> None:
    assert slope(tf.math.special.spence, 1.0, order) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("a", "x", "order", "expected"),
    [
        (3.0, 2.0, 1, -0.231848672043989591523),
        (3.0, 2.0, 2, 0.098841548887540059755),
        (20.0, 30.0, 1, -0.010966166487459576204),
    ],
)
def test_igamma_is_differentiable_in_its_shape(
    a: float, x: float, order: int, expected: float
) -> None:
    lower = slope(lambda t: tf.math.igamma(t, tf.constant(x, tf.float64)), a, order)
    upper = slope(lambda t: tf.math.igammac(t, tf.constant(x, tf.float64)), a, order)
    assert lower == pytest.approx(expected, rel=1e-12)
    assert upper == pytest.approx(-expected, rel=1e-12)


def test_igamma_does_not_depend_on_its_shape_at_the_ends() -> None:
    found = values(tf.math.igamma, [2.0, 2.0, 0.0], [0.0, inf, 1.0])
    assert found.tolist() == [0.0, 1.0, 1.0]
    assert slope(lambda a: tf.math.igamma(a, tf.constant(0.0, tf.float64)), 2.0) == 0.0
    assert slope(lambda a: tf.math.igamma(a, tf.constant(inf, tf.float64)), 2.0) == 0.0
    assert np.isnan(slope(lambda a: tf.math.igamma(a, tf.constant(1.0, tf.float64)), -2.0))


def test_polygamma_takes_whole_orders_only() -> None:
    found = values(tf.math.polygamma, [2.0, 0.0, 0.5, -1.0], 1.5)
    np.testing.assert_allclose(
        found, [-0.8287966442343199, 0.036489973978576520, nan, nan], rtol=1e-13
    )


def test_orders_and_parameters_receive_no_gradient() -> None:
    with tf.Graph().as_default():
        n, x = tf.constant(2.0), tf.constant(1.5)
        assert tf.gradients(tf.math.polygamma(n, x), n) == [None]
        assert tf.gradients(tf.math.zeta(n, x), n) == [None]
        assert tf.gradients(tf.math.betainc(n, n, x), n) == [None]


def test_functions_composed_of_others() -> None:
    np.testing.assert_allclose(values(tf.math.lbeta, [2.5, 1.5]), np.log(np.pi / 16), rtol=1e-14)
    np.testing.assert_allclose(values(tf.math.erfcinv, 0.3), 0.732869077959216852, rtol=1e-12)


@pytest.mark.parametrize("function", [tf.math.xlogy, tf.math.xlog1py, tf.math.xdivy])
def test_a_zero_first_factor_wins(function: Any) -> None:
    zeros, others = [0.0] * 5, [nan, inf, -inf, 0.0, -1.0]
    assert values(function, zeros, others).tolist() == zeros
    with tf.Graph().as_default():
        inputs = [tf.constant(zeros, tf.float64), tf.constant(others, tf.float64)]
        for gradient in tf.gradients(function(*inputs), inputs):
            np.testing.assert_array_equal(gradient.numpy(), zeros)


def test_nextafter_steps_by_one_number() -> None:
    found = values(tf.math.nextafter, [1.0, 1.0, 0.0], [2.0, 0.0, 1.0])
    assert found.tolist() == [1 + 2**-52, 1 - 2**-53, 2**-1074]


def test_float16_stays_float16() -> None:
    with tf.Graph().as_default():
        x = tf.constant([0.5, 1.5], tf.float16)
        for function in (tf.math.erf, tf.math.lgamma, tf.math.digamma, tf.math.bessel_i1e):
            y = function(x)
            assert y.numpy().dtype == np.float16
            assert tf.gradients(y, x)[0].numpy().dtype == np.float16


def test_a_special_function_takes_floating_numbers() -> None:
    with tf.Graph().as_default(), pytest.raises(TypeError, match="Erf does not take int32"):
        tf.math.erf(tf.constant(1))
