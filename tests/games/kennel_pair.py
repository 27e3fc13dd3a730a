"""Kennelmester's kernels and its referee side by side: the same cards and dice, the same choices, and no difference."""

from __future__ import annotations

import json
import random
from collections import deque
from collections.abc import Sequence
from typing import Any

from naive import kennelmester_game as referee

from balance.engine import playout
from balance.engine.plain import blank, plain_kernel, plain_params
from balance.engine.playing import columns
from balance.engine.records import row_dtype
from balance.game import SHARE_UNIT
from balance.games.kennelmester import GAME, bargain, breeding, choosing, layout
from balance.games.kennelmester.layout import A_AT, CUSTOMERS, KIND_AT, LOW_12, MATE, SELL_PLAYER
from balance.games.kennelmester.trace import Tracer

from .kennel_altered import decks_of
from .kennel_jobs import Job
from .kennel_views import Cards, of_kernels, of_referee
from .plays import Moment, Watched

RANDOM = GAME.policy("random")
BY_KIND = "by_kind"
LINE_UPS = ((BY_KIND,), (BY_KIND, "random"), (BY_KIND,), ("random",))
"""Who plays, seat by seat and game by game. The random player hardly breeds; the other one does."""
SAMPLED = 20
"""At each so many-th decision every option is also found by its number."""


class Match:
    """The kernels in plain Python, some of them replaced, ready to be held against the referee."""

    def __init__(self, replaced: Sequence[tuple[Any, Any]] = ()) -> None:
        self.watched = Watched(GAME, GAME.policies, [*replaced, (breeding.litter_size, self._litter_size)])
        self.random, self._replaced = self.watched.choose, dict(replaced)
        self.litters: deque[int] = deque()
        self._drawn, self.option = self.kernel(breeding.litter_size), self.kernel(choosing.option)
        self.would_buy, self.would_sell = self.kernel(bargain.would_buy), self.kernel(bargain.would_sell)
        self.would_lend, self.would_help = self.kernel(bargain.would_lend), self.kernel(bargain.would_help)
        self.rank_seats, self.measure = self.kernel(playout.rank_seats), self.kernel(GAME.measure)
        self.write_row = self.kernel(playout.write_row)

    def kernel(self, asked: Any) -> Any:
        """A kernel in plain Python; where it is replaced, what stands there."""
        return plain_kernel(self._replaced.get(asked, asked), self.watched.bind)

    def _litter_size(self, *told: Any) -> int:
        """In the place of the kernel: every litter drawn is kept for the referee, also with odds instead of dice."""
        self.litters.append(int(self._drawn(*told)))
        return self.litters[-1]

    def play(self, job: Job, number: int, seed: int = 1) -> Pair:
        """One game, with the kernels and with the referee; an error where they differ."""
        pair = Pair(self, job, number, seed)
        self.litters.clear()
        self.watched.watch, self.watched.tracer, self.watched.choose = (
            pair.at_decision,
            pair.listen,
            pair.choose,
        )
        state, plies = self.watched.play(pair.params, [RANDOM] * job.players, seed, number)
        pair.at_end(state, plies)
        return pair


class Heard:
    """The referee's chance: what the kernels told of theirs, each thing once."""

    def __init__(self, litters: deque[int]) -> None:
        self.litters = litters
        self.orders: deque[tuple[str | None, list[str]]] = deque()
        self.rolls: deque[int] = deque()
        self.dice: deque[tuple[str, int]] = deque()
        self.tie_dice: deque[tuple[str, int]] = deque()

    def refill(self, deck: str, breed: str | None, cards: list[str]) -> list[str]:  # noqa: ARG002
        pile, order = self.orders.popleft()
        assert pile == breed
        return order

    def litter_die(self) -> int:
        self.litters.popleft()
        return self.rolls.popleft()

    def litter_size(self, probs: list[float]) -> int:  # noqa: ARG002
        return self.litters.popleft()

    def contest_dice(self, dog: str, count: int) -> list[int]:
        thrown = [self.dice.popleft() for _ in range(count)]
        assert {name for name, _ in thrown} <= {dog}
        return [face for _, face in thrown]

    def tie_die(self, dog: str) -> int:
        name, face = self.tie_dice.popleft()
        assert name == dog
        return face

    def is_used_up(self) -> bool:
        """Whether the kernels rolled nothing that the referee did not ask for."""
        return not (self.litters or self.orders or self.rolls or self.dice or self.tie_dice)


class Pair:
    """The referee's game beside the kernels'."""

    def __init__(self, match: Match, job: Job, number: int, seed: int) -> None:
        self.match, self.job, self.params, self.seed, self.number = match, job, job.params(), seed, number
        self.cards = Cards(self.params)
        line_up = LINE_UPS[number % len(LINE_UPS)]
        self.names = [line_up[seat % len(line_up)] for seat in range(job.players)]
        self.lots = random.Random(f"{seed}.{number}")
        self.tracer = Tracer(self.params, number, seed, self.names)
        self.heard = Heard(match.litters)
        self.orders: dict[str, Any] = {}
        self.decisions = 0
        self._game: referee.Game | None = None

    # ---------------------------------------------------------------- the kernels' side

    def listen(self, state: Any, params: Any, event: int, *numbers: int) -> None:
        """What the rules tell the tracer; chance among it is kept for the referee."""
        heard, cards = self.heard, self.cards
        a, b = (int(number) for number in numbers[:2])
        if event == layout.SHUFFLED:
            self.orders = cards.orders(state, params)
        elif event == layout.REFILLED:
            heard.orders.append(
                (None if a == CUSTOMERS else cards.breeds[a], cards.deck(state, params, a)[-b:])
            )
        elif event == layout.ROLLED:
            heard.rolls.append(b)
        elif event == layout.DIE_ROLLED:
            heard.dice.append((cards.names[a], b))
        elif event == layout.REROLLED:
            heard.tie_dice.append((cards.names[a], b))
        self.tracer(state, params, event, *numbers)

    def choose(self, kind: int, state: Any, params: Any, weights: Any, rng: Any, actions: Any) -> int:
        """A kind of action first, then one of that kind; or as the policy `random` does."""
        if self.names[state.seat] != BY_KIND:
            return int(self.match.random(kind, state, params, weights, rng, actions))
        options = [actions.code[at] for at in range(state.options)]
        chosen = self.lots.choice(sorted({code >> KIND_AT for code in options}))
        return self.lots.choice([code for code in options if code >> KIND_AT == chosen])

    # ---------------------------------------------------------------- the referee's side

    @property
    def game(self) -> referee.Game:
        """The referee's game; it begins when the kernels have come to their first decision."""
        if self._game is None:
            given = {name: value for name, value in self.job.overrides.items() if name not in referee.BARGAIN}
            numbers = {name: self.job.overrides.get(name, value) for name, value in referee.BARGAIN.items()}
            rules = referee.resolve(self.job.players, {**given, "mode": self.job.mode})
            self._game = referee.Game(rules, decks_of(self.job.deck), self.orders, self.heard, numbers)
        return self._game

    def catch_up(self) -> referee.Game:
        """Let the referee do what was chosen last."""
        if self._game is not None:
            self._game.apply(self.match.watched.action)
        assert self.game is not None
        assert self.heard.is_used_up()
        return self.game

    # ---------------------------------------------------------------- comparing

    def at_decision(self, moment: Moment) -> None:
        """Who is asked, at which point, the whole list of options, and the whole position."""
        game, state = self.catch_up(), moment.state
        assert (game.decision, game.player) == (f"D-{state.decision}", state.seat)
        assert game.legal_actions() == moment.options
        assert moment.listed == state.options
        assert of_kernels(self.cards, state, moment.params) == of_referee(game)
        if game.proposal is not None:
            self.at_proposal(game, state, moment.params)
        if self.decisions % SAMPLED == 0:
            found = [self.match.option(state, moment.params, k) for k in range(state.options)]
            assert sorted(found) == moment.options
        self.decisions += 1

    def at_proposal(self, game: referee.Game, state: Any, params: Any) -> None:
        """3.2: what simulated players would do here, the one who proposes a sale and the one who is asked."""
        match, action, other = self.match, state.pending, state.seat
        kind, a, b = action >> KIND_AT, action >> A_AT & LOW_12, action & LOW_12
        if kind == SELL_PLAYER:
            agrees = match.would_buy(state, params, other, a, state.price)
            assert match.would_sell(state, params, state.acting, a, state.price) == game.model_offers(action)
        elif kind == MATE:
            agrees = match.would_lend(state, params, other, b, state.price)
        else:
            agrees = match.would_help(state, params, other)
        assert agrees == game.model_consents()

    def at_end(self, state: Any, plies: int) -> None:
        """The last position, the ranks, and the whole trace."""
        game, record = self.catch_up(), plain_params(GAME, self.params)
        assert game.over
        assert of_kernels(self.cards, state, record) == of_referee(game)
        row = self.row(state, record, plies)
        self.tracer.finish(state, row)
        events = self.tracer.events
        assert header(self) == events[0]
        assert game.events == events[1:]
        if self.number == 0:
            assert json.loads(json.dumps(events)) == events
        self.check_row(game.events[-1], row)

    def row(self, state: Any, record: Any, plies: int) -> dict[str, int]:
        """The row of the game, as the compiled loop writes it."""
        ranking: dict[tuple[int, int], int] = {}
        self.match.rank_seats(state, record, ranking)
        measured, rows = blank(row_dtype(GAME)), {}
        shares = {seat: ranking[2, seat] for seat in range(self.job.players)}
        self.match.measure(state, record, shares, measured)
        values = [getattr(measured, name) for name in measured.__slots__]
        words = [
            word for value in values for word in (value.values() if isinstance(value, dict) else [value])
        ]
        self.match.write_row(rows, 0, state, record, plies, ranking, words)
        names = columns(GAME, self.job.players)
        return {name: int(rows[at, 0]) for at, name in enumerate(names)}

    def check_row(self, result: dict[str, Any], row: dict[str, int]) -> None:
        """What the engine makes of the end is what the result says."""
        sides = self.params.sides()
        assert row["rounds"] == result["rounds"]
        assert row["plies"] == self.decisions
        for seat, side in enumerate(sides):
            assert row[f"score_{seat}"] == result["side_reputation"][side]
            share = row[f"win_share_{seat}"] * sides.count(side)
            assert abs(share / SHARE_UNIT - result["win_shares"][side]) < 1e-9
        assert row["by_cap"] == (result["reason"] == "round_cap")


def header(pair: Pair) -> dict[str, Any]:
    """The first line of the trace as the referee writes it."""
    game = pair.game
    return referee.header(game.rules, game.decks, game.bargain, pair.seed, pair.number, pair.names)
