"""The picture as a person meets it in a browser: the files, for whoever embeds them."""

from __future__ import annotations

from importlib import resources

HTML = '<div class="picture" role="region"></div>'

# In the order in which they are joined to one module; the last one is the entry.
SCRIPTS = (
    "words.js",
    "parts.js",
    "view.js",
    "trace.js",
    "search.js",
    "minimap.js",
    "input.js",
    "picture.js",
)


def source(name: str) -> str:
    """Return the text of one of the canvas's files, for example `"picture.css"`."""
    return resources.files(__name__).joinpath(name).read_text(encoding="utf-8")


def script() -> str:
    """Return the canvas as one JavaScript module that needs no other file."""
    return "\n".join(map(source, SCRIPTS))
