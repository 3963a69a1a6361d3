"""The forward graph as a reader thinks of it: tensors and where each of them is used.

The engine's graph has plumbing that a lecture would not draw: a variable is a handle plus
reads, ``×12`` is a product with a constant op, ``a + b + c`` is two additions. Here a read is
the variable, small unnamed constants are part of the formula, and a chain of additions is one
sum. Nothing is lost: every use remembers the real edges it stands for.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from engine.backward import Backward, Cut, Step, Term
from engine.tensor import Operation, Tensor
from engine.variables import Variable

READ = "ReadVariableOp"
_LARGE = 400
_ADDITIONS = frozenset({"Add", "AddV2"})
Hop = tuple[Operation, int]


@dataclass(frozen=True, eq=False)
class Use:
    """One way a tensor enters another one: the forward edges it consists of, in order."""

    source: Tensor
    target: Tensor
    hops: tuple[Hop, ...]

    @property
    def computing(self) -> tuple[Hop, ...]:
        """The edges without the reads of variables."""
        return tuple(hop for hop in self.hops if hop[0].type != READ)

    @property
    def op(self) -> Operation:
        """The first op that computes with the source."""
        return self.computing[0][0]

    @property
    def input(self) -> int:
        """The input slot of :attr:`op` that the source feeds."""
        return self.computing[0][1]


@dataclass(frozen=True, eq=False)
class Contribution:
    """One addend of a tensor's gradient; ``use`` is None for a seed."""

    term: Term
    use: Use | None


class Reduced:
    """The reduced forward graph of one backward pass.

    Attributes:
        ops: All forward ops that the ys and xs are computed by, in order of creation.
        tensors: The tensors worth drawing, producers first.
        uses: Every use between them, grouped by source.
        outgoing: The uses of each tensor, in the order they were made.
        incoming: The uses by which each tensor is computed, in the order of its inputs.
        xs: The tensors differentiated by, as drawn.
        ys: The tensors differentiated, as drawn.
    """

    def __init__(self, backward: Backward, named: Iterable[Tensor] = ()) -> None:
        """Reduce what the ys are computed from; ``named`` tensors are never folded away."""
        self.backward = backward
        self._named = {canonical(tensor) for tensor in named}
        self.xs = tuple(canonical(x) for x in backward.xs)
        self.ys = tuple(canonical(y) for y in backward.ys)
        self._kept = {*self._named, *self.xs, *self.ys}
        self._kept.update(canonical(tensor) for tensor in backward.stop_gradients)
        self.ops = ancestors([*self.ys, *self.xs])
        self._members = set(self.ops)
        self.steps: dict[tuple[Operation, int, int], Step] = {
            (step.op, step.input, step.output): step for step in backward.steps
        }
        self.cuts: dict[Hop, Cut] = {(cut.op, cut.input): cut for cut in backward.cuts}
        self._constants = self._constant_values()
        self._absorbed = self._partial_sums()
        self.tensors = tuple(
            tensor for op in self.ops for tensor in op.outputs if self._is_drawn(tensor)
        )
        self.outgoing: dict[Tensor, list[Use]] = {tensor: [] for tensor in self.tensors}
        self.incoming: dict[Tensor, list[Use]] = {tensor: [] for tensor in self.tensors}
        for tensor in self.tensors:
            for use in self._uses(tensor):
                self.outgoing[tensor].append(use)
                self.incoming[use.target].append(use)
        for uses in self.incoming.values():
            uses.sort(key=lambda use: (use.op.id, use.input))
        self.uses = tuple(use for uses in self.outgoing.values() for use in uses)
        self.by_first_hop: dict[tuple[Operation, int, int], Use] = {
            (use.op, use.input, self._output(use)): use for use in self.uses
        }

    def crossed(self, use: Use) -> tuple[Step, ...]:
        """Return the steps by which a gradient crossed a use; empty when none did.

        Reads of variables are left out: a reader sees the variable itself.
        """
        found = []
        for op, slot in use.computing:
            output = use.target.index if op is use.target.op else 0
            step = self.steps.get((op, slot, output))
            if step is None:
                return ()
            found.append(step)
        return tuple(found)

    def cut(self, use: Use) -> Cut | None:
        """Return the cut on a use, if there is one."""
        return next((cut for hop in use.hops if (cut := self.cuts.get(hop))), None)

    def contributions(self, tensor: Tensor) -> tuple[Contribution, ...]:
        """Return the addends of a tensor's gradient, those of its reads included."""
        gradient = self.backward.gradients.get(tensor)
        terms = gradient.terms if gradient else ()
        found: list[Contribution] = []
        for term in terms:
            if term.step is None:
                found.append(Contribution(term, None))
            elif term.step.op.type != READ:
                key = (term.step.op, term.step.input, term.step.output)
                found.append(Contribution(term, self.by_first_hop.get(key)))
        for read in self.reads(tensor):
            found.extend(self.contributions(read))
        return tuple(found)

    def total(self, tensor: Tensor) -> object | None:
        """Return the gradient of a tensor as the engine built it, None when it has none."""
        gradients = self.backward.gradients
        if tensor in gradients:
            return gradients[tensor].total
        reads = [read for read in self.reads(tensor) if read in gradients]
        return gradients[reads[0]].total if len(reads) == 1 else None

    def live(self) -> set[Tensor]:
        """Return the tensors whose gradient arrives at some x."""
        arriving = {x for x in self.xs}
        for tensor in self.tensors:
            if any(use.source in arriving and self.crossed(use) for use in self.incoming[tensor]):
                arriving.add(tensor)
        return arriving

    def reads(self, tensor: Tensor) -> list[Tensor]:
        """Return the reads of a variable that something drawn depends on."""
        readers = (op for op, _ in tensor.consumers() if op.type == READ and op in self._members)
        return [op.outputs[0] for op in readers]

    def is_folded(self, tensor: Tensor) -> bool:
        """Tell whether a tensor is a small constant that is written into formulas."""
        return tensor in self._constants

    def _constant_values(self) -> set[Tensor]:
        """Find unnamed constants of one element, and what gradients() computed from such."""
        found: set[Tensor] = set()
        for op in self.ops:
            if len(op.outputs) != 1 or op.outputs[0] in self._kept:
                continue
            if op.type == "Const":
                is_constant = is_unnamed(op) and np.size(op.attrs["value"]) == 1
            else:
                is_scalar = bool(op.role) and bool(op.inputs) and op.outputs[0].dims == ()
                is_constant = is_scalar and all(part in found for part in op.inputs)
            if is_constant:
                found.add(op.outputs[0])
        return found

    def is_absorbed(self, tensor: Tensor) -> bool:
        """Tell whether a tensor is a partial sum that is drawn as part of a longer sum."""
        return tensor in self._absorbed

    def _partial_sums(self) -> set[Tensor]:
        """Find the partial sums; in a large graph, which is going to be folded, there are none."""
        if len(self.ops) > _LARGE:
            return set()
        return {op.outputs[0] for op in self.ops if self._is_partial_sum(op)}

    def _is_partial_sum(self, op: Operation) -> bool:
        if op.type not in _ADDITIONS or op.outputs[0] in self._kept or not is_unnamed(op):
            return False
        users = [hop for hop in op.outputs[0].consumers() if hop[0] in self._members]
        if len(users) != 1 or users[0][0].type not in _ADDITIONS:
            return False
        consumer = users[0][0]
        shapes = {part.dims for both in (op, consumer) for part in both.inputs}
        touched = [(both, slot) for both in (op, consumer) for slot in (0, 1)]
        is_cut = any(hop in self.cuts for hop in touched)
        return len(shapes) == 1 and consumer.outputs[0].dims in shapes and not is_cut

    def _is_drawn(self, tensor: Tensor) -> bool:
        if tensor.op.type == READ or self.is_folded(tensor) or self.is_absorbed(tensor):
            return False
        users = any(op in self._members for op, _ in tensor.consumers())
        return users or tensor in self._kept

    def _uses(self, source: Tensor) -> list[Use]:
        """List the uses of a tensor, through reads and partial sums."""
        found: list[Use] = []
        waiting: list[tuple[Tensor, tuple[Hop, ...]]] = [(source, ())]
        while waiting:
            tensor, hops = waiting.pop(0)
            for op, slot in tensor.consumers():
                if op not in self._members:
                    continue
                reached = (*hops, (op, slot))
                for output in op.outputs:
                    if op.type == READ or output in self._absorbed:
                        waiting.append((output, reached))
                    elif self._is_drawn(output):
                        found.append(Use(source, output, reached))
        return sorted(found, key=lambda use: (use.op.id, use.input))

    def _output(self, use: Use) -> int:
        return use.target.index if use.op is use.target.op else 0


def canonical(tensor: Tensor | Variable) -> Tensor:
    """Return the tensor that is drawn for a tensor or variable: the handle for a read of it."""
    if not isinstance(tensor, Tensor):
        return tensor.op.outputs[0]
    while tensor.op.type == READ:
        tensor = tensor.op.inputs[0]
    return tensor


def ancestors(tensors: Sequence[Tensor]) -> tuple[Operation, ...]:
    """Return the ops that tensors are computed by, in order of creation."""
    seen: dict[Operation, None] = {}
    waiting = [tensor.op for tensor in tensors]
    while waiting:
        op = waiting.pop()
        if op not in seen:
            seen[op] = None
            waiting.extend(tensor.op for tensor in op.inputs)
    return tuple(sorted(seen, key=lambda op: op.id))


def is_unnamed(op: Operation) -> bool:
    """Tell whether an op still has the name that its type gave it."""
    own = op.name.rpartition("/")[2].lower().rstrip("0123456789").rstrip("_")
    return own in DEFAULT_NAMES or own.replace("_", "") == op.type.lower()


DEFAULT_NAMES: Mapping[str, str] = {
    "add": "AddV2",
    "const": "Const",
    "div": "RealDiv",
    "floordiv": "FloorDiv",
    "matmul": "MatMul",
    "mod": "FloorMod",
    "mul": "Mul",
    "neg": "Neg",
    "placeholder": "Placeholder",
    "pow": "Pow",
    "sub": "Sub",
    "truediv": "RealDiv",
    "variable": "VarHandleOp",
}
