"""Scenes compare by value, refuse contradictions, and make ids that cannot collide."""

from __future__ import annotations

import pytest

from explorer.scene import (
    Cluster,
    Edge,
    EdgeKind,
    Node,
    NodeKind,
    Run,
    Scene,
    SceneError,
    identifier,
    plain,
)

LINE = ((Run("x"),),)


def node(name: str, **more: object) -> Node:
    return Node(name, NodeKind.OP, name, LINE, **more)  # type: ignore[arg-type]


def test_equal_content_is_equal() -> None:
    assert Scene("mirror", "t", (node("a"),)) == Scene("mirror", "t", (node("a"),))
    assert Scene("mirror", "t", (node("a"),)) != Scene("mirror", "t", (node("b"),))


@pytest.mark.parametrize(
    ("scene", "message"),
    [
        ({"nodes": (node("a"), node("a"))}, "scene id 'a' is used 2 times"),
        (
            {"nodes": (node("a"),), "edges": (Edge("e", "a", "b", EdgeKind.DATA),)},
            "edge 'e' refers to 'b', which is not a node",
        ),
        ({"nodes": (node("a", row="r"),)}, "node 'a' is in 'r', which is not a cluster"),
        ({"nodes": (node("a", twin="b"),)}, "node 'a' has twin 'b', which is not a node"),
        ({"nodes": (node("a"),), "hints": (("a", "c"),)}, "refers to 'c'"),
        (
            {"nodes": (node("a"),), "clusters": (Cluster("a", "", "forward"),)},
            "scene id 'a' is used 2 times",
        ),
    ],
)
def test_a_scene_does_not_contradict_itself(scene: dict[str, object], message: str) -> None:
    with pytest.raises(SceneError, match=message):
        Scene("mirror", "t", **scene)  # type: ignore[arg-type]


def test_nodes_are_found_by_id() -> None:
    scene = Scene("mirror", "t", (node("a"),))
    assert scene.node("a").title == "a"
    with pytest.raises(SceneError, match="no node 'z' in the scene of 1 nodes"):
        scene.node("z")


def test_ids_of_different_content_differ() -> None:
    names = ["a/b", "a_b", "a-b", "a.b", "a__b", "a_2f_b", "权重", "", "a:0"]
    made = [identifier("n", name) for name in names]
    assert len(set(made)) == len(names)
    assert all(set(name) <= set("abcdefn0123456789_-") for name in made)


def test_a_label_reads_as_plain_text() -> None:
    lines = ((Run("x", over=True), Run(" = "), Run("loss", over=True)), (Run("25"),))
    assert plain(lines) == "x\u0304 = loss 25"
