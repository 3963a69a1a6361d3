"""The graph: creating operations, names, scopes, look-up, the default graph."""

from __future__ import annotations

import threading
from typing import Any

import pytest

import engine as tf
from engine.errors import (
    ArgumentError,
    ArgumentTypeError,
    DTypeError,
    GraphError,
    NameLookupError,
    ShapeError,
)
from engine.graph import create_op, get_default_graph, source_line


def scalar(value: float = 1.0, name: str = "x") -> tf.Tensor:
    return tf.constant(value, name=name)


class TestCreateOp:
    def test_is_the_one_way_in(self, graph: tf.Graph) -> None:
        x = scalar()
        op = graph.create_op("Mul", [x, x], name="product")
        assert graph.operations == (x.op, op)
        assert [entry.id for entry in graph.operations] == [0, 1]
        assert op.type == "Mul"
        assert op.name == "product"
        assert op.inputs == (x, x)
        assert op.outputs[0].name == "product:0"
        assert op.graph is graph

    def test_completes_and_freezes_attributes(self, graph: tf.Graph) -> None:
        axes = [0]
        op = graph.create_op("Sum", [tf.constant([1.0, 2.0])], {"axis": axes})
        axes.append(1)
        assert op.attrs["axis"] == (0,)
        assert op.get_attr("keepdims") is False
        with pytest.raises(ArgumentTypeError, match="operation 'Sum' has no attribute 'axes'"):
            op.get_attr("axes")

    def test_makes_constants_of_values_in_the_type_of_the_tensors(self, graph: tf.Graph) -> None:
        op = graph.create_op("Mul", [2, tf.constant(3.0, "float64")])
        assert op.inputs[0].op.type == "Const"
        assert op.inputs[0].dtype is tf.float64

    @pytest.mark.parametrize(
        ("op_type", "inputs", "attrs", "error", "message"),
        [
            ("Nope", 1, {}, ArgumentError, "no op of type 'Nope' is defined"),
            (3, 1, {}, ArgumentTypeError, "an op type is a string"),
            ("Mul", 1, {}, ArgumentError, r"Mul takes 2 inputs \(got 1\)"),
            ("Sum", 1, {"axes": 0}, ArgumentError, "Sum has no attribute 'axes'; it has: axis"),
            ("Const", 0, {}, ArgumentError, "Const needs the attribute 'value'"),
        ],
    )
    def test_refuses_what_does_not_fit(
        self, graph: tf.Graph, op_type: Any, inputs: int, attrs: Any, error: Any, message: str
    ) -> None:
        x = scalar()
        with pytest.raises(error, match=message):
            graph.create_op(op_type, [x] * inputs, attrs)
        assert graph.operations == (x.op,)

    def test_names_inputs_and_shapes_in_errors(self, graph: tf.Graph) -> None:
        a, b = tf.constant([1.0, 2.0], name="a"), tf.constant([1.0, 2.0, 3.0], name="b")
        message = r"AddV2: .* \(got a:0 float32 \(2,\), b:0 float32 \(3,\)\)"
        with pytest.raises(ShapeError, match=message):
            a + b
        with pytest.raises(DTypeError, match=r"Mul: input 1 has type int32 .* float32; cast one"):
            graph.create_op("Mul", [a, tf.constant([1, 2])])

    def test_notes_line_and_device(self, graph: tf.Graph) -> None:
        token = source_line.set(7)
        with graph.device("/cpu:1"):
            inside = scalar()
        source_line.reset(token)
        outside = scalar()
        assert (inside.op.line, inside.op.device) == (7, "/cpu:1")
        assert (outside.op.line, outside.op.device) == (None, "")

    def test_finds_the_graph_of_its_inputs(self) -> None:
        other = tf.Graph()
        with other.as_default():
            x = scalar()
        assert create_op("Neg", [x]).graph is other
        assert (x * 2.0).graph is other
        assert tf.convert_to_tensor([x, 1.0]).graph is other


class TestNames:
    def test_are_unique_without_regard_to_case(self) -> None:
        x = scalar()
        made = [tf.multiply(x, x), x * x, tf.multiply(x, x), x * x]
        assert [tensor.op.name for tensor in made] == ["Mul", "mul_1", "Mul_2", "mul_3"]

    def test_skip_a_number_that_is_taken(self) -> None:
        names = [scalar(name=name).op.name for name in ("a_1", "a", "a", "A", "a_1")]
        assert names == ["a_1", "a", "a_2", "A_3", "a_1_1"]

    def test_operators_and_functions_are_named_as_in_tensorflow(self) -> None:
        x = scalar()
        made = [x + x, x - x, x / x, -x, tf.multiply(x, x), tf.square(x), x > x, x**2.0]
        names = [tensor.op.name for tensor in made]
        assert names == ["add", "sub", "truediv", "Neg", "Mul", "Square", "Greater", "pow"]

    def test_scopes_prefix_nest_and_are_unique_themselves(self, graph: tf.Graph) -> None:
        with graph.name_scope("fc") as scope:
            assert scope == "fc/"
            assert scalar().op.name == "fc/x"
            with graph.name_scope("in"):
                assert scalar().op.name == "fc/in/x"
            with graph.name_scope("in"):
                assert scalar().op.name == "fc/in_1/x"
            with graph.name_scope(None):
                assert scalar().op.name == "x"
        with graph.name_scope("FC") as second:
            assert second == "FC_1/"
        with graph.name_scope("fc/"):
            assert scalar().op.name == "fc/x_1"
        assert scalar().op.name == "x_1"

    def test_a_scope_ends_with_an_error(self, graph: tf.Graph) -> None:
        with pytest.raises(RuntimeError), graph.name_scope("a"):
            raise RuntimeError
        assert scalar().op.name == "x"

    @pytest.mark.parametrize("name", ["/", " ", "a\nb", 3])
    def test_a_name_must_be_readable(self, graph: tf.Graph, name: Any) -> None:
        with pytest.raises(ArgumentError, match="a name is a non-empty string of printable"):
            graph.create_op("NoOp", name=name)
        with pytest.raises(ArgumentError, match="a name is a"), graph.name_scope(name):
            pass
        assert graph.operations == ()


class TestLookUp:
    def test_by_name(self, graph: tf.Graph) -> None:
        x = scalar()
        assert graph.get_operation_by_name("x") is x.op
        assert graph.get_tensor_by_name("x:0") is x
        assert graph.as_graph_element("x") is x.op
        assert graph.as_graph_element("x:0") is x
        assert graph.as_graph_element(x.op) is x.op

    @pytest.mark.parametrize(
        ("name", "message"),
        [
            ("y:0", "no operation is named 'y'"),
            ("x", "a tensor's name looks like 'x:0'"),
            (":0", "a tensor's name looks like"),
            ("x:y", "a tensor's name looks like"),
            ("x:1", r"operation 'x' has 1 outputs \(got 'x:1'\)"),
        ],
    )
    def test_says_what_is_wrong_with_a_name(self, graph: tf.Graph, name: str, message: str) -> None:
        scalar()
        with pytest.raises(NameLookupError, match=message):
            graph.get_tensor_by_name(name)

    def test_refuses_other_things_and_other_graphs(self, graph: tf.Graph) -> None:
        with pytest.raises(TypeError, match="Can not convert a int into a Tensor or Operation"):
            graph.as_graph_element(3)
        with tf.Graph().as_default():
            foreign = scalar()
        with pytest.raises(GraphError, match="x:0 is not an element of this graph"):
            graph.as_graph_element(foreign)

    def test_a_variable_stands_for_a_read_of_it(self, graph: tf.Graph) -> None:
        variable = tf.Variable(1.0, name="v")
        assert graph.as_graph_element(variable).op.type == "ReadVariableOp"


class TestDefaultGraph:
    def test_as_default_nests_and_restores(self, graph: tf.Graph) -> None:
        assert get_default_graph() is graph
        inner = tf.Graph()
        with inner.as_default() as entered:
            assert entered is inner
            assert scalar().graph is inner
        assert get_default_graph() is graph

    def test_reset(self, graph: tf.Graph) -> None:
        with graph.as_default():
            tf.reset_default_graph()
            assert get_default_graph() is not graph
            assert get_default_graph().operations == ()

    def test_each_thread_has_its_own(self, graph: tf.Graph) -> None:
        scalar()
        counts: list[int] = []
        graphs: list[tf.Graph] = []
        barrier = threading.Barrier(4)

        def work() -> None:
            for _ in range(20):
                barrier.wait()
                tf.constant(1.0)
            graphs.append(tf.get_default_graph())
            counts.append(len(tf.get_default_graph().operations))

        threads = [threading.Thread(target=work) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert counts == [20] * 4
        assert len({id(entry) for entry in [*graphs, graph]}) == 5
        assert len(graph.operations) == 1


class TestTensors:
    def test_are_compared_elementwise_and_hashed_by_identity(self) -> None:
        x, y = tf.constant([1.0, 2.0]), tf.constant([1.0, 3.0])
        assert (x == y).numpy().tolist() == [True, False]
        assert (x != y).numpy().tolist() == [False, True]
        assert (x == None) is False  # noqa: E711 - what a reader may write
        assert {x: 1, y: 2}[x] == 1

    def test_know_their_consumers_by_slot(self) -> None:
        x = scalar()
        square = x * x
        assert x.consumers() == ((square.op, 0), (square.op, 1))
        assert square.consumers() == ()

    def test_learn_more_of_their_shape(self) -> None:
        x = tf.placeholder("float32")
        x.set_shape([None, 3])
        x.set_shape([2, None])
        assert x.shape == (2, 3)
        with pytest.raises(ShapeError, match=r"shapes \(2, 3\) and \(4, 3\) are not compatible"):
            x.set_shape([4, 3])

    def test_iterate_only_over_a_known_first_size(self) -> None:
        rows = list(tf.constant([[1.0, 2.0], [3.0, 4.0]]))
        assert [row.numpy().tolist() for row in rows] == [[1, 2], [3, 4]]
        with pytest.raises(TypeError, match=r"cannot iterate over x:0 of shape \(\)"):
            iter(scalar())
        with pytest.raises(TypeError, match="has no length"):
            len(tf.placeholder("float32", [None]))

    def test_print_their_value_if_they_have_one(self) -> None:
        x, p = scalar(3.0), tf.placeholder("float32", [None, 2], name="p")
        assert repr(x) == "<tf.Tensor: shape=(), dtype=float32, numpy=3.0>"
        assert str(x) == "tf.Tensor(3.0, shape=(), dtype=float32)"
        assert repr(p) == "<tf.Tensor 'p:0' shape=(None, 2) dtype=float32>"
        assert str(p) == 'Tensor("p:0", shape=(None, 2), dtype=float32)'
        assert repr(p.op) == "<tf.Operation 'p' type=Placeholder>"
        assert f"{x}" == str(x)
        assert f"{x:.2f}" == "3.00"

    def test_become_python_numbers(self) -> None:
        assert float(scalar(2.5)) == 2.5
        assert int(scalar(2.5)) == 2
        assert bool(scalar(0.0)) is False
        assert [10, 20, 30][tf.constant(1)] == 20
        with pytest.raises(TypeError, match="only an integer scalar can be an index"):
            [1, 2][scalar()]
