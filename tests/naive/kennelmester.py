"""The plain referee of Kennelmester, second part: it judges traces and answers test vectors.

`check_trace` replays a trace with the rules of `kennelmester_game` and lists what is wrong with it,
`decisions_of` lists the decisions of a right one, `Told` is the chance of a game that has been written down,
and `run_vector` answers a test vector of the rules contract.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from typing import Any

from .kennelmester_game import (
    BARGAIN,
    BIRTH,
    BUY,
    COIN,
    CONSENT,
    DISCARD_CUSTOMER,
    DISCARD_DOG,
    DRAW_CUSTOMER,
    DRAW_DOG,
    ENTER,
    ENTER_MORE,
    GIFT,
    KIND_NAMES,
    MATE,
    NAMES,
    NOBODY,
    PASS,
    RELEASE,
    SELL_CUSTOMER,
    SELL_PLAYER,
    START_BREED,
    TAKE_CUSTOMER,
    TAKE_DOG,
    TRAITS,
    Decks,
    Dog,
    Event,
    Game,
    Rules,
    RulesError,
    Vector,
    as_object,
    as_vector,
    basis_of,
    bonus_earned,
    breeds_of,
    deal_made,
    deck_faults,
    decode,
    dice_parts,
    encode,
    end_reason,
    inherit,
    is_number,
    judge,
    order_faults,
    ranking,
    resolve,
    sale_price,
    shuffled_orders,
    sides_of,
    start_coins,
    start_order,
    stud_fee,
    total_of,
    turn_order,
    upkeep_due,
    valuation,
)
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
    object_of,
    one_of,
    or_null,
    read_object,
    short,
)

# ------------------------------------------------------------------------------ traces: form of a line


def record(**fields: Test) -> Test:
    return lambda value: type(value) is dict and form_faults(value, fields) == []


def is_vector(value: Any) -> bool:
    """1.1: an object that names only the non-zero traits."""
    return type(value) is dict and all(
        name in TRAITS and is_int(dice) and dice > 0 for name, dice in value.items()
    )


ints, strings = list_of(is_int), list_of(is_string)
deck_name = one_of("dogs", "customers")

DOG_RECORD = {
    "dog": is_string,
    "stage": one_of("adult", "pup"),
    "total": is_vector,
    "inherited": is_vector,
    "wins": is_int,
    "used_round": is_int,
    "entered_round": is_int,
    "pregnancy": or_null(record(father=is_string, inherited=is_vector, round=is_int)),
    "nursing_round": or_null(is_int),
    "born_round": or_null(is_int),
}
STATE = {
    "players": list_of(
        record(
            player=is_int,
            coins=is_int,
            reputation=is_int,
            hand_dogs=strings,
            hand_customers=strings,
            kennel=list_of(record(**DOG_RECORD)),
            events_won=strings,
        )
    ),
    "dog_decks": object_of(is_int),
    "dog_discards": object_of(strings),
    "dog_spent": object_of(strings),
    "customer_deck": is_int,
    "customer_discards": strings,
    "customer_spent": strings,
    "gone": strings,
    "event_deck": strings,
    "events_removed": strings,
}
DECKS = {
    "characters": list_of(record(id=is_string, prep=strings)),
    "dogs": list_of(record(id=is_string, breed=is_string, sex=is_string, price=is_int, traits=is_vector)),
    "customers": list_of(
        record(
            id=is_string,
            breed=or_null(is_string),
            sex=or_null(is_string),
            bonuses=list_of(record(trait=is_string, min=is_int, coins=is_int, reputation=is_int)),
        )
    ),
    "events": list_of(
        record(
            id=is_string,
            type=is_string,
            cost=is_int,
            traits=strings,
            required=is_int,
            target=is_int,
            reputation=is_int,
        )
    ),
}
ACTION = {"player": is_int, "n": is_int, "bonus": is_bool}  # 8.4

FIELDS: dict[str, dict[str, Test]] = {
    "game": {
        "schema": is_string,
        "mode": is_string,
        "n_players": is_int,
        "sides": ints,
        "seed": is_int,
        "game_index": is_int,
        "policies": strings,
        "rules": is_object,
        "bargain": object_of(is_number),
        "decks": record(**DECKS),
    },
    "setup": {
        "character_order": strings,
        "customer_order": strings,
        "dog_order": object_of(strings),
        "event_order": strings,
        "players": list_of(
            record(player=is_int, side=is_int, character=is_string, breeds=strings, dogs=strings)
        ),
        "coins": ints,
    },
    "round_start": {"round": is_int, "starter": is_int, "card": is_string},
    "turn_start": {"round": is_int, "player": is_int},
    "grow_up": {"player": is_int, "pups": strings, "mothers": strings},
    "bonus_action": {"player": is_int, "kind": is_string, "breed": or_null(is_string), "count": is_int},
    "upkeep": {
        "player": is_int,
        "dogs": is_int,
        "due": is_int,
        "paid": is_int,
        "waived": is_int,
        "coins": is_int,
    },
    "round_end": {
        "round": is_int,
        "reputation": ints,
        "coins": ints,
        "events_left": is_int,
        "game_over": is_bool,
        "reason": or_null(is_string),
        "state": record(**STATE),
    },
    "coin": ACTION | {"amount": is_int, "coins": is_int},
    "draw": ACTION
    | {
        "deck": deck_name,
        "breed": or_null(is_string),
        "source": one_of("deck", "discard"),
        "card": is_string,
    },
    "buy": ACTION | {"dog": is_string, "price": is_int, "coins": is_int},
    "sell": ACTION
    | {
        "dog": is_string,
        "pup": is_bool,
        "to": one_of("customer", "player"),
        "customer": or_null(is_string),
        "buyer": or_null(is_int),
        "price": is_int,
        "bonus_coins": is_int,
        "reputation": is_int,
        "forced": is_bool,
        "coins": is_int,
    },
    "mate": ACTION
    | {
        "free": is_bool,
        "mother": is_string,
        "father": is_string,
        "father_owner": is_int,
        "fee": is_int,
        "inherited": is_vector,
        "coins": is_int,
    },
    "birth": ACTION
    | {
        "mother": is_string,
        "father": is_string,
        "rolls": ints,
        "litter": is_int,
        "pups": strings,
        "inherited": is_vector,
    },
    "enter": ACTION
    | {
        "card": is_string,
        "entries": list_of(
            record(dog=is_string, preparer=or_null(is_int), entry_cost=is_int, prep_fee=is_int)
        ),
        "coins": is_int,
    },
    "refill": {"deck": deck_name, "breed": or_null(is_string), "order": strings},
    "discard": {"player": is_int, "deck": deck_name, "card": is_string},
    "refuse": {
        "player": is_int,
        "n": is_int,
        "deal": one_of("sale", "stud", "hire"),
        "other": is_int,
        "dog": is_string,
        "mother": or_null(is_string),
        "price": is_int,
        "after": is_int,
    },
    "gift": {"player": is_int, "dog": is_string, "recipient": is_int},
    "release": {"player": is_int, "dog": is_string},
    "compete": {
        "round": is_int,
        "card": is_string,
        "entries": list_of(
            record(
                player=is_int,
                dog=is_string,
                base=is_int,
                traits=is_int,
                prep=is_int,
                dice=ints,
                successes=is_int,
                qualified=is_bool,
                result=is_int,
            )
        ),
        "rerolls": list_of(list_of(record(dog=is_string, die=is_int))),
        "winner": or_null(record(player=is_int, dog=is_string)),
        "reputation": is_int,
        "card_to": one_of("winner", "bottom", "removed"),
    },
    "result": {
        "rounds": is_int,
        "reason": is_string,
        "reputation": ints,
        "side_reputation": ints,
        "ranks": ints,
        "win_shares": list_of(is_number),
        "target": is_int,
        "target_reached": list_of(is_bool),
    },
}


def read_line(text: Any) -> tuple[Event | None, list[str]]:
    """The object of one line, None if there is none to be had, and what is wrong with its form."""
    line, faults = read_object(text, FIELDS)
    if line is None:
        return None, faults
    return line, faults + form_faults(line, {"event": is_string} | FIELDS[line["event"]])


# -------------------------------------------------------------------------------- traces: replaying


class Told:
    """Chance as a trace tells it. `coming()` are the lines that the game has not written itself yet."""

    def __init__(self, coming: Callable[[], list[Event]]) -> None:
        self.coming = coming
        self._line: Event | None = None  # the line of which dice have been taken, and how many
        self._taken = 0

    def _next(self, *events: str) -> Event:
        coming = self.coming()
        if not coming or coming[0]["event"] not in events:
            said = coming[0]["event"] if coming else "nothing"
            raise ValueError(f"a {events[-1]} line is due here, not {said}")
        return coming[0]

    def _count(self, line: Event) -> int:
        """How often this line has been asked before."""
        if line is not self._line:
            self._line, self._taken = line, 0
        self._taken += 1
        return self._taken - 1

    def _birth(self) -> Event:
        line = self._next("refill", "birth")
        if line["event"] == "birth":
            return line
        after = self.coming()[1:2]
        if not after or after[0]["event"] != "birth":
            raise ValueError("a birth line is due after the refill")
        return after[0]

    def refill(self, deck: str, breed: str | None, cards: list[str]) -> list[str]:  # noqa: ARG002
        return list(self._next("refill")["order"])

    def litter_die(self) -> int:
        line = self._birth()
        count = self._count(line)
        if count >= len(line["rolls"]):
            raise ValueError(f"rolls has only {count} dice")
        return int(line["rolls"][count])

    def litter_size(self, probs: list[float]) -> int:  # noqa: ARG002
        return int(self._birth()["litter"])

    def contest_dice(self, dog: str, count: int) -> list[int]:
        line = self._next("compete")
        entries = [entry for entry in line["entries"] if entry["dog"] == dog]
        if len(entries) != 1:
            raise ValueError(f"entries must have {dog} once")
        if len(entries[0]["dice"]) != count:
            raise ValueError(f"{dog} rolls {count} dice, not {len(entries[0]['dice'])}")
        return list(entries[0]["dice"])

    def tie_die(self, dog: str) -> int:
        line = self._next("compete")
        dice = [entry for reroll in line["rerolls"] for entry in reroll]
        count = self._count(line)
        if count >= len(dice) or dice[count]["dog"] != dog:
            raise ValueError(f"rerolls lack a die of {dog}")
        return int(dice[count]["die"])


def check_trace(lines: str | Iterable[str]) -> list[str]:
    """Complaints about a trace, one sentence each with game index and line number; none if it is right."""
    if isinstance(lines, str):
        lines = lines.removesuffix("\n").split("\n")
    complaints: list[str] = []
    block: Block | None = None
    for number, text in enumerate(lines, start=1):
        line, faults = read_line(text)
        event = None if line is None else line["event"]
        if event == "game":
            if block is not None:
                block.complain(number, "a new game begins before the result of the one before it")
                replay(block)
            block = Block(complaints)
            if line is not None and is_int(line.get("game_index")):
                block.index = str(line["game_index"])
        if block is None:
            complaints.append(f"no game, line {number}: the line stands outside of every game")
            complaints += [f"no game, line {number}: {fault}" for fault in faults]
            continue
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
    missing = [name for name in NAMES if name not in line["rules"]]
    if missing:
        return None, [f"rules lack {', '.join(missing)}"]
    extra = [name for name in line["rules"] if name not in NAMES]
    if extra:
        return None, [f"rules: there is no parameter {', '.join(extra)}"]
    if set(line["bargain"]) != set(BARGAIN):
        return None, ["bargain does not have exactly the eight values of 3.2"]
    try:
        rules = resolve(line["n_players"], line["rules"] | {"mode": line["mode"]})
    except RulesError as error:
        return None, [f"rules: {error}"]
    faults = [f"decks: {fault}" for fault in deck_faults(rules, line["decks"])]
    if faults:
        return None, faults
    faults += [
        f"bargain: {name} must be from -1000 to 1000"
        for name, value in line["bargain"].items()
        if not -1000 <= value <= 1000
    ]
    if line["schema"] != "kennelmester-trace/1":
        faults.append("schema is not kennelmester-trace/1")
    if line["sides"] != sides_of(rules):
        faults.append(f"sides should be {sides_of(rules)}")
    if line["game_index"] < 0:
        faults.append("game_index is below 0")
    if len(line["policies"]) != rules["players"]:
        faults.append("policies does not name one policy per player")
    return rules, faults


def replay(block: Block) -> None:
    """Play the game of a trace again and compare line by line."""
    if not block.sound:
        return  # the form is wrong and has been reported
    rules, faults = header_rules(block.lines[0])
    for fault in faults:
        block.complain(block.numbers[0], fault)
    if rules is None:
        return
    numbers = block.numbers[1:]
    try:
        for _ in Replayed(rules, block).decisions():
            pass
    except TraceError as fault:
        block.complain(block.numbers[-1] if fault.at is None else numbers[fault.at], fault.text)


class Replayed:
    """The game of a trace, played again by its lines."""

    def __init__(self, rules: Rules, block: Block) -> None:
        self.rules = rules
        self.block = block
        self.lines = block.lines[1:]
        self.game: Game | None = None
        self.compared = 0  # lines found equal to the game's own events, or complained of

    def coming(self) -> list[Event]:
        """The lines that the game has not written itself yet."""
        return self.lines[len(self.game.events) if self.game else 0 :]

    def decisions(self) -> Iterable[tuple[Game, int, int]]:
        """Play, stopping at each decision: the game, the number of the line that answers it, the code."""
        head = self.block.lines[0]
        if not self.lines or self.lines[0]["event"] != "setup":
            raise TraceError(0 if self.lines else None, "a setup line is due after the game line")
        faults = order_faults(self.rules, head["decks"], self.lines[0])
        if faults:
            raise TraceError(0, "; ".join(faults))
        orders = {name: value for name, value in self.lines[0].items() if name.endswith("_order")}
        self.game = game = Game(
            self.rules, head["decks"], orders, Told(self.coming), bargain=head["bargain"], every=True
        )
        self.compare()
        while not game.over:
            code = code_from_lines(game, self.coming(), self.compared)
            if code not in game.legal_actions():
                text = f"player {game.player} may not do this ({game.decision}: {spelled(code)})"
                raise TraceError(self.compared, text)
            yield game, self.block.numbers[self.compared + 1], code
            self.apply(code)

    def apply(self, code: int) -> None:
        """Carry out a code; a line that chance cannot follow is a fault of that line."""
        assert self.game is not None
        try:
            self.game.apply(code)
        except ValueError as error:
            self.compare()
            at = self.compared if self.compared < len(self.lines) else None
            raise TraceError(at, str(error)) from None
        self.compare()

    def compare(self) -> None:
        """Compare the lines with what the game has written since."""
        assert self.game is not None
        while self.compared < len(self.game.events):
            at, due = self.compared, self.game.events[self.compared]
            if at >= len(self.lines):
                raise TraceError(None, f"the lines end where a {due['event']} line is due")
            line, number = self.lines[at], self.block.numbers[at + 1]
            if line["event"] != due["event"]:
                raise TraceError(at, f"a {due['event']} line is due here, not {line['event']}")
            for name in due:
                if not same(name, due[name], line[name]):
                    text = f"field {name} is {short(line[name])}, should be {short(due[name])}"
                    self.block.complain(number, text)
            self.compared += 1


def spelled(code: int) -> str:
    """An action code in words."""
    kind, a, b = decode(code)
    return f"{KIND_NAMES.split()[kind]} {a} {b}"


def same(name: str, due: Any, said: Any) -> bool:
    """Equality; win shares are compared within 1e-12 (8.5)."""
    if name == "win_shares":
        return len(due) == len(said) and all(
            abs(share - right) <= 1e-12 for share, right in zip(said, due, strict=True)
        )
    return bool(due == said)


def decisions_of(texts: Iterable[str]) -> list[dict[str, Any]]:
    """Every decision of a right trace of one game: the line that answers it, who decides, options, code."""
    block = Block([])
    for number, text in enumerate(texts, start=1):
        line, faults = read_line(text)
        assert line is not None
        assert not faults
        block.lines.append(line)
        block.numbers.append(number)
    rules, faults = header_rules(block.lines[0])
    assert rules is not None
    assert not faults
    return [
        {
            "line": number,
            "point": game.decision,
            "player": game.player,
            "options": game.legal_actions(),
            "code": code,
        }
        for game, number, code in Replayed(rules, block).decisions()
    ]


# ------------------------------------------------------------------------- traces: actions off the lines

ACTION_LINES = ("coin", "draw", "buy", "sell", "mate", "birth", "enter")


def code_from_lines(game: Game, coming: list[Event], at: int) -> int:
    """The action code of the decision that the game waits for, read off the next lines.

    `coming` begins with the first line not yet played; `at` is its number, for complaints.
    """
    if not coming:
        raise TraceError(None, f"the lines end where player {game.player} decides ({game.decision})")
    line = coming[0]
    if "player" in line and line["player"] != game.active and game.decision != "D-1":
        raise TraceError(at, f"it is player {game.active}'s turn, not player {line['player']}'s")
    readers = {
        "D-1": read_start,
        "D-2": read_action,
        "D-3": read_more,
        "D-4": read_bonus,
        "D-5": read_discard,
        "D-6": read_consent,
        "D-7": read_parting,
        "D-8": read_free_mate,
    }
    return readers[game.decision or ""](game, coming, at)


def dog_number(game: Game, card: str, at: int) -> int:
    if card not in game.dog_ids:
        raise TraceError(at, f"there is no dog {card}")
    return game.number[card]


def customer_number(game: Game, card: str | None, at: int) -> int:
    if card not in game.customer_ids:
        raise TraceError(at, f"there is no customer {card}")
    return game.number[card]


def breed_number(game: Game, breed: str | None, at: int) -> int:
    if breed not in game.breeds:
        raise TraceError(at, f"there is no breed {breed}")
    return game.breeds.index(breed)


def seat_number(game: Game, player: int | None, at: int) -> int:
    if player not in range(game.rules["players"]):
        raise TraceError(at, f"there is no player {player}")
    return int(player or 0)


def read_start(game: Game, coming: list[Event], at: int) -> int:
    """D-1."""
    told = coming[0]["players"]
    assert game.player is not None
    taken = len(game.dogs_received[game.player])
    if len(told) <= game.player or len(told[game.player]["breeds"]) <= taken:
        raise TraceError(at, f"players does not name the breeds of player {game.player}")
    return encode(START_BREED, breed_number(game, told[game.player]["breeds"][taken], at))


def preparer_number(game: Game, preparer: int | None, at: int) -> int:
    return NOBODY if preparer is None else seat_number(game, preparer, at)


def read_proposal(game: Game, line: Event, at: int) -> int:
    """The action that a `refuse` line says was proposed."""
    dog = dog_number(game, line["dog"], at)
    if line["deal"] == "sale":
        return encode(SELL_PLAYER, dog, seat_number(game, line["other"], at))
    if line["deal"] == "stud":
        return encode(MATE, dog_number(game, line["mother"], at), dog)
    kind = ENTER_MORE if game.decision == "D-3" else ENTER
    return encode(kind, dog, seat_number(game, line["other"], at))


def enter_line(coming: list[Event], at: int) -> Event:
    """The `enter` line behind the refused further hirings that stand before it."""
    for line in coming:
        if line["event"] == "enter":
            return line
        if line["event"] != "refuse" or line["deal"] != "hire" or line["after"] == 0:
            break
    raise TraceError(at, "refused hirings of further dogs must stand directly before their enter line")


def read_entry(game: Game, line: Event, number: int, at: int) -> int:
    """The code of one dog of an `enter` line."""
    if number >= len(line["entries"]):
        raise TraceError(at, "entries is empty")
    entry = line["entries"][number]
    kind = ENTER_MORE if number else ENTER
    return encode(kind, dog_number(game, entry["dog"], at), preparer_number(game, entry["preparer"], at))


def read_action(game: Game, coming: list[Event], at: int) -> int:
    """D-2, and D-4 once it is known that an action follows."""
    line = coming[0]
    event = line["event"]
    if event == "refuse":
        if line["deal"] == "hire" and line["after"] > 0:
            return read_entry(game, enter_line(coming, at), 0, at)
        return read_proposal(game, line, at)
    if event == "enter":
        return read_entry(game, line, 0, at)
    if event == "refill":
        if coming[1:2] and coming[1]["event"] in ("draw", "birth"):
            line, event = coming[1], coming[1]["event"]
        else:
            raise TraceError(at, "a refill must stand directly before the draw or birth that needs it")
    if event not in ACTION_LINES:
        raise TraceError(at, f"an action of player {game.active} is due here, not {event}")
    return read_simple_action(game, line, at)


def read_simple_action(game: Game, line: Event, at: int) -> int:
    event = line["event"]
    if event == "coin":
        return encode(COIN)
    if event == "draw":
        return read_draw(game, line, at)
    if event == "buy":
        return encode(BUY, dog_number(game, line["dog"], at))
    if event == "sell":
        return read_sale(game, line, at)
    mother = dog_number(game, line["mother"], at)
    if event == "mate":
        return encode(MATE, mother, dog_number(game, line["father"], at))
    return encode(BIRTH, mother)


def read_draw(game: Game, line: Event, at: int) -> int:
    if line["deck"] == "dogs":
        if line["source"] == "deck":
            return encode(DRAW_DOG, breed_number(game, line["breed"], at))
        return encode(TAKE_DOG, dog_number(game, line["card"], at))
    if line["source"] == "deck":
        return encode(DRAW_CUSTOMER)
    return encode(TAKE_CUSTOMER, customer_number(game, line["card"], at))


def read_sale(game: Game, line: Event, at: int) -> int:
    dog = dog_number(game, line["dog"], at)
    if line["to"] == "customer":
        return encode(SELL_CUSTOMER, dog, customer_number(game, line["customer"], at))
    return encode(SELL_PLAYER, dog, seat_number(game, line["buyer"], at))


def read_bonus(game: Game, coming: list[Event], at: int) -> int:
    """D-4: an action follows unless the lines go on with the end of the turn."""
    line = coming[0]
    declined = line["event"] not in ("refuse", "refill", *ACTION_LINES) or line.get("n") == 0
    return PASS if declined else read_action(game, coming, at)


def read_more(game: Game, coming: list[Event], at: int) -> int:
    """D-3: refused hirings in the order in which they were made, then the next entry."""
    line, entered = coming[0], len(game.entries)
    if line["event"] == "refuse" and line["after"] == entered:
        return read_proposal(game, line, at)
    line = enter_line(coming, at)
    return read_entry(game, line, entered, at) if entered < len(line["entries"]) else PASS


def read_discard(game: Game, coming: list[Event], at: int) -> int:
    """D-5."""
    line = coming[0]
    if line["event"] != "discard":
        raise TraceError(at, f"player {game.player} must discard here, not {line['event']}")
    if line["deck"] == "dogs":
        return encode(DISCARD_DOG, dog_number(game, line["card"], at))
    return encode(DISCARD_CUSTOMER, customer_number(game, line["card"], at))


def read_consent(game: Game, coming: list[Event], _at: int) -> int:
    """D-6: no if the proposal was read off a `refuse` line, which then still stands there."""
    line = coming[0]
    assert game.proposal is not None
    refused = line["event"] == "refuse" and line["after"] == game.proposal["after"]
    return encode(CONSENT, 0 if refused else 1)


def read_parting(game: Game, coming: list[Event], at: int) -> int:
    """D-7."""
    line = coming[0]
    if line["event"] == "refuse":
        return read_proposal(game, line, at)
    if line["event"] == "sell":
        return read_sale(game, line, at)
    if line["event"] == "gift":
        return encode(GIFT, dog_number(game, line["dog"], at), seat_number(game, line["recipient"], at))
    if line["event"] == "release":
        return encode(RELEASE, dog_number(game, line["dog"], at))
    raise TraceError(at, f"player {game.active} must part with a dog here, not {line['event']}")


def read_free_mate(game: Game, coming: list[Event], at: int) -> int:
    """D-8: a mating that is free, or a male refused for this mother in the action of her litter."""
    line = coming[0]
    if line["event"] == "mate" and line["free"]:
        return read_simple_action(game, line, at)
    if line["event"] == "refuse" and line["n"] == game.n and line["mother"] == game.mother:
        return read_proposal(game, line, at)
    return PASS


# ------------------------------------------------------------------------------------- test vectors


def run_vector(vector: dict[str, Any], example: list[str] | None = None, decks: Decks | None = None) -> Any:
    """What the referee says about a test vector, in the form of its `out`.

    `example` is the complete log of 8.7, `decks` is the default deck; both are needed by some.
    """
    check, given = vector["check"], vector["in"]
    if check == "options":
        assert example is not None
        return vector_options(given, example)
    if check.startswith("deck_"):
        assert decks is not None
        return DECK_CHECKS[check](decks)
    return CHECKS[check](given)


def rules_for(given: Mapping[str, Any], players: int = 2, **more: Any) -> Rules:
    """The rules of a vector: those parameters that its `in` names."""
    return resolve(players, {name: value for name, value in given.items() if name in NAMES} | more)


def tiny_decks(dogs: list[dict[str, Any]], customers: list[dict[str, Any]] | None = None) -> Decks:
    """A deck for a vector; what its cards do not say is plain."""
    plain_dog = {"breed": "puli", "sex": "female", "price": 4, "traits": {"appearance": 1, "instinct": 1}}
    plain_customer: dict[str, Any] = {"breed": None, "sex": None, "bonuses": []}
    event = {"id": "ev_one", "type": "work", "cost": 1, "traits": ["speed"], "required": 1, "target": 4}
    return {
        "characters": [{"id": f"ch_{n}", "prep": ["work"]} for n in range(6)],
        "dogs": [plain_dog | dog for dog in dogs],
        "customers": [plain_customer | customer for customer in customers or []],
        "events": [event | {"reputation": 2}],
    }


class Scripted:
    """Chance for vectors: dice in the order in which they are asked for; refills keep their order."""

    def __init__(
        self, dice: Mapping[str, list[int]] | None = None, rerolls: Any = (), litters: Any = ()
    ) -> None:
        self.dice = dice or {}
        self.rerolls = [dict(reroll) for reroll in rerolls]
        self.litters = list(litters)

    def refill(self, deck: str, breed: str | None, cards: list[str]) -> list[str]:  # noqa: ARG002
        return list(cards)

    def litter_die(self) -> int:
        return int(self.litters.pop(0))

    def litter_size(self, probs: list[float]) -> int:  # noqa: ARG002
        return int(self.litters.pop(0))

    def contest_dice(self, dog: str, count: int) -> list[int]:
        assert len(self.dice[dog]) == count
        return self.dice[dog]

    def tie_die(self, dog: str) -> int:
        while dog not in self.rerolls[0]:
            assert not self.rerolls[0], "dice were given that nobody rolled"
            self.rerolls.pop(0)
        return int(self.rerolls[0].pop(dog))


def vector_inherit(given: dict[str, Any]) -> dict[str, Any]:
    cap = {"trait_cap": 60} if given.get("trait_rule") == "sum" else {}
    rules = rules_for(given, **cap)
    return {"inherited": as_object(inherit(rules, as_vector(given["mother"]), as_vector(given["father"])))}


def vector_pup_total(given: dict[str, Any]) -> dict[str, Any]:
    total = total_of(rules_for(given), as_vector(given["card"]), as_vector(given["inherited"]))
    return {"total": as_object(total)}


def vector_parents(given: dict[str, Any]) -> dict[str, Any]:
    rules = rules_for(given)
    bases = [
        basis_of(rules, as_vector(given[who]["card"]), as_vector(given[who]["inherited"]))
        for who in ("mother", "father")
    ]
    inherited = inherit(rules, *bases)
    return {"inherited": as_object(inherited), "fee": stud_fee(rules, inherited, own_side=False)}


def vector_litter(given: dict[str, Any]) -> dict[str, Any]:
    pups = []
    for face in given["faces"]:
        game = Game.at(rules_for(given), tiny_decks([]), Scripted(litters=[face]))
        rolls, litter = game._litter()
        assert rolls == [face]
        pups.append(litter)
    return {"pups": pups}


def vector_litter_stats(given: dict[str, Any]) -> dict[str, Any]:
    table = rules_for(given)["litter_table"]
    probs = [Fraction(table.count(size), 6) for size in range(max(table) + 1)]
    return {"probs": [str(p) for p in probs], "mean": str(Fraction(sum(table), 6))}


def first_round(game: Game, start: int, holds: Callable[[], bool]) -> int:
    """The first round from `start` on in which something holds."""
    for number in range(start, start + 20):
        game.round = number
        if holds():
            return number
    raise AssertionError("never")


def vector_calendar(given: dict[str, Any]) -> dict[str, Any]:
    decks = tiny_decks([{"id": "mother"}, {"id": "father", "sex": "male"}])
    game = Game.at(rules_for(given), decks)
    mated, born = given["mated"], given["born"]
    pregnancy = {"father": "father", "inherited": [0] * 5, "round": mated}
    mother = Dog("mother", 0, used_round=mated, pregnancy=pregnancy)
    father = Dog("father", 0, used_round=mated)
    return {
        "male_free": first_round(game, mated, lambda: game.is_idle(father)),
        "earliest_birth": first_round(game, mated, lambda: game.may_give_birth(mother)),
        "adult": first_round(game, born, lambda: game.grows_up(born)),
        "mother_free": first_round(game, born, lambda: game.grows_up(born)),
    }


def expecting(rules: Rules, chance: Scripted, born: int, mated: int, **piles: Any) -> Game:
    """A game in which the only female is about to give birth; ten dogs of the breed lie in the box."""
    cards = [{"id": "mother"}, {"id": "father", "sex": "male"}, *({"id": f"dog_{n}"} for n in range(10))]
    game = Game.at(rules, tiny_decks(cards), chance, round=born, n=1, **piles)
    pregnancy = {"father": "father", "inherited": [0] * 5, "round": mated}
    game.kennels[0] = [Dog("mother", 0, used_round=mated, pregnancy=pregnancy), Dog("father", 0)]
    return game


def vector_after_zero_litter(given: dict[str, Any]) -> dict[str, Any]:
    rounds, costs = [], []
    for retry in given["retry"]:
        rules = rules_for(given, litter_zero_retry=retry)
        game = expecting(rules, Scripted(litters=[1, 1]), given["born"], given["mated"])
        mother = game.kennels[0][0]
        game._start(game._give_birth(mother))
        free = game.decision == "D-8" and len(game.legal_actions()) > 1
        rounds.append(first_round(game, given["born"], lambda: game.is_idle(mother)))  # noqa: B023
        costs.append(not free)
    return {"next_mating_round": rounds, "costs_action": costs}


def vector_short_deck(given: dict[str, Any]) -> dict[str, Any]:
    names = [f"dog_{n}" for n in range(10)]
    deck, spent, discards = ([names.pop() for _ in range(given[w])] for w in ("deck", "spent", "discards"))
    piles = {"dog_decks": {"puli": deck}, "dog_spent": {"puli": spent}, "dog_discards": {"puli": discards}}
    face = [0, 1, 1, 2, 2, 3].index(given["litter"]) + 1
    game = expecting(rules_for(given), Scripted(litters=[face]), 4, 3, **piles)
    mother = game.kennels[0][0]
    game._start(game._give_birth(mother))
    birth = game.events[-1]
    assert birth["litter"] == given["litter"]
    return {
        "refilled": game.events[0]["event"] == "refill",
        "pups": len(birth["pups"]),
        "nursing": mother.nursing_round is not None,
    }


def vector_stud_fee(given: dict[str, Any]) -> dict[str, Any]:
    rules = rules_for(given)
    inherited = inherit(rules, as_vector(given["mother"]), as_vector(given["father"]))
    return {"fee": stud_fee(rules, inherited, own_side=given["relation"] == "partner")}


def vector_dog_state(given: dict[str, Any]) -> dict[str, Any]:
    game = Game.at(rules_for(given), tiny_decks([{"id": "dog"}]), round=given["r"])
    pregnancy = {"father": "father", "inherited": [0] * 5, "round": given["r"] - 1}
    dogs = [
        Dog(
            "dog",
            0,
            stage=told["stage"],
            used_round=told["used"],
            entered_round=told["entered"],
            pregnancy=pregnancy if told["pregnant"] else None,
            nursing_round=given["r"] - 1 if told["nursing"] else None,
        )
        for told in given["dogs"]
    ]
    return {
        "idle": [game.is_idle(dog) for dog in dogs],
        "may_leave": [game.may_leave(dog) for dog in dogs],
        "customer": [game.may_go_to_customer(dog) for dog in dogs],
    }


def vector_lineage(given: dict[str, Any]) -> dict[str, Any]:
    rules = rules_for(given)

    def speed(dice: int) -> Vector:
        return [0, dice, 0, 0, 0]

    first = inherit(rules, speed(given["g0"][0]), speed(given["g0"][1]))
    totals = [total_of(rules, speed(dice), first) for dice in given["g1_cards"]]
    second = inherit(rules, *totals)
    return {
        "g1_inherited": first[1],
        "g1_totals": [total[1] for total in totals],
        "g2_inherited": second[1],
        "g2_total": total_of(rules, speed(given["g2_card"]), second)[1],
    }


def vector_hand_limit(given: dict[str, Any]) -> dict[str, Any]:
    cards = [{"id": f"cu_{n}"} for n in range(given["hand"] + given["draws"])]
    names = [card["id"] for card in cards]
    game = Game.at(rules_for(given), tiny_decks([], cards), round=1, current="ev_one")
    game.hand_customers[0], game.customer_deck = names[: given["hand"]], names[given["hand"] :]
    discards = []
    for _ in range(given["draws"]):
        before = len(game.customer_discards)
        game._start(game._take_action())
        game.apply(encode(DRAW_CUSTOMER))
        while not game.over:
            game.apply(game.legal_actions()[0])
        discards.append(len(game.customer_discards) - before)
    return {"discards_after_each_draw": discards, "hand": len(game.hand_customers[0])}


def vector_start_coins(given: dict[str, Any]) -> dict[str, Any]:
    tables = zip(given["modes"], given["players"], strict=True)
    return {"coins_per_side": [start_coins(resolve(players, {"mode": mode})) for mode, players in tables]}


def vector_customer_sale(given: dict[str, Any]) -> dict[str, Any]:
    dogs = [{"id": "dog", "price": given["price"]}]
    game = Game.at(rules_for(given), tiny_decks(dogs, [{"id": "cu", "bonuses": given["bonuses"]}]), round=1)
    inherited = [t - c for t, c in zip(as_vector(given["total"]), game.printed["dog"], strict=True)]
    game.kennels[0] = [Dog("dog", 0, inherited=inherited, wins=given["wins"])]
    game.hand_customers[0] = ["cu"]
    before = game.coins[0]
    game._sell_to_customer(game.kennels[0][0], "cu")
    return {"coins": game.coins[0] - before, "reputation": game.reputation[0]}


def vector_bargain(given: dict[str, Any]) -> dict[str, Any]:
    seller, buyer, coins = given["seller"], given["buyer"], given["buyer_coins"]
    price = sale_price(given["rule"], given["value"], seller, buyer, coins)
    if not deal_made(price, seller, buyer, coins, BARGAIN["deal_margin"]):
        return {"deal": False}
    return {"deal": True, "price": price}


def vector_valuation(given: dict[str, Any]) -> dict[str, Any]:
    rules = rules_for(given)
    value = given["price"] + rules["win_value_bonus"] * given["wins"]
    dice = sum(given["total"].values())
    offers, mate_case = given["fitting_customer_offers"], given["mate_case"]
    return {"v": valuation(rules, BARGAIN, value, dice, offers, mate_case, given["other_adults"])}


def vector_start_dogs(given: dict[str, Any]) -> dict[str, Any]:
    rules = rules_for(given, given["n_players"], event_deck_size=1)
    decks = tiny_decks([{"id": f"dog_{n}"} for n in range(20)])
    chance = Scripted()
    orders = shuffled_orders(rules, decks, random.Random(1))
    game = Game(rules, decks, orders, chance, every=True)
    order = []
    while game.decision == "D-1":
        order.append(game.player)
        game.apply(game.legal_actions()[0])
    assert order == start_order(rules)
    return {"order": order}


def vector_entry_cost(given: dict[str, Any]) -> dict[str, Any]:
    decks = tiny_decks([{"id": f"dog_{n}"} for n in range(given["dogs"])])
    decks["events"][0]["cost"] = given["cost"]
    game = Game.at(rules_for(given), decks, round=1, current="ev_one", coins=[50, 50])
    game.characters = ["ch_0", "ch_1"]
    game.kennels[0] = [Dog(card, 0) for card in game.dog_ids]
    helper = 1 if given["preparer"] == "opponent" else 0
    game._start(game._enter(game.kennels[0][0], helper))
    while not game.over:
        wanted = [encode(CONSENT, 1), *(encode(ENTER_MORE, n, helper) for n in range(given["dogs"])), PASS]
        game.apply(next(code for code in wanted if code in game.legal_actions()))
    paid, helped = 50 - game.coins[0], game.coins[1] - 50
    assert len(game.events[-1]["entries"]) == given["dogs"]
    return {"paid": paid, "to_bank": paid - helped, "to_helper": helped}


def vector_may_prepare(given: dict[str, Any]) -> dict[str, Any]:
    allowed = []
    for history, wants in zip(given["history"], given["wants"], strict=True):
        game = Game.at(rules_for(given), tiny_decks([{"id": "dog"}]), round=3)
        game.prepared_own[0] = 3 if history == "self" else 2
        game.helped[0] = 3 if history == "other" else 2
        allowed.append(game.may_prepare_own(0) if wants == "self" else game.may_help(0))
    return {"allowed": allowed}


def vector_dice(given: dict[str, Any]) -> dict[str, Any]:
    total = as_vector(given["total"])
    base, traits, prep = dice_parts(rules_for(given), given["event_traits"], total, given["prepared"])
    return {"base": base, "traits": traits, "prep": prep, "dice": base + traits + prep}


def vector_upkeep(given: dict[str, Any]) -> dict[str, Any]:
    rules = rules_for(given)
    kennels = zip(given["adults"], given["pups"], strict=True)
    return {"due": [upkeep_due(rules, adults, pups)[1] for adults, pups in kennels]}


def vector_forced(given: dict[str, Any]) -> dict[str, Any]:
    kinds = {"gift": GIFT, "sell_adult": SELL_CUSTOMER, "sell_pup": SELL_CUSTOMER}
    sold = [step for step in given["steps"] if step["what"] != "gift"]
    prices = [step["coins"] for step in sold] or [4]
    dogs = [{"id": f"dog_{n}", "price": prices[0]} for n in range(given["adults"] + 1)]
    customers = [{"id": f"cu_{n}"} for n in range(len(sold))]
    game = Game.at(rules_for(given), tiny_decks(dogs, customers), round=5, coins=[given["coins"], 0])
    game.kennels[0] = [Dog(card, 0) for card in game.dog_ids[: given["adults"]]]
    if not given["steps"]:
        for dog in game.kennels[0]:
            dog.used_round = dog.entered_round = 5
    if any(step["what"] == "sell_pup" for step in sold):
        game.kennels[0].append(Dog(game.dog_ids[-1], 0, stage="pup", born_round=5))
    game.hand_customers[0] = list(game.customer_ids)
    game._start(game._pay_upkeep())
    for step in given["steps"]:
        assert game.decision == "D-7"
        choices = [code for code in game.legal_actions() if decode(code)[0] == kinds[step["what"]]]
        pup_wanted = step["what"] == "sell_pup"
        game.apply(next(c for c in choices if game.dog(game.dog_ids[decode(c)[1]]).adult != pup_wanted))
    assert game.over
    last = game.events[-1]
    adults = len([dog for dog in game.kennels[0] if dog.adult])
    return {"adults": adults} | {name: last[name] for name in ("due", "paid", "coins", "waived")}


def vector_contest(given: dict[str, Any]) -> dict[str, Any]:
    """The dogs' speed is chosen so that they roll as many dice as the vector gives."""
    dice = given["dice"]
    decks = tiny_decks([{"id": name} for name in dice])
    decks["events"][0] |= {"required": given["required"], "target": given["target"]}
    chance = Scripted(dice, given["rerolls"])
    game = Game.at(rules_for(given), decks, chance, round=1, current="ev_one")
    for name, faces in dice.items():
        game.kennels[0].append(Dog(name, 0, inherited=[0, len(faces) - 1, 0, 0, 0]))
        game.entered.append({"player": 0, "dog": name, "preparer": None})
    game._hold_contest()
    assert not any(chance.rerolls), "dice were given that nobody rolled"
    told = game.events[-1]
    return {
        "successes": {entry["dog"]: entry["successes"] for entry in told["entries"]},
        "qualified": [entry["dog"] for entry in told["entries"] if entry["qualified"]],
        "result": {entry["dog"]: entry["result"] for entry in told["entries"]},
        "winner": told["winner"]["dog"] if told["winner"] else "",
    }


def vector_event_card(given: dict[str, Any]) -> dict[str, Any]:
    decks = []
    for won, mode in zip(given["won"], given["mode"], strict=True):
        rules = resolve({"solo": 1, "competitive": 2, "team": 4}[mode], {"mode": mode})
        cards = tiny_decks([{"id": "dog"}])
        event = cards["events"][0]
        cards["events"] = [event | {"id": name} for name in [*given["deck"], given["card"]]]
        game = Game.at(rules, cards, round=1, current=given["card"], event_deck=list(given["deck"]))
        game.kennels[0] = [Dog("dog", 0)]
        game._award({"player": 0, "dog": "dog"} if won else None)
        kept = [given["card"]] if won else []
        assert game.events_won[0] == kept
        decks.append(game.event_deck)
    return {"deck": decks}


def throws(count: int) -> list[tuple[int, ...]]:
    """All throws of so many dice."""
    return list(itertools.product(range(1, 7), repeat=count))


def vector_qualify_prob(given: dict[str, Any]) -> dict[str, Any]:
    chances = []
    for count, required, target in given["cases"]:
        good = [throw for throw in throws(count) if judge(list(throw), required, target)[1]]
        chances.append(str(Fraction(len(good), 6**count)))
    return {"p": chances}


def vector_mean_result(given: dict[str, Any]) -> dict[str, Any]:
    means = []
    for count, required, target in given["cases"]:
        results = [judge(list(throw), required, target)[2] for throw in throws(count)]
        means.append(str(Fraction(sum(results), 6**count)))
    return {"mean": means}


def vector_duel_prob(given: dict[str, Any]) -> dict[str, Any]:
    """A tie for the highest result is won by either with the same chance."""
    shares = {"a": Fraction(0), "b": Fraction(0), "nobody": Fraction(0)}
    required, target = given["required"], given["target"]
    every = [(a, b) for a in throws(given["a"]) for b in throws(given["b"])]
    for a, b in every:
        result_a, result_b = judge(list(a), required, target)[2], judge(list(b), required, target)[2]
        if result_a == result_b == 0:
            shares["nobody"] += 1
        elif result_a == result_b:
            shares["a"] += Fraction(1, 2)
            shares["b"] += Fraction(1, 2)
        else:
            shares["a" if result_a > result_b else "b"] += 1
    told = {name: str(share / len(every)) for name, share in shares.items()}
    return {"a_wins": told["a"], "b_wins": told["b"], "nobody": told["nobody"]}


def vector_end(given: dict[str, Any]) -> dict[str, Any]:
    reasons = []
    cases = zip(given["side_reputation"], given["events_left"], given["round"], strict=True)
    for sides, events, number in cases:
        players = len(sides) * (2 if given["mode"] == "team" else 1)
        rules = rules_for(given, players, mode=given["mode"])
        reasons.append(end_reason(rules, sides, events, number) or "")
    return {"reason": reasons}


def vector_ranking(given: dict[str, Any]) -> dict[str, Any]:
    rules = rules_for(given, len(given["coins"]))
    return ranking(rules, given["side_reputation"], given["coins"])


def vector_solo_success(given: dict[str, Any]) -> dict[str, Any]:
    rules = rules_for(given, 1)
    return {"success": [ranking(rules, [own], [0])["win_shares"] == [1.0] for own in given["reputation"]]}


def vector_encode(given: dict[str, Any]) -> dict[str, Any]:
    kinds = KIND_NAMES.split()
    codes = [encode(kinds.index(name), a, b) for name, a, b in given["actions"]]
    assert [spelled(code).split() for code in codes] == [[n, str(a), str(b)] for n, a, b in given["actions"]]
    return {"codes": codes}


def vector_options(given: dict[str, Any], example: list[str]) -> dict[str, Any]:
    found = [d for d in decisions_of(example) if (d["line"], d["point"]) == (given["line"], given["point"])]
    assert len(found) == 1
    return {"codes": found[0]["options"]}


CHECKS: dict[str, Callable[[dict[str, Any]], dict[str, Any]]] = {
    "inherit": vector_inherit,
    "pup_total": vector_pup_total,
    "parents": vector_parents,
    "litter": vector_litter,
    "litter_stats": vector_litter_stats,
    "calendar": vector_calendar,
    "after_zero_litter": vector_after_zero_litter,
    "short_deck": vector_short_deck,
    "stud_fee": vector_stud_fee,
    "dog_state": vector_dog_state,
    "lineage": vector_lineage,
    "bonus": lambda given: bonus_earned(rules_for(given), given["actions"]),
    "hand_limit": vector_hand_limit,
    "turn_order": lambda given: {"order": turn_order(given["n_players"], given["round"])},
    "start_coins": vector_start_coins,
    "sides": lambda given: {"sides": sides_of(resolve(given["n_players"], {"mode": given["mode"]}))},
    "customer_sale": vector_customer_sale,
    "bargain": vector_bargain,
    "valuation": vector_valuation,
    "start_dogs": vector_start_dogs,
    "entry_cost": vector_entry_cost,
    "may_prepare": vector_may_prepare,
    "dice": vector_dice,
    "upkeep": vector_upkeep,
    "forced": vector_forced,
    "contest": vector_contest,
    "event_card": vector_event_card,
    "qualify_prob": vector_qualify_prob,
    "mean_result": vector_mean_result,
    "duel_prob": vector_duel_prob,
    "end": vector_end,
    "ranking": vector_ranking,
    "solo_success": vector_solo_success,
    "encode": vector_encode,
}


def deck_counts(decks: Decks) -> dict[str, Any]:
    dogs, events = decks["dogs"], decks["events"]
    return {
        "characters": len(decks["characters"]),
        "dogs": len(dogs),
        "breeds": len(breeds_of(decks)),
        "males": len([dog for dog in dogs if dog["sex"] == "male"]),
        "customers": len(decks["customers"]),
        "events": len(events),
        "reputation_total": sum(event["reputation"] for event in events),
        "cost_total": sum(event["cost"] for event in events),
        "mean_price": str(Fraction(sum(dog["price"] for dog in dogs), len(dogs))),
    }


def deck_exposure(decks: Decks) -> dict[str, Any]:
    listed = [trait for event in decks["events"] for trait in event["traits"]]
    return {"events": {trait: listed.count(trait) for trait in TRAITS}}


def deck_inheritance(decks: Decks) -> dict[str, Any]:
    rules = resolve(2)
    sums = [
        sum(inherit(rules, as_vector(mother["traits"]), as_vector(father["traits"])))
        for mother in decks["dogs"]
        for father in decks["dogs"]
        if (mother["sex"], father["sex"]) == ("female", "male") and mother["breed"] == father["breed"]
    ]
    return {"pairs": [sums.count(size) for size in range(max(sums) + 1)]}


def deck_customers(decks: Decks) -> dict[str, Any]:
    game = Game.at(resolve(2), decks)
    accepting = {
        len([card for card in game.customer_ids if game.accepts(card, Dog(dog, 0))]) for dog in game.dog_ids
    }
    assert len(accepting) == 1
    return {"accepting_each_dog": accepting.pop()}


DECK_CHECKS: dict[str, Callable[[Decks], dict[str, Any]]] = {
    "deck_counts": deck_counts,
    "deck_exposure": deck_exposure,
    "deck_inheritance": deck_inheritance,
    "deck_customers": deck_customers,
}
