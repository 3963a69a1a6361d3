"""Sample inputs for linear algebra: einsum, decompositions, solvers, bands of matrices."""

from __future__ import annotations

from typing import Any

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

SAMPLES = {**_EINSUM}
