"""Pools: values, ties, padding, and refusals."""

from __future__ import annotations

import numpy as np
import pytest

import engine as tf
from engine.errors import ArgumentError, ShapeError
from tests.sample_tables import spread


def test_the_first_of_equal_entries_gets_the_gradient() -> None:
    x = tf.constant(np.ones((1, 2, 2, 1)))
    (gradient,) = tf.gradients(tf.nn.max_pool2d(x, 2, 2, "VALID"), x)
    assert gradient.numpy()[0, ..., 0].tolist() == [[1, 0], [0, 0]]


def test_padding_is_never_the_largest() -> None:
    x = tf.constant(np.full((1, 1, 3, 1), -5.0))
    pooled = tf.nn.max_pool2d(x, 2, 1, "SAME")
    assert pooled.numpy().ravel().tolist() == [-5, -5, -5]
    endless = tf.constant(np.full((1, 2, 2, 1), -np.inf))
    (gradient,) = tf.gradients(tf.nn.max_pool2d(endless, 2, 1, [(1, 0), (1, 0)]), endless)
    assert gradient.numpy().sum() == 4


def test_overlapping_windows_add_up() -> None:
    x = tf.constant(np.array([1.0, 3.0, 2.0]).reshape(1, 1, 3, 1))
    (gradient,) = tf.gradients(tf.nn.max_pool2d(x, (1, 2), 1, "VALID"), x)
    assert gradient.numpy().ravel().tolist() == [0, 2, 0]


def test_a_missing_number_is_the_largest() -> None:
    x = tf.constant(np.array([1.0, np.nan, 2.0]).reshape(1, 3, 1))
    assert np.isnan(tf.nn.max_pool1d(x, 3, 1, "VALID").numpy()).all()


def test_integers_are_pooled() -> None:
    x = tf.constant(np.array([[-3, -2], [-5, -4]], np.int32).reshape(1, 2, 2, 1))
    assert tf.nn.max_pool(x, 2, 2, "SAME").numpy().item() == -2


def test_the_average_counts_what_is_there() -> None:
    x = tf.constant(np.array([1.0, 2.0, 6.0]).reshape(1, 3, 1))
    averages = tf.nn.avg_pool1d(x, 2, 2, "SAME")
    assert averages.numpy().ravel().tolist() == [1.5, 6]
    (gradient,) = tf.gradients(averages, x)
    assert gradient.numpy().ravel().tolist() == [0.5, 0.5, 1]


def test_the_rank_says_how_many_axes_are_pooled() -> None:
    cube = spread(1, 2, 2, 2, 1)
    assert tf.nn.max_pool(tf.constant(cube), 2, 2).numpy().item() == cube.max()
    np.testing.assert_allclose(
        tf.nn.avg_pool(tf.constant(cube), 2, 2).numpy().item(), cube.mean(), rtol=1e-12
    )
    pooled = tf.nn.pool(tf.constant(cube), (2, 1, 2), "AVG")
    np.testing.assert_allclose(pooled.numpy()[0, 0, :, 0, 0], cube.mean((0, 1, 3, 4)), rtol=1e-12)


def test_channels_may_come_first() -> None:
    photo = spread(1, 4, 4, 2)
    last = tf.nn.max_pool2d(tf.constant(photo), 2, 2, "VALID")
    first = tf.nn.max_pool2d(tf.constant(photo.transpose(0, 3, 1, 2)), 2, 2, "VALID", "NCHW")
    assert np.array_equal(first.numpy().transpose(0, 2, 3, 1), last.numpy())
    narrow = tf.nn.avg_pool1d(tf.constant(spread(1, 2, 4)), 2, 2, "VALID", "NCW")
    assert narrow.shape == (1, 2, 2)


def test_the_gradient_of_the_gradient_picks_the_same_places() -> None:
    x = tf.constant(spread(1, 2, 2, 1))
    upstream = tf.constant(spread(1, 1, 1, 1))
    (gradient,) = tf.gradients(tf.nn.max_pool2d(x, 2, 2, "VALID"), x, upstream)
    direction = spread(1, 2, 2, 1, seed=5)
    (second,) = tf.gradients(gradient, upstream, tf.constant(direction))
    assert second.numpy().item() == direction.ravel()[np.argmax(x.numpy())]


def test_what_does_not_fit_is_named() -> None:
    with pytest.raises(ShapeError, match=r"MaxPool: a window of extent 3 does not fit"):
        tf.nn.max_pool2d(tf.zeros([1, 2, 2, 1]), 3, 1, "VALID")
    with pytest.raises(ArgumentError, match="a pool takes a tensor with 3, 4 or 5 axes"):
        tf.nn.max_pool(tf.zeros([2, 2]), 2, 2)
    with pytest.raises(ArgumentError, match="pooling_type is 'MAX' or 'AVG'"):
        tf.nn.pool(tf.zeros([1, 2, 1]), 2, "SUM")
    with pytest.raises(ShapeError, match=r"ksize .* one positive number per axis"):
        tf.nn.max_pool2d(tf.zeros([1, 2, 2, 1]), 0, 1, "VALID")
