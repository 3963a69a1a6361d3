"""What a tape refuses, each with a sentence."""

from __future__ import annotations

import numpy as np
import pytest

import engine as tf
from engine.errors import EngineError
from engine.graph import Graph
from engine.tape import GradientTape


def test_a_missing_gradient_is_named() -> None:
    x = tf.constant(3.0)
    with GradientTape() as tape, tf.get_default_graph().gradient_override_map({"Exp": "Nowhere"}):
        tape.watch(x)
        y = tf.exp(x)
        tf.exp(tf.exp(x))  # not on the way
    with pytest.raises(LookupError, match="gradient registry has no entry for: Nowhere") as error:
        tape.gradient(y, x)
    assert "RegisterGradient" in str(error.value)


def test_an_explicitly_prevented_gradient_keeps_its_reason() -> None:
    x = tf.constant(3.0)
    with GradientTape() as tape:
        tape.watch(x)
        y = tf.prevent_gradient(x, message="because")
    with pytest.raises(LookupError, match=r"Gradient explicitly disabled.*because"):
        tape.gradient(y, x)


def test_an_error_inside_ends_the_recording(graph: Graph) -> None:
    tape = GradientTape()
    with pytest.raises(ZeroDivisionError), tape:
        _ = 1 / 0
    assert graph.observers == []


@pytest.mark.parametrize(
    ("misuse", "family", "message"),
    [
        (lambda t, x: t.watch(3.0), ValueError, "Passed in object 3.0 of type 'float'"),
        (lambda t, x: t.watch(np.ones(2)), ValueError, "ndarray"),
        (lambda t, x: t.gradient(None, x), TypeError, "Argument `target` should be"),
        (lambda t, x: t.gradient([x, None], x), TypeError, "a target is None"),
        (lambda t, x: t.gradient(x, None), TypeError, "a source is None"),
        (lambda t, x: t.jacobian([x, x], x), TypeError, "one tensor as its target"),
        (
            lambda t, x: t.gradient(x, x, unconnected_gradients="bad"),
            ValueError,
            "Unknown value for unconnected_gradients: 'bad'",
        ),
        (
            lambda t, x: t.jacobian(x, x, experimental_use_pfor=False),
            RuntimeError,
            "persistent=True",
        ),
        (lambda t, x: t.reset(), ValueError, "Tape is not recording"),
        (lambda t, x: t.stop_recording().__enter__(), ValueError, "Tape is not recording"),
        (lambda t, x: GradientTape().watch(x), AttributeError, "never entered"),
        (lambda t, x: GradientTape().gradient(x, x), RuntimeError, "recorded nothing"),
        (
            lambda t, x: GradientTape().stop_recording().__enter__(),
            RuntimeError,
            "Trying to stop recording a tape which is not recording",
        ),
    ],
)
def test_misuse_is_answered_by_a_sentence(misuse, family, message) -> None:  # type: ignore[no-untyped-def]
    x = tf.constant(3.0)
    with GradientTape() as tape:
        tape.watch(x)
    with pytest.raises(family, match=message) as error:
        misuse(tape, x)
    assert isinstance(error.value, EngineError)
