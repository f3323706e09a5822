"""Resources and caches: SPI-130 to SPI-157."""

from __future__ import annotations

import msgspec
import pytest

from companion.engine.asks import Choose
from companion.engine.errors import BadAnswer
from companion.games.space_infantry.pack import RESOURCE_NAMES, Skill
from companion.games.space_infantry.state import Edge, Member
from tests.games.driver import Driver
from tests.games.space_infantry.field import (
    DRILL,
    TEAM,
    attack,
    attempt,
    briefed,
    calm,
    campaign,
    defeat_one,
    drill_with,
    fight,
    ids,
    in_combat,
    nodes_with,
    op,
    pack,
    put_on,
    roll,
    wounds,
)
from tests.games.space_infantry.test_3_setup import at_team

MISS = ["1", "1", "1", "1"]


@pytest.mark.rule("SPI-130", "SPI-196")
def test_resources_are_picked_at_the_start_and_used_up() -> None:
    assert list(RESOURCE_NAMES) == ["G", "M", "I", "S", "D"]
    driver = in_combat("tank")
    roll(driver, "2")
    driver.answer("G")

    assert op(driver).resources["G"] == 1


def cache(driver: Driver, face: str) -> None:
    """Search the store's cache with this number."""
    put_on(driver, "store")
    driver.answer("stay")
    driver.answer("look")
    roll(driver, face)


@pytest.mark.rule("SPI-131", "SPI-152", "SPI-156", "SPI-R51")
def test_never_more_than_eight_but_old_ones_may_be_swapped_for_new() -> None:
    driver = briefed()
    cache(driver, "6")
    assert sum(op(driver).resources.values()) == 13
    assert driver.ask.text == "Leave 5 behind: which?"
    assert driver.ask.detail == "Grenades found: 5, onto the Turn Track"
    for kind in "MMIID":
        driver.answer(kind)
        assert "Turn Track" not in driver.ask.detail, "they go onto it but once"
    assert driver.ask.text == "Mark the cache as depleted; Grenades found: 5"
    driver.until("space_infantry.turn.action")

    assert op(driver).resources == {"G": 7, "M": 0, "I": 0, "S": 1, "D": 0}


@pytest.mark.rule("SPI-152", "SPI-R51", "SPI-R70")
@pytest.mark.parametrize(("level", "most"), [("easy", 10), ("hard", 6), ("nightmare", 4)])
def test_a_cache_fills_up_to_the_maximum_of_the_level(level: str, most: int) -> None:
    driver = briefed(("assault-1",), {"G": 4}, difficulty=level)
    cache(driver, "6")
    for _ in range(4 + 5 - most):
        assert driver.ask.key == "space_infantry.cache.drop"
        driver.answer("G")
    driver.until("space_infantry.turn.action")

    assert op(driver).resources["G"] == min(4 + 5, most)


@pytest.mark.rule("SPI-132", "SPI-138", "SPI-140", "SPI-156")
def test_of_too_many_resources_a_medikit_may_be_used_and_not_left_behind() -> None:
    driver = briefed()
    op(driver).team["assault-1"].wounds = 1
    cache(driver, "3")
    assert ids(driver) == ["G", "M", "I", "S", "D", "treat:assault-1"]
    driver.answer("treat:assault-1")
    assert op(driver).team["assault-1"] == Member(wounds=0, treated=1)
    assert ids(driver) == ["G", "M", "I", "S", "D"]
    driver.answer("D")
    driver.until("space_infantry.turn.action")

    assert op(driver).resources == {"G": 4, "M": 1, "I": 2, "S": 1, "D": 0}


@pytest.mark.rule("SPI-130", "SPI-153", "SPI-154", "SPI-155", "SPI-R49")
@pytest.mark.parametrize(("face", "found"), [("4", 3), ("1", 0), ("2", 1)])
def test_a_cache_holds_the_number_minus_one_of_its_kind(face: str, found: int) -> None:
    driver = briefed(resources={"M": 1})
    cache(driver, face)
    driver.until("space_infantry.turn.action")

    assert op(driver).resources == {"G": found, "M": 1, "I": 0, "S": 0, "D": 0}


@pytest.mark.rule("SPI-153")
@pytest.mark.parametrize("letter", ["G", "M", "I", "S", "D"])
def test_the_letter_of_a_cache_says_what_is_in_it(letter: str) -> None:
    driver = briefed(resources={}, changed=drill_with(nodes=nodes_with("store", cache=letter)))
    put_on(driver, "store")
    driver.answer("stay")
    assert driver.ask.text == f"Resource Cache here ({RESOURCE_NAMES[letter]})"
    driver.answer("look")
    roll(driver, "3")
    driver.until("space_infantry.turn.action")

    assert {kind: many for kind, many in op(driver).resources.items() if many} == {letter: 2}


@pytest.mark.rule("SPI-157", "SPI-R49")
@pytest.mark.parametrize("chit", ["0", "1"])
def test_a_cache_in_which_nothing_was_found_is_empty_all_the_same(chit: str) -> None:
    driver = briefed(resources={"M": 1}, numbers="typed")
    put_on(driver, "store")
    driver.answer("stay")
    driver.answer("look")
    driver.answer(chit)
    driver.until("space_infantry.turn.action")

    assert op(driver).resources == {"G": 0, "M": 1, "I": 0, "S": 0, "D": 0}
    assert "cache empty" in driver.board()
    driver.answer("stay")
    assert driver.until("space_infantry.turn.action")
    assert op(driver).turn == 3


@pytest.mark.rule("SPI-027", "SPI-155")
def test_a_cache_may_hold_more_than_a_single_chit_says() -> None:
    driver = briefed(resources={}, numbers="typed")
    put_on(driver, "store")
    for answer in ("stay", "look", *"+56"):
        driver.answer(answer)

    assert driver.ask.detail == "Grenades found: 10, onto the Turn Track"


@pytest.mark.rule("SPI-154")
def test_the_cache_comes_after_the_events() -> None:
    driver = briefed(changed=drill_with(nodes=nodes_with("store", events=("6/A",))))
    attempt(driver, "store", "explorer")
    roll(driver, "6")
    driver.answer("enter")

    assert driver.ask.key == "space_infantry.event.rn"
    roll(driver, "2")
    assert driver.ask.key == "space_infantry.cache.look"


@pytest.mark.rule("SPI-097", "SPI-154", "SPI-R50")
def test_a_cache_may_be_searched_after_a_move_to_its_explored_node_too() -> None:
    driver = briefed()
    op(driver).places["store"].explored = True
    driver.restate()
    driver.answer("move:store")
    roll(driver, "3")

    assert driver.ask.key == "space_infantry.cache.look"


@pytest.mark.rule("SPI-R57")
def test_a_team_that_was_defeated_at_a_cache_is_not_asked_to_search_it() -> None:
    driver = briefed((), changed=drill_with(nodes=nodes_with("store", events=("Auto/A",))))
    defeat_one(driver, "store")

    calm(driver, "space_infantry.mission.end")


@pytest.mark.rule("SPI-157")
def test_a_cache_can_be_used_once() -> None:
    driver = briefed(resources={})
    cache(driver, "1")
    assert driver.ask.text == "Mark the cache as depleted; Grenades found: 0"
    assert "SPI-157" in driver.ask.rule
    driver.until("space_infantry.turn.action")
    driver.answer("stay")
    driver.until("space_infantry.turn.action")

    assert op(driver).places["store"].emptied
    assert op(driver).turn == 3


@pytest.mark.rule("SPI-132", "SPI-138", "SPI-140", "SPI-194", "SPI-R45")
def test_a_medikit_negates_a_wound_even_the_last() -> None:
    driver = in_combat("grunt")
    attack(driver, "M", MISS, ["4"])
    driver.answer("hand")
    driver.answer("technician")
    assert isinstance(driver.ask, Choose)
    assert driver.ask.options[1].detail == "last wound"
    assert driver.ask.detail == "its counter off the Turn Track, a Treated Wound on the unit"
    driver.answer("technician")
    driver.until("space_infantry.combat.leader")

    assert wounds(driver) == {}
    assert op(driver).team["technician"].treated == 1
    assert op(driver).resources["M"] == 1


@pytest.mark.rule("SPI-132", "SPI-138", "SPI-140")
def test_a_medikit_negates_a_wound_of_an_event_too() -> None:
    driver = briefed(resources={"M": 1})
    put_on(driver, "den")
    driver.answer("stay")
    roll(driver, "4")
    driver.answer("hand")
    driver.answer("technician")
    assert driver.ask.key == "space_infantry.wounds.medikit"
    driver.answer("technician")

    assert op(driver).team["technician"] == Member(wounds=0, treated=1)


@pytest.mark.rule("SPI-138")
def test_whose_wounds_are_all_negated_is_offered_no_other_medikit_and_told_of_no_wound() -> None:
    driver = in_combat("grunt")
    attack(driver, "M", MISS, ["4"])
    driver.answer("hand")
    driver.answer("assault-1")
    assert isinstance(driver.ask, Choose)
    assert driver.ask.options[1].detail == ""
    driver.answer("assault-1")

    assert driver.ask.key == "space_infantry.combat.round"
    assert (driver.ask.text, driver.ask.detail) == ("1 of the enemy left; range Melee; no hits", "")


@pytest.mark.rule("SPI-138", "SPI-R39")
def test_a_medikit_negates_one_of_all_wounds_that_got_through_the_armor() -> None:
    driver = in_combat(
        "grunt", "grunt", "grunt", team=("heavy-1", "assault-1", "assault-2"), resources={"M": 2}
    )
    attack(driver, "M", MISS, ["4", "4", "4"])
    driver.answer("hand")
    for _ in range(3):
        driver.answer("heavy-1")
    roll(driver, "1")
    assert isinstance(driver.ask, Choose)
    assert driver.ask.options[1].detail == "3 wounds, 2 left"
    driver.answer("heavy-1")
    assert driver.ask.options[1].detail == "last wound"
    driver.answer("none")
    driver.until("space_infantry.combat.leader")

    assert wounds(driver) == {"heavy-1": 2}


@pytest.mark.rule("SPI-119", "SPI-138")
def test_wounds_that_nobody_has_room_for_are_given_out_before_medikits_all_the_same() -> None:
    driver = in_combat(*["grunt"] * 5, team=(), resources={"M": 1})
    attack(driver, "M", ["1"], ["4"] * 5)
    assert isinstance(driver.ask, Choose)
    assert driver.ask.options[0].label == "As proposed: 5 on Leader"
    driver.answer("accept")
    driver.answer("leader")
    calm(driver, "space_infantry.mission.end")

    assert driver.ask.text == "Mission aborted, 0 survivors"


@pytest.mark.rule("SPI-119")
def test_the_player_says_who_takes_what_nobody_has_room_for() -> None:
    driver = in_combat(*["grunt"] * 5, team=("assault-1",), resources={"M": 1})
    attack(driver, "M", ["1", "1"], ["4"] * 5)
    driver.answer("hand")
    for name in ("leader", "leader", "assault-1", "assault-1", "leader"):
        driver.answer(name)
    driver.answer("assault-1")
    driver.until("space_infantry.combat.leader", "space_infantry.combat.range")

    assert wounds(driver) == {"leader": 2, "assault-1": 1}


@pytest.mark.rule("SPI-119", "SPI-132", "SPI-138", "SPI-139")
@pytest.mark.parametrize(
    ("medikits", "treated", "beyond"), [(0, 0, []), (1, 0, ["leader"]), (2, 1, ["leader"]), (2, 2, [])]
)
def test_a_wound_beyond_the_last_may_be_given_for_a_medikit_to_negate(
    medikits: int, treated: int, beyond: list[str]
) -> None:
    driver = in_combat(*["grunt"] * 3, team=("assault-1",), resources={"M": medikits})
    op(driver).team["leader"].treated = treated
    attack(driver, "M", ["1", "1"], ["4"] * 3)
    driver.answer("hand")
    driver.answer("leader")
    driver.answer("leader")
    assert ids(driver) == ["assault-1", *beyond]


def test_a_journal_from_before_a_medikit_made_room_for_a_wound_goes_on() -> None:
    driver = in_combat(*["grunt"] * 3, team=("assault-1",))
    attack(driver, "M", ["1", "1"], ["4"] * 3)
    driver.answer("hand")
    driver.answer("leader")
    driver.answer("leader")
    driver.replayed("assault-1")

    assert driver.ask.key == "space_infantry.wounds.medikit"


@pytest.mark.rule("SPI-119", "SPI-132", "SPI-138")
def test_medikits_keep_in_play_who_takes_the_wounds_of_others_too() -> None:
    driver = in_combat(*["grunt"] * 4, team=("sniper-1", "sniper-2"), resources={"M": 3})
    for name in ("sniper-1", "sniper-2"):
        op(driver).team[name].treated = 1
    attack(driver, "M", ["1"], ["4", "4", "4", "1"])
    driver.answer("hand")
    driver.answer("leader")
    driver.answer("leader")
    assert isinstance(driver.ask, Choose)
    assert [option.detail for option in driver.ask.options] == [
        "1 more",
        "1 more",
        "if a MediKit negates one",
    ]
    driver.answer("leader")
    driver.answer("leader")
    driver.answer("leader")
    driver.until("space_infantry.combat.leader")

    assert wounds(driver) == {"leader": 1}


@pytest.mark.rule("SPI-139", "SPI-194", "SPI-R45")
def test_nobody_is_treated_more_often_than_they_have_wounds() -> None:
    driver = in_combat("grunt", resources={"M": 8})
    op(driver).team["assault-1"].treated = 2
    op(driver).team["fire_team-1"].treated = 1
    attack(driver, "M", MISS, ["4"])
    driver.answer("hand")
    driver.answer("assault-1")
    calm(driver, "space_infantry.combat.leader", "space_infantry.wounds.medikit")
    assert driver.ask.key == "space_infantry.combat.leader"

    driver.answer("fight")
    attack(driver, "M", MISS, ["4"])
    driver.answer("hand")
    driver.answer("fire_team-1")
    assert ids(driver) == ["none", "fire_team-1"]


@pytest.mark.rule("SPI-132", "SPI-138", "SPI-139", "SPI-140", "SPI-194", "SPI-R45")
def test_an_old_wound_may_be_treated_before_any_action() -> None:
    driver = briefed()
    op(driver).team["assault-1"].wounds = 1
    op(driver).team["shotgun-1"].wounds = 2
    op(driver).team["fire_team-1"].wounds = 1
    op(driver).team["fire_team-1"].treated = 2
    driver.restate()
    assert isinstance(driver.ask, Choose)
    (treat,) = (one for one in driver.ask.options if one.id.startswith("treat"))
    assert treat.id == "treat:assault-1"
    told = "1/2 wounds, one becomes a Treated Wound; its counter off the Turn Track"
    assert (treat.label, treat.detail) == ("MediKit Assault 1", told)
    driver.answer("treat:assault-1")

    assert driver.ask.key == "space_infantry.turn.action"
    assert wounds(driver) == {"shotgun-1": 2, "fire_team-1": 1}
    assert op(driver).team["assault-1"].treated == 1
    assert op(driver).resources["M"] == 1

    op(driver).team["assault-1"].wounds, op(driver).resources["M"] = 1, 0
    driver.restate()
    assert not [one for one in ids(driver) if one.startswith("treat")], "no MediKit is left"


@pytest.mark.rule("SPI-133", "SPI-R42")
@pytest.mark.parametrize(("face", "offered"), [("2", True), ("4", False)])
def test_grenades_are_for_melee(face: str, offered: bool) -> None:
    driver = in_combat("tank")
    roll(driver, face)

    assert ("G" in ids(driver)) is offered


def test_what_is_got_for_a_resource_is_told_before_it_is_spent() -> None:
    driver = in_combat("tank")
    roll(driver, "2")
    assert isinstance(driver.ask, Choose)
    thrown = next(one.detail for one in driver.ask.options if one.id == "G")
    assert thrown == "a random number of extra wounds; its counter off the Turn Track"

    driver = briefed()
    attempt(driver, "gate")
    assert isinstance(driver.ask, Choose)
    charge = next(one.detail for one in driver.ask.options if one.id == "technician")
    assert charge == "2+ opens the node; its counter off the Turn Track"


@pytest.mark.rule("SPI-134", "SPI-R40")
def test_one_grenade_a_round() -> None:
    driver = in_combat("tank")
    roll(driver, "2")
    driver.answer("G")
    assert "G" not in ids(driver)

    driver.answer("go")
    roll(driver, *MISS)
    calm(driver, "space_infantry.combat.grenade")
    roll(driver, "2")
    roll(driver, "1", "1")
    calm(driver, "space_infantry.combat.armor")
    roll(driver, "1", "1")
    driver.until("space_infantry.combat.leader")
    driver.answer("fight")
    roll(driver, "1")
    roll(driver, "2")
    assert "G" in ids(driver)


@pytest.mark.rule("SPI-135", "SPI-136", "SPI-137", "SPI-R41")
def test_a_grenade_deals_its_number_spread_and_against_armor_as_usual() -> None:
    driver = in_combat("tank", "tank")
    roll(driver, "2")
    driver.answer("G")
    driver.answer("go")
    roll(driver, *MISS)
    calm(driver, "space_infantry.combat.grenade")
    roll(driver, "4")
    roll(driver, *MISS)
    assert driver.ask.key == "space_infantry.combat.armor"
    roll(driver, "1", "1", "4", "1")

    assert [foe.wounds for foe in fight(driver).foes] == [2, 1]


@pytest.mark.rule("SPI-027", "SPI-135")
def test_a_grenade_may_deal_more_than_a_single_chit_says() -> None:
    driver = briefed((), {"G": 1}, numbers="typed")
    put_on(driver, "hall")
    for answer in ("stay", "0"):
        driver.answer(answer)
    driver.until("space_infantry.combat.leader")
    fight(driver).foes[0].kind = "ogre"
    for answer in ("fight", "2", "G", "1", *"+56", "1"):
        driver.answer(answer)

    assert driver.ask.text == "Enemy eliminated; range Melee; 11 hits, 1 out: 1 Ogre"


@pytest.mark.rule("SPI-136", "SPI-R41")
def test_a_grenades_wounds_and_the_units_are_given_out_together() -> None:
    driver = in_combat("tank", "tank")
    roll(driver, "2")
    driver.answer("G")
    driver.answer("go")
    roll(driver, "1", "3", "1", "1")
    calm(driver, "space_infantry.combat.grenade")
    roll(driver, "3")
    roll(driver, *MISS)
    roll(driver, *["1"] * 4)

    assert [foe.wounds for foe in fight(driver).foes] == [2, 2], "half of one and three"


@pytest.mark.rule("SPI-128", "SPI-R42")
def test_in_an_ambush_whom_the_grenade_puts_out_does_not_strike_back() -> None:
    driver = in_combat("grunt", "grunt")
    roll(driver, "2")
    driver.answer("I")
    driver.answer("G")
    roll(driver, *MISS)
    calm(driver, "space_infantry.combat.grenade")
    roll(driver, "4")
    calm(driver, "space_infantry.turn.action")

    assert op(driver).fight is None


@pytest.mark.rule("SPI-136", "SPI-137", "SPI-191")
def test_at_hard_a_grenade_comes_on_top_of_the_three_units() -> None:
    driver = in_combat("tank", team=("assault-1", "assault-2"), resources={"G": 1}, difficulty="hard")
    roll(driver, "2")
    driver.answer("G")
    calm(driver, "space_infantry.combat.chits")
    roll(driver, "4", "3", "3")
    roll(driver, "2")
    roll(driver, "1", "1")
    assert driver.ask.key == "space_infantry.combat.armor"
    roll(driver, "1", "4")
    calm(driver, "space_infantry.turn.action")

    assert op(driver).fight is None, "three units' three and the grenade's two, one of them saved"


@pytest.mark.rule("SPI-141")
def test_intelligence_gives_two_levels_whatever_the_check_gave() -> None:
    driver = briefed()
    attempt(driver, "gate", "demolition")
    roll(driver, "3")
    driver.answer("I")
    assert "I" not in ids(driver), "one a turn"
    driver.answer("accept")
    driver.until("space_infantry.turn.action")

    assert op(driver).places["gate"].gathered == 3
    assert op(driver).resources["I"] == 1


@pytest.mark.rule("SPI-142")
@pytest.mark.parametrize(("spent", "edge"), [("I", Edge.TEAM), ("go", Edge.NOBODY)])
def test_intelligence_gives_the_ambush_in_the_first_round_only(spent: str, edge: Edge) -> None:
    driver = in_combat("tank", resources={"I": 2})
    roll(driver, "4")
    assert ids(driver) == ["go", "I"]
    driver.answer(spent)
    assert fight(driver).edge is edge
    roll(driver, *MISS)
    roll(driver, "1")
    calm(driver, "space_infantry.combat.leader")
    driver.answer("fight")
    roll(driver, "4")

    assert driver.ask.key == "space_infantry.combat.chits"


def in_melee(*chits: str, foes: tuple[str, ...] = ("tank",), **resources: int) -> Driver:
    """Three Assaults and the leader have their chits, at Melee."""
    driver = in_combat(*foes, team=("assault-1", "assault-2", "assault-3"), resources=resources)
    roll(driver, "2")
    roll(driver, *chits)
    return driver


@pytest.mark.rule("SPI-143", "SPI-144", "SPI-145", "SPI-146")
def test_a_stymo_pack_adds_two_points_and_doubles_melee_wounds_until_the_end() -> None:
    driver = in_melee("2", "4", "2", "2", foes=("tank", "tank"), S=1)
    assert ids(driver) == ["none", "leader", "assault-1", "assault-2", "assault-3"]
    driver.answer("assault-1")
    assert "stymo" in "\n".join(line for panel in driver.play.board().panels for line in panel.lines)
    roll(driver, *["2"] * 4)
    roll(driver, *["1"] * 4)
    assert [foe.wounds for foe in fight(driver).foes] == [2, 2]

    calm(driver, "space_infantry.combat.leader")
    assert op(driver).team["assault-1"].stymo, "it stays until the combat ends"
    driver.answer("fight")
    roll(driver, "1")
    roll(driver, "3")
    roll(driver, "2", "4", "2", "2")
    roll(driver, *["2"] * 4)
    roll(driver, *["1"] * 4)
    calm(driver, "space_infantry.turn.action")
    assert op(driver).fight is None


@pytest.mark.rule("SPI-143")
def test_a_special_unit_that_fights_may_take_a_stymo_pack() -> None:
    driver = in_combat("tank", team=("demolition",), resources={"S": 1})
    campaign(driver).roster["demolition"].levels["melee"] = [5]
    roll(driver, "2")
    driver.answer(["demolition"])
    roll(driver, "2", "3")
    driver.answer("demolition")
    roll(driver, "1", "1")
    roll(driver, "1", "1")
    driver.until("space_infantry.combat.leader")

    assert fight(driver).foes[0].wounds == 2


@pytest.mark.rule("SPI-143")
def test_who_fights_alone_may_take_a_stymo_pack_too() -> None:
    driver = in_combat("tank", team=(), resources={"S": 1})
    roll(driver, "2")
    roll(driver, "2")

    assert ids(driver) == ["none", "leader"]


@pytest.mark.rule("SPI-181", "SPI-R67")
@pytest.mark.parametrize(("numbers", "one"), [("dice", "0 or 1"), ("typed", "1")])
def test_that_a_natural_one_may_be_a_zero_is_told_before_a_stymo_pack_is_spent(
    numbers: str, one: str
) -> None:
    driver = briefed(("assault-1",), {"S": 1}, numbers=numbers)
    put_on(driver, "hall")
    driver.answer("stay")
    typed = numbers == "typed"
    driver.answer("2" if typed else ["2"])
    driver.until("space_infantry.combat.leader")
    for answer in ("fight", "2", "2", "1") if typed else ("fight", ["2"], ["2", "1"]):
        driver.answer(answer)

    assert driver.ask.key == "space_infantry.combat.stimulate"
    onto = "its counter goes from the Turn Track onto the unit"
    assert driver.ask.detail == f"{onto}; Leader: 2/4, Assault 1: {one}/3"
    assert isinstance(driver.ask, Choose)
    assert [option.label for option in driver.ask.options] == [
        "No Stymo-Pack",
        "Stymo-Pack Leader",
        "Stymo-Pack Assault 1",
    ]


@pytest.mark.rule("SPI-144")
def test_a_stymo_pack_is_of_no_use_at_fire_range() -> None:
    driver = in_combat("tank", resources={"S": 1})
    roll(driver, "4")
    roll(driver, *MISS)

    assert driver.ask.key == "space_infantry.combat.enemy_chits"


@pytest.mark.rule("SPI-144", "SPI-145")
def test_a_stymo_pack_of_an_earlier_round_adds_nothing_at_fire_range() -> None:
    driver = in_melee("2", "2", "2", "2", S=1)
    campaign(driver).roster["assault-1"].levels["fire"] = [6]
    driver.answer("assault-1")
    roll(driver, "1", "1")
    roll(driver, "4", "4")
    driver.until("space_infantry.combat.leader")
    driver.answer("fight")
    roll(driver, "3")
    roll(driver, "2", "5", "2", "2")
    roll(driver, "1")

    assert driver.ask.text == "1 of the enemy left; range Fire; no hits"


@pytest.mark.rule("SPI-144", "SPI-R44")
@pytest.mark.parametrize(("chosen", "points"), [("0", [4, 2]), ("1", [2, 4])])
def test_with_several_melee_levels_the_player_chooses_the_chit(chosen: str, points: list[int]) -> None:
    driver = in_combat("tank", team=("assault-1", "assault-2", "assault-3"), resources={"S": 1})
    campaign(driver).roster["assault-1"].levels["melee"] = [3, 4]
    roll(driver, "2")
    roll(driver, "2", "2", "2", "2", "2")
    driver.answer("assault-1")

    assert driver.ask.key == "space_infantry.combat.stymo"
    driver.answer(chosen)
    assert [chit.ap for chit in op(driver).chits if chit.who == "assault-1"] == points


@pytest.mark.rule("SPI-144", "SPI-146", "SPI-R43")
def test_a_unit_takes_one_stymo_pack_a_combat_and_it_ends_with_it() -> None:
    driver = in_melee("6", "6", "6", "6", foes=("grunt",), S=4)
    driver.answer("assault-1")
    assert ids(driver) == ["none", "leader", "assault-2", "assault-3"]
    driver.answer("none")
    roll(driver, "2")
    calm(driver, "space_infantry.turn.action")

    assert not op(driver).team["assault-1"].stymo


@pytest.mark.rule("SPI-146")
@pytest.mark.parametrize(("foes", "told"), [(1, True), (3, False)])
def test_that_stymo_packs_come_off_is_told_when_the_combat_ends_and_not_before(foes: int, told: bool) -> None:
    driver = in_melee("2", "2", "2", "2", foes=("grunt",) * foes, S=1)
    assert driver.ask.detail.startswith("its counter goes from the Turn Track onto the unit; ")
    driver.answer("assault-1")
    roll(driver, *["2"] * foes)

    assert driver.ask.key == "space_infantry.combat.round"
    assert ("Take the Stymo-Packs off" in driver.ask.detail) is told
    assert ("SPI-146" in driver.ask.rule) is told


def test_where_no_stymo_pack_was_used_none_comes_off() -> None:
    driver = in_melee("6", "6", "6", "6", foes=("grunt",), S=1)
    driver.answer("none")
    roll(driver, "2")

    assert driver.ask.text.startswith("Enemy eliminated")
    assert "Stymo" not in f"{driver.ask.text} {driver.ask.detail}"


@pytest.mark.rule("SPI-147")
def test_only_the_specialists_use_demo_charges() -> None:
    driver = briefed((*TEAM, "engineer"))
    attempt(driver, "gate")
    assert ids(driver) == ["accept", "I", "demolition", "technician", "engineer"]
    driver = briefed(("assault-1",))
    attempt(driver, "gate")
    assert ids(driver) == ["accept", "I"]


@pytest.mark.rule("SPI-148")
def test_demo_charges_are_for_demolition_nodes() -> None:
    driver = briefed()
    attempt(driver, "hall")

    assert ids(driver) == ["accept", "I"]


@pytest.mark.rule("SPI-149", "SPI-150", "SPI-R47", "SPI-R67")
@pytest.mark.parametrize(
    ("numbers", "number", "opened"),
    [("dice", ["2"], True), ("dice", ["6"], True), ("dice", ["1"], False), ("typed", "0", False)],
)
def test_a_charge_meets_the_whole_requirement_on_two_or_more(
    numbers: str, number: object, opened: bool
) -> None:
    driver = briefed(numbers=numbers)
    attempt(driver, "gate")
    driver.answer("technician")
    driver.answer(number)

    assert (driver.ask.key == "space_infantry.node.enter") is opened
    assert op(driver).news[0] == f"the charge {'opens the way' if opened else 'fizzles'}"
    assert op(driver).resources["D"] == 0


@pytest.mark.rule("SPI-149")
def test_a_charge_meets_what_is_left_of_a_requirement_too() -> None:
    driver = briefed(resources={"D": 1})
    op(driver).places["gate"].gathered = 1
    attempt(driver, "gate")
    assert driver.ask.text == "3 SL short: use a resource?"
    driver.answer("technician")
    roll(driver, "2")
    driver.answer("enter")

    assert op(driver).node == "gate"


@pytest.mark.rule("SPI-R47")
def test_after_a_charge_that_fizzles_another_specialist_may_set_the_next() -> None:
    driver = briefed(resources={"D": 2})
    attempt(driver, "gate")
    driver.answer("technician")
    roll(driver, "1")
    assert ids(driver) == ["accept", "demolition"]
    driver.answer("demolition")
    roll(driver, "2")

    assert driver.ask.key == "space_infantry.node.enter"
    assert op(driver).resources["D"] == 0


@pytest.mark.rule("SPI-061", "SPI-150")
def test_what_others_have_gathered_stays_where_a_charge_fizzles() -> None:
    driver = briefed()
    attempt(driver, "gate", "demolition")
    roll(driver, "3")
    driver.answer("technician")
    roll(driver, "1")
    driver.answer("accept")

    assert op(driver).places["gate"].gathered == 1


@pytest.mark.rule("SPI-R48")
def test_a_specialist_who_got_a_chit_sets_no_charge_too() -> None:
    driver = briefed()
    driver.answer("try:gate")
    assert driver.ask.detail == "who tries sets no Demo Charge in this turn"
    driver.answer(["demolition"])
    roll(driver, "1")

    assert ids(driver) == ["accept", "I", "technician"]


@pytest.mark.rule("SPI-064", "SPI-R48")
def test_a_leader_who_may_use_charges_sets_none_after_a_chit_for_command_points() -> None:
    leader = msgspec.structs.replace(pack().unit["leader"], charges=True)
    changed = msgspec.structs.replace(pack(), unit=pack().unit | {"leader": leader})
    driver = briefed(("demolition", "technician"), {"D": 1}, changed)
    attempt(driver, "gate", "demolition", "command")
    roll(driver, "1", "1")

    assert ids(driver) == ["accept", "technician"]


@pytest.mark.rule("SPI-R48")
def test_a_specialist_who_is_out_of_combat_sets_no_charge() -> None:
    driver = briefed()
    op(driver).team["technician"].wounds = campaign(driver).roster["technician"].wounds
    attempt(driver, "gate")

    assert ids(driver) == ["accept", "I", "demolition"]


@pytest.mark.rule("SPI-147", "SPI-R16", "SPI-R48")
def test_a_specialist_without_the_skill_sets_a_charge_after_an_unskilled_try() -> None:
    driver = briefed(("assault-1", "technician"), {"D": 1})
    attempt(driver, "gate", "unskilled")
    roll(driver, "6")
    assert driver.ask.text == "3 SL short: use a resource?"
    driver.answer("technician")
    roll(driver, "2")

    assert driver.ask.key == "space_infantry.node.enter"


@pytest.mark.rule("SPI-076", "SPI-R48")
def test_that_who_got_a_chit_sets_no_charge_is_told_where_no_command_points_help_too() -> None:
    skills = pack().skill | {"demolitions": Skill("Demolitions", starred=True)}
    driver = briefed(changed=msgspec.structs.replace(pack(), skill=skills))
    driver.answer("try:gate")

    assert driver.ask.detail == (
        "who tries sets no Demo Charge in this turn; no Command Points: demolitions takes none"
    )


@pytest.mark.parametrize(("node", "held"), [("gate", {"I": 1}), ("hall", {"D": 1})])
def test_where_no_charge_can_be_set_a_chit_keeps_nobody_from_it(node: str, held: dict[str, int]) -> None:
    driver = briefed(resources=held)
    driver.answer(f"try:{node}")

    assert driver.ask.detail == ""


@pytest.mark.rule("SPI-R72")
@pytest.mark.parametrize("spelling", ["demolition", "demolitions", "Demolition"])
def test_either_spelling_of_demolitions_on_a_card_or_a_node_is_the_same_skill(spelling: str) -> None:
    card = msgspec.structs.replace(pack().unit["demolition"], skills={spelling: (3,)})
    gate = msgspec.structs.replace(DRILL.nodes["gate"], needs=f"{spelling} 4")
    mission = msgspec.structs.replace(DRILL, nodes=DRILL.nodes | {"gate": gate})
    units = pack().unit | {"demolition": card}
    driver = briefed(changed=msgspec.structs.replace(pack(), unit=units, mission={"drill": mission}))
    attempt(driver, "gate", "demolition")
    roll(driver, "6")

    assert ids(driver) == ["accept", "I", "technician"]


@pytest.mark.rule("SPI-151")
def test_nine_resources_are_refused() -> None:
    driver = briefed()
    assert sum(op(driver).resources.values()) == 8
    again = at_team()
    again.answer("done")
    again.answer(5)
    with pytest.raises(BadAnswer):
        again.answer(4)
