"""The edges of chain-rule paths: one per (input, output) of an operation that a gradient crossed.

A step of the record crosses from all outputs of its operation to one input. A path goes through
one output; for an operation with several outputs a step is therefore split into one link for
each output whose gradient the contribution depends on.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import groupby
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from engine.backward import Backward, Step
from engine.registry import gradient_function
from engine.replay import Crossing, Values, compute, crossing, dependents, entries_of
from engine.scratch import closed, copy_operation, returned_entries, stand_in
from engine.tensor import Operation, Tensor

Carry: TypeAlias = Callable[[Any], Any]
"""What a receiver gets, as a function of the gradient of the output."""


class Link(NamedTuple):
    """One edge of a path, from an output of an operation to one of its inputs.

    Attributes:
        step: the step of the record that crossed it.
        output: index of the output.
        source: the output.
        receiver: the input.
        splitter: how to cross when outputs share one upstream gradient, else None.
    """

    step: Step
    output: int
    source: Tensor
    receiver: Tensor
    splitter: _Splitter | None = None

    def carry(self, backward: Backward, values: Values) -> Carry:
        """Return this link as a function of the upstream gradient.

        Raises:
            KeyError: a value that is needed for that is not known.
        """
        shape = np.shape(values[self.receiver])
        if self.splitter is not None:
            return self.splitter.carry(self.step.input, self.output, values, shape)
        return crossing(backward, self.step, self.output, values, shape)


def links(backward: Backward) -> tuple[Link, ...]:
    """Return every link of a record, so that a link comes after all that lead to its source."""
    found: list[Link] = []
    for op, steps in groupby(backward.steps, key=lambda step: step.op):
        if len(op.outputs) == 1:
            source = op.outputs[0]
            found.extend([Link(s, 0, source, op.inputs[s.input]) for s in steps])
        else:
            found.extend(_split(backward, op, tuple(steps)))
    return tuple(found)


def _link(step: Step, output: int, splitter: _Splitter | None = None) -> Link:
    return Link(step, output, step.op.outputs[output], step.receiver, splitter)


def _split(backward: Backward, op: Operation, steps: Sequence[Step]) -> list[Link]:
    arrived = [k for k, tensor in enumerate(op.outputs) if tensor in backward.gradients]
    totals = {k: backward.gradients[op.outputs[k]].total for k in arrived}
    if len(arrived) == 1:
        return [_link(step, arrived[0]) for step in steps]
    if len(set(totals.values())) < len(totals):
        splitter = _Splitter(backward, op, arrived, steps)
        return [
            _link(step, k, splitter)
            for step in steps
            for k in arrived
            if splitter.depends(step.input, k)
        ]
    return [
        _link(step, k) for step in steps for k in arrived if _depends(step.contribution, totals[k])
    ]


def _depends(contribution: Any, upstream: Any) -> bool:
    entries = set(entries_of(upstream))
    return bool(entries.intersection(entries_of(contribution)) or dependents(contribution, entries))


class _Splitter:
    """Tells apart the outputs of an operation to which one and the same gradient came.

    The recorded operations cannot do that, so the gradient function is called again on a copy of
    the operation, with a separate upstream for each output. If it cannot work on a copy, each of
    the outputs is credited with an equal part.
    """

    def __init__(
        self, backward: Backward, op: Operation, arrived: Sequence[int], steps: Sequence[Step]
    ) -> None:
        self._backward, self._op, self._arrived = backward, op, arrived
        self._recorded = {step.input: step for step in steps}
        self._upstream: list[Tensor | None] = []
        self._entries: list[Any] | None = None
        self._copies: dict[Tensor, Tensor] = {}
        self._build()

    def _build(self) -> None:
        function = gradient_function(self._op)
        assert function is not None
        from engine.graph import Graph

        graph = Graph()
        graph.registry = self._op.graph.registry
        inputs = [stand_in(graph, tensor, None) for tensor in self._op.inputs]
        self._copies.update(zip(self._op.inputs, inputs, strict=True))
        try:
            with closed(self._op.graph), graph.as_default():
                copy = copy_operation(graph, self._op, inputs, {}, self._copies)
                self._upstream = [
                    stand_in(graph, tensor, None)
                    if tensor.dtype.is_trainable or k in self._arrived
                    else None
                    for k, tensor in enumerate(self._op.outputs)
                ]
                self._entries = returned_entries(function, copy, self._upstream)
        except Exception:  # whatever a gradient function of a program may raise
            self._entries = None

    def depends(self, slot: int, output: int) -> bool:
        if self._entries is None:
            return True
        upstream = self._upstream[output]
        entry = self._entries[slot]
        return upstream is not None and entry is not None and _depends(entry, upstream)

    def carry(self, slot: int, output: int, values: Values, shape: tuple[int, ...]) -> Carry:
        if self._entries is None:
            return self._equal_part(slot, output, values, shape)
        known = {
            copy: values[original] for original, copy in self._copies.items() if original in values
        }
        for tensor, upstream in zip(self._op.outputs, self._upstream, strict=True):
            if upstream is not None:
                known[upstream] = np.zeros_like(values[tensor])
        graph = next(iter(self._copies.values())).graph
        compute(graph.operations, known)
        upstream = self._upstream[output]
        assert upstream is not None
        others = [t for t in self._upstream if t is not None and t is not upstream]
        return Crossing(self._entries[slot], upstream, others, known, shape)

    def _equal_part(self, slot: int, output: int, values: Values, shape: tuple[int, ...]) -> Carry:
        totals = [self._backward.gradients[self._op.outputs[k]].total for k in self._arrived]
        mine = self._backward.gradients[self._op.outputs[output]].total
        others = [total for total in totals if total is not mine]
        whole = Crossing(self._recorded[slot].contribution, mine, others, values, shape)
        parts = len(totals) - len(others)
        return lambda gradient: whole(gradient) / parts
