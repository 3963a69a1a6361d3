"""The public functions that pool, with TensorFlow's signatures."""

from __future__ import annotations

from typing import Any

import engine.ops.pooling  # noqa: F401 - it defines the ops
from engine.errors import ArgumentError, ArgumentTypeError
from engine.graph import create_op
from engine.ops.arguments import as_tensor
from engine.ops.convolve import layout_of, only_number, padding_attrs, per_axis
from engine.ops.shape_ops import expand_dims, squeeze
from engine.tensor import Tensor


def _pool(
    kind: str,
    space: int,
    value: Any,
    ksize: Any,
    strides: Any,
    padding: Any,
    layout: Any,
    name: Any,
) -> Tensor:
    chosen = layout_of(layout, space)
    attrs = {
        "ksize": per_axis(ksize, space, chosen, "ksize"),
        "strides": per_axis(strides, space, chosen, "strides"),
        **padding_attrs(padding, space, chosen),
        "data_format": chosen,
    }
    op_type = kind if space == 2 else f"{kind}3D"
    return create_op(op_type, [as_tensor(value)], attrs, name).outputs[0]


def _pool_1d(
    kind: str, value: Any, ksize: Any, strides: Any, padding: Any, layout: Any, name: str
) -> Tensor:
    """Pool sequences as images of height 1."""
    chosen = layout or "NWC"
    if chosen not in ("NWC", "NCW"):
        raise ArgumentError(f"data_format is 'NWC' or 'NCW' (got {layout!r})")
    axis = 1 if chosen == "NWC" else 2
    tensor = as_tensor(value)
    sizes = [only_number(entry, what) for entry, what in ((ksize, "ksize"), (strides, "strides"))]
    with tensor.graph.name_scope(name):
        images = expand_dims(tensor, axis)
        whole = "NHWC" if axis == 1 else "NCHW"
        pooled = _pool(kind, 2, images, (1, sizes[0]), (1, sizes[1]), padding, whole, None)
        return squeeze(pooled, [axis])


def max_pool2d(
    input: Any,
    ksize: Any,
    strides: Any,
    padding: Any,
    data_format: str | None = "NHWC",
    name: str | None = None,
) -> Tensor:
    """Return the largest entry of each window.

    Args:
        input: `[batch, height, width, channels]`; `[batch, channels, height, width]` for "NCHW".
        ksize: the size of the window: one number, one per direction, or one per axis.
        strides: steps between windows, likewise.
        padding: "SAME", "VALID", or one pair (before, after) per axis.
        data_format: "NHWC" or "NCHW".
        name: of the operation.
    """
    return _pool("MaxPool", 2, input, ksize, strides, padding, data_format, name)


def max_pool3d(
    input: Any,
    ksize: Any,
    strides: Any,
    padding: Any,
    data_format: str | None = "NDHWC",
    name: str | None = None,
) -> Tensor:
    """Return the largest entry of each window of a volume; arguments as `max_pool2d`."""
    return _pool("MaxPool", 3, input, ksize, strides, padding, data_format, name)


def max_pool1d(
    input: Any,
    ksize: Any,
    strides: Any,
    padding: Any,
    data_format: str | None = "NWC",
    name: str | None = None,
) -> Tensor:
    """Return the largest entry of each window of a sequence `[batch, width, channels]`."""
    return _pool_1d("MaxPool", input, ksize, strides, padding, data_format, name or "max_pool1d")


def avg_pool2d(
    input: Any,
    ksize: Any,
    strides: Any,
    padding: Any,
    data_format: str | None = "NHWC",
    name: str | None = None,
) -> Tensor:
    """Return the average of each window; padding does not count. Arguments as `max_pool2d`."""
    return _pool("AvgPool", 2, input, ksize, strides, padding, data_format, name)


def avg_pool3d(
    input: Any,
    ksize: Any,
    strides: Any,
    padding: Any,
    data_format: str | None = "NDHWC",
    name: str | None = None,
) -> Tensor:
    """Return the average of each window of a volume; arguments as `max_pool2d`."""
    return _pool("AvgPool", 3, input, ksize, strides, padding, data_format, name)


def avg_pool1d(
    input: Any,
    ksize: Any,
    strides: Any,
    padding: Any,
    data_format: str | None = "NWC",
    name: str | None = None,
) -> Tensor:
    """Return the average of each window of a sequence `[batch, width, channels]`."""
    return _pool_1d("AvgPool", input, ksize, strides, padding, data_format, name or "avg_pool1d")


_BY_RANK = {
    ("MAX", 3): max_pool1d,
    ("MAX", 4): max_pool2d,
    ("MAX", 5): max_pool3d,
    ("AVG", 3): avg_pool1d,
    ("AVG", 4): avg_pool2d,
    ("AVG", 5): avg_pool3d,
}


def _by_rank(
    kind: str, value: Any, ksize: Any, strides: Any, padding: Any, layout: Any, name: Any
) -> Tensor:
    if value is None:
        raise ArgumentTypeError("a pool needs an input")
    tensor = as_tensor(value)
    # The older functions pool images alone and may be given some of unknown rank.
    rank = 4 if tensor.shape.rank is None else tensor.shape.rank
    function = _BY_RANK.get((kind, rank))
    if function is None:
        raise ArgumentError(
            f"a pool takes a tensor with 3, 4 or 5 axes (got {tensor.name} of shape {tensor.shape})"
        )
    return function(tensor, ksize, strides, padding, layout, name)


def max_pool(
    input: Any = None,
    ksize: Any = 2,
    strides: Any = 2,
    padding: Any = "VALID",
    data_format: str | None = None,
    name: str | None = None,
    value: Any = None,
) -> Tensor:
    """Return the largest entry of each window, over one, two or three axes by the input's rank."""
    chosen = value if input is None else input
    return _by_rank("MAX", chosen, ksize, strides, padding, data_format, name)


def avg_pool(
    input: Any = None,
    ksize: Any = 2,
    strides: Any = 2,
    padding: Any = "VALID",
    data_format: str | None = None,
    name: str | None = None,
    value: Any = None,
) -> Tensor:
    """Return the average of each window, over one, two or three axes by the input's rank."""
    chosen = value if input is None else input
    return _by_rank("AVG", chosen, ksize, strides, padding, data_format, name)


def pool(
    input: Any,
    window_shape: Any,
    pooling_type: str,
    strides: Any = None,
    padding: Any = "VALID",
    data_format: str | None = None,
    name: str | None = None,
) -> Tensor:
    """Pool with windows of any shape; pooling_type is "MAX" or "AVG".

    Raises:
        ArgumentError: the pooling type is unknown.
    """
    kind = str(pooling_type).upper()
    if kind not in ("MAX", "AVG"):
        raise ArgumentError(f"pooling_type is 'MAX' or 'AVG' (got {pooling_type!r})")
    steps = 1 if strides is None else strides
    return _by_rank(kind, input, window_shape, steps, padding, data_format, name)
