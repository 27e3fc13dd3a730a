"""balance baseline: write down what a run found, to hold later ones against it."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer


def baseline(
    run: Annotated[Path, typer.Argument(metavar="RUN", help="The folder of a complete run.")],
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The file to write, such as baseline.json.")],
) -> None:
    """Keep the means of a run in a small file.

    `balance check FILE --baseline FILE` looks for drift from it.
    """
    from balance import __version__
    from balance.analysis.baseline import as_text
    from balance.analysis.baseline import baseline as found
    from balance.cli.check import outcome_of
    from balance.errors import NotJudged
    from balance.experiment.files import refuse_place, write_named
    from balance.experiment.rundir import RunDir
    from balance.experiment.wording import printable

    folder = RunDir.open(run)
    refuse_place(file, "FILE")
    outcome = outcome_of(folder)
    if not outcome.complete:
        raise NotJudged(f"The run in {run} is not complete.", f"To finish it: {folder.command_again}")
    content = found(outcome, __version__)
    if not content["cells"]:
        raise NotJudged(f"The run in {run} has no games that count.")
    write_named(file, as_text(content).encode("utf-8", "backslashreplace"))
    sys.stdout.write(f"{printable(str(file))}\n")
