"""One traversal from the ys back to the xs: visit, differentiate, hand on, take notes.

Every operation between xs and ys is visited once, after all its consumers; first in, first out.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import Any

from engine.aggregation import AggregationMethod, aggregate
from engine.backward import AnyGradient, Cut, Gradient, Reason, Step, Term
from engine.elementwise import LocalRule
from engine.errors import ArgumentError, ArgumentTypeError, ShapeError
from engine.graph import Graph
from engine.indexed_slices import IndexedSlices
from engine.reachability import Between, Recorded, crossable
from engine.registry import GradientFunction, gradient_function
from engine.shapes import compatible, show
from engine.tensor import Operation, Operators, Tensor


class Walk:
    """One traversal from the ys to the xs."""

    def __init__(
        self,
        graph: Graph,
        ys: Sequence[Tensor],
        xs: Sequence[Tensor],
        stops: Sequence[Tensor],
        span: Between,
        recorded: Recorded | None = None,
    ) -> None:
        self.graph = graph
        self.ys = ys
        self.span = span
        self.recorded = recorded
        self.colocate = self.gate = False
        self.method = AggregationMethod.DEFAULT
        self.steps: list[Step] = []
        self.gradients: dict[Tensor, Gradient] = {}
        self._terms: dict[Tensor, list[Term]] = {}
        self._stopped = {tensor.op for tensor in stops}
        # An x without another x above it is an end: nothing above it is wanted.
        self._ends = {
            x.op
            for x in xs
            if not any(span.pending.get(t.op, 0) and t.op in span.reached for t in x.op.inputs)
        }
        self._reasons: dict[tuple[Operation, int], Reason] = {}
        self._crossed: set[tuple[Operation, int]] = set()

    def run(self, seeds: Sequence[AnyGradient]) -> None:
        """Visit every operation between xs and ys after all its consumers."""
        for y, seed in zip(self.ys, seeds, strict=True):
            self._terms.setdefault(y, []).append(Term(seed, None))
        pending = self.span.pending
        ready = dict.fromkeys(y.op for y in self.ys if y.op in self.span.reached)
        queue = deque(op for op in ready if not pending.get(op, 0))
        while queue:
            op = queue.popleft()
            self._visit(op)
            for tensor in op.inputs:
                pending[tensor.op] -= 1
                if not pending[tensor.op] and tensor.op in self.span.reached:
                    queue.append(tensor.op)

    def _visit(self, op: Operation) -> None:
        upstream = [self._total(tensor) for tensor in op.outputs]
        if all(gradient is None for gradient in upstream):
            return
        if op in self._ends or op in self._stopped:
            reason = Reason.STOP_ARGUMENT if op in self._stopped else Reason.NO_UPSTREAM
            self._block(op, reason)
            return
        if self.recorded is not None and not self.recorded.get(op):
            return
        function = gradient_function(op)
        if function is None:
            stop = op.type == "StopGradient"
            self._block(op, Reason.STOP_OP if stop else Reason.NOT_DIFFERENTIABLE)
            return
        start = self.graph.size_in_operations
        self._differentiate(
            op,
            function,
            [
                self._zeros(op, tensor)
                if gradient is None and tensor.dtype.is_trainable
                else gradient
                for tensor, gradient in zip(op.outputs, upstream, strict=True)
            ],
        )
        if self.colocate:
            for created in self.graph.operations_since(start):
                created.attrs["_class"] = (f"loc:@{op.name}",)
                created.device = op.device

    def _total(self, tensor: Tensor) -> AnyGradient | None:
        terms = self._terms.pop(tensor, None)
        if not terms:
            return None
        total = aggregate([term.value for term in terms], tensor.op, self.method)
        self.gradients[tensor] = Gradient(total, tuple(terms))
        return total

    def _zeros(self, op: Operation, tensor: Tensor) -> Tensor:
        with self.graph.role("zeros", op):
            return self.graph.create_op("ZerosLike", [tensor], name="zeros_like").outputs[0]

    def _block(self, op: Operation, reason: Reason) -> None:
        for slot in range(len(op.inputs)):
            self._reasons[op, slot] = reason

    def _differentiate(
        self, op: Operation, function: GradientFunction, upstream: list[AnyGradient | None]
    ) -> None:
        with self.graph.name_scope(f"{op.name}_grad"), self.graph.role("gradient", op):
            if isinstance(function, LocalRule):
                found = self._local_contributions(op, function, upstream[0])
            else:
                found = self._rule_contributions(op, function, upstream)
            values = [value for value, _local in found]
            if self.gate:
                values = self._gated(values)
        arrived = next((k for k, tensor in enumerate(op.outputs) if tensor in self.gradients), 0)
        for slot, (value, (_, local)) in enumerate(zip(values, found, strict=True)):
            if value is None:
                if self._wanted(op, slot):  # otherwise what keeps it away lies further up
                    replaced = slot < getattr(function, "replaced", 0)
                    reason = Reason.REPLACED if replaced else Reason.RETURNED_NONE
                    self._reasons[op, slot] = reason
                continue
            _check_shape(op, slot, value)
            source = upstream[arrived]
            assert source is not None
            step = Step(op, slot, arrived, source, local, value)
            self.steps.append(step)
            self._crossed.add((op, slot))
            self._terms.setdefault(op.inputs[slot], []).append(Term(value, step))

    def _wanted(self, op: Operation, slot: int) -> bool:
        tensor = op.inputs[slot]
        reached = tensor.op in self.span.reached and tensor.dtype.is_trainable
        return reached and crossable(op, slot, self.recorded)

    def _local_contributions(
        self, op: Operation, rule: LocalRule, upstream: AnyGradient | None
    ) -> list[tuple[AnyGradient | None, Tensor | float | None]]:
        assert upstream is not None
        dense = upstream.as_tensor()
        found: list[tuple[AnyGradient | None, Tensor | float | None]] = []
        for slot in range(len(op.inputs)):
            if rule.entries[slot] is None or not self._wanted(op, slot):
                found.append((None, None))
            else:
                contribution = rule.contribute(op, slot, dense)
                found.append((contribution.value, contribution.local))
        return found

    def _rule_contributions(
        self, op: Operation, function: GradientFunction, upstream: list[AnyGradient | None]
    ) -> list[tuple[AnyGradient | None, Tensor | float | None]]:
        returned = function(op, *upstream)
        entries = list(returned) if isinstance(returned, list | tuple) else [returned]
        if len(entries) != len(op.inputs):
            raise ArgumentError(
                f"Num gradients {len(entries)} generated for op {op.name!r} (op type: {op.type}) "
                f"do not match num inputs {len(op.inputs)}; return one gradient, or None, per input"
            )
        found: list[tuple[AnyGradient | None, Tensor | float | None]] = []
        for slot, entry in enumerate(entries):
            wanted = self._wanted(op, slot)
            value = _gradient(op, slot, entry, wanted)
            found.append((value if wanted else None, None))
        return found

    def _gated(self, values: list[AnyGradient | None]) -> list[AnyGradient | None]:
        """Make each gradient wait for all of them."""
        present = [value for value in values if value is not None]
        if len(present) < 2:
            return values
        graph = self.graph
        with graph.name_scope("tuple"), graph.role("gate"):
            producers = sorted({value.op for value in present}, key=lambda op: op.id)
            with graph.control_dependencies(producers):
                group = graph.create_op("NoOp", name="group_deps")
            with graph.control_dependencies([group]):
                return [None if value is None else _passed(value) for value in values]

    def cuts(self) -> tuple[Cut, ...]:
        """Return every edge on a way from an x to a y that was not crossed, with the reason."""
        live = self.span.touched & self.span.above
        return tuple(
            Cut(op, slot, self._reason(op, slot))
            for op in sorted(live, key=lambda op: op.id)
            for slot, tensor in enumerate(op.inputs)
            if tensor.op in live and (op, slot) not in self._crossed
        )

    def _reason(self, op: Operation, slot: int) -> Reason:
        if not op.inputs[slot].dtype.is_trainable:
            return Reason.INTEGER
        if not crossable(op, slot, self.recorded):
            # A tape looks away while stop_gradient runs, but the reader wrote stop_gradient.
            if op.type == "StopGradient":
                return Reason.STOP_OP
            if op.inputs[slot].op in self.span.reached:
                seen = self.recorded is not None and op in self.recorded
                return Reason.NOT_WATCHED if seen else Reason.NOT_RECORDED
        return self._reasons.get((op, slot), Reason.NO_UPSTREAM)


def _gradient(op: Operation, slot: int, entry: Any, wanted: bool) -> AnyGradient | None:
    """Return one entry of what a gradient function returned, called if it is a function."""
    if entry is None:
        return None
    if isinstance(entry, IndexedSlices):
        return entry
    if isinstance(entry, Operators):
        return entry.as_tensor()
    if callable(entry):
        return _gradient(op, slot, entry(), wanted) if wanted else None
    raise ArgumentTypeError(
        f"the gradient function of {op.name!r} (op type: {op.type}) must return tensors or None "
        f"(got {type(entry).__name__} for input {slot})"
    )


def _passed(value: AnyGradient) -> AnyGradient:
    """Copy a gradient through an Identity that carries the control dependencies in force."""
    name = "control_dependency"
    if isinstance(value, IndexedSlices):
        copied = value.graph.create_op("Identity", [value.values], name=name).outputs[0]
        return IndexedSlices(copied, value.indices, value.dense_shape)
    return value.graph.create_op("Identity", [value], name=name).outputs[0]


def _check_shape(op: Operation, slot: int, value: AnyGradient) -> None:
    expected = op.inputs[slot].dims
    if isinstance(value, Tensor) and not compatible(expected, value.dims):
        raise ShapeError(
            "Incompatible shapes between op input and calculated input gradient. "
            f"Forward operation: {op.name}. Input index: {slot}. "
            f"Original input shape: {show(expected)}. "
            f"Calculated input gradient shape: {show(value.dims)}"
        )
