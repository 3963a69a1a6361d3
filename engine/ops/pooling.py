"""Pools: the largest or the average entry of each window, and their gradients.

A window may extend along any axis, so the data format plays no part.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from engine.errors import ShapeError
from engine.graph import create_op
from engine.opdef import REQUIRED, OpDef, define
from engine.ops.fill import zeros_like
from engine.ops.windows import (
    Axis,
    Sliding,
    checked_padding,
    inside,
    offsets,
    padded,
    reach,
    trimmed,
)
from engine.registry import RegisterGradient
from engine.shapes import Dims, is_static, merge
from engine.tensor import Operation, Tensor

_CORNER = "of equal entries in a window the first one, row by row, gets the whole gradient"


def _sliding(rank: int, attrs: dict[str, Any]) -> Sliding:
    for key in ("ksize", "strides"):
        if len(attrs[key]) != rank or min(attrs[key]) < 1:
            raise ShapeError(f"{key} {attrs[key]} needs one positive number per axis, {rank} axes")
    pairs = checked_padding(attrs["padding"], attrs.get("explicit_paddings", ()))
    if attrs["padding"] == "EXPLICIT" and len(pairs) != rank:
        raise ShapeError(f"explicit paddings need one pair per axis (got {pairs})")
    return Sliding(attrs["ksize"], attrs["strides"], attrs["padding"], pairs, (1,) * rank)


def _pooled(rank: int) -> Callable[..., Dims]:
    def shape(source: Dims, **attrs: Any) -> Dims:
        if source is not None and len(source) != rank:
            raise ShapeError(f"the input must have {rank} axes")
        return _sliding(rank, attrs).counts(source)

    return shape


def _ways(x: Any, attrs: dict[str, Any]) -> tuple[Axis, ...]:
    return _sliding(np.ndim(x), attrs).axes(np.shape(x))


def _counts(axes: tuple[Axis, ...]) -> tuple[int, ...]:
    return tuple(axis.count for axis in axes)


# The largest entry --------------------------------------------------------------------------------


def _first_largest(x: Any, axes: tuple[Axis, ...]) -> tuple[Any, Any]:
    """Return the largest entry of each window, and the number of the first offset that has it."""
    least = -np.inf if x.dtype.kind == "f" else np.iinfo(x.dtype).min
    cells = padded(x, axes, least)
    best = np.full(_counts(axes), least, x.dtype)
    where = np.full(best.shape, -1)
    for number, offset in enumerate(offsets(axes)):
        entries = cells[reach(axes, offset)]
        # An entry that is not a number stays the largest, as it does for Max.
        larger = (entries > best) | (where < 0) | (np.isnan(entries) & ~np.isnan(best))
        larger &= inside(axes, offset)
        best = np.where(larger, entries, best)
        where = np.where(larger, number, where)
    return best, where


def _max_kernel(x: Any, **attrs: Any) -> Any:
    return _first_largest(x, _ways(x, attrs))[0]


def _max_grad_kernel(x: Any, _y: Any, grad: Any, **attrs: Any) -> Any:
    axes = _ways(x, attrs)
    _check(grad, axes)
    where = _first_largest(x, axes)[1]
    whole = np.zeros([axis.padded_size for axis in axes], grad.dtype)
    for number, offset in enumerate(offsets(axes)):
        whole[reach(axes, offset)] += np.where(where == number, grad, np.zeros((), grad.dtype))
    return trimmed(whole, axes)


def _max_pick_kernel(x: Any, _y: Any, above: Any, **attrs: Any) -> Any:
    """Return the entries of `above` at the places where the windows of x are largest."""
    axes = _ways(x, attrs)
    where = _first_largest(x, axes)[1]
    cells = padded(above, axes)
    picked = np.zeros(where.shape, above.dtype)
    for number, offset in enumerate(offsets(axes)):
        picked = np.where(where == number, cells[reach(axes, offset)], picked)
    return picked


def _check(grad: Any, axes: tuple[Axis, ...]) -> None:
    if grad.shape != _counts(axes):
        raise ValueError(f"the upstream gradient has shape {grad.shape}, not {_counts(axes)}")


# The average --------------------------------------------------------------------------------------


def _sizes(axes: tuple[Axis, ...], dtype: Any) -> Any:
    """Return how many entries of the tensor itself each window has."""
    total = np.zeros(_counts(axes), dtype)
    for offset in offsets(axes):
        total += inside(axes, offset)
    return np.maximum(total, 1)


def _average_kernel(x: Any, **attrs: Any) -> Any:
    axes = _ways(x, attrs)
    cells = padded(x, axes)
    total = np.zeros(_counts(axes), np.result_type(x.dtype, np.float32))
    for offset in offsets(axes):
        total += cells[reach(axes, offset)]
    return (total / _sizes(axes, total.dtype)).astype(x.dtype)


def _average_grad_kernel(grad: Any, *like: Any, orig_input_shape: Any, **attrs: Any) -> Any:
    shape = np.shape(like[0]) if like else orig_input_shape
    axes = _sliding(len(shape), attrs).axes(shape)
    _check(grad, axes)
    whole = np.zeros([axis.padded_size for axis in axes], np.result_type(grad.dtype, np.float32))
    share = grad / _sizes(axes, whole.dtype)
    for offset in offsets(axes):
        whole[reach(axes, offset)] += share
    return trimmed(whole, axes).astype(grad.dtype)


# Definitions --------------------------------------------------------------------------------------

_ATTRS = {"ksize": REQUIRED, "strides": REQUIRED, "padding": REQUIRED}


def _define_max(op_type: str, rank: int, layout: str, **more: Any) -> None:
    attrs = {**_ATTRS, **more, "data_format": layout}
    pooled = _pooled(rank)
    define(
        op_type,
        kernel=_max_kernel,
        shape=pooled,
        kinds="fiu",
        attrs=attrs,
        latex=r"\operatorname{maxpool}(#1)",
        corner=_CORNER,
    )

    def like_input(x: Dims, _y: Dims, _grad: Dims, **_attrs: Any) -> Dims:
        return x

    def like_output(x: Dims, y: Dims, _above: Dims, **rest: Any) -> Dims:
        return merge(pooled(x, **rest), y)

    for suffix, kernel, shape, notation in (
        ("Grad", _max_grad_kernel, like_input, r"\operatorname{unpool}(#3)"),
        ("GradGrad", _max_pick_kernel, like_output, r"\operatorname{pick}(#3)"),
    ):
        define(
            op_type + suffix,
            kernel=kernel,
            shape=shape,
            kinds="fiu",
            arity=3,
            attrs=attrs,
            latex=notation,
            corner=_CORNER,
        )


def _define_average(op_type: str, rank: int, layout: str) -> OpDef:
    attrs = {**_ATTRS, "data_format": layout}
    define(
        op_type,
        kernel=_average_kernel,
        shape=_pooled(rank),
        kinds="f",
        attrs=attrs,
        latex=r"\operatorname{avgpool}(#1)",
    )

    def like_input(grad: Dims, *like: Dims, orig_input_shape: Any, **rest: Any) -> Dims:
        if like:
            return like[0]
        if orig_input_shape is None:
            raise ShapeError("give orig_input_shape, or a tensor of that shape as second input")
        merge(_pooled(rank)(orig_input_shape, **rest), grad)
        return tuple(orig_input_shape)

    return define(
        f"{op_type}Grad",
        kernel=_average_grad_kernel,
        shape=like_input,
        kinds="f",
        match=(0,),
        arity=None,
        attrs={"orig_input_shape": None, **attrs},
        latex=r"\operatorname{unpool}(#1)",
    )


_define_max("MaxPool", 4, "NHWC", explicit_paddings=())
_define_max("MaxPool3D", 5, "NDHWC")
_define_average("AvgPool", 4, "NHWC")
_define_average("AvgPool3D", 5, "NDHWC")


# Gradients ----------------------------------------------------------------------------------------


def _attrs(op: Operation) -> dict[str, Any]:
    return {k: v for k, v in op.attrs.items() if k != "orig_input_shape" and k[0] != "_"}


def _create(op: Operation, op_type: str, *inputs: Tensor, **more: Any) -> Tensor:
    return create_op(op_type, inputs, {**_attrs(op), **more}).outputs[0]


@RegisterGradient("MaxPool")
@RegisterGradient("MaxPool3D")
def _max_gradient(op: Operation, grad: Tensor) -> Tensor:
    return _create(op, f"{op.type}Grad", op.inputs[0], op.outputs[0], grad)


@RegisterGradient("MaxPoolGrad")
@RegisterGradient("MaxPool3DGrad")
def _max_grad_gradient(op: Operation, above: Tensor) -> list[Any]:
    x, y, _ = op.inputs
    return [
        lambda: zeros_like(x),
        lambda: zeros_like(y),
        lambda: _create(op, f"{op.type}Grad", x, y, above),
    ]


@RegisterGradient("MaxPoolGradGrad")
@RegisterGradient("MaxPool3DGradGrad")
def _max_pick_gradient(op: Operation, grad: Tensor) -> list[Any]:
    x, y, _ = op.inputs
    spread = op.type.removesuffix("Grad")
    return [
        lambda: zeros_like(x),
        lambda: zeros_like(y),
        lambda: _create(op, spread, x, y, grad),
    ]


@RegisterGradient("AvgPool")
@RegisterGradient("AvgPool3D")
def _average_gradient(op: Operation, grad: Tensor) -> Tensor:
    x = op.inputs[0]
    if is_static(x.dims):
        return _create(op, f"{op.type}Grad", grad, orig_input_shape=x.dims)
    return _create(op, f"{op.type}Grad", grad, x)


@RegisterGradient("AvgPoolGrad")
@RegisterGradient("AvgPool3DGrad")
def _average_grad_gradient(op: Operation, above: Tensor) -> list[Any]:
    pooled = _create(op, op.type.removesuffix("Grad"), above)
    return [pooled, *(None for _ in op.inputs[1:])]
