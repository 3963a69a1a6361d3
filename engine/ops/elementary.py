"""Elementary functions of one number: powers, exponentials, trigonometry, rounding.

z stands for the output in the rules of local derivatives.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import special

from engine.convert import to_tensor
from engine.graph import graph_of
from engine.opdef import OpDef, define, same_shape
from engine.ops.arithmetic import add, multiply, negative, realdiv, square, subtract
from engine.ops.gradient_ops import inv_grad, reciprocal_grad, rsqrt_grad, sqrt_grad
from engine.registry import RegisterGradient
from engine.shapes import broadcast
from engine.tensor import Operation, Tensor

# Roots and reciprocals have gradient ops of their own: a zero upstream gradient stays zero.

sqrt = define("Sqrt", kernel=np.sqrt, shape=same_shape, kinds="fc", latex=r"\sqrt{#1}")


@RegisterGradient("Sqrt")
def _sqrt_gradient(op: Operation, upstream: Tensor) -> Tensor:
    gradient: Tensor = sqrt_grad(op.outputs[0], upstream)
    return gradient


rsqrt = define(
    "Rsqrt",
    kernel=lambda x: 1 / np.sqrt(x),
    shape=same_shape,
    kinds="fc",
    latex=r"\frac{1}{\sqrt{#1}}",
)


@RegisterGradient("Rsqrt")
def _rsqrt_gradient(op: Operation, upstream: Tensor) -> Tensor:
    gradient: Tensor = rsqrt_grad(op.outputs[0], upstream)
    return gradient


reciprocal: OpDef = define(
    "Reciprocal",
    kernel=lambda x: 1 / x,
    shape=same_shape,
    kinds="fc",
    latex=r"\frac{1}{#1}",
)


@RegisterGradient("Reciprocal")
def _reciprocal_gradient(op: Operation, upstream: Tensor) -> Tensor:
    gradient: Tensor = reciprocal_grad(op.outputs[0], upstream)
    return gradient


inv = define("Inv", kernel=lambda x: 1 / x, shape=same_shape, kinds="fc", latex=r"\frac{1}{#1}")


@RegisterGradient("Inv")
def _inv_gradient(op: Operation, upstream: Tensor) -> Tensor:
    gradient: Tensor = inv_grad(op.outputs[0], upstream)
    return gradient


# Exponentials and logarithms

exp = define(
    "Exp",
    kernel=np.exp,
    shape=same_shape,
    kinds="fc",
    latex="e^{#1}",
    local=lambda x, z: z,
)

expm1 = define(
    "Expm1",
    kernel=np.expm1,
    shape=same_shape,
    kinds="fc",
    latex="e^{#1} - 1",
    local=lambda x, z: exp(x),
)

log = define(
    "Log",
    kernel=np.log,
    shape=same_shape,
    kinds="fc",
    latex=r"\log #1",
    local=lambda x, z: reciprocal(x),
    corner="below 0 the derivative is still 1/x, although the value is nan",
)

log1p = define(
    "Log1p",
    kernel=np.log1p,
    shape=same_shape,
    kinds="fc",
    latex=r"\log(1 + #1)",
    local=lambda x, z: reciprocal(add(1, x)),
)


def _sigmoid(x: Any) -> Any:
    if x.dtype.kind == "c":
        return 1 / (1 + np.exp(-x))
    return special.expit(x).astype(x.dtype)  # SciPy computes float16 in float32


sigmoid = define(
    "Sigmoid",
    kernel=_sigmoid,
    shape=same_shape,
    kinds="fc",
    latex=r"\sigma(#1)",
    local=lambda x, z: multiply(z, subtract(1, z)),
)


# Hyperbolic and trigonometric functions

sinh = define(
    "Sinh",
    kernel=np.sinh,
    shape=same_shape,
    kinds="fc",
    latex=r"\sinh #1",
    local=lambda x, z: cosh(x),
)

cosh: OpDef = define(
    "Cosh",
    kernel=np.cosh,
    shape=same_shape,
    kinds="fc",
    latex=r"\cosh #1",
    local=lambda x, z: sinh(x),
)

tanh = define(
    "Tanh",
    kernel=np.tanh,
    shape=same_shape,
    kinds="fc",
    latex=r"\tanh #1",
    local=lambda x, z: subtract(1, square(z)),
)

sin = define(
    "Sin",
    kernel=np.sin,
    shape=same_shape,
    kinds="fc",
    latex=r"\sin #1",
    local=lambda x, z: cos(x),
)

cos: OpDef = define(
    "Cos",
    kernel=np.cos,
    shape=same_shape,
    kinds="fc",
    latex=r"\cos #1",
    local=lambda x, z: negative(sin(x)),
)

tan = define(
    "Tan",
    kernel=np.tan,
    shape=same_shape,
    kinds="fc",
    latex=r"\tan #1",
    local=lambda x, z: square(reciprocal(cos(x))),
)

asin = define(
    "Asin",
    kernel=np.arcsin,
    shape=same_shape,
    kinds="fc",
    latex=r"\arcsin #1",
    local=lambda x, z: reciprocal(sqrt(subtract(1, square(x)))),
)

acos = define(
    "Acos",
    kernel=np.arccos,
    shape=same_shape,
    kinds="fc",
    latex=r"\arccos #1",
    local=lambda x, z: negative(reciprocal(sqrt(subtract(1, square(x))))),
)

atan = define(
    "Atan",
    kernel=np.arctan,
    shape=same_shape,
    kinds="fc",
    latex=r"\arctan #1",
    local=lambda x, z: reciprocal(add(1, square(x))),
)

atan2 = define(
    "Atan2",
    kernel=np.arctan2,
    shape=broadcast,
    kinds="f",
    arity=2,
    latex=r"\operatorname{atan2}(#1, #2)",
    local=(
        lambda y, x, z: realdiv(x, add(square(x), square(y))),
        lambda y, x, z: realdiv(negative(y), add(square(x), square(y))),
    ),
)

asinh = define(
    "Asinh",
    kernel=np.arcsinh,
    shape=same_shape,
    kinds="fc",
    latex=r"\operatorname{arsinh} #1",
    local=lambda x, z: reciprocal(cosh(z)),
)

acosh = define(
    "Acosh",
    kernel=np.arccosh,
    shape=same_shape,
    kinds="fc",
    latex=r"\operatorname{arcosh} #1",
    local=lambda x, z: reciprocal(sinh(z)),
)

atanh = define(
    "Atanh",
    kernel=np.arctanh,
    shape=same_shape,
    kinds="fc",
    latex=r"\operatorname{artanh} #1",
    local=lambda x, z: reciprocal(subtract(1, square(x))),
)


# Rounding: constant between the jumps, with gradient None

floor = define(
    "Floor",
    kernel=np.floor,
    shape=same_shape,
    kinds="f",
    latex=r"\lfloor #1 \rfloor",
    local=(None,),
)

ceil = define(
    "Ceil",
    kernel=np.ceil,
    shape=same_shape,
    kinds="f",
    latex=r"\lceil #1 \rceil",
    local=(None,),
)

round_op = define(
    "Round",
    kernel=np.rint,
    shape=same_shape,
    kinds="f",
    latex=r"\operatorname{round}(#1)",
    local=(None,),
)

rint = define(
    "Rint",
    kernel=np.rint,
    shape=same_shape,
    kinds="f",
    latex=r"\operatorname{round}(#1)",
    local=(None,),
)


def round(x: Any, name: str | None = None) -> Tensor:
    """Round to whole numbers, halves to the even one; integers stay what they are."""
    tensor = to_tensor(x, graph_of([x]))
    if tensor.dtype.is_integer:
        return tensor
    rounded: Tensor = round_op(tensor, name=name)
    return rounded
