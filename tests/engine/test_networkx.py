"""The graph is a networkx.MultiDiGraph: every algorithm runs on it, and copies are plain."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

import engine as tf
from engine.errors import GraphError


def build(program: list[tuple[str, list[int]]]) -> tf.Graph:
    """Build a graph from op types and picks among the tensors made so far."""
    graph = tf.Graph()
    with graph.as_default():
        tensors = [tf.constant(2.0), tf.placeholder("float32", [])]
        for op_type, picks in program:
            inputs = [tensors[pick % len(tensors)] for pick in picks]
            tensors.extend(graph.create_op(op_type, inputs).outputs)
    return graph


def one_op(op_type: str, least: int, most: int) -> st.SearchStrategy[tuple[str, list[int]]]:
    return st.tuples(st.just(op_type), st.lists(st.integers(0, 99), min_size=least, max_size=most))


PROGRAMS = st.lists(
    st.one_of(
        one_op("Mul", 2, 2),
        one_op("Neg", 1, 1),
        one_op("AddN", 1, 4),
        one_op("IdentityN", 1, 3),
        one_op("StopGradient", 1, 1),
    ),
    max_size=12,
)


@given(PROGRAMS)
def test_nodes_and_edges_are_operations_and_input_slots(program: Any) -> None:
    graph = build(program)
    assert list(graph.nodes) == list(graph.operations)
    assert graph.number_of_edges() == sum(len(op.inputs) for op in graph.operations)
    for op in graph.operations:
        for slot, tensor in enumerate(op.inputs):
            assert graph[tensor.op][op][slot] == {"output": tensor.index}
            assert graph.pred[op][tensor.op][slot] is graph[tensor.op][op][slot]
            assert (op, slot) in tensor.consumers()
        assert graph.in_degree(op) == len(op.inputs)
        assert graph.out_degree(op) == sum(len(tensor.consumers()) for tensor in op.outputs)


@given(PROGRAMS)
def test_creation_order_is_topological(program: Any) -> None:
    graph = build(program)
    assert nx.is_directed_acyclic_graph(graph)
    assert all(producer.id < consumer.id for producer, consumer in graph.edges())
    order = list(nx.lexicographical_topological_sort(graph, key=lambda op: op.id))
    assert order == list(graph.operations)


@given(PROGRAMS)
def test_algorithms_agree_with_a_plain_graph_of_the_same_edges(program: Any) -> None:
    graph = build(program)
    plain = nx.MultiDiGraph()
    plain.add_nodes_from(graph.operations)
    for op in graph.operations:
        for slot, tensor in enumerate(op.inputs):
            plain.add_edge(tensor.op, op, key=slot, output=tensor.index)
    last = graph.operations[-1]
    assert nx.ancestors(graph, last) == nx.ancestors(plain, last)
    assert nx.dag_longest_path_length(graph) == nx.dag_longest_path_length(plain)
    assert nx.utils.graphs_equal(nx.MultiDiGraph(graph), plain)
    assert set(graph.reverse().edges(keys=True)) == set(plain.reverse().edges(keys=True))
    assert list(nx.weakly_connected_components(graph)) == list(
        nx.weakly_connected_components(plain)
    )


def test_two_uses_by_one_operation_are_two_edges(graph: tf.Graph) -> None:
    x = tf.constant(3.0)
    y = x * x
    assert list(graph.edges(keys=True)) == [(x.op, y.op, 0), (x.op, y.op, 1)]
    assert graph.number_of_edges(x.op, y.op) == 2
    assert nx.number_of_nodes(graph) == 2


def test_edges_tell_which_output_they_carry(graph: tf.Graph) -> None:
    _first, second = tf.identity_n([tf.constant(1.0), tf.constant(2.0)])
    negative = tf.negative(second)
    assert graph.get_edge_data(second.op, negative.op) == {0: {"output": 1}}


def test_control_inputs_are_no_edges(graph: tf.Graph) -> None:
    x = tf.constant(1.0)
    with graph.control_dependencies([x]):
        y = tf.constant(2.0)
    assert y.op.control_inputs == (x.op,)
    assert graph.number_of_edges() == 0


COPIES: dict[str, Callable[[Any], Any]] = {
    "copy": lambda graph: graph.copy(),
    "constructor": nx.MultiDiGraph,
    "reverse": lambda graph: graph.reverse(),
    "subgraph": lambda graph: graph.subgraph(graph.operations).copy(),
    "relabel": lambda graph: nx.relabel_nodes(graph, {op: op.name for op in graph.operations}),
    "compose": lambda graph: nx.compose(graph, nx.MultiDiGraph()),
}


@pytest.mark.parametrize("derive", COPIES.values(), ids=COPIES)
def test_derived_graphs_are_plain_and_may_be_changed(
    graph: tf.Graph, derive: Callable[[Any], Any]
) -> None:
    x = tf.constant(3.0)
    y = x * x
    derived = derive(graph)
    assert type(derived) is nx.MultiDiGraph
    assert derived.number_of_nodes() == 2
    assert derived.number_of_edges() == 2
    derived.add_node("note")
    first = next(iter(derived.nodes))
    derived.remove_node(first)
    for _producer, _consumer, data in derived.edges(data=True):
        data["colour"] = "red"
    assert list(graph.nodes) == [x.op, y.op]
    assert graph[x.op][y.op] == {0: {"output": 0}, 1: {"output": 0}}


def test_a_simple_or_undirected_graph_can_be_made(graph: tf.Graph) -> None:
    x = tf.constant(3.0)
    y = x * x
    assert nx.DiGraph(graph).number_of_edges() == 1
    assert type(graph.to_undirected()) is nx.MultiGraph
    assert nx.shortest_path(graph, x.op, y.op) == [x.op, y.op]


REFUSED: dict[str, Callable[[Any, Any], Any]] = {
    "add_node": lambda graph, op: graph.add_node("n"),
    "add_nodes_from": lambda graph, op: graph.add_nodes_from(["n"]),
    "add_edge": lambda graph, op: graph.add_edge(op, op),
    "add_edges_from": lambda graph, op: graph.add_edges_from([(op, op)]),
    "add_weighted_edges_from": lambda graph, op: graph.add_weighted_edges_from([(op, op, 1)]),
    "remove_node": lambda graph, op: graph.remove_node(op),
    "remove_nodes_from": lambda graph, op: graph.remove_nodes_from([op]),
    "remove_edge": lambda graph, op: graph.remove_edge(op, op),
    "remove_edges_from": lambda graph, op: graph.remove_edges_from([]),
    "clear": lambda graph, op: graph.clear(),
    "clear_edges": lambda graph, op: graph.clear_edges(),
    "update": lambda graph, op: graph.update(edges=[(op, op)]),
}


@pytest.mark.parametrize("change", REFUSED.values(), ids=REFUSED)
def test_changes_by_hand_are_refused(graph: tf.Graph, change: Callable[[Any, Any], Any]) -> None:
    op = tf.constant(1.0).op
    with pytest.raises(GraphError, match="made by create_op alone; work on a copy"):
        change(graph, op)
    assert list(graph.nodes) == [op]


def test_it_is_still_known_as_what_it_is(graph: tf.Graph) -> None:
    tf.constant(1.0)
    assert isinstance(graph, tf.Graph)
    assert isinstance(graph, nx.MultiDiGraph)
    assert graph.is_directed()
    assert graph.is_multigraph()
    assert str(graph) == repr(graph) == "<tf.Graph of 1 operations>"
    assert {graph: 1}[graph] == 1
