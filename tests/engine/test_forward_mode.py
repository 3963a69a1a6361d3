"""Derivatives along a direction: against backward passes, and against numbers found by hand."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

import engine as tf
from engine.forward_mode import jvp, vjp
from engine.gradients import build_backward
from engine.graph import Graph
from engine.plan import evaluate
from tests.sample_tables import Sample
from tests.samples import SAMPLES


@pytest.fixture(autouse=True)
def graph() -> Iterator[Graph]:
    with Graph().as_default() as graph:
        yield graph


CASES = [
    pytest.param(op_type, sample, id=f"{op_type}-{number}")
    for op_type, samples in SAMPLES.items()
    for number, sample in enumerate(samples)
    if sample.sources
]


def _drawn(draw: np.random.Generator, like: np.ndarray) -> np.ndarray:
    drawn = draw.normal(size=like.shape).astype(like.dtype)
    return drawn * (1 - 2j) if np.iscomplexobj(like) else drawn


def _inner(first: np.ndarray, second: np.ndarray) -> float:
    return float(np.sum(np.conj(first) * second).real)


@pytest.mark.parametrize(("op_type", "sample"), CASES)
def test_both_modes_are_adjoint_to_each_other(op_type: str, sample: Sample, graph: Graph) -> None:
    inputs = [tf.constant(np.asarray(value)) for value in sample.inputs]
    op = graph.create_op(op_type, inputs, sample.attrs)
    xs = [inputs[slot] for slot in sample.sources]
    draw = np.random.default_rng(0)
    directions = [_drawn(draw, x.numpy()) for x in xs]
    for y in (output for output in op.outputs if output.dtype.is_trainable):
        seed = _drawn(draw, np.asarray(y.numpy()))
        gradients = build_backward([y], xs, [seed]).results
        tangent = jvp(y, xs, directions)
        if all(gradient is None for gradient in gradients):
            assert tangent is None
            continue
        backward = sum(
            _inner(np.asarray(gradient.as_tensor().numpy()), direction)
            for gradient, direction in zip(gradients, directions, strict=True)
            if gradient is not None
        )
        if tangent is None:  # linear rules that give constants
            assert backward == 0
            continue
        assert np.shape(tangent.numpy()) == np.shape(y.numpy())
        assert _inner(seed, np.asarray(tangent.numpy())) == pytest.approx(backward, abs=1e-12)


def test_only_the_forward_sweep_stands_in_the_graph(graph: Graph) -> None:
    x = tf.constant([1.0, 2.0])
    y = tf.sin(x) * 3.0
    direction = tf.constant([1.0, -1.0])
    first = graph.size_in_operations
    got = jvp(y, x, direction)
    added = graph.operations_since(first)
    assert [op.type for op in added] == ["Cos", "Mul", "Mul"]
    assert {op.forward_op.type for op in added if op.forward_op} == {"Sin", "Mul"}
    np.testing.assert_allclose(got.numpy(), 3 * np.cos([1.0, 2.0]) * [1.0, -1.0], rtol=1e-6)
    assert graph.backwards == []


def test_structures_of_ys_xs_and_tangents() -> None:
    x, w = tf.constant(2.0), tf.Variable([3.0, 5.0])
    got = jvp({"a": x * w, "b": [x * x, tf.constant(1.0)]}, [x, w], [10.0, [1.0, 2.0]])
    # d(x w) = w dx + x dw
    assert got["a"].numpy().tolist() == [30.0 + 2.0, 50.0 + 4.0]
    assert got["b"][0].numpy() == 2 * 2.0 * 10.0
    assert got["b"][1] is None


def test_one_x_above_another_and_a_y_that_is_an_x() -> None:
    x = tf.constant(3.0)
    square = x * x
    assert jvp(square, [x, square], [1.0, 10.0]).numpy() == 2 * 3.0 + 10.0
    assert jvp(x, x, 7.0).numpy() == 7.0


def test_integers_and_stops_pass_nothing_on() -> None:
    x = tf.constant(3.0)
    assert jvp(tf.cast(x, tf.int32), x, 1.0) is None
    assert jvp(tf.stop_gradient(x), x, 1.0) is None
    assert jvp(x * tf.stop_gradient(x), x, 1.0).numpy() == 3.0


def test_a_complex_function_and_one_that_is_not_holomorphic() -> None:
    z, t = tf.constant(1 + 2j, tf.complex128), 0.5 - 1j
    assert jvp(z * z * z, z, t).numpy() == pytest.approx(3 * (1 + 2j) ** 2 * t)
    assert jvp(tf.math.conj(z) * z, z, t).numpy() == pytest.approx(2 * (np.conj(1 + 2j) * t).real)
    assert jvp(tf.math.real(z), z, t).numpy() == 0.5


def test_placeholders_and_unknown_shapes() -> None:
    x, t = tf.placeholder(tf.float64, [None]), tf.placeholder(tf.float64, [None])
    got = jvp(tf.reduce_sum(x * x), x, t)
    assert evaluate([got], {x: [1.0, 2.0], t: [3.0, 5.0]})[0] == 2 * 3.0 + 4 * 5.0


def test_a_gradient_function_tied_to_its_graph() -> None:
    x, scale = tf.constant(2.0), tf.constant(5.0)

    @tf.custom_gradient
    def scaled(value: tf.Tensor) -> object:
        return value * 1.0, lambda upstream: upstream * scale

    assert jvp(scaled(x) * x, x, 1.0).numpy() == 5.0 * 2.0 + 2.0


def test_forward_over_forward_and_over_reverse() -> None:
    x = tf.constant(2.0)
    first = jvp(x**4.0, x, 1.0)
    assert jvp(first, x, 1.0).numpy() == pytest.approx(12 * 2.0**2)
    gradient = tf.gradients(x**4.0, x)[0]
    assert jvp(gradient, x, 3.0).numpy() == pytest.approx(3 * 12 * 2.0**2)


def test_many_inputs_and_one_output_against_the_full_jacobian() -> None:
    draw = np.random.default_rng(1)
    a, x, t = (draw.normal(size=shape) for shape in [(4, 3), (3, 2), (3, 2)])
    source = tf.constant(x)
    got = jvp(tf.tanh(tf.matmul(a, source)), source, t).numpy()
    np.testing.assert_allclose(got, (1 - np.tanh(a @ x) ** 2) * (a @ t), rtol=1e-12)


def test_gradients_for_given_gradients() -> None:
    x, w = tf.constant([1.0, 2.0]), tf.constant(3.0)
    got = vjp([x * w, x[0]], {"x": x, "w": w}, [[1.0, 10.0], 100.0])
    assert got["x"].numpy().tolist() == [3.0 + 100.0, 30.0]
    assert got["w"].numpy() == 1.0 + 20.0


@pytest.mark.parametrize(
    ("tangents", "message"),
    [
        ([1.0], "values must be nested as what they are for, a list of 2"),
        (1.0, r"a list of 2 \(got float\)"),
        ([1.0, [1.0, 2.0]], r"must have its shape \(\)"),
    ],
)
def test_directions_that_do_not_fit(tangents: object, message: str) -> None:
    x, w = tf.constant(1.0), tf.constant(2.0)
    with pytest.raises((ValueError, TypeError), match=message):
        jvp(x * w, [x, w], tangents)


def test_a_direction_of_another_type() -> None:
    x = tf.constant(1.0)
    with pytest.raises(TypeError, match="must be float32 as well"):
        jvp(x, x, tf.constant(1.0, tf.float64))
