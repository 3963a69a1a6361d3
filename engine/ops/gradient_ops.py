"""Gradient ops: upstream times local derivative in one kernel, for ops with a rule of their own.

Each takes the forward *output* z and the upstream gradient g. The kernels of SqrtGrad, RsqrtGrad,
InvGrad and ReciprocalGrad return exactly 0 wherever g is 0, also where the local derivative is
infinite. For complex numbers z is conjugated.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from engine.opdef import define
from engine.ops.arithmetic import multiply, negative, realdiv, square, subtract
from engine.ops.complex_parts import conj
from engine.registry import RegisterGradient
from engine.shapes import Dims, merge
from engine.tensor import Operation, Tensor


def _same(output: Dims, upstream: Dims) -> Dims:
    return merge(output, upstream)


def _zero_wins(product: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    """Make a kernel that returns 0 wherever the upstream gradient is 0."""

    def kernel(output: Any, upstream: Any) -> Any:
        return np.where(upstream == 0, np.zeros((), upstream.dtype), product(output, upstream))

    return kernel


def _product(*factors: Any) -> Tensor:
    """Return the product, multiplied from the left."""
    product = factors[0]
    for factor in factors[1:]:
        product = multiply(product, factor)
    result: Tensor = product
    return result


sqrt_grad = define(
    "SqrtGrad",
    kernel=_zero_wins(lambda z, g: g * z.dtype.type(0.5) / np.conj(z)),
    shape=_same,
    kinds="fc",
    arity=2,
    latex=r"\frac{#2}{2\, #1}",
)


@RegisterGradient("SqrtGrad")
def _sqrt_grad_gradient(op: Operation, upstream: Tensor) -> list[Callable[[], Tensor]]:
    """With u = g / z: return -u times the output, and u / 2."""
    quotient: Tensor = realdiv(upstream, op.inputs[0])
    return [
        lambda: _product(conj(negative(quotient)), op.outputs[0]),
        lambda: _product(0.5, quotient),
    ]


rsqrt_grad = define(
    "RsqrtGrad",
    kernel=_zero_wins(lambda z, g: g * z.dtype.type(-0.5) * np.conj(z) ** 3),
    shape=_same,
    kinds="fc",
    arity=2,
    latex=r"-\tfrac{1}{2}\, #2 \cdot {#1}^3",
)


@RegisterGradient("RsqrtGrad")
def _rsqrt_grad_gradient(op: Operation, upstream: Tensor) -> list[Callable[[], Tensor]]:
    z, inner = op.inputs
    return [
        lambda: _product(-1.5, conj(upstream), inner, square(conj(z))),
        lambda: rsqrt_grad(conj(z), upstream),
    ]


def _reciprocal_grad_gradient(op: Operation, upstream: Tensor) -> list[Callable[[], Tensor]]:
    z, inner = op.inputs
    return [
        lambda: _product(conj(upstream), -2, inner, conj(z)),
        lambda: op.opdef(conj(z), upstream),
    ]


reciprocal_grad = define(
    "ReciprocalGrad",
    kernel=_zero_wins(lambda z, g: -g * np.conj(z) ** 2),
    shape=_same,
    kinds="fc",
    arity=2,
    latex=r"-#2 \cdot {#1}^2",
)
RegisterGradient("ReciprocalGrad")(_reciprocal_grad_gradient)

inv_grad = define(
    "InvGrad",
    kernel=_zero_wins(lambda z, g: -g * np.conj(z) ** 2),
    shape=_same,
    kinds="fc",
    arity=2,
    latex=r"-#2 \cdot {#1}^2",
)
RegisterGradient("InvGrad")(_reciprocal_grad_gradient)

tanh_grad = define(
    "TanhGrad",
    kernel=lambda z, g: g * (1 - np.conj(z) ** 2),
    shape=_same,
    kinds="fc",
    arity=2,
    latex=r"#2 \cdot (1 - {#1}^2)",
)


@RegisterGradient("TanhGrad")
def _tanh_grad_gradient(op: Operation, upstream: Tensor) -> list[Callable[[], Tensor]]:
    z, inner = (conj(tensor) for tensor in op.inputs)
    return [lambda: _product(upstream, -2, inner, z), lambda: tanh_grad(z, upstream)]


sigmoid_grad = define(
    "SigmoidGrad",
    kernel=lambda z, g: g * np.conj(z) * (1 - np.conj(z)),
    shape=_same,
    kinds="fc",
    arity=2,
    latex=r"#2 \cdot #1 (1 - #1)",
)


@RegisterGradient("SigmoidGrad")
def _sigmoid_grad_gradient(op: Operation, upstream: Tensor) -> list[Callable[[], Tensor]]:
    z, inner = (conj(tensor) for tensor in op.inputs)
    return [
        lambda: _product(upstream, inner, subtract(1, multiply(2, z))),
        lambda: sigmoid_grad(z, upstream),
    ]
