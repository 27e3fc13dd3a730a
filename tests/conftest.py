"""What all tests share: one folder of compiled code, kept between sessions."""

from __future__ import annotations

import os

import pytest


def pytest_configure(config: pytest.Config) -> None:
    """Compile each binary once: for all workers, and for later sessions while nothing it reaches changes."""
    os.environ.setdefault("BALANCE_CACHE_DIR", str(config.rootpath / ".pytest_cache" / "binaries"))
