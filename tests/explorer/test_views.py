"""Three views of one backward pass show the same numbers, paths, cuts and sums."""

from __future__ import annotations

import numpy as np
import pytest

import engine as tf
from engine.backward import Backward
from engine.tensor import Tensor
from explorer.dot import to_dot
from explorer.layout import render
from explorer.scene import EdgeKind, Node, NodeKind, Scene, plain
from explorer.theme import THEMES
from explorer.views import VIEWS, ViewError, build_scene
from tests.explorer.pictures import separating, texts


def label(node: Node) -> str:
    return plain(node.lines)


def of_kind(scene: Scene, kind: NodeKind) -> list[str]:
    return [label(node) for node in scene.nodes if node.kind is kind]


def edge_labels(scene: Scene, kind: EdgeKind) -> list[str]:
    return [plain(edge.lines) for edge in scene.edges if edge.kind is kind]


def scene_of(view: str) -> Scene:
    backward, names = separating()
    return build_scene(backward, view, names=names)


@pytest.mark.parametrize("view", VIEWS)
def test_the_separating_example_adds_three_paths_and_holds_ten_back(view: str) -> None:
    scene = scene_of(view)
    caption = " | ".join(plain((line,)) for line in scene.caption)
    assert "dy/dx = 12 + 12 + 1 = 25" in caption
    assert "1 · 6 · 2 = 12" in caption
    assert "✂ holds back 10 at x" in caption
    sums = of_kind(scene, NodeKind.ACCUMULATE)
    assert any("6 + 6 = 12" in text for text in sums)
    assert any("1 + 24 = 25" in text for text in sums)
    assert any("holds back" in plain(e.lines) and "10 at x" in plain(e.lines) for e in scene.edges)
    assert any(edge.cut == "stop_gradient" for edge in scene.edges)
    assert any(edge.selected for edge in scene.edges)
    assert "25" in scene.alt


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("view", VIEWS)
def test_the_numbers_reach_the_picture(view: str, theme: str) -> None:
    written = texts(render(to_dot(scene_of(view), THEMES[theme])).text)
    assert "dy/dx = 12 + 12 + 1 = 25" in written
    assert any(line.startswith("✂ stop_gradient") for line in written)
    assert "selected path" in written


@pytest.mark.parametrize("view", VIEWS)
def test_equal_programs_give_equal_pictures(view: str) -> None:
    assert scene_of(view) == scene_of(view)
    assert to_dot(scene_of(view)) == to_dot(scene_of(view))


def test_the_mirror_puts_every_gradient_under_its_tensor() -> None:
    scene = scene_of("mirror")
    backward = [node for node in scene.nodes if node.row == "backward"]
    assert all(scene.node(node.twin).tensor == node.tensor for node in backward)
    assert "x\u0304 = y\u0304 + w·h\u0304 1 + 24 = 25" in of_kind(scene, NodeKind.ACCUMULATE)
    assert of_kind(scene, NodeKind.SEED) == ["y\u0304 = 1"]
    assert len(of_kind(scene, NodeKind.DEAD)) == 2
    assert edge_labels(scene, EdgeKind.CUT) == ["✂ stop_gradient holds back 5 here, 10 at x"]


def test_the_mirror_writes_local_derivatives_on_edges() -> None:
    scene = scene_of("mirror")
    assert sorted(edge_labels(scene, EdgeKind.ADJOINT)) == [
        "× 1",
        "× 1",
        "× h = 6",
        "× h = 6",
        "× w = 2",
    ]
    path = [plain(edge.lines) for edge in scene.edges if edge.selected]
    assert sorted(path) == ["× 1", "× h = 6", "× w = 2"]


def test_the_circuit_writes_value_above_and_gradient_below() -> None:
    scene = scene_of("circuit")
    wires = [[plain((line,)) for line in n.lines] for n in scene.nodes if n.kind is NodeKind.WIRE]
    assert ["y = 69", "1"] in wires
    assert ["36", "1"] in wires
    assert "×5" in of_kind(scene, NodeKind.GATE)
    shares = [plain(edge.lines) for edge in scene.edges if plain(edge.lines).startswith("+")]
    assert sorted(share.split()[0] for share in shares) == ["+1", "+24", "+6", "+6"]


def test_the_operations_view_is_the_true_graph() -> None:
    backward, names = separating()
    scene = build_scene(backward, "operations", names=names)
    drawn = {node.op for node in scene.nodes}
    assert {op.name for op in backward.operations} <= drawn
    assert sum(edge.kind is EdgeKind.SAVED for edge in scene.edges) >= 3
    used = {(edge.source, edge.target) for edge in scene.edges if edge.kind is EdgeKind.DATA}
    assert len(used) == len({(source, target) for source, target in used})


def gradients(build, **parameters) -> tuple[Backward, dict[Tensor, str]]:  # type: ignore[no-untyped-def]
    with tf.Graph().as_default() as graph:
        ys, xs, names = build()
        tf.gradients(ys, xs, **parameters)
        return graph.backwards[-1], names


def total_against_partial() -> tuple[list[Tensor], list[Tensor], dict[Tensor, str]]:
    x = tf.constant(1.0, name="x")
    a = 12.0 * x
    b = 2.0 * a
    c = 3.0 * b
    y = a + b + c
    return [y], [a, b, c], {a: "a", b: "b", c: "c", y: "y", x: "x"}


def test_total_derivatives_are_sums_of_paths() -> None:
    scene = build_scene(*_with_names(gradients(total_against_partial)))
    assert plain((scene.caption[0],)) == "dy/da = 6 + 2 + 1 = 9   dy/db = 3 + 1 = 4   dy/dc = 1"
    assert "y = a + b + c 12 + 24 + 72 = 108" in of_kind(scene, NodeKind.OUTPUT)
    assert not any(edge.cut for edge in scene.edges)


def test_partial_derivatives_name_each_cut() -> None:
    with tf.Graph().as_default() as graph:
        ys, xs, names = total_against_partial()
        tf.gradients(ys, xs, stop_gradients=xs)
        scene = build_scene(graph.backwards[-1], names=names)
    assert plain((scene.caption[0],)) == "∂y/∂a = 1   ∂y/∂b = 1   ∂y/∂c = 1"
    cuts = edge_labels(scene, EdgeKind.CUT)
    assert sorted(cuts) == [
        "✂ stop_gradients=[…] holds back 2 here, 2 at a",
        "✂ stop_gradients=[…] holds back 3 here, 3 at b",
    ]


def _with_names(pair: tuple[Backward, dict[Tensor, str]]) -> tuple[object]:
    backward, names = pair
    return (type("Question", (), {"backward": backward, "names": names, "feeds": {}})(),)


def test_an_integer_on_the_way_is_a_cut_and_the_answer_is_none() -> None:
    def build() -> tuple[list[Tensor], list[Tensor], dict[Tensor, str]]:
        x = tf.constant(2.5, name="x")
        y = tf.cast(tf.cast(x, tf.int32), tf.float32) * 3.0
        return [y], [x], {x: "x", y: "y"}

    scene = build_scene(*_with_names(gradients(build)))
    assert plain((scene.caption[0],)) == "dy/dx = None"
    assert edge_labels(scene, EdgeKind.CUT) == ["✂ integer"]
    assert "x\u0304 = None" in of_kind(scene, NodeKind.NONE)


@pytest.mark.parametrize("method", [0, 1, 2])
def test_eight_terms_are_one_sum_whatever_the_method(method: int) -> None:
    def build() -> tuple[list[Tensor], list[Tensor], dict[Tensor, str]]:
        x = tf.constant(2.0, name="x")
        z = tf.add_n([x * float(k + 1) for k in range(8)])
        return [z], [x], {x: "x", z: "z"}

    question = _with_names(gradients(build, aggregation_method=method))
    mirror = build_scene(*question)
    assert any("1 + 2 + 3 + … + 8 = 36" in text for text in of_kind(mirror, NodeKind.ACCUMULATE))
    operations = build_scene(*question, view="operations")
    assert len(of_kind(operations, NodeKind.ACCUMULATE)) == {0: 1, 1: 7, 2: 1}[method]


def test_a_variable_is_one_node_and_a_missing_value_is_said() -> None:
    with tf.Graph().as_default() as graph:
        v = tf.Variable(3.0, name="v")
        p = tf.placeholder(tf.float32, [], name="p")
        tf.gradients(v * v * p, [v])
        backward = graph.backwards[-1]
        empty = build_scene(backward)
        fed = build_scene(backward, feeds={p: np.float32(2.0)})
    assert of_kind(empty, NodeKind.VARIABLE) == ["v 3"]
    assert of_kind(empty, NodeKind.PLACEHOLDER) == ["p not computed"]
    assert of_kind(fed, NodeKind.PLACEHOLDER) == ["p 2"]
    assert plain((fed.caption[0],)).endswith("= 6 + 6 = 12")
    assert [node.id for node in empty.nodes] == [node.id for node in fed.nodes]


@pytest.mark.parametrize("view", VIEWS)
def test_large_graphs_are_folded_before_layout(view: str) -> None:
    with tf.Graph().as_default() as graph:
        x = h = tf.constant(1.0, name="x")
        for layer in range(60):
            with tf.name_scope(f"layer{layer}"):
                h = tf.tanh(h * 0.5 + x)
        tf.gradients(h, [x])
        scene = build_scene(graph.backwards[-1], view)
    assert len(scene.nodes) <= 60
    assert any(node.kind is NodeKind.FOLD for node in scene.nodes)
    assert render(to_dot(scene)).reduced == ""


def test_any_path_can_be_highlighted_or_none() -> None:
    backward, names = separating()
    third = build_scene(backward, names=names, highlight=2)
    assert [plain(edge.lines) for edge in third.edges if edge.selected] == ["× 1"]
    none = build_scene(backward, names=names, highlight=None)
    assert not any(edge.selected for edge in none.edges)


def test_views_and_questions_are_checked() -> None:
    backward, _ = separating()
    with pytest.raises(ViewError, match="unknown view 'tree', choose one of circuit, mirror"):
        build_scene(backward, "tree")
    with pytest.raises(ViewError, match="a picture needs a backward pass, got int"):
        build_scene(3)
