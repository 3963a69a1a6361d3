"""Determinants and their cofactors, singular matrices included."""

from __future__ import annotations

import numpy as np
import pytest

import engine as tf
from engine.graph import create_op

SINGULAR = [
    ([[3.0, 6.0], [1.0, 2.0]], [[2.0, -1.0], [-6.0, 3.0]]),
    ([[0.0]], [[1.0]]),
    # Rank 2 and rank 1: the 2 × 2 minors with their signs, by hand.
    (
        [[1.0, 2.0, 3.0], [2.0, 4.0, 1.0], [1.0, 2.0, 5.0]],
        [[18.0, -9.0, 0.0], [-4.0, 2.0, 0.0], [-10.0, 5.0, 0.0]],
    ),
    ([[1.0, 1.0, 1.0]] * 3, [[0.0] * 3] * 3),
]


@pytest.mark.parametrize(("matrix", "cofactors"), SINGULAR)
def test_the_gradient_of_a_singular_matrix_is_its_cofactors(
    matrix: list[list[float]], cofactors: list[list[float]]
) -> None:
    x = tf.constant(matrix, tf.float64)
    value = tf.linalg.det(x)
    np.testing.assert_allclose(value.numpy(), 0.0, atol=1e-12)
    (gradient,) = tf.gradients(value, [x])
    np.testing.assert_allclose(gradient.numpy(), cofactors, atol=1e-12)


def test_the_second_derivative_needs_no_inverse_either() -> None:
    x = tf.constant([[3.0, 6.0], [1.0, 2.0]], tf.float64)
    (hessian,) = tf.hessians(tf.linalg.det(x), x)
    # det = ad - bc
    right = np.zeros((2, 2, 2, 2))
    right[0, 0, 1, 1] = right[1, 1, 0, 0] = 1
    right[0, 1, 1, 0] = right[1, 0, 0, 1] = -1
    np.testing.assert_allclose(hessian.numpy(), right, atol=1e-12)


def test_cofactors_are_the_determinant_times_the_transposed_inverse() -> None:
    matrix = np.array([[2.0 + 1j, 1.0], [0.5, 3.0 - 1j]])
    (found,) = create_op("MatrixCofactor", [tf.constant(matrix)]).outputs
    right = np.linalg.det(matrix) * np.linalg.inv(matrix).T
    np.testing.assert_allclose(found.numpy(), right, rtol=1e-12)
