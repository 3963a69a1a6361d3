"""The numbers beside the picture: gradients, paths, cuts and sums."""

from __future__ import annotations

from typing import Any

import streamlit as st

from explorer import wording
from explorer.explanation import Explanation
from explorer.labels import value as shown

_MOST_BUTTONS = 4


def choose_x(explanation: Explanation, wanted: int) -> int:
    """Let the reader choose the x whose paths are marked; at first it is the wanted one."""
    question = explanation.question
    names = [question.name(x) for x in question.backward.xs]
    key = f"x-{id(question.backward)}"
    start = wanted if wanted < len(names) else 0
    if len(names) > _MOST_BUTTONS:
        chosen = st.selectbox(
            "Paths to", range(len(names)), index=start, format_func=names.__getitem__, key=key
        )
    else:
        chosen = st.segmented_control(
            "Paths to",
            range(len(names)),
            default=start,
            format_func=names.__getitem__,
            key=key,
            required=True,
        )
    return chosen or 0


def show_notes(explanation: Explanation, x: int) -> None:
    """Say what is held back from the gradient, and why it is None, zero or not finite."""
    held = wording.held_back_phrase(explanation, x)
    notes = [
        wording.verdict_phrase(explanation, explanation.verdicts[x]),
        wording.rest_phrase(explanation, x),
        f"✂ {held}" if held else "",
    ]
    text = " · ".join(note for note in notes if note)
    if text:
        st.caption(_escaped(f"{wording.headline(explanation, x)} · {text}"))


def choose_path(explanation: Explanation, x: int) -> int:
    """Show the ledger of the paths; the chosen line is marked in the picture."""
    rows = wording.path_rows(explanation, x)
    if not rows:
        st.caption(f"No path leads from {explanation.question.name(_x(explanation, x))} to y.")
        return 0
    table: dict[str, list[str]] = {
        "path": [row.path for row in rows],
        "factors": [row.factors for row in rows],
        "product": [f"({row.product})" if row.stopped else row.product for row in rows],
        "share": [row.share for row in rows],
    }
    if any(row.stopped for row in rows):
        table["stopped by"] = [f"✂ {row.stopped}" if row.stopped else "" for row in rows]
    event: Any = st.dataframe(
        table,
        hide_index=True,
        width="stretch",
        selection_mode="single-row",
        on_select="rerun",
        key=f"paths-{id(explanation.question.backward)}-{x}",
    )
    name = explanation.question.name(_x(explanation, x))
    total = shown(explanation.paths[x].total)
    count = explanation.paths[x].count
    lines = "path counts" if count == 1 else "paths count"
    st.caption(
        _escaped(f"{count:,} {lines}; the sum is the gradient of {name}: {total}. ")
        + "Choose a line to mark its path in the picture."
    )
    chosen = event.selection.rows
    return chosen[0] if chosen else 0


def _x(explanation: Explanation, x: int) -> Any:
    return explanation.question.backward.xs[x]


def show_gradients(explanation: Explanation) -> None:
    """Show the gradient of every x."""
    st.dataframe(
        [
            {
                "gradient": wording.derivative(explanation, x),
                "at": shown(explanation.values.get(x)),
                "value": shown(verdict.value),
                "": wording.verdict_phrase(explanation, verdict),
            }
            for x, verdict in zip(
                explanation.question.backward.xs, explanation.verdicts, strict=True
            )
        ],
        hide_index=True,
        width="stretch",
    )


def show_cuts(explanation: Explanation) -> None:
    """Show the edges that no gradient crossed, each with its reason."""
    rows = wording.cut_rows(explanation)
    if not rows:
        st.caption("Nothing is cut: the gradient flows along every edge between x and y.")
        return
    st.dataframe(
        [
            {
                "cut edge": f"✂ {row.edge}",
                "reason": row.reason,
                "holds back here": row.here,
                "and at x": row.at_xs,
                "line": row.line,
            }
            for row in rows
        ],
        hide_index=True,
        width="stretch",
    )


def show_sums(explanation: Explanation) -> None:
    """Show the tensors whose gradient is a sum of several contributions."""
    rows = wording.sum_rows(explanation)
    if not rows:
        st.caption("Nothing is summed: no tensor is used more than once between x and y.")
        return
    st.dataframe(
        [
            {"tensor": f"Σ {row.tensor}", "addends": row.addends, "gradient": row.total}
            for row in rows
        ],
        hide_index=True,
        width="stretch",
    )


def _escaped(text: str) -> str:
    """Keep Markdown from reading names and numbers."""
    for character in "\\`*_{}[]<>()#+-.!|$~:":
        text = text.replace(character, f"\\{character}")
    return text
