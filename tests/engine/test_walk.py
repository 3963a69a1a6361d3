"""The order of the walk, what it visits, and the names of what it adds."""

from __future__ import annotations

from typing import Any

import pytest

import engine as tf
from engine.backward import Backward
from engine.errors import ArgumentError
from engine.reachability import between


def record() -> Backward:
    return tf.get_default_graph().backwards[-1]


def visited() -> list[str]:
    """Return the operations whose outputs got a gradient, in the order of the walk."""
    return [tensor.op.name for tensor in record().gradients]


def added() -> list[str]:
    return [op.name for op in record().operations]


class TestOrder:
    def test_first_in_first_out(self) -> None:
        # k = h x, h = e + a, e = b d, b = exp a, d = sin x, a = x^2
        x = tf.constant(2.0, name="x")
        a = tf.square(x, name="a")
        d = tf.sin(x, name="d")
        b = tf.exp(a, name="b")
        e = tf.multiply(b, d, name="e")
        h = tf.add(e, a, name="h")
        k = tf.multiply(h, x, name="k")
        tf.gradients(k, x)
        assert visited() == ["k", "h", "e", "b", "d", "a", "x"]

    def test_it_is_not_the_reverse_of_creation(self) -> None:
        x = tf.constant(2.0, name="x")
        right = tf.sin(x, name="right")
        left = tf.exp(x, name="left")
        y = tf.multiply(left, right, name="y")
        tf.gradients(y, x)
        assert visited() == ["y", "left", "right", "x"]

    def test_terms_add_up_in_order_of_arrival(self) -> None:
        x = tf.constant(2.0, name="x")
        late = tf.negative(tf.negative(x, name="deep"), name="late")
        early = tf.sin(x, name="early")
        (gradient,) = tf.gradients(tf.add_n([late, early, x], name="sum"), x)
        assert [term.step.op.name for term in record().gradients[x].terms] == [
            "sum",
            "early",
            "deep",
        ]
        assert gradient.op.type == "AddN"
        assert [term.op.name for term in gradient.op.inputs] == [
            "gradients/grad_ys_0",
            "gradients/early_grad/Mul",
            "gradients/deep_grad/Neg",
        ]

    def test_a_y_above_another_y_waits_for_it(self) -> None:
        x = tf.constant(2.0, name="x")
        low = tf.square(x, name="low")
        high = tf.square(low, name="high")
        tf.gradients([low, high], x)
        assert visited() == ["high", "low", "x"]
        assert record().gradients[low].terms[0].step is None

    def test_ys_without_common_path_keep_their_order(self) -> None:
        x = tf.constant(2.0, name="x")
        first, second = tf.sin(x, name="first"), tf.cos(x, name="second")
        tf.gradients([second, first], x)
        assert visited() == ["second", "first", "x"]


class TestBetween:
    def test_pending_counts_input_slots(self) -> None:
        x = tf.constant(2.0)
        y = x * x
        z = y + x
        span = between([z], [x])
        assert span.pending[x.op] == 3
        assert span.pending[y.op] == 1
        assert span.pending[z.op] == 0

    def test_outputs_of_one_operation_add_up(self) -> None:
        pair = tf.identity_n([tf.constant(1.0), tf.constant(2.0)])
        total = pair[0] + pair[1]
        assert between([total], [pair[0]]).pending[pair[0].op] == 2

    def test_an_integer_output_ends_the_way_from_x(self) -> None:
        x = tf.constant(2.0)
        whole = tf.cast(x, "int32")
        back = tf.cast(whole, "float32")
        span = between([back], [x])
        assert whole.op in span.reached
        assert back.op not in span.reached
        assert back.op in span.touched

    def test_operations_behind_an_integer_do_not_hold_up_the_rest(self) -> None:
        x = tf.constant([3.7])
        y = tf.cast(tf.cast(x, "int32"), "float32") * x
        assert tf.gradients(y, x)[0].numpy().tolist() == [3]

    def test_operations_outside_are_never_looked_up(self, graph: tf.Graph) -> None:
        x = tf.constant(2.0)
        with graph.gradient_override_map({"Square": "Nowhere"}):
            before = tf.square(x)
            beside = tf.square(tf.constant(1.0))
        y = before * beside
        after = tf.square(y)
        assert tf.gradients(y, before)[0].numpy() == 1
        assert tf.gradients(after, y)[0].numpy() == 8


class TestCost:
    def test_is_linear_in_edges_however_many_paths_there_are(self) -> None:
        x = tf.constant(1.0, "float64")
        y = x
        for _ in range(300):
            y = y + y
        (gradient,) = tf.gradients(y, x)
        assert gradient.numpy() == 2.0**300
        assert len(record().steps) == 600
        assert [op.type for op in record().operations].count("AddN") == 300
        assert len(record().operations) == 302

    def test_nothing_is_built_that_leads_to_no_x(self) -> None:
        x, w = tf.constant(2.0), tf.constant(3.0)
        k = tf.exp(tf.sin(w))
        tf.gradients(tf.multiply(k, x), x)
        assert added() == [
            "gradients/grad_ys_0/Const",
            "gradients/grad_ys_0",
            "gradients/Mul_grad/Mul",
        ]


class TestPartlyUsedOutputs:
    def test_get_zeros(self) -> None:
        a, b = tf.constant([1.0, 2.0]), tf.constant(3.0)
        c, d = tf.identity_n([a, b], name="pair")
        grad_a, grad_b = tf.gradients(d * d, [a, b])
        assert grad_a.numpy().tolist() == [0, 0]
        assert grad_b.numpy() == 6
        assert tf.gradients(d, a)[0].numpy().tolist() == [0, 0]
        zeros = [op for op in record().operations if op.type == "ZerosLike"]
        assert [op.name for op in zeros] == ["gradients_1/zeros_like"]
        assert zeros[0].role == "zeros"
        assert zeros[0].inputs[0] is c

    def test_integer_outputs_get_none(self, graph: tf.Graph) -> None:
        seen = []

        @tf.RegisterGradient("Look")
        def _look(op: Any, *upstream: Any) -> Any:
            seen.append([entry is None for entry in upstream])
            return [upstream[0], None]

        with graph.gradient_override_map({"IdentityN": "Look"}):
            value, _whole = tf.identity_n([tf.constant(1.0), tf.constant(2)])
        tf.gradients(value, value.op.inputs[0])
        assert seen == [[False, True]]

    def test_an_operation_without_any_gradient_is_not_called(self, graph: tf.Graph) -> None:
        x = tf.constant(1.0)
        with graph.gradient_override_map({"Square": "Nowhere"}):
            hidden = tf.square(x)
        y = tf.stop_gradient(hidden) + x
        assert tf.gradients(y, x)[0].numpy() == 1

    def test_a_sibling_output_that_is_an_x(self) -> None:
        first, second = tf.identity_n([tf.constant(1.0), tf.constant(2.0)])
        assert tf.gradients(second * 3.0, [first, second])[0] is None
        assert tf.gradients(second, [first], unconnected_gradients="zero")[0].numpy() == 0


class TestNames:
    def test_stand_in_the_scope_of_the_call_and_the_operation(self, graph: tf.Graph) -> None:
        with graph.name_scope("fwd"):
            x = tf.constant(3.0, name="x")
            y = tf.multiply(x, x, name="sq")
        with graph.name_scope("bwd"):
            (gradient,) = tf.gradients(y, x)
        assert gradient.op.name == "bwd/gradients/AddN"
        assert added() == [
            "bwd/gradients/grad_ys_0/Const",
            "bwd/gradients/grad_ys_0",
            "bwd/gradients/fwd/sq_grad/Mul",
            "bwd/gradients/fwd/sq_grad/Mul_1",
            "bwd/gradients/AddN",
        ]
        assert record().name == "bwd/gradients"

    def test_a_second_call_is_numbered(self) -> None:
        x = tf.constant(3.0)
        y = tf.multiply(x, 2.0)
        first, second = tf.gradients(y, x)[0], tf.gradients(y, x)[0]
        third = tf.gradients(y, x, name="again")[0]
        assert first.op.name == "gradients/Mul_grad/Mul"
        assert second.op.name == "gradients_1/Mul_grad/Mul"
        assert third.op.name == "again/Mul_grad/Mul"

    def test_second_order(self) -> None:
        x = tf.constant(3.0, name="x")
        (first,) = tf.gradients(tf.square(x), x)
        (second,) = tf.gradients(first, x)
        assert first.op.name == "gradients/Square_grad/Mul_1"
        assert second.op.name.startswith("gradients_1/gradients/Square_grad/")
        assert "Mul_1_grad" in " ".join(added())
        assert second.numpy() == 2

    def test_zeros_for_an_unconnected_x_stand_outside(self) -> None:
        x, y = tf.constant(3.0), tf.constant(2.0)
        (zero,) = tf.gradients(y, x, unconnected_gradients="zero")
        assert zero.op.name == "zeros_like"

    def test_roles_and_forward_operations(self) -> None:
        x = tf.constant([[1.0, 2.0]], name="x")
        w = tf.constant(3.0, name="w")
        s = tf.sin(x, name="s")
        tf.gradients(tf.multiply(s, w, name="y"), [x, w])
        owners = {
            op.name.removeprefix("gradients/"): (op.role, op.forward_op and op.forward_op.name)
            for op in record().operations
        }
        assert owners["grad_ys_0"] == ("seed", None)
        assert owners["y_grad/Mul"] == ("chain", "y")
        assert owners["y_grad/Sum"] == ("unbroadcast", "y")
        assert owners["s_grad/Cos"] == ("local", "s")
        assert owners["s_grad/Mul"] == ("chain", "s")
        assert x.op.role == ""
        assert x.op.forward_op is None


class TestGating:
    def build(self, inputs: int) -> tuple[list[Any], list[Any]]:
        x, y = tf.constant(3.0, name="x"), tf.constant(4.0, name="y")
        product = tf.multiply(x, y, name="z")
        xs = [x, y][:inputs]
        return tf.gradients(product, xs, gate_gradients=True), xs

    def test_all_gradients_of_one_operation_wait_for_each_other(self, graph: tf.Graph) -> None:
        grads, _ = self.build(2)
        gate = graph.get_operation_by_name("gradients/z_grad/tuple/group_deps")
        assert gate.type == "NoOp"
        assert [op.name for op in gate.control_inputs] == [
            "gradients/z_grad/Mul",
            "gradients/z_grad/Mul_1",
        ]
        assert [g.op.name for g in grads] == [
            "gradients/z_grad/tuple/control_dependency",
            "gradients/z_grad/tuple/control_dependency_1",
        ]
        for gradient, product in zip(grads, ["Mul", "Mul_1"], strict=True):
            assert gradient.op.type == "Identity"
            assert gradient.op.control_inputs == (gate,)
            assert gradient.op.inputs[0].op.name == f"gradients/z_grad/{product}"
            assert gradient.op.role == "gate"
        with tf.Session() as session:
            assert session.run(grads) == [4, 3]

    def test_a_single_gradient_is_not_gated(self) -> None:
        grads, _ = self.build(1)
        assert grads[0].op.name == "gradients/z_grad/Mul"
        assert not any("tuple" in name for name in added())

    def test_none_stays_none(self, graph: tf.Graph) -> None:
        tf.RegisterGradient("Some")(lambda op, g: [g * 2.0, None, g * 3.0])
        xs = [tf.constant(1.0) for _ in range(3)]
        with graph.gradient_override_map({"AddN": "Some"}):
            y = tf.add_n(xs)
        first, second, third = tf.gradients(y, xs, gate_gradients=True)
        assert second is None
        assert first.op.name.endswith("control_dependency")
        assert third.op.name.endswith("control_dependency_1")


def test_colocation_puts_gradients_on_the_device_of_their_operation(graph: tf.Graph) -> None:
    x = tf.constant(3.0)
    with graph.device("/gpu:1"):
        y = tf.square(x, name="y")
    tf.gradients(y, x)
    assert {op.device for op in record().operations} == {""}
    tf.gradients(y, x, colocate_gradients_with_ops=True)
    inside = [op for op in record().operations if "y_grad" in op.name]
    assert inside
    assert {op.device for op in inside} == {"/gpu:1"}
    assert {op.get_attr("_class") for op in inside} == {("loc:@y",)}


@pytest.mark.parametrize("name", ["", None])
def test_an_empty_scope_name_is_the_top_level(name: Any) -> None:
    x = tf.constant(3.0)
    (gradient,) = tf.gradients(tf.multiply(x, 2.0), x, name=name)
    assert gradient.op.name == "Mul_grad/Mul"


def test_a_scope_name_must_be_a_name() -> None:
    x = tf.constant(3.0)
    with pytest.raises(ArgumentError, match="a name is a non-empty string"):
        tf.gradients(x, x, name="a\nb")
