"""Sums of many tensors."""

from __future__ import annotations

import numpy as np
import pytest

from engine.errors import ArgumentError, DTypeError, ShapeError
from engine.gradients import gradients
from engine.graph import Graph
from engine.ops.addn import accumulate_n, add_n
from engine.ops.core import constant, placeholder
from engine.plan import evaluate


@pytest.mark.parametrize(
    ("function", "op_type"), [(add_n, "AddN"), (accumulate_n, "AccumulateNV2")]
)
def test_every_term_gets_the_whole_gradient(function: object, op_type: str) -> None:
    with Graph().as_default():
        terms = [constant([1.0, 2.0]), constant([10.0, 20.0]), constant([100.0, 200.0])]
        total = function(terms)
        assert total.op.type == op_type
        np.testing.assert_array_equal(evaluate([total])[0], [111, 222])
        for slope in evaluate(gradients(total, terms)):
            np.testing.assert_array_equal(slope, [1, 1])
        np.testing.assert_array_equal(evaluate([terms[0]])[0], [1, 2])


def test_a_term_named_twice_counts_twice() -> None:
    with Graph().as_default():
        x = constant(3.0)
        assert evaluate(gradients(add_n([x, x, x]), x))[0] == 3


def test_a_single_term_is_itself() -> None:
    with Graph().as_default():
        x = constant([1.0])
        assert add_n([x]) is x
        assert accumulate_n(x) is x


@pytest.mark.parametrize("given", [[], 3.0])
def test_a_list_of_tensors_is_expected(given: object) -> None:
    with Graph().as_default(), pytest.raises(ArgumentError, match="list of at least one tensor"):
        add_n(given)


def test_shapes_must_agree_before_and_at_run_time() -> None:
    with Graph().as_default():
        x, unknown = constant([1.0, 2.0]), placeholder("float32")
        with pytest.raises(ShapeError, match=r"\(2,\) and \(3,\)"):
            add_n([x, [1.0, 2.0, 3.0]])
        with pytest.raises(ShapeError, match="must have the same shape"):
            evaluate([add_n([x, unknown])], {unknown: 1.0})


def test_accumulate_n_checks_what_it_is_told() -> None:
    with Graph().as_default():
        x = constant([1.0, 2.0])
        with pytest.raises(ShapeError, match=r"not the given \(3,\)"):
            accumulate_n([x, x], shape=[3])
        with pytest.raises(DTypeError, match="float32, not the given float64"):
            accumulate_n([x, x], tensor_dtype="float64")
