"""Finds a Chromium. Without one the browser tests are deselected and it is said; where CI=true, an error."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, sync_playwright

from balance import report
from tests.browser.opening import QUIET, Opened, OpenPage

NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")


def chromium() -> str | None:
    """The path of an installed Chromium."""
    return next((found for name in NAMES if (found := shutil.which(name))), None)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Deselect the browser tests on a machine that has no browser."""
    in_browser = [item for item in items if item.get_closest_marker("browser")]
    if not in_browser or chromium():
        return
    missing = f"No Chromium found for {len(in_browser)} browser tests (looked for {', '.join(NAMES)})"
    if os.environ.get("CI", "").lower() == "true":
        _say(config, f"{missing}: an error, since CI=true.")
        raise pytest.UsageError(f"{missing}, and CI=true.")
    config.hook.pytest_deselected(items=in_browser)
    items[:] = [item for item in items if item not in in_browser]
    _say(config, f"{missing}: they are deselected.")


def _say(config: pytest.Config, line: str) -> None:
    """On the terminal; where tests run in several processes, once, on the error stream."""
    worker = os.environ.get("PYTEST_XDIST_WORKER")
    if worker is None:
        config.pluginmanager.get_plugin("terminalreporter").write_line(line)
    elif worker == "gw0":
        with config.pluginmanager.get_plugin("capturemanager").global_and_fixture_disabled():
            print(line, file=sys.stderr, flush=True)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=chromium(), chromium_sandbox=False, args=QUIET)
        yield started
        started.close()


@pytest.fixture
def open_page(browser: Browser, tmp_path: Path) -> Iterator[OpenPage]:
    """Opens the page of results, or a page that is there already, in a browser that is offline."""
    contexts = []

    def opened(shown: Mapping[str, Any] | Path, *, width: int = 1280, **context: Any) -> Opened:
        path = shown if isinstance(shown, Path) else tmp_path / "report.html"
        if not isinstance(shown, Path):
            report.write(shown, path)
        contexts.append(
            browser.new_context(offline=True, viewport={"width": width, "height": 900}, **context)
        )
        page = contexts[-1].new_page()
        seen = Opened(page)
        page.on("request", lambda request: seen.requests.append(request.url))
        page.on("pageerror", lambda error: seen.faults.append(str(error)))
        page.on("console", lambda message: seen.faults.append(message.text))
        page.on("dialog", lambda dialog: (seen.faults.append(f"dialog {dialog.message}"), dialog.dismiss()))
        page.goto(path.as_uri())
        return seen

    yield opened
    for context in contexts:
        context.close()
