"""Products and quotients in which a zero first factor wins, and the next number of a floating type.

z stands for the output in the rules of local derivatives.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from engine.opdef import OpDef, define
from engine.ops.arithmetic import add, negative, square
from engine.ops.cast import cast
from engine.ops.comparison import not_equal
from engine.shapes import broadcast
from engine.tensor import Tensor

_CORNER = "where the first input is 0, value and derivatives are 0, whatever the second"


def _zero_wins(function: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    return lambda x, y: np.where(x == 0, np.zeros((), y.dtype), function(x, y))


def _present(x: Tensor) -> Tensor:
    """Return 1 where x is not 0, else 0."""
    return cast(not_equal(x, 0), x.dtype)


xlogy: OpDef = define(
    "Xlogy",
    kernel=_zero_wins(lambda x, y: x * np.log(y)),
    shape=broadcast,
    kinds="fc",
    arity=2,
    latex=r"#1 \log #2",
    local=(
        lambda x, y, z: xlogy(_present(x), y),
        lambda x, y, z: xdivy(x, y),
    ),
    corner=_CORNER,
)

xlog1py: OpDef = define(
    "Xlog1py",
    kernel=_zero_wins(lambda x, y: x * np.log1p(y)),
    shape=broadcast,
    kinds="fc",
    arity=2,
    latex=r"#1 \log(1 + #2)",
    local=(
        lambda x, y, z: xlog1py(_present(x), y),
        lambda x, y, z: xdivy(x, add(y, 1)),
    ),
    corner=_CORNER,
)

xdivy: OpDef = define(
    "Xdivy",
    kernel=_zero_wins(np.true_divide),
    shape=broadcast,
    kinds="fc",
    arity=2,
    latex=r"\frac{#1}{#2}",
    local=(
        lambda x, y, z: xdivy(_present(x), y),
        lambda x, y, z: xdivy(negative(x), square(y)),
    ),
    corner=_CORNER,
)

nextafter = define(
    "NextAfter",
    kernel=np.nextafter,
    shape=broadcast,
    kinds="f",
    arity=2,
    latex=r"\operatorname{next}(#1 \to #2)",
    local=(1, 0),
    corner="the result counts as the first input; the second only says in which direction to step",
)
