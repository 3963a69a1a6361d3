"""Gradients of one's own for a piece of a computation: `custom_gradient` and its relatives.

The results of the function go, together with its arguments and the variables it read, through one
IdentityN operation with a gradient function of its own. That function calls the user's for what the
arguments and variables receive, and gives None to the results: what lies between is passed over.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from engine.convert import to_tensor
from engine.errors import ArgumentError, ArgumentTypeError
from engine.gradients import build_backward
from engine.graph import Graph, graph_of
from engine.indexed_slices import IndexedSlices
from engine.nest import flatten, pack
from engine.tensor import Operation, Tensor
from engine.variables import Variable, variable_of


class custom_gradient:  # noqa: N801 - TensorFlow's name
    """Decorator for a function that brings its own gradient.

    The function returns its result (a tensor or a nested structure) and a function that is called
    with one upstream gradient per result and returns one gradient, or None, per argument. If the
    function reads trainable variables that are not its arguments, the gradient function must take
    the keyword `variables` and return a pair: the gradients of the arguments and those of the
    variables, in the order of that list (sorted by name).

    >>> import engine as tf
    >>> @custom_gradient
    ... def clipped(x):
    ...     return tf.identity(x), lambda upstream: tf.minimum(upstream, 1.0)
    >>> x = tf.constant(2.0)
    >>> print(tf.gradients(clipped(x) * 5.0, x)[0].numpy())
    1.0
    """

    def __init__(self, function: Callable[..., Any]) -> None:
        self._function = function
        for name in ("__name__", "__doc__", "__module__", "__qualname__"):
            if hasattr(function, name):
                setattr(self, name, getattr(function, name))
        self.__wrapped__ = function

    def __get__(self, instance: Any, owner: type | None = None) -> custom_gradient:
        bind = getattr(self._function, "__get__", None)
        return self if bind is None else custom_gradient(bind(instance, owner))

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Call the function.

        Raises:
            ArgumentTypeError: it does not return a result and a gradient function, or that one
                cannot take the variables that were read.
        """
        flat = flatten(args)
        graph = graph_of(flat)
        inputs = [to_tensor(value, graph) for value in flat]
        with _variables_read(graph, inputs) as variables:
            returned = self._function(*pack(args, inputs), **kwargs)
        result, gradient = _pair(returned)
        results = [to_tensor(value, graph) for value in flatten(result)]
        variables.sort(key=lambda variable: variable.name)
        _check_takes_variables(gradient, variables)
        op = graph.create_op("IdentityN", [*results, *inputs, *variables])
        op.gradient_function = _Rule(gradient, len(results), len(inputs), tuple(variables))
        return pack(result, op.outputs[: len(results)])


class _Rule:
    """The gradient function of the IdentityN: the user's, with everything around it.

    Attributes:
        replaced: how many inputs, the first ones, are results whose own gradients are not used.
    """

    def __init__(
        self,
        gradient: Callable[..., Any],
        results: int,
        arguments: int,
        variables: tuple[Variable, ...],
    ) -> None:
        self._gradient = gradient
        self.replaced = results
        self._arguments = arguments
        self._variables = variables

    def __call__(self, op: Operation, *upstream: Any) -> list[Any]:
        given = upstream[: self.replaced]
        if self._variables:
            returned = self._gradient(*given, variables=list(self._variables))
            if not isinstance(returned, list | tuple) or len(returned) != 2:
                raise ArgumentError(
                    f"the gradient function of {op.name!r} must return a pair, gradients of the "
                    f"arguments and of the variables (got {type(returned).__name__})"
                )
            found, of_variables = flatten(returned[0]), flatten(returned[1])
            self._check_variables(of_variables)
        else:
            found, of_variables = flatten(self._gradient(*given)), []
        if len(found) != self._arguments:
            raise ArgumentError(
                f"custom_gradient function expected to return {self._arguments} gradients, "
                f"but returned {len(found)} instead; return one, or None, per argument"
            )
        entries = [_entry(value, op.graph) for value in (*found, *of_variables)]
        return [None] * self.replaced + entries

    def _check_variables(self, found: Sequence[Any]) -> None:
        if len(found) != len(self._variables):
            names = [variable.name for variable in self._variables]
            raise ArgumentError(
                f"Must return gradient for each variable from @custom_gradient grad_fn: {names} "
                f"(got {len(found)})"
            )


def _entry(value: Any, graph: Graph) -> Any:
    return value if value is None or isinstance(value, IndexedSlices) else to_tensor(value, graph)


def _pair(returned: Any) -> tuple[Any, Callable[..., Any]]:
    fits = isinstance(returned, list | tuple) and len(returned) == 2 and callable(returned[1])
    if not fits:
        raise ArgumentTypeError(
            "a function decorated with custom_gradient must return its result and a gradient "
            f"function, `return y, grad` (got {type(returned).__name__})"
        )
    return returned[0], returned[1]


@contextmanager
def _variables_read(graph: Graph, arguments: Sequence[Tensor]) -> Iterator[list[Variable]]:
    """Collect the trainable variables that are read meanwhile and are not arguments."""
    own = {tensor.op for tensor in arguments}
    found: list[Variable] = []
    seen: set[Tensor] = {t.op.inputs[0] for t in arguments if t.op.type == "ReadVariableOp"}

    def notice(op: Operation) -> None:
        reads = [op, *(tensor.op for tensor in op.inputs)]
        for read in reads:
            if read.type == "ReadVariableOp" and read not in own and read.inputs[0] not in seen:
                seen.add(read.inputs[0])
                variable = variable_of(read.inputs[0])
                if variable is not None and variable.trainable:
                    found.append(variable)

    graph.observers.append(notice)
    try:
        yield found
    finally:
        graph.observers.remove(notice)


def _check_takes_variables(gradient: Callable[..., Any], variables: Sequence[Variable]) -> None:
    if not variables:
        return
    try:
        parameters = inspect.signature(gradient).parameters
    except (TypeError, ValueError):
        return  # not a function of Python's; calling it will tell
    takes_any = any(p.kind is inspect.Parameter.VAR_KEYWORD for p in parameters.values())
    if "variables" not in parameters and not takes_any:
        names = [variable.name for variable in variables]
        raise ArgumentTypeError(
            "If using @custom_gradient with a function that uses variables, then grad_fn must "
            f"accept a 'variables' keyword argument (it uses {names})"
        )


def grad_pass_through(f: Callable[..., Any]) -> custom_gradient:
    """Return the function with the gradient of the identity: what arrives is handed on as it is.

    The function has one argument per result. Variables it reads get no gradient.
    """

    def passed(*args: Any, **kwargs: Any) -> Any:
        def gradient(*upstream: Any, variables: Sequence[Variable] = ()) -> Any:
            handed_on = list(upstream)
            return (handed_on, [None] * len(variables)) if variables else handed_on

        return f(*args, **kwargs), gradient

    return custom_gradient(passed)


def recompute_grad(f: Callable[..., Any]) -> custom_gradient:
    """Return the function such that its inner values are computed again for the gradient.

    Nothing of the first computation is needed by the backward pass: it runs the function a second
    time, once the upstream gradient is there.
    """

    def recomputed(*args: Any, **kwargs: Any) -> Any:
        result = f(*args, **kwargs)

        def gradient(*upstream: Any, variables: Sequence[Variable] = ()) -> Any:
            graph = graph_of(flatten(args))
            with graph.control_dependencies(list(upstream)):
                copies = [
                    graph.create_op("Identity", [value]).outputs[0] for value in flatten(args)
                ]
                again = flatten(f(*pack(args, copies), **kwargs))
            # The copies are ends: what flows above them is the caller's.
            xs = [*copies, *variables]
            record = build_backward(again, xs, list(upstream), kind="inner", stop_gradients=copies)
            found = list(record.results)
            own, rest = found[: len(copies)], found[len(copies) :]
            return (own, rest) if variables else own

        return result, gradient

    return custom_gradient(recomputed)


__all__ = ["custom_gradient", "grad_pass_through", "recompute_grad"]
