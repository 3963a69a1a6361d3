"""Jacobians: a backward pass for all elements of the target at once, or one for each.

A pass starts with a one at one element of the target and zeros elsewhere. Where it can, one pass
carries a stack of all these seeds (`engine.rows`); otherwise there is a pass for each, kept by the
graph as a record of kind "inner".
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from engine.convert import to_tensor
from engine.errors import ShapeError
from engine.gradients import UnconnectedGradients, build_backward, check_unconnected
from engine.graph import graph_of
from engine.nest import flatten, pack
from engine.reachability import Recorded
from engine.rows import gradient_rows
from engine.shapes import Dims, is_static, show
from engine.tensor import Tensor


def jacobian(
    ys: Any, xs: Any, unconnected_gradients: str = UnconnectedGradients.NONE, name: str = "jacobian"
) -> Any:
    """Return the derivative of every element of ys by every element of each x.

    Args:
        ys: one tensor.
        xs: a tensor or variable, or a nested structure of them.
        unconnected_gradients: "none" or "zero", the answer for an x that ys does not depend on.
        name: scope of the operations that are added.

    Returns:
        The structure of xs; each entry is of shape `ys.shape + x.shape`, or None.

    Raises:
        ShapeError: the number of elements of ys is not known before it is run.
    """
    zero = check_unconnected(unconnected_gradients)
    flat = flatten(xs)
    graph = graph_of([ys, *flat])
    target = to_tensor(ys, graph)
    sources = [to_tensor(getattr(x, "handle", x), graph) for x in flat]
    return pack(xs, build_jacobians(target, sources, zero=zero, name=name))


def build_jacobians(
    target: Tensor,
    sources: Sequence[Tensor],
    *,
    zero: bool = False,
    recorded: Recorded | None = None,
    name: str = "jacobian",
    dims: Dims = None,
    **options: Any,
) -> list[Tensor | None]:
    """Return the Jacobian of one tensor by each source, None where there is no way to it.

    Args:
        target: the tensor to differentiate.
        sources: what to differentiate by.
        zero: whether an unconnected Jacobian is zero rather than None.
        recorded: what a tape recorded; None means everything.
        name: scope of the operations that are added.
        dims: the target's shape, where the caller knows more of it than the target says.
        options: passed on to `build_backward`.
    """
    dims = target.dims if dims is None else dims
    if dims is None or not is_static(dims):
        raise ShapeError(
            f"a Jacobian needs a target of known shape, one backward pass per element "
            f"(got {target.name} {show(dims)}); give its placeholder a full shape"
        )
    sizes = tuple(size or 0 for size in dims)
    with target.graph.name_scope(name) as scope:
        stacks = None
        if math.prod(sizes) > 1 and target.dtype.kind in "iufc":
            stacks = gradient_rows(
                target,
                sources,
                lambda: _all_seeds(target, sizes),
                math.prod(sizes),
                scope,
                recorded=recorded,
                **options,
            )
        if stacks is None:
            rows = [
                _row(target, sources, seed, recorded, options) for seed in _seeds(target, sizes)
            ]
            stacks = [_stacked(column) for column in zip(*rows, strict=True)]
        return [
            _shaped(stack, dims, source, empty=0 in sizes, zero=zero)
            for stack, source in zip(stacks, sources, strict=True)
        ]


def _all_seeds(target: Tensor, sizes: Sequence[int]) -> Tensor:
    """Return ones at one element each, `[number of elements, *sizes]`.

    Made by operations, not as a constant: its size is the square of the target's, and is known
    before it is computed.
    """
    graph, count = target.graph, math.prod(sizes)
    with graph.role("seed"):
        ones = graph.create_op("Const", [], {"value": np.ones(count, target.dtype.dtype)}, "ones")
        rows = graph.create_op("Diag", [ones.outputs[0]], name="rows").outputs[0]
        if tuple(sizes) == (count,):
            return rows
        return graph.create_op("Reshape", [rows], {"shape": (count, *sizes)}, "rows").outputs[0]


def _seeds(target: Tensor, sizes: Sequence[int]) -> Iterator[Any]:
    """Yield ones at one element each; zeros, once, if there are no elements."""
    for element in range(max(math.prod(sizes), 1)):
        seed = np.zeros(sizes, target.dtype.dtype)
        seed.reshape(-1)[element : element + 1] = 1
        yield seed


def _row(
    target: Tensor,
    sources: Sequence[Tensor],
    seed: Any,
    recorded: Recorded | None,
    options: dict[str, Any],
) -> tuple[Tensor | None, ...]:
    if target.dtype.kind not in "iufc":
        return (None,) * len(sources)
    record = build_backward([target], sources, [seed], kind="inner", recorded=recorded, **options)
    return tuple(None if found is None else found.as_tensor() for found in record.results)


def _stacked(rows: Sequence[Tensor | None]) -> Tensor | None:
    present = [row for row in rows if row is not None]
    if not present:
        return None
    graph = present[0].graph
    with graph.role("gradient"):
        return graph.create_op("Pack", present, {"axis": 0}, name="stack").outputs[0]


def _shaped(
    stack: Tensor | None, dims: Dims, source: Tensor, *, empty: bool, zero: bool
) -> Tensor | None:
    """Give a stack of rows the shape of a Jacobian."""
    assert dims is not None
    if stack is None:
        return _zeros(source, dims) if zero else None
    if empty:
        return _zeros(source, dims)
    with source.graph.role("gradient"):
        return _reshaped(stack, source, (*dims, *_sizes(source)), done=len(dims) == 1)


def _reshaped(
    stacked: Tensor, source: Tensor, shape: tuple[int | None, ...], *, done: bool
) -> Tensor:
    if done:
        return stacked
    if shape.count(None) > 1:
        raise ShapeError(
            f"a Jacobian by {source.name} needs a shape of which at most one size is unknown "
            f"(got {show(source.dims)})"
        )
    sizes = tuple(-1 if size is None else size for size in shape)
    return stacked.graph.create_op("Reshape", [stacked], {"shape": sizes}, "reshape").outputs[0]


def _zeros(source: Tensor, dims: tuple[int | None, ...]) -> Tensor:
    sizes = (*dims, *_sizes(source))
    if not is_static(sizes):
        raise ShapeError(f"zeros of shape {show(sizes)} need {source.name} to have a known shape")
    zeros = np.zeros(tuple(size or 0 for size in sizes), source.dtype.dtype)
    with source.graph.role("zeros"):
        return source.graph.create_op("Const", [], {"value": zeros}, "zeros").outputs[0]


def _sizes(tensor: Tensor) -> tuple[int | None, ...]:
    if tensor.dims is None:
        raise ShapeError(
            f"a Jacobian by {tensor.name} needs to know its rank; give its placeholder a shape"
        )
    return tensor.dims


def batch_jacobian(output: Any, inp: Any) -> Tensor:
    """Return, for each example k of a batch, the Jacobian of output[k] by inp[k].

    Arguments and answer as of `build_batch_jacobian`, without a tape.
    """
    graph = graph_of([output, inp])
    source = to_tensor(getattr(inp, "handle", inp), graph)
    return build_batch_jacobian(to_tensor(output, graph), source, None)


def build_batch_jacobian(target: Tensor, source: Tensor, recorded: Recorded | None) -> Tensor:
    """Return, for each example k of a batch, the Jacobian of target[k] by source[k].

    Examples are taken to be independent: a pass differentiates the sum over the batch, so what one
    example contributes to another would be added in.

    Args:
        target: `[batch, ...]`.
        source: `[batch, ...]`.

    Returns:
        `[batch, *target.shape[1:], *source.shape[1:]]`, zero where there is no dependence.

    Raises:
        ShapeError: a rank is below 2, the first sizes differ, or a later size is unknown.
    """
    outer, inner = _examples(target), _examples(source)
    if None not in (outer[0], inner[0]) and outer[0] != inner[0]:
        raise ShapeError(
            f"Need first dimension of target shape ({show(outer)}) and source shape "
            f"({show(inner)}) to match."
        )
    if None in outer[1:] or None in inner[1:]:
        raise ShapeError(
            f"a batch Jacobian needs to know all sizes but the first "
            f"(got target {show(outer)}, source {show(inner)})"
        )
    graph = source.graph
    with graph.name_scope("batch_jacobian") as scope:
        stack = _example_rows(target, source, outer, recorded, scope)
        with graph.role("gradient"):
            if stack is None:
                return _example_zeros(source, outer, inner)
            axes = (1, 0, *range(2, len(inner) + 1))
            rows = graph.create_op("Transpose", [stack], {"perm": axes}).outputs[0]
            return _reshaped(rows, source, (inner[0], *outer[1:], *inner[1:]), done=len(outer) == 2)


def _example_rows(
    target: Tensor,
    source: Tensor,
    outer: tuple[int | None, ...],
    recorded: Recorded | None,
    scope: str,
) -> Tensor | None:
    """Return `[elements of an example, *source.shape]`: a row per element, for all examples."""
    sizes = [size or 0 for size in outer[1:]]
    if math.prod(sizes) > 1 and target.dtype.kind in "iufc":
        found = gradient_rows(
            target,
            [source],
            lambda: _for_all_examples(target, outer, _all_seeds(target, (1, *sizes))),
            math.prod(sizes),
            scope,
            recorded=recorded,
        )
        if found is not None:
            return found[0]
    if not math.prod(sizes):
        return None
    rows = [
        _row(target, [source], _for_all_examples(target, outer, seed), recorded, {})[0]
        for seed in _seeds(target, (1, *sizes))
    ]
    return _stacked(rows)


def _examples(tensor: Tensor) -> tuple[int | None, ...]:
    if tensor.dims is None or len(tensor.dims) < 2:
        raise ShapeError(
            f"Shape {show(tensor.dims)} must have rank at least 2: a batch Jacobian needs a batch "
            f"of vectors or more (got {tensor.name})"
        )
    return tensor.dims


def _for_all_examples(target: Tensor, outer: tuple[int | None, ...], ones: Any) -> Tensor:
    """Give every example a copy of `[..., 1, *example]`."""
    graph = target.graph
    with graph.role("seed"):
        if outer[0] is None:
            everywhere = graph.create_op("OnesLike", [target]).outputs[0]
            return graph.create_op("Mul", [everywhere, ones]).outputs[0]
        before = tuple(ones.shape)[: len(ones.shape) - len(outer)]
        shape = (*before, *outer)
        return graph.create_op("BroadcastTo", [ones], {"shape": shape}, "rows").outputs[0]


def _example_zeros(
    source: Tensor, outer: tuple[int | None, ...], inner: tuple[int | None, ...]
) -> Tensor:
    if inner[0] is None:
        raise ShapeError(f"zeros for {source.name} {show(inner)} need a known batch size")
    sizes = [size or 0 for size in (inner[0], *outer[1:], *inner[1:])]
    value = np.zeros(sizes, source.dtype.dtype)
    return source.graph.create_op("Const", [], {"value": value}, "zeros").outputs[0]
