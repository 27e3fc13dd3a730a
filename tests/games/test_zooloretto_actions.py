"""Single points of the rules that no test vector covers, on tables laid by hand."""

from __future__ import annotations

from typing import Any

import pytest

from balance.games.zooloretto import layout
from balance.games.zooloretto.layout import CLASSES, MOVE, PLACES
from balance.games.zooloretto.params import ZoolorettoParams

from .zoo_scenes import Scene, counted

KINDS = ("move", "exchange", "buy", "discard", "expand")
PANDA, ZEBRA, KIOSK = (CLASSES.index(tile) for tile in ("panda", "zebra", "kiosk"))
OWN: dict[str, Any] = {"e4": {"animals": ["panda"], "stalls": ["kiosk"]}, "barn": ["zebra"]}
OTHER: dict[str, Any] = {"barn": ["zebra"]}


def table(overrides: dict[str, Any], coins: int = 10, own: dict[str, Any] = OWN) -> Scene:
    """Seat 0's turn: every kind of action is possible at the defaults."""
    scene = Scene(ZoolorettoParams.resolve(4, overrides))
    scene.build(0, own, coins)
    scene.build(1, OTHER, 2)
    scene.load([[], [], ["coin"], []])
    scene.begin()
    return scene


def kinds(scene: Scene) -> set[str]:
    """The kinds of options; that their number is right is part of every question."""
    options = scene.options()
    assert len(options) == scene.state.options
    return {kind for kind, number in counted(options).items() if number}


@pytest.mark.parametrize("kind", KINDS)
def test_a_money_action_can_be_forbidden(kind: str) -> None:
    every = {"draw", "take", *KINDS}
    assert kinds(table({})) == every
    assert kinds(table({f"allow_{kind}": False})) == every - {kind}
    assert kinds(table({f"allow_{kind}": False, f"price_{kind}": 0})) == every - {kind}


def test_all_money_actions_can_be_forbidden() -> None:
    assert kinds(table({f"allow_{kind}": False for kind in KINDS})) == {"draw", "take"}


@pytest.mark.parametrize("kind", KINDS)
def test_each_money_action_has_its_price(kind: str) -> None:
    for coins in (6, 7):
        scene = table({f"price_{kind}": 7}, coins)
        assert (kind in kinds(scene)) == (coins == 7)
    bank, action = scene.state.bank, next(code for code in scene.options() if counted([code])[kind])
    scene.act(action)
    seller = 1 if kind == "buy" else 0
    assert (scene.state.coins[0], scene.state.coins[1], scene.state.bank) == (
        0,
        2 + seller,
        bank + 7 - seller,
    )


def test_a_stall_is_not_moved_within_a_place() -> None:
    """A-13, also when the barn is open to stalls: neither within the barn nor within e4."""
    scene = table({"stall_to_barn_by_choice": True}, own={"e4": {"stalls": ["kiosk"]}, "barn": ["kiosk"]})
    ends = [divmod(code % 64, 8) for code in scene.options() if counted([code])["move"]]
    assert ends == [(0, 1), (0, 2), (0, 3), (1, 0), (1, 2), (1, 3)]
    assert kinds(scene) >= {"move"}


def test_an_animal_is_not_moved_within_the_barn() -> None:
    scene = table({}, own={"barn": ["zebra"]})
    ends = [divmod(code % 64, 8) for code in scene.options() if counted([code])["move"]]
    assert ends == [(0, 1), (0, 2), (0, 3)]


def test_the_seller_gets_the_share_and_the_bank_the_rest() -> None:
    scene = table({"price_buy": 5, "buy_seller_share": 4})
    bank = scene.state.bank
    scene.act(layout.BUY + 512 + 8 * ZEBRA + PLACES.index("e5"))
    assert (scene.coins(), scene.state.bank) == ([5, 6, 2, 2], bank + 1)
    assert (scene.zoo(0)["e5"]["animals"], scene.zoo(1)["barn"]) == (["zebra"], [])


def test_the_order_of_options_is_that_of_their_codes() -> None:
    """5.3: draw, take, expand, discard, move, exchange, buy; all ascending."""
    stall, panda, zebra = (MOVE + 64 * tile for tile in (KIOSK, PANDA, ZEBRA))
    assert table({}).options() == [
        *(0, 3, 8, layout.DISCARD + ZEBRA),
        *(panda + 8, panda + 10, panda + 11, zebra + 2, zebra + 3, stall + 10, stall + 11),
        layout.EXCHANGE + 64 * (ZEBRA // 3) + 1,
        *(layout.BUY + 512 + 8 * ZEBRA + place for place in (0, 2, 3)),
    ]
