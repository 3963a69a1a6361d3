"""Comparisons, logic and selection: ops that decide, and through which no derivative flows.

Only the two branches of a selection carry gradients, each where it was chosen.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from engine.convert import to_tensor
from engine.dtypes import DType, bool_
from engine.elementwise import unbroadcast
from engine.errors import ArgumentError, DTypeError
from engine.graph import create_op, graph_of
from engine.opdef import define
from engine.registry import NotDifferentiable, RegisterGradient
from engine.shapes import Dims, broadcast, merge
from engine.tensor import Operation, Operators, Tensor


def _bool(*_dtypes: DType, **_attrs: Any) -> DType:
    return bool_


less = define(
    "Less", kernel=np.less, shape=broadcast, dtype=_bool, kinds="iuf", arity=2, latex="#1 < #2"
)
NotDifferentiable("Less")

less_equal = define(
    "LessEqual",
    kernel=np.less_equal,
    shape=broadcast,
    dtype=_bool,
    kinds="iuf",
    arity=2,
    latex=r"#1 \le #2",
)
NotDifferentiable("LessEqual")

greater = define(
    "Greater",
    kernel=np.greater,
    shape=broadcast,
    dtype=_bool,
    kinds="iuf",
    arity=2,
    latex="#1 > #2",
)
NotDifferentiable("Greater")

greater_equal = define(
    "GreaterEqual",
    kernel=np.greater_equal,
    shape=broadcast,
    dtype=_bool,
    kinds="iuf",
    arity=2,
    latex=r"#1 \ge #2",
)
NotDifferentiable("GreaterEqual")

equal = define("Equal", kernel=np.equal, shape=broadcast, dtype=_bool, arity=2, latex="#1 = #2")
NotDifferentiable("Equal")

not_equal = define(
    "NotEqual", kernel=np.not_equal, shape=broadcast, dtype=_bool, arity=2, latex=r"#1 \ne #2"
)
NotDifferentiable("NotEqual")

approximate_equal_op = define(
    "ApproximateEqual",
    kernel=lambda x, y, *, tolerance: np.abs(x - y) < tolerance,
    shape=lambda x, y, *, tolerance: merge(x, y),
    dtype=_bool,
    kinds="fciu",
    arity=2,
    attrs={"tolerance": 1e-5},
    latex=r"#1 \approx #2",
)
NotDifferentiable("ApproximateEqual")


def approximate_equal(x: Any, y: Any, tolerance: float = 1e-5, name: str | None = None) -> Tensor:
    """Return whether two tensors of one shape differ by less than a tolerance, elementwise."""
    result: Tensor = approximate_equal_op(x, y, tolerance=float(tolerance), name=name)
    return result


logical_and = define(
    "LogicalAnd",
    kernel=np.logical_and,
    shape=broadcast,
    kinds="b",
    arity=2,
    latex=r"#1 \wedge #2",
)
NotDifferentiable("LogicalAnd")

logical_or = define(
    "LogicalOr", kernel=np.logical_or, shape=broadcast, kinds="b", arity=2, latex=r"#1 \vee #2"
)
NotDifferentiable("LogicalOr")

logical_not = define(
    "LogicalNot", kernel=np.logical_not, shape=broadcast, kinds="b", latex=r"\neg #1"
)
NotDifferentiable("LogicalNot")


def logical_xor(x: Any, y: Any, name: str = "LogicalXor") -> Tensor:
    """Return `(x or y) and not (x and y)`, elementwise."""
    with graph_of([x, y]).name_scope(name):
        result: Tensor = logical_and(logical_or(x, y), logical_not(logical_and(x, y)))
        return result


# Selection


def _chosen_dtype(condition: DType, first: DType, _second: DType) -> DType:
    if condition is not bool_:
        raise DTypeError(
            f"the condition of a selection must be bool (got {condition.name}); compare something, "
            "or use tf.cast(..., tf.bool)"
        )
    return first


select_v2 = define(
    "SelectV2",
    kernel=np.where,
    shape=broadcast,
    dtype=_chosen_dtype,
    match=(1, 2),
    arity=3,
    latex=r"#1\ ?\ #2 : #3",
)


@RegisterGradient("SelectV2")
def _select_v2_gradient(op: Operation, upstream: Tensor) -> list[Callable[[], Tensor] | None]:
    """Return the upstream gradient where a branch was chosen, 0 elsewhere, un-broadcast."""
    condition = op.inputs[0]
    return [
        None,
        lambda: unbroadcast(select_v2(condition, upstream, 0), op, 1),
        lambda: unbroadcast(select_v2(condition, 0, upstream), op, 2),
    ]


def _select_shape(condition: Dims, first: Dims, second: Dims) -> Dims:
    chosen = merge(first, second)
    if not condition or chosen is None:
        return chosen
    if len(condition) == 1:
        return (*(merge(condition, chosen[:1]) or ()), *chosen[1:])
    return merge(condition, chosen)


def _select(condition: Any, first: Any, second: Any) -> Any:
    if np.shape(first) != np.shape(second):
        raise ValueError(
            f"both branches must have the same shape (got {np.shape(first)} and {np.shape(second)})"
        )
    if np.ndim(condition) == 1 and np.ndim(first) > 1:
        condition = condition.reshape(-1, *(1,) * (np.ndim(first) - 1))
    return np.where(condition, first, second)


select = define(
    "Select",
    kernel=_select,
    shape=_select_shape,
    dtype=_chosen_dtype,
    match=(1, 2),
    arity=3,
    latex=r"#1\ ?\ #2 : #3",
)


@RegisterGradient("Select")
def _select_gradient(op: Operation, upstream: Tensor) -> list[Callable[[], Tensor] | None]:
    condition = op.inputs[0]

    def zeros() -> Tensor:
        return create_op("ZerosLike", [upstream]).outputs[0]

    return [
        None,
        lambda: select(condition, upstream, zeros()),
        lambda: select(condition, zeros(), upstream),
    ]


where_true = define(
    "Where",
    kernel=lambda condition: np.argwhere(condition).astype(np.int64),
    shape=lambda condition: (None, None if condition is None else len(condition)),
    dtype=lambda _condition: "int64",
    latex=r"\{i : #1_i\}",
)
NotDifferentiable("Where")


def where(condition: Any, x: Any = None, y: Any = None, name: str | None = None) -> Tensor:
    """Choose elementwise: x where the condition holds, else y; all three are broadcast.

    As in version 1, a vector condition may choose between rows of x and y of equal shape, unless
    it can be broadcast against them. Without x and y: the coordinates of the true entries.

    Returns:
        A tensor of the broadcast shape; without x and y, int64 `[number of true entries, rank]`.

    Raises:
        ArgumentError: only one of x and y is given.
        DTypeError: the condition is not bool.
    """
    if x is None and y is None:
        coordinates: Tensor = where_true(condition, name=name)
        return coordinates
    if x is None or y is None:
        raise ArgumentError("where takes x and y both, or neither")
    graph = graph_of([condition, x, y])
    hint = next((v.as_tensor().dtype for v in (x, y) if isinstance(v, Operators)), None)
    chooser = to_tensor(condition, graph)
    first, second = to_tensor(x, graph, hint=hint), to_tensor(y, graph, hint=hint)
    choose = select if _chooses_rows(chooser.dims, first.dims, second.dims) else select_v2
    chosen: Tensor = choose(chooser, first, second, name=name)
    return chosen


def _chooses_rows(condition: Dims, first: Dims, second: Dims) -> bool:
    if condition is None or len(condition) != 1 or first is None or first != second:
        return False
    size = condition[0]
    return len(first) > 1 and size == first[0] and size not in (1, None, first[-1])
