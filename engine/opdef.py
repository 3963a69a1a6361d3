"""What a kind of operation is: its kernel, shape rule, element types, notation and derivative.

`define` fills one table from op type to `OpDef`. An OpDef is callable, so that the public
function of a plain op is the OpDef itself: `sin(x)`.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from engine import registry
from engine.dtypes import DType, as_dtype
from engine.elementwise import LocalRule
from engine.errors import ArgumentError, ArgumentTypeError, DTypeError, EngineError, ShapeError
from engine.shapes import Dims, show

if TYPE_CHECKING:
    from engine.tensor import Tensor

REQUIRED = object()
"""Marks an attribute that has no default."""

_INPUT_NAMES = ("x", "y", "features", "input", "logits", "tensor")  # in order of the slots

_OPS: dict[str, OpDef] = {}


@dataclass(frozen=True, eq=False, repr=False)
class OpDef:
    """A kind of operation.

    Attributes:
        type: TensorFlow's op type, for example `"MatMul"`.
        kernel: `kernel(*arrays, **attrs)`; returns an array, or a tuple of them when the op has
            not exactly one output. A stateful kernel is called `kernel(store, op, *arrays)`.
        shape: `shape(*input_dims, **attrs)`; returns the output's dims, or a sequence of dims when
            the op has not exactly one output. Raises ShapeError.
        dtype: `dtype(*input_dtypes, **attrs)`, likewise; by default the first matched input's.
        match: input slots that must share one element type; None means all of them.
        kinds: NumPy kind letters that the matched inputs may have ("f" float, "c" complex,
            "iu" integer, "b" bool, "S" string).
        arity: how many inputs; None means any number.
        outputs: how many outputs, or a function of `(number of inputs, attrs)`.
        attrs: names and defaults of the attributes; `REQUIRED` marks those without default.
        latex: notation with TeX's slots `#1`, `#2`; `#*` stands for all inputs, comma-separated.
        local: local derivatives of an elementwise op, see `engine.elementwise.LocalRule`.
        corner: one sentence when the derivative at a corner is a convention, else "".
        name: the default name of an operation; the type unless given.
        stateful: whether the kernel reads or writes the session's store.
        eager: for reads and writes of variables, the kernel used without a session; it gets the
            variable's value of that time in place of the handle.
        where: file and line of the definition.
    """

    type: str
    kernel: Callable[..., Any]
    shape: Callable[..., Any]
    latex: str
    dtype: Callable[..., Any] | None = None
    match: tuple[int, ...] | None = None
    kinds: str = "fciubS"
    arity: int | None = 1
    outputs: int | Callable[[int, Mapping[str, Any]], int] = 1
    attrs: Mapping[str, Any] = field(default_factory=dict)
    local: Any = None
    corner: str = ""
    name: str = ""
    stateful: bool = False
    eager: Callable[..., Any] | None = None
    where: str = ""

    def __repr__(self) -> str:
        return f"<OpDef {self.type}>"

    def __call__(self, *inputs: Any, name: str | None = None, **attrs: Any) -> Any:
        """Create an operation and return its output (a tuple when it has not exactly one).

        Inputs may be named as in TensorFlow's functions (`x=`, `y=`), and the name of the
        operation may follow the inputs.
        """
        from engine.graph import create_op  # the graph needs OpDef first

        named = [key for key in _INPUT_NAMES if key in attrs and key not in self.attrs]
        given = (*inputs, *(attrs.pop(key) for key in named))
        if self.arity is not None and len(given) == self.arity + 1 and isinstance(given[-1], str):
            given, name = given[:-1], given[-1]
        outputs = create_op(self.type, given, attrs, name).outputs
        return outputs[0] if self.outputs == 1 else outputs

    def output_count(self, inputs: int, attrs: Mapping[str, Any]) -> int:
        return self.outputs if isinstance(self.outputs, int) else self.outputs(inputs, attrs)

    def matched(self, count: int) -> Sequence[int]:
        """Return the input slots that must share one element type, given `count` inputs."""
        return range(count) if self.match is None else self.match

    def complete(self, attrs: Mapping[str, Any] | None) -> dict[str, Any]:
        """Return all attributes, defaults filled in.

        Raises:
            ArgumentError: an attribute is unknown or missing.
        """
        given = attrs or {}
        complete = dict(self.attrs)
        for key, value in given.items():
            if key not in complete and not key.startswith("_"):
                known = ", ".join(self.attrs) or "none"
                raise ArgumentError(f"{self.type} has no attribute {key!r}; it has: {known}")
            complete[key] = _frozen(value)
        for key, value in complete.items():
            if value is REQUIRED:
                raise ArgumentError(f"{self.type} needs the attribute {key!r}")
        return complete

    def infer(
        self, inputs: Sequence[Tensor], attrs: Mapping[str, Any]
    ) -> tuple[tuple[DType, Dims], ...]:
        """Return dtype and static shape of every output, having checked the inputs.

        Raises:
            DTypeError, ShapeError: the inputs do not fit; the message names op and inputs.
        """
        self._check_inputs(inputs)
        known = {key: value for key, value in attrs.items() if not key.startswith("_")}
        count = self.output_count(len(inputs), attrs)
        try:
            shapes = self.shape(*(tensor.dims for tensor in inputs), **known)
        except ShapeError as error:
            raise ShapeError(f"{self.type}: {error} {_got(inputs)}") from None
        if self.dtype is None:
            dtypes: Any = inputs[self.matched(len(inputs))[0]].dtype
        else:
            dtypes = self.dtype(*(tensor.dtype for tensor in inputs), **known)
        if count == 1:
            return ((as_dtype(dtypes), shapes),)
        if isinstance(dtypes, DType):
            dtypes = (dtypes,) * count
        return tuple(zip(map(as_dtype, dtypes), shapes, strict=True))

    def _check_inputs(self, inputs: Sequence[Tensor]) -> None:
        if self.arity is not None and len(inputs) != self.arity:
            raise ArgumentError(f"{self.type} takes {self.arity} inputs (got {len(inputs)})")
        slots = [slot for slot in self.matched(len(inputs)) if slot < len(inputs)]
        if not slots:
            return
        first = inputs[slots[0]].dtype
        if first.kind not in self.kinds:
            raise DTypeError(
                f"{self.type} does not take {first.name}; cast the input first {_got(inputs)}"
            )
        for slot in slots:
            if inputs[slot].dtype is not first:
                raise DTypeError(
                    f"{self.type}: input {slot} has type {inputs[slot].dtype.name} that does not "
                    f"match type {first.name}; cast one of them {_got(inputs)}"
                )


def _got(inputs: Sequence[Tensor]) -> str:
    shown = ", ".join(f"{tensor.name} {tensor.dtype.name} {show(tensor.dims)}" for tensor in inputs)
    return f"(got {shown})"


def _frozen(value: Any) -> Any:
    """Turn lists into tuples, so that attributes cannot change after the fact."""
    if isinstance(value, list | tuple):
        return tuple(_frozen(entry) for entry in value)
    return value


def same_shape(first: Dims, *_rest: Dims, **_attrs: Any) -> Dims:
    """Shape rule: the output has the first input's shape."""
    return first


def define(type: str, *, local: Any = None, **fields: Any) -> OpDef:
    """Declare a kind of operation; with `local`, register its gradient function too.

    Raises:
        ArgumentError: the type is taken.
    """
    if type in _OPS:
        raise ArgumentError(f"op type {type!r} is defined twice")
    caller = sys._getframe(1)  # inspect.stack() reads source files: slow
    fields.setdefault("name", type)
    where = f"{caller.f_code.co_filename}:{caller.f_lineno}"
    opdef = OpDef(type, local=local, where=where, **fields)
    _OPS[type] = opdef
    if local is not None:
        registry.RegisterGradient(type)(LocalRule(local))
    return opdef


def opdef_of(type: str) -> OpDef:
    """Return the definition of an op type.

    Raises:
        ArgumentError, ArgumentTypeError: there is none.
    """
    found = _OPS.get(type) if isinstance(type, str) else None
    if found is None:
        if not isinstance(type, str):
            raise ArgumentTypeError(f"an op type is a string (got {type!r})")
        raise ArgumentError(
            f"no op of type {type!r} is defined; use engine.opdef.define to add one"
        )
    return found


def all_opdefs() -> tuple[OpDef, ...]:
    """Return every definition, in order of definition."""
    return tuple(_OPS.values())


__all__ = ["REQUIRED", "EngineError", "OpDef", "all_opdefs", "define", "opdef_of", "same_shape"]
