"""Complex numbers: their parts, conjugates and absolute values.

The convention is TensorFlow's: for a real result L of a complex z, the gradient is the conjugate of
dL/dz, so that stepping against it descends.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from engine.convert import to_tensor
from engine.dtypes import DType, complex64, complex128
from engine.elementwise import unbroadcast
from engine.errors import DTypeError
from engine.graph import create_op, graph_of
from engine.opdef import define, same_shape
from engine.registry import RegisterGradient
from engine.shapes import broadcast
from engine.tensor import Operation, Tensor


def _complex_dtype(first: DType, _second: DType) -> DType:
    if first.name not in ("float32", "float64"):
        raise DTypeError(f"complex takes float32 or float64 parts (got {first.name})")
    return complex64 if first.name == "float32" else complex128


def _complex(first: Any, second: Any) -> Any:
    parts = np.broadcast_arrays(first, second)
    joined = np.empty(parts[0].shape, np.result_type(first, np.complex64))
    joined.real, joined.imag = parts
    return joined


complex_op = define(
    "Complex",
    kernel=_complex,
    shape=broadcast,
    dtype=_complex_dtype,
    kinds="f",
    arity=2,
    latex=r"#1 + #2\, i",
)


@RegisterGradient("Complex")
def _complex_gradient(op: Operation, upstream: Tensor) -> list[Callable[[], Tensor]]:
    """Return the real and the imaginary part of the upstream gradient, un-broadcast."""
    return [
        lambda: unbroadcast(real_op(upstream), op, 0),
        lambda: unbroadcast(imag_op(upstream), op, 1),
    ]


def complex(real: Any, imag: Any, name: str | None = None) -> Tensor:
    """Return `real + imag i`; the parts are float32 or float64."""
    joined: Tensor = complex_op(real, imag, name=name)
    return joined


def _real_dtype(dtype: DType) -> DType:
    return dtype.real_dtype


real_op = define(
    "Real",
    kernel=np.real,
    shape=same_shape,
    dtype=_real_dtype,
    kinds="c",
    latex=r"\operatorname{Re}(#1)",
)


@RegisterGradient("Real")
def _real_gradient(_op: Operation, upstream: Tensor) -> Tensor:
    return complex(upstream, 0)


def real(input: Any, name: str | None = None) -> Tensor:
    """Return the real part; a real input itself."""
    tensor = to_tensor(input, graph_of([input]))
    return real_op(tensor, name=name) if tensor.dtype.is_complex else tensor


imag_op = define(
    "Imag",
    kernel=np.imag,
    shape=same_shape,
    dtype=_real_dtype,
    kinds="c",
    latex=r"\operatorname{Im}(#1)",
)


@RegisterGradient("Imag")
def _imag_gradient(_op: Operation, upstream: Tensor) -> Tensor:
    return complex(0, upstream)


def imag(input: Any, name: str | None = None) -> Tensor:
    """Return the imaginary part, real; zeros for a real input."""
    tensor = to_tensor(input, graph_of([input]))
    if tensor.dtype.is_complex:
        part: Tensor = imag_op(tensor, name=name)
        return part
    return create_op("ZerosLike", [tensor], name=name).outputs[0]


conj_op = define("Conj", kernel=np.conj, shape=same_shape, kinds="c", latex=r"\overline{#1}")


@RegisterGradient("Conj")
def _conj_gradient(_op: Operation, upstream: Tensor) -> Tensor:
    return conj(upstream)


def conj(x: Any, name: str | None = None) -> Tensor:
    """Return the complex conjugate; a real tensor itself."""
    tensor = to_tensor(x, graph_of([x]))
    return conj_op(tensor, name=name) if tensor.dtype.is_complex else tensor


complex_abs = define(
    "ComplexAbs",
    kernel=np.abs,
    shape=same_shape,
    dtype=_real_dtype,
    kinds="c",
    latex="|#1|",
    corner="at 0 the derivative is 0",
)


@RegisterGradient("ComplexAbs")
def _complex_abs_gradient(op: Operation, upstream: Tensor) -> Tensor:
    """Return g z / |z|, 0 at 0."""
    scaled = create_op("Mul", [complex(upstream, 0), op.inputs[0]])
    modulus = complex(op.outputs[0], 0)
    return create_op("DivNoNan", [scaled.outputs[0], modulus]).outputs[0]


angle_op = define(
    "Angle",
    kernel=np.angle,
    shape=same_shape,
    dtype=_real_dtype,
    kinds="c",
    latex=r"\arg #1",
)


@RegisterGradient("Angle")
def _angle_gradient(op: Operation, upstream: Tensor) -> Tensor:
    """Return -g / (Im z + i Re z)."""
    z = op.inputs[0]
    turned = complex(imag_op(z), real_op(z))
    quotient = create_op("RealDiv", [complex(upstream, 0), turned]).outputs[0]
    return create_op("Neg", [quotient]).outputs[0]


def angle(input: Any, name: str | None = None) -> Tensor:
    """Return the argument of complex numbers; of real ones, 0 or, below 0, pi."""
    tensor = to_tensor(input, graph_of([input]))
    if tensor.dtype.is_complex:
        argument: Tensor = angle_op(tensor, name=name)
        return argument
    negative = create_op("Less", [tensor, 0]).outputs[0]
    half_turn, none = np.array([np.pi, 0], tensor.dtype.dtype)
    return create_op("SelectV2", [negative, half_turn, none], name=name).outputs[0]
