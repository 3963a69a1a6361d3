"""Activations that multiply their input by a smooth gate: composed, each in a scope of its own."""

from __future__ import annotations

import math
from typing import Any

from engine.graph import create_op
from engine.ops.activation import softplus
from engine.ops.arguments import as_tensor
from engine.ops.arithmetic import add, multiply, pow
from engine.ops.elementary import sigmoid, tanh
from engine.tensor import Tensor


def gelu(features: Any, approximate: bool = False, name: str | None = None) -> Tensor:
    """Return x Φ(x), Φ being the distribution function of the normal distribution.

    Args:
        features: a floating tensor.
        approximate: whether to take tanh(sqrt(2/π) (x + 0.044715 x³)) for the error function.
        name: of the scope.

    Source: D. Hendrycks and K. Gimpel, "Gaussian error linear units", 2016.
    """
    x = as_tensor(features)
    with x.graph.name_scope(name or "Gelu"):
        if approximate:
            inner = add(x, multiply(pow(x, 3.0), 0.044715))
            gate = tanh(multiply(inner, math.sqrt(2 / math.pi)))
        else:
            gate = create_op("Erf", [multiply(x, math.sqrt(0.5))]).outputs[0]
        result: Tensor = multiply(multiply(x, 0.5), add(gate, 1.0))
        return result


def silu(features: Any, beta: Any = 1.0, name: str | None = None) -> Tensor:
    """Return x sigmoid(beta x)."""
    x = as_tensor(features)
    with x.graph.name_scope(name or "swish"):
        plain = isinstance(beta, int | float) and beta == 1
        result: Tensor = multiply(x, sigmoid(x if plain else multiply(x, beta)))
        return result


swish = silu


def mish(features: Any, name: str | None = None) -> Tensor:
    """Return x tanh(log(1 + e^x)).

    Source: D. Misra, "Mish: a self regularized non-monotonic activation function", 2019.
    """
    x = as_tensor(features)
    with x.graph.name_scope(name or "mish"):
        result: Tensor = multiply(x, tanh(softplus(x)))
        return result
