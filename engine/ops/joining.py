"""Ops that put tensors together along an axis or take them apart."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from engine.convert import to_tensor
from engine.errors import ArgumentError, ShapeError
from engine.graph import get_default_graph
from engine.opdef import REQUIRED, define
from engine.ops.arguments import (
    as_tensor,
    as_tensors,
    holds_tensor,
    is_list,
    listed,
    static_int,
    static_ints,
)
from engine.ops.blocks import slice as slice_of
from engine.registry import RegisterGradient
from engine.shapes import Dims, merge, normalize_axis, show
from engine.tensor import Operation, Operators, Tensor


def _one_or_all(outputs: Sequence[Any]) -> Any:
    """Return a single output bare, as kernels and shape rules do."""
    return outputs[0] if len(outputs) == 1 else tuple(outputs)


# Pack and Unpack ----------------------------------------------------------------------------------


def _packed(*sources: Dims, axis: int) -> Dims:
    together: Dims = None
    for source in sources:
        together = merge(together, source)
    if together is None:
        return None
    place = normalize_axis(axis, len(together) + 1)
    return (*together[:place], len(sources), *together[place:])


_pack = define(
    "Pack",
    kernel=lambda *arrays, axis: np.stack(arrays, axis),
    shape=_packed,
    arity=None,
    attrs={"axis": 0},
    latex=r"\operatorname{stack}(#*)",
)


@RegisterGradient("Pack")
def _pack_gradient(op: Operation, grad: Tensor) -> list[Tensor]:
    return unstack(grad, len(op.inputs), op.attrs["axis"])


def stack(values: Any, axis: int = 0, name: str | None = None) -> Tensor:
    """Put tensors of one shape side by side along a new axis.

    Raises:
        ArgumentError: there are no tensors.
        ShapeError: their shapes differ.
    """
    place = static_int(axis, "axis")
    if isinstance(values, Operators):
        values = unstack(values)
    values = listed(values, "stack")
    if place == 0 and not holds_tensor(values):
        return to_tensor(values, get_default_graph(), name=name or "stack")
    result: Tensor = _pack(*as_tensors(values), axis=place, name=name or "stack")
    return result


def _unpacked(source: Dims, *, num: int, axis: int) -> Any:
    if source is None:
        return _one_or_all([None] * num)
    place = normalize_axis(axis, len(source))
    if source[place] not in (num, None):
        raise ShapeError(f"axis {axis} has size {source[place]}, not {num}")
    return _one_or_all([source[:place] + source[place + 1 :]] * num)


def _unpack_kernel(x: Any, *, num: int, axis: int) -> Any:
    if np.shape(x)[axis] != num:
        raise ValueError(f"axis {axis} has size {np.shape(x)[axis]}, not {num}")
    return _one_or_all(list(np.moveaxis(x, axis, 0)))


def _count_num(_inputs: int, attrs: Mapping[str, Any]) -> int:
    return int(attrs["num"])


_unpack = define(
    "Unpack",
    kernel=_unpack_kernel,
    shape=_unpacked,
    outputs=_count_num,
    attrs={"num": REQUIRED, "axis": 0},
    latex=r"\operatorname{unstack}(#1)",
)


@RegisterGradient("Unpack")
def _unpack_gradient(op: Operation, *grads: Tensor) -> Tensor:
    return stack(grads, op.attrs["axis"])


def unstack(
    value: Any, num: int | None = None, axis: int = 0, name: str | None = None
) -> list[Tensor]:
    """Take a tensor apart along an axis, which disappears.

    Raises:
        ArgumentError: the size of the axis is unknown and `num` not given.
    """
    tensor = as_tensor(value)
    place = static_int(axis, "axis")
    if num is None:
        count = None
        if tensor.dims is not None:
            count = tensor.dims[normalize_axis(place, len(tensor.dims))]
        if count is None:
            raise ArgumentError(
                f"cannot infer num from shape {show(tensor.dims)} of {tensor.name}; give unstack "
                "the number of outputs"
            )
    else:
        count = static_int(num, "num")
    return list(_unpack(tensor, num=count, axis=place, name=name or "unstack"))


# Concat -------------------------------------------------------------------------------------------


def _concatenated(*sources: Dims, axis: int) -> Dims:
    known = [source for source in sources if source is not None]
    if not known:
        return None
    place = normalize_axis(axis, len(known[0]))
    together: Dims = None
    for source in known:
        if len(source) != len(known[0]):
            raise ShapeError("all tensors must have the same rank")
        together = merge(together, (*source[:place], None, *source[place + 1 :]))
    assert together is not None
    sizes = [None if source is None else source[place] for source in sources]
    total = None if None in sizes else sum(sizes)  # type: ignore[arg-type]
    return (*together[:place], total, *together[place + 1 :])


_concat = define(
    "ConcatV2",
    kernel=lambda *arrays, axis: np.concatenate(arrays, axis),
    shape=_concatenated,
    arity=None,
    attrs={"axis": REQUIRED},
    latex=r"\operatorname{concat}(#*)",
)

_MOST_SLICES = 16
"""Up to so many parts, each gets a slice of the gradient of its own; more are split at once."""


@RegisterGradient("ConcatV2")
def _concat_gradient(op: Operation, grad: Tensor) -> list[Any]:
    if len(op.inputs) == 1:
        return [grad]
    axis = op.attrs["axis"]
    dims = next((tensor.dims for tensor in op.inputs if tensor.dims is not None), None)
    place = None if dims is None else normalize_axis(axis, len(dims))
    sizes = [None if x.dims is None or place is None else x.dims[place] for x in op.inputs]
    if dims is None or place is None or None in sizes:
        return list(_split_like(grad, *op.inputs, axis=axis))
    if len(sizes) > _MOST_SLICES:
        return split(grad, sizes, place)
    begins = np.cumsum([0, *sizes[:-1]])
    axes = np.arange(len(dims)) == place
    return [
        lambda begin=begin, size=size: slice_of(
            grad, np.where(axes, begin, 0).tolist(), np.where(axes, size, -1).tolist()
        )
        for begin, size in zip(begins, sizes, strict=True)
    ]


def concat(values: Any, axis: Any, name: str | None = None) -> Tensor:
    """Put tensors one after another along an axis.

    Raises:
        ArgumentError: there are no tensors.
        ShapeError: other axes differ.
    """
    parts = [values] if isinstance(values, Operators) else listed(values, "concat")
    place = static_int(axis, "axis")
    result: Tensor = _concat(*as_tensors(parts), axis=place, name=name or "concat")
    return result


def _split_like_kernel(whole: Any, *likes: Any, axis: int) -> Any:
    places = np.cumsum([np.shape(like)[axis] for like in likes])
    return _one_or_all(np.split(whole, places[:-1], axis))


_split_like = define(
    "SplitLike",
    kernel=_split_like_kernel,
    shape=lambda _whole, *likes, axis: _one_or_all(likes),
    match=(0,),
    arity=None,
    outputs=lambda inputs, _attrs: inputs - 1,
    attrs={"axis": REQUIRED},
    latex=r"\operatorname{split}(#1)",
)


@RegisterGradient("SplitLike")
def _split_like_gradient(op: Operation, *grads: Tensor) -> list[Any]:
    return [concat(grads, op.attrs["axis"]), *(None for _ in op.inputs[1:])]


# Split --------------------------------------------------------------------------------------------


def _split_evenly(source: Dims, *, num_split: int, axis: int) -> Any:
    if source is None:
        return _one_or_all([None] * num_split)
    place = normalize_axis(axis, len(source))
    size = source[place]
    if size is not None and size % num_split:
        raise ShapeError(f"size {size} of axis {axis} does not divide into {num_split} parts")
    part = None if size is None else size // num_split
    return _one_or_all([(*source[:place], part, *source[place + 1 :])] * num_split)


_split = define(
    "Split",
    kernel=lambda x, *, num_split, axis: _one_or_all(np.split(x, num_split, axis)),
    shape=_split_evenly,
    outputs=lambda _inputs, attrs: int(attrs["num_split"]),
    attrs={"num_split": REQUIRED, "axis": 0},
    name="split",
    latex=r"\operatorname{split}(#1)",
)


def _split_at(source: Dims, *, size_splits: tuple[int, ...], axis: int) -> Any:
    if source is None:
        return _one_or_all([None] * len(size_splits))
    place = normalize_axis(axis, len(source))
    size, total = source[place], sum(max(part, 0) for part in size_splits)
    free = -1 in size_splits
    if size is not None and (total > size if free else total != size):
        raise ShapeError(f"sizes {size_splits} do not add up to size {size} of axis {axis}")
    rest = None if size is None else size - total
    return _one_or_all(
        [
            (*source[:place], rest if part == -1 else part, *source[place + 1 :])
            for part in size_splits
        ]
    )


def _split_at_kernel(x: Any, *, size_splits: tuple[int, ...], axis: int) -> Any:
    rest = np.shape(x)[axis] - sum(max(part, 0) for part in size_splits)
    sizes = [rest if part == -1 else part for part in size_splits]
    if rest < 0 or sum(sizes) != np.shape(x)[axis]:
        raise ValueError(f"sizes {size_splits} do not add up to size {np.shape(x)[axis]}")
    return _one_or_all(np.split(x, np.cumsum(sizes)[:-1], axis))


_split_v = define(
    "SplitV",
    kernel=_split_at_kernel,
    shape=_split_at,
    outputs=lambda _inputs, attrs: len(attrs["size_splits"]),
    attrs={"size_splits": REQUIRED, "axis": 0},
    name="split",
    latex=r"\operatorname{split}(#1)",
)


@RegisterGradient("Split")
@RegisterGradient("SplitV")
def _split_gradient(op: Operation, *grads: Tensor) -> Tensor:
    return concat(grads, op.attrs["axis"])


def split(
    value: Any,
    num_or_size_splits: Any,
    axis: Any = 0,
    num: int | None = None,
    name: str | None = None,
) -> list[Tensor]:
    """Cut a tensor into parts along an axis.

    Args:
        value: a tensor.
        num_or_size_splits: the number of equal parts, or the size of each; one size may be -1.
        axis: the axis to cut.
        num: the number of sizes; accepted as in TensorFlow, the sizes themselves tell it.
        name: of the operation.

    Raises:
        ArgumentError: the sizes are known only at run time, or two of them are -1.
        ShapeError: the parts do not fill the axis.
    """
    place = static_int(axis, "axis")
    sizes = static_ints(num_or_size_splits, "num_or_size_splits")
    if not is_list(num_or_size_splits) and not _is_vector(num_or_size_splits):
        if sizes[0] < 1:
            raise ArgumentError(f"split makes at least one part (got {sizes[0]})")
        return list(_split(value, num_split=sizes[0], axis=place, name=name))
    if sizes.count(-1) > 1:
        raise ArgumentError(f"only one size may be -1 (got {sizes})")
    return list(_split_v(value, size_splits=sizes, axis=place, name=name))


def _is_vector(value: Any) -> bool:
    return isinstance(value, Operators) and value.as_tensor().dims != ()
