"""Ways on which a value gets from an x to a y that no gradient can take back.

Two of them leave no edge in the graph: a value written into a variable that is read later, and a
value that leaves for NumPy and comes back as a constant.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import Enum

from engine.backward import Backward
from engine.blocking import influenced
from engine.plan import inputs_of
from engine.tensor import Operation, Tensor


class DetourKind(Enum):
    """Where a value leaves the edges of the graph."""

    STATE = "written into a variable"
    OUTSIDE = "left for NumPy and came back as a constant"


@dataclass(frozen=True, eq=False)
class Detour:
    """One place where the way from an x to a y leaves the edges.

    Attributes:
        tensor: the last one on the edges; its value is written, or was asked for.
        op: with STATE the assignment; with OUTSIDE the constant. That this constant was made of
            this value is not known, only that it was made afterwards, of a NumPy value.
    """

    kind: DetourKind
    tensor: Tensor
    op: Operation


def detours(backward: Backward, x: Tensor) -> tuple[Detour, ...]:
    """Return the detours from x to the ys, in order of creation; of several in a row the first."""
    above = _above(backward.ys)
    found = [*_written(above, x), *_outside(backward, set(above), x)]
    return tuple(sorted(found, key=lambda detour: detour.op.id))


def _above(ys: Iterable[Tensor]) -> list[Operation]:
    """Return the operations that the ys depend on, past assignments included, in order."""
    stack = [y.op for y in ys]
    seen: set[Operation] = set()
    while stack:
        op = stack.pop()
        if op not in seen:
            seen.add(op)
            stack.extend(tensor.op for tensor in (*op.inputs, *inputs_of(op, eager=True)))
    return sorted(seen, key=lambda op: op.id)


def _written(above: Iterable[Operation], x: Tensor) -> Iterator[Detour]:
    dependent = {x}
    for op in above:
        if op.type.startswith("Assign"):
            if op.inputs[1] in dependent:
                yield Detour(DetourKind.STATE, op.inputs[1], op)
        elif any(tensor in dependent for tensor in op.inputs):
            dependent.update(op.outputs)


def _outside(backward: Backward, above: set[Operation], x: Tensor) -> Iterator[Detour]:
    border = backward.graph.border
    if not border.exits:
        return
    reached = influenced(x)
    left = [(size, tensor) for tensor, size in border.exits.items() if tensor in reached]
    for constant in border.entries:
        before = [(size, tensor) for size, tensor in left if size <= constant.id]
        if before and constant in above:
            # What was asked for last is the likeliest.
            yield Detour(DetourKind.OUTSIDE, max(before, key=lambda exit: exit[0])[1], constant)
