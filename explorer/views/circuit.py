"""Circuit: ops as gates, tensors as wires with the value above and the gradient below.

Where a tensor is used more than once its wire is a junction: forward the value fans out,
backward the contributions of the branches are summed.
"""

from __future__ import annotations

from engine.tensor import Operation, Tensor
from explorer import labels
from explorer.scene import (
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
from explorer.views.notation import glyph, times_glyph
from explorer.views.reduced import Use
from explorer.views.subject import Subject

_WIDEST_GLYPH = 3
_WIDEST_LABEL = 22


def build(subject: Subject) -> Scene:
    """Build the circuit scene of a backward pass."""
    reduced = subject.reduced
    live = reduced.live()
    path = subject.on_path()
    nodes: list[Node] = []
    edges: list[Edge] = []
    drawn: set[Operation] = set()
    for tensor in reduced.tensors:
        if tensor.op not in drawn:
            drawn.add(tensor.op)
            nodes.append(_gate(subject, tensor, path))
        nodes.append(_wire(subject, tensor, live, path))
        edges.append(_stem(tensor, path))
    for use in reduced.uses:
        if use.target.index == _first_output(subject, use):
            edges.append(_branch(subject, use, live))
    for y in dict.fromkeys(reduced.ys):
        nodes.append(_end(subject, y, path))
        edges.append(_ending(y, path))
    return Scene(
        view="circuit",
        title=f"{words.view_title('circuit')}: {plain((parts.answer_line(subject),))}",
        nodes=tuple(nodes),
        edges=tuple(edges),
        caption=parts.caption(subject),
        legend=parts.legend(nodes, edges),
        alt=parts.alt_text(subject, "circuit", nodes),
    )


def _gate(subject: Subject, tensor: Tensor, path: set[Tensor]) -> Node:
    """Draw an op as its sign, a leaf as its name."""
    op = tensor.op
    kind = parts.forward_kind(subject, tensor)
    if not op.inputs:
        text = subject.name(tensor)
    else:
        text = _sign(subject, op)
        if kind is not NodeKind.STOP:
            kind = NodeKind.GATE if labels.columns(text) <= _WIDEST_GLYPH else NodeKind.OP
    formula = formulas.forward(subject, tensor)
    return Node(
        id=_gate_id(op),
        kind=kind,
        title=op.name,
        lines=((Run(text, bold=not op.inputs),),),
        formula=formula.text if formula else "",
        detail=f"{op.name} ({op.type})",
        emphasis=not op.inputs and parts.is_emphasised(subject, tensor),
        selected=tensor in path,
        line=op.line,
        op=op.name,
    )


def _sign(subject: Subject, op: Operation) -> str:
    """Write the sign of an op, a folded constant included: ``×12``."""
    folded = [subject.number(part) for part in op.inputs if subject.reduced.is_folded(part)]
    if len(folded) == 1 and len(op.inputs) == 2:
        return times_glyph(op, folded[0], subject.reduced.is_folded(op.inputs[0]))
    return glyph(op)


def _wire(subject: Subject, tensor: Tensor, live: set[Tensor], path: set[Tensor]) -> Node:
    value = subject.text(tensor)
    named = tensor.op.inputs and subject.is_given(tensor)
    above: Line = (Run(value, Tone.VALUE, number=True),)
    if named:
        above = (Run(f"{subject.name(tensor)} = ", Tone.VALUE), *above)
    addends = subject.reduced.contributions(tensor)
    total = parts.total_text(subject, tensor)
    is_sum = len(addends) > 1
    if addends:
        tone = Tone.GRADIENT if tensor in live else Tone.MUTED
        numbers = [subject.text(addend.term.value) for addend in addends]
        below = parts.sum_line(numbers, total, tone)
        below = (Run("Σ ", tone), *below) if is_sum and below[0].text[0] != "Σ" else below
    else:
        is_x = any(tensor is x for x in subject.reduced.xs)
        below = (Run(total if is_x else " ", Tone.MUTED),)
    return Node(
        id=_wire_id(tensor),
        kind=NodeKind.ACCUMULATE if is_sum else NodeKind.WIRE,
        title=subject.name(tensor),
        lines=(above, below),
        value=value,
        detail=f"{subject.name(tensor)} = {value}, gradient {total}",
        selected=tensor in path,
        line=tensor.op.line,
        op=tensor.op.name,
        tensor=tensor.name,
    )


def _stem(tensor: Tensor, path: set[Tensor]) -> Edge:
    """Connect a gate with the wire of its output."""
    source, target = _gate_id(tensor.op), _wire_id(tensor)
    name = identifier("s", tensor.name)
    return Edge(name, source, target, EdgeKind.WIRE, selected=tensor in path)


def _branch(subject: Subject, use: Use, live: set[Tensor]) -> Edge:
    """Connect a wire with a gate; where wires branch, the edge names its contribution."""
    is_selected = subject.is_selected(use)
    cut = parts.cut_reason(subject, use)
    lines = parts.cut_lines(subject, use, True) if cut else _share(subject, use, live)
    factor = formulas.factor_value(subject, use) if not cut else ""
    if is_selected and factor and not cut:
        lines = (*lines, (Run(f"× {factor}", Tone.FACTOR, bold=True),))
    return Edge(
        id=identifier("e", use.source.name, use.op.name, use.input, use.target.name),
        source=_wire_id(use.source),
        target=_gate_id(use.target.op),
        kind=EdgeKind.DATA,
        lines=lines,
        selected=is_selected and not cut,
        cut=cut,
        detail=f"{subject.name(use.source)} enters {use.op.name}",
        factor=factor,
    )


def _share(subject: Subject, use: Use, live: set[Tensor]) -> tuple[Line, ...]:
    """Write what an edge adds to a sum, nothing where there is no sum."""
    addends = subject.reduced.contributions(use.source)
    if len(addends) < 2:
        return ()
    for addend in addends:
        if addend.use is use:
            text = subject.text(addend.term.value)
            if labels.columns(text) > _WIDEST_LABEL:
                return ()
            sign = "" if text.startswith("-") else "+"
            tone = Tone.GRADIENT if use.target in live else Tone.MUTED
            return ((Run(f"{sign}{text}", tone),),)
    return ()


def _end(subject: Subject, y: Tensor, path: set[Tensor]) -> Node:
    name = subject.name(y)
    return Node(
        id=identifier("y", y.name),
        kind=NodeKind.OUTPUT,
        title=name,
        lines=((Run(name, bold=True),),),
        value=subject.text(y),
        detail=f"{name} = {subject.text(y)}",
        emphasis=True,
        selected=y in path,
        op=y.op.name,
        tensor=y.name,
    )


def _ending(y: Tensor, path: set[Tensor]) -> Edge:
    source, target = _wire_id(y), identifier("y", y.name)
    return Edge(identifier("t", y.name), source, target, EdgeKind.DATA, selected=y in path)


def _first_output(subject: Subject, use: Use) -> int:
    """Return the first drawn output of a use's op, so that each input is drawn once."""
    return min(
        output.index for output in use.target.op.outputs if output in subject.reduced.outgoing
    )


def _gate_id(op: Operation) -> str:
    return identifier("g", op.name)


def _wire_id(tensor: Tensor) -> str:
    return identifier("w", tensor.name)
