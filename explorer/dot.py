"""Scene and theme to DOT text: the one place that knows how Graphviz is addressed.

Three rules keep the text safe and the layout sound. Text from people appears only inside
HTML-like labels and tooltips, through ``escaping.py``; ids are made by ``scene.identifier``
and need no escaping. Every label cell and every node has a size that was measured here, so
both Graphviz engines draw the same. And what flows backwards is declared forwards with
``dir=back``: an edge that runs against the ranks makes the layout quadratic.
"""

from __future__ import annotations

import math

import graphviz

from explorer.escaping import label_text, tooltip_text
from explorer.labels import printable, text_width
from explorer.legend import legend_table
from explorer.scene import (
    BACKWARD_EDGES,
    Cluster,
    Edge,
    EdgeKind,
    Line,
    Node,
    NodeKind,
    Run,
    Scene,
    Tone,
)
from explorer.theme import EDGE_LOOKS, LIGHT, NODE_LOOKS, SELECTED_PEN, Theme

FONT = "Helvetica"
NODE_SIZES = (13, 12, 11)
EDGE_SIZE = 12
CAPTION_SIZES = (15, 12)
CAPTION_GAP = 8
_LINE_HEIGHT = 1.3
_NUMBER_STEP = 22.0
_POINTS_PER_INCH = 72


def to_dot(scene: Scene, theme: Theme = LIGHT, direction: str = "LR", legend: bool = True) -> str:
    """Write a Scene as DOT.

    Args:
        scene: What to draw.
        theme: Its colours.
        direction: ``"LR"`` for left to right, ``"TB"`` for top down.
        legend: Whether the legend is part of the picture.

    Returns:
        DOT text; equal arguments give equal text.
    """
    graph = graphviz.Digraph(scene.view)
    graph.attr("graph", _attributes=_graph_attributes(scene, theme, direction, legend))
    graph.attr("node", _attributes={"fontname": FONT, "fontsize": str(NODE_SIZES[0])})
    graph.attr(
        "edge", _attributes={"fontname": FONT, "fontsize": str(EDGE_SIZE), "arrowsize": "0.8"}
    )
    _write_body(graph, scene, theme, direction)
    return str(graph.source)


def _graph_attributes(scene: Scene, theme: Theme, direction: str, legend: bool) -> dict[str, str]:
    attributes = {
        "bgcolor": theme.background,
        "class": f"scene {scene.view} {theme.name} caption-{len(scene.caption)}",
        "fontcolor": theme.text,
        "fontname": FONT,
        "fontsize": "12",
        "id": "scene",
        "newrank": "true",
        "nodesep": "0.3",
        "pad": "0.15",
        "rankdir": direction,
        "ranksep": "0.45",
        "tooltip": tooltip_text(scene.alt or scene.title),
    }
    below = _below(scene, theme, legend)
    if below:
        attributes |= {"label": below, "labeljust": "l", "labelloc": "b"}
    return attributes


def _below(scene: Scene, theme: Theme, legend: bool) -> str:
    """Write caption and legend as the label of the graph, which takes no part in the layout.

    A cluster around everything would put the caption on top, but older versions of Graphviz
    then exchange the areas inside it; ``svg.py`` raises the caption instead.
    """
    rows = []
    for place, line in enumerate(scene.caption):
        size = CAPTION_SIZES[min(place, 1)]
        wide = math.ceil(_block((line,), (size,))[0])
        rows.append(_row(line, size, theme, theme.text, wide, "LEFT"))
    if rows:
        rows.append(f'<TR><TD FIXEDSIZE="TRUE" WIDTH="1" HEIGHT="{CAPTION_GAP}"></TD></TR>')
    if legend and scene.legend:
        rows.append(f'<TR><TD ALIGN="LEFT">{legend_table(scene.legend, theme)}</TD></TR>')
    return _wrap(rows) if rows else ""


def _write_body(graph: graphviz.Digraph, scene: Scene, theme: Theme, direction: str) -> None:
    """Write clusters with their nodes, loose nodes, edges, and what holds them in place."""
    for cluster in scene.clusters:
        with graph.subgraph(name=f"cluster_{cluster.id}") as area:
            area.attr("graph", _attributes=_cluster_attributes(cluster, theme))
            for node in scene.nodes:
                if node.row == cluster.id:
                    _write_node(area, node, theme)
    for node in scene.nodes:
        if not node.row:
            _write_node(graph, node, theme)
    kinds = {node.id: node.kind for node in scene.nodes}
    for edge in scene.edges:
        ports = (kinds[edge.source] is NodeKind.WIRE, kinds[edge.target] is NodeKind.WIRE)
        _write_edge(graph, edge, theme, ports if direction == "LR" else (False, False))
    for left, right in scene.hints:
        graph.edge(left, right, style="invis")
    _write_ranks(graph, scene)


def _write_ranks(graph: graphviz.Digraph, scene: Scene) -> None:
    """Put twins into one column, and each of them below the other by an invisible edge."""
    for node in scene.nodes:
        if node.twin:
            graph.body.append(f"\t{{rank=same; {_quote(node.id)}; {_quote(node.twin)}}}\n")
            graph.edge(node.id, node.twin, style="invis")
    for group in scene.ranks:
        graph.body.append("\t{rank=same; " + "; ".join(map(_quote, group)) + "}\n")


def _cluster_attributes(cluster: Cluster, theme: Theme) -> dict[str, str]:
    ink = theme.clusters[cluster.kind]
    return {
        "class": f"area {cluster.kind}",
        "fillcolor": ink.fill,
        "fontcolor": ink.text,
        "id": f"area-{cluster.id}",
        "label": table(((Run(cluster.label, bold=True),),), [12], theme, ink.text, align="LEFT"),
        "labeljust": "l",
        "labelloc": "t",
        "margin": "10",
        "pencolor": ink.stroke,
        "style": "rounded,filled",
    }


def _write_node(graph: graphviz.Digraph, node: Node, theme: Theme) -> None:
    look, ink = NODE_LOOKS[node.kind], theme.nodes[node.kind]
    pen = max(look.pen, 2.6) if node.emphasis or node.selected else look.pen
    attributes = {
        "class": _classes(str(node.kind), node.selected, node.emphasis),
        "color": ink.stroke,
        "fillcolor": ink.fill,
        "id": node.id,
        "penwidth": f"{pen:g}",
        "shape": look.shape,
        "tooltip": tooltip_text(node.detail or node.title),
    }
    if look.style:
        attributes["style"] = look.style
    if look.rings > 1:
        attributes["peripheries"] = str(look.rings)
    if node.kind is NodeKind.WIRE:
        attributes["label"] = _wire_table(node, theme)
    else:
        attributes["label"] = table(node.lines, NODE_SIZES, theme, ink.text)
        width, height = _node_size(node, look.shape)
        attributes |= {"fixedsize": "true", "margin": "0"}
        attributes |= {"width": _inches(width), "height": _inches(height)}
    graph.node(node.id, **attributes)


def _node_size(node: Node, shape: str) -> tuple[float, float]:
    """Return width and height in points of the shape that holds a node's lines."""
    inner_width, inner_height = _block(node.lines, NODE_SIZES)
    width, height = inner_width + 16, inner_height + 10
    if shape == "circle":
        side = max(34.0, math.hypot(inner_width, inner_height) + 6)
        return side, side
    if shape == "ellipse":
        return max(44.0, inner_width * 1.22 + 18), max(40.0, height * 1.2)
    if shape in ("hexagon", "octagon"):
        # The slanted sides leave half the width at the top; text fills most of the height.
        slant = 1.5 if shape == "hexagon" else 1.3
        return (inner_width + 6) * slant, height + 8
    return max(34.0, width), height


def _wire_table(node: Node, theme: Theme) -> str:
    """Draw a wire: the value above a line, the gradient below it."""
    ink = theme.nodes[NodeKind.WIRE]
    width, _ = _block(node.lines, (EDGE_SIZE, EDGE_SIZE))
    wide = math.ceil(width) + 10
    stroke = theme.edges[EdgeKind.ADJOINT] if node.selected else ink.stroke
    rows = [_row(line, EDGE_SIZE, theme, ink.text, wide) for line in node.lines]
    thickness = 4 if node.selected else 1
    rule = (
        f'<TR><TD FIXEDSIZE="TRUE" WIDTH="{wide}" HEIGHT="{thickness}"'
        f' BGCOLOR="{stroke}"></TD></TR>'
    )
    return _wrap([rows[0], rule, *rows[1:]])


def _write_edge(
    graph: graphviz.Digraph, edge: Edge, theme: Theme, ports: tuple[bool, bool]
) -> None:
    """Write an edge; ``ports`` tells which ends are wires, which are met at their sides."""
    look, colour = EDGE_LOOKS[edge.kind], theme.edges[edge.kind]
    is_path = edge.selected
    stroke = theme.edges[EdgeKind.ADJOINT] if is_path else colour
    attributes = {
        "class": _classes(str(edge.kind), is_path, False, "cut" if edge.cut else ""),
        "color": stroke,
        "id": edge.id,
        "penwidth": f"{SELECTED_PEN if is_path else look.pen:g}",
        "style": look.style,
        "tooltip": tooltip_text(edge.detail or edge.cut or str(edge.kind)),
    }
    head = look.head + "tee" if edge.cut and edge.kind is EdgeKind.DATA else look.head
    if is_path:
        head = "none" if head == "none" else "normal"
        attributes |= {"arrowsize": "0.5", "weight": "4"}
    if edge.lines:
        attributes["label"] = table(
            edge.lines, (EDGE_SIZE, EDGE_SIZE), theme, theme.tones[Tone.PLAIN], fill="transparent"
        )
        attributes["labeltooltip"] = attributes["tooltip"]
    if ports[0]:
        attributes["tailport"] = "e"
    if ports[1]:
        attributes["headport"] = "w"
    source, target = edge.source, edge.target
    if edge.kind in BACKWARD_EDGES:
        source, target = target, source
        attributes |= {"arrowtail": head, "dir": "back"}
    else:
        attributes["arrowhead"] = head
    if edge.kind in (EdgeKind.CONTROL, EdgeKind.SEED) or edge.is_loose:
        attributes["constraint"] = "false"
    elif edge.kind is EdgeKind.SAVED:
        attributes["weight"] = "0"
    graph.edge(source, target, **attributes)


def table(
    lines: tuple[Line, ...],
    sizes: tuple[int, ...] | list[int],
    theme: Theme,
    colour: str,
    fill: str = "",
    align: str = "",
) -> str:
    """Write lines as an HTML-like label whose cells have the measured size.

    Args:
        lines: Text, top to bottom.
        sizes: Font size per line in points; the last one goes on for further lines.
        theme: Colours of the tones.
        colour: Colour of plain text.
        fill: Area behind the text; ``"transparent"`` only marks its place, for ``svg.py``.
        align: ``"LEFT"`` or empty for centred.
    """
    if not lines:
        return ""
    wide = math.ceil(_block(lines, sizes)[0])
    rows = [
        _row(line, sizes[min(index, len(sizes) - 1)], theme, colour, wide, align)
        for index, line in enumerate(lines)
    ]
    return _wrap(rows, fill)


def _wrap(rows: list[str], fill: str = "") -> str:
    area = f' BGCOLOR="{fill}"' if fill else ""
    return (
        f'<<TABLE BORDER="0" CELLBORDER="0" CELLSPACING="0" CELLPADDING="0"{area}>'
        f"{''.join(rows)}</TABLE>>"
    )


def _row(line: Line, size: int, theme: Theme, colour: str, wide: int, align: str = "") -> str:
    side = f' ALIGN="{align}"' if align else ""
    height = math.ceil(size * _LINE_HEIGHT)
    runs = "".join(_run(run, size, theme, colour) for run in line if run.text)
    return f'<TR><TD FIXEDSIZE="TRUE" WIDTH="{wide}" HEIGHT="{height}"{side}>{runs}</TD></TR>'


def _run(run: Run, size: int, theme: Theme, colour: str) -> str:
    shade = colour if run.tone is Tone.PLAIN else theme.tones[run.tone]
    text = label_text(run.text)
    if run.over:
        text = f"<O>{text}</O>"
    if run.bold:
        text = f"<B>{text}</B>"
    return f'<FONT COLOR="{shade}" POINT-SIZE="{size}">{text}</FONT>'


def _block(lines: tuple[Line, ...], sizes: tuple[int, ...] | list[int]) -> tuple[float, float]:
    """Return width and height in points of a block of lines."""
    height = width = 0.0
    for index, line in enumerate(lines):
        size = sizes[min(index, len(sizes) - 1)]
        width = max(width, sum(run_width(run, size) for run in line))
        height += math.ceil(size * _LINE_HEIGHT)
    return width, height


def run_width(run: Run, size: int) -> float:
    """Return the room in points for one run; numbers get room to change in."""
    width = text_width(printable(run.text), size, run.bold)
    return math.ceil(width / _NUMBER_STEP) * _NUMBER_STEP if run.number else width


def _classes(kind: str, selected: bool, emphasis: bool, extra: str = "") -> str:
    marks = (kind, "selected" if selected else "", "emphasis" if emphasis else "", extra)
    return " ".join(mark for mark in marks if mark)


def _inches(points: float) -> str:
    return f"{points / _POINTS_PER_INCH:.3f}"


def _quote(name: str) -> str:
    return f'"{name}"'
