"""Replays are the games of the compiled loop; the hand-made example comes out to the letter; logs stay as they are."""

from __future__ import annotations

import json
import re
from collections import deque
from pathlib import Path
from typing import Any

import pytest
from naive.kennelmester import decisions_of

from balance.engine import below, trace
from balance.engine.plain import blank, plain_kernel, plain_params
from balance.engine.playing import Buffers, Table, bindings, columns
from balance.engine.records import actions_dtype
from balance.engine.rng import rng_dtype
from balance.experiment.replay import Replayer, replay
from balance.games.kennelmester import GAME, rules
from balance.games.kennelmester.deck import EVENT_TYPES, TRAITS, Breed, Character, Customer, Deck, Dog, Reward
from balance.games.kennelmester.deck import Event as EventCard
from balance.games.kennelmester.params import BARGAIN, KennelmesterParams
from balance.games.kennelmester.trace import Tracer
from balance.narration import WIDTH

from . import kennels
from .kennel_jobs import BREEDING, CORNERS, TABLES, corner
from .kennel_views import Cards
from .kennels import RANDOM

TRANSCRIPTS = Path(__file__).parent / "transcripts"
EXAMPLE = (
    (Path(__file__).parents[1] / "vectors" / "kennelmester_example.jsonl").read_text("utf-8").splitlines()
)
Event = dict[str, Any]

# ---------------------------------------------------------------- the same games as the compiled loop's


@pytest.mark.parametrize("table", TABLES, ids=lambda table: f"{table[0]}-{table[1]}")
def test_replays_have_the_rows_of_the_loop(table: tuple[str, int]) -> None:
    players = table[1]
    for at in (TABLES.index(table), len(CORNERS) - TABLES.index(table) - 1):
        params, slots, seed = corner(at, table).params(), [RANDOM] * players, 2**63 + at
        games, rotations = 2 * players, players
        loop = kennels.loop()
        rows = loop.play(
            Table(GAME, params, tuple(slots), rotations), seed, 0, games, Buffers(GAME), loop.new_sums()
        )
        replayer = Replayer(GAME, params, slots, rotations)
        for number in range(games):
            due = {
                name: int(row[number]) for name, row in zip(columns(GAME, params.players), rows, strict=True)
            }
            assert replayer.play(seed, number).row == due


# ---------------------------------------------------------------- the contract's hand-made example


def deck_of(decks: dict[str, list[Event]]) -> Deck:
    """The deck that a header names."""
    traits = {name: number for number, name in enumerate(TRAITS)}
    types = {name: number for number, name in enumerate(EVENT_TYPES)}
    return Deck(
        tuple(
            Character(one["id"], tuple(types[kind] for kind in one["prep"])) for one in decks["characters"]
        ),
        tuple(
            Dog(
                one["id"],
                one["breed"],
                one["sex"],
                one["price"],
                tuple(one["traits"].get(name, 0) for name in TRAITS),
            )
            for one in decks["dogs"]
        ),
        tuple(
            Customer(
                one["id"], one["breed"], one["sex"], tuple(reward_of(reward) for reward in one["bonuses"])
            )
            for one in decks["customers"]
        ),
        tuple(
            EventCard(
                **{**one, "type": types[one["type"]], "traits": tuple(traits[name] for name in one["traits"])}
            )
            for one in decks["events"]
        ),
        tuple(Breed(name) for name in dict.fromkeys(one["breed"] for one in decks["dogs"])),
    )


def reward_of(reward: Event) -> Reward:
    return Reward(TRAITS.index(reward["trait"]), reward["min"], reward["coins"], reward["reputation"])


class Hand:
    """Lays the decks of a trace, throws its dice and makes its choices."""

    def __init__(self, lines: list[str]) -> None:
        self.lines = [json.loads(line) for line in lines]
        header, self.deal = self.lines[:2]
        given = header["rules"] | header["bargain"]
        self.params = KennelmesterParams.resolve(
            header["n_players"], given, header["mode"], deck_of(header["decks"])
        )
        self.cards = Cards(self.params)
        self.dice = deque(die for line in self.lines for die in dice_of(line))
        self.choices = deque(one for one in decisions_of(lines) if len(one["options"]) > 1)
        self.tracer = Tracer(self.params, header["game_index"], header["seed"], header["policies"])
        self.is_laid = False

    def below(self, _rng: Any, _word: int, n: int) -> int:
        """Cards are not shuffled; dice are thrown as they are told."""
        return self.dice.popleft() - 1 if self.is_laid else n - 1

    def lay(self, state: Any, params: Any, _rng: Any) -> None:
        """In the place of the last shuffle: all decks are put in order."""
        orders = [*self.deal["dog_order"].values(), self.deal["customer_order"]]
        numbers = {name: card for card, name in self.cards.names.items()}
        for pile, order in zip(self.cards.piles, orders, strict=True):
            first = params.pile_start[pile]
            for at, name in enumerate(reversed(order)):
                state.deck[first + at] = numbers[name]
        for at, name in enumerate(self.deal["event_order"]):
            state.event_deck[at] = self.cards.events.index(name)
        for at, name in enumerate(self.deal["character_order"]):
            state.character_order[at] = self.cards.characters.index(name)
        self.is_laid = True

    def play(self) -> list[Event]:
        told = [
            (below, self.below),
            (rules.shuffle_characters, self.lay),
            (trace.note, self.tracer),
            (trace.TRACE, 1),
        ]
        bind = [*bindings(GAME, GAME.policies), *told]
        setup, apply_action, list_them = (
            plain_kernel(fn, bind) for fn in (GAME.setup, GAME.apply_action, GAME.legal_actions)
        )
        state, record, rng = blank(GAME.state_dtype), plain_params(GAME, self.params), blank(rng_dtype)
        actions = blank(actions_dtype(GAME))
        setup(state, record, rng)
        while not state.over:
            due = self.choices.popleft()
            assert [actions.code[at] for at in range(list_them(state, record, actions))] == due["options"]
            apply_action(state, record, due["code"], rng)
        assert (len(self.dice), len(self.choices)) == (0, 0)
        self.tracer.finish(state, {"rank_0": 1, "win_share_0": 60})
        return self.tracer.events


def dice_of(line: Event) -> list[int]:
    """All dice that a line tells of, in the order in which they are thrown."""
    thrown = [die for entry in line.get("entries", ()) for die in entry.get("dice", ())]
    return [
        *line.get("rolls", ()),
        *thrown,
        *(one["die"] for again in line.get("rerolls", ()) for one in again),
    ]


def test_the_hand_made_example_comes_out_to_the_letter() -> None:
    hand = Hand(EXAMPLE)
    assert hand.params.solo_target == hand.lines[-1]["side_reputation"][0]
    assert {name: getattr(hand.params, name) for name in BARGAIN} == hand.lines[0]["bargain"]
    assert hand.play() == hand.lines


def test_another_die_makes_another_game() -> None:
    hand = Hand(EXAMPLE)
    hand.dice[1] = 1
    assert hand.play() != hand.lines


# ---------------------------------------------------------------- golden transcripts

GOLDEN: dict[str, tuple[str, int, dict[str, Any], int]] = {
    "solo": ("solo", 1, {"start_coins": 20, "start_dogs": 2}, 1),
    "two-players": ("competitive", 2, {"round_cap": 6}, 2),
    "breeding": ("competitive", 3, {**BREEDING, "base_dice": 3, "round_cap": 5}, 3),
    "pairs": ("team", 4, {"start_dogs": 3, "upkeep_divisor": 2, "upkeep_fee": 4, "round_cap": 4}, 4),
    "at-once": ("competitive", 4, {"end_check": "immediate", "reputation_target": 2, "start_dogs": 2}, 5),
}


def told(case: str) -> str:
    mode, players, changes, seed = GOLDEN[case]
    params = KennelmesterParams.resolve(players, changes, mode)
    return "\n".join(GAME.narrate(replay(GAME, params, [RANDOM] * players, 1, seed, 7).events)) + "\n"


@pytest.mark.parametrize("case", GOLDEN)
def test_golden_transcripts(case: str, request: pytest.FixtureRequest) -> None:
    path, text = TRANSCRIPTS / f"kennelmester-{case}.txt", told(case)
    if request.config.getoption("--update-transcripts"):
        path.write_text(text, "utf-8")
    assert path.read_text("utf-8") == text


@pytest.mark.parametrize("case", GOLDEN)
def test_logs_fit_and_quote_rules(case: str) -> None:
    text = told(case)
    assert max(map(len, text.splitlines())) <= WIDTH
    ids = set(re.findall(r"\b[KAB]-\d+", text))
    assert len(ids) >= 8
    assert ids <= {
        *(f"K-{n}" for n in range(1, 99)),
        *(f"A-{n}" for n in range(1, 82)),
        *(f"B-{n}" for n in range(1, 6)),
    }
