"""The first screen, and first page of the print: the question, four answers, the worst gates, who played."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from balance.errors import listed
from balance.experiment.wording import sizes_in_words
from balance.report import answers, asking, cells, gates, levels, measures, series, summary, verdicts, words
from balance.report.blocks import Box, Section, Short, Table, Text

Record = Mapping[str, Any]
MOST_GATES = 5
MOST_PLAYERS = 3
MOST_FLIPS = 2
"""So many are shown here; all of them stand below."""
LIMITS_OF_PLAYERS = (
    "They follow fixed rules and neither talk nor learn: people, or stronger or weaker players, may see other "
    "numbers."
)
MOST_SHORT = 1
"""So many components that run out are told of; all of them stand below."""
MOST_VALUES, LEAST_VALUES = 10, 2
_OF_GATES, _OF_CAUTION = 5, 2
"""So many values of a rule are told; the gates take the room of some, and so does each caution."""
_SHORT, _LONGEST_HELP = 40, 110
"""Letters of a name, and of what a type of player does, that fit; the tables have them whole."""


def section(results: Record) -> Section:
    """Everything that a reader must know who reads nothing else."""
    one = answers.headline(results)
    judged, tone = _judged(results)
    title = " ".join(filter(None, [judged, answers.question(one) if one else "" if judged else "In short"]))
    told = _cut_short(results)
    caution = [Text(told, "caution")] if told else []
    boxes = [box for box in (_gates(results), _components(results), _players(results)) if box]
    short = Short(summary.statements(results), boxes, *(_asked(one, results, len(told)) if one else ()))
    lede = summary.lede(results)
    if one:
        lede = f"{answers.in_a_sentence(one, results)} Below the table: the baseline."
    return Section("summary", title, lede, [*caution, short], tone)


def _asked(one: Record, results: Record, cautions: int) -> tuple[Table, str]:
    """What the values of the rule that is asked about change, and how many of them there is no room for."""
    cautions += bool(words.deck_note(results))
    room = MOST_VALUES - _OF_CAUTION * cautions - _OF_GATES * bool(results["gates"])
    found, more = series.in_short(one, results, max(room, LEAST_VALUES))
    rest = f"And {words.plural(more, 'more value', 'more values')}, below; pp" if more else "pp"
    return found, f"{rest}: percentage points."


def _cut_short(results: Record) -> list[str]:
    """What must come first: that the run is not whole, or that a verdict holds at one level of play only."""
    first = [verdicts.interrupted()] if results["status"] != "complete" else []
    flips = levels.flips(results)
    more = len(flips) - MOST_FLIPS
    rest = f"And {words.plural(more, 'more verdict depends', 'more verdicts depend')} on who plays."
    return [*first, *flips[:MOST_FLIPS], *([rest] if more > 0 else [])]


def _judged(results: Record) -> tuple[str, str]:
    """'FAIL: 2 of 4 gates fail, 2 are open.' and how it looks, by the word of the verdict; nothing without gates."""
    verdicts_of = [str(gate["verdict"]) for gate in results["gates"] if gate["level"] != "warn"]
    every, failed, passed = (len(verdicts_of), *(verdicts_of.count(one) for one in ("fail", "pass")))
    still_open = every - failed - passed
    if not every:
        return "", ""
    gates_in_all = words.plural(every, "gate")
    warned = sum(gate["level"] == "warn" and gate["verdict"] == "fail" for gate in results["gates"])
    rest = f", {_are(still_open)} open" * bool(still_open)
    rest += f"; {warned} more only {'warns' if warned == 1 else 'warn'}" * bool(warned)
    if failed:
        return f"FAIL: {failed} of {gates_in_all} {'fails' if failed == 1 else 'fail'}{rest}.", "bad"
    if without := verdicts_of.count("no data"):
        lack = f"{without} of {gates_in_all} {'lacks' if without == 1 else 'lack'} data"
        are_open = f"{still_open} of {gates_in_all} {'is' if still_open == 1 else 'are'} open"
        return f"NO DATA: {_stopped(results) or lack}; {are_open}.", "open"
    if still_open:
        return (
            f"NOT DECIDED: {still_open} of {gates_in_all} {'is' if still_open == 1 else 'are'} open.",
            "open",
        )
    return f"PASS: {'the gate passes' if every == 1 else f'all {gates_in_all} pass'}.", "good"


def _stopped(results: Record) -> str:
    """'interrupted before 2 of 3 tables were played': how many tables of the gates a run that was stopped lacks."""
    if results["status"] == "complete":
        return ""
    judged = [cell for gate in results["gates"] for cell in gate["cells"]]
    lacking = {words.setting(cell) for cell in judged if cell["verdict"] == "no data"}
    tables = words.plural(len({words.setting(cell) for cell in judged}), "table")
    were = "was" if len(lacking) == 1 else "were"
    return f"interrupted before {len(lacking)} of {tables} {were} played"


def _are(number: int) -> str:
    return f"{number} {'is' if number == 1 else 'are'}"


def _gates(results: Record) -> Box | None:
    found = gates.rows(results)
    if not found:
        return None
    distinct = _distinct(found, results)
    shown = [(row.verdict, _gate(row, results)) for row in distinct[:MOST_GATES]]
    more = len(distinct) - len(shown)
    rest = f"And {words.count(more)} more. " if more else ""
    return Box("Gates, the worst first", shown, f"{rest}{gates.wider(results)}")


def _distinct(found: Sequence[gates.Row], results: Record) -> list[gates.Row]:
    """The rows without those of variants that came out as the baseline did, where the baseline has its own."""
    same = {(str(one["variant"]), words.setting(one)) for one in results["comparisons"] if cells.is_same(one)}
    judged = {(row.gate, row.variant, row.table) for row in found}
    baseline = words.baseline_name(results)
    return [
        row
        for row in found
        if (row.variant, row.table) not in same or (row.gate, baseline, row.table) not in judged
    ]


def _gate(row: gates.Row, results: Record) -> str:
    """'Turns, baseline, 4 players: 34.1 (98 % interval 33.5 to 34.7); allowed: at most 30'."""
    warns = " (only warns)" if row.warns and row.verdict != "pass" else ""
    where = f"{_cut(gates.in_words(row, results))}, {_cut(row.variant)}, {row.table}"
    return f"{where}: {row.in_short}; allowed: {row.limits}{warns}"


def _cut(text: str, longest: int = _SHORT) -> str:
    """A text that somebody chose, cut where it is long."""
    return words.isolated(words.shortened(text, longest))


def _players(results: Record) -> Box | None:
    found = [(_cut(one["id"]), _cut(one["help"], _LONGEST_HELP)) for one in results["policies"]]
    if not found:
        return None
    more = len(found) - MOST_PLAYERS
    rest = f"And {words.plural(more, 'more type', 'more types')} of player. " if more > 0 else ""
    return Box("Who played", found[:MOST_PLAYERS], rest + LIMITS_OF_PLAYERS)


def _components(results: Record) -> Box | None:
    """What lay on the table by the baseline's rules; numbers that differ from table to table stand side by side."""
    baseline = words.baseline_cells(results)
    by_table = {words.table_size(cell): dict(cell.get("components", ())) for cell in baseline}
    names = dict.fromkeys(name for found in by_table.values() for name in found)
    if not names:
        return None
    counts = {name: [found.get(name, 0) for found in by_table.values()] for name in names}
    alike = all(len(set(each)) == 1 for each in counts.values())
    told = listed([f"{_side_by_side(each)} {_cut(name)}" for name, each in counts.items()])
    sizes = {(cell["players"], None): None for cell in baseline}
    tables = sizes_in_words(sizes) if len(sizes) == len(by_table) else listed(by_table)
    is_whole = alike and len(by_table) == len(set(map(words.table_size, asking.of_baseline(results))))
    where = f"With {tables}" if not is_whole else "At every table" if len(by_table) > 1 else ""
    pairs = [(where, f"{told}.")]
    return Box("What was played with", [*pairs, *_short_of(results, baseline)])


def _short_of(results: Record, baseline: Sequence[Record]) -> list[tuple[str, str]]:
    """In which part of the games the box did not hold enough, where that ever happened."""
    return [
        (_cut(words.title(results, metric)), f"{often}.")
        for metric, often in measures.short_of(results, baseline)[:MOST_SHORT]
    ]


def _side_by_side(counts: Sequence[int]) -> str:
    """'55 / 66 / 77', or '12' where all are alike."""
    seen = counts[:1] if len(set(counts)) == 1 else counts
    return " / ".join(words.count(one) for one in seen)
