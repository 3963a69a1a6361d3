"""Losses of TensorFlow 1: one number for how far predictions are from labels."""

from __future__ import annotations

from typing import Any

from engine.errors import ArgumentError
from engine.graph import Graph
from engine.ops.activation import relu
from engine.ops.arguments import as_tensors
from engine.ops.arithmetic import (
    absolute,
    add,
    minimum,
    multiply,
    negative,
    square,
    squared_difference,
    subtract,
)
from engine.ops.cast import cast
from engine.ops.comparison import not_equal
from engine.ops.elementary import log
from engine.ops.fill import ones_like
from engine.ops.no_nan import div_no_nan
from engine.ops.reduction import sum_op
from engine.ops.shape_ops import size
from engine.ops.softmax import (
    sigmoid_cross_entropy_with_logits,
    softmax_cross_entropy_with_logits,
    sparse_softmax_cross_entropy_with_logits,
)
from engine.shapes import element_count, merge
from engine.tensor import Tensor


class Reduction:
    """How the losses of the single elements become one number."""

    NONE = "none"
    SUM = "weighted_sum"
    SUM_OVER_BATCH_SIZE = "weighted_sum_over_batch_size"
    MEAN = "weighted_mean"
    SUM_OVER_NONZERO_WEIGHTS = "weighted_sum_by_nonzero_weights"
    SUM_BY_NONZERO_WEIGHTS = "weighted_sum_by_nonzero_weights"


def compute_weighted_loss(
    losses: Any,
    weights: Any = 1.0,
    scope: str | None = None,
    loss_collection: Any = None,
    reduction: str = Reduction.SUM_BY_NONZERO_WEIGHTS,
) -> Tensor:
    """Weight the losses of the single elements and reduce them.

    Args:
        losses: a tensor.
        weights: a number, or a tensor that broadcasts against the losses.
        scope: name of the scope.
        loss_collection: accepted as in TensorFlow, without effect.
        reduction: a member of `Reduction`; by default the weighted sum over the number of elements
            whose weight is not zero, or 0 if there are none.

    Raises:
        ArgumentError: the reduction is unknown.
    """
    each, factors = as_tensors([losses, weights])
    with each.graph.name_scope(scope or "weighted_loss"):
        plain = isinstance(weights, int | float) and weights == 1
        weighted = each if plain else multiply(each, factors)
        if reduction == Reduction.NONE:
            return weighted
        total: Tensor = sum_op(weighted)
        if reduction == Reduction.SUM:
            return total
        if reduction == Reduction.SUM_OVER_BATCH_SIZE or (plain and _is_known(reduction)):
            return _ratio(total, _count(each))
        repeated = multiply(factors, ones_like(each))
        if reduction == Reduction.MEAN:
            return _ratio(total, sum_op(repeated))
        if reduction == Reduction.SUM_BY_NONZERO_WEIGHTS:
            return _ratio(total, sum_op(cast(not_equal(repeated, 0), each.dtype)))
    raise ArgumentError(f"unknown reduction {reduction!r}; take one of tf.losses.Reduction")


def _is_known(reduction: str) -> bool:
    return reduction in (Reduction.MEAN, Reduction.SUM_BY_NONZERO_WEIGHTS)


def _count(tensor: Tensor) -> Any:
    known = element_count(tensor.dims)
    return cast(size(tensor), tensor.dtype) if known is None else known


def _ratio(total: Tensor, count: Any) -> Tensor:
    result: Tensor = div_no_nan(total, count, name="value")
    return result


def _opened(
    scope: str | None, default: str, first: Any, second: Any
) -> tuple[Graph, str, Any, Any]:
    """Return the graph, the name of the scope, and labels and predictions as tensors."""
    predictions, labels = as_tensors([second, first])
    merge(labels.dims, predictions.dims)
    if labels.dtype is not predictions.dtype:
        labels = cast(labels, predictions.dtype)
    return predictions.graph, scope or default, labels, predictions


def mean_squared_error(
    labels: Any,
    predictions: Any,
    weights: Any = 1.0,
    scope: str | None = None,
    loss_collection: Any = None,
    reduction: str = Reduction.SUM_BY_NONZERO_WEIGHTS,
) -> Tensor:
    """Return the mean of (predictions - labels)², weighted as by `compute_weighted_loss`.

    Raises:
        ShapeError: labels and predictions differ in shape.
    """
    graph, name, wanted, found = _opened(scope, "mean_squared_error", labels, predictions)
    with graph.name_scope(name):
        each = squared_difference(found, wanted)
        return compute_weighted_loss(each, weights, reduction=reduction)


def absolute_difference(
    labels: Any,
    predictions: Any,
    weights: Any = 1.0,
    scope: str | None = None,
    loss_collection: Any = None,
    reduction: str = Reduction.SUM_BY_NONZERO_WEIGHTS,
) -> Tensor:
    """Return the mean of |predictions - labels|, weighted as by `compute_weighted_loss`.

    Raises:
        ShapeError: labels and predictions differ in shape.
    """
    graph, name, wanted, found = _opened(scope, "absolute_difference", labels, predictions)
    with graph.name_scope(name):
        each = absolute(subtract(found, wanted))
        return compute_weighted_loss(each, weights, reduction=reduction)


def hinge_loss(
    labels: Any,
    logits: Any,
    weights: Any = 1.0,
    scope: str | None = None,
    loss_collection: Any = None,
    reduction: str = Reduction.SUM_BY_NONZERO_WEIGHTS,
) -> Tensor:
    """Return the mean of max(0, 1 - t logits), where t is 1 for label 1 and -1 for label 0.

    At the kink, where t logits = 1, the derivative is 0.

    Raises:
        ShapeError: labels and logits differ in shape.
    """
    graph, name, wanted, found = _opened(scope, "hinge_loss", labels, logits)
    with graph.name_scope(name):
        signs = subtract(multiply(wanted, 2), 1)
        each = relu(subtract(ones_like(found), multiply(signs, found)))
        return compute_weighted_loss(each, weights, reduction=reduction)


def huber_loss(
    labels: Any,
    predictions: Any,
    weights: Any = 1.0,
    delta: float = 1.0,
    scope: str | None = None,
    loss_collection: Any = None,
    reduction: str = Reduction.SUM_BY_NONZERO_WEIGHTS,
) -> Tensor:
    """Return the mean of e²/2 where |e| is at most delta, and of delta (|e| - delta/2) beyond.

    Args:
        labels: a tensor.
        predictions: of the same shape; e is predictions - labels.
        weights: as for `compute_weighted_loss`.
        delta: where the square becomes linear.
        scope: name of the scope.
        loss_collection: accepted as in TensorFlow, without effect.
        reduction: as for `compute_weighted_loss`.

    Raises:
        ShapeError: labels and predictions differ in shape.
    """
    graph, name, wanted, found = _opened(scope, "huber_loss", labels, predictions)
    with graph.name_scope(name):
        error = absolute(subtract(found, wanted))
        # Written with a minimum, so that exactly one branch counts where |e| = delta.
        quadratic = minimum(error, delta)
        linear = subtract(error, quadratic)
        each = add(multiply(square(quadratic), 0.5), multiply(linear, delta))
        return compute_weighted_loss(each, weights, reduction=reduction)


def log_loss(
    labels: Any,
    predictions: Any,
    weights: Any = 1.0,
    epsilon: float = 1e-7,
    scope: str | None = None,
    loss_collection: Any = None,
    reduction: str = Reduction.SUM_BY_NONZERO_WEIGHTS,
) -> Tensor:
    """Return the mean of -t log(p + epsilon) - (1 - t) log(1 - p + epsilon).

    Raises:
        ShapeError: labels and predictions differ in shape.
    """
    graph, name, wanted, found = _opened(scope, "log_loss", labels, predictions)
    with graph.name_scope(name):
        positive = multiply(wanted, log(add(found, epsilon)))
        against = log(add(subtract(1, found), epsilon))
        each = subtract(negative(positive), multiply(subtract(1, wanted), against))
        return compute_weighted_loss(each, weights, reduction=reduction)


def sigmoid_cross_entropy(
    multi_class_labels: Any,
    logits: Any,
    weights: Any = 1.0,
    label_smoothing: float = 0,
    scope: str | None = None,
    loss_collection: Any = None,
    reduction: str = Reduction.SUM_BY_NONZERO_WEIGHTS,
) -> Tensor:
    """Return the mean of `tf.nn.sigmoid_cross_entropy_with_logits`; smoothing moves labels to 1/2.

    Raises:
        ShapeError: labels and logits differ in shape.
    """
    graph, name, wanted, found = _opened(
        scope, "sigmoid_cross_entropy_loss", multi_class_labels, logits
    )
    with graph.name_scope(name):
        if label_smoothing:
            wanted = add(multiply(wanted, 1 - label_smoothing), 0.5 * label_smoothing)
        each = sigmoid_cross_entropy_with_logits(labels=wanted, logits=found)
        return compute_weighted_loss(each, weights, reduction=reduction)


def softmax_cross_entropy(
    onehot_labels: Any,
    logits: Any,
    weights: Any = 1.0,
    label_smoothing: float = 0,
    scope: str | None = None,
    loss_collection: Any = None,
    reduction: str = Reduction.SUM_BY_NONZERO_WEIGHTS,
) -> Tensor:
    """Return the mean of `tf.nn.softmax_cross_entropy_with_logits`; smoothing evens out labels.

    Raises:
        ArgumentError: labels are to be smoothed and the number of classes is unknown.
        ShapeError: labels and logits differ in shape.
    """
    graph, name, wanted, found = _opened(scope, "softmax_cross_entropy_loss", onehot_labels, logits)
    with graph.name_scope(name):
        if label_smoothing:
            classes = None if found.dims is None else found.dims[-1]
            if classes is None:
                raise ArgumentError(
                    f"label_smoothing needs a known number of classes (got {found.name})"
                )
            wanted = add(multiply(wanted, 1 - label_smoothing), label_smoothing / classes)
        each = softmax_cross_entropy_with_logits(labels=wanted, logits=found)
        return compute_weighted_loss(each, weights, reduction=reduction)


def sparse_softmax_cross_entropy(
    labels: Any,
    logits: Any,
    weights: Any = 1.0,
    scope: str | None = None,
    loss_collection: Any = None,
    reduction: str = Reduction.SUM_BY_NONZERO_WEIGHTS,
) -> Tensor:
    """Return the mean of `tf.nn.sparse_softmax_cross_entropy_with_logits`.

    Raises:
        ShapeError: there is not one label per row of logits.
    """
    (found,) = as_tensors([logits])
    with found.graph.name_scope(scope or "sparse_softmax_cross_entropy_loss"):
        each = sparse_softmax_cross_entropy_with_logits(labels=labels, logits=found)
        return compute_weighted_loss(each, weights, reduction=reduction)
