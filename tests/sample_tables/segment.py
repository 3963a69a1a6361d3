"""Sample inputs for segments, scatters, order, vectors, and running logarithms of sums."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.sample_tables import Sample, spread


def _ints(*values: Any) -> Any:
    return np.array(values, np.int32)


_SORTED = _ints(0, 0, 1, 3)
"""Segment 2 has no rows."""
_ZEROS = np.array([[0.0, 2.0], [3.0, 0.0], [0.0, 0.0], [0.0, 0.5], [1.5, -1.0]])


def _sorted_segments() -> list[Sample]:
    return [
        Sample((spread(4, 2), _SORTED)),
        Sample((spread(4), _ints(0, 0, 0, 1))),
        Sample((spread(3, 1, 2), _ints(1, 1, 1).astype(np.int64))),
        Sample((spread(0, 2), _ints())),
    ]


def _unsorted_segments() -> list[Sample]:
    return [
        Sample((spread(4, 2), _ints(2, 0, 2, 0)), {"num_segments": 3}),
        Sample((spread(5), _ints(1, -1, 0, 1, 1)), {"num_segments": 3}),
        Sample((spread(2, 3), _ints([0, 1, 0], [1, 1, 3])), {"num_segments": 4}),
        Sample((spread(2, 2, 2), _ints([0, 1], [1, 1])), {"num_segments": 2}),
        Sample((spread(4), _ints(1, -1, 0, 1), np.array(3, np.int32)), wrt=(0,)),
    ]


def _full_segments() -> list[Sample]:
    """Return samples without an empty segment: its extremum is too large for differences."""
    return [
        Sample((spread(5, 2), _ints(2, 0, 2, 0, 1)), {"num_segments": 3}),
        Sample((spread(5), _ints(1, -1, 0, 1, 1)), {"num_segments": 2}),
        Sample((spread(2, 2, 2), _ints([0, 1], [1, 1])), {"num_segments": 2}),
        Sample((spread(4), _ints(1, -1, 0, 1), np.array(2, np.int32)), wrt=(0,)),
    ]


def _sparse_segments(**attrs: Any) -> list[Sample]:
    return [
        Sample((spread(4, 2), _ints(0, 2, 2, 3), _ints(0, 0, 1, 1)), attrs),
        Sample((spread(3), _ints(2, 1, 2), _ints(1, 1, 2)), attrs),
        Sample((spread(3, 2), _ints(0, 0), _ints(0, 0)), {**attrs, "sparse_gradient": True}),
    ]


def _scatters() -> list[Sample]:
    return [
        Sample((spread(5), _ints([3], [1]), spread(2, seed=1))),
        Sample((spread(4, 2), _ints([3], [0]), spread(2, 2, seed=1))),
        Sample((spread(2, 3), _ints([0, 2], [1, 1]), spread(2, seed=1))),
        Sample((spread(2, 3), _ints([[0], [1]]), spread(1, 2, 3, seed=1))),
    ]


_TWICE = [Sample((spread(4), _ints([2], [0], [2]), spread(3, seed=1)))]

_LENGTHS: list[dict[str, Any]] = [
    {},
    {"keepdims": True},
    {"axis": 1},
    {"axis": (0, 2)},
    {"axis": (-1,), "keepdims": True},
    {"axis": ()},
]

SAMPLES: dict[str, list[Sample]] = {
    # Segments
    "SegmentSum": [*_sorted_segments(), Sample((spread(2) + 1j * spread(2, seed=1), _ints(0, 0)))],
    "SegmentMean": _sorted_segments(),
    "SegmentMax": _sorted_segments(),
    "SegmentMin": _sorted_segments(),
    "SegmentProd": [*_sorted_segments(), Sample((_ZEROS, _ints(0, 0, 0, 1, 1)))],
    "UnsortedSegmentMax": _full_segments(),
    "UnsortedSegmentMin": _full_segments(),
    "UnsortedSegmentProd": [
        *_unsorted_segments(),
        Sample((_ZEROS, _ints(1, 0, 1, -1, 1)), {"num_segments": 2}),
        Sample((spread(3) + 1j * spread(3, seed=1), _ints(1, 0, 1)), {"num_segments": 2}),
    ],
    "SparseSegmentSum": _sparse_segments(),
    "SparseSegmentMean": _sparse_segments(),
    "SparseSegmentSqrtN": _sparse_segments(),
    "SparseSegmentSumWithNumSegments": _sparse_segments(num_segments=4),
    "SparseSegmentMeanWithNumSegments": _sparse_segments(num_segments=4),
    "SparseSegmentSqrtNWithNumSegments": _sparse_segments(num_segments=4),
    "SegmentScale": [
        Sample((spread(4, 2), _SORTED)),
        Sample((spread(4), _SORTED), {"power": 0.5}),
    ],
    "SegmentOrder": [Sample((_ints(2, 0, -1, 0),))],
    "SegmentBoundary": [
        Sample((_SORTED, spread(4, 2)), order=0),
        Sample((_SORTED, spread(4)), {"last": True}, order=0),
        Sample((_ints(), spread(0, 2)), order=0),
    ],
    # Scatters
    "TensorScatterUpdate": _scatters(),
    "TensorScatterAdd": [*_scatters(), *_TWICE],
    "TensorScatterSub": [*_scatters(), *_TWICE],
    "TensorScatterMax": [*_scatters(), *_TWICE],
    "TensorScatterMin": [*_scatters(), *_TWICE],
    # Order
    "TopKV2": [
        Sample((spread(5),), {"k": 2}),
        Sample((spread(2, 4),), {"k": 3}),
        Sample((spread(2, 2, 3),), {"k": 0}),
        Sample((_ints(3, 1, 3, 2),), {"k": 3}),
    ],
    "NthElement": [
        Sample((spread(5),), {"n": 1}),
        Sample((spread(2, 4),), {"n": 1, "reverse": True}),
    ],
    "Unique": [
        Sample((_ints(3, 1, 3, 2, 1),), order=0),
        Sample((_ints(),), {"out_idx": "int64"}, order=0),
    ],
    # Vectors and complex parts
    "EuclideanNorm": [
        *(Sample((spread(2, 3, 2),), attrs) for attrs in _LENGTHS),
        Sample((spread(),)),
    ],
    "Cross": [
        Sample((spread(3), spread(3, seed=1))),
        Sample((spread(2, 2, 3), spread(2, 2, 3, seed=1))),
    ],
    "Angle": [Sample((spread(4, seed=2) + 1j * spread(4, seed=1),))],
    "ApproximateEqual": [Sample((spread(3), spread(3) + 1e-7), order=0)],
    # Running logarithms of sums of exponentials
    "CumulativeLogsumexp": [
        Sample((x,), {"axis": axis, "exclusive": False, "reverse": reverse})
        for x in (spread(2, 4), spread(4, 1) + np.array([[0.0], [700.0], [-700.0], [0.0]]))
        for axis in (0, -1)
        for reverse in (False, True)
    ],
}
