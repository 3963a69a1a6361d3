"""Folding: a picture of many things as a picture of few, before Graphviz ever sees it.

Neighbours that share a name scope become one node; where scopes do not help, equal stretches
of the program do. Only neighbours in the order of creation are joined, so a folded graph has
no cycle, and every gradient goes into the fold of the tensor it belongs to.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from explorer.scene import (
    BACKWARD_EDGES,
    Edge,
    EdgeKind,
    LegendEntry,
    Node,
    NodeKind,
    Run,
    Scene,
    Tone,
)
from explorer.scene import identifier as make_id
from explorer.views import words

MOST_NODES = 60
_DEEPEST_SCOPE = 4


def fold(scene: Scene, most: int = MOST_NODES) -> Scene:
    """Fold a scene until it has at most about ``most`` nodes.

    Nodes that the question is about and sums on the selected path stay as they are.

    Args:
        scene: Any scene whose nodes name their operations in order of creation.
        most: How many nodes may remain.

    Returns:
        The same scene if it is small enough, else one with ``NodeKind.FOLD`` nodes.
    """
    if len(scene.nodes) <= most:
        return scene
    for depth in range(_DEEPEST_SCOPE, 0, -1):
        groups = _by_scope(scene, depth)
        if _size_after(scene, groups) <= most:
            return _folded(scene, groups)
    groups = _by_scope(scene, 1)
    width = 2
    while _size_after(scene, groups) > most and width <= len(scene.nodes):
        groups = _by_stretch(scene, width)
        width *= 2
    return _folded(scene, groups)


def _by_scope(scene: Scene, depth: int) -> dict[str, str]:
    """Group neighbours whose op names begin with the same ``depth`` scopes."""
    groups: dict[str, str] = {}
    for row in _rows(scene):
        stretch, previous = 0, ""
        for node in row:
            scopes = node.op.split("/")[:-1][:depth]
            scope = "/".join(scopes)
            stretch += scope != previous
            previous = scope
            if scope and not node.emphasis:
                groups[node.id] = f"{node.row}\0{scope}\0{stretch}"
    return _under_twins(scene, groups)


def _by_stretch(scene: Scene, width: int) -> dict[str, str]:
    """Group every ``width`` neighbours, apart from what the question is about."""
    groups: dict[str, str] = {}
    for row in _rows(scene):
        inner = [node for node in row if not node.emphasis]
        for place, node in enumerate(inner):
            groups[node.id] = f"{node.row}\0\0{place // width}"
    return _under_twins(scene, groups)


def _under_twins(scene: Scene, groups: dict[str, str]) -> dict[str, str]:
    """In a row where every node has a twin, fold exactly what is folded above it."""
    for row in _rows(scene):
        if not row or not all(node.twin for node in row):
            continue
        for node in row:
            above = groups.get(node.twin)
            groups.pop(node.id, None)
            if above is not None and not node.emphasis:
                groups[node.id] = f"{node.row}\0{above}"
    return groups


def _rows(scene: Scene) -> list[list[Node]]:
    """Split the nodes by row, in drawing order."""
    names = list(dict.fromkeys(node.row for node in scene.nodes))
    return [[node for node in scene.nodes if node.row == name] for name in names]


def _size_after(scene: Scene, groups: Mapping[str, str]) -> int:
    return len(scene.nodes) - len(groups) + len(set(groups.values()))


def _folded(scene: Scene, groups: Mapping[str, str]) -> Scene:
    """Replace every group by one node and join the edges between groups."""
    members: dict[str, list[Node]] = {}
    for node in scene.nodes:
        if node.id in groups:
            members.setdefault(groups[node.id], []).append(node)
    single = {group for group, nodes in members.items() if len(nodes) == 1}
    stands_for = {
        name: make_id("fold", group) for name, group in groups.items() if group not in single
    }
    nodes: dict[str, Node] = {}
    for node in scene.nodes:
        name = stands_for.get(node.id, node.id)
        if name not in nodes:
            is_fold = node.id in stands_for
            nodes[name] = _fold_node(name, members[groups[node.id]]) if is_fold else node
    kept = [_with_folded_twin(node, stands_for, set(nodes)) for node in nodes.values()]
    return replace(
        scene,
        nodes=tuple(kept),
        edges=tuple(_joined(scene.edges, stands_for)),
        legend=(*scene.legend, LegendEntry(f"node:{NodeKind.FOLD}", words.NODES[NodeKind.FOLD])),
        ranks=(),
        hints=(),
    )


def _fold_node(name: str, members: Sequence[Node]) -> Node:
    scopes = {node.op.rpartition("/")[0] for node in members}
    common = _common_scope(sorted(scopes))
    title = common or f"{members[0].title} … {members[-1].title}"
    return Node(
        id=name,
        kind=NodeKind.FOLD,
        title=title,
        lines=((Run(title, bold=True),), (Run(words.folded(len(members)), Tone.MUTED),)),
        detail=", ".join(node.title for node in members[:20]),
        row=members[0].row,
        twin=members[0].twin,
        selected=any(node.selected for node in members),
        line=members[0].line,
        op=members[0].op,
    )


def _common_scope(scopes: Sequence[str]) -> str:
    """Return the longest scope that contains all the given ones."""
    shared = scopes[0].split("/") if scopes and scopes[0] else []
    for scope in scopes[1:]:
        parts = scope.split("/")
        agree = [one == other for one, other in zip(shared, parts, strict=False)]
        shared = shared[: agree.index(False) if False in agree else len(agree)]
    return "/".join(shared)


def _with_folded_twin(node: Node, stands_for: Mapping[str, str], known: set[str]) -> Node:
    """Let a node stand under the fold of its twin; twins of folds must exist as well."""
    twin = stands_for.get(node.twin, node.twin)
    return replace(node, twin=twin if twin in known else "")


def _joined(edges: Sequence[Edge], stands_for: Mapping[str, str]) -> list[Edge]:
    """Redirect edges to the folds; parallel ones become one, inner ones vanish."""
    joined: dict[tuple[str, str, EdgeKind], Edge] = {}
    plain: list[Edge] = []
    for edge in edges:
        source = stands_for.get(edge.source, edge.source)
        target = stands_for.get(edge.target, edge.target)
        if source == edge.source and target == edge.target:
            plain.append(edge)
        elif source != target:
            key = (source, target, edge.kind)
            lines = edge.lines if edge.kind is EdgeKind.CUT else ()
            moved = replace(edge, source=source, target=target, lines=lines)
            known = joined.get(key)
            if known is None or (edge.selected and not known.selected):
                joined[key] = moved
    return [*plain, *_loosened(list(joined.values()))]


def _loosened(edges: Sequence[Edge]) -> list[Edge]:
    """Free edges that would run against another one between the same folds."""
    directions = {_direction(edge) for edge in edges}
    return [
        replace(edge, is_loose=True) if _direction(edge)[::-1] in directions else edge
        for edge in edges
    ]


def _direction(edge: Edge) -> tuple[str, str]:
    """Return the ends of an edge from left to right."""
    ends = (edge.source, edge.target)
    return ends[::-1] if edge.kind in BACKWARD_EDGES else ends
