"""balance report: make the page of a run again."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from balance.errors import BalanceError


def report(
    runs: Annotated[list[Path], typer.Argument(metavar="RUN...", help="Folders of runs.")],
    show: Annotated[bool, typer.Option("--open", help="Open the pages in the browser.")] = False,
) -> None:
    """Write report.html of one or more runs from their results."""
    from balance.experiment.rundir import RunDir
    from balance.report import write

    for path in runs:
        folder = RunDir.open(path)
        page = folder.path / "report.html"
        results = folder.results
        try:
            write(results, page)
        except (LookupError, TypeError, ValueError, AttributeError) as error:
            raise BalanceError(
                f"The results in {path} are damaged: no page can be made of them.",
                f"Give the run's command again: {folder.command_again}",
            ) from error
        sys.stdout.write(f"{page}\n")
        if show:
            typer.launch(page.absolute().as_uri())
