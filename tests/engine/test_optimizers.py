"""TensorFlow 2's optimizers: the older rules by newer names."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

import engine as tf
from engine import optimizers
from engine.graph import Graph
from engine.tape import GradientTape


@pytest.fixture(autouse=True)
def graph() -> Iterator[Graph]:
    with Graph().as_default() as graph:
        yield graph


def test_a_training_loop() -> None:
    x, optimizer = tf.Variable(5.0), optimizers.SGD(learning_rate=0.1)
    losses = []
    for _ in range(4):
        with GradientTape() as tape:
            loss = tf.square(x - 1.0)
        optimizer.apply_gradients(zip(tape.gradient(loss, [x]), [x], strict=True))
        losses.append(loss.numpy())
    # the distance to 1 shrinks by 0.8 in each step
    np.testing.assert_allclose(losses, 16.0 * 0.64 ** np.arange(4), rtol=1e-6)
    np.testing.assert_allclose(x.numpy(), 1.0 + 4.0 * 0.8**4, rtol=1e-6)


def test_momentum_and_nesterov() -> None:
    plain, ahead = tf.Variable(np.float64(1.0)), tf.Variable(np.float64(1.0))
    one = optimizers.SGD(0.1, momentum=0.5)
    other = optimizers.SGD(0.1, momentum=0.5, nesterov=True)
    for _ in range(2):
        one.minimize(lambda: 2.0 * plain, [plain])
        other.minimize(lambda: 2.0 * ahead, [ahead])
    # a = 2, 3: plain moves by 0.2 and 0.3, nesterov by 0.1 (2 + 1) and 0.1 (2 + 1.5)
    np.testing.assert_allclose([plain.numpy(), ahead.numpy()], [0.5, 0.35], rtol=1e-12)
    assert [variable.name for variable in one.variables] == ["Variable/SGD:0"]


def test_the_first_step_of_adam_is_the_rate() -> None:
    x = tf.Variable([1.0, 1.0])
    optimizer = optimizers.Adam(learning_rate=0.25)
    optimizer.minimize(lambda: tf.reduce_sum(x * [3.0, -700.0]), x)
    np.testing.assert_allclose(x.numpy(), [0.75, 1.25], rtol=1e-6)
    assert optimizer.name == "Adam"


def test_the_rate_may_be_changed() -> None:
    x, optimizer = tf.Variable(1.0), optimizers.SGD(0.5)
    optimizer.learning_rate = 0.25
    assert optimizer.lr == 0.25
    optimizer.minimize(lambda: 2.0 * x, [x])
    assert x.numpy() == 0.5


def test_a_loss_that_is_a_tensor_needs_its_tape() -> None:
    x, optimizer = tf.Variable(1.0), optimizers.SGD(0.5)
    with GradientTape() as tape:
        loss = x * x
    optimizer.minimize(loss, x, tape=tape)
    assert x.numpy() == 0.0
    with pytest.raises(ValueError, match="`tape` is required when a Tensor is given as loss"):
        optimizer.minimize(loss, [x])
