"""Phase 5: DEF, machine guns, casualties (DDD-140 to DDD-154, DDD-162 to DDD-165)."""

from __future__ import annotations

import msgspec
import pytest

from companion.engine.asks import RESTATED, Choose, Number
from companion.games.dday_dice.combat import combat
from companion.games.dday_dice.effects import ByHand
from companion.games.dday_dice.ending import over
from companion.games.dday_dice.losses import suffer
from companion.games.dday_dice.moving import move_units
from companion.games.dday_dice.play import turn
from companion.games.dday_dice.records import Damage
from companion.games.dday_dice.state import Status
from companion.games.dday_dice.upkeep import turn_marker
from tests.games.dday_dice.beach import act, alone, begin, put, together, with_sector


@pytest.mark.rule("DDD-140")
def test_each_unit_loses_the_def_of_its_sector() -> None:
    battle, units = together()
    for unit in units:
        put(battle, unit, "4", soldiers=10)

    act(combat(battle), "done", "done")

    assert [unit.soldiers for unit in units] == [4, 4]


@pytest.mark.rule("DDD-141")
@pytest.mark.parametrize("shield", [True, False])
def test_the_shields_colour_does_not_change_the_def(shield: bool) -> None:
    battle, unit = alone()
    with_sector(battle, "4", shield=shield)
    put(battle, unit, "4", soldiers=10)

    act(combat(battle))

    assert unit.soldiers == 4


@pytest.mark.rule("DDD-142")
def test_of_several_defs_each_combat_uses_the_next() -> None:
    battle, unit = alone()
    with_sector(battle, "4", defence=(4, 6, 8), shield=False)
    put(battle, unit, "4", soldiers=30)
    left = []
    for _ in range(4):
        act(combat(battle))
        left.append(unit.soldiers)

    assert left == [26, 20, 12, 4]


@pytest.mark.rule("DDD-143")
def test_units_in_one_sector_may_face_different_defs() -> None:
    battle, (one, two) = together()
    with_sector(battle, "4", defence=(4, 6, 8), shield=False)
    put(battle, one, "4", soldiers=20)
    put(battle, two, "4", soldiers=20)
    one.stay, one.combats = 3, 2

    assert [battle.marker(one), battle.marker(two)] == ["3 chevrons", "1 chevron"]
    act(combat(battle), "done", "done")

    assert (one.soldiers, two.soldiers) == (12, 16)


@pytest.mark.rule("DDD-145")
def test_reductions_add_up() -> None:
    battle, unit = alone()
    put(battle, unit, "Bunker", soldiers=20, specialists=["Engineer"], items=["Flame-Thrower"])

    act(combat(battle), "use:Flame-Thrower", ["4"], "soldiers")

    assert unit.soldiers == 16


@pytest.mark.rule("DDD-145")
def test_reductions_by_items_add_up_too() -> None:
    battle, unit = alone()
    put(battle, unit, "Bunker", soldiers=20, items=["Bazooka", "Gammon Bomb"])

    act(combat(battle), "use:Bazooka", "use:Gammon Bomb", ["2"], ["4"])

    assert unit.soldiers == 20 - (12 - 7 - 2) - 4


@pytest.mark.rule("DDD-014")
def test_who_falls_in_a_combat_has_still_lowered_its_def_for_the_others() -> None:
    battle, (one, two) = together()
    put(battle, one, "Bunker", soldiers=20, specialists=["Engineer"])
    put(battle, two, "Bunker", soldiers=20)

    act(combat(battle), ["1"], "done", "done", "Engineer")

    assert two.soldiers == 20 - (12 - 5) - 1


@pytest.mark.parametrize(
    ("here", "elsewhere", "asked"),
    [
        ("2", "3", ["combat.after"]),
        ("2", "8", ["guns", "combat.after"]),
        ("8", "2", ["combat.before", "guns", "combat.after"]),
    ],
    ids=["no guns", "guns elsewhere", "guns here"],
)
def test_where_no_guns_fire_items_are_asked_for_once(here: str, elsewhere: str, asked: list[str]) -> None:
    battle, (one, two) = together()
    put(battle, one, here, soldiers=30, items=["Field Radio", "Bazooka", "Medal Case"])
    put(battle, two, elsewhere, soldiers=30)
    answers = {"combat.before": "done", "combat.after": "done", "guns": ["3"]}

    stage = act(combat(battle), *(answers[key] for key in asked))

    assert stage.keys == [*asked, "combat"]


@pytest.mark.rule("DDD-068")
def test_no_award_is_to_be_drawn_before_the_guns_fire_since_none_can_be_played_then() -> None:
    battle, unit = alone()
    put(battle, unit, "8", soldiers=30, items=["Medal Case"])

    assert act(combat(battle), ["3"], "done").keys == ["guns", "combat.after", "combat"]


def test_an_item_of_the_owner_that_is_done_by_hand_can_be_used_before_guns_fire_anywhere() -> None:
    battle, (one, two) = together()
    radio = msgspec.structs.replace(battle.pack.item["Field Radio"], effects=(ByHand("Silence a gun"),))
    battle.pack = msgspec.structs.replace(battle.pack, item=battle.pack.item | {"Field Radio": radio})
    put(battle, one, "2", soldiers=30, items=["Field Radio"])
    put(battle, two, "8", soldiers=30)

    assert begin(combat(battle)).open.key == "dday_dice.combat.before"


@pytest.mark.rule("DDD-146")
def test_a_def_never_drops_below_0() -> None:
    battle, unit = alone()
    with_sector(battle, "9", defence=(6,))
    put(battle, unit, "9", soldiers=20, items=["Bazooka"])

    act(combat(battle), "use:Bazooka", ["4"])

    assert unit.soldiers == 16


@pytest.mark.rule("DDD-R40")
def test_where_nobody_is_lost_a_medic_brings_nobody_back() -> None:
    battle, unit = alone()
    put(battle, unit, "4", soldiers=9, specialists=["Medic"])
    battle.state.zeroed.append("4")

    act(combat(battle))

    assert unit.soldiers == 9


@pytest.mark.rule("DDD-082", "DDD-165", "DDD-R38")
def test_specialists_without_a_soldier_beside_them_are_a_unit_still() -> None:
    battle, unit = alone()
    put(battle, unit, "1", soldiers=0, specialists=["Scout", "Veteran", "Corporal"])

    act(combat(battle), "Scout", "Corporal")

    assert (unit.status, unit.specialists) == (Status.FIGHTING, ["Veteran"])


@pytest.mark.rule("DDD-092", "DDD-147")
def test_what_guns_rolled_a_turn_ago_harms_nobody_once_they_are_silent() -> None:
    battle, unit = alone()
    put(battle, unit, "8", soldiers=30, items=["Grenade"])
    battle.state.guns["8"] = [5]

    begin(turn(battle))
    act(combat(battle), "use:Grenade")

    assert unit.soldiers == 30 - 8


@pytest.mark.rule("DDD-146")
@pytest.mark.parametrize(
    ("sector", "fields"), [("8", {"vehicle": "Tank"}), ("Bunker", {"specialists": ["Engineer"]})]
)
def test_a_def_that_vehicle_or_engineer_lowers_takes_nothing_off_the_guns(
    sector: str, fields: dict[str, object]
) -> None:
    battle, unit = alone()
    with_sector(battle, sector, defence=(1,), guns=1)
    put(battle, unit, sector, **({"soldiers": 20} | fields))

    assert battle.defence(unit, sector, 0) == 0
    act(combat(battle), ["4"], *(["soldiers"] if unit.specialists else []))
    assert unit.soldiers == 16


@pytest.mark.rule("DDD-147")
def test_a_machine_gun_adds_a_die_to_the_def() -> None:
    battle, unit = alone()
    put(battle, unit, "8", soldiers=20)

    act(combat(battle), ["5"])

    assert unit.soldiers == 7


@pytest.mark.rule("DDD-004", "DDD-148", "DDD-R64")
def test_one_roll_of_ordinary_dice_counts_for_all_units_there() -> None:
    battle, units = together()
    for unit in units:
        put(battle, unit, "8", soldiers=20)

    stage = act(combat(battle), ["5"], "done", "done")

    assert stage.keys.count("guns") == 1
    assert stage.asks[0].dice[0].faces == ("1", "2", "3", "4", "5", "6")
    assert [unit.soldiers for unit in units] == [7, 7]


@pytest.mark.rule("DDD-147", "DDD-148", "DDD-R64")
def test_every_sector_with_units_in_it_has_a_roll_of_its_own() -> None:
    battle, (one, two) = together()
    put(battle, one, "8", soldiers=20)
    put(battle, two, "9", soldiers=20)

    stage = act(combat(battle), ["5"], ["2"])

    assert stage.keys.count("guns") == 2
    assert (battle.state.guns["8"], battle.state.guns["9"]) == ([5], [2])


@pytest.mark.rule("DDD-149")
def test_a_changed_gun_die_counts_for_all_units_there() -> None:
    battle, (one, two) = together()
    put(battle, one, "8", soldiers=20, items=["Binoculars"])
    put(battle, two, "8", soldiers=20)

    act(combat(battle), ["6"], "0:1", "done", "done")

    assert (one.soldiers, two.soldiers) == (11, 11)


@pytest.mark.rule("DDD-149", "DDD-R58")
def test_binoculars_may_leave_a_die_and_a_rangefinder_turns_no_gun_die() -> None:
    battle, unit = alone()
    put(battle, unit, "8", soldiers=20, items=["Binoculars", "Rangefinder"])

    stage = act(combat(battle), ["6"], "keep")

    assert stage.keys.count("card.binoculars") == 1
    assert stage.ids("card.binoculars") == ["keep", *(f"0:{n}" for n in range(1, 6))]
    assert unit.soldiers == 20 - 14
    assert unit.items == ["Binoculars", "Rangefinder"]
    unit.items = ["Rangefinder"]
    assert "card.binoculars" not in act(combat(battle), ["1"]).keys


@pytest.mark.rule("DDD-150")
def test_several_guns_roll_a_die_each() -> None:
    battle, unit = alone()
    with_sector(battle, "8", defence=(5,), guns=2)
    put(battle, unit, "8", soldiers=20)

    act(combat(battle), ["3", "6"])

    assert unit.soldiers == 6


@pytest.mark.rule("DDD-151", "DDD-152", "DDD-154")
def test_a_6_also_does_the_special_damage() -> None:
    battle, unit = alone()
    with_sector(battle, "8", damage=Damage.COURAGE)
    put(battle, unit, "8", soldiers=20, courage=2)

    act(combat(battle), ["6"])

    assert (unit.soldiers, unit.courage) == (6, 1)


@pytest.mark.rule("DDD-151")
def test_a_5_does_none() -> None:
    battle, unit = alone()
    with_sector(battle, "8", damage=Damage.COURAGE)
    put(battle, unit, "8", soldiers=20, courage=2)

    act(combat(battle), ["5"])

    assert unit.courage == 2


@pytest.mark.rule("DDD-152")
def test_special_damage_may_take_a_specialist_of_the_players_choice() -> None:
    battle, unit = alone()
    with_sector(battle, "8", damage=Damage.SPECIALIST)
    put(battle, unit, "8", soldiers=20, specialists=["Scout", "Veteran"])

    act(combat(battle), ["6"], "Veteran", "soldiers")

    assert unit.specialists == ["Scout"]


@pytest.mark.rule("DDD-153")
def test_every_6_does_its_damage() -> None:
    battle, unit = alone()
    with_sector(battle, "8", damage=Damage.COURAGE, guns=2)
    put(battle, unit, "8", soldiers=30, courage=3)

    act(combat(battle), ["6", "6"])

    assert (unit.soldiers, unit.courage) == (30 - 8 - 12, 1)


@pytest.mark.rule("DDD-154")
@pytest.mark.parametrize(
    ("damage", "specialists", "text"),
    [
        (Damage.SPECIALIST, [], "14 will fall"),
        (Damage.SPECIALIST, ["Medic"], "14 will fall, -1 Specialist first"),
        (Damage.SPECIALIST, ["Medic", "Scout"], "13 will fall, -1 Specialist first"),
        (Damage.COURAGE, ["Medic"], "13 will fall, -1 Courage first"),
    ],
)
def test_who_may_still_use_something_is_told_of_special_damage(
    damage: Damage, specialists: list[str], text: str
) -> None:
    battle, unit = alone()
    with_sector(battle, "8", damage=damage)
    put(battle, unit, "8", soldiers=20, courage=2, specialists=specialists, items=["Field Radio"])

    assert begin(combat(battle), "done", ["6"]).open.text == f"Sector 8: {text}. Use?"


def test_what_will_fall_counts_an_engineer_whom_special_damage_takes() -> None:
    battle, unit = alone()
    with_sector(battle, "Bunker", damage=Damage.SPECIALIST)
    put(battle, unit, "Bunker", soldiers=30, specialists=["Engineer"], items=["Field Radio"])

    stage = act(combat(battle), "done", ["6"], "done")

    told = stage.asks[stage.keys.index("combat.after")]
    assert told.text == "Bunker: 13 will fall, -1 Specialist first. Use?"
    assert unit.soldiers == 30 - 13


@pytest.mark.rule("DDD-162", "DDD-163")
def test_a_unit_that_moved_fights_where_it_now_stands_one_that_stayed_too() -> None:
    battle, (one, two) = together()
    put(battle, one, "2", soldiers=20, courage=9)
    put(battle, two, "2", soldiers=20)

    act(move_units(battle), "move:4", "stay")
    act(combat(battle))

    assert (one.soldiers, two.soldiers) == (14, 16)


@pytest.mark.rule("DDD-164")
def test_casualties_are_soldiers_with_specialists_among_them() -> None:
    battle, unit = alone()
    put(battle, unit, "4", soldiers=5, specialists=["Scout"])

    act(suffer(battle, unit, 3, "combat", rule=()), "Scout")

    assert (unit.soldiers, unit.specialists) == (3, [])


@pytest.mark.rule("DDD-165", "DDD-171")
def test_a_unit_with_nobody_left_is_wiped_out() -> None:
    battle, unit = alone()
    put(battle, unit, "4", soldiers=5, specialists=["Scout", "Veteran"])

    act(suffer(battle, unit, 7, "combat", rule=()))

    assert unit.status == "lost"
    assert (unit.soldiers, unit.specialists, unit.dead) == (0, [], ["Scout", "Veteran"])
    outcome = over(battle)
    assert outcome is not None
    assert outcome.result == "lost"


@pytest.mark.rule("DDD-165")
@pytest.mark.parametrize(
    ("answers", "left"), [(["Scout", "soldiers"], (0, ["Veteran"])), (["Scout", "Veteran"], (1, []))]
)
def test_with_one_casualty_fewer_somebody_survives(answers: list[str], left: tuple[int, list[str]]) -> None:
    battle, unit = alone()
    put(battle, unit, "4", soldiers=5, specialists=["Scout", "Veteran"])

    act(suffer(battle, unit, 6, "combat", rule=()), *answers)

    assert (unit.soldiers, unit.specialists) == left


@pytest.mark.rule("DDD-R30")
def test_in_the_start_sector_a_unit_fights_twice_and_then_must_move() -> None:
    battle, unit = alone()
    put(battle, unit, "1", soldiers=20)
    fought = 0
    while True:
        turn_marker(battle, unit)
        if battle.must_move(unit):
            break
        act(combat(battle))
        fought += 1

    assert fought == 2
    assert unit.soldiers == 16


@pytest.mark.rule("DDD-R32")
def test_the_first_combat_under_a_black_shield_is_fought_on_one_chevron() -> None:
    battle, unit = alone()
    put(battle, unit, "2", soldiers=20, courage=2)

    act(move_units(battle), "move:4")

    assert battle.marker(unit) == "1 chevron"


@pytest.mark.rule("DDD-167", "DDD-R67")
def test_binoculars_of_a_safe_unit_are_out_of_play() -> None:
    battle, (one, two) = together()
    put(battle, one, "7", soldiers=20)
    put(battle, two, "Bunker", items=["Binoculars"], status=Status.SAFE)

    assert "card.binoculars" not in act(combat(battle), ["6"]).keys


@pytest.mark.rule("DDD-152", "DDD-165")
def test_special_damage_that_takes_the_last_man_ends_the_unit() -> None:
    battle, unit = alone()
    with_sector(battle, "8", damage=Damage.SPECIALIST, losses_d6=True)
    put(battle, unit, "8", soldiers=0, specialists=["Scout"])

    stage = act(combat(battle), ["6"], ["1"])

    assert unit.status == "lost"
    assert stage.keys == ["guns", "combat.extra", "combat"]
    assert stage.asks[-1].text == "Scout falls, card face down; 15 lost: wiped out in Sector 8"


def test_the_report_of_a_turn_says_what_happened_unasked() -> None:
    battle, unit = alone()
    put(battle, unit, "1", soldiers=20, courage=1, specialists=["Beachmaster"])
    act(move_units(battle), "move:2")
    assert act(combat(battle), "soldiers").asks[-1].text == (
        "+3 Soldiers for the move; Scout joins; 4 lost, 19 Soldiers left"
    )

    battle, unit = alone()
    put(battle, unit, "7", soldiers=20, courage=3, specialists=["Medic"], vehicle="Jeep")
    act(move_units(battle), "move:9", "yes", ["5"], "soldiers")
    report = act(combat(battle), ["3"], "Medic").asks[-1]
    assert report.rule[-1] == "DDD-083"
    assert report.text == (
        "Jeep left behind, out of the game; 4 lost to mines; Medic falls, card face down; "
        "12 lost, 5 Soldiers left"
    )

    battle, unit = alone("utah", "1")
    put(battle, unit, "13", soldiers=20, courage=1)
    assert act(combat(battle), ["6"]).asks[-1].text == "-1 Courage; 14 lost, 6 Soldiers left"


def test_one_soldier_and_one_gun_are_not_several() -> None:
    battle, unit = alone()
    put(battle, unit, "8", soldiers=14, items=["Grenade"], specialists=["Scout"])

    stage = act(combat(battle), "done", ["5"], "soldiers")

    assert stage.asks[0].text == "Sector 8: DEF 8, 1 gun. Use?"
    assert stage.asks[2].text == "Lose 13, 14 Soldiers there: who falls?"
    assert stage.asks[-1].text == "13 lost, 1 Soldier left"


def test_who_falls_is_asked_anew_when_the_dial_was_put_right() -> None:
    battle, unit = alone()
    put(battle, unit, "4", soldiers=10, specialists=["Scout", "Medic", "Captain"])
    script = suffer(battle, unit, 9, "combat", rule=())
    next(script)

    unit.soldiers = 6
    question = script.send(RESTATED)

    assert question.text == "Lose 8, 6 Soldiers there: who falls?"
    assert isinstance(question, Choose)
    assert [option.id for option in question.options] == ["Scout", "Medic", "Captain"]


def test_a_unit_whose_dial_is_put_right_to_too_few_is_lost() -> None:
    battle, unit = alone()
    put(battle, unit, "4", soldiers=10, specialists=["Scout"])
    script = suffer(battle, unit, 8, "combat", rule=())
    next(script)

    unit.soldiers, unit.specialists = 6, []
    question = script.send(RESTATED)
    with pytest.raises(StopIteration):
        script.send(question.accept("soldiers"))

    assert unit.status is Status.LOST


def test_a_hero_pays_no_more_than_the_dial_has_after_it_was_put_right() -> None:
    battle, unit = alone("utah", "1")
    put(battle, unit, "4", soldiers=9, courage=5, specialists=["Hero"])
    script = suffer(battle, unit, 7, "combat", rule=())
    next(script)

    unit.courage = 2
    question = script.send(RESTATED)

    assert isinstance(question, Number)
    assert question.most == 2


@pytest.mark.rule("DDD-R37")
def test_whom_a_sector_will_ask_for_is_not_offered_to_fall_where_soldiers_are_enough() -> None:
    battle, unit = alone()
    put(battle, unit, "4", soldiers=9, specialists=["Scout"])

    stage = act(suffer(battle, unit, 4, "mines", rule=(), spare=lambda: ["Scout"]))

    assert (stage.keys, unit.soldiers, unit.specialists) == ([], 5, ["Scout"])
