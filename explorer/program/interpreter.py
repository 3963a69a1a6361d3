"""The state of one run, and the dispatch from syntax node to handler.

What the language knows is what stands in two tables, one for statements and one for expressions.
A node that is in neither is refused: nothing is allowed because somebody forgot to forbid it.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NoReturn

from engine.errors import EngineError
from engine.graph import Graph, source_line
from engine.tensor import Operation
from explorer.program.budget import Budget, Meter
from explorer.program.errors import BudgetError, ProgramError
from explorer.program.faces import Face
from explorer.program.labels import Labels
from explorer.program.scopes import Frame

_ROOT = f"{Path(__file__).parents[2]}/"
_LONGEST = 600  # characters of a sentence

Handler = Callable[["Interpreter", Any, Frame], Any]

REFUSED: dict[type[ast.AST], str] = {
    ast.ClassDef: "classes are not part of the language; write functions and dictionaries",
    ast.AsyncFunctionDef: "write `def` without `async`",
    ast.AsyncFor: "write `for` without `async`",
    ast.AsyncWith: "write `with` without `async`",
    ast.Await: "leave `await` out",
    ast.Yield: "generators are not part of the language; append to a list and return it",
    ast.YieldFrom: "generators are not part of the language; append to a list and return it",
    ast.Match: "`match` is not part of the language; write `if` and `elif`",
    ast.TryStar: "write `except` without the star",
    ast.Starred: "a star is allowed only in a call, a list or an assignment",
}


class _Table(dict[type[ast.AST], Handler]):
    """Handlers by node type; a type without one is answered by a refusal."""

    def __missing__(self, node_type: type[ast.AST]) -> Handler:
        return _refuse


def _refuse(interpreter: Interpreter, node: ast.AST, frame: Frame) -> NoReturn:
    name = type(node).__name__
    sentence = REFUSED.get(type(node), f"{name} is not part of the language; write it more simply")
    raise ProgramError(sentence, getattr(node, "lineno", None))


EXPRESSIONS = _Table()
STATEMENTS = _Table()


class Interpreter:
    """Runs one program.

    Attributes:
        meter: what the run has used.
        line: the line being executed.
        printed: the text printed so far, in pieces.
        builtins: names that have a value without an import.
        labels: how tensors are called in the program.
        text: the text to which the positions in the tree refer.
        seed: of all random numbers.
        modules: the modules imported so far, by name.
        constructors: what makes a value of each type that the program may call.
        graphs: every graph of the run.
    """

    def __init__(self, budget: Budget, text: str, seed: int) -> None:
        self.meter = Meter(budget)
        self.text = text
        self.seed = seed
        self.builtins: Mapping[str, Any] = {}
        self.line: int | None = None
        self.printed: list[str] = []
        self.labels = Labels()
        self.calls = 0
        self.handled: list[BaseException] = []
        self.modules: dict[str, Face] = {}
        self.constructors: dict[type, Any] = {}
        self.graphs: list[Graph] = []

    def evaluate(self, node: ast.expr, frame: Frame) -> Any:
        return EXPRESSIONS[node.__class__](self, node, frame)

    def execute(self, body: Sequence[ast.stmt], frame: Frame) -> Any:
        """Run statements; return None, or what interrupted them (see statements.py)."""
        step = self.meter.step
        for statement in body:
            step()
            line = statement.lineno
            if line != self.line:
                self.line = line
                source_line.set(line)
            signal = STATEMENTS[statement.__class__](self, statement, frame)
            if signal is not None:
                return signal
        return None

    def count_operation(self, op: Operation) -> None:
        """Charge an operation that was just added to a graph of the program."""
        self.meter.operation(op.outputs)

    def move_to(self, line: int | None) -> None:
        """Note the line that operations made from now on belong to."""
        self.line = line
        source_line.set(line)

    @contextmanager
    def entered(self) -> Iterator[None]:
        """Run what the text says: count it, and turn whatever goes wrong into a ProgramError.

        The program's functions may be called again after the run, for example when the explorer
        takes another gradient; they then have a budget of their own.
        """
        if self.meter.armed:
            yield
            return
        self.meter.start()
        self.calls = 0
        before = source_line.get()
        try:
            yield
        except BaseException as error:
            translated = self.as_program_error(error)
            if translated is None:
                raise
            raise translated from error
        finally:
            self.meter.stop()
            source_line.set(before)

    def as_program_error(self, error: BaseException) -> ProgramError | None:
        """Return what to tell the author; None for an interruption from outside, such as Ctrl-C."""
        if isinstance(error, ProgramError):
            if error.line is None:
                return type(error)(error.sentence, self.line)
            return error
        if isinstance(error, RecursionError):
            return BudgetError("functions call each other too deeply; use a loop", self.line)
        if isinstance(error, MemoryError):
            return BudgetError("the values do not fit into memory; use smaller ones", self.line)
        if isinstance(error, Exception):
            return ProgramError(sentence_of(error), self.line)
        return None


def sentence_of(error: BaseException) -> str:
    """Return an exception's message as one line; its type when it has no message."""
    if isinstance(error, KeyError) and not isinstance(error, EngineError):
        key = error.args[0] if error.args else ""
        return f"the dictionary has no key {key!r}"[:_LONGEST]
    try:
        words = " ".join(str(error).split())
    except Exception:  # a message that cannot be written is as good as none
        words = ""
    if not words:
        return type(error).__name__
    words = words.replace(_ROOT, "")  # where the product is installed is nobody's business
    return words if len(words) <= _LONGEST else f"{words[:_LONGEST]}..."
