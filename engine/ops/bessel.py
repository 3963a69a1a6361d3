"""Bessel functions of orders 0 and 1, plain and scaled by an exponential.

The derivatives of I and J at order 1 use order 2 (Abramowitz and Stegun 1964, 9.1.27 and 9.6.26),
not z/x, so they are right at 0, at every order of differentiation. Higher orders are the ops of the
last section. z stands for the output in the rules of local derivatives.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy import special

from engine.opdef import OpDef, define, same_shape
from engine.ops.arithmetic import add, multiply, negative, realdiv, sign, subtract
from engine.ops.special import typed
from engine.registry import RegisterGradient
from engine.shapes import Dims
from engine.tensor import Operation, Tensor


def _below_zero(function: Callable[[Any], Any], value: float) -> Callable[..., Any]:
    """Make a kernel of a function that has a limit at 0 only from above, and that limit below 0."""
    return typed(lambda x: np.where(x < 0, value, function(x)))


# Modified, of the first kind

bessel_i0 = define(
    "BesselI0",
    kernel=typed(special.i0),
    shape=same_shape,
    kinds="f",
    latex="I_0(#1)",
    local=lambda x, z: bessel_i1(x),
)

bessel_i1: OpDef = define(
    "BesselI1",
    kernel=typed(special.i1),
    shape=same_shape,
    kinds="f",
    latex="I_1(#1)",
    local=lambda x, z: _in_slope(x, 1),
)

bessel_i0e = define(
    "BesselI0e",
    kernel=typed(special.i0e),
    shape=same_shape,
    kinds="f",
    latex="e^{-|#1|} I_0(#1)",
    local=lambda x, z: subtract(bessel_i1e(x), multiply(sign(x), z)),
    corner="at 0 the derivative is 0, the mean of its two sides",
)

bessel_i1e: OpDef = define(
    "BesselI1e",
    kernel=typed(special.i1e),
    shape=same_shape,
    kinds="f",
    latex="e^{-|#1|} I_1(#1)",
    local=lambda x, z: _ine_slope(x, z, 1),
)

# Modified, of the second kind

bessel_k0 = define(
    "BesselK0",
    kernel=_below_zero(special.k0, np.inf),
    shape=same_shape,
    kinds="f",
    latex="K_0(#1)",
    local=lambda x, z: negative(bessel_k1(x)),
)

bessel_k1: OpDef = define(
    "BesselK1",
    kernel=_below_zero(special.k1, np.inf),
    shape=same_shape,
    kinds="f",
    latex="K_1(#1)",
    local=lambda x, z: subtract(negative(bessel_k0(x)), realdiv(z, x)),
)

bessel_k0e = define(
    "BesselK0e",
    kernel=_below_zero(special.k0e, np.inf),
    shape=same_shape,
    kinds="f",
    latex="e^{#1} K_0(#1)",
    local=lambda x, z: subtract(z, bessel_k1e(x)),
)

bessel_k1e: OpDef = define(
    "BesselK1e",
    kernel=_below_zero(special.k1e, np.inf),
    shape=same_shape,
    kinds="f",
    latex="e^{#1} K_1(#1)",
    local=lambda x, z: subtract(multiply(z, subtract(1, realdiv(1, x))), bessel_k0e(x)),
)

# Of the first and second kind

bessel_j0 = define(
    "BesselJ0",
    kernel=typed(special.j0),
    shape=same_shape,
    kinds="f",
    latex="J_0(#1)",
    local=lambda x, z: negative(bessel_j1(x)),
)

bessel_j1: OpDef = define(
    "BesselJ1",
    kernel=typed(special.j1),
    shape=same_shape,
    kinds="f",
    latex="J_1(#1)",
    local=lambda x, z: _jn_slope(x, 1),
)

bessel_y0 = define(
    "BesselY0",
    kernel=_below_zero(special.y0, -np.inf),
    shape=same_shape,
    kinds="f",
    latex="Y_0(#1)",
    local=lambda x, z: negative(bessel_y1(x)),
)

bessel_y1: OpDef = define(
    "BesselY1",
    kernel=_below_zero(special.y1, -np.inf),
    shape=same_shape,
    kinds="f",
    latex="Y_1(#1)",
    local=lambda x, z: subtract(bessel_y0(x), realdiv(z, x)),
)

# Higher orders, for derivatives only


def _of_order(function: Callable[[int, Any], Any]) -> Callable[..., Any]:
    return lambda x, *, order: np.asarray(function(order, x)).astype(x.dtype)


def _same(x: Dims, *, order: int) -> Dims:
    return x


_ORDER = {"order": 2}

bessel_in = define(
    "BesselIn",
    kernel=_of_order(special.iv),
    shape=_same,
    kinds="f",
    attrs=_ORDER,
    latex="I_n(#1)",
)


@RegisterGradient("BesselIn")
def _in_gradient(op: Operation, upstream: Tensor) -> Tensor:
    gradient: Tensor = multiply(upstream, _in_slope(op.inputs[0], op.attrs["order"]))
    return gradient


def _in_slope(x: Tensor, order: int) -> Tensor:
    """Return the mean of the neighbouring orders."""
    slope: Tensor = multiply(0.5, add(_i(x, order - 1), _i(x, order + 1)))
    return slope


def _i(x: Tensor, order: int) -> Tensor:
    found: Tensor = (bessel_i0, bessel_i1)[order](x) if order < 2 else bessel_in(x, order=order)
    return found


bessel_ine = define(
    "BesselIne",
    kernel=_of_order(lambda order, x: np.where(np.isinf(x), 0, special.ive(order, x))),
    shape=_same,
    kinds="f",
    attrs=_ORDER,
    latex="e^{-|#1|} I_n(#1)",
)


@RegisterGradient("BesselIne")
def _ine_gradient(op: Operation, upstream: Tensor) -> Tensor:
    slope = _ine_slope(op.inputs[0], op.outputs[0], op.attrs["order"])
    gradient: Tensor = multiply(upstream, slope)
    return gradient


def _ine_slope(x: Tensor, z: Tensor, order: int) -> Tensor:
    """Return the mean of the neighbouring orders, less what the exponential takes away."""
    mean = multiply(0.5, add(_ie(x, order - 1), _ie(x, order + 1)))
    slope: Tensor = subtract(mean, multiply(sign(x), z))
    return slope


def _ie(x: Tensor, order: int) -> Tensor:
    found: Tensor = (bessel_i0e, bessel_i1e)[order](x) if order < 2 else bessel_ine(x, order=order)
    return found


bessel_jn = define(
    "BesselJn",
    kernel=_of_order(special.jv),
    shape=_same,
    kinds="f",
    attrs=_ORDER,
    latex="J_n(#1)",
)


@RegisterGradient("BesselJn")
def _jn_gradient(op: Operation, upstream: Tensor) -> Tensor:
    gradient: Tensor = multiply(upstream, _jn_slope(op.inputs[0], op.attrs["order"]))
    return gradient


def _jn_slope(x: Tensor, order: int) -> Tensor:
    """Return half the difference of the neighbouring orders."""
    slope: Tensor = multiply(0.5, subtract(_j(x, order - 1), _j(x, order + 1)))
    return slope


def _j(x: Tensor, order: int) -> Tensor:
    found: Tensor = (bessel_j0, bessel_j1)[order](x) if order < 2 else bessel_jn(x, order=order)
    return found
