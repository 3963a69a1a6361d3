"""Stacking, concatenating, splitting and padding, and what flows back through them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import engine as tf
from engine.ops.diagonal import diag, diag_part, trace
from engine.ops.joining import concat, split, stack, unstack
from engine.ops.padding import pad
from engine.ops.transpose import adjoint, matrix_transpose, reverse, transpose

MATRIX = np.arange(6, dtype=np.float32).reshape(2, 3)


@pytest.fixture(autouse=True)
def _own_graph() -> Any:
    with tf.Graph().as_default():
        yield


def test_stack_and_unstack_undo_each_other() -> None:
    x = tf.constant(MATRIX)
    for axis in (0, 1, -1):
        parts = unstack(x, axis=axis)
        np.testing.assert_array_equal(stack(parts, axis).numpy(), MATRIX)


def test_stack_of_numbers_is_a_constant() -> None:
    assert stack([1.0, 2]).op.type == "Const"
    x = tf.constant(3.0)
    y = stack([1, x, 2.0])
    assert y.dtype == tf.float32
    np.testing.assert_array_equal(y.numpy(), [1.0, 3.0, 2.0])


def test_an_unused_part_gets_zeros() -> None:
    x = tf.constant(MATRIX)
    first, _second = unstack(x)
    np.testing.assert_array_equal(tf.gradients(first, x)[0].numpy(), [[1, 1, 1], [0, 0, 0]])
    left, _right = split(x, [1, 2], axis=1)
    np.testing.assert_array_equal(tf.gradients(left, x)[0].numpy(), [[1, 0, 0], [1, 0, 0]])


def test_concat_gives_each_part_its_own_slice_back() -> None:
    x, y = tf.constant([1.0, 2.0]), tf.constant([3.0])
    z = concat([x, y], 0)
    by_x, by_y = tf.gradients(z * z, [x, y])
    np.testing.assert_array_equal(by_x.numpy(), [2.0, 4.0])
    np.testing.assert_array_equal(by_y.numpy(), [6.0])


def test_concat_of_unknown_sizes() -> None:
    x, y = tf.placeholder(tf.float32), tf.placeholder(tf.float32, [None])
    z = concat([x, y, x], 0)
    gradients = tf.gradients(z * z, [x, y])
    with tf.Session() as session:
        by_x, by_y = session.run(gradients, {x: [1.0, 2.0], y: [3.0]})
    np.testing.assert_array_equal(by_x, [4.0, 8.0])
    np.testing.assert_array_equal(by_y, [6.0])


def test_split_evenly_and_by_sizes() -> None:
    x = tf.constant(MATRIX)
    assert [part.shape.as_list() for part in split(x, 3, axis=1)] == [[2, 1]] * 3
    assert [part.shape.as_list() for part in split(x, [1, -1], 1)] == [[2, 1], [2, 2]]
    with pytest.raises(ValueError, match="size 3 of axis 1 does not divide into 2 parts"):
        split(x, 2, axis=1)
    with pytest.raises(ValueError, match=r"sizes \(1, 1\) do not add up to size 3"):
        split(x, [1, 1], axis=1)


def test_what_does_not_fit_together() -> None:
    x = tf.constant(MATRIX)
    with pytest.raises(ValueError, match=r"shapes \(2, 3\) and \(3,\) are not compatible"):
        stack([x, x[0]])
    with pytest.raises(ValueError, match="same rank"):
        concat([x, x[0]], 0)
    with pytest.raises(ValueError, match="at least one tensor"):
        concat([], 0)
    with pytest.raises(TypeError, match=r"stack takes a list of tensors \(got 3\)"):
        stack(3)
    with pytest.raises(ValueError, match="cannot infer num"):
        unstack(tf.placeholder(tf.float32, [None]))


@pytest.mark.parametrize("mode", ["CONSTANT", "REFLECT", "SYMMETRIC"])
def test_pad_agrees_with_numpy(mode: str) -> None:
    paddings = [[1, 0], [2, 1]]
    found = pad(tf.constant(MATRIX), paddings, mode)
    np.testing.assert_array_equal(found.numpy(), np.pad(MATRIX, paddings, mode.lower()))


def test_pad_with_a_value_and_with_unknown_sizes() -> None:
    x = tf.placeholder(tf.float32, [None, None])
    y = pad(x, tf.constant([[1, 0], [0, 2]]), constant_values=9.0)
    (gradient,) = tf.gradients(y * y, x)
    with tf.Session() as session:
        value, slope = session.run([y, gradient], {x: MATRIX})
    np.testing.assert_array_equal(value, np.pad(MATRIX, [[1, 0], [0, 2]], constant_values=9))
    np.testing.assert_array_equal(slope, 2 * MATRIX)


def test_paddings_that_do_not_fit() -> None:
    x = tf.constant(MATRIX)
    with pytest.raises(ValueError, match="one pair per axis"):
        pad(x, [[1, 1]])
    with pytest.raises(TypeError, match=r"a list of pairs, one per axis \(got 1\)"):
        pad(x, 1)
    with pytest.raises(ValueError, match="a pair of numbers"):
        pad(x, [[1, -1], [0, 0]])
    with pytest.raises(ValueError, match="unknown padding mode 'EDGE'"):
        pad(x, [[1, 1], [0, 0]], "EDGE")
    with pytest.raises(ValueError, match="wider than the mirror image of size 2 allows"):
        pad(x, [[2, 0], [0, 0]], "REFLECT")


def test_orders_of_axes_and_elements() -> None:
    cube = np.arange(24.0).reshape(2, 3, 4)
    x = tf.constant(cube)
    np.testing.assert_array_equal(transpose(x).numpy(), cube.T)
    np.testing.assert_array_equal(transpose(x, [1, 0, -1]).numpy(), cube.transpose(1, 0, 2))
    np.testing.assert_array_equal(matrix_transpose(x).numpy(), cube.swapaxes(1, 2))
    np.testing.assert_array_equal(reverse(x, [0, -1]).numpy(), cube[::-1, :, ::-1])
    c = tf.constant([[1 + 2j, 3.0]])
    np.testing.assert_array_equal(adjoint(c).numpy(), [[1 - 2j], [3.0]])
    with pytest.raises(ValueError, match="does not name every axis"):
        transpose(x, [0, 0, 1])


def test_diagonals() -> None:
    x = tf.constant(np.arange(9.0).reshape(3, 3))
    assert trace(x).numpy() == 12.0
    np.testing.assert_array_equal(tf.gradients(trace(x), x)[0].numpy(), np.eye(3))
    np.testing.assert_array_equal(diag_part(x).numpy(), [0.0, 4.0, 8.0])
    np.testing.assert_array_equal(diag(tf.constant([1.0, 2.0])).numpy(), [[1, 0], [0, 2]])
