"""Activation functions of neural networks."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.errors import ArgumentTypeError
from engine.graph import create_op
from engine.opdef import OpDef, define, same_shape
from engine.ops.fill import zeros_like
from engine.registry import RegisterGradient
from engine.shapes import Dims, merge
from engine.tensor import Operation, Tensor


def _both_shapes(grad: Dims, features: Dims, **_attrs: Any) -> Dims:
    return merge(grad, features)


def _gradient_op(op_type: str, kernel: Any, latex: str, **fields: Any) -> OpDef:
    """Define an op of an upstream gradient #1 and the values #2 that decide what passes."""
    return define(
        op_type, kernel=kernel, shape=_both_shapes, arity=2, kinds="f", latex=latex, **fields
    )


# Relu and Relu6 -----------------------------------------------------------------------------------
# The gate is a factor 0 or 1, as in TensorFlow: an infinite upstream gradient on a dead unit
# gives nan, not 0.

relu = define(
    "Relu",
    kernel=lambda x: np.maximum(x, 0),
    shape=same_shape,
    kinds="fiu",
    latex=r"\operatorname{relu}(#1)",
    corner="at 0 the derivative is taken to be 0",
)

_relu_grad = _gradient_op(
    "ReluGrad",
    lambda grad, features: grad * (features > 0),
    r"#1 \cdot [#2 > 0]",
)


@RegisterGradient("Relu")
def _relu_gradient(op: Operation, grad: Tensor) -> Tensor:
    result: Tensor = _relu_grad(grad, op.outputs[0])
    return result


@RegisterGradient("ReluGrad")
def _relu_grad_gradient(op: Operation, grad: Tensor) -> list[Any]:
    features = op.inputs[1]
    return [lambda: _relu_grad(grad, features), lambda: zeros_like(features)]


relu6 = define(
    "Relu6",
    kernel=lambda x: np.minimum(np.maximum(x, 0), 6),
    shape=same_shape,
    kinds="fiu",
    latex=r"\min(\operatorname{relu}(#1), 6)",
    corner="at 0 and at 6 the derivative is taken to be 0",
)

_relu6_grad = _gradient_op(
    "Relu6Grad",
    lambda grad, features: grad * ((features > 0) & (features < 6)),
    r"#1 \cdot [0 < #2 < 6]",
)


@RegisterGradient("Relu6")
def _relu6_gradient(op: Operation, grad: Tensor) -> Tensor:
    result: Tensor = _relu6_grad(grad, op.outputs[0])
    return result


@RegisterGradient("Relu6Grad")
def _relu6_grad_gradient(op: Operation, grad: Tensor) -> list[Any]:
    features = op.inputs[1]
    return [lambda: _relu6_grad(grad, features), lambda: zeros_like(features)]


# LeakyRelu ----------------------------------------------------------------------------------------


def _slope(alpha: float) -> float:
    """Return alpha rounded to float32, which is how TensorFlow keeps it for every type."""
    return float(np.float32(alpha))


def _leaky_kernel(x: Any, *, alpha: float) -> Any:
    return np.where(x > 0, x, x * _slope(alpha))


def _leaky_grad_kernel(grad: Any, features: Any, *, alpha: float) -> Any:
    return np.where(features > 0, grad, grad * _slope(alpha))


_leaky_relu = define(
    "LeakyRelu",
    kernel=_leaky_kernel,
    shape=same_shape,
    kinds="f",
    attrs={"alpha": 0.2},
    latex=r"\operatorname{leakyrelu}(#1)",
    corner="at 0 the derivative is taken to be alpha",
)

_leaky_relu_grad = _gradient_op(
    "LeakyReluGrad", _leaky_grad_kernel, r"#1 \cdot (#2 > 0\;?\;1 : \alpha)", attrs={"alpha": 0.2}
)


@RegisterGradient("LeakyRelu")
def _leaky_gradient(op: Operation, grad: Tensor) -> Tensor:
    result: Tensor = _leaky_relu_grad(grad, op.inputs[0], alpha=op.attrs["alpha"])
    return result


@RegisterGradient("LeakyReluGrad")
def _leaky_grad_gradient(op: Operation, grad: Tensor) -> list[Any]:
    features, alpha = op.inputs[1], op.attrs["alpha"]
    return [
        lambda: _leaky_relu_grad(grad, features, alpha=alpha),
        lambda: zeros_like(features),
    ]


def leaky_relu(features: Any, alpha: float = 0.2, name: str | None = None) -> Tensor:
    """Return x where x > 0 and alpha x elsewhere.

    Raises:
        ArgumentTypeError: alpha is not a number.
    """
    if not isinstance(alpha, int | float):
        raise ArgumentTypeError(f"alpha is a number (got {alpha!r})")
    result: Tensor = _leaky_relu(features, alpha=float(alpha), name=name)
    return result


# Elu and Selu -------------------------------------------------------------------------------------

_SELU_SCALE = 1.0507009873554804934193349852946
_SELU_ALPHA = 1.6732632423543772848170429916717
"""The constants that keep mean 0 and variance 1.

Source: Klambauer, Unterthiner, Mayr, Hochreiter (2017), Self-Normalizing Neural Networks, eq. 14.
"""


def _exponential_kernels(scale: float, alpha: float) -> tuple[Any, Any]:
    """Return the kernels of scale * (x > 0 ? x : alpha (e^x - 1)) and of its gradient by output."""

    def forward(x: Any) -> Any:
        return np.where(x < 0, scale * alpha * np.expm1(x), scale * x)

    def backward(grad: Any, outputs: Any) -> Any:
        return np.where(outputs < 0, grad * (outputs + scale * alpha), grad * scale)

    return forward, backward


_elu_kernel, _elu_grad_kernel = _exponential_kernels(1.0, 1.0)
_selu_kernel, _selu_grad_kernel = _exponential_kernels(_SELU_SCALE, _SELU_ALPHA)

elu = define(
    "Elu",
    kernel=_elu_kernel,
    shape=same_shape,
    kinds="f",
    latex=r"\operatorname{elu}(#1)",
)

_elu_grad = _gradient_op("EluGrad", _elu_grad_kernel, r"#1 \cdot (#2 < 0\;?\;#2 + 1 : 1)")

selu = define(
    "Selu",
    kernel=_selu_kernel,
    shape=same_shape,
    kinds="f",
    latex=r"\operatorname{selu}(#1)",
    corner="at 0 the derivative is taken from the right, where it is the scale 1.0507",
)

_selu_grad = _gradient_op(
    "SeluGrad", _selu_grad_kernel, r"#1 \cdot (#2 < 0\;?\;#2 + \lambda\alpha : \lambda)"
)


@RegisterGradient("Elu")
@RegisterGradient("Selu")
def _exponential_gradient(op: Operation, grad: Tensor) -> Tensor:
    return create_op(f"{op.type}Grad", [grad, op.outputs[0]]).outputs[0]


@RegisterGradient("EluGrad")
@RegisterGradient("SeluGrad")
def _exponential_grad_gradient(op: Operation, grad: Tensor) -> list[Any]:
    upstream, outputs = op.inputs

    def of_outputs() -> Tensor:
        product = create_op("Mul", [grad, upstream]).outputs[0]
        below = create_op("Less", [outputs, 0]).outputs[0]
        return create_op("SelectV2", [below, product, zeros_like(outputs)]).outputs[0]

    return [lambda: create_op(op.type, [grad, outputs]).outputs[0], of_outputs]


# Smooth functions ---------------------------------------------------------------------------------

softplus = define(
    "Softplus",
    kernel=lambda x: np.logaddexp(x, 0),
    shape=same_shape,
    kinds="f",
    latex=r"\log(1 + e^{#1})",
    local=lambda x, z: create_op("Sigmoid", [x]).outputs[0],
)


def _softsign_local(x: Tensor, _z: Tensor) -> Tensor:
    size = create_op("Abs", [x]).outputs[0]
    return create_op("Reciprocal", [create_op("Square", [size + 1]).outputs[0]]).outputs[0]


softsign = define(
    "Softsign",
    kernel=lambda x: x / (1 + np.abs(x)),
    shape=same_shape,
    kinds="f",
    latex=r"\frac{#1}{1 + |#1|}",
    local=_softsign_local,
)
