"""What is known of North Africa's own rules."""

from __future__ import annotations

import msgspec
import pytest

from companion.games.undaunted import GAME, bot, combat, orders, rounds, victory
from companion.games.undaunted.actions import parse
from companion.games.undaunted.state import RowCard
from companion.games.undaunted.table import Table
from tests.games.undaunted.field import (
    NIGHT,
    altered,
    can,
    controlled,
    decide,
    do,
    ids,
    line,
    put,
    row,
    row_cards,
    run,
    scouted,
    staged,
)
from tests.longrun.random_games import play_checked, ready


def night(**settings: str) -> Table:
    return staged(NIGHT, **({"players": "2"} | settings))


@pytest.mark.rule("UND-357", "UND-358")
def test_a_counter_is_one_soldier_whose_cards_go_with_it() -> None:
    table = night()
    soldier = put(table, "it", "desert-rifleman-a", "D2")
    player = table.state.players["it"]
    player.deck, player.discard = {"fog": 1}, {}
    player.supply = {"desert-rifleman-a": 2, "crewman-a": 1}
    player.removed = {"fog": 1}
    table.state.turn = "lrdg"
    run(combat.fire(table, combat.Attack("lrdg", parse("attack 1"), "D1"), soldier), ["0"])
    assert soldier.tile == ""
    assert player.removed == {"fog": 1, "desert-rifleman-a": 2}
    assert player.supply == {"crewman-a": 1}
    assert table.news[-1] == "Its other cards leave the game too: 2 in supply."
    assert "UND-358" in table.rules()


@pytest.mark.rule("UND-198", "UND-358", "UND-360")
def test_a_soldier_who_is_lost_in_a_vehicle_leaves_the_seat_empty() -> None:
    table = night()
    car = put(table, "it", "scout-car", "D2")
    gunner = put(table, "it", "crewman-a", "D2", vehicle="scout-car", seat=1)
    player = table.state.players["it"]
    player.deck, player.discard, player.supply = {"fog": 1}, {}, {}
    table.state.turn = "lrdg"
    attack = combat.Attack("lrdg", parse("antitank 1"), "D1")
    run(combat.fire(table, attack, car), ["0"], "crewman-a")
    assert (gunner.tile, gunner.vehicle, gunner.seat) == ("", "", 0)
    assert table.occupants(car) == table.units("it") == []
    assert car.tile == "D2"


@pytest.mark.rule("UND-358")
def test_a_bot_soldiers_face_down_card_goes_with_its_counter() -> None:
    table = staged(NIGHT, side="lrdg")
    soldier = put(table, "it", "desert-rifleman-a", "D2")
    row(table, "desert-rifleman-a")[0].face_down = True
    for pile in (table.state.players["it"].deck, *bot.bot_of(table).bolster.values()):
        pile.pop("desert-rifleman-a", None)
    table.state.turn = "lrdg"
    run(combat.fire(table, combat.Attack("lrdg", parse("attack 1"), "D1"), soldier), ["0"])
    assert row_cards(table) == []
    assert table.news[-1] == "Its other cards leave the game too: 1 face down in the bot's row."


@pytest.mark.rule("UND-358")
def test_a_face_down_card_that_nobody_saw_goes_with_its_counter_if_it_is_in_no_pile() -> None:
    table = staged(NIGHT, side="lrdg")
    soldier = put(table, "it", "desert-rifleman-a", "D2")
    bot.bot_of(table).row.append(RowCard("", face_down=True))
    player = table.state.players["it"]
    player.deck, player.discard = {"desert-rifleman-a": 1, "fog": 2}, {}
    for pile in bot.bot_of(table).bolster.values():
        pile.pop("desert-rifleman-a", None)
    table.state.turn = "lrdg"
    attack = combat.Attack("lrdg", parse("attack 1"), "D1")
    run(combat.fire(table, attack, soldier), ["0"], "no")
    assert row_cards(table) == []
    assert player.deck == {"fog": 2}
    assert table.news[-1] == "Its other cards leave the game too: 1 face down in the bot's row."


@pytest.mark.rule("UND-359")
@pytest.mark.parametrize("side", ["lrdg", "it"])
def test_equal_bids_leave_the_initiative_where_it_is(side: str) -> None:
    table = altered(NIGHT, {"initiative": side}, players="2").table
    for name in ("lrdg", "it"):
        table.state.players[name].hand = ["desert-scout-a"]
    run(rounds.determine_initiative(table), "desert-scout-a", "desert-scout-a")
    assert table.state.initiative == side


@pytest.mark.rule("UND-360", "UND-363")
def test_a_vehicle_has_seats_and_what_they_offer_is_the_occupants_alone() -> None:
    table = night()
    put(table, "it", "scout-car", "D5")
    driver = put(table, "it", "crewman-a", "D5")
    scouted(table, "it", "D6")
    put(table, "lrdg", "sapper-a", "D8")
    assert not can(table, "it", "crewman-a", "drive 2")
    driver.tile = "D6"
    assert not can(table, "it", "crewman-a", "board")
    driver.tile = "D5"
    do(table, "it", "crewman-a", "board", "scout-car:0")
    assert can(table, "it", "crewman-a", "drive 2")
    assert not can(table, "it", "crewman-a", "attack 2")
    assert not can(table, "it", "crewman-a", "move 1")
    do(table, "it", "crewman-a", "board", "out")
    do(table, "it", "crewman-a", "board", "scout-car:1")
    assert can(table, "it", "crewman-a", "attack 2")
    assert not can(table, "it", "crewman-a", "drive 2")
    assert (driver.vehicle, driver.seat) == ("scout-car", 1)
    do(table, "it", "crewman-a", "board", "out")
    assert (driver.vehicle, driver.seat) == ("", 0)


@pytest.mark.rule("UND-360")
def test_in_a_seat_that_is_taken_nobody_else_sits_down() -> None:
    table = night()
    put(table, "it", "scout-car", "D5")
    put(table, "it", "crewman-a", "D5", vehicle="scout-car", seat=0)
    put(table, "it", "desert-rifleman-a", "D5")
    ran = do(table, "it", "desert-rifleman-a", "board", "scout-car:1")
    assert ids(ran.asks[0]) == ["scout-car:1"]
    put(table, "it", "desert-scout-a", "D5")
    assert orders.boardable(table, table.state.sides["it"].counters["desert-scout-a"]) == {}


def test_who_sits_in_a_vehicle_controls_no_tile() -> None:
    table = night()
    put(table, "it", "scout-car", "D5")
    soldier = put(table, "it", "desert-rifleman-a", "D5")
    assert can(table, "it", "desert-rifleman-a", "control")
    soldier.vehicle = "scout-car"
    assert not can(table, "it", "desert-rifleman-a", "control")


@pytest.mark.rule("UND-361")
def test_soldiers_have_a_base_defence_of_four_to_six() -> None:
    table = night()
    for side in table.state.sides.values():
        for unit in side.counters:
            printed = table.type(unit)
            assert printed.armour is not None or 4 <= (printed.defence or 0) <= 6


@pytest.mark.rule("UND-362")
def test_the_lrdg_scores_by_demolition_and_the_italians_by_control() -> None:
    table = night()
    put(table, "lrdg", "sapper-a", "D8")
    table.state.turn = "lrdg"
    do(table, "lrdg", "sapper-a", "demolition 3", "structure:D8", ["9", "1", "1"])
    assert "D8" not in table.state.structures
    assert table.points("lrdg") == 2
    controlled(table, "it", "D11")
    assert table.points("it") == 2
    put(table, "it", "sapper-a", "D11")
    assert not can(table, "it", "sapper-a", "demolition 3")


@pytest.mark.rule("UND-362")
def test_a_structure_without_an_objective_marker_scores_what_its_sheet_says() -> None:
    table = altered(NIGHT, {"structures": {"D5": 3, "D8": 7}}, players="2").table
    put(table, "lrdg", "sapper-a", "D5")
    do(table, "lrdg", "sapper-a", "demolition 3", "structure:D5", ["9", "1", "1"])
    assert table.points("lrdg") == 3
    assert table.news == ["The structure on D5 is destroyed, take it off the board: 3 points."]
    assert table.rules() == ("UND-362",)
    put(table, "lrdg", "sapper-a", "D8")
    do(table, "lrdg", "sapper-a", "demolition 3", "structure:D8", ["9", "1", "1"])
    assert table.points("lrdg") == 3 + 2, "the marker on D8 says 2"


def test_a_structure_that_is_missed_is_named_as_in_a_sentence() -> None:
    table = night()
    put(table, "lrdg", "sapper-a", "D8")
    ran = do(table, "lrdg", "sapper-a", "demolition 3", "structure:D8", ["1", "1", "1"])
    assert ran.roll().text.startswith("Sapper A: Demolition 3 on the structure on D8, ")
    assert table.news == ["The structure on D8: missed."]


@pytest.mark.rule("UND-364")
def test_a_vehicle_cannot_drive_onto_rough_terrain() -> None:
    table = night()
    put(table, "it", "scout-car", "D1")
    put(table, "it", "crewman-a", "D1", vehicle="scout-car")
    walker = put(table, "it", "desert-rifleman-a", "D1")
    scouted(table, "it", "D4")
    assert not can(table, "it", "crewman-a", "drive 2")
    do(table, "it", "desert-rifleman-a", "move 1", "D4")
    assert walker.tile == "D4"


@pytest.mark.rule("UND-365")
def test_a_disabled_vehicle_offers_no_better_action() -> None:
    table = night()
    car = put(table, "it", "scout-car", "D5")
    put(table, "it", "crewman-a", "D5", vehicle="scout-car", seat=1)
    put(table, "lrdg", "sapper-a", "D8")
    assert can(table, "it", "crewman-a", "attack 2")
    car.disabled = True
    assert not can(table, "it", "crewman-a", "attack 2")
    assert can(table, "it", "crewman-a", "attack 1")


@pytest.mark.rule("UND-076", "UND-363")
def test_a_seat_takes_no_weaker_attack_of_longer_range_from_a_soldier() -> None:
    table = night()
    crewman = msgspec.structs.replace(table.type("crewman"), actions=("attack 1", "attack 3 0"))
    table.pack = msgspec.structs.replace(table.pack, unit={**table.pack.unit, "crewman": crewman})
    put(table, "it", "scout-car", "D5")
    put(table, "it", "crewman-a", "D5", vehicle="scout-car", seat=0)
    put(table, "lrdg", "sapper-a", "D8")
    assert can(table, "it", "crewman-a", "attack 1")
    put(table, "it", "crewman-a", "D5", vehicle="scout-car", seat=1)
    put(table, "lrdg", "sapper-a", "D5")
    assert can(table, "it", "crewman-a", "attack 2")
    assert can(table, "it", "crewman-a", "attack 3 0")
    assert not can(table, "it", "crewman-a", "attack 1")


@pytest.mark.rule("UND-188", "UND-363", "UND-365")
def test_the_bot_drives_only_from_a_drivers_seat_of_a_vehicle_that_works() -> None:
    table = staged(NIGHT, side="lrdg")
    crewman = put(table, "it", "crewman-a", "D6")
    scouted(table, "it", "D5")
    drive = line("drive 1", to=["scouted"])
    assert decide(table, "crewman-a", drive).effect is None
    tank = put(table, "it", "medium-tank", "D6")
    crewman.vehicle = "medium-tank"
    told = decide(table, "crewman-a", drive).effect
    assert told is not None
    assert [one.words for one in told.choices] == ["drives the Medium Tank from D6 to D5"]
    tank.disabled = True
    assert decide(table, "crewman-a", drive).effect is None
    tank.disabled = False
    crewman.seat = 1
    assert decide(table, "crewman-a", drive).effect is None


@pytest.mark.rule("UND-R31")
def test_the_changed_control_rule_holds_in_the_expansions_north_african_scenarios() -> None:
    table = night()
    put(table, "it", "desert-rifleman-a", "D6")
    put(table, "lrdg", "sapper-a", "D6")
    assert can(table, "it", "desert-rifleman-a", "control")
    controlled(table, "lrdg", "D6")
    assert not can(table, "it", "desert-rifleman-a", "control")


def test_without_a_soldier_on_either_side_the_one_ahead_has_won() -> None:
    """A house rule: nobody could change who is ahead, and aircraft would bomb empty tiles for ever."""
    table = night()
    put(table, "it", "scout-car", "D5")
    controlled(table, "it", "D11")
    for player in table.state.players.values():
        player.deck = {"air-liaison": 1, "assault-aircraft": 2}
        player.supply = {}
    table.state.players["lrdg"].supply = {"sapper-a": 1}
    assert victory.verdict(table) is None
    table.state.players["lrdg"].supply = {"scout-car": 1}
    outcome = victory.verdict(table)
    assert outcome is not None
    assert outcome.reason == "no soldiers left; Italian side is ahead"


@pytest.mark.parametrize("policy", ["cautious", "bold", "first"])
def test_policies_play_to_the_end_of_a_game_for_two(policy: str) -> None:
    setup = ready(GAME, NIGHT, {"players": "2"})
    outcome, _ = play_checked(GAME, setup, 0, policy)
    assert outcome.reason
