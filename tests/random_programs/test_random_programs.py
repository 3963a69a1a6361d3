"""A few hundred random programs pass every check, and a wrong derivative does not."""

from __future__ import annotations

import random
from collections import Counter
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import engine as tf
from engine.registry import RegisterGradient
from tests.random_programs.__main__ import main, too_many_skipped
from tests.random_programs.checks import fault
from tests.random_programs.draft import Draft
from tests.random_programs.generator import random_program
from tests.random_programs.productions import leaf
from tests.random_programs.program import LEAVES, Program, Step, from_text
from tests.random_programs.reduce import reduced
from tests.random_programs.sampled import CHOICES, PIECEWISE_CONSTANT, near_sample
from tests.random_programs.second_engine import MIRRORED
from tests.samples import SAMPLES

SEEDS = range(900_000, 900_120)


def _described(program: Program) -> str:
    found = fault(program)
    assert found is not None
    smaller = reduced(program, lambda other: (fault(other) or found).kind == found.kind)
    return f"{(fault(smaller) or found).text}\n{smaller.to_text()}"


def test_programs_of_fixed_seeds_pass_every_check() -> None:
    counts: Counter[str] = Counter()
    for seed in SEEDS:
        program = random_program(random.Random(seed))
        if fault(program, counts) is not None:
            pytest.fail(f"seed {seed}: {_described(program)}", pytrace=False)
    assert too_many_skipped(counts) == []
    assert counts["programs compared with the second engine"] > len(SEEDS) / 2


@settings(max_examples=40)
@given(st.randoms(use_true_random=False))
def test_programs_that_hypothesis_chooses_pass_every_check(rng: random.Random) -> None:
    program = random_program(rng)
    found = fault(program)
    assert found is None, f"{found.text}\n{program.to_text()}"


def test_nearly_every_op_can_occur_in_a_program() -> None:
    occurring = set()
    for op, samples in CHOICES.items():
        for sample in samples:
            draft = Draft(random.Random(1))
            leaf(draft)
            if draft.attempt(partial(near_sample, op=op, sample=sample)):
                occurring.add(op)
    assert sorted(CHOICES.keys() - occurring) == []
    assert len(CHOICES) > 0.9 * len(SAMPLES)


def test_programs_survive_as_text() -> None:
    for seed in range(30):
        program = random_program(random.Random(seed))
        again = from_text(program.to_text())
        assert again.to_text() == program.to_text()
        for step, copy in zip(program.steps, again.steps, strict=True):
            if step.op in LEAVES:
                np.testing.assert_array_equal(copy.attrs["value"], step.attrs["value"])
                assert copy.attrs["value"].dtype == step.attrs["value"].dtype


def _tanh_program(**attrs: Any) -> Program:
    steps = (
        Step("Placeholder", (), {"value": np.array([0.3, -0.8])}),
        Step("Sin", (0,)),
        Step("Tanh", (1,), attrs),
        Step("Mul", (2, 0)),
        Step("Sum", (3,), {"axis": None, "keepdims": False}),
    )
    return Program(steps, (4, 2), (0, 1), (3,))


def test_a_wrong_derivative_is_found_and_the_program_made_small() -> None:
    assert fault(_tanh_program()) is None

    @RegisterGradient("WrongTanh")
    def wrong(op: tf.Operation, upstream: Any) -> Any:
        return upstream * (1.0 - op.outputs[0])

    program = _tanh_program(_gradient_op_type="WrongTanh")
    found = fault(program)
    assert found is not None
    assert found.kind == "differences: AssertionError"
    smaller = reduced(program, lambda other: fault(other) is not None)
    assert [step.op for step in smaller.steps] == ["Placeholder", "Tanh"]
    assert (smaller.ys, smaller.xs, smaller.stops) == ((1,), (0,), ())


def test_a_kink_is_skipped_and_counted() -> None:
    steps = (Step("Placeholder", (), {"value": np.array([0.0, 1.0])}), Step("Abs", (0,)))
    counts: Counter[str] = Counter()
    assert fault(Program(steps, (1,), (0,)), counts) is None
    assert (counts["entries skipped"], counts["entries compared with differences"]) == (1, 1)
    assert len(too_many_skipped(counts)) == 2


def test_the_second_engine_knows_no_op_that_is_not_there() -> None:
    assert MIRRORED.keys() - SAMPLES.keys() == set()
    assert set(PIECEWISE_CONSTANT) - SAMPLES.keys() == set()


def test_the_command_counts_and_replays(tmp_path: Path, capsys: Any) -> None:
    assert main(["--count", "2", "--seed", "7"]) == 0
    assert capsys.readouterr().out.endswith("2 passed, 0 failed\n")
    file = tmp_path / "program.json"
    file.write_text(_tanh_program().to_text(), encoding="utf-8")
    assert main(["--replay", str(file)]) == 0
    assert capsys.readouterr().out.endswith("1 passed, 0 failed\n")
    file.write_text("{}", encoding="utf-8")
    with pytest.raises(SystemExit):
        main(["--replay", str(file)])
