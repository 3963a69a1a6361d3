"""Pictures as files, from Python and from the shell."""

from __future__ import annotations

import hashlib
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner

import explorer
from engine.errors import ArgumentError
from explorer.cli import main
from explorer.export import ExportError, rendered
from explorer.gallery import example
from explorer.picture import Look

SEPARATING = """
import tensorflow as tf
w = tf.constant(2.0)
x = tf.constant(3.0)
h = w * x
y = h * h + tf.stop_gradient(h) * 5.0 + x
tf.gradients(y, [x])
"""


def words(svg: str | bytes) -> str:
    root = ElementTree.fromstring(svg)
    return " ".join("".join(node.itertext()) for node in root.iter() if node.tag.endswith("}text"))


@pytest.mark.parametrize("view", ["mirror", "circuit", "operations"])
@pytest.mark.parametrize("theme", ["light", "dark", "print"])
def test_separating_example_is_complete(view: str, theme: str, tmp_path: Path) -> None:
    target = tmp_path / "figure.svg"
    explorer.export(explorer.run(SEPARATING).questions[0], target, view=view, theme=theme)
    text = words(target.read_bytes())
    assert "12 + 12 + 1 =" in text
    assert "25" in text
    assert "holds back" in text
    assert "10 at x" in text
    assert "Σ" in text


def test_equal_programs_give_equal_bytes_in_another_process(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(SEPARATING, encoding="utf-8")
    here = tmp_path / "here.svg"
    explorer.export(explorer.run(SEPARATING).questions[0], here)
    command = [sys.executable, "-m", "explorer", "render", str(program)]
    done = subprocess.run(
        command,
        capture_output=True,
        check=True,
        env={"PYTHONHASHSEED": "7", "PATH": str(Path(sys.executable).parent)},
        cwd=Path(__file__).parents[2],
    )
    assert hashlib.sha256(done.stdout).digest() == hashlib.sha256(here.read_bytes()).digest()


def test_a_path_is_marked_by_choice(tmp_path: Path) -> None:
    question = explorer.run(SEPARATING).questions[0]
    files = [tmp_path / f"{index}.svg" for index in range(3)]
    for index, file in enumerate(files):
        explorer.export(question, file, highlight=index if index < 2 else None)
    assert len({file.read_bytes() for file in files}) == 3


def test_unknown_ending_says_which_there_are(tmp_path: Path) -> None:
    with pytest.raises(ArgumentError, match=r"'figure\.xyz' names no known format; let it end in"):
        explorer.export(explorer.run(SEPARATING).questions[0], tmp_path / "figure.xyz")


def test_a_place_that_does_not_exist_leaves_nothing(tmp_path: Path) -> None:
    with pytest.raises(ExportError, match=r"cannot write .*; choose another place"):
        explorer.export(explorer.run(SEPARATING).questions[0], tmp_path / "no" / "figure.svg")
    assert list(tmp_path.iterdir()) == []


def test_shell_draws_what_is_asked(tmp_path: Path) -> None:
    program = tmp_path / "total.py"
    program.write_text(example("total_and_partial").text, encoding="utf-8")
    target = tmp_path / "out.svg"
    arguments = ["render", str(program), "--view", "mirror", "--question", "2", "-o", str(target)]
    result = CliRunner().invoke(main, arguments)
    assert result.exit_code == 0, result.output
    assert "stop_gradients" in words(target.read_bytes())


@pytest.mark.parametrize(
    ("text", "options", "sentence"),
    [
        ("x = (1", [], "Error: line 1:"),
        ("x = 1", [], "Error: the program computes 0 gradients; there is no number 1;"),
        (SEPARATING, ["--x", "q"], "Error: no x is called 'q'; the xs are x"),
        (SEPARATING, ["-o", "figure.xyz"], "'figure.xyz' should end in .svg"),
    ],
)
def test_shell_says_what_is_wrong(text: str, options: list[str], sentence: str) -> None:
    result = CliRunner().invoke(main, ["render", "-", *options], input=text)
    assert result.exit_code != 0
    assert sentence in result.output


def test_a_long_program_is_drawn_from_top_to_bottom() -> None:
    lines = ["import tensorflow as tf", "x = tf.constant([0.123456, 0.654321])", "h = x"]
    lines += ["h = tf.sin(h) * x"] * 12
    explanation = explorer.explain(
        explorer.run("\n".join([*lines, "tf.gradients(h, x)"])).questions[0]
    )
    width, height = size(rendered(explanation, Look("mirror"), "svg"))
    assert height > width
    width, height = size(rendered(explanation, Look("mirror", direction="LR"), "svg"))
    assert width > 1250 > height


def size(svg: bytes) -> tuple[float, float]:
    box = ElementTree.fromstring(svg).attrib["viewBox"].split()
    return float(box[2]), float(box[3])
