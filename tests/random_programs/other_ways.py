"""The same derivatives by other ways: a tape, forward mode, a whole Jacobian, float32."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from engine.forward_mode import jvp
from engine.gradients import gradients
from engine.graph import Graph
from engine.jacobian import jacobian
from engine.plan import evaluate
from engine.shapes import is_static
from engine.tape import GradientTape
from engine.tensor import Tensor
from tests.random_programs.differences import weighted_sum, weights
from tests.random_programs.equality import assert_all_equal, assert_equal
from tests.random_programs.program import Built
from tests.random_programs.trial import Trial

_MOST_ROWS = 12
_NARROW_TOLERANCE = 1e-2


def _constant(trial: Trial, value: Any) -> Tensor:
    return trial.built.graph.create_op("Const", [], {"value": value}).outputs[0]


def _is_real(trial: Trial, numbers: tuple[int, ...]) -> bool:
    return all(trial.values[number].dtype.kind == "f" for number in numbers)


def by_tape(trial: Trial) -> None:
    """Compare with what a tape finds that watches every leaf and every x."""
    with Graph().as_default() as graph, GradientTape() as tape:
        built = Built(trial.program, graph=graph, watch=tape.watch)
    seeds = [built.graph.create_op("Const", [], {"value": w}).outputs[0] for w in trial.factors]
    tape.gradient(built.ys, built.xs, output_gradients=seeds)
    found = trial.dense(built, built.graph.backwards[-1])
    assert_all_equal(trial, found, "by a tape", trial.unstopped)


def by_forward_mode(trial: Trial) -> None:
    """Compare <w, J t> with <gradient, t>."""
    program, built = trial.program, trial.built
    if not _is_real(trial, (*program.xs, *program.ys)):
        return
    directions = [
        weights(trial.values[x].shape, "float64", 90 + k) for k, x in enumerate(program.xs)
    ]
    found = jvp(built.ys, built.xs, [_constant(trial, t) for t in directions])
    present = [(y, w) for y, w in zip(found, trial.factors, strict=True) if y is not None]
    values = evaluate([y for y, _ in present], built.feeds)
    for (tensor, w), value in zip(present, values, strict=True):
        assert value.shape == w.shape, f"{tensor} is of shape {value.shape}"
    forward = weighted_sum(values, [w for _, w in present])
    backward = weighted_sum(trial.unstopped, directions)
    allowed = 1e-10 * trial.scale * sum(max(1, t.size) for t in directions)
    assert_equal(forward, backward, "derivative along a direction", allowed)
    trial.counts["programs in forward mode"] += 1


def by_jacobian(trial: Trial) -> None:
    """Compare the weighted sum of the rows of a Jacobian with the gradient of one y."""
    program, built = trial.program, trial.built
    number, w = program.ys[0], trial.factors[0]
    y = built.tensors[number]
    static = all(is_static(tensor.dims) for tensor in (y, *built.xs))
    if not _is_real(trial, (number,)) or w.size > _MOST_ROWS or not static:
        return
    rows = jacobian(y, built.xs, unconnected_gradients="zero")
    once = gradients(y, built.xs, [_constant(trial, w)], unconnected_gradients="zero")
    found = evaluate([*rows, *(g.as_tensor() for g in once)], built.feeds)
    for k, x in enumerate(program.xs):
        whole, expected = found[k], found[len(rows) + k]
        assert whole.shape == w.shape + expected.shape, f"Jacobian {whole.shape} for tensor {x}"
        summed = np.tensordot(w, whole, axes=w.ndim)
        assert_equal(summed, expected, f"Jacobian for tensor {x}", 1e-10 * trial.scale)
    trial.counts["Jacobians compared"] += 1


def in_single_precision(trial: Trial) -> None:
    """Compare with the program in float32, in which every gradient has its tensor's type."""
    built = Built(trial.program.narrowed())
    factors = [w.astype(y.dtype.dtype) for w, y in zip(trial.factors, built.ys, strict=True)]
    seeds = [built.graph.create_op("Const", [], {"value": w}).outputs[0] for w in factors]
    found = gradients(built.ys, built.xs, seeds, stop_gradients=built.stops)
    for number, x, gradient, exact in zip(
        trial.program.xs, built.xs, found, trial.gradients, strict=True
    ):
        if gradient is None:
            continue
        dense = gradient.as_tensor()
        (value,) = evaluate([dense], built.feeds)
        assert dense.dtype is x.dtype, f"gradient of {x} is {dense}"
        assert value.dtype == x.dtype.dtype, f"gradient of {x} is {value.dtype}"
        allowed = _NARROW_TOLERANCE * trial.scale
        assert_equal(value, exact, f"float32 gradient of tensor {number}", allowed)


OTHER_WAYS: tuple[Callable[[Trial], None], ...] = (
    by_tape,
    by_forward_mode,
    by_jacobian,
    in_single_precision,
)
