"""Where names live: one Frame per function call, comprehension, and for the program itself."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from typing import Any, TypeAlias

_FunctionNode: TypeAlias = "ast.FunctionDef | ast.Lambda"
_Scoped = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.ClassDef


class Frame:
    """The names of one scope.

    Attributes:
        values: what the names are bound to.
        parent: the scope around it; None for the program.
        local_names: names that belong to this scope, bound already or not.
        elsewhere: names declared `global` or `nonlocal`, with the scope they belong to.
        comprehension: whether `:=` binds in the scope around this one.
    """

    __slots__ = ("comprehension", "elsewhere", "local_names", "parent", "values")

    def __init__(
        self,
        values: dict[str, Any],
        parent: Frame | None = None,
        local_names: frozenset[str] = frozenset(),
        comprehension: bool = False,
    ) -> None:
        self.values = values
        self.parent = parent
        self.local_names = local_names
        self.elsewhere: Mapping[str, Frame] = {}
        self.comprehension = comprehension

    @property
    def program(self) -> Frame:
        """The outermost scope."""
        frame = self
        while frame.parent is not None:
            frame = frame.parent
        return frame

    def lookup(self, name: str, builtins: Mapping[str, Any]) -> Any:
        """Return the value of a name.

        Raises:
            NameError: it has none.
        """
        frame: Frame | None = self.elsewhere.get(name, self)
        while frame is not None:
            if name in frame.values:
                return frame.values[name]
            if name in frame.local_names:
                raise UnboundLocalError(
                    f"{name!r} gets its value in this function only later; give it a value before "
                    f"this line, or declare it `global {name}` or `nonlocal {name}`"
                )
            frame = frame.parent
        if name in builtins:
            return builtins[name]
        raise NameError(_undefined(name))

    def home(self, name: str) -> Frame:
        """Return the scope in which an assignment to the name binds it."""
        return self.elsewhere.get(name, self)

    def assignment_expression_home(self, name: str) -> Frame:
        frame = self
        while frame.comprehension and frame.parent is not None:
            frame = frame.parent
        return frame.home(name)

    def nonlocal_home(self, name: str) -> Frame | None:
        """Return the enclosing function's scope that owns the name, if there is one."""
        frame = self.parent
        while frame is not None and frame.parent is not None:
            if name in frame.values or name in frame.local_names:
                return frame.elsewhere.get(name, frame)
            frame = frame.parent
        return None


def _undefined(name: str) -> str:
    usual = {
        "tf": "start the program with `import tensorflow as tf`",
        "np": "start the program with `import numpy as np`",
        "math": "start the program with `import math`",
        "true": "write True",
        "false": "write False",
        "null": "write None",
    }
    instead = usual.get(name, "assign to it first, or correct the spelling")
    return f"{name!r} has no value yet; {instead}"


def local_names(node: _FunctionNode) -> frozenset[str]:
    """Return the names that belong to a function: its parameters and what it assigns to."""
    arguments = node.args
    found = {
        argument.arg
        for argument in (
            *arguments.posonlyargs,
            *arguments.args,
            *arguments.kwonlyargs,
            *filter(None, (arguments.vararg, arguments.kwarg)),
        )
    }
    declared: set[str] = set()
    body = node.body if isinstance(node.body, list) else [node.body]
    for child in _own_nodes(body):
        if isinstance(child, ast.Name) and isinstance(child.ctx, ast.Store | ast.Del):
            found.add(child.id)
        elif isinstance(child, ast.FunctionDef | ast.ExceptHandler):
            found.add(child.name or "")
        elif isinstance(child, ast.alias):
            found.add((child.asname or child.name).split(".")[0])
        elif isinstance(child, ast.Global | ast.Nonlocal):
            declared.update(child.names)
    return frozenset(found - declared)


def _own_nodes(body: list[Any]) -> Iterator[ast.AST]:
    """Yield the nodes of a function that are not inside an inner function or comprehension."""
    stack: list[ast.AST] = list(body)
    while stack:
        node = stack.pop()
        yield node
        if isinstance(node, ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp):
            # Only `:=` binds outside; loop variables belong to the comprehension.
            stack.extend(
                inner.target for inner in ast.walk(node) if isinstance(inner, ast.NamedExpr)
            )
        elif isinstance(node, _Scoped):
            stack.extend(getattr(node, "decorator_list", ()))
        else:
            stack.extend(ast.iter_child_nodes(node))
