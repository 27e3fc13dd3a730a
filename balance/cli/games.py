"""balance games and balance rules: what can be played, and by which rules."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any

import typer

from balance.cli.lines import wrapped
from balance.cli.options import Format, form_of
from balance.errors import BalanceError, so_many_players

if TYPE_CHECKING:
    from balance.game import Game, Size


def games(form: Annotated[Format, form_of("What is printed.")] = Format.TEXT) -> None:
    """List the games and their policies."""
    from balance import registry

    found, broken = [], []
    for name in registry.names():
        try:
            found.append(registry.load(name))
        except BalanceError as error:  # a plug-in that fails hides no other game
            broken.append(error)
    _list(found, form)
    sys.stdout.flush()
    if broken:
        raise BalanceError("\n".join(error.message for error in broken), broken[0].hint)


def _list(found: list[Game], form: Format) -> None:
    if form is Format.JSON:
        sys.stdout.write(json.dumps([_facts(game) for game in found], indent=2, sort_keys=True) + "\n")
        return
    for game in found:
        most = game.players.stop - 1
        counts = so_many_players([most if most == game.players.start else f"{game.players.start} to {most}"])
        sys.stdout.write(f"{game.id}: {game.title}, {counts}\n{_filled(game.summary, '  ')}")
        sys.stdout.write("".join(_filled(line, "  ") for line in _modes(game)))
        for policy in game.policies:
            sys.stdout.write(_filled(f"{policy.id}: {policy.help}", "  - "))


def _modes(game: Game) -> Iterator[str]:
    """What `--mode` may be, where the game has modes."""
    for mode in game.modes:
        yield f"--mode {mode.id}: {mode.title}, {so_many_players(mode.players)}. {mode.goal}".strip()


def rules(
    game: Annotated[str, typer.Argument(metavar="GAME", help="A game (see `balance games`).")],
    form: Annotated[Format, form_of("What is printed.")] = Format.TEXT,
) -> None:
    """List the rules of a game: official and allowed values, meaning."""
    from balance import registry

    found = registry.load(game)
    if form is Format.JSON:
        sys.stdout.write(json.dumps(list(_parameters(found)), indent=2) + "\n")
        return
    sys.stdout.write(f"Rules of {found.title} (change one with --set RULE=VALUE)\n")
    for line in [*_modes(found), *_deck(found)]:
        sys.stdout.write(_filled(line, "", "  "))
    sys.stdout.write("\n")
    for parameter in _parameters(found):
        value = parameter["official"]
        if isinstance(value, dict):
            value = _by_size(value)
        sys.stdout.write(_filled(f"{parameter['rule']} = {_plain(value)}", "", "    "))
        sys.stdout.write(_filled(f"{parameter['meaning']} Allowed: {parameter['allowed']}.", "    "))
        if "remark" in parameter:
            sys.stdout.write(_filled(parameter["remark"], "    "))


def _deck(game: Game) -> Iterator[str]:
    """What is to be known of the deck that is played with."""
    if game.has_deck:
        yield "Another deck is played with by --deck FOLDER."
        yield from filter(None, [game.note_on(game.own_deck)])


def _facts(game: Game) -> dict[str, Any]:
    policies = [{"id": policy.id, "title": policy.title, "help": policy.help} for policy in game.policies]
    found = {
        "id": game.id,
        "title": game.title,
        "players": list(game.players),
        "policies": policies,
        "summary": game.summary,
    }
    modes = [
        {"id": mode.id, "title": mode.title, "players": list(mode.players), "goal": mode.goal}
        for mode in game.modes
    ]
    return found | ({"modes": modes} if modes else {})


def _parameters(game: Game) -> Iterator[dict[str, Any]]:
    by_size = {_size(size): game.resolve(size) for size in game.official_sizes}
    for name in game.Params.rule_names():
        values = {size: getattr(rules, name) for size, rules in by_size.items()}
        official = next(iter(values.values())) if len(set(values.values())) == 1 else values
        remarks = {rules.remarks().get(name) for rules in by_size.values()}
        remark = next(iter(remarks)) if len(remarks) == 1 else None
        yield {
            **({"remark": remark} if remark else {}),
            "rule": name,
            "official": official,
            "allowed": game.Params.allowed(name),
            "meaning": game.Params.model_fields[name].description,
        }


def _plain(value: object) -> str:
    if isinstance(value, tuple):
        return f"[{', '.join(_plain(item) for item in value)}]"
    return str(value).lower() if isinstance(value, bool) else str(value)


def _size(size: Size) -> str:
    """'4', or '4 (team)' where a game has modes."""
    players, mode = size
    return f"{players} ({mode})" if mode else str(players)


def _by_size(values: dict[str, Any]) -> str:
    """A value that goes by the number of players: '2 with 2 players, 1 with 3, 4, 5 and 6 players'."""
    sizes: dict[Any, list[str]] = {}
    for size, value in values.items():
        sizes.setdefault(value, []).append(size)
    return ", ".join(f"{_plain(value)} with {so_many_players(those)}" for value, those in sizes.items())


def _filled(text: str, indent: str, later: str | None = None) -> str:
    below = " " * len(indent) if later is None else later
    return "\n".join(wrapped(text, indent, below)) + "\n"
