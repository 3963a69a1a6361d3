"""The table of ops: formulas that come from running the registered rules."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from engine.opdef import all_opdefs, opdef_of
from engine.registry import current
from explorer.cli import main
from explorer.optable import formula_on_symbols, op_rows, source_of
from explorer.registrations import TENSORFLOW
from explorer.rule import local_derivatives

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(
    ("op_type", "derivatives"),
    [
        ("AddV2", ("1", "1")),
        ("Sub", ("1", "-1")),
        ("Mul", ("y", "x")),
        ("Sin", ("cos(x)",)),
        ("Exp", ("z",)),
        ("Square", ("2·x",)),
        ("Floor", ("None",)),
    ],
)
def test_derivatives_are_those_of_the_rule(op_type: str, derivatives: tuple[str, ...]) -> None:
    assert local_derivatives(opdef_of(op_type)) == derivatives


def test_a_rule_that_is_no_product_has_no_local_derivative() -> None:
    assert local_derivatives(opdef_of("MatMul")) is None


def test_every_op_has_a_row_and_its_line_defines_it() -> None:
    rows = op_rows()
    assert [row.type for row in rows] == sorted(opdef.type for opdef in all_opdefs())
    for row in rows:
        file, _, line = row.where.rpartition(":")
        text = (ROOT / file).read_text(encoding="utf-8").splitlines()
        assert row.formula
        assert "define(" in "".join(text[max(0, int(line) - 3) : int(line) + 12]), row.where


def test_all_of_mathematics_is_registered() -> None:
    mathematics = TENSORFLOW[0]
    assert len(mathematics.gradients) == 125
    assert len(mathematics.constants) == 12
    names = current().names()
    assert {*mathematics.gradients, *mathematics.constants} <= {*names}
    types = {opdef.type for opdef in all_opdefs()}
    assert {*mathematics.gradients, *mathematics.constants} <= types


def test_shell_lists_and_searches() -> None:
    found = CliRunner().invoke(main, ["ops", "relu"])
    assert found.exit_code == 0
    assert [line.split()[0] for line in found.output.splitlines() if "engine/ops" in line][:2] == [
        "LeakyRelu",
        "LeakyReluGrad",
    ]
    nothing = CliRunner().invoke(main, ["ops", "zzz"])
    assert nothing.exit_code == 1
    assert "no op type contains 'zzz'; leave it out to see all" in nothing.output


def test_source_is_definition_and_gradient_function() -> None:
    assert source_of("Sin").startswith("sin = define(")
    text = source_of("MatMul")
    assert '"MatMul",' in text
    assert '@RegisterGradient("MatMul")' in text
    assert all(source_of(opdef.type) for opdef in all_opdefs())


def test_formulas_have_letters_in_all_slots() -> None:
    rows = {row.type: formula_on_symbols(row) for row in op_rows()}
    assert rows["Sin"] == r"\sin x"
    assert "#" not in "".join(rows.values())
