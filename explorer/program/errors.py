"""What can be wrong with a program, always as one sentence with its line."""

from __future__ import annotations


class ProgramError(Exception):
    """The text is not a program, or the program failed.

    Attributes:
        sentence: what is wrong and what to write instead.
        line: the line it happened on, counted from 1; None when no single line is to blame.
    """

    def __init__(self, sentence: str, line: int | None = None) -> None:
        super().__init__(sentence, line)
        self.sentence = sentence
        self.line = line

    def __str__(self) -> str:
        return self.sentence if self.line is None else f"line {self.line}: {self.sentence}"


class BudgetError(ProgramError):
    """The program asks for more time, memory or text than it may have."""
