"""The links of a record with their values: what each makes of a gradient that arrives at it."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from engine.backward import Backward, Step
from engine.factors import Factor, factor, gain
from engine.links import Link
from engine.replay import Values, value_of
from engine.tensor import Operation, Tensor


@dataclass(frozen=True, eq=False)
class Edge:
    """One edge of a path, crossed from an output of an operation to one of its inputs.

    Attributes:
        step: the step of the record that crossed it; None beyond a stop that was lifted.
        factor: the local derivative along it.
    """

    op: Operation
    input: int
    output: int
    step: Step | None
    factor: Factor

    @property
    def receiver(self) -> Tensor:
        return self.op.inputs[self.input]


class Ledger:
    """The links of a record with their values.

    Args:
        all_links: those that paths may take; a link comes after all that lead to its source.
    """

    def __init__(self, backward: Backward, all_links: Sequence[Link], values: Values) -> None:
        self.backward, self.links, self.values = backward, all_links, values
        self._factors: dict[int, Factor] = {}
        self._edges: dict[int, Edge] = {}
        self._carries: dict[int, Any] = {}

    def seeds(self, starts: Sequence[int]) -> dict[Tensor, Any]:
        """Return what the given ys start with, summed per y; without those not known."""
        found: dict[Tensor, Any] = {}
        for start in starts:
            y, seed = self.backward.ys[start], self.seed(start)
            if seed is not None:
                found[y] = found[y] + seed if y in found else seed
        return found

    def seed(self, start: int) -> Any:
        y = self.values.get(self.backward.ys[start])
        shape = None if y is None else np.shape(y)
        return value_of(self.backward.seeds[start], self.values, shape)

    def flow(self, arriving: Mapping[Tensor, Any]) -> dict[Tensor, Any]:
        """Return what every tensor receives when these gradients start, by one pass."""
        found = dict(arriving)
        for index, link in enumerate(self.links):
            gradient = found.get(link.source)
            if gradient is not None:
                received = self.carried(index, gradient)
                if received is None:
                    return {}
                before = found.get(link.receiver)
                found[link.receiver] = received if before is None else before + received
        return found

    def factor(self, index: int) -> Factor:
        """Return the factor of a link."""
        found = self._factors.get(index)
        if found is None:
            found = self._factors[index] = factor(self.backward, self.links[index], self.values)
        return found

    def edge(self, index: int) -> Edge:
        """Return a link as an edge of the paths over it, all of which share it."""
        found = self._edges.get(index)
        if found is None:
            link = self.links[index]
            step = link.step
            found = Edge(step.op, step.input, link.output, step, self.factor(index))
            self._edges[index] = found
        return found

    def carried(self, index: int, gradient: Any) -> Any:
        """Return what a link makes of a gradient; None if that is not known."""
        if gradient is None:
            return None
        number = self.factor(index).number
        if number is not None and _multiplies(number, gradient):
            return gradient * number
        carry = self._carries.get(index)
        try:
            if carry is None:
                carry = self.links[index].carry(self.backward, self.values)
                self._carries[index] = carry
            return carry(gradient)
        except KeyError:
            return None

    def gain(self, index: int) -> float:
        """Return about how much a link enlarges a gradient."""
        return gain(self.backward, self.links[index], self.factor(index), self.values)


def _multiplies(number: Any, gradient: Any) -> bool:
    """Whether multiplying is all that the link does: no cast, and no rule for infinities."""
    same = not hasattr(number, "dtype") or number.dtype == gradient.dtype
    return same and math.isfinite(abs(number))
