"""Recurrent cells beside the same formulas in NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np

import engine as tf
from tests.sample_tables import spread


def _sigmoid(x: Any) -> Any:
    return 1 / (1 + np.exp(-x))


def test_an_lstm_step() -> None:
    x, h, c = spread(2, 3), spread(2, 2, seed=1), spread(2, 2, seed=2)
    kernel, bias = spread(5, 8), spread(8)
    gates = np.concatenate([x, h], 1) @ kernel + bias
    i, j, f, o = np.split(gates, 4, 1)
    new_c = c * _sigmoid(f + 1) + _sigmoid(i) * np.tanh(j)
    found_h, found_c = tf.nn.lstm_cell(*map(tf.constant, [x]), (h, c), kernel, bias)
    np.testing.assert_allclose(found_c.numpy(), new_c, rtol=1e-12)
    np.testing.assert_allclose(found_h.numpy(), np.tanh(new_c) * _sigmoid(o), rtol=1e-12)
    assert found_h.name.startswith("lstm_cell/")


def test_a_gru_step() -> None:
    x, h = spread(2, 3), spread(2, 2, seed=1)
    gate_kernel, gate_bias = spread(5, 4), spread(4)
    kernel, bias = spread(5, 2), spread(2)
    r, u = np.split(_sigmoid(np.concatenate([x, h], 1) @ gate_kernel + gate_bias), 2, 1)
    candidate = np.tanh(np.concatenate([x, r * h], 1) @ kernel + bias)
    found = tf.nn.gru_cell(tf.constant(x), h, gate_kernel, gate_bias, kernel, bias)
    np.testing.assert_allclose(found.numpy(), u * h + (1 - u) * candidate, rtol=1e-12)
    assert found.name.startswith("gru_cell/")


def test_the_scopes_of_two_steps_differ() -> None:
    x, h, c = (tf.constant(spread(1, 2, seed=seed)) for seed in range(3))
    kernel, bias = tf.constant(spread(4, 8)), tf.constant(spread(8))
    state = tf.nn.lstm_cell(x, (h, c), kernel, bias)
    state = tf.nn.lstm_cell(x, state, kernel, bias)
    assert state[0].name.startswith("lstm_cell_1/")
    (gradient,) = tf.gradients(state[0], kernel)
    assert gradient.shape == (4, 8)
