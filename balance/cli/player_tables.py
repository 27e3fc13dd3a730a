"""The tables of `balance players`, as text and as Markdown."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from balance.cli.tables import filled, table
from balance.report import words

Record = Mapping[str, Any]
Writer = Callable[[Record], list[str]]


def printed(facts: Record, markdown: bool) -> str:
    """The table of what was measured, under the note on its deck."""
    as_text, as_markdown = _WRITERS[facts["schema"].partition("/")[0]]
    lines = (as_markdown if markdown else as_text)(facts)
    note = [facts["deck_note"], ""] if "deck_note" in facts else []
    return "\n".join([*note, *lines]) + "\n"


def _lines(rows: Sequence[Sequence[str]]) -> list[str]:
    """A table in Markdown; the first row is its head."""
    head, *others = rows
    return [f"| {' | '.join(row)} |" for row in (head, ["---"] * len(head), *others)]


def _told(estimate: Record, share: bool = True) -> list[str]:
    """A number and its interval."""
    return [words.value(estimate, share), words.interval(estimate, share)]


def _with_interval(estimate: Record, share: bool = True) -> str:
    value, between = _told(estimate, share)
    return value if between == words.NOTHING else f"{value} ({between})"


def _what_they_do(facts: Record) -> list[str]:
    """What each type does, a line or more for each."""
    return [
        line
        for one in facts["types"]
        for line in filled(f"{words.isolated(one['policy'])}: {one['help']}", "  ")
    ]


# ---------------------------------------------------------------------- all types of players


def _caption(facts: Record) -> str:
    who = "team" if "teams" in facts else "player"
    others = words.plural(facts.get("teams", facts["players"]) - 1, who)
    return (
        f"{words.isolated(facts['game_title'])}, {words.table_size(facts)}: "
        f"one {who} of each type among {others} of another, in every seat equally often. Its share of the wins "
        f"in {words.count(facts['games'])} games, with the {words.confidence(facts)} interval. "
        f"An even share is {words.percent(facts['even'])}."
    )


def _share(estimate: Record | None) -> list[str]:
    """A share and its interval; among its own kind everybody is even."""
    return _told(estimate) if estimate else [words.NOTHING] * 2


def _text(facts: Record) -> list[str]:
    heads = [part for other in facts["against"] for part in (f"among {other}", "interval")]
    rows = [["", *heads]]
    for one in facts["types"]:
        shares = [part for other in facts["against"] for part in _share(one["win_share"][other])]
        rows.append([words.isolated(one["policy"]), *shares])
    return [*filled(_caption(facts)), "", *table(rows), "", *_what_they_do(facts)]


def _markdown(facts: Record) -> list[str]:
    rows = [["type of player", "what it does", *(f"among `{other}`" for other in facts["against"])]]
    for one in facts["types"]:
        shares = [one["win_share"][other] for other in facts["against"]]
        cells = [_with_interval(share) if share else words.NOTHING for share in shares]
        rows.append([f"`{one['policy']}`", one["help"].replace("|", "\\|"), *cells])
    return [_caption(facts), "", *_lines(rows)]


# ---------------------------------------------------------------------- seat by seat


def _caption_by_seat(facts: Record) -> str:
    games = min(table["games"] for one in facts["types"] for table in one["tables"])
    team = ", or one team," if _has_teams(facts) else ""
    return (
        f"{words.isolated(facts['game_title'])}: one player of a type{team} in each seat among {facts['against']} "
        f"players. Its share of the wins in at least {words.count(games)} games at each number of players, "
        f"with the {words.confidence(facts)} interval."
    )


def _has_teams(facts: Record) -> bool:
    return any("teams" in found for one in facts["types"] for found in one["tables"])


def _text_by_seat(facts: Record) -> list[str]:
    lines = filled(_caption_by_seat(facts))
    for one in facts["types"]:
        rows = [[words.isolated(one["policy"]), "even share", "share of wins", "interval"]]
        for found in one["tables"]:
            even, size = words.percent(found["even"]), words.table_size(found)
            for at, share in enumerate(found["seats"]):
                place = f"team {at + 1}" if "teams" in found else words.seat(at)
                rows.append([f"{size}, {place}", even, *_share(share)])
        lines += ["", *table(rows)]
    return lines


def _markdown_by_seat(facts: Record) -> list[str]:
    most = max(len(table["seats"]) for one in facts["types"] for table in one["tables"])
    teams = [f" or team {seat + 1}" if _has_teams(facts) else "" for seat in range(most)]
    places = [f"{words.seat(seat)}{team}" for seat, team in enumerate(teams)]
    heads = ["type of player", "players", "even share", *places]
    rows = [heads]
    for one in facts["types"]:
        for found in one["tables"]:
            shares = [_with_interval(share) for share in found["seats"]]
            mode = f" ({found['mode']})" if "mode" in found else ""
            start = [f"`{one['policy']}`", f"{found['players']}{mode}", words.percent(found["even"])]
            rows.append([*start, *shares, *[""] * (most - len(shares))])
    return [_caption_by_seat(facts), "", *_lines(rows)]


# ---------------------------------------------------------------------- what they take


def _caption_of_mix(facts: Record) -> str:
    return (
        f"{words.isolated(facts['game_title'])}, {words.table_size(facts)}, all of one type. "
        f"{words.isolated(facts['title'])}: each item's share of all that were taken in "
        f"{words.count(facts['games'])} games, with an interval of at least {words.confidence(facts)}."
    )


def _items(facts: Record) -> list[str]:
    """The items that some type could take."""
    return [item for item in facts["types"][0]["taken"] if any(one["taken"][item] for one in facts["types"])]


def _part(one: Record, item: str) -> Record | None:
    found = one["taken"][item]
    return found["share"] if found else None


def _text_of_mix(facts: Record) -> list[str]:
    lines = filled(_caption_of_mix(facts))
    for one in facts["types"]:
        rows = [[words.isolated(one["policy"]), "share", "interval"]]
        rows += [[words.isolated(item), *_share(_part(one, item))] for item in _items(facts)]
        lines += ["", *table(rows)]
    return lines


def _markdown_of_mix(facts: Record) -> list[str]:
    rows = [["type of player", *_items(facts)]]
    for one in facts["types"]:
        parts = [_part(one, item) for item in _items(facts)]
        cells = [_with_interval(part) if part else words.NOTHING for part in parts]
        rows.append([f"`{one['policy']}`", *cells])
    return [_caption_of_mix(facts), "", *_lines(rows)]


# ---------------------------------------------------------------------- alone


def _caption_alone(facts: Record) -> str:
    of_goal = "How often the goal is reached, and the mean score" if "goal" in facts else "The mean score"
    goal = f" The goal: {facts['goal']}" if "goal" in facts else ""
    return (
        f"{words.isolated(facts['game_title'])}, {words.table_size(facts)}: each type alone, in "
        f"{words.count(facts['games'])} games. {of_goal}, with {words.confidence(facts)} intervals.{goal}"
    )


def _found_alone(facts: Record) -> dict[str, bool]:
    """What is told of a player alone, and whether it is a share."""
    return {"goal_rate": True, "score": False} if "goal" in facts else {"score": False}


_HEADS = {"goal_rate": "goal reached", "score": "mean score"}


def _text_alone(facts: Record) -> list[str]:
    found = _found_alone(facts)
    rows = [["", *(part for name in found for part in (_HEADS[name], "interval"))]]
    for one in facts["types"]:
        parts = [part for name, share in found.items() for part in _told(one[name], share)]
        rows.append([words.isolated(one["policy"]), *parts])
    return [*filled(_caption_alone(facts)), "", *table(rows), "", *_what_they_do(facts)]


def _markdown_alone(facts: Record) -> list[str]:
    found = _found_alone(facts)
    rows = [["type of player", *(_HEADS[name] for name in found)]]
    for one in facts["types"]:
        rows.append(
            [f"`{one['policy']}`", *(_with_interval(one[name], share) for name, share in found.items())]
        )
    return [_caption_alone(facts), "", *_lines(rows)]


_WRITERS: dict[str, tuple[Writer, Writer]] = {
    "balance.players": (_text, _markdown),
    "balance.players-by-seat": (_text_by_seat, _markdown_by_seat),
    "balance.players-mix": (_text_of_mix, _markdown_of_mix),
    "balance.players-alone": (_text_alone, _markdown_alone),
}
"""How each kind of facts is written, as text and as Markdown."""
