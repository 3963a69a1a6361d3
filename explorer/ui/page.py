"""The page: where each panel stands."""

from __future__ import annotations

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from explorer.gallery import example
from explorer.picture import Look
from explorer.question import Question
from explorer.sharing import Shared
from explorer.ui import (
    ledger_panel,
    picture_panel,
    program_panel,
    question_panel,
    registry_panel,
)
from explorer.ui.state import EXAMPLE, OWN, Workbench, remember, workbench

_STYLE = """
<style>
  [data-testid="stMainBlockContainer"] { padding: 1.1rem 1.6rem 2rem; }
  [data-testid="stHeader"] { background: transparent; height: 2rem; }
  [data-testid="stTextArea"] textarea { font-family: monospace; font-size: 0.86rem; }
</style>
"""


def main() -> None:
    """Draw the page."""
    st.set_page_config(page_title="Gradient Explorer", page_icon="∂", layout="wide")
    st.html(_STYLE)
    bench = workbench()
    left, right = st.columns([31, 69], gap="medium")
    with left:
        st.markdown("### ∂ Gradient Explorer")
        program_panel.show(bench)
        registry_panel.offer()
    with right:
        _show_answer(bench)


def _show_answer(bench: Workbench) -> None:
    if bench.program is None:
        st.info("Choose an example on the left, or correct the line that is named there.")
        picture_panel.show_last()
        return
    notice = st.container()  # always there, so that the picture below keeps its place
    if bench.error is not None:
        notice.caption("This is the last program that ran; line and reason stand on the left.")
    top, targets, views = st.columns([46, 20, 34], vertical_alignment="bottom")
    with top:
        number = question_panel.choose(bench, _default_question())
    if number is None:
        _show_no_question()
        _remember(Shared(bench.text))
        return
    with views:
        view = picture_panel.choose_view(_default_view())
    x = _show_question(bench, bench.questions[number], view, targets)
    _remember(Shared(bench.text, number, view if view != _default_view() else "", x))


def _remember(state: Shared) -> None:
    """Keep the state in the address of the page; say so when it does not fit there."""
    reason = remember(state)
    if reason:
        st.caption(f"The address does not hold this page: {reason}.")


def _default_view() -> str:
    name = st.session_state[EXAMPLE]
    return "mirror" if name == OWN else example(name).view


def _default_question() -> int:
    name = st.session_state[EXAMPLE]
    return 0 if name == OWN else example(name).question


def _show_no_question() -> None:
    st.info(
        "The program ran, and computes no gradient yet. Add a line such as "
        "`grads = tf.gradients(y, [x])`, or use a `tf.GradientTape`."
    )


def _show_question(bench: Workbench, question: Question, view: str, targets: DeltaGenerator) -> int:
    """Show one question; return the index of the x that is chosen."""
    answer = st.container()
    paths, cuts, sums, gradients, differently = st.tabs(
        ["Paths", "Cuts", "Sums", "Gradients", "Ask differently"]
    )
    with differently:
        question = question_panel.adapt(bench, question)
    explanation = bench.explanation(question)
    with targets:
        x = ledger_panel.choose_x(explanation, bench.wanted().x)
    with paths:
        path = ledger_panel.choose_path(explanation, x)
    with cuts:
        ledger_panel.show_cuts(explanation)
    with sums:
        ledger_panel.show_sums(explanation)
    with gradients:
        ledger_panel.show_gradients(explanation)
    look = Look(view, picture_panel.theme(), x, path)
    with answer:
        picture = picture_panel.show(explanation, look)
        notes, download = st.columns([80, 20])
        with notes:
            ledger_panel.show_notes(explanation, x)
        if picture is not None:
            with download:
                picture_panel.offer_download(picture, explanation, look)
    return x
