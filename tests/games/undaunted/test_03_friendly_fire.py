"""Friendly Fire: casualties in the own turn."""

from __future__ import annotations

import pytest

from companion.games.undaunted import cards
from companion.games.undaunted.state import MineSide, Player
from companion.games.undaunted.table import Table
from tests.games.undaunted.field import LA_RAYE, NIGHT, do, mine, put, run, scouted, staged

PILES = ("play", "hand", "discard", "deck")


def with_cards_in(player: Player, card: str, *where: str) -> None:
    player.play = [card] * ("play" in where)
    player.hand = [card] * ("hand" in where)
    player.discard = {card: 1} if "discard" in where else {}
    player.deck = {card: 1} if "deck" in where else {}


def left_in(player: Player, card: str) -> list[str]:
    return [name for name in PILES if card in getattr(player, name)]


@pytest.mark.rule("UND-085", "UND-087", "UND-088", "UND-089", "UND-090")
@pytest.mark.parametrize("scenario", [LA_RAYE, NIGHT])
@pytest.mark.parametrize("first", range(4))
def test_in_the_own_turn_the_search_is_play_area_hand_discard_deck(scenario: str, first: int) -> None:
    table = staged(scenario, players="2")
    side = next(iter(table.state.sides))
    unit = "rifleman-a" if scenario == LA_RAYE else "desert-rifleman-a"
    hit = put(table, side, unit, next(iter(table.ground.tiles)))
    with_cards_in(table.state.players[side], unit, *PILES[first:])
    table.state.turn = side
    ran = run(cards.casualty(table, hit))
    assert ran.end is True
    assert left_in(table.state.players[side], unit) == list(PILES[first + 1 :])
    assert ("shuffle" in " ".join(table.news)) is (PILES[first] == "deck")


@pytest.mark.rule("UND-091")
def test_without_a_card_the_counter_goes_and_the_supply_is_untouched() -> None:
    table = staged(players="2")
    hit = put(table, "us", "rifleman-a", "17B")
    player = table.state.players["us"]
    with_cards_in(player, "rifleman-a")
    player.supply = {"rifleman-a": 2}
    table.state.turn = "us"
    assert run(cards.casualty(table, hit)).end is False
    assert hit.tile == ""
    assert player.supply == {"rifleman-a": 2}


def mortar_table() -> Table:
    table = staged(players="2")
    table.state.sides["us"].target = "13B"
    put(table, "us", "mortar", "17B")
    return table


@pytest.mark.rule("UND-086", "UND-R35")
@pytest.mark.parametrize("cause", ["blast", "bomb", "mine"])
def test_only_blast_bomb_and_mines_hurt_the_own_side(cause: str) -> None:
    table = mortar_table() if cause == "blast" else staged(NIGHT, players="2")
    side, unit = ("us", "rifleman-a") if cause == "blast" else ("it", "desert-rifleman-a")
    tile = "13B" if cause == "blast" else "D2"
    put(table, side, unit, tile)
    with_cards_in(table.state.players[side], unit, "play", "hand")
    if cause == "mine":
        scouted(table, side, "D3")
        mine(table, "D2", "D3", MineSide.PERSONNEL)
        do(table, side, unit, "move 1", "D3", ["0", "1", "1"])
    elif cause == "bomb":
        do(table, side, "assault-aircraft", "bomb 1", tile, ["0"])
    else:
        do(table, side, "mortar", "blast 1", tile, ["0"])
    assert left_in(table.state.players[side], unit) == ["hand"]


@pytest.mark.rule("UND-086")
@pytest.mark.parametrize("action", ["attack 3", "suppress 4", "grenade 2 3", "strafe 2", "antitank 3"])
def test_no_other_combat_action_can_be_aimed_at_the_own_side(action: str) -> None:
    from companion.games.undaunted import combat
    from companion.games.undaunted.actions import AREA, parse

    table = staged(players="2")
    put(table, "us", "rifleman-a", "13B")
    put(table, "us", "tank", "13B")
    told = parse(action)
    if told.kind in AREA:
        assert combat.tile_targets(table, "us", told, "17B", "13B") == []
    else:
        assert combat.targets(table, "us", told, "17B") == []
