"""The parameters of Animalia: the rulebook's numbers and switches, each with its official default and its range."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
from pydantic import Field

from balance.game import Fault, GameParams

FAMILIES = ("cat", "horse", "dog", "rabbit", "parrot")
MEMBERS = ("champion", "beauty", "cute", "scruffy", "thief", "spy", "trickster")
KINDS = (*MEMBERS, "owl")
"""What a card is apart from its family: the seven members and the owl."""
MAX_COPIES = 3
CUTE, THIEF, SPY, TRICKSTER, OWL = 2, 4, 5, 6, 7
N_FAMILIES = len(FAMILIES)
N_MEMBERS = len(MEMBERS)
OWL_CARD = MAX_COPIES * N_FAMILIES * N_MEMBERS
"""The universe of cards is numbered in canonical order (1.1): family, member, copy; the owl comes last."""
N_CARDS = OWL_CARD + 1


def copies(member: str) -> Any:
    """A parameter: how many cards of this member each family has."""
    return Field(default=1, ge=0, le=MAX_COPIES, description=f"How many {member} cards each family has.")


def stars(official: int, kind: str) -> Any:
    """A parameter: the elegance of one kind of card."""
    return Field(
        default=official, ge=-5, le=5, description=f"Elegance of each {kind} card: stars, or minus the spots."
    )


def medals(official: int, size: int) -> Any:
    """A parameter: what a group of `size` animals of one family earns."""
    text = f"Medals for a group of {size} of one family in a collection."
    if size == 1:
        text = "Medals for an animal that is the only one of its family in a collection."
    return Field(default=official, ge=0, le=10, description=text)


class AnimaliaParams(GameParams):
    """Section 4 of the contract, in its order."""

    players: int = Field(ge=2, le=6, description="Number of players.")
    first_dealer: int = Field(
        0, ge=0, le=5, description="The player (counted from 0) who deals first; below the number of players."
    )
    seasons: int = Field(3, ge=1, le=6, description="Seasons in a game.")
    collections_per_player: int = Field(1, ge=1, le=2, description="Collections that each player builds.")
    collection_size: int = Field(5, ge=3, le=7, description="Animals in a full collection.")
    max_set_size: int = Field(
        3, ge=1, le=5, description="Cards in the largest set; it may not exceed collection_size."
    )
    families: int = Field(
        5, ge=3, le=5, description="Families in play, the first ones of cat, horse, dog, rabbit, parrot."
    )
    owl: bool = Field(True, description="Whether the owl, which counts as any family, is in play.")
    remove_neutral: bool = Field(True, description="Whether the neutral (cute) cards leave the game.")
    copies_champion: int = copies("champion")
    copies_beauty: int = copies("beauty")
    copies_cute: int = copies("cute")
    copies_scruffy: int = copies("scruffy")
    copies_thief: int = copies("thief")
    copies_spy: int = copies("spy")
    copies_trickster: int = copies("trickster")
    stars_champion: int = stars(3, "champion")
    stars_beauty: int = stars(2, "beauty")
    stars_cute: int = stars(0, "cute")
    stars_scruffy: int = stars(-1, "scruffy")
    stars_thief: int = stars(0, "thief")
    stars_spy: int = stars(0, "spy")
    stars_trickster: int = stars(0, "trickster")
    stars_owl: int = stars(0, "owl")
    power_thief: bool = Field(True, description="Whether a pair of thieves may steal a card.")
    power_spy: bool = Field(True, description="Whether a pair of spies may reorder the top of the deck.")
    power_trickster: bool = Field(True, description="Whether a pair of tricksters may give a card away.")
    power_pair_requirement: int = Field(
        2,
        ge=1,
        le=3,
        description="Animals of a kind, the new one included, that a collection needs to activate the power.",
    )
    power_activations: Literal["once_per_kind", "once_per_card"] = Field(
        "once_per_kind",
        description="Whether a set activates each kind once, or once for each of its cards that finds a partner.",
    )
    spy_depth: int = Field(5, ge=1, le=10, description="Cards that a spy looks at.")
    thief_targets_full: bool = Field(True, description="Whether a thief may rob a full collection.")
    deck_bottom_return_cap: int = Field(
        20,
        ge=1,
        le=1000,
        description="Cards put under the deck in a season after which powers are void (a guard against endless play).",
    )
    elegance_unit: Literal["collection", "player_sum", "player_best"] = Field(
        "collection",
        description="What competes for elegance: each collection, a player's total, or his better collection.",
    )
    bonus_first: int = Field(2, ge=0, le=4, description="Bonus cards for a sole first place in elegance.")
    bonus_second: int = Field(
        1, ge=0, le=4, description="Bonus cards for each second place after a sole first."
    )
    bonus_first_tied: int = Field(
        1, ge=0, le=4, description="Bonus cards for each of several that tie for first place."
    )
    bonus_second_after_first_tie: int = Field(
        0, ge=0, le=4, description="Bonus cards for each second place when the first place is tied."
    )
    bonus_carry: bool = Field(True, description="Whether unused bonus cards are kept for later seasons.")
    medals_group_1: int = medals(0, 1)
    medals_group_2: int = medals(2, 2)
    medals_group_3: int = medals(3, 3)
    medals_group_4: int = medals(4, 4)
    medals_group_5: int = medals(5, 5)
    medals_group_6: int = medals(6, 6)
    medals_group_7: int = medals(7, 7)
    five_different: bool = Field(
        True, description="Whether a full collection of all different families earns a medal of each."
    )
    five_different_medals: int = Field(
        1, ge=0, le=3, description="Medals of each family that a collection of all different families earns."
    )
    medal_points: int = Field(1, ge=0, le=5, description="Points for each medal.")
    excellence_group_size: int = Field(
        5, ge=2, le=15, description='Medals of one family that earn a "5" medal.'
    )
    excellence_points: int = Field(5, ge=0, le=20, description='Points for each "5" medal.')
    tiebreak: Literal["largest_family", "none"] = Field(
        "largest_family",
        description="What breaks a tie on points: the most medals of one family, or nothing.",
    )
    season_dealer: Literal["left_of_last_dealer", "rotate"] = Field(
        "left_of_last_dealer",
        description="Who deals first in a new season: the player left of the last dealer, or left of the first.",
    )

    @classmethod
    def for_players(cls, players: int) -> dict[str, object]:
        """A-3, A-42, A-48: what goes by the number of players."""
        return {
            "collections_per_player": 2 if players == 2 else 1,
            "remove_neutral": players <= 4,
            "excellence_group_size": 7 if players == 2 else 5,
        }

    def impossible(self) -> list[Fault]:
        """Section 4: too few cards (R-29), a set that no collection holds, a dealer who is not at the table."""
        faults = []
        if self.first_dealer >= self.players:
            faults.append(
                Fault(
                    ("first_dealer",),
                    f'"first_dealer" must be from 0 to {self.players - 1} with {self.players} players.',
                )
            )
        if self.max_set_size > self.collection_size:
            faults.append(
                Fault(
                    ("max_set_size",),
                    f'"max_set_size" ({self.max_set_size}) may not exceed "collection_size" ({self.collection_size}).',
                )
            )
        if self.spare_cards < 0:
            in_play = len(self.cards_in_play())
            places = in_play - self.spare_cards
            key = self._fewest_cards()
            sentence = (
                f"{self.players} players have {places} places to fill, but these rules leave {in_play} cards; "
                f'"{key}" is to be looked at first.'
            )
            faults.append(Fault((key,), sentence))
        return faults

    def _fewest_cards(self) -> str:
        """The key to point at when there are too few cards: the change without which most would be left."""
        changed = [
            key for key in type(self).model_fields if getattr(self, key) != self.model_fields_default(key)
        ]
        official = {
            key: self.model_copy(update={key: self.model_fields_default(key)})
            for key in changed
            if key != "players"
        }
        return max(official, key=lambda key: official[key].spare_cards, default="remove_neutral")

    def components(self) -> dict[str, int]:
        """The cards in play, and how many of each kind (1.1)."""
        cards = self.cards_in_play()
        kinds = [KINDS[kind_of(card)] for card in cards]
        return {"cards": len(cards), **{kind: kinds.count(kind) for kind in KINDS}}

    @property
    def spare_cards(self) -> int:
        """Cards in play beyond the places to fill; below 0 if there are too few."""
        return len(self.cards_in_play()) - self.players * self.collections_per_player * self.collection_size

    def model_fields_default(self, key: str) -> object:
        """The official value of a parameter at this number of players."""
        return self.for_players(self.players).get(key, type(self).model_fields[key].default)

    def cards_in_play(self) -> list[int]:
        """The cards of the universe that these rules use, in canonical order (section 4, order of evaluation)."""
        number = [
            0 if member == "cute" and self.remove_neutral else getattr(self, f"copies_{member}")
            for member in MEMBERS
        ]
        cards = [
            (family * N_MEMBERS + member) * MAX_COPIES + copy
            for family in range(self.families)
            for member in range(N_MEMBERS)
            for copy in range(number[member])
        ]
        return cards + [OWL_CARD] * self.owl


def card_name(card: int) -> str:
    """The card's id in traces: `cat_thief`, `cat_thief#2`, `owl` (1.1)."""
    if card == OWL_CARD:
        return "owl"
    family, member = FAMILIES[card // MAX_COPIES // N_MEMBERS], MEMBERS[card // MAX_COPIES % N_MEMBERS]
    copy = card % MAX_COPIES
    return f"{family}_{member}" + (f"#{copy + 1}" if copy else "")


def family_of(card: int) -> int:
    """The card's family code; N_FAMILIES for the owl."""
    return N_FAMILIES if card == OWL_CARD else card // MAX_COPIES // N_MEMBERS


def kind_of(card: int) -> int:
    """The card's position in KINDS."""
    return OWL if card == OWL_CARD else card // MAX_COPIES % N_MEMBERS


def names(cards: Sequence[int] | np.ndarray[Any, Any]) -> list[str]:
    """The ids of several cards."""
    return [card_name(int(card)) for card in cards]
