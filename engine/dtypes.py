"""Which element types tensors have, and which of them carry gradients."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.errors import DTypeError

_COMPLEX_PARTS = {"complex64": "float32", "complex128": "float64"}


class DType:
    """An element type, compared by value and accepted wherever NumPy accepts a dtype.

    Only real and complex floating types are trainable: gradients flow through nothing else.
    """

    __slots__ = ("as_numpy_dtype", "dtype", "is_trainable", "kind", "name")

    def __init__(self, name: str) -> None:
        self.name = name
        self.dtype: np.dtype[Any] = np.dtype(object if name == "string" else name)
        self.as_numpy_dtype = self.dtype.type
        self.kind = "S" if name == "string" else self.dtype.kind
        self.is_trainable = self.kind in "fc"

    @property
    def is_floating(self) -> bool:
        return self.kind == "f"

    @property
    def is_complex(self) -> bool:
        return self.kind == "c"

    @property
    def is_integer(self) -> bool:
        return self.kind in "iu"

    @property
    def is_bool(self) -> bool:
        return self.kind == "b"

    @property
    def real_dtype(self) -> DType:
        """The type of the real and imaginary parts (the type itself when real)."""
        return as_dtype(_COMPLEX_PARTS.get(self.name, self.name))

    @property
    def base_dtype(self) -> DType:
        return self

    @property
    def max(self) -> Any:
        return np.iinfo(self.dtype).max if self.kind in "iu" else np.finfo(self.dtype).max

    @property
    def min(self) -> Any:
        return np.iinfo(self.dtype).min if self.kind in "iu" else np.finfo(self.dtype).min

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if other is None:
            return False
        try:
            return self.name == as_dtype(other).name
        except DTypeError:
            return False

    def __hash__(self) -> int:
        return hash(self.name)

    def __repr__(self) -> str:
        return f"tf.{self.name}"

    def __str__(self) -> str:
        return f"<dtype: {self.name!r}>"

    def __reduce__(self) -> tuple[Any, tuple[str]]:
        return as_dtype, (self.name,)


_NAMES = (
    *("float16", "float32", "float64", "int8", "int16", "int32", "int64"),
    *("uint8", "uint16", "uint32", "uint64", "bool", "complex64", "complex128", "string"),
)
_BY_NAME = {name: DType(name) for name in _NAMES}
_BY_NAME.update({"half": _BY_NAME["float16"], "double": _BY_NAME["float64"]})
_BY_NUMPY = {entry.dtype: entry for name, entry in _BY_NAME.items() if name != "string"}

float16 = half = _BY_NAME["float16"]
float32 = _BY_NAME["float32"]
float64 = double = _BY_NAME["float64"]
int8 = _BY_NAME["int8"]
int16 = _BY_NAME["int16"]
int32 = _BY_NAME["int32"]
int64 = _BY_NAME["int64"]
uint8 = _BY_NAME["uint8"]
uint16 = _BY_NAME["uint16"]
uint32 = _BY_NAME["uint32"]
uint64 = _BY_NAME["uint64"]
bool_ = _BY_NAME["bool"]
complex64 = _BY_NAME["complex64"]
complex128 = _BY_NAME["complex128"]
string = _BY_NAME["string"]


def as_dtype(value: Any) -> DType:
    """Return the DType for a DType, a NumPy dtype or scalar type, a Python type, or a name.

    Raises:
        DTypeError: the engine has no such element type.
    """
    if isinstance(value, DType):
        return value
    if isinstance(value, str) and value in _BY_NAME:
        return _BY_NAME[value]
    if value is float:
        return float32
    if value is int:
        return int32
    if value is str or value is bytes:
        return string
    if value is None:  # which NumPy reads as float64
        raise DTypeError(_unknown(value))
    try:
        dtype = np.dtype(value)
    except TypeError:
        raise DTypeError(_unknown(value)) from None
    if dtype.kind in "SUOT":
        return string
    known = _BY_NUMPY.get(dtype)
    if known is None:
        raise DTypeError(_unknown(value))
    return known


def _unknown(value: object) -> str:
    return f"no element type {value!r}; the types are {', '.join(_NAMES)}"
