"""Which factors make a gradient zero: on every path, the zero nearest to the y."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Any

import numpy as np

from engine.backward import Backward, Gradient, Step
from engine.factors import local_value
from engine.replay import Values, gradient_value, value_of
from engine.tensor import Tensor


class ZeroKind(Enum):
    """How a zero comes about."""

    FACTOR = "the local derivative is zero"
    CANCELLATION = "contributions that are not zero add up to zero"
    UNDERFLOW = "a product of numbers that are not zero is too small for the type"
    SEED = "the gradient that a y starts with is zero"
    EMPTY = "a y has no elements"


@dataclass(frozen=True, eq=False)
class ZeroCause:
    """One place where a gradient becomes zero.

    Attributes:
        tensor: the forward tensor whose gradient, or share of it, is zero because of it.
        step: the step whose contribution is zero; None for a sum of several steps, and a seed.
        factor: the local derivative of the step, if it has one.
    """

    kind: ZeroKind
    tensor: Tensor
    step: Step | None
    factor: Any = None


def zero_causes(backward: Backward, x: Tensor, values: Values) -> tuple[ZeroCause, ...]:
    """Return what makes the gradient of x zero, the causes nearest to x first.

    Every path from a y to x meets one of the causes.
    """
    causes: list[ZeroCause] = []
    seen = {x}
    queue = [x]
    for tensor in queue:  # grows while it is read
        for cause, beyond in _explained(backward, tensor, values):
            if cause is not None:
                causes.append(cause)
            elif beyond is not None and beyond not in seen:
                seen.add(beyond)
                queue.append(beyond)
    return tuple(causes)


def _explained(
    backward: Backward, tensor: Tensor, values: Values
) -> list[tuple[ZeroCause | None, Tensor | None]]:
    """Explain a zero gradient: by a cause, or by the gradient of a tensor that is zero as well."""
    gradient: Gradient = backward.gradients[tensor]
    shape = np.shape(values[tensor]) if tensor in values else None
    if any(np.any(value_of(term.value, values, shape)) for term in gradient.terms):
        return [(ZeroCause(ZeroKind.CANCELLATION, tensor, None), None)]
    found: list[tuple[ZeroCause | None, Tensor | None]] = []
    for term in gradient.terms:
        if term.step is None:
            empty = shape is not None and 0 in shape
            kind = ZeroKind.EMPTY if empty else ZeroKind.SEED
            found.append((ZeroCause(kind, tensor, None), None))
            continue
        alive = [
            output
            for output in term.step.op.outputs
            if np.any(gradient_value(backward, output, values))
        ]
        if alive:
            found.append((_zero_step(term.step, tensor, alive[0], backward, values), None))
        else:
            found.extend(
                (None, output) for output in term.step.op.outputs if output in backward.gradients
            )
    return found


def _zero_step(
    step: Step, tensor: Tensor, output: Tensor, backward: Backward, values: Values
) -> ZeroCause:
    """Name the zero in a step to which a gradient came that is not zero."""
    local = local_value(step, values)
    if local is None:
        return ZeroCause(ZeroKind.FACTOR, tensor, step)
    upstream = gradient_value(backward, output, values)
    both = np.logical_and(upstream != 0, np.asarray(local) != 0)
    if not np.any(both):
        return ZeroCause(ZeroKind.FACTOR, tensor, step, local)
    summed = np.any(np.asarray(upstream * np.asarray(local, upstream.dtype))[both])
    kind = ZeroKind.CANCELLATION if summed else ZeroKind.UNDERFLOW
    return ZeroCause(kind, tensor, step, local)
