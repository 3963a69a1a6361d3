"""Does a value fit the budget: lists and tuples as Python would walk them, numbers, strings.

A list that contains one other list many times is small in memory and endless to print or to
compare. So a container counts as large as it is when written out, and it is measured before it
goes into another container or into a function that we did not write.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from explorer.program.budget import Meter
from explorer.program.errors import BudgetError, ProgramError

CONTAINERS = frozenset({list, tuple, dict, set, frozenset})
_BYTES_PER_ENTRY = 16


def check_nesting(meter: Meter, value: Any) -> None:
    """Refuse a container that is too large or too deep when written out."""
    count = 0
    limit = meter.budget.elements
    stack = [(value, 1)]
    while stack:
        container, depth = stack.pop()
        if depth > meter.budget.depth:
            raise BudgetError(
                f"lists or tuples are nested more than {meter.budget.depth} deep; use a flat list"
            )
        count += len(container) + 1
        if count > limit:
            raise BudgetError(
                f"a list with its inner lists has more than {limit:,} entries; use a smaller one"
            )
        entries = container
        if container.__class__ is dict:
            stack.extend((key, depth + 1) for key in container if key.__class__ in CONTAINERS)
            entries = container.values()
        stack.extend((entry, depth + 1) for entry in entries if entry.__class__ in CONTAINERS)


def check_argument(meter: Meter, value: Any) -> None:
    """Refuse an argument that is too large when written out."""
    if value.__class__ in CONTAINERS:
        check_nesting(meter, value)


def _check_integer(meter: Meter, value: int) -> None:
    if value > 2**64 or value < -(2**64):
        meter.integer_bits(value.bit_length())


def _check_string(meter: Meter, value: str | bytes) -> None:
    meter.string(len(value))


def _check_container(meter: Meter, value: Any) -> None:
    check_nesting(meter, value)
    if len(value) > 256:
        meter.spend(len(value) * _BYTES_PER_ENTRY)


def _check_range(meter: Meter, value: range) -> None:
    # len() of an absurd range overflows, so it is computed by hand
    span = (value.stop - value.start) // value.step if value else 0
    meter.elements(abs(span), "a range")


def _check_array(meter: Meter, value: Any) -> None:
    if value.dtype.kind not in "biufcSU":
        raise ProgramError(
            "a NumPy array here holds numbers, bools or strings; are its rows equally long?"
        )
    meter.array(value)


_CHECKS: dict[type, Callable[[Meter, Any], None]] = {
    int: _check_integer,
    str: _check_string,
    bytes: _check_string,
    list: _check_container,
    tuple: _check_container,
    dict: _check_container,
    set: _check_container,
    frozenset: _check_container,
    range: _check_range,
    np.ndarray: _check_array,
}


def checked(meter: Meter, value: Any) -> Any:
    """Return a value that was just made, or raise BudgetError if it is too large."""
    check = _CHECKS.get(value.__class__)
    if check is not None:
        check(meter, value)
    return value
