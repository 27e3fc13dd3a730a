"""What all tests share: one folder of compiled code, and which tests are left out without being asked for."""

from __future__ import annotations

import os

import pytest

MARKERS = {
    "compiler": "says something about compiled code; left out where nothing is compiled",
    "bench": "measures speed and asserts none; left out unless asked for with -m bench",
}


def pytest_addoption(parser: pytest.Parser) -> None:
    """A transcript is written anew only on demand."""
    parser.addoption("--update-transcripts", action="store_true", help="write the golden transcripts anew")


def pytest_configure(config: pytest.Config) -> None:
    """Compile each binary once: for all workers, and for later sessions while nothing it reaches changes."""
    os.environ.setdefault("BALANCE_CACHE_DIR", str(config.rootpath / ".pytest_cache" / "binaries"))
    for name, meaning in MARKERS.items():
        config.addinivalue_line("markers", f"{name}: {meaning}")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """With NUMBA_DISABLE_JIT=1 there is nothing to say about compiled code; speed is measured on demand."""
    unwanted = set()
    if os.environ.get("NUMBA_DISABLE_JIT", "0") != "0":
        unwanted.add("compiler")
    if "bench" not in config.getoption("markexpr"):
        unwanted.add("bench")
    left_out = [item for item in items if any(item.get_closest_marker(name) for name in unwanted)]
    config.hook.pytest_deselected(items=left_out)
    items[:] = [item for item in items if item not in left_out]
