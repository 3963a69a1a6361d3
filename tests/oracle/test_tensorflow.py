"""The engine answers every recorded program as TensorFlow did, one test per program."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from tests.oracle.reading import Case, read_cases
from tests.oracle.verdict import judge, listed_op_types, outdated

CASES = read_cases(Path(__file__).with_name("tensorflow.json"))
LISTED = listed_op_types()


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_case(case: Case) -> None:
    verdict = judge(case)
    if verdict.expected(LISTED):
        pytest.xfail(f"the engine has no {', '.join(verdict.missing)}")
    assert not verdict.missing, f"no op type {', '.join(verdict.missing)}"
    assert not verdict.differences, "\n".join(map(str, verdict.differences))


def test_no_listed_op_type_exists() -> None:
    assert outdated(LISTED) == (), "take these off tests/oracle/expected_failures.txt"


def test_every_listed_op_type_is_needed_once() -> None:
    needed = {op for case in CASES for op in case.op_types}
    assert [op for op in LISTED if op not in needed] == []
    assert [op for op, count in Counter(LISTED).items() if count > 1] == []


def test_the_file_is_whole() -> None:
    assert len(CASES) == 795
