"""Diagonals of matrices, taken out and put in."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.errors import ShapeError
from engine.graph import create_op
from engine.opdef import define
from engine.ops.arguments import as_tensor
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


# MatrixDiagV3 and MatrixDiagPartV3: main diagonals of stacks of matrices --------------------------


def _matrix_shape(source: Dims, *like: Dims) -> Dims:
    if like:
        return like[0]
    if source is None:
        return None
    if not source:
        raise ShapeError("a diagonal is a vector at least")
    return (*source, source[-1])


def _matrix_kernel(x: Any, *like: Any) -> Any:
    count = np.shape(x)[-1]
    shape = np.shape(like[0]) if like else (*np.shape(x), count)
    whole = np.zeros(shape, np.asarray(x).dtype)
    whole[..., np.arange(count), np.arange(count)] = x
    return whole


def _part_shape(source: Dims) -> Dims:
    if source is None:
        return None
    if len(source) < 2:
        raise ShapeError(f"a matrix has at least 2 axes, not the shape {show(source)}")
    rows, columns = source[-2:]
    size = None if rows is None or columns is None else min(rows, columns)
    return (*source[:-2], size)


_matrix_diag = define(
    "MatrixDiagV3",
    kernel=_matrix_kernel,
    shape=_matrix_shape,
    match=(0,),
    arity=None,
    latex=r"\operatorname{diag}(#1)",
)

_matrix_diag_part = define(
    "MatrixDiagPartV3",
    kernel=lambda x: np.diagonal(x, axis1=-2, axis2=-1),
    shape=_part_shape,
    latex=r"\operatorname{diagpart}(#1)",
)


@RegisterGradient("MatrixDiagV3")
def _matrix_diag_gradient(op: Operation, grad: Tensor) -> list[Any]:
    return [_matrix_diag_part(grad), *(None for _ in op.inputs[1:])]


@RegisterGradient("MatrixDiagPartV3")
def _matrix_diag_part_gradient(op: Operation, grad: Tensor) -> Tensor:
    # The matrix need not be square, so its shape is read off the input.
    result: Tensor = _matrix_diag(grad, op.inputs[0])
    return result


def diag(diagonal: Any, name: str | None = None) -> Tensor:
    """Return square matrices with the given main diagonals.

    Args:
        diagonal: `[..., n]`.
        name: of the operation.

    Returns:
        `[..., n, n]`.
    """
    result: Tensor = _matrix_diag(as_tensor(diagonal), name=name)
    return result


def diag_part(input: Any, name: str | None = None) -> Tensor:
    """Return the main diagonals `[..., min(m, n)]` of matrices `[..., m, n]`."""
    result: Tensor = _matrix_diag_part(as_tensor(input), name=name)
    return result


def trace(x: Any, name: str | None = None) -> Tensor:
    """Return the sum `[...]` of the main diagonal of each matrix `[..., m, n]`."""
    diagonal = diag_part(x)
    return create_op("Sum", [diagonal], {"axis": (-1,)}, name or "Trace").outputs[0]
