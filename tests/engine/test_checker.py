"""The gradient checker, in the form for tensors and in the form for functions."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

import engine as tf
from engine.checker import compute_gradient, compute_gradient_error, max_error, sweep
from engine.graph import Graph
from engine.registry import RegisterGradient, scoped


@pytest.fixture(autouse=True)
def graph() -> Iterator[Graph]:
    with scoped(), Graph().as_default() as graph:
        yield graph


MATRIX = np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])


def test_tensors_rows_are_elements_of_x() -> None:
    x = tf.placeholder(tf.float64, [2, 1])
    theoretical, numeric = compute_gradient(x, [2, 1], tf.matmul(MATRIX, x), [3, 1])
    np.testing.assert_array_equal(theoretical, MATRIX.T)
    np.testing.assert_allclose(numeric, MATRIX.T, rtol=1e-9)


def test_functions_columns_are_elements_of_x() -> None:
    point = np.array([[1.0], [2.0]])
    theoretical, numeric = compute_gradient(lambda x: tf.matmul(MATRIX, x), [point])
    np.testing.assert_array_equal(theoretical[0], MATRIX)
    np.testing.assert_allclose(numeric[0], MATRIX, rtol=1e-9)


def test_the_step_is_visible_in_the_numeric_jacobian() -> None:
    point = np.array([1.0, 2.0])
    x = tf.placeholder(tf.float64, [2])
    y = x * x * x  # (y(x + δ) - y(x - δ)) / 2δ = 3x² + δ²
    default = compute_gradient(x, [2], y, [2], x_init_value=point)[1]
    np.testing.assert_allclose(default, np.diag(3 * point**2 + 1e-6 * 1), rtol=1e-12, atol=0)
    wide = compute_gradient(x, [2], y, [2], x_init_value=point, delta=0.5)[1]
    np.testing.assert_allclose(wide, np.diag(3 * point**2 + 0.25), rtol=1e-12)
    by_function = compute_gradient(lambda x: x * x * x, [point])[1][0]
    np.testing.assert_allclose(by_function, np.diag(3 * point**2 + 2.0**-20), rtol=1e-12)


def test_one_pair_per_x_of_a_list_others_keep_their_values() -> None:
    x, w = tf.placeholder(tf.float64, [2]), tf.placeholder(tf.float64, [2])
    values = [np.array([1.0, 2.0]), np.array([3.0, 4.0])]
    pairs = compute_gradient([x, w], [[2], [2]], x * w, [2], x_init_value=values)
    np.testing.assert_array_equal(pairs[0][0], np.diag(values[1]))
    np.testing.assert_array_equal(pairs[1][0], np.diag(values[0]))
    np.testing.assert_allclose(pairs[1][1], np.diag(values[0]), rtol=1e-9)


def test_constants_and_variables_can_be_x() -> None:
    x, v = tf.constant([1.0, 2.0]), tf.Variable([3.0, 4.0])
    y = x * v + v
    point = np.array([5.0, 6.0])
    by_x = compute_gradient(x, [2], y, [2], x_init_value=point)
    np.testing.assert_array_equal(by_x[0], np.diag([3.0, 4.0]))
    np.testing.assert_allclose(by_x[1], by_x[0], rtol=1e-3)
    by_v = compute_gradient(v, [2], y, [2], x_init_value=point)
    np.testing.assert_array_equal(by_v[0], np.diag([2.0, 3.0]))
    np.testing.assert_allclose(by_v[1], by_v[0], rtol=1e-3)


def test_in_a_session_variables_have_its_values_and_the_users_feeds_stay(graph: Graph) -> None:
    x, v = tf.placeholder(tf.float64, []), tf.Variable(np.float64(3.0))
    y = x * v
    with tf.Session() as session:
        initial = tf.global_variables_initializer()
        theoretical, _ = compute_gradient(x, [], y, [], init_targets=initial)
        assert theoretical.tolist() == [[3.0]]
        session.run(v.assign(7.0))
        session.run(y, {x: 11.0})
        theoretical, numeric = compute_gradient(x, [], y, [])
    assert theoretical.tolist() == [[7.0]]
    np.testing.assert_allclose(numeric, [[7.0]], rtol=1e-9)
    assert graph.feeds == {x: 11.0}


def test_extra_feeds_reach_other_placeholders() -> None:
    x, k = tf.placeholder(tf.float64, [1]), tf.placeholder(tf.float64, [1])
    theoretical, numeric = compute_gradient(x, [1], x * k, [1], extra_feed_dict={k: [5.0]})
    assert theoretical.tolist() == [[5.0]]
    np.testing.assert_allclose(numeric, [[5.0]])


def test_x_is_drawn_from_0_to_1_and_always_the_same() -> None:
    x = tf.placeholder(tf.float64, [100])
    slope = np.diag(compute_gradient(x, [100], x * x, [100])[0]) / 2
    assert slope.min() >= 0.0
    assert slope.max() < 1.0
    assert len(set(slope)) == 100
    assert (slope == np.diag(compute_gradient(x, [100], x * x, [100])[0]) / 2).all()


def test_complex_numbers_count_as_two_real_ones() -> None:
    x = tf.placeholder(tf.complex128, [])
    y = tf.constant(5 + 7j, tf.complex128) * x
    theoretical, numeric = compute_gradient(x, [], y, [])
    assert theoretical.tolist() == [[5.0, 7.0], [-7.0, 5.0]]
    np.testing.assert_allclose(numeric, theoretical, rtol=1e-9)
    by_function = compute_gradient(lambda x: (5 + 7j) * x, [np.complex128(11 - 13j)])
    assert by_function[0][0].tolist() == [[5.0, -7.0], [7.0, 5.0]]
    conjugate = compute_gradient(x, [], tf.conj(x), [])[0]
    assert conjugate.tolist() == [[1.0, 0.0], [0.0, -1.0]]


def test_rows_of_a_gather_are_summed() -> None:
    got = compute_gradient(lambda x: tf.gather(x, [0, 0, 2]), [np.array([1.0, 2.0, 3.0])])
    expected = [[1.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]
    assert got[0][0].tolist() == expected
    np.testing.assert_allclose(got[1][0], expected)


def test_an_argument_without_influence_has_zeros_in_the_function_form() -> None:
    got = compute_gradient(lambda x, w: w * w, [np.ones(2), np.ones(3)])
    assert got[0][0].tolist() == np.zeros((3, 2)).tolist()
    assert got[1][0].tolist() == np.zeros((3, 2)).tolist()


def test_a_function_that_differentiates_is_differentiated_again() -> None:
    def cube(x: tf.Tensor) -> object:
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = x**4.0
        return tape.gradient(y, x)

    got = compute_gradient(cube, [np.array([2.0])])
    np.testing.assert_allclose(got[0][0], [[48.0]])
    np.testing.assert_allclose(got[1][0], [[48.0]], rtol=1e-5)


def test_what_the_function_closes_over_is_not_moved() -> None:
    x = tf.constant(3.0, tf.float64)
    got = compute_gradient(lambda copy: copy * x, [x])
    np.testing.assert_allclose(got[1][0], [[3.0]], rtol=1e-9)


def test_empty_tensors() -> None:
    got = compute_gradient(tf.identity, [np.ones((0, 3))])
    assert got[0][0].shape == got[1][0].shape == (0, 0)
    got = compute_gradient(tf.matmul, [np.ones((0, 3)), np.ones((3, 4))])
    assert [jacobian.shape for jacobian in got[0]] == [(0, 0), (0, 12)]
    assert max_error(*got) == 0.0


def test_a_wrong_rule_for_empty_tensors_is_noticed(graph: Graph) -> None:
    RegisterGradient("Transposing")(lambda op, grad: tf.transpose(grad))
    x = tf.placeholder(tf.float32)
    with graph.gradient_override_map({"Identity": "Transposing"}):
        y = tf.identity(x)
    with pytest.raises(ValueError, match=r"Empty gradient has wrong shape: expected \(0, 3\)"):
        compute_gradient(x, [0, 3], y, [0, 3])


def test_a_wrong_rule_shows_as_an_error(graph: Graph) -> None:
    RegisterGradient("Half")(lambda op, grad: grad * op.inputs[0])
    x = tf.placeholder(tf.float64, [2])
    with graph.gradient_override_map({"Square": "Half"}):
        y = tf.square(x)
    error = compute_gradient_error(x, [2], y, [2], x_init_value=np.array([1.0, 3.0]))
    assert error == pytest.approx(3.0)
    assert compute_gradient_error(x, [2], tf.square(x), [2]) < 1e-9


def test_a_rule_that_gives_nan_does_not_pass(graph: Graph) -> None:
    RegisterGradient("NaN")(lambda op, grad: grad * float("nan"))
    x = tf.placeholder(tf.float64, [2])
    with graph.gradient_override_map({"Identity": "NaN"}):
        y = tf.identity(x)
    assert np.isnan(compute_gradient_error(x, [2], y, [2]))


def test_the_largest_difference() -> None:
    first, second = [np.zeros((2, 2)), np.ones(3)], [np.full((2, 2), 0.5), np.array([1.0, 1.0, 3])]
    assert max_error(first, second) == 2.0
    assert max_error([], []) == 0.0
    with pytest.raises(ValueError, match=r"shapes \(2,\) and \(3,\) cannot be compared"):
        max_error([np.ones(2)], [np.ones(3)])
    with pytest.raises(ValueError, match=r"got 1 and 0"):
        max_error([np.ones(2)], [])


def test_the_error_over_the_step_falls_with_its_square_then_drowns(graph: Graph) -> None:
    point = np.array([1.0])
    curve = sweep(tf.exp, [point], deltas=[1e-1, 1e-2, 1e-3, 1e-12])
    # (e^(1+δ) - e^(1-δ)) / 2δ - e = e (sinh δ / δ - 1)
    for delta, error in curve[:3]:
        assert error == pytest.approx(np.e * (np.sinh(delta) / delta - 1), rel=1e-3)
    assert curve[3][1] > curve[2][1]
    x = tf.placeholder(tf.float64, [1])
    before = graph.size_in_operations
    assert sweep(x, [1], tf.exp(x), [1], point, deltas=[1e-1])[0][1] == curve[0][1]
    added = graph.size_in_operations - before
    before = graph.size_in_operations
    sweep(x, [1], tf.exp(x), [1], point, deltas=[0.1, 0.2, 0.3])
    assert graph.size_in_operations - before == added  # built once, whatever the number of steps


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda x, k: compute_gradient(tf.exp, 3.0), "`x` must be a list or tuple of values"),
        (lambda x, k: compute_gradient(tf.square, [1]), "unsupported type int32 of argument 0"),
        (lambda x, k: compute_gradient(lambda v: v > 0.0, [1.0]), "unsupported type bool of y"),
        (lambda x, k: compute_gradient(lambda v: [v, v], [1.0]), "must return one tensor"),
        (lambda x, k: compute_gradient(x, [2], k * k, [1]), "dx = None"),
        (lambda x, k: compute_gradient(x, [2], tf.cast(x, tf.int32), [2]), "type int32 of y"),
        (lambda x, k: compute_gradient(tf.constant([1]), [1], k, [1]), "type int32 of x"),
        (lambda x, k: compute_gradient(x, [3], x * x, [2]), r"has the shape \(2,\)"),
        (lambda x, k: compute_gradient(x, [None], x * x, [2]), "must be given in full"),
        (lambda x, k: compute_gradient(x, [2], x, [2], np.ones(3)), r"x_init_value has the shape"),
    ],
)
def test_misuse_is_answered_by_a_sentence(call, message) -> None:  # type: ignore[no-untyped-def]
    x, k = tf.placeholder(tf.float32, [2]), tf.constant([3.0])
    with pytest.raises(ValueError, match=message):
        call(x, k)
