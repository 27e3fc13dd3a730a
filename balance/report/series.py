"""A series as blocks of the page: for each number of players what it says, and its numbers value by value."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from balance.report import answers, halves, words
from balance.report.blocks import Answer, Answers, Entry, Table, table

Record = Mapping[str, Any]


def answers_of(one: Record, results: Record) -> Answers:
    """The answers of a series, one for each number of players."""
    return Answers(
        [
            Answer(
                words.capital(words.setting(each)),
                answers.sentence(one, each, results),
                _table(one, each, results),
            )
            for each in one["tables"]
        ]
    )


def in_short(one: Record, results: Record, most: int) -> tuple[Table, int]:
    """What the values change, `most` lines of it, and how many values have none.

    The first value of every number of players comes before the second of any; those next to the baseline's are first.
    """
    tables = [(each, answers.from_the_nearest(each)) for each in one["tables"]]
    every = sorted((rank, at) for at, (_, others) in enumerate(tables) for rank in range(len(others)))
    whole = (
        most - most % len(tables) if most > len(tables) else most
    )  # so that all tables have as many, if they can
    shown = sorted((at, rank) for rank, at in every[:whole])
    rows = [
        [answers.place(one, tables[at][0]), *answers.brief(tables[at][1][rank], tables[at][0], results)]
        for at, rank in shown
    ]
    heads = ["At the table", *answers.brief_heads(one, results)]
    values = sum(len(each["rows"]) - 1 for each in one["tables"])
    return table(answers.against(one, results), heads, rows), values - len(shown)


def _table(one: Record, each: Record, results: Record) -> Table:
    """A row for each value of the rule; the one that the others are compared with is marked."""
    first, *others = map(words.capital, answers.heads(each, results))
    heads = [first, *(f"#{head}" for head in others)]
    rows = [
        [
            Entry(answers.value(row), _name(row), marked=row["baseline"]),
            *(
                Entry(halves.joined(*cell), marked=row["baseline"])
                for cell in answers.cells(row, each, results)
            ),
        ]
        for row in each["rows"]
    ]
    caption = f"{words.name(one['rule'])}, {words.setting(each)}: {halves.TITLE}"
    return table(caption, heads, rows)


def _name(row: Record) -> str:
    """The variant of a row; the baseline's is told by its mark."""
    return "" if row["baseline"] else words.isolated(str(row["variant"]))
