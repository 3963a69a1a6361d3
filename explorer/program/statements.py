"""What each statement does.

A handler returns None, or a signal that stops the statements after it: `Return`, BREAK, CONTINUE.
"""

from __future__ import annotations

import ast
from typing import Any

from explorer.program import comprehensions  # noqa: F401 - fills the table of expressions
from explorer.program.assignment import assign, augmented, bind, delete
from explorer.program.errors import ProgramError
from explorer.program.failures import UNFORGIVABLE, caught_by, check_raised
from explorer.program.functions import define
from explorer.program.imports import import_from, import_modules
from explorer.program.interpreter import EXPRESSIONS, STATEMENTS, Interpreter
from explorer.program.printing import text_of
from explorer.program.scopes import Frame
from explorer.program.signals import BREAK, CONTINUE, Return


def _expression(it: Interpreter, node: ast.Expr, frame: Frame) -> None:
    EXPRESSIONS[node.value.__class__](it, node.value, frame)


def _assign(it: Interpreter, node: ast.Assign, frame: Frame) -> None:
    value = EXPRESSIONS[node.value.__class__](it, node.value, frame)
    for target in node.targets:
        assign(it, target, value, frame)


def _annotated(it: Interpreter, node: ast.AnnAssign, frame: Frame) -> None:
    if node.value is not None:
        assign(it, node.target, it.evaluate(node.value, frame), frame)


def _if(it: Interpreter, node: ast.If, frame: Frame) -> Any:
    while True:
        if EXPRESSIONS[node.test.__class__](it, node.test, frame):
            return it.execute(node.body, frame)
        following = node.orelse
        if len(following) != 1 or following[0].__class__ is not ast.If:
            return it.execute(following, frame) if following else None
        node = following[0]  # an elif
        it.meter.step()
        it.move_to(node.lineno)


def _for(it: Interpreter, node: ast.For, frame: Frame) -> Any:
    values = EXPRESSIONS[node.iter.__class__](it, node.iter, frame)
    target, body = node.target, node.body
    for value in values:
        it.meter.step()
        assign(it, target, value, frame)
        signal = it.execute(body, frame)
        if signal is not None and signal is not CONTINUE:
            return None if signal is BREAK else signal
        if it.line != node.lineno:
            it.move_to(node.lineno)  # a tensor makes its next row here
    return it.execute(node.orelse, frame)


def _while(it: Interpreter, node: ast.While, frame: Frame) -> Any:
    test, body = node.test, node.body
    handler = EXPRESSIONS[test.__class__]
    while handler(it, test, frame):
        it.meter.step()
        signal = it.execute(body, frame)
        if signal is not None and signal is not CONTINUE:
            return None if signal is BREAK else signal
        if it.line != node.lineno:
            it.move_to(node.lineno)
    return it.execute(node.orelse, frame)


def _return(it: Interpreter, node: ast.Return, frame: Frame) -> Return:
    if frame.parent is None:
        raise ProgramError("`return` stands outside a function", node.lineno)
    value = node.value
    return Return(None if value is None else EXPRESSIONS[value.__class__](it, value, frame))


def _pass(it: Interpreter, node: ast.Pass, frame: Frame) -> None:
    return None


def _break(it: Interpreter, node: ast.Break, frame: Frame) -> Any:
    return BREAK


def _continue(it: Interpreter, node: ast.Continue, frame: Frame) -> Any:
    return CONTINUE


def _delete(it: Interpreter, node: ast.Delete, frame: Frame) -> None:
    for target in node.targets:
        delete(it, target, frame)


def _global(it: Interpreter, node: ast.Global, frame: Frame) -> None:
    frame.elsewhere = {**frame.elsewhere, **dict.fromkeys(node.names, frame.program)}


def _nonlocal(it: Interpreter, node: ast.Nonlocal, frame: Frame) -> None:
    for name in node.names:
        home = frame.nonlocal_home(name)
        if home is None:
            raise ProgramError(
                f"no function around this one has a name {name!r}; write `global {name}`",
                node.lineno,
            )
        frame.elsewhere = {**frame.elsewhere, name: home}


def _with(it: Interpreter, node: ast.With, frame: Frame) -> Any:
    return _with_item(it, node, 0, frame)


def _with_item(it: Interpreter, node: ast.With, index: int, frame: Frame) -> Any:
    if index == len(node.items):
        return it.execute(node.body, frame)
    item = node.items[index]
    context = it.evaluate(item.context_expr, frame)
    if not hasattr(type(context), "__enter__") or not hasattr(type(context), "__exit__"):
        raise TypeError(
            f"a value of type {type(context).__name__} cannot stand after `with`; "
            "tf.GradientTape(), tf.name_scope('name') or tf.Session() can"
        )
    with context as value:
        if item.optional_vars is not None:
            assign(it, item.optional_vars, value, frame)
        return _with_item(it, node, index + 1, frame)


def _assert(it: Interpreter, node: ast.Assert, frame: Frame) -> None:
    if it.evaluate(node.test, frame):
        return
    if node.msg is not None:
        raise AssertionError(text_of(it.meter, it.evaluate(node.msg, frame)))
    condition = ast.get_source_segment(it.text, node.test) or "the condition"
    raise AssertionError(f"assert failed: {condition[:200]} is not true")


def _raise(it: Interpreter, node: ast.Raise, frame: Frame) -> None:
    if node.exc is None:
        if not it.handled:
            raise ProgramError("`raise` without an exception stands only in `except`", node.lineno)
        raise it.handled[-1]
    error = check_raised(it.evaluate(node.exc, frame))
    if node.cause is not None:
        it.evaluate(node.cause, frame)
    raise error


def _try(it: Interpreter, node: ast.Try, frame: Frame) -> Any:
    try:
        signal = _guarded(it, node, frame)
    except UNFORGIVABLE:
        raise  # without `finally`, which could start the loop again that was just stopped
    except Exception:
        # An interruption in `finally` replaces the error, as in Python.
        line = it.line
        replaced = it.execute(node.finalbody, frame)
        if replaced is not None:
            return replaced
        it.move_to(line)
        raise
    replaced = it.execute(node.finalbody, frame)
    return signal if replaced is None else replaced


def _guarded(it: Interpreter, node: ast.Try, frame: Frame) -> Any:
    calls = it.calls
    try:
        signal = it.execute(node.body, frame)
    except UNFORGIVABLE:
        raise
    except Exception as error:
        handler = next((h for h in node.handlers if _matches(it, h, error, frame)), None)
        if handler is None:
            raise
        it.calls = calls
        return _handle(it, handler, error, frame)
    return it.execute(node.orelse, frame) if signal is None else signal


def _matches(it: Interpreter, handler: ast.ExceptHandler, error: Exception, frame: Frame) -> bool:
    if handler.type is None:
        return True
    return caught_by(error, it.evaluate(handler.type, frame))


def _handle(it: Interpreter, handler: ast.ExceptHandler, error: Exception, frame: Frame) -> Any:
    if handler.name:
        bind(it, handler.name, error, frame)
    it.handled.append(error)
    try:
        return it.execute(handler.body, frame)
    finally:
        it.handled.pop()
        if handler.name:
            frame.home(handler.name).values.pop(handler.name, None)


STATEMENTS.update(
    {
        ast.Expr: _expression,
        ast.Assign: _assign,
        ast.AugAssign: augmented,
        ast.AnnAssign: _annotated,
        ast.If: _if,
        ast.For: _for,
        ast.While: _while,
        ast.FunctionDef: define,
        ast.Return: _return,
        ast.Pass: _pass,
        ast.Break: _break,
        ast.Continue: _continue,
        ast.Delete: _delete,
        ast.Global: _global,
        ast.Nonlocal: _nonlocal,
        ast.With: _with,
        ast.Assert: _assert,
        ast.Raise: _raise,
        ast.Try: _try,
        ast.Import: import_modules,
        ast.ImportFrom: import_from,
    }
)
