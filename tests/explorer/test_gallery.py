"""The worked examples: complete, small, and right in all three ways of running them."""

from __future__ import annotations

import ast
import os
import re
import runpy
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import engine as tf
import explorer
from engine import registry
from engine.backward import Backward
from engine.errors import ArgumentError
from engine.plan import evaluate
from explorer.gallery import DEFAULT, Example, all_examples, example, path_of
from explorer.gallery.catalog import Group

EXAMPLES = all_examples()
NAMES = [entry.name for entry in EXAMPLES]
_ROOT = Path(__file__).parents[2]
_LARGEST_PICTURE = 25

by_name = pytest.mark.parametrize("name", NAMES)


def _as_script(name: str) -> tf.Graph:
    with registry.scoped(), tf.Graph().as_default() as graph:
        runpy.run_path(str(path_of(name)), run_name="__main__")
    return graph


def _numbers(backward: Backward) -> list[float | None]:
    """Return the results one after the other, at the values that the program fed last."""
    numbers: list[float | None] = []
    for result in backward.results:
        if result is None:
            numbers.append(None)
        else:
            whole = tf.convert_to_tensor(result)  # a whole table, where only rows are listed
            numbers.extend(evaluate([whole], backward.graph.feeds)[0].ravel().tolist())
    return numbers


def _compare(got: list[float | None], expected: tuple[float | None, ...]) -> None:
    assert [n is None for n in got] == [n is None for n in expected]
    assert [n for n in got if n is not None] == pytest.approx(
        [n for n in expected if n is not None], rel=2e-5, abs=1e-5, nan_ok=True
    )


@by_name
def test_every_gradient_has_the_expected_numbers(name: str) -> None:
    entry = example(name)
    questions = [question.backward for question in explorer.run(entry.text).questions]
    assert len(questions) == len(entry.expected)
    for backward, expected in zip(questions, entry.expected, strict=True):
        _compare(_numbers(backward), expected)


@by_name
def test_script_prints_what_the_pasted_program_prints(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    _as_script(name)
    printed = explorer.run(example(name).text).printed
    assert list(printed) == capsys.readouterr().out.splitlines()


PRINTED = {
    "three_paths_one_stop": "y = 69.0\ndy/dx = [25.0]\n",
    "registered_gradient": "own rule: [6.0]\nbuilt-in rule: [6.0]\n",
    "rule_for_two_inputs": "y = 2.0\ndy/da, dy/db = [1.0, -1.0]\n",
    "gradient_tape": "[<tf.Tensor: shape=(), dtype=float32, numpy=9.0>, "
    "<tf.Tensor: shape=(), dtype=float32, numpy=6.0>]\n",
    "many_points": "-2.0 [-4.0, 10.0]\n-1.0 [1.0, 1.0]\n0.0 [0.0, -2.0]\n1.0 [-1.0, 1.0]\n"
    "2.0 [4.0, 10.0]\noperations added by the runs: 0\n",
    "aggregation_methods": "[[36.0], [36.0], [36.0], [36.0]]\n",
    "weighted_outputs": "weighted: [12.0]\nsummed: [3.0]\n",
    "total_and_partial": "total: [9.0, 4.0, 1.0]\npartial: [1.0, 1.0, 1.0]\n",
    "stop_gradient_list": "[24. 48.]\n[15.0]\n[39.0]\n[3.0]\nbehind the stop: [None]\n",
    "both_stops": "both: None\n[1.0, 4.0, 1.0]\nonly the operation: [12.0, 1.0, 4.0, 1.0]\n",
    "partial_polynomial": "z = 287.0\ndz/dx, dz/dy = [30.0, 417.0]\n",
    "control_dependencies": "y = 15.0\nw = 3.0\ndy/da, dy/dv = [4.0, 5.0]\n",
    "none_or_zero": "dy/dx is zero: 0.0\ndy/dq is missing: None\n"
    "with zeros for missing ones: [0.0, 0.0]\n",
    "through_numpy": "through NumPy: None\nNumPy in the middle: 9.0\nall in the graph: 27.0\n",
    "replaced_variable": "first epoch: 6.0\nsecond epoch: None\n",
    "second_derivative_none": "second derivative: 18.0\nof a straight line: None\n"
    "first gradient taken too late: None\n",
    "gathered_rows": "rows: [1 1 3]\ntheir gradients: [[1.0, 1.0], [1.0, 1.0], [1.0, 1.0]]\n"
    "as a table: [[0.0, 0.0], [2.0, 2.0], [0.0, 0.0], [1.0, 1.0]]\n",
    "root_at_zero": "root: inf\nlength: [nan nan]\nsquared length: [0. 0.]\n",
}


@pytest.mark.parametrize("name", PRINTED)
def test_script_prints_what_tensorflow_prints(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    _as_script(name)
    assert capsys.readouterr().out == PRINTED[name]


def test_a_file_runs_from_the_shell() -> None:
    run = subprocess.run(
        [sys.executable, str(path_of(DEFAULT))],
        cwd=_ROOT,
        env={**os.environ, "PYTHONPATH": str(_ROOT)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert run.stdout == PRINTED[DEFAULT]


def test_descent_reaches_the_closed_form(capsys: pytest.CaptureFixture[str]) -> None:
    _as_script("gradient_descent")
    printed = capsys.readouterr().out
    losses = [float(loss) for loss in re.findall(r"loss (\S+)", printed)]
    assert losses == sorted(losses, reverse=True)
    # each step keeps 1 - 0.1·7/3 of the distance to 15/7
    reached = 15 / 7 * (1 - (1 - 0.7 / 3) ** 50)
    assert float(re.findall(r"w = (\S+)", printed)[0]) == pytest.approx(reached, rel=1e-6)


def test_hessians_are_exact(capsys: pytest.CaptureFixture[str]) -> None:
    _as_script("hessians")
    printed = [float(n) for n in re.findall(r"-?\d+\.?\d*", capsys.readouterr().out)]
    a = np.array([[1.0, 2.0], [3.0, 4.0]])
    blocks = np.kron(np.eye(2), np.ones((2, 2)))
    expected = [np.eye(3), a + a.T, blocks]
    assert printed == [n for matrix in expected for n in matrix.ravel()]


def test_three_ways_give_one_number_at_three_costs(capsys: pytest.CaptureFixture[str]) -> None:
    _as_script("three_ways")
    printed = capsys.readouterr().out
    numeric, symbolic, automatic = (
        float(n) for n in re.findall(r"(?:numeric|symbolic|automatic): (\S+)", printed)
    )
    assert symbolic == pytest.approx(9.0660864, rel=1e-12)
    assert automatic == pytest.approx(9.0660864, rel=1e-6)
    assert 1e-5 < abs(numeric - 9.0660864) < 5e-3
    costs = re.findall(r"(\d+) (?:operations|forward|back)", printed)
    swollen, forward, back = (int(cost) for cost in costs)
    assert swollen > forward + back


@pytest.mark.parametrize(
    ("method", "types"),
    [(0, ["AddN"]), (1, ["AddN"]), (2, ["AddN"] * 7), (3, ["AccumulateNV2"])],
)
def test_aggregation_methods_build_different_graphs(method: int, types: list[str]) -> None:
    backward = explorer.run(example("aggregation_methods").text).questions[method].backward
    sums = [op.type for op in backward.operations if op.role == "accumulate"]
    assert sums == types


def _ancestors(backward: Backward) -> set[Any]:
    seen: set[Any] = set()
    stack = [y.op for y in backward.ys]
    while stack:
        op = stack.pop()
        if op not in seen:
            seen.add(op)
            stack.extend(tensor.op for tensor in op.inputs)
    return seen


@by_name
def test_the_first_picture_is_small(name: str) -> None:
    entry = example(name)
    backward = explorer.run(entry.text).questions[entry.question].backward
    assert len(_ancestors(backward)) <= _LARGEST_PICTURE


@by_name
def test_the_shown_gradient_carries_the_authors_names(name: str) -> None:
    entry = example(name)
    program = explorer.run(entry.text)
    backward = program.questions[entry.question].backward
    assigned = {
        node.id
        for node in ast.walk(ast.parse(entry.text))
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    }
    labels = {program.labels.get(x, "") for x in backward.xs}
    # a name that is assigned several times is numbered
    assert {label.rstrip("₀₁₂₃₄₅₆₇₈₉") for label in labels} <= assigned


def test_rows_are_complete_and_in_order() -> None:
    rows = [entry.row for entry in EXAMPLES]
    assert rows == [*range(26), *(0,) * (len(EXAMPLES) - 26)]


def test_articles_come_first_then_questions_then_models() -> None:
    groups = Counter(entry.group for entry in EXAMPLES)
    assert list(groups) == [Group.ARTICLE, Group.QUESTION, Group.MODEL]
    assert [entry.group for entry in EXAMPLES] == list(groups.elements())
    assert groups[Group.ARTICLE] == 26
    assert len(EXAMPLES) >= 46


def test_a_label_has_the_row_or_the_group() -> None:
    assert example("total_and_partial").label == "11. Total against partial derivatives"
    assert example("diamond").label == "Question: A diamond"
    assert example("tanh_neuron").label == "Model: One neuron"


def test_every_file_is_in_the_catalog() -> None:
    files = {path.stem for path in path_of(DEFAULT).parent.glob("*.py")}
    assert files == {*NAMES, "__init__", "catalog"}


def test_the_first_example_is_total_against_partial() -> None:
    assert example() is example("total_and_partial")
    assert example().row == 11


@by_name
def test_words_are_short_and_plain(name: str) -> None:
    entry = example(name)
    assert len(entry.title) <= 60 and not entry.title.endswith(".")
    assert len(entry.sentence) <= 110 and entry.sentence.endswith(".")
    assert "\n" not in entry.title + entry.sentence


@by_name
def test_text_is_a_tensorflow_program(name: str) -> None:
    text = example(name).text
    first_version = "tf.Session" in text or "tf.gradients" in text
    module = "tensorflow.compat.v1" if first_version else "tensorflow"
    assert f"\nimport {module} as tf\n" in f"\n{text}"
    assert "engine" not in text
    assert max(len(line) for line in text.splitlines()) <= 100


def test_titles_are_told_apart() -> None:
    assert len({entry.title for entry in EXAMPLES}) == len(EXAMPLES)


def test_views_and_questions_exist() -> None:
    def fits(entry: Example) -> bool:
        known = entry.view in ("circuit", "mirror", "operations")
        return known and 0 <= entry.question < len(entry.expected)

    assert all(fits(entry) for entry in EXAMPLES)


def test_an_unknown_name_is_answered_with_the_known_ones() -> None:
    with pytest.raises(ArgumentError, match="no example is called 'nothing'; there are: three"):
        example("nothing")
