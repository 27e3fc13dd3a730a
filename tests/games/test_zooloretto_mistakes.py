"""Rules played wrongly on purpose: the comparison with the referee finds every such mistake within a few games."""

from __future__ import annotations

import inspect
import re
import sys
from typing import Any

import pytest

from balance.engine import playout
from balance.games.zooloretto import lists, money, options, rules, scoring, trucks, zoo

from .zoo_pair import Job, Match
from .zoo_rule_sets import Overrides

GAMES = 40
SWAPS: Overrides = {"exchange_with_empty": True, "exchange_same_species": True, "exchange_pays_fill": True}
COINS: Overrides = {"coin_tiles": 30}
FERTILE: Overrides = {"fertile_males": 5, "fertile_females": 5, **COINS}
TIGHT: Overrides = {"enclosure_spaces": [2, 2, 2], "expansion_spaces": 2}
POOR: Overrides = {"coin_supply": 4, "coin_tiles": 3, **TIGHT}
AS_LOADED: Overrides = {"placement_order": "truck"}
KEEP: Overrides = {"leftover_truck": "keep"}
LATER: Overrides = {"move_scope": "barn_or_stall", **COINS}
SHARE: Overrides = {"buy_seller_share": 2, **COINS}
ONCE: Overrides = {"refill_pays": False, **COINS}
UNPAID: Overrides = {"offspring_pays_fill": False, **FERTILE}
NO_STALL_SPACES: Overrides = {"enclosure_stall_spaces": [0, 0, 0]}
NO_POINTS: Overrides = dict.fromkeys(("stall_points", "barn_stall_penalty", "barn_species_penalty"), 0)
TIES: Overrides = {"tie_break": "none", "end_stack": 60, **NO_POINTS}
LEAVING: Overrides = {"end_stack": 1, "start_coins": 0, "truck_capacity": 1, "truck_count": 6}

Mistake = tuple[Any, str, str, int, Overrides]
MISTAKES: dict[str, Mistake] = {
    "Z-10, out of the round": (rules.end_turn, "NEXT_SEAT[", "(state.seat + 1) % params.players or NEXT_SEAT[", 3, {}),
    "Z-13, who starts": (rules.end_round, "next_start = state.last_taker", "next_start = state.start_seat", 4, {}),
    "A-29, leaving": (rules.leave, "state.in_round", "state.last_taker = state.seat; state.in_round", 5, LEAVING),
    "next_start": (rules.end_round, "(state.start_seat + 1)", "(next_start + 1)", 3, {"next_start": "rotate"}),
    "A-39, within a round": (rules.end_turn, ">= params.turn_limit", "> params.turn_limit", 3, {"turn_limit": 50}),
    "A-39, at its end": (rules.end_round, ">= params.turn_limit", "> params.turn_limit", 2, {"turn_limit": 4}),
    "Z-56, the trigger": (trucks.draw_tile, "> state.main_size", ">= state.main_size", 4, {}),
    "Z-66, blocked spaces": (trucks.load, "params.truck_room[truck]", "params.truck_capacity", 2, {}),
    "Z-27, the bank": (trucks.take_truck, "state.coins[seat] += 1", "state.coins[seat] += 1; state.bank -= 1", 4, {}),
    "A-2, the order of placing": (trucks.offer_places, "0 if params.placement_order else", "", 4, AS_LOADED),
    "A-52, tiles alike": (lists.list_places, "listed |= 1 << tile", "listed |= 0", 4, {}),
    "A-35, trucks left over": (trucks.clear_trucks, "params.leftover_truck == 0", "1 == 1", 2, KEEP),
    "Z-22, a full enclosure": (zoo.refresh_enclosure, "animals == params", "animals > params", 4, {}),
    "Z-23, one species": (zoo.refresh_enclosure, "accept = state.kin[at]", "accept = ANIMALS", 4, {}),
    "Z-26, stalls in the barn": (zoo.refresh_barn, "state.stall_spaces_left[seat] == 0", "1 == 1", 4, {}),
    "Z-32, a coin short": (options.count_money, ">= params.prices[MOVES]", "> params.prices[MOVES]", 4, {}),
    "A-12, move_scope": (options.movable, "if source != BARN:", "if source < 0:", 4, LATER),
    "A-13, moving within a place": (options.movable, "source == place", "source > 6", 4, {}),
    "Z-36, moves counted anew": (zoo.remove_tile, "state.stale |= 1 << seat", "state.stale |= 0", 4, {}),
    "Z-38, the same species": (options.may_meet, " and params.exchange_same_species != 0", "", 4, COINS),
    "A-14, an empty enclosure": (options.may_meet, " or params.exchange_with_empty != 0", "", 4, SWAPS),
    "Z-39, too many animals": (options.barn_exchangeable, "> params.spaces[b]", "> 10", 2, COINS),
    "A-18, too many animals": (options.exchangeable, "and state.animals[first + b] <= params.spaces[a]", "", 2, COINS),
    "Z-41, exchanges do not pay": (money.exchange, "pays_b = params.exchange_pays_fill and", "pays_b =", 2, COINS),
    "A-50, full before": (money.exchange, " and not full_b", "", 2, {**SWAPS, **COINS, **TIGHT}),
    "Z-55, births after exchanges": (money.settle, "if has_pair", "if pays and has_pair", 2, FERTILE),
    "Z-42, who sells": (lists.list_buys, " and seller != state.seat", "", 4, COINS),
    "Z-43, the seller's share": (money.buy, "coins[seller] += params.buy_seller_share", "coins[seller] += 1", 4, SHARE),
    "Z-46, boards": (options.count_money, "< params.expansion_boards", "<= params.expansion_boards", 4, COINS),
    "A-21, filled again": (zoo.pay_filling, "not params.refill_pays and", "", 2, COINS),
    "A-49, once": (zoo.pay_filling, "not params.refill_pays and", "params.refill_pays and", 2, ONCE),
    "Z-48, a short bank": (zoo.pay_filling, "params.bank_short == 0", "params.bank_short", 2, POOR),
    "Z-50, breeding once": (zoo.breed, "drop_tile(state, at, plain + 1)", "state.step += 0", 2, FERTILE),
    "Z-51, an empty space": (zoo.breed, "< params.spaces[place]", "<= params.spaces[place]", 2, {**FERTILE, **POOR}),
    "A-11, offspring tiles": (zoo.breed, "state.born[species] += 1", "state.born[species] += 0", 4, {}),
    "A-3, offspring_pays_fill": (zoo.put_tile, "params.offspring_pays_fill", "1", 2, UNPAID),
    "Z-60, kinds of stalls": (zoo.kinds_of, "classes[at + 1]", "classes[at]", 4, {}),
    "A-41, barn_stall_unit": (scoring.barn_stall_penalty, "if params", "if not params", 4, NO_STALL_SPACES),
    "Z-62, species in the barn": (scoring.species_in, " | classes >> 2", "", 4, {}),
    "Z-64, tie_break": (scoring.tiebreak, "params.tie_break == 0", "1 == 1", 2, TIES),
}  # fmt: skip
"""For each mistake the kernel, what in it becomes what, and the players and rules under which that shows."""


def mistaken(kernel: Any, right: str, wrong: str) -> Any:
    """The kernel with a part of its text replaced."""
    source = inspect.getsource(kernel)
    assert source.count(right) == 1, f"{kernel.__name__} has no longer a single {right}"
    space = dict(vars(sys.modules[kernel.__module__]))
    exec(source.replace(right, wrong), space)
    return space[kernel.__name__]


def play_all(match: Match, job: Job) -> None:
    for number in range(job.games):
        match.play(job, number)


@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_is_found(name: str) -> None:
    kernel, right, wrong, players, overrides = MISTAKES[name]
    place = playout.tiebreak if kernel is scoring.tiebreak else kernel
    match, job = Match([(place, mistaken(kernel, right, wrong))]), Job(players, overrides, GAMES, 1)
    with pytest.raises((AssertionError, ValueError)):
        play_all(match, job)


def test_without_a_mistake_the_same_games_agree() -> None:
    """A kernel copied from its text is the kernel: the mistakes alone make the difference."""
    kernel = options.movable
    match = Match([(kernel, mistaken(kernel, "source == place", "source == place"))])
    for players, overrides in [(mistake[3], mistake[4]) for mistake in MISTAKES.values()][::4]:
        match.play(Job(players, overrides, 1, 1), 0)


def test_mistakes_break_different_rules() -> None:
    assert len({re.match(r"[ZA]-\d+|\w+", name).group() for name in MISTAKES}) >= 35  # type: ignore[union-attr]
