"""Tests of the plain referee: test vectors, the example trace, planted faults, random play."""

from __future__ import annotations

import copy
import json
import random
import statistics
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from . import animalia
from .animalia import Game, RulesError, check_trace, header, resolve, run_vector

VECTORS = Path(__file__).resolve().parents[1] / "vectors"
EXAMPLE = (VECTORS / "animalia_example.jsonl").read_text(encoding="utf-8").splitlines()
VECTOR_LIST = tomllib.loads((VECTORS / "animalia.toml").read_text(encoding="utf-8"))["vector"]

Lines = list[dict[str, Any]]


# ---------------------------------------------------------------------------------------- vectors


def comparable(expect: dict[str, Any], kind: str) -> dict[str, Any]:
    """The options of medals are a set, their order has no meaning."""
    if kind in ("medals", "cover"):
        sets = ("options", "before", "after")
        return {name: sorted(value) if name in sets else value for name, value in expect.items()}
    return expect


@pytest.mark.parametrize("vector", VECTOR_LIST, ids=lambda vector: vector["id"])
def test_vector(vector: dict[str, Any]) -> None:
    said = comparable(run_vector(vector), vector["kind"])
    expect = comparable(vector["expect"], vector["kind"])
    if vector["kind"] == "final":
        assert said.pop("win_shares") == pytest.approx(expect["win_shares"], abs=1e-6)
        expect = {name: value for name, value in expect.items() if name != "win_shares"}
    assert said == expect


def test_vectors_are_complete() -> None:
    ids = [vector["id"] for vector in VECTOR_LIST]
    assert ids == [f"B{k:02}" for k in range(1, 17)] + [f"E{k:02}" for k in range(1, 91)]
    assert all(set(vector) <= {"id", "kind", "rules", "given", "expect"} for vector in VECTOR_LIST)


# ------------------------------------------------------------------------------------------ rules


def test_defaults() -> None:
    two, four, six = resolve(2), resolve(4), resolve(6)
    assert list(two)[:3] == ["players", "first_dealer", "seasons"]
    assert len(two) == 52
    assert [rules["collections_per_player"] for rules in (two, four, six)] == [2, 1, 1]
    assert [rules["excellence_group_size"] for rules in (two, four, six)] == [7, 5, 5]
    assert [rules["remove_neutral"] for rules in (two, four, six)] == [True, True, False]
    assert [len(animalia.cards_in_play(rules)) for rules in (two, four, six)] == [31, 31, 36]
    assert list(json.loads(EXAMPLE[0])["rules"].items()) == list(resolve(3, seasons=1).items())


def test_cards_in_canonical_order() -> None:
    cards = animalia.cards_in_play(resolve(3, families=3, copies_thief=3, copies_spy=0))
    assert cards[:6] == [
        "cat_champion",
        "cat_beauty",
        "cat_scruffy",
        "cat_thief",
        "cat_thief#2",
        "cat_thief#3",
    ]
    assert cards[-1] == "owl"
    assert len(cards) == 3 * 7 + 1
    assert "owl" not in animalia.cards_in_play(resolve(4, owl=False))


@pytest.mark.parametrize(
    ("players", "overrides"),
    [
        (1, {}),
        (7, {}),
        (True, {}),
        (3, {"seasons": 0}),
        (3, {"seasons": True}),
        (3, {"owl": 1}),
        (3, {"stars_owl": 1.0}),
        (3, {"first_dealer": 3}),
        (3, {"tiebreak": "most_medals"}),
        (3, {"tiebreak": 1}),
        (3, {"wings": 2}),
        (3, {"max_set_size": 4, "collection_size": 3}),
        (4, {"collections_per_player": 2}),
        (6, {"families": 4}),
    ],
)
def test_rules_rejected(players: int, overrides: dict[str, Any]) -> None:
    with pytest.raises(RulesError):
        resolve(players, **overrides)


# ---------------------------------------------------------------------------------- example trace


def dump(line: dict[str, Any]) -> str:
    return json.dumps(line, separators=(",", ":"))


def parsed() -> Lines:
    return [json.loads(text) for text in EXAMPLE]


def test_example_is_accepted() -> None:
    assert check_trace(EXAMPLE) == []
    assert check_trace("\n".join(EXAMPLE) + "\n") == []
    assert check_trace([text + "\n" for text in EXAMPLE * 2]) == []
    assert check_trace([dump(line) for line in parsed()]) == []


def edited(number: int, **fields: Any) -> Callable[[Lines], Lines]:
    """Change fields of the line with this number, from 1."""

    def edit(lines: Lines) -> Lines:
        lines[number - 1].update(fields)
        return lines

    return edit


def without(number: int) -> Callable[[Lines], Lines]:
    return lambda lines: lines[: number - 1] + lines[number:]


def swapped(number: int) -> Callable[[Lines], Lines]:
    """The line and the next change places."""
    return lambda lines: [*lines[: number - 1], lines[number], lines[number - 1], *lines[number + 1 :]]


def added(number: int, **line: Any) -> Callable[[Lines], Lines]:
    """A new line before the one with this number."""
    return lambda lines: [*lines[: number - 1], line, *lines[number - 1 :]]


def lacking(number: int, field: str) -> Callable[[Lines], Lines]:
    def edit(lines: Lines) -> Lines:
        del lines[number - 1][field]
        return lines

    return edit


def shortened(number: int, field: str) -> Callable[[Lines], Lines]:
    """A list loses its last entry."""

    def edit(lines: Lines) -> Lines:
        lines[number - 1][field].pop()
        return lines

    return edit


def ruled(**rules: Any) -> Callable[[Lines], Lines]:
    """Other rules in the header; None takes a parameter away."""

    def edit(lines: Lines) -> Lines:
        changed = lines[0]["rules"] | rules
        lines[0]["rules"] = {name: value for name, value in changed.items() if value is not None}
        return lines

    return edit


def deck_edit(change: Callable[[list[str]], None]) -> Callable[[Lines], Lines]:
    def edit(lines: Lines) -> Lines:
        change(lines[1]["deck"])
        return lines

    return edit


def draw_edit(draw: int, **fields: Any) -> Callable[[Lines], Lines]:
    def edit(lines: Lines) -> Lines:
        lines[52]["draws"][draw].update(fields)
        return lines

    return edit


PASS_0 = {"event": "pass", "player": 0, "forced": False}
SPY_DECLINED = {
    "event": "power",
    "player": 0,
    "collection": 0,
    "kind": "spy",
    "used": False,
    "reason": "declined",
}

# what is wrong, the line complained of, the edit
FAULTS: list[tuple[str, int, Callable[[Lines], Lines]]] = [
    ("rules without a parameter", 1, ruled(spy_depth=None)),
    ("rules with an unknown parameter", 1, ruled(wings=2)),
    ("parameter out of bounds", 1, ruled(seasons=7)),
    ("parameter of the wrong type", 1, ruled(owl=1)),
    ("players unlike the rules", 1, edited(1, players=4)),
    ("cards that the rules do not give", 1, shortened(1, "cards")),
    ("seed with a leading zero", 1, edited(1, seed="020240")),
    ("seed as a number", 1, edited(1, seed=20240)),
    ("a policy too few", 1, edited(1, policies=["script", "script"])),
    ("another format", 1, edited(1, format=2)),
    ("another number of seasons", 60, ruled(seasons=2)),
    ("wrong first dealer", 2, edited(2, dealer=1)),
    ("a card twice in the deck", 2, deck_edit(lambda deck: deck.append(deck[0]))),
    ("a card replaced by another", 2, deck_edit(lambda deck: deck.__setitem__(30, "owl"))),
    ("a card missing in the deck", 2, shortened(2, "deck")),
    ("no shuffle", 2, without(2)),
    ("wrong deck_left", 3, edited(3, deck_left=31)),
    ("a card revealed that is not on top", 7, edited(7, card="owl", set=["dog_scruffy", "owl"])),
    ("set without its first card", 7, edited(7, set=["cat_thief"])),
    ("wrong turn", 11, edited(11, turn=3)),
    ("wrong dealer", 16, edited(16, dealer=1)),
    ("a pass line missing before a take", 9, without(9)),
    ("a pass line missing before a reveal", 6, without(6)),
    ("one pass too many", 7, added(7, **PASS_0)),
    ("a pass by a player not asked", 4, swapped(4)),
    ("a pass wrongly forced", 4, edited(4, forced=True)),
    ("a forced pass not marked", 25, edited(25, forced=False)),
    ("a pass when alone", 47, added(47, event="pass", player=1, forced=False)),
    ("a set taken without room", 25, lambda lines: [*lines[:24], lines[25] | {"player": 2}, *lines[26:]]),
    ("wrong reason of a forced take", 31, edited(31, reason="max_set")),
    ("a forced take as a choice", 44, edited(44, forced=False, reason="choice")),
    ("wrong size_after", 10, edited(10, size_after=1)),
    ("a part of the set taken", 10, edited(10, cards=["cat_thief"])),
    ("a collection that is not there", 10, edited(10, collection=1)),
    ("a collection below 0", 10, edited(10, collection=-1)),
    ("a power line missing", 15, without(15)),
    ("an unused power line missing", 45, without(45)),
    ("a power that is not activated", 13, added(13, **SPY_DECLINED)),
    ("a power line after the next reveal", 15, swapped(15)),
    ("declined for no_target", 45, edited(45, reason="no_target")),
    ("declined for cap", 45, edited(45, reason="cap")),
    ("a theft from the taker himself", 15, edited(15, victim=2, card="dog_thief")),
    ("a theft of a card that is elsewhere", 15, edited(15, card="owl")),
    ("a theft from nobody", 15, edited(15, victim=3)),
    ("a theft to a wrong place", 15, edited(15, destination="deck_bottom")),
    ("a spy's order with a card unseen", 38, edited(38, order=["owl"] * 5)),
    ("a spy's order too short", 38, shortened(38, "order")),
    ("a spy who saw other cards", 38, edited(38, seen=["owl"] * 5)),
    (
        "a gift to a full player",
        50,
        edited(50, recipient=0, recipient_collection=0, destination="collection"),
    ),
    ("a gift of a card that is elsewhere", 50, edited(50, card="owl")),
    ("elegance before the season is built", 51, lambda lines: lines[:50] + lines[52:]),
    ("wrong points", 53, edited(53, points=[[3], [9], [1]])),
    ("wrong place", 53, draw_edit(1, place=1)),
    ("wrong entitlement", 53, draw_edit(0, entitled=1)),
    ("bonus cards in another order", 53, draw_edit(0, cards=["horse_scruffy", "rabbit_thief"])),
    ("no collection in a draw", 53, draw_edit(0, collection=None)),
    ("an extra field in a draw", 53, draw_edit(0, points=10)),
    ("a cover with another's card", 54, edited(54, bonus="rabbit_thief")),
    ("a cover of a card that is elsewhere", 54, edited(54, covered="owl#2")),
    ("covers in the wrong order", 55, swapped(54)),
    ("a cover missing", 56, without(55)),
    ("an owl of no family", 56, edited(56, owl_as=None)),
    ("an owl of another family", 56, edited(56, owl_as="cat")),
    ("an owl where there is none", 57, edited(57, owl_as="cat")),
    ("wrong medals", 57, edited(57, gained=[0, 0, 0, 5, 0])),
    ("medals in the wrong order", 56, swapped(56)),
    ("a medals line missing", 58, without(58)),
    ("wrong count of returns", 59, edited(59, returns=0)),
    ("wrong last dealer", 59, edited(59, last_dealer=2)),
    ("a card lost at the end", 59, shortened(59, "deck")),
    ("bonus cards not held", 59, edited(59, held=[[], [], []])),
    ("wrong running totals", 59, edited(59, medals=[[0, 0, 2, 0, 3], [0, 0, 0, 4, 0], [2, 0, 2, 0, 1]])),
    ("wrong rank", 60, edited(60, ranks=[1, 2, 2])),
    ("wrong score", 60, edited(60, scores=[5, 4, 5])),
    ("wrong shares", 60, edited(60, win_shares=[0.99, 0.0, 0.0])),
    ("wrong guard_hits", 60, edited(60, guard_hits=1)),
    ("no result", 59, without(60)),
    ("no season_end", 59, without(59)),
    ("extra field", 4, edited(4, note="hm")),
    ("missing field", 4, lacking(4, "forced")),
    ("details of a power not used", 45, edited(45, seen=[], order=[])),
    ("a field of another kind of power", 15, edited(15, seen=[])),
    ("a float for an int", 3, edited(3, turn=1.0)),
    ("a bool for an int", 3, edited(3, turn=True)),
    ("an int for a bool", 4, edited(4, forced=0)),
    ("an unknown event", 4, edited(4, event="skip")),
    ("event is no string", 4, edited(4, event=[1])),
    ("a line after the result", 61, lambda lines: [*lines, PASS_0]),
    ("a game within the game", 30, lambda lines: lines[:29] + lines),
]


@pytest.mark.parametrize(("number", "edit"), [f[1:] for f in FAULTS], ids=[f[0] for f in FAULTS])
def test_planted_fault(number: int, edit: Callable[[Lines], Lines]) -> None:
    complaints = check_trace([dump(line) for line in edit(parsed())])
    assert any(f"game, line {number}:" in c or f"game 0, line {number}:" in c for c in complaints), complaints


TEXT_FAULTS: list[tuple[str, int, Callable[[str], str]]] = [
    ("event not first", 4, lambda _: '{"player":0,"event":"pass","forced":false}'),
    ("a key twice", 4, lambda text: text[:-1] + ',"player":0}'),
    ("a key twice in rules", 1, lambda text: text.replace('"rules":{', '"rules":{"players":3,')),
    ("a key twice in a draw", 53, lambda text: text.replace('"place":1,', '"place":1,"place":1,')),
    ("an integer with a decimal point", 3, lambda text: text.replace('"turn":1', '"turn":1.0')),
    ("an integer with an exponent", 3, lambda text: text.replace('"turn":1', '"turn":1e0')),
    ("NaN", 60, lambda text: text.replace("1.0", "NaN")),
    ("an infinity", 60, lambda text: text.replace("1.0", "Infinity")),
    ("a number without bounds", 60, lambda text: text.replace("1.0", "1e999")),
    ("a long integer", 60, lambda text: text.replace("1.0", "9" * 4000)),
    ("a longer integer", 60, lambda text: text.replace("1.0", "9" * 9000)),
    ("an empty line", 4, lambda _: ""),
    ("a list", 4, lambda _: "[]"),
    ("an object without event", 4, lambda _: "{}"),
    ("a line cut off", 4, lambda text: text[:-1]),
    ("two objects in a line", 4, lambda text: text + text),
    ("a line break in a line", 4, lambda text: text.replace(",", ",\n")),
    ("a comment", 4, lambda text: text + " // passed"),
    ("brackets without end", 4, lambda _: "[" * 100000),
]


@pytest.mark.parametrize(("number", "edit"), [f[1:] for f in TEXT_FAULTS], ids=[f[0] for f in TEXT_FAULTS])
def test_planted_fault_in_the_text(number: int, edit: Callable[[str], str]) -> None:
    texts = list(EXAMPLE)
    texts[number - 1] = edit(texts[number - 1])
    complaints = check_trace(texts)
    assert complaints
    assert complaints[0].startswith(f"game 0, line {number}:")


def test_order_of_keys_and_kind_of_number_are_free_where_the_rules_leave_them_free() -> None:
    lines = parsed()
    turned = [{"event": line["event"]} | dict(reversed(line.items())) for line in lines]
    turned = [{"event": line.pop("event")} | line for line in turned]
    turned[0]["rules"] = dict(reversed(turned[0]["rules"].items()))
    turned[-1]["win_shares"] = [1, 0, 0.0000001]
    assert check_trace([dump(line) for line in turned]) == []


def test_lines_outside_of_every_game() -> None:
    assert check_trace([]) == []
    assert check_trace(EXAMPLE[1:2]) == ["no game, line 1: the line stands outside of every game"]
    assert check_trace([None, 5, *EXAMPLE]) != []  # type: ignore[list-item]
    assert check_trace([b"{}"]) != []  # type: ignore[list-item]


def places_in(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The paths to all single values in nested lists and objects."""
    if isinstance(value, dict | list):
        for key in value if isinstance(value, dict) else range(len(value)):
            yield from places_in(value[key], (*path, key))
    else:
        yield path


def put(value: Any, path: tuple[Any, ...], new: Any) -> None:
    for key in path[:-1]:
        value = value[key]
    value[path[-1]] = new


def look_up(value: Any, path: tuple[Any, ...]) -> Any:
    for key in path:
        value = value[key]
    return value


def another(value: Any) -> Any:
    """A value of the same type that is different."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + 1
    if isinstance(value, float):
        return 0.5
    if isinstance(value, str):
        return "cat_spy" if value == "owl" else "owl"
    return 0


def test_every_value_of_the_example_matters() -> None:
    """Whatever single value after the header is changed, the trace is wrong."""
    lines = parsed()
    count = 0
    for number, line in enumerate(lines[1:], start=1):
        for path in places_in(line):
            changed = copy.deepcopy(line)
            put(changed, path, another(look_up(line, path)))
            texts = [*EXAMPLE[:number], dump(changed), *EXAMPLE[number + 1 :]]
            assert check_trace(texts) != [], (number + 1, path)
            count += 1
    assert count > 450


def test_every_line_of_the_example_matters() -> None:
    for number in range(len(EXAMPLE)):
        assert check_trace(EXAMPLE[:number] + EXAMPLE[number + 1 :]) != [], number + 1
        assert check_trace(EXAMPLE[: number + 1] + EXAMPLE[number:]) != [], number + 1
    for length in range(1, len(EXAMPLE)):
        assert check_trace(EXAMPLE[:length]) != []


# ------------------------------------------------------------------------------------ random play


def random_dealer(chance: random.Random) -> Callable[[int, list[str]], list[str]]:
    return lambda _season, cards: chance.sample(cards, len(cards))


def play(game: Game, chance: random.Random) -> None:
    while not game.over:
        game.apply(chance.choice(game.options()))


def trace_of(game: Game, index: int = 0) -> list[str]:
    policies = ["random"] * game.rules["players"]
    first = header(game.rules, index, 7 * index, policies)
    return [dump(line) for line in [first, *game.events]]


ODD_RULES: list[tuple[int, dict[str, Any]]] = [
    (2, {}),
    (2, {"collections_per_player": 1, "first_dealer": 1, "max_set_size": 1}),
    (2, {"elegance_unit": "player_sum", "families": 4, "seasons": 2}),
    (2, {"elegance_unit": "player_best", "bonus_carry": False, "five_different_medals": 3}),
    (2, {"collection_size": 7, "max_set_size": 5, "power_activations": "once_per_card", "copies_spy": 3}),
    (3, {"collections_per_player": 2, "season_dealer": "rotate", "first_dealer": 2}),
    (3, {"collections_per_player": 2, "collection_size": 3, "thief_targets_full": False, "spy_depth": 10}),
    (3, {"families": 3, "bonus_second_after_first_tie": 2, "bonus_first_tied": 0, "medals_group_1": 1}),
    (3, {"collection_size": 7, "max_set_size": 5, "spy_depth": 1, "bonus_first": 4, "bonus_second": 0}),
    (3, {"power_pair_requirement": 1, "deck_bottom_return_cap": 1, "tiebreak": "none", "medal_points": 0}),
    (4, {"owl": False, "power_activations": "once_per_card", "power_pair_requirement": 1}),
    (
        4,
        {
            "collections_per_player": 2,
            "collection_size": 4,
            "remove_neutral": False,
            "elegance_unit": "player_best",
        },
    ),
    (4, {"collection_size": 3, "max_set_size": 1, "copies_thief": 0, "copies_cute": 0}),
    (4, {"power_pair_requirement": 3, "copies_thief": 3, "copies_spy": 3, "copies_trickster": 3}),
    (5, {"power_thief": False, "bonus_carry": False, "season_dealer": "rotate", "stars_owl": -5}),
    (5, {"remove_neutral": True, "elegance_unit": "player_sum", "thief_targets_full": False}),
    (5, {"collections_per_player": 2, "copies_champion": 3, "copies_thief": 3, "copies_trickster": 3}),
    (6, {"deck_bottom_return_cap": 1, "power_pair_requirement": 1}),
    (6, {"remove_neutral": True, "seasons": 6, "power_spy": False, "power_activations": "once_per_card"}),
    (6, {"collection_size": 7, "copies_beauty": 2, "copies_thief": 2, "five_different": False, "seasons": 1}),
]

MOST_OPTIONS = {
    "D-1": 3,
    "D-2": 3,
    "D-3": 2,
    "D-4": 4,
    "D-5": 70,
    "D-6": 70,
    "D-7": 10,
    "D-8": 15,
    "D-9": 5,
}


def all_cards(state: dict[str, Any]) -> list[str]:
    """F-2: deck, set on the table, collections, bonus cards held and laid down."""
    cards = state["deck"] + state["set"]
    cards += [card for own in state["collections"] for collection in own for card in collection]
    cards += [card for hand in state["held"] for card in hand]
    cards += [card for own in state["covers"] for _, _, card in own]
    return cards


@pytest.mark.parametrize("case", range(len(ODD_RULES)))
def test_random_play_with_odd_rules(case: int) -> None:
    players, overrides = ODD_RULES[case]
    rules = resolve(players, **overrides)
    texts: list[str] = []
    for index in range(3):
        chance = random.Random(1000 * case + index)
        game = Game(rules, random_dealer(chance))
        turns_at_most = animalia.places_to_fill(rules) + rules["deck_bottom_return_cap"]
        while not game.over:
            state = game.snapshot()
            assert sorted(all_cards(state)) == sorted(game.cards)
            assert json.loads(json.dumps(state)) == state
            options = game.options()
            assert 2 <= len(options) <= MOST_OPTIONS[state["decision"]]
            assert options == sorted(set(options))
            assert 0 <= options[0]
            assert options[-1] <= 254
            assert state["turn"] <= turns_at_most
            game.apply(chance.choice(options))
        assert sorted(all_cards(game.snapshot())) == sorted(game.cards)
        assert game.options() == []
        assert game.decision is None
        assert game.player is None
        assert game.events[-1]["event"] == "result"
        texts += trace_of(game, index)
    assert check_trace(texts) == []


def test_random_play_meets_every_reason() -> None:
    """The rule sets above lead into all the corners that a trace has words for."""
    met = set()
    for case, (players, overrides) in enumerate(ODD_RULES):
        for index in range(6):
            chance = random.Random(1000 * case + index)
            game = Game(resolve(players, **overrides), random_dealer(chance))
            play(game, chance)
            for event in game.events:
                met.add((event["event"], event.get("reason"), event.get("destination")))
                if event["event"] == "elegance":
                    met |= {"short" for draw in event["draws"] if len(draw["cards"]) < draw["entitled"]}
    takes = [("take", reason, None) for reason in ("choice", "alone", "completes", "max_set")]
    lost = [("power", reason, None) for reason in ("used", "cap", "no_target", "declined")]
    moved = [("power", "used", destination) for destination in ("collection", "deck_bottom")]
    assert met >= {*takes, *lost, *moved, "short"}


def test_power_lines_in_the_wrong_order() -> None:
    """Used powers come first; those not used keep the set order."""
    found = 0
    rules = resolve(3, power_activations="once_per_card", power_pair_requirement=1, max_set_size=5)
    for seed in range(40):
        chance = random.Random(seed)
        game = Game(rules, random_dealer(chance))
        play(game, chance)
        texts = trace_of(game)
        for at in range(1, len(game.events)):
            first, second = game.events[at - 1], game.events[at]
            if first["event"] == second["event"] == "power" and not second["used"] and first != second:
                swapped_texts = [*texts[:at], texts[at + 1], texts[at], *texts[at + 2 :]]
                assert check_trace(swapped_texts) != []
                found += 1
    assert found > 20


def test_several_games_in_one_trace() -> None:
    games = []
    for index in range(3):
        chance = random.Random(index)
        game = Game(resolve(2 + index), random_dealer(chance))
        play(game, chance)
        games.append(trace_of(game, index))
    assert check_trace(games[2] + games[0] + games[1]) == []
    bad = [*games[1][:-1], games[1][-1].replace('"guard_hits":0', '"guard_hits":9')]
    complaints = check_trace(games[0] + bad + games[2])
    last = len(games[0]) + len(bad)
    assert complaints == [f"game 1, line {last}: field guard_hits is 9, should be 0"]


def test_two_games_with_the_same_deck_and_choices_are_the_same() -> None:
    def played() -> Game:
        chance = random.Random(11)
        game = Game(resolve(4), random_dealer(chance))
        play(game, chance)
        return game

    assert played().events == played().events


def test_only_options_are_accepted() -> None:
    game = Game(resolve(4), random_dealer(random.Random(1)))
    assert (game.decision, game.player, game.options()) == ("D-1", 0, [0, 1])
    for code in (-1, 2, 3, 64, 255):
        with pytest.raises(ValueError, match="not an option"):
            game.apply(code)
    assert (game.decision, game.player, game.options()) == ("D-1", 0, [0, 1])
    game.apply(0)
    assert (game.decision, game.player, game.options()) == ("D-2", 1, [0, 1])
    play(game, random.Random(2))
    with pytest.raises(ValueError, match="not an option"):
        game.apply(0)


def test_a_bad_deck_is_refused() -> None:
    with pytest.raises(ValueError, match="the deck dealt"):
        Game(resolve(3), lambda _season, cards: cards[1:])
    with pytest.raises(ValueError, match="the deck dealt"):
        Game(resolve(3), lambda _season, cards: cards[1:] + cards[1:2])


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
    "owl",
    "cat",
    "thief",
    [],
    [0],
    [[]],
    {},
    {"a": 1},
]


def test_damaged_traces_are_complained_of_and_never_crash() -> None:
    """Damage at random: values replaced, lines lost, doubled, moved."""
    for seed in range(250):
        chance = random.Random(seed)
        game = Game(resolve(chance.choice([2, 3, 6]), seasons=chance.choice([1, 2])), random_dealer(chance))
        play(game, chance)
        lines = [json.loads(text) for text in trace_of(game)]
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


# players: mean score per player, mean turns per game, when everybody plays at random
KNOWN_MEANS = {2: (20.96, 54.6), 3: (10.78, 40.6), 4: (10.89, 56.4), 5: (10.93, 72.1), 6: (10.99, 87.8)}


@pytest.mark.parametrize("players", KNOWN_MEANS)
def test_means_of_random_play(players: int) -> None:
    scores, turns = [], []
    for seed in range(250):
        chance = random.Random(100 * seed + players)
        game = Game(resolve(players), random_dealer(chance))
        play(game, chance)
        scores.append(statistics.fmean(game.events[-1]["scores"]))
        turns.append(len([event for event in game.events if event["event"] == "take"]))
    score, turn_count = KNOWN_MEANS[players]
    assert statistics.fmean(scores) == pytest.approx(score, abs=0.8)
    assert statistics.fmean(turns) == pytest.approx(turn_count, abs=0.8)
