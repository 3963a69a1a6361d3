"""Softmax and the cross-entropy losses built on it.

The losses have two outputs, as in TensorFlow: the loss of each example, and its derivative by the
logits, softmax minus labels, which the forward kernel has at hand.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.dtypes import DType
from engine.errors import ArgumentError, ArgumentTypeError, DTypeError, ShapeError
from engine.graph import create_op, graph_of
from engine.opdef import define
from engine.ops.arguments import as_tensors, static_int
from engine.ops.fill import stands_for_nothing, zeros_like
from engine.ops.shape_ops import expand_dims
from engine.ops.transpose import transpose
from engine.registry import RegisterGradient
from engine.shapes import Dims, merge, normalize_axis, show
from engine.tensor import Operation, Tensor


def _create(op_type: str, *inputs: Any, **attrs: Any) -> Tensor:
    return create_op(op_type, inputs, attrs).outputs[0]


# Softmax ------------------------------------------------------------------------------------------


def _along(source: Dims, *, axis: int) -> Dims:
    if source is not None:
        if not source:
            raise ShapeError("a scalar has no axis to normalise along")
        normalize_axis(axis, len(source))
    return source


def _shifted(x: Any, axis: int) -> Any:
    """Subtract the maximum, so that no exponential overflows."""
    return x - np.max(x, axis, keepdims=True) if np.size(x) else x


def _softmax_kernel(x: Any, *, axis: int = -1) -> Any:
    powers = np.exp(_shifted(x, axis))
    return powers / np.sum(powers, axis, keepdims=True)


def _log_softmax_kernel(x: Any, *, axis: int = -1) -> Any:
    shifted = _shifted(x, axis)
    return shifted - np.log(np.sum(np.exp(shifted), axis, keepdims=True))


_softmax = define(
    "Softmax",
    kernel=_softmax_kernel,
    shape=_along,
    kinds="f",
    attrs={"axis": -1},
    latex=r"\operatorname{softmax}(#1)",
)


@RegisterGradient("Softmax")
def _softmax_gradient(op: Operation, grad: Tensor) -> Tensor:
    return _softmax_product(grad, op.outputs[0], op.attrs["axis"])


def _softmax_product(grad: Tensor, softmax_values: Tensor, axis: int) -> Tensor:
    """Multiply by the Jacobian of softmax: (g - sum(g s)) s."""
    mean = _create("Sum", _create("Mul", grad, softmax_values), axis=axis, keepdims=True)
    return _create("Mul", _create("Sub", grad, mean), softmax_values)


_log_softmax = define(
    "LogSoftmax",
    kernel=_log_softmax_kernel,
    shape=_along,
    kinds="f",
    attrs={"axis": -1},
    latex=r"\log\operatorname{softmax}(#1)",
)


@RegisterGradient("LogSoftmax")
def _log_softmax_gradient(op: Operation, grad: Tensor) -> Tensor:
    total = _create("Sum", grad, axis=op.attrs["axis"], keepdims=True)
    return _create("Sub", grad, _create("Mul", total, _create("Exp", op.outputs[0])))


def softmax(logits: Any, axis: Any = None, name: str | None = None, dim: Any = None) -> Tensor:
    """Return exp(x) / sum(exp(x)) along an axis, the last by default."""
    result: Tensor = _softmax(logits, axis=_axis(axis, dim), name=name)
    return result


def log_softmax(logits: Any, axis: Any = None, name: str | None = None, dim: Any = None) -> Tensor:
    """Return x - log(sum(exp(x))) along an axis, the last by default."""
    result: Tensor = _log_softmax(logits, axis=_axis(axis, dim), name=name)
    return result


def _axis(axis: Any, dim: Any) -> int:
    chosen = axis if axis is not None else dim
    return -1 if chosen is None else static_int(chosen, "axis")


# Cross-entropy ------------------------------------------------------------------------------------


def _loss_shapes(logits: Dims, labels: Dims) -> tuple[Dims, Dims]:
    together = merge(logits, labels)
    if together == ():
        raise ShapeError("logits need an axis of classes")
    return (None if together is None else together[:-1]), together


def _loss_kernel(logits: Any, labels: Any) -> tuple[Any, Any]:
    if np.shape(logits) != np.shape(labels):
        raise ValueError(f"logits {np.shape(logits)} and labels {np.shape(labels)} differ in shape")
    logs = _log_softmax_kernel(logits)
    # A label of 0 takes no part, even where the logarithm is infinite.
    terms = np.where(labels == 0, 0, labels * logs)
    return -np.sum(terms, -1, dtype=logs.dtype), np.exp(logs) - labels


_loss = define(
    "SoftmaxCrossEntropyWithLogits",
    kernel=_loss_kernel,
    shape=_loss_shapes,
    kinds="f",
    arity=2,
    outputs=2,
    name="softmax_cross_entropy_with_logits",
    latex=r"-\sum #2 \log\operatorname{softmax}(#1)",
)


@RegisterGradient("SoftmaxCrossEntropyWithLogits")
def _loss_gradient(op: Operation, of_loss: Tensor, of_residual: Tensor) -> list[Any]:
    logits = op.inputs[0]

    def of_labels() -> Tensor:
        logs = _create("Neg", log_softmax(logits))
        product = _create("Mul", expand_dims(of_loss, -1), logs)
        if stands_for_nothing(of_residual):
            return product
        return _create("Sub", product, of_residual)

    return [lambda: _by_logits(op, of_loss, of_residual), of_labels]


def _by_logits(op: Operation, of_loss: Tensor, of_residual: Tensor) -> Tensor:
    """Return the gradient by the logits; the second output matters in second derivatives."""
    product = _create("Mul", expand_dims(of_loss, -1), op.outputs[1])
    if stands_for_nothing(of_residual):
        return product
    return _create("AddV2", product, _softmax_product(of_residual, softmax(op.inputs[0]), -1))


def _sparse_shapes(logits: Dims, labels: Dims) -> tuple[Dims, Dims]:
    if logits == ():
        raise ShapeError("logits need an axis of classes")
    rows = merge(None if logits is None else logits[:-1], labels)
    classes = None if logits is None else logits[-1]
    return rows, None if rows is None else (*rows, classes)


def _sparse_type(logits: DType, labels: DType) -> DType:
    if not labels.is_integer:
        raise DTypeError(
            f"labels are class numbers; cast them to integers (got {labels.name}), or use "
            "softmax_cross_entropy_with_logits for probabilities"
        )
    return logits


def _sparse_kernel(logits: Any, labels: Any) -> tuple[Any, Any]:
    classes = np.shape(logits)[-1]
    if np.shape(labels) != np.shape(logits)[:-1]:
        raise ValueError(f"labels {np.shape(labels)} do not fit logits {np.shape(logits)}")
    if np.size(labels) and (np.min(labels) < 0 or np.max(labels) >= classes):
        wrong = np.asarray(labels)[(labels < 0) | (labels >= classes)].flat[0]
        raise ValueError(f"label {wrong} is not in [0, {classes})")
    places = np.expand_dims(labels, -1)
    logs = _log_softmax_kernel(logits)
    residual = np.exp(logs)
    chosen = np.take_along_axis(residual, places, -1)
    np.put_along_axis(residual, places, chosen - 1, -1)
    return -np.take_along_axis(logs, places, -1)[..., 0], residual


_sparse_loss = define(
    "SparseSoftmaxCrossEntropyWithLogits",
    kernel=_sparse_kernel,
    shape=_sparse_shapes,
    dtype=_sparse_type,
    match=(0,),
    kinds="f",
    arity=2,
    outputs=2,
    latex=r"-\log\operatorname{softmax}(#1)_{#2}",
)


@RegisterGradient("SparseSoftmaxCrossEntropyWithLogits")
def _sparse_gradient(op: Operation, of_loss: Tensor, of_residual: Tensor) -> list[Any]:
    return [_by_logits(op, of_loss, of_residual), None]


def softmax_cross_entropy_with_logits(
    labels: Any = None,
    logits: Any = None,
    axis: Any = None,
    name: str | None = None,
    dim: Any = None,
) -> Tensor:
    """Return -sum(labels log(softmax(logits))) along the axis of classes.

    The gradient by the logits is softmax - labels, which supposes that labels sum to 1.

    Args:
        labels: `[..., classes]`, probabilities; gradients flow into them too.
        logits: `[..., classes]`.
        axis: the axis of classes, the last by default.
        name: of the operation.
        dim: the name that TensorFlow 1 gives to `axis`.

    Returns:
        `[...]`, one loss per example.

    Raises:
        ArgumentTypeError: labels or logits are missing.
        ShapeError: they differ in shape.
    """
    wanted, scores = _both(labels, logits, "softmax_cross_entropy_with_logits")
    place = _axis(axis, dim)
    if place != -1:
        wanted, scores = _classes_last(wanted, place), _classes_last(scores, place)
    result: Tensor = _loss(scores, wanted, name=name)[0]
    return result


softmax_cross_entropy_with_logits_v2 = softmax_cross_entropy_with_logits


def _both(labels: Any, logits: Any, function: str) -> tuple[Tensor, Tensor]:
    if labels is None or logits is None:
        raise ArgumentTypeError(f"{function} needs both labels= and logits=")
    # Plain labels take the type of the logits, whichever comes first.
    scores, wanted = as_tensors([logits, labels])
    return wanted, scores


def _classes_last(tensor: Tensor, axis: int) -> Tensor:
    if tensor.dims is None:
        raise ArgumentError(f"an axis other than -1 needs a known rank (got {tensor.name})")
    rank = len(tensor.dims)
    place = normalize_axis(axis, rank)
    return transpose(tensor, [*(k for k in range(rank) if k != place), place])


def sparse_softmax_cross_entropy_with_logits(
    labels: Any = None, logits: Any = None, name: str | None = None
) -> Tensor:
    """Return -log(softmax(logits)) at the class of each example.

    Args:
        labels: `[...]`, the class numbers.
        logits: `[..., classes]`.
        name: of the operation.

    Returns:
        `[...]`, one loss per example.

    Raises:
        ArgumentTypeError: labels or logits are missing.
        ShapeError: there is not one label per row of logits.
    """
    if labels is None or logits is None:
        raise ArgumentTypeError(
            "sparse_softmax_cross_entropy_with_logits needs both labels= and logits="
        )
    result: Tensor = _sparse_loss(logits, labels, name=name)[0]
    return result


def sigmoid_cross_entropy_with_logits(
    labels: Any = None, logits: Any = None, name: str | None = None
) -> Tensor:
    """Return max(x, 0) - x z + log(1 + exp(-|x|)) for logits x and labels z.

    Raises:
        ArgumentTypeError: labels or logits are missing.
        ShapeError: they differ in shape.
    """
    wanted, scores = _both(labels, logits, "sigmoid_cross_entropy_with_logits")
    try:
        merge(wanted.dims, scores.dims)
    except ShapeError:
        raise ShapeError(
            f"logits and labels must have the same shape (got {show(scores.dims)} and "
            f"{show(wanted.dims)})"
        ) from None
    with graph_of([scores]).name_scope(name or "logistic_loss") as scope:
        zero = zeros_like(scores)
        positive = _create("GreaterEqual", scores, zero)
        # Both branches keep their derivative at 0, where max(x, 0) and |x| have a corner each.
        rectified = _create("SelectV2", positive, scores, zero)
        negative = _create("SelectV2", positive, _create("Neg", scores), scores)
        linear = _create("Sub", rectified, _create("Mul", scores, wanted))
        smooth = _create("Log1p", _create("Exp", negative))
        return create_op("AddV2", [linear, smooth], name=scope).outputs[0]
