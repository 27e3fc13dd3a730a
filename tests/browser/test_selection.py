"""Without a Chromium the browser tests are left out and it is said; under CI that is an error."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent


def collect(path: str, **more: str) -> subprocess.CompletedProcess[str]:
    """Collect the browser tests in a process that finds programs only on `path`."""
    environment = {key: value for key, value in os.environ.items() if key != "CI" and "PYTEST" not in key}
    command = [
        sys.executable,
        "-m",
        "pytest",
        "--collect-only",
        "-q",
        "-p",
        "no:cacheprovider",
        str(HERE / "test_page.py"),
    ]
    return subprocess.run(
        command,
        env={**environment, "PATH": path, **more},
        cwd=HERE.parents[1],
        capture_output=True,
        text=True,
    )


def test_without_chromium_the_tests_are_deselected_aloud(tmp_path: Path) -> None:
    found = collect(str(tmp_path))
    assert "No Chromium found" in found.stdout
    assert "they are deselected" in found.stdout
    assert found.returncode == 5


def test_without_chromium_ci_fails(tmp_path: Path) -> None:
    found = collect(str(tmp_path), CI="true")
    assert "and CI=true" in found.stdout + found.stderr
    assert found.returncode == 4


def test_with_chromium_they_run(tmp_path: Path) -> None:
    browser = tmp_path / "chromium"
    browser.write_text("#!/bin/sh\n", encoding="utf-8")
    browser.chmod(0o755)
    found = collect(str(tmp_path), CI="true")
    assert found.returncode == 0
    assert "test_axe_finds_nothing" in found.stdout
