"""Dropout: by rate, by mask, and the gradient that passes where elements were kept."""

from __future__ import annotations

import numpy as np
import pytest

import engine as tf
from engine.errors import ArgumentError, DTypeError


def test_a_mask_decides_what_is_kept() -> None:
    x = tf.constant([1.0, 2.0, 3.0])
    y = tf.nn.dropout(x, 0.5, mask=[True, False, True])
    assert y.numpy().tolist() == [2, 0, 6]
    assert tf.gradients(y, x)[0].numpy().tolist() == [2, 0, 2]
    assert tf.nn.dropout(x, mask=[1, 0, 1]).numpy().tolist() == [1, 0, 3]


def test_the_rate_decides_how_much_is_kept() -> None:
    y = tf.nn.dropout(tf.ones([1000]), rate=0.25, seed=1).numpy()
    assert set(np.round(y, 5)) == {0, np.float32(1.33333)}
    assert 650 < np.count_nonzero(y) < 850
    older = tf.nn.dropout(tf.ones([1000]), keep_prob=0.75, seed=1).numpy()
    assert 650 < np.count_nonzero(older) < 850


def test_a_noise_shape_drops_whole_rows() -> None:
    y = tf.nn.dropout(tf.ones([50, 3]), 0.5, noise_shape=[None, 1], seed=2).numpy()
    assert set(y.sum(1)) == {0, 6}


def test_no_rate_is_no_change() -> None:
    x = tf.constant([1.0])
    assert tf.nn.dropout(x, 0.0) is x


def test_refusals() -> None:
    with pytest.raises(ArgumentError, match="needs a rate"):
        tf.nn.dropout(tf.ones([2]))
    with pytest.raises(ArgumentError, match="from 0 to below 1"):
        tf.nn.dropout(tf.ones([2]), 1.0)
    with pytest.raises(ArgumentError, match="give only rate"):
        tf.nn.dropout(tf.ones([2]), 0.5, keep_prob=0.5)
    with pytest.raises(ArgumentError, match="give noise_shape or a mask"):
        tf.nn.dropout(tf.placeholder(tf.float32, [None]), 0.5)
    with pytest.raises(DTypeError, match="takes floating numbers"):
        tf.nn.dropout(tf.ones([2], tf.int32), 0.5)
