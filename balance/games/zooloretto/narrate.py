"""A readable log of one game, from its trace; in brackets the ids of the rules that act (see RULES.md)."""

from __future__ import annotations

from collections.abc import Sequence
from types import SimpleNamespace

import numpy as np

from balance.errors import listed
from balance.games.zooloretto import scoring
from balance.games.zooloretto.layout import CLASSES, N_ANIMALS, PLACES, SEAT_STEP, SEATS, tables
from balance.games.zooloretto.params import ZoolorettoParams
from balance.narration import JOINED, Event, Log, counted, player, players

_PLACES = {
    "barn": "the barn",
    "purse": "the purse",
    "x1": "the first expansion",
    "x2": "the second expansion",
    "x3": "the third expansion",
}
_SEXES = {"m": "male ", "f": "female "}


def narrate(events: Sequence[Event]) -> list[str]:
    """The lines of the log; seats and trucks count from 1."""
    return _Log(events[0], events[-1]).told(events)


def tile_words(tile: str) -> str:
    """A tile without the marks of its id, kept on one line: `zebra`, `male zebra`, `extra 1`."""
    name, _, mark = tile.rpartition("_")
    words = _SEXES[mark] + name if mark in _SEXES else tile
    return words.replace("_", JOINED).replace(" ", JOINED)


def place_words(place: str) -> str:
    """A place: `the barn`, or `e4`."""
    return _PLACES.get(place, place)


def state_of(zoos: Sequence[Event]) -> SimpleNamespace:
    """As much of the state as scores need, from what a trace says of all zoos."""
    classes, animals, barn_stalls = ([0] * SEATS * SEAT_STEP for _ in range(3))
    for seat, zoo in enumerate(zoos):
        for place, tiles in zoo["places"].items():
            at = seat * SEAT_STEP + PLACES.index(place)
            numbers = {CLASSES.index(name): number for name, number in tiles.items()}
            classes[at] = sum(1 << tile for tile in numbers)
            animals[at] = sum(number for tile, number in numbers.items() if tile < N_ANIMALS)
            if place == "barn":
                barn_stalls[seat] = sum(numbers.values()) - animals[at]
    coins = [zoo["coins"] for zoo in zoos]
    return SimpleNamespace(classes=classes, animals=animals, barn_stalls=barn_stalls, coins=coins)


class _Log(Log):
    """The lines so far, and as much of the table as the sentences need."""

    tiebreak = "coins"

    def __init__(self, header: Event, result: Event) -> None:
        """A void game is not half-way anywhere, as it has no place among the leads of a run."""
        super().__init__(players(header["players"]), 0 if result.get("void") else result.get("rounds", 0))
        self.rules = header["rules"]
        self.players = header["players"]
        params = ZoolorettoParams.resolve(self.players, self.rules)
        self.params = SimpleNamespace(**params.codes(), **tables(params))
        self.round = 0
        self.is_last = False

    # ---------------------------------------------------------------- lines

    def turn(self, event: Event, text: str) -> None:
        """What a player does in his turn; the first turn of a round is under its heading."""
        if event["round"] != self.round:
            self.round = event["round"]
            self.heading(f"ROUND {self.round}")
        self.say(f"{player(event['player'])} {text}", f"  turn {event['turn']:3}")

    # ---------------------------------------------------------------- the game

    def on_game(self, event: Event) -> None:
        """The title, who plays, and which rules are not the official ones."""
        official = ZoolorettoParams.resolve(self.players).model_dump(mode="json")
        drawn = {"removed_species"} if not official["removed_species"] else set()
        changed = {
            name: value
            for name, value in self.rules.items()
            if value != official[name] and not (name in drawn and self.rules["species_removed"] == len(value))
        }
        agents = event.get("agents", ["?"] * self.players)
        self.title("Zooloretto", event["index"], event["seed"], agents)
        self.rules_changed(changed, self.players)

    def on_setup(self, event: Event) -> None:
        """What is on the table when the game begins."""
        if event["removed_species"]:
            removed = listed([tile_words(species) for species in event["removed_species"]])
            self.say(f"without {removed} [Z-1]", "setup")
        main, end = len(event["stock"]) - event["end_stack"], event["end_stack"]
        self.say(f"{counted(main, 'tile')} in the main stock, {end} in the end stack [Z-2, Z-3]", "stock")
        blocked = [f"truck {truck + 1}: {number}" for truck, number in enumerate(event["blocked"]) if number]
        if blocked:
            self.say(f"blocked spaces of {', '.join(blocked)} [Z-66]", "trucks")

    # ---------------------------------------------------------------- turns

    def on_draw(self, event: Event) -> None:
        """A tile is drawn and loaded."""
        last = event["from"] == "end" and not self.is_last
        self.is_last = self.is_last or last
        more = "; it is the first of the end stack, so this is the last round [Z-56]" if last else ""
        tile, truck = tile_words(event["tile"]), event["truck"] + 1
        self.turn(event, f"draws {tile} and loads it on truck {truck} [Z-14]{more}")

    def on_take_truck(self, event: Event) -> None:
        """A truck is taken and its tiles are placed."""
        coins = sum(entry["to"] == "purse" for entry in event["placements"])
        tiles = [
            f"{tile_words(entry['tile'])} to {place_words(entry['to'])}"
            for entry in event["placements"]
            if entry["to"] != "purse"
        ]
        words = [counted(coins, "coin")] if coins else []
        rule = "Z-19, Z-20" if not coins else "Z-19, Z-20, Z-27"
        self.turn(event, f"takes truck {event['truck'] + 1}: {', '.join([*words, *tiles])} [{rule}]")

    def on_money(self, event: Event) -> None:
        """A money action."""
        text, rule = getattr(self, f"money_{event['kind']}")(event)
        self.turn(event, f"pays {counted(event['paid'], 'coin')} and {text} [{rule}]")

    def money_move(self, event: Event) -> tuple[str, str]:
        """A tile changes its place."""
        where = f"from {place_words(event['from'])} to {place_words(event['to'])}"
        return f"moves {tile_words(event['tile'])} {where}", "Z-35"

    def money_exchange(self, event: Event) -> tuple[str, str]:
        """Two groups change places."""
        sides = [
            f"{tile_words(species) if species else 'nothing'} in {place_words(place)}"
            for species, place in ((event["a_species"], event["a"]), (event["b_species"], event["b"]))
        ]
        return f"exchanges all {sides[0]} with all {sides[1]}", "Z-37"

    def money_buy(self, event: Event) -> tuple[str, str]:
        """A tile out of another barn."""
        share = self.rules["buy_seller_share"]
        text = (
            f"buys {tile_words(event['tile'])} from {player(event['seller'])} for {place_words(event['to'])}"
        )
        return (f"{text}; {player(event['seller'])} gets {share} of it" if share else text), "Z-42, Z-43"

    def money_discard(self, event: Event) -> tuple[str, str]:
        """A tile leaves the game."""
        return f"discards {tile_words(event['tile'])} from the barn", "Z-44"

    def money_expand(self, event: Event) -> tuple[str, str]:
        """A board is turned up."""
        return f"turns up {place_words(event['board'])}", "Z-45"

    def on_pass(self, event: Event) -> None:
        """Nothing is left to do."""
        self.turn(event, "has no legal action and leaves the round without a truck [A-29]")

    # ---------------------------------------------------------------- what follows by itself

    def on_breed(self, event: Event) -> None:
        """An offspring is born."""
        species = event["species"].replace("_", " ")
        born = f"a{'n' * (species[0] in 'aeiou')} {species} is born in {place_words(event['enclosure'])}"
        full = " and goes to the barn, as there is no space" if event["offspring_to"] == "barn" else ""
        self.say(f"{born}{full} [Z-49, Z-51]")

    def on_fill_coins(self, event: Event) -> None:
        """An enclosure is full and pays."""
        place, paid, due = place_words(event["enclosure"]), event["paid"], event["due"]
        short = "" if paid == due else f" of {due}, as the bank has no more"
        rule = "Z-47" if paid == due else "Z-47, Z-48"
        self.say(f"{place} is full and brings {counted(paid, 'coin')}{short} [{rule}]")

    def on_round_end(self, event: Event) -> None:
        """The trucks go back, and somebody starts the next round."""
        if event["removed"]:
            tiles = listed([tile_words(tile) for tile in event["removed"]])
            self.say(f"nobody took {tiles}; out of the game [Z-68]", "  end")
        self.standing(event["round"], *self.points_now(event["zoos"]), "  end")
        rule = "Z-13" if self.rules["next_start"] == "last_taker" else "the seats take turns"
        if event["final"]:
            self.say("this was the last round [Z-57]", "  end")
        else:
            self.say(f"{player(event['next_start'])} starts the next round [{rule}]", "  end")

    def points_now(self, zoos: Sequence[Event]) -> tuple[list[int], list[int]]:
        """Points and tiebreaks, as they would be were the game over."""
        state, seats = state_of(zoos), range(self.players)
        with np.errstate(over="ignore"):  # the kernels count bits by a product that is cut off
            points = [int(scoring.score(state, self.params, seat)) for seat in seats]
        return points, [int(scoring.tiebreak(state, self.params, seat)) for seat in seats]

    # ---------------------------------------------------------------- the end

    def on_result(self, event: Event) -> None:
        """The score table, and what decided."""
        self.result()
        if event["void"]:
            self.say(f"The game is void: it was not over after {counted(event['turns'], 'turn')} [A-39]")
            return
        places = list(event["scores"][0]["enclosures"])
        for score in event["scores"]:
            places += [place for place in score["enclosures"] if place not in places]
        heads = [*places, "stalls", "barn", "points", "coins", "rank"]
        rows = {}
        for seat, score in enumerate(event["scores"]):
            barn = score["barn_stalls"] + score["barn_species"]
            cells = [score["enclosures"].get(place, "-") for place in places]
            cells += [score["stalls"], barn, score["total"], event["coins"][seat], event["ranks"][seat]]
            rows[player(seat)] = cells
        self.table(heads, rows)
        self.say_victory(event)

    def say_victory(self, event: Event) -> None:
        """Who won, and whether the coins decided."""
        text, level = self.victory([score["total"] for score in event["scores"]], event["ranks"])
        if len(level) > 1 and self.rules["tie_break"] == "coins":
            coins = [f"{player(seat)} {event['coins'][seat]}" for seat in level]
            text += f"; coins: {', '.join(coins)} [Z-64]"
        elif len(level) > 1:
            text += "; nothing breaks the tie [A-43]"
        self.say(text)
