"""What the cases share: their right values, little float64 programs, and the engine's answers.

`expected.json` holds the cases' titles and the values that other libraries, closed forms and
differences gave for them; nothing in it was computed here.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

import engine as tf
import explorer
from engine import explain
from engine.backward import Backward, Reason
from engine.explain import Verdict
from explorer.program import Program


@cache
def _cases() -> dict[str, Any]:
    text = Path(__file__).with_name("expected.json").read_text(encoding="utf-8")
    found: dict[str, Any] = json.loads(text)
    return found


def case_ids() -> tuple[str, ...]:
    """Return the ids of all cases, for example G1-003."""
    return tuple(_cases())


def expected(case: str) -> Any:
    """Return the right values of a case, by name."""
    return _cases()[case]["values"]


def var(value: Any) -> Any:
    """Return a float64 variable."""
    return tf.Variable(value, dtype=tf.float64)


def const(value: Any) -> Any:
    """Return a float64 constant."""
    return tf.constant(value, tf.float64)


def close(found: Any, right: Any, rtol: float = 1e-9, atol: float = 1e-12) -> None:
    """Compare values and shapes; "nan" and "inf" of the file are floats."""
    array = np.asarray(found.numpy() if hasattr(found, "numpy") else found)
    wanted = np.asarray(right).astype(array.dtype)
    assert array.shape == wanted.shape
    np.testing.assert_allclose(array, wanted, rtol=rtol, atol=atol)


def equal(found: Any, right: Any) -> None:
    """Compare exactly, shapes too; nan is equal to nan."""
    array = np.asarray(found.numpy() if hasattr(found, "numpy") else found)
    wanted = np.asarray(right).astype(array.dtype)
    assert array.shape == wanted.shape
    np.testing.assert_array_equal(array, wanted)


def grad(y: Any, x: Any, **arguments: Any) -> Any:
    """Return the gradient by one x, or None."""
    return tf.gradients(y, [x], **arguments)[0]


def derivatives(y: Any, x: Any, orders: int) -> list[Any]:
    """Return the first derivatives, each the gradient of the one before."""
    found = []
    for _ in range(orders):
        y = grad(y, x)
        found.append(y)
    return found


def last() -> Backward:
    """Return the record of the last call for gradients."""
    return tf.get_default_graph().backwards[-1]


def verdict(x: int = 0) -> Verdict:
    """Return why the gradient of an x of the last call is what it is."""
    return explain.why(last())[x]


def blocked(x: int = 0) -> list[tuple[str, Reason]]:
    """Return the type of each op at which ways from an x of the last call are cut, and why."""
    return [(cut.op.type, cut.reason) for cut in verdict(x).cuts]


def products(x: int = 0, limit: int = 12) -> list[Any]:
    """Return what each chain-rule path adds to an x of the last call, the most first."""
    record = last()
    found = explain.paths(record, record.xs[x], limit=limit)
    assert found.count == len(found.paths)
    return [path.product for path in found.paths]


def held_back(x: int = 0) -> list[Any]:
    """Return what each cut of the last call keeps from an x."""
    return [held.amounts[x] for held in explain.held_back(last())]


_HEAD = """
import tensorflow as tf
import numpy as np
def var(value):
    return tf.Variable(value, dtype=tf.float64)
def const(value):
    return tf.constant(value, tf.float64)
"""


def run(text: str) -> Program:
    """Run a program, with `tf`, `np`, `var` and `const` defined."""
    return explorer.run(_HEAD + text)


def value(program: Program, name: str) -> Any:
    """Return the value of what a program calls by a name."""
    return program.names[name].numpy()


def record_of(program: Program, question: int = -1) -> Backward:
    """Return the record of a question of a program, by default of the last."""
    return program.questions[question].backward
