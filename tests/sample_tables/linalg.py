"""Sample inputs for linear algebra: einsum, decompositions, solvers, bands of matrices."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.sample_tables import Sample, spread


def _complex(*shape: int) -> Any:
    return spread(*shape) + 1j * spread(*shape, seed=1)


def _einsum(equation: str, *inputs: Any) -> Sample:
    return Sample(inputs, {"equation": equation})


_EINSUM = {
    "Einsum": [
        _einsum("ij,jk->ik", spread(2, 3), spread(3, 2)),
        _einsum("i,j->ij", spread(2), spread(3)),
        _einsum("ij->ji", spread(2, 3)),
        _einsum("ij->", spread(2, 3)),
        _einsum("ij->j", spread(2, 3)),
        _einsum("ij", spread(2, 3)),
        _einsum("ii->i", spread(3, 3)),
        _einsum("ii->", spread(3, 3)),
        _einsum("i->ii", spread(3)),
        _einsum("iij,j->i", spread(2, 2, 3), spread(3)),
        _einsum("...ij,...jk->...ik", spread(2, 2, 3), spread(3, 2)),
        _einsum("...ij,...jk->...ik", spread(2, 1, 2, 3), spread(3, 3, 2)),
        _einsum("i...,i...->...i", spread(2, 1), spread(2, 3)),
        _einsum("i...j,j->i", spread(2, 3, 2), spread(2)),
        _einsum("...i,...i->i", spread(3, 2), spread(1, 2)),
        _einsum("ij,...j->...i", spread(2, 3), spread(2, 2, 3)),
        _einsum("ij,jk,kl->il", spread(2, 3), spread(3, 2), spread(2, 2)),
        _einsum("ij,jk->ik", spread(0, 3), spread(3, 2)),
        _einsum("ij,kj->ik", _complex(2, 3), _complex(2, 3)),
        _einsum("ii->i", _complex(2, 2)),
        _einsum(",i->i", spread(), spread(3)),
    ],
}

_SQUARE = spread(3, 3) + 3 * np.eye(3)
_SQUARES = spread(2, 2, 2) + 3 * np.eye(2)
_COMPLEX = _complex(2, 2) + 3 * np.eye(2)
_SINGULAR = np.array([[1.0, 2.0, 3.0], [2.0, 4.0, 1.0], [1.0, 2.0, 5.0]])


def _positive(root: Any) -> Any:
    return root @ np.conj(np.swapaxes(root, -1, -2)) + np.eye(root.shape[-1])


_MATRICES = {
    "Cholesky": [
        Sample((_positive(spread(3, 3)),), hermitian=True),
        Sample((_positive(spread(2, 2, 2)),), hermitian=True),
        Sample((_positive(_complex(2, 2)),), hermitian=True),
        Sample((spread(0, 0),)),
        Sample((spread(0, 2, 2),)),
    ],
    "MatrixInverse": [
        Sample((_SQUARE,)),
        Sample((_SQUARES,), {"adjoint": True}),
        Sample((_COMPLEX,)),
        Sample((_COMPLEX,), {"adjoint": True}),
        Sample((spread(0, 0),)),
    ],
    "MatrixDeterminant": [
        Sample((_SQUARE,)),
        Sample((_SQUARES,)),
        Sample((_COMPLEX,)),
        Sample((spread(0, 2, 2),)),
        Sample((_SINGULAR,)),
        Sample((np.zeros((1, 1)),)),
    ],
    "MatrixCofactor": [
        Sample((_SQUARE,)),
        Sample((_SQUARES,)),
        Sample((_COMPLEX,)),
        Sample((spread(0, 0),)),
    ],
    "MatrixCofactorGrad": [
        Sample((_SQUARE, spread(3, 3))),
        Sample((_SQUARES, spread(2, 2, 2, seed=2))),
        Sample((_COMPLEX, _complex(2, 2))),
    ],
    "LogMatrixDeterminant": [
        Sample((_SQUARE,)),
        Sample((-_SQUARES[:, :1, :1],)),
        Sample((_COMPLEX,)),
    ],
    "MatrixSolve": [
        Sample((_SQUARE, spread(3, 2))),
        Sample((_SQUARE, spread(3, 2)), {"adjoint": True}),
        Sample((_SQUARES, spread(2, 2, 1))),
        Sample((_COMPLEX, _complex(2, 1)), {"adjoint": True}),
        Sample((_SQUARE, spread(3, 0))),
    ],
    "MatrixTriangularSolve": [
        Sample((_SQUARE, spread(3, 2)), {"lower": lower, "adjoint": adjoint})
        for lower in (True, False)
        for adjoint in (True, False)
    ]
    + [
        Sample((_SQUARES, spread(2, 1))),
        Sample((_SQUARES[0], spread(3, 2, 1)), {"lower": False}),
        Sample((_COMPLEX, _complex(2, 1)), {"adjoint": True}),
        Sample((_SQUARE, spread(3, 0))),
    ],
}

_BANDS = {
    "MatrixBandPart": [
        Sample((spread(3, 4),), {"num_lower": 1, "num_upper": 1}),
        Sample((spread(3, 3),), {"num_lower": -1, "num_upper": 0}),
        Sample((spread(2, 3, 2),), {"num_lower": 0, "num_upper": -1}),
        Sample((spread(0, 2),), {"num_lower": 0, "num_upper": 0}),
    ],
    "MatrixSetDiagV3": [
        Sample((spread(3, 3), spread(3))),
        Sample((spread(2, 3, 2), spread(2, 2))),
        Sample((spread(3, 4), spread(3)), {"k": 1}),
        Sample((spread(3, 4), spread(2)), {"k": -1}),
        Sample((spread(2, 3, 3), spread(2, 3, 3, seed=1)), {"k": (-1, 1)}),
        Sample((spread(3, 4), spread(2, 3)), {"k": (1, 2), "align": "LEFT_LEFT"}),
        Sample((spread(0, 2), spread(0))),
    ],
}

SAMPLES = {**_EINSUM, **_MATRICES, **_BANDS}
