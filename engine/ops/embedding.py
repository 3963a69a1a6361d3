"""Looking up the rows of a table by number."""

from __future__ import annotations

from typing import Any

from engine.errors import ArgumentError
from engine.ops.arguments import as_tensor
from engine.ops.arithmetic import maximum, multiply, realdiv
from engine.ops.elementary import sqrt
from engine.ops.gather import gather
from engine.ops.reduction import sum_op
from engine.tensor import Tensor


def embedding_lookup(
    params: Any,
    ids: Any,
    partition_strategy: str = "mod",
    name: str | None = None,
    validate_indices: bool = True,
    max_norm: float | None = None,
) -> Tensor:
    """Return the rows that the ids name; the gradient of the table is IndexedSlices.

    Args:
        params: `[rows, ...]`, a table, also as a list of one.
        ids: integers of any shape.
        partition_strategy: accepted as in TensorFlow; the table is in one piece.
        name: of the scope.
        validate_indices: accepted as in TensorFlow; ids are always validated.
        max_norm: rows that are longer are scaled down to this length.

    Raises:
        ArgumentError: the table is in several pieces.
    """
    if isinstance(params, list | tuple):
        if len(params) != 1:
            raise ArgumentError(
                f"the table must be in one piece (got {len(params)}); join them with tf.concat"
            )
        params = params[0]
    table = as_tensor(params)
    with table.graph.name_scope(name or "embedding_lookup"):
        rows = gather(table, ids)
        return rows if max_norm is None else _clipped(rows, ids, max_norm)


def _clipped(rows: Tensor, ids: Any, max_norm: float) -> Tensor:
    rank, above = rows.shape.rank, as_tensor(ids).shape.rank
    if rank is None or above is None:
        raise ArgumentError(f"max_norm needs a known rank (got {rows.name})")
    axes = tuple(range(above, rank))
    length = sqrt(sum_op(multiply(rows, rows), axis=axes, keepdims=True))
    result: Tensor = realdiv(multiply(rows, max_norm), maximum(length, max_norm))
    return result
