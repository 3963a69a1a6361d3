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
from engine.ops.attention import (
    attention,
    multi_head_attention,
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
from engine.ops.dropout import (
    dropout,
)
from engine.ops.elementary import (
    sigmoid,
    tanh,
)
from engine.ops.embedding import (
    embedding_lookup,
)
from engine.ops.gated import (
    gelu,
    mish,
    silu,
    swish,
)
from engine.ops.moments import (
    batch_normalization,
    l2_normalize,
    layer_norm,
    moments,
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
from engine.ops.recurrent import (
    gru_cell,
    lstm_cell,
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
    "attention",
    "avg_pool",
    "avg_pool1d",
    "avg_pool2d",
    "avg_pool3d",
    "batch_normalization",
    "batch_to_space",
    "bias_add",
    "conv1d",
    "conv2d",
    "conv2d_transpose",
    "conv3d",
    "convolution",
    "depth_to_space",
    "depthwise_conv2d",
    "dropout",
    "elu",
    "embedding_lookup",
    "fused_batch_norm",
    "gelu",
    "gru_cell",
    "l2_loss",
    "l2_normalize",
    "layer_norm",
    "leaky_relu",
    "local_response_normalization",
    "log_softmax",
    "lrn",
    "lstm_cell",
    "max_pool",
    "max_pool1d",
    "max_pool2d",
    "max_pool3d",
    "mish",
    "moments",
    "multi_head_attention",
    "nth_element",
    "pool",
    "relu",
    "relu6",
    "selu",
    "separable_conv2d",
    "sigmoid",
    "sigmoid_cross_entropy_with_logits",
    "silu",
    "softmax",
    "softmax_cross_entropy_with_logits",
    "softmax_cross_entropy_with_logits_v2",
    "softplus",
    "softsign",
    "space_to_batch",
    "space_to_depth",
    "sparse_softmax_cross_entropy_with_logits",
    "swish",
    "tanh",
    "top_k",
]
