"""Ops that reduce a tensor along axes; the public functions stand in `engine.ops.reduce`.

`axis` is None (all axes), a number or several; with `keepdims` reduced axes stay with size 1.
How a gradient gets back to the shape that was reduced stands in `engine.ops.unreduce`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from engine.graph import create_op
from engine.opdef import define
from engine.ops.arithmetic import multiply, realdiv, subtract
from engine.ops.cast import cast
from engine.ops.comparison import equal
from engine.ops.complex_parts import conj
from engine.ops.elementary import exp
from engine.ops.scan import cumprod_op
from engine.ops.unreduce import aligned, spread_back
from engine.registry import NotDifferentiable, RegisterGradient
from engine.shapes import Dims, element_count, normalize_axes, normalize_axis
from engine.tensor import Operation, Tensor

_AXES = {"axis": None, "keepdims": False}


def reduced_dims(source: Dims, *, axis: Any, keepdims: bool) -> Dims:
    if source is None:
        return () if axis is None and not keepdims else None
    axes = normalize_axes(axis, len(source))
    if keepdims:
        return tuple(1 if index in axes else size for index, size in enumerate(source))
    return tuple(size for index, size in enumerate(source) if index not in axes)


def _sum(x: Any, *, axis: Any, keepdims: Any) -> Any:
    return np.add.reduce(x, axis=axis, dtype=x.dtype, keepdims=keepdims)


sum_op = define(
    "Sum", kernel=_sum, shape=reduced_dims, kinds="fciu", attrs=_AXES, latex=r"\textstyle\sum #1"
)


@RegisterGradient("Sum")
def _sum_gradient(op: Operation, upstream: Tensor) -> Tensor:
    """Return the upstream gradient, repeated along the axes that were summed."""
    return spread_back(upstream, op)


def _mean(x: Any, *, axis: Any, keepdims: Any) -> Any:
    wide = np.dtype(np.float32) if x.dtype == np.float16 else x.dtype
    total = np.add.reduce(x, axis=axis, dtype=wide, keepdims=keepdims)
    count = wide.type(x.size // max(np.size(total), 1))
    if wide.kind in "iu":
        if count == 0:
            raise ValueError("the mean of no integers does not exist")
        return (np.sign(total) * (np.abs(total) // count)).astype(x.dtype)
    return (total / count).astype(x.dtype)


mean_op = define(
    "Mean",
    kernel=_mean,
    shape=reduced_dims,
    kinds="fciu",
    attrs=_AXES,
    latex=r"\operatorname{mean}(#1)",
)


@RegisterGradient("Mean")
def _mean_gradient(op: Operation, upstream: Tensor) -> Tensor:
    """Return the upstream gradient over the number of entries averaged, repeated along them."""
    return spread_back(realdiv(upstream, _averaged_count(op)), op)


def _averaged_count(op: Operation) -> Any:
    source, result = op.inputs[0], op.outputs[0]
    size, kept = element_count(source.dims), element_count(result.dims)
    if size is not None and kept is not None:
        return size // max(kept, 1)
    sizes = [create_op("Size", [tensor]).outputs[0] for tensor in (source, result)]
    at_least_one = create_op("Maximum", [sizes[1], 1]).outputs[0]
    return cast(create_op("FloorDiv", [sizes[0], at_least_one]).outputs[0], source.dtype)


def _extremum(function: np.ufunc, *, largest: bool) -> Callable[..., Any]:
    def kernel(x: Any, *, axis: Any, keepdims: bool) -> Any:
        if x.size:
            return function.reduce(x, axis=axis, keepdims=keepdims)
        if x.dtype.kind == "f":
            worst: Any = -np.inf if largest else np.inf
        else:
            limits = np.iinfo(x.dtype)
            worst = limits.min if largest else limits.max
        return function.reduce(x, axis=axis, keepdims=keepdims, initial=worst)

    return kernel


max_op = define(
    "Max",
    kernel=_extremum(np.maximum, largest=True),
    shape=reduced_dims,
    kinds="fiu",
    attrs=_AXES,
    latex=r"\max(#1)",
    corner="entries that share the maximum share the gradient equally",
)

min_op = define(
    "Min",
    kernel=_extremum(np.minimum, largest=False),
    shape=reduced_dims,
    kinds="fiu",
    attrs=_AXES,
    latex=r"\min(#1)",
    corner="entries that share the minimum share the gradient equally",
)


@RegisterGradient("Max")
@RegisterGradient("Min")
def _extremum_gradient(op: Operation, upstream: Tensor) -> Tensor:
    """Return the upstream gradient where the extremum is, shared equally among ties."""
    reached = cast(equal(op.inputs[0], aligned(op.outputs[0], op)), upstream.dtype)
    ties = sum_op(reached, axis=op.attrs["axis"], keepdims=op.attrs["keepdims"])
    share = realdiv(reached, aligned(ties, op))
    gradient: Tensor = multiply(share, aligned(upstream, op))
    return gradient


prod_op = define(
    "Prod",
    kernel=lambda x, *, axis, keepdims: np.multiply.reduce(
        x, axis=axis, dtype=x.dtype, keepdims=keepdims
    ),
    shape=reduced_dims,
    kinds="fciu",
    attrs=_AXES,
    latex=r"\textstyle\prod #1",
)


@RegisterGradient("Prod")
def _prod_gradient(op: Operation, upstream: Tensor) -> Tensor:
    """Return the upstream gradient times the product of all other entries, without dividing.

    Axis by axis: the others along one axis, times what the product along it meets next.
    """
    x, axis = conj(op.inputs[0]), op.attrs["axis"]
    if axis is None and x.dims is None:
        line = create_op("Reshape", [x], {"shape": (-1,)}).outputs[0]
        others = create_op("ReshapeLike", [_others(line, 0), x]).outputs[0]
        whole: Tensor = multiply(others, upstream)
        return whole
    axes = _listed(axis) if x.dims is None else normalize_axes(axis, len(x.dims))
    gradient, rest = aligned(upstream, op), x
    for place, index in enumerate(axes):
        if place:
            rest = prod_op(rest, axis=axes[place - 1], keepdims=True)
        gradient = multiply(gradient, _others(rest, index))
    return gradient


def _listed(axis: Any) -> tuple[int, ...]:
    return (axis,) if isinstance(axis, int) else axis


def _others(x: Tensor, axis: int) -> Tensor:
    """Return, for each entry, the product of the other entries along an axis."""
    before = cumprod_op(x, axis=axis, exclusive=True)
    product: Tensor = multiply(before, cumprod_op(x, axis=axis, exclusive=True, reverse=True))
    return product


def _log_sum_exp(x: Any, *, axis: Any, keepdims: bool) -> Any:
    largest = np.maximum.reduce(x, axis=axis, keepdims=True, initial=-np.inf)
    finite = np.where(np.isfinite(largest), largest, np.zeros((), x.dtype))
    total = np.add.reduce(np.exp(x - finite), axis=axis, dtype=x.dtype, keepdims=True)
    result = np.log(total) + finite
    return result if keepdims else result.reshape(_squeezed(result.shape, axis))


def _squeezed(shape: tuple[int, ...], axis: Any) -> tuple[int, ...]:
    axes = normalize_axes(axis, len(shape))
    return tuple(size for index, size in enumerate(shape) if index not in axes)


log_sum_exp = define(
    "LogSumExp",
    kernel=_log_sum_exp,
    shape=reduced_dims,
    kinds="f",
    attrs=_AXES,
    name="ReduceLogSumExp",
    latex=r"\log \textstyle\sum e^{#1}",
)


@RegisterGradient("LogSumExp")
def _log_sum_exp_gradient(op: Operation, upstream: Tensor) -> Tensor:
    """Return the upstream gradient times the softmax, e^(x - z).

    It is normalised once more, since a large z has lost the digits that make its sum 1.
    """
    weights = exp(subtract(op.inputs[0], aligned(op.outputs[0], op)))
    total = sum_op(weights, axis=op.attrs["axis"], keepdims=op.attrs["keepdims"])
    softmax = realdiv(weights, aligned(total, op))
    gradient: Tensor = multiply(softmax, aligned(upstream, op))
    return gradient


all_op = define(
    "All",
    kernel=np.logical_and.reduce,
    shape=reduced_dims,
    kinds="b",
    attrs=_AXES,
    latex=r"\textstyle\bigwedge #1",
)
NotDifferentiable("All")

any_op = define(
    "Any",
    kernel=np.logical_or.reduce,
    shape=reduced_dims,
    kinds="b",
    attrs=_AXES,
    latex=r"\textstyle\bigvee #1",
)
NotDifferentiable("Any")


# Where the extremum is


def _without_axis(source: Dims, *, axis: int, output_type: Any) -> Dims:
    if source is None:
        return None
    index = normalize_axis(axis, len(source))
    return source[:index] + source[index + 1 :]


def _arg(function: Callable[..., Any]) -> Callable[..., Any]:
    return lambda x, *, axis, output_type: function(x, axis=axis).astype(output_type)


arg_max = define(
    "ArgMax",
    kernel=_arg(np.argmax),
    shape=_without_axis,
    dtype=lambda _x, *, axis, output_type: output_type,
    kinds="fciub",
    attrs={"axis": 0, "output_type": "int64"},
    latex=r"\operatorname{argmax}(#1)",
    local=(None,),
)

arg_min = define(
    "ArgMin",
    kernel=_arg(np.argmin),
    shape=_without_axis,
    dtype=lambda _x, *, axis, output_type: output_type,
    kinds="fciub",
    attrs={"axis": 0, "output_type": "int64"},
    latex=r"\operatorname{argmin}(#1)",
    local=(None,),
)
