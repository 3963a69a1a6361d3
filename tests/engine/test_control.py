"""Control dependencies: who waits for whom."""

from __future__ import annotations

from typing import Any

import pytest

import engine as tf
from engine.errors import GraphError, NameLookupError


def waits(tensor: tf.Tensor) -> list[str]:
    return [op.name for op in tensor.op.control_inputs]


def const(name: str) -> tf.Tensor:
    return tf.constant(1.0, name=name)


def test_new_operations_wait_for_all(graph: tf.Graph) -> None:
    a, b = const("a"), const("b")
    with graph.control_dependencies([a, b.op, a]):
        inside = const("c")
    assert waits(inside) == ["a", "b"]
    assert waits(const("d")) == []


def test_an_operation_does_not_wait_for_its_own_input(graph: tf.Graph) -> None:
    a, b = const("a"), const("b")
    with graph.control_dependencies([a, b]):
        inside = tf.negative(a)
    assert waits(inside) == ["b"]


def test_an_operation_whose_input_was_made_inside_waits_already(graph: tf.Graph) -> None:
    a, b = const("a"), const("b")
    with graph.control_dependencies([a]):
        inside = tf.negative(b)
        after = tf.negative(inside)
    assert waits(inside) == ["a"]
    assert waits(after) == []


def test_blocks_nest_and_each_judges_for_itself(graph: tf.Graph) -> None:
    a, b, c = const("a"), const("b"), const("c")
    with graph.control_dependencies([a]):
        outer = tf.negative(c)
        with graph.control_dependencies([b]):
            assert waits(const("d")) == ["a", "b"]
            assert waits(tf.negative(outer)) == ["b"]
        assert waits(const("e")) == ["a"]


def test_none_forgets_all_that_surrounds_and_restores_it(graph: tf.Graph) -> None:
    a, b = const("a"), const("b")
    with graph.control_dependencies([a]):
        with graph.control_dependencies(None):
            assert waits(const("c")) == []
            with graph.control_dependencies([b]):
                assert waits(const("d")) == ["b"]
        assert waits(const("e")) == ["a"]


def test_an_empty_list_changes_nothing(graph: tf.Graph) -> None:
    a = const("a")
    with graph.control_dependencies([a]), graph.control_dependencies([]):
        assert waits(const("b")) == ["a"]
    with graph.control_dependencies([]):
        assert waits(const("c")) == []
        assert not graph.in_control_context


def test_a_block_ends_with_an_error(graph: tf.Graph) -> None:
    a = const("a")
    with pytest.raises(RuntimeError), graph.control_dependencies([a]):
        raise RuntimeError
    assert waits(const("b")) == []


def test_takes_names_variables_and_indexed_slices(graph: tf.Graph) -> None:
    const("a")
    variable = tf.Variable(1.0, name="v")
    slices = tf.IndexedSlices(tf.constant([1.0], name="rows"), tf.constant([0]))
    with graph.control_dependencies(["a"]):
        assert waits(const("b")) == ["a"]
    with graph.control_dependencies([variable]):
        assert waits(const("c")) == ["v/Read"]
    with graph.control_dependencies([slices]):
        assert waits(const("d")) == ["rows"]


def test_refuses_other_things(graph: tf.Graph) -> None:
    with (
        pytest.raises(TypeError, match="Can not convert a int into a Tensor or Operation"),
        graph.control_dependencies([3]),
    ):
        pass
    with (
        pytest.raises(NameLookupError, match="no operation is named 'nobody'"),
        graph.control_dependencies(["nobody"]),
    ):
        pass
    with tf.Graph().as_default():
        foreign = const("far")
    with (
        pytest.raises(GraphError, match="far:0 is not an element of this graph"),
        graph.control_dependencies([foreign]),
    ):
        pass


def test_a_session_runs_what_is_waited_for(graph: tf.Graph) -> None:
    counter = tf.Variable(0.0)
    with graph.control_dependencies([counter.assign_add(1.0)]):
        x = tf.constant(5.0) * 2.0
    with tf.Session() as session:
        session.run(counter.initializer)
        assert session.run(x) == 10
        assert session.run(counter) == 1
        session.run([x, x])
        assert session.run(counter) == 2


def test_a_read_inside_a_block_is_made_after_what_it_waits_for(graph: tf.Graph) -> None:
    variable = tf.Variable(1.0)
    with graph.control_dependencies([variable.assign_add(1.0)]):
        after = variable.read_value()
        shared = tf.convert_to_tensor(variable)
    assert "AssignAdd" in " ".join(waits(after))
    assert "AssignAdd" in " ".join(waits(shared))
    with tf.Session() as session:
        session.run(variable.initializer)
        assert session.run(after) == 2
        assert session.run(shared) == 3


def test_a_variable_is_made_outside_all_blocks(graph: tf.Graph) -> None:
    a = const("a")
    with graph.control_dependencies([a]):
        variable = tf.Variable(2.0)
    assert variable.initializer.control_inputs == ()
    assert variable.initial_value.op.control_inputs == ()


def test_group_and_no_op(graph: tf.Graph) -> None:
    a, b = const("a"), const("b")
    gate = tf.group(a, [b, a.op])
    assert gate.type == "NoOp"
    assert gate.outputs == ()
    assert [op.name for op in gate.control_inputs] == ["a", "b"]
    assert tf.no_op().control_inputs == ()


class TestGradients:
    """What control edges do to gradients: nothing, unless the backward graph is made inside."""

    def test_are_not_followed_and_not_copied(self, graph: tf.Graph) -> None:
        x = tf.constant(3.0)
        other = tf.negative(x, name="other")
        with graph.control_dependencies([other]):
            y = tf.square(tf.constant(2.0))
        assert tf.gradients(y, x) == [None]
        (gradient,) = tf.gradients(y, y.op.inputs[0])
        record = graph.backwards[-1]
        assert gradient.numpy() == 4
        assert all(other.op not in op.control_inputs for op in record.operations)

    def test_inside_a_block_all_new_operations_wait(self, graph: tf.Graph) -> None:
        x, a = tf.constant(3.0), const("a")
        y = x * x
        with graph.control_dependencies([a]):
            (gradient,) = tf.gradients(y, x)
        added = graph.backwards[-1].operations
        sources: list[Any] = [op for op in added if not op.inputs]
        assert sources
        assert all(a.op in op.control_inputs for op in sources)
        seen, stack = set(), [gradient.op]
        while stack:
            op = stack.pop()
            seen.add(op)
            stack += [*op.control_inputs, *(tensor.op for tensor in op.inputs)]
        assert a.op in seen

    def test_a_local_derivative_waits_for_the_upstream_gradient(self, graph: tf.Graph) -> None:
        x = tf.constant(3.0)
        y = tf.sin(x)
        tf.gradients(y, x)
        record = graph.backwards[-1]
        (local,) = (op for op in record.operations if op.type == "Cos")
        assert local.control_inputs == (record.seeds[0].op,)
