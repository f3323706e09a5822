"""Trading, and the Lieutenant's dice trade (DDD-102 to DDD-112)."""

from __future__ import annotations

import pytest

from companion.engine.asks import RESTATED, Choose, Number, Roll
from companion.games.dday_dice.changes import all_changes, changes
from companion.games.dday_dice.combat import combat, leave_play
from companion.games.dday_dice.dice import Colour, Face, Result
from companion.games.dday_dice.moving import move_units
from companion.games.dday_dice.recruiting import recruit_and_find, recruiting
from companion.games.dday_dice.rolling import roll_the_dice
from companion.games.dday_dice.state import Turn
from companion.games.dday_dice.trading import give, options, partners
from companion.games.dday_dice.upkeep import upkeep
from tests.games.dday_dice.beach import act, alone, begin, put, show, together, with_sector


@pytest.mark.rule("DDD-102")
def test_units_trade_in_the_same_sector_only() -> None:
    battle, (one, two) = together()
    put(battle, one, "2", soldiers=5)
    put(battle, two, "3", soldiers=5)
    assert partners(battle, one) == []
    assert options(battle, one) == []

    put(battle, two, "2")

    assert partners(battle, one) == [two]


@pytest.mark.rule("DDD-103", "DDD-106")
@pytest.mark.parametrize("dial", ["soldiers", "courage", "stars", "points"])
def test_each_resource_can_be_given_without_a_return(dial: str) -> None:
    battle, (one, two) = together()
    put(battle, one, "2", soldiers=9, courage=9, stars=9, points=9)
    put(battle, two, "2", soldiers=1)
    before = getattr(two, dial)

    act(give(battle, one), dial, 4)

    assert getattr(one, dial) == 5
    assert getattr(two, dial) == before + 4


def test_both_units_dials_are_told_as_soon_as_something_was_given() -> None:
    battle, (one, two) = together()
    put(battle, one, "2", soldiers=9, items=["Toolkit"])
    put(battle, two, "2", soldiers=1)
    show(one, "R To 1S W To 1S B St Co")
    now = [
        "Soldiers 5, Stars 0, Courage 0, Item Points 0",
        "B: Soldiers 5, Stars 0, Courage 0, Item Points 0",
    ]

    for phase in (all_changes, recruiting, move_units, combat):
        one.soldiers, two.soldiers = 9, 1
        stage = begin(phase(battle), "give", "soldiers", 4)
        assert [line for line in stage.asks[-1].detail.splitlines() if "Stars 0," in line] == now


@pytest.mark.rule("DDD-103")
def test_items_can_be_given() -> None:
    battle, (one, two) = together()
    put(battle, one, "2", soldiers=2, items=["Grenade"])
    put(battle, two, "2")

    act(give(battle, one), "item:Grenade")

    assert (one.items, two.items) == ([], ["Grenade"])


@pytest.mark.rule("DDD-104", "DDD-105")
def test_awards_and_specialists_cannot_be_given_but_the_messenger() -> None:
    battle, (one, two) = together()
    put(battle, one, "2", soldiers=2, specialists=["Medic", "Messenger"], awards=["Stand-in Star"])
    put(battle, two, "2")

    offered = begin(give(battle, one)).ids("trade.what")

    assert offered == ["soldiers", "specialist:Messenger"]
    put(battle, one, "2", soldiers=0, stars=1, specialists=["Messenger"])
    assert begin(give(battle, one)).ids("trade.what") == ["stars"], "nobody would be left"


@pytest.mark.rule("DDD-107")
def test_trading_is_offered_in_each_phase_where_it_matters() -> None:
    battle, (one, two) = together()
    put(battle, one, "2", soldiers=9, courage=9)
    put(battle, two, "2", soldiers=9)

    assert "give" in begin(recruit_and_find(battle, one)).ids("recruit")
    assert "give" in begin(move_units(battle)).ids("move")
    assert "give" in begin(combat(battle)).ids("combat.after")


@pytest.mark.rule("DDD-107")
def test_an_item_can_be_handed_to_who_needs_it_for_a_tally() -> None:
    battle, (one, two) = together()
    put(battle, one, "2", soldiers=9, items=["Toolkit"])
    put(battle, two, "2", soldiers=9)
    for unit in (one, two):
        show(unit, "R To 1S W To 1S B St Co")

    act(all_changes(battle), "give", "item:Toolkit", "use:Toolkit")

    assert (one.extra, len(two.extra)) == ([], 2)


def test_who_is_done_with_its_tally_is_not_asked_again_for_having_something_to_give() -> None:
    battle, (one, two) = together()
    put(battle, one, "2", soldiers=9, specialists=["Captain"])
    put(battle, two, "2", soldiers=9, items=["Grenade", "Toolkit"])
    for unit in (one, two):
        show(unit, "R To 1S W To 1S B St Co")

    stage = act(all_changes(battle), "done", "give", "item:Grenade", "done")

    assert one.items == ["Grenade"]
    assert [ask.text[:3] for ask in stage.asks if ask.key.endswith("change")] == ["A: ", "B: ", "B: "]


def test_where_all_wait_for_another_nobody_may_wait_again() -> None:
    battle, units = together()
    for unit, item in zip(units, ("Toolkit", "Dispatch Case"), strict=True):
        put(battle, unit, "2", soldiers=9, items=[item])
        show(unit, "R To 1S W To 1S B St Co")

    stage = begin(all_changes(battle), "later", "later")

    assert [ask.text[:3] for ask in stage.asks] == ["A: ", "B: ", "A: "]
    assert "later" not in stage.ids("tally.change")


@pytest.mark.rule("DDD-107")
@pytest.mark.parametrize(
    ("items", "first", "last"),
    [(["Binoculars"], ["done"], ["done"]), ([], [], [])],
    ids=["who was done", "with nothing"],
)
def test_a_card_that_is_given_at_the_end_of_phase_1_can_be_used(
    items: list[str], first: list[str], last: list[str]
) -> None:
    battle, (one, two) = together()
    put(battle, one, "2", soldiers=1, items=items)
    put(battle, two, "2", soldiers=9, items=["Toolkit"])
    for unit in (one, two):
        show(unit, "R To 1S W To 1S B St Co")

    act(all_changes(battle), *first, "give", "item:Toolkit", "use:Toolkit", *last)

    assert (len(one.extra), two.extra) == (2, [])


@pytest.mark.rule("DDD-107")
def test_a_card_given_away_as_the_last_one_by_who_had_waited_can_be_used() -> None:
    battle, (one, two) = together()
    put(battle, one, "2", soldiers=1)
    put(battle, two, "2", soldiers=9, items=["Toolkit"])
    for unit in (one, two):
        show(unit, "R To 1S W To 1S B St Co")

    act(all_changes(battle), "later", "give", "item:Toolkit", "use:Toolkit")

    assert (len(one.extra), two.items) == (2, [])


@pytest.mark.rule("DDD-107")
def test_a_card_that_came_by_carrier_pigeon_and_is_passed_on_can_be_used() -> None:
    battle, (one, two, three) = together(players=3)
    put(battle, one, "2", soldiers=1)
    put(battle, two, "2", soldiers=1)
    put(battle, three, "4", soldiers=9, items=["Carrier Pigeon", "Toolkit"])
    for unit in (one, two, three):
        show(unit, "R To 1S W To 1S B St Co")

    flies = ["use:Carrier Pigeon", "B", "give", "item:Toolkit"]
    act(all_changes(battle), *flies, "give", "A", "item:Toolkit", "use:Toolkit")

    assert (len(one.extra), one.items, two.items) == (2, [], [])


@pytest.mark.rule("DDD-107", "DDD-017")
def test_a_unit_recruits_with_the_last_that_one_who_had_waited_can_give() -> None:
    battle, (one, two) = together()
    put(battle, one, "2", soldiers=1)
    put(battle, two, "2", soldiers=1, stars=2)

    act(recruiting(battle), "later", "give", "stars", 2, "recruit:Scout", "done")

    assert (one.specialists, one.stars, two.stars) == (["Scout"], 0, 0)


@pytest.mark.rule("DDD-107", "DDD-017")
@pytest.mark.parametrize(
    ("soldiers", "first"),
    [(3, ["later"]), (3, ["done"]), (1, [])],
    ids=["by choice", "who was done", "with nothing"],
)
def test_a_weak_unit_recruits_with_stars_that_a_strong_one_gives(soldiers: int, first: list[str]) -> None:
    battle, (one, two) = together()
    put(battle, one, "2", soldiers=soldiers, stars=1 if first else 0)
    put(battle, two, "2", soldiers=8, stars=4)

    act(recruiting(battle), *first, "give", "stars", 3, "done", "recruit:Scout", "done")

    assert one.specialists == ["Scout"]


@pytest.mark.rule("DDD-107", "DDD-108")
@pytest.mark.parametrize(
    ("soldiers", "first"), [(12, ["done"]), (1, [])], ids=["who was done", "with nothing"]
)
def test_a_flak_vest_that_is_given_when_the_guns_have_fired_can_be_used(
    soldiers: int, first: list[str]
) -> None:
    battle, (one, two) = together("omaha")
    put(battle, one, "5", soldiers=soldiers)
    put(battle, two, "5", soldiers=30, items=["Flak Vest"])
    give_and_use = ["give", "item:Flak Vest", "give", "soldiers", 8, "done", "use:Flak Vest", "done"]

    act(combat(battle), "done", ["6"], *first, *give_and_use)

    assert (one.soldiers, two.soldiers) == (soldiers + 8 - 5, 30 - 8 - 5 - 6)


@pytest.mark.rule("DDD-107", "DDD-262")
def test_soldiers_can_be_given_before_a_sector_takes_some_in_upkeep() -> None:
    battle, (one, two) = together("juno")
    put(battle, one, "11", soldiers=20)
    put(battle, two, "11", soldiers=1)
    show(one, "R 1S 1S W To 1S B St Co")
    show(two, "R To To W To To B St Co")

    act(all_changes(battle), "give", "soldiers", 5, "done", "done")
    act(upkeep(battle, one, two))

    assert (two.soldiers, two.status) == (1 + 5 - 3, "fighting")


@pytest.mark.rule("DDD-014", "DDD-107", "DDD-286")
def test_soldiers_that_are_collected_in_upkeep_can_be_given_before_a_sector_takes_some() -> None:
    battle, (one, two) = together("sword")
    battle.state.random_rolls["11"] = 3
    put(battle, one, "11", soldiers=1)
    put(battle, two, "11", soldiers=1)
    show(one, "R St To W St Co B Co To")
    show(two, "R 2S 1S W 2S 1S B 2S To")

    stage = act(upkeep(battle, one, two), "B", "soldiers", 4)

    assert stage.ids("trade.help") == ["done", "B"]
    question = stage.asks[stage.keys.index("trade.help")]
    assert question.text == "A: 2 will fall to the Sector. Help?"
    assert question.detail.splitlines() == [
        "Soldiers 1, Stars 2, Courage 2, Item Points 3",
        "B: Soldiers 15, Stars 0, Courage 0, Item Points 1",
    ]
    assert (one.soldiers, one.status, two.soldiers) == (1 + 4 - 2, "fighting", 1 + 14 - 4)


@pytest.mark.rule("DDD-102", "DDD-286")
@pytest.mark.parametrize(
    ("soldiers", "sector", "spare", "asked"),
    [(2, "11", 9, True), (3, "11", 9, False), (1, "10", 9, False), (1, "11", 1, False)],
)
def test_help_in_upkeep_is_asked_for_where_it_is_needed_and_to_be_had(
    soldiers: int, sector: str, spare: int, asked: bool
) -> None:
    battle, (one, two) = together("sword")
    battle.state.random_rolls["11"] = 3
    put(battle, one, "11", soldiers=soldiers)
    put(battle, two, sector, soldiers=spare)
    show(one, "R St To W St Co B Co To")
    show(two, "R Co Co W To To B Co Co")

    stage = act(upkeep(battle, one, two), *(["done"] if asked else []))

    assert ("trade.help" in stage.keys) == asked


@pytest.mark.parametrize(
    ("scenario", "roll", "printed"),
    [("juno", 0, "four of a kind: -3 Soldiers"), ("sword", 3, "Ambush; each Star costs a Soldier")],
)
def test_who_may_still_do_something_about_it_is_told_what_a_sector_takes_in_upkeep(
    scenario: str, roll: int, printed: str
) -> None:
    battle, (one, two) = together(scenario)
    battle.state.random_rolls = {"11": roll} if roll else {}
    put(battle, one, "11", soldiers=20)
    put(battle, two, "10", soldiers=1, items=["Toolkit"])
    show(one, "R St St W To 1S B St Co")
    show(two, "R St St W To 1S B St Co")
    assert "Sector" not in begin(changes(battle, two)).open.detail

    put(battle, two, "11")

    for unit in (one, two):
        assert f"; Sector 11: {printed}\n" in begin(changes(battle, unit)).open.detail


@pytest.mark.rule("DDD-102", "DDD-107")
@pytest.mark.parametrize(("here", "there"), [("11", "10"), ("10", "11")])
def test_who_is_in_touch_can_give_before_the_sector_of_either_takes_some_in_upkeep(
    here: str, there: str
) -> None:
    battle, (one, two) = together("juno")
    put(battle, one, here, soldiers=20)
    put(battle, two, there, soldiers=20)
    show(one, "R To To W To To B St Co")
    one.turn.partner = "B"

    assert "give" in begin(changes(battle, one)).ids("tally.change")


@pytest.mark.rule("DDD-107")
def test_where_upkeep_takes_nothing_soldiers_are_given_later() -> None:
    battle, (one, two) = together("juno")
    put(battle, one, "10", soldiers=20)
    put(battle, two, "10", soldiers=1)
    for unit in (one, two):
        show(unit, "R To To W To To B St Co")

    assert act(all_changes(battle)).keys == []


@pytest.mark.rule("DDD-108")
def test_soldiers_can_be_handed_over_after_the_guns_and_before_the_losses() -> None:
    battle, (one, two) = together()
    with_sector(battle, "7", defence=(6,))
    put(battle, one, "7", soldiers=20)
    put(battle, two, "7", soldiers=4)

    stage = act(combat(battle), ["5"], "give", "soldiers", 8, "done", "done")

    assert stage.keys[:2] == ["guns", "combat.after"]
    assert stage.asks[1].text == "A: Sector 7: 11 will fall; B would be lost. Trade?"
    assert (one.soldiers, two.soldiers) == (12 - 11, 12 - 11)
    one.items = ["Field Radio"]
    asked = begin(combat(battle), "done", ["5"]).asks[-1]
    assert asked.text == "A: Sector 7: 11 will fall; A, B would be lost. Use?"


@pytest.mark.parametrize(
    ("one", "two", "told"),
    [(20, 1, "B would be lost"), (4, 3, "A, B would be lost"), (20, 5, "")],
)
def test_who_can_give_when_the_guns_have_fired_is_told_who_would_be_lost(
    one: int, two: int, told: str
) -> None:
    battle, units = together()
    for unit, soldiers in zip(units, (one, two), strict=True):
        put(battle, unit, "5", soldiers=soldiers)

    question = begin(combat(battle), ["1"]).open

    assert question is not None
    assert question.text == f"A: Sector 5: 4 will fall{told and f'; {told}'}. Trade?"


def test_who_plays_alone_is_told_that_the_unit_would_be_lost() -> None:
    battle, unit = alone()
    put(battle, unit, "5", soldiers=4, items=["Field Radio"])

    question = begin(combat(battle), "done", ["1"]).open

    assert question is not None
    assert question.text == "Sector 5: 4 will fall; the Unit would be lost. Use?"


@pytest.mark.rule("DDD-106")
def test_somebody_has_to_stay_with_the_giver() -> None:
    battle, (one, two) = together()
    put(battle, one, "2", soldiers=9)
    put(battle, two, "2")

    stage = begin(give(battle, one), "soldiers")

    assert isinstance(stage.open, Number)
    assert stage.open.most == 8


# --- the Lieutenant


@pytest.mark.rule("DDD-109", "DDD-110")
def test_with_a_lieutenant_two_units_anywhere_swap_a_die_once_a_turn() -> None:
    battle, (one, two, three) = together(players=3)
    put(battle, one, "2", specialists=["Lieutenant"])
    put(battle, two, "6")
    put(battle, three, "3")
    for unit in (one, two, three):
        show(unit, "R St St W St To B Co Co")
    show(two, "R Sk Sk W 2S To B Co Co")

    act(changes(battle, one), "swap", "B", "r1", "w1")

    assert [one.dice[0].colour, one.dice[0].face] == [Colour.WHITE, Face.SOLDIER2]
    assert [two.dice[2].colour, two.dice[2].face] == [Colour.RED, Face.STAR]
    assert act(changes(battle, three)).keys == []


@pytest.mark.rule("DDD-109")
def test_four_units_make_two_swaps_at_most() -> None:
    battle, units = together(players=4)
    put(battle, units[0], "2", specialists=["Lieutenant"])
    for unit in units:
        show(unit, "R St St W St To B Co Co")

    act(changes(battle, units[0]), "swap", "B", "r1", "w1")
    act(changes(battle, units[2]), "swap", "r1", "w1")

    assert all(unit.turn.swapped for unit in units)
    assert act(changes(battle, units[1])).keys == []


@pytest.mark.rule("DDD-111")
def test_virtual_results_are_not_offered_for_a_swap() -> None:
    battle, (one, two) = together()
    put(battle, one, "2", specialists=["Lieutenant"], extra=[Result(Face.SKULL, Colour.WHITE)])
    show(one, "R St St W St To B Co Co")
    show(two, "R St St W St To B Co Co")

    stage = begin(changes(battle, one), "swap")

    assert isinstance(stage.open, Choose)
    assert stage.ids("card.die") == ["r1", "r2", "w1", "w2", "b1", "b2"]


@pytest.mark.rule("DDD-100")
def test_who_has_nothing_but_a_vehicle_gives_only_to_who_can_take_it() -> None:
    battle, (one, two) = together()
    for unit, vehicle in ((one, "Jeep"), (two, "Armored Car")):
        put(battle, unit, "2", soldiers=0, courage=0, specialists=["Scout"])
        unit.vehicle = vehicle
    with_sector(battle, "2", no_vehicle=True)
    assert options(battle, one) == []
    with_sector(battle, "2", no_vehicle=False)
    two.vehicle = ""
    assert [option.id for option in options(battle, one)] == ["give"]
    assert options(battle, one, vehicles=False) == [], "at the mines"


@pytest.mark.rule("DDD-099", "DDD-100", "DDD-103")
def test_two_units_with_a_vehicle_each_can_exchange_them() -> None:
    battle, (one, two) = together()
    for unit, vehicle in ((one, "Jeep"), (two, "Armored Car")):
        put(battle, unit, "2", soldiers=9, vehicle=vehicle)

    stage = act(give(battle, one), "vehicles")

    assert (one.vehicle, two.vehicle) == ("Armored Car", "Jeep")
    assert "vehicle" not in stage.ids("trade.what")
    assert begin(give(battle, one, vehicles=False)).ids("trade.what") == ["soldiers"], "at the mines"


@pytest.mark.rule("DDD-098", "DDD-100", "DDD-302")
@pytest.mark.parametrize("sector", ["2", "4"])
@pytest.mark.parametrize("printed", ["bunker", "no_vehicle"])
def test_vehicles_are_exchanged_afar_only_where_both_can_be(sector: str, printed: str) -> None:
    battle, (one, two) = together()
    for unit, vehicle, where in ((one, "Jeep", "2"), (two, "Armored Car", "4")):
        put(battle, unit, where, soldiers=9, vehicle=vehicle)
    one.turn.partner = two.name
    assert "vehicles" in begin(give(battle, one)).ids("trade.what")

    with_sector(battle, sector, **{printed: True})

    assert "vehicles" not in begin(give(battle, one)).ids("trade.what")


@pytest.mark.rule("DDD-055", "DDD-102")
def test_a_carrier_pigeon_that_is_found_again_and_flies_twice_leaves_both_in_touch() -> None:
    battle, (one, two, three) = together(players=3)
    put(battle, one, "2", soldiers=9, points=9, items=["Carrier Pigeon"])
    put(battle, two, "4", soldiers=9)
    put(battle, three, "6", soldiers=9)
    one.turn.special_finds = 1
    pigeon = "use:Carrier Pigeon"

    begin(recruit_and_find(battle, one), pigeon, "B", "again:Carrier Pigeon", pigeon, "C")

    assert partners(battle, one) == [two, three]
    assert partners(battle, two) == partners(battle, three) == [one]


@pytest.mark.rule("DDD-111", "DDD-R48")
def test_dice_of_a_copied_tally_are_no_real_dice_to_swap() -> None:
    battle, (one, two, three) = together(players=3)
    put(battle, one, "2", soldiers=9, specialists=["Lieutenant"], items=["Dispatch Case"])
    for unit in (one, two, three):
        show(unit, "R Sk St W Sk Co B To 1S")

    assert act(changes(battle, one), "use:Dispatch Case", "B").keys == ["tally.change", "card.unit"]
    assert begin(changes(battle, three), "swap").keys == ["tally.change", "card.die"], "with B, nobody else"


@pytest.mark.rule("DDD-111", "DDD-R48")
def test_nor_are_they_next_turn_where_the_copied_tally_is_kept() -> None:
    battle, (one, two) = together("omaha")
    specialists = ["Lieutenant", "Combat Photographer"]
    put(battle, one, "2", soldiers=9, specialists=specialists, items=["Dispatch Case"])
    put(battle, two, "2", soldiers=9)
    for unit in (one, two):
        show(unit, "R Sk St W Sk Co B To 1S")
    act(changes(battle, one), "use:Dispatch Case", "keep:Combat Photographer")
    one.turn, two.turn = Turn(), Turn()
    act(roll_the_dice(battle, one))

    assert act(changes(battle, one)).keys == act(changes(battle, two)).keys == []

    one.turn = Turn()
    act(roll_the_dice(battle, one), ["star", "star", "star", "tool", "courage", "tool"], ["r1", "w1"], [])
    one.specialists.append("Combat Photographer")
    assert "swap" in begin(changes(battle, one), "keep:Combat Photographer").ids("tally.change")

    one.turn = Turn()
    act(roll_the_dice(battle, one))
    assert "swap" in begin(changes(battle, one)).ids("tally.change"), "they are its own again"


@pytest.mark.rule("DDD-111", "DDD-R48")
def test_a_tally_of_own_dice_that_is_kept_has_dice_to_swap() -> None:
    battle, (one, two) = together("omaha")
    put(battle, one, "2", soldiers=9, specialists=["Lieutenant", "Combat Photographer"])
    put(battle, two, "2", soldiers=9)
    opening = ["star", "star", "star", "tool", "courage", "tool"]
    for unit in (one, two):
        act(roll_the_dice(battle, unit), opening, ["r1", "w1"], [])
    begin(changes(battle, one), "keep:Combat Photographer")
    one.turn = Turn()
    act(roll_the_dice(battle, one))

    assert "swap" in begin(changes(battle, one)).ids("tally.change")


@pytest.mark.rule("DDD-112")
def test_swapped_dice_go_back_though_the_lieutenant_is_safe_or_dead_by_then() -> None:
    battle, (one, two) = together()
    put(battle, one, "9", specialists=["Lieutenant"])
    show(one, "R St St W St To B Co Co")
    show(two, "R St St W St To B Co Co")
    act(changes(battle, one), "swap", "r1", "b1")
    leave_play(battle, one)

    opening = ["star", "star", "star", "tool", "courage", "tool"]
    stage = begin(roll_the_dice(battle, two), opening, ["r1", "w1"], ["r2"])

    told = [ask.detail for ask in stage.asks if isinstance(ask, Roll)]
    assert told == ["swapped dice go back first: two of each colour", ""]


@pytest.mark.rule("DDD-112")
def test_before_the_next_roll_everybody_has_two_of_each_colour_again() -> None:
    battle, (one, two) = together()
    put(battle, one, "2", specialists=["Lieutenant"])
    show(one, "R St St W St To B Co Co")
    show(two, "R St St W St To B Co Co")
    act(changes(battle, one), "swap", "r1", "b1")
    assert [die.colour for die in one.dice].count(Colour.BLUE) == 3

    ask = begin(roll_the_dice(battle, one)).open

    assert isinstance(ask, Roll)
    assert [kind.count for kind in ask.dice] == [2, 2, 2]
    assert ask.detail == "swapped dice go back first: two of each colour"


KEEP = "keep:Combat Photographer"


@pytest.mark.rule("DDD-112", "DDD-R48")
@pytest.mark.parametrize(
    ("items", "answers", "told"),
    [
        ([], ["swap", "r1", "b2", KEEP], "swapped dice go back first; lay R Co St W St To B Co Co. "),
        (["Dispatch Case"], ["use:Dispatch Case", KEEP], "lay R Sk Co W Co Co B Co Co. "),
        ([], [KEEP, "done"], ""),
    ],
)
def test_a_kept_tally_that_the_own_dice_do_not_show_is_laid_with_them(
    items: list[str], answers: list[str], told: str
) -> None:
    battle, (one, two) = together("omaha")
    put(battle, one, "2", specialists=["Lieutenant", "Combat Photographer"], soldiers=9, items=items)
    show(one, "R St St W St To B Co Co")
    show(two, "R Sk Co W Co Co B Co Co")
    act(changes(battle, one), *answers)
    one.turn = Turn()

    (kept,) = act(roll_the_dice(battle, one)).asks

    assert kept.detail.partition("+")[0] == told

    one.turn = Turn()
    again = begin(roll_the_dice(battle, one)).open
    assert isinstance(again, Roll)
    assert again.detail == "", "they are its own again"


def test_what_can_be_given_is_asked_anew_when_a_dial_was_put_right() -> None:
    battle, (one, two) = together()
    put(battle, one, "1", soldiers=9, courage=2)
    put(battle, two, "1", soldiers=5)
    script = give(battle, one)
    goods = next(script)
    assert isinstance(goods, Choose)
    assert [option.label for option in goods.options] == ["Soldiers (9)", "Courage (2)"]

    one.courage = 0
    goods = script.send(RESTATED)
    assert isinstance(goods, Choose)
    assert [option.label for option in goods.options] == ["Soldiers (9)"]

    script.send("soldiers")
    one.soldiers = 4
    count = script.send(RESTATED)
    assert isinstance(count, Number)
    assert count.most == 3
