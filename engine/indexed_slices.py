"""A gradient of a gather: rows and where they belong, not yet summed into a dense tensor."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from engine.dtypes import DType
from engine.errors import ArgumentError
from engine.shapes import Dims, TensorShape
from engine.tensor import Operation, Operators, Tensor

if TYPE_CHECKING:
    from engine.graph import Graph


class IndexedSlicesValue(NamedTuple):
    """What a session returns for IndexedSlices."""

    values: Any
    indices: Any
    dense_shape: Any


class IndexedSlices(Operators):
    """Rows `values[k]` that belong to row `indices[k]` of a tensor; a row may occur twice.

    Attributes:
        values: `[n, ...]`.
        indices: `[n]`, integers.
        dense_shape: the shape of the dense tensor as a vector, or None.
    """

    __slots__ = ("_dense", "dense_shape", "indices", "values")

    def __init__(self, values: Tensor, indices: Tensor, dense_shape: Tensor | None = None) -> None:
        self.values = values
        self.indices = indices
        self.dense_shape = dense_shape
        self._dense: Tensor | None = None

    @property
    def graph(self) -> Graph:
        return self.values.graph

    @property
    def op(self) -> Operation:
        return self.values.op

    @property
    def dtype(self) -> DType:
        return self.values.dtype

    @property
    def name(self) -> str:
        return self.values.name

    @property
    def dims(self) -> Dims:
        """Static shape of the dense tensor."""
        from engine.convert import static_value

        known = None if self.dense_shape is None else static_value(self.dense_shape)
        if known is not None:
            return tuple(int(size) for size in known)
        return None if self.values.dims is None else (None, *self.values.dims[1:])

    @property
    def shape(self) -> TensorShape:
        return TensorShape(self.dims)

    def as_tensor(self) -> Tensor:
        """Return the dense tensor, rows with equal index summed.

        Raises:
            ArgumentError: the dense shape is unknown.
        """
        if self._dense is None:
            self._dense = self._to_dense()
        return self._dense

    def _to_dense(self) -> Tensor:
        if self.dense_shape is None:
            raise ArgumentError(
                f"IndexedSlices {self.name} cannot become a tensor: its dense_shape is unknown"
            )
        create = self.graph.create_op
        rows = self.dims[0] if self.dims else None
        if rows is not None:
            attrs = {"num_segments": rows}
            return create("UnsortedSegmentSum", [self.values, self.indices], attrs).outputs[0]
        count = self.dense_shape[0]
        return create("UnsortedSegmentSum", [self.values, self.indices, count]).outputs[0]

    def __repr__(self) -> str:
        return (
            f"IndexedSlices(indices={self.indices!r}, values={self.values!r}, "
            f"dense_shape={self.dense_shape!r})"
        )

    __str__ = __repr__
    __hash__ = Operators.__hash__
