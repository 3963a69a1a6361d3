"""Formulas of forward tensors and of adjoints, written with the names of the picture."""

from __future__ import annotations

import numpy as np

from engine.backward import Step
from engine.indexed_slices import IndexedSlices
from engine.tensor import Operation, Tensor
from explorer import labels
from explorer.scene import Run
from explorer.views.notation import Expression, atom, function_name, join, times, write
from explorer.views.reduced import Contribution, Use, canonical
from explorer.views.subject import Subject

_WIDEST = 30
_WIDEST_TERM = 16
_DEEPEST = 5
_LEAVES = frozenset({"VarHandleOp", "Placeholder", "Const"})


def forward(subject: Subject, tensor: Tensor) -> Expression | None:
    """Write how a tensor is computed from named ones; None for a leaf.

    >>> # h = w*x is written ``w·x``
    """
    op = tensor.op
    if op.type in _LEAVES or not op.inputs:
        return None
    arguments = _flat_arguments(subject, op)
    if len(arguments) > 2 and op.type in ("Add", "AddV2"):
        return join(arguments)
    expression = write(op, arguments)
    if len(op.outputs) > 1:
        expression = Expression((*expression.runs, Run(f"[{tensor.index}]")))
    if expression.width > _WIDEST:
        return Expression((Run(f"{function_name(op.type)}(…)"),))
    return expression


def adjoint_name(subject: Subject, tensor: Tensor) -> Expression:
    """Write the name of a tensor's gradient: its name under a bar."""
    return atom(subject.name(tensor), over=True)


def adjoint(subject: Subject, addends: tuple[Contribution, ...]) -> Expression | None:
    """Write a gradient as the sum of its contributions; None for a mere seed."""
    if not addends or all(addend.use is None for addend in addends):
        return None
    return join([contribution(subject, addend) for addend in addends])


def contribution(subject: Subject, addend: Contribution) -> Expression:
    """Write one addend of a gradient, ``h·ū`` or ``ū @ Wᵀ``."""
    step = addend.term.step
    if addend.use is None or step is None:
        return atom("1") if step is None else atom("?")
    upstream = adjoint_name(subject, addend.use.target)
    if _passes_on(step):
        return upstream
    if step.local is not None:
        return times(local(subject, step), upstream)
    return _rule(subject, step, upstream)


def factor(subject: Subject, use: Use) -> Expression:
    """Write what an edge multiplies the upstream gradient by, or its rule if it is no product."""
    steps = subject.reduced.crossed(use)
    telling = [step for step in steps if not _passes_on(step)]
    if not telling:
        return atom("1")
    step = telling[-1]
    if step.local is not None:
        return local(subject, step)
    number = subject.rule_factor(step)
    return atom(number) if number else _rule(subject, step, adjoint_name(subject, use.target))


def local(subject: Subject, step: Step) -> Expression:
    """Write a local derivative: a number, or a formula in the forward values."""
    if not isinstance(step.local, Tensor):
        return atom(labels.value(step.local))
    expression = _derived(subject, step.local, {})
    return expression if expression.width <= _WIDEST_TERM else atom(subject.text(step.local))


def factor_value(subject: Subject, use: Use) -> str:
    """Write the number an edge multiplies by; nothing when its rule is not a product."""
    steps = subject.reduced.crossed(use)
    telling = [step for step in steps if not _passes_on(step)]
    if not telling:
        return "1"
    if telling[-1].local is None:
        return subject.rule_factor(telling[-1])
    return subject.text(telling[-1].local)


def _rule(subject: Subject, step: Step, upstream: Expression) -> Expression:
    """Write a contribution that is no product, from the ops that the rule created."""
    total = step.contribution
    if isinstance(total, IndexedSlices):
        return Expression((Run("rows of "), *upstream.runs))
    known = {step.upstream: upstream} if isinstance(step.upstream, Tensor) else {}
    expression = _derived(subject, total, known)
    if expression.width <= _WIDEST_TERM:
        return expression
    return Expression((Run(f"{function_name(step.op.type)}′("), *upstream.runs, Run(")")))


def _derived(subject: Subject, tensor: Tensor, known: dict[Tensor, Expression]) -> Expression:
    return _expand(subject, tensor, known, _DEEPEST)


def _expand(
    subject: Subject, tensor: Tensor, known: dict[Tensor, Expression], depth: int
) -> Expression:
    """Write a tensor of the backward graph in terms of named and known ones."""
    if tensor in known:
        return known[tensor]
    if subject.is_named(tensor):
        return atom(subject.name(tensor))
    if tensor.op.type == "Const" and np.size(tensor.op.attrs["value"]) == 1:
        return atom(subject.number(tensor))
    if depth == 0 or not tensor.op.inputs:
        return atom(subject.text(tensor))
    if all(part.op.type == "Const" for part in tensor.op.inputs):
        return atom(subject.text(tensor))
    arguments = [_expand(subject, part, known, depth - 1) for part in tensor.op.inputs]
    if tensor.op.role == "unbroadcast" and tensor.op.type == "Reshape":
        return arguments[0]
    return write(tensor.op, arguments)


def _flat_arguments(subject: Subject, op: Operation) -> list[Expression]:
    """Write the inputs of an op; partial sums are replaced by their own inputs."""
    written: list[Expression] = []
    waiting = list(reversed(op.inputs))
    while waiting:
        part = canonical(waiting.pop())
        if subject.reduced.is_absorbed(part):
            waiting.extend(reversed(part.op.inputs))
        elif subject.reduced.is_folded(part):
            written.append(atom(subject.number(part)))
        else:
            written.append(atom(subject.name(part)))
    return written


def _passes_on(step: Step) -> bool:
    """Tell whether a step hands on its upstream gradient as it is."""
    is_one = isinstance(step.local, int | float) and step.local == 1
    return is_one or (step.local is None and step.contribution is step.upstream)
