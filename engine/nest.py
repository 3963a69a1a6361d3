"""Nested lists, tuples and dictionaries: taken apart into leaves, and put together again.

A dictionary's leaves come in the order of its sorted keys, as in TensorFlow.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from engine.errors import ArgumentError


def flatten(structure: Any) -> list[Any]:
    """Return the leaves; anything that is no list, tuple or dictionary is one itself.

    >>> flatten({"b": [1, (2, 3)], "a": 0})
    [0, 1, 2, 3]
    """
    if isinstance(structure, dict):
        return [leaf for key in _keys(structure) for leaf in flatten(structure[key])]
    if isinstance(structure, list | tuple):
        return [leaf for entry in structure for leaf in flatten(entry)]
    return [structure]


def flatten_like(structure: Any, values: Any) -> list[Any]:
    """Return one value per leaf of a structure; a list may be a value where the leaf is not one.

    >>> flatten_like(["x", {"b": "w"}], [[1, 2], {"b": [3]}])
    [[1, 2], [3]]

    Raises:
        ArgumentError: the values are not of the form of the structure.
    """
    if not isinstance(structure, dict | list | tuple):
        return [values]
    kind = dict if isinstance(structure, dict) else (list, tuple)
    if not isinstance(values, kind) or len(values) != len(structure):
        raise ArgumentError(
            f"values must be nested as what they are for, a {type(structure).__name__} of "
            f"{len(structure)} (got {_described(values)})"
        )
    keys = _keys(structure) if isinstance(structure, dict) else range(len(structure))
    if isinstance(values, dict) and set(values) != set(keys):
        raise ArgumentError(f"values must have the keys {list(keys)} (got {list(values)})")
    return [leaf for key in keys for leaf in flatten_like(structure[key], values[key])]


def _described(values: Any) -> str:
    nested = isinstance(values, dict | list | tuple)
    return f"a {type(values).__name__} of {len(values)}" if nested else type(values).__name__


def pack(structure: Any, leaves: Sequence[Any]) -> Any:
    """Return a structure of the same form with other leaves.

    >>> pack({"b": [1, (2, 3)], "a": 0}, ["w", "x", "y", "z"])
    {'b': ['x', ('y', 'z')], 'a': 'w'}

    Raises:
        ArgumentError: the number of leaves differs.
    """
    expected = len(flatten(structure))
    if len(leaves) != expected:
        raise ArgumentError(f"the structure has {expected} leaves (got {len(leaves)})")
    return _packed(structure, iter(leaves))


def _packed(structure: Any, leaves: Iterator[Any]) -> Any:
    if isinstance(structure, dict):
        packed = {key: _packed(structure[key], leaves) for key in _keys(structure)}
        return {key: packed[key] for key in structure}
    if isinstance(structure, tuple) and hasattr(structure, "_fields"):
        return type(structure)(*(_packed(entry, leaves) for entry in structure))
    if isinstance(structure, list | tuple):
        entries = [_packed(entry, leaves) for entry in structure]
        return tuple(entries) if isinstance(structure, tuple) else entries
    return next(leaves)


def _keys(structure: dict[Any, Any]) -> list[Any]:
    try:
        return sorted(structure)
    except TypeError:
        raise ArgumentError(
            f"the keys of a nested structure must be sortable (got {list(structure)})"
        ) from None
