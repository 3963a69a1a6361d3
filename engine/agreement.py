"""Do a derivative and its differences agree, number by number, and if not, why?

Decided from data: for a smooth function the differences to both sides approach each other in
proportion to the step, and central differences approach the derivative with its square, until
rounding, about eps |y| / step, drowns them.

Source of the error model: C. F. Gauss's Taylor argument in any text; P. E. Gill, W. Murray,
    M. H. Wright, "Practical Optimization", 1981, section 8.6: truncation plus condition error.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import IntEnum
from typing import Any

import numpy as np

from engine.probing import Probe


class Finding(IntEnum):
    """What is found about one number of a Jacobian, by how much it matters."""

    AGREES = 0
    PRECISION_LIMITED = 1
    NON_SMOOTH = 2
    DISAGREES = 3


_TOLERANCES = {2.0**-10: 5e-2, 2.0**-23: 2e-3, 2.0**-52: 1e-6}
"""Relative, by precision: about the 3/8th power of it, between what is lost and what is a bug."""
_ROUNDINGS = 4.0
"""Roundings that the difference of two values of y may suffer, in units of eps |y|."""


@dataclass(frozen=True, eq=False)
class Findings:
    """The best differences, and what they say, all `[rows, columns]`.

    Attributes:
        finding: values of `Finding`.
        numeric: the central difference at the step where it settles.
        uncertainty: how much it still changes there, plus rounding.
        left: the difference to the left at a step so small that smooth functions have equal ones.
        right: the difference to the right.
        jump: by how much y changes at the point, however small the step; 0 if it does not.
    """

    finding: Any
    numeric: Any
    uncertainty: Any
    left: Any
    right: Any
    jump: Any


def tolerance(probe: Probe) -> float:
    """Return the relative difference that is no disagreement."""
    return _TOLERANCES[probe.eps]


def central(probe: Probe) -> Any:
    """Return the central differences, `[steps, rows, columns]`; nan where x did not move."""
    return _quotient(probe.above - probe.below, probe.up + probe.down)


def errors(probe: Probe) -> tuple[float, ...]:
    """Return, for each step, the largest difference between derivative and central difference."""
    with np.errstate(all="ignore"):
        gaps = abs(central(probe) - probe.theoretical)
    return tuple(float(np.max(gap)) if gap.size else 0.0 for gap in gaps)


def judge(probe: Probe) -> Findings:
    """Return what is found about every number."""
    with np.errstate(all="ignore"):
        numeric, uncertainty = _settled(probe)
        sides = _sides(probe)
        derivative = probe.theoretical
        allowed = tolerance(probe)
        # Where a kink is near, differences may settle beyond it; small steps see this side only.
        beyond = _close(derivative, sides.middle, 4 * sides.noise, allowed)
        beyond &= ~sides.rough & ~_close(derivative, numeric, 4 * uncertainty, allowed)
        numeric = np.where(beyond, sides.middle, numeric)
        uncertainty = np.where(beyond, sides.noise, uncertainty)
        rounded = 32 * probe.eps * _largest(derivative)  # what the derivative itself may lose
        close = _close(derivative, numeric, 4 * uncertainty + rounded, allowed)
        scale = np.maximum(abs(derivative), abs(numeric))
        vague = uncertainty > allowed * np.maximum(scale, _natural_scale(probe, scale))
        finding = np.where(close, np.where(vague, 1, 0), 3)
        admitted = sides.admit(derivative, allowed)
        finding = np.where(sides.rough, np.where(admitted, 2, 3), finding)
    return Findings(finding.astype(int), numeric, uncertainty, sides.left, sides.right, sides.jump)


def _close(first: Any, second: Any, slack: Any, allowed: float) -> Any:
    return abs(first - second) <= allowed * np.maximum(abs(first), abs(second)) + slack


def _quotient(rise: Any, run: Any) -> Any:
    with np.errstate(all="ignore"):
        return np.where(run == 0, np.nan, rise / np.where(run == 0, 1.0, run))


def _rounding(probe: Probe) -> Any:
    """Return the rounding error of a one-sided difference, `[steps, rows, columns]`."""
    run = np.broadcast_to(np.minimum(probe.up, probe.down), probe.size.shape)
    return _quotient(np.maximum(_ROUNDINGS * probe.eps * probe.size, _grain(probe)), run)


def _grain(probe: Probe) -> Any:
    """Return the grains in which y moves, where they are coarser than its precision; else 0.

    A y that lost digits on the way, by the difference of large numbers, does not change at small
    steps, and changes at larger ones by multiples of one amount. `[rows, columns]`.
    """
    if probe.eps > 1e-4:
        return np.zeros_like(probe.theoretical)
    changes = np.abs([probe.above - probe.here, probe.below - probe.here])
    seen = (changes > 0) & np.isfinite(changes)
    grain = np.min(np.where(seen, changes, np.inf), axis=(0, 1), initial=np.inf)
    parts = np.where(seen, changes / grain, 0.0)
    multiples = (abs(parts - np.round(parts)) < 0.05).all(axis=(0, 1))
    coarse = multiples & (seen.sum(axis=(0, 1)) > 5) & (grain <= 1e-3 * probe.size[-1])
    return np.where(coarse & (changes == 0).any(axis=(0, 1)), grain, 0.0)


def _settled(probe: Probe) -> tuple[Any, Any]:
    """Return the differences where they change least from step to step, and by how much.

    Central differences, and what they tend to if the error falls with the square of the step.

    Source: L. F. Richardson, "The approximate arithmetical solution by finite differences", 1911.
    """
    slopes = central(probe)
    if not slopes.size:
        return np.zeros_like(probe.theoretical), np.zeros_like(probe.theoretical)
    ratio = float(probe.deltas[0] / probe.deltas[1]) ** 2
    extrapolated = (ratio * slopes[1:] - slopes[:-1]) / (ratio - 1)
    rounding = _rounding(probe)
    values = np.concatenate([slopes, extrapolated])
    doubt = np.concatenate([_change(slopes) + rounding, _change(extrapolated) + rounding[1:]])
    doubt = np.where(np.isfinite(doubt), doubt, np.inf)
    best = np.argmin(doubt, axis=0)[None]
    return (
        np.take_along_axis(values, best, axis=0)[0],
        np.take_along_axis(doubt, best, axis=0)[0],
    )


def _change(values: Any) -> Any:
    """Return by how much each differs from its neighbours, the larger of the two differences."""
    change = abs(np.diff(values, axis=0))
    none = np.zeros_like(values[:1])
    return np.maximum(np.concatenate([change, none]), np.concatenate([none, change]))


def _natural_scale(probe: Probe, scale: Any) -> float:
    """Return how large a derivative is not small any more: as the largest one, or as y."""
    return max(_largest(scale), _largest(np.median(probe.size, axis=0)))


def _largest(values: Any) -> float:
    return float(np.max(np.where(np.isfinite(values), abs(values), 0.0), initial=0.0))


@dataclass(frozen=True, eq=False)
class _Sides:
    """The differences to both sides, at a small step and at one about sixteen times as large.

    `noise` is the rounding error of a difference; `scatter` is how much the two differ at steps
    so small that it is by rounding alone, which may be more, as y may have lost digits on the way.
    """

    left: Any
    right: Any
    left_before: Any
    right_before: Any
    left_jump: Any
    right_jump: Any
    noise: Any
    scatter: Any

    @property
    def middle(self) -> Any:
        return (self.left + self.right) / 2

    @property
    def jump(self) -> Any:
        return np.where(self.right_jump != 0, self.right_jump, self.left_jump)

    @property
    def rough(self) -> Any:
        """Whether the sides do not approach each other, or one of them does not exist."""
        gap, before = abs(self.right - self.left), abs(self.right_before - self.left_before)
        apart = (gap > 16 * self.scatter) & (gap >= 0.5 * before)
        missing = ~(np.isfinite(self.left) & np.isfinite(self.right))
        return apart | missing | (self.jump != 0)

    def admit(self, derivative: Any, allowed: float) -> Any:
        """Whether a derivative lies between the sides, as far as there are two."""
        bounds = [
            self._bound(self.left, self.left_before, self.left_jump, allowed),
            self._bound(self.right, self.right_before, self.right_jump, allowed),
        ]
        lows = np.stack([low for low, _high in bounds])
        highs = np.stack([high for _low, high in bounds])
        known = ~np.isnan(lows)
        low = np.min(np.where(known, lows, np.inf), axis=0)
        high = np.max(np.where(known, highs, -np.inf), axis=0)
        nothing = ~known.any(axis=0)
        inside = (derivative >= low) & (derivative <= high)
        return np.where(nothing, ~np.isnan(derivative), inside)

    def _bound(self, side: Any, before: Any, jump: Any, allowed: float) -> tuple[Any, Any]:
        """Return the least and the greatest derivative that one side would give, nan if none.

        A slope that grows without end as the step shrinks, as that of a root at 0, allows
        infinity; where y jumps to this side, it gives none.
        """
        slack = allowed * abs(side) + abs(side - before) + 4 * self.noise
        growing = abs(side) > 1.5 * abs(before) + 16 * self.noise
        none = ~np.isfinite(side) | (jump != 0)
        low = np.where(growing & (side < 0), -np.inf, side - slack)
        high = np.where(growing & (side > 0), np.inf, side + slack)
        return np.where(none, np.nan, low), np.where(none, np.nan, high)


def _sides(probe: Probe) -> _Sides:
    rights = _quotient(probe.above - probe.here, np.broadcast_to(probe.up, probe.above.shape))
    lefts = _quotient(probe.here - probe.below, np.broadcast_to(probe.down, probe.below.shape))
    noise = _rounding(probe)
    left_jump = _jump(probe, probe.here - probe.below)
    right_jump = _jump(probe, probe.above - probe.here)
    still = np.maximum(_scatter(probe), _grain(probe))
    still = np.where((left_jump == 0) & (right_jump == 0), still, 0.0)
    still = np.max(still, axis=0, keepdims=True, initial=0.0)  # y rounds as much whatever x moves
    run = np.broadcast_to(np.minimum(probe.up, probe.down), noise.shape)
    scatter = np.maximum(noise, _quotient(np.broadcast_to(still, noise.shape), run))
    small, large = _scales(probe, lefts, rights, scatter)

    def at(values: Any, index: Any) -> Any:
        return np.take_along_axis(values, index[None], axis=0)[0]

    return _Sides(
        left=at(lefts, small),
        right=at(rights, small),
        left_before=at(lefts, large),
        right_before=at(rights, large),
        left_jump=left_jump,
        right_jump=right_jump,
        noise=at(noise, small),
        scatter=at(scatter, small),
    )


def _scatter(probe: Probe) -> Any:
    """Return the second difference of each element of y at the smallest step.

    Nearly all of it is rounding. It may be zero by chance, so the next larger steps count as well,
    by the square of the step, which is how the second difference of a smooth function grows.
    """
    if probe.eps > 1e-4:
        return np.zeros_like(probe.theoretical)  # no step is small enough to tell
    last = np.broadcast_to(_last_moved(probe)[None], probe.above[:1].shape)
    second = np.nan_to_num(abs(probe.above - 2 * probe.here + probe.below), posinf=0.0)
    shrink = float(probe.deltas[1] / probe.deltas[0]) ** 2
    found = [
        np.take_along_axis(second, np.maximum(last - back, 0), axis=0)[0] * shrink**back
        for back in range(3)
    ]
    return np.max(found, axis=0)


def _scales(probe: Probe, lefts: Any, rights: Any, noise: Any) -> tuple[Any, Any]:
    """Return, for every number, the index of a small step and of one about 16 times as large.

    The small one is the smallest at which rounding does not matter yet.
    """
    back = _steps_of_sixteen(probe)
    slopes = np.fmax(np.fmax(abs(lefts), abs(rights)), abs(probe.theoretical))
    slopes = np.where(np.isfinite(slopes), slopes, 0.0)
    limit = 3e-2 if probe.eps > 1e-4 else 1e-3
    clear = noise <= limit * np.maximum(slopes, np.median(slopes, axis=0))
    steps = np.arange(len(noise))[:, None, None]
    small = np.max(np.where(clear, steps, back), axis=0)
    small = np.clip(small, back, len(noise) - 1)
    return small, small - back


def _steps_of_sixteen(probe: Probe) -> int:
    """Return how many steps make a factor of about sixteen."""
    ratio = float(probe.deltas[0] / probe.deltas[1])
    return min(max(1, round(math.log(16) / math.log(ratio))), len(probe.deltas) - 1)


def _jump(probe: Probe, change: Any) -> Any:
    """Return by how much y changes at the smallest steps, 0 if it changes less the smaller they."""
    back = _steps_of_sixteen(probe)
    last = _last_moved(probe)
    index = np.broadcast_to(last[None], change[:1].shape)
    now = np.take_along_axis(change, index, axis=0)[0]
    before = np.take_along_axis(change, np.maximum(index - back, 0), axis=0)[0]
    size = np.take_along_axis(probe.size, index, axis=0)[0]
    large = abs(now) > 64 * probe.eps * size
    return np.where(np.isfinite(now) & large & (abs(now) > 0.5 * abs(before)), now, 0.0)


def _last_moved(probe: Probe) -> Any:
    """Return the index of the smallest step by which x really moved, `[rows, 1]`."""
    steps = np.arange(len(probe.deltas))[:, None, None]
    moved = (probe.up > 0) & (probe.down > 0)
    return np.max(np.where(moved, steps, 0), axis=0)
