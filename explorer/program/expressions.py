"""What an expression is worth: names, literals, operators, indexing, calls."""

from __future__ import annotations

import ast
import math
from typing import Any

import numpy as np

from engine.shapes import TensorShape
from engine.tensor import Operators
from explorer.program.attributes import attribute
from explorer.program.calls import apply
from explorer.program.formatting import format_value
from explorer.program.interpreter import EXPRESSIONS, Interpreter
from explorer.program.operators import UNARY, binary, compare
from explorer.program.scopes import Frame
from explorer.program.sizes import CONTAINERS, check_nesting, checked

_INDEXED = (list, tuple, dict, str, bytes, range, np.ndarray, np.generic, Operators, TensorShape)


def _constant(it: Interpreter, node: ast.Constant, frame: Frame) -> Any:
    return checked(it.meter, node.value)


def _name(it: Interpreter, node: ast.Name, frame: Frame) -> Any:
    try:
        return frame.values[node.id]
    except KeyError:
        pass
    return frame.lookup(node.id, it.builtins)


def _binary(it: Interpreter, node: ast.BinOp, frame: Frame) -> Any:
    # `a + b + c + ...` leans to the left; walking that side in a loop keeps long sums shallow.
    pending = [node]
    left = node.left
    while left.__class__ is ast.BinOp:
        pending.append(left)
        left = left.left
    value = EXPRESSIONS[left.__class__](it, left, frame)
    while pending:
        inner = pending.pop()
        right = EXPRESSIONS[inner.right.__class__](it, inner.right, frame)
        value = binary(it.meter, inner.op.__class__, value, right)
    return value


def _unary(it: Interpreter, node: ast.UnaryOp, frame: Frame) -> Any:
    operand = EXPRESSIONS[node.operand.__class__](it, node.operand, frame)
    return UNARY[node.op.__class__](operand)


def _boolean(it: Interpreter, node: ast.BoolOp, frame: Frame) -> Any:
    wanted = node.op.__class__ is ast.Or
    value: Any = None
    for part in node.values:
        value = EXPRESSIONS[part.__class__](it, part, frame)
        if bool(value) is wanted:
            return value
    return value


def _compare(it: Interpreter, node: ast.Compare, frame: Frame) -> Any:
    left = EXPRESSIONS[node.left.__class__](it, node.left, frame)
    result: Any = True
    last = len(node.ops) - 1
    for index, (kind, part) in enumerate(zip(node.ops, node.comparators, strict=True)):
        right = EXPRESSIONS[part.__class__](it, part, frame)
        result = compare(it.meter, kind.__class__, left, right)
        if index < last and not result:
            return result
        left = right
    return result


def _conditional(it: Interpreter, node: ast.IfExp, frame: Frame) -> Any:
    chosen = node.body if EXPRESSIONS[node.test.__class__](it, node.test, frame) else node.orelse
    return EXPRESSIONS[chosen.__class__](it, chosen, frame)


def entries(it: Interpreter, nodes: list[ast.expr], frame: Frame) -> list[Any]:
    """Return the values of the entries of a list, tuple, set or call, stars unpacked."""
    values: list[Any] = []
    for node in nodes:
        if node.__class__ is ast.Starred:
            starred = node.value
            for value in it.evaluate(starred, frame):
                it.meter.step()
                values.append(value)
        else:
            values.append(EXPRESSIONS[node.__class__](it, node, frame))
    return values


def _list(it: Interpreter, node: ast.List, frame: Frame) -> Any:
    return checked(it.meter, entries(it, node.elts, frame))


def _tuple(it: Interpreter, node: ast.Tuple, frame: Frame) -> Any:
    return checked(it.meter, tuple(entries(it, node.elts, frame)))


def _set(it: Interpreter, node: ast.Set, frame: Frame) -> Any:
    values = entries(it, node.elts, frame)
    check_nesting(it.meter, values)  # before they are hashed
    return set(values)


def _dict(it: Interpreter, node: ast.Dict, frame: Frame) -> Any:
    found: dict[Any, Any] = {}
    for key_node, value_node in zip(node.keys, node.values, strict=True):
        value = it.evaluate(value_node, frame)
        if key_node is None:
            if not isinstance(value, dict):
                raise TypeError(f"** needs a dictionary (got {type(value).__name__})")
            found.update(value)
        else:
            found[_key(it, it.evaluate(key_node, frame))] = value
    return checked(it.meter, found)


def _key(it: Interpreter, key: Any) -> Any:
    """Return an index or dictionary key, measured before it is hashed."""
    if key.__class__ in CONTAINERS:
        check_nesting(it.meter, key)
    return key


def item(it: Interpreter, value: Any, key: Any) -> Any:
    """Return `value[key]`."""
    if not issubclass(type(value), _INDEXED):
        raise TypeError(f"a value of type {_kind(value)} cannot be indexed")
    if isinstance(value, np.ndarray):
        _check_gather(it, value, key)
    try:
        return checked(it.meter, value[_key(it, key)])
    except KeyError as error:
        if isinstance(value, dict):
            raise KeyError(key) from None
        raise error


def _check_gather(it: Interpreter, array: Any, key: Any) -> None:
    """Refuse an index array that would copy rows too often."""
    parts = key if isinstance(key, tuple) else (key,)
    picked = [np.size(part) for part in parts if isinstance(part, list | np.ndarray)]
    if picked:
        it.meter.elements(max(picked) * math.prod(array.shape[1:]), "an array")


def _kind(value: Any) -> str:
    return "function" if callable(value) else "None" if value is None else type(value).__name__


def _subscript(it: Interpreter, node: ast.Subscript, frame: Frame) -> Any:
    value = EXPRESSIONS[node.value.__class__](it, node.value, frame)
    return item(it, value, EXPRESSIONS[node.slice.__class__](it, node.slice, frame))


def _slice(it: Interpreter, node: ast.Slice, frame: Frame) -> Any:
    parts = (node.lower, node.upper, node.step)
    return slice(*(None if part is None else it.evaluate(part, frame) for part in parts))


def _attribute(it: Interpreter, node: ast.Attribute, frame: Frame) -> Any:
    value = EXPRESSIONS[node.value.__class__](it, node.value, frame)
    return attribute(it, value, node.attr)


def _call(it: Interpreter, node: ast.Call, frame: Frame) -> Any:
    function = EXPRESSIONS[node.func.__class__](it, node.func, frame)
    args = entries(it, node.args, frame)
    kwargs: dict[str, Any] = {}
    for keyword in node.keywords:
        value = it.evaluate(keyword.value, frame)
        if keyword.arg is not None:
            kwargs[keyword.arg] = value
        elif isinstance(value, dict) and all(isinstance(key, str) for key in value):
            kwargs.update(value)
        else:
            raise TypeError("** in a call needs a dictionary whose keys are strings")
    return apply(it, function, args, kwargs)


def _formatted(it: Interpreter, node: ast.JoinedStr, frame: Frame) -> str:
    pieces: list[str] = []
    length = 0
    for part in node.values:
        piece = (
            _formatted_value(it, part, frame)
            if isinstance(part, ast.FormattedValue)
            else str(it.evaluate(part, frame))
        )
        pieces.append(piece)
        length += len(piece)
        it.meter.string(length)
    return "".join(pieces)


def _formatted_value(it: Interpreter, node: ast.FormattedValue, frame: Frame) -> str:
    value = it.evaluate(node.value, frame)
    spec = "" if node.format_spec is None else it.evaluate(node.format_spec, frame)
    conversion = chr(node.conversion) if node.conversion > 0 else ""
    return format_value(it.meter, value, spec, conversion)


def _assignment(it: Interpreter, node: ast.NamedExpr, frame: Frame) -> Any:
    value = it.evaluate(node.value, frame)
    name = node.target.id
    home = frame.assignment_expression_home(name)
    home.values[name] = value
    it.labels.bind(name, value, outermost=home.parent is None)
    return value


EXPRESSIONS.update(
    {
        ast.Constant: _constant,
        ast.Name: _name,
        ast.BinOp: _binary,
        ast.UnaryOp: _unary,
        ast.BoolOp: _boolean,
        ast.Compare: _compare,
        ast.IfExp: _conditional,
        ast.List: _list,
        ast.Tuple: _tuple,
        ast.Set: _set,
        ast.Dict: _dict,
        ast.Subscript: _subscript,
        ast.Slice: _slice,
        ast.Attribute: _attribute,
        ast.Call: _call,
        ast.JoinedStr: _formatted,
        ast.FormattedValue: _formatted_value,
        ast.NamedExpr: _assignment,
    }
)
