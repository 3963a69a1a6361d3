"""Sessions: evaluate with feeds, against variables that live as long as the session."""

from __future__ import annotations

from collections.abc import Mapping
from contextvars import ContextVar
from types import TracebackType
from typing import Any

import numpy as np

from engine.errors import ArgumentError, ArgumentTypeError, StateError, UninitializedError
from engine.graph import Graph, get_default_graph
from engine.indexed_slices import IndexedSlices, IndexedSlicesValue
from engine.plan import compiled, fed_array
from engine.scalars import plain
from engine.tensor import Operation, Tensor


class Store:
    """What a session remembers between runs: the variables' values and the random generators."""

    def __init__(self) -> None:
        self.values: dict[Operation, Any] = {}
        self.generators: dict[Operation, np.random.Generator] = {}

    def read(self, handle: Operation) -> Any:
        """Return the value of a variable.

        Raises:
            UninitializedError: its initializer has not run.
        """
        if handle not in self.values:
            raise UninitializedError(
                f"variable {handle.name!r} is not initialized; run "
                "tf.global_variables_initializer() in this session first"
            )
        return self.values[handle]


class Session:
    """Runs parts of one graph.

    Args:
        graph: the graph to run; by default the default graph at this moment.
    """

    def __init__(self, target: Any = None, graph: Graph | None = None, config: Any = None) -> None:
        if target is not None and type(target) is Graph:
            graph = target
        self.graph = get_default_graph() if graph is None else graph
        self._store = Store()
        self._closed = False
        self._tokens: list[Any] = []

    def run(
        self,
        fetches: Any,
        feed_dict: Mapping[Any, Any] | None = None,
        options: Any = None,
        run_metadata: Any = None,
    ) -> Any:
        """Return the values of the fetches, in the structure in which they are given.

        Args:
            fetches: a tensor, variable, operation or name, or a nested list, tuple or dict of them.
            feed_dict: values for placeholders (or any tensor), by tensor or name.

        Returns:
            NumPy arrays and scalars; None in the place of an operation.

        Raises:
            FeedError: a placeholder has no value, or a value does not fit.
            UninitializedError: a variable is read before its initializer ran.
            StateError: the session is closed.
        """
        if self._closed:
            raise StateError("this session is closed; open a new one with tf.Session()")
        feeds = self._feeds(feed_dict)
        leaves: list[Tensor | Operation] = []
        structure = self._collect(fetches, leaves)
        plan = compiled(self.graph, tuple(leaves), tuple(feeds), eager=False)
        results = plan.run(list(feeds.values()), self._store)
        self.graph.feeds.update(feeds)
        for leaf in leaves:
            if isinstance(leaf, Tensor):
                self.graph.border.left(leaf)
        return _rebuilt(structure, iter([_owned(value) for value in results]))

    def _feeds(self, feed_dict: Mapping[Any, Any] | None) -> dict[Tensor, Any]:
        if feed_dict is None:
            return {}
        if not isinstance(feed_dict, Mapping):
            raise ArgumentTypeError(
                f"feed_dict maps placeholders to values (got {type(feed_dict).__name__})"
            )
        feeds: dict[Tensor, Any] = {}
        for key, value in feed_dict.items():
            element = self.graph.as_graph_element(key)
            if not isinstance(element, Tensor):
                raise ArgumentTypeError(f"only a tensor can be fed (got {element!r})")
            if isinstance(value, Tensor):
                raise ArgumentTypeError(
                    f"cannot feed {element.name} with the tensor {value.name}; feed a number, list "
                    "or NumPy array"
                )
            feeds[element] = fed_array(element, value)
        return feeds

    def _collect(self, fetches: Any, leaves: list[Tensor | Operation]) -> Any:
        """Return the structure of the fetches, with the number of leaves in place of each leaf."""
        if isinstance(fetches, dict):
            return {key: self._collect(value, leaves) for key, value in fetches.items()}
        if isinstance(fetches, tuple) and hasattr(fetches, "_fields"):
            return type(fetches)(*(self._collect(value, leaves) for value in fetches))
        if isinstance(fetches, list | tuple):
            return type(fetches)(self._collect(value, leaves) for value in fetches)
        if isinstance(fetches, IndexedSlices):
            parts = [fetches.values, fetches.indices, fetches.dense_shape]
            return IndexedSlicesValue(
                *(None if part is None else self._collect(part, leaves) for part in parts)
            )
        if fetches is None:
            raise ArgumentTypeError(
                "a fetch is None; a gradient that is None has no value: no y depends on that x"
            )
        leaves.append(self.graph.as_graph_element(fetches))
        return _LEAF

    def as_default(self) -> Session:
        """Make this the session that `eval` and `run` use inside a `with` block."""
        return self

    def close(self) -> None:
        self._closed = True

    def __enter__(self) -> Session:
        context = self.graph.as_default()
        context.__enter__()
        self._tokens.append((context, _current.set(self)))
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        context, token = self._tokens.pop()
        _current.reset(token)
        context.__exit__(None, None, None)


_LEAF = object()


def _rebuilt(structure: Any, values: Any) -> Any:
    if structure is _LEAF:
        return next(values)
    if isinstance(structure, dict):
        return {key: _rebuilt(value, values) for key, value in structure.items()}
    if isinstance(structure, tuple) and hasattr(structure, "_fields"):
        return type(structure)(*(_rebuilt(value, values) for value in structure))
    if isinstance(structure, list | tuple):
        return type(structure)(_rebuilt(value, values) for value in structure)
    return structure


def _owned(value: Any) -> Any:
    """Return a result that the caller may write to without changing anything of ours."""
    if value is None or not np.ndim(value):
        return None if value is None else plain(value)
    return np.array(value)


class InteractiveSession(Session):
    """A session that is current from its creation on."""

    def __init__(self, target: Any = None, graph: Graph | None = None, config: Any = None) -> None:
        super().__init__(target, graph, config)
        _current.set(self)


_current: ContextVar[Session | None] = ContextVar("session", default=None)


def get_default_session() -> Session | None:
    """Return the session whose `with` block we are in, or None."""
    return _current.get()


def session_for(session: Any, name: str) -> Session:
    """Return the session to use for `eval` and `run`.

    Raises:
        ArgumentError: none is given and none is current.
    """
    found = session or _current.get()
    if not isinstance(found, Session):
        raise ArgumentError(
            f"cannot evaluate {name!r} without a session; use `with tf.Session():` or session.run"
        )
    return found
