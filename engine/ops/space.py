"""Moving blocks of space into channels or into the batch, and back: pure rearrangements."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from engine.errors import ArgumentError, ShapeError
from engine.opdef import REQUIRED, define
from engine.ops.arguments import as_tensor, pairs_argument, static_int, static_ints
from engine.registry import RegisterGradient
from engine.shapes import Dims, show
from engine.tensor import Operation, Tensor

Pairs = tuple[tuple[int, int], ...]

# SpaceToDepth and DepthToSpace --------------------------------------------------------------------


def _divided(size: int | None, by: int, what: str) -> int | None:
    if size is not None and size % by:
        raise ShapeError(f"{what} {size} is no multiple of {by}")
    return None if size is None else size // by


def _times(size: int | None, by: int) -> int | None:
    return None if size is None else size * by


def _image(source: Dims, data_format: str) -> tuple[int | None, ...]:
    """Return batch, height, width and channels."""
    if source is None:
        return (None,) * 4
    if len(source) != 4:
        raise ShapeError(f"the input must have 4 axes, it has shape {show(source)}")
    batch, *rest = source
    return (batch, *rest) if data_format == "NHWC" else (batch, *rest[1:], rest[0])


def _formatted(
    batch: int | None,
    height: int | None,
    width: int | None,
    channels: int | None,
    data_format: str,
) -> Dims:
    if data_format == "NHWC":
        return (batch, height, width, channels)
    return (batch, channels, height, width)


def _deepened(source: Dims, *, block_size: int, data_format: str) -> Dims:
    batch, height, width, channels = _image(source, data_format)
    return _formatted(
        batch,
        _divided(height, block_size, "the height"),
        _divided(width, block_size, "the width"),
        _times(channels, block_size**2),
        data_format,
    )


def _flattened(source: Dims, *, block_size: int, data_format: str) -> Dims:
    batch, height, width, channels = _image(source, data_format)
    return _formatted(
        batch,
        _times(height, block_size),
        _times(width, block_size),
        _divided(channels, block_size**2, "the number of channels"),
        data_format,
    )


def _in_format(kernel: Callable[[Any, int], Any]) -> Callable[..., Any]:
    """Let a kernel for channels last serve both data formats."""

    def serve(x: Any, *, block_size: int, data_format: str) -> Any:
        if data_format == "NHWC":
            return kernel(x, block_size)
        return np.moveaxis(kernel(np.moveaxis(x, 1, -1), block_size), -1, 1)

    return serve


def _to_depth(x: Any, block: int) -> Any:
    batch, height, width, channels = x.shape
    parts = x.reshape(batch, height // block, block, width // block, block, channels)
    return parts.transpose(0, 1, 3, 2, 4, 5).reshape(
        batch, height // block, width // block, block * block * channels
    )


def _to_space(x: Any, block: int) -> Any:
    batch, height, width, channels = x.shape
    depth = channels // block**2
    parts = x.reshape(batch, height, width, block, block, depth)
    return parts.transpose(0, 1, 3, 2, 4, 5).reshape(batch, height * block, width * block, depth)


_BLOCK = {"block_size": REQUIRED, "data_format": "NHWC"}

_space_to_depth = define(
    "SpaceToDepth",
    kernel=_in_format(_to_depth),
    shape=_deepened,
    attrs=_BLOCK,
    latex=r"\operatorname{depth}(#1)",
)

_depth_to_space = define(
    "DepthToSpace",
    kernel=_in_format(_to_space),
    shape=_flattened,
    attrs=_BLOCK,
    latex=r"\operatorname{space}(#1)",
)


def _block_attrs(op: Operation) -> dict[str, Any]:
    return {key: op.attrs[key] for key in _BLOCK}


@RegisterGradient("SpaceToDepth")
def _space_to_depth_gradient(op: Operation, grad: Tensor) -> Tensor:
    result: Tensor = _depth_to_space(grad, **_block_attrs(op))
    return result


@RegisterGradient("DepthToSpace")
def _depth_to_space_gradient(op: Operation, grad: Tensor) -> Tensor:
    result: Tensor = _space_to_depth(grad, **_block_attrs(op))
    return result


def _checked_block(block_size: Any, data_format: Any) -> dict[str, Any]:
    block = static_int(block_size, "block_size")
    if block < 1:
        raise ArgumentError(f"block_size is 1 or more (got {block})")
    if data_format not in ("NHWC", "NCHW"):
        raise ArgumentError(f"data_format is 'NHWC' or 'NCHW' (got {data_format!r})")
    return {"block_size": block, "data_format": data_format}


def space_to_depth(
    input: Any, block_size: Any, data_format: str = "NHWC", name: str | None = None
) -> Tensor:
    """Move each block of pixels into the channels of one pixel.

    Args:
        input: `[batch, height, width, channels]`.
        block_size: b, the side of a block; divides height and width.
        data_format: "NHWC" or "NCHW".
        name: of the operation.

    Returns:
        `[batch, height / b, width / b, b * b * channels]`.
    """
    attrs = _checked_block(block_size, data_format)
    result: Tensor = _space_to_depth(as_tensor(input), name=name, **attrs)
    return result


def depth_to_space(
    input: Any, block_size: Any, data_format: str = "NHWC", name: str | None = None
) -> Tensor:
    """Undo `space_to_depth`: spread the channels of each pixel over a block of pixels."""
    attrs = _checked_block(block_size, data_format)
    result: Tensor = _depth_to_space(as_tensor(input), name=name, **attrs)
    return result


# SpaceToBatchND and BatchToSpaceND ----------------------------------------------------------------


def _check_blocks(source: Dims, block_shape: tuple[int, ...], pairs: Pairs) -> None:
    if len(pairs) != len(block_shape):
        raise ShapeError(f"{len(pairs)} pairs do not fit a block of {len(block_shape)} axes")
    if source is not None and len(source) <= len(block_shape):
        raise ShapeError(f"a block {block_shape} needs more axes than {show(source)} has")


def _batched(source: Dims, *, block_shape: tuple[int, ...], paddings: Pairs) -> Dims:
    _check_blocks(source, block_shape, paddings)
    if source is None:
        return None
    count = len(block_shape)
    space = [
        _divided(None if size is None else size + sum(pair), block, "the padded size")
        for size, pair, block in zip(source[1 : 1 + count], paddings, block_shape, strict=True)
    ]
    return (_times(source[0], int(np.prod(block_shape))), *space, *source[1 + count :])


def _unbatched(source: Dims, *, block_shape: tuple[int, ...], crops: Pairs) -> Dims:
    _check_blocks(source, block_shape, crops)
    if source is None:
        return None
    count = len(block_shape)
    sizes = source[1 : 1 + count]
    space = [
        None if size is None else size * block - sum(pair)
        for size, pair, block in zip(sizes, crops, block_shape, strict=True)
    ]
    if any(size is not None and size < 0 for size in space):
        raise ShapeError(f"crops {crops} remove more than there is")
    batch = _divided(source[0], int(np.prod(block_shape)), "the batch size")
    return (batch, *space, *source[1 + count :])


def _to_batch_kernel(x: Any, *, block_shape: tuple[int, ...], paddings: Pairs) -> Any:
    count = len(block_shape)
    rest = x.shape[1 + count :]
    x = np.pad(x, ((0, 0), *paddings, *((0, 0) for _ in rest)))
    sizes = [size // block for size, block in zip(x.shape[1:], block_shape, strict=False)]
    parts = [entry for pair in zip(sizes, block_shape, strict=True) for entry in pair]
    split = x.reshape(x.shape[0], *parts, *rest)
    blocks, cells = range(2, 2 * count + 1, 2), range(1, 2 * count, 2)
    moved = split.transpose(*blocks, 0, *cells, *range(2 * count + 1, split.ndim))
    return moved.reshape(int(np.prod(block_shape)) * x.shape[0], *sizes, *rest)


def _to_space_kernel(x: Any, *, block_shape: tuple[int, ...], crops: Pairs) -> Any:
    count = len(block_shape)
    sizes, rest = x.shape[1 : 1 + count], x.shape[1 + count :]
    batch = x.shape[0] // int(np.prod(block_shape))
    split = x.reshape(*block_shape, batch, *sizes, *rest)
    pairs = [axis for k in range(count) for axis in (count + 1 + k, k)]
    moved = split.transpose(count, *pairs, *range(2 * count + 1, split.ndim))
    whole = [size * block for size, block in zip(sizes, block_shape, strict=True)]
    joined = moved.reshape(batch, *whole, *rest)
    cut = [slice(before, size - after) for size, (before, after) in zip(whole, crops, strict=True)]
    return joined[(slice(None), *cut)]


_space_to_batch = define(
    "SpaceToBatchND",
    kernel=_to_batch_kernel,
    shape=_batched,
    attrs={"block_shape": REQUIRED, "paddings": REQUIRED},
    latex=r"\operatorname{batch}(#1)",
)

_batch_to_space = define(
    "BatchToSpaceND",
    kernel=_to_space_kernel,
    shape=_unbatched,
    attrs={"block_shape": REQUIRED, "crops": REQUIRED},
    latex=r"\operatorname{space}(#1)",
)


@RegisterGradient("SpaceToBatchND")
def _space_to_batch_gradient(op: Operation, grad: Tensor) -> Tensor:
    attrs = {"block_shape": op.attrs["block_shape"], "crops": op.attrs["paddings"]}
    result: Tensor = _batch_to_space(grad, **attrs)
    return result


@RegisterGradient("BatchToSpaceND")
def _batch_to_space_gradient(op: Operation, grad: Tensor) -> Tensor:
    attrs = {"block_shape": op.attrs["block_shape"], "paddings": op.attrs["crops"]}
    result: Tensor = _space_to_batch(grad, **attrs)
    return result


def _block_shape(value: Any, axes: int) -> tuple[int, ...]:
    given = static_ints(value, "block_shape")
    given = given * axes if len(given) == 1 else given
    if min(given, default=1) < 1:
        raise ArgumentError(f"block_shape holds numbers of 1 or more (got {value!r})")
    return given


def space_to_batch(input: Any, block_shape: Any, paddings: Any, name: str | None = None) -> Tensor:
    """Move the places inside each block of space into the batch, after padding.

    Args:
        input: `[batch, *space, *rest]`.
        block_shape: the size of a block along each axis of space.
        paddings: a pair (before, after) per axis of space.
        name: of the operation.

    Returns:
        `[batch * prod(block_shape), *padded space / block_shape, *rest]`.
    """
    pairs = pairs_argument(paddings, "paddings")
    attrs = {"block_shape": _block_shape(block_shape, len(pairs)), "paddings": pairs}
    result: Tensor = _space_to_batch(as_tensor(input), name=name, **attrs)
    return result


def batch_to_space(input: Any, block_shape: Any, crops: Any, name: str | None = None) -> Tensor:
    """Undo `space_to_batch`; crops are what the paddings were."""
    pairs = pairs_argument(crops, "crops")
    attrs = {"block_shape": _block_shape(block_shape, len(pairs)), "crops": pairs}
    result: Tensor = _batch_to_space(as_tensor(input), name=name, **attrs)
    return result


space_to_batch_nd = space_to_batch
batch_to_space_nd = batch_to_space
