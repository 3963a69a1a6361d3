"""Links: what goes in comes out, and nothing that is mangled does any harm."""

from __future__ import annotations

import base64
import random
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import ArgumentError
from explorer.gallery import example
from explorer.sharing import Shared, from_parameters, to_parameters


def test_an_example_is_named() -> None:
    state = Shared(example("hessians").text, question=2, view="circuit", x=1)
    parameters = to_parameters(state)
    assert parameters == {"example": "hessians", "question": "3", "view": "circuit", "x": "2"}
    assert from_parameters(parameters) == state


@given(st.text(max_size=300))
def test_a_program_comes_back_as_it_was(text: str) -> None:
    text = text.encode("utf-8", "replace").decode()
    state = Shared(text)
    assert from_parameters(to_parameters(state)) == state


@given(st.dictionaries(st.sampled_from(["example", "program", "question", "view", "x"]), st.text()))
def test_anything_else_is_ignored(parameters: dict[str, str]) -> None:
    found = from_parameters(parameters)
    assert found is None or found.question >= 0


def test_a_small_link_does_not_unfold_into_a_large_text() -> None:
    bomb = base64.urlsafe_b64encode(zlib.compress(b"#" * 5_000_000, 9)).decode()
    assert len(bomb) < 8_000
    assert from_parameters({"program": bomb}) is None


def test_a_program_too_long_for_a_link_says_so() -> None:
    draw = random.Random(0)
    text = "".join(chr(draw.randrange(33, 126)) for _ in range(40_000))
    with pytest.raises(ArgumentError, match=r"8,000 is the limit; save it as a file instead"):
        to_parameters(Shared(text))
