"""The record of a call: steps, cuts with their reasons, terms."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import pytest

import engine as tf
from engine.backward import Backward, Reason
from engine.graph import source_line


def record() -> Backward:
    return tf.get_default_graph().backwards[-1]


def cuts() -> dict[tuple[str, int], Reason]:
    return {(cut.op.name, cut.input): cut.reason for cut in record().cuts}


def value(part: Any) -> Any:
    if part is None or isinstance(part, float):
        return part
    return part.numpy().tolist()


class TestSteps:
    def test_one_per_edge_crossed_in_order(self) -> None:
        # h = w x, y = h h + 5 stop(h) + x at w = 2, x = 3
        w, x = tf.constant(2.0, name="w"), tf.constant(3.0, name="x")
        h = tf.multiply(w, x, name="h")
        square = tf.multiply(h, h, name="square")
        held = tf.multiply(tf.stop_gradient(h, name="stop"), 5.0, name="held")
        y = tf.add_n([square, held, x], name="y")
        tf.gradients(y, x)
        shown = [
            (s.op.name, s.input, value(s.upstream), value(s.local), value(s.contribution))
            for s in record().steps
        ]
        assert shown == [
            ("y", 0, 1, shown[0][3], 1),
            ("y", 1, 1, shown[1][3], 1),
            ("y", 2, 1, shown[2][3], 1),
            ("square", 0, 1, 6, 6),
            ("square", 1, 1, 6, 6),
            ("held", 0, 1, 5, 5),
            ("h", 1, 12, 2, 24),
        ]
        assert cuts()["stop", 0] is Reason.STOP_OP
        assert all(step.output == 0 for step in record().steps)
        assert record().steps[-1].receiver is x

    def test_upstream_times_local_is_the_contribution(self) -> None:
        x = tf.constant([0.3, 0.7], "float64")
        y = tf.exp(tf.sin(x)) * tf.tanh(x)
        tf.gradients(y, x)
        seen = 0
        for step in record().steps:
            if isinstance(step.local, tf.Tensor):
                product = step.upstream.numpy() * step.local.numpy()
                np.testing.assert_allclose(product, step.contribution.numpy())
                seen += 1
        assert seen >= 4

    def test_a_constant_local_derivative_is_a_number(self) -> None:
        x, k = tf.constant(3.0), tf.constant(2.0)
        tf.gradients(x - k, [x, k])
        assert [step.local for step in record().steps] == [1.0, -1.0]

    def test_a_rule_that_is_no_product_has_no_local_derivative(self) -> None:
        x = tf.constant([[1.0, 2.0]])
        tf.gradients(tf.matmul(x, x, transpose_b=True), x)
        assert [step.local for step in record().steps] == [None, None]

    def test_the_output_whose_gradient_is_upstream(self) -> None:
        a, b = tf.constant(1.0), tf.constant(2.0)
        _, second = tf.identity_n([a, b], name="pair")
        tf.gradients(second, b)
        (step,) = (step for step in record().steps if step.op.name == "pair")
        assert (step.input, step.output) == (1, 1)
        assert step.upstream is record().seeds[0]

    def test_nothing_is_crossed_that_leads_to_no_x(self) -> None:
        x, k = tf.constant(3.0), tf.constant(2.0, name="k")
        tf.gradients(x * tf.square(k), x)
        assert {step.receiver.op.name for step in record().steps} == {"Const"}
        assert record().cuts == ()


class TestTerms:
    def test_the_seed_comes_first(self) -> None:
        x = tf.constant(3.0)
        y = x * x
        tf.gradients([x, y], x)
        gradient = record().gradients[x]
        assert [term.step is None for term in gradient.terms] == [True, False, False]
        assert [value(term.value) for term in gradient.terms] == [1, 3, 3]
        assert value(gradient.total) == 7

    def test_a_single_term_is_the_total(self) -> None:
        x = tf.constant(3.0)
        tf.gradients(tf.sin(x), x)
        gradient = record().gradients[x]
        assert gradient.terms[0].value is gradient.total

    def test_every_tensor_on_the_way_has_one(self) -> None:
        x = tf.constant(3.0)
        a = tf.sin(x)
        b = tf.cos(a)
        tf.gradients(b, x)
        assert list(record().gradients) == [b, a, x]

    def test_terms_and_steps_are_the_same_objects(self) -> None:
        x = tf.constant(3.0)
        tf.gradients(x * x + x, x)
        steps = record().steps
        terms = [t for g in record().gradients.values() for t in g.terms if t.step is not None]
        assert {id(term.step) for term in terms} == {id(step) for step in steps}
        assert all(term.value is term.step.contribution for term in terms if term.step)


class TestCuts:
    def test_stop_operation(self) -> None:
        x = tf.constant(3.0)
        tf.gradients(tf.stop_gradient(x, name="stop") * x, x)
        assert cuts() == {("stop", 0): Reason.STOP_OP}

    def test_stop_argument(self) -> None:
        x = tf.constant(3.0)
        y = tf.square(x, name="y")
        tf.gradients(y * x, x, stop_gradients=[y])
        assert cuts() == {("y", 0): Reason.STOP_ARGUMENT}
        assert record().stop_gradients == (y,)

    def test_integer(self) -> None:
        x = tf.constant(3.0)
        back = tf.cast(tf.cast(x, "int32", name="down"), "float32", name="up")
        tf.gradients(tf.multiply(back, x), x)
        assert cuts()["up", 0] is Reason.INTEGER

    def test_not_differentiable(self) -> None:
        x = tf.constant([3.0])
        tf.gradients(tf.zeros_like(x, name="z") + x, x)
        assert cuts() == {("z", 0): Reason.NOT_DIFFERENTIABLE}

    def test_returned_none(self, graph: tf.Graph) -> None:
        tf.RegisterGradient("Half")(lambda op, g: [g, None])
        x, y = tf.constant(3.0), tf.constant(4.0)
        with graph.gradient_override_map({"Mul": "Half"}):
            z = tf.multiply(x, y, name="z")
        assert tf.gradients(z, [x, y])[1] is None
        assert cuts() == {("z", 1): Reason.RETURNED_NONE}

    def test_no_upstream(self) -> None:
        x = tf.constant(3.0)
        hidden = tf.square(x, name="hidden")
        tf.gradients(tf.stop_gradient(hidden, name="stop") + x, x)
        assert cuts() == {("stop", 0): Reason.STOP_OP, ("hidden", 0): Reason.NO_UPSTREAM}

    def test_an_edge_off_the_way_is_no_cut(self) -> None:
        x, k = tf.constant(3.0), tf.constant(2.0)
        tf.gradients(x * tf.stop_gradient(k), x)
        assert cuts() == {}
        tf.gradients(tf.stop_gradient(k), x)
        assert cuts() == {}

    def test_a_cut_names_its_tensor(self) -> None:
        x = tf.constant(3.0)
        tf.gradients(tf.stop_gradient(x), x)
        (cut,) = record().cuts
        assert cut.tensor is x

    def test_every_edge_between_is_a_step_or_a_cut(self) -> None:
        x = tf.constant([1.0, 2.0])
        y = tf.square(x)
        z = tf.reduce_sum(y * tf.stop_gradient(y) + tf.cast(tf.cast(y, "int32"), "float32"))
        tf.gradients(z, x)
        edges = {(step.op, step.input) for step in record().steps}
        edges |= {(cut.op, cut.input) for cut in record().cuts}
        between = [op for op in tf.get_default_graph().operations if op.id <= z.op.id and op.inputs]
        assert edges == {
            (op, slot)
            for op in between
            for slot, tensor in enumerate(op.inputs)
            if tensor.op is not x.op or op.type == "Square"
        }


class TestTheWhole:
    def test_what_was_asked_and_answered(self, graph: tf.Graph) -> None:
        x, y = tf.constant(3.0), tf.constant(2.0)
        z = x * x
        token = source_line.set(12)
        answer = tf.gradients(z, [x, y], name="mine", aggregation_method=1)
        source_line.reset(token)
        found = record()
        assert (found.kind, found.name, found.line) == ("gradients", "mine", 12)
        assert found.graph is graph
        assert found.ys == (z,)
        assert [entry is other for entry, other in zip(found.xs, (x, y), strict=True)] == [True] * 2
        assert list(found.results) == answer
        assert found.unconnected == (False, True)
        assert found.aggregation_method == 1
        assert found.operations == graph.operations[3:]
        with pytest.raises(dataclasses.FrozenInstanceError):
            found.name = "other"  # type: ignore[misc]

    def test_zeros_are_told_apart_from_gradients(self) -> None:
        x, y = tf.constant(3.0), tf.constant(2.0)
        tf.gradients(x, [x, y], unconnected_gradients="zero")
        assert record().unconnected == (False, True)
        assert record().results[1].numpy() == 0
        assert y not in record().gradients

    def test_calls_are_kept_in_order(self, graph: tf.Graph) -> None:
        x = tf.constant(3.0)
        (first,) = tf.gradients(x * x, x)
        tf.gradients(first, x)
        assert [entry.name for entry in graph.backwards] == ["gradients", "gradients_1"]

    def test_indexed_slices_stand_in_it_as_they_are(self) -> None:
        x = tf.constant([1.0, 2.0])
        tf.gradients(tf.gather(x, tf.constant([1, 1])), x)
        assert isinstance(record().steps[0].contribution, tf.IndexedSlices)
        assert isinstance(record().gradients[x].total, tf.IndexedSlices)
