"""What the page remembers of one person: the text, the last program that ran, the last picture.

The text that a person typed is never replaced because of an error; the last program that ran
stays on the page until another one runs.
"""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from explorer.explanation import Explanation, explain
from explorer.gallery import DEFAULT, all_examples, example
from explorer.program.errors import ProgramError
from explorer.program.program import Program, run
from explorer.question import Question

TEXT = "text"
EXAMPLE = "example"
OWN = "own program"
_BENCH = "workbench"


@dataclass
class Workbench:
    """One person's work.

    Attributes:
        text: the text that was run last.
        program: the last text's program that ran without error.
        questions: of that program.
        error: what is wrong with the text, if it did not run.
        explanations: of the questions asked so far, by record.
    """

    text: str = ""
    program: Program | None = None
    questions: tuple[Question, ...] = ()
    error: ProgramError | None = None
    explanations: dict[int, Explanation] | None = None
    runs: int = 0

    def load(self, text: str) -> None:
        """Run a text unless it is the one that was run last."""
        if text == self.text and (self.program or self.error):
            return
        self.text = text
        try:
            program = run(text)
        except ProgramError as error:
            self.error = error
            return
        self.error = None
        self.program = program
        self.questions = program.questions
        self.explanations = {}
        self.runs += 1

    def explanation(self, question: Question) -> Explanation:
        """Return the explanation of a question, found out once."""
        assert self.explanations is not None
        key = id(question.backward)
        if key not in self.explanations:
            self.explanations[key] = explain(question)
        return self.explanations[key]


def workbench() -> Workbench:
    """Return this session's workbench, with the first example loaded at the start."""
    if _BENCH not in st.session_state:
        st.session_state[_BENCH] = Workbench()
        st.session_state[EXAMPLE] = DEFAULT
        st.session_state[TEXT] = example().text
    bench: Workbench = st.session_state[_BENCH]
    return bench


def example_chosen() -> None:
    """Put the chosen example's text into the editor."""
    name = st.session_state[EXAMPLE]
    if name != OWN:
        st.session_state[TEXT] = example(name).text


def text_edited() -> None:
    """Note that the text is no longer the example's."""
    texts = {found.text: found.name for found in all_examples()}
    st.session_state[EXAMPLE] = texts.get(st.session_state[TEXT], OWN)
