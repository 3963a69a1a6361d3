"""How a person's text enters DOT: entity-escaped, backslashes multiplied, never as markup.

Graphviz expands ``\\N``, ``\\G`` and the like in HTML-like labels once, and in tooltips twice
on some elements and never fewer than once on others; the factors below were found to give the
text back unchanged on every element, in both engines.
"""

from __future__ import annotations

import html

import graphviz

from explorer.labels import printable

_LABEL_BACKSLASH = "\\" * 2
_TOOLTIP_BACKSLASH = "\\" * 4


def label_text(text: str) -> str:
    """Escape text for the inside of an HTML-like label.

    >>> print(label_text('a<b> & "c" \\\\N'))
    a&lt;b&gt; &amp; &quot;c&quot; \\\\N
    """
    return html.escape(printable(text)).replace("\\", _LABEL_BACKSLASH)


def tooltip_text(text: str) -> str:
    """Escape text for a tooltip; never taken for an HTML-like label, whatever it begins with."""
    escaped = html.escape(printable(text)).replace("\\", _TOOLTIP_BACKSLASH)
    return str(graphviz.nohtml(escaped))
