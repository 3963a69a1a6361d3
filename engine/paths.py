"""Chain-rule paths: how many there are, the strongest of them, and what each one contributes.

A path leads from a y, whose gradient is the seed, over edges that a gradient crossed, to an x.
Its product is the seed carried along that path alone. The products of all paths add up to the
gradient of x.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

import numpy as np

from engine.backward import Backward, Cut, Step
from engine.ledger import Edge, Ledger
from engine.links import Link, links
from engine.replay import Values, evaluate_record, gradient_value
from engine.strongest import Heaviest
from engine.tensor import Operation, Tensor

_SPARE = 4  # for tensors the order is a guess: carry this many times more paths than are listed


@dataclass(frozen=True, eq=False)
class Path:
    """One chain-rule path.

    Attributes:
        start: index into the ys of the record.
        seed: the gradient that its y starts with; None if not known.
        edges: from y to x.
        product: what it adds to the gradient of x, shaped like x; None if not known.
        share: its part of the gradient, 1 for all of it; for arrays the part of it in the
            direction of the gradient. None where the gradient is zero, not finite or not known.
        cut: the stop that keeps it from counting, else None.
    """

    y: Tensor
    start: int
    x: Tensor
    seed: Any
    edges: tuple[Edge, ...]
    product: Any
    share: float | None
    cut: Cut | None = None

    @property
    def steps(self) -> tuple[Step | None, ...]:
        return tuple(edge.step for edge in self.edges)


@dataclass(frozen=True, eq=False)
class Paths:
    """The strongest paths to an x, strongest first.

    Attributes:
        count: number of all paths.
        total: the sum of the products of all paths: the gradient. None if there is none, or it is
            not known.
        rest: what the paths that are not listed hold together.
        cut: for stopped paths the stop, else None.
    """

    x: Tensor
    paths: tuple[Path, ...]
    count: int
    total: Any
    rest: Any
    cut: Cut | None = None


def count_paths(backward: Backward, x: Tensor, y: Tensor | None = None) -> int:
    """Return the number of chain-rule paths from the ys, or from one of them, to x."""
    return _count(links(backward), _starts_at(backward, _starts(backward, y)), x)


def paths(
    backward: Backward,
    x: Tensor,
    feeds: Mapping[Tensor, Any] | None = None,
    limit: int = 12,
    y: Tensor | None = None,
    *,
    values: Values | None = None,
) -> Paths:
    """Return the strongest paths to x.

    Args:
        x: any tensor; without a gradient it has no paths.
        feeds: values of placeholders; by default what a session fed last.
        limit: how many paths to list.
        y: only paths from this y; by default from all.
        values: what `evaluate_record` returned, to save doing it again.
    """
    known = evaluate_record(backward, feeds) if values is None else values
    starts = _starts(backward, y)
    ledger = Ledger(backward, links(backward), known)
    if len(starts) == len(_starts(backward, None)):
        total = gradient_value(backward, x, known)
    else:
        total = ledger.flow(ledger.seeds(starts)).get(x)
    return list_paths(ledger, x, starts, limit, total)


def _starts(backward: Backward, y: Tensor | None) -> tuple[int, ...]:
    return tuple(
        index
        for index, tensor in enumerate(backward.ys)
        if tensor in backward.gradients and (y is None or tensor is y)
    )


def _starts_at(backward: Backward, starts: Sequence[int]) -> list[Tensor]:
    return [backward.ys[start] for start in starts]


def _count(all_links: Sequence[Link], starts: Sequence[Tensor], x: Tensor) -> int:
    """Count by adding up; a tensor's number is dropped once its operation is left behind."""
    counts: dict[Tensor, int] = {}
    for y in starts:
        counts[y] = counts.get(y, 0) + 1
    previous: Operation | None = None
    for step, _, source, receiver, _ in all_links:
        if previous is not step.op:
            _drop(counts, previous, x)
            previous = step.op
        arriving = counts.get(source)
        if arriving and source is not x:
            counts[receiver] = counts.get(receiver, 0) + arriving
    return counts.get(x, 0)


def _drop(counts: dict[Tensor, int], op: Operation | None, x: Tensor) -> None:
    for tensor in () if op is None else op.outputs:
        if tensor is not x:
            counts.pop(tensor, None)


def list_paths(
    ledger: Ledger, x: Tensor, starts: Sequence[int], limit: int, total: Any, cut: Cut | None = None
) -> Paths:
    """List the strongest paths to x that the links of a ledger make up.

    Args:
        starts: indices into the ys.
        total: what all these paths hold together.
        cut: the stop that they lead over, if any.
    """
    ys = _starts_at(ledger.backward, starts)
    count = _count(ledger.links, ys, x)
    scalar = all(np.ndim(ledger.values.get(tensor, 0.0)) == 0 for tensor in (*ys, x))
    taken = limit if scalar else limit * _SPARE
    with np.errstate(all="ignore"):
        found = _strongest(ledger, x, starts, min(count, taken))
        products = _products(ledger, starts, found)
        order = sorted(range(len(found)), key=lambda index: -_size(products[index]))[:limit]
        shown = tuple(
            _path(ledger, x, starts[found[index][0]], found[index][1], products[index], total, cut)
            for index in order
        )
        rest = _rest(total, [path.product for path in shown], complete=count == len(shown))
    return Paths(x, shown, count, total, rest, cut)


def _strongest(
    ledger: Ledger, x: Tensor, starts: Sequence[int], limit: int
) -> list[tuple[int, list[int]]]:
    """Return the strongest paths, each as a position in starts and the indices of its links."""
    numbers: dict[Tensor, int] = {}
    for link in ledger.links:
        numbers.setdefault(link.source, len(numbers))
        numbers.setdefault(link.receiver, len(numbers))
    for tensor in (*ledger.backward.ys, x):
        numbers.setdefault(tensor, len(numbers))
    heaviest = Heaviest(
        [numbers[link.source] for link in ledger.links],
        [numbers[link.receiver] for link in ledger.links],
        [_log(ledger.gain(index)) for index in range(len(ledger.links))],
        numbers[x],
    )
    entries = []
    for start in starts:
        seed = ledger.seed(start)
        weight = 0.0 if seed is None else _log(_size(seed))
        entries.append((numbers[ledger.backward.ys[start]], weight))
    return list(islice(heaviest.paths(entries), limit))


def _products(
    ledger: Ledger, starts: Sequence[int], found: Sequence[tuple[int, list[int]]]
) -> list[Any]:
    """Carry the seeds along the paths; what paths share at their beginning is carried once."""
    steps: dict[tuple[int, int], int] = {}
    carried: list[Any] = [_unboxed(ledger.seed(start)) for start in starts]
    products = []
    for start, arcs in found:
        at = start
        for arc in arcs:
            following = steps.get((at, arc))
            if following is None:
                following = steps[at, arc] = len(carried)
                carried.append(_unboxed(ledger.carried(arc, carried[at])))
            at = following
        products.append(carried[at])
    return products


def _path(
    ledger: Ledger,
    x: Tensor,
    start: int,
    arcs: Sequence[int],
    product: Any,
    total: Any,
    cut: Cut | None,
) -> Path:
    edges = tuple([ledger.edge(arc) for arc in arcs])
    array = None if product is None else np.asarray(product)
    y, seed = ledger.backward.ys[start], ledger.seed(start)
    return Path(y, start, x, seed, edges, array, _share(array, total), cut)


def _unboxed(value: Any) -> Any:
    """Return an array without axes as a scalar, with which multiplying is quicker."""
    return value[()] if isinstance(value, np.ndarray) and not value.ndim else value


def _size(value: Any) -> float:
    """Return the Euclidean norm, infinity for what is not finite, so that it comes first."""
    if value is None:
        return 0.0
    size = float(abs(value)) if not np.ndim(value) else float(np.linalg.norm(np.ravel(value)))
    return size if math.isfinite(size) else math.inf


def _log(size: float) -> float:
    """Return the logarithm; finite for zero and infinity, and beyond all others."""
    if size == 0:
        return -1e5
    return math.log(size) if math.isfinite(size) else 1e5


def _rest(total: Any, listed: Sequence[Any], *, complete: bool) -> Any:
    if total is None or any(product is None for product in listed):
        return None
    if complete:
        return np.zeros_like(total)
    return np.asarray(total - sum(listed))


def _share(product: Any, total: Any) -> float | None:
    if product is None or total is None:
        return None
    square = float(np.vdot(total, total).real)
    part = float(np.vdot(total, product).real)
    return part / square if square and math.isfinite(square) and math.isfinite(part) else None
