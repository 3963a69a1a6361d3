"""Names of TensorFlow 1 at top level mean what they meant there."""

from __future__ import annotations

import numpy as np
import pytest

import engine as tf


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("matrix_band_part", "band_part"),
        ("matrix_determinant", "det"),
        ("matrix_inverse", "inv"),
        ("matrix_set_diag", "set_diag"),
        ("matrix_solve", "solve"),
        ("matrix_triangular_solve", "triangular_solve"),
        ("cholesky", "cholesky"),
    ],
)
def test_functions_of_linear_algebra_have_two_names(older: str, newer: str) -> None:
    assert getattr(tf, older) is getattr(tf.linalg, newer)


def test_diag_doubles_the_rank() -> None:
    matrix = tf.constant(np.arange(4.0).reshape(2, 2))
    assert tf.diag(matrix).shape == (2, 2, 2, 2)
    assert tf.matrix_diag(matrix).shape == (2, 2, 2)
    assert np.array_equal(tf.diag_part(tf.diag(matrix)).numpy(), matrix.numpy())
