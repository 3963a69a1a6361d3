"""Is a gradient right? And if differences say otherwise, whose fault is it?"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any

import numpy as np

from engine.agreement import Finding, central, errors, tolerance
from engine.backward import Cut
from engine.differences import Problem, real_size, reals
from engine.probing import Probe
from engine.problems import function_problems, present_problems
from engine.tensor import Tensor
from engine.trial import Trial, ask, attempt, cuts_of, frozen, traced

_SMALL = 64
_MOST_ENTRIES = 12


class Agreement(Enum):
    """What a check comes to."""

    AGREES = "agrees"
    DISAGREES = "disagrees"
    NON_SMOOTH = "not smooth here"
    BLOCKED = "blocked on purpose"
    PRECISION_LIMITED = "limited by precision"


class Limit(Enum):
    """What keeps differences from being the derivative."""

    ROUNDING = "rounding"
    TRUNCATION = "the step is too large for this function"
    VANISHING = "x plus the step is x"


@dataclass(frozen=True, eq=False)
class Entry:
    """One number of a Jacobian, with what the differences say.

    Attributes:
        argument: which x.
        x: the index in x; None for a motion of all of x.
        y: the index in y; None for a weighted sum of all of y.
        imaginary: whether the imaginary part of x moves, and whether that of y is looked at.
        theoretical: by registered gradients.
        numeric: the central difference where it settles.
        left: the difference to the left, at a small step.
        right: the difference to the right; where it is another one, y is not smooth.
        jump: by how much y jumps at this x; 0 if it does not.
    """

    argument: int
    x: tuple[int, ...] | None
    y: tuple[int, ...] | None
    imaginary: tuple[bool, bool]
    theoretical: float
    numeric: float
    left: float
    right: float
    jump: float


@dataclass(frozen=True, eq=False)
class Check:
    """The two derivatives of y by every x, and whether they agree.

    Attributes:
        verdict: what it comes to.
        theoretical: per x the Jacobian by registered gradients, `[y_size, x_size]`, complex numbers
            as two real ones; along one direction, `[1, 1]`, if not `full`.
        numeric: likewise by central differences, each where it settles as the step shrinks, or at
            the step that was asked for.
        error: the largest difference between them; nan if one is nan.
        entries: the numbers that decide the verdict, worst first, at most twelve; where a
            derivative along a direction is wrong, a number of the Jacobian that is wrong.
        compared: how many numbers were compared.
        decisive: how many decide the verdict.
        ratio: numeric divided by theoretical, where it is the same at all decisive entries of a
            disagreement: a forgotten factor.
        cuts: where gradients are cut off on the way from x to y, stops for example.
        curve: pairs of a step and the error with it. A step is multiplied by max(1, |x|).
        best_delta: the step with the smallest error; None if there is nothing to compare.
        best_error: the error there.
        limit: with PRECISION_LIMITED, what is in the way.
        full: whether whole Jacobians were compared.
    """

    verdict: Agreement
    theoretical: tuple[Any, ...]
    numeric: tuple[Any, ...]
    error: float
    entries: tuple[Entry, ...]
    compared: int
    decisive: int
    ratio: float | None
    cuts: tuple[Cut, ...]
    curve: tuple[tuple[float, float], ...]
    best_delta: float | None
    best_error: float
    limit: Limit | None
    full: bool


def check(
    y: Any,
    x: Any,
    feeds: Mapping[Any, Any] | None = None,
    *,
    delta: float | None = None,
    full: bool | None = None,
    stop_gradients: Any = None,
) -> Check:
    """Compare the gradient of y by x with differences, and say what the comparison is worth.

    Where gradients are cut on purpose, the differences are taken again with what is cut held fixed;
    if they agree then, the verdict is BLOCKED.

    Args:
        y: a tensor; or a function of as many arguments as x has entries, that returns one.
        x: a tensor or variable, or a list of them; for a function the values of its arguments.
        feeds: values of placeholders, the x among them.
        delta: the step of the differences, as it is; by default many steps are tried.
        full: whether to compare whole Jacobians; by default up to 64 elements of x and of y, and
            beyond that the derivative along one direction, always the same.
        stop_gradients: as in `gradients`.

    Raises:
        ArgumentError: x or y is not of a floating or complex type.
        FeedError: a placeholder has no value.
    """
    if callable(y) and not hasattr(y, "as_tensor"):
        arguments = x if isinstance(x, list | tuple) else [x]
        problems = function_problems(y, arguments, stop_gradients)
    else:
        problems = present_problems(y, x, feeds, stop_gradients)
    whole = _is_small(problems) if full is None else full
    trials = [attempt(problem, whole) for problem in problems]
    cuts = cuts_of(problems)
    verdict = _verdict(trials)
    if verdict is Agreement.DISAGREES and cuts:
        held = [attempt(frozen(problem), whole) for problem in problems]
        if _verdict(held) is not Agreement.DISAGREES:
            verdict = Agreement.BLOCKED
    return _report(trials, verdict, cuts, delta, whole)


def _is_small(problems: Sequence[Problem]) -> bool:
    xs = sum(reals(np.array(problem.value)).size for problem in problems)
    return xs <= _SMALL and all(
        real_size(problem.y, problem.y_shape) <= _SMALL for problem in problems
    )


def _verdict(trials: Sequence[Trial]) -> Agreement:
    worst = max((int(t.findings.finding.max(initial=0)) for t in trials), default=0)
    return Agreement[Finding(worst).name]


def _report(
    trials: Sequence[Trial],
    verdict: Agreement,
    cuts: tuple[Cut, ...],
    delta: float | None,
    whole: bool,
) -> Check:
    curve = _curve(trials)
    settled = _worst([_largest(t.probe.theoretical - t.findings.numeric) for t in trials])
    best_delta, best_error = min(
        ((step, error) for step, error in curve if not math.isnan(error)),
        key=lambda pair: pair[1],
        default=(None, settled),
    )
    numeric = [trial.findings.numeric for trial in trials]
    limit = None
    if delta is not None:
        asked = [ask(trial, delta) for trial in trials]
        numeric = [central(probe)[0] for probe in asked]
        limit = _limit_of(asked, trials, delta, best_delta)
        if verdict is Agreement.AGREES and limit is not None:
            verdict = Agreement.PRECISION_LIMITED
    limited = verdict is Agreement.PRECISION_LIMITED
    decisive = _decisive(trials)
    shown = trials
    if verdict is Agreement.DISAGREES and not whole:
        shown = [traced(t) if d.any() else t for t, d in zip(trials, decisive, strict=True)]
    return Check(
        verdict=verdict,
        theoretical=tuple(trial.probe.theoretical.T for trial in trials),
        numeric=tuple(values.T for values in numeric),
        error=_worst(
            [_largest(t.probe.theoretical - n) for t, n in zip(trials, numeric, strict=True)]
        ),
        entries=_entries(shown, decisive),
        compared=sum(trial.probe.theoretical.size for trial in trials),
        decisive=sum(int(found.sum()) for found in decisive),
        ratio=_ratio(shown, decisive) if verdict is Agreement.DISAGREES else None,
        cuts=cuts,
        curve=curve,
        best_delta=best_delta,
        best_error=best_error,
        limit=(limit or Limit.ROUNDING) if limited else None,
        full=whole,
    )


def _curve(trials: Sequence[Trial]) -> tuple[tuple[float, float], ...]:
    """Return the error over all arguments for each step that all were tried with."""
    rows = [dict(zip(t.probe.deltas.tolist(), errors(t.probe), strict=True)) for t in trials]
    return tuple(
        (delta, _worst([row[delta] for row in rows]))
        for delta in (rows[0] if rows else ())
        if all(delta in row for row in rows)
    )


def _worst(values: Sequence[float]) -> float:
    return float(np.max(values)) if values else 0.0  # np.max, unlike max, keeps a nan


def _largest(gaps: Any) -> float:
    with np.errstate(all="ignore"):
        return float(np.max(abs(gaps))) if np.size(gaps) else 0.0


def _limit_of(
    asked: Sequence[Probe], trials: Sequence[Trial], delta: float, best: float | None
) -> Limit | None:
    """Return why the step that was asked for is of no use; None if it is."""
    if any((probe.up + probe.down == 0).any() for probe in asked):
        return Limit.VANISHING
    for probe, trial in zip(asked, trials, strict=True):
        settled = trial.findings.numeric
        with np.errstate(all="ignore"):
            off = abs(central(probe)[0] - settled)
            useless = off > 4 * tolerance(probe) * np.max(abs(settled), initial=0.0)
        if useless.any():
            return Limit.TRUNCATION if best is not None and delta > best else Limit.ROUNDING
    return None


def _decisive(trials: Sequence[Trial]) -> list[Any]:
    """Return, per argument, about which numbers the worst finding is; none if all agree."""
    worst = max((int(trial.findings.finding.max(initial=0)) for trial in trials), default=0)
    return [(trial.findings.finding == worst) & (worst > 0) for trial in trials]


def _entries(trials: Sequence[Trial], decisive: Sequence[Any]) -> tuple[Entry, ...]:
    listed = [
        (_gap(trial, row, column), argument, int(row), int(column))
        for argument, (trial, found) in enumerate(zip(trials, decisive, strict=True))
        for row, column in zip(*np.nonzero(found), strict=True)
    ]
    listed.sort(key=lambda item: (-item[0], item[1:]))
    return tuple(
        _entry(trials[argument], argument, row, column)
        for _gap_there, argument, row, column in listed[:_MOST_ENTRIES]
    )


def _gap(trial: Trial, row: int, column: int) -> float:
    gap = abs(trial.probe.theoretical[row, column] - trial.findings.numeric[row, column])
    return math.inf if math.isnan(gap) else float(gap)


def _entry(trial: Trial, argument: int, row: int, column: int) -> Entry:
    problem, found = trial.problem, trial.findings
    x: tuple[int, ...] | None = None
    y: tuple[int, ...] | None = None
    imaginary = (False, False)
    if trial.direction is None or trial.place is not None:
        number = trial.place or (row, column)
        x, x_imaginary = _place(number[0], np.shape(problem.value), problem.x)
        y, y_imaginary = _place(number[1], problem.y_shape, problem.y)
        imaginary = x_imaginary, y_imaginary
    return Entry(
        argument=argument,
        x=x,
        y=y,
        imaginary=imaginary,
        theoretical=float(trial.probe.theoretical[row, column]),
        numeric=float(found.numeric[row, column]),
        left=float(found.left[row, column]),
        right=float(found.right[row, column]),
        jump=float(found.jump[row, column]),
    )


def _place(number: int, shape: tuple[int, ...], tensor: Tensor) -> tuple[tuple[int, ...], bool]:
    """Return the index of a real number in a tensor, and whether it is an imaginary part."""
    element, part = divmod(number, 2) if tensor.dtype.is_complex else (number, 0)
    return tuple(int(k) for k in np.unravel_index(element, shape)), bool(part)


def _ratio(trials: Sequence[Trial], decisive: Sequence[Any]) -> float | None:
    """Return the one factor between the derivatives at all decisive numbers, if there is one."""
    pairs = [
        (trial.findings.numeric[found], trial.probe.theoretical[found])
        for trial, found in zip(trials, decisive, strict=True)
    ]
    numeric, theoretical = (np.concatenate(parts) for parts in zip(*pairs, strict=True))
    if not theoretical.all() or not np.isfinite(theoretical).all():
        return None
    ratios = numeric / theoretical
    middle = float(np.median(ratios))
    accuracy = max(math.sqrt(tolerance(trial.probe)) for trial in trials)
    same = np.allclose(ratios, middle, rtol=accuracy, atol=0.0)
    return middle if same and math.isfinite(middle) else None


__all__ = ["Agreement", "Check", "Entry", "Limit", "check"]
