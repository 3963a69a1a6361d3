"""Sample inputs by op type, one table a family; `Sample` is one line of a table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np


@dataclass(frozen=True, eq=False)
class Sample:
    """Inputs on which an op is tried.

    Attributes:
        inputs: one array per input; values at which the op is differentiable, unless order is 0.
        attrs: structural attributes.
        order: up to which order its gradient is compared with central differences: 0 for an op
            without gradient, 1 where the second derivative is None or zero by convention, else 2.
        wrt: the inputs to differentiate; None means every floating one.
        dynamic: whether it also works when no size is known before the run.
        tolerance: relative, of the comparison with central differences.
        hermitian: whether the inputs are Hermitian matrices, to be changed symmetrically only.
    """

    inputs: tuple[Any, ...]
    attrs: Mapping[str, Any] = field(default_factory=dict)
    order: int = 2
    wrt: tuple[int, ...] | None = None
    dynamic: bool = True
    tolerance: float = 1e-6
    hermitian: bool = False

    @property
    def sources(self) -> tuple[int, ...]:
        """Return the slots of the inputs to differentiate."""
        if self.order == 0:
            return ()
        if self.wrt is not None:
            return self.wrt
        return tuple(
            slot for slot, array in enumerate(self.inputs) if np.asarray(array).dtype.kind in "fc"
        )


def spread(*shape: int, low: float = -2.0, high: float = 2.0, seed: int = 0) -> Any:
    """Return an array of distinct, irregular float64 values between low and high."""
    return np.random.default_rng((seed, *shape)).uniform(low, high, shape)
