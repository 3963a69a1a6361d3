"""The worked examples: real programs, one file each, that run as scripts and in the explorer.

    python explorer/gallery/total_and_partial.py

A file's docstring is its title and one sentence that says what to look at; `catalog.py` holds the
rest. The explorer reads the files and never imports them.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from engine.errors import ArgumentError
from explorer.gallery.catalog import ENTRIES, Entry, Group, Numbers

DEFAULT = "total_and_partial"
"""The example that a reader sees first."""

_OUR_IMPORT = "import engine as tf\n"
_FIRST_VERSION = "tf.disable_v2_behavior()"


@dataclass(frozen=True)
class Example:
    """A program with its title, and how to show it.

    Attributes:
        title: a few plain words, without a full stop.
        sentence: what to look at.
        text: the program without its docstring, with the import line of the TensorFlow version
            it is written for.
        Otherwise as `catalog.Entry`.
    """

    name: str
    row: int
    title: str
    sentence: str
    text: str
    view: str
    question: int
    expected: tuple[Numbers, ...]
    group: Group

    @property
    def label(self) -> str:
        """Return the title with its row, or with its group where there is no row."""
        where = f"{self.row}." if self.group is Group.ARTICLE else f"{self.group}:"
        return f"{where} {self.title}"


@cache
def all_examples() -> tuple[Example, ...]:
    """Return every example: the articles by row, then the questions, then the models."""
    return tuple(_read(entry) for entry in ENTRIES)


def example(name: str = DEFAULT) -> Example:
    """Return the example of this name.

    Raises:
        ArgumentError: there is none.
    """
    for found in all_examples():
        if found.name == name:
            return found
    known = ", ".join(found.name for found in all_examples())
    raise ArgumentError(f"no example is called {name!r}; there are: {known}")


def path_of(name: str) -> Path:
    """Return the file of an example."""
    return Path(__file__).parent / f"{name}.py"


def _read(entry: Entry) -> Example:
    source = path_of(entry.name).read_text(encoding="utf-8")
    tree = ast.parse(source)
    title, _, sentence = (ast.get_docstring(tree) or "").partition("\n\n")
    program = "\n".join(source.split("\n")[tree.body[0].end_lineno :]).lstrip("\n")
    version = "tensorflow.compat.v1" if _FIRST_VERSION in source else "tensorflow"
    return Example(
        name=entry.name,
        row=entry.row,
        title=title.removesuffix("."),
        sentence=" ".join(sentence.split()),
        text=program.replace(_OUR_IMPORT, f"import {version} as tf\n"),
        view=entry.view,
        question=entry.question,
        expected=entry.expected,
        group=entry.group,
    )
