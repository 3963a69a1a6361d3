"""Running sums and products along an axis.

The gradient of a running product divides by nothing, so it is right at zeros too. It rests on the
linear recurrence s[i] = b[i] + a[i] s[i-1], whose gradient is again a linear recurrence, run
backwards; derivatives of any order stay within the ops of this module.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from engine.opdef import OpDef, define
from engine.ops.arguments import as_tensor, static_int
from engine.ops.arithmetic import minimum, multiply, subtract
from engine.ops.complex_parts import conj
from engine.ops.elementary import exp
from engine.registry import RegisterGradient
from engine.shapes import Dims, merge, normalize_axis
from engine.tensor import Operation, Tensor


def _along(first: Dims, *_rest: Dims, axis: int, **_attrs: Any) -> Dims:
    if first is not None:
        normalize_axis(axis, len(first))
    return first


def _scanned(function: np.ufunc, start: float) -> Callable[..., Any]:
    """Make a kernel that accumulates along an axis, from either end, with or without oneself."""

    def kernel(x: Any, *, axis: int, exclusive: bool, reverse: bool) -> Any:
        ordered = np.flip(x, axis) if reverse else x
        total = function.accumulate(ordered, axis=axis, dtype=x.dtype)
        if exclusive:
            total = _shifted(total, axis=axis, offset=1, fill=start)
        return np.flip(total, axis) if reverse else total

    return kernel


def _shifted(x: Any, *, axis: int, offset: int, fill: float = 0) -> Any:
    """Move entries by one place towards higher (1) or lower (-1) indices."""
    moved = np.full_like(x, fill)
    source, target = np.moveaxis(x, axis, 0), np.moveaxis(moved, axis, 0)
    if offset > 0:
        target[1:] = source[:-1]
    else:
        target[:-1] = source[1:]
    return moved


_SCAN_ATTRS = {"axis": 0, "exclusive": False, "reverse": False}

cumsum_op = define(
    "Cumsum",
    kernel=_scanned(np.add, 0),
    shape=_along,
    kinds="fciu",
    attrs=_SCAN_ATTRS,
    latex=r"\operatorname{cumsum}(#1)",
)


@RegisterGradient("Cumsum")
def _cumsum_gradient(op: Operation, upstream: Tensor) -> Tensor:
    gradient: Tensor = cumsum_op(
        upstream,
        axis=op.attrs["axis"],
        exclusive=op.attrs["exclusive"],
        reverse=not op.attrs["reverse"],
    )
    return gradient


cumprod_op = define(
    "Cumprod",
    kernel=_scanned(np.multiply, 1),
    shape=_along,
    kinds="fciu",
    attrs=_SCAN_ATTRS,
    latex=r"\operatorname{cumprod}(#1)",
)


@RegisterGradient("Cumprod")
def _cumprod_gradient(op: Operation, upstream: Tensor) -> Tensor:
    """Return what comes in from later entries, by a recurrence, times the product before."""
    axis, exclusive, reverse = (op.attrs[key] for key in ("axis", "exclusive", "reverse"))
    x = conj(op.inputs[0])
    towards_start = 1 if reverse else -1
    before = cumprod_op(x, axis=axis, exclusive=True, reverse=reverse)
    if exclusive:
        arriving = linear_scan(x, upstream, axis=axis, reverse=not reverse)
        arriving = shift(arriving, axis=axis, offset=towards_start)
    else:
        following = shift(x, axis=axis, offset=towards_start)
        arriving = linear_scan(following, upstream, axis=axis, reverse=not reverse)
    gradient: Tensor = multiply(arriving, before)
    return gradient


def _linear_scan(factors: Any, terms: Any, *, axis: int, reverse: bool) -> Any:
    result = np.empty_like(terms)
    a, b, s = (np.moveaxis(array, axis, 0) for array in (factors, terms, result))
    order = range(len(b))
    previous: Any = None
    for row in reversed(order) if reverse else order:
        s[row] = b[row] if previous is None else b[row] + a[row] * previous
        previous = s[row]
    return result


def _scan_shape(factors: Dims, terms: Dims, *, axis: int, reverse: bool) -> Dims:
    return _along(merge(factors, terms), axis=axis)


log_sum_exp_op: OpDef = define(
    "CumulativeLogsumexp",
    kernel=_scanned(np.logaddexp, -np.inf),
    shape=_along,
    kinds="f",
    attrs=_SCAN_ATTRS,
    latex=r"\operatorname{cumlogsumexp}(#1)",
)


@RegisterGradient("CumulativeLogsumexp")
def _cumulative_log_sum_exp_gradient(op: Operation, upstream: Tensor) -> Tensor:
    """Return e^(x[i] - z[i]) s[i] with s[i] = g[i] + e^(z[i] - z[i+1]) s[i+1].

    No exponent is positive, so nothing overflows. With exclusive sums, entry i of the gradient
    comes from the outputs after i: those of the inclusive sums, moved by one place.
    """
    axis, exclusive, reverse = (op.attrs[key] for key in ("axis", "exclusive", "reverse"))
    x, z = op.inputs[0], op.outputs[0]
    towards_start = 1 if reverse else -1
    if exclusive:
        z = log_sum_exp_op(x, axis=axis, reverse=reverse)
        upstream = shift(upstream, axis=axis, offset=towards_start)
    step = subtract(z, shift(z, axis=axis, offset=towards_start))
    arriving = linear_scan(exp(minimum(step, 0)), upstream, axis=axis, reverse=not reverse)
    gradient: Tensor = multiply(exp(subtract(x, z)), arriving)
    return gradient


linear_scan = define(
    "LinearScan",
    kernel=_linear_scan,
    shape=_scan_shape,
    kinds="fc",
    arity=2,
    attrs={"axis": 0, "reverse": False},
    latex="s_i = #2_i + #1_i s_{i-1}",
)


@RegisterGradient("LinearScan")
def _linear_scan_gradient(op: Operation, upstream: Tensor) -> list[Callable[[], Tensor]]:
    """With t the same recurrence run the other way: return t s[i-1] for factors, t for terms."""
    axis, reverse = op.attrs["axis"], op.attrs["reverse"]
    forwards = -1 if reverse else 1
    factors = shift(conj(op.inputs[0]), axis=axis, offset=-forwards)
    arriving: Tensor = linear_scan(factors, upstream, axis=axis, reverse=not reverse)
    return [
        lambda: multiply(arriving, shift(conj(op.outputs[0]), axis=axis, offset=forwards)),
        lambda: arriving,
    ]


shift = define(
    "Shift",
    kernel=_shifted,
    shape=lambda x, *, axis, offset: _along(x, axis=axis),
    kinds="fciu",
    attrs={"axis": 0, "offset": 1},
    latex=r"\operatorname{shift}(#1)",
)


@RegisterGradient("Shift")
def _shift_gradient(op: Operation, upstream: Tensor) -> Tensor:
    gradient: Tensor = shift(upstream, axis=op.attrs["axis"], offset=-op.attrs["offset"])
    return gradient


def cumsum(
    x: Any, axis: Any = 0, exclusive: bool = False, reverse: bool = False, name: str | None = None
) -> Tensor:
    """Return running sums along an axis, shaped like x.

    Args:
        x: a tensor with at least one axis.
        axis: the axis to run along.
        exclusive: whether to leave an entry out of its own sum.
        reverse: whether to start at the end.
        name: name of the operation.
    """
    return _scan(cumsum_op, x, axis, exclusive, reverse, name)


def cumprod(
    x: Any, axis: Any = 0, exclusive: bool = False, reverse: bool = False, name: str | None = None
) -> Tensor:
    """Return running products along an axis, shaped like x; arguments as `cumsum`."""
    return _scan(cumprod_op, x, axis, exclusive, reverse, name)


def cumulative_logsumexp(
    x: Any, axis: Any = 0, exclusive: bool = False, reverse: bool = False, name: str | None = None
) -> Tensor:
    """Return running logarithms of sums of exponentials, without overflow; as `cumsum`."""
    return _scan(log_sum_exp_op, x, axis, exclusive, reverse, name)


def _scan(scan: Any, x: Any, axis: Any, exclusive: bool, reverse: bool, name: str | None) -> Tensor:
    result: Tensor = scan(
        as_tensor(x),
        axis=static_int(axis, "axis"),
        exclusive=bool(exclusive),
        reverse=bool(reverse),
        name=name,
    )
    return result
