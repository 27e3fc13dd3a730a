"""A run in short: is it fair, how long is it, how close is it, what changed; the page and the terminal say the same.

Each answer is one sentence on all tables of the baseline together: the range, or the worst of them, with its interval,
and one word for how sure that is. A table here is a number of players with its mode and its level of play.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from balance.errors import listed
from balance.report import asking, bans, differences, levels, lineups, minutes, sprt, verdicts, words

Record = Mapping[str, Any]
FOUND, INSIDE, OUTSIDE, UNTOLD = "found", "inside the band", "outside the band", "could not be told"
NO_CHANGE = "nothing"
UNEVEN = "uneven, but perhaps inside the band"
GATE_OPEN = "inside the band, open by a gate"
_FEW = 0.01
"""Of fewer games than this part nothing is said where they were stopped unfinished."""
_WORST_FIRST = ("outside", "cannot tell", "inside")


@dataclass(frozen=True)
class Statement:
    """A question, how sure its answer is in a word, and the answer."""

    question: str
    sure: str
    sentence: str

    @property
    def tone(self) -> str:
        """'bad' for what is surely not as it should be; '' for all else."""
        return "bad" if self.sure == OUTSIDE else ""


def statements(results: Record) -> list[Statement]:
    """The four answers; a question that nothing was played for is answered by saying so."""
    cells = words.baseline_cells(results)
    about = [_fair(cells, results), _long(cells, results), _close(cells, results)]
    if cells and (limits := _without_games(results)):
        about = [replace(one, sentence=f"{one.sentence.removesuffix('.')}{limits}") for one in about]
    return [*about, _changed(results)]


def _without_games(results: Record) -> str:
    """'; with 3 players no game was finished', '; so far only 2 players were played': what holds of fewer tables."""
    mine = asking.of_baseline(results)
    void = [words.setting(cell) for cell in mine if cell["games"] and not cell["blocks"]]
    told = f"; with {listed(void)} no game was finished" if void else ""
    if all(cell["games"] for cell in mine):
        return f"{told}." if told else ""
    return f"{told}; so far only games with {_where_played(mine)} were played."


def _where_played(mine: Sequence[Record]) -> str:
    """'3 and 4 players', with their levels where a table was played at some of its levels only."""
    played = [cell for cell in mine if cell["games"]]
    tables = asking.tables(played)
    return listed(map(words.setting, played)) if tables == asking.tables(mine) else tables


def lede(results: Record) -> str:
    """How to read the answers."""
    sure = f"with {words.confidence(results)} intervals in parentheses"
    return f"All games of the baseline, {sure}; pp: percentage points."


def lines(results: Record) -> list[str]:
    """The same as one text each: 'Is it fair? Inside the band: ...'."""
    return [f"{one.question} {words.capital(one.sure)}: {one.sentence}" for one in statements(results)]


# ---------------------------------------------------------------------- is it fair


def _fair(cells: Sequence[Record], results: Record) -> Statement:
    """How the seats, or teams, compare with the tolerance band; where no two compete, how often the goal is reached."""
    compared = [cell for cell in cells if cell.get("tests", {}).get("verdict") in _WORST_FIRST]
    alone = [cell for cell in cells if "goal" in cell]
    if not compared:
        return _reached(alone) if alone else Statement("Is it fair?", UNTOLD, "no two seats were compared.")
    worst = min(compared, key=lambda cell: (_WORST_FIRST.index(cell["tests"]["verdict"]), -_of_band(cell)))
    beside = f" {words.capital(_rates(alone))}." if alone else ""
    verdict = worst["tests"]["verdict"]
    still_open = _gate_open(verdict, results)
    sure = {"outside": OUTSIDE, "cannot tell": UNTOLD, "inside": GATE_OPEN if still_open else INSIDE}[verdict]
    if verdict == "cannot tell" and _is_uneven(worst):
        sure = UNEVEN
    return Statement("Is it fair?", sure, f"{_banded(compared, worst)}{still_open}{beside}")


def _gate_open(verdict: str, results: Record) -> str:
    """Why a gate on the same band may be undecided where the seats by themselves lie inside it."""
    gates = [gate for gate in results["gates"] if gate["metric"] == "seat_spread" and not gate["against"]]
    baseline = words.baseline_name(results)
    mine = [cell for gate in gates for cell in gate["cells"] if cell["variant"] == baseline]
    if verdict != "inside" or not any(cell["verdict"] == "inconclusive" for cell in mine):
        return ""
    return " By the gates' wider intervals that is open."


def _is_uneven(cell: Record) -> bool:
    """Whether two seats were told apart, be it by more than the band allows or by less."""
    pairs = [one["difference"] for one in cell["tests"]["pairs"]]
    return any(None not in (one["low"], one["high"]) and words.excludes_zero(one) for one in pairs)


def _of_band(cell: Record) -> float:
    """How far apart the seats are, as a part of what they may be."""
    return float(cell["tests"]["spread"]) / (cell["tests"]["band"]["most"] or 1e-9)


def _banded(compared: Sequence[Record], worst: Record) -> str:
    """'With 4 players the seats lie outside the band of 3 pp: seat 2 takes 6.1 pp more ...'."""
    verdict = worst["tests"]["verdict"]
    alike = sum(cell["tests"]["verdict"] == verdict for cell in compared)
    who = "teams" if all("teams" in cell for cell in compared) else "seats"
    bands = {verdicts.band_width(cell["tests"]) for cell in compared}
    band = f"the band of {next(iter(bands))} pp" if len(bands) == 1 else "their bands"
    where = f"with {words.setting(worst)}" if len(compared) == 1 else f"at {_of(alike, compared)}"
    told = {
        "outside": f"{where} the {who} lie outside {band}",
        "cannot tell": f"whether the {who} lie inside {band} is open {where}",
        "inside": f"{where} the {who} lie inside {band}",
    }[verdict]
    start = "" if len(compared) == 1 else f"with {words.setting(worst)} "
    furthest = "" if len(compared) == 1 else ("furthest apart: " if verdict == "inside" else "worst: ")
    return f"{told}; {furthest}{start}{_apart(worst)}."


def _of(alike: int, compared: Sequence[Record]) -> str:
    """'2 of 3 tables', 'both levels of play', 'all 6 tables and levels': how many of what was played are alike."""
    sizes, levels = (
        {one(cell) for cell in compared} for one in (words.table_size, lambda cell: cell.get("level"))
    )
    kind = "tables" if len(levels) == 1 else "tables and levels" if len(sizes) > 1 else "levels of play"
    every = len(compared)
    if alike < every:
        return f"{alike} of {every} {kind}"
    return f"both {kind}" if every == 2 else f"all {every} {kind}"


def _apart(cell: Record) -> str:
    """Which of the two furthest apart takes more, and by how much: 'seat 2 takes 6.1 pp more ... than seat 1'."""
    ahead, behind, estimate = verdicts.leader(cell)
    size, between = verdicts.apart(estimate)
    takes = f"{'take' if 'teams' in cell else 'takes'} {size}{f' ({between})' if between else ''}"
    return f"{ahead} {takes} more of the wins than {behind}"


def _reached(alone: Sequence[Record]) -> Statement:
    return Statement("How often is the goal reached?", _sure_of(alone, "goal_rate"), f"{_rates(alone)}.")


def _rates(alone: Sequence[Record]) -> str:
    return f"the goal is reached in {_range(alone, 'goal_rate', True)} of the games"


# ---------------------------------------------------------------------- how long and how close is it


def _long(cells: Sequence[Record], results: Record) -> Statement:
    """The length in turns with what most games take, and in minutes where the experiment says how long a choice is."""
    have = [cell for cell in cells if "turns" in cell["measures"]]
    if not have:
        return Statement("How long is it?", UNTOLD, "no game was finished.")
    unit = words.table_word(results, "turn")
    means = [(cell, _seen(cell["measures"]["turns"])) for cell in have]
    told = _ends(means, lambda one: _with_interval(one, False, f" {unit}s"), _most_take)
    alone = {cell["players"] == 1 for cell, _ in _lowest_and_highest(means)}
    together = "" if True in alone else "all players together take "
    both = f"; {unit}s of all players together" if len(alone) > 1 else ""
    sentence = f"{together}{told}{both}.{minutes.told(have, results)}"
    return Statement("How long is it?", _sure_of(have, "turns"), sentence)


def _seen(turns: Record) -> Record:
    """The mean length; where all games took as long it is no estimate, but what was seen."""
    seen: Record = dict.fromkeys(("value", "low", "high"), turns["min"])
    return seen if turns["min"] == turns["max"] else turns["mean"]


def _most_take(cell: Record) -> str:
    """What eight in ten games of a table take: ', 8 in 10 games 20 to 30'; ' in every game' where all took as long."""
    turns, unfinished = cell["measures"]["turns"], levels.unfinished(cell)
    if unfinished == 1:
        return f", where no game was finished: all were stopped{_after(cell)}"
    if turns["min"] == turns["max"]:
        return " in every game"
    lowest, highest = (words.quantity(turns["quantiles"][end]) for end in ("p10", "p90"))
    stopped = f", {words.percent(unfinished)} stopped unfinished" if unfinished >= _FEW else ""
    return f", 8 in 10 games {lowest}{f' to {highest}' if highest != lowest else ''}{stopped}"


def _after(cell: Record) -> str:
    """' after 60 rounds': when the games of a table were stopped, where that was always the same."""
    rounds = cell["measures"].get("rounds")
    is_told = rounds is not None and rounds["min"] == rounds["max"]
    return f" after {words.plural(int(rounds['max']), 'round')}" if is_told else ""


def _close(cells: Sequence[Record], results: Record) -> Statement:
    """By how much the winner is ahead and how often a win is shared; the scores where nobody can be beaten."""
    rivals = [cell for cell in cells if "score_margin" in cell["measures"]]
    if not rivals:
        return _scores(cells)
    unit = str(results["definitions"].get("score_margin", {}).get("unit") or "")
    ahead = _range(rivals, "score_margin", False, f" {unit}" if unit else "")
    told = f"the winner is ahead by {ahead} on average"
    shared = [cell for cell in rivals if "tie_rate" in cell["measures"]]
    return Statement("How close is it?", _sure_of(rivals, "score_margin"), f"{told}{_ties(shared)}.")


def _ties(shared: Sequence[Record]) -> str:
    """Where a win is shared most often: '; a win is shared in 3.0 % (2.4 to 3.9 %) of the games with 5 players'."""
    means = [(cell["measures"]["tie_rate"]["mean"], cell) for cell in shared]
    known = [one for one in means if one[0]["value"] is not None]
    if not known:
        return ""
    most, cell = max(known, key=lambda one: one[0]["value"])
    if len({one["value"] for one, _ in known}) > 1:
        return f"; wins are shared most often with {words.setting(cell)}, in {_with_interval(most, True)} of the games"
    return f"; a win is shared in {_with_interval(most, True)} of the games"


def _scores(cells: Sequence[Record]) -> Statement:
    means = [(cell, cell["seats"][0]["score"]["mean"]) for cell in cells if cell["seats"]]
    if not means:
        return Statement("How close is it?", UNTOLD, "no game was finished.")
    told = _ends(means, lambda one: _with_interval(one, False))
    goals = {str(cell["goal"]["sentence"]) for cell, _ in means if "goal" in cell}
    goal = f" The goal: {goals.pop()}" if len(goals) == 1 else ""
    return Statement(
        "How close is it?", _sureness([one for _, one in means]), f"the mean score is {told}.{goal}"
    )


def _range(cells: Sequence[Record], metric: str, share: bool, unit: str = "") -> str:
    """A mean where there is one table, else the lowest and the highest, with the tables they belong to."""
    means = [(cell, cell["measures"][metric]["mean"]) for cell in cells]
    return _ends(means, lambda one: _with_interval(one, share, unit))


def _to_the_point(pairs: Sequence[differences.Pair]) -> Sequence[differences.Pair]:
    """Where nothing that was found is worse, a change of what every game has says more than one of its own measures."""
    found = [entry for _, entry in pairs if entry["found"]]
    headline = [pair for pair in pairs if pair[1]["found"] and pair[1]["family"] == "headline"]
    return pairs if any(entry["worse"] for entry in found) else headline or pairs


def _ends(
    means: Sequence[tuple[Record, Record]],
    written: Callable[[Record], str],
    more: Callable[[Record], str] = lambda _: "",
) -> str:
    """A mean, or the lowest and the highest with the tables they belong to; then what `more` says of each."""
    ends_of = _lowest_and_highest(means)
    if not ends_of:
        return words.NOTHING
    low, high = ends_of
    if len({(written(one).partition(" (")[0], more(cell)) for cell, one in (low, high)}) == 1:
        return f"{written(low[1])}{more(low[0])}"
    ends = [_at_table(written(one), words.setting(cell), more(cell)) for cell, one in (low, high)]
    return f"{ends[0]}{',' * bool(more(low[0]))} to {ends[1]}"


def _lowest_and_highest(means: Sequence[tuple[Record, Record]]) -> list[tuple[Record, Record]]:
    """The tables with the lowest and the highest of their known means; nothing where none is known."""
    known = [one for one in means if one[1]["value"] is not None]
    return [end(known, key=lambda one: one[1]["value"]) for end in (min, max)] if known else []


def _at_table(written: str, setting: str, more: str) -> str:
    """'30 turns with 3 players, most games 20 to 40', or '30 turns in every game with 3 players'."""
    return (
        f"{written}{more} with {setting}" if not more.startswith(",") else f"{written} with {setting}{more}"
    )


def _with_interval(estimate: Record, share: bool, unit: str = "") -> str:
    between = words.interval(estimate, share)
    value = f"{words.value(estimate, share)}{unit}"
    return value if between == words.NOTHING else f"{value} ({between})"


def _sure_of(cells: Sequence[Record], metric: str) -> str:
    return _sureness([cell["measures"][metric]["mean"] for cell in cells])


def _sureness(means: Sequence[Record]) -> str:
    """Found, as soon as every number told has an interval."""
    return FOUND if all(one["low"] is not None and one["high"] is not None for one in means) else UNTOLD


# ---------------------------------------------------------------------- what changed


def _changed(results: Record) -> Statement:
    """What got worse first or changed most against the baseline, and how many other changes were found."""
    question, compared = "What changed?", results["comparisons"]
    banned = " ".join(bans.answers(results))
    if banned:
        return Statement(question, FOUND if bans.is_told(results) else UNTOLD, _going_on(banned))
    tested = sprt.in_short(results)
    if tested:
        asked = "Who wins?" if results["sprt"]["policy"] else question
        return Statement(asked, FOUND if sprt.is_told(results) else UNTOLD, _going_on(tested))
    if not compared and len({cell["variant"] for cell in results["cells"]}) > 1:
        return Statement(question, UNTOLD, "no deal counts under both sets of rules.")
    if not compared:
        return _players(results) or Statement(question, "not asked", "one set of rules was played.")
    changed = [one for one in compared if one["changed"]]
    if not changed:
        return Statement(question, NO_CHANGE, _unchanged(compared))
    pairs = [(one, entry) for one in changed for entry in one["metrics"]]
    found = [pair for pair in pairs if pair[1]["found"]]
    every = words.plural(len(pairs), "difference")
    if not found:
        return Statement(question, UNTOLD, f"not one of {every} could be told apart from no change.")
    first = differences.change(results, differences.ordered(_to_the_point(pairs))[:1]).removesuffix(".")
    of = (
        f"; {words.count(len(found))} of {every} could be told apart from no change" if len(pairs) > 1 else ""
    )
    return Statement(question, FOUND, f"{_going_on(first)}{of}.")


def _unchanged(compared: Sequence[Record]) -> str:
    """'not one of 2,000 games came out otherwise', and that it could not where the rules were the same already."""
    not_one = f"not one of {words.plural(sum(one['games'] for one in compared), 'game')} came out otherwise."
    sources = {one["same_rules"] for one in compared}
    if len(sources) > 1 or None in sources:
        return not_one
    variants = list(dict.fromkeys(str(one["variant"]) for one in compared))
    several = f"these {words.count(len(variants))} changes are"
    what = f"{words.name(variants[0])} is" if len(variants) == 1 else several
    return f"{what} what the {sources.pop()} says already, so {not_one}"


def _going_on(sentence: str) -> str:
    """A sentence as it goes on after a colon."""
    return sentence[:1].lower() + sentence[1:]


def _players(results: Record) -> Statement | None:
    """What the players change, where they and not the rules were compared."""
    told = lineups.of_levels(results) or lineups.of_types(results)
    return Statement(told[0], FOUND if told[1] else UNTOLD, told[2]) if told else None
