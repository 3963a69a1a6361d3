"""The one table of sample inputs by op type; every test of all ops runs over it.

A new op gets one entry in the table of its family under `tests/sample_tables/`, and is tested.
"""

from __future__ import annotations

import importlib
import pkgutil

from tests import sample_tables
from tests.sample_tables import Sample


def _assembled() -> dict[str, tuple[Sample, ...]]:
    samples: dict[str, tuple[Sample, ...]] = {}
    for module in pkgutil.iter_modules(sample_tables.__path__):
        table = importlib.import_module(f"{sample_tables.__name__}.{module.name}").SAMPLES
        twice = samples.keys() & table.keys()
        if twice:
            raise ValueError(f"sample inputs for {sorted(twice)} are given in two tables")
        samples.update({op_type: tuple(entries) for op_type, entries in table.items()})
    return samples


SAMPLES = _assembled()
