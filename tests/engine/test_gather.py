"""Gathering and scattering: values against NumPy, sparse gradients, refusals."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import engine as tf
from engine.ops.gather import gather, gather_nd, scatter_nd
from engine.ops.segment import unsorted_segment_sum

TABLE = np.arange(24, dtype=np.float64).reshape(2, 4, 3)


@pytest.fixture(autouse=True)
def _own_graph() -> Any:
    with tf.Graph().as_default():
        yield


@pytest.mark.parametrize("axis", [0, 1, 2, -1, -3])
@pytest.mark.parametrize("indices", [1, [0, 1, 1], [[0], [1]]], ids=str)
def test_gather_takes_the_slices_that_the_indices_name(axis: int, indices: Any) -> None:
    found = gather(tf.constant(TABLE), indices, axis=axis)
    np.testing.assert_array_equal(found.numpy(), np.take(TABLE, indices, axis))
    assert found.shape == np.take(TABLE, indices, axis).shape


@pytest.mark.parametrize("axis", [1, 2])
def test_gather_in_each_batch_entry_of_its_own(axis: int) -> None:
    indices = np.array([[2, 0], [1, 1]])
    found = gather(tf.constant(TABLE), indices, axis=axis, batch_dims=1)
    expected = np.stack([np.take(TABLE[k], indices[k], axis - 1) for k in (0, 1)])
    np.testing.assert_array_equal(found.numpy(), expected)


def test_the_gradient_of_rows_is_indexed_slices_with_repeated_rows_kept() -> None:
    x = tf.constant(TABLE[0])
    (gradient,) = tf.gradients(gather(x, [3, 1, 3]), x)
    assert isinstance(gradient, tf.IndexedSlices)
    np.testing.assert_array_equal(gradient.indices.numpy(), [3, 1, 3])
    np.testing.assert_array_equal(gradient.dense_shape.numpy(), [4, 3])
    dense = gradient.as_tensor().numpy()
    np.testing.assert_array_equal(dense[:, 0], [0.0, 1.0, 0.0, 2.0])


def test_the_gradient_along_another_axis_is_dense() -> None:
    x = tf.constant(TABLE[0])
    (gradient,) = tf.gradients(gather(x, [2, 2], axis=1), x)
    assert isinstance(gradient, tf.Tensor)
    np.testing.assert_array_equal(gradient.numpy()[0], [0.0, 0.0, 2.0])


def test_rows_of_unknown_size() -> None:
    x = tf.placeholder(tf.float64, [None, None])
    indices = tf.placeholder(tf.int32, [None, None])
    (gradient,) = tf.gradients(gather(x, indices), x)
    with tf.Session() as session:
        dense = session.run(gradient.as_tensor(), {x: TABLE[0], indices: [[0, 1], [0, 2]]})
    np.testing.assert_array_equal(dense[:, 0], [2.0, 1.0, 1.0, 0.0])


def test_gather_nd_follows_index_vectors() -> None:
    x = tf.constant(TABLE)
    np.testing.assert_array_equal(
        gather_nd(x, [[0, 1, 2], [1, 3, 0]]).numpy(), [TABLE[0, 1, 2], TABLE[1, 3, 0]]
    )
    np.testing.assert_array_equal(gather_nd(x, [[1], [0]]).numpy(), TABLE[::-1])


def test_scatter_nd_adds_where_indices_repeat() -> None:
    found = scatter_nd([[1], [3], [1]], tf.constant([1.0, 2.0, 4.0]), [4])
    np.testing.assert_array_equal(found.numpy(), [0.0, 5.0, 0.0, 2.0])


def test_unsorted_segment_sum_drops_negative_ids() -> None:
    found = unsorted_segment_sum(tf.constant([1.0, 2.0, 4.0, 8.0]), [2, 0, -1, 2], 3)
    np.testing.assert_array_equal(found.numpy(), [2.0, 0.0, 9.0])


def test_the_number_of_segments_may_be_known_at_run_time() -> None:
    count = tf.placeholder(tf.int32, [])
    x = tf.constant([1.0, 2.0, 4.0])
    found = unsorted_segment_sum(x, [0, 1, 0], count)
    (gradient,) = tf.gradients(found * found, x)
    with tf.Session() as session:
        value, slope = session.run([found, gradient], {count: 3})
    np.testing.assert_array_equal(value, [5.0, 2.0, 0.0])
    np.testing.assert_array_equal(slope, [10.0, 4.0, 10.0])


@pytest.mark.parametrize("index", [-1, 4])
def test_an_index_outside_the_axis_is_an_error(index: int) -> None:
    with pytest.raises(ValueError, match=rf"index {index} is not in \[0, 4\)"):
        gather(tf.constant(TABLE[0]), [0, index]).numpy()


def test_what_does_not_fit_is_refused() -> None:
    x = tf.constant(TABLE)
    with pytest.raises(TypeError, match="indices must be integers"):
        gather(x, [0.0])
    with pytest.raises(ValueError, match="axis 3 is out of range"):
        gather(x, [0], axis=3)
    with pytest.raises(ValueError, match="a scalar has no axis"):
        gather(tf.constant(1.0), [0])
    with pytest.raises(ValueError, match="batch_dims 0 only"):
        gather_nd(x, [[0]], batch_dims=1)
    with pytest.raises(ValueError, match="an index of length 4 is too long"):
        gather_nd(x, [[0, 0, 0, 0]])
    with pytest.raises(ValueError, match="axis must be known while the graph is built"):
        gather(x, [0], axis=tf.placeholder(tf.int32, []))
