"""`tf.autodiff`: a forward accumulator, the counterpart of a tape.

A tape is asked, afterwards, for the gradient of one target by many sources; an accumulator is told,
beforehand, one direction of its primals, and asked for the derivative of any result along it.
"""

from __future__ import annotations

from types import TracebackType
from typing import Any

from engine.convert import to_tensor
from engine.errors import ArgumentError, StateError
from engine.forward_mode import build_tangents, check_tangents
from engine.gradients import UnconnectedGradients, check_unconnected
from engine.graph import graph_of
from engine.nest import flatten, flatten_like, pack
from engine.tape import GradientTape
from engine.tensor import Tensor


class ForwardAccumulator:
    """Computes derivatives along a direction, of what is computed in its `with` block.

    Args:
        primals: a tensor or variable, or a nested structure of them.
        tangents: the direction: one value per primal, of its shape and type.

    Raises:
        ArgumentError: the tangents are not nested as the primals are, or a primal is not
            differentiable.
        ShapeError, DTypeError: a tangent is not of the shape or type of its primal.
    """

    def __init__(self, primals: Any, tangents: Any) -> None:
        flat = flatten(primals)
        graph = graph_of(flat)
        self._primals = [to_tensor(getattr(x, "handle", x), graph) for x in flat]
        for primal in self._primals:
            if not primal.dtype.is_trainable:
                raise ArgumentError(
                    f"the primal {primal.name} is {primal.dtype.name}; only floating and complex "
                    "numbers have a direction to move in; use tf.cast"
                )
        self._tangents = check_tangents(graph, self._primals, flatten_like(primals, tangents))
        self._watched = flat
        self._tape = GradientTape(persistent=True, watch_accessed_variables=False)
        self._entered = False

    def __enter__(self) -> ForwardAccumulator:
        self._tape.__enter__()
        self._entered = True
        self._tape.watch(self._watched)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._tape.__exit__(kind, error, trace)

    def jvp(self, primals: Any, unconnected_gradients: str = UnconnectedGradients.NONE) -> Any:
        """Return the derivative of each tensor along the direction.

        Args:
            primals: a tensor or variable, or a nested structure of them.
            unconnected_gradients: "none" or "zero", the answer for what does not depend on the
                accumulator's primals.

        Returns:
            The same structure; each entry of the shape of its tensor, or None.

        Raises:
            StateError: the `with` block was never entered.
        """
        zero = check_unconnected(unconnected_gradients)
        if not self._entered:
            raise StateError(
                "Called jvp() without first tracing anything; compute the value inside "
                "`with tf.autodiff.ForwardAccumulator(primals, tangents) as acc:`"
            )
        graph = self._primals[0].graph
        targets = [to_tensor(getattr(y, "handle", y), graph) for y in flatten(primals)]
        found = build_tangents(targets, self._primals, self._tangents, recorded=self._tape.recorded)
        answers = [
            _zeros(y) if tangent is None and zero else tangent
            for y, tangent in zip(targets, found, strict=True)
        ]
        return pack(primals, answers)


def _zeros(y: Tensor) -> Tensor:
    with y.graph.role("zeros"):
        return y.graph.create_op("ZerosLike", [y], name="zeros_like").outputs[0]


__all__ = ["ForwardAccumulator"]
