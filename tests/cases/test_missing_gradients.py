"""Gradients that are None: nothing leads there, a tape looked away, or the value took a detour."""

from __future__ import annotations

import numpy as np
import pytest

import engine as tf
import explorer
from engine import explain
from engine.backward import Reason
from engine.explain import DetourKind, State, ZeroKind
from engine.tape import GradientTape
from tests.cases.asking import blocked, close, const, expected, grad, last, var, verdict


def test_g1_003_unconnected_is_none_and_not_a_zero() -> None:
    right = expected("G1-003")
    x = var([1.0, 2.0])
    k = const(5.0)
    y = k * k
    assert grad(y, x) is None
    none = verdict()
    assert (none.state, none.connected, none.zero_on_request) == (State.NONE, False, False)
    close(grad(y, x, unconnected_gradients="zero"), right["zero"])
    asked = verdict()
    assert (asked.state, asked.connected, asked.zero_on_request) == (State.NONE, False, True)
    close(grad(tf.nn.relu(-3.0 * x), x), [0.0, 0.0])
    genuine = verdict()
    assert (genuine.state, genuine.connected) == (State.ZERO, True)
    assert [(zero.kind, zero.step.op.type) for zero in genuine.zeros if zero.step] == [
        (ZeroKind.FACTOR, "Relu")
    ]


def test_g1_004_no_xs_give_an_empty_list() -> None:
    b = tf.reduce_sum(var([100.0]))
    assert tf.gradients(b, []) == expected("G1-004")["result"]
    assert explain.why(last()) == ()


def test_g1_005_a_tape_does_not_watch_a_constant() -> None:
    right = expected("G1-005")
    x = const(9.0)
    with GradientTape() as tape:
        y = x * x
    assert tape.gradient(y, x) is right["unwatched"]
    assert verdict().connected
    assert blocked() == [("Mul", Reason.NOT_WATCHED)] * 2
    with GradientTape() as tape:
        tape.watch(x)
        y = x * x
    close(tape.gradient(y, x), right["watched"])
    x = var(9.0)
    with GradientTape() as tape:
        y = x * x
    close(tape.gradient(y, x), right["variable"])


OUTSIDE = """
import tensorflow as tf
x = tf.constant(9.0)
with tf.GradientTape() as t:
    t.watch(x)
y = x**2
print(t.gradient(y, x))
"""


def test_g1_006_what_is_computed_after_the_tape_closed_is_missing_from_it() -> None:
    right = expected("G1-006")
    program = explorer.run(OUTSIDE)
    assert program.printed == ("None",)
    (found,) = explain.why(program.questions[0].backward)
    assert found.value is right["outside"]
    (cut,) = found.cuts
    assert (cut.op.type, cut.reason, cut.op.line) == ("Pow", Reason.NOT_RECORDED, 6)
    x = const(9.0)
    with GradientTape() as tape:
        tape.watch(x)
        y = x**2
    close(tape.gradient(y, x), right["inside"])


def test_g1_007_a_second_gradient_needs_a_persistent_tape() -> None:
    right = expected("G1-007")
    x = var(2.0)
    with GradientTape() as tape:
        y1, y2 = x**2, x**3
    close(tape.gradient(y1, x), right["y1"])
    with pytest.raises(RuntimeError, match="persistent=True"):
        tape.gradient(y2, x)
    with GradientTape(persistent=True) as tape:
        y1, y2 = x**2, x**3
    close(tape.gradient(y1, x), right["y1"])
    close(tape.gradient(y2, x), right["y2_persistent"])


def test_g1_008_an_assignment_breaks_the_path() -> None:
    right = expected("G1-008")
    x0, x1 = var(3.0), var(0.0)
    x1.assign_add(x0)
    found = tf.gradients(x1**2, [x0, x1])
    assert found[0] is right["assign_dx0"]
    close(found[1], right["assign_dx1"])
    (detour,) = verdict(0).detours
    assert detour.kind is DetourKind.STATE
    assert detour.op.type == "AssignAddVariableOp"
    assert detour.op.inputs[0] is x1.handle
    x0, x1 = var(3.0), var(0.0)
    found = tf.gradients((x1 + x0) ** 2, [x0, x1])
    close(found[0], right["functional_dx0"])
    close(found[1], right["assign_dx1"])


REBINDING = """
import tensorflow as tf
x = tf.Variable(2.0)
for step in range(2):
    with tf.GradientTape() as t:
        y = x + 1
    print(t.gradient(y, x))
    {}
"""


def test_g1_009_a_variable_replaced_by_a_tensor_is_not_watched() -> None:
    right = expected("G1-009")
    program = explorer.run(REBINDING.format("x = x + 1"))
    first, second = [explain.why(question.backward)[0] for question in program.questions]
    close(first.value, right["pass1"])
    assert second.value is right["pass2"]
    assert (first.x.op.type, second.x.op.type) == ("VarHandleOp", "AddV2")
    assert [(cut.op.type, cut.reason) for cut in second.cuts] == [("AddV2", Reason.NOT_WATCHED)]
    program = explorer.run(REBINDING.format("x.assign_add(1.0)"))
    for question in program.questions:
        close(explain.why(question.backward)[0].value, right["pass1"])


def test_g1_010_a_value_that_leaves_for_numpy_comes_back_as_a_constant() -> None:
    right = expected("G1-010")
    x = var([[1.0, 2.0], [3.0, 4.0]])
    a = x**2
    y = tf.reduce_mean(np.mean(a.numpy(), axis=0))
    close(y, right["y"])
    assert grad(y, x) is right["external"]
    assert not verdict().connected
    (detour,) = verdict().detours
    assert (detour.kind, detour.op.type) == (DetourKind.OUTSIDE, "Const")
    assert detour.tensor is a
    close(detour.op.attrs["value"], [5.0, 10.0])
    y = tf.reduce_mean(tf.reduce_mean(a, axis=0))
    close(y, right["y"])
    close(grad(y, x), right["inside"])


def test_g1_012_rounding_has_no_gradient_and_sign_a_zero_one() -> None:
    right = expected("G1-012")
    x = var(3.8)
    for function, op_type in (
        (tf.floor, "Floor"),
        (tf.math.ceil, "Ceil"),
        (tf.round, "Round"),
    ):
        assert grad(function(x), x) is right[op_type.lower()]
        assert blocked() == [(op_type, Reason.RETURNED_NONE)]
    close(grad(tf.sign(x), x), right["sign"])
    assert verdict().state is State.ZERO
    close(grad(x + tf.floor(x), x), right["x+floor(x)"])
    assert verdict().state is State.ORDINARY


def test_g1_062_the_first_gradient_must_be_recorded_for_the_second() -> None:
    right = expected("G1-062")
    y, v = const(2.0), var(3.0)
    with GradientTape(persistent=True) as tape:
        tape.watch(y)
        w = y * y * v
        g = tape.gradient(w, y)
    close(g, right["g"])
    close(tape.gradient(g, v), right["h_inside"])
    y, v = const(2.0), var(3.0)
    with GradientTape(persistent=True) as tape:
        tape.watch(y)
        w = y * y * v
    g = tape.gradient(w, y)
    made = set(last().operations)
    close(g, right["g"])
    assert tape.gradient(g, v) is right["h_outside"]
    assert blocked()
    assert {reason for _, reason in blocked()} == {Reason.NOT_RECORDED}
    assert {cut.op for cut in verdict().cuts} <= made


SEARCH = """
import tensorflow as tf
import numpy as np
a = tf.Variable(1.0, dtype=tf.float64)
b = tf.Variable(2.0, dtype=tf.float64)
c = tf.Variable(3.0, dtype=tf.float64)
u = a * 2
v = tf.cast(tf.cast(b * 4, tf.int32), tf.float64)
w = np.square(c.numpy())
L = (u + v + w)**2
print(L.numpy(), tf.gradients(L, [a, b, c]))
"""


def test_g1_072_every_none_is_explained_with_its_op_and_line() -> None:
    right = expected("G1-072")
    program = explorer.run(SEARCH)
    backward = program.questions[0].backward
    of_a, of_b, of_c = explain.why(backward)
    close(explain.evaluate_record(backward)[backward.ys[0]], right["L"])
    close(of_a.value, right["grads"][0])
    assert [of_b.value, of_c.value] == right["grads"][1:]
    (cut,) = of_b.cuts
    # The edge out of the first cast is the first that carries an integer.
    assert (cut.op.type, cut.reason, cut.op.line) == ("Cast", Reason.INTEGER, 8)
    assert (of_b.connected, of_c.connected) == (True, False)
    (detour,) = of_c.detours
    assert (detour.kind, detour.op.type, detour.op.line) == (DetourKind.OUTSIDE, "Const", 10)
    assert detour.tensor is program.names["c"].handle
