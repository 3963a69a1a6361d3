"""The one-way rule: engine <- explorer <- explorer/ui <- app.py, read from the imports."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
ENGINE_MAY_USE = {"numpy", "scipy", "networkx"}


def imported(path: Path) -> Iterator[str]:
    """Yield the full name of every module that a file imports, also inside functions."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: a relative import hides the layer"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
        elif (
            isinstance(node, ast.Call)
            and ast.unparse(node.func).endswith("import_module")
            and isinstance(node.args[0], ast.Constant)
        ):
            yield str(node.args[0].value)


def sources(folder: str) -> list[Path]:
    return sorted((ROOT / folder).rglob("*.py"))


def in_ui(path: Path) -> bool:
    return (ROOT / "explorer" / "ui") in path.parents


def shown(path: Path) -> str:
    return str(path.relative_to(ROOT))


def belongs(module: str, package: str) -> bool:
    return module == package or module.startswith(f"{package}.")


@pytest.mark.parametrize("path", sources("engine"), ids=shown)
def test_the_engine_stands_alone(path: Path) -> None:
    allowed = ENGINE_MAY_USE | {"engine"} | sys.stdlib_module_names
    assert [name for name in imported(path) if name.partition(".")[0] not in allowed] == []


@pytest.mark.parametrize(
    "path", [path for path in sources("explorer") if not in_ui(path)], ids=shown
)
def test_the_explorer_knows_no_page(path: Path) -> None:
    above = ("streamlit", "explorer.ui", "app", "tests")
    found = [name for name in imported(path) if any(belongs(name, part) for part in above)]
    assert found == []


def test_the_page_knows_no_entry() -> None:
    for path in filter(in_ui, sources("explorer")):
        above = [name for name in imported(path) if belongs(name, "app") or belongs(name, "tests")]
        assert above == [], shown(path)


def test_the_rule_would_notice(tmp_path: Path) -> None:
    path = tmp_path / "module.py"
    path.write_text(
        "import streamlit as st\n\ndef f():\n    from explorer import ui\n"
        "    import importlib\n    return importlib.import_module('app')\n",
        encoding="utf-8",
    )
    assert {"streamlit", "explorer.ui", "app"} <= set(imported(path))
