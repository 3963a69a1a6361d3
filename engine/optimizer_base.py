"""What all optimizers share: gradients of a loss, and assignments that move the variables down.

Everything is built from ordinary operations and assignments, so it can be looked at. In a session
`minimize` is called once and the operation it returns is run many times; without a session each
call moves the variables at once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeAlias

import numpy as np

from engine.backward import AnyGradient
from engine.convert import to_tensor
from engine.dtypes import DType
from engine.errors import ArgumentError, ArgumentTypeError
from engine.gradients import gradients
from engine.graph import Graph, get_default_graph, graph_of
from engine.ops.cast import cast
from engine.ops.core import group, tuple_
from engine.shapes import is_static
from engine.tape import GradientTape
from engine.tensor import Operation, Operators, Tensor
from engine.variables import TRAINABLE_VARIABLES, Variable

GradientAndVariable: TypeAlias = "tuple[AnyGradient | None, Variable]"


class Optimizer:
    """What all optimizers share; a subclass says in `_apply` how one variable moves.

    Args:
        use_locking: accepted; every assignment here is exclusive.
        name: scope of the operations that are added.
    """

    GATE_NONE = 0
    GATE_OP = 1
    GATE_GRAPH = 2

    def __init__(self, use_locking: bool, name: str) -> None:
        if not name:
            raise ArgumentError("an optimizer needs a name")
        self._name = name
        self._slots: dict[str, dict[Variable, Variable]] = {}
        self._constants: dict[tuple[str, DType], Tensor] = {}

    def get_name(self) -> str:
        return self._name

    def get_slot_names(self) -> list[str]:
        """Return the names of what is kept for every variable, for example `["momentum"]`."""
        return sorted(self._slots)

    def get_slot(self, var: Variable, name: str) -> Variable | None:
        """Return what is kept under this name for a variable, or None."""
        return self._slots.get(name, {}).get(var)

    def variables(self) -> list[Variable]:
        """Return all variables that the optimizer made, in order of creation."""
        made = [slot for table in self._slots.values() for slot in table.values()]
        return sorted(made, key=lambda variable: variable.op.id)

    def minimize(
        self,
        loss: Any,
        global_step: Variable | None = None,
        var_list: Any = None,
        gate_gradients: int = GATE_OP,
        aggregation_method: int | None = None,
        colocate_gradients_with_ops: bool = False,
        name: str | None = None,
        grad_loss: Any = None,
    ) -> Operation:
        """Return the operation that takes one step down.

        Args:
            loss: a tensor, or a function of no arguments that computes one.
            global_step: a variable to count the steps in.
            var_list: the variables to move; by default all trainable ones.
            gate_gradients: GATE_NONE, GATE_OP (all gradients of an operation before any is used)
                or GATE_GRAPH (all gradients before any is used).
            aggregation_method: see `AggregationMethod`.
            colocate_gradients_with_ops: see `gradients`.
            name: scope of the updates; by default the optimizer's name.
            grad_loss: initial gradient of the loss.

        Raises:
            ArgumentError: there is no variable, or the loss depends on none of them.
        """
        pairs = self.compute_gradients(
            loss,
            var_list,
            gate_gradients,
            aggregation_method,
            colocate_gradients_with_ops,
            grad_loss,
        )
        return self.apply_gradients(pairs, global_step, name)

    def compute_gradients(
        self,
        loss: Any,
        var_list: Any = None,
        gate_gradients: int = GATE_OP,
        aggregation_method: int | None = None,
        colocate_gradients_with_ops: bool = False,
        grad_loss: Any = None,
    ) -> list[GradientAndVariable]:
        """Return a pair (gradient or None, variable) per variable; arguments as for `minimize`."""
        if gate_gradients not in (self.GATE_NONE, self.GATE_OP, self.GATE_GRAPH):
            raise ArgumentError(
                "gate_gradients must be one of: Optimizer.GATE_NONE, Optimizer.GATE_OP, "
                f"Optimizer.GATE_GRAPH (got {gate_gradients!r})"
            )
        if callable(loss):
            return _taped_gradients(loss, var_list, grad_loss)
        tensor = to_tensor(loss, graph_of([loss]))
        if not tensor.dtype.is_trainable:
            raise ArgumentError(
                f"Invalid type {tensor.dtype.name} of the loss {tensor.name}: it must be floating"
            )
        variables = _variables(var_list, tensor.graph)
        found = gradients(
            tensor,
            variables,
            grad_ys=grad_loss,
            colocate_gradients_with_ops=colocate_gradients_with_ops,
            gate_gradients=gate_gradients == self.GATE_OP,
            aggregation_method=aggregation_method,
        )
        if gate_gradients == self.GATE_GRAPH and any(entry is not None for entry in found):
            found = tuple_(found)
        return list(zip(found, variables, strict=True))

    def apply_gradients(
        self,
        grads_and_vars: Iterable[Any],
        global_step: Variable | None = None,
        name: str | None = None,
    ) -> Operation:
        """Return the operation that moves the variables by given gradients.

        Args:
            grads_and_vars: pairs as `compute_gradients` returns them; a pair with None is skipped.
            global_step: a variable to count the steps in.
            name: scope of the updates; by default the optimizer's name.

        Raises:
            ArgumentError: no variable has a gradient.
            ArgumentTypeError: an entry is not a pair of a gradient and a variable.
        """
        pairs = _with_gradient(grads_and_vars)
        graph = pairs[0][1].graph
        variables = [variable for _gradient, variable in pairs]
        with graph.control_dependencies(None), graph.name_scope(None):
            self._create_slots(variables)
        self._constants = {}
        with graph.name_scope(name or self._name) as scope:
            updates: list[Tensor] = []
            for gradient, variable in pairs:
                tensor = to_tensor(gradient, graph, hint=variable.dtype)
                with graph.name_scope(f"update_{variable.op.name}"):
                    updates.append(self._apply(tensor, variable))
            updates += self._finish(graph, updates)
            if global_step is None:
                return group(*updates, name=scope)
            with graph.control_dependencies(updates):
                return global_step.assign_add(1, name=scope).op

    def _create_slots(self, variables: Sequence[Variable]) -> None:
        """Make what has to be kept from step to step; nothing unless a subclass says so."""

    def _apply(self, gradient: Tensor, variable: Variable) -> Tensor:
        """Move a variable and return its new value."""
        raise NotImplementedError

    def _finish(self, graph: Graph, updates: Sequence[Tensor]) -> list[Tensor]:
        """Do what is due after all variables have moved; nothing unless a subclass says so."""
        return []

    def _slot(self, variable: Variable, name: str, op_name: str) -> Variable:
        """Return the variable kept under a name for a variable, zeros at first."""
        table = self._slots.setdefault(name, {})
        if variable not in table:
            table[variable] = Variable(
                _zeros_like(variable), trainable=False, name=f"{variable.op.name}/{op_name}"
            )
        return table[variable]

    def _number(self, name: str, value: Any, variable: Variable) -> Tensor:
        """Return a parameter as a tensor of the variable's type, one for all variables."""
        key = (name, variable.dtype)
        if key not in self._constants:
            graph = variable.graph
            given = value() if callable(value) else value
            if isinstance(given, Operators):
                self._constants[key] = cast(given, variable.dtype)
            else:
                self._constants[key] = to_tensor(given, graph, variable.dtype, name=name)
        return self._constants[key]


def _taped_gradients(
    loss: Callable[[], Any], var_list: Any, grad_loss: Any
) -> list[GradientAndVariable]:
    with GradientTape() as tape:
        given = var_list() if callable(var_list) else var_list
        if given is not None:
            tape.watch(given)
        value = loss()
    chosen = tape.watched_variables() if given is None else given
    variables = _variables(chosen, get_default_graph())
    return list(zip(tape.gradient(value, variables, grad_loss), variables, strict=True))


def _variables(var_list: Any, graph: Graph) -> list[Variable]:
    """Return the variables to move.

    Raises:
        ArgumentError: there is none.
        ArgumentTypeError: an entry is not a variable.
    """
    given = var_list() if callable(var_list) else var_list
    if given is None:
        given = graph.collections.get(TRAINABLE_VARIABLES, [])
    variables = [given] if isinstance(given, Variable) else list(given)
    for variable in variables:
        if not isinstance(variable, Variable):
            raise ArgumentTypeError(
                f"var_list holds variables (got {variable!r}); make it one with tf.Variable"
            )
    if not variables:
        raise ArgumentError("No variables to optimize; make one with tf.Variable")
    return variables


def _with_gradient(grads_and_vars: Iterable[Any]) -> list[tuple[AnyGradient, Variable]]:
    pairs = list(grads_and_vars)
    for pair in pairs:
        if not (
            isinstance(pair, list | tuple) and len(pair) == 2 and isinstance(pair[1], Variable)
        ):
            raise ArgumentTypeError(
                f"apply_gradients takes pairs of a gradient and a variable (got {pair!r})"
            )
    if not pairs:
        raise ArgumentError("No variables provided; give pairs of a gradient and a variable")
    present = [(gradient, variable) for gradient, variable in pairs if gradient is not None]
    if not present:
        names = [variable.name for _gradient, variable in pairs]
        raise ArgumentError(
            f"No gradients provided for any variable: {names}; all are None, because the loss "
            "does not depend on them"
        )
    return present


def _zeros_like(variable: Variable) -> Any:
    dims = variable.handle.dims
    if dims is not None and is_static(dims):
        return np.zeros([size or 0 for size in dims], variable.dtype.dtype)
    initial: Tensor = variable.initial_value
    return variable.graph.create_op("ZerosLike", [initial]).outputs[0]
