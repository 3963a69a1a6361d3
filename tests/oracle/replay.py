"""Run a recorded program on the engine, the way TensorFlow was run."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import engine as tf
from engine.backward import Backward
from engine.opdef import all_opdefs
from tests.oracle.reading import Case, Line

Tensors = dict[str, list[Any]]
"""The outputs of each leaf and line of a program, by id."""

_INPUT_NAMES = {"tf.nn.sigmoid_cross_entropy_with_logits": ("logits", "labels")}
_ATTR_NAMES = {"tf.clip_by_value": {"min": "clip_value_min", "max": "clip_value_max"}}


@dataclass(frozen=True, eq=False)
class Answer:
    """What the engine answered; everything that was not asked for is None.

    Attributes:
        grads: per x an array, an `IndexedSlicesValue`, or None.
        record: the backward record of the last call of `gradients`.
        error: what was raised, if anything.
    """

    y_values: tuple[Any, ...] | None = None
    grads: tuple[Any, ...] | None = None
    theoretical: tuple[Any, ...] | None = None
    numerical: tuple[Any, ...] | None = None
    record: Backward | None = None
    error: Exception | None = None


def replay(case: Case) -> Answer:
    """Run a case in a graph of its own; whatever it raises is part of the answer."""
    with tf.Graph().as_default():
        try:
            return _MODES[case.mode](case)
        except Exception as error:
            return Answer(error=error)


def exists(op: str) -> bool:
    """Return whether the engine has this op type, or this function `tf.xxx`."""
    if op.startswith("tf."):
        try:
            _function(op)
        except AttributeError:
            return False
        return True
    return any(opdef.type == op for opdef in all_opdefs())


def _leaves(case: Case) -> Tensors:
    return {leaf.id: [tf.constant(leaf.value, name=leaf.id)] for leaf in case.leaves}


def _run_lines(lines: Sequence[Line], tensors: Tensors) -> None:
    for line in lines:
        tensors[line.id] = _outputs(line, tensors)


def _outputs(line: Line, tensors: Tensors) -> list[Any]:
    if line.op == "@gradients":
        ys, xs = _all(line.call["ys"], tensors), _all(line.call["xs"], tensors)
        return tf.gradients(ys, xs, _optional(line.call.get("grad_ys"), tensors))
    inputs = _all(line.inputs, tensors)
    if line.op.startswith("tf."):
        return _call(line, inputs)
    graph = tf.get_default_graph()
    return list(graph.create_op(line.op, inputs, line.attrs, name=line.op).outputs)


def _call(line: Line, inputs: list[Any]) -> list[Any]:
    """Call a function of the face."""
    renamed = _ATTR_NAMES.get(line.op, {})
    attrs = {renamed.get(key, key): value for key, value in line.attrs.items()}
    if line.op == "tf.stop_gradient(list)":
        return [tf.stop_gradient(inputs)]
    names = _INPUT_NAMES.get(line.op)
    if names:
        result = _function(line.op)(**dict(zip(names, inputs, strict=True)), **attrs)
    else:
        result = _function(line.op)(*inputs, **attrs)
    return list(result) if isinstance(result, list | tuple) else [result]


def _function(op: str) -> Callable[..., Any]:
    found: Any = tf
    for part in op.removesuffix("(list)").split(".")[1:]:
        found = getattr(found, part)
    return found  # type: ignore[no-any-return]


def _one(reference: str, tensors: Tensors) -> Any:
    name, _, index = reference.partition(":")
    return tensors[name][int(index or 0)]


def _all(references: Sequence[str], tensors: Tensors) -> list[Any]:
    return [_one(reference, tensors) for reference in references]


def _optional(references: Sequence[str | None] | None, tensors: Tensors) -> list[Any] | None:
    if references is None:
        return None
    return [None if entry is None else _one(entry, tensors) for entry in references]


def _values(ys: Sequence[Any], grads: Sequence[Any]) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
    """Evaluate everything at once in a session."""
    with tf.Session() as session:
        present = [grad for grad in grads if grad is not None]
        y_values, found = session.run((list(ys), present))
    values = iter(found)
    return tuple(y_values), tuple(None if grad is None else next(values) for grad in grads)


def _gradients(case: Case) -> Answer:
    tensors = _leaves(case)
    _run_lines(case.lines, tensors)
    ys = _all(case.ys, tensors)
    grads = tf.gradients(ys, _all(case.xs, tensors), **_arguments(case, tensors))
    y_values, found = _values(ys, grads)
    return Answer(y_values, found, record=tf.get_default_graph().backwards[-1])


def _arguments(case: Case, tensors: Tensors) -> dict[str, Any]:
    options = dict(case.options)
    arguments: dict[str, Any] = {
        "grad_ys": _optional(options.pop("grad_ys", None), tensors),
        "stop_gradients": _optional(options.pop("stop_gradients", None), tensors),
        "name": options.pop("scope_name", "gradients"),
    }
    method = options.pop("aggregation_method", None)
    if method is not None:
        named = isinstance(method, str)
        arguments["aggregation_method"] = getattr(tf.AggregationMethod, method) if named else method
    return {**arguments, **options}


def _hessians(case: Case) -> Answer:
    tensors = _leaves(case)
    _run_lines(case.lines, tensors)
    ys = _all(case.ys, tensors)
    return Answer(*_values(ys, tf.hessians(ys, _all(case.xs, tensors))))


def _taped(case: Case, take: Callable[..., Sequence[Any]]) -> Answer:
    """Record all lines on a tape, or on two nested ones, and take gradients from it."""
    tensors = _leaves(case)
    with tf.GradientTape() as outer:
        with tf.GradientTape() as inner:
            for reference in case.options.get("watch", ()):
                inner.watch(_one(reference, tensors))
                outer.watch(_one(reference, tensors))
            _run_lines(case.lines, tensors)
        ys, xs = _all(case.ys, tensors), _all(case.xs, tensors)
        grads = take(inner, ys, xs, _optional(case.options.get("grad_ys"), tensors))
    if case.options.get("order") == 2:
        grads = outer.gradient(grads, xs)
    return Answer(*_values(ys, grads))


def _unconnected(case: Case) -> Mapping[str, Any]:
    key = "unconnected_gradients"
    return {key: case.options[key]} if key in case.options else {}


def _tape(case: Case) -> Answer:
    def take(tape: Any, ys: list[Any], xs: list[Any], seeds: list[Any] | None) -> Any:
        return tape.gradient(ys, xs, output_gradients=seeds, **_unconnected(case))

    return _taped(case, take)


def _tape_jacobian(case: Case) -> Answer:
    def take(tape: Any, ys: list[Any], xs: list[Any], _seeds: Any) -> Any:
        return tape.jacobian(ys[0], xs, **_unconnected(case))

    return _taped(case, take)


def _tape_batch_jacobian(case: Case) -> Answer:
    def take(tape: Any, ys: list[Any], xs: list[Any], _seeds: Any) -> Any:
        return [tape.batch_jacobian(ys[0], xs[0])]

    return _taped(case, take)


def _delta(case: Case) -> Mapping[str, float]:
    return {"delta": case.options["delta"]} if "delta" in case.options else {}


def _compute_gradient_v1(case: Case) -> Answer:
    tensors = _leaves(case)
    _run_lines(case.lines, tensors)
    (x,), (y,) = _all(case.xs, tensors), _all(case.ys, tensors)
    (value,) = (leaf.value for leaf in case.leaves if leaf.id == case.xs[0])
    with tf.Session():
        shapes = x.shape.as_list(), y.shape.as_list()
        theoretical, numerical = tf.compat.v1.test.compute_gradient(
            x, shapes[0], y, shapes[1], x_init_value=value, **_delta(case)
        )
    return Answer(theoretical=(theoretical,), numerical=(numerical,))


def _compute_gradient_v2(case: Case) -> Answer:
    def function(*arguments: Any) -> Any:
        tensors = _leaves(case)
        tensors.update({x: [value] for x, value in zip(case.xs, arguments, strict=True)})
        _run_lines(case.lines, tensors)
        return _one(case.ys[0], tensors)

    values = {leaf.id: leaf.value for leaf in case.leaves}
    found = tf.test.compute_gradient(function, [values[x] for x in case.xs], **_delta(case))
    return Answer(theoretical=tuple(found[0]), numerical=tuple(found[1]))


_MODES: Mapping[str, Callable[[Case], Answer]] = {
    "gradients": _gradients,
    "hessians": _hessians,
    "tape": _tape,
    "tape_jacobian": _tape_jacobian,
    "tape_batch_jacobian": _tape_batch_jacobian,
    "compute_gradient_v1": _compute_gradient_v1,
    "compute_gradient_v2": _compute_gradient_v2,
}
