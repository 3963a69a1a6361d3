"""Which operations lie between the xs and the ys. Linear in the edges, without recursion."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from engine.tensor import Operation, Tensor

Recorded: TypeAlias = Mapping[Operation, Collection[int]]
"""What a tape saw: per operation made while it recorded, the slots of the inputs it watched.

Gradients flow through these slots alone.
"""


@dataclass(frozen=True, eq=False)
class Between:
    """The operations that gradients visit.

    Attributes:
        reached: operations that some x influences through trainable tensors.
        pending: per operation, how many input slots of visited operations it feeds.
        touched: operations that some x influences at all.
        above: operations that influence some y.
    """

    reached: frozenset[Operation]
    pending: dict[Operation, int]
    touched: frozenset[Operation]
    above: frozenset[Operation]


def between(
    ys: Iterable[Tensor], xs: Iterable[Tensor], recorded: Recorded | None = None
) -> Between:
    """Find the operations between xs and ys; with `recorded`, only those a tape has seen."""
    sources = dict.fromkeys(x.op for x in xs)
    targets = dict.fromkeys(y.op for y in ys)
    # Backwards first: what lies above the ys may be a small part of a graph that grew for long.
    above = _backward(targets, None)
    ordered = sorted(above, key=lambda op: op.id)
    reached = _forward(sources, ordered, trainable_only=True, recorded=recorded)
    touched = _forward(sources, ordered, trainable_only=False, recorded=None)
    visited = _backward(targets, reached)
    pending: dict[Operation, int] = dict.fromkeys(visited, 0)
    for op in visited:
        for tensor in op.inputs:
            pending[tensor.op] = pending.get(tensor.op, 0) + 1
    return Between(frozenset(reached), pending, frozenset(touched), frozenset(above))


def crossable(op: Operation, slot: int, recorded: Recorded | None) -> bool:
    """Whether a gradient may flow into input `slot`: always, except where a tape did not record."""
    return recorded is None or slot in recorded.get(op, ())


def _forward(
    sources: Iterable[Operation],
    ordered: Iterable[Operation],
    *,
    trainable_only: bool,
    recorded: Recorded | None,
) -> set[Operation]:
    """Collect the sources and, of operations in order of creation, all that they influence."""
    reached = set(sources)
    for op in ordered:
        if op not in reached and any(
            tensor.op in reached
            and (tensor.dtype.is_trainable or not trainable_only)
            and crossable(op, slot, recorded)
            for slot, tensor in enumerate(op.inputs)
        ):
            reached.add(op)
    return reached


def _backward(
    targets: Iterable[Operation], allowed: Collection[Operation] | None
) -> set[Operation]:
    """Collect what influences the targets; with `allowed`, only by way of allowed operations.

    An operation behind one that is not allowed must not count: nothing would ever arrive from
    there, and what it feeds would wait for it forever.
    """
    seen = {op for op in targets if allowed is None or op in allowed}
    stack = list(seen)
    while stack:
        for tensor in stack.pop().inputs:
            if tensor.op not in seen and (allowed is None or tensor.op in allowed):
                seen.add(tensor.op)
                stack.append(tensor.op)
    return seen
