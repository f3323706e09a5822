"""Friendly Fire: casualties in the own turn."""

from __future__ import annotations

import pytest

from companion.games.undaunted import cards, rounds
from companion.games.undaunted.state import MineSide, Player
from companion.games.undaunted.table import Table
from tests.games.undaunted.field import (
    LA_RAYE,
    NIGHT,
    Ran,
    do,
    line,
    mine,
    put,
    resolve,
    run,
    scouted,
    solo,
    staged,
    teach,
)

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


BOTS_ORDER = ("UND-141", "UND-142", "UND-143", "UND-144")
OWN_ORDER = ("UND-085", "UND-087", "UND-088", "UND-089", "UND-090", "UND-091")


def told(ran: Ran) -> tuple[str, ...]:
    (result,) = [one for one in ran.asks if one.key in {"undaunted.turn.result", "undaunted.bot.card"}]
    return result.rule


@pytest.mark.parametrize("initiative", ["us", "ge"])
def test_the_reason_why_a_card_of_the_bot_goes_is_the_bots_order(initiative: str) -> None:
    table = staged()
    table.state.initiative = initiative
    put(table, "us", "rifleman-a", "2B")
    put(table, "ge", "rifleman-b", "16B")
    table.state.players["us"].hand = ["rifleman-a", "scout-a"]
    ran = run(rounds.player_turn(table, "us"), "rifleman-a", "attack-1", "rifleman-b", ["0"], "end")
    marker = ["UND-146"] * (initiative == "us")
    assert told(ran) == ("UND-309", *BOTS_ORDER, *marker)


def test_the_reason_why_an_own_card_goes_is_the_order_of_friendly_fire() -> None:
    table = mortar_table()
    put(table, "us", "rifleman-a", "13B")
    put(table, "ge", "rifleman-a", "13B")
    table.state.players["us"].hand = ["mortar", "scout-a"]
    ran = run(rounds.player_turn(table, "us"), "mortar", "blast-1", "13B", ["0"], ["1"], "end")
    assert told(ran) == ("UND-310", "UND-311", *OWN_ORDER)


def test_the_reason_why_a_mine_ends_a_move_is_told_with_it() -> None:
    table = staged(NIGHT, side="it")
    put(table, "it", "desert-scout-a", "D5")
    mine(table, "D5", "D6")
    table.state.players["it"].hand = ["desert-scout-a", "sergeant"]
    answers = ("desert-scout-a", "scout-2", "D6", ["0", "1", "1"], "end")
    ran = run(rounds.player_turn(table, "it"), *answers)
    assert told(ran) == ("UND-292", "UND-293", *OWN_ORDER, "UND-063", "UND-052")


def test_the_reason_why_the_bot_loses_a_card_in_its_own_turn_is_told() -> None:
    table = staged(NIGHT, side="lrdg")
    put(table, "it", "desert-scout-a", "D5")
    put(table, "lrdg", "sapper-a", "D1")
    mine(table, "D5", "D6")
    teach(table, solo("desert-scout", line("scout 1", to=["objective", "not structure"], ties=["value"])))
    ran = resolve(table, "desert-scout-a", ["0", "1", "1"])
    assert told(ran) == ("UND-292", "UND-293", "UND-183", "UND-R33", "UND-063", "UND-052")
    assert told(resolve(table, "fog")) == ("UND-160", "UND-R12"), "what was told is not told again"


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
