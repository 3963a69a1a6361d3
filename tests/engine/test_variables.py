"""Variables: initial values, reads that keep what they saw, assignments."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import engine as tf
from engine.errors import ArgumentError, ArgumentTypeError, DTypeError, ShapeError


class TestMaking:
    def test_type_and_shape_come_from_the_value(self) -> None:
        variable = tf.Variable([[1.0, 2.0]], name="w")
        assert variable.dtype is tf.float32
        assert variable.shape == (1, 2)
        assert variable.name == "w:0"
        assert variable.op.type == "VarHandleOp"
        assert variable.numpy().tolist() == [[1, 2]]
        assert repr(variable).startswith("<tf.Variable 'w:0' shape=(1, 2) dtype=float32, numpy=")

    def test_type_and_shape_may_be_given(self) -> None:
        assert tf.Variable(1, dtype="float64").dtype is tf.float64
        assert tf.Variable(tf.placeholder("float32"), shape=[2]).shape == (2,)
        with pytest.raises(DTypeError, match=r"cannot make a int32 tensor of 1\.5"):
            tf.Variable(1.5, dtype="int32")

    def test_a_function_gives_the_value(self) -> None:
        assert tf.Variable(lambda: [1.0, 2.0]).numpy().tolist() == [1, 2]

    def test_needs_a_value(self) -> None:
        with pytest.raises(ArgumentError, match="a variable needs an initial_value"):
            tf.Variable()

    def test_names_are_unique(self) -> None:
        names = [tf.Variable(1.0).op.name for _ in range(2)]
        assert names == ["Variable", "Variable_1"]
        assert tf.Variable(1.0, name="w").initializer.name == "w/Assign"

    def test_collections(self) -> None:
        first = tf.Variable(1.0)
        second = tf.Variable(2.0, trainable=False)
        assert [v is w for v, w in zip(tf.global_variables(), [first, second], strict=True)] == [
            True,
            True,
        ]
        assert [v is first for v in tf.trainable_variables()] == [True]

    def test_get_variable(self) -> None:
        made = tf.get_variable("w", [2, 2], initializer=lambda shape: np.full(shape, 7.0))
        assert made.numpy().tolist() == [[7, 7], [7, 7]]
        assert tf.get_variable("k", [3], initializer=2.0).numpy().tolist() == [2, 2, 2]
        assert tf.get_variable("m", initializer=tf.constant(5.0)).numpy() == 5
        with pytest.raises(ArgumentError, match="variable 'n' needs an initializer"):
            tf.get_variable("n", [3])


class TestWithoutASession:
    """A read keeps the value it saw, whatever is assigned later."""

    def test_reads_keep_their_value(self) -> None:
        variable = tf.Variable(1.0)
        before = variable * 10.0
        variable.assign(5.0)
        after = variable * 10.0
        assert (before.numpy(), after.numpy()) == (10, 50)
        assert variable.numpy() == 5

    def test_a_read_that_is_computed_late_keeps_its_value_too(self) -> None:
        variable = tf.Variable(1.0)
        read = variable.read_value()
        variable.assign_add(1.0)
        variable.assign_sub(5.0)
        assert variable.numpy() == -3
        assert read.numpy() == 1

    def test_updates_return_the_new_value(self) -> None:
        variable = tf.Variable(1.0)
        assert variable.assign(3.0).numpy() == 3
        assert variable.assign_add(2.0).numpy() == 5
        assert variable.assign_sub(1.0).numpy() == 4
        assert tf.assign(variable, 7.0).numpy() == 7
        assert tf.assign_add(variable, 1.0).numpy() == 8
        assert tf.assign_sub(variable, 2.0).numpy() == 6

    def test_an_update_from_its_own_value(self) -> None:
        variable = tf.Variable(3.0)
        for _ in range(3):
            variable.assign(variable * variable)
        assert variable.numpy() == 3**8

    def test_a_gradient_belongs_to_the_time_of_the_read(self) -> None:
        variable = tf.Variable(3.0)
        y = variable * variable
        variable.assign(10.0)
        assert tf.gradients(y, variable)[0].numpy() == 6
        assert tf.gradients(variable * variable, variable)[0].numpy() == 20

    def test_one_read_serves_until_the_next_assignment(self) -> None:
        variable = tf.Variable(3.0)
        first = tf.convert_to_tensor(variable)
        assert tf.convert_to_tensor(variable) is first
        variable.assign(4.0)
        assert tf.convert_to_tensor(variable) is not first


class TestInASession:
    def test_the_state_of_the_run_counts(self) -> None:
        variable = tf.Variable(1.0)
        y = variable * 10.0
        add = variable.assign_add(1.0)
        with tf.Session() as session:
            session.run(tf.global_variables_initializer())
            assert session.run(y) == 10
            assert session.run(add) == 2
            assert session.run(y) == 20

    def test_an_initial_value_is_computed_by_the_initializer(self) -> None:
        x = tf.placeholder("float32", [])
        variable = tf.Variable(x * 2.0)
        with tf.Session() as session:
            session.run(variable.initializer, {x: 4.0})
            assert session.run(variable) == 8
            assert session.run(variable.initialized_value(), {x: 1.0}) == 2

    def test_initializing_some(self) -> None:
        first, second = tf.Variable(1.0), tf.Variable(2.0, name="second")
        with tf.Session() as session:
            session.run(tf.variables_initializer([first]))
            assert session.run(first) == 1
            with pytest.raises(RuntimeError, match="variable 'second' is not initialized"):
                session.run(second)

    def test_no_variables_to_initialize(self) -> None:
        assert tf.Session().run(tf.global_variables_initializer()) is None

    def test_a_fetched_value_is_the_caller_s(self) -> None:
        variable = tf.Variable([1.0, 2.0])
        with tf.Session() as session:
            session.run(variable.initializer)
            session.run(variable)[0] = 99
            assert session.run(variable).tolist() == [1, 2]

    def test_descent_by_hand(self) -> None:
        # f = (w - 3)^2, rate 0.1: the gap shrinks by 0.8 a step
        w = tf.Variable(0.0, dtype="float64")
        (gradient,) = tf.gradients(tf.square(w - 3.0), w)
        step = w.assign_sub(0.1 * gradient)
        with tf.Session() as session:
            session.run(tf.global_variables_initializer())
            for _ in range(10):
                session.run(step)
            assert session.run(w) == pytest.approx(3 - 3 * 0.8**10)


class TestRefusals:
    def test_shape_and_type_of_an_assignment(self) -> None:
        variable = tf.Variable([1.0, 2.0])
        with pytest.raises(
            ShapeError, match=r"a variable of shape \(2,\) cannot hold a value of shape \(3,\)"
        ):
            variable.assign([1.0, 2.0, 3.0])
        with pytest.raises(DTypeError, match="does not match type float32"):
            variable.assign(tf.constant([1, 2]))
        assert variable.numpy().tolist() == [1, 2]

    @pytest.mark.parametrize("target", [3.0, None])
    def test_only_a_variable_is_assigned(self, target: Any) -> None:
        with pytest.raises(ArgumentTypeError, match="only a variable can be assigned"):
            tf.assign(target, 1.0)

    def test_a_tensor_is_not_assigned(self) -> None:
        with pytest.raises(ArgumentTypeError, match="only a variable can be assigned"):
            tf.assign(tf.constant(1.0), 1.0)


class TestGradients:
    @pytest.mark.parametrize("dtype", ["float32", "float64"])
    def test_keep_the_type_of_the_variable(self, dtype: str) -> None:
        variable = tf.Variable([2.0, 3.0], dtype=dtype)
        (gradient,) = tf.gradients(tf.reduce_sum(variable * variable), variable)
        assert gradient.dtype.name == dtype
        assert gradient.numpy().tolist() == [4, 6]
        (zero,) = tf.gradients(tf.constant(1.0), variable, unconnected_gradients="zero")
        assert zero.dtype.name == dtype

    def test_assignment_lets_nothing_through(self) -> None:
        x, variable = tf.constant(2.0), tf.Variable(1.0)
        assert tf.gradients(variable.assign(x * x), x) == [None]

    def test_a_read_as_x(self) -> None:
        variable = tf.Variable(3.0)
        read = tf.convert_to_tensor(variable)
        assert tf.gradients(read * read, [read, variable])[0].numpy() == 6

    def test_a_variable_as_y_as_seed_and_as_stop(self) -> None:
        variable = tf.Variable(3.0)
        y = variable * variable
        assert tf.gradients(variable, variable)[0].numpy() == 1
        assert tf.gradients(y, variable, grad_ys=variable)[0].numpy() == 18
        assert tf.gradients(y, variable, stop_gradients=[variable])[0].numpy() == 6
        read = tf.convert_to_tensor(variable)
        assert tf.gradients(y, [variable], stop_gradients=[read]) == [None]
