# Written from the README alone, without a look at the source of the tool; it stays as it was written.
"""Caravan: gather goods in a hidden hand, and sell them while the price is still good.

On a turn a player takes an open card of the market, or draws the top card of the deck unseen, or sells all cards of
one good. Each card brings the price of its good; a big lot brings a bonus; the price falls. The game ends with the
round in which the deck has run out, or after the last round. Cards still in hand may cost a point each.
"""
from typing import Annotated, Literal

import numpy as np
from pydantic import Field

from balance.engine import OPTIONS_PER_DRAW, TRACE, aim, below, code_of, draw, kernel, note, ranked, state_dtype
from balance.game import Bounds, CounterMeasure, CurveMeasure, Game, GameMeasure, GameParams, Policy, SeatMeasure

SEATS, GOODS, COPIES, LOTS, ROUNDS = 4, 6, 12, 8, 30  # the most that any rules allow
CARDS = GOODS * COPIES
BLIND, SELL = GOODS, GOODS + 1  # codes: 0 to 5 take a good, 6 draws unseen, 7 to 12 sell a good
WASTE = CODES = SELL + GOODS  # one more for the log
NAMES = ("silk", "salt", "tea", "spice", "amber", "jade")

class TooFewCards:  # a guess: the tool asks what impossible() returns for its key and its sentence
    key = "hand"
    sentence = "The deck has too few cards to deal the hands and the market."

class CaravanParams(GameParams):
    players: int = Field(ge=2, le=SEATS, description="Number of players.")
    goods: int = Field(5, ge=3, le=GOODS, description="Kinds of goods.")
    copies: int = Field(8, ge=4, le=COPIES, description="Cards of each good.")
    hand: int = Field(3, ge=0, le=5, description="Cards dealt to each player.")
    limit: int = Field(8, ge=2, le=12, description="With so many cards in hand a player must sell.")
    market: int = Field(3, ge=1, le=5, description="Open cards in the market.")
    price: int = Field(5, ge=1, le=9, description="Price of a card at the start.")
    falls: Literal["card", "sale", "never"] = Field("card", description="What lowers the price of a good by 1.")
    bonus: tuple[Annotated[int, Field(ge=0, le=30)], ...] = Field(
        (0, 0, 2, 5, 9), min_length=1, max_length=LOTS, description="Bonus for a lot of 1, 2, 3.. cards.")
    waste: bool = Field(True, description="Cards left in hand cost a point each.")
    rounds: int = Field(20, ge=5, le=ROUNDS, description="Rounds at most.")

    def impossible(self):
        fits = self.players * self.hand + self.market < self.goods * self.copies
        return [] if fits else [TooFewCards()]

caravan_state = state_dtype(
    ("deck", np.int64, CARDS),  # goods in the order of the deck
    ("top", np.int64),  # the next card of the deck
    ("hand", np.int64, (SEATS, GOODS)),  # cards in hand, by good
    ("shown", np.int64, (SEATS, GOODS)),  # of these, the ones that were taken openly
    ("market", np.int64, GOODS),  # open cards, by good
    ("price", np.int64, GOODS),
    ("points", np.int64, SEATS),
    ("sold", np.int64, SEATS),  # cards sold
    ("sales", np.int64, SEATS),  # from here on: only counted
    ("offered", np.int64, GOODS),
    ("taken", np.int64, (SEATS, GOODS)),
    ("curve", np.int64, (ROUNDS, SEATS)),
)

@kernel
def setup(state, params, rng):
    for card in range(params.goods * params.copies):
        state.deck[card] = card % params.goods
    aim(rng, 0, 0, 0, 0)
    shuffle(state, params, 0, rng)
    for seat in range(params.players):
        for _ in range(params.hand):
            state.hand[seat, draw_card(state)] += 1
    for good in range(params.goods):
        state.price[good] = params.price
    for _ in range(params.market):
        state.market[draw_card(state)] += 1

@kernel
def shuffle(state, params, first, rng):
    end = params.goods * params.copies
    for card in range(first, end - 1):
        other = card + below(rng, card - first, end - card)
        kept = state.deck[card]
        state.deck[card] = state.deck[other]
        state.deck[other] = kept

@kernel
def draw_card(state):
    state.top += 1
    return state.deck[state.top - 1]

@kernel
def left(state, params):
    return params.goods * params.copies - state.top

@kernel
def held(state, params, seat):
    cards = 0
    for good in range(params.goods):
        cards += state.hand[seat, good]
    return cards

@kernel
def allowed(state, params, code):
    if code >= SELL:
        return state.hand[state.seat, code - SELL] > 0
    if held(state, params, state.seat) >= params.limit:
        return False
    if code == BLIND:
        return left(state, params) > 0
    return state.market[code] > 0

@kernel
def legal_actions(state, params, actions):
    count = 0
    for code in range(CODES):
        if allowed(state, params, code):
            actions.code[count] = code
            count += 1
    return count

@kernel
def worth(state, params, good, cards):
    if cards == 0:
        return 0
    value = 0
    for card in range(cards):
        value += max(1, state.price[good] - card * (params.falls == 0))
    lot = min(cards, LOTS) - 1
    while params.bonus[lot] < 0:  # filled up with -1: the last bonus counts for bigger lots too
        lot -= 1
    return value + params.bonus[lot]

@kernel
def perform(state, params, code):
    seat = state.seat
    gain = 0
    for good in range(params.goods):
        state.offered[good] += state.market[good] > 0
    if code >= SELL:
        good = code - SELL
        cards = state.hand[seat, good]
        gain = worth(state, params, good, cards)
        state.points[seat] += gain
        state.sold[seat] += cards
        state.sales[seat] += 1
        state.hand[seat, good] = state.shown[seat, good] = 0
        if params.falls < 2:
            state.price[good] = max(1, state.price[good] - (cards if params.falls == 0 else 1))
    elif code == BLIND:
        good = draw_card(state)
        state.hand[seat, good] += 1
    else:
        good = code
        state.market[good] -= 1
        state.hand[seat, good] += 1
        state.shown[seat, good] += 1
        state.taken[seat, good] += 1
        if left(state, params) > 0:
            state.market[draw_card(state)] += 1
    if TRACE:
        note(state, params, code, seat, good, gain)

@kernel
def next_turn(state, params):
    state.turns += 1
    state.turn += 1
    state.seat += 1
    if state.seat < params.players:
        return
    for seat in range(params.players):
        state.curve[state.round_number, seat] = state.points[seat]
    state.round_number += 1
    state.turn = state.seat = 0
    state.over = state.round_number == params.rounds or left(state, params) == 0
    for seat in range(params.players * params.waste * state.over):
        state.points[seat] -= held(state, params, seat)
        if TRACE:
            note(state, params, WASTE, seat, 0, held(state, params, seat))

@kernel
def apply_action(state, params, action, rng):
    perform(state, params, action)
    next_turn(state, params)
    choices = only = 0
    while state.over == 0 and choices < 2:  # a turn without a choice is played at once
        choices = 0
        for code in range(CODES):
            if allowed(state, params, code):
                choices += 1
                only = code
        if choices == 1:
            perform(state, params, only)
        if choices < 2:
            next_turn(state, params)

@kernel
def score(state, params, seat):
    return state.points[seat]

@kernel
def tiebreak(state, params, seat):
    return state.sold[seat]  # of equal points, who sold more cards

@kernel
def determinize(state, params, seat, rng):
    low = state.top  # the unseen cards of the others go back upon the deck, and are dealt anew
    for other in range(params.players):
        for good in range(params.goods * (other != seat)):
            for _ in range(state.hand[other, good] - state.shown[other, good]):
                low -= 1
                state.deck[low] = good
    shuffle(state, params, low, rng)
    for other in range(params.players):
        for good in range(params.goods * (other != seat)):
            state.hand[other, good] -= state.shown[other, good]
        hidden = held(state, params, other) * (other != seat)
        for good in range(params.goods * (other != seat)):
            state.hand[other, good] = state.shown[other, good]
        for _ in range(hidden):
            state.hand[other, state.deck[low]] += 1
            low += 1

@kernel
def measure(state, params, shares, row):
    for good in range(params.goods):
        row.crashed += state.price[good] == 1
        row.goods[good, 0] = state.offered[good]
        for seat in range(params.players):
            row.goods[good, 1] += state.taken[seat, good]
            row.goods[good, 2] += state.taken[seat, good] * shares[seat]
    for seat in range(params.players):
        row.sales[seat] = state.sales[seat]
        for number in range(state.round_number):
            row.income[number, seat] = state.curve[number, seat]

@kernel
def choose_any(state, params, weights, rng, actions):
    return actions.code[below(rng, 0, legal_actions(state, params, actions))]

@kernel
def choose_trader(state, params, weights, rng, actions):
    count = legal_actions(state, params, actions)
    best = 0
    bits = draw(rng, 0)  # not 0 here: a draw is unsigned, and the compiler cannot mix the two
    for option in range(count):
        if option > 0 and option % OPTIONS_PER_DRAW == 0:
            bits = draw(rng, option // OPTIONS_PER_DRAW)
        code = actions.code[option]
        if code == BLIND:
            value = weights.unseen
        elif code < BLIND:
            mine = state.hand[state.seat, code]
            value = weights.fetch * (worth(state, params, code, mine + 1) - worth(state, params, code, mine))
        else:
            value = weights.sell * worth(state, params, code - SELL, state.hand[state.seat, code - SELL])
            value -= weights.patience * min(left(state, params) // params.players, params.rounds - state.round_number)
            for other in range(params.players):
                value += weights.rush * state.shown[other, code - SELL] * (other != state.seat)
        rank = ranked(value, weights.temperature, bits, option, code)
        if option == 0 or rank > best:
            best = rank
    return code_of(best)

class Tracer:
    def __init__(self, params, number, seed, policies):
        self.events = [{"event": "game", "number": number, "seed": str(seed), "policies": list(policies)}]

    def __call__(self, state, params, event, a, b, c):
        kind = ("take", "draw", "sell", "waste")[(event >= BLIND) + (event >= SELL) + (event == WASTE)]
        hand = {NAMES[good]: int(state.hand[a, good]) for good in range(GOODS) if state.hand[a, good]}
        self.events.append({"event": kind, "round": state.round_number, "player": a, "good": NAMES[b], "points": c,
                            "hand": hand, "deck": left(state, params)})

    def finish(self, state, row):
        scores = [value for name, value in row.items() if name.startswith("score_")]
        self.events.append({"event": "end", "scores": scores})

TOLD = {"take": "takes {good} from the market", "draw": "draws {good} unseen", "sell": "sells all {good} for {points}",
        "waste": "loses {points} for unsold cards"}

def narrate(events):
    header, *told, end = events
    lines = [f"Caravan, game {header['number']}, played by {', '.join(header['policies'])}"]
    for e in told:
        when = "The end" if e["event"] == "waste" else f"Round {e['round'] + 1}"
        hand = ", ".join(f"{count} {good}" for good, count in e["hand"].items()) or "nothing"
        lines.append(f"{when}, player {e['player'] + 1} {TOLD[e['event']].format(**e)}; holds {hand}")
    return [*lines, f"Points: {end['scores']}"]

GAME = Game(
    id="caravan", title="Caravan", rules_version=1, players=range(2, SEATS + 1), round_name="round", turn_name="turn",
    summary="Gather goods in a hidden hand, and sell them while the price is still good.",
    Params=CaravanParams, state_dtype=caravan_state, tracer=Tracer, narrate=narrate,
    setup=setup, legal_actions=legal_actions, apply_action=apply_action, score=score, tiebreak=tiebreak,
    measure=measure, determinize=determinize,
    bounds=Bounds(actions=CODES, rounds=ROUNDS, turns=SEATS * ROUNDS, steps=1, plies=SEATS * ROUNDS),
    measures=(
        GameMeasure("crashed", "Crashed prices", "goods", "Goods whose price is 1 at the end.", "a fuller market"),
        SeatMeasure("sales", "Sales", "sales", "Lots that a player sold.", "smaller lots"),
        CurveMeasure("income", "Points", "points", "Points after each round.", "a lead", rounds=ROUNDS),
        CounterMeasure("goods", "Goods", "cards", "Goods that lay open and were taken.", "more use", items=NAMES),
    ),
    policies=(
        Policy("trader", "Trader", "Weighs what a lot brings now against the turns in which it may grow.",
               choose_trader, {"sell": 10, "rush": 5, "patience": 12, "unseen": 20, "fetch": 8}, temperature=8),
        Policy("hasty", "Hasty", "Sells small lots early.",
               choose_trader, {"sell": 10, "rush": 5, "patience": 4, "unseen": 20, "fetch": 8}, temperature=8),
        Policy("random", "Random", "Takes any option.", choose_any),
    ),
)
