"""What a sequential test came to, in words: which claim it chose, after how many games, and what the number is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from balance.report import differences, words
from balance.report.blocks import Section, Text

Record = Mapping[str, Any]
OTHERS = (
    "Play ends as soon as the test has chosen. Its intervals, and those of differences, allow for that; all others "
    "would hold for a number of games that was fixed."
)
NEITHER = " That lies between the two: neither is true."


def sentences(results: Record) -> list[str]:
    """A sentence for each cell that was tested, and one about errors; none for other runs."""
    found = results.get("sprt")
    if not found:
        return []
    told = [f"{where}: {choice}. {_number(found, one)}" for where, choice, one in _choices(results)]
    chance = words.quantity(round(100 * found["error"], 6))
    return [
        *told,
        f"Where one of the two is true, the other is chosen with a chance of {chance} % at most. Where the truth lies "
        f"between them, either may be. {OTHERS}",
    ]


def in_short(results: Record) -> str:
    """What the test chose in each cell, as the answer to the question of the run; '' for other runs."""
    found = results.get("sprt")
    if not found:
        return ""
    chance = words.quantity(round(100 * found["error"], 6))
    told = []
    for where, choice, one in _choices(results):
        sure = f" (wrong in at most {chance} %)" if one["accepted"] is not None else ""
        whose, number, between = _shown(found, one["corrected"] or one["adjusted"])
        neither = NEITHER if _between(found, one) else ""
        told.append(f"{where}: {choice}{sure}; {whose}: {number} ({between}).{neither}")
    return " ".join(told)


def is_told(results: Record) -> bool:
    """Whether the test chose in every cell."""
    return all(one["accepted"] is not None for one in results["sprt"]["cells"])


def _choices(results: Record) -> Iterator[tuple[str, str, Record]]:
    """For each cell where it is, which of the two claims the test chose, and the test."""
    found = results["sprt"]
    named = {cell["name"]: cell for cell in results["cells"]}
    claims = [words.name(_claim(found, mean, at)) for at, mean in enumerate(found["means"])]
    for one in found["cells"]:
        cell = named[one["cell"]]
        where = f"With {words.setting(cell)}, {words.isolated(cell['variant'])}"
        games = f"after {words.plural(cell['games'], 'game')}"
        told = f"the test has not chosen between {' and '.join(claims)} {games}"
        if one["accepted"] is not None:
            chosen, other = claims if one["accepted"] == 0 else claims[::-1]
            told = f"the test chose {chosen}, not {other}, {games}"
        yield where, f"in {_what(found, results)} {told}", one


def _what(found: Record, results: Record) -> str:
    """What the claims are about: 'seat 2's share of wins', 'the share of wins of "greedy"'."""
    if found["policy"] is not None:
        return f"the share of wins of {words.name(found['policy'])}"
    return differences.subject(results, found)


def _claim(found: Record, mean: float, at: int) -> str:
    """The first claim is that a share is at most so much more, the second at least: 'no more than before', 'at least
    2 pp more than an even share', 'at least 3 pp less'."""
    even = "an even share" if found["policy"] is not None else ""
    if not mean:
        return f"at {('most', 'least')[at]} {even}" if even else f"no {('more', 'less')[at]} than before"
    size, way = f"{round(100 * abs(mean), 6):g}{words.PP}", "more" if mean > 0 else "less"
    bound = ("most", "least")[at] if mean > 0 else ("least", "most")[at]
    return f"at {bound} {size} {way}{f' than {even}' * bool(even)}"


def _between(found: Record, one: Record) -> bool:
    """Whether the number surely lies between the two claims, so that neither is true."""
    shown, off = one["corrected"] or one["adjusted"], one["even"] if found["policy"] is not None else 0.0
    if None in (shown["low"], shown["high"]):
        return False
    low, high = (off + mean for mean in found["means"])
    return bool(low < shown["low"] and shown["high"] < high)


def _shown(found: Record, estimate: Record) -> tuple[str, str, str]:
    """Whose number it is, the number and its interval."""
    if found["policy"] is not None:
        return "its share of the wins", words.value(estimate, True), words.interval(estimate, True)
    return "the change", words.difference(estimate, True), words.difference_interval(estimate, True)


def _number(found: Record, one: Record) -> str:
    even = f"; even would be {words.percent(one['even'])}" if found["policy"] is not None else ""
    whose, number, fixed = _shown(found, one["plain"])
    _, _, looked = _shown(found, one["adjusted"])
    told = ""
    if one["corrected"]:
        _, corrected, between = _shown(found, one["corrected"])
        told = f", corrected for a test that ended play: {corrected} ({between}); not corrected"
    return (
        f"{words.capital(whose)}{told}: {number} ({fixed} as if the games had been fixed, {looked} whenever one "
        f"stops){even}.{NEITHER if _between(found, one) else ''}"
    )


def section(results: Record) -> Section:
    """The same on the page."""
    told = sentences(results)
    return Section("sprt", "What the sequential test came to", "", [Text(told, "list")] if told else [])
