"""Whether an answer is the recorded one; every difference as what was expected and what came."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from engine.indexed_slices import IndexedSlicesValue
from tests.oracle.reading import Case, ExpectedError, ExpectedGradient
from tests.oracle.replay import Answer

_FAMILIES: dict[str, tuple[type[Exception], ...]] = {
    "ValueError": (ValueError,),
    "TypeError": (TypeError,),
    "LookupError": (LookupError,),
    "RuntimeError": (RuntimeError,),
    "AssertionError": (AssertionError, ValueError),
}
_RELATIVE = {"float64": 1e-9, "float32": 1e-4, "float16": 1e-2}
_RELATIVE_SPECIAL = {"float64": 1e-6, "float32": 1e-3, "float16": 1e-2}
_REAL = {"complex128": "float64", "complex64": "float32"}
_NUMERICAL = 1e-3
"""Numerical Jacobians depend on rounding: relative to the largest entry."""


@dataclass(frozen=True)
class Difference:
    """One thing that is not as recorded."""

    what: str
    expected: str
    got: str

    def __str__(self) -> str:
        return f"{self.what}\n    expected {self.expected}\n    got      {self.got}"


def compare(case: Case, answer: Answer) -> list[Difference]:
    """Return how the answer differs from the recorded one in values, kinds and errors."""
    expected = case.expected
    if expected.error is not None:
        return _compare_errors(case, expected.error, answer)
    if answer.error is not None:
        shown = f"{type(answer.error).__name__}: {answer.error}"
        return [Difference(case.mode, "a value", shown)]
    special = "special" in case.tags
    differences = []
    for what in ("y_values", "theoretical", "numerical"):
        wanted, found = getattr(expected, what), getattr(answer, what)
        if wanted is None:
            continue
        differences += _compare_lists(what, wanted, found, special)
    if expected.grads is not None:
        differences += _compare_gradients(expected.grads, answer.grads or (), special)
    return differences


def _compare_lists(
    what: str, wanted: Sequence[Any], found: Sequence[Any] | None, special: bool
) -> list[Difference]:
    if found is None or len(found) != len(wanted):
        count = "nothing" if found is None else f"{len(found)} of them"
        return [Difference(what, f"{len(wanted)} of them", count)]
    differences = []
    for index, (want, got) in enumerate(zip(wanted, found, strict=True)):
        numerical = what == "numerical"
        differences += compare_arrays(f"{what}[{index}]", want, got, special, numerical=numerical)
    return differences


def compare_arrays(
    what: str, want: Any, got: Any, special: bool = False, *, numerical: bool = False
) -> list[Difference]:
    """Return how two arrays differ: in shape, in dtype, or by more than the tolerance.

    Args:
        what: the name of the array in the answer.
        want: the recorded array.
        got: the engine's array or scalar.
        special: whether the values are of special functions, which agree less closely.
        numerical: whether it is a numerical Jacobian.
    """
    got = np.asarray(got)
    if want.shape != got.shape:
        return [Difference(f"{what}.shape", str(want.shape), str(got.shape))]
    if want.dtype != got.dtype:
        return [Difference(f"{what}.dtype", str(want.dtype), str(got.dtype))]
    if want.dtype.kind not in "fc":
        same = np.array_equal(want, got)
    else:
        name = _REAL.get(want.dtype.name, want.dtype.name)
        relative = (_RELATIVE_SPECIAL if special else _RELATIVE)[name]
        same = _close(
            want, got, 0.0 if numerical else relative, _NUMERICAL if numerical else relative
        )
    if same:
        return []
    return [Difference(what, _shown(want), _shown(got))]


def _close(want: Any, got: Any, relative: float, of_largest: float) -> bool:
    """Compare entry by entry; nan equals nan, inf by its sign, of complex numbers each part."""
    want, got = np.atleast_1d(want), np.atleast_1d(got)
    parts = (
        [(want.real, got.real), (want.imag, got.imag)] if want.dtype.kind == "c" else [(want, got)]
    )
    if any(not _same_non_finite(*pair) for pair in parts):
        return False
    finite = np.isfinite(want)
    sizes = np.abs(want[finite].astype(np.result_type(want, np.float64)))
    largest = sizes.max(initial=0.0)
    return all(
        bool((np.abs(a - b) <= relative * np.abs(a) + of_largest * largest).all())
        for a, b in (_finite_parts(*pair) for pair in parts)
    )


def _same_non_finite(want: Any, got: Any) -> bool:
    other = ~np.isfinite(want)
    return np.array_equal(want[other], got[other], equal_nan=True) and bool(
        np.isfinite(got[~other]).all()
    )


def _finite_parts(want: Any, got: Any) -> tuple[Any, Any]:
    finite = np.isfinite(want)
    return want[finite].astype(np.float64), got[finite].astype(np.float64)


def _shown(array: Any) -> str:
    text = np.array2string(array, threshold=20, max_line_width=10_000, precision=12)
    return f"{array.dtype}{list(array.shape)} " + re.sub(r"\s*\n\s*", " ", text)


def _compare_gradients(
    wanted: Sequence[ExpectedGradient], found: Sequence[Any], special: bool
) -> list[Difference]:
    if len(found) != len(wanted):
        return [Difference("grads", f"{len(wanted)} of them", f"{len(found)} of them")]
    differences = []
    for index, (want, got) in enumerate(zip(wanted, found, strict=True)):
        what = f"grads[{index}]"
        kind = _kind(got)
        if kind != want.kind:
            shown = "" if got is None else f" {got!r}"
            differences.append(Difference(f"{what}.kind", want.kind, f"{kind}{shown}"))
        elif kind == "dense":
            differences += compare_arrays(what, want.value, got, special)
        elif kind == "indexed_slices":
            differences += _compare_slices(what, want, got, special)
    return differences


def _kind(gradient: Any) -> str:
    if gradient is None:
        return "none"
    return "indexed_slices" if isinstance(gradient, IndexedSlicesValue) else "dense"


def _compare_slices(
    what: str, want: ExpectedGradient, got: IndexedSlicesValue, special: bool
) -> list[Difference]:
    want_rows, want_sums = _summed(want.indices, want.values)
    got_rows, got_sums = _summed(np.asarray(got.indices), np.asarray(got.values))
    if not np.array_equal(want_rows, got_rows):
        return [Difference(f"{what}.indices", str(want_rows), str(got_rows))]
    differences = compare_arrays(f"{what}.values", want_sums, got_sums, special)
    if want.dense_shape is not None and got.dense_shape is not None:
        same = np.array_equal(want.dense_shape, got.dense_shape)
        if not same:
            shapes = str(want.dense_shape), str(got.dense_shape)
            return [*differences, Difference(f"{what}.dense_shape", *shapes)]
    dense = np.zeros(want.value.shape, got_sums.dtype)
    dense[got_rows] = got_sums
    return differences + compare_arrays(f"{what}.dense", want.value, dense, special)


def _summed(indices: Any, values: Any) -> tuple[Any, Any]:
    """Return each index once, sorted, and the sum of its rows."""
    rows, places = np.unique(indices, return_inverse=True)
    sums = np.zeros((len(rows), *values.shape[1:]), values.dtype)
    np.add.at(sums, places, values)
    return rows, sums


def _compare_errors(case: Case, want: ExpectedError, answer: Answer) -> list[Difference]:
    shown = f"{want.type}: {want.message}"
    error = answer.error
    if error is None:
        return [] if case.may_fail else [Difference("error", shown, "no error")]
    got = f"{type(error).__name__}: {error}"
    if not isinstance(error, _FAMILIES[want.type]):
        return [Difference("error", shown, got)]
    missing = [thing for thing in things_at_fault(case, want) if thing not in str(error)]
    named = things_at_fault(case, want) or any(name in str(error) for name in (*case.xs, *case.ys))
    if not case.may_fail and (missing or not named):
        needed = missing or [*case.xs, *case.ys]
        return [Difference("error message", f"to name {needed} as in {shown!r}", got)]
    return []


def things_at_fault(case: Case, error: ExpectedError) -> tuple[str, ...]:
    """Return what TensorFlow's message names and ours must name as well.

    That is: op types of the program, element types, arguments, quoted values and shapes.
    """
    message = re.sub(r"Tensor\(\"(\w+):.*?\)", r"\1", error.message.split(". In general")[0])
    message = re.sub(r"'[xy]'|argument '\w'", "", message)
    words = re.findall(r"\w+", message)
    known = {*case.op_types, *_RELATIVE, *_REAL, "int32", "int64"}
    known |= {*case.options, *map(str, case.options.values())}
    shapes = re.findall(r"\((?:\d+, ?)*\d*,?\)", message)
    return tuple(dict.fromkeys([word for word in words if word in known] + shapes))
