"""The public functions that reduce a tensor along axes, with TensorFlow's signatures.

Version 1's names of the arguments, `reduction_indices` and `keep_dims`, are understood too.
"""

from __future__ import annotations

from typing import Any, Protocol

from engine.dtypes import as_dtype
from engine.errors import ArgumentError, DTypeError
from engine.graph import graph_of
from engine.opdef import OpDef
from engine.ops import reduction
from engine.ops.arguments import as_tensor, static_int, static_ints
from engine.ops.arithmetic import square, subtract
from engine.ops.elementary import sqrt
from engine.tensor import Tensor


class _Reduction(Protocol):
    def __call__(
        self,
        input_tensor: Any,
        axis: Any = None,
        keepdims: bool | None = None,
        name: str | None = None,
        reduction_indices: Any = None,
        keep_dims: bool | None = None,
    ) -> Tensor: ...


def _axes(axis: Any, older: Any) -> tuple[int, ...] | None:
    """Read the axes to reduce, given under either of two names; None means all.

    Raises:
        ArgumentError: both names are used, or the axes are known only at run time.
    """
    if axis is not None and older is not None:
        raise ArgumentError("axis and reduction_indices name the same argument; give only axis")
    chosen = older if axis is None else axis
    return None if chosen is None else static_ints(chosen, "axis")


def _reducer(opdef: OpDef, public_name: str, sentence: str) -> _Reduction:
    def reduce(
        input_tensor: Any,
        axis: Any = None,
        keepdims: bool | None = None,
        name: str | None = None,
        reduction_indices: Any = None,
        keep_dims: bool | None = None,
    ) -> Tensor:
        result: Tensor = opdef(
            as_tensor(input_tensor),
            axis=_axes(axis, reduction_indices),
            keepdims=bool(keepdims or keep_dims),
            name=name,
        )
        return result

    reduce.__name__ = reduce.__qualname__ = public_name
    reduce.__doc__ = (
        f"{sentence} along axes; along all of them when axis is None.\n\n"
        "With keepdims the reduced axes stay, with size 1."
    )
    return reduce


reduce_sum = _reducer(reduction.sum_op, "reduce_sum", "Return the sums")
reduce_mean = _reducer(reduction.mean_op, "reduce_mean", "Return the means")
reduce_prod = _reducer(reduction.prod_op, "reduce_prod", "Return the products")
reduce_max = _reducer(reduction.max_op, "reduce_max", "Return the largest entries")
reduce_min = _reducer(reduction.min_op, "reduce_min", "Return the smallest entries")
reduce_all = _reducer(reduction.all_op, "reduce_all", "Return whether all entries are true")
reduce_any = _reducer(reduction.any_op, "reduce_any", "Return whether some entry is true")
reduce_logsumexp = _reducer(
    reduction.log_sum_exp, "reduce_logsumexp", "Return log(sum(exp(x))), without overflow,"
)


def reduce_variance(
    input_tensor: Any, axis: Any = None, keepdims: bool = False, name: str = "reduce_variance"
) -> Tensor:
    """Return the means of the squared deviations from the mean.

    Raises:
        DTypeError: the input is not of a real floating type.
    """
    tensor = as_tensor(input_tensor)
    if not tensor.dtype.is_floating:
        raise DTypeError(f"a variance takes floating numbers (got {tensor.dtype.name}); cast first")
    with graph_of([tensor]).name_scope(name):
        deviations = subtract(tensor, reduce_mean(tensor, axis, keepdims=True))
        return reduce_mean(square(deviations), axis, keepdims=keepdims)


def reduce_std(
    input_tensor: Any, axis: Any = None, keepdims: bool = False, name: str = "reduce_std"
) -> Tensor:
    """Return the standard deviations: the roots of the variances.

    Raises:
        DTypeError: the input is not of a real floating type.
    """
    tensor = as_tensor(input_tensor)
    with graph_of([tensor]).name_scope(name):
        deviation: Tensor = sqrt(reduce_variance(tensor, axis, keepdims))
        return deviation


def argmax(
    input: Any,
    axis: Any = None,
    output_type: Any = "int64",
    name: str | None = None,
    dimension: Any = None,
) -> Tensor:
    """Return where along an axis the largest entry is, the first one when several are.

    Args:
        input: a tensor with at least one axis.
        axis: the axis to search along, 0 by default.
        output_type: int64 or int32.
        name: name of the operation.
        dimension: version 1's name of axis.
    """
    return _position(reduction.arg_max, input, axis, output_type, name, dimension)


def argmin(
    input: Any,
    axis: Any = None,
    output_type: Any = "int64",
    name: str | None = None,
    dimension: Any = None,
) -> Tensor:
    """Return where along an axis the smallest entry is; arguments as `argmax`."""
    return _position(reduction.arg_min, input, axis, output_type, name, dimension)


arg_max = argmax
arg_min = argmin


def _position(
    opdef: OpDef, input: Any, axis: Any, output_type: Any, name: str | None, dimension: Any
) -> Tensor:
    chosen = dimension if axis is None else axis
    position: Tensor = opdef(
        as_tensor(input),
        axis=0 if chosen is None else static_int(chosen, "axis"),
        output_type=as_dtype(output_type).name,
        name=name,
    )
    return position
