"""How the arguments of op functions are read: values become tensors, structure becomes numbers.

TensorFlow passes axes, shapes and paddings as tensors; here they are attributes whenever their
value is known while the graph is built, also when it is computed from static shapes
(`tf.shape(x)[1]`). Only what is known at run time alone stays an input.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from engine.convert import to_array, to_tensor
from engine.dtypes import DType, as_dtype
from engine.errors import ArgumentError, ArgumentTypeError
from engine.graph import graph_of
from engine.shapes import Dims, TensorShape, element_count
from engine.tensor import Operators, Tensor

_FOLD_DEPTH = 24
"""How far back a shape computation is followed."""


def as_tensor(value: Any, dtype: Any = None, hint: DType | None = None) -> Tensor:
    """Return the tensor of one value, in the graph of the tensors it holds."""
    wanted = None if dtype is None else as_dtype(dtype)
    return to_tensor(value, graph_of([value]), wanted, hint)


def as_tensors(values: Sequence[Any], dtype: Any = None) -> tuple[Tensor, ...]:
    """Return tensors of one graph; plain values take the element type of the first tensor.

    Raises:
        DTypeError: a value cannot have that type.
    """
    graph = graph_of(list(values))
    wanted = None if dtype is None else as_dtype(dtype)
    hint = next((v.as_tensor().dtype for v in values if isinstance(v, Operators)), None)
    return tuple(to_tensor(value, graph, wanted, hint) for value in values)


def holds_tensor(value: Any) -> bool:
    """Whether the value is a tensor or variable, or a list that holds one at any depth."""
    if isinstance(value, list | tuple):
        return any(holds_tensor(entry) for entry in value)
    return isinstance(value, Operators)


def is_list(value: Any) -> bool:
    """Whether the value has entries; a tensor among them is not evaluated to find out."""
    if isinstance(value, np.ndarray):
        return value.ndim > 0
    return isinstance(value, list | tuple | range | TensorShape)


def listed(values: Any, function: str) -> list[Any]:
    """Return the entries of a list of tensors.

    Raises:
        ArgumentTypeError: it is no list.
        ArgumentError: it is empty.
    """
    if not is_list(values):
        raise ArgumentTypeError(f"{function} takes a list of tensors (got {values!r})")
    if not len(values):
        raise ArgumentError(f"{function} needs at least one tensor")
    return list(values)


def shape_argument(value: Any) -> tuple[Dims, list[Tensor]]:
    """Read a shape that may depend on run-time sizes.

    Args:
        value: a size, list of sizes, TensorShape, or integer tensor; a list may hold tensors.

    Returns:
        What is known of it, and the tensor that has the rest: an empty list when all is known.
        A known -1 stays -1.

    Raises:
        ArgumentTypeError: it is not a shape.
    """
    if holds_tensor(value):
        return _runtime_shape(value)
    if isinstance(value, TensorShape):
        if not value.is_fully_defined():
            raise ArgumentError(
                f"the shape {value} has sizes that are known only at run time; "
                "use tf.shape(x) instead of x.shape"
            )
        return value.dims, []
    array = to_array(value, hint=as_dtype("int32"))
    if array.ndim > 1 or (array.size and array.dtype.kind not in "iu"):
        raise ArgumentTypeError(f"a shape is a list of whole numbers (got {value!r})")
    return tuple(int(size) for size in np.atleast_1d(array)), []


def _runtime_shape(value: Any) -> tuple[Dims, list[Tensor]]:
    if isinstance(value, list | tuple):
        entries: Dims = tuple(_known_size(entry) for entry in value)
    else:
        tensor = value.as_tensor()
        _check_integer(tensor)
        known = known_value(tensor)
        if isinstance(known, int) or tensor.dims == ():
            raise ArgumentError(f"a shape is a vector (got the scalar {tensor.name})")
        entries = known
    if entries is not None and None not in entries:
        return entries, []
    packed = as_tensor(value, hint=as_dtype("int32"))
    _check_integer(packed)
    return entries, [packed]


def _known_size(entry: Any) -> int | None:
    if not isinstance(entry, Operators):
        return static_int(entry, "a size")
    known = known_value(entry.as_tensor())
    return known if isinstance(known, int) else None


def _check_integer(tensor: Tensor) -> None:
    if not tensor.dtype.is_integer:
        raise ArgumentTypeError(
            f"a shape holds whole numbers; {tensor.name} is {tensor.dtype.name}, cast it first"
        )


def static_int(value: Any, what: str) -> int:
    """Return a number that must be known while the graph is built.

    Raises:
        ArgumentError: it is known only at run time.
        ArgumentTypeError: it is not one whole number.
    """
    if isinstance(value, Operators):
        known = known_value(value.as_tensor())
        if not isinstance(known, int):
            raise ArgumentError(
                f"{what} must be known while the graph is built (got {value.as_tensor().name}, "
                "known only at run time); give a Python number"
            )
        return known
    try:
        return int(value.__index__())
    except (AttributeError, TypeError):
        raise ArgumentTypeError(f"{what} is a whole number (got {value!r})") from None


def static_ints(value: Any, what: str) -> tuple[int, ...]:
    """Return numbers that must be known while the graph is built; a single one counts as a list.

    Raises:
        ArgumentError, ArgumentTypeError: as `static_int`.
    """
    if isinstance(value, Operators):
        known = known_value(value.as_tensor())
        value = known if isinstance(known, tuple) and None not in known else [value]
    if is_list(value):
        return tuple(static_int(entry, what) for entry in value)
    return (static_int(value, what),)


def pairs_argument(value: Any, what: str) -> tuple[tuple[int, int], ...]:
    """Return pairs (before, after), one per axis, that must be known while the graph is built.

    Raises:
        ArgumentTypeError: it is no list of pairs.
        ArgumentError: an entry is no pair, is negative, or is known only at run time.
    """
    if holds_tensor(value) and not isinstance(value, list | tuple):
        known = value.as_tensor().op.attrs.get("value")
        value = [value] if known is None else known
    if not is_list(value):
        raise ArgumentTypeError(f"{what} are a list of pairs, one per axis (got {value!r})")
    pairs = tuple(static_ints(pair, f"an entry of {what}") for pair in value)
    if any(len(pair) != 2 or min(pair) < 0 for pair in pairs):
        raise ArgumentError(
            f"{what} hold a pair of numbers (before, after), zero or more, per axis (got {pairs})"
        )
    return pairs  # type: ignore[return-value]


def known_value(tensor: Tensor, depth: int = _FOLD_DEPTH) -> Any:
    """Return what static shapes and constants tell about an integer scalar or vector.

    Returns:
        A number, a tuple of numbers and None (run-time entries), or None.
    """
    if depth == 0 or not tensor.dtype.is_integer:
        return None
    fold = _FOLDS.get(tensor.op.type)
    known = None if fold is None else fold(tensor, depth - 1)
    if known is None and tensor.dims is not None and len(tensor.dims) == 1:
        size = tensor.dims[0]
        return None if size is None else (None,) * size
    return known


def _fold_const(tensor: Tensor, _depth: int) -> Any:
    value = tensor.op.attrs["value"]
    if np.ndim(value) > 1:
        return None
    return tuple(value.tolist()) if np.ndim(value) else int(value)


def _fold_pack(tensor: Tensor, depth: int) -> Any:
    if tensor.dims is None or len(tensor.dims) != 1:
        return None
    return tuple(known_value(entry, depth) for entry in tensor.op.inputs)


def _fold_concat(tensor: Tensor, depth: int) -> Any:
    parts = [known_value(part, depth) for part in tensor.op.inputs]
    if not all(isinstance(part, tuple) for part in parts):
        return None
    return sum(parts, ())


def _fold_slice(tensor: Tensor, depth: int) -> Any:
    from engine.ops.slicing import index_key  # slicing needs arguments first

    source = known_value(tensor.op.inputs[0], depth)
    if not isinstance(source, tuple) or len(tensor.op.inputs) > 1:
        return None
    entries = np.empty(len(source), object)
    entries[:] = source
    found = entries[index_key(tensor.op.attrs)]
    if not isinstance(found, np.ndarray):
        return found
    return tuple(found) if found.ndim == 1 else None


def _fold_arithmetic(tensor: Tensor, depth: int) -> Any:
    first, second = (known_value(part, depth) for part in tensor.op.inputs)
    if not isinstance(first, int) or not isinstance(second, int):
        return None
    kind = tensor.op.type
    if kind == "FloorDiv":
        return first // second if second else None
    return {"Mul": first * second, "Sub": first - second}.get(kind, first + second)


def _fold_product(tensor: Tensor, depth: int) -> Any:
    source = known_value(tensor.op.inputs[0], depth)
    if not isinstance(source, tuple) or tensor.dims != () or None in source:
        return None
    return int(np.prod(source, dtype=np.int64))


def _fold_through(tensor: Tensor, depth: int) -> Any:
    return known_value(tensor.op.inputs[0], depth)


_FOLDS = {
    "Const": _fold_const,
    "Shape": lambda tensor, _depth: tensor.op.inputs[0].dims,
    "Size": lambda tensor, _depth: element_count(tensor.op.inputs[0].dims),
    "Rank": lambda tensor, _depth: tensor.op.inputs[0].shape.rank,
    "Pack": _fold_pack,
    "ConcatV2": _fold_concat,
    "StridedSlice": _fold_slice,
    "Identity": _fold_through,
    "Cast": _fold_through,
    "Prod": _fold_product,
    **dict.fromkeys(("AddV2", "Add", "Sub", "Mul", "FloorDiv"), _fold_arithmetic),
}
