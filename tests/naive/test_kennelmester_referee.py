"""Tests of the plain referee of Kennelmester: test vectors, sample trace, planted faults, random play."""

from __future__ import annotations

import copy
import json
import math
import random
import re
import tomllib
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from . import kennelmester_game as rules_of
from .kennelmester import FIELDS, Told, check_trace, decisions_of, read_line, run_vector, tiny_decks
from .kennelmester_game import (
    BIRTH,
    BUY,
    COIN,
    CONSENT,
    DRAW_CUSTOMER,
    DRAW_DOG,
    ENTER,
    ENTER_MORE,
    GIFT,
    MATE,
    NAMES,
    NOBODY,
    PARAMETERS,
    PASS,
    RELEASE,
    SELL_CUSTOMER,
    SELL_PLAYER,
    TAKE_CUSTOMER,
    TAKE_DOG,
    Decks,
    Dog,
    Game,
    Rolled,
    RulesError,
    decode,
    encode,
    resolve,
    shuffled_game,
)

VECTORS = Path(__file__).resolve().parents[1] / "vectors"
EXAMPLE = (VECTORS / "kennelmester_example.jsonl").read_text(encoding="utf-8").splitlines()
FRAGMENTS = (VECTORS / "kennelmester_fragments.jsonl").read_text(encoding="utf-8").splitlines()
VECTOR_LIST = tomllib.loads((VECTORS / "kennelmester.toml").read_text(encoding="utf-8"))["vector"]
DECKS = rules_of.read_decks(VECTORS / "kennelmester_deck")

Lines = list[dict[str, Any]]


# ---------------------------------------------------------------------------------------- vectors


@pytest.mark.parametrize("vector", VECTOR_LIST, ids=lambda vector: vector["id"])
def test_vector(vector: dict[str, Any]) -> None:
    assert run_vector(vector, EXAMPLE, DECKS) == vector["out"]


def test_vectors_are_complete() -> None:
    spans = [(1, 18), (20, 37), (40, 59), (60, 73), (80, 91), (95, 109), (110, 114), (120, 128)]
    due = [f"V-{n:02}" for span in spans for n in range(*span)]
    assert sorted(vector["id"] for vector in VECTOR_LIST) == sorted(due)
    assert len(due) == 103


@pytest.mark.parametrize(
    ("id_", "name", "value", "out"),
    [
        ("V-01", "trait_rule", "max", {"inherited": {"speed": 2}}),
        ("V-08", "trait_cap", 3, {"total": {"speed": 3, "instinct": 1}}),
        ("V-15", "stud_die_fee", 2, {"inherited": {"speed": 8}, "fee": 17}),
        ("V-29", "stud_base_fee", 20, {"fee": 21}),
        ("V-41", "bonus_trade_same_breed", False, {"earned": True, "kind": "trade"}),
        ("V-47", "bonus_mode", "off", {"earned": False}),
        ("V-52", "win_value_bonus", 3, {"coins": 13, "reputation": 0}),
        ("V-62", "prep_exclusive", False, {"allowed": [True] * 6}),
        ("V-67", "upkeep_counts_pups", True, {"due": [2, 1]}),
        ("V-68", "upkeep_divisor", 0, {"due": [0]}),
        ("V-63", "prep_dice", 3, {"base": 1, "traits": 4, "prep": 3, "dice": 8}),
        ("V-100", "solo_target", 61, {"success": [False, False, False]}),
    ],
)
def test_a_parameter_changes_the_answer(id_: str, name: str, value: Any, out: dict[str, Any]) -> None:
    [vector] = [vector for vector in VECTOR_LIST if vector["id"] == id_]
    assert run_vector(vector | {"in": vector["in"] | {name: value}}) == out


# ------------------------------------------------------------------------------------------ rules


def test_parameters_are_those_of_the_sample_with_its_values() -> None:
    told = json.loads(EXAMPLE[0])["rules"]
    changed = {"event_deck_size": 6, "solo_target": 7, "solo_rounds": 6}
    assert resolve(1, changed) == {"mode": "solo", "players": 1} | told
    assert len(NAMES) == len(set(NAMES)) == len(told) == 47


@pytest.mark.parametrize(
    ("players", "given", "mode"),
    [
        (1, {}, "solo"),
        (2, {}, "competitive"),
        (4, {}, "competitive"),
        (4, {"mode": "team"}, "team"),
        (6, {"mode": "team"}, "team"),
        (6, {"off_book_players": True}, "competitive"),
        (5, {"off_book_players": True}, "competitive"),
    ],
)
def test_modes(players: int, given: dict[str, Any], mode: str) -> None:
    assert resolve(players, given)["mode"] == mode


@pytest.mark.parametrize(
    ("players", "given", "names"),
    [
        (0, {}, ["players", "mode"]),
        (7, {"off_book_players": True}, ["players", "mode"]),
        (5, {}, ["players", "mode"]),
        (6, {}, ["players", "mode"]),
        (1, {"mode": "competitive"}, ["players", "mode"]),
        (2, {"mode": "solo"}, ["players", "mode"]),
        (5, {"mode": "team", "off_book_players": True}, ["players", "mode"]),
        (2, {"mode": "team"}, ["players", "mode"]),
        (2, {"mode": "duel"}, ["mode"]),
        (True, {}, ["players"]),
        (2, {"wings": 2}, ["wings"]),
        (2, {"players": 2}, ["players"]),
        (2, {"start_coins": 100}, ["start_coins"]),
        (2, {"start_coins": -1}, ["start_coins"]),
        (2, {"start_coins": True}, ["start_coins"]),
        (2, {"start_coins": 5.0}, ["start_coins"]),
        (2, {"pups_sellable": 1}, ["pups_sellable"]),
        (2, {"stud_deal": "never"}, ["stud_deal"]),
        (2, {"stud_deal": 1}, ["stud_deal"]),
        (2, {"hire_deal": None}, ["hire_deal"]),
        (2, {"trait_rule": "sum"}, ["trait_rule", "trait_cap"]),
        (2, {"litter_table": [0, 1, 1, 2, 2]}, ["litter_table"]),
        (2, {"litter_table": [0, 1, 1, 2, 2, 7]}, ["litter_table"]),
        (2, {"litter_table": [0, 1, 1, 2, 2, True]}, ["litter_table"]),
        (2, {"litter_table": 3}, ["litter_table"]),
        (2, {"litter_probs": [0.5, 0.4]}, ["litter_probs"]),
        (2, {"litter_probs": [1.5, -0.5]}, ["litter_probs"]),
        (2, {"litter_probs": [0.125] * 8}, ["litter_probs"]),
        (2, {"litter_probs": [math.nan]}, ["litter_probs"]),
        (2, {"litter_probs": ["1"]}, ["litter_probs"]),
        (2, {"litter_probs": 1.0}, ["litter_probs"]),
    ],
)
def test_rules_rejected(players: int, given: dict[str, Any], names: list[str]) -> None:
    with pytest.raises(RulesError) as caught:
        resolve(players, given)
    assert caught.value.names == names


def test_bounds_themselves_are_accepted() -> None:
    for name, value in extremes():
        assert resolve(2, with_company(name, value))[name] == value


DECK_FAULTS: list[tuple[str, str, int, dict[str, Any]]] = [
    ("id stands twice", "dogs", 1, {"id": "puli_m1"}),
    ("id of another file", "customers", 0, {"id": "puli_m1"}),
    ("id with a blank", "events", 0, {"id": "ev 1"}),
    ("unknown event type of a character", "characters", 0, {"prep": ["hunt"]}),
    ("event type twice", "characters", 0, {"prep": ["work", "work"]}),
    ("unknown sex", "dogs", 0, {"sex": "puppy"}),
    ("price too high", "dogs", 0, {"price": 51}),
    ("one trait only", "dogs", 0, {"traits": {"speed": 1}}),
    ("unknown trait", "dogs", 0, {"traits": {"speed": 1, "wings": 1}}),
    ("seven dice", "dogs", 0, {"traits": {"speed": 7, "balance": 1}}),
    ("no dice", "dogs", 0, {"traits": {"speed": 0, "balance": 1}}),
    ("customer wants an unknown breed", "customers", 0, {"breed": "zebra"}),
    ("customer wants an unknown sex", "customers", 0, {"sex": "puppy"}),
    (
        "reward from nothing",
        "customers",
        0,
        {"bonuses": [{"trait": "speed", "min": 0, "coins": 1, "reputation": 0}]},
    ),
    (
        "reward that costs",
        "customers",
        0,
        {"bonuses": [{"trait": "speed", "min": 1, "coins": -1, "reputation": 0}]},
    ),
    (
        "three rewards",
        "customers",
        0,
        {"bonuses": [{"trait": "speed", "min": 1, "coins": 1, "reputation": 0}] * 3},
    ),
    ("unknown type", "events", 0, {"type": "hunt"}),
    ("no traits", "events", 0, {"traits": []}),
    ("trait twice", "events", 0, {"traits": ["speed", "speed"]}),
    ("target 1", "events", 0, {"target": 1}),
    ("target 7", "events", 0, {"target": 7}),
    ("none required", "events", 0, {"required": 0}),
    ("dear event", "events", 0, {"cost": 21}),
    ("rich event", "events", 0, {"reputation": 51}),
]


@pytest.mark.parametrize(
    ("kind", "at", "change"), [f[1:] for f in DECK_FAULTS], ids=[f[0] for f in DECK_FAULTS]
)
def test_decks_rejected(kind: str, at: int, change: dict[str, Any]) -> None:
    assert rules_of.deck_faults(resolve(4), DECKS) == []
    decks = copy.deepcopy(DECKS)
    decks[kind][at] |= change
    assert rules_of.deck_faults(resolve(4), decks) != []


def test_decks_that_are_too_small() -> None:
    for kind, size in (("characters", 3), ("events", 23), ("dogs", 3)):
        assert rules_of.deck_faults(resolve(4), DECKS | {kind: DECKS[kind][:size]}) != []


def test_orders_that_are_not_made_of_the_deck_are_refused() -> None:
    rules = resolve(2)
    orders = rules_of.shuffled_orders(rules, DECKS, random.Random(1))
    spoiled: list[dict[str, Any]] = [
        {"character_order": orders["character_order"][1:]},
        {"customer_order": [*orders["customer_order"][1:], "cu_none"]},
        {"event_order": orders["event_order"][1:]},
        {"event_order": [orders["event_order"][1], *orders["event_order"][1:]]},
        {"dog_order": {"puli": orders["dog_order"]["puli"]}},
        {"dog_order": orders["dog_order"] | {"puli": orders["dog_order"]["mudi"]}},
    ]
    for change in spoiled:
        with pytest.raises(RulesError):
            Game(rules, DECKS, orders | change, Rolled(random.Random(1)))


# ------------------------------------------------------------------------------------ sample trace


def dump(line: dict[str, Any]) -> str:
    return json.dumps(line, separators=(",", ":"))


def parsed(texts: list[str] = EXAMPLE) -> Lines:
    return [json.loads(text) for text in texts]


def test_sample_is_accepted() -> None:
    assert check_trace(EXAMPLE) == []
    assert check_trace("\n".join(EXAMPLE) + "\n") == []
    assert check_trace([text + "\n" for text in EXAMPLE * 2]) == []
    assert check_trace([]) == []


def test_sample_is_written_by_the_referee_to_the_letter() -> None:
    """Each action written down here by its code; only the order of keys is free (8)."""
    head, setup = parsed()[:2]
    orders = {name: setup[name] for name in setup if name.endswith("_order")}
    lines = parsed()[1:]
    told = Told(lambda: lines[len(game.events) if started else 0 :])
    started = False
    rules = resolve(1, head["rules"])
    game = Game(rules, head["decks"], orders, told)
    started = True
    agar_f2, agar_m1 = 1, 2
    codes = [
        *(encode(ENTER, 0, 0), encode(DRAW_DOG)),
        *(encode(COIN), encode(BUY, agar_m1)),
        *(encode(MATE, 0, agar_m1), encode(COIN)),
        *(encode(BIRTH, 0), encode(ENTER, agar_m1, NOBODY)),
        *(encode(COIN), encode(COIN), encode(COIN)),
        *(encode(DRAW_CUSTOMER), encode(SELL_CUSTOMER, agar_f2, 0)),
    ]
    for code in codes:
        game.apply(code)
    assert game.over
    assert parsed(game.trace(7, 0, ["by_hand"])) == parsed()


def test_decisions_of_the_sample() -> None:
    decisions = decisions_of(EXAMPLE)
    assert Counter(decision["point"] for decision in decisions) == {"D-1": 1, "D-2": 12, "D-3": 2, "D-4": 1}
    assert all(decision["code"] in decision["options"] for decision in decisions)
    assert [d["options"] for d in decisions if d["point"] == "D-3"] == [[PASS], [PASS]]


def test_fragments_are_well_formed_and_their_numbers_are_right() -> None:
    for text in FRAGMENTS:
        assert read_line(text)[1] == []
    fragments = parsed(FRAGMENTS)
    dog = {card["id"]: card for card in DECKS["dogs"]}
    # the dice and the tie of the contest
    contest = fragments[-1]
    game = Game.at(resolve(3), DECKS, Told(lambda: [contest]), round=9, current="ev_show_3")
    for entry in contest["entries"]:
        game.kennels[entry["player"]].append(Dog(entry["dog"], entry["player"]))
        preparer = 1 if entry["prep"] else None
        game.entered.append({"player": entry["player"], "dog": entry["dog"], "preparer": preparer})
    game._hold_contest()
    assert game.events == [contest]
    # the stud fee and what the pups inherit
    mating = fragments[3]
    traits = [rules_of.as_vector(dog[mating[who]]["traits"]) for who in ("mother", "father")]
    inherited = rules_of.inherit(resolve(2), *traits)
    assert rules_of.as_object(inherited) == mating["inherited"]
    assert rules_of.stud_fee(resolve(2), inherited, own_side=False) == mating["fee"]
    # the list price of an unwon dog, and who may stand in a refill
    assert dog[fragments[4]["dog"]]["price"] == fragments[4]["price"]
    assert {dog[card]["breed"] for card in fragments[5]["order"]} == {fragments[5]["breed"]}


def test_refused_hirings_of_the_fragments_are_written_in_a_game() -> None:
    """Player 0 refuses the first dog, player 1 agrees, then refuses the second, which goes unprepared."""
    game = Game.at(resolve(3), DECKS, round=9, current="ev_show_3", active=2, n=1)
    game.characters = ["ch_groomer", "ch_show_handler", "ch_trainer"]
    puli_f1, puli_m2 = game.number["puli_f1"], game.number["puli_m2"]
    game.kennels[2] = [Dog("puli_f1", 2), Dog("puli_m2", 2)]
    game._start(game._enter(game.kennels[2][0], 0))
    assert (game.decision, game.player) == ("D-6", 0)
    game.apply(encode(CONSENT, 0))
    assert game.over
    assert game.events == [parsed(FRAGMENTS)[0]]
    game._start(game._enter(game.kennels[2][0], 1))
    game.apply(encode(CONSENT, 1))
    more = [encode(ENTER_MORE, puli_m2, 1), encode(ENTER_MORE, puli_m2, NOBODY)]
    assert game.legal_actions() == [PASS, *more]
    game.apply(more[0])
    game.apply(encode(CONSENT, 0))
    assert game.legal_actions() == [PASS, more[1]]
    game.apply(more[1])
    game.apply(PASS)
    assert game.events == parsed(FRAGMENTS)[:3]
    assert game.coins == [5, 6, 2]
    assert puli_f1 == 6


# --------------------------------------------------------------------------------- faults planted by hand


def places_in(value: Any) -> Iterator[tuple[Any, ...]]:
    """The path to every value in an object that is no list or object with something in it."""
    entries = value.items() if isinstance(value, dict) else enumerate(value)
    for key, entry in entries:
        if isinstance(entry, dict | list) and entry:
            yield from ((key, *path) for path in places_in(entry))
        elif key != "event":
            yield (key,)


def put(value: Any, path: tuple[Any, ...], new: Any) -> None:
    for key in path[:-1]:
        value = value[key]
    value[path[-1]] = new


def look_up(value: Any, path: tuple[Any, ...]) -> Any:
    for key in path:
        value = value[key]
    return value


WORDS = [
    ["dogs", "customers"],
    ["deck", "discard"],
    ["customer", "player"],
    ["adult", "pup"],
    ["sale", "stud", "hire"],
    ["winner", "bottom", "removed"],
    ["target", "solo_rounds", "events_exhausted", "round_cap"],
    ["coin", "draw_dog", "draw_customer", "trade", "mate", "birth", "enter"],
]


def another(path: tuple[Any, ...], value: Any) -> Any:
    """A value that is different, of the same type where there is one."""
    if any(part in ("dice", "die", "rolls") for part in path):
        return 7
    if isinstance(value, bool):
        return not value
    if isinstance(value, int | float):
        return value + 1
    for words in WORDS:
        if value in words:
            return words[(words.index(value) + 1) % len(words)]
    if isinstance(value, str):
        return "zebra"
    return {"zebra": 1} if isinstance(value, dict) else ["zebra"] if isinstance(value, list) else 0


def test_every_value_of_the_sample_matters() -> None:
    """Whatever single value after the header is changed, the trace is wrong."""
    tried = 0
    for number, line in enumerate(parsed()[1:], start=1):
        for path in places_in(line):
            bad = copy.deepcopy(line)
            put(bad, path, another(path, look_up(line, path)))
            assert check_trace([*EXAMPLE[:number], dump(bad), *EXAMPLE[number + 1 :]]) != [], (number, path)
            tried += 1
    assert tried == 599


def test_every_line_of_the_sample_matters() -> None:
    for number in range(len(EXAMPLE)):
        assert check_trace(EXAMPLE[:number] + EXAMPLE[number + 1 :]) != [], number + 1
        assert check_trace(EXAMPLE[: number + 1] + EXAMPLE[number:]) != [], number + 1
    for number in range(len(EXAMPLE) - 1):
        turned = [*EXAMPLE[:number], EXAMPLE[number + 1], EXAMPLE[number], *EXAMPLE[number + 2 :]]
        assert (check_trace(turned) != []) == (turned != EXAMPLE), number + 1
    for length in range(1, len(EXAMPLE)):
        assert check_trace(EXAMPLE[:length]) != []


def edited(number: int, **fields: Any) -> Callable[[Lines], Lines]:
    """Change fields of the line with this number, from 1."""

    def edit(lines: Lines) -> Lines:
        lines[number - 1].update(fields)
        return lines

    return edit


def changed(number: int, *path_and_value: Any) -> Callable[[Lines], Lines]:
    """Change a value deep in the line with this number."""

    def edit(lines: Lines) -> Lines:
        put(lines[number - 1], path_and_value[:-1], path_and_value[-1])
        return lines

    return edit


def ruled(**rules: Any) -> Callable[[Lines], Lines]:
    """Other rules in the header."""

    def edit(lines: Lines) -> Lines:
        lines[0]["rules"] |= rules
        return lines

    return edit


def without(number: int) -> Callable[[Lines], Lines]:
    return lambda lines: lines[: number - 1] + lines[number:]


def lacking(number: int, *path: Any) -> Callable[[Lines], Lines]:
    """A field deep in the line with this number taken away."""

    def edit(lines: Lines) -> Lines:
        del look_up(lines[number - 1], path[:-1])[path[-1]]
        return lines

    return edit


def added(number: int, **line: Any) -> Callable[[Lines], Lines]:
    """A new line before the one with this number."""
    return lambda lines: [*lines[: number - 1], line, *lines[number - 1 :]]


GROW = {"event": "grow_up", "player": 0, "pups": [], "mothers": []}
REFUSED = {"event": "refuse", "player": 0, "n": 1, "deal": "hire", "other": 0, "dog": "agar_f1"}
REFUSED |= {"mother": None, "price": 1, "after": 0}
REFILL = {"event": "refill", "deck": "customers", "breed": None, "order": ["cu_runner"]}
COINS = {"event": "coin", "player": 0, "n": 1, "bonus": False, "amount": 1, "coins": 3}
BONUS = {"event": "bonus_action", "player": 0, "kind": "coin", "breed": None, "count": 1}
ENTRY = {"dog": "agar_f1", "preparer": None, "entry_cost": 1, "prep_fee": 0}

# what is wrong, the line complained of, the edit
FAULTS: list[tuple[str, int, Callable[[Lines], Lines]]] = [
    # those that the contract names
    ("entry fee not paid", 5, edited(5, coins=5)),
    ("too much inherited", 19, changed(19, "inherited", "speed", 2)),
    ("a second roll of the litter", 26, edited(26, rolls=[4, 5])),
    ("pups that were not on top", 26, edited(26, pups=["agar_m2", "agar_f2"])),
    ("a nursing dog entered", 27, changed(27, "entries", 0, "dog", "agar_f1")),
    ("a bonus nobody wrote down", 36, without(36)),
    ("upkeep forgotten", 38, edited(38, due=0)),
    ("reward forgotten", 44, edited(44, bonus_coins=0)),
    ("a win that is none", 48, edited(48, win_shares=[0.0])),
    ("a win forgotten", 9, changed(9, "state", "players", 0, "kennel", 0, "wins", 0)),
    ("a field added", 12, edited(12, note="")),
    # header
    ("another schema", 1, edited(1, schema="kennelmester-trace/2")),
    ("another mode", 1, edited(1, mode="team")),
    ("an unknown mode", 1, edited(1, mode="duel")),
    ("two players in solo", 1, edited(1, n_players=2)),
    ("wrong sides", 1, edited(1, sides=[1])),
    ("a game before the first", 1, edited(1, game_index=-1)),
    ("a seed that is a word", 1, edited(1, seed="seven")),
    ("policies for another table", 1, edited(1, policies=["a", "b"])),
    ("parameter out of bounds", 1, ruled(hand_limit=0)),
    ("unknown parameter", 1, ruled(wings=2)),
    ("the mode among the parameters", 1, ruled(mode="solo")),
    ("parameter missing", 1, lacking(1, "rules", "trait_cap")),
    ("parameter of another type", 1, ruled(upkeep_fee=1.0)),
    ("impossible combination", 1, ruled(trait_rule="sum")),
    ("more events than there are", 1, ruled(event_deck_size=7)),
    ("a value of the bargain missing", 1, lacking(1, "bargain", "val_die")),
    ("a ninth value of the bargain", 1, changed(1, "bargain", "val_wings", 1)),
    ("a value of the bargain out of bounds", 1, changed(1, "bargain", "val_die", 1000.5)),
    ("a card twice", 1, changed(1, "decks", "dogs", 0, "id", "agar_f2")),
    ("an unknown trait", 1, changed(1, "decks", "events", 0, "traits", ["wings"])),
    ("a trait with zero dice", 1, changed(1, "decks", "dogs", 0, "traits", "balance", 0)),
    ("a deck more", 1, changed(1, "decks", "cats", [])),
    # setup
    ("a character missing", 2, edited(2, character_order=[])),
    ("a customer missing", 2, edited(2, customer_order=["cu_runner"])),
    ("an event twice", 2, changed(2, "event_order", 1, "ev_show_a")),
    ("another dog on top", 2, changed(2, "dog_order", "agar", ["agar_m1", "agar_f1", "agar_f2", "agar_m2"])),
    ("a dog of another breed", 2, edited(2, dog_order={"puli": ["agar_f1"]})),
    ("an unknown breed named", 2, changed(2, "players", 0, "breeds", ["puli"])),
    ("no breed named", 2, changed(2, "players", 0, "breeds", [])),
    ("two breeds named", 2, changed(2, "players", 0, "breeds", ["agar", "agar"])),
    ("too many coins at the start", 2, edited(2, coins=[6])),
    ("another start with other rules", 2, ruled(start_coins=6)),
    ("a second starting dog due", 2, ruled(start_dogs=2)),
    # rounds and turns
    ("a card that is not on top", 3, edited(3, card="ev_sport_a")),
    ("another starter", 3, edited(3, starter=1)),
    ("the wrong round", 10, edited(10, round=3)),
    ("somebody else's turn", 4, edited(4, player=1)),
    ("growing up of nobody", 5, added(5, **GROW)),
    ("growing up forgotten", 33, without(33)),
    ("a pup that did not grow up", 33, edited(33, pups=["agar_m2"])),
    ("pups out of kennel order", 33, edited(33, pups=["agar_m2", "agar_f2"])),
    ("pups that take longer", 33, ruled(grow_rounds=2)),
    ("a mother not free", 33, edited(33, mothers=[])),
    ("a third action", 7, added(7, **COINS)),
    ("one action only", 6, without(6)),
    ("three actions due", 7, ruled(actions_per_turn=3)),
    ("an action of somebody else", 12, edited(12, player=1)),
    ("the wrong number of an action", 12, edited(12, n=2)),
    ("a bonus not earned", 14, added(14, **BONUS)),
    ("a bonus where there is none", 36, ruled(bonus_mode="off")),
    ("a bonus of another kind", 36, edited(36, kind="trade")),
    ("a bonus tied to a breed", 36, edited(36, breed="agar")),
    ("two bonus actions allowed", 36, edited(36, count=2)),
    ("a bonus action that is none", 37, edited(37, bonus=False)),
    ("a bonus action of another kind", 37, edited(37, event="draw", deck="customers")),
    # actions
    ("two coins taken", 12, edited(12, amount=2)),
    ("two coins due", 12, ruled(coin_amount=2)),
    ("a card that is not on top of the deck", 6, edited(6, card="agar_m2")),
    ("a draw from empty discards", 6, edited(6, source="discard")),
    ("a draw of an unknown breed", 6, edited(6, breed="puli")),
    ("a refill that nobody needs", 43, added(43, **REFILL)),
    ("a dog bought that nobody holds", 13, edited(13, dog="agar_m2")),
    ("a dog bought too cheap", 13, edited(13, price=4)),
    ("a dog that cannot be paid", 13, ruled(coin_amount=0, start_coins=4)),
    ("a fee for an own male", 19, edited(19, fee=1)),
    ("a male of nobody", 19, edited(19, father="agar_m2")),
    ("a mating of two females", 19, edited(19, father="agar_f1")),
    ("a free mating that is an action", 19, edited(19, free=True)),
    ("the wrong owner", 19, edited(19, father_owner=1)),
    ("a pup where inheritance is off", 19, ruled(trait_rule="off")),
    ("a litter that the die does not give", 26, edited(26, litter=1)),
    ("a face that no die has", 26, edited(26, rolls=[0])),
    ("no die rolled", 26, edited(26, rolls=[])),
    ("another table", 26, ruled(litter_table=[0, 1, 1, 2, 1, 3])),
    ("a litter that is drawn", 26, ruled(litter_probs=[0.5, 0.5])),
    ("a birth before its time", 26, ruled(gestation_rounds=2)),
    ("a birth that is no action", 26, ruled(birth_costs_action=False)),
    ("one pup only", 26, edited(26, pups=["agar_f2"])),
    ("another father", 26, edited(26, father="agar_f1")),
    ("the wrong inheritance at the birth", 26, changed(26, "inherited", "speed", 2)),
    ("another event entered", 5, edited(5, card="ev_sport_a")),
    ("nothing entered", 5, edited(5, entries=[])),
    ("a dog entered twice", 5, changed(5, "entries", [ENTRY, ENTRY])),
    ("a preparer who is not there", 5, changed(5, "entries", 0, "preparer", 1)),
    ("a preparation without the profession", 27, changed(27, "entries", 0, "preparer", 0)),
    ("an entry for nothing", 5, changed(5, "entries", 0, "entry_cost", 0)),
    ("a fee for own help", 5, changed(5, "entries", 0, "prep_fee", 1)),
    ("a refusal by oneself", 5, added(5, **REFUSED)),
    ("a sale without the customer", 44, edited(44, customer="cu_any")),
    ("a sale of a dog that is not there", 44, edited(44, dog="puli_m1")),
    ("a sale of another dog", 44, edited(44, dog="agar_m1")),
    ("a grown dog sold as a pup", 44, edited(44, pup=True)),
    ("a sale to a player in solo", 44, edited(44, to="player")),
    ("a buyer beside the customer", 44, edited(44, buyer=0)),
    ("a price above the value", 44, edited(44, price=5)),
    ("reputation forgotten", 44, edited(44, reputation=0)),
    ("a sale that was forced", 44, edited(44, forced=True)),
    # upkeep, contest, end
    ("upkeep not paid", 38, edited(38, paid=0)),
    ("upkeep waived", 38, edited(38, waived=1)),
    ("a dog not counted", 38, edited(38, dogs=3)),
    ("another divisor", 14, ruled(upkeep_divisor=2)),
    ("no upkeep line", 7, without(7)),
    ("a die too many", 8, changed(8, "entries", 0, "dice", [2, 4, 6, 1, 1])),
    ("a die too few", 29, changed(29, "entries", 0, "dice", [5, 3])),
    ("another die", 8, changed(8, "entries", 0, "dice", [2, 4, 5, 1])),
    ("no preparation die", 8, changed(8, "entries", 0, "prep", 0)),
    ("no base die", 8, changed(8, "entries", 0, "base", 0)),
    ("another count of trait dice", 8, changed(8, "entries", 0, "traits", 3)),
    ("a success too many", 8, changed(8, "entries", 0, "successes", 3)),
    ("disqualified", 8, changed(8, "entries", 0, "qualified", False)),
    ("another result", 8, changed(8, "entries", 0, "result", 11)),
    ("an entry forgotten", 8, edited(8, entries=[])),
    ("an entry of a dog that stayed at home", 15, edited(15, entries=parsed()[7]["entries"])),
    ("a tie that is none", 8, edited(8, rerolls=[[{"dog": "agar_f1", "die": 3}]])),
    ("no winner", 8, edited(8, winner=None)),
    ("another prize", 8, edited(8, reputation=3)),
    ("the card under the deck", 15, edited(15, card_to="bottom")),
    ("unwon events come back", 15, ruled(unwon_event="bottom")),
    ("other reputation", 9, edited(9, reputation=[3])),
    ("other coins", 9, edited(9, coins=[5])),
    ("events lost", 9, edited(9, events_left=4)),
    ("an end too early", 40, edited(40, game_over=True, reason="solo_rounds")),
    ("an end without reason", 47, edited(47, reason=None)),
    ("another reason", 47, edited(47, reason="events_exhausted")),
    ("a round more", 47, ruled(solo_rounds=7)),
    ("a round less", 40, ruled(solo_rounds=5)),
    ("an earlier cap", 16, ruled(round_cap=2)),
    ("a dog record without stage", 9, lacking(9, "state", "players", 0, "kennel", 0, "stage")),
    ("a zero in a trait vector", 9, changed(9, "state", "players", 0, "kennel", 0, "total", "instinct", 0)),
    ("an unborn pregnancy", 23, changed(23, "state", "players", 0, "kennel", 0, "pregnancy", None)),
    ("another card in the hand", 9, changed(9, "state", "players", 0, "hand_dogs", ["agar_m2"])),
    ("event deck in another order", 9, lambda lines: turned_event_deck(lines)),
    ("the wrong number of rounds", 48, edited(48, rounds=5)),
    ("another target", 48, edited(48, target=48)),
    ("a target missed", 48, ruled(solo_target=8)),
    ("a line after the end", 49, lambda lines: [*lines, lines[36]]),
]


def turned_event_deck(lines: Lines) -> Lines:
    lines[8]["state"]["event_deck"].reverse()
    return lines


@pytest.mark.parametrize(("number", "edit"), [f[1:] for f in FAULTS], ids=[f[0] for f in FAULTS])
def test_planted_fault(number: int, edit: Callable[[Lines], Lines]) -> None:
    complaints = check_trace([dump(line) for line in edit(parsed())])
    assert any(f", line {number}:" in complaint for complaint in complaints), complaints


TEXT_FAULTS: list[tuple[str, int, Callable[[str], str]]] = [
    ("a key twice", 4, lambda text: text[:-1] + ',"player":0}'),
    ("a key twice in rules", 1, lambda text: text.replace('"rules":{', '"rules":{"trait_cap":0,')),
    ("an integer with a decimal point", 3, lambda text: text.replace('"round":1', '"round":1.0')),
    ("an integer with an exponent", 3, lambda text: text.replace('"round":1', '"round":1e0')),
    ("true for 1", 3, lambda text: text.replace('"round":1', '"round":true')),
    ("0 for false", 12, lambda text: text.replace('"bonus":false', '"bonus":0')),
    ("NaN", 48, lambda text: text.replace("[1.0]", "[NaN]")),
    ("an infinity", 48, lambda text: text.replace("[1.0]", "[Infinity]")),
    ("a number without bounds", 48, lambda text: text.replace("[1.0]", "[1e999]")),
    ("an empty line", 4, lambda _: ""),
    ("a list", 4, lambda _: "[]"),
    ("an object without event", 4, lambda _: "{}"),
    ("an unknown event", 4, lambda text: text.replace("turn_start", "turn_begin")),
    ("a line cut off", 4, lambda text: text[:-1]),
    ("two objects in a line", 4, lambda text: text + text),
    ("a line break in a line", 4, lambda text: text.replace(",", ",\n")),
    ("a byte-order mark", 1, lambda text: "\ufeff" + text),
    ("brackets without end", 4, lambda _: "[" * 100000),
]


@pytest.mark.parametrize(("number", "edit"), [f[1:] for f in TEXT_FAULTS], ids=[f[0] for f in TEXT_FAULTS])
def test_planted_fault_in_the_text(number: int, edit: Callable[[str], str]) -> None:
    texts = list(EXAMPLE)
    texts[number - 1] = edit(texts[number - 1])
    complaints = check_trace(texts)
    assert complaints
    assert f", line {number}:" in complaints[0]


def test_what_a_trace_may_do_as_it_likes() -> None:
    """Order of keys; seed, index and policies; 1 for 1.0; values of the bargain that decide nothing."""
    lines = [dict(reversed(line.items())) for line in parsed()]
    lines[0]["rules"] = dict(reversed(lines[0]["rules"].items()))
    lines[0] |= {"seed": -(2**63), "game_index": 12, "policies": ["anything"]}
    lines[0]["bargain"] |= {"val_die": 1000, "val_rival": -1000.0}
    lines[-1]["win_shares"] = [1]
    assert check_trace([dump(line) for line in lines]) == []
    lines[-1]["win_shares"] = [1 - 9e-13]
    assert check_trace([dump(line) for line in lines]) == []
    lines[-1]["win_shares"] = [1 - 1.1e-12]
    assert len(check_trace([dump(line) for line in lines])) == 1


def test_lines_outside_of_every_game() -> None:
    assert check_trace(EXAMPLE[1:2]) == ["no game, line 1: the line stands outside of every game"]
    assert check_trace([None, 5, *EXAMPLE]) != []  # type: ignore[list-item]


# ------------------------------------------------------------------------------------ random play

TABLES = [(1, "solo"), *((n, "competitive") for n in (2, 3, 4, 5, 6)), (4, "team"), (6, "team")]


def at_table(number: int) -> tuple[int, dict[str, Any]]:
    """Players and overrides of a mode and number of players, in turn."""
    players, mode = TABLES[number % len(TABLES)]
    return players, {"mode": mode, "off_book_players": players > 4}


def small_decks() -> Decks:
    """Two breeds of five dogs, few customers and events: decks run out."""
    keep = [f"{breed}_{card}" for breed in ("puli", "mudi") for card in ("m1", "m2", "f1", "f3", "f6")]
    return {
        "characters": DECKS["characters"],
        "dogs": [card for card in DECKS["dogs"] if card["id"] in keep],
        "customers": [card for card in DECKS["customers"] if card["breed"] in (None, "puli")][::3],
        "events": DECKS["events"][::3],
    }


SMALL = small_decks()
BREEDERS = {
    "start_dogs": 3,
    "actions_per_turn": 5,
    "start_coins": 30,
    "litter_table": [2] * 6,
    "solo_rounds": 4,
}
FAME = {"end_check": "immediate", "base_dice": 0, "prep_dice": 0, "actions_per_turn": 6}
POOR_START = {"litter_table": [3, 3, 4, 4, 6, 6], "upkeep_divisor": 1, "upkeep_fee": 3}


def extremes() -> list[tuple[str, Any]]:
    """The lowest and highest value or each word of every parameter."""
    found: list[tuple[str, Any]] = [("litter_table", [pups] * 6) for pups in (0, 6)]
    found += [("litter_probs", probs) for probs in ([], [1.0], [0.25, 0.25, 0, 0.5], [0] * 6 + [1.0])]
    for name, default, bounds in PARAMETERS:
        if name in ("litter_table", "litter_probs"):
            continue
        if isinstance(default, bool):
            found += [(name, True), (name, False)]
        elif isinstance(default, str):
            found += [(name, word) for word in bounds]
        elif name == "event_deck_size":
            found += [(name, 1), (name, 24)]
        else:
            found += [(name, bound) for bound in bounds]
    return found


def with_company(name: str, value: Any) -> dict[str, Any]:
    """The override with what it needs beside it."""
    return {name: value} | ({"trait_cap": 4} if (name, value) == ("trait_rule", "sum") else {})


BY_HAND: list[dict[str, Any]] = [
    {"litter_zero_retry": "free", "litter_table": [0, 0, 0, 0, 0, 2], "stud_deal": "ask", "start_dogs": 3},
    {"litter_zero_retry": "free", "birth_costs_action": False, "litter_table": [0, 0, 0, 0, 1, 1]},
    {"litter_zero_retry": "free", "birth_costs_action": False, "gestation_rounds": 0, "stud_deal": "ask"},
    {"litter_zero_retry": "reroll", "litter_table": [0, 0, 0, 1, 1, 2], "grow_rounds": 0},
    {"litter_zero_retry": "reroll", "litter_probs": [0.7, 0.1, 0.2], "start_dogs": 2},
    {
        "litter_zero_retry": "none",
        "gestation_rounds": 0,
        "grow_rounds": 0,
        "litter_table": [0, 0, 0, 0, 1, 6],
    },
    POOR_START | {"start_dogs": 3, "start_coins": 1, "sale_price_rule": "split"},
    POOR_START | {"start_dogs": 3, "hire_deal": "auto", "profession_match": "any", "pups_sellable": False},
    POOR_START | {"upkeep_counts_pups": True, "birth_costs_action": False, "spent_cards": "remove"},
    {"sale_price_rule": "split", "start_coins": 20, "start_dogs": 2, "prep_exclusive": False},
    {"profession_match": "any", "start_dogs": 3, "start_coins": 30, "base_dice": 3, "prep_fee": 3},
    {"profession_match": "any", "start_dogs": 3, "prep_exclusive": False, "base_dice": 2, "hire_deal": "ask"},
    {"hand_limit": 1, "hand_limit_check": "turn_end", "discard_access": "top", "actions_per_turn": 4},
    {"hand_limit": 2, "discard_access": "any", "spent_cards": "discard", "actions_per_turn": 3},
    {"end_check": "immediate", "reputation_target": 3, "team_target": 5, "base_dice": 4, "start_dogs": 2},
    {"bonus_mode": "any", "bonus_actions": 3, "actions_per_turn": 1, "start_coins": 20},
    {"bonus_actions": 2, "bonus_trade_same_breed": False, "bonus_draw_same_breed": True, "start_coins": 30},
    {
        "trait_rule": "sum",
        "trait_cap": 7,
        "litter_table": [2] * 6,
        "start_dogs": 3,
        "inherit_accumulates": True,
    },
    {
        "trait_rule": "max",
        "inherit_accumulates": False,
        "trait_cap": 3,
        "litter_table": [2] * 6,
        "start_dogs": 3,
    },
    {"base_dice": 0, "prep_dice": 0, "unwon_event": "bottom", "tie_break": "coins"},
    {"unwon_event": "remove", "event_deck_size": 5, "tie_break": "coins"},
    {"stud_deal": "off", "sale_deal": "off", "hire_deal": "off", "start_dogs": 2},
    BREEDERS | {"litter_zero_retry": "reroll", "litter_table": [0, 0, 0, 2, 3, 4]},
    BREEDERS | {"grow_rounds": 0, "gestation_rounds": 0},
    BREEDERS | {"litter_zero_retry": "free", "litter_table": [0, 0, 0, 0, 2, 2]},
    BREEDERS | POOR_START | {"start_coins": 3},
    BREEDERS | POOR_START | {"start_coins": 5, "sale_deal": "off", "grow_rounds": 3},
    BREEDERS | {"grow_rounds": 2, "birth_costs_action": False},
    BREEDERS | FAME | {"reputation_target": 1, "team_target": 2},
    BREEDERS | FAME | {"reputation_target": 2, "team_target": 3, "upkeep_divisor": 1, "upkeep_fee": 5},
]


def rule_sets() -> list[tuple[int, dict[str, Any], bool]]:
    """Players, overrides, and whether the small deck is used; a cap of the rounds keeps games short."""
    sets = []
    for at in range(len(TABLES)):
        players, table = at_table(at)
        sets += [(players, table, False), (players, table | {"event_deck_size": 8}, True)]
    for at, given in enumerate(BY_HAND):
        for step in (0, 3, 5):
            players, table = at_table(at + step)
            sets.append((players, table | {"event_deck_size": 6, "round_cap": 7} | given, step == 5))
    for at, (name, value) in enumerate(extremes()):
        players, table = at_table(at)
        given = {"round_cap": 9} | table | with_company(name, value)
        if name == "off_book_players":
            players, given = (6, given | {"mode": "competitive"}) if value else (4, given | {"mode": "team"})
        if name == "round_cap":
            given |= {"unwon_event": "remove"}
        sets.append((players, given, False))
    for at in range(60):
        chance = random.Random(at)
        players, table = at_table(at)
        given = dict(
            e for e in chance.sample(extremes(), 12) if e[0] not in ("off_book_players", "round_cap")
        )
        if given.get("trait_rule") == "sum":
            given["trait_cap"] = 3
        small = at % 3 == 0
        given |= {"event_deck_size": 8} if small else {}
        sets.append((players, given | table | {"round_cap": chance.choice([4, 8, 12])}, small))
    return sets


RULE_SETS = rule_sets()
CHUNKS = 10


def choose(game: Game, chance: random.Random, by_kind: bool) -> int:
    """An option at random, or a kind at random and then one of its options, more often a low one.

    The second way keeps to few breeds, so that it breeds and trades more.
    """
    options = game.legal_actions()
    if not by_kind:
        return chance.choice(options)
    kind = chance.choice(sorted({decode(code)[0] for code in options}))
    codes = [code for code in options if decode(code)[0] == kind]
    return chance.choice(codes[: chance.choice([1, 2, len(codes)])])


def new_game(index: int, players: int, overrides: dict[str, Any], small: bool) -> tuple[Game, random.Random]:
    chance = random.Random(index)
    enough = len(SMALL["dogs"]) >= players * overrides.get("start_dogs", 1)
    return shuffled_game(players, overrides, SMALL if small and enough else DECKS, chance), chance


def check_cards(game: Game) -> None:
    """Every card is in one place (1.4), every dog in the kennel of its owner."""
    dogs = [
        card
        for piles in (game.dog_decks, game.dog_discards, game.dog_spent)
        for p in piles.values()
        for card in p
    ]
    dogs += [dog.card for kennel in game.kennels for dog in kennel]
    dogs += [card for hand in game.hand_dogs for card in hand]
    customers = [*game.customer_deck, *game.customer_discards, *game.customer_spent]
    customers += [card for hand in game.hand_customers for card in hand]
    events = [*game.event_deck, *game.events_removed, *(card for won in game.events_won for card in won)]
    events += [game.current] if game.current else []
    assert sorted(dogs + customers + game.gone) == sorted(game.dog_ids + game.customer_ids)
    assert sorted(events) == sorted(game.orders["event_order"])
    for breed in game.breeds:
        assert all(game.breed(card) == breed for card in (*game.dog_decks[breed], *game.dog_spent[breed]))
    if game.rules["spent_cards"] != "recycle":
        assert game.customer_spent == []
    if game.rules["spent_cards"] != "remove":
        assert game.gone == []


def check_dogs(game: Game) -> None:
    """1.5 and K-54: what a record can and cannot say."""
    for player, kennel in enumerate(game.kennels):
        for dog in kennel:
            assert dog.owner == player
            assert dog.adult == (dog.born_round is None)
            assert dog.adult or not (dog.wins or dog.used_round or dog.pregnancy or dog.nursing_round)
            assert dog.entered_round <= dog.used_round <= game.round
            if dog.pregnancy is not None:
                assert game.card[dog.card]["sex"] == "female"
                assert dog.pregnancy["round"] == dog.used_round
            assert dog.pregnancy is None or dog.nursing_round is None
            assert not (game.is_idle(dog) and not game.may_leave(dog))
            cap = game.rules["trait_cap"]
            assert cap == 0 or max(game.total(dog)) <= cap


def check_flows(game: Game) -> None:
    """Coins and reputation are what the events of the game say; none is below 0."""
    coins = sum(rules_of.start_coins(game.rules))
    reputation = 0
    wins = 0
    for event in game.events:
        name = event["event"]
        if name == "coin":
            coins += event["amount"]
        elif name == "buy":
            coins -= event["price"]
        elif name == "sell":
            coins += event["price"] + event["bonus_coins"] if event["to"] == "customer" else 0
            reputation += event["reputation"]
        elif name == "enter":
            coins -= sum(entry["entry_cost"] for entry in event["entries"])
        elif name == "upkeep":
            coins -= event["paid"]
            assert event["due"] == event["paid"] + event["waived"]
        elif name == "compete":
            reputation += event["reputation"]
            wins += event["winner"] is not None
    assert sum(game.reputation) == reputation
    assert sum(len(won) for won in game.events_won) == wins
    assert min(game.coins) >= 0
    if not any(event["event"] in ("enter", "refuse") for event in game.events[-1:]):
        entered = sum(entry["entry_cost"] for entry in game.entries)  # paid, but not written down yet
        assert sum(game.coins) == coins - entered


def check_options(game: Game) -> None:
    """6.2, 6.3."""
    options = game.legal_actions()
    kinds = {decode(code)[0] for code in options}
    allowed = {
        "D-1": {18},
        "D-2": set(range(1, 12)),
        "D-3": {0, 12},
        "D-4": set(range(12)),
        "D-5": {13, 14},
        "D-6": {17},
        "D-7": {7, 8, 15, 16},
        "D-8": {0, 9},
    }[game.decision or ""]
    assert 2 <= len(options) < 4096
    assert options == sorted(set(options))
    assert kinds <= allowed
    assert (PASS in kinds) == (game.decision in ("D-3", "D-4", "D-8"))
    assert (game.player == game.active) == (game.decision != "D-6") or game.decision == "D-1"
    if game.decision == "D-2":
        assert COIN in kinds
    if game.rules["mode"] == "solo":
        assert not kinds & {SELL_PLAYER, GIFT, CONSENT}
    else:
        assert RELEASE not in kinds


def check_end(game: Game) -> None:
    """K-90 to K-98."""
    rules, last = game.rules, game.events[-1]
    assert last["event"] == "result"
    sums = last["side_reputation"]
    assert sums == game.side_reputation()
    reached = max(sums) >= last["target"]
    assert abs(sum(last["win_shares"]) - (1 if rules["mode"] != "solo" or reached else 0)) < 1e-9
    if rules["mode"] == "solo":
        assert last["rounds"] <= rules["solo_rounds"]
    else:
        assert (last["reason"] == "target") == reached
        assert sums[last["ranks"].index(1)] == max(sums)
    assert last["rounds"] <= rules["round_cap"]


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_random_play_with_odd_rules(chunk: int) -> None:
    texts: list[str] = []
    for index, (players, overrides, small) in list(enumerate(RULE_SETS))[chunk::CHUNKS]:
        game, chance = new_game(index, players, overrides, small)
        steps = 0
        while not game.over:
            check_options(game)
            if steps % 9 == 0:
                check_cards(game)
                check_dogs(game)
                check_flows(game)
            game.apply(choose(game, chance, by_kind=index % 4 != 0))
            steps += 1
        check_dogs(game)
        check_flows(game)
        check_end(game)
        assert json.loads(json.dumps(game.snapshot())) == game.snapshot()
        assert (game.legal_actions(), game.decision, game.player) == ([], None, None)
        texts += game.trace(7, index)
    assert check_trace(texts) == []


def test_rule_sets_reach_every_bound_and_word_at_every_table() -> None:
    played = [resolve(players, overrides) for players, overrides, _ in RULE_SETS]
    absent = [each for each in extremes() if not any(rules[each[0]] == each[1] for rules in played)]
    assert absent == []
    assert {name for name, _ in extremes()} == set(NAMES)
    assert {(rules["players"], rules["mode"]) for rules in played} == set(TABLES)


@cache
def corpus() -> list[list[str]]:
    """Short traces in which every event and odd case comes up, the shortest first."""
    texts = []
    for index, (players, overrides, small) in enumerate(RULE_SETS[: 16 + 3 * len(BY_HAND)]):
        game, chance = new_game(index, players, {"round_cap": 6} | overrides, small)
        while not game.over:
            game.apply(choose(game, chance, by_kind=True))
        texts.append(game.trace(5, index))
    return sorted(texts, key=len)


def test_random_games_meet_every_case() -> None:
    met: Counter[Any] = Counter()
    for texts in corpus():
        before: dict[str, Any] = {"event": ""}
        for line in parsed(texts):
            event = line["event"]
            met[event] += 1
            if event == "sell":
                met[(line["to"], line["forced"], line["pup"])] += 1
            elif event == "refuse":
                met[
                    (line["deal"], "more" if line["after"] else "first", "forced" if line["n"] == 0 else "")
                ] += 1
            elif event == "mate":
                met[("free", line["free"], "hired" if line["fee"] else "")] += 1
            elif event == "birth":
                met[("rolls", len(line["rolls"]))] += 1
                met["litter 0"] += line["litter"] == 0
                met["short deck"] += len(line["pups"]) < line["litter"]
                met["automatic"] += line["n"] == 0
                met["refill before birth"] += before["event"] == "refill"
            elif event == "grow_up":
                met["grown at once"] += before["event"] == "birth"
            elif event == "draw":
                met[(line["deck"], line["source"], before["event"] == "refill")] += 1
            elif event == "enter":
                met["two dogs"] += len(line["entries"]) > 1
                met["helped"] += any(entry["prep_fee"] for entry in line["entries"])
            elif event == "compete":
                met["tie"] += len(line["rerolls"]) > 0
                met["tied twice"] += len(line["rerolls"]) > 1
                met[line["card_to"]] += 1
            elif event == "upkeep":
                met["waived"] += line["waived"] > 0
            elif event == "bonus_action":
                met["tied bonus"] += line["breed"] is not None
            elif event == "result":
                met[line["reason"]] += 1
                met["ended at once"] += before["event"] == "sell"
                met["shared"] += any(0 < share < 1 for share in line["win_shares"])
            before = line
    due: list[Any] = [*FIELDS, "litter 0", "short deck", "automatic", "refill before birth", "grown at once"]
    due += ["two dogs", "helped", "tie", "tied twice", "winner", "bottom", "removed", "waived", "tied bonus"]
    due += ["target", "solo_rounds", "events_exhausted", "round_cap", "ended at once", "shared"]
    due += [("rolls", count) for count in (0, 1, 2)] + [("free", True, ""), ("free", False, "hired")]
    due += [("customer", False, False), ("customer", False, True), ("customer", True, False)]
    due += [("player", False, False), ("player", True, False), ("customer", True, True)]
    due += [("sale", "first", ""), ("sale", "first", "forced"), ("stud", "first", ""), ("hire", "more", "")]
    due += [(deck, source, again) for deck, source, again in DRAWS]
    absent = [str(case) for case in due if not met[case]]
    assert not absent, ", ".join(absent)


LETTERS = {
    "turn_start": "T",
    "grow_up": "G",
    "birth": "B",
    "mate": "M",
    "refuse": "r",
    "refill": "f",
    "coin": "c",
    "draw": "d",
    "buy": "b",
    "sell": "s",
    "enter": "E",
    "discard": "x",
    "bonus_action": "O",
    "gift": "g",
    "release": "l",
    "upkeep": "U",
}
ACTION = "(?:[cdbsME]|BG?r*M?)"


def turn_pattern(rules: dict[str, Any]) -> str:
    """The grammar of a turn (8.1)."""
    at_once = rules["hand_limit_check"] == "immediate"
    step = f"r*f?{ACTION}" + ("x*" if at_once else "")
    births = "" if rules["birth_costs_action"] else "(?:f?BG?r*M?)*"
    bonus = f"(?:O(?:{step}){{0,{rules['bonus_actions']}}}r*)?"
    steps = f"(?:{step}){{{rules['actions_per_turn']}}}"
    return f"TG?{births}{steps}{bonus}{'' if at_once else 'x*'}[rsgl]*U"


def test_lines_follow_the_grammar() -> None:
    """8.1, said a second time: turns by a pattern, rounds by their names."""
    turns = 0
    for texts in corpus():
        lines = parsed(texts)
        rules, players = lines[0]["rules"], lines[0]["n_players"]
        names = [line["event"] for line in lines]
        frame = [name for name in names if name not in LETTERS or name == "turn_start"]
        whole = ["round_start", *["turn_start"] * players, "compete", "round_end"]
        rounds = names.count("round_end")
        due = ["game", "setup", *whole * rounds, "result"]
        cut_off = names[-2] == "sell"
        if cut_off:
            due[-1:] = [*frame[len(due) - 1 : -1], "result"]
            assert frame[2 + len(whole) * rounds : -1] == due[2 + len(whole) * rounds : -1]
        assert frame == due
        told = "".join(LETTERS.get(name, " ") for name in names).strip()
        each = re.findall("T[^T ]*", told)
        for letters in each[: len(each) - cut_off]:
            assert re.fullmatch(turn_pattern(rules), letters), letters
            turns += 1
        for at, line in enumerate(lines):
            if line["event"] == "refuse" and line["after"] > 0:  # directly before its enter line
                rest = names[at:]
                assert set(rest[: rest.index("enter")]) == {"refuse"}
    assert turns > 500


def test_numbers_of_the_lines_add_up() -> None:
    """Dice, fees, inheritance and prices computed from the lines alone, without a game."""
    checked: Counter[str] = Counter()
    for texts in corpus():
        lines = parsed(texts)
        rules, sides = lines[0]["rules"], lines[0]["sides"]
        cards = {card["id"]: card for cards in lines[0]["decks"].values() for card in cards}
        last: dict[str, Any] = {}  # dog records at the end of the last round
        for line in lines:
            if line["event"] == "release" or line.get("to") == "customer":
                last.pop(line["dog"], None)  # it may be drawn and born again in this very round
            if line["event"] == "mate":
                same_side = sides[line["player"]] == sides[line["father_owner"]]
                fee = rules["stud_base_fee"] + rules["stud_die_fee"] * sum(line["inherited"].values())
                assert line["fee"] == (0 if same_side else fee)
                if rules["trait_rule"] == "min" and rules["inherit_accumulates"]:
                    parents = [last.get(line[who]) for who in ("mother", "father")]
                    if parents[0] and parents[1] and parents[0]["stage"] == parents[1]["stage"] == "adult":
                        shared = parents[0]["total"].keys() & parents[1]["total"].keys()
                        lower = {t: min(parent["total"][t] for parent in parents if parent) for t in shared}
                        assert line["inherited"] == lower
                        checked["mate"] += 1
            elif line["event"] == "birth" and line["rolls"]:
                assert line["litter"] == rules["litter_table"][line["rolls"][-1] - 1]
                assert len(line["pups"]) <= line["litter"]
                assert {cards[pup]["breed"] for pup in line["pups"]} <= {cards[line["mother"]]["breed"]}
                checked["birth"] += 1
            elif line["event"] == "buy":
                assert line["price"] == cards[line["dog"]]["price"]
            elif line["event"] == "upkeep" and rules["upkeep_divisor"]:
                assert line["due"] == rules["upkeep_fee"] * (line["dogs"] // rules["upkeep_divisor"])
                checked["upkeep"] += 1
            elif line["event"] == "compete":
                event = cards[line["card"]]
                for entry in line["entries"]:
                    good = [die for die in entry["dice"] if die >= event["target"]]
                    assert len(entry["dice"]) == entry["base"] + entry["traits"] + entry["prep"]
                    assert entry["successes"] == len(good)
                    assert entry["qualified"] == (len(good) >= event["required"])
                    assert entry["result"] == (sum(good) if entry["qualified"] else 0)
                best = max((entry["result"] for entry in line["entries"]), default=0)
                tied = [
                    entry["dog"]
                    for entry in line["entries"]
                    if entry["qualified"] and entry["result"] == best
                ]
                assert (line["winner"] is None) == (tied == [])
                assert len(tied) < 2 or {entry["dog"] for entry in line["rerolls"][0]} == set(tied)
                assert line["winner"] is None or line["winner"]["dog"] in tied
                checked["entries"] += len(line["entries"])
            elif line["event"] == "round_end":
                kennels = [player["kennel"] for player in line["state"]["players"]]
                last = {dog["dog"]: dog for kennel in kennels for dog in kennel}
                for dog in last.values():
                    total = Counter(cards[dog["dog"]]["traits"]) + Counter(dog["inherited"])
                    cap = rules["trait_cap"] or 10**6
                    assert dog["total"] == {trait: min(dice, cap) for trait, dice in total.items()}
    assert min(checked[name] for name in ("mate", "birth", "upkeep", "entries")) > 30, checked


DRAWS = [("dogs", "deck", False), ("dogs", "deck", True), ("dogs", "discard", False)]
DRAWS += [("customers", "deck", False), ("customers", "deck", True), ("customers", "discard", False)]

FREE = [
    ("game", "game_index"),
    ("game", "seed"),
    ("game", "policies"),
    ("game", "rules"),
    ("game", "bargain"),
]


def pattern(event: str, path: tuple[Any, ...]) -> tuple[Any, ...]:
    """The place of a value without the numbers of list entries, ids of breeds and names of traits."""
    names = [*rules_of.TRAITS, *rules_of.breeds_of(DECKS)]
    return (event, *("*" if isinstance(part, int) or part in names else part for part in path))


def spoiled(line: dict[str, Any], path: tuple[Any, ...]) -> dict[str, Any]:
    """The line with one value changed so that whatever game it is, it must be noticed."""
    bad = copy.deepcopy(line)
    value = look_up(line, path)
    new = another(path, value)
    if line["event"] == "game" and path[0] == "decks":
        new = -1 if isinstance(value, int) else "zebra!"
    if path == ("other",):
        new = line["player"]  # another helper might have been asked
    put(bad, path, new)
    return bad


def altered_places() -> dict[tuple[Any, ...], list[tuple[int, int, tuple[Any, ...]]]]:
    """For every kind of value where it stands in the shortest games of the corpus: game, line, path."""
    found: dict[tuple[Any, ...], list[tuple[int, int, tuple[Any, ...]]]] = {}
    for at, texts in enumerate(corpus()):
        for number, line in enumerate(parsed(texts)):
            for path in places_in(line):
                if (line["event"], path[0]) not in FREE:
                    places = found.setdefault(pattern(line["event"], path), [])
                    if len(places) < 2 and (at, number) not in [place[:2] for place in places]:
                        places.append((at, number, path))
    return found


def test_every_value_of_every_event_is_checked() -> None:
    places = altered_places()
    for event, fields in FIELDS.items():
        for name in fields:
            assert (event, name) in FREE or any(key[:2] == (event, name) for key in places), (event, name)
    assert len(places) > 170
    for key, found in places.items():
        for at, number, path in found:
            texts = corpus()[at]
            bad = spoiled(json.loads(texts[number]), path)
            complaints = check_trace([*texts[:number], dump(bad), *texts[number + 1 :]])
            assert complaints != [], (key, bad)
            assert all(complaint.startswith(("game ", "no game, line ")) for complaint in complaints)


def test_every_field_must_be_there_once_and_with_its_type() -> None:
    """Form alone: a field missing, of another type, or added, in one line of each event."""
    seen: set[str] = set()
    for texts in corpus():
        for text in texts:
            line = json.loads(text)
            if line["event"] in seen:
                continue
            seen.add(line["event"])
            assert read_line(text)[1] == []
            for name in FIELDS[line["event"]]:
                assert read_line(dump({key: line[key] for key in line if key != name}))[1] != [], name
                assert read_line(dump(line | {name: {"a": [0.5]}}))[1] != [] or name == "rules", name
            assert read_line(dump(line | {"note": 1}))[1] != []
    assert seen == set(FIELDS)


def test_several_games_in_one_trace() -> None:
    games = corpus()[:3]
    assert check_trace(games[2] + games[0] + games[1]) == []
    last = json.loads(games[1][-1])
    bad = [*games[1][:-1], dump(last | {"rounds": last["rounds"] + 1})]
    [complaint] = check_trace(games[0] + bad + games[2])
    assert f", line {len(games[0]) + len(bad)}: field rounds is" in complaint


JUNK: list[Any] = [
    None,
    True,
    -1,
    0,
    3,
    99,
    10**30,
    0.5,
    "",
    "coin",
    "zebra",
    "puli_m1",
    [],
    [0],
    {},
    {"a": 1},
]


def test_damaged_traces_are_complained_of_and_never_crash() -> None:
    """Damage at random: values replaced, lines lost, doubled, moved."""
    for seed in range(300):
        chance = random.Random(seed)
        lines = parsed(chance.choice(corpus()[:40]))
        for _ in range(chance.choice([1, 1, 2, 5])):
            at = chance.randrange(len(lines))
            damage = chance.choice(["value", "value", "field", "lose", "double", "move"])
            if damage == "value":
                put(lines[at], chance.choice(list(places_in(lines[at]))), chance.choice(JUNK))
            elif damage == "field":
                lines[at][chance.choice(list(lines[at]))] = chance.choice(JUNK)
            elif damage == "lose":
                del lines[at]
            elif damage == "double":
                lines.insert(at, copy.deepcopy(lines[at]))
            else:
                lines.insert(chance.randrange(len(lines)), lines.pop(at))
        for complaint in check_trace([dump(line) for line in lines]):
            assert complaint.startswith(("game ", "no game, line "))


def test_a_refusal_that_is_not_written_down_cannot_be_proved() -> None:
    """8.6: a trace without one of its refusals before an action is right as well."""
    tried = 0
    for texts in corpus()[:40]:
        for number, line in enumerate(parsed(texts)):
            if line["event"] == "refuse" and tried < 12:
                assert check_trace(texts[:number] + texts[number + 1 :]) == []
                tried += 1
    assert tried == 12


def test_single_options_are_carried_out_and_change_nothing() -> None:
    """Asked at every decision or only where there is a choice: the same game, told by the other's trace."""
    skipped = 0
    for index, (players, overrides, small) in enumerate(RULE_SETS[16 : 16 + 3 * len(BY_HAND) : 2]):
        game, chance = new_game(index, players, overrides, small)
        codes = []
        while not game.over:
            codes.append(choose(game, chance, by_kind=True))
            game.apply(codes[-1])
        started: list[Game] = []
        told = Told(lambda: game.events[len(started[0].events) if started else 0 :])  # noqa: B023
        again = Game(game.rules, game.decks, game.orders, told, every=True)
        started.append(again)
        while not again.over:
            if len(again.legal_actions()) == 1:
                again.apply(again.legal_actions()[0])
                skipped += 1
            else:
                again.apply(codes.pop(0))
        assert again.events == game.events
        assert again.snapshot() == game.snapshot()
    assert skipped > 100


def test_only_options_are_accepted() -> None:
    game = shuffled_game(2, {}, DECKS, random.Random(1))
    assert (game.decision, game.player) == ("D-1", 0)
    assert game.legal_actions() == [encode(18, breed) for breed in range(8)]
    for code in (-1, 0, 1, encode(18, 8)):
        with pytest.raises(ValueError, match="not an option"):
            game.apply(code)
    with pytest.raises(ValueError, match="no face"):
        rules_of.checked_die(7)


# --------------------------------------------------------------- rules that no vector speaks of

PULI = {
    name: {"id": name, "breed": "puli", "sex": sex}
    for name, sex in (("f1", "female"), ("f2", "female"), ("m1", "male"), ("m2", "male"))
}
MUDI = {name: {"id": name, "breed": "mudi", "sex": sex} for name, sex in (("g1", "female"), ("n1", "male"))}


def scene(players: int = 2, kennels: dict[int, str] | None = None, **given: Any) -> Game:
    """Round 3, player 0 on turn, everybody can prepare the event, dogs f1 f2 m1 m2 (puli) g1 n1 (mudi)."""
    mode = given.pop("mode", "solo" if players == 1 else "competitive")
    customers = [{"id": "cu_a"}, {"id": "cu_b"}, {"id": "cu_m", "sex": "male"}]
    decks = tiny_decks([*PULI.values(), *MUDI.values()], customers)
    game = Game.at(resolve(players, given | {"mode": mode}), decks, Rolled(random.Random(1)))
    game.round, game.n, game.current, game.active = 3, 1, "ev_one", 0
    game.characters = game.orders["character_order"] = [f"ch_{n}" for n in range(players)]
    if players > 1:
        game.round = players + 1  # player 0 starts
    for player, cards in (kennels or {}).items():
        game.kennels[player] = [Dog(card, player) for card in cards.split()]
    return game


def kinds_of(options: list[int]) -> Counter[int]:
    return Counter(decode(code)[0] for code in options)


def test_codes_keep_the_kinds_apart() -> None:
    game = scene(2, {0: "f1 m1", 1: "m2"})
    game.hand_dogs[0], game.hand_customers[0] = ["g1"], ["cu_a", "cu_m"]
    game.dog_decks["mudi"] = ["n1"]
    assert kinds_of(game.action_options()) == {
        COIN: 1,
        DRAW_DOG: 1,
        BUY: 1,
        SELL_CUSTOMER: 3,
        SELL_PLAYER: 2,
        MATE: 2,
        ENTER: 6,
    }


@pytest.mark.parametrize(("access", "taken"), [("any", ["m1", "f1", "f2"]), ("top", ["f2"]), ("off", [])])
def test_discards_that_may_be_taken(access: str, taken: list[str]) -> None:
    """K-19; the deck may be drawn from as long as there are discards."""
    game = scene(2, discard_access=access)
    game.dog_discards["puli"] = ["m1", "f1", "f2"]
    game.customer_discards = ["cu_a", "cu_b"]
    options = game.action_options()
    dogs = [game.dog_ids[decode(code)[1]] for code in options if decode(code)[0] == TAKE_DOG]
    customers = [code for code in options if decode(code)[0] == TAKE_CUSTOMER]
    assert sorted(dogs) == sorted(taken)
    assert len(customers) == {"any": 2, "top": 1, "off": 0}[access]
    assert kinds_of(options)[DRAW_DOG] == kinds_of(options)[DRAW_CUSTOMER] == 1


def test_taking_the_top_uncovers_the_next() -> None:
    game = scene(2, discard_access="top")
    game.dog_discards["puli"] = ["m1", "f1", "f2"]
    game._take_discard("f2")
    assert [code for code in game.action_options() if decode(code)[0] == TAKE_DOG] == [encode(TAKE_DOG, 0)]


@pytest.mark.parametrize("spent", ["recycle", "discard", "remove"])
def test_where_sold_dogs_go(spent: str) -> None:
    """A-12."""
    game = scene(2, {0: "f1"}, spent_cards=spent)
    game.hand_customers[0] = ["cu_a"]
    game._sell_to_customer(game.kennels[0][0], "cu_a")
    piles = {"recycle": game.dog_spent, "discard": game.dog_discards}
    assert [name for name, pile in piles.items() if pile["puli"] == ["f1"]] == [spent][: spent != "remove"]
    assert game.gone == (["f1", "cu_a"] if spent == "remove" else [])
    again = [code for code in game.action_options() if decode(code)[0] in (DRAW_DOG, TAKE_DOG)]
    assert len(again) == {"recycle": 1, "discard": 2, "remove": 0}[spent]


def test_who_may_be_mated_with_whom() -> None:
    """K-30, K-31, A-72: same breed, both idle, any owner; a male that has mated is busy for his owner too."""
    game = scene(2, {0: "f1 m1 g1", 1: "m2 n1 f2"})
    pairs = {(0, 2), (0, 3), (4, 5)}
    assert {decode(c)[1:] for c in game.action_options() if decode(c)[0] == MATE} == pairs
    game.dog("m2").used_round = game.round
    assert {decode(c)[1:] for c in game.action_options() if decode(c)[0] == MATE} == {(0, 2), (4, 5)}
    game.coins[0] = 2  # a fee is 1 + 2 inherited dice
    assert {decode(c)[1:] for c in game.action_options() if decode(c)[0] == MATE} == {(0, 2)}


@pytest.mark.parametrize(("stud_deal", "asked", "listed"), [("auto", 0, 1), ("ask", 1, 1), ("off", 0, 0)])
def test_stud_deals(stud_deal: str, asked: int, listed: int) -> None:
    game = scene(2, {0: "f1", 1: "m1"}, stud_deal=stud_deal)
    code = encode(MATE, 0, 2)
    assert game.action_options().count(code) == listed
    if listed:
        game._start(game._act(code))
        assert (game.decision == "D-6") == bool(asked)
        if asked:
            assert (game.player, game.legal_actions()) == (1, [encode(CONSENT, 0), encode(CONSENT, 1)])
            game.apply(encode(CONSENT, 1))
        assert (game.coins, game.events[-1]["fee"]) == ([2, 8], 3)
        assert not game.is_idle(game.dog("m1"))


def test_a_refused_male_is_not_asked_again_for_this_female_in_this_turn() -> None:
    """A-73."""
    game = scene(2, {0: "f1 f2", 1: "m1"}, stud_deal="ask")
    game._start(game._act(encode(MATE, 0, 2)))
    game.apply(encode(CONSENT, 0))
    assert game.events[-1] == {
        "event": "refuse",
        "player": 0,
        "n": 1,
        "deal": "stud",
        "other": 1,
        "dog": "m1",
        "mother": "f1",
        "price": 3,
        "after": 0,
    }
    assert [code for code in game.action_options() if decode(code)[0] == MATE] == [encode(MATE, 1, 2)]
    assert game.coins == [5, 5]


@pytest.mark.parametrize("coins", [3, 4])
def test_an_offer_at_list_price_needs_a_buyer_who_can_pay(coins: int) -> None:
    game = scene(2, {0: "f1"})
    game.coins[1] = coins
    assert kinds_of(game.action_options())[SELL_PLAYER] == (coins >= 4)
    assert kinds_of(scene(2, {0: "f1"}, sale_deal="off").action_options())[SELL_PLAYER] == 0


def test_a_sale_to_a_player_moves_dog_record_and_coins() -> None:
    game = scene(3, {0: "f1 m1", 2: "f2"})
    game.dog("m1").used_round, game.dog("m1").wins = game.round, 1
    game._start(game._act(encode(SELL_PLAYER, 2, 2)))
    assert (game.decision, game.player, game.proposal and game.proposal["price"]) == ("D-6", 2, 5)
    game.apply(encode(CONSENT, 1))
    assert (game.coins, [dog.card for dog in game.kennels[2]]) == ([10, 5, 0], ["f2", "m1"])
    assert (game.dog("m1").owner, game.dog("m1").wins, game.is_idle(game.dog("m1"))) == (2, 1, False)


def test_partners_deal_for_nothing_and_are_not_asked() -> None:
    """A-64, A-81: seats 0 and 2 of four in pairs."""
    game = scene(4, {0: "f1 f2", 2: "m1"}, mode="team", stud_deal="ask")
    assert game.coins == [10, 10]
    game._start(game._act(encode(MATE, 0, 2)))
    assert (game.over, game.events[-1]["fee"], game.coins) == (True, 0, [10, 10])
    game._start(game._act(encode(SELL_PLAYER, 1, 2)))
    assert (game.over, game.events[-1]["price"], game.coins) == (True, 0, [10, 10])
    game.kennels[0].append(Dog("g1", 0))
    game._start(game._act(encode(ENTER, 4, 2)))
    game.apply(PASS)
    assert game.events[-1]["entries"] == [{"dog": "g1", "preparer": 2, "entry_cost": 1, "prep_fee": 0}]
    assert game.coins == [9, 10]
    assert not game.may_prepare_own(2)
    assert game.may_prepare_own(0)


@pytest.mark.parametrize("deal", ["stud_deal", "sale_deal", "hire_deal"])
def test_deals_that_are_off_are_off_between_partners_too(deal: str) -> None:
    game = scene(4, {0: "f1", 2: "m1"}, mode="team", **{deal: "off"})
    with_partner = {MATE: (0, 2), SELL_PLAYER: (0, 2), ENTER: (0, 2)}
    kind = {"stud_deal": MATE, "sale_deal": SELL_PLAYER, "hire_deal": ENTER}[deal]
    listed = {k for k in with_partner if encode(k, *with_partner[k]) in game.action_options()}
    assert listed == set(with_partner) - {kind}


def test_helpers_are_paid_asked_and_bound_for_the_round() -> None:
    """K-52, K-53, A-48."""
    game = scene(3, {0: "f1 f2", 1: "m1"})
    game._start(game._enter(game.dog("f1"), 1))
    assert game.player == 1
    game.apply(encode(CONSENT, 1))
    game.apply(PASS)
    assert game.coins == [3, 6, 5]
    game.active = 1
    preparers = [decode(code)[2] for code in game.action_options() if decode(code)[0] == ENTER]
    assert preparers == [0, 2, NOBODY] or sorted(preparers) == [0, 2, NOBODY]
    game.prepared_own[0] = game.round
    preparers = [decode(code)[2] for code in game.action_options() if decode(code)[0] == ENTER]
    assert sorted(preparers) == [2, NOBODY]
    game.rules["prep_exclusive"] = False
    preparers = [decode(code)[2] for code in game.action_options() if decode(code)[0] == ENTER]
    assert sorted(preparers) == [0, 1, 2, NOBODY]


def test_a_player_who_prepared_an_own_dog_cannot_help() -> None:
    """K-53; entering without preparation leaves him free (A-45)."""
    for own_preparer, free in ((0, False), (NOBODY, True)):
        game = scene(2, {0: "f1", 1: "m1"})
        game._start(game._enter(game.dog("f1"), own_preparer))
        game.apply(PASS)
        game.active = 1
        assert (encode(ENTER, 2, 0) in game.action_options()) == free
        game.round += 1
        assert encode(ENTER, 2, 0) in game.action_options()


@pytest.mark.parametrize(("match", "preparers"), [("event_type", [1, NOBODY]), ("any", [0, 1, NOBODY])])
def test_the_profession_must_cover_the_event(match: str, preparers: list[int]) -> None:
    game = scene(2, {0: "f1"}, profession_match=match)
    game.card["ch_0"]["prep"] = ["sport", "show"]
    assert sorted(decode(c)[2] for c in game.action_options() if decode(c)[0] == ENTER) == preparers


def test_a_helper_without_pay_can_not_be_hired() -> None:
    """6.4: entry 1 and help 1 need 2 coins."""
    game = scene(2, {0: "f1"})
    game.coins[0] = 1
    assert sorted(decode(c)[2] for c in game.action_options() if decode(c)[0] == ENTER) == [0, NOBODY]
    game.coins[0] = 0
    assert kinds_of(game.action_options())[ENTER] == 0


def bonus_list(trades: list[int], **given: Any) -> Game:
    """Player 0 after these two regular actions, asked for the bonus."""
    game = scene(2, {0: "f1 m1 g1"}, **given)
    game.coins = [20, 20]
    game.hand_dogs[0] = ["f2", "m2", "n1"]
    game.events_won = [[], []]
    game._start(game._play_turn(0))
    for code in trades:
        game.apply(code)
    return game


def test_the_bonus_is_of_the_kind_and_breed() -> None:
    game = bonus_list([encode(BUY, 1), encode(BUY, 3)])
    assert game.decision == "D-4"
    breeds = {game.breed(game.dog_ids[decode(code)[1]]) for code in game.legal_actions()[1:]}
    assert (game.legal_actions()[0], breeds) == (PASS, {"puli"})
    assert set(kinds_of(game.legal_actions())) == {PASS, SELL_PLAYER}
    game = bonus_list([encode(BUY, 1), encode(BUY, 5)])
    assert game.decision != "D-4"
    game = bonus_list([encode(BUY, 1), encode(BUY, 5)], bonus_trade_same_breed=False)
    assert encode(BUY, 3) in game.legal_actions()
    game = bonus_list([encode(BUY, 1), encode(BUY, 3)], bonus_mode="any")
    assert {COIN, BUY, ENTER, MATE} < set(kinds_of(game.legal_actions()))
    assert game.events[-1] == {
        "event": "bonus_action",
        "player": 0,
        "kind": "trade",
        "breed": None,
        "count": 1,
    }


def test_several_bonus_actions_until_one_is_declined() -> None:
    """K-15."""
    for answers, coins in (([COIN, COIN], 9), ([COIN, PASS], 8), ([PASS], 7)):
        game = scene(2, bonus_actions=2)
        game._start(game._play_turn(0))
        for kind in (COIN, COIN, *answers):
            game.apply(encode(kind))
        assert game.over
        assert game.coins == [coins, 5]
        taken = [event["n"] for event in game.events if event.get("bonus")]
        assert taken == [3, 4][: coins - 7]


def test_the_hand_is_checked_at_once_or_at_the_end_of_the_turn() -> None:
    """K-18, A-9."""
    for check, discards_at in (("immediate", [1, 2]), ("turn_end", [2, 2])):
        game = scene(2, hand_limit=1, hand_limit_check=check, bonus_mode="off")
        game.hand_customers[0], game.customer_deck = ["cu_a"], ["cu_b", "cu_m"]
        game._start(game._play_turn(0))
        seen = []
        while not game.over:
            if game.decision == "D-5":
                seen.append(len([event for event in game.events if event["event"] == "draw"]))
                game.apply(game.legal_actions()[0])
            else:
                game.apply(encode(DRAW_CUSTOMER))
        assert seen == discards_at
        assert game.hand_customers[0] == ["cu_m"]
        assert game.customer_discards == ["cu_a", "cu_b"]


def breeding(**given: Any) -> Game:
    """Player 0 in round 4 has f1, pregnant since round 3 with a litter of 0 to come, and m1; player 1 has m2."""
    game = scene(2, {0: "f1 m1", 1: "m2"}, litter_table=[0] * 6, **given)
    game.round = 5
    game.dog_decks["puli"] = ["f2"]
    game.dog("f1").used_round = 4
    game.dog("f1").pregnancy = {"father": "m1", "inherited": [1, 0, 0, 2, 0], "round": 4}
    return game


def test_a_free_mating_may_be_declined_and_refused() -> None:
    """A-77."""
    game = breeding(litter_zero_retry="free", stud_deal="ask")
    game._start(game._act(encode(BIRTH, 0)))
    assert (game.decision, game.legal_actions()) == ("D-8", [PASS, encode(MATE, 0, 2), encode(MATE, 0, 3)])
    game.apply(encode(MATE, 0, 3))
    game.apply(encode(CONSENT, 0))
    assert (game.decision, game.legal_actions()) == ("D-8", [PASS, encode(MATE, 0, 2)])
    assert (game.events[-1]["n"], game.events[-1]["deal"]) == (1, "stud")
    game.apply(encode(MATE, 0, 2))
    assert game.over
    assert (game.events[-1]["free"], game.events[-1]["n"], game.events[-1]["bonus"]) == (True, 1, False)
    assert game.dog("f1").pregnancy == {"father": "m1", "inherited": [1, 0, 0, 1, 0], "round": 5}


def test_a_failed_litter_is_an_activity_only_with_none() -> None:
    for retry, idle in (("action", True), ("none", False)):
        game = breeding(litter_zero_retry=retry)
        game._start(game._act(encode(BIRTH, 0)))
        assert game.over
        assert game.is_idle(game.dog("f1")) == idle


def test_automatic_births_happen_before_the_actions() -> None:
    """K-35, A-76: action 0, and no second birth in the step even if the new mating is due at once."""
    game = breeding(birth_costs_action=False, litter_zero_retry="free", gestation_rounds=0)
    game._start(game._play_turn(0))
    assert game.decision == "D-8"
    game.apply(encode(MATE, 0, 2))
    assert [event["event"] for event in game.events] == ["turn_start", "birth", "mate"]
    assert [event["n"] for event in game.events[1:]] == [0, 0]
    assert game.decision == "D-2"
    assert kinds_of(game.legal_actions())[BIRTH] == 0


def test_pups_without_growing_time_are_adults_at_once() -> None:
    """K-40, K-41."""
    game = breeding(grow_rounds=0)
    game.rules["litter_table"] = [1] * 6
    game._start(game._act(encode(BIRTH, 0)))
    assert game.events[-1] == {"event": "grow_up", "player": 0, "pups": ["f2"], "mothers": ["f1"]}
    assert game.is_idle(game.dog("f1"))
    assert game.is_idle(game.dog("f2"))
    assert game.dog("f2").inherited == [1, 0, 0, 2, 0]


def test_a_litter_is_rerolled_once_and_not_for_a_short_deck() -> None:
    """K-37, K-39."""
    game = breeding(litter_zero_retry="reroll")
    game._start(game._act(encode(BIRTH, 0)))
    assert (len(game.events[-1]["rolls"]), game.events[-1]["pups"]) == (2, [])
    game = breeding(litter_zero_retry="reroll")
    game.rules["litter_table"] = [1] * 6
    game._start(game._act(encode(BIRTH, 0)))
    assert (len(game.events[-1]["rolls"]), game.events[-1]["pups"]) == (1, ["f2"])
    game = breeding(litter_zero_retry="reroll")
    game.rules["litter_table"] = [2] * 6
    game.dog_decks["puli"] = []
    game._start(game._act(encode(BIRTH, 0)))
    assert (len(game.events[-1]["rolls"]), game.events[-1]["litter"], game.events[-1]["pups"]) == (1, 2, [])
    assert game.is_idle(game.dog("f1"))


def test_a_refill_goes_under_what_is_left_of_the_deck() -> None:
    """K-23: spent cards and discards together; a draw from a deck that suffices refills nothing."""
    game = breeding()
    game.rules["litter_table"] = [2] * 6
    game.dog_decks["puli"], game.dog_spent["puli"], game.dog_discards["puli"] = ["f2"], [], ["m2"]
    game.kennels[1] = []
    game._start(game._act(encode(BIRTH, 0)))
    assert game.events[0] == {"event": "refill", "deck": "dogs", "breed": "puli", "order": ["m2"]}
    assert game.events[1]["pups"] == ["f2", "m2"]
    game = scene(2)
    game.customer_deck, game.customer_spent, game.customer_discards = ["cu_a"], ["cu_b"], ["cu_m"]
    game._start(game._act(encode(DRAW_CUSTOMER)))
    assert ([event["event"] for event in game.events], game.customer_deck) == (["draw"], [])
    game._start(game._act(encode(DRAW_CUSTOMER)))
    assert [event["event"] for event in game.events[1:]] == ["refill", "draw"]
    assert sorted(game.events[1]["order"]) == ["cu_b", "cu_m"]
    assert (game.customer_spent, game.customer_discards, len(game.customer_deck)) == ([], [], 1)


def in_debt(players: int = 2, **given: Any) -> Game:
    """Player 0 has no coins and must part with dogs; f1 has been entered, m1 and m2 may leave."""
    game = scene(players, {0: "f1 m1 m2"}, upkeep_divisor=2, **given)
    game.coins[0] = 0
    game.dog("f1").used_round = game.dog("f1").entered_round = game.round
    game._start(game._pay_upkeep())
    return game


def test_parting_with_dogs() -> None:
    """K-62, A-80."""
    game = in_debt()
    assert game.legal_actions() == sorted(
        [encode(SELL_PLAYER, 2, 1), encode(SELL_PLAYER, 3, 1), encode(GIFT, 2, 1), encode(GIFT, 3, 1)]
    )
    game.apply(encode(SELL_PLAYER, 2, 1))
    game.apply(encode(CONSENT, 0))
    assert (game.events[-1]["n"], game.events[-1]["deal"]) == (1, "sale")
    assert encode(SELL_PLAYER, 2, 1) not in game.legal_actions()
    game.apply(encode(GIFT, 2, 1))
    assert not game.over
    game.apply(encode(SELL_PLAYER, 3, 1))
    game.apply(encode(CONSENT, 1))
    assert (game.over, game.coins) == (True, [4, 1])
    assert game.events[-1]["dogs"] == 1
    assert game.events[-2]["forced"]


def test_presents_go_to_any_other_player_partner_or_not() -> None:
    """K-62, 6.4; a sale to the partner brings nothing."""
    game = in_debt(4, mode="team")
    for dog in (2, 3):
        assert [encode(GIFT, dog, other) in game.legal_actions() for other in range(4)] == [
            False,
            True,
            True,
            True,
        ]
    game.apply(encode(SELL_PLAYER, 2, 2))
    assert (game.events[-1]["price"], game.events[-1]["forced"], game.coins[0]) == (0, True, 0)
    game.apply(encode(GIFT, 3, 2))
    assert [dog.card for dog in game.kennels[2]] == ["m1", "m2"]
    assert game.over


def test_solo_players_release_dogs() -> None:
    game = in_debt(1)
    assert game.legal_actions() == [encode(RELEASE, 2), encode(RELEASE, 3)]
    game.apply(encode(RELEASE, 2))
    game.apply(encode(RELEASE, 3))
    assert game.dog_spent["puli"] == ["m1", "m2"]
    assert [event["event"] for event in game.events] == ["release", "release", "upkeep"]


def test_a_debt_that_nothing_can_settle_is_waived() -> None:
    """K-63: the dogs that cannot leave stay."""
    game = scene(2, {0: "f1 m1"}, upkeep_divisor=1, upkeep_fee=3)
    for dog in game.kennels[0]:
        dog.used_round = dog.entered_round = game.round
    game._start(game._pay_upkeep())
    assert game.over
    last = game.events[-1]
    assert (last["due"], last["paid"], last["waived"], game.coins) == (6, 5, 1, [0, 5])


@pytest.mark.parametrize(("check", "ends"), [("immediate", True), ("round_end", False)])
def test_the_target_ends_the_game_at_once_or_after_the_round(check: str, ends: bool) -> None:
    """K-90: a sale that brings the side to its target."""
    game = scene(2, {0: "f1 f2"}, end_check=check, reputation_target=1)
    reward = {"trait": "instinct", "min": 1, "coins": 0, "reputation": 1}
    game.card["cu_a"]["bonuses"] = [reward]
    game.hand_customers[0] = ["cu_a"]
    if ends:
        with pytest.raises(rules_of.TargetReachedError):
            game._sell_to_customer(game.kennels[0][0], "cu_a")
    else:
        game._sell_to_customer(game.kennels[0][0], "cu_a")
    assert game.reputation == [1, 0]


def test_solo_games_never_end_by_a_sale() -> None:
    game = scene(1, {0: "f1"}, end_check="immediate", solo_target=1)
    game.card["cu_a"]["bonuses"] = [{"trait": "instinct", "min": 1, "coins": 0, "reputation": 1}]
    game.hand_customers[0] = ["cu_a"]
    game._sell_to_customer(game.kennels[0][0], "cu_a")
    assert game.reputation == [1]


def test_discards_lie_in_the_order_in_which_they_were_put_there() -> None:
    """8.3: the last is the top."""
    game = scene(2, hand_limit=1)
    game.dog_discards["puli"] = ["m2"]
    game.hand_dogs[0], game.hand_customers[0] = ["f1", "f2", "g1"], ["cu_a", "cu_b"]
    game._start(game._discard_down())
    for code in (encode(13, 1), encode(14, 1), encode(13, 0), encode(14, 0)):
        game.apply(code)
    assert game.over
    assert game.position()["dog_discards"] == {"puli": ["m2", "f2", "f1"], "mudi": []}
    assert game.position()["customer_discards"] == ["cu_b", "cu_a"]


def test_a_pair_reaches_its_target_together() -> None:
    game = scene(4, {0: "f1"}, mode="team", end_check="immediate", team_target=3)
    game.card["cu_a"]["bonuses"] = [{"trait": "instinct", "min": 1, "coins": 0, "reputation": 1}]
    game.hand_customers[0] = ["cu_a"]
    game.reputation = [0, 9, 2, 9]
    with pytest.raises(rules_of.TargetReachedError):
        game._sell_to_customer(game.kennels[0][0], "cu_a")
    assert game.side_reputation() == [3, 18]


def test_the_list_of_an_ordinary_turn_is_restricted_to_idle_dogs() -> None:
    """K-54, A-18: entered, pregnant and nursing dogs and pups."""
    game = scene(1, {0: "f1 m1 f2 m2 g1"})
    game.hand_customers[0] = ["cu_a"]
    game.dog("m1").used_round = game.dog("m1").entered_round = game.round
    game.dog("f2").pregnancy = {"father": "m1", "inherited": [0] * 5, "round": game.round}
    game.dog("m2").stage, game.dog("m2").born_round = "pup", game.round
    game.dog("g1").nursing_round = game.round
    options = game.action_options()
    assert [decode(c)[1] for c in options if decode(c)[0] == ENTER] == [0, 0]
    assert [decode(c)[1] for c in options if decode(c)[0] == SELL_CUSTOMER] == [0, 3]
    assert kinds_of(options)[MATE] == kinds_of(options)[BIRTH] == 0
    game.rules["pups_sellable"] = False
    assert [decode(c)[1] for c in game.action_options() if decode(c)[0] == SELL_CUSTOMER] == [0]


# ---------------------------------------------------------------------------------------- bargaining


def test_what_a_dog_is_worth() -> None:
    """B-1: resale 2 or a customer's 4 + 3, dice 1, a mate 2, the fourth adult 4 rounds of upkeep."""
    game = scene(2, {0: "f1", 1: "m1"})
    assert game.worth(0, game.dog("f1")) == 2 + 1
    assert game.worth(1, game.dog("f1")) == 2 + 1 + 2
    game.kennels[1] += [Dog("g1", 1), Dog("n1", 1)]
    assert game.worth(1, game.dog("f1")) == 2 + 1 + 2 - 4
    game.card["cu_a"]["bonuses"] = [{"trait": "instinct", "min": 1, "coins": 3, "reputation": 5}]
    game.hand_customers[1] = ["cu_a", "cu_m"]
    assert game.worth(1, game.dog("f1")) == 7 + 1 + 2 - 4
    game.kennels[1].append(Dog("f2", 1))
    assert game.worth(1, game.dog("f1")) == 7 + 1
    game.rules["upkeep_divisor"] = 5
    assert game.worth(1, game.dog("f1")) == 7 + 1 - 4


def test_a_split_price_lies_between_and_within_the_buyers_coins() -> None:
    """B-2: worth 3 and 5."""
    game = scene(2, {0: "f1", 1: "m1"}, sale_price_rule="split")
    code = encode(SELL_PLAYER, 0, 1)
    assert game.asked_price(game.dog("f1"), 1) == 4
    game.coins[1] = 1
    assert game.asked_price(game.dog("f1"), 1) == 1
    assert code in game.action_options()
    assert not game.model_offers(code)
    game.coins[1] = 9
    assert game.model_offers(code)
    game._start(game._act(code))
    assert game.model_consents()
    game.bargain["deal_margin"] = 1
    assert not game.model_consents()


def test_who_consents_to_stud_and_help() -> None:
    """B-3, B-4: a later player with own use for dog or time wants more."""
    game = scene(2, {0: "f1", 1: "m1 f2"}, stud_deal="ask")
    game._start(game._act(encode(MATE, 0, 2)))
    assert not game.model_consents()  # 3 is not above 1 + 2
    game.dog("f2").used_round = game.round
    assert game.model_consents()
    game = scene(2, {0: "f1", 1: "m1"})
    game._start(game._enter(game.dog("f1"), 1))
    assert not game.model_consents()  # 1 is not above 2
    game.dog("m1").used_round = game.round
    assert game.model_consents()
    game.round = 2  # player 1 has had his turn
    game.dog("m1").used_round = 0
    assert game.model_consents()
