"""What holds for the gradients of every program; each check raises an error otherwise."""

from __future__ import annotations

import random
import traceback
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import networkx as nx
import numpy as np

from engine import explain
from engine.gradients import gradients
from engine.plan import evaluate
from engine.shapes import compatible, is_static
from engine.tensor import Tensor
from tests.random_programs import second_engine
from tests.random_programs.differences import slope, weights
from tests.random_programs.equality import assert_all_equal, assert_equal
from tests.random_programs.other_ways import OTHER_WAYS
from tests.random_programs.program import Built, Program
from tests.random_programs.sampled import FIRST_ORDER_ONLY
from tests.random_programs.trial import Trial

_MOST_PATHS = 60
_TOLERANCE = 1e-6


@dataclass(frozen=True)
class Fault:
    """What is wrong with a program: the check and the kind of error, and the whole of it."""

    kind: str
    text: str


def fault(program: Program, counts: Counter[str] | None = None) -> Fault | None:
    """Hold a program against every check; return the first fault.

    Args:
        counts: where to add up what was compared and what was skipped.
    """
    name = "build"
    try:
        trial = Trial(program, random.Random(0), Counter() if counts is None else counts)
        for holds in CHECKS:
            name = holds.__name__
            holds(trial)
    except Exception as error:  # whatever a valid program raises is a fault
        text = "".join(traceback.format_exception(error, limit=-3)).strip()
        return Fault(f"{name}: {type(error).__name__}", f"{name}\n{text}")
    return None


def differences(trial: Trial) -> None:
    """Compare gradients with central differences; what is stopped is held constant."""
    held = trial.held(trial.stopped)
    for k, (number, gradient) in enumerate(zip(trial.program.xs, trial.gradients, strict=True)):
        x, feeds = trial.built.tensors[number], trial.feeds(held, number)
        for place, direction in trial.entries(gradient, 3):
            found = slope(trial.built.ys, trial.factors, feeds, x, place, direction, trial.scale)
            if found is None:
                trial.counts["entries skipped"] += 1
                continue
            trial.counts["entries compared with differences"] += 1
            actual = float(np.real(gradient[place] * np.conj(direction)))
            allowed = _TOLERANCE * trial.scale + found.doubt
            if abs(actual - found.value) > allowed and _jumps(trial, k, place, direction, feeds):
                trial.counts["entries skipped"] += 1
                continue
            assert abs(actual - found.value) <= allowed, (
                f"gradient of tensor {number} at {place} is {actual}, differences {found.value}"
            )


def _jumps(
    trial: Trial, k: int, place: tuple[int, ...], direction: complex, feeds: dict[Tensor, Any]
) -> bool:
    """Return whether an entry of the gradient of the k-th x is not what it is close by.

    Steps may have corners where the whole has none: max(a, min(a, b)) at a = b. A wrong derivative
    is no less wrong close by.
    """
    x, gradient = trial.built.xs[k], trial.record.results[k]
    if gradient is None:
        return False
    near = []
    for distance in (1e-5, -1e-5):
        moved = np.array(feeds[x])
        moved[place] += distance * direction
        (value,) = evaluate([gradient.as_tensor()], {**feeds, x: moved})
        near.append(value[place])
    return bool(abs(np.mean(near) - trial.gradients[k][place]) > _TOLERANCE * trial.scale)


def second_order(trial: Trial) -> None:
    """Compare the gradient of a gradient with differences of the gradient.

    The argument `stop_gradients` counts for one call only, StopGradient ops count always.
    """
    needed = trial.program.needed()
    if any(trial.program.steps[index].op in FIRST_ORDER_ONLY for index in needed):
        return
    present = [g.as_tensor() for g in trial.record.results if g is not None]
    if not present:
        return
    built, held = trial.built, trial.held(())
    first = evaluate(present, built.feeds)
    factors = [weights(np.shape(g), g.dtype, 50 + k) for k, g in enumerate(first)]
    seeds = [built.graph.create_op("Const", [], {"value": w}).outputs[0] for w in factors]
    number = trial.rng.choice(trial.program.xs)
    (again,) = gradients(present, built.tensors[number], seeds)
    value = trial.values[number]
    gradient = np.zeros_like(value)
    if again is not None:
        (gradient,) = evaluate([again.as_tensor()], built.feeds)
    scale = max(trial.scale, float(np.max(np.abs(gradient), initial=0.0)))
    feeds = trial.feeds(held, number)
    for place, direction in trial.entries(value, 2):
        found = slope(present, factors, feeds, built.tensors[number], place, direction, scale)
        if found is None:
            trial.counts["second-order entries skipped"] += 1
            continue
        trial.counts["second-order entries compared"] += 1
        actual = float(np.real(gradient[place] * np.conj(direction)))
        allowed = 10 * _TOLERANCE * scale + found.doubt
        assert abs(actual - found.value) <= allowed, (
            f"second derivative for tensor {number} at {place} is {actual}, "
            f"differences of the first {found.value}"
        )


def other_engine(trial: Trial) -> None:
    """Compare values and gradients with those of a second engine, if it has all the ops."""
    if not second_engine.supports(trial.program):
        trial.counts["programs beyond the second engine"] += 1
        return
    trial.counts["programs compared with the second engine"] += 1
    values, found = second_engine.differentiate(trial.program, trial.stopped, trial.factors)
    for number, value in zip(trial.program.ys, values, strict=True):
        assert_equal(trial.values[number], value, f"value of tensor {number}, second engine", 1e-9)
    for number, ours, theirs in zip(trial.program.xs, trial.gradients, found, strict=True):
        expected = np.zeros_like(ours) if theirs is None else theirs
        what = f"gradient of tensor {number}, second engine"
        assert_equal(ours, expected, what, 1e-8 * trial.scale)


def inserted_stops(trial: Trial) -> None:
    """Compare `stop_gradients` with StopGradient ops at the same tensors."""
    if not trial.program.stops:
        return
    trial.counts["programs with stops"] += 1
    built = Built(trial.program, stopped=trial.stopped)
    found = trial.dense(built, trial.differentiate(built, stops=False))
    assert_all_equal(trial, found, "with StopGradient ops instead of stop_gradients")


def aggregation_methods(trial: Trial) -> None:
    for method in (1, 2):
        record = trial.differentiate(trial.built, method=method)
        found = trial.dense(trial.built, record)
        assert_all_equal(trial, found, f"by aggregation method {method}")


def paths(trial: Trial) -> None:
    """Compare the gradient of an x with the sum of the products along all its paths."""
    values = explain.evaluate_record(trial.record, trial.built.feeds)
    for number, gradient in zip(trial.program.xs, trial.gradients, strict=True):
        x = trial.built.tensors[number]
        count = explain.count_paths(trial.record, x)
        if count > _MOST_PATHS:
            continue
        found = explain.paths(trial.record, x, values=values, limit=_MOST_PATHS)
        trial.counts["paths added up"] += count
        assert found.count == len(found.paths) == count, f"paths of tensor {number}"
        assert all(path.product is not None for path in found.paths), f"products of {number}"
        total = sum((path.product for path in found.paths), np.zeros_like(gradient))
        assert_equal(gradient, total, f"sum of the paths of tensor {number}", 1e-9 * trial.scale)


def static_shapes(trial: Trial) -> None:
    """Compare static shapes and types with those of the values, gradients included."""
    tensors = [y for op in trial.record.operations for y in op.outputs]
    values = [*trial.values, *evaluate(tensors, trial.built.feeds)]
    for tensor, value in zip([*trial.built.tensors, *tensors], values, strict=True):
        assert compatible(tensor.dims, np.shape(value)), f"{tensor} is of shape {np.shape(value)}"
        assert tensor.dtype.dtype == value.dtype, f"{tensor} is of type {value.dtype}"
    for x, gradient in zip(trial.built.xs, trial.record.results, strict=True):
        if gradient is not None:
            dims = gradient.as_tensor().dims
            assert dims == x.dims or not is_static(x.dims), f"gradient of {x} is {gradient}"
            assert compatible(dims, x.dims), f"gradient of {x} is {gradient}"
            assert gradient.dtype is x.dtype, f"gradient of {x} is {gradient}"


def unknown_shapes(trial: Trial) -> None:
    """Compare with the same program when little is known of the shapes of its placeholders."""

    def known(shape: tuple[int, ...]) -> Any:
        if trial.rng.random() < 0.3:
            return None
        return [size if trial.rng.random() < 0.3 else None for size in shape]

    built = Built(trial.program, known=known)
    for tensor, value in zip(built.tensors, trial.values, strict=True):
        assert compatible(tensor.dims, np.shape(value)), f"{tensor} is of shape {np.shape(value)}"
    for number, value in zip(trial.program.ys, evaluate(built.ys, built.feeds), strict=True):
        assert_equal(trial.values[number], value, f"tensor {number}, unknown shapes", 1e-12)
    found = trial.dense(built, trial.differentiate(built))
    assert_all_equal(trial, found, "with unknown shapes")


def graph_of_networkx(trial: Trial) -> None:
    """Compare nodes and edges, backward ones included, with operations and their inputs."""
    graph = trial.built.graph
    assert list(graph.nodes) == list(graph.operations)
    wanted = {
        (tensor.op, op, slot, tensor.index)
        for op in graph.operations
        for slot, tensor in enumerate(op.inputs)
    }
    edges = {(*edge, output) for *edge, output in graph.edges(keys=True, data="output")}
    assert edges == wanted
    assert graph.number_of_edges() == len(wanted)
    assert all(producer.id < consumer.id for producer, consumer in graph.edges())
    assert nx.is_directed_acyclic_graph(graph)
    for tensor in trial.built.tensors:
        edges_of = graph.out_edges(tensor.op, keys=True, data="output")
        uses = {(op, slot) for _, op, slot, output in edges_of if output == tensor.index}
        assert set(tensor.consumers()) == uses, f"consumers of {tensor}"


CHECKS: tuple[Callable[[Trial], None], ...] = (
    graph_of_networkx,
    static_shapes,
    differences,
    other_engine,
    inserted_stops,
    aggregation_methods,
    paths,
    unknown_shapes,
    second_order,
    *OTHER_WAYS,
)
