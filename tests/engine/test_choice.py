"""Noise makes a softmax of values, and equal options are chosen equally often."""

from __future__ import annotations

import math

import numpy as np
import pytest

from balance.engine import OPTIONS_PER_DRAW, code_of, noisy, prefers, ranked
from balance.engine.choice import GUMBEL, LOGISTIC, NOISE_SCALE
from balance.engine.kernels import interpreted
from balance.engine.records import new_record
from balance.engine.rng import aim, draw_at, rng_dtype, seed_table

DRAWS = 1_000_000


def words(count: int, first: int = 0) -> np.ndarray:
    """Many independent draws."""
    return draw_at(np.uint64(17), np.uint64(4), np.arange(first, first + count, dtype=np.uint64))


def shares(values: list[int], temperature: int) -> np.ndarray:
    """How often each option is chosen as policies choose: the first of the largest noisy values."""
    options = [
        noisy(value, temperature, words(DRAWS, DRAWS * (i // OPTIONS_PER_DRAW)), i)
        for i, value in enumerate(values)
    ]
    return np.bincount(np.argmax(options, axis=0), minlength=len(values)) / DRAWS


def softmax(values: list[int], temperature: int) -> np.ndarray:
    parts = np.exp((np.array(values) - max(values)) / temperature)
    return parts / parts.sum()


# ---------------------------------------------------------------- many options


@pytest.mark.parametrize(
    ("values", "temperature"),
    [
        ([0, 1], 1),
        ([5, 0, 3], 2),
        ([10, 20, 30, 40], 10),
        ([-7, -7, 0, 4, 2, 1, -20, 3], 5),
        ([0, 200, 100, 50, 150, 175, 180, 190, 195, 199], 60),
        ([300, -300, 0], 1000),
    ],
)
def test_frequencies_follow_the_softmax(values: list[int], temperature: int) -> None:
    np.testing.assert_allclose(shares(values, temperature), softmax(values, temperature), atol=0.006)


@pytest.mark.parametrize("temperature", [0, 1, 10, 1000])
@pytest.mark.parametrize("options", [2, 3, 5, 8, 11])
def test_equal_options_are_chosen_equally_often(options: int, temperature: int) -> None:
    """Within five standard errors of a million choices: no seat or card may profit from its number."""
    found = shares([3] * options, temperature)
    spread = math.sqrt((1 / options) * (1 - 1 / options) / DRAWS)
    assert np.abs(found - 1 / options).max() < 5 * spread


@pytest.mark.parametrize("options", [2, 5, 8])
def test_at_temperature_0_the_best_wins_and_equals_share(options: int) -> None:
    best = [0, options - 1]
    found = shares([4 if option in best else 3 for option in range(options)], 0)
    assert found[1:-1].sum() == 0
    assert found[0] == pytest.approx(0.5, abs=0.003)


def test_values_of_any_size_keep_their_order_at_temperature_0() -> None:
    bits = words(1000)
    for value in (-(2**40), -1, 0, 1, 2**40):
        assert (noisy(value + 1, 0, bits, 0) > noisy(value, 0, bits, 1)).all()


@pytest.mark.parametrize("temperature", [0, 1, 1000])
def test_the_largest_rank_carries_the_code_of_the_best_option(temperature: int) -> None:
    """As the noisy values alone decide, whatever the codes: 255 below 0, negative values, equal ones."""
    values, codes = [3, -40, 3, -(2**30), 2], [255, 0, 7, 128, 1]
    bits = [words(DRAWS, DRAWS * (i // OPTIONS_PER_DRAW)) for i in range(5)]
    plain = np.array([noisy(value, temperature, bits[i], i) for i, value in enumerate(values)])
    best = np.array([ranked(value, temperature, bits[i], i, codes[i]) for i, value in enumerate(values)])
    settled = np.sort(plain, axis=0)[-1] > np.sort(plain, axis=0)[-2]
    chosen, expected = code_of(best.max(axis=0)), np.array(codes)[plain.argmax(axis=0)]
    assert (chosen == expected)[settled].all()
    assert settled.mean() > 0.99


# ---------------------------------------------------------------- one option or nothing


def preferred(value: int, temperature: int) -> float:
    """How often an option of this value is preferred to nothing."""
    rng, count = new_record(rng_dtype), 20_000
    chooses, moves, seeds = interpreted(prefers), interpreted(aim), interpreted(seed_table)
    seeds(rng, np.uint64(9), 0)
    chosen = 0
    for turn in range(count):
        moves(rng, 1, 0, turn, 0)
        chosen += bool(chooses(value, temperature, rng))
    return chosen / count


@pytest.mark.parametrize(("value", "temperature"), [(0, 1), (0, 50), (3, 2), (-3, 2), (40, 20), (-100, 1000)])
def test_a_preference_follows_the_logistic_curve(value: int, temperature: int) -> None:
    expected = 1 / (1 + math.exp(-value / temperature))
    assert preferred(value, temperature) == pytest.approx(expected, abs=5 * 0.5 / math.sqrt(20_000))


def test_a_preference_at_temperature_0_is_certain() -> None:
    assert [preferred(value, 0) for value in (-5, 0, 1)] == [0, 0, 1]


def test_a_preference_is_exact_over_all_bytes() -> None:
    """Each of the 256 noises is equally likely, so the share is known to the last of them."""
    for value, temperature in ((0, 1), (1, 1), (-1, 1), (7, 5), (-30, 12)):
        chosen = int((value * NOISE_SCALE + temperature * LOGISTIC > 0).sum())
        assert chosen / 256 == pytest.approx(1 / (1 + math.exp(-value / temperature)), abs=1 / 128)


# ---------------------------------------------------------------- the tables


def test_the_noise_is_what_its_names_say() -> None:
    middles = (np.arange(256) + 0.5) / 256
    np.testing.assert_allclose(GUMBEL / NOISE_SCALE, -np.log(-np.log(middles)), atol=0.5 / NOISE_SCALE)
    np.testing.assert_allclose(
        LOGISTIC / NOISE_SCALE, np.log(middles / (1 - middles)), atol=0.5 / NOISE_SCALE
    )
    assert (np.diff(GUMBEL) >= 0).all()
    assert (LOGISTIC == -LOGISTIC[::-1]).all()
