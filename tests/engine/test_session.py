"""Sessions: structures, feeds, state, errors."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import pytest

import engine as tf
from engine.errors import (
    ArgumentError,
    ArgumentTypeError,
    FeedError,
    GraphError,
    NameLookupError,
    ShapeError,
    StateError,
    UninitializedError,
)
from engine.indexed_slices import IndexedSlicesValue


class Pair(NamedTuple):
    left: Any
    right: Any


class TestFetches:
    def test_come_back_in_their_structure(self) -> None:
        x = tf.constant(2.0)
        y = x * x
        fetches = {"a": [x, (y, Pair(x, y))], "b": []}
        with tf.Session() as session:
            found = session.run(fetches)
        assert found == {"a": [2, (4, Pair(2, 4))], "b": []}
        assert isinstance(found["a"][1][1], Pair)

    def test_the_same_fetch_twice(self) -> None:
        x = tf.constant(2.0)
        assert tf.Session().run([x, x]) == [2, 2]

    def test_names_operations_and_variables(self, graph: tf.Graph) -> None:
        tf.constant(2.0, name="x")
        variable = tf.Variable(5.0, name="v")
        session = tf.Session()
        assert session.run("x:0") == 2
        assert session.run(["x", variable.initializer]) == [None, None]
        assert session.run(variable) == 5
        assert session.run([]) == []

    def test_arrays_and_scalars_have_the_type_of_the_tensor(self) -> None:
        session = tf.Session()
        assert type(session.run(tf.constant(2.5, "float64"))).__mro__[1] is np.float64
        vector = session.run(tf.constant([1, 2], "int64"))
        assert type(vector) is np.ndarray
        assert vector.dtype == np.int64
        assert repr([session.run(tf.constant(15.0))]) == "[15.0]"

    def test_indexed_slices(self) -> None:
        x = tf.constant([1.0, 2.0, 3.0])
        (gradient,) = tf.gradients(tf.gather(x, tf.constant([2, 2])), x)
        found = tf.Session().run(gradient)
        assert isinstance(found, IndexedSlicesValue)
        assert found.values.tolist() == [1, 1]
        assert found.indices.tolist() == [2, 2]
        assert found.dense_shape.tolist() == [3]

    def test_what_comes_back_may_be_changed(self) -> None:
        x = tf.constant([1.0, 2.0])
        session = tf.Session()
        first = session.run(x)
        first[0] = 99
        assert session.run(x).tolist() == [1, 2]
        assert x.numpy().tolist() == [1, 2]

    @pytest.mark.parametrize(
        ("fetch", "error", "message"),
        [
            (None, ArgumentTypeError, "a fetch is None; a gradient that is None has no value"),
            ([None], TypeError, "a fetch is None"),
            (3.0, ArgumentTypeError, "Can not convert a float into a Tensor or Operation"),
            ("nobody:0", NameLookupError, "no operation is named 'nobody'"),
        ],
    )
    def test_what_cannot_be_fetched(self, fetch: Any, error: Any, message: str) -> None:
        with pytest.raises(error, match=message):
            tf.Session().run(fetch)

    def test_of_another_graph(self) -> None:
        with tf.Graph().as_default():
            foreign = tf.constant(1.0, name="far")
        with pytest.raises(GraphError, match="far:0 is not an element of this graph"):
            tf.Session().run(foreign)


class TestFeeds:
    def test_placeholders(self, graph: tf.Graph) -> None:
        x = tf.placeholder("float32", [None], name="x")
        y = x * 2.0
        session = tf.Session()
        assert session.run(y, {x: [1, 2]}).tolist() == [2, 4]
        assert session.run(y, feed_dict={"x:0": np.array([3.0])}).tolist() == [6]
        assert graph.feeds[x].tolist() == [3]
        assert graph.feeds[x].dtype == np.float32

    def test_a_missing_value_names_the_placeholder(self) -> None:
        x = tf.placeholder("float32", [None, 2], name="x")
        with pytest.raises(
            FeedError,
            match=r"no value fed for placeholder 'x' \(float32, shape \(None, 2\)\); "
            "give it one in feed_dict",
        ):
            tf.Session().run(x + 1.0)

    def test_only_what_is_needed_must_be_fed(self) -> None:
        x, y = tf.placeholder("float32", name="x"), tf.placeholder("float32", name="y")
        assert tf.Session().run(x + 1.0, {x: 1.0}) == 2
        with pytest.raises(FeedError, match="placeholder 'y'"):
            tf.Session().run(x + y, {x: 1.0})

    def test_any_tensor_can_be_fed(self) -> None:
        x = tf.constant(3.0)
        y = x * x
        z = y + 1.0
        session = tf.Session()
        assert session.run(z, {x: 5.0}) == 26
        assert session.run([y, z], {y: 100.0}) == [100, 101]
        assert session.run(tf.gradients(y, x)[0], {x: 7.0}) == 14
        assert session.run(z) == 10

    def test_a_fed_tensor_needs_nothing_above_it(self) -> None:
        x = tf.placeholder("float32", name="x")
        y = x * 2.0
        assert tf.Session().run(y + 1.0, {y: 5.0}) == 6
        variable = tf.Variable(1.0)
        assert tf.Session().run(variable + 1.0, {variable: 5.0}) == 6

    def test_one_output_of_several(self) -> None:
        first, second = tf.identity_n([tf.constant(1.0), tf.constant(2.0)])
        session = tf.Session()
        assert session.run([first, second, first + second], {first: 10.0}) == [10, 2, 12]
        assert session.run([first, second], {second: 20.0}) == [1, 20]

    def test_a_placeholder_with_default(self) -> None:
        x = tf.placeholder_with_default([1.0, 2.0], [None])
        session = tf.Session()
        assert session.run(x * 2.0).tolist() == [2, 4]
        assert session.run(x * 2.0, {x: [5.0]}).tolist() == [10]
        assert tf.gradients(x * 2.0, x.op.inputs[0])[0] is not None

    @pytest.mark.parametrize(
        ("value", "error", "message"),
        [
            ([1.0], FeedError, r"cannot feed value of shape \(1,\) for tensor 'x:0', .* \(2,\)"),
            (1.0, FeedError, r"value of shape \(\) for tensor 'x:0'"),
            (["a", "b"], FeedError, "cannot feed .* for x:0, which is float32"),
            ([1j, 1j], FeedError, "cannot feed complex128 for x:0"),
            (None, FeedError, "cannot feed x:0: None values not supported"),
            ([[1], [1, 2]], FeedError, "cannot feed x:0: .* rows of equal length"),
        ],
    )
    def test_a_value_must_fit(self, value: Any, error: Any, message: str) -> None:
        x = tf.placeholder("float32", [2], name="x")
        with pytest.raises(error, match=message):
            tf.Session().run(x, {x: value})

    def test_numbers_take_the_type_of_the_placeholder(self) -> None:
        session = tf.Session()
        half, whole = tf.placeholder("float16", []), tf.placeholder("int64", [])
        assert session.run(half, {half: 1}).dtype == np.float16
        assert session.run(half, {half: np.float64(0.5)}).dtype == np.float16
        assert session.run(whole, {whole: np.int8(3)}).dtype == np.int64

    def test_a_tensor_or_operation_is_not_fed(self) -> None:
        x = tf.placeholder("float32", name="x")
        k = tf.constant(1.0, name="k")
        with pytest.raises(TypeError, match="cannot feed x:0 with the tensor k:0; feed a number"):
            tf.Session().run(x, {x: k})
        with pytest.raises(TypeError, match="only a tensor can be fed"):
            tf.Session().run(x, {x.op: 1.0})
        with pytest.raises(TypeError, match=r"feed_dict maps placeholders to values \(got list\)"):
            tf.Session().run(x, [x])  # type: ignore[arg-type]

    def test_a_failed_run_remembers_no_feeds(self, graph: tf.Graph) -> None:
        x, y = tf.placeholder("float32"), tf.placeholder("float32")
        with pytest.raises(FeedError):
            tf.Session().run(x + y, {x: 1.0})
        assert graph.feeds == {}


class TestRunTime:
    def test_an_error_names_the_operation_and_its_inputs(self) -> None:
        x = tf.placeholder("float32", name="x")
        k = tf.constant([1.0, 2.0, 3.0], name="k")
        with pytest.raises(
            ShapeError, match=r"Mul 'product' failed at run time on \(x:0, k:0\): .*broadcast"
        ):
            tf.Session().run(tf.multiply(x, k, name="product"), {x: [1.0, 2.0]})

    def test_nothing_is_run_that_is_not_needed(self) -> None:
        x = tf.placeholder("float32", name="x")
        tf.multiply(x, x)
        assert tf.Session().run(tf.constant(1.0)) == 1

    def test_division_by_zero_is_quiet(self) -> None:
        x = tf.constant([0.0, 1.0])
        assert tf.Session().run(1.0 / x).tolist() == [np.inf, 1]

    def test_later_operations_can_be_run(self) -> None:
        x = tf.constant(1.0)
        session = tf.Session()
        assert session.run(x) == 1
        assert session.run(x + 1.0) == 2

    def test_random_numbers_go_on_in_a_session_and_can_be_repeated(self) -> None:
        x = tf.random_uniform([3], seed=1)
        first, second = tf.Session(), tf.Session()
        draws = [first.run(x).tolist() for _ in range(2)]
        assert draws[0] != draws[1]
        assert [second.run(x).tolist() for _ in range(2)] == draws
        assert x.numpy().tolist() == x.numpy().tolist()


class TestSessions:
    def test_each_has_its_own_variables(self) -> None:
        variable = tf.Variable(1.0)
        add = variable.assign_add(1.0)
        first, second = tf.Session(), tf.Session()
        first.run(variable.initializer)
        second.run(variable.initializer)
        first.run(add)
        first.run(add)
        assert first.run(variable) == 3
        assert second.run(variable) == 1

    def test_an_uninitialized_variable_is_named(self) -> None:
        variable = tf.Variable(1.0, name="weight")
        with pytest.raises(
            UninitializedError,
            match=r"variable 'weight' is not initialized; run tf.global_variables_initializer\(\)",
        ):
            tf.Session().run(variable * 2.0)
        with pytest.raises(RuntimeError, match="'weight' is not initialized"):
            tf.Session().run(variable.assign_add(1.0))

    def test_a_closed_one_says_so(self) -> None:
        x = tf.constant(1.0)
        session = tf.Session()
        session.close()
        with pytest.raises(StateError, match="this session is closed; open a new one"):
            session.run(x)

    def test_keeps_the_graph_that_was_default_when_it_was_made(self, graph: tf.Graph) -> None:
        x = tf.constant(1.0)
        session = tf.Session()
        other = tf.Graph()
        with other.as_default():
            assert session.run(x) == 1
        with tf.Session(graph=other) as session:
            assert tf.get_default_graph() is other
            assert tf.constant(2.0).eval() == 2
        assert tf.get_default_graph() is graph

    def test_eval_and_run_use_the_session_around_them(self) -> None:
        x = tf.placeholder("float32", name="x")
        variable = tf.Variable(1.0)
        with tf.Session() as session:
            assert tf.get_default_session() is session
            variable.initializer.run()
            assert (x * 2.0).eval({x: 3.0}) == 6
            assert variable.eval() == 1
        assert tf.get_default_session() is None
        assert (x + 1.0).eval({x: 1.0}, session=session) == 2

    def test_without_one_eval_says_so(self) -> None:
        x = tf.constant(1.0, name="x")
        with pytest.raises(ArgumentError, match="cannot evaluate 'x:0' without a session"):
            x.eval()
        with pytest.raises(ArgumentError, match="cannot evaluate 'x' without a session"):
            x.op.run()

    def test_nest(self) -> None:
        with tf.Session() as outer:
            with tf.Session() as inner:
                assert tf.get_default_session() is inner
            assert tf.get_default_session() is outer
