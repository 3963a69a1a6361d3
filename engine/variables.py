"""Variables: tensors with a state that is read and assigned.

The handle (op type VarHandleOp) stands for the variable's value, so a gradient with respect to a
variable needs no special case. A session keeps the state in its store. Without a session the state
is a tensor, too: the initial value at first, then the result of the last assignment; each read
remembers the state tensor it saw (`Operation.source`), so later assignments do not change it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from engine.convert import to_tensor
from engine.dtypes import DType, as_dtype
from engine.errors import ArgumentError, ArgumentTypeError
from engine.graph import Graph, get_default_graph, graph_of
from engine.ops import variable_ops  # noqa: F401 - defines the ops
from engine.shapes import TensorShape, as_dims
from engine.tensor import Operation, Operators, Tensor

GLOBAL_VARIABLES = "variables"
TRAINABLE_VARIABLES = "trainable_variables"


class Variable(Operators):
    """A tensor that can be assigned.

    Args:
        initial_value: a value, a tensor, or a function of no arguments that returns one.
        trainable: whether optimizers and tapes use it by themselves.
        name: name of the variable.
        dtype: element type; taken from the value unless given.
        shape: static shape; taken from the value unless given.
    """

    __slots__ = ("_read", "_state", "handle", "initial_value", "initializer", "trainable")

    def __init__(
        self,
        initial_value: Any = None,
        trainable: bool = True,
        collections: Sequence[str] | None = None,
        validate_shape: bool = True,
        caching_device: Any = None,
        name: str | None = None,
        variable_def: Any = None,
        dtype: Any = None,
        shape: Any = None,
        **_ignored: Any,
    ) -> None:
        if initial_value is None:
            raise ArgumentError("a variable needs an initial_value, for example tf.Variable(3.0)")
        value = initial_value() if callable(initial_value) else initial_value
        graph = graph_of([value])
        # Variables are made outside all control dependencies, as in TensorFlow.
        with graph.control_dependencies(None), graph.name_scope(name or "Variable") as scope:
            wanted = None if dtype is None else as_dtype(dtype)
            initial = to_tensor(value, graph, wanted, name="Initializer/initial_value")
            dims = as_dims(shape) if shape is not None else initial.dims
            attrs = {"shape": dims, "dtype": initial.dtype}
            handle = graph.create_op("VarHandleOp", [], attrs, scope)
            handle.source = initial
            self.handle = handle.outputs[0]
            self._state = initial
            self._read: Tensor | None = None
            self.initial_value = initial
            self.initializer = graph.create_op(
                "AssignVariableOp", [self.handle, initial], name="Assign"
            )
            self.initializer.source = initial
        self.trainable = trainable
        names = [GLOBAL_VARIABLES, *(collections or ())]
        if trainable:
            names.append(TRAINABLE_VARIABLES)
        for key in dict.fromkeys(names):
            graph.collections.setdefault(key, []).append(self)

    @property
    def graph(self) -> Graph:
        return self.handle.graph

    @property
    def op(self) -> Operation:
        return self.handle.op

    @property
    def name(self) -> str:
        return self.handle.name

    @property
    def dtype(self) -> DType:
        return self.handle.dtype

    @property
    def shape(self) -> TensorShape:
        return self.handle.shape

    @property
    def device(self) -> str:
        return self.op.device

    def get_shape(self) -> TensorShape:
        return self.shape

    def as_tensor(self) -> Tensor:
        return self.value()

    def value(self) -> Tensor:
        """Return the tensor of the current value, one for all uses until the next assignment."""
        if self.graph.in_control_context:
            return self.read_value()
        if self._read is None:
            with self.graph.control_dependencies(None):
                self._read = self.read_value()
        return self._read

    def is_current_read(self, tensor: Tensor) -> bool:
        """Whether this is the read that all uses of the variable share at present."""
        return tensor is self._read

    def read_value(self) -> Tensor:
        """Return a new read, which waits for the control dependencies in force."""
        graph = self.graph
        with graph.role(""), graph.name_scope(f"{self.op.name}/"):
            read = graph.create_op("ReadVariableOp", [self.handle], name="Read")
        read.source = self._state
        return read.outputs[0]

    def initialized_value(self) -> Tensor:
        return self.initial_value

    def assign(
        self,
        value: Any,
        use_locking: bool = False,
        name: str | None = None,
        read_value: bool = True,
    ) -> Tensor:
        """Set the value; later reads see it, earlier ones do not. Returns the new value."""
        return self._update("AssignVariableOp", value, name or "Assign")

    def assign_add(
        self,
        delta: Any,
        use_locking: bool = False,
        name: str | None = None,
        read_value: bool = True,
    ) -> Tensor:
        """Add to the value. Returns the new value."""
        return self._update("AssignAddVariableOp", delta, name or "AssignAdd")

    def assign_sub(
        self,
        delta: Any,
        use_locking: bool = False,
        name: str | None = None,
        read_value: bool = True,
    ) -> Tensor:
        """Subtract from the value. Returns the new value."""
        return self._update("AssignSubVariableOp", delta, name or "AssignSub")

    def _update(self, op_type: str, value: Any, name: str) -> Tensor:
        tensor = to_tensor(value, self.graph, hint=self.dtype)
        op = self.graph.create_op(op_type, [self.handle, tensor], name=name)
        op.source = self._state
        self._state = op.outputs[0]
        self._read = None
        return self._state

    def numpy(self) -> Any:
        """Return the current value without a session."""
        self.graph.border.left(self.handle)
        return self._state.numpy()

    def eval(self, session: Any = None, feed_dict: Any = None) -> Any:
        return self.value().eval(feed_dict, session)

    def ref(self) -> Variable:
        return self

    def deref(self) -> Variable:
        return self

    def __repr__(self) -> str:
        value = repr(self.numpy())
        return (
            f"<tf.Variable {self.name!r} shape={self.shape} dtype={self.dtype.name}, numpy={value}>"
        )

    __str__ = __repr__
    __hash__ = Operators.__hash__


def variable_of(handle: Tensor) -> Variable | None:
    """Return the variable that a handle belongs to, or None for any other tensor."""
    for variable in reversed(handle.graph.collections.get(GLOBAL_VARIABLES, ())):
        if variable.handle is handle:
            return variable  # type: ignore[no-any-return]
    return None


def get_variable(
    name: str,
    shape: Any = None,
    dtype: Any = None,
    initializer: Any = None,
    trainable: bool = True,
    **ignored: Any,
) -> Variable:
    """Return a new variable; an initializer may be a value or a function of the shape."""
    if initializer is None:
        raise ArgumentError(f"variable {name!r} needs an initializer, for example tf.constant(1.0)")
    if callable(initializer) and not isinstance(initializer, Operators):
        value = initializer(as_dims(shape))
    elif shape is not None and np.ndim(initializer) == 0 and not isinstance(initializer, Operators):
        value = np.full(as_dims(shape), initializer, as_dtype(dtype or "float32").dtype)
    else:
        value = initializer
    return Variable(value, trainable=trainable, name=name, dtype=dtype)


def _collection(key: str) -> list[Variable]:
    return list(get_default_graph().collections.get(key, ()))


def global_variables() -> list[Variable]:
    """Return the variables of the default graph, in order of creation."""
    return _collection(GLOBAL_VARIABLES)


def trainable_variables() -> list[Variable]:
    """Return the trainable variables of the default graph, in order of creation."""
    return _collection(TRAINABLE_VARIABLES)


def variables_initializer(var_list: Sequence[Variable], name: str = "init") -> Operation:
    """Return an operation that gives each variable its initial value."""
    graph = var_list[0].graph if var_list else get_default_graph()
    with (
        graph.control_dependencies(None),
        graph.control_dependencies([v.initializer for v in var_list]),
    ):
        return graph.create_op("NoOp", [], name=name)


def global_variables_initializer() -> Operation:
    """Return an operation that gives every variable of the default graph its initial value."""
    return variables_initializer(global_variables())


def assign(
    ref: Any,
    value: Any,
    validate_shape: Any = None,
    use_locking: Any = None,
    name: str | None = None,
) -> Tensor:
    """Set a variable, see `Variable.assign`."""
    return _variable(ref).assign(value, name=name)


def assign_add(ref: Any, value: Any, use_locking: Any = None, name: str | None = None) -> Tensor:
    """Add to a variable, see `Variable.assign_add`."""
    return _variable(ref).assign_add(value, name=name)


def assign_sub(ref: Any, value: Any, use_locking: Any = None, name: str | None = None) -> Tensor:
    """Subtract from a variable, see `Variable.assign_sub`."""
    return _variable(ref).assign_sub(value, name=name)


def _variable(ref: Any) -> Variable:
    if not isinstance(ref, Variable):
        raise ArgumentTypeError(f"only a variable can be assigned (got {ref!r})")
    return ref
