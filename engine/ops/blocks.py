"""Cutting a rectangular block out of a tensor, as `tf.slice` does."""

from __future__ import annotations

import builtins
from collections.abc import Sequence
from typing import Any

import numpy as np

from engine.errors import ShapeError
from engine.opdef import REQUIRED, define
from engine.ops.slicing import Entries, filled_in, runtime_entries
from engine.registry import RegisterGradient
from engine.shapes import Dims, is_static, show
from engine.tensor import Operation, Tensor


def _sliced(source: Dims, *_scalars: Dims, begin: Entries, size: Entries) -> Dims:
    if source is None:
        return tuple(None if entry == -1 else entry for entry in size)
    if not len(begin) == len(size) == len(source):
        raise ShapeError(f"begin {begin} and size {size} need one entry per axis of {show(source)}")
    return tuple(map(_sliced_size, source, begin, size))


def _sliced_size(total: int | None, begin: int | None, size: int | None) -> int | None:
    if begin is not None and begin < 0:
        raise ShapeError(f"begin {begin} is negative")
    if size is not None and size < -1:
        raise ShapeError(f"size {size} is negative")
    if size == -1:
        if total is None or begin is None:
            return None
        size = total - begin
    room = None if total is None or begin is None else total - begin
    if room is not None and size is not None and not 0 <= size <= room:
        raise ShapeError(f"begin {begin} and size {size} leave an axis of size {total}")
    return size


def _block(shape: Sequence[int], scalars: Sequence[Any], begin: Entries, size: Entries) -> Any:
    starts, sizes = filled_in(scalars, begin, size)
    stops = [
        total if count == -1 else start + count
        for total, start, count in zip(shape, starts, sizes, strict=True)
    ]
    for total, start, stop in zip(shape, starts, stops, strict=True):
        if not 0 <= start <= stop <= total:
            raise ValueError(f"begin {starts} and size {sizes} leave the shape {tuple(shape)}")
    return tuple(map(builtins.slice, starts, stops))


def _slice_kernel(x: Any, *scalars: Any, begin: Entries, size: Entries) -> Any:
    return np.asarray(x)[_block(np.shape(x), scalars, begin, size)]


_slice = define(
    "Slice",
    kernel=_slice_kernel,
    shape=_sliced,
    match=(0,),
    arity=None,
    attrs={"begin": REQUIRED, "size": REQUIRED},
    latex=r"\operatorname{slice}(#1)",
)


@RegisterGradient("Slice")
def _slice_gradient(op: Operation, grad: Tensor) -> list[Any]:
    source, begin, scalars = op.inputs[0], op.attrs["begin"], op.inputs[1:]
    rest = [None for _ in scalars]
    taken = op.outputs[0].dims
    if scalars or not is_static(source.dims) or not is_static(taken):
        attrs = {key: op.attrs[key] for key in ("begin", "size")}
        return [_slice_gradient_op(grad, source, *scalars, **attrs), *rest]
    from engine.ops.padding import pad  # padding is undone by slicing

    assert source.dims is not None
    assert taken is not None
    paddings = [
        (start, total - start - count)
        for total, start, count in zip(source.dims, begin, taken, strict=True)
    ]
    return [pad(grad, paddings)]


def slice(input_: Any, begin: Any, size: Any, name: str | None = None) -> Tensor:
    """Return the block that starts at `begin` and has shape `size`; -1 means up to the end.

    Raises:
        ShapeError: the block leaves the tensor.
    """
    starts, first = runtime_entries(begin, "begin")
    sizes, second = runtime_entries(size, "size")
    result: Tensor = _slice(input_, *first, *second, begin=starts, size=sizes, name=name)
    return result


def _slice_gradient_kernel(grad: Any, like: Any, *scalars: Any, begin: Any, size: Any) -> Any:
    whole = np.zeros(np.shape(like), np.asarray(grad).dtype)
    whole[_block(whole.shape, scalars, begin, size)] = grad
    return whole


_slice_gradient_op = define(
    "SliceGrad",
    kernel=_slice_gradient_kernel,
    shape=lambda _grad, like, *_scalars, **_attrs: like,
    match=(0,),
    arity=None,
    attrs={"begin": REQUIRED, "size": REQUIRED},
    latex=r"\operatorname{pad}(#1)",
)


@RegisterGradient("SliceGrad")
def _slice_gradient_gradient(op: Operation, grad: Tensor) -> list[Any]:
    attrs = {key: op.attrs[key] for key in ("begin", "size")}
    taken: Tensor = _slice(grad, *op.inputs[2:], **attrs)
    taken.set_shape(op.inputs[0].dims)
    return [taken, *(None for _ in op.inputs[1:])]
