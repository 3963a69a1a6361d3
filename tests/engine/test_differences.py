"""The two Jacobians of one problem, without the faces on top."""

from __future__ import annotations

import numpy as np

import engine as tf
from engine.differences import build_problem
from engine.graph import Graph


def test_a_jacobian_has_a_row_per_element_of_x() -> None:
    with Graph().as_default():
        x = tf.placeholder(tf.float64, [2])
        y = tf.stack([x[0] * x[1], x[0], x[1] * x[1]])
        problem = build_problem(x, y, np.array([2.0, 3.0]), (3,), {})
        expected = [[3.0, 1.0, 0.0], [2.0, 0.0, 6.0]]
        np.testing.assert_array_equal(problem.theoretical(), expected)
        np.testing.assert_allclose(problem.numeric(1e-3), expected, rtol=1e-9, atol=1e-12)


def test_the_gradient_is_built_once_and_kept_as_an_inner_record() -> None:
    with Graph().as_default() as graph:
        x = tf.placeholder(tf.float64, [2])
        problem = build_problem(x, x * x, np.array([2.0, 3.0]), (2,), {})
        size = graph.size_in_operations
        problem.theoretical()
        problem.numeric(1e-3)
        assert graph.size_in_operations == size
        assert [record.kind for record in graph.backwards] == ["inner"]


def test_types_of_the_jacobians_follow_x() -> None:
    with Graph().as_default():
        x = tf.placeholder(tf.float32, [1])
        problem = build_problem(x, x * x, np.array([2.0], np.float32), (1,), {})
        assert problem.theoretical().dtype == problem.numeric(1e-3).dtype == np.float32
