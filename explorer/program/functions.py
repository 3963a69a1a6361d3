"""Functions that the program defines: real callables, run by the same interpreter.

They may be handed to the engine, as gradient functions for example, and then be called long after
the run; see `Interpreter.entered`.
"""

from __future__ import annotations

import ast
import inspect
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from engine.graph import Graph, get_default_graph
from engine.tensor import Operation, Operators
from explorer.program.assignment import bind
from explorer.program.calls import apply
from explorer.program.errors import BudgetError
from explorer.program.interpreter import EXPRESSIONS, Interpreter
from explorer.program.scopes import Frame, local_names
from explorer.program.signals import returned

_KIND = inspect.Parameter


class _Place(NamedTuple):
    """Where a function stands, under the names Python uses; the registry's messages quote it."""

    co_filename: str
    co_firstlineno: int


class InterpretedFunction:
    """A function or lambda of the program.

    Attributes:
        line: first line of the definition, decorators included.
        source: its text.
    """

    def __init__(
        self,
        interpreter: Interpreter,
        node: ast.FunctionDef | ast.Lambda,
        frame: Frame,
        signature: inspect.Signature,
    ) -> None:
        self.interpreter = interpreter
        self.node = node
        self.frame = frame
        self.__signature__ = signature
        self.__name__ = node.name if isinstance(node, ast.FunctionDef) else "<lambda>"
        self.__qualname__ = self.__name__
        self.__doc__ = ast.get_docstring(node) if isinstance(node, ast.FunctionDef) else None
        self._local_names = local_names(node)
        parameters = signature.parameters.values()
        self._simple = all(p.kind is _KIND.POSITIONAL_OR_KEYWORD for p in parameters)
        self._names = tuple(signature.parameters)

    @property
    def shown(self) -> str:
        return f"<function {self.__name__}>"

    def __repr__(self) -> str:
        return self.shown

    @property
    def __code__(self) -> _Place:
        return _Place("the program", self.line)

    @property
    def line(self) -> int:
        decorators = getattr(self.node, "decorator_list", ())
        lines = [decorator.lineno for decorator in decorators]
        return int(min([self.node.lineno, *lines]))

    @property
    def source(self) -> str:
        rows = self.interpreter.text.split("\n")
        if isinstance(self.node, ast.Lambda):
            return ast.get_source_segment(self.interpreter.text, self.node) or ""
        block = rows[self.line - 1 : self.node.end_lineno]
        margin = len(block[0]) - len(block[0].lstrip())
        return "\n".join(row[margin:] for row in block)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        interpreter = self.interpreter
        if interpreter.meter.armed:
            return self._run(args, kwargs)
        with interpreter.entered(), _graph_of(args).as_default():
            return self._run(args, kwargs)

    def _run(self, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
        it = self.interpreter
        frame = Frame(self._bound(args, kwargs), self.frame, self._local_names)
        limit = it.meter.budget.calls
        if it.calls >= limit:
            raise BudgetError(
                f"functions call each other more than {limit} deep; use a loop, or check that "
                "the recursion ends"
            )
        it.calls += 1
        line = it.line
        try:
            node = self.node
            if isinstance(node, ast.Lambda):
                it.move_to(node.lineno)
                result = EXPRESSIONS[node.body.__class__](it, node.body, frame)
            else:
                signal = it.execute(node.body, frame)
                result = returned(signal, it.line)
        finally:
            it.calls -= 1
        it.move_to(line)  # not after an error: its line is the one to report
        return result

    def _bound(self, args: Sequence[Any], kwargs: Mapping[str, Any]) -> dict[str, Any]:
        if self._simple and not kwargs and len(args) == len(self._names):
            return dict(zip(self._names, args, strict=True))
        try:
            bound = self.__signature__.bind(*args, **kwargs)
        except TypeError as error:
            raise TypeError(f"{self.__name__}(): {error}") from None
        bound.apply_defaults()
        return dict(bound.arguments)


def _graph_of(args: Sequence[Any]) -> Graph:
    """Return the graph that a call from outside the run is about."""
    for value in args:
        if isinstance(value, Operation | Operators):
            return value.graph if isinstance(value, Operation) else value.as_tensor().graph
    return get_default_graph()


def _signature(it: Interpreter, arguments: ast.arguments, frame: Frame) -> inspect.Signature:
    """Return the parameters, with their defaults evaluated now, as Python does."""
    positional = [*arguments.posonlyargs, *arguments.args]
    missing = [_KIND.empty] * (len(positional) - len(arguments.defaults))
    defaults = [*missing, *(it.evaluate(node, frame) for node in arguments.defaults)]
    parameters = [
        _KIND(
            argument.arg,
            _KIND.POSITIONAL_ONLY
            if index < len(arguments.posonlyargs)
            else _KIND.POSITIONAL_OR_KEYWORD,
            default=default,
        )
        for index, (argument, default) in enumerate(zip(positional, defaults, strict=True))
    ]
    if arguments.vararg:
        parameters.append(_KIND(arguments.vararg.arg, _KIND.VAR_POSITIONAL))
    for argument, node in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True):
        default = _KIND.empty if node is None else it.evaluate(node, frame)
        parameters.append(_KIND(argument.arg, _KIND.KEYWORD_ONLY, default=default))
    if arguments.kwarg:
        parameters.append(_KIND(arguments.kwarg.arg, _KIND.VAR_KEYWORD))
    return inspect.Signature(parameters)


def make_lambda(it: Interpreter, node: ast.Lambda, frame: Frame) -> InterpretedFunction:
    return InterpretedFunction(it, node, frame, _signature(it, node.args, frame))


def define(it: Interpreter, node: ast.FunctionDef, frame: Frame) -> None:
    """Make a function, hand it through its decorators, and bind its name."""
    decorators = [it.evaluate(decorator, frame) for decorator in node.decorator_list]
    value: Any = InterpretedFunction(it, node, frame, _signature(it, node.args, frame))
    for decorator, written in zip(reversed(decorators), reversed(node.decorator_list), strict=True):
        it.move_to(written.lineno)
        value = apply(it, decorator, [value], {})
    bind(it, node.name, value, frame)


EXPRESSIONS[ast.Lambda] = make_lambda
