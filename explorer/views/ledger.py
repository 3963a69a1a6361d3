"""The paths of a backward pass and what its cuts hold back, in the form the views need."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from engine.backward import Backward
from engine.paths import Path, paths
from engine.replay import Values
from engine.stops import held_back, stopped_paths
from explorer.views.reduced import Hop

_LISTED = 6


@dataclass(frozen=True, eq=False)
class Route:
    """One chain-rule path: its edges from the x to the y, and what flows along it.

    Attributes:
        x: Index of the x it ends at.
        hops: Forward edges as (consumer, input slot), from the x to the y.
        amount: What it contributes to the gradient, or would, if it is blocked.
        blocked: True when a cut stops it.
    """

    x: int
    hops: tuple[Hop, ...]
    amount: Any
    blocked: bool = False


@dataclass(frozen=True, eq=False)
class Holdback:
    """What one cut edge keeps from arriving.

    Attributes:
        hop: The edge.
        here: The gradient that would have crossed it, None when unknown.
        at_x: Per x index, how much its gradient would change.
    """

    hop: Hop
    here: Any
    at_x: tuple[tuple[int, Any], ...]


@dataclass(frozen=True, eq=False)
class Ledger:
    """The paths of a backward pass and what its cuts hold back.

    Attributes:
        routes: Listed paths, strongest first for each x.
        counts: Number of unblocked paths per x, exactly.
        holdbacks: One per cut whose amount is known.
    """

    routes: tuple[Route, ...] = ()
    counts: tuple[int, ...] = ()
    holdbacks: tuple[Holdback, ...] = ()


def read_ledger(backward: Backward, values: Values, limit: int = _LISTED) -> Ledger:
    """Ask the engine for the strongest paths to every x and for what the cuts hold back.

    Args:
        backward: What a call recorded.
        values: Arrays of the record's tensors, as ``evaluate_record`` returns them.
        limit: How many paths to list for each x.
    """
    routes: list[Route] = []
    counts: list[int] = []
    for index, x in enumerate(backward.xs):
        listed = paths(backward, x, limit=limit, values=values)
        counts.append(listed.count)
        routes += [_route(path, index) for path in listed.paths]
        for stopped in stopped_paths(backward, x, limit=limit, values=values):
            routes += [_route(path, index) for path in stopped.paths]
    holdbacks = [
        Holdback(
            (held.cut.op, held.cut.input),
            held.at_edge,
            tuple(
                (index, amount) for index, amount in enumerate(held.amounts) if amount is not None
            ),
        )
        for held in held_back(backward, values=values)
    ]
    return Ledger(tuple(routes), tuple(counts), tuple(holdbacks))


def _route(path: Path, index: int) -> Route:
    hops = tuple((edge.op, edge.input) for edge in reversed(path.edges))
    return Route(index, hops, path.product, path.cut is not None)
