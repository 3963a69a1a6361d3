"""Methods of Python's and NumPy's values, each asked for its size before it makes anything.

A method is called `method(interpreter, value, *args, **kwargs)`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from explorer.program.calls import apply
from explorer.program.errors import ProgramError
from explorer.program.formatting import brace_format
from explorer.program.operators import check_broadcast, check_dot
from explorer.program.printing import text_of
from explorer.program.sizes import check_argument

if TYPE_CHECKING:
    from explorer.program.interpreter import Interpreter

Method = Callable[..., Any]


def _plain(kind: type, names: str) -> dict[str, Method]:
    """Return methods that cannot make anything larger than what they are given."""

    def method(name: str) -> Method:
        function = getattr(kind, name)

        def run(it: Interpreter, value: Any, /, *args: Any, **kwargs: Any) -> Any:
            check_broadcast(it.meter, (value, *args, *kwargs.values()))
            return function(value, *args, **kwargs)

        return run

    return {name: method(name) for name in names.split()}


def _format(it: Interpreter, text: str, /, *values: Any, **named: Any) -> str:
    return brace_format(it.meter, text, values, named)


def _join(it: Interpreter, text: str, parts: Any) -> str:
    listed = list(parts)
    total = 0
    for part in listed:
        if not isinstance(part, str):
            raise TypeError(f"join needs strings (got {text_of(it.meter, part)[:40]}); use str()")
        total += len(part) + len(text)
        it.meter.string(total)
    return text.join(listed)


def _replace(it: Interpreter, text: str, old: str, new: str, count: int = -1) -> str:
    it.meter.string(len(text) + text.count(old) * len(new))
    return text.replace(old, new, count)


def _padded(name: str) -> Method:
    function = getattr(str, name)

    def run(it: Interpreter, text: str, width: int, *fill: str) -> Any:
        it.meter.string(width)
        return function(text, width, *fill)

    return run


def _append(it: Interpreter, values: list[Any], value: Any) -> None:
    check_argument(it.meter, value)
    it.meter.elements(len(values) + 1, "a list")
    values.append(value)


def _extend(it: Interpreter, values: list[Any], more: Any) -> None:
    listed = list(more)
    check_argument(it.meter, listed)
    it.meter.elements(len(values) + len(listed), "a list")
    values.extend(listed)


def _insert(it: Interpreter, values: list[Any], index: int, value: Any) -> None:
    it.meter.elements(len(values) + 1, "a list")
    values.insert(index, value)


def sort_key(it: Interpreter, key: Any) -> Any:
    """Return the key function of a sort as a Python function."""
    return None if key is None else lambda value: apply(it, key, [value], {})


def _sort(it: Interpreter, values: list[Any], *, key: Any = None, reverse: bool = False) -> None:
    check_argument(it.meter, values)
    values.sort(key=sort_key(it, key), reverse=reverse)


def _astype(it: Interpreter, array: Any, dtype: Any, copy: bool = True) -> Any:
    return array.astype(numpy_dtype(dtype))


def _dot(it: Interpreter, array: Any, other: Any) -> Any:
    check_dot(it.meter, array, other)
    return array.dot(other)


def _repeat(it: Interpreter, array: Any, repeats: int, axis: Any = None) -> Any:
    it.meter.elements(np.size(array) * int(np.max(repeats)), "an array")
    return array.repeat(repeats, axis)


def numpy_dtype(dtype: Any) -> Any:
    """Return the NumPy dtype of a dtype, name or type.

    Raises:
        ProgramError: it could hold arbitrary objects.
    """
    if dtype is None:
        return None
    found = np.dtype(getattr(dtype, "dtype", dtype) if type(dtype).__name__ == "DType" else dtype)
    if found.kind not in "biufcSU" or found.itemsize > 256:
        raise ProgramError(f"NumPy arrays here hold numbers, bools or short strings (got {found})")
    return found


_ARRAY = (
    "sum mean max min prod std var argmax argmin argsort cumsum cumprod all any round clip copy "
    "reshape transpose ravel flatten squeeze swapaxes tolist item trace diagonal conj nonzero fill"
)
_SCALAR = "sum mean max min item tolist round conj copy reshape ravel flatten"

_TEXT = (
    "upper lower title capitalize strip lstrip rstrip split rsplit splitlines startswith endswith "
    "find rfind index count isdigit isalpha isalnum isspace isupper islower partition rpartition "
    "swapcase removeprefix removesuffix"
)

METHODS: dict[type, Mapping[str, Method]] = {
    str: {
        **_plain(str, _TEXT),
        "format": _format,
        "join": _join,
        "replace": _replace,
        **{name: _padded(name) for name in ("ljust", "rjust", "center", "zfill")},
    },
    list: {
        **_plain(list, "pop remove index count reverse copy clear"),
        "append": _append,
        "extend": _extend,
        "insert": _insert,
        "sort": _sort,
    },
    tuple: _plain(tuple, "index count"),
    dict: _plain(dict, "get keys values items update pop popitem setdefault copy clear"),
    set: _plain(
        set,
        "add remove discard pop clear copy union intersection difference symmetric_difference "
        "issubset issuperset isdisjoint update",
    ),
    frozenset: _plain(
        frozenset, "union intersection difference issubset issuperset isdisjoint copy"
    ),
    np.ndarray: {**_plain(np.ndarray, _ARRAY), "astype": _astype, "dot": _dot, "repeat": _repeat},
    np.generic: {**_plain(np.generic, _SCALAR), "astype": _astype},
    float: _plain(float, "is_integer as_integer_ratio hex conjugate"),
    int: _plain(int, "bit_length conjugate"),
    complex: _plain(complex, "conjugate"),
}
