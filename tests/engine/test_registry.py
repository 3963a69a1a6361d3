"""The registry of gradient functions, and who looks up what."""

from __future__ import annotations

from typing import Any

import pytest

import engine as tf
from engine import opdef, registry
from engine.errors import ArgumentError, ArgumentTypeError, GradientLookupError, RegistryError
from engine.opdef import define, same_shape
from engine.registry import Registry, gradient_function


def nothing(op: Any, upstream: Any) -> list[Any]:
    return [None] * len(op.inputs)


def test_the_decorator_returns_the_function() -> None:
    assert tf.RegisterGradient("Mine")(nothing) is nothing
    assert registry.current().get("Mine") is nothing


def test_registering_twice_names_the_first_place() -> None:
    tf.RegisterGradient("Mine")(nothing)
    line = nothing.__code__.co_firstlineno
    message = (
        rf"Registering two gradient with name 'Mine'! \(Previous registration was in "
        rf".*test_registry.py:{line}\)"
    )
    with pytest.raises(RegistryError, match=message):
        tf.RegisterGradient("Mine")(nothing)
    with pytest.raises(KeyError, match=message):
        tf.NotDifferentiable("Mine")


def test_a_refusal_names_its_place_as_well() -> None:
    tf.NotDifferentiable("Mine")
    with pytest.raises(RegistryError, match=r"was in .*test_registry.py:\d+"):
        tf.RegisterGradient("Mine")(nothing)


def test_the_library_s_own_names_are_taken() -> None:
    with pytest.raises(RegistryError, match="with name 'Square'"):
        tf.RegisterGradient("Square")(nothing)


@pytest.mark.parametrize("name", [3, None, nothing])
def test_a_name_is_a_string(name: Any) -> None:
    with pytest.raises(ArgumentTypeError, match="op_type must be a string"):
        tf.RegisterGradient(name)
    with pytest.raises(TypeError, match="op_type must be a string"):
        tf.NotDifferentiable(name)


def test_three_spellings_of_not_differentiable() -> None:
    for number, register in enumerate((tf.NotDifferentiable, tf.NoGradient, tf.no_gradient)):
        register(f"Mine{number}")
        assert registry.current().get(f"Mine{number}") is None


def test_a_missing_name_is_an_error() -> None:
    with pytest.raises(GradientLookupError, match="gradient registry has no entry for: Mine"):
        registry.current().get("Mine")


def test_an_overlay_is_dropped_at_the_end() -> None:
    with registry.scoped() as overlay:
        tf.RegisterGradient("Mine")(nothing)
        assert "Mine" in overlay
        assert "Square" in overlay
        assert overlay.names()[-1] == "Mine"
    assert "Mine" not in registry.current()


def test_a_graph_keeps_the_registry_it_was_made_under() -> None:
    with registry.scoped():
        tf.RegisterGradient("Mine")(lambda op, upstream: upstream * 7.0)
        graph = tf.Graph()
        with graph.as_default(), graph.gradient_override_map({"Square": "Mine"}):
            x = tf.constant(3.0)
            y = tf.square(x)
    assert tf.gradients(y, x)[0].numpy() == 7


def test_registries_stack() -> None:
    below = Registry()
    above = Registry(below)
    below.register("A", nothing)
    above.register("B", None)
    assert above.names() == ("A", "B")
    assert above.get("A") is nothing
    assert above.get("B") is None
    assert "B" not in below
    with pytest.raises(RegistryError, match="with name 'A'"):
        above.register("A", None)
    assert above.place("nothing") == "unknown"


class TestLookUp:
    def test_order(self, graph: tf.Graph) -> None:
        x = tf.constant(3.0)
        assert gradient_function(x.op) is None
        square = tf.square(x)
        assert gradient_function(square.op) is registry.current().get("Square")
        tf.RegisterGradient("Mine")(nothing)
        with graph.gradient_override_map({"Square": "Mine"}):
            overridden = tf.square(x)
        assert gradient_function(overridden.op) is nothing
        overridden.op.gradient_function = test_the_decorator_returns_the_function
        assert gradient_function(overridden.op) is test_the_decorator_returns_the_function

    def test_a_missing_gradient_names_operation_and_type(
        self, graph: tf.Graph, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(opdef, "_OPS", dict(opdef._OPS))
        define(
            "NothingRegistered", kernel=lambda x: x, shape=same_shape, latex=r"\mathrm{nothing}(#1)"
        )
        x = tf.constant([2.0, 1.0])
        y = graph.create_op("NothingRegistered", [x], name="odd").outputs[0]
        with pytest.raises(
            LookupError,
            match=r"No gradient defined for operation'odd' \(op type: NothingRegistered\): "
            r"register one with @tf.RegisterGradient\('NothingRegistered'\), or put tf.stop_",
        ):
            tf.gradients(y, x)
        assert tf.gradients(y, y)[0].numpy().tolist() == [1, 1]

    def test_prevent_gradient_raises_with_its_reason(self) -> None:
        x = tf.constant(1.0)
        y = tf.prevent_gradient(x, message="not this way", name="wall")
        assert y.numpy() == 1
        with pytest.raises(LookupError, match=r"disabled at 'wall'. Reason: 'not this way'"):
            tf.gradients(y, x)
        assert tf.gradients(y, y)[0].numpy() == 1


class TestOverrideMap:
    def test_affects_only_operations_made_inside(self, graph: tf.Graph) -> None:
        tf.RegisterGradient("Tenfold")(lambda op, upstream: 10.0 * upstream)
        x = tf.constant(3.0)
        with graph.gradient_override_map({"Identity": "Tenfold"}):
            inside = tf.identity(x)
        outside = tf.identity(x)
        assert tf.gradients(inside, x)[0].numpy() == 10
        assert tf.gradients(outside, x)[0].numpy() == 1

    def test_nests_and_restores(self, graph: tf.Graph) -> None:
        names = []
        x = tf.constant(3.0)

        def note() -> None:
            names.append(tf.square(x).op.attrs.get("_gradient_op_type"))

        with graph.gradient_override_map({"Square": "A", "Mul": "M"}):
            note()
            with graph.gradient_override_map({"Square": "B"}):
                note()
                assert (x * x).op.attrs["_gradient_op_type"] == "M"
            note()
        note()
        assert names == ["A", "B", "A", None]

    def test_a_name_that_is_not_registered_matters_only_when_it_is_needed(
        self, graph: tf.Graph
    ) -> None:
        x = tf.constant(3.0)
        with graph.gradient_override_map({"Square": "Nowhere"}):
            y = tf.square(x)
        assert y.numpy() == 9
        with pytest.raises(
            LookupError, match=r"operation'Square' \(op type: Square\).*RegisterGradient\('Nowhere'"
        ):
            tf.gradients(y, x)

    @pytest.mark.parametrize("given", [None, [("a", "b")], {"a": 1}, {1: "a"}])
    def test_is_a_dictionary_of_strings(self, graph: tf.Graph, given: Any) -> None:
        with (
            pytest.raises(
                TypeError, match="op_type_map must be a dictionary mapping strings to strings"
            ),
            graph.gradient_override_map(given),
        ):
            pass


class TestWhatAFunctionReturns:
    """A gradient function returns one gradient, or None, per input."""

    def gradients(self, graph: tf.Graph, answer: Any, inputs: int = 1) -> list[Any]:
        tf.RegisterGradient("Mine")(lambda op, *upstream: answer)
        xs = [tf.constant(1.0, name=f"x{k}") for k in range(inputs)]
        with graph.gradient_override_map({"AddN": "Mine"}):
            y = graph.create_op("AddN", xs, name="total").outputs[0]
        return tf.gradients(y, xs)

    def test_one_alone_for_one_input(self, graph: tf.Graph) -> None:
        seven = tf.constant(7.0)
        assert self.gradients(graph, seven) == [seven]

    def test_none_alone_for_one_input(self, graph: tf.Graph) -> None:
        assert self.gradients(graph, None) == [None]

    @pytest.mark.parametrize(
        ("answer", "inputs", "count"), [(None, 2, 1), ([], 1, 0), ((None,) * 3, 2, 3)]
    )
    def test_the_number_must_fit(
        self, graph: tf.Graph, answer: Any, inputs: int, count: int
    ) -> None:
        message = (
            rf"Num gradients {count} generated for op 'total' \(op type: AddN\) "
            rf"do not match num inputs {inputs}"
        )
        with pytest.raises(ArgumentError, match=message):
            self.gradients(graph, answer, inputs)

    def test_plain_numbers_are_refused(self, graph: tf.Graph) -> None:
        with pytest.raises(
            TypeError, match=r"function of 'total' .* must return tensors .*got float for input 0"
        ):
            self.gradients(graph, [2.0])

    def test_a_wrong_shape_names_operation_input_and_shapes(self, graph: tf.Graph) -> None:
        wrong = tf.constant([1.0, 2.0, 3.0])
        with pytest.raises(
            ValueError,
            match=r"Forward operation: total. Input index: 0. Original input shape: \(\). "
            r"Calculated input gradient shape: \(3,\)",
        ):
            self.gradients(graph, wrong)

    def test_another_type_is_returned_as_it_is(self, graph: tf.Graph) -> None:
        double = tf.constant(2.0, "float64")
        assert self.gradients(graph, double)[0].dtype is tf.float64

    def test_an_entry_may_be_a_function_called_only_if_wanted(self, graph: tf.Graph) -> None:
        called = []

        def entry(slot: int) -> Any:
            def make() -> Any:
                called.append(slot)
                return tf.constant(float(slot))

            return make

        tf.RegisterGradient("Mine")(lambda op, upstream: [entry(0), entry(1)])
        a, b = tf.constant(1.0), tf.constant(2.0)
        with graph.gradient_override_map({"Mul": "Mine"}):
            y = a * b
        assert tf.gradients(y, b)[0].numpy() == 1
        assert called == [1]

    def test_an_error_inside_propagates(self, graph: tf.Graph) -> None:
        @tf.RegisterGradient("Mine")
        def _broken(op: Any, upstream: Any) -> Any:
            raise RuntimeError("inside")

        x = tf.constant(1.0)
        with graph.gradient_override_map({"Square": "Mine"}):
            y = tf.square(x)
        with pytest.raises(RuntimeError, match="inside"):
            tf.gradients(y, x)
        assert tf.square(x).op.role == ""
        assert tf.square(x).op.name == "Square_2"
