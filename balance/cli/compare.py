"""balance compare: the baseline against one tweak on the same deals, what got worse first."""

from __future__ import annotations

import sys
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer

from balance.cli.options import (
    Deck,
    Games,
    Levels,
    Modes,
    Out,
    Players,
    Policies,
    Seed,
    Sets,
    TableFormat,
    Threads,
    command_without,
    experiment_of,
    form_of,
)
from balance.cli.playing import NOT_RESULTS, play
from balance.cli.streams import say
from balance.cli.timed import rule_of, settled
from balance.cli.usage import whole
from balance.errors import BalanceError

if TYPE_CHECKING:
    from balance.cli.playing import Last
    from balance.cli.progress import Talk
    from balance.experiment.models import Experiment
    from balance.experiment.runner import Run

Given = TypeVar("Given", str, int)
Target = Annotated[str, typer.Argument(metavar="TARGET", help="An experiment file or a game.")]


def compare(
    target: Target,
    sets: Sets = None,
    bans: Annotated[
        list[str] | None,
        typer.Option(
            "--ban",
            metavar="NAME",
            help="Instead of a rule: an action or item that one seat may not choose, to see what it is worth.",
        ),
    ] = None,
    seats: Annotated[
        list[int] | None,
        typer.Option("--seat", metavar="S", parser=whole("--seat", 1), help="Which seat, with --ban."),
    ] = None,
    players: Players = None,
    mode: Modes = None,
    deck: Deck = None,
    policies: Policies = None,
    levels: Levels = None,
    games: Games = None,
    sprt: Annotated[
        str | None,
        typer.Option(
            "--sprt",
            metavar="LOW,HIGH",
            help="Play until it is clear whether --metric changes by at most LOW or at least HIGH, such as 0pp,1pp; "
            "--games is the most.",
        ),
    ] = None,
    metric: Annotated[
        str | None,
        typer.Option(
            "--metric", metavar="SHARE", help="What --sprt tests: tie_rate, or win_share:2 of seat 2."
        ),
    ] = None,
    seed: Seed = None,
    threads: Threads = None,
    out: Out = None,
    form: Annotated[
        TableFormat, form_of("What is printed on standard output.", TableFormat)
    ] = TableFormat.TEXT,
) -> None:
    """Hold a change of the rules against those without it. Both play the same deals; what got worse comes first.

    With --ban a seat that must do without something is held against the same seat that need not.
    It leaves a report; the same command again goes on where it was stopped.
    """

    def begin(talk: Talk) -> Run:
        if (sprt is None) != (metric is None):
            raise BalanceError("--sprt and --metric go together: --sprt 0pp,1pp --metric tie_rate, say.")
        ban, seat = _only_one("--ban", bans), _only_one("--seat", seats)
        experiment, source = experiment_of(
            target, None, players, mode, deck, policies, games, seed, levels=levels
        )
        _ask_one_thing(sets, ban, seat)
        changed = experiment if ban is not None else with_tweak(experiment, sets)
        talk.say("preparing")
        changed = settled(changed, threads, talk)
        changed = _with_ban(changed, ban, seat) if ban is not None and seat is not None else changed
        from balance.experiment.runner import Options, run

        options = Options(command=command_without(*NOT_RESULTS), source=source)
        return run(changed, out, threads, options, rule_of(changed, sprt, metric))

    play(begin, partial(_show, form))


def with_tweak(experiment: Experiment, sets: list[str] | None) -> Experiment:
    """The experiment with the tweak that `--set` names as its only variant; variants of its own are left aside."""
    from balance.experiment.settings import parse_sets
    from balance.experiment.tweak import tweaked

    rules = parse_sets(sets or [])
    if not rules:
        raise BalanceError(
            "Say what to change, with --set RULE=VALUE, or what a seat may not do, with --ban NAME --seat S.",
            "`balance rules GAME` lists the rules; `balance run FILE` compares the variants of a file.",
        )
    found = tweaked(experiment, rules)
    _say_what_is_left_aside(experiment)
    return found


def _only_one(option: str, given: list[Given] | None) -> Given | None:
    """What an option says that may be given once; BalanceError where it was given again."""
    if given and len(given) > 1:
        raise BalanceError(
            f"{option} may be given once, not {len(given)} times: one seat goes without one thing; compare them one by "
            "one."
        )
    return given[0] if given else None


def _ask_one_thing(sets: list[str] | None, ban: str | None, seat: int | None) -> None:
    """Refuse options that do not go together."""
    if (ban is None) != (seat is None):
        raise BalanceError('--ban and --seat go together: --ban "take a truck" --seat 2, say.')
    if ban is not None and sets:
        raise BalanceError("--ban and --set ask two questions; compare them one by one.")


def _with_ban(experiment: Experiment, name: str, seat: int) -> Experiment:
    from balance.experiment.bans import restricted

    found = restricted(experiment, name, seat)
    _say_what_is_left_aside(experiment)
    return found


def _say_what_is_left_aside(experiment: Experiment) -> None:
    if experiment.variants:
        many = len(experiment.variants) > 1
        say(
            f"The variant{'s' * many} in the file {'are' if many else 'is'} left aside; its baseline is compared.\n"
        )


def _show(form: TableFormat, event: Last, found: dict[str, Any]) -> str:
    from balance.cli.comparison import as_markdown, as_text
    from balance.experiment.files import as_json
    from balance.experiment.wording import printable

    if form is TableFormat.JSON:
        sys.stdout.write(as_json(found).decode("utf-8", "surrogatepass"))
        return ""
    sys.stdout.write((as_text if form is TableFormat.TEXT else as_markdown)(found))
    page = printable(str(event.folder.path / "report.html"))
    return f"\nReport: {page}\n" if form is TableFormat.TEXT else ""
