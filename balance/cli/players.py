"""balance players: how strong each type of player is, those in policy files included."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from balance.cli.options import Deck, Seed, Threads
from balance.cli.progress import Talk
from balance.cli.tables import filled, table
from balance.cli.usage import one_of
from balance.errors import BalanceError
from balance.report import words

if TYPE_CHECKING:
    from balance.experiment.contests import Contests
    from balance.experiment.events import Outcome, Progress
    from balance.experiment.models import Experiment
    from balance.experiment.runner import Run

Record = Mapping[str, Any]
Writer = Callable[[Record], list[str]]


class TableFormat(StrEnum):
    """How the table is printed."""

    TEXT = "text"
    JSON = "json"
    MARKDOWN = "markdown"


def players(
    game: Annotated[str, typer.Argument(metavar="GAME", help="A game (see `balance games`).")],
    files: Annotated[
        list[Path] | None, typer.Argument(metavar="FILE...", help="Policy files to measure as well.")
    ] = None,
    count: Annotated[
        str | None,
        typer.Option(
            "--players",
            metavar="N",
            help="How many sit at the table; 4 if left out, or as near as the game comes.",
        ),
    ] = None,
    by_seat: Annotated[
        bool,
        typer.Option(
            "--by-seat",
            help="Instead, put the usual type (and those in files) into each seat among random players, "
            "at each number of players or at --players N,N..",
        ),
    ] = False,
    mix: Annotated[
        str | None,
        typer.Option(
            "--mix",
            metavar="COUNTER",
            help="Instead, what players of each type take among their own kind, as shares of a counter of the game, "
            "such as `actions`.",
        ),
    ] = None,
    mode: Annotated[
        str | None, typer.Option("--mode", metavar="M", help="The mode; the usual one if left out.")
    ] = None,
    deck: Deck = None,
    games: Annotated[
        str, typer.Option("--games", metavar="N", help="Games for each pair of types: 5000, 200k, 5M.")
    ] = "20_000",
    seed: Seed = None,
    threads: Threads = None,
    form: Annotated[
        TableFormat,
        typer.Option(
            "--format",
            metavar="text|json|markdown",
            parser=one_of("--format", TableFormat),
            help="What is printed on standard output.",
        ),
    ] = TableFormat.TEXT,
) -> None:
    """Measure how strong each type of player is. One of it sits among random players, and among the usual ones."""
    from balance.experiment import settings

    if by_seat and mix is not None:
        raise BalanceError("--by-seat and --mix ask for different tables; give one of them.")
    counts = settings.parse_players(count) if count is not None else ()
    number = settings.parse_seed(seed) if seed is not None else 1
    cards = settings.parse_deck(deck) if deck is not None else None
    asked = (game, files or [], counts, settings.parse_games(games), number, mode, cards)
    talk = Talk()
    talk.say("preparing")
    try:
        facts, as_text, as_markdown = _measured(asked, by_seat, mix, threads, talk)
    finally:
        talk.wipe()
    sys.stdout.write(_printed(facts, form, as_text, as_markdown))


def _measured(
    asked: tuple[Any, ...], by_seat: bool, mix: str | None, threads: int | None, talk: Talk
) -> tuple[Record, Writer, Writer]:
    """The facts asked for, and how they are written as text and as Markdown."""
    from balance.analysis import contests as found
    from balance.experiment import contests

    if mix is not None:
        own = contests.among_their_own(*asked)
        counter = contests.counter_of(own.game, mix)
        (took,) = _played([own], threads, talk, lambda outcome, _: found.taken(outcome, counter))
        mixed = {policy: items for (policy, _), items in took.items()}
        return found.mixes(own, counter, mixed), _text_of_mix, _markdown_of_mix
    if by_seat:
        tables = contests.contests_by_seat(*asked)
        return (
            found.by_seat(tables, _played(tables, threads, talk, found.wins)),
            _text_by_seat,
            _markdown_by_seat,
        )
    one = contests.contests(*asked)
    return found.standings(one, *_played([one], threads, talk, found.wins)), _text, _markdown


def _played(
    tables: Sequence[Contests], threads: int | None, talk: Talk, look: Callable[[Outcome, str], Any]
) -> list[dict[tuple[str, str], Any]]:
    """Play all contests and look at each with its policy; nothing is left of their folders."""
    done, total = 0, sum(len(one.each) * one.run.games for one in tables)
    found: list[dict[tuple[str, str], Any]] = [{} for _ in tables]
    with tempfile.TemporaryDirectory() as place:
        for contests, looks in zip(tables, found, strict=True):
            for one in contests.each:
                with closing(_run(one.experiment, Path(place) / str(done), threads)) as going:
                    outcome = _finished(going, talk, done, total)
                looks[one.policy, one.against] = look(outcome, one.policy)
                done += contests.run.games
    return found


def _run(experiment: Experiment, folder: Path, threads: int | None) -> Run:
    from balance.experiment.runner import Options, run

    return run(experiment, folder, threads, Options(rows=False))


def _finished(going: Run, talk: Talk, done: int, total: int) -> Outcome:
    """The outcome of one of several runs; `done` of the `total` games of all were played before."""
    from balance.experiment.events import Compiled, Compiling, Finished, Progress, Warned

    for event in going:
        if isinstance(event, Finished):
            return event.outcome
        if isinstance(event, Progress):
            talk.tell(_of_all(event, done, total))
        elif isinstance(event, Compiling | Compiled | Warned):
            talk.tell(event)
    raise KeyboardInterrupt  # nothing else ends a run before it is finished


def _of_all(event: Progress, done: int, total: int) -> Progress:
    """How far all experiments are together."""
    speed, far = event.games_per_second, done + event.done
    return replace(event, done=far, total=total, seconds_left=(total - far) / speed if speed else None)


def _printed(facts: Record, form: TableFormat, as_text: Writer, as_markdown: Writer) -> str:
    if form is TableFormat.JSON:
        from balance.experiment.files import as_json

        return as_json(facts).decode("utf-8", "surrogatepass")
    lines = (as_text if form is TableFormat.TEXT else as_markdown)(facts)
    note = [facts["deck_note"], ""] if "deck_note" in facts else []
    return "\n".join([*note, *lines]) + "\n"


def _lines(rows: Sequence[Sequence[str]]) -> list[str]:
    """A table in Markdown; the first row is its head."""
    head, *others = rows
    return [f"| {' | '.join(row)} |" for row in (head, ["---"] * len(head), *others)]


def _with_interval(share: Record) -> str:
    value, between = words.value(share, True), words.interval(share, True)
    return value if between == words.NOTHING else f"{value} ({between})"


# ---------------------------------------------------------------------- all types of players


def _caption(facts: Record) -> str:
    others = words.plural(facts["players"] - 1, "player")
    return (
        f"{words.isolated(facts['game_title'])}, {words.table_size(facts)}: "
        f"one player of each type among {others} of another, in every seat equally often. Its share of the wins "
        f"in {words.count(facts['games'])} games, with the {words.confidence(facts)} interval. "
        f"An even share is {words.percent(facts['even'])}."
    )


def _share(estimate: Record | None) -> list[str]:
    """A share and its interval; among its own kind everybody is even."""
    return [words.value(estimate, True), words.interval(estimate, True)] if estimate else [words.NOTHING] * 2


def _text(facts: Record) -> list[str]:
    heads = [part for other in facts["against"] for part in (f"among {other}", "interval")]
    rows = [["", *heads]]
    for one in facts["types"]:
        shares = [part for other in facts["against"] for part in _share(one["win_share"][other])]
        rows.append([words.isolated(one["policy"]), *shares])
    lines = [*filled(_caption(facts)), "", *table(rows), ""]
    for one in facts["types"]:
        lines += filled(f"{words.isolated(one['policy'])}: {one['help']}", "  ")
    return lines


def _markdown(facts: Record) -> list[str]:
    rows = [["type of player", "what it does", *(f"among `{other}`" for other in facts["against"])]]
    for one in facts["types"]:
        shares = [one["win_share"][other] for other in facts["against"]]
        cells = [_with_interval(share) if share else words.NOTHING for share in shares]
        rows.append([f"`{one['policy']}`", one["help"].replace("|", "\\|"), *cells])
    return [_caption(facts), "", *_lines(rows)]


# ---------------------------------------------------------------------- seat by seat


def _caption_by_seat(facts: Record) -> str:
    games = min(table["games"] for one in facts["types"] for table in one["tables"])
    return (
        f"{words.isolated(facts['game_title'])}: one player of a type in each seat among {facts['against']} "
        f"players. Its share of the wins in at least {words.count(games)} games at each number of players, "
        f"with the {words.confidence(facts)} interval."
    )


def _text_by_seat(facts: Record) -> list[str]:
    lines = filled(_caption_by_seat(facts))
    for one in facts["types"]:
        rows = [[words.isolated(one["policy"]), "even share", "share of wins", "interval"]]
        for found in one["tables"]:
            even, size = words.percent(found["even"]), words.table_size(found)
            for at, share in enumerate(found["seats"]):
                rows.append([f"{size}, {words.seat(at)}", even, *_share(share)])
        lines += ["", *table(rows)]
    return lines


def _markdown_by_seat(facts: Record) -> list[str]:
    most = max(table["players"] for one in facts["types"] for table in one["tables"])
    heads = ["type of player", "players", "even share", *(words.seat(seat) for seat in range(most))]
    rows = [heads]
    for one in facts["types"]:
        for found in one["tables"]:
            shares = [_with_interval(share) for share in found["seats"]]
            mode = f" ({found['mode']})" if "mode" in found else ""
            start = [f"`{one['policy']}`", f"{found['players']}{mode}", words.percent(found["even"])]
            rows.append([*start, *shares, *[""] * (most - len(shares))])
    return [_caption_by_seat(facts), "", *_lines(rows)]


# ---------------------------------------------------------------------- what they take


def _caption_of_mix(facts: Record) -> str:
    return (
        f"{words.isolated(facts['game_title'])}, {words.table_size(facts)}, all of one type. "
        f"{words.isolated(facts['title'])}: each item's share of all that were taken in "
        f"{words.count(facts['games'])} games, with an interval of at least {words.confidence(facts)}."
    )


def _items(facts: Record) -> list[str]:
    """The items that some type could take."""
    return [item for item in facts["types"][0]["taken"] if any(one["taken"][item] for one in facts["types"])]


def _part(one: Record, item: str) -> Record | None:
    found = one["taken"][item]
    return found["share"] if found else None


def _text_of_mix(facts: Record) -> list[str]:
    lines = filled(_caption_of_mix(facts))
    for one in facts["types"]:
        rows = [[words.isolated(one["policy"]), "share", "interval"]]
        rows += [[words.isolated(item), *_share(_part(one, item))] for item in _items(facts)]
        lines += ["", *table(rows)]
    return lines


def _markdown_of_mix(facts: Record) -> list[str]:
    rows = [["type of player", *_items(facts)]]
    for one in facts["types"]:
        parts = [_part(one, item) for item in _items(facts)]
        cells = [_with_interval(part) if part else words.NOTHING for part in parts]
        rows.append([f"`{one['policy']}`", *cells])
    return [_caption_of_mix(facts), "", *_lines(rows)]
