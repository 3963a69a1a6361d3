"""The two Jacobians of a tensor at a point: by registered gradients, and by differences.

The theoretical one takes one backward pass per element of y, all through the same gradient
operations with another initial gradient fed; the numeric one two evaluations per element of x:

    dy/dx ≈ (y(x + δ) - y(x - δ)) / 2δ

A complex number counts as two real ones, real part first.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

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
    """

    x: Tensor
    y: Tensor
    value: Any
    y_shape: tuple[int, ...]
    leaves: tuple[Tensor, ...]
    feeds: Mapping[Tensor, Any]
    seed: Tensor
    gradient: Tensor | None

    def run(self, tensor: Tensor, value: Any, seed: Any = None) -> Any:
        feeds = {**self.feeds, **dict.fromkeys(self.leaves, value)}
        if seed is not None:
            feeds[self.seed] = seed
        return _run(tensor, feeds)

    def theoretical(self) -> Any:
        """Return the Jacobian by registered gradients, `[x_size, y_size]`."""
        rows = _reals(self.value).size
        if self.gradient is None:
            return np.zeros((rows, _real_size(self.y, self.y_shape)), _real_type(self.x))
        if not math.prod(self.y_shape):
            return self._of_empty(rows)
        columns = []
        for column in range(_real_size(self.y, self.y_shape)):
            seed = np.zeros(self.y_shape, self.y.dtype.dtype)
            _reals(seed)[column] = 1
            columns.append(_reals(self.run(self.gradient, self.value, seed)))
        return np.stack(columns, axis=1).astype(_real_type(self.x))

    def _of_empty(self, rows: int) -> Any:
        assert self.gradient is not None
        seed = np.zeros(self.y_shape, self.y.dtype.dtype)
        found = np.asarray(self.run(self.gradient, self.value, seed))
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
        flat = _reals(moved)
        width = np.asarray(2 * delta, _real_type(self.y))
        rows = []
        for row in range(flat.size):
            original = flat[row]
            flat[row] = original + delta
            above = _reals(self.run(self.y, np.array(moved)))
            flat[row] = original - delta
            below = _reals(self.run(self.y, np.array(moved)))
            flat[row] = original
            with np.errstate(all="ignore"):
                rows.append((above - below) / width)
        shape = (flat.size, _real_size(self.y, self.y_shape))
        return np.array(rows, _real_type(self.x)).reshape(shape)


def _run(tensor: Tensor, feeds: Mapping[Tensor, Any]) -> Any:
    """Return a value: in the session whose `with` block we are in, or without one."""
    session = get_default_session()
    if session is None or session.graph is not tensor.graph:
        return evaluate([tensor], feeds)[0]
    last = dict(tensor.graph.feeds)
    try:
        return session.run(tensor, feeds)
    finally:  # what the checker feeds is not what the user fed last
        tensor.graph.feeds.clear()
        tensor.graph.feeds.update(last)


def _reals(array: Any) -> Any:
    """Return all elements in a row, complex ones as real and imaginary part; a view if possible."""
    flat = np.asarray(array).reshape(-1)
    return flat.view(flat.real.dtype) if np.iscomplexobj(flat) else flat


def _real_type(tensor: Tensor) -> Any:
    return tensor.dtype.real_dtype.dtype


def _real_size(tensor: Tensor, shape: tuple[int, ...]) -> int:
    return math.prod(shape) * (2 if tensor.dtype.is_complex else 1)


def build_problem(
    x: Any, y: Any, value: Any, y_shape: tuple[int, ...], feeds: Mapping[Tensor, Any]
) -> Problem:
    """Build the gradient of y by x for an initial gradient that is fed.

    Args:
        x: a tensor or a variable.
        y: the tensor to differentiate.
        value: the point, an array of the type and shape of x.
        y_shape: the shape of y at run time.
        feeds: values of other tensors.
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
        gradient = build_backward([y], [source], [seed], kind="inner").results[0]
    dense = None if gradient is None else gradient.as_tensor()
    return Problem(source, y, value, y_shape, leaves, feeds, seed, dense)
