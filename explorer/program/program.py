"""The way in: run a text, get its graph, its questions and what it printed."""

from __future__ import annotations

import contextvars
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from engine import registry
from engine.graph import Graph
from engine.tensor import Tensor
from engine.variables import Variable
from explorer.program import statements  # noqa: F401 - fills the table of statements
from explorer.program.budget import Budget
from explorer.program.builtin_face import builtins, constructors
from explorer.program.errors import ProgramError
from explorer.program.functions import InterpretedFunction
from explorer.program.interpreter import Interpreter
from explorer.program.parse import parse
from explorer.program.scopes import Frame
from explorer.program.signals import returned
from explorer.program.tensorflow_face import meter_graph, release_graph
from explorer.question import Question


@dataclass(frozen=True, eq=False)
class Program:
    """What came of running a text.

    Attributes:
        text: the text as it was given.
        graph: the graph of the last question; without questions the one with most operations.
        questions: every call of gradients, hessians or a tape's gradient, in order.
        printed: the lines that the program printed.
        names: by name in the program, the tensor or variable it is bound to at the end.
        labels: what each named tensor is called, no two alike; a variable by its handle.
        functions: by name, the functions that the program defines.
        seed: of all random numbers.
    """

    text: str
    graph: Graph
    questions: tuple[Question, ...]
    printed: tuple[str, ...]
    names: Mapping[str, Tensor | Variable]
    labels: Mapping[Tensor, str]
    functions: Mapping[str, InterpretedFunction] = field(default_factory=dict)
    seed: int = 0


def run(text: str, budget: Budget | None = None, seed: int = 0) -> Program:
    """Run a program.

    Args:
        text: Python in TensorFlow's vocabulary, see the package's README.
        budget: its limits.
        seed: of all random numbers; equal texts with equal seeds give equal numbers.

    Raises:
        ProgramError: anything is wrong with the text; nothing else is raised.

    >>> program = run("import tensorflow as tf\\nx = tf.Variable(3.0)\\nprint(2 + 1)")
    >>> program.printed
    ('3',)
    """
    limits = budget or Budget()
    # In a context of its own, so that default graph, sessions and print options end with the run.
    return contextvars.copy_context().run(_run, text, limits, seed)


def _run(text: str, budget: Budget, seed: int) -> Program:
    try:
        tree, plain = parse(text, budget)
    except (RecursionError, MemoryError):
        raise ProgramError("the program is too deeply nested to be read; split it up") from None
    it = Interpreter(budget, plain, seed)
    it.builtins = builtins(it)
    it.constructors.update(constructors(it))
    frame = Frame({})
    with registry.scoped():
        graph = Graph()
        meter_graph(it, graph)
        try:
            with it.entered(), graph.as_default():
                returned(it.execute(tree.body, frame), it.line)
        finally:
            for each in it.graphs:
                release_graph(it, each)
    return _program(text, it, frame)


def _program(text: str, it: Interpreter, frame: Frame) -> Program:
    labels = it.labels.by_tensor()
    questions = tuple(
        Question(record, labels, graph.feeds)
        for graph in it.graphs
        for record in graph.backwards
        if record.kind != "inner"
    )
    if questions:
        graph = questions[-1].backward.graph
    else:
        graph = max(it.graphs, key=lambda each: each.size_in_operations)
    return Program(
        text=text,
        graph=graph,
        questions=questions,
        printed=_lines("".join(it.printed)),
        names=dict(it.labels.names),
        labels=labels,
        functions=_functions(frame.values),
        seed=it.seed,
    )


def _functions(values: Mapping[str, Any]) -> dict[str, InterpretedFunction]:
    return {name: value for name, value in values.items() if isinstance(value, InterpretedFunction)}


def _lines(text: str) -> tuple[str, ...]:
    # Half a surrogate pair cannot be written to a page or a file.
    rows = text.encode("utf-8", "replace").decode("utf-8").split("\n")
    return tuple(rows[:-1] if not rows[-1] else rows)
