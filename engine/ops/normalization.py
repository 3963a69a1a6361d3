"""Normalising over a batch or over neighbouring channels: the ops with kernels of their own."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from engine.dtypes import DType
from engine.errors import ArgumentError, ArgumentTypeError, DTypeError, ShapeError
from engine.opdef import define, same_shape
from engine.ops.arguments import as_tensor, as_tensors
from engine.ops.arithmetic import add, multiply, realdiv, subtract
from engine.ops.arithmetic import pow as power
from engine.ops.cast import cast
from engine.ops.elementary import rsqrt
from engine.ops.fill import stands_for_nothing, zeros
from engine.ops.reduction import mean_op, sum_op
from engine.ops.shape_ops import reshape, size
from engine.registry import RegisterGradient
from engine.shapes import Dims, merge, show
from engine.tensor import Operation, Tensor

# FusedBatchNormV3 ---------------------------------------------------------------------------------


def _channel_axis(data_format: str) -> int:
    return 1 if data_format.startswith("NC") else len(data_format) - 1


def _others(data_format: str) -> tuple[int, ...]:
    axis = _channel_axis(data_format)
    return tuple(k for k in range(len(data_format)) if k != axis)


def _column(data_format: str) -> tuple[int, ...]:
    """Return the shape in which one number per channel meets the input."""
    return (-1,) + (1,) * (len(data_format) - 1 - _channel_axis(data_format))


def _normalized_shapes(
    x: Dims, scale: Dims, offset: Dims, mean: Dims, variance: Dims, **attrs: Any
) -> tuple[Dims, ...]:
    layout = attrs["data_format"]
    if x is not None and len(x) != len(layout):
        raise ShapeError(f"the input must have {len(layout)} axes for {layout}, not {show(x)}")
    axis = _channel_axis(layout)
    channels = merge(merge(scale, offset), None if x is None else x[axis : axis + 1])
    channels = merge(channels, (None,))
    if not attrs["is_training"]:
        channels = merge(merge(mean, variance), channels)
    whole = x
    if x is not None and channels is not None:
        whole = (*x[:axis], *channels, *x[axis + 1 :])
    return (whole, channels, channels, channels, channels, (0,))


def _normalized_types(x: DType, scale: DType, *rest: DType, **_attrs: Any) -> tuple[DType, ...]:
    if not x.is_floating or x.is_complex or not scale.is_floating:
        raise DTypeError(f"batch normalisation takes floating numbers (got {x.name}, {scale.name})")
    if any(other is not scale for other in rest):
        raise DTypeError("scale, offset, mean and variance must be of one type; cast them")
    return (x, *(scale,) * 5)


def _batch_norm_kernel(
    x: Any, scale: Any, offset: Any, mean: Any, variance: Any, **attrs: Any
) -> tuple[Any, ...]:
    layout, column = attrs["data_format"], _column(attrs["data_format"])
    wide = x.astype(scale.dtype)
    now, spread = mean, variance
    if attrs["is_training"]:
        now, spread = wide.mean(_others(layout)), wide.var(_others(layout))
    factor = scale / np.sqrt(spread + scale.dtype.type(attrs["epsilon"]))
    y = (wide - now.reshape(column)) * factor.reshape(column) + offset.reshape(column)
    running = (now, spread)
    if attrs["is_training"]:
        count = wide.size // max(now.size, 1)
        running = (now, spread * (count / max(count - 1, 1)))
        running = _averaged(running, (mean, variance), attrs["exponential_avg_factor"])
    kept = [value.astype(scale.dtype) for value in (*running, now, spread)]
    return (y.astype(x.dtype), *kept, np.zeros(0, scale.dtype))


def _averaged(now: tuple[Any, Any], before: tuple[Any, Any], factor: float) -> tuple[Any, Any]:
    if factor == 1:
        return now
    first, second = ((1 - factor) * b + factor * n for n, b in zip(now, before, strict=True))
    return first, second


_batch_norm = define(
    "FusedBatchNormV3",
    kernel=_batch_norm_kernel,
    shape=_normalized_shapes,
    dtype=_normalized_types,
    match=(),
    arity=5,
    outputs=6,
    attrs={
        "epsilon": 1e-3,  # the default of the functions that make this op
        "exponential_avg_factor": 1.0,
        "data_format": "NHWC",
        "is_training": True,
    },
    latex=r"\frac{#1 - \mu}{\sqrt{\sigma^2 + \epsilon}}\,#2 + #3",
    corner="a mean and variance that are given get no gradient, as if they were constants",
)


@RegisterGradient("FusedBatchNormV3")
def _batch_norm_gradient(op: Operation, *grads: Tensor) -> list[Any]:
    """Return the gradients by x, scale and offset; given mean and variance get none.

    In training mean and variance depend on x: what they pass on is
    scale / sqrt(variance + epsilon) (g - mean(g) - n mean(g n)), n being the normalised input.
    """
    scale = op.inputs[1]
    normal = _Normal(op)
    grad = cast(grads[0], scale.dtype)
    if op.attrs["is_training"]:
        by_x = lambda: cast(normal.through_statistics(grad, grads[1:]), op.inputs[0].dtype)  # noqa: E731
    else:
        by_x = lambda: cast(multiply(grad, normal.factor()), op.inputs[0].dtype)  # noqa: E731
    return [
        by_x,
        lambda: normal.sum(multiply(grad, normal.value)),
        lambda: normal.sum(grad),
        None,
        None,
    ]


class _Normal:
    """The normalised input of a batch normalisation, rebuilt from ordinary operations."""

    def __init__(self, op: Operation) -> None:
        self.op = op
        self.layout = op.attrs["data_format"]
        self.scale = op.inputs[1]
        self.x = cast(op.inputs[0], self.scale.dtype)
        if op.attrs["is_training"]:
            self.centered = subtract(self.x, self.mean(self.x))
            spread = self.mean(multiply(self.centered, self.centered))
        else:
            self.centered = subtract(self.x, self.column(op.inputs[3]))
            spread = self.column(op.inputs[4])
        self.inverse = rsqrt(add(spread, op.attrs["epsilon"]))
        self.value: Tensor = multiply(self.centered, self.inverse)

    def mean(self, tensor: Tensor) -> Tensor:
        result: Tensor = mean_op(tensor, axis=_others(self.layout), keepdims=True)
        return result

    def sum(self, tensor: Tensor) -> Tensor:
        result: Tensor = sum_op(tensor, axis=_others(self.layout), keepdims=False)
        return result

    def column(self, vector: Tensor) -> Tensor:
        shape = _column(self.layout)
        return vector if shape == (-1,) else reshape(vector, shape)

    def factor(self) -> Tensor:
        result: Tensor = multiply(self.column(self.scale), self.inverse)
        return result

    def through_statistics(self, grad: Tensor, of_statistics: Any) -> Tensor:
        """Return the gradient by x in training, where mean and variance come from x.

        Args:
            grad: by the normalised output.
            of_statistics: by the other outputs: running mean and variance, mean, variance.
        """
        product = multiply(self.value, self.mean(multiply(grad, self.value)))
        centered = subtract(subtract(grad, self.mean(grad)), product)
        total: Tensor = multiply(centered, self.factor())
        present = [
            (place, self.column(g))
            for place, g in enumerate(of_statistics[:4])
            if not stands_for_nothing(g)
        ]
        if not present:
            return total
        count = self.count()
        rate = self.op.attrs["exponential_avg_factor"]
        for place, gradient in present:
            weighted = multiply(gradient, rate) if place < 2 and rate != 1 else gradient
            if place in (0, 2):
                share = realdiv(weighted, count)
            else:  # the running variance is divided by one less
                less = subtract(count, 1) if place == 1 else count
                share = multiply(realdiv(multiply(weighted, 2), less), self.centered)
            total = add(total, share)
        return total

    def count(self) -> Tensor:
        """Return how many entries each mean is taken over."""
        per_channel = realdiv(
            cast(size(self.x), self.scale.dtype), cast(size(self.scale), self.scale.dtype)
        )
        return per_channel  # type: ignore[no-any-return]


def fused_batch_norm(
    x: Any,
    scale: Any,
    offset: Any,
    mean: Any = None,
    variance: Any = None,
    epsilon: float = 0.001,
    data_format: str = "NHWC",
    is_training: bool = True,
    name: str | None = None,
    exponential_avg_factor: float = 1.0,
) -> tuple[Tensor, Tensor, Tensor]:
    """Normalise each channel to mean offset and standard deviation scale.

    Args:
        x: `[batch, height, width, channels]`.
        scale: `[channels]`.
        offset: `[channels]`.
        mean: `[channels]`; needed unless training.
        variance: likewise.
        epsilon: added to the variance.
        data_format: "NHWC" or "NCHW", with "D" for volumes.
        is_training: whether to take mean and variance of x itself.
        name: of the operation.
        exponential_avg_factor: weight of this batch in the mean and variance returned.

    Returns:
        The normalised tensor, and the running mean and (unbiased) variance.

    Raises:
        ArgumentError: mean or variance are missing, or the data format is unknown.
    """
    if data_format not in ("NHWC", "NCHW", "NDHWC", "NCDHW"):
        raise ArgumentError(f"data_format is for example 'NHWC' or 'NCHW' (got {data_format!r})")
    source = as_tensor(x)
    factors = as_tensors([scale, offset])
    known = [mean, variance]
    if any(entry is None for entry in known):
        if not is_training or exponential_avg_factor != 1:
            raise ArgumentTypeError("mean and variance are needed when not those of x are meant")
        known = [zeros((0,), factors[0].dtype)] * 2
    attrs = {
        "epsilon": float(epsilon),
        "exponential_avg_factor": float(exponential_avg_factor),
        "data_format": data_format,
        "is_training": bool(is_training),
    }
    outputs = _batch_norm(source, *factors, *known, name=name, **attrs)
    return outputs[0], outputs[1], outputs[2]


# LRN ----------------------------------------------------------------------------------------------


def _window_sum_kernel(x: Any, *, radius: int) -> Any:
    sums = np.zeros(np.shape(x), x.dtype)
    size = np.shape(x)[-1]
    for step in range(-min(radius, size), min(radius, size) + 1):
        sums[..., max(0, -step) : size - max(0, step)] += x[..., max(0, step) : size + min(0, step)]
    return sums


_window_sum = define(
    "ChannelWindowSum",
    kernel=_window_sum_kernel,
    shape=same_shape,
    kinds="f",
    attrs={"radius": 1},
    latex=r"\textstyle\sum_{\lvert k\rvert \le r} #1",
)


@RegisterGradient("ChannelWindowSum")
def _window_sum_gradient(op: Operation, grad: Tensor) -> Tensor:
    # Who is whose neighbour is symmetric, so the sum is its own adjoint.
    result: Tensor = _window_sum(grad, radius=op.attrs["radius"])
    return result


def _response_kernel(x: Any, *, depth_radius: int, bias: float, alpha: float, beta: float) -> Any:
    sums = _window_sum_kernel(np.square(x), radius=depth_radius)
    return (x * (bias + alpha * sums) ** -beta).astype(x.dtype)


def _four_axes(source: Dims, **_attrs: Any) -> Dims:
    if source is not None and len(source) != 4:
        raise ShapeError(f"the input must have 4 axes, it has shape {show(source)}")
    return source


_response = define(
    "LRN",
    kernel=_response_kernel,
    shape=_four_axes,
    kinds="f",
    attrs={"depth_radius": 5, "bias": 1.0, "alpha": 1.0, "beta": 0.5},
    latex=r"\frac{#1}{(b + \alpha \sum #1^2)^{\beta}}",
)


@RegisterGradient("LRN")
def _response_gradient(op: Operation, grad: Tensor) -> Tensor:
    """Return g s^-β - 2αβ x w(g x s^(-β-1)); s is the base and w sums over neighbours."""
    x, attrs = op.inputs[0], op.attrs
    neighbours = {"radius": attrs["depth_radius"]}
    base = add(multiply(_window_sum(multiply(x, x), **neighbours), attrs["alpha"]), attrs["bias"])
    direct = multiply(grad, power(base, -attrs["beta"]))
    spread = _window_sum(realdiv(multiply(direct, x), base), **neighbours)
    indirect = multiply(multiply(x, spread), 2 * attrs["alpha"] * attrs["beta"])
    result: Tensor = subtract(direct, indirect)
    return result


def local_response_normalization(
    input: Any,
    depth_radius: int = 5,
    bias: float = 1.0,
    alpha: float = 1.0,
    beta: float = 0.5,
    name: str | None = None,
) -> Tensor:
    """Divide by (bias + alpha s)^beta, s being the sum of squares over neighbouring channels.

    Args:
        input: `[batch, height, width, channels]`.
        depth_radius: how many channels on each side count.
        bias: see above.
        alpha: see above.
        beta: see above.
        name: of the operation.
    """
    attrs: Mapping[str, Any] = {
        "depth_radius": int(depth_radius),
        "bias": float(bias),
        "alpha": float(alpha),
        "beta": float(beta),
    }
    result: Tensor = _response(as_tensor(input), name=name, **attrs)
    return result


lrn = local_response_normalization
