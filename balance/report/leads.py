"""How early is it decided: how often the leader after each round wins, and the biggest comebacks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from balance.report import cells, figures, folder, logs, words
from balance.report.blocks import Chart, Charts, Command, Part, Section, Table, Terms, Text, table

Record = Mapping[str, Any]
SHOWN = 0.05
"""Rounds that fewer of the games went beyond are left out."""
UNKNOWN: Record = {"value": None, "low": None, "high": None}


def section(results: Record) -> Section:
    """The leads of each table's baseline; empty where nothing is known of them."""
    found = [cell for cell in words.baseline_cells(results) if "leads" in cell]
    if not found:
        return Section("leads", "")
    parts = cells.by_table(results, lambda one: _of_cell(results, one))
    terms = Part("How this is counted", [Terms(_terms(results))], folded=True)
    return Section("leads", "How early is it decided?", lede(found, results), [*parts, terms])


def lede(found: Sequence[Record], results: Record) -> str:
    """How often whoever leads half-way wins: at each table, or the least and the most of them."""
    known = [cell for cell in found if cell["leads"]["half"]]
    rounds, first = f"{words.table_word(results, 'round')}s", _first(found)
    if not known:
        return f"In none of {first} does anybody lead alone after half of the {rounds}."
    ends = sorted(known, key=lambda cell: float(cell["leads"]["half"]["value"]))
    shown = known if len(known) <= 3 else [ends[0], ends[-1]]
    rates = [f"{_rate(cell['leads']['half'])} with {words.setting(cell)}" for cell in shown]
    told = f"{rates[0]} to {rates[1]}" if len(known) > 3 else "; ".join(rates)
    leads = f"In {first}: where somebody leads alone after half of the {rounds}, the leader wins {told}."
    return f"{leads}{_biggest(found)}"


def _biggest(found: Sequence[Record]) -> str:
    """' The biggest comeback, from 38 behind, was with 4 players.', where there is more than one table."""
    biggest = [(one["leads"]["comebacks"][0]["behind"], one) for one in found if one["leads"]["comebacks"]]
    if len(found) == 1 or not biggest:
        return ""
    behind, cell = max(biggest, key=lambda one: float(one[0]))
    return f" The biggest comeback, from {words.quantity(behind)} behind, was with {words.setting(cell)}."


def _first(found: Sequence[Record]) -> str:
    """Which games were looked at: 'the first 500 games', or 'the first games of each table'."""
    counts = {cell["leads"]["games"] for cell in found}
    number = counts.pop() if len(counts) == 1 else 0
    games = {0: "games", 1: "game"}.get(number, f"{words.count(number)} games")
    return f"the first {games}{' of each table' * (len(found) > 1)}"


def sentence(cell: Record, results: Record) -> str:
    """What is known of one table in words."""
    led, rounds = cell["leads"], f"{words.table_word(results, 'round')}s"
    moved, behind = led["changes"], led["behind"]
    who, sides = "team" if "teams" in cell else "player", len(words.sides(cell))
    last = (
        f"Of the games in which somebody is behind all others after half of the {rounds}, that {who} wins "
        f"{_rate(led['last'])}. "
        if led["last"] and sides > 2  # of two, it is the rest of what the leader wins
        else ""
    )
    tenth, unmoved, ahead = (
        words.quantity(behind["quantiles"]["p90"]),
        _rate(moved["none"]),
        _rate(behind["none"]),
    )
    never = f", and never in {unmoved} of the games" if unmoved != ahead else ""
    return (
        f"{last}The lead passes to another {_rate(moved['mean'], False)} times a game{never}. "
        f"In {ahead} of the games the winner was never behind; in one of ten it was by {tenth} or more, "
        f"and {words.quantity(behind['max'])} was the most that was caught up."
    )


def _rate(estimate: Record, share: bool = True) -> str:
    """A value with its interval, where it has one: '70.0 % (68.0 to 72.0 %)', '2'."""
    between = words.interval(estimate, share)
    exact = words.value(estimate, share)
    return exact if between == words.NOTHING else f"{exact} ({between})"


def _of_cell(results: Record, one: cells.Placed) -> cells.Blocks:
    if "leads" not in one.cell:
        return []
    games = words.plural(one.cell["leads"]["games"], "game")
    return [
        Text([sentence(one.cell, results)]),
        Text([f"From the first {games} of {one.quoted}, played once more."], "aside"),
        Charts([_chart(results, one)]),
        *_comebacks(results, one),
    ]


def _chart(results: Record, one: cells.Placed) -> Chart:
    led, unit = one.cell["leads"], words.table_word(results, "round")
    shown = [step for step in led["rounds"] if step["games"] >= SHOWN * led["games"]]
    even = 1 / len(words.sides(one.cell))
    lines = [[step["wins"] or UNKNOWN for step in shown], [step["decided"] for step in shown]]
    rows = [
        [
            f"{words.capital(unit)} {step['round']}",
            words.count(step["games"]),
            words.percent(step["alone"]),
            *_numbers(step["wins"] or UNKNOWN),
            *_numbers(step["decided"]),
        ]
        for step in shown
    ]
    heads = [f"After {unit}", "#Games", "#Leads alone", "#Leader wins", "#Interval", "#Decided", "#Interval"]
    figure = figures.curves(
        ["The leader wins", "Decided"],
        [step["round"] for step in shown],
        lines,
        f"after {unit}",
        "% of games",
        100,
    )
    figure["layout"]["yaxis"] |= {"range": [0, 104]}
    figure["layout"] |= {"shapes": [figures.even_line(even)]}
    ends = shown[0]["games"] > shown[-1]["games"] if shown else False
    fewer = "The games that still go on are ever fewer, and the closer ones. " if ends else ""
    told = (
        f"How often whoever leads alone after a {unit} wins in the end, and how often the later winner led from there "
        f"on; the level line: an even share, {words.percent(even)}. {fewer}"
        f"{words.capital(unit)}s after which fewer than one game in twenty went on are left out."
    )
    numbers = table(f"Who leads, and who wins: {one.where}", heads, rows)
    return Chart(f"leads-{one.index}", f"The leader after each {unit}", told, figure, numbers)


def _numbers(estimate: Record) -> list[str]:
    return [words.value(estimate, True), words.interval(estimate, True)]


def _comebacks(results: Record, one: cells.Placed) -> list[Command | Table]:
    found, unit = one.cell["leads"]["comebacks"], words.table_word(results, "round")
    if not found:
        return []
    line = f"balance replay {folder.name(results)} --game {found[0]['game']} --cell {one.cell['name']}"
    lede = f"The biggest comeback can be read move by move; {folder.explained(results)}."
    told = logs.anchor(one.cell, found[0]["game"])
    command = Command(lede, line, told, "Read it below." if told else "")
    heads = ["#Game", "Won by", "#Was behind by", f"#After {unit}"]
    rows = [
        [str(entry["game"]), _won_by(entry), words.quantity(entry["behind"]), str(entry["round"])]
        for entry in found
    ]
    return [table(f"The biggest comebacks: {one.where}", heads, rows), command]


def _won_by(entry: Record) -> str:
    return f"{words.side(entry)}{', sharing the win' if entry.get('shared') else ''}"


def _terms(results: Record) -> list[tuple[str, str]]:
    unit = words.table_word(results, "round")
    return [
        (
            "Leads alone",
            "Would be the only winner if the game ended there: by the points so far and, where they are equal, the "
            "tiebreak. What the rules count only at the end does not show before.",
        ),
        (
            "The leader wins",
            "Of the games in which somebody leads alone after that round, the part that this leader wins. A shared "
            "win counts in parts.",
        ),
        (
            "Decided",
            f"From that {unit} on the later winner, who does not share the win, led alone after each {unit}.",
        ),
        (
            f"Half of the {unit}s",
            f"Half of the {unit}s that this game lasted, rounded down.",
        ),
        (
            "Behind",
            f"Points less than whoever had most after a {unit}; of the winner, or of whoever shares the win, the most "
            "over all of them.",
        ),
        (
            "Behind all others",
            "Alone in the last place, by points and then by the tiebreak: where several share it, nobody is. A shared "
            "win counts in parts here too.",
        ),
        (
            "Games",
            f"In how many of the games looked at play went on after that {unit}.",
        ),
    ]
