"""Formatted strings: f-strings, `%` and str.format, without Python's attribute access in fields."""

from __future__ import annotations

import re
import string
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from engine.tensor import Operators
from explorer.program.budget import Meter
from explorer.program.errors import BudgetError, ProgramError
from explorer.program.printing import repr_of, text_of

_WIDEST = 1000
_SPEC = re.compile(
    r"(?:.?[<>=^])?[-+ ]?z?#?0?(?P<width>\d*)[,_]?(?:\.(?P<precision>\d+))?[a-zA-Z%]?", re.DOTALL
)
_PERCENT = re.compile(
    r"%(?:\((?P<key>\w+)\))?(?P<flags>[#0\- +]*)(?P<width>\d*)(?:\.(?P<precision>\d*))?[hlL]?"
    r"(?P<kind>.)",
    re.DOTALL,
)
_FIELD = re.compile(r"(?P<name>\w*)(?P<keys>(?:\[[^\[\]]*\])*)")


def format_value(meter: Meter, value: Any, spec: str, conversion: str = "") -> str:
    """Return the text of a value under a format spec such as `.3f`."""
    if conversion == "r":
        value = repr_of(meter, value)
    elif conversion == "s":
        value = text_of(meter, value)
    elif conversion == "a":
        value = ascii(repr_of(meter, value))
    if not spec:
        return text_of(meter, value)
    match = _SPEC.fullmatch(spec)
    if match is None:
        raise ValueError(f"unknown format {spec!r}; write for example .3f or >8")
    _check_width(match["width"], match["precision"])
    return format(_formattable(value), spec)


def _formattable(value: Any) -> Any:
    """Return a number or string in place of a tensor or array without axes."""
    if isinstance(value, Operators):
        value = value.as_tensor().numpy()
    if isinstance(value, np.ndarray) and not value.ndim:
        value = value[()]
    if isinstance(value, np.generic):
        value = value.item()
    if not isinstance(value, int | float | complex | str):
        raise TypeError(
            f"a {type(value).__name__} has no number format; leave the part after ':' out, or "
            "format one entry"
        )
    return value


def _check_width(*numbers: str | None) -> None:
    for number in numbers:
        if number and (len(number) > 6 or int(number) > _WIDEST):
            raise BudgetError(f"a width in a format is at most {_WIDEST} (got {number[:20]})")


def percent_format(meter: Meter, template: str, values: Any) -> str:
    """Return `template % values`."""
    keyed = values if isinstance(values, dict) else None
    queue = list(values) if isinstance(values, tuple) else [values]
    pieces: list[str] = []
    position = length = used = 0
    for match in _PERCENT.finditer(template):
        pieces.append(template[position : match.start()])
        position = match.end()
        if match["kind"] == "%":
            pieces.append("%")
            continue
        if match["key"] is not None:
            if keyed is None:
                raise TypeError("a format with names needs a dictionary after the %")
            value = keyed[match["key"]]
        else:
            if used >= len(queue):
                raise TypeError("not enough values after the % for this format")
            value = queue[used]
            used += 1
        pieces.append(_percent_item(meter, match, value))
        length += len(pieces[-1])
        meter.string(length)
    if used < len(queue) and keyed is None:
        raise TypeError("more values after the % than the format has places")
    pieces.append(template[position:])
    if "%" in pieces[-1]:
        raise ValueError("incomplete format; write %% for a percent sign")
    return "".join(pieces)


def _percent_item(meter: Meter, match: re.Match[str], value: Any) -> str:
    _check_width(match["width"], match["precision"])
    kind = match["kind"]
    precision = "" if match["precision"] is None else f".{match['precision']}"
    directive = f"%{match['flags']}{match['width']}{precision}{kind}"
    if kind in "sra":
        text = text_of(meter, value) if kind == "s" else repr_of(meter, value)
        return str(f"{directive[:-1]}s" % text)
    if kind not in "diouxXeEfFgGc":
        raise ValueError(f"unknown format %{kind}; write for example %s, %d or %.3f")
    return str(directive % _formattable(value))


def brace_format(
    meter: Meter, template: str, values: Sequence[Any], named: Mapping[str, Any]
) -> str:
    """Return `template.format(*values, **named)`."""
    pieces: list[str] = []
    automatic = length = 0
    for literal, field, spec, conversion in string.Formatter().parse(template):
        pieces.append(literal)
        length += len(literal)
        if field is not None:
            if not field.split("[")[0]:
                field = f"{automatic}{field}"
                automatic += 1
            value = _field_value(field, values, named)
            if spec and "{" in spec:
                raise ProgramError("a format inside a format is not part of the language")
            pieces.append(format_value(meter, value, spec or "", conversion or ""))
            length += len(pieces[-1])
        meter.string(length)
    return "".join(pieces)


def _field_value(field: str, values: Sequence[Any], named: Mapping[str, Any]) -> Any:
    match = _FIELD.fullmatch(field)
    if match is None:
        raise ProgramError(
            f"{{{field}}} is not part of the language; pass the value itself to format()"
        )
    name = match["name"]
    value = values[int(name)] if name.isdigit() and len(name) < 6 else named[name]
    for key in re.findall(r"\[([^\[\]]*)\]", match["keys"]):
        if not isinstance(value, list | tuple | dict | np.ndarray | Operators):
            raise TypeError(f"a {type(value).__name__} cannot be indexed")
        value = value[int(key) if key.isdigit() and len(key) < 10 else key]
    return value
