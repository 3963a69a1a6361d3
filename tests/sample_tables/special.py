"""Sample inputs for special functions, Bessel functions, and products in which a zero wins."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.sample_tables import Sample, spread

_SHAPES = ((4,), (2, 3), (), (0, 3))
_PAIRS = (((3,), (3,)), ((2, 3), (3,)), ((), (2, 1)), ((2, 1), (1, 3)), ((0,), ()))
_COMPLEX = spread(3, low=0.3, high=0.9) + 1j * spread(3, low=0.2, high=0.8, seed=1)


def _unary(low: float, high: float, **fields: Any) -> list[Sample]:
    """Return samples of an elementwise op: a vector, a matrix, a scalar, an empty tensor."""
    return [Sample((spread(*shape, low=low, high=high),), **fields) for shape in _SHAPES]


def _binary(first: tuple[float, float], second: tuple[float, float], **fields: Any) -> list[Sample]:
    """Return samples of an elementwise op of two inputs, with every way of broadcasting."""
    return [
        Sample(
            (
                spread(*left, low=first[0], high=first[1]),
                spread(*right, low=second[0], high=second[1], seed=1),
            ),
            **fields,
        )
        for left, right in _PAIRS
    ]


_ACROSS_ZERO = np.array([0.0, 0.5, -1.5])

SAMPLES: dict[str, list[Sample]] = {
    # Inverse functions
    "Asinh": [*_unary(-2, 2), Sample((_COMPLEX,))],
    "Acosh": [*_unary(1.5, 3), Sample((_COMPLEX,))],
    "Atanh": [*_unary(-0.8, 0.8), Sample((_COMPLEX,))],
    "Atan2": [*_binary((0.5, 2), (-2, 2)), *_binary((-2, -0.5), (-2, 2))],
    # Error functions and the gamma family
    "Erf": _unary(-2, 2),
    "Erfc": _unary(-2, 2),
    "Erfinv": _unary(-0.8, 0.8),
    "Ndtri": _unary(0.2, 0.8),
    "Lgamma": [*_unary(0.5, 4), Sample((np.array([-0.6, -1.3, 0.2]),), tolerance=1e-5)],
    "Digamma": _unary(0.7, 4),
    "Polygamma": [
        Sample((np.array([0.0, 1.0, 2.0]), spread(3, low=1, high=3)), wrt=(1,)),
        Sample((np.array(1.0), spread(2, 3, low=1, high=3)), wrt=(1,)),
        Sample((np.array([[0.0], [3.0]]), spread(3, low=1, high=3)), wrt=(1,)),
    ],
    "Zeta": _binary((1.5, 4), (0.7, 3), wrt=(1,)),
    "Igamma": [*_binary((0.5, 3), (0.3, 4)), *_binary((8, 12), (8, 12))],
    "Igammac": [*_binary((0.5, 3), (0.3, 4)), *_binary((8, 12), (8, 12))],
    "IgammaGradA": [
        *_binary((0.5, 3), (0.3, 4)),
        *_binary((0.5, 3), (0.3, 4), attrs={"order": 2}),
    ],
    "Betainc": [
        Sample(
            (
                spread(*first, low=0.7, high=3),
                spread(*second, low=0.7, high=3, seed=1),
                spread(*third, low=0.2, high=0.8, seed=2),
            ),
            wrt=(2,),
        )
        for first, second, third in (((3,), (3,), (3,)), ((), (2, 1), (3,)), ((0,), (), ()))
    ],
    # Integrals
    "Dawsn": _unary(-2, 2),
    "Expint": _unary(0.3, 2),
    "FresnelCos": _unary(-2, 2),
    "FresnelSin": _unary(-2, 2),
    "Spence": [*_unary(0.3, 3), Sample((np.array([1.0, 0.9, 1.1]),))],
    # Bessel functions
    "BesselI0": [*_unary(-2, 2), Sample((_ACROSS_ZERO,))],
    "BesselI0e": [*_unary(0.3, 2), *_unary(-2, -0.3)],
    "BesselI1": [*_unary(-2, 2), Sample((_ACROSS_ZERO,))],
    # At 0 the second derivative jumps, which spoils central differences of the first.
    "BesselI1e": [*_unary(0.3, 2), *_unary(-2, -0.3)],
    "BesselIn": [
        *_unary(-2, 2),
        Sample((_ACROSS_ZERO,)),
        Sample((spread(4),), {"order": 3}),
    ],
    "BesselIne": [*_unary(0.3, 2), *_unary(-2, -0.3, attrs={"order": 3})],
    "BesselJ0": [*_unary(-2, 2), Sample((_ACROSS_ZERO,))],
    "BesselJ1": [*_unary(-2, 2), Sample((_ACROSS_ZERO,))],
    "BesselJn": [
        *_unary(-2, 2),
        Sample((_ACROSS_ZERO,)),
        Sample((spread(4),), {"order": 3}),
    ],
    "BesselK0": _unary(0.4, 3),
    "BesselK0e": _unary(0.4, 3),
    "BesselK1": _unary(0.4, 3),
    "BesselK1e": _unary(0.4, 3),
    "BesselY0": _unary(0.4, 3),
    "BesselY1": _unary(0.4, 3),
    # Where a zero wins
    "Xlogy": [*_binary((0.3, 2), (0.3, 2)), Sample((_COMPLEX, _COMPLEX[::-1].copy()))],
    "Xlog1py": [*_binary((-2, -0.3), (-0.5, 2)), Sample((_COMPLEX, _COMPLEX[::-1].copy()))],
    "Xdivy": [*_binary((0.3, 2), (0.3, 2)), Sample((_COMPLEX, _COMPLEX[::-1].copy()))],
    # A step of one number is too small for central differences with respect to the direction
    "NextAfter": _binary((-2, -1), (1, 2), wrt=(0,)),
}
