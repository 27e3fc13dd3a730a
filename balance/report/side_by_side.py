"""Several runs on one page: what differs between them first, then how each number moved from run to run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from balance.report import differences, figures, words
from balance.report.blocks import Chart, Charts, Entry, Part, Section, Table, Text, table
from balance.report.rules import written

Record = Mapping[str, Any]
CHARTED = ("win_share", "goal_rate", "score", "rounds", "turns", "tie_rate", "score_margin", "capped_rate")
"""What gets a chart; all other numbers stand in the table."""
MOST_TOLD = 8
APART = "Tables of levels are not matched with those of runs without."


def sections(found: Record) -> list[Section]:
    """The sections of the page, from what `analysis.side_by_side` found."""
    return [
        Section("differences", "What differs between these runs", _order(found), _differences(found)),
        Section("moves", "What moved", "", [Text(told(found), "list")]),
        Section("numbers", "Number by number", _reading(found), _tables(found)),
    ]


def _order(found: Record) -> str:
    return f"{words.plural(len(found['runs']), 'run')}, the oldest first."


def _reading(found: Record) -> str:
    return (
        f"The baseline of each run, with {words.confidence(found)} intervals. A step is judged as if the runs had "
        "different deals, so it is less sure than a variant within one run."
    )


# ---------------------------------------------------------------------- what differs


def _differences(found: Record) -> list[Any]:
    blocks: list[Any] = [_runs(found)]
    if found["rules"]:
        blocks.append(_rules(found))
    elif _have_a_table_in_common(found):
        blocks.append(Text(["The baselines have the same rules; only they stand here."]))
    bans = told_of_bans(found)
    return [*blocks, Text(bans)] if bans else blocks


def _have_a_table_in_common(found: Record) -> bool:
    """Whether the rules of any two runs could be held together, which is done table by table."""
    every = [metric["values"] for one in found["tables"] for metric in one["metrics"]]
    return any(sum(value is not None for value in values) > 1 for values in every)


def told_of_bans(found: Record) -> list[str]:
    """What a seat had to do without in some run, a sentence each."""
    return [
        f"In {words.name(run['name'])} {words.seat(ban['seat'])} was forbidden {words.isolated(ban['what'])} in the "
        f"games of {words.name(ban['variant'])}, which are not held together here."
        for run in found["runs"]
        for ban in run["bans"]
    ]


def _runs(found: Record) -> Table:
    heads = ["Run", "Played", "Title", "#Games", "#Seed", "Players", "Deck", "Version"]
    rows: list[list[str | Entry]] = [
        [
            Entry(one["name"], "" if one["status"] == "complete" else "interrupted"),
            str(one["started"] or words.NOTHING),
            one["title"],
            words.count(one["games"]),
            str(one["seed"]),
            ", ".join(one["policies"]),
            str(one["deck"] or words.NOTHING),
            f"{one['tool']}, rules {one['rules_version']}",
        ]
        for one in found["runs"]
    ]
    return table("The runs", heads, rows)


def _rules(found: Record) -> Table:
    heads = ["Rule", "Table", *(one["name"] for one in found["runs"])]
    rows: list[list[str | Entry]] = [
        [
            Entry(one["rule"], code=True),
            words.setting(one),
            *(words.NOTHING if value is None else written(value) for value in one["values"]),
        ]
        for one in found["rules"]
    ]
    return table("The rules in which the runs differ", heads, rows)


# ---------------------------------------------------------------------- what moved


def told(found: Record, most: int = MOST_TOLD) -> list[str]:
    """The steps that are more than luck, the last ones first, and how many could not be told from none."""
    steps = [
        (at, table, metric)
        for table in found["tables"]
        for metric in table["metrics"]
        for at, moved in enumerate(metric["moved"])
        if moved is not None
    ]
    seen = [step for step in steps if words.excludes_zero(step[2]["moved"][step[0]])]
    seen.sort(key=lambda step: (step[2]["metric"] not in CHARTED, -step[0]))
    sentences = [_step(found, *step) for step in seen[:most]]
    if len(seen) > most:
        sentences.append(f"{words.plural(len(seen) - most, 'more step is', 'more steps are')} in the tables.")
    if len(steps) > len(seen):
        every = words.plural(len(steps), "step")
        sentences.append(
            f"{words.count(len(steps) - len(seen))} of {every} from run to run could not be told apart from no change."
        )
    if seen:
        chance = words.quantity(round(100 * (1 - found["confidence"]), 6))
        sentences.append(
            f"Of so many steps about {chance} in 100 would seem to be more than luck even if nothing had changed."
        )
    sentences = sentences or ["No two of these runs have a table in common."]
    return [*sentences, *([APART] if _has_both(found) else [])]


def _has_both(found: Record) -> bool:
    """Whether a number of players was played by levels in one run, and without them in another."""
    sizes: dict[bool, set[str]] = {True: set(), False: set()}
    for one in found["tables"]:
        sizes[one["level"] is None].add(words.table_size(one))
    return bool(sizes[True] & sizes[False])


def _step(found: Record, at: int, table: Record, metric: Record) -> str:
    share, moved = words.is_share(found, metric["metric"]), metric["moved"][at]
    before = next(value for value in reversed(metric["values"][:at]) if value is not None)
    between = before["value"], metric["values"][at]["value"]
    digits, near, size, far = words.sizes(moved, share, between)
    ends = (words.measured(metric["metric"], words.plain(one, share, digits)) for one in between)
    way, unit = "rises" if moved["value"] > 0 else "falls", words.PP if share else ""
    what, run = words.capital(differences.subject(found, metric)), words.name(found["runs"][at]["name"])
    return (
        f"{what} {way} with {words.setting(table)} from {' to '.join(ends)} in {run}, by {size}{unit} (interval "
        f"{near} to {far}{unit})."
    )


# ---------------------------------------------------------------------- number by number


def _tables(found: Record) -> list[Any]:
    return [
        Part(words.capital(words.setting(one)), [Charts(_charts(found, at, one)), _numbers(found, one)])
        for at, one in enumerate(found["tables"])
        if one["metrics"]
    ]


def _charts(found: Record, at: int, one: Record) -> list[Chart]:
    names = [metric["metric"] for metric in one["metrics"]]
    return [_chart(found, at, one, metric) for metric in CHARTED if metric in names]


def _chart(found: Record, at: int, one: Record, metric: str) -> Chart:
    share, title = words.is_share(found, metric), words.title(found, metric)
    entries = [entry for entry in one["metrics"] if entry["metric"] == metric]
    lines = [
        (title if entry["seat"] is None else words.capital(words.side(entry)), entry["values"])
        for entry in entries
    ]
    runs = [run["name"] for run in found["runs"]]
    figure = figures.over_runs(runs, lines, f"{title}, %" if share else title, 100 if share else 1)
    sentence = f"Each dot is the baseline of a run, each bar its {words.confidence(found)} interval."
    return Chart(f"run-{metric}-{at}", title, sentence, figure, _numbers(found, one, metric))


def _numbers(found: Record, one: Record, only: str = "") -> Table:
    runs = [run["name"] for run in found["runs"]]
    entries = [entry for entry in one["metrics"] if only in ("", entry["metric"])]
    title = words.title(found, only) if only else "All numbers"
    heads = ["What", *(f"#{name}" for name in runs), "#Last step", "#Interval"]
    rows = [_row(found, entry) for entry in entries]
    return table(
        f"{title} in each run, {words.setting(one)}; marked where the last step is more than luck",
        heads,
        rows,
    )


def _row(found: Record, entry: Record) -> Sequence[str | Entry]:
    share, what = words.is_share(found, entry["metric"]), differences.what(found, entry)
    shown = [words.NOTHING if value is None else words.value(value, share) for value in entry["values"]]
    known = [at for at, value in enumerate(entry["values"]) if value is not None]
    moved = next((one for one in reversed(entry["moved"]) if one is not None), None)
    if moved is None or len(known) < 2:
        return [what, *shown, words.NOTHING, words.NOTHING]
    last = known[-2:]
    ends, step = words.moved(moved, share, [entry["values"][at]["value"] for at in last])
    for at, end in zip(last, ends, strict=True):
        shown[at] = words.measured(entry["metric"], end)
    told = Entry(step, marked=words.excludes_zero(moved))
    return [what, *shown, told, words.difference_interval(moved, share)]
