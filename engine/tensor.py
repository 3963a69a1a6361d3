"""Operations and tensors: the nodes of the graph and the values that run along its edges.

Both are compared by identity. `==` on tensors is elementwise, as in TensorFlow, so code of ours
compares tensors with `is`, never with `in` on a list.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from engine.dtypes import DType
from engine.errors import ArgumentTypeError, EngineError
from engine.shapes import Dims, TensorShape, show

if TYPE_CHECKING:
    from engine.graph import Graph
    from engine.opdef import OpDef
    from engine.registry import GradientFunction


class Operation:
    """One application of a kind of operation: a node of the graph.

    Attributes:
        id: position in the graph; inputs always have smaller ids.
        line: line of the program that made it, if known.
        role: "" for an operation of the user's; for one that `gradients` made, what it is for:
            "seed", "local", "chain", "gradient", "unbroadcast", "accumulate", "zeros" or "gate".
        forward_op: the operation whose gradient this one helps to compute.
        source: for reads and writes of a variable, the tensor that held its value at the time.
        gradient_function: overrides the registered one for this operation alone.
    """

    __slots__ = (
        "attrs",
        "control_inputs",
        "device",
        "forward_op",
        "gradient_function",
        "graph",
        "id",
        "inputs",
        "line",
        "name",
        "opdef",
        "outputs",
        "role",
        "source",
    )

    def __init__(
        self,
        graph: Graph,
        opdef: OpDef,
        name: str,
        inputs: tuple[Tensor, ...],
        attrs: dict[str, Any],
    ) -> None:
        self.graph = graph
        self.opdef = opdef
        self.name = name
        self.inputs = inputs
        self.attrs = attrs
        self.outputs: tuple[Tensor, ...] = ()
        self.control_inputs: tuple[Operation, ...] = ()
        self.id = -1
        self.line: int | None = None
        self.role = ""
        self.forward_op: Operation | None = None
        self.device = ""
        self.source: Tensor | None = None
        self.gradient_function: GradientFunction | None = None

    @property
    def type(self) -> str:
        return self.opdef.type

    def get_attr(self, name: str) -> Any:
        """Return an attribute.

        Raises:
            ArgumentTypeError: the operation has no such attribute.
        """
        if name not in self.attrs:
            known = ", ".join(self.attrs) or "none"
            raise ArgumentTypeError(
                f"operation {self.name!r} has no attribute {name!r}; it has: {known}"
            )
        return self.attrs[name]

    def run(self, feed_dict: Mapping[Any, Any] | None = None, session: Any = None) -> None:
        """Run this operation in a session, by default the one whose `with` block we are in."""
        from engine.session import session_for  # sessions need graphs first

        session_for(session, self.name).run(self, feed_dict)

    def __repr__(self) -> str:
        return f"<tf.Operation {self.name!r} type={self.type}>"


class Operators:
    """Python's operators, each creating one operation; shared by tensors and variables."""

    __slots__ = ()
    __array_priority__ = 100  # NumPy arrays on the left leave the operator to us

    def as_tensor(self) -> Tensor:
        raise NotImplementedError

    def _unary(self, op_type: str, name: str | None = None) -> Tensor:
        tensor = self.as_tensor()
        return tensor.graph.create_op(op_type, [tensor], name=name).outputs[0]

    def _binary(self, op_type: str, other: Any, name: str) -> Tensor:
        tensor = self.as_tensor()
        return tensor.graph.create_op(op_type, [tensor, other], name=name).outputs[0]

    def _reflected(self, op_type: str, other: Any, name: str) -> Tensor:
        tensor = self.as_tensor()
        return tensor.graph.create_op(op_type, [other, tensor], name=name).outputs[0]

    def __add__(self, other: Any) -> Tensor:
        return self._binary("AddV2", other, "add")

    def __radd__(self, other: Any) -> Tensor:
        return self._reflected("AddV2", other, "add")

    def __sub__(self, other: Any) -> Tensor:
        return self._binary("Sub", other, "sub")

    def __rsub__(self, other: Any) -> Tensor:
        return self._reflected("Sub", other, "sub")

    def __mul__(self, other: Any) -> Tensor:
        return self._binary("Mul", other, "mul")

    def __rmul__(self, other: Any) -> Tensor:
        return self._reflected("Mul", other, "mul")

    def __truediv__(self, other: Any) -> Tensor:
        return _divide(self.as_tensor(), other)

    def __rtruediv__(self, other: Any) -> Tensor:
        return _divide(other, self.as_tensor())

    def __floordiv__(self, other: Any) -> Tensor:
        return self._binary("FloorDiv", other, "floordiv")

    def __rfloordiv__(self, other: Any) -> Tensor:
        return self._reflected("FloorDiv", other, "floordiv")

    def __mod__(self, other: Any) -> Tensor:
        return self._binary("FloorMod", other, "mod")

    def __rmod__(self, other: Any) -> Tensor:
        return self._reflected("FloorMod", other, "mod")

    def __pow__(self, other: Any) -> Tensor:
        return self._binary("Pow", other, "pow")

    def __rpow__(self, other: Any) -> Tensor:
        return self._reflected("Pow", other, "pow")

    def __matmul__(self, other: Any) -> Tensor:
        from engine.ops.matmul import matmul  # chooses between MatMul and the batched form

        return matmul(self.as_tensor(), other, name="matmul")

    def __rmatmul__(self, other: Any) -> Tensor:
        from engine.ops.matmul import matmul

        return matmul(other, self.as_tensor(), name="matmul")

    def __neg__(self) -> Tensor:
        return self._unary("Neg")

    def __abs__(self) -> Tensor:
        from engine.ops.arithmetic import abs as absolute  # complex numbers have an op of their own

        result: Tensor = absolute(self.as_tensor())
        return result

    def __invert__(self) -> Tensor:
        return self._unary("LogicalNot")

    def __and__(self, other: Any) -> Tensor:
        return self._binary("LogicalAnd", other, "and")

    def __or__(self, other: Any) -> Tensor:
        return self._binary("LogicalOr", other, "or")

    def __lt__(self, other: Any) -> Tensor:
        return self._binary("Less", other, "Less")

    def __le__(self, other: Any) -> Tensor:
        return self._binary("LessEqual", other, "LessEqual")

    def __gt__(self, other: Any) -> Tensor:
        return self._binary("Greater", other, "Greater")

    def __ge__(self, other: Any) -> Tensor:
        return self._binary("GreaterEqual", other, "GreaterEqual")

    def __eq__(self, other: Any) -> Any:
        return False if other is None else self._binary("Equal", other, "Equal")

    def __ne__(self, other: Any) -> Any:
        return True if other is None else self._binary("NotEqual", other, "NotEqual")

    __hash__ = object.__hash__  # by identity, and in C: tensors are keys in every inner loop

    def __getitem__(self, key: Any) -> Tensor:
        from engine.ops.slicing import getitem  # reads Python's indexing

        return getitem(self.as_tensor(), key)

    def __iter__(self) -> Iterator[Tensor]:
        tensor = self.as_tensor()
        if not tensor.dims or tensor.dims[0] is None:
            raise ArgumentTypeError(
                f"cannot iterate over {tensor.name} of shape {show(tensor.dims)}; "
                "only over a tensor whose first size is known"
            )
        return iter([self[row] for row in range(tensor.dims[0])])

    def __len__(self) -> int:
        tensor = self.as_tensor()
        if not tensor.dims or tensor.dims[0] is None:
            raise ArgumentTypeError(f"{tensor.name} of shape {show(tensor.dims)} has no length")
        return tensor.dims[0]

    def numpy(self) -> Any:
        """Return the value: a NumPy array, or a NumPy scalar when there are no axes.

        Raises:
            FeedError: it depends on a placeholder, so it has a value only in a session.
        """
        tensor = self.as_tensor()
        tensor.graph.border.left(tensor)
        return _current_value(tensor)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        return np.array(self.numpy(), dtype=dtype)

    def __bool__(self) -> bool:
        return bool(self.numpy())

    def __float__(self) -> float:
        return float(self.numpy())

    def __int__(self) -> int:
        return int(self.numpy())

    def __index__(self) -> int:
        value = self.numpy()
        if not isinstance(value, np.integer):
            raise ArgumentTypeError(f"only an integer scalar can be an index (got {self!r})")
        return int(value)

    def __format__(self, spec: str) -> str:
        return format(self.numpy(), spec) if spec else str(self)


def _divide(numerator: Any, denominator: Any) -> Tensor:
    from engine.ops.arithmetic import truediv  # integers are cast first

    return truediv(numerator, denominator, name="truediv")


class Tensor(Operators):
    """One output of an operation."""

    __slots__ = ("__weakref__", "_consumers", "dims", "dtype", "index", "op", "value")

    def __init__(self, op: Operation, index: int, dtype: DType, dims: Dims) -> None:
        self.op = op
        self.index = index
        self.dtype = dtype
        self.dims = dims
        self._consumers: list[tuple[Operation, int]] = []
        self.value: np.ndarray[Any, Any] | None = None  # computed once, see engine.plan.evaluate

    def as_tensor(self) -> Tensor:
        return self

    @property
    def graph(self) -> Graph:
        return self.op.graph

    @property
    def name(self) -> str:
        return f"{self.op.name}:{self.index}"

    @property
    def device(self) -> str:
        return self.op.device

    @property
    def shape(self) -> TensorShape:
        return TensorShape(self.dims)

    @property
    def ndim(self) -> int | None:
        return self.shape.rank

    def get_shape(self) -> TensorShape:
        return self.shape

    def set_shape(self, shape: Any) -> None:
        """Add what is known about the shape.

        Raises:
            ShapeError: it contradicts what is known already.
        """
        from engine.shapes import merge

        self.dims = merge(self.dims, TensorShape(shape).dims)

    def consumers(self) -> tuple[tuple[Operation, int], ...]:
        """Return the fan-out: one `(operation, input slot)` for each use."""
        return tuple(self._consumers)

    def eval(self, feed_dict: Mapping[Any, Any] | None = None, session: Any = None) -> Any:
        """Return the value in a session, by default the one whose `with` block we are in."""
        from engine.session import session_for

        return session_for(session, self.name).run(self, feed_dict)

    def ref(self) -> Tensor:
        """Return a hashable reference; tensors are hashable here, so it is the tensor itself."""
        return self

    def deref(self) -> Tensor:
        return self

    def __repr__(self) -> str:
        try:
            value = _current_value(self)
        except EngineError:
            return f"<tf.Tensor {self.name!r} shape={show(self.dims)} dtype={self.dtype.name}>"
        shown = _own_line(repr(value))
        shape = np.shape(value)
        return f"<tf.Tensor: shape={shape}, dtype={self.dtype.name}, numpy={shown}>"

    def __str__(self) -> str:
        try:
            value = _current_value(self)
        except EngineError:
            return f'Tensor("{self.name}", shape={show(self.dims)}, dtype={self.dtype.name})'
        shown = _own_line(str(value))
        return f"tf.Tensor({shown}, shape={np.shape(value)}, dtype={self.dtype.name})"


def _current_value(tensor: Tensor) -> Any:
    from engine.plan import evaluate  # evaluation needs graphs first
    from engine.scalars import plain

    return plain(evaluate([tensor])[0])


def _own_line(text: str) -> str:
    """Start a matrix on a line of its own, as TensorFlow does."""
    return f"\n{text}" if "\n" in text else text
