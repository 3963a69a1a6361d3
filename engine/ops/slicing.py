"""Cutting out of a tensor with begins, ends and strides, and Python's indexing.

Begins and ends are attributes; where one is known only at run time the attribute holds None and
the operation has a scalar input for it, in the order in which they occur.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np

from engine.errors import ArgumentError, ArgumentTypeError, ShapeError
from engine.opdef import REQUIRED, define
from engine.ops.arguments import as_tensor, is_list, known_value, static_int, static_ints
from engine.registry import RegisterGradient
from engine.shapes import Dims, is_static, merge, show
from engine.tensor import Operation, Operators, Tensor

Entries: TypeAlias = tuple[int | None, ...]

_ATTRS = (
    "begin",
    "end",
    "strides",
    "begin_mask",
    "end_mask",
    "ellipsis_mask",
    "new_axis_mask",
    "shrink_axis_mask",
)


def filled_in(scalars: Sequence[Any], *lists: Entries) -> list[tuple[int, ...]]:
    """Put run-time scalars where the entries of the lists are None."""
    rest = iter(scalars)
    return [
        tuple(int(next(rest)) if entry is None else entry for entry in entries) for entries in lists
    ]


def runtime_entries(values: Any, what: str) -> tuple[Entries, list[Tensor]]:
    """Read begins, ends or sizes: what is known of them, and tensors for the rest."""
    if isinstance(values, Operators):
        tensor = values.as_tensor()
        known = known_value(tensor)
        if not isinstance(known, tuple):
            raise ArgumentError(f"{what} is a vector of known length (got {tensor.name})")
        return known, [tensor[place] for place, entry in enumerate(known) if entry is None]
    found = [_entry(value, what) for value in (values if is_list(values) else [values])]
    return tuple(entry for entry, _ in found), [t for _, t in found if t is not None]


def _entry(value: Any, what: str) -> tuple[int | None, Tensor | None]:
    if not isinstance(value, Operators):
        return static_ints(value, what)[0], None
    tensor = value.as_tensor()
    if tensor.dims not in ((), None) or not tensor.dtype.is_integer:
        raise ArgumentTypeError(
            f"{what} is a whole number (got {tensor.name} {tensor.dtype.name} {show(tensor.dims)})"
        )
    known = known_value(tensor)
    return (known, None) if isinstance(known, int) else (None, tensor)


def index_key(attrs: Mapping[str, Any], scalars: Sequence[Any] = ()) -> tuple[Any, ...]:
    """Return the NumPy index that a StridedSlice with these attributes applies."""
    begin, end = filled_in(scalars, attrs["begin"], attrs["end"])
    key: list[Any] = []
    for place, (start, stop, step) in enumerate(zip(begin, end, attrs["strides"], strict=True)):
        if _bit(attrs, "ellipsis_mask", place):
            key.append(Ellipsis)
        elif _bit(attrs, "new_axis_mask", place):
            key.append(None)
        elif _bit(attrs, "shrink_axis_mask", place):
            key.append(start)
        else:
            first = None if _bit(attrs, "begin_mask", place) else start
            last = None if _bit(attrs, "end_mask", place) else stop
            key.append(slice(first, last, step))
    return tuple(key)


def _bit(attrs: Mapping[str, Any], mask: str, place: int) -> bool:
    return bool(attrs[mask] >> place & 1)


def _strided(source: Dims, *_scalars: Dims, **attrs: Any) -> Dims:
    if source is None:
        return None
    unknown = [
        None in (begin, end) for begin, end in zip(attrs["begin"], attrs["end"], strict=True)
    ]
    zeros = [0] * (attrs["begin"].count(None) + attrs["end"].count(None))
    key = index_key(attrs, zeros)
    taken = sum(entry is not None and entry is not Ellipsis for entry in key)
    if taken > len(source):
        raise ShapeError(f"too many indices ({taken}) for a tensor of shape {show(source)}")
    if Ellipsis not in key:
        key = (*key, Ellipsis)
        unknown.append(False)
    result: list[int | None] = []
    rest = iter(source)
    for entry, runtime in zip(key, unknown, strict=True):
        if entry is None:
            result.append(1)
        elif entry is Ellipsis:
            result.extend(next(rest) for _ in range(len(source) - taken))
        elif isinstance(entry, slice):
            result.append(_strided_size(next(rest), entry, runtime))
        else:
            _check_index(entry, next(rest), runtime)
    return tuple(result)


def _strided_size(size: int | None, entry: Any, runtime: bool) -> int | None:
    return None if size is None or runtime else len(range(*entry.indices(size)))


def _check_index(index: int, size: int | None, runtime: bool) -> None:
    if not runtime and size is not None and not -size <= index < size:
        raise ShapeError(f"index {index} is out of range for an axis of size {size}")


def _strided_kernel(x: Any, *scalars: Any, **attrs: Any) -> Any:
    try:
        return np.asarray(x)[index_key(attrs, scalars)]
    except IndexError as error:
        raise ValueError(str(error)) from None


_MASKS = dict.fromkeys(_ATTRS[3:], 0)

_strided_slice = define(
    "StridedSlice",
    kernel=_strided_kernel,
    shape=_strided,
    match=(0,),
    arity=None,
    attrs={"begin": REQUIRED, "end": REQUIRED, "strides": REQUIRED, **_MASKS},
    name="strided_slice",
    latex=r"#1[\,\cdot\,]",
)


@RegisterGradient("StridedSlice")
def _strided_gradient(op: Operation, grad: Tensor) -> list[Any]:
    source, scalars = op.inputs[0], op.inputs[1:]
    attrs = {key: op.attrs[key] for key in _ATTRS}
    likes = () if is_static(source.dims) else (source,)
    shape = source.dims if is_static(source.dims) else None
    whole = _strided_gradient_op(grad, *likes, *scalars, shape=shape, **attrs)
    return [whole, *(None for _ in scalars)]


def _strided_gradient_kernel(grad: Any, *rest: Any, shape: Any, **attrs: Any) -> Any:
    scalars = rest if shape is not None else rest[1:]
    whole = np.zeros(np.shape(rest[0]) if shape is None else shape, np.asarray(grad).dtype)
    whole[index_key(attrs, scalars)] = grad
    return whole


def _strided_gradient_shape(_grad: Dims, *rest: Dims, shape: Dims, **_attrs: Any) -> Dims:
    return merge(shape, rest[0]) if shape is None else shape


_strided_gradient_op = define(
    "StridedSliceGrad",
    kernel=_strided_gradient_kernel,
    shape=_strided_gradient_shape,
    match=(0,),
    arity=None,
    attrs={"shape": None, "begin": REQUIRED, "end": REQUIRED, "strides": REQUIRED, **_MASKS},
    latex=r"\operatorname{place}(#1)",
)


@RegisterGradient("StridedSliceGrad")
def _strided_gradient_gradient(op: Operation, grad: Tensor) -> list[Any]:
    attrs = {key: op.attrs[key] for key in _ATTRS}
    scalars = op.inputs[1:] if op.attrs["shape"] is not None else op.inputs[2:]
    taken: Tensor = _strided_slice(grad, *scalars, **attrs)
    taken.set_shape(op.inputs[0].dims)
    return [taken, *(None for _ in op.inputs[1:])]


def strided_slice(
    input_: Any,
    begin: Any,
    end: Any,
    strides: Any = None,
    begin_mask: int = 0,
    end_mask: int = 0,
    ellipsis_mask: int = 0,
    new_axis_mask: int = 0,
    shrink_axis_mask: int = 0,
    name: str | None = None,
) -> Tensor:
    """Return every `strides[k]`-th element of axis k from `begin[k]` up to `end[k]`.

    Bit k of a mask changes entry k: begin_mask and end_mask take everything on that side,
    ellipsis_mask stands for all axes that are not named, new_axis_mask inserts an axis,
    shrink_axis_mask takes one element and drops the axis.

    Raises:
        ArgumentError: a stride is zero, or the lists differ in length.
        ShapeError: more entries than axes, or an index out of range.
    """
    starts, first = runtime_entries(begin, "begin")
    stops, second = runtime_entries(end, "end")
    steps = (1,) * len(starts) if strides is None else static_ints(strides, "a stride")
    if not len(starts) == len(stops) == len(steps):
        raise ArgumentError(f"begin, end and strides differ in length ({starts}, {stops}, {steps})")
    if 0 in steps:
        raise ArgumentError(f"a stride cannot be 0 (got {steps})")
    result: Tensor = _strided_slice(
        as_tensor(input_),
        *first,
        *second,
        begin=starts,
        end=stops,
        strides=steps,
        begin_mask=begin_mask,
        end_mask=end_mask,
        ellipsis_mask=ellipsis_mask,
        new_axis_mask=new_axis_mask,
        shrink_axis_mask=shrink_axis_mask,
        name=name,
    )
    return result


# Python's indexing --------------------------------------------------------------------------------


def getitem(tensor: Tensor, key: Any) -> Tensor:
    """Return `tensor[key]` for whole numbers, slices, `...` and None, or a tuple of them.

    Raises:
        ArgumentTypeError: the key holds something else, for example a mask or a list of indices.
        ShapeError: it names more axes than there are, or an index is out of range.
    """
    entries = key if isinstance(key, tuple) else (key,)
    if sum(entry is Ellipsis for entry in entries) > 1:
        raise ArgumentError("an index can hold only one ellipsis (...)")
    begin: list[Any] = []
    end: list[Any] = []
    strides: list[int] = []
    masks: dict[str, Any] = dict.fromkeys(_MASKS, 0)
    for place, entry in enumerate(entries):
        bit = 1 << place
        if isinstance(entry, slice):
            begin.append(_bound(entry.start, masks, "begin_mask", bit))
            end.append(_bound(entry.stop, masks, "end_mask", bit))
            strides.append(1 if entry.step is None else static_int(entry.step, "a stride"))
            continue
        strides.append(1)
        if entry is Ellipsis or entry is None:
            masks["ellipsis_mask" if entry is Ellipsis else "new_axis_mask"] |= bit
            begin.append(0)
            end.append(0)
        else:
            masks["shrink_axis_mask"] |= bit
            begin.append(_index(entry))
            # Nothing reads the end of a single index; TensorFlow has the next index there.
            end.append(0 if isinstance(begin[-1], Operators) else begin[-1] + 1)
    return strided_slice(tensor, begin, end, strides, **masks)


def _bound(value: Any, masks: dict[str, Any], mask: str, bit: int) -> Any:
    if value is None:
        masks[mask] |= bit
        return 0
    return _index(value)


def _index(entry: Any) -> Any:
    """Check that an entry is one whole number, here or at run time."""
    if isinstance(entry, Operators):
        tensor = entry.as_tensor()
        if tensor.dtype.is_integer and tensor.dims in ((), None):
            return tensor
    elif (
        not isinstance(entry, bool | np.bool_)
        and hasattr(entry, "__index__")
        and np.ndim(entry) == 0
    ):
        return int(entry.__index__())
    shown = entry.as_tensor().name if isinstance(entry, Operators) else repr(entry)
    raise ArgumentTypeError(
        "a tensor is indexed by whole numbers, slices, ... and None; use tf.gather for a list of "
        f"indices and tf.where for a mask (got {shown})"
    )
