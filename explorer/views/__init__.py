"""A backward pass as a picture: three views of one thing, chosen by name.

Reading order: ``reduced.py`` (the forward graph as a reader thinks of it), ``subject.py``
(numbers, names, paths), ``formulas.py`` and ``notation.py`` (what is written), then the views
``circuit.py``, ``mirror.py``, ``operations.py``, and ``folding.py`` for large graphs.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from engine.backward import Backward
from engine.errors import EngineError
from engine.replay import Values, evaluate_record
from engine.tensor import Tensor
from explorer.scene import Scene
from explorer.views import circuit, mirror, operations
from explorer.views.folding import MOST_NODES, fold
from explorer.views.ledger import Ledger, Route, read_ledger
from explorer.views.subject import Subject


class ViewError(EngineError, ValueError):
    """A view that is not there, or nothing to view."""


VIEWS: Mapping[str, Callable[[Subject], Scene]] = {
    "circuit": circuit.build,
    "mirror": mirror.build,
    "operations": operations.build,
}


def build_scene(
    question: Any,
    view: str = "mirror",
    *,
    names: Mapping[Tensor, str] | None = None,
    feeds: Mapping[Tensor, Any] | None = None,
    highlight: int | Route | None = 0,
    ledger: Ledger | None = None,
    values: Values | None = None,
    most_nodes: int = MOST_NODES,
) -> Scene:
    """Build the Scene of a backward pass.

    Args:
        question: A ``Backward``, or anything with one as ``.backward`` (its ``.names`` and
            ``.feeds`` are used unless given here).
        view: ``"circuit"``, ``"mirror"`` or ``"operations"``.
        names: The author's names of tensors.
        feeds: Values of placeholders; by default the last ones fed to the graph.
        highlight: The chain-rule path to draw thick: its place in ``ledger.routes``, the route
            itself, or None for none.
        ledger: Paths and cut amounts; by default asked of the engine.
        values: What ``evaluate_record`` returned, to save doing it again.
        most_nodes: Above this many nodes the picture is folded.

    Returns:
        An immutable Scene; equal programs give equal Scenes.

    Raises:
        ViewError: when the view is unknown or the question holds no backward pass.
        FeedError: when a fed value does not fit its placeholder.
    """
    if view not in VIEWS:
        raise ViewError(f"unknown view '{view}', choose one of {', '.join(VIEWS)}")
    backward = getattr(question, "backward", question)
    if not isinstance(backward, Backward):
        raise ViewError(f"a picture needs a backward pass, got {type(question).__name__}")
    if names is None:
        names = getattr(question, "names", None)
    if feeds is None:
        feeds = getattr(question, "feeds", None) or None
    if values is None:
        values = evaluate_record(backward, feeds)
    known = read_ledger(backward, values) if ledger is None else ledger
    subject = Subject(backward, names, values, known, _chosen(known, highlight))
    return fold(VIEWS[view](subject), most_nodes)


def _chosen(ledger: Ledger, highlight: int | Route | None) -> Route | None:
    """Return the route to highlight; no route is highlighted when there is no such one."""
    if not isinstance(highlight, int):
        return highlight
    live = [route for route in ledger.routes if not route.blocked]
    return live[highlight] if 0 <= highlight < len(live) else None
