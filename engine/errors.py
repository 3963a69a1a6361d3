"""What can go wrong in the engine, each as one class and one sentence.

Every error subclasses the builtin that TensorFlow raises in its place, so a script that catches
`ValueError` keeps working, and `EngineError`, so the explorer can tell a reader's mistake from a
fault of ours.
"""

from __future__ import annotations


class EngineError(Exception):
    """Base of every error that the engine raises on purpose."""

    def __str__(self) -> str:
        # KeyError and LookupError show their argument quoted; a sentence is not a key.
        return str(self.args[0]) if self.args else ""


class GraphError(EngineError, ValueError):
    """An operation or tensor does not belong where it was used."""


class ArgumentError(EngineError, ValueError):
    """An argument has a value that the function does not accept."""


class ArgumentTypeError(EngineError, TypeError):
    """An argument has a type that the function does not accept."""


class ShapeError(EngineError, ValueError):
    """Shapes do not fit together."""


class DTypeError(EngineError, TypeError):
    """Element types do not fit together."""


class RegistryError(EngineError, KeyError):
    """A gradient function is registered twice under one name."""


class GradientLookupError(EngineError, LookupError):
    """An operation on the path has no registered gradient."""


class NameLookupError(EngineError, KeyError):
    """No operation or tensor has this name."""


class FeedError(EngineError, ValueError):
    """A placeholder has no value, or a fed value does not fit."""


class StateError(EngineError, RuntimeError):
    """Something was used before it was ready, or after it was finished."""


class UninitializedError(StateError):
    """A variable was read before its initializer ran."""
