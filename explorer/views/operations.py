"""Operations: the true graph, every op under TensorFlow's name, those of gradients() included.

Forward ops stand above in their order; the ops that the call added stand below and run right
to left. Dashed edges show which forward values the backward ops use again.
"""

from __future__ import annotations

from dataclasses import replace

from engine.backward import AnyGradient, Reason, Step
from engine.indexed_slices import IndexedSlices
from engine.tensor import Operation, Tensor
from explorer import labels
from explorer.scene import (
    Cluster,
    Edge,
    EdgeKind,
    Line,
    Node,
    NodeKind,
    Run,
    Scene,
    Tone,
    identifier,
    plain,
)
from explorer.views import formulas, parts, words
from explorer.views.reduced import Use, ancestors
from explorer.views.subject import Subject

_FORWARD, _BACKWARD = "forward", "backward"
_LONGEST = 26
_HELPERS = frozenset({"local", "zeros", "unbroadcast", "gate"})


def build(subject: Subject) -> Scene:
    """Build the operations scene of a backward pass."""
    backward = subject.backward
    added = set(backward.operations)
    seeds = [seed for seed in backward.seeds if isinstance(seed, Tensor)]
    ends = [*backward.ys, *backward.xs, *seeds, *(_tensor(r) for r in _arrivals(subject))]
    drawn = ancestors([end for end in ends if end is not None])
    forward = [op for op in drawn if op not in added]
    behind = [op for op in drawn if op in added] + _dead(subject, set(drawn))
    behind = sorted(dict.fromkeys(behind), key=lambda op: op.id)
    path = _path_ops(subject)
    path_edges = _path_edges(subject)
    twins = _twins(forward, behind) | _seed_twins(subject, set(forward), set(behind))
    arriving = set(ancestors([end for r in backward.results if (end := _tensor(r)) is not None]))
    nodes = [_backward_node(subject, op, path, twins, op in arriving) for op in behind]
    nodes += [_forward_node(subject, op, path) for op in forward]
    shown = {*forward, *behind}
    edges = [
        edge
        for op in (*forward, *behind)
        for edge in _inputs(subject, op, shown, added, path_edges)
    ]
    dead = {node.id for node in nodes if node.kind is NodeKind.DEAD}
    told = _cut_words(subject, shown)
    edges = [replace(_faded(edge, dead), lines=told.get(edge.id, edge.lines)) for edge in edges]
    edges += _controls((*forward, *behind), shown)
    edges += _cut_edges(subject, shown)
    edges += [
        Edge(identifier("s", op.name), _id(y), _id(op), EdgeKind.SEED, detail=words.SEED)
        for op, y in twins.items()
        if op.role == "seed"
    ]
    return Scene(
        view="operations",
        title=f"{words.view_title('operations')}: {plain((parts.answer_line(subject),))}",
        nodes=tuple(nodes),
        edges=tuple(edges),
        clusters=(
            Cluster(_FORWARD, words.FORWARD, _FORWARD),
            Cluster(_BACKWARD, f"{words.BACKWARD}: {backward.name}", _BACKWARD),
        ),
        caption=parts.caption(subject),
        legend=parts.legend(nodes, edges),
        alt=parts.alt_text(subject, "operations", nodes),
    )


def _arrivals(subject: Subject) -> list[AnyGradient | None]:
    """Return every gradient of the call, whether or not it arrives at an x."""
    totals = [gradient.total for gradient in subject.backward.gradients.values()]
    return [*subject.backward.results, *totals]


def _tensor(gradient: AnyGradient | None) -> Tensor | None:
    return gradient.values if isinstance(gradient, IndexedSlices) else gradient


def _dead(subject: Subject, drawn: set[Operation]) -> list[Operation]:
    """Return ops of the call that nothing uses; they are part of the true graph."""
    return [op for op in subject.backward.operations if op not in drawn]


def _twins(forward: list[Operation], behind: list[Operation]) -> dict[Operation, Operation]:
    """Put the last op that a rule created under the op that it belongs to."""
    known, twins, taken = set(forward), {}, set()
    for op in reversed(behind):
        mate = op.forward_op
        if mate is not None and mate in known and mate not in taken and op.role == "chain":
            taken.add(mate)
            twins[op] = mate
    return twins


def _seed_twins(
    subject: Subject, forward: set[Operation], behind: set[Operation]
) -> dict[Operation, Operation]:
    """Put every seed under its y."""
    pairs = zip(subject.backward.seeds, subject.backward.ys, strict=True)
    found = {seed.op: y.op for seed, y in pairs if isinstance(seed, Tensor)}
    return {op: y for op, y in found.items() if op in behind and y in forward}


def _path_edges(subject: Subject) -> dict[tuple[Operation, int], Step | None]:
    """Return the backward edges of the selected path as (consumer, input slot).

    The edge at which a step begins is mapped to the step, whose factor is written there.
    """
    route = subject.selected
    found: dict[tuple[Operation, int], Step | None] = {}
    hops = set(route.hops) if route else set()
    for step in subject.backward.steps:
        if (step.op, step.input) not in hops:
            continue
        start, end = _tensor(step.upstream), _tensor(step.contribution)
        if start is None or end is None:
            continue
        _trace(found, start, end, step)
        total = subject.backward.gradients.get(step.receiver)
        if total is not None and total.total is not step.contribution:
            terms = [term.step for term in total.terms]
            _trace_sum(found, end, _tensor(total.total), terms.index(step))
    return found


def _trace(
    found: dict[tuple[Operation, int], Step | None], start: Tensor, end: Tensor, step: Step
) -> None:
    """Mark the edges by which a rule turned the upstream gradient into the contribution."""
    reached = {start}
    for op in _made_after(start.op, end):
        for slot, part in enumerate(op.inputs):
            if part in reached:
                found[op, slot] = step if part is start else None
                reached.update(op.outputs)


def _made_after(first: Operation, end: Tensor) -> list[Operation]:
    """Return the ops that ``end`` is computed by and that are newer than ``first``, in order."""
    seen: set[Operation] = set()
    waiting = [end.op]
    while waiting:
        op = waiting.pop()
        if op.id > first.id and op not in seen:
            seen.add(op)
            waiting.extend(part.op for part in op.inputs)
    return sorted(seen, key=lambda op: op.id)


def _trace_sum(
    found: dict[tuple[Operation, int], Step | None], term: Tensor, total: Tensor | None, place: int
) -> None:
    """Mark the edges from one contribution to the sum, through all partial sums."""
    if total is None:
        return
    if len(total.op.inputs) > place and total.op.inputs[place] is term:
        found[total.op, place] = None
        return
    reached = {term}
    for op in _made_after(term.op, total):
        if op.role != "accumulate":
            continue
        for slot, part in enumerate(op.inputs):
            if part in reached:
                found[op, slot] = None
                reached.update(op.outputs)
                break


def _path_ops(subject: Subject) -> set[Operation]:
    """Return forward and backward ops on the selected path."""
    route = subject.selected
    found = {end for op, slot in _path_edges(subject) for end in (op, op.inputs[slot].op)}
    for op, slot in route.hops if route else ():
        found.update((op, op.inputs[slot].op))
    return found


def _forward_node(subject: Subject, op: Operation, path: set[Operation]) -> Node:
    kind = NodeKind.OP
    if op.outputs:
        kind = parts.forward_kind(subject, op.outputs[0])
    return _node(subject, op, kind, _FORWARD, op in path, "")


def _backward_node(
    subject: Subject,
    op: Operation,
    path: set[Operation],
    twins: dict[Operation, Operation],
    arrives: bool,
) -> Node:
    if op.role == "seed":
        kind = NodeKind.SEED if op.inputs else NodeKind.HELPER
    elif op.role == "accumulate":
        kind = NodeKind.ACCUMULATE
    elif op.role in _HELPERS or not op.inputs:
        kind = NodeKind.HELPER
    else:
        kind = NodeKind.ADJOINT if arrives else NodeKind.DEAD
    twin = _id(twins[op]) if op in twins else ""
    return _node(subject, op, kind, _BACKWARD, op in path, twin)


def _node(
    subject: Subject, op: Operation, kind: NodeKind, row: str, selected: bool, twin: str
) -> Node:
    values = [subject.text(output) for output in op.outputs]
    value = ", ".join(values)
    second: Line = () if op.type == op.name else (Run(op.type, Tone.MUTED),)
    if kind is NodeKind.ACCUMULATE:
        addends = [subject.text(part) for part in op.inputs]
        result: Line = (Run("Σ "), *parts.sum_line(addends, value, Tone.PLAIN))
    else:
        result = (Run(labels.shorten(value, _LONGEST), number=True),) if value else ()
    name = labels.shorten(labels.printable(_own_scope(op.name)), _LONGEST)
    given = [subject.name(out) for out in op.outputs if subject.is_given(out)]
    title: Line = (Run(name, bold=True),)
    if given and given[0] != name:
        title = (Run(f"{given[0]}: ", bold=True), Run(name))
    return Node(
        id=_id(op),
        kind=kind,
        title=op.name,
        lines=tuple(line for line in (title, second, result) if line),
        value=value,
        detail=f"{op.name} ({op.type}) = {value}",
        row=row,
        twin=twin,
        emphasis=any(parts.is_emphasised(subject, output) for output in op.outputs),
        selected=selected,
        line=op.line,
        op=op.name,
        tensor=op.outputs[0].name if op.outputs else "",
    )


def _inputs(
    subject: Subject,
    op: Operation,
    shown: set[Operation],
    added: set[Operation],
    path: dict[tuple[Operation, int], Step | None],
) -> list[Edge]:
    """Draw the edges into an op."""
    edges = []
    for slot, part in enumerate(op.inputs):
        if part.op not in shown:
            continue
        if op not in added:
            kind, cut = EdgeKind.DATA, subject.reduced.cuts.get((op, slot))
        else:
            kind, cut = EdgeKind.ADJOINT if part.op in added else EdgeKind.SAVED, None
        is_selected = (op, slot) in path
        step = path.get((op, slot))
        edges.append(
            Edge(
                id=identifier("e", op.name, slot),
                source=_id(part.op),
                target=_id(op),
                kind=kind,
                lines=_factor(subject, step) if step else (),
                selected=is_selected,
                cut=words.reason(cut) if cut and cut.reason is not Reason.NO_UPSTREAM else "",
                detail=f"{part.name} to input {slot} of {op.name}",
                is_loose=kind is EdgeKind.SAVED and not _points_right(part.op, op),
            )
        )
    return edges


def _faded(edge: Edge, dead: set[str]) -> Edge:
    """Show an edge to a gradient that never arrives as such."""
    is_dead = edge.kind is EdgeKind.ADJOINT and edge.target in dead
    return replace(edge, kind=EdgeKind.DEAD) if is_dead else edge


def _points_right(source: Operation, target: Operation) -> bool:
    """Tell whether a saved value runs with the columns: made before the op it is saved for."""
    return target.forward_op is not None and source.id < target.forward_op.id


def _factor(subject: Subject, step: Step) -> tuple[Line, ...]:
    """Write the local derivative of a step."""
    if step.local is None:
        return ()
    text, number = formulas.local(subject, step).text, subject.text(step.local)
    written = number if text == number else f"{text} = {number}"
    return ((Run(f"× {written}", Tone.FACTOR, bold=True),),)


def _controls(ops: tuple[Operation, ...], shown: set[Operation]) -> list[Edge]:
    return [
        Edge(
            id=identifier("c", op.name, place),
            source=_id(first),
            target=_id(op),
            kind=EdgeKind.CONTROL,
            detail=f"{first.name} must run before {op.name}",
        )
        for op in ops
        for place, first in enumerate(op.control_inputs)
        if first in shown
    ]


def _cut_edges(subject: Subject, shown: set[Operation]) -> list[Edge]:
    """Draw each cut between the gradient that stops there and the one it would have fed."""
    edges = []
    for use in subject.reduced.uses:
        ends = _cut_ends(subject, use, shown)
        if ends is None:
            continue
        edges.append(
            Edge(
                id=identifier("x", use.source.name, use.op.name, use.input, use.target.name),
                source=_id(ends[0]),
                target=_id(ends[1]),
                kind=EdgeKind.CUT,
                lines=parts.cut_lines(subject, use),
                cut=parts.cut_reason(subject, use),
                detail=f"no gradient from {use.op.name} to {use.source.name}",
            )
        )
    return edges


def _cut_words(subject: Subject, shown: set[Operation]) -> dict[str, tuple[Line, ...]]:
    """Return, by edge, what is said on a cut forward edge that has no counterpart backwards."""
    return {
        identifier("e", op.name, slot): parts.cut_lines(subject, use)
        for use in subject.reduced.uses
        if parts.cut_reason(subject, use) and _cut_ends(subject, use, shown) is None
        for op, slot in use.hops
        if (op, slot) in subject.reduced.cuts
    }


def _cut_ends(
    subject: Subject, use: Use, shown: set[Operation]
) -> tuple[Operation, Operation] | None:
    """Return the gradients at both ends of a cut, if both are drawn and are not one."""
    if not parts.cut_reason(subject, use):
        return None
    upstream = _as_tensor(subject.reduced.total(use.target))
    receiver = _as_tensor(subject.reduced.total(use.source))
    if upstream is None or receiver is None or upstream.op is receiver.op:
        return None
    return (upstream.op, receiver.op) if {upstream.op, receiver.op} <= shown else None


def _as_tensor(total: object) -> Tensor | None:
    if isinstance(total, IndexedSlices):
        return total.values
    return total if isinstance(total, Tensor) else None


def _own_scope(name: str) -> str:
    """Drop the scopes that every op of a picture shares with its cluster's label."""
    return name.partition("/")[2] if name.startswith("gradients") and "/" in name else name


def _id(op: Operation) -> str:
    return identifier("o", op.name)
