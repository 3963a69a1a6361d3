"""`python -m tests.benchmarks`: how long things take, as ratios within one run.

Machines are noisy, so every figure is set against a plain-Python or NumPy figure that is measured
in turn with it; the median of the ratios is printed.
"""

from __future__ import annotations

import gc
import statistics
import time
from collections.abc import Callable

import numpy as np

import engine as tf
import explorer
from engine.plan import Plan
from explorer.gallery import example
from explorer.picture import Look, draw

ROUNDS = 5
OPS = 2_000
STATEMENTS = 20_000


def seconds(function: Callable[[], object]) -> float:
    start = time.perf_counter()
    function()
    return time.perf_counter() - start


def ratio(one: Callable[[], object], other: Callable[[], object]) -> tuple[float, float]:
    """Return the median of one's seconds, and of the ratio to the other, measured in turn."""
    one()
    other()
    pairs = [(seconds(one), seconds(other)) for _ in range(ROUNDS)]
    return statistics.median(a for a, _ in pairs), statistics.median(a / b for a, b in pairs)


def objects() -> list[object]:
    """Make as many small Python objects with a few attributes as a chain has operations."""
    return [dict(name=f"mul_{index}", inputs=(index,), attrs={}) for index in range(OPS)]


def chain() -> tf.Tensor:
    with tf.Graph().as_default():
        x = tf.constant(1.0)
        h = x
        for _ in range(OPS):
            h = h * x
        return h


def chain_and_gradient() -> object:
    h = chain()
    return tf.gradients(h, h.graph.operations[0].outputs[0])


def numpy_chain() -> np.float32:
    x = np.float32(1.0)
    h = x
    for _ in range(OPS):
        h = h * x
    return h


def loop() -> int:
    x = y = 0
    for i in range(STATEMENTS // 2):
        x = x + i
        y = x
    return y


LOOP = f"x = 0\nfor i in range({STATEMENTS // 2}):\n    x = x + i\n    y = x\n"


def picture() -> object:
    question = explorer.run(example().text).questions[0]
    return draw(explorer.explain(question), Look())


def main() -> None:
    gc.collect()
    plan = Plan([chain()], [], eager=True)
    rows = [
        (f"build {OPS} ops / as many dicts", *ratio(chain, objects)),
        (
            f"build {OPS} ops and their gradient / as many dicts",
            *ratio(chain_and_gradient, objects),
        ),
        (f"run a plan of {OPS} ops / the same in NumPy", *ratio(lambda: plan.run([]), numpy_chain)),
        (f"interpret {STATEMENTS} statements / Python", *ratio(lambda: explorer.run(LOOP), loop)),
        (
            "program to picture (layout cached) / interpret",
            *ratio(picture, lambda: explorer.run(LOOP)),
        ),
    ]
    for name, own, times in rows:
        print(f"{name:55} {own * 1000:9.1f} ms {times:9.2f} ×")


main()
