"""See how a gradient is computed: run a program, explain its questions, export pictures of them.

>>> import explorer
>>> explorer.run("print(1 + 1)").printed
('2',)
"""

from __future__ import annotations

from explorer.explanation import Explanation, explain
from explorer.export import export
from explorer.program import Budget, Program, ProgramError, run
from explorer.question import Question, ask

__all__ = [
    "Budget",
    "Explanation",
    "Program",
    "ProgramError",
    "Question",
    "ask",
    "explain",
    "export",
    "run",
]
