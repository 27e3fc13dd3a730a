"""A slow, plain referee for the card game Animalia, to be read beside the rules.

The numbers in brackets name rules (A-12), rulings (R-28), facts (F-2) and decisions (D-5) of the rules
digest. Cards are strings, a deck is a list with its top card first, a collection is a list in order of
arrival. Nothing here is fast and nothing is clever; where the rules say a thing in one sentence, there
should be one small function that says it again.

Contents: parameters, cards, the arithmetic of the game (offers, activations, elegance, medals, scores),
`Game`, which plays by the rules and writes its events, `check_trace`, which replays a trace and lists
what is wrong with it, and `run_vector`, which answers a test vector.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Generator, Iterable
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
    or_null,
    read_object,
    short,
)

FAMILIES = ["cat", "horse", "dog", "rabbit", "parrot"]
MEMBERS = ["champion", "beauty", "cute", "scruffy", "thief", "spy", "trickster"]
KINDS = ["thief", "spy", "trickster"]
OWL = "owl"

# Action codes: the first code of each range. Places count by 1, collections by 8, players by 16.
PASS = 0
KEEP = 1
STOP = 3
USE = 4
HOLD_BACK = 7
PUT_UNDER = 8
PUT_BACK = 16
COVER = 32
OWL_AS = 48
STEAL = 64
GIVE = 160

Rules = dict[str, Any]  # values are int, bool or str, see `parameters`
Event = dict[str, Any]
Script = Generator[None, int, Any]  # stops at every decision and is sent the code chosen


class RulesError(ValueError):
    """A rule set that the rules do not allow."""


# ------------------------------------------------------------------------------------- parameters


def parameters(players: int) -> list[tuple[str, int | bool | str, Any]]:
    """Every parameter in its order: name, default for this number of players, bounds.

    The default gives the type. Bounds are (lowest, highest) for an int, the allowed words for a string,
    None for a bool.
    """
    return [
        ("players", players, (2, 6)),
        ("first_dealer", 0, (0, players - 1)),
        ("seasons", 3, (1, 6)),
        ("collections_per_player", 2 if players == 2 else 1, (1, 2)),
        ("collection_size", 5, (3, 7)),
        ("max_set_size", 3, (1, 5)),
        ("families", 5, (3, 5)),
        ("owl", True, None),
        ("remove_neutral", players <= 4, None),
        ("copies_champion", 1, (0, 3)),
        ("copies_beauty", 1, (0, 3)),
        ("copies_cute", 1, (0, 3)),
        ("copies_scruffy", 1, (0, 3)),
        ("copies_thief", 1, (0, 3)),
        ("copies_spy", 1, (0, 3)),
        ("copies_trickster", 1, (0, 3)),
        ("stars_champion", 3, (-5, 5)),
        ("stars_beauty", 2, (-5, 5)),
        ("stars_cute", 0, (-5, 5)),
        ("stars_scruffy", -1, (-5, 5)),
        ("stars_thief", 0, (-5, 5)),
        ("stars_spy", 0, (-5, 5)),
        ("stars_trickster", 0, (-5, 5)),
        ("stars_owl", 0, (-5, 5)),
        ("power_thief", True, None),
        ("power_spy", True, None),
        ("power_trickster", True, None),
        ("power_pair_requirement", 2, (1, 3)),
        ("power_activations", "once_per_kind", ("once_per_kind", "once_per_card")),
        ("spy_depth", 5, (1, 10)),
        ("thief_targets_full", True, None),
        ("deck_bottom_return_cap", 20, (1, 1000)),
        ("elegance_unit", "collection", ("collection", "player_sum", "player_best")),
        ("bonus_first", 2, (0, 4)),
        ("bonus_second", 1, (0, 4)),
        ("bonus_first_tied", 1, (0, 4)),
        ("bonus_second_after_first_tie", 0, (0, 4)),
        ("bonus_carry", True, None),
        ("medals_group_1", 0, (0, 10)),
        ("medals_group_2", 2, (0, 10)),
        ("medals_group_3", 3, (0, 10)),
        ("medals_group_4", 4, (0, 10)),
        ("medals_group_5", 5, (0, 10)),
        ("medals_group_6", 6, (0, 10)),
        ("medals_group_7", 7, (0, 10)),
        ("five_different", True, None),
        ("five_different_medals", 1, (0, 3)),
        ("medal_points", 1, (0, 5)),
        ("excellence_group_size", 7 if players == 2 else 5, (2, 15)),
        ("excellence_points", 5, (0, 20)),
        ("tiebreak", "largest_family", ("largest_family", "none")),
        ("season_dealer", "left_of_last_dealer", ("left_of_last_dealer", "rotate")),
    ]


def check_value(name: str, value: Any, default: int | bool | str, bounds: Any) -> None:
    """Raise RulesError unless the value has the type of the default and keeps within the bounds."""
    if type(value) is not type(default):
        raise RulesError(f"{name} must be of type {type(default).__name__}, not {value!r}")
    if isinstance(value, str) and value not in bounds:
        raise RulesError(f"{name} must be one of {', '.join(bounds)}, not {value!r}")
    if type(value) is int and not bounds[0] <= value <= bounds[1]:
        raise RulesError(f"{name} must be from {bounds[0]} to {bounds[1]}, not {value}")


def resolve(players: int, **overrides: int | bool | str) -> Rules:
    """The defaults for this number of players, then the overrides; every parameter in its order."""
    check_value("players", players, 2, (2, 6))
    table = parameters(players)
    names = [name for name, _, _ in table]
    for name in overrides:
        if name not in names:
            raise RulesError(f"there is no parameter {name!r}")
    rules: Rules = {}
    for name, default, bounds in table:
        value = overrides.get(name, default)
        check_value(name, value, default, bounds)
        rules[name] = value
    if rules["max_set_size"] > rules["collection_size"]:
        raise RulesError("max_set_size must not be larger than collection_size")
    if len(cards_in_play(rules)) < places_to_fill(rules):  # R-29, F-3
        raise RulesError(f"{len(cards_in_play(rules))} cards cannot fill {places_to_fill(rules)} places")
    return rules


def places_to_fill(rules: Rules) -> int:
    """C, the places of all collections together."""
    return int(rules["players"] * rules["collections_per_player"] * rules["collection_size"])


# ------------------------------------------------------------------------------------------ cards


def cards_in_play(rules: Rules) -> list[str]:
    """All cards of the game in canonical order: by family, member, copy; the owl last (A-3)."""
    cards = []
    for family in FAMILIES[: rules["families"]]:
        for member in MEMBERS:
            if member == "cute" and rules["remove_neutral"]:
                continue
            for copy in range(1, rules[f"copies_{member}"] + 1):
                cards.append(f"{family}_{member}" + ("" if copy == 1 else f"#{copy}"))
    if rules["owl"]:
        cards.append(OWL)
    return cards


def family_of(card: str) -> str | None:
    """The family; None for the owl, which has none of its own (R-2)."""
    return None if card == OWL else card.split("_")[0]


def member_of(card: str) -> str:
    """The member without the mark of its copy; `owl` for the owl."""
    return OWL if card == OWL else card.split("_")[1].split("#")[0]


def kind_of(card: str) -> str | None:
    """The sign for a power on the card: thief, spy, trickster or None."""
    member = member_of(card)
    return member if member in KINDS else None


# --------------------------------------------------------------------------------- offers (A-5..A-15)


def offer(rules: Rules, moment: str, open_places: list[int], set_size: int) -> dict[str, Any]:
    """What a player may or must do with a set.

    `moment` is `reveal` (the dealer has just turned up a card), `offered` (passed to a player),
    `returned` (back with the dealer) or `alone` (A-15). `open_places` are those of his collections.
    """
    room = [c for c, places in enumerate(open_places) if places >= set_size]
    if moment in ("reveal", "offered"):
        return {"take_into": room, "may_pass": True, "must_draw": False, "forced": False}
    if moment == "alone":
        reason = "alone"
    else:
        largest = max(open_places)
        if set_size != min(rules["max_set_size"], largest):
            return {"take_into": [], "may_pass": False, "must_draw": True, "forced": False}
        reason = "completes" if set_size == largest else "max_set"  # A-12 before A-10
    return {"take_into": room, "may_pass": False, "must_draw": False, "forced": True, "reason": reason}


def offer_codes(offered: dict[str, Any]) -> list[int]:
    """The options of D-1, D-2, D-3: pass if he may, keep in each collection he may take it into."""
    keeps = [KEEP + c for c in offered["take_into"]]
    return [PASS, *keeps] if offered["may_pass"] else keeps


# --------------------------------------------------------------------------- activations (A-17..A-20)


def activations(rules: Rules, before: list[str], taken: list[str]) -> list[str]:
    """The kinds that laying `taken` into the collection `before` activates, in set order (R-14)."""
    needed = rules["power_pair_requirement"]
    activated: list[str] = []
    for position, card in enumerate(taken):
        kind = kind_of(card)
        if kind is None or not rules[f"power_{kind}"]:
            continue
        if rules["power_activations"] == "once_per_kind":
            counted = before + taken  # partners within the set count, later ones too
            if kind not in activated and count_kind(counted, kind) >= needed:
                activated.append(kind)
        else:
            counted = before + taken[: position + 1]
            if count_kind(counted, kind) >= needed:
                activated.append(kind)
    return activated


def count_kind(cards: list[str], kind: str) -> int:
    """How many of the cards have this power; the owl stands in for none (R-3)."""
    return len([card for card in cards if kind_of(card) == kind])


# ------------------------------------------------------------------------ elegance, awards (A-25..A-28)


def elegance(rules: Rules, collection: list[str]) -> int:
    """The stars less the black spots of a collection (A-25, R-32)."""
    return sum(rules[f"stars_{member_of(card)}"] for card in collection)


def bonus_entitlements(rules: Rules, points: list[list[int]], last_dealer: int) -> list[dict[str, Any]]:
    """Who may draw how many bonus cards, in drawing order (A-26..A-28, R-30, R-31, R-47)."""
    players = len(points)
    units: list[tuple[int, int | None, int]] = []  # player, collection, total
    for step in range(1, players + 1):
        player = (last_dealer + step) % players
        if rules["elegance_unit"] == "collection":
            units += [(player, c, total) for c, total in enumerate(points[player])]
        elif rules["elegance_unit"] == "player_sum":
            units.append((player, None, sum(points[player])))
        else:
            units.append((player, None, max(points[player])))
    highest = max(total for _, _, total in units)
    firsts = [unit for unit in units if unit[2] == highest]
    lower = [total for _, _, total in units if total < highest]
    seconds = [unit for unit in units if lower and unit[2] == max(lower)]
    if len(firsts) == 1:
        due_first, due_second = rules["bonus_first"], rules["bonus_second"]
    else:
        due_first, due_second = rules["bonus_first_tied"], rules["bonus_second_after_first_tie"]
    entitlements = []
    for place, due, those in [(1, due_first, firsts), (2, due_second, seconds)]:
        for player, collection, _ in those:
            if due > 0:
                entitlements.append(
                    {"player": player, "collection": collection, "place": place, "entitled": due}
                )
    return entitlements


# ---------------------------------------------------------------------------- medals, scores (A-29..A-41)


def covered_collection(collection: list[str], covers: dict[int, str]) -> list[str]:
    """The collection as it counts: bonus cards in the places they cover (A-29, X-1)."""
    return [covers.get(place, card) for place, card in enumerate(collection)]


def medals_for(rules: Rules, cards: list[str], owl_as: str | None) -> list[int]:
    """Medals per family of one collection, the owl counted as the family `owl_as` (A-31..A-34)."""
    families = FAMILIES[: rules["families"]]
    read_as = [owl_as if card == OWL else family_of(card) for card in cards]
    counts = [read_as.count(family) for family in families]
    all_different = len(cards) == rules["collection_size"] and max(counts) == 1
    if rules["five_different"] and all_different:  # in place of the table
        return [rules["five_different_medals"] if count else 0 for count in counts]
    return [rules[f"medals_group_{count}"] if count else 0 for count in counts]


def final_result(rules: Rules, medals: list[list[int]]) -> dict[str, Any]:
    """Prizes, scores, ranks and shares of the victory (A-39..A-41, R-43..R-45)."""
    group = rules["excellence_group_size"]
    excellence = [sum(count // group for count in own) for own in medals]
    scores = [
        rules["medal_points"] * sum(own) + rules["excellence_points"] * prizes
        for own, prizes in zip(medals, excellence, strict=True)
    ]
    largest = [max(own) for own in medals]
    if rules["tiebreak"] == "largest_family":
        standing = list(zip(scores, largest, strict=True))
    else:
        standing = [(score, 0) for score in scores]
    ranks = [1 + len([other for other in standing if other > own]) for own in standing]
    winners = ranks.count(1)
    return {
        "excellence": excellence,
        "scores": scores,
        "largest_family": largest,
        "ranks": ranks,
        "win_shares": [1 / winners if rank == 1 else 0.0 for rank in ranks],
    }


def next_season_dealer(rules: Rules, first_dealer: int, last_dealer: int) -> int:
    """Who deals first in the season after one with this first and this last dealer (A-37, R-42)."""
    before = first_dealer if rules["season_dealer"] == "rotate" else last_dealer
    return int((before + 1) % rules["players"])


# ------------------------------------------------------------------------------------------- the game


class Game:
    """One game. `deal(season, cards)` gets the cards to be shuffled and returns the deck, top first.

    The game runs by itself up to the next list of at least two options. Then `decision` and `player` say
    who decides what, `options()` is the list, and `apply(code)` goes on from there.
    """

    def __init__(self, rules: Rules, deal: Callable[[int, list[str]], list[str]]) -> None:
        self._lay_out(resolve(**rules), deal)
        self._start(self._play())

    def _lay_out(self, rules: Rules, deal: Callable[[int, list[str]], list[str]] | None) -> None:
        """The table before the first season."""
        players = rules["players"]
        self.rules = rules
        self.deal = deal
        self.cards = cards_in_play(rules)
        self.events: list[Event] = []
        # game
        self.season = 0
        self.medals = [[0] * rules["families"] for _ in range(players)]
        self.held: list[list[str]] = [[] for _ in range(players)]
        self.guard_hits = 0
        # season
        self.first_dealer = rules["first_dealer"]
        self.dealer = self.first_dealer
        self.last_dealer = self.first_dealer
        self.deck: list[str] = []
        self.collections: list[list[list[str]]] = []
        self.returns = 0
        self.turn = 0
        # turn
        self.set: list[str] = []
        self.passed: list[int] = []
        self.alone = False
        # take
        self.taker: int | None = None
        self.taker_collection: int | None = None
        self.pending: list[str] = []
        self.resolving: str | None = None
        self.seen: list[str] = []
        self.placed: list[str] = []
        # Phase 3
        self.covers: list[list[dict[int, str]]] = []
        self.owl_as: list[list[str | None]] = []
        self.bonus_card: str | None = None
        self.owl_collection: int | None = None
        self._clear_collections()
        # what is asked now
        self.over = False
        self.decision: str | None = None
        self.player: int | None = None
        self._options: list[int] = []

    def _clear_collections(self) -> None:
        players, each = self.rules["players"], self.rules["collections_per_player"]
        self.collections = [[[] for _ in range(each)] for _ in range(players)]
        self.covers = [[{} for _ in range(each)] for _ in range(players)]
        self.owl_as = [[None] * each for _ in range(players)]

    @classmethod
    def at(cls, rules: Rules, **state: Any) -> Game:
        """A game in the midst of things, for test vectors: the attributes named, all else at rest."""
        game = cls.__new__(cls)
        game._lay_out(rules, None)
        for name, value in state.items():
            setattr(game, name, value)
        return game

    # ---- asking

    def _start(self, script: Script) -> None:
        """Run a part of the game up to its first decision or its end."""
        self._script = script
        self.over = False
        self._resume(None)

    def _resume(self, code: int | None) -> None:
        self.decision, self.player, self._options = None, None, []
        try:
            self._script.send(code)  # type: ignore[arg-type]
        except StopIteration:
            self.over = True

    def _ask(self, decision: str, player: int, options: list[int]) -> Script:
        """Ask for one of the options; a list with a single entry is carried out, nobody is asked."""
        assert options
        assert options == sorted(set(options))
        if len(options) == 1:
            return options[0]
        self.decision, self.player, self._options = decision, player, options
        return (yield)

    def options(self) -> list[int]:
        """The action codes among which `player` chooses, ascending; empty when the game is over."""
        return list(self._options)

    def apply(self, code: int) -> None:
        """Carry out one of the options and go on to the next decision."""
        if code not in self._options:
            raise ValueError(f"{code!r} is not an option now: {self.decision}, {self._options}")
        self._resume(code)

    # ---- looking

    def open_places(self, player: int) -> list[int]:
        """Open places of each collection of a player."""
        return [self.rules["collection_size"] - len(own) for own in self.collections[player]]

    def is_open(self, player: int) -> bool:
        return max(self.open_places(player)) > 0

    def open_players(self) -> list[int]:
        return [player for player in range(self.rules["players"]) if self.is_open(player)]

    def clockwise_from(self, player: int) -> list[int]:
        """All players once, the one named first."""
        players = self.rules["players"]
        return [(player + step) % players for step in range(players)]

    def next_dealer(self) -> int | None:
        """The first open player from the dealer's left, he himself last (R-11); None if all are full."""
        for player in self.clockwise_from(self.dealer + 1):
            if self.is_open(player):
                return player
        return None

    def in_canonical_order(self, cards: Iterable[str]) -> list[str]:
        return sorted(cards, key=self.cards.index)

    def counted(self, player: int, collection: int) -> list[str]:
        """A collection as it counts in Phase 3."""
        return covered_collection(self.collections[player][collection], self.covers[player][collection])

    def snapshot(self) -> dict[str, Any]:
        """The whole state as plain data. While a spy looks (D-7) the cards seen still lie on the deck."""
        return {
            "season": self.season,
            "turn": self.turn,
            "over": self.over,
            "decision": self.decision,
            "player": self.player,
            "options": self.options(),
            "first_dealer": self.first_dealer,
            "dealer": self.dealer,
            "last_dealer": self.last_dealer,
            "alone": self.alone,
            "deck": list(self.deck),
            "set": list(self.set),
            "passed": list(self.passed),
            "collections": copy_lists(self.collections),
            "open_places": [self.open_places(player) for player in range(self.rules["players"])],
            "held": copy_lists(self.held),
            "covers": [  # per player: collection, place, bonus card
                [[c, place, own[c][place]] for c in range(len(own)) for place in sorted(own[c])]
                for own in self.covers
            ],
            "owl_as": copy_lists(self.owl_as),
            "medals": copy_lists(self.medals),
            "returns": self.returns,
            "guard_hits": self.guard_hits,
            "taker": self.taker,
            "taker_collection": self.taker_collection,
            "pending": list(self.pending),
            "resolving": self.resolving,
            "seen": list(self.seen),
            "placed": list(self.placed),
            "bonus_card": self.bonus_card,
            "owl_collection": self.owl_collection,
        }

    def _note(self, event: str, **fields: Any) -> None:
        """Write an event; lists are copied, as those on the table go on changing."""
        self.events.append({"event": event} | {name: copy_lists(value) for name, value in fields.items()})

    # ---- the game and its seasons

    def _play(self) -> Script:
        """A-1, A-38."""
        for season in range(1, self.rules["seasons"] + 1):
            self._begin_season(season)
            yield from self._build_collections()
            self._award_elegance()
            yield from self._decide_covers_and_owls()
            self._give_medals()
            self._end_season()
        self._note(
            "result", medals=self.medals, **final_result(self.rules, self.medals), guard_hits=self.guard_hits
        )

    def _begin_season(self, season: int) -> None:
        """A-4, A-37: all cards except those held are shuffled."""
        if season == 1:
            dealer = self.rules["first_dealer"]
        else:
            dealer = next_season_dealer(self.rules, self.first_dealer, self.last_dealer)
        self.season, self.first_dealer, self.dealer = season, dealer, dealer
        self.returns, self.turn = 0, 0
        self._clear_collections()
        in_hands = [card for hand in self.held for card in hand]
        to_shuffle = [card for card in self.cards if card not in in_hands]
        assert self.deal is not None
        self.deck = list(self.deal(season, list(to_shuffle)))
        if sorted(self.deck) != sorted(to_shuffle):
            raise ValueError("the deck dealt is not made of the cards to be shuffled")
        self._note("shuffle", season=season, dealer=dealer, deck=self.deck, held=self.held)

    # ---- Phase 1

    def _build_collections(self) -> Script:
        """A-16, R-12: turns until all are full after the powers of a turn."""
        while self.open_players():
            self.turn += 1
            yield from self._play_turn()
            self.last_dealer = self.dealer
            following = self.next_dealer()
            if following is not None:
                self.dealer = following

    def _play_turn(self) -> Script:
        self.set = []
        self.alone = self.open_players() == [self.dealer]
        while True:
            self._reveal()
            if self.alone:
                yield from self._keep_by_force(offer(self.rules, "alone", self._dealers_places(), 1))
                break
            kept = yield from self._go_round()
            if kept:
                break
            again = offer(self.rules, "returned", self._dealers_places(), len(self.set))
            if again["forced"]:
                yield from self._keep_by_force(again)
                break
            # otherwise one more card is added
        yield from self._resolve_powers()
        self.taker = self.taker_collection = None

    def _dealers_places(self) -> list[int]:
        return self.open_places(self.dealer)

    def _reveal(self) -> None:
        """A-5, A-9."""
        assert self.deck, "F-3: the deck never runs out in Phase 1"
        card = self.deck.pop(0)
        self.set.append(card)
        self.passed = []
        self._note(
            "reveal",
            turn=self.turn,
            dealer=self.dealer,
            card=card,
            set=self.set,
            deck_left=len(self.deck),
        )

    def _go_round(self) -> Script:
        """A-6, A-7, R-7: the dealer and then each open player keeps or passes. Was the set kept?"""
        for player in self.clockwise_from(self.dealer):
            if not self.is_open(player):
                continue
            decision, moment = ("D-1", "reveal") if player == self.dealer else ("D-2", "offered")
            offered = offer(self.rules, moment, self.open_places(player), len(self.set))
            code = yield from self._ask(decision, player, offer_codes(offered))
            if code != PASS:
                self._take(player, code - KEEP, "choice")
                return True
            self.passed.append(player)
            self._note("pass", player=player, forced=offered["take_into"] == [])
        return False

    def _keep_by_force(self, forced: dict[str, Any]) -> Script:
        """D-3: A-10, A-12, A-15. With two collections he still chooses where (R-46, R-50)."""
        code = yield from self._ask("D-3", self.dealer, offer_codes(forced))
        self._take(self.dealer, code - KEEP, forced["reason"])

    def _take(self, player: int, collection: int, reason: str) -> None:
        """A-8: the whole set into one collection. What this activates is settled now (R-16)."""
        before = list(self.collections[player][collection])
        self.collections[player][collection] += self.set
        self.taker, self.taker_collection = player, collection
        self.pending = activations(self.rules, before, self.set)
        self._note(
            "take",
            player=player,
            collection=collection,
            cards=self.set,
            forced=reason != "choice",
            reason=reason,
            size_after=len(self.collections[player][collection]),
        )
        self.set, self.passed = [], []

    # ---- powers

    def _resolve_powers(self) -> Script:
        """D-4, R-13, R-15: the taker uses one pending power after the other, or stops."""
        while self.pending:
            code = yield from self._ask("D-4", self._taker(), self.power_options())
            if code == STOP:
                break
            kind = KINDS[code - USE]
            self.pending.remove(kind)  # of a kind pending twice the first in set order
            self.resolving = kind
            if kind == "thief":
                yield from self._steal()
            elif kind == "spy":
                yield from self._spy()
            else:
                yield from self._give()
            self.resolving = None
        for kind in self.pending:  # lost
            reason = self._reason_not_used(kind)
            if reason == "cap":
                self.guard_hits += 1
            self._note_power(kind, used=False, reason=reason)
        self.pending = []

    def _taker(self) -> int:
        assert self.taker is not None
        return self.taker

    def _activating_collection(self) -> list[str]:
        assert self.taker is not None
        assert self.taker_collection is not None
        return self.collections[self.taker][self.taker_collection]

    def cap_reached(self) -> bool:
        """R-28."""
        return bool(self.returns >= self.rules["deck_bottom_return_cap"])

    def has_target(self, kind: str) -> bool:
        """R-18, R-24; a trickster always has one (R-21)."""
        if kind == "thief":
            return self.steal_options() != []
        if kind == "spy":
            return self.deck != []
        return True

    def power_options(self) -> list[int]:
        """D-4: stop, and each kind pending that has a target now; with the cap reached only stop."""
        usable = [k for k in KINDS if k in self.pending and self.has_target(k) and not self.cap_reached()]
        return [STOP] + [USE + KINDS.index(kind) for kind in usable]

    def _reason_not_used(self, kind: str) -> str:
        """Why an activation was not used; called when the owner has stopped."""
        if self.cap_reached():
            return "cap"
        return "declined" if self.has_target(kind) else "no_target"

    def _note_power(self, kind: str, used: bool, reason: str, **details: Any) -> None:
        self._note(
            "power",
            player=self.taker,
            collection=self.taker_collection,
            kind=kind,
            used=used,
            reason=reason,
            **details,
        )

    def _put_under_deck(self, card: str) -> None:
        """R-26; counted for R-28."""
        self.deck.append(card)
        self.returns += 1

    def steal_options(self) -> list[int]:
        """D-5: every card of the other players that may be stolen (R-20)."""
        codes = []
        for victim in range(self.rules["players"]):
            if victim == self.taker:  # from no collection of his own
                continue
            for c, places in enumerate(self.open_places(victim)):
                if places == 0 and not self.rules["thief_targets_full"]:
                    continue
                for i in range(len(self.collections[victim][c])):
                    codes.append(STEAL + 16 * victim + 8 * c + i)
        return codes

    def _steal(self) -> Script:
        """A-21, R-19."""
        code = yield from self._ask("D-5", self._taker(), self.steal_options())
        victim, c, i = split_code(code - STEAL)
        card = self.collections[victim][c].pop(i)
        if len(self._activating_collection()) == self.rules["collection_size"]:
            destination = "deck_bottom"
            self._put_under_deck(card)
        else:
            destination = "collection"
            self._activating_collection().append(card)
        self._note_power(
            "thief",
            True,
            "used",
            victim=victim,
            victim_collection=c,
            card=card,
            destination=destination,
        )

    def give_options(self) -> list[int]:
        """D-6: each card of the activating collection with each open collection of another player (R-22).

        If all others are full, each card with no recipient: it goes under the deck (A-24, R-23).
        """
        cards = range(len(self._activating_collection()))
        codes = []
        for recipient in range(self.rules["players"]):
            if recipient == self.taker:
                continue
            for c, places in enumerate(self.open_places(recipient)):
                if places > 0:
                    codes += [GIVE + 16 * recipient + 8 * c + i for i in cards]
        return codes if codes else [PUT_UNDER + i for i in cards]

    def _give(self) -> Script:
        """A-24, A-46."""
        code = yield from self._ask("D-6", self._taker(), self.give_options())
        recipient: int | None
        c: int | None
        if code >= GIVE:
            recipient, c, i = split_code(code - GIVE)
            card = self._activating_collection().pop(i)
            self.collections[recipient][c].append(card)
            destination = "collection"
        else:
            recipient, c = None, None
            card = self._activating_collection().pop(code - PUT_UNDER)
            self._put_under_deck(card)
            destination = "deck_bottom"
        self._note_power(
            "trickster",
            True,
            "used",
            card=card,
            recipient=recipient,
            recipient_collection=c,
            destination=destination,
        )

    def spy_options(self) -> list[int]:
        """D-7: the cards seen that are not yet put back, by their position when seen."""
        return [PUT_BACK + j for j, card in enumerate(self.seen) if card not in self.placed]

    def _spy(self) -> Script:
        """A-23, R-24, R-25: one place after the other, from the top of the deck down."""
        self.seen = self.deck[: self.rules["spy_depth"]]
        self.placed = []
        while len(self.placed) < len(self.seen):
            code = yield from self._ask("D-7", self._taker(), self.spy_options())
            self.placed.append(self.seen[code - PUT_BACK])
        self.deck[: len(self.seen)] = self.placed
        self._note_power("spy", True, "used", seen=self.seen, order=self.placed)
        self.seen, self.placed = [], []

    # ---- Phase 2

    def _award_elegance(self) -> None:
        points = [[elegance(self.rules, collection) for collection in own] for own in self.collections]
        draws = self.draw_bonus_cards(points)
        self._note("elegance", season=self.season, points=points, draws=draws, deck_left=len(self.deck))

    def draw_bonus_cards(self, points: list[list[int]]) -> list[dict[str, Any]]:
        """A-26, R-31, R-33: from the top, each all at once, as long as there are cards."""
        draws = []
        for unit in bonus_entitlements(self.rules, points, self.last_dealer):
            drawn = self.deck[: unit["entitled"]]
            del self.deck[: unit["entitled"]]
            hand = self.held[unit["player"]]
            self.held[unit["player"]] = self.in_canonical_order(hand + drawn)
            draws.append(unit | {"cards": drawn})
        return draws

    # ---- Phase 3

    def _decide_covers_and_owls(self) -> Script:
        """R-36: in order of player, his covers, then his owl."""
        for player in range(self.rules["players"]):
            yield from self._cover(player)
            yield from self._read_owl(player)

    def cover_options(self, player: int) -> list[int]:
        """D-8: hold the bonus card back, or cover a card not covered this season (R-34, R-48)."""
        codes = [HOLD_BACK]
        for c, collection in enumerate(self.collections[player]):
            for i in range(len(collection)):
                if i not in self.covers[player][c]:
                    codes.append(COVER + 8 * c + i)
        return codes

    def _cover(self, player: int) -> Script:
        """A-29, A-30: each bonus card he holds, in canonical order."""
        for bonus in list(self.held[player]):
            self.bonus_card = bonus
            code = yield from self._ask("D-8", player, self.cover_options(player))
            self.bonus_card = None
            if code == HOLD_BACK:
                continue
            c, i = divmod(code - COVER, 8)
            self.held[player].remove(bonus)
            self.covers[player][c][i] = bonus
            self._note(
                "cover",
                season=self.season,
                player=player,
                collection=c,
                covered=self.collections[player][c][i],
                bonus=bonus,
            )

    def owl_options(self) -> list[int]:
        """D-9: every family in play (R-40)."""
        return [OWL_AS + f for f in range(self.rules["families"])]

    def _read_owl(self, player: int) -> Script:
        """A-34."""
        for c in range(self.rules["collections_per_player"]):
            if OWL in self.counted(player, c):
                self.owl_collection = c
                code = yield from self._ask("D-9", player, self.owl_options())
                self.owl_collection = None
                self.owl_as[player][c] = FAMILIES[code - OWL_AS]

    def _give_medals(self) -> None:
        """A-31, A-47: each collection by itself."""
        for player in range(self.rules["players"]):
            for c in range(self.rules["collections_per_player"]):
                cards, owl_as = self.counted(player, c), self.owl_as[player][c]
                gained = medals_for(self.rules, cards, owl_as)
                had = self.medals[player]
                self.medals[player] = [old + new for old, new in zip(had, gained, strict=True)]
                self._note(
                    "medals",
                    season=self.season,
                    player=player,
                    collection=c,
                    cards=cards,
                    owl_as=owl_as,
                    gained=gained,
                )

    def _end_season(self) -> None:
        """A-36, R-37."""
        if not self.rules["bonus_carry"]:
            for hand in self.held:
                self.deck += hand
                hand.clear()
        self._note(
            "season_end",
            season=self.season,
            first_dealer=self.first_dealer,
            last_dealer=self.last_dealer,
            returns=self.returns,
            deck=self.deck,
            collections=self.collections,
            covering=[
                self.in_canonical_order(card for covers in own for card in covers.values())
                for own in self.covers
            ],
            held=self.held,
            medals=self.medals,
        )


def split_code(rest: int) -> tuple[int, int, int]:
    """Player, collection and place from 16 * player + 8 * collection + place."""
    player, rest = divmod(rest, 16)
    collection, place = divmod(rest, 8)
    return player, collection, place


def copy_lists(value: Any) -> Any:
    """A copy of lists and dicts of any depth, so that what is handed out does not change later."""
    if isinstance(value, list):
        return [copy_lists(entry) for entry in value]
    if isinstance(value, dict):
        return {name: copy_lists(entry) for name, entry in value.items()}
    return value


# ------------------------------------------------------------------------------ traces: form of a line


def header(rules: Rules, game_index: int, seed: int | str, policies: list[str]) -> Event:
    """The `game` line with which a game begins."""
    return {
        "event": "game",
        "format": 1,
        "game_index": game_index,
        "seed": str(seed),
        "players": rules["players"],
        "policies": list(policies),
        "rules": dict(rules),
        "cards": cards_in_play(rules),
    }


def is_number(value: Any) -> bool:
    return type(value) in (int, float)


def is_draw(value: Any) -> bool:
    return is_object(value) and form_faults(value, DRAW_FIELDS) == []


ints = list_of(is_int)
cards = list_of(is_string)

DRAW_FIELDS: dict[str, Test] = {
    "player": is_int,
    "collection": or_null(is_int),
    "place": is_int,
    "entitled": is_int,
    "cards": cards,
}

FIELDS: dict[str, dict[str, Test]] = {
    "game": {
        "format": is_int,
        "game_index": is_int,
        "seed": is_string,
        "players": is_int,
        "policies": list_of(is_string),
        "rules": is_object,
        "cards": cards,
    },
    "shuffle": {"season": is_int, "dealer": is_int, "deck": cards, "held": list_of(cards)},
    "reveal": {"turn": is_int, "dealer": is_int, "card": is_string, "set": cards, "deck_left": is_int},
    "pass": {"player": is_int, "forced": is_bool},
    "take": {
        "player": is_int,
        "collection": is_int,
        "cards": cards,
        "forced": is_bool,
        "reason": is_string,
        "size_after": is_int,
    },
    "power": {
        "player": is_int,
        "collection": is_int,
        "kind": lambda value: is_string(value) and value in KINDS,
        "used": is_bool,
        "reason": is_string,
    },
    "elegance": {
        "season": is_int,
        "points": list_of(ints),
        "draws": list_of(is_draw),
        "deck_left": is_int,
    },
    "cover": {
        "season": is_int,
        "player": is_int,
        "collection": is_int,
        "covered": is_string,
        "bonus": is_string,
    },
    "medals": {
        "season": is_int,
        "player": is_int,
        "collection": is_int,
        "cards": cards,
        "owl_as": or_null(is_string),
        "gained": ints,
    },
    "season_end": {
        "season": is_int,
        "first_dealer": is_int,
        "last_dealer": is_int,
        "returns": is_int,
        "deck": cards,
        "collections": list_of(list_of(cards)),
        "covering": list_of(cards),
        "held": list_of(cards),
        "medals": list_of(ints),
    },
    "result": {
        "medals": list_of(ints),
        "excellence": ints,
        "scores": ints,
        "largest_family": ints,
        "ranks": ints,
        "win_shares": list_of(is_number),
        "guard_hits": is_int,
    },
}

POWER_DETAILS: dict[str, dict[str, Test]] = {  # the further fields of a power that was used
    "thief": {
        "victim": is_int,
        "victim_collection": is_int,
        "card": is_string,
        "destination": is_string,
    },
    "spy": {"seen": cards, "order": cards},
    "trickster": {
        "card": is_string,
        "recipient": or_null(is_int),
        "recipient_collection": or_null(is_int),
        "destination": is_string,
    },
}


def fields_due(line: Event) -> dict[str, Test]:
    """The fields that a line of this event must have, those of `power` by kind and use."""
    due: dict[str, Test] = {"event": is_string} | FIELDS[line["event"]]
    if line["event"] == "power" and line.get("used") is True and line.get("kind") in tuple(KINDS):
        due |= POWER_DETAILS[line["kind"]]
    return due


def read_line(text: Any) -> tuple[Event | None, list[str]]:
    """The object of one line, None if there is none to be had, and what is wrong with its form."""
    line, faults = read_object(text, FIELDS)
    if line is None:
        return None, faults
    return line, faults + not_first(line) + form_faults(line, fields_due(line))


# -------------------------------------------------------------------------------- traces: replaying


def check_trace(lines: Iterable[str]) -> list[str]:
    """Complaints about a trace, one sentence each with game index and line number; none if it is right."""
    if isinstance(lines, str):
        lines = lines.removesuffix("\n").split("\n")
    complaints: list[str] = []
    block: Block | None = None
    outside = False
    number = 0
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
        block.complain(number, "the trace ends before the result of the game")
        replay(block)
    return complaints


def header_faults(line: Event) -> list[str]:
    """7.3, item 1."""
    names = [name for name, _, _ in parameters(2)]
    missing = [name for name in names if name not in line["rules"]]
    if missing:
        return [f"rules lack {', '.join(missing)}"]
    try:
        rules = resolve(**line["rules"])
    except RulesError as error:
        return [f"rules: {error}"]
    faults = []
    if line["format"] != 1:
        faults.append("format is not 1")
    if line["game_index"] < 0:
        faults.append("game_index is below 0")
    if not re.fullmatch("0|[1-9][0-9]*", line["seed"]):
        faults.append("seed is not an integer in decimal digits")
    if line["players"] != rules["players"]:
        faults.append("players is not the number of players in rules")
    if len(line["policies"]) != rules["players"]:
        faults.append("policies does not name one policy per player")
    if line["cards"] != cards_in_play(rules):
        faults.append("cards are not those that the rules give, in canonical order")
    return faults


def replay(block: Block) -> None:
    """Play the game of a trace again and compare line by line."""
    if not block.sound:
        return  # the form is wrong and has been reported
    faults = header_faults(block.lines[0])
    for fault in faults:
        block.complain(block.numbers[0], fault)
    if faults:
        return
    lines, numbers = block.lines[1:], block.numbers[1:]
    end = block.numbers[-1]
    shuffles = [at for at, line in enumerate(lines) if line["event"] == "shuffle"]

    def deal(season: int, to_shuffle: list[str]) -> list[str]:
        if len(shuffles) < season:
            return to_shuffle  # there is no such line; the comparison says where it was due
        at = shuffles[season - 1]
        if sorted(lines[at]["deck"]) != sorted(to_shuffle):
            raise TraceError(at, "deck and bonus cards held are not together the cards in play, each once")
        return list(lines[at]["deck"])

    compared = 0  # lines found equal to the game's own events, or complained of

    def compare(events: list[Event]) -> None:
        nonlocal compared
        while compared < len(events):
            at, due = compared, events[compared]
            if at >= len(lines):
                raise TraceError(None, f"the lines end where a {due['event']} line is due")
            if lines[at]["event"] != due["event"]:
                raise TraceError(at, f"a {due['event']} line is due here, not {lines[at]['event']}")
            for name in due:
                if name not in lines[at] or not same(name, due[name], lines[at][name]):
                    said = short(lines[at][name]) if name in lines[at] else "missing"
                    block.complain(numbers[at], f"field {name} is {said}, should be {short(due[name])}")
            for name in lines[at]:
                if name not in due:
                    block.complain(numbers[at], f"field {name} does not belong here")
            compared += 1

    game: Game | None = None
    try:
        game = Game(block.lines[0]["rules"], deal)
        compare(game.events)
        while not game.over:
            code = code_from_lines(game, lines[compared:], compared)
            if code not in game.options():
                raise TraceError(compared, f"player {game.player} may not choose this ({game.decision})")
            game.apply(code)
            compare(game.events)
        if len(lines) > compared:
            raise TraceError(compared, "the line comes after the end of the game")
    except TraceError as fault:
        if game is not None:
            try:  # a bad shuffle: the lines before it are compared all the same
                compare(game.events[: len(lines) if fault.at is None else fault.at])
            except TraceError as earlier:
                fault = earlier
        block.complain(end if fault.at is None else numbers[fault.at], fault.text)


def same(name: str, due: Any, said: Any) -> bool:
    """Equality; shares of the victory are compared within 1e-6."""
    if name != "win_shares":
        return bool(due == said)
    return len(due) == len(said) and all(
        -1 < share < 2 and abs(share - right) <= 1e-6 for share, right in zip(said, due, strict=True)
    )


def code_from_lines(game: Game, coming: list[Event], at: int) -> int:
    """The action code of the decision that the game waits for, read off the lines that follow.

    `coming` begins with the first line not yet played; `at` is its number, for complaints.
    """
    if not coming:
        raise TraceError(None, f"the lines end where player {game.player} decides ({game.decision})")
    line = coming[0]
    if game.decision in ("D-1", "D-2", "D-3"):
        return code_of_offer(game, line, at)
    if game.decision == "D-4":
        is_use = line["event"] == "power" and line["used"]
        return USE + KINDS.index(line["kind"]) if is_use else STOP
    if game.decision == "D-5":
        victim, c = line["victim"], line["victim_collection"]
        place = place_of(game, victim, c, line["card"], at)
        return STEAL + 16 * int(victim) + 8 * int(c) + place
    if game.decision == "D-6":
        assert game.taker is not None
        assert game.taker_collection is not None
        place = place_of(game, game.taker, game.taker_collection, line["card"], at)
        recipient, c = line["recipient"], line["recipient_collection"]
        if recipient is None:
            return PUT_UNDER + place
        check_collection(game, recipient, c, at)
        return GIVE + 16 * int(recipient) + 8 * int(c) + place
    if game.decision == "D-7":
        order, position = line["order"], len(game.placed)
        if position >= len(order) or order[position] not in game.seen:
            raise TraceError(at, f"order is no order of the cards seen, {short(game.seen)}")
        return PUT_BACK + game.seen.index(order[position])
    if game.decision == "D-8":
        if line["event"] != "cover" or line["player"] != game.player or line["bonus"] != game.bonus_card:
            return HOLD_BACK
        c = line["collection"]
        return COVER + 8 * int(c) + place_of(game, line["player"], c, line["covered"], at)
    return code_of_owl(game, coming, at)


def code_of_offer(game: Game, line: Event, at: int) -> int:
    """D-1, D-2, D-3."""
    if line["event"] not in ("pass", "take"):
        raise TraceError(at, f"player {game.player} should keep or pass the set here")
    if line["player"] != game.player:
        raise TraceError(at, f"it is up to player {game.player}, not {line['player']}, to keep or pass")
    if line["event"] == "pass":
        return PASS
    check_collection(game, line["player"], line["collection"], at)
    return KEEP + int(line["collection"])


def code_of_owl(game: Game, coming: list[Event], at: int) -> int:
    """D-9: the choice stands in the medals line, after the covers of the other players."""
    for step, line in enumerate(coming):
        if line["event"] not in ("cover", "medals"):
            break
        if line["event"] == "cover":
            continue
        if line["player"] == game.player and line["collection"] == game.owl_collection:
            if line["owl_as"] not in FAMILIES:
                raise TraceError(at + step, "owl_as names no family, though the collection counts the owl")
            return OWL_AS + FAMILIES.index(line["owl_as"])
    raise TraceError(at, f"the medals line of player {game.player} is missing, or this line before it")


def check_collection(game: Game, player: int, collection: int | None, at: int) -> None:
    """Raise TraceError unless there is such a collection."""
    if player not in range(game.rules["players"]):
        raise TraceError(at, f"there is no player {player}")
    if collection not in range(game.rules["collections_per_player"]):
        raise TraceError(at, f"there is no collection {collection}")


def place_of(game: Game, player: int, collection: int, card: str, at: int) -> int:
    """The place of a card in a collection, as it is now."""
    check_collection(game, player, collection, at)
    own = game.collections[player][collection]
    if card not in own:
        raise TraceError(at, f"card {card} is not in collection {collection} of player {player}")
    return own.index(card)


# ------------------------------------------------------------------------------------- test vectors


def run_vector(vector: dict[str, Any]) -> dict[str, Any]:
    """What the referee says about a test vector, in the form of its `expect`."""
    given = vector["given"]
    rules = resolve(given.get("players", 4), **vector.get("rules", {}))
    answers: dict[str, Callable[[Rules, dict[str, Any]], dict[str, Any]]] = {
        "offer": vector_offer,
        "alone": vector_alone,
        "elegance": vector_elegance,
        "awards": vector_awards,
        "medals": vector_medals,
        "cover": vector_cover,
        "final": vector_final,
        "activation": vector_activation,
        "power": vector_power,
        "season": vector_season,
        "actions": vector_actions,
    }
    return answers[vector["kind"]](rules, given)


def vector_offer(rules: Rules, given: dict[str, Any]) -> dict[str, Any]:
    return offer(rules, given["moment"], given["open"], given["set_size"])


def vector_alone(rules: Rules, given: dict[str, Any]) -> dict[str, Any]:
    """Play the turns of the last open player, player 0, and count the cards he draws."""
    full, deck = rules["collection_size"], [card for card in cards_in_play(rules) if not kind_of(card)]
    sizes = given["sizes"]
    rules = rules | {"collections_per_player": len(sizes)}
    others = [[["owl"] * full for _ in sizes] for _ in range(1, rules["players"])]
    game = Game.at(rules, collections=[[["owl"] * size for size in sizes], *others], deck=deck)
    game._start(game._build_collections())
    while not game.over:
        game.apply(game.options()[0])
    return {"draws": len([event for event in game.events if event["event"] == "reveal"])}


def vector_elegance(rules: Rules, given: dict[str, Any]) -> dict[str, Any]:
    if "collection" in given:
        return {"points": elegance(rules, given["collection"])}
    return {"points": sum(given["values"])}


def vector_awards(rules: Rules, given: dict[str, Any]) -> dict[str, Any]:
    deck = cards_in_play(rules)[: given["deck_left"]]
    game = Game.at(rules, deck=deck, last_dealer=given["last_dealer"])
    draws = game.draw_bonus_cards(given["points"])
    return {
        "draws": [
            [draw["player"], -1 if draw["collection"] is None else draw["collection"], len(draw["cards"])]
            for draw in draws
        ],
        "got": [len(hand) for hand in game.held],
    }


def unbeaten_outcomes(rules: Rules, collection: list[str]) -> list[list[int]]:
    """The medals that the owl's choices allow, without those that another outcome equals or beats."""
    choices = FAMILIES[: rules["families"]] if OWL in collection else [None]
    outcomes: list[list[int]] = []
    for choice in choices:
        outcome = medals_for(rules, collection, choice)
        if outcome not in outcomes:
            outcomes.append(outcome)

    def beaten(outcome: list[int]) -> bool:
        others = [other for other in outcomes if other != outcome]
        return any(all(other[f] >= count for f, count in enumerate(outcome)) for other in others)

    return [outcome for outcome in outcomes if not beaten(outcome)]


def vector_medals(rules: Rules, given: dict[str, Any]) -> dict[str, Any]:
    return {"options": unbeaten_outcomes(rules, given["collection"])}


def one_player(rules: Rules, own: list[list[str]], bonus: list[str]) -> Game:
    """A game in Phase 3 in which only player 0 has cards."""
    empty: list[list[str]] = [[] for _ in own]
    others = rules["players"] - 1
    return Game.at(
        rules, collections=[copy_lists(own)] + [empty] * others, held=[list(bonus)] + [[]] * others
    )


def make_covers(game: Game, covers: list[list[str]]) -> None:
    """Let player 0 go through his bonus cards: [covered, bonus] each, the others are held back."""
    planned = {bonus: covered for covered, bonus in covers}
    game._start(game._cover(0))
    while not game.over:
        code = HOLD_BACK
        for c, collection in enumerate(game.collections[0]):
            if game.bonus_card in planned and planned[game.bonus_card] in collection:
                code = COVER + 8 * c + collection.index(planned[game.bonus_card])
        game.apply(code)


def vector_cover(rules: Rules, given: dict[str, Any]) -> dict[str, Any]:
    game = one_player(rules, [given["collection"]], given["bonus"])
    before = unbeaten_outcomes(rules, game.counted(0, 0))
    make_covers(game, given["covers"])
    return {"before": before, "after": unbeaten_outcomes(rules, game.counted(0, 0)), "kept": game.held[0]}


def vector_final(rules: Rules, given: dict[str, Any]) -> dict[str, Any]:
    return final_result(rules, given["medals"])


def vector_activation(rules: Rules, given: dict[str, Any]) -> dict[str, Any]:
    return {"activated": activations(rules, given["before"], given["taken"])}


def vector_power(rules: Rules, given: dict[str, Any]) -> dict[str, Any]:
    """The steps are read like the power lines of a trace; a step with its kind only is not used."""
    taker, taker_collection = given["actor"]
    game = Game.at(
        rules,
        dealer=given["dealer"],
        taker=taker,
        taker_collection=taker_collection,
        collections=copy_lists(given["collections"]),
        deck=list(given["deck"]),
        pending=list(given["activated"]),
        returns=given["returns"],
    )
    absent = {"recipient": None, "recipient_collection": None}
    lines = [{"event": "power", "used": len(step) > 1} | absent | step for step in given["steps"]]
    game._start(game._resolve_powers())
    while not game.over:
        done = len(game.events)
        game.apply(code_from_lines(game, lines[done:], done))
    following = game.next_dealer()
    return {
        "used": [event["used"] for event in game.events],
        "reason": [event["reason"] for event in game.events],
        "collections": game.collections,
        "deck": game.deck,
        "open_players": game.open_players(),
        "next_dealer": -1 if following is None else following,
        "alone": len(game.open_players()) == 1,
    }


def vector_season(rules: Rules, given: dict[str, Any]) -> dict[str, Any]:
    """Deal a season with so many bonus cards held, and play its Phase 1 with the first option always."""
    spare = cards_in_play(rules)
    held = [[spare.pop(0) for _ in range(count)] for count in given["held"]]
    last = given["last_dealer"]
    game = Game.at(rules, held=held, first_dealer=given.get("first_dealer", last), last_dealer=last)
    game.deal = lambda _season, cards: cards
    game._begin_season(2)
    at_shuffle = len(game.deck)
    game._start(game._build_collections())
    while not game.over:
        game.apply(game.options()[0])
    return {
        "new_dealer": game.first_dealer,
        "cards_in_play": len(game.cards),
        "deck_at_shuffle": at_shuffle,
        "deck_after_phase1": len(game.deck),
    }


def vector_actions(rules: Rules, given: dict[str, Any]) -> dict[str, Any]:
    decision = given["decision"]
    if decision in ("D-1", "D-2", "D-3"):
        moment = {"D-1": "reveal", "D-2": "offered", "D-3": "alone"}[decision]
        return {"codes": offer_codes(offer(rules, moment, given["open"], given["set_size"]))}
    if decision == "D-8":
        game = one_player(rules, given["collections"], given["bonus"])
        make_covers(game, given["covers"])
        return {"codes": game.cover_options(0)}
    taker, taker_collection = given.get("actor", [0, 0])
    game = Game.at(rules, taker=taker, taker_collection=taker_collection)
    for name in ("collections", "pending", "deck", "returns", "seen", "placed"):
        if name in given:
            setattr(game, name, copy_lists(given[name]))
    options = {
        "D-4": game.power_options,
        "D-5": game.steal_options,
        "D-6": game.give_options,
        "D-7": game.spy_options,
        "D-9": game.owl_options,
    }
    return {"codes": options[decision]()}
