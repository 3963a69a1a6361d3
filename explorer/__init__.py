"""See how a gradient is computed: run a program, explain its questions, export pictures of them.

>>> import explorer
>>> explorer.run("print(1 + 1)").printed
('2',)
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from explorer.program import Budget, Program, ProgramError, run

# Loaded on first use, so that a script that only runs programs does not load the drawing.
_HOMES = {
    "Budget": "explorer.program",
    "Program": "explorer.program",
    "ProgramError": "explorer.program",
    "run": "explorer.program",
}

__all__ = ["Budget", "Program", "ProgramError", "run"]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'explorer' has no attribute {name!r}")
    value = getattr(import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
