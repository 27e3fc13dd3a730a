"""Tests of compiling need the compiler."""

from __future__ import annotations

import numba
import pytest


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line(
        "markers", "compiler: says something about compiled code; left out without a compiler"
    )


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """With NUMBA_DISABLE_JIT=1 nothing is compiled, so there is nothing to say about it."""
    if numba.config.DISABLE_JIT:
        left_out = [item for item in items if item.get_closest_marker("compiler")]
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if item not in left_out]
