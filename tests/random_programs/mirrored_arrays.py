"""Ops on whole arrays in terms of autograd's NumPy, each written in a way of its own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import autograd.numpy as anp
import numpy as np

from tests.random_programs.mirrored_elementwise import Rule, where


def _axes(axis: Any) -> Any:
    return tuple(axis) if isinstance(axis, tuple | list) else axis


def _reduced(function: Rule) -> Rule:
    return lambda x, axis=None, keepdims=False: function(x, axis=_axes(axis), keepdims=keepdims)


def _over_last(x: Any, axis: Any, keepdims: bool) -> tuple[Any, tuple[int, ...]]:
    """Return x with the reduced axes flattened into the last one, and the result's shape."""
    rank = anp.ndim(x)
    every = range(rank) if axis is None else axis if isinstance(axis, tuple | list) else (axis,)
    axes = sorted(a % rank for a in every)
    kept = [a for a in range(rank) if a not in axes]
    shape = anp.shape(x)
    flat = anp.reshape(anp.transpose(x, kept + axes), [*[shape[a] for a in kept], -1])
    full = tuple(1 if a in axes else shape[a] for a in range(rank))
    return flat, full if keepdims else tuple(shape[a] for a in kept)


def _prod(x: Any, axis: Any = None, keepdims: bool = False) -> Any:
    flat, shape = _over_last(x, axis, keepdims)
    total = 1.0 + 0.0 * anp.sum(flat, axis=-1)
    for k in range(anp.shape(flat)[-1]):
        total = total * flat[..., k]
    return anp.reshape(total, shape)


def _logsumexp(x: Any, axis: Any = None, keepdims: bool = False) -> Any:
    flat, shape = _over_last(x, axis, keepdims)
    largest = anp.max(flat, axis=-1, keepdims=True)
    found = anp.log(anp.sum(anp.exp(flat - largest), axis=-1)) + largest[..., 0]
    return anp.reshape(found, shape)


def _cumprod(x: Any, axis: int = 0, exclusive: bool = False, reverse: bool = False) -> Any:
    return _scan(anp.multiply, 1.0, x, axis, exclusive, reverse)


def _cumsum(x: Any, axis: int = 0, exclusive: bool = False, reverse: bool = False) -> Any:
    return _scan(anp.add, 0.0, x, axis, exclusive, reverse)


def _scan(join: Rule, start: float, x: Any, axis: int, exclusive: bool, reverse: bool) -> Any:
    rows = anp.moveaxis(x, axis, 0)
    if not len(rows):
        return x
    order = range(len(rows))[::-1] if reverse else range(len(rows))
    found: list[Any] = [None] * len(rows)
    total = start + 0 * rows[0]
    for k in order:
        following = join(total, rows[k])
        found[k] = total if exclusive else following
        total = following
    return anp.moveaxis(anp.stack(found), 0, axis)


def _softmax(x: Any, axis: int = -1) -> Any:
    powers = anp.exp(x - anp.max(x, axis=axis, keepdims=True))
    return powers / anp.sum(powers, axis=axis, keepdims=True)


def _log_softmax(x: Any, axis: int = -1) -> Any:
    centred = x - anp.max(x, axis=axis, keepdims=True)
    return centred - anp.log(anp.sum(anp.exp(centred), axis=axis, keepdims=True))


def _cross_entropy(logits: Any, labels: Any) -> tuple[Any, Any]:
    losses = -anp.sum(labels * _log_softmax(logits), axis=-1)
    return losses, _softmax(logits) - labels


def _sparse_cross_entropy(logits: Any, labels: Any) -> tuple[Any, Any]:
    chosen = np.eye(anp.shape(logits)[-1])[labels]
    return _cross_entropy(logits, chosen)


def _flipped(x: Any, flip: bool, conjugate: bool) -> Any:
    if not flip:
        return x
    swapped = anp.swapaxes(x, -1, -2)
    return anp.conj(swapped) if conjugate else swapped


def _matmul(a: Any, b: Any, transpose_a: bool = False, transpose_b: bool = False) -> Any:
    return anp.dot(_flipped(a, transpose_a, False), _flipped(b, transpose_b, False))


def _batch_matmul(a: Any, b: Any, adj_x: bool = False, adj_y: bool = False) -> Any:
    return anp.einsum("...ij,...jk->...ik", _flipped(a, adj_x, True), _flipped(b, adj_y, True))


def _einsum(*inputs: Any, equation: str) -> Any:
    left, arrow, output = equation.partition("->")
    labels = left.split(",")
    if len(output) == 2 and output == 2 * left:
        return inputs[0][:, None] * np.eye(len(inputs[0]))
    if arrow:
        labels, output = _spelled_out(labels, output, [anp.ndim(x) for x in inputs])
    if len(inputs) == 2 and arrow:
        return _einsum_by_hand(*inputs, *labels, output)
    return anp.einsum(",".join(labels) + arrow + output, *inputs)


def _spelled_out(labels: Sequence[str], output: str, ranks: Sequence[int]) -> tuple[list[str], str]:
    """Put letters in the place of each ellipsis."""
    widths = [rank - len(text.replace("...", "")) for text, rank in zip(labels, ranks, strict=True)]
    letters = "ZYXWV"[: max(widths)]
    spelled = [
        text.replace("...", letters[len(letters) - width :])
        for text, width in zip(labels, widths, strict=True)
    ]
    return spelled, output.replace("...", letters)


def _einsum_by_hand(a: Any, b: Any, first: str, second: str, output: str) -> Any:
    """Sum over all letters of the product of two arrays that are laid out over all of them."""
    letters = sorted({*first, *second, *output})
    if len(set(output)) < len(output):
        return anp.einsum(f"{first},{second}->{output}", a, b)
    whole = _laid_out(a, first, letters) * _laid_out(b, second, letters)
    kept = [letter for letter in letters if letter in output]
    summed = anp.sum(whole, axis=tuple(k for k, c in enumerate(letters) if c not in output))
    return anp.transpose(summed, [kept.index(letter) for letter in output])


def _laid_out(x: Any, labels: str, letters: Sequence[str]) -> Any:
    names = list(labels)
    for letter in letters:
        while names.count(letter) > 1:
            one = names.index(letter)
            two = names.index(letter, one + 1)
            shape = [1] * len(names)
            shape[one] = shape[two] = anp.shape(x)[one]
            x = anp.sum(x * np.eye(shape[one]).reshape(shape), axis=two)
            del names[two]
    present = [letter for letter in letters if letter in names]
    x = anp.transpose(x, [names.index(letter) for letter in present])
    sizes = dict(zip(present, anp.shape(x), strict=True))
    return anp.reshape(x, [sizes.get(letter, 1) for letter in letters])


def _reshape(x: Any, *given: Any, shape: Any) -> Any:
    return anp.reshape(x, tuple(given[0]) if given else tuple(shape))


def _transpose(x: Any, perm: Any = None) -> Any:
    return anp.transpose(x, None if perm is None else list(perm))


def _squeeze(x: Any, axis: Any = ()) -> Any:
    return anp.reshape(x, np.squeeze(np.zeros(anp.shape(x)), axis=tuple(axis) or None).shape)


def _broadcast_to(x: Any, *given: Any, shape: Any) -> Any:
    return x + np.zeros(tuple(given[0]) if given else tuple(shape))


def _reverse(x: Any, axis: Sequence[int]) -> Any:
    for k in axis:
        x = anp.moveaxis(anp.moveaxis(x, k, 0)[::-1], 0, k)
    return x


def _filled(given: Sequence[Any], *attrs: Any) -> list[list[int]]:
    """Return attributes in which the places of None are filled with inputs, in order."""
    numbers = iter([int(number) for array in given for number in np.ravel(array)])
    return [[next(numbers) if k is None else k for k in attr] for attr in attrs]


def _tile(x: Any, *given: Any, multiples: Any) -> Any:
    (multiples,) = _filled(given, [None] * anp.ndim(x) if multiples is None else multiples)
    for axis, count in enumerate(multiples):
        rows = anp.moveaxis(x, axis, 0)
        x = anp.moveaxis(anp.concatenate([rows] * count) if count else rows[:0], 0, axis)
    return x


def _pad(x: Any, value: Any = 0.0, *, paddings: Any) -> Any:
    for axis, (before, after) in enumerate(paddings):
        shape = list(anp.shape(x))
        margins = []
        for width in (before, after):
            shape[axis] = width
            margins.append(value * np.ones(shape))
        x = anp.concatenate([margins[0], x, margins[1]], axis)
    return x


def _slice(x: Any, *given: Any, begin: Sequence[Any], size: Sequence[Any]) -> Any:
    begin, size = _filled(given, begin, size)
    shape = anp.shape(x)
    ends = [n if count < 0 else b + count for n, b, count in zip(shape, begin, size, strict=True)]
    return x[tuple(slice(b, end) for b, end in zip(begin, ends, strict=True))]


def _strided_slice(
    x: Any,
    *given: Any,
    begin: Sequence[Any],
    end: Sequence[Any],
    strides: Sequence[int],
    begin_mask: int = 0,
    end_mask: int = 0,
    shrink_axis_mask: int = 0,
    ellipsis_mask: int = 0,
    new_axis_mask: int = 0,
) -> Any:
    keys: list[Any] = []
    begin, end = _filled(given, begin, end)
    for k, (b, e, stride) in enumerate(zip(begin, end, strides, strict=True)):
        bit = 1 << k
        if ellipsis_mask & bit:
            keys.append(Ellipsis)
        elif new_axis_mask & bit:
            keys.append(None)
        elif shrink_axis_mask & bit:
            keys.append(b)
        else:
            keys.append(
                slice(None if begin_mask & bit else b, None if end_mask & bit else e, stride)
            )
    return x[tuple(keys)]


def _unpack(x: Any, num: int, axis: int = 0) -> tuple[Any, ...]:
    rows = anp.moveaxis(x, axis, 0)
    return tuple(rows[k] for k in range(num))


def _split(x: Any, size_splits: Sequence[int], axis: int = 0) -> tuple[Any, ...]:
    whole = anp.shape(x)[axis]
    known = sum(size for size in size_splits if size >= 0)
    rows, parts, start = anp.moveaxis(x, axis, 0), [], 0
    for size in size_splits:
        stop = start + (whole - known if size < 0 else size)
        parts.append(anp.moveaxis(rows[start:stop], 0, axis))
        start = stop
    return tuple(parts)


def _even_split(x: Any, num_split: int, axis: int = 0) -> tuple[Any, ...]:
    return _split(x, [anp.shape(x)[axis] // num_split] * num_split, axis)


def _gather(x: Any, indices: Any, axis: int = 0, batch_dims: int = 0) -> Any:
    if batch_dims:
        rows = [
            _gather(x[k], indices[k], axis - (1 if axis > 0 else 0), batch_dims - 1)
            for k in range(anp.shape(x)[0])
        ]
        return anp.stack(rows)
    return x[(*[slice(None)] * (axis % anp.ndim(x)), indices)]


def _gather_nd(x: Any, indices: Any) -> Any:
    if indices.ndim == 1:
        return x[tuple(indices)]
    rows = [_gather_nd(x, row) for row in indices]
    return anp.stack(rows) if rows else np.zeros((0, *anp.shape(x)[indices.shape[-1] :]))


def _places(rows: int, chosen: Any) -> Any:
    return (np.arange(rows)[:, None] == np.ravel(chosen)[None, :]).astype(float)


def _segment_sum(x: Any, ids: Any, count: Any = None, num_segments: Any = None) -> Any:
    rows = int(num_segments if count is None else count)
    rest = anp.shape(x)[ids.ndim :]
    flat = anp.reshape(x, (ids.size, int(np.prod(rest))))
    return anp.reshape(anp.dot(_places(rows, ids), flat), (rows, *rest))


def _scatter_nd(indices: Any, updates: Any, *given: Any, shape: Any = None) -> Any:
    shape = given[0] if given else shape
    depth = indices.shape[-1]
    flat = np.ravel_multi_index(tuple(np.moveaxis(indices, -1, 0)), tuple(shape)[:depth])
    rows = _segment_sum(updates, np.asarray(flat), num_segments=int(np.prod(shape[:depth])))
    return anp.reshape(rows, tuple(shape))


def _bias(x: Any, bias: Any, data_format: str = "NHWC") -> Any:
    if data_format == "NCHW":
        return x + anp.reshape(bias, (-1, *[1] * (anp.ndim(x) - 2)))
    return x + bias


def _select(condition: Any, x: Any, y: Any) -> Any:
    condition = np.reshape(condition, condition.shape + (1,) * (np.ndim(x) - condition.ndim))
    return where(condition, x, y)


def _cholesky(x: Any) -> Any:
    """Compute the factor entry by entry, from the lower triangle."""
    size = anp.shape(x)[-1]
    entries: dict[tuple[int, int], Any] = {}
    for i in range(size):
        for j in range(i + 1):
            known = [entries[i, k] * anp.conj(entries[j, k]) for k in range(j)]
            rest = x[..., i, j] - sum(known, 0.0)
            if i == j:
                entries[i, j] = anp.sqrt(anp.real(rest)) + 0.0 * rest  # stays complex
            else:
                entries[i, j] = rest / entries[j, j]
    zero = 0.0 * x[..., 0, 0] if size else 0.0
    rows = [[entries.get((i, j), zero) for j in range(size)] for i in range(size)]
    return anp.stack([anp.stack(row, -1) for row in rows], -2) if rows else x


ARRAYS: dict[str, Rule] = {
    "Sum": _reduced(anp.sum),
    "Mean": _reduced(anp.mean),
    "Max": _reduced(anp.max),
    "Min": _reduced(anp.min),
    "Prod": _prod,
    "LogSumExp": _logsumexp,
    "Cumsum": _cumsum,
    "Cumprod": _cumprod,
    "Softmax": _softmax,
    "LogSoftmax": _log_softmax,
    "SoftmaxCrossEntropyWithLogits": _cross_entropy,
    "SparseSoftmaxCrossEntropyWithLogits": _sparse_cross_entropy,
    "L2Loss": lambda x: anp.sum(x * x) / 2,
    "BiasAdd": _bias,
    "MatMul": _matmul,
    "BatchMatMul": _batch_matmul,
    "BatchMatMulV2": _batch_matmul,
    "BatchMatMulV3": _batch_matmul,
    "Einsum": _einsum,
    "Reshape": _reshape,
    "Transpose": _transpose,
    "ConjugateTranspose": lambda x, perm=None: anp.conj(_transpose(x, perm)),
    "ExpandDims": lambda x, axis: anp.expand_dims(x, axis),
    "Squeeze": _squeeze,
    "BroadcastTo": _broadcast_to,
    "ReverseV2": _reverse,
    "Tile": _tile,
    "Pad": _pad,
    "PadV2": _pad,
    "Slice": _slice,
    "StridedSlice": _strided_slice,
    "Pack": lambda *xs, axis=0: anp.stack(xs, axis),
    "ConcatV2": lambda *xs, axis: anp.concatenate(xs, axis),
    "Unpack": _unpack,
    "Split": _even_split,
    "SplitV": _split,
    "IdentityN": lambda *xs: xs,
    "GatherV2": _gather,
    "GatherNd": _gather_nd,
    "UnsortedSegmentSum": _segment_sum,
    "ScatterNd": _scatter_nd,
    "Select": _select,
    "SelectV2": where,
    "MatrixInverse": lambda x, adjoint=False: anp.linalg.inv(_flipped(x, adjoint, True)),
    "MatrixDeterminant": anp.linalg.det,
    "Cholesky": _cholesky,
    "MatrixSolve": lambda a, b, adjoint=False: anp.linalg.solve(_flipped(a, adjoint, True), b),
}
