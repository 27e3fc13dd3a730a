"""balance games and balance rules: what can be played, and by which rules."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any

import typer

from balance.cli.lines import wrapped
from balance.cli.options import Format, form_of
from balance.errors import BalanceError, listed

if TYPE_CHECKING:
    from balance.game import Game


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
        counts = f"{game.players.start} to {game.players.stop - 1} players"
        sys.stdout.write(f"{game.id}: {game.title}, {counts}\n{_filled(game.summary, '  ')}")
        for policy in game.policies:
            sys.stdout.write(_filled(f"{policy.id}: {policy.help}", "  - "))


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
    sys.stdout.write(f"Rules of {found.title} (change one with --set RULE=VALUE)\n\n")
    for parameter in _parameters(found):
        value = parameter["official"]
        if isinstance(value, dict):
            value = _by_players(value)
        sys.stdout.write(_filled(f"{parameter['rule']} = {_plain(value)}", "", "    "))
        sys.stdout.write(_filled(f"{parameter['meaning']} Allowed: {parameter['allowed']}.", "    "))


def _facts(game: Game) -> dict[str, Any]:
    policies = [{"id": policy.id, "title": policy.title, "help": policy.help} for policy in game.policies]
    return {
        "id": game.id,
        "title": game.title,
        "players": list(game.players),
        "policies": policies,
        "summary": game.summary,
    }


def _parameters(game: Game) -> Iterator[dict[str, Any]]:
    by_players = {count: game.Params.resolve(count) for count in game.players}
    for name, field in game.Params.model_fields.items():
        if name == "players":
            continue
        values = {count: getattr(rules, name) for count, rules in by_players.items()}
        same = len(set(values.values())) == 1
        official = (
            next(iter(values.values())) if same else {str(count): value for count, value in values.items()}
        )
        yield {
            "rule": name,
            "official": official,
            "allowed": game.Params.allowed(name),
            "meaning": field.description,
        }


def _plain(value: object) -> str:
    if isinstance(value, tuple):
        return f"[{', '.join(_plain(item) for item in value)}]"
    return str(value).lower() if isinstance(value, bool) else str(value)


def _by_players(values: dict[str, Any]) -> str:
    """A value that goes by the number of players: '2 with 2 players, 1 with 3, 4, 5 and 6 players'."""
    counts: dict[Any, list[str]] = {}
    for count, value in values.items():
        counts.setdefault(value, []).append(count)
    return ", ".join(f"{_plain(value)} with {listed(those)} players" for value, those in counts.items())


def _filled(text: str, indent: str, later: str | None = None) -> str:
    below = " " * len(indent) if later is None else later
    return "\n".join(wrapped(text, indent, below)) + "\n"
