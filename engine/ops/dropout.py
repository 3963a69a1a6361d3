"""Leaving out elements at random, or those that a given mask leaves out."""

from __future__ import annotations

from typing import Any

from engine.errors import ArgumentError, DTypeError
from engine.ops.arguments import as_tensor, as_tensors
from engine.ops.arithmetic import multiply
from engine.ops.cast import cast
from engine.ops.comparison import greater_equal, where
from engine.ops.core import random_uniform
from engine.ops.fill import zeros_like
from engine.shapes import as_dims
from engine.tensor import Tensor


def dropout(
    x: Any,
    rate: float | None = None,
    noise_shape: Any = None,
    seed: int | None = None,
    name: str | None = None,
    keep_prob: float | None = None,
    mask: Any = None,
) -> Tensor:
    """Set elements to zero at random and scale the others up, so that the mean stays.

    Args:
        x: a floating tensor.
        rate: the share to leave out, from 0 to below 1.
        noise_shape: the shape that is drawn, broadcast to x; an axis of size 1 is dropped as one.
        seed: decides what is left out.
        name: of the scope.
        keep_prob: version 1's way to say 1 - rate.
        mask: what to keep, true or 1, in place of drawing; scaled up by 1 / (1 - rate) if there is
            a rate.

    Raises:
        ArgumentError: there is no rate between 0 and 1, or the shape to draw is unknown.
        DTypeError: x is not of a floating type.
    """
    tensor = as_tensor(x)
    if not tensor.dtype.is_floating:
        raise DTypeError(f"dropout takes floating numbers (got {tensor.dtype.name}); cast first")
    left_out = _rate(rate, keep_prob, mask is not None)
    with tensor.graph.name_scope(name or "dropout"):
        if mask is not None:
            _, kept = as_tensors([tensor, mask])
            kept = cast(kept, "bool")
        elif left_out == 0:
            return tensor
        else:
            shape = _drawn_shape(tensor, noise_shape)
            drawn = random_uniform(shape, dtype=tensor.dtype, seed=seed)
            kept = greater_equal(drawn, left_out)
        scaled = tensor if left_out == 0 else multiply(tensor, 1 / (1 - left_out))
        return where(kept, scaled, zeros_like(scaled))


def _rate(rate: float | None, keep_prob: float | None, masked: bool) -> float:
    if rate is not None and keep_prob is not None:
        raise ArgumentError("rate and keep_prob say the same; give only rate")
    chosen = rate if keep_prob is None else 1 - keep_prob
    if chosen is None:
        if not masked:
            raise ArgumentError("dropout needs a rate, the share of elements to leave out")
        return 0.0
    if not isinstance(chosen, int | float) or not 0 <= chosen < 1:
        raise ArgumentError(f"the rate is a number from 0 to below 1 (got {chosen!r})")
    return float(chosen)


def _drawn_shape(tensor: Tensor, noise_shape: Any) -> Any:
    dims = tensor.dims if noise_shape is None else as_dims(noise_shape)
    if dims is not None and tensor.dims is not None and len(dims) == len(tensor.dims):
        pairs = zip(dims, tensor.dims, strict=True)
        dims = tuple(own if size is None else size for size, own in pairs)
    if dims is None or None in dims:
        raise ArgumentError(
            f"dropout draws one number per element and needs a known shape (got {tensor.name} of "
            f"shape {tensor.shape}); give noise_shape or a mask"
        )
    return dims
