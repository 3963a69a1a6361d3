"""Products and quotients in which a zero wins over infinity and nan."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from engine.elementwise import unbroadcast
from engine.opdef import define
from engine.ops.arithmetic import multiply, negative
from engine.ops.complex_parts import conj
from engine.registry import RegisterGradient
from engine.shapes import broadcast
from engine.tensor import Operation, Tensor

multiply_no_nan = define(
    "MulNoNan",
    kernel=lambda x, y: np.where(y == 0, np.zeros((), y.dtype), x * y),
    shape=broadcast,
    kinds="fc",
    arity=2,
    latex=r"#1 \cdot #2",
    corner="where the second input is 0 the product is 0, whatever the first",
)


@RegisterGradient("MulNoNan")
def _multiply_no_nan_gradient(op: Operation, upstream: Tensor) -> list[Callable[[], Tensor]]:
    """Return g y and g x, 0 where y is 0 and where g is 0 respectively."""
    x, y = op.inputs
    return [
        lambda: unbroadcast(multiply_no_nan(upstream, conj(y)), op, 0),
        lambda: unbroadcast(multiply_no_nan(conj(x), upstream), op, 1),
    ]


divide_no_nan = define(
    "DivNoNan",
    kernel=lambda x, y: np.where(y == 0, np.zeros((), y.dtype), np.true_divide(x, y)),
    shape=broadcast,
    kinds="fc",
    arity=2,
    latex=r"\frac{#1}{#2}",
    corner="where the denominator is 0 the quotient and its derivatives are 0",
)
div_no_nan = divide_no_nan


@RegisterGradient("DivNoNan")
def _divide_no_nan_gradient(op: Operation, upstream: Tensor) -> list[Callable[[], Tensor]]:
    """Return g / y and -g x / y^2, 0 where y is 0."""
    x, y = (conj(tensor) for tensor in op.inputs)
    return [
        lambda: unbroadcast(divide_no_nan(upstream, y), op, 0),
        lambda: unbroadcast(
            multiply(upstream, divide_no_nan(divide_no_nan(negative(x), y), y)), op, 1
        ),
    ]
