"""Python's operators on the language's values, asked for their size before they are applied."""

from __future__ import annotations

import ast
import math
import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from explorer.program.budget import Meter
from explorer.program.formatting import percent_format
from explorer.program.sizes import CONTAINERS, check_nesting, checked

_SEQUENCES = (str, bytes, list, tuple)

_PLAIN: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.Pow: operator.pow,
    ast.MatMult: operator.matmul,
    ast.LShift: operator.lshift,
    ast.RShift: operator.rshift,
    ast.BitAnd: operator.and_,
    ast.BitOr: operator.or_,
    ast.BitXor: operator.xor,
}

_IN_PLACE: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.iadd,
    ast.Sub: operator.isub,
    ast.Mult: operator.imul,
    ast.Div: operator.itruediv,
    ast.FloorDiv: operator.ifloordiv,
    ast.Mod: operator.imod,
    ast.Pow: operator.ipow,
    ast.BitAnd: operator.iand,
    ast.BitOr: operator.ior,
    ast.BitXor: operator.ixor,
}

_FAST = frozenset({ast.Add, ast.Sub, ast.Mult, ast.Div})

UNARY: dict[type[ast.unaryop], Callable[[Any], Any]] = {
    ast.UAdd: operator.pos,
    ast.USub: operator.neg,
    ast.Not: operator.not_,
    ast.Invert: operator.invert,
}

COMPARE: dict[type[ast.cmpop], Callable[[Any, Any], Any]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Is: operator.is_,
    ast.IsNot: operator.is_not,
    ast.In: lambda item, container: item in container,
    ast.NotIn: lambda item, container: item not in container,
}


def binary(meter: Meter, kind: type[ast.operator], left: Any, right: Any) -> Any:
    """Return `left op right`.

    Raises:
        BudgetError: the result would be too large.
    """
    if left.__class__ is float and right.__class__ is float and kind in _FAST:
        return _PLAIN[kind](left, right)
    if kind is ast.Mod and isinstance(left, str):
        return checked(meter, percent_format(meter, left, right))
    _check_before(meter, kind, left, right)
    return checked(meter, _PLAIN[kind](left, right))


def in_place(meter: Meter, kind: type[ast.operator], left: Any, right: Any) -> Any:
    """Return what `left op= right` binds: lists and arrays are changed themselves."""
    if kind in _IN_PLACE and isinstance(left, list | np.ndarray | set | dict):
        if isinstance(left, list) and kind is ast.Add:
            right = list(right)  # so that its size is known, and `x += x` ends
            check_nesting(meter, right)
            meter.elements(len(left) + len(right), "a list")
        _check_before(meter, kind, left, right)
        return checked(meter, _IN_PLACE[kind](left, right))
    return binary(meter, kind, left, right)


def compare(meter: Meter, kind: type[ast.cmpop], left: Any, right: Any) -> Any:
    """Return `left op right` of a comparison."""
    if left.__class__ in CONTAINERS:
        check_nesting(meter, left)
    if right.__class__ in CONTAINERS:
        check_nesting(meter, right)
    _check_broadcast(meter, left, right)
    return COMPARE[kind](left, right)


def _check_before(meter: Meter, kind: type[ast.operator], left: Any, right: Any) -> None:
    if isinstance(left, np.ndarray) or isinstance(right, np.ndarray):
        check = check_matrix_product if kind is ast.MatMult else _check_broadcast
        check(meter, left, right)
    elif kind is ast.Mult:
        if isinstance(left, _SEQUENCES):
            _check_repetition(meter, left, right)
        elif isinstance(right, _SEQUENCES):
            _check_repetition(meter, right, left)
    elif kind is ast.Pow:
        check_power(meter, left, right)
    elif kind is ast.LShift and isinstance(left, int) and isinstance(right, int):
        meter.integer_bits(left.bit_length() + max(right, 0))


def _check_repetition(meter: Meter, sequence: Any, times: Any) -> None:
    if isinstance(times, int):
        total = len(sequence) * max(times, 0)
        if isinstance(sequence, str | bytes):
            meter.string(total)
        else:
            meter.elements(total, "a list")


def check_power(meter: Meter, base: Any, exponent: Any) -> None:
    """Refuse a power of whole numbers with too many digits."""
    if isinstance(base, int) and isinstance(exponent, int) and abs(base) > 1 and exponent > 0:
        meter.integer_bits((abs(base).bit_length() - 1) * exponent + 1)


def _check_broadcast(meter: Meter, left: Any, right: Any) -> None:
    check_broadcast(meter, (left, right))


def check_broadcast(meter: Meter, values: Any) -> None:
    """Refuse to combine arrays whose common shape is too large."""
    shapes = [value.shape for value in values if isinstance(value, np.ndarray)]
    if len(shapes) < 2:
        return
    rank = max(len(shape) for shape in shapes)
    padded = [(1,) * (rank - len(shape)) + shape for shape in shapes]
    meter.elements(math.prod(max(sizes) for sizes in zip(*padded, strict=True)), "an array")


def check_matrix_product(meter: Meter, left: Any, right: Any) -> None:
    """Refuse a matrix product that is too large, in elements or in multiplications."""
    a, b = np.shape(left), np.shape(right)
    if len(a) >= 2 and len(b) >= 2:
        batch = max(math.prod(a[:-2]), math.prod(b[:-2]))
        meter.elements(batch * a[-2] * b[-1], "a matrix product")


def check_dot(meter: Meter, left: Any, right: Any) -> None:
    """Refuse a product over the last axis that is too large: every row meets every column."""
    a, b = np.shape(left), np.shape(right)
    if a and b:
        shared = max(1, a[-1])
        meter.elements(math.prod(a) // shared * (math.prod(b) // shared), "a product")
