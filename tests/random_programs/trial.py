"""One program, built and differentiated once: what all checks share."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import Any

import numpy as np

from engine.backward import Backward
from engine.gradients import build_backward
from engine.plan import evaluate
from engine.tensor import Tensor
from tests.random_programs.differences import weights
from tests.random_programs.program import Built, Program


class Trial:
    """A program with the gradients of its xs.

    Attributes:
        built: the program in a graph, all shapes known.
        factors: the upstream gradients of the ys.
        values: of all tensors.
        gradients: of the xs; zeros for None.
        scale: the size of the gradients and of the weighted sum, at least 1.
        counts: how often what was compared or skipped.
    """

    def __init__(self, program: Program, rng: random.Random, counts: Counter[str]) -> None:
        self.program = program
        self.rng = rng
        self.counts = counts
        self.built = Built(program)
        self.values = evaluate(self.built.tensors, self.built.feeds)
        self.factors = [
            weights(self.values[y].shape, self.values[y].dtype, k) for k, y in enumerate(program.ys)
        ]
        self.record = self.differentiate(self.built)
        self.gradients = self.dense(self.built, self.record)
        largest = [float(np.max(np.abs(g), initial=0.0)) for g in self.gradients]
        total = [float(np.sum(np.abs(self.values[y]))) for y in program.ys]
        self.scale = max(1.0, *largest, *total)

    @property
    def stopped(self) -> frozenset[int]:
        """Return the steps whose outputs the argument `stop_gradients` holds constant."""
        producers = self.program.producers
        return frozenset(producers[number] for number in self.program.stops)

    @cached_property
    def unstopped(self) -> list[Any]:
        """Return the gradients of the xs without the argument `stop_gradients`."""
        if not self.program.stops:
            return self.gradients
        return self.dense(self.built, self.differentiate(self.built, stops=False))

    def differentiate(self, built: Built, *, stops: bool = True, method: int = 0) -> Backward:
        return build_backward(
            built.ys,
            built.xs,
            [built.graph.create_op("Const", [], {"value": w}).outputs[0] for w in self.factors],
            aggregation_method=method,
            stop_gradients=built.stops if stops else None,
        )

    def dense(self, built: Built, record: Backward) -> list[Any]:
        """Return the gradients of the xs as arrays, zeros for None."""
        present = [g.as_tensor() for g in record.results if g is not None]
        found = iter(evaluate(present, built.feeds))
        return [
            np.zeros_like(self.values[x]) if gradient is None else next(found)
            for x, gradient in zip(self.program.xs, record.results, strict=True)
        ]

    def held(self, steps: Iterable[int]) -> dict[Tensor, Any]:
        """Return the values of the outputs of these steps and of all StopGradient ops."""
        firsts, held = self.program.firsts, set(steps)
        held |= {k for k, step in enumerate(self.program.steps) if step.op == "StopGradient"}
        return {
            self.built.tensors[number]: self.values[number]
            for k in held
            for number in range(firsts[k], firsts[k] + self.program.steps[k].outputs)
        }

    def entries(self, array: Any, most: int) -> Iterator[tuple[tuple[int, ...], complex]]:
        """Yield some entries of an array, with a direction: 1, for complex numbers also 1j."""
        places = list(np.ndindex(array.shape))
        directions = (1, 1j) if array.dtype.kind == "c" else (1,)
        for place in self.rng.sample(places, min(most, len(places))):
            for direction in directions:
                yield place, direction

    def feeds(self, held: Mapping[Tensor, Any], number: int) -> dict[Tensor, Any]:
        """Return what to feed when the tensor of this number is moved and others are held."""
        x = self.built.tensors[number]
        return {**self.built.feeds, **held, x: self.values[number]}
