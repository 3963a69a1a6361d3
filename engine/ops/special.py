"""Special functions of one number, and the families of functions around the gamma function.

The incomplete gamma functions stand in `engine.ops.incomplete_gamma`, Bessel functions in
`engine.ops.bessel`. z stands for the output in the rules of local derivatives.
"""

from __future__ import annotations

from collections.abc import Callable
from math import pi, sqrt
from typing import Any

import numpy as np
from scipy import special

from engine.graph import graph_of
from engine.opdef import OpDef, define, same_shape
from engine.ops.arguments import as_tensor
from engine.ops.arithmetic import add, multiply, negative, realdiv, square, subtract
from engine.ops.comparison import equal, select_v2
from engine.ops.elementary import cos, exp, log, sin
from engine.ops.reduce import reduce_sum
from engine.ops.xlogy import xlog1py, xlogy
from engine.shapes import broadcast
from engine.tensor import Tensor


def typed(function: Callable[..., Any]) -> Callable[..., Any]:
    """Make a kernel of a SciPy function that answers in the element type of its last input.

    SciPy computes float16 in wider types.
    """

    def kernel(*arrays: Any) -> Any:
        return np.asarray(function(*arrays)).astype(arrays[-1].dtype)

    return kernel


# The error function and its inverses

_TWO_OVER_ROOT_PI = 2 / sqrt(pi)


def _bell(x: Tensor) -> Tensor:
    """Return 2 / sqrt(pi) e^(-x^2)."""
    bell: Tensor = multiply(_TWO_OVER_ROOT_PI, exp(negative(square(x))))
    return bell


def _erf(x: Any) -> Any:
    """Return erf x; TensorFlow's float64 kernel has no value at infinity."""
    return np.where(np.isinf(x) & (x.dtype == np.float64), np.nan, special.erf(x))


erf = define(
    "Erf",
    kernel=typed(_erf),
    shape=same_shape,
    kinds="f",
    latex=r"\operatorname{erf} #1",
    local=lambda x, z: _bell(x),
    corner="at infinity the value is nan in float64, as in TensorFlow; the derivative there is 0",
)

erfc = define(
    "Erfc",
    kernel=typed(special.erfc),
    shape=same_shape,
    kinds="f",
    latex=r"\operatorname{erfc} #1",
    local=lambda x, z: negative(_bell(x)),
)

erfinv = define(
    "Erfinv",
    kernel=typed(special.erfinv),
    shape=same_shape,
    kinds="f",
    latex=r"\operatorname{erf}^{-1} #1",
    local=lambda x, z: multiply(sqrt(pi) / 2, exp(square(z))),
)

ndtri = define(
    "Ndtri",
    kernel=typed(special.ndtri),
    shape=same_shape,
    kinds="f",
    latex=r"\Phi^{-1}(#1)",
    local=lambda x, z: multiply(sqrt(2 * pi), exp(multiply(0.5, square(z)))),
)


def erfcinv(x: Any, name: str = "erfcinv") -> Tensor:
    """Return the inverse of erfc: the normal quantile of x / 2, over -sqrt(2)."""
    with graph_of([x]).name_scope(name):
        result: Tensor = multiply(negative(ndtri(multiply(0.5, as_tensor(x)))), sqrt(0.5))
        return result


# The gamma function


def _lgamma(x: Any) -> Any:
    return np.where(x == -np.inf, np.inf, special.gammaln(x))


def _digamma(x: Any) -> Any:
    return np.where(x == 0, np.nan, special.psi(x))


def _polygamma(n: Any, x: Any) -> Any:
    order = np.asarray(n, np.float64)
    exact = (order >= 0) & (order == np.floor(order))
    sign = np.where(order % 2 == 0, -1.0, 1.0)
    value = sign * special.gamma(order + 1) * special.zeta(order + 1, np.asarray(x, np.float64))
    return np.where(exact, np.where(order == 0, _digamma(x), value), np.nan)


lgamma = define(
    "Lgamma",
    kernel=typed(_lgamma),
    shape=same_shape,
    kinds="f",
    latex=r"\log |\Gamma(#1)|",
    local=lambda x, z: digamma(x),
)

digamma: OpDef = define(
    "Digamma",
    kernel=typed(_digamma),
    shape=same_shape,
    kinds="f",
    latex=r"\psi(#1)",
    local=lambda x, z: polygamma(1, x),
)

polygamma: OpDef = define(
    "Polygamma",
    kernel=typed(_polygamma),
    shape=broadcast,
    kinds="f",
    arity=2,
    latex=r"\psi^{(#1)}(#2)",
    local=(None, lambda n, x, z: polygamma(add(n, 1), x)),
    corner="the order counts as constant: it receives no gradient",
)

zeta: OpDef = define(
    "Zeta",
    kernel=typed(special.zeta),
    shape=broadcast,
    kinds="f",
    arity=2,
    latex=r"\zeta(#1, #2)",
    local=(None, lambda x, q, z: negative(multiply(x, zeta(add(x, 1), q)))),
    corner="the exponent counts as constant: it receives no gradient",
)


def _log_beta(a: Tensor, b: Tensor) -> Tensor:
    result: Tensor = subtract(add(lgamma(a), lgamma(b)), lgamma(add(a, b)))
    return result


betainc = define(
    "Betainc",
    kernel=typed(special.betainc),
    shape=broadcast,
    kinds="f",
    arity=3,
    latex=r"I_{#3}(#1, #2)",
    local=(
        None,
        None,
        lambda a, b, x, z: exp(
            subtract(
                add(xlog1py(subtract(b, 1), negative(x)), xlogy(subtract(a, 1), x)),
                _log_beta(a, b),
            )
        ),
    ),
    corner="both parameters count as constant: they receive no gradient",
)


def lbeta(x: Any, name: str = "lbeta") -> Tensor:
    """Return the logarithm of the multivariate beta function of the last axis of x."""
    with graph_of([x]).name_scope(name):
        tensor = as_tensor(x)
        result: Tensor = subtract(reduce_sum(lgamma(tensor), -1), lgamma(reduce_sum(tensor, -1)))
        return result


# Integrals


def _expint(x: Any) -> Any:
    return np.where((x >= 0) & (x < np.inf), special.expi(x), np.nan)


dawsn = define(
    "Dawsn",
    kernel=typed(special.dawsn),
    shape=same_shape,
    kinds="f",
    latex=r"F(#1)",
    local=lambda x, z: subtract(1, multiply(multiply(2, x), z)),
)

expint = define(
    "Expint",
    kernel=typed(_expint),
    shape=same_shape,
    kinds="f",
    latex=r"\operatorname{Ei}(#1)",
    local=lambda x, z: realdiv(exp(x), x),
    corner="below 0 the value is nan, although the derivative is e^x / x there, too",
)

fresnel_cos = define(
    "FresnelCos",
    kernel=typed(lambda x: special.fresnel(x)[1]),
    shape=same_shape,
    kinds="f",
    latex=r"C(#1)",
    local=lambda x, z: cos(multiply(pi / 2, square(x))),
)

fresnel_sin = define(
    "FresnelSin",
    kernel=typed(lambda x: special.fresnel(x)[0]),
    shape=same_shape,
    kinds="f",
    latex=r"S(#1)",
    local=lambda x, z: sin(multiply(pi / 2, square(x))),
)


def _spence_slope(x: Tensor) -> Tensor:
    """Return log(x) / (1 - x); at 1 by its series, so that the next derivatives are right too."""
    at_one = equal(x, 1)
    elsewhere = select_v2(at_one, 2, x)
    step = subtract(x, 1)
    series = subtract(multiply(step, subtract(0.5, realdiv(step, 3))), 1)
    quotient = realdiv(log(elsewhere), subtract(1, elsewhere))
    slope: Tensor = select_v2(at_one, series, quotient)
    return slope


spence = define(
    "Spence",
    kernel=typed(special.spence),
    shape=same_shape,
    kinds="f",
    latex=r"\operatorname{Li}_2(1 - #1)",
    local=lambda x, z: _spence_slope(x),
)
