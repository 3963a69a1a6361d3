"""`GradientTape`: the gradient of what was computed inside a `with` block.

A tape watches tensors. Operations made while it records are recorded, and the outputs of one that
has a watched input of trainable type are watched too. The gradient goes back through watched inputs
of recorded operations only, input slot by input slot; everything else is a constant to it.

Hazard: variables keep one read for all uses (`Variable.value`), so a read that is older than the
tape counts as made inside when it is used inside.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from types import TracebackType
from typing import Any

from engine.convert import to_tensor
from engine.errors import (
    ArgumentError,
    ArgumentTypeError,
    EngineError,
    GradientLookupError,
    StateError,
)
from engine.gradients import UnconnectedGradients, build_backward, check_unconnected
from engine.graph import Graph, get_default_graph, graph_of
from engine.indexed_slices import IndexedSlices
from engine.jacobian import build_batch_jacobian, build_jacobians
from engine.nest import flatten, pack
from engine.reachability import Recorded
from engine.tensor import Operation, Tensor
from engine.variables import Variable, variable_of

_log = logging.getLogger(__name__)


class NotEnteredError(StateError, AttributeError):
    """A tape was used before its `with` block was entered."""


class GradientTape:
    """Records operations and differentiates them.

    Args:
        persistent: whether gradients may be taken more than once.
        watch_accessed_variables: whether trainable variables are watched when they are read.
    """

    def __init__(self, persistent: bool = False, watch_accessed_variables: bool = True) -> None:
        self._persistent = persistent
        self._automatic = watch_accessed_variables
        self._graph: Graph | None = None  # the one that is observed while recording
        self._entered = False
        self._used = False
        self._forget()

    def _forget(self) -> None:
        self._recorded: dict[Operation, tuple[int, ...]] = {}
        self._watched: set[Tensor] = set()
        self._variables: dict[Variable, None] = {}

    def __enter__(self) -> GradientTape:
        if self._graph is not None:
            raise ArgumentError(
                "Tape is still recording, so it cannot be entered again; leave its `with` block "
                "first, or make another tf.GradientTape() for a nested one"
            )
        self._start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._graph is not None:
            self._stop()

    def _start(self) -> None:
        self._graph = get_default_graph()
        self._entered = True
        self._graph.observers.append(self._observe)

    def _stop(self) -> None:
        if self._graph is None:
            raise ArgumentError(
                "Tape is not recording; it does so only inside `with tf.GradientTape() as tape:`"
            )
        self._graph.observers.remove(self._observe)
        self._graph = None

    def _observe(self, op: Operation) -> None:
        """Record a new operation, and through which of its inputs a gradient can come."""
        if op.type == "ReadVariableOp":
            self._notice(op.inputs[0], accessed=True)
        slots = tuple(
            slot
            for slot, tensor in enumerate(op.inputs)
            if tensor.dtype.is_trainable and (tensor in self._watched or self._is_read(tensor))
        )
        if op.type == "StopGradient":
            return
        self._recorded[op] = slots
        if slots:
            self._watched.update(op.outputs)

    def _is_read(self, tensor: Tensor) -> bool:
        """Whether the tensor is a watched variable's read for all uses, made before the tape."""
        if tensor.op.type != "ReadVariableOp":
            return False
        handle = tensor.op.inputs[0]
        variable = variable_of(handle)
        if variable is None or not variable.is_current_read(tensor):
            return False
        self._notice(handle, accessed=True)
        if handle not in self._watched:
            self._recorded.setdefault(tensor.op, ())
            return False
        self._recorded[tensor.op] = (0,)
        self._watched.add(tensor)
        return True

    def _notice(self, handle: Tensor, *, accessed: bool) -> None:
        """Watch a variable, because it was accessed or because the user says so."""
        if handle in self._watched or (accessed and not self._automatic):
            return
        variable = variable_of(handle)
        if variable is not None and (variable.trainable or not accessed):
            self._variables[variable] = None
            self._watched.add(handle)

    def watch(self, tensor: Any) -> None:
        """Record what is computed from a tensor or variable, or from each in a nested structure.

        Raises:
            ArgumentError: something else is given.
            NotEnteredError: the tape has not been entered yet.
        """
        if not self._entered:
            raise NotEnteredError(
                "this tape was never entered; call watch inside `with tf.GradientTape() as tape:`"
            )
        for value in flatten(tensor):
            if isinstance(value, Variable):
                self._notice(value.handle, accessed=False)
                watched = value.handle
            elif isinstance(value, Tensor | IndexedSlices):
                watched = value.values if isinstance(value, IndexedSlices) else value
                self._watched.add(watched)
            else:
                raise ArgumentError(
                    f"Passed in object {value!r} of type {type(value).__name__!r}, not tf.Tensor "
                    "or tf.Variable; make it a tensor first, with tf.constant"
                )
            if not watched.dtype.is_trainable:
                _log.warning(
                    "The dtype of the watched tensor must be floating (e.g. tf.float32), got %s: "
                    "its gradient will be None",
                    watched.dtype.name,
                )

    @property
    def recorded(self) -> Recorded:
        """What may be differentiated: the input slots of every operation that was recorded."""
        return self._recorded

    def watched_variables(self) -> tuple[Variable, ...]:
        """Return the variables that are watched, in order of creation."""
        return tuple(sorted(self._variables, key=lambda variable: variable.op.id))

    @contextmanager
    def stop_recording(self) -> Iterator[None]:
        """Compute something that this tape takes for a constant.

        Raises:
            StateError: the tape was never entered.
            ArgumentError: its `with` block is over.
        """
        if not self._entered:
            raise StateError(
                "Trying to stop recording a tape which is not recording; use stop_recording "
                "inside `with tf.GradientTape() as tape:`"
            )
        self._stop()
        try:
            yield
        finally:
            self._start()

    def reset(self) -> None:
        """Forget everything recorded and watched, and go on recording.

        Raises:
            ArgumentError: the tape is not recording.
        """
        self._stop()
        self._forget()
        self._used = False
        self._start()

    def gradient(
        self,
        target: Any,
        sources: Any,
        output_gradients: Any = None,
        unconnected_gradients: str = UnconnectedGradients.NONE,
    ) -> Any:
        """Return the derivative of the sum of the targets by each source.

        Args:
            target: a tensor or a nested structure of tensors.
            sources: a tensor or variable, or a nested structure of them.
            output_gradients: one initial gradient per target; None and missing ones mean ones.
            unconnected_gradients: "none" or "zero", the answer for a source without influence.

        Returns:
            The structure of sources; each entry a tensor or IndexedSlices shaped like its source,
            or None.

        Raises:
            StateError: a tape that is not persistent was asked before.
            GradientLookupError: a recorded operation on the way has no registered gradient.
        """
        self._check_usable()
        check_unconnected(unconnected_gradients)
        if target is None:
            raise ArgumentTypeError(
                "Argument `target` should be a list or nested structure of tensors (got None); "
                "did the function forget to return it?"
            )
        flat = flatten(sources)
        graph = graph_of([*flatten(target), *flat])
        targets = [_target(value, graph) for value in flatten(target)]
        seeds = _seeds(output_gradients, len(targets))
        _warn_of_complex(targets, seeds)
        numeric = [k for k, tensor in enumerate(targets) if tensor.dtype.kind != "S"]
        self._finish()
        with _lookup_errors():
            record = build_backward(
                [targets[k] for k in numeric],
                [_source(value, graph) for value in flat],
                [seeds[k] for k in numeric],
                kind="tape",
                unconnected_gradients=unconnected_gradients,
                recorded=self._recorded,
            )
        return pack(sources, record.results)

    def jacobian(
        self,
        target: Any,
        sources: Any,
        unconnected_gradients: str = UnconnectedGradients.NONE,
        parallel_iterations: int | None = None,
        experimental_use_pfor: bool = True,
    ) -> Any:
        """Return the derivative of every element of the target by every element of each source.

        Returns:
            The structure of sources; each entry of shape `target.shape + source.shape`, or None.

        Raises:
            StateError: a tape that is not persistent was asked before.
            ShapeError: the target's shape is not known.
        """
        self._check_usable(loop=not experimental_use_pfor)
        zero = check_unconnected(unconnected_gradients)
        flat = flatten(sources)
        graph = graph_of([target, *flat])
        tensor = _single(target, graph)
        xs = [_source(value, graph) for value in flat]
        self._finish()
        with _lookup_errors():
            found = build_jacobians(tensor, xs, zero=zero, recorded=self._recorded)
        return pack(sources, found)

    def batch_jacobian(
        self,
        target: Any,
        source: Any,
        unconnected_gradients: str = UnconnectedGradients.NONE,
        parallel_iterations: int | None = None,
        experimental_use_pfor: bool = True,
    ) -> Tensor:
        """Return for each example k of a batch the derivative of target[k] by source[k].

        Args:
            target: `[batch, ...]`; example k depends on `source[k]` alone.
            source: `[batch, ...]`.

        Returns:
            `[batch, *target.shape[1:], *source.shape[1:]]`, zero where nothing is connected.

        Raises:
            StateError: a tape that is not persistent was asked before.
            ShapeError: the shapes are not those of batches of one size.
        """
        self._check_usable(loop=not experimental_use_pfor)
        check_unconnected(unconnected_gradients)
        graph = graph_of([target, source])
        y, x = _single(target, graph), _source(source, graph)
        self._finish()
        with _lookup_errors():
            return build_batch_jacobian(y, x, self._recorded)

    def _check_usable(self, *, loop: bool = False) -> None:
        if not self._entered:
            raise StateError(
                "this tape has recorded nothing; compute the target inside "
                "`with tf.GradientTape() as tape:`"
            )
        if self._used and not self._persistent:
            raise StateError(
                "A non-persistent GradientTape can only be used to compute one set of gradients "
                "(or jacobians); make it with tf.GradientTape(persistent=True)"
            )
        if loop and not self._persistent:
            raise StateError(
                "experimental_use_pfor=False differentiates once per element, which needs "
                "tf.GradientTape(persistent=True)"
            )

    def _finish(self) -> None:
        """Note that gradients are taken; a tape for one use stops recording."""
        self._used = True
        if self._graph is not None and not self._persistent:
            self._stop()


def _target(value: Any, graph: Graph) -> Tensor:
    if value is None:
        raise ArgumentTypeError(
            "a target is None, which has no gradient; leave it out of the list of targets"
        )
    return to_tensor(value, graph)


def _single(value: Any, graph: Graph) -> Tensor:
    if isinstance(value, list | tuple | dict):
        # Packed into one tensor only now, it would be unknown to the tape.
        raise ArgumentTypeError(
            f"a Jacobian has one tensor as its target (got a {type(value).__name__}); "
            "stack the tensors inside the `with` block, or ask for one after the other"
        )
    return _target(value, graph)


def _source(value: Any, graph: Graph) -> Tensor:
    if value is None:
        raise ArgumentTypeError("a source is None; give tensors or variables to differentiate by")
    return to_tensor(getattr(value, "handle", value), graph)


def _warn_of_complex(targets: list[Tensor], seeds: list[Any]) -> None:
    for target, seed in zip(targets, seeds, strict=True):
        if target.dtype.is_complex and seed is None:
            _log.warning(
                "The target %s is complex and no output_gradients are given: the gradient is that "
                "of its real part",
                target.name,
            )


def _seeds(output_gradients: Any, count: int) -> list[Any]:
    """Return one initial gradient per target; None stands for ones."""
    given = [] if output_gradients is None else flatten(output_gradients)
    return [*given, *[None] * count][:count]


@contextmanager
def _lookup_errors() -> Iterator[None]:
    """Say that a gradient is missing in the words that a tape uses for it."""
    try:
        yield
    except GradientLookupError as error:
        missing = error.__context__
        if not isinstance(missing, EngineError):
            raise
        raise GradientLookupError(f"{missing}. {error}") from None


__all__ = ["GradientTape", "NotEnteredError"]
