"""Finds games of a run by their rows: those that fulfil a condition, or the most extreme of a column.

The files of rows are read one after the other, so ten million games take no more memory than a few thousand. A
run without rows still knows its most extreme games; these few are played again and searched instead.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from balance.errors import BalanceError, listed, nearest
from balance.experiment.conditions import Condition, condition, expression, unknown_column
from balance.experiment.plan import Plan, PlannedCell
from balance.experiment.progress_file import DamagedError, ProgressFile
from balance.experiment.replay import Replayer
from balance.experiment.rows import frame
from balance.experiment.rundir import RESULTS, RunDir
from balance.experiment.tally import Tally
from balance.experiment.wording import printable

Query = Callable[[Any], Any]
"""Asks something of rows: a lazy frame from a lazy frame."""
Piece = Callable[[Query], Any]
"""A file of rows, or what stands in its place: hands out the table that a query comes to."""
MARGIN = "score_margin"
"""First score minus second: worked out from the scores, not kept in the rows."""


@dataclass(frozen=True)
class Extreme:
    """The games with the highest values of a column, or with the lowest."""

    column: str
    lowest: bool = False


@dataclass(frozen=True)
class Hit:
    """A game that was found: its cell, its number, and the values that it was found by."""

    cell: str
    game: int
    values: dict[str, Any]


@dataclass(frozen=True)
class Found:
    """The first games, in order; how many there are in all, among how many; and what else is to be known."""

    hits: tuple[Hit, ...]
    matching: int
    searched: int
    notes: tuple[str, ...]


class _Cell:
    """A cell that is searched: its name, its columns, and where its rows are read from, piece by piece."""

    def __init__(self, name: str, pieces: Sequence[Piece], teams: Sequence[Sequence[int]] | None) -> None:
        self.name, self._pieces, self._teams = name, pieces, teams
        self.schema: dict[str, Any] = {}
        self.words: dict[str, list[str]] = {}
        if pieces:
            pieces[0](self._remember)

    def _remember(self, rows: Any) -> Any:
        """Note the columns, and of those that hold words all that there may be."""
        import polars

        kinds = rows.collect_schema()
        self.words = {name: kind.categories.to_list() for name, kind in kinds.items() if kind == polars.Enum}
        self.schema = dict(_complete(rows, self._teams).collect_schema())
        return rows.head(0)

    @property
    def games(self) -> int:
        """How many games there are rows of."""
        import polars

        return sum(int(piece(lambda rows: rows.select(polars.len())).item()) for piece in self._pieces)

    def tables(self, query: Query) -> Iterator[Any]:
        """What is asked of the rows of each piece, in the order of the games."""
        for piece in self._pieces:
            yield piece(lambda rows: query(_complete(rows, self._teams)))


def search(run: RunDir, asked: str | Extreme, cell: str | None = None, n: int = 10) -> Found:
    """The first `n` games of a run, or of one of its cells, that fulfil a condition or are the most extreme.

    Cells come in the order of the run and games by their numbers; the most extreme by their values first.
    BalanceError for what cannot be asked, and for rows that are damaged.
    """
    listed_cells = [one for one in run.manifest["cells"] if cell in (None, one["folder"])]
    sentences: list[str] = []
    cells = [one for one in _cells(run, listed_cells, asked, sentences) if one.schema]
    if not cells:
        raise BalanceError(f"The run in {run.path} has no games to search yet.")
    known = list(dict.fromkeys(name for one in cells for name in one.schema))
    read = asked if isinstance(asked, Extreme) else condition(asked, known)
    columns = read.columns if isinstance(read, Condition) else (read.column,)
    if unknown := [name for name in columns if name not in known]:
        raise unknown_column(unknown[0], known)
    fit = [one for one in cells if set(columns) <= one.schema.keys()]
    if left_out := [one.name for one in cells if one not in fit]:
        sentences.append(f"Left out, as they do not have these columns: {listed(left_out)}.")
    if not fit:
        raise BalanceError(f"No cell has all of the columns {listed(columns)}.")
    matching, hits = _extreme(fit, read, n) if isinstance(read, Extreme) else _fulfilling(fit, read, n)
    searched = sum(one.games for one in fit)
    return Found(tuple(hits), searched if matching is None else matching, searched, tuple(sentences))


def _fulfilling(cells: Sequence[_Cell], asked: Condition, n: int) -> tuple[int, list[Hit]]:
    matching, hits = 0, list[Hit]()
    _look_at_words(cells, asked)
    for cell in cells:
        for table in cell.tables(partial(_those, expression(asked, cell.schema), asked.columns)):
            matching += table.height
            for row in table.head(n - len(hits)).to_dicts():
                hits.append(Hit(cell.name, row["game"], {name: row[name] for name in asked.columns}))
    return matching, hits


def _extreme(cells: Sequence[_Cell], asked: Extreme, n: int) -> tuple[None, list[Hit]]:
    best: list[tuple[int, int, int]] = []
    name, sign = asked.column, 1 if asked.lowest else -1
    for at, cell in enumerate(cells):
        if not cell.schema[name].is_integer():
            raise BalanceError(f'The column "{name}" holds no numbers.')
        for table in cell.tables(partial(_outermost, asked, n)):
            found = [(sign * row[name], at, row["game"]) for row in table.to_dicts()]
            best = sorted([*best, *found])[:n]
    return None, [Hit(cells[at].name, game, {name: sign * value}) for value, at, game in best]


def _those(wanted: Any, columns: Sequence[str], rows: Any) -> Any:
    return rows.filter(wanted).select(*dict.fromkeys(["game", *columns]))


def _outermost(asked: Extreme, n: int, rows: Any) -> Any:
    found = rows.select(*dict.fromkeys(["game", asked.column])).drop_nulls()  # a void game has no score
    return found.sort(by=[asked.column, "game"], descending=[not asked.lowest, False]).head(n)


def _look_at_words(cells: Sequence[_Cell], asked: Condition) -> None:
    """A word that none of the columns can hold is mistyped: nothing could ever be found."""
    known = sorted({word for cell in cells for name in asked.columns for word in cell.words.get(name, ())})
    for word in asked.values if known else ():
        if word not in known:
            raise BalanceError(
                f'None of the columns of the condition can be "{printable(word)}".{nearest(word, known)}',
                f"They can be: {', '.join(known)}.",
            )


def _complete(rows: Any, teams: Sequence[Sequence[int]] | None = None) -> Any:
    """Rows with 64-bit numbers and plain texts, which nobody's sums overflow, and with the winning margin.

    Of each team the first seat has the score; without teams each seat has its own.
    """
    import polars

    schema = dict(rows.collect_schema())
    wide = [polars.col(name).cast(polars.Int64) for name, kind in schema.items() if kind.is_integer()]
    texts = [polars.col(name).cast(polars.String) for name, kind in schema.items() if kind == polars.Enum]
    rows = rows.with_columns(*wide, *texts)
    names = [name for name in schema if re.fullmatch("score_[0-9]", name)]
    if teams:
        names = [f"score_{team[0]}" for team in teams]
    scores = [polars.col(name) for name in names]
    return rows if len(scores) < 2 else rows.with_columns(_margin(scores).alias(MARGIN))


def _margin(scores: Sequence[Any]) -> Any:
    """First score minus second, as in `columns`."""
    import polars

    first, second = polars.max_horizontal(scores[:2]), polars.min_horizontal(scores[:2])
    for score in scores[2:]:
        second = polars.max_horizontal(second, polars.min_horizontal(first, score))
        first = polars.max_horizontal(first, score)
    return first - second


# ---------------------------------------------------------------------- where the rows are


def _cells(
    run: RunDir, manifest: Sequence[Any], asked: str | Extreme, sentences: list[str]
) -> Iterator[_Cell]:
    """The cells, each with its files of rows, or else with the games that were kept as its most extreme."""
    found, games, without = 0, 0, list[Any]()
    for one in manifest:
        parts = sorted((run.path / "games" / one["folder"]).glob("part-*.parquet"))
        if not parts:
            without.append(one)
            continue
        cell = _Cell(one["folder"], [partial(run.read_part, part) for part in parts], one.get("teams"))
        found, games = found + cell.games, games + _games_of(run, one)
        yield cell
    if found < games:
        sentences.append(
            f"The run is not whole: only the {found:,} of {games:,} games that have rows were searched."
        )
    if without:
        yield from _kept_cells(run, without, asked, sentences)


def _games_of(run: RunDir, one: Mapping[str, Any]) -> int:
    """How many games a cell has in the end, which in a run that was stopped by a rule its results know."""
    if "stopping" in run.manifest and (run.path / RESULTS).exists():
        return next(int(cell["games"]) for cell in run.results["cells"] if cell["name"] == one["folder"])
    return int(one["games"])


def _kept_cells(
    run: RunDir, manifest: Sequence[Any], asked: str | Extreme, sentences: list[str]
) -> Iterator[_Cell]:
    plan = run.plan()
    try:
        tallies = ProgressFile(run.progress, plan).load().tallies
    except DamagedError as error:
        raise BalanceError(f"{run.progress} is damaged.", "Give the run's command again.") from error
    wanted, total = {one["folder"] for one in manifest}, 0
    for planned, tally in zip(plan.cells, tallies, strict=True):
        if planned.folder in wanted and tally.played:
            kept = _kept_games(tally, asked)
            total += len(kept)
            rows = _played_again(plan, planned, kept)
            teams = planned.teams if planned.has_teams else None
            yield _Cell(planned.folder, [partial(_of_frame, rows)], teams)
    if total:
        among = "" if len(wanted) == len(plan.cells) else f" of {listed(sorted(wanted))}"
        what = f"only the {total} most extreme games that it kept were searched"
        sentences.append(f"The run has no rows{among}: {what}.")


def _kept_games(tally: Tally, asked: str | Extreme) -> list[int]:
    """The games to search, in order: those that are extreme in what is asked for, or else in anything."""
    ends = [tally.lowest, tally.highest]
    if isinstance(asked, Extreme) and asked.column in tally.highest:
        ends = [{asked.column: (tally.lowest if asked.lowest else tally.highest)[asked.column]}]
    return sorted({game for end in ends for ranked in end.values() for _, game in ranked})


def _played_again(plan: Plan, cell: PlannedCell, games: Sequence[int]) -> Any:
    """The rows of these games."""
    import polars

    table = plan.table(cell)
    replayer = Replayer(plan.game, table.params, table.policies, table.rotations, table.ban)
    tables = []
    for game in games:
        row = replayer.play(plan.experiment.run.seed, game).row
        tables.append(frame(plan.game, cell, game, np.array([[value] for value in row.values()], np.int32)))
    return polars.concat(tables)


def _of_frame(rows: Any, query: Query) -> Any:
    return query(rows.lazy()).collect()
