"""Arrays that should be equal up to rounding."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from tests.random_programs.trial import Trial


def assert_all_equal(
    trial: Trial, found: Sequence[Any], what: str, expected: Sequence[Any] | None = None
) -> None:
    """Compare gradients of all xs with those expected, the trial's own by default."""
    gradients = trial.gradients if expected is None else expected
    for number, ours, other in zip(trial.program.xs, gradients, found, strict=True):
        assert_equal(ours, other, f"gradient of tensor {number} {what}", 1e-11 * trial.scale)


def assert_equal(actual: Any, expected: Any, what: str, allowed: float) -> None:
    assert np.shape(actual) == np.shape(expected), f"{what}: {np.shape(actual)}"
    np.testing.assert_allclose(actual, expected, rtol=1e-9, atol=allowed, err_msg=what)
