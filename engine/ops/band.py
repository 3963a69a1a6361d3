"""Bands of matrices: those kept, and diagonals put into a given matrix."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.errors import ShapeError
from engine.opdef import REQUIRED, define
from engine.ops.arguments import as_tensor, as_tensors, static_int
from engine.ops.diagonal import diag_part, diagonal_index, diagonal_length
from engine.ops.fill import zeros_like
from engine.registry import RegisterGradient
from engine.shapes import Dims, merge, show
from engine.tensor import Operation, Tensor


def matrix_dims(source: Dims) -> Dims:
    """Check that a shape is that of matrices, stacked along leading axes or not."""
    if source is not None and len(source) < 2:
        raise ShapeError(f"a matrix has at least 2 axes, not the shape {show(source)}")
    return source


# MatrixBandPart -----------------------------------------------------------------------------------


def _band_kernel(x: Any, *, num_lower: int, num_upper: int) -> Any:
    rows, columns = np.shape(x)[-2:]
    above = np.arange(columns) - np.arange(rows)[:, None]
    kept = np.full((rows, columns), True)
    if num_lower >= 0:
        kept &= -above <= num_lower
    if num_upper >= 0:
        kept &= above <= num_upper
    return np.where(kept, x, np.zeros((), np.asarray(x).dtype))


_band_part = define(
    "MatrixBandPart",
    kernel=_band_kernel,
    shape=lambda source, **_attrs: matrix_dims(source),
    attrs={"num_lower": REQUIRED, "num_upper": REQUIRED},
    latex=r"\operatorname{band}(#1)",
)


@RegisterGradient("MatrixBandPart")
def _band_gradient(op: Operation, grad: Tensor) -> Tensor:
    return band_part(grad, op.attrs["num_lower"], op.attrs["num_upper"])


def band_part(input: Any, num_lower: Any, num_upper: Any, name: str | None = None) -> Tensor:
    """Set everything outside a band around the main diagonal to zero.

    Args:
        input: `[..., m, n]`.
        num_lower: how many diagonals to keep below the main one; a negative number keeps all.
        num_upper: likewise above.
        name: of the operation.
    """
    result: Tensor = _band_part(
        as_tensor(input),
        num_lower=static_int(num_lower, "num_lower"),
        num_upper=static_int(num_upper, "num_upper"),
        name=name,
    )
    return result


# MatrixSetDiag ------------------------------------------------------------------------------------


def _set_shape(source: Dims, diagonal: Dims, *, k: int) -> Dims:
    matrix_dims(source)
    if source is None:
        return None if diagonal is None else (*diagonal[:-1], None, None)
    batch = source[:-2]
    together = merge((*batch, diagonal_length(source[-2:], k)), diagonal)
    return None if together is None else (*together[:-1], *source[-2:])


def _set_kernel(x: Any, diagonal: Any, *, k: int) -> Any:
    rows, columns = diagonal_index(np.shape(x)[-2:], k)
    if np.shape(diagonal) != (*np.shape(x)[:-2], len(rows)):
        raise ValueError(
            f"a diagonal of shape {np.shape(diagonal)} does not fit matrices {np.shape(x)}"
        )
    whole = np.array(x)
    whole[..., rows, columns] = diagonal
    return whole


_set_diag = define(
    "MatrixSetDiagV3",
    kernel=_set_kernel,
    shape=_set_shape,
    arity=2,
    attrs={"k": 0},
    latex=r"\operatorname{setdiag}(#1, #2)",
)


@RegisterGradient("MatrixSetDiagV3")
def _set_gradient(op: Operation, grad: Tensor) -> list[Any]:
    k = op.attrs["k"]
    return [
        lambda: _set_diag(grad, zeros_like(op.inputs[1]), k=k),
        lambda: diag_part(grad, k=k),
    ]


def set_diag(input: Any, diagonal: Any, name: str | None = None, k: Any = 0) -> Tensor:
    """Replace a diagonal of matrices.

    Args:
        input: `[..., m, n]`.
        diagonal: `[..., length]`, the new entries; the main diagonal has length min(m, n).
        name: of the operation.
        k: which diagonal; 0 is the main one, those above it are positive.

    Raises:
        ShapeError: the diagonal does not fit.
    """
    matrix, entries = as_tensors([input, diagonal])
    result: Tensor = _set_diag(matrix, entries, k=static_int(k, "k"), name=name)
    return result
