"""What a call of `gradients` did, step by step: the record that the explorer reads.

Nothing here computes; `engine.gradients` fills these in while it builds the backward graph.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from engine.graph import Graph
    from engine.indexed_slices import IndexedSlices
    from engine.tensor import Operation, Tensor

AnyGradient: TypeAlias = "Tensor | IndexedSlices"


class Reason(Enum):
    """Why no gradient crossed an edge that lies on a way from an x to a y."""

    STOP_OP = "stop_gradient op"
    STOP_ARGUMENT = "stop_gradients argument"
    INTEGER = "integer tensor"
    NOT_DIFFERENTIABLE = "registered as not differentiable"
    RETURNED_NONE = "gradient function returned None"
    REPLACED = "custom gradient takes its place"
    NOT_RECORDED = "not recorded by the tape"
    NOT_WATCHED = "recorded, but the tensor is not watched by the tape"
    NO_UPSTREAM = "no gradient arrived"


@dataclass(frozen=True, eq=False)
class Step:
    """One forward edge crossed backwards: the upstream gradient times the local derivative.

    Attributes:
        op: the consumer; its input `input` receives.
        input: input slot of `op`.
        output: index of the output of `op` whose gradient is the upstream.
        upstream: gradient of that output.
        local: local derivative (a number when constant); None when the rule is not a product.
        contribution: what the input receives along this edge.
    """

    op: Operation
    input: int
    output: int
    upstream: AnyGradient
    local: Tensor | float | None
    contribution: AnyGradient

    @property
    def receiver(self) -> Tensor:
        return self.op.inputs[self.input]


@dataclass(frozen=True, eq=False)
class Cut:
    """One forward edge between an x and a y that no gradient crossed."""

    op: Operation
    input: int
    reason: Reason

    @property
    def tensor(self) -> Tensor:
        return self.op.inputs[self.input]


@dataclass(frozen=True, eq=False)
class Term:
    """One addend of a tensor's gradient; `step` is None for the seed of a y."""

    value: AnyGradient
    step: Step | None


@dataclass(frozen=True, eq=False)
class Gradient:
    """The gradient of one forward tensor: the total of its terms, in order of arrival."""

    total: AnyGradient
    terms: tuple[Term, ...]


@dataclass(frozen=True, eq=False)
class Backward:
    """Everything one call added to the graph.

    Attributes:
        kind: "gradients", "hessians", "tape", or "inner" for calls that serve another one.
        name: the name scope of the call.
        seeds: the gradient each y started with.
        seeded: whether the caller gave the seeds (`grad_ys`); otherwise they are ones.
        results: per x its gradient, or None.
        gradients: the gradient of every forward tensor that got one, in order of execution.
        operations: the operations added, in order of creation.
        line: the program line of the call, if known.
        unconnected: per x whether it was reached at all (its result may be zeros all the same).
    """

    kind: str
    name: str
    graph: Graph
    ys: tuple[Tensor, ...]
    xs: tuple[Tensor, ...]
    seeds: tuple[AnyGradient, ...]
    seeded: bool
    stop_gradients: tuple[Tensor, ...]
    aggregation_method: int
    results: tuple[Any, ...]
    steps: tuple[Step, ...]
    cuts: tuple[Cut, ...]
    gradients: Mapping[Tensor, Gradient]
    operations: tuple[Operation, ...]
    line: int | None
    unconnected: tuple[bool, ...]
