"""A state of the page as the parameters of a link: data only, read with suspicion.

An example is named; a program of one's own travels compressed. What cannot be read is ignored: an
old or mangled link opens the page as it opens without one.
"""

from __future__ import annotations

import base64
import binascii
import zlib
from collections.abc import Mapping
from dataclasses import dataclass

from engine.errors import ArgumentError
from explorer.gallery import all_examples, example
from explorer.views import VIEWS

LONGEST_LINK = 8_000  # characters; more is cut off by mail programs and chats
_LONGEST_TEXT = 100_000  # characters; a small link must not unfold into a large text


@dataclass(frozen=True)
class Shared:
    """What a link says.

    Attributes:
        text: the program.
        question: index of the question.
        view: name of the view, "" for the one that belongs to the example.
        x: index of the x.
    """

    text: str
    question: int = 0
    view: str = ""
    x: int = 0


def to_parameters(state: Shared) -> dict[str, str]:
    """Return the parameters of a link.

    Raises:
        ArgumentError: the program is too long for a link.
    """
    named = next((found.name for found in all_examples() if found.text == state.text), None)
    parameters = {"example": named} if named else {"program": _packed(state.text)}
    if state.question:
        parameters["question"] = str(state.question + 1)
    if state.view:
        parameters["view"] = state.view
    if state.x:
        parameters["x"] = str(state.x + 1)
    return parameters


def from_parameters(parameters: Mapping[str, str]) -> Shared | None:
    """Return what a link says; None if it names no program that can be read."""
    text = _text(parameters)
    if text is None:
        return None
    view = parameters.get("view", "")
    return Shared(
        text=text,
        question=_index(parameters.get("question", "")),
        view=view if view in VIEWS else "",
        x=_index(parameters.get("x", "")),
    )


def _text(parameters: Mapping[str, str]) -> str | None:
    if "program" in parameters:
        return _unpacked(parameters["program"])
    try:
        return example(parameters.get("example", "")).text
    except ArgumentError:
        return None


def _packed(text: str) -> str:
    packed = base64.urlsafe_b64encode(zlib.compress(text.encode(), 9)).decode().rstrip("=")
    if len(packed) > LONGEST_LINK:
        raise ArgumentError(
            f"the program would make a link of {len(packed):,} characters and {LONGEST_LINK:,} is "
            "the limit; save it as a file instead"
        )
    return packed


def _unpacked(packed: str) -> str | None:
    if len(packed) > LONGEST_LINK:
        return None
    try:
        padded = packed + "=" * (-len(packed) % 4)
        data = base64.b64decode(padded, altchars=b"-_", validate=True)
        unpacking = zlib.decompressobj()
        text = unpacking.decompress(data, _LONGEST_TEXT)
        return text.decode() if unpacking.eof else None
    except (binascii.Error, zlib.error, ValueError):
        return None


def _index(number: str) -> int:
    """Return the index that a position counted from 1 stands for, 0 for anything else."""
    is_position = number.isascii() and number.isdigit() and len(number) < 5
    return max(int(number) - 1, 0) if is_position else 0
