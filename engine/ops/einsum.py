"""Sums of products over named axes, in Einstein's notation."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, TypeAlias

import numpy as np

from engine.elementwise import sum_to_shape_of
from engine.errors import ArgumentError, ArgumentTypeError, ShapeError
from engine.graph import create_op
from engine.opdef import REQUIRED, define
from engine.ops.arguments import as_tensors
from engine.ops.complex_parts import conj
from engine.ops.fill import ones_like
from engine.registry import RegisterGradient
from engine.shapes import Dims, broadcast, is_static
from engine.tensor import Operation, Tensor

ELLIPSIS = "..."
Term: TypeAlias = tuple[str, ...]
"""The axes of one tensor: letters, and at most one "..."."""

_Labels: TypeAlias = tuple[Any, ...]
"""The same with every axis of the ellipsis as a label of its own: its number from the last one."""


@dataclass(frozen=True)
class Equation:
    """An equation such as `"ij,jk->ik"`, taken apart."""

    inputs: tuple[Term, ...]
    output: Term

    def __str__(self) -> str:
        return f"{','.join(map(''.join, self.inputs))}->{''.join(self.output)}"


@lru_cache(maxsize=1024)
def parse(equation: str) -> Equation:
    """Take an equation apart; without "->" the output has the letters that occur once, sorted.

    Raises:
        ArgumentError: it is no equation, or the output has an axis that no input has.

    >>> str(parse("ab,bc"))
    'ab,bc->ac'
    """
    text = equation.replace(" ", "")
    left, arrow, right = text.partition("->")
    inputs = tuple(_term(part, equation) for part in left.split(","))
    output = _term(right, equation) if arrow else _implied(inputs)
    unknown = sorted(set(output) - {label for term in inputs for label in term} - {ELLIPSIS})
    if unknown:
        raise ArgumentError(
            f"einsum: output axis {unknown[0]!r} occurs in no input (got {equation!r})"
        )
    return Equation(inputs, output)


def _term(text: str, equation: str) -> Term:
    labels = tuple(re.findall(r"\.\.\.|[A-Za-z]", text))
    if "".join(labels) != text or labels.count(ELLIPSIS) > 1:
        raise ArgumentError(
            "an einsum equation names axes by letters, with at most one ellipsis per tensor, for "
            f"example 'ij,jk->ik' (got {equation!r})"
        )
    return labels


def _implied(inputs: Sequence[Term]) -> Term:
    """Return the output that is meant when none is written: the ellipsis, then single letters."""
    every = [label for term in inputs for label in term]
    single = sorted(label for label in set(every) - {ELLIPSIS} if every.count(label) == 1)
    return ((ELLIPSIS,) if ELLIPSIS in every else ()) + tuple(single)


# Shape and kernel ---------------------------------------------------------------------------------


def _expanded(term: Term, rank: int) -> _Labels:
    """Give every axis of the ellipsis a label of its own, counted from its last axis."""
    named = len(term) - (ELLIPSIS in term)
    hidden = rank - named
    if hidden < 0 or (hidden and ELLIPSIS not in term):
        raise ShapeError(f"{''.join(term)!r} does not name the axes of a tensor of rank {rank}")
    labels: list[Any] = []
    for label in term:
        labels += range(hidden - 1, -1, -1) if label == ELLIPSIS else [label]
    return tuple(labels)


def _sizes(terms: Sequence[_Labels], shapes: Sequence[Sequence[int | None]]) -> dict[Any, Any]:
    """Return the size of every axis; those of the ellipsis may be 1 and are broadcast.

    Raises:
        ShapeError: an axis has two sizes.
    """
    sizes: dict[Any, Any] = {}
    for labels, shape in zip(terms, shapes, strict=True):
        for label, size in zip(labels, shape, strict=True):
            known = sizes.setdefault(label, size)
            if isinstance(label, int):
                sizes[label] = (broadcast((known,), (size,)) or (None,))[0]
            elif known is None:
                sizes[label] = size
            elif size is not None and size != known:
                raise ShapeError(f"axis {label!r} has size {known} and size {size}")
    return sizes


def _einsum_shape(*sources: Dims, equation: str) -> Dims:
    parsed = _parsed(equation, len(sources))
    pairs = list(zip(parsed.inputs, sources, strict=True))
    known = [(_expanded(term, len(dims)), dims) for term, dims in pairs if dims is not None]
    sizes = _sizes([labels for labels, _ in known], [dims for _, dims in known])
    if ELLIPSIS in parsed.output and any(dims is None and ELLIPSIS in t for t, dims in pairs):
        return None
    return tuple(sizes.get(label) for label in _output_labels(parsed.output, sizes))


def _output_labels(output: Term, sizes: dict[Any, Any]) -> _Labels:
    hidden = sum(isinstance(label, int) for label in sizes) if ELLIPSIS in output else 0
    return _expanded(output, len(output) - (ELLIPSIS in output) + hidden)


def _parsed(equation: str, count: int) -> Equation:
    parsed = parse(equation)
    if len(parsed.inputs) != count:
        raise ShapeError(f"{equation!r} is for {len(parsed.inputs)} tensors, not {count}")
    return parsed


def _einsum_kernel(*arrays: Any, equation: str) -> Any:
    parsed = parse(equation)
    arrays = tuple(map(np.asarray, arrays))
    try:
        terms = [_expanded(t, a.ndim) for t, a in zip(parsed.inputs, arrays, strict=True)]
        sizes = _sizes(terms, [array.shape for array in arrays])
    except ShapeError as error:  # found at run time, where the operation is still to be named
        raise ValueError(str(error)) from None
    output = _output_labels(parsed.output, sizes)
    numbers = {label: number for number, label in enumerate(sizes)}
    operands: list[Any] = []
    for labels, array in zip(terms, arrays, strict=True):
        # An axis of size 1 that meets a longer one is left out: every entry meets the same value.
        single = tuple(
            axis for axis, label in enumerate(labels) if array.shape[axis] == 1 != sizes[label]
        )
        operands.append(array.squeeze(single))
        operands.append([numbers[lab] for axis, lab in enumerate(labels) if axis not in single])
    unique = list(dict.fromkeys(output))
    result = np.einsum(*operands, [numbers[label] for label in unique], optimize=len(arrays) > 1)
    if len(unique) == len(output):
        return result
    return _on_diagonal(result, [unique.index(label) for label in output])


def _on_diagonal(values: Any, axes: Sequence[int]) -> Any:
    """Repeat axes, as in `"i->ii"`: the values stand where the repeated indices agree."""
    whole = np.zeros([values.shape[axis] for axis in axes], values.dtype)
    diagonal = np.einsum(whole, list(axes), list(range(values.ndim)))
    diagonal[...] = values
    return whole


_einsum = define(
    "Einsum",
    kernel=_einsum_kernel,
    shape=_einsum_shape,
    kinds="fciu",
    arity=None,
    attrs={"equation": REQUIRED},
    latex=r"\operatorname{einsum}(#*)",
)


# Gradient -----------------------------------------------------------------------------------------


@RegisterGradient("Einsum")
def _einsum_gradient(op: Operation, grad: Tensor) -> list[Any]:
    """Return for each input the sum of products of the upstream gradient and all other inputs."""
    return [lambda slot=slot: _by_input(op, slot, grad) for slot in range(len(op.inputs))]


def _by_input(op: Operation, slot: int, grad: Tensor) -> Tensor:
    parsed = parse(op.attrs["equation"])
    source, term = op.inputs[slot], parsed.inputs[slot]
    others = [k for k in range(len(op.inputs)) if k != slot]
    terms = [parsed.output, *(parsed.inputs[k] for k in others)]
    operands = [grad, *(conj(op.inputs[k]) for k in others)]
    lost = _lost(term, parsed.output, terms)
    if lost:
        # Axes that were summed away get the same gradient everywhere: a factor of ones.
        terms.append(lost)
        operands.append(ones_like(_reordered(source, term, lost)))
    if ELLIPSIS not in {label for other in terms for label in other} or _same_hidden(op, slot):
        return _create(operands, terms, term)
    # The ellipsis may have been broadcast: with it in front, it is summed as everywhere else.
    letters = tuple(label for label in dict.fromkeys(term) if label != ELLIPSIS)
    front = ((ELLIPSIS,) if ELLIPSIS in term else ()) + letters
    whole = _create(operands, terms, front)
    if ELLIPSIS in term:
        whole = sum_to_shape_of(whole, _reordered(source, term, front))
    return _reordered(whole, front, term)


def _lost(term: Term, output: Term, present: Sequence[Term]) -> Term:
    """Return the axes of an input that neither the output nor any other input has."""
    found = {label for other in present for label in other} - {ELLIPSIS}
    found |= {ELLIPSIS} & set(output)
    return tuple(label for label in dict.fromkeys(term) if label not in found)


def _same_hidden(op: Operation, slot: int) -> bool:
    """Whether the ellipsis of an input certainly stands for the same axes in every tensor."""
    parsed = parse(op.attrs["equation"])
    pairs = [
        (term, tensor.dims)
        for term, tensor in zip(
            (*parsed.inputs, parsed.output), (*op.inputs, op.outputs[0]), strict=True
        )
        if ELLIPSIS in term
    ]
    own = op.inputs[slot].dims
    if ELLIPSIS not in parsed.inputs[slot]:
        return True
    if not all(is_static(dims) for _, dims in pairs) or own is None:
        return False
    return len({_hidden_sizes(term, dims or ()) for term, dims in pairs}) == 1


def _hidden_sizes(term: Term, dims: tuple[int | None, ...]) -> tuple[int | None, ...]:
    start = term.index(ELLIPSIS)
    return dims[start : start + len(dims) - len(term) + 1]


def _reordered(tensor: Tensor, source: Term, target: Term) -> Tensor:
    return tensor if source == target else _create([tensor], [source], target)


def _create(operands: Sequence[Tensor], terms: Sequence[Term], output: Term) -> Tensor:
    equation = str(Equation(tuple(terms), output))
    return create_op("Einsum", operands, {"equation": equation}).outputs[0]


# Function -----------------------------------------------------------------------------------------


def einsum(
    equation: Any, *inputs: Any, name: str | None = None, optimize: str = "greedy"
) -> Tensor:
    """Multiply tensors element by element along shared axes, and sum over those left out.

    Args:
        equation: for example `"ij,jk->ik"`; a repeated letter takes a diagonal, `...` stands for
            any axes, which are broadcast; without `->` the letters that occur once stay, sorted.
        inputs: one tensor per term of the equation.
        name: of the operation.
        optimize: accepted as in TensorFlow, without effect.

    Raises:
        ArgumentError: the equation makes no sense.
        ShapeError: an axis has two sizes, or a term does not name all axes of its tensor.
    """
    if not isinstance(equation, str):
        raise ArgumentTypeError(f"an einsum equation is a string (got {equation!r})")
    given = inputs[0] if len(inputs) == 1 and isinstance(inputs[0], list | tuple) else inputs
    parsed = str(parse(equation))
    tensors = as_tensors(list(given))
    if not tensors:
        raise ArgumentError("einsum needs at least one tensor")
    with tensors[0].graph.name_scope(name or "einsum"):
        result: Tensor = _einsum(*tensors, equation=parsed)
        return result
