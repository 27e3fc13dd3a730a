"""Finds a Chromium. Without one the browser tests are deselected and that is said; where CI=true it is an error."""

from __future__ import annotations

import os
import shutil
import sys

import pytest

NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")


def chromium() -> str | None:
    """The path of an installed Chromium."""
    return next((found for name in NAMES if (found := shutil.which(name))), None)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Deselect the browser tests on a machine that has no browser."""
    in_browser = [item for item in items if item.get_closest_marker("browser")]
    if not in_browser or chromium():
        return
    if os.environ.get("CI", "").lower() == "true":
        raise pytest.UsageError(f"CI=true, but there is no Chromium for {len(in_browser)} browser tests ({', '.join(NAMES)}).")
    config.hook.pytest_deselected(items=in_browser)
    items[:] = [item for item in items if item not in in_browser]
    _say(config, f"No Chromium found: {len(in_browser)} browser tests deselected (looked for {', '.join(NAMES)}).")


def _say(config: pytest.Config, line: str) -> None:
    """On the terminal; where tests run in several processes, once, on the error stream."""
    reporter = config.pluginmanager.get_plugin("terminalreporter")
    if reporter is not None:
        reporter.write_line(line)
    elif os.environ.get("PYTEST_XDIST_WORKER") == "gw0":
        print(line, file=sys.__stderr__)
