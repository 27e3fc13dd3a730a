"""The trace of one game: the lines of section 8 of the contract, built from what the rules tell.

Seats count from 0, rounds and actions from 1, as the contract has it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from balance.game import SHARE_UNIT
from balance.games.kennelmester import layout
from balance.games.kennelmester.layout import BREED_BITS, CUSTOMERS, REASONS, REMOVED, SEAT_OF
from balance.games.kennelmester.params import KennelmesterParams
from balance.games.kennelmester.trace_actions import ActionLines, Event, Handler
from balance.games.kennelmester.trace_header import header

KINDS = ("coin", "draw_dog", "draw_customer", "trade", "mate", "birth", "enter")
"""The kinds of actions (K-16), in their order."""


class Tracer(ActionLines):
    """Bound to the rules' `note` while one game is played; `events` is the trace, complete after `finish`."""

    def __init__(self, params: KennelmesterParams, number: int, seed: int, policies: Sequence[str]) -> None:
        """The header is known before the game begins."""
        super().__init__(params)
        self.events.append(header(params, number, seed, policies))
        self._seats = range(params.players)
        self._setup: Event = {}
        self._contest: Event = {}
        self._handlers: dict[int, Handler] = {
            **self.action_handlers(),
            layout.SHUFFLED: self._shuffled,
            layout.STARTED: self._started,
            layout.ROUND_START: self._round_start,
            layout.TURN_START: self._turn_start,
            layout.GROWN: self._grown,
            layout.BONUS_EARNED: self._bonus_earned,
            layout.PAID_UPKEEP: self._paid_upkeep,
            layout.COMPETING: self._competing,
            layout.STANDS_UP: self._stands_up,
            layout.DIE_ROLLED: self._die_rolled,
            layout.COMPETED: self._competed,
            layout.REROLLED: self._rerolled,
            layout.CONTEST_OVER: self._contest_over,
            layout.ROUND_END: self._round_end,
        }

    def __call__(self, state: Any, params: Any, event: int, a: int, b: int, c: int) -> None:
        """What the rules have just done: one of their codes and up to three numbers."""
        self._record = params
        self._handlers[event](state, int(a), int(b), int(c))

    def finish(self, state: Any, row: Mapping[str, int]) -> None:
        """The game is over: `row` holds its columns."""
        sides = [
            [seat for seat in self._seats if self._sides[seat] == side] for side in sorted(set(self._sides))
        ]
        reputation, target = self._reputation(state), int(self._record.target)
        points = [sum(reputation[seat] for seat in seats) for seats in sides]
        ranks = [int(row[f"rank_{seats[0]}"]) for seats in sides]
        shares = [sum(int(row[f"win_share_{seat}"]) for seat in seats) / SHARE_UNIT for seats in sides]
        self._add(
            "result",
            rounds=int(state.round_number),
            reason=REASONS[int(state.reason)],
            reputation=reputation,
            side_reputation=points,
            ranks=[1 + sum(other < rank for other in ranks) for rank in ranks],
            win_shares=shares,
            target=target,
            target_reached=[reached >= target for reached in points],
        )

    def _all_coins(self, state: Any) -> list[int]:
        return [int(state.coins[side]) for side in range(len(set(self._sides)))]

    def _reputation(self, state: Any) -> list[int]:
        return [int(state.reputation[seat]) for seat in self._seats]

    # ---------------------------------------------------------------- setup

    def _shuffled(self, state: Any, _a: int, _b: int, _c: int) -> None:
        """The orders before anything is drawn; what players choose is added later."""
        deck, orders = self._params.deck, self._position.decks(state, self._record)
        characters = [
            deck.characters[int(state.character_order[at])].id for at in range(len(deck.characters))
        ]
        in_play = range(self._params.event_deck_size)
        players = [
            {"player": seat, "side": side, "character": characters[seat], "breeds": [], "dogs": []}
            for seat, side in enumerate(self._sides)
        ]
        self._setup = {
            "character_order": characters,
            "customer_order": orders.pop(CUSTOMERS),
            "dog_order": dict(zip(self._names.breeds, orders.values(), strict=True)),
            "event_order": [self._names.event(state.event_deck[at]) for at in in_play],
            "players": players,
            "coins": self._all_coins(state),
        }

    def _started(self, state: Any, dog: int, breed: int, _c: int) -> None:
        player = self._setup["players"][int(state.acting)]
        player["breeds"].append(self._names.breeds[breed])
        player["dogs"].append(self._names.card(dog))

    # ---------------------------------------------------------------- rounds and turns

    def _round_start(self, state: Any, starter: int, _b: int, _c: int) -> None:
        number = int(state.round_number) + 1
        if number == 1:
            self._add("setup", **self._setup)
        self._add("round_start", round=number, starter=starter, card=self._names.event(state.event))

    def _turn_start(self, state: Any, _a: int, _b: int, _c: int) -> None:
        self._add("turn_start", round=int(state.round_number) + 1, player=int(state.acting))

    def _grown(self, state: Any, dog: int, is_mother: int, _c: int) -> None:
        """The first one opens the line, the others join it."""
        if self.events[-1]["event"] != "grow_up":
            self._add("grow_up", player=int(state.acting), pups=[], mothers=[])
        self.events[-1]["mothers" if is_mother else "pups"].append(self._names.card(dog))

    def _bonus_earned(self, state: Any, _a: int, _b: int, _c: int) -> None:
        kind, breed = divmod(int(state.signature), 1 << BREED_BITS)
        is_tied = breed > 0 and self._params.bonus_mode == "same_kind"
        self._add(
            "bonus_action",
            player=int(state.acting),
            kind=KINDS[kind],
            breed=self._names.breeds[breed - 1] if is_tied else None,
            count=self._params.bonus_actions,
        )

    def _paid_upkeep(self, state: Any, dogs: int, due: int, paid: int) -> None:
        amounts = {"dogs": dogs, "due": due, "paid": paid, "waived": due - paid}
        self._add("upkeep", player=int(state.acting), **amounts, coins=self._coins(state))

    def _round_end(self, state: Any, reason: int, _b: int, _c: int) -> None:
        self._add(
            "round_end",
            round=int(state.round_number) + 1,
            reputation=self._reputation(state),
            coins=self._all_coins(state),
            events_left=int(state.events_left),
            game_over=reason > 0,
            reason=REASONS[reason] or None,
            state=self._position.after_round(state, self._record),
        )

    # ---------------------------------------------------------------- the contest

    def _competing(self, state: Any, _a: int, _b: int, _c: int) -> None:
        """Opens the line, which every die adds to."""
        card = self._names.event(state.event)
        self._contest = {"round": int(state.round_number) + 1, "card": card, "entries": [], "rerolls": []}

    def _stands_up(self, state: Any, dog: int, _b: int, _c: int) -> None:
        self._contest["entries"].append(
            {
                "player": int(state.place[dog]) & SEAT_OF,
                "dog": self._names.card(dog),
                "base": self._params.base_dice,
                "traits": 0,
                "prep": self._params.prep_dice * int(state.prepared_dog[dog]),
                "dice": [],
            }
        )

    def _die_rolled(self, _state: Any, _dog: int, face: int, _c: int) -> None:
        self._contest["entries"][-1]["dice"].append(face)

    def _competed(self, _state: Any, listed: int, successes: int, result: int) -> None:
        entry = self._contest["entries"][-1]
        entry.update(traits=listed, successes=successes, qualified=result > 0, result=result)

    def _rerolled(self, _state: Any, dog: int, face: int, number: int) -> None:
        rounds = self._contest["rerolls"]
        if len(rounds) == number:
            rounds.append([])
        rounds[-1].append({"dog": self._names.card(dog), "die": face})

    def _contest_over(self, state: Any, dog: int, _b: int, _c: int) -> None:
        winner, card_to, prize = None, "winner", 0
        if dog >= 0:
            winner = {"player": int(state.place[dog]) & SEAT_OF, "dog": self._names.card(dog)}
            prize = int(self._record.event_reputation[state.event])
        else:
            card_to = "removed" if state.event_place[state.event] == REMOVED else "bottom"
        self._add("compete", **self._contest, winner=winner, reputation=prize, card_to=card_to)
