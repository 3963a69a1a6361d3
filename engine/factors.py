"""The factor that an edge puts into the products of the paths over it: its local derivative."""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import Enum
from typing import Any

import numpy as np

from engine.backward import Backward, Step
from engine.links import Carry, Link
from engine.replay import Crossing, Values, value_of
from engine.tensor import Tensor


class FactorKind(Enum):
    """What a local derivative looks like."""

    NUMBER = "number"
    ARRAY = "one number per element"
    RULE = "linear rule"
    UNKNOWN = "not computed"


@dataclass(frozen=True, eq=False)
class Factor:
    """The local derivative along one edge.

    Attributes:
        value: a number; an array that multiplies the upstream gradient element by element (what
            was broadcast is summed afterwards); None for a rule that is no such product, for
            example that of MatMul, and for what is not computed.
    """

    kind: FactorKind
    value: Any = None

    @property
    def number(self) -> Any:
        return self.value if self.kind is FactorKind.NUMBER else None


_UNKNOWN = Factor(FactorKind.UNKNOWN)
_RULE = Factor(FactorKind.RULE)
_ONE = Factor(FactorKind.NUMBER, 1.0)

_ELEMENTWISE = frozenset(
    (
        *("Relu", "ReluGrad", "Relu6", "Relu6Grad", "LeakyRelu", "LeakyReluGrad"),
        *("Elu", "EluGrad", "Selu", "SeluGrad", "Sqrt", "SqrtGrad", "Rsqrt", "RsqrtGrad"),
        *("Reciprocal", "ReciprocalGrad", "Inv", "InvGrad", "TanhGrad", "SigmoidGrad"),
        *("Maximum", "Minimum", "Select", "SelectV2", "MulNoNan", "DivNoNan"),
        *("Cast", "Real", "Imag"),
    )
)
"""Ops with one number per element whose gradient function is not written as a product."""


def local_value(step: Step, values: Values) -> Any:
    """Return the local derivative along a step as a number or array; None if it is neither."""
    return _local_factor(step, values).value


def factor(backward: Backward, link: Link, values: Values) -> Factor:
    """Return the factor of a link."""
    step = link.step
    if len(step.op.outputs) == 1:
        return _local_factor(step, values)
    source, receiver = values.get(link.source), values.get(link.receiver)
    if source is None or receiver is None:
        return _UNKNOWN
    if np.ndim(source) or np.ndim(receiver):
        return _RULE
    try:
        value = _multiplier(link.carry(backward, values), source)
    except KeyError:
        return _UNKNOWN
    return _RULE if value is None else _number(value)


def _local_factor(step: Step, values: Values) -> Factor:
    if step.contribution is step.upstream:
        return _ONE
    local = step.local
    if isinstance(local, float | int):
        return _scalar_factor(step, values, float(local))
    if local is not None:
        value = values.get(local)
        if value is None:
            return _UNKNOWN
        return (
            Factor(FactorKind.ARRAY, value)
            if np.ndim(value)
            else _scalar_factor(step, values, value)
        )
    return _rule_factor(step, values)


def _scalar_factor(step: Step, values: Values, value: Any) -> Factor:
    """Return a factor without axes; it is the whole rule only if nothing is summed afterwards."""
    source = values.get(step.op.outputs[step.output])
    receiver = values.get(step.receiver)
    if source is None or receiver is None:
        return _UNKNOWN
    if np.shape(source) == np.shape(receiver):
        return _number(value)
    return Factor(FactorKind.ARRAY, np.asarray(value))


def _number(value: Any) -> Factor:
    return Factor(FactorKind.NUMBER, value[()] if isinstance(value, np.ndarray) else value)


def _rule_factor(step: Step, values: Values) -> Factor:
    """Return the derivative that a rule multiplies by, found by giving it ones."""
    source = values.get(step.op.outputs[step.output])
    receiver = values.get(step.receiver)
    if source is None or receiver is None:
        return _UNKNOWN
    shape = np.shape(receiver)
    single = np.ndim(source) == 0 and not shape
    same = np.shape(source) == shape and step.op.type in _ELEMENTWISE
    if not single and not same:
        return _RULE
    carry = Crossing(step.contribution, step.upstream, (), values, shape)
    try:
        value = _multiplier(carry, source)
    except KeyError:
        return _UNKNOWN
    if value is None:
        return _RULE
    return _number(value) if single else Factor(FactorKind.ARRAY, value)


def _multiplier(carry: Carry, source: Any) -> Any:
    """Return what a rule multiplies by; None for one that does not multiply, like conjugation."""
    value = carry(np.ones_like(source))
    if np.iscomplexobj(source):
        turned = carry(np.full_like(source, 1j))
        if not np.array_equal(turned, 1j * value, equal_nan=True):
            return None
    return value


def gain(backward: Backward, link: Link, known: Factor, values: Values) -> float:
    """Return about how much a link enlarges a gradient; exactly, where its factor is a number."""
    if known.kind is FactorKind.NUMBER:
        return float(abs(known.value))
    if known.kind is FactorKind.UNKNOWN:
        return 1.0
    if known.kind is FactorKind.ARRAY:
        return _array_gain(known.value, values.get(link.source), values.get(link.receiver))
    contribution = _norm(value_of(link.step.contribution, values, _shape(values, link.receiver)))
    total = backward.gradients[link.source].total
    upstream = _norm(value_of(total, values, _shape(values, link.source)))
    return contribution / upstream if upstream and math.isfinite(upstream) else 1.0


def _array_gain(local: Any, source: Any, receiver: Any) -> float:
    """Return the root mean square of the derivative, times that of the number of summands."""
    if not np.size(local) or not np.size(receiver):
        return 0.0
    spread = math.sqrt(max(np.size(source) / np.size(receiver), 1.0))
    return _norm(local) / math.sqrt(np.size(local)) * spread


def _norm(value: Any) -> float:
    return 1.0 if value is None else float(np.linalg.norm(np.ravel(value)))


def _shape(values: Values, tensor: Tensor) -> tuple[int, ...] | None:
    value = values.get(tensor)
    return None if value is None else np.shape(value)
