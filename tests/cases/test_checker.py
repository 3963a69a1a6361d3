"""The gradient checker: what differences are worth, and what to say when they disagree."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import engine as tf
from engine.backward import Reason
from engine.checker import Agreement, Limit, check
from engine.errors import ArgumentError
from tests.cases.asking import close, equal, expected, grad, held_back, var


def _within_a_factor(found: float, right: float, factor: float) -> None:
    assert right / factor <= found <= right * factor


@pytest.mark.parametrize("precision", ["float64", "float32"])
def test_g2_001_single_precision_is_no_broken_gradient(precision: str) -> None:
    index = np.arange(200)
    x_value, y_value = (
        np.asarray(values, precision) for values in (np.sin(index + 1), np.cos(2 * index + 1))
    )
    x = tf.Variable(x_value)
    f = tf.reduce_sum(x * y_value)
    for delta, right in expected("G2-001")[precision].items():
        step = float(delta)
        theoretical, numeric = tf.test.compute_gradient(x, [200], f, [], x_value, step)
        np.testing.assert_array_equal(theoretical[:, 0], y_value)
        # The file gives orders of magnitude.
        _within_a_factor(float(np.max(abs(numeric - theoretical))), right, 4.0)
        asked = check(f, x, delta=step, full=True)
        if (precision, delta) == ("float32", "1e-7"):
            assert (asked.verdict, asked.limit) == (Agreement.PRECISION_LIMITED, Limit.ROUNDING)
        else:
            assert asked.verdict is Agreement.AGREES
    # Left to itself the checker finds a step that will do.
    found = check(f, x, full=True)
    assert found.verdict is Agreement.AGREES
    assert found.best_delta is not None
    assert found.best_delta >= 1e-2
    assert found.error < (1e-14 if precision == "float64" else 1e-5)


def test_g2_002_the_error_over_the_step_is_u_shaped() -> None:
    x = var(1.0)
    f = tf.exp(x)
    for delta, right in expected("G2-002").items():
        asked = check(f, x, delta=float(delta))
        _within_a_factor(abs(float(asked.numeric[0][0, 0]) - math.e), right, 4.0)
        limit = {"1e-1": Limit.TRUNCATION, "1e-13": Limit.ROUNDING}.get(delta)
        assert asked.limit is limit
        assert asked.verdict is (Agreement.AGREES if limit is None else Agreement.PRECISION_LIMITED)
    found = check(f, x)
    assert found.best_delta is not None
    assert 1e-6 < found.best_delta < 1e-4
    errors = dict(found.curve)
    assert errors[max(errors)] > 1e3 * found.best_error
    assert errors[min(errors)] > 1e2 * found.best_error


def test_g2_003_a_step_that_vanishes_beside_x_is_noticed() -> None:
    right = expected("G2-003")
    for precision in ("float32", "float64"):
        x = tf.Variable(1e8, dtype=precision)
        f = x * x
        _, numeric = tf.test.compute_gradient(x, [], f, [], x.numpy(), 1e-3)
        close(numeric[0, 0], right[precision], rtol=1e-5)
        relative = check(f, x)
        assert relative.verdict is Agreement.AGREES
        close(relative.numeric[0][0, 0], right["float64"], rtol=1e-6)
    x = tf.Variable(1e8, dtype=tf.float32)
    asked = check(x * x, x, delta=1e-3)
    assert (asked.verdict, asked.limit) == (Agreement.PRECISION_LIMITED, Limit.VANISHING)


def test_g2_006_a_shared_maximum_is_a_valid_choice() -> None:
    right = expected("G2-006")
    x = var([1.0, 1.0, 1.0, 1.0])
    found = check(tf.reduce_max(x), x)
    close(found.theoretical[0][0], right["analytic"])
    close(found.numeric[0][0], right["numeric"])
    assert found.verdict is Agreement.NON_SMOOTH
    assert [(entry.left, entry.right) for entry in found.entries] == [(0.0, 1.0)] * 4
    assert all(entry.left <= entry.theoretical <= entry.right for entry in found.entries)
    close(np.sum(found.theoretical[0]), 1.0)


def _overridden(op_type: str, rule: Any, build: Any) -> Any:
    """Return what `build` computes while an op type has another gradient."""
    tf.RegisterGradient(f"Wrong{op_type}")(rule)
    with tf.get_default_graph().gradient_override_map({op_type: f"Wrong{op_type}"}):
        return build()


def test_g2_007_a_gradient_at_a_kink_lies_between_the_slopes() -> None:
    right = expected("G2-007")
    x = var([0.0, 2.0])
    found = check(tf.reduce_sum(abs(x)), x)
    assert found.verdict is Agreement.NON_SMOOTH
    (kink,) = found.entries  # entry 1 passes
    assert kink.x == (0,)
    assert (kink.left, kink.right) == (right["left"][0], right["right"][0])
    assert kink.left <= kink.theoretical <= kink.right

    y = _overridden("Abs", lambda op, g: g * 2.0 * tf.sign(op.inputs[0]), lambda: abs(x))
    wrong = check(tf.reduce_sum(y), x)
    assert wrong.verdict is Agreement.DISAGREES
    (failed,) = wrong.entries  # entry 0 is 0, between the slopes still
    assert (failed.x, failed.theoretical) == ((1,), 2.0)
    close((failed.left, failed.right), (right["left"][1], right["right"][1]), rtol=1e-6)


def test_g2_008_a_forgotten_factor_is_named() -> None:
    right = expected("G2-008")
    x = var([0.5, -1.0, 3.0])
    y = _overridden("Square", lambda op, g: g * op.inputs[0], lambda: tf.square(x))
    found = check(tf.reduce_sum(y), x)
    assert found.verdict is Agreement.DISAGREES
    close(found.theoretical[0][0], right["analytic"])
    close(found.numeric[0][0], right["numeric"], rtol=1e-7)
    assert found.ratio == pytest.approx(right["ratio"])
    assert (found.decisive, found.compared) == (3, 3)
    assert found.error == pytest.approx(3.0)
    assert [entry.x for entry in found.entries] == [(2,), (1,), (0,)]


def test_g2_009_a_stop_makes_them_differ_on_purpose() -> None:
    right = expected("G2-009")
    x = var(3.0)
    y = x * tf.stop_gradient(x)
    found = check(y, x)
    assert found.verdict is Agreement.BLOCKED
    assert [(cut.op.type, cut.reason) for cut in found.cuts] == [("StopGradient", Reason.STOP_OP)]
    close(found.theoretical[0], [[right["analytic"]]])
    close(found.numeric[0], [[right["numeric"]]], rtol=1e-7)
    # What the stop holds back is the difference.
    grad(y, x)
    close(held_back()[0], right["numeric"] - right["analytic"])
    frozen = tf.constant(3.0, tf.float64)
    unstopped = check(x * frozen, x)
    assert unstopped.verdict is Agreement.AGREES
    close(unstopped.numeric[0], [[right["numeric_frozen"]]], rtol=1e-7)


def test_g2_010_a_complex_number_counts_as_two_real_ones() -> None:
    real, imaginary = expected("G2-010")["df"]
    z = tf.Variable(1.0 + 2.0j, dtype=tf.complex128)
    f = z**3 - 2.0 * z
    found = check(f, z)
    assert found.verdict is Agreement.AGREES
    jacobian = [[real, -imaginary], [imaginary, real]]
    close(found.theoretical[0], jacobian)
    close(found.numeric[0], jacobian, rtol=1e-7)
    # A gradient is the conjugate of the derivative, as in TensorFlow.
    close(grad(f, z, grad_ys=[tf.constant(1.0, tf.complex128)]), complex(real, -imaginary))


def test_g2_011_differences_across_a_branch_cut_jump() -> None:
    right = expected("G2-011")
    z = tf.Variable(1.1262j, dtype=tf.complex128)
    found = check(tf.atan(z), z, delta=1e-3)
    close(found.theoretical[0][0, 0], right["analytic"], rtol=1e-7)
    close(found.numeric[0][0, 0], right["numeric_re"], rtol=1e-5)
    close(found.numeric[0][1, 1], right["analytic"], rtol=1e-4)
    assert found.verdict is Agreement.NON_SMOOTH
    (entry,) = found.entries
    assert entry.imaginary == (False, False)
    assert entry.jump == pytest.approx(math.pi, rel=1e-6)
    # The analogue in real numbers: a step.
    x = var(2.0)
    jumping = check(x + tf.floor(x), x)
    assert jumping.entries[0].jump == pytest.approx(1.0, rel=1e-6)
    assert jumping.entries[0].theoretical == 1.0


def test_g2_012_empty_inputs_have_empty_jacobians() -> None:
    right = expected("G2-012")
    arguments = [np.zeros((0, 3)), np.zeros((3, 4))]
    theoretical, numeric = tf.test.compute_gradient(tf.matmul, arguments)
    for found in (theoretical, numeric):
        assert [list(jacobian.shape) for jacobian in found] == [right["jac_a"], right["jac_b"]]
    assert tf.test.max_error(theoretical, numeric) == right["err"]
    found = check(tf.matmul, arguments)
    assert (found.verdict, found.compared, found.error) == (Agreement.AGREES, 0, right["err"])


def test_g2_013_integers_are_refused() -> None:
    assert expected("G2-013")["result"] == "refuse"
    x = tf.constant([1, 2, 3], tf.int64)
    f = tf.reduce_sum(x * x)
    with pytest.raises(ArgumentError, match=r"int64 .*use tf\.cast"):
        check(f, x)
    with pytest.raises(ArgumentError, match="int64 of y"):
        tf.test.compute_gradient(x, [3], f, [])
    with pytest.raises(ArgumentError, match="int64 of argument 0"):
        tf.test.compute_gradient(lambda x: tf.reduce_sum(x * x), [np.array([1, 2, 3])])
    real = tf.cast(x, tf.float64)
    equal(check(tf.reduce_sum(real * real), real).theoretical[0], [[2.0, 4.0, 6.0]])


def test_g2_016_a_step_can_be_too_large_for_the_function() -> None:
    right = expected("G2-016")
    x = var(0.3)
    f = tf.cos(1e6 * x)
    for delta, value in right["numeric"].items():
        asked = check(f, x, delta=float(delta))
        close(asked.numeric[0], [[value]], rtol=1e-6)
        close(asked.theoretical[0], [[right["analytic"]]])
        coarse = delta != "1e-9"
        assert asked.limit is (Limit.TRUNCATION if coarse else None)
        assert asked.verdict is (Agreement.PRECISION_LIMITED if coarse else Agreement.AGREES)
    assert check(f, x).verdict is Agreement.AGREES
