"""Embedding lookup: rows, their gradient as slices, and the norm that clips them."""

from __future__ import annotations

import numpy as np
import pytest

import engine as tf
from engine.errors import ArgumentError

TABLE = np.array([[3.0, 4.0], [0.6, 0.8], [0.0, 0.0]])


def test_rows_are_looked_up() -> None:
    table = tf.Variable(TABLE)
    rows = tf.nn.embedding_lookup(table, [[1, 0]])
    assert rows.numpy().tolist() == [[[0.6, 0.8], [3, 4]]]
    (gradient,) = tf.gradients(rows, table)
    assert isinstance(gradient, tf.IndexedSlices)
    assert gradient.indices.numpy().tolist() == [1, 0]


def test_long_rows_are_scaled_down() -> None:
    rows = tf.nn.embedding_lookup([tf.constant(TABLE)], [0, 1, 2], max_norm=1.0)
    np.testing.assert_allclose(rows.numpy(), [[0.6, 0.8], [0.6, 0.8], [0, 0]], rtol=1e-12)


def test_a_table_in_pieces_is_refused() -> None:
    with pytest.raises(ArgumentError, match=r"in one piece \(got 2\)"):
        tf.nn.embedding_lookup([TABLE, TABLE], [0])
