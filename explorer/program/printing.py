"""How values are printed: as Python and TensorFlow print them, within the budget.

Containers are written by us, entry by entry, so that a list that contains itself or one list a
million times ends with a sentence.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from engine.dtypes import DType
from engine.graph import Graph
from engine.indexed_slices import IndexedSlices
from engine.opdef import OpDef
from engine.shapes import TensorShape
from engine.tensor import Operation, Operators
from explorer.program.budget import Meter

_OWN_TEXT = (np.ndarray, np.dtype, Operators, Operation, DType, TensorShape, Graph, IndexedSlices)
_BRACKETS = {list: ("[", "]"), tuple: ("(", ")"), set: ("{", "}")}


def text_of(meter: Meter, value: Any) -> str:
    """Return what `print` shows and `str` gives."""
    if isinstance(value, str):
        return value
    if isinstance(value, BaseException):
        return _message(meter, value)
    if isinstance(value, (*_OWN_TEXT, np.generic)):
        return _limited(meter, str(value))
    return repr_of(meter, value)


def repr_of(meter: Meter, value: Any) -> str:
    """Return what `repr` gives and what a value looks like inside a list."""
    pieces: list[str] = []
    length = 0
    for piece in _pieces(meter, value, 0):
        pieces.append(piece)
        length += len(piece)
        meter.string(length)
    return "".join(pieces)


def _message(meter: Meter, error: BaseException) -> str:
    if len(error.args) == 1:
        shown = repr_of if type(error) is KeyError else text_of
        return shown(meter, error.args[0])
    return repr_of(meter, error.args) if error.args else ""


def _limited(meter: Meter, text: str) -> str:
    meter.string(len(text))
    return text


def _pieces(meter: Meter, value: Any, depth: int) -> Iterator[str]:
    if depth > meter.budget.depth:
        yield "..."
    elif isinstance(value, dict):
        yield from _dict_pieces(meter, value, depth)
    elif isinstance(value, tuple) and hasattr(value, "_fields"):
        yield f"{type(value).__name__}("
        for number, (key, entry) in enumerate(zip(value._fields, value, strict=True)):
            yield f", {key}=" if number else f"{key}="
            yield from _pieces(meter, entry, depth + 1)
        yield ")"
    elif isinstance(value, list | tuple | set):
        yield from _sequence_pieces(meter, value, depth)
    else:
        yield _simple_repr(meter, value)


def _sequence_pieces(meter: Meter, value: Any, depth: int) -> Iterator[str]:
    opening, closing = next(pair for kind, pair in _BRACKETS.items() if isinstance(value, kind))
    if isinstance(value, set) and not value:
        yield "set()"
        return
    yield opening
    for number, entry in enumerate(value):
        if number:
            yield ", "
        yield from _pieces(meter, entry, depth + 1)
    yield f",{closing}" if isinstance(value, tuple) and len(value) == 1 else closing


def _dict_pieces(meter: Meter, value: dict[Any, Any], depth: int) -> Iterator[str]:
    yield "{"
    for number, (key, entry) in enumerate(value.items()):
        if number:
            yield ", "
        yield from _pieces(meter, key, depth + 1)
        yield ": "
        yield from _pieces(meter, entry, depth + 1)
    yield "}"


def _simple_repr(meter: Meter, value: Any) -> str:
    if value is None or value is Ellipsis or isinstance(value, int | float | complex | str | bytes):
        # NumPy's scalars print as their number, as they did when the articles were written.
        return str(value) if isinstance(value, np.generic) else repr(value)
    if isinstance(value, np.generic):
        return str(value)
    if isinstance(value, _OWN_TEXT):
        return _limited(meter, repr(value))
    if isinstance(value, range | slice):
        return repr(value)
    if isinstance(value, frozenset):
        return f"frozenset({repr_of(meter, set(value)) if value else ''})"
    if isinstance(value, BaseException):
        return f"{type(value).__name__}({', '.join(repr_of(meter, arg) for arg in value.args)})"
    if isinstance(value, type({}.keys()) | type({}.values()) | type({}.items())):
        return f"{type(value).__name__}({repr_of(meter, list(value))})"
    if isinstance(value, type):
        return f"<class '{value.__name__}'>"
    if isinstance(value, OpDef):
        return f"<function {value.type}>"
    shown = getattr(value, "shown", None)  # our own functions and faces say how they are shown
    if isinstance(shown, str):
        return shown
    name = getattr(value, "__name__", None)
    return f"<function {name}>" if isinstance(name, str) else f"<{type(value).__name__}>"
