"""Gradients that are stopped on purpose: what is cut, what that holds back, what stays."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import engine as tf
from engine import explain
from engine.backward import Reason
from engine.explain import State
from engine.paths import Path
from tests.cases.asking import (
    blocked,
    close,
    const,
    derivatives,
    equal,
    expected,
    grad,
    held_back,
    last,
    products,
    var,
    verdict,
)


def test_g1_013_partial_derivatives_hold_tensors_constant() -> None:
    right = expected("G1-013")
    a = var(1.5)
    b = 2.0 * a
    c = a + b
    d = c * c
    close(d, right["d"])
    close(grad(d, a), right["total"])
    # Each way through c counts twice, once per factor of c * c.
    assert sorted(float(product) for product in products()) == [4.5, 4.5, 9.0, 9.0]
    assert held_back() == []
    close(grad(d, a, stop_gradients=[b]), right["b_held"])
    close(held_back()[0], right["total"] - right["b_held"])
    (stopped,) = explain.stopped_paths(last(), last().xs[0])
    assert [float(path.product) for path in stopped.paths] == [9.0, 9.0]
    assert {path.cut.op for path in stopped.paths if path.cut} == {b.op}
    for found, partial in zip(
        tf.gradients(d, [a, b], stop_gradients=[a, b]), right["pair"], strict=True
    ):
        close(found, partial)
    assert grad(d, a, stop_gradients=[c]) is right["c_held"]
    assert {reason for _, reason in blocked()} == {Reason.STOP_ARGUMENT}
    close(grad(d, a), right["total"])


def test_g1_015_single_entries_are_frozen_by_a_mask() -> None:
    right = expected("G1-015")
    t, m = var([1.0, 2.0, 3.0]), const([1.0, 0.0, 1.0])
    u = tf.stop_gradient((1.0 - m) * t) + m * t
    y = tf.reduce_sum(u**2)
    equal(u, [1.0, 2.0, 3.0])
    close(y, right["y"])
    close(grad(y, t), right["grad"])
    # The zero at entry 1 is what the stop holds back: without it the gradient is 2u.
    (held,) = held_back()
    close(held, [0.0, 4.0, 0.0])
    assert verdict().state is State.ORDINARY


def test_g1_016_rounding_goes_forward_and_the_identity_backward() -> None:
    right = expected("G1-016")
    x = var(2.3)
    q = x + tf.stop_gradient(tf.round(x) - x)
    loss = (q - 5.0) ** 2
    close(q, right["q"])
    close(loss, right["L"])
    close(grad(loss, x), right["grad"])
    assert [float(product) for product in products()] == [right["grad"]]
    # The stop holds back what x passes into it; round passes nothing on anyway.
    close(held_back()[0], -right["grad"])
    assert grad((tf.round(x) - 5.0) ** 2, x) is right["bare"]
    assert blocked() == [("Round", Reason.RETURNED_NONE)]


def test_g1_018_a_stop_holds_for_derivatives_of_every_order() -> None:
    right = expected("G1-018")
    x = var(0.7)
    for found, order in zip(
        derivatives(tf.sin(x) * tf.cos(tf.stop_gradient(x)), x, 3), ("d1", "d2", "d3"), strict=True
    ):
        close(found, right[order])
    for record in tf.get_default_graph().backwards:
        assert any(cut.reason is Reason.STOP_OP for cut in record.cuts)
    plain = derivatives(tf.sin(x) * tf.cos(x), x, 3)
    for found, value in zip(plain, (np.cos(1.4), -2 * np.sin(1.4), -4 * np.cos(1.4)), strict=True):
        close(found, value)


def _over(op_type: str, path: Path) -> bool:
    return any(edge.op.type == op_type for edge in path.edges)


@pytest.mark.parametrize("stop", [tf.identity, tf.stop_gradient])
def test_g1_019_stopping_the_maximum_of_a_softmax_changes_nothing(stop: Any) -> None:
    right = expected("G1-019")
    x = var([2.0, 2.0, 1.0])
    e = tf.exp(x - stop(tf.reduce_max(x)))
    p = e / tf.reduce_sum(e)
    close(grad(p[0], x), right["grad"])
    record = last()
    listed = explain.paths(record, record.xs[0], limit=100)
    ways = [path.product for path in listed.paths if _over("Max", path)]
    assert bool(ways) == (stop is tf.identity)
    close(np.sum(ways, axis=0) if ways else held_back()[0], np.zeros(3), atol=1e-15)
    close(np.sum([path.product for path in listed.paths], axis=0), right["grad"])
