"""The paths of a backward pass and what its cuts hold back, in the form the views need."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from engine.backward import Backward
from engine.paths import Path, Paths, paths
from engine.replay import Values
from engine.stops import HeldBack, held_back, stopped_paths
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
    xs = backward.xs
    return ledger_of(
        [paths(backward, x, limit=limit, values=values) for x in xs],
        [stopped_paths(backward, x, limit=limit, values=values) for x in xs],
        held_back(backward, values=values),
    )


def ledger_of(
    live: Sequence[Paths], stopped: Sequence[Sequence[Paths]], held: Sequence[HeldBack]
) -> Ledger:
    """Put what the engine found out into the form the views need.

    Args:
        live: Per x its paths.
        stopped: Per x the paths that each stop keeps from counting.
        held: What each cut holds back.
    """
    routes = [
        route
        for index, (counting, blocked) in enumerate(zip(live, stopped, strict=True))
        for route in routes_of(index, counting, blocked)
    ]
    return Ledger(
        tuple(routes),
        tuple(listed.count for listed in live),
        tuple(_holdback(entry) for entry in held),
    )


def routes_of(index: int, live: Paths, stopped: Sequence[Paths]) -> tuple[Route, ...]:
    """Return the routes to the x of this index, those that count first."""
    listed = (*live.paths, *(path for paths in stopped for path in paths.paths))
    return tuple(_route(path, index) for path in listed)


def _holdback(held: HeldBack) -> Holdback:
    at_x = tuple((x, amount) for x, amount in enumerate(held.amounts) if amount is not None)
    return Holdback((held.cut.op, held.cut.input), held.at_edge, at_x)


def _route(path: Path, index: int) -> Route:
    hops = tuple((edge.op, edge.input) for edge in reversed(path.edges))
    return Route(index, hops, path.product, path.cut is not None)
