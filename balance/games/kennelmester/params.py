"""The parameters of Kennelmester: the rulebook's numbers and switches, each with its official default and its range."""

from __future__ import annotations

from fractions import Fraction
from math import fsum
from typing import Annotated, Any, Literal

from pydantic import Field

from balance.game import Fault, GameParams
from balance.games.kennelmester.deck import Deck
from balance.games.kennelmester.deck_files import placeholder_deck

SOLO, COMPETITIVE, TEAM = range(3)
"""The modes (1.7), as kernels see them."""
SEATS = 6
MOST_ROUNDS, MOST_PUPS = 500, 6
BARGAIN = (
    "deal_margin",
    "val_resale_factor",
    "val_die",
    "val_mate_bonus",
    "val_upkeep_rounds",
    "val_stud",
    "val_own_prep",
    "val_rival",
)
"""The numbers of the bargaining model (3.2), which are no rules of the table."""
_PARTS_OF_ONE = 1e-9
"""How far the sum of `litter_probs` may be from 1."""

Pups = Annotated[int, Field(ge=0, le=MOST_PUPS)]
Chance = Annotated[float, Field(ge=0, le=1)]


def number(official: int, low: int, high: int, text: str) -> Any:
    """A parameter: a whole number with its official value and its range."""
    return Field(default=official, ge=low, le=high, description=text)


def decimal(official: float, text: str) -> Any:
    """A parameter of the bargaining model, with its official value."""
    return Field(default=official, ge=-1000, le=1000, description=text)


def switch(official: Any, text: str) -> Any:
    """A parameter: a switch, a word or a list with its official value."""
    return Field(default=official, description=text)


class KennelmesterParams(GameParams):
    """Section 4 of the contract, and the eight numbers of 3.2."""

    players: int = Field(ge=1, le=SEATS, description="Number of players.")
    mode: Literal["solo", "competitive", "team"] = switch(
        "competitive", "Who plays against whom: one alone, everybody for himself, or pairs with common coins."
    )
    deck: Deck = Field(default_factory=placeholder_deck, description="The cards of the game.")
    # ---------------------------------------------------------------- 4.1 the litter
    litter_table: tuple[Pups, Pups, Pups, Pups, Pups, Pups] = switch(
        (0, 1, 1, 2, 2, 3), "Pups of a litter for the faces 1 to 6 of the die."
    )
    litter_probs: tuple[Chance, ...] = Field(
        (),
        max_length=MOST_PUPS + 1,
        description="Chance of 0, 1, 2, ... pups, together 1; left empty, the die and litter_table decide.",
    )
    litter_zero_retry: Literal["action", "free", "reroll", "none"] = switch(
        "action",
        "What a litter of none allows: another mating as an action, one at once for free, a second roll, or nothing "
        "in that round.",
    )
    gestation_rounds: int = number(1, 0, 5, "Rounds from a mating to the earliest birth.")
    grow_rounds: int = number(1, 0, 5, "Rounds from a birth until the pups are adults.")
    birth_costs_action: bool = switch(
        True, "Whether a birth is an action, or (false) happens by itself when the owner's turn begins."
    )
    # ---------------------------------------------------------------- 4.2 setup and turns
    off_book_players: bool = switch(False, "Whether 5 and 6 may play without teams.")
    start_coins: int = number(5, 0, 99, "Coins that each player brings.")
    start_dogs: int = number(1, 0, 3, "Dogs that each player begins with.")
    actions_per_turn: int = number(2, 1, 6, "Regular actions in a turn.")
    bonus_mode: Literal["same_kind", "any", "off"] = switch(
        "same_kind", "What regular actions of one kind earn: more of that kind, more of any kind, or nothing."
    )
    bonus_actions: int = number(1, 0, 3, "Bonus actions that are earned.")
    bonus_trade_same_breed: bool = switch(
        True, "Whether trades are of one kind only if their dogs are of one breed."
    )
    bonus_draw_same_breed: bool = switch(
        False, "Whether draws of dogs are of one kind only if they are of one breed."
    )
    coin_amount: int = number(1, 0, 10, "Coins for the action that takes coins.")
    hand_limit: int = number(4, 1, 20, "Cards that a hand may hold.")
    hand_limit_check: Literal["immediate", "turn_end"] = switch(
        "immediate", "When too many cards are discarded: after each action, or at the end of the turn."
    )
    discard_access: Literal["any", "top", "off"] = switch(
        "any", "Which discarded cards may be drawn: any, the last one of each pile, or none."
    )
    spent_cards: Literal["recycle", "discard", "remove"] = switch(
        "recycle",
        "Where sold dogs and used customers go: aside until their deck is refilled, to the discards, or out of the "
        "game.",
    )
    # ---------------------------------------------------------------- 4.2 trading and breeding
    win_value_bonus: int = number(1, 0, 10, "Coins that each event won adds to the value of a dog.")
    pups_sellable: bool = switch(True, "Whether pups can be sold to customers.")
    sale_deal: Literal["ask", "off"] = switch(
        "ask", "Whether dogs can be offered to other players, who are asked, or not at all."
    )
    sale_price_rule: Literal["list", "split"] = switch(
        "list", "The price between players: the dog's value, or halfway between what it is worth to both."
    )
    stud_deal: Literal["auto", "ask", "off"] = switch(
        "auto",
        "Whether males of other players can be used: without asking, if their owners agree, or not at all.",
    )
    stud_base_fee: int = number(1, 0, 20, "Coins for another player's male.")
    stud_die_fee: int = number(1, 0, 20, "Coins for each die that the pups inherit from another's male.")
    trait_rule: Literal["min", "max", "sum", "off"] = switch(
        "min",
        "What pups inherit of a trait that both parents have: the smaller or the larger number of dice, their sum, "
        'or nothing; "sum" needs a trait_cap.',
    )
    inherit_accumulates: bool = switch(
        True, "Whether parents pass on inherited dice as well, or (false) only those on their cards."
    )
    trait_cap: int = number(0, 0, 60, "Most dice that a dog may have of a trait; 0: no limit.")
    # ---------------------------------------------------------------- 4.2 events and upkeep
    base_dice: int = number(1, 0, 10, "Dice of every dog in an event.")
    prep_dice: int = number(1, 0, 10, "Dice more for a dog that is prepared.")
    prep_fee: int = number(1, 0, 20, "Coins for another player's help with one dog.")
    prep_exclusive: bool = switch(
        True,
        "Whether one who has helped others has no time for dogs of his own in that round, and vice versa.",
    )
    profession_match: Literal["event_type", "any"] = switch(
        "event_type", "Who can prepare dogs: professions that cover the type of the event, or everybody."
    )
    hire_deal: Literal["ask", "auto", "off"] = switch(
        "ask", "Whether others help: if they agree, without being asked, or not at all."
    )
    upkeep_divisor: int = number(4, 0, 20, "Adult dogs for which upkeep_fee is due each turn; 0: no upkeep.")
    upkeep_fee: int = number(1, 0, 10, "Coins due for each full group of upkeep_divisor dogs.")
    upkeep_counts_pups: bool = switch(False, "Whether pups count for the upkeep.")
    unwon_event: Literal["auto", "bottom", "remove"] = switch(
        "auto",
        "What becomes of an event that nobody won: under the deck in company and out of the game alone, or always "
        "one of these.",
    )
    event_deck_size: int = number(24, 1, 200, "Event cards in play; at most those of the deck.")
    # ---------------------------------------------------------------- 4.2 the end
    reputation_target: int = number(24, 1, 500, "Reputation that ends a game of everybody for himself.")
    team_target: int = number(48, 1, 500, "Reputation of a pair that ends a game of teams.")
    solo_target: int = number(48, 1, 500, "Reputation that makes a game alone a success.")
    solo_rounds: int = number(24, 1, 200, "Rounds of a game alone.")
    end_check: Literal["round_end", "immediate"] = switch(
        "round_end", "When a reached target ends the game: after the round, or at once."
    )
    tie_break: Literal["shared", "coins"] = switch(
        "shared", "Equal reputation: a shared win, or the more coins decide."
    )
    round_cap: int = number(60, 1, MOST_ROUNDS, "Rounds after which any game ends and is ranked.")
    # ---------------------------------------------------------------- 3.2 the bargaining model
    deal_margin: float = decimal(0.0, "Coins that a deal must gain before a simulated player makes it.")
    val_resale_factor: float = decimal(0.5, "Part of its value that a dog is worth without a customer.")
    val_die: float = decimal(0.5, "Coins that each trait die of a dog is worth.")
    val_mate_bonus: float = decimal(2.0, "Coins that a dog is worth as the missing one of a pair.")
    val_upkeep_rounds: float = decimal(4.0, "Rounds of upkeep that a dog costs which completes a group.")
    val_stud: float = decimal(1.0, "Coins below which a simulated owner refuses his male.")
    val_own_prep: float = decimal(
        2.0, "Coins below which a simulated helper keeps his time for a dog of his own."
    )
    val_rival: float = decimal(0.5, "Coins below which a simulated helper refuses to help a rival.")

    @classmethod
    def for_players(cls, players: int) -> dict[str, object]:
        """1.7: one plays alone, several against one another, if nothing else is asked for."""
        return {"mode": "solo" if players == 1 else "competitive"}

    def sides(self) -> tuple[int, ...]:
        """1.6: the side of each seat."""
        return sides_of(self.mode, self.players)

    def bargain(self) -> dict[str, float]:
        """The numbers of 3.2 as they are in force: in whole millionths."""
        return {name: round(getattr(self, name), 6) for name in BARGAIN}

    def litter_chances(self) -> list[Fraction]:
        """K-36: the probability of each size of a litter, by size."""
        if self.litter_probs:
            return [Fraction(chance) for chance in self.litter_probs]
        table = self.litter_table
        return [Fraction(table.count(pups), len(table)) for pups in range(max(table) + 1)]

    def remarks(self) -> dict[str, str]:
        """The litter odds as probabilities with their mean."""
        chances = self.litter_chances()
        shown = ", ".join(
            f"{pups}: {float(chance):.1%}".replace("%", " %") for pups, chance in enumerate(chances)
        )
        mean = float(sum(pups * chance for pups, chance in enumerate(chances)))
        key = "litter_probs" if self.litter_probs else "litter_table"
        return {key: f"Pups in a litter: {shown}; {mean:.4g} on average."}

    def components(self) -> dict[str, int]:
        """The cards of the deck (1)."""
        deck = self.deck
        return {
            "characters": len(deck.characters),
            "dogs": len(deck.dogs),
            "breeds": len({dog.breed for dog in deck.dogs}),
            "customers": len(deck.customers),
            "events": len(deck.events),
        }

    def impossible(self) -> list[Fault]:
        """Values that clash with one another, with the number of players, or with the cards."""
        return [Fault((key,), sentence) for wrong, key, sentence in self._clashes() if wrong]

    def _clashes(self) -> list[tuple[bool, str, str]]:
        deck, players = self.deck, self.players
        alone, teams = self.mode == "solo", self.mode == "team"
        off_book = self.mode == "competitive" and players > 4 and not self.off_book_players
        given = players * self.start_dogs
        return [
            (alone and players != 1, "players", f'The mode "solo" is for one player, not for {players}.'),
            (
                teams and players not in (4, 6),
                "players",
                f'The mode "team" is for 4 or 6 players, not {players}.',
            ),
            (
                self.mode == "competitive" and players == 1,
                "players",
                'The mode "competitive" is for 2 players or more.',
            ),
            (
                off_book,
                "off_book_players",
                f'{players} players without teams need "off_book_players" = true.',
            ),
            (
                self.trait_rule == "sum" and self.trait_cap == 0,
                "trait_cap",
                '"trait_rule" = "sum" needs a "trait_cap" of at least 1: totals would double with each generation.',
            ),
            (
                bool(self.litter_probs) and abs(fsum(self.litter_probs) - 1) > _PARTS_OF_ONE,
                "litter_probs",
                f'"litter_probs" must have the sum 1, not {fsum(self.litter_probs):.9g}.',
            ),
            (
                self.event_deck_size > len(deck.events),
                "event_deck_size",
                f'"event_deck_size" ({self.event_deck_size}) is more than the {len(deck.events)} events of the deck.',
            ),
            (
                players > len(deck.characters),
                "deck",
                f"The deck has {len(deck.characters)} characters for {players} players.",
            ),
            (
                given > len(deck.dogs),
                "start_dogs",
                f'The deck has {len(deck.dogs)} dogs; "start_dogs" gives {given} to {players} players.',
            ),
        ]


def sides_of(mode: str, players: int) -> tuple[int, ...]:
    """1.6: the side of each seat; partners sit opposite each other."""
    sides = players // 2 if mode == "team" else players
    return tuple(seat % sides for seat in range(players))
