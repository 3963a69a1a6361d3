"""Cholesky factors, inverses and determinants of matrices, one or a stack of them."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.graph import create_op
from engine.opdef import define
from engine.ops.arguments import as_tensor
from engine.ops.arithmetic import add, multiply, negative, subtract
from engine.ops.band import band_part
from engine.ops.complex_parts import complex as complex_of
from engine.ops.complex_parts import conj, imag, real
from engine.ops.diagonal import diag_part
from engine.ops.elementary import log
from engine.ops.matmul import conjugate_transpose, matmul
from engine.ops.reduction import sum_op
from engine.ops.shape_ops import expand_dims
from engine.ops.solve import square_dims, triangular_solve, widened
from engine.ops.transpose import adjoint as adjoint_of
from engine.registry import RegisterGradient
from engine.shapes import Dims
from engine.tensor import Operation, Tensor

# Cholesky -----------------------------------------------------------------------------------------


cholesky = define(
    "Cholesky",
    kernel=lambda x: np.linalg.cholesky(widened(x)).astype(x.dtype),
    shape=square_dims,
    kinds="fc",
    latex=r"\operatorname{chol}(#1)",
    corner="only the lower triangle is read, but the gradient is shared by both triangles: it is "
    "that for symmetric changes of the matrix",
)


@RegisterGradient("Cholesky")
def _cholesky_gradient(op: Operation, grad: Tensor) -> Tensor:
    """Return the symmetric part of L^-H P(L^H g) L^-1; P keeps a triangle and half the diagonal.

    Source: I. Murray, "Differentiation of the Cholesky decomposition", 2016, equation 10.
    """
    factor = op.outputs[0]
    whole = matmul(factor, grad, adjoint_a=True)
    half = multiply(band_part(whole, 0, 0), 0.5)
    triangle = subtract(band_part(whole, -1, 0), half)
    left = triangular_solve(factor, triangle, adjoint=True)
    both = triangular_solve(factor, _flipped(left), adjoint=True)
    result: Tensor = multiply(add(both, _flipped(both)), 0.5)
    return result


def _flipped(matrix: Tensor) -> Tensor:
    """Swap the last two axes and conjugate, also when the rank is known only at run time."""
    if matrix.dims is not None:
        return adjoint_of(matrix)
    return create_op("Einsum", [conj(matrix)], {"equation": "...ij->...ji"}).outputs[0]


# MatrixInverse ------------------------------------------------------------------------------------


def _inverse_kernel(x: Any, *, adjoint: bool) -> Any:
    inverse = np.linalg.inv(widened(x)).astype(x.dtype)
    return conjugate_transpose(inverse) if adjoint else inverse


_inverse = define(
    "MatrixInverse",
    kernel=_inverse_kernel,
    shape=lambda source, *, adjoint: square_dims(source),
    kinds="fc",
    attrs={"adjoint": False},
    latex="#1^{-1}",
)


@RegisterGradient("MatrixInverse")
def _inverse_gradient(op: Operation, grad: Tensor) -> Tensor:
    """Return -z^H g z^H; for the adjoint of the inverse -z g^H z."""
    z, adjoint = op.outputs[0], op.attrs["adjoint"]
    right = matmul(grad, z, adjoint_a=adjoint, adjoint_b=not adjoint)
    result: Tensor = negative(matmul(z, right, adjoint_a=not adjoint))
    return result


def inv(input: Any, adjoint: bool = False, name: str | None = None) -> Tensor:
    """Return the inverses of matrices `[..., n, n]`, or their conjugate transposes.

    Raises:
        ShapeError: the matrices are not square; when run, one is singular.
    """
    result: Tensor = _inverse(as_tensor(input), adjoint=bool(adjoint), name=name)
    return result


# Determinants -------------------------------------------------------------------------------------


def _without_matrix(source: Dims) -> Dims:
    square = square_dims(source)
    return None if square is None else square[:-2]


det = define(
    "MatrixDeterminant",
    kernel=lambda x: np.linalg.det(widened(x)).astype(x.dtype),
    shape=_without_matrix,
    kinds="fc",
    latex=r"\det #1",
)


@RegisterGradient("MatrixDeterminant")
def _det_gradient(op: Operation, grad: Tensor) -> Tensor:
    return _times_adjoint_inverse(multiply(grad, conj(op.outputs[0])), op.inputs[0])


def _times_adjoint_inverse(factor: Tensor, matrix: Tensor) -> Tensor:
    """Multiply the adjoint inverse of each matrix by its own number."""
    numbers = expand_dims(expand_dims(factor, -1), -1)
    result: Tensor = multiply(numbers, inv(matrix, adjoint=True))
    return result


def _log_det_kernel(x: Any) -> tuple[Any, Any]:
    sign, log_abs = np.linalg.slogdet(widened(x))
    return sign.astype(x.dtype), log_abs.astype(x.dtype)


_log_det = define(
    "LogMatrixDeterminant",
    kernel=_log_det_kernel,
    shape=lambda source: (_without_matrix(source),) * 2,
    kinds="fc",
    outputs=2,
    latex=r"\log\lvert\det #1\rvert",
)


@RegisterGradient("LogMatrixDeterminant")
def _log_det_gradient(op: Operation, of_sign: Tensor, of_log: Tensor) -> Tensor:
    """Return g A^-H; the sign of a complex determinant turns with it and has a gradient too."""
    if not of_log.dtype.is_complex:
        return _times_adjoint_inverse(of_log, op.inputs[0])
    turned = imag(multiply(of_sign, conj(op.outputs[0])))
    return _times_adjoint_inverse(complex_of(real(of_log), turned), op.inputs[0])


def slogdet(input: Any, name: str | None = None) -> tuple[Tensor, Tensor]:
    """Return sign and logarithm of the absolute value of determinants.

    Args:
        input: `[..., n, n]`.
        name: of the operation.

    Returns:
        Two tensors `[...]`; of a singular matrix 0 and -inf.
    """
    sign, log_abs = _log_det(as_tensor(input), name=name)
    return sign, log_abs


def logdet(matrix: Any, name: str | None = None) -> Tensor:
    """Return the logarithm of the determinants of positive definite matrices `[..., n, n]`."""
    tensor = as_tensor(matrix)
    with tensor.graph.name_scope(name or "logdet"):
        diagonal = real(diag_part(cholesky(tensor)))
        result: Tensor = multiply(sum_op(log(diagonal), axis=(-1,)), 2.0)
        return result
