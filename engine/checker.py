"""Do the registered gradients agree with differences? TensorFlow's two forms of the question.

Inside, a Jacobian is `[x_size, y_size]` (a row per element of x), as the version-1 form returns it;
the function form returns the transpose.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from engine.check import Agreement, Check, Entry, Limit, check
from engine.differences import Problem
from engine.errors import ShapeError
from engine.problems import function_problems, tensor_problems

_DELTA = 1e-3
_FUNCTION_DELTA = 1 / 1024  # a power of two, so that x ± delta is exact for most x
DELTAS = tuple(10.0**-exponent for exponent in range(1, 10))
"""The step sizes of a sweep."""


def compute_gradient(*args: Any, **kwargs: Any) -> Any:
    """Return the theoretical and the numeric Jacobian.

    There are two forms, told apart by the first argument.

    `compute_gradient(f, x, delta=None)`: f is a function, x the list of its arguments. Returns a
    tuple of theoretical and a tuple of numeric Jacobians, one per argument, each
    `[y_size, x_size]`. An argument without influence has a Jacobian of zeros.

    `compute_gradient(x, x_shape, y, y_shape, x_init_value=None, delta=1e-3, init_targets=None,
    extra_feed_dict=None)`: x and y are tensors of one graph. Returns `(theoretical, numeric)`, each
    `[x_size, y_size]`; for a list of x (with lists of shapes and values) a list of such pairs.
    Without `x_init_value` x is drawn from [0, 1), always the same numbers.

    Raises:
        ArgumentError: x and y are not floating, or y does not depend on x (second form).
        ShapeError: a value does not fit its shape.
    """
    if callable(args[0] if args else kwargs.get("f")):
        return _function_form(*args, **kwargs)
    return _tensor_form(*args, **kwargs)


def _tensor_form(
    x: Any,
    x_shape: Any,
    y: Any,
    y_shape: Any,
    x_init_value: Any = None,
    delta: float = _DELTA,
    init_targets: Any = None,
    extra_feed_dict: Mapping[Any, Any] | None = None,
) -> Any:
    problems = tensor_problems(x, x_shape, y, y_shape, x_init_value, init_targets, extra_feed_dict)
    pairs = [(problem.theoretical(), problem.numeric(delta)) for problem in problems]
    return pairs if isinstance(x, list) else pairs[0]


def _function_form(
    f: Callable[..., Any], x: Any, delta: float | None = None
) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
    problems = function_problems(f, x)
    width = _FUNCTION_DELTA if delta is None else delta
    theoretical = tuple(problem.theoretical().T for problem in problems)
    return theoretical, tuple(problem.numeric(width).T for problem in problems)


def max_error(first: Sequence[Any], second: Sequence[Any]) -> float:
    """Return the largest difference between matching entries of two lists of Jacobians.

    Raises:
        ShapeError: the lists or their Jacobians do not match.
    """
    largest = 0.0
    if len(first) != len(second):
        raise ShapeError(f"one Jacobian is compared to one (got {len(first)} and {len(second)})")
    for one, other in zip(first, second, strict=True):
        if np.shape(one) != np.shape(other):
            raise ShapeError(f"shapes {np.shape(one)} and {np.shape(other)} cannot be compared")
        if np.size(one):
            with np.errstate(all="ignore"):
                # np.maximum, unlike max, keeps a nan
                largest = float(np.maximum(largest, np.max(np.abs(one - other))))
    return largest


def compute_gradient_error(
    x: Any,
    x_shape: Any,
    y: Any,
    y_shape: Any,
    x_init_value: Any = None,
    delta: float = _DELTA,
    init_targets: Any = None,
    extra_feed_dict: Mapping[Any, Any] | None = None,
) -> float:
    """Return the largest difference between the two Jacobians; nan if one holds a nan.

    Arguments as in the second form of `compute_gradient`.
    """
    problems = tensor_problems(x, x_shape, y, y_shape, x_init_value, init_targets, extra_feed_dict)
    return _error(problems, delta)


def _error(problems: Sequence[Problem], delta: float) -> float:
    return max_error(
        [problem.theoretical() for problem in problems],
        [problem.numeric(delta) for problem in problems],
    )


def sweep(
    *args: Any, deltas: Sequence[float] = DELTAS, **kwargs: Any
) -> tuple[tuple[float, float], ...]:
    """Return the error for each of several step sizes.

    For a large step the differences are not yet the derivative (the error falls with the square of
    the step); for a small one they drown in rounding (it rises with its inverse).

    Args:
        args: those of either form of `compute_gradient`, except `delta`.
        deltas: the step sizes.
        kwargs: likewise.

    Returns:
        Pairs `(delta, error)`, the graph being extended once for all of them.
    """
    function = callable(args[0] if args else kwargs.get("f"))
    build: Callable[..., list[Problem]] = function_problems if function else tensor_problems
    problems = build(*args, **kwargs)
    theoretical = [problem.theoretical() for problem in problems]
    return tuple(
        (delta, max_error(theoretical, [problem.numeric(delta) for problem in problems]))
        for delta in deltas
    )


__all__ = [
    "DELTAS",
    "Agreement",
    "Check",
    "Entry",
    "Limit",
    "check",
    "compute_gradient",
    "compute_gradient_error",
    "max_error",
    "sweep",
]
