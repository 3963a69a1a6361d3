"""Ways without edges: through the state of a variable, and through NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np

import engine as tf
from engine import explain
from engine.explain import Detour, DetourKind, State


def _detours(y: Any, x: Any) -> tuple[Detour, ...]:
    assert tf.gradients(y, [x]) == [None]
    (verdict,) = explain.why(tf.get_default_graph().backwards[-1])
    assert verdict.state is State.NONE
    return verdict.detours


def test_an_assignment_carries_a_value_but_no_gradient() -> None:
    x, state = tf.Variable(3.0), tf.Variable(0.0)
    written = 2.0 * x
    state.assign_add(written)
    (detour,) = _detours(state * state, x)
    assert detour.kind is DetourKind.STATE
    assert detour.tensor is written
    assert detour.op.type == "AssignAddVariableOp"


def test_of_several_assignments_in_a_row_the_first_is_named() -> None:
    x, one, other = tf.Variable(3.0), tf.Variable(0.0), tf.Variable(0.0)
    one.assign(x)
    other.assign_sub(one.value())
    (detour,) = _detours(other * 2.0, x)
    assert detour.op.inputs[0] is one.handle


def test_an_assignment_after_the_read_does_not_count() -> None:
    x, state = tf.Variable(3.0), tf.Variable(1.0)
    y = state * 2.0
    state.assign(x)
    assert _detours(y, x) == ()


def test_a_value_that_went_through_numpy_is_a_constant() -> None:
    x = tf.Variable([1.0, 2.0])
    square = x**2.0
    y = tf.reduce_sum(tf.constant([4.0, 4.0]) * np.exp(square))
    (detour,) = _detours(y, x)
    assert detour.kind is DetourKind.OUTSIDE
    assert detour.tensor is square
    np.testing.assert_allclose(detour.op.attrs["value"], np.exp([1.0, 4.0]), rtol=1e-6)


def test_a_value_fetched_by_a_session_left_too() -> None:
    x = tf.Variable(3.0)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        fetched = session.run(x)
    (detour,) = _detours(tf.constant(fetched) * 2.0, x)
    assert detour.kind is DetourKind.OUTSIDE


def test_constants_made_before_or_written_as_numbers_are_no_detours() -> None:
    x = tf.Variable(3.0)
    before = tf.constant(np.float32(2.0))
    float(x)
    assert _detours(before * 5.0, x) == ()


def test_printing_lets_nothing_out() -> None:
    x = tf.Variable(3.0)
    square = x * x
    assert "9.0" in f"{square!r} {square}"
    assert _detours(tf.constant(np.float32(9.0)) * 2.0, x) == ()
