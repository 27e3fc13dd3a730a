"""A readable log of one game, from its trace; in brackets the ids of the rules that act (see RULES.md)."""

from __future__ import annotations

from collections.abc import Sequence

from balance.errors import listed
from balance.games.kennelmester.params import KennelmesterParams
from balance.narration import JOINED, Event, Log, counted, player, players

_REASONS = {
    "target": "a side has reached the target",
    "solo_rounds": "all rounds of a solo game are played",
    "events_exhausted": "the event deck is empty",
    "round_cap": "the round cap is reached",
}
_RULES_OF_END = {
    "target": "K-90",
    "solo_rounds": "K-98",
    "events_exhausted": "K-90",
    "round_cap": "K-93",
}
_CARD_TO = {
    "bottom": "the card goes under the event deck [K-76]",
    "removed": "the card leaves the game [K-76]",
}
_DEALS = {"sale": "to buy", "stud": "to lend", "hire": "to prepare"}
_RULES_OF_DEALS = {"sale": "A-73, B-2", "stud": "A-73, B-3", "hire": "A-73, B-4"}
_KINDS = {
    "coin": "another coin action",
    "draw_dog": "another draw of a dog",
    "draw_customer": "another draw of a customer",
    "trade": "another trade",
    "mate": "another mating",
    "birth": "another birth",
    "enter": "another entry",
}


def narrate(events: Sequence[Event]) -> list[str]:
    """The lines of the log; seats count from 1."""
    return _Log(events[0], events[-1]).told(events)


def name(card: str) -> str:
    """A card, kept on one line."""
    return card.replace(" ", JOINED)


def dice(vector: Event) -> str:
    """A trait vector in words: `2 speed, 1 balance`."""
    return ", ".join(f"{number} {trait}" for trait, number in vector.items()) or "nothing"


def side_names(header: Event) -> list[str]:
    """Those who compete: the players, or the pairs."""
    sides = sorted(set(header["sides"]))
    return [f"Pair {side + 1}" for side in sides] if header["mode"] == "team" else players(len(sides))


class _Log(Log):
    """The lines so far, and as much of the table as the sentences need."""

    points, tiebreak = "reputation", "coins"

    def __init__(self, header: Event, result: Event) -> None:
        super().__init__(side_names(header), result.get("rounds", 0))
        self.header = header
        self.coins_decide = header["rules"]["tie_break"] == "coins"
        self.events = {event["id"]: event for event in header["decks"]["events"]}

    # ---------------------------------------------------------------- lines

    def who(self, side: int) -> str:
        """A player, or a pair with its players."""
        seats = [seat + 1 for seat, own in enumerate(self.header["sides"]) if own == side]
        return f"{self.sides[side]} (Players {listed(seats)})" if len(seats) > 1 else self.sides[side]

    def act(self, event: Event, text: str) -> None:
        """What a player does, with the number of the action in the margin."""
        left = f"  action {event['n']}" if event["n"] else "  for free"
        self.say(("bonus: " if event["bonus"] else "") + text, left)

    # ---------------------------------------------------------------- the game

    def on_game(self, event: Event) -> None:
        """The title, who plays, and which rules are not the official ones."""
        players, mode = event["n_players"], event["mode"]
        rules = KennelmesterParams.model_fields
        official = {key: rules[key].default for key in event["rules"]}
        changed = {
            key: value
            for key, value in event["rules"].items()
            if value != (list(official[key]) if isinstance(official[key], tuple) else official[key])
        }
        self.title("Kennelmester", event["game_index"], event["seed"], event["policies"])
        pairs = listed([self.who(side) for side in range(len(self.sides))])
        modes = {"solo": "alone", "competitive": "everybody for himself", "team": f"in pairs: {pairs}"}
        self.say(modes[mode], "mode")
        self.rules_changed(changed, players)

    def on_setup(self, event: Event) -> None:
        """What everybody begins with."""
        for entry in event["players"]:
            dogs = listed([name(dog) for dog in entry["dogs"]]) if entry["dogs"] else "no dog"
            coins = counted(event["coins"][entry["side"]], "coin")
            shared = " with the partner" if self.header["mode"] == "team" else ""
            who, character = player(entry["player"]), name(entry["character"])
            self.say(f"{who} is {character}, has {dogs} and {coins}{shared} [K-4, K-5, K-6]", "setup")
        self.say(f"{counted(len(event['event_order']), 'event')} in the deck [K-3]", "events")

    # ---------------------------------------------------------------- rounds and turns

    def on_round_start(self, event: Event) -> None:
        """The event of the round."""
        card = self.events[event["card"]]
        self.heading(f"ROUND {event['round']}")
        needs = (
            f"{card['required']} {'die' if card['required'] == 1 else 'dice'} with {card['target']} or more"
        )
        traits, prize = listed(card["traits"]), card["reputation"]
        text = (
            f"{name(card['id'])}, {card['type']}: {traits}; {needs}; {prize} reputation; entry {card['cost']}"
        )
        self.say(f"{text} [K-12]", "event")

    def on_turn_start(self, event: Event) -> None:
        """Whose turn it is."""
        self.say(f"{player(event['player'])} [K-11]", "turn")

    def on_grow_up(self, event: Event) -> None:
        """Pups grow up, mothers are free."""
        parts = []
        if event["pups"]:
            verb = "grows" if len(event["pups"]) == 1 else "grow"
            parts.append(f"{listed([name(pup) for pup in event['pups']])} {verb} up [K-40]")
        if event["mothers"]:
            verb = "is" if len(event["mothers"]) == 1 else "are"
            parts.append(f"{listed([name(dog) for dog in event['mothers']])} {verb} free again [K-41]")
        self.say("; ".join(parts))

    def on_bonus_action(self, event: Event) -> None:
        """All regular actions were of one kind."""
        breed = f" of {event['breed']}" if event["breed"] else ""
        kind = _KINDS[event["kind"]]
        if self.header["rules"]["bonus_mode"] == "any":
            kind = "any other action"
        number = f", up to {event['count']} times" if event["count"] > 1 else ""
        self.say(f"all actions were of one kind, which earns {kind}{breed}{number} [K-15]")

    def on_upkeep(self, event: Event) -> None:
        """What the kennel costs; nothing is said where nothing is due."""
        if event["due"]:
            paid, rules = (
                f"pays {counted(event['paid'], 'coin')} for {counted(event['dogs'], 'dog')}",
                "K-60, K-61",
            )
            if event["waived"]:
                paid, rules = f"{paid}, and {event['waived']} is waived", "K-60, K-63"
            self.say(f"{paid} [{rules}]; {counted(event['coins'], 'coin')} left", "  upkeep")

    def on_round_end(self, event: Event) -> None:
        """How everybody stands; the reputation of players is told where that of all sides so far is another."""
        self.standing(event["round"], *self.points_now(event), "  end")
        whose = "coins of the pairs" if self.header["mode"] == "team" else "coins"
        told = f"{whose}: {', '.join(map(str, event['coins']))}"
        if event["game_over"] or len(self.sides) < len(event["reputation"]) or len(self.sides) == 1:
            own = ", ".join(f"{player(seat)} {points}" for seat, points in enumerate(event["reputation"]))
            told = f"reputation: {own}; {told}"
        self.say(told, "  end")
        if event["game_over"]:
            self.say(f"{_REASONS[event['reason']]} [{_RULES_OF_END[event['reason']]}]", "  end")

    def points_now(self, event: Event) -> tuple[list[int], list[int]]:
        """Reputation and tiebreak of each side after a round (K-91, K-92)."""
        points = [0] * len(self.sides)
        for side, own in zip(self.header["sides"], event["reputation"], strict=True):
            points[side] += own
        return points, event["coins"] if self.coins_decide else [0] * len(points)

    # ---------------------------------------------------------------- coins, cards, trades

    def on_coin(self, event: Event) -> None:
        """Coins from the bank."""
        self.act(event, f"takes {counted(event['amount'], 'coin')} [K-20] and has {event['coins']}")

    def on_draw(self, event: Event) -> None:
        """A card comes to the hand."""
        rule = "K-21" if event["deck"] == "dogs" else "K-22"
        source = "the deck"
        if event["source"] == "discard":
            source, rule = "the discards", f"{rule}, K-19"
        self.act(event, f"draws {name(event['card'])} from {source} [{rule}]")

    def on_refill(self, event: Event) -> None:
        """A deck gets its cards back."""
        deck = f"deck of {event['breed']}" if event["breed"] else "deck of customers"
        self.say(f"{counted(len(event['order']), 'card')} go under the {deck} [K-23]", "  refill")

    def on_discard(self, event: Event) -> None:
        """A card goes face up beside its deck."""
        self.say(f"discards {name(event['card'])} [K-18, K-19]")

    def on_buy(self, event: Event) -> None:
        """A dog comes from the hand to the kennel."""
        price = counted(event["price"], "coin")
        self.act(event, f"buys {name(event['dog'])} for {price} [K-24] and has {event['coins']} left")

    def on_sell(self, event: Event) -> None:
        """A dog goes to a customer or to a player."""
        dog = ("the pup " if event["pup"] else "") + name(event["dog"])
        coins = counted(event["price"] + event["bonus_coins"], "coin")
        if event["to"] == "customer":
            extra = f" and {event['reputation']} reputation" if event["reputation"] else ""
            text, rule = f"sells {dog} to {name(event['customer'])} for {coins}{extra}", "K-25"
        else:
            text, rule = f"sells {dog} to {player(event['buyer'])} for {coins}", "K-26"
        if event["forced"]:
            self.say(f"cannot pay the upkeep and {text} [{rule}, K-62]", "  upkeep")
        else:
            self.act(event, f"{text} [{rule}]")

    def on_gift(self, event: Event) -> None:
        """A present, as the upkeep cannot be paid."""
        text = f"cannot pay the upkeep and gives {name(event['dog'])} to {player(event['recipient'])} [K-62]"
        self.say(text, "  upkeep")

    def on_release(self, event: Event) -> None:
        """Alone, a dog is let go."""
        self.say(f"cannot pay the upkeep and releases {name(event['dog'])} [K-62]", "  upkeep")

    # ---------------------------------------------------------------- breeding

    def on_mate(self, event: Event) -> None:
        """Two dogs are mated."""
        fee = ""
        if event["father_owner"] != event["player"]:
            fee = f" of {player(event['father_owner'])} for {counted(event['fee'], 'coin')} [K-32]"
        pair = f"mates {name(event['mother'])} with {name(event['father'])}{fee}"
        how = " at once, for nothing [K-37]" if event["free"] else ""
        self.act(event, f"{pair}{how}; the pups inherit {dice(event['inherited'])} [K-30, K-80]")

    def on_birth(self, event: Event) -> None:
        """A litter."""
        rolled = f" (rolled {', '.join(map(str, event['rolls']))})" if event["rolls"] else ""
        if not event["pups"]:
            rule = "K-37" if event["litter"] == 0 else "K-39"
            self.act(event, f"{name(event['mother'])} has no pups{rolled} [K-36, {rule}]")
            return
        pups = listed([name(pup) for pup in event["pups"]])
        self.act(event, f"{name(event['mother'])} has {pups}{rolled} [K-36, K-38]")

    # ---------------------------------------------------------------- events and deals

    def on_enter(self, event: Event) -> None:
        """Dogs are entered, prepared or not."""
        parts = []
        for entry in event["entries"]:
            helper = entry["preparer"]
            how = "" if helper is None else f", prepared by {player(helper)}"
            if helper == event["player"]:
                how = ", prepared"
            paid = f" for {counted(entry['prep_fee'], 'coin')}" if entry["prep_fee"] else ""
            parts.append(f"{name(entry['dog'])}{how}{paid}")
        cost = sum(entry["entry_cost"] for entry in event["entries"])
        self.act(event, f"enters {'; '.join(parts)}; entry {counted(cost, 'coin')} [K-50, K-51]")

    def on_refuse(self, event: Event) -> None:
        """Somebody does not want a deal."""
        who, price = player(event["other"]), counted(event["price"], "coin")
        mother = f" for {name(event['mother'])}" if event["mother"] else ""
        what = f"{_DEALS[event['deal']]} {name(event['dog'])}{mother} for {price}"
        self.say(f"{who} refuses {what} [{_RULES_OF_DEALS[event['deal']]}]")

    def on_compete(self, event: Event) -> None:
        """Everybody rolls."""
        for entry in event["entries"]:
            faces = " ".join(map(str, entry["dice"])) or "no dice"
            result = f"result {entry['result']}" if entry["qualified"] else "out"
            self.say(
                f"{name(entry['dog'])} of {player(entry['player'])}: {faces}, {result} [K-71]", "contest"
            )
        for rolls in event["rerolls"]:
            tied = ", ".join(f"{name(roll['dog'])} {roll['die']}" for roll in rolls)
            self.say(f"tied, so each rolls a die: {tied} [K-74]")
        if event["winner"]:
            winner = event["winner"]
            prize = f"{event['reputation']} reputation"
            self.say(f"{name(winner['dog'])} wins {prize} for {player(winner['player'])} [K-75]", "contest")
        else:
            why = "nobody qualifies" if event["entries"] else "no dog is entered"
            self.say(f"{why}; {_CARD_TO[event['card_to']]}", "contest")

    # ---------------------------------------------------------------- the end

    def on_result(self, event: Event) -> None:
        """The table of reputations, and who won."""
        self.result()
        reason = event["reason"]
        self.say(f"{_REASONS[reason]} [{_RULES_OF_END[reason]}]")
        sides = self.header["sides"]
        is_team = self.header["mode"] == "team"
        rows: dict[str, list[object]] = {}
        for seat, (side, points) in enumerate(zip(sides, event["reputation"], strict=True)):
            together = [event["side_reputation"][side]] if is_team else []
            rows[player(seat)] = [points, *together, event["ranks"][side]]
        self.table(["reputation", *["of the pair"] * is_team, "rank"], rows)
        if self.header["mode"] == "solo":
            reached = "reached" if event["target_reached"][0] else "missed"
            self.say(f"The goal of {event['target']} reputation is {reached} [K-98]")
            return
        text, level = self.victory(event["side_reputation"], event["ranks"])
        decided = "; the coins decide" if self.coins_decide and len(level) > event["ranks"].count(1) else ""
        self.say(f"{text}{decided} [K-91, K-92]")
