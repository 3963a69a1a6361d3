"""The registry on the page: every op can be found, with its formula and its source."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]


def test_an_op_is_found_with_formula_and_source(page: Page) -> None:
    expect(page.locator(".picture svg")).to_contain_text("dy/da")
    page.get_by_role("button", name="Registered gradients").click()
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_text("op types. Choose a line to see its formula.")).to_be_visible()
    search = dialog.get_by_role("textbox", name="Search")
    search.fill("Expm1")
    search.press("Enter")
    expect(dialog.get_by_text("1 of ")).to_be_visible()
    expect(dialog.locator(".katex").first).to_be_visible()
    expect(dialog.get_by_text("∂z/∂x = exp(x)")).to_be_visible()
    expect(dialog.get_by_text("define(")).to_be_visible()
    expect(dialog.get_by_text("engine/ops/elementary.py")).to_be_visible()
    search.fill("no such op")
    search.press("Enter")
    expect(dialog.get_by_text("No op contains this; shorten or clear the search.")).to_be_visible()
