"""balance selftest: whether this installation plays as it should."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from balance.cli import streams
from balance.cli.options import Format, form_of
from balance.cli.playing import said_if_stopped

if TYPE_CHECKING:
    from balance.experiment.selftest import Check

_FAILED = 1


def selftest(form: Annotated[Format, form_of("What is printed.")] = Format.TEXT) -> None:
    """Check that games are played here as they should be."""
    with said_if_stopped("Stopped before all was checked."):
        found = list(_checked(form))
    faults = [check.fault for check in found if check.fault]
    if form is Format.JSON:
        entries = [asdict(one) for one in found]
        sys.stdout.write(json.dumps({"passed": not faults, "checks": entries}, indent=2) + "\n")
    for fault in faults:
        streams.say(f"error: {fault}\n")
    if faults:
        raise typer.Exit(_FAILED)


def _checked(form: Format) -> Iterator[Check]:
    """All checks, told one by one."""
    from balance.experiment.selftest import checks

    for check in checks():
        if form is Format.TEXT:
            word = "WRONG" if check.fault else "right" if check.compared else "-"
            sys.stdout.write(f"{word:5}  {check.what:31}  {check.found}\n")
            sys.stdout.flush()
        yield check
