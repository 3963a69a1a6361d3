"""Sample inputs for ops on shapes, and for joining, slicing, gathering and multiplying."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.sample_tables import Sample, spread


def _complex(*shape: int) -> Any:
    return spread(*shape) + 1j * spread(*shape, seed=1)


def _ints(*values: Any) -> Any:
    return np.array(values, np.int32)


def _index(value: int) -> Any:
    return np.array(value, np.int32)


_MATRIX = spread(2, 3)
_CUBE = spread(2, 3, 4)

_SHAPES = {
    "Reshape": [
        Sample((_MATRIX,), {"shape": (3, 2)}),
        Sample((_MATRIX,), {"shape": (-1,)}),
        Sample((spread(),), {"shape": (1, 1)}),
        Sample((spread(0, 3),), {"shape": (3, 0)}),
        Sample((_complex(4),), {"shape": (2, 2)}),
        Sample((_MATRIX, _ints(3, -1)), {"shape": None}),
        Sample((_MATRIX, _ints(3, 2)), {"shape": (None, 2)}),
    ],
    "ReshapeLike": [
        Sample((_MATRIX, spread(3, 2)), wrt=(0,)),
        Sample((spread(1), spread()), wrt=(0,)),
    ],
    "ReshapeRowsLike": [
        Sample((spread(2, 2, 3), spread(5, 3)), wrt=(0,)),
        Sample((spread(3), spread(5, 3)), wrt=(0,)),
        Sample((spread(0, 2, 0), spread(5, 0)), wrt=(0,)),
    ],
    "ExpandDims": [Sample((_MATRIX,), {"axis": axis}) for axis in (0, 1, -1)]
    + [Sample((spread(),), {"axis": 0})],
    "Squeeze": [
        Sample((spread(1, 3, 1),)),
        Sample((spread(1, 3, 1),), {"axis": (2,)}),
        Sample((spread(1, 1),), {"axis": (0, -1)}),
    ],
    "Shape": [Sample((_MATRIX,), order=0), Sample((spread(),), {"out_type": "int64"}, order=0)],
    "Size": [Sample((_MATRIX,), order=0), Sample((spread(0, 3),), {"out_type": "int64"}, order=0)],
    "Rank": [Sample((_MATRIX,), order=0), Sample((spread(),), order=0)],
    "BroadcastTo": [
        Sample((spread(3),), {"shape": (2, 3)}),
        Sample((spread(2, 1),), {"shape": (4, 2, 3)}),
        Sample((spread(),), {"shape": (2, 2)}),
        Sample((_MATRIX,), {"shape": (2, 3)}),
        Sample((spread(1),), {"shape": (0,)}),
        Sample((spread(3), _ints(2, 3)), {"shape": None}),
    ],
    "Fill": [
        Sample((spread(),), {"dims": (2, 3)}),
        Sample((spread(),), {"dims": ()}),
        Sample((spread(),), {"dims": (0,)}),
        Sample((spread(), _ints(2, 3)), {"dims": (None, 3)}),
    ],
    "ZerosLike": [
        Sample((_MATRIX,), order=0),
        Sample((_ints(1, 2),), {"dtype": "float32"}, order=0),
    ],
    "OnesLike": [Sample((_MATRIX,), order=0), Sample((_complex(2),), order=0)],
    "OneHot": [
        Sample((_ints(0, 2, 5, -1), spread(), spread(seed=1)), {"depth": 3}, order=0),
        Sample((_ints([0, 1]), spread(), spread(seed=1)), {"depth": 3, "axis": 0}, order=0),
    ],
    "LinSpace": [Sample((spread(), spread(seed=1)), {"num": 4}, order=0)],
    "Range": [
        Sample((np.array(0.5), np.array(2.6), np.array(0.5)), order=0),
        Sample((_index(5), _index(0), _index(-2)), order=0),
    ],
}

_JOINING = {
    "Pack": [
        Sample((_MATRIX, spread(2, 3, seed=1), spread(2, 3, seed=2)), {"axis": axis})
        for axis in (0, 1, 2, -1)
    ]
    + [Sample((spread(), spread(seed=1))), Sample((spread(0, 2),))],
    "Unpack": [
        Sample((_MATRIX,), {"num": 2}),
        Sample((_MATRIX,), {"num": 3, "axis": -1}),
        Sample((spread(1, 2),), {"num": 1}),
        Sample((spread(2),), {"num": 2}),
    ],
    "ConcatV2": [
        Sample((_MATRIX, spread(2, 1), spread(2, 2)), {"axis": 1}),
        Sample((_MATRIX, spread(2, 1), spread(2, 2)), {"axis": -1}),
        Sample((spread(2), spread(0), spread(1)), {"axis": 0}),
        Sample((_MATRIX,), {"axis": 0}),
        Sample(tuple(spread(1 + k % 2, seed=k) for k in range(18)), {"axis": 0}),
    ],
    "SplitLike": [
        Sample((spread(2, 5), spread(2, 3), spread(2, 2)), {"axis": 1}, wrt=(0,)),
        Sample((spread(2, 3), spread(2, 3)), {"axis": 1}, wrt=(0,)),
    ],
    "Split": [
        Sample((spread(2, 6),), {"axis": 1, "num_split": 3}),
        Sample((spread(4),), {"num_split": 1}),
    ],
    "SplitV": [
        Sample((spread(6),), {"size_splits": (1, 2, 3)}),
        Sample((spread(2, 6),), {"size_splits": (4, -1, 0), "axis": -1}),
        Sample((spread(3),), {"size_splits": (3,)}),
    ],
    "Tile": [
        Sample((_MATRIX,), {"multiples": (2, 3)}),
        Sample((_MATRIX,), {"multiples": (1, 1)}),
        Sample((_MATRIX,), {"multiples": (1, 2)}),
        Sample((_MATRIX,), {"multiples": (0, 1)}),
        Sample((spread(),), {"multiples": ()}),
        Sample((spread(0, 2),), {"multiples": (2, 2)}),
        Sample((_MATRIX, _ints(2, 1)), {"multiples": None}),
    ],
    "TileGrad": [
        Sample((spread(4, 3), _MATRIX), {"multiples": (2, 1)}, wrt=(0,)),
        Sample((spread(4, 3), _MATRIX, _ints(2, 1)), {"multiples": None}, wrt=(0,)),
    ],
    "Pad": [
        Sample((_MATRIX,), {"paddings": ((1, 0), (2, 1))}),
        Sample((_MATRIX,), {"paddings": ((0, 0), (0, 0))}),
        Sample((spread(0, 2),), {"paddings": ((1, 1), (0, 0))}),
        Sample((spread(),), {"paddings": ()}),
    ],
    "PadV2": [Sample((_MATRIX, spread()), {"paddings": ((1, 0), (2, 1))}, wrt=(0,))],
    "MirrorPad": [
        Sample((spread(3, 3),), {"paddings": ((1, 1), (2, 0)), "mode": "REFLECT"}),
        Sample((_MATRIX,), {"paddings": ((1, 2), (0, 3)), "mode": "SYMMETRIC"}),
    ],
    "MirrorPadGrad": [
        Sample((spread(5, 5),), {"paddings": ((1, 1), (2, 0)), "mode": "REFLECT"}),
        Sample((spread(5, 6),), {"paddings": ((1, 2), (0, 3)), "mode": "SYMMETRIC"}),
    ],
}

_STEPS = {"begin": (0, 1), "end": (4, 5), "strides": (2, 2)}
_ROW = {"begin": (None,), "end": (0,), "strides": (1,), "shrink_axis_mask": 1}
_TAIL = {"begin": (None,), "end": (None,), "strides": (1,)}

_SLICING = {
    "Slice": [
        Sample((spread(3, 4),), {"begin": (1, 0), "size": (2, 3)}),
        Sample((spread(3, 4),), {"begin": (0, 2), "size": (-1, -1)}),
        Sample((spread(3),), {"begin": (3,), "size": (0,)}),
        Sample((spread(),), {"begin": (), "size": ()}),
        Sample((spread(3, 4), _index(1)), {"begin": (None, 0), "size": (2, 3)}),
        Sample((spread(4), _index(1), _index(2)), {"begin": (None,), "size": (None,)}),
    ],
    "SliceGrad": [
        Sample((_MATRIX, spread(3, 4)), {"begin": (1, 0), "size": (2, 3)}, wrt=(0,)),
        Sample((_MATRIX, spread(3, 4), _index(1)), {"begin": (None, 0), "size": (2, 3)}, wrt=(0,)),
    ],
    "StridedSlice": [
        Sample((spread(4, 5),), _STEPS),
        Sample((spread(5),), {"begin": (-1,), "end": (0,), "strides": (-2,), "end_mask": 1}),
        Sample(
            (spread(3, 4),),
            {"begin": (1, 0), "end": (2, 3), "strides": (1, 1), "shrink_axis_mask": 1},
        ),
        Sample((_CUBE,), {"begin": (0, 1), "end": (0, 3), "strides": (1, 1), "ellipsis_mask": 1}),
        Sample((_MATRIX,), {"begin": (0, 1), "end": (0, 2), "strides": (1, 1), "new_axis_mask": 1}),
        Sample((spread(3),), {"begin": (2,), "end": (9,), "strides": (1,)}),
        Sample((spread(3, 4), _index(-1)), _ROW),
        Sample((spread(4), _index(1), _index(3)), _TAIL),
    ],
    "StridedSliceGrad": [
        Sample((spread(2, 2),), {"shape": (4, 5), **_STEPS}),
        Sample((spread(2, 2), spread(4, 5)), _STEPS, wrt=(0,)),
        Sample((spread(4), _index(1)), {"shape": (3, 4), **_ROW}),
        Sample((spread(2), spread(4), _index(1), _index(3)), _TAIL, wrt=(0,)),
    ],
}

_BATCHED = {"axis": 2, "batch_dims": 1}

_GATHERING = {
    "GatherV2": [
        Sample((spread(4, 2), _ints(1, 3, 1))),
        Sample((spread(4, 2), _index(2))),
        Sample((spread(4), _ints([0, 1], [3, 3]))),
        Sample((spread(2, 4), _ints(0, 3, 0)), {"axis": 1}),
        Sample((spread(2, 4, 2), _ints([0, 1], [3, 1])), {"axis": -2}),
        Sample((_CUBE, _ints([0, 2], [3, 3])), {"axis": 2, "batch_dims": 1}),
        Sample((_CUBE, _ints([[0, 2]], [[1, 1]])), {"axis": 1, "batch_dims": 1}),
        Sample((spread(4, 2), np.zeros((0,), np.int32))),
    ],
    "GatherGrad": [
        Sample((spread(2, 3), _ints(0, 3, 0), spread(2, 4)), {"axis": 1}, wrt=(0,)),
        Sample((spread(2, 3, 2), _ints([0, 2], [3, 3]), _CUBE), _BATCHED, wrt=(0,)),
    ],
    "GatherNd": [
        Sample((_MATRIX, _ints([0, 1], [1, 0], [0, 1]))),
        Sample((spread(3, 2), _ints([2], [0], [2]))),
        Sample((_CUBE, _ints([[0, 2]], [[1, 1]]))),
        Sample((spread(2), np.zeros((3, 0), np.int32))),
    ],
    "ScatterNd": [
        Sample((_ints([3], [0], [3]), spread(3, 2)), {"shape": (4, 2)}),
        Sample((_ints([0, 1], [1, 1]), spread(2)), {"shape": (2, 2)}),
        Sample((_ints([3], [0], [3]), spread(3, 2), _ints(4, 2)), {"shape": None}),
    ],
    "UnsortedSegmentSum": [
        Sample((spread(4, 2), _ints(2, 0, 2, 0)), {"num_segments": 3}),
        Sample((spread(4), _ints(1, -1, 0, 1)), {"num_segments": 3}),
        Sample((spread(2, 2, 2), _ints([0, 1], [1, 1])), {"num_segments": 2}),
        Sample((spread(4), _ints(1, -1, 0, 1), _index(3))),
    ],
    "GatherSegments": [
        Sample((spread(3, 2), _ints(2, 0, -1, 0))),
        Sample((spread(3), _ints([0, 1], [-1, 1]))),
    ],
}

_ORDERING = {
    "Transpose": [
        Sample((_MATRIX,), {"perm": (1, 0)}),
        Sample((_CUBE,), {"perm": (2, 0, 1)}),
        Sample((_CUBE,)),
        Sample((spread(),)),
        Sample((_complex(2, 3),)),
    ],
    "ConjugateTranspose": [Sample((_complex(2, 3),), {"perm": (1, 0)}), Sample((_MATRIX,))],
    "ReverseV2": [
        Sample((_MATRIX,), {"axis": (1,)}),
        Sample((_MATRIX,), {"axis": (0, -1)}),
        Sample((_MATRIX,), {"axis": ()}),
    ],
    "ReverseSequence": [
        Sample((spread(2, 4), _ints(3, 1)), {"seq_dim": 1}),
        Sample((spread(4, 2, 2), _ints(0, 4)), {"seq_dim": 0, "batch_dim": 2}),
    ],
}


def _products(op_type: str, first: str, second: str, batch: tuple[int, ...]) -> list[Sample]:
    """Return one sample for each way of flipping the two matrices, real and complex."""
    samples = []
    for flip_a in (False, True):
        for flip_b in (False, True):
            a = (*batch, 3, 2) if flip_a else (*batch, 2, 3)
            b = (*batch, 4, 3) if flip_b else (*batch, 3, 4)
            attrs = {first: flip_a, second: flip_b}
            samples.append(Sample((spread(*a), spread(*b, seed=1)), attrs))
            if op_type != "SparseMatMul":
                samples.append(Sample((_complex(*a), _complex(*b)), attrs))
    return samples


_BROADCAST = [
    Sample((_CUBE, spread(4, 2))),
    Sample((spread(2, 3), spread(3, 3, 2)), {"adj_y": False}),
    Sample((spread(2, 1, 2, 3), spread(3, 3, 1))),
    Sample((spread(2, 3, 2), spread(4, 3)), {"adj_x": True, "adj_y": True}),
    Sample((spread(2, 0, 3), spread(2, 3, 1))),
]

_PRODUCTS = {
    "MatMul": [
        *_products("MatMul", "transpose_a", "transpose_b", ()),
        Sample((spread(0, 3), spread(3, 2))),
        Sample((spread(2, 0), spread(0, 3))),
    ],
    "SparseMatMul": _products("SparseMatMul", "transpose_a", "transpose_b", ()),
    "BatchMatMul": _products("BatchMatMul", "adj_x", "adj_y", (2,)),
    "BatchMatMulV2": [*_products("BatchMatMulV2", "adj_x", "adj_y", (2,)), *_BROADCAST],
    "BatchMatMulV3": [*_products("BatchMatMulV3", "adj_x", "adj_y", (2,)), *_BROADCAST],
}

_DIAGONALS = {
    "Diag": [Sample((spread(3),)), Sample((_MATRIX,)), Sample((spread(0),))],
    "DiagPart": [Sample((spread(3, 3),)), Sample((spread(2, 3, 2, 3),))],
    "MatrixDiagV3": [
        Sample((spread(2, 3),)),
        Sample((spread(3),)),
        Sample((spread(2), _MATRIX), wrt=(0,)),
        Sample((spread(2, 3, 3),), {"k": (-1, 1), "align": "LEFT_RIGHT"}),
        Sample((spread(2),), {"k": -1, "num_rows": 4, "num_cols": 2, "padding_value": 5}),
    ],
    "MatrixDiagPartV3": [
        Sample((spread(2, 3, 3),)),
        Sample((spread(3, 4),), {"k": (-2, 1), "padding_value": 5}),
        Sample((_MATRIX,)),
        Sample((_complex(3, 2),)),
    ],
}

SAMPLES = {**_DIAGONALS, **_SHAPES, **_JOINING, **_SLICING, **_GATHERING, **_ORDERING, **_PRODUCTS}
