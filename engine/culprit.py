"""Which element is it? A wrong derivative along a direction, traced by halving the direction."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from engine.agreement import errors
from engine.differences import Problem
from engine.probing import Direction, Probe, probe_direction, weighted_gradient


def find_culprit(problem: Problem, direction: Direction, probe: Probe) -> tuple[int, int]:
    """Return a real number of x and one of y between which the derivative is wrong.

    First half of the motion is taken, or the other half, whichever is more wrong, until one number
    moves; then likewise half of the weights. About log2(size) probes for each.

    Args:
        problem: the one that was probed.
        direction: along which the derivative is wrong.
        probe: along it; the step at which it settled is used again.
    """
    delta = _settled_step(probe)

    def wrong_by(trial: Direction) -> float:
        error = errors(probe_direction(problem, [delta], trial))[0]
        return float("inf") if np.isnan(error) else error

    def moved(chosen: Any) -> Direction:
        return replace(direction, motion=np.where(chosen, direction.motion, 0.0))

    row = _halved(len(direction.motion), lambda chosen: wrong_by(moved(chosen)))
    alone = moved(np.arange(len(direction.motion)) == row)

    def weighed(chosen: Any) -> Direction:
        weights = np.where(chosen, direction.weights, 0.0)
        return replace(alone, weights=weights, gradient=weighted_gradient(problem, weights))

    return row, _halved(len(direction.weights), lambda chosen: wrong_by(weighed(chosen)))


def _settled_step(probe: Probe) -> float:
    """Return the step at which central differences change least to the next."""
    slopes = ((probe.above - probe.below) / (probe.up + probe.down))[:, 0, 0]
    with np.errstate(all="ignore"):
        change = abs(np.diff(slopes))
    change = np.where(np.isfinite(change), change, np.inf)
    rounding = probe.eps * probe.size[1:, 0, 0] / probe.up[1:, 0, 0]
    return float(probe.deltas[1:][np.argmin(change + rounding)])


def _halved(count: int, wrong_by: Callable[[Any], float]) -> int:
    """Return one of `count` numbers, by keeping the half that is more wrong."""
    numbers = np.arange(count)
    low, high = 0, count
    while high - low > 1:
        middle = (low + high) // 2
        first = wrong_by((numbers >= low) & (numbers < middle))
        second = wrong_by((numbers >= middle) & (numbers < high))
        low, high = (low, middle) if first >= second else (middle, high)
    return low
