"""The parameters of Kennelmester: defaults, modes, and what cannot be played."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from typing import Any

import pytest

from balance.engine.plain import plain_kernel, plain_params
from balance.engine.records import params_record
from balance.errors import RulesError
from balance.games.kennelmester import GAME, breeding
from balance.games.kennelmester.deck_files import placeholder_deck
from balance.games.kennelmester.params import BARGAIN, KennelmesterParams, sides_of
from balance.games.kennelmester.tables import CHANCE_BITS, tables

from .kennel_log import LOG
from .kennel_scenes import deck_of, dog

OFFICIAL = {
    "litter_table": (0, 1, 1, 2, 2, 3),
    "litter_probs": (),
    "actions_per_turn": 2,
    "bonus_mode": "same_kind",
    "hand_limit": 4,
    "start_coins": 5,
    "stud_deal": "auto",
    "sale_deal": "ask",
    "hire_deal": "ask",
    "upkeep_divisor": 4,
    "reputation_target": 24,
    "team_target": 48,
    "solo_target": 48,
    "event_deck_size": 24,
    "round_cap": 60,
    "val_upkeep_rounds": 4.0,
    "val_resale_factor": 0.5,
}


def refused(
    size: tuple[int, str | None], overrides: dict[str, Any] | None = None, deck: object = None
) -> str:
    """Why these rules cannot be played."""
    with pytest.raises(RulesError) as caught:
        KennelmesterParams.resolve(size[0], overrides, size[1], deck)
    return " ".join(fault.sentence for fault in caught.value.faults)


@pytest.mark.parametrize("size", GAME.official_sizes)
def test_official_values(size: tuple[int, str]) -> None:
    rules = GAME.resolve(size)
    assert {name: getattr(rules, name) for name in OFFICIAL} == OFFICIAL
    assert set(KennelmesterParams.rule_names()) == set(LOG[0]["rules"]) | set(BARGAIN)


def test_tables_of_the_rulebook() -> None:
    """1.7: alone; 2 to 4, and 5 or 6 only if asked for; pairs of 4 or 6."""
    assert [size for size in GAME.official_sizes if size[1] == "solo"] == [(1, "solo")]
    assert [size[0] for size in GAME.official_sizes if size[1] == "competitive"] == [2, 3, 4]
    assert [size[0] for size in GAME.official_sizes if size[1] == "team"] == [4, 6]
    assert KennelmesterParams.resolve(1).mode == "solo"
    assert KennelmesterParams.resolve(4).mode == "competitive"
    assert KennelmesterParams.resolve(6, {"off_book_players": True}).mode == "competitive"
    assert [sides_of("team", players) for players in (4, 6)] == [(0, 1, 0, 1), (0, 1, 2, 0, 1, 2)]


@pytest.mark.parametrize(
    ("size", "overrides", "says"),
    [
        ((5, None), {}, '"off_book_players"'),
        ((2, "solo"), {}, 'The mode "solo" is for one player, not for 2.'),
        ((1, "competitive"), {}, "2 players or more"),
        ((5, "team"), {}, "for 4 or 6 players, not 5"),
        ((2, None), {"trait_rule": "sum"}, '"trait_cap" of at least 1'),
        ((2, None), {"litter_probs": [0.5, 0.4]}, "sum 1, not 0.9"),
        ((2, None), {"event_deck_size": 25}, "more than the 24 events"),
        ((2, None), {"litter_table": [0, 1, 2, 3, 4, 7]}, 'Item 6 of "litter_table"'),
        ((2, None), {"val_die": 1001}, "a number from -1000 to 1000"),
        ((2, None), {"hand_limit": 0}, "a whole number from 1 to 20"),
    ],
)
def test_what_cannot_be_played(size: tuple[int, str | None], overrides: dict[str, Any], says: str) -> None:
    assert says in refused(size, overrides)


def test_a_deck_may_be_too_small() -> None:
    small = {"event_deck_size": 4, "start_dogs": 3}
    few = deck_of([dog("one"), dog("two")])
    assert 'The deck has 2 dogs; "start_dogs" gives 6 to 2 players.' in refused((2, None), small, few)
    full = placeholder_deck()
    alone = replace(full, characters=full.characters[:1])
    assert "The deck has 1 characters for 2 players." in refused((2, None), {}, alone)
    assert KennelmesterParams.resolve(1, None, None, alone).deck is alone


def test_decimal_numbers_are_in_force_as_millionths() -> None:
    rules = KennelmesterParams.resolve(2, {"val_die": 0.123456789, "val_stud": -3})
    assert rules.bargain()["val_die"] == 0.123457
    record = params_record(GAME, rules)
    assert (record.val_die, record.val_stud, record.deal_margin) == (123457, -3_000_000, 0)


# ---------------------------------------------------------------- odds of litters


@pytest.mark.parametrize(
    "odds",
    [
        [1 / 6, 1 / 3, 1 / 3, 1 / 6],
        [1.0],
        [0, 0, 0, 0, 0, 0, 1],
        [0.1] * 5 + [0.25, 0.25],
        [0.3333333333, 0.3333333333, 0.3333333334],
    ],
)
def test_litters_come_with_exactly_the_odds_that_were_given(odds: list[float]) -> None:
    """Of the 2 ** 62 numbers that may be drawn each size has its part, to less than one of them."""
    limits = tables(KennelmesterParams.resolve(2, {"litter_probs": odds}))["litter_limits"].tolist()
    total = sum(map(Fraction, odds))
    parts = [high - low for low, high in pairwise([0, *limits, 1 << CHANCE_BITS])]
    for size, part in enumerate(parts):
        chance = Fraction(odds[size]) / total if size < len(odds) else Fraction(0)
        assert abs(part - chance * (1 << CHANCE_BITS)) <= 1


@pytest.mark.parametrize("odds", [[0.25, 0.5, 0.25], [0, 1], [0.5, 0, 0.5]])
def test_the_litter_is_where_the_drawn_number_lies(odds: list[float]) -> None:
    record = plain_params(GAME, KennelmesterParams.resolve(2, {"litter_probs": odds}))
    due = {0: next(size for size, chance in enumerate(odds) if chance), (1 << 62) - 1: len(odds) - 1}
    for bits, size in due.items():
        drawn = [(breeding.draw, lambda _rng, _word, bits=bits: bits << 2)]
        assert plain_kernel(breeding.litter_size, drawn)(None, record, 0, 0, None) == size
