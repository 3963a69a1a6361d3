"""How much a program may use, and the meter that counts what it has used.

The meter is asked before anything whose size the program chooses is made, so that an absurd
request is answered by a sentence rather than by a full memory.
"""

from __future__ import annotations

import math
import time
import weakref
from dataclasses import dataclass
from typing import Any

import numpy as np

from explorer.program.errors import BudgetError

_TIME_CHECK_EVERY = 64
_SMALL_ARRAY_BYTES = 4096


@dataclass(frozen=True)
class Budget:
    """The limits of one run.

    Attributes:
        source_chars: characters of program text.
        depth: levels of nesting in the text, and of nesting in lists and tuples.
        statements: statements and loop rounds executed.
        calls: user functions active at one time.
        operations: operations in all graphs of the program.
        elements: elements of one tensor, array, list or range.
        bytes: bytes of all tensors, arrays and long lists together.
        int_bits: binary digits of one whole number.
        string_chars: characters of one string.
        printed_chars: characters printed.
        seconds: seconds of running time.
    """

    source_chars: int = 100_000
    depth: int = 50
    statements: int = 500_000
    calls: int = 60
    operations: int = 50_000
    elements: int = 1_000_000
    bytes: int = 512 * 1024 * 1024
    int_bits: int = 4096
    string_chars: int = 100_000
    printed_chars: int = 200_000
    seconds: float = 20.0


class Meter:
    """Counts what one run uses; raises BudgetError when it is too much.

    The line of an error is filled in by the interpreter, which knows where it is.
    """

    __slots__ = (
        "_bytes",
        "_deadline",
        "_left",
        "_live",
        "_operations",
        "_printed",
        "armed",
        "budget",
    )

    def __init__(self, budget: Budget) -> None:
        self.budget = budget
        self.armed = False
        self._left = budget.statements
        self._deadline = math.inf
        self._bytes = 0
        self._operations = 0
        self._printed = 0
        self._live: dict[int, weakref.ref[Any]] = {}

    def start(self) -> None:
        """Begin a run: statements and seconds count from zero; what is kept stays counted."""
        self.armed = True
        self._left = self.budget.statements
        self._deadline = time.monotonic() + self.budget.seconds

    def stop(self) -> None:
        self.armed = False

    def step(self) -> None:
        """Count one statement or one round of a loop."""
        self._left -= 1
        if not self._left % _TIME_CHECK_EVERY:
            self._check_progress()

    def _check_progress(self) -> None:
        if self._left < 0:
            raise BudgetError(
                f"the program runs more than {self.budget.statements:,} statements; "
                "use fewer rounds, or check that the loop ends"
            )
        self.check_time()

    def check_time(self) -> None:
        if time.monotonic() > self._deadline:
            raise BudgetError(
                f"the program runs for more than {self.budget.seconds:g} seconds; "
                "use fewer rounds or smaller tensors"
            )

    def operation(self, outputs: Any) -> None:
        """Count one operation that was added to a graph, and its outputs."""
        if not self.armed:
            return
        self._operations += 1
        if self._operations > self.budget.operations:
            raise BudgetError(
                f"the program makes more than {self.budget.operations:,} operations; "
                "build the graph once, outside the loop"
            )
        if not self._operations % _TIME_CHECK_EVERY:
            self.check_time()
        for tensor in outputs:
            dims = tensor.dims
            if dims:
                known = math.prod(size for size in dims if size is not None)
                self.elements(known, "a tensor")
                self.spend(known * tensor.dtype.dtype.itemsize)

    def elements(self, count: int, what: str) -> None:
        """Refuse a tensor, array or list of too many elements, before it is made."""
        if count > self.budget.elements:
            raise BudgetError(
                f"{what} would have {_counted(count)} elements, and the limit is "
                f"{self.budget.elements:,}; use a smaller one"
            )

    def spend(self, size: int) -> None:
        """Count bytes that are made and not given back."""
        self._bytes += size
        if self._bytes > self.budget.bytes:
            raise BudgetError(
                f"the program's values take more than {self.budget.bytes // 2**20:,} MB; "
                "use smaller tensors or fewer of them"
            )

    def array(self, array: Any) -> None:
        """Count an array for as long as it lives."""
        self.elements(array.size, "an array")
        size = int(array.nbytes)
        if (
            size < _SMALL_ARRAY_BYTES
            or not isinstance(array, np.ndarray)
            or id(array) in self._live
        ):
            return
        self.spend(size)
        key = id(array)

        def release(_gone: object) -> None:
            self._live.pop(key, None)
            self._bytes -= size

        self._live[key] = weakref.ref(array, release)

    def integer_bits(self, bits: int) -> None:
        if bits > self.budget.int_bits:
            raise BudgetError(
                f"a whole number would have {_counted(bits)} binary digits, and the limit is "
                f"{self.budget.int_bits:,}; write it as a float, for example 9.0"
            )

    def string(self, length: int) -> None:
        if length > self.budget.string_chars:
            raise BudgetError(
                f"a string would have {_counted(length)} characters, and the limit is "
                f"{self.budget.string_chars:,}"
            )
        if length > _SMALL_ARRAY_BYTES:
            self.spend(length)

    def printed(self, length: int) -> None:
        self._printed += length
        if self._printed > self.budget.printed_chars:
            raise BudgetError(
                f"the program prints more than {self.budget.printed_chars:,} characters; "
                "print less, for example every tenth round"
            )


def _counted(count: int) -> str:
    return f"{count:,}" if count < 10**15 else "more than 10**15"
