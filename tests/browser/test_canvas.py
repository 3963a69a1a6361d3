"""The canvas in a real browser: moved, zoomed, traced, searched, and left where it was."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.test_page import choose_example, type_program, wait_for

# One group: with several workers these tests share one app and one browser.
pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]

WIDE = "".join(
    ["import tensorflow as tf\nx0 = tf.Variable(2.0)\nwith tf.GradientTape() as tape:\n"]
    + [f"    x{i + 1} = tf.sin(x{i}) * x{i}\n" for i in range(24)]
    + ["print(tape.gradient(x24, x0).numpy())\n"]
)

Place = tuple[float, float, float]


@pytest.fixture
def canvas(page: Page) -> Page:
    """Open the page with the first picture on the canvas, ready to be used."""
    wait_for(page, "dy/da")
    expect(page.locator(".picture .stage")).to_be_visible()
    expect(page.locator(".picture svg")).to_have_attribute("style", re.compile("scale"))
    stand_still(page)
    return page


def stand_still(page: Page) -> None:
    """Wait until the page has settled its width, to which the picture is fitted."""
    last: Place | None = None
    for _ in range(100):
        now = place(page)
        if now == last:
            return
        last = now
        page.evaluate("() => new Promise((done) => setTimeout(done, 250))")


def place(page: Page) -> Place:
    """Return the offset and the scale of the picture in its stage."""
    style = page.locator(".picture svg").evaluate("svg => svg.style.transform")
    numbers = re.findall(r"-?\d+(?:\.\d+)?(?:e-?\d+)?", style)
    x, y, scale = map(float, numbers)
    return x, y, scale


def node(page: Page, text: str) -> Locator:
    """Return the node that begins with these words."""
    return page.locator(".picture g.node").filter(has_text=re.compile("^" + re.escape(text)))


def stage_box(page: Page) -> dict[str, float]:
    box = page.locator(".picture .stage").bounding_box()
    assert box is not None
    return dict(box)


def wait_until(page: Page, condition: Callable[[Place], bool]) -> Place:
    """Wait until the place of the picture is so, and return it."""
    for _ in range(200):
        if condition(place(page)):
            return place(page)
        page.evaluate("() => new Promise(requestAnimationFrame)")
    raise AssertionError(f"the picture stays at {place(page)}")


def focus(page: Page) -> None:
    page.locator(".picture .stage").focus()


def test_every_control_has_a_name_and_its_turn(canvas: Page) -> None:
    region = canvas.get_by_role("region", name=re.compile("^Picture of "))
    expect(region).to_be_visible()
    bar = region.get_by_role("toolbar", name="Picture controls")
    names = bar.get_by_role("button").evaluate_all(
        "buttons => buttons.map(button => button.getAttribute('aria-label'))"
    )
    assert names == [
        "Zoom out",
        "Zoom in",
        "Fit the whole picture",
        "Start view, readable size",
        "Full screen",
        "Keys of the picture",
    ]
    expect(bar.get_by_role("searchbox", name="Find in the picture")).to_be_visible()
    expect(region.get_by_role("group", name="Canvas; press ? for its keys")).to_be_visible()
    groups = canvas.locator(".picture g.node, .picture g.edge")
    labels = groups.evaluate_all("groups => groups.map(group => group.getAttribute('aria-label'))")
    assert labels and all(labels)
    canvas.get_by_role("searchbox", name="Find in the picture").focus()
    order = []
    for _ in range(7):
        canvas.keyboard.press("Tab")
        order.append(
            canvas.locator(".picture").evaluate(
                "frame => frame.getRootNode().activeElement.getAttribute('aria-label')"
            )
        )
    assert order[:2] == ["Zoom out", "Zoom in"]
    assert order[-1] == "Canvas; press ? for its keys"


def test_labels_are_readable_at_first_and_keys_zoom_pan_and_fit(canvas: Page) -> None:
    smallest = canvas.locator(".picture svg").evaluate(
        "svg => Math.min(...[...svg.querySelectorAll('[font-size]')]"
        ".map(text => parseFloat(text.getAttribute('font-size'))))"
    )
    assert smallest * place(canvas)[2] >= 11 - 1e-6
    before = place(canvas)
    focus(canvas)
    canvas.keyboard.press("+")
    assert place(canvas)[2] == pytest.approx(before[2] * 1.25)
    canvas.keyboard.press("-")
    canvas.keyboard.press("ArrowLeft")
    canvas.keyboard.press("ArrowUp")
    assert place(canvas) == pytest.approx((before[0] + 60, before[1] + 60, before[2]))
    canvas.keyboard.press("0")
    assert place(canvas) == pytest.approx(before)
    for _ in range(6):
        canvas.keyboard.press("+")
    canvas.keyboard.press("f")
    box, scale = stage_box(canvas), place(canvas)[2]
    width, height = canvas.locator(".picture svg").evaluate(
        "svg => [svg.viewBox.baseVal.width, svg.viewBox.baseVal.height]"
    )
    assert width * scale <= box["width"] and height * scale <= box["height"]
    canvas.keyboard.press("0")
    canvas.get_by_role("button", name="Zoom in").click()
    assert place(canvas)[2] == pytest.approx(before[2] * 1.25)
    canvas.get_by_role("button", name="Zoom out").click()
    assert place(canvas)[2] == pytest.approx(before[2])
    canvas.get_by_role("button", name="Zoom in").click()
    canvas.get_by_role("button", name="Start view").click()
    assert place(canvas) == pytest.approx(before)


def test_wheel_zooms_about_the_pointer_only_with_focus(canvas: Page) -> None:
    before = place(canvas)
    box = stage_box(canvas)
    at = (box["width"] * 0.3, box["height"] * 0.6)
    canvas.mouse.move(box["x"] + at[0], box["y"] + at[1])
    canvas.mouse.wheel(0, -200)
    canvas.evaluate("() => new Promise(requestAnimationFrame)")
    assert place(canvas) == before
    canvas.evaluate("() => document.querySelector('[data-testid=stMain]').scrollTo(0, 0)")
    focus(canvas)
    box = stage_box(canvas)
    canvas.mouse.move(box["x"] + at[0], box["y"] + at[1])
    canvas.mouse.wheel(0, -200)
    after = wait_until(canvas, lambda now: now[2] > before[2])
    # The point of the picture under the pointer is the same; the stage has a border of 1 px.
    for side in (0, 1):
        old = (at[side] - before[side]) / before[2]
        new = (at[side] - after[side]) / after[2]
        assert new == pytest.approx(old, abs=2)


def test_drag_moves_the_picture_by_as_much(canvas: Page) -> None:
    before = place(canvas)
    box = stage_box(canvas)
    canvas.mouse.move(box["x"] + 30, box["y"] + 100)
    canvas.mouse.down()
    canvas.mouse.move(box["x"] + 60, box["y"] + 120, steps=4)
    canvas.mouse.move(box["x"] + 100, box["y"] + 140, steps=4)
    canvas.mouse.up()
    assert place(canvas) == pytest.approx((before[0] + 70, before[1] + 40, before[2]))
    expect(canvas.locator(".picture .ring")).to_have_count(0)


def test_hover_shows_the_neighbours_and_the_title_at_once(canvas: Page) -> None:
    c = node(canvas, "c = 3")
    c.hover()
    near = canvas.locator(".picture svg.tracing g.node.near")
    # c is computed from b and read by y.
    expect(near).to_have_count(3)
    assert sorted(text[0] for text in near.all_text_contents()) == ["b", "c", "y"]
    expect(canvas.locator(".picture g.edge.near")).to_have_count(2)
    expect(node(canvas, "x")).to_have_css("opacity", "0.22")
    expect(c).to_have_css("opacity", "1")
    tip = canvas.locator(".picture .tip")
    expect(tip).to_have_text("mul_2 (Mul) = 72")
    assert canvas.locator(".picture svg title").count() == 0  # or the browser shows its own too
    canvas.mouse.move(5, 5)
    expect(tip).to_be_hidden()
    expect(node(canvas, "x")).to_have_css("opacity", "1")


def test_click_selects_and_escape_clears(canvas: Page) -> None:
    node(canvas, "b = 2").click()
    ring = canvas.locator(".picture .ring")
    expect(ring).to_have_count(1)
    expect(canvas.locator(".picture g.node.chosen")).to_contain_text("b = 2")
    expect(canvas.locator(".picture [role=status]")).to_have_text("mul_1 (Mul) = 24")
    canvas.keyboard.press("Escape")
    expect(ring).to_have_count(0)
    canvas.keyboard.press("n")
    expect(canvas.locator(".picture g.node.chosen")).to_have_count(1)


def test_search_finds_jumps_and_refuses_bad_patterns(canvas: Page) -> None:
    focus(canvas)
    canvas.keyboard.press("/")
    search = canvas.get_by_role("searchbox", name="Find in the picture")
    expect(search).to_be_focused()
    canvas.keyboard.type("72")
    count = canvas.locator(".picture .count")
    expect(count).to_have_text("2 found")  # c = 72 and the sum of y
    expect(node(canvas, "x")).to_have_css("opacity", "0.22")
    chosen = canvas.locator(".picture g.node.chosen")
    canvas.keyboard.press("Enter")
    expect(count).to_have_text("1 of 2")
    first = chosen.get_attribute("id")
    canvas.keyboard.press("Enter")
    expect(count).to_have_text("2 of 2")
    assert chosen.get_attribute("id") != first
    canvas.keyboard.press("Enter")
    assert chosen.get_attribute("id") == first
    canvas.keyboard.press("Escape")
    expect(search).to_have_value("")
    expect(node(canvas, "x")).to_have_css("opacity", "1")
    search.fill("/^[bc] = \\d/")
    expect(count).to_have_text("2 found")
    for typed, report in (
        ("/(/", "not a valid pattern"),
        ("/(a+)+$/", "a repeated repetition is not searched"),
        ("<img src=x>", "no match"),
    ):
        search.fill(typed)
        expect(count).to_have_text(report)
    expect(search).to_have_attribute("aria-invalid", "false")


def test_question_mark_shows_the_keys_and_less_motion_is_respected(canvas: Page) -> None:
    focus(canvas)
    canvas.keyboard.press("?")
    keys = canvas.get_by_role("dialog", name="Keys of the picture")
    expect(keys).to_be_visible()
    expect(keys).to_contain_text("fit the whole picture")
    canvas.keyboard.press("Escape")
    expect(keys).to_be_hidden()
    expect(canvas.locator(".picture .stage")).to_be_focused()
    canvas.keyboard.press("+")
    expect(canvas.locator(".picture svg")).to_have_css("transition-duration", "0.16s")
    canvas.emulate_media(reduced_motion="reduce")
    expect(canvas.locator(".picture svg")).to_have_css("transition-duration", "0s")


def test_a_rerun_keeps_place_and_selection(canvas: Page) -> None:
    node(canvas, "b = 2").click()
    canvas.keyboard.press("+")
    canvas.keyboard.press("ArrowLeft")
    before = place(canvas)
    canvas.get_by_role("radio", name="b", exact=True).or_(
        canvas.get_by_role("button", name="b", exact=True)
    ).first.click()
    wait_for(canvas, "y → c → b:")  # another path is marked now
    assert place(canvas) == before
    expect(canvas.locator(".picture g.node.chosen")).to_contain_text("b = 2")
    expect(canvas.locator(".picture .ring")).to_have_count(1)


def test_going_to_another_view_and_back_finds_the_place(canvas: Page) -> None:
    focus(canvas)
    canvas.keyboard.press("+")
    canvas.keyboard.press("ArrowLeft")
    before = place(canvas)
    for view, scene in (("Circuit", "circuit"), ("Mirror", "mirror")):
        canvas.get_by_role("radio", name=view, exact=True).or_(
            canvas.get_by_role("button", name=view, exact=True)
        ).first.click()
        expect(canvas.locator(f".picture g.graph.{scene}")).to_have_count(1)
    assert place(canvas) == pytest.approx(before)


def test_another_structure_begins_at_its_start(canvas: Page) -> None:
    focus(canvas)
    for _ in range(5):
        canvas.keyboard.press("+")
    zoomed = place(canvas)
    choose_example(canvas, "Three paths and one stop")
    wait_for(canvas, "holds back 5 here, 10 at x")
    assert place(canvas)[2] < zoomed[2]


def test_a_change_of_theme_keeps_the_place(canvas: Page) -> None:
    focus(canvas)
    canvas.keyboard.press("+")
    before = place(canvas)
    canvas.emulate_media(color_scheme="dark")
    expect(canvas.locator(".picture g.graph.dark")).to_have_count(1)
    assert place(canvas) == before


def test_minimap_shows_only_when_the_picture_is_larger(canvas: Page) -> None:
    minimap = canvas.locator(".picture .minimap")
    expect(minimap).to_be_hidden()
    type_program(canvas, WIDE)
    wait_for(canvas, "x24")
    expect(minimap).to_be_visible()
    before = place(canvas)
    box = minimap.bounding_box()
    assert box is not None
    canvas.mouse.click(box["x"] + box["width"] - 4, box["y"] + box["height"] - 4)
    after = place(canvas)
    assert after[2] == before[2]
    assert after[:2] != before[:2]
    expect(canvas.locator(".picture .ring")).to_have_count(0)


def test_full_screen_and_back(canvas: Page) -> None:
    before = place(canvas)
    full = canvas.get_by_role("button", name="Full screen")
    full.click()
    expect(full).to_have_attribute("aria-pressed", "true")
    full.click()
    expect(full).to_have_attribute("aria-pressed", "false")
    wait_until(canvas, lambda now: now == pytest.approx(before))
