"""Casts: what they keep, what they cut off, and which gradients pass."""

from __future__ import annotations

import numpy as np
import pytest

from engine.errors import DTypeError
from engine.gradients import gradients
from engine.graph import Graph
from engine.ops import cast as casts
from engine.ops.core import constant
from engine.plan import evaluate


def test_a_cast_to_the_same_type_is_the_tensor_itself() -> None:
    with Graph().as_default():
        x = constant([1.0])
        assert casts.cast(x, "float32") is x


def test_fractions_and_imaginary_parts_are_cut_off() -> None:
    with Graph().as_default():
        whole, part = casts.to_int32([1.7, -1.7]), casts.cast(constant([3 + 4j]), "float64")
        np.testing.assert_array_equal(evaluate([whole])[0], [1, -1])
        np.testing.assert_array_equal(evaluate([part])[0], [3.0])


def test_named_casts() -> None:
    with Graph().as_default():
        made = [casts.to_float(1), casts.to_double(1), casts.to_int64(1)]
        assert [t.dtype.name for t in made] == ["float32", "float64", "int64"]
        assert [t.op.name for t in made] == ["ToFloat", "ToDouble", "ToInt64"]


def test_a_gradient_is_cast_back() -> None:
    with Graph().as_default():
        x = constant([1.0, 2.0])
        slope = gradients(casts.cast(x, "float64") * 3, x)[0]
        assert slope.dtype.name == "float32"
        np.testing.assert_array_equal(evaluate([slope])[0], [3, 3])


def test_no_gradient_passes_an_integer() -> None:
    with Graph().as_default():
        x = constant(2.5)
        through = casts.cast(casts.cast(x, "int32"), "float32")
        assert gradients(through, x) == [None]
        assert evaluate(gradients(through * x, x))[0] == 2


def test_an_unknown_type_is_named() -> None:
    with Graph().as_default(), pytest.raises(DTypeError, match="no element type 'float99'"):
        casts.cast(1.0, "float99")
