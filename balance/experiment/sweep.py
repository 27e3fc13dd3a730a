"""Sweeps: a grid of values of some rules, or one rule changed at a time around the baseline, as variants."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

from balance import registry
from balance.errors import BalanceError, RulesError, nearest
from balance.experiment.decks import deck_of
from balance.experiment.models import LONGEST_NAME, LONGEST_TITLE, Experiment, Factor, Variant
from balance.experiment.wording import bare, printable, sizes_in_words, spelled
from balance.game import Game, GameParams, Size

MOST_POINTS = 1000
"""So many points a sweep may have."""
MOST_TOLD = 5
"""So many values that are refused are named."""


@dataclass(frozen=True)
class Impossible:
    """A point that the rules make impossible at some table, and why."""

    variant: str
    size: Size
    reason: str


def swept(experiment: Experiment, values: Mapping[str, Sequence[object]]) -> Experiment:
    """The experiment with a grid of these values in the place of its variants; gates on variants are left aside.

    BalanceError for an unknown rule, a value out of its range, too many points, or where no point is possible.
    """
    _check(experiment, values)
    points = math.prod(len(of_one) for of_one in values.values())
    if points > MOST_POINTS:
        raise BalanceError(
            f"This sweep has {spelled(points)} points; at most {spelled(MOST_POINTS)} are played at once."
        )
    grid = [dict(zip(values, combination, strict=True)) for combination in product(*values.values())]
    return _laid_out(experiment, values, grid)


def swept_around(experiment: Experiment) -> Experiment:
    """The experiment with one rule changed at a time: half and double of every number, each other word, each switch
    the other way. Lists stay as they are."""
    values = {
        rule: found for rule in _params(experiment).rule_names() if (found := _around(experiment, rule))
    }
    return _laid_out(
        experiment, values, [{rule: value} for rule, of_one in values.items() for value in of_one]
    )


def impossible_points(experiment: Experiment, game: Game) -> Iterator[Impossible]:
    """What cannot be played of a sweep, table by table."""
    deck = deck_of(experiment, game)
    for size in game.sizes(experiment.players, experiment.modes):
        for variant in experiment.variants if experiment.factors else ():
            try:
                game.resolve(size, {**experiment.rules, **variant.rules}, deck)
            except RulesError as error:
                yield Impossible(variant.name, size, error.message)


def _laid_out(
    experiment: Experiment, values: Mapping[str, Sequence[object]], points: Sequence[Mapping[str, object]]
) -> Experiment:
    factors = tuple(Factor(rule=rule, values=tuple(of_one)) for rule, of_one in values.items())
    title = (
        f"{experiment.title}: {', '.join(values)}" if len(values) <= 3 else f"{experiment.title}: each rule"
    )
    found = experiment.model_copy(
        update={
            "factors": factors,
            "variants": _variants(points),
            "gates": experiment.gates_of_baseline,
            "title": title[:LONGEST_TITLE],
        }
    )
    game = registry.load(experiment.game)
    hopeless = list(impossible_points(found, game))
    sizes = game.sizes(experiment.players, experiment.modes)
    if len(hopeless) == len(points) * len(sizes):
        raise BalanceError(
            f"No point of this sweep is possible with {sizes_in_words(sizes)}.", hopeless[0].reason
        )
    return found


def _variants(points: Sequence[Mapping[str, object]]) -> tuple[Variant, ...]:
    found: dict[str, Variant] = {}
    for number, point in enumerate(points, start=1):
        name = point_name(point)
        if len(name) > LONGEST_NAME or name in found:
            name = f"{name[: LONGEST_NAME - 10]}… ({number})"
        found[name] = Variant(name=name, rules=dict(point))
    return tuple(found.values())


def point_name(point: Mapping[str, object]) -> str:
    """What a point is called: 'hand_size 3, owl false'."""
    return printable(", ".join(f"{rule} {bare(value)}" for rule, value in point.items()))


# ---------------------------------------------------------------------------------------- which values


def _check(experiment: Experiment, values: Mapping[str, Sequence[object]]) -> None:
    """BalanceError for the first rule that the game does not have, and for all values out of their range."""
    params = _params(experiment)
    wrong = []
    for rule, of_one in values.items():
        if rule not in params.rule_names():
            raise BalanceError(f'Unknown rule "{printable(rule)}".{nearest(rule, params.rule_names())}')
        wrong += [sentence for value in of_one if (sentence := params.refusal(rule, value))]
    if wrong:
        told = [printable(sentence) for sentence in dict.fromkeys(wrong)]
        more = [f"And {len(told) - MOST_TOLD} more values are refused."] if len(told) > MOST_TOLD else []
        raise BalanceError("\n".join([*told[:MOST_TOLD], *more]))


def _around(experiment: Experiment, rule: str) -> list[Any]:
    """Other values of a rule near the baseline's, of all tables together, in order."""
    game = registry.load(experiment.game)
    params, deck = game.Params, deck_of(experiment, game)
    baselines = [
        game.resolve(size, experiment.rules, deck)
        for size in game.sizes(experiment.players, experiment.modes)
    ]
    if params.is_list(rule):
        return []
    now = list(dict.fromkeys(getattr(one, rule) for one in baselines))
    if params.model_fields[rule].annotation is bool:
        return [value for value in (False, True) if now != [value]]
    if params.choices(rule):
        return [word for word in params.choices(rule) if now != [word]]
    low, high = params.bounds(rule)
    near = sorted({other for value in now for other in _half_and_double(value)})
    return [value for value in near if low <= value <= high and now != [value]]


def _half_and_double(value: float) -> tuple[float, ...]:
    if isinstance(value, float):
        return (value / 2, value * 2) if value else (-1.0, 1.0)
    return (value // 2 if value > 0 else -(-value // 2), value * 2) if value else (-1, 1)


def _params(experiment: Experiment) -> type[GameParams]:
    return registry.load(experiment.game).Params
