"""Shapes given as lists, tensors or both; what is known of them before anything runs."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import engine as tf
from engine.ops.fill import eye, fill, linspace, one_hot, ones, zeros, zeros_like
from engine.ops.fill import range as range_of
from engine.ops.shape_ops import broadcast_to, expand_dims, rank, reshape, shape, size, squeeze
from engine.ops.tiling import tile

MATRIX = np.arange(6, dtype=np.float32).reshape(2, 3)


@pytest.fixture(autouse=True)
def _own_graph() -> Any:
    with tf.Graph().as_default():
        yield


def test_a_shape_computed_from_static_shapes_is_folded() -> None:
    x = tf.constant(MATRIX)
    y = reshape(x, [shape(x)[1], -1])
    assert y.op.attrs["shape"] == (3, -1)
    assert len(y.op.inputs) == 1
    assert y.shape == (3, 2)
    assert reshape(x, [size(x)]).shape == (6,)
    assert reshape(x, shape(x)[::-1]).shape == (3, 2)
    assert reshape(x, [shape(x)[0] * 3, 1]).shape == (6, 1)


def test_a_batch_size_known_at_run_time_leaves_the_other_sizes_known() -> None:
    x = tf.placeholder(tf.float32, [None, 2, 3])
    y = reshape(x, [shape(x)[0], 6])
    assert y.shape.as_list() == [None, 6]
    (gradient,) = tf.gradients(y * y, x)
    with tf.Session() as session:
        value = session.run(gradient, {x: MATRIX[None]})
    np.testing.assert_array_equal(value, 2 * MATRIX[None])


def test_a_fed_shape() -> None:
    sizes = tf.placeholder(tf.int32, [2])
    x = tf.constant(MATRIX)
    y = reshape(x, sizes)
    assert y.shape.as_list() == [None, None]
    with tf.Session() as session:
        assert session.run(y, {sizes: [3, 2]}).shape == (3, 2)
        with pytest.raises(ValueError, match="Reshape"):
            session.run(y, {sizes: [4, 2]})


@pytest.mark.parametrize(
    ("target", "message"),
    [
        ([4], r"6 elements do not fill the shape \(4,\)"),
        ([4, -1], r"the -1 in \(4, -1\) cannot be found for 6 elements"),
        ([-1, -1], r"only one size of \(-1, -1\) may be -1"),
    ],
    ids=str,
)
def test_shapes_that_do_not_fit(target: list[int], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        reshape(tf.constant(MATRIX), target)


def test_what_is_no_shape() -> None:
    x = tf.constant(MATRIX)
    with pytest.raises(TypeError, match=r"a shape is a list of whole numbers \(got \[1.5\]\)"):
        reshape(x, [1.5])
    with pytest.raises(TypeError, match="a shape holds whole numbers"):
        reshape(x, tf.constant([6.0]))
    with pytest.raises(ValueError, match=r"use tf\.shape"):
        reshape(x, tf.placeholder(tf.float32, [None]).shape)


def test_expand_and_squeeze() -> None:
    x = tf.constant(MATRIX)
    assert expand_dims(x, -1).shape == (2, 3, 1)
    assert expand_dims(x, 0).shape == (1, 2, 3)
    assert squeeze(expand_dims(expand_dims(x, 0), -1)).shape == (2, 3)
    assert squeeze(expand_dims(expand_dims(x, 0), -1), [0]).shape == (2, 3, 1)
    with pytest.raises(ValueError, match="axis 1 has size 3, only size 1 can go"):
        squeeze(x, 1)
    with pytest.raises(ValueError, match="axis 3 is out of range"):
        expand_dims(x, 3)


def test_shape_size_rank_are_integers() -> None:
    x = tf.constant(MATRIX)
    assert shape(x).numpy().tolist() == [2, 3]
    assert shape(x, tf.int64).dtype == tf.int64
    assert (size(x).numpy(), rank(x).numpy()) == (6, 2)
    assert tf.gradients(tf.cast(size(x), tf.float32) * x, x)[0].numpy().tolist() == [[6] * 3] * 2


def test_broadcast_and_tile() -> None:
    x = tf.constant([[1.0], [2.0]])
    y = broadcast_to(x, [3, 2, 2])
    np.testing.assert_array_equal(tf.gradients(y, x)[0].numpy(), [[6.0], [6.0]])
    np.testing.assert_array_equal(tile(x, [1, 3]).numpy(), [[1.0] * 3, [2.0] * 3])
    with pytest.raises(ValueError, match=r"cannot broadcast \(2, 1\) to \(3, 1\)"):
        broadcast_to(x, [3, 1])
    with pytest.raises(ValueError, match="one entry per axis"):
        tile(x, [2])


def test_constants_of_one_number() -> None:
    assert zeros([2, 3]).op.type == "Const"
    assert zeros([2, 3]).dtype == tf.float32
    assert ones([2], tf.int64).numpy().tolist() == [1, 1]
    assert fill([2, 2], 7.0).numpy().tolist() == [[7, 7], [7, 7]]
    assert zeros_like(tf.constant(MATRIX), dtype=tf.int32).dtype == tf.int32
    x = tf.placeholder(tf.float32, [None, 3])
    with tf.Session() as session:
        assert session.run(ones(shape(x)), {x: MATRIX}).tolist() == np.ones((2, 3)).tolist()
    with pytest.raises(ValueError, match="negative"):
        zeros([-1])


def test_one_hot() -> None:
    assert one_hot([0, 2, 5], 3).numpy().tolist() == [[1, 0, 0], [0, 0, 1], [0, 0, 0]]
    assert one_hot([0, 1], 2, dtype=tf.int32).dtype == tf.int32
    assert one_hot([0], 2, on_value=5.0, off_value=-1.0).numpy().tolist() == [[5, -1]]
    assert one_hot([0, 1, 1], 2, axis=0).shape == (2, 3)
    names = [op.name for op in tf.get_default_graph().operations if op.name.startswith("one_hot/")]
    assert names[:2] == ["one_hot/on_value", "one_hot/off_value"]
    with pytest.raises(TypeError, match="integer indices"):
        one_hot(tf.constant([1.0]), 2)


def test_matrices_and_sequences() -> None:
    assert eye(2).numpy().tolist() == [[1, 0], [0, 1]]
    assert eye(2, 3, batch_shape=[4]).shape == (4, 2, 3)
    assert range_of(4).numpy().tolist() == [0, 1, 2, 3]
    assert range_of(5, 0, -2).numpy().tolist() == [5, 3, 1]
    assert range_of(0.0, 1.0, 0.25).dtype == tf.float32
    assert linspace(0.0, 1.0, 5).numpy().tolist() == [0, 0.25, 0.5, 0.75, 1]
    count = tf.placeholder(tf.int32, [])
    with tf.Session() as session:
        assert session.run(range_of(count), {count: 3}).tolist() == [0, 1, 2]
    with pytest.raises(TypeError, match="range takes numbers"):
        range_of("a")
    with pytest.raises(ValueError, match="delta other than 0"):
        range_of(1, 2, 0)
