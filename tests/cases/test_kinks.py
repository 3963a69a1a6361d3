"""Corners, ties and flat pieces: which of the possible derivatives is given."""

from __future__ import annotations

import numpy as np

import engine as tf
from engine.checker import Agreement, check
from engine.explain import State, ZeroKind
from tests.cases.asking import close, derivatives, equal, expected, grad, last, var, verdict


def test_g1_037_two_kinks_make_a_false_zero() -> None:
    right = expected("G1-037")
    x = var(0.0)
    y = tf.sign(x) * tf.math.log(abs(x) + tf.sqrt(x * x + 1.0))
    equal(grad(y, x), right["y_auto"])
    found = verdict()
    assert found.state is State.ZERO
    assert {zero.kind for zero in found.zeros} == {ZeroKind.FACTOR}
    # Both kinks say what they do at 0.
    corners = {step.op.type: step.op.opdef.corner for step in last().steps}
    assert corners["Sign"] == "the derivative is 0 everywhere, also at the jump"
    assert corners["Abs"] == "at 0 the derivative is 0"
    # The checker is not deceived: y itself has no kink there.
    checked = check(y, x)
    assert checked.verdict is Agreement.DISAGREES
    (entry,) = checked.entries
    assert entry.theoretical == right["y_auto"]
    close([entry.left, entry.right], [right["true"]] * 2, rtol=1e-6)
    z = tf.asinh(x)
    close(grad(z, x), right["z"])
    assert check(z, x).verdict is Agreement.AGREES


def test_g1_038_ties_of_the_maximum_share_the_gradient() -> None:
    right = expected("G1-038")
    for values, reduce, name in (
        ([0.6, 0.6, 0.3], tf.reduce_max, "max"),
        ([2.0, 1.0, 1.0, 1.0], tf.reduce_min, "min"),
    ):
        x = var(values)
        y = reduce(x)
        found = grad(y, x)
        close(found, right[name])
        close(np.sum(found.numpy()), 1.0)
        assert "share the gradient equally" in y.op.opdef.corner


def test_g1_041_the_absolute_value_has_slope_zero_at_zero() -> None:
    w = var([0.0, -0.0, 3.0])
    y = abs(w)
    equal(grad(tf.reduce_sum(y), w), expected("G1-041")["tf"])
    assert y.op.opdef.corner == "at 0 the derivative is 0"


def test_g1_042_the_borders_of_a_clip_count_as_inside() -> None:
    right = expected("G1-042")["grad"]
    x = var([-0.5, 0.0, 0.5, 1.0, 1.5])
    clipped = tf.clip_by_value(x, 0.0, 1.0)
    equal(grad(tf.reduce_sum(clipped), x), right)
    spelled = tf.minimum(tf.maximum(x, 0.0), 1.0)
    equal(grad(tf.reduce_sum(spelled), x), right)
    assert "the first input gets the whole gradient" in spelled.op.opdef.corner


def test_g1_060_the_curvature_of_relu_lives_in_the_kink_alone() -> None:
    right = expected("G1-060")
    for point, name in ((0.0, "relu@0"), (0.5, "relu@0.5")):
        x = var(point)
        for found, value in zip(derivatives(tf.nn.relu(x), x, 2), right[name], strict=True):
            equal(found, value)
        assert verdict().state is State.ZERO
    x = var(0.5)
    for found, value in zip(derivatives(tf.nn.relu(x) ** 2, x, 2), right["relu2@0.5"], strict=True):
        equal(found, value)
    x = var(0.0)
    for found in derivatives(tf.nn.relu(x) ** 2, x, 2):
        equal(found, 0.0)
