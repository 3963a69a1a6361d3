"""Ops that put the axes, or the elements along an axis, in another order."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.dtypes import DType
from engine.errors import ArgumentError, DTypeError, ShapeError
from engine.opdef import REQUIRED, OpDef, define
from engine.ops.arguments import as_tensor, static_ints
from engine.registry import RegisterGradient
from engine.shapes import Dims, merge, normalize_axes, show
from engine.tensor import Operation, Tensor

# Transpose ----------------------------------------------------------------------------------------


def _transposed(source: Dims, *, perm: tuple[int, ...] | None) -> Dims:
    if source is None:
        return None if perm is None else (None,) * len(perm)
    if perm is None:
        return source[::-1]
    if sorted(perm) != list(range(len(source))):
        raise ShapeError(f"perm {perm} does not name every axis of {show(source)} once")
    return tuple(source[axis] for axis in perm)


_transpose = define(
    "Transpose",
    kernel=lambda x, *, perm: np.transpose(x, perm),
    shape=_transposed,
    attrs={"perm": None},
    name="transpose",
    latex=r"#1^{\mathsf T}",
)

_conjugate_transpose = define(
    "ConjugateTranspose",
    kernel=lambda x, *, perm: np.conj(np.transpose(x, perm)),
    shape=_transposed,
    attrs={"perm": None},
    name="transpose",
    latex=r"#1^{\mathsf H}",
)


def _inverse(perm: tuple[int, ...] | None) -> tuple[int, ...] | None:
    return None if perm is None else tuple(np.argsort(perm).tolist())


@RegisterGradient("Transpose")
def _transpose_gradient(op: Operation, grad: Tensor) -> Tensor:
    result: Tensor = _transpose(grad, perm=_inverse(op.attrs["perm"]))
    return result


@RegisterGradient("ConjugateTranspose")
def _conjugate_transpose_gradient(op: Operation, grad: Tensor) -> Tensor:
    result: Tensor = _conjugate_transpose(grad, perm=_inverse(op.attrs["perm"]))
    return result


def transpose(a: Any, perm: Any = None, name: str | None = None, conjugate: bool = False) -> Tensor:
    """Put the axes in the order `perm`, reversed by default; with `conjugate`, conjugate too.

    Raises:
        ShapeError: perm does not name every axis once.
    """
    tensor = as_tensor(a)
    order = None if perm is None else static_ints(perm, "perm")
    if order is not None and any(axis < 0 for axis in order):
        order = tuple(axis % len(order) for axis in order)
    return _kind(tensor, conjugate)(tensor, perm=order, name=name)  # type: ignore[no-any-return]


def _kind(tensor: Tensor, conjugate: bool) -> OpDef:
    return _conjugate_transpose if conjugate and tensor.dtype.is_complex else _transpose


def matrix_transpose(a: Any, name: str | None = None, conjugate: bool = False) -> Tensor:
    """Swap the last two axes.

    Raises:
        ArgumentError: the rank is unknown or below 2.
    """
    tensor = as_tensor(a)
    if tensor.dims is None or len(tensor.dims) < 2:
        raise ArgumentError(
            f"matrix_transpose needs a known rank of at least 2 (got {tensor.name} of shape "
            f"{show(tensor.dims)})"
        )
    axes = list(range(len(tensor.dims)))
    axes[-2:] = axes[:-3:-1]
    return transpose(tensor, axes, name or "matrix_transpose", conjugate)


def adjoint(matrix: Any, name: str | None = None) -> Tensor:
    """Swap the last two axes and conjugate."""
    return matrix_transpose(matrix, name or "adjoint", conjugate=True)


# Reverse ------------------------------------------------------------------------------------------


def _checked_axes(source: Dims, *, axis: tuple[int, ...]) -> Dims:
    if source is not None:
        normalize_axes(axis, len(source))
    return source


_reverse = define(
    "ReverseV2",
    kernel=lambda x, *, axis: np.flip(x, axis),
    shape=_checked_axes,
    attrs={"axis": REQUIRED},
    latex=r"\operatorname{reverse}(#1)",
)


@RegisterGradient("ReverseV2")
def _reverse_gradient(op: Operation, grad: Tensor) -> Tensor:
    result: Tensor = _reverse(grad, axis=op.attrs["axis"])
    return result


def reverse(tensor: Any, axis: Any, name: str | None = None) -> Tensor:
    """Reverse the order of the elements along the axes."""
    result: Tensor = _reverse(tensor, axis=static_ints(axis, "axis"), name=name)
    return result


def _sequence_shape(source: Dims, lengths: Dims, *, seq_dim: int, batch_dim: int) -> Dims:
    if source is not None and lengths is not None:
        normalize_axes((seq_dim, batch_dim), len(source))
        merge((source[batch_dim],), lengths)
    return source


def _sequence_type(source: DType, lengths: DType, **_attrs: Any) -> DType:
    if not lengths.is_integer:
        raise DTypeError(f"lengths must be integers; cast them first (got {lengths.name})")
    return source


def _reverse_sequence_kernel(x: Any, lengths: Any, *, seq_dim: int, batch_dim: int) -> Any:
    size = np.shape(x)[seq_dim]
    if np.size(lengths) and (np.min(lengths) < 0 or np.max(lengths) > size):
        raise ValueError(f"lengths {lengths} must lie between 0 and {size}")
    places = np.arange(size)
    ends = np.asarray(lengths)[:, None]
    order = np.where(places < ends, ends - 1 - places, places)
    moved = np.moveaxis(x, (batch_dim, seq_dim), (0, 1))
    order = order.reshape(order.shape + (1,) * (moved.ndim - 2))
    return np.moveaxis(np.take_along_axis(moved, order, 1), (0, 1), (batch_dim, seq_dim))


_reverse_sequence = define(
    "ReverseSequence",
    kernel=_reverse_sequence_kernel,
    shape=_sequence_shape,
    dtype=_sequence_type,
    match=(0,),
    arity=2,
    attrs={"seq_dim": REQUIRED, "batch_dim": 0},
    latex=r"\operatorname{reverse}(#1)",
)


@RegisterGradient("ReverseSequence")
def _reverse_sequence_gradient(op: Operation, grad: Tensor) -> list[Any]:
    attrs = {"seq_dim": op.attrs["seq_dim"], "batch_dim": op.attrs["batch_dim"]}
    return [_reverse_sequence(grad, op.inputs[1], **attrs), None]


def reverse_sequence(
    input: Any, seq_lengths: Any, seq_axis: int = 1, batch_axis: int = 0, name: str | None = None
) -> Tensor:
    """Reverse the first `seq_lengths[k]` elements along `seq_axis` of batch entry k."""
    attrs = {"seq_dim": seq_axis, "batch_dim": batch_axis}
    result: Tensor = _reverse_sequence(input, seq_lengths, name=name, **attrs)
    return result
