"""The safe language: text in, graph out; see README.md in this directory."""

from __future__ import annotations

from explorer.program.budget import Budget
from explorer.program.errors import BudgetError, ProgramError
from explorer.program.functions import InterpretedFunction
from explorer.program.program import Program, run

__all__ = ["Budget", "BudgetError", "InterpretedFunction", "Program", "ProgramError", "run"]
