"""Determinants of matrices, one or a stack of them, and their derivatives: the cofactors.

The gradient of a determinant is det(A) A^-T where A has an inverse; a singular matrix has cofactors
all the same. With A = U diag(s) V^H they are det(U) conj(det(V)) conj(U) diag(p) V^T, where p_i is
the product of all s but s_i, so that nothing is divided by a singular value.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.graph import create_op
from engine.opdef import define
from engine.ops.arguments import as_tensor
from engine.ops.arithmetic import add, multiply, subtract
from engine.ops.complex_parts import complex as complex_of
from engine.ops.complex_parts import conj, imag, real
from engine.ops.decomposition import cholesky, inv
from engine.ops.diagonal import diag_part
from engine.ops.elementary import log
from engine.ops.matmul import matmul
from engine.ops.reduction import sum_op
from engine.ops.shape_ops import expand_dims
from engine.ops.solve import square_dims, widened
from engine.registry import RegisterGradient
from engine.shapes import Dims
from engine.tensor import Operation, Tensor


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
    """Return g times the conjugate cofactors."""
    return _scaled(grad, conj(_cofactor(op.inputs[0])))


def _scaled(numbers: Tensor, matrix: Tensor) -> Tensor:
    """Multiply each matrix by its own number."""
    result: Tensor = multiply(expand_dims(expand_dims(numbers, -1), -1), matrix)
    return result


# Cofactors ----------------------------------------------------------------------------------------


def _factors(x: Any) -> tuple[Any, Any, Any, Any]:
    """Return conj(U), s, V^T, and det(U) conj(det(V)) in a matrix of one entry."""
    left, scales, right = np.linalg.svd(widened(x))  # right is V^H
    turn = np.linalg.det(left) * np.linalg.det(right)
    return np.conj(left), scales, np.conj(right), np.asarray(turn)[..., None, None]


def _cofactor_kernel(x: Any) -> Any:
    left, scales, right, turn = _factors(x)
    others = ~np.eye(scales.shape[-1], dtype=bool)
    products = np.where(others, scales[..., None, :], 1).prod(-1)
    return (turn * (left * products[..., None, :]) @ right).astype(x.dtype)


def _cofactor_grad_kernel(x: Any, change: Any) -> Any:
    """Return by how much the cofactors change with the matrix.

    In the bases of U and V the change M makes entry (i, i) grow by the sum over j of M_jj p_ij, and
    entry (i, j) by -M_ji p_ij, where p_ij is the product of all s but s_i and s_j.
    """
    left, scales, right, turn = _factors(x)
    same = np.eye(scales.shape[-1], dtype=bool)
    others = ~(same[:, None, :] | same[None, :, :])
    products = np.where(same, 0, np.where(others, scales[..., None, None, :], 1).prod(-1))
    moved = np.swapaxes(left, -1, -2) @ widened(change) @ np.swapaxes(right, -1, -2)
    diagonal = products @ np.diagonal(moved, axis1=-2, axis2=-1)[..., None]
    grown = np.where(same, diagonal, 0) - np.swapaxes(moved, -1, -2) * products
    return (turn * left @ grown @ right).astype(x.dtype)


_cofactor = define(
    "MatrixCofactor",
    kernel=_cofactor_kernel,
    shape=square_dims,
    kinds="fc",
    latex=r"\operatorname{cof}(#1)",
)

_cofactor_grad = define(
    "MatrixCofactorGrad",
    kernel=_cofactor_grad_kernel,
    shape=lambda x, change: square_dims(x),
    kinds="fc",
    arity=2,
    latex=r"\operatorname{cof}'(#1)\,[#2]",
)


@RegisterGradient("MatrixCofactor")
def _cofactor_gradient(op: Operation, grad: Tensor) -> Tensor:
    """Return how the cofactors change in the direction of g: that derivative is symmetric."""
    result: Tensor = _cofactor_grad(conj(op.inputs[0]), grad)
    return result


@RegisterGradient("MatrixCofactorGrad")
def _cofactor_second_gradient(op: Operation, grad: Tensor) -> list[Any]:
    """Return the third derivative of the determinant at the matrix, which needs its inverse."""
    matrix, change = op.inputs
    return [
        lambda: conj(_third(matrix, change, conj(grad))),
        lambda: _cofactor_grad(conj(matrix), grad),
    ]


def _third(matrix: Tensor, first: Tensor, second: Tensor) -> Tensor:
    """Return the transpose of the derivative of det(A) (tr(BE) tr(BF) - tr(BEBF)), B = A^-1."""
    inverse = inv(matrix)
    one, other = matmul(inverse, first), matmul(inverse, second)
    both, turned = matmul(one, other), matmul(other, one)
    of_one, of_other = _trace(one), _trace(other)
    scale = subtract(multiply(of_one, of_other), _trace(both))
    mixed = add(_scaled(of_other, one), _scaled(of_one, other))
    inner = subtract(add(both, turned), mixed)
    inner = add(matmul(inner, inverse), _scaled(scale, inverse))
    return _flipped(_scaled(det(matrix), inner))


def _trace(matrix: Tensor) -> Tensor:
    result: Tensor = sum_op(diag_part(matrix), axis=(-1,))
    return result


def _flipped(matrix: Tensor) -> Tensor:
    return create_op("Einsum", [matrix], {"equation": "...ij->...ji"}).outputs[0]


# Logarithms ---------------------------------------------------------------------------------------


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
        return _scaled(of_log, inv(op.inputs[0], adjoint=True))
    turned = imag(multiply(of_sign, conj(op.outputs[0])))
    return _scaled(complex_of(real(of_log), turned), inv(op.inputs[0], adjoint=True))


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
