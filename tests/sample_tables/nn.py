"""Sample inputs for activations, softmax, losses and biases."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.sample_tables import Sample, spread


def _ints(*values: Any) -> Any:
    return np.array(values, np.int32)


def _away_from(*corners: float) -> Any:
    """Return values between -4 and 8, none of them close to a corner."""
    values = spread(3, 4, low=-4.0, high=8.0)
    for corner in corners:
        values = np.where(np.abs(values - corner) < 0.1, values + 0.25, values)
    return values


def _activation(*corners: float, attrs: Any = None) -> list[Sample]:
    arrays = (_away_from(*corners), np.array(1.5), np.array(-0.5), spread(0, 3))
    return [Sample((array,), attrs or {}) for array in arrays]


def _gated(*corners: float, attrs: Any = None) -> list[Sample]:
    """Return samples of a gradient op: an upstream gradient, and values that decide."""
    values = _away_from(*corners)
    return [
        Sample((spread(3, 4), values), attrs or {}),
        Sample((np.array(0.7), np.array(-0.5)), attrs or {}),
    ]


_ACTIVATIONS = {
    "Relu": _activation(0.0),
    "ReluGrad": _gated(0.0),
    "Relu6": _activation(0.0, 6.0),
    "Relu6Grad": _gated(0.0, 6.0),
    "LeakyRelu": [*_activation(0.0), *_activation(0.0, attrs={"alpha": 0.5})],
    "LeakyReluGrad": [*_gated(0.0), *_gated(0.0, attrs={"alpha": 0.5})],
    "Elu": _activation(0.0),
    "EluGrad": _gated(0.0),
    "Selu": _activation(0.0),
    "SeluGrad": _gated(0.0),
    "Softplus": _activation(),
    "Softsign": _activation(0.0),
}

_PROBABILITIES = np.array([[0.2, 0.5, 0.3], [1.0, 0.0, 0.0]])

_LOSSES = {
    "Softmax": [
        Sample((spread(2, 3),)),
        Sample((spread(2, 3),), {"axis": 0}),
        Sample((spread(4),)),
        Sample((spread(2, 2, 3),), {"axis": 1}),
        Sample((spread(0, 3),)),
    ],
    "LogSoftmax": [
        Sample((spread(2, 3),)),
        Sample((spread(2, 3),), {"axis": 0}),
        Sample((spread(4),)),
        Sample((spread(0, 3),)),
    ],
    "SoftmaxCrossEntropyWithLogits": [
        Sample((spread(2, 3), _PROBABILITIES)),
        Sample((spread(3), _PROBABILITIES[0])),
        Sample((spread(2, 2, 3), np.stack([_PROBABILITIES, _PROBABILITIES[::-1]]))),
        Sample((spread(0, 3), spread(0, 3))),
    ],
    "SparseSoftmaxCrossEntropyWithLogits": [
        Sample((spread(3, 4), _ints(3, 0, 1))),
        Sample((spread(4), np.array(2, np.int64))),
        Sample((spread(2, 2, 3), _ints([0, 1], [2, 2]))),
    ],
}

_BIASES = {
    "BiasAdd": [
        Sample((spread(2, 3), spread(3))),
        Sample((spread(1, 2, 2, 3), spread(3))),
        Sample((spread(1, 3, 2, 2), spread(3)), {"data_format": "NCHW"}),
        Sample((spread(0, 3), spread(3))),
    ],
    "BiasAddGrad": [
        Sample((spread(2, 3),)),
        Sample((spread(1, 3, 2, 2),), {"data_format": "NCHW"}),
        Sample((spread(0, 3),)),
    ],
    "L2Loss": [Sample((spread(2, 3),)), Sample((spread(),)), Sample((spread(0, 3),))],
}

SAMPLES = {**_ACTIVATIONS, **_LOSSES, **_BIASES}
