"""The forward accumulator."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

import engine as tf
from engine.graph import Graph


@pytest.fixture(autouse=True)
def graph() -> Iterator[Graph]:
    with Graph().as_default() as graph:
        yield graph


def test_a_direction_of_two_primals() -> None:
    x, w = tf.constant([2.0, 3.0]), tf.Variable([5.0, 7.0])
    with tf.autodiff.ForwardAccumulator([x, w], [[1.0, 0.0], [0.0, 1.0]]) as acc:
        y = tf.reduce_sum(x * w)
    assert acc.jvp(y).numpy() == 5.0 + 3.0
    assert acc.jvp(x).numpy().tolist() == [1.0, 0.0]


def test_only_what_is_computed_inside_counts() -> None:
    x = tf.constant(3.0)
    before = x * x
    with tf.autodiff.ForwardAccumulator(x, 1.0) as acc:
        y = before * x
    after = y * x
    assert acc.jvp(y).numpy() == 9.0
    assert acc.jvp(before) is None
    assert acc.jvp([after], unconnected_gradients="zero")[0].numpy() == 0.0


def test_a_tape_inside_gives_the_hessian_times_the_direction() -> None:
    x = tf.constant([1.0, 2.0])
    with tf.autodiff.ForwardAccumulator(x, [1.0, 10.0]) as acc:
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = x[0] ** 3.0 * x[1]
        gradient = tape.gradient(y, x)
    # H = [[6 x0 x1, 3 x0²], [3 x0², 0]]
    np.testing.assert_allclose(acc.jvp(gradient).numpy(), [12.0 + 30.0, 3.0], rtol=1e-6)


def test_one_inside_another() -> None:
    x = tf.constant(2.0)
    with tf.autodiff.ForwardAccumulator(x, 1.0) as outer:
        with tf.autodiff.ForwardAccumulator(x, 1.0) as inner:
            y = x**3.0
        slope = inner.jvp(y)
    assert slope.numpy() == pytest.approx(12.0)
    assert outer.jvp(slope).numpy() == pytest.approx(12.0)


def test_misuse() -> None:
    x = tf.constant(1.0)
    with pytest.raises(RuntimeError, match="without first tracing anything"):
        tf.autodiff.ForwardAccumulator(x, 1.0).jvp(x)
    with pytest.raises(ValueError, match="is int32; only floating and complex"):
        tf.autodiff.ForwardAccumulator(tf.constant(1), 1)
    with pytest.raises(ValueError, match="must have its shape"):
        tf.autodiff.ForwardAccumulator(x, [1.0])
