"""What the three views have in common: node kinds, cut labels, caption, legend, alt text."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from engine.backward import AnyGradient, Reason
from engine.tensor import Tensor
from explorer import labels
from explorer.scene import (
    Edge,
    EdgeKind,
    LegendEntry,
    Line,
    Node,
    NodeKind,
    Run,
    Tone,
    plain,
)
from explorer.views import formulas, words
from explorer.views.ledger import Route
from explorer.views.notation import Expression
from explorer.views.reduced import Use
from explorer.views.subject import Subject

_KINDS = {
    "VarHandleOp": NodeKind.VARIABLE,
    "Placeholder": NodeKind.PLACEHOLDER,
    "PlaceholderWithDefault": NodeKind.PLACEHOLDER,
    "Const": NodeKind.CONSTANT,
    "StopGradient": NodeKind.STOP,
    "PreventGradient": NodeKind.STOP,
}
_WIDEST_SUM = 34
_MOST_STATIONS = 8
_MOST_ADDENDS = 6


def forward_kind(subject: Subject, tensor: Tensor) -> NodeKind:
    """Return the kind of the node that shows a forward tensor."""
    if tensor.op.type in _KINDS:
        kind = _KINDS[tensor.op.type]
        is_x = any(tensor is x for x in subject.reduced.xs)
        return NodeKind.INPUT if kind is NodeKind.CONSTANT and is_x else kind
    if any(tensor is y for y in subject.reduced.ys):
        return NodeKind.OUTPUT
    return NodeKind.OP if tensor.op.inputs else NodeKind.INPUT


def is_emphasised(subject: Subject, tensor: Tensor) -> bool:
    """Tell whether a tensor is one of the question's x or y."""
    return any(tensor is end for end in (*subject.reduced.xs, *subject.reduced.ys))


def name_line(subject: Subject, tensor: Tensor, formula: Expression | None) -> Line:
    """Write ``name = formula`` with the name in bold."""
    name = Run(subject.name(tensor), bold=True)
    return (name,) if formula is None else (name, Run(" = "), *formula.runs)


def sum_line(addends: Sequence[str], total: str, tone: Tone) -> Line:
    """Write ``6 + 6 = 12`` with the sum in bold; the addends only where they fit."""
    result = Run(total, tone, bold=True, number=True)
    if len(addends) < 2:
        return (Run(total, tone, number=True),)
    written = sum_text(addends)
    if labels.columns(written) + labels.columns(total) > _WIDEST_SUM or "(" in written:
        return (Run(f"Σ {len(addends)} addends = ", tone), result)
    return (Run(written, tone, number=True), Run(" = ", tone), result)


def sum_text(addends: Sequence[str]) -> str:
    """Write addends with plus signs, negative ones with minus.

    >>> sum_text(["6", "-2", "1"])
    '6 - 2 + 1'
    """
    shown = list(addends)
    if len(shown) > _MOST_ADDENDS:
        shown = [*shown[:3], "…", shown[-1]]
    text = shown[0]
    for addend in shown[1:]:
        is_negative = addend.startswith("-")
        text += f" - {addend[1:]}" if is_negative else f" + {addend}"
    return text


def cut_lines(subject: Subject, use: Use, is_short: bool = False) -> tuple[Line, ...]:
    """Write why an edge is cut and what it holds back, ``holds back 5 here, 10 at x``."""
    cut = subject.reduced.cut(use)
    if cut is None or cut.reason is Reason.NO_UPSTREAM:
        return ()
    first = (Run(f"✂ {words.reason(cut)}", Tone.CUT, bold=True),)
    amounts = _amounts(subject, use, is_short)
    return (first, (Run(f"{words.AGAIN} {amounts}", Tone.CUT),)) if amounts else (first,)


def cut_reason(subject: Subject, use: Use) -> str:
    """Return why an edge is cut in words, nothing if it is not.

    An edge that no gradient comes near to is not cut there: it lies behind a cut.
    """
    cut = subject.reduced.cut(use)
    if cut is None or cut.reason is Reason.NO_UPSTREAM:
        return ""
    return words.reason(cut)


def is_behind_cut(subject: Subject, use: Use) -> bool:
    """Tell whether an edge is on the way but no gradient comes near to it."""
    cut = subject.reduced.cut(use)
    return cut is not None and cut.reason is Reason.NO_UPSTREAM


def _amounts(subject: Subject, use: Use, is_short: bool) -> str:
    held = subject.holdback(use)
    if held is None:
        return ""
    parts = [] if is_short or held.here is None else [f"{subject.text(held.here)} here"]
    for index, amount in held.at_x:
        parts.append(f"{subject.text(amount)} at {subject.name(subject.backward.xs[index])}")
    return ", ".join(parts)


def question_text(subject: Subject, index: int) -> str:
    """Write the derivative asked for, ``dy/dx``; ∂ when some tensors are held fixed."""
    sign = "∂" if subject.backward.stop_gradients else "d"
    ys = [subject.name(y) for y in subject.backward.ys]
    above = ys[0] if len(ys) == 1 else f"({' + '.join(ys)})"
    return f"{sign}{above}/{sign}{subject.name(subject.backward.xs[index])}"


def answer_line(subject: Subject) -> Line:
    """Write every derivative of the question with its number, a sum of paths where listed."""
    runs: list[Run] = []
    for index, result in enumerate(subject.backward.results):
        runs += [Run("   ")] if index else []
        runs.append(Run(f"{question_text(subject, index)} = ", bold=True))
        shares = _shares(subject, index)
        runs += [Run(f"{shares} = ")] if shares else []
        runs.append(Run(subject.text(result), Tone.GRADIENT, bold=True))
    return tuple(runs)


def path_line(subject: Subject) -> Line:
    """Write the selected path with its factors and its product, and what cuts hold back."""
    runs: list[Run] = []
    if subject.selected is not None:
        runs.append(Run(path_text(subject, subject.selected), Tone.MUTED))
    held = [_amounts(subject, use, True) for use in subject.reduced.uses if subject.holdback(use)]
    if any(held):
        runs += [Run("    ")] if runs else []
        runs.append(Run(f"✂ {words.AGAIN} {', '.join(filter(None, held))}", Tone.CUT))
    return tuple(runs)


def path_text(subject: Subject, route: Route) -> str:
    """Write a path from y to x and its product, ``y → h → x: 1 · 6 · 2 = 12``.

    Of a path that a stop cuts only what it would give: beyond the cut nothing was computed.
    """
    hops = set(route.hops)
    uses = [use for use in subject.reduced.uses if hops >= set(use.computing)]
    by_source = {use.source: use for use in uses}
    tensor = subject.reduced.xs[route.x]
    stations, factors = [subject.name(tensor)], []
    while tensor in by_source:
        use = by_source.pop(tensor)
        factors.append(formulas.factor_value(subject, use))
        tensor = use.target
        stations.append(subject.name(tensor))
    stations.reverse()
    factors.reverse()
    if len(stations) > _MOST_STATIONS:
        stations = [*stations[:3], "…", *stations[-2:]]
        factors = [*factors[:3], "…", *factors[-2:]]
    text = " → ".join(stations)
    if route.blocked:
        return f"{text}:  ✂ {words.WOULD_GIVE} {subject.text(route.amount)}"
    if not factors or not all(factors):
        return text
    product = " · ".join(factors)
    total = f" = {subject.text(route.amount)}" if len(factors) > 1 else ""
    return f"{text}:  {product}{total}"


def caption(subject: Subject) -> tuple[Line, ...]:
    """Write the lines above the picture."""
    return tuple(line for line in (answer_line(subject), path_line(subject)) if line)


def legend(nodes: Sequence[Node], edges: Sequence[Edge]) -> tuple[LegendEntry, ...]:
    """List what occurs in the picture, in a fixed order."""
    node_kinds = {node.kind for node in nodes}
    edge_kinds = {edge.kind for edge in edges}
    if NodeKind.GATE in node_kinds:
        node_kinds.discard(NodeKind.OP)
    entries = [LegendEntry(f"node:{kind}", words.NODES[kind]) for kind in words.NODES
               if kind in node_kinds]  # fmt: skip
    entries += [LegendEntry(f"edge:{kind}", words.EDGES[kind]) for kind in words.EDGES
                if kind in edge_kinds and kind is not EdgeKind.DATA]  # fmt: skip
    if any(edge.cut for edge in edges) and EdgeKind.CUT not in edge_kinds:
        entries.append(LegendEntry("edge:cut", words.EDGES[EdgeKind.CUT]))
    if any(edge.selected for edge in edges):
        entries.append(LegendEntry("edge:selected", words.SELECTED))
    return tuple(entries)


def alt_text(subject: Subject, view: str, nodes: Sequence[Node]) -> str:
    """Describe the picture for a person who cannot see it."""
    answer = plain((answer_line(subject),))
    said = [f"{words.view_title(view)}: {answer}"]
    held = plain((path_line(subject),))
    said += [held] if held else []
    stations = [f"{plain(node.lines)}" for node in nodes[:40]]
    return ". ".join([*said, "; ".join(stations)])


def _shares(subject: Subject, index: int) -> str:
    """Write the products of all paths to an x, if all are listed and there are several."""
    routes = [route for route in subject.ledger.routes if route.x == index and not route.blocked]
    counts = subject.ledger.counts
    is_complete = index < len(counts) and counts[index] == len(routes)
    if len(routes) < 2 or not is_complete or len(routes) > _MOST_ADDENDS:
        return ""
    amounts = [subject.value(route.amount) for route in routes]
    if any(amount is None or np.size(amount) != 1 for amount in amounts):
        return ""
    return sum_text([labels.value(amount) for amount in amounts])


def seed(subject: Subject, tensor: Tensor) -> AnyGradient | None:
    """Return what a y starts with, None for any other tensor."""
    pairs = zip(subject.reduced.ys, subject.backward.seeds, strict=True)
    return next((start for y, start in pairs if y is tensor), None)


def total_text(subject: Subject, tensor: Tensor) -> str:
    """Write the gradient of a tensor as a number, or that there is none."""
    total = subject.reduced.total(tensor)
    if total is None:
        total = seed(subject, tensor)
    if total is None:
        results = zip(subject.reduced.xs, subject.backward.results, strict=True)
        total = next((result for x, result in results if x is tensor), None)
    return words.NO_GRADIENT if total is None else subject.text(total)
