"""What a registered rule says: found by running it on symbols, so it cannot disagree with it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from engine import registry
from engine.dtypes import as_dtype
from engine.elementwise import LocalRule
from engine.errors import EngineError
from engine.graph import Graph
from engine.opdef import OpDef
from engine.tensor import Operation, Tensor
from explorer.labels import number
from explorer.views.notation import Expression, atom, write

_SYMBOLS = ("x", "y", "w", "v")


def local_derivatives(opdef: OpDef) -> tuple[str, ...] | None:
    """Return the local derivatives of an elementwise op, one per input, as plain text.

    "None" stands for an input that gets no gradient. None in place of the texts stands for an op
    whose gradient function is not declared by local derivatives.

    >>> from engine.opdef import opdef_of
    >>> local_derivatives(opdef_of("Mul")), local_derivatives(opdef_of("Sin"))
    (('y', 'x'), ('cos(x)',))
    """
    try:
        rule = registry.current().get(opdef.type)
    except EngineError:
        return None
    if not isinstance(rule, LocalRule):
        return None
    if not any(callable(entry) for entry in rule.entries):
        return tuple(number(entry) for entry in rule.entries)
    graph = Graph()
    with graph.as_default():
        try:
            op = _on_symbols(graph, opdef)
        except EngineError:  # needs attributes or shapes that symbols do not have
            return None
        return tuple(_entry(op, entry) for entry in rule.entries)


def _on_symbols(graph: Graph, opdef: OpDef) -> Operation:
    dtype = as_dtype("float64" if "f" in opdef.kinds else "complex128")
    inputs = [
        graph.create_op("Placeholder", [], {"dtype": dtype, "shape": ()}, name)
        for name in _SYMBOLS[: opdef.arity or 1]
    ]
    return graph.create_op(opdef.type, [made.outputs[0] for made in inputs])


def _entry(op: Operation, entry: object) -> str:
    if not callable(entry):
        return number(entry)
    derivative: Tensor = entry(*op.inputs, op.outputs[0])
    symbols = {tensor: atom(name) for tensor, name in zip(op.inputs, _SYMBOLS, strict=False)}
    symbols[op.outputs[0]] = atom("z")
    return written(derivative, symbols)


def written(tensor: Tensor, symbols: dict[Tensor, Expression]) -> str:
    """Write a tensor as an expression of symbols, its operations in order, without recursion."""
    known = dict(symbols)
    for op in _operations_below(tensor, symbols):
        known[op.outputs[0]] = _application(op, [known[source] for source in op.inputs])
    return known[tensor].text


def _operations_below(tensor: Tensor, symbols: dict[Tensor, Expression]) -> Sequence[Operation]:
    found: set[Operation] = set()
    stack = [tensor]
    while stack:
        current = stack.pop()
        if current not in symbols and current.op not in found:
            found.add(current.op)
            stack.extend(current.op.inputs)
    return sorted(found, key=lambda op: op.id)


def _application(op: Operation, arguments: Sequence[Expression]) -> Expression:
    if op.type == "Const":
        return atom(number(np.asarray(op.attrs["value"])[()]))
    return write(op, arguments)
