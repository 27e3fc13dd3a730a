"""What simulated players reckon with, as tables: chances to qualify for events, litters, and the dice of a breed."""

from math import comb

import numpy as np

from balance.games.kennelmester.deck import MOST_BREEDS, MOST_EVENTS
from balance.games.kennelmester.params import MOST_PUPS
from balance.games.kennelmester.traits import packed

CHANCE_UNIT, MOST_ROLLED = 1024, 31
"""Chances and means are parts of CHANCE_UNIT; more dice than MOST_ROLLED are taken for so many."""
CARD_UNIT = 16
"""Mean dice of a breed are counted in sixteenths."""


def expectations(params):
    """`qualify[event, dice]`, `any_pup` (the chance of one at least), `mean_litter`, and `breed_dice[breed]`."""
    deck, rolled = params.deck, range(MOST_ROLLED + 1)
    qualify = np.zeros((MOST_EVENTS, MOST_ROLLED + 1), np.int64)
    for at, event in enumerate(deck.events):
        qualify[at] = [parts(qualifying(dice, event.required, event.target)) for dice in rolled]
    odds = [*params.litter_probs] or [params.litter_table.count(pups) / 6 for pups in range(MOST_PUPS + 1)]
    breed_dice = np.zeros(MOST_BREEDS, np.int64)
    for at, breed in enumerate(deck.breeds):
        breed_dice[at] = packed(mean_dice([dog.traits for dog in deck.dogs if dog.breed == breed.id]))
    return {
        "qualify": qualify,
        "any_pup": np.int64(parts(1 - odds[0])),
        "mean_litter": np.int64(parts(sum(pups * chance for pups, chance in enumerate(odds)))),
        "breed_dice": breed_dice,
    }


def parts(chance):
    """A chance, or a mean, in whole parts of CHANCE_UNIT."""
    return round(CHANCE_UNIT * chance)


def qualifying(dice, required, target):
    """K-72: the chance that at least `required` of so many dice show `target` or more."""
    hit = (7 - target) / 6
    hits = range(required, dice + 1)
    return sum(comb(dice, n) * hit**n * (1 - hit) ** (dice - n) for n in hits)


def mean_dice(cards):
    """The mean dice of each trait over some cards, in parts of CARD_UNIT."""
    return [round(CARD_UNIT * sum(dice) / len(cards)) for dice in zip(*cards, strict=True)]
