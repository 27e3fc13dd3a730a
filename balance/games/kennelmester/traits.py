"""1.1 Trait vectors, each a word of TRAIT_BITS bits for each trait; and what dogs have and pass on (1.5, 2.9)."""

from balance.engine import kernel
from balance.games.kennelmester.layout import MOST_DICE, N_TRAITS, TRAIT_BITS, TRAIT_MASK

ONES = sum(1 << (TRAIT_BITS * trait) for trait in range(N_TRAITS))
"""One die in every trait."""
EVERY_OTHER = sum(TRAIT_MASK << (TRAIT_BITS * trait) for trait in range(0, N_TRAITS, 2))
_PAIR = 2 * TRAIT_BITS
_SUM_MASK = (1 << _PAIR) - 1
MIN, MAX, SUM, OFF = range(4)
"""The settings of `trait_rule`."""


def packed(dice):
    """The word of five numbers of dice."""
    return sum(int(number) << (TRAIT_BITS * trait) for trait, number in enumerate(dice))


@kernel(inline=True)
def dice_of(word, trait):
    """The dice of one trait."""
    return word >> (TRAIT_BITS * trait) & TRAIT_MASK


@kernel(inline=True)
def all_dice(word):
    """The dice of all traits together."""
    pairs = (word & EVERY_OTHER) + (word >> TRAIT_BITS & EVERY_OTHER)
    return (pairs + (pairs >> _PAIR) + (pairs >> (2 * _PAIR))) & _SUM_MASK


@kernel
def limited(word, most):
    """Each trait limited to `most` dice (K-83)."""
    found = word & 0
    for trait in range(N_TRAITS):
        found |= min(dice_of(word, trait), most) << (TRAIT_BITS * trait)
    return found


@kernel(inline=True)
def total(state, params, dog):
    """1.5: the dice of a dog, printed and inherited."""
    word = params.dog_dice[dog] + state.inherited[dog]
    return limited(word, params.trait_cap) if params.trait_cap > 0 else word


@kernel(inline=True)
def basis(state, params, dog):
    """1.5: what a dog passes on (K-82)."""
    if params.inherit_accumulates:
        return total(state, params, dog)
    return params.printed_basis[dog]


@kernel(inline=True)
def smaller(mother, father):
    """For each trait the smaller number of dice."""
    found = mother & 0
    for trait in range(N_TRAITS):
        lane = TRAIT_MASK << (TRAIT_BITS * trait)
        found |= min(mother & lane, father & lane)
    return found


@kernel
def inherited_from(params, mother, father):
    """K-80, K-81: what pups inherit from two parents, given by what these pass on."""
    found, rule = mother & 0, params.trait_rule
    if rule == MIN:
        return smaller(mother, father)
    for trait in range(N_TRAITS):
        hers, his = dice_of(mother, trait), dice_of(father, trait)
        if hers > 0 and his > 0 and rule != OFF:
            dice = max(hers, his) if rule == MAX else hers + his
            found |= min(dice, MOST_DICE) << (TRAIT_BITS * trait)
    return found


@kernel(inline=True)
def inheritance(state, params, mother, father):
    """K-80 to K-82: what the pups of this pair inherit."""
    return inherited_from(params, basis(state, params, mother), basis(state, params, father))
