"""Pictures: both engines, any name, always an answer or one sentence."""

from __future__ import annotations

import re
import shutil
import stat
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

from explorer import layout
from explorer.dot import to_dot
from explorer.labels import printable
from explorer.layout import ENGINE_VARIABLE, LayoutError, digest, engines, render
from explorer.scene import LegendEntry, NodeKind, Scene
from explorer.theme import LIGHT
from explorer.views import build_scene
from tests.explorer.pictures import (
    HOSTILE,
    SVG,
    groups,
    separating,
    texts,
    title,
    two_nodes,
)

PURE = shutil.which("graphviz-pure", path=str(Path(sys.executable).parent))
ENGINES = [
    pytest.param(path, id=name)
    for name, path in (("pure", PURE), ("system", shutil.which("dot")))
    if path
]


@pytest.fixture(params=ENGINES)
def engine(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv(ENGINE_VARIABLE, request.param)
    return str(request.param)


@pytest.fixture
def fake(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):  # type: ignore[no-untyped-def]
    def make(body: str) -> Path:
        script = tmp_path / "fake-dot"
        script.write_text(f"#!/bin/sh\n{body}\n")
        script.chmod(script.stat().st_mode | stat.S_IXUSR)
        monkeypatch.setenv(ENGINE_VARIABLE, str(script))
        return script

    return make


@pytest.mark.parametrize("text", HOSTILE)
def test_any_name_survives_on_every_element(engine: str, text: str) -> None:
    svg = render(to_dot(two_nodes(text))).text
    shown = printable(text)
    assert texts(svg).count(shown) == 4
    found = groups(svg)
    assert [title(found[name]) for name in ("n-1", "n-2", "e-1")] == [shown] * 3
    assert ElementTree.fromstring(svg).get("aria-label") == shown


def test_a_line_break_is_shown_and_a_control_is_replaced(engine: str) -> None:
    assert "a↵b\ufffd" in texts(render(to_dot(two_nodes("a\nb\x07"))).text)


def test_an_svg_stands_alone(engine: str) -> None:
    svg = render(to_dot(two_nodes("x"))).text
    assert "<!DOCTYPE" not in svg and "<!--" not in svg and "href" not in svg and "<a" not in svg
    assert set(re.findall(r"https?://[^\"' ]+", svg)) == {"http://www.w3.org/2000/svg"}
    root = ElementTree.fromstring(svg)
    assert root.get("role") == "graphics-document"
    assert root.get("viewBox", "").count(" ") == 3
    assert "Noto Sans CJK SC" in root.get("font-family", "")


def test_the_engine_is_recorded(engine: str) -> None:
    picture = render(to_dot(two_nodes("x")))
    assert picture.engine and f"layout: {picture.engine}<" in picture.text


def test_the_same_text_gives_the_same_bytes(engine: str) -> None:
    dot = to_dot(two_nodes("x"))
    first = render(dot).data
    layout._draw.cache_clear()
    assert render(dot).data == first


def test_labels_are_centred_in_their_nodes(engine: str) -> None:
    found = groups(render(to_dot(two_nodes("权重 wide"))).text)
    line = found["n-2"].find("{http://www.w3.org/2000/svg}text")
    shape = found["n-2"].find("{http://www.w3.org/2000/svg}polygon")
    assert line is not None and shape is not None
    across = [float(point.split(",")[0]) for point in shape.get("points", "").split()]
    assert line.get("text-anchor") == "middle"
    assert float(line.get("x", "0")) == pytest.approx((min(across) + max(across)) / 2, abs=0.01)


def test_legend_glyphs_become_drawings(engine: str) -> None:
    scene = Scene("mirror", "t", (), legend=(LegendEntry(f"node:{NodeKind.STOP}", "stop"),))
    svg = render(to_dot(scene)).text
    assert texts(svg) == ["stop"]
    assert f'stroke="{LIGHT.nodes[NodeKind.STOP].stroke}"' in svg and 'class="sample"' in svg


def test_png_is_a_png(engine: str) -> None:
    assert render(to_dot(two_nodes("x")), "png").data.startswith(b"\x89PNG")


def test_pdf_needs_a_system_engine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv(ENGINE_VARIABLE, raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(LayoutError, match=r"graphviz-pure does not write pdf, install Graphviz"):
        render("digraph {}", "pdf")


def test_svg_prefers_the_engine_that_is_the_same_everywhere(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv(ENGINE_VARIABLE, raising=False)
    assert engines("svg")[0].name == "graphviz-pure"


def test_no_engine_at_all_is_one_sentence(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv(ENGINE_VARIABLE, raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(sys, "executable", str(tmp_path / "python"))
    with pytest.raises(LayoutError, match="no Graphviz found, run 'pip install graphviz-pure'"):
        engines()


def test_a_wrong_override_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(ENGINE_VARIABLE, "no-such-program")
    with pytest.raises(LayoutError, match="names 'no-such-program', which is not an executable"):
        engines()


def test_an_unknown_format_is_named() -> None:
    with pytest.raises(LayoutError, match="unknown picture format 'gif', choose one of svg, png"):
        render("digraph {}", "gif")


def test_only_svg_has_text() -> None:
    with pytest.raises(LayoutError, match="a png picture has no text"):
        _ = layout.Picture(b"", "png", "e").text


def test_a_failing_engine_is_quoted(fake) -> None:  # type: ignore[no-untyped-def]
    fake("cat > /dev/null; echo 'Warning: fine' >&2; echo 'Error: lost edge' >&2; exit 1")
    with pytest.raises(LayoutError, match=r"could not be laid out .*failed: Error: lost edge"):
        render("digraph { failing }")


def test_a_crashing_engine_is_an_error(fake) -> None:  # type: ignore[no-untyped-def]
    fake("cat > /dev/null; kill -ABRT $$")
    with pytest.raises(LayoutError, match="failed: exit code -6"):
        render("digraph { crashing }")


def test_an_engine_that_hangs_is_ended(fake) -> None:  # type: ignore[no-untyped-def]
    fake('case "$1" in -V) exit 0;; esac; exec sleep 600')
    with pytest.raises(LayoutError, match=r"within 0\.6 s, fold or shorten the graph .*longer"):
        render("digraph { hanging }", timeout=0.6)


def test_a_slow_layout_gives_up_splines_first(fake) -> None:  # type: ignore[no-untyped-def]
    assert PURE is not None
    fake(f'case "$*" in *-Gsplines=line*|-V) exec {PURE} "$@";; esac; exec sleep 600')
    picture = render("digraph { a -> b }", timeout=8.0)
    assert picture.reduced == "straight edges"
    assert "reduced: straight edges" in picture.text


def test_the_next_engine_takes_over(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv(ENGINE_VARIABLE, raising=False)
    broken = tmp_path / "graphviz-pure"
    broken.write_text("#!/bin/sh\nexit 3\n")
    broken.chmod(0o755)
    assert PURE is not None
    (tmp_path / "dot").symlink_to(PURE)
    monkeypatch.setenv("PATH", f"{tmp_path}:/bin:/usr/bin")
    monkeypatch.setattr(sys, "executable", str(tmp_path / "python"))
    assert render("digraph { takes -> over }").text.startswith("<svg")


def test_the_key_of_a_text_is_stable() -> None:
    assert digest("digraph {}") == digest("digraph {}") != digest("digraph { }")


def test_forward_stands_above_backward_and_the_caption_above_both(engine: str) -> None:
    backward, names = separating()
    svg = render(to_dot(build_scene(backward, names=names))).text
    found = groups(svg)
    heights = {
        side: {float(y) for _, y in _corners(found[f"area-{side}"])}
        for side in ("forward", "backward")
    }
    assert max(heights["forward"]) <= min(heights["backward"])
    captions = [
        float(text.get("y", "0"))
        for text in ElementTree.fromstring(svg).iter(f"{SVG}text")
        if text.get("class") == "caption"
    ]
    assert len(captions) == 2
    assert max(captions) < min(heights["forward"])


def _corners(group: ElementTree.Element) -> list[list[str]]:
    path = next(child for child in group if child.tag == f"{SVG}path")
    return [pair.split(",") for pair in re.findall(r"-?[\d.]+,-?[\d.]+", path.get("d", ""))]
