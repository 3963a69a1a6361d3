"""Linear systems: general and triangular matrices, one or a stack of them."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.linalg

from engine.errors import ShapeError
from engine.opdef import define
from engine.ops.arguments import as_tensors
from engine.ops.arithmetic import negative
from engine.ops.band import band_part
from engine.ops.diagonal import matrix_dims
from engine.ops.matmul import conjugate_transpose, matmul, sum_batches
from engine.registry import RegisterGradient
from engine.shapes import Dims, broadcast, merge
from engine.tensor import Operation, Tensor


def square_dims(source: Dims) -> Dims:
    """Check that a shape is that of square matrices; return it with both sizes if one is known."""
    if source is None:
        return None
    matrix_dims(source)
    try:
        size = merge(source[-2:-1], source[-1:])
    except ShapeError:
        raise ShapeError(f"the matrix must be square, it has shape {source}") from None
    return (*source[:-2], *(size or ()), *(size or ()))


def widened(x: Any) -> Any:
    """Return half-precision numbers as float32, the narrowest type that LAPACK knows."""
    return x.astype(np.float32) if x.dtype == np.float16 else x


def _checked(matrix: Dims, rhs: Dims) -> tuple[Dims, Dims]:
    square, right = square_dims(matrix), matrix_dims(rhs)
    if square is not None and right is not None:
        size, rows = square[-1], right[-2]
        if size is not None and rows is not None and size != rows:
            raise ShapeError(f"the matrix has {size} rows and the right-hand side {rows}")
    return square, right


# MatrixSolve --------------------------------------------------------------------------------------


def _solved(matrix: Dims, rhs: Dims, *, adjoint: bool) -> Dims:
    square, right = _checked(matrix, rhs)
    if square is None or right is None:
        return right
    return (*(merge(square[:-2], right[:-2]) or ()), *right[-2:])


def _solve_kernel(matrix: Any, rhs: Any, *, adjoint: bool) -> Any:
    if np.shape(matrix)[:-2] != np.shape(rhs)[:-2]:
        raise ValueError(f"stacks {np.shape(matrix)} and {np.shape(rhs)} differ")
    wide = widened(matrix)
    return np.linalg.solve(conjugate_transpose(wide) if adjoint else wide, widened(rhs)).astype(
        rhs.dtype
    )


_solve = define(
    "MatrixSolve",
    kernel=_solve_kernel,
    shape=_solved,
    kinds="fc",
    arity=2,
    attrs={"adjoint": False},
    latex=r"#1^{-1} #2",
)


@RegisterGradient("MatrixSolve")
def _solve_gradient(op: Operation, grad: Tensor) -> list[Any]:
    """Return -gb z^H and gb, where gb solves the adjoint system for the upstream gradient."""
    adjoint = op.attrs["adjoint"]
    by_rhs: Tensor = _solve(op.inputs[0], grad, adjoint=not adjoint)
    return [lambda: _by_matrix(by_rhs, op.outputs[0], adjoint), by_rhs]


def _by_matrix(by_rhs: Tensor, solution: Tensor, adjoint: bool) -> Tensor:
    first, second = (solution, by_rhs) if adjoint else (by_rhs, solution)
    result: Tensor = negative(matmul(first, second, adjoint_b=True))
    return result


def solve(matrix: Any, rhs: Any, adjoint: bool = False, name: str | None = None) -> Tensor:
    """Solve linear systems.

    Args:
        matrix: `[..., n, n]`.
        rhs: `[..., n, k]`, k right-hand sides.
        adjoint: whether to solve for the conjugate transpose of the matrix.
        name: of the operation.

    Returns:
        `[..., n, k]`.

    Raises:
        ShapeError: the matrix is not square, or sizes differ; when run, it is singular.
    """
    first, second = as_tensors([matrix, rhs])
    result: Tensor = _solve(first, second, adjoint=bool(adjoint), name=name)
    return result


# MatrixTriangularSolve ----------------------------------------------------------------------------


def _triangular_solved(matrix: Dims, rhs: Dims, *, lower: bool, adjoint: bool) -> Dims:
    square, right = _checked(matrix, rhs)
    if square is None or right is None:
        return None
    return (*(broadcast(square[:-2], right[:-2]) or ()), *right[-2:])


def _triangular_kernel(matrix: Any, rhs: Any, *, lower: bool, adjoint: bool) -> Any:
    batch = np.broadcast_shapes(np.shape(matrix)[:-2], np.shape(rhs)[:-2])
    matrices = np.broadcast_to(widened(matrix), (*batch, *np.shape(matrix)[-2:]))
    sides = np.broadcast_to(widened(rhs), (*batch, *np.shape(rhs)[-2:]))
    result = np.empty(sides.shape, rhs.dtype)
    if not result.size:
        return result
    for index in np.ndindex(batch):
        result[index] = scipy.linalg.solve_triangular(
            matrices[index], sides[index], "C" if adjoint else "N", lower, check_finite=False
        )
    return result


_triangular_solve = define(
    "MatrixTriangularSolve",
    kernel=_triangular_kernel,
    shape=_triangular_solved,
    kinds="fc",
    arity=2,
    attrs={"lower": True, "adjoint": False},
    latex=r"#1^{-1} #2",
    corner="entries of the matrix on the other side of the diagonal are not read: gradient 0",
)


@RegisterGradient("MatrixTriangularSolve")
def _triangular_gradient(op: Operation, grad: Tensor) -> list[Any]:
    matrix, rhs = op.inputs
    lower, adjoint = op.attrs["lower"], op.attrs["adjoint"]
    by_rhs: Tensor = _triangular_solve(matrix, grad, lower=lower, adjoint=not adjoint)

    def of_matrix() -> Tensor:
        whole = _by_matrix(by_rhs, op.outputs[0], adjoint)
        triangle = band_part(whole, -1, 0) if lower else band_part(whole, 0, -1)
        return sum_batches(triangle, matrix)

    return [of_matrix, lambda: sum_batches(by_rhs, rhs)]


def triangular_solve(
    matrix: Any, rhs: Any, lower: bool = True, adjoint: bool = False, name: str | None = None
) -> Tensor:
    """Solve linear systems with triangular matrices by substitution.

    Args:
        matrix: `[..., n, n]`; only one triangle is read.
        rhs: `[..., n, k]`; leading axes broadcast.
        lower: whether the lower triangle is read, else the upper one.
        adjoint: whether to solve for the conjugate transpose of that triangle.
        name: of the operation.

    Returns:
        `[..., n, k]`.

    Raises:
        ShapeError: the matrix is not square, or sizes differ; when run, a diagonal entry is 0.
    """
    first, second = as_tensors([matrix, rhs])
    attrs = {"lower": bool(lower), "adjoint": bool(adjoint)}
    result: Tensor = _triangular_solve(first, second, name=name, **attrs)
    return result


def cholesky_solve(chol: Any, rhs: Any, name: str | None = None) -> Tensor:
    """Solve `A x = rhs` given the Cholesky factor of A.

    Args:
        chol: `[..., n, n]`, lower triangular.
        rhs: `[..., n, k]`.
        name: of the scope.
    """
    first, second = as_tensors([chol, rhs])
    with first.graph.name_scope(name or "cholesky_solve"):
        return triangular_solve(first, triangular_solve(first, second), adjoint=True)
