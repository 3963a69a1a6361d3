"""What each y starts with: ones, or the `grad_ys` that the caller gives."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from engine.backward import AnyGradient
from engine.convert import to_tensor
from engine.errors import ArgumentError, DTypeError
from engine.graph import Graph
from engine.indexed_slices import IndexedSlices
from engine.shapes import is_static
from engine.tensor import Tensor


def seed_gradients(
    graph: Graph, ys: Sequence[Tensor], grad_ys: Any, *, complex_ones: bool = False
) -> tuple[AnyGradient, ...]:
    """Return the initial gradient of every y.

    Args:
        graph: the graph of the ys.
        ys: the tensors to differentiate.
        grad_ys: None, or one entry per y: None (ones), a tensor, IndexedSlices, or a value.
        complex_ones: whether a complex y may start with ones (a tape's rule) or must be given one.

    Raises:
        ArgumentError: not one entry per y.
        DTypeError: the type of an entry does not fit its y.
    """
    if grad_ys is None:
        entries: list[Any] = [None] * len(ys)
    else:
        entries = list(grad_ys) if isinstance(grad_ys, list | tuple) else [grad_ys]
    if len(entries) != len(ys):
        raise ArgumentError(f"Length mismatch. Passed {len(entries)} grad_ys for {len(ys)} ys")
    with graph.role("seed"):
        return tuple(
            _ones(y, index, complex_ones) if entry is None else _given(graph, y, entry, index)
            for index, (y, entry) in enumerate(zip(ys, entries, strict=True))
        )


def _ones(y: Tensor, index: int, complex_ones: bool) -> Tensor:
    if y.dtype.is_complex and not complex_ones:
        raise DTypeError(
            f"Gradients of complex tensors ({y.name}) must set grad_ys (y.dtype = {y.dtype.name})"
        )
    if y.dtype.kind == "S":
        raise DTypeError(f"y {y.name} holds strings, which have no gradient")
    graph, name = y.graph, f"grad_ys_{index}"
    if not is_static(y.dims):
        return graph.create_op("OnesLike", [y], name=name).outputs[0]
    one = graph.create_op("Const", [], {"value": np.ones((), y.dtype.dtype)}, f"{name}/Const")
    return graph.create_op("Fill", [one.outputs[0]], {"dims": y.dims}, name).outputs[0]


def _given(graph: Graph, y: Tensor, entry: Any, index: int) -> AnyGradient:
    name = f"grad_ys_{index}"
    if isinstance(entry, IndexedSlices):
        _check_type(entry, y)
        return IndexedSlices(
            graph.create_op("Identity", [entry.values], name=f"{name}_values").outputs[0],
            graph.create_op("Identity", [entry.indices], name=f"{name}_indices").outputs[0],
            entry.dense_shape,
        )
    tensor = to_tensor(entry, graph, hint=y.dtype)
    _check_type(tensor, y)
    return graph.create_op("Identity", [tensor], name=name).outputs[0]


def _check_type(gradient: AnyGradient, y: Tensor) -> None:
    real = y.dtype.is_floating or y.dtype.is_integer
    if not real and not y.dtype.is_complex:
        raise DTypeError(
            f"y {y.name} of type {y.dtype.name} must be numeric to obtain a default gradient"
        )
    fits = gradient.dtype.kind in "iuf" if real else gradient.dtype.is_complex
    if not fits:
        expected = "real" if real else "complex"
        raise DTypeError(
            f"Gradient type {gradient.dtype.name} given for y {y.name} of type {y.dtype.name} "
            f"must be {expected}; cast it first"
        )
