"""How values are computed: a fetch is compiled once into a flat list of bound kernel calls.

Only what the fetches need is run, in order of creation (which is a topological order), without
recursion; a value is dropped after its last use.

There are two ways to read variables. In a session they are read from the session's store when the
plan runs. Without a session (`evaluate`) a read has the value that the variable had when the read
was made, so an eager program sees what it would see in TensorFlow.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from engine.convert import to_array
from engine.errors import EngineError, FeedError, ShapeError
from engine.shapes import compatible, show
from engine.tensor import Operation, Tensor

if TYPE_CHECKING:
    from engine.session import Store

_MOST_PLANS = 256
_KERNEL_ERRORS = (ValueError, IndexError, ZeroDivisionError, np.linalg.LinAlgError)


class Plan:
    """A compiled evaluation: run it as often as you like."""

    __slots__ = ("_feeds", "_fetches", "_initial", "_overruled", "_steps")

    def __init__(
        self, fetches: Sequence[Tensor | Operation], feeds: Sequence[Tensor], *, eager: bool
    ) -> None:
        ops = _needed(fetches, frozenset(feeds), eager=eager)
        slots: dict[Tensor, int] = {tensor: slot for slot, tensor in enumerate(feeds)}
        for op in ops:
            for tensor in op.outputs:
                slots.setdefault(tensor, len(slots))
        self._overruled = len(slots)  # where the kernel's own value of a fed tensor goes
        self._initial: list[Any] = [None] * (len(slots) + 1)
        self._feeds = len(feeds)
        self._fetches = [slots[fetch] if isinstance(fetch, Tensor) else None for fetch in fetches]
        keep = {slot for slot in self._fetches if slot is not None}
        self._steps: list[
            tuple[Callable[..., Any], tuple[int, ...], Any, list[int], Operation]
        ] = []
        self._compile(ops, slots, keep, eager=eager)

    def _compile(
        self, ops: Sequence[Operation], slots: Mapping[Tensor, int], keep: set[int], *, eager: bool
    ) -> None:
        last_use: dict[int, int] = {}
        for op in ops:
            inputs = tuple(slots[tensor] for tensor in inputs_of(op, eager=eager))
            if op.type == "Const":
                self._initial[slots[op.outputs[0]]] = op.attrs["value"]
                keep.add(slots[op.outputs[0]])
                continue
            outputs = [self._target(slots[tensor]) for tensor in op.outputs]
            target: Any = outputs[0] if len(outputs) == 1 else outputs
            for slot in (*inputs, *outputs):
                last_use[slot] = len(self._steps)
            self._steps.append((bound_kernel(op, eager=eager), inputs, target, [], op))
        for slot, step in last_use.items():
            if slot not in keep:
                self._steps[step][3].append(slot)

    def _target(self, slot: int) -> int:
        return self._overruled if slot < self._feeds else slot

    def run(self, fed: Sequence[Any], store: Store | None = None) -> list[Any]:
        """Return the fetched values: an array per tensor, None per operation.

        Raises:
            EngineError: a kernel failed; the message names the operation.
        """
        values = self._initial.copy()
        values[: self._feeds] = fed
        op: Operation | None = None
        try:
            with np.errstate(all="ignore"):
                for kernel, inputs, target, dead, op in self._steps:
                    if op.opdef.stateful:
                        result = kernel(store, op, *[values[slot] for slot in inputs])
                    else:
                        result = kernel(*[values[slot] for slot in inputs])
                    if target.__class__ is int:
                        values[target] = result
                    else:
                        for slot, value in zip(target, result, strict=True):
                            values[slot] = value
                    for slot in dead:
                        values[slot] = None
        except _KERNEL_ERRORS as error:
            if isinstance(error, EngineError) and not isinstance(error, ShapeError):
                raise  # says what is wrong by itself
            raise _kernel_error(op, error) from error
        return [None if slot is None else values[slot] for slot in self._fetches]


def _kernel_error(op: Operation | None, error: Exception) -> ShapeError:
    assert op is not None
    inputs = ", ".join(tensor.name for tensor in op.inputs)
    return ShapeError(f"{op.type} {op.name!r} failed at run time on ({inputs}): {error}")


def bound_kernel(op: Operation, *, eager: bool) -> Callable[..., Any]:
    if eager and op.source is not None:
        assert op.opdef.eager is not None
        return partial(_without_store, op.opdef.eager)
    attrs = {key: value for key, value in op.attrs.items() if not key.startswith("_")}
    return partial(op.opdef.kernel, **attrs) if attrs else op.opdef.kernel


def _without_store(kernel: Callable[..., Any], _store: Any, _op: Any, *values: Any) -> Any:
    return kernel(*values)


def inputs_of(op: Operation, *, eager: bool) -> tuple[Tensor, ...]:
    """Return what the kernel reads; without a session a variable's past value stands in for it."""
    if eager and op.source is not None:
        return (op.source, *op.inputs[1:])
    return op.inputs


def _needed(
    fetches: Sequence[Tensor | Operation], feeds: frozenset[Tensor], *, eager: bool
) -> list[Operation]:
    """Return the operations to run, in order of creation."""
    seen: set[Operation] = set()
    stack = [
        fetch if isinstance(fetch, Operation) else fetch.op
        for fetch in fetches
        if isinstance(fetch, Operation) or fetch not in feeds
    ]
    while stack:
        op = stack.pop()
        if op in seen:
            continue
        seen.add(op)
        stack.extend(t.op for t in inputs_of(op, eager=eager) if t not in feeds)
        if not eager:
            stack.extend(op.control_inputs)
    return sorted(seen, key=lambda op: op.id)


def compiled(
    graph: Any, fetches: Sequence[Tensor | Operation], feeds: Sequence[Tensor], *, eager: bool
) -> Plan:
    """Return the plan for these fetches and feeds, compiled once per graph."""
    key = (eager, tuple(fetches), tuple(feeds))
    plan: Plan | None = graph.plans.get(key)
    if plan is None:
        if len(graph.plans) >= _MOST_PLANS:
            graph.plans.pop(next(iter(graph.plans)))
        plan = graph.plans[key] = Plan(fetches, feeds, eager=eager)
    return plan


def fed_array(tensor: Tensor, value: Any) -> Any:
    """Return what is fed for a tensor as an array of its type.

    Raises:
        FeedError: type or shape do not fit.
    """
    try:
        array = to_array(value, hint=tensor.dtype)
    except EngineError as error:
        raise FeedError(f"cannot feed {tensor.name}: {error}") from None
    if array.dtype != tensor.dtype.dtype:
        if array.dtype.kind not in "iuf" or tensor.dtype.kind not in "iu":
            raise FeedError(
                f"cannot feed {array.dtype} for {tensor.name}, which is {tensor.dtype.name}"
            )
        array = array.astype(tensor.dtype.dtype)
    if not compatible(tensor.dims, array.shape):
        raise FeedError(
            f"cannot feed value of shape {array.shape} for tensor {tensor.name!r}, which has shape "
            f"{show(tensor.dims)}"
        )
    return array


def evaluate(tensors: Sequence[Tensor], feeds: Mapping[Tensor, Any] | None = None) -> list[Any]:
    """Return the values of tensors without a session.

    Without feeds a value is computed once and kept. Reads of variables have the value of the time
    they were made.

    Args:
        tensors: of one graph.
        feeds: values for placeholders, or for any other tensor.

    Returns:
        One NumPy array per tensor.

    Raises:
        FeedError: a placeholder on the way has no value.
    """
    if not tensors:
        return []
    graph = tensors[0].graph
    if feeds:
        fed = {tensor: fed_array(tensor, value) for tensor, value in feeds.items()}
        plan = compiled(graph, tuple(tensors), tuple(fed), eager=True)
        return [_array(t, v) for t, v in zip(tensors, plan.run(list(fed.values())), strict=True)]
    _compute_missing(tensors)
    return [tensor.value for tensor in tensors]


def _compute_missing(tensors: Sequence[Tensor]) -> None:
    """Compute and keep every value that the tensors need and that is not there yet."""
    missing: dict[Tensor, None] = {}
    known: dict[Tensor, None] = {}
    stack = list(tensors)
    while stack:
        tensor = stack.pop()
        if tensor.value is not None:
            known[tensor] = None
        elif tensor not in missing:
            missing.update(dict.fromkeys(tensor.op.outputs))
            stack.extend(inputs_of(tensor.op, eager=True))
    if not missing:
        return
    plan = Plan(tuple(missing), tuple(known), eager=True)
    for tensor, value in zip(missing, plan.run([t.value for t in known]), strict=True):
        tensor.value = _array(tensor, value)


def _array(tensor: Tensor, value: Any) -> Any:
    """Return a result as a read-only array that nobody else writes to."""
    array = np.asarray(value, tensor.dtype.dtype)
    view = array.view()
    view.setflags(write=False)
    return view
