"""Segments: values by hand, empty segments, ties, zeros, and what is refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import engine as tf


def gradient(function: Any, data: Any, upstream: Any = None) -> Any:
    """Return the gradient of a function of float64 numbers."""
    x = tf.constant(data, tf.float64)
    seed = None if upstream is None else tf.constant(upstream, tf.float64)
    return tf.gradients(function(x), x, seed)[0].numpy()


@pytest.mark.parametrize(
    ("function", "expected"),
    [
        (tf.math.segment_sum, [[3.0, 7.0], [0.0, 0.0], [4.0, -1.0]]),
        (tf.math.segment_mean, [[1.5, 3.5], [0.0, 0.0], [4.0, -1.0]]),
        (tf.math.segment_max, [[2.0, 5.0], [0.0, 0.0], [4.0, -1.0]]),
        (tf.math.segment_min, [[1.0, 2.0], [0.0, 0.0], [4.0, -1.0]]),
        (tf.math.segment_prod, [[2.0, 10.0], [1.0, 1.0], [4.0, -1.0]]),
    ],
)
def test_sorted_segments(function: Any, expected: Any) -> None:
    data = [[1.0, 5.0], [2.0, 2.0], [4.0, -1.0]]
    found = function(tf.constant(data, tf.float64), [0, 0, 2])
    np.testing.assert_array_equal(found.numpy(), expected)
    assert found.shape.as_list() == [None, 2]


@pytest.mark.parametrize(
    ("function", "expected"),
    [
        (tf.math.unsorted_segment_sum, [3.0, 0.0, 4.0]),
        (tf.math.unsorted_segment_mean, [1.5, 0.0, 4.0]),
        (tf.math.unsorted_segment_sqrt_n, [3.0 / np.sqrt(2), 0.0, 4.0]),
        (tf.math.unsorted_segment_max, [2.0, np.finfo(np.float64).min, 4.0]),
        (tf.math.unsorted_segment_min, [1.0, np.finfo(np.float64).max, 4.0]),
        (tf.math.unsorted_segment_prod, [2.0, 1.0, 4.0]),
    ],
)
def test_unsorted_segments_drop_negative_ids(function: Any, expected: Any) -> None:
    data = tf.constant([1.0, 4.0, 9.0, 2.0], tf.float64)
    np.testing.assert_allclose(function(data, [0, 2, -1, 0], 3).numpy(), expected, rtol=1e-15)


@pytest.mark.parametrize(
    ("function", "expected"),
    [
        (tf.math.unsorted_segment_max, [-3, np.iinfo(np.int32).min]),
        (tf.math.unsorted_segment_min, [-5, np.iinfo(np.int32).max]),
    ],
)
def test_extrema_of_integers(function: Any, expected: Any) -> None:
    assert function([-3, -5], [0, 0], 2).numpy().tolist() == expected


def test_infinite_rows_are_no_empty_segments() -> None:
    data = tf.constant([-np.inf, np.inf], tf.float64)
    assert tf.math.unsorted_segment_max(data, [0, 1], 2).numpy().tolist() == [-np.inf, np.inf]


def test_ties_share_the_gradient() -> None:
    found = gradient(
        lambda x: tf.math.unsorted_segment_max(x, [0, 0, 1, 0, -1], 2),
        [3.0, 3.0, 1.0, 2.0, 0.0],
        [4.0, 5.0],
    )
    assert found.tolist() == [2.0, 2.0, 5.0, 0.0, 0.0]


def test_a_product_with_two_zeros_has_its_true_second_derivative() -> None:
    x = tf.constant([0.0, 0.0, 3.0], tf.float64)
    (found,) = tf.hessians(tf.reduce_sum(tf.math.segment_prod(x, [0, 0, 0])), x)
    expected = [[0.0, 3.0, 0.0], [3.0, 0.0, 0.0], [0.0, 0.0, 0.0]]
    np.testing.assert_array_equal(found.numpy(), expected)


def test_sparse_segments_pick_rows() -> None:
    data, picked, ids = [1.0, 2.0, 4.0], [2, 0, 2], [0, 0, 1]
    assert tf.sparse_segment_sum(data, picked, ids).numpy().tolist() == [5.0, 4.0]
    assert tf.sparse_segment_mean(data, picked, ids, num_segments=3).numpy().tolist() == [
        *(2.5, 4.0, 0.0)
    ]
    root = tf.sparse_segment_sqrt_n(tf.constant(data, tf.float64), picked, ids).numpy()
    np.testing.assert_allclose(root, [5.0 / np.sqrt(2), 4.0])


def test_a_sparse_gradient_comes_as_indexed_slices() -> None:
    x = tf.constant([1.0, 2.0, 4.0])
    y = tf.sparse_segment_mean(x, [2, 0, 2], [0, 0, 1], sparse_gradient=True)
    found = tf.gradients(y, x)[0]
    assert isinstance(found, tf.IndexedSlices)
    assert found.indices.numpy().tolist() == [2, 0, 2]
    assert found.values.numpy().tolist() == [0.5, 0.5, 1.0]


def test_sorted_means_sorted() -> None:
    found = tf.math.segment_sum([1.0, 2.0], [1, 0])
    with pytest.raises(ValueError, match="segment ids must be sorted"):
        found.numpy()
    with pytest.raises(ValueError, match="must not be negative"):
        tf.math.segment_sum([1.0, 2.0], [-1, 0]).numpy()


def test_ids_must_fit() -> None:
    with pytest.raises(ValueError, match=r"segment id 3 is not in \[0, 3\)"):
        tf.math.unsorted_segment_max([1.0, 2.0], [1, 3], 3).numpy()
    with pytest.raises(ValueError, match=r"the indices must lie in \[0, 2\)"):
        tf.sparse_segment_sum([1.0, 2.0], [2], [0]).numpy()
    with pytest.raises(ValueError, match=r"SegmentSum: shapes \(2,\) and \(3,\)"):
        tf.math.segment_sum([1.0, 2.0], [0, 0, 0])
    with pytest.raises(TypeError, match="segment ids must be integers"):
        tf.math.segment_sum([1.0, 2.0], [0.0, 0.0])
