"""Unique names, made in one place; unique without regard to case, as in TensorFlow."""

from __future__ import annotations

from engine.errors import ArgumentError


class Names:
    """The names in use in one graph."""

    def __init__(self) -> None:
        self._uses: dict[str, int] = {}

    def claim(self, name: str) -> str:
        """Return the name, or the name with the first free suffix `_1`, `_2`, and take it."""
        key = name.lower()
        uses = self._uses.get(key, 0)
        self._uses[key] = uses + 1
        if not uses:
            return name
        number = uses
        while f"{key}_{number}" in self._uses:
            number += 1
        self._uses[key] = number + 1
        self._uses[f"{key}_{number}"] = 1
        return f"{name}_{number}"


def check_name(name: object) -> str:
    """Return the name of an operation or scope.

    Raises:
        ArgumentError: it is not a non-empty string of printable characters.
    """
    if not isinstance(name, str) or not name.strip("/ ") or not name.isprintable():
        raise ArgumentError(f"a name is a non-empty string of printable characters (got {name!r})")
    return name
