"""Random numbers by address: the published vectors, no bias, and no number shared by independent things."""

from __future__ import annotations

from collections import Counter
from itertools import product
from typing import Any

import numpy as np
import pytest
from scipy.stats import chi2

from balance.engine import rng
from balance.engine.kernels import interpreted
from balance.engine.records import new_record
from balance.game import MAX_SEATS

seed_table, seed_policies = interpreted(rng.seed_table), interpreted(rng.seed_policies)
aim, draw, draw_at, below = (interpreted(fn) for fn in (rng.aim, rng.draw, rng.draw_at, rng.below))

VECTORS = {
    (1, 0): (
        (0xDCE423FC82C0D5B8, 0xA2C0726B2DA9A945),
        (0xA8513AFE4FC256E8, 0x5CC12A98BD491EA2, 0xE37FDBADBBB2ACA2),
    ),
    (1, 1): (
        (0x5E41AB087439611E, 0x3484CDE1169E9223),
        (0x422A665E502B14D9, 0x16832D195265BD0C, 0x16F5C7E866FC1075),
    ),
}
"""For seed and block: the two keys, and the draws at addresses 0, 1 and 2**20."""
WIDTHS = {
    "stream": rng.STREAM_BITS,
    "round": rng.ROUND_BITS,
    "turn": rng.TURN_BITS,
    "step": rng.STEP_BITS,
    "word": rng.WORD_BITS,
}


def generator(seed: int, block: int) -> Any:
    """The table's numbers of one block."""
    record = new_record(rng.rng_dtype)
    seed_table(record, np.uint64(seed), block)
    return record


def policies_of(table: Any) -> Any:
    record = new_record(rng.rng_dtype)
    seed_policies(record, table)
    return record


# ---------------------------------------------------------------- known answers


@pytest.mark.parametrize(("seed", "block"), VECTORS)
def test_published_vectors(seed: int, block: int) -> None:
    keys, draws = VECTORS[seed, block]
    table = generator(seed, block)
    assert (table.key_1, table.key_2, table.moment) == (*keys, 0)
    for address, expected in zip((0, 1, 2**20), draws, strict=True):
        assert draw_at(table.key_1, table.key_2, np.uint64(address)) == expected


def test_the_same_by_a_second_reading() -> None:
    """Against the formulas in plain Python integers, at extreme seeds, blocks and addresses."""
    everything = 2**64 - 1
    golden, first, second = 0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB

    def mix(z: int) -> int:
        z = ((z ^ z >> 30) * first) & everything
        z = ((z ^ z >> 27) * second) & everything
        return z ^ z >> 31

    for seed, block, address in product((0, 1, everything), (0, 7, 2**40), (0, 2**63, everything)):
        a = mix((seed + golden) & everything)
        key_1 = mix((a + block * golden) & everything)
        key_2 = mix(key_1 ^ a ^ 0xD1342543DE82EF95)
        z = (key_1 + address * golden) & everything
        z = ((z ^ z >> 30) * first) & everything ^ key_2
        z = ((z ^ z >> 27) * second) & everything
        table = generator(seed, block)
        assert draw_at(table.key_1, table.key_2, np.uint64(address)) == z ^ z >> 31


# ---------------------------------------------------------------- addresses


def test_the_widths_fill_64_bits_and_hold_every_seat() -> None:
    assert sum(WIDTHS.values()) == 64
    assert MAX_SEATS < 2**rng.STREAM_BITS


def test_fields_of_an_address_do_not_overlap_at_their_extremes() -> None:
    """Every combination of lowest and highest values has an address of its own, and the fields take turns."""
    corners = list(product(*((0, 1, 2**bits - 1) for bits in WIDTHS.values())))
    record = new_record(rng.rng_dtype)
    addresses = []
    for stream, round_number, turn, step, word in corners:
        aim(record, stream, round_number, turn, step)
        address = stream
        for value, bits in zip((round_number, turn, step, word), list(WIDTHS.values())[1:], strict=True):
            address = address << bits | value
        assert int(record.moment) + word == address
        addresses.append(address)
    assert len(set(addresses)) == len(corners)
    assert max(addresses) == 2**64 - 1


def test_units_lead_to_the_next_stream_and_step() -> None:
    first, next_stream, next_step = (new_record(rng.rng_dtype) for _ in range(3))
    aim(first, 3, 5, 7, 11)
    aim(next_stream, 4, 5, 7, 11)
    aim(next_step, 3, 5, 7, 12)
    assert first.moment + rng.STREAM_UNIT == next_stream.moment
    assert first.moment + rng.STEP_UNIT == next_step.moment


def test_draw_adds_the_word_to_the_moment() -> None:
    table = generator(3, 4)
    aim(table, 1, 2, 3, 4)
    assert draw(table, 9) == draw_at(table.key_1, table.key_2, table.moment + np.uint64(9))


# ---------------------------------------------------------------- independence


def test_table_and_policies_have_different_keys() -> None:
    for seed, block in product((0, 1, 2**64 - 1), range(20)):
        table = generator(seed, block)
        noise = policies_of(table)
        keys = {int(key) for key in (table.key_1, table.key_2, noise.key_1, noise.key_2)}
        assert len(keys) == 4


def drawn(records: list[Any], addresses: int) -> np.ndarray:
    """All numbers of all these generators at the first addresses."""
    at = np.arange(addresses, dtype=np.uint64)
    return np.concatenate([draw_at(record.key_1, record.key_2, at) for record in records])


def test_no_number_is_shared_between_games_streams_and_seeds() -> None:
    tables = [generator(seed, block) for seed in (0, 1, 2) for block in range(100)]
    noises = [policies_of(table) for table in tables]
    numbers = drawn(tables + noises, 500)
    assert np.unique(numbers).size == numbers.size


def test_neighbouring_games_and_addresses_are_not_correlated() -> None:
    """Bit by bit: equal in half of all cases, within five standard errors."""
    n = 20_000
    by_block = drawn([generator(1, block) for block in range(n)], 1)
    for numbers, lag in product((by_block, drawn([generator(1, 0)], n)), (1, 2, 64)):
        differing = numbers[lag:] ^ numbers[:-lag]
        ones = np.unpackbits(differing.view(np.uint8)).reshape(-1, 64).mean(axis=0)
        assert np.abs(ones - 0.5).max() < 5 * 0.5 / n**0.5


# ---------------------------------------------------------------- whole numbers in a range


@pytest.mark.parametrize("n", [2, 3, 6, 7, 52, 106, 1000])
def test_bounded_numbers_are_uniform(n: int) -> None:
    count = 400_000
    numbers = rng.bounded(drawn([generator(11, 5)], count), n)
    assert numbers.min() == 0
    assert numbers.max() == n - 1
    statistic = ((np.bincount(numbers, minlength=n) - count / n) ** 2).sum() / (count / n)
    assert chi2.sf(statistic, n - 1) > 1e-4


def test_bounded_at_its_extremes() -> None:
    most = np.uint64(2**64 - 1)
    for n in (1, 2, 2**31 - 1):
        assert rng.bounded(np.uint64(0), n) == 0
        assert interpreted(rng.bounded)(most, n) == n - 1


def test_below_draws_at_its_word() -> None:
    table = generator(1, 0)
    assert below(table, 1, 100) == rng.bounded(np.uint64(VECTORS[1, 0][1][1]), 100)


def test_shuffles_are_uniform() -> None:
    """All orders of four cards, dealt as the games deal them, are equally likely."""
    count, orders = 12_000, Counter[tuple[int, ...]]()
    for block in range(count):
        table, deck = generator(2, block), [0, 1, 2, 3]
        for i in range(1, 4):
            place = int(below(table, i, i + 1))
            deck[i], deck[place] = deck[place], deck[i]
        orders[tuple(deck)] += 1
    assert len(orders) == 24
    statistic = sum((found - count / 24) ** 2 for found in orders.values()) / (count / 24)
    assert chi2.sf(statistic, 23) > 1e-4
