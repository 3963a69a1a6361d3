"""One x of a check: probed, judged, probed again with what is cut held fixed, and traced."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from engine.agreement import Findings, judge
from engine.backward import Cut, Reason
from engine.blocking import nearest_cuts
from engine.culprit import find_culprit
from engine.differences import Problem
from engine.probing import (
    Direction,
    Probe,
    draw_direction,
    probe_direction,
    probe_elements,
    step_sizes,
    weighted_gradient,
)
from engine.tensor import Tensor

_FREEZABLE = (Reason.STOP_OP, Reason.STOP_ARGUMENT, Reason.INTEGER, Reason.NOT_DIFFERENTIABLE)


@dataclass(frozen=True, eq=False)
class Trial:
    """One x, probed and judged.

    Attributes:
        direction: how x was moved, where not each of its elements was moved alone.
        place: with a direction that is one element of x and one of y, which ones, as numbers of
            real elements.
    """

    problem: Problem
    probe: Probe
    findings: Findings
    direction: Direction | None = None
    place: tuple[int, int] | None = None


def attempt(problem: Problem, whole: bool) -> Trial:
    """Probe the whole Jacobian, or along one direction, and judge it."""
    deltas = step_sizes(problem)
    if whole or not np.size(problem.value) or not math.prod(problem.y_shape):
        probe = probe_elements(problem, deltas, problem.theoretical())
        return Trial(problem, probe, judge(probe))
    return _along(problem, draw_direction(problem), None)


def _along(problem: Problem, direction: Direction, place: tuple[int, int] | None) -> Trial:
    probe = probe_direction(problem, step_sizes(problem), direction)
    return Trial(problem, probe, judge(probe), direction, place)


def ask(trial: Trial, delta: float) -> Probe:
    """Probe again, with one step only, which is taken as it is."""
    if trial.direction is not None:
        return probe_direction(trial.problem, [delta], trial.direction)
    return probe_elements(trial.problem, [delta], trial.probe.theoretical, relative=False)


def traced(trial: Trial) -> Trial:
    """Return the trial of one number of the Jacobian that makes a direction's derivative wrong."""
    assert trial.direction is not None
    problem = trial.problem
    row, column = find_culprit(problem, trial.direction, trial.probe)
    motion, weights = np.zeros_like(trial.direction.motion), np.zeros_like(trial.direction.weights)
    motion[row] = weights[column] = 1.0
    alone = Direction(motion, weights, weighted_gradient(problem, weights))
    return _along(problem, alone, (row, column))


def cuts_of(problems: Sequence[Problem]) -> tuple[Cut, ...]:
    """Return where gradients are cut off, nearest to y, each cut once."""
    found = {
        (cut.op, cut.input): cut for problem in problems for cut in nearest_cuts(problem.record)
    }
    return tuple(found.values())


def frozen(problem: Problem) -> Problem:
    """Hold what is cut on purpose at its value."""
    tensors: dict[Tensor, None] = {}
    for cut in nearest_cuts(problem.record):
        if cut.reason in _FREEZABLE:
            kept = (cut.tensor,) if cut.reason is Reason.INTEGER else cut.op.outputs
            tensors.update(dict.fromkeys(kept))
    movable = [tensor for tensor in tensors if all(tensor is not leaf for leaf in problem.leaves)]
    return problem.frozen(movable)
