"""What a tensor does around a point: its values at steps of several sizes, to both sides."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from engine.differences import Problem, reals

_SEED = 0
_FACTORS = {16: 2.0, 32: 2.0, 64: 4.0}
_LARGEST = {16: 1.0, 32: 0.25, 64: 0.125}
_COUNTS = {16: 7, 32: 19, 64: 15}


def bits(problem: Problem) -> int:
    """Return the size of the coarser of the two real types, in bits: 16, 32 or 64."""
    types = problem.x.dtype.real_dtype, problem.y.dtype.real_dtype
    return min(np.dtype(dtype.dtype).itemsize * 8 for dtype in types)


def step_sizes(problem: Problem) -> tuple[float, ...]:
    """Return the steps to try, powers of two from the largest to the smallest."""
    size = bits(problem)
    return tuple(_LARGEST[size] / _FACTORS[size] ** k for k in range(_COUNTS[size]))


@dataclass(frozen=True, eq=False)
class Probe:
    """Values of y near a point, in [steps, rows, columns]: a row per motion of x.

    Attributes:
        deltas: the step sizes, `[steps]`.
        here: y at the point, `[columns]`.
        above: y at x + step.
        below: y at x - step.
        up: how far x really moved upwards, in units of the motion, `[steps, rows, 1]`.
        down: how far x really moved downwards.
        size: magnitude of the numbers that y is made of, at least its own.
        theoretical: the derivative by registered gradients, `[rows, columns]`.
        eps: relative precision of the coarser type.
    """

    deltas: Any
    here: Any
    above: Any
    below: Any
    up: Any
    down: Any
    size: Any
    theoretical: Any
    eps: float


def probe_elements(
    problem: Problem, deltas: Sequence[float], theoretical: Any, *, relative: bool = True
) -> Probe:
    """Move each element of x by itself; rows are elements of x, columns elements of y.

    Args:
        deltas: step sizes; relative ones are multiplied by max(1, |x|), element by element.
        theoretical: the Jacobian by registered gradients, `[x_size, y_size]`.
    """
    point = np.asarray(reals(np.array(problem.value)), np.float64)
    here = _values(problem, problem.value)
    shape = (len(deltas), len(point), len(here))
    above, below = np.empty(shape), np.empty(shape)
    up, down = np.empty((*shape[:2], 1)), np.empty((*shape[:2], 1))
    for k, delta in enumerate(deltas):
        for row, x in enumerate(point):
            step = delta * max(1.0, abs(x)) if relative else delta
            above[k, row], up[k, row] = _moved(problem, row, step)
            below[k, row], moved = _moved(problem, row, -step)
            down[k, row] = -moved
    size = np.fmax(np.fmax(abs(above), abs(below)), abs(here))  # nan at the edge of a domain
    if problem.y.dtype.is_complex:  # both parts are rounded as the larger of them
        size = np.repeat(size.reshape((*shape[:2], shape[2] // 2, 2)).max(axis=3), 2, axis=2)
    return Probe(
        np.array(deltas),
        here,
        above,
        below,
        up,
        down,
        size,
        np.asarray(theoretical, float),
        _eps(problem),
    )


def _moved(problem: Problem, row: int, step: float) -> tuple[Any, float]:
    moved = np.array(problem.value)
    flat = reals(moved)
    before = float(flat[row])
    with np.errstate(all="ignore"):
        flat[row] = before + step
        return _values(problem, moved), float(flat[row]) - before


def _values(problem: Problem, value: Any) -> Any:
    return np.asarray(reals(problem.at(value)), np.float64)


def _eps(problem: Problem) -> float:
    return float(np.finfo(np.dtype(f"f{bits(problem) // 8}")).eps)


@dataclass(frozen=True, eq=False)
class Direction:
    """A motion of all of x at once, and a weighted sum of all of y.

    Attributes:
        motion: per real number of x how far it moves in units of the step.
        weights: per real number of y.
        gradient: of the weighted sum by each real number of x, by registered gradients.
    """

    motion: Any
    weights: Any
    gradient: Any


def draw_direction(problem: Problem) -> Direction:
    """Draw a motion without small entries, always the same one."""
    draw = np.random.default_rng(_SEED)
    point = np.asarray(reals(np.array(problem.value)), np.float64)
    columns = len(_values(problem, problem.value))
    motion = _drawn(draw, len(point)) * np.maximum(1.0, abs(point))
    weights = _drawn(draw, columns)
    return Direction(motion, weights, weighted_gradient(problem, weights))


def _drawn(draw: np.random.Generator, count: int) -> Any:
    return draw.uniform(0.5, 1.0, count) * draw.choice([-1.0, 1.0], count)


def weighted_gradient(problem: Problem, weights: Any) -> Any:
    """Return the gradient of the weighted sum of y, by registered gradients."""
    if problem.gradient is None:
        return np.zeros(reals(np.array(problem.value)).size)
    seed = np.zeros(problem.y_shape, problem.y.dtype.dtype)
    reals(seed)[:] = weights
    return np.asarray(next(iter(problem.gradients([seed]))), np.float64)


def probe_direction(problem: Problem, deltas: Sequence[float], direction: Direction) -> Probe:
    """Move all of x along a direction; there is one row and one column.

    The motion is rounded with x; what the rounding adds is taken off by the gradient.
    """
    here = _values(problem, problem.value)
    weights = direction.weights
    slope = _dot(direction.gradient, direction.motion)
    shape = (len(deltas), 1, 1)
    above, below, size = np.empty(shape), np.empty(shape), np.empty(shape)
    steps = np.empty(shape)
    for k, (delta, values, corrections) in enumerate(_pairs(problem, deltas, direction)):
        middle = _dot(weights, here)
        above[k], below[k] = (
            middle + _dot(weights, value - here) - correction
            for value, correction in zip(values, corrections, strict=True)
        )
        size[k] = np.fmax.reduce([_dot(abs(weights), abs(value)) for value in (*values, here)])
        steps[k] = delta
    return Probe(
        np.array(deltas),
        np.array([_dot(weights, here)]),
        above,
        below,
        steps,
        steps,
        size,
        np.array([[slope]]),
        _eps(problem),
    )


def _pairs(
    problem: Problem, deltas: Sequence[float], direction: Direction
) -> Iterator[tuple[float, list[Any], list[float]]]:
    for delta in deltas:
        values, corrections = [], []
        for sign in (1.0, -1.0):
            value, excess = _along(problem, sign * delta * direction.motion)
            values.append(value)
            corrections.append(_dot(direction.gradient, excess))
        yield delta, values, corrections


def _along(problem: Problem, step: Any) -> tuple[Any, Any]:
    """Return y at x plus a step, and how much further than that x moved."""
    moved = np.array(problem.value)
    flat = reals(moved)
    before = np.array(flat, np.float64)
    with np.errstate(all="ignore"):
        flat[:] = before + step
    return _values(problem, moved), np.asarray(flat, np.float64) - before - step


def _dot(first: Any, second: Any) -> float:
    """Return a sum of products to which what is not moved adds nothing, be it infinite."""
    with np.errstate(all="ignore"):
        return float(np.sum(np.where(second == 0, 0.0, first * second)))
