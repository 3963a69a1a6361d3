"""Writing, adding, or comparing updates into a tensor where index vectors say.

The index vectors stand along the last axis of the indices, as for `scatter_nd`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from engine.dtypes import DType
from engine.errors import DTypeError, ShapeError
from engine.opdef import OpDef, define
from engine.ops.arguments import as_tensor
from engine.ops.arithmetic import add, multiply, negative, realdiv
from engine.ops.cast import cast
from engine.ops.comparison import equal
from engine.ops.fill import zeros_like
from engine.ops.gather import gather_nd, nd_index, scatter_nd
from engine.ops.shape_ops import shape
from engine.registry import RegisterGradient
from engine.shapes import Dims, merge, show
from engine.tensor import Operation, Tensor


def _scattered(tensor: Dims, indices: Dims, updates: Dims) -> Dims:
    if tensor is None or indices is None or not indices or indices[-1] is None:
        return tensor
    if indices[-1] > len(tensor):
        raise ShapeError(f"an index of length {indices[-1]} is too long for {show(tensor)}")
    merge(updates, (*indices[:-1], *tensor[indices[-1] :]))
    return tensor


def _data_type(tensor: DType, indices: DType, _updates: DType) -> DType:
    if not indices.is_integer:
        raise DTypeError(f"indices must be integers; cast them first (got {indices.name})")
    return tensor


def _kernel(write: Callable[[Any, Any, Any], None]) -> Callable[..., Any]:
    def kernel(tensor: Any, indices: Any, updates: Any) -> Any:
        result = np.array(tensor)
        if np.size(indices) or np.size(updates):
            write(result, nd_index(indices, np.shape(tensor)), updates)
        return result

    return kernel


def _write(target: Any, index: Any, updates: Any) -> None:
    target[index] = updates


def _define(op_type: str, write: Callable[[Any, Any, Any], None], **fields: Any) -> OpDef:
    word = op_type.removeprefix("TensorScatter").lower()
    return define(
        op_type,
        kernel=_kernel(write),
        shape=_scattered,
        dtype=_data_type,
        match=(0, 2),
        arity=3,
        latex=rf"\operatorname{{scatter{word}}}(#1, #2, #3)",
        **fields,
    )


_update = _define(
    "TensorScatterUpdate",
    _write,
    corner="updates of one place that overwrite each other all get its whole gradient",
)


@RegisterGradient("TensorScatterUpdate")
def _update_gradient(op: Operation, upstream: Tensor) -> list[Any]:
    """Return the upstream gradient with the written places set to 0, and what was there."""
    _, indices, updates = op.inputs
    return [
        lambda: _update(upstream, indices, zeros_like(updates)),
        None,
        lambda: gather_nd(upstream, indices),
    ]


_add = _define("TensorScatterAdd", np.add.at, kinds="fciu")


@RegisterGradient("TensorScatterAdd")
def _add_gradient(op: Operation, upstream: Tensor) -> list[Any]:
    return [upstream, None, lambda: gather_nd(upstream, op.inputs[1])]


_sub = _define("TensorScatterSub", np.subtract.at, kinds="fciu")


@RegisterGradient("TensorScatterSub")
def _sub_gradient(op: Operation, upstream: Tensor) -> list[Any]:
    return [upstream, None, lambda: negative(gather_nd(upstream, op.inputs[1]))]


_max = _define(
    "TensorScatterMax",
    np.maximum.at,
    kinds="fiu",
    corner="whatever reaches the maximum, the tensor and its updates, shares the gradient equally",
)

_min = _define(
    "TensorScatterMin",
    np.minimum.at,
    kinds="fiu",
    corner="whatever reaches the minimum, the tensor and its updates, shares the gradient equally",
)


@RegisterGradient("TensorScatterMax")
@RegisterGradient("TensorScatterMin")
def _extremum_gradient(op: Operation, upstream: Tensor) -> list[Any]:
    """Return the upstream gradient where an extremum was, shared equally among ties."""
    tensor, indices, updates = op.inputs
    result, dtype = op.outputs[0], upstream.dtype
    kept = cast(equal(tensor, result), dtype)
    reached = cast(equal(updates, gather_nd(result, indices)), dtype)
    ties = add(kept, scatter_nd(indices, reached, shape(tensor)))
    share = realdiv(upstream, ties)
    return [
        lambda: multiply(share, kept),
        None,
        lambda: multiply(gather_nd(share, indices), reached),
    ]


def tensor_scatter_nd_update(
    tensor: Any, indices: Any, updates: Any, name: str | None = None
) -> Tensor:
    """Return a tensor with updates written into it.

    Args:
        tensor: what is written into; it stays as it is.
        indices: [..., depth] integers; each names a place among the first `depth` axes.
        updates: [..., *rest] with the rest of the tensor's axes.
        name: of the operation.

    Raises:
        ShapeError: the updates do not fit the indices.
    """
    return _scatter(_update, tensor, indices, updates, name)


def tensor_scatter_nd_add(
    tensor: Any, indices: Any, updates: Any, name: str | None = None
) -> Tensor:
    """Return a tensor with updates added; arguments as `tensor_scatter_nd_update`."""
    return _scatter(_add, tensor, indices, updates, name)


def tensor_scatter_nd_sub(
    tensor: Any, indices: Any, updates: Any, name: str | None = None
) -> Tensor:
    """Return a tensor with updates subtracted; arguments as `tensor_scatter_nd_update`."""
    return _scatter(_sub, tensor, indices, updates, name)


def tensor_scatter_nd_max(
    tensor: Any, indices: Any, updates: Any, name: str | None = None
) -> Tensor:
    """Return the larger of tensor and updates; arguments as `tensor_scatter_nd_update`."""
    return _scatter(_max, tensor, indices, updates, name)


def tensor_scatter_nd_min(
    tensor: Any, indices: Any, updates: Any, name: str | None = None
) -> Tensor:
    """Return the smaller of tensor and updates; arguments as `tensor_scatter_nd_update`."""
    return _scatter(_min, tensor, indices, updates, name)


def _scatter(opdef: OpDef, tensor: Any, indices: Any, updates: Any, name: str | None) -> Tensor:
    into = as_tensor(tensor)
    result: Tensor = opdef(into, indices, updates, name=name)
    return result
