"""Backward passes tried on a copy first, of which only what is needed enters the user's graph.

A copy of the operations between some xs and ys is differentiated with seeds that have no value.
What was added there can then be made again in the user's graph, on the original tensors and with
other seeds: with a stack of seeds instead of one (`engine.batching`), or without the parts that
only served to get there (`engine.forward_mode`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from typing import Any

from engine.batching import apply_to_rows, spread
from engine.gradients import build_backward
from engine.graph import Graph
from engine.reachability import Recorded, between
from engine.scratch import closed, copy_operations
from engine.tensor import Operation, Tensor


@dataclass(frozen=True, eq=False)
class Draft:
    """A backward pass on a copy.

    Attributes:
        graph: the copy.
        copies: the copy of every tensor, by the original.
        seeds: per y the placeholder in the copy for its initial gradient; None if no x leads to it.
        results: per x its gradient in the copy, or None; rows of a gather added into a tensor.
    """

    graph: Graph
    copies: Mapping[Tensor, Tensor]
    seeds: tuple[Tensor | None, ...]
    results: tuple[Tensor | None, ...]


def draft_backward(
    ys: Sequence[Tensor],
    xs: Sequence[Tensor],
    *,
    recorded: Recorded | None = None,
    **options: Any,
) -> Draft | None:
    """Differentiate a copy; None if it cannot be done.

    It cannot where a gradient function uses tensors of the graph that it was written for, or where
    it fails; to see how it fails, differentiate the original.

    Args:
        recorded: what a tape recorded; None means everything.
        options: passed on to `build_backward`.
    """
    span = between(ys, xs)
    live = sorted(span.touched & span.above, key=lambda op: op.id)
    original = xs[0].graph
    try:
        with closed(original):
            graph, copies = copy_operations(live, {})
            with graph.as_default():
                seeds = [_seed(graph, y) if y in copies else None for y in ys]
                record = build_backward(
                    [copies[y] for y in ys if y in copies],
                    [copies[x] for x in xs if x in copies],
                    [seed for seed in seeds if seed is not None],
                    recorded=_copied(recorded, live, copies),
                    **options,
                )
                found = iter([None if g is None else g.as_tensor() for g in record.results])
    except Exception:  # whatever a gradient function of a program may raise
        return None
    results = tuple(next(found) if x in copies else None for x in xs)
    return Draft(graph, copies, tuple(seeds), results)


def _seed(graph: Graph, y: Tensor) -> Tensor:
    attrs = {"dtype": y.dtype, "shape": y.dims}
    return graph.create_op("Placeholder", [], attrs, "seed").outputs[0]


def _copied(
    recorded: Recorded | None, live: Sequence[Operation], copies: Mapping[Tensor, Tensor]
) -> Recorded | None:
    if recorded is None:
        return None
    return {copies[op.outputs[0]].op: recorded[op] for op in live if op in recorded}


class Rebuild:
    """Makes operations of a draft again in the original graph.

    Args:
        draft: where they stand.
        graph: the original graph.
        given: tensors of the original graph that take the place of some in the draft.
        scope: the name scope of what is made, as `name_scope` yields it.
        rows: how many rows the given tensors are stacks of; None if they are no stacks.
    """

    def __init__(
        self,
        draft: Draft,
        graph: Graph,
        given: Mapping[Tensor, Tensor],
        scope: str,
        rows: int | None = None,
    ) -> None:
        self._graph = graph
        self._scope = scope
        self._rows = rows
        self._made = {copy: (original, False) for original, copy in draft.copies.items()}
        self._made |= {copy: (tensor, rows is not None) for copy, tensor in given.items()}
        self._originals = {copy.op: original.op for original, copy in draft.copies.items()}

    def possible(self, results: Sequence[Tensor]) -> bool:
        """Whether every operation that is needed can be made again."""
        return not any(op.gradient_function for op in self._needed(results))

    def make(self, results: Sequence[Tensor]) -> list[Tensor]:
        """Return what the results are in the original graph, stacks if the seeds are stacks."""
        for op in self._needed(results):
            self._make(op)
        made = [self._made[result] for result in results]
        if self._rows is None:
            return [tensor for tensor, _stacked in made]
        return [tensor if stacked else spread(tensor, self._rows) for tensor, stacked in made]

    def _needed(self, results: Sequence[Tensor]) -> list[Operation]:
        """Return the operations behind the results that are not there yet, in order of creation."""
        seen: set[Operation] = set()
        stack = [result for result in results if result not in self._made]
        while stack:
            op = stack.pop().op
            if op not in seen:
                seen.add(op)
                stack.extend(tensor for tensor in op.inputs if tensor not in self._made)
        return sorted(seen, key=lambda op: op.id)

    def _make(self, op: Operation) -> None:
        inputs = [self._made[tensor] for tensor in op.inputs]
        if op.type == "Identity" and op.role == "seed":
            self._made[op.outputs[0]] = inputs[0]
            return
        stacked = any(stack for _tensor, stack in inputs)
        prefix, _, leaf = op.name.rpartition("/")
        entered = self._graph.name_scope(f"{self._scope}{prefix}/") if prefix else nullcontext()
        with entered, self._graph.role(op.role, self._forward(op)):
            if stacked:
                assert self._rows is not None
                outputs = apply_to_rows(op, inputs, self._rows)
            else:
                tensors = [tensor for tensor, _stack in inputs]
                outputs = self._graph.create_op(op.type, tensors, op.attrs, leaf).outputs
        for copy, output in zip(op.outputs, outputs, strict=True):
            self._made[copy] = (output, stacked)

    def _forward(self, op: Operation) -> Operation | None:
        """Return the user's operation that an operation of the draft serves."""
        forward = op.forward_op
        while forward is not None and forward not in self._originals:
            forward = forward.forward_op
        return None if forward is None else self._originals[forward]
