"""Running sums and products."""

from __future__ import annotations

import numpy as np
import pytest

from engine.errors import ShapeError
from engine.gradients import gradients
from engine.graph import Graph
from engine.ops.core import constant
from engine.ops.scan import cumprod, cumsum
from engine.plan import evaluate


@pytest.mark.parametrize(
    ("exclusive", "reverse", "sums", "products"),
    [
        (False, False, [2, 5, 9], [2, 6, 24]),
        (True, False, [0, 2, 5], [1, 2, 6]),
        (False, True, [9, 7, 4], [24, 12, 4]),
        (True, True, [7, 4, 0], [12, 4, 1]),
    ],
)
def test_values(exclusive: bool, reverse: bool, sums: list[int], products: list[int]) -> None:
    with Graph().as_default():
        x = constant([2, 3, 4])
        flags = {"exclusive": exclusive, "reverse": reverse}
        np.testing.assert_array_equal(evaluate([cumsum(x, **flags)])[0], sums)
        np.testing.assert_array_equal(evaluate([cumprod(x, **flags)])[0], products)


def test_the_gradient_of_a_running_product_is_right_at_zeros() -> None:
    with Graph().as_default():
        x = constant([2.0, 0.0, 3.0])
        # 2, 2 x1, 2 x1 x2: their sum has the derivatives below
        np.testing.assert_array_equal(evaluate(gradients(cumprod(x), x))[0], [1, 8, 0])


def test_an_axis_that_is_not_there() -> None:
    with Graph().as_default(), pytest.raises(ShapeError, match="Cumsum: axis 1 is out of range"):
        cumsum(constant([1.0]), axis=1)
