"""Values around a point, moved element by element or along a direction."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from engine.differences import Problem
from engine.graph import Graph
from engine.probing import (
    Direction,
    draw_direction,
    probe_direction,
    probe_elements,
    step_sizes,
    weighted_gradient,
)
from engine.problems import function_problems


@pytest.fixture(autouse=True)
def graph() -> Iterator[Graph]:
    with Graph().as_default() as graph:
        yield graph


def _cube(point: np.ndarray) -> Problem:
    return function_problems(lambda x: x * x * x, [point])[0]


def test_steps_are_relative_to_large_x_and_exact() -> None:
    problem = _cube(np.array([0.5, 8.0]))
    probe = probe_elements(problem, [0.25], problem.theoretical())
    assert probe.up[0, :, 0].tolist() == probe.down[0, :, 0].tolist() == [0.25, 2.0]
    assert probe.above[0].tolist() == [[0.75**3, 512.0], [0.125, 1000.0]]
    assert probe.below[0].tolist() == [[0.25**3, 512.0], [0.125, 216.0]]
    assert probe.here.tolist() == [0.125, 512.0]
    absolute = probe_elements(problem, [0.25], problem.theoretical(), relative=False)
    assert absolute.up[0, :, 0].tolist() == [0.25, 0.25]


def test_a_step_that_is_lost_counts_as_none() -> None:
    problem = _cube(np.array([1e8], np.float32))
    probe = probe_elements(problem, [1e-3], problem.theoretical(), relative=False)
    assert probe.up.tolist() == probe.down.tolist() == [[[0.0]]]


def test_both_parts_of_a_complex_number_are_as_exact_as_the_larger() -> None:
    problem = _cube(np.array([1.0 + 0.0j]))
    probe = probe_elements(problem, [0.5], problem.theoretical())
    assert probe.above.shape == (1, 2, 2)
    assert probe.size[0, 0].tolist() == [1.5**3, 1.5**3]


def test_steps_by_precision() -> None:
    halves, singles, doubles = (
        step_sizes(_cube(np.ones(1, kind))) for kind in (np.float16, np.float32, np.float64)
    )
    assert halves[0] == 1.0
    assert singles[0] == 0.25
    assert doubles[0] == 0.125
    assert doubles[-1] < singles[-1] < halves[-1]


def test_along_a_direction_there_is_one_number() -> None:
    problem = _cube(np.array([1.0, 2.0]))
    weights = np.array([10.0, 1.0])
    gradient = weighted_gradient(problem, weights)
    assert gradient.tolist() == [10.0 * 3.0, 12.0]
    direction = Direction(np.array([1.0, -1.0]), weights, gradient)
    probe = probe_direction(problem, [0.5], direction)
    assert probe.here.tolist() == [10.0 + 8.0]
    assert probe.above.tolist() == [[[10 * 1.5**3 + 1.5**3]]]
    assert probe.below.tolist() == [[[10 * 0.5**3 + 2.5**3]]]
    assert probe.theoretical.tolist() == [[30.0 - 12.0]]


def test_a_direction_moves_everything_and_is_always_the_same() -> None:
    problem = _cube(np.array([1.0, -200.0, 0.0]))
    first, second = draw_direction(problem), draw_direction(problem)
    assert first.motion.tolist() == second.motion.tolist()
    assert (abs(first.motion) >= [0.5, 100.0, 0.5]).all()
    assert (abs(first.weights) >= 0.5).all()


def test_rounding_of_the_motion_does_not_count() -> None:
    problem = function_problems(lambda x: x, [np.array([1.0, 3.0], np.float32)])[0]
    direction = Direction(np.array([0.1, 0.3]), np.ones(2), np.ones(2))
    probe = probe_direction(problem, [2.0**-13], direction)
    slope = (probe.above - probe.below) / (probe.up + probe.down)
    assert slope.item() == pytest.approx(0.4, rel=1e-9)
