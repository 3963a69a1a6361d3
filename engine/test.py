"""`tf.test`."""

from __future__ import annotations

from engine.checker import (
    check,
    compute_gradient,
    compute_gradient_error,
    max_error,
)

__all__ = [
    "check",
    "compute_gradient",
    "compute_gradient_error",
    "max_error",
]
