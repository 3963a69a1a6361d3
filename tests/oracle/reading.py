"""What a file of recorded answers says: programs, how they were run, and what came out."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np


@dataclass(frozen=True, eq=False)
class Leaf:
    """A constant of the program."""

    id: str
    value: Any


@dataclass(frozen=True, eq=False)
class Line:
    """One operation of the program.

    Attributes:
        op: an op type, `tf.xxx` for a function of TensorFlow's face, or `@gradients`.
        inputs: references `id` (output 0) or `id:k`.
        call: for `@gradients`, the arguments ys, xs and grad_ys.
    """

    id: str
    op: str
    inputs: tuple[str, ...]
    attrs: Mapping[str, Any]
    call: Mapping[str, Any]


@dataclass(frozen=True, eq=False)
class ExpectedGradient:
    """One gradient: `kind` is "none", "dense" or "indexed_slices".

    Attributes:
        value: the dense value (of indexed slices: with rows of equal index summed), or None.
        values, indices, dense_shape: the parts of indexed slices, else None.
    """

    kind: str
    value: Any = None
    values: Any = None
    indices: Any = None
    dense_shape: Any = None


@dataclass(frozen=True, eq=False)
class ExpectedError:
    """The exception that TensorFlow raised."""

    type: str
    message: str


@dataclass(frozen=True, eq=False)
class RecordedOp:
    """One operation that TensorFlow's call of `gradients` added; inputs are tensor names."""

    name: str
    type: str
    inputs: tuple[str, ...]
    control_inputs: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Expected:
    """What came out; everything that was not recorded is None."""

    y_values: tuple[Any, ...] | None
    grads: tuple[ExpectedGradient, ...] | None
    theoretical: tuple[Any, ...] | None
    numerical: tuple[Any, ...] | None
    error: ExpectedError | None
    new_ops: tuple[RecordedOp, ...] | None
    grad_names: tuple[str | None, ...] | None


@dataclass(frozen=True, eq=False)
class Case:
    """One program and what TensorFlow answered.

    Attributes:
        mode: how it was run: "gradients", "hessians", "tape", "tape_jacobian",
            "tape_batch_jacobian", "compute_gradient_v1" or "compute_gradient_v2".
        ys, xs: references to the tensors asked about.
        options: the other arguments of the call, by the names of the file.
        may_fail: whether TensorFlow itself is not stable here; a value counts if there is one.
    """

    name: str
    tags: tuple[str, ...]
    mode: str
    leaves: tuple[Leaf, ...]
    lines: tuple[Line, ...]
    ys: tuple[str, ...]
    xs: tuple[str, ...]
    options: Mapping[str, Any]
    may_fail: bool
    expected: Expected

    @property
    def op_types(self) -> tuple[str, ...]:
        """Return the op types and functions that the program needs, without repetition."""
        return tuple(dict.fromkeys(line.op for line in self.lines if line.op != "@gradients"))


_OPTIONS = (
    *("grad_ys", "stop_gradients", "aggregation_method", "unconnected_gradients"),
    *("gate_gradients", "scope_name", "watch", "order", "delta"),
)
_PLAIN = {
    *("name", "tags", "mode", "leaves", "ops", "ys", "xs", "expect"),
    *("may_fail", "record_graph", "note"),
}


def read_cases(path: str | Path) -> tuple[Case, ...]:
    """Return the cases of a file, in order.

    Raises:
        ValueError: the file is not in the format, or two cases have one name.
    """
    content = json.loads(Path(path).read_text(encoding="utf-8"))
    cases = tuple(_case(entry) for entry in content["cases"])
    names = [case.name for case in cases]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise ValueError(f"{path}: several cases are named {twice}")
    return cases


def read_array(value: Mapping[str, Any]) -> Any:
    """Return the array of `{dtype, shape, data}`; data is flat and row-major.

    Infinities and nan are strings; a complex number is a pair.

    >>> read_array({"dtype": "float32", "shape": [2], "data": ["-inf", 1]}).tolist()
    [-inf, 1.0]
    >>> read_array({"dtype": "complex64", "shape": [], "data": [[1, "nan"]]}).imag.tolist()
    nan
    """
    dtype = np.dtype(value["dtype"])
    if dtype.kind == "c":
        entries: list[Any] = [complex(float(re), float(im)) for re, im in value["data"]]
    elif dtype.kind == "f":
        entries = [float(entry) for entry in value["data"]]
    else:
        entries = value["data"]
    return np.array(entries, dtype).reshape(value["shape"])


def _case(entry: Mapping[str, Any]) -> Case:
    unknown = entry.keys() - _PLAIN - set(_OPTIONS)
    if unknown:
        raise ValueError(f"{entry.get('name')}: unknown keys {sorted(unknown)}")
    return Case(
        name=entry["name"],
        tags=tuple(entry["tags"]),
        mode=entry["mode"],
        leaves=tuple(Leaf(leaf["id"], read_array(leaf["value"])) for leaf in entry["leaves"]),
        lines=tuple(_line(op) for op in entry["ops"]),
        ys=tuple(entry["ys"]),
        xs=tuple(entry["xs"]),
        options={key: entry[key] for key in _OPTIONS if entry.get(key) is not None},
        may_fail=bool(entry.get("may_fail")),
        expected=_expected(entry["expect"]),
    )


def _line(op: Mapping[str, Any]) -> Line:
    call = {key: op[key] for key in ("ys", "xs", "grad_ys") if op.get(key) is not None}
    return Line(op["id"], op["op"], tuple(op.get("inputs", ())), op.get("attrs", {}), call)


def _expected(entry: Mapping[str, Any]) -> Expected:
    error = entry.get("error")
    new_ops = entry.get("new_ops")
    return Expected(
        y_values=_arrays(entry.get("y_values")),
        grads=None if entry.get("grads") is None else tuple(map(_gradient, entry["grads"])),
        theoretical=_arrays(entry.get("theoretical")),
        numerical=_arrays(entry.get("numerical")),
        error=None if error is None else ExpectedError(error["type"], error["message"]),
        new_ops=None if new_ops is None else tuple(map(_recorded, new_ops)),
        grad_names=None if new_ops is None else tuple(entry["grad_names"]),
    )


def _arrays(values: Any) -> tuple[Any, ...] | None:
    return None if values is None else tuple(map(read_array, values))


def _gradient(entry: Mapping[str, Any]) -> ExpectedGradient:
    kind = entry["kind"]
    if kind == "none":
        return ExpectedGradient("none")
    if kind == "dense":
        return ExpectedGradient("dense", value=read_array(entry["value"]))
    shape = entry.get("dense_shape")
    return ExpectedGradient(
        "indexed_slices",
        value=read_array(entry["dense"]),
        values=read_array(entry["values"]),
        indices=read_array(entry["indices"]),
        dense_shape=None if shape is None else read_array(shape),
    )


def _recorded(op: Mapping[str, Any]) -> RecordedOp:
    return RecordedOp(op["name"], op["type"], tuple(op["inputs"]), tuple(op["control_inputs"]))
