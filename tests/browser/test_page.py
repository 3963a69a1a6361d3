"""The page in a real browser: it loads solved, switches example and view, and keeps what works."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest
from playwright.sync_api import Page, expect
from playwright.sync_api import TimeoutError as PlaywrightTimeout

# One group: with several workers these tests share one app and one browser.
pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]


def picture_text(page: Page) -> str:
    """Return all text in the picture, in one line."""
    return " ".join(page.locator(".picture svg text").all_text_contents())


def wait_for(page: Page, text: str) -> None:
    """Wait until the picture says this."""
    expect(page.locator(".picture svg")).to_contain_text(text)


def choose_example(page: Page, title: str) -> None:
    choose(page, "Example", re.compile(re.escape(title)))


def choose(page: Page, label: str, option: re.Pattern[str]) -> None:
    """Choose from a list by the beginning of its label; one that a rerun closed is opened again."""
    box = page.get_by_role("combobox", name=re.compile(label))
    entry = page.get_by_role("option", name=option)
    for _ in range(9):
        box.press("ArrowDown")
        try:
            entry.click(timeout=10_000)
            return
        except PlaywrightTimeout:
            box.press("Escape")
    raise AssertionError(f"{option.pattern} cannot be chosen")


def type_program(page: Page, text: str) -> None:
    editor = page.get_by_label("Program", exact=True)
    editor.fill(text)
    editor.press("Control+Enter")


def test_first_screen_is_solved(page: Page) -> None:
    wait_for(page, "dy/da")
    text = picture_text(page)
    for part in ("6 + 2 + 1 =", "3 + 1 =", "9", "4", "Σ sum of contributions"):
        assert part in text
    expect(page.get_by_text("3 paths count; the sum is the gradient of a: 9")).to_be_visible()


def test_separating_example_in_all_views(page: Page) -> None:
    choose_example(page, "Three paths and one stop")
    wait_for(page, "holds back 5 here, 10 at x")
    for view, part in (
        ("Mirror", "1 + 24 ="),
        ("Circuit", "Σ 1 + 24 ="),
        ("Operations", "AddN_1"),
    ):
        page.get_by_role("radio", name=view, exact=True).or_(
            page.get_by_role("button", name=view, exact=True)
        ).first.click()
        wait_for(page, part)
        text = picture_text(page)
        assert "12 + 12 + 1 =" in text
        assert "25" in text
        assert "10 at x" in text
    expect(page.get_by_text("held back from x: 10")).to_be_visible()


def test_an_error_keeps_text_and_picture(page: Page) -> None:
    wait_for(page, "dy/da")
    before = picture_text(page)
    type_program(page, "import tensorflow as tf\nx = tf.constant(1.0)\nx = x.foo\n")
    expect(page.get_by_text("Line 3:")).to_be_visible()
    expect(page.get_by_text("This is the last program that ran")).to_be_visible()
    wait_for(page, "dy/da")
    assert picture_text(page) == before
    expect(page.get_by_label("Program", exact=True)).to_have_value(re.compile("x = x.foo"))


def test_a_typed_program_is_answered(page: Page) -> None:
    wait_for(page, "dy/da")
    type_program(
        page,
        "import tensorflow as tf\n"
        "x = tf.Variable(3.0)\n"
        "with tf.GradientTape() as tape:\n"
        "    y = x * x + 5.0 * x\n"
        "print(tape.gradient(y, x).numpy())\n",
    )
    wait_for(page, "dy/dx")
    assert "11" in picture_text(page)
    expect(page.get_by_text("11.0", exact=True)).to_be_visible()


def test_asking_differently(page: Page) -> None:
    wait_for(page, "dy/da")
    page.get_by_role("tab", name="Ask differently").click()
    choose(page, "stop_gradients", re.compile("^b$"))
    # b held constant: of 1 + 2 + 6 only the two ways that do not go on beyond b remain for a.
    wait_for(page, "✂")
    page.keyboard.press("Escape")  # closes the list, which covers the tabs
    page.get_by_role("tab", name="Cuts").click()
    expect(page.get_by_text("held constant by stop_gradients").first).to_be_attached()


def test_download_is_the_picture(page: Page, tmp_path: Path) -> None:
    wait_for(page, "dy/da")
    with page.expect_download() as waiting:
        page.get_by_role("button", name="Download SVG").click()
    target = tmp_path / "picture.svg"
    waiting.value.save_as(target)
    root = ElementTree.parse(target).getroot()
    text = " ".join("".join(node.itertext()) for node in root.iter() if node.tag.endswith("text"))
    assert "6 + 2 + 1 =" in text


def test_a_reload_keeps_program_question_and_view(page: Page) -> None:
    choose_example(page, "Three paths and one stop")
    wait_for(page, "holds back 5 here, 10 at x")
    page.get_by_role("radio", name="Circuit", exact=True).or_(
        page.get_by_role("button", name="Circuit", exact=True)
    ).first.click()
    wait_for(page, "Σ 1 + 24 =")
    expect(page).to_have_url(re.compile(r"example=three_paths_one_stop.*view=circuit"))
    page.reload()
    wait_for(page, "Σ 1 + 24 =")
    expect(page.get_by_role("combobox", name="Example")).to_be_visible()
