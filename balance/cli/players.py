"""balance players: how strong each type of player is, those in policy files included."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from balance.cli.aside import outcome
from balance.cli.options import Deck, Seed, TableFormat, Threads, form_of
from balance.cli.progress import Talk
from balance.errors import BalanceError

if TYPE_CHECKING:
    from balance.experiment.contests import Contests
    from balance.experiment.events import Outcome

Record = Mapping[str, Any]


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
            "at each number of players or at --players N,N.., in the usual mode or in --mode M,M..",
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
        str | None,
        typer.Option(
            "--mode",
            metavar="M",
            help="The mode; the usual one if left out. In a mode for one player each type plays alone.",
        ),
    ] = None,
    deck: Deck = None,
    games: Annotated[
        str, typer.Option("--games", metavar="N", help="Games for each pair of types: 5000, 200k, 5M.")
    ] = "20_000",
    seed: Seed = None,
    threads: Threads = None,
    form: Annotated[
        TableFormat, form_of("What is printed on standard output.", TableFormat)
    ] = TableFormat.TEXT,
) -> None:
    """Measure how strong each type of player is. One of it sits among random players, and among the usual ones."""
    from balance.experiment import settings

    if by_seat and mix is not None:
        raise BalanceError("--by-seat and --mix ask for different tables; give one of them.")
    counts = settings.parse_players(count) if count is not None else ()
    number = settings.parse_seed(seed) if seed is not None else 1
    modes = settings.parse_modes(mode) if mode is not None else ()
    cards = settings.parse_deck(deck) if deck is not None else None
    asked = (game, files or [], counts, settings.parse_games(games), number, modes, cards)
    talk = Talk()
    talk.say("preparing")
    try:
        facts = _measured(asked, by_seat, mix, threads, talk)
    finally:
        talk.wipe()
    sys.stdout.write(_printed(facts, form))


def _printed(facts: Record, form: TableFormat) -> str:
    if form is TableFormat.JSON:
        from balance.experiment.files import as_json

        return as_json(facts).decode("utf-8", "surrogatepass")
    from balance.cli.player_tables import printed

    return printed(facts, form is TableFormat.MARKDOWN)


def _measured(
    asked: tuple[Any, ...], by_seat: bool, mix: str | None, threads: int | None, talk: Talk
) -> Record:
    """The facts asked for."""
    from balance.analysis import contests as found
    from balance.experiment import contests

    if mix is not None:
        own = contests.among_their_own(*asked)
        counter = contests.counter_of(own.game, mix)
        (took,) = _played([own], threads, talk, lambda played, _: found.taken(played, counter))
        return found.mixes(own, counter, {policy: items for (policy, _), items in took.items()})
    if by_seat:
        tables = contests.contests_by_seat(*asked)
        return found.by_seat(tables, _played(tables, threads, talk, found.wins))
    one = contests.contests(*asked)
    if one.against:
        return found.standings(one, *_played([one], threads, talk, found.wins))
    return found.alone(one, *_played([one], threads, talk, found.reached))


def _played(
    tables: Sequence[Contests], threads: int | None, talk: Talk, look: Callable[[Outcome, str], Any]
) -> list[dict[tuple[str, str], Any]]:
    """Play all contests and look at each with its policy; nothing is left of their folders."""
    done, total = 0, sum(len(one.each) * one.run.games for one in tables)
    found: list[dict[tuple[str, str], Any]] = [{} for _ in tables]
    with tempfile.TemporaryDirectory() as place:
        for contests, looks in zip(tables, found, strict=True):
            for one in contests.each:
                played = outcome(one.experiment, Path(place) / str(done), threads, talk, done, total)
                looks[one.policy, one.against] = look(played, one.policy)
                done += contests.run.games
    return found
