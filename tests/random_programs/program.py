"""What a random program is: a list of steps, written as text, and built into a graph.

Tensors are numbered in the order in which the steps produce them.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from engine.graph import Graph
from engine.tensor import Tensor

LEAVES = ("Placeholder", "Const")


@dataclass(frozen=True, eq=False)
class Step:
    """One operation.

    Attributes:
        op: the op type; "Placeholder" and "Const" are leaves with their array in `attrs["value"]`.
        inputs: numbers of tensors.
        outputs: how many tensors it adds.
    """

    op: str
    inputs: tuple[int, ...] = ()
    attrs: dict[str, Any] = field(default_factory=dict)
    outputs: int = 1


@dataclass(frozen=True, eq=False)
class Program:
    """Steps, and the tensors to differentiate: the numbers of ys, xs and stops."""

    steps: tuple[Step, ...]
    ys: tuple[int, ...]
    xs: tuple[int, ...]
    stops: tuple[int, ...] = ()

    @property
    def firsts(self) -> tuple[int, ...]:
        """Return the number of each step's first output."""
        firsts, count = [], 0
        for step in self.steps:
            firsts.append(count)
            count += step.outputs
        return tuple(firsts)

    def narrowed(self) -> Program:
        """Return the program in float32 and complex64."""
        steps = (replace(step, attrs=_narrowed(step.attrs)) for step in self.steps)
        return replace(self, steps=tuple(steps))

    @property
    def producers(self) -> tuple[int, ...]:
        """Return for each tensor the index of its step."""
        return tuple(index for index, step in enumerate(self.steps) for _ in range(step.outputs))

    def needed(self) -> frozenset[int]:
        """Return the indices of the steps that the ys depend on."""
        producers, seen = self.producers, set()
        stack = [producers[tensor] for tensor in self.ys]
        while stack:
            index = stack.pop()
            if index not in seen:
                seen.add(index)
                stack.extend(producers[tensor] for tensor in self.steps[index].inputs)
        return frozenset(seen)

    def pruned(self) -> Program:
        """Return the program without the steps that neither ys, xs nor stops depend on."""
        wanted = Program(self.steps, (*self.ys, *self.xs, *self.stops), ()).needed()
        numbers: dict[int, int] = {}
        steps = []
        for index, (first, step) in enumerate(zip(self.firsts, self.steps, strict=True)):
            if index in wanted:
                for output in range(step.outputs):
                    numbers[first + output] = len(numbers)
                inputs = tuple(numbers[tensor] for tensor in step.inputs)
                steps.append(Step(step.op, inputs, step.attrs, step.outputs))
        return Program(
            tuple(steps),
            *(
                tuple(numbers[tensor] for tensor in group)
                for group in (self.ys, self.xs, self.stops)
            ),
        )

    def to_text(self) -> str:
        """Return the program as JSON, one line a step."""
        lines = [
            json.dumps([step.op, list(step.inputs), _plain(step.attrs), step.outputs])
            for step in self.steps
        ]
        ends = json.dumps({"ys": self.ys, "xs": self.xs, "stops": self.stops})
        return '{"steps": [\n' + ",\n".join(lines) + f'\n], "ends": {ends}}}'


_NARROW = {"float64": "float32", "complex128": "complex64"}


def _narrowed(attrs: dict[str, Any]) -> dict[str, Any]:
    found = {}
    for key, value in attrs.items():
        if isinstance(value, np.ndarray):
            found[key] = value.astype(_NARROW.get(str(value.dtype), value.dtype))
        else:
            found[key] = _NARROW.get(value, value) if isinstance(value, str) else value
    return found


def from_text(text: str) -> Program:
    """Return the program that `Program.to_text` wrote.

    Raises:
        ValueError, KeyError: the text is not one.
    """
    data = json.loads(text)
    steps = tuple(
        Step(op, tuple(inputs), _restored(attrs), outputs)
        for op, inputs, attrs, outputs in data["steps"]
    )
    return Program(steps, *(tuple(data["ends"][key]) for key in ("ys", "xs", "stops")))


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _plain(entry) for key, entry in value.items()}
    if isinstance(value, tuple | list):
        return [_plain(entry) for entry in value]
    if isinstance(value, np.ndarray | np.generic):
        array = np.asarray(value)
        parts = array.view(array.real.dtype) if array.dtype.kind == "c" and array.ndim else array
        if array.dtype.kind == "c" and not array.ndim:
            parts = np.array([array.real, array.imag])
        return {"dtype": str(array.dtype), "shape": array.shape, "values": parts.ravel().tolist()}
    return value


def _restored(value: Any) -> Any:
    if isinstance(value, list):
        return tuple(_restored(entry) for entry in value)
    if isinstance(value, dict) and value.keys() == {"dtype", "shape", "values"}:
        dtype = np.dtype(value["dtype"])
        flat = np.array(value["values"], dtype.type(0).real.dtype)
        return flat.view(dtype).reshape(value["shape"])
    if isinstance(value, dict):
        return {key: _restored(entry) for key, entry in value.items()}
    return value


class Built:
    """A program in a graph of its own.

    Attributes:
        tensors: by number.
        feeds: the arrays of the placeholders.
    """

    def __init__(
        self,
        program: Program,
        *,
        known: Callable[[tuple[int, ...]], Any] = lambda shape: shape,
        stopped: Iterable[int] = (),
        graph: Graph | None = None,
        watch: Callable[[Tensor], None] = lambda tensor: None,
    ) -> None:
        """Build it.

        Args:
            known: what is known about the shape of a placeholder before the run.
            stopped: steps after whose outputs a StopGradient is inserted.
            graph: a new one by default.
            watch: called with every leaf and every x that can have a gradient.
        """
        self.program = program
        self.graph = Graph() if graph is None else graph
        self.tensors: list[Tensor] = []
        self.feeds: dict[Tensor, Any] = {}
        behind = frozenset(stopped)
        for index, step in enumerate(program.steps):
            outputs = self._create(step, known)
            if index in behind:
                outputs = [self.graph.create_op("StopGradient", [y]).outputs[0] for y in outputs]
            first = len(self.tensors)
            for number, tensor in enumerate(outputs, first):
                wanted = step.op in LEAVES or number in program.xs
                if wanted and tensor.dtype.is_trainable:
                    watch(tensor)
            self.tensors.extend(outputs)

    def _create(self, step: Step, known: Callable[[tuple[int, ...]], Any]) -> Sequence[Tensor]:
        if step.op != "Placeholder":
            inputs = [self.tensors[number] for number in step.inputs]
            return self.graph.create_op(step.op, inputs, step.attrs).outputs
        value = step.attrs["value"]
        attrs = {"dtype": value.dtype, "shape": known(value.shape)}
        outputs = self.graph.create_op("Placeholder", [], attrs).outputs
        self.feeds[outputs[0]] = value
        return outputs

    def pick(self, numbers: Iterable[int]) -> list[Tensor]:
        return [self.tensors[number] for number in numbers]

    @property
    def ys(self) -> list[Tensor]:
        return self.pick(self.program.ys)

    @property
    def xs(self) -> list[Tensor]:
        return self.pick(self.program.xs)

    @property
    def stops(self) -> list[Tensor]:
        return self.pick(self.program.stops)
