"""Options that several commands share, and what they mean."""

from __future__ import annotations

import shlex
import sys
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from balance.cli.usage import one_of, whole
from balance.errors import BalanceError, nearest

if TYPE_CHECKING:
    from balance.experiment.models import Experiment

CONFIGS = Path("configs")
_SAY_WHAT = "Say what to run: an experiment file or a game."
_GAMES_AND_FILES = "`balance games` lists the games, `balance init GAME` writes an experiment file."

Sets = Annotated[
    list[str] | None,
    typer.Option(
        "--set", metavar="RULE=VALUE", help="Change a rule of the baseline; may be given several times."
    ),
]
Players = Annotated[
    str | None, typer.Option("--players", metavar="N,N..", help="Numbers of players, such as 3,4.")
]
Modes = Annotated[
    str | None, typer.Option("--mode", metavar="M,M..", help="Modes of the game, such as solo or team.")
]
Deck = Annotated[
    str | None,
    typer.Option("--deck", metavar="FOLDER", help="The deck to play with; the game's own if left out."),
]
Policies = Annotated[
    str | None,
    typer.Option(
        "--policies",
        metavar="A,B..",
        help="Who plays: one policy in every seat, or several that rotate; names or policy files.",
    ),
]
Levels = Annotated[
    str | None,
    typer.Option(
        "--levels",
        metavar="A,B..",
        help="Levels of play: everything once by each of these policies, in every seat.",
    ),
]
_MOST_THREADS = 1000
Threads = Annotated[
    int | None,
    typer.Option(
        "--threads",
        metavar="N",
        parser=whole("--threads", 1, _MOST_THREADS),
        help="Worker threads; all cores if left out.",
    ),
]
Games = Annotated[
    str | None,
    typer.Option("--games", metavar="N", help="Games by each set of rules at each table: 5000, 200k, 5M."),
]
Out = Annotated[Path | None, typer.Option("--out", metavar="DIR", help="The folder for the results.")]
Seed = Annotated[str | None, typer.Option("--seed", metavar="S", help="The number that fixes every shuffle.")]


class Format(StrEnum):
    """How results are printed."""

    TEXT = "text"
    JSON = "json"


class TableFormat(StrEnum):
    """How a table is printed."""

    TEXT = "text"
    JSON = "json"
    MARKDOWN = "markdown"


def form_of(help_text: str, kinds: type[Format] | type[TableFormat] = Format) -> Any:
    """The option `--format` with these kinds: text|json."""
    return typer.Option("--format", metavar="|".join(kinds), parser=one_of("--format", kinds), help=help_text)


def experiment_of(
    target: str | None,
    sets: list[str] | None,
    players: str | None,
    modes: str | None,
    deck: str | None,
    policies: str | None,
    games: str | None,
    seed: str | None,
    *,
    levels: str | None = None,
    precision: str | None = None,
    time: str | None = None,
) -> tuple[Experiment, str]:
    """The experiment that a command line asks for, and the text of its file ('' for a game's own)."""
    from balance import registry
    from balance.experiment import settings
    from balance.experiment.config import from_game, read_experiment, with_overrides

    file = file_of(target)
    source = ""
    if file is not None:
        experiment = read_experiment(file)
        source = file.read_text(encoding="utf-8-sig")
    else:
        registry.load(str(target))  # a name that is no game's may be one that no experiment can have
        experiment = from_game(str(target))
    changed = with_overrides(
        experiment,
        rules=settings.parse_sets(sets or []) or None,
        players=settings.parse_players(players) if players is not None else None,
        modes=settings.parse_modes(modes) if modes is not None else None,
        deck=settings.parse_deck(deck) if deck is not None else None,
        policies=settings.parse_policies(policies) if policies is not None else None,
        levels=settings.parse_levels(levels) if levels is not None else None,
        games=settings.parse_games(games) if games is not None else None,
        seed=settings.parse_seed(seed) if seed is not None else None,
        precision=settings.parse_precision(precision) if precision is not None else None,
        time=settings.parse_time(time) if time is not None else None,
    )
    return changed, source


def file_of(target: str | None) -> Path | None:
    """The experiment file meant by TARGET; None when it names a game, also where a file has the same name."""
    from balance import registry

    if target is None:
        return _only_config()
    if not target.strip():
        raise BalanceError(_SAY_WHAT, _GAMES_AND_FILES)
    path = Path(target)
    if path.suffix == ".toml" or "/" in target:
        return path
    is_path = path.is_file() or path.is_dir() or (path.suffix and ":" not in target)
    return path if is_path and target not in registry.names() else None


def _only_config() -> Path:
    files = sorted(CONFIGS.glob("*.toml")) if CONFIGS.is_dir() else []
    found = [path for path in files if not _holds_policy(path)]
    if len(found) == 1:
        return found[0]
    listed = ", ".join(str(path) for path in found)
    if found:
        raise BalanceError("Say which experiment to run; there are several.", f"They are: {listed}.")
    raise BalanceError(_SAY_WHAT, _GAMES_AND_FILES)


def _holds_policy(path: Path) -> bool:
    """Whether this is a policy file, which lies among the experiments but is none."""
    try:
        return "[policy]" in path.read_text("utf-8", "replace").splitlines()
    except OSError:
        return False


def typed_command() -> str:
    """The command as it was typed."""
    return shlex.join(["balance", *sys.argv[1:]])


def command_without(*options: str) -> str:
    """The command as it was typed, less some options and their values."""
    kept, skip = [], False
    for word in sys.argv[1:]:
        name, equals, _ = word.partition("=")
        if skip:
            skip = False
        elif name in options:
            skip = not equals
        else:
            kept.append(word)
    return shlex.join(["balance", *kept])


def cell_named(name: str | None, names: list[str]) -> int:
    """Which cell `--cell` means; with a single cell there is nothing to say."""
    if name is None and len(names) == 1:
        return 0
    if name in names:
        return names.index(name)
    listed = ", ".join(names)
    if name is None:
        raise BalanceError("Say which cell the game is in, with --cell NAME.", f"The cells are: {listed}.")
    raise BalanceError(f'There is no cell "{name}".{nearest(name, names)}', f"The cells are: {listed}.")
