"""How a result without axes is handed to the user: a NumPy scalar that prints as its number.

The scripts of the articles print lists of results as `[15.0]`. NumPy 2 writes
`[np.float32(15.0)]` for the same list; these subclasses differ from NumPy's scalars in their
`repr` and in nothing else.
"""

from __future__ import annotations

from typing import Any

import numpy as np


def _plain_type(base: type) -> type:
    return type(base.__name__, (base,), {"__slots__": (), "__repr__": base.__str__})


_PLAIN: dict[type, type] = {
    base: _plain_type(base)
    for base in (
        np.float16,
        np.float32,
        np.float64,
        np.int8,
        np.int16,
        np.int32,
        np.int64,
        np.uint8,
        np.uint16,
        np.uint32,
        np.uint64,
        np.complex64,
        np.complex128,
    )
}


def plain(value: Any) -> Any:
    """Return an array as it is, a value without axes as a scalar that prints as its number."""
    if np.ndim(value):
        return value
    scalar = value[()] if isinstance(value, np.ndarray) else value
    if isinstance(scalar, np.bool_):
        return bool(scalar)
    plain_type = _PLAIN.get(type(scalar))
    return scalar if plain_type is None else plain_type(scalar)
