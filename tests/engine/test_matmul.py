"""Which product op is chosen, flags, broadcasting, contraction over any axes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import engine as tf
from engine.ops.matmul import matmul, matvec
from engine.ops.tensordot import tensordot

RNG = np.random.default_rng(3)
A = RNG.normal(size=(2, 3))
B = RNG.normal(size=(3, 4))


@pytest.fixture(autouse=True)
def _own_graph() -> Any:
    with tf.Graph().as_default():
        yield


@pytest.mark.parametrize("flip_a", [False, True])
@pytest.mark.parametrize("flip_b", [False, True])
def test_transposes(flip_a: bool, flip_b: bool) -> None:
    a, b = (A.T if flip_a else A), (B.T if flip_b else B)
    product = matmul(tf.constant(a), tf.constant(b), flip_a, flip_b)
    assert product.op.type == "MatMul"
    assert product.op.name == "MatMul"
    np.testing.assert_allclose(product.numpy(), A @ B)


def test_the_adjoint_conjugates_and_the_transpose_does_not() -> None:
    c = A + 1j * A[::-1]
    x, y = tf.constant(c.T), tf.constant(B.astype(np.complex128))
    np.testing.assert_allclose(matmul(x, y, transpose_a=True).numpy(), c @ B)
    np.testing.assert_allclose(matmul(x, y, adjoint_a=True).numpy(), c.conj() @ B)
    stack = tf.constant(np.stack([c.T, 2 * c.T]))
    np.testing.assert_allclose(matmul(stack, y, transpose_a=True).numpy()[1], 2 * c @ B)
    np.testing.assert_allclose(matmul(stack, y, adjoint_a=True).numpy()[1], 2 * c.conj() @ B)


def test_stacks_of_matrices_broadcast() -> None:
    stack = RNG.normal(size=(5, 1, 2, 3))
    product = matmul(tf.constant(stack), tf.constant(np.stack([B, -B])))
    assert product.op.type == "BatchMatMulV2"
    assert product.shape == (5, 2, 2, 4)
    np.testing.assert_allclose(product.numpy(), stack @ np.stack([B, -B]))


def test_the_operator_is_the_function() -> None:
    product = tf.constant(A) @ B
    assert product.op.name == "matmul"
    np.testing.assert_allclose(product.numpy(), A @ B)
    np.testing.assert_allclose((A @ tf.constant(B)).numpy(), A @ B)


def test_unknown_ranks() -> None:
    x, y = tf.placeholder(tf.float64), tf.placeholder(tf.float64)
    gradients = tf.gradients(matmul(x, y), [x, y])
    with tf.Session() as session:
        by_x, by_y = session.run(gradients, {x: np.stack([A, A]), y: B})
    np.testing.assert_allclose(by_x, np.broadcast_to(B.sum(1), (2, 2, 3)))
    np.testing.assert_allclose(by_y, np.repeat(2 * A.sum(0)[:, None], 4, 1))


def test_only_the_wanted_gradient_is_built() -> None:
    x, w = tf.placeholder(tf.float64, [2, 3]), tf.placeholder(tf.float64, [3, 4])
    y = matmul(x, w)
    before = len(tf.get_default_graph().operations)
    (gradient,) = tf.gradients(y, w)
    added = tf.get_default_graph().operations[before:]
    assert [op.type for op in added if op.type == "MatMul"] == ["MatMul"]
    assert gradient.op.attrs["transpose_a"]
    assert not gradient.op.attrs["transpose_b"]


def test_matvec() -> None:
    found = matvec(tf.constant(np.stack([A, -A])), tf.constant(B[:, 0]))
    np.testing.assert_allclose(found.numpy(), np.stack([A @ B[:, 0], -A @ B[:, 0]]))


@pytest.mark.parametrize(
    ("axes", "shape"),
    [(0, (2, 2)), (1, (4, 3)), (2, (3, 4, 2)), ([[1], [0]], (3, 2)), ([[2, 0], [1, 0]], (2, 4))],
    ids=str,
)
def test_tensordot_agrees_with_numpy(axes: Any, shape: tuple[int, ...]) -> None:
    a, b = RNG.normal(size=(2, 3, 4)), RNG.normal(size=shape)
    known = tensordot(tf.constant(a), tf.constant(b), axes)
    np.testing.assert_allclose(known.numpy(), np.tensordot(a, b, axes))
    assert known.shape == np.tensordot(a, b, axes).shape
    x = tf.placeholder(tf.float64, [None] * 3)
    y = tf.placeholder(tf.float64, [None] * len(shape))
    unknown = tensordot(x, y, axes)
    with tf.Session() as session:
        value = session.run(unknown, {x: a, y: b})
    np.testing.assert_allclose(value, np.tensordot(a, b, axes))


def test_what_does_not_fit_is_refused() -> None:
    a, b = tf.constant(A), tf.constant(B)
    with pytest.raises(ValueError, match="inner sizes 3 and 2 differ"):
        matmul(a, a)
    with pytest.raises(ValueError, match="only one of transpose_a and adjoint_a"):
        matmul(a, b, transpose_a=True, adjoint_a=True)
    with pytest.raises(ValueError, match=r"at least 2 axes, one is of shape \(3,\)"):
        matmul(a, [1.0, 2.0, 3.0])
    with pytest.raises(TypeError, match="does not match"):
        matmul(a, tf.constant([[1.0], [2.0], [3.0]]))
    with pytest.raises(ValueError, match="sizes must be equal or 1 to broadcast"):
        matmul(tf.zeros([2, 2, 3]), tf.zeros([3, 3, 1]))
    with pytest.raises(ValueError, match="axis 1 has size 3 and axis 1 has size 4"):
        tensordot(a, b, [[1], [1]])
    with pytest.raises(ValueError, match="axes must lie between 0 and 2"):
        tensordot(a, b, 3)
