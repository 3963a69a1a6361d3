"""Rows at once against row by row, on the samples of every op."""

from __future__ import annotations

import numpy as np
import pytest

import engine as tf
from engine.gradients import build_backward
from engine.graph import Graph
from engine.plan import evaluate
from engine.rows import gradient_rows
from engine.shapes import compatible
from tests.sample_tables import Sample
from tests.samples import SAMPLES

CASES = [
    pytest.param(op_type, sample, known, id=f"{op_type}-{number}-{'known' if known else 'unknown'}")
    for op_type, samples in SAMPLES.items()
    for number, sample in enumerate(samples)
    for known in (True, False)
    if sample.sources and (known or (number == 0 and sample.dynamic))
]


@pytest.mark.parametrize(("op_type", "sample", "known"), CASES)
def test_a_pass_for_all_rows_gives_what_a_pass_for_each_gives(
    op_type: str, sample: Sample, known: bool
) -> None:
    with Graph().as_default() as graph:
        inputs = [tf.constant(np.asarray(value)) for value in sample.inputs]
        for tensor in inputs:
            if tensor.dtype.is_trainable and not known:
                tensor.dims = (None,) * len(tensor.dims)
        op = graph.create_op(op_type, inputs, sample.attrs)
        outputs = [output for output in op.outputs if output.dtype.is_trainable]
        sources = [inputs[slot] for slot in sample.sources]
        shapes = [np.shape(value) for value in evaluate(outputs)]
        draw = np.random.default_rng(0)
        for output, shape in zip(outputs, shapes, strict=True):
            stack = draw.normal(size=(3, *shape)).astype(output.dtype.dtype)
            if output.dtype.is_complex:
                stack = stack * (1 - 2j)
            seeds = tf.constant(stack)
            rows = gradient_rows(output, sources, lambda seeds=seeds: seeds, 3, "at_once/")
            assert rows is not None
            passes = [build_backward([output], sources, [seed]).results for seed in stack]
            for found, each in zip(rows, zip(*passes, strict=True), strict=True):
                if found is None:
                    assert each == (None, None, None)
                    continue
                expected = np.stack([np.asarray(g.as_tensor().numpy()) for g in each])
                assert compatible(found.dims, expected.shape)
                np.testing.assert_allclose(found.numpy(), expected, rtol=1e-9, atol=1e-12)
