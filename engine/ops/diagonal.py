"""Diagonals of matrices, taken out and put in."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from engine.errors import ShapeError
from engine.graph import create_op
from engine.opdef import define
from engine.ops.arguments import as_tensor, static_int
from engine.registry import RegisterGradient
from engine.shapes import Dims, merge, show
from engine.tensor import Operation, Tensor

# Diag and DiagPart: a tensor of any rank n and its "matrix" of rank 2n ----------------------------


def _diag_kernel(x: Any) -> Any:
    shape = np.shape(x)
    return np.reshape(np.diag(np.reshape(x, -1)), shape + shape)


def _halved(source: Dims) -> Dims:
    if source is None:
        return None
    half = len(source) // 2
    if len(source) % 2 or not half:
        raise ShapeError(f"a diagonal needs an even number of axes, not the shape {show(source)}")
    return merge(source[:half], source[half:])


def _diag_part_kernel(x: Any) -> Any:
    half = np.shape(x)[: np.ndim(x) // 2]
    count = int(np.prod(half))
    return np.reshape(np.diagonal(np.reshape(x, (count, count))), half)


tensor_diag = define(
    "Diag",
    kernel=_diag_kernel,
    shape=lambda source: None if source is None else source + source,
    latex=r"\operatorname{diag}(#1)",
)

tensor_diag_part = define(
    "DiagPart",
    kernel=_diag_part_kernel,
    shape=_halved,
    latex=r"\operatorname{diagpart}(#1)",
)


@RegisterGradient("Diag")
def _diag_gradient(_op: Operation, grad: Tensor) -> Tensor:
    result: Tensor = tensor_diag_part(grad)
    return result


@RegisterGradient("DiagPart")
def _diag_part_gradient(_op: Operation, grad: Tensor) -> Tensor:
    result: Tensor = tensor_diag(grad)
    return result


# MatrixDiagV3 and MatrixDiagPartV3: the diagonal number k of stacks of matrices ------------------


def diagonal_length(matrix: Sequence[int | None], k: int) -> int | None:
    """Return how many entries the diagonal k has; k > 0 lies above the main one.

    Args:
        matrix: the number of rows and columns.
        k: which diagonal.

    Raises:
        ShapeError: there is no such diagonal.
    """
    rows, columns = matrix
    if rows is None or columns is None:
        return None
    length = min(rows + min(k, 0), columns - max(k, 0))
    if length < 0 or (length == 0 and k):
        raise ShapeError(f"a matrix of shape {(rows, columns)} has no diagonal {k}")
    return length


def diagonal_index(matrix: Sequence[int], k: int) -> tuple[Any, Any]:
    """Return the row and column numbers of the diagonal k."""
    places = np.arange(diagonal_length(matrix, k) or 0)
    return places - min(k, 0), places + max(k, 0)


def _matrix_shape(source: Dims, *like: Dims, k: int) -> Dims:
    if like:
        return like[0]
    if source is None:
        return None
    if not source:
        raise ShapeError("a diagonal is a vector at least")
    size = None if source[-1] is None else source[-1] + abs(k)
    return (*source[:-1], size, size)


def _matrix_kernel(x: Any, *like: Any, k: int) -> Any:
    count = np.shape(x)[-1] + abs(k)
    shape = np.shape(like[0]) if like else (*np.shape(x)[:-1], count, count)
    whole = np.zeros(shape, np.asarray(x).dtype)
    rows, columns = diagonal_index(shape[-2:], k)
    whole[..., rows, columns] = x
    return whole


def _part_shape(source: Dims, *, k: int) -> Dims:
    if source is None:
        return None
    if len(source) < 2:
        raise ShapeError(f"a matrix has at least 2 axes, not the shape {show(source)}")
    return (*source[:-2], diagonal_length(source[-2:], k))


def _part_kernel(x: Any, *, k: int) -> Any:
    diagonal_length(np.shape(x)[-2:], k)
    return np.diagonal(x, k, axis1=-2, axis2=-1)


_matrix_diag = define(
    "MatrixDiagV3",
    kernel=_matrix_kernel,
    shape=_matrix_shape,
    match=(0,),
    arity=None,
    attrs={"k": 0},
    latex=r"\operatorname{diag}(#1)",
)

_matrix_diag_part = define(
    "MatrixDiagPartV3",
    kernel=_part_kernel,
    shape=_part_shape,
    attrs={"k": 0},
    latex=r"\operatorname{diagpart}(#1)",
)


@RegisterGradient("MatrixDiagV3")
def _matrix_diag_gradient(op: Operation, grad: Tensor) -> list[Any]:
    return [_matrix_diag_part(grad, k=op.attrs["k"]), *(None for _ in op.inputs[1:])]


@RegisterGradient("MatrixDiagPartV3")
def _matrix_diag_part_gradient(op: Operation, grad: Tensor) -> Tensor:
    # The matrix need not be square, so its shape is read off the input.
    result: Tensor = _matrix_diag(grad, op.inputs[0], k=op.attrs["k"])
    return result


def diag(diagonal: Any, name: str | None = None, k: Any = 0) -> Tensor:
    """Return square matrices that are zero but for one diagonal.

    Args:
        diagonal: `[..., n]`.
        name: of the operation.
        k: which diagonal; 0 is the main one, those above it are positive.

    Returns:
        `[..., n + |k|, n + |k|]`.
    """
    result: Tensor = _matrix_diag(as_tensor(diagonal), k=static_int(k, "k"), name=name)
    return result


def diag_part(input: Any, name: str | None = None, k: Any = 0) -> Tensor:
    """Return the diagonal k of matrices `[..., m, n]`; the main ones have length min(m, n)."""
    result: Tensor = _matrix_diag_part(as_tensor(input), k=static_int(k, "k"), name=name)
    return result


def trace(x: Any, name: str | None = None) -> Tensor:
    """Return the sum `[...]` of the main diagonal of each matrix `[..., m, n]`."""
    diagonal = diag_part(x)
    return create_op("Sum", [diagonal], {"axis": (-1,)}, name or "Trace").outputs[0]
