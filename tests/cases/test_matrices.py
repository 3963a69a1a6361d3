"""Einsum, batches of matrices, determinants, and a decomposition that is not there."""

from __future__ import annotations

import numpy as np
import pytest

import engine as tf
import explorer
from engine.errors import ShapeError
from engine.explain import State
from tests.cases.asking import close, const, expected, grad, var, verdict


def test_g1_064_a_repeated_index_is_a_diagonal() -> None:
    right = expected("G1-064")
    a = var([[1.0, 2.0], [3.0, 4.0]])
    trace = tf.einsum("ii->", a)
    close(trace, right["tr"])
    close(grad(trace, a), right["dA"])
    x, w = const([[1.0, 2.0], [3.0, 4.0]]), var([[5.0, 6.0], [7.0, 8.0]])
    y = tf.reduce_sum(tf.einsum("nd,nn->d", x, w))
    close(y, right["y"])
    close(grad(y, w), right["dW"])


def test_g1_065_an_index_of_two_sizes_is_refused() -> None:
    # As TensorFlow does; NumPy stretches the axis of size 1, whose gradient must be summed then.
    x, y = var([2.0, 3.0]), var([4.0])
    with pytest.raises(ShapeError, match=r"'i' has size 2 and size 1 .*\(2,\).*\(1,\)"):
        tf.einsum("i,i->", x, y)
    right = expected("G1-065")
    s = tf.reduce_sum(x * y)
    close(s, right["s"])
    dx, dy = tf.gradients(s, [x, y])
    close(dx, right["dx"])
    close(dy, right["dy"])


def test_g1_066_the_trace_of_a_tall_matrix() -> None:
    x = var(np.zeros((4, 2)))
    close(grad(tf.linalg.trace(x), x), expected("G1-066")["grad"])


def test_g1_067_a_matrix_shared_by_a_batch() -> None:
    right = expected("G1-067")
    a = var([[[1.0, 0.0], [0.0, 1.0]], [[2.0, 0.0], [1.0, 1.0]]])
    b = var([[1.0, 2.0], [3.0, 4.0]])
    weights = const([[[1, 2], [3, 4]], [[5, 6], [7, 8]]])
    da, db = tf.gradients(tf.reduce_sum(tf.matmul(a, b) * weights), [a, b])
    close(da, right["da"])
    close(db, right["db"])


def test_g1_069_the_determinant_of_a_singular_matrix() -> None:
    right = expected("G1-069")
    for name, values in (("gradA", [[3.0, 6.0], [1.0, 2.0]]), ("gradB", [[0.0]])):
        matrix = var(values)
        value = tf.linalg.det(matrix)
        close(value, right["detA"])
        close(grad(value, matrix), right[name])
        assert verdict().state is State.ORDINARY


def test_g1_070_singular_values_are_refused_and_the_norm_needs_none() -> None:
    with pytest.raises(explorer.ProgramError, match="svd") as refused:
        explorer.run("import tensorflow as tf\ntf.linalg.svd(tf.eye(3))")
    assert refused.value.line == 2
    right = expected("G1-070")
    a = var(np.diag([1.0, 1.0, 2.0]))
    y = tf.norm(a)
    close(y, right["y"])
    close(grad(y, a), np.diag(right["grad_diag"]))
