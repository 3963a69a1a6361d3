"""How the contributions to one gradient become one tensor, by each of TensorFlow's methods."""

from __future__ import annotations

from collections.abc import Sequence

from engine.backward import AnyGradient
from engine.errors import ArgumentError
from engine.indexed_slices import IndexedSlices
from engine.shapes import is_static
from engine.tensor import Operation, Tensor


class AggregationMethod:
    """How gradients that meet are summed; the number is the same, the graph is not.

    ADD_N (the default) makes one addition of all terms; EXPERIMENTAL_TREE a balanced tree of
    two-term additions; EXPERIMENTAL_ACCUMULATE_N one AccumulateNV2, which needs no more memory
    than one term, or a chain of two-term additions when shapes are not static.
    """

    ADD_N = 0
    DEFAULT = ADD_N
    EXPERIMENTAL_TREE = 1
    EXPERIMENTAL_ACCUMULATE_N = 2


def check_method(method: int | None) -> int:
    """Return the method, the default for None.

    Raises:
        ArgumentError: there is no such method.
    """
    chosen = AggregationMethod.DEFAULT if method is None else method
    if chosen not in (0, 1, 2):
        raise ArgumentError(
            f"Invalid `aggregation_method` specified {method}. Accepted values are [0, 1, 2]: "
            "AggregationMethod.ADD_N, EXPERIMENTAL_TREE or EXPERIMENTAL_ACCUMULATE_N"
        )
    return int(chosen)


def aggregate(values: Sequence[AnyGradient], op: Operation, method: int) -> AnyGradient:
    """Sum the gradients that met at an output of `op`; a single one is returned as it is."""
    if len(values) == 1:
        return values[0]
    graph = op.graph
    with graph.role("accumulate", op):
        if all(isinstance(value, IndexedSlices) for value in values):
            return _concatenated([v for v in values if isinstance(v, IndexedSlices)])
        tensors = [value.as_tensor() for value in values]
        if method == AggregationMethod.ADD_N:
            return _add(tensors)
        with graph.name_scope(f"{op.name}_gradient_sum"):
            if method == AggregationMethod.EXPERIMENTAL_TREE:
                return _tree(tensors)
            if len(tensors) > 2 and all(is_static(tensor.dims) for tensor in tensors):
                return graph.create_op("AccumulateNV2", tensors).outputs[0]
            return _chain(tensors)


def _add(tensors: Sequence[Tensor]) -> Tensor:
    return tensors[0].graph.create_op("AddN", tensors).outputs[0]


def _tree(tensors: Sequence[Tensor]) -> Tensor:
    while len(tensors) > 1:
        pairs = [tensors[start : start + 2] for start in range(0, len(tensors), 2)]
        tensors = [_add(pair) if len(pair) == 2 else pair[0] for pair in pairs]
    return tensors[0]


def _chain(tensors: Sequence[Tensor]) -> Tensor:
    total = tensors[0]
    for tensor in tensors[1:]:
        total = _add([total, tensor])
    return total


def _concatenated(slices: Sequence[IndexedSlices]) -> IndexedSlices:
    """Put rows one after another; rows with equal index stay apart until a dense tensor is made."""
    create = slices[0].graph.create_op
    indices = [piece.indices for piece in slices]
    if len({index.dtype for index in indices}) > 1:
        indices = [create("Cast", [index], {"dtype": "int64"}).outputs[0] for index in indices]
    values = create("ConcatV2", [piece.values for piece in slices], {"axis": 0}, "concat").outputs[
        0
    ]
    rows = create("ConcatV2", indices, {"axis": 0}, "concat").outputs[0]
    return IndexedSlices(values, rows, slices[0].dense_shape)
