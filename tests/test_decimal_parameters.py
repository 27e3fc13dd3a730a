"""Parameters that are decimal numbers, and the three fields of the parameters that are no rules."""

from __future__ import annotations

import math
from typing import Annotated

import numpy as np
import pytest
from experiment.summit import Card, Deck, SummitParams
from experiment.summit import game as summit
from pydantic import Field

from balance.engine.records import params_dtype, params_record
from balance.errors import GameCodeError, RulesError
from balance.experiment.settings import parse_set
from balance.game import MILLION, GameParams

Chance = Annotated[float, Field(ge=0, le=1)]


class Odds(GameParams):
    players: int = Field(ge=2, le=3, description="Number of players.")
    luck: float = Field(0.5, ge=0, le=1, description="A chance.")
    factor: float = Field(1, ge=-2.5, le=2.5, description="A factor.")
    odds: tuple[Chance, ...] = Field((), max_length=4, description="Chances.")
    pair: tuple[Chance, Chance] = Field((0.25, 0.75), description="Two chances.")


def test_what_is_allowed_in_words() -> None:
    assert Odds.allowed("luck") == "a number from 0 to 1"
    assert Odds.allowed("factor") == "a number from -2.5 to 2.5"
    assert Odds.allowed("odds") == "a list of 0 to 4 numbers from 0 to 1"
    assert Odds.allowed("pair") == "a list of 2 numbers from 0 to 1"
    assert [name for name in Odds.model_fields if Odds.is_decimal(name)] == ["luck", "factor", "odds", "pair"]
    assert Odds.bounds("factor") == (-2.5, 2.5)
    assert SummitParams.allowed("rounds") == "a whole number from 1 to 8"


def test_whole_numbers_are_taken_and_values_are_kept_as_they_are_written() -> None:
    rules = Odds.resolve(2, {"luck": 1, "odds": [0, 1 / 3, 1], "factor": 0.1234567})
    assert (rules.luck, rules.odds, rules.factor) == (1.0, (0.0, 1 / 3, 1.0), 0.1234567)
    assert Odds.resolve(2, {"luck": 1}) == Odds.resolve(2, {"luck": 1.0})


def test_kernels_see_millionths_rounded_to_the_nearest() -> None:
    assert MILLION == 1_000_000
    rules = Odds.resolve(2, {"luck": 0.5, "factor": -0.1234567, "odds": [1 / 3, 2 / 3]})
    codes = {name: np.asarray(value).tolist() for name, value in rules.codes().items()}
    assert codes == {
        "players": 2,
        "luck": 500_000,
        "factor": -123_457,
        "odds": [333_333, 666_667, -1, -1],
        "pair": [250_000, 750_000],
    }


@pytest.mark.parametrize(
    ("rules", "sentence"),
    [
        ({"luck": 1.5}, '"luck" must be a number from 0 to 1, not 1.5.'),
        ({"luck": -1}, '"luck" must be a number from 0 to 1, not -1.'),
        ({"luck": True}, '"luck" must be a number from 0 to 1, not true.'),
        ({"luck": "0.5"}, '"luck" must be a number from 0 to 1, not "0.5".'),
        ({"luck": math.nan}, '"luck" must be a number from 0 to 1, not nan.'),
        ({"luck": math.inf}, '"luck" must be a number from 0 to 1, not inf.'),
        ({"odds": [0.1, 2]}, 'Item 2 of "odds" must be a number from 0 to 1, not 2.'),
        ({"pair": [0.1]}, '"pair" must be a list of 2 numbers from 0 to 1, not [0.1].'),
    ],
)
def test_other_values_are_refused_in_a_sentence(rules: dict[str, object], sentence: str) -> None:
    with pytest.raises(RulesError) as refused:
        Odds.resolve(2, rules)
    assert refused.value.message == sentence


def test_they_are_typed_on_the_command_line() -> None:
    assert parse_set("luck=0.25") == ("luck", 0.25)
    assert parse_set("odds=[0.5, 1]") == ("odds", [0.5, 1])


# ---------------------------------------------------------------- players, mode and deck

OTHER = Deck((Card("mud", 1), Card("lift", 3)))


def test_mode_and_deck_are_the_games_own_where_none_is_named() -> None:
    assert [SummitParams.resolve(players).mode for players in (1, 2, 6)] == ["alone", "free", "pairs"]
    assert SummitParams.resolve(4, {}, "pairs").mode == "pairs"
    assert SummitParams.resolve(2).deck.placeholder
    assert SummitParams.resolve(2, deck=OTHER).deck is OTHER
    assert SummitParams.rule_names() == ["rounds", "target", "luck", "crowd"]


def test_rules_go_by_the_deck_that_is_played_with() -> None:
    assert SummitParams.resolve(2, {"target": 9}, deck=OTHER).target == 9
    with pytest.raises(RulesError, match="out of reach"):
        SummitParams.resolve(2, {"target": 9})


def test_changes_keep_the_table() -> None:
    rules = SummitParams.resolve(4, {"rounds": 3}, "pairs", OTHER)
    changed = rules.with_changes({"luck": 0.25})
    assert (changed.players, changed.mode, changed.deck) == (4, "pairs", OTHER)
    assert (changed.rounds, changed.luck) == (2, 0.25)


def test_kernels_see_the_mode_by_its_place_and_the_deck_through_tables() -> None:
    game = summit()
    record = params_record(game, SummitParams.resolve(4, {}, "pairs", OTHER))
    assert (record.mode, record.steps.tolist(), record.luck) == (2, [1, 3], 500_000)
    dtype = params_dtype(game, SummitParams.resolve(1))
    assert "deck" not in dtype.names
    assert dtype == params_dtype(game, SummitParams.resolve(4, {}, "pairs", OTHER))


@pytest.mark.parametrize(
    ("kind", "more", "sentence"),
    [
        (SummitParams, {"mode": "pair"}, 'There is no mode "pair". Did you mean "pairs"?'),
        (Odds, {"mode": "pairs"}, "This game has no modes."),
        (Odds, {"deck": OTHER}, "This game has no deck to be chosen."),
        (
            SummitParams,
            {"overrides": {"mode": "free"}},
            '"mode" is not a rule; the mode is set with --mode or the key "modes".',
        ),
        (
            SummitParams,
            {"overrides": {"deck": "x"}},
            '"deck" is not a rule; the deck is set with --deck or the key "deck".',
        ),
        (
            Odds,
            {"overrides": {"players": 3}},
            '"players" is not a rule; the number of players is set with --players or the key "players".',
        ),
    ],
)
def test_what_is_no_rule_is_said(kind: type[GameParams], more: dict[str, object], sentence: str) -> None:
    with pytest.raises(RulesError) as refused:
        kind.resolve(2, **more)
    assert refused.value.message == sentence


def test_a_usual_mode_that_there_is_not_is_the_games_fault() -> None:
    class Lost(SummitParams):
        @classmethod
        def for_players(cls, _players: int) -> dict[str, object]:
            return {"mode": "lost"}

    with pytest.raises(GameCodeError) as failed:
        Lost.resolve(2)
    assert failed.value.message.endswith(
        'returns a wrong value: "mode" must be "alone" or "free" or "pairs", not "lost".'
    )
    assert Lost.resolve(2, mode="free").mode == "free"
