"""Every text can be read, and every role can be told apart without colour."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from explorer.legend import SELECTED, sample_look
from explorer.scene import EdgeKind, NodeKind, SceneError, Tone
from explorer.theme import (
    EDGE_LOOKS,
    LIGHT,
    NODE_LOOKS,
    PRINT,
    THEMES,
    Theme,
    ThemeError,
    contrast,
    theme_named,
)

TEXT_CONTRAST = 4.5
LINE_CONTRAST = 3.0


def test_contrast_of_known_pairs() -> None:
    assert contrast("#000000", "#FFFFFF") == pytest.approx(21)
    assert contrast("#777777", "#FFFFFF") == pytest.approx(4.48, abs=0.01)
    assert contrast("#FFFFFF", "#777777") == contrast("#777777", "#FFFFFF")


def text_pairs(theme: Theme) -> Iterator[tuple[str, str, str]]:
    yield "caption", theme.text, theme.background
    areas = {"page": theme.background} | {kind: ink.fill for kind, ink in theme.clusters.items()}
    for kind, ink in theme.clusters.items():
        yield f"label of {kind}", ink.text, ink.fill
    for kind, ink in theme.nodes.items():
        yield f"text in {kind}", ink.text, ink.fill
        for tone, colour in theme.tones.items():
            yield f"{tone} in {kind}", colour, ink.fill
    for tone, colour in theme.tones.items():
        for area, fill in areas.items():
            yield f"{tone} on {area}", colour, fill


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
def test_all_text_has_enough_contrast(theme: Theme) -> None:
    weak = [(what, a, b) for what, a, b in text_pairs(theme) if contrast(a, b) < TEXT_CONTRAST]
    assert weak == []


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
def test_all_lines_have_enough_contrast(theme: Theme) -> None:
    areas = [theme.background, *(ink.fill for ink in theme.clusters.values())]
    lines = [*theme.edges.values(), *(ink.stroke for ink in theme.nodes.values())]
    assert [c for c in lines for area in areas if contrast(c, area) < LINE_CONTRAST] == []


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
def test_every_role_has_colours(theme: Theme) -> None:
    assert set(theme.nodes) == set(NodeKind)
    assert set(theme.edges) == set(EdgeKind)
    assert set(theme.tones) == set(Tone)
    assert set(theme.clusters) == {"forward", "backward", "scope"}


def test_every_role_has_a_look() -> None:
    assert set(NODE_LOOKS) == set(NodeKind)
    assert set(EDGE_LOOKS) == set(EdgeKind)


def test_the_roles_of_the_backward_pass_differ_without_colour() -> None:
    kinds = [NodeKind.OP, NodeKind.ADJOINT, NodeKind.ACCUMULATE, NodeKind.SEED, NodeKind.STOP]
    kinds += [NodeKind.DEAD, NodeKind.NONE, NodeKind.PLACEHOLDER]
    looks = [(NODE_LOOKS[kind].shape, NODE_LOOKS[kind].style) for kind in kinds]
    assert len({*looks, *((look, "rings") for look in looks)}) >= len(kinds)
    lines = [EdgeKind.DATA, EdgeKind.ADJOINT, EdgeKind.CUT, EdgeKind.DEAD, EdgeKind.SAVED]
    assert len({(EDGE_LOOKS[kind].style, EDGE_LOOKS[kind].head) for kind in lines}) == len(lines)


def test_print_is_black_on_white() -> None:
    inks = [*PRINT.nodes.values(), *PRINT.clusters.values()]
    assert {PRINT.background} == {"#FFFFFF"}
    assert {ink.text for ink in inks} | set(PRINT.tones.values()) == {"#000000"}
    assert set(PRINT.edges.values()) == {"#000000"}


def test_an_unknown_theme_is_named() -> None:
    assert theme_named("light") is LIGHT
    with pytest.raises(ThemeError, match="unknown theme 'neon', choose one of light, dark, print"):
        theme_named("neon")


def test_an_unknown_legend_sample_is_named() -> None:
    assert sample_look(SELECTED, LIGHT)[1] == LIGHT.edges[EdgeKind.ADJOINT]
    with pytest.raises(SceneError, match="legend sample 'node:moon' names no kind"):
        sample_look("node:moon", LIGHT)
