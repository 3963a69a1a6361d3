"""The words that stand inside pictures, in one place so that they can be translated."""

from __future__ import annotations

from collections.abc import Mapping

from engine.backward import Cut, Reason
from explorer.scene import EdgeKind, NodeKind

REASONS: Mapping[Reason, str] = {
    Reason.STOP_OP: "stop_gradient",
    Reason.STOP_ARGUMENT: "stop_gradients=[…]",
    Reason.INTEGER: "integer",
    Reason.NOT_DIFFERENTIABLE: "not differentiable",
    Reason.RETURNED_NONE: "rule gives None",
    Reason.REPLACED: "custom gradient instead",
    Reason.NOT_RECORDED: "not recorded",
    Reason.NOT_WATCHED: "not watched",
    Reason.NO_UPSTREAM: "nothing arrives",
}

NODES: Mapping[NodeKind, str] = {
    NodeKind.INPUT: "input",
    NodeKind.VARIABLE: "variable",
    NodeKind.PLACEHOLDER: "placeholder",
    NodeKind.CONSTANT: "constant",
    NodeKind.OP: "operation",
    NodeKind.OUTPUT: "result y",
    NodeKind.STOP: "stop: value passes, gradient does not",
    NodeKind.GATE: "operation",
    NodeKind.WIRE: "value above, gradient below",
    NodeKind.ADJOINT: "gradient of a tensor",
    NodeKind.ACCUMULATE: "Σ sum of contributions",
    NodeKind.SEED: "seed",
    NodeKind.DEAD: "gradient that never arrives",
    NodeKind.NONE: "no gradient (None)",
    NodeKind.HELPER: "helper value",
    NodeKind.FOLD: "folded part",
}

EDGES: Mapping[EdgeKind, str] = {
    EdgeKind.DATA: "value",
    EdgeKind.ADJOINT: "gradient × local derivative",
    EdgeKind.CUT: "✂ cut: what it holds back",
    EdgeKind.SAVED: "forward value used again",
    EdgeKind.CONTROL: "must run first",
    EdgeKind.DEAD: "gradient that is cut off",
}

SELECTED = "selected path"
FORWARD = "forward"
BACKWARD = "backward"
BOOLEAN = "boolean"
AGAIN = "holds back"
WOULD_GIVE = "would give"
NO_GRADIENT = "None"
SEED = "seed"


def reason(cut: Cut) -> str:
    """Say why an edge is cut; a tensor of truth values is not called an integer."""
    is_boolean = cut.reason is Reason.INTEGER and cut.tensor.dtype.is_bool
    return BOOLEAN if is_boolean else REASONS[cut.reason]


def view_title(view: str) -> str:
    """Return the title of a view.

    >>> view_title("mirror")
    'Mirror view'
    """
    return f"{view.capitalize()} view"


def paths_phrase(count: int) -> str:
    """Say how many paths there are.

    >>> paths_phrase(1), paths_phrase(3)
    ('one path', '3 paths')
    """
    return "one path" if count == 1 else f"{count} paths"


def folded(count: int) -> str:
    """Say how many things a fold holds.

    >>> folded(12)
    '12 folded'
    """
    return f"{count} folded"
