"""Initial values for variables, as functions of the shape, under TensorFlow's names."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine.ops.core import constant, random_normal, random_uniform
from engine.ops.fill import ones, zeros
from engine.tensor import Tensor

Initializer = Callable[..., Tensor]


def zeros_initializer(dtype: Any = "float32") -> Initializer:
    """Return a function from a shape to zeros of that shape."""
    return lambda shape, dtype=dtype, **_: zeros(shape, dtype)


def ones_initializer(dtype: Any = "float32") -> Initializer:
    """Return a function from a shape to ones of that shape."""
    return lambda shape, dtype=dtype, **_: ones(shape, dtype)


def constant_initializer(value: Any = 0, dtype: Any = "float32") -> Initializer:
    """Return a function from a shape to one value, or the given values, in that shape."""
    return lambda shape, dtype=dtype, **_: constant(value, dtype, shape)


def random_normal_initializer(
    mean: float = 0.0, stddev: float = 0.05, seed: int | None = None, dtype: Any = "float32"
) -> Initializer:
    """Return a function from a shape to normally distributed numbers."""
    return lambda shape, dtype=dtype, **_: random_normal(shape, mean, stddev, dtype, seed)


def random_uniform_initializer(
    minval: float = -0.05, maxval: float = 0.05, seed: int | None = None, dtype: Any = "float32"
) -> Initializer:
    """Return a function from a shape to uniformly distributed numbers."""
    return lambda shape, dtype=dtype, **_: random_uniform(shape, minval, maxval, dtype, seed)
