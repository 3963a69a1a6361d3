"""What left a graph as a NumPy value, and what came in as one: between the two nothing is known.

A gradient does not flow through NumPy. When one is missing for that reason, the explanation needs
both ends of the gap.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from engine.tensor import Operation, Tensor


class Border:
    """The tensors whose values left a graph, and the constants made of NumPy values.

    Attributes:
        exits: per tensor how many operations there were when its value was first asked for.
        entries: the constants, in order of creation.
    """

    __slots__ = ("entries", "exits")

    def __init__(self) -> None:
        self.exits: dict[Tensor, int] = {}
        self.entries: list[Operation] = []

    def left(self, tensor: Tensor) -> None:
        """Note that the program got the value of a tensor."""
        self.exits.setdefault(tensor, tensor.op.graph.size_in_operations)

    def entered(self, constant: Operation, value: Any) -> None:
        """Note what a constant was made of, if that was a NumPy value."""
        if holds_numpy(value):
            self.entries.append(constant)


def holds_numpy(value: Any) -> bool:
    """Return whether a value is NumPy's, or a list of such values."""
    while isinstance(value, list | tuple) and value:
        value = value[0]
    return isinstance(value, np.ndarray | np.generic)
