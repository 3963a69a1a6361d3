"""The picture as a person meets it in a browser: the files, for whoever embeds them."""

from __future__ import annotations

from importlib import resources

HTML = '<div class="picture" role="region" tabindex="0"></div>'


def source(name: str) -> str:
    """Return the text of one of the canvas's files, for example `"picture.js"`."""
    return resources.files(__name__).joinpath(name).read_text(encoding="utf-8")
