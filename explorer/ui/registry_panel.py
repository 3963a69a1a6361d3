"""The registry: every op with its formula, its registered gradient and the text that defines it."""

from __future__ import annotations

from typing import Any

import streamlit as st

from explorer.optable import OpRow, formula_on_symbols, op_rows, source_of

_ROW, _MOST_ROWS = 36, 8  # px; more rows scroll


@st.cache_data(show_spinner=False)
def _rows() -> tuple[OpRow, ...]:
    return op_rows()


def offer() -> None:
    """Offer to open the registry."""
    if st.button("Registered gradients", width="stretch", help="All ops and their gradients"):
        _show()


@st.dialog("Registered gradients", width="large")
def _show() -> None:
    wanted = st.text_input("Search", placeholder="for example softmax or cos(x)", key="registry")
    found = [row for row in _rows() if _matches(row, wanted)]
    if not found:
        st.caption("No op contains this; shorten or clear the search.")
        return
    event: Any = st.dataframe(
        {
            "op type": [row.type for row in found],
            "inputs": [row.inputs for row in found],
            "local derivatives": [row.gradient for row in found],
        },
        hide_index=True,
        width="stretch",
        height=_ROW * (min(len(found), _MOST_ROWS) + 1),
        selection_mode="single-row",
        on_select="rerun",
        key=f"registry-{wanted}",
    )
    st.caption(f"{len(found)} of {len(_rows())} op types. Choose a line to see its formula.")
    chosen = event.selection.rows
    _show_op(found[chosen[0] if chosen else 0])


def _matches(row: OpRow, wanted: str) -> bool:
    needle = wanted.strip().lower()
    return needle in row.type.lower() or needle in row.gradient.lower()


def _show_op(row: OpRow) -> None:
    name, formula = st.columns([40, 60], vertical_alignment="center")
    name.markdown(f"#### `{row.type}`")
    with formula:
        st.latex(f"z = {formula_on_symbols(row)}")
    for symbol, derivative in zip("xywv", row.gradient.split(", "), strict=False):
        if row.gradient not in ("registered function", "none", "not registered"):
            st.markdown(f"∂z/∂{symbol} = `{derivative}`")
    if row.corner:
        st.info(f"By convention, {row.corner}.")
    st.code(source_of(row.type), language="python")
    st.caption(row.where)
