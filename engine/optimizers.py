"""TensorFlow 2's optimizers, `tf.optimizers`: the same rules by newer names and arguments."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from engine.errors import ArgumentError
from engine.tape import GradientTape
from engine.tensor import Operation
from engine.train import AdamOptimizer, GradientDescentOptimizer, MomentumOptimizer
from engine.variables import Variable

_Rule = GradientDescentOptimizer | MomentumOptimizer | AdamOptimizer


class _Optimizer:
    """The newer face of an optimizer."""

    def __init__(self, rule: _Rule) -> None:
        self._rule = rule

    @property
    def name(self) -> str:
        return self._rule.get_name()

    @property
    def learning_rate(self) -> Any:
        """The length of a step; it may be set."""
        return self._rule.learning_rate

    @learning_rate.setter
    def learning_rate(self, value: Any) -> None:
        self._rule.learning_rate = value

    lr = learning_rate

    @property
    def variables(self) -> list[Variable]:
        """What the optimizer keeps from step to step."""
        return self._rule.variables()

    def apply_gradients(self, grads_and_vars: Iterable[Any], name: str | None = None) -> Operation:
        """Move the variables by given gradients, see `train.Optimizer.apply_gradients`."""
        return self._rule.apply_gradients(grads_and_vars, name=name)

    def minimize(
        self, loss: Any, var_list: Any, grad_loss: Any = None, tape: GradientTape | None = None
    ) -> Operation:
        """Move the variables one step down.

        Args:
            loss: a function of no arguments that computes the loss, or, with `tape`, a tensor.
            var_list: the variables to move.
            grad_loss: initial gradient of the loss.
            tape: what recorded the loss.

        Raises:
            ArgumentError: the loss is a tensor and there is no tape, or it depends on no variable.
        """
        if callable(loss):
            return self._rule.minimize(loss, var_list=var_list, grad_loss=grad_loss)
        if tape is None:
            raise ArgumentError(
                "`tape` is required when a Tensor is given as loss; give a function of no "
                "arguments, or the tape that recorded the loss"
            )
        given = var_list() if callable(var_list) else var_list
        variables = [given] if isinstance(given, Variable) else list(given)
        return self.apply_gradients(
            zip(tape.gradient(loss, variables, grad_loss), variables, strict=True)
        )


class SGD(_Optimizer):
    """Gradient descent, with momentum unless it is 0."""

    def __init__(
        self,
        learning_rate: Any = 0.01,
        momentum: float = 0.0,
        nesterov: bool = False,
        name: str = "SGD",
    ) -> None:
        super().__init__(
            MomentumOptimizer(learning_rate, momentum, name=name, use_nesterov=nesterov)
            if momentum
            else GradientDescentOptimizer(learning_rate, name=name)
        )


class Adam(_Optimizer):
    """See `train.AdamOptimizer`; epsilon has another default here, as in TensorFlow."""

    def __init__(
        self,
        learning_rate: Any = 0.001,
        beta_1: Any = 0.9,
        beta_2: Any = 0.999,
        epsilon: Any = 1e-7,
        name: str = "Adam",
    ) -> None:
        super().__init__(AdamOptimizer(learning_rate, beta_1, beta_2, epsilon, name=name))


__all__ = ["SGD", "Adam"]
