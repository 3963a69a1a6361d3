"""A module answers one question; none is longer than 400 lines."""

from __future__ import annotations

from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
MOST_LINES = 400
MODULES = sorted(
    path
    for pattern in ("*.py", "engine/**/*.py", "explorer/**/*.py", "tests/**/*.py")
    for path in ROOT.glob(pattern)
)


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_module_is_too_long(path: Path) -> None:
    lines = len(path.read_text(encoding="utf-8").splitlines())
    assert lines <= MOST_LINES, f"{lines} lines: cut it in two"
