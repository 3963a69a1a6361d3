"""Conversion between element types."""

from __future__ import annotations

from typing import Any

from engine.convert import to_tensor
from engine.dtypes import as_dtype, float32, float64, int32, int64
from engine.graph import graph_of
from engine.opdef import REQUIRED, define, same_shape
from engine.registry import RegisterGradient
from engine.tensor import Operation, Tensor


def _cast(x: Any, dtype: Any) -> Any:
    wanted = as_dtype(dtype)
    if x.dtype.kind == "c" and wanted.kind not in "cb":
        x = x.real  # NumPy would warn; dropping the imaginary part is what the op means
    return x.astype(wanted.dtype)


cast_op = define(
    "Cast",
    kernel=_cast,
    shape=same_shape,
    dtype=lambda _x, dtype: dtype,
    kinds="fciub",
    attrs={"dtype": REQUIRED},
    latex="#1",
)


@RegisterGradient("Cast")
def _cast_gradient(op: Operation, upstream: Tensor) -> Tensor | None:
    """Return the upstream gradient, cast back; None from or to a type that is not floating."""
    if not (op.inputs[0].dtype.is_trainable and op.outputs[0].dtype.is_trainable):
        return None
    return cast(upstream, op.inputs[0].dtype)


def cast(x: Any, dtype: Any, name: str | None = None) -> Tensor:
    """Return x with another element type; x itself if it has that type already.

    To an integer type, fractions are cut off; to a real one, imaginary parts.
    """
    wanted = as_dtype(dtype)
    tensor = to_tensor(x, graph_of([x]))
    if tensor.dtype is wanted:
        return tensor
    result: Tensor = cast_op(tensor, dtype=wanted.name, name=name)
    return result


def to_float(x: Any, name: str = "ToFloat") -> Tensor:
    """Cast to float32."""
    return cast(x, float32, name)


def to_double(x: Any, name: str = "ToDouble") -> Tensor:
    """Cast to float64."""
    return cast(x, float64, name)


def to_int32(x: Any, name: str = "ToInt32") -> Tensor:
    """Cast to int32; fractions are cut off."""
    return cast(x, int32, name)


def to_int64(x: Any, name: str = "ToInt64") -> Tensor:
    """Cast to int64; fractions are cut off."""
    return cast(x, int64, name)
