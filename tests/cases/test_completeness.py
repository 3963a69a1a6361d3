"""Every case has a test, named after it."""

from __future__ import annotations

import re
from pathlib import Path

from tests.cases.asking import case_ids

_TEST = re.compile(r"^def test_(g\d)_(\d{3})_", re.MULTILINE)


def _tested() -> set[str]:
    files = Path(__file__).parent.glob("test_*.py")
    found = (match for file in files for match in _TEST.finditer(file.read_text(encoding="utf-8")))
    return {f"{match[1].upper()}-{match[2]}" for match in found}


def test_every_case_has_a_test() -> None:
    assert [case for case in case_ids() if case not in _tested()] == []


def test_no_test_names_a_case_that_does_not_exist() -> None:
    assert sorted(_tested() - set(case_ids())) == []


def test_the_list_of_cases_is_whole() -> None:
    groups = [case[:2] for case in case_ids()]
    assert {group: groups.count(group) for group in groups} == {"G1": 52, "G2": 12, "G6": 17}
