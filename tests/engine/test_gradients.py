"""What `gradients` returns."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import engine as tf
from engine.errors import ArgumentError, GraphError


def numbers(tensors: list[Any]) -> list[Any]:
    return [None if tensor is None else tensor.numpy().tolist() for tensor in tensors]


class TestArguments:
    def test_the_answer_is_a_list_whatever_xs_is(self) -> None:
        x = tf.constant(3.0)
        y = x * x
        for ys in (y, [y], (y,)):
            for xs in (x, [x], (x,)):
                answer = tf.gradients(ys, xs)
                assert type(answer) is list
                assert numbers(answer) == [6]

    def test_no_ys_and_no_xs(self) -> None:
        x = tf.constant(3.0)
        assert tf.gradients([], [x, x]) == [None, None]
        assert tf.gradients(x * x, []) == []

    def test_none_is_refused(self) -> None:
        x = tf.constant(3.0)
        with pytest.raises(TypeError, match="ys is None; give a tensor or a list of tensors"):
            tf.gradients(None, x)
        with pytest.raises(TypeError, match="xs is None"):
            tf.gradients(x, None)
        with pytest.raises(ValueError, match="None values not supported"):
            tf.gradients([x, None], x)

    def test_plain_numbers_are_unconnected(self) -> None:
        x = tf.constant(3.0)
        assert tf.gradients(2.0, x) == [None]
        assert tf.gradients(x, 2.0) == [None]

    def test_graphs_must_agree(self) -> None:
        with tf.Graph().as_default():
            foreign = tf.constant(1.0, name="far")
        y = tf.constant(3.0, name="y")
        with pytest.raises(GraphError, match="far:0 must be from the same graph as"):
            tf.gradients(y, foreign)
        with pytest.raises(GraphError, match="must be from the same graph"):
            tf.gradients([y, foreign], y)

    @pytest.mark.parametrize("value", ["nonsense", 0, None])
    def test_unconnected_gradients_is_none_or_zero(self, graph: tf.Graph, value: Any) -> None:
        x = tf.constant(3.0)
        message = f"Unknown value for unconnected_gradients: {value!r}; it is 'none' or 'zero'"
        with pytest.raises(ArgumentError, match=message):
            tf.gradients(x * x, x, unconnected_gradients=value)
        assert not any(op.name.startswith("gradients") for op in graph.operations)

    def test_a_failed_call_leaves_the_graph_usable(self, graph: tf.Graph) -> None:
        x = tf.constant(3.0)
        y = tf.prevent_gradient(x) * x
        with pytest.raises(LookupError, match="explicitly disabled"):
            tf.gradients(y, x)
        assert graph.backwards == []
        assert tf.constant(1.0).op.name == "Const_1"
        assert tf.constant(1.0).op.role == ""


class TestSums:
    def test_ys_are_summed(self) -> None:
        x = tf.constant(3.0)
        square, cube = x**2.0, x**3.0
        assert numbers(tf.gradients([square, cube], x)) == [6 + 27]
        assert numbers(tf.gradients([square, square], x)) == [12]

    def test_a_y_above_another(self) -> None:
        # y = x^2, z = y^4 at 3: 2x + 8x^7 = 6 + 17496
        x = tf.constant(3.0)
        y = tf.square(x)
        z = tf.square(tf.square(y))
        assert numbers(tf.gradients([y, z], x)) == [17502]
        assert numbers(tf.gradients([z, y], x)) == [17502]
        assert numbers(tf.gradients([tf.identity(y), tf.identity(z)], x)) == [17502]
        assert numbers(tf.gradients(y + z, x)) == [17502]

    def test_fan_out_adds_up(self) -> None:
        # h = w x, y = h h + 5 stop(h) + x at w = 2, x = 3: 12 + 12 + 1
        w, x = tf.constant(2.0), tf.constant(3.0)
        h = w * x
        y = h * h + tf.stop_gradient(h) * 5.0 + x
        assert numbers(tf.gradients(y, x)) == [25]
        assert numbers(tf.gradients(h * h + h * 5.0 + x, x)) == [35]

    def test_y_is_x(self) -> None:
        x = tf.constant([3.0, 4.0])
        (gradient,) = tf.gradients(x, x)
        assert gradient.op.name == "gradients/grad_ys_0"
        assert numbers([gradient]) == [[1, 1]]

    def test_the_same_x_twice_is_one_tensor(self) -> None:
        x = tf.constant(3.0)
        first, second = tf.gradients(x * x, [x, x])
        assert first is second


class TestTotalAndPartial:
    """a = 0, b = 2a: the gradient of a + b with respect to a is 3 in all, 1 with b held."""

    def test_an_x_with_another_x_above_it_is_differentiated_through(self) -> None:
        a = tf.constant(0.0)
        b = 2.0 * a
        assert numbers(tf.gradients(a + b, [a, b])) == [3, 1]
        assert numbers(tf.gradients(a + b, [a, b], stop_gradients=[a, b])) == [1, 1]
        assert numbers(tf.gradients(a + b, [a, b], stop_gradients=[b])) == [1, 1]
        assert numbers(tf.gradients(a + b, [a, b], stop_gradients=b)) == [1, 1]
        assert numbers(tf.gradients(a + b, [a, b], stop_gradients=[a])) == [3, 1]
        y = a + b
        assert numbers(tf.gradients(y, [a, b], stop_gradients=[y])) == [None, None]

    def test_an_x_alone_is_not_differentiated_through(self, graph: tf.Graph) -> None:
        with graph.gradient_override_map({"Square": "Nowhere"}):
            x = tf.square(tf.constant(2.0))
        assert numbers(tf.gradients(x * x, x)) == [8]

    def test_the_chain_of_the_articles(self) -> None:
        # a = 12 x, b = 2 a, c = 3 b, y = a + b + c: dy/da = 9, dy/dx = 108
        x = tf.constant(1.0)
        a = 12.0 * x
        b = 2.0 * a
        c = 3.0 * b
        y = a + b + c
        assert numbers(tf.gradients(y, [x, a, b, c])) == [108, 9, 4, 1]
        assert numbers(tf.gradients(y, [a, b, c], stop_gradients=[a, b, c])) == [1, 1, 1]


class TestStops:
    def test_stop_gradients_is_for_one_call(self) -> None:
        # z = y x, y = x^2 at 2: with y held dz/dx = y = 4, and d(y)/dx = 2x = 4
        x = tf.constant(2.0)
        y = x * x
        z = y * x
        (first,) = tf.gradients(z, x, stop_gradients=[y])
        assert numbers([first]) == [4]
        assert numbers(tf.gradients(first, x)) == [4]
        assert numbers(tf.gradients(z, x)) == [12]

    def test_a_stop_is_for_all_outputs_of_its_operation(self) -> None:
        x, k = tf.constant([2.0, 3.0]), tf.constant(5.0)
        first, second = tf.identity_n([tf.reduce_sum(x), k * 1.0])
        y = first * second
        assert numbers(tf.gradients(y, x)) == [[5, 5]]
        assert numbers(tf.gradients(y, [x, k], stop_gradients=[first])) == [None, None]

    def test_the_stopped_tensor_still_has_its_own_gradient(self) -> None:
        x = tf.constant(2.0)
        y = x * x
        assert numbers(tf.gradients(y * x, [x, y], stop_gradients=[y])) == [4, 2]

    def test_the_first_stop_on_the_way_back_counts(self) -> None:
        x = tf.constant(2.0)
        y = x * x
        s = tf.stop_gradient(y)
        z = s * y
        assert numbers(tf.gradients(z, [x, y, s], stop_gradients=[y])) == [None, 4, 4]

    def test_a_list_is_packed(self) -> None:
        x, y = tf.constant(2.0), tf.constant(3.0)
        s = tf.stop_gradient([x, y])
        assert s.shape == (2,)
        assert numbers(tf.gradients(tf.reduce_sum(s) * x, [x, y, s])) == [5, None, [2, 2]]

    def test_every_subset_equals_stop_gradient_operations(self) -> None:
        rng = np.random.default_rng(0)
        factors = rng.uniform(-1, 1, (4, 4, 3, 3))
        offsets = rng.uniform(-1, 1, (4, 3, 3))

        def build(stopped: tuple[str, ...]) -> dict[str, Any]:
            made: dict[str, Any] = {}

            def add(name: str, *sources: str) -> None:
                row = len(made)
                value = tf.constant(offsets[row])
                for column, source in enumerate(sources):
                    value = value + tf.matmul(tf.constant(factors[row, column]), made[source])
                made[name] = tf.stop_gradient(value) if name in stopped else value

            add("a")
            add("b", "a")
            add("c", "a", "b")
            add("d", "b", "c")
            return made

        names = "abcd"
        subsets = [s for size in range(5) for s in itertools.combinations(names, size)]
        assert len(subsets) == 16
        plain = build(())
        for stopped in subsets:
            with_ops = build(stopped)
            for wanted in subsets:
                if not wanted:
                    continue
                by_op = tf.gradients(with_ops["d"], [with_ops[name] for name in wanted])
                by_argument = tf.gradients(
                    plain["d"],
                    [plain[name] for name in wanted],
                    stop_gradients=[plain[name] for name in stopped],
                )
                for left, right in zip(by_op, by_argument, strict=True):
                    assert (left is None) == (right is None), (stopped, wanted)
                    if left is not None:
                        np.testing.assert_allclose(left.numpy(), right.numpy(), rtol=1e-12)


class TestUnconnected:
    def test_none_or_zero(self) -> None:
        x, y = tf.constant([1.0, 2.0]), tf.constant(3.0)
        z = tf.square(y)
        assert numbers(tf.gradients(z, [x, y])) == [None, 6]
        zero, connected = tf.gradients(z, [x, y], unconnected_gradients="zero")
        assert numbers([zero, connected]) == [[0, 0], 6]
        assert zero.dtype is tf.float32
        mode = tf.UnconnectedGradients.ZERO
        assert numbers(tf.gradients(z, x, unconnected_gradients=mode)) == [[0, 0]]

    def test_what_cuts_a_gradient_is_none_not_zero(self) -> None:
        x = tf.constant([1.0, 2.0])
        cut = [
            tf.stop_gradient(x),
            tf.zeros_like(x),
            tf.ones_like(x),
            tf.shape(x),
            tf.cast(tf.argmax(x), "float32"),
            tf.cast(x > 1.0, "float32"),
            tf.cast(tf.cast(x, "int32"), "float32"),
        ]
        for y in cut:
            assert tf.gradients(y, x) == [None], y.op.type

    def test_integers(self) -> None:
        n = tf.constant(3)
        (gradient,) = tf.gradients(n, n)
        assert gradient.dtype is tf.int32
        assert numbers([gradient]) == [1]
        assert tf.gradients(n * n, n) == [None]

    def test_a_variable_that_is_not_read(self) -> None:
        variable = tf.Variable([1.0, 2.0])
        assert tf.gradients(tf.constant(1.0), variable) == [None]
        (zero,) = tf.gradients(tf.constant(1.0), variable, unconnected_gradients="zero")
        assert numbers([zero]) == [[0, 0]]


class TestHigherOrder:
    def test_a_cube_until_none(self) -> None:
        x = tf.constant(3.0)
        y = x * x * x
        found = []
        while y is not None:
            (y,) = tf.gradients(y, x)
            found.append(y)
        assert numbers(found) == [27, 18, 6, None]

    def test_linear_has_no_second_derivative(self) -> None:
        x = tf.constant(3.0)
        (first,) = tf.gradients(2.0 * x, x)
        assert tf.gradients(first, x) == [None]

    def test_a_product_of_hessian_and_vector(self) -> None:
        # y = x^T A x: the Hessian is A + A^T
        a = np.array([[2.0, 0.5], [-1.0, 1.5]])
        x, v = tf.constant([[0.7], [1.4]], "float64"), np.array([[1.0], [-2.0]])
        y = tf.reduce_sum(x * tf.matmul(tf.constant(a), x))
        (first,) = tf.gradients(y, x)
        (product,) = tf.gradients(first, x, grad_ys=[tf.constant(v)])
        np.testing.assert_allclose(product.numpy(), (a + a.T) @ v)


class Dual:
    """A number and its derivative, carried forward: an independent way to differentiate."""

    def __init__(self, value: float, slope: float = 0.0) -> None:
        self.value, self.slope = value, slope

    def __add__(self, other: Dual) -> Dual:
        return Dual(self.value + other.value, self.slope + other.slope)

    def __sub__(self, other: Dual) -> Dual:
        return Dual(self.value - other.value, self.slope - other.slope)

    def __mul__(self, other: Dual) -> Dual:
        return Dual(self.value * other.value, self.slope * other.value + self.value * other.slope)

    def __neg__(self) -> Dual:
        return Dual(-self.value, -self.slope)


STEPS = st.lists(
    st.tuples(st.sampled_from("+-*~"), st.integers(0, 30), st.integers(0, 30)),
    min_size=1,
    max_size=14,
)


def run(steps: list[tuple[str, int, int]], x: Any) -> Any:
    values = [x]
    for sign, left, right in steps:
        a, b = values[left % len(values)], values[right % len(values)]
        operations = {"+": lambda a, b: a + b, "-": lambda a, b: a - b, "*": lambda a, b: a * b}
        values.append(-a if sign == "~" else operations[sign](a, b))
    return values[-1]


@given(STEPS, st.sampled_from([0, 1, 2]))
def test_any_program_agrees_with_forward_differentiation(
    steps: list[tuple[str, int, int]], method: int
) -> None:
    with tf.Graph().as_default():
        x = tf.constant(0.7, "float64")
        y = run(steps, x)
        (gradient,) = tf.gradients(y, x, aggregation_method=method)
        expected = run(steps, Dual(0.7, 1.0))
        assert y.numpy() == pytest.approx(expected.value, rel=1e-12)
        assert gradient.numpy() == pytest.approx(expected.slope, rel=1e-9, abs=1e-9)
