"""Sums of many tensors of one shape: where contributions to a gradient meet."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from engine.convert import to_tensor
from engine.dtypes import as_dtype
from engine.errors import ArgumentError, DTypeError, ShapeError
from engine.graph import graph_of
from engine.opdef import define
from engine.registry import RegisterGradient
from engine.shapes import Dims, as_dims, compatible, merge, show
from engine.tensor import Operation, Operators, Tensor


def _one_shape(*shapes: Dims) -> Dims:
    merged: Dims = None
    for shape in shapes:
        merged = merge(merged, shape)
    return merged


def _sum(first: Any, *rest: Any) -> Any:
    """Return the sum in order of the inputs, with no more memory than one of them."""
    shape = np.shape(first)
    for term in rest:
        if np.shape(term) != shape:
            raise ValueError(
                f"all inputs must have the same shape (got {shape} and {np.shape(term)})"
            )
    if not rest:
        return first
    total = np.add(first, rest[0])
    if not shape:
        for term in rest[1:]:
            total = total + term
        return total
    for term in rest[1:]:
        np.add(total, term, out=total)
    return total


add_n_op = define(
    "AddN", kernel=_sum, shape=_one_shape, kinds="fciu", arity=None, latex=r"\textstyle\sum(#*)"
)

accumulate_op = define(
    "AccumulateNV2",
    kernel=_sum,
    shape=_one_shape,
    kinds="fciu",
    arity=None,
    latex=r"\textstyle\sum(#*)",
)


@RegisterGradient("AddN")
def _add_n_gradient(op: Operation, upstream: Tensor) -> list[Tensor]:
    """Return the upstream gradient for every input."""
    return [upstream] * len(op.inputs)


@RegisterGradient("AccumulateNV2")
def _accumulate_gradient(op: Operation, upstream: Tensor) -> list[Tensor]:
    """Return the upstream gradient for every input."""
    return [upstream] * len(op.inputs)


def _terms(inputs: Any) -> list[Tensor]:
    terms: Sequence[Any] = [inputs] if isinstance(inputs, Operators) else inputs
    if not isinstance(terms, list | tuple) or not terms:
        raise ArgumentError(
            "inputs must be a list of at least one tensor, all with the same dtype and shape "
            f"(got {inputs!r})"
        )
    graph = graph_of(terms)
    hint = next((v.as_tensor().dtype for v in terms if isinstance(v, Operators)), None)
    return [to_tensor(term, graph, hint=hint) for term in terms]


def add_n(inputs: Any, name: str | None = None) -> Tensor:
    """Return the sum of a list of tensors of one shape and type; a single one as it is.

    Raises:
        ArgumentError: the list is empty.
        ShapeError, DTypeError: shapes or element types differ.
    """
    terms = _terms(inputs)
    if len(terms) == 1:
        return terms[0]
    total: Tensor = add_n_op(*terms, name=name)
    return total


def accumulate_n(
    inputs: Any, shape: Any = None, tensor_dtype: Any = None, name: str | None = None
) -> Tensor:
    """Return the sum of a list of tensors, as `add_n`, without waiting for all of them.

    Args:
        inputs: tensors of one shape and type.
        shape: the shape they must have, if given.
        tensor_dtype: the element type they must have, if given.
        name: name of the operation.

    Raises:
        ArgumentError: the list is empty.
        ShapeError, DTypeError: shapes or element types differ, from each other or from those given.
    """
    terms = _terms(inputs)
    wanted = as_dims(shape)
    for term in terms:
        if not compatible(wanted, term.dims):
            raise ShapeError(
                f"{term.name} has shape {show(term.dims)}, which is not the given {show(wanted)}"
            )
        if tensor_dtype is not None and term.dtype is not as_dtype(tensor_dtype):
            raise DTypeError(
                f"{term.name} is {term.dtype.name}, not the given {as_dtype(tensor_dtype).name}"
            )
    if len(terms) == 1:
        return terms[0]
    total: Tensor = accumulate_op(*terms, name=name)
    return total
