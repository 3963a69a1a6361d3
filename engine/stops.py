"""What each cut edge holds back: found by differentiating a copy in which one stop is lifted."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from engine.backward import Backward, Cut, Reason, Step
from engine.blocking import nearest_cuts
from engine.gradients import build_backward
from engine.ledger import Edge, Ledger
from engine.links import Link, links
from engine.paths import Path, Paths, list_paths
from engine.reachability import between
from engine.replay import Values, compute, evaluate_record, gradient_value, value_of
from engine.scratch import closed, copy_operations, stand_in
from engine.tensor import Operation, Tensor

_STOPS = (Reason.STOP_OP, Reason.STOP_ARGUMENT)
_UNTAPED = (Reason.NOT_RECORDED, Reason.NOT_WATCHED)


@dataclass(frozen=True, eq=False)
class HeldBack:
    """What one cut edge keeps from the xs.

    Attributes:
        upstream: the gradient that arrives at the operation of the cut (at the first output to
            which one comes); None if not known.
        at_edge: what the edge would have passed on; None where there is no derivative to pass on
            (an integer, an operation that is not differentiable), or it is not known.
        amounts: per x what it would have added to its gradient, all other stops in place; None
            for an x that it would not have reached.
    """

    cut: Cut
    upstream: Any
    at_edge: Any
    amounts: tuple[Any, ...]


def held_back(
    backward: Backward,
    feeds: Mapping[Tensor, Any] | None = None,
    *,
    values: Values | None = None,
) -> tuple[HeldBack, ...]:
    """Return, for every cut at which a gradient arrives, what it holds back.

    Args:
        feeds: values of placeholders; by default what a session fed last.
        values: what `evaluate_record` returned, to save doing it again.
    """
    known = evaluate_record(backward, feeds) if values is None else values
    lifts: dict[Operation, _Lifted | None] = {}
    return tuple(_held_back(backward, cut, known, lifts) for cut in nearest_cuts(backward))


def stopped_paths(
    backward: Backward,
    x: Tensor,
    feeds: Mapping[Tensor, Any] | None = None,
    limit: int = 12,
    *,
    values: Values | None = None,
) -> tuple[Paths, ...]:
    """Return, for every stop that keeps something from x, the strongest paths it cuts.

    A path is listed with what it would have contributed had this one stop not been there; edges
    beyond the stop that no gradient crossed have no step. Arguments as for `paths`.
    """
    known = evaluate_record(backward, feeds) if values is None else values
    lifts: dict[Operation, _Lifted | None] = {}
    found = []
    for cut in nearest_cuts(backward):
        lifted = _lifted_for(backward, cut, known, lifts)
        if lifted is not None:
            listed = lifted.paths(cut, x, limit)
            if listed.count:
                found.append(listed)
    return tuple(found)


def _held_back(
    backward: Backward, cut: Cut, values: Values, lifts: dict[Operation, _Lifted | None]
) -> HeldBack:
    upstream = next((v for v in _arriving(backward, cut.op.outputs, values) if v is not None), None)
    nothing = (None,) * len(backward.xs)
    lifted = _lifted_for(backward, cut, values, lifts)
    if lifted is None:
        passed = upstream if cut.reason is Reason.STOP_OP else None
        return HeldBack(cut, upstream, passed, nothing)
    if upstream is None:
        upstream = lifted.arriving(cut)
    at_edge = lifted.at_edge(cut)
    return HeldBack(cut, upstream, at_edge, lifted.amounts(cut, at_edge))


def _arriving(backward: Backward, outputs: Sequence[Tensor], values: Values) -> Iterator[Any]:
    return (gradient_value(backward, tensor, values) for tensor in outputs)


def _lifted_for(
    backward: Backward, cut: Cut, values: Values, lifts: dict[Operation, _Lifted | None]
) -> _Lifted | None:
    if cut.reason not in _STOPS:
        return None
    if cut.op not in lifts:
        lifts[cut.op] = _lift(backward, cut.op, values)
    return lifts[cut.op]


def _lift(backward: Backward, stop: Operation, values: Values) -> _Lifted | None:
    """Differentiate a copy without this stop; None if a gradient function cannot work on a copy."""
    span = between(backward.ys, backward.xs)
    live = sorted(span.touched & span.above, key=lambda op: op.id)
    identity = {stop: "Identity"} if stop.type == "StopGradient" else {}
    untaped = {(cut.op, cut.input) for cut in backward.cuts if cut.reason in _UNTAPED}
    try:
        with closed(backward.graph):
            graph, copies = copy_operations(live, values, identity)
            with graph.as_default():
                record = build_backward(
                    [copies[y] for y in backward.ys if y in copies],
                    [copies[x] for x in backward.xs if x in copies],
                    _seeds(backward, graph, copies, values),
                    stop_gradients=[
                        copies[tensor]
                        for tensor in backward.stop_gradients
                        if tensor in copies and tensor.op is not stop
                    ],
                    recorded={
                        copies[op.outputs[0]].op: [
                            s for s in range(len(op.inputs)) if (op, s) not in untaped
                        ]
                        for op in live
                    },
                )
    except Exception:  # whatever a gradient function of a program may raise
        return None
    known = {tensor: tensor.value for op in graph.operations for tensor in op.outputs}
    computed = {tensor: value for tensor, value in known.items() if value is not None}
    compute(graph.operations, computed)
    return _Lifted(backward, record, copies, live, computed)


def _seeds(
    backward: Backward, graph: Any, copies: Mapping[Tensor, Tensor], values: Values
) -> list[Tensor]:
    seeds = []
    for y, seed in zip(backward.ys, backward.seeds, strict=True):
        if y in copies:
            known = values.get(y)
            value = value_of(seed, values, None if known is None else np.shape(known))
            dense = seed if isinstance(seed, Tensor) else y
            seeds.append(stand_in(graph, dense, value))
    return seeds


class _Lifted:
    """The record of a copy in which one stop is lifted, read through that stop."""

    def __init__(
        self,
        original: Backward,
        record: Backward,
        copies: Mapping[Tensor, Tensor],
        ops: Sequence[Operation],
        values: Values,
    ) -> None:
        self._original, self._record, self._copies = original, record, copies
        self._links = links(record)
        self._values = values
        self._operations = {copies[op.outputs[0]].op: op for op in ops}
        self._steps = {(step.op, step.input): step for step in original.steps}

    def at_edge(self, cut: Cut) -> Any:
        """Return what the cut edge would pass on."""
        for step in self._record.steps:
            if self._crosses(step, cut):
                shape = (
                    np.shape(self._values[step.receiver]) if step.receiver in self._values else None
                )
                return value_of(step.contribution, self._values, shape)
        return None

    def arriving(self, cut: Cut) -> Any:
        """Return the gradient that would arrive, for a tape that did not even look that far."""
        outputs = [self._copies[tensor] for tensor in cut.op.outputs]
        arriving = _arriving(self._record, outputs, self._values)
        return next((value for value in arriving if value is not None), None)

    def amounts(self, cut: Cut, at_edge: Any) -> tuple[Any, ...]:
        """Return what every x would get from what the cut edge passes on."""
        if at_edge is None:
            return (None,) * len(self._original.xs)
        start = self._copies[cut.tensor]
        beyond = [link for link in self._links if link.step.op.id <= start.op.id]
        found = Ledger(self._record, beyond, self._values).flow({start: at_edge})
        received = [
            found.get(self._copies[x]) if x in self._copies else None for x in self._original.xs
        ]
        return tuple(None if value is None else np.asarray(value) for value in received)

    def paths(self, cut: Cut, x: Tensor, limit: int) -> Paths:
        """Return the strongest paths to x over the cut edge, on the original operations."""
        through, beyond = self._through(cut)
        if self._copies.get(x) not in beyond:  # an x between y and the cut loses nothing by it
            return Paths(x, (), 0, None, None, cut)
        ledger = Ledger(self._record, through, self._values)
        end = self._copies[x]
        starts = tuple(i for i, y in enumerate(self._record.ys) if y in self._record.gradients)
        at_edge = self.at_edge(cut)
        total = None
        if at_edge is not None:
            total = ledger.flow({self._copies[cut.tensor]: at_edge}).get(end)
        listed = list_paths(ledger, end, starts, limit, total, cut)
        rows = tuple(self._on_original(path, x) for path in listed.paths)
        return replace(listed, x=x, paths=rows)

    def _through(self, cut: Cut) -> tuple[list[Link], set[Tensor]]:
        """Return the links of the paths over the cut edge, and the tensors beyond it.

        The links are those before the edge, the edge itself, and those beyond it.
        """
        copy = self._copies[cut.op.outputs[0]].op
        before: set[Tensor] = set(copy.outputs)
        for link in reversed(self._links):
            if link.receiver in before:
                before.add(link.source)
        beyond: set[Tensor] = {self._copies[cut.tensor]}
        chosen = []
        for link in self._links:
            if link.source in beyond:
                beyond.add(link.receiver)
                chosen.append(link)
            elif self._crosses(link.step, cut) or link.receiver in before:
                chosen.append(link)
        return chosen, beyond

    def _crosses(self, step: Step, cut: Cut) -> bool:
        return self._operations.get(step.op) is cut.op and step.input == cut.input

    def _on_original(self, path: Path, x: Tensor) -> Path:
        edges = tuple(self._edge(edge) for edge in path.edges)
        copied = [index for index, y in enumerate(self._original.ys) if y in self._copies]
        start = copied[path.start]
        return replace(path, y=self._original.ys[start], start=start, x=x, edges=edges)

    def _edge(self, edge: Edge) -> Edge:
        op = self._operations[edge.op]
        return replace(edge, op=op, step=self._steps.get((op, edge.input)))
