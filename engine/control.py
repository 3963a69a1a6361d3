"""Which operations a new operation has to wait for, by the `control_dependencies` in force."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from engine.tensor import Operation


class _Context:
    """One `with control_dependencies(...)` block: what it waits for, and what it made so far."""

    __slots__ = ("created", "waits_for")

    def __init__(self, waits_for: tuple[Operation, ...]) -> None:
        self.waits_for = waits_for
        self.created: set[Operation] = set()


class ControlStack:
    """The blocks in force, outermost first."""

    def __init__(self) -> None:
        self._stack: tuple[_Context, ...] = ()

    @property
    def active(self) -> bool:
        return any(context.waits_for for context in self._stack)

    @contextmanager
    def entered(self, ops: Sequence[Operation] | None) -> Iterator[None]:
        previous = self._stack
        if ops is None:
            self._stack = ()
        else:
            self._stack = (*previous, _Context(tuple(dict.fromkeys(ops))))
        try:
            yield
        finally:
            self._stack = previous

    def inputs_of(self, op: Operation) -> tuple[Operation, ...]:
        """Return the control inputs of a new operation, and note that it was made here.

        A block adds nothing to an operation that already waits for it through its data: one whose
        input was itself made in the block.
        """
        if not self._stack:
            return ()
        producers = {tensor.op for tensor in op.inputs}
        found: dict[Operation, None] = {}
        for context in self._stack:
            if context.created.isdisjoint(producers):
                found.update((wait, None) for wait in context.waits_for if wait not in producers)
            context.created.add(op)
        return tuple(found)
