"""A random program while it is being written: every step is computed at once."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from engine.graph import Graph
from engine.plan import evaluate
from engine.tensor import Tensor
from tests.random_programs.program import LEAVES, Step

_LARGEST = 50.0
_MOST_ENTRIES = 120


class Draft:
    """Steps so far, and the value of every tensor; values are float64 unless a production says so.

    Attributes:
        rng: the source of every choice. A choice of 0, or of the first, is the simplest one, so
            that hypothesis can shrink a program.
        hidden: tensors whose gradient is none of changes of single entries: no xs.
    """

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.steps: list[Step] = []
        self.values: list[Any] = []
        self.hidden: set[int] = set()
        self._tensors: list[Tensor] = []
        self._graph = Graph()

    def add(self, op: str, *inputs: int, **attrs: Any) -> tuple[int, ...]:
        """Add a step and return the numbers of its outputs."""
        given = {"value": attrs["value"]} if op in LEAVES else attrs
        kind = "Const" if op in LEAVES else op
        created = self._graph.create_op(kind, [self._tensors[k] for k in inputs], given)
        first = len(self.values)
        self.steps.append(Step(op, inputs, attrs, len(created.outputs)))
        self._tensors.extend(created.outputs)
        self.values.extend(evaluate(created.outputs))
        return tuple(range(first, len(self.values)))

    def one(self, op: str, *inputs: int, **attrs: Any) -> int:
        """Add a step and return the number of its only output."""
        (output,) = self.add(op, *inputs, **attrs)
        return output

    def constant(self, value: Any) -> int:
        return self.one("Const", value=np.asarray(value))

    def parameter(self, value: Any) -> int:
        """Return a constant that an op does not differentiate, although the value depends on it."""
        number = self.constant(value)
        self.hidden.add(number)
        return number

    def numbers(self, *shape: int, low: float = -2.0, high: float = 2.0) -> Any:
        """Return an array of irregular numbers."""
        seed = self.rng.randrange(1 << 16)
        return np.random.default_rng((seed, *shape)).uniform(low, high, shape)

    def shape(self, number: int) -> tuple[int, ...]:
        shape: tuple[int, ...] = self.values[number].shape
        return shape

    def rank(self, number: int) -> int:
        return len(self.shape(number))

    def reals(self) -> list[int]:
        """Return every float64 tensor, youngest first."""
        found = [k for k, value in enumerate(self.values) if value.dtype == np.float64]
        return found[::-1]

    def pick(self, suits: Callable[[tuple[int, ...]], bool] = lambda shape: True) -> int | None:
        """Return a float64 tensor whose shape suits, most often a young one; None without one."""
        found = [k for k in self.reals() if suits(self.shape(k))]
        if not found:
            return None
        return self.rng.choice(found[:4] if self.rng.random() < 0.6 else found)

    def any(self) -> int:
        """Return any float64 tensor that has entries."""
        found = self.pick(lambda shape: 0 not in shape)
        assert found is not None, "the first leaf has entries"
        return found

    def fitted(self, shape: Sequence[int]) -> int:
        """Return a tensor of this shape: one that has it, or entries gathered from another."""
        wanted = tuple(shape)
        same = self.pick(lambda shape: shape == wanted)
        if same is not None and self.rng.random() < 0.7:
            return same
        return self.gathered(self.any(), wanted)

    def gathered(self, source: int, shape: tuple[int, ...]) -> int:
        flat = self.one("Reshape", source, shape=(-1,))
        seed = self.rng.randrange(1 << 16)
        size = self.values[source].size
        places = np.random.default_rng(seed).integers(0, size, shape).astype(np.int32)
        return self.one("GatherV2", flat, self.constant(places))

    def between(self, low: float, high: float, source: int) -> int:
        """Return a tensor moved into an interval, by a sigmoid."""
        scaled = self.one("Mul", self.one("Sigmoid", source), self.constant(high - low))
        return self.one("AddV2", scaled, self.constant(low))

    def subset(self, rank: int) -> tuple[int, ...]:
        """Return some axes, in any order, some counted from the back."""
        axes = [axis for axis in range(rank) if self.rng.random() < 0.5]
        self.rng.shuffle(axes)
        return tuple(axis - rank if self.rng.random() < 0.3 else axis for axis in axes)

    def axis(self, rank: int) -> int:
        axis = self.rng.randrange(rank)
        return axis - rank if self.rng.random() < 0.3 else axis

    def flag(self) -> bool:
        return self.rng.random() >= 0.5

    def attempt(self, production: Callable[[Draft], None]) -> bool:
        """Apply a production; take it back when its values are too large, or not finite."""
        steps, tensors = len(self.steps), len(self.values)
        production(self)
        if all(_moderate(value) for value in self.values[tensors:]):
            return True
        del self.steps[steps:], self.values[tensors:], self._tensors[tensors:]
        self.hidden = {number for number in self.hidden if number < tensors}
        return False


def _moderate(value: Any) -> bool:
    if value.dtype.kind not in "fc":
        return True
    return value.size <= _MOST_ENTRIES and bool(np.all(np.abs(value) <= _LARGEST))
