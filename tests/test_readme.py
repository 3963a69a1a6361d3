"""The README is true: its commands are those of CI, its pictures those that the product draws."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

import explorer
from explorer.gallery import all_examples, example
from explorer.optable import counts

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def words(svg: str | bytes) -> list[str]:
    root = ElementTree.fromstring(svg)
    return sorted("".join(node.itertext()) for node in root.iter() if node.tag.endswith("}text"))


def test_ci_runs_the_test_command_of_the_readme() -> None:
    (command,) = re.findall(r"^python3 -m venv .*pytest.*$", README, flags=re.MULTILINE)
    assert command in (ROOT / ".ci" / "run").read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize("view", ["mirror", "circuit", "operations"])
def test_pictures_say_what_the_product_draws_today(view: str, tmp_path: Path) -> None:
    target = tmp_path / f"{view}.svg"
    question = explorer.run(example("three_paths_one_stop").text).questions[0]
    explorer.export(question, target, view=view)
    assert words((ROOT / ".pictures" / f"{view}.svg").read_bytes()) == words(target.read_bytes())


def test_the_number_of_examples() -> None:
    assert f"{len(all_examples())} programs in" in README


def test_linked_files_exist() -> None:
    links = re.findall(r"\]\(([^)#:]+)\)", README)
    assert [link for link in links if not (ROOT / link).exists()] == []


def test_the_counts_of_ops_are_generated() -> None:
    found = README.split("<!-- counts -->\n")[1].split("<!-- end -->")[0]
    assert found.strip() == counts(), "paste what `python -m explorer ops --counts` prints"
