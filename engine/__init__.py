"""TensorFlow's face: `import engine as tf`."""

from __future__ import annotations

import importlib
import pathlib

from engine.aggregation import AggregationMethod
from engine.dtypes import *  # noqa: F403
from engine.dtypes import DType, as_dtype
from engine.gradients import UnconnectedGradients, gradients
from engine.graph import Graph, create_op, get_default_graph, reset_default_graph
from engine.indexed_slices import IndexedSlices
from engine.ops.core import *  # noqa: F403
from engine.registry import NoGradient, NotDifferentiable, RegisterGradient, no_gradient
from engine.session import InteractiveSession, Session, get_default_session
from engine.tensor import Operation, Tensor
from engine.variables import *  # noqa: F403

for _path in sorted(pathlib.Path(__file__).parent.joinpath("ops").glob("*.py")):
    try:
        _module = importlib.import_module(f"engine.ops.{_path.stem}")
    except Exception as _error:
        print("engine: temporary loader skipped", _path.stem, repr(_error))
        continue
    for _key, _value in vars(_module).items():
        if not _key.startswith("_") and getattr(_value, "__module__", "engine.opdef") in (
            _module.__name__,
            "engine.opdef",
        ):
            globals().setdefault(_key, _value)
