"""Gates in words: one row for each cell that a gate covers, the worst first."""

from __future__ import annotations

import math
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from balance.errors import listed
from balance.report import undecided, words
from balance.report.blocks import Entry, Section, Table, Text, table

Record = Mapping[str, Any]
ORDER = ("fail", "no data", "inconclusive", "pass")
"""From the worst to the best."""
_IN_PART = "in part"
_COUNTED = {
    "fail": "failed",
    "no data": "had no data",
    _IN_PART: "judged only in part",
    "inconclusive": "undecided",
    "pass": "passed",
}
SPREAD = "seat_spread"
_MORE = "; "
_MOST_DIGITS, _LONGEST_TITLE = 6, 24
_OF_TEAMS = ("win_share", "score")
_AGAINST = {None: "", "baseline": " against the baseline", "file": " against the baseline file"}


@dataclass(frozen=True)
class Row:
    """A gate in one cell; names that somebody chose are as they were written."""

    gate: int
    verdict: str
    warns: bool
    """True: it is shown, but never fails a check."""
    subject: str
    variant: str
    table: str
    limits: str
    found: str
    """What was found, with its interval and how many blocks it rests on."""
    more: str
    """What it would take to decide it; '' where it is decided."""
    why: str
    metric: str

    @property
    def in_short(self) -> str:
        """What was found, without how many games it rests on, where there is an interval."""
        start, more, _ = self.found.partition(_MORE)
        return f"{start})" if more else start

    @property
    def where(self) -> str:
        """The cell: 'baseline, 4 players'."""
        return f"{self.variant}, {self.table}"


def rows(results: Record) -> list[Row]:
    """All gates in all their cells: the worst first, of equal ones those that only warn after the others."""
    found = [_row(gate, cell) for gate in results["gates"] for cell in gate["cells"]]
    return sorted(found, key=lambda row: (ORDER.index(row.verdict), row.warns and row.verdict != "pass"))


def summary(results: Record) -> str:
    """How many gates came to what: '3 gates: 1 failed and 2 passed. The chance ...'; why there are none."""
    if not results["gates"]:
        return str(results["reason"])
    counts = {"error": dict.fromkeys(_COUNTED, 0), "warn": dict.fromkeys(_COUNTED, 0)}
    for gate in results["gates"]:
        counts[gate["level"]][_IN_PART if _is_in_part(gate) else gate["verdict"]] += 1
    told = [f"{number} {_COUNTED[verdict]}" for verdict, number in counts["error"].items() if number]
    warned = [f"{number} {_COUNTED[verdict]}" for verdict, number in counts["warn"].items() if number]
    of = words.plural(sum(counts["error"].values()), "gate")
    sentence = f"{of}{_reach(results, 'error')}: {listed(told)}." if told else "No gate can fail this check."
    if warned:
        of_warnings = words.plural(sum(counts["warn"].values()), "gate")
        sentence += f" {of_warnings}{_reach(results, 'warn')} only to warn: {listed(warned)}."
    return " ".join(filter(None, [sentence, _unjudged(results), _sure(results)]))


def _reach(results: Record, level: str) -> str:
    """' at 2 tables', ' for 3 sets of rules at 2 tables': what the gates of a level judge; '' where that is one."""
    covered = [cell for gate in results["gates"] if gate["level"] == level for cell in gate["cells"]]
    rules, tables = len({cell["variant"] for cell in covered}), len({words.setting(cell) for cell in covered})
    told = f" for {words.count(rules)} sets of rules" if rules > 1 else ""
    return f"{told} at {words.count(tables)} tables" if tables > 1 else told


def _is_in_part(gate: Record) -> bool:
    """Whether a gate that has no data at one table, as when a check was interrupted, has some at another."""
    return gate["verdict"] == "no data" and any(cell["verdict"] != "no data" for cell in gate["cells"])


def _unjudged(results: Record) -> str:
    """How many verdicts have no data, where some gate is judged only in part; else ''."""
    if not any(map(_is_in_part, results["gates"])):
        return ""
    every = [cell["verdict"] for gate in results["gates"] for cell in gate["cells"]]
    lack = every.count("no data")
    return (
        f"Of {words.count(len(every))} verdicts {words.count(lack)} {'lacks' if lack == 1 else 'lack'} data."
    )


def left_out(results: Record) -> list[str]:
    """A sentence for each gate that leaves tables out, because they lack its seat or its metric."""
    return [
        f"Gate {gate['gate'] + 1} ({subject(gate)}) says nothing of {listed(map(words.table_size, tables))}, which "
        f"{'has' if len(tables) == 1 else 'have'} no such number."
        for gate in results["gates"]
        if (tables := gate.get("left_out"))
    ]


def _sure(results: Record) -> str:
    chance = words.quantity(round(100 * (1 - results["confidence"]), 6))
    judged = sum(cell["verdict"] != "no data" for gate in results["gates"] for cell in gate["cells"])
    if not judged:
        return ""
    which = "any verdict" if judged > 1 else "the verdict"
    return f"The chance that {which} is wrong is {chance} % at most."


def _row(gate: Record, cell: Record) -> Row:
    return Row(
        gate["gate"],
        cell["verdict"],
        gate["level"] == "warn",
        subject(gate, cell),
        cell["variant"],
        words.setting(cell),
        limits(gate),
        _found(gate, cell),
        undecided.more(gate, cell),
        gate["why"],
        gate["metric"],
    )


def subject(gate: Record, cell: Record | None = None) -> str:
    """What is judged: 'win_share of seat 1', 'turns against the baseline'; in a `cell` with teams of whose seats."""
    whose = [_side(gate, cell or {})] if gate["seat"] is not None else []
    whose = [gate["policy"], *whose] if gate["policy"] else whose
    of = f" of {' in '.join(whose)}" if whose else ""
    return f"{gate['metric']}{of}{_AGAINST[gate['against']]}"


def _side(gate: Record, cell: Record) -> str:
    """Whose number it is: a team shares its wins and its score."""
    teams = cell.get("teams", ()) if gate["metric"].partition(".")[0] in _OF_TEAMS else ()
    return words.side(
        next(({"seats": team} for team in teams if gate["seat"] in team), {"seat": gate["seat"]})
    )


def limits(gate: Record) -> str:
    """'at most 3 pp', 'from 24 to 26 %'."""
    low, high = (_limit(gate["limits"][end], gate) for end in ("low", "high"))
    if not low or not high:
        return f"at least {low}{_unit(gate)}" if low else f"at most {high}{_unit(gate)}"
    return f"exactly {low}{_unit(gate)}" if low == high else f"from {low} to {high}{_unit(gate)}"


def _limit(number: float | None, gate: Record) -> str:
    if number is None:
        return ""
    return f"{'+' * bool(gate['against'] and number > 0)}{_plain(number * _scale(gate))}"


def _plain(number: float) -> str:
    """A number as short as it can be."""
    return f"{round(number, 9):,.9f}".rstrip("0").rstrip(".")


def _scale(gate: Record) -> int:
    return 100 if gate["share"] else 1


def _unit(gate: Record) -> str:
    if not gate["share"]:
        return ""
    return words.PP if gate["against"] or gate["metric"] == SPREAD else " %"


def _found(gate: Record, cell: Record) -> str:
    """What was found, with its interval by its own name: where many gates hold together it is wider than others."""
    estimate, scale, unit = cell["estimate"], _scale(gate), _unit(gate)
    if estimate["value"] is None:
        return _nothing(cell)
    blocks = _blocks(estimate["n"], cell["rotations"]) + _of_file(cell) + _void(cell)
    value, low, high = (estimate[name] for name in ("value", "low", "high"))
    digits, written = _digits(gate, estimate), words.signed if gate["against"] else words.fixed
    shown = written(scale * value, digits)
    pair = f" between {_pair(cell)}" if "pair" in cell else ""
    if low is None or high is None:
        return f"{shown}{unit}{pair}, and how sure that is cannot be told yet ({blocks})"
    ends = " to ".join(written(scale * end, digits) for end in (low, high))
    return f"{shown}{unit}{pair} ({_level(cell)} interval {ends}{_MORE}{blocks})"


def _level(cell: Record) -> str:
    """How sure the interval of a gate is by itself: '99.2 %', and never '100 %'."""
    shown = (round(100 * cell["confidence"], digits) for digits in range(1, 9))
    return f"{next((each for each in shown if each < 100), 100):.9g} %"


def wider(results: Record) -> str:
    """Why the intervals of several gates are wider than others; '' of one gate alone."""
    many = sum(len(gate["cells"]) for gate in results["gates"])
    if many < 2:
        return ""
    others = f"the {words.confidence(results)} ones elsewhere"
    return f"Gates have wider intervals than {others}, so that all {words.count(many)} hold together."


def _pair(cell: Record) -> str:
    """The two sides that are furthest apart."""
    teams = cell.get("teams")
    return words.pair([{"seats": teams[one]} if teams else {"seat": one} for one in cell["pair"]])


def _nothing(cell: Record) -> str:
    """Why nothing was found."""
    games, gone, of_baseline = (cell.get(name, 0) for name in ("games", "void", "baseline_void"))
    if not gone and not of_baseline:
        return "nothing was measured"
    if gone == games:
        return f"all {words.plural(games, 'game')} were void" if games > 1 else "the only game was void"
    if of_baseline == games:
        return f"all {words.plural(games, 'game')} by the baseline were void"
    if "baseline_void" in cell:
        return f"on every deal a game was void ({_counted(gone)}, and {words.count(of_baseline)} by the baseline)"
    return f"in every block a game was void ({_counted(gone)} of {words.count(games)})"


def _void(cell: Record) -> str:
    """How many games were void, where any was."""
    gone, of_baseline = cell.get("void", 0), cell.get("baseline_void", 0)
    if not gone and not of_baseline:
        return ""
    others = f", and {words.count(of_baseline)} by the baseline" if of_baseline else ""
    return f"; {_counted(gone)} of {words.count(cell['games'])} void{others}"


def _of_file(cell: Record) -> str:
    """How many games the baseline file holds, where one is held against them."""
    return (
        f" against {_blocks(cell['file_blocks'], cell['rotations'])} of the file"
        if "file_blocks" in cell
        else ""
    )


def _counted(games: int) -> str:
    return words.plural(games, "game")


def _blocks(n: int, rotations: int) -> str:
    """The independent observations: '1,000 games', '1,000 blocks of 4 games'."""
    return words.plural(n, "game") if rotations == 1 else f"{words.plural(n, 'block')} of {rotations} games"


def _digits(gate: Record, estimate: Record) -> int:
    """So many decimals that nothing seems to lie on a limit that does not."""
    scale = _scale(gate)
    known = [scale * estimate[name] for name in ("value", "low", "high") if estimate[name] is not None]
    ends = [scale * end for end in gate["limits"].values() if end is not None]
    digits = int(words.decimals((max(known) - min(known)) / 2))
    while digits < _MOST_DIGITS and any(
        not math.isclose(one, end, rel_tol=1e-12) and round(one, digits) == round(end, digits)
        for one in known
        for end in ends
    ):
        digits += 1
    return digits


def section(results: Record) -> Section:
    """The gates on the page."""
    found = rows(results)
    if not found:
        return Section("gates", "")
    lede = " ".join(filter(None, [summary(results), wider(results), *left_out(results)]))
    return Section("gates", "Do the gates hold?", lede, [_table(found, results)])


def in_words(row: Row, results: Record, longest: int = _LONGEST_TITLE) -> str:
    """What is judged, by its title, cut if it is long, in place of the name that an experiment file has for it."""
    metric, _, part = row.metric.partition(".")
    title = words.isolated(words.shortened(words.title(results, metric), longest))
    return row.subject.replace(row.metric, f"{title} ({part})" if part else title, 1)


def _table(found: Sequence[Row], results: Record) -> Table | Text:
    heads = ["Verdict", "Gate", "Metric", "Where", "Limits", "Found"]
    new = [row.metric not in {other.metric for other in found[:at]} for at, row in enumerate(found)]
    rows = [_entries(row, results, explained) for row, explained in zip(found, new, strict=True)]
    return table("The gates, the worst first", heads, rows)


def _entries(row: Row, results: Record, explained: bool) -> list[str | Entry]:
    """The row of a gate; where its metric is `explained`, with what that means."""
    of_metric = results.get("definitions", {}).get(row.metric.partition(".")[0], {}) if explained else {}
    meant = words.without_codes(str(of_metric.get("help", "")))
    where = f"{words.isolated(row.variant)}, {row.table}"
    verdict = f"{row.verdict} (only warns)" if row.warns and row.verdict != "pass" else row.verdict
    return [
        Entry(verdict, marked=row.verdict == "fail"),
        Entry(in_words(row, results, sys.maxsize), " ".join(filter(None, [meant, row.why]))),
        Entry(row.metric, code=True),
        where,
        row.limits,
        Entry(row.found, row.more),
    ]
