"""Derivatives along a direction, from inputs to outputs: forward mode on the registered rules.

A backward pass is linear in its initial gradients u: g(u) = Jᵀu. Differentiated once more, by u
and with the direction t as its own initial gradient, it gives J t. Both passes are made on a copy;
only what J t is computed from enters the graph, so what stands there is forward mode as one would
write it by hand: local derivatives, and tangents handed on from xs to ys.

Source: J. Townsend, "A new trick for calculating Jacobian vector products", 2017.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from engine.convert import to_tensor
from engine.errors import DTypeError, ShapeError
from engine.gradients import build_backward
from engine.graph import Graph, graph_of
from engine.nest import flatten, flatten_like, pack
from engine.reachability import Recorded
from engine.rebuild import Draft, Rebuild, draft_backward
from engine.shapes import compatible, show
from engine.tensor import Tensor


def jvp(ys: Any, xs: Any, tangents: Any, name: str = "jvp") -> Any:
    """Return the derivative of each y along a direction: the sum over xs of dy/dx times tangent.

    Args:
        ys: a tensor, or a nested structure of tensors.
        xs: a tensor or variable, or a nested structure of them.
        tangents: one per x, of its shape and type.
        name: scope of the operations that are added.

    Returns:
        The structure of ys; each entry of the shape of its y, or None where no x leads to it.

    Raises:
        ArgumentError: the tangents are not nested as the xs are.
        ShapeError, DTypeError: a tangent is not of the shape or type of its x.
    """
    sources, directions = flatten(xs), flatten_like(xs, tangents)
    graph = graph_of([*flatten(ys), *sources])
    targets = [to_tensor(y, graph) for y in flatten(ys)]
    x_list = [to_tensor(getattr(x, "handle", x), graph) for x in sources]
    t_list = check_tangents(graph, x_list, directions)
    return pack(ys, build_tangents(targets, x_list, t_list, name=name))


def vjp(ys: Any, xs: Any, cotangents: Any, name: str = "vjp") -> Any:
    """Return the gradient of each x for given gradients of the ys: the sum of those times dy/dx.

    Args:
        ys: a tensor, or a nested structure of tensors.
        xs: a tensor or variable, or a nested structure of them.
        cotangents: one per y, of its shape.
        name: scope of the operations that are added.

    Returns:
        The structure of xs; each entry as from `gradients`.
    """
    record = build_backward(flatten(ys), flatten(xs), flatten_like(ys, cotangents), name=name)
    return pack(xs, record.results)


def check_tangents(graph: Graph, xs: Sequence[Tensor], tangents: Sequence[Any]) -> list[Tensor]:
    """Return one tensor per x.

    Raises:
        ShapeError, DTypeError: a tangent is not of the shape or type of its x.
    """
    found = []
    for x, value in zip(xs, tangents, strict=True):
        tangent = to_tensor(value, graph, hint=x.dtype)
        if tangent.dtype is not x.dtype:
            raise DTypeError(
                f"the tangent of {x.name} must be {x.dtype.name} as well "
                f"(got {tangent.dtype.name}); cast it first"
            )
        if not compatible(x.dims, tangent.dims):
            raise ShapeError(
                f"the tangent of {x.name} must have its shape {show(x.dims)} "
                f"(got {show(tangent.dims)})"
            )
        found.append(tangent)
    return found


def build_tangents(
    ys: Sequence[Tensor],
    xs: Sequence[Tensor],
    tangents: Sequence[Tensor],
    *,
    recorded: Recorded | None = None,
    name: str = "jvp",
) -> list[Tensor | None]:
    """Return the tangent of every y, None where no x leads to it.

    Args:
        ys: the tensors to differentiate.
        xs: where the direction starts.
        tangents: one per x, of its shape and type.
        recorded: what a tape recorded; None means everything.
        name: scope of the operations that are added.
    """
    if not ys or not xs:
        return [None] * len(ys)
    graph = xs[0].graph
    with graph.name_scope(name) as scope:
        return [_tangent(y, xs, tangents, recorded, scope) for y in ys]


def _tangent(
    y: Tensor,
    xs: Sequence[Tensor],
    tangents: Sequence[Tensor],
    recorded: Recorded | None,
    scope: str,
) -> Tensor | None:
    direct = next((t for x, t in zip(xs, tangents, strict=True) if x is y), None)
    if not y.dtype.is_trainable:
        return direct
    draft = draft_backward([y], xs, recorded=recorded, kind="inner")
    if draft is None or draft.seeds[0] is None:
        return None if draft is not None else _in_place(y, xs, tangents, recorded)
    given = {
        _placeholder(draft.graph, result): tangent
        for result, tangent in zip(draft.results, tangents, strict=True)
        if result is not None
    }
    found = _forward(draft, draft.seeds[0], list(given))
    if found is None:
        return None
    if found in given:
        return given[found]
    rebuild = Rebuild(draft, y.graph, _with_seed(found, draft, given, y), scope)
    if not rebuild.possible([found]):
        return _in_place(y, xs, tangents, recorded)
    return rebuild.make([found])[0]


def _placeholder(graph: Graph, like: Tensor) -> Tensor:
    attrs = {"dtype": like.dtype, "shape": like.dims}
    return graph.create_op("Placeholder", [], attrs, "tangent").outputs[0]


def _forward(draft: Draft, seed: Tensor, tangents: Sequence[Tensor]) -> Tensor | None:
    """Differentiate the drafted gradients by their seed, along the tangents."""
    gradients = [result for result in draft.results if result is not None]
    if not gradients:
        return None
    with draft.graph.as_default():
        record = build_backward(gradients, [seed], tangents, name="tangents", kind="inner")
        found = record.results[0]
        return None if found is None else found.as_tensor()


def _with_seed(
    found: Tensor, draft: Draft, given: Mapping[Tensor, Tensor], y: Tensor
) -> Mapping[Tensor, Tensor]:
    """Add a seed of zeros if the result needs its shape; by linearity its value does not matter."""
    seed = draft.seeds[0]
    assert seed is not None
    stack, seen = [found], set()
    while stack:
        op = stack.pop().op
        if op is seed.op:
            zeros = y.graph.create_op("ZerosLike", [y], name="zeros_like").outputs[0]
            return {**given, seed: zeros}
        if op not in seen:
            seen.add(op)
            stack.extend(op.inputs)
    return given


def _in_place(
    y: Tensor, xs: Sequence[Tensor], tangents: Sequence[Tensor], recorded: Recorded | None
) -> Tensor | None:
    """Do both passes in the user's graph, where a gradient function cannot work on a copy."""
    graph = y.graph
    seed = graph.create_op("ZerosLike", [y], name="zeros_like").outputs[0]
    first = build_backward([y], xs, [seed], kind="inner", recorded=recorded)
    pairs = [
        (found.as_tensor(), tangent)
        for found, tangent in zip(first.results, tangents, strict=True)
        if found is not None
    ]
    if not pairs:
        return None
    gradients, directions = zip(*pairs, strict=True)
    found = build_backward(list(gradients), [seed], list(directions), kind="inner").results[0]
    return None if found is None else found.as_tensor()
