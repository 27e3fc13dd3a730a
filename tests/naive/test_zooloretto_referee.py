"""Tests of the plain referee of Zooloretto: test vectors, sample traces, planted faults, random play."""

from __future__ import annotations

import copy
import json
import random
import statistics
import tomllib
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from . import zooloretto_game as rules_of
from .zooloretto import FIELDS, MONEY_DETAILS, check_trace, differences, run_vector
from .zooloretto_game import PARAMETERS, Game, RulesError, batch_report, report, resolve, shuffled_game

VECTORS = Path(__file__).resolve().parents[1] / "vectors"
EXAMPLES = (VECTORS / "zooloretto_example.jsonl").read_text(encoding="utf-8").splitlines()
EXAMPLE = EXAMPLES[:17]
VOID_EXAMPLE = EXAMPLES[17:]
VECTOR_LIST = tomllib.loads((VECTORS / "zooloretto.toml").read_text(encoding="utf-8"))["vector"]

Lines = list[dict[str, Any]]


# ---------------------------------------------------------------------------------------- vectors


@pytest.mark.parametrize("vector", VECTOR_LIST, ids=lambda vector: vector["id"])
def test_vector(vector: dict[str, Any]) -> None:
    assert differences(vector, run_vector(vector)) == []


def test_vectors_are_complete() -> None:
    ids = {vector["id"] for vector in VECTOR_LIST}
    due = {f"V-S{n}" for n in range(1, 19)}
    due |= {f"V-{n:02}" for span in (range(1, 90), range(90, 96), range(100, 168)) for n in span}
    absent = {f"V-{n}" for n in (*range(73, 80), 136, 137, 147, 148, 149)}
    assert ids == due - absent
    assert len(VECTOR_LIST) == 169


def in_another_way(value: Any) -> Any:
    """An expectation that is different."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int | float):
        return value + 1
    if isinstance(value, list):
        return [*value, ["owl", "e4"] if value and isinstance(value[0], list) else "owl"]
    return value | {"e4": {"animals": ["kangaroo"] * 4}}


@pytest.mark.parametrize("vector", VECTOR_LIST, ids=lambda vector: vector["id"])
def test_every_expectation_of_a_vector_is_compared(vector: dict[str, Any]) -> None:
    said = run_vector(vector)
    for name, value in vector["expected"].items():
        wrong = vector | {"expected": vector["expected"] | {name: in_another_way(value)}}
        if name != "win_shares":
            assert differences(wrong, said) != [], name
    if vector["kind"] == "rank":
        wrong = vector | {"expected": {"win_shares": [share + 2e-6 for share in said["win_shares"]]}}
        assert differences(wrong, said) != []


def test_a_place_that_a_vector_does_not_list_must_be_as_before() -> None:
    [vector] = [vector for vector in VECTOR_LIST if vector["id"] == "V-56"]
    said = run_vector(vector)
    said["zoo"]["e6"]["stalls"].append("kiosk")
    assert len(differences(vector, said)) == 1


# ------------------------------------------------------------------------------------------ rules


def test_defaults_by_number_of_players() -> None:
    by_players = [resolve(players) for players in (2, 3, 4, 5)]
    assert [rules["species_removed"] for rules in by_players] == [3, 2, 1, 0]
    assert [rules["truck_count"] for rules in by_players] == [3, 3, 4, 5]
    assert [rules["truck_blocked"] for rules in by_players] == [[0, 1, 2], [0] * 3, [0] * 4, [0] * 5]
    assert [rules["expansion_boards"] for rules in by_players] == [2, 1, 1, 1]
    same = set(PARAMETERS) - {"species_removed", "truck_count", "truck_blocked", "expansion_boards"}
    assert all(rules[name] == by_players[0][name] for rules in by_players for name in same)


def test_parameters_are_those_of_the_sample_in_its_order() -> None:
    told = json.loads(EXAMPLE[0])["rules"]
    given = {
        "species_in_box": 4,
        "removed_species": ["leopard", "flamingo", "camel"],
        "animals_per_species": 4,
        "fertile_males": 1,
        "fertile_females": 1,
        "stall_kinds": 1,
        "stalls_per_kind": 1,
        "coin_tiles": 1,
        "end_stack": 2,
    }
    assert list(({"players": 2} | told).items()) == list(resolve(2, given).items())
    assert len(PARAMETERS) == len(set(PARAMETERS)) == 58


@pytest.mark.parametrize(
    ("players", "given", "name", "value"),
    [
        (2, {"species_in_box": 3}, "species_removed", 2),
        (2, {"species_in_box": 1}, "species_removed", 0),
        (5, {"removed_species": ["zebra"]}, "species_removed", 1),
        (2, {"removed_species": []}, "species_removed", 3),
        (2, {"truck_count": 2}, "truck_blocked", [0, 1]),
        (2, {"truck_count": 4}, "truck_blocked", [0, 1, 2, 0]),
        (2, {"truck_capacity": 2}, "truck_blocked", [0, 1, 1]),
        (2, {"truck_capacity": 1}, "truck_blocked", [0, 0, 0]),
        (3, {"truck_count": 6}, "truck_blocked", [0] * 6),
        (4, {"price_buy": 0}, "buy_seller_share", 0),
        (4, {"price_buy": 5}, "buy_seller_share", 1),
        (4, {"species_in_box": 12, "removed_species": ["extra_4"]}, "removed_species", ["extra_4"]),
        (4, {"enclosure_spaces": (1, 2, 3)}, "enclosure_spaces", [1, 2, 3]),
    ],
)
def test_defaults_that_look_at_others(players: int, given: dict[str, Any], name: str, value: Any) -> None:
    assert resolve(players, given)[name] == value


@pytest.mark.parametrize(
    ("players", "given", "names"),
    [
        (1, {}, ["players"]),
        (6, {}, ["players"]),
        (True, {}, ["players"]),
        (4, {"players": 4}, ["players"]),
        (4, {"wings": 2}, ["wings"]),
        (4, {"coin_tiles": 41}, ["coin_tiles"]),
        (4, {"coin_tiles": True}, ["coin_tiles"]),
        (4, {"coin_tiles": 1.0}, ["coin_tiles"]),
        (4, {"offspring": 1}, ["offspring"]),
        (4, {"tie_break": "points"}, ["tie_break"]),
        (4, {"tie_break": 1}, ["tie_break"]),
        (4, {"enclosure_spaces": [4, 5]}, ["enclosure_spaces"]),
        (4, {"enclosure_spaces": [4, 5, 0]}, ["enclosure_spaces"]),
        (4, {"enclosure_spaces": 4}, ["enclosure_spaces"]),
        (4, {"enclosure_high": [5, 8, True]}, ["enclosure_high"]),
        (4, {"removed_species": "zebra"}, ["removed_species"]),
        (4, {"removed_species": [3]}, ["removed_species"]),
        (4, {"removed_species": ["extra_1"]}, ["removed_species"]),
        (4, {"removed_species": ["zebra", "zebra"]}, ["removed_species"]),
        (4, {"removed_species": ["zebra"], "species_removed": 2}, ["removed_species", "species_removed"]),
        (4, {"species_removed": 8}, ["species_removed", "species_in_box"]),
        (4, {"species_in_box": 1, "removed_species": ["flamingo"]}, ["species_removed", "species_in_box"]),
        (4, {"truck_count": 3}, ["truck_count", "players"]),
        (4, {"truck_blocked": [0, 0, 0]}, ["truck_blocked", "truck_count"]),
        (4, {"truck_blocked": [0, 0, 0, 3]}, ["truck_blocked", "truck_capacity"]),
        (4, {"start_coins": 8}, ["coin_supply", "players", "start_coins"]),
        (4, {"coin_supply": 7}, ["coin_supply", "players", "start_coins"]),
        (4, {"buy_seller_share": 3}, ["buy_seller_share", "price_buy"]),
        (2, {"fertile_males": 10}, ["fertile_males", "fertile_females", "animals_per_species"]),
        (2, {"species_in_box": 1, "end_stack": 35}, ["end_stack"]),
    ],
)
def test_rules_rejected(players: int, given: dict[str, Any], names: list[str]) -> None:
    with pytest.raises(RulesError) as caught:
        resolve(players, given)
    assert caught.value.names == names
    assert all(name in str(caught.value) for name in names)


def test_the_box() -> None:
    """1.1, 1.5, 5.3."""
    tiles = rules_of.square_tiles(resolve(5))
    assert len(tiles) == 112
    assert (tiles.count("coin"), tiles.count("kiosk"), tiles.count("popcorn")) == (12, 3, 3)
    assert (tiles.count("panda"), tiles.count("panda_m"), tiles.count("panda_f")) == (7, 2, 2)
    assert len(set(tiles)) == 8 * 3 + 4 + 1
    most = {"species_in_box": 12, "species_removed": 0, "animals_per_species": 20, "coin_tiles": 40}
    most |= {"stall_kinds": 6, "stalls_per_kind": 6}
    assert rules_of.tiles_in_play(resolve(2, most)) == len(rules_of.square_tiles(resolve(2, most))) == 316
    assert len(rules_of.CLASSES) == 42
    assert [rules_of.CLASS_CODES[tile] for tile in ("flamingo", "camel_m", "extra_4_f", "kiosk")] == [
        0,
        4,
        35,
        36,
    ]


# --------------------------------------------------------------------------------- sample traces


def dump(line: dict[str, Any]) -> str:
    return json.dumps(line, separators=(",", ":"))


def parsed(texts: list[str] = EXAMPLE) -> Lines:
    return [json.loads(text) for text in texts]


def test_samples_are_accepted() -> None:
    assert check_trace(EXAMPLE) == []
    assert check_trace(VOID_EXAMPLE) == []
    assert check_trace("\n".join(EXAMPLES) + "\n") == []
    assert check_trace([text + "\n" for text in EXAMPLES * 2]) == []
    assert check_trace([]) == []


def replayed(texts: list[str]) -> Game:
    """The sample played again with its stock, each action written down here by its code."""
    head, setup = json.loads(texts[0]), json.loads(texts[1])
    game = Game({"players": head["players"]} | head["rules"], setup["stock"], every=True)
    stall = 1024 + 64 * 36 + 8 * 1 + 2
    for code in (0, 16, 0, 17, 0, 16, 2, 33, 1, 33, 41, 0, 18, stall, 0, 16, 3, 1, 33):
        if game.over:
            break
        game.apply(code)
    return game


@pytest.mark.parametrize("texts", [EXAMPLE, VOID_EXAMPLE], ids=["whole", "void"])
def test_samples_are_written_by_the_referee_to_the_letter(texts: list[str]) -> None:
    game = replayed(texts)
    head = json.loads(texts[0])
    assert game.over
    assert game.trace(head["index"], head["seed"], head["agents"]) == texts


def places_in(value: Any) -> Iterator[tuple[Any, ...]]:
    """The path to every value in an object that is no object or list itself, `event` excepted."""
    entries = value.items() if isinstance(value, dict) else enumerate(value)
    for key, entry in entries:
        if isinstance(entry, dict | list):
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


def another(value: Any) -> Any:
    """A value of the same type that is different."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + 1
    if isinstance(value, float):
        return 0.5 if value != 0.5 else 0.25
    swaps = {"barn": "e4", "e4": "e5", "e5": "e6", "e6": "barn", "x1": "e4", "main": "end", "end": "main"}
    if value in swaps:
        return swaps[value]
    if isinstance(value, str):
        return "camel" if value != "camel" else "zebra"
    return "zebra"


@pytest.mark.parametrize("texts", [EXAMPLE, VOID_EXAMPLE], ids=["whole", "void"])
def test_every_value_of_a_sample_matters(texts: list[str]) -> None:
    """Whatever single value after the header is changed, the trace is wrong."""
    count = 0
    for number, line in enumerate(parsed(texts)[1:], start=1):
        for path in places_in(line):
            bad = copy.deepcopy(line)
            put(bad, path, another(look_up(line, path)))
            assert check_trace([*texts[:number], dump(bad), *texts[number + 1 :]]) != [], (number, path)
            count += 1
    assert count > 75


@pytest.mark.parametrize("texts", [EXAMPLE, VOID_EXAMPLE], ids=["whole", "void"])
def test_every_line_of_a_sample_matters(texts: list[str]) -> None:
    for number in range(len(texts)):
        assert check_trace(texts[:number] + texts[number + 1 :]) != [], number + 1
        assert check_trace(texts[: number + 1] + texts[number:]) != [], number + 1
    for number in range(len(texts) - 1):
        turned = [*texts[:number], texts[number + 1], texts[number], *texts[number + 2 :]]
        assert check_trace(turned) != [], number + 1
    for length in range(1, len(texts)):
        assert check_trace(texts[:length]) != []


# --------------------------------------------------------------------------------- faults planted by hand


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


def added(number: int, **line: Any) -> Callable[[Lines], Lines]:
    """A new line before the one with this number."""
    return lambda lines: [*lines[: number - 1], line, *lines[number - 1 :]]


PASS = {"event": "pass", "turn": 3, "round": 1, "player": 0}
DEAR = {"event": "money", "turn": 7, "round": 2, "player": 1, "kind": "expand", "paid": 3, "board": "x1"}
FILL = {"event": "fill_coins", "turn": 10, "player": 0, "step": 0, "enclosure": "e6", "due": 0, "paid": 0}
BREED = {"event": "breed", "turn": 10, "player": 0, "step": 0, "species": "elephant", "enclosure": "e4"}

# what is wrong, the line complained of, the edit
FAULTS: list[tuple[str, int, Callable[[Lines], Lines]]] = [
    ("parameter out of bounds", 1, ruled(price_move=11)),
    ("unknown parameter", 1, ruled(wings=2)),
    ("players among the parameters", 1, ruled(players=2)),
    ("impossible combination", 1, ruled(end_stack=6)),
    ("species left to chance", 1, ruled(removed_species=[])),
    ("species out of order", 1, ruled(removed_species=["camel", "flamingo", "leopard"])),
    ("another format", 1, edited(1, format=2)),
    ("too many players", 1, edited(1, players=6)),
    ("agents for another table", 1, edited(1, agents=["hand"])),
    ("agents that are no names", 1, edited(1, agents=[1, 2])),
    ("a species that is removed in play", 2, edited(2, species=["camel"])),
    (
        "a tile missing in the stock",
        2,
        edited(2, stock=["elephant_m", "kiosk", "elephant_f", "coin", "elephant"]),
    ),
    ("another end stack", 2, edited(2, end_stack=1)),
    ("other blocked spaces", 2, edited(2, blocked=[2, 1, 0])),
    ("another start player", 2, edited(2, start=1)),
    ("wrong bank at the start", 2, edited(2, bank=30)),
    ("a tile drawn that is not on top", 3, edited(3, tile="kiosk")),
    ("a truck that is not there", 3, edited(3, truck=3)),
    ("a truck below 0", 3, edited(3, truck=-1)),
    ("a full truck loaded", 5, lambda lines: [*lines[:3], lines[3] | {"truck": 2}, lines[4] | {"truck": 2}]),
    ("a truck loaded that has been taken", 12, edited(12, truck=1, turn=7)),
    ("an empty truck taken", 6, edited(6, truck=2)),
    ("another's turn", 4, edited(4, player=0)),
    ("wrong turn", 4, edited(4, turn=3)),
    ("wrong round", 10, edited(10, round=1)),
    ("a player out of the round", 7, edited(7, player=1)),
    ("a pass while there are actions", 5, added(5, **PASS)),
    ("the trigger overlooked", 12, edited(12, **{"from": "main"})),
    ("the trigger too early", 10, edited(10, **{"from": "end"})),
    ("a tile left on the truck", 7, edited(7, placements=[{"tile": "elephant_m", "to": "e4"}])),
    ("a tile too many placed", 6, edited(6, placements=[{"tile": "kiosk", "to": "e4"}] * 2)),
    ("a tile that is not on the truck", 6, changed(6, "placements", 0, "tile", "popcorn")),
    ("an animal in the purse", 7, changed(7, "placements", 0, "to", "purse")),
    ("a coin tile in the barn", 13, changed(13, "placements", 0, "to", "barn")),
    ("a stall in the barn by choice", 6, changed(6, "placements", 0, "to", "barn")),
    ("an animal on an unexpanded board", 7, changed(7, "placements", 0, "to", "x1")),
    ("a field in a placement", 6, changed(6, "placements", 0, "slot", 0)),
    ("a birth kept quiet", 8, without(8)),
    ("a birth that does not happen", 15, added(15, **BREED, offspring_to="barn")),
    ("an offspring in the wrong place", 8, edited(8, offspring_to="barn")),
    ("wrong step of a birth", 8, edited(8, step=0)),
    ("filling coins kept quiet", 15, without(15)),
    ("filling coins of e6, where none are due", 16, added(16, **FILL)),
    ("too much paid", 15, edited(15, paid=2)),
    ("too much due", 15, edited(15, due=2)),
    ("an expansion without the coins", 11, lambda lines: [*lines[:10], DEAR, *lines[11:]]),
    ("a wrong price", 11, edited(11, paid=0)),
    ("a stall moved from where it is not", 11, edited(11, **{"from": "e6"})),
    ("a move to the same place", 11, edited(11, to="e4")),
    ("a field of another kind of action", 11, edited(11, board="x1")),
    ("a kind of action that there is not", 11, edited(11, kind="sell")),
    ("a round's end kept quiet", 9, without(9)),
    ("wrong next start player", 9, edited(9, next_start=1)),
    ("a last round that is none", 9, edited(9, final=True)),
    ("the last round not marked", 16, edited(16, final=False)),
    ("tiles taken off a truck that had none", 9, edited(9, removed=["coin"])),
    ("wrong purses", 16, edited(16, coins=[2, 3])),
    ("wrong bank", 9, edited(9, bank=25)),
    ("a parent still unbred", 9, changed(9, "zoos", 0, "places", "e4", {"elephant": 2, "elephant_f": 1})),
    ("a zero in a snapshot", 9, changed(9, "zoos", 0, "places", "e5", {"camel": 0})),
    ("an unexpanded board in a snapshot", 9, changed(9, "zoos", 0, "places", "x1", {})),
    ("an empty place left out", 9, changed(9, "zoos", 1, "places", {"e4": {"kiosk": 1}})),
    ("purse and snapshot differ", 9, changed(9, "zoos", 0, "coins", 3)),
    ("wrong number of rounds", 17, edited(17, rounds=3)),
    ("a void game that is none", 17, edited(17, void=True)),
    ("no scores", 17, edited(17, scores=None)),
    ("no ranks", 17, edited(17, ranks=None)),
    ("no win shares", 17, edited(17, win_shares=None)),
    ("wrong score", 17, changed(17, "scores", 0, "total", 6)),
    ("a score of a board not expanded", 17, changed(17, "scores", 0, "enclosures", "x1", 0)),
    ("a field in a score", 17, changed(17, "scores", 0, "coins", 3)),
    ("wrong ranks", 17, edited(17, ranks=[1, 1])),
    ("wrong shares", 17, edited(17, win_shares=[0.99, 0.0])),
    ("shares as integers", 17, edited(17, win_shares=[1, 0])),
    ("a share too many", 17, edited(17, win_shares=[1.0, 0.0, 0.0])),
    ("a line after the result", 18, lambda lines: [*lines, PASS]),
    ("a game within the game", 10, lambda lines: lines[:9] + lines),
    ("an unknown event", 4, edited(4, event="skip")),
    ("event is no string", 4, edited(4, event=[1])),
]


@pytest.mark.parametrize(("number", "edit"), [f[1:] for f in FAULTS], ids=[f[0] for f in FAULTS])
def test_planted_fault(number: int, edit: Callable[[Lines], Lines]) -> None:
    complaints = check_trace([dump(line) for line in edit(parsed())])
    assert any(f"game, line {number}:" in c or f"game 0, line {number}:" in c for c in complaints), complaints


VOID_FAULTS: list[tuple[str, int, Callable[[Lines], Lines]]] = [
    ("scores of a void game", 10, edited(10, scores=[])),
    ("ranks of a void game", 10, edited(10, ranks=[1, 1])),
    ("shares of a void game", 10, edited(10, win_shares=[0.5, 0.5])),
    ("a void game as an ordinary one", 10, edited(10, void=False)),
    ("the next round as the round of a void game", 10, edited(10, rounds=2)),
    ("a last round that is none", 9, edited(9, final=True)),
    ("another limit", 10, ruled(turn_limit=6)),
    ("an earlier limit", 7, ruled(turn_limit=4)),
]


@pytest.mark.parametrize(("number", "edit"), [f[1:] for f in VOID_FAULTS], ids=[f[0] for f in VOID_FAULTS])
def test_planted_fault_in_a_void_game(number: int, edit: Callable[[Lines], Lines]) -> None:
    complaints = check_trace([dump(line) for line in edit(parsed(VOID_EXAMPLE))])
    assert any(f"game 1, line {number}:" in complaint for complaint in complaints), complaints


TEXT_FAULTS: list[tuple[str, int, Callable[[str], str]]] = [
    (
        "event not first",
        4,
        lambda text: '{"turn":2,"event":"draw",' + text.removeprefix('{"event":"draw","turn":2,'),
    ),
    ("a key twice", 4, lambda text: text[:-1] + ',"player":1}'),
    ("a key twice in rules", 1, lambda text: text.replace('"rules":{', '"rules":{"price_move":1,')),
    (
        "a key twice in a placement",
        6,
        lambda text: text.replace('{"tile":"kiosk"', '{"to":"e4","tile":"kiosk"'),
    ),
    ("an integer with a decimal point", 3, lambda text: text.replace('"turn":1', '"turn":1.0')),
    ("an integer with an exponent", 3, lambda text: text.replace('"turn":1', '"turn":1e0')),
    ("true for 1", 3, lambda text: text.replace('"turn":1', '"turn":true')),
    ("NaN", 17, lambda text: text.replace("1.0", "NaN")),
    ("an infinity", 17, lambda text: text.replace("1.0", "Infinity")),
    ("a number without bounds", 17, lambda text: text.replace("1.0", "1e999")),
    ("a long integer", 17, lambda text: text.replace("1.0", "9" * 9000)),
    ("an empty line", 4, lambda _: ""),
    ("a list", 4, lambda _: "[]"),
    ("an object without event", 4, lambda _: "{}"),
    ("a line cut off", 4, lambda text: text[:-1]),
    ("two objects in a line", 4, lambda text: text + text),
    ("a line break in a line", 4, lambda text: text.replace(",", ",\n")),
    ("a comment", 4, lambda text: text + " // drawn"),
    ("brackets without end", 4, lambda _: "[" * 100000),
]


@pytest.mark.parametrize(("number", "edit"), [f[1:] for f in TEXT_FAULTS], ids=[f[0] for f in TEXT_FAULTS])
def test_planted_fault_in_the_text(number: int, edit: Callable[[str], str]) -> None:
    texts = list(EXAMPLE)
    texts[number - 1] = edit(texts[number - 1])
    complaints = check_trace(texts)
    assert complaints
    assert complaints[0].startswith(f"game 0, line {number}:")


def test_lines_outside_of_every_game() -> None:
    assert check_trace(EXAMPLE[1:2]) == ["no game, line 1: the line stands outside of every game"]
    assert check_trace([None, 5, *EXAMPLE]) != []  # type: ignore[list-item]
    assert check_trace([b"{}"]) != []  # type: ignore[list-item]


def test_what_a_trace_may_do_as_it_likes() -> None:
    """The order of keys, of the tiles taken off trucks and of coins; agents or none; shares near enough."""
    lines = parsed()
    turned = [{"event": line.pop("event")} | dict(reversed(line.items())) for line in lines]
    turned[0]["rules"] = dict(reversed(turned[0]["rules"].items()))
    turned[-1]["win_shares"] = [0.9999995, 0.0000001]
    del turned[0]["agents"]
    turned[0] |= {"index": 12, "seed": 2**64 - 1}
    assert check_trace([dump(line) for line in turned]) == []


# ------------------------------------------------------------------------------------ random play


def play(game: Game, chance: random.Random) -> Game:
    while not game.over:
        game.apply(chance.choice(game.legal_actions()))
    return game


def random_game(seed: int, players: int, overrides: dict[str, Any]) -> Game:
    chance = random.Random(seed)
    return play(shuffled_game(players, overrides, chance), chance)


BY_HAND: list[tuple[int, dict[str, Any]]] = [
    (2, {"species_in_box": 1, "species_removed": 0}),
    (5, {"species_in_box": 12, "species_removed": 11, "end_stack": 1}),
    (3, {"species_in_box": 12, "removed_species": ["extra_3", "zebra"]}),
    (4, {"animals_per_species": 1, "fertile_males": 0, "fertile_females": 0}),
    (5, {"animals_per_species": 20, "fertile_males": 10, "fertile_females": 10}),
    (2, {"truck_count": 6, "truck_capacity": 5, "truck_blocked": [4, 4, 0, 1, 2, 3]}),
    (2, {"truck_count": 2, "truck_capacity": 5, "truck_blocked": [4, 4]}),
    (4, {"truck_count": 6, "leftover_truck": "keep"}),
    (2, {"leftover_truck": "keep", "placement_order": "truck"}),
    (3, {"end_stack": 60, "coin_supply": 6}),
    (5, {"start_coins": 10, "coin_supply": 300, "turn_limit": 150}),
    (2, {"start_coins": 0, "coin_supply": 0}),
    (4, {"price_buy": 10, "buy_seller_share": 10, "start_coins": 10, "coin_supply": 40}),
    (4, {"price_buy": 0, "buy_seller_share": 0, "trade_kinds": "animals_and_stalls", "turn_limit": 300}),
    # the end stack may run out
    (5, {"end_stack": 1, "start_coins": 0, "allow_expand": False}),
    (5, {"end_stack": 1, "start_coins": 0, "truck_capacity": 1, "truck_count": 6}),
    (5, {"end_stack": 2, "allow_move": False, "allow_exchange": False, "start_coins": 0}),
    # exchanges of all kinds, births without tiles, banks without coins
    (2, {"exchange_with_empty": True, "exchange_same_species": True, "exchange_pays_fill": True}),
    (3, {"exchange_with_empty": True, "exchange_pays_fill": True, "offspring_pays_fill": False}),
    (
        2,
        {"exchange_same_species": True, "price_exchange": 0, "removed_species": ["zebra"], "turn_limit": 150},
    ),
    (2, {"offspring_per_species": 1, "fertile_males": 5, "fertile_females": 5, "price_exchange": 0}),
    (2, {"coin_supply": 4, "coin_tiles": 3, "bank_short": "pay_none", "enclosure_spaces": [2, 2, 2]}),
    (2, {"coin_supply": 4, "coin_tiles": 3, "price_move": 0, "refill_pays": False, "turn_limit": 400}),
    (4, {"move_scope": "barn_or_stall", "trade_kinds": "animals_and_stalls", "barn_stall_unit": "kind"}),
    (4, {"stall_to_barn_by_choice": True, "price_discard": 0, "trade_kinds": "animals_and_stalls"}),
    (2, {"expansion_boards": 3, "price_expand": 0, "species_removed": 0, "turn_limit": 500}),
    (3, {"next_start": "rotate", "tie_break": "none", "turn_limit": 60}),
    (
        4,
        {
            "enclosure_spaces": [1, 1, 1],
            "expansion_spaces": 1,
            "enclosure_fill_coins": [10, 10, 10],
            "turn_limit": 99,
        },
    ),
]

SET_BY_HAND = (
    "species_in_box species_removed removed_species animals_per_species fertile_males fertile_females"
)
SET_BY_HAND += " end_stack truck_count truck_blocked truck_capacity start_coins coin_supply buy_seller_share"


def extremes() -> list[tuple[str, Any]]:
    """The lowest and highest value or each word of every parameter whose bounds stand alone."""
    found: list[tuple[str, Any]] = []
    for name, default, bounds in rules_of.parameters(4):
        if name in SET_BY_HAND.split():
            continue
        if isinstance(default, bool):
            found += [(name, True), (name, False)]
        elif isinstance(default, str):
            found += [(name, word) for word in bounds]
        elif isinstance(default, list):
            found += [(name, [bound] * len(default)) for bound in bounds]
        else:
            found += [(name, bound) for bound in bounds]
    return found


def rule_sets() -> list[tuple[int, dict[str, Any]]]:
    """Rules at their bounds, one by one and mixed; a turn limit keeps games of free actions short."""
    alone = [(2 + at % 4, {"turn_limit": 300} | {name: value}) for at, (name, value) in enumerate(extremes())]
    mixed = []
    for at in range(60):
        chance = random.Random(at)
        some = dict(chance.sample(extremes(), 12))
        mixed.append((2 + at % 4, some | {"turn_limit": chance.choice([1, 40, 200, 300])}))
    return [(players, {}) for players in (2, 3, 4, 5)] + BY_HAND + alone + mixed


RULE_SETS = rule_sets()
CHUNKS = 10


def totals(game: Game) -> dict[str, Any]:
    """Sums over the events so far that the invariants need."""
    placed = [p["tile"] for e in game.events if e["event"] == "take_truck" for p in e["placements"]]
    money = [e for e in game.events if e["event"] == "money"]
    discarded = [e["tile"] for e in money if e["kind"] == "discard"]
    removed = [tile for e in game.events if e["event"] == "round_end" for tile in e["removed"]]
    return {
        "drawn": [e["tile"] for e in game.events if e["event"] == "draw"],
        "coin_tiles": placed.count("coin"),
        "animals": len([t for t in placed if rules_of.is_animal(t)]),
        "stalls": sorted(t for t in placed if rules_of.is_stall(t)),
        "births": len([e for e in game.events if e["event"] == "breed"]),
        "discarded_animals": len([t for t in discarded if rules_of.is_animal(t)]),
        "discarded_stalls": [t for t in discarded if rules_of.is_stall(t)],
        "removed": removed,
        "placed": placed,
    }


def check_invariants(game: Game) -> None:
    """Z-70 to Z-72, when no action is going on."""
    told, rules = totals(game), game.rules
    on_trucks = [tile for truck in game.trucks for tile in truck.tiles]
    in_zoos = [tile for zoo in game.zoos for tiles in zoo.places.values() for tile in tiles]
    assert sum(game.coins()) + game.bank == rules["coin_supply"] + told["coin_tiles"]  # Z-70
    assert min(*game.coins(), game.bank) >= 0
    assert sorted(told["drawn"]) == sorted(on_trucks + told["placed"] + told["removed"])  # Z-71
    assert sorted(told["drawn"] + game.main + game.end) == sorted(game.events[0]["stock"])
    animals = len([tile for tile in in_zoos if rules_of.is_animal(tile)])
    assert animals + told["discarded_animals"] == told["animals"] + told["births"]
    stalls = [tile for tile in in_zoos if rules_of.is_stall(tile)]
    assert sorted(stalls + told["discarded_stalls"]) == told["stalls"]
    assert sum(game.supply.values()) + told["births"] == rules["offspring_per_species"] * len(game.supply)
    for zoo in game.zoos:
        for enclosure in zoo.enclosures():
            check_enclosure(game, zoo, enclosure)
    for truck in game.trucks:
        assert game.room(truck) >= 0


def check_enclosure(game: Game, zoo: rules_of.Zoo, enclosure: str) -> None:
    animals = zoo.animals(enclosure)
    assert len(animals) <= zoo.spaces(enclosure)
    assert len(zoo.stalls(enclosure)) <= rules_of.printed(game.rules, enclosure, "stall_spaces")
    species = {rules_of.species_of(tile) for tile in animals}
    assert len(species) <= 1  # Z-23
    for name in species:
        pair = name + "_m" in animals and name + "_f" in animals
        assert not pair or not game.rules["offspring"] or game.supply[name] == 0  # Z-72


RANGES = {
    "D-1": [(0, 8), (128, 169), (1024, 3702), (4096, 4846), (8192, 10574)],
    "D-2": [(16, 21)],
    "D-3": [(32, 70)],
}


def check_options(game: Game) -> None:
    """5.2 to 5.4: at least two, ascending, each once, in the range of the decision."""
    options = game.legal_actions()
    assert 2 <= len(options) <= 1817
    assert options == sorted(set(options))
    assert game.decision is not None
    for code in options:
        assert any(low <= code <= high for low, high in RANGES[game.decision])
        assert code != 9  # leaving the round is never chosen


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_random_play_with_odd_rules(chunk: int) -> None:
    texts: list[str] = []
    for index, (players, overrides) in list(enumerate(RULE_SETS))[chunk::CHUNKS]:
        chance = random.Random(index)
        game = shuffled_game(players, overrides, chance)
        steps = 0
        while not game.over:
            check_options(game)
            if game.decision == "D-1" and steps % 7 == 0:
                check_invariants(game)
            game.apply(chance.choice(game.legal_actions()))
            steps += 1
        check_invariants(game)
        assert json.loads(json.dumps(game.snapshot())) == game.snapshot()
        assert (game.legal_actions(), game.decision, game.player) == ([], None, None)
        assert game.turn <= game.rules["turn_limit"]
        texts += game.trace(index, 7, ["random"] * players)
    assert check_trace(texts) == []


def test_rule_sets_reach_every_bound_and_word() -> None:
    played = [resolve(players, overrides) for players, overrides in RULE_SETS]
    assert [each for each in extremes() if not any(rules[each[0]] == each[1] for rules in played)] == []
    assert set(PARAMETERS) == {name for name, _ in extremes()} | set(SET_BY_HAND.split())
    for name in SET_BY_HAND.split():
        assert len({json.dumps(rules[name]) for rules in played}) >= 3, name


@cache
def corpus() -> list[list[str]]:
    """Traces in which every event, kind of action and odd case comes up."""
    texts = []
    for index, (players, overrides) in enumerate(RULE_SETS[: 4 + len(BY_HAND)]):
        game = random_game(index, players, overrides)
        if len(game.events) < 400:
            texts.append(game.trace(index, 5, ["random"] * players))
    return texts


def lines_of(event: str, kind: str | None) -> list[tuple[int, int]]:
    """Where lines of an event (and of a kind of money action) stand: game and line."""
    wanted = [f'{{"event":"{event}",', "" if kind is None else f'"kind":"{kind}",']
    return [
        (at, number)
        for at, texts in enumerate(corpus())
        for number, text in enumerate(texts)
        if all(part in text for part in wanted)
    ]


FIELD_FAULTS = [
    (event, None, field) for event, fields in FIELDS.items() if event != "money" for field in fields
]
FIELD_FAULTS += [
    ("money", kind, field) for kind in MONEY_DETAILS for field in [*FIELDS["money"], *MONEY_DETAILS[kind]]
]
FREE = [("game", "index"), ("game", "seed"), ("game", "agents")]  # any numbers and names will do


@pytest.mark.parametrize(("event", "kind", "field"), FIELD_FAULTS)
def test_every_field_of_every_event_is_checked(event: str, kind: str | None, field: str) -> None:
    """A field altered, missing, of another type, or added, in games at random."""
    places = lines_of(event, kind)
    assert places
    chance = random.Random(event + field)
    for at, number in chance.sample(places, min(3, len(places))):
        texts, line = corpus()[at], json.loads(corpus()[at][number])
        spoiled = [line | {field: {"a": [0.5]}}, line | {"note": 1}]
        if (event, field) != ("game", "agents"):
            spoiled.append({name: value for name, value in line.items() if name != field})
        if (event, field) not in FREE:
            spoiled.append(altered(line, field, chance))
        for bad in spoiled:
            complaints = check_trace([*texts[:number], dump(bad), *texts[number + 1 :]])
            assert complaints != [], (field, bad)
            assert all(complaint.startswith(("game ", "no game, line ")) for complaint in complaints)


def altered(line: dict[str, Any], field: str, chance: random.Random) -> dict[str, Any]:
    """The line with one value of a field changed to another of the same type."""
    bad = copy.deepcopy(line)
    if line["event"] == "game" and field == "rules":
        del bad["rules"][chance.choice(PARAMETERS)]
        return bad
    inner = list(places_in({field: line[field]}))
    if inner:
        path = chance.choice(inner)
        put(bad, path, another(look_up(line, path)))
    else:
        bad[field] = ["zebra"]  # a list that was empty
    return bad


def test_random_games_meet_every_case() -> None:
    met: set[Any] = set()
    for texts in corpus():
        for line in parsed(texts):
            met.add(line["event"])
            met.add((line["event"], line.get("kind")))
            if line["event"] == "fill_coins":
                met.add("short" if line["paid"] < line["due"] else "full")
            if line["event"] == "breed":
                met.add("barn birth" if line["offspring_to"] == "barn" else "birth")
            if line["event"] == "money" and line["kind"] == "exchange":
                met |= {"empty side"} if None in (line["a_species"], line["b_species"]) else set()
                met |= {"same species"} if line["a_species"] == line["b_species"] else set()
                met |= {"barn side"} if line["a"] == "barn" else set()
            if line["event"] == "result":
                met.add("void" if line["void"] else "ordinary")
            if line["event"] == "round_end":
                met |= {"leftover"} if line["removed"] else set()
    due = {("money", kind) for kind in MONEY_DETAILS} | set(FIELDS)
    due |= {"short", "full", "birth", "barn birth", "empty side", "same species", "barn side", "leftover"}
    assert met >= due | {"void", "ordinary"}


def test_coin_tiles_stand_anywhere_in_placements_and_removed_tiles_in_any_order() -> None:
    moved = turned = 0
    for texts in corpus():
        lines = parsed(texts)
        steps: dict[int, int] = {}
        for line in lines:
            if line["event"] == "take_truck":
                order = list(reversed(range(len(line["placements"]))))
                others = [at for at in range(len(order)) if line["placements"][at]["tile"] != "coin"]
                order = [at for at in order if at not in others]
                order = others[:1] + order + others[1:]
                steps = {at: step for step, at in enumerate(order)}
                moved += order != sorted(order)
                line["placements"] = [line["placements"][at] for at in order]
            elif line["event"] in ("breed", "fill_coins"):
                line["step"] = steps.get(line["step"], line["step"])
            else:
                steps = {}
            if line["event"] == "round_end":
                turned += line["removed"] != line["removed"][::-1]
                line["removed"].reverse()
        assert check_trace([dump(line) for line in lines]) == []
    assert min(moved, turned) > 10


def test_several_games_in_one_trace() -> None:
    games = corpus()[:3]
    assert check_trace(games[2] + games[0] + games[1]) == []
    bad = [*games[1][:-1], games[1][-1].replace('"void":false', '"void":true')]
    complaints = check_trace(games[0] + bad + games[2])
    assert complaints == [f"game 1, line {len(games[0]) + len(bad)}: field void is true, should be false"]


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
    "x3",
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
        lines = parsed(chance.choice(corpus()))
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


def test_single_options_are_carried_out_and_change_nothing() -> None:
    """Asked at every decision or only where there is a choice: the same game."""
    skipped = 0
    for index, (players, overrides) in enumerate(RULE_SETS[: 4 + len(BY_HAND)]):
        chance = random.Random(index)
        short = shuffled_game(players, overrides, chance)
        long = Game(short.rules, short.events[0]["stock"], every=True)
        while not short.over:
            while len(long.legal_actions()) == 1:
                long.apply(long.legal_actions()[0])
                skipped += 1
            assert long.snapshot() == short.snapshot()
            code = chance.choice(short.legal_actions())
            short.apply(code)
            long.apply(code)
        while not long.over:
            assert len(long.legal_actions()) == 1
            long.apply(long.legal_actions()[0])
        assert long.events == short.events
    assert skipped > 100


def test_only_options_are_accepted() -> None:
    game = Game(resolve(5), rules_of.square_tiles(resolve(5)), every=True)
    assert (game.decision, game.player, game.legal_actions()) == ("D-1", 0, [0])
    for code in (-1, 1, 2, 8, 9, 16, 32):
        with pytest.raises(ValueError, match="not an option"):
            game.apply(code)
    game.apply(0)
    assert (game.decision, game.player, game.drawn) == ("D-2", 0, "flamingo")
    assert game.legal_actions() == [16, 17, 18, 19, 20]
    play(game, random.Random(2))
    with pytest.raises(ValueError, match="not an option"):
        game.apply(0)


def test_a_bad_stock_is_refused() -> None:
    tiles = rules_of.square_tiles(resolve(5))
    with pytest.raises(ValueError, match="stock"):
        Game(resolve(5), tiles[1:])
    with pytest.raises(ValueError, match="stock"):
        Game(resolve(5), ["coin", *tiles[1:]])
    with pytest.raises(ValueError, match="must be named"):
        Game(resolve(4), tiles)


# --------------------------------------------------------------- rules that no vector speaks of


def at_turn(overrides: dict[str, Any], places: dict[str, list[str]]) -> Game:
    """Seat 0 on turn with 9 coins and these tiles; seat 1 has a zebra in the barn."""
    game = Game.at(resolve(4, overrides), main=["panda"] * 50, end=["panda"] * 15)
    game.zoos[0].coins = 9
    game.zoos[0].places |= places
    game.zoos[1].places["barn"] = ["zebra"]
    return game


SOME = {"barn": ["zebra"], "e4": ["panda", "kiosk"]}


@pytest.mark.parametrize("kind", MONEY_DETAILS)
def test_a_money_action_can_be_forbidden(kind: str) -> None:
    kinds = {rules_of.kind_of_code(code) for code in at_turn({}, SOME).turn_options()}
    assert kinds == {"draw", *MONEY_DETAILS}
    left = {rules_of.kind_of_code(code) for code in at_turn({f"allow_{kind}": False}, SOME).turn_options()}
    assert left == kinds - {kind}


@pytest.mark.parametrize("kind", MONEY_DETAILS)
def test_each_money_action_has_its_price(kind: str) -> None:
    for coins in (6, 7):
        game = at_turn({f"price_{kind}": 7}, SOME)
        game.zoos[0].coins = coins
        kinds = {rules_of.kind_of_code(code) for code in game.turn_options()}
        assert (kind in kinds) == (coins == 7)


def test_a_stall_is_not_moved_within_a_place() -> None:
    """A-13, also when the barn is open to stalls: neither within the barn nor within e4."""
    game = at_turn({"stall_to_barn_by_choice": True}, {"barn": ["snacks"], "e4": ["kiosk"]})
    ends = [divmod((code - 1024) % 64, 8) for code in game.turn_options() if 1024 <= code < 4096]
    assert ends == [(1, 0), (1, 2), (1, 3), (0, 1), (0, 2), (0, 3)]


def test_the_seller_gets_the_share_and_the_bank_the_rest() -> None:
    game = at_turn({"price_buy": 5, "buy_seller_share": 4}, {})
    game._start(game._play())
    bank = game.bank
    game.apply(8192 + 512 + 8 * 18 + 2)  # the zebra of seat 1 to e5
    assert (game.coins(), game.bank) == ([4, 6, 2, 2], bank + 1)
    assert (game.zoos[0].places["e5"], game.zoos[1].places["barn"]) == (["zebra"], [])


def test_the_order_of_options_is_that_of_their_codes() -> None:
    """5.3: draw, take, expand, discard, move, exchange, buy; all ascending."""
    game = at_turn({}, SOME)
    game.trucks[2].tiles = ["coin"]
    game._start(game._play())
    stall, panda, zebra = 1024 + 64 * 36, 1024 + 64 * 12, 1024 + 64 * 18
    assert game.legal_actions() == [
        *(0, 3, 8, 128 + 18),
        *(panda + 8, panda + 10, panda + 11, zebra + 2, zebra + 3, stall + 10, stall + 11),
        4096 + 64 * 6 + 1,
        *(8192 + 512 + 8 * 18 + place for place in (0, 2, 3)),
    ]


@pytest.mark.parametrize(
    ("overrides", "total"),
    [
        ({}, 8 + 2 + 4 - 4 - 4),
        ({"enclosure_high": [5, 9, 10]}, 9 + 2 + 4 - 4 - 4),
        ({"partial_points": 3}, 8 + 6 + 4 - 4 - 4),
        ({"stall_points": 5}, 8 + 2 + 10 - 4 - 4),
        ({"barn_stall_penalty": 10}, 8 + 2 + 4 - 20 - 4),
        ({"barn_species_penalty": 0}, 8 + 2 + 4 - 4),
        ({"enclosure_spaces": [3, 5, 6], "enclosure_low": [7, 0, 0]}, 8 + 7 + 4 - 4 - 4),
        ({"enclosure_spaces": [4, 6, 6], "enclosure_low": [0, 30, 0]}, 30 + 2 + 4 - 4 - 4),
        ({"enclosure_spaces": [4, 7, 6]}, 5 + 2 + 4 - 4 - 4),
    ],
)
def test_numbers_of_scoring(overrides: dict[str, Any], total: int) -> None:
    places = {"e4": ["panda", "panda", "kiosk"], "e5": ["zebra"] * 5 + ["snacks"]}
    places["barn"] = ["kiosk", "kiosk", "zebra", "zebra_m", "camel"]
    assert rules_of.score_of(at_turn(overrides, places).zoos[0])["total"] == total


# ------------------------------------------------------------------- facts that follow, at the defaults


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_facts_at_the_defaults(players: int) -> None:
    """Z-73 to Z-75."""
    rounds = {2: (11, 33), 3: (9, 26), 4: (8, 22), 5: (7, 20)}[players]
    room = {2: 6, 3: 9, 4: 12, 5: 15}[players]
    for seed in range(15):
        chance = random.Random(seed)
        game = shuffled_game(players, {}, chance)
        while not game.over:
            if game.decision == "D-1":
                assert game.can_draw() or game.takeable()  # Z-74
            game.apply(chance.choice(game.legal_actions()))
        result = game.events[-1]
        assert rounds[0] <= result["rounds"] <= rounds[1]
        for number in range(1, result["rounds"] + 1):
            of_round = [e for e in game.events if e.get("round") == number]
            assert players <= len([e for e in of_round if e["event"] == "draw"]) <= room
            takers = [e["player"] for e in of_round if e["event"] == "take_truck"]
            assert sorted(takers) == list(range(players))
            assert of_round[-1]["next_start"] == takers[-1]
        assert max(score["total"] for score in result["scores"]) <= (49 if players == 2 else 40)
        assert sum(result["win_shares"]) == pytest.approx(1)
        assert "pass" not in {event["event"] for event in game.events}


# players: mean score per player, rounds, turns and births per game, when everybody plays at random
KNOWN_MEANS = {
    2: (3.57, 21.86, 121.4, 1.03),
    3: (1.16, 17.34, 145.5, 1.29),
    4: (-2.08, 15.64, 169.6, 1.11),
    5: (-4.33, 14.58, 193.5, 1.06),
}


@pytest.mark.parametrize("players", KNOWN_MEANS)
def test_means_of_random_play(players: int) -> None:
    games = [random_game(100 * seed + players, players, {}).events for seed in range(120)]
    results = [events[-1] for events in games]
    score, rounds, turns, births = KNOWN_MEANS[players]
    scores = [statistics.fmean(s["total"] for s in result["scores"]) for result in results]
    assert statistics.fmean(scores) == pytest.approx(score, abs=1.5)
    assert statistics.fmean(result["rounds"] for result in results) == pytest.approx(rounds, abs=0.7)
    assert statistics.fmean(result["turns"] for result in results) == pytest.approx(turns, abs=2.5)
    born = [len([event for event in events if event["event"] == "breed"]) for events in games]
    assert statistics.fmean(born) == pytest.approx(births, abs=0.4)


# --------------------------------------------------------------------------- coin pumps and void games


def pumping_events(fillings: int) -> Lines:
    """A void game in which seat 1 moves an animal out of e5 and back again and again, one round long."""
    events: Lines = []
    for turn in range(fillings):
        events.append({"event": "money", "round": 3, "player": 1, "kind": "move"})
        events.append({"event": "fill_coins", "player": 1, "enclosure": "e5", "due": 2, "paid": 0})
        events.append({"event": "fill_coins", "player": turn % 2, "enclosure": "e4", "due": 1, "paid": 1})
    return [*events, {"event": "money", "round": 4, "player": 1}, {"event": "result", "void": True}]


def test_coin_pumps_are_reported() -> None:
    """3.1: more than 3 fillings of one enclosure of one player, paid or not."""
    assert report(pumping_events(3)) == {"pumped": False, "most_money_actions": 3, "void": True}
    assert report(pumping_events(4)) == {"pumped": True, "most_money_actions": 4, "void": True}
    batch = [pumping_events(3), pumping_events(4), [{"event": "result", "void": False}]]
    assert batch_report(batch) == {
        "pumped_games": 1,
        "most_money_actions_mean": pytest.approx(7 / 3),
        "most_money_actions_max": 4,
        "void_games": 2,
    }


def test_a_last_player_who_pumps_is_seen_in_a_real_game() -> None:
    """Free moves, big fillings: some random games are pumped, some void; without refilling none is pumped."""
    rules = {"price_move": 0, "enclosure_spaces": [1, 1, 6], "turn_limit": 250}
    games = [random_game(seed, 2, rules).events for seed in range(6)]
    told = batch_report(games)
    assert told["pumped_games"] > 0
    assert told["void_games"] > 0
    once = [random_game(seed, 2, rules | {"refill_pays": False}).events for seed in range(6)]
    assert batch_report(once)["pumped_games"] == 0


@pytest.mark.parametrize("limit", range(1, 40, 3))
def test_a_game_stops_at_its_turn_limit(limit: int) -> None:
    """3.2: the same game, cut off; all that has happened before is the same."""
    whole = random_game(limit, 3, {}).events
    chance = random.Random(limit)
    cut = play(shuffled_game(3, {"turn_limit": limit}, chance), chance)
    assert cut.void
    assert cut.events[:-1] == whole[: len(cut.events) - 1]
    result = cut.events[-1]
    last = [event for event in cut.events if "turn" in event and "round" in event][-1]
    assert (result["turns"], result["rounds"]) == (limit, last["round"])
    assert (result["scores"], result["ranks"], result["win_shares"]) == (None, None, None)
    assert sum(result["coins"]) + result["bank"] == 30 + totals(cut)["coin_tiles"]
