"""The factor of an edge is a number only where the rule multiplies by it."""

from __future__ import annotations

import numpy as np
import pytest

import engine as tf
from engine import explain


@pytest.mark.parametrize("shape", [(), (2,)])
def test_conjugation_along_a_path_conjugates(shape: tuple[int, ...]) -> None:
    imaginary = tf.constant(np.full(shape, 0.5))
    z = tf.math.conj(tf.complex(tf.zeros_like(imaginary), imaginary))
    tf.gradients(z, imaginary, grad_ys=tf.constant(np.full(shape, 1.0 + 2.0j)))
    found = explain.paths(z.graph.backwards[-1], imaginary)
    # L = Re(conj(1 + 2i) (-i b)) = -2 b
    np.testing.assert_array_equal(found.total, np.full(shape, -2.0))
    np.testing.assert_array_equal(found.paths[0].product, np.full(shape, -2.0))
    assert found.paths[0].edges[0].factor.kind is explain.FactorKind.RULE


def test_a_complex_factor_is_the_conjugated_derivative() -> None:
    z = tf.constant(np.array(1.0 + 2.0j))
    tf.gradients(z * (3.0 - 1.0j), z, grad_ys=tf.constant(np.array(1.0 + 0.0j)))
    (path,) = explain.paths(z.graph.backwards[-1], z).paths
    assert path.edges[0].factor.value == 3.0 + 1.0j
