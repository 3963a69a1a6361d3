"""Which attributes a value shows to a program: an explicit list per type, and nothing else."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from explorer.program.calls import Native
from explorer.program.errors import ProgramError
from explorer.program.faces import Face, close_match
from explorer.program.feeds import FED_METHODS
from explorer.program.methods import METHODS
from explorer.program.numpy_random import RANDOM_METHODS

if TYPE_CHECKING:
    from explorer.program.interpreter import Interpreter

_TENSOR = (
    "op name shape dtype graph device ndim index numpy eval get_shape set_shape consumers ref deref"
)
_GRAPH = (
    "as_default name_scope control_dependencies device gradient_override_map get_operations "
    "get_operation_by_name get_tensor_by_name as_graph_element unique_name operations "
    "get_collection"
)
_OPTIMIZER = (
    "minimize compute_gradients apply_gradients get_slot get_slot_names variables learning_rate "
    "iterations get_gradients build"
)

# The engine's classes, by name: the tables below do not have to import what is not used.
_ENGINE: dict[str, str] = {
    "Tensor": _TENSOR,
    "Variable": f"{_TENSOR} assign assign_add assign_sub read_value value initial_value "
    "initializer initialized_value trainable handle",
    "Operation": "name type inputs outputs control_inputs get_attr run device graph",
    "IndexedSlices": "values indices dense_shape shape dtype name op graph",
    "IndexedSlicesValue": "values indices dense_shape",
    "TensorShape": "dims rank ndims as_list is_fully_defined num_elements is_compatible_with",
    "DType": "name as_numpy_dtype is_floating is_complex is_integer is_bool is_trainable "
    "base_dtype real_dtype max min",
    "Graph": _GRAPH,
    "Session": "run close graph as_default",
    "GradientTape": "gradient watch jacobian batch_jacobian stop_recording reset watched_variables",
    "ForwardAccumulator": "jvp",
    "Optimizer": _OPTIMIZER,
    "OpDef": "type",
}

_OTHERS: dict[type, str] = {
    np.ndarray: "shape dtype ndim size T real imag",
    np.generic: "shape dtype ndim size T real imag",
    np.dtype: "name kind itemsize",
    complex: "real imag",
    int: "real imag numerator denominator",
    slice: "start stop step",
    range: "start stop step",
    BaseException: "args",
}

_METHODS: dict[type, Mapping[str, Any]] = {**METHODS, **FED_METHODS, **RANDOM_METHODS}

_tables: dict[type, frozenset[str]] = {}


def attribute(interpreter: Interpreter, value: Any, name: str) -> Any:
    """Return `value.name`.

    Raises:
        ProgramError: the language does not offer this attribute.
        AttributeError: the value has no such attribute.
    """
    if name.startswith("_") and not (name == "__version__" and type(value) is Face):
        raise ProgramError(f"names that begin with an underscore, such as .{name}, are private")
    kind = type(value)
    if kind is Face:
        return value.member(name)
    method = _method(kind, name)
    if method is not None:
        return Native(interpreter, name, _Bound(method, value), checks=name != "append")
    if isinstance(value, type):
        return _constant(value, name)
    names = _tables.get(kind)
    if names is None:
        names = _tables[kind] = _names(kind)
    if name in names:
        return getattr(value, name)
    raise AttributeError(_unknown(kind, name, names))


class _Bound:
    """A method of ours together with the value it is called on."""

    __slots__ = ("_method", "_value")

    def __init__(self, method: Any, value: Any) -> None:
        self._method = method
        self._value = value

    def __call__(self, interpreter: Interpreter, *args: Any, **kwargs: Any) -> Any:
        return self._method(interpreter, self._value, *args, **kwargs)


def _method(kind: type, name: str) -> Any:
    for base in kind.__mro__:
        table: Mapping[str, Any] | None = _METHODS.get(base)
        if table is not None and name in table:
            return table[name]
    return None


def _names(kind: type) -> frozenset[str]:
    """Return the attributes that values of a type show, its base classes' included."""
    found: set[str] = set()
    for base in kind.__mro__:
        found.update(_OTHERS.get(base, "").split())
        if base.__module__.split(".")[0] == "engine":
            found.update(_ENGINE.get(base.__name__, "").split())
            if base.__module__.startswith(("engine.train", "engine.optimizers")):
                found.update(_OPTIMIZER.split())
    if issubclass(kind, tuple) and hasattr(kind, "_fields"):
        found.update(kind._fields)
    return frozenset(found)


def _constant(kind: type, name: str) -> Any:
    """Return a constant that a class holds, such as tf.AggregationMethod.ADD_N."""
    for base in kind.__mro__:
        value = vars(base).get(name)
        if isinstance(value, int | str | float) and base is not object:
            return value
    raise AttributeError(f"{kind.__name__} has no constant {name!r}")


def _unknown(kind: type, name: str, names: frozenset[str]) -> str:
    methods = [key for base in kind.__mro__ for key in _METHODS.get(base, ())]
    shown = "function" if "unction" in kind.__name__ or kind is Native else kind.__name__
    shown = "None" if kind is type(None) else shown
    if kind is type(None):
        return (
            f"None has no attribute {name!r}; a gradient is None when no y depends on that x, or "
            "when something on the way stops it"
        )
    return f"{shown} has no attribute {name!r} here{close_match(name, [*names, *methods])}"
