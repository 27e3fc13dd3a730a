"""What a sequential test came to, in words: which claim was accepted, after how many games, and what the number is."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from balance.report import words
from balance.report.blocks import Section, Text

Record = Mapping[str, Any]


def sentences(results: Record) -> list[str]:
    """A sentence for each cell that was tested, and one about errors; none for other runs."""
    found = results.get("sprt")
    if not found:
        return []
    named = {cell["name"]: cell for cell in results["cells"]}
    told = [_tested(found, one, named[one["cell"]], results) for one in found["cells"]]
    chance = words.quantity(round(100 * found["error"], 6))
    return [
        *told,
        f"Where one of the two claims is true, the other is accepted with a chance of {chance} % at most. "
        "Where the truth lies between them, either may be.",
    ]


def _tested(found: Record, one: Record, cell: Record, results: Record) -> str:
    where = f"With {words.setting(cell)}, {words.isolated(cell['variant'])}"
    games = f"after {words.plural(cell['games'], 'game')}"
    low, high = (_claim(found, mean) for mean in found["means"])
    if one["accepted"] is None:
        told = (
            f"it is undecided {games} whether {_who(found, results)} {high} or only {low} (log-likelihood ratio "
            f"{words.fixed(one['llr'], 2)}, to be decided at {words.fixed(one['lower'], 2)} and "
            f"{words.fixed(one['upper'], 2)})"
        )
    else:
        told = f"{_who(found, results)} {high if one['accepted'] else low}: accepted {games}"
    return f"{where}: {told}. {_number(found, one)}"


def _who(found: Record, results: Record) -> str:
    if found["policy"] is not None:
        return f"{words.name(found['policy'])}"
    title = words.name(words.title(results, found["metric"]))
    return title if found["seat"] is None else f"{words.seat(found['seat'])}'s {title}"


def _claim(found: Record, mean: float) -> str:
    """'wins at least 2 pp more than an even share', 'changes by at most 1 pp'."""
    first = mean == found["means"][0]
    limit = "at most" if first else "at least"
    size = f"{round(100 * mean, 6):g}{words.PP}"
    if found["policy"] is not None:
        return f"wins {limit} {size} more than an even share"
    return f"changes by {limit} {size}"


def _number(found: Record, one: Record) -> str:
    share = found["policy"] is not None
    shown, interval = (
        (words.value, words.interval) if share else (words.difference, words.difference_interval)
    )
    whose = "Its share of the wins" if share else "The change"
    even = f"; even would be {words.percent(one['even'])}" if share else ""
    corrected = one["corrected"]
    told = (
        f", corrected for a test that ended play: {shown(corrected, True)} ({interval(corrected, True)}); not corrected"
        if corrected
        else ""
    )
    return (
        f"{whose}{told}: {shown(one['plain'], True)} ({interval(one['plain'], True)} as if the games had been fixed, "
        f"{interval(one['adjusted'], True)} whenever one stops){even}."
    )


def section(results: Record) -> Section:
    """The same on the page."""
    told = sentences(results)
    return Section("sprt", "What the sequential test came to", "", [Text(told, "list")] if told else [])
