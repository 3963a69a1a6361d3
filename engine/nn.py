"""`tf.nn`."""

from __future__ import annotations

from engine.ops.activation import (
    elu,
    leaky_relu,
    relu,
    relu6,
    selu,
    softplus,
    softsign,
)
from engine.ops.bias import (
    bias_add,
    l2_loss,
)
from engine.ops.convolve import (
    conv1d,
    conv2d,
    conv2d_transpose,
    conv3d,
    convolution,
    depthwise_conv2d,
    separable_conv2d,
)
from engine.ops.elementary import (
    sigmoid,
    tanh,
)
from engine.ops.normalization import (
    fused_batch_norm,
    local_response_normalization,
    lrn,
)
from engine.ops.order import (
    nth_element,
    top_k,
)
from engine.ops.pool import (
    avg_pool,
    avg_pool1d,
    avg_pool2d,
    avg_pool3d,
    max_pool,
    max_pool1d,
    max_pool2d,
    max_pool3d,
    pool,
)
from engine.ops.softmax import (
    log_softmax,
    sigmoid_cross_entropy_with_logits,
    softmax,
    softmax_cross_entropy_with_logits,
    softmax_cross_entropy_with_logits_v2,
    sparse_softmax_cross_entropy_with_logits,
)
from engine.ops.space import (
    batch_to_space,
    depth_to_space,
    space_to_batch,
    space_to_depth,
)

__all__ = [
    "avg_pool",
    "avg_pool1d",
    "avg_pool2d",
    "avg_pool3d",
    "batch_to_space",
    "bias_add",
    "conv1d",
    "conv2d",
    "conv2d_transpose",
    "conv3d",
    "convolution",
    "depth_to_space",
    "depthwise_conv2d",
    "elu",
    "fused_batch_norm",
    "l2_loss",
    "leaky_relu",
    "local_response_normalization",
    "log_softmax",
    "lrn",
    "max_pool",
    "max_pool1d",
    "max_pool2d",
    "max_pool3d",
    "nth_element",
    "pool",
    "relu",
    "relu6",
    "selu",
    "separable_conv2d",
    "sigmoid",
    "sigmoid_cross_entropy_with_logits",
    "softmax",
    "softmax_cross_entropy_with_logits",
    "softmax_cross_entropy_with_logits_v2",
    "softplus",
    "softsign",
    "space_to_batch",
    "space_to_depth",
    "sparse_softmax_cross_entropy_with_logits",
    "tanh",
    "top_k",
]
