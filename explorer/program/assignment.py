"""How values get their places: names, tuples of names, entries of lists and arrays."""

from __future__ import annotations

import ast
from typing import Any

import numpy as np

from engine.tensor import Operators
from explorer.program.errors import ProgramError
from explorer.program.expressions import item
from explorer.program.interpreter import Interpreter
from explorer.program.labels import COLLECTIONS, NAMED
from explorer.program.operators import in_place
from explorer.program.scopes import Frame
from explorer.program.sizes import check_argument

_LABELLED = NAMED | COLLECTIONS


def assign(it: Interpreter, target: ast.expr, value: Any, frame: Frame) -> None:
    """Bind a value to a target."""
    if target.__class__ is ast.Name:
        bind(it, target.id, value, frame)
    elif isinstance(target, ast.Tuple | ast.List):
        _unpack(it, target.elts, value, frame)
    elif isinstance(target, ast.Subscript):
        container = it.evaluate(target.value, frame)
        _set_item(it, container, it.evaluate(target.slice, frame), value)
    elif isinstance(target, ast.Attribute):
        raise ProgramError(_attribute_sentence(target.attr), target.lineno)
    else:
        raise ProgramError("this cannot be assigned to; write a name", target.lineno)


def bind(it: Interpreter, name: str, value: Any, frame: Frame) -> None:
    """Bind a value to a name where the name belongs."""
    if frame.elsewhere:
        frame = frame.home(name)
    frame.values[name] = value
    if name.startswith("_") or frame.comprehension:
        return  # names for a moment, not what the author calls a tensor
    if value.__class__ in _LABELLED:
        it.labels.bind(name, value, outermost=frame.parent is None)
    elif frame.parent is None and name in it.labels.names:
        it.labels.unbind(name)


def _attribute_sentence(name: str) -> str:
    if name == "trainable":
        return "set it when the variable is made: tf.Variable(..., trainable=False)"
    return f"attributes such as .{name} cannot be assigned; bind a name instead"


def _unpack(it: Interpreter, targets: list[ast.expr], value: Any, frame: Frame) -> None:
    if isinstance(value, Operators) and value.as_tensor().dims == ():
        raise TypeError(f"cannot unpack a number into {len(targets)} names")
    values = []
    for entry in value:
        it.meter.step()
        values.append(entry)
    star = next((i for i, target in enumerate(targets) if isinstance(target, ast.Starred)), None)
    if star is None:
        if len(values) != len(targets):
            raise ValueError(f"{len(targets)} names on the left, {len(values)} values on the right")
    else:
        after = len(targets) - star - 1
        if len(values) < star + after:
            raise ValueError(f"at least {star + after} values are needed (got {len(values)})")
        middle = len(values) - after
        values = [*values[:star], values[star:middle], *values[middle:]]
    for target, entry in zip(targets, values, strict=True):
        assign(it, target.value if isinstance(target, ast.Starred) else target, entry, frame)


def _set_item(it: Interpreter, container: Any, key: Any, value: Any) -> None:
    if isinstance(container, Operators):
        raise TypeError(
            "entries of a tensor cannot be assigned; build a new tensor, for example with tf.where"
        )
    if not isinstance(container, list | dict | np.ndarray):
        raise TypeError(f"entries of a {type(container).__name__} cannot be assigned")
    check_argument(it.meter, key)
    check_argument(it.meter, value)
    if isinstance(container, list) and isinstance(key, slice):
        value = list(value)
        it.meter.elements(len(container) + len(value), "a list")
    container[key] = value


def augmented(it: Interpreter, node: ast.AugAssign, frame: Frame) -> None:
    """Carry out `target op= value`, evaluating the parts of the target once."""
    target = node.target
    kind = node.op.__class__
    if isinstance(target, ast.Name):
        old = frame.lookup(target.id, {})
        value = in_place(it.meter, kind, old, it.evaluate(node.value, frame))
        bind(it, target.id, value, frame)
    elif isinstance(target, ast.Subscript):
        container = it.evaluate(target.value, frame)
        key = it.evaluate(target.slice, frame)
        old = item(it, container, key)
        _set_item(it, container, key, in_place(it.meter, kind, old, it.evaluate(node.value, frame)))
    else:
        raise ProgramError(_attribute_sentence(target.attr), node.lineno)


def delete(it: Interpreter, target: ast.expr, frame: Frame) -> None:
    """Carry out `del target`."""
    if isinstance(target, ast.Name):
        home = frame.home(target.id)
        if target.id not in home.values:
            raise NameError(f"{target.id!r} has no value that could be deleted")
        del home.values[target.id]
    elif isinstance(target, ast.Tuple | ast.List):
        for part in target.elts:
            delete(it, part, frame)
    elif isinstance(target, ast.Subscript):
        container = it.evaluate(target.value, frame)
        key = it.evaluate(target.slice, frame)
        if not isinstance(container, list | dict):
            raise TypeError(f"entries of a {type(container).__name__} cannot be deleted")
        check_argument(it.meter, key)
        del container[key]
    else:
        raise ProgramError("attributes cannot be deleted", target.lineno)
