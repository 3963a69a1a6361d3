"""NumPy's random numbers, seeded per run so that a picture can be repeated."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from explorer.program.calls import Native
from explorer.program.faces import Face

if TYPE_CHECKING:
    from explorer.program.interpreter import Interpreter

_LEGACY = (
    "rand randn randint random random_sample uniform normal standard_normal choice permutation "
    "shuffle exponential binomial poisson beta gamma seed"
)
_GENERATOR = (
    "random uniform normal standard_normal integers choice permutation shuffle exponential "
    "binomial poisson beta gamma"
)
_BY_DIMENSIONS = frozenset({"rand", "randn"})
_SIZE_FIRST = frozenset({"random", "random_sample", "standard_normal"})


def _check_size(it: Interpreter, name: str, args: Sequence[Any], kwargs: dict[str, Any]) -> None:
    """Refuse a size that is too large, wherever among the arguments it may stand."""
    if name in _BY_DIMENSIONS:
        it.meter.elements(math.prod(int(size) for size in args), "an array")
        return
    candidates = [kwargs["size"]] if "size" in kwargs else []
    if name in _SIZE_FIRST:
        candidates += args[:1]
    elif name in ("choice", "exponential", "poisson"):
        candidates += args[1:2]
    elif name in ("permutation", "seed", "shuffle"):
        candidates += [arg for arg in args[:1] if name == "permutation" and isinstance(arg, int)]
    else:
        candidates += args[2:3]
    for size in candidates:
        if size is not None:
            sizes = size if isinstance(size, Sequence | np.ndarray) else (size,)
            it.meter.elements(math.prod(int(part) for part in sizes), "an array")
    if name == "choice" and args and isinstance(args[0], int | np.integer):
        it.meter.elements(int(args[0]), "an array")  # it is made to choose from


def _method(name: str) -> Any:
    def run(it: Interpreter, source: Any, /, *args: Any, **kwargs: Any) -> Any:
        _check_size(it, name, args, kwargs)
        return getattr(source, name)(*args, **kwargs)

    return run


RANDOM_METHODS: dict[type, dict[str, Any]] = {
    np.random.RandomState: {name: _method(name) for name in _LEGACY.split()},
    np.random.Generator: {name: _method(name) for name in _GENERATOR.split()},
}


def random_face(it: Interpreter) -> Face:
    """Return the module `np.random` of one run."""
    state = np.random.RandomState(it.seed % 2**32)
    table = RANDOM_METHODS[np.random.RandomState]

    def bound(name: str) -> Native:
        method = table[name]
        return Native(it, name, lambda run, *args, **kwargs: method(run, state, *args, **kwargs))

    def random_state(run: Interpreter, seed: int | None = None) -> Any:
        return np.random.RandomState(run.seed % 2**32 if seed is None else seed)

    def default_rng(run: Interpreter, seed: int | None = None) -> Any:
        return np.random.default_rng(run.seed if seed is None else seed)

    def reseed(run: Interpreter, seed: int | None = None) -> None:
        state.seed(run.seed % 2**32 if seed is None else seed)

    members = {name: bound(name) for name in _LEGACY.split()}
    members["seed"] = Native(it, "seed", reseed)
    members["RandomState"] = Native(it, "RandomState", random_state)
    members["default_rng"] = Native(it, "default_rng", default_rng)
    return Face("np.random", members)
