"""The worked examples: complete, small, and right in all three ways of running them."""

from __future__ import annotations

import ast
import os
import re
import runpy
import subprocess
import sys
from collections.abc import Callable
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
            numbers.extend(evaluate([result], backward.graph.feeds)[0].ravel().tolist())
    return numbers


def _compare(got: list[float | None], expected: tuple[float | None, ...]) -> None:
    assert [n is None for n in got] == [n is None for n in expected]
    assert [n for n in got if n is not None] == pytest.approx(
        [n for n in expected if n is not None], rel=2e-5, abs=1e-5
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


def _complex_step(function: Callable[[Any], Any], at: np.ndarray) -> np.ndarray:
    """Return the gradient of a real analytic function, exact to rounding."""
    gradient = np.zeros(at.shape)
    for index in np.ndindex(at.shape):
        point = at.astype(complex)
        point[index] += 1e-30j
        gradient[index] = function(point).imag / 1e-30
    return gradient


def test_expected_numbers_of_the_mixture() -> None:
    data, means = np.array([[2.0], [2.5], [3.0]]), np.array([0.0, 2.0])

    def log_p(mu: np.ndarray) -> np.ndarray:
        return -0.5 * (data - mu) ** 2

    def share(mu: np.ndarray) -> np.ndarray:
        return np.exp(log_p(mu)) / np.exp(log_p(mu)).sum(axis=1, keepdims=True)

    held = share(means)
    with_stop, without, exact = example("expectation_maximization").expected
    _compare(_complex_step(lambda mu: (held * log_p(mu)).sum(), means).tolist(), with_stop)
    _compare(_complex_step(lambda mu: (share(mu) * log_p(mu)).sum(), means).tolist(), without)
    likelihood = _complex_step(lambda mu: np.log(np.exp(log_p(mu)).sum(axis=1)).sum(), means)
    _compare(likelihood.tolist(), exact)
    assert with_stop[0] is not None and without[0] is not None and with_stop[0] * without[0] < 0


def test_expected_numbers_of_contrastive_divergence() -> None:
    weights, v = np.array([[0.5, -0.5], [1.0, 0.25]]), np.array([[1.0, 0.0]])

    def on(value: np.ndarray) -> np.ndarray:
        return 1.0 / (1.0 + np.exp(-value))

    def weight(state: np.ndarray, w: np.ndarray) -> Any:
        return np.log(1.0 + np.exp(state @ w)).sum()

    h = (on(v @ weights) > np.array([[0.3, 0.6]])).astype(float)
    m = on(h @ weights.T)
    with_stop, without = example("contrastive_divergence").expected
    _compare((v.T @ on(v @ weights) - m.T @ on(m @ weights)).ravel().tolist(), with_stop)
    through = _complex_step(lambda w: weight(v, w) - weight(on(h @ w.T), w), weights)
    _compare(through.ravel().tolist(), without)


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
    assert {program.labels.get(x) for x in backward.xs} <= assigned


def test_rows_are_complete_and_in_order() -> None:
    assert [entry.row for entry in EXAMPLES] == list(range(26))


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
