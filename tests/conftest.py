"""Every test starts with an empty default graph and the library's own gradient registry."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import settings

import engine as tf
from engine.registry import scoped

# A slow machine is no failure, and the same commit is tested on the same examples everywhere.
settings.register_profile("suite", deadline=None, derandomize=True, max_examples=60)
settings.load_profile("suite")


@pytest.fixture(autouse=True)
def graph() -> Iterator[tf.Graph]:
    """Give the test a default graph of its own; what it registers is forgotten afterwards."""
    with scoped(), tf.Graph().as_default() as fresh:
        yield fresh
