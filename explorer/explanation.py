"""Everything there is to say about one question, computed once: values, paths, cuts, verdicts.

The page, the exports and the shell all show what stands here; nothing is derived again there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from engine import explain as engine_explain
from engine.explain import HeldBack, Path, Paths, Values, Verdict
from engine.tensor import Tensor
from explorer.question import Question, question_of
from explorer.views.ledger import Ledger, Route, ledger_of, routes_of
from explorer.views.subject import Subject

MOST_PATHS = 12


@dataclass(frozen=True, eq=False)
class Explanation:
    """What the engine found out about one question.

    Attributes:
        values: the value of every tensor that is shown.
        paths: per x its strongest chain-rule paths.
        stopped: per x the paths that stops keep from counting, one `Paths` per stop.
        held_back: per cut at which a gradient arrives, what it holds back.
        verdicts: per x why its gradient is what it is.
    """

    question: Question
    values: Values
    paths: tuple[Paths, ...]
    stopped: tuple[tuple[Paths, ...], ...]
    held_back: tuple[HeldBack, ...]
    verdicts: tuple[Verdict, ...]

    @cached_property
    def subject(self) -> Subject:
        """The names and numbers as the pictures show them."""
        return Subject(self.question.backward, self.question.names, self.values, self.ledger)

    @cached_property
    def ledger(self) -> Ledger:
        """The paths and held-back amounts in the form in which the views take them."""
        return ledger_of(self.paths, self.stopped, self.held_back)

    def routes(self, x: int) -> tuple[Route, ...]:
        """Return the paths to the x of this index, strongest first, stopped ones last."""
        return routes_of(x, self.paths[x], self.stopped[x])

    def all_paths(self, x: int) -> tuple[Path, ...]:
        """Return the paths that count for this x, then those that a stop keeps from counting."""
        stopped = (path for listed in self.stopped[x] for path in listed.paths)
        return (*self.paths[x].paths, *stopped)

    def index_of(self, x: Tensor | None) -> int:
        """Return the index of an x, the first for None."""
        xs: Sequence[Tensor] = self.question.backward.xs
        return next((index for index, tensor in enumerate(xs) if tensor is x), 0)


def explain(asked: Any, limit: int = MOST_PATHS) -> Explanation:
    """Find out everything that is to be said about a question.

    Args:
        asked: a question of a program, a record of the engine, or what `gradients` returned.
        limit: how many paths are listed per x and per stop; sums and counts cover all.
    """
    question = question_of(asked)
    backward = question.backward
    feeds = dict(question.feeds)
    values = engine_explain.evaluate_record(backward, feeds)
    return Explanation(
        question,
        values,
        tuple(engine_explain.paths(backward, x, feeds, limit, values=values) for x in backward.xs),
        tuple(
            engine_explain.stopped_paths(backward, x, feeds, limit, values=values)
            for x in backward.xs
        ),
        engine_explain.held_back(backward, feeds, values=values),
        engine_explain.why(backward, feeds, values=values),
    )
