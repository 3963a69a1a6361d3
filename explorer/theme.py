"""How each role looks: shape and line first, colour second.

Shapes, line styles and glyphs are the same in every theme, so that a reader who cannot tell
the colours apart (or prints them) loses nothing. Colours follow the palette of Okabe and Ito,
which people with any common colour vision can tell apart; text uses darker or lighter shades
of the same hues, because the palette itself is too pale for text.

Source: M. Okabe and K. Ito, "Color Universal Design", 2002, the eight-colour set. Contrast:
W3C, Web Content Accessibility Guidelines 2.1, success criteria 1.4.3 and 1.4.11.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from engine.errors import EngineError
from explorer.scene import EdgeKind, NodeKind, Tone


class ThemeError(EngineError, ValueError):
    """A theme that is not there."""


@dataclass(frozen=True)
class NodeLook:
    """Shape of a node kind: Graphviz shape, style, pen width, legend glyph, outlines."""

    shape: str
    style: str = "filled"
    pen: float = 1.4
    glyph: str = "▢"
    rings: int = 1


@dataclass(frozen=True)
class EdgeLook:
    """Line of an edge kind: Graphviz style, arrowhead, pen width in points and legend glyph."""

    style: str = "solid"
    head: str = "normal"
    pen: float = 1.3
    glyph: str = "─▸"


NODE_LOOKS: Mapping[NodeKind, NodeLook] = {
    NodeKind.INPUT: NodeLook("ellipse", glyph="◯"),
    NodeKind.VARIABLE: NodeLook("ellipse", glyph="◯"),
    NodeKind.PLACEHOLDER: NodeLook("ellipse", "filled,dashed", glyph="◌"),
    NodeKind.CONSTANT: NodeLook("box", "filled", 0.8, "▭"),
    NodeKind.OP: NodeLook("box", "rounded,filled"),
    NodeKind.OUTPUT: NodeLook("box", "rounded,filled", 2.6, "▮"),
    NodeKind.STOP: NodeLook("octagon", "filled", 1.6, "⯃"),
    NodeKind.GATE: NodeLook("circle", glyph="○"),
    NodeKind.WIRE: NodeLook("plain", "", 0.0, "─"),
    NodeKind.ADJOINT: NodeLook("box", "filled", glyph="□"),
    NodeKind.ACCUMULATE: NodeLook("hexagon", "filled", 2.2, "⬡"),
    NodeKind.SEED: NodeLook("ellipse", "filled", 1.4, "◎", 2),
    NodeKind.DEAD: NodeLook("box", "filled,dashed", 1.2, "⬚"),
    NodeKind.NONE: NodeLook("box", "filled,dotted", 1.2, "∅"),
    NodeKind.HELPER: NodeLook("box", "filled", 0.8, "▭"),
    NodeKind.FOLD: NodeLook("box3d", "filled", 1.2, "▣"),
}

EDGE_LOOKS: Mapping[EdgeKind, EdgeLook] = {
    EdgeKind.DATA: EdgeLook(),
    EdgeKind.WIRE: EdgeLook(head="none", glyph="──"),
    EdgeKind.ADJOINT: EdgeLook(head="vee", glyph="◂─"),
    EdgeKind.DEAD: EdgeLook("dashed", "vee", 1.1, "◂╌"),
    EdgeKind.CUT: EdgeLook("dotted", "tee", 1.8, "┤✂┄"),
    EdgeKind.SAVED: EdgeLook("dashed", "open", 0.9, "╌▸"),
    EdgeKind.CONTROL: EdgeLook("dotted", "empty", 0.9, "┄▹"),
    EdgeKind.SEED: EdgeLook("dashed", "vee", 1.1, "╌▸"),
    EdgeKind.TWIN: EdgeLook("invis", "none"),
}
SELECTED_PEN = 3.4


@dataclass(frozen=True)
class Ink:
    """Colours of one role as ``#RRGGBB``: its line, its area and the text inside."""

    stroke: str
    fill: str
    text: str


@dataclass(frozen=True)
class Theme:
    """A set of colours for every role.

    Attributes:
        name: ``"light"``, ``"dark"`` or ``"print"``.
        background: Page colour.
        text: Colour of caption and legend.
        clusters: Ink by cluster kind.
        nodes: Ink by node kind.
        edges: Line colour by edge kind.
        tones: Text colour by tone; ``Tone.PLAIN`` inside a node is the node's own ink.
    """

    name: str
    background: str
    text: str
    clusters: Mapping[str, Ink]
    nodes: Mapping[NodeKind, Ink]
    edges: Mapping[EdgeKind, str]
    tones: Mapping[Tone, str]


@dataclass(frozen=True)
class _Palette:
    """The few colours from which a whole theme is spread over the roles."""

    background: str
    paper: str
    text: str
    forward: str
    backward: str
    sum_stroke: str
    sum_fill: str
    seed: str
    stop_stroke: str
    stop_fill: str
    grey: str
    faint: str
    forward_area: Ink
    backward_area: Ink
    scope_area: Ink
    tones: tuple[str, str, str, str, str, str]


def _spread(name: str, palette: _Palette) -> Theme:
    """Give every node, edge and text role its colour from a palette."""
    paper, text = palette.paper, palette.text
    forward = Ink(palette.forward, paper, text)
    backward = Ink(palette.backward, paper, text)
    quiet = Ink(palette.grey, paper, text)
    kind = NodeKind
    nodes = {
        **dict.fromkeys(
            (kind.INPUT, kind.VARIABLE, kind.PLACEHOLDER, kind.OP, kind.OUTPUT, kind.GATE),
            forward,
        ),
        **dict.fromkeys((kind.CONSTANT, kind.HELPER, kind.FOLD, kind.DEAD, kind.NONE), quiet),
        kind.WIRE: Ink(palette.forward, palette.background, text),
        kind.ADJOINT: backward,
        kind.ACCUMULATE: Ink(palette.sum_stroke, palette.sum_fill, text),
        kind.SEED: Ink(palette.seed, paper, text),
        kind.STOP: Ink(palette.stop_stroke, palette.stop_fill, text),
    }
    edges = {
        **dict.fromkeys((EdgeKind.DATA, EdgeKind.WIRE, EdgeKind.TWIN), palette.forward),
        EdgeKind.ADJOINT: palette.backward,
        EdgeKind.DEAD: palette.grey,
        EdgeKind.CUT: palette.stop_stroke,
        EdgeKind.SAVED: palette.faint,
        EdgeKind.CONTROL: palette.grey,
        EdgeKind.SEED: palette.seed,
    }
    value, gradient, factor, muted, cut, total = palette.tones
    tones = {
        Tone.PLAIN: text,
        Tone.VALUE: value,
        Tone.GRADIENT: gradient,
        Tone.FACTOR: factor,
        Tone.MUTED: muted,
        Tone.CUT: cut,
        Tone.SUM: total,
    }
    areas = {
        "forward": palette.forward_area,
        "backward": palette.backward_area,
        "scope": palette.scope_area,
    }
    return Theme(name, palette.background, text, areas, nodes, edges, tones)


LIGHT = _spread(
    "light",
    _Palette(
        background="#FFFFFF",
        paper="#FFFFFF",
        text="#1A202C",
        forward="#0072B2",
        backward="#D55E00",
        sum_stroke="#B5528B",
        sum_fill="#FBF1F7",
        seed="#008A64",
        stop_stroke="#000000",
        stop_fill="#F0F0F0",
        grey="#767676",
        faint="#7C8794",
        forward_area=Ink("#CFE1EF", "#F3F8FC", "#005A8C"),
        backward_area=Ink("#F2D9C6", "#FDF6F0", "#A04000"),
        scope_area=Ink("#D5D9DE", "#F7F8F9", "#3D4650"),
        tones=("#005A8C", "#A04000", "#A04000", "#595959", "#000000", "#8A2F63"),
    ),
)

DARK = _spread(
    "dark",
    _Palette(
        background="#14181F",
        paper="#1C222B",
        text="#F2F4F8",
        forward="#56B4E9",
        backward="#E69F00",
        sum_stroke="#CC79A7",
        sum_fill="#33232D",
        seed="#2BB88D",
        stop_stroke="#FFFFFF",
        stop_fill="#3A414B",
        grey="#9AA3AD",
        faint="#8793A0",
        forward_area=Ink("#29465E", "#17212C", "#8CCBF5"),
        backward_area=Ink("#57421A", "#231E16", "#F5BE4F"),
        scope_area=Ink("#3B434E", "#1A1F27", "#C5CCD5"),
        tones=("#8CCBF5", "#F5BE4F", "#F5BE4F", "#B4BCC6", "#FFFFFF", "#EBA6CB"),
    ),
)

PRINT = _spread(
    "print",
    _Palette(
        background="#FFFFFF",
        paper="#FFFFFF",
        text="#000000",
        forward="#000000",
        backward="#000000",
        sum_stroke="#000000",
        sum_fill="#FFFFFF",
        seed="#000000",
        stop_stroke="#000000",
        stop_fill="#E4E4E4",
        grey="#000000",
        faint="#000000",
        forward_area=Ink("#8C8C8C", "#FFFFFF", "#000000"),
        backward_area=Ink("#8C8C8C", "#FFFFFF", "#000000"),
        scope_area=Ink("#8C8C8C", "#FFFFFF", "#000000"),
        tones=("#000000",) * 6,
    ),
)

THEMES: Mapping[str, Theme] = {theme.name: theme for theme in (LIGHT, DARK, PRINT)}


def theme_named(name: str) -> Theme:
    """Return the theme with this name.

    Raises:
        ThemeError: when there is none.
    """
    if name not in THEMES:
        raise ThemeError(f"unknown theme '{name}', choose one of {', '.join(THEMES)}")
    return THEMES[name]


def contrast(one: str, other: str) -> float:
    """Return the WCAG contrast ratio of two ``#RRGGBB`` colours, from 1 to 21.

    >>> round(contrast("#000000", "#FFFFFF"), 1)
    21.0
    """
    lighter, darker = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def _luminance(colour: str) -> float:
    """Relative luminance of a colour, WCAG 2.1, from 0 (black) to 1 (white)."""
    channels = (int(colour[start : start + 2], 16) / 255 for start in (1, 3, 5))
    red, green, blue = (
        channel / 12.92 if channel <= 0.04045 else ((channel + 0.055) / 1.055) ** 2.4
        for channel in channels
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
