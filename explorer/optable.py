"""The table of all ops: formula, inputs, gradient and place, read from the definitions."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import engine
from engine import registry
from engine.elementwise import LocalRule
from engine.errors import EngineError
from engine.opdef import OpDef, all_opdefs, opdef_of
from explorer.registrations import TENSORFLOW
from explorer.rule import local_derivatives

_ROOT = Path(engine.__file__).parents[1]


_SYMBOLS = {f"#{place}": symbol for place, symbol in enumerate("xywvuts", start=1)}


@dataclass(frozen=True)
class OpRow:
    """One op type.

    Attributes:
        formula: notation in TeX, with slots `#1`, `#2` for the inputs.
        inputs: how many; "any" when it takes any number.
        gradient: the local derivatives, "registered function", "none" or "not registered".
        corner: which convention holds at a corner, or "".
        where: file and line of the definition.
    """

    type: str
    formula: str
    inputs: str
    gradient: str
    corner: str
    where: str


def op_rows() -> tuple[OpRow, ...]:
    """Return every op type, in alphabetical order."""
    return tuple(_row(opdef) for opdef in sorted(all_opdefs(), key=lambda found: found.type))


def _row(opdef: OpDef) -> OpRow:
    return OpRow(
        type=opdef.type,
        formula=opdef.latex,
        inputs="any" if opdef.arity is None else str(opdef.arity),
        gradient=_gradient(opdef),
        corner=opdef.corner,
        where=_place(opdef.where),
    )


def formula_on_symbols(row: OpRow) -> str:
    """Return the notation in TeX with letters in the slots: `\\sin x`."""
    formula = row.formula.replace("#*", r"x, y, \dots")
    for slot, symbol in _SYMBOLS.items():
        formula = formula.replace(slot, symbol)
    return formula


def source_of(op_type: str) -> str:
    """Return the Python text that defines an op, and that of its gradient function."""
    opdef = opdef_of(op_type)
    file, _, line = opdef.where.rpartition(":")
    texts = [_statement(file, int(line))]
    rule = _rule(op_type)
    if rule is not None and not isinstance(rule, LocalRule):
        texts.append(_function_text(rule))
    return "\n\n\n".join(text for text in texts if text)


def _rule(op_type: str) -> Any:
    try:
        return registry.current().get(op_type)
    except EngineError:
        return None


def _statement(file: str, line: int) -> str:
    """Return the top-level statement of a file that covers a line."""
    text, tree = _parsed(file)
    for node in tree.body:
        if node.lineno <= line <= (node.end_lineno or node.lineno):
            return "\n".join(text.split("\n")[node.lineno - 1 : node.end_lineno])
    return ""


@cache
def _parsed(file: str) -> tuple[str, ast.Module]:
    text = Path(file).read_text(encoding="utf-8")
    return text, ast.parse(text)


def _function_text(rule: Callable[..., Any]) -> str:
    try:
        return inspect.getsource(rule).rstrip()
    except (OSError, TypeError):  # made by another function: the definition shows how
        return ""


def _gradient(opdef: OpDef) -> str:
    try:
        rule = registry.current().get(opdef.type)
    except EngineError:
        return "not registered"
    if rule is None:
        return "none"
    local = local_derivatives(opdef)
    return "registered function" if local is None else ", ".join(local)


def _place(where: str) -> str:
    file, _, line = where.rpartition(":")
    path = Path(file)
    inside = path.is_relative_to(_ROOT)
    return f"{path.relative_to(_ROOT).as_posix() if inside else path.name}:{line}"


def counts() -> str:
    """Return, as a Markdown table, how many of TensorFlow's registrations there are here."""
    ours = set(registry.current().names())
    types = {opdef.type for opdef in all_opdefs()}
    known = ours & types
    lines = [
        "| gradients registered for | TensorFlow 2.21 | here |",
        "|---|---|---|",
    ]
    listed: set[str] = set()
    for subject in TENSORFLOW:
        names = {*subject.gradients, *subject.constants}
        listed |= names
        lines.append(f"| {subject.subject} | {len(names)} | {len(names & known)} |")
    lines.append(f"| others | | {len(known - listed)} |")
    return "\n".join(lines)
