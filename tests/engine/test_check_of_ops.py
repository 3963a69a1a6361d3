"""The checker on every op: it passes what is right and finds a mistake of one per cent."""

from __future__ import annotations

import numpy as np
import pytest

import engine as tf
from engine.checker import Agreement, Check, check
from engine.graph import Graph
from engine.registry import RegisterGradient, scoped
from tests.sample_tables import Sample
from tests.samples import SAMPLES

_WITHOUT_SLOPE = ("Sign", "LogMatrixDeterminant")  # the first output is piecewise constant

CASES = [
    pytest.param(op_type, samples[0], id=op_type)
    for op_type, samples in SAMPLES.items()
    if samples[0].sources and not samples[0].hermitian and op_type not in _WITHOUT_SLOPE
]


def _checked(op_type: str, sample: Sample, factor: float) -> Check:
    """Check the first differentiable output, its gradient multiplied by a factor."""
    with scoped(), Graph().as_default() as graph:
        inputs = [tf.constant(np.asarray(value)) for value in sample.inputs]
        op = graph.create_op(op_type, inputs, sample.attrs)
        y = next(output for output in op.outputs if output.dtype.is_trainable)
        RegisterGradient("Scaled")(lambda op, upstream: upstream * factor)
        with graph.gradient_override_map({"Identity": "Scaled"}):
            y = tf.identity(y)
        return check(y, [inputs[slot] for slot in sample.sources], full=False)


@pytest.mark.parametrize(("op_type", "sample"), CASES)
def test_right_and_wrong_are_told_apart(op_type: str, sample: Sample) -> None:
    assert _checked(op_type, sample, 1.0).verdict is Agreement.AGREES
    wrong = _checked(op_type, sample, 1.01)
    assert wrong.verdict is Agreement.DISAGREES
    assert wrong.ratio == pytest.approx(1 / 1.01, rel=1e-4)
