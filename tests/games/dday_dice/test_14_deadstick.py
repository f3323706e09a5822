"""Operation Deadstick (DDD-313 to DDD-330): Merville and Sword head to head."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from companion.engine.asks import Choose
from companion.engine.errors import BadInput
from companion.engine.game import setup
from companion.games.dday_dice import GAME
from companion.games.dday_dice.advice import advise
from companion.games.dday_dice.arriving import hand_out
from companion.games.dday_dice.battle import Battle
from companion.games.dday_dice.cards import Window, apply, use_item
from companion.games.dday_dice.changes import changes
from companion.games.dday_dice.combat import combat, leave_play
from companion.games.dday_dice.ending import over
from companion.games.dday_dice.invariants import broken
from companion.games.dday_dice.moving import choices, move_units
from companion.games.dday_dice.play import _deadstick_choice, start, turn
from companion.games.dday_dice.setup import set_up, setup_list
from companion.games.dday_dice.state import Unit
from companion.games.dday_dice.trading import partners
from companion.games.dday_dice.upkeep import turn_marker
from tests.games.dday_dice.beach import act, begin, put, shipped, show, together, ways, with_sector


def deadstick(players: int = 2, **settings: str) -> tuple[Battle, list[Unit]]:
    """The first Unit starts on Merville 1, the others on Sword."""
    others = ["sword"] * (players - 1 if players > 2 else 0)
    return together("deadstick", "merville", "M1", *others, players=players, **settings)


@pytest.mark.rule("DDD-313")
def test_deadstick_is_for_two_to_four() -> None:
    with pytest.raises(BadInput, match="2 to 4"):
        start(setup(GAME, shipped(), {}, "deadstick"))


@pytest.mark.rule("DDD-314")
def test_both_boards_lie_on_the_table_with_both_bunkers() -> None:
    battle, _ = deadstick()

    assert battle.field.bunkers == ("MBunker", "SBunker")
    assert "SBunker" in battle.field.neighbours("MBunker")
    assert battle.label("M8") == "Merville 8"


@pytest.mark.rule("DDD-314", "DDD-319", "DDD-320", "DDD-324")
@pytest.mark.parametrize("titles", [("Batterie de Merville", "Sword Beach"), ("Bei Merville", "Badestrand")])
def test_the_boards_meet_whatever_titles_their_owner_gives_them(titles: tuple[str, str]) -> None:
    pack = shipped()
    merville, sword = (
        replace(pack.map[name], title=title)
        for name, title in zip(("merville", "sword"), titles, strict=True)
    )
    pack = replace(pack, map=pack.map | {"merville": merville, "sword": sword})
    battle = start(setup(GAME, pack, {"players": "2"}, "deadstick")).battle

    act(set_up(battle), "merville", "M1")

    assert battle.field.bunkers == ("MBunker", "SBunker")
    assert "SBunker" in battle.field.neighbours("MBunker")
    assert [unit.sector for unit in battle.state.units] == ["M1", "S1"]
    assert battle.free_item("M9") == "Signalling Lamp"
    assert battle.label("M8") == f"{titles[0].split()[0]} 8"


@pytest.mark.rule("DDD-315")
def test_each_map_gets_a_player_and_its_specialists_with_him() -> None:
    battle, (one, two) = deadstick()

    assert (one.home, two.home) == ("merville", "sword")
    assert "Paratrooper" in one.hand
    assert "Chaplain" in two.hand
    stage = begin(set_up(start(setup(GAME, shipped(), {"players": "2"}, "deadstick")).battle), "sword")
    assert stage.keys.count("setup.map") == 1
    assert battle.field.starts("S") == ("S1",)


@pytest.mark.rule("DDD-315")
@pytest.mark.parametrize(
    ("before", "last"),
    [(["merville", "M1", "sword"], True), (["sword", "sword"], False)],
    ids=["both", "one"],
)
def test_the_last_player_chooses_a_map_where_each_has_a_player(before: list[str], *, last: bool) -> None:
    battle = start(setup(GAME, shipped(), {"players": "3"}, "deadstick")).battle

    stage = begin(set_up(battle), *before)

    assert stage.open is not None
    assert (stage.open.key == "dday_dice.setup.map") is last
    assert battle.state.units[2].home == ("" if last else "merville")


@pytest.mark.rule("DDD-316", "DDD-317")
def test_the_pool_is_common_with_bazooka_and_gammon_bomb() -> None:
    battle, _ = deadstick()

    assert {"Grenadier", "Messenger"} <= set(battle.state.pool_specialists)
    assert {"Strategic Map", "Ammo Box", "Bazooka", "Gammon Bomb"} <= set(battle.state.pool_items)


@pytest.mark.rule("DDD-187", "DDD-330")
@pytest.mark.parametrize(
    ("starts", "gift"),
    [(["merville", "M1", "merville", "M1"], "Dexedrine"), (["sword", "sword", "M1"], "Signalling Lamp")],
)
def test_bazooka_joe_brings_the_lamp_if_several_begin_on_merville(starts: list[str], gift: str) -> None:
    battle, _ = together("deadstick", *starts, players=3, bazooka_joe="items")

    assert ("Signalling Lamp" in battle.state.pool_items) is (gift == "Dexedrine")
    assert "Dexedrine" not in battle.state.pool_items
    assert f"{gift} (Merville 9)" in setup_list(battle)


@pytest.mark.rule("DDD-318", "DDD-R88")
def test_sword_is_under_fire_until_merville_8_is_taken_for_good() -> None:
    battle, (one, two) = deadstick()
    plain = battle.field.sectors["S6"].defence[0]
    assert battle.defence(two, "S6", 0) == plain + 1
    assert battle.defence(one, "M6", 0) == battle.field.sectors["M6"].defence[0]

    put(battle, one, "M3", soldiers=30, courage=9)
    put(battle, two, "S1", soldiers=30)
    act(move_units(battle), "move:M5", "stay")
    assert battle.defence(two, "S6", 0) == plain + 1
    one.turn.moved = False
    moving = act(move_units(battle), "move:M8", "stay")
    assert one.turn.news == ["Sword's mortar is taken out"]
    assert "A: Sword's mortar is taken out" in moving.asks[-1].detail.splitlines()
    put(battle, one, "M10")

    assert battle.defence(two, "S6", 0) == plain


@pytest.mark.rule("DDD-318")
def test_swords_mortar_is_taken_out_once() -> None:
    battle, (one, _) = deadstick()
    battle.state.mortars_out = True
    put(battle, one, "M5", soldiers=30, courage=9)

    act(move_units(battle), "move:M8", "stay")

    assert one.turn.news == []


@pytest.mark.rule("DDD-318", "DDD-319")
def test_swords_own_sector_8_takes_no_mortar_out_and_merville_8_opens_no_bunker() -> None:
    battle, (one, two) = deadstick()
    plain = battle.field.sectors["S6"].defence[0]
    put(battle, one, "M5", soldiers=30, courage=9)
    put(battle, two, "S5", soldiers=30, courage=9)
    act(move_units(battle), "stay", "move:S8", ["1"])
    assert battle.defence(two, "S6", 0) == plain + 1

    act(move_units(battle), "move:M8", "stay")
    put(battle, two, "S15", specialists=["Scout"]).turn.moved = False

    assert battle.defence(two, "S6", 0) == plain
    assert "SBunker" not in ways(battle, two)


@pytest.mark.rule("DDD-R88")
def test_the_mortar_fire_on_sword_does_not_come_back_in_later_turns() -> None:
    battle, (one, two) = deadstick()
    plain = battle.field.sectors["S6"].defence[0]
    put(battle, one, "M5", soldiers=30, courage=9)
    act(move_units(battle), "move:M8", "stay")
    put(battle, one, "M10")

    for _ in range(2):
        begin(turn(battle))

        assert battle.defence(two, "S6", 0) == plain


@pytest.mark.rule("DDD-319")
def test_swords_bunker_opens_after_mervilles() -> None:
    battle, (one, two) = deadstick()
    put(battle, two, "S15", soldiers=30, courage=9, specialists=["Scout"])
    assert "SBunker" not in ways(battle, two)
    put(battle, one, "M13", soldiers=30)
    one.turn.battle_cry = True
    assert "MBunker" in ways(battle, one)

    battle.state.bunkers_taken["MBunker"] = 3

    assert "SBunker" in ways(battle, two)


@pytest.mark.rule("DDD-320", "DDD-321")
def test_units_cross_between_the_top_rows_at_the_targets_price() -> None:
    battle, (one, _) = deadstick()
    put(battle, one, "M13", soldiers=30, courage=9, specialists=["Medic"])
    price = {way.to: way.courage for way in battle.field.ways["S12"]}["S14"]

    assert {"S14", "S15"} <= ways(battle, one)
    begin(move_units(battle), "move:S14")

    assert one.courage == 9 - price


@pytest.mark.rule("DDD-320", "DDD-324")
def test_only_top_rows_touch_and_the_bunkers_one_way() -> None:
    battle, _ = deadstick()
    crossings = {name: {way.to for way in there if way.crossing} for name, there in battle.field.ways.items()}

    assert {name: to for name, to in crossings.items() if to} == {
        "M13": {"S14", "S15"},
        "S14": {"M13"},
        "S15": {"M13"},
        "MBunker": {"SBunker"},
    }
    over = [way for there in battle.field.ways.values() for way in there if way.crossing]
    assert all(way.advance and not way.mines and not way.barrier for way in over)


@pytest.mark.rule("DDD-322")
def test_there_is_no_way_back_over_the_middle() -> None:
    battle, (one, _) = deadstick()
    put(battle, one, "M10")
    put(battle, one, "S14", soldiers=30, courage=9)

    assert "M13" not in ways(battle, one)


@pytest.mark.rule("DDD-323")
def test_the_mortar_reaches_over_the_middle() -> None:
    battle, (one, _) = deadstick()
    put(battle, one, "M13", soldiers=30, items=["Mortar"])

    stage = act(use_item(battle, one, "Mortar", Window.COMBAT), "S14")

    assert battle.guns("S14") == 0
    assert "S14" in stage.ids("card.mortar")


@pytest.mark.rule("DDD-324", "DDD-325")
@pytest.mark.parametrize(("answer", "status"), [("safe", "safe"), ("on", "fighting")])
def test_after_mervilles_bunker_a_unit_is_safe_or_goes_on_to_swords(answer: str, status: str) -> None:
    battle, (one, two) = deadstick()
    put(battle, two, "S1", soldiers=60)
    put(battle, one, "MBunker", soldiers=60, courage=5)
    calm = [["soldier1", "soldier1", "soldier2", "soldier1", "soldier1", "soldier1"], ["r1", "r2"], []]

    act(turn(battle), *calm, *calm, "stay", "stay", ["1"], answer)

    assert one.status == status
    assert "MBunker" in one.taken
    if answer == "on":
        assert "SBunker" in ways(battle, one)


@pytest.mark.rule("DDD-002")
def test_nobody_is_asked_whether_to_go_on_once_another_unit_is_lost() -> None:
    battle, (one, two) = deadstick()
    put(battle, two, "S1", soldiers=1)
    put(battle, one, "MBunker", soldiers=60)
    with_sector(battle, "S1", defence=(20,))
    calm = [["soldier1", "soldier1", "soldier2", "soldier1", "soldier1", "soldier1"], ["r1", "r2"], []]

    stage = act(turn(battle), *calm, *calm, "stay", "stay", ["1"])

    assert "combat.deadstick" not in stage.keys
    assert stage.result is not None
    assert (one.bunker, two.status) == ("MBunker", "lost")


@pytest.mark.rule("DDD-325", "DDD-R70")
def test_a_unit_that_has_to_leave_mervilles_bunker_and_cannot_may_still_be_safe_there() -> None:
    battle, (one, two) = deadstick()
    put(battle, two, "S1", soldiers=60)
    put(battle, one, "MBunker", soldiers=60, taken=["MBunker"], specialists=["Medic"])
    assert "safe" not in begin(move_units(battle)).ids("move")
    one.stay = 4
    question = begin(move_units(battle)).open
    assert question is not None
    assert advise(battle, question) == "safe"

    act(move_units(battle), "safe", "stay")

    assert (one.status, battle.state.laid) == ("safe", {"MBunker": 1})


@pytest.mark.rule("DDD-322", "DDD-324")
def test_a_unit_that_came_from_sword_goes_on_to_swords_bunker_too() -> None:
    battle, (_, two) = deadstick()
    put(battle, two, "M13", soldiers=60)
    assert not {"S14", "S15"} & ways(battle, two), "not over the top rows again"
    battle.state.bunkers_taken["MBunker"] = 3
    put(battle, two, "MBunker", soldiers=60, courage=9, taken=["MBunker"])

    assert ways(battle, two) == {"SBunker"}


@pytest.mark.rule("DDD-325", "DDD-R87")
def test_who_has_taken_swords_bunker_is_safe() -> None:
    battle, (_, two) = deadstick()
    put(battle, two, "SBunker", soldiers=60)

    act(combat(battle), ["1"])

    assert two.status == "safe"


@pytest.mark.rule("DDD-326")
def test_the_carrier_pigeon_flies_between_the_maps() -> None:
    battle, (one, two) = deadstick()
    put(battle, one, "M3", items=["Carrier Pigeon"])
    put(battle, two, "S3")

    act(use_item(battle, one, "Carrier Pigeon", Window.RECRUIT))

    assert partners(battle, one) == [two]


@pytest.mark.rule("DDD-327")
def test_the_lieutenant_swaps_dice_between_the_maps() -> None:
    battle, (one, two) = deadstick()
    put(battle, one, "M3", specialists=["Lieutenant"])
    put(battle, two, "S3")
    for unit in (one, two):
        show(unit, "R St St W St To B Co Co")

    assert "swap" in begin(changes(battle, two)).ids("tally.change")


@pytest.mark.rule("DDD-328")
def test_effects_on_all_units_reach_both_maps() -> None:
    battle, (one, two) = deadstick()
    put(battle, one, "M3")
    put(battle, two, "S3")

    act(apply(battle, one, battle.pack.item["Rope Ladder"].effects[0], Window.TALLY), "red", "blue")

    assert len(one.extra) == len(two.extra) == 1


@pytest.mark.rule("DDD-329")
def test_the_lieutenant_is_had_on_sword_5_only() -> None:
    battle, (_, two) = deadstick()
    assert "Lieutenant" not in battle.state.pool_specialists
    put(battle, two, "S5")
    two.turn.entered = two.sector

    act(hand_out(battle))

    assert two.specialists == ["Lieutenant"]


@pytest.mark.rule("DDD-168", "DDD-325")
def test_who_may_stay_safe_in_mervilles_bunker_is_told_what_its_specialists_do_there() -> None:
    battle, (one, _) = deadstick()
    put(battle, one, "MBunker", soldiers=60, specialists=["Medic", "Hero"], taken=["MBunker"])
    battle.state.bunkers_taken["MBunker"] = 3
    one.stay = 4

    for question in (begin(move_units(battle)).open, begin(_deadstick_choice(battle, one)).open):
        assert isinstance(question, Choose)
        details = {option.id: option.detail for option in question.options}
        assert details["safe"] == "its Specialists go beside the Bunker: DEF -2"


@pytest.mark.rule("DDD-324", "DDD-R87")
@pytest.mark.parametrize("goes_on", [True, False])
def test_who_takes_mervilles_bunker_too_does_not_forsake_swords(goes_on: bool) -> None:
    battle, (one, two) = together("deadstick", "merville", "M1", deadstick_both="yes")
    put(battle, one, "MBunker", soldiers=60, taken=["MBunker"])
    battle.state.bunkers_taken["MBunker"] = 3
    if not goes_on:
        leave_play(battle, one)
    put(battle, two, "M13", soldiers=60)
    two.turn.battle_cry = True

    options = choices(battle, two, later=False)

    assert all("Warning" not in option.detail for option in options)


@pytest.mark.rule("DDD-R87")
@pytest.mark.parametrize(("option", "warned"), [("no", False), ("yes", True)])
def test_the_last_to_stay_safe_is_warned_where_swords_bunker_has_to_be_taken(
    option: str, warned: bool
) -> None:
    battle, units = together("deadstick", "merville", "M1", deadstick_both=option)
    for unit in units:
        put(battle, unit, "MBunker", soldiers=60, taken=["MBunker"])
    battle.state.bunkers_taken["MBunker"] = 3

    first, last = (act(_deadstick_choice(battle, unit), "safe") for unit in units)

    warnings = [stage.asks[0].options[0].detail for stage in (first, last)]
    words = "Warning: Sword Bunker would never be taken, and the game lost." if warned else ""
    assert warnings == ["", words]
    outcome = over(battle)
    assert outcome is not None
    assert outcome.reason == ("Sword Bunker was not taken" if warned else "all are in the Bunker")


@pytest.mark.rule("DDD-330")
def test_a_single_unit_on_merville_finds_the_lamp() -> None:
    battle, (one, _) = deadstick()
    put(battle, one, "M9")
    one.turn.entered = one.sector

    act(hand_out(battle))

    assert one.items == ["Signalling Lamp"]


@pytest.mark.rule("DDD-330")
def test_two_units_on_merville_find_the_dexedrine() -> None:
    battle, (one, *_) = together("deadstick", "merville", "M1", "merville", "M1", players=3)
    put(battle, one, "M9")
    one.turn.entered = "M9"

    act(hand_out(battle))

    assert one.items == ["Dexedrine"]


@pytest.mark.rule("DDD-330")
@pytest.mark.parametrize(
    ("starts", "gift"),
    [(["merville", "M1", "merville", "M1"], "Dexedrine"), (["sword", "sword", "M1"], "Signalling Lamp")],
)
def test_merville_9_holds_the_same_for_a_unit_that_a_war_correspondent_brought_from_sword(
    starts: list[str], gift: str
) -> None:
    battle, units = together("deadstick", *starts, players=3, bazooka_joe="all")
    assert f"{gift} (Merville 9)" in setup_list(battle)
    unit = next(unit for unit in units if unit.home == "sword")
    put(battle, unit, "M9")
    unit.turn.entered = "M9"

    act(hand_out(battle))

    assert unit.items == [gift]
    assert list(broken(battle)) == []


@pytest.mark.rule("DDD-324", "DDD-113")
def test_how_gold_is_played_alone_hurries_nobody_out_of_mervilles_bunker() -> None:
    battle, units = deadstick(gold_solo_stay="no")
    put(battle, units[0], "MBunker", soldiers=60, taken=["MBunker"])

    turn_marker(battle, units[0])

    assert battle.stay_limit(units[0]) == 3
    assert not battle.must_move(units[0])


@pytest.mark.rule("DDD-R87")
def test_deadstick_is_won_when_all_are_safe_in_either_bunker() -> None:
    battle, units = deadstick()
    for unit in units:
        put(battle, unit, "MBunker", soldiers=60)
        battle.state.bunkers_taken["MBunker"] = 3
        unit.taken = ["MBunker"]
        leave_play(battle, unit)

    outcome = over(battle)

    assert outcome is not None
    assert outcome.result == "won"
    assert act(combat(battle)).keys == []
