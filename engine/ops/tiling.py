"""Repeating a tensor along its axes."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.errors import ShapeError
from engine.graph import create_op
from engine.opdef import define
from engine.ops.arguments import shape_argument
from engine.ops.shape_ops import reshape, runtime_shape
from engine.registry import RegisterGradient
from engine.shapes import Dims, is_static, show
from engine.tensor import Operation, Tensor


def _tiled(source: Dims, *runtime: Dims, multiples: Dims) -> Dims:
    times = runtime_shape(multiples, runtime)
    if source is None or times is None:
        return None if times is None else (None,) * len(times)
    if len(times) != len(source):
        raise ShapeError(f"multiples {times} need one entry per axis of {show(source)}")
    if any(count is not None and count < 0 for count in times):
        raise ShapeError(f"multiples cannot be negative (got {times})")
    return tuple(
        None if size is None or count is None else size * count
        for size, count in zip(source, times, strict=True)
    )


def _tile_kernel(x: Any, *runtime: Any, multiples: Any) -> Any:
    return np.tile(x, tuple(runtime[0].tolist()) if runtime else multiples)


_tile = define(
    "Tile",
    kernel=_tile_kernel,
    shape=_tiled,
    match=(0,),
    arity=None,
    attrs={"multiples": None},
    latex=r"\operatorname{tile}(#1)",
)


@RegisterGradient("Tile")
def _tile_gradient(op: Operation, grad: Tensor) -> list[Any]:
    source, times = op.inputs[0], op.attrs["multiples"]
    rest = [None for _ in op.inputs[1:]]
    if len(op.inputs) > 1 or not is_static(source.dims):
        runtime = op.inputs[1:]
        return [_tile_gradient_op(grad, source, *runtime, multiples=times), *rest]
    repeated = [axis for axis, count in enumerate(times) if count != 1]
    if not repeated:
        return [grad]
    assert source.dims is not None
    sizes: list[int | None] = []
    summed = []
    for count, size in zip(times, source.dims, strict=True):
        if count != 1:
            summed.append(len(sizes))
            sizes.append(count)
        sizes.append(size)
    return [create_op("Sum", [reshape(grad, sizes)], {"axis": summed}).outputs[0]]


def tile(input: Any, multiples: Any, name: str | None = None) -> Tensor:
    """Repeat a tensor along each axis, `multiples[k]` times along axis k.

    Raises:
        ShapeError: not one multiple per axis.
    """
    known, runtime = shape_argument(multiples)
    result: Tensor = _tile(input, *runtime, multiples=known, name=name)
    return result


def _tile_gradient_kernel(grad: Any, source: Any, *_runtime: Any, multiples: Any) -> Any:
    sizes = np.shape(source)
    if not np.size(source):
        return np.zeros(sizes, np.asarray(grad).dtype)
    pairs = [(total // size, size) for total, size in zip(np.shape(grad), sizes, strict=True)]
    interleaved = np.reshape(grad, [entry for pair in pairs for entry in pair])
    return np.sum(interleaved, tuple(np.arange(0, 2 * len(sizes), 2).tolist()))


_tile_gradient_op = define(
    "TileGrad",
    kernel=_tile_gradient_kernel,
    shape=lambda _grad, source, *_runtime, **_attrs: source,
    match=(0,),
    arity=None,
    attrs={"multiples": None},
    latex=r"\operatorname{sum\,of\,tiles}(#1)",
)


@RegisterGradient("TileGrad")
def _tile_gradient_gradient(op: Operation, grad: Tensor) -> list[Any]:
    again: Tensor = _tile(grad, *op.inputs[2:], multiples=op.attrs["multiples"])
    again.set_shape(op.inputs[0].dims)
    return [again, *(None for _ in op.inputs[1:])]
