"""What an explanation says in words and rows: the headline, the paths, the cuts and the sums.

Plain text for any surface; the pictures have words of their own (`views.words`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from engine.backward import Cut, Gradient, Reason
from engine.explain import (
    Detour,
    DetourKind,
    FactorKind,
    Path,
    State,
    Verdict,
    ZeroCause,
    ZeroKind,
)
from engine.replay import gradient_value, value_of
from engine.tensor import Tensor
from explorer.explanation import Explanation
from explorer.labels import value as shown
from explorer.views.words import reason as short_reason

REASONS = {
    Reason.STOP_OP: "stop_gradient: the value passes, the gradient does not",
    Reason.STOP_ARGUMENT: "held constant by stop_gradients=[…]",
    Reason.INTEGER: "not a floating tensor: integers and truth values are constants",
    Reason.NOT_DIFFERENTIABLE: "the op is registered as not differentiable",
    Reason.RETURNED_NONE: "its gradient function returns None for this input",
    Reason.REPLACED: "a custom gradient takes the place of what was computed here",
    Reason.NOT_RECORDED: "the tape did not record this operation",
    Reason.NOT_WATCHED: "the tape does not watch this tensor: call tape.watch(…) or use a variable",
    Reason.NO_UPSTREAM: "no gradient arrives here",
}

_CAUSES = 3

STATES = {
    State.NOT_COMPUTED: "not computed: a placeholder has no value",
    State.NONE: "None: no gradient",
    State.ZERO: "exactly zero",
    State.NON_FINITE: "not finite",
    State.ORDINARY: "",
}


@dataclass(frozen=True)
class PathRow:
    """One line of the ledger of paths; `stopped` says why it does not count, else ""."""

    path: str
    factors: str
    product: str
    share: str
    stopped: str


@dataclass(frozen=True)
class CutRow:
    """One edge that no gradient crossed."""

    edge: str
    reason: str
    here: str
    at_xs: str
    line: int | None


@dataclass(frozen=True)
class SumRow:
    """One tensor whose gradient is a sum."""

    tensor: str
    addends: str
    total: str


def headline(explanation: Explanation, x: int) -> str:
    """Return `∂y/∂x = 12 + 12 + 1 = 25`, or why there is no such number."""
    backward = explanation.question.backward
    asked = derivative(explanation, backward.xs[x])
    verdict = explanation.verdicts[x]
    if verdict.state in (State.NONE, State.NOT_COMPUTED):
        return f"{asked} = {STATES[verdict.state]}"
    listed = explanation.paths[x]
    total = shown(verdict.value)
    complete = listed.count == len(listed.paths) and 1 < listed.count <= 6
    if not complete or any(path.product is None for path in listed.paths):
        return f"{asked} = {total}"
    addends = " + ".join(_signed(shown(path.product)) for path in listed.paths)
    return f"{asked} = {addends} = {total}"


def derivative(explanation: Explanation, x: Tensor) -> str:
    """Return `∂y/∂x` with the author's names."""
    question = explanation.question
    ys = " + ".join(question.name(y) for y in question.backward.ys)
    above = f"({ys})" if len(question.backward.ys) > 1 else ys
    return f"∂{above}/∂{question.name(x)}"


def _signed(text: str) -> str:
    return f"({text})" if text.startswith("-") else text


def held_back_phrase(explanation: Explanation, x: int) -> str:
    """Say what the stops keep from an x, or return "" when they keep nothing."""
    name = explanation.question.name(explanation.question.backward.xs[x])
    amounts = [
        (held, held.amounts[x])
        for held in explanation.held_back
        if x < len(held.amounts) and held.amounts[x] is not None
    ]
    parts = [f"{shown(amount)} at {_edge(explanation, held.cut)}" for held, amount in amounts]
    return f"held back from {name}: {', '.join(parts)}" if parts else ""


def path_rows(explanation: Explanation, x: int) -> tuple[PathRow, ...]:
    """Return the ledger of the paths to an x, those that a stop keeps from counting last."""
    return tuple(_path_row(explanation, path) for path in explanation.all_paths(x))


def _path_row(explanation: Explanation, path: Path) -> PathRow:
    stopped = (
        "" if path.cut is None else f"{_edge(explanation, path.cut)}: {REASONS[path.cut.reason]}"
    )
    factors = [shown(path.seed), *(_factor(edge) for edge in path.edges)]
    if len(factors) > 1:
        factors = [factor for factor in factors if factor != "1"] or ["1"]
    share = "" if path.share is None or path.cut is not None else f"{path.share:.0%}"
    return PathRow(
        path=" → ".join(path_names(explanation, path)),
        factors=" × ".join(_signed(factor) for factor in factors),
        product=shown(path.product),
        share=share,
        stopped=stopped,
    )


def path_names(explanation: Explanation, path: Path) -> tuple[str, ...]:
    """Return what lies on a path, from y to x, under the names that the pictures use."""
    subject = explanation.subject
    tensors = (path.y, *(edge.receiver for edge in path.edges))
    names = [subject.name(tensor) for tensor in tensors if subject.is_named(tensor)]
    return tuple(name for index, name in enumerate(names) if index == 0 or names[index - 1] != name)


def _factor(edge: Any) -> str:
    if edge.factor.kind is FactorKind.RULE:
        return f"[{edge.op.type} rule]"
    return "?" if edge.factor.kind is FactorKind.UNKNOWN else shown(edge.factor.value)


def rest_phrase(explanation: Explanation, x: int) -> str:
    """Say what the paths that are not listed hold, or return "" when all are listed."""
    listed = explanation.paths[x]
    hidden = listed.count - len(listed.paths)
    if not hidden:
        return ""
    return f"{hidden:,} more paths hold {shown(listed.rest)} together"


def cut_rows(explanation: Explanation) -> tuple[CutRow, ...]:
    """Return the edges where the gradient stops, nearest to the ys first."""
    question = explanation.question
    rows = []
    for held in explanation.held_back:
        at_xs = ", ".join(
            f"{shown(amount)} at {question.name(x)}"
            for x, amount in zip(question.backward.xs, held.amounts, strict=True)
            if amount is not None
        )
        rows.append(
            CutRow(
                edge=_edge(explanation, held.cut),
                reason=REASONS[held.cut.reason],
                here="" if held.at_edge is None else shown(held.at_edge),
                at_xs=at_xs,
                line=held.cut.op.line,
            )
        )
    return tuple(rows)


def _edge(explanation: Explanation, cut: Cut) -> str:
    """Name a cut edge by its ends: `h → stop(h)`."""
    subject = explanation.subject
    target = next(iter(cut.op.outputs), None)
    end = subject.name(target) if target is not None else cut.op.name
    return f"{subject.name(cut.tensor)} → {end}"


def sum_rows(explanation: Explanation) -> tuple[SumRow, ...]:
    """Return every gradient that is a sum of several contributions, nearest to the ys first."""
    backward = explanation.question.backward
    return tuple(
        SumRow(
            tensor=explanation.subject.name(tensor),
            addends=" + ".join(_signed(text) for text in _addends(explanation, tensor, gradient)),
            total=shown(gradient_value(backward, tensor, explanation.values)),
        )
        for tensor, gradient in backward.gradients.items()
        if len(gradient.terms) > 1
    )


def _addends(explanation: Explanation, tensor: Tensor, gradient: Gradient) -> Sequence[str]:
    return [shown(value_of(term.value, explanation.values, tensor.dims)) for term in gradient.terms]


def verdict_phrase(explanation: Explanation, verdict: Verdict) -> str:
    """Say in a few words why a gradient is None, zero or not finite; "" when it is ordinary."""
    if verdict.state is State.NONE:
        if not verdict.connected:
            ways = [_detour(explanation, detour) for detour in verdict.detours]
            return "; ".join(("no path leads from it to y", *dict.fromkeys(ways)))
        edges = dict.fromkeys(_cut(explanation, cut) for cut in verdict.cuts)
        return f"every path is cut: {', '.join(edges)}" if edges else "every path is cut"
    if verdict.state is State.NON_FINITE:
        return _birth(verdict)
    if verdict.state is State.ZERO:
        causes = list(dict.fromkeys(_zero(explanation, zero) for zero in verdict.zeros))
        return ": ".join(part for part in (STATES[State.ZERO], "; ".join(causes[:_CAUSES])) if part)
    return STATES[verdict.state]


def _cut(explanation: Explanation, cut: Cut) -> str:
    """Name a cut edge with its reason and line: `x → y (integer, line 3)`."""
    line = "" if cut.op.line is None else f", line {cut.op.line}"
    return f"{_edge(explanation, cut)} ({short_reason(cut)}{line})"


def _birth(verdict: Verdict) -> str:
    """Say which operation made the first value that is not finite, and which the first NaN."""
    origin, nan = verdict.origin, verdict.nan
    infinite = origin is not None and (nan is None or origin.op is not nan.op)
    first = f"{origin.op.name} makes the first infinite value" if origin and infinite else ""
    if nan is None:
        return first or STATES[State.NON_FINITE]
    place = f" at {list(nan.position)}" if nan.position else ""
    operands = f" of {' and '.join(shown(entry) for entry in nan.at)}" if nan.at else ""
    born = f"{nan.op.name} makes the first NaN{place}{operands}"
    return "; ".join(part for part in (first, born) if part)


def _zero(explanation: Explanation, zero: ZeroCause) -> str:
    name = explanation.subject.name(zero.tensor)
    if zero.kind is ZeroKind.SEED:
        return f"the initial gradient of {name} is zero"
    if zero.kind is ZeroKind.EMPTY:
        return f"{name} has no elements"
    if zero.kind is ZeroKind.CANCELLATION:
        return f"contributions to {name} cancel"
    assert zero.step is not None
    if zero.kind is ZeroKind.UNDERFLOW:
        return f"a product at {zero.step.op.name} is too small for its type"
    return f"the local derivative of {zero.step.op.name} by {name} is zero"


def _detour(explanation: Explanation, detour: Detour) -> str:
    name = explanation.question.name
    if detour.kind is DetourKind.STATE:
        variable = name(detour.op.inputs[0])
        return f"its value was written into {variable}, and assigning carries no gradient"
    value, constant = name(detour.tensor), name(detour.op.outputs[0])
    where = "" if detour.op.line is None else f" in line {detour.op.line}"
    return f"the value of {value} went to NumPy, and {constant} is a constant made of one{where}"
