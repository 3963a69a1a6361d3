"""Passed, failed, or expected to fail because the engine does not have an op type yet."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.oracle.compare import Difference, compare
from tests.oracle.reading import Case
from tests.oracle.replay import exists, replay
from tests.oracle.structure import compare_structure

LIST = Path(__file__).with_name("expected_failures.txt")
"""The op types that the engine does not have yet, one a line. The list can only shrink."""


@dataclass(frozen=True)
class Verdict:
    """What came of one case.

    Attributes:
        missing: op types that the engine does not have; such a case is not run.
        differences: what is not as recorded.
    """

    name: str
    missing: tuple[str, ...]
    differences: tuple[Difference, ...]

    @property
    def passed(self) -> bool:
        return not self.missing and not self.differences

    def expected(self, listed: Sequence[str]) -> bool:
        """Return whether all it lacks is on the list of missing op types."""
        return bool(self.missing) and all(op in listed for op in self.missing)


def listed_op_types(path: Path = LIST) -> tuple[str, ...]:
    """Return the op types on the list."""
    lines = (line.partition("#")[0].strip() for line in path.read_text("utf-8").splitlines())
    return tuple(line for line in lines if line)


def outdated(listed: Sequence[str]) -> tuple[str, ...]:
    """Return the op types on the list that the engine has: they must be taken off."""
    return tuple(op for op in listed if exists(op))


def judge(case: Case) -> Verdict:
    """Replay a case and compare; a case that needs a missing op type is not run."""
    missing = tuple(op for op in case.op_types if not exists(op))
    if missing:
        return Verdict(case.name, missing, ())
    answer = replay(case)
    differences = compare(case, answer)
    if not differences and answer.error is None:
        differences = compare_structure(case, answer.record)
    return Verdict(case.name, (), tuple(differences))
