"""Arithmetic of two numbers, and what belongs to it: signs, squares, absolute values.

z stands for the output in the rules of local derivatives.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from engine.convert import static_value, to_tensor
from engine.dtypes import float32, float64
from engine.elementwise import unbroadcast
from engine.errors import DTypeError
from engine.graph import create_op, graph_of
from engine.opdef import OpDef, define, same_shape
from engine.ops.cast import cast
from engine.ops.comparison import greater, greater_equal, less_equal, not_equal, select_v2
from engine.ops.complex_parts import conj
from engine.registry import RegisterGradient
from engine.shapes import broadcast
from engine.tensor import Operation, Operators, Tensor

add = define(
    "AddV2",
    kernel=np.add,
    shape=broadcast,
    kinds="fciu",
    arity=2,
    name="Add",
    latex="#1 + #2",
    local=(1, 1),
)

add_v1 = define(
    "Add", kernel=np.add, shape=broadcast, kinds="fciu", arity=2, latex="#1 + #2", local=(1, 1)
)

subtract = define(
    "Sub",
    kernel=np.subtract,
    shape=broadcast,
    kinds="fciu",
    arity=2,
    latex="#1 - #2",
    local=(1, -1),
)

multiply = define(
    "Mul",
    kernel=np.multiply,
    shape=broadcast,
    kinds="fciu",
    arity=2,
    latex=r"#1 \cdot #2",
    local=(lambda x, y, z: y, lambda x, y, z: x),
)

negative = define("Neg", kernel=np.negative, shape=same_shape, kinds="fci", latex="-#1", local=-1)

square = define(
    "Square",
    kernel=np.square,
    shape=same_shape,
    kinds="fciu",
    latex="#1^2",
    local=lambda x, z: multiply(x, 2),
)


def _squared_difference(x: Any, y: Any) -> Any:
    difference = x - y
    return difference * np.conj(difference)


# Of complex numbers TensorFlow takes 2 g (x - y), unconjugated; the engine conjugates locals.
squared_difference = define(
    "SquaredDifference",
    kernel=_squared_difference,
    shape=broadcast,
    kinds="fciu",
    arity=2,
    latex="(#1 - #2)^2",
    local=(
        lambda x, y, z: conj(multiply(2, subtract(x, y))),
        lambda x, y, z: conj(multiply(-2, subtract(x, y))),
    ),
)


# Division

realdiv: OpDef = define(
    "RealDiv",
    kernel=np.true_divide,
    shape=broadcast,
    kinds="fc",
    arity=2,
    latex=r"\frac{#1}{#2}",
    local=(
        lambda x, y, z: realdiv(1, y),
        lambda x, y, z: realdiv(realdiv(negative(x), y), y),
    ),
)


def _nonzero(divisor: Any) -> Any:
    """Return an integer divisor; NumPy would answer 0 for a division by zero."""
    if not np.all(divisor):
        raise ValueError("integer division by zero")
    return divisor


def _truncate_div(x: Any, y: Any) -> Any:
    if x.dtype.kind not in "iu":
        return np.trunc(np.true_divide(x, y))
    quotient = np.floor_divide(x, _nonzero(y))
    return quotient + ((np.remainder(x, y) != 0) & ((x < 0) != (y < 0))).astype(x.dtype)


def _floor_div(x: Any, y: Any) -> Any:
    if x.dtype.kind in "iu":
        return np.floor_divide(x, _nonzero(y))
    return np.floor(np.true_divide(x, y))


def _floor_mod(x: Any, y: Any) -> Any:
    return np.remainder(x, _nonzero(y) if x.dtype.kind in "iu" else y)


div_v1 = define(
    "Div",
    kernel=lambda x, y: _truncate_div(x, y) if x.dtype.kind in "iu" else np.true_divide(x, y),
    shape=broadcast,
    kinds="fciu",
    arity=2,
    latex=r"\frac{#1}{#2}",
    local=(
        lambda x, y, z: realdiv(1, y),
        lambda x, y, z: realdiv(realdiv(negative(x), y), y),
    ),
)

truncatediv = define(
    "TruncateDiv",
    kernel=_truncate_div,
    shape=broadcast,
    kinds="fiu",
    arity=2,
    latex=r"\operatorname{trunc}(#1 / #2)",
    local=(None, None),
)

floordiv = define(
    "FloorDiv",
    kernel=_floor_div,
    shape=broadcast,
    kinds="fiu",
    arity=2,
    name="floordiv",
    latex=r"\lfloor #1 / #2 \rfloor",
    local=(None, None),
)

floormod = define(
    "FloorMod",
    kernel=_floor_mod,
    shape=broadcast,
    kinds="fiu",
    arity=2,
    latex=r"#1 \bmod #2",
    local=(1, lambda x, y, z: negative(floordiv(x, y))),
    corner="at the jumps the derivative is that of the piece that holds there",
)
mod = floormod


def _pair(x: Any, y: Any) -> tuple[Tensor, Tensor]:
    """Return two values as tensors of one element type, that of the tensor among them if any."""
    graph = graph_of([x, y])
    hint = next((v.as_tensor().dtype for v in (x, y) if isinstance(v, Operators)), None)
    first = to_tensor(x, graph, hint=hint)
    return first, to_tensor(y, graph, hint=first.dtype)


def truediv(x: Any, y: Any, name: str | None = "truediv") -> Tensor:
    """Divide as Python 3 does; integers are cast to float64 (8 and 16 bits to float32) first.

    Raises:
        DTypeError: the element types differ.
    """
    numerator, denominator = _pair(x, y)
    if numerator.dtype is not denominator.dtype:
        raise DTypeError(
            f"x and y must have the same dtype, got {numerator.dtype.name} != "
            f"{denominator.dtype.name}; cast one of them"
        )
    if numerator.dtype.is_integer:
        wanted = float64 if numerator.dtype.dtype.itemsize > 2 else float32
        numerator, denominator = cast(numerator, wanted), cast(denominator, wanted)
    quotient: Tensor = realdiv(numerator, denominator, name=name)
    return quotient


def divide(x: Any, y: Any, name: str | None = None) -> Tensor:
    """Divide as Python 3 does, see `truediv`."""
    return truediv(x, y, name or "truediv")


def div(x: Any, y: Any, name: str = "div") -> Tensor:
    """Divide as Python 2 does: integers are rounded down."""
    numerator, denominator = _pair(x, y)
    divides = floordiv if numerator.dtype.is_integer else realdiv
    quotient: Tensor = divides(numerator, denominator, name=name)
    return quotient


# Powers


def _one_less(exponent: Tensor) -> Any:
    """Return the exponent of the derivative by the base.

    That of a constant exponent is a constant again, and for 0 it stays 0: then the derivative is
    0 · x⁰ = 0 at every base and of every order, where 0 · x⁻¹ would be NaN at 0.
    """
    known = static_value(exponent)
    if known is None or known.ndim:
        result: Tensor = subtract(exponent, 1)
        return result
    return known - known.dtype.type(known != 0)


def _log_or_zero(x: Tensor) -> Tensor:
    """Return log(x) where that is the derivative of an exponent, 0 elsewhere.

    The logarithm never sees the entries that are left out, so no second derivative does either.
    """
    usable = not_equal(x, 0) if x.dtype.is_complex else greater(x, 0)
    logarithm = create_op("Log", [select_v2(usable, x, 1)]).outputs[0]
    chosen: Tensor = select_v2(usable, logarithm, 0)
    return chosen


pow: OpDef = define(
    "Pow",
    kernel=np.power,
    shape=broadcast,
    kinds="fciu",
    arity=2,
    latex="{#1}^{#2}",
    local=(
        lambda x, y, z: multiply(y, pow(x, _one_less(y))),
        lambda x, y, z: multiply(z, _log_or_zero(x)),
    ),
    corner="for a base of 0 or below, the derivative with respect to the exponent is 0",
)


# Which of two, and on which side of zero


def _chosen_gradient(
    op: Operation, upstream: Tensor, first_chosen: Callable[..., Tensor]
) -> list[Callable[[], Tensor]]:
    """Return the upstream gradient for the chosen input, 0 for the other.

    Selected, not multiplied by 0 and 1: an infinite upstream gradient leaves the other one 0.
    """
    with op.graph.control_dependencies([upstream.op]):
        chosen = first_chosen(*op.inputs)
    return [
        lambda: unbroadcast(select_v2(chosen, upstream, 0), op, 0),
        lambda: unbroadcast(select_v2(chosen, 0, upstream), op, 1),
    ]


maximum = define(
    "Maximum",
    kernel=np.maximum,
    shape=broadcast,
    kinds="fiu",
    arity=2,
    latex=r"\max(#1, #2)",
    corner="where both are equal, the first input gets the whole gradient",
)


@RegisterGradient("Maximum")
def _maximum_gradient(op: Operation, upstream: Tensor) -> list[Callable[[], Tensor]]:
    return _chosen_gradient(op, upstream, greater_equal)


minimum = define(
    "Minimum",
    kernel=np.minimum,
    shape=broadcast,
    kinds="fiu",
    arity=2,
    latex=r"\min(#1, #2)",
    corner="where both are equal, the first input gets the whole gradient",
)


@RegisterGradient("Minimum")
def _minimum_gradient(op: Operation, upstream: Tensor) -> list[Callable[[], Tensor]]:
    return _chosen_gradient(op, upstream, less_equal)


def clip_by_value(
    t: Any, clip_value_min: Any, clip_value_max: Any, name: str = "clip_by_value"
) -> Tensor:
    """Return t, limited to the interval from `clip_value_min` to `clip_value_max`."""
    with graph_of([t, clip_value_min, clip_value_max]).name_scope(name) as scope:
        clipped: Tensor = maximum(minimum(t, clip_value_max), clip_value_min, name=scope)
        return clipped


sign = define(
    "Sign",
    kernel=np.sign,
    shape=same_shape,
    kinds="fci",
    latex=r"\operatorname{sign}(#1)",
    corner="the derivative is 0 everywhere, also at the jump",
)


@RegisterGradient("Sign")
def _sign_gradient(op: Operation, _upstream: Tensor) -> Tensor:
    """Return zeros: a gradient that is 0, not one that is missing."""
    return create_op("ZerosLike", [op.inputs[0]]).outputs[0]


absolute = define(
    "Abs",
    kernel=np.abs,
    shape=same_shape,
    kinds="fi",
    latex="|#1|",
    local=lambda x, z: sign(x),
    corner="at 0 the derivative is 0",
)


def abs(x: Any, name: str | None = None) -> Tensor:
    """Return the absolute value; of complex numbers, the modulus as a real number."""
    tensor = to_tensor(x, graph_of([x]))
    op_type = "ComplexAbs" if tensor.dtype.is_complex else "Abs"
    return create_op(op_type, [tensor], name=name or "Abs").outputs[0]


def scalar_mul(scalar: Any, x: Any, name: str | None = None) -> Tensor:
    """Return a number times a tensor."""
    product: Tensor = multiply(scalar, x, name=name)
    return product
