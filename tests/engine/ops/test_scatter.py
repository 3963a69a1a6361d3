"""Scattering updates into a tensor."""

from __future__ import annotations

from typing import Any

import pytest

import engine as tf


def gradients(function: Any, tensor: Any, indices: Any, updates: Any, upstream: Any) -> Any:
    x, u = tf.constant(tensor, tf.float64), tf.constant(updates, tf.float64)
    found = tf.gradients(function(x, indices, u), [x, u], tf.constant(upstream, tf.float64))
    return [gradient.numpy().tolist() for gradient in found]


@pytest.mark.parametrize(
    ("function", "expected"),
    [
        (tf.tensor_scatter_nd_update, [1.0, 7.0, 5.0]),
        (tf.tensor_scatter_nd_add, [1.0, 9.0, 8.0]),
        (tf.tensor_scatter_nd_sub, [1.0, -5.0, -2.0]),
        (tf.tensor_scatter_nd_max, [1.0, 7.0, 5.0]),
        (tf.tensor_scatter_nd_min, [1.0, 2.0, 3.0]),
    ],
)
def test_values(function: Any, expected: Any) -> None:
    x = tf.constant([1.0, 2.0, 3.0])
    assert function(x, [[2], [1]], [5.0, 7.0]).numpy().tolist() == expected
    assert x.numpy().tolist() == [1.0, 2.0, 3.0]


def test_what_is_overwritten_gets_nothing() -> None:
    found = gradients(tf.tensor_scatter_nd_update, [1, 2, 3], [[1]], [9], [4, 5, 6])
    assert found == [[4.0, 0.0, 6.0], [5.0]]


def test_tensor_and_updates_share_a_tie() -> None:
    found = gradients(tf.tensor_scatter_nd_max, [1, 2, 3], [[1], [1], [2]], [2, 2, 1], [4, 6, 8])
    assert found == [[4.0, 2.0, 8.0], [2.0, 2.0, 0.0]]


def test_what_does_not_fit_is_refused() -> None:
    with pytest.raises(ValueError, match="TensorScatterAdd: shapes"):
        tf.tensor_scatter_nd_add([1.0, 2.0], [[0]], [1.0, 2.0])
    with pytest.raises(ValueError, match="an index of length 2 is too long"):
        tf.tensor_scatter_nd_add([1.0, 2.0], [[0, 1]], [1.0])
    with pytest.raises(ValueError, match=r"index 2 is not in \[0, 2\)"):
        tf.tensor_scatter_nd_add([1.0, 2.0], [[2]], [1.0]).numpy()
    with pytest.raises(TypeError, match="indices must be integers"):
        tf.tensor_scatter_nd_add([1.0, 2.0], [[0.0]], [1.0])
