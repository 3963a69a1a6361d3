"""A module as the program sees it: a table of names, and sentences about what is not there."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from typing import Any

from explorer.program.errors import ProgramError


class Face:
    """A module or namespace of the language.

    Args:
        name: what the program calls it, for messages.
        members: its names and their values.
        refusals: names that are known and not offered, each with what to write instead.
        otherwise: what to write instead of all names that are not there.
    """

    __slots__ = ("members", "name", "otherwise", "refusals")

    def __init__(
        self,
        name: str,
        members: Mapping[str, Any],
        refusals: Mapping[str, str] | None = None,
        otherwise: str = "",
    ) -> None:
        self.name = name
        self.members = dict(members)
        self.refusals = refusals or {}
        self.otherwise = otherwise

    @property
    def shown(self) -> str:
        return f"<module {self.name!r}>"

    def __repr__(self) -> str:
        return self.shown

    def member(self, name: str) -> Any:
        """Return the value of a name.

        Raises:
            ProgramError: the name is known and not offered.
            AttributeError: there is no such name.
        """
        if name in self.members:
            return self.members[name]
        instead = self.refusals.get(name, self.otherwise)
        if instead:
            raise ProgramError(f"{self.name}.{name} is not part of the language; {instead}")
        raise AttributeError(f"{self.name} has no {name!r} here{close_match(name, self.members)}")


def close_match(name: str, known: Any) -> str:
    """Return a suggestion for a misspelled name, or nothing."""
    matches = difflib.get_close_matches(name, [key for key in known if isinstance(key, str)], 1)
    return f"; did you mean {matches[0]!r}" if matches else ""
