"""From a question to a finished picture: the one code path that app, shell and scripts share."""

from __future__ import annotations

from dataclasses import dataclass

from explorer.dot import to_dot
from explorer.explanation import Explanation
from explorer.layout import DEFAULT_TIMEOUT, Picture, render
from explorer.scene import Scene
from explorer.theme import theme_named
from explorer.views import build_scene

THEMES = ("light", "dark", "print")


@dataclass(frozen=True)
class Look:
    """How a question is shown.

    Attributes:
        view: "circuit", "mirror" or "operations".
        theme: "light", "dark" or "print".
        x: index of the x whose path is marked.
        path: index of the marked path among the paths to that x; None marks none.
    """

    view: str = "mirror"
    theme: str = "light"
    x: int = 0
    path: int | None = 0


def scene(explanation: Explanation, look: Look) -> Scene:
    """Return what the picture shows."""
    question = explanation.question
    routes = explanation.routes(look.x) if look.x < len(explanation.paths) else ()
    chosen = look.path is not None and look.path < len(routes)
    return build_scene(
        question,
        look.view,
        names=question.names,
        values=explanation.values,
        ledger=explanation.ledger,
        highlight=routes[look.path] if chosen and look.path is not None else None,
    )


def dot(explanation: Explanation, look: Look) -> str:
    """Return the picture as DOT."""
    return to_dot(scene(explanation, look), theme_named(look.theme))


def draw(
    explanation: Explanation, look: Look, format: str = "svg", timeout: float = DEFAULT_TIMEOUT
) -> Picture:
    """Return the picture, laid out by Graphviz.

    Raises:
        LayoutError: no engine could draw it in time.
    """
    return render(dot(explanation, look), format, timeout)
