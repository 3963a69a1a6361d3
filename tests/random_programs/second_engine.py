"""A second engine that differentiates the same programs: the ops once more, in `autograd`.

The gradient of an intermediate tensor is that of a change added to it; a tensor that is stopped
hands on its bare value, and the change after it.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

import autograd.numpy as anp
import numpy as np
from autograd import make_vjp

from tests.random_programs.mirrored_arrays import ARRAYS
from tests.random_programs.mirrored_elementwise import ELEMENTWISE, bare
from tests.random_programs.program import LEAVES, Program

MIRRORED = {**ELEMENTWISE, **ARRAYS}


def supports(program: Program) -> bool:
    """Return whether the second engine has every op that the ys depend on."""
    return all(
        program.steps[index].op in MIRRORED or program.steps[index].op in (*LEAVES, "StopGradient")
        for index in program.needed()
    )


def differentiate(
    program: Program, stopped: Collection[int], factors: Sequence[Any]
) -> tuple[list[Any], list[Any]]:
    """Return the values of the ys, and the gradients of the xs (None for zero).

    Args:
        stopped: the steps whose outputs count as constants.
        factors: the upstream gradients of the ys.
    """
    needed = program.needed()
    producers = program.producers
    reached = [x for x in program.xs if producers[x] in needed]
    plain = _run(program, needed, stopped, {})
    changes = tuple(np.zeros_like(plain[x]) for x in reached)

    def total(changes: Any) -> Any:
        tensors = _run(program, needed, stopped, dict(zip(reached, changes, strict=True)))
        ys = [tensors[y] for y in program.ys]
        nothing = sum(0.0 * anp.sum(anp.real(change)) for change in changes)
        pairs = zip(factors, ys, strict=True)
        return sum((anp.sum(anp.real(np.conj(w) * y)) for w, y in pairs), nothing)

    if not reached:
        return [plain[y] for y in program.ys], [None] * len(program.xs)
    vjp, _ = make_vjp(total)(changes)
    # autograd's gradient of a complex number is the conjugate of TensorFlow's.
    found = dict(zip(reached, map(np.conj, vjp(1.0)), strict=True))
    return [plain[y] for y in program.ys], [found.get(x) for x in program.xs]


def _run(
    program: Program, needed: Collection[int], stopped: Collection[int], changes: dict[int, Any]
) -> list[Any]:
    tensors: list[Any] = []
    for index, step in enumerate(program.steps):
        if index not in needed:
            tensors.extend([None] * step.outputs)
            continue
        outputs = _outputs(step.op, [tensors[k] for k in step.inputs], step.attrs)
        for output in outputs:
            value = bare(output) if index in stopped or step.op == "StopGradient" else output
            change = changes.get(len(tensors))
            tensors.append(value if change is None else value + change)
    return tensors


def _outputs(op: str, inputs: Sequence[Any], attrs: dict[str, Any]) -> Sequence[Any]:
    if op in LEAVES:
        return (attrs["value"],)
    if op == "StopGradient":
        return inputs
    result = MIRRORED[op](*inputs, **attrs)
    return result if isinstance(result, tuple | list) else (result,)
