"""Paths, cuts and verdicts against numbers worked out by hand."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import engine as tf
from engine import explain
from engine.backward import Backward, Reason
from engine.explain import State, ZeroKind
from engine.tape import GradientTape


@pytest.fixture(autouse=True)
def _fresh_graph() -> None:
    tf.reset_default_graph()


def _record(ys: Any, xs: Any, **arguments: Any) -> Backward:
    tf.gradients(ys, xs, **arguments)
    return tf.get_default_graph().backwards[-1]


def _products(backward: Backward, x: Any) -> list[float]:
    return [float(path.product) for path in explain.paths(backward, x).paths]


def _separating() -> tuple[Backward, Any, Any]:
    w, x = tf.constant(2.0), tf.constant(3.0)
    h = w * x
    return _record(h * h + tf.stop_gradient(h) * 5.0 + x, [x, w]), x, w


def _check_sum(backward: Backward, x: Any) -> None:
    found = explain.paths(backward, x, limit=10_000)
    assert found.count == len(found.paths)
    total = sum(np.asarray(path.product, np.float64) for path in found.paths)
    np.testing.assert_allclose(total, found.total, rtol=1e-4, atol=1e-5)
    assert all(path.product.shape == found.total.shape for path in found.paths)
    shares = [path.share for path in found.paths if path.share is not None]
    if shares:
        assert sum(shares) == pytest.approx(1.0, abs=1e-4)


def test_the_separating_example_has_three_paths_and_one_that_is_stopped() -> None:
    backward, x, _ = _separating()
    size = backward.graph.size_in_operations
    found = explain.paths(backward, x)
    assert (found.count, float(found.total), float(found.rest)) == (3, 25.0, 0.0)
    assert _products(backward, x) == [12.0, 12.0, 1.0]
    assert [path.share for path in found.paths] == [12 / 25, 12 / 25, 1 / 25]
    factors = [float(edge.factor.value) for edge in found.paths[0].edges]
    assert factors == [1.0, 1.0, 6.0, 2.0]
    (stopped,) = explain.stopped_paths(backward, x)
    assert (stopped.count, float(stopped.total)) == (1, 10.0)
    (path,) = stopped.paths
    assert path.cut is not None
    assert path.cut.reason is Reason.STOP_OP
    assert [edge.op.type for edge in path.edges] == ["AddV2", "AddV2", "Mul", "StopGradient", "Mul"]
    assert [edge.step is None for edge in path.edges] == [False, False, False, True, False]
    assert all(edge.op.graph is backward.graph for edge in path.edges)
    assert backward.graph.size_in_operations == size


def test_a_cut_holds_back_what_lifting_it_would_add() -> None:
    backward, _, _ = _separating()
    (held,) = explain.held_back(backward)
    assert (float(held.upstream), float(held.at_edge)) == (5.0, 5.0)
    assert [float(amount) for amount in held.amounts] == [10.0, 15.0]


def test_a_tape_that_never_looked_behind_the_stop_tells_the_same() -> None:
    w, x = tf.Variable(2.0), tf.Variable(3.0)
    with GradientTape() as tape:
        h = w * x
        y = h * h + tf.stop_gradient(h) * 5.0 + x
    tape.gradient(y, [x, w])
    backward = y.graph.backwards[-1]
    assert _products(backward, backward.xs[0]) == [12.0, 12.0, 1.0]
    (held,) = explain.held_back(backward)
    assert held.cut.reason is Reason.STOP_OP
    assert (float(held.upstream), float(held.at_edge)) == (5.0, 5.0)
    assert [float(amount) for amount in held.amounts] == [10.0, 15.0]


def test_total_and_partial_derivatives() -> None:
    a = tf.constant(12.0)
    b = 2.0 * a
    c = 3.0 * b
    total = _record(a + b + c, [a, b, c])
    assert [sorted(_products(total, x)) for x in (a, b, c)] == [[1, 2, 6], [1, 3], [1]]
    partial = _record(a + b + c, [a, b, c], stop_gradients=[a, b, c])
    assert [_products(partial, x) for x in (a, b, c)] == [[1.0], [1.0], [1.0]]
    to_b, to_c = explain.held_back(partial)
    assert {to_b.cut.reason, to_c.cut.reason} == {Reason.STOP_ARGUMENT}
    assert (float(to_b.upstream), float(to_b.at_edge), float(to_b.amounts[0])) == (1.0, 2.0, 2.0)
    assert to_b.amounts[1:] == (None, None)
    assert (float(to_c.at_edge), float(to_c.amounts[1])) == (3.0, 3.0)
    assert to_c.amounts[0] is None  # the stop at b is still in place


def test_a_stop_and_the_argument_cut_each_for_its_own_reason() -> None:
    x = tf.constant(1.0)
    a = 12.0 * x
    b = tf.stop_gradient(2.0 * a)
    backward = _record(a + b, x, stop_gradients=[a])
    assert explain.paths(backward, x).count == 0
    (verdict,) = explain.why(backward)
    assert verdict.state is State.NONE
    assert {cut.reason for cut in verdict.cuts} == {Reason.STOP_OP, Reason.STOP_ARGUMENT}


def test_a_square_written_as_a_product_has_two_paths() -> None:
    x = tf.constant(3.0)
    assert _products(_record(x * x, x), x) == [3.0, 3.0]


def test_polynomial_of_two_variables() -> None:
    x, y = tf.constant(2.0), tf.constant(3.0)
    backward = _record(x**3.0 + 6.0 * x * y + y**5.0, [x, y])
    assert _products(backward, x) == pytest.approx([18.0, 12.0])
    assert _products(backward, y) == pytest.approx([405.0, 12.0])


def test_total_derivative_over_two_intermediates() -> None:
    x = tf.constant(1.0)
    backward = _record(tf.square(x) * tf.sin(x), x)
    assert _products(backward, x) == pytest.approx([2 * np.sin(1.0), np.cos(1.0)])


def test_two_ys_and_paths_from_one_of_them() -> None:
    x = tf.constant(2.0)
    first, second = x * 1.0, x * 2.0
    backward = _record([first, second], x, grad_ys=[10.0, 1.0])
    assert _products(backward, x) == [10.0, 2.0]
    found = explain.paths(backward, x, y=second)
    assert (found.count, float(found.total), float(found.paths[0].seed)) == (1, 2.0, 1.0)
    assert explain.count_paths(backward, x, second) == 1


def test_an_x_that_is_the_y_has_the_path_without_edges() -> None:
    x = tf.constant(2.0)
    (path,) = explain.paths(_record(x, x), x).paths
    assert (path.edges, float(path.product)) == ((), 1.0)


def test_exponentially_many_paths_are_counted_exactly_and_listed_in_order() -> None:
    x = tf.constant(1.0, tf.float64)
    h = x
    for _ in range(30):
        h = h * 0.5 + h * 0.25
    backward = _record(h, x)
    assert explain.count_paths(backward, x) == 2**30
    found = explain.paths(backward, x, limit=40)
    products = [float(path.product) for path in found.paths]
    assert products == [0.5**30] + [0.5**31] * 30 + [0.5**32] * 9
    assert float(found.rest) == pytest.approx(0.75**30 - sum(products), rel=1e-12)
    assert len({tuple(id(edge) for edge in path.edges) for path in found.paths}) == 40


def test_a_very_deep_chain_needs_no_recursion() -> None:
    x = tf.constant(1.0)
    h = x
    for _ in range(20_000):
        h = -h
    found = explain.paths(_record(h, x), x)
    assert (found.count, float(found.total)) == (1, 1.0)
    assert len(found.paths[0].edges) == 20_000


def test_paths_of_a_layer_add_up_to_the_gradient() -> None:
    rng = np.random.default_rng(1)
    x, w = tf.constant(rng.normal(size=(4, 3))), tf.constant(rng.normal(size=(3, 2)))
    b = tf.constant(rng.normal(size=2))
    h = tf.nn.relu(tf.matmul(x, w) + b)
    backward = _record(tf.reduce_sum(h * h) + tf.reduce_sum(w * w), [x, w, b])
    for tensor, count in ((x, 2), (w, 4), (b, 2)):
        assert explain.count_paths(backward, tensor) == count
        _check_sum(backward, tensor)


@pytest.mark.parametrize("seed", range(12))
def test_paths_of_random_programs_add_up_to_the_gradient(seed: int) -> None:
    rng = np.random.default_rng(seed)
    scalar = seed % 2
    x = tf.constant(rng.normal(size=() if scalar else (2, 2)))
    pool = [x, tf.constant(0.7 if scalar else rng.normal(size=2), tf.float64)]
    unary = (tf.sin, tf.tanh, tf.square, tf.identity, tf.nn.relu, tf.exp, tf.sqrt)
    for _ in range(8):
        first, second = (pool[int(i)] for i in rng.integers(0, len(pool), 2))
        kind = int(rng.integers(0, 5))
        if kind == 0:
            made = first * second
        elif kind == 1:
            made = first - second
        elif kind == 2:
            made = unary[int(rng.integers(0, 6))](first * 0.5)
        elif kind == 3:
            made = tf.reduce_sum(first) * second
        else:
            made = first / (tf.square(second) + 1.0)
        pool.append(made)
    y = tf.add_n([tf.reduce_sum(tensor) for tensor in pool])
    _check_sum(_record(y, x), x)


def test_outputs_that_share_one_upstream_gradient_are_told_apart() -> None:
    x = tf.constant([1.0, 2.0])
    first, second = tf.unstack(x)
    found = explain.paths(_record(first + second, x), x)
    assert sorted(path.product.tolist() for path in found.paths) == [[0.0, 1.0], [1.0, 0.0]]


def test_outputs_with_gradients_of_their_own() -> None:
    x = tf.constant([1.0, 2.0])
    first, second = tf.unstack(x)
    backward = _record(first * 3.0 + second + first, x)
    products = sorted(path.product.tolist() for path in explain.paths(backward, x).paths)
    assert products == [[0.0, 1.0], [1.0, 0.0], [3.0, 0.0]]


def test_an_output_leads_only_to_the_inputs_that_it_depends_on() -> None:
    x = tf.constant(2.0)
    first, second = tf.identity_n([x, x * 2.0])
    assert sorted(_products(_record(first + second, x), x)) == [1.0, 2.0]


def test_rows_of_a_gather_become_dense() -> None:
    table = tf.constant(np.ones((4, 2)), tf.float32)
    backward = _record(tf.gather(table, [1, 1, 3]), table)
    (path,) = explain.paths(backward, table).paths
    assert path.product.tolist() == [[0, 0], [2, 2], [0, 0], [1, 1]]
    (verdict,) = explain.why(backward)
    assert (verdict.state, verdict.value.tolist()) == (State.ORDINARY, path.product.tolist())


def test_without_a_feed_paths_are_counted_and_nothing_is_computed() -> None:
    x = tf.placeholder(tf.float32, [])
    backward = _record(x * x, x)
    found = explain.paths(backward, x)
    assert (found.count, found.total, found.paths[0].product) == (2, None, None)
    assert explain.why(backward)[0].state is State.NOT_COMPUTED
    fed = explain.paths(backward, x, {x: 3.0})
    assert float(fed.total) == 6.0
    with tf.Session() as session:
        session.run(backward.results, {x: 4.0})
    assert float(explain.paths(backward, x).total) == 8.0  # what was fed last


def test_none_names_the_edge_or_says_that_there_is_no_way() -> None:
    x = tf.constant(2.7)
    through_integer = tf.cast(tf.cast(x, tf.int32), tf.float32) * 3.0
    for y, reasons in (
        (through_integer, [Reason.INTEGER]),
        (tf.stop_gradient(tf.square(x)), [Reason.STOP_OP]),
        (tf.round(x) * 2.0, [Reason.RETURNED_NONE]),
    ):
        (verdict,) = explain.why(_record(y, x))
        assert (verdict.state, verdict.connected) == (State.NONE, True)
        assert [cut.reason for cut in verdict.cuts] == reasons
    (verdict,) = explain.why(_record(tf.constant(1.0) * 2.0, x))
    assert (verdict.state, verdict.connected, verdict.cuts) == (State.NONE, False, ())
    (verdict,) = explain.why(_record(tf.constant(1.0), x, unconnected_gradients="zero"))
    assert (verdict.state, verdict.zero_on_request) == (State.NONE, True)


def test_an_integer_in_one_factor_leaves_the_other() -> None:
    x = tf.constant(2.7)
    backward = _record(tf.cast(tf.cast(x, tf.int32), tf.float32) * x, x)
    assert _products(backward, x) == [2.0]
    (held,) = explain.held_back(backward)
    assert (held.cut.reason, held.at_edge, held.amounts) == (Reason.INTEGER, None, (None,))


def test_a_tape_missed_a_source_or_an_operation() -> None:
    x, w = tf.constant(3.0), tf.constant(2.0)
    with GradientTape(persistent=True) as tape:
        tape.watch(w)
        inside = tf.square(x) * w
    outside = tf.square(w)
    for y, source, reason in ((inside, x, "NOT_WATCHED"), (outside, w, "NOT_RECORDED")):
        assert tape.gradient(y, source) is None
        (verdict,) = explain.why(y.graph.backwards[-1])
        assert [(cut.op.type, cut.reason) for cut in verdict.cuts] == [("Square", Reason[reason])]


@pytest.mark.parametrize(
    ("build", "value", "kind", "op_type"),
    [
        (tf.nn.relu, -1.0, ZeroKind.FACTOR, "Relu"),
        (lambda x: tf.exp(x) * 0.0, 2.0, ZeroKind.FACTOR, "Mul"),
        (lambda x: tf.square(x) * 2.0, 0.0, ZeroKind.FACTOR, "Square"),
        (lambda x: x - x, 2.0, ZeroKind.CANCELLATION, None),
        (lambda x: x * 1e-30 * 1e-30, 2.0, ZeroKind.UNDERFLOW, "Mul"),
    ],
)
def test_zero_names_what_is_zero(build: Any, value: float, kind: ZeroKind, op_type: Any) -> None:
    x = tf.constant(value)
    (verdict,) = explain.why(_record(build(x), x))
    assert verdict.state is State.ZERO
    (cause,) = verdict.zeros
    assert (cause.kind, cause.step and cause.step.op.type) == (kind, op_type)


def test_a_seed_of_zero() -> None:
    x = tf.constant(2.0)
    (verdict,) = explain.why(_record(x * x, x, grad_ys=0.0))
    assert [cause.kind for cause in verdict.zeros] == [ZeroKind.SEED]


def test_nan_through_where_begins_in_the_branch_that_was_not_taken() -> None:
    x = tf.constant(0.0)
    (verdict,) = explain.why(_record(tf.where(tf.equal(x, 0.0), 1.0, tf.sin(x) / x), x))
    assert verdict.state is State.NON_FINITE
    assert verdict.origin is not None
    assert (verdict.origin.op.type, verdict.origin.backward) == ("RealDiv", False)
    assert [float(operand) for operand in verdict.origin.at] == [0.0, 0.0]


def test_nan_of_zero_times_infinity_is_found_in_the_backward_pass() -> None:
    x = tf.constant(0.0)
    (verdict,) = explain.why(_record(tf.where(x > 0.0, tf.log(x), 0.0), x))
    assert verdict.origin is not None
    assert (verdict.origin.op.type, float(verdict.origin.value)) == ("Log", -np.inf)
    assert verdict.nan is not None
    assert (verdict.nan.op.type, verdict.nan.backward) == ("Mul", True)
    assert sorted(float(operand) for operand in verdict.nan.operands) == [0.0, np.inf]


def test_the_square_root_at_zero_is_infinite_from_its_gradient_on() -> None:
    x = tf.constant(0.0)
    (verdict,) = explain.why(_record(tf.sqrt(x), x))
    assert verdict.state is State.NON_FINITE
    assert verdict.origin is not None
    assert (verdict.origin.op.type, verdict.origin.backward) == ("SqrtGrad", True)
    assert verdict.nan is None


def test_a_value_given_as_infinite_is_its_own_origin() -> None:
    x = tf.constant(float("inf"))
    (verdict,) = explain.why(_record(x * x, x))
    assert verdict.origin is not None
    assert (verdict.origin.op, verdict.origin.operands) == (x.op, ())


def test_local_values_and_the_values_of_a_record() -> None:
    x = tf.constant(3.0)
    backward = _record(tf.square(x), x)
    values = explain.evaluate_record(backward)
    (step,) = backward.steps
    assert float(explain.local_value(step, values)) == 6.0
    assert float(values[backward.ys[0]]) == 9.0
    assert float(explain.gradient_value(backward, x, values)) == 6.0


def test_a_matrix_product_has_no_number_along_its_edge() -> None:
    a, b = tf.constant(np.eye(2)), tf.constant(np.ones((2, 2)))
    (path,) = explain.paths(_record(tf.matmul(a, b), a), a).paths
    assert path.edges[0].factor.kind is explain.FactorKind.RULE
    assert path.product.tolist() == [[2.0, 2.0], [2.0, 2.0]]


def test_a_rule_bound_to_its_graph_leaves_that_graph_alone() -> None:
    """A gradient function that uses tensors of its graph cannot work on a copy."""
    x = tf.constant(2.0)
    y = tf.stop_gradient(tf.square(x)) * 5.0
    captured = x * 2.0
    square = y.op.inputs[0].op.inputs[0].op
    square.gradient_function = lambda op, upstream: [upstream * (captured + 0.0)]
    backward = _record(y, x)
    size = backward.graph.size_in_operations
    (held,) = explain.held_back(backward)
    assert (float(held.upstream), float(held.at_edge), held.amounts) == (5.0, 5.0, (None,))
    assert backward.graph.size_in_operations == size


def test_a_stop_keeps_nothing_from_an_x_on_the_near_side_of_it() -> None:
    with tf.Graph().as_default():
        a = tf.constant(12.0)
        b = 2.0 * a
        c = 3.0 * b
        y = a + b + c
        tf.gradients(y, [a, b, c], stop_gradients=[a, b, c])
        record = a.graph.backwards[-1]
        found = [
            [
                float(path.product)
                for listed in explain.stopped_paths(record, x)
                for path in listed.paths
            ]
            for x in (a, b, c)
        ]
        # a → b holds 2 back from a; b → c holds 3 back from b; c lies on the near side of both.
        assert found == [[2.0], [3.0], []]
