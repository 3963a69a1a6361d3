"""TensorFlow 1's optimizers, `tf.train`: how one variable moves, rule by rule."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engine.errors import ArgumentError
from engine.graph import Graph, get_default_graph
from engine.ops.cast import cast
from engine.ops.elementary import sqrt
from engine.optimizer_base import Optimizer
from engine.tensor import Tensor
from engine.variables import Variable

GLOBAL_STEP = "global_step"


class GradientDescentOptimizer(Optimizer):
    """x ← x - learning_rate · gradient."""

    def __init__(
        self, learning_rate: Any, use_locking: bool = False, name: str = "GradientDescent"
    ) -> None:
        super().__init__(use_locking, name)
        self.learning_rate = learning_rate

    def _apply(self, gradient: Tensor, variable: Variable) -> Tensor:
        rate = self._number("learning_rate", self.learning_rate, variable)
        return variable.assign_sub(rate * gradient)


class MomentumOptimizer(Optimizer):
    """a ← momentum · a + gradient;  x ← x - learning_rate · a.

    With `use_nesterov` the step is taken as if a had moved once more:
    x ← x - learning_rate · (gradient + momentum · a).

    Source: I. Sutskever et al., "On the importance of initialization and momentum in deep
        learning", ICML 2013.
    """

    def __init__(
        self,
        learning_rate: Any,
        momentum: Any,
        use_locking: bool = False,
        name: str = "Momentum",
        use_nesterov: bool = False,
    ) -> None:
        super().__init__(use_locking, name)
        self.learning_rate = learning_rate
        self.momentum = momentum
        self._nesterov = use_nesterov

    def _create_slots(self, variables: Sequence[Variable]) -> None:
        for variable in variables:
            self._slot(variable, "momentum", self._name)

    def _apply(self, gradient: Tensor, variable: Variable) -> Tensor:
        rate = self._number("learning_rate", self.learning_rate, variable)
        momentum = self._number("momentum", self.momentum, variable)
        slot = self._slots["momentum"][variable]
        accumulated = slot.assign(momentum * slot + gradient)
        step = gradient + momentum * accumulated if self._nesterov else accumulated
        return variable.assign_sub(rate * step)


class AdamOptimizer(Optimizer):
    """Steps scaled by running means of the gradient (m) and of its square (v), t = 1, 2, ...

    m ← β₁ m + (1 - β₁) g;  v ← β₂ v + (1 - β₂) g²;
    x ← x - learning_rate · √(1 - β₂ᵗ) / (1 - β₁ᵗ) · m / (√v + ε)

    Source: D. P. Kingma and J. Ba, "Adam: A Method for Stochastic Optimization", ICLR 2015, the
        order of computation at the end of section 2 (ε is that section's ε̂).
    """

    def __init__(
        self,
        learning_rate: Any = 0.001,
        beta1: Any = 0.9,
        beta2: Any = 0.999,
        epsilon: Any = 1e-8,
        use_locking: bool = False,
        name: str = "Adam",
    ) -> None:
        super().__init__(use_locking, name)
        self.learning_rate = learning_rate
        self.beta1 = beta1
        self.beta2 = beta2
        self.epsilon = epsilon
        self._powers: dict[Graph, tuple[Variable, Variable]] = {}

    def variables(self) -> list[Variable]:
        powers = [power for pair in self._powers.values() for power in pair]
        return sorted(super().variables() + powers, key=lambda variable: variable.op.id)

    def _create_slots(self, variables: Sequence[Variable]) -> None:
        first = variables[0]
        if first.graph not in self._powers:
            self._powers[first.graph] = (
                Variable(self.beta1, trainable=False, name="beta1_power", dtype=first.dtype),
                Variable(self.beta2, trainable=False, name="beta2_power", dtype=first.dtype),
            )
        for variable in variables:
            self._slot(variable, "m", self._name)
            self._slot(variable, "v", self._name)

    def _apply(self, gradient: Tensor, variable: Variable) -> Tensor:
        rate = self._number("learning_rate", self.learning_rate, variable)
        beta1 = self._number("beta1", self.beta1, variable)
        beta2 = self._number("beta2", self.beta2, variable)
        epsilon = self._number("epsilon", self.epsilon, variable)
        power1, power2 = (cast(power, variable.dtype) for power in self._powers[variable.graph])
        mean, square = (self._slots[name][variable] for name in ("m", "v"))
        new_mean = mean.assign(beta1 * mean + (1 - beta1) * gradient)
        new_square = square.assign(beta2 * square + (1 - beta2) * (gradient * gradient))
        corrected = rate * sqrt(1 - power2) / (1 - power1)
        return variable.assign_sub(corrected * new_mean / (sqrt(new_square) + epsilon))

    def _finish(self, graph: Graph, updates: Sequence[Tensor]) -> list[Tensor]:
        """Raise the powers of β once all variables have used them."""
        power1, power2 = self._powers[graph]
        with graph.control_dependencies(updates):
            return [
                power1.assign(power1 * self._number("beta1", self.beta1, power1)),
                power2.assign(power2 * self._number("beta2", self.beta2, power2)),
            ]


def create_global_step(graph: Graph | None = None) -> Variable:
    """Return a new variable that counts steps, for `minimize(..., global_step=...)`.

    Raises:
        ArgumentError: the graph has one already.
    """
    where = get_default_graph() if graph is None else graph
    if get_global_step(where) is not None:
        raise ArgumentError("this graph has a global step; tf.train.get_global_step() returns it")
    with where.as_default(), where.name_scope(None):
        step = Variable(0, trainable=False, name=GLOBAL_STEP, dtype="int64")
    where.collections.setdefault(GLOBAL_STEP, []).append(step)
    return step


def get_global_step(graph: Graph | None = None) -> Variable | None:
    """Return the graph's variable that counts steps, or None."""
    where = get_default_graph() if graph is None else graph
    found = where.collections.get(GLOBAL_STEP)
    return found[0] if found else None


def get_or_create_global_step(graph: Graph | None = None) -> Variable:
    """Return the graph's variable that counts steps, made if need be."""
    found = get_global_step(graph)
    return create_global_step(graph) if found is None else found


__all__ = [
    "AdamOptimizer",
    "GradientDescentOptimizer",
    "MomentumOptimizer",
    "Optimizer",
    "create_global_step",
    "get_global_step",
    "get_or_create_global_step",
]
