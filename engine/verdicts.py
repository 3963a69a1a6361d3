"""Why the gradient of an x is what it is: None, exactly zero, not finite, or ordinary."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any

import numpy as np

from engine.backward import Backward, Cut, Step
from engine.blocking import influenced, nearest_cuts
from engine.detours import Detour, detours
from engine.nonfinite import Origin, first_nan, first_nonfinite
from engine.replay import Values, evaluate_record, value_of
from engine.tensor import Operation, Tensor
from engine.vanishing import ZeroCause, zero_causes


class State(Enum):
    """What a gradient can be; never to be confused."""

    NOT_COMPUTED = "not computed"
    NONE = "no gradient"
    ZERO = "exactly zero"
    NON_FINITE = "not finite"
    ORDINARY = "ordinary"


@dataclass(frozen=True, eq=False)
class Verdict:
    """What is to be said about the gradient of one x.

    Attributes:
        value: the gradient, dense; None if there is none or it is not computed.
        connected: whether any edges lead from x to a y, differentiable or not.
        zero_on_request: there is no gradient, and zeros were asked for in its place.
        cuts: with NONE and ZERO, the cut edges that block ways from x to a y.
        detours: with NONE, where the value of x went on without edges, for no gradient to follow.
        zeros: with ZERO, what makes it zero; together they hold on every path.
        origin: with NON_FINITE, the first operation, in order of execution, that made a value
            that is not finite from finite ones.
        nan: with a NaN in the gradient, the first operation that made one from none (0 × inf).
    """

    x: Tensor
    state: State
    value: Any
    connected: bool
    zero_on_request: bool = False
    cuts: tuple[Cut, ...] = ()
    detours: tuple[Detour, ...] = ()
    zeros: tuple[ZeroCause, ...] = ()
    origin: Origin | None = None
    nan: Origin | None = None


def why(
    backward: Backward,
    feeds: Mapping[Tensor, Any] | None = None,
    *,
    values: Values | None = None,
) -> tuple[Verdict, ...]:
    """Return one verdict per x.

    Args:
        feeds: values of placeholders; by default what a session fed last.
        values: what `evaluate_record` returned, to save doing it again.
    """
    known = evaluate_record(backward, feeds) if values is None else values
    return tuple(_verdict(backward, index, known) for index in range(len(backward.xs)))


def _verdict(backward: Backward, index: int, values: Values) -> Verdict:
    x, result = backward.xs[index], backward.results[index]
    if backward.unconnected[index]:
        cuts, connected = _blocking(backward, x)
        zero = result is not None
        return Verdict(x, State.NONE, None, connected, zero, cuts, detours(backward, x))
    known = values.get(x)
    value = value_of(result, values, None if known is None else np.shape(known))
    if value is None:
        return Verdict(x, State.NOT_COMPUTED, None, True)
    if not np.all(np.isfinite(value)):
        scope = _scope(backward, x, result)
        nan = first_nan(backward, scope, values) if np.any(np.isnan(value)) else None
        origin = first_nonfinite(backward, scope, values)
        return Verdict(x, State.NON_FINITE, value, True, origin=origin, nan=nan)
    if np.size(value) and not np.any(value):
        cuts, _ = _blocking(backward, x)
        return Verdict(
            x, State.ZERO, value, True, cuts=cuts, zeros=zero_causes(backward, x, values)
        )
    return Verdict(x, State.ORDINARY, value, True)


def _blocking(backward: Backward, x: Tensor) -> tuple[tuple[Cut, ...], bool]:
    """Return the first cuts on the ways from the ys to x, and whether x reaches a y at all."""
    reached = influenced(x)
    cuts = tuple(cut for cut in nearest_cuts(backward) if cut.tensor in reached)
    return cuts, any(y in reached for y in backward.ys)


def _scope(backward: Backward, x: Tensor, result: Any) -> list[Operation]:
    """Return the operations to blame: what the gradient depends on, and those on paths to x."""
    parts = [result] if isinstance(result, Tensor) else [result.values, result.indices]
    stack = [tensor.op for tensor in parts]
    stack.extend(_on_paths(backward.steps, x))
    seen: set[Operation] = set()
    while stack:
        op = stack.pop()
        if op not in seen:
            seen.add(op)
            stack.extend(tensor.op for tensor in op.inputs)
    return sorted(seen, key=lambda op: op.id)


def _on_paths(steps: Iterable[Step], x: Tensor) -> set[Operation]:
    """Return the forward operations on chain-rule paths to x."""
    leading = {x}
    found: set[Operation] = set()
    for step in reversed(tuple(steps)):
        if step.receiver in leading:
            leading.update(step.op.outputs)
            found.add(step.op)
    return found
