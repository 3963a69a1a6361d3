"""Evaluation plans: what runs, when values are kept and dropped, and how deep it goes."""

from __future__ import annotations

import gc
import tracemalloc
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import pytest

import engine as tf
from engine.errors import FeedError
from engine.plan import compiled, evaluate

DEPTH = 100_000


def test_evaluate_without_a_session() -> None:
    x = tf.constant([1.0, 2.0])
    y = x * x
    found = evaluate([y, x, y])
    assert [entry.tolist() for entry in found] == [[1, 4], [1, 2], [1, 4]]
    assert evaluate([]) == []


def test_a_value_is_computed_once_and_kept(graph: tf.Graph) -> None:
    x = tf.random_normal([4])
    y = x * 2.0
    first = y.numpy()
    assert evaluate([y])[0] is evaluate([y])[0]
    assert np.array_equal(y.numpy(), first)
    assert np.array_equal(2 * x.numpy(), first)


def test_a_kept_value_cannot_be_changed() -> None:
    x = tf.constant([1.0, 2.0])
    value = (x * 2.0).numpy()
    with pytest.raises(ValueError, match="read-only"):
        value[0] = 5


def test_a_placeholder_has_no_value() -> None:
    x = tf.placeholder("float32", [2], name="x")
    with pytest.raises(FeedError, match=r"no value fed for placeholder 'x' \(float32, shape"):
        (x * 2.0).numpy()


def test_feeds_without_a_session() -> None:
    x = tf.placeholder("float32", [], name="x")
    y = x * x
    z = y + 1.0
    assert evaluate([z], {x: 3.0})[0] == 10
    assert evaluate([z, y], {y: 5.0}) == [6, 5]
    assert z.value is None
    with pytest.raises(FeedError, match="cannot feed value of shape"):
        evaluate([z], {x: [1.0]})


def test_feeds_do_not_disturb_kept_values() -> None:
    x = tf.constant(3.0)
    y = x * x
    assert y.numpy() == 9
    assert evaluate([y], {x: 4.0})[0] == 16
    assert y.numpy() == 9


def test_plans_are_compiled_once_per_fetches_and_feeds(graph: tf.Graph) -> None:
    x = tf.placeholder("float32", [])
    y = x * x
    first = compiled(graph, (y,), (x,), eager=False)
    assert compiled(graph, (y,), (x,), eager=False) is first
    assert compiled(graph, (y, y), (x,), eager=False) is not first
    assert compiled(graph, (y,), (), eager=False) is not first


def test_the_store_of_plans_is_bounded(graph: tf.Graph) -> None:
    session = tf.Session()
    for number in range(300):
        session.run(tf.constant(float(number)))
    assert len(graph.plans) == 256


def test_values_die_after_their_last_use() -> None:
    size = 1_000_000
    x = tf.placeholder("float64", [size])
    y = x
    for _ in range(40):
        y = y + 1.0
    total = tf.reduce_sum(y)
    session = tf.Session()
    array = np.zeros(size)
    session.run(total, {x: array})
    tracemalloc.start()
    session.run(total, {x: array})
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 5 * 8 * size


@pytest.mark.parametrize("feed", [None, 3.0])
def test_only_what_is_needed_runs(graph: tf.Graph, feed: Any) -> None:
    x = tf.placeholder("float32", [])
    bad = tf.constant([1.0, 2.0]) * tf.placeholder("float32")
    y = tf.constant(2.0) * 3.0
    feeds = {} if feed is None else {x: feed}
    assert tf.Session().run(y, feeds) == 6
    assert bad.op in graph.operations


@contextmanager
def no_collection() -> Iterator[None]:
    """Keep the garbage collector from walking all these operations again and again."""
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


@pytest.fixture(scope="module")
def deep() -> tuple[tf.Graph, tf.Tensor, tf.Tensor]:
    graph = tf.Graph()
    with graph.as_default(), no_collection():
        x = tf.constant(2.0)
        y = x
        for _ in range(DEPTH):
            y = -y
    return graph, x, y


class TestDepth:
    """Nothing recurses over the depth of a graph."""

    def test_builds(self, deep: Any) -> None:
        graph, _, _ = deep
        assert len(graph.operations) == DEPTH + 1

    def test_evaluates(self, deep: Any) -> None:
        graph, x, y = deep
        assert y.numpy() == 2
        assert tf.Session(graph=graph).run(y, {x: 5.0}) == 5

    def test_differentiates(self, deep: Any) -> None:
        graph, x, y = deep
        with graph.as_default(), no_collection():
            (gradient,) = tf.gradients(y, x)
        assert gradient.numpy() == 1
        assert len(graph.backwards[-1].steps) == DEPTH
