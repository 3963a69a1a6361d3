"""`tf.random`."""

from __future__ import annotations

from engine.ops.core import (
    random_normal as normal,
)
from engine.ops.core import (
    random_uniform as uniform,
)
from engine.ops.core import (
    set_random_seed as set_seed,
)

__all__ = [
    "normal",
    "set_seed",
    "uniform",
]
