"""Findings about single numbers, on functions of one number."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
import pytest

import engine as tf
from engine.agreement import Finding, central, errors, judge
from engine.graph import Graph
from engine.probing import Probe, probe_elements, step_sizes
from engine.problems import function_problems


@pytest.fixture(autouse=True)
def graph() -> Iterator[Graph]:
    with Graph().as_default() as graph:
        yield graph


def _probe(f: Callable[..., object], x: float, derivative: float, kind: type = np.float64) -> Probe:
    problem = function_problems(f, [np.array([x], kind)])[0]
    return probe_elements(problem, step_sizes(problem), np.array([[derivative]]))


def _finding(probe: Probe) -> Finding:
    return Finding(judge(probe).finding.item())


def test_differences_settle_at_the_derivative() -> None:
    found = judge(_probe(tf.exp, 1.0, np.e))
    assert found.numeric.item() == pytest.approx(np.e, rel=1e-11)
    assert found.uncertainty.item() < 1e-9
    assert found.left.item() == pytest.approx(np.e, rel=1e-2)
    assert found.right.item() == pytest.approx(np.e, rel=1e-2)


def test_a_small_mistake_is_seen_in_double_precision() -> None:
    assert _finding(_probe(tf.exp, 1.0, np.e)) is Finding.AGREES
    assert _finding(_probe(tf.exp, 1.0, np.e * (1 + 1e-5))) is Finding.DISAGREES
    assert _finding(_probe(tf.exp, 1.0, np.e * 1.01, np.float32)) is Finding.DISAGREES


def test_what_cannot_be_told_is_said_to_be_so() -> None:
    def worn(x: tf.Tensor) -> tf.Tensor:
        return (tf.exp(x) + 1e10) - 1e10  # six digits are left of sixteen

    assert _finding(_probe(worn, 1.0, np.e)) is Finding.PRECISION_LIMITED
    assert _finding(_probe(worn, 1.0, 2 * np.e)) is Finding.DISAGREES


@pytest.mark.parametrize(
    ("derivative", "expected"),
    [
        (-1.0, Finding.NON_SMOOTH),
        (0.3, Finding.NON_SMOOTH),
        (1.0, Finding.NON_SMOOTH),
        (1.1, Finding.DISAGREES),
        (float("nan"), Finding.DISAGREES),
    ],
)
def test_at_a_kink_everything_between_the_sides_is_admitted(
    derivative: float, expected: Finding
) -> None:
    assert _finding(_probe(tf.abs, 0.0, derivative)) is expected


@pytest.mark.parametrize(
    ("derivative", "expected"),
    [(float("inf"), Finding.NON_SMOOTH), (0.0, Finding.DISAGREES)],
)
def test_a_slope_without_end(derivative: float, expected: Finding) -> None:
    assert _finding(_probe(tf.sqrt, 0.0, derivative)) is expected


def test_at_a_jump_the_side_that_does_not_jump_counts() -> None:
    found = judge(_probe(tf.floor, 2.0, 0.0))
    assert Finding(found.finding.item()) is Finding.NON_SMOOTH
    assert found.jump.item() == 1.0
    assert _finding(_probe(tf.floor, 2.0, 1.0)) is Finding.DISAGREES


def test_a_steep_but_smooth_function_is_smooth() -> None:
    slope = 1e3 * (1 - np.tanh(0.3) ** 2)
    assert _finding(_probe(lambda x: tf.tanh(1e3 * x), 3e-4, slope)) is Finding.AGREES


def test_a_curved_function_is_smooth() -> None:
    assert _finding(_probe(lambda x: tf.abs(x) ** 1.5, 0.0, 0.0)) is Finding.AGREES


def test_the_errors_by_step() -> None:
    probe = _probe(lambda x: x * x * x, 1.0, 3.0)
    # ((1 + δ)³ - (1 - δ)³) / 2δ - 3 = δ²
    assert errors(probe)[:3] == pytest.approx([d * d for d in (0.125, 0.03125, 0.0078125)])
    assert central(probe).shape == (len(probe.deltas), 1, 1)


@pytest.mark.parametrize("offset", [0.0, 5.0, 1e4])
@pytest.mark.parametrize("x", [-1e-2, -1e-4, 1e-4])
def test_a_kink_nearby_is_not_here(x: float, offset: float) -> None:
    def bent(value: tf.Tensor) -> tf.Tensor:
        return tf.nn.relu(value) + offset

    assert _finding(_probe(bent, x, float(x > 0))) is Finding.AGREES
    assert _finding(_probe(bent, x, float(x < 0))) is Finding.DISAGREES
    assert _finding(_probe(bent, 0.0, 0.0)) is Finding.NON_SMOOTH
