"""NaN and infinity: which operation made them, at which entry, of which operands."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import engine as tf
from engine import explain
from engine.explain import State
from tests.cases.asking import (
    close,
    const,
    derivatives,
    equal,
    expected,
    grad,
    last,
    var,
    verdict,
)


def _nan() -> tuple[str, tuple[int, ...], tuple[float, ...]]:
    """Return where the NaN of the last gradient was made: for which forward op, entry, operands."""
    origin = verdict().nan
    assert origin is not None
    maker = origin.op.forward_op or origin.op
    return maker.type, origin.position, tuple(float(operand) for operand in origin.at)


def test_g1_020_the_branch_not_chosen_is_outside_the_domain() -> None:
    right = expected("G1-020")
    x = var([-4.0, 9.0])
    y = tf.where(x > 0, tf.sqrt(x), 0.5 * x)
    equal(y, right["y"])
    # The gradient of Sqrt is 0 wherever nothing arrives, so it gives the true one, not the naive.
    close(grad(tf.reduce_sum(y), x), right["true_grad"])
    assert verdict().state is State.ORDINARY
    inner = tf.where(x > 0, x, tf.ones_like(x))
    y = tf.where(x > 0, tf.sqrt(inner), 0.5 * x)
    close(grad(tf.reduce_sum(y), x), right["true_grad"])
    # The logarithm has no such rule: 0 times 1/0 is NaN, at the entry that was not chosen.
    x = var([0.0, 9.0])
    y = tf.where(x > 0, tf.math.log(x), 0.5 * x)
    assert math.isnan(grad(tf.reduce_sum(y), x).numpy()[0])
    assert _nan() == ("Log", (0,), (0.0, math.inf))


def test_g1_021_the_branch_not_chosen_is_infinite() -> None:
    right = expected("G1-021")
    x = var(800.0)
    y = tf.where(x > 0, 2.0 * x, tf.exp(x))
    close(y, right["y"])
    # NaN as in TensorFlow; the explanation names the product that made it.
    equal(grad(y, x), right["naive"])
    found = verdict()
    assert found.state is State.NON_FINITE
    assert _nan() == ("Exp", (), (0.0, math.inf))
    assert found.origin is not None
    assert (found.origin.op.type, found.origin.backward, found.origin.at) == ("Exp", False, (800,))
    safe = tf.where(x > 0, 2.0 * x, tf.exp(tf.where(x > 0, tf.zeros_like(x), x)))
    close(grad(safe, x), right["true_grad"])


def test_g1_023_a_norm_at_zero() -> None:
    right = expected("G1-023")

    def norm_gradient(values: Any) -> Any:
        x = var(values)
        return grad(tf.sqrt(tf.reduce_sum(x * x)), x)

    close(norm_gradient([3.0, 4.0]), right["v"])
    equal(norm_gradient([0.0, 0.0]), right["x_naive"])
    assert _nan() == ("Mul", (0,), (math.inf, 0.0))
    origin = verdict().origin
    assert origin is not None
    assert (origin.op.type, origin.backward) == ("SqrtGrad", True)
    # 1e-200 squared is 0: infinite times 1e-200, and infinite times 0, as the plain rule has it.
    equal(norm_gradient([1e-200, 0.0]), ["inf", "nan"])
    # The convention 0 at the zero vector is there for whoever wants it.
    x = var([0.0, 0.0])
    square = tf.reduce_sum(x * x)
    safe = tf.where(square > 0, square, tf.ones_like(square))
    equal(grad(tf.where(square > 0, tf.sqrt(safe), square), x), right["x_convention"])


def test_g1_026_powers_by_base_and_exponent() -> None:
    right = expected("G1-026")
    a, b = var([0.0, 2.0, -2.0]), var([1.0, 1.0, 2.0])
    power = a**b
    y = tf.reduce_sum(power)
    close(y, right["y"])
    da, db = tf.gradients(y, [a, b])
    close(da, right["da"])
    close(db, right["db"])
    assert "base of 0 or below" in power.op.opdef.corner


def test_g1_027_powers_at_zero() -> None:
    right = expected("G1-027")
    x = var(0.0)
    exponents = {"x^(1/2.4)": 1 / 2.4, "x^0": 0, "x^1": 1, "x^1.5": 1.5, "x^2": 2}
    for name, exponent in exponents.items():
        equal(grad(x**exponent, x), right[name])
    equal(grad(x ** (1 / 2.4), x), math.inf)
    origin = verdict().origin
    # 0 to a negative power: a vertical tangent, not an accident on the way.
    assert origin is not None
    assert (origin.op.type, origin.backward) == ("Pow", True)
    assert verdict().nan is None
    reciprocal = x**-1
    equal(reciprocal, math.inf)
    equal(grad(reciprocal, x), -math.inf)


def test_g1_028_higher_derivatives_of_a_power_at_zero() -> None:
    right = expected("G1-028")
    x = var(0.0)
    for found, value in zip(derivatives(tf.pow(x, 3.0), x, 5), right["pow"], strict=True):
        equal(found, value)
    orders = derivatives(x * x * x, x, 4)
    for found, value in zip(orders[:3], right["pow"], strict=False):
        equal(found, value)
    assert orders[3] is None
    assert (verdict().state, verdict().connected) == (State.NONE, False)


def test_g1_030_deviation_of_equal_entries() -> None:
    right = expected("G1-030")
    x, w = var([2.0, 2.0, 2.0]), var([1.0, 2.0, 4.0])
    equal(grad(tf.math.reduce_variance(x), x), right["var_x"])
    assert verdict().state is State.ZERO
    equal(grad(tf.math.reduce_std(x), x), [math.nan] * 3)
    assert _nan() == ("Square", (0,), (math.inf, 0.0))
    deviation = tf.math.reduce_std(w)
    close(deviation, right["std_w"])
    close(grad(deviation, w), right["grad_std_w"])


def test_g1_031_logsumexp_of_minus_infinity() -> None:
    right = expected("G1-031")
    a = var([-math.inf, 1.0])
    y = tf.reduce_logsumexp(a)
    close(y, right["a"])
    close(grad(y, a), right["grad_a"])
    b = var([-math.inf, -math.inf])
    y = tf.reduce_logsumexp(b)
    equal(y, right["b"])
    equal(grad(y, b), [math.nan, math.nan])
    assert _nan()[2] == (-math.inf, -math.inf)  # their difference


def test_g1_032_masks_multiply_or_replace() -> None:
    right = expected("G1-032")
    a, m = var([1.0, 2.0, 1.0]), const([1.0, -math.inf, 1.0])
    p = tf.nn.softmax(a * m)
    close(p, right["p"])
    close(grad(p[0], a), right["naive"])
    maker, position, operands = _nan()
    assert (maker, position) == ("Mul", (1,))
    assert operands == (0.0, -math.inf)
    p = tf.nn.softmax(tf.where(m > 0, a, tf.fill([3], const(-1e9))))
    close(p, right["p"])
    close(grad(p[0], a), right["intended"])


def test_g1_036_zero_times_the_logarithm_of_zero() -> None:
    right = expected("G1-036")
    t, p = const([1.0, 0.0]), var([1.0, 0.0])
    loss = -tf.reduce_sum(t * tf.math.log(p))
    equal(loss, right["L"])
    equal(grad(loss, p), [-1.0, math.nan])
    found = verdict()
    assert found.origin is not None
    assert (found.origin.op.type, found.origin.position) == ("Log", (1,))
    assert _nan() == ("Mul", (1,), (0.0, -math.inf))
    assert found.nan is not None
    assert not found.nan.backward  # the label times -inf, on the way to the loss already
    meant = -tf.reduce_sum(tf.math.xlogy(t, p))
    equal(meant, right["M"])
    equal(grad(meant, p), right["grad_M"])


@pytest.mark.parametrize("shape", [(0,), (0, 3)])
def test_g1_049_empty_tensors(shape: tuple[int, ...]) -> None:
    right = expected("G1-049")
    x = var(np.zeros(shape))
    total = tf.reduce_sum(x)
    equal(total, right["sum"])
    wanted = right["grad_shape"] if len(shape) == 1 else right["grad_z_shape"]
    assert list(grad(total, x).numpy().shape) == wanted
    assert verdict().state is State.ORDINARY
    mean = tf.reduce_mean(x)
    equal(mean, right["mean"])
    assert list(grad(mean, x).numpy().shape) == wanted
    values = explain.evaluate_record(last())
    origin = explain.origin_of(last(), mean, values)
    assert origin is not None
    assert origin.op.type == "Mean"
    assert [operand.size for operand in origin.operands] == [0]
