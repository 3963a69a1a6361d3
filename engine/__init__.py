"""TensorFlow's face on the engine: `import engine as tf`.

Names and behaviour are TensorFlow's; there are no modes: every program builds a graph, and every
tensor that depends on no placeholder has a value when asked for it.
"""

from __future__ import annotations

from engine import (
    autodiff,
    compat,
    initializers,
    linalg,
    losses,
    math,
    nn,
    optimizers,
    random,
    test,
    train,
    version1,
)
from engine.aggregation import (
    AggregationMethod,
)
from engine.custom_gradient import (
    custom_gradient,
    grad_pass_through,
    recompute_grad,
)
from engine.dtypes import (
    DType,
    as_dtype,
    complex64,
    complex128,
    double,
    float16,
    float32,
    float64,
    half,
    int8,
    int16,
    int32,
    int64,
    string,
    uint8,
    uint16,
    uint32,
    uint64,
)
from engine.dtypes import (
    bool_ as bool,
)
from engine.forward_mode import (
    jvp,
    vjp,
)
from engine.gradients import (
    UnconnectedGradients,
    gradients,
)
from engine.graph import (
    Graph,
    get_default_graph,
    reset_default_graph,
)
from engine.hessians import (
    hessian_vector_product,
    hessians,
)
from engine.indexed_slices import (
    IndexedSlices,
    IndexedSlicesValue,
)
from engine.initializers import (
    constant_initializer,
    ones_initializer,
    random_normal_initializer,
    random_uniform_initializer,
    zeros_initializer,
)
from engine.jacobian import (
    batch_jacobian,
    jacobian,
)
from engine.math import *  # noqa: F403 - all of it stands at top level, too
from engine.ops.blocks import (
    slice,
)
from engine.ops.cast import (
    cast,
)
from engine.ops.check_numerics import (
    check_numerics,
)
from engine.ops.core import (
    constant,
    convert_to_tensor,
    group,
    identity,
    identity_n,
    no_op,
    placeholder,
    placeholder_with_default,
    prevent_gradient,
    random_normal,
    random_uniform,
    set_random_seed,
    stop_gradient,
)
from engine.ops.core import (
    tuple_ as tuple,
)
from engine.ops.diagonal import (
    tensor_diag,
    tensor_diag_part,
)
from engine.ops.einsum import (
    einsum,
)
from engine.ops.fill import (
    eye,
    fill,
    linspace,
    one_hot,
    ones,
    ones_like,
    range,
    zeros,
    zeros_like,
)
from engine.ops.gather import (
    gather,
    gather_nd,
    scatter_nd,
)
from engine.ops.joining import (
    concat,
    split,
    stack,
    unstack,
)
from engine.ops.matmul import (
    matmul,
)
from engine.ops.order import (
    nth_element,
    unique,
)
from engine.ops.padding import (
    pad,
)
from engine.ops.scatter import (
    tensor_scatter_nd_add,
    tensor_scatter_nd_max,
    tensor_scatter_nd_min,
    tensor_scatter_nd_sub,
    tensor_scatter_nd_update,
)
from engine.ops.shape_ops import (
    broadcast_to,
    expand_dims,
    rank,
    reshape,
    shape,
    size,
    squeeze,
)
from engine.ops.slicing import (
    strided_slice,
)
from engine.ops.sorted_segment import (
    sparse_segment_mean,
    sparse_segment_sqrt_n,
    sparse_segment_sum,
)
from engine.ops.tensordot import (
    tensordot,
)
from engine.ops.tiling import (
    tile,
)
from engine.ops.transpose import (
    reverse,
    reverse_sequence,
    transpose,
)
from engine.ops.vectors import (
    cross,
    norm,
)
from engine.registry import (
    NoGradient,
    NotDifferentiable,
    RegisterGradient,
    no_gradient,
)
from engine.scopes import (
    control_dependencies,
    device,
    disable_eager_execution,
    disable_resource_variables,
    disable_v2_behavior,
    enable_eager_execution,
    enable_resource_variables,
    enable_v2_behavior,
    executing_eagerly,
    function,
    name_scope,
    variable_scope,
)
from engine.session import (
    InteractiveSession,
    Session,
    get_default_session,
)
from engine.shapes import (
    TensorShape,
)
from engine.tape import (
    GradientTape,
)
from engine.tensor import (
    Operation,
    Tensor,
)
from engine.variables import (
    Variable,
    assign,
    assign_add,
    assign_sub,
    get_variable,
    global_variables,
    global_variables_initializer,
    trainable_variables,
    variables_initializer,
)
from engine.version1 import *  # noqa: F403 - as above

__all__ = [
    "AggregationMethod",
    "DType",
    "GradientTape",
    "Graph",
    "IndexedSlices",
    "IndexedSlicesValue",
    "InteractiveSession",
    "NoGradient",
    "NotDifferentiable",
    "Operation",
    "RegisterGradient",
    "Session",
    "Tensor",
    "TensorShape",
    "UnconnectedGradients",
    "Variable",
    "as_dtype",
    "assign",
    "assign_add",
    "assign_sub",
    "autodiff",
    "batch_jacobian",
    "bool",
    "broadcast_to",
    "cast",
    "check_numerics",
    "compat",
    "complex64",
    "complex128",
    "concat",
    "constant",
    "constant_initializer",
    "control_dependencies",
    "convert_to_tensor",
    "cross",
    "custom_gradient",
    "device",
    "disable_eager_execution",
    "disable_resource_variables",
    "disable_v2_behavior",
    "double",
    "einsum",
    "enable_eager_execution",
    "enable_resource_variables",
    "enable_v2_behavior",
    "executing_eagerly",
    "expand_dims",
    "eye",
    "fill",
    "float16",
    "float32",
    "float64",
    "function",
    "gather",
    "gather_nd",
    "get_default_graph",
    "get_default_session",
    "get_variable",
    "global_variables",
    "global_variables_initializer",
    "grad_pass_through",
    "gradients",
    "group",
    "half",
    "hessian_vector_product",
    "hessians",
    "identity",
    "identity_n",
    "initializers",
    "int8",
    "int16",
    "int32",
    "int64",
    "jacobian",
    "jvp",
    "linalg",
    "linspace",
    "losses",
    "math",
    "matmul",
    "name_scope",
    "nn",
    "no_gradient",
    "no_op",
    "norm",
    "nth_element",
    "one_hot",
    "ones",
    "ones_initializer",
    "ones_like",
    "optimizers",
    "pad",
    "placeholder",
    "placeholder_with_default",
    "prevent_gradient",
    "random",
    "random_normal",
    "random_normal_initializer",
    "random_uniform",
    "random_uniform_initializer",
    "range",
    "rank",
    "recompute_grad",
    "reset_default_graph",
    "reshape",
    "reverse",
    "reverse_sequence",
    "scatter_nd",
    "set_random_seed",
    "shape",
    "size",
    "slice",
    "sparse_segment_mean",
    "sparse_segment_sqrt_n",
    "sparse_segment_sum",
    "split",
    "squeeze",
    "stack",
    "stop_gradient",
    "strided_slice",
    "string",
    "tensor_diag",
    "tensor_diag_part",
    "tensor_scatter_nd_add",
    "tensor_scatter_nd_max",
    "tensor_scatter_nd_min",
    "tensor_scatter_nd_sub",
    "tensor_scatter_nd_update",
    "tensordot",
    "test",
    "tile",
    "train",
    "trainable_variables",
    "transpose",
    "tuple",
    "uint8",
    "uint16",
    "uint32",
    "uint64",
    "unique",
    "unstack",
    "variable_scope",
    "variables_initializer",
    "vjp",
    "zeros",
    "zeros_initializer",
    "zeros_like",
]
__all__ += math.__all__
__all__ += version1.__all__
