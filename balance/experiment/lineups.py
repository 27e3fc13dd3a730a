"""What can be wrong with who plays: the policies of a line-up, or the levels of play."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import Any

from balance.errors import Fault
from balance.experiment.policy_files import is_file, unknown_policy, unreadable
from balance.game import Game


def faults(
    lineup: Mapping[str, Any], game: Game, folder: Path, types: Collection[str], fewest: int
) -> Iterator[Fault]:
    """The faults of a line-up of the right shape, in the smallest games of `fewest` players.

    Policy files are looked for in `folder`; `types` are the names of those that were read before.
    """
    known = {*types, *(policy.id for policy in game.policies)}
    for part in ("policies", "levels"):
        for index, name in enumerate(_names(lineup, part)):
            for sentence in _wrong(name, game, folder, known):
                yield Fault(("lineup", part, index), sentence)
    policies, levels = _names(lineup, "policies"), _names(lineup, "levels")
    for index, name in enumerate(levels):
        if name in levels[:index]:
            yield Fault(("lineup", "levels", index), f'"levels" lists "{name}" twice.')
    if policies and levels:
        sentence = 'Either "policies" meet in one game, or each of "levels" plays games of its own; not both.'
        yield Fault(("lineup", "levels"), sentence)
    if len(policies) > fewest:
        need = f"{len(policies)} policies need at least {len(policies)} players"
        yield Fault(("lineup", "policies"), f"{need}, but this experiment has games of {fewest}.")


def _names(lineup: Mapping[str, Any], part: str) -> list[Any]:
    found = lineup.get(part)
    return list(found) if isinstance(found, (list, tuple)) else []


def _wrong(name: object, game: Game, folder: Path, known: Collection[str]) -> Iterator[str]:
    if not isinstance(name, str):
        return  # told by whoever looks at shapes
    if is_file(name):
        sentence = unreadable(folder / name)
        if sentence:
            yield sentence
    elif name not in known:
        yield unknown_policy(game, name)
