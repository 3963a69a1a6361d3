"""Every subject of the articles, written for TensorFlow 1 and 2, pasted and run as a script."""

from __future__ import annotations

import math
import re
import runpy
from collections.abc import Iterable
from pathlib import Path

import pytest

import engine as tf
import explorer
from engine import registry

ROWS = range(1, 26)
VERSIONS = (1, 2)
_HERE = Path(__file__).parent / "articles"
_SECTION = re.compile(r"^## Row (\d+)\n\n```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_IMPORT = re.compile(r"^import tensorflow(\.compat\.v1)? as tf$", re.MULTILINE)
_WORD = re.compile(r"\b(?:None|True|False|nan|inf)\b|-?\d+\.?\d*(?:e[-+]?\d+)?")


def _programs(version: int) -> dict[int, str]:
    document = (_HERE / f"tensorflow{version}.md").read_text(encoding="utf-8")
    return {int(row): text for row, text in _SECTION.findall(document)}


PROGRAMS = {version: _programs(version) for version in VERSIONS}
CASES = [(version, row) for version in VERSIONS for row in ROWS]


def _near(value: float, error: float) -> object:
    return pytest.approx(value, abs=error)


# Row 3: d/dx of sin(x)·x at 1.5, and differences with rounding of float32.
_SINE = math.sin(1.5) + 1.5 * math.cos(1.5)
# Row 4: y_i = sum over j of w_j·x_ij² with w = 1, 2, 3, so dy_i/dx_ij = 2·w_j·x_ij.
_JACOBIAN = [0.2, 0, 0.8, 0, 1.8, 0, 0, 0.8, 0, 2.0, 0, 3.6]
# Row 16: f = x²y + sin(xy) at (1, 2).
_MIXED = 2 + math.cos(2) - 2 * math.sin(2)
# Row 18: the second derivatives of half a squared length, of v'Av, of half the sum of m'm.
_IDENTITY = [1, 0, 0, 0, 1, 0, 0, 0, 1]
_BLOCKS = [1, 1, 0, 0, 1, 1, 0, 0, 0, 0, 1, 1, 0, 0, 1, 1]
# Row 23: the map 4x(1 - x) three times from 0.2, by way of 0.64 and 0.9216.
_THREE_MAPS = math.prod(4 * (1 - 2 * at) for at in (0.2, 0.64, 0.9216))


def _mixture(points: tuple[float, ...], means: tuple[float, ...]) -> list[float]:
    """Row 20: d/dmu_k of the stopped M-step, of the log-likelihood, and of the M-step unstopped.

    With l_k = -(x - mu_k)²/2 and r = softmax(l): r_k·(x - mu_k) twice, and without the stop
    r_k·(1 + l_k - sum of r·l)·(x - mu_k), because dr_j/dl_k = r_j·(1[j = k] - r_k).
    """
    stopped, leaky = [0.0] * len(means), [0.0] * len(means)
    for x in points:
        scores = [-((x - mean) ** 2) / 2 for mean in means]
        total = sum(math.exp(score) for score in scores)
        shares = [math.exp(score) / total for score in scores]
        average = sum(r * score for r, score in zip(shares, scores, strict=True))
        for k, mean in enumerate(means):
            stopped[k] += shares[k] * (x - mean)
            leaky[k] += shares[k] * (1 + scores[k] - average) * (x - mean)
    return [*stopped, *stopped, *leaky]


def _statistics() -> list[float]:
    """Row 21: v0·h0' - v1·h1' of a machine of two and two units, with probabilities as states."""

    def on(value: float) -> float:
        return 1 / (1 + math.exp(-value))

    weights = ((0.5, -0.5), (1.0, 0.25))

    def hidden(v: tuple[float, ...]) -> tuple[float, ...]:
        return tuple(on(sum(v[i] * weights[i][j] for i in range(2))) for j in range(2))

    v0 = (1.0, 0.0)
    h0 = hidden(v0)
    v1 = tuple(on(sum(h0[j] * weights[i][j] for j in range(2))) for i in range(2))
    h1 = hidden(v1)
    return [v0[i] * h0[j] - v1[i] * h1[j] for i in range(2) for j in range(2)]


# Row 19: from 0 towards 3 by steps of 0.1·2·(w - 3): each keeps 0.8 of the distance.
_DESCENT = 3 * (1 - 0.8**50)

EXPECTED: dict[int, list[object]] = {
    1: [9, 6, 6],
    2: [1, -1],
    3: [_SINE, _near(_SINE, 2e-4)],
    4: [*_JACOBIAN, *(_near(value, 1e-3) for value in _JACOBIAN), True],
    5: [-1, 1, 1, 0, 0, -2, 1, -1, 1, 2, 4, 10],
    7: [36, 36, 36, 36],
    8: [12, 12, 3],
    9: [5, 3, 2],
    10: [1, 1, 1],
    11: [9, 4, 1, 1, 1, 1],
    12: [24, 48, 15, 39, 3, None],
    13: [None, 1, 4, 1, 12],
    14: [None, None, 2, 2],
    15: [30, 417],
    16: [_MIXED, _MIXED, True],
    17: [2 * math.sin(1) + math.cos(1), math.sin(1), 1],
    18: [*_IDENTITY, 2, 5, 5, 8, *_BLOCKS],
    19: [_DESCENT, _DESCENT],
    20: _mixture((2.0, 2.5, 3.0), (0.0, 2.0)),
    21: [*_statistics(), *_statistics()],
    22: [1.4, 5.04, 9.36],
    23: [_near(_THREE_MAPS, 1e-6), _THREE_MAPS, _THREE_MAPS],
    24: [1, 10, 3, 5, 6, 7],
    25: [True, True, 6],
}

_TENSORS = (
    "[<tf.Tensor: shape=(), dtype=float32, numpy=9.0>, "
    "<tf.Tensor: shape=(), dtype=float32, numpy=6.0>]\n"
)


def _lines(printed: Iterable[str]) -> str:
    return "".join(f"{line}\n" for line in printed)


def _as_script(version: int, row: int, path: Path) -> None:
    """Run a program as Python with only its import line changed, in a graph of its own."""
    program, changed = _IMPORT.subn("import engine as tf", PROGRAMS[version][row])
    assert changed == 1
    path.write_text(program, encoding="utf-8")
    with registry.scoped(), tf.Graph().as_default():
        runpy.run_path(str(path), run_name="__main__")


def _check(printed: str, version: int, row: int) -> None:
    if row == 6:
        assert printed == _TENSORS
        return
    expected = list(EXPECTED[row])
    if (version, row) == (1, 5):
        expected.append(0)  # how many operations the runs added
    words = _WORD.findall(printed)
    assert len(words) == len(expected), printed
    for word, value in zip(words, expected, strict=True):
        if isinstance(value, bool) or value is None:
            assert word == str(value), printed
        else:
            near = pytest.approx(value, rel=2e-5, abs=2e-6) if _is_number(value) else value
            assert float(word) == near, printed


def _is_number(value: object) -> bool:
    return isinstance(value, int | float)


def test_every_row_is_written_for_both_versions() -> None:
    assert all(list(PROGRAMS[version]) == list(ROWS) for version in VERSIONS)
    assert all(_IMPORT.search(PROGRAMS[version][row]) for version, row in CASES)


@pytest.mark.parametrize(("version", "row"), CASES)
def test_program_runs_pasted(version: int, row: int) -> None:
    program = explorer.run(PROGRAMS[version][row])
    _check(_lines(program.printed), version, row)
    # everything but the check of a gradient leaves a gradient to look at
    assert program.questions or row == 4


@pytest.mark.parametrize(("version", "row"), CASES)
def test_program_runs_as_a_script(
    version: int, row: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _as_script(version, row, tmp_path / "program.py")
    _check(capsys.readouterr().out, version, row)


def test_program_of_python_2_runs_pasted() -> None:
    text = re.sub(r"print\((.*)\)$", r"print \1", PROGRAMS[1][11], flags=re.MULTILINE)
    assert "print sess.run(total)" in text
    _check(_lines(explorer.run(text).printed), 1, 11)
