"""The sections of the page in order. A section is data; none knows a game by name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from balance.report import (
    answers,
    cards,
    cells,
    differences,
    first_screen,
    folder,
    gates,
    glossary,
    leads,
    level_charts,
    limits,
    logs,
    lopsided,
    measures,
    minutes,
    precision,
    rules,
    seats,
    series,
    sprt,
    summary,
    sweep_page,
    takings,
    usage,
    variants,
    voids,
    words,
)
from balance.report.blocks import Command, Entry, Part, Section, Table, Text, table

Record = Mapping[str, Any]
Row = list[str | Entry]


def sections(results: Record) -> list[Section]:
    """Every section that has something to show: first the answer to what the experiment asks, or the verdict."""
    everything = [
        first_screen.section(results),
        answer(results),
        sweep_page.section(results),
        cards.section(results),
        level_charts.section(results),
        gates.section(results),
        precision.section(results),
        sprt.section(results),
        changes(results),
        limits.section(results),
        checks(results),
        numbers(results),
        leads.section(results),
        side_by_side(results),
        value_by_value(results),
        usage.section(results),
        takings.section(results),
        inside(results),
        records(results),
        Section("rules", "Rules that were played", "", rules.tables(results)),
        Section("reading", "How to read this page", "", [glossary.terms(results)]),
        provenance(results),
        timing(results),
    ]
    return [section for section in everything if section.blocks]


# ---------------------------------------------------------------------- what was found


def answer(results: Record) -> Section:
    """What the first series of the experiment says, which is its question."""
    one = answers.headline(results)
    if one is None:
        return Section("answer", "")
    blocks = [series.answers_of(one, results)]
    return Section("answer", "Value by value", answers.terms(one, results), blocks)


def changes(results: Record) -> Section:
    """What the variants change, in words, biggest first."""
    sentences = differences.sentences(results)
    lede = (
        f"Each variant against {words.name(words.baseline_name(results))}, played on the same deals. "
        "What got worse comes first, then the biggest changes, measured by how much the number varies from game to "
        "game."
    )
    return Section(
        "changes", "What the variants change", lede, [Text(sentences, "list")] if sentences else []
    )


def checks(results: Record) -> Section:
    """Warnings of the run, and the checks on the components."""
    warned = [*results["warnings"], *voids.few(results)]
    blocks: list[Any] = [Text(warned, "caution")] if warned else []
    rows = [row for metric in measures.checks(results) for row in _checked(results, metric)]
    if rows:
        heads = ["Check", "Rules", "#Largest seen", "#Mean or share", "Seen largest in"]
        blocks += [Text([told])] if (told := measures.shortage(results)) else []
        blocks.append(table("Do the components suffice? The largest demand of all cells", heads, rows))
    return Section("checks", "Warnings and component checks", "", blocks)


def _checked(results: Record, metric: str) -> list[Row]:
    """One check: a row for the baseline and one for the variants, each with the cell that demands most."""
    baseline = words.baseline_name(results)
    shown = [one for one in cells.every(results) if metric in one.cell["measures"]]
    sides = {
        "baseline": [one for one in shown if one.cell["variant"] == baseline],
        "variants": [one for one in shown if one.cell["variant"] != baseline],
    }
    title = measures.head(results, metric)
    return [
        [Entry(title.text, "" if row else title.note), side, *_largest(results, metric, members)]
        for row, (side, members) in enumerate(sides.items())
        if members
    ]


def _largest(results: Record, metric: str, members: Sequence[cells.Placed]) -> list[str]:
    worst = max(members, key=lambda one: _demand(one.cell["measures"][metric]))
    measure = worst.cell["measures"][metric]
    most = words.plural(measure["count"], "game") if "count" in measure else words.quantity(measure["max"])
    mean = words.value(measure["mean"], words.is_share(results, metric))
    return [most, mean, worst.where]


def _demand(measure: Record) -> tuple[float, float]:
    mean = float(measure["mean"]["value"] or 0)
    return (mean, mean) if "count" in measure else (float(measure["max"]), mean)


# ---------------------------------------------------------------------- the numbers


def numbers(results: Record) -> Section:
    """Seats, scores, length and policies for each number of players."""
    glance = [seats.overview(results)] if len(cells.placed(results)) > 1 else []
    full = cells.in_full(results)
    parts = cells.by_table(results, lambda one: seats.in_full(results, one, one.index in full))
    return Section(
        "seats",
        "Seats, scores and length",
        " ".join(part for part in (_long_and_close(results), cells.left_out(results)) if part),
        [*glance, *minutes.blocks(results), *parts],
    )


def _long_and_close(results: Record) -> str:
    """How long the games are, and how close, as the first screen says it."""
    wanted = ("How long is it?", "How close is it?")
    told = [one.sentence for one in summary.statements(results) if one.question in wanted]
    return " ".join(map(words.capital, told))


def side_by_side(results: Record) -> Section:
    """The variants' differences as charts."""
    return Section("variants", "Variants side by side", variants.lede(results), variants.parts(results))


def value_by_value(results: Record) -> Section:
    """The other rules of which several values were played."""
    parts = [
        Part(
            answers.question(one),
            [Text([answers.terms(one, results)], "aside"), series.answers_of(one, results)],
        )
        for one in results["series"][1:]
    ]
    return Section("series", "Other rules, value by value", "", parts)


def inside(results: Record) -> Section:
    """What the game counts of all together."""
    full = cells.in_full(results)
    parts = cells.by_table(results, lambda one: measures.in_full(results, one) if one.index in full else [])
    return Section("measures", "What happens in the games", cells.left_out(results), parts)


def records(results: Record) -> Section:
    """The most extreme games of each cell, with the command that plays one again."""
    parts = cells.by_table(results, lambda one: _record_table(results, one))
    lede = "The most extreme games, by number. Each can be played again and read move by move."
    return Section("records", "Record games", lede, parts)


def _record_table(results: Record, one: cells.Placed) -> list[Any]:
    rows = [_record(results, extreme) for extreme in one.cell["extremes"] if extreme["games"]]
    if not rows:
        return []
    command = Command(
        f"To read one of these games, put its number for N; {folder.explained(results)}.",
        f"balance replay {folder.name(results)} --game N --cell {one.cell['name']}",
    )
    heads = ["Record", "#Value", "Games, with their values"]
    numbers = table(f"Record games: {one.where}", heads, rows)
    return [*_read(results, one), command, numbers, *_lopsided(one)]


def _read(results: Record, one: cells.Placed) -> list[Any]:
    """The games that are told here, under what they are."""
    told = logs.logs(results, one.cell)
    lede = " ".join(filter(None, ["The games most worth reading, move by move.", logs.seats(one.cell)]))
    return [Text([lede]), *told] if told else []


def _lopsided(one: cells.Placed) -> list[Any]:
    told = lopsided.sentence(one.cell)
    return [Text([told]), lopsided.numbers(one.cell, one.where)] if told else []


def _record(results: Record, extreme: Record) -> Row:
    end = "Most" if extreme["end"] == "high" else "Least"
    games = [
        f"{entry['game']} ({_held(entry)}{words.quantity(entry['value'])})" for entry in extreme["games"]
    ]
    title = words.isolated(words.title(results, extreme["metric"]))
    return [f"{end}: {title}", words.quantity(extreme["games"][0]["value"]), "; ".join(games)]


def _held(entry: Record) -> str:
    """Whose number it was, where a record belongs to a seat."""
    return "" if entry.get("seat") is None else f"{words.seat(entry['seat'])}: "


# ---------------------------------------------------------------------- provenance


def provenance(results: Record) -> Section:
    """What it takes to get the same numbers again."""
    facts = {key: results[key] for key in ("schema", "game", "seed", "confidence", "status")}
    facts |= {key: value for key, value in results["provenance"].items() if key != "command"}
    facts |= {"deck": results["deck"]} if "deck" in results else {}
    command = results["provenance"].get("command")
    lede = "This command plays the same games again and gets the same numbers:"
    if results["status"] != "complete":
        lede = "Play was interrupted; this command goes on where it stopped, and ends with other numbers:"
    again = [Command(lede, folder.with_out(str(command), results))] if command else []
    return Section("provenance", "Where the numbers come from", "", [*again, _facts("Provenance", facts)])


def timing(results: Record) -> Section:
    """The only part of the page in which two equal runs may differ."""
    found = {key: value for key, value in results.get("timing", {}).items() if key != "command"}
    lede = "Only this part differs between two equal runs."
    return Section("timing", "Time and machine", lede, [_facts("Timing", found)] if found else [])


def _facts(caption: str, found: Record) -> Table:
    rows: list[Row] = [[Entry(key, code=True), rules.written(value)] for key, value in sorted(_flat(found))]
    return table(caption, ["What", "Value"], rows)


def _flat(found: Record, start: str = "") -> list[tuple[str, object]]:
    pairs: list[tuple[str, object]] = []
    for key, value in found.items():
        pairs += _flat(value, f"{start}{key}.") if isinstance(value, Mapping) else [(f"{start}{key}", value)]
    return pairs
