"""Copies of parts of a graph, to differentiate in without leaving anything in the user's graph.

Copies know the values of what they stand for (`Tensor.value`), so evaluating in a copy computes
only what was added there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, NoReturn

import numpy as np

from engine.errors import ArgumentTypeError, GraphError
from engine.graph import Graph
from engine.tensor import Operation, Tensor


def copy_operations(
    ops: Iterable[Operation],
    values: Mapping[Tensor, Any],
    replaced: Mapping[Operation, str] | None = None,
) -> tuple[Graph, dict[Tensor, Tensor]]:
    """Copy operations, given in order of creation, into a graph of their own.

    Args:
        values: the values that copies will know; inputs from outside become constants.
        replaced: other op types to use for some operations.

    Returns:
        The new graph, and the copy of every tensor.

    Raises:
        EngineError: an operation cannot be made again.
    """
    graph = Graph()
    copies: dict[Tensor, Tensor] = {}
    for op in ops:
        graph.registry = op.graph.registry
        inputs = []
        for tensor in op.inputs:
            if tensor not in copies:
                copies[tensor] = stand_in(graph, tensor, values.get(tensor))
            inputs.append(copies[tensor])
        copy_operation(graph, op, inputs, values, copies, (replaced or {}).get(op))
    return graph, copies


def copy_operation(
    graph: Graph,
    op: Operation,
    inputs: Sequence[Tensor],
    values: Mapping[Tensor, Any],
    copies: dict[Tensor, Tensor],
    op_type: str | None = None,
) -> Operation:
    """Make one operation again, on other inputs, and note the copies of its outputs."""
    copy = graph.create_op(op_type or op.type, inputs, None if op_type else op.attrs)
    copy.gradient_function = op.gradient_function
    copy.source = copy.inputs[0] if op.source is not None and copy.inputs else None
    for original, output in zip(op.outputs, copy.outputs, strict=True):
        _know(output, original, values.get(original))
        copies.setdefault(original, output)
    return copy


def stand_in(graph: Graph, tensor: Tensor, value: Any) -> Tensor:
    """Return a tensor without history that takes the place of another one."""
    if tensor.op.type == "Const":
        return graph.create_op("Const", [], {"value": tensor.op.attrs["value"]}).outputs[0]
    attrs = {"dtype": tensor.dtype, "shape": tensor.dims}
    output = graph.create_op("Placeholder", [], attrs).outputs[0]
    _know(output, tensor, value)
    return output


def _know(copy: Tensor, original: Tensor, value: Any) -> None:
    copy.dims = original.dims
    if value is not None:
        copy.value = np.asarray(value)
        copy.dims = copy.value.shape


@contextmanager
def closed(graph: Graph) -> Iterator[None]:
    """Refuse new operations in a graph meanwhile.

    A gradient function may use tensors of the graph it was written for; called in a copy, it must
    fail rather than add to that graph.
    """

    def refuse(*_args: Any, **_kwargs: Any) -> NoReturn:
        raise GraphError("this gradient function uses tensors of another graph")

    setattr(graph, "create_op", refuse)  # noqa: B010 - on this instance, over the method
    try:
        yield
    finally:
        delattr(graph, "create_op")


def returned_entries(function: Callable[..., Any], op: Operation, upstream: Sequence[Any]) -> Any:
    """Return what a gradient function returns, one entry per input, those not yet made made.

    Raises:
        ArgumentTypeError: not one entry per input.
    """
    found = function(op, *upstream)
    entries = list(found) if isinstance(found, list | tuple) else [found]
    if len(entries) != len(op.inputs):
        raise ArgumentTypeError(f"{op.type} has {len(op.inputs)} inputs (got {len(entries)})")
    made = []
    for entry in entries:
        while callable(entry) and not hasattr(entry, "as_tensor"):
            entry = entry()
        made.append(entry)
    return made
