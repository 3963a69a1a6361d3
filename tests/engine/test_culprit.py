"""Wrong elements found by halving."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import engine as tf
from engine.culprit import find_culprit
from engine.graph import Graph
from engine.probing import draw_direction, probe_direction, step_sizes
from engine.problems import function_problems
from engine.registry import RegisterGradient, scoped


@pytest.mark.parametrize("place", [0, 17, 38])
def test_the_one_wrong_element_is_found(place: int) -> None:
    with scoped(), Graph().as_default() as graph:
        mask = np.ones(39)
        mask[place] = 1.5
        RegisterGradient("Spoiled")(lambda op, g: g * mask)

        def spoiled(x: tf.Tensor) -> tf.Tensor:
            with graph.gradient_override_map({"Identity": "Spoiled"}):
                return tf.sin(tf.identity(x))

        problem = function_problems(spoiled, [np.linspace(-1.0, 1.0, 39)])[0]
        direction = draw_direction(problem)
        probe = probe_direction(problem, step_sizes(problem), direction)
        assert find_culprit(problem, direction, probe) == (place, place)


def test_a_gradient_that_is_nan_is_found() -> None:
    with Graph().as_default():
        problem = function_problems(lambda x: x * 1.0, [np.ones(8)])[0]
        direction = draw_direction(problem)
        gradient = direction.gradient.copy()
        gradient[5] = np.nan
        direction = replace(direction, gradient=gradient)
        probe = probe_direction(problem, step_sizes(problem), direction)
        assert find_culprit(problem, direction, probe)[0] == 5
