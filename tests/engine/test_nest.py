"""Nested structures: leaves in TensorFlow's order, and the same form again."""

from __future__ import annotations

from collections import namedtuple

import pytest

from engine.nest import flatten, flatten_like, pack

Point = namedtuple("Point", "x y")


def test_a_dictionary_is_flattened_by_sorted_keys_and_keeps_its_own_order() -> None:
    structure = {"b": [1, 2], "a": (3, {"d": 4, "c": 5})}
    assert flatten(structure) == [3, 5, 4, 1, 2]
    packed = pack(structure, "vwxyz")
    assert packed == {"b": ["y", "z"], "a": ("v", {"d": "x", "c": "w"})}
    assert list(packed) == ["b", "a"]


def test_a_named_tuple_stays_one() -> None:
    packed = pack([Point(1, (2, 3)), None], [10, 20, 30, 40])
    assert packed == [Point(10, (20, 30)), 40]
    assert type(packed[0]) is Point


def test_a_leaf_is_packed_as_itself() -> None:
    assert flatten("ab") == ["ab"]
    assert pack("ab", [7]) == 7


def test_the_number_of_leaves_must_fit() -> None:
    with pytest.raises(ValueError, match=r"has 2 leaves \(got 3\)"):
        pack([1, 2], [1, 2, 3])


def test_keys_must_be_sortable() -> None:
    with pytest.raises(ValueError, match="keys of a nested structure must be sortable"):
        flatten({1: 0, "a": 0})


def test_values_are_matched_to_what_they_are_for() -> None:
    structure = {"b": "w", "a": ["x", "y"]}
    assert flatten_like(structure, {"a": [[1, 2], 3], "b": (4, 5)}) == [[1, 2], 3, (4, 5)]
    assert flatten_like("x", [1, [2]]) == [[1, [2]]]
    with pytest.raises(ValueError, match=r"a dict of 2 \(got a list of 2\)"):
        flatten_like(structure, [1, 2])
    with pytest.raises(ValueError, match=r"must have the keys \['a', 'b'\]"):
        flatten_like(structure, {"a": [1, 2], "c": 3})
    with pytest.raises(ValueError, match=r"a list of 2 \(got a list of 1\)"):
        flatten_like(structure, {"a": [1], "b": 3})
