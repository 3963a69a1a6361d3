"""Convolutions over one, two or three axes, and their gradients, which are ordinary ops too.

As in deep learning the filter is not mirrored: the result is the correlation of input and filter.
The three ops of a family, forward, by input and by filter, are the three ways to contract one
trilinear form, so each one's gradients are the other two.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from engine.errors import ShapeError
from engine.opdef import REQUIRED, define
from engine.ops.windows import Axis, Sliding, checked_padding, offsets, padded, reach, trimmed
from engine.registry import RegisterGradient
from engine.shapes import Dims, is_static, merge, show
from engine.tensor import Operation, Tensor


@dataclass(frozen=True)
class Family:
    """A forward op and the two ops of its gradient.

    Attributes:
        forward: op type of the convolution itself.
        by_input: op type of the gradient by the input.
        by_filter: op type of the gradient by the filter.
        rank: of the input: batch, channels, and the axes that the filter slides along.
        depthwise: whether every channel has filters of its own.
        layout: the default data format, channels last.
    """

    forward: str
    by_input: str
    by_filter: str
    rank: int
    depthwise: bool
    layout: str


_FAMILIES = (
    Family("Conv2D", "Conv2DBackpropInput", "Conv2DBackpropFilter", 4, False, "NHWC"),
    Family("Conv3D", "Conv3DBackpropInputV2", "Conv3DBackpropFilterV2", 5, False, "NDHWC"),
    Family(
        "DepthwiseConv2dNative",
        "DepthwiseConv2dNativeBackpropInput",
        "DepthwiseConv2dNativeBackpropFilter",
        4,
        True,
        "NHWC",
    ),
)
_CALLS = {name: f for f in _FAMILIES for name in (f.forward, f.by_input, f.by_filter)}


# Layout: whatever the data format, kernels see [batch, *space, channels] --------------------------


def _channels_last(entries: Sequence[Any], data_format: str) -> tuple[Any, ...]:
    if data_format.startswith("NC"):
        return (entries[0], *entries[2:], entries[1])
    return tuple(entries)


def _channels_back(entries: Sequence[Any], data_format: str) -> tuple[Any, ...]:
    if data_format.startswith("NC"):
        return (entries[0], entries[-1], *entries[1:-1])
    return tuple(entries)


def _to_last(x: Any, data_format: str) -> Any:
    return np.moveaxis(x, 1, -1) if data_format.startswith("NC") else x


def _to_format(x: Any, data_format: str) -> Any:
    return np.moveaxis(x, -1, 1) if data_format.startswith("NC") else x


def _sliding(filter_dims: Sequence[int | None], attrs: dict[str, Any]) -> Sliding:
    """Return how the filter slides over an input with its channels last."""
    layout = attrs["data_format"]
    rank = len(filter_dims)
    steps = {key: attrs[key] or (1,) * rank for key in ("strides", "dilations")}
    pairs = checked_padding(attrs["padding"], attrs["explicit_paddings"])
    for key, entries in steps.items():
        if len(entries) != rank or min(entries) < 1:
            raise ShapeError(f"{key} {entries} need one positive number per axis of {layout}")
        if {_channels_last(entries, layout)[k] for k in (0, -1)} != {1}:
            raise ShapeError(f"{key} {entries} must be 1 along batch and channels")
    if attrs["padding"] == "EXPLICIT" and len(pairs) != rank:
        raise ShapeError(f"explicit paddings need one pair per axis (got {pairs})")
    return Sliding(
        (1, *filter_dims[:-2], 1),
        _channels_last(steps["strides"], layout),
        attrs["padding"],
        _channels_last(pairs, layout) if pairs else (),
        _channels_last(steps["dilations"], layout),
    )


# Shapes -------------------------------------------------------------------------------------------


def _checked_rank(dims: Dims, rank: int, what: str) -> tuple[int | None, ...]:
    if dims is None:
        return (None,) * rank
    if len(dims) != rank:
        raise ShapeError(f"the {what} must have {rank} axes, it has shape {show(dims)}")
    return dims


def _forward_shape(family: Family) -> Callable[..., Dims]:
    def shape(source: Dims, filter_dims: Dims, **attrs: Any) -> Dims:
        layout = attrs["data_format"]
        kernel = _checked_rank(filter_dims, family.rank, "filter")
        image = _channels_last(_checked_rank(source, family.rank, "input"), layout)
        depth, channels = kernel[-2:]
        if image[-1] is not None and depth is not None and image[-1] != depth:
            raise ShapeError(
                f"the input has {image[-1]} channels and the filter is for {depth} of them"
            )
        if family.depthwise:
            depth = depth if image[-1] is None else image[-1]
            channels = None if depth is None or channels is None else depth * channels
        counts = _sliding(kernel, attrs).counts(image)
        return _channels_back((image[0], *counts[1:-1], channels), layout)

    return shape


def _gradient_shape(
    family: Family, size_name: str, infer: Callable[..., Dims]
) -> Callable[..., Dims]:
    """Return the shape rule of a gradient op: the sizes given, or those of one more input."""

    def shape(other: Dims, upstream: Dims, *like: Dims, **attrs: Any) -> Dims:
        wanted = attrs.pop(size_name)
        if like:
            return merge(like[0], (None,) * family.rank)
        if wanted is None:
            raise ShapeError(f"give {size_name}, or a tensor of that shape as third input")
        merge(infer(wanted, other, attrs), upstream)
        return tuple(wanted)

    return shape


# Kernels ------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Product:
    """How one cell of the filter meets the input: the three contractions of one product.

    Attributes:
        forward: (patch [..., c], cell) to [..., channels out].
        by_input: (upstream [..., channels out], cell) to [..., c].
        by_filter: (patch, upstream) to the shape of a cell.
    """

    forward: Callable[[Any, Any], Any]
    by_input: Callable[[Any, Any], Any]
    by_filter: Callable[[Any, Any], Any]


def _grouped(upstream: Any, channels: int) -> Any:
    """Return [..., c * m] as [..., c, m]: which of the results belong to which channel."""
    return upstream.reshape(*upstream.shape[:-1], channels, upstream.shape[-1] // max(channels, 1))


_DENSE = Product(
    forward=np.matmul,
    by_input=lambda upstream, cell: np.matmul(upstream, cell.T),
    by_filter=lambda patch, upstream: np.tensordot(
        patch, upstream, (range(patch.ndim - 1), range(patch.ndim - 1))
    ),
)
_DEPTHWISE = Product(
    forward=lambda patch, cell: (patch[..., None] * cell).reshape(
        *patch.shape[:-1], cell.shape[0] * cell.shape[1]
    ),
    by_input=lambda upstream, cell: (_grouped(upstream, len(cell)) * cell).sum(-1),
    by_filter=lambda patch, upstream: np.einsum(
        "nc,ncm->cm",
        patch.reshape(-1, patch.shape[-1]),
        _grouped(upstream.reshape(-1, upstream.shape[-1]), patch.shape[-1]),
    ),
)


def _wide(*arrays: Any) -> list[Any]:
    """Return half-precision arrays as float32, so that long sums keep their digits."""
    return [x.astype(np.float32) if x.dtype == np.float16 else x for x in arrays]


def _check_upstream(axes: Sequence[Axis], upstream: Any) -> None:
    expected = tuple(axis.count for axis in axes[:-1])
    if upstream.shape[:-1] != expected:
        raise ValueError(f"the upstream gradient has sizes {upstream.shape[:-1]}, not {expected}")


def _forward_kernel(product: Product, depthwise: bool) -> Callable[..., Any]:
    def kernel(x: Any, filters: Any, **attrs: Any) -> Any:
        image, weights = _wide(_to_last(x, attrs["data_format"]), filters)
        if image.shape[-1] != weights.shape[-2]:
            raise ValueError(
                f"the input has {image.shape[-1]} channels, the filter {weights.shape[-2]}"
            )
        axes = _sliding(filters.shape, attrs).axes(image.shape)
        channels = int(np.prod(weights.shape[-2:])) if depthwise else weights.shape[-1]
        result = np.zeros((*(axis.count for axis in axes[:-1]), channels), image.dtype)
        cells = padded(image, axes)
        for offset in offsets(axes):
            result += product.forward(cells[reach(axes, offset)], weights[offset[1:-1]])
        return _to_format(result, attrs["data_format"]).astype(x.dtype)

    return kernel


def _by_input_kernel(product: Product) -> Callable[..., Any]:
    def kernel(filters: Any, upstream: Any, *like: Any, input_sizes: Any, **attrs: Any) -> Any:
        layout = attrs["data_format"]
        sizes = np.shape(like[0]) if like else input_sizes
        weights, above = _wide(filters, _to_last(upstream, layout))
        axes = _sliding(filters.shape, attrs).axes(_channels_last(sizes, layout))
        _check_upstream(axes, above)
        whole = np.zeros([axis.padded_size for axis in axes], above.dtype)
        for offset in offsets(axes):
            whole[reach(axes, offset)] += product.by_input(above, weights[offset[1:-1]])
        return _to_format(trimmed(whole, axes), layout).astype(upstream.dtype)

    return kernel


def _by_filter_kernel(product: Product) -> Callable[..., Any]:
    def kernel(x: Any, upstream: Any, *like: Any, filter_sizes: Any, **attrs: Any) -> Any:
        layout = attrs["data_format"]
        sizes = np.shape(like[0]) if like else filter_sizes
        image, above = _wide(_to_last(x, layout), _to_last(upstream, layout))
        axes = _sliding(sizes, attrs).axes(image.shape)
        _check_upstream(axes, above)
        cells = padded(image, axes)
        result = np.zeros(sizes, above.dtype)
        for offset in offsets(axes):
            result[offset[1:-1]] = product.by_filter(cells[reach(axes, offset)], above)
        return result.astype(upstream.dtype)

    return kernel


# Definitions --------------------------------------------------------------------------------------


def _define_family(family: Family) -> None:
    product = _DEPTHWISE if family.depthwise else _DENSE
    attrs = {
        "strides": REQUIRED,
        "padding": REQUIRED,
        "explicit_paddings": (),
        "data_format": family.layout,
        "dilations": (),
    }
    forward_shape = _forward_shape(family)
    define(
        family.forward,
        kernel=_forward_kernel(product, family.depthwise),
        shape=forward_shape,
        kinds="fi",
        arity=2,
        attrs=attrs,
        name="depthwise" if family.depthwise else family.forward,
        latex=r"#1 \star #2",
    )
    define(
        family.by_input,
        kernel=_by_input_kernel(product),
        shape=_gradient_shape(
            family,
            "input_sizes",
            lambda wanted, filters, rest: forward_shape(wanted, filters, **rest),
        ),
        kinds="fi",
        match=(0, 1),
        arity=None,
        attrs={"input_sizes": None, **attrs},
        latex=r"#1 \ast #2",
    )
    define(
        family.by_filter,
        kernel=_by_filter_kernel(product),
        shape=_gradient_shape(
            family,
            "filter_sizes",
            lambda wanted, image, rest: forward_shape(image, wanted, **rest),
        ),
        kinds="fi",
        match=(0, 1),
        arity=None,
        attrs={"filter_sizes": None, **attrs},
        latex=r"#1 \star #2",
    )
    RegisterGradient(family.forward)(_forward_gradient)
    RegisterGradient(family.by_input)(_by_input_gradient)
    RegisterGradient(family.by_filter)(_by_filter_gradient)


def _attrs(op: Operation) -> dict[str, Any]:
    """Return the attributes that the three ops of a family share."""
    sizes = ("input_sizes", "filter_sizes")
    return {k: v for k, v in op.attrs.items() if k not in sizes and not k.startswith("_")}


def _forward(op: Operation, x: Tensor, filters: Tensor) -> Tensor:
    family = _CALLS[op.type]
    return op.graph.create_op(family.forward, [x, filters], _attrs(op)).outputs[0]


def _by_input(op: Operation, x: Tensor, filters: Tensor, upstream: Tensor) -> Tensor:
    """Return the gradient by x, of which the shape alone is looked at."""
    return _sized(op, _CALLS[op.type].by_input, "input_sizes", [filters, upstream], x)


def _by_filter(op: Operation, x: Tensor, filters: Tensor, upstream: Tensor) -> Tensor:
    """Return the gradient by the filter, of which the shape alone is looked at."""
    return _sized(op, _CALLS[op.type].by_filter, "filter_sizes", [x, upstream], filters)


def _sized(
    op: Operation, op_type: str, size_name: str, inputs: list[Tensor], like: Tensor
) -> Tensor:
    static = is_static(like.dims)
    attrs = {size_name: like.dims if static else None, **_attrs(op)}
    return op.graph.create_op(op_type, inputs if static else [*inputs, like], attrs).outputs[0]


def _forward_gradient(op: Operation, grad: Tensor) -> list[Any]:
    x, filters = op.inputs
    return [
        lambda: _by_input(op, x, filters, grad),
        lambda: _by_filter(op, x, filters, grad),
    ]


def _by_input_gradient(op: Operation, grad: Tensor) -> list[Any]:
    filters, upstream, *like = op.inputs
    return [
        lambda: _by_filter(op, grad, filters, upstream),
        lambda: _forward(op, grad, filters),
        *(None for _ in like),
    ]


def _by_filter_gradient(op: Operation, grad: Tensor) -> list[Any]:
    x, upstream, *like = op.inputs
    return [
        lambda: _by_input(op, x, grad, upstream),
        lambda: _forward(op, x, grad),
        *(None for _ in like),
    ]


for _family in _FAMILIES:
    _define_family(_family)
