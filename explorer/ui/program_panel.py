"""The program: choose an example or type one; errors stand below the text, with their line."""

from __future__ import annotations

import streamlit as st

from explorer.gallery import all_examples, example
from explorer.program.errors import ProgramError
from explorer.ui.state import EXAMPLE, OWN, TEXT, Workbench, example_chosen, text_edited

_EDITOR_HEIGHT = 330


def show(bench: Workbench) -> None:
    """Show the editor and run what stands in it."""
    titles = {found.name: found.label for found in all_examples()}
    titles[OWN] = "Your own program"
    st.selectbox(
        "Example",
        list(titles),
        format_func=titles.__getitem__,
        key=EXAMPLE,
        on_change=example_chosen,
    )
    chosen = st.session_state[EXAMPLE]
    if chosen != OWN:
        st.caption(example(chosen).sentence)
    text = st.text_area(
        "Program",
        key=TEXT,
        height=_EDITOR_HEIGHT,
        on_change=text_edited,
        help="TensorFlow 1 or 2. Ctrl+Enter runs it.",
    )
    bench.load(text)
    if bench.error is not None:
        _show_error(bench.error, text)
    elif bench.program is not None and bench.program.printed:
        with st.expander("Printed by the program", expanded=True):
            st.code("\n".join(bench.program.printed), language=None, wrap_lines=True)


def _show_error(error: ProgramError, text: str) -> None:
    """Say what is wrong and where; the picture of the last program that ran stays."""
    lines = text.splitlines()
    if error.line and error.line <= len(lines):
        st.error(f"Line {error.line}: {_plain(error.sentence)}")
        st.code(f"{error.line:>3} │ {lines[error.line - 1]}", language=None)
    else:
        st.error(_plain(error.sentence))


def _plain(sentence: str) -> str:
    """Keep Markdown from reading a sentence that quotes what the person typed."""
    for character in "\\`*_{}[]<>()#+-.!|$~:":
        sentence = sentence.replace(character, f"\\{character}")
    return sentence
