"""The rules of the optimizers, step by step against the same rules in NumPy."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
import pytest

import engine as tf
from engine import train
from engine.graph import Graph

STEPS = 50
START = np.array([1.0, -2.0])
TARGET = np.array([3.0, 0.5])
CURVATURE = np.array([0.5, 2.0])


def slope(x: Any) -> Any:
    """Return the gradient of Σ c (x - t)² / 2."""
    return CURVATURE * (x - TARGET)


def descend(x: Any) -> Any:
    for _ in range(STEPS):
        x = x - 0.1 * slope(x)
    return x


def with_momentum(x: Any, *, nesterov: bool) -> Any:
    speed = np.zeros_like(x)
    for _ in range(STEPS):
        gradient = slope(x)
        speed = 0.9 * speed + gradient
        x = x - 0.1 * (gradient + 0.9 * speed if nesterov else speed)
    return x


def adam(x: Any) -> Any:
    mean, square = np.zeros_like(x), np.zeros_like(x)
    for step in range(1, STEPS + 1):
        gradient = slope(x)
        mean = 0.9 * mean + 0.1 * gradient
        square = 0.999 * square + 0.001 * gradient**2
        rate = 0.1 * np.sqrt(1 - 0.999**step) / (1 - 0.9**step)
        x = x - rate * mean / (np.sqrt(square) + 1e-8)
    return x


RULES: Sequence[Any] = [
    pytest.param(lambda: train.GradientDescentOptimizer(0.1), descend, id="descent"),
    pytest.param(
        lambda: train.MomentumOptimizer(0.1, 0.9),
        lambda x: with_momentum(x, nesterov=False),
        id="momentum",
    ),
    pytest.param(
        lambda: train.MomentumOptimizer(0.1, 0.9, use_nesterov=True),
        lambda x: with_momentum(x, nesterov=True),
        id="nesterov",
    ),
    pytest.param(lambda: train.AdamOptimizer(0.1), adam, id="adam"),
]


@pytest.fixture(autouse=True)
def graph() -> Iterator[Graph]:
    with Graph().as_default() as graph:
        yield graph


def loss_of(x: Any) -> Any:
    return tf.reduce_sum(0.5 * CURVATURE * tf.square(x - TARGET))


@pytest.mark.parametrize(("make", "rule"), RULES)
def test_fifty_steps_in_a_session(make: Callable[[], Any], rule: Callable[[Any], Any]) -> None:
    x = tf.Variable(START)
    step = make().minimize(loss_of(x))
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        for _ in range(STEPS):
            assert session.run(step) is None
        np.testing.assert_allclose(session.run(x), rule(START), rtol=1e-12)


@pytest.mark.parametrize(("make", "rule"), RULES)
def test_fifty_steps_without_a_session(make: Callable[[], Any], rule: Callable[[Any], Any]) -> None:
    x = tf.Variable(START)
    optimizer = make()
    for _ in range(STEPS):
        optimizer.minimize(lambda: loss_of(x))
    np.testing.assert_allclose(x.numpy(), rule(START), rtol=1e-12)


@pytest.mark.parametrize(("make", "rule"), RULES)
def test_a_second_session_starts_anew(make: Callable[[], Any], rule: Callable[[Any], Any]) -> None:
    x = tf.Variable(START)
    step = make().minimize(loss_of(x))
    initial = tf.global_variables_initializer()
    results = []
    for _ in range(2):
        with tf.Session() as session:
            session.run(initial)
            session.run(step)
            results.append(session.run(x))
    np.testing.assert_array_equal(results[0], results[1])


def test_the_loss_of_a_run_is_the_one_before_the_step() -> None:
    x = tf.Variable(1.0)
    loss = x * x
    step = train.GradientDescentOptimizer(0.25).minimize(loss)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        assert [session.run([step, loss])[1] for _ in range(3)] == [1.0, 0.25, 0.0625]


def test_variables_move_together_by_gradients_of_the_same_point() -> None:
    x, w = tf.Variable(2.0), tf.Variable(3.0)
    step = train.GradientDescentOptimizer(0.1).minimize(x * w)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        session.run(step)
        np.testing.assert_allclose(session.run([x, w]), [2.0 - 0.3, 3.0 - 0.2], rtol=1e-6)


def test_names_are_tensorflows() -> None:
    x, w = tf.Variable([1.0], name="x"), tf.Variable([1.0], name="w")
    with tf.name_scope("training"):
        adam = train.AdamOptimizer()
        step = adam.minimize(tf.reduce_sum(x * w))
        momentum = train.MomentumOptimizer(0.1, 0.9)
        momentum.minimize(tf.reduce_sum(x * w))
    assert step.name == "training/Adam"
    names = [variable.name for variable in adam.variables()]
    assert sorted(names) == sorted(
        ["beta1_power:0", "beta2_power:0", "x/Adam:0", "x/Adam_1:0", "w/Adam:0", "w/Adam_1:0"]
    )
    assert adam.get_slot_names() == ["m", "v"]
    assert momentum.get_slot(x, "momentum").name == "x/Momentum:0"
    assert momentum.get_slot(x, "speed") is None
    assert all(not variable.trainable for variable in adam.variables())
    assert tf.trainable_variables() == [x, w]


def test_gradients_are_one_question_and_may_be_changed_in_between(graph: Graph) -> None:
    x, w, unused = tf.Variable(3.0), tf.Variable(5.0), tf.Variable(7.0)
    optimizer = train.GradientDescentOptimizer(0.5)
    pairs = optimizer.compute_gradients(x * x + w, [x, w, unused])
    assert [variable for _gradient, variable in pairs] == [x, w, unused]
    assert [g if g is None else g.numpy() for g, _variable in pairs] == [6.0, 1.0, None]
    assert [(record.kind, record.xs) for record in graph.backwards] == [
        ("gradients", (x.handle, w.handle, unused.handle))
    ]
    clipped = [(None if g is None else tf.minimum(g, 2.0), v) for g, v in pairs]
    optimizer.apply_gradients(clipped)
    assert [x.numpy(), w.numpy(), unused.numpy()] == [2.0, 4.5, 7.0]


def test_rows_of_a_gather_are_summed() -> None:
    x = tf.Variable([1.0, 2.0, 3.0])
    train.GradientDescentOptimizer(0.1).minimize(tf.reduce_sum(tf.gather(x, [0, 0, 2])))
    np.testing.assert_allclose(x.numpy(), [0.8, 2.0, 2.9], rtol=1e-6)


def test_the_global_step_counts() -> None:
    x = tf.Variable(1.0)
    counter = train.get_or_create_global_step()
    assert train.get_or_create_global_step() is counter
    step = train.GradientDescentOptimizer(0.1).minimize(x * x, global_step=counter)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        for _ in range(3):
            session.run(step)
        assert session.run(counter) == 3
    with pytest.raises(ValueError, match="has a global step"):
        train.create_global_step()


def test_the_rate_may_be_a_tensor_a_function_or_changed() -> None:
    x, rate = tf.Variable(np.float64(1.0)), tf.placeholder(tf.float32, [])
    step = train.GradientDescentOptimizer(rate).minimize(3.0 * x)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        session.run(step, {rate: 0.5})
        session.run(step, {rate: 0.25})
        assert session.run(x) == 1.0 - 1.5 - 0.75
    y = tf.Variable(1.0)
    optimizer = train.GradientDescentOptimizer(lambda: 0.5)
    optimizer.minimize(lambda: 3.0 * y, var_list=lambda: [y])
    optimizer.learning_rate = 0.25
    optimizer.minimize(lambda: 3.0 * y, var_list=[y])
    assert y.numpy() == 1.0 - 1.5 - 0.75


def test_a_step_waits_for_the_control_dependencies_around_it() -> None:
    x, other = tf.Variable(1.0), tf.Variable(1.0)
    bump = x.assign_add(9.0)
    with tf.control_dependencies([bump]):
        step = train.GradientDescentOptimizer(0.5).minimize(other * 1.0)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        session.run(step)
        assert session.run([x, other]) == [10.0, 0.5]


@pytest.mark.parametrize(
    ("gate", "gates"),
    [
        (train.Optimizer.GATE_NONE, 0),
        (train.Optimizer.GATE_OP, 1),
        (train.Optimizer.GATE_GRAPH, 1),
    ],
)
def test_gates(graph: Graph, gate: int, gates: int) -> None:
    x, w = tf.Variable(2.0), tf.Variable(3.0)
    pairs = train.GradientDescentOptimizer(0.1).compute_gradients(x * w, gate_gradients=gate)
    assert [gradient.numpy() for gradient, _variable in pairs] == [3.0, 2.0]
    assert [op.type for op in graph.operations].count("NoOp") == gates
    inside = [op.name for op in graph.operations if op.name.endswith("mul_grad/tuple/group_deps")]
    assert len(inside) == (gate == train.Optimizer.GATE_OP)


@pytest.mark.parametrize(
    ("call", "family", "message"),
    [
        (lambda o, x: o.minimize(tf.constant(1.0)), ValueError, "No gradients provided"),
        (lambda o, x: o.minimize(x * x, var_list=[]), ValueError, "No variables to optimize"),
        (lambda o, x: o.minimize(x * x, var_list=[x * 1.0]), TypeError, "var_list holds variables"),
        (lambda o, x: o.minimize(tf.cast(x, tf.int32)), ValueError, "Invalid type int32"),
        (
            lambda o, x: o.compute_gradients(x * x, gate_gradients=7),
            ValueError,
            "gate_gradients must be one of",
        ),
        (lambda o, x: o.apply_gradients([]), ValueError, "No variables provided"),
        (lambda o, x: o.apply_gradients([x]), TypeError, "takes pairs of a gradient"),
        (lambda o, x: o.apply_gradients([(1.0, 2.0)]), TypeError, "takes pairs of a gradient"),
        (lambda o, x: train.GradientDescentOptimizer(0.1, name=""), ValueError, "needs a name"),
    ],
)
def test_misuse_is_answered_by_a_sentence(call, family, message) -> None:  # type: ignore[no-untyped-def]
    x = tf.Variable(3.0)
    with pytest.raises(family, match=message):
        call(train.GradientDescentOptimizer(0.1), x)
