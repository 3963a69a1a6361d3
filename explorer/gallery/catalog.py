"""Which worked examples there are, what to look at first, and which numbers are right.

The numbers are derived by hand or in closed form, never copied from a run.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

Numbers = tuple[float | None, ...]


@dataclass(frozen=True)
class Entry:
    """What is known about a program beside its text.

    Attributes:
        name: of the file, without its ending.
        row: which subject of the source articles it shows; 0 when it is not theirs.
        view: the picture to show first, "circuit", "mirror" or "operations".
        question: which of the program's gradient computations to show first, from 0.
        expected: per gradient computation the numbers of its results, flattened in order; None
            for a gradient that is None. For `hessians` it is the gradient that is differentiated
            once more.
    """

    name: str
    row: int
    view: str
    question: int
    expected: tuple[Numbers, ...]


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

ENTRIES = (
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
