"""TensorFlow as the program sees it: what `engine` exports, and settings that change nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from types import ModuleType
from typing import TYPE_CHECKING, Any

import engine
from engine.graph import Graph, get_default_graph, reset_default_graph
from engine.opdef import OpDef
from engine.tensor import Operation, Operators, Tensor
from explorer.program.builtin_face import write
from explorer.program.calls import Native
from explorer.program.errors import ProgramError
from explorer.program.faces import Face
from explorer.program.guards import GUARDS, guarded
from explorer.program.printing import text_of

if TYPE_CHECKING:
    from explorer.program.interpreter import Interpreter

VERSION = "2.21.0"
"""The release whose behaviour the engine follows."""

_LAYERS = "write the layer with tf.Variable, tf.matmul and tf.nn"
_FILES = "files are not read or written; write the numbers into the program"
_KERAS = "write the model with tf.Variable, tf.matmul and tf.GradientTape"
_REFUSED = {
    "layers": _LAYERS,
    "contrib": _LAYERS,
    "estimator": _LAYERS,
    "data": "loop over a Python list or a NumPy array",
    "io": _FILES,
    "gfile": _FILES,
    "saved_model": _FILES,
    "summary": "use print; the page draws the graph",
    "profiler": "leave it out",
    "distribute": "leave it out; everything runs on one device",
    "py_function": "write the function with TensorFlow operations",
    "py_func": "write the function with TensorFlow operations",
    "numpy_function": "write the function with TensorFlow operations",
    "Module": "write functions and tf.Variable",
    "load_op_library": "only the operations listed on the page exist",
}

# Classes of the engine that are good for isinstance(), but not for calling.
_NOT_MADE = frozenset({Tensor, Operation, Operators, OpDef})

# The settings that the articles make at the start of a script; here they change nothing.
_NO_CHANGE = (
    "disable_v2_behavior enable_v2_behavior disable_eager_execution enable_eager_execution "
    "disable_resource_variables enable_resource_variables disable_v2_tensorshape "
    "enable_v2_tensorshape disable_control_flow_v2 enable_control_flow_v2 enable_tensor_equality "
    "disable_tensor_equality ConfigProto GPUOptions RunOptions"
)
_NO_CHANGE_LOGGING = "set_verbosity info warn warning error debug"
_NO_CHANGE_CONFIG = (
    "run_functions_eagerly experimental_run_functions_eagerly set_soft_device_placement "
    "set_visible_devices"
)


def tensorflow_face(it: Interpreter) -> Face:
    """Return the module `tf` of one run."""
    members = _members(it, engine, {id(engine)})
    _add_silent(it, members)
    members["Graph"] = Graph
    it.constructors[Graph] = Native(it, "Graph", _new_graph)
    members["reset_default_graph"] = Native(it, "reset_default_graph", _reset)
    members["print"] = Native(it, "print", _print)
    members["__version__"] = VERSION
    members["newaxis"] = None
    optimizers = {"optimizers": members["optimizers"]}
    members["keras"] = Face("tf.keras", optimizers, otherwise=_KERAS)
    face = Face("tf", members, _REFUSED)
    v1 = Face("tf.compat.v1", members, _REFUSED)
    compat = {"v1": v1, "v2": face, "as_str": Native(it, "as_str", lambda _it, text: text)}
    face.members["compat"] = v1.members["compat"] = Face("tf.compat", compat)
    return face


def meter_graph(it: Interpreter, graph: Graph) -> None:
    """Count every operation that is added to a graph while the program runs."""
    it.graphs.append(graph)
    graph.seed = it.seed
    graph.observers.append(it.count_operation)


def release_graph(it: Interpreter, graph: Graph) -> None:
    """Stop counting; what is added later belongs to others."""
    graph.observers.remove(it.count_operation)


def _new_graph(it: Interpreter) -> Graph:
    graph = Graph()
    meter_graph(it, graph)
    return graph


def _reset(it: Interpreter) -> None:
    reset_default_graph()
    meter_graph(it, get_default_graph())


def _print(it: Interpreter, *values: Any, sep: str = " ", end: str = "\n", **_ignored: Any) -> None:
    shown = [
        value.as_tensor().numpy() if isinstance(value, Operators) else value for value in values
    ]
    write(it, sep.join(text_of(it.meter, value) for value in shown) + end)


def _members(it: Interpreter, module: Any, seen: set[int]) -> dict[str, Any]:
    """Return what a module of the engine exports; its namespaces become faces of their own."""
    members: dict[str, Any] = {}
    for name in _exported(module):
        value = vars(module).get(name, None)
        if _is_namespace(value):
            if id(value) not in seen:
                inner = _members(it, value, seen | {id(value)})
                members[name] = Face(f"tf.{name}", inner, _REFUSED)
        else:
            guard = GUARDS.get(name)
            members[name] = value if guard is None else Native(it, name, guarded(value, guard))
            if isinstance(value, type) and value not in _NOT_MADE:
                it.constructors.setdefault(value, value)
    return members


def _exported(module: Any) -> Iterable[str]:
    """Return the names a module declares as its own; without `__all__`, those it defines."""
    names: Iterable[str] | None = vars(module).get("__all__")
    if names is None:
        names = [
            name
            for name, value in vars(module).items()
            if getattr(value, "__module__", None) == vars(module).get("__name__")
        ]
    return [name for name in names if not name.startswith("_")]


def _is_namespace(value: Any) -> bool:
    return isinstance(value, ModuleType) or type(value).__name__ == "SimpleNamespace"


def _silent(_it: Interpreter, *_args: Any, **_kwargs: Any) -> None:
    """Change nothing."""


def _named(it: Interpreter, names: str, run: Callable[..., Any]) -> dict[str, Any]:
    return {name: Native(it, name, run) for name in names.split()}


def _no_devices(_it: Interpreter, *_args: Any, **_kwargs: Any) -> Any:
    raise ProgramError("devices are not listed; everything runs on the processor")


def _add_silent(it: Interpreter, members: dict[str, Any]) -> None:
    """Add the settings and error classes that scripts mention and the engine does not need."""
    for name, native in _named(it, _NO_CHANGE, _silent).items():
        members.setdefault(name, native)
    members.setdefault("executing_eagerly", Native(it, "executing_eagerly", lambda _it: True))
    logging: dict[str, Any] = _named(it, _NO_CHANGE_LOGGING, _silent)
    logging.update(dict.fromkeys(("DEBUG", "INFO", "WARN", "ERROR", "FATAL"), 0))
    members.setdefault("logging", Face("tf.logging", logging))
    config: dict[str, Any] = _named(it, _NO_CHANGE_CONFIG, _silent)
    config.update(_named(it, "list_physical_devices list_logical_devices", _no_devices))
    members.setdefault("config", Face("tf.config", config))
    members.setdefault("errors", Face("tf.errors", _ERRORS))


_ERRORS = {
    "OpError": Exception,
    "InvalidArgumentError": ValueError,
    "FailedPreconditionError": RuntimeError,
    "NotFoundError": LookupError,
    "UnimplementedError": NotImplementedError,
}
