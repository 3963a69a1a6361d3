"""Rearranging space into channels or batch: there and back."""

from __future__ import annotations

import numpy as np
import pytest

import engine as tf
from engine.errors import ArgumentError, ShapeError
from tests.sample_tables import spread


def test_a_block_becomes_the_channels_of_one_pixel() -> None:
    x = np.arange(16.0).reshape(1, 4, 4, 1)
    deep = tf.nn.space_to_depth(tf.constant(x), 2)
    assert deep.numpy()[0, 0, 1].tolist() == [2, 3, 6, 7]
    assert np.array_equal(tf.nn.depth_to_space(deep, 2).numpy(), x)


def test_a_place_in_the_block_becomes_a_batch_entry() -> None:
    x = np.arange(4.0).reshape(1, 2, 2, 1)
    batched = tf.nn.space_to_batch(tf.constant(x), [2, 2], [[0, 0], [0, 0]])
    assert batched.numpy().ravel().tolist() == [0, 1, 2, 3]
    assert batched.shape == (4, 1, 1, 1)


def test_there_and_back_is_nothing() -> None:
    x = spread(2, 3, 5, 2)
    paddings = [[1, 0], [0, 1]]
    batched = tf.nn.space_to_batch(tf.constant(x), [2, 3], paddings)
    assert np.array_equal(tf.nn.batch_to_space(batched, [2, 3], paddings).numpy(), x)


def test_what_does_not_fit_is_named() -> None:
    with pytest.raises(ShapeError, match="SpaceToDepth: the height 3 is no multiple of 2"):
        tf.nn.space_to_depth(tf.zeros([1, 3, 2, 1]), 2)
    with pytest.raises(ShapeError, match="the padded size 3 is no multiple of 2"):
        tf.nn.space_to_batch(tf.zeros([1, 3]), [2], [[0, 0]])
    with pytest.raises(ShapeError, match=r"crops .* remove more than there is"):
        tf.nn.batch_to_space(tf.zeros([2, 1]), [2], [[2, 1]])
    with pytest.raises(ArgumentError, match="block_size is 1 or more"):
        tf.nn.space_to_depth(tf.zeros([1, 2, 2, 1]), 0)
    with pytest.raises(ArgumentError, match="crops hold a pair"):
        tf.nn.batch_to_space(tf.zeros([2, 1]), [2], [[-1, 1]])
