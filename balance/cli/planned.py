"""What `balance plan` found, as text for a terminal of 80 columns."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from balance.cli.tables import filled, table
from balance.errors import listed
from balance.report import words

Record = Mapping[str, Any]


def as_text(facts: Record) -> str:
    """The answer in a sentence for each table, a small table, and what was measured."""
    lines = list(beginning(facts))
    for one in facts["tables"]:
        for sentence in _answers(facts, one):
            lines += filled(sentence)
        lines += [""]
        if nothing_varied(one):
            continue
        lines += [*table([_heads(one), *_rows(one)]), ""]
        lines += [line for sentence in _measured(facts, one) for line in filled(sentence, "  ")] + [""]
    return "\n".join([*lines, *filled(_reading(facts))]) + "\n"


def beginning(facts: Record) -> Iterator[str]:
    """The lines before all answers: what is asked about, what its deck is, and which tables cannot be asked."""
    paragraphs = [words.isolated(facts["title"])]
    if "deck_note" in facts:
        paragraphs.append(facts["deck_note"])
    for usual in dict.fromkeys(one["usual"] for one in facts["left_out"]):
        sizes = [words.table_size(one) for one in facts["left_out"] if one["usual"] == usual]
        paragraphs.append(
            f"With {listed(sizes)} there is no {metric_of(facts)}, so no pilot was played: ask with --metric {usual}."
        )
    for paragraph in paragraphs:
        yield from (*filled(paragraph), "")


def nothing_varied(one: Record) -> bool:
    """Whether a pilot says nothing at all of a table."""
    return one["alone"] is None and all(found["same_deals"] is None for found in one["comparisons"])


def _answers(facts: Record, one: Record) -> Iterator[str]:
    what = f"{_size(facts)} in {metric_of(facts)}"
    start, sure = f"With {words.setting(one)}", words.percent(facts["power"], 0)
    if nothing_varied(one):
        yield alike(facts, one)
        return
    if one["comparisons"][0]["variant"] is None:
        fixed = one["alone"]["fixed"]
        yield (
            f"{start}, to see with a chance of {sure} that {_off(facts, one)} play {_games(fixed)}: {_time(fixed)} "
            "on this machine."
        )
    for found in one["comparisons"]:
        name = "a change of the rules" if found["variant"] is None else words.name(found["variant"])
        if found["same_deals"] is None or not found["changed"]:
            yield unchanged(facts, one, found)
        else:
            same, other = found["same_deals"]["fixed"], found["other_deals"]["fixed"]
            yield (
                f"{start}, to see with a chance of {sure} that {name} makes a difference of {what}, play "
                f"{_games(same)} by each set of rules: {_time(same)} on this machine. On different deals it would "
                f"take {_games(other)}."
            )


def alike(facts: Record, one: Record) -> str:
    """Why a pilot in which nothing varied says nothing: all was the same, or void."""
    start = f"With {words.setting(one)}"
    if one["void"]:
        return f"{start}, void games left nothing of the pilot that counts, so there is nothing to plan with."
    return f"{start} {metric_of(facts)} was the same in every game of the pilot, so there is nothing to plan."


def unchanged(facts: Record, one: Record, found: Record) -> str:
    """Why a pilot says nothing about a change that moved nothing in it."""
    start = f"With {words.setting(one)}, {words.name(found['variant'])}"
    if found["void"]:
        return f"{start} left no deal of the pilot in which no game was void, so nothing can be compared."
    if found["few"] is not None:
        deals = words.plural(found["few"], "deal")
        return (
            f"{start} changed {metric_of(facts)} on {deals} of the pilot: too few to plan with. `balance compare` with "
            "--for 60s, say, shows more of so rare a change."
        )
    if not found["changed"]:
        return f"{start} changed not one game of the pilot, so there is nothing to see."
    return f"{start} changed {metric_of(facts)} in no game of the pilot, so there is nothing to plan."


def _off(facts: Record, one: Record) -> str:
    if facts["metric"] == "win_share":
        return f"a {'team' if 'seats' in one else 'seat'} is {_size(facts)} off an even share of the wins,"
    return f"{metric_of(facts)} is {_size(facts)} off what it should be,"


def _size(facts: Record) -> str:
    if not facts["share"]:
        return f"{facts['detect']:g}"
    return f"{100 * facts['detect']:g}{words.PP}"


def metric_of(facts: Record) -> str:
    """What is asked about, as a sentence calls it."""
    return "share of wins" if facts["metric"] == "win_share" else words.name(facts["metric_title"])


def _games(found: Record) -> str:
    return words.plural(_rounded(found["games"]), "game")


def _rounded(games: int) -> int:
    """Up to three digits: the pilot knows no more."""
    step: int = 10 ** max(0, len(str(games)) - 3)
    return -(-games // step) * step


def _time(found: Record) -> str:
    seconds = found["seconds"]
    if seconds is None:
        return "an unknown time"
    if seconds < 1:
        return "less than a second"
    if seconds < 120:
        return f"about {words.plural(round(seconds), 'second')}"
    minutes = seconds / 60
    return (
        f"about {words.plural(round(minutes), 'minute')}"
        if minutes < 120
        else f"about {minutes / 60:.0f} hours"
    )


def _heads(one: Record) -> list[str]:
    return [words.setting(one), "games", "seconds", "stopping: at most", "seconds"]


def _rows(one: Record) -> Iterator[list[str]]:
    yield _row("one set of rules", one["alone"])
    for found in one["comparisons"]:
        name = "a change" if found["variant"] is None else words.isolated(found["variant"])
        yield _row(f"{name}, each, same deals", found["same_deals"])
        yield _row(f"{name}, each, other deals", found["other_deals"])


def _row(name: str, found: Record | None) -> list[str]:
    if found is None:
        return [name, *[words.NOTHING] * 4]
    cells = [cell for key in ("fixed", "stopping") for cell in (_count(found[key]), _seconds(found[key]))]
    return [name, *cells]


def _count(found: Record) -> str:
    return words.count(_rounded(found["games"]))


def _seconds(found: Record) -> str:
    return words.fixed(found["seconds"], 1 if (found["seconds"] or 0) < 100 else 0)


def _measured(facts: Record, one: Record) -> Iterator[str]:
    pilot = one["pilot"]
    varies = "vary" if "seats" in one else "varies"
    whose = "" if one["seat"] is None else f" of {words.side(one)}, which {varies} most,"
    sd = words.fixed(one["sd"], 3 if facts["share"] else 2)
    each = " by each set of rules" if one["comparisons"][0]["variant"] is not None else ""
    threads = words.plural(pilot["threads"], "thread")
    yield (
        f"Measured in {words.plural(pilot['games'], 'game')}{each}: {metric_of(facts)}{whose} has a "
        f"spread (SD) of {sd} a game; {words.count(pilot['games_per_second'])} games a second on {threads}."
    )
    for found in one["comparisons"]:
        if found["variant"] is None:
            yield (
                f"Not measured: that both rules correlate by {found['correlation']:g} on the same deals. Name the "
                "change with --set RULE=VALUE, and it is."
            )
        elif found["correlation"] is not None and found["worth"] is not None:
            of = "" if found["seat"] is None else f" ({words.side(found)})"
            yield (
                f"{words.name(found['variant'])}: on the same deals both rules correlate by "
                f"{words.fixed(found['correlation'], 2)}{of}; a game is worth {words.fixed(found['worth'], 1)} on "
                "different deals."
            )


def _reading(facts: Record) -> str:
    text = (
        f"For {words.confidence(facts)} intervals. Stopping: a run that may stop as soon as it knows takes so many at "
        "most, and often far fewer."
    )
    if facts["questions"] < 2:
        return text
    return (
        f"{text} Asked beside all headline numbers, {words.count(facts['questions'])} of them, a difference takes up "
        f"to {words.fixed(facts['price'], 1)} times as many."
    )
