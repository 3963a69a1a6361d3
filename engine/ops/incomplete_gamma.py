"""The regularised incomplete gamma functions, differentiable in both arguments at any order.

P(a, x) is the integral up to x of the gamma density p(t) = t^(a-1) e^-t / Gamma(a), Q = 1 - P. Its
n-th derivative in a is the same integral of p times the complete Bell polynomial B_n of the
derivatives in a of log p: log t - psi(a), -psi'(a), -psi''(a), ... Over all t it vanishes, so the
kernel integrates on that side of x where the first of them keeps its sign.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import comb
from typing import Any

import numpy as np
from scipy import special

from engine.elementwise import unbroadcast
from engine.opdef import OpDef, define
from engine.ops.arithmetic import add, multiply, negative, subtract
from engine.ops.elementary import exp, log
from engine.ops.special import digamma, lgamma, polygamma, typed
from engine.registry import RegisterGradient
from engine.shapes import Dims, broadcast
from engine.tensor import Operation, Tensor


def _bell(cumulants: Sequence[Any], times: Any, plus: Any) -> Any:
    """Return the complete Bell polynomial of the cumulants, by its recurrence.

    Args:
        cumulants: as many as the order of the polynomial, at least one.
        times, plus: multiplication and addition, of arrays or of tensors.
    """
    polynomials: list[Any] = [1]
    for n in range(len(cumulants)):
        terms = [
            times(comb(n, k) * 1.0, times(polynomials[n - k], c))
            for k, c in enumerate(cumulants[: n + 1])
        ]
        total = terms[0]
        for term in terms[1:]:
            total = plus(total, term)
        polynomials.append(total)
    return polynomials[-1]


_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(96)
_NEGLIGIBLE = 45.0
"""Where the logarithm of the density is this far below its largest value the integral ends."""


def _lower(a: Any, x: Any, order: int) -> Any:
    """Sum the power series of the derivative; for x below a its terms of order 1 have one sign."""
    total = np.zeros_like(x)
    log_x = np.log(x)
    for m in range(100_000):
        index = a + m + 1
        cumulants = [log_x - special.psi(index)]
        cumulants += [-special.polygamma(k, index) for k in range(1, order)]
        size = np.exp((a + m) * log_x - x - special.gammaln(index))
        term = size * _bell(cumulants, np.multiply, np.add)
        total = total + term
        if not np.any(np.abs(term) > 1e-17 * np.abs(total)):
            break
    return total


def _upper(a: Any, x: Any, order: int) -> Any:
    """Integrate over v = log t from log x upwards, by Gauss and Legendre's rule on two panels."""
    start = np.log(x)
    peak = np.maximum(start, np.log(a))
    drop = a * peak - np.exp(peak) - _NEGLIGIBLE
    below, above = peak, np.log(np.exp(peak) + 3 * a + 4 * _NEGLIGIBLE)
    for _ in range(60):
        middle = (below + above) / 2
        inside = a * middle - np.exp(middle) > drop
        below, above = np.where(inside, middle, below), np.where(inside, above, middle)
    bend = np.maximum(start, np.minimum(np.log(a) - 1, -3.0))
    total = np.zeros_like(x)
    for left, right in ((start, bend), (bend, above)):
        half = (right - left) / 2
        v = left[..., None] + half[..., None] * (1 + _NODES)
        shape = a[..., None]
        cumulants = [v - special.psi(shape)]
        cumulants += [-special.polygamma(k, shape) for k in range(1, order)]
        density = np.exp(shape * v - np.exp(v) - special.gammaln(shape))
        values = density * _bell(cumulants, np.multiply, np.add)
        total = total + half * np.sum(values * _WEIGHTS, -1)
    return -total


def _derivative(a: Any, x: Any, *, order: int) -> Any:
    a_wide, x_wide = np.broadcast_arrays(np.asarray(a, np.float64), np.asarray(x, np.float64))
    result = np.where((a_wide > 0) & ((x_wide == 0) | (x_wide == np.inf)), 0.0, np.nan)
    usable = (a_wide > 0) & (x_wide > 0) & np.isfinite(a_wide) & np.isfinite(x_wide)
    below = np.log(np.where(usable, x_wide, 1)) < special.psi(np.where(usable, a_wide, 1))
    for side, integrate in ((usable & below, _lower), (usable & ~below, _upper)):
        if np.any(side):
            result[side] = integrate(a_wide[side], x_wide[side], order)
    return result.astype(np.asarray(x).dtype)


def _shape(a: Dims, x: Dims, *, order: int) -> Dims:
    return broadcast(a, x)


igamma_derivative: OpDef = define(
    "IgammaGradA",
    kernel=_derivative,
    shape=_shape,
    kinds="f",
    arity=2,
    attrs={"order": 1},
    latex=r"\frac{\partial^n}{\partial #1^n} P(#1, #2)",
)


def _density(a: Tensor, x: Tensor, order: int = 0) -> Tensor:
    """Return the derivative in a, as often as `order` says, of the density at x."""
    log_x = log(x)
    exponent = subtract(subtract(multiply(subtract(a, 1), log_x), x), lgamma(a))
    density: Tensor = exp(exponent)
    if not order:
        return density
    cumulants = [subtract(log_x, digamma(a))]
    cumulants += [negative(polygamma(k, a)) for k in range(1, order)]
    derivative: Tensor = multiply(density, _bell(cumulants, multiply, add))
    return derivative


@RegisterGradient("IgammaGradA")
def _igamma_derivative_gradient(op: Operation, upstream: Tensor) -> list[Any]:
    a, x = op.inputs
    order = op.attrs["order"]
    return [
        lambda: unbroadcast(multiply(upstream, igamma_derivative(a, x, order=order + 1)), op, 0),
        lambda: unbroadcast(multiply(upstream, _density(a, x, order)), op, 1),
    ]


igamma = define(
    "Igamma",
    kernel=typed(special.gammainc),
    shape=broadcast,
    kinds="f",
    arity=2,
    latex="P(#1, #2)",
    local=(
        lambda a, x, z: igamma_derivative(a, x),
        lambda a, x, z: _density(a, x),
    ),
)

igammac = define(
    "Igammac",
    kernel=typed(special.gammaincc),
    shape=broadcast,
    kinds="f",
    arity=2,
    latex="Q(#1, #2)",
    local=(
        lambda a, x, z: negative(igamma_derivative(a, x)),
        lambda a, x, z: negative(_density(a, x)),
    ),
)
