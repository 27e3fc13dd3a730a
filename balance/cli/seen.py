"""What `balance plan --games` found, as text for a terminal: how small a difference so many games show."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any

from balance.cli.planned import alike, beginning, metric_of, nothing_varied, unchanged
from balance.cli.tables import filled, table
from balance.report import words

Record = Mapping[str, Any]
DEALS = ("same_deals", "other_deals")


def as_text(facts: Record) -> str:
    """The answer in a sentence for each table, a small table where there is what shows, and what was measured."""
    lines = list(beginning(facts))
    for one in facts["tables"]:
        for sentence in _answers(facts, one):
            lines += filled(sentence)
        lines += [""]
        if _shows(one):
            heads = [words.setting(one), "games", "seconds", "show", "stopping"]
            lines += [*table([heads, *_rows(facts, one)]), ""]
        if not nothing_varied(one):
            lines += [*filled(_measured(facts, one), "  "), ""]
    reading = f"For {words.confidence(facts)} intervals, with a chance of {words.percent(facts['power'], 0)}."
    if any(map(_shows, facts["tables"])):
        reading += " Stopping: what the last game of a run shows that may stop as soon as it knows."
    return "\n".join([*lines, *filled(reading)]) + "\n"


def _shows(one: Record) -> bool:
    """Whether so many games show anything."""
    found = [one["alone"], *(each[deals] for each in one["comparisons"] for deals in DEALS)]
    return any(each["fixed"]["detect"] is not None for each in found if each is not None)


def _answers(facts: Record, one: Record) -> Iterator[str]:
    if nothing_varied(one):
        yield alike(facts, one)
        return
    start = f"With {words.setting(one)}, {words.plural(facts['games'], 'game')}"
    few = f"{'is' if facts['games'] == 1 else 'are'} too few to show"
    sure = f"show with a chance of {words.percent(facts['power'], 0)} that"
    if one["comparisons"][0]["variant"] is None:
        if not _shows(one):
            yield f"{start} {few} anything."
            return
        size = one["alone"]["fixed"]["detect"]
        yield (
            f"{start} {few} that {_off(facts, one, '')}, however far."
            if size is None
            else f"{start} {sure} {_off(facts, one, _size(facts, size))}, but less only by luck."
        )
    for found in one["comparisons"]:
        name = "a change of the rules" if found["variant"] is None else words.name(found["variant"])
        if found["same_deals"] is None or not found["changed"]:
            yield unchanged(facts, one, found)
            continue
        same, other = (found[deals]["fixed"]["detect"] for deals in DEALS)
        if same is None:
            yield f"{start} by each set of rules {few} anything of {name}."
            continue
        yield (
            f"{start} by each set of rules {sure} {name} makes a difference of {_size(facts, same)} in "
            f"{metric_of(facts)}; on different deals "
            + (
                "no difference would show."
                if other is None
                else f"it would have to be {_size(facts, other)}."
            )
        )


def _off(facts: Record, one: Record, size: str) -> str:
    off = f"{size} off".lstrip()
    if facts["metric"] == "win_share":
        return f"a {'team' if 'seats' in one else 'seat'} is {off} an even share of the wins"
    return f"{metric_of(facts)} is {off} what it should be"


def _size(facts: Record, detect: float) -> str:
    """A difference rounded up to two digits: '0.45 pp'."""
    size = 100 * detect if facts["share"] else detect
    step = 10.0 ** (math.floor(math.log10(size)) - 1)
    number = f"{math.ceil(size / step - 1e-9) * step:.10g}"
    return f"{number}{words.PP}" if facts["share"] else number


def _rows(facts: Record, one: Record) -> Iterator[list[str]]:
    yield from _row(facts, "one set of rules", one["alone"])
    for found in one["comparisons"]:
        name = "a change" if found["variant"] is None else words.isolated(found["variant"])
        yield from _row(facts, f"{name}, each, same deals", found["same_deals"])
        yield from _row(facts, f"{name}, each, other deals", found["other_deals"])


def _row(facts: Record, name: str, found: Record | None) -> Iterator[list[str]]:
    if found is not None:
        fixed, last = found["fixed"], found["stopping"]["detect"]
        seen = [words.NOTHING if one is None else _size(facts, one) for one in (fixed["detect"], last)]
        yield [name, words.count(fixed["games"]), words.fixed(fixed["seconds"]), *seen]


def _measured(facts: Record, one: Record) -> str:
    pilot, sd = one["pilot"], words.fixed(one["sd"], 3 if facts["share"] else 2)
    told = f"Measured in {words.plural(pilot['games'], 'game')}: {metric_of(facts)} has a spread (SD) of {sd} a game"
    assumed = [found["correlation"] for found in one["comparisons"] if found["variant"] is None]
    if not assumed or one["alone"] is None:
        return f"{told}."
    return f"{told}; not measured: that both rules correlate by {assumed[0]:g} on the same deals."
