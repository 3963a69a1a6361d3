"""What each y starts with."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import engine as tf
from engine.errors import ArgumentError, DTypeError


def test_ones_of_the_shape_and_type_of_y(graph: tf.Graph) -> None:
    for name in ("float16", "float64", "int32", "bool"):
        y = tf.cast(tf.constant([[1.0, 0.0]]), name)
        (gradient,) = tf.gradients(y, y)
        assert gradient.dtype.name == name
        assert gradient.numpy().tolist() == [[1, 1]]
    (seed,) = graph.backwards[-1].seeds
    assert seed.op.type == "Fill"
    assert seed.op.name == "gradients_3/grad_ys_0"
    assert seed.op.role == "seed"


def test_ones_of_a_shape_known_only_at_run_time() -> None:
    y = tf.placeholder("float32", [None, 2])
    (gradient,) = tf.gradients(y * 3.0, y)
    with tf.Session() as session:
        found = session.run(gradient, {y: [[1, 2], [3, 4], [5, 6]]})
    assert found.tolist() == [[3, 3]] * 3


def test_given_seeds_weigh_the_ys() -> None:
    x = tf.constant(3.0)
    ys = [x * x, 2.0 * x]
    assert tf.gradients(ys, x, grad_ys=[10.0, 100.0])[0].numpy() == 60 + 200
    assert tf.gradients(ys, x, grad_ys=[None, 100.0])[0].numpy() == 6 + 200
    assert tf.gradients(ys[0], x, grad_ys=10.0)[0].numpy() == 60
    assert tf.gradients(ys[0], x, tf.constant(10.0))[0].numpy() == 60


def test_a_given_seed_is_copied_under_its_name(graph: tf.Graph) -> None:
    x, seed = tf.constant(3.0), tf.constant(5.0)
    (gradient,) = tf.gradients(x, x, grad_ys=seed)
    assert gradient.op.type == "Identity"
    assert gradient.op.name == "gradients/grad_ys_0"
    assert gradient.op.inputs == (seed,)


@pytest.mark.parametrize(("count", "ys"), [(2, 1), (1, 2), (0, 1)])
def test_one_seed_per_y(count: int, ys: int) -> None:
    x = tf.constant(3.0)
    message = f"Length mismatch. Passed {count} grad_ys for {ys} ys"
    with pytest.raises(ArgumentError, match=message):
        tf.gradients([x] * ys, x, grad_ys=[1.0] * count)


@pytest.mark.parametrize(
    ("y", "seed", "message"),
    [
        ("float32", 1j, "Gradient type complex128 given for y y:0 of type float32 must be real"),
        ("int32", True, "Gradient type bool given for y y:0 of type int32 must be real"),
        ("complex64", np.float32(1), "type float32 given for y y:0 of type complex64 .* complex"),
        ("bool", 1.0, "y y:0 of type bool must be numeric to obtain a default gradient"),
    ],
)
def test_the_type_of_a_seed_must_fit(y: str, seed: Any, message: str) -> None:
    tensor = tf.identity(tf.cast(tf.constant(1), y), name="y")
    with pytest.raises(DTypeError, match=message):
        tf.gradients(tensor, tensor, grad_ys=tf.constant(seed))


def test_a_complex_y_needs_a_seed() -> None:
    y = tf.constant(1 + 2j, name="y")
    message = r"Gradients of complex tensors \(y:0\) must set grad_ys \(y.dtype = complex128\)"
    with pytest.raises(DTypeError, match=message):
        tf.gradients(y, y)
    assert tf.gradients(y * y, y, grad_ys=tf.constant(1 + 0j))[0].numpy() == 2 - 4j


def test_a_text_has_no_gradient() -> None:
    y = tf.constant("word", name="y")
    with pytest.raises(TypeError, match="y y:0 holds strings, which have no gradient"):
        tf.gradients(y, y)


def test_a_seed_of_another_real_type_fails_where_it_meets_y() -> None:
    x = tf.constant([3.0])
    with pytest.raises(DTypeError, match=r"Mul: input 1 has type float32 .* match type int32"):
        tf.gradients(x * x, x, grad_ys=tf.constant([1]))
    assert tf.gradients(x, x, grad_ys=tf.constant([1]))[0].dtype is tf.int32


def test_the_shape_of_a_seed_is_checked_where_it_arrives() -> None:
    x = tf.constant([3.0, 4.0])
    assert tf.gradients(x, x, grad_ys=10.0)[0].shape == ()
    assert tf.gradients(tf.square(x), x, grad_ys=10.0)[0].numpy().tolist() == [60, 80]
    with pytest.raises(
        ValueError,
        match=r"Forward operation: same. Input index: 0. Original input shape: \(2,\). Calculated "
        r"input gradient shape: \(\)",
    ):
        tf.gradients(tf.identity(x, name="same"), x, grad_ys=10.0)


def test_indexed_slices_pass_through_identity() -> None:
    x = tf.constant([[1.0, 2.0], [3.0, 4.0]])
    seed = tf.IndexedSlices(tf.constant([[5.0, 6.0]]), tf.constant([1]))
    (gradient,) = tf.gradients(tf.identity(x), x, grad_ys=[seed])
    assert isinstance(gradient, tf.IndexedSlices)
    assert gradient.values.op.name == "gradients/grad_ys_0_values"
    assert gradient.indices.op.name == "gradients/grad_ys_0_indices"
    assert gradient.values.numpy().tolist() == [[5, 6]]
    assert gradient.dense_shape is None
