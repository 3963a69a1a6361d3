"""Whether the graph that `gradients` built is the recorded one to a reader's eye.

Compared are the operations that the results depend on: the scopes in which they stand and the order
in which these were made, which operation's gradient each scope holds, the terms of each sum in
their order, and the operations and control edges that gating makes. How a gradient is computed
inside its scope is the engine's own affair, and helper constants need not exist.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from engine.backward import Backward
from engine.indexed_slices import IndexedSlices
from engine.tensor import Operation
from tests.oracle.compare import Difference
from tests.oracle.reading import Case, RecordedOp

_HELPERS = {"Const", "Shape"}
_SUMS = {"AddN", "AccumulateNV2", "ConcatV2"}
_METHODS_OF_OURS = {"EXPERIMENTAL_TREE", "EXPERIMENTAL_ACCUMULATE_N", 1, 2}
"""Aggregation methods whose graphs differ from TensorFlow's on purpose; their terms do not."""


@dataclass(frozen=True)
class Outline:
    """What a reader sees of the operations that one call of `gradients` added.

    Attributes:
        parts: the scopes and the operations outside them, in order of creation.
        sums: name and terms of each sum.
        gates: per operation made by gating, what it waits for.
        results: where each gradient comes from; None for no gradient.
    """

    parts: tuple[str, ...]
    sums: tuple[tuple[str, tuple[str, ...]], ...]
    gates: tuple[tuple[str, tuple[str, ...]], ...]
    results: tuple[str | None, ...]


def compare_structure(case: Case, record: Backward | None) -> list[Difference]:
    """Return how the graph of the last call differs from the recorded one."""
    if case.expected.new_ops is None or case.expected.grad_names is None:
        return []
    if record is None:
        return [Difference("graph", "a backward record", "none")]
    flat = case.options.get("aggregation_method") in _METHODS_OF_OURS
    want = outline(case.expected.new_ops, case.expected.grad_names, flat=flat)
    got = outline(_recorded(record), _result_names(record), flat=flat)
    differences = [
        Difference(f"graph {what}", str(getattr(want, what)), str(getattr(got, what)))
        for what in ("parts", "sums", "gates", "results")
        if getattr(want, what) != getattr(got, what)
    ]
    return differences + _misplaced(record)


def outline(ops: Sequence[RecordedOp], results: Sequence[str | None], *, flat: bool) -> Outline:
    """Return what a reader sees.

    Args:
        ops: the operations that were added, in order of creation.
        results: the tensors that are the gradients.
        flat: whether sums of sums inside one scope count as one sum.
    """
    by_name = {op.name: op for op in ops}
    live = _live(by_name, [name for name in results if name is not None])
    visible = [op for op in ops if op.name in live and op.type not in _HELPERS]
    parts = [part_of(op.name) for op in visible]
    sums = [op for op in visible if op.type in _SUMS and not _inside_gradient(op.name)]
    if flat:
        inner = {_producer(term) for op in sums for term in op.inputs}
        sums = [op for op in sums if op.name not in inner]
    return Outline(
        parts=tuple(dict.fromkeys(parts)),
        sums=tuple(
            (part_of(op.name), _ranked(_terms(op, by_name, flat=flat), by_name)) for op in sums
        ),
        gates=tuple(
            (op.name, tuple(sorted(map(part_of, op.control_inputs))))
            for op in visible
            if "/tuple/" in op.name
        ),
        results=tuple(None if name is None else part_of(_producer(name)) for name in results),
    )


def part_of(name: str) -> str:
    """Return the innermost `..._grad` or `..._gradient_sum` scope of a name, else the name.

    >>> part_of("gradients_1/gradients/Square_grad/Mul_1_grad/Mul")
    'gradients_1/gradients/Square_grad/Mul_1_grad'
    >>> part_of("gradients/AddN_1")
    'gradients/AddN_1'
    """
    scopes = name.split("/")[:-1]
    while scopes and not scopes[-1].endswith(("_grad", "_gradient_sum")):
        scopes.pop()
    return "/".join(scopes) or name


def _inside_gradient(name: str) -> bool:
    return part_of(name).endswith("_grad")


def _producer(tensor: str) -> str:
    return tensor.partition(":")[0]


def _live(by_name: Mapping[str, RecordedOp], results: Sequence[str]) -> set[str]:
    """Return the added operations that the results depend on, through data or gating."""
    live: set[str] = set()
    stack = [_producer(name) for name in results]
    while stack:
        name = stack.pop()
        if name in live or name not in by_name:
            continue
        live.add(name)
        op = by_name[name]
        stack.extend(_producer(tensor) for tensor in op.inputs)
        if "/tuple/" in name:
            stack.extend(op.control_inputs)
    return live


def _terms(op: RecordedOp, by_name: Mapping[str, RecordedOp], *, flat: bool) -> list[str]:
    """Return the addends; with `flat`, a term that is itself a sum of this scope is opened."""
    terms = []
    for term in op.inputs:
        inner = by_name.get(_producer(term))
        if inner is not None and inner.type in _HELPERS:
            continue
        same_scope = inner is not None and part_of(inner.name) == part_of(op.name)
        if flat and inner is not None and inner.type in _SUMS and same_scope:
            terms += _terms(inner, by_name, flat=flat)
        else:
            terms.append(term)
    return terms


def _ranked(terms: Sequence[str], by_name: Mapping[str, RecordedOp]) -> tuple[str, ...]:
    """Name each term by its part; several of one part are numbered in order of creation."""
    places = {name: place for place, name in enumerate(by_name)}
    tensors = sorted(
        set(terms), key=lambda term: (part_of(_producer(term)), places[_producer(term)])
    )
    labels = {}
    for part, group in groupby(tensors, key=lambda term: part_of(_producer(term))):
        for rank, term in enumerate(group):
            labels[term] = f"{part}[{rank}]"
    return tuple(labels[term] for term in terms)


def _recorded(record: Backward) -> tuple[RecordedOp, ...]:
    return tuple(
        RecordedOp(
            op.name,
            op.type,
            tuple(tensor.name for tensor in op.inputs),
            tuple(waited.name for waited in op.control_inputs),
        )
        for op in record.operations
    )


def _result_names(record: Backward) -> tuple[str | None, ...]:
    return tuple(
        None
        if result is None
        else (result.values if isinstance(result, IndexedSlices) else result).name
        for result in record.results
    )


def _misplaced(record: Backward) -> list[Difference]:
    """Return each operation in a `..._grad` scope that does not belong to the scope's operation."""
    return [
        Difference(f"forward_op of {op.name}", part_of(op.name), _scope_of(record, op.forward_op))
        for op in record.operations
        if _inside_gradient(op.name) and part_of(op.name) != _scope_of(record, op.forward_op)
    ]


def _scope_of(record: Backward, op: Operation | None) -> str:
    return "no forward op" if op is None else f"{record.name}/{op.name}_grad"
