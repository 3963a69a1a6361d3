"""Adding a bias along the channel axis, and the squared length used as a penalty."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.errors import ArgumentError, ShapeError
from engine.graph import create_op
from engine.opdef import define
from engine.ops.arguments import as_tensors
from engine.ops.fill import zeros_like
from engine.registry import RegisterGradient
from engine.shapes import Dims, merge, show
from engine.tensor import Operation, Tensor


def _channel_axis(rank: int, data_format: str) -> int:
    """Return the axis of channels: the last, or the second for formats that begin with NC."""
    return 1 if data_format.startswith("NC") else rank - 1


def _biased(source: Dims, bias: Dims, *, data_format: str) -> Dims:
    if bias is not None and len(bias) != 1:
        raise ShapeError(f"the bias must be a vector, it is of shape {show(bias)}")
    if source is None or bias is None:
        return source
    if len(source) < 2:
        raise ShapeError("the value needs at least 2 axes, a batch and channels")
    axis = _channel_axis(len(source), data_format)
    return (*source[:axis], *(merge(source[axis : axis + 1], bias) or ()), *source[axis + 1 :])


def _bias_kernel(x: Any, bias: Any, *, data_format: str) -> Any:
    axis = _channel_axis(np.ndim(x), data_format)
    if np.shape(bias) != np.shape(x)[axis : axis + 1]:
        raise ValueError(f"a bias of shape {np.shape(bias)} does not fit {np.shape(x)}")
    return x + np.reshape(bias, (-1,) + (1,) * (np.ndim(x) - 1 - axis))


_bias_add = define(
    "BiasAdd",
    kernel=_bias_kernel,
    shape=_biased,
    arity=2,
    kinds="fciu",
    attrs={"data_format": "NHWC"},
    latex=r"#1 + #2",
)


@RegisterGradient("BiasAdd")
def _bias_gradient(op: Operation, grad: Tensor) -> list[Any]:
    return [grad, lambda: _bias_add_grad(grad, data_format=op.attrs["data_format"])]


def _channel_sum_shape(source: Dims, *, data_format: str) -> Dims:
    if source is None:
        return (None,)
    return (source[_channel_axis(len(source), data_format)],)


def _channel_sum_kernel(grad: Any, *, data_format: str) -> Any:
    axis = _channel_axis(np.ndim(grad), data_format)
    others = tuple(other for other in range(np.ndim(grad)) if other != axis)
    return np.sum(grad, others, dtype=grad.dtype)


_bias_add_grad = define(
    "BiasAddGrad",
    kernel=_channel_sum_kernel,
    shape=_channel_sum_shape,
    kinds="fciu",
    attrs={"data_format": "NHWC"},
    latex=r"\sum #1",
)


@RegisterGradient("BiasAddGrad")
def _bias_grad_gradient(op: Operation, grad: Tensor) -> Tensor:
    # Adding to zeros repeats the channel sums along every other axis, whatever the shape.
    blank = zeros_like(op.inputs[0])
    result: Tensor = _bias_add(blank, grad, data_format=op.attrs["data_format"])
    return result


def bias_add(
    value: Any, bias: Any, data_format: str | None = None, name: str | None = None
) -> Tensor:
    """Add a bias to every channel.

    Args:
        value: `[batch, ..., channels]`, or `[batch, channels, ...]` for a format beginning with NC.
        bias: `[channels]`.
        data_format: for example "NHWC", the default, or "NCHW".
        name: of the operation.

    Raises:
        ArgumentError: the data format is unknown.
        ShapeError: not one bias per channel.
    """
    layout = data_format or "NHWC"
    if not isinstance(layout, str) or not layout.startswith("N") or "C" not in layout:
        raise ArgumentError(f"data_format is for example 'NHWC' or 'NCHW' (got {data_format!r})")
    first, second = as_tensors([value, bias])
    result: Tensor = _bias_add(first, second, data_format=layout, name=name)
    return result


l2_loss = define(
    "L2Loss",
    kernel=lambda x: np.asarray(np.sum(np.square(x)) / 2, np.asarray(x).dtype),
    shape=lambda _source: (),
    kinds="f",
    latex=r"\tfrac12 \sum #1^2",
)


@RegisterGradient("L2Loss")
def _l2_gradient(op: Operation, grad: Tensor) -> Tensor:
    return create_op("Mul", [op.inputs[0], grad]).outputs[0]
