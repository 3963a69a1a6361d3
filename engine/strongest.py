"""The n heaviest paths of an acyclic graph, without listing any others.

Every path that is not the heaviest one leaves it somewhere by a detour, and each detour has a
known cost. The detours that can be taken from a node on are kept in a heap; the heap of a node
is that of the next node with the node's own detours added, sharing everything else.

Source: D. Eppstein, Finding the k shortest paths, SIAM J. Computing 28 (1998) 652-673.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Sequence
from typing import NamedTuple


class _Detour(NamedTuple):
    """A node of a persistent leftist heap, least cost on top."""

    cost: float
    arc: int
    rank: int
    left: _Detour | None
    right: _Detour | None


class _Chosen(NamedTuple):
    """The detours taken so far, the last one first."""

    before: _Chosen | None
    arc: int


class Heaviest:
    """Paths to one end, heaviest first; the weight of a path is the sum of those of its arcs.

    Args:
        sources: per arc the node that it leaves; all arcs into a node come before those out of it.
        targets: per arc the node that it leads to.
        weights: per arc its weight.
        end: where every path ends.
    """

    def __init__(
        self, sources: Sequence[int], targets: Sequence[int], weights: Sequence[float], end: int
    ) -> None:
        self._sources, self._targets, self._weights = sources, targets, weights
        self._end = end
        self._weight: dict[int, float] = {end: 0.0}
        self._next: dict[int, int] = {}
        self._detours: dict[int, _Detour | None] = {end: None}
        outgoing: dict[int, list[int]] = {}
        for arc, source in enumerate(sources):
            outgoing.setdefault(source, []).append(arc)
        # The other way round: by then everything behind the targets is done.
        for source in reversed(outgoing):
            if source != end:
                self._add(source, outgoing[source])

    def _add(self, source: int, outgoing: Sequence[int]) -> None:
        reaching = [
            (self._weights[arc] + self._weight[self._targets[arc]], arc)
            for arc in outgoing
            if self._targets[arc] in self._weight
        ]
        if not reaching:
            return
        weight, best = max(reaching, key=lambda entry: entry[0])
        heap = self._detours[self._targets[best]]
        for other, arc in reaching:
            if arc != best:
                heap = _merge(heap, _Detour(weight - other, arc, 1, None, None))
        self._weight[source], self._next[source], self._detours[source] = weight, best, heap

    def paths(self, starts: Sequence[tuple[int, float]]) -> Iterator[tuple[int, list[int]]]:
        """Yield paths from any of the starts, each as the index of its start and its arcs.

        Args:
            starts: nodes to start at, each with a weight of its own.
        """
        queue: list[tuple[float, int, int, _Chosen | None, _Detour | None]] = []
        count = 0

        def push(cost: float, start: int, chosen: _Chosen | None, detour: _Detour | None) -> None:
            nonlocal count
            heapq.heappush(queue, (cost, count, start, chosen, detour))
            count += 1

        for index, (node, weight) in enumerate(starts):
            if node in self._weight:
                push(-weight - self._weight[node], index, None, None)
        while queue:
            cost, _, start, chosen, detour = heapq.heappop(queue)
            node = starts[start][0]
            if detour is not None:
                for sibling in (detour.left, detour.right):
                    if sibling is not None:
                        push(cost - detour.cost + sibling.cost, start, chosen, sibling)
                chosen = _Chosen(chosen, detour.arc)
                node = self._targets[detour.arc]
            yield start, self._follow(starts[start][0], chosen)
            following = self._detours[node]
            if following is not None:
                push(cost + following.cost, start, chosen, following)

    def _follow(self, node: int, chosen: _Chosen | None) -> list[int]:
        detours: dict[int, int] = {}
        while chosen is not None:
            detours[self._sources[chosen.arc]] = chosen.arc
            chosen = chosen.before
        path: list[int] = []
        while node != self._end:
            arc = detours.get(node, -1)
            if arc < 0:
                arc = self._next[node]
            path.append(arc)
            node = self._targets[arc]
        return path


def _merge(first: _Detour | None, second: _Detour | None) -> _Detour | None:
    """Merge two heaps; the right spine of a leftist heap is logarithmic, so this is shallow."""
    if first is None or second is None:
        return first if second is None else second
    if second.cost < first.cost:
        first, second = second, first
    left, right = first.left, _merge(first.right, second)
    if (left.rank if left else 0) < (right.rank if right else 0):
        left, right = right, left
    return _Detour(first.cost, first.arc, (right.rank if right else 0) + 1, left, right)
