"""The heaviest paths against a listing of all of them."""

from __future__ import annotations

import random

import pytest

from engine.strongest import Heaviest


def _all_weights(
    arcs: list[tuple[int, int, float]], starts: list[tuple[int, float]], end: int
) -> list[float]:
    found = []
    stack = list(starts)
    while stack:
        node, weight = stack.pop()
        if node == end:
            found.append(weight)
        stack.extend((target, weight + more) for source, target, more in arcs if source == node)
    return sorted(found, reverse=True)


@pytest.mark.parametrize("seed", range(60))
def test_every_path_comes_once_and_the_heaviest_first(seed: int) -> None:
    draw = random.Random(seed)
    nodes = draw.randint(2, 8)
    arcs = [
        (source, draw.randint(source + 1, nodes - 1), draw.uniform(-2, 1))
        for source in range(nodes - 1)
        for _ in range(draw.randint(0, 4))
    ]
    starts = [(draw.randrange(nodes), draw.uniform(-1, 1)) for _ in range(draw.randint(1, 3))]
    sources, targets, weights = (
        [arc[0] for arc in arcs],
        [arc[1] for arc in arcs],
        [arc[2] for arc in arcs],
    )
    found = list(Heaviest(sources, targets, weights, nodes - 1).paths(starts))
    assert len({(start, tuple(path)) for start, path in found}) == len(found)
    got = [starts[start][1] + sum(weights[arc] for arc in path) for start, path in found]
    assert got == pytest.approx(_all_weights(arcs, starts, nodes - 1))


def test_a_start_from_which_the_end_cannot_be_reached_has_no_path() -> None:
    assert list(Heaviest([0], [1], [1.0], 2).paths([(0, 0.0)])) == []
