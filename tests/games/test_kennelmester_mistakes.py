"""Rules played wrongly on purpose: the comparison with the referee finds every such mistake within a few games."""

from __future__ import annotations

import inspect
import re
import sys
from typing import Any

import pytest

from balance.engine import playout
from balance.games.kennelmester import (
    bargain,
    breeding,
    choosing,
    contest,
    entering,
    kennel,
    lists,
    options,
    piles,
    rules,
    seats,
    steps,
    trading,
    traits,
    turns,
)

from .kennel_altered import PLACEHOLDER
from .kennel_jobs import BREEDING, NO_GROWING, POOR, RARE, RICH, SPLIT, Job, Overrides, job
from .kennel_pair import Match

GAMES = 40
SOLO, TWO, FOUR, PAIRS = ("solo", 1), ("competitive", 2), ("competitive", 4), ("team", 4)
ANYBODY: Overrides = {**RICH, "profession_match": "any"}
SELLING: Overrides = {**RICH, "hand_limit": 8, "actions_per_turn": 4}
FREELY: Overrides = {**RARE, "litter_zero_retry": "free", "gestation_rounds": 0}
FULL: Overrides = {"bonus_actions": 3, "bonus_draw_same_breed": True, "round_cap": 8}
LONG: Overrides = {**RICH, "round_cap": 20, "team_target": 4, "hand_limit": 8}
NO_DICE: Overrides = {"base_dice": 0, "prep_dice": 0}

Setting = tuple[tuple[str, int], Overrides, str]
OFFICIAL: Setting = (FOUR, {"round_cap": 30}, PLACEHOLDER)
FEW_ROUNDS: Setting = (TWO, {}, PLACEHOLDER)
RICH_4: Setting = (FOUR, RICH, PLACEHOLDER)
RICH_2: Setting = (TWO, RICH, "ties")
TIED: Setting = (FOUR, RICH, "ties")
BONUS: Setting = (TWO, FULL, "small")
LATE: Setting = (TWO, {"hand_limit_check": "turn_end", "actions_per_turn": 4, "hand_limit": 2}, PLACEHOLDER)
TOP: Setting = (TWO, {"discard_access": "top", "hand_limit": 2, "actions_per_turn": 4}, "small")
SELL: Setting = (FOUR, SELLING, "dear")
GONE: Setting = (FOUR, {**SELLING, "spent_cards": "remove"}, "dear")
NO_PUPS: Setting = (FOUR, {**POOR, "pups_sellable": False}, "ties")
WINNERS: Setting = (TWO, LONG, "ties")
ONE_PUP: Setting = (
    TWO,
    {**BREEDING, "litter_table": [1] * 6, "grow_rounds": 2, "hand_limit": 9, "round_cap": 9},
    "ties",
)
BREED: Setting = (TWO, BREEDING, "ties")
BREED_FEW: Setting = (TWO, BREEDING, "small")
SLOW: Setting = (TWO, {**BREEDING, "grow_rounds": 2, "gestation_rounds": 2, "round_cap": 8}, "ties")
AT_ONCE: Setting = (TWO, {**BREEDING, **NO_GROWING}, "ties")
REROLL: Setting = (
    TWO,
    {**BREEDING, "litter_zero_retry": "reroll", "litter_table": [0, 1, 1, 2, 2, 3]},
    "ties",
)
NO_RETRY: Setting = (TWO, {**RARE, "litter_zero_retry": "none"}, "ties")
FREE: Setting = (TWO, FREELY, "ties")
BY_ITSELF: Setting = (TWO, {**FREELY, "birth_costs_action": False}, "ties")
POOR_2: Setting = (TWO, POOR, PLACEHOLDER)
POOR_PAIRS: Setting = (PAIRS, POOR, PLACEHOLDER)
LAST_COIN: Setting = (TWO, {**RICH, "start_coins": 3}, "ties")
STUDS_OFF: Setting = (PAIRS, {**RICH, "stud_deal": "off"}, "ties")
STUDS_ASKED: Setting = (PAIRS, {**RICH, "stud_deal": "ask"}, "ties")
ASKED: Setting = (TWO, {**RICH, "stud_deal": "ask", "val_mate_bonus": 9.0}, "ties")
LARGER: Setting = (TWO, {**RICH, "trait_rule": "max"}, "invented")
HEIRS: Setting = (TWO, {**BREEDING, "inherit_accumulates": False, "round_cap": 8}, "ties")
LIMITED: Setting = (TWO, {**BREEDING, "trait_cap": 3, "trait_rule": "sum", "round_cap": 6}, "ties")
HELPED: Setting = (FOUR, {**ANYBODY, "hire_deal": "auto"}, PLACEHOLDER)
HELPED_PAIRS: Setting = (PAIRS, {**ANYBODY, "hire_deal": "auto"}, PLACEHOLDER)
HELP_OFF: Setting = (PAIRS, {**ANYBODY, "hire_deal": "off"}, PLACEHOLDER)
HELP_ASKED: Setting = (FOUR, ANYBODY, PLACEHOLDER)
WELL_PREPARED: Setting = (FOUR, {**RICH, "prep_dice": 3}, PLACEHOLDER)
SPLIT_2: Setting = (TWO, {**SPLIT, "win_value_bonus": 9, "round_cap": 9}, "ties")
SPLIT_FEES: Setting = (TWO, {**SPLIT, "upkeep_divisor": 3}, "ties")
SPLIT_MANY: Setting = (TWO, {**SPLIT, "hand_limit": 9}, "invented")
SPLIT_POOR: Setting = (TWO, {**SPLIT, "start_coins": 1}, "dear")
RICH_PAIRS: Setting = (PAIRS, RICH, PLACEHOLDER)
WON_TOGETHER: Setting = (PAIRS, LONG, "ties")
NEAR: Setting = (FOUR, {**LONG, "reputation_target": 3}, "ties")
FAME: Setting = (FOUR, {**SELLING, **NO_DICE, "reputation_target": 1, "actions_per_turn": 6}, "dear")
EVEN: Setting = (TWO, {**RICH, "tie_break": "coins", **NO_DICE}, PLACEHOLDER)
FEW_EVENTS: Setting = (SOLO, {"event_deck_size": 5}, PLACEHOLDER)
GOAL: Setting = (SOLO, {**RICH, "solo_target": 3}, "ties")
COMMON: Setting = (PAIRS, {}, PLACEHOLDER)
COINS: Setting = (TWO, {"coin_amount": 3}, PLACEHOLDER)

Mistake = tuple[Any, str, str, Setting]
MISTAKES: dict[str, Mistake] = {
    # setup, rounds, turns
    "K-4, characters": (rules.setup, "state.character_order[seat]", "state.character_order[0]", OFFICIAL),
    "K-5, passes": (rules.ask_for_breed, "% params.players", "// params.start_dogs", RICH_2),
    "K-11, who starts": (turns.end_round, "state.starter + 1 if", "state.starter if", OFFICIAL),
    "K-13, mothers": (turns.begin_turn, "+ state.mothers[seat] > 0", "> 0", ONE_PUP),
    "K-15, all of one kind": (steps.finish, "state.same &= signature", "state.same |= signature", OFFICIAL),
    "K-15, declined": (rules.decline, "state.bonus_left = 0", "state.bonus_left -= 1", BONUS),
    "K-17, draws": (steps.finish, "params.ties[kind] *", "", OFFICIAL),
    "K-17, the breed of a bonus": (options.keep_kind, "state.tied = breed", "state.tied = -1", BONUS),
    "K-18, the limit": (turns.is_over_limit, "> params.hand_limit", ">= params.hand_limit", OFFICIAL),
    "A-9, when": (turns.go_on, "params.hand_limit_check == AT_ONCE and", "", LATE),
    "K-20, coins": (rules.take_coin, "params.coin_amount", "1", COINS),
    # cards
    "A-11, the top": (piles.last_discard, "state.seen[card] > latest", "latest == 0", TOP),
    "A-12, out of the game": (piles.put_aside, "== REMOVE", "== RECYCLE", GONE),
    "K-21, the top card": (piles.draw, "max(size - 1, 0)", "0", FEW_ROUNDS),
    "K-23, under the deck": (breeding.give_birth, "litter > state.deck_size[breed]", "0", BREED_FEW),
    # trades
    "K-24, the price": (trading.buy, "-params.card_price[dog]", "-params.cheapest", RICH_4),
    "K-25, rewards": (trading.sell_to_customer, "dog) + coins", "dog)", SELL),
    "A-16, enough dice": (bargain.reward, "dice >= params", "dice > params", SELL),
    "K-26, the seller": (trading.sell_to_player, "earn(state, params, seller, price)", "0", RICH_4),
    "K-27, pups": (trading.is_sellable, "params.pups_sellable and", "", NO_PUPS),
    "1.5, erased": (kennel.erase, "state.wins[dog] =", "", WINNERS),
    "1.5, the record": (kennel.move, "    leave(state", "    erase(state, dog)\n    leave(state", WINNERS),
    "A-73, sales": (steps.was_refused, "== action", "== -1", RICH_4),
    # breeding
    "K-30, busy males": (breeding.may_mate, "not is_idle(state, father)", "state.place[father] < 0", RICH_2),
    "K-32, the base": (breeding.stud_fee, "params.stud_base_fee +", "", RICH_2),
    "K-32, a coin short": (breeding.may_hire, "< fee", "<= fee", LAST_COIN),
    "A-64, studs off": (breeding.may_hire, "== OFF", "== OFF and owner != (seat + 2) % 4", STUDS_OFF),
    "A-81, partners": (breeding.propose_mating, "ASK and is_foreign", "ASK and owner != seat", STUDS_ASKED),
    "K-34, the male": (breeding.mate, "state.used_round[father] =", "", RICH_2),
    "K-35, gestation": (kennel.is_due, "+ params.gestation_rounds", "+ 1", SLOW),
    "A-76, once": (turns.next_birth, "next_mother = np.int64(state.after[mother])", "next_mother = mother", BY_ITSELF),
    "K-37, reroll": (breeding.give_birth, "if litter == 0 and", "if litter <= 1 and", REROLL),
    "K-37, none": (breeding.fail, "== NO_RETRY", "== FOR_FREE", NO_RETRY),
    "K-37, idle": (breeding.offer_free_mating, "is_idle(state, state.mother)", "state.mother >= 0", FREE),
    "K-38, what they inherit": (breeding.bear, "= state.carried[mother]", "= state.inherited[mother]", BREED),
    "K-40, growing": (kennel.grow_up, "- params.grow_rounds", "- 1", SLOW),
    "K-40, at once": (breeding.nurse, "params.grow_rounds == 0", "params.grow_rounds < 0", AT_ONCE),
    "K-41, mothers": (kennel.grow_up, "stage >= NURSING", "stage > NURSING", BREED),
    # inheritance
    "K-80, the smaller": (traits.smaller, "min(mother & lane, father & lane)", "mother & lane", RICH_4),
    "K-81, shared": (traits.inherited_from, "hers > 0 and his > 0", "hers + his > 0", LARGER),
    "K-82, totals": (traits.basis, "if params.inherit_accumulates", "if params.start_dogs", HEIRS),
    "K-83, the cap": (traits.total, "params.trait_cap > 0", "params.trait_cap > 60", LIMITED),
    "A-78, what is stored": (traits.inherited_from, "min(dice, MOST_DICE)", "min(dice, params.trait_cap)", LIMITED),
    # events
    "K-50, entered": (entering.enter, "= state.entered_round[dog]", "", RICH_4),
    "K-51, professions": (turns.begin_round, "params.event_type[state.event]", "0", RICH_4),
    "K-52, partners": (entering.enter, "not are_partners(params, seat, preparer)", "preparer != seat", HELPED_PAIRS),
    "K-53, helpers": (entering.preparers, "helpers &= ~state.prepared", "helpers &= ~0", HELPED),
    "K-53, own dogs": (entering.preparers, "skilled &= ~state.helped", "skilled &= ~0", HELPED),
    "K-77, a new round": (turns.begin_round, "state.prepared = state.helped = 0", "state.prepared = 0", HELPED),
    "A-64, help off": (entering.preparers, "helpers = 0", "helpers &= params.partners[seat]", HELP_OFF),
    "A-73, helpers": (entering.preparers, " & ~state.refusers", "", HELP_ASKED),
    "K-71, preparation": (contest.roll, "params.prep_dice *", "", WELL_PREPARED),
    "A-42, listed traits": (contest.roll, "& params.event_traits[state.event]", "& -1", RICH_2),
    "K-72, enough": (contest.roll, "< params.event_required", "<= params.event_required", RICH_4),
    "K-73, all successful dice": (contest.roll, "result += face *", "result = face *", RICH_4),
    "K-74, ties": (contest.roll_again, "if face > best", "if face >= best", TIED),
    "K-75, wins": (contest.win, "state.wins[dog] += 1", "state.wins[dog] = 1", WINNERS),
    "A-57, the bottom": (contest.put_back, "state.event_at + state.events_left", "state.event_at - 1", OFFICIAL),
    # upkeep
    "K-60, pups": (turns.close_turn, "if params.upkeep_counts_pups", "if params.start_dogs", BREED),
    "K-62, until it can be paid": (turns.close_turn, "if due > coins", "if due > coins + 1", POOR_2),
    "K-62, presents": (lists.list_disposals, "other != state.acting", "other % 2 != state.acting % 2", POOR_PAIRS),
    "K-63, waived": (turns.close_turn, "min(due, coins)", "due", POOR_2),
    # how a policy finds its option
    "6.5, preparers": (choosing.entry_option, "% COUNT[mask]", "% 1", HELP_ASKED),
    # bargaining
    "B-1, the value": (bargain.resale, "factor * worth", "factor * params.card_price[dog]", SPLIT_2),
    "B-1, a pair": (bargain.completes_pair, " and same == 0", "", SPLIT_2),
    "B-1, upkeep": (bargain.usefulness, "params.due[others + 1]", "params.due[others + 2]", SPLIT_FEES),
    "B-1, customers": (bargain.resale, " and accepts(params, customer, dog)", "", SPLIT_MANY),
    "B-2, rounded down": (bargain.halfway, "both // (2 * MILLION)", "-(-both // (2 * MILLION))", SPLIT_2),
    "B-2, the buyer's coins": (bargain.halfway, "params, buyer))", "params, state.acting))", SPLIT_POOR),
    "B-2, the margin": (bargain.would_buy, "> params.deal_margin", "> 0", SPLIT_2),
    "B-3, busy": (bargain.would_lend, "is_to_act(state, params, owner) and", "", ASKED),
    "B-4, a dog of his own": (bargain.would_help, "params.val_own_prep if keeps else", "", HELP_ASKED),
    "B-5, partners": (bargain.sale_price, "are_partners(params, seller, buyer)", "buyer < 0", RICH_PAIRS),
    # the end
    "K-90, the target": (turns.reason_to_end, ">= params.target", "> params.target", NEAR),
    "K-90, at once": (seats.end_at_once, "params.ends_at_once and", "", FAME),
    "K-92, coins": (seats.tiebreak, "if params.tie_break", "if params.players > 9", EVEN),
    "K-93, the cap": (turns.reason_to_end, "== params.round_cap", "== params.round_cap + 1", FEW_ROUNDS),
    "K-94, why": (turns.reason_to_end, "state.events_left == 0", "state.events_left == 1", FEW_EVENTS),
    "K-95, common coins": (seats.coins_of, "params.side[seat]", "seat", COMMON),
    "K-96, both partners": (seats.score, "params.partners[seat]", "0", WON_TOGETHER),
    "K-98, enough": (seats.end_game, "< params.solo_target", "<= params.solo_target", GOAL),
}  # fmt: skip
"""For each mistake the kernel, what in it becomes what, and the table, rules and deck with which that shows."""
PLACES = {rules.setup: playout.setup, seats.score: playout.score, seats.tiebreak: playout.tiebreak}
"""Where the engine itself calls a kernel."""


def mistaken(kernel_: Any, right: str, wrong: str) -> Any:
    """The kernel with a part of its text replaced."""
    source = inspect.getsource(kernel_)
    assert source.count(right) == 1, f"{kernel_.__name__} has no longer a single {right}"
    space = dict(vars(sys.modules[kernel_.__module__]))
    exec(source.replace(right, wrong), space)
    return space[kernel_.__name__]


def play_all(match: Match, job_: Job) -> None:
    for number in range(job_.games):
        match.play(job_, number)


@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_is_found(name: str) -> None:
    kernel_, right, wrong, (table, overrides, deck) = MISTAKES[name]
    wrong_one = mistaken(kernel_, right, wrong)
    match = Match([(place, wrong_one) for place in (kernel_, PLACES.get(kernel_, kernel_))])
    with pytest.raises((AssertionError, ValueError, LookupError)):
        play_all(match, job(*table, overrides, deck, GAMES))


def test_without_a_mistake_the_same_games_agree() -> None:
    """A kernel copied from its text is the kernel: the mistakes alone make the difference."""
    kernel_ = breeding.may_hire
    match = Match([(kernel_, mistaken(kernel_, "< fee", "< fee"))])
    for table, overrides, deck in [mistake[3] for mistake in MISTAKES.values()][::4]:
        match.play(job(*table, overrides, deck), 0)


def test_mistakes_break_different_rules() -> None:
    assert len({re.match(r"[KAB]-\d+|[16]\.5", name).group() for name in MISTAKES}) >= 50  # type: ignore[union-attr]
