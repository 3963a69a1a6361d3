"""What the page remembers of one person: the text, the last program that ran, the last picture.

The text that a person typed is never replaced because of an error; the last program that ran
stays on the page until another one runs.
"""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from engine.errors import ArgumentError
from explorer.explanation import Explanation, explain
from explorer.gallery import all_examples, example
from explorer.program.errors import ProgramError
from explorer.program.program import Program, run
from explorer.question import Question
from explorer.sharing import Shared, from_parameters, to_parameters

TEXT = "text"
VIEW = "view"
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
        runs: how many programs ran.
        opened: what the link said with which the page was opened; it holds for the first program.
    """

    text: str = ""
    program: Program | None = None
    questions: tuple[Question, ...] = ()
    error: ProgramError | None = None
    explanations: dict[int, Explanation] | None = None
    runs: int = 0
    opened: Shared | None = None

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

    def wanted(self) -> Shared:
        """Return what the link asks for, as long as its program is the one that is shown."""
        return self.opened if self.opened and self.runs <= 1 else Shared("")

    def explanation(self, question: Question) -> Explanation:
        """Return the explanation of a question, found out once."""
        assert self.explanations is not None
        key = id(question.backward)
        if key not in self.explanations:
            self.explanations[key] = explain(question)
        return self.explanations[key]


def workbench() -> Workbench:
    """Return this session's workbench, at first with the link's program or the first example."""
    if _BENCH not in st.session_state:
        opened = from_parameters(st.query_params.to_dict())
        st.session_state[_BENCH] = Workbench(opened=opened)
        st.session_state[TEXT] = opened.text if opened else example().text
        text_edited()
        if opened and opened.view:
            st.session_state[VIEW] = opened.view
    bench: Workbench = st.session_state[_BENCH]
    return bench


def remember(state: Shared) -> str:
    """Put the state into the address, so that it survives a reload and can be shared.

    Returns:
        Why it cannot be put there, or "".
    """
    try:
        parameters = to_parameters(state)
    except ArgumentError as error:
        st.query_params.clear()
        return str(error)
    if parameters != st.query_params.to_dict():
        st.query_params.from_dict(parameters)
    return ""


def example_chosen() -> None:
    """Put the chosen example's text into the editor."""
    name = st.session_state[EXAMPLE]
    if name != OWN:
        st.session_state[TEXT] = example(name).text


def text_edited() -> None:
    """Note that the text is no longer the example's."""
    texts = {found.text: found.name for found in all_examples()}
    st.session_state[EXAMPLE] = texts.get(st.session_state[TEXT], OWN)
