"""An identity that refuses nan and infinity, in the values and in the gradient."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.opdef import define, same_shape
from engine.ops.arguments import as_tensor
from engine.registry import RegisterGradient
from engine.tensor import Operation, Tensor


def _check(x: Any, *, message: str) -> Any:
    found = [
        word for word, is_one in (("nan", np.isnan(x)), ("infinity", np.isinf(x))) if np.any(is_one)
    ]
    if found:
        raise ValueError(f"{message}: the tensor holds {' and '.join(found)}")
    return x


check_numerics_op = define(
    "CheckNumerics",
    kernel=_check,
    shape=same_shape,
    kinds="f",
    attrs={"message": ""},
    latex="#1",
)


@RegisterGradient("CheckNumerics")
def _check_numerics_gradient(op: Operation, upstream: Tensor) -> Tensor:
    """Return the upstream gradient, checked as well."""
    message = f"in the gradient of {op.name}, {op.attrs['message']}"
    gradient: Tensor = check_numerics_op(upstream, message=message)
    return gradient


def check_numerics(tensor: Any, message: str, name: str | None = None) -> Tensor:
    """Return the tensor; when it is computed it must be finite, and so must its gradient.

    Args:
        tensor: floating numbers.
        message: the beginning of the error message.
        name: of the operation.
    """
    checked: Tensor = check_numerics_op(as_tensor(tensor), message=str(message), name=name)
    return checked
