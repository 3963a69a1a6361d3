"""Second derivatives as matrices, and their product with a vector."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

import engine as tf
from engine.graph import Graph
from engine.hessians import hessian_vector_product, hessians


@pytest.fixture(autouse=True)
def graph() -> Iterator[Graph]:
    with Graph().as_default() as graph:
        yield graph


def test_half_the_square_of_a_vector_has_the_identity(graph: Graph) -> None:
    x = tf.constant([1.0, 2.0, 3.0])
    got = hessians(0.5 * tf.reduce_sum(x * x), x)
    np.testing.assert_array_equal(got[0].numpy(), np.eye(3))
    assert [record.kind for record in graph.backwards] == ["hessians"]
    assert graph.backwards[0].xs == (x,)


def test_a_quadratic_form_has_the_symmetric_part_twice() -> None:
    a = np.array([[2.0, 0.5, -1.0], [0.3, 1.5, 0.7], [-0.2, 0.4, 1.1]])
    x = tf.constant(np.array([[0.7], [1.4], [-0.9]]))
    y = tf.matmul(tf.matmul(x, a, transpose_a=True), x)
    got = hessians(y, [x])[0].numpy()
    np.testing.assert_allclose(got[:, 0, :, 0], a + a.T, rtol=1e-12)


def test_a_matrix_x_keeps_its_axes() -> None:
    x = tf.Variable(np.arange(6.0).reshape(2, 3))
    got = hessians(0.5 * tf.reduce_sum(tf.matmul(x, x, transpose_a=True)), x)[0].numpy()
    # y = ½ Σ_i (Σ_j x_ij)², so d²y/dx_ij dx_kl = δ_ik
    np.testing.assert_allclose(got, np.einsum("ik,jl->ijkl", np.eye(2), np.ones((3, 3))))


def test_several_ys_are_summed_and_each_x_has_its_own_block() -> None:
    x, w = tf.constant(2.0), tf.constant([3.0, 4.0])
    got = hessians([x * x * x, x * w * w], [x, w])
    assert got[0].numpy() == 12.0
    np.testing.assert_array_equal(got[1].numpy(), [[4.0, 0.0], [0.0, 4.0]])


def test_rows_of_a_gather_are_differentiated_again() -> None:
    x = tf.constant([1.0, 2.0, 3.0])
    got = hessians(tf.reduce_sum(tf.gather(x, [1, 1]) ** 3.0), x)[0].numpy()
    np.testing.assert_array_equal(got, np.diag([0.0, 24.0, 0.0]))


def test_placeholders_of_known_shape() -> None:
    x = tf.placeholder(tf.float64, [2])
    matrix = hessians(tf.reduce_sum(tf.exp(x)), x)[0]
    with tf.Session() as session:
        got = session.run(matrix, {x: [0.0, 1.0]})
    np.testing.assert_allclose(got, np.diag([1.0, np.e]))


def test_a_linear_or_unconnected_function_has_none() -> None:
    x = tf.constant([1.0, 2.0])
    with pytest.raises(ValueError, match=r"None values not supported.*linear"):
        hessians(tf.reduce_sum(3.0 * x), x)
    with pytest.raises(ValueError, match="None values not supported: no y depends on"):
        hessians(tf.constant(1.0), x)


def test_an_x_of_unknown_shape_is_refused() -> None:
    x = tf.placeholder(tf.float32, [None])
    with pytest.raises(ValueError, match="needs a target of known shape"):
        hessians(tf.reduce_sum(x * x), x)


def test_there_is_no_stop_gradients_argument() -> None:
    with pytest.raises(TypeError, match="stop_gradients"):
        hessians(tf.constant(1.0), [], stop_gradients=[])  # type: ignore[call-arg]


def test_the_product_with_a_vector() -> None:
    a = np.array([[2.0, 0.5], [0.3, 1.5]])
    x, v = tf.constant(np.array([[0.7], [1.4]])), np.array([[3.0], [-1.0]])
    y = tf.matmul(tf.matmul(x, a, transpose_a=True), x)
    np.testing.assert_allclose(hessian_vector_product(y, [x], [v])[0].numpy(), (a + a.T) @ v)


def test_the_vector_is_a_constant_and_mixed_derivatives_count() -> None:
    x, w = tf.constant(2.0), tf.constant(3.0)
    got = hessian_vector_product(x * x * w, [x, w], [x, 10.0])
    # H = [[2w, 2x], [2x, 0]] times (2, 10)
    assert [entry.numpy() for entry in got] == [6.0 * 2 + 4.0 * 10, 4.0 * 2]


def test_one_vector_per_x() -> None:
    x = tf.constant(2.0)
    with pytest.raises(ValueError, match="xs and v must have the same length"):
        hessian_vector_product(x * x, [x], [])
