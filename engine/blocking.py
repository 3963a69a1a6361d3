"""Which cut edges are to blame: of all cuts, those that no other cut keeps from the ys."""

from __future__ import annotations

from engine.backward import Backward, Cut, Reason
from engine.tensor import Operation, Tensor


def nearest_cuts(backward: Backward) -> tuple[Cut, ...]:
    """Return the cuts that are met first on the ways from the ys upwards, in order of creation."""
    cuts = {(cut.op, cut.input): cut for cut in backward.cuts}
    met: list[Cut] = []
    stack = [y.op for y in backward.ys]
    seen: set[Operation] = set()
    while stack:
        op = stack.pop()
        if op in seen:
            continue
        seen.add(op)
        for slot, tensor in enumerate(op.inputs):
            cut = cuts.get((op, slot))
            if cut is None or cut.reason is Reason.NO_UPSTREAM:
                stack.append(tensor.op)
            else:
                met.append(cut)
    return tuple(sorted(met, key=lambda cut: (cut.op.id, cut.input)))


def influenced(x: Tensor) -> set[Tensor]:
    """Return the tensors that depend on x, differentiably or not, and x itself."""
    found = {x}
    stack = [x]
    while stack:
        for consumer, _slot in stack.pop().consumers():
            for tensor in consumer.outputs:
                if tensor not in found:
                    found.add(tensor)
                    stack.append(tensor)
    return found
