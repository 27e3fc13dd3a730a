"""A readable log of one game, from its trace; in brackets the ids of the rules that act (see RULES.md)."""

from __future__ import annotations

from collections.abc import Sequence
from types import SimpleNamespace

from balance.errors import listed
from balance.games.animalia.layout import LANE_BITS, tables
from balance.games.animalia.medals import score, tiebreak
from balance.games.animalia.params import FAMILIES, AnimaliaParams
from balance.narration import JOINED, Event, Log, counted, player, players

_LOST = {
    ("declined", "thief"): "does not use the thief [R-13]",
    ("declined", "spy"): "does not use the spy [R-13]",
    ("declined", "trickster"): "does not use the trickster [R-13]",
    ("no_target", "thief"): "finds nobody to rob with the thief [R-18]",
    ("no_target", "spy"): "finds no card in the deck for the spy [R-24]",
}


def narrate(events: Sequence[Event]) -> list[str]:
    """The lines of the log; seats count from 1."""
    return _Log(events[0]).told(events)


def card_words(card: str) -> str:
    """A card without the marks of its id, kept on one line: `cat thief`, `cat thief 2`."""
    return card.replace("_", JOINED).replace("#", JOINED)


def cards_words(cards: Sequence[str]) -> str:
    """Several cards."""
    return ", ".join(card_words(card) for card in cards)


class _Log(Log):
    """The lines so far, and as much of the table as the sentences need."""

    round_name, tiebreak = "season", "the most medals of one family"

    def __init__(self, header: Event) -> None:
        super().__init__(players(header["players"]), header["rules"]["seasons"])
        self.rules = header["rules"]
        self.players = header["players"]
        own = {name: value for name, value in self.rules.items() if name != "players"}
        params = AnimaliaParams.resolve(self.players, own)
        self.params = SimpleNamespace(**params.codes(), **tables(params))
        self.sizes: list[list[int]] = []
        self.hands: list[list[str]] = []
        self.dealer = 0
        self.turn = 0

    # ---------------------------------------------------------------- the table

    def is_full(self, seat: int) -> bool:
        """Whether all collections of a seat are full."""
        return bool(min(self.sizes[seat]) == self.rules["collection_size"])

    def which(self, collection: int, before: str = " ") -> str:
        """The number of a collection, where players have two."""
        return f"{before}collection {collection + 1}" if self.rules["collections_per_player"] == 2 else ""

    def whose(self, seat: int, collection: int) -> str:
        """`Player 2`, or `Player 2 (collection 1)`."""
        return player(seat) + (f" ({self.which(collection, '')})" if self.which(collection) else "")

    # ---------------------------------------------------------------- the game and its seasons

    def on_game(self, event: Event) -> None:
        """The title, who plays, and which rules are not the official ones."""
        official = AnimaliaParams.resolve(self.players).model_dump()
        changed = {name: value for name, value in self.rules.items() if value != official[name]}
        self.title("Animalia", event["game_index"], event["seed"], event["policies"])
        self.rules_changed(changed, self.players)

    def on_shuffle(self, event: Event) -> None:
        """A season begins."""
        self.sizes = [[0] * self.rules["collections_per_player"] for _ in range(self.players)]
        self.hands = [list(hand) for hand in event["held"]]
        self.turn, self.dealer = 0, event["dealer"]
        self.heading(f"SEASON {event['season']}")
        cards, rule = counted(len(event["deck"]), "card"), self.first_dealer_rule(event)
        self.say(f"{player(self.dealer)} shuffles {cards} and deals first [{rule}]")

    def first_dealer_rule(self, event: Event) -> str:
        """Why this player deals first."""
        if event["season"] == 1:
            return "A-4, R-4"
        return "A-37" if self.rules["season_dealer"] == "left_of_last_dealer" else "R-42"

    # ---------------------------------------------------------------- Phase 1

    def on_reveal(self, event: Event) -> None:
        """A turn begins, or the set grows."""
        dealer, card = player(event["dealer"]), card_words(event["card"])
        if len(event["set"]) > 1:
            self.say(f"{dealer} adds {card}; the set is {cards_words(event['set'])} [A-9]")
            return
        skipped = self.skipped(event["dealer"])
        full = f"; {listed(skipped)} {'are' if len(skipped) > 1 else 'is'} full [A-14]" if skipped else ""
        self.turn, self.dealer = event["turn"], event["dealer"]
        self.say(f"{dealer} turns up {card}{full}", f"  turn {self.turn:2}")

    def skipped(self, dealer: int) -> list[str]:
        """The players left out between the last dealer and this one, unless he is the only one open."""
        seats = [seat % self.players for seat in range(self.dealer + 1, self.dealer + self.players)]
        between = seats[: seats.index(dealer)] if dealer in seats else []
        return [player(seat) for seat in between] if self.turn and len(between) < self.players - 1 else []

    def on_pass(self, event: Event) -> None:
        """A player passes the set."""
        self.say(
            f"{player(event['player'])} {'has no room and must pass [A-11]' if event['forced'] else 'passes'}"
        )

    def on_take(self, event: Event) -> None:
        """A player keeps the set."""
        seat, collection = event["player"], event["collection"]
        self.sizes[seat][collection] = event["size_after"]
        why = {
            "choice": "",
            "alone": ": nobody else is open [A-15]",
            "completes": ": it fills the collection [A-12]"
            if not self.which(0)
            else ": no room for a larger set [R-46]",
            "max_set": ": the largest set has gone round [A-10]",
        }
        verb = "must keep" if event["forced"] else "keeps"
        place = self.which(collection, " in ")
        size = f"({event['size_after']} of {self.rules['collection_size']})"
        self.say(f"{player(seat)} {verb} {cards_words(event['cards'])}{place}{why[event['reason']]} {size}")

    # ---------------------------------------------------------------- powers

    def on_power(self, event: Event) -> None:
        """A power is used, or lost."""
        if event["used"]:
            getattr(self, f"use_{event['kind']}")(event)
        elif event["reason"] == "cap":
            who, cap = player(event["player"]), counted(self.rules["deck_bottom_return_cap"], "card")
            self.say(f"{who}'s {event['kind']} is void: {cap} went under the deck this season [R-28]")
        else:
            self.say(f"{player(event['player'])} {_LOST[event['reason'], event['kind']]}")

    def use_thief(self, event: Event) -> None:
        """A card is stolen."""
        seat, victim = event["player"], event["victim"]
        was_full = self.is_full(victim)
        self.sizes[victim][event["victim_collection"]] -= 1
        card, owner = card_words(event["card"]), self.whose(victim, event["victim_collection"])
        text = f"{player(seat)} steals {card} from {owner} [A-21]"
        if event["destination"] == "deck_bottom":
            text += "; there is no room for it, so it goes under the deck [R-19]"
        else:
            self.sizes[seat][event["collection"]] += 1
        self.say(text + (f"; {player(victim)} is open again [A-22]" if was_full else ""))

    def use_trickster(self, event: Event) -> None:
        """A card is given away."""
        seat, card = event["player"], card_words(event["card"])
        self.sizes[seat][event["collection"]] -= 1
        if event["recipient"] is None:
            self.say(f"{player(seat)} puts {card} under the deck, as all others are full [A-24, R-22]")
            return
        self.sizes[event["recipient"]][event["recipient_collection"]] += 1
        recipient = self.whose(event["recipient"], event["recipient_collection"])
        self.say(f"{player(seat)} gives {card} to {recipient} [A-24]")

    def use_spy(self, event: Event) -> None:
        """The top of the deck is looked at and put back."""
        spy = player(event["player"])
        self.say(f"{spy} looks at {cards_words(event['seen'])} [A-23]")
        same = event["seen"] == event["order"]
        self.say(f"{spy} puts them back {'as they were' if same else 'as ' + cards_words(event['order'])}")

    # ---------------------------------------------------------------- Phases 2 and 3

    def on_elegance(self, event: Event) -> None:
        """The stars of all, then the bonus cards."""
        stars = [f"{player(seat)} {' and '.join(map(str, own))}" for seat, own in enumerate(event["points"])]
        self.say(f"stars: {', '.join(stars)} [A-25]", " elegance")
        places = [draw["place"] for draw in event["draws"]]
        for draw in event["draws"]:
            of_several_firsts = places.count(1) > 1
            rule = "A-28" if of_several_firsts else "A-27" if places.count(draw["place"]) > 1 else "A-26"
            self.say(self.draw_words(draw, places.count(draw["place"]) > 1, rule))
            self.hands[draw["player"]] += draw["cards"]

    def draw_words(self, draw: Event, tied: bool, rule: str) -> str:
        """One unit's place and its cards."""
        unit = (
            player(draw["player"])
            if draw["collection"] is None
            else self.whose(draw["player"], draw["collection"])
        )
        place = ("ties for " if tied else "is ") + ("first" if draw["place"] == 1 else "second")
        due, drawn, cards = (
            counted(draw["entitled"], "bonus card"),
            len(draw["cards"]),
            cards_words(draw["cards"]),
        )
        if drawn == 0:
            return f"{unit} {place}, but the deck has no card left [{rule}, R-31]"
        if drawn < draw["entitled"]:
            return f"{unit} {place} and draws {drawn} of {due}, the last: {cards} [{rule}, R-31]"
        return f"{unit} {place} and draws {due}: {cards} [{rule}]"

    def on_cover(self, event: Event) -> None:
        """A bonus card is used."""
        self.hands[event["player"]].remove(event["bonus"])
        covered, bonus = card_words(event["covered"]), card_words(event["bonus"])
        place = self.which(event["collection"], " in ")
        self.say(f"{player(event['player'])} covers {covered}{place} with {bonus} [A-29]")

    def on_medals(self, event: Event) -> None:
        """What one collection earns."""
        first = event["player"] == event["collection"] == 0
        gained = [
            f"{number} {family}" for number, family in zip(event["gained"], FAMILIES, strict=False) if number
        ]
        owl = f", the owl a {event['owl_as']} [A-34]" if event["owl_as"] else ""
        what = f"earns {', '.join(gained)}" if gained else "earns nothing"
        text = f"{self.whose(event['player'], event['collection'])} {what} [{self.medals_rule(event)}]{owl}"
        self.say(text, " medals" if first else "")

    def medals_rule(self, event: Event) -> str:
        """Which rule gives the medals: all different, groups, or none of them."""
        families = [event["owl_as"] or "" if card == "owl" else card.split("_")[0] for card in event["cards"]]
        if self.rules["five_different"] and len(set(families)) == len(families):
            return "A-33"
        return "A-31" if any(event["gained"]) else "A-32"

    def on_season_end(self, event: Event) -> None:
        """What becomes of the bonus cards; the medals so far."""
        for seat, hand in enumerate(self.hands):
            if hand:
                self.say(f"{player(seat)} {self.fate(event['season'], sorted(hand))}")
        totals = [f"{player(seat)} {sum(own)}" for seat, own in enumerate(event["medals"])]
        self.say(f"medals of all seasons: {', '.join(totals)}", " total")
        self.standing(event["season"], *self.points_now(event["medals"]))

    def points_now(self, medals: Sequence[Sequence[int]]) -> tuple[list[int], list[int]]:
        """Points and tiebreaks, as they would be were the game over."""
        lanes = [sum(number << LANE_BITS * family for family, number in enumerate(own)) for own in medals]
        state, seats = SimpleNamespace(medals=lanes), range(self.players)
        breaks = [int(tiebreak(state, self.params, seat)) for seat in seats]
        return [int(score(state, self.params, seat)) for seat in seats], breaks

    def fate(self, season: int, cards: list[str]) -> str:
        """What is done with unused bonus cards at the end of this season."""
        number, names = counted(len(cards), "bonus card"), cards_words(cards)
        if not self.rules["bonus_carry"]:
            return f"puts {number} under the deck, unused: {names} [R-37]"
        if season == self.rules["seasons"]:
            return f"is left with {number}, now worthless: {names} [R-37]"
        return f"keeps {number} for a later season: {names} [A-30]"

    # ---------------------------------------------------------------- the end

    def on_result(self, event: Event) -> None:
        """The score table, and what decided."""
        self.result()
        families = FAMILIES[: self.rules["families"]]
        rows = {}
        for seat in range(self.players):
            medals, prizes = event["medals"][seat], event["excellence"][seat]
            cells = [*medals, sum(medals), prizes, event["scores"][seat], event["ranks"][seat]]
            rows[player(seat)] = cells
        self.table([*families, "medals", '"5"', "score", "rank"], rows)
        self.say_prizes(event)
        self.say_victory(event)

    def say_prizes(self, event: Event) -> None:
        """The excellence prizes."""
        group, worth = self.rules["excellence_group_size"], self.rules["excellence_points"]
        rule = "A-48" if group == 7 and self.players == 2 else "A-40"
        points = counted(worth, "point")
        if any(event["excellence"]):
            self.say(f'Each {group} medals of one family earn a "5" medal, worth {points} [{rule}]')

    def say_victory(self, event: Event) -> None:
        """Who won, and whether the tie-break decided."""
        text, level = self.victory(event["scores"], event["ranks"])
        if len(level) > 1 and self.rules["tiebreak"] == "largest_family":
            most = [f"{player(seat)} {event['largest_family'][seat]}" for seat in level]
            text += f"; most medals of one family: {', '.join(most)} [A-41]"
        elif len(level) > 1:
            text += "; nothing breaks the tie [R-44]"
        self.say(text)
