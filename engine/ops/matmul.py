"""Matrix products: of two matrices, and of stacks of matrices with broadcasting."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.elementwise import sum_to_shape_of
from engine.errors import ArgumentError, ShapeError
from engine.graph import create_op
from engine.opdef import OpDef, define
from engine.ops.arguments import as_tensors
from engine.ops.shape_ops import expand_dims, squeeze
from engine.registry import RegisterGradient
from engine.shapes import Dims, broadcast, merge, show
from engine.tensor import Operation, Tensor


def _conj(tensor: Tensor) -> Tensor:
    return create_op("Conj", [tensor]).outputs[0] if tensor.dtype.is_complex else tensor


def _product_size(a: tuple[int | None, ...], b: tuple[int | None, ...]) -> Dims:
    """Return the shape of one matrix product; the inner sizes must agree."""
    if a[1] is not None and b[0] is not None and a[1] != b[0]:
        raise ShapeError(f"inner sizes {a[1]} and {b[0]} differ")
    return (a[0], b[1])


def _matrix(dims: Dims, flipped: bool) -> tuple[int | None, ...]:
    if dims is None:
        return (None, None)
    return dims[:-3:-1] if flipped else dims[-2:]


# MatMul -------------------------------------------------------------------------------------------


def _matmul_shape(
    a: Dims, b: Dims, *, transpose_a: bool, transpose_b: bool, **_hints: bool
) -> Dims:
    for dims in (a, b):
        if dims is not None and len(dims) != 2:
            raise ShapeError(f"both inputs must be matrices, one is of shape {show(dims)}")
    return _product_size(_matrix(a, transpose_a), _matrix(b, transpose_b))


def _matmul_kernel(a: Any, b: Any, *, transpose_a: bool, transpose_b: bool, **_hints: bool) -> Any:
    return np.matmul(a.T if transpose_a else a, b.T if transpose_b else b)


_matmul = define(
    "MatMul",
    kernel=_matmul_kernel,
    shape=_matmul_shape,
    kinds="fciu",
    arity=2,
    attrs={"transpose_a": False, "transpose_b": False},
    latex=r"#1\,#2",
)

_sparse_matmul = define(
    "SparseMatMul",
    kernel=_matmul_kernel,
    shape=_matmul_shape,
    kinds="f",
    arity=2,
    attrs={
        "transpose_a": False,
        "transpose_b": False,
        "a_is_sparse": False,
        "b_is_sparse": False,
    },
    latex=r"#1\,#2",
)


@RegisterGradient("MatMul")
@RegisterGradient("SparseMatMul")
def _matmul_gradient(op: Operation, grad: Tensor) -> list[Any]:
    a, b = op.inputs
    flip_a, flip_b = op.attrs["transpose_a"], op.attrs["transpose_b"]

    def product(left: Tensor, right: Tensor, flip_left: bool, flip_right: bool) -> Tensor:
        result: Tensor = _matmul(left, right, transpose_a=flip_left, transpose_b=flip_right)
        return result

    def of_a() -> Tensor:
        other = _conj(b)
        return (
            product(other, grad, flip_b, True)
            if flip_a
            else product(grad, other, False, not flip_b)
        )

    def of_b() -> Tensor:
        other = _conj(a)
        return (
            product(grad, other, True, flip_a)
            if flip_b
            else product(other, grad, not flip_a, False)
        )

    return [of_a, of_b]


# BatchMatMul --------------------------------------------------------------------------------------


def _batch_shape(a: Dims, b: Dims, *, adj_x: bool, adj_y: bool) -> Dims:
    for dims in (a, b):
        if dims is not None and len(dims) < 2:
            raise ShapeError(f"inputs must have at least 2 axes, one is of shape {show(dims)}")
    matrix = _product_size(_matrix(a, adj_x), _matrix(b, adj_y))
    if a is None or b is None or matrix is None:
        return None
    batch = broadcast(a[:-2], b[:-2])
    return None if batch is None else (*batch, *matrix)


def _equal_batch_shape(a: Dims, b: Dims, *, adj_x: bool, adj_y: bool) -> Dims:
    if a is not None and b is not None:
        merge(a[:-2], b[:-2])
    return _batch_shape(a, b, adj_x=adj_x, adj_y=adj_y)


def conjugate_transpose(x: Any) -> Any:
    """Swap the last two axes of an array and conjugate it."""
    flipped = np.swapaxes(x, -1, -2)
    return np.conj(flipped) if np.iscomplexobj(x) else flipped


def _batch_kernel(a: Any, b: Any, *, adj_x: bool, adj_y: bool) -> Any:
    return np.matmul(conjugate_transpose(a) if adj_x else a, conjugate_transpose(b) if adj_y else b)


def _define_batch(op_type: str, shape: Any) -> OpDef:
    return define(
        op_type,
        kernel=_batch_kernel,
        shape=shape,
        kinds="fciu",
        arity=2,
        attrs={"adj_x": False, "adj_y": False},
        latex=r"#1\,#2",
    )


_define_batch("BatchMatMul", _equal_batch_shape)
_batch_matmul = _define_batch("BatchMatMulV2", _batch_shape)
_define_batch("BatchMatMulV3", _batch_shape)


@RegisterGradient("BatchMatMul")
@RegisterGradient("BatchMatMulV2")
@RegisterGradient("BatchMatMulV3")
def _batch_gradient(op: Operation, grad: Tensor) -> list[Any]:
    a, b = op.inputs
    flip_a, flip_b = op.attrs["adj_x"], op.attrs["adj_y"]

    def product(left: Tensor, right: Tensor, flip_left: bool, flip_right: bool) -> Tensor:
        attrs = {"adj_x": flip_left, "adj_y": flip_right}
        return create_op(op.type, [left, right], attrs, name="MatMul").outputs[0]

    def of_a() -> Tensor:
        whole = product(b, grad, flip_b, True) if flip_a else product(grad, b, False, not flip_b)
        return sum_batches(whole, a)

    def of_b() -> Tensor:
        whole = product(grad, a, True, flip_a) if flip_b else product(a, grad, not flip_a, False)
        return sum_batches(whole, b)

    return [of_a, of_b]


def sum_batches(gradient: Tensor, source: Tensor) -> Tensor:
    """Sum over the batch axes along which an input was broadcast."""
    if gradient.dims is not None and source.dims is not None:
        have, want = gradient.dims[:-2], source.dims[:-2]
        # Matrix sizes agree always; with equal batch sizes there is nothing to sum.
        if have == want and None not in have:
            return gradient
    return sum_to_shape_of(gradient, source)


# Functions ----------------------------------------------------------------------------------------


def matmul(
    a: Any,
    b: Any,
    transpose_a: bool = False,
    transpose_b: bool = False,
    adjoint_a: bool = False,
    adjoint_b: bool = False,
    a_is_sparse: bool = False,
    b_is_sparse: bool = False,
    output_type: Any = None,
    name: str | None = None,
) -> Tensor:
    """Multiply matrices, or stacks of matrices along the leading axes.

    Args:
        a: `[..., m, k]`.
        b: `[..., k, n]`; leading axes broadcast.
        transpose_a: swap the last two axes of a first.
        transpose_b: likewise b.
        adjoint_a: swap and conjugate.
        adjoint_b: likewise b.
        a_is_sparse: accepted as in TensorFlow, without effect.
        b_is_sparse: likewise.
        output_type: accepted when it is the inputs' own type.
        name: of the operation.

    Returns:
        `[..., m, n]`.

    Raises:
        ArgumentError: both transpose and adjoint are asked for.
        ShapeError: an input has fewer than 2 axes, or the sizes do not fit.
    """
    for side, swap, adjoint in (("a", transpose_a, adjoint_a), ("b", transpose_b, adjoint_b)):
        if swap and adjoint:
            raise ArgumentError(f"only one of transpose_{side} and adjoint_{side} can be True")
    first, second = as_tensors([a, b])
    if output_type is not None and first.dtype != output_type:
        raise ArgumentError(f"the product of {first.name} has type {first.dtype.name}; cast it")
    chosen = name or "MatMul"
    if first.shape.rank == 2 and second.shape.rank == 2:
        first = _conj(first) if adjoint_a else first
        second = _conj(second) if adjoint_b else second
        attrs = {"transpose_a": transpose_a or adjoint_a, "transpose_b": transpose_b or adjoint_b}
        result: Tensor = _matmul(first, second, name=chosen, **attrs)
        return result
    # The batched op knows adjoints alone: a transpose is the adjoint of the conjugate.
    first = _conj(first) if transpose_a else first
    second = _conj(second) if transpose_b else second
    attrs = {"adj_x": transpose_a or adjoint_a, "adj_y": transpose_b or adjoint_b}
    result = _batch_matmul(first, second, name=chosen, **attrs)
    return result


def matvec(
    a: Any,
    b: Any,
    transpose_a: bool = False,
    adjoint_a: bool = False,
    a_is_sparse: bool = False,
    b_is_sparse: bool = False,
    name: str | None = None,
) -> Tensor:
    """Multiply a matrix `[..., m, k]` by a vector `[..., k]`; returns `[..., m]`."""
    first, second = as_tensors([a, b])
    column = expand_dims(second, -1)
    return squeeze(matmul(first, column, transpose_a, adjoint_a=adjoint_a), -1, name or "MatVec")
