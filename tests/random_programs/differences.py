"""The slope of a weighted sum of tensors along one entry of another, and how far to trust it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from engine.plan import evaluate
from engine.tensor import Tensor

_STEP = 2e-4
_SLOPES_DIFFER = 1e-5  # central differences of two step sizes, relative
_CURVATURES_DIFFER = 1e-6  # differences of one-sided slopes, likewise; a kink does not shrink


@dataclass(frozen=True)
class Slope:
    """A slope by central differences, and by how much those of two step sizes differ."""

    value: float
    doubt: float


def weights(shape: tuple[int, ...], dtype: Any, seed: int) -> Any:
    """Return the upstream gradient of a tensor: irregular numbers around 1."""
    rng = np.random.default_rng((seed, *shape))
    array = rng.uniform(0.5, 1.5, shape)
    if np.dtype(dtype).kind == "c":
        array = array + 1j * rng.uniform(0.5, 1.5, shape)
    return array.astype(dtype)


def weighted_sum(arrays: Sequence[Any], factors: Sequence[Any]) -> float:
    """Return Re(sum(conj(w) y)), whose gradient is that of the ys with upstream gradients w."""
    pairs = zip(factors, arrays, strict=True)
    return float(sum((np.real(np.vdot(w, y)) for w, y in pairs), 0.0))


def slope(
    ys: Sequence[Tensor],
    factors: Sequence[Any],
    feeds: Mapping[Tensor, Any],
    x: Tensor,
    place: tuple[int, ...],
    direction: complex,
    scale: float,
) -> Slope | None:
    """Return the slope of the weighted sum of ys along one entry of x; None near a kink.

    Smooth functions have one-sided slopes whose difference halves with the step, and central
    differences that hardly change; a kink or a jump within the step breaks one or the other.

    Args:
        feeds: values of placeholders, of what is held, and of x.
        direction: 1, or 1j for the imaginary part.
        scale: the size of what an error is compared with.
    """
    base = np.asarray(feeds[x])
    width = _STEP * max(1.0, float(abs(base[place])))

    def at(distance: float) -> float:
        moved = np.array(base)
        moved[place] += distance * direction
        return weighted_sum(evaluate(ys, {**feeds, x: moved}), factors)

    centre = at(0.0)
    central, curved = [], []
    for step in (width, width / 2):
        above, below = at(step), at(-step)
        central.append((above - below) / (2 * step))
        curved.append((above - 2 * centre + below) / step)
    coarse, fine = central
    doubt = abs(coarse - fine)
    smooth = doubt <= _SLOPES_DIFFER * scale
    smooth = smooth and abs(curved[0] - 2 * curved[1]) <= _CURVATURES_DIFFER * scale
    return Slope((4 * fine - coarse) / 3, doubt) if smooth else None
