"""A comparison as text for a terminal of 80 columns, and as Markdown: sentences, then a table for each table size."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from balance.cli.tables import compared, filled
from balance.report import differences, sprt, verdicts, voids, words
from balance.report.rules import written

Record = Mapping[str, Any]
HEADS = ("", "before", "after", "change", "interval", "p", "worth")


def as_text(results: Record) -> str:
    """What a comparison says, what got worse first."""
    lines = [*filled(words.isolated(results["title"])), ""]
    for sentence in _sentences(results):
        lines += filled(sentence)
    for one in results["comparisons"]:
        lines += ["", *filled(_heading(results, one))]
        for pairs in _families(one):
            lines += ["", *compared(results, pairs)]
        lines += ["", *(line for told in _below(results, one) for line in filled(told, "  "))]
    lines += ["", *filled(READING)]
    return "\n".join(lines) + "\n"


READING = (
    "p: the chance of such a change if there were none, allowing for the number of questions; the intervals do not, so "
    "one may leave out 0 by luck. Worth: how many games on different deals a game on the same deals is worth. pp: "
    "percentage points, the differences of shares."
)


def as_markdown(results: Record) -> str:
    """The same as Markdown."""
    lines = [f"**{results['title']}**", ""]
    lines += [f"- {sentence}" for sentence in _sentences(results)]
    for one in results["comparisons"]:
        lines += ["", _heading(results, one), ""]
        rows = [HEADS, ["---"] * len(HEADS)]
        rows += [_row(results, entry) for pairs in _families(one) for _, entry in pairs]
        lines += [f"| {' | '.join(row)} |" for row in rows]
        lines += ["", *(f"- {told}" for told in _below(results, one))]
    return "\n".join([*lines, "", READING]) + "\n"


def _sentences(results: Record) -> Iterator[str]:
    if words.deck_note(results):
        yield words.deck_note(results)
    if results["status"] != "complete":
        yield verdicts.interrupted()
    yield from sprt.sentences(results)
    yield from differences.sentences(results)
    yield from (f"Warning: {warning}" for warning in (*results["warnings"], *voids.few(results)))
    yield verdicts.lineup(results)


def _heading(results: Record, one: Record) -> str:
    """'4 players, 100,000 games by each set of rules: bonus_first 1 instead of 2'."""
    before, after = _cells(results, one)
    games, compared = words.plural(one["games"], "game"), one.get("compared", one["games"])
    games = games if compared == one["games"] else f"{words.count(compared)} of {games}"
    changes = [
        f"{rule} {written(value)} instead of {written(before['rules'].get(rule))}"
        for rule, value in after["changes"].items()
    ]
    if "ban" in after:
        changes.append(after["variant"])
    told = ", ".join(changes) or f"{words.name(one['variant'])} is what the {one['same_rules']} says already"
    return f"{words.setting(one)}, {games} by each set of rules: {told}"


def _cells(results: Record, one: Record) -> tuple[Record, Record]:
    """The baseline's and the variant's cell of a comparison."""
    table = [one[key] for key in ("players", "mode", "level")]
    here = [cell for cell in results["cells"] if [cell[key] for key in ("players", "mode", "level")] == table]
    before, after = (
        next(cell for cell in here if cell["variant"] == one[name]) for name in ("baseline", "variant")
    )
    return before, after


def _families(one: Record) -> Iterator[list[differences.Pair]]:
    """The headline numbers, then what else changed, or where that is nothing, what else was looked at; where not one
    game came out otherwise, the headline numbers."""
    pairs = differences.ordered([(one, entry) for entry in one["metrics"]])
    yield [pair for pair in pairs if pair[1]["family"] == "headline"]
    others = [pair for pair in pairs if pair[1]["family"] != "headline" and one["changed"]]
    found = [pair for pair in others if pair[1]["found"]]
    if found or others:
        yield found or others


def _below(results: Record, one: Record) -> Iterator[str]:
    """How many differences the tables leave out, and what becomes of the seats."""
    hidden = len(one["metrics"]) - sum(map(len, _families(one)))
    if hidden and one["changed"]:
        more = words.plural(hidden, "other difference", "other differences")
        yield f"Not shown: {more} that could not be told apart from no change."
    yield from _seats(results, one)


def _seats(results: Record, one: Record) -> Iterator[str]:
    """Whether the seats are even under either set of rules."""
    for name, cell in zip(("Before", "After"), _cells(results, one), strict=True):
        told = verdicts.judged(cell)
        if told:
            yield f"{name}: {told[0].lower()}{told[1:]}"


def _row(results: Record, entry: Record) -> Sequence[str]:
    share, estimate = words.is_share(results, entry["metric"]), entry["difference"]
    ends, moved = words.moved(estimate, share, (entry["baseline"], entry["value"]))
    title = differences.what(results, entry).replace("|", "\\|")
    return (
        f"**{title}**" if entry["worse"] else title,
        *(words.measured(entry["metric"], end) for end in ends),
        moved,
        words.difference_interval(estimate, share),
        words.p_value(entry["adjusted"]),
        words.times(entry["worth"]),
    )
