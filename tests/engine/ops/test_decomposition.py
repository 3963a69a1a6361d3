"""Cholesky, inverse, determinants and solvers: values, conventions and refusals."""

from __future__ import annotations

import numpy as np
import pytest

import engine as tf
from engine.errors import ShapeError
from tests.sample_tables import spread

SQUARE = spread(3, 3) + 3 * np.eye(3)
POSITIVE = SQUARE @ SQUARE.T


def test_cholesky_reads_the_lower_triangle() -> None:
    lower = np.tril(POSITIVE)
    factor = tf.linalg.cholesky(tf.constant(lower)).numpy()
    np.testing.assert_allclose(factor @ factor.T, POSITIVE, rtol=1e-12)


def test_the_gradient_of_cholesky_is_symmetric() -> None:
    x = tf.constant(POSITIVE)
    (gradient,) = tf.gradients(tf.linalg.cholesky(x), x, tf.constant(spread(3, 3)))
    np.testing.assert_allclose(gradient.numpy(), gradient.numpy().T, rtol=1e-12)


def test_a_matrix_that_is_not_positive_definite_is_named() -> None:
    with pytest.raises(ShapeError, match="Cholesky 'Cholesky' failed"):
        tf.linalg.cholesky(tf.constant([[1.0, 2.0], [2.0, 1.0]])).numpy()


def test_the_derivative_of_logdet_is_the_inverse() -> None:
    x = tf.constant(POSITIVE)
    value = tf.linalg.logdet(x)
    (gradient,) = tf.gradients(value, x)
    np.testing.assert_allclose(value.numpy(), np.log(np.linalg.det(POSITIVE)), rtol=1e-12)
    np.testing.assert_allclose(gradient.numpy(), np.linalg.inv(POSITIVE), rtol=1e-9)


def test_a_singular_matrix_has_sign_zero() -> None:
    sign, log_abs = tf.linalg.slogdet(tf.constant([[1.0, 2.0], [2.0, 4.0]]))
    assert (sign.numpy(), log_abs.numpy()) == (0, -np.inf)


def test_solvers_solve() -> None:
    right = spread(3, 2)
    matrix, rhs = tf.constant(SQUARE), tf.constant(right)
    np.testing.assert_allclose(SQUARE @ tf.linalg.solve(matrix, rhs).numpy(), right, rtol=1e-9)
    lower = tf.linalg.triangular_solve(matrix, rhs).numpy()
    np.testing.assert_allclose(np.tril(SQUARE) @ lower, right, rtol=1e-9)
    upper = tf.linalg.triangular_solve(matrix, rhs, lower=False, adjoint=True).numpy()
    np.testing.assert_allclose(np.triu(SQUARE).T @ upper, right, rtol=1e-9)
    factor = tf.linalg.cholesky(tf.constant(POSITIVE))
    solved = tf.linalg.cholesky_solve(factor, rhs).numpy()
    np.testing.assert_allclose(POSITIVE @ solved, right, rtol=1e-9)


def test_the_other_triangle_gets_no_gradient() -> None:
    matrix = tf.constant(SQUARE)
    solution = tf.linalg.triangular_solve(matrix, tf.constant(spread(3, 1)))
    (gradient,) = tf.gradients(solution, matrix)
    assert not np.triu(gradient.numpy(), 1).any()


def test_shapes_that_do_not_fit_are_named() -> None:
    with pytest.raises(ShapeError, match=r"MatrixInverse: the matrix must be square"):
        tf.linalg.inv(tf.zeros([2, 3]))
    with pytest.raises(ShapeError, match=r"MatrixSolve: the matrix has 2 rows .* side 3"):
        tf.linalg.solve(tf.zeros([2, 2]), tf.zeros([3, 1]))
    with pytest.raises(ShapeError, match=r"a matrix has at least 2 axes"):
        tf.linalg.det(tf.zeros([2]))


def test_singular_systems_fail_at_run_time() -> None:
    with pytest.raises(ShapeError, match=r"MatrixInverse .* failed at run time"):
        tf.linalg.inv(tf.zeros([2, 2])).numpy()
    with pytest.raises(ShapeError, match=r"MatrixTriangularSolve .* failed at run time"):
        tf.linalg.triangular_solve(tf.zeros([2, 2]), tf.ones([2, 1])).numpy()


def test_half_precision_stays_half() -> None:
    x = tf.constant(POSITIVE.astype(np.float16))
    inverse = tf.linalg.inv(x)
    assert inverse.dtype == tf.float16
    np.testing.assert_allclose(inverse.numpy(), np.linalg.inv(POSITIVE), rtol=0.02, atol=0.01)
