"""The verdicts of the checker, on functions whose derivatives are known."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

import numpy as np
import pytest

import engine as tf
from engine.backward import Reason
from engine.checker import Agreement, Limit, check
from engine.graph import Graph
from engine.registry import RegisterGradient, scoped


@pytest.fixture(autouse=True)
def graph() -> Iterator[Graph]:
    with scoped(), Graph().as_default() as graph:
        yield graph


def _with_gradient(op_type: str, rule: Callable[..., object]) -> Callable[..., tf.Tensor]:
    """Return the op with another gradient, for planting bugs."""
    name = f"Planted{op_type}"
    RegisterGradient(name)(rule)

    def apply(x: tf.Tensor) -> tf.Tensor:
        with x.graph.gradient_override_map({op_type: name}):
            return x.graph.create_op(op_type, [x]).outputs[0]

    return apply


I = np.arange(200)  # noqa: E741
X, Y = np.sin(I + 1.0), np.cos(2.0 * I + 1.0)


@pytest.mark.parametrize("precision", [np.float32, np.float64])
def test_a_dot_product_agrees_in_every_precision(precision: type) -> None:
    y = Y.astype(precision)
    found = check(lambda x: tf.reduce_sum(x * y), [X.astype(precision)], full=True)
    assert found.verdict is Agreement.AGREES
    np.testing.assert_array_equal(found.theoretical[0], y[None])
    np.testing.assert_allclose(
        found.numeric[0], y[None], atol=1e-5 if precision is np.float32 else 1e-12
    )
    assert (found.compared, found.decisive, found.entries, found.cuts) == (200, 0, (), ())


def test_a_step_too_small_for_float32_is_said_to_be_so() -> None:
    y = Y.astype(np.float32)
    found = check(lambda x: tf.reduce_sum(x * y), [X.astype(np.float32)], delta=1e-7, full=True)
    assert found.verdict is Agreement.PRECISION_LIMITED
    assert found.limit is Limit.ROUNDING
    assert found.error > 0.1
    assert found.best_delta is not None and found.best_delta > 1e-3
    assert found.best_error < 1e-5


@pytest.mark.parametrize(
    ("delta", "verdict", "limit"),
    [
        (None, Agreement.AGREES, None),
        (1e-1, Agreement.PRECISION_LIMITED, Limit.TRUNCATION),
        (1e-3, Agreement.AGREES, None),
        (1e-5, Agreement.AGREES, None),
        (1e-13, Agreement.PRECISION_LIMITED, Limit.ROUNDING),
    ],
)
def test_the_step_for_the_exponential(
    delta: float | None, verdict: Agreement, limit: Limit | None
) -> None:
    found = check(tf.exp, [np.float64(1.0)], delta=delta)
    assert (found.verdict, found.limit) == (verdict, limit)
    if delta == 1e-1:  # e (sinh δ / δ - 1)
        assert found.error == pytest.approx(np.e * (np.sinh(0.1) / 0.1 - 1), rel=1e-9)
    # The best step is about the cube root of the precision.
    assert found.best_delta is not None and 1e-7 < found.best_delta < 1e-4
    for step, error in found.curve[:5]:
        assert error == pytest.approx(np.e * (math.sinh(step) / step - 1), rel=1e-3)


def test_a_step_that_vanishes_beside_x() -> None:
    lost = check(lambda x: x * x, [np.float32(1e8)], delta=1e-3)
    assert (lost.verdict, lost.limit) == (Agreement.PRECISION_LIMITED, Limit.VANISHING)
    for found in (
        check(lambda x: x * x, [np.float32(1e8)]),
        check(lambda x: x * x, [np.float64(1e8)], delta=1e-3),
    ):
        assert found.verdict is Agreement.AGREES
        assert found.numeric[0][0, 0] == pytest.approx(2e8, rel=1e-5)


def test_a_function_too_fast_for_the_step() -> None:
    def fast(x: tf.Tensor) -> tf.Tensor:
        return tf.cos(1e6 * x)

    found = check(fast, [np.float64(0.3)])
    assert found.verdict is Agreement.AGREES
    assert found.theoretical[0][0, 0] == pytest.approx(-1e6 * math.sin(3e5), rel=1e-9)
    coarse = check(fast, [np.float64(0.3)], delta=1e-3)
    assert (coarse.verdict, coarse.limit) == (Agreement.PRECISION_LIMITED, Limit.TRUNCATION)
    assert coarse.numeric[0][0, 0] == pytest.approx(-88.5, abs=0.1)
    assert coarse.best_delta is not None and coarse.best_delta < 1e-8


def test_a_tie_is_no_mistake() -> None:
    found = check(tf.reduce_max, [np.ones(4)])
    assert found.verdict is Agreement.NON_SMOOTH
    np.testing.assert_array_equal(found.theoretical[0], [[0.25] * 4])
    np.testing.assert_array_equal(found.numeric[0], [[0.5] * 4])
    assert [(entry.left, entry.right) for entry in found.entries] == [(0.0, 1.0)] * 4


def test_a_kink_is_told_from_a_mistake() -> None:
    point = [np.array([0.0, 2.0])]
    right = check(lambda x: tf.reduce_sum(tf.abs(x)), point)
    assert right.verdict is Agreement.NON_SMOOTH
    (entry,) = right.entries
    assert (entry.x, entry.left, entry.right, entry.theoretical) == ((0,), -1.0, 1.0, 0.0)
    double = _with_gradient("Abs", lambda op, g: 2.0 * g * tf.sign(op.inputs[0]))
    wrong = check(lambda x: tf.reduce_sum(double(x)), point)
    assert wrong.verdict is Agreement.DISAGREES
    (entry,) = wrong.entries
    assert (entry.x, entry.theoretical, entry.numeric) == ((1,), 2.0, 1.0)


def test_a_slope_outside_both_sides_of_a_kink_is_a_mistake() -> None:
    steep = _with_gradient("Relu", lambda op, g: 5.0 * g)
    found = check(steep, [np.float64(0.0)])
    assert found.verdict is Agreement.DISAGREES
    assert (found.entries[0].left, found.entries[0].right) == (0.0, 1.0)


@pytest.mark.parametrize("precision", [np.float16, np.float32, np.float64])
def test_a_kink_in_every_precision(precision: type) -> None:
    assert check(tf.nn.relu, [precision(0.0)]).verdict is Agreement.NON_SMOOTH
    assert check(tf.nn.relu, [precision(1.0)]).verdict is Agreement.AGREES


@pytest.mark.parametrize("precision", [np.float16, np.float32, np.float64])
def test_smooth_functions_and_wrong_ones_in_every_precision(precision: type) -> None:
    point = [np.linspace(-1.0, 1.0, 5).astype(precision)]
    assert check(tf.tanh, point).verdict is Agreement.AGREES
    minus = _with_gradient("Tanh", lambda op, g: -g * (1.0 - op.outputs[0] ** 2))
    found = check(minus, point)
    assert found.verdict is Agreement.DISAGREES
    assert found.ratio == pytest.approx(-1.0, rel=0.1)


def test_a_forgotten_factor_has_a_name() -> None:
    half = _with_gradient("Square", lambda op, g: g * op.inputs[0])
    found = check(lambda x: tf.reduce_sum(half(x)), [np.array([0.5, -1.0, 3.0])])
    assert found.verdict is Agreement.DISAGREES
    assert found.ratio == pytest.approx(2.0)
    assert found.error == pytest.approx(3.0)
    assert [entry.x for entry in found.entries] == [(2,), (1,), (0,)]  # worst first
    assert (found.decisive, found.compared) == (3, 3)


def test_no_factor_is_named_where_there_is_none() -> None:
    other = _with_gradient("Square", lambda op, g: g * 3.0)
    assert check(other, [np.array([0.5, 3.0])]).ratio is None
    nothing = _with_gradient("Exp", lambda op, g: g * 0.0)
    assert check(nothing, [np.array([0.5, 3.0])]).ratio is None


def test_a_stop_explains_the_difference() -> None:
    found = check(lambda x: x * tf.stop_gradient(x), [np.float64(3.0)])
    assert found.verdict is Agreement.BLOCKED
    assert (found.theoretical[0][0, 0], found.entries[0].numeric) == (3.0, pytest.approx(6.0))
    assert [cut.reason for cut in found.cuts] == [Reason.STOP_OP]


def test_stop_gradients_and_a_straight_through_estimate_explain_it_too() -> None:
    x = tf.constant(3.2, tf.float64)
    square = x * x
    stopped = check(square * x, x, stop_gradients=[square])
    assert stopped.verdict is Agreement.BLOCKED
    assert [cut.reason for cut in stopped.cuts] == [Reason.STOP_ARGUMENT] * 2  # x · x
    through = check(lambda v: v + tf.stop_gradient(tf.round(v) - v), [np.float64(3.2)])
    assert (through.verdict, through.theoretical[0][0, 0]) == (Agreement.BLOCKED, 1.0)


def test_a_stop_is_no_excuse_for_a_mistake_beside_it() -> None:
    half = _with_gradient("Square", lambda op, g: g * op.inputs[0])
    found = check(lambda x: half(x) * tf.stop_gradient(x), [np.float64(3.0)])
    assert found.verdict is Agreement.DISAGREES
    assert [cut.reason for cut in found.cuts] == [Reason.STOP_OP]


def test_a_stop_that_changes_nothing_agrees() -> None:
    def stable(x: tf.Tensor) -> tf.Tensor:
        shifted = tf.exp(x - tf.stop_gradient(tf.reduce_max(x)))
        return shifted / tf.reduce_sum(shifted)

    found = check(stable, [np.array([1.0, 2.0, 4.0])])
    assert found.verdict is Agreement.AGREES
    assert len(found.cuts) == 1


def test_a_jump_is_no_slope() -> None:
    found = check(lambda x: x * tf.floor(x), [np.float64(2.0)])
    (entry,) = found.entries
    assert found.verdict is Agreement.NON_SMOOTH
    assert entry.jump == pytest.approx(2.0)  # from 2 · 1 to 2 · 2
    assert (entry.theoretical, entry.right) == (2.0, 2.0)
    assert check(lambda x: x * tf.floor(x), [np.float64(2.5)]).verdict is Agreement.AGREES


def test_the_edge_of_a_domain() -> None:
    root = check(tf.sqrt, [np.float64(0.0)])
    assert root.verdict is Agreement.NON_SMOOTH
    assert root.theoretical[0][0, 0] == math.inf
    assert math.isnan(root.entries[0].left)
    assert check(lambda x: x**1.5, [np.float64(0.0)]).verdict is Agreement.NON_SMOOTH


def test_nan_is_never_right() -> None:
    norm = check(lambda x: tf.sqrt(tf.reduce_sum(x * x)), [np.zeros(2)])
    assert norm.verdict is Agreement.DISAGREES
    assert math.isnan(norm.error)


def test_a_kink_nearby_does_not_disturb() -> None:
    found = check(tf.abs, [np.array([1e-4, -1e-5])])
    assert found.verdict is Agreement.AGREES
    np.testing.assert_allclose(found.numeric[0], [[1.0, 0.0], [0.0, -1.0]], atol=1e-6)


def test_complex_numbers_count_as_two() -> None:
    found = check(lambda z: z**3.0 - 2.0 * z, [np.complex128(1 + 2j)])
    assert found.verdict is Agreement.AGREES
    # f' = 3 z² - 2 = -11 + 12i
    np.testing.assert_allclose(found.theoretical[0], [[-11.0, -12.0], [12.0, -11.0]])
    np.testing.assert_allclose(found.numeric[0], [[-11.0, -12.0], [12.0, -11.0]], rtol=1e-9)
    flipped = _with_gradient("Square", lambda op, g: g * 2.0 * op.inputs[0])  # not conjugated
    wrong = check(flipped, [np.array([1.0 + 2.0j, 3.0])])
    assert wrong.verdict is Agreement.DISAGREES
    assert {entry.x for entry in wrong.entries} == {(0,)}
    assert {entry.imaginary for entry in wrong.entries} == {(False, True), (True, False)}


def test_several_arguments_and_which_of_them_is_wrong() -> None:
    right = check(tf.matmul, [np.ones((2, 3)), np.full((3, 2), 0.3)])
    assert (right.verdict, right.compared) == (Agreement.AGREES, 4 * 12)
    half = _with_gradient("Square", lambda op, g: g * op.inputs[0])
    wrong = check(lambda a, b: a * half(b), [np.ones(2), np.full(2, 0.3)])
    assert {entry.argument for entry in wrong.entries} == {1}


def test_empty_tensors_have_nothing_to_compare() -> None:
    found = check(tf.matmul, [np.zeros((0, 3)), np.zeros((3, 4))])
    assert [jacobian.shape for jacobian in found.theoretical] == [(0, 0), (0, 12)]
    assert [jacobian.shape for jacobian in found.numeric] == [(0, 0), (0, 12)]
    assert (found.verdict, found.error, found.compared) == (Agreement.AGREES, 0.0, 0)
    assert (
        check(tf.conj if hasattr(tf, "conj") else tf.math.conj, [np.zeros(0, complex)]).compared
        == 0
    )


def test_an_argument_without_influence() -> None:
    found = check(lambda x, w: w * w, [np.ones(2), np.ones(3)])
    assert found.verdict is Agreement.AGREES
    assert not found.theoretical[0].any()
    ignored = check(lambda x: tf.stop_gradient(x * x), [np.float64(3.0)])
    assert (ignored.verdict, ignored.theoretical[0][0, 0]) == (Agreement.BLOCKED, 0.0)


def test_large_inputs_are_checked_along_one_direction() -> None:
    draw = np.random.default_rng(0)
    weights, x = draw.normal(size=(100, 50)) / 10, draw.normal(size=(20, 100))
    found = check(lambda x: tf.tanh(tf.matmul(x, weights)), [x])
    assert (found.verdict, found.full, found.compared) == (Agreement.AGREES, False, 1)
    assert found.theoretical[0].shape == found.numeric[0].shape == (1, 1)


def test_along_a_direction_the_wrong_element_is_found() -> None:
    half = _with_gradient("Square", lambda op, g: g * op.inputs[0])

    def mostly_right(x: tf.Tensor) -> tf.Tensor:
        return tf.concat([tf.square(x[:700]), half(x[700:701]), tf.sin(x[701:])], 0)

    found = check(mostly_right, [np.linspace(1.0, 2.0, 1000)])
    assert found.verdict is Agreement.DISAGREES
    (entry,) = found.entries
    assert (entry.argument, entry.x, entry.y) == (0, (700,), (700,))
    value = np.linspace(1.0, 2.0, 1000)[700]
    assert entry.theoretical == pytest.approx(value)
    assert entry.numeric == pytest.approx(2 * value)
    assert found.ratio == pytest.approx(2.0)


def test_stops_and_steps_along_a_direction() -> None:
    x = np.linspace(1.0, 2.0, 100)
    assert check(lambda x: x * tf.stop_gradient(x), [x]).verdict is Agreement.BLOCKED
    found = check(tf.exp, [x], delta=0.5)
    assert (found.verdict, found.limit) == (Agreement.PRECISION_LIMITED, Limit.TRUNCATION)


def test_full_jacobians_on_request() -> None:
    x = np.linspace(1.0, 2.0, 70)
    found = check(tf.square, [x], full=True)
    np.testing.assert_allclose(found.theoretical[0], np.diag(2 * x))
    assert not check(tf.square, [np.ones(2)], full=False).full


def test_tensors_placeholders_and_variables(graph: Graph) -> None:
    x, v = tf.placeholder(tf.float64, [None]), tf.Variable(np.array([3.0, 5.0]))
    point = np.array([1.0, 2.0])
    found = check(x * v * v, [x, v], {x: point})
    assert found.verdict is Agreement.AGREES
    np.testing.assert_array_equal(found.theoretical[0], np.diag([9.0, 25.0]))
    np.testing.assert_array_equal(found.theoretical[1], np.diag(2 * point * [3.0, 5.0]))
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        session.run(v.assign([7.0, 7.0]))
        again = check(x * v * v, x, {x: point})
    np.testing.assert_array_equal(again.theoretical[0], np.diag([49.0, 49.0]))
    with pytest.raises(ValueError, match="no value fed for placeholder"):
        check(x * v, x)


def test_integers_are_refused() -> None:
    with pytest.raises(ValueError, match="unsupported type int64 of argument 0"):
        check(lambda x: tf.reduce_sum(x * x), [np.array([1, 2, 3])])
    x = tf.constant([1, 2])
    with pytest.raises(ValueError, match="Don't support type int32 of"):
        check(x * x, x)


def test_a_single_argument_needs_no_list() -> None:
    assert check(tf.exp, np.float64(1.0)).verdict is Agreement.AGREES
