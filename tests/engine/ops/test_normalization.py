"""Batch, layer and local response normalisation, and moments."""

from __future__ import annotations

import numpy as np
import pytest

import engine as tf
from engine.errors import ArgumentError, ArgumentTypeError, DTypeError
from tests.sample_tables import spread

BATCH = spread(4, 3, 2, 2)


def test_a_fused_batch_is_normalised() -> None:
    y, mean, variance = tf.nn.fused_batch_norm(
        tf.constant(BATCH), tf.constant([2.0, 3.0], tf.float64), tf.constant([1.0, -1], tf.float64)
    )
    axes = (0, 1, 2)
    np.testing.assert_allclose(y.numpy().mean(axes), [1, -1], atol=1e-12)
    expected = np.array([2, 3]) * np.sqrt(BATCH.var(axes) / (BATCH.var(axes) + 0.001))
    np.testing.assert_allclose(y.numpy().std(axes), expected, rtol=1e-12)
    np.testing.assert_allclose(mean.numpy(), BATCH.mean(axes), rtol=1e-12)
    np.testing.assert_allclose(variance.numpy(), BATCH.var(axes, ddof=1), rtol=1e-12)


def test_inference_uses_the_statistics_given() -> None:
    two = [tf.constant(np.array(values)) for values in ([1.0, 1], [0.0, 0], [2.0, 3], [4.0, 9])]
    y, mean, variance = tf.nn.fused_batch_norm(
        tf.constant(BATCH), *two, epsilon=0.0, is_training=False
    )
    np.testing.assert_allclose(y.numpy(), (BATCH - [2, 3]) / [2, 3], rtol=1e-12)
    assert (mean.numpy().tolist(), variance.numpy().tolist()) == ([2, 3], [4, 9])


def test_half_precision_keeps_its_statistics_in_single() -> None:
    y, mean, _ = tf.nn.fused_batch_norm(
        tf.constant(BATCH.astype(np.float16)), tf.ones([2]), tf.zeros([2])
    )
    assert (y.dtype, mean.dtype) == (tf.float16, tf.float32)
    x = tf.constant(BATCH.astype(np.float16))
    (gradient,) = tf.gradients(tf.nn.fused_batch_norm(x, tf.ones([2]), tf.zeros([2]))[0], x)
    assert gradient.dtype == tf.float16


def test_batch_normalisation_refuses_what_it_cannot_do() -> None:
    with pytest.raises(ArgumentTypeError, match="mean and variance are needed"):
        tf.nn.fused_batch_norm(tf.constant(BATCH), tf.ones([2]), tf.ones([2]), is_training=False)
    with pytest.raises(ArgumentError, match="data_format is for example"):
        tf.nn.fused_batch_norm(tf.constant(BATCH), tf.ones([2]), tf.ones([2]), data_format="HW")
    with pytest.raises(DTypeError, match="takes floating numbers"):
        tf.nn.fused_batch_norm(tf.ones([1, 1, 1, 2], tf.int32), tf.ones([2]), tf.ones([2]))


def test_response_is_divided_by_that_of_the_neighbours() -> None:
    x = np.array([1.0, 2.0, 3.0]).reshape(1, 1, 1, 3)
    y = tf.nn.lrn(tf.constant(x), depth_radius=1, bias=1.0, alpha=1.0, beta=0.5).numpy().ravel()
    np.testing.assert_allclose(y, [1 / 6**0.5, 2 / 15**0.5, 3 / 14**0.5], rtol=1e-12)


def test_moments_are_mean_and_variance() -> None:
    mean, variance = tf.nn.moments(tf.constant(BATCH), [0, 2])
    np.testing.assert_allclose(mean.numpy(), BATCH.mean((0, 2)), rtol=1e-12)
    np.testing.assert_allclose(variance.numpy(), BATCH.var((0, 2)), rtol=1e-12)
    kept, _ = tf.nn.moments(tf.constant(BATCH), [0, 2], keepdims=True)
    assert kept.shape == (1, 3, 1, 2)
    assert kept.name.startswith("moments")


def test_the_second_derivative_of_a_variance_is_true() -> None:
    x = tf.constant(spread(3))
    _, variance = tf.nn.moments(x, [0])
    (hessian,) = tf.hessians(variance, [x])
    np.testing.assert_allclose(hessian.numpy(), 2 / 3 * (np.eye(3) - 1 / 3), atol=1e-12)


def test_a_layer_is_normalised_example_by_example() -> None:
    x = spread(4, 5)
    y = tf.nn.layer_norm(tf.constant(x), gamma=np.full(5, 2.0), beta=np.ones(5), epsilon=0.0)
    expected = 2 * (x - x.mean(1, keepdims=True)) / x.std(1, keepdims=True) + 1
    np.testing.assert_allclose(y.numpy(), expected, rtol=1e-9)
    assert y.name.startswith("layer_norm/")


def test_normalised_vectors_have_length_one() -> None:
    y = tf.nn.l2_normalize(tf.constant(spread(3, 4)), axis=1).numpy()
    np.testing.assert_allclose((y**2).sum(1), 1, rtol=1e-12)
    assert tf.nn.l2_normalize(tf.zeros([3])).numpy().tolist() == [0, 0, 0]
    with pytest.raises(ArgumentError, match="give only axis"):
        tf.nn.l2_normalize(tf.zeros([3]), axis=0, dim=0)
