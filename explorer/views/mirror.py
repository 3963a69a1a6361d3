"""Mirror: the forward graph on top, each tensor's gradient directly under the tensor.

Numbers flow left to right above and right to left below, where every edge carries a local
derivative and every node with more than one incoming edge is a sum.
"""

from __future__ import annotations

from engine.tensor import Tensor
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
from explorer.views.reduced import Use
from explorer.views.subject import Subject

_FORWARD, _BACKWARD = "forward", "backward"


def build(subject: Subject) -> Scene:
    """Build the mirror scene of a backward pass."""
    reduced = subject.reduced
    live = reduced.live()
    mirrored = _mirrored(subject)
    path = subject.on_path()
    forward = [_forward_node(subject, tensor, path) for tensor in reduced.tensors]
    backward = [
        _adjoint_node(subject, tensor, live, path)
        for tensor in reduced.tensors
        if tensor in mirrored
    ]
    edges = [_forward_edge(subject, use) for use in reduced.uses]
    for use in reduced.uses:
        edge = _backward_edge(subject, use, live, mirrored)
        edges += [edge] if edge else []
    for y in dict.fromkeys(reduced.ys):
        source, target = _forward_id(y), _adjoint_id(y)
        seed = identifier("s", y.name)
        edges.append(Edge(seed, source, target, EdgeKind.SEED, detail=words.SEED))
    nodes = (*backward, *forward)
    return Scene(
        view="mirror",
        title=f"{words.view_title('mirror')}: {plain((parts.answer_line(subject),))}",
        nodes=nodes,
        edges=tuple(edges),
        clusters=(
            Cluster(_BACKWARD, words.BACKWARD, _BACKWARD),
            Cluster(_FORWARD, words.FORWARD, _FORWARD),
        ),
        caption=parts.caption(subject),
        legend=parts.legend(nodes, edges),
        alt=parts.alt_text(subject, "mirror", (*forward, *backward)),
    )


def _mirrored(subject: Subject) -> set[Tensor]:
    """Return the tensors that get a node below: a gradient, or none where one was asked for."""
    reduced = subject.reduced
    found = {tensor for tensor in reduced.tensors if reduced.contributions(tensor)}
    found.update(reduced.xs, reduced.ys)
    for use in reduced.uses:
        if reduced.cut(use) is not None:
            found.update((use.source, use.target))
    return found


def _forward_node(subject: Subject, tensor: Tensor, path: set[Tensor]) -> Node:
    formula = formulas.forward(subject, tensor)
    value = subject.text(tensor)
    return Node(
        id=_forward_id(tensor),
        kind=parts.forward_kind(subject, tensor),
        title=subject.name(tensor),
        lines=(parts.name_line(subject, tensor, formula), _value_line(subject, tensor, value)),
        formula=formula.text if formula else "",
        value=value,
        detail=f"{tensor.op.name} ({tensor.op.type}) = {value}",
        row=_FORWARD,
        emphasis=parts.is_emphasised(subject, tensor),
        selected=tensor in path,
        line=tensor.op.line,
        op=tensor.op.name,
        tensor=tensor.name,
    )


def _value_line(subject: Subject, tensor: Tensor, value: str) -> Line:
    """Write the value of a tensor, the one of a sum with its addends."""
    if tensor.op.type in ("Add", "AddV2", "AddN") and tensor.dims == ():
        addends = [subject.text(use.source) for use in subject.reduced.incoming[tensor]]
        return parts.sum_line(addends, value, Tone.PLAIN)
    return (Run(value, number=True),)


def _adjoint_node(subject: Subject, tensor: Tensor, live: set[Tensor], path: set[Tensor]) -> Node:
    addends = subject.reduced.contributions(tensor)
    formula = formulas.adjoint(subject, addends)
    name = formulas.adjoint_name(subject, tensor)
    value = parts.total_text(subject, tensor)
    title: Line = tuple(Run(run.text, bold=True, over=run.over) for run in name.runs)
    has_seed = not addends and parts.seed(subject, tensor) is not None
    if not addends and not has_seed:
        lines: tuple[Line, ...] = ((*title, Run(f" = {value}")),)
    elif formula is None:
        lines = ((*title, Run(" = "), Run(value, bold=True, number=True)),)
    else:
        numbers = [subject.text(addend.term.value) for addend in addends]
        lines = (
            (*title, Run(" = "), *formula.runs),
            parts.sum_line(numbers, value, Tone.PLAIN),
        )
    return Node(
        id=_adjoint_id(tensor),
        kind=_adjoint_kind(subject, tensor, live),
        title=plain((name.runs,)),
        lines=lines,
        formula=plain((formula.runs,)) if formula else "",
        value=value,
        detail=f"gradient of {subject.name(tensor)} = {value}",
        row=_BACKWARD,
        twin=_forward_id(tensor),
        emphasis=any(tensor is x for x in subject.reduced.xs),
        selected=tensor in path,
        line=tensor.op.line,
        op=tensor.op.name,
        tensor=tensor.name,
    )


def _adjoint_kind(subject: Subject, tensor: Tensor, live: set[Tensor]) -> NodeKind:
    addends = subject.reduced.contributions(tensor)
    if not addends:
        has_seed = parts.seed(subject, tensor) is not None
        return NodeKind.SEED if has_seed else NodeKind.NONE
    if len(addends) > 1:
        return NodeKind.ACCUMULATE
    if addends[0].use is None and addends[0].term.step is None:
        return NodeKind.SEED
    return NodeKind.ADJOINT if tensor in live else NodeKind.DEAD


def _forward_edge(subject: Subject, use: Use) -> Edge:
    cut = parts.cut_reason(subject, use)
    return Edge(
        id=_edge_id("d", use),
        source=_forward_id(use.source),
        target=_forward_id(use.target),
        kind=EdgeKind.DATA,
        cut=cut,
        detail=f"{subject.name(use.source)} is used by {subject.name(use.target)}",
    )


def _backward_edge(
    subject: Subject, use: Use, live: set[Tensor], mirrored: set[Tensor]
) -> Edge | None:
    if use.source not in mirrored or use.target not in mirrored:
        return None
    cut = parts.cut_reason(subject, use)
    is_behind = parts.is_behind_cut(subject, use)
    if not cut and not is_behind and not subject.reduced.crossed(use):
        return None
    is_selected = subject.is_selected(use)
    written, number = formulas.factor(subject, use), formulas.factor_value(subject, use)
    if cut:
        kind, lines = EdgeKind.CUT, parts.cut_lines(subject, use)
    elif is_behind:
        kind, lines = EdgeKind.DEAD, ()
    else:
        kind = EdgeKind.ADJOINT if use.source in live else EdgeKind.DEAD
        tone = Tone.FACTOR if kind is EdgeKind.ADJOINT else Tone.MUTED
        lines = (_factor_line(written.runs, number, tone, is_selected),)
    return Edge(
        id=_edge_id("b", use),
        source=_adjoint_id(use.target),
        target=_adjoint_id(use.source),
        kind=kind,
        lines=lines,
        selected=is_selected and not cut,
        cut=cut,
        detail=f"d{subject.name(use.target)}/d{subject.name(use.source)}",
        factor="" if cut else number,
    )


def _factor_line(runs: tuple[Run, ...], number: str, tone: Tone, is_bold: bool) -> Line:
    """Write ``× h = 6``, or the rule when there is no single factor."""
    toned = tuple(Run(run.text, tone, is_bold, run.over) for run in runs)
    if not number:
        return toned
    if "".join(run.text for run in runs) == number:
        return (Run(f"× {number}", tone, is_bold),)
    return (Run("× ", tone, is_bold), *toned, Run(f" = {number}", tone, is_bold))


def _forward_id(tensor: Tensor) -> str:
    return identifier("f", tensor.name)


def _adjoint_id(tensor: Tensor) -> str:
    return identifier("b", tensor.name)


def _edge_id(prefix: str, use: Use) -> str:
    return identifier(prefix, use.source.name, use.op.name, use.input, use.target.name)
