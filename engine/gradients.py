"""`gradients`: add the backward graph of ys with respect to xs, and keep a record of every step.

The algorithm: mark the operations between xs and ys; start each y with its seed; visit the marked
operations so that an operation comes after all its consumers; at each one, sum what its outputs
received, ask its registered gradient function what its inputs receive, and hand that on. One walk,
linear in the edges, without recursion; first in, first out.

The gradient that arrives at an output is called upstream (elsewhere: cotangent, adjoint).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engine.aggregation import check_method
from engine.backward import Backward
from engine.convert import to_tensor
from engine.errors import ArgumentError, ArgumentTypeError, GraphError
from engine.graph import Graph, graph_of, source_line
from engine.reachability import Recorded, between
from engine.seeds import seed_gradients
from engine.tensor import Tensor
from engine.walk import Walk


class UnconnectedGradients:
    """What the gradient of an x is that no y depends on."""

    NONE = "none"
    ZERO = "zero"


def gradients(
    ys: Any,
    xs: Any,
    grad_ys: Any = None,
    name: str = "gradients",
    colocate_gradients_with_ops: bool = False,
    gate_gradients: bool = False,
    aggregation_method: int | None = None,
    stop_gradients: Any = None,
    unconnected_gradients: str = UnconnectedGradients.NONE,
) -> list[Any]:
    """Return, for each x, the sum over ys of grad_y times dy/dx.

    Args:
        ys: a tensor or a list of them; several are summed.
        xs: a tensor, a variable or a list of them.
        grad_ys: one initial gradient per y, shaped like it; None means ones.
        name: scope of the operations that are added.
        colocate_gradients_with_ops: put each gradient operation on its forward operation's device.
        gate_gradients: let all gradients of one operation be ready before any is used.
        aggregation_method: see `AggregationMethod`.
        stop_gradients: tensors held constant in this call: nothing flows through them.
        unconnected_gradients: "none" or "zero", the answer for an x that no y depends on.

    Returns:
        A list as long as xs; each entry is a tensor or IndexedSlices shaped like its x, or None.

    Raises:
        ArgumentError: an argument has a value that is not accepted.
        GradientLookupError: an operation on the way has no registered gradient.
        ShapeError: a gradient function returned a gradient of the wrong shape.
    """
    record = build_backward(
        ys,
        xs,
        grad_ys,
        name=name,
        colocate=colocate_gradients_with_ops,
        gate=gate_gradients,
        aggregation_method=aggregation_method,
        stop_gradients=stop_gradients,
        unconnected_gradients=unconnected_gradients,
    )
    return list(record.results)


def build_backward(
    ys: Any,
    xs: Any,
    grad_ys: Any = None,
    *,
    name: str = "gradients",
    kind: str = "gradients",
    colocate: bool = False,
    gate: bool = False,
    aggregation_method: int | None = None,
    stop_gradients: Any = None,
    unconnected_gradients: str = UnconnectedGradients.NONE,
    recorded: Recorded | None = None,
) -> Backward:
    """Do what `gradients` does, and return the record of it, which the graph keeps as well.

    Args:
        kind: what the record is of, see `Backward`.
        recorded: what may be differentiated (a tape's operations and slots); None means all.
        Otherwise as `gradients`.
    """
    zero = check_unconnected(unconnected_gradients)
    method = check_method(aggregation_method)
    graph = graph_of([*_listed(ys), *_listed(xs)])
    y_list = tuple(to_tensor(y, graph) for y in _listed(ys, "ys"))
    x_list = tuple(_same_graph(_source(x, graph), y_list) for x in _listed(xs, "xs"))
    stop_list = [] if stop_gradients is None else _listed(stop_gradients)
    stops = tuple(_source(stop, graph) for stop in stop_list)
    first = graph.size_in_operations
    with graph.name_scope(name) as scope:
        seeds = seed_gradients(graph, y_list, grad_ys, complex_ones=kind == "tape")
        span = between(y_list, x_list, recorded)
        walk = Walk(graph, y_list, x_list, stops, span, recorded)
        walk.colocate, walk.gate, walk.method = colocate, gate, method
        walk.run(seeds)
    totals = [walk.gradients.get(x) for x in x_list]
    results = tuple(
        total.total if total is not None else (_zeros(graph, x) if zero else None)
        for total, x in zip(totals, x_list, strict=True)
    )
    record = Backward(
        kind=kind,
        name=scope.rstrip("/"),
        graph=graph,
        ys=y_list,
        xs=x_list,
        seeds=seeds,
        seeded=grad_ys is not None,
        stop_gradients=stops,
        aggregation_method=method,
        results=results,
        steps=tuple(walk.steps),
        cuts=walk.cuts(),
        gradients=walk.gradients,
        operations=graph.operations_since(first),
        line=source_line.get(),
        unconnected=tuple(total is None for total in totals),
    )
    graph.backwards.append(record)
    return record


def _listed(value: Any, argument: str = "") -> list[Any]:
    if value is None and argument:
        raise ArgumentTypeError(f"{argument} is None; give a tensor or a list of tensors")
    return list(value) if isinstance(value, list | tuple) else [value]


def _source(value: Any, graph: Graph) -> Tensor:
    """Return the tensor to differentiate by; for a variable its handle, which all reads share."""
    return to_tensor(getattr(value, "handle", value), graph)


def _same_graph(x: Tensor, ys: Sequence[Tensor]) -> Tensor:
    for y in ys:
        if y.graph is not x.graph:
            raise GraphError(f"{x.name} must be from the same graph as {y.name}")
    return x


def check_unconnected(value: Any) -> bool:
    """Return whether an unconnected gradient is zero rather than None.

    Raises:
        ArgumentError: neither "none" nor "zero".
    """
    if value not in (UnconnectedGradients.NONE, UnconnectedGradients.ZERO):
        raise ArgumentError(
            f"Unknown value for unconnected_gradients: {value!r}; it is 'none' or 'zero'"
        )
    return bool(value == UnconnectedGradients.ZERO)


def _zeros(graph: Graph, x: Tensor) -> Tensor:
    with graph.role("zeros", x.op):
        return graph.create_op("ZerosLike", [x], name="zeros_like").outputs[0]
