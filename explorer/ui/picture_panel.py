"""The picture: its view, the picture itself, and its file."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from explorer.canvas import HTML, script, source
from explorer.explanation import Explanation
from explorer.layout import LayoutError, Picture
from explorer.picture import Look, draw, scene
from explorer.ui.state import VIEW

VIEWS = {"mirror": "Mirror", "circuit": "Circuit", "operations": "Operations"}
_HEIGHT = 440
_LAST = "last-picture"

Links = Mapping[str, tuple[str, str]]


def choose_view(default: str) -> str:
    """Let the reader choose a view."""
    view = st.segmented_control(
        "View",
        list(VIEWS),
        # What a link asks for stands in the session already.
        default=None if VIEW in st.session_state else default,
        format_func=VIEWS.__getitem__,
        key=VIEW,
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
    links = {edge.id: (edge.source, edge.target) for edge in scene(explanation, look).edges}
    st.session_state[_LAST] = (picture, links)
    show_picture(picture, links, explanation.question.title)
    return picture


def show_last() -> None:
    """Show the last picture that could be drawn, if there is one."""
    last: tuple[Picture, Links] | None = st.session_state.get(_LAST)
    if last is not None:
        show_picture(*last, "the last program that ran")


def show_picture(picture: Picture, links: Links, label: str) -> None:
    """Put a picture on the page.

    Args:
        picture: An SVG.
        links: The ids of the two ends of each of its edges, by the edge's id.
        label: What it shows, for those who hear the page.
    """
    component = st.components.v2.component(
        "picture", html=HTML, css=source("picture.css"), js=script()
    )
    component(
        data={
            "svg": picture.text,
            "links": links,
            "label": f"Picture of {label}",
            "height": _HEIGHT,
        },
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
