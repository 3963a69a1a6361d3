"""Explanations of a Backward record, as data: paths, cuts, verdicts, and the values behind them.

The words are the explorer's. Each subject has a file of its own: `paths` (with `links`, `factors`
and `strongest`), `stops` (with `scratch`), `verdicts` (with `detours`, `vanishing` and
`nonfinite`), `replay`.
"""

from __future__ import annotations

from engine.detours import Detour, DetourKind
from engine.factors import Factor, FactorKind, local_value
from engine.ledger import Edge
from engine.nonfinite import Origin, origin_of
from engine.paths import Path, Paths, count_paths, paths
from engine.replay import Values, evaluate_record, gradient_value, value_of
from engine.stops import HeldBack, held_back, stopped_paths
from engine.vanishing import ZeroCause, ZeroKind
from engine.verdicts import State, Verdict, why

__all__ = [
    "Detour",
    "DetourKind",
    "Edge",
    "Factor",
    "FactorKind",
    "HeldBack",
    "Origin",
    "Path",
    "Paths",
    "State",
    "Values",
    "Verdict",
    "ZeroCause",
    "ZeroKind",
    "count_paths",
    "evaluate_record",
    "gradient_value",
    "held_back",
    "local_value",
    "origin_of",
    "paths",
    "stopped_paths",
    "value_of",
    "why",
]
