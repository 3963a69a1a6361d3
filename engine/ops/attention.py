"""Attention, composed of plain operations in a scope of its own."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from engine.errors import ArgumentError
from engine.ops.arguments import as_tensor, as_tensors
from engine.ops.arithmetic import multiply
from engine.ops.comparison import where
from engine.ops.einsum import einsum
from engine.ops.matmul import matmul
from engine.ops.softmax import softmax
from engine.tensor import Tensor


def attention(
    query: Any,
    key: Any,
    value: Any,
    mask: Any = None,
    scale: float | None = None,
    name: str | None = None,
) -> Tensor:
    """Return for each query the average of the values, weighted by how well the keys match it.

    Args:
        query: `[..., queries, depth]`.
        key: `[..., keys, depth]`.
        value: `[..., keys, features]`.
        mask: which keys a query may look at, of a shape that broadcasts to `[..., queries, keys]`;
            a query that may look at none gets the plain average.
        scale: what the products are multiplied by; 1 / sqrt(depth) by default.
        name: of the scope.

    Returns:
        `[..., queries, features]`.

    Raises:
        ArgumentError: the depth is unknown and no scale is given.

    Source: A. Vaswani et al., "Attention is all you need", 2017, equation 1.
    """
    questions, keys, values = as_tensors([query, key, value])
    factor = _scale(questions, keys) if scale is None else scale
    with questions.graph.name_scope(name or "attention"):
        scores: Tensor = multiply(matmul(questions, keys, transpose_b=True), factor)
        if mask is not None:
            lowest = np.array(np.finfo(scores.dtype.dtype).min / 2, scores.dtype.dtype)
            scores = where(as_tensor(mask), scores, as_tensor(lowest))
        return matmul(softmax(scores), values)


def _scale(query: Tensor, key: Tensor) -> float:
    for tensor in (query, key):
        depth = None if tensor.dims is None else tensor.dims[-1]
        if depth is not None:
            return 1 / math.sqrt(max(depth, 1))
    raise ArgumentError(f"attention needs a known depth, or a scale (got {query.name})")


def multi_head_attention(
    query: Any,
    key: Any,
    value: Any,
    kernels: Any,
    mask: Any = None,
    name: str | None = None,
) -> Tensor:
    """Attend with several heads at once, each in a projection of its own.

    Args:
        query: `[batch, queries, features]`.
        key: `[batch, keys, features]`.
        value: likewise.
        kernels: four tensors: for query, key and value `[features, heads, depth]` each, and for
            the result `[heads, depth, features]`.
        mask: as for `attention`, broadcast to `[batch, heads, queries, keys]`.
        name: of the scope.

    Returns:
        `[batch, queries, features]`.

    Source: A. Vaswani et al., "Attention is all you need", 2017, section 3.2.2.
    """
    if not isinstance(kernels, list | tuple) or len(kernels) != 4:
        raise ArgumentError("kernels are four tensors: for query, key, value and result")
    tensors = as_tensors([query, key, value, *kernels])
    with tensors[0].graph.name_scope(name or "multi_head_attention"):
        heads = [
            einsum("btf,fhd->bhtd", sequence, kernel, name=part)
            for sequence, kernel, part in zip(
                tensors[:3], tensors[3:6], ("query", "key", "value"), strict=True
            )
        ]
        result = attention(heads[0], heads[1], heads[2], mask)
        return einsum("bhtd,hdf->btf", result, tensors[6], name="result")
