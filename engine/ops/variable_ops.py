"""The ops that hold, read and write the state of variables; see `engine.variables`."""

from __future__ import annotations

from typing import Any

from engine.errors import ShapeError
from engine.opdef import REQUIRED, define, same_shape
from engine.registry import NotDifferentiable, RegisterGradient
from engine.shapes import Dims, compatible, show
from engine.tensor import Operation


def _handle_kernel(store: Any, op: Operation, **_attrs: Any) -> Any:
    # The initializer runs before there is a value; whoever needs one reads it and is told.
    return store.values.get(op)


def _read_kernel(store: Any, op: Operation, handle: Any) -> Any:
    return store.read(op.inputs[0].op)


def _assign_kernel(store: Any, op: Operation, handle: Any, value: Any) -> Any:
    store.values[op.inputs[0].op] = value
    return value


def _assign_add_kernel(store: Any, op: Operation, handle: Any, delta: Any) -> Any:
    return _assign_kernel(store, op, None, store.read(op.inputs[0].op) + delta)


def _assign_sub_kernel(store: Any, op: Operation, handle: Any, delta: Any) -> Any:
    return _assign_kernel(store, op, None, store.read(op.inputs[0].op) - delta)


define(
    "VarHandleOp",
    kernel=_handle_kernel,
    eager=lambda value: value,
    shape=lambda *, shape, dtype: shape,
    dtype=lambda *, shape, dtype: dtype,
    arity=0,
    attrs={"shape": REQUIRED, "dtype": REQUIRED},
    stateful=True,
    latex=r"\mathrm{variable}",
)
NotDifferentiable("VarHandleOp")

define(
    "ReadVariableOp",
    kernel=_read_kernel,
    eager=lambda value: value,
    shape=same_shape,
    stateful=True,
    latex="#1",
)


@RegisterGradient("ReadVariableOp")
def _read_gradient(op: Operation, gradient: Any) -> list[Any]:
    """Reading copies the value, so the gradient passes unchanged."""
    return [gradient]


def _assigned_shape(handle: Dims, value: Dims) -> Dims:
    if not compatible(handle, value):
        raise ShapeError(
            f"a variable of shape {show(handle)} cannot hold a value of shape {show(value)}"
        )
    return handle


for _type, _kernel, _eager, _latex in (
    ("AssignVariableOp", _assign_kernel, lambda old, new: new, r"#1\leftarrow #2"),
    (
        "AssignAddVariableOp",
        _assign_add_kernel,
        lambda old, delta: old + delta,
        r"#1\leftarrow #1+#2",
    ),
    (
        "AssignSubVariableOp",
        _assign_sub_kernel,
        lambda old, delta: old - delta,
        r"#1\leftarrow #1-#2",
    ),
):
    define(
        _type,
        kernel=_kernel,
        eager=_eager,
        shape=_assigned_shape,
        arity=2,
        stateful=True,
        latex=_latex,
    )
    NotDifferentiable(_type)
