"""Diagonals of matrices, taken out and put in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from engine.errors import ArgumentError, ShapeError
from engine.graph import create_op
from engine.opdef import define
from engine.ops.arguments import as_tensor, static_int, static_ints
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


# MatrixDiagV3 and MatrixDiagPartV3: bands of diagonals of stacks of matrices ----------------------
#
# `k` says which diagonals: a number, or the lowest and the highest one. 0 is the main diagonal,
# those above it are positive. One diagonal is a vector; several are the rows of a matrix, the
# highest first, as long as the longest of them. `align` says at which end a shorter one is filled
# up, with `padding_value`.

ALIGNMENTS = ("RIGHT_LEFT", "LEFT_RIGHT", "LEFT_LEFT", "RIGHT_RIGHT")
"""To which side diagonals above the main one go, and to which those below."""

Band: TypeAlias = "int | tuple[int, int]"


@dataclass(frozen=True)
class Places:
    """Where the entries of a band are: in the matrix, and in the rows of diagonals.

    Attributes:
        matrix: row and column numbers.
        rows: numbers of the diagonal, and places along it; the latter alone for a single one.
    """

    matrix: tuple[Any, Any]
    rows: tuple[Any, ...]


def matrix_dims(source: Dims) -> Dims:
    """Check that a shape is that of matrices, stacked along leading axes or not."""
    if source is not None and len(source) < 2:
        raise ShapeError(f"a matrix has at least 2 axes, not the shape {show(source)}")
    return source


def limits(k: Band) -> tuple[int, int]:
    """Return the numbers of the lowest and the highest diagonal."""
    return (k, k) if isinstance(k, int) else k


def _length(matrix: Sequence[int], k: int) -> int:
    rows, columns = matrix
    return min(rows + min(k, 0), columns - max(k, 0))


def band_shape(matrix: Sequence[int | None], k: Band) -> Dims:
    """Return the shape of the diagonals of a matrix.

    Args:
        matrix: the number of rows and columns.
        k: which diagonals.

    Raises:
        ShapeError: there are no such diagonals.
    """
    low, high = limits(k)
    rows, columns = matrix
    longest = None
    if rows is not None and columns is not None:
        longest = max(_length((rows, columns), step) for step in range(low, high + 1))
        for step in {low, high}:
            length = _length((rows, columns), step)
            if length < 0 or (length == 0 and step):
                raise ShapeError(f"a matrix of shape {(rows, columns)} has no diagonal {step}")
    return (longest,) if isinstance(k, int) else (high - low + 1, longest)


def places(matrix: Sequence[int], k: Band, align: str) -> Places:
    """Return where the entries of the diagonals are."""
    low, high = limits(k)
    longest = (band_shape(matrix, k) or (0,))[-1] or 0
    rows, columns, numbers, along = [], [], [], []
    for number, step in enumerate(range(high, low - 1, -1)):
        count = np.arange(_length(matrix, step))
        side = align.split("_")[0 if step >= 0 else 1]
        shift = longest - len(count) if side == "RIGHT" else 0
        rows.append(count - min(step, 0))
        columns.append(count + max(step, 0))
        numbers.append(np.full(len(count), number))
        along.append(count + shift)
    inside = (np.concatenate(rows), np.concatenate(columns))
    if isinstance(k, int):
        return Places(inside, (np.concatenate(along),))
    return Places(inside, (np.concatenate(numbers), np.concatenate(along)))


def _matrix_shape(
    source: Dims, *like: Dims, k: Band, num_rows: int, num_cols: int, **_attrs: Any
) -> Dims:
    if like:
        return like[0]
    if source is None:
        return None
    own = len(band_shape((None, None), k) or ())
    if len(source) < own:
        raise ShapeError(f"diagonals {k} have at least {own} axes, not the shape {show(source)}")
    whole = _whole_size(source[-1], k, num_rows, num_cols)
    if None not in whole:
        merge(band_shape(whole, k), source[-own:])
    return (*source[:-own], *whole)


def _whole_size(
    longest: int | None, k: Band, num_rows: int, num_cols: int
) -> tuple[int | None, int | None]:
    """Return the size of the matrix: as given, else as small as its longest diagonal allows."""
    low, high = limits(k)
    rows = None if longest is None else longest - min(high, 0)
    columns = None if longest is None else longest + max(low, 0)
    if num_rows == num_cols == -1:
        size = None if rows is None or columns is None else max(rows, columns)
        return size, size
    return (rows if num_rows == -1 else num_rows), (columns if num_cols == -1 else num_cols)


def _matrix_kernel(
    x: Any, *like: Any, k: Band, num_rows: int, num_cols: int, align: str, padding_value: Any
) -> Any:
    own = 1 if isinstance(k, int) else 2
    size: Any = _whole_size(x.shape[-1], k, num_rows, num_cols)
    if like:
        size = np.shape(like[0])[-2:]
    where = places(size, k, align)
    whole = np.full((*x.shape[:-own], *size), padding_value, x.dtype)
    whole[(..., *where.matrix)] = x[(..., *where.rows)]
    return whole


def _part_shape(source: Dims, *, k: Band, **_attrs: Any) -> Dims:
    if matrix_dims(source) is None:
        return None
    assert source is not None
    return (*source[:-2], *(band_shape(source[-2:], k) or ()))


def _part_kernel(x: Any, *, k: Band, align: str, padding_value: Any) -> Any:
    size = x.shape[-2:]
    where = places(size, k, align)
    diagonals = np.full((*x.shape[:-2], *(band_shape(size, k) or ())), padding_value, x.dtype)
    diagonals[(..., *where.rows)] = x[(..., *where.matrix)]
    return diagonals


_BAND = {"k": 0, "align": "RIGHT_LEFT"}

_matrix_diag = define(
    "MatrixDiagV3",
    kernel=_matrix_kernel,
    shape=_matrix_shape,
    match=(0,),
    arity=None,
    attrs={**_BAND, "num_rows": -1, "num_cols": -1, "padding_value": 0},
    latex=r"\operatorname{diag}(#1)",
)

_matrix_diag_part = define(
    "MatrixDiagPartV3",
    kernel=_part_kernel,
    shape=_part_shape,
    attrs={**_BAND, "padding_value": 0},
    latex=r"\operatorname{diagpart}(#1)",
)


def _band_attrs(op: Operation) -> dict[str, Any]:
    return {key: op.attrs[key] for key in _BAND}


@RegisterGradient("MatrixDiagV3")
def _matrix_diag_gradient(op: Operation, grad: Tensor) -> list[Any]:
    return [_matrix_diag_part(grad, **_band_attrs(op)), *(None for _ in op.inputs[1:])]


@RegisterGradient("MatrixDiagPartV3")
def _matrix_diag_part_gradient(op: Operation, grad: Tensor) -> Tensor:
    # The matrix need not be square, so its shape is read off the input.
    result: Tensor = _matrix_diag(grad, op.inputs[0], **_band_attrs(op))
    return result


def band_argument(k: Any, align: Any = "RIGHT_LEFT") -> dict[str, Any]:
    """Return the attributes that say which diagonals are meant, and how they are aligned.

    Raises:
        ArgumentError: k is no range of diagonals, or the alignment is unknown.
    """
    if align not in ALIGNMENTS:
        raise ArgumentError(f"align is one of {', '.join(ALIGNMENTS)} (got {align!r})")
    given = static_ints(k, "k")
    if len(given) not in (1, 2) or given[0] > given[-1]:
        raise ArgumentError(
            f"k is the number of a diagonal, or the lowest and the highest one (got {k!r})"
        )
    single = len(given) == 1 or given[0] == given[1]
    return {"k": given[0] if single else given, "align": align}


def diag(
    diagonal: Any,
    name: str | None = None,
    k: Any = 0,
    num_rows: Any = -1,
    num_cols: Any = -1,
    padding_value: Any = 0,
    align: str = "RIGHT_LEFT",
) -> Tensor:
    """Return matrices with some diagonals given, and zero elsewhere.

    Args:
        diagonal: `[..., n]`, or `[..., diagonals, n]` when k says several.
        name: of the operation.
        k: which diagonal, or the lowest and the highest one; 0 is the main one.
        num_rows: of the matrices; as few as the diagonals need by default.
        num_cols: likewise; a square matrix when neither is given.
        padding_value: the number outside the diagonals.
        align: where shorter diagonals stand in their row: "RIGHT" or "LEFT" for those above the
            main one, then for those below.

    Returns:
        `[..., num_rows, num_cols]`.

    Raises:
        ShapeError: the diagonals do not fit the size given.
    """
    attrs = {
        **band_argument(k, align),
        "num_rows": static_int(num_rows, "num_rows"),
        "num_cols": static_int(num_cols, "num_cols"),
        "padding_value": padding_value,
    }
    result: Tensor = _matrix_diag(as_tensor(diagonal), name=name, **attrs)
    return result


def diag_part(
    input: Any,
    name: str | None = None,
    k: Any = 0,
    padding_value: Any = 0,
    align: str = "RIGHT_LEFT",
) -> Tensor:
    """Return diagonals of matrices.

    Args:
        input: `[..., m, n]`.
        name: of the operation.
        k: which diagonal, or the lowest and the highest one; 0 is the main one.
        padding_value: the number that shorter diagonals are filled up with.
        align: as for `diag`.

    Returns:
        `[..., length]`, or `[..., diagonals, longest]` when k says several, the highest first.
    """
    attrs = {**band_argument(k, align), "padding_value": padding_value}
    result: Tensor = _matrix_diag_part(as_tensor(input), name=name, **attrs)
    return result


def trace(x: Any, name: str | None = None) -> Tensor:
    """Return the sum `[...]` of the main diagonal of each matrix `[..., m, n]`."""
    diagonal = diag_part(x)
    return create_op("Sum", [diagonal], {"axis": (-1,)}, name or "Trace").outputs[0]
