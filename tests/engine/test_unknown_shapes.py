"""Gradients do not depend on how much of the shapes is known before the run."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import engine as tf

SHAPES: list[tuple[int, ...]] = [(), (1,), (3,), (1, 3), (2, 1), (2, 3)]
OPS = ["AddV2", "Sub", "Mul", "Maximum", "SquaredDifference"]
STEPS = st.lists(
    st.tuples(st.sampled_from([*OPS, "Sum", "Tanh"]), st.integers(0, 20), st.integers(0, 20)),
    min_size=1,
    max_size=6,
)


def build(inputs: list[tf.Tensor], steps: list[tuple[str, int, int]]) -> tf.Tensor:
    tensors = list(inputs)
    create = inputs[0].graph.create_op
    for op_type, left, right in steps:
        a, b = tensors[left % len(tensors)], tensors[right % len(tensors)]
        if op_type == "Sum":
            op = create("Sum", [a], {"axis": None, "keepdims": bool(right % 2)})
        elif op_type == "Tanh":
            op = create("Tanh", [a])
        else:
            op = create(op_type, [a, b])
        tensors.append(op.outputs[0])
    return tf.reduce_sum(tensors[-1])


def hidden(shape: tuple[int, ...], how: str) -> Any:
    if how == "rank":
        return None
    return [None] * len(shape) if how == "sizes" else list(shape)


@given(st.lists(st.sampled_from(SHAPES), min_size=1, max_size=3), STEPS, st.integers(0, 1000))
def test_known_and_unknown_shapes_agree_with_differences(
    shapes: list[tuple[int, ...]], steps: list[tuple[str, int, int]], seed: int
) -> None:
    rng = np.random.default_rng(seed)
    arrays = [rng.uniform(0.5, 1.5, shape) for shape in shapes]
    found = {}
    for how in ("nothing", "sizes", "rank"):
        with tf.Graph().as_default():
            xs = [tf.placeholder("float64", hidden(shape, how)) for shape in shapes]
            y = build(xs, steps)
            grads = tf.gradients(y, xs, unconnected_gradients="zero")
            feeds = dict(zip(xs, arrays, strict=True))
            session = tf.Session()
            found[how] = session.run(grads, feeds)
            if how == "nothing":
                numeric = [differences(session, y, feeds, x) for x in xs]
    for how, grads in found.items():
        for gradient, reference, shape in zip(grads, numeric, shapes, strict=True):
            assert np.shape(gradient) == shape, how
            np.testing.assert_allclose(gradient, reference, rtol=1e-5, atol=1e-5, err_msg=how)


def differences(session: tf.Session, y: tf.Tensor, feeds: dict[Any, Any], x: tf.Tensor) -> Any:
    """Return the gradient of y by central differences."""
    delta = 1e-6
    result = np.zeros(np.shape(feeds[x]))
    for index in np.ndindex(result.shape):
        sides = []
        for sign in (1, -1):
            moved = np.array(feeds[x])
            moved[index] += sign * delta
            sides.append(session.run(y, {**feeds, x: moved}))
        result[index] = (sides[0] - sides[1]) / (2 * delta)
    return result


@pytest.mark.parametrize("how", ["nothing", "sizes", "rank"])
def test_a_second_derivative(how: str) -> None:
    # y = sum (a b)^2, a [2, 1], b [3]: d2y/da2 applied to ones is 2 sum b^2
    a = tf.placeholder("float64", hidden((2, 1), how))
    b = tf.placeholder("float64", hidden((3,), how))
    y = tf.reduce_sum(tf.square(a * b))
    (first,) = tf.gradients(y, a)
    (second,) = tf.gradients(first, a)
    (mixed,) = tf.gradients(first, b)
    feeds = {a: [[1.0], [2.0]], b: [1.0, 2.0, 3.0]}
    found = tf.Session().run([first, second, mixed], feeds)
    np.testing.assert_allclose(found[0], [[28], [56]])
    np.testing.assert_allclose(found[1], [[28], [28]])
    np.testing.assert_allclose(found[2], [12, 24, 36])


def test_equal_static_shapes_need_no_unbroadcasting(graph: tf.Graph) -> None:
    x, y = tf.constant([1.0, 2.0]), tf.constant([3.0, 4.0])
    tf.gradients(x * y, [x, y])
    assert not any(op.role == "unbroadcast" for op in graph.operations)


def test_static_shapes_need_at_most_a_sum_and_a_reshape(graph: tf.Graph) -> None:
    x, y = tf.constant([[1.0], [2.0]]), tf.constant(np.ones((4, 2, 3), np.float32))
    (gradient,) = tf.gradients(x * y, x)
    added = [op.type for op in graph.operations if op.role == "unbroadcast"]
    assert added == ["Sum", "Reshape"]
    assert gradient.shape == (2, 1)
    assert gradient.numpy().tolist() == [[12], [12]]


def test_unknown_shapes_need_one_operation_at_run_time(graph: tf.Graph) -> None:
    x, y = tf.placeholder("float32", [None]), tf.placeholder("float32", [None])
    (gradient,) = tf.gradients(x * y, x)
    added = [op.type for op in graph.operations if op.role == "unbroadcast"]
    assert added == ["SumToShapeOf"]
    feeds = {x: [2.0], y: [1.0, 2.0, 3.0]}
    assert tf.Session().run(gradient, feeds).tolist() == [6]
