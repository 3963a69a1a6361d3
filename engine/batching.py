"""How one operation is applied to every row of a leading axis at once.

Of an operation on tensors some of which have become stacks of rows (one axis more, in front), a
rule makes one operation on the stacks. Where there is no rule it is done row by row, and the
results are stacked; so the answer never depends on whether there is one.
"""

from __future__ import annotations

import string
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from engine.shapes import broadcast, is_static
from engine.tensor import Operation, Tensor

Input: TypeAlias = "tuple[Tensor, bool]"
"""What takes the place of an input, and whether it is a stack of rows."""
Rule: TypeAlias = "Callable[[Operation, Sequence[Input], int], tuple[Tensor, ...] | None]"


def apply_to_rows(op: Operation, inputs: Sequence[Input], count: int) -> tuple[Tensor, ...]:
    """Return the outputs of an operation for all rows, each `[count, ...]`.

    Args:
        op: the operation for one row; it may be of another graph.
        inputs: one entry per input, at least one of them a stack.
        count: the number of rows.
    """
    rule = _RULES.get(op.type)
    if rule is None and _is_elementwise(op):
        rule = _elementwise
    found = None if rule is None or op.opdef.stateful else rule(op, inputs, count)
    return _row_by_row(op, inputs, count) if found is None else found


def spread(tensor: Tensor, count: int) -> Tensor:
    """Return a stack of `count` equal rows."""
    if is_static(tensor.dims):
        assert tensor.dims is not None
        return _create("BroadcastTo", [tensor], {"shape": (count, *tensor.dims)})
    return tensor.graph.create_op("Pack", [tensor] * count, {"axis": 0}, "stack").outputs[0]


def _create(op_type: str, inputs: Sequence[Tensor], attrs: dict[str, Any]) -> Tensor:
    return inputs[0].graph.create_op(op_type, inputs, attrs).outputs[0]


def _again(
    op: Operation, tensors: Sequence[Tensor], attrs: dict[str, Any] | None = None
) -> tuple[Tensor, ...]:
    """Make the operation with other inputs and some other attributes."""
    graph = tensors[0].graph
    name = op.name.rpartition("/")[2]
    return graph.create_op(op.type, tensors, {**op.attrs, **(attrs or {})}, name).outputs


def _row_by_row(op: Operation, inputs: Sequence[Input], count: int) -> tuple[Tensor, ...]:
    columns = [
        tensor.graph.create_op("Unpack", [tensor], {"num": count, "axis": 0}).outputs
        if stacked
        else (tensor,) * count
        for tensor, stacked in inputs
    ]
    rows = [_again(op, row) for row in zip(*columns, strict=True)]
    return tuple(_create("Pack", output, {"axis": 0}) for output in zip(*rows, strict=True))


# Elementwise --------------------------------------------------------------------------------------


def _is_elementwise(op: Operation) -> bool:
    return op.opdef.shape is broadcast or op.opdef.local is not None


def _elementwise(op: Operation, inputs: Sequence[Input], _count: int) -> tuple[Tensor, ...] | None:
    aligned = _aligned(op, inputs)
    return None if aligned is None else _again(op, aligned)


def _aligned(op: Operation, inputs: Sequence[Input]) -> list[Tensor] | None:
    """Give every stack the rank of the output's stack, so that broadcasting pairs the same axes."""
    if op.outputs[0].dims is None or any(tensor.dims is None for tensor, _stacked in inputs):
        return None
    rank = len(op.outputs[0].dims) + 1
    return [_padded(tensor, rank) if stacked else tensor for tensor, stacked in inputs]


def _padded(tensor: Tensor, rank: int) -> Tensor:
    while len(tensor.dims or ()) < rank:
        tensor = _create("ExpandDims", [tensor], {"axis": 1})
    return tensor


def _leading(op: Operation, inputs: Sequence[Input], count: int) -> tuple[Tensor, ...]:
    """Rule of ops that leave leading axes alone, and want all inputs to have the same ones."""
    return _again(op, [t if stacked else spread(t, count) for t, stacked in inputs])


def _select(op: Operation, inputs: Sequence[Input], count: int) -> tuple[Tensor, ...] | None:
    if any(tensor.dims != op.outputs[0].dims for tensor in op.inputs):
        return None
    return _leading(op, inputs, count)


def _sum_of_all(op: Operation, inputs: Sequence[Input], _count: int) -> tuple[Tensor, ...]:
    stacks = [tensor for tensor, stacked in inputs if stacked]
    others = [tensor for tensor, stacked in inputs if not stacked]
    sums = [
        _again(op, group)[0] if len(group) > 1 else group[0] for group in (stacks, others) if group
    ]
    return (sums[0] if len(sums) == 1 else _create("AddV2", sums, {}),)


# Axes, counted from the front ---------------------------------------------------------------------


def _rank(tensor: Tensor) -> int | None:
    return None if tensor.dims is None else len(tensor.dims)


def _moved_axis(axis: int) -> int:
    return axis + 1 if axis >= 0 else axis


def _reduced(op: Operation, inputs: Sequence[Input], _count: int) -> tuple[Tensor, ...] | None:
    axis, rank = op.attrs["axis"], _rank(op.inputs[0])
    if rank is None or len(inputs) > 1:
        return None
    axes = range(rank) if axis is None else [axis] if isinstance(axis, int) else axis
    return _again(op, [inputs[0][0]], {"axis": tuple(map(_moved_axis, axes))})


def _along(op: Operation, inputs: Sequence[Input], count: int) -> tuple[Tensor, ...] | None:
    """Rule of ops with an attribute `axis`, a number or several, that all inputs share."""
    axis = op.attrs["axis"]
    moved = _moved_axis(axis) if isinstance(axis, int) else tuple(map(_moved_axis, axis))
    tensors = [t if stacked else spread(t, count) for t, stacked in inputs]
    return _again(op, tensors, {"axis": moved})


def _reshaped(op: Operation, inputs: Sequence[Input], count: int) -> tuple[Tensor, ...] | None:
    shape = op.outputs[0].dims
    if not inputs[0][1] or shape is None or shape.count(None) > 1:
        return None
    sizes = (-1 if size is None else size for size in shape)
    return (_create("Reshape", [inputs[0][0]], {"shape": (count, *sizes)}),)


def _broadcasted(op: Operation, inputs: Sequence[Input], count: int) -> tuple[Tensor, ...] | None:
    shape, source = op.outputs[0].dims, op.inputs[0].dims
    if not inputs[0][1] or op.attrs.get("axis"):
        return None
    if shape is None or source is None or not is_static(shape):
        return None
    wide = _padded(inputs[0][0], len(shape) + 1)
    return (_create("BroadcastTo", [wide], {"shape": (count, *shape)}),)


def _transposed(op: Operation, inputs: Sequence[Input], _count: int) -> tuple[Tensor, ...] | None:
    perm, rank = op.attrs["perm"], _rank(op.inputs[0])
    if len(inputs) > 1 or rank is None:
        return None
    axes = range(rank)[::-1] if perm is None else [axis % rank for axis in perm]
    return _again(op, [inputs[0][0]], {"perm": (0, *(axis + 1 for axis in axes))})


def _with_entry(**first: Any) -> Rule:
    """Make the rule of ops with one entry per axis in some attributes: put one in front."""

    def rule(op: Operation, inputs: Sequence[Input], _count: int) -> tuple[Tensor, ...] | None:
        if len(inputs) > 1 or any(op.attrs[key] is None for key in first):
            return None
        attrs = {key: (entry, *op.attrs[key]) for key, entry in first.items()}
        return _again(op, [inputs[0][0]], attrs)

    return rule


def _sliced(op: Operation, inputs: Sequence[Input], _count: int) -> tuple[Tensor, ...] | None:
    return None if len(inputs) > 1 else _again(op, [inputs[0][0]], _with_all_rows(op))


def _unsliced(op: Operation, inputs: Sequence[Input], count: int) -> tuple[Tensor, ...] | None:
    if len(inputs) > 1 or op.attrs["shape"] is None:
        return None
    attrs = {**_with_all_rows(op), "shape": (count, *op.attrs["shape"])}
    return _again(op, [inputs[0][0]], attrs)


def _with_all_rows(op: Operation) -> dict[str, Any]:
    """Put a `:` in front of what a strided slice takes."""
    masks = {key: value << 1 for key, value in op.attrs.items() if key.endswith("_mask")}
    masks["begin_mask"] |= 1
    masks["end_mask"] |= 1
    entries = {"begin": 0, "end": 0, "strides": 1}
    return {**{key: (entry, *op.attrs[key]) for key, entry in entries.items()}, **masks}


# Products of matrices -----------------------------------------------------------------------------


def _matmul(op: Operation, inputs: Sequence[Input], _count: int) -> tuple[Tensor, ...] | None:
    transposed = op.attrs["transpose_a"], op.attrs["transpose_b"]
    if any(transposed) and op.outputs[0].dtype.is_complex:
        return None  # the batched op has adjoints only
    attrs = dict(zip(("adj_x", "adj_y"), transposed, strict=True))
    return (_create("BatchMatMulV2", [tensor for tensor, _stacked in inputs], attrs),)


def _batch_matmul(op: Operation, inputs: Sequence[Input], _count: int) -> tuple[Tensor, ...] | None:
    aligned = _aligned(op, inputs)
    if aligned is None:
        return None
    return (_create("BatchMatMulV2", aligned, {key: op.attrs[key] for key in ("adj_x", "adj_y")}),)


def _einsum(op: Operation, inputs: Sequence[Input], _count: int) -> tuple[Tensor, ...] | None:
    equation = op.attrs["equation"].replace(" ", "")
    if "->" not in equation:
        return None
    row = next((c for c in string.ascii_letters if c not in equation), None)
    if row is None:
        return None
    terms, result = equation.split("->")
    labels = [
        row + term if stacked else term
        for term, (_tensor, stacked) in zip(terms.split(","), inputs, strict=True)
    ]
    attrs = {"equation": f"{','.join(labels)}->{row}{result}"}
    return _again(op, [tensor for tensor, _stacked in inputs], attrs)


# Rows that are gathered and scattered -------------------------------------------------------------


def _trailing(slot: int, **last: Any) -> Rule:
    """Make the rule of ops that leave trailing axes of one input alone: let the rows be the last.

    Args:
        slot: that input; no other may be a stack.
        last: attributes that get the number of rows as their last entry.
    """

    def rule(op: Operation, inputs: Sequence[Input], count: int) -> tuple[Tensor, ...] | None:
        rank, out = _rank(op.inputs[slot]), _rank(op.outputs[0])
        others = [k for k, (_tensor, stacked) in enumerate(inputs) if stacked and k != slot]
        if rank is None or out is None or others:
            return None
        if last and (len(inputs) > 2 or any(op.attrs[key] is None for key in last)):
            return None  # the shape is known at run time only
        if op.attrs.get("axis", 0) < 0 or op.attrs.get("batch_dims", 0):
            return None
        tensors = [tensor for tensor, _stacked in inputs]
        tensors[slot] = _create("Transpose", [tensors[slot]], {"perm": (*range(1, rank + 1), 0)})
        found = _again(op, tensors, {key: (*op.attrs[key], count) for key in last})
        return (_create("Transpose", [found[0]], {"perm": (out, *range(out))}),)

    return rule


_ROWWISE = (
    *("Identity", "Neg", "Cast", "Conj", "Real", "Imag", "ZerosLike", "OnesLike"),
    *("ReluGrad", "Relu6Grad", "EluGrad", "SeluGrad", "LeakyReluGrad"),
    *("TanhGrad", "SigmoidGrad", "SqrtGrad", "RsqrtGrad", "ReciprocalGrad", "InvGrad"),
    *("SoftplusGrad", "SoftsignGrad"),
    *("MatrixBandPart", "MatrixDiagV3", "MatrixDiagPartV3", "MatrixSetDiagV3"),
    *("MatrixSolve", "MatrixTriangularSolve", "Cross"),
)

_RULES: dict[str, Rule] = {
    **dict.fromkeys(_ROWWISE, _leading),
    **dict.fromkeys(("Sum", "Mean"), _reduced),
    **dict.fromkeys(("ConcatV2", "Pack", "Unpack", "ExpandDims", "ReverseV2", "Cumsum"), _along),
    **dict.fromkeys(("Transpose", "ConjugateTranspose"), _transposed),
    **dict.fromkeys(("BatchMatMul", "BatchMatMulV2", "BatchMatMulV3"), _batch_matmul),
    **dict.fromkeys(("Reshape", "ReshapeLike", "Squeeze"), _reshaped),
    **dict.fromkeys(("BroadcastTo", "BroadcastLike"), _broadcasted),
    "AddN": _sum_of_all,
    "Select": _select,
    "MatMul": _matmul,
    "Einsum": _einsum,
    "Slice": _with_entry(begin=0, size=-1),
    "Pad": _with_entry(paddings=(0, 0)),
    "Tile": _with_entry(multiples=1),
    "StridedSlice": _sliced,
    "StridedSliceGrad": _unsliced,
    "GatherV2": _trailing(0),
    "GatherNd": _trailing(0),
    "ScatterNd": _trailing(1, shape=True),
    "UnsortedSegmentSum": _trailing(0),
}
