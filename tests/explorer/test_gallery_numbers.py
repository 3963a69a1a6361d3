"""The numbers of the larger examples, derived once more with NumPy and a complex step."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from explorer.gallery import example
from explorer.gallery.catalog import Numbers


def _complex_step(function: Callable[[Any], Any], at: np.ndarray) -> np.ndarray:
    """Return the gradient of a real analytic function, exact to rounding."""
    gradient = np.zeros(at.shape)
    for index in np.ndindex(at.shape):
        point = at.astype(complex)
        point[index] += 1e-30j
        gradient[index] = function(point).imag / 1e-30
    return gradient


def _compare(expected: Numbers, *gradients: np.ndarray) -> None:
    got = np.concatenate([gradient.ravel() for gradient in gradients])
    assert got.tolist() == pytest.approx(list(expected), rel=2e-5, abs=1e-6)


def _softmax(scores: np.ndarray) -> Any:
    raised = np.exp(scores)
    return raised / raised.sum(axis=-1, keepdims=True)


def test_mixture() -> None:
    data, means = np.array([[2.0], [2.5], [3.0]]), np.array([0.0, 2.0])

    def log_p(mu: np.ndarray) -> np.ndarray:
        return -0.5 * (data - mu) ** 2

    held = _softmax(log_p(means))
    with_stop, without, exact = example("expectation_maximization").expected
    _compare(with_stop, _complex_step(lambda mu: (held * log_p(mu)).sum(), means))
    _compare(without, _complex_step(lambda mu: (_softmax(log_p(mu)) * log_p(mu)).sum(), means))
    likelihood = _complex_step(lambda mu: np.log(np.exp(log_p(mu)).sum(axis=1)).sum(), means)
    _compare(exact, likelihood)
    assert with_stop[0] is not None and without[0] is not None and with_stop[0] * without[0] < 0


def test_contrastive_divergence() -> None:
    weights, v = np.array([[0.5, -0.5], [1.0, 0.25]]), np.array([[1.0, 0.0]])

    def on(value: np.ndarray) -> np.ndarray:
        return 1.0 / (1.0 + np.exp(-value))

    def weight(state: np.ndarray, w: np.ndarray) -> Any:
        return np.log(1.0 + np.exp(state @ w)).sum()

    h = (on(v @ weights) > np.array([[0.3, 0.6]])).astype(float)
    m = on(h @ weights.T)
    with_stop, without = example("contrastive_divergence").expected
    _compare(with_stop, v.T @ on(v @ weights) - m.T @ on(m @ weights))
    _compare(without, _complex_step(lambda w: weight(v, w) - weight(on(h @ w.T), w), weights))


def test_small_network() -> None:
    x = np.array([[1.0, -1.0]])
    w1, b1 = np.array([[0.5, -0.3], [0.2, 0.4]]), np.array([0.1, 0.0])
    w2 = np.array([[1.0, -1.0], [0.5, -0.5]])

    def of_logits(logits: np.ndarray) -> Any:
        return -np.log(_softmax(logits)[0, 1])

    def loss(w1: np.ndarray, b1: np.ndarray, w2: np.ndarray) -> Any:
        return of_logits(np.tanh(x @ w1 + b1) @ w2)

    (expected,) = example("small_network").expected
    _compare(
        expected,
        _complex_step(lambda w: loss(w, b1, w2), w1),
        _complex_step(lambda b: loss(w1, b, w2), b1),
        _complex_step(lambda w: loss(w1, b1, w), w2),
        _complex_step(of_logits, np.tanh(x @ w1 + b1) @ w2),
    )


def test_recurrent_weights() -> None:
    def loss(weights: np.ndarray) -> Any:
        h: Any = 0.2
        for value in (1.0, -0.5, 0.25):
            h = np.tanh(weights[0] * h + weights[1] * value)
        return h**2

    (expected,) = example("recurrent_weights").expected
    _compare(expected, _complex_step(loss, np.array([0.5, 1.0])))


def test_batch_norm() -> None:
    batch = np.array([1.0, 2.0, 4.0])

    def first(x: np.ndarray) -> Any:
        variance = ((x - x.mean()) ** 2).mean()
        return 2.0 * (x[0] - x.mean()) / np.sqrt(variance + 0.25)

    training, _ = example("batch_norm").expected
    gradient = _complex_step(first, batch)
    _compare(training[:3], gradient)
    assert gradient.sum() == pytest.approx(0.0, abs=1e-12)


def test_attention() -> None:
    q, k = np.eye(2), np.array([[1.0, 0.5], [-0.5, 1.0]])
    v = np.array([[1.0, 2.0], [3.0, 4.0]])

    def loss(q: np.ndarray, k: np.ndarray, v: np.ndarray) -> Any:
        out = _softmax(q @ k.T / np.sqrt(2.0) + np.array([[0.0, -1e9], [0.0, 0.0]])) @ v
        return out[0, 0] + 2.0 * out[1, 1]

    (expected,) = example("attention").expected
    _compare(
        expected,
        _complex_step(lambda q: loss(q, k, v), q),
        _complex_step(lambda k: loss(q, k, v), k),
        _complex_step(lambda v: loss(q, k, v), v),
    )


def test_gradient_penalty() -> None:
    x = np.array([[0.5], [-1.0]])
    w, v = np.array([[0.3, -0.6], [0.8, 0.1]]), np.array([[1.0], [-0.5]])

    def gradient(w: np.ndarray, v: np.ndarray) -> Any:
        return w.T @ (v * (1.0 - np.tanh(w @ x) ** 2))

    def penalty(w: np.ndarray, v: np.ndarray) -> Any:
        return (np.sqrt((gradient(w, v) ** 2).sum()) - 1.0) ** 2

    inner, outer = example("gradient_penalty").expected
    _compare(inner, gradient(w, v))
    _compare(
        outer,
        _complex_step(lambda w: penalty(w, v), w),
        _complex_step(lambda v: penalty(w, v), v),
    )
