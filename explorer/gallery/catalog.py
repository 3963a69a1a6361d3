"""Which worked examples there are, what to look at first, and which numbers are right.

The numbers are derived by hand or in closed form, never copied from a run.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from enum import StrEnum

Numbers = tuple[float | None, ...]


class Group(StrEnum):
    """Where an example comes from: a subject of the articles, a common question, a model."""

    ARTICLE = "Article"
    QUESTION = "Question"
    MODEL = "Model"


@dataclass(frozen=True)
class Entry:
    """What is known about a program beside its text.

    Attributes:
        name: of the file, without its ending.
        row: which subject of the source articles it shows; 0 for a program that is not theirs.
        view: the picture to show first, "circuit", "mirror" or "operations".
        question: which of the program's gradient computations to show first, from 0.
        expected: per gradient computation the numbers of its results, flattened in order; None
            for a gradient that is None. For `hessians` it is the gradient that is differentiated
            once more, and a gradient that lists rows is written out as its whole table.
        group: what kind of example it is.
    """

    name: str
    row: int
    view: str
    question: int
    expected: tuple[Numbers, ...]
    group: Group = Group.ARTICLE


# d/dx of sin(x)·x at 1.5
_SINE_TIMES_X = math.sin(1.5) + 1.5 * math.cos(1.5)
# f = x²y + sin(xy) at (1, 2)
_F_X = 4.0 + 2.0 * math.cos(2.0)
_F_Y = 1.0 + math.cos(2.0)
_F_XY = 2.0 + math.cos(2.0) - 2.0 * math.sin(2.0)
# z = x²·sin(x) at 1
_TOTAL = 2.0 * math.sin(1.0) + math.cos(1.0)
# the map 4x(1 - x) three times, from 0.2: each pass multiplies by 4(1 - 2x), at 0.2, 0.64, 0.9216
_THREE_MAPS = 4.0 * 0.6 * (4.0 * -0.28) * (4.0 * -0.8432)
# softmax(1, 2)
_SOFTMAX = (1.0 / (1.0 + math.e), math.e / (1.0 + math.e))


def _ten_sigmoids() -> float:
    """Return the product of the ten slopes s(1 - s), from 0."""
    value, slope = 0.0, 1.0
    for _ in range(10):
        value = 1.0 / (1.0 + math.exp(-value))
        slope *= value * (1.0 - value)
    return slope


# tanh' at n = 1.5·0.8 - 0.5·0.4 + 0.1
_NEURON = 1.0 - math.tanh(1.1) ** 2
# x = 1, 2, 4 has mean 7/3 and variance 14/9; batch norm adds 1/4 below the root
_SPREAD = math.sqrt(14.0 / 9.0 + 0.25)
_NORMED = tuple((x - 7.0 / 3.0) / _SPREAD for x in (1.0, 2.0, 4.0))
# of the first of them: what it moves itself, what the mean and what the variance take back
_BATCH_NORM = tuple(
    2.0 / _SPREAD * ((1.0 if n == 0 else 0.0) - 1.0 / 3.0 - _NORMED[0] * _NORMED[n] / 3.0)
    for n in range(3)
)
# to W1, b1, W2 and the logits, whose gradient is p and -p
_NETWORK = (
    *(0.922044, 0.342000, -0.922044, -0.342000),
    *(0.922044, 0.342000),
    *(0.204718, -0.204718, -0.325636, 0.325636),
    *(0.538804, -0.538804),
)
# to Q, K and V
_ATTENTION = (
    *(0.0, 0.0, -1.028193, 0.342731),
    *(0.0, -0.685462, 0.0, 0.685462),
    *(1.0, 0.825042, 0.0, 1.174958),
)

_ARTICLES = (
    Entry("three_paths_one_stop", 0, "mirror", 0, ((25.0,),)),
    Entry("registered_gradient", 1, "operations", 0, ((6.0,), (6.0,))),
    Entry("rule_for_two_inputs", 2, "mirror", 0, ((1.0, -1.0),)),
    Entry("chain_rule", 3, "mirror", 0, ((_SINE_TIMES_X,),)),
    Entry("gradient_check", 4, "circuit", 0, ((0.2, 0.4, 0.6, 0.8, 1.0, 1.2),)),
    Entry("many_points", 5, "circuit", 0, ((10.0,),)),
    Entry("gradient_tape", 6, "mirror", 0, ((6.0,),)),
    Entry("aggregation_methods", 7, "operations", 0, ((36.0,),) * 4),
    Entry("weighted_outputs", 8, "mirror", 0, ((12.0,), (3.0,))),
    Entry("partial_independent", 9, "circuit", 0, ((5.0, 3.0, 2.0),)),
    Entry("partial_dependent", 10, "mirror", 0, ((1.0, 1.0, 1.0),)),
    Entry("total_and_partial", 11, "mirror", 0, ((9.0, 4.0, 1.0), (1.0, 1.0, 1.0))),
    Entry("stop_gradient_list", 12, "mirror", 2, ((None,), (15.0,), (39.0,), (3.0,))),
    Entry("both_stops", 13, "mirror", 0, ((None, 1.0, 4.0, 1.0), (12.0, 1.0, 4.0, 1.0))),
    Entry("integers", 14, "mirror", 1, ((None,), (None, 2.0))),
    Entry("partial_polynomial", 15, "mirror", 0, ((30.0, 417.0),)),
    Entry("mixed_second_derivatives", 16, "operations", 2, ((_F_X,), (_F_Y,), (_F_XY,), (_F_XY,))),
    Entry("total_derivative", 17, "mirror", 0, ((_TOTAL,),)),
    Entry("hessians", 18, "circuit", 0, ((1.0, 2.0, 3.0), (-3.0, -3.0), (3.0, 3.0, 7.0, 7.0))),
    Entry("gradient_descent", 19, "circuit", 0, ((-5.0,),)),
    Entry(
        "expectation_maximization",
        20,
        "mirror",
        0,
        ((0.410929, 1.458301), (-0.559823, 1.596717), (0.410929, 1.458301)),
    ),
    Entry(
        "contrastive_divergence",
        21,
        "mirror",
        0,
        ((0.162281, 0.086275, -0.540465, -0.342083), (0.130395, 0.086275, -0.708819, -0.342083)),
    ),
    Entry("adversarial_training", 22, "mirror", 1, ((4.0,), (5.04,), (9.36,))),
    Entry("three_ways", 23, "circuit", 0, ((_THREE_MAPS,),)),
    Entry("control_dependencies", 24, "operations", 0, ((3.0, 5.0),)),
    Entry("device_scopes", 25, "operations", 0, ((6.0 * math.cos(9.0),), (6.0 * math.cos(9.0),))),
)

_QUESTIONS = (
    Entry("none_or_zero", 0, "mirror", 0, ((0.0, None), (0.0, 0.0))),
    Entry("unwatched_constant", 0, "mirror", 1, ((None,), (6.0,))),
    Entry("through_numpy", 0, "mirror", 1, ((None,), (9.0,), (27.0,))),
    Entry("integer_variable", 0, "mirror", 1, ((None,), (None, 10.0))),
    Entry("replaced_variable", 0, "mirror", 1, ((6.0,), (None,))),
    Entry("assigned_state", 0, "mirror", 0, ((None, 8.0), (8.0,))),
    Entry("not_differentiable", 0, "mirror", 0, ((0.0, 2.0), (None,), (0.0, 0.0), (None,))),
    Entry("stop_keeps_the_value", 0, "mirror", 0, ((6.0,), (12.0,))),
    Entry("straight_through", 0, "mirror", 0, ((4.0,), (None,))),
    Entry("used_twice", 0, "mirror", 0, ((11.0,),)),
    Entry("diamond", 0, "mirror", 0, ((9.0, 6.0, 54.0),)),
    Entry("two_questions", 0, "mirror", 0, ((108.0,), (6.0,), (18.0,))),
    Entry("vector_target", 0, "mirror", 1, ((2.0, 4.0, 6.0), (2.0, 0.0, 0.0))),
    Entry("bias_gradient", 0, "mirror", 0, ((6.0, 6.0, *(4.0,) * 6), (0.5, 0.5))),
    Entry("gathered_rows", 0, "operations", 0, ((0.0, 0.0, 2.0, 2.0, 0.0, 0.0, 1.0, 1.0),)),
    Entry(
        "second_derivative_none",
        0,
        "mirror",
        5,
        ((27.0,), (5.0,), (27.0,), (18.0,), (None,), (None,)),
    ),
    Entry(
        "ties_and_corners", 0, "mirror", 3, ((0.0,), (0.0,), (1.0,), (1.0, 0.0), (0.5, 0.5, 0.0))
    ),
    Entry("nan_through_where", 0, "mirror", 0, ((math.nan,),)),
    Entry("double_where", 0, "mirror", 1, ((math.nan, 0.5), (0.0, 0.5))),
    Entry("root_at_zero", 0, "mirror", 1, ((math.inf,), (math.nan, math.nan), (0.0, 0.0))),
    Entry("log_sum_exp", 0, "mirror", 0, ((math.nan, 0.0), (1.0, 0.0))),
    Entry("harmless_stop", 0, "mirror", 0, (_SOFTMAX, _SOFTMAX)),
    Entry("vanishing", 0, "mirror", 0, ((_ten_sigmoids(),),)),
)

_MODELS = (
    Entry("tanh_neuron", 0, "circuit", 0, ((_NEURON, 1.5 * _NEURON, -0.5 * _NEURON, _NEURON),)),
    Entry("small_network", 0, "mirror", 0, (_NETWORK,)),
    Entry("stable_cross_entropy", 0, "mirror", 0, ((math.nan, math.nan), (1.0, -1.0))),
    Entry("recurrent_weights", 0, "mirror", 0, ((0.119526, 0.034713),)),
    Entry(
        "batch_norm",
        0,
        "mirror",
        0,
        ((*_BATCH_NORM, _NORMED[0], 1.0), (2.0 / _SPREAD, 0.0, 0.0)),
    ),
    Entry("attention", 0, "mirror", 0, (_ATTENTION,)),
    Entry("vector_quantization", 0, "mirror", 0, ((-0.2, -1.6, 0.2, -0.4, 0.0, 0.0),)),
    Entry(
        "policy_gradient",
        0,
        "mirror",
        0,
        ((1 / 6, 1 / 6, -1 / 3, -0.5), (1 / 6, 1 / 6, -1 / 3, -0.5 - math.log(3.0))),
    ),
    Entry("value_learning", 0, "mirror", 0, ((-1.12, -0.56), (-0.448, -0.112))),
    Entry(
        "gradient_penalty",
        0,
        "mirror",
        1,
        ((-0.187079, -0.403708), (0.454388, 0.249020, -0.150370, -0.587264, -0.276998, 0.433882)),
    ),
    Entry("meta_learning", 0, "mirror", 1, ((-2.0,), (-2.88,), (-3.6,))),
    Entry("newton_root", 0, "mirror", 0, ((0.5 / math.sqrt(2.0), 0.0),)),
    Entry(
        "factorization_machine", 0, "mirror", 0, ((1.0, 0.0, 2.0, -0.4, 0.6, 0.0, 0.0, 0.2, 0.8),)
    ),
)

ENTRIES = (
    *_ARTICLES,
    *(replace(entry, group=Group.QUESTION) for entry in _QUESTIONS),
    *(replace(entry, group=Group.MODEL) for entry in _MODELS),
)
