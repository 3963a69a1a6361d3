"""Every op of the table on its sample inputs: derivatives, element types, shapes, notation.

Derivatives are compared with central differences. For complex numbers the gradient is
dL/dRe(x) + i dL/dIm(x) of the real number L = Re(sum(conj(w) y)), w being the upstream gradient.
"""

from __future__ import annotations

import pathlib
import re
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest

import engine
from engine.gradients import gradients
from engine.graph import Graph
from engine.opdef import all_opdefs, opdef_of
from engine.plan import evaluate
from engine.shapes import compatible
from engine.tensor import Tensor
from tests.sample_tables import Sample
from tests.samples import SAMPLES

EXEMPT = {
    "PreventGradient": "it raises when it is differentiated",
    "CheckNumerics": "it has tests of its own",
}

CASES = [
    pytest.param(op_type, sample, id=f"{op_type}-{index}")
    for op_type, samples in SAMPLES.items()
    for index, sample in enumerate(samples)
]
FIRST_ORDER = [case for case in CASES if case.values[1].order >= 1]
SECOND_ORDER = [case for case in CASES if case.values[1].order >= 2]
DYNAMIC = [case for case in CASES if case.values[1].dynamic]

Arrays = list[Any]


class Trial:
    """An op on placeholders, with its first gradient for an upstream gradient that is fed too."""

    def __init__(self, op_type: str, sample: Sample, shapes: Callable[[Any], Any]) -> None:
        self.graph = Graph()
        self.sample = sample
        arrays = [np.asarray(array) for array in sample.inputs]
        self.inputs = [self._placeholder(array.dtype, shapes(array)) for array in arrays]
        self.outputs = self.graph.create_op(op_type, self.inputs, sample.attrs).outputs
        self.fed = dict(zip(self.inputs, arrays, strict=True))
        self.floating = [y for y in self.outputs if y.dtype.is_trainable]
        self.values = evaluate(self.outputs, self.fed)
        self.upstream: list[Tensor] = []
        for y, value in zip(self.outputs, self.values, strict=True):
            if y.dtype.is_trainable:
                weight = self._placeholder(y.dtype.dtype, shapes(np.asarray(value)))
                self.upstream.append(weight)
                self.fed[weight] = _weights(np.shape(value), y.dtype.dtype)
        self.sources = [self.inputs[slot] for slot in sample.sources]
        self.gradients: list[Any] = []
        if self.sources and self.floating:
            found = gradients(self.floating, self.sources, self.upstream)
            self.gradients = [None if g is None else g.as_tensor() for g in found]

    def _placeholder(self, dtype: Any, shape: Any) -> Tensor:
        return self.graph.create_op("Placeholder", [], {"dtype": dtype, "shape": shape}).outputs[0]

    def at(self, tensors: Sequence[Tensor], moved: Tensor | None = None, to: Any = None) -> Arrays:
        fed = self.fed if moved is None else {**self.fed, moved: to}
        return evaluate(tensors, fed)


def _weights(shape: tuple[int, ...], dtype: Any, seed: int = 7) -> Any:
    rng = np.random.default_rng(seed)
    weights = rng.uniform(0.5, 1.5, shape)
    if np.dtype(dtype).kind == "c":
        weights = weights + 1j * rng.uniform(0.5, 1.5, shape)
    return weights.astype(dtype)


def _static(array: Any) -> Any:
    return np.shape(array)


def _loss(values: Sequence[Any], weights: Sequence[Any]) -> float:
    return sum(float(np.real(np.vdot(w, v))) for w, v in zip(weights, values, strict=True))


def _differences(function: Callable[[Any], float], point: Any, *, hermitian: bool = False) -> Any:
    """Return the gradient of a real function by central differences, entry by entry.

    The gradient at a Hermitian matrix is that for Hermitian changes of it.
    """
    point = np.asarray(point)
    result = np.zeros(point.shape, point.dtype)
    directions = (1, 1j) if point.dtype.kind == "c" else (1,)
    for index in np.ndindex(point.shape):
        for direction in directions:
            step = 1e-5 * max(1.0, abs(point[index]))
            change = np.zeros_like(point)
            change[index] = step * direction
            if hermitian:
                change = (change + np.conj(np.swapaxes(change, -1, -2))) / 2
            slope = (function(point + change) - function(point - change)) / (2 * step)
            result[index] += slope * direction
    return result


def _assert_close(actual: Any, expected: Any, tolerance: float, what: str) -> None:
    scale = max(1.0, float(np.max(np.abs(expected), initial=0.0)))
    np.testing.assert_allclose(
        actual, expected, rtol=tolerance, atol=tolerance * scale, err_msg=what
    )


@pytest.mark.parametrize(("op_type", "sample"), FIRST_ORDER)
def test_first_derivative_is_that_of_central_differences(op_type: str, sample: Sample) -> None:
    trial = Trial(op_type, sample, _static)
    weights = [trial.fed[w] for w in trial.upstream]
    for x, gradient in zip(trial.sources, trial.gradients, strict=True):

        def loss(value: Any, moved: Tensor = x) -> float:
            return _loss(trial.at(trial.floating, moved, value), weights)

        expected = _differences(loss, trial.fed[x], hermitian=sample.hermitian)
        assert gradient is not None
        actual = trial.at([gradient])[0]
        assert np.shape(actual) == np.shape(trial.fed[x])
        _assert_close(actual, expected, sample.tolerance, f"gradient of {op_type} for {x.name}")


@pytest.mark.parametrize(("op_type", "sample"), SECOND_ORDER)
def test_second_derivative_is_that_of_central_differences(op_type: str, sample: Sample) -> None:
    trial = Trial(op_type, sample, _static)
    first = [gradient for gradient in trial.gradients if gradient is not None]
    directions = [_weights(g.dims, g.dtype.dtype, seed=11) for g in first]
    points = [*trial.sources, *trial.upstream]
    second = gradients(first, points, directions)
    for x, gradient in zip(points, second, strict=True):

        def loss(value: Any, moved: Tensor = x) -> float:
            return _loss(trial.at(first, moved, value), directions)

        hermitian = sample.hermitian and any(x is source for source in trial.sources)
        expected = _differences(loss, trial.fed[x], hermitian=hermitian)
        actual = (
            np.zeros_like(expected) if gradient is None else trial.at([gradient.as_tensor()])[0]
        )
        what = f"second derivative of {op_type} for {x.name}"
        _assert_close(actual, expected, 10 * sample.tolerance, what)


@pytest.mark.parametrize(("op_type", "sample"), [c for c in CASES if c.values[1].order == 0])
def test_an_op_without_derivative_has_gradient_none(op_type: str, sample: Sample) -> None:
    trial = Trial(op_type, sample, _static)
    floating = [x for x in trial.inputs if x.dtype.is_trainable]
    if floating and trial.floating:
        assert gradients(trial.floating, floating, trial.upstream) == [None] * len(floating)


@pytest.mark.parametrize(("op_type", "sample"), CASES)
def test_static_shape_and_type_are_those_at_run_time(op_type: str, sample: Sample) -> None:
    trial = Trial(op_type, sample, _static)
    for y, value in zip(trial.outputs, trial.values, strict=True):
        assert compatible(y.dims, np.shape(value))
        assert y.dtype.kind == "S" or np.asarray(value).dtype == y.dtype.dtype
    present = [g for g in trial.gradients if g is not None]
    for gradient, value in zip(present, trial.at(present), strict=True):
        assert gradient.dims == np.shape(value)
        assert gradient.dtype.dtype == np.asarray(value).dtype


@pytest.mark.parametrize(("op_type", "sample"), DYNAMIC)
@pytest.mark.parametrize("known", ["rank", "nothing"])
def test_unknown_sizes_change_no_value(op_type: str, sample: Sample, known: str) -> None:
    trial = Trial(op_type, sample, _static)
    blind = Trial(
        op_type, sample, lambda array: (None,) * np.ndim(array) if known == "rank" else None
    )
    for y, value, expected in zip(blind.outputs, blind.values, trial.values, strict=True):
        assert compatible(y.dims, np.shape(value))
        np.testing.assert_array_equal(value, expected)
    for gradient, expected in zip(blind.gradients, trial.gradients, strict=True):
        if expected is None:
            assert gradient is None
            continue
        value = blind.at([gradient])[0]
        assert compatible(gradient.dims, np.shape(value))
        np.testing.assert_allclose(value, trial.at([expected])[0], rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize(("op_type", "sample"), FIRST_ORDER)
def test_float32_stays_float32(op_type: str, sample: Sample) -> None:
    narrow = {np.dtype("float64"): "float32", np.dtype("complex128"): "complex64"}
    inputs = [np.asarray(array) for array in sample.inputs]
    lowered = [array.astype(narrow.get(array.dtype, array.dtype)) for array in inputs]
    wide = Trial(op_type, sample, _static)
    trial = Trial(op_type, Sample(tuple(lowered), sample.attrs, sample.order, sample.wrt), _static)
    for x, gradient, exact in zip(trial.sources, trial.gradients, wide.gradients, strict=True):
        assert gradient.dtype is x.dtype
        expected = wide.at([exact])[0]
        _assert_close(trial.at([gradient])[0], expected, 1e-3, f"float32 gradient of {op_type}")


def test_every_op_has_sample_inputs() -> None:
    home = str(pathlib.Path(engine.__file__).parent)
    ours = [opdef for opdef in all_opdefs() if opdef.where.startswith(home)]
    wanted = {opdef.type for opdef in ours if opdef.arity != 0 and not opdef.stateful}
    missing = sorted(wanted - EXEMPT.keys() - SAMPLES.keys())
    assert not missing, f"add sample inputs for {missing} to a table in tests/sample_tables"


def test_samples_are_of_known_ops() -> None:
    assert sorted(SAMPLES.keys() - {opdef.type for opdef in all_opdefs()}) == []


@pytest.mark.parametrize("op_type", SAMPLES)
def test_notation_names_the_inputs(op_type: str) -> None:
    opdef = opdef_of(op_type)
    slots = {int(slot) for slot in re.findall(r"#(\d)", opdef.latex)}
    assert opdef.latex
    assert opdef.arity is None or slots <= set(range(1, opdef.arity + 1))
    assert opdef.latex.count("{") == opdef.latex.count("}")
