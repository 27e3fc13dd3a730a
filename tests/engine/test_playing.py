"""The loop: rows, ranks and sums against games played by hand, compiled and interpreted, in any chunks."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import product
from types import SimpleNamespace
from typing import Any

import numba
import numpy as np
import pytest

from balance.engine import VOID_OVER, kernel, playout
from balance.engine.kernels import compiled, interpreted
from balance.engine.playing import Buffers, Loop, Table, columns, sums_layout
from balance.engine.playout import TERMINATED, TRUNCATED
from balance.engine.records import row_dtype
from balance.game import MAX_SEATS, SHARE_UNIT, Game, GameParams, Policy
from balance.games.animalia import GAME as ANIMALIA
from engine import toy
from engine.by_hand import Played

RULES: list[dict[str, Any]] = [
    {},
    {"rounds": 1, "points_per_card": 3},
    {"rounds": 4, "second_look": False, "deck_size": 24},
    {"neighbours": "keep_their_card"},
]
CAREFUL, ANY = toy.GAME.policy("careful"), toy.GAME.policy("any")


class Player:
    """Plays games of one loop, compiled or interpreted, in one set of buffers."""

    def __init__(self, game: Game, *, compiled: bool = True) -> None:
        self.game, self.buffers = game, Buffers(game)
        self.loop = Loop(game, game.policies, game.Params.resolve(game.players[0]))
        if compiled:
            self.loop.compile()
        else:
            self.loop.interpret()

    def play(
        self,
        params: GameParams,
        slots: Sequence[Policy],
        rotations: int,
        first: int,
        count: int,
        seed: int = 1,
    ) -> tuple[np.ndarray, np.ndarray]:
        """The rows [column, game] and the sums."""
        sums = self.loop.new_sums()
        table = Table(self.game, params, tuple(slots), rotations)
        return self.loop.play(table, seed, first, count, self.buffers, sums), sums


@pytest.fixture(scope="module")
def fast() -> Player:
    return Player(toy.GAME)


@pytest.fixture(scope="module")
def slow() -> Player:
    return Player(toy.GAME, compiled=False)


def mixed(players: int) -> list[Policy]:
    return [(CAREFUL, ANY)[slot % 2] for slot in range(players)]


# ---------------------------------------------------------------- compiled and interpreted


@pytest.mark.parametrize(("players", "rules"), list(product(range(2, 7), RULES)))
def test_compiled_and_interpreted_games_are_equal(
    fast: Player, slow: Player, players: int, rules: dict[str, Any]
) -> None:
    params, slots = toy.ToyParams.resolve(players, rules), mixed(players)
    rows, sums = fast.play(params, slots, players, 7 * players, 20 * players)
    same_rows, same_sums = slow.play(params, slots, players, 7 * players, 20 * players)
    assert rows.tolist() == same_rows.tolist()
    assert sums.tolist() == same_sums.tolist()


@pytest.fixture(scope="module")
def animalia() -> list[Player]:
    return [Player(ANIMALIA), Player(ANIMALIA, compiled=False)]


@pytest.mark.compiler
@pytest.mark.parametrize(
    ("players", "rules"),
    [
        (2, {}),
        (3, {"seasons": 4, "copies_thief": 3}),
        (4, {"power_activations": "once_per_card", "collection_size": 4}),
        (5, {"copies_spy": 3, "elegance_unit": "player_best", "tiebreak": "none"}),
        (6, {"collections_per_player": 2, "collection_size": 3, "copies_trickster": 3}),
    ],
)
def test_so_are_whole_games_of_animalia(animalia: list[Player], players: int, rules: dict[str, Any]) -> None:
    params = ANIMALIA.Params.resolve(players, rules)
    slots = [ANIMALIA.policies[slot % 2] for slot in range(players)]
    (rows, sums), (same_rows, same_sums) = (
        player.play(params, slots, players, 0, 2 * players) for player in animalia
    )
    assert rows.tolist() == same_rows.tolist()
    assert sums.tolist() == same_sums.tolist()


# ---------------------------------------------------------------- against games played by hand


@pytest.mark.parametrize("players", range(2, 7))
def test_rows_are_those_of_games_played_by_hand(fast: Player, players: int) -> None:
    params, slots = toy.ToyParams.resolve(players), mixed(players)
    for rotations in (1, players):
        first, count = 12 * rotations, 8 * rotations
        rows, _ = fast.play(params, slots, rotations, first, count, seed=2**64 - 3)
        for at in range(count):
            game = Played(toy.GAME, params, slots, rotations, 2**64 - 3, first + at)
            assert dict(zip(columns(toy.GAME, players), rows[:, at].tolist(), strict=True)) == game.row


@pytest.mark.parametrize("players", [2, 3, 6])
def test_sums_are_those_of_blocks_played_by_hand(fast: Player, players: int) -> None:
    """Each block's curves and counters are added up first; then totals, squares, and products."""
    params, slots, blocks = toy.ToyParams.resolve(players), mixed(players), 10
    _, sums = fast.play(params, slots, players, 0, blocks * players)
    expected = np.zeros_like(sums)
    for block in range(blocks):
        games = [
            Played(toy.GAME, params, slots, players, 1, block * players + rotation).sums()
            for rotation in range(players)
        ]
        values = np.zeros(sums.shape[1], np.int64)
        for name, (start, shape) in sums_layout(toy.GAME).items():
            of_block = sum(game[name] for game in games)
            assert of_block.shape == shape
            values[start : start + of_block.size] = of_block.ravel()
        expected[0] += values
        expected[1] += values**2
        expected[2, 1:] += values[1:] * values[:-1]
    assert sums.tolist() == expected.tolist()
    assert (sums[0] != 0).sum() > 10


def test_the_layout_covers_every_curve_and_counter_once() -> None:
    for game in (toy.GAME, ANIMALIA):
        layout = sums_layout(game)
        ids = [measure.id for measure in game.measures if measure.kind in ("curve", "counter")]
        assert sorted(layout) == sorted(ids)
        taken = [at for start, shape in layout.values() for at in range(start, start + int(np.prod(shape)))]
        assert sorted(taken) == list(range(Buffers(game).block_words.size))


def test_columns_are_unique_and_in_the_order_of_a_row() -> None:
    names = columns(toy.GAME, 2)
    assert names == [
        *("ended", "turns", "rounds", "plies"),
        *("score_0", "score_1", "rank_0", "rank_1", "win_share_0", "win_share_1"),
        *("changes", "calm", "best_card_0", "best_card_1"),
    ]
    assert list(row_dtype(toy.GAME).names or ()) == ["changes", "calm", "best_card", "standing", "moves"]


# ---------------------------------------------------------------- chunks, rotations, repetition


@pytest.mark.parametrize("players", [2, 5])
def test_chunks_make_no_difference(fast: Player, players: int) -> None:
    params, slots, count = toy.ToyParams.resolve(players), mixed(players), 60 * players
    rows, sums = fast.play(params, slots, players, 0, count)
    for sizes in ([1] * 60, [59, 1], [7, 20, 33]):
        first, parts, total = 0, [], fast.loop.new_sums()
        for blocks in sizes:
            part, part_sums = fast.play(params, slots, players, first, blocks * players)
            parts.append(part)
            total += part_sums
            first += blocks * players
        assert np.concatenate(parts, axis=1).tolist() == rows.tolist()
        assert total.tolist() == sums.tolist()


def test_the_same_seed_gives_the_same_games_and_another_gives_others(fast: Player) -> None:
    params, slots = toy.ToyParams.resolve(4), mixed(4)
    first = fast.play(params, slots, 4, 0, 200, seed=5)[0].tolist()
    assert fast.play(params, slots, 4, 0, 200, seed=5)[0].tolist() == first
    assert Player(toy.GAME).play(params, slots, 4, 0, 200, seed=5)[0].tolist() == first
    assert fast.play(params, slots, 4, 0, 200, seed=6)[0].tolist() != first


def test_games_of_other_rules_in_between_leave_nothing_behind(fast: Player) -> None:
    few, many = toy.ToyParams.resolve(2), toy.ToyParams.resolve(6)
    before = fast.play(few, mixed(2), 2, 0, 100)
    fast.play(many, mixed(6), 6, 0, 600)
    after = fast.play(few, mixed(2), 2, 0, 100)
    assert [part.tolist() for part in before] == [part.tolist() for part in after]


def test_a_block_keeps_its_deal_and_names_do_not_matter(fast: Player) -> None:
    """The first game of a block is the one that is played without rotations."""
    params = toy.ToyParams.resolve(3)
    twin = replace(ANY, id="twin")
    rows, _ = fast.play(params, [ANY] * 3, 3, 0, 30)
    same, _ = fast.play(params, [ANY, twin, ANY], 3, 0, 30)
    assert rows.tolist() == same.tolist()
    alone, _ = fast.play(params, [ANY] * 3, 1, 0, 10)
    assert rows[:, ::3].tolist() == alone.tolist()


def test_weights_and_temperature_are_those_of_the_slot(fast: Player) -> None:
    """A policy of the same kernel with other numbers needs no new binary and plays otherwise."""
    params, names = toy.ToyParams.resolve(2), columns(toy.GAME, 2)
    bold = replace(CAREFUL, weights={"courage": 100, "card": 0}, temperature=0)
    shy = replace(CAREFUL, weights={"courage": 0, "card": 100}, temperature=0)
    rows, _ = fast.play(params, [bold, shy], 1, 0, 50)
    by_hand = [Played(toy.GAME, params, [bold, shy], 1, 1, number).row for number in range(50)]
    assert [dict(zip(names, row, strict=True)) for row in rows.T.tolist()] == by_hand
    swapped, _ = fast.play(params, [shy, bold], 1, 0, 50)
    assert rows.tolist() != swapped.tolist()


# ---------------------------------------------------------------- games that do not end


@pytest.fixture(scope="module")
def stopped() -> Player:
    """The toy, stopped after five plies."""
    return Player(replace(toy.GAME, id="stopped_toy", bounds=replace(toy.GAME.bounds, plies=5)))


def test_a_game_that_reaches_the_ply_limit_is_truncated(stopped: Player) -> None:
    params, slots = toy.ToyParams.resolve(2), mixed(2)
    names = columns(toy.GAME, 2)
    rows, _ = stopped.play(params, slots, 2, 0, 100)
    for at in range(100):
        expected = Played(toy.GAME, params, slots, 2, 1, at, most=5).row
        assert dict(zip(names, rows[:, at].tolist(), strict=True)) == expected
    assert set(rows[names.index("ended")].tolist()) == {TRUNCATED}
    assert set(rows[names.index("plies")].tolist()) == {5}


def test_a_game_that_ends_with_the_last_ply_is_not(stopped: Player, fast: Player) -> None:
    params, names = toy.ToyParams.resolve(2, {"rounds": 1}), columns(toy.GAME, 2)
    rows, _ = stopped.play(params, [ANY] * 2, 1, 0, 300)
    assert set(rows[names.index("ended")].tolist()) == {TERMINATED}
    assert rows.tolist() == fast.play(params, [ANY] * 2, 1, 0, 300)[0].tolist()


# ---------------------------------------------------------------- ranks and shares


@pytest.mark.parametrize("players", range(1, 7))
def test_ranks_and_shares_by_brute_force(players: int) -> None:
    """Every table of few different scores and tie-breaks: ties share a rank, winners share 60 sixtieths."""
    chance = np.random.default_rng(players)
    scores: dict[str, list[int]] = {}
    bind = [
        (playout.score, lambda _state, _params, seat: scores["score"][seat]),
        (playout.tiebreak, lambda _state, _params, seat: scores["tiebreak"][seat]),
    ]
    rank_seats = interpreted(playout.rank_seats, bind, free=True)
    ranking = np.zeros((4, MAX_SEATS), np.int64)
    for _ in range(300):
        scores = {name: chance.integers(-2, 2, players).tolist() for name in ("score", "tiebreak")}
        rank_seats(SimpleNamespace(over=1), toy_of(players), ranking)
        order = sorted(zip(scores["score"], scores["tiebreak"], strict=True), reverse=True)
        mine = list(zip(scores["score"], scores["tiebreak"], strict=True))
        assert ranking[0, :players].tolist() == scores["score"]
        assert ranking[1, :players].tolist() == [order.index(own) + 1 for own in mine]
        winners = mine.count(order[0])
        assert ranking[2, :players].tolist() == [
            SHARE_UNIT // winners if own == order[0] else 0 for own in mine
        ]
        assert ranking[2, :players].sum() == SHARE_UNIT
        rank_seats(SimpleNamespace(over=VOID_OVER), toy_of(players), ranking)
        assert not ranking[:3].any()


class toy_of:  # noqa: N801
    """Rules that know only the number of players."""

    def __init__(self, players: int) -> None:
        self.players = players


# ---------------------------------------------------------------- memory


@pytest.fixture
def allocated() -> Iterator[Callable[[Callable[[], object]], int]]:
    """`allocated(action)`: how many pieces of memory compiled code asks for while it is done."""
    from numba.core.runtime import _nrt_python, rtsys

    def count(action: Callable[[], object]) -> int:
        before = rtsys.get_allocation_stats()
        action()
        return int(rtsys.get_allocation_stats().alloc - before.alloc)

    _nrt_python.memsys_enable_stats()
    yield count
    _nrt_python.memsys_disable_stats()


@pytest.mark.compiler
@pytest.mark.parametrize("game", [toy.GAME, ANIMALIA], ids=lambda game: game.id)
def test_kernels_allocate_nothing(game: Game, allocated: Callable[[Callable[[], object]], int]) -> None:
    """A call wraps its arrays, always the same number of them; games add nothing to that."""
    player = Player(game)
    params = game.Params.resolve(game.players[-1])
    slots = [game.policies[slot % 2] for slot in range(params.players)]
    table = Table(game, params, tuple(slots), params.players)

    def play(blocks: int) -> int:
        sums = player.loop.new_sums()
        count = blocks * params.players
        return allocated(lambda: player.loop.play(table, 1, 0, count, player.buffers, sums))

    assert play(1) == play(100) > 0


@kernel
def wasteful(n):
    total = 0
    for i in range(n):
        cells = np.zeros(3 + i, np.int64)
        cells[i % 3] = i
        total += cells[0]
    return total


@pytest.mark.compiler
def test_a_kernel_that_allocates_is_noticed(allocated: Callable[[Callable[[], object]], int]) -> None:
    fast = compiled(wasteful, "wasteful", (numba.int64,))
    assert allocated(lambda: fast(100)) > allocated(lambda: fast(1))


@pytest.mark.compiler
def test_one_binary_serves_all_rules_and_line_ups(fast: Player) -> None:
    """A loop made for other rules and fewer policies is the same loop."""
    other = Loop(toy.GAME, toy.GAME.policies[:1], toy.ToyParams.resolve(6, {"rounds": 1}))
    assert other.fingerprint == fast.loop.fingerprint
    assert other.is_ready()
