"""The first line of a trace (8.2): who plays by which rules, and with which cards."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from balance.games.kennelmester.deck import EVENT_TYPES, TRAITS, Deck
from balance.games.kennelmester.params import BARGAIN, KennelmesterParams

SCHEMA = "kennelmester-trace/1"


def header(params: KennelmesterParams, number: int, seed: int, policies: Sequence[str]) -> dict[str, Any]:
    """The line `game`."""
    rules = {name: getattr(params, name) for name in type(params).rule_names() if name not in BARGAIN}
    return {
        "event": "game",
        "schema": SCHEMA,
        "mode": params.mode,
        "n_players": params.players,
        "sides": list(params.sides()),
        "seed": seed,
        "game_index": number,
        "policies": list(policies),
        "rules": {name: list(value) if isinstance(value, tuple) else value for name, value in rules.items()},
        "bargain": params.bargain(),
        "decks": _decks(params.deck),
    }


def _decks(deck: Deck) -> dict[str, Any]:
    return {
        "characters": [
            {"id": character.id, "prep": [EVENT_TYPES[kind] for kind in character.prep]}
            for character in deck.characters
        ],
        "dogs": [
            {
                "id": dog.id,
                "breed": dog.breed,
                "sex": dog.sex,
                "price": dog.price,
                "traits": {name: dice for name, dice in zip(TRAITS, dog.traits, strict=True) if dice},
            }
            for dog in deck.dogs
        ],
        "customers": [
            {
                "id": customer.id,
                "breed": customer.breed,
                "sex": customer.sex,
                "bonuses": [
                    {
                        "trait": TRAITS[reward.trait],
                        "min": reward.min,
                        "coins": reward.coins,
                        "reputation": reward.reputation,
                    }
                    for reward in customer.rewards
                ],
            }
            for customer in deck.customers
        ],
        "events": [
            {
                "id": event.id,
                "type": EVENT_TYPES[event.type],
                "cost": event.cost,
                "traits": [TRAITS[trait] for trait in event.traits],
                "required": event.required,
                "target": event.target,
                "reputation": event.reputation,
            }
            for event in deck.events
        ],
    }
