"""The ways back from a reduced or broadcast shape."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from engine.errors import ShapeError
from engine.gradients import gradients
from engine.graph import Graph
from engine.ops.core import constant, placeholder
from engine.ops.reduce import reduce_mean, reduce_sum
from engine.ops.unreduce import broadcast_like
from engine.plan import evaluate


def test_unknown_shapes_are_looked_up_at_run_time() -> None:
    with Graph().as_default() as graph:
        x, y = placeholder("float32"), placeholder("float32")
        slopes = gradients(x * y, [x, y])
        types = {op.type for op in graph.operations if op.role == "unbroadcast"}
        assert types == {"SumToShapeOf"}
        fed = {x: np.ones((2, 3)), y: np.array([1.0, 2.0, 3.0])}
        by_x, by_y = evaluate(slopes, fed)
        np.testing.assert_array_equal(by_x, [[1, 2, 3], [1, 2, 3]])
        np.testing.assert_array_equal(by_y, [2, 2, 2])


@pytest.mark.parametrize(
    ("axis", "expected"), [(1, ["Reshape", "BroadcastTo"]), (0, ["BroadcastTo"])]
)
def test_leading_axes_need_no_reshape(axis: int, expected: list[str]) -> None:
    with Graph().as_default() as graph:
        x = constant(np.ones((2, 3)))
        gradients(reduce_sum(x, axis), x)
        made = [op.type for op in graph.operations if "Sum_grad/" in op.name]
        assert made == expected


def test_an_axis_of_unknown_size_is_counted_at_run_time() -> None:
    with Graph().as_default():
        x = placeholder("float64", [None, 2])
        slope = gradients(reduce_mean(x, 0), x)[0]
        for rows in (1, 4):
            found = evaluate([slope], {x: np.zeros((rows, 2))})[0]
            np.testing.assert_array_equal(found, np.full((rows, 2), 1 / rows))


@pytest.mark.parametrize("upstream", [np.ones(4), np.ones((2, 2))])
def test_a_gradient_that_does_not_fit_is_refused(upstream: Any) -> None:
    with Graph().as_default() as graph:
        g, like = placeholder("float64"), placeholder("float64")
        total = graph.create_op("SumToShapeOf", [g, like]).outputs[0]
        with pytest.raises(ShapeError, match=r"does not fit the shape \(3,\)"):
            evaluate([total], {g: upstream, like: np.ones(3)})


def test_lost_axes_are_put_back() -> None:
    with Graph().as_default():
        x, like = constant([1.0, 2.0]), constant(np.zeros((3, 2, 4)))
        found = evaluate([broadcast_like(x, like, (0, 2))])[0]
        np.testing.assert_array_equal(found, np.broadcast_to([[1], [2]], (3, 2, 4)))
