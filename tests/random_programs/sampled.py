"""A step of any op that has sample inputs, near one of its samples.

An input is the sample plus a little of a tensor of the program, so that the op stays where it is
smooth; inputs that have no derivative are the sample itself, as constants.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.random_programs.draft import Draft
from tests.sample_tables import Sample
from tests.samples import SAMPLES

PIECEWISE_CONSTANT = (
    "Sign",
    "Floor",
    "Ceil",
    "Round",
    "Rint",
    "FloorDiv",
    "TruncateDiv",
    "Less",
    "LessEqual",
    "Greater",
    "GreaterEqual",
    "Equal",
    "NotEqual",
    "LogicalAnd",
    "LogicalOr",
    "LogicalNot",
    "All",
    "Any",
    "ArgMax",
    "ArgMin",
    "Shape",
    "Size",
    "Rank",
    "ZerosLike",
    "OnesLike",
)
"""Ops without gradient whose derivative is zero."""

NOT_USED = {
    "StopGradient": "the generator puts it where it likes",
    "OneHot": "it has a derivative for its two values, but no gradient",
    "Range": "it has a derivative for its start, but no gradient",
    "Where": "the shape of its result depends on values",
}

_REACH = 0.05  # how far from the sample an input may be


def _usable(op: str, sample: Sample) -> bool:
    kinds = {np.asarray(array).dtype.kind for array in sample.inputs}
    entries = max((np.size(array) for array in sample.inputs), default=0)
    if not kinds <= set("fciub") or entries > 100 or sample.attrs.get("dtype") == "float32":
        return False
    return op not in NOT_USED and (sample.order > 0 or op in PIECEWISE_CONSTANT)


CHOICES = {
    op: found
    for op, samples in sorted(SAMPLES.items())
    if (found := [sample for sample in samples if _usable(op, sample)])
}
"""The samples that may be used, by op type."""

FIRST_ORDER_ONLY = frozenset(
    op for op, samples in CHOICES.items() if any(sample.order == 1 for sample in samples)
)
"""Ops whose second derivative is zero or None by convention."""


def sampled(draft: Draft) -> None:
    """Add any op near one of its samples."""
    op = draft.rng.choice(sorted(CHOICES))
    near_sample(draft, op, draft.rng.choice(CHOICES[op]))


def near_sample(draft: Draft, op: str, sample: Sample) -> None:
    """Add an op near a sample, and what makes real numbers of its outputs."""
    moved = sample.sources if sample.order else range(len(sample.inputs))
    inputs = [
        _near(draft, op, sample, slot) if slot in moved else draft.parameter(array)
        for slot, array in enumerate(sample.inputs)
    ]
    for output in draft.add(op, *inputs, **sample.attrs):
        made_real(draft, output)


def made_real(draft: Draft, number: int) -> None:
    """Add what makes float64 tensors out of an output that is not one."""
    dtype = draft.values[number].dtype
    if dtype.kind == "c":
        draft.one("Real", number)
        draft.one("Imag", number)
    elif dtype.kind in "iub":
        draft.one("Cast", number, dtype="float64")


def _near(draft: Draft, op: str, sample: Sample, slot: int) -> int:
    value = np.asarray(sample.inputs[slot])
    if value.dtype.kind not in "fc":
        return draft.constant(value)
    if op == "SoftmaxCrossEntropyWithLogits" and slot == 1:  # else its gradient is a convention
        return draft.one("Softmax", draft.fitted(value.shape))
    change = _small(draft, value.shape)
    if value.dtype.kind == "c":
        change = draft.one("Complex", change, _small(draft, value.shape))
    if sample.hermitian and value.size:
        perm = (*range(value.ndim - 2), value.ndim - 1, value.ndim - 2)
        change = draft.one("AddV2", change, draft.one("ConjugateTranspose", change, perm=perm))
    if not sample.hermitian:
        return draft.one("AddV2", draft.constant(value), change)
    near = draft.one("AddV2", draft.parameter(value), change)
    draft.hidden |= {change, near}
    return near


def _small(draft: Draft, shape: tuple[int, ...]) -> Any:
    bounded = draft.one("Tanh", draft.fitted(shape))
    return draft.one("Mul", bounded, draft.constant(_REACH))
