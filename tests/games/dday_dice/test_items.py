"""Each Item, in the order of the book's list: one test a card, named after it."""

from __future__ import annotations

import pytest

from companion.engine.asks import Choose
from companion.games.dday_dice.battle import Battle
from companion.games.dday_dice.cards import Window, usable, use_item
from companion.games.dday_dice.changes import changes
from companion.games.dday_dice.combat import combat
from companion.games.dday_dice.dice import Colour, Face, Result
from companion.games.dday_dice.effects import Rwb
from companion.games.dday_dice.moving import choices, move_units, moves
from companion.games.dday_dice.records import Damage
from companion.games.dday_dice.recruiting import recruit_and_find
from companion.games.dday_dice.state import Status, Unit
from companion.games.dday_dice.trading import partners
from companion.games.dday_dice.upkeep import upkeep
from tests.games.dday_dice.beach import act, alone, begin, figures, put, shipped, show, together, with_sector


def test_every_item_of_the_list_has_a_test_here() -> None:
    names = {name.lower().replace(" ", "_").replace("-", "_") for name in shipped().item}

    assert len(names) == 28
    assert names <= {name.removeprefix("test_").partition("__")[0] for name in globals()}


def holding(
    item: str, sector: str = "4", scenario: str = "tiger_advanced", **fields: object
) -> tuple[Battle, Unit]:
    starts = ["1"] if scenario in {"merville", "utah", "pointe_du_hoc"} else []
    battle, unit = alone(scenario, *starts)
    put(battle, unit, sector, **({"soldiers": 20, "items": [item]} | fields))
    return battle, unit


def used(battle: Battle, unit: Unit, item: str) -> bool:
    return item not in unit.items and item in battle.state.used_items


def test_carrier_pigeon__trade_with_one_unit_anywhere_this_turn() -> None:
    battle, (one, two, three) = together(players=3)
    put(battle, one, "2", soldiers=9, items=["Carrier Pigeon"])
    put(battle, two, "7", soldiers=9)
    put(battle, three, "4", soldiers=9)

    act(recruit_and_find(battle, one), "use:Carrier Pigeon", "B", "give", "soldiers", 5, "done")

    assert (one.soldiers, two.soldiers) == (4, 14)
    assert partners(battle, two) == [one]
    assert partners(battle, three) == []


@pytest.mark.rule("DDD-097", "DDD-107")
def test_carrier_pigeon__saves_a_unit_at_the_mines() -> None:
    battle, (one, two) = together()
    put(battle, one, "5", soldiers=3, courage=2, items=["Carrier Pigeon"])
    put(battle, two, "2", soldiers=9)
    gift = ("Carrier Pigeon", "partner", "soldiers", 5)

    two.vehicle = "Jeep"
    stage = act(move_units(battle), "move:8", ["6"], *gift, "done", "stay")

    assert stage.ids("mines.items") == ["done", "partner"]
    question = stage.asks[stage.keys.index("mines.items")]
    assert question.text == "A: Landmines: 6 will fall. Use?"
    texts = [ask.text for ask in stage.asks]
    assert "A: Landmines: 6 will fall. Trade?" in texts, "only gifts can help once the pigeon has flown"
    assert question.detail == "Soldiers 3, Stars 0, Courage 0, Item Points 0"
    assert stage.ids("trade.what") == ["soldiers"], "no Jeep goes over mines"
    assert (one.soldiers, one.sector, two.soldiers) == (2, "8", 4)


@pytest.mark.rule("DDD-091", "DDD-107")
@pytest.mark.parametrize("players", [2, 3])
def test_carrier_pigeon__of_another_unit_saves_one_at_the_mines(players: int) -> None:
    battle, (one, two, *_) = together(players=players)
    put(battle, one, "5", soldiers=3, courage=2)
    put(battle, two, "2", soldiers=9, items=["Mine Detector", "Carrier Pigeon"])
    to = ["A"] if players == 3 else []
    assert begin(move_units(battle), "move:8", ["6"]).ids("mines.items") == ["done", "B:Carrier Pigeon"]
    one.turn.moved, one.courage = False, 2

    stage = begin(move_units(battle), "move:8", ["6"], "B:Carrier Pigeon", *to, "partner", "soldiers", 5)

    assert stage.ids("mines.items") == ["done", "partner"]
    assert (one.soldiers, two.soldiers, two.items) == (8, 4, ["Mine Detector"])


@pytest.mark.rule("DDD-102")
@pytest.mark.parametrize("holder", [0, 1])
def test_a_carrier_pigeon_is_not_offered_again_to_who_is_in_touch_with_all(holder: int) -> None:
    battle, units = together(players=3)
    put(battle, units[0], "5", soldiers=9, courage=2)
    put(battle, units[1], "2")
    put(battle, units[holder], units[holder].sector, items=["Carrier Pigeon"])
    units[0].turn.partner, units[1].turn.partner = "B", "A"
    assert usable(battle, units[holder], Window.RECRUIT) == ["Carrier Pigeon"], "C is out of reach"

    battle.state.units = units[:2]

    assert usable(battle, units[holder], Window.RECRUIT) == []
    assert begin(move_units(battle), "move:8", ["6"]).ids("mines.items") == ["done", "partner"]


@pytest.mark.rule("DDD-107")
@pytest.mark.parametrize(("item", "sector", "aim"), [("Grenade", "5", []), ("Mortar", "2", ["5"])])
@pytest.mark.parametrize("owner", [0, 1])
def test_carrier_pigeon__brings_what_stops_guns_before_they_fire(
    item: str, sector: str, aim: list[str], owner: int
) -> None:
    battle, units = together(players=3)
    put(battle, units[0], sector, soldiers=30)
    put(battle, units[1], "1", soldiers=30, items=[item])
    put(battle, units[2], "5", soldiers=30)
    units[owner].items.append("Carrier Pigeon")
    to = "BA"[owner]

    stage = begin(combat(battle), "use:Carrier Pigeon", to, "give", f"item:{item}", f"use:{item}", *aim)

    assert battle.state.silent == ["5"]
    assert "guns" not in stage.keys


def test_carrier_pigeon__brings_no_grenade_before_combat_where_no_guns_fire() -> None:
    battle, (one, two) = together()
    put(battle, one, "2", soldiers=30, items=["Carrier Pigeon", "Grenade"])
    put(battle, two, "1", soldiers=30)
    one.turn.partner, two.turn.partner = "B", "A"

    assert begin(combat(battle)).open.key == "dday_dice.combat.after"


@pytest.mark.rule("DDD-107")
def test_carrier_pigeon__brings_a_grenade_afar_also_from_where_another_unit_stands() -> None:
    battle, (one, two, three) = together(players=3)
    put(battle, one, "1", soldiers=30, items=["Grenade"])
    put(battle, two, "5", soldiers=30)
    put(battle, three, "1", soldiers=30)
    one.turn.partner, two.turn.partner = "B", "A"

    assert begin(combat(battle)).ids("combat.before") == ["done", "give"]


def test_grenade__is_handed_to_nobody_in_the_same_sector_before_its_guns_fire() -> None:
    battle, (one, two) = together()
    put(battle, one, "5", soldiers=30, items=["Grenade"])
    put(battle, two, "5", soldiers=30)

    stage = begin(combat(battle))

    assert "use:Grenade" in stage.ids(stage.keys[-1])
    assert "give" not in stage.ids(stage.keys[-1])


@pytest.mark.rule("DDD-102", "DDD-107")
def test_carrier_pigeon__that_flew_twice_lets_both_help_at_the_mines_and_before() -> None:
    battle, (one, two, three) = together(players=3)
    put(battle, one, "5", soldiers=3, courage=2)
    put(battle, two, "2", soldiers=9)
    put(battle, three, "3", specialists=["Medic"], soldiers=0)
    one.turn.partner, two.turn.partner, three.turn.partner = "C", "A", "A"
    assert "help" in [option.id for option in choices(battle, one, later=False, helps=True)]

    stage = begin(move_units(battle), "move:8", ["6"], "B:partner", "soldiers", 5)

    assert stage.ids("mines.items") == ["done", "B:partner"]
    assert (one.soldiers, two.soldiers) == (8, 4)


@pytest.mark.rule("DDD-097")
def test_carrier_pigeon__sends_no_vehicle_to_the_mines() -> None:
    battle, (one, two) = together()
    put(battle, one, "5", soldiers=3, courage=2)
    put(battle, two, "2", soldiers=1, vehicle="Jeep")
    one.turn.partner, two.turn.partner = "B", "A"

    stage = begin(move_units(battle), "move:8", ["2"])

    assert stage.open is not None
    assert stage.open.key != "dday_dice.mines.items"


def test_bangalore_torpedo__def_is_0_guns_are_not_touched() -> None:
    battle, unit = holding("Bangalore Torpedo", "9")

    act(combat(battle), "use:Bangalore Torpedo", ["4"])

    assert unit.soldiers == 16
    assert used(battle, unit, "Bangalore Torpedo")


def test_bangalore_torpedo__not_in_a_bunker() -> None:
    battle, _ = holding("Bangalore Torpedo", "Bunker", soldiers=40)

    assert "combat.before" not in begin(combat(battle)).keys


@pytest.mark.rule("DDD-R58")
def test_binoculars__any_die_takes_another_result_locked_and_gun_dice_too() -> None:
    battle, unit = holding("Binoculars")
    show(unit, "R Sk St W St To B Co Co", locked="r1")
    act(changes(battle, unit), "use:Binoculars", "r1", "star")
    assert (unit.dice[0].face, unit.dice[0].colour) == (Face.STAR, Colour.RED)

    battle, unit = holding("Binoculars", "8")
    stage = act(combat(battle), ["6"], "0:1")
    assert unit.soldiers == 20 - 9
    assert stage.ids("card.binoculars") == ["keep", "0:1", "0:2", "0:3", "0:4", "0:5"]
    assert (
        stage.asks[-2].detail
        == "Sector 8: machine guns, roll 1 die; once used, the card goes face down into the Pool"
    )

    battle, unit = holding("Binoculars", "9", courage=9, specialists=["Scout"])
    act(move_units(battle), "move:10", ["1"], "0:6")
    assert unit.soldiers == 20 + 6


def test_binoculars__say_whose_they_are_and_what_was_rolled() -> None:
    battle, (one, two) = together()
    put(battle, one, "2", soldiers=9)
    put(battle, two, "8", soldiers=20, items=["Binoculars"])

    question = begin(combat(battle), ["6"]).open

    assert question is not None
    assert (question.text, question.detail) == (
        "B: Binoculars: turn 6?",
        "Sector 8: machine guns, roll 1 die; once used, the card goes face down into the Pool",
    )


@pytest.mark.rule("DDD-R58")
def test_binoculars__and_strategic_map_work_on_another_units_die_too() -> None:
    battle, (one, two) = together()
    put(battle, one, "4", soldiers=1, items=["Binoculars", "Strategic Map"])
    for unit in (one, two):
        show(unit, "R St St W To To B Co Co")

    act(changes(battle, one), "use:Binoculars", "B", "w1", "star", "use:Strategic Map", "B", "w2", "blue")

    assert two.dice[2].face is Face.STAR
    assert two.dice[3].colour is Colour.BLUE


def test_field_radio__five_soldiers() -> None:
    battle, unit = holding("Field Radio", soldiers=4)

    act(use_item(battle, unit, "Field Radio", Window.RECRUIT))

    assert unit.soldiers == 9


def test_flame_thrower__the_bunkers_def_is_ten_lower() -> None:
    battle, unit = holding("Flame-Thrower", "Bunker")

    act(combat(battle), "use:Flame-Thrower", ["1"])

    assert unit.soldiers == 20 - 3
    assert usable(*holding("Flame-Thrower", "9"), Window.COMBAT) == []


def test_grenade__no_guns_in_the_sector_but_only_before_the_roll() -> None:
    battle, unit = holding("Grenade", "8")
    stage = act(combat(battle), "use:Grenade")
    assert "guns" not in stage.keys
    assert unit.soldiers == 12

    battle, unit = holding("Grenade", "8")
    assert usable(battle, unit, Window.LOSSES) == []


def test_shoulder_patch__a_soldier_for_a_specialist_without_stars() -> None:
    battle, unit = holding("Shoulder Patch", soldiers=6)

    act(recruit_and_find(battle, unit), "use:Shoulder Patch", "Medic")

    assert figures(unit)[:2] == (5, 0)
    assert unit.specialists == ["Medic"]


def test_shoulder_patch__wants_a_soldier_to_give() -> None:
    battle, unit = holding("Shoulder Patch", soldiers=0, specialists=["Medic"])

    assert usable(battle, unit, Window.RECRUIT) == []
    unit.soldiers = 1
    assert usable(battle, unit, Window.RECRUIT) == ["Shoulder Patch"], "the last one will do"

    unit.hand, battle.state.pool_specialists = [], []
    assert usable(battle, unit, Window.RECRUIT) == [], "and somebody to recruit"


@pytest.mark.rule("DDD-257")
@pytest.mark.parametrize(("owned", "soldiers"), [([], 9 - 1 - 1), (["Beachmaster"], 9 - 1 - 1 + 3)])
def test_shoulder_patch__at_the_mines_brings_a_beachmaster_too_late_for_this_advance(
    owned: list[str], soldiers: int
) -> None:
    battle, unit = alone(bazooka_joe="all")
    put(battle, unit, "5", soldiers=9, courage=2, specialists=[*owned], items=["Shoulder Patch"])
    joining = "Pathfinder" if owned else "Beachmaster"

    act(move_units(battle), "move:8", ["1"], "Shoulder Patch", joining, "soldiers")

    assert (unit.sector, unit.soldiers) == ("8", soldiers)


@pytest.mark.rule("DDD-091")
def test_field_radio__can_save_a_unit_at_the_mines() -> None:
    battle, unit = holding("Field Radio", "7", soldiers=3, courage=9)

    act(move_units(battle), "move:9", ["6"], "Field Radio")

    assert (unit.sector, unit.soldiers) == ("9", 2)


@pytest.mark.rule("DDD-091")
def test_field_radio__may_be_kept_at_the_mines() -> None:
    battle, unit = holding("Field Radio", "7", courage=9)

    act(move_units(battle), "move:9", ["6"], "done")

    assert (unit.soldiers, unit.items) == (14, ["Field Radio"])


def test_mine_detector__landmines_do_no_harm_this_turn() -> None:
    battle, unit = holding("Mine Detector", "7", courage=9)

    stage = act(move_units(battle), "use:Mine Detector", "move:9")

    assert "mines" not in stage.keys
    assert unit.soldiers == 20


def test_mine_detector__even_after_the_die_has_fallen() -> None:
    battle, unit = holding("Mine Detector", "7", courage=9)

    act(move_units(battle), "move:9", ["6"], "Mine Detector")

    assert (unit.sector, unit.soldiers) == ("9", 20)


def test_walkie_talkie__two_soldiers() -> None:
    battle, unit = holding("Walkie-Talkie", soldiers=4)

    act(use_item(battle, unit, "Walkie-Talkie", Window.COMBAT))

    assert unit.soldiers == 6


def test_whistle__one_advance_without_courage_requirements_hold() -> None:
    battle, unit = holding("Whistle", "2", courage=0, visited=["1", "3", "2"])
    assert moves(battle, unit) == []

    act(recruit_and_find(battle, unit), "use:Whistle")

    assert [way.to for way in moves(battle, unit)] == ["4"]
    act(move_units(battle), "move:4")
    assert (unit.sector, unit.courage) == ("4", 0)


def test_ammo_box__all_skulls_take_one_result() -> None:
    battle, unit = holding("Ammo Box", "2", "sword")
    show(unit, "R Sk 1S W Sk To B St Co")

    act(changes(battle, unit), "use:Ammo Box", "star")
    act(upkeep(battle, unit), "courage2")

    assert unit.turn.scored == [Rwb.LEADERSHIP]
    assert unit.stars == 3


def test_ammo_box__is_not_asked_for_by_what_binoculars_may_change() -> None:
    battle, unit = holding("Ammo Box", "2", "sword")
    show(unit, "R Sk 1S W Sk To B St Co")

    ask = begin(changes(battle, unit), "use:Ammo Box").open

    assert ask is not None
    assert (ask.key, ask.rule) == ("dday_dice.card.face", ("DDD-089",))


def test_bazooka__def_is_seven_lower_in_a_bunker_too() -> None:
    battle, unit = holding("Bazooka", "9")
    act(combat(battle), "use:Bazooka", ["1"])
    assert unit.soldiers == 20 - 4

    battle, unit = holding("Bazooka", "Bunker")
    act(combat(battle), "use:Bazooka", ["1"])
    assert unit.soldiers == 20 - 6


def test_ammo_box__skulls_that_cards_added_too() -> None:
    battle, unit = holding(
        "Ammo Box", "2", "sword", extra=[Result(Face.SKULL, Colour.RED), Result(Face.TOOL)]
    )
    show(unit, "R Sk 1S W 2S To B St Co")

    act(changes(battle, unit), "use:Ammo Box", "star")

    assert unit.extra == [Result(Face.STAR, Colour.RED), Result(Face.TOOL)]


def test_ammo_box__where_no_die_shows_a_skull_but_a_rope_ladder_brought_one() -> None:
    battle, (one, two) = together("pointe_du_hoc", "1", "1")
    put(battle, one, "5", soldiers=9, items=["Ammo Box"])
    put(battle, two, "5", soldiers=9, items=["Rope Ladder"])
    show(one, "R St 1S W St To B Co Co")
    show(two, "R St 1S W St To B Co Co")

    act(use_item(battle, two, "Rope Ladder", Window.TALLY), "blue", "red")
    act(changes(battle, one), "use:Ammo Box", "star")

    assert one.extra == [Result(Face.STAR, Colour.BLUE)]


def test_command_jacket__scores_a_leadership() -> None:
    battle, unit = holding("Command Jacket", "4", "omaha", specialists=["Veteran"])
    show(unit, "R Co 1S W To 2S B Co 1S")

    act(changes(battle, unit), "use:Command Jacket", "courage")
    act(upkeep(battle, unit), "soldiers")

    assert unit.turn.scored == [Rwb.LEADERSHIP, Rwb.BATTLE_CRY]
    assert unit.soldiers == 20 + 1 + 4 + 3 + 1
    assert unit.courage == 3


@pytest.mark.rule("DDD-177", "DDD-R27")
def test_command_jacket__after_upkeep_only_the_courage_is_left() -> None:
    battle, unit = holding("Command Jacket", "4", "omaha")

    assert usable(battle, unit, Window.MOVE) == ["Command Jacket"]
    act(use_item(battle, unit, "Command Jacket", Window.MOVE))

    assert unit.courage == 2


@pytest.mark.rule("DDD-R23", "DDD-R27")
def test_command_jacket__waits_if_nobody_can_have_the_courage() -> None:
    battle, (one, two) = together("omaha")
    put(battle, one, "4", soldiers=9, items=["Command Jacket"])
    assert usable(battle, one, Window.MOVE) == ["Command Jacket"]
    put(battle, two, "Bunker", status=Status.SAFE)

    assert usable(battle, one, Window.TALLY) == ["Command Jacket"]
    assert usable(battle, one, Window.MOVE) == []
    stage = begin(use_item(battle, one, "Command Jacket", Window.TALLY))
    assert "courage2" not in stage.ids("card.leadership")


@pytest.mark.rule("DDD-047", "DDD-R27")
@pytest.mark.parametrize("window", [Window.TALLY, Window.MOVE])
def test_command_jacket__the_courage_is_for_another_unit(window: Window) -> None:
    battle, (one, two) = together("omaha")
    put(battle, one, "4", soldiers=9, items=["Command Jacket"])
    put(battle, two, "2", soldiers=9)

    act(use_item(battle, one, "Command Jacket", window), *(["courage2"] if window is Window.TALLY else []))

    assert (one.courage, two.courage) == (0, 2)


@pytest.mark.rule("DDD-047", "DDD-177")
@pytest.mark.parametrize(("players", "label"), [(1, "+2 Courage"), (2, "+2 Courage to another Unit")])
def test_command_jacket__it_is_said_whose_courage_it_is(players: int, label: str) -> None:
    battle, (unit, *_) = together("omaha", players=players)
    put(battle, unit, "4", soldiers=9, items=["Command Jacket"])

    question = begin(use_item(battle, unit, "Command Jacket", Window.TALLY)).open

    assert isinstance(question, Choose)
    assert question.options[-1].label == label


def test_dexedrine__scores_a_battle_cry() -> None:
    battle, unit = holding("Dexedrine", "13", "merville")

    act(move_units(battle), "use:Dexedrine", "move", "move:Bunker")

    assert unit.sector == "Bunker"


@pytest.mark.rule("DDD-R24", "DDD-R27")
def test_dexedrine__before_upkeep_is_still_a_move_after_it() -> None:
    battle, unit = holding("Dexedrine", "4", "merville")

    act(changes(battle, show(unit, "R 1S 1S W 2S 2S B St To")), "use:Dexedrine", "move")
    act(upkeep(battle, unit))

    assert unit.turn.battle_cry


@pytest.mark.rule("DDD-091", "DDD-R27")
def test_dexedrine__in_phase_3_is_a_move_in_phase_4() -> None:
    battle, unit = holding("Dexedrine", "13", "merville", courage=0)

    act(recruit_and_find(battle, unit), "use:Dexedrine", "move")
    act(move_units(battle), "move:Bunker")

    assert unit.sector == "Bunker"


@pytest.mark.rule("DDD-R27")
def test_dexedrine__for_who_has_moved_three_soldiers() -> None:
    battle, unit = holding("Dexedrine", "4", "merville")
    unit.turn.moved = True

    assert act(use_item(battle, unit, "Dexedrine", Window.MOVE)).keys == []
    assert (unit.soldiers, unit.turn.battle_cry) == (23, False)


@pytest.mark.rule("DDD-R27")
def test_dexedrine__after_phase_4_three_soldiers() -> None:
    battle, unit = holding("Dexedrine", "4", "merville")

    assert act(use_item(battle, unit, "Dexedrine", Window.COMBAT)).keys == []
    assert unit.soldiers == 23


@pytest.mark.parametrize(
    ("item", "window", "told"),
    [
        ("Signalling Lamp", Window.MOVE, "Fresh Troops: +7 Soldiers +1 Courage"),
        ("Dexedrine", Window.COMBAT, "Battle Cry: +1 Soldier +1 Courage; Battle Cry: +3 Soldiers"),
        ("Command Jacket", Window.MOVE, "Leadership: +1 Soldier +1 Courage; Leadership: +2 Courage"),
    ],
)
def test_what_a_bonus_of_a_card_brings_is_told(item: str, window: Window, told: str) -> None:
    battle, unit = holding(item, "4", "merville")
    unit.specialists = ["Veteran", "Chaplain"]

    act(use_item(battle, unit, item, window))

    assert battle.happened() == [told]


def test_a_bonus_of_a_card_is_told_with_the_next_change_of_the_tally_and_the_upkeep() -> None:
    battle, unit = holding("Signalling Lamp", "4", "merville")
    unit.items.append("Ammo Box")

    changing = begin(changes(battle, show(unit, "R 1S Sk W 2S 2S B St To")), "use:Signalling Lamp")
    collecting = act(upkeep(battle, unit), "0")

    for stage in (changing, collecting):
        assert "Fresh Troops: +6 Soldiers" in stage.asks[-1].detail


def test_dispatch_case__another_units_tally_in_place_of_the_own() -> None:
    battle, (one, two) = together()
    put(battle, one, "4", soldiers=1, items=["Dispatch Case"])
    put(battle, two, "6", soldiers=1)
    show(one, "R St St W St To B Co Co")
    show(two, "R To To W To To B To To")

    act(changes(battle, one), "use:Dispatch Case")
    act(upkeep(battle, one), "stars", "stars")
    act(upkeep(battle, two), "stars", "stars")

    assert (one.points, two.points) == (48, 48)
    assert one.courage == 0


@pytest.mark.rule("DDD-R49")
def test_dispatch_case__what_changes_the_copy_or_the_copied_tally_later_does_not_change_the_other() -> None:
    battle, (one, two) = together()
    put(battle, one, "4", soldiers=1, items=["Dispatch Case", "Binoculars"])
    put(battle, two, "6", soldiers=1, items=["Strategic Map"])
    show(one, "R St St W St To B Co Co")
    show(two, "R To To W To To B To To")

    act(changes(battle, one), "use:Dispatch Case", "use:Binoculars", "A", "r1", "star")
    act(changes(battle, two), "use:Strategic Map", "B", "w1", "red")

    assert [unit.dice[0].face for unit in (one, two)] == [Face.STAR, Face.TOOL]
    assert [unit.dice[2].colour for unit in (one, two)] == [Colour.WHITE, Colour.RED]


def test_flak_vest__no_gun_losses_and_no_special_damage() -> None:
    battle, unit = holding("Flak Vest", "8", specialists=["Scout"])
    with_sector(battle, "8", damage=Damage.SPECIALIST)

    act(combat(battle), "use:Flak Vest", ["6"], "soldiers")

    assert unit.soldiers == 12
    assert unit.specialists == ["Scout"]


def test_flak_vest__not_offered_where_no_gun_fires() -> None:
    battle, unit = holding("Flak Vest", "4")
    assert act(combat(battle)).keys == ["combat"]

    put(battle, unit, "8")
    battle.state.silent.append("8")
    assert usable(battle, unit, Window.COMBAT) == []


def test_gammon_bomb__def_is_a_die_lower() -> None:
    battle, unit = holding("Gammon Bomb", "9")

    act(combat(battle), "use:Gammon Bomb", ["4"], ["1"])

    assert unit.soldiers == 20 - 7


@pytest.mark.rule("DDD-R20")
def test_grappling_hook__a_skull_in_a_colour_of_choice() -> None:
    battle, unit = holding("Grappling Hook", "9", "pointe_du_hoc")
    show(unit, "R Sk Sk W Sk To B Co Co")

    act(changes(battle, unit), "use:Grappling Hook", "blue")
    act(upkeep(battle, unit), "3")

    assert unit.turn.skulls == 4
    assert unit.turn.scored == [Rwb.GIFT]


@pytest.mark.parametrize(("choice", "left"), [("stars", (20, 1, 1, 0)), ("courage", (20, 0, 2, 0))])
def test_lucky_charm__a_star_or_a_courage(choice: str, left: tuple[int, ...]) -> None:
    battle, unit = holding("Lucky Charm", courage=1)

    act(use_item(battle, unit, "Lucky Charm", Window.MOVE), choice)

    assert figures(unit) == left


def test_lucky_charm__says_its_name_and_one_star() -> None:
    battle, unit = holding("Lucky Charm", courage=1)

    question = begin(use_item(battle, unit, "Lucky Charm", Window.MOVE)).open

    assert isinstance(question, Choose)
    assert question.text == "Lucky Charm: which?"
    assert [option.label for option in question.options] == ["+1 Star", "+1 Courage"]


def test_medal_case__a_random_award() -> None:
    battle, unit = holding("Medal Case", "4", "merville")
    unit.turn.award_drawn = True

    ask = begin(recruit_and_find(battle, unit), "use:Medal Case").open
    assert ask is not None
    assert ask.rule == ("DDD-089", "DDD-R60"), "no Courage buys it"
    unit.items = ["Medal Case"]
    act(recruit_and_find(battle, unit), "use:Medal Case", ["Stand-in Rose"])

    assert unit.awards == ["Stand-in Rose"]


def test_mortar__no_guns_in_a_neighbouring_sector_but_no_bunker() -> None:
    battle, (one, two) = together("omaha")
    put(battle, one, "9", soldiers=40, items=["Mortar"])
    put(battle, two, "7", soldiers=40)

    stage = act(combat(battle), "use:Mortar", "7")

    assert stage.ids("card.mortar") == ["7"]
    assert "guns" not in stage.keys


def test_mortar__is_not_offered_in_combat_where_nobody_stands_beside() -> None:
    battle, (one, two) = together("omaha")
    put(battle, one, "9", items=["Mortar"])
    put(battle, two, "2")
    assert usable(battle, one, Window.COMBAT) == []
    assert usable(battle, one, Window.MOVE) == ["Mortar"], "somebody may come yet"

    put(battle, two, "7")

    assert usable(battle, one, Window.COMBAT) == ["Mortar"]

    two.turn.ignore_guns = True

    assert usable(battle, one, Window.COMBAT) == [], "who stands beside wears a Flak Vest"


def test_mortar__is_offered_if_somebody_stands_in_one_of_several_sectors_with_guns() -> None:
    battle, (one, two) = together("omaha")
    put(battle, one, "7", items=["Mortar"])
    put(battle, two, "8")

    assert usable(battle, one, Window.COMBAT) == ["Mortar"]


def test_dispatch_case__is_not_offered_where_no_other_unit_is_in_play() -> None:
    battle, (one, two) = together("omaha")
    put(battle, one, "4", items=["Dispatch Case"])
    assert usable(battle, one, Window.TALLY) == ["Dispatch Case"]

    two.status = Status.SAFE

    assert usable(battle, one, Window.TALLY) == []


def test_pocket_bible__three_courage() -> None:
    battle, unit = holding("Pocket Bible", "2", "sword")

    act(use_item(battle, unit, "Pocket Bible", Window.RECRUIT))

    assert unit.courage == 3


@pytest.mark.rule("DDD-089")
def test_rangefinder__turns_a_die_of_the_own_tally() -> None:
    battle, (one, two) = together("sword")
    put(battle, one, "2", soldiers=9, items=["Rangefinder"])
    put(battle, two, "2", soldiers=9)
    show(one, "R To 1S W To 2S B Sk Co")
    show(two, "R St 1S W St 2S B Sk Co")

    act(use_item(battle, one, "Rangefinder", Window.TALLY), "b1", "tool")

    assert [unit.dice[4].face for unit in (one, two)] == [Face.TOOL, Face.SKULL]


def test_rangefinder__a_blue_die_takes_another_result() -> None:
    battle, unit = holding("Rangefinder", "2", "sword")
    show(unit, "R To 1S W To 2S B Sk Co")

    stage = act(changes(battle, unit), "use:Rangefinder", "b1", "tool")
    act(upkeep(battle, unit), "stars")

    assert stage.ids("card.die") == ["b1", "b2"]
    assert unit.turn.scored == [Rwb.SPECIAL_FIND]


def test_rangefinder__waits_where_no_die_counts_as_blue() -> None:
    battle, unit = holding("Rangefinder", "2", "sword")
    show(unit, "R To 1S W To 2S B Sk Co")
    assert usable(battle, unit, Window.TALLY) == ["Rangefinder"]

    for die in unit.dice[4:]:
        die.colour = Colour.WHITE

    assert usable(battle, unit, Window.TALLY) == []


@pytest.mark.rule("DDD-R20")
def test_rope_ladder__every_unit_adds_a_skull() -> None:
    battle, (one, two) = together("pointe_du_hoc", "1", "1")
    for unit in (one, two):
        put(battle, unit, "9", soldiers=20)
        show(unit, "R Sk Sk W Sk To B Co Co")
    one.items = ["Rope Ladder"]

    act(changes(battle, one), "use:Rope Ladder", "blue", "red")
    act(upkeep(battle, one), "3")
    act(upkeep(battle, two))

    assert (one.turn.skulls, two.turn.skulls) == (4, 4)


def test_rope_ladder__and_strategic_map_are_for_units_in_play() -> None:
    battle, (one, two) = together("pointe_du_hoc", "1", "1")
    put(battle, one, "9", soldiers=20, items=["Rope Ladder", "Strategic Map"])
    put(battle, two, "Bunker", soldiers=9, status=Status.SAFE)
    for unit in (one, two):
        show(unit, "R Sk Sk W Sk To B Co Co")

    act(changes(battle, one), "use:Rope Ladder", "blue", "use:Strategic Map", "w2", "blue")

    assert (two.extra, one.dice[3].colour) == ([], Colour.BLUE)


def test_signalling_lamp__scores_fresh_troops() -> None:
    battle, unit = holding("Signalling Lamp", "4", "merville", soldiers=4)

    act(use_item(battle, unit, "Signalling Lamp", Window.COMBAT))

    assert unit.soldiers == 10
    assert unit.turn.scored == [Rwb.FRESH_TROOPS]


def test_strategic_map__one_die_changes_colour() -> None:
    battle, unit = holding("Strategic Map")
    show(unit, "R To To W St 1S B To 1S")

    act(changes(battle, unit), "use:Strategic Map", "r2", "white")
    act(upkeep(battle, unit), "stars")

    assert unit.turn.scored == [Rwb.SPECIAL_FIND]


@pytest.mark.rule("DDD-R20")
def test_toolkit__two_colourless_tools() -> None:
    battle, unit = holding("Toolkit")
    show(unit, "R To To W To 1S B 2S 1S")

    act(changes(battle, unit), "use:Toolkit")
    act(upkeep(battle, unit))

    assert unit.points == 24
    assert unit.turn.scored == []


def test_wirecutters__barriers_are_open_this_turn_for_units_that_go_along() -> None:
    battle, (one, two) = together("merville", "1", "1")
    put(battle, one, "7", soldiers=20, courage=9, items=["Wirecutters"])
    put(battle, two, "7", soldiers=20, courage=9)
    assert "8" not in [way.to for way in moves(battle, two)]

    act(move_units(battle), "use:Wirecutters", "move:8", "move:8")

    assert (one.sector, two.sector) == ("8", "8")


def test_wirecutters__others_only_go_the_way_that_the_owner_went() -> None:
    battle, (one, two) = together("merville", "1", "1")
    put(battle, one, "7", soldiers=20, courage=9, items=["Wirecutters"])
    put(battle, two, "7", soldiers=20, courage=9)
    act(use_item(battle, one, "Wirecutters", Window.RECRUIT))
    assert not {"6", "8", "9"} & {way.to for way in moves(battle, two)}, "the owner stays still"

    begin(move_units(battle), "move:6")

    assert {"6", "8", "9"} & {way.to for way in moves(battle, two)} == {"6"}


@pytest.mark.rule("DDD-160", "DDD-161")
@pytest.mark.parametrize("comes_from", ["5", "7"])
def test_wirecutters__who_goes_where_another_went_is_no_companion(comes_from: str) -> None:
    battle, (one, two) = together("merville", "1", "1")
    put(battle, one, comes_from, soldiers=20, courage=9)
    put(battle, two, "7", soldiers=20, courage=9)
    one.turn.entered = one.sector = "8"
    one.turn.cutters_from = "5" if comes_from == "5" else ""

    assert "8" not in {way.to for way in moves(battle, two)}


@pytest.mark.rule("DDD-146")
@pytest.mark.parametrize("item", ["Bazooka", "Gammon Bomb", "Bangalore Torpedo"])
@pytest.mark.parametrize("window", [Window.COMBAT, Window.LOSSES])
def test_what_lowers_a_def_is_not_offered_where_none_is_left(item: str, window: Window) -> None:
    battle, (one, two) = together("tiger_advanced", def_by="chevrons")
    with_sector(battle, "8", defence=(7, 8))
    for unit in (one, two):
        put(battle, unit, "8", soldiers=30)
    one.items = [item]
    battle.state.lowered["8"] = 7
    assert usable(battle, one, window) == []

    two.stay = 2

    assert usable(battle, one, window) == [item], "the other fights against 1 still"


@pytest.mark.rule("DDD-116", "DDD-R70")
@pytest.mark.parametrize("item", ["Whistle", "Mine Detector", "Wirecutters"])
def test_what_helps_on_the_way_is_not_offered_to_who_has_gone(item: str) -> None:
    battle, (one, two) = together()
    put(battle, one, "5", soldiers=9, stay=4, visited=["1", "2", "4", "6", "5"])
    put(battle, two, "3", soldiers=9, items=[item])
    assert usable(battle, two, Window.MOVE) == [item]

    two.turn.moved = True

    assert usable(battle, two, Window.MOVE) == []
    assert [option.id for option in choices(battle, one, later=False, helps=True)] == ["lost"]


@pytest.mark.parametrize("window", [Window.RECRUIT, Window.MOVE])
def test_no_mine_detector_is_offered_beside_a_minesweeper(window: Window) -> None:
    battle, unit = holding("Mine Detector", "4", specialists=["Minesweeper"])

    assert usable(battle, unit, window) == []


@pytest.mark.rule("DDD-102")
@pytest.mark.parametrize("window", [Window.COMBAT, Window.LOSSES])
def test_a_carrier_pigeon_is_not_offered_in_combat_where_all_are_in_reach(window: Window) -> None:
    battle, (one, two, three) = together(players=3)
    put(battle, one, "2", items=["Carrier Pigeon"])
    put(battle, two, "2")
    put(battle, three, "5")
    assert usable(battle, one, window) == ["Carrier Pigeon"]

    put(battle, three, "2")

    assert usable(battle, one, window) == []
    assert usable(battle, one, Window.RECRUIT) == ["Carrier Pigeon"], "they may part yet"


@pytest.mark.parametrize(("players", "offered"), [(1, []), (2, ["Grenade"])])
def test_a_grenade_is_not_offered_where_the_guns_harm_nobody(players: int, offered: list[str]) -> None:
    battle, units = together(players=players)
    for unit in units:
        put(battle, unit, "8", soldiers=30)
    units[0].items = ["Grenade", "Flak Vest"]
    units[0].turn.ignore_guns = True

    assert usable(battle, units[0], Window.COMBAT) == offered
