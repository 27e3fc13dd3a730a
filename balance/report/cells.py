"""The cells of a run in the order of the page, and what is shown of each: seats, scores, length, policies."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from balance.report import figures, words
from balance.report.blocks import Chart, Charts, Part, Table, Text, table

Record = Mapping[str, Any]
Blocks = list[Any]


@dataclass(frozen=True)
class Placed:
    """A cell and its place in the results, which names its charts."""

    index: int
    cell: Record

    @property
    def label(self) -> str:
        """What sets the cell apart from the others at the same number of players."""
        return words.isolated(str(self.cell["variant"])) + self._level

    @property
    def quoted(self) -> str:
        """The label inside a sentence: '"baseline"'."""
        return words.name(str(self.cell["variant"])) + self._level

    @property
    def _level(self) -> str:
        return f", level {words.name(str(self.cell['level']))}" if self.cell["level"] is not None else ""

    @property
    def where(self) -> str:
        """The cell in words: 'baseline, 4 players'."""
        return f"{self.label}, {words.table_size(self.cell)}"


def placed(results: Record) -> list[Placed]:
    """The cells in which games were played: by number of players, the baseline first."""
    baseline = words.baseline_name(results)
    cells = [Placed(index, cell) for index, cell in enumerate(results["cells"]) if cell["games"]]
    return sorted(cells, key=lambda one: (*_table(one.cell), one.cell["variant"] != baseline, one.index))


def _table(cell: Record) -> tuple[int, str]:
    return cell["players"], cell.get("mode") or ""


def by_table(results: Record, build: Callable[[Placed], Blocks]) -> list[Part]:
    """A part for each number of players: the first cell (the baseline) open, every other one folded."""
    parts: dict[tuple[int, str], tuple[str, Blocks]] = {}
    cells = placed(results)
    for one in cells:
        blocks = build(one)
        if not blocks:
            continue
        title, shown = parts.setdefault(_table(one.cell), (words.table_size(one.cell), []))
        if shown:
            shown.append(Part(one.label, blocks, folded=True))
        else:
            alone = sum(_table(other.cell) == _table(one.cell) for other in cells) == 1
            shown += [] if alone else [Text([f"These are the numbers of {one.quoted}; the others are folded below."], "aside")]
            shown += blocks
    return [Part(title, shown) for title, shown in parts.values()]


def seat_names(cell: Record) -> list[str]:
    """'Seat 1', 'Seat 2'..."""
    return [words.capital(words.seat(entry["seat"])) for entry in cell["seats"]]


def facts(cell: Record) -> str:
    """How many games stand behind a cell, and which of them ended unusually."""
    rotated = f" in {words.plural(cell['blocks'], 'block')}" if cell["rotations"] > 1 else ""
    capped = f"; {words.plural(cell['capped'], 'game')} ended at the cap" if cell["capped"] else ""
    void = f"; {words.plural(cell['void'], 'void game')}, left out of every mean" if cell["void"] else ""
    return f"{words.plural(cell['games'], 'game')}{rotated}{capped}{void}."


# ---------------------------------------------------------------------------------------------- one cell in full


def overview(results: Record) -> Table:
    """All cells at a glance, a row for each."""
    cells = placed(results)
    seats = max(len(one.cell["seats"]) for one in cells)
    heads = ["Cell", "#Games", *(f"#Seat {number} wins" for number in range(1, seats + 1)), "#Ties", "#Turns", "#Score"]
    return table("All cells at a glance: share of wins by seat, ties, turns and mean score", heads, [_glance(one.cell, seats, one.where) for one in cells])


def _glance(cell: Record, seats: int, where: str) -> list[str]:
    shares = [words.value(entry["win_share"], True) for entry in cell["seats"]]
    ties, turns = (cell["measures"].get(metric, {}).get("mean") for metric in ("tie_rate", "turns"))
    scores = [entry["score"]["mean"]["value"] for entry in cell["seats"]]
    return [
        where,
        words.count(cell["games"]),
        *shares,
        *[""] * (seats - len(shares)),
        words.value(ties, True) if ties else words.NOTHING,
        words.value(turns, False) if turns else words.NOTHING,
        words.fixed(sum(scores) / len(scores)) if None not in scores else words.NOTHING,
    ]


def in_full(results: Record, one: Placed) -> Blocks:
    """Seats, scores, length and policies of one cell."""
    charts = [_wins(results, one), _scores(one), *_lengths(results, one), *_policies(one)]
    return [Text([facts(one.cell)], "aside"), Charts(charts), _score_table(results, one)]


def _wins(results: Record, one: Placed) -> Chart:
    cell, even = one.cell, 1 / one.cell["players"]
    estimates = [entry["win_share"] for entry in cell["seats"]]
    figure = figures.shares(seat_names(cell), estimates, even)
    sentence = (
        f"Each dot is a seat's share of the wins, each bar its {words.confidence(results)} interval; "
        f"the dashed line is an even share, {words.percent(even)}. A shared win counts in parts."
    )
    return Chart(f"wins-{one.index}", "Share of wins by seat", sentence, figure, _share_table("Seat", seat_names(cell), estimates, even, one))


def _share_table(head: str, names: Sequence[str], estimates: Sequence[Record], even: float, one: Placed) -> Table:
    rows = [
        [name, words.value(estimate, True), words.interval(estimate, True), words.points(_less(estimate["value"], even))]
        for name, estimate in zip(names, estimates, strict=True)
    ]
    return table(f"Share of wins by {head.lower()}: {one.where}", [head, "#Share of wins", "#Interval", "#From even"], rows)


def _less(value: float | None, even: float) -> float | None:
    return None if value is None else value - even


def _scores(one: Placed) -> Chart:
    cell = one.cell
    names, histograms = seat_names(cell), [entry["score"]["histogram"] for entry in cell["seats"]]
    figure = figures.distributions(names, histograms, "score")
    numbers = _histogram_table(f"Share of games by score and seat: {one.where}", "Score", names, histograms)
    return Chart(f"scores-{one.index}", "Scores", "How often each seat ended with each score.", figure, numbers)


def _histogram_table(caption: str, head: str, names: Sequence[str], histograms: Sequence[Record]) -> Table:
    shares = [
        {value: number / max(1, sum(histogram["counts"])) for value, number in zip(histogram["values"], histogram["counts"], strict=True)}
        for histogram in histograms
    ]
    values = sorted({value for share in shares for value in share})
    rows = [[words.quantity(value), *(words.percent(share.get(value, 0), 2) for share in shares)] for value in values]
    return table(caption, [head, *(f"#{name}" for name in names)], rows)


def _lengths(results: Record, one: Placed) -> list[Chart]:
    """The length of games in turns, and in rounds where games differ in them."""
    charts = []
    for metric, word in (("turns", "turn"), ("rounds", "round")):
        histogram = one.cell["measures"].get(metric, {}).get("histogram")
        if histogram and (metric == "turns" or len(histogram["values"]) > 1):
            charts.append(_length(results, one, metric, word, histogram))
    return charts


def _length(results: Record, one: Placed, metric: str, word: str, histogram: Record) -> Chart:
    unit, summary = words.table_word(results, word), one.cell["measures"][metric]
    title = f"Length in {unit}s"
    quantiles = summary["quantiles"]
    sentence = (
        f"Half of the games last {words.quantity(quantiles['p50'])} {unit}s or fewer; eight in ten last from "
        f"{words.quantity(quantiles['p10'])} to {words.quantity(quantiles['p90'])}."
    )
    numbers = _histogram_table(f"Share of games by {unit}s: {one.where}", words.capital(f"{unit}s"), ["Games"], [histogram])
    return Chart(f"{metric}-{one.index}", title, sentence, figures.lengths(histogram, f"{unit}s"), numbers)


def _policies(one: Placed) -> list[Chart]:
    sides, even = one.cell.get("sides", []), 1 / one.cell["players"]
    if len(sides) < 2:
        return []
    names = [str(side["policy"]) for side in sides]
    rows = [
        [
            words.isolated(name),
            words.percent(side["seat_share"]),
            words.value(side["win_share"], True),
            words.interval(side["win_share"], True),
            words.value(side["score"]["mean"], False),
            words.interval(side["score"]["mean"], False),
        ]
        for name, side in zip(names, sides, strict=True)
    ]
    heads = ["Type of player", "#Seats held", "#Wins per seat held", "#Interval", "#Mean score", "#Interval"]
    sentence = f"Wins for each seat that a type of player held; {words.percent(even)} would be as strong as the rest of the table."
    figure = figures.shares(names, [side["win_share"] for side in sides], even)
    return [Chart(f"policies-{one.index}", "Types of player", sentence, figure, table(f"Types of player: {one.where}", heads, rows))]


def _score_table(results: Record, one: Placed) -> Table:
    rows = [
        [name, *summary_row(entry["score"])]
        for name, entry in zip(seat_names(one.cell), (entry for entry in one.cell["seats"]), strict=True)
    ]
    return table(f"{words.title(results, 'score')} by seat: {one.where}", ["Seat", *SUMMARY], rows)


SUMMARY = ("#Mean", "#Interval", "#Spread (SD)", "#1 in 10 below", "#Middle", "#1 in 10 above", "#Least", "#Most")


def summary_row(summary: Record) -> list[str]:
    """Mean, interval, spread, p10, p50, p90, least and most of a number per game."""
    quantiles = summary["quantiles"]
    return [
        words.value(summary["mean"], False),
        words.interval(summary["mean"], False),
        words.fixed(summary["sd"], 2),
        *(words.quantity(number) for number in (quantiles["p10"], quantiles["p50"], quantiles["p90"], summary["min"], summary["max"])),
    ]
