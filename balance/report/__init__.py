"""The page: one self-contained HTML file that says in plain words what a run found and shows the numbers."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any


def render(results: Mapping[str, Any]) -> str:
    """The whole page as text; equal results give equal pages."""
    from balance.report import page

    return page.render(results)


def write_together(found: Mapping[str, Any], path: Path) -> None:
    """Write the page of several runs held together (see `analysis.side_by_side`) to `path`, as `write` does."""
    from balance.experiment.files import write_named
    from balance.report import page

    write_named(path, page.render_together(found).encode("utf-8"))


def write(results: Mapping[str, Any], path: Path) -> None:
    """Write the page to `path`, whole or not at all; EnvironmentFault when the disk will not have it."""
    from balance.experiment.files import write_whole

    write_whole(path, render(results).encode("utf-8"))
