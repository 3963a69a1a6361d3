"""Bands and diagonals of matrices."""

from __future__ import annotations

import numpy as np
import pytest

import engine as tf
from engine.errors import ArgumentError, ShapeError
from tests.sample_tables import spread

MATRIX = spread(3, 4)


def test_a_negative_number_keeps_the_whole_triangle() -> None:
    x = tf.constant(MATRIX)
    assert np.array_equal(tf.linalg.band_part(x, -1, 0).numpy(), np.tril(MATRIX))
    assert np.array_equal(tf.linalg.band_part(x, 0, -1).numpy(), np.triu(MATRIX))
    assert np.array_equal(tf.linalg.band_part(x, -1, -1).numpy(), MATRIX)
    assert np.array_equal(
        tf.linalg.band_part(x, 1, 0).numpy(), np.tril(MATRIX) - np.tril(MATRIX, -2)
    )


@pytest.mark.parametrize(("k", "length"), [(0, 3), (1, 3), (3, 1), (-1, 2), (-2, 1)])
def test_any_diagonal_is_set_and_read(k: int, length: int) -> None:
    entries = np.arange(1.0, length + 1)
    changed = tf.linalg.set_diag(tf.constant(MATRIX), tf.constant(entries), k=k)
    assert np.array_equal(np.diagonal(changed.numpy(), k), entries)
    assert np.array_equal(tf.linalg.diag_part(changed, k=k).numpy(), entries)
    others = ~np.eye(3, 4, k, bool)
    assert np.array_equal(changed.numpy()[others], MATRIX[others])


def test_a_diagonal_off_the_middle_makes_a_larger_matrix() -> None:
    assert tf.linalg.diag([1.0, 2.0], k=1).numpy().tolist() == [[0, 1, 0], [0, 0, 2], [0, 0, 0]]


def test_a_band_is_read_and_put_back() -> None:
    x = tf.constant(np.arange(1.0, 10).reshape(3, 3))
    band = tf.linalg.diag_part(x, k=(-1, 1))
    assert band.numpy().tolist() == [[0, 2, 6], [1, 5, 9], [4, 8, 0]]
    left = tf.linalg.diag_part(x, k=(-1, 1), align="LEFT_RIGHT")
    assert left.numpy().tolist() == [[2, 6, 0], [1, 5, 9], [0, 4, 8]]
    filled = tf.linalg.diag_part(x, k=(1, 2), padding_value=-1.0)
    assert filled.numpy().tolist() == [[-1, 3], [2, 6]]
    kept = tf.linalg.band_part(x, 1, 1).numpy()
    assert np.array_equal(tf.linalg.diag(band, k=(-1, 1)).numpy(), kept)
    assert np.array_equal(tf.linalg.set_diag(tf.zeros_like(x), band, k=(-1, 1)).numpy(), kept)


def test_a_matrix_may_be_larger_than_its_diagonal_needs() -> None:
    wide = tf.linalg.diag([1.0, 2.0], num_rows=2, num_cols=3).numpy()
    assert wide.tolist() == [[1, 0, 0], [0, 2, 0]]
    tall = tf.linalg.diag([1.0, 2.0], k=-1, num_cols=2).numpy()
    assert tall.tolist() == [[0, 0], [1, 0], [0, 2]]


def test_gradients_go_to_matrix_or_diagonal() -> None:
    x, d = tf.constant(MATRIX), tf.constant(spread(3))
    by_matrix, by_diagonal = tf.gradients(tf.linalg.set_diag(x, d, k=1), [x, d])
    assert np.array_equal(by_matrix.numpy(), ~np.eye(3, 4, 1, bool))
    assert by_diagonal.numpy().tolist() == [1, 1, 1]


def test_diagonals_that_do_not_fit_are_named() -> None:
    with pytest.raises(ShapeError, match=r"MatrixSetDiagV3: shapes .* not compatible"):
        tf.linalg.set_diag(tf.zeros([3, 3]), tf.zeros([2]))
    with pytest.raises(ShapeError, match=r"a matrix of shape \(3, 4\) has no diagonal 5"):
        tf.linalg.diag_part(tf.constant(MATRIX), k=5)
    with pytest.raises(ArgumentError, match="k is the number of a diagonal"):
        tf.linalg.diag_part(tf.constant(MATRIX), k=(1, 0))
    with pytest.raises(ArgumentError, match="align is one of RIGHT_LEFT"):
        tf.linalg.diag_part(tf.constant(MATRIX), align="CENTER")
    with pytest.raises(ShapeError, match=r"MatrixDiagV3: shapes .* not compatible"):
        tf.linalg.diag([1.0, 2.0], num_rows=4, num_cols=4)
