"""Armour and Armament: vehicles, specialists, Advance, Antitank, ranged attacks, grenades, Control."""

from __future__ import annotations

import msgspec
import pytest

from companion.engine.errors import BadInput
from companion.games.undaunted import GAME, acting, bot, combat, movement, orders, rounds
from companion.games.undaunted.actions import parse
from companion.games.undaunted.checker import playable, problems
from companion.games.undaunted.pack import Pack, Theatre
from companion.games.undaunted.setup import make_table
from companion.games.undaunted.state import Marker
from tests.games import driver
from tests.games.undaunted.field import (
    ARMOUR,
    LA_RAYE,
    NIGHT,
    altered,
    can,
    controlled,
    do,
    fresh,
    ids,
    order,
    put,
    run,
    scouted,
    shipped,
    staged,
)


@pytest.mark.rule("UND-001")
def test_each_module_stands_alone_and_belongs_to_its_theatre() -> None:
    with pytest.raises(BadInput, match="belong to Normandy"):
        fresh(NIGHT, players="2", specialists="yes")
    pack = driver.setup(GAME).pack
    assert isinstance(pack, Pack)
    mined = msgspec.structs.replace(pack.scenario["la-raye"], mines="us", mine_supply=2)
    changed = msgspec.structs.replace(pack, scenario={**pack.scenario, "la-raye": mined})
    assert "mines are only" in " ".join(one.message for one in problems(changed))
    for scenario in (ARMOUR, NIGHT):
        assert fresh(scenario, players="4").state.bot is None
        assert fresh(scenario, players="1").state.bot is not None


@pytest.mark.rule("UND-002")
def test_a_pack_of_one_base_game_is_enough_and_leaves_the_other_out() -> None:
    pack = driver.setup(GAME).pack
    assert isinstance(pack, Pack)
    normandy = {name: one for name, one in pack.scenario.items() if one.theatre is Theatre.NORMANDY}
    only = msgspec.structs.replace(pack, scenario=normandy)
    assert NIGHT not in playable(only)
    setup = driver.setup(GAME)
    assert make_table(type(setup)(only, setup.settings, "la-raye")).scenario.title == "La Raye"


@pytest.mark.rule("UND-003", "UND-093", "UND-119")
@pytest.mark.parametrize("players", ["1", "2", "4"])
def test_base_rules_hold_in_every_mode(players: str) -> None:
    table = staged(ARMOUR, players=players)
    counter = put(table, "us", "rifleman-a", "1B")
    target = put(table, "ge", "rifleman-a", "2B")
    against = combat.defence(table, target, parse("attack 1"), "1B")
    assert against is not None
    assert (against.base, against.cover, against.distance, against.total) == (4, 2, 1, 7)
    assert not can(table, counter.owner, "rifleman-a", "move 1")
    scouted(table, "us", "2B")
    do(table, counter.owner, "rifleman-a", "move 1", "2B")
    do(table, counter.owner, "rifleman-a", "control")
    assert (counter.tile, table.controls("us", "2B")) == ("2B", True)


# Vehicles


@pytest.mark.rule("UND-005", "UND-007", "UND-008")
def test_a_vehicle_is_a_unit_with_armoured_defence_alone() -> None:
    table = staged(ARMOUR, players="2")
    tank = put(table, "us", "tank", "1B")
    scouted(table, "us", "2B")
    do(table, "us", "tank", "move 1", "2B")
    assert table.units("us", "2B") == [tank]
    assert combat.defence(table, tank, parse("attack 1"), "1B") is None
    against = combat.defence(table, tank, parse("antitank 1"), "1B")
    assert against is not None
    assert against.base == 6


@pytest.mark.rule("UND-006")
def test_a_normandy_vehicle_loses_cards_not_occupants() -> None:
    table = staged(ARMOUR)
    tank = put(table, "ge", "tank", "2B")
    assert not table.type("tank").seats
    attack = combat.Attack("us", parse("antitank 3"), "1B")
    table.state.turn = "us"
    ran = run(combat.fire(table, attack, tank), ["0", "1", "1"])
    assert ran.asked() == ["antitank.roll"]
    assert table.state.players["ge"].removed == {"tank": 1}
    assert not tank.disabled


@pytest.mark.rule("UND-006", "UND-364")
@pytest.mark.parametrize(
    ("scenario", "side", "unit", "tile", "enters"),
    [(ARMOUR, "ge", "tank", "2B", True), (NIGHT, "it", "medium-tank", "D2", False)],
)
def test_rough_terrain_keeps_no_normandy_vehicle_out(
    scenario: str, side: str, unit: str, tile: str, enters: bool
) -> None:
    table = staged(scenario)
    table.ground.tiles[tile] = msgspec.structs.replace(table.ground.tiles[tile], rough=True)
    assert table.may_enter(table.state.sides[side].counters[unit], tile) is enters


@pytest.mark.rule("UND-009", "UND-010")
def test_only_antitank_can_target_a_vehicle() -> None:
    table = staged(ARMOUR)
    put(table, "us", "rifleman-a", "1B")
    put(table, "us", "tank", "1B")
    put(table, "ge", "tank", "2B")
    assert not can(table, "us", "rifleman-a", "attack 1")
    assert not can(table, "us", "tank", "attack 3")
    assert can(table, "us", "tank", "antitank 3")


@pytest.mark.rule("UND-011")
def test_a_vehicle_is_no_target_of_suppress() -> None:
    table = staged(ARMOUR)
    put(table, "ge", "tank", "2B")
    infantry = put(table, "ge", "rifleman-a", "2B")
    found = combat.targets(table, "us", parse("suppress 4"), "1B")
    assert [target for target, _ in found] == [infantry]


@pytest.mark.rule("UND-012")
def test_a_vehicle_never_enters_a_no_vehicles_tile() -> None:
    table = staged(ARMOUR)
    assert table.state.no_vehicles == ["7B"]
    tank, foot = put(table, "us", "tank", "6B"), put(table, "us", "rifleman-a", "6B")
    scouted(table, "us", "7B", "2B")
    for kind in ("move", "scout", "guide", "stalk"):
        assert "7B" not in movement.steps_from(table, tank, parse(f"{kind} 1").kind, "6B")
    assert "7B" in movement.steps_from(table, foot, parse("move 1").kind, "6B")


# Specialists


@pytest.mark.rule("UND-013", "UND-018", "UND-019", "UND-020")
def test_specialists_swap_two_riflemen_of_each_unit_in_supply() -> None:
    table = fresh(ARMOUR, specialists="yes", players="2").table
    us, ge = table.state.players["us"], table.state.players["ge"]
    assert {card: us.supply[card] for card in us.supply if "rifleman" in card or "grenadier" in card} == {
        "rifleman-a": 2,
        "grenadier-a": 2,
        "rifleman-b": 2,
        "grenadier-b": 2,
    }
    assert ge.supply["submachine-gunner-a"] == 2
    assert "grenadier-a" not in ge.supply
    assert not any("grenadier" in card for card in us.deck)
    plain = fresh(ARMOUR, players="2").table
    for name in ("us", "ge"):
        counts = table.state.players[name].supply, plain.state.players[name].supply
        assert sum(counts[0].values()) == sum(counts[1].values())


@pytest.mark.rule("UND-014")
def test_specialists_come_only_when_asked_for() -> None:
    supply = fresh(ARMOUR, players="2").state.players["us"].supply
    assert not any("grenadier" in card for card in supply)


@pytest.mark.rule("UND-015", "UND-016", "UND-017")
def test_where_specialists_may_be_used() -> None:
    assert "grenadier-a" in fresh("la-raye", players="2", specialists="yes").state.players["us"].supply
    with pytest.raises(BadInput, match="UND-016"):
        fresh("la-raye", specialists="yes")
    assert "grenadier-a" in fresh(ARMOUR, specialists="yes").state.players["us"].supply


@pytest.mark.rule("UND-013")
def test_a_side_that_has_no_specialists_is_told_so() -> None:
    with pytest.raises(BadInput, match="specialists=yes: the LRDG side has none"):
        altered(NIGHT, {"theatre": Theatre.NORMANDY}, players="2", specialists="yes")


@pytest.mark.rule("UND-R45")
def test_fewer_than_two_riflemen_in_supply_are_all_swapped() -> None:
    setup = driver.setup(GAME, ARMOUR, players="2", specialists="yes")
    pack = setup.pack
    assert isinstance(pack, Pack)
    scenario = pack.scenario[ARMOUR]
    scenario.supplies["us"]["rifleman-b"] = 1
    supply = make_table(setup).state.players["us"].supply
    assert (supply.get("rifleman-b", 0), supply["grenadier-b"]) == (0, 1)


@pytest.mark.rule("UND-019", "UND-024")
def test_specialists_of_riflemen_without_a_squad_have_none_either() -> None:
    sheet = shipped().scenario[ARMOUR]
    plain = {"supplies": sheet.supplies | {"us": {"rifleman": 3}}}
    table = altered(ARMOUR, plain, players="2", specialists="yes").table
    assert table.state.players["us"].supply == {"rifleman": 1, "grenadier": 2}
    assert table.unit_of("grenadier") == "rifleman"
    assert table.title("grenadier") == "Grenadier"


@pytest.mark.rule("UND-019", "UND-128")
def test_specialists_go_to_the_bolster_deck_of_their_riflemen() -> None:
    setup = driver.setup(GAME, ARMOUR, specialists="yes")
    pack = setup.pack
    assert isinstance(pack, Pack)
    decks = {"x": ("rifleman-a",), "y": ("rifleman", "scout"), "z": ("rest",)}
    pack.section["any"] = msgspec.structs.replace(pack.section["any"], bolster=decks)
    bolster = bot.bot_of(make_table(setup)).bolster
    assert bolster["x"] == {"rifleman-a": 2, "submachine-gunner-a": 2}
    assert bolster["y"] == {"rifleman-b": 2, "submachine-gunner-b": 2, "scout-a": 2, "scout-b": 2}


@pytest.mark.rule("UND-021")
def test_bolster_mixes_specialists_and_riflemen_as_the_supply_allows() -> None:
    table = fresh(ARMOUR, players="2", specialists="yes").table
    us = table.state.players["us"]
    us.supply = {"grenadier-a": 1, "rifleman-a": 3}
    us.hand = ["leader-a"]
    ran = do(table, "us", "leader-a", "bolster 2 squad", ["grenadier-a", "rifleman-a"])
    assert us.discard == {"grenadier-a": 1, "rifleman-a": 1}
    assert ids(ran.asks[0]) == ["grenadier-a", "rifleman-a", "rifleman-a 2"]


@pytest.mark.rule("UND-022", "UND-023")
def test_a_specialists_own_action_needs_the_specialists_card() -> None:
    table = staged(ARMOUR, players="2", specialists="yes")
    riflemen = put(table, "us", "rifleman-a", "1B")
    put(table, "ge", "rifleman-a", "1B")
    assert table.counter("us", "grenadier-a") is riflemen
    assert can(table, "us", "grenadier-a", "grenade 2 1")
    assert not can(table, "us", "rifleman-a", "grenade 2 1")
    put(table, "us", "rifleman-b", "1B")
    ge = table.unit_of("submachine-gunner-a")
    assert ge == "rifleman-a"
    assert can(table, "ge", "submachine-gunner-a", "attack 3 0")
    assert not can(table, "ge", "rifleman-a", "attack 3 0")


@pytest.mark.rule("UND-024")
def test_a_specialist_is_lost_for_its_rifleman_unit() -> None:
    table = staged(ARMOUR, players="2", specialists="yes")
    target = put(table, "us", "rifleman-a", "1B")
    us = table.state.players["us"]
    us.hand, us.deck = ["scout-a"], {"rifleman-a": 1}
    us.discard = {"grenadier-a": 1}
    table.state.turn = "ge"
    run(combat.fire(table, combat.Attack("ge", parse("attack 1"), "2B"), target), ["0"])
    assert us.removed == {"grenadier-a": 1}
    assert us.deck == {"rifleman-a": 1}


@pytest.mark.rule("UND-025")
def test_the_owner_picks_between_specialist_and_rifleman_in_the_same_place() -> None:
    table = staged(ARMOUR, players="2", specialists="yes")
    target = put(table, "us", "rifleman-b", "1B")
    us = table.state.players["us"]
    us.hand = ["grenadier-b", "rifleman-b"]
    table.state.turn = "ge"
    ran = run(combat.fire(table, combat.Attack("ge", parse("attack 1"), "2B"), target), ["0"], "grenadier-b")
    assert sorted(ids(ran.asks[-1])) == ["grenadier-b", "rifleman-b"]
    assert us.hand == ["rifleman-b"]


def test_where_a_hand_is_kept_at_the_table_its_owner_looks_which_of_the_two_comes_first() -> None:
    table = staged(ARMOUR, players="2", specialists="yes", hand="table")
    target = put(table, "us", "rifleman-b", "1B")
    table.state.players["us"].deck = {"grenadier-b": 1, "rifleman-b": 1}
    ran = run(combat.fire(table, combat.Attack("ge", parse("attack 1"), "2B"), target), ["0"], "grenadier-b")
    assert "Both are" not in ran.asks[-1].detail
    assert ran.asks[-1].detail.startswith("The first of hand, discard pile and deck")


# Advance


@pytest.mark.rule("UND-026", "UND-027", "UND-028", "UND-R38")
def test_advance_takes_any_of_a_squad_to_a_neighbouring_tile_with_a_friend() -> None:
    table = staged(ARMOUR, players="2")
    riflemen, scouts = put(table, "us", "rifleman-b", "1B"), put(table, "us", "scout-b", "1B")
    put(table, "us", "rifleman-a", "1B")
    assert not can(table, "us", "platoon-leader-b", "advance")
    put(table, "us", "scout-a", "5B")
    put(table, "us", "tank", "4B")
    ran = do(table, "us", "platoon-leader-b", "advance", "1B>5B", ["rifleman-b", "scout-b"])
    assert ids(ran.asks[0]) == ["1B>5B"]
    assert ids(ran.asks[1]) == ["rifleman-b", "scout-b"]
    assert (riflemen.tile, scouts.tile) == ("5B", "5B")
    assert "5B" not in table.state.sides["us"].markers
    riflemen.tile = scouts.tile = "1B"
    do(table, "us", "platoon-leader-b", "advance", "1B>5B", ["scout-b"])
    assert (riflemen.tile, scouts.tile) == ("1B", "5B")


@pytest.mark.rule("UND-029")
def test_advance_takes_no_vehicle_onto_a_no_vehicles_tile() -> None:
    table = staged(ARMOUR, players="2")
    put(table, "us", "tank-b", "6B")
    put(table, "us", "scout-a", "7B")
    assert movement.advance_to(table, "us", "b") == []
    put(table, "us", "rifleman-b", "6B")
    ran = do(table, "us", "platoon-leader-b", "advance", "6B>7B", ["rifleman-b"])
    assert ids(ran.asks[1]) == ["rifleman-b"]


@pytest.mark.rule("UND-030", "UND-R39")
def test_suppressed_counters_stay_behind_when_others_advance() -> None:
    table = staged(ARMOUR, players="2")
    put(table, "us", "rifleman-b", "1B", suppressed=True)
    put(table, "us", "scout-b", "1B")
    put(table, "us", "scout-a", "5B")
    ran = do(table, "us", "platoon-leader-b", "advance", "1B>5B", ["scout-b"])
    assert ids(ran.asks[1]) == ["scout-b"]


# Combat actions


@pytest.mark.rule("UND-031", "UND-032")
def test_antitank_is_an_attack_on_armoured_defence_cover_and_range() -> None:
    table = staged(ARMOUR)
    tank = put(table, "ge", "tank", "2B")
    infantry = put(table, "ge", "rifleman-a", "2B")
    against = combat.defence(table, tank, parse("antitank 3"), "9B")
    assert against is not None
    steps = table.ground.distance["9B"]["2B"]
    assert against.total == 6 + 2 + steps
    assert combat.defence(table, infantry, parse("antitank 3"), "9B") is None
    attack = combat.Attack("us", parse("antitank 3"), "1B")
    table.state.turn = "us"
    ran = run(combat.fire(table, attack, tank), ["8", "8", "8"])
    assert ran.roll().dice[0].count == 3
    assert "UND-032" in ran.roll().rule
    assert ran.end is False
    assert run(combat.fire(table, attack, tank), ["1", "9", "1"]).end is True


@pytest.mark.rule("UND-032")
@pytest.mark.parametrize(("faces", "hit"), [("777", False), ("178", True), ("170", True)])
def test_antitank_on_armour_5_behind_cover_1_two_tiles_away_needs_an_8(faces: str, hit: bool) -> None:
    table = staged(ARMOUR)
    unit = table.pack.unit
    lighter = msgspec.structs.replace(unit["tank"], armour=5)
    table.pack = msgspec.structs.replace(table.pack, unit={**unit, "tank": lighter})
    covered = next(name for name, tile in table.ground.tiles.items() if tile.cover == 1)
    tank = put(table, "ge", "tank", covered)
    start = next(name for name, steps in table.ground.distance[covered].items() if steps == 2)
    table.state.turn = "us"

    ran = run(combat.fire(table, combat.Attack("us", parse("antitank 3"), start), tank), [*faces])

    assert "5 + cover 1 + range 2 = 8" in ran.roll().detail
    assert ran.end is hit


@pytest.mark.rule("UND-033", "UND-034", "UND-076", "UND-077")
@pytest.mark.parametrize("scenario", [ARMOUR, NIGHT])
def test_attack_x_y_reaches_y_tiles(scenario: str) -> None:
    table = staged(scenario, players="2")
    us, ge = table.state.sides
    tiles = list(table.ground.tiles)
    start = tiles[0]
    unit = "rifleman-a" if scenario == ARMOUR else "desert-rifleman-a"
    target = put(table, ge, unit, next(one for one in tiles if table.ground.distance[start][one] == 2))
    assert combat.targets(table, us, parse("attack 3 2"), start)
    assert not combat.targets(table, us, parse("attack 3 1"), start)
    target.tile = table.ground.links[start][0]
    assert combat.targets(table, us, parse("attack 3 1"), start)
    assert not combat.targets(table, us, parse("attack 3 0"), start)
    target.tile = start
    assert combat.targets(table, us, parse("attack 3 0"), start)


@pytest.mark.parametrize(("action", "rule"), [("attack 3 0", "UND-033"), ("attack 1", "UND-309")])
def test_the_reason_who_can_be_attacked_is_the_range_of_an_attack_that_has_one(
    action: str, rule: str
) -> None:
    table = staged(ARMOUR, players="2", specialists="yes")
    put(table, "ge", "rifleman-a", "2B")
    put(table, "us", "rifleman-a", "2B")
    ran = do(table, "ge", "submachine-gunner-a", action, "rifleman-a", ["1"] * int(action.split()[1]))
    assert ran.asks[0].key == "undaunted.attack.at"
    assert ({"UND-033", "UND-309"} & {*ran.asks[0].rule}) == {rule}


@pytest.mark.rule("UND-035", "UND-036", "UND-037", "UND-084")
@pytest.mark.parametrize("scenario", [ARMOUR, NIGHT])
def test_a_grenade_attacks_each_enemy_on_foot_on_one_near_tile(scenario: str) -> None:
    table = staged(scenario, players="2")
    us, ge = table.state.sides
    unit = "rifleman" if scenario == ARMOUR else "desert-rifleman"
    start = next(iter(table.ground.tiles))
    near = table.ground.links[start][0]
    far = next(one for one, steps in table.ground.distance[start].items() if steps == 2)
    put(table, ge, f"{unit}-a", near)
    put(table, ge, f"{unit}-b", near)
    put(table, ge, "tank" if scenario == ARMOUR else "medium-tank", near)
    put(table, us, f"{unit}-b", near)
    put(table, ge, "scout-a" if scenario == ARMOUR else "desert-scout-a", far)
    thrower = put(table, us, f"{unit}-a", start)
    grenade = parse("grenade 1 1")
    met = combat.tile_targets(table, us, grenade, thrower.tile, near)
    assert [(one.side, one.unit) for one in met] == [(ge, f"{unit}-a"), (ge, f"{unit}-b")]
    assert near in orders.aims(table, order(table, us, f"{unit}-a", "grenade 1 1"))
    assert far not in orders.aims(table, order(table, us, f"{unit}-a", "grenade 1 1"))
    ran = do(table, us, f"{unit}-a", "grenade 1 1", near, ["1"], ["2"])
    assert ran.asked() == ["grenade.tile", "grenade.roll", "grenade.roll"]


# Control


@pytest.mark.rule("UND-038", "UND-039")
def test_control_turns_both_markers() -> None:
    table = staged(players="2")
    put(table, "us", "rifleman-a", "6A")
    scouted(table, "us", "6A")
    controlled(table, "ge", "6A")
    assert (table.points("us"), table.points("ge")) == (0, 2)
    do(table, "us", "rifleman-a", "control")
    assert table.marker("us", "6A") is Marker.CONTROLLED
    assert table.marker("ge", "6A") is Marker.SCOUTED
    assert (table.points("us"), table.points("ge")) == (2, 0)
    put(table, "us", "rifleman-a", "2B")
    do(table, "us", "rifleman-a", "control")
    assert table.marker("ge", "2B") is None


@pytest.mark.parametrize(("points", "words"), [(0, "."), (1, ": 1 point."), (2, ": 2 points.")])
def test_control_says_what_the_tile_is_worth(points: int, words: str) -> None:
    table = staged(players="2")
    tile = next(tile for tile in table.ground.tiles if table.value(tile) == points)
    rifleman = put(table, "us", "rifleman-a", tile)
    scouted(table, "us", tile)
    acting.control(table, rifleman)
    told = [f"{table.name(rifleman)} controls {tile}{words}", f"Turn the US marker on {tile} to controlled."]
    assert table.news == told


@pytest.mark.parametrize(
    ("tile", "offered", "worth"),
    [
        ("16B", ["control", "attack-1", "move-1", "hunker"], "worth 1"),
        ("17B", ["attack-1", "move-1", "control", "hunker"], "worth no points"),
    ],
)
def test_control_is_offered_first_where_it_gives_points_and_last_where_it_gives_none(
    tile: str, offered: list[str], worth: str
) -> None:
    table = fresh(players="2").table
    put(table, "us", "rifleman-a", tile)
    table.state.players["us"].hand = ["rifleman-a"]
    question = rounds.which_action(table, "us", "rifleman-a")
    assert ids(question) == offered
    assert worth in [one.detail for one in question.options]


def test_a_journal_in_which_control_without_points_was_offered_first_goes_on() -> None:
    table = fresh(players="2").table
    table.state.players["us"].hand = ["rifleman-a"]
    former = rounds.which_action(table, "us", "rifleman-a").former
    assert former is not None
    assert ids(former) == ["control", "attack-1", "move-1", "hunker"]


def test_control_of_the_radio_tile_may_come_to_be_worth_something() -> None:
    table = altered(LA_RAYE, {"radio": "17B", "raises_radio": "us"}, players="2").table
    table.state.players["us"].hand = ["rifleman-a"]
    assert ids(rounds.which_action(table, "us", "rifleman-a"))[0] == "control"


@pytest.mark.rule("UND-R38")
def test_control_where_no_marker_was_left_tells_to_put_one_there() -> None:
    table = staged(ARMOUR, players="2")
    put(table, "us", "scout-b", "6B")
    put(table, "us", "rifleman-b", "5B")
    controlled(table, "ge", "6B")
    do(table, "us", "platoon-leader-b", "advance", "5B>6B", ["rifleman-b"])
    assert table.marker("us", "6B") is None
    do(table, "us", "rifleman-b", "control")
    assert table.news[-2:] == [
        "Put a US marker on 6B, controlled side up.",
        "Turn the German marker on 6B to scouted.",
    ]


@pytest.mark.rule("UND-040", "UND-041", "UND-303")
def test_control_is_refused_only_against_a_held_and_controlled_tile() -> None:
    table = staged(players="2")
    put(table, "us", "rifleman-a", "13B")
    guard = put(table, "ge", "scout-a", "13B")
    scouted(table, "us", "13B")
    controlled(table, "ge", "13B")
    assert not can(table, "us", "rifleman-a", "control")
    guard.tile = "6A"
    assert can(table, "us", "rifleman-a", "control")
    scouted(table, "ge", "13B")
    put(table, "ge", "rifleman-a", "13B")
    assert can(table, "us", "rifleman-a", "control")


@pytest.mark.rule("UND-042")
@pytest.mark.parametrize(("scenario", "players"), [("la-raye", "1"), ("la-raye", "2"), (ARMOUR, "4")])
def test_the_changed_control_holds_in_every_mode(scenario: str, players: str) -> None:
    table = staged(scenario, players=players)
    name = table.mates("us")[0]
    tile = table.objectives()[0]
    put(table, "us", "rifleman-a", tile)
    put(table, "ge", "rifleman-a", tile)
    scouted(table, "ge", tile)
    offered = [rounds.order_id(one) for one in rounds.legal_orders(table, name, "rifleman-a")]
    assert "control" in offered
    controlled(table, "ge", tile)
    offered = [rounds.order_id(one) for one in rounds.legal_orders(table, name, "rifleman-a")]
    assert "control" not in offered
