"""Scenes and programs that the picture tests share."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree

import engine as tf
from engine.backward import Backward
from engine.tensor import Tensor
from explorer.scene import Edge, EdgeKind, Node, NodeKind, Run, Scene

SVG = "{http://www.w3.org/2000/svg}"

HOSTILE = (
    "\"quoted\" 'single'",
    "a:b:c",
    "<b>&amp;</b>",
    "<<TABLE>>",
    "back\\slash\\N\\G\\E\\l",
    "trailing\\",
    "损失函数",
    "😀 emoji",
    "{record|fields}",
    "-->]]>",
    "%3Cscript%3E",
)


def two_nodes(text: str) -> Scene:
    """Return a scene whose node, edge label, tooltip and caption all carry a text."""
    label = ((Run(text),),)
    nodes = (
        Node("n-1", NodeKind.OP, text, label, detail=text),
        Node("n-2", NodeKind.ACCUMULATE, text, label, detail=text),
    )
    edge = Edge("e-1", "n-1", "n-2", EdgeKind.DATA, label, detail=text)
    return Scene("mirror", text, nodes, (edge,), caption=label, alt=text)


def separating() -> tuple[Backward, dict[Tensor, str]]:
    """Build h = w·x, y = h·h + 5·stop(h) + x at w = 2, x = 3: dy/dx = 25, 10 held back."""
    with tf.Graph().as_default():
        w, x = tf.constant(2.0, name="w"), tf.constant(3.0, name="x")
        h = w * x
        y = h * h + tf.stop_gradient(h) * 5.0 + x
        tf.gradients(y, [x])
        return y.graph.backwards[-1], {h: "h", y: "y"}


def texts(svg: str) -> list[str]:
    """Return the lines of text in an SVG, each as one string."""
    root = ElementTree.fromstring(svg)
    return ["".join(text.itertext()) for text in root.iter(f"{SVG}text")]


def groups(svg: str) -> dict[str, ElementTree.Element]:
    """Return the groups of an SVG by id."""
    root = ElementTree.fromstring(svg)
    return {group.get("id", ""): group for group in root.iter(f"{SVG}g")}


def title(group: ElementTree.Element) -> str:
    """Return the title of a group."""
    return group.findtext(f"{SVG}title", "")
