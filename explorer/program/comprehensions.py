"""List, set and dictionary comprehensions, each with a scope of its own.

A generator expression is worked out at once, as a list: nothing in the language can tell.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

from explorer.program.assignment import assign
from explorer.program.interpreter import EXPRESSIONS, Interpreter
from explorer.program.scopes import Frame
from explorer.program.sizes import check_argument, checked


def _targets(generators: list[ast.comprehension]) -> frozenset[str]:
    return frozenset(
        node.id
        for generator in generators
        for node in ast.walk(generator.target)
        if isinstance(node, ast.Name)
    )


def _rounds(it: Interpreter, generators: list[ast.comprehension], frame: Frame) -> Iterator[Frame]:
    """Yield the inner scope once for each combination that passes the conditions."""
    inner = Frame({}, frame, _targets(generators), comprehension=True)
    # The first iterable is evaluated outside, as in Python.
    first = iter(it.evaluate(generators[0].iter, frame))
    yield from _nested(it, generators, 0, first, inner)


def _nested(
    it: Interpreter,
    generators: list[ast.comprehension],
    index: int,
    values: Iterator[Any],
    inner: Frame,
) -> Iterator[Frame]:
    generator = generators[index]
    if generator.is_async:
        raise TypeError("write the comprehension without `async`")
    for value in values:
        it.meter.step()
        assign(it, generator.target, value, inner)
        if not all(it.evaluate(condition, inner) for condition in generator.ifs):
            continue
        if index + 1 == len(generators):
            yield inner
        else:
            following = iter(it.evaluate(generators[index + 1].iter, inner))
            yield from _nested(it, generators, index + 1, following, inner)


def _list(it: Interpreter, node: ast.ListComp | ast.GeneratorExp, frame: Frame) -> Any:
    element = node.elt
    handler = EXPRESSIONS[element.__class__]
    rounds = _rounds(it, node.generators, frame)
    return checked(it.meter, [handler(it, element, inner) for inner in rounds])


def _set(it: Interpreter, node: ast.SetComp, frame: Frame) -> Any:
    found: set[Any] = set()
    for inner in _rounds(it, node.generators, frame):
        value = it.evaluate(node.elt, inner)
        check_argument(it.meter, value)
        found.add(value)
    return checked(it.meter, found)


def _dict(it: Interpreter, node: ast.DictComp, frame: Frame) -> Any:
    found: dict[Any, Any] = {}
    for inner in _rounds(it, node.generators, frame):
        key = it.evaluate(node.key, inner)
        check_argument(it.meter, key)
        found[key] = it.evaluate(node.value, inner)
    return checked(it.meter, found)


EXPRESSIONS.update(
    {ast.ListComp: _list, ast.GeneratorExp: _list, ast.SetComp: _set, ast.DictComp: _dict}
)
