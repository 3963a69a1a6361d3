"""How Python 2's `print x` becomes a call, and other traces of how a program was copied.

Only the text is changed, never the number of lines, so that every line number stays true.
"""

from __future__ import annotations

import io
import tokenize

_SKIPPED = (tokenize.NL, tokenize.COMMENT, tokenize.INDENT, tokenize.DEDENT)
_OPENING = {"(", "[", "{"}
_CLOSING = {")", "]", "}"}


def plain_text(text: str) -> str:
    """Return the text with uniform line ends and ordinary spaces, without interpreter prompts."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").replace("\u00a0", " ").lstrip("\ufeff")
    rows = lines.split("\n")
    first = next((row for row in rows if row.strip()), "")
    if first.startswith(">>>"):
        # A copied session: what follows the prompts is the program, the rest is its output.
        rows = [row[4:] if row[:3] in (">>>", "...") else "" for row in rows]
    elif first[:1] in (" ", "\t"):
        rows = _outdented(rows, first[: len(first) - len(first.lstrip())])
    return "\n".join(rows)


def _outdented(rows: list[str], margin: str) -> list[str]:
    if all(row.startswith(margin) or not row.strip() for row in rows):
        return [row[len(margin) :] for row in rows]
    return rows


def with_print_calls(text: str) -> str:
    """Return the text with each statement `print a, b` written as `print(a, b)`.

    >>> with_print_calls("print 'x is', x  # shown")
    "print('x is', x)  # shown"
    >>> with_print_calls("print 'no newline',")
    "print('no newline', end=' ')"
    """
    try:
        tokens = list(tokenize.generate_tokens(io.StringIO(text).readline))
    except (tokenize.TokenError, SyntaxError):
        return text
    rows = text.split("\n")
    # From the last to the first, so that earlier columns stay valid.
    for start, end in reversed(_print_statements(tokens)):
        _rewrite(rows, tokens[start], tokens[start + 1 : end])
    return "\n".join(rows)


def _print_statements(tokens: list[tokenize.TokenInfo]) -> list[tuple[int, int]]:
    """Return (index of `print`, index after its last token) for each Python 2 print statement."""
    found = []
    depth = 0
    begins = True
    for index, token in enumerate(tokens):
        if token.type in _SKIPPED:
            continue
        if begins and token.type == tokenize.NAME and token.string == "print":
            end = _end_of_statement(tokens, index + 1)
            if _is_statement(tokens[index + 1 : end]):
                found.append((index, end))
        if token.string in _OPENING:
            depth += 1
        elif token.string in _CLOSING:
            depth -= 1
        begins = token.type == tokenize.NEWLINE or (not depth and token.string in (";", ":"))
    return found


def _end_of_statement(tokens: list[tokenize.TokenInfo], index: int) -> int:
    depth = 0
    while tokens[index].type not in (tokenize.NEWLINE, tokenize.ENDMARKER):
        string = tokens[index].string
        if not depth and (string == ";" or tokens[index].type == tokenize.COMMENT):
            break
        depth += (string in _OPENING) - (string in _CLOSING)
        index += 1
    return index


def _is_statement(rest: list[tokenize.TokenInfo]) -> bool:
    """Whether what follows `print` makes it a statement rather than a call or a name."""
    if not rest:
        return True
    if rest[0].string != "(":
        return rest[0].string not in ("=", ".", ",", ")", ":", "+=")
    depth = 0
    for index, token in enumerate(rest):
        depth += (token.string in _OPENING) - (token.string in _CLOSING)
        if not depth:
            return index < len(rest) - 1  # `print (a), b` goes on after the parenthesis
    return False


def _rewrite(rows: list[str], name: tokenize.TokenInfo, rest: list[tokenize.TokenInfo]) -> None:
    row, column = name.end
    if not rest:
        rows[row - 1] = f"{rows[row - 1][:column]}(){rows[row - 1][column:]}"
        return
    last_row, last_column = rest[-1].end
    line = rows[last_row - 1]
    if rest[-1].string == ",":
        cut = rest[-1].start[1]
        rows[last_row - 1] = f"{line[:cut]}, end=' '){line[last_column:]}"
    else:
        rows[last_row - 1] = f"{line[:last_column]}){line[last_column:]}"
    first = rest[0].start[1] if rest[0].start[0] == row else column
    rows[row - 1] = f"{rows[row - 1][:column]}({rows[row - 1][first:]}"
