"""Elementwise ops in terms of autograd's NumPy."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import autograd.numpy as anp
import autograd.scipy.special as asp
import numpy as np
from autograd.tracer import getval, isbox

Rule = Callable[..., Any]


def _cast(x: Any, dtype: str) -> Any:
    if np.dtype(dtype).kind == "c":
        return x + 0j
    if np.dtype(dtype).kind in "iub" or bare(x).dtype.kind in "iub":
        return bare(x).astype(dtype)
    return anp.real(x)


def _polygamma(order: Any, x: Any) -> Any:
    orders = bare(order)
    return asp.polygamma(orders + np.zeros_like(bare(x)), x + np.zeros_like(orders))


def _sum_of(*inputs: Any) -> Any:
    total = inputs[0]
    for x in inputs[1:]:
        total = total + x
    return total


def _selu(x: Any) -> Any:
    alpha, scale = 1.6732632423543772848170429916717, 1.0507009873554804934193349852946
    return scale * _elu(x, alpha)


def _elu(x: Any, alpha: float = 1.0) -> Any:
    below = where(x < 0, x, 0.0)
    return where(x < 0, alpha * anp.expm1(below), x)


def _leaky_relu(x: Any, alpha: float = float(np.float32(0.2))) -> Any:
    return where(x > 0, x, alpha * x)


def _constantly(function: Rule) -> Rule:
    """Return a piecewise constant function, applied to bare values."""
    return lambda *inputs, **attrs: function(*map(bare, inputs), **attrs)


def bare(value: Any) -> Any:
    """Return the array in a value that autograd traces."""
    while isbox(value):
        value = getval(value)
    return np.asarray(value)


def where(condition: Any, x: Any, y: Any) -> Any:
    """Choose by multiplying with 1 and 0; autograd's own does not sum over what was broadcast."""
    chosen = bare(condition).astype(float)
    return chosen * x + (1.0 - chosen) * y


_SMOOTH: dict[str, Rule] = {
    "Neg": lambda x: -x,
    "Square": lambda x: x * x,
    "Exp": anp.exp,
    "Expm1": anp.expm1,
    "Log": anp.log,
    "Log1p": anp.log1p,
    "Sqrt": anp.sqrt,
    "Rsqrt": lambda x: 1.0 / anp.sqrt(x),
    "Reciprocal": lambda x: 1.0 / x,
    "Inv": lambda x: 1.0 / x,
    "Sigmoid": lambda x: 1.0 / (1.0 + anp.exp(-x)),
    "Tanh": anp.tanh,
    "Sin": anp.sin,
    "Cos": anp.cos,
    "Tan": anp.tan,
    "Asin": anp.arcsin,
    "Acos": anp.arccos,
    "Atan": anp.arctan,
    "Sinh": anp.sinh,
    "Cosh": anp.cosh,
    "Asinh": anp.arcsinh,
    "Acosh": anp.arccosh,
    "Atanh": anp.arctanh,
    "Erf": asp.erf,
    "Erfc": asp.erfc,
    "Erfinv": asp.erfinv,
    "Lgamma": asp.gammaln,
    "Digamma": asp.digamma,
    "BesselJ0": asp.j0,
    "BesselJ1": asp.j1,
    "BesselY0": asp.y0,
    "BesselY1": asp.y1,
    "BesselI0": asp.i0,
    "BesselI1": asp.i1,
    "Abs": anp.abs,
    "ComplexAbs": anp.abs,
    "Softplus": lambda x: anp.logaddexp(x, 0.0),
    "Softsign": lambda x: x / (1.0 + anp.abs(x)),
    "Relu": lambda x: where(x > 0, x, 0.0),
    "Relu6": lambda x: where(x > 0, where(x < 6, x, 6.0), 0.0),
    "LeakyRelu": _leaky_relu,
    "Elu": _elu,
    "Selu": _selu,
    "Identity": lambda x: x,
    "PlaceholderWithDefault": lambda x, shape=None: x,
    "Conj": anp.conj,
    "Real": anp.real,
    "Imag": anp.imag,
    "Complex": lambda x, y: x + 1j * y,
    "Cast": _cast,
    "Polygamma": _polygamma,
    "Add": anp.add,
    "AddV2": anp.add,
    "Sub": anp.subtract,
    "Mul": anp.multiply,
    "MulNoNan": anp.multiply,
    "RealDiv": lambda x, y: x / y,
    "DivNoNan": lambda x, y: x / y,
    "Xdivy": lambda x, y: x / y,
    "Xlogy": lambda x, y: x * anp.log(y),
    "Xlog1py": lambda x, y: x * anp.log1p(y),
    "SquaredDifference": lambda x, y: (x - y) ** 2,
    "Pow": anp.power,
    "Atan2": anp.arctan2,
    "Maximum": lambda x, y: where(x >= y, x, y),
    "Minimum": lambda x, y: where(x <= y, x, y),
    "AddN": _sum_of,
    "AccumulateNV2": _sum_of,
}


_FLAT: dict[str, Rule] = {
    "Sign": _constantly(np.sign),
    "Floor": _constantly(np.floor),
    "Ceil": _constantly(np.ceil),
    "Rint": _constantly(np.rint),
    "Round": _constantly(np.rint),
    "Less": _constantly(np.less),
    "LessEqual": _constantly(np.less_equal),
    "Greater": _constantly(np.greater),
    "GreaterEqual": _constantly(np.greater_equal),
    "Equal": _constantly(np.equal),
    "NotEqual": _constantly(np.not_equal),
    "ZerosLike": _constantly(np.zeros_like),
    "OnesLike": _constantly(np.ones_like),
}

ELEMENTWISE = {**_SMOOTH, **_FLAT}
