"""What `balance plan --games` found, as text for a terminal: how small a difference so many games show."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any

from balance.cli.planned import alike, metric_of, unchanged
from balance.cli.tables import filled, table
from balance.report import words

Record = Mapping[str, Any]


def as_text(facts: Record) -> str:
    """The answer in a sentence for each table, a small table, and what was measured."""
    lines = [*filled(words.isolated(facts["title"])), ""]
    if "deck_note" in facts:
        lines += [*filled(facts["deck_note"]), ""]
    for one in facts["tables"]:
        for sentence in _answers(facts, one):
            lines += filled(sentence)
        rows = list(_rows(facts, one))
        heads = [words.setting(one), "games", "seconds", "show", "stopping"]
        lines += ["", *table([heads, *rows]), ""] if rows else []
        lines += [*filled(_measured(facts, one), "  "), ""]
    reading = (
        f"For {words.confidence(facts)} intervals, with a chance of {words.percent(facts['power'], 0)}. Stopping: what "
        "the last game of a run shows that may stop as soon as it knows."
    )
    return "\n".join([*lines, *filled(reading)]) + "\n"


def _answers(facts: Record, one: Record) -> Iterator[str]:
    start, games = f"With {words.setting(one)}", words.plural(facts["games"], "game")
    if one["alone"] is None:
        yield alike(facts, one)
        return
    named = one["comparisons"][0]["variant"] is not None
    if one["alone"]["fixed"]["detect"] is None and not named:
        yield f"{start}, {games} {'is' if facts['games'] == 1 else 'are'} too few to show anything."
        return
    sure = f"with a chance of {words.percent(facts['power'], 0)}"
    if not named:
        yield f"{start}, {games} show {sure} that {_off(facts, one)}, but less only by luck."
    for found in one["comparisons"]:
        name = "a change of the rules" if found["variant"] is None else words.name(found["variant"])
        if found["same_deals"] is None or not found["changed"]:
            yield unchanged(facts, one, found)
            continue
        if found["same_deals"]["fixed"]["detect"] is None:
            yield f"{start}, {games} {'is' if facts['games'] == 1 else 'are'} too few to show anything of {name}."
            continue
        same, other = (
            _size(facts, found[deals]["fixed"]["detect"]) for deals in ("same_deals", "other_deals")
        )
        yield (
            f"{start}, {games} by each set of rules show {sure} that {name} makes a difference of {same} in "
            f"{metric_of(facts)}; on different deals it would have to be {other}."
        )


def _off(facts: Record, one: Record) -> str:
    size = _size(facts, one["alone"]["fixed"]["detect"])
    if facts["metric"] == "win_share":
        return f"a {'team' if 'seats' in one else 'seat'} is {size} off an even share of the wins"
    return f"{metric_of(facts)} is {size} off what it should be"


def _size(facts: Record, detect: float) -> str:
    """A difference rounded up to two digits: '0.45 points'; of a share never more than there is."""
    size = min(100.0, 100 * detect) if facts["share"] else detect
    step = 10.0 ** (math.floor(math.log10(size)) - 1)
    return f"{math.ceil(size / step - 1e-9) * step:.10g}{' points' * facts['share']}"


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
