"""What is to be checked: the problems, one per x, of the checker's two forms."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from engine.convert import to_array
from engine.differences import Problem, build_problem, values_of
from engine.errors import ArgumentError, ShapeError
from engine.graph import get_default_graph
from engine.plan import evaluate
from engine.session import get_default_session
from engine.shapes import as_dims, compatible, show
from engine.tensor import Operators, Tensor
from engine.variables import Variable

_SEED = 0


def tensor_problems(
    x: Any,
    x_shape: Any,
    y: Any,
    y_shape: Any,
    x_init_value: Any = None,
    init_targets: Any = None,
    extra_feed_dict: Mapping[Any, Any] | None = None,
) -> list[Problem]:
    """Return one problem per x; arguments as of the checker's form for tensors."""
    y = y.as_tensor()
    check_type(y, "y")
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


def present_problems(
    y: Any, x: Any, feeds: Mapping[Any, Any] | None, stop_gradients: Any
) -> list[Problem]:
    """Return one problem per x, at the value that it has or is fed.

    Args:
        y: a tensor.
        x: a tensor or variable, or a list of them.
        feeds: values of placeholders, or of any other tensor.
        stop_gradients: as in `gradients`.
    """
    target = y.as_tensor()
    check_type(target, "y")
    xs = list(x) if isinstance(x, list | tuple) else [x]
    for entry in xs:
        check_type(entry.as_tensor(), "x")
    graph = target.graph
    given = {graph.as_graph_element(key): value for key, value in (feeds or {}).items()}
    shape = np.shape(values_of([target], given)[0])
    problems = []
    for entry in xs:
        value = np.array(values_of([entry.as_tensor()], given)[0])
        source = entry if isinstance(entry, Variable) else entry.as_tensor()
        problems.append(build_problem(source, target, value, shape, given, stop_gradients))
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
    check_type(tensor, "x")
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


def check_type(tensor: Tensor, role: str) -> None:
    if not tensor.dtype.is_trainable:
        raise ArgumentError(
            f"Don't support type {tensor.dtype.name} of {role} ({tensor.name}): only floating and "
            "complex numbers have derivatives; use tf.cast"
        )


def function_problems(f: Callable[..., Any], x: Any, stop_gradients: Any = None) -> list[Problem]:
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
            build_problem(leaf, target, value, shape, {}, stop_gradients)
            for leaf, value in zip(leaves, values, strict=True)
        ]


def _check_argument(tensor: Tensor, role: str) -> None:
    if not tensor.dtype.is_trainable:
        raise ArgumentError(
            f"Cannot compute gradient for unsupported type {tensor.dtype.name} of {role}; "
            "only floating and complex numbers have derivatives"
        )
