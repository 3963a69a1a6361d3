"""Pictures as files: written whole or not at all."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import Any

from engine.errors import ArgumentError, EngineError
from explorer.explanation import Explanation, explain
from explorer.picture import Look, dot, draw

FORMATS = ("svg", "dot")


class ExportError(EngineError, OSError):
    """A file could not be written."""


def export(
    asked: Any,
    path: str | os.PathLike[str],
    view: str = "mirror",
    theme: str = "light",
    x: int = 0,
    highlight: int | None = 0,
    direction: str | None = None,
) -> Path:
    """Write the picture of a question to a file; the ending of its name decides the format.

    Args:
        asked: a question of a program, what `gradients` returned, or an explanation of either.
        path: ends in `.svg` or `.dot`.
        view: "circuit", "mirror" or "operations".
        theme: "light", "dark" or "print".
        x: index of the x whose path is marked.
        highlight: index of the marked path; None marks none.
        direction: "LR" or "TB"; by default what can be read.

    Returns:
        The path of the file.

    Raises:
        ArgumentError: the ending stands for no format.
        ExportError: the file cannot be written.
        LayoutError: no Graphviz could draw the picture.
    """
    target = Path(path)
    format = target.suffix.removeprefix(".").lower()
    if format not in FORMATS:
        raise ArgumentError(
            f"{target.name!r} names no known format; let it end in .{', .'.join(FORMATS)}"
        )
    explanation = asked if isinstance(asked, Explanation) else explain(asked)
    write(target, rendered(explanation, Look(view, theme, x, highlight, direction), format))
    return target


def rendered(explanation: Explanation, look: Look, format: str) -> bytes:
    """Return the bytes of a picture in one of `FORMATS`."""
    if format == "dot":
        return dot(explanation, look).encode()
    return draw(explanation, look, format).data


def write(target: Path, data: bytes) -> None:
    """Write a file whole or not at all.

    Raises:
        ExportError: it cannot be written.
    """
    handle: Any = None
    try:
        with tempfile.NamedTemporaryFile(dir=target.parent, delete=False) as handle:
            handle.write(data)
        os.chmod(handle.name, 0o644)
        os.replace(handle.name, target)
    except OSError as error:
        if handle is not None:
            Path(handle.name).unlink(missing_ok=True)
        reason = error.strerror or type(error).__name__
        raise ExportError(f"cannot write {str(target)!r}: {reason}; choose another place") from None
