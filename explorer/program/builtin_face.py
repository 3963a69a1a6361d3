"""Python's built-in functions as the program sees them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from engine.tensor import Operators
from explorer.program.attributes import attribute
from explorer.program.calls import Native, apply
from explorer.program.errors import BudgetError, ProgramError
from explorer.program.failures import EXCEPTIONS
from explorer.program.formatting import format_value
from explorer.program.methods import sort_key
from explorer.program.operators import check_power
from explorer.program.printing import repr_of, text_of

if TYPE_CHECKING:
    from explorer.program.interpreter import Interpreter

_MOST_DIGITS = 400
_TYPES = (int, float, bool, complex, str, list, tuple, dict, set, frozenset)
_UNCHECKED = frozenset({"len", "isinstance", "type", "print", "callable", "repr", "str"})

_REFUSED = {
    "open": "files are not read or written; write the numbers into the program",
    "input": "a program cannot ask; write the value into the program",
    "eval": "write the expression itself",
    "exec": "write the statements themselves",
    "compile": "write the statements themselves",
    "raw_input": "a program cannot ask; write the value into the program",
    "setattr": "bind a name or use a dictionary",
    "globals": "use a dictionary of your own",
    "locals": "use a dictionary of your own",
    "vars": "use a dictionary of your own",
    "dir": "the page lists what an operation has",
    "id": "compare with `is`",
    "iter": "write a for loop",
    "next": "write a for loop",
    "object": "use a dictionary",
    "super": "classes are not part of the language",
    "property": "classes are not part of the language",
    "memoryview": "use a list",
    "bytearray": "use a list",
    "breakpoint": "use print",
    "help": "the page explains each operation",
    "exit": "let the program end",
    "quit": "let the program end",
}


def _print(
    it: Interpreter, *values: Any, sep: str | None = " ", end: str | None = "\n", **_ignored: Any
) -> None:
    separator = " " if sep is None else sep
    pieces = [text_of(it.meter, value) for value in values]
    write(it, separator.join(pieces) + ("\n" if end is None else end))


def write(it: Interpreter, text: str) -> None:
    """Add to what the program has printed."""
    it.meter.printed(len(text))
    it.printed.append(text)


def _range(it: Interpreter, *bounds: Any) -> range:
    return range(*bounds)


def _listed(it: Interpreter, values: Any) -> list[Any]:
    """Return the entries of anything that can be looped over, counted first where possible."""
    if isinstance(values, range):
        it.meter.elements(len(values), "a list")
    return list(values)


def _enumerate(it: Interpreter, values: Any, start: int = 0) -> list[Any]:
    return list(enumerate(_listed(it, values), start))


def _zip(it: Interpreter, *columns: Any, strict: bool = False) -> list[Any]:
    return list(zip(*(_listed(it, column) for column in columns), strict=strict))


def _map(it: Interpreter, function: Any, *columns: Any) -> list[Any]:
    rows = zip(*(_listed(it, column) for column in columns), strict=False)
    return [apply(it, function, row, {}) for row in rows]


def _filter(it: Interpreter, function: Any, values: Any) -> list[Any]:
    return [
        value
        for value in _listed(it, values)
        if (value if function is None else apply(it, function, [value], {}))
    ]


def _reversed(it: Interpreter, values: Any) -> list[Any]:
    return _listed(it, values)[::-1]


def _sorted(it: Interpreter, values: Any, *, key: Any = None, reverse: bool = False) -> list[Any]:
    return sorted(_listed(it, values), key=sort_key(it, key), reverse=reverse)


def _extreme(function: Callable[..., Any]) -> Callable[..., Any]:
    def run(it: Interpreter, *values: Any, key: Any = None, **default: Any) -> Any:
        return function(*values, key=sort_key(it, key), **default)

    return run


def _sum(it: Interpreter, values: Any, start: Any = 0) -> Any:
    total = start
    for value in values:
        it.meter.step()
        total = total + value
        if isinstance(total, list | tuple):
            it.meter.elements(len(total), "a list")
    return total


def _pow(it: Interpreter, base: Any, exponent: Any, modulus: Any = None) -> Any:
    if modulus is None:
        check_power(it.meter, base, exponent)
        return base**exponent
    return pow(base, exponent, modulus)


def _round(it: Interpreter, value: Any, digits: int | None = None) -> Any:
    if isinstance(digits, int) and abs(digits) > _MOST_DIGITS:
        raise BudgetError(f"round() takes at most {_MOST_DIGITS} digits (got {digits})")
    if isinstance(value, Operators):
        value = value.as_tensor().numpy()
    return round(value) if digits is None else round(value, digits)


def _isinstance(it: Interpreter, value: Any, kinds: Any) -> bool:
    listed = kinds if isinstance(kinds, tuple) else (kinds,)
    if not all(isinstance(kind, type) for kind in listed):
        raise TypeError("isinstance() needs a type, or a tuple of types, as its second argument")
    # Not the built-in isinstance(), which would ask values for a class they may disguise.
    return any(issubclass(type(value), kind) for kind in listed)


def _type(it: Interpreter, value: Any) -> type:
    return type(value)


def _getattr(it: Interpreter, value: Any, name: Any, *default: Any) -> Any:
    if not isinstance(name, str):
        raise TypeError("getattr() needs the name of an attribute, as a string")
    try:
        return attribute(it, value, name)
    except AttributeError:
        if default:
            return default[0]
        raise


def _hasattr(it: Interpreter, value: Any, name: Any) -> bool:
    try:
        _getattr(it, value, name)
    except AttributeError:
        return False
    return True


def _format(it: Interpreter, value: Any, spec: str = "") -> str:
    return format_value(it.meter, value, spec)


def _str(it: Interpreter, value: Any = "") -> str:
    return text_of(it.meter, value)


def _repr(it: Interpreter, value: Any) -> str:
    return repr_of(it.meter, value)


def _int(it: Interpreter, value: Any = 0, *base: int) -> int:
    if isinstance(value, str):
        it.meter.integer_bits(4 * len(value))
    return int(value, *base)


def _dict(it: Interpreter, *entries: Any, **named: Any) -> dict[Any, Any]:
    return dict(*entries, **named)


def _as_function(function: Callable[..., Any]) -> Callable[..., Any]:
    return lambda _it, *args, **kwargs: function(*args, **kwargs)


def _as_collection(kind: type) -> Callable[..., Any]:
    return lambda it, *values: kind(*(_listed(it, value) for value in values))


def _refusal(name: str, instead: str) -> Callable[..., Any]:
    def run(_it: Interpreter, *_args: Any, **_kwargs: Any) -> NoReturn:
        raise ProgramError(f"{name}() is not part of the language; {instead}")

    return run


_FUNCTIONS: dict[str, Callable[..., Any]] = {
    "print": _print,
    "range": _range,
    "xrange": _range,
    "enumerate": _enumerate,
    "zip": _zip,
    "map": _map,
    "filter": _filter,
    "reversed": _reversed,
    "sorted": _sorted,
    "min": _extreme(min),
    "max": _extreme(max),
    "sum": _sum,
    "pow": _pow,
    "round": _round,
    "isinstance": _isinstance,
    "type": _type,
    "getattr": _getattr,
    "hasattr": _hasattr,
    "format": _format,
    "repr": _repr,
    **{
        function.__name__: _as_function(function)
        for function in (len, abs, any, all, divmod, callable, bin, hex, oct, ord, chr, slice)
    },
    **{name: _refusal(name, instead) for name, instead in _REFUSED.items()},
}

_CONSTRUCTORS: dict[type, Callable[..., Any]] = {
    **{kind: _as_function(kind) for kind in (float, bool, complex)},
    int: _int,
    **{kind: _as_collection(kind) for kind in (list, tuple, set, frozenset)},
    dict: _dict,
    str: _str,
    **{
        kind: _as_function(kind)
        for kind in (
            np.float16, np.float32, np.float64, np.int8, np.int16, np.int32, np.int64,
            np.uint8, np.uint16, np.uint32, np.uint64, np.bool_, np.complex64, np.complex128,
        )
    },
    **{kind: _as_function(kind) for kind in EXCEPTIONS.values()},
}  # fmt: skip


def builtins(it: Interpreter) -> dict[str, Any]:
    """Return what has a value without an import."""
    found: dict[str, Any] = {
        name: Native(it, name, run, checks=name not in _UNCHECKED)
        for name, run in _FUNCTIONS.items()
    }
    found.update({kind.__name__: kind for kind in _TYPES})
    found.update(EXCEPTIONS)
    found["__name__"] = "__main__"
    return found


def constructors(it: Interpreter) -> dict[type, Any]:
    """Return what makes a value of each type that a program may call."""
    return {kind: Native(it, kind.__name__, run) for kind, run in _CONSTRUCTORS.items()}
