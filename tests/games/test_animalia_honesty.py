"""No policy looks at what its seat cannot see (section 5.1), and `determinize` hides exactly that."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from balance.engine import kernel
from balance.engine.plain import copied, plain_kernel
from balance.game import Game, Policy
from balance.games.animalia import GAME, layout
from balance.games.animalia.layout import DECK_MASK, DECK_SLOTS
from balance.games.animalia.params import N_CARDS, AnimaliaParams
from balance.games.animalia.rules import legal_actions
from balance.games.animalia.trace import NAMES, Tracer

from .plays import Moment, Watched

PHASE_3 = layout.D8_COVER
TABLES = [AnimaliaParams.resolve(players, {"collections_per_player": 1}) for players in range(2, 7)] + [
    AnimaliaParams.resolve(2),
    AnimaliaParams.resolve(3, {"collections_per_player": 2}),
    AnimaliaParams.resolve(4, {"collections_per_player": 2, "collection_size": 4, "remove_neutral": False}),
    AnimaliaParams.resolve(5, {"collections_per_player": 2, "collection_size": 3, "bonus_first": 4}),
    AnimaliaParams.resolve(
        6, {"collections_per_player": 2, "collection_size": 3, "copies_spy": 3, "bonus_second": 2}
    ),
]
"""Every number of players with one collection each and with two."""


def named(params: AnimaliaParams) -> str:
    return f"{params.players}x{params.collections_per_player}"


determinize = plain_kernel(GAME.determinize)


# ---------------------------------------------------------------- what the seat may not see, made different


def hidden_made_different(moment: Moment, chance: random.Random) -> Any:
    """A copy of the state in which all that the deciding seat cannot see is something else."""
    state = copied(moment.state)
    determinize(state, moment.params, state.seat, redealing(moment.rng, chance))
    spoil(state, chance)
    return state


def redealing(rng: Any, chance: random.Random) -> Any:
    """Random numbers that have nothing to do with the game's."""
    other = copied(rng)
    other.key_1, other.key_2, other.moment = (np.uint64(chance.getrandbits(64)) for _ in range(3))
    return other


def covered_places(state: Any, collection: int) -> list[int]:
    return [place for place in range(8) if state.covered_mask[collection] >> place & 1]


def spoil(state: Any, chance: random.Random) -> None:
    """Other cards wherever memory holds cards of the past."""

    def junk(cells: dict[Any, int], keys: Any) -> None:
        for key in keys:
            cells[key] = chance.randrange(N_CARDS)

    junk(state.deck, ((state.deck_top + i) & DECK_MASK for i in range(state.deck_left, DECK_SLOTS)))
    for seat in range(layout.SEATS):
        junk(state.hand, ((seat, i) for i in range(state.hand_count[seat], state.hand_count[seat] + 5)))
    for collection in range(layout.COLLECTIONS):
        covered = covered_places(state, collection) if state.decision >= PHASE_3 else []
        junk(state.covering, ((collection, place) for place in range(8) if place not in covered))
    if state.decision != layout.D7_SPY:
        junk(state.spied, range(layout.SPY_DEPTH))


# ---------------------------------------------------------------- policies


def differences(policy: Policy, params: AnimaliaParams, games: int, redeals: int) -> tuple[int, int]:
    """How many decisions a policy made, and how often it chose otherwise when only hidden things differed."""
    watched = Watched(replace(GAME, policies=(policy,)), [policy])
    chance = random.Random(5)
    counts = [0, 0]

    def watch(moment: Moment) -> None:
        chosen = decide(moment, copied(moment.state))
        for _ in range(redeals):
            counts[0] += 1
            counts[1] += decide(moment, hidden_made_different(moment, chance)) != chosen

    def decide(moment: Moment, state: Any) -> tuple[int, list[int]]:
        """What is chosen, from which options."""
        actions, rng = copied(moment.actions), copied(moment.rng)
        listed = watched.legal_actions(state, moment.params, actions)
        options = [actions.code[i] for i in range(listed)]
        return watched.choose(0, state, moment.params, moment.weights, rng, actions), options

    watched.watch = watch
    for number in range(games):
        watched.play(params, [policy] * params.players, 3, number)
    return counts[0], counts[1]


@pytest.mark.parametrize("params", TABLES, ids=named)
@pytest.mark.parametrize("policy", GAME.policies, ids=lambda policy: policy.id)
def test_policies_are_honest(policy: Policy, params: AnimaliaParams) -> None:
    decisions, different = differences(policy, params, games=2, redeals=2)
    assert decisions > 150
    assert different == 0


@kernel
def looks_at_the_deck(state, params, weights, rng, actions):  # type: ignore[no-untyped-def]  # noqa: ARG001
    """Cheats: the top card decides."""
    n = legal_actions(state, params, actions)
    return actions.code[state.deck[state.deck_top] % n]


@kernel
def looks_into_a_hand(state, params, weights, rng, actions):  # type: ignore[no-untyped-def]  # noqa: ARG001
    """Cheats: the left neighbour's first bonus card decides."""
    n = legal_actions(state, params, actions)
    neighbour = (state.seat + 1) % params.players
    return actions.code[state.hand[neighbour, 0] % n if state.hand_count[neighbour] else 0]


@kernel
def looks_at_covers(state, params, weights, rng, actions):  # type: ignore[no-untyped-def]  # noqa: ARG001
    """Cheats: how many bonus cards the first player has used, this season too, decides (R-36)."""
    n = legal_actions(state, params, actions)
    return actions.code[state.covers[0] % n if state.seat else n - 1]


@kernel
def looks_at_owls(state, params, weights, rng, actions):  # type: ignore[no-untyped-def]  # noqa: ARG001
    """Cheats: what the first player's owl stands for, this season too, decides (R-36)."""
    n = legal_actions(state, params, actions)
    return actions.code[state.owl_family[0] % n if state.seat else n - 1]


@kernel
def looks_into_the_past(state, params, weights, rng, actions):  # type: ignore[no-untyped-def]  # noqa: ARG001
    """Cheats: reads where the last card drawn from the deck lay, a bonus card in Phase 3."""
    n = legal_actions(state, params, actions)
    return actions.code[state.deck[(state.deck_top - 1) & DECK_MASK] % n]


@pytest.mark.parametrize(
    "choose",
    [looks_at_the_deck, looks_into_a_hand, looks_at_covers, looks_at_owls, looks_into_the_past],
    ids=lambda choose: choose.__name__,
)
def test_a_cheat_is_caught(choose: Callable[..., Any]) -> None:
    cheat = Policy("cheat", "Cheat", "Planted.", choose)
    _, different = differences(cheat, AnimaliaParams.resolve(5), games=6, redeals=2)
    assert different > 0


# ---------------------------------------------------------------- determinize against 5.1


class Knowledge:
    """Which seats know the card on each place of the deck, and each bonus card, worked out from the trace."""

    def __init__(self, params: AnimaliaParams) -> None:
        self.everybody = frozenset(range(params.players))
        self.deck: list[frozenset[int]] = []
        self.hands: list[dict[str, frozenset[int]]] = [{} for _ in self.everybody]

    def hear(self, event: dict[str, Any]) -> None:
        """One line of the trace."""
        name = event["event"]
        if name == "shuffle":
            self.deck = [frozenset()] * len(event["deck"])
            self.hands = [
                {card: own[card] for card in held}
                for own, held in zip(self.hands, event["held"], strict=True)
            ]
        elif name == "reveal":
            self.deck.pop(0)
        elif name == "power" and event.get("destination") == "deck_bottom":
            self.deck.append(self.everybody)
        elif name == "power" and "seen" in event:
            self.deck[: len(event["seen"])] = [frozenset([event["player"]])] * len(event["seen"])
        elif name == "elegance":
            for draw in event["draws"]:
                for card in draw["cards"]:
                    self.hands[draw["player"]][card] = self.deck.pop(0) | {draw["player"]}


def deck_of(state: Any) -> list[str]:
    return [NAMES[state.deck[(state.deck_top + i) & DECK_MASK]] for i in range(state.deck_left)]


def hand_of(state: Any, seat: int) -> list[str]:
    return [NAMES[state.hand[seat, i]] for i in range(state.hand_count[seat])]


def covers_of(state: Any, seat: int) -> list[str]:
    """Bonus cards laid in the Phase 3 that is going on."""
    if state.decision < PHASE_3:
        return []
    return [
        NAMES[state.covering[own, place]]
        for own in (2 * seat, 2 * seat + 1)
        for place in covered_places(state, own)
    ]


REDEALT = {"deck", "hand", "hand_count", "hand_families", "known"}
REDEALT |= {"covering", "covered_mask", "counting", "covers", "owl_family"}
"""Fields that may differ between a state and a redealt one."""


@pytest.mark.parametrize("params", TABLES, ids=named)
def test_determinize_keeps_what_the_seat_knows_and_redeals_the_rest(params: AnimaliaParams) -> None:
    watched, chance = Watched(GAME, GAME.policies), random.Random(8)
    changed = {"deck": [0, 0], "hands": [0, 0]}

    def watch(moment: Moment) -> None:
        for event in tracer.events[heard[0] :]:
            knowledge.hear(event)
        heard[0] = len(tracer.events)
        check_spied_so_far(knowledge, moment)
        for seat in {moment.state.seat, chance.randrange(params.players)}:
            redealt = copied(moment.state)
            determinize(redealt, moment.params, seat, redealing(moment.rng, chance))
            check_kept(knowledge, params, moment.state, redealt, seat)
            count_changes(knowledge, params, moment.state, redealt, seat, changed)

    watched.watch = watch
    for number in range(6):
        tracer, knowledge, heard = Tracer(params, number, 4, []), Knowledge(params), [0]
        watched.tracer = tracer
        watched.play(params, [GAME.policies[number % 2]] * params.players, 4, number)
    for different, unseen in changed.values():
        assert unseen == 0 or different > 0.7 * unseen
    places = params.players * params.collections_per_player * params.collection_size
    assert changed["deck"][1] > 1000
    assert changed["hands"][1] > 100 or len(params.cards_in_play()) - places < 3


def check_spied_so_far(knowledge: Knowledge, moment: Moment) -> None:
    """While a spy looks, the trace does not say so yet, but he knows the cards."""
    state = moment.state
    if state.decision == layout.D7_SPY:
        knowledge.deck[: state.seen] = [frozenset([state.seat])] * state.seen


def check_kept(knowledge: Knowledge, params: AnimaliaParams, state: Any, redealt: Any, seat: int) -> None:
    for name in state.__slots__:
        assert name in REDEALT or getattr(state, name) == getattr(redealt, name), name
    assert hand_of(state, seat) == hand_of(redealt, seat)
    assert covers_of(state, seat) == covers_of(redealt, seat)
    deck, new_deck = deck_of(state), deck_of(redealt)
    assert [card for card, who in zip(deck, knowledge.deck, strict=True) if seat in who] == [
        card for card, who in zip(new_deck, knowledge.deck, strict=True) if seat in who
    ]
    for other in range(params.players):
        secret, new_secret = secret_of(state, other), secret_of(redealt, other)
        mine = [card for card in secret if seat in knowledge.hands[other][card]]
        assert set(mine) <= set(new_secret)
        masks = [known_by(state, card, params) for card in secret]
        assert masks == [knowledge.hands[other][card] for card in secret]
        assert sorted(map(sorted, masks)) == sorted(
            sorted(known_by(redealt, card, params)) for card in new_secret
        )
        assert hand_of(redealt, other) == sorted(hand_of(redealt, other), key=NAMES.index)
        if other != seat and state.decision >= PHASE_3:
            assert covers_of(redealt, other) == []
            assert not any(redealt.owl_family[own] for own in (2 * other, 2 * other + 1))
    assert sorted(hidden_cards(params, state)) == sorted(hidden_cards(params, redealt))
    assert [known_by(state, card, params) for card in deck] == knowledge.deck
    assert [known_by(redealt, card, params) for card in new_deck] == knowledge.deck


def secret_of(state: Any, seat: int) -> list[str]:
    """A seat's bonus cards, held or laid in the Phase 3 that is going on (R-36)."""
    return hand_of(state, seat) + covers_of(state, seat)


def known_by(state: Any, card: str, params: AnimaliaParams) -> frozenset[int]:
    """The seats that the state says know a card of the deck."""
    mask = state.known[NAMES.index(card)]
    return frozenset(seat for seat in range(params.players) if mask >> seat & 1)


def hidden_cards(params: AnimaliaParams, state: Any) -> list[str]:
    """All cards that lie face down or are chosen in secret."""
    cards = deck_of(state)
    for seat in range(params.players):
        cards += secret_of(state, seat)
    return cards


def count_changes(
    knowledge: Knowledge,
    params: AnimaliaParams,
    state: Any,
    redealt: Any,
    seat: int,
    changed: dict[str, list[int]],
) -> None:
    """Of the places that `seat` knows nothing of, how many hold another card; only where many are hidden."""
    pairs = zip(deck_of(state), deck_of(redealt), knowledge.deck, strict=True)
    deck = [old != new for old, new, who in pairs if seat not in who]
    if len(deck) < 8:
        return
    changed["deck"][0] += sum(deck)
    changed["deck"][1] += len(deck)
    for other in range(params.players):
        if other != seat:
            unknown = [card for card in secret_of(state, other) if seat not in knowledge.hands[other][card]]
            changed["hands"][0] += len(set(unknown) - set(secret_of(redealt, other)))
            changed["hands"][1] += len(unknown)


@pytest.mark.parametrize("params", TABLES, ids=named)
def test_a_redealt_game_can_be_played_on(params: AnimaliaParams) -> None:
    """Every card is still there once at the end, whatever was redealt on the way."""
    game: Game = GAME
    watched, chance = Watched(game, game.policies), random.Random(9)
    apply_action = plain_kernel(game.apply_action)

    def watch(moment: Moment) -> None:
        if chance.random() > 0.03:
            return
        state, table, actions = copied(moment.state), redealing(moment.rng, chance), copied(moment.actions)
        determinize(state, moment.params, state.seat, redealing(moment.rng, chance))
        while not state.over:
            listed = watched.legal_actions(state, moment.params, actions)
            apply_action(state, moment.params, actions.code[chance.randrange(listed)], table)
        assert sorted(cards_at_the_end(params, state)) == [NAMES[card] for card in sorted_in_play(params)]
        played.append(state)

    played: list[Any] = []
    watched.watch = watch
    for number in range(3):
        watched.play(params, [game.policies[0]] * params.players, 6, number)
    assert len(played) > 3


def sorted_in_play(params: AnimaliaParams) -> list[int]:
    return sorted(params.cards_in_play(), key=lambda card: NAMES[card])


def cards_at_the_end(params: AnimaliaParams, state: Any) -> list[str]:
    cards = deck_of(state)
    for seat in range(params.players):
        cards += hand_of(state, seat)
        for collection in range(2 * seat, 2 * seat + params.collections_per_player):
            cards += [NAMES[state.cards[collection, i]] for i in range(params.collection_size)]
            cards += [NAMES[state.covering[collection, place]] for place in covered_places(state, collection)]
    return cards
