"""The values of a Backward record, and single steps of it run again with another upstream.

Gradient functions are linear in the upstream gradient. So what a step would pass on for any other
upstream is found by running the operations that its gradient function made once more, with that
upstream in place of the recorded one; nothing is added to the graph.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any, TypeAlias

import numpy as np

from engine.backward import AnyGradient, Backward, Step
from engine.errors import EngineError
from engine.indexed_slices import IndexedSlices
from engine.plan import bound_kernel, fed_array, inputs_of
from engine.tensor import Operation, Tensor

Values: TypeAlias = Mapping[Tensor, Any]
"""An array for every tensor whose value is known."""

_NO_VALUE = (
    *(KeyError, EngineError, ValueError, IndexError, ZeroDivisionError),
    np.linalg.LinAlgError,
)
"""An input has no value, or the kernel cannot work on the inputs."""


def evaluate_record(backward: Backward, feeds: Mapping[Tensor, Any] | None = None) -> Values:
    """Return the value of every tensor that a record is about, forward and backward.

    Args:
        feeds: values of placeholders; by default what a session fed last.

    Returns:
        An array per tensor. Whatever depends on a placeholder without a value, or on an operation
        that fails at run time, is absent.

    Raises:
        FeedError: a value does not fit its tensor.
    """
    given = backward.graph.feeds if feeds is None else feeds
    values = {tensor: fed_array(tensor, value) for tensor, value in given.items()}
    compute(_needed(backward, values), values)
    return {
        tensor: value if isinstance(value, np.ndarray) else np.asarray(value)
        for tensor, value in values.items()
    }


def _needed(backward: Backward, known: Values) -> list[Operation]:
    """Return the record's own operations and all they and the ys depend on, in order."""
    stack = [tensor.op for tensor in (*backward.ys, *backward.xs)]
    stack.extend(backward.operations)
    seen: set[Operation] = set()
    while stack:
        op = stack.pop()
        if op not in seen:
            seen.add(op)
            stack.extend(t.op for t in inputs_of(op, eager=True) if t not in known)
    return sorted(seen, key=lambda op: op.id)


def compute(ops: Iterable[Operation], values: dict[Tensor, Any]) -> None:
    """Add the values of the outputs of operations, given in order, whose inputs are known."""
    with np.errstate(all="ignore"):
        for op in ops:
            outputs = op.outputs
            if all([tensor in values for tensor in outputs]):
                continue
            inputs = op.inputs if op.source is None else inputs_of(op, eager=True)
            try:
                results = _run(_call(op), [values[tensor] for tensor in inputs], len(outputs))
            except _NO_VALUE:
                continue
            for tensor, result in zip(outputs, results, strict=True):
                values.setdefault(tensor, result)


def _call(op: Operation) -> Callable[..., Any]:
    kernel = bound_kernel(op, eager=True)
    return partial(kernel, None, op) if op.opdef.stateful else kernel


def _run(call: Callable[..., Any], inputs: Sequence[Any], outputs: int) -> Sequence[Any]:
    result = call(*inputs)
    return (result,) if outputs == 1 else result


def value_of(gradient: AnyGradient | None, values: Values, shape: Any = None) -> Any:
    """Return the dense value of a gradient, or None when it is not known.

    Args:
        gradient: a tensor, or IndexedSlices, whose rows are summed.
        shape: of the dense value; by default what the slices say.
    """
    if not isinstance(gradient, IndexedSlices):
        return None if gradient is None else values.get(gradient)
    rows, indices = values.get(gradient.values), values.get(gradient.indices)
    if shape is None and gradient.dense_shape is not None:
        shape = values.get(gradient.dense_shape)
    if rows is None or indices is None or shape is None:
        return None
    return _summed(rows, indices, shape)


def _summed(rows: Any, indices: Any, shape: Any) -> Any:
    dense = np.zeros(tuple(int(size) for size in shape), np.asarray(rows).dtype)
    inside = (indices >= 0) & (indices < len(dense)) if len(dense) else np.zeros(len(indices), bool)
    np.add.at(dense, np.asarray(indices)[inside], np.asarray(rows)[inside])
    return dense


def gradient_value(backward: Backward, tensor: Tensor, values: Values) -> Any:
    """Return the value of the gradient of a forward tensor, or None when it has none."""
    found = backward.gradients.get(tensor)
    if found is None:
        return None
    known = values.get(tensor)
    return value_of(found.total, values, None if known is None else np.shape(known))


class Crossing:
    """One step as a linear function of the gradient of one output of its operation.

    Args:
        contribution: what the step passed on.
        upstream: the gradient of the output that this crossing starts at.
        others: the gradients of the operation's other outputs, held at zero.
        values: the values of everything that does not depend on the upstream.
        shape: of the receiver's value.
    """

    __slots__ = ("_calls", "_contribution", "_others", "_shape", "_upstream", "_values")

    def __init__(
        self,
        contribution: AnyGradient,
        upstream: AnyGradient,
        others: Sequence[AnyGradient],
        values: Values,
        shape: tuple[int, ...],
    ) -> None:
        self._contribution, self._upstream, self._others = contribution, upstream, others
        self._values, self._shape = values, shape
        entries = {tensor for entry in (upstream, *others) for tensor in entries_of(entry)}
        self._calls = [
            (_call(op), op.inputs, op.outputs) for op in dependents(contribution, entries)
        ]

    def __call__(self, gradient: Any) -> Any:
        """Return what the receiver gets when the output's gradient is this array.

        Raises:
            KeyError: a value that the step needs is not known.
        """
        values: dict[Tensor, Any] = {}
        for other in self._others:
            for tensor in entries_of(other):
                values[tensor] = np.zeros_like(self._values[tensor])
        values.update(self._entering(gradient))
        with np.errstate(all="ignore"):
            for call, inputs, outputs in self._calls:
                given = [values[t] if t in values else self._values[t] for t in inputs]
                for tensor, result in zip(outputs, _run(call, given, len(outputs)), strict=True):
                    values.setdefault(tensor, result)
        contribution = self._contribution
        if isinstance(contribution, IndexedSlices):
            rows = values.get(contribution.values)
            if rows is None:
                rows = self._values[contribution.values]
            return _summed(rows, self._values[contribution.indices], self._shape)
        found = values.get(contribution)
        return self._values[contribution] if found is None else found

    def _entering(self, gradient: Any) -> dict[Tensor, Any]:
        upstream = self._upstream
        if not isinstance(upstream, IndexedSlices):
            return {upstream: gradient}
        indices = self._values[upstream.indices]
        rows = np.asarray(gradient)[indices]
        # A row that occurs twice must count once.
        first = np.zeros(len(indices), bool)
        first[np.unique(indices, return_index=True)[1]] = True
        rows[~first] = 0
        entering = {upstream.values: rows}
        if upstream._dense is not None:
            entering[upstream._dense] = gradient
        return entering


def entries_of(gradient: AnyGradient) -> tuple[Tensor, ...]:
    """Return the tensors through which a gradient enters the operations that use it."""
    if not isinstance(gradient, IndexedSlices):
        return (gradient,)
    dense = gradient._dense  # as_tensor() would add an operation
    return (gradient.values,) if dense is None else (gradient.values, dense)


def dependents(contribution: AnyGradient, entries: set[Tensor]) -> list[Operation]:
    """Return the operations between the entries and a contribution, in order of creation."""
    target = contribution.values if isinstance(contribution, IndexedSlices) else contribution
    if target in entries:
        return []
    first = min((tensor.op.id for tensor in entries), default=0)
    seen: set[Operation] = set()
    stack = [target.op]
    while stack:
        op = stack.pop()
        # Nothing older than the upstream gradient depends on it.
        if op not in seen and op.id >= first:
            seen.add(op)
            stack.extend(tensor.op for tensor in op.inputs if tensor not in entries)
    reached: set[Operation] = set()
    for op in sorted(seen, key=lambda op: op.id):
        if any(tensor in entries or tensor.op in reached for tensor in op.inputs):
            reached.add(op)
    return [op for op in sorted(reached, key=lambda op: op.id)]


def crossing(
    backward: Backward, step: Step, output: int, values: Values, shape: tuple[int, ...]
) -> Crossing:
    """Return a step as a function of the gradient of one output of its operation alone."""
    totals = {
        index: backward.gradients[tensor].total
        for index, tensor in enumerate(step.op.outputs)
        if tensor in backward.gradients
    }
    upstream = totals.pop(output)
    return Crossing(step.contribution, upstream, tuple(totals.values()), values, shape)
