"""Bands of matrices: those kept, and diagonals put into a given matrix."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.opdef import REQUIRED, define
from engine.ops.arguments import as_tensor, as_tensors, static_int
from engine.ops.diagonal import Band, band_argument, band_shape, diag_part, matrix_dims, places
from engine.ops.fill import zeros_like
from engine.registry import RegisterGradient
from engine.shapes import Dims, merge
from engine.tensor import Operation, Tensor

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


def _set_shape(source: Dims, diagonal: Dims, *, k: Band, align: str) -> Dims:
    if matrix_dims(source) is None:
        return None
    assert source is not None
    own = band_shape(source[-2:], k) or ()
    together = merge((*source[:-2], *own), diagonal)
    return None if together is None else (*together[: -len(own)], *source[-2:])


def _set_kernel(x: Any, diagonal: Any, *, k: Band, align: str) -> Any:
    expected = (*np.shape(x)[:-2], *(band_shape(np.shape(x)[-2:], k) or ()))
    if np.shape(diagonal) != expected:
        raise ValueError(f"diagonals of shape {np.shape(diagonal)} should have {expected}")
    where = places(np.shape(x)[-2:], k, align)
    whole = np.array(x)
    whole[(..., *where.matrix)] = diagonal[(..., *where.rows)]
    return whole


_set_diag = define(
    "MatrixSetDiagV3",
    kernel=_set_kernel,
    shape=_set_shape,
    arity=2,
    attrs={"k": 0, "align": "RIGHT_LEFT"},
    latex=r"\operatorname{setdiag}(#1, #2)",
)


@RegisterGradient("MatrixSetDiagV3")
def _set_gradient(op: Operation, grad: Tensor) -> list[Any]:
    attrs = {"k": op.attrs["k"], "align": op.attrs["align"]}
    return [
        lambda: _set_diag(grad, zeros_like(op.inputs[1]), **attrs),
        lambda: diag_part(grad, **attrs),
    ]


def set_diag(
    input: Any,
    diagonal: Any,
    name: str | None = None,
    k: Any = 0,
    align: str = "RIGHT_LEFT",
) -> Tensor:
    """Replace diagonals of matrices.

    Args:
        input: `[..., m, n]`.
        diagonal: the new entries, shaped as `diag_part` returns them.
        name: of the operation.
        k: which diagonal, or the lowest and the highest one; 0 is the main one.
        align: as for `diag`.

    Raises:
        ShapeError: the diagonals do not fit.
    """
    matrix, entries = as_tensors([input, diagonal])
    result: Tensor = _set_diag(matrix, entries, name=name, **band_argument(k, align))
    return result
