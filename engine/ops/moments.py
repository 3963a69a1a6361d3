"""Mean and variance, and the normalisations that are composed of them."""

from __future__ import annotations

from typing import Any

from engine.errors import ArgumentError
from engine.ops.arguments import as_tensor, as_tensors, static_ints
from engine.ops.arithmetic import add, maximum, multiply, squared_difference, subtract
from engine.ops.cast import cast
from engine.ops.elementary import rsqrt
from engine.ops.reduction import mean_op, sum_op
from engine.ops.shape_ops import squeeze
from engine.tensor import Tensor


def moments(
    x: Any,
    axes: Any,
    shift: Any = None,
    keepdims: bool | None = None,
    name: str | None = None,
    keep_dims: bool | None = None,
) -> tuple[Tensor, Tensor]:
    """Return mean and variance along axes.

    The variance is differentiated through the mean as well. TensorFlow stops the gradient there:
    that changes no first derivative, but makes second ones wrong.

    Args:
        x: a floating tensor; half precision is computed in float32.
        axes: the axes to average along.
        shift: accepted as in TensorFlow, without effect.
        keepdims: whether averaged axes stay, with size 1.
        name: of the scope.
        keep_dims: version 1's name of keepdims.
    """
    tensor = as_tensor(x)
    along = static_ints(axes, "axes")
    with tensor.graph.name_scope(name or "moments"):
        wide = cast(tensor, "float32") if tensor.dtype.name == "float16" else tensor
        mean = mean_op(wide, axis=along, keepdims=True, name="mean")
        deviations = squared_difference(wide, mean)
        variance = mean_op(deviations, axis=along, keepdims=True, name="variance")
        if not (keepdims or keep_dims):
            mean, variance = squeeze(mean, along), squeeze(variance, along)
        return cast(mean, tensor.dtype), cast(variance, tensor.dtype)


def batch_normalization(
    x: Any,
    mean: Any,
    variance: Any,
    offset: Any,
    scale: Any,
    variance_epsilon: Any,
    name: str | None = None,
) -> Tensor:
    """Return scale (x - mean) / sqrt(variance + epsilon) + offset.

    Args:
        x: a tensor; everything else broadcasts against it.
        mean: what to subtract.
        variance: what to divide by, squared.
        offset: what to add, or None.
        scale: what to multiply by, or None.
        variance_epsilon: keeps the root away from 0.
        name: of the scope.
    """
    tensor, center, spread = as_tensors([x, mean, variance])
    with tensor.graph.name_scope(name or "batchnorm"):
        factor: Tensor = rsqrt(add(spread, variance_epsilon))
        if scale is not None:
            factor = multiply(factor, scale)
        shift = multiply(center, factor)
        scaled = multiply(tensor, factor)
        result: Tensor = (
            subtract(scaled, shift) if offset is None else add(scaled, subtract(offset, shift))
        )
        return result


def layer_norm(
    x: Any,
    gamma: Any = None,
    beta: Any = None,
    axis: Any = -1,
    epsilon: float = 1e-3,
    name: str | None = None,
) -> Tensor:
    """Normalise each example by its own mean and variance.

    Args:
        x: `[..., features]`.
        gamma: `[features]`, the new standard deviation; 1 when None.
        beta: `[features]`, the new mean; 0 when None.
        axis: the axes to normalise along.
        epsilon: keeps the root away from 0.
        name: of the scope.

    Source: J. L. Ba, J. R. Kiros and G. E. Hinton, "Layer normalization", 2016.
    """
    tensor = as_tensor(x)
    with tensor.graph.name_scope(name or "layer_norm"):
        mean, variance = moments(tensor, axis, keepdims=True)
        return batch_normalization(tensor, mean, variance, beta, gamma, epsilon)


def l2_normalize(
    x: Any, axis: Any = None, epsilon: float = 1e-12, name: str | None = None, dim: Any = None
) -> Tensor:
    """Divide by the length along axes, but never by less than sqrt(epsilon).

    Raises:
        ArgumentError: both axis and its older name dim are given.
    """
    if axis is not None and dim is not None:
        raise ArgumentError("axis and dim name the same argument; give only axis")
    chosen = dim if axis is None else axis
    tensor = as_tensor(x)
    along = None if chosen is None else static_ints(chosen, "axis")
    with tensor.graph.name_scope(name or "l2_normalize"):
        squares = sum_op(multiply(tensor, tensor), axis=along, keepdims=True)
        result: Tensor = multiply(tensor, rsqrt(maximum(squares, epsilon)))
        return result
