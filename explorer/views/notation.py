"""How an application of an op is written in a label: ``w·x``, ``x²``, ``relu(u)``.

Labels are plain Unicode with bars over adjoints, which Graphviz can draw; the op's LaTeX is
for the inspector. A few ops have an infix, prefix or postfix sign; all others are written as
a function of their arguments, so a new op needs no entry here.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from engine.tensor import Operation
from explorer.labels import columns
from explorer.scene import Run

ATOM = 9
_SUM, _PRODUCT, _SIGN, _POWER = 1, 2, 3, 4
# Op type: sign, how tightly it binds, and whether the right argument must bind tighter.
_INFIX: dict[str, tuple[str, int, bool]] = {
    "Add": (" + ", _SUM, False),
    "AddV2": (" + ", _SUM, False),
    "AddN": (" + ", _SUM, False),
    "AccumulateNV2": (" + ", _SUM, False),
    "Sub": (" - ", _SUM, True),
    "Mul": ("·", _PRODUCT, False),
    "RealDiv": ("/", _PRODUCT, True),
    "Div": ("/", _PRODUCT, True),
    "DivNoNan": ("/", _PRODUCT, True),
    "MatMul": (" @ ", _PRODUCT, True),
    "BatchMatMul": (" @ ", _PRODUCT, True),
    "BatchMatMulV2": (" @ ", _PRODUCT, True),
    "BiasAdd": (" + ", _SUM, False),
    "Greater": (" > ", 0, True),
    "GreaterEqual": (" ≥ ", 0, True),
    "Less": (" < ", 0, True),
    "LessEqual": (" ≤ ", 0, True),
    "Equal": (" = ", 0, True),
    "NotEqual": (" ≠ ", 0, True),
}
_PREFIX = {"Neg": "-", "Sqrt": "√"}
_POSTFIX = {"Square": "²", "Reciprocal": "⁻¹"}
_NAMES = {
    "StopGradient": "stop",
    "PreventGradient": "prevent",
    "SoftmaxCrossEntropyWithLogits": "xent",
    "SparseSoftmaxCrossEntropyWithLogits": "xent",
    "GatherV2": "gather",
    "ConcatV2": "concat",
    "SelectV2": "where",
    "Select": "where",
    "Pack": "stack",
    "Unpack": "unstack",
    "Sigmoid": "σ",
    "Conj": "conj",
}
_GLYPHS = {"Mul": "×", "RealDiv": "÷", "MatMul": "@", "Square": "x²", "Neg": "−", "Pow": "xⁿ"}
_SUPERSCRIPTS = str.maketrans("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻")
_SUBSCRIPTS = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")
_WORD = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


@dataclass(frozen=True)
class Expression:
    """Styled text and how tightly it binds: a name binds as tightly as ``ATOM``."""

    runs: tuple[Run, ...]
    binding: int = ATOM

    @property
    def text(self) -> str:
        return "".join(run.text for run in self.runs)

    @property
    def width(self) -> int:
        return columns(self.text)


def atom(text: str, over: bool = False) -> Expression:
    """Return a name or a number; a negative number binds like a sign."""
    return Expression((Run(text, over=over),), _SIGN if text.startswith("-") else ATOM)


def write(op: Operation, arguments: Sequence[Expression]) -> Expression:
    """Write one application of an op to written arguments."""
    transposed = _with_transposes(op, arguments)
    if op.type == "Mul" and len(transposed) == 2 and _is_number(transposed[1]):
        transposed = [*transposed] if _is_number(transposed[0]) else transposed[::-1]
    if op.type in _INFIX and len(transposed) >= 2:
        return _infix(op, transposed)
    if op.type == "Pow" and len(transposed) == 2:
        return _power(*transposed)
    if len(transposed) == 1 and op.type in _PREFIX:
        inner = _tight(transposed[0], _SIGN)
        return Expression((Run(_PREFIX[op.type]), *inner.runs), _SIGN)
    if len(transposed) == 1 and op.type in _POSTFIX:
        inner = _tight(transposed[0], _POWER + 1)
        return Expression((*inner.runs, Run(_POSTFIX[op.type])), _POWER)
    if op.type in ("Identity", "ReadVariableOp", "IdentityN") and len(transposed) == 1:
        return transposed[0]
    runs: list[Run] = [Run(f"{function_name(op.type)}(")]
    for place, argument in enumerate(transposed):
        runs += [Run(", ")] if place else []
        runs += argument.runs
    return Expression((*runs, Run(")")))


def join(terms: Sequence[Expression], most: int = 3) -> Expression:
    """Write a sum; of many terms only the first ones and the last."""
    runs: list[Run] = []
    shown = [*terms] if len(terms) <= most + 1 else [*terms[:most], terms[-1]]
    for place, term in enumerate(shown):
        if place:
            runs.append(Run(" + … + " if place == most and len(terms) > most + 1 else " + "))
        runs += term.runs
    return Expression(tuple(runs), terms[0].binding if len(terms) == 1 else _SUM)


def times(factor: Expression, upstream: Expression) -> Expression:
    """Write local derivative times upstream gradient; a factor of one is not written."""
    if factor.text == "1":
        return upstream
    if factor.text == "-1":
        inner = _tight(upstream, _SIGN)
        return Expression((Run("-"), *inner.runs), _SIGN)
    runs = (*_tight(factor, _PRODUCT).runs, Run("·"), *_tight(upstream, _PRODUCT).runs)
    return Expression(runs, _PRODUCT)


def glyph(op: Operation) -> str:
    """Return the sign that stands for an op in a circuit."""
    if op.type in _GLYPHS:
        return _GLYPHS[op.type]
    if op.type in _INFIX:
        return _INFIX[op.type][0].strip()
    return _PREFIX.get(op.type) or function_name(op.type)


def times_glyph(op: Operation, constant: str, is_first: bool) -> str:
    """Return the sign of a two-input op with one constant input: ``×12``, ``−1``, ``1/``."""
    if op.type == "Pow" and not is_first:
        return "x" + constant.translate(_SUPERSCRIPTS) if constant.isdigit() else f"x^{constant}"
    sign = glyph(op)
    if op.type not in _INFIX and op.type not in _GLYPHS:
        return f"{sign}(·, {constant})" if not is_first else f"{sign}({constant}, ·)"
    is_symmetric = op.type in ("Mul", "Add", "AddV2")
    return f"{constant}{sign}" if is_first and not is_symmetric else f"{sign}{constant}"


def function_name(op_type: str) -> str:
    """Return the name under which an op without a sign is written, ``LogSoftmax`` as log_softmax.

    >>> function_name("LogSoftmax"), function_name("StopGradient")
    ('log_softmax', 'stop')
    """
    return _NAMES.get(op_type) or _WORD.sub("_", op_type).lower()


def subscript(letter: str, index: int) -> str:
    """Write a letter with a number below it.

    >>> subscript("u", 12)
    'u₁₂'
    """
    return letter + str(index).translate(_SUBSCRIPTS)


def _infix(op: Operation, arguments: Sequence[Expression]) -> Expression:
    sign, binding, is_strict = _INFIX[op.type]
    if binding == _SUM and not is_strict and len(arguments) > 2:
        return join(arguments)
    runs = [*_tight(arguments[0], binding).runs]
    for argument in arguments[1:]:
        runs += [Run(sign), *_tight(argument, binding + is_strict).runs]
    return Expression(tuple(runs), binding)


def _power(base: Expression, exponent: Expression) -> Expression:
    inner = _tight(base, _POWER + 1).runs
    if exponent.text == "1":
        return base
    if re.fullmatch(r"-?\d+", exponent.text):
        return Expression((*inner, Run(exponent.text.translate(_SUPERSCRIPTS))), _POWER)
    return Expression((*inner, Run("^"), *_tight(exponent, _POWER + 1).runs), _POWER)


def _with_transposes(op: Operation, arguments: Sequence[Expression]) -> list[Expression]:
    """Mark the arguments that a matrix product takes transposed."""
    flags = {
        place: op.attrs.get(name)
        for place, names in enumerate((("transpose_a", "adj_x"), ("transpose_b", "adj_y")))
        for name in names
        if op.attrs.get(name)
    }
    return [
        Expression((*_tight(argument, ATOM).runs, Run("ᵀ"))) if flags.get(place) else argument
        for place, argument in enumerate(arguments)
    ]


def _is_number(expression: Expression) -> bool:
    return re.fullmatch(r"-?[\d.]+(e-?\d+)?", expression.text) is not None


def _tight(inner: Expression, binding: int) -> Expression:
    """Put parentheses around an expression that binds less tightly than needed."""
    if inner.binding >= binding:
        return inner
    return Expression((Run("("), *inner.runs, Run(")")))
