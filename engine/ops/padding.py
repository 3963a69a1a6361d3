"""Surrounding a tensor with a constant, or with a mirror image of itself."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np

from engine.errors import ArgumentError, ShapeError
from engine.opdef import REQUIRED, define
from engine.ops.arguments import as_tensor, pairs_argument
from engine.ops.blocks import slice as slice_of
from engine.ops.slicing import strided_slice
from engine.registry import RegisterGradient
from engine.shapes import Dims, is_static, show
from engine.tensor import Operation, Tensor

Paddings: TypeAlias = tuple[tuple[int, int], ...]

_SMALLEST_SOURCE = {"REFLECT": 1, "SYMMETRIC": 0}
"""By how much a mirrored axis must be longer than its padding."""


def _padded(source: Dims, *_value: Dims, paddings: Paddings, **_attrs: Any) -> Dims:
    if source is None:
        return (None,) * len(paddings)
    if len(source) != len(paddings):
        raise ShapeError(f"paddings {paddings} need one pair per axis of {show(source)}")
    return tuple(
        None if size is None else size + before + after
        for size, (before, after) in zip(source, paddings, strict=True)
    )


_pad = define(
    "Pad",
    kernel=lambda x, *, paddings: np.pad(x, paddings or 0),
    shape=_padded,
    attrs={"paddings": REQUIRED},
    latex=r"\operatorname{pad}(#1)",
)


def _pad_value_kernel(x: Any, value: Any, *, paddings: Paddings) -> Any:
    return np.pad(x, paddings or 0, constant_values=value)


_pad_value = define(
    "PadV2",
    kernel=_pad_value_kernel,
    shape=_padded,
    arity=2,
    attrs={"paddings": REQUIRED},
    latex=r"\operatorname{pad}(#1, #2)",
)


@RegisterGradient("Pad")
@RegisterGradient("PadV2")
def _pad_gradient(op: Operation, grad: Tensor) -> list[Any]:
    source, paddings = op.inputs[0], op.attrs["paddings"]
    begin = [before for before, _ in paddings]
    if is_static(source.dims):
        inner = slice_of(grad, begin, source.shape.as_list())
    else:
        end_mask = sum((not after) << axis for axis, (_, after) in enumerate(paddings))
        end = [-after for _, after in paddings]
        inner = strided_slice(grad, begin, end, [1] * len(begin), end_mask=end_mask)
    return [inner, *(None for _ in op.inputs[1:])]


# Mirrors ------------------------------------------------------------------------------------------


def _mirrored(source: Dims, *, paddings: Paddings, mode: str) -> Dims:
    least = _SMALLEST_SOURCE[mode]
    for size, pair in zip(source or (), paddings, strict=False):
        if size is not None and max(pair) + least > size:
            raise ShapeError(f"padding {pair} is wider than the mirror image of size {size} allows")
    return _padded(source, paddings=paddings)


def _mirror_kernel(x: Any, *, paddings: Paddings, mode: str) -> Any:
    return np.pad(x, paddings or 0, mode.lower())  # type: ignore[call-overload]


_mirror_pad = define(
    "MirrorPad",
    kernel=_mirror_kernel,
    shape=_mirrored,
    attrs={"paddings": REQUIRED, "mode": REQUIRED},
    latex=r"\operatorname{mirror}(#1)",
)


def _folded(grad: Dims, *, paddings: Paddings, mode: str) -> Dims:
    return _padded(grad, paddings=tuple((-before, -after) for before, after in paddings))


def _fold_kernel(grad: Any, *, paddings: Paddings, mode: str) -> Any:
    """Add every padded element to the element that it mirrors, one axis after the other."""
    for axis, pair in enumerate(paddings):
        size = np.shape(grad)[axis] - sum(pair)
        origins = np.pad(np.arange(size), pair, mode.lower())  # type: ignore[call-overload]
        moved = np.moveaxis(grad, axis, 0)
        folded = np.zeros((size, *moved.shape[1:]), moved.dtype)
        np.add.at(folded, origins, moved)
        grad = np.moveaxis(folded, 0, axis)
    return grad


_mirror_pad_gradient_op = define(
    "MirrorPadGrad",
    kernel=_fold_kernel,
    shape=_folded,
    attrs={"paddings": REQUIRED, "mode": REQUIRED},
    latex=r"\operatorname{fold}(#1)",
)


@RegisterGradient("MirrorPad")
def _mirror_pad_gradient(op: Operation, grad: Tensor) -> Tensor:
    result: Tensor = _mirror_pad_gradient_op(grad, **_mirror_attrs(op))
    return result


@RegisterGradient("MirrorPadGrad")
def _mirror_pad_gradient_gradient(op: Operation, grad: Tensor) -> Tensor:
    result: Tensor = _mirror_pad(grad, **_mirror_attrs(op))
    return result


def _mirror_attrs(op: Operation) -> dict[str, Any]:
    return {"paddings": op.attrs["paddings"], "mode": op.attrs["mode"]}


def pad(
    tensor: Any,
    paddings: Any,
    mode: str = "CONSTANT",
    constant_values: Any = 0,
    name: str | None = None,
) -> Tensor:
    """Add elements before and after along each axis.

    Args:
        tensor: a tensor.
        paddings: one pair (before, after) per axis, known while the graph is built.
        mode: "CONSTANT"; "REFLECT" (mirror without the edge) or "SYMMETRIC" (with it).
        constant_values: the scalar to pad with.
        name: of the operation.

    Raises:
        ArgumentError: the mode is unknown, or paddings are not pairs.
        ShapeError: not one pair per axis, or a mirror image that is too short.
    """
    pairs = pairs_argument(paddings, "paddings")
    chosen = str(mode).upper()
    if chosen in _SMALLEST_SOURCE:
        mirrored: Tensor = _mirror_pad(tensor, paddings=pairs, mode=chosen, name=name)
        return mirrored
    if chosen != "CONSTANT":
        raise ArgumentError(f"unknown padding mode {mode!r}; it is CONSTANT, REFLECT or SYMMETRIC")
    if isinstance(constant_values, int | float) and constant_values == 0:
        result: Tensor = _pad(tensor, paddings=pairs, name=name)
    else:
        result = _pad_value(as_tensor(tensor), constant_values, paddings=pairs, name=name)
    return result
