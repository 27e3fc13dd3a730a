"""balance report: make the page of a run again, or put several runs on one."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from balance.errors import BalanceError

if TYPE_CHECKING:
    from balance.experiment.rundir import RunDir

TOGETHER = Path("reports") / "side-by-side.html"


def report(
    runs: Annotated[list[Path], typer.Argument(metavar="RUN...", help="Folders of runs.")],
    out: Annotated[
        Path | None,
        typer.Option("--out", metavar="FILE", help=f"The page of several runs; {TOGETHER} if left out."),
    ] = None,
    show: Annotated[bool, typer.Option("--open", help="Open the page in the browser.")] = False,
) -> None:
    """Write the page of a run, or of several side by side."""
    if len(runs) == 1 and out is not None:
        raise BalanceError("--out is for the page of several runs; that of one lies in its folder.")
    page = _alone(runs[0]) if len(runs) == 1 else _together(runs, out or TOGETHER)
    sys.stdout.write(f"{page}\n")
    if show:
        typer.launch(page.absolute().as_uri())


def _alone(path: Path) -> Path:
    from balance.report import write

    folder, results = _opened(path)
    page = folder.path / "report.html"
    with _undamaged(folder):
        write(results, page)
    return page


def _together(paths: list[Path], page: Path) -> Path:
    from balance.analysis.side_by_side import side_by_side
    from balance.experiment.files import refuse_place
    from balance.report import write_together

    if page != TOGETHER:
        refuse_place(page, "--out")
    found: dict[str, Mapping[str, Any]] = {}
    for path in paths:
        if str(path) in found:
            raise BalanceError(f"{path} is named twice.")
        folder, results = _opened(path)
        with _undamaged(folder):
            side_by_side({str(path): results})
        found[str(path)] = results
    write_together(side_by_side(found), page)
    return page


def _opened(path: Path) -> tuple[RunDir, Mapping[str, Any]]:
    from balance.experiment.rundir import RunDir

    folder = RunDir.open(path)
    return folder, folder.results


@contextmanager
def _undamaged(folder: RunDir) -> Iterator[None]:
    """BalanceError where results are damaged, with the command that makes them anew."""
    try:
        yield
    except (LookupError, TypeError, ValueError, AttributeError) as error:
        raise BalanceError(
            f"The results in {folder.path} are damaged: no page can be made of them.",
            f"Give the run's command again: {folder.command_again}",
        ) from error
