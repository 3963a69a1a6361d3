"""Ranges: the element type they get from their arguments."""

from __future__ import annotations

import pytest

import engine as tf
from engine.errors import ArgumentError


@pytest.mark.parametrize(
    ("arguments", "dtype", "expected"),
    [
        ((3,), "int32", [0, 1, 2]),
        ((2.5,), "float32", [0, 1, 2]),
        ((1, 3.0), "float32", [1, 2]),
        ((3, 0, -2), "int32", [3, 1]),
    ],
)
def test_a_range_is_of_the_widest_type_given(
    arguments: tuple[float, ...], dtype: str, expected: list[float]
) -> None:
    found = tf.range(*arguments)
    assert (found.dtype.name, found.numpy().tolist()) == (dtype, expected)


def test_a_range_without_steps_is_refused() -> None:
    with pytest.raises(ArgumentError, match="delta other than 0"):
        tf.range(0, 3, 0)
