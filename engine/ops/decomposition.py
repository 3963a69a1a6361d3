"""Cholesky factors and inverses of matrices, one or a stack of them."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.graph import create_op
from engine.opdef import define
from engine.ops.arguments import as_tensor
from engine.ops.arithmetic import add, multiply, negative, subtract
from engine.ops.band import band_part
from engine.ops.complex_parts import conj
from engine.ops.matmul import conjugate_transpose, matmul
from engine.ops.solve import square_dims, triangular_solve, widened
from engine.ops.transpose import adjoint as adjoint_of
from engine.registry import RegisterGradient
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
