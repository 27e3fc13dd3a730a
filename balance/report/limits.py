"""What the results may not be used for: who played, what was not tried, what a count does not see."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from balance.report import asking, verdicts, words
from balance.report.blocks import Section, Text

Record = Mapping[str, Any]
TITLE = "What these results may not be used for"
ALWAYS = "Whether the game is fun, easy to learn or worth its price was not measured."
OPEN = "What could not be told, or is inconclusive, is not thereby fair or harmless: it takes more games to say which."
INVENTED = "Invented cards stand in for the publisher's, so no number is one of the printed game: see the note on top."
ALONE = "Each variant was played by itself: two of them at once may do more, less, or something else."


def section(results: Record) -> Section:
    """The same on the page."""
    return Section("limits", TITLE, "", [Text(sentences(results), "list")])


def sentences(results: Record) -> list[str]:
    """A sentence for each limit that these results have."""
    cells = results["cells"]
    tables = asking.tables(asking.with_games(results))
    changes = {frozenset(cell["changes"]) for cell in cells if cell["changes"]}
    several = len(changes) > 1 and "sweep" not in results
    return [
        verdicts.lineup(results),
        f"Only games with {tables} were played, and only by the rules that stand below.",
        *([INVENTED] if words.deck_note(results) else []),
        *([ALONE] if several else []),
        *([OPEN] if _is_open(results) else []),
        ALWAYS,
    ]


def _is_open(results: Record) -> bool:
    """Whether anything that was asked of the seats or of a gate has no answer yet."""
    verdicts_of_cells = [cell.get("tests", {}).get("verdict") for cell in words.baseline_cells(results)]
    return "cannot tell" in verdicts_of_cells or "inconclusive" in [
        gate["verdict"] for gate in results["gates"]
    ]
