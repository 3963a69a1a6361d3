"""From a question to a finished picture: the one code path that app, shell and scripts share."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from explorer.dot import to_dot
from explorer.explanation import Explanation
from explorer.layout import DEFAULT_TIMEOUT, Picture, render
from explorer.scene import Scene
from explorer.theme import theme_named
from explorer.views import build_scene

THEMES = ("light", "dark", "print")
DIRECTIONS = ("LR", "TB")
_WIDEST = 1250  # points; more cannot be read on a laptop without scrolling sideways
_VIEW_BOX = re.compile(r'viewBox="[-\d.]+ [-\d.]+ ([\d.]+) [\d.]+"')


@dataclass(frozen=True)
class Look:
    """How a question is shown.

    Attributes:
        view: "circuit", "mirror" or "operations".
        theme: "light", "dark" or "print".
        x: index of the x whose path is marked.
        path: index of the marked path among the paths to that x; None marks none.
        direction: "LR" (left to right), "TB" (top to bottom), or None: left to right unless that
            is too wide to be read.
    """

    view: str = "mirror"
    theme: str = "light"
    x: int = 0
    path: int | None = 0
    direction: str | None = None


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
    shown = scene(explanation, look)
    return _dot(shown, _settled(shown, look))


def draw(
    explanation: Explanation, look: Look, format: str = "svg", timeout: float = DEFAULT_TIMEOUT
) -> Picture:
    """Return the picture, laid out by Graphviz.

    Raises:
        LayoutError: no engine could draw it in time.
    """
    return render(dot(explanation, look), format, timeout)


def _dot(shown: Scene, look: Look) -> str:
    return to_dot(shown, theme_named(look.theme), look.direction or DIRECTIONS[0])


def _settled(shown: Scene, look: Look) -> Look:
    """Choose the direction in which the picture can be read; layouts are cached."""
    if look.direction is not None:
        return look
    across, down = (replace(look, direction=direction) for direction in DIRECTIONS)
    width = _width(render(_dot(shown, across)))
    if width <= _WIDEST or _width(render(_dot(shown, down))) >= width:
        return across
    return down


def _width(picture: Picture) -> float:
    found = _VIEW_BOX.search(picture.text)
    return float(found[1]) if found else 0.0
