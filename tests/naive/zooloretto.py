"""The referee of Zooloretto: its game, its checks of traces and its answers to test vectors.

`Game` (in `zooloretto_game`) plays by the rules; `check_trace` replays a trace and lists what is wrong with
it; `run_vector` answers a test vector and `differences` compares the answer. The names in brackets are rules
(Z-12), rulings (A-28) and decisions (D-2) of the rules contract.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from typing import Any

from .lines import (
    Block,
    Test,
    TraceError,
    form_faults,
    is_bool,
    is_int,
    is_object,
    is_string,
    list_of,
    not_first,
    object_of,
    one_of,
    or_null,
    read_object,
    short,
)
from .zooloretto_game import (
    BARN,
    BASE,
    BUY,
    CLASSES,
    COIN,
    DISCARD,
    DRAW,
    EXCHANGE,
    EXPAND,
    LOAD,
    MOVE,
    PARAMETERS,
    PLACE,
    PLACES,
    PURSE,
    SPECIES,
    TAKE,
    Event,
    Game,
    Rules,
    RulesError,
    Truck,
    Zoo,
    is_animal,
    kind_of_code,
    rank,
    resolve,
    score_of,
    square_tiles,
    with_removed,
)

# ------------------------------------------------------------------------------ traces: form of a line


def is_float(value: Any) -> bool:
    return type(value) is float


def record(fields: dict[str, Test]) -> Test:
    return lambda value: type(value) is dict and form_faults(value, fields) == []


ints = list_of(is_int)
strings = list_of(is_string)
zoos = list_of(record({"coins": is_int, "places": object_of(object_of(is_int))}))
scores = list_of(
    record(
        {
            "enclosures": object_of(is_int),
            "stalls": is_int,
            "barn_stalls": is_int,
            "barn_species": is_int,
            "total": is_int,
        }
    )
)

FIELDS: dict[str, dict[str, Test]] = {
    "game": {
        "format": is_int,
        "index": is_int,
        "seed": is_int,
        "players": is_int,
        "rules": is_object,
        "agents": strings,
    },
    "setup": {
        "species": strings,
        "removed_species": strings,
        "stock": strings,
        "end_stack": is_int,
        "blocked": ints,
        "coins": ints,
        "bank": is_int,
        "start": is_int,
    },
    "draw": {
        "turn": is_int,
        "round": is_int,
        "player": is_int,
        "tile": is_string,
        "truck": is_int,
        "from": one_of("main", "end"),
    },
    "take_truck": {
        "turn": is_int,
        "round": is_int,
        "player": is_int,
        "truck": is_int,
        "placements": list_of(record({"tile": is_string, "to": is_string})),
    },
    "breed": {
        "turn": is_int,
        "player": is_int,
        "step": is_int,
        "species": is_string,
        "enclosure": is_string,
        "offspring_to": is_string,
    },
    "fill_coins": {
        "turn": is_int,
        "player": is_int,
        "step": is_int,
        "enclosure": is_string,
        "due": is_int,
        "paid": is_int,
    },
    "money": {
        "turn": is_int,
        "round": is_int,
        "player": is_int,
        "kind": one_of("move", "exchange", "buy", "discard", "expand"),
        "paid": is_int,
    },
    "pass": {"turn": is_int, "round": is_int, "player": is_int},
    "round_end": {
        "round": is_int,
        "next_start": is_int,
        "final": is_bool,
        "removed": strings,
        "coins": ints,
        "bank": is_int,
        "zoos": zoos,
    },
    "result": {
        "rounds": is_int,
        "turns": is_int,
        "void": is_bool,
        "scores": or_null(scores),
        "coins": ints,
        "bank": is_int,
        "ranks": or_null(ints),
        "win_shares": or_null(list_of(is_float)),
        "zoos": zoos,
    },
}

MONEY_DETAILS: dict[str, dict[str, Test]] = {  # the further fields of a money line
    "move": {"tile": is_string, "from": is_string, "to": is_string},
    "exchange": {
        "a": is_string,
        "a_species": or_null(is_string),
        "b": is_string,
        "b_species": or_null(is_string),
    },
    "buy": {"seller": is_int, "tile": is_string, "to": is_string},
    "discard": {"tile": is_string},
    "expand": {"board": is_string},
}

OPTIONAL = ["agents"]


def fields_due(line: Event) -> dict[str, Test]:
    """The fields that a line of this event must have, those of `money` by kind."""
    due: dict[str, Test] = {"event": is_string} | FIELDS[line["event"]]
    kind = line.get("kind")
    if line["event"] == "money" and is_string(kind) and kind in MONEY_DETAILS:
        due |= MONEY_DETAILS[kind]
    return due


def read_line(text: Any) -> tuple[Event | None, list[str]]:
    """The object of one line, None if there is none to be had, and what is wrong with its form."""
    line, faults = read_object(text, FIELDS)
    if line is None:
        return None, faults
    return line, faults + not_first(line) + form_faults(line, fields_due(line), OPTIONAL)


# -------------------------------------------------------------------------------- traces: replaying


def check_trace(lines: Iterable[str]) -> list[str]:
    """Complaints about a trace, one sentence each with game index and line number; none if it is right."""
    if isinstance(lines, str):
        lines = lines.removesuffix("\n").split("\n")
    complaints: list[str] = []
    block: Block | None = None
    outside = False
    for number, text in enumerate(lines, start=1):
        line, faults = read_line(text)
        event = None if line is None else line["event"]
        if event == "game":
            if block is not None:
                block.complain(number, "a new game begins before the result of the one before it")
                replay(block)
            block = Block(complaints)
            if line is not None and is_int(line.get("index")):
                block.index = str(line["index"])
        if block is None:
            if not outside:  # said once for lines that follow each other
                complaints.append(f"no game, line {number}: the line stands outside of every game")
            outside = True
            complaints += [f"no game, line {number}: {fault}" for fault in faults]
            continue
        outside = False
        for fault in faults:
            block.complain(number, fault)
        block.sound = block.sound and not faults
        if line is not None:
            block.lines.append(line)
            block.numbers.append(number)
        if event == "result":
            replay(block)
            block = None
    if block is not None:
        block.complain(block.numbers[-1], "the trace ends before the result of the game")
        replay(block)
    return complaints


def header_rules(line: Event) -> tuple[Rules | None, list[str]]:
    """The rules of a `game` line and what is wrong with the line; no rules if the game cannot be replayed."""
    missing = [name for name in PARAMETERS if name not in line["rules"]]
    if missing:
        return None, [f"rules lack {', '.join(missing)}"]
    try:
        rules = resolve(line["players"], line["rules"])
    except RulesError as error:
        return None, [f"rules: {error}"]
    faults = []
    if len(rules["removed_species"]) != rules["species_removed"]:
        return None, ["rules: removed_species does not name the species really removed"]
    if line["rules"]["removed_species"] != rules["removed_species"]:
        faults.append("rules: removed_species is not in canonical order")
    if line["format"] != 1:
        faults.append("format is not 1")
    if len(line.get("agents", [None] * rules["players"])) != rules["players"]:
        faults.append("agents does not name one agent per seat")
    return rules, faults


def coins_first(lines: list[Event]) -> list[Event]:
    """The lines with the coin tiles, free to stand anywhere in `placements`, at the front; `step` follows."""
    told = []
    new_step: dict[int, int] = {}
    turn = None
    for line in lines:
        if line["event"] == "take_truck":
            old = line["placements"]
            order = sorted(range(len(old)), key=lambda at: old[at]["tile"] != COIN)
            new_step, turn = {at: step for step, at in enumerate(order)}, line["turn"]
            line = line | {"placements": [old[at] for at in order]}
        elif line["event"] in ("breed", "fill_coins") and line["turn"] == turn:
            line = line | {"step": new_step.get(line["step"], line["step"])}
        else:
            turn = None
        told.append(line)
    return told


def replay(block: Block) -> None:
    """Play the game of a trace again and compare line by line."""
    if not block.sound:
        return  # the form is wrong and has been reported
    rules, faults = header_rules(block.lines[0])
    for fault in faults:
        block.complain(block.numbers[0], fault)
    if rules is None:
        return
    lines, numbers = coins_first(block.lines[1:]), block.numbers[1:]
    compared = 0  # lines found equal to the game's own events, or complained of

    def compare(events: list[Event]) -> None:
        nonlocal compared
        while compared < len(events):
            at, due = compared, events[compared]
            if at >= len(lines):
                raise TraceError(None, f"the lines end where a {due['event']} line is due")
            if lines[at]["event"] != due["event"]:
                raise TraceError(at, f"a {due['event']} line is due here, not {lines[at]['event']}")
            for name in lines[at]:
                if name not in due:
                    block.complain(numbers[at], f"field {name} does not belong here")
            for name in due:
                if name not in lines[at] or not same(name, due[name], lines[at][name]):
                    said = short(lines[at][name]) if name in lines[at] else "missing"
                    block.complain(numbers[at], f"field {name} is {said}, should be {short(due[name])}")
            compared += 1

    try:
        game = game_of_setup(rules, lines)
        compare(game.events)
        while not game.over:
            code = code_from_lines(game, lines[compared:], compared)
            if code not in game.legal_actions():
                raise TraceError(compared, f"player {game.player} may not do this ({game.decision})")
            game.apply(code)
            compare(game.events)
        if len(lines) > compared:
            raise TraceError(compared, "the line comes after the end of the game")
    except TraceError as fault:
        block.complain(block.numbers[-1] if fault.at is None else numbers[fault.at], fault.text)


def game_of_setup(rules: Rules, lines: list[Event]) -> Game:
    """The game with the stock of the `setup` line."""
    if not lines or lines[0]["event"] != "setup":
        raise TraceError(0 if lines else None, "a setup line is due after the game line")
    try:
        return Game(rules, lines[0]["stock"], every=True)
    except ValueError as error:
        raise TraceError(0, str(error)) from None


def same(name: str, due: Any, said: Any) -> bool:
    """Equality; win shares are compared within 1e-6, the order of `removed` is free."""
    if name == "removed":
        return sorted(due) == sorted(said)
    if name == "win_shares" and due is not None and said is not None:
        return len(due) == len(said) and all(
            -1 < share < 2 and abs(share - right) <= 1e-6 for share, right in zip(said, due, strict=True)
        )
    return bool(due == said)


def code_from_lines(game: Game, coming: list[Event], at: int) -> int:
    """The action code of the decision that the game waits for, read off the next line.

    `coming` begins with the first line not yet played; `at` is its number, for complaints.
    """
    if not coming:
        raise TraceError(None, f"the lines end where player {game.player} decides ({game.decision})")
    line = coming[0]
    if line["event"] not in ("draw", "take_truck", "money"):
        raise TraceError(at, f"an action of player {game.player} is due here, not {line['event']}")
    if line["player"] != game.player:
        raise TraceError(at, f"it is player {game.player}'s turn, not player {line['player']}'s")
    if game.decision == "D-1":
        if line["event"] == "draw":
            return DRAW
        if line["event"] == "take_truck":
            return TAKE + number_in_range(line["truck"], len(game.trucks), at)
        return money_code(game, line, at)
    if game.decision == "D-2":
        return LOAD + number_in_range(line["truck"], len(game.trucks), at)
    step = len(game.placements)
    if step >= len(line["placements"]):
        raise TraceError(at, "placements lacks tiles of the truck")
    placement = line["placements"][step]
    return place_code(game, placement["tile"], placement["to"], at)


def number_in_range(number: int, count: int, at: int) -> int:
    if number not in range(count):
        raise TraceError(at, f"there is no number {number}")
    return number


def name_in(names: list[str], name: str | None, at: int) -> int:
    """The position of a name among those there are."""
    if name not in names:
        raise TraceError(at, f"there is no {name} here")
    return names.index(name)


def place_code(game: Game, tile: str, to: str, at: int) -> int:
    """D-3: the lowest slot with this tile."""
    slots = [slot for slot in sorted(game.left) if game.left[slot] == tile]
    if not slots:
        raise TraceError(at, f"no {tile} is left on the truck")
    return PLACE + 8 * slots[0] + name_in(PLACES, to, at)


def money_code(game: Game, line: Event, at: int) -> int:
    """The code of a money action; `line` has the fields of a money line."""
    kind = line["kind"]
    if kind == "expand":
        return EXPAND  # the board is compared with the game's own line
    if kind == "exchange":
        a, b = name_in(PLACES, line["a"], at), name_in(PLACES, line["b"], at)
        species = name_in(SPECIES, line["a_species"], at) if line["a"] == BARN else 0
        return EXCHANGE + 64 * species + 8 * a + b
    tile = name_in(CLASSES, line["tile"], at)
    if kind == "discard":
        return DISCARD + tile
    to = name_in(PLACES, line["to"], at)
    if kind == "move":
        return MOVE + 64 * tile + 8 * name_in(PLACES, line["from"], at) + to
    return BUY + 512 * number_in_range(line["seller"], game.rules["players"], at) + 8 * tile + to


# ------------------------------------------------------------------------------------- test vectors


def run_vector(vector: dict[str, Any]) -> dict[str, Any]:
    """What the referee says about a test vector, in the form of its `expected`; see `differences`."""
    answers: dict[str, Callable[[dict[str, Any]], dict[str, Any]]] = {
        "setup": vector_setup,
        "input": vector_input,
        "score": vector_score,
        "take": vector_take,
        "money": vector_money,
        "sequence": vector_money,
        "turn": vector_turn,
        "order": vector_order,
        "trigger": vector_trigger,
        "leftover": vector_leftover,
        "limit": vector_limit,
        "options": vector_options,
        "rank": vector_rank,
    }
    return answers[vector["kind"]](vector)


def differences(vector: dict[str, Any], said: dict[str, Any]) -> list[str]:
    """Where an answer differs from what the vector expects; an answer may say more than is expected.

    Zoos are compared as multisets place by place; places that the vector does not list must be as before.
    """
    faults = []
    for name, expected in vector["expected"].items():
        answer = said.get(name)
        if name in ("zoo", "zoo1"):
            expected = normal_zoo(zoo_before(vector, int(name == "zoo1")) | expected)
            answer = normal_zoo(answer or {})
        elif name in ("removed", "error", "place"):
            expected, answer = sorted(expected), sorted(answer or [])
        elif name == "win_shares":
            expected = [round(share, 6) for share in expected]
            answer = [round(share, 6) for share in answer or []]
        if expected != answer:
            faults.append(f"{vector['id']}: {name} is {answer!r}, should be {expected!r}")
    return faults


def zoo_before(vector: dict[str, Any], seat: int) -> dict[str, Any]:
    zoo = vector["zoo"] if "zoo" in vector else vector["player"][seat]["zoo"]
    return dict(zoo)


def normal_zoo(zoo: dict[str, Any]) -> dict[str, list[str]]:
    """The tiles of each place in order, from the form of the vectors; base places are always there."""
    normal: dict[str, list[str]] = {place: [] for place in (BARN, *BASE)}
    for place, content in zoo.items():
        tiles = content if place == BARN else content.get("animals", []) + content.get("stalls", [])
        normal[place] = sorted(tiles)
    return normal


def zoo_of(rules: Rules, zoo: dict[str, Any], coins: int) -> Zoo:
    """A zoo as a vector describes it."""
    built = Zoo(rules, coins)
    for place, tiles in normal_zoo(zoo).items():
        built.places[place] = tiles
    return built


def told_zoo(zoo: Zoo) -> dict[str, Any]:
    """A zoo in the form of the vectors."""
    told: dict[str, Any] = {e: {"animals": zoo.animals(e), "stalls": zoo.stalls(e)} for e in zoo.enclosures()}
    return told | {BARN: list(zoo.places[BARN])}


def told_events(game: Game) -> list[list[Any]]:
    """Births and fillings in the form of the vectors."""
    told: list[list[Any]] = []
    for event in game.events:
        if event["event"] == "fill_coins":
            told.append(["fill", event["enclosure"], event["paid"]])
        elif event["event"] == "breed":
            told.append(["breed", event["species"], event["enclosure"], event["offspring_to"]])
    return told


def vector_rules(vector: dict[str, Any]) -> Rules:
    return resolve(vector.get("players", 4), vector.get("rules", {}))


def game_at(vector: dict[str, Any], **state: Any) -> Game:
    """A game at the turn of seat 0 or `start`, with the stock, bank and players of the vector, else at rest."""
    rules = vector_rules(vector)
    plenty = {"main": 200, "end": 15}  # plain animals, more than any vector draws
    stocks = {name: ["zebra"] * vector.get(name, count) for name, count in plenty.items()}
    start = vector.get("start", 0)
    supply = dict.fromkeys(SPECIES, rules["offspring_per_species"])
    state = stocks | {"start": start, "seat": start, "supply": supply} | state
    if "bank" in vector:
        state["bank"] = vector["bank"]
    game = Game.at(rules, **state)
    seats = vector.get("player", [])
    if "zoo" in vector:
        seats = [{"zoo": vector["zoo"], "coins": vector.get("coins", 0)}]
    for seat, owner in enumerate(seats):
        game.zoos[seat] = zoo_of(rules, owner["zoo"], owner["coins"])
    return game


def trucks_of(vector: dict[str, Any]) -> list[Truck]:
    """Trucks as a vector lists them."""
    trucks = []
    for listed in vector["trucks"]:
        truck = Truck(listed.get("blocked", 0), listed["tiles"])
        if listed.get("taken_by", -1) >= 0:
            truck.taken_by = listed["taken_by"]
        trucks.append(truck)
    return trucks


def vector_setup(vector: dict[str, Any]) -> dict[str, Any]:
    rules = with_removed(vector_rules(vector), random.Random(1))
    game = Game(rules, square_tiles(rules), every=True)
    tiles = game.main + game.end
    return {
        "animals": len([tile for tile in tiles if is_animal(tile)]),
        "tiles": len(tiles),
        "main": len(game.main),
        "end": len(game.end),
        "trucks": len(game.trucks),
        "load_room": [game.room(truck) for truck in game.trucks],
        "bank": game.bank,
        "expansion_boards": rules["expansion_boards"],
    }


def vector_input(vector: dict[str, Any]) -> dict[str, Any]:
    try:
        vector_rules(vector)
    except RulesError as error:
        return {"error": error.names}
    return {"error": []}


def vector_score(vector: dict[str, Any]) -> dict[str, Any]:
    return score_of(zoo_of(vector_rules(vector), vector["zoo"], 0))


def vector_take(vector: dict[str, Any]) -> dict[str, Any]:
    """The player takes truck 0 and places its tiles as listed; every tile must be in the list."""
    game = game_at(vector)
    game.trucks[0] = Truck(0, vector["truck"])
    game._start(game._play())
    coins = [placement for placement in vector["placements"] if placement[0] == COIN]
    others = [placement for placement in vector["placements"] if placement[0] != COIN]
    if sorted(tile for tile, _ in coins + others) != sorted(vector["truck"]):
        return {"legal": False}
    if any(place != PURSE for _, place in coins):
        return {"legal": False}
    game.apply(TAKE)
    for tile, place in others:
        code = place_code(game, tile, place, 0)
        if code not in game.legal_actions():
            return {"legal": False}
        game.apply(code)
    return {
        "legal": True,
        "coins": game.zoos[0].coins,
        "bank": game.bank,
        "events": told_events(game),
        "zoo": told_zoo(game.zoos[0]),
    }


def vector_money(vector: dict[str, Any]) -> dict[str, Any]:
    """Seat 0, alone in the round, takes one money action after the other."""
    game = game_at(vector)
    game.out = [seat != 0 for seat in range(game.rules["players"])]
    game._start(game._play())
    for at, action in enumerate(vector.get("actions", [vector.get("action")])):
        code = money_code(game, action | {"a_species": action.get("species")}, 0)
        if code not in game.legal_actions():
            return {"legal": False, "at": at}
        game.apply(code)
    return {
        "legal": True,
        "coins": [game.zoos[seat].coins for seat in range(len(vector["player"]))],
        "bank": game.bank,
        "events": told_events(game),
        "zoo": told_zoo(game.zoos[0]),
        "zoo1": told_zoo(game.zoos[1]),
    }


def vector_turn(vector: dict[str, Any]) -> dict[str, Any]:
    vector = {"coins": 0, "zoo": {}} | vector
    game = game_at(vector, trucks=trucks_of(vector))
    return {
        "can_draw": game.can_draw(),
        "loadable": game.loadable(),
        "takeable": game.takeable(),
        "leaves": game.turn_options() == [],
    }


def take_steps(game: Game, steps: list[str]) -> bool:
    """Turns by letter: d draw, m money, t take, p leave. Did all of them happen, one per turn?"""
    game._start(game._play())
    for number, step in enumerate(steps, start=1):
        if step == "p":  # it has happened by itself
            continue
        kinds = {"d": ["draw"], "t": ["take"], "m": ["move", "exchange", "buy", "discard", "expand"]}[step]
        options = [code for code in game.legal_actions() if kind_of_code(code) in kinds]
        if game.turn != number or not options:
            return False
        game.apply(options[0])
        if game.decision == "D-2":
            empty = [t for t in game.loadable() if not game.trucks[t].tiles]
            game.apply(LOAD + (empty + game.loadable())[0])
        while game.decision == "D-3":
            game.apply(game.legal_actions()[0])
    letters = {"draw": "d", "money": "m", "take_truck": "t", "pass": "p"}
    return [letters[e["event"]] for e in game.events if e["event"] in letters] == steps


def vector_order(vector: dict[str, Any]) -> dict[str, Any]:
    game = game_at(vector)
    for zoo in game.zoos:
        zoo.coins = vector.get("coins", 20)
    if not take_steps(game, vector["actions"]):
        return {}
    turns = ("draw", "money", "take_truck", "pass")
    ends = [event for event in game.events if event["event"] == "round_end"]
    return {
        "actors": [event["player"] for event in game.events if event["event"] in turns],
        "round_over": len(ends) == 1,
        "next_start": ends[0]["next_start"] if ends else None,
    }


def vector_trigger(vector: dict[str, Any]) -> dict[str, Any]:
    game = game_at(vector)
    game._start(game._play())
    final = []
    for _ in range(vector["draws"]):
        game.apply(DRAW)
        game.apply(game.legal_actions()[0])
        final.append(game.last_round)
    return {"final": final, "main": len(game.main), "end": len(game.end)}


def vector_leftover(vector: dict[str, Any]) -> dict[str, Any]:
    game = game_at(vector, trucks=trucks_of(vector), last_taker=0)
    game._begin_round(game._end_round())
    return {
        "removed": game.events[-1]["removed"],
        "bank": game.bank,
        "load_room": [game.room(truck) for truck in game.trucks],
        "tiles": [truck.tiles for truck in game.trucks],
    }


def vector_limit(vector: dict[str, Any]) -> dict[str, Any]:
    game = game_at(vector)
    if not take_steps(game, vector["actions"]):
        return {}
    turns = [event for event in game.events if event["event"] in ("draw", "money", "take_truck", "pass")]
    return {
        "over": game.over,
        "void": game.void,
        "rounds": turns[-1]["round"],
        "turns": turns[-1]["turn"],
        "round_ends": len([event for event in game.events if event["event"] == "round_end"]),
    }


def vector_options(vector: dict[str, Any]) -> dict[str, Any]:
    if "truck" in vector:
        game = game_at(vector)
        game.trucks[0] = Truck(0, vector["truck"])
        game._start(game._play())
        game.apply(TAKE)
        pairs = [divmod(code - PLACE, 8) for code in game.legal_actions()]
        return {"place": [[game.left[slot], PLACES[place]] for slot, place in pairs]}
    game = game_at(vector, trucks=trucks_of(vector))
    kinds = [kind_of_code(code) for code in game.turn_options()]
    names = ["draw", "take", "move", "exchange", "buy", "discard", "expand"]
    return {"total": len(kinds)} | {name: kinds.count(name) for name in names}


def vector_rank(vector: dict[str, Any]) -> dict[str, Any]:
    return rank(vector_rules(vector), vector["points"], vector["coins"])
