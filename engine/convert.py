"""How a Python or NumPy value becomes a tensor.

A Python float becomes float32 and an int int32, as in TensorFlow; next to a tensor they take its
type if that loses no information of kind (a float never becomes an integer).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from engine.border import holds_numpy
from engine.dtypes import DType, as_dtype, float32, int32, string
from engine.errors import ArgumentError, ArgumentTypeError, DTypeError, GraphError
from engine.shapes import TensorShape
from engine.tensor import Operation, Operators, Tensor

if TYPE_CHECKING:
    from engine.graph import Graph

_KIND_RANK = {"b": 0, "u": 1, "i": 1, "f": 2, "c": 3, "S": 9}


def to_array(value: Any, dtype: DType | None = None, hint: DType | None = None) -> Any:
    """Return the NumPy array of a Python or NumPy value.

    Args:
        value: a number, string, nested list, array or shape.
        dtype: the type it must get.
        hint: the type it should get if it fits; otherwise TensorFlow's default for the value.

    Raises:
        ArgumentError: the value is None or ragged.
        DTypeError: it cannot have this type.
    """
    if value is None:
        raise ArgumentError("None values not supported; a tensor was expected")
    if isinstance(value, TensorShape):
        value = value.as_list()
        hint = hint or int32
    array = _plain_array(value)
    natural = _natural_dtype(value, array)
    wanted = dtype or (hint if hint is not None and _fits(natural, hint) else natural)
    empty = isinstance(value, list | tuple) and not array.size  # of whichever type is wanted
    if empty:
        wanted = dtype or hint or natural
    elif dtype is not None and not _fits(natural, dtype):
        raise DTypeError(
            f"cannot make a {dtype.name} tensor of {_short(value)}, which is {natural.name}; "
            "use tf.cast"
        )
    try:
        converted = array.astype(wanted.dtype)
    except OverflowError:
        raise DTypeError(f"{_short(value)} does not fit into {wanted.name}") from None
    if wanted.is_integer and array.size and not np.array_equal(converted, array):
        raise DTypeError(f"{_short(value)} does not fit into {wanted.name}")
    converted.setflags(write=False)
    return converted


def _plain_array(value: Any) -> Any:
    try:
        array = np.asarray(value)
    except ValueError:
        raise ArgumentError(f"a tensor needs rows of equal length (got {_short(value)})") from None
    if array.dtype.kind == "O" and array.size and not isinstance(array.flat[0], str | bytes):
        if all(isinstance(entry, int) for entry in array.flat):
            raise DTypeError(f"{_short(value)} does not fit into int64")
        raise ArgumentTypeError(
            f"cannot make a tensor of {_short(value)} of type {type(value).__name__}"
        )
    return array


def _natural_dtype(value: Any, array: Any) -> DType:
    """Return the type TensorFlow would choose: float32 and int32 for Python's numbers."""
    if array.dtype.kind in "SUO" and array.size:
        return string
    if isinstance(value, np.ndarray | np.generic):
        return as_dtype(array.dtype)
    if array.dtype == np.float64 and not holds_numpy(value):
        return float32
    if array.dtype == np.int64 and not holds_numpy(value):
        fits = not array.size or (array.min() >= -(2**31) and array.max() < 2**31)
        return int32 if fits else as_dtype("int64")
    return as_dtype(array.dtype)


def _fits(natural: DType, wanted: DType) -> bool:
    if natural.kind == wanted.kind:
        return True
    if natural.kind == "b" or wanted.kind in "bS" or natural.kind == "S":
        return False
    return _KIND_RANK[natural.kind] <= _KIND_RANK[wanted.kind]


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


def to_tensor(
    value: Any,
    graph: Graph,
    dtype: DType | None = None,
    hint: DType | None = None,
    name: str | None = None,
) -> Tensor:
    """Return the tensor of a value in a graph, adding a Const for plain values.

    A list that holds tensors is packed into one tensor; IndexedSlices become dense.

    Raises:
        GraphError: the tensor belongs to another graph.
        DTypeError: the value cannot have this type.
    """
    if isinstance(value, Tensor):
        tensor = value
    elif isinstance(value, Operators) or hasattr(value, "as_tensor"):
        tensor = value.as_tensor()
    elif isinstance(value, Operation):
        raise ArgumentTypeError(f"operation {value.name!r} is not a tensor; use one of its outputs")
    elif _holds_tensor(value):
        return _packed(value, graph, dtype, hint, name)
    else:
        return constant_of(value, to_array(value, dtype, hint), graph, name)
    if tensor.op.graph is not graph:
        raise GraphError(f"tensor {tensor.name} must be from the same graph as the other inputs")
    if dtype is not None and tensor.dtype is not dtype:
        raise DTypeError(
            f"expected {dtype.name} but {tensor.name} is {tensor.dtype.name}; use tf.cast"
        )
    return tensor


def constant_of(value: Any, array: Any, graph: Graph, name: str | None = None) -> Tensor:
    """Return a Const that holds an array, given the value that the array was made of."""
    constant = graph.create_op("Const", (), {"value": array}, name)
    graph.border.entered(constant, value)
    return constant.outputs[0]


def _holds_tensor(value: Any) -> bool:
    return isinstance(value, list | tuple) and any(
        isinstance(entry, Operators) or _holds_tensor(entry) for entry in value
    )


def _packed(
    value: Any, graph: Graph, dtype: DType | None, hint: DType | None, name: str | None
) -> Tensor:
    first = next((entry for entry in value if isinstance(entry, Operators)), None)
    entry_hint = dtype or (first.as_tensor().dtype if first is not None else hint)
    tensors = [to_tensor(entry, graph, dtype, entry_hint) for entry in value]
    return graph.create_op("Pack", tensors, {"axis": 0}, name).outputs[0]


def static_value(tensor: Tensor) -> Any:
    """Return the array of a constant, or of the shape of a tensor with static shape; else None."""
    op = tensor.op
    if op.type == "Const":
        return op.attrs["value"]
    if op.type == "Shape" and op.inputs[0].shape.is_fully_defined():
        return np.asarray(op.inputs[0].dims, tensor.dtype.dtype)
    return None
