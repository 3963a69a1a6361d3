"""A question a reader can open: what is dy/dx, in this program, with these parameters?

Each call of `gradients` (or a relative) in a program is one. A reader can also ask one of their
own, with other ys, xs, stops or another aggregation method, without touching the program.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from engine.backward import Backward
from engine.errors import ArgumentError, ArgumentTypeError
from engine.gradients import build_backward
from engine.indexed_slices import IndexedSlices
from engine.tensor import Tensor


@dataclass(frozen=True, eq=False)
class Question:
    """One gradient computation, and what is needed to show it.

    Attributes:
        backward: the record of the computation.
        names: what the author calls each tensor.
        feeds: values for placeholders.
    """

    backward: Backward
    names: Mapping[Tensor, str] = field(default_factory=dict)
    feeds: Mapping[Tensor, Any] = field(default_factory=dict)

    @property
    def title(self) -> str:
        """Write the question the way a person would: `∂y/∂x, ∂y/∂w`, stops after a bar."""
        above = " + ".join(self.name(y) for y in self.backward.ys)
        above = f"({above})" if len(self.backward.ys) > 1 else above
        asked = ", ".join(f"∂{above}/∂{self.name(x)}" for x in self.backward.xs)
        if not self.backward.stop_gradients:
            return asked
        stops = ", ".join(self.name(stop) for stop in self.backward.stop_gradients)
        return f"{asked} | {stops} held constant"

    def name(self, tensor: Tensor) -> str:
        """Return the author's name of a tensor, else the operation's."""
        return self.names.get(tensor) or tensor.op.name


def question_of(asked: Any) -> Question:
    """Return the question that something stands for.

    Args:
        asked: a question, a record of the engine, or what `gradients` returned.

    Raises:
        ArgumentTypeError: it is none of these.
    """
    if isinstance(asked, Question):
        return asked
    record = asked if isinstance(asked, Backward) else _record_of(asked)
    if record is None:
        raise ArgumentTypeError(
            "expected a question of a program, or the list that tf.gradients returned "
            f"(got {type(asked).__name__})"
        )
    return Question(record, {}, record.graph.feeds)


def _record_of(results: Any) -> Backward | None:
    """Find the call that returned these gradients."""
    found = list(results) if isinstance(results, list | tuple) else [results]
    tensors = [entry for entry in found if isinstance(entry, Tensor | IndexedSlices)]
    for record in reversed(tensors[0].graph.backwards) if tensors else ():
        if _identical(record.results, found):
            return record
    return None


def ask(
    question: Question,
    ys: Sequence[Tensor],
    xs: Sequence[Tensor],
    stop_gradients: Sequence[Tensor] = (),
    aggregation_method: int = 0,
) -> Question:
    """Return the question with other parameters, computed in the same graph.

    A question that was asked before is found again, so the graph does not grow by asking.

    Raises:
        ArgumentError: no y or no x is given.
    """
    if not ys or not xs:
        missing = "y" if not ys else "x"
        raise ArgumentError(f"no {missing} is chosen; choose at least one")
    for known in question.backward.graph.backwards:
        if known.kind == "gradients" and _same(known, ys, xs, stop_gradients, aggregation_method):
            return Question(known, question.names, question.feeds)
    record = build_backward(
        list(ys),
        list(xs),
        stop_gradients=list(stop_gradients),
        aggregation_method=aggregation_method,
    )
    return Question(record, question.names, question.feeds)


def _same(
    record: Backward,
    ys: Sequence[Tensor],
    xs: Sequence[Tensor],
    stops: Sequence[Tensor],
    method: int,
) -> bool:
    return (
        _identical(record.ys, ys)
        and _identical(record.xs, xs)
        and _identical(record.stop_gradients, stops)
        and record.aggregation_method == method
        and not record.seeded
    )


def _identical(one: Sequence[Any], other: Sequence[Any]) -> bool:
    return len(one) == len(other) and all(a is b for a, b in zip(one, other, strict=True))
