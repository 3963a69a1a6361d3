"""A running app and a real Chromium for the tests of this folder."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

# A slow machine is no failure; what never comes is.
_PATIENCE = 90_000  # ms
expect.set_options(timeout=_PATIENCE)

ROOT = Path(__file__).parents[2]
_FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


def _chromium() -> str:
    """Return the path of a Chromium; without one these tests are skipped, but never in CI."""
    for name in ("chromium", "chromium-browser", "google-chrome"):
        path = shutil.which(name)
        if path:
            return path
    if os.environ.get("CI"):
        pytest.fail("CI needs Chromium for the browser tests; .ci/run installs it")
    pytest.skip("no Chromium on this machine; install the package chromium to run these tests")


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    path = _chromium()
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=path, args=list(_FLAGS))
        yield chromium
        chromium.close()


@pytest.fixture(scope="session")
def address(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Serve the app on a free port of this machine."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    log = tmp_path_factory.mktemp("app") / "log.txt"
    command = [sys.executable, "-m", "streamlit", "run", "app.py", "--server.headless=true"]
    command += [f"--server.port={port}", "--server.address=127.0.0.1"]
    with log.open("w") as output:
        server = subprocess.Popen(command, cwd=ROOT, stdout=output, stderr=subprocess.STDOUT)
    try:
        _wait_until_healthy(port, server, log)
        yield f"http://127.0.0.1:{port}"
    finally:
        server.terminate()
        server.wait(timeout=20)


def _wait_until_healthy(port: int, server: subprocess.Popen[bytes], log: Path) -> None:
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline:
        if server.poll() is not None:
            pytest.fail(f"the app ended: {log.read_text()}")
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/_stcore/health", timeout=5):
                return
        except OSError:
            time.sleep(0.2)
    pytest.fail(f"the app did not start: {log.read_text()}")


def settle(page: Page) -> None:
    """Wait until the first run is over; before that the server may still set a widget's value."""
    page.locator(".picture svg").wait_for()
    page.locator('[data-testid="stApp"][data-test-script-state="notRunning"]').wait_for()


@pytest.fixture
def page(browser: Browser, address: str) -> Iterator[Page]:
    """Open the app; fail if it asks another machine for anything or logs an error."""
    context = browser.new_context(viewport={"width": 1440, "height": 900}, accept_downloads=True)
    opened = context.new_page()
    opened.set_default_timeout(_PATIENCE)
    foreign: list[str] = []
    errors: list[str] = []
    opened.on("request", lambda request: foreign.append(request.url))
    opened.on("console", lambda line: errors.append(line.text) if line.type == "error" else None)
    opened.goto(address)
    settle(opened)
    yield opened
    context.close()
    local = (address, address.replace("http", "ws"), "data:", "blob:")
    assert [url for url in foreign if not url.startswith(local)] == []
    assert errors == []
