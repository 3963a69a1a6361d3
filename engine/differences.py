"""The two Jacobians of a tensor at a point: by registered gradients, and by differences.

The theoretical one takes one backward pass per element of y, all through the same gradient
operations with another initial gradient fed, what does not depend on it being computed once; the
numeric one two evaluations per element of x:

    dy/dx ≈ (y(x + δ) - y(x - δ)) / 2δ

A complex number counts as two real ones, real part first.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from engine.backward import Backward
from engine.errors import ArgumentError, ShapeError
from engine.gradients import build_backward
from engine.plan import evaluate
from engine.session import get_default_session
from engine.tensor import Tensor


@dataclass(frozen=True, eq=False)
class Problem:
    """A y and an x of which both Jacobians can be computed at one point.

    Attributes:
        feeds: values of other tensors.
        leaves: the tensors to feed in order to change x: itself, or all reads of a variable.
        seed: the tensor to feed in order to choose the initial gradient of y.
        gradient: the gradient of x, None where y does not depend on it.
        record: of the backward pass that made it.
    """

    x: Tensor
    y: Tensor
    value: Any
    y_shape: tuple[int, ...]
    leaves: tuple[Tensor, ...]
    feeds: Mapping[Tensor, Any]
    seed: Tensor
    gradient: Tensor | None
    record: Backward

    def at(self, value: Any) -> Any:
        """Return y for an x."""
        return values_of([self.y], self._feeds(value))[0]

    def values(self, tensors: Sequence[Tensor]) -> list[Any]:
        """Return what tensors are at the point."""
        return values_of(tensors, self._feeds(self.value))

    def frozen(self, tensors: Sequence[Tensor]) -> Problem:
        """Return the problem in which some tensors keep the value they have at the point."""
        kept = dict(zip(tensors, self.values(tensors), strict=True))
        return replace(self, feeds={**self.feeds, **kept})

    def gradients(self, seeds: Iterable[Any]) -> Iterator[Any]:
        """Yield the gradient of x for each initial gradient of y, as real numbers in a row."""
        assert self.gradient is not None
        feeds = self._feeds(self.value)
        constant = [tensor for tensor in self._seedless() if tensor not in feeds]
        known = dict(zip(constant, values_of(constant, feeds), strict=True))
        for seed in seeds:
            found = values_of([self.gradient], {**feeds, **known, self.seed: seed})[0]
            yield reals(found)

    def _feeds(self, value: Any) -> dict[Tensor, Any]:
        return {**self.feeds, **dict.fromkeys(self.leaves, value)}

    def _seedless(self) -> list[Tensor]:
        """Return what the operations behind the seed need that does not come from it."""
        assert self.gradient is not None
        led = {self.seed}
        needed: dict[Tensor, None] = {}
        for op in self.record.graph.operations_since(self.seed.op.id):
            if any(tensor in led for tensor in op.inputs):
                led.update(op.outputs)
                needed.update(dict.fromkeys(op.inputs))
        return [t for t in needed if t not in led and t.op.type not in ("Const", "VarHandleOp")]

    def theoretical(self) -> Any:
        """Return the Jacobian by registered gradients, `[x_size, y_size]`."""
        rows = reals(self.value).size
        if self.gradient is None:
            return np.zeros((rows, real_size(self.y, self.y_shape)), _real_type(self.x))
        if not math.prod(self.y_shape):
            return self._of_empty(rows)
        columns = list(self.gradients(self._one_hot()))
        return np.stack(columns, axis=1).astype(_real_type(self.x))

    def _one_hot(self) -> Iterator[Any]:
        for column in range(real_size(self.y, self.y_shape)):
            seed = np.zeros(self.y_shape, self.y.dtype.dtype)
            reals(seed)[column] = 1
            yield seed

    def _of_empty(self, rows: int) -> Any:
        assert self.gradient is not None
        seed = np.zeros(self.y_shape, self.y.dtype.dtype)
        feeds = {**self._feeds(self.value), self.seed: seed}
        found = np.asarray(values_of([self.gradient], feeds)[0])
        if found.shape != self.value.shape:
            raise ShapeError(
                f"Empty gradient has wrong shape: expected {self.value.shape}, got {found.shape}"
            )
        if found.any():
            raise ArgumentError("Empty tensor with nonzero gradients")
        return np.zeros((rows, 0), _real_type(self.x))

    def numeric(self, delta: float) -> Any:
        """Return the Jacobian by central differences, `[x_size, y_size]`."""
        moved = np.array(self.value)
        flat = reals(moved)
        width = np.asarray(2 * delta, _real_type(self.y))
        rows = []
        for row in range(flat.size):
            original = flat[row]
            flat[row] = original + delta
            above = reals(self.at(np.array(moved)))
            flat[row] = original - delta
            below = reals(self.at(np.array(moved)))
            flat[row] = original
            with np.errstate(all="ignore"):
                rows.append((above - below) / width)
        shape = (flat.size, real_size(self.y, self.y_shape))
        return np.array(rows, _real_type(self.x)).reshape(shape)


def values_of(tensors: Sequence[Tensor], feeds: Mapping[Tensor, Any]) -> list[Any]:
    """Return values: in the session whose `with` block we are in, or without one."""
    session = get_default_session()
    if not tensors or session is None or session.graph is not tensors[0].graph:
        return evaluate(tensors, feeds)
    graph = tensors[0].graph
    last = dict(graph.feeds)
    try:
        return list(session.run(list(tensors), feeds))
    finally:  # what the checker feeds is not what the user fed last
        graph.feeds.clear()
        graph.feeds.update(last)


def reals(array: Any) -> Any:
    """Return all elements in a row, complex ones as real and imaginary part; a view if possible."""
    flat = np.ascontiguousarray(np.asarray(array).reshape(-1))
    return flat.view(flat.real.dtype) if np.iscomplexobj(flat) else flat


def _real_type(tensor: Tensor) -> Any:
    return tensor.dtype.real_dtype.dtype


def real_size(tensor: Tensor, shape: tuple[int, ...]) -> int:
    return math.prod(shape) * (2 if tensor.dtype.is_complex else 1)


def build_problem(
    x: Any,
    y: Any,
    value: Any,
    y_shape: tuple[int, ...],
    feeds: Mapping[Tensor, Any],
    stop_gradients: Any = None,
) -> Problem:
    """Build the gradient of y by x for an initial gradient that is fed.

    Args:
        x: a tensor or a variable.
        y: the tensor to differentiate.
        value: the point, an array of the type and shape of x.
        y_shape: the shape of y at run time.
        feeds: values of other tensors.
        stop_gradients: as in `gradients`.
    """
    handle = getattr(x, "handle", None)
    leaves = (x,)
    if handle is not None:
        readers = [op for op, _slot in handle.consumers() if op.type == "ReadVariableOp"]
        leaves = tuple(op.outputs[0] for op in readers)
    graph = y.graph
    with graph.name_scope("compute_gradient"):
        with graph.role("seed"):
            ones = np.ones(y_shape, y.dtype.dtype)
            seed = graph.create_op("Const", [], {"value": ones}, "dy").outputs[0]
        source = x if handle is None else handle
        record = build_backward([y], [source], [seed], kind="inner", stop_gradients=stop_gradients)
        gradient = record.results[0]
        dense = None if gradient is None else gradient.as_tensor()
    return Problem(source, y, value, y_shape, leaves, feeds, seed, dense, record)
