"""Gradients of one's own, and what is built on them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import engine as tf
from engine.backward import Reason
from engine.custom_gradient import custom_gradient, grad_pass_through, recompute_grad
from engine.graph import Graph


@pytest.fixture(autouse=True)
def graph() -> Iterator[Graph]:
    with Graph().as_default() as graph:
        yield graph


def numbers(tensors: Any) -> list[Any]:
    return [None if tensor is None else np.asarray(tensor.numpy()).tolist() for tensor in tensors]


def test_the_users_gradient_takes_the_place_of_the_registered_ones(graph: Graph) -> None:
    @custom_gradient
    def tripled(x: Any) -> Any:
        """Three times x, or so."""
        return x * x, lambda upstream: 3.0 * upstream

    x = tf.constant(5.0)
    y = tripled(tripled(x))
    assert y.numpy() == 625.0
    assert numbers(tf.gradients(y, x)) == [9.0]
    assert tripled.__doc__ == "Three times x, or so."
    assert tripled.__name__ == "tripled"
    reasons = {cut.reason for cut in graph.backwards[-1].cuts}
    assert reasons == {Reason.REPLACED, Reason.NO_UPSTREAM}


def test_partial_derivatives_can_be_swapped_and_values_are_converted() -> None:
    @custom_gradient
    def product(x: Any, w: Any) -> Any:
        return x * w, lambda upstream: [x * upstream, w * upstream]

    x, w = tf.constant(3.0), tf.Variable(5.0)
    assert numbers(tf.gradients(product(x, w), [x, w])) == [3.0, 5.0]
    assert product(2.0, np.float32(4.0)).numpy() == 8.0


def test_a_none_entry_contributes_nothing() -> None:
    first = custom_gradient(lambda x, w: (x * w, lambda upstream: (upstream * 7.0, None)))
    x, w = tf.constant(3.0), tf.constant(5.0)
    assert numbers(tf.gradients(first(x, w), [x, w])) == [7.0, None]


def test_nested_results_and_arguments_keep_their_structure() -> None:
    @custom_gradient
    def parts(pair: Any) -> Any:
        def gradient(of_a: Any, of_b: Any) -> Any:
            return [of_a * 10.0, of_b * 100.0]

        return {"b": pair[1] * 1.0, "a": (pair[0] * 1.0,)}, gradient

    x, w = tf.constant(3.0), tf.constant(5.0)
    result = parts([x, w])
    assert set(result) == {"a", "b"}
    assert numbers(tf.gradients([result["a"][0], result["b"]], [x, w])) == [10.0, 100.0]
    # the unused result's gradient is zero, not None
    assert numbers(tf.gradients(result["b"], [x, w])) == [0.0, 100.0]


def test_methods_can_be_decorated() -> None:
    class Layer:
        def __init__(self, factor: float) -> None:
            self.factor = factor

        @custom_gradient
        def call(self, x: Any) -> Any:
            return x * self.factor, lambda upstream: upstream * self.factor * 2.0

    x = tf.constant(3.0)
    y = Layer(4.0).call(x)
    assert y.numpy() == 12.0
    assert numbers(tf.gradients(y, x)) == [8.0]


def test_the_users_operations_are_differentiated_again() -> None:
    @custom_gradient
    def cube(x: Any) -> Any:
        return x**3.0, lambda upstream: upstream * 5.0 * x * x

    x = tf.constant(2.0)
    first = tf.gradients(cube(x), x)[0]
    assert first.numpy() == 20.0
    assert numbers(tf.gradients(first, x)) == [20.0]  # 10 x


def test_variables_that_are_read_get_gradients_by_name() -> None:
    w, a = tf.Variable(2.0, name="w"), tf.Variable(3.0, name="a")
    frozen = tf.Variable(4.0, trainable=False)
    seen: list[Any] = []

    @custom_gradient
    def line(x: Any) -> Any:
        def gradient(upstream: Any, variables: Any = None) -> Any:
            seen.extend(variables)
            return upstream * 1.0, [upstream * 10.0, upstream * 100.0]

        return x * w * a * frozen, gradient

    x = tf.constant(5.0)
    assert numbers(tf.gradients(line(x), [x, w, a])) == [1.0, 100.0, 10.0]
    assert [variable.name for variable in seen] == ["a:0", "w:0"]


def test_a_variable_that_is_an_argument_is_not_among_the_variables() -> None:
    w = tf.Variable(2.0)
    double = custom_gradient(lambda v: (v * 2.0, lambda upstream: upstream * 9.0))
    assert numbers(tf.gradients(double(w), w)) == [9.0]


def test_an_error_in_the_gradient_function_reaches_the_user() -> None:
    def gradient(upstream: Any) -> Any:
        raise RuntimeError("mine")

    x = tf.constant(3.0)
    y = custom_gradient(lambda x: (x * 1.0, gradient))(x)
    with pytest.raises(RuntimeError, match="mine"):
        tf.gradients(y, x)


def test_an_error_in_the_function_leaves_nothing_behind(graph: Graph) -> None:
    with pytest.raises(ZeroDivisionError):
        custom_gradient(lambda x: 1 / 0)(tf.constant(3.0))
    assert graph.observers == []


@pytest.mark.parametrize(
    ("function", "family", "message"),
    [
        (lambda x, w: x, TypeError, "must return its result and a gradient function"),
        (lambda x, w: (x, 3.0), TypeError, "must return its result and a gradient function"),
        (lambda x, w: (x * 1.0, lambda g: [g, g]), ValueError, "expected to return 1 gradients"),
        (lambda x, w: (x * 1.0, lambda g: []), ValueError, "but returned 0 instead"),
        (lambda x, w: (x * w, lambda g: g), TypeError, "accept a 'variables' keyword argument"),
        (lambda x, w: (x * w, lambda g, variables: g), ValueError, "must return a pair"),
        (
            lambda x, w: (x * w, lambda g, variables: (g, [])),
            ValueError,
            "Must return gradient for each variable",
        ),
    ],
)
def test_misuse_is_answered_by_a_sentence(function, family, message) -> None:  # type: ignore[no-untyped-def]
    x, w = tf.constant(3.0), tf.Variable(2.0)
    with pytest.raises(family, match=message):
        tf.gradients(custom_gradient(lambda value: function(value, w))(x), x)


def test_grad_pass_through_hands_the_gradient_on() -> None:
    x, w = tf.constant(2.4), tf.Variable(3.0)
    assert numbers(tf.gradients(tf.round(x) * 5.0, x)) == [None]
    passed = grad_pass_through(lambda value: tf.round(value) * w)(x)
    assert passed.numpy() == 6.0
    assert numbers(tf.gradients(passed * 5.0, [x, w])) == [5.0, None]


def test_recompute_grad_gives_the_same_gradients_to_any_order() -> None:
    w = tf.Variable(3.0)

    def function(x: Any) -> Any:
        return tf.sin(x) * x * w

    x = tf.constant([0.5, 1.5])
    through = x * w  # w also sits above the argument
    plain, again = function(through), recompute_grad(function)(through)
    expected, got = tf.gradients(plain, [x, w]), tf.gradients(again, [x, w])
    for one, other in zip(expected, got, strict=True):
        np.testing.assert_allclose(other.numpy(), one.numpy(), rtol=1e-6)
    second = [tf.gradients(first[0], x)[0].numpy() for first in (expected, got)]
    np.testing.assert_allclose(second[1], second[0], rtol=1e-5)


def test_recompute_grad_runs_the_function_again_for_the_gradient(graph: Graph) -> None:
    x = tf.constant(0.5)
    y = recompute_grad(tf.sin)(x)
    assert [op.type for op in graph.operations].count("Sin") == 1
    tf.gradients(y, x)
    assert [op.type for op in graph.operations].count("Sin") == 2
