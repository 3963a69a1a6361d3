"""Do the registered gradients agree with differences? TensorFlow's two forms of the question.

Inside, a Jacobian is `[x_size, y_size]` (a row per element of x), as the version-1 form returns it;
the function form returns the transpose.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from engine.convert import to_array
from engine.differences import Problem, build_problem
from engine.errors import ArgumentError, ShapeError
from engine.graph import get_default_graph
from engine.plan import evaluate
from engine.session import get_default_session
from engine.shapes import as_dims, compatible, show
from engine.tensor import Operators, Tensor
from engine.variables import Variable

_DELTA = 1e-3
_FUNCTION_DELTA = 1 / 1024  # a power of two, so that x ± delta is exact for most x
_SEED = 0
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
    problems = _tensor_problems(x, x_shape, y, y_shape, x_init_value, init_targets, extra_feed_dict)
    pairs = [(problem.theoretical(), problem.numeric(delta)) for problem in problems]
    return pairs if isinstance(x, list) else pairs[0]


def _tensor_problems(
    x: Any,
    x_shape: Any,
    y: Any,
    y_shape: Any,
    x_init_value: Any = None,
    init_targets: Any = None,
    extra_feed_dict: Mapping[Any, Any] | None = None,
) -> list[Problem]:
    y = y.as_tensor()
    _check_type(y, "y")
    _initialize(init_targets)
    several = isinstance(x, list)
    xs = x if several else [x]
    shapes = x_shape if several else [x_shape]
    given = x_init_value if several else [x_init_value]
    values = [
        _initial_value(entry, shape, value)
        for entry, shape, value in zip(xs, shapes, given or [None] * len(xs), strict=True)
    ]
    extra = {y.graph.as_graph_element(key): value for key, value in (extra_feed_dict or {}).items()}
    problems = []
    for entry, value in zip(xs, values, strict=True):
        others = {
            tensor: other
            for tensor, other in zip(xs, values, strict=True)
            if tensor is not entry and getattr(tensor.op, "type", "") == "Placeholder"
        }
        problem = build_problem(entry, y, value, _shape(y_shape, y), {**extra, **others})
        if problem.gradient is None:
            raise ArgumentError(
                f"dx = None: the gradient of {y.name} by {entry.name} is None, because no path "
                "leads from one to the other; there is nothing to compare"
            )
        problems.append(problem)
    return problems


def _initialize(targets: Any) -> None:
    """Run initializers in the current session; without one, variables have their values already."""
    session = get_default_session()
    if targets is not None and session is not None:
        session.run(targets)


def _shape(shape: Any, tensor: Tensor) -> tuple[int, ...]:
    dims = tensor.dims if shape is None else as_dims(shape)
    if dims is None or None in dims:
        raise ShapeError(f"the shape of {tensor.name} must be given in full (got {show(dims)})")
    if not compatible(tensor.dims, dims):
        raise ShapeError(
            f"{tensor.name} has the shape {show(tensor.dims)} (got {show(dims)} for it)"
        )
    return tuple(size for size in dims if size is not None)


def _initial_value(x: Any, shape: Any, value: Any) -> Any:
    tensor: Tensor = x.handle if isinstance(x, Variable) else x
    _check_type(tensor, "x")
    sizes = _shape(shape, tensor)
    if value is None:
        return _random(sizes, tensor)
    array = to_array(value, hint=tensor.dtype).astype(tensor.dtype.dtype)
    if array.shape != sizes:
        raise ShapeError(
            f"x_init_value has the shape {array.shape}, but x_shape is {sizes}; they must be equal"
        )
    return array


def _random(sizes: tuple[int, ...], tensor: Tensor) -> Any:
    generator = np.random.default_rng(_SEED)
    drawn: Any = generator.random(sizes)
    if tensor.dtype.is_complex:
        drawn = drawn + 1j * generator.random(sizes)
    return np.asarray(drawn).astype(tensor.dtype.dtype)


def _check_type(tensor: Tensor, role: str) -> None:
    if not tensor.dtype.is_trainable:
        raise ArgumentError(
            f"Don't support type {tensor.dtype.name} of {role} ({tensor.name}): only floating and "
            "complex numbers have derivatives; use tf.cast"
        )


def _function_form(
    f: Callable[..., Any], x: Any, delta: float | None = None
) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
    problems = _function_problems(f, x)
    width = _FUNCTION_DELTA if delta is None else delta
    theoretical = tuple(problem.theoretical().T for problem in problems)
    return theoretical, tuple(problem.numeric(width).T for problem in problems)


def _function_problems(f: Callable[..., Any], x: Any) -> list[Problem]:
    """Call the function once, on constants of its own that can be fed afterwards."""
    if not isinstance(x, list | tuple):
        raise ArgumentError(
            "`x` must be a list or tuple of values convertible to a Tensor (arguments to `f`), "
            f"not a {type(x).__name__}; write compute_gradient(f, [x])"
        )
    values = [np.asarray(v.numpy()) if isinstance(v, Operators) else to_array(v) for v in x]
    graph = next((v.as_tensor().graph for v in x if isinstance(v, Operators)), get_default_graph())
    with graph.as_default():
        with graph.name_scope("compute_gradient"):
            leaves = [
                graph.create_op("Const", [], {"value": value}, "x").outputs[0] for value in values
            ]
        for index, leaf in enumerate(leaves):
            _check_argument(leaf, f"argument {index}")
        y = f(*leaves)
        if not isinstance(y, Operators):
            raise ArgumentError(
                f"`f` must return one tensor (got {type(y).__name__}); "
                "check one result at a time, with a function of its own"
            )
        target = y.as_tensor()
        _check_argument(target, "y")
        shape = np.shape(evaluate([target])[0])
        return [
            build_problem(leaf, target, value, shape, {})
            for leaf, value in zip(leaves, values, strict=True)
        ]


def _check_argument(tensor: Tensor, role: str) -> None:
    if not tensor.dtype.is_trainable:
        raise ArgumentError(
            f"Cannot compute gradient for unsupported type {tensor.dtype.name} of {role}; "
            "only floating and complex numbers have derivatives"
        )


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
    problems = _tensor_problems(x, x_shape, y, y_shape, x_init_value, init_targets, extra_feed_dict)
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
    build: Callable[..., list[Problem]] = _function_problems if function else _tensor_problems
    problems = build(*args, **kwargs)
    theoretical = [problem.theoretical() for problem in problems]
    return tuple(
        (delta, max_error(theoretical, [problem.numeric(delta) for problem in problems]))
        for delta in deltas
    )


__all__ = ["DELTAS", "compute_gradient", "compute_gradient_error", "max_error", "sweep"]
