"""Complex numbers and their parts."""

from __future__ import annotations

import numpy as np
import pytest

from engine.errors import DTypeError
from engine.gradients import gradients
from engine.graph import Graph
from engine.ops import complex_parts
from engine.ops.core import constant
from engine.plan import evaluate


def test_parts_of_a_complex_number() -> None:
    with Graph().as_default():
        z = constant([3 - 4j])
        parts = [complex_parts.real(z), complex_parts.imag(z), complex_parts.conj(z)]
        np.testing.assert_array_equal(evaluate(parts), [[3], [-4], [3 + 4j]])
        assert [p.dtype.name for p in parts] == ["float64", "float64", "complex128"]


def test_parts_of_a_real_number() -> None:
    with Graph().as_default():
        x = constant([2.0])
        assert complex_parts.real(x) is x
        assert complex_parts.conj(x) is x
        np.testing.assert_array_equal(evaluate([complex_parts.imag(x)])[0], [0])


def test_gradients_of_the_parts() -> None:
    with Graph().as_default():
        z = constant([3 - 4j, 0j])
        slopes = [
            gradients(y, z)[0] for y in (complex_parts.real(z), complex_parts.imag(z), abs(z))
        ]
        expected = [[1, 1], [1j, 1j], [0.6 - 0.8j, 0]]
        np.testing.assert_allclose(evaluate(slopes), expected, rtol=1e-15)


def test_joining_real_parts() -> None:
    with Graph().as_default():
        x = constant([1.0, 2.0])
        joined = complex_parts.complex(x, 3.0)
        assert joined.dtype.name == "complex64"
        np.testing.assert_array_equal(evaluate([joined])[0], [1 + 3j, 2 + 3j])


def test_parts_must_be_floats_of_full_size() -> None:
    with Graph().as_default(), pytest.raises(DTypeError, match="float32 or float64 parts"):
        complex_parts.complex(constant(1.0, "float16"), constant(1.0, "float16"))
