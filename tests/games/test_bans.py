"""What can be banned in each game: the names are about the right actions, and whoever is banned does without.

What an action is about is worked out here once more, from the codes of the contracts.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import numpy as np
import pytest

from balance.engine import banned, playout
from balance.engine.banned import NOBODY, Ban
from balance.engine.plain import blank, copied, plain, plain_kernel
from balance.engine.playing import Table, bindings, new_marks
from balance.engine.records import actions_dtype
from balance.engine.rng import rng_dtype
from balance.game import Game, GameParams, Policy
from balance.games.animalia import GAME as ANIMALIA
from balance.games.animalia.params import KINDS, kind_of
from balance.games.kennelmester import GAME as KENNELMESTER
from balance.games.kennelmester.deck import EVENT_TYPES
from balance.games.pig import GAME as PIG
from balance.games.zooloretto import GAME as ZOOLORETTO
from balance.games.zooloretto.layout import CLASSES
from balance.games.zooloretto.params import SPECIES

from . import kennels

SEAT = 1
About = Callable[[Any, GameParams, int], set[str]]

# ---------------------------------------------------------------- what actions are about, by the contracts


def about_pig(_state: Any, _rules: GameParams, code: int) -> set[str]:
    return {"hold" if code == 0 else "roll"}


def about_animalia(state: Any, _rules: GameParams, code: int) -> set[str]:
    """Animalia 5.3."""
    if code in (1, 2):
        return {"keep"} | {KINDS[kind_of(state.set_cards[at])] for at in range(state.set_size)}
    if 64 <= code <= 158:
        victim, collection, place = (code - 64) // 16, (code - 64) // 8 % 2, code % 8
        return {KINDS[kind_of(state.cards[2 * victim + collection, place])]}
    names = {0: "pass", 4: "steal", 5: "spy out", 6: "give away"} | dict.fromkeys(range(32, 47), "cover")
    return {names[code]} if code in names else set()


def _item(tile: int) -> str:
    name = CLASSES[tile].removesuffix("_m").removesuffix("_f")
    return name if name in SPECIES or name == "coin" else "stall"


def about_zooloretto(state: Any, _rules: GameParams, code: int) -> set[str]:
    """Zooloretto 5.3."""
    if 1 <= code <= 7:
        tiles = (state.truck_slots[code - 1, slot] for slot in range(state.truck_size[code - 1]))
        return {"take a truck", *map(_item, tiles)}
    if code >= 8192:
        return {"buy", _item((code - 8192) // 8 % 64)}
    if code in (0, 8):
        return {"expand" if code else "draw"}
    firsts = {9: "", 128: "discard", 1024: "move", 4096: "exchange"}
    return {name for first, name in firsts.items() if first == max(one for one in firsts if one <= code)} - {
        ""
    }


_ACTIONS = (
    "",
    "coin",
    *["draw a dog"] * 2,
    *["draw a customer"] * 2,
    *["trade"] * 3,
    "mate",
    "birth",
    *["enter"] * 2,
)


def about_kennelmester(state: Any, rules: Any, code: int) -> set[str]:
    """Kennelmester 6.3 and K-16; what is sold for the upkeep (D-7) is no action."""
    kind, b, sides = code >> 24, code & 0xFFF, rules.sides()
    found = {_ACTIONS[kind]} - {""} if kind < len(_ACTIONS) and state.decision != 7 else set()
    if kind == 8:
        found |= {"sale of a dog"}
    if kind == 9 and sides[state.place[b] & 7] != sides[state.acting]:
        found |= {"stud male"}
    if kind in (11, 12):
        found |= {EVENT_TYPES[rules.deck.events[state.event].type]}
        found |= {"help with a dog"} if b != 15 and sides[b] != sides[state.acting] else set()
    return found


# ---------------------------------------------------------------- games, watched


@dataclass
class Case:
    """Rules and players of some games."""

    game: Game
    about: About
    rules: GameParams
    line_up: tuple[Policy, ...]
    games: int


def case(
    game: Game, about: About, size: Any, rules: dict[str, object], who: str | Policy, games: int
) -> Case:
    policy = game.policy(who) if isinstance(who, str) else who
    return Case(game, about, game.resolve(size, rules), (policy,) * size[0], games)


ALL_SPECIES = {"species_in_box": 12, "species_removed": 0}
CASES = {
    "pig": case(PIG, about_pig, (2, None), {}, "hold-at-20", 20),
    "animalia": case(ANIMALIA, about_animalia, (4, None), {}, "greedy", 8),
    "animalia, cute": case(ANIMALIA, about_animalia, (6, None), {"remove_neutral": False}, "random", 3),
    "animalia, two collections": case(
        ANIMALIA, about_animalia, (2, None), {"collections_per_player": 2}, "beginner", 4
    ),
    "zooloretto": case(ZOOLORETTO, about_zooloretto, (4, None), {}, "greedy", 3),
    "zooloretto, all species": case(ZOOLORETTO, about_zooloretto, (5, None), ALL_SPECIES, "random", 2),
    "kennelmester": case(KENNELMESTER, about_kennelmester, (4, "competitive"), {}, "greedy", 2),
    "kennelmester, varied": case(
        KENNELMESTER, about_kennelmester, (3, "competitive"), kennels.RICH, kennels.VARIED, 1
    ),
    "kennelmester, teams": case(KENNELMESTER, about_kennelmester, (4, "team"), {}, "trader", 1),
}
Watch = Callable[[Any, Any, Sequence[int], int], None]


class Watched:
    """Plays with a ban in plain Python, and hands each decision on: state, rules, options, choice."""

    def __init__(self, one: Case) -> None:
        self._one, self._watch, self.drawn = one, None, 0
        """`drawn`: how often a policy had no other choice of its own."""
        bind = [*bindings(one.game, one.line_up, bans=True), (banned.copy_state, banned.copy_plain)]
        self._lists: Any = plain_kernel(one.game.legal_actions)
        self._decide: Any = plain_kernel(banned.decide, [*bind, (banned.below, self._below)])
        self.concerns: Any = plain_kernel(banned.kernels_of(one.game)[0])
        self._play_one: Any = plain_kernel(playout.play_one, [*bind, (playout.choose, self._ask)])

    def _below(self, _rng: Any, _word: int, _n: int) -> int:
        self.drawn += 1
        return 0

    def _ask(self, kind: int, state: Any, params: Any, weights: Any, rng: Any, memory: Any) -> int:
        n = self._lists(state, params, memory[0])
        options = [memory[0].code[at] for at in range(n)]
        action = int(self._decide(kind, state, params, weights, rng, memory))
        self._watch(state, params, options, action)
        return action

    def play(self, who: Ban, watch: Watch) -> None:
        """All games of the case."""
        self._watch, self.drawn, one = watch, 0, self._one
        table = Table(one.game, one.rules, one.line_up, 1, who)
        record, weights = plain(table.record), [plain(each) for each in table.weights]
        for block in range(one.games):
            state, other = (blank(one.game.state_dtype) for _ in range(2))
            table_rng, noise, actions = blank(rng_dtype), blank(rng_dtype), blank(actions_dtype(one.game))
            self._play_one(
                *(state, record, np.uint64(1), block, 0, 0, table.kinds.tolist(), weights, table_rng, noise),
                *((actions, None, other, None), new_marks(), 0),
            )


def names_in(game: Game, mask: int) -> set[str]:
    assert game.bans is not None
    assert 0 <= mask < 1 << len(game.bans.names)
    return {name for at, name in enumerate(game.bans.names) if mask >> at & 1}


@cache
def differences_in(name: str) -> tuple[list[str], set[str]]:
    """The same for a case by its name."""
    return differences(CASES[name])


def differences(one: Case) -> tuple[list[str], set[str]]:
    """Where the game's kernel and the contract disagree, and all names that were met."""
    watched, faults, met = Watched(one), list[str](), set[str]()

    def watch(state: Any, params: Any, options: Sequence[int], _action: int) -> None:
        before = copied(state)
        for code in options[:: max(1, len(options) // 40)]:
            told, expected = (
                names_in(one.game, watched.concerns(state, params, code)),
                one.about(state, one.rules, code),
            )
            met.update(expected)
            faults.extend([f"{code}: {told}, not {expected}"] * (told != expected))
        assert all(getattr(before, name) == getattr(state, name) for name in before.__slots__)

    watched.play(NOBODY, watch)
    return faults, met


def broken(one: Case, name: str, who: Ban, *, seat: int = SEAT) -> tuple[int, int, int]:
    """How often the seat chose what is about a name though there was something else, how often it could have, and how
    often it had no other choice of its own."""
    watched, counts = Watched(one), [0, 0]

    def watch(state: Any, _params: Any, options: Sequence[int], action: int) -> None:
        if state.seat == seat:
            about = [name in one.about(state, one.rules, code) for code in options]
            counts[0] += not all(about) and about[options.index(action)]
            counts[1] += not all(about) and any(about)

    watched.play(who, watch)
    return counts[0], counts[1], watched.drawn


# ---------------------------------------------------------------- the names


@pytest.mark.parametrize("name", CASES)
def test_each_action_is_about_what_the_contract_says(name: str) -> None:
    faults, met = differences_in(name)
    assert not faults, faults[:3]
    assert met


def test_every_name_is_met() -> None:
    for game in (PIG, ANIMALIA, ZOOLORETTO, KENNELMESTER):
        met = set[str]().union(*(differences_in(name)[1] for name, one in CASES.items() if one.game is game))
        assert game.bans is not None
        assert met == set(game.bans.names)


def test_a_wrong_name_is_seen() -> None:
    one = CASES["animalia"]
    assert one.game.bans is not None
    names = list(one.game.bans.names)
    swapped = dict.fromkeys([*names[:-2], names[-1], names[-2]], "to do it")
    wrong = replace(one, game=replace(one.game, bans=replace(one.game.bans, names=swapped)))
    assert any("cover" in fault for fault in differences(wrong)[0])


# ---------------------------------------------------------------- the bans

BANNED = [
    (name, forbidden)
    for name in (
        "pig",
        "animalia",
        "zooloretto",
        "kennelmester",
        "animalia, two collections",
        "kennelmester, teams",
    )
    for forbidden in (CASES[name].game.bans.names if CASES[name].game.bans else ())
    if not forbidden.startswith("extra_")
]


@pytest.mark.parametrize(("name", "forbidden"), BANNED)
def test_the_banned_seat_does_without_by_a_choice_of_its_own(name: str, forbidden: str) -> None:
    one = CASES[name]
    assert one.game.bans is not None
    who = Ban(SEAT, one.game.bans.mask(forbidden))
    wrong, _, drawn = broken(one, forbidden, who)
    assert (wrong, drawn) == (0, 0)


@pytest.mark.parametrize(
    ("name", "forbidden"),
    [("animalia", "owl"), ("zooloretto", "expand"), ("zooloretto", "zebra"), ("kennelmester", "mate")],
)
def test_it_wants_it_otherwise_and_the_others_still_have_it(name: str, forbidden: str) -> None:
    one = CASES[name]
    assert one.game.bans is not None
    who = Ban(SEAT, one.game.bans.mask(forbidden))
    assert broken(one, forbidden, NOBODY)[0] > 0, "this is how a ban that does nothing would look"
    assert broken(one, forbidden, replace(who, banned_seat=2))[0] > 0, "and one of the wrong seat"
    assert broken(one, forbidden, who, seat=2)[0] > 0


@pytest.mark.parametrize(("name", "forbidden"), [("animalia", "beauty"), ("zooloretto", "draw")])
def test_a_policy_that_does_not_look_past_it_would_be_seen(name: str, forbidden: str) -> None:
    one = CASES[name]
    assert one.game.bans is not None
    blind = replace(one, game=replace(one.game, bans=replace(one.game.bans, withhold=None)))
    wrong, _, drawn = broken(blind, forbidden, Ban(SEAT, one.game.bans.mask(forbidden)))
    assert wrong == 0
    assert drawn > 0


def test_what_the_rules_leave_out_is_named() -> None:
    def absent(game: Game, size: Any, rules: dict[str, object]) -> set[str]:
        assert game.bans is not None
        assert game.bans.absent is not None
        found = set(game.bans.absent(game.resolve(size, rules)))
        assert found <= set(game.bans.names)
        return found

    assert absent(ANIMALIA, (4, None), {}) == {"cute"}
    assert absent(ANIMALIA, (4, None), {"owl": False, "power_spy": False}) == {"cute", "owl", "spy out"}
    extra = {f"extra_{number}" for number in range(1, 5)}
    assert absent(ZOOLORETTO, (5, None), {}) == extra
    assert absent(ZOOLORETTO, (5, None), {"removed_species": ["zebra"]}) == extra | {"zebra"}
    assert absent(ZOOLORETTO, (5, None), {"coin_tiles": 0, "expansion_boards": 0}) == extra | {
        "coin",
        "expand",
    }
    assert absent(KENNELMESTER, (1, "solo"), {}) == {"sale of a dog", "stud male", "help with a dog"}
    assert absent(KENNELMESTER, (4, "competitive"), {"birth_costs_action": False}) == {"birth"}
