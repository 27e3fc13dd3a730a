"""The sections of the page in order. A section is data; none knows a game by name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from balance.report import cells, figures, measures, variants, words
from balance.report.blocks import Card, Cards, Command, Dot, Entry, Part, Section, Table, Terms, Text, table

Record = Mapping[str, Any]


def sections(results: Record) -> list[Section]:
    """Every section that has something to show, the verdict first."""
    everything = [
        verdict(results),
        changes(results),
        checks(results),
        seats(results),
        side_by_side(results),
        inside(results),
        records(results),
        rules(results),
        glossary(results),
        provenance(results),
        timing(results),
    ]
    return [section for section in everything if section.blocks]


# ---------------------------------------------------------------------------------------------- what was found


def verdict(results: Record) -> Section:
    """The verdict in words: a card for each number of players, then for whom and by which yardstick it holds."""
    found = words.baseline_cells(results)
    blocks: list[Any] = [Text([words.interrupted()], "caution")] if results["status"] != "complete" else []
    if found:
        blocks.append(Cards([_card(cell, results) for cell in found]))
        blocks.append(Text(words.terms(results), "note"))
    else:
        blocks.append(Text(words.verdict(results), "caution"))
    return Section("verdict", "Does it matter where you sit?", "", blocks)


def _card(cell: Record, results: Record) -> Card:
    test = cell.get("tests", {}).get("largest_seat_deviation")
    found = bool(test) and cell["players"] > 1 and words.excludes_zero(test["estimate"])
    label = words.capital(words.setting(cell))
    return Card(label, words.headline(cell), words.seats(cell, results), found, cells.facts(cell), _dots(cell))


def _dots(cell: Record) -> list[Dot]:
    """Every seat's share and interval as places between 0 (left) and 100 (right), the even share in the middle."""
    even, shares = 1 / cell["players"], [entry["win_share"] for entry in cell["seats"]]
    if cell["players"] == 1 or any(share[end] is None for share in shares for end in ("low", "value", "high")):
        return []
    span = max([figures.SMALLEST_SPAN, *(abs(share[end] - even) for share in shares for end in ("low", "high"))])

    def place(share: float) -> float:
        return round(50 + 46 * (share - even) / span, 2)

    return [Dot(at, place(one["value"]), place(one["low"]), place(one["high"])) for at, one in enumerate(shares)]


def changes(results: Record) -> Section:
    """What the variants change, in words, biggest first."""
    sentences = words.changes(results)
    lede = (
        f"Each variant against {words.name(words.baseline_name(results))}, played on the same deals. "
        "Biggest first, measured by how much the number varies from game to game."
    )
    return Section("changes", "What the variants change", lede, [Text(sentences, "list")] if sentences else [])


def checks(results: Record) -> Section:
    """Warnings of the run, and the checks on the components."""
    blocks: list[Any] = [Text(sorted(results["warnings"], key=results["warnings"].index), "caution")] if results["warnings"] else []
    rows = [row for metric in _check_ids(results) for row in _checked(results, metric)]
    if rows:
        heads = ["Check", "Rules", "#Largest seen", "#Mean or share", "Seen largest in"]
        blocks.append(table("Do the components suffice? The largest demand of all cells", heads, rows))
    return Section("checks", "Warnings and component checks", "", blocks)


def _check_ids(results: Record) -> list[str]:
    return measures.in_order([one for one, definition in results["definitions"].items() if definition.get("check")])


def _checked(results: Record, metric: str) -> list[list[str | Entry]]:
    """One check: a row for the baseline and one for the variants, each with the cell that demands most."""
    baseline, shown = words.baseline_name(results), [one for one in cells.placed(results) if metric in one.cell["measures"]]
    sides = {
        "baseline": [one for one in shown if one.cell["variant"] == baseline],
        "variants": [one for one in shown if one.cell["variant"] != baseline],
    }
    return [_largest(results, metric, side, members) for side, members in sides.items() if members]


def _largest(results: Record, metric: str, side: str, members: Sequence[cells.Placed]) -> list[str | Entry]:
    worst = max(members, key=lambda one: _demand(one.cell["measures"][metric]))
    measure = worst.cell["measures"][metric]
    most = words.plural(measure["count"], "game") if "count" in measure else words.quantity(measure["max"])
    mean = words.value(measure["mean"], words.is_share(results, metric))
    return [measures.head(results, metric), side, most, mean, worst.where]


def _demand(measure: Record) -> tuple[float, float]:
    mean = measure["mean"]["value"] or 0.0
    return (mean, mean) if "count" in measure else (measure["max"], mean)


# ---------------------------------------------------------------------------------------------- the numbers


def seats(results: Record) -> Section:
    """Seats, scores, length and policies for each number of players."""
    shown = cells.placed(results)
    glance = [cells.overview(results)] if len(shown) > 1 else []
    blocks = [*glance, *cells.by_table(results, lambda one: cells.in_full(results, one))]
    return Section("seats", "Seats, scores and length", "", blocks)


def side_by_side(results: Record) -> Section:
    """The variants' differences as charts."""
    lede = "Each dot is the variant minus the baseline on the same deals, each bar its interval. Left of the line: less; right of it: more."
    return Section("variants", "Variants side by side", lede, variants.parts(results))


def inside(results: Record) -> Section:
    """All measures of the game."""
    return Section("measures", "What happens in the games", "", cells.by_table(results, lambda one: measures.in_full(results, one)))


def records(results: Record) -> Section:
    """The most extreme games, with the command that plays one again."""
    parts = cells.by_table(results, lambda one: _record_table(results, one))
    lede = "The most extreme games of the run, by number. Any of them can be played again and read move by move."
    several = len(results["cells"]) > 1
    command = Command(
        "To read a game, put the run's folder for RUN and the game's number for N"
        + (", and for CELL the name of the cell's folder under games." if several else "."),
        "balance replay RUN --game N" + (" --cell CELL" if several else ""),
    )
    return Section("records", "Record games", lede, [command, *parts] if parts else [])


def _record_table(results: Record, one: cells.Placed) -> list[Any]:
    rows = [
        [
            f"{'Most' if extreme['end'] == 'high' else 'Least'}: {words.isolated(words.title(results, extreme['metric']))}",
            words.quantity(extreme["games"][0]["value"]),
            "; ".join(f"{entry['game']} ({words.quantity(entry['value'])})" for entry in extreme["games"]),
        ]
        for extreme in one.cell["extremes"]
        if extreme["games"]
    ]
    return [table(f"Record games: {one.where}", ["Record", "#Value", "Games, with their values"], rows)] if rows else []


# ---------------------------------------------------------------------------------------------- rules


def rules(results: Record) -> Section:
    """Every parameter with its baseline value, and what the variants change."""
    changed = _changes(results)
    altered = {str(row[2]) for row in changed}
    blocks: list[Any] = []
    if changed:
        rows = [[*row[:4], Entry(row[4], marked=True)] for row in changed]
        blocks.append(table("What the variants change in the rules", ["Variant", "Players", "Parameter", "Baseline", "Variant's value"], rows))
    baseline = words.baseline_cells(results)
    if baseline:
        blocks.append(_parameters(results, baseline, altered))
    return Section("rules", "Rules that were played", "", blocks)


def _changes(results: Record) -> list[list[str]]:
    """Variant, players, parameter, baseline value and new value; player counts with the same change share a row."""
    rules_at = {_key(cell): cell["rules"] for cell in words.baseline_cells(results)}
    found: dict[tuple[str, str, str, str], list[str]] = {}
    for one in cells.placed(results):
        for parameter in sorted(one.cell["changes"]):
            before = rules_at.get(_key(one.cell), {}).get(parameter)
            key = (str(one.cell["variant"]), parameter, written(before), written(one.cell["changes"][parameter]))
            players = str(one.cell["players"])
            if players not in found.setdefault(key, []):
                found[key].append(players)
    return [[key[0], words.listed(players), *key[1:]] for key, players in found.items()]


def _key(cell: Record) -> tuple[int, object]:
    return cell["players"], cell.get("mode")


def _parameters(results: Record, baseline: Sequence[Record], altered: set[str]) -> Table:
    by_table = {words.table_size(cell): cell["rules"] for cell in baseline}
    names = sorted({parameter for chosen in by_table.values() for parameter in chosen})
    alike = all(len({written(chosen.get(one)) for chosen in by_table.values()}) == 1 for one in names)
    shown = {"Value": next(iter(by_table.values()))} if alike else by_table
    rows = [
        [
            Entry(one, str(results["parameters"].get(one, "")), marked=one in altered, code=True),
            *(Entry(written(chosen[one]) if one in chosen else "", marked=one in altered) for chosen in shown.values()),
        ]
        for one in names
    ]
    mark = "; marked: a variant changes it" if altered else ""
    return table(f"All parameters of {words.name(words.baseline_name(results))}{mark}", ["Parameter", *shown], rows)


def written(value: object) -> str:
    """A parameter's value as an experiment file has it, without quotation marks."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list | tuple):
        return f"[{', '.join(written(item) for item in value)}]"
    return "" if value is None else str(value)


# ---------------------------------------------------------------------------------------------- reading, provenance


def glossary(results: Record) -> Section:
    """The words of the page for a reader who does not know them."""
    round_, turn = words.table_word(results, "round"), words.table_word(results, "turn")
    sure = words.confidence(results)
    pairs = [
        ("Share of wins", "Won games divided by games played. A win shared by two counts as half a win for each, so the seats of a table add up to 100 %."),
        ("Even share", "What every seat would get if it did not matter where you sit: 25.0 % with four players, 33.3 % with three."),
        ("Points", "Differences of percentages: from 25.0 % to 26.5 % is 1.5 points more."),
        (
            "Interval",
            f"A simulation sees only some of all possible games, so every number is a little off. In {sure} of cases an interval "
            "made this way holds the number that endless play would give. More games make it narrower.",
        ),
        (
            "Not told apart",
            "The interval of a difference includes zero, so what was seen may be luck. It does not show that there is no difference: "
            "it shows that a difference, if there is one, is smaller than the interval is wide.",
        ),
        ("Seat", "A place in the order of play, counted from 1: seat 1 takes the first turn of the game."),
        ("Type of player", "A fixed rule by which a simulated player chooses. All numbers hold for the types named and for no others."),
        ("Baseline and variant", "The rules that all others are compared with, and rules that differ from them in the places shown."),
        (
            "Block",
            "Games that share one deal. Where several types of player meet, a block holds one game for each way of seating them, "
            "so that no type gains by its seat. Variants are compared on the same blocks.",
        ),
        ("Spread (SD)", "The standard deviation: how far single games typically lie from the mean."),
        ("1 in 10 below, middle, 1 in 10 above", "A tenth of the games lie at or below the first number, half at or below the second, nine tenths at or below the third."),
        ("Offered, taken, held by the winner", "How often an item could be chosen, how often it was, and how often the winner had it at the end. Holding is not causing: strong players may simply take it more often."),
        ("Length", f"Counted in {turn}s and {round_}s as this game calls them, and in plies: decisions with more than one option."),
        ("Cap", "A limit that stops a game which would not end. Games stopped there are counted beside the number of games."),
    ]
    return Section("reading", "How to read this page", "", [Terms(pairs)])


def provenance(results: Record) -> Section:
    """What it takes to get the same numbers again."""
    facts = {"game": results["game"], "seed": results["seed"], "confidence": results["confidence"], "status": results["status"]}
    facts |= {key: value for key, value in results["provenance"].items() if key != "command"}
    command = results["provenance"].get("command")
    again = [Command("This command plays the same games again and gets the same numbers:", str(command))] if command else []
    return Section("provenance", "Where the numbers come from", "", [*again, _facts("Provenance", facts)])


def timing(results: Record) -> Section:
    """The only part of the page in which two equal runs may differ."""
    found = results.get("timing") or {}
    return Section("timing", "Time and machine", "Only this part differs between two equal runs.", [_facts("Timing", found)] if found else [])


def _facts(caption: str, found: Record) -> Table:
    rows = [[Entry(key, code=True), written(value)] for key, value in sorted(_flat(found))]
    return table(caption, ["What", "Value"], rows)


def _flat(found: Record, start: str = "") -> list[tuple[str, object]]:
    pairs: list[tuple[str, object]] = []
    for key, value in found.items():
        pairs += _flat(value, f"{start}{key}.") if isinstance(value, Mapping) else [(f"{start}{key}", value)]
    return pairs
