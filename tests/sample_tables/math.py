"""Sample inputs for arithmetic, elementary functions, comparisons, reductions and scans."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.sample_tables import Sample, spread

_SHAPES = ((4,), (2, 3), (), (0, 3))
_PAIRS = (
    ((3,), (3,)),
    ((2, 3), (3,)),
    ((2, 3), (2, 1)),
    ((3, 1), (1, 4)),
    ((), (2, 3)),
    ((2, 1, 3), (4, 1)),
    ((0, 3), (3,)),
)


def _unary(low: float, high: float, **fields: Any) -> list[Sample]:
    """Return samples of an elementwise op: a vector, a matrix, a scalar, an empty tensor."""
    return [Sample((spread(*shape, low=low, high=high),), **fields) for shape in _SHAPES]


def _complex_unary(low: float, high: float, **fields: Any) -> list[Sample]:
    """Return the samples of `_unary`, and one of complex numbers."""
    values = spread(3, low=0.3, high=0.9) + 1j * spread(3, low=0.2, high=0.8, seed=1)
    return [*_unary(low, high, **fields), Sample((values,), **fields)]


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


def _same_pair(
    first: tuple[float, float], second: tuple[float, float], **fields: Any
) -> list[Sample]:
    """Return samples of an op of two inputs of one shape."""
    return [
        Sample(
            (
                spread(*shape, low=first[0], high=first[1]),
                spread(*shape, low=second[0], high=second[1], seed=1),
            ),
            **fields,
        )
        for shape in _SHAPES
    ]


def _reduction(low: float, high: float, order: int = 2) -> list[Sample]:
    """Return samples of a reduction: all axes, one, several, none, kept, of a scalar."""
    whole = spread(2, 3, 2, low=low, high=high)
    attrs: list[dict[str, Any]] = [
        {},
        {"keepdims": True},
        {"axis": 1},
        {"axis": (-1,)},
        {"axis": (0,)},
        {"axis": (0, 2)},
        {"axis": (2, 0), "keepdims": True},
        {"axis": (0, 1, 2)},
        {"axis": ()},
    ]
    samples = [Sample((whole,), entry, order=order) for entry in attrs]
    samples.append(Sample((spread(low=low, high=high),), order=order))
    return samples


def _scan() -> list[Sample]:
    x = spread(2, 4)
    x[0, 1] = x[1, 0] = x[1, 3] = 0.0
    samples = [
        Sample((x,), {"axis": axis, "exclusive": exclusive, "reverse": reverse})
        for axis in (0, -1)
        for exclusive in (False, True)
        for reverse in (False, True)
    ]
    return [*samples, Sample((spread(3) + 1j * spread(3, seed=1),)), Sample((spread(0),))]


_COMPLEX = spread(4) + 1j * spread(4, seed=1)
_COMPLEX_PAIR = (spread(2, 2) + 1j, spread(2, seed=1) - 0.5j)
_FLAGS = np.array([[True, False, True], [False, False, True]])
_INTEGERS = np.array([-7, -1, 4, 9], np.int32)
_DIVISORS = np.array([2, -3, 3, -4], np.int32)

_EMPTY_EXTREME = Sample((spread(0, 3),), {"axis": (1,)}, order=1)
_ZEROS = np.array([[0.0, 2.0, 3.0], [0.0, 0.0, 3.0], [1.5, 2.0, -1.0]])

SAMPLES: dict[str, list[Sample]] = {
    # Arithmetic
    "Add": _binary((-2, 2), (-2, 2)),
    "AddV2": [*_binary((-2, 2), (-2, 2)), Sample(_COMPLEX_PAIR)],
    "Sub": [*_binary((-2, 2), (-2, 2)), Sample(_COMPLEX_PAIR)],
    "Mul": [*_binary((-2, 2), (-2, 2)), Sample(_COMPLEX_PAIR)],
    "RealDiv": [*_binary((-2, 2), (0.5, 2)), Sample(_COMPLEX_PAIR)],
    "Div": [*_binary((-2, 2), (0.5, 2)), Sample((_INTEGERS, _DIVISORS), order=0)],
    "MulNoNan": [*_binary((-2, 2), (0.5, 2)), Sample(_COMPLEX_PAIR)],
    "DivNoNan": [*_binary((-2, 2), (0.5, 2)), Sample(_COMPLEX_PAIR)],
    "FloorDiv": [*_binary((-4, 4), (0.5, 2), order=0), Sample((_INTEGERS, _DIVISORS), order=0)],
    "TruncateDiv": [*_binary((-4, 4), (0.5, 2), order=0), Sample((_INTEGERS, _DIVISORS), order=0)],
    "FloorMod": [*_binary((-4, 4), (0.5, 2)), Sample((_INTEGERS, _DIVISORS), order=0)],
    "Neg": _complex_unary(-2, 2),
    "Square": _complex_unary(-2, 2),
    "SquaredDifference": _binary((-2, 2), (-2, 2)),
    "Pow": [*_binary((0.5, 2), (-2, 2)), Sample((spread(3) + 1.5j, spread(3, seed=1) + 0.5j))],
    "Maximum": _binary((-2, 2), (-2, 2)),
    "Minimum": _binary((-2, 2), (-2, 2)),
    "Sign": _unary(0.5, 2),
    "Abs": _unary(-2, -0.5),
    "AddN": [
        Sample((spread(2, 3), spread(2, 3, seed=1), spread(2, 3, seed=2))),
        Sample((spread(), spread(seed=1), spread(seed=2), spread(seed=3))),
        Sample((spread(3),)),
        Sample((spread(0, 3), spread(0, 3))),
    ],
    "AccumulateNV2": [
        Sample((spread(2, 3), spread(2, 3, seed=1), spread(2, 3, seed=2))),
        Sample((spread(), spread(seed=1))),
    ],
    # Elementary functions
    "Sqrt": _complex_unary(0.5, 2),
    "Rsqrt": _complex_unary(0.5, 2),
    "Reciprocal": _complex_unary(0.5, 2),
    "Inv": _complex_unary(0.5, 2),
    "Exp": _complex_unary(-2, 2),
    "Expm1": _complex_unary(-2, 2),
    "Log": _complex_unary(0.5, 2),
    "Log1p": _complex_unary(-0.5, 2),
    "Sigmoid": _complex_unary(-2, 2),
    "Sinh": _complex_unary(-2, 2),
    "Cosh": _complex_unary(-2, 2),
    "Tanh": _complex_unary(-2, 2),
    "Sin": _complex_unary(-2, 2),
    "Cos": _complex_unary(-2, 2),
    "Tan": _complex_unary(-1, 1),
    "Asin": _complex_unary(-0.8, 0.8),
    "Acos": _complex_unary(-0.8, 0.8),
    "Atan": _complex_unary(-2, 2),
    "Floor": _unary(-2, 2, order=0),
    "Ceil": _unary(-2, 2, order=0),
    "Round": _unary(-2, 2, order=0),
    "Rint": _unary(-2, 2, order=0),
    # Gradient ops
    "SqrtGrad": _same_pair((0.5, 2), (-2, 2)),
    "RsqrtGrad": _same_pair((0.5, 2), (-2, 2)),
    "ReciprocalGrad": _same_pair((0.5, 2), (-2, 2)),
    "InvGrad": _same_pair((0.5, 2), (-2, 2)),
    "TanhGrad": _same_pair((-0.9, 0.9), (-2, 2)),
    "SigmoidGrad": _same_pair((0.1, 0.9), (-2, 2)),
    # Complex parts and element types
    "Complex": _binary((-2, 2), (-2, 2)),
    "Real": [Sample((_COMPLEX,))],
    "Imag": [Sample((_COMPLEX,))],
    "Conj": [Sample((_COMPLEX,)), Sample((_COMPLEX.reshape(2, 2),))],
    "ComplexAbs": [Sample((_COMPLEX,))],
    "Cast": [
        Sample((spread(2, 3),), {"dtype": "float64"}),
        Sample((spread(3),), {"dtype": "complex128"}),
        Sample((_COMPLEX,), {"dtype": "float64"}),
        Sample((spread(2, 3),), {"dtype": "int32"}, order=0),
        Sample((_FLAGS,), {"dtype": "float32"}, order=0),
    ],
    # Comparisons and selection
    "Less": _binary((-2, 2), (-2, 2), order=0),
    "LessEqual": _binary((-2, 2), (-2, 2), order=0),
    "Greater": _binary((-2, 2), (-2, 2), order=0),
    "GreaterEqual": _binary((-2, 2), (-2, 2), order=0),
    "Equal": _binary((-2, 2), (-2, 2), order=0),
    "NotEqual": _binary((-2, 2), (-2, 2), order=0),
    "LogicalAnd": [Sample((_FLAGS, _FLAGS[1]), order=0)],
    "LogicalOr": [Sample((_FLAGS, _FLAGS[1]), order=0)],
    "LogicalNot": [Sample((_FLAGS,), order=0)],
    "Select": [
        Sample((_FLAGS, spread(2, 3), spread(2, 3, seed=1))),
        Sample((np.array(True), spread(2, 3), spread(2, 3, seed=1))),
        Sample((np.array([True, False]), spread(2, 3), spread(2, 3, seed=1))),
    ],
    "SelectV2": [
        Sample((_FLAGS, spread(2, 3), spread(2, 3, seed=1))),
        Sample((_FLAGS, spread(), spread(3, seed=1))),
        Sample((_FLAGS[1], spread(2, 1), spread(2, 3, seed=1))),
        Sample((np.array(False), spread(3), spread(3, seed=1))),
        Sample((_FLAGS[:0], spread(3), spread(seed=1))),
    ],
    "Where": [Sample((_FLAGS,), order=0)],
    # Reductions
    "Sum": [*_reduction(-2, 2), Sample((_COMPLEX,)), Sample((spread(0, 3),), {"axis": (0,)})],
    "Mean": [*_reduction(-2, 2), Sample((_COMPLEX,)), Sample((spread(0, 3),), {"axis": (1,)})],
    "Max": [*_reduction(-2, 2, order=1), _EMPTY_EXTREME],
    "Min": [*_reduction(-2, 2, order=1), _EMPTY_EXTREME],
    "Prod": [
        *_reduction(0.5, 2),
        Sample((_ZEROS,), {"axis": (1,)}),
        Sample((_ZEROS[:1, :],)),
        Sample((_COMPLEX,)),
    ],
    "LogSumExp": _reduction(-2, 2),
    "All": [Sample((_FLAGS,), order=0), Sample((_FLAGS,), {"axis": (1,)}, order=0)],
    "Any": [
        Sample((_FLAGS,), order=0),
        Sample((_FLAGS,), {"axis": (0,), "keepdims": True}, order=0),
    ],
    "ArgMax": [
        Sample((spread(2, 3),), order=0),
        Sample((spread(2, 3),), {"axis": -1, "output_type": "int32"}, order=0),
    ],
    "ArgMin": [Sample((spread(2, 3),), {"axis": 1}, order=0)],
    "SumToShapeOf": [
        Sample((spread(2, 3), spread(3)), wrt=(0,)),
        Sample((spread(4, 2, 3), spread(2, 1)), wrt=(0,)),
        Sample((spread(2, 3), spread()), wrt=(0,)),
        Sample((spread(2, 3), spread(2, 3)), wrt=(0,)),
    ],
    "BroadcastLike": [
        Sample((spread(3), spread(2, 3)), wrt=(0,)),
        Sample((spread(2, 1), spread(4, 2, 3)), wrt=(0,)),
        Sample((spread(2), spread(2, 3)), {"axis": (1,)}, wrt=(0,)),
        Sample((spread(3), spread(2, 3, 4)), {"axis": (0, -1)}, wrt=(0,)),
    ],
    # Scans
    "Cumsum": _scan(),
    "Cumprod": _scan(),
    "LinearScan": [
        Sample((spread(4), spread(4, seed=1))),
        Sample((spread(2, 3), spread(2, 3, seed=1)), {"axis": 1, "reverse": True}),
    ],
    "Shift": [
        Sample((spread(4),)),
        Sample((spread(2, 3),), {"axis": -1, "offset": -1}),
    ],
}
