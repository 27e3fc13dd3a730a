"""What kernels look up: the cards of the deck as arrays of fixed shape, and what follows from the parameters."""

from fractions import Fraction

import numpy as np

from balance.games.kennelmester.deck import (
    EVENT_TYPES,
    MOST_CHARACTERS,
    MOST_CUSTOMERS,
    MOST_DOGS,
    MOST_EVENTS,
    SEXES,
)
from balance.games.kennelmester.expectations import expectations
from balance.games.kennelmester.layout import (
    A_DRAW_DOG,
    A_TRADE,
    CUSTOMERS,
    FIRST_CUSTOMER,
    FIRST_DECK,
    N_CARDS,
    N_ITEMS,
    N_KINDS,
    N_PILES,
    TRAIT_BITS,
    TRAIT_MASK,
)
from balance.games.kennelmester.params import MOST_PUPS, SEATS
from balance.games.kennelmester.traits import packed

CHANCE_BITS = 62
"""Chances of litters are whole numbers of 2 ** -62."""
NEVER = 1 << 30
"""More than anybody has: the price of a customer, and the dice for a reward that there is not."""


def tables(params):
    """All lookup tables of these rules."""
    deck = params.deck
    return {
        **_piles(deck),
        **_dogs(params),
        **_customers(deck),
        **_events(deck),
        **_characters(params),
        **_seats(params),
        **_breeding(params),
        **_money(params),
        **_end(params),
        **expectations(params),
    }


def filled(values, size, rest=0):
    """An array of fixed size that begins with these values."""
    return np.array([*values, *[rest] * (size - len(values))], np.int64)


def _piles(deck):
    """Which items belong to which pile, and where its deck begins."""
    breeds = [deck.breed_index[dog.breed] for dog in deck.dogs]
    cards = [[dog for dog, own in enumerate(breeds) if own == breed] for breed in range(CUSTOMERS)]
    cards.append([FIRST_CUSTOMER + customer for customer in range(len(deck.customers))])
    starts = np.cumsum([0, *map(len, cards)])
    of_item = np.full(N_ITEMS, CUSTOMERS, np.int64)
    of_item[: len(breeds)] = breeds
    of_item[FIRST_DECK:] = range(N_PILES)
    return {
        "n_breeds": np.int64(len(deck.breeds)),
        "pile_of": of_item,
        "pile_start": starts.astype(np.int64),
        "pile_cards": filled([card for pile in cards for card in pile], N_CARDS),
    }


def _dogs(params):
    dogs, cap = params.deck.dogs, params.trait_cap
    printed = [dog.traits for dog in dogs]
    basis = [[min(dice, cap) if cap else dice for dice in traits] for traits in printed]
    breeds = range(N_PILES)
    index = params.deck.breed_index
    males = [
        [at for at, dog in enumerate(dogs) if dog.sex == SEXES[0] and index[dog.breed] == breed]
        for breed in breeds
    ]
    return {
        "n_dogs": np.int64(len(dogs)),
        "dog_female": filled([SEXES.index(dog.sex) for dog in dogs], MOST_DOGS),
        "card_price": filled([dog.price for dog in dogs], N_CARDS, NEVER),
        "cheapest": np.int64(min(dog.price for dog in dogs)),
        "dog_dice": filled([packed(traits) for traits in printed], MOST_DOGS),
        "printed_basis": filled([packed(traits) for traits in basis], MOST_DOGS),
        "male_start": np.cumsum([0, *map(len, males)]).astype(np.int64),
        "male_dogs": filled([dog for breed in males for dog in breed], MOST_DOGS),
    }


def _customers(deck):
    """By sex and card the breeds that a customer accepts, as a bit mask (none for dogs); then his rewards."""
    accepted = np.zeros((len(SEXES), N_CARDS), np.uint64)
    rewards = np.zeros((MOST_CUSTOMERS, 2, 4), np.int64)
    rewards[:, :, 1] = NEVER
    for at, customer in enumerate(deck.customers):
        breeds = ~0 if customer.breed is None else 1 << deck.breed_index[customer.breed]
        for sex, name in enumerate(SEXES):
            if customer.sex in (None, name):
                accepted[sex, FIRST_CUSTOMER + at] = np.uint64(breeds & (1 << 64) - 1)
        for which, reward in enumerate(customer.rewards):
            rewards[at, which] = reward.trait, reward.min, reward.coins, reward.reputation
    return {
        "n_customers": np.int64(len(deck.customers)),
        "accepted": accepted.view(np.int64),
        "reward_trait": rewards[:, :, 0].copy(),
        "reward_min": rewards[:, :, 1].copy(),
        "reward_coins": rewards[:, :, 2].copy(),
        "reward_reputation": rewards[:, :, 3].copy(),
    }


def _events(deck):
    traits = [sum(TRAIT_MASK << (TRAIT_BITS * trait) for trait in event.traits) for event in deck.events]
    columns = {
        "event_type": [event.type for event in deck.events],
        "event_cost": [event.cost for event in deck.events],
        "event_traits": traits,
        "event_required": [event.required for event in deck.events],
        "event_target": [event.target for event in deck.events],
        "event_reputation": [event.reputation for event in deck.events],
    }
    found = {name: filled(values, MOST_EVENTS) for name, values in columns.items()}
    return {"n_events": np.int64(len(deck.events)), **found}


def _characters(params):
    """A-43: for which types of events each profession prepares dogs, as a bit mask."""
    everything = (1 << len(EVENT_TYPES)) - 1
    covers = [sum(1 << kind for kind in character.prep) for character in params.deck.characters]
    if params.profession_match == "any":
        covers = [everything] * len(covers)
    return {"n_characters": np.int64(len(covers)), "covers": filled(covers, MOST_CHARACTERS)}


def _seats(params):
    """1.6: the side of each seat, and the others of its side as a bit mask; whether dogs can be sold to players."""
    sides = params.sides()
    partners = [
        sum(1 << other for other, side in enumerate(sides) if side == own and other != seat)
        for seat, own in enumerate(sides)
    ]
    has_buyers = params.sale_deal != "off" and params.players > 1
    return {
        "side": filled(sides, SEATS),
        "partners": filled(partners, SEATS),
        "n_sides": np.int64(len(set(sides))),
        "has_buyers": np.int64(has_buyers),
        "sells_by_list": np.int64(has_buyers and params.sale_price_rule == "list" and not any(partners)),
    }


def _breeding(params):
    """K-36: how the size of a litter follows from 62 random bits: one pup for each limit that they reach."""
    total, so_far, limits = sum(map(Fraction, params.litter_probs)), Fraction(0), []
    for chance in params.litter_probs[:-1]:
        so_far += Fraction(chance) / total
        limits.append(int(so_far * (1 << CHANCE_BITS)))
    return {
        "rolls_die": np.int64(not params.litter_probs),
        "litter_limits": filled(limits, MOST_PUPS, 1 << CHANCE_BITS),
    }


def _money(params):
    """K-60: what is due for each number of dogs; K-17: for which kinds of actions the breed matters; K-15."""
    divisor, ties = params.upkeep_divisor, np.zeros(N_KINDS, np.int64)
    due = [params.upkeep_fee * (dogs // divisor) if divisor else 0 for dogs in range(MOST_DOGS + 2)]
    ties[A_TRADE], ties[A_DRAW_DOG] = params.bonus_trade_same_breed, params.bonus_draw_same_breed
    return {
        "due": np.array(due, np.int64),
        "ties": ties,
        "most_bonus": np.int64(0 if params.bonus_mode == "off" else params.bonus_actions),
    }


def _end(params):
    """2.10 to 2.12: what ends a game."""
    alone = params.mode == "solo"
    targets = {
        "solo": params.solo_target,
        "competitive": params.reputation_target,
        "team": params.team_target,
    }
    removes = params.unwon_event == "remove" or (params.unwon_event == "auto" and alone)
    return {
        "target": np.int64(targets[params.mode]),
        "ends_at_once": np.int64(params.end_check == "immediate" and not alone),
        "removes_unwon": np.int64(removes),
    }
