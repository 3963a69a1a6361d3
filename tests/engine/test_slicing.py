"""Python's indexing, strided slices and blocks give what NumPy gives, or say what is wrong."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import engine as tf
from engine.ops.blocks import slice as block
from engine.ops.slicing import strided_slice

CUBE = np.arange(24, dtype=np.float32).reshape(2, 3, 4)

KEYS = [
    0,
    -1,
    (1, 2, 3),
    slice(1, None),
    slice(None, None, -1),
    (slice(None), slice(2, 0, -1)),
    (slice(None), slice(None, 9), slice(-2, None)),
    (..., 0),
    (0, ..., slice(1, 3)),
    (None, 1),
    (..., None),
    (slice(None), None, 1, ..., None),
    np.int64(1),
    slice(5, 9),
    (),
]


@pytest.fixture(autouse=True)
def _own_graph() -> Any:
    with tf.Graph().as_default():
        yield


@pytest.mark.parametrize("key", KEYS, ids=str)
def test_indexing_agrees_with_numpy(key: Any) -> None:
    found = tf.constant(CUBE)[key]
    expected = CUBE[key]
    assert found.shape == expected.shape
    np.testing.assert_array_equal(found.numpy(), expected)


@pytest.mark.parametrize("key", KEYS, ids=str)
def test_indexing_with_unknown_sizes_agrees_with_numpy(key: Any) -> None:
    x = tf.placeholder(tf.float32, [None, None, None])
    y = x[key]
    ones = np.zeros_like(CUBE)
    ones[key] = 1
    (gradient,) = tf.gradients(y, x)
    with tf.Session() as session:
        value, slope = session.run([y, gradient], {x: CUBE})
    assert y.shape.is_compatible_with(CUBE[key].shape)
    np.testing.assert_array_equal(value, CUBE[key])
    np.testing.assert_array_equal(slope, ones)


def test_an_index_may_be_a_tensor() -> None:
    x = tf.placeholder(tf.float32, [None])
    row = tf.placeholder(tf.int32, [])
    y = x[row] * x[row - 1 :][0]
    (gradient,) = tf.gradients(y, x)
    with tf.Session() as session:
        value, slope = session.run([y, gradient], {x: [2.0, 3.0, 5.0], row: 2})
    assert value == 15.0
    np.testing.assert_array_equal(slope, [0.0, 5.0, 3.0])


def test_a_known_index_tensor_is_folded_into_the_operation() -> None:
    x = tf.constant(CUBE)
    last = x[tf.shape(x)[0] - 1]
    assert len(last.op.inputs) == 1
    np.testing.assert_array_equal(last.numpy(), CUBE[1])


@pytest.mark.parametrize(
    ("key", "error", "message"),
    [
        (2, ValueError, "index 2 is out of range for an axis of size 2"),
        ((0, 0, 0, 0), ValueError, r"too many indices \(4\) for a tensor of shape \(2, 3, 4\)"),
        ([0, 1], TypeError, r"use tf.gather for a list of indices .* \(got \[0, 1\]\)"),
        (True, TypeError, r"tf.where for a mask \(got True\)"),
        (1.0, TypeError, r"\(got 1.0\)"),
        ("a", TypeError, r"\(got 'a'\)"),
        ((..., ...), ValueError, "only one ellipsis"),
        (slice(None, None, 0), ValueError, "a stride cannot be 0"),
    ],
    ids=str,
)
def test_what_is_no_index_is_refused(key: Any, error: type, message: str) -> None:
    with pytest.raises(error, match=message):
        tf.constant(CUBE)[key]


def test_a_mask_is_refused_by_name() -> None:
    x = tf.constant([1.0, 2.0], name="x")
    with pytest.raises(TypeError, match=r"tf.where for a mask \(got big:0\)"):
        x[tf.constant([True, False], name="big")]


def test_an_index_out_of_range_at_run_time_is_an_error() -> None:
    x = tf.placeholder(tf.float32, [None])
    with tf.Session() as session, pytest.raises(ValueError, match="out of bounds"):
        session.run(x[3], {x: [1.0]})


def test_strided_slice_reads_its_masks() -> None:
    x = tf.constant(CUBE)
    found = strided_slice(x, [0, 0, 1], [0, 0, 3], end_mask=2, shrink_axis_mask=1)
    np.testing.assert_array_equal(found.numpy(), CUBE[0, :, 1:3])
    with pytest.raises(ValueError, match="differ in length"):
        strided_slice(x, [0], [1, 2])


def test_slice_cuts_a_block() -> None:
    x = tf.constant(CUBE)
    np.testing.assert_array_equal(block(x, [0, 1, 2], [1, -1, 2]).numpy(), CUBE[:1, 1:, 2:])
    with pytest.raises(ValueError, match="begin 2 and size 2 leave an axis of size 3"):
        block(x, [0, 2, 0], [1, 2, 1])


def test_slice_with_a_begin_known_at_run_time() -> None:
    x = tf.placeholder(tf.float32, [4])
    begin = tf.placeholder(tf.int32, [1])
    y = block(x, begin, [2])
    assert y.shape == (2,)
    (gradient,) = tf.gradients(y, x)
    with tf.Session() as session:
        value, slope = session.run([y, gradient], {x: [1.0, 2.0, 3.0, 4.0], begin: [1]})
        np.testing.assert_array_equal(value, [2.0, 3.0])
        np.testing.assert_array_equal(slope, [0.0, 1.0, 1.0, 0.0])
        with pytest.raises(ValueError, match="leave the shape"):
            session.run(y, {x: [1.0, 2.0, 3.0, 4.0], begin: [3]})
