"""The question: which gradient of the program, or another one of the reader's own."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from engine.aggregation import AggregationMethod
from engine.errors import EngineError
from engine.tensor import Tensor
from explorer.question import Question, ask
from explorer.ui.state import Workbench

METHODS = {
    AggregationMethod.ADD_N: "ADD_N: one sum",
    AggregationMethod.EXPERIMENTAL_TREE: "EXPERIMENTAL_TREE: sums of two",
    AggregationMethod.EXPERIMENTAL_ACCUMULATE_N: "EXPERIMENTAL_ACCUMULATE_N",
}


def choose(bench: Workbench, first: int = 0) -> int | None:
    """Let the reader choose a question of the program; return its index.

    At the start it is the one that the link asks for, without a link the `first`.
    """
    if not bench.questions:
        return None
    numbers = range(len(bench.questions))
    wanted = bench.wanted()
    number = st.selectbox(
        "Question",
        numbers,
        index=min(wanted.question if wanted.text else first, len(numbers) - 1),
        format_func=lambda index: _title(bench.questions[index], index),
        key=f"question-{bench.runs}",
        help="Each call of gradients, hessians or tape.gradient in the program is one.",
    )
    return number or 0


def _title(question: Question, index: int) -> str:
    line = question.backward.line
    where = f"  (line {line})" if line else ""
    return f"{index + 1}. {question.title}{where}"


def adapt(bench: Workbench, question: Question) -> Question:
    """Let the reader ask the question with other ys, xs, stops or aggregation."""
    backward = question.backward
    if backward.kind != "gradients" or backward.seeded:
        return question
    tensors = _choices(question)
    names = [question.name(tensor) for tensor in tensors]
    key = f"{bench.runs}-{id(backward)}"
    with st.expander("Ask it differently: y, x, stop_gradients, aggregation", expanded=True):
        left, middle = st.columns(2)
        ys = left.multiselect("y", names, _names(question, backward.ys), key=f"ys-{key}")
        xs = middle.multiselect("x", names, _names(question, backward.xs), key=f"xs-{key}")
        stops = left.multiselect(
            "stop_gradients (held constant)",
            names,
            _names(question, backward.stop_gradients),
            key=f"stops-{key}",
        )
        method = middle.selectbox(
            "Aggregation",
            list(METHODS),
            index=list(METHODS).index(backward.aggregation_method),
            format_func=METHODS.__getitem__,
            key=f"method-{key}",
        )
    chosen = dict(zip(names, tensors, strict=True))
    try:
        return ask(
            question,
            [chosen[name] for name in ys],
            [chosen[name] for name in xs],
            [chosen[name] for name in stops],
            method or AggregationMethod.ADD_N,
        )
    except EngineError as error:
        st.error(str(error))
        return question


def _choices(question: Question) -> list[Tensor]:
    """Return what can be chosen: the tensors the author named, and those of the question."""
    backward = question.backward
    asked = [*backward.ys, *backward.xs, *backward.stop_gradients]
    named = [tensor for tensor in question.names if tensor.graph is backward.graph]
    found = dict.fromkeys([*named, *asked])
    by_name: dict[str, Tensor] = {}
    for tensor in found:
        if tensor.dtype.is_trainable and not tensor.op.role:
            by_name.setdefault(question.name(tensor), tensor)
    for tensor in asked:
        by_name[question.name(tensor)] = tensor
    return sorted(by_name.values(), key=lambda tensor: tensor.op.id)


def _names(question: Question, tensors: Sequence[Tensor]) -> list[str]:
    return list(dict.fromkeys(question.name(tensor) for tensor in tensors))
