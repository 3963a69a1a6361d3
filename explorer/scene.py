"""What a picture shows, as plain immutable data, before anything is laid out or coloured.

A view turns a backward pass into a :class:`Scene`; ``dot.py`` turns a Scene into DOT. A Scene
compares by value, holds no engine object and no colour, and names its nodes by what they
are, so that the same program gives the same Scene in every process.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from enum import StrEnum

from engine.errors import EngineError


class SceneError(EngineError, ValueError):
    """A Scene that contradicts itself, such as an edge to a node that is not there."""


class NodeKind(StrEnum):
    """What a node stands for; a theme gives each kind a shape and colours."""

    INPUT = "input"
    VARIABLE = "variable"
    PLACEHOLDER = "placeholder"
    CONSTANT = "constant"
    OP = "op"
    OUTPUT = "output"
    STOP = "stop"
    GATE = "gate"
    WIRE = "wire"
    ADJOINT = "adjoint"
    ACCUMULATE = "accumulate"
    SEED = "seed"
    DEAD = "dead"
    NONE = "none"
    HELPER = "helper"
    FOLD = "fold"


class EdgeKind(StrEnum):
    """What an edge carries; a theme gives each kind a line and an arrowhead."""

    DATA = "data"
    WIRE = "wire"
    ADJOINT = "adjoint"
    DEAD = "dead"
    CUT = "cut"
    SAVED = "saved"
    CONTROL = "control"
    SEED = "seed"
    TWIN = "twin"


class Tone(StrEnum):
    """The part a run of text plays; a theme gives each tone a colour."""

    PLAIN = ""
    VALUE = "value"
    GRADIENT = "gradient"
    FACTOR = "factor"
    MUTED = "muted"
    CUT = "cut"
    SUM = "sum"


BACKWARD_EDGES = frozenset({EdgeKind.ADJOINT, EdgeKind.DEAD, EdgeKind.CUT, EdgeKind.SEED})


@dataclass(frozen=True)
class Run:
    """A stretch of text in one style.

    ``over`` draws a bar above the text (the adjoint of what is named); ``number`` marks a
    value that may change, for which a little room is kept so that a changed value does
    not move the node.
    """

    text: str
    tone: Tone = Tone.PLAIN
    bold: bool = False
    over: bool = False
    number: bool = False


Line = tuple[Run, ...]
_UNSAFE = re.compile(r"[^0-9A-Za-z]")


@dataclass(frozen=True)
class Node:
    """One thing in the picture.

    Attributes:
        id: Stable identifier made by :func:`identifier`; the same in DOT, SVG and frames.
        kind: Shape and colour role.
        title: Author's name of the thing, or a running name.
        lines: What is written inside, top to bottom.
        formula: The notation of the op or of the adjoint, in plain text.
        value: The number, in plain text.
        detail: Longer text for a tooltip.
        row: Cluster it belongs to, by cluster id; empty for none.
        twin: Id of the node this one must stand directly under; empty for none.
        emphasis: True for the y and the x of the question.
        selected: True on the selected chain-rule path.
        line: Source line of the program, if known.
        op: Name of the operation it shows.
        tensor: Name of the tensor it shows.
    """

    id: str
    kind: NodeKind
    title: str
    lines: tuple[Line, ...]
    formula: str = ""
    value: str = ""
    detail: str = ""
    row: str = ""
    twin: str = ""
    emphasis: bool = False
    selected: bool = False
    line: int | None = None
    op: str = ""
    tensor: str = ""


@dataclass(frozen=True)
class Edge:
    """One connection, written in the direction in which its number flows.

    Attributes:
        id: Stable identifier.
        source: Id of the node the number leaves.
        target: Id of the node it reaches.
        kind: Line and arrowhead role.
        lines: Label, top to bottom.
        selected: True on the selected chain-rule path.
        cut: Why no gradient crosses it, in words; empty when one does.
        detail: Longer text for a tooltip.
        factor: The local derivative it carries, in plain text.
        is_loose: True when it must not influence where its ends stand.
    """

    id: str
    source: str
    target: str
    kind: EdgeKind
    lines: tuple[Line, ...] = ()
    selected: bool = False
    cut: str = ""
    detail: str = ""
    factor: str = ""
    is_loose: bool = False


@dataclass(frozen=True)
class Cluster:
    """A framed group of nodes; ``kind`` is ``"forward"``, ``"backward"`` or ``"scope"``."""

    id: str
    label: str
    kind: str


@dataclass(frozen=True)
class LegendEntry:
    """A sample of a node or edge kind (``"node:accumulate"``, ``"edge:cut"``) and its words."""

    sample: str
    text: str


@dataclass(frozen=True)
class Scene:
    """A whole picture.

    Attributes:
        view: ``"circuit"``, ``"mirror"`` or ``"operations"``.
        title: One line that names the picture.
        nodes: In drawing order; the order is part of the Scene.
        edges: In drawing order.
        clusters: Framed groups, in the order in which they are declared to Graphviz.
        caption: Lines above the picture.
        legend: What the shapes and lines mean.
        alt: One paragraph for a person who cannot see the picture.
        ranks: Groups of node ids that share a column.
        hints: Pairs of node ids of which the first stands left of the second.

    Raises:
        SceneError: when two things share an id or something refers to a missing node.
    """

    view: str
    title: str
    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...] = ()
    clusters: tuple[Cluster, ...] = ()
    caption: tuple[Line, ...] = ()
    legend: tuple[LegendEntry, ...] = ()
    alt: str = ""
    ranks: tuple[tuple[str, ...], ...] = ()
    hints: tuple[tuple[str, str], ...] = ()

    def __post_init__(self) -> None:
        ids = [node.id for node in self.nodes] + [edge.id for edge in self.edges]
        counts = Counter([*ids, *(cluster.id for cluster in self.clusters)])
        for name, count in counts.items():
            if count > 1:
                raise SceneError(f"scene id '{name}' is used {count} times, ids must be unique")
        known = {node.id for node in self.nodes}
        rows = {"", *(cluster.id for cluster in self.clusters)}
        for edge in self.edges:
            for end in (edge.source, edge.target):
                if end not in known:
                    raise SceneError(f"edge '{edge.id}' refers to '{end}', which is not a node")
        for node in self.nodes:
            if node.row not in rows:
                raise SceneError(f"node '{node.id}' is in '{node.row}', which is not a cluster")
            if node.twin and node.twin not in known:
                raise SceneError(f"node '{node.id}' has twin '{node.twin}', which is not a node")
        for name in (name for group in (*self.ranks, *self.hints) for name in group):
            if name not in known:
                raise SceneError(f"the layout refers to '{name}', which is not a node")

    def node(self, name: str) -> Node:
        """Return the node with this id.

        Raises:
            SceneError: when there is none.
        """
        for node in self.nodes:
            if node.id == name:
                return node
        raise SceneError(f"no node '{name}' in the scene of {len(self.nodes)} nodes")


def identifier(prefix: str, *parts: object) -> str:
    """Make an id of letters, digits, ``_`` and ``-`` that no other content can give.

    Any other character is written as its code point, so ``a/b`` and ``a_b`` stay apart.

    >>> identifier("f", "a/b:0"), identifier("e", "a_b", 0)
    ('f-a_2f_b_3a_0', 'e-a__b-0')
    """
    return "-".join([prefix, *(_UNSAFE.sub(_safe, str(part)) for part in parts)])


def plain(lines: tuple[Line, ...]) -> str:
    """Read the text of a label without its styles, lines joined by a space.

    >>> plain(((Run("h", over=True), Run(" = 6")), (Run("x"),)))
    'h\u0304 = 6 x'
    """
    return " ".join("".join(_plain_run(run) for run in line) for line in lines)


def _safe(match: re.Match[str]) -> str:
    character = match.group()
    return "__" if character == "_" else f"_{ord(character):x}_"


def _plain_run(run: Run) -> str:
    return f"{run.text}\u0304" if run.over and len(run.text) == 1 else run.text
