"""Softmax and the losses: stable values, gradients in closed form, Hessians, refusals."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import engine as tf
from engine.ops.softmax import (
    log_softmax,
    sigmoid_cross_entropy_with_logits,
    softmax,
    softmax_cross_entropy_with_logits,
    sparse_softmax_cross_entropy_with_logits,
)

LOGITS = np.array([[1.0, 2.0, 0.5], [-1.0, 0.0, 3.0]])
LABELS = np.array([[0.2, 0.5, 0.3], [1.0, 0.0, 0.0]])
P = np.exp(LOGITS) / np.exp(LOGITS).sum(1, keepdims=True)


@pytest.fixture(autouse=True)
def _own_graph() -> Any:
    with tf.Graph().as_default():
        yield


def test_softmax_along_any_axis() -> None:
    np.testing.assert_allclose(softmax(tf.constant(LOGITS)).numpy(), P)
    np.testing.assert_allclose(softmax(tf.constant(LOGITS.T), axis=0).numpy(), P.T)
    np.testing.assert_allclose(log_softmax(tf.constant(LOGITS.T), axis=0).numpy(), np.log(P.T))


def test_large_logits_do_not_overflow() -> None:
    np.testing.assert_array_equal(softmax(tf.constant([1000.0, 0.0])).numpy(), [1.0, 0.0])
    np.testing.assert_array_equal(log_softmax(tf.constant([1000.0, 0.0])).numpy(), [0.0, -1000.0])


def test_the_gradient_of_the_loss_is_softmax_minus_labels() -> None:
    x = tf.constant(LOGITS)
    loss = softmax_cross_entropy_with_logits(labels=LABELS, logits=x)
    np.testing.assert_allclose(loss.numpy(), -(LABELS * np.log(P)).sum(1))
    (gradient,) = tf.gradients(loss, x)
    np.testing.assert_allclose(gradient.numpy(), P - LABELS)
    assert [op.type for op in tf.get_default_graph().operations].count("Softmax") == 0


def test_the_sparse_loss_is_the_loss_with_one_hot_labels() -> None:
    x = tf.constant(LOGITS)
    loss = sparse_softmax_cross_entropy_with_logits(labels=[2, 0], logits=x)
    np.testing.assert_allclose(loss.numpy(), [-np.log(P[0, 2]), -np.log(P[1, 0])])
    (gradient,) = tf.gradients(loss, x)
    np.testing.assert_allclose(gradient.numpy(), P - np.array([[0, 0, 1], [1, 0, 0]]))


@pytest.mark.parametrize("sparse", [False, True])
def test_the_hessian_is_that_of_softmax(sparse: bool) -> None:
    x = tf.constant(LOGITS[0])
    if sparse:
        loss = sparse_softmax_cross_entropy_with_logits(labels=1, logits=x)
    else:
        loss = softmax_cross_entropy_with_logits(labels=LABELS[0], logits=x)
    (first,) = tf.gradients(loss, x)
    rows = [tf.gradients(first[k], x)[0].numpy() for k in range(3)]
    p = P[0]
    np.testing.assert_allclose(rows, np.diag(p) - np.outer(p, p), atol=1e-15)


def test_labels_get_minus_log_softmax() -> None:
    labels = tf.constant(LABELS)
    loss = softmax_cross_entropy_with_logits(labels, tf.constant(LOGITS))
    (gradient,) = tf.gradients(loss, labels)
    np.testing.assert_allclose(gradient.numpy(), -np.log(P))


def test_classes_along_another_axis() -> None:
    loss = softmax_cross_entropy_with_logits(LABELS.T, tf.constant(LOGITS.T), axis=0)
    np.testing.assert_allclose(loss.numpy(), -(LABELS * np.log(P)).sum(1))


def test_a_label_of_zero_ignores_an_infinite_logit() -> None:
    loss = softmax_cross_entropy_with_logits([[1.0, 0.0]], tf.constant([[0.0, -np.inf]]))
    np.testing.assert_array_equal(loss.numpy(), [0.0])


@pytest.mark.parametrize("x", [-800.0, -1.5, 0.0, 2.0, 800.0])
def test_sigmoid_cross_entropy_and_its_slope(x: float) -> None:
    logits = tf.constant(x, tf.float64)
    loss = sigmoid_cross_entropy_with_logits(labels=0.25, logits=logits)
    expected = np.logaddexp(0, x) - 0.25 * x
    (gradient,) = tf.gradients(loss, logits)
    np.testing.assert_allclose(loss.numpy(), expected)
    sigmoid = 0.0 if x < -700 else 1 / (1 + np.exp(-x))
    np.testing.assert_allclose(gradient.numpy(), sigmoid - 0.25)


def test_what_does_not_fit_is_refused() -> None:
    x = tf.constant(LOGITS)
    with pytest.raises(TypeError, match="needs both labels= and logits="):
        softmax_cross_entropy_with_logits(labels=x)
    with pytest.raises(ValueError, match="not compatible"):
        softmax_cross_entropy_with_logits(labels=LABELS[:1], logits=x)
    with pytest.raises(TypeError, match="labels are class numbers"):
        sparse_softmax_cross_entropy_with_logits(labels=[0.0, 1.0], logits=x)
    with pytest.raises(ValueError, match=r"label 3 is not in \[0, 3\)"):
        sparse_softmax_cross_entropy_with_logits(labels=[0, 3], logits=x).numpy()
    with pytest.raises(ValueError, match="must have the same shape"):
        sigmoid_cross_entropy_with_logits(labels=LABELS[:1], logits=x)
    with pytest.raises(ValueError, match="a scalar has no axis"):
        softmax(tf.constant(1.0))
