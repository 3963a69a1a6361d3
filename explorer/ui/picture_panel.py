"""The picture: its view, the picture itself, and its file."""

from __future__ import annotations

import streamlit as st

from explorer.canvas import HTML, source
from explorer.explanation import Explanation
from explorer.layout import LayoutError, Picture
from explorer.picture import Look, draw

VIEWS = {"mirror": "Mirror", "circuit": "Circuit", "operations": "Operations"}
_HEIGHT = 440
_LAST = "last-picture"


def choose_view(default: str) -> str:
    """Let the reader choose a view."""
    view = st.segmented_control(
        "View",
        list(VIEWS),
        default=default,
        format_func=VIEWS.__getitem__,
        key="view",
        required=True,
        help="Mirror: forward on top, gradients below. Circuit: value above and gradient below "
        "each edge. Operations: every operation that gradients() added.",
    )
    return view or default


def theme() -> str:
    """Return the theme of the page."""
    return "dark" if st.context.theme.type == "dark" else "light"


def show(explanation: Explanation, look: Look) -> Picture | None:
    """Show the picture; if it cannot be drawn, say why and keep the last one."""
    try:
        picture = draw(explanation, look)
    except LayoutError as error:
        st.error(str(error))
        show_last()
        return None
    st.session_state[_LAST] = picture
    show_picture(picture, explanation.question.title)
    return picture


def show_last() -> None:
    """Show the last picture that could be drawn, if there is one."""
    picture: Picture | None = st.session_state.get(_LAST)
    if picture is not None:
        show_picture(picture, "the last program that ran")


def show_picture(picture: Picture, label: str) -> None:
    """Put a picture on the page."""
    component = st.components.v2.component(
        "picture", html=HTML, css=source("picture.css"), js=source("picture.js")
    )
    component(
        data={"svg": picture.text, "label": f"Picture of {label}", "height": _HEIGHT},
        key="picture",
    )


def offer_download(picture: Picture, explanation: Explanation, look: Look) -> None:
    """Offer the picture as a file, light even when the page is dark: it is for paper."""
    file = picture
    if look.theme != "light":
        file = draw(explanation, Look(look.view, "light", look.x, look.path))
    st.download_button(
        "Download SVG",
        file.data,
        file_name=f"gradient-{look.view}.svg",
        mime="image/svg+xml",
        on_click="ignore",
        width="stretch",
    )
