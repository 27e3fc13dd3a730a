"""What the kit finds about modes, teams, goals, caps and decks: faults planted in a game that keeps the rules."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Annotated, Any

import pytest
from experiment.summit import GAME, Deck, SummitParams, apply_action, game, placeholder, side_of
from pydantic import Field

from balance.conformance import check, examine, idle
from balance.conformance.extremes import extreme_rules, extremes, openings, size_of
from balance.engine import CAPPED_OVER, LOST_OVER, kernel
from balance.game import MILLION, Game, Mode
from balance.game import Fault as RuleFault

FEW = 12


def test_a_game_with_modes_keeps_every_rule() -> None:
    done = examine(GAME, 120)
    assert done.violations == []
    assert done.compiled


def test_off_book_tables_are_opened_by_the_rule_that_allows_them() -> None:
    found = openings(GAME)
    assert found == {size: {} for size in GAME.official_sizes} | {(5, "free"): {"crowd": True}}
    assert list(found) == list(GAME.all_sizes)


def test_every_rule_is_taken_to_its_extremes_in_every_mode() -> None:
    import random

    found, impossible = extreme_rules(GAME, random.Random(3))
    assert impossible == []
    for mode in GAME.modes:
        reached = {
            (name, getattr(params, name))
            for params in found
            if size_of(params)[1] == mode.id
            for name in SummitParams.rule_names()
        }
        assert reached >= {one for one in extremes(SummitParams) if not _is_out_of_reach(mode, one)}, mode.id


def _is_out_of_reach(mode: Mode, extreme: tuple[str, Any]) -> bool:
    """Alone eight rounds lead to a height of 8."""
    return mode.id == "alone" and extreme == ("target", 20)


# ---------------------------------------------------------------- planted faults


@kernel
def own_score(state, params, seat):
    return state.height[side_of(params, seat)] + (seat >= params.players // 2)


@kernel
def lose(state, params, action, rng):
    apply_action(state, params, action, rng)
    if state.over == CAPPED_OVER:
        state.over = LOST_OVER


class OtherUsual(SummitParams):
    @classmethod
    def for_players(cls, players: int) -> dict[str, object]:
        return {"mode": "alone" if players == 1 else "free"}


@dataclass(frozen=True)
class Fault:
    rule: str
    says: str
    game: Game


def _modes(**changes: Any) -> tuple[Mode, ...]:
    return tuple(replace(mode, **changes) if mode.id == "pairs" else mode for mode in GAME.modes)


FAULTS = {
    "unknown mode": Fault(
        "modes", "knows (alone, free, pairs), the Game (alone, free)", replace(GAME, modes=GAME.modes[:2])
    ),
    "no modes": Fault("modes", "the Game ()", replace(GAME, modes=())),
    "another usual mode": Fault(
        "modes",
        'With 6 players the parameters take the mode "free" as usual, the Game "pairs".',
        replace(GAME, Params=OtherUsual),
    ),
    "too many players": Fault(
        "modes", "The numbers of players of pairs must be among those", game(modes=_modes(players=(4, 8)))
    ),
    "no mode for some": Fault("modes", "No mode is for 6 players.", game(modes=_modes(players=(4,)))),
    "sides too short": Fault("modes", "The sides of pairs with 4 players", game(sides=lambda _: [0, 1])),
    "uneven sides": Fault("modes", "not [0, 0, 0, 1]", game(sides=lambda n: [0] * (n - 1) + [1])),
    "sides from 1": Fault("modes", "from 0 on", game(sides=lambda n: [1 + seat % 2 for seat in range(n)])),
    "partners apart": Fault("modes", "are a side, but differ in score", replace(GAME, score=own_score)),
    "cap that is not declared": Fault("ends", "does not say capped_by_rules", game(capped_by_rules=False)),
    "lost without a goal": Fault("ends", "its mode has no goal", replace(GAME, apply_action=lose)),
    "deck that cannot be read": Fault("decks", "no read_deck=", game(read_deck=None)),
    "note of no text": Fault("decks", "deck_note must return a sentence", game(deck_note=lambda _: 3)),
}


@pytest.mark.parametrize("fault", FAULTS.values(), ids=FAULTS)
def test_a_planted_fault_is_found(fault: Fault) -> None:
    found = check(fault.game, FEW)
    assert any(one.rule == fault.rule and fault.says in one.sentence for one in found), found


class Unlike(Deck):
    """A deck that equals no other, so none that was written down either."""

    def __eq__(self, other: object) -> bool:
        return self is other

    __hash__ = object.__hash__


class UnlikeParams(SummitParams):
    deck: Unlike = Unlike(placeholder().cards)


def test_a_deck_that_is_not_the_same_when_it_is_read_again_is_found() -> None:
    found = check(replace(GAME, Params=UnlikeParams), FEW)
    assert [one.sentence for one in found] == [
        "The deck is not the same after it was written as JSON and read again."
    ]


def test_the_placeholder_is_a_deck_like_any_other() -> None:
    assert GAME.deck_of(GAME.deck_data(placeholder())) == placeholder() == GAME.own_deck


# ---------------------------------------------------------------- rules that extremes say little of


class Limited(SummitParams):
    """With a height that nobody can pass, 0 for none, and the odds of each card in place of luck."""

    limit: int = Field(0, ge=0, le=60, description="The greatest height.")
    odds: tuple[Annotated[float, Field(ge=0, le=1)], ...] = Field(
        (), max_length=2, description="The chances of both cards."
    )

    def impossible(self) -> list[RuleFault]:
        if self.odds and sum(self.odds) != 1:
            return [*super().impossible(), RuleFault(("odds",), 'The "odds" must add up to 1.')]
        return super().impossible()


@kernel
def limited_score(state, params, seat):
    height = state.height[side_of(params, seat)]
    return min(height, params.limit) if params.limit > 0 else height


@kernel
def apply_by_odds(state, params, action, rng):
    apply_action(state, params, action, rng)
    if params.odds[0] == MILLION and state.over:
        state.climbs[0] = 0


@pytest.mark.compiler
def test_a_limit_that_is_never_met_and_odds_without_extremes_are_not_idle() -> None:
    limited = replace(GAME, Params=Limited, score=limited_score, apply_action=apply_by_odds)
    assert check(limited, idle.LEAST) == []
    assert idle._near_zero(Limited, "limit") == [1]
    assert [idle._near_zero(Limited, name) for name in ("rounds", "luck", "odds", "crowd")] == [
        [],
        [],
        [],
        [],
    ]


@pytest.mark.compiler
def test_a_limit_that_does_nothing_is_idle() -> None:
    found = check(
        replace(GAME, Params=Limited, score=unlimited_score, apply_action=apply_by_odds), idle.LEAST
    )
    assert [one.sentence for one in found] == [
        '"limit" changed nothing in 100 games, whatever the other rules were.'
    ]


@kernel
def unlimited_score(state, params, seat):
    return state.height[side_of(params, seat)] + min(0, params.limit)
