"""Losses: values and derivatives by hand, weights and reductions."""

from __future__ import annotations

import numpy as np
import pytest

import engine as tf
from engine.errors import ArgumentError, ShapeError

LABELS = np.array([1.0, 0.0, 1.0])
FOUND = np.array([0.5, 0.25, 3.0])


def _both(function: object, *args: object, **kwargs: object) -> tuple[float, list[float]]:
    x = tf.constant(FOUND)
    loss = function(LABELS, x, *args, **kwargs)  # type: ignore[operator]
    return float(loss.numpy()), tf.gradients(loss, x)[0].numpy().tolist()


def test_squares() -> None:
    value, slope = _both(tf.losses.mean_squared_error)
    assert value == pytest.approx((0.25 + 0.0625 + 4) / 3)
    assert slope == pytest.approx([-1 / 3, 0.5 / 3, 4 / 3])


def test_distances() -> None:
    value, slope = _both(tf.losses.absolute_difference)
    assert value == pytest.approx(2.75 / 3)
    assert slope == pytest.approx([-1 / 3, 1 / 3, 1 / 3])


def test_hinge() -> None:
    value, slope = _both(tf.losses.hinge_loss)
    assert value == pytest.approx((0.5 + 1.25 + 0) / 3)
    assert slope == pytest.approx([-1 / 3, 1 / 3, 0])
    kink = tf.constant([1.0])
    assert tf.gradients(tf.losses.hinge_loss([1.0], kink), kink)[0].numpy().tolist() == [0]


def test_huber() -> None:
    value, slope = _both(tf.losses.huber_loss)
    assert value == pytest.approx((0.125 + 0.03125 + 1.5) / 3)
    assert slope == pytest.approx([-0.5 / 3, 0.25 / 3, 1 / 3])
    border = tf.constant([2.0])
    slope_there = tf.gradients(tf.losses.huber_loss([0.0], border, delta=2.0), border)[0]
    assert slope_there.numpy().tolist() == [2]


def test_logarithms() -> None:
    x = tf.constant([0.5, 0.25])
    loss = tf.losses.log_loss([1.0, 0.0], x, epsilon=0.0)
    assert float(loss.numpy()) == pytest.approx(-(np.log(0.5) + np.log(0.75)) / 2)
    assert tf.gradients(loss, x)[0].numpy().tolist() == pytest.approx([-1, 2 / 3])


def test_cross_entropies_are_means() -> None:
    logits = tf.constant(np.array([[1.0, 2.0], [0.5, -1.0]]))
    onehot = np.array([[0.0, 1.0], [1.0, 0.0]])
    each = -np.log([np.exp(2) / (np.e + np.exp(2)), np.exp(0.5) / (np.exp(0.5) + np.exp(-1))])
    dense = tf.losses.softmax_cross_entropy(onehot, logits)
    sparse = tf.losses.sparse_softmax_cross_entropy([1, 0], logits)
    assert float(dense.numpy()) == pytest.approx(each.mean())
    assert float(sparse.numpy()) == pytest.approx(each.mean())
    smooth = tf.losses.softmax_cross_entropy(onehot, logits, label_smoothing=1.0)
    flat = tf.losses.softmax_cross_entropy(np.full((2, 2), 0.5), logits)
    assert float(smooth.numpy()) == pytest.approx(float(flat.numpy()))
    half = tf.losses.sigmoid_cross_entropy([1.0], tf.constant([0.0]), label_smoothing=0.5)
    assert float(half.numpy()) == pytest.approx(np.log(2))


@pytest.mark.parametrize(
    ("reduction", "expected"),
    [
        ("NONE", [1, 0, 6]),
        ("SUM", 7),
        ("MEAN", 7 / 3),
        ("SUM_OVER_BATCH_SIZE", 7 / 3),
        ("SUM_BY_NONZERO_WEIGHTS", 7 / 2),
    ],
)
def test_weights(reduction: str, expected: object) -> None:
    how = getattr(tf.losses.Reduction, reduction)
    loss = tf.losses.compute_weighted_loss(
        tf.constant([1.0, 2.0, 3.0]), [1.0, 0.0, 2.0], reduction=how
    )
    np.testing.assert_allclose(loss.numpy(), expected, rtol=1e-6)


def test_nothing_to_average_is_zero() -> None:
    assert tf.losses.compute_weighted_loss(tf.constant([1.0]), [0.0]).numpy() == 0
    assert tf.losses.mean_squared_error(tf.zeros([0]), tf.zeros([0])).numpy() == 0


def test_an_unknown_size_is_counted_at_run_time() -> None:
    x = tf.placeholder(tf.float32, [None])
    loss = tf.losses.mean_squared_error(x * 0.0, x)
    with tf.Session() as session:
        assert session.run(loss, {x: [1.0, 3.0]}) == 5


def test_refusals() -> None:
    with pytest.raises(ShapeError, match="not compatible"):
        tf.losses.mean_squared_error(tf.zeros([2]), tf.zeros([3]))
    with pytest.raises(ArgumentError, match="unknown reduction"):
        tf.losses.compute_weighted_loss(tf.zeros([2]), reduction="median")
