"""The tape: what it records and what it answers."""

from __future__ import annotations

import logging
from collections.abc import Iterator

import numpy as np
import pytest

import engine as tf
from engine.backward import Reason
from engine.custom_gradient import custom_gradient
from engine.graph import Graph
from engine.tape import GradientTape


@pytest.fixture(autouse=True)
def graph() -> Iterator[Graph]:
    with Graph().as_default() as graph:
        yield graph


def value(tensor: object) -> object:
    return np.asarray(tensor.numpy()).tolist()  # type: ignore[attr-defined]


def test_a_variable_is_watched_when_it_is_read() -> None:
    x = tf.Variable(3.0)
    with GradientTape() as tape:
        y = tf.square(x)
    assert value(tape.gradient(y, x)) == 6.0
    assert tape.watched_variables() == (x,)


def test_a_read_older_than_the_tape_counts_when_it_is_used_inside() -> None:
    x = tf.Variable(3.0)
    before = x * 2.0
    with GradientTape() as tape:
        y = x * x + before
    assert value(tape.gradient(y, x)) == 6.0  # before is a constant


def test_an_explicit_read_made_before_the_tape_is_a_constant() -> None:
    x = tf.Variable(3.0)
    old = x.read_value()
    with GradientTape() as tape:
        y = old * old
    assert tape.gradient(y, x) is None


def test_each_read_of_a_variable_has_the_value_of_its_time() -> None:
    x = tf.Variable(3.0)
    with GradientTape() as tape:
        y = x * x
        x.assign(10.0)
        z = x * x
    assert value(tape.gradient([y, z], x)) == 6.0 + 20.0


def test_watching_can_be_left_to_the_user() -> None:
    x, w = tf.Variable(3.0), tf.Variable(2.0)
    with GradientTape(watch_accessed_variables=False) as tape:
        tape.watch(w)
        y = x * w
    assert tape.watched_variables() == (w,)
    gradients = tape.gradient(y, [x, w])
    assert gradients[0] is None
    assert value(gradients[1]) == 3.0


def test_a_variable_that_is_not_trainable_must_be_watched() -> None:
    x = tf.Variable(3.0, trainable=False)
    with GradientTape() as tape:
        y = x * x
    assert tape.gradient(y, x) is None
    with GradientTape() as tape:
        tape.watch(x)
        y = x * x
    assert value(tape.gradient(y, x)) == 6.0


def test_watched_variables_come_in_order_of_construction() -> None:
    first, second = tf.Variable(1.0), tf.Variable(2.0)
    with GradientTape() as tape:
        second * first
    assert tape.watched_variables() == (first, second)


def test_what_was_computed_before_the_watch_is_a_constant() -> None:
    x = tf.constant(3.0)
    with GradientTape() as tape:
        y = x * x
        tape.watch(x)
        z = x * y
    assert value(tape.gradient(z, x)) == 9.0


def test_a_source_that_is_not_watched_gets_none_and_the_record_says_why(graph: Graph) -> None:
    x, w = tf.constant(3.0), tf.constant(2.0)
    with GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = x * w
    got = tape.gradient(y, [x, w])
    assert value(got[0]) == 2.0
    assert got[1] is None
    record = graph.backwards[-1]
    assert record.kind == "tape"
    assert [(cut.op, cut.input, cut.reason) for cut in record.cuts] == [
        (y.op, 1, Reason.NOT_WATCHED)
    ]
    zeros = tape.gradient(y, [x, w], unconnected_gradients="zero")
    assert [value(entry) for entry in zeros] == [2.0, 0.0]


def test_watching_a_factor_after_the_product_does_not_help() -> None:
    x, w = tf.constant(3.0), tf.constant(2.0)
    with GradientTape() as tape:
        tape.watch(x)
        y = x * w
        tape.watch(w)
    assert tape.gradient(y, w) is None


def test_a_target_that_is_a_source_counts_with_ones_even_unwatched() -> None:
    x = tf.constant([3.0, 4.0])
    with GradientTape(persistent=True) as tape:
        y = x * x
    assert value(tape.gradient(x, x)) == [1.0, 1.0]
    assert value(tape.gradient([x, y], x)) == [1.0, 1.0]
    with GradientTape() as tape:
        tape.watch(x)
        y = x * x
    assert value(tape.gradient([x, y], x)) == [7.0, 9.0]


def test_an_unrecorded_product_is_not_differentiated_above_a_source() -> None:
    x = tf.constant(3.0)
    y = x * x
    with GradientTape() as tape:
        tape.watch([x, y])
        z = y * x
    got = tape.gradient(z, [x, y])
    assert [value(entry) for entry in got] == [9.0, 3.0]


def test_stop_gradient_hides_what_comes_after_it(graph: Graph) -> None:
    x = tf.constant(3.0)
    with GradientTape(persistent=True) as tape:
        tape.watch(x)
        stopped = tf.stop_gradient(x * x)
        after = stopped * 2.0
        z = after * x
    assert value(tape.gradient(z, x)) == 18.0
    reasons = {cut.op.type: cut.reason for cut in graph.backwards[-1].cuts}
    assert reasons["StopGradient"] is Reason.STOP_OP
    assert tape.gradient(z, stopped) is None
    assert tape.gradient(z, after) is None
    assert tape.gradient(after, x) is None


def test_recording_can_be_stopped_for_a_while() -> None:
    x = tf.constant(3.0)
    with GradientTape(persistent=True) as tape:
        tape.watch(x)
        with tape.stop_recording():
            y = x * x
        z = y * x
    assert value(tape.gradient(z, x)) == 9.0
    assert tape.gradient(y, x) is None
    assert tape.gradient(z, y) is None


def test_a_tape_can_be_entered_again_but_not_while_it_records() -> None:
    x = tf.constant(3.0)
    tape = GradientTape()
    with tape:
        tape.watch(x)
        y = x * x
        with pytest.raises(ValueError, match="Tape is still recording"), tape:
            pass
    between = y * x
    with tape:
        z = y * 5.0 + between
    assert value(tape.gradient(z, x)) == 30.0


def test_reset_forgets_what_is_watched() -> None:
    x, v = tf.constant(3.0), tf.Variable(2.0)
    with GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = x * v
        tape.reset()
        assert tape.watched_variables() == ()
        z = x * v
    assert tape.gradient(y, [x, v]) == [None, None]
    assert tape.gradient(z, x) is None
    assert value(tape.gradient(z, v)) == 3.0


def test_the_answer_has_the_structure_of_the_sources() -> None:
    x, y = tf.constant(3.0), tf.constant(4.0)
    with GradientTape() as tape:
        tape.watch({"a": [x], "b": (y,)})
        z = {"p": x * y, "q": [x * x]}
    got = tape.gradient(z, {"n": (y, [x]), "m": y})
    assert value(got["n"][0]) == 3.0
    assert value(got["n"][1][0]) == 4.0 + 6.0
    assert value(got["m"]) == 3.0


def test_output_gradients_weigh_the_targets() -> None:
    x = tf.constant(3.0)
    with GradientTape(persistent=True) as tape:
        tape.watch(x)
        targets = [x * 2.0, x * x, x * 7.0]
    got = tape.gradient(targets, x, output_gradients=[10.0, None])
    assert value(got) == 20.0 + 6.0 + 7.0  # None and the missing one are ones
    got = tape.gradient(targets[0], x, output_gradients=[10.0, 99.0])
    assert value(got) == 20.0  # one too many is ignored


def test_types_without_gradients() -> None:
    x = tf.constant(3.0)
    with GradientTape(persistent=True) as tape:
        tape.watch(x)
        whole = tf.cast(x, tf.int32)
        text = tf.constant("a")
    assert tape.gradient(whole, x) is None
    assert value(tape.gradient(whole, whole)) == 1
    assert tape.gradient(text, x) is None
    assert value(tape.gradient([text, x], x)) == 1.0


def test_a_complex_target_starts_with_ones() -> None:
    x = tf.constant(1 + 2j)
    with GradientTape() as tape:
        tape.watch(x)
        y = x * x
    assert value(tape.gradient(y, x)) == 2 - 4j  # conj(2x)


def test_watching_an_integer_is_answered_by_a_warning(caplog: pytest.LogCaptureFixture) -> None:
    with GradientTape() as tape, caplog.at_level(logging.WARNING):
        tape.watch(tf.constant(3))
    assert "must be floating (e.g. tf.float32), got int32" in caplog.text


def test_a_persistent_tape_gives_higher_orders_from_inside() -> None:
    x = tf.constant(3.0)
    with GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = x * x * x
        first = tape.gradient(y, x)
        second = tape.gradient(first, x)
    third = tape.gradient(second, x)
    assert [value(entry) for entry in (first, second, third)] == [27.0, 18.0, 6.0]


def test_a_tape_for_one_use_may_be_used_inside_once() -> None:
    x = tf.constant(3.0)
    with GradientTape() as tape:
        tape.watch(x)
        first = tape.gradient(x * x, x)
        second = first * x  # no longer recorded
    assert value(first) == 6.0
    with pytest.raises(RuntimeError, match="persistent=True"):
        tape.gradient(second, x)


def test_the_outer_of_two_tapes_must_record_the_inner_gradient() -> None:
    x = tf.constant(3.0)
    with GradientTape() as outer:
        outer.watch(x)
        with GradientTape() as inner:
            inner.watch(x)
            y = x * x * x
        first = inner.gradient(y, x)
    assert value(outer.gradient(first, x)) == 18.0
    with GradientTape() as outer:
        outer.watch(x)
        with GradientTape() as inner:
            inner.watch(x)
            y = x * x * x
    first = inner.gradient(y, x)
    assert outer.gradient(first, x) is None


def test_a_gather_gives_rows() -> None:
    x = tf.constant([1.0, 2.0, 3.0])
    with GradientTape() as tape:
        tape.watch(x)
        y = tf.gather(x, [0, 0, 2])
    got = tape.gradient(y, x)
    assert value(got.indices) == [0, 0, 2]
    assert value(got) == [2.0, 0.0, 1.0]


def test_a_gradient_of_ones_own_is_recorded() -> None:
    @custom_gradient
    def doubled(x: tf.Tensor) -> object:
        return x * 2.0, lambda upstream: upstream * 50.0

    x = tf.constant(3.0)
    with GradientTape() as tape:
        tape.watch(x)
        y = doubled(x)
    assert value(tape.gradient(y, x)) == 50.0


def test_jacobian_and_batch_jacobian_use_up_the_tape(graph: Graph) -> None:
    x = tf.constant([[1.0, 2.0], [3.0, 4.0]])
    with GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = x * x
    expected = np.zeros((2, 2, 2, 2))
    for i, j in np.ndindex(2, 2):
        expected[i, j, i, j] = 2 * x.numpy()[i, j]
    np.testing.assert_array_equal(tape.jacobian(y, [x])[0].numpy(), expected)
    np.testing.assert_array_equal(
        tape.batch_jacobian(y, x).numpy(), [np.diag([2.0, 4.0]), np.diag([6.0, 8.0])]
    )
    assert graph.backwards == []  # one pass for all rows, which is not a reader's question
    with GradientTape() as tape:
        tape.watch(x)
        y = x * x
    tape.batch_jacobian(y, x)
    with pytest.raises(RuntimeError, match="non-persistent GradientTape can only be used"):
        tape.jacobian(y, x)


def test_a_jacobian_by_an_unwatched_source_is_none() -> None:
    x, w = tf.constant([1.0, 2.0]), tf.constant([3.0, 4.0])
    with GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = x * w
    got = tape.jacobian(y, {"x": x, "w": w})
    assert value(got["x"]) == [[3.0, 0.0], [0.0, 4.0]]
    assert got["w"] is None
    assert value(tape.jacobian(y, w, "zero")) == [[0.0, 0.0], [0.0, 0.0]]


def test_a_jacobian_is_differentiated_by_an_outer_tape() -> None:
    x = tf.constant([1.0, 2.0])
    with GradientTape() as outer:
        outer.watch(x)
        with GradientTape() as inner:
            inner.watch(x)
            y = tf.reduce_sum(x * x * x)
        first = inner.gradient(y, x)
    assert value(outer.jacobian(first, x)) == [[6.0, 0.0], [0.0, 12.0]]
