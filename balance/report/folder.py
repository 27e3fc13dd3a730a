"""The run's folder as the page's commands name it: as it was typed, and never where on a machine it lies."""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping
from typing import Any

from balance.experiment.wording import name_of_run, printable

Record = Mapping[str, Any]
UNNAMED = "RUN"


def name(results: Record) -> str:
    """The folder, ready for a command line; of one that was given by its whole path the last name alone."""
    found = _typed(str(results.get("timing", {}).get("command", "")))
    if found is None:
        digest = str(results["provenance"].get("experiment", ""))
        title, game = (str(results.get(key, "")) for key in ("title", "game"))
        return f"reports/{name_of_run(title, game, digest)}" if digest else UNNAMED
    parts = [part for part in re.split(r"[/\\]", found) if part not in ("", ".")]
    is_path = found[:1] in "/\\~" or ":" in found or ".." in parts
    shown = "/".join(parts[-1:] if is_path else parts)
    if shown in ("", "..", "~"):
        return UNNAMED
    means_else = shown == results["game"] or shown.startswith("-")
    return shlex.quote(printable(f"./{shown}" if means_else else shown))


def explained(results: Record) -> str:
    """What a reader must know of the name to use it in a command."""
    return (
        f"{name(results)} is the folder that this page was made in; if it lies elsewhere, give its whole path, and if "
        "you have the page alone, the command at its end makes the folder"
    )


def with_out(command: str, results: Record) -> str:
    """The command of a run with the folder that the page's other commands name, where it is not the usual one."""
    typed = _typed(str(results.get("timing", {}).get("command", "")))
    return command if typed is None or name(results) == UNNAMED else f"{command} --out {name(results)}"


def _typed(command: str) -> str | None:
    """What stands behind `--out`; None where nothing does."""
    try:
        words = shlex.split(command)
    except ValueError:
        return None
    for at, word in enumerate(words):
        option, equals, value = word.partition("=")
        if option == "--out":
            return value if equals else "".join(words[at + 1 : at + 2])
    return None
