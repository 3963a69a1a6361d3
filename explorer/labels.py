"""How numbers and names become short, printable text, and how wide that text is.

Every number a picture shows passes through :func:`value`; every text that came from a
person passes through :func:`printable`. Widths are estimated here rather than by Graphviz
because the two Graphviz engines disagree about text that is not ASCII (one of them counts
bytes), and a picture must not depend on the fonts of the machine that laid it out.
"""

from __future__ import annotations

import math
import unicodedata

import numpy as np

ELLIPSIS = "…"
# Advance widths of printable ASCII (U+0020 to U+007E) in thousandths of an em for the
# Helvetica family; Arial and Liberation Sans were drawn to the same widths.
# Source: Adobe Systems, "Helvetica" font metrics file (AFM), 1997.
_ASCII_WIDTHS = (
    *(278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278),
    *(556, 556, 556, 556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556),
    *(1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833, 722, 778),
    *(667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556),
    *(333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556),
    *(556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584),
)
_NARROW_SYMBOLS = {"·": 333, "…": 1000, "\u00a0": 278}
_BOLD_FACTOR = 1.08
_SIGNIFICANT = 6
_INLINE_COLUMNS = 24
_INLINE_ITEMS = 6


def number(item: object) -> str:
    """Write one number with at most six significant digits.

    Integers and booleans are written in full; NaN and the infinities are told apart from
    ``None``, which means that there is no number at all.

    >>> number(0.1 + 0.2), number(12.0), number(7), number(None), number(float("inf"))
    ('0.3', '12', '7', 'None', 'inf')
    """
    if item is None:
        return "None"
    if isinstance(item, bool | np.bool_):
        return "True" if item else "False"
    if isinstance(item, int | np.integer):
        return str(int(item))
    if isinstance(item, complex | np.complexfloating):
        return _complex(complex(item))
    if isinstance(item, float | np.floating):
        return _real(float(item))
    if isinstance(item, bytes):
        return quoted(item.decode("utf-8", "replace"))
    return quoted(str(item))


def quoted(text: str) -> str:
    """Write a text in double quotes, shortened to a label's length."""
    return f'"{shorten(printable(text), 16)}"'


def value(array: object) -> str:
    """Write a number or an array in one short line.

    Scalars are written by :func:`number`, short vectors and small matrices in full, anything
    larger by its first and last entries followed by its shape.

    >>> value(np.array([1.0, 2.0, 3.0])), value(np.arange(12).reshape(3, 4))
    ('[1 2 3]', '[0 1 2 … 11] (3×4)')
    """
    if array is None:
        return "None"
    entries = np.asarray(array)
    if entries.ndim == 0:
        return number(entries.item() if entries.dtype == object else entries[()])
    shape = "×".join(str(size) for size in entries.shape)
    if entries.size == 0:
        return f"[] ({shape})"
    if entries.ndim <= 2 and entries.size <= _INLINE_ITEMS:
        text = _rows(entries)
        if columns(text) <= _INLINE_COLUMNS:
            return text
    return f"{_ends(entries.reshape(-1))} ({shape})"


def exact(array: object) -> str:
    """Write a number or an array with every digit it has, for a tooltip.

    >>> exact(np.float32(0.1)), exact(0.5)
    ('0.1', '0.5')
    """
    if array is None:
        return "None"
    entries = np.asarray(array)
    if entries.ndim == 0:
        return str(entries[()])
    if entries.size <= 64:
        return " ".join(np.array2string(entries, separator=" ", max_line_width=10**6).split())
    return f"{value(entries)}"


def printable(text: str) -> str:
    """Replace what cannot stand in a picture: line breaks, controls, lone surrogates.

    >>> printable("a\\nb\\tc\\x07")
    'a↵b c\ufffd'
    """
    return "".join(_printable_character(character) for character in text)


def shorten(text: str, limit: int) -> str:
    """Shorten a text in the middle so that it takes at most ``limit`` columns.

    >>> shorten("transformer/layer_7/attention/query", 15)
    'transfo…n/query'
    """
    if columns(text) <= limit:
        return text
    if limit <= 1:
        return ELLIPSIS
    tail_room = (limit - 1) // 2
    head = _take(text, limit - 1 - tail_room)
    tail = _take(text[::-1], tail_room)[::-1]
    return head + ELLIPSIS + tail


def columns(text: str) -> int:
    """Count the columns of a text: two for a wide character, none for a combining one.

    >>> columns("权重 w"), columns("h\u0304")
    (6, 1)
    """
    return sum(_columns_of(character) for character in text)


def text_width(text: str, size: float, bold: bool = False) -> float:
    """Estimate the width of a text in points, set in Helvetica at ``size`` points."""
    thousandths = sum(_thousandths(character) for character in text)
    return thousandths * size / 1000 * (_BOLD_FACTOR if bold else 1.0)


def adjoint(name: str) -> str:
    """Name the gradient of a tensor in plain text: a bar over a letter, else "gradient of".

    >>> adjoint("h"), adjoint("loss")
    ('h\u0304', 'gradient of loss')
    """
    return f"{name}\u0304" if columns(name) == 1 and len(name) == 1 else f"gradient of {name}"


def _real(item: float) -> str:
    """Write a real number: no trailing zeros, no sign on zero, a short exponent."""
    if math.isnan(item):
        return "NaN"
    if math.isinf(item):
        return "inf" if item > 0 else "-inf"
    if item == 0:
        return "0"
    text = f"{item:.{_SIGNIFICANT}g}"
    mantissa, has_exponent, exponent = text.partition("e")
    return f"{mantissa}e{int(exponent)}" if has_exponent else text


def _complex(item: complex) -> str:
    """Write a complex number as ``1+2j``."""
    imaginary = _real(item.imag)
    sign = "" if imaginary.startswith("-") else "+"
    return f"{_real(item.real)}{sign}{imaginary}j"


def _rows(entries: np.ndarray) -> str:
    """Write a vector or matrix in full, rows separated by semicolons."""
    rows = entries.reshape(1, -1) if entries.ndim == 1 else entries
    return "[" + "; ".join(" ".join(number(item) for item in row) for row in rows) + "]"


def _ends(flat: np.ndarray) -> str:
    """Write the first entries and the last one of a vector, as many as fit."""
    for kept in (3, 2, 1):
        if flat.size <= kept + 1:
            continue
        head = " ".join(number(item) for item in flat[:kept])
        text = f"[{head} {ELLIPSIS} {number(flat[-1])}]"
        if columns(text) <= _INLINE_COLUMNS or kept == 1:
            return text
    return "[" + " ".join(number(item) for item in flat) + "]"


def _printable_character(character: str) -> str:
    if character in "\n\r\u2028\u2029":
        return "↵"
    if character == "\t":
        return " "
    code = ord(character)
    # Bidirectional overrides would let one label reorder the text around it.
    hidden = unicodedata.category(character) in ("Cc", "Cs") or character in _BIDIRECTIONAL
    return "\ufffd" if hidden or code & 0xFFFE == 0xFFFE else character


_BIDIRECTIONAL = "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"


def _take(text: str, limit: int) -> str:
    """Take characters from the start while they fit into ``limit`` columns."""
    taken, used = [], 0
    for character in text:
        used += _columns_of(character)
        if used > limit:
            break
        taken.append(character)
    return "".join(taken)


def _columns_of(character: str) -> int:
    if unicodedata.combining(character) or unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in ("W", "F") else 1


def _thousandths(character: str) -> int:
    if " " <= character <= "~":
        return _ASCII_WIDTHS[ord(character) - 32]
    if character in _NARROW_SYMBOLS:
        return _NARROW_SYMBOLS[character]
    return (0, 640, 1040)[_columns_of(character)]
