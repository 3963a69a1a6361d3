"""The public functions that convolve, with TensorFlow's signatures.

Version 1's names of the arguments, `input`, `filter` and `rate`, are understood too.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import engine.ops.convolution  # noqa: F401 - it defines the ops
from engine.errors import ArgumentError, ArgumentTypeError
from engine.graph import create_op
from engine.ops.arguments import as_tensors, is_list, static_ints
from engine.ops.fill import zeros
from engine.ops.shape_ops import expand_dims, squeeze
from engine.tensor import Tensor


def per_axis(value: Any, space: int, layout: str, what: str) -> tuple[int, ...]:
    """Return one number per axis of the tensor from one for all, one per filtered axis, or all.

    Raises:
        ArgumentError: there are too many or too few.
    """
    given = (1,) if value is None else static_ints(value, what)
    if len(given) == space + 2:
        return given
    if len(given) == 1:
        given = given * space
    if len(given) != space:
        raise ArgumentError(
            f"{what} has 1, {space} or {space + 2} entries for the format {layout} (got {value!r})"
        )
    return (1, 1, *given) if layout.startswith("NC") else (1, *given, 1)


def padding_attrs(padding: Any, space: int, layout: str) -> dict[str, Any]:
    """Return the attributes that say how to pad.

    Raises:
        ArgumentError, ArgumentTypeError: it is neither "SAME", "VALID" nor one pair per axis.
    """
    if isinstance(padding, str):
        chosen = padding.upper()
        if chosen not in ("SAME", "VALID"):
            raise ArgumentError(
                f"padding is 'SAME' or 'VALID', or one pair per axis (got {padding!r})"
            )
        return {"padding": chosen}
    if not is_list(padding):
        raise ArgumentTypeError(
            f"padding is 'SAME' or 'VALID', or one pair per axis (got {padding!r})"
        )
    pairs = [static_ints(pair, "a padding") for pair in padding]
    if len(pairs) == space:
        pairs = [(0, 0), (0, 0), *pairs] if layout.startswith("NC") else [(0, 0), *pairs, (0, 0)]
    if len(pairs) != space + 2 or any(len(pair) != 2 or min(pair) < 0 for pair in pairs):
        raise ArgumentError(
            f"explicit padding is one pair of numbers, zero or more, per axis (got {padding!r})"
        )
    return {"padding": "EXPLICIT", "explicit_paddings": sum(pairs, ())}


_LAYOUTS = {2: ("NHWC", "NCHW"), 3: ("NDHWC", "NCDHW")}


def layout_of(data_format: Any, space: int, default: int = 0) -> str:
    """Return the data format; by default channels are last.

    Raises:
        ArgumentError: it is unknown.
    """
    layout = data_format or _LAYOUTS[space][default]
    if layout not in _LAYOUTS[space]:
        raise ArgumentError(
            f"data_format is {' or '.join(map(repr, _LAYOUTS[space]))} (got {data_format!r})"
        )
    return str(layout)


def _attrs(
    space: int, strides: Any, padding: Any, data_format: Any, dilations: Any
) -> dict[str, Any]:
    layout = layout_of(data_format, space)
    return {
        "strides": per_axis(strides, space, layout, "strides"),
        **padding_attrs(padding, space, layout),
        "data_format": layout,
        "dilations": per_axis(dilations, space, layout, "dilations"),
    }


def _given(first: Any, older: Any, name: str) -> Any:
    chosen = older if first is None else first
    if chosen is None:
        raise ArgumentTypeError(f"a convolution needs {name}")
    return chosen


def conv2d(
    input: Any,
    filters: Any = None,
    strides: Any = 1,
    padding: Any = "VALID",
    data_format: str | None = "NHWC",
    dilations: Any = None,
    name: str | None = None,
    filter: Any = None,
    use_cudnn_on_gpu: bool = True,
) -> Tensor:
    """Correlate images with filters.

    Args:
        input: `[batch, height, width, channels]`; `[batch, channels, height, width]` for "NCHW".
        filters: `[height, width, channels, results]`.
        strides: one number, one per direction, or one per axis.
        padding: "SAME", "VALID", or one pair (before, after) per axis.
        data_format: "NHWC" or "NCHW".
        dilations: steps between the entries of the filter, as strides.
        name: of the operation.
        filter: version 1's name of filters.
        use_cudnn_on_gpu: accepted as in TensorFlow, without effect.

    Raises:
        ArgumentError, ShapeError: the arguments do not fit together.
    """
    weights = _given(filters, filter, "filters")
    inputs = as_tensors([input, weights])
    attrs = _attrs(2, strides, padding, data_format, dilations)
    return create_op("Conv2D", inputs, attrs, name).outputs[0]


def conv3d(
    input: Any,
    filters: Any = None,
    strides: Any = 1,
    padding: Any = "VALID",
    data_format: str | None = "NDHWC",
    dilations: Any = None,
    name: str | None = None,
    filter: Any = None,
) -> Tensor:
    """Correlate volumes `[batch, depth, height, width, channels]` with filters; as `conv2d`."""
    weights = _given(filters, filter, "filters")
    inputs = as_tensors([input, weights])
    attrs = _attrs(3, strides, padding, data_format, dilations)
    return create_op("Conv3D", inputs, attrs, name).outputs[0]


def conv1d(
    input: Any = None,
    filters: Any = None,
    stride: Any = None,
    padding: Any = "VALID",
    data_format: str | None = "NWC",
    dilations: Any = None,
    name: str | None = None,
    value: Any = None,
) -> Tensor:
    """Correlate sequences with filters: a 2-D convolution over images of height 1.

    Args:
        input: `[batch, width, channels]`; `[batch, channels, width]` for "NCW".
        filters: `[width, channels, results]`.
        stride: steps between windows.
        padding: "SAME", "VALID", or one pair per axis.
        data_format: "NWC" or "NCW".
        dilations: steps between the entries of the filter.
        name: of the scope.
        value: version 1's name of input.
    """
    layout = data_format or "NWC"
    if layout not in ("NWC", "NHWC", "NCW", "NCHW"):
        raise ArgumentError(f"data_format is 'NWC' or 'NCW' (got {data_format!r})")
    last = layout in ("NWC", "NHWC")
    sequence, weights = as_tensors([_given(input, value, "an input"), filters])
    padded = padding if isinstance(padding, str) else _with_height(padding, last)
    axis = 1 if last else 2
    with sequence.graph.name_scope(name or "conv1d"):
        images = expand_dims(sequence, axis)
        result = conv2d(
            images,
            expand_dims(weights, 0),
            (1, only_number(stride, "stride")),
            padded,
            "NHWC" if last else "NCHW",
            (1, only_number(dilations, "dilations")),
        )
        return squeeze(result, [axis])


def _with_height(padding: Sequence[Any], last: bool) -> list[Any]:
    pairs = list(padding)
    place = 1 if last else 2
    return [*pairs[:place], (0, 0), *pairs[place:]] if len(pairs) == 3 else [(0, 0), *pairs]


def only_number(value: Any, what: str) -> int:
    """Return the one number that matters of a number, a list of 1 or [1, n, 1].

    Raises:
        ArgumentError: there are two of them.
    """
    given = (1,) if value is None else static_ints(value, what)
    if len(given) not in (1, 3):
        raise ArgumentError(f"{what} has 1 or 3 entries (got {value!r})")
    return max(given)


def convolution(
    input: Any,
    filters: Any = None,
    strides: Any = None,
    padding: Any = "VALID",
    data_format: str | None = None,
    dilations: Any = None,
    name: str | None = None,
    filter: Any = None,
    dilation_rate: Any = None,
) -> Tensor:
    """Convolve over one, two or three axes, as many as the filter has besides its channels."""
    first, weights = as_tensors([input, _given(filters, filter, "filters")])
    space = None if weights.shape.rank is None else weights.shape.rank - 2
    steps = dilations if dilations is not None else dilation_rate
    if space == 1:
        return conv1d(first, weights, strides, padding, data_format, steps, name or "convolution")
    if space == 2:
        return conv2d(first, weights, strides, padding, data_format, steps, name or "convolution")
    if space == 3:
        return conv3d(first, weights, strides, padding, data_format, steps, name or "convolution")
    raise ArgumentError(
        f"filters need a known rank of 3, 4 or 5 (got {weights.name} of shape {weights.shape})"
    )


def depthwise_conv2d(
    input: Any,
    filter: Any,
    strides: Any = 1,
    padding: Any = "VALID",
    data_format: str | None = None,
    dilations: Any = None,
    name: str | None = None,
    rate: Any = None,
) -> Tensor:
    """Correlate each channel with filters of its own.

    Args:
        input: `[batch, height, width, channels]`.
        filter: `[height, width, channels, results per channel]`.
        strides: as for `conv2d`.
        padding: likewise.
        data_format: likewise.
        dilations: likewise.
        name: of the operation.
        rate: version 1's name of dilations.

    Returns:
        `[batch, height, width, channels * results per channel]`.
    """
    attrs = _attrs(2, strides, padding, data_format, dilations if rate is None else rate)
    inputs = as_tensors([input, filter])
    return create_op("DepthwiseConv2dNative", inputs, attrs, name).outputs[0]


def separable_conv2d(
    input: Any,
    depthwise_filter: Any,
    pointwise_filter: Any,
    strides: Any = 1,
    padding: Any = "VALID",
    data_format: str | None = None,
    dilations: Any = None,
    name: str | None = None,
) -> Tensor:
    """Convolve each channel by itself, then mix the channels at each point.

    Args:
        input: `[batch, height, width, channels]`.
        depthwise_filter: `[height, width, channels, per channel]`.
        pointwise_filter: `[1, 1, channels * per channel, results]`.
        strides: as for `conv2d`.
        padding: likewise.
        data_format: likewise.
        dilations: likewise.
        name: of the scope.
    """
    first, depthwise, pointwise = as_tensors([input, depthwise_filter, pointwise_filter])
    with first.graph.name_scope(name or "separable_conv2d"):
        each = depthwise_conv2d(first, depthwise, strides, padding, data_format, dilations)
        return conv2d(each, pointwise, 1, "VALID", data_format)


def conv2d_transpose(
    input: Any = None,
    filters: Any = None,
    output_shape: Any = None,
    strides: Any = 1,
    padding: Any = "SAME",
    data_format: str | None = "NHWC",
    dilations: Any = None,
    name: str | None = None,
    value: Any = None,
    filter: Any = None,
) -> Tensor:
    """Do what the gradient of `conv2d` by its input does, as a forward operation.

    Args:
        input: `[batch, height, width, results]`, shaped as a result of `conv2d`.
        filters: `[height, width, channels, results]`.
        output_shape: the shape of the input that `conv2d` would have had.
        strides: as for `conv2d`.
        padding: likewise.
        data_format: likewise.
        dilations: likewise.
        name: of the scope.
        value: version 1's name of input.
        filter: version 1's name of filters.

    Raises:
        ArgumentTypeError: output_shape is missing.
    """
    if output_shape is None:
        raise ArgumentTypeError("conv2d_transpose needs output_shape, as several shapes would fit")
    given = [_given(input, value, "an input"), _given(filters, filter, "filters")]
    above, weights = as_tensors(given)
    attrs = _attrs(2, strides, padding, data_format, dilations)
    with above.graph.name_scope(name or "conv2d_transpose"):
        like = zeros(output_shape, above.dtype)
        if like.shape.is_fully_defined():
            attrs["input_sizes"] = like.dims
            return create_op("Conv2DBackpropInput", [weights, above], attrs).outputs[0]
        return create_op("Conv2DBackpropInput", [weights, above, like], attrs).outputs[0]
