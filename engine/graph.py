"""The graph of operations, and the one way in: `create_op`.

A `Graph` is a `networkx.MultiDiGraph` whose nodes are the operations themselves, with one edge per
(producer output, consumer input slot): the key of an edge is the slot, its attribute `output` the
index of the producer's output. Control inputs are not data and are no edges.

Hazard: nodes and edges are made by `create_op` alone. Algorithms that build a derived graph get a
plain `MultiDiGraph` (see `__class__`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any, NoReturn

import networkx as nx

from engine import registry
from engine.border import Border
from engine.control import ControlStack
from engine.convert import to_tensor
from engine.errors import ArgumentTypeError, GraphError, NameLookupError
from engine.indexed_slices import IndexedSlices
from engine.naming import Names, check_name
from engine.opdef import OpDef, opdef_of
from engine.tensor import Operation, Operators, Tensor

if TYPE_CHECKING:
    from engine.backward import Backward

source_line: ContextVar[int | None] = ContextVar("source_line", default=None)
"""The line of the program being run, copied to every operation made meanwhile."""


class Graph(nx.MultiDiGraph):  # type: ignore[misc]  # networkx is untyped
    """A graph of operations in creation order, which is a topological order.

    Attributes:
        backwards: what each call of `gradients` and its relatives added, in order.
        feeds: the last value that a session fed to each tensor.
        border: what left as a NumPy value, and what came in as one.
        registry: the gradient registry that was in force when the graph was made.
        observers: called with each new operation; a recording tape is one.
    """

    def __init__(self) -> None:
        super().__init__()
        self.backwards: list[Backward] = []
        self.feeds: dict[Tensor, Any] = {}
        self.border = Border()
        self.plans: dict[Any, Any] = {}
        self.collections: dict[str, list[Any]] = {}
        self.registry = registry.current()
        self.seed: int | None = None
        self.observers: list[Callable[[Operation], None]] = []
        self._operations: list[Operation] = []
        self._by_name: dict[str, Operation] = {}
        self._names = Names()
        self._scope = ""
        self._control = ControlStack()
        self._device = ""
        self._overrides: dict[str, str] = {}
        self._role = ""
        self._forward_op: Operation | None = None

    @property  # type: ignore[misc]
    def __class__(self) -> type:
        # networkx makes copies and derived graphs with `G.__class__()`; those are plain graphs,
        # which may be changed freely. `isinstance(graph, Graph)` asks type() first and holds.
        return nx.MultiDiGraph  # type: ignore[no-any-return]

    @property
    def operations(self) -> tuple[Operation, ...]:
        return tuple(self._operations)

    def get_operations(self) -> list[Operation]:
        return list(self._operations)

    def operations_since(self, start: int) -> tuple[Operation, ...]:
        """Return the operations with id `start` and above."""
        return tuple(self._operations[start:])

    @property
    def size_in_operations(self) -> int:
        return len(self._operations)

    def create_op(
        self,
        op_type: str,
        inputs: Sequence[Any] = (),
        attrs: Mapping[str, Any] | None = None,
        name: str | None = None,
    ) -> Operation:
        """Add an operation.

        Args:
            op_type: TensorFlow's op type.
            inputs: tensors of this graph, or values, which become constants.
            attrs: structural parameters (axes, shapes, permutations ...).
            name: made unique within the current scope; by default the op's own name.

        Raises:
            ArgumentError, ShapeError, DTypeError, GraphError: the inputs do not fit.
        """
        opdef = opdef_of(op_type)
        tensors = self._tensors(opdef, inputs)
        complete = opdef.complete(attrs)
        outputs = opdef.infer(tensors, complete)
        override = self._overrides.get(op_type)
        if override is not None:
            complete["_gradient_op_type"] = override
        op = Operation(self, opdef, self._new_name(name or opdef.name), tensors, complete)
        op.outputs = tuple(
            Tensor(op, index, dtype, dims) for index, (dtype, dims) in enumerate(outputs)
        )
        op.control_inputs = self._control.inputs_of(op)
        op.line = source_line.get()
        op.device = self._device
        op.role = self._role
        op.forward_op = self._forward_op
        self._insert(op)
        for observer in self.observers:
            observer(op)
        return op

    def _tensors(self, opdef: OpDef, inputs: Sequence[Any]) -> tuple[Tensor, ...]:
        if all(type(value) is Tensor and value.op.graph is self for value in inputs):
            return tuple(inputs)
        matched = set(opdef.matched(len(inputs)))
        hint = next(
            (
                value.as_tensor().dtype
                for slot, value in enumerate(inputs)
                if slot in matched and isinstance(value, Operators)
            ),
            None,
        )
        return tuple(
            to_tensor(value, self, hint=hint if slot in matched else None)
            for slot, value in enumerate(inputs)
        )

    def _new_name(self, name: str) -> str:
        if check_name(name).endswith("/"):  # a scope's own name, taken when it was opened
            return name[:-1]
        return self.unique_name(name)

    def _insert(self, op: Operation) -> None:
        op.id = len(self._operations)
        self._operations.append(op)
        self._by_name[op.name] = op
        self._node[op] = {}
        self._succ[op] = {}
        predecessors: dict[Operation, dict[int, dict[str, int]]] = {}
        self._pred[op] = predecessors
        for slot, tensor in enumerate(op.inputs):
            tensor._consumers.append((op, slot))
            producer = tensor.op
            edges = predecessors.get(producer)
            if edges is None:
                # networkx shares one key dictionary between successor and predecessor
                edges = predecessors[producer] = self._succ[producer][op] = {}
            edges[slot] = {"output": tensor.index}

    def unique_name(self, name: str) -> str:
        """Return a name that no operation or scope of this graph has yet, and take it."""
        return self._names.claim(self._scope + name)

    def get_operation_by_name(self, name: str) -> Operation:
        """Return the operation of this name.

        Raises:
            NameLookupError: there is none.
        """
        if name not in self._by_name:
            raise NameLookupError(f"no operation is named {name!r} in this graph")
        return self._by_name[name]

    def get_tensor_by_name(self, name: str) -> Tensor:
        """Return the tensor of this name, for example `"x:0"`.

        Raises:
            NameLookupError: there is none.
        """
        op_name, _, index = name.rpartition(":")
        if not op_name or not index.isdigit():
            raise NameLookupError(f"a tensor's name looks like 'x:0' (got {name!r})")
        outputs = self.get_operation_by_name(op_name).outputs
        if int(index) >= len(outputs):
            raise NameLookupError(
                f"operation {op_name!r} has {len(outputs)} outputs (got {name!r})"
            )
        return outputs[int(index)]

    def as_graph_element(self, element: Any) -> Tensor | Operation:
        """Return the tensor or operation that a tensor, operation, variable or name stands for.

        Raises:
            GraphError: it belongs to another graph.
            NameLookupError: no such name.
            ArgumentTypeError: it stands for neither.
        """
        if isinstance(element, str):
            found: Any = (
                self.get_tensor_by_name(element)
                if ":" in element
                else self.get_operation_by_name(element)
            )
        elif isinstance(element, Operation):
            found = element
        elif isinstance(element, Operators) or hasattr(element, "as_tensor"):
            found = element.as_tensor()
        else:
            raise ArgumentTypeError(
                f"Can not convert a {type(element).__name__} into a Tensor or Operation."
            )
        if found.graph is not self:
            raise GraphError(f"{found.name} is not an element of this graph.")
        return found  # type: ignore[no-any-return]

    @contextmanager
    def as_default(self) -> Iterator[Graph]:
        """Make this the graph that new operations without inputs go into."""
        token = _default.set(self)
        try:
            yield self
        finally:
            _default.reset(token)

    @contextmanager
    def name_scope(self, name: str | None) -> Iterator[str]:
        """Prefix names; a name ending in "/" enters that scope again, None leaves all scopes."""
        previous = self._scope
        if not name:
            self._scope = ""
        elif check_name(name).endswith("/"):
            self._scope = name
        else:
            self._scope = self.unique_name(name) + "/"
        try:
            yield self._scope
        finally:
            self._scope = previous

    @contextmanager
    def control_dependencies(self, control_inputs: Sequence[Any] | None) -> Iterator[None]:
        """Make new operations wait for these; None forgets all that surrounds."""
        found = None
        if control_inputs is not None:
            # Rows of a gather are waited for as they are; a dense tensor of them is not needed.
            elements = [
                self.as_graph_element(entry.values if isinstance(entry, IndexedSlices) else entry)
                for entry in control_inputs
            ]
            found = [item.op if isinstance(item, Tensor) else item for item in elements]
        with self._control.entered(found):
            yield

    @property
    def in_control_context(self) -> bool:
        return self._control.active

    @contextmanager
    def device(self, name: str) -> Iterator[None]:
        """Note a device on new operations; nothing is placed anywhere."""
        previous, self._device = self._device, str(name or "")
        try:
            yield
        finally:
            self._device = previous

    @contextmanager
    def gradient_override_map(self, op_type_map: Mapping[str, str]) -> Iterator[None]:
        """Look up the gradients of new operations under other names.

        Raises:
            ArgumentTypeError: not a dictionary from string to string.
        """
        if not isinstance(op_type_map, dict) or not all(
            isinstance(entry, str) for pair in op_type_map.items() for entry in pair
        ):
            raise ArgumentTypeError(
                "op_type_map must be a dictionary mapping strings to strings, from op type to "
                f"registered name (got {op_type_map!r})"
            )
        previous, self._overrides = self._overrides, {**self._overrides, **op_type_map}
        try:
            yield
        finally:
            self._overrides = previous

    @contextmanager
    def role(self, role: str, forward_op: Operation | None = None) -> Iterator[None]:
        """Record on new operations what they are for, and whose gradient they belong to."""
        previous = self._role, self._forward_op
        self._role = role
        self._forward_op = forward_op or self._forward_op
        try:
            yield
        finally:
            self._role, self._forward_op = previous

    def _refused(self, *_args: Any, **_kwargs: Any) -> NoReturn:
        raise GraphError(
            "operations and edges are made by create_op alone; "
            "work on a copy: networkx.MultiDiGraph(graph)"
        )

    add_node = add_nodes_from = add_edge = add_edges_from = add_weighted_edges_from = _refused
    remove_node = remove_nodes_from = remove_edge = remove_edges_from = _refused
    clear = clear_edges = update = _refused

    def __repr__(self) -> str:
        return f"<tf.Graph of {len(self._operations)} operations>"

    __str__ = __repr__

    def __hash__(self) -> int:
        return id(self)


_default: ContextVar[Graph | None] = ContextVar("default_graph", default=None)


def get_default_graph() -> Graph:
    """Return the graph that operations without inputs go into, one per thread or task."""
    graph = _default.get()
    if graph is None:
        graph = Graph()
        _default.set(graph)
    return graph


def reset_default_graph() -> None:
    """Start an empty default graph."""
    _default.set(Graph())


def create_op(
    op_type: str,
    inputs: Sequence[Any] = (),
    attrs: Mapping[str, Any] | None = None,
    name: str | None = None,
) -> Operation:
    """Add an operation to the graph of its inputs, or to the default graph if it has none."""
    return graph_of(inputs).create_op(op_type, inputs, attrs, name)


def graph_of(inputs: Sequence[Any]) -> Graph:
    """Return the graph of the first tensor or variable among the values, else the default graph."""
    for value in inputs:
        if isinstance(value, Operators):
            return value.as_tensor().op.graph
        if isinstance(value, list | tuple) and any(isinstance(v, Operators) for v in value):
            return graph_of(value)
    return get_default_graph()
