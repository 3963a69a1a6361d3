"""How large the values that are fed would make the tensors, before a session computes them.

Placeholders may leave sizes open, so the static shapes do not tell. Here the shape rules run once
more, with the shapes of the fed values.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from engine.errors import EngineError
from engine.graph import Graph
from engine.indexed_slices import IndexedSlices
from engine.session import Session
from engine.shapes import Dims
from engine.tensor import Operation, Operators, Tensor

if TYPE_CHECKING:
    from explorer.program.interpreter import Interpreter


def run_session(
    it: Interpreter, session: Session, fetches: Any, feed_dict: Any = None, *rest: Any, **named: Any
) -> Any:
    """Carry out `session.run(fetches, feed_dict)` once its tensors are known to be small enough."""
    if isinstance(feed_dict, Mapping) and feed_dict:
        check_feeds(it, session.graph, fetches, feed_dict)
    return session.run(fetches, feed_dict, *rest, **named)


def evaluate_tensor(
    it: Interpreter, tensor: Any, feed_dict: Any = None, session: Any = None
) -> Any:
    """Carry out `tensor.eval(feed_dict)`; a variable's may give the session first."""
    if isinstance(feed_dict, Session):
        feed_dict, session = session, feed_dict
    if isinstance(feed_dict, Mapping) and feed_dict:
        check_feeds(it, tensor.graph, tensor, feed_dict)
    return tensor.eval(feed_dict=feed_dict, session=session)


def run_operation(
    it: Interpreter, op: Operation, feed_dict: Any = None, session: Any = None
) -> Any:
    """Carry out `operation.run(feed_dict)`."""
    if isinstance(feed_dict, Mapping) and feed_dict:
        check_feeds(it, op.graph, op, feed_dict)
    return op.run(feed_dict=feed_dict, session=session)


def check_feeds(it: Interpreter, graph: Graph, fetches: Any, feeds: Mapping[Any, Any]) -> None:
    """Refuse feeds that would make a tensor of too many elements.

    Raises:
        BudgetError: a tensor that the fetches need would be too large.
    """
    shapes: dict[Tensor, Dims] = {}
    for key, value in feeds.items():
        element = _element(graph, key)
        if isinstance(element, Tensor):
            shapes[element] = np.shape(value)
    if all(tensor.shape.is_fully_defined() for tensor in shapes):
        return  # the static shapes were measured when the operations were made
    for op in _needed(graph, fetches, shapes):
        for tensor, dims in zip(op.outputs, _shapes(op, shapes), strict=True):
            shapes.setdefault(tensor, dims)
            if dims is not None:
                known = math.prod(size for size in dims if size is not None)
                it.meter.elements(known, f"{tensor.name} with the values fed")


def _element(graph: Graph, key: Any) -> Any:
    try:
        return graph.as_graph_element(key)
    except (EngineError, TypeError):
        return None  # the session says what is wrong with it


def _leaves(fetches: Any) -> Iterator[Any]:
    if isinstance(fetches, dict):
        fetches = list(fetches.values())
    if isinstance(fetches, list | tuple):
        for fetch in fetches:
            yield from _leaves(fetch)
    else:
        yield fetches.values if isinstance(fetches, IndexedSlices) else fetches


def _needed(graph: Graph, fetches: Any, known: Mapping[Tensor, Dims]) -> list[Operation]:
    """Return the operations behind the fetches, in order of creation."""
    elements = [_element(graph, fetch) for fetch in _leaves(fetches)]
    stack = [item.op if isinstance(item, Tensor) else item for item in elements if item is not None]
    seen: set[Operation] = set()
    while stack:
        op = stack.pop()
        if op not in seen:
            seen.add(op)
            stack.extend(tensor.op for tensor in op.inputs if tensor not in known)
            stack.extend(op.control_inputs)
    return sorted(seen, key=lambda op: op.id)


def _shapes(op: Operation, known: Mapping[Tensor, Dims]) -> list[Dims]:
    """Return the shapes of an operation's outputs; the static ones where the rule cannot tell."""
    static = [tensor.dims for tensor in op.outputs]
    if not op.inputs or len(static) != 1:
        return static
    attrs = {key: value for key, value in op.attrs.items() if not key.startswith("_")}
    inputs = [known.get(tensor, tensor.dims) for tensor in op.inputs]
    try:
        found: Dims = op.opdef.shape(*inputs, **attrs)
    except EngineError:
        return static  # the session says what does not fit
    return [found]


FED_METHODS: dict[type, dict[str, Any]] = {
    Session: {"run": run_session},
    Operation: {"run": run_operation},
    Operators: {"eval": evaluate_tensor},
}
