"""Norms, cross products, angles, and the check for finite numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import engine as tf

inf, nan = np.inf, np.nan
MATRIX = [[1.0, -2.0, 3.0], [-4.0, 5.0, -6.0]]


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ({}, np.sqrt(91.0)),
        ({"axis": 0}, [np.sqrt(17.0), np.sqrt(29.0), np.sqrt(45.0)]),
        ({"ord": 1}, 21.0),
        ({"ord": inf, "axis": 1}, [3.0, 6.0]),
        ({"ord": 3, "axis": 0}, np.cbrt([65.0, 133.0, 243.0])),
        ({"axis": [0, 1]}, np.sqrt(91.0)),
        ({"ord": "fro", "axis": [-2, -1], "keepdims": True}, [[np.sqrt(91.0)]]),
        ({"ord": 1, "axis": (0, 1)}, 9.0),
        ({"ord": inf, "axis": (0, 1)}, 15.0),
    ],
)
def test_norms(arguments: dict[str, Any], expected: Any) -> None:
    found = tf.norm(tf.constant(MATRIX, tf.float64), **arguments).numpy()
    np.testing.assert_allclose(found, expected, rtol=1e-14)


def test_norms_that_do_not_exist_are_refused() -> None:
    with pytest.raises(ValueError, match="the order of a vector norm is"):
        tf.norm(MATRIX, ord=0)
    with pytest.raises(ValueError, match="the order of a vector norm is"):
        tf.norm(MATRIX, ord="fro")
    with pytest.raises(ValueError, match="the order of a matrix norm is"):
        tf.norm(MATRIX, ord=2, axis=[0, 1])


def test_the_length_of_the_zero_vector_has_no_direction() -> None:
    x = tf.constant([[0.0, 0.0], [3.0, 4.0]])
    found = tf.gradients(tf.math.reduce_euclidean_norm(x, 1), x)[0].numpy()
    np.testing.assert_allclose(found, [[nan, nan], [0.6, 0.8]], rtol=1e-6)


def test_a_zero_upstream_gradient_does_not_spoil_the_second_derivative() -> None:
    x, seed = tf.constant([3.0, 4.0]), tf.constant(0.0)
    first = tf.gradients(tf.math.reduce_euclidean_norm(x), x, seed)[0]
    assert tf.gradients(first, seed, tf.constant([1.0, 0.0]))[0].numpy() == pytest.approx(0.6)


def test_cross_products_are_of_three_numbers() -> None:
    assert tf.linalg.cross([1.0, 0.0, 0.0], [0.0, 1.0, 0.0]).numpy().tolist() == [0.0, 0.0, 1.0]
    with pytest.raises(ValueError, match=r"Cross: a cross product takes vectors of 3 numbers"):
        tf.linalg.cross([1.0, 0.0], [0.0, 1.0])


def test_angles_of_real_and_complex_numbers() -> None:
    assert tf.math.angle([2.0, -2.0]).numpy() == pytest.approx([0.0, np.pi])
    assert tf.math.angle([1j, -1 + 0j]).numpy() == pytest.approx([np.pi / 2, np.pi])


def test_approximate_equality() -> None:
    found = tf.math.approximate_equal([1.0, 2.0], [1.1, 2.5], tolerance=0.2)
    assert found.numpy().tolist() == [True, False]


def test_check_numerics_passes_what_is_finite() -> None:
    x = tf.constant([1.0, 2.0])
    y = tf.check_numerics(x, "loss")
    assert y.numpy().tolist() == [1.0, 2.0]
    assert tf.gradients(y, x)[0].numpy().tolist() == [1.0, 1.0]


def test_check_numerics_refuses_the_rest_in_values_and_gradients() -> None:
    with pytest.raises(ValueError, match="loss: the tensor holds nan and infinity"):
        tf.check_numerics([nan, inf], "loss").numpy()
    x = tf.constant([1.0, 2.0])
    found = tf.gradients(tf.check_numerics(x, "loss"), x, tf.constant([1.0, inf]))[0]
    with pytest.raises(ValueError, match=r"in the gradient of .*, loss: .* infinity"):
        found.numpy()


@pytest.mark.parametrize("reverse", [False, True])
def test_a_running_log_sum_exp_neither_overflows_nor_vanishes(reverse: bool) -> None:
    x = tf.constant([1000.0, 1000.0, -1000.0], tf.float64)
    found = tf.math.cumulative_logsumexp(x, reverse=reverse).numpy()
    two = 1000 + np.log(2)
    np.testing.assert_allclose(found, [two, 1000, -1000] if reverse else [1000, two, two])
    y = tf.math.cumulative_logsumexp(x, exclusive=True, reverse=reverse)
    assert y.numpy()[-1 if reverse else 0] == -inf
    seed = tf.constant([0.0, 1.0, 0.0], tf.float64)
    gradient = tf.gradients(y, x, seed)[0].numpy()
    assert gradient.tolist() == ([0.0, 0.0, 1.0] if reverse else [1.0, 0.0, 0.0])
