"""Who wins, with how many points, after how long: what is shown of every cell whatever the game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from balance.errors import listed
from balance.report import figures, goals, minutes, verdicts, words
from balance.report.blocks import Chart, Charts, Entry, Table, Text, table
from balance.report.cells import Blocks, Placed, facts, placed, seat_names, sides, twins

Record = Mapping[str, Any]
SUMMARY = (
    "#Mean",
    "#Interval",
    "#Spread (SD)",
    "#1 in 10 below",
    "#Middle",
    "#1 in 10 above",
    "#Least",
    "#Most",
)


def summary_row(summary: Record) -> list[str]:
    """Mean, interval, spread, p10, p50, p90, least and most of a number per game: the columns of SUMMARY."""
    mean, quantiles = summary["mean"], summary["quantiles"]
    whole = (quantiles["p10"], quantiles["p50"], quantiles["p90"], summary["min"], summary["max"])
    spread = words.fixed(summary["sd"], words.digits(mean, False))
    return [words.value(mean, False), words.interval(mean, False), spread, *map(words.quantity, whole)]


# ---------------------------------------------------------------------- all cells


def overview(results: Record) -> Table:
    """All cells at a glance, a row for each."""
    cells = placed(results)
    names = list(dict.fromkeys(name for one in cells for name in _shares(one.cell)))
    goal = any("goal" in one.cell for one in cells)
    heads = [
        "Cell",
        "#Games",
        *(f"#{words.capital(name)} {'win' if ' and ' in name else 'wins'}" for name in names),
        *(["#Goal reached"] if goal else []),
        "#Ties",
        "#Turns",
        "#Score",
    ]
    caption = "All cells at a glance: share of wins by seat, ties, turns and mean score"
    return table(caption, heads, [[_named(results, one), *_glance(one.cell, names, goal)] for one in cells])


def _named(results: Record, one: Placed) -> Entry:
    """A cell, with the variants that came out the same."""
    same = twins(results, one.cell)
    return Entry(one.where, f"The same in every game: {listed(same)}" if same else "")


def _shares(cell: Record) -> dict[str, str]:
    """The share of wins of each who competes, by name; none where a goal is to be reached."""
    if "goal" in cell:
        return {}
    return {name: words.value(entry["win_share"], True) for name, entry in words.sides(cell)}


def _glance(cell: Record, names: Sequence[str], goal: bool) -> list[str]:
    shares = _shares(cell)
    scores = [entry["score"]["mean"]["value"] for entry in cell["seats"]]
    return [
        words.count(cell["games"]),
        *(shares.get(name, "") for name in names),
        *([_mean(cell, "goal_rate", True)] if goal else []),
        _mean(cell, "tie_rate", True),
        _mean(cell, "turns", False),
        words.fixed(sum(scores) / len(scores)) if None not in scores else words.NOTHING,
    ]


def _mean(cell: Record, metric: str, share: bool) -> str:
    measure = cell["measures"].get(metric)
    return words.value(measure["mean"], share) if measure else words.NOTHING


# ---------------------------------------------------------------------- one cell


def in_full(results: Record, one: Placed, charted: bool = True) -> Blocks:
    """Seats, scores, length and policies of one cell; without charts only the table of who wins stays of them."""
    first = goals.chart(results, one) if "goal" in one.cell else _wins(results, one)
    lengths = [*_lengths(results, one), *minutes.charts(results, one)]
    charts = [first, _scores(one), *_margins(results, one), *lengths, *_policies(one)] if charted else []
    return [
        Text([facts(one.cell)], "aside"),
        Charts(charts) if charted else first.table,
        *_evenness(one),
        *_policies_by_seat(one),
        _score_table(results, one),
    ]


def _wins(results: Record, one: Placed) -> Chart:
    names, entries = sides(one.cell)
    even, who = 1 / len(names), "team" if "teams" in one.cell else "seat"
    estimates = [entry["win_share"] for entry in entries]
    sentence = (
        f"Each dot is a {who}'s share of the wins, each bar its {words.confidence(results)} interval; "
        f"the dashed line is an even share, {words.percent(even)}. A shared win counts in parts."
    )
    rows = [
        [name, words.value(share, True), words.interval(share, True), _from_even(share, even)]
        for name, share in zip(names, estimates, strict=True)
    ]
    heads = [words.capital(who), "#Share of wins", "#Interval", "#From even"]
    numbers = table(f"Share of wins by {who}: {one.where}", heads, rows)
    figure = figures.shares(names, estimates, even)
    return Chart(f"wins-{one.index}", f"Share of wins by {who}", sentence, figure, numbers)


def _evenness(one: Placed) -> list[Table]:
    """The tests of the seats, and the differences between each two of them."""
    rows = verdicts.evenness(one.cell)
    if not rows:
        return []
    pairs = [
        [verdicts.pair(one.cell, entry), *_difference(entry["difference"])]
        for entry in one.cell["tests"]["pairs"]
    ]
    heads = ["Which", "#Difference", "#Interval"]
    who = "teams" if "teams" in one.cell else "seats"
    return [
        table(
            f"Are the {who} even? {one.where}", ["What", "Result"], [[words.capital(a), b] for a, b in rows]
        ),
        table(f"Share of wins, first less second, all intervals together: {one.where}", heads, pairs),
    ]


def _difference(estimate: Record) -> list[str]:
    return [words.difference(estimate, True), words.difference_interval(estimate, True)]


def _from_even(share: Record, even: float) -> str:
    return words.points(None if share["value"] is None else share["value"] - even)


def _scores(one: Placed) -> Chart:
    names, entries = sides(one.cell)
    histograms, who = (
        [entry["score"]["histogram"] for entry in entries],
        "team" if "teams" in one.cell else "seat",
    )
    caption = f"Share of games by score and {who}: {one.where}"
    numbers = histogram_table(caption, ["Score", *(f"#{name}" for name in names)], histograms)
    figure = figures.distributions(names, histograms, "score")
    sentence = f"How often each {who} ended with each score.{f' {figures.ON_TOP}' if len(names) > 1 else ''}"
    return Chart(f"scores-{one.index}", "Scores", sentence, figure, numbers)


def _margins(results: Record, one: Placed) -> list[Chart]:
    """By how much games are won, where there are others to beat."""
    summary = one.cell["measures"].get("score_margin")
    if not summary or len(summary["histogram"]["values"]) < 2:
        return []
    ties = one.cell["measures"].get("tie_rate")
    shared = (
        f" Wins are shared in {words.value(ties['mean'], True)} ({words.interval(ties['mean'], True)}) of the games."
        if ties
        else ""
    )
    middle, most = (words.quantity(summary["quantiles"][key]) for key in ("p50", "p90"))
    sentence = f"Half of the games are won by {middle} or fewer, nine in ten by {most} or fewer.{shared}"
    title, histogram = words.title(results, "score_margin"), summary["histogram"]
    numbers = histogram_table(
        f"Share of games by winning margin: {one.where}", ["Margin", "#Games"], [histogram]
    )
    figure = figures.lengths(histogram, "first score less second")
    return [Chart(f"margins-{one.index}", title, sentence, figure, numbers)]


def histogram_table(caption: str, heads: Sequence[str], histograms: Sequence[Record]) -> Table:
    """The share of games with each value, a column for each histogram."""
    counts = [dict(zip(one["values"], one["counts"], strict=True)) for one in histograms]
    games = [max(1, sum(one["counts"])) for one in histograms]
    rows = [
        [
            words.quantity(value),
            *(words.percent(one.get(value, 0) / n, 2) for one, n in zip(counts, games, strict=True)),
        ]
        for value in sorted({value for one in counts for value in one})
    ]
    return table(caption, heads, rows)


def _lengths(results: Record, one: Placed) -> list[Chart]:
    """The length of games in turns, and in rounds where games differ in them."""
    charts = []
    for metric, word in (("turns", "turn"), ("rounds", "round")):
        summary = one.cell["measures"].get(metric)
        if summary and (metric == "turns" or len(summary["histogram"]["values"]) > 1):
            charts.append(_length(one, metric, f"{words.table_word(results, word)}s", summary))
    return charts


def _length(one: Placed, metric: str, unit: str, summary: Record) -> Chart:
    least, middle, most = (words.quantity(summary["quantiles"][key]) for key in ("p10", "p50", "p90"))
    sentence = f"Half of the games last {middle} {unit} or fewer; eight in ten last from {least} to {most}."
    if summary["min"] == summary["max"]:
        sentence = f"Every game lasts {middle} {unit}."
    caption, histogram = f"Share of games by {unit}: {one.where}", summary["histogram"]
    numbers = histogram_table(caption, [words.capital(unit), "#Games"], [histogram])
    return Chart(
        f"{metric}-{one.index}", f"Length in {unit}", sentence, figures.lengths(histogram, unit), numbers
    )


def _policies(one: Placed) -> list[Chart]:
    held, even = one.cell.get("sides", []), 1 / one.cell["players"]
    if len(held) < 2:
        return []
    heads = ["Type of player", "#Seats held", "#Wins per seat held", "#Interval"]
    heads += ["#Part of all wins", "#Interval", "#Mean score", "#Interval"]
    numbers = table(f"Types of player: {one.where}", heads, [_policy(side) for side in held])
    figure = figures.shares(
        [str(side["policy"]) for side in held], [side["win_share"] for side in held], even
    )
    sentence = (
        "Wins for each seat that a type of player held; "
        f"{words.percent(even)} would be as strong as the rest of the table."
    )
    return [Chart(f"policies-{one.index}", "Types of player", sentence, figure, numbers)]


def _policy(side: Record) -> list[str]:
    wins, part, score = side["win_share"], side["share_of_wins"], side["score"]["mean"]
    return [
        str(side["policy"]),
        words.percent(side["seat_share"]),
        words.value(wins, True),
        words.interval(wins, True),
        words.value(part, True),
        words.interval(part, True),
        words.value(score, False),
        words.interval(score, False),
    ]


def _policies_by_seat(one: Placed) -> list[Table]:
    """What each type of player wins of its own games in each seat."""
    held = one.cell.get("sides", [])
    if len(held) < 2:
        return []
    rows = [
        [
            str(side["policy"]),
            *(f"{words.value(share, True)} ({words.interval(share, True)})" for share in shares),
        ]
        for side in held
        for shares in [side["seats"]]
    ]
    heads = ["Type of player", *(f"#{name}" for name in seat_names(one.cell))]
    return [
        table(f"Wins of each type of player in each seat, of its own games there: {one.where}", heads, rows)
    ]


def _score_table(results: Record, one: Placed) -> Table:
    rows = [[name, *summary_row(entry["score"])] for name, entry in zip(*sides(one.cell), strict=True)]
    who = "team" if "teams" in one.cell else "seat"
    caption = f"{words.title(results, 'score')} by {who}: {one.where}"
    return table(caption, [words.capital(who), *SUMMARY], rows)
