"""TensorFlow's context functions on the default graph, and its switches between modes.

There are no modes here, so the switches do nothing; scripts that call them run as they are.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import Any

from engine.graph import get_default_graph


def name_scope(
    name: str | None = None, default_name: str | None = None, values: Any = None
) -> AbstractContextManager[str]:
    """Prefix the names of new operations, see `Graph.name_scope`."""
    return get_default_graph().name_scope(name or default_name)


def variable_scope(
    name_or_scope: str | None, default_name: str | None = None, **_ignored: Any
) -> AbstractContextManager[str]:
    """Prefix the names of new variables and operations; variables are never shared."""
    return get_default_graph().name_scope(name_or_scope or default_name)


def control_dependencies(control_inputs: Sequence[Any] | None) -> AbstractContextManager[None]:
    """Make new operations wait for others, see `Graph.control_dependencies`."""
    return get_default_graph().control_dependencies(control_inputs)


def device(device_name: str) -> AbstractContextManager[None]:
    """Note a device on new operations, see `Graph.device`."""
    return get_default_graph().device(device_name)


def executing_eagerly() -> bool:
    """Return True: values can be asked for at any time."""
    return True


def function(func: Callable[..., Any] | None = None, **_ignored: Any) -> Any:
    """Return the function itself; every program builds a graph anyway."""
    return func if func is not None else lambda decorated: decorated


def _no_change(*_args: Any, **_kwargs: Any) -> None:
    """Do nothing: there are no modes to switch between."""


disable_eager_execution = enable_eager_execution = _no_change
disable_v2_behavior = enable_v2_behavior = _no_change
disable_resource_variables = enable_resource_variables = _no_change
