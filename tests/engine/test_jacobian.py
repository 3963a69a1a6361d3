"""Jacobians of tensors, with and without known shapes."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

import engine as tf
from engine.graph import Graph
from engine.jacobian import build_batch_jacobian, jacobian
from engine.plan import evaluate


@pytest.fixture(autouse=True)
def graph() -> Iterator[Graph]:
    with Graph().as_default() as graph:
        yield graph


def test_a_product_of_matrices() -> None:
    a = np.arange(6.0).reshape(2, 3)
    x = tf.constant(np.arange(12.0).reshape(3, 4))
    got = jacobian(tf.matmul(a, x), x).numpy()
    expected = np.einsum("ij,kl->ikjl", a, np.eye(4))  # dy_ik/dx_jl = a_ij δ_kl
    np.testing.assert_allclose(got, expected, rtol=1e-12)


def test_a_scalar_has_a_jacobian_of_the_shape_of_x() -> None:
    x = tf.Variable([1.0, 2.0])
    np.testing.assert_array_equal(jacobian(x[0] * x[1], x).numpy(), [2.0, 1.0])


def test_the_structure_of_xs_and_what_is_not_connected() -> None:
    x, w = tf.constant([1.0, 2.0]), tf.constant([3.0])
    got = jacobian(x * x, {"x": x, "w": [w]})
    np.testing.assert_array_equal(got["x"].numpy(), [[2.0, 0.0], [0.0, 4.0]])
    assert got["w"] == [None]
    zeros = jacobian(x * x, w, unconnected_gradients="zero")
    np.testing.assert_array_equal(zeros.numpy(), [[0.0], [0.0]])


def test_an_empty_target_has_an_empty_jacobian() -> None:
    x = tf.constant(np.ones((0, 3)))
    assert jacobian(x * x, x).numpy().shape == (0, 3, 0, 3)


def test_rows_of_a_gather_become_dense() -> None:
    x = tf.constant([1.0, 2.0, 3.0])
    got = jacobian(tf.gather(x, [2, 2]), x).numpy()
    np.testing.assert_array_equal(got, [[0.0, 0.0, 1.0], [0.0, 0.0, 1.0]])


def test_text_and_booleans_have_no_jacobian() -> None:
    x = tf.constant(1.0)
    assert jacobian(x > 0.0, x) is None


def test_one_size_of_x_may_be_unknown() -> None:
    x = tf.placeholder(tf.float64, [None])
    y = tf.stack([[tf.reduce_sum(x), tf.reduce_sum(x * x)]])
    got = evaluate([jacobian(y, x)], {x: [1.0, 2.0, 3.0]})[0]
    np.testing.assert_array_equal(got, [[[1.0, 1.0, 1.0], [2.0, 4.0, 6.0]]])


def test_the_target_must_be_of_known_shape() -> None:
    x = tf.placeholder(tf.float32, [None])
    with pytest.raises(ValueError, match="a Jacobian needs a target of known shape"):
        jacobian(x * x, x)


def test_operations_stand_in_one_scope(graph: Graph) -> None:
    x = tf.constant([1.0, 2.0])
    first = graph.size_in_operations
    jacobian(x * x, x)
    added = [op for op in graph.operations_since(first) if "/" in op.name]
    assert {op.name.split("/")[0] for op in added} == {"jacobian"}
    assert all(op.role for op in added)


def test_a_batch_of_unknown_size() -> None:
    x = tf.placeholder(tf.float64, [None, 2])
    y = tf.stack([x[:, 0] * x[:, 1], x[:, 0]], axis=1)
    batch = build_batch_jacobian(y, x, None)
    assert batch.dims == (None, 2, 2)
    got = evaluate([batch], {x: [[2.0, 3.0], [4.0, 5.0], [6.0, 7.0]]})[0]
    expected = [[[b, a], [1.0, 0.0]] for a, b in [(2.0, 3.0), (4.0, 5.0), (6.0, 7.0)]]
    np.testing.assert_array_equal(got, expected)


def test_examples_of_a_batch_that_mix_are_added() -> None:
    x = tf.constant([[1.0, 2.0], [3.0, 4.0]])
    y = x + tf.reduce_sum(x * x, axis=0, keepdims=True)
    got = build_batch_jacobian(y, x, None).numpy()
    # t[i, j, k] = Σ_b dy[b, j]/dx[i, k] = δ_jk (1 + 2 · 2 x[i, k])
    expected = [np.diag(1.0 + 4.0 * row) for row in x.numpy()]
    np.testing.assert_array_equal(got, expected)


def test_a_batch_without_dependence_or_without_columns_is_zero() -> None:
    x, w = tf.constant(np.ones((2, 3))), tf.constant(np.ones((2, 1)))
    np.testing.assert_array_equal(build_batch_jacobian(w * w, x, None).numpy(), np.zeros((2, 1, 3)))
    empty = tf.constant(np.ones((1, 0)))
    assert build_batch_jacobian(empty * empty, empty, None).numpy().shape == (1, 0, 0)


@pytest.mark.parametrize(
    ("target", "source", "message"),
    [
        ((3,), (3, 1), r"Shape \(3,\) must have rank at least 2"),
        ((3, 1), (3,), r"Shape \(3,\) must have rank at least 2"),
        ((3, 1), (2, 2), "Need first dimension of target shape"),
        ((None, None), (None, 2), "all sizes but the first"),
    ],
)
def test_shapes_that_are_no_batches(target: object, source: object, message: str) -> None:
    y, x = tf.placeholder(tf.float32, target), tf.placeholder(tf.float32, source)
    with pytest.raises(ValueError, match=message):
        build_batch_jacobian(y, x, None)


def _perceptron(graph: Graph) -> tuple[tf.Tensor, list[tf.Tensor]]:
    draw = np.random.default_rng(0)
    x, v = (tf.constant(draw.normal(size=shape)) for shape in [(1, 3), (3, 4)])
    w = tf.constant(draw.normal(size=(4, 5)))
    return tf.tanh(tf.matmul(tf.tanh(tf.matmul(x, v)), w)), [x, v]


def test_one_pass_serves_all_rows(graph: Graph) -> None:
    y, xs = _perceptron(graph)
    first = graph.size_in_operations
    got = jacobian(y, xs)
    assert len([op for op in graph.operations_since(first) if op.type == "BatchMatMulV2"]) == 3
    assert graph.backwards == []
    assert all(op.forward_op is None or op.forward_op.graph is graph for op in graph.operations)
    hidden = np.tanh(xs[0].numpy() @ xs[1].numpy())
    w = next(op.inputs[1].numpy() for op in graph.operations if op.outputs[0].dims == (1, 5))
    by_hidden = (1 - y.numpy().T ** 2) * w.T  # dy_j/dh_k
    expected = (by_hidden * (1 - hidden**2)) @ xs[1].numpy().T
    np.testing.assert_allclose(got[0].numpy()[0, :, 0, :], expected, rtol=1e-12)


def test_it_can_be_differentiated_again_inside_a_tape() -> None:
    x = tf.constant([1.0, 2.0, 3.0], tf.float64)
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = tf.stack([x[0] * x[1] ** 2.0, tf.sin(x[2])])
        first = inner.jacobian(y, x)
    second = outer.jacobian(first, x).numpy()
    expected = np.zeros((2, 3, 3))
    expected[0, 0, 1] = expected[0, 1, 0] = 2 * 2.0
    expected[0, 1, 1] = 2 * 1.0
    expected[1, 2, 2] = -np.sin(3.0)
    np.testing.assert_allclose(second, expected, rtol=1e-12)


def test_a_gradient_function_tied_to_its_graph_is_used_once_per_row(graph: Graph) -> None:
    x, scale = tf.constant([1.0, 2.0]), tf.constant([5.0, 7.0])

    @tf.custom_gradient
    def scaled(value: tf.Tensor) -> object:
        return value * 1.0, lambda upstream: upstream * scale

    np.testing.assert_array_equal(jacobian(scaled(x), x).numpy(), np.diag([5.0, 7.0]))
    assert [record.kind for record in graph.backwards] == ["inner"] * 2


def test_a_variable_read_twice_and_a_gradient_without_the_seed() -> None:
    v = tf.Variable([1.0, 2.0])
    got = jacobian(v * v + tf.zeros_like(v), v).numpy()
    np.testing.assert_array_equal(got, np.diag([2.0, 4.0]))
