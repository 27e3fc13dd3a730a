"""A verdict on gates, told in every way that is asked for: printed, and as files for CI servers and for people."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from balance.cli.options import Format

if TYPE_CHECKING:
    from balance.experiment.rundir import RunDir

    Record = dict[str, Any]

VERDICT = "verdict.json"
_CODES = {"pass": 0, "fail": 1, "inconclusive": 3, "no data": 4}


class Told:
    """Tells a verdict in every way that was asked for, and keeps the exit code that it leads to."""

    def __init__(self, junit: Path | None, summary: Path | None, form: Format) -> None:
        self._junit, self._summary, self._form = junit, summary, form
        self.code = _CODES["no data"]

    def tell(
        self, found: Record, folder: RunDir, gates_at: list[int], file: str = "", saved: bool = False
    ) -> str:
        """Write the files that were asked for and print the verdict; what is to be printed last."""
        from balance.experiment.wording import printable

        place = folder.path / VERDICT
        self._write(found, place, lambda: lines(found, folder if saved else None), file, gates_at)
        return "" if self._form is Format.JSON else f"Verdict: {printable(str(place))}\n"

    def tell_nothing(self, reason: str, target: str, folder: Path | None) -> None:
        """The same where nothing could be judged: whoever collects the files finds out why, and no pass."""
        from balance.analysis.gates import NO_DATA, VERDICT_SCHEMA

        found = {
            "schema": VERDICT_SCHEMA,
            "verdict": NO_DATA,
            "status": "not judged",
            "reason": reason,
            "game_title": "balance",
            "title": target,
            "cells": [],
            "gates": [],
        }
        self._write(found, folder / VERDICT if folder else None, lambda: lines(found))

    def _write(
        self,
        found: Record,
        place: Path | None,
        said: Callable[[], list[str]],
        file: str = "",
        gates_at: Sequence[int] = (),
    ) -> None:
        from balance.experiment.files import as_json, write_named, write_whole
        from balance.report import github
        from balance.report.junit import junit

        self.code = _CODES[found["verdict"]]
        found = found | {"exit_code": self.code}
        content = as_json(found)
        if place is not None:
            write_whole(place, content)
        if self._junit is not None:
            write_named(self._junit, junit(found))
        if self._summary is not None:
            _summarize(self._summary, github.markdown(found, found["verdict"]))
        if self._form is Format.JSON:
            sys.stdout.write(content.decode("utf-8", "surrogatepass"))
            return
        sys.stdout.write("\n".join(said()) + "\n")
        if os.environ.get("GITHUB_ACTIONS") == "true":
            sys.stdout.writelines(f"{line}\n" for line in github.notices(found, file, gates_at))


def _summarize(path: Path, text: str) -> None:
    """To the summary that GitHub gathers a step adds its own; any other file is written anew."""
    from balance.experiment.files import fault, write_named

    if str(path) != os.environ.get("GITHUB_STEP_SUMMARY"):
        write_named(path, text.encode("utf-8", "replace"))
        return
    try:
        with open(path, "ab") as file:
            file.write(text.encode("utf-8", "replace"))
    except OSError as error:
        raise fault(error, path) from error


def lines(found: Record, saved: RunDir | None = None) -> list[str]:
    """The verdict as lines of a terminal; of a run that was `saved` also how to go on where it was stopped."""
    from balance.cli.tables import filled
    from balance.report import gates, levels, undecided, words

    said = []
    if saved is not None and found["status"] != "complete":
        played = words.plural(sum(cell["games"] for cell in found["cells"]), "game")
        said += filled(f"This run was stopped after {played}. To go on: {saved.command_again}")
    for sentence in levels.of_gates(found):
        said += filled(sentence)
    for row in gates.rows(found):
        label = f"{'warning: ' if row.warns and row.verdict != 'pass' else ''}{row.verdict}".upper()
        where = f"{words.isolated(row.variant)}, {row.table}"
        sentence = f"{row.subject}, {where}: {row.found}; limit: {row.limits}. {row.more}"
        said += filled(f"{label:<12} {sentence}".rstrip())
    said += [
        *([""] if found["gates"] else []),
        *filled(f"{found['verdict'].upper()}. {gates.summary(found)}"),
    ]
    for sentence in gates.left_out(found):
        said += filled(sentence)
    needed = undecided.games_needed(found)
    if needed is not None:
        how = (
            f"--games {needed}, in another folder if you name one"
            if saved is None
            else "check its experiment file"
        )
        first = "; a gate has failed as soon as it does so anywhere" if undecided.is_of_several(found) else ""
        said += filled(
            f"About {words.count(needed)} games in each cell would probably decide every gate{first}: {how}."
        )
    return said
