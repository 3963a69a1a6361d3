"""The largest entries, the n-th one, the distinct ones."""

from __future__ import annotations

import pytest

import engine as tf


def test_of_equal_entries_the_first_is_larger() -> None:
    x = tf.constant([[1.0, 3.0, 3.0, 2.0]])
    values, places = tf.math.top_k(x, 3)
    assert values.numpy().tolist() == [[3.0, 3.0, 2.0]]
    assert places.numpy().tolist() == [[1, 2, 3]]
    found = tf.gradients(tf.math.top_k(x, 1)[0], x)[0]
    assert found.numpy().tolist() == [[0.0, 1.0, 0.0, 0.0]]


def test_top_k_of_unsigned_integers() -> None:
    values, _ = tf.math.top_k(tf.constant([0, 255, 7], tf.uint8), 2)
    assert values.numpy().tolist() == [255, 7]


def test_the_nth_element_from_both_ends() -> None:
    x = tf.constant([4.0, 1.0, 3.0, 1.0])
    assert tf.nth_element(x, 2).numpy() == 3.0
    assert tf.nth_element(x, 0, reverse=True).numpy() == 4.0
    assert tf.gradients(tf.nth_element(x, 1), x)[0].numpy().tolist() == [0.0, 0.5, 0.0, 0.5]


def test_there_must_be_enough_entries() -> None:
    with pytest.raises(ValueError, match="TopKV2: k must lie between 0 and the size"):
        tf.math.top_k([1.0], 2)
    with pytest.raises(ValueError, match="NthElement: n must be below the size"):
        tf.nth_element([1.0], 1)
    with pytest.raises(ValueError, match="a scalar has no axis"):
        tf.math.top_k(1.0)
    with pytest.raises(ValueError, match="known only at run time"):
        tf.math.top_k([1.0], tf.placeholder(tf.int32))


def test_distinct_entries_in_order_of_appearance() -> None:
    entries, places = tf.unique([3.0, 1.0, 3.0, 2.0], out_idx=tf.int64)
    assert entries.numpy().tolist() == [3.0, 1.0, 2.0]
    assert places.numpy().tolist() == [0, 1, 0, 2]
    assert places.dtype is tf.int64
    with pytest.raises(ValueError, match="out_idx must be int32 or int64"):
        tf.unique([1.0], out_idx=tf.float32)
    with pytest.raises(ValueError, match="Unique: the distinct entries are taken of a vector"):
        tf.unique([[1.0]])


def test_unique_has_no_gradient_on_purpose() -> None:
    x = tf.constant([3.0, 1.0])
    with pytest.raises(LookupError, match="No gradient defined for operation'Unique'"):
        tf.gradients(tf.unique(x)[0], x)
