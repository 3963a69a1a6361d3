"""The legend: a small table under every picture that says what shapes and lines mean.

It is the label of the whole graph, so it never takes part in the layout. Each sample is a
glyph; ``svg.py`` replaces the glyph by a drawing of the shape or line it stands for.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from explorer.escaping import label_text
from explorer.labels import printable, text_width
from explorer.scene import EdgeKind, LegendEntry, NodeKind, SceneError
from explorer.theme import EDGE_LOOKS, NODE_LOOKS, Theme

SIZE = 12
SAMPLE_WIDTH = 34
PER_ROW = 4
SELECTED = "edge:selected"
_SELECTED_GLYPH = "━━"


def legend_table(entries: Sequence[LegendEntry], theme: Theme) -> str:
    """Write legend entries as an HTML-like table, ``PER_ROW`` entries a row."""
    columns = [entries[column::PER_ROW] for column in range(min(PER_ROW, len(entries)))]
    widths = [
        math.ceil(max(text_width(printable(entry.text), SIZE) for entry in column)) + 22
        for column in columns
    ]
    rows = []
    for start in range(0, len(entries), PER_ROW):
        group = entries[start : start + PER_ROW]
        cells = "".join(_cells(entry, theme, widths[place]) for place, entry in enumerate(group))
        rows.append(f"<TR>{cells}</TR>")
    return (
        f'<TABLE BORDER="0" CELLBORDER="0" CELLSPACING="0" CELLPADDING="0">{"".join(rows)}</TABLE>'
    )


def sample_look(sample: str, theme: Theme) -> tuple[str, str]:
    """Return the glyph and the colour of a sample such as ``"node:stop"`` or ``"edge:cut"``.

    Raises:
        SceneError: when the sample names no node or edge kind.
    """
    if sample == SELECTED:
        return _SELECTED_GLYPH, theme.edges[EdgeKind.ADJOINT]
    family, _, kind = sample.partition(":")
    if family == "node" and kind in set(NodeKind):
        return NODE_LOOKS[NodeKind(kind)].glyph, theme.nodes[NodeKind(kind)].stroke
    if family == "edge" and kind in set(EdgeKind):
        return EDGE_LOOKS[EdgeKind(kind)].glyph, theme.edges[EdgeKind(kind)]
    raise SceneError(f"legend sample '{sample}' names no kind, write node:KIND or edge:KIND")


def _cells(entry: LegendEntry, theme: Theme, wide: int) -> str:
    glyph, colour = sample_look(entry.sample, theme)
    text = label_text(entry.text)
    return (
        f'<TD FIXEDSIZE="TRUE" WIDTH="{SAMPLE_WIDTH}" HEIGHT="19" ALIGN="LEFT">'
        f'<FONT COLOR="{colour}" POINT-SIZE="{SIZE}">{glyph}</FONT></TD>'
        f'<TD FIXEDSIZE="TRUE" WIDTH="{wide}" HEIGHT="19" ALIGN="LEFT">'
        f'<FONT COLOR="{theme.text}" POINT-SIZE="{SIZE}">{text}</FONT></TD>'
    )
