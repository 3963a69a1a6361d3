"""DOT text: equal scenes give equal bytes, any name survives, nothing a person types is markup."""

from __future__ import annotations

import re

import pytest

from explorer.dot import to_dot
from explorer.scene import Cluster, Edge, EdgeKind, LegendEntry, Node, NodeKind, Run, Scene
from explorer.theme import DARK, LIGHT, PRINT
from tests.explorer.pictures import HOSTILE, two_nodes


def mirrored() -> Scene:
    label = ((Run("x"),),)
    nodes = (
        Node("b-x", NodeKind.ADJOINT, "x̄", label, row="backward", twin="f-x"),
        Node("b-y", NodeKind.SEED, "ȳ", label, row="backward", twin="f-y"),
        Node("f-x", NodeKind.INPUT, "x", label, row="forward"),
        Node("f-y", NodeKind.OP, "y", label, row="forward"),
    )
    edges = (
        Edge("d", "f-x", "f-y", EdgeKind.DATA),
        Edge("b", "b-y", "b-x", EdgeKind.ADJOINT, selected=True),
        Edge("s", "f-y", "b-y", EdgeKind.SEED),
        Edge("c", "b-y", "b-x", EdgeKind.CUT, cut="stop_gradient"),
    )
    clusters = (Cluster("backward", "backward", "backward"), Cluster("forward", "f", "forward"))
    return Scene("mirror", "t", nodes, edges, clusters)


def test_equal_scenes_give_equal_bytes() -> None:
    assert to_dot(mirrored(), LIGHT) == to_dot(mirrored(), LIGHT)
    assert len({to_dot(mirrored(), theme) for theme in (LIGHT, DARK, PRINT)}) == 3


def test_what_flows_backwards_is_declared_forwards() -> None:
    text = to_dot(mirrored())
    adjoint = next(line for line in text.splitlines() if "id=b " in line)
    assert adjoint.strip().startswith('"b-x" -> "b-y"')
    assert "dir=back" in adjoint and "arrowtail=normal" in adjoint and "penwidth=3.4" in adjoint


def test_a_cut_ends_in_a_bar() -> None:
    cut = next(line for line in to_dot(mirrored()).splitlines() if "id=c " in line)
    assert "arrowtail=tee" in cut and "style=dotted" in cut


def test_twins_share_a_column() -> None:
    text = to_dot(mirrored())
    assert '{rank=same; "b-x"; "f-x"}' in text
    assert "newrank=true" in text
    assert text.index("cluster_backward") < text.index("cluster_forward")


def test_the_seed_does_not_influence_the_columns() -> None:
    seed = next(line for line in to_dot(mirrored()).splitlines() if "id=s " in line)
    assert "constraint=false" in seed


def test_nodes_carry_id_and_class() -> None:
    text = to_dot(mirrored())
    assert "class=adjoint" in text and 'id="b-x"' in text
    assert 'class="adjoint selected"' in text


@pytest.mark.parametrize("direction", ["LR", "TB"])
def test_the_direction_is_a_choice(direction: str) -> None:
    assert f"rankdir={direction}" in to_dot(mirrored(), direction=direction)


def test_the_legend_is_part_of_the_graph_unless_unwanted() -> None:
    scene = Scene("mirror", "t", (), legend=(LegendEntry("node:stop", "a <stop>"),))
    assert "a &lt;stop&gt;" in to_dot(scene)
    assert "stop" not in to_dot(scene, legend=False).replace("nodestop", "")


@pytest.mark.parametrize("text", HOSTILE)
def test_no_text_becomes_markup_or_an_address(text: str) -> None:
    dot = to_dot(two_nodes(text))
    assert "URL=" not in dot and "href=" not in dot and "shape=record" not in dot
    assert "<b>" not in dot and "<TABLE>>" not in dot.replace("</TABLE>>", "")


def test_a_changed_digit_does_not_change_the_size_of_a_node() -> None:
    def widths(value: str) -> list[str]:
        label = ((Run(value, number=True),),)
        scene = Scene("mirror", "t", (Node("n", NodeKind.OP, "n", label),))
        return re.findall(r"width=[\d.]+", to_dot(scene))

    assert widths("2") == widths("2.5") == widths("9.1")


def test_every_label_is_large_enough_to_read() -> None:
    text = to_dot(two_nodes("x"))
    assert min(int(size) for size in re.findall(r'POINT-SIZE="(\d+)"', text)) >= 11
