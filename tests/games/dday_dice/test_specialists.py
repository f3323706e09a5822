"""Each Specialist, in the order of the book's list: one test a card, named after it."""

from __future__ import annotations

import pytest

from companion.engine.asks import Choose, Number, Roll
from companion.games.dday_dice.arriving import price
from companion.games.dday_dice.changes import changes
from companion.games.dday_dice.combat import combat
from companion.games.dday_dice.dice import Colour, Face
from companion.games.dday_dice.effects import Rwb
from companion.games.dday_dice.losses import suffer
from companion.games.dday_dice.moving import choices, move_units
from companion.games.dday_dice.recruiting import recruit_and_find
from companion.games.dday_dice.rolling import roll_the_dice
from companion.games.dday_dice.state import Status, Turn
from companion.games.dday_dice.trading import give
from companion.games.dday_dice.upkeep import turn_marker, upkeep
from tests.games.dday_dice.beach import act, alone, begin, put, shipped, show, together, with_sector


def test_every_specialist_of_the_list_has_a_test_here() -> None:
    names = {name.lower().replace(" ", "_") for name in shipped().specialist}

    assert len(names) == 24
    assert names <= {name.removeprefix("test_").partition("__")[0] for name in globals()}


def test_beachmaster__three_soldiers_for_each_advance() -> None:
    battle, unit = alone()
    put(battle, unit, "2", soldiers=5, courage=9, specialists=["Beachmaster", "Veteran"])

    act(move_units(battle), "move:4")

    assert unit.soldiers == 8


def test_beachmaster__paid_even_if_sacrificed_by_that_advance_but_not_sideways() -> None:
    battle, unit = alone()
    put(battle, unit, "4", soldiers=5, courage=9, specialists=["Beachmaster"])
    act(move_units(battle), "move:7")
    assert (unit.soldiers, unit.specialists) == (8, [])

    put(battle, unit, "7", soldiers=5, specialists=["Beachmaster"])
    unit.turn.moved = False
    act(move_units(battle), "move:8")
    assert unit.soldiers == 5


def test_chaplain__a_courage_for_each_rwb() -> None:
    battle, unit = alone("utah", "1")
    put(battle, unit, "4", soldiers=1, specialists=["Chaplain"])

    act(upkeep(battle, show(unit, "R 2S 1S W 2S 1S B 2S 1S")))

    assert unit.courage == 2


@pytest.mark.rule("DDD-R13")
def test_corporal__rerolls_one_unlocked_die_after_rolling() -> None:
    battle, unit = alone()
    put(battle, unit, "4", soldiers=9, specialists=["Corporal"])

    stage = act(roll_the_dice(battle, unit), ["skull", *["star"] * 5], ["r1", "b2"], [], "w1", ["tool"])

    assert "r1" not in stage.ids("roll.single")
    assert unit.dice[2].face is Face.TOOL
    assert stage.keys[-2:] == ["roll.single", "roll.one"]


def test_hero__pays_casualties_with_courage_and_stars() -> None:
    battle, unit = alone("utah", "1")
    put(battle, unit, "4", soldiers=9, courage=2, stars=3, specialists=["Hero"])

    act(suffer(battle, unit, 7, "combat", rule=()), 2, 3, "soldiers")

    assert (unit.soldiers, unit.courage, unit.stars) == (7, 0, 0)


def test_hero__is_asked_with_what_there_is_to_lose() -> None:
    battle, unit = alone("utah", "1")
    put(battle, unit, "4", soldiers=3, courage=2, stars=3, specialists=["Hero"])

    stage = act(suffer(battle, unit, 7, "combat", rule=()), 2, 2, "soldiers")

    assert [ask.text for ask in stage.asks] == [
        "Lose 7, 3 Soldiers there: pay how many Courage?",
        "Lose 5, 3 Soldiers there: pay how many Stars?",
        "Lose 3, 3 Soldiers there: who falls?",
    ]
    assert [ask.detail for ask in stage.asks[:2]] == [
        "Courage 2: each saves 1 Soldier",
        "Stars 3: each saves 1 Soldier",
    ]


def test_hero__pays_no_more_than_falls() -> None:
    battle, unit = alone("utah", "1")
    put(battle, unit, "4", soldiers=9, courage=9, stars=9, specialists=["Hero"])

    asks = begin(suffer(battle, unit, 4, "combat", rule=()), 1).asks

    assert [ask.most for ask in asks if isinstance(ask, Number)] == [4, 3]
    act(suffer(battle, unit, 4, "combat", rule=()), 4)
    assert (unit.soldiers, unit.courage, unit.stars) == (9, 4, 9), "and no Stars are asked for"


def test_hero__the_report_says_what_was_paid_instead_of_soldiers() -> None:
    battle, unit = alone("omaha")
    put(battle, unit, "4", soldiers=5, courage=3, stars=1, specialists=["Hero"])

    stage = act(combat(battle), 2, 1, "soldiers")

    assert stage.asks[-1].text == "2 Courage paid; 1 Star paid; 6 lost, 2 Soldiers left"


def test_hero__who_pays_nothing_is_not_told_so() -> None:
    battle, unit = alone("omaha")
    put(battle, unit, "4", soldiers=9, courage=3, specialists=["Hero"])

    assert act(combat(battle), 0, "soldiers").asks[-1].text == "6 lost, 3 Soldiers left"


def test_medic__one_fewer_lost_in_each_phase() -> None:
    battle, unit = alone()
    put(battle, unit, "7", soldiers=30, courage=9, specialists=["Medic"])

    act(move_units(battle), "move:9", ["3"], "soldiers")
    assert unit.soldiers == 28
    battle.state.lowered["9"] = 4
    act(combat(battle), ["2"], "soldiers")

    assert unit.soldiers == 28 - 7


def test_what_will_fall_is_told_less_what_a_medic_saves() -> None:
    battle, unit = alone()
    put(battle, unit, "4", soldiers=30, specialists=["Medic"], items=["Field Radio"])

    assert begin(combat(battle)).open.text == "Sector 4: 5 will fall. Use?"

    put(battle, unit, "5", courage=9)
    mines = begin(move_units(battle), "move:7", ["4"]).open
    assert (mines.text, mines.options[0].label) == ("Landmines: 3 will fall. Use?", "go on")


def test_minesweeper__is_not_harmed_by_landmines() -> None:
    battle, unit = alone()
    put(battle, unit, "7", soldiers=9, courage=9, specialists=["Minesweeper"])

    assert act(move_units(battle), "move:9").keys == ["move"]
    assert unit.soldiers == 9


@pytest.mark.rule("DDD-R39")
@pytest.mark.parametrize(("losses", "left"), [(3, 2), (6, 2), (7, 1)])
def test_paratrooper__stands_for_six_soldiers_and_what_fewer_casualties_leave_of_him_is_lost(
    losses: int, left: int
) -> None:
    battle, unit = alone("merville", "1")
    put(battle, unit, "4", soldiers=2, specialists=["Paratrooper"])
    assert battle.strength(unit) == 8

    act(suffer(battle, unit, losses, "combat", rule=()))

    assert (unit.soldiers, unit.specialists) == (left, [])


@pytest.mark.rule("DDD-165", "DDD-R39")
def test_paratrooper__falls_first_where_the_other_way_round_nobody_would_be_left() -> None:
    battle, unit = alone("merville", "1")
    put(battle, unit, "4", soldiers=0, specialists=["Corporal", "Paratrooper"])

    stage = act(suffer(battle, unit, 3, "combat", rule=()))

    assert stage.keys == []
    assert unit.specialists == ["Corporal"]


@pytest.mark.rule("DDD-165", "DDD-R39")
def test_paratrooper__alone_falls_with_the_first_casualty() -> None:
    battle, unit = alone("merville", "1")
    put(battle, unit, "4", soldiers=0, specialists=["Paratrooper"])

    act(suffer(battle, unit, 1, "combat", rule=()))

    assert (unit.status, unit.dead) == (Status.LOST, ["Paratrooper"])


def test_pathfinder__a_soldier_for_every_move() -> None:
    battle, unit = alone("merville", "1")
    put(battle, unit, "3", soldiers=5, courage=9, specialists=["Pathfinder"])
    act(move_units(battle), "move:4")
    assert unit.soldiers == 6

    unit.turn.moved = False
    act(move_units(battle), "move:7")

    assert unit.soldiers == 7


def test_platoon_leader__each_advance_is_one_courage_cheaper() -> None:
    battle, unit = alone("gold")
    put(battle, unit, "7", specialists=["Platoon Leader"])
    way = next(way for way in battle.field.ways["7"] if way.to == "10")

    assert (way.courage, price(battle, unit, way)) == (3, 2)
    assert price(battle, unit, battle.field.ways["1"][0]) == 0


def test_point_man__sacrificed_to_stay_one_turn_longer() -> None:
    battle, unit = alone("sword")
    put(battle, unit, "2", soldiers=9, specialists=["Point Man"])
    assert "linger:Point Man" not in [option.id for option in choices(battle, unit, later=False)]
    unit.stay = 4

    act(move_units(battle), "linger:Point Man", "stay")

    assert unit.sector == "2"
    assert unit.dead == ["Point Man"]
    unit.turn.lingers = False
    turn_marker(battle, unit)
    assert battle.must_move(unit)


@pytest.mark.rule("DDD-R20")
def test_scout__a_colourless_tool_each_turn() -> None:
    battle, unit = alone()
    put(battle, unit, "4", soldiers=1, specialists=["Scout"])

    act(upkeep(battle, show(unit, "R To 1S W To 1S B 1S 2S")))

    assert unit.points == 6
    assert unit.turn.scored == [Rwb.REINFORCEMENTS]


@pytest.mark.parametrize(
    ("dice", "cancelled"), [("R Sk 1S W To 1S B St Co", 0), ("R Sk Sk W To 1S B St Co", 1)]
)
def test_sharpshooter__one_skull_cancels_nothing(dice: str, cancelled: int) -> None:
    battle, unit = alone()
    put(battle, unit, "4", soldiers=1, specialists=["Sharpshooter"])

    stage = act(upkeep(battle, show(unit, dice)), *(["2"] * cancelled))

    assert stage.keys.count("tally.cancel") == cancelled


def test_sharpshooter__his_skull_still_forms_a_gift() -> None:
    battle, unit = alone()
    put(battle, unit, "4", soldiers=1, specialists=["Sharpshooter"])

    act(upkeep(battle, show(unit, "R Sk Sk W Sk 1S B Sk Co")))

    assert unit.points == 20
    assert unit.courage == 1


def test_veteran__a_soldier_for_each_rwb() -> None:
    battle, unit = alone()
    put(battle, unit, "4", soldiers=1, specialists=["Veteran"])

    act(upkeep(battle, show(unit, "R 2S To W 2S St B 2S To")))

    assert unit.soldiers == 1 + 6 + 6 + 1


def test_captain__changes_the_colour_of_one_die_a_turn() -> None:
    battle, unit = alone()
    put(battle, unit, "4", soldiers=1, specialists=["Captain"])
    show(unit, "R St St W To 1S B St 1S")

    act(changes(battle, unit), "captain", "r2", "white")
    act(upkeep(battle, unit), "courage2")

    assert unit.turn.scored == [Rwb.LEADERSHIP]
    assert act(changes(battle, unit)).keys == []


def test_combat_photographer__sacrificed_the_tally_serves_again() -> None:
    battle, unit = alone("omaha")
    put(battle, unit, "4", soldiers=1, specialists=["Combat Photographer"])
    show(unit, "R To To W To To B 1S 1S")

    act(changes(battle, unit), "keep:Combat Photographer")
    act(upkeep(battle, unit))
    stage = act(roll_the_dice(battle, unit))
    assert (stage.keys, stage.asks[0].text) == (
        ["roll.kept"],
        "No roll: last turn's tally again. R To To W To To B 1S 1S",
    )
    assert stage.asks[0].detail == "+2 Soldiers, +0 Stars, +0 Courage, +12 IP; Special Find needs B Tool"
    act(upkeep(battle, unit))

    assert unit.dead == ["Combat Photographer"]
    assert unit.points == 24
    assert begin(roll_the_dice(battle, unit)).keys == ["roll.1"]


@pytest.mark.rule("DDD-171")
def test_combat_photographer__does_not_give_himself_up_where_he_is_the_last() -> None:
    battle, unit = alone("omaha")
    put(battle, unit, "4", soldiers=0, specialists=["Combat Photographer"])

    assert act(changes(battle, show(unit, "R To To W To To B 1S 1S"))).keys == []
    unit.soldiers = 1
    assert begin(changes(battle, unit)).ids("tally.change") == ["done", "keep:Combat Photographer"]


def test_combat_photographer__a_corporal_rolls_one_die_of_the_tally_that_serves_again() -> None:
    battle, unit = alone("omaha")
    put(battle, unit, "4", soldiers=1, specialists=["Corporal"], keeps_tally=True)
    show(unit, "R Sk To W To To B 1S 1S", "r1 r2")

    stage = act(roll_the_dice(battle, unit), "r1", ["tool"])

    assert stage.keys == ["roll.kept", "roll.single", "roll.one"]
    assert [die.face for die in unit.dice[:4]] == [Face.TOOL] * 4


@pytest.mark.rule("DDD-R48")
def test_combat_photographer__a_die_of_the_kept_tally_is_rolled_in_its_own_colour() -> None:
    battle, unit = alone("omaha")
    put(battle, unit, "4", soldiers=1, specialists=["Captain", "Corporal", "Combat Photographer"])
    show(unit, "R Sk To W To To B 1S 1S")
    act(changes(battle, unit), "captain", "b1", "white", "keep:Combat Photographer")
    unit.turn = Turn()

    stage = act(roll_the_dice(battle, unit), "b1", ["tool"])

    question = stage.asks[-1]
    assert isinstance(question, Roll)
    assert question.text == "Roll the blue die, it counts as white"
    assert [(dice.die, dice.count) for dice in question.dice] == [("dday.blue", 1)]
    assert (unit.dice[4].colour, unit.dice[4].face) == (Colour.WHITE, Face.TOOL)


@pytest.mark.rule("DDD-R42")
def test_decoy__is_sacrificed_in_place_of_another() -> None:
    battle, unit = alone("omaha")
    put(battle, unit, "7", soldiers=20, courage=9, specialists=["Medic", "Decoy"])

    act(move_units(battle), "move:9", "Decoy")

    assert unit.specialists == ["Medic"]


@pytest.mark.rule("DDD-R42")
def test_decoy__stands_in_for_whom_special_damage_takes() -> None:
    battle, unit = alone("omaha")
    put(battle, unit, "5", soldiers=20, specialists=["Medic", "Decoy"])

    act(combat(battle), ["6"], "Decoy", "soldiers")

    assert unit.specialists == ["Medic"]


@pytest.mark.rule("DDD-R42")
def test_decoy__stands_in_for_a_casualty() -> None:
    battle, unit = alone("omaha")
    put(battle, unit, "5", soldiers=1, specialists=["Medic", "Decoy"])

    act(suffer(battle, unit, 2, "combat", rule=()), "Decoy")

    assert (unit.specialists, unit.dead) == (["Medic"], ["Decoy"])


@pytest.mark.rule("DDD-R42")
def test_decoy__stands_in_for_a_photographer() -> None:
    battle, unit = alone("omaha")
    put(battle, unit, "4", soldiers=1, specialists=["Combat Photographer", "Decoy"])
    show(unit, "R To To W To To B 1S 1S")

    stage = act(changes(battle, unit), "keep:Combat Photographer", "Decoy")

    assert unit.keeps_tally
    assert (unit.specialists, stage.open) == (["Combat Photographer"], None)


@pytest.mark.rule("DDD-R42")
@pytest.mark.parametrize(
    ("name", "answer"),
    [
        ("Point Man", "linger:Point Man"),
        ("War Correspondent", "exchange:War Correspondent"),
        ("Grenadier", "silence:Grenadier"),
    ],
)
def test_decoy__stands_in_for_whoever_gives_himself_up(name: str, answer: str) -> None:
    battle, (one, two) = together("juno", bazooka_joe="all")
    with_sector(battle, "6", guns=1)
    put(battle, one, "6", soldiers=9, specialists=[name, "Decoy"])
    put(battle, two, "3", soldiers=9)
    one.stay = 4 if name == "Point Man" else 1

    begin(move_units(battle), answer, "Decoy")

    assert (one.specialists, one.dead) == ([name], ["Decoy"])


def test_engineer__any_bunkers_def_is_five_lower() -> None:
    battle, unit = alone()
    put(battle, unit, "9", specialists=["Engineer"])

    assert battle.defence(unit, "Bunker", 0) == 7
    assert battle.defence(unit, "9", 0) == 10


def test_general__every_unit_locks_one_die() -> None:
    battle, (one, two) = together("utah", "1", "1")
    put(battle, one, "4", specialists=["General"])

    stage = begin(roll_the_dice(battle, two), ["star"] * 6, ["r1"])

    assert len(stage.ids("roll.again.2")) == 5


def test_grenadier__sacrificed_to_silence_his_sectors_guns_for_good() -> None:
    battle, unit = alone("merville", "1")
    put(battle, unit, "8", soldiers=30, specialists=["Grenadier"])
    stage = act(combat(battle), "silence:Grenadier")

    assert "guns" not in stage.keys
    assert unit.dead == ["Grenadier"]
    assert act(combat(battle)).keys == ["combat"]


def test_grenadier__is_not_offered_once_the_guns_have_fired() -> None:
    battle, unit = alone("merville", "1")
    put(battle, unit, "8", soldiers=30, specialists=["Grenadier"], items=["Field Radio"])

    stage = begin(combat(battle), "done", ["2"])

    assert "silence:Grenadier" in stage.ids("combat.before")
    assert stage.ids("combat.after") == ["done", "use:Field Radio"]


def test_grenadier__is_offered_with_what_it_costs_before_and_after_a_move() -> None:
    battle, (one, two) = together("merville", "1", "1")
    for unit in (one, two):
        put(battle, unit, "8", soldiers=30, specialists=["Grenadier"])
    stage = begin(combat(battle))
    assert isinstance(stage.open, Choose)

    for options in (stage.open.options, choices(battle, one, later=False)):
        (offer,) = (option for option in options if option.id == "silence:Grenadier")
        assert offer.detail == battle.pack.specialist["Grenadier"].text


def test_grenadier__not_in_a_bunker() -> None:
    battle, unit = alone("merville", "1")
    put(battle, unit, "Bunker", soldiers=60, specialists=["Grenadier"])

    assert "combat.before" not in begin(combat(battle)).keys


@pytest.mark.rule("DDD-171")
def test_grenadier__does_not_give_himself_up_where_he_is_the_last() -> None:
    battle, unit = alone("merville", "1")
    put(battle, unit, "8", soldiers=0, specialists=["Grenadier"])

    assert "combat.before" not in begin(combat(battle)).keys


def test_grenadier__may_silence_them_for_others_before_his_unit_moves_on() -> None:
    battle, (one, two) = together("merville", "1", "1")
    put(battle, one, "8", soldiers=30, courage=9, specialists=["Grenadier", "Medic"])
    put(battle, two, "8", soldiers=30)

    act(move_units(battle), "silence:Grenadier", "move:11", "stay")

    assert battle.guns("8") == 0
    assert "guns" not in act(combat(battle), "soldiers").keys
    for sector in ("8", "Bunker"):
        put(battle, two, sector, specialists=["Grenadier"])
        offered = [option.id for option in choices(battle, two, later=False)]
        assert "silence:Grenadier" not in offered, sector


def test_lieutenant__lets_units_swap_a_die() -> None:
    battle, (one, two) = together()
    put(battle, one, "2", specialists=["Lieutenant"])
    show(one, "R St St W St To B Co Co")
    show(two, "R To To W To To B To To")

    act(changes(battle, two), "swap", "b1", "r1")

    assert (one.dice[0].face, two.dice[4].face) == (Face.TOOL, Face.STAR)


def test_marksman__three_soldiers_for_each_locked_skull() -> None:
    battle, unit = alone("sword")
    put(battle, unit, "2", soldiers=0, specialists=["Marksman"])

    act(roll_the_dice(battle, unit), ["skull", "star", "skull", "tool", "courage", "star"], ["r1", "w1"], [])
    act(upkeep(battle, unit), ["1", "3"])

    assert unit.soldiers == 6


def test_messenger__specialists_cost_a_star_less_and_he_is_traded_once_a_turn() -> None:
    battle, (one, two) = together()
    put(battle, one, "2", soldiers=5, stars=3, specialists=["Messenger"])
    put(battle, two, "2", soldiers=5)
    act(recruit_and_find(battle, one), "recruit:Medic", "done")
    assert one.stars == 0

    act(give(battle, one), "specialist:Messenger")

    assert (one.specialists, two.specialists) == (["Medic"], ["Messenger"])
    assert "specialist:Messenger" not in begin(give(battle, two)).ids("trade.what")


def test_quartermaster__every_unit_pays_two_item_points_less() -> None:
    battle, (one, two) = together("gold")
    put(battle, one, "2", specialists=["Quartermaster"])

    assert battle.item_price(two, "Binoculars") == 8
    assert battle.item_price(two, "Lucky Charm") == 1


def test_war_correspondent__two_units_change_places_with_their_markers() -> None:
    battle, (one, two) = together("juno")
    put(battle, one, "3", soldiers=9, specialists=["War Correspondent"])
    put(battle, two, "6", soldiers=9)
    put(battle, two, "6")
    two.visited = ["1", "3", "6"]
    one.stay = 2

    stage = begin(move_units(battle), "exchange:War Correspondent", "stay")

    assert (one.sector, two.sector) == ("6", "3")
    assert (battle.marker(one), battle.marker(two)) == ("2 chevrons", "1 chevron")
    assert one.dead == ["War Correspondent"]
    assert stage.keys[0] == "move"
    assert "stay" in [option.id for option in choices(battle, two, later=False)]
