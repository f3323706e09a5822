"""Optional rules and counters: SPI-177 to SPI-204."""

from __future__ import annotations

import msgspec
import pytest

from companion.engine.asks import Choose, Draw, Roll, Show
from companion.games.space_infantry.pack import RESOURCE_NAMES, Counter, Effect, EffectKind, Enemy
from companion.games.space_infantry.problems import faults
from companion.games.space_infantry.state import Member
from companion.games.space_infantry.table import Numbers
from tests.games.driver import Driver
from tests.games.space_infantry.field import (
    DRILL,
    GRUNTS,
    RESOURCES,
    TEAM,
    attack,
    attempt,
    briefed,
    calm,
    campaign,
    drill_with,
    fight,
    fresh,
    ids,
    in_combat,
    nodes_with,
    op,
    pack,
    put_on,
    roll,
    win_against_one,
)
from tests.games.space_infantry.test_3_setup import at_team, left


@pytest.mark.rule("SPI-177", "SPI-R64")
def test_hard_fight_checks_for_the_enemy_before_the_actions() -> None:
    driver = briefed(hard_fight="on")
    attempt(driver, "cliff", "explorer")
    roll(driver, "4")
    driver.answer("I")
    driver.answer("enter")
    driver.until("space_infantry.event.rn")

    assert op(driver).turn == 2
    assert driver.ask.text == "Cliff: event check 6/A"
    roll(driver, "2")
    assert driver.ask.key == "space_infantry.turn.action"
    driver.answer("stay")
    driver.until("space_infantry.event.rn")
    assert op(driver).turn == 3


@pytest.mark.rule("SPI-177", "SPI-R30", "SPI-R64")
def test_hard_fight_checks_a_nodes_own_event_on_arrival_and_its_enemy_in_the_next_turn() -> None:
    driver = briefed(hard_fight="on")
    attempt(driver, "den", "assault-1")
    roll(driver, "3")
    driver.answer("enter")
    checks = []
    for face in ("2", "1", "2", "1"):
        driver.until("space_infantry.event.rn", "space_infantry.turn.action")
        if driver.ask.key == "space_infantry.turn.action":
            driver.answer("stay")
        checks.append((op(driver).turn, driver.ask.text))
        roll(driver, face)

    own, enemy = "Den: event check 4+/E", "Den: event check 2+/S"
    assert checks == [(1, own), (2, enemy), (2, own), (3, enemy)]


@pytest.mark.rule("SPI-053", "SPI-178", "SPI-R65")
def test_hard_fight_leaves_no_action_in_a_turn_with_contact() -> None:
    driver = briefed(hard_fight="on")
    put_on(driver, "cliff")
    assert isinstance(driver.ask, Choose)
    assert "no other enemy check this turn" in [option.detail for option in driver.ask.options]
    driver.answer("stay")
    driver.until("space_infantry.event.rn")
    roll(driver, "6")
    driver.until("space_infantry.encounter.rn")
    roll(driver, "2")
    told = "Grunts (drill); no actions this turn, Time marker on box 29"
    assert driver.until("space_infantry.encounter.met").detail == told
    win_against_one(driver)
    assert op(driver).turn == 2
    calm(driver, "space_infantry.turn.action")

    assert op(driver).turn == 3


@pytest.mark.rule("SPI-R57", "SPI-R64")
def test_for_a_team_that_was_defeated_in_a_hard_fight_no_event_is_checked_any_more() -> None:
    changed = drill_with(nodes=nodes_with("den", events=("Auto/A", "4+/E")))
    driver = briefed((), resources={}, changed=changed, hard_fight="on")
    op(driver).team["leader"].wounds = 1
    put_on(driver, "den")
    driver.answer("stay")
    roll(driver, "3")
    driver.until("space_infantry.encounter.rn")
    roll(driver, "2")
    driver.until("space_infantry.combat.leader")
    driver.answer("fight")
    attack(driver, "M", ["1"], ["6"] * 3)
    calm(driver, "space_infantry.mission.end")

    assert driver.ask.text == "Mission aborted, 0 survivors"


@pytest.mark.rule("SPI-177", "SPI-R64")
def test_hard_fight_checks_for_the_enemy_once_in_a_turn_with_contact() -> None:
    driver = briefed(hard_fight="on", changed=drill_with(nodes=nodes_with("hall", events=("Auto/A", "6/A"))))
    put_on(driver, "hall")
    driver.answer("stay")
    win_against_one(driver)
    checks = []
    while op(driver).turn == 2:
        if driver.ask.key == "space_infantry.event.rn":
            checks.append(driver.ask.text)
            roll(driver, "2")
        else:
            assert driver.ask.key in {"space_infantry.combat.round", "space_infantry.turn.told"}
            driver.answer()

    assert checks == ["Hall: event check 6/A"]


def won_hard_fight(*wounded: str) -> Driver:
    """The end of a fight that took the place of the actions, with old wounds."""
    driver = briefed(hard_fight="on")
    for name in wounded:
        op(driver).team[name].wounds = 1
    put_on(driver, "cliff")
    driver.answer("stay")
    driver.until("space_infantry.event.rn")
    roll(driver, "6")
    win_against_one(driver)
    return driver


@pytest.mark.rule("SPI-132", "SPI-138", "SPI-178")
def test_in_a_turn_that_a_hard_fight_leaves_no_action_old_wounds_may_be_treated_after_it() -> None:
    driver = won_hard_fight("assault-1", "shotgun-1")
    assert driver.ask.text.startswith("Enemy eliminated")
    assert ids(driver) == ["go", "treat:assault-1", "treat:shotgun-1"]
    assert driver.ask.news.splitlines() == [driver.ask.text, *driver.ask.detail.splitlines()]
    driver.answer("treat:shotgun-1")
    assert ids(driver) == ["go", "treat:assault-1"]
    assert not driver.ask.news, "it was told"
    driver.answer("go")
    calm(driver, "space_infantry.turn.action")

    assert op(driver).turn == 3
    assert op(driver).team["shotgun-1"] == Member(wounds=0, treated=1, fought=True)
    assert op(driver).team["assault-1"].wounds == 1
    assert op(driver).resources["M"] == 1


def test_after_a_hard_fight_that_left_nobody_to_treat_its_end_is_only_told() -> None:
    assert isinstance(won_hard_fight().ask, Show)


def test_a_journal_from_before_wounds_could_be_treated_after_a_hard_fight_goes_on() -> None:
    driver = won_hard_fight("assault-1")
    driver.replayed(True)
    driver.until("space_infantry.turn.action")

    assert op(driver).resources["M"] == 2


@pytest.mark.rule("SPI-082", "SPI-177")
def test_hard_fight_puts_off_no_event_of_the_mission_in_a_turn_with_contact() -> None:
    driver = briefed(hard_fight="on")
    put_on(driver, "den")
    driver.answer("stay")
    roll(driver, "3")
    driver.until("space_infantry.event.rn")
    assert driver.ask.text == "Den: event check 2+/S"
    roll(driver, "3")
    driver.until("space_infantry.combat.leader")
    fight(driver).foes[0].wounds = 2
    driver.answer("fight")
    roll(driver, "4")
    calm(driver, "space_infantry.combat.chits")
    assert isinstance(driver.ask, Roll)
    roll(driver, *["6"] * driver.ask.dice[0].count)
    roll(driver, "1")
    driver.until("space_infantry.event.rn")

    assert op(driver).turn == 2
    assert driver.ask.text == "Den: event check 4+/E"
    roll(driver, "3")
    driver.until("space_infantry.event.rn", "space_infantry.turn.action")
    assert op(driver).turn == 3
    assert driver.ask.key == "space_infantry.turn.action"


@pytest.mark.rule("SPI-179", "SPI-R66")
def test_without_intelligence_the_sheet_is_drawn_at_the_first_contact() -> None:
    driver = Driver(fresh(no_intelligence="on"))
    told = driver.until("space_infantry.team.buy").detail
    assert told == "against an enemy unknown until met; recommended: Engineer"
    driver = briefed(no_intelligence="on")
    assert op(driver).sheet == ""
    put_on(driver, "cliff")
    driver.answer("stay")
    roll(driver, "6")

    assert driver.ask.key == "space_infantry.enemy.sheet"
    driver.answer(["grunts"])
    assert driver.ask.key == "space_infantry.encounter.rn"


@pytest.mark.rule("SPI-089", "SPI-100", "SPI-179")
def test_without_intelligence_a_special_enemy_is_a_contact_too_and_a_failed_check_is_none() -> None:
    driver = briefed(no_intelligence="on")
    put_on(driver, "den")
    op(driver).places["den"].spent = [0]
    driver.answer("stay")
    roll(driver, "1")
    driver.until("space_infantry.turn.action")
    assert op(driver).sheet == ""
    driver.answer("stay")
    roll(driver, "2")
    assert driver.ask.key == "space_infantry.enemy.sheet"
    driver.answer(["grunts"])

    assert driver.until("space_infantry.encounter.met").text == "Contact, class S: 1 Boss"


@pytest.mark.rule("SPI-037", "SPI-179", "SPI-R66")
def test_without_intelligence_the_sheet_of_the_first_contact_is_that_of_the_second() -> None:
    driver = briefed(no_intelligence="on")
    put_on(driver, "cliff")
    driver.answer("stay")
    roll(driver, "6")
    driver.answer(["grunts"])
    win_against_one(driver)
    calm(driver, "space_infantry.turn.action")
    put_on(driver, "hall")
    driver.answer("stay")

    assert driver.ask.key == "space_infantry.encounter.rn"


@pytest.mark.rule("SPI-180")
def test_dice_give_one_to_six() -> None:
    driver = briefed(numbers="dice")
    attempt(driver, "gate", "demolition")

    assert isinstance(driver.ask, Roll)
    assert driver.ask.dice[0].faces == ("1", "2", "3", "4", "5", "6")


@pytest.mark.rule("SPI-155", "SPI-180")
@pytest.mark.parametrize("face", "123456")
def test_the_number_is_what_the_die_shows(face: str) -> None:
    driver = briefed()
    put_on(driver, "store")
    driver.answer("stay")
    driver.answer("look")
    roll(driver, face)
    assert op(driver).resources["G"] == RESOURCES["G"] + int(face) - 1


@pytest.mark.rule("SPI-180", "SPI-R67")
def test_few_dice_are_thrown_one_throw_after_the_other() -> None:
    driver = briefed(dice_at_once="2")
    attempt(driver, "hall", "assault-1", "fire_team-1", "command")
    assert (driver.ask.text, driver.ask.detail) == ("3 dice for the team: 1 to 2 of 3", "Leader, Assault 1")
    roll(driver, "3", "2")
    assert (driver.ask.text, driver.ask.detail) == ("3 dice for the team: 3 of 3", "Fire Team 1")
    roll(driver, "1")
    assert driver.ask.key == "space_infantry.node.chits.zero"
    roll(driver, "2")

    assert [(chit.who, chit.ap) for chit in op(driver).chits] == [
        ("leader", 3),
        ("assault-1", 2),
        ("fire_team-1", 0),
    ]


@pytest.mark.rule("SPI-181", "SPI-R67")
@pytest.mark.parametrize(("second", "moved"), [("1", False), ("2", False), ("3", True), ("6", True)])
def test_a_natural_one_is_rolled_again_where_zero_matters(second: str, moved: bool) -> None:
    driver = briefed()
    put_on(driver, "cliff")
    driver.answer("move:start")
    roll(driver, "1")
    assert driver.ask.key == "space_infantry.move.rn.zero"
    roll(driver, second)

    assert (op(driver).node == "start") is moved


@pytest.mark.parametrize(
    ("dice", "told"),
    [("all", ["Assault 1, Shotgun 1"]), ("2", ["Assault 1, Shotgun 1"]), ("1", ["Assault 1", "Shotgun 1"])],
)
def test_whose_natural_ones_are_rolled_again_is_said(dice: str, told: list[str]) -> None:
    driver = briefed(dice_at_once=dice)
    attempt(driver, "hall", "assault-1", "fire_team-1", "shotgun-1", "command")
    thrown = {"Leader": "3", "Assault 1": "1", "Fire Team 1": "4", "Shotgun 1": "1"}
    said = []
    while driver.ask.key.startswith("space_infantry.node.chits"):
        names = driver.ask.detail.split(", ")
        if driver.ask.key == "space_infantry.node.chits.zero":
            said.append(driver.ask.detail)
        roll(driver, *(thrown[name] for name in names))

    assert said == told


@pytest.mark.rule("SPI-181", "SPI-R67")
@pytest.mark.parametrize("points", [True, False])
def test_on_a_node_a_zero_matters_only_where_command_points_may_raise_it(points: bool) -> None:
    driver = briefed()
    attempt(driver, "hall", "assault-1", "command")
    roll(driver, "3" if points else "2", "1")

    assert (driver.ask.key == "space_infantry.node.chits.zero") is points


@pytest.mark.rule("SPI-181", "SPI-R67")
def test_for_force_range_and_grenade_a_natural_one_is_rolled_again() -> None:
    driver = briefed()
    put_on(driver, "hall")
    driver.answer("stay")
    roll(driver, "1")
    assert driver.ask.key == "space_infantry.encounter.rn.zero"
    roll(driver, "2")
    assert driver.until("space_infantry.encounter.met").text == "Contact, class A: 1 Grunt"
    driver.until("space_infantry.combat.leader")
    driver.answer("fight")
    roll(driver, "1")
    assert driver.ask.key == "space_infantry.combat.range.zero"
    roll(driver, "6")
    driver.answer("G")
    calm(driver, "space_infantry.combat.chits")
    roll(driver, *["1"] * 4)
    calm(driver, "space_infantry.combat.grenade")
    roll(driver, "1")
    assert driver.ask.key == "space_infantry.combat.grenade.zero"
    roll(driver, "1")
    roll(driver, "1")
    driver.until("space_infantry.combat.leader")

    assert [foe.kind for foe in fight(driver).foes] == ["grunt"], "the grenade did nothing"


@pytest.mark.rule("SPI-181", "SPI-R67")
@pytest.mark.parametrize(
    ("orders", "stymo"), [("command", "none"), ("fight", "assault-1"), ("fight", "none")]
)
def test_in_combat_a_zero_matters_only_where_points_may_raise_it(orders: str, stymo: str) -> None:
    driver = in_combat("tank", orders=orders)
    if orders == "command":
        roll(driver, "3")
    roll(driver, "2")
    if driver.ask.key == "space_infantry.combat.shift":
        driver.answer("keep")
    calm(driver, "space_infantry.combat.chits")
    roll(driver, *["1"] * (3 if orders == "command" else 4))
    driver.answer(stymo)

    raised = (orders, stymo) != ("fight", "none")
    assert (driver.ask.key == "space_infantry.combat.chits.zero") is raised


@pytest.mark.rule("SPI-181", "SPI-R67")
@pytest.mark.parametrize(("text", "asked"), [("1+/A", True), ("0/A", True), ("1-/A", False), ("6/A", False)])
def test_in_an_event_check_a_zero_matters_where_it_is_not_as_good_as_a_one(text: str, asked: bool) -> None:
    driver = briefed(changed=drill_with(nodes=nodes_with("cliff", events=(text,))))
    put_on(driver, "cliff")
    driver.answer("stay")
    roll(driver, "1")

    assert (driver.ask.key == "space_infantry.event.rn.zero") is asked


@pytest.mark.rule("SPI-181", "SPI-R67")
def test_where_zero_does_not_matter_a_one_stays_a_one() -> None:
    driver = briefed()
    put_on(driver, "store")
    driver.answer("stay")
    driver.answer("look")
    roll(driver, "1")

    assert driver.until("space_infantry.turn.action").key == "space_infantry.turn.action"


@pytest.mark.rule("SPI-182", "SPI-183", "SPI-R53")
@pytest.mark.parametrize(
    ("face", "kind"), [("1", "G"), ("2", "G"), ("3", "I"), ("4", "I"), ("5", "M"), ("6", "S")]
)
def test_random_resources_ignore_the_icon(face: str, kind: str) -> None:
    driver = briefed(resources={}, random_resources="on")
    put_on(driver, "store")
    assert "cache ?" in "\n".join(line for panel in driver.play.board().panels for line in panel.lines)
    driver.answer("stay")
    roll(driver, face)
    assert RESOURCE_NAMES[kind] in driver.ask.text
    driver.answer("look")
    roll(driver, "3")
    driver.until("space_infantry.turn.action")

    assert {one: many for one, many in op(driver).resources.items() if many} == {kind: 2}


@pytest.mark.rule("SPI-R53")
def test_what_a_cache_of_unknown_kind_holds_is_drawn_once() -> None:
    driver = briefed(resources={}, random_resources="on")
    put_on(driver, "store")
    driver.answer("stay")
    roll(driver, "5")
    driver.answer("leave")
    driver.until("space_infantry.turn.action")
    driver.answer("stay")

    assert driver.ask.text == "Resource Cache here (MediKits)"


@pytest.mark.rule("SPI-183", "SPI-R52")
@pytest.mark.parametrize(("chits", "kind"), [("0", "G"), ("+56", "S")])
def test_the_table_of_random_resources_covers_every_number(chits: str, kind: str) -> None:
    driver = briefed(resources={}, random_resources="on", numbers="typed")
    put_on(driver, "store")
    driver.answer("stay")
    told = []
    for chit in chits:
        told.append(driver.ask.text)
        driver.answer(chit)

    more = (", 2 more for +", ", 1 more for +") if "+" in chits else ()
    assert told == [f"What the cache holds{left}" for left in ("", *more)]
    assert op(driver).places["store"].resource == kind


@pytest.mark.rule("SPI-184", "SPI-185", "SPI-186", "SPI-187", "SPI-189", "SPI-R70")
@pytest.mark.parametrize(
    ("level", "points", "resources", "force"),
    [("easy", 130, 10, 3), ("normal", 110, 8, 4), ("hard", 90, 6, 5), ("nightmare", 80, 4, 6)],
)
def test_difficulty_sets_points_resources_and_the_force_draw(
    level: str, points: int, resources: int, force: int
) -> None:
    driver = at_team(difficulty=level)
    assert left(driver) == points
    driver.answer("done")
    assert driver.ask.text == f"Grenades? {resources} to take"
    driver.answer(resources)
    driver.until("space_infantry.turn.action")
    put_on(driver, "hall")
    driver.answer("stay")
    roll(driver, "3")

    assert f": {force} x Grunt" in driver.until("space_infantry.encounter.met").text


@pytest.mark.rule("SPI-190")
@pytest.mark.parametrize(("level", "allowed"), [("normal", True), ("hard", False), ("nightmare", False)])
def test_at_hard_only_who_fought_can_be_wounded(level: str, allowed: bool) -> None:
    team = TEAM[:3] + TEAM[5:]
    driver = in_combat("grunt", team=team, resources={}, difficulty=level)
    roll(driver, "2")
    calm(driver, "space_infantry.combat.chits")
    roll(driver, "1", "1", "1", "1")
    roll(driver, "4")
    assert ("only on who fought" in driver.ask.detail) is not allowed
    driver.answer("hand")

    assert ("technician" in ids(driver)) is allowed


@pytest.mark.rule("SPI-079")
def test_an_event_at_hard_wounds_anybody_and_is_told_with_its_wounds() -> None:
    driver = briefed(difficulty="hard", resources={})
    op(driver).team["assault-1"].fought = True
    put_on(driver, "den")
    driver.answer("stay")
    roll(driver, "4")
    assert driver.ask.detail.startswith("Trap; ")
    assert driver.ask.detail.endswith("on anybody who can take them")
    driver.answer("hand")

    assert "technician" in ids(driver)


@pytest.mark.rule("SPI-190")
def test_at_hard_who_fought_in_an_earlier_round_of_the_combat_can_be_wounded() -> None:
    team = TEAM[:3] + TEAM[4:]
    driver = in_combat(*["grunt"] * 5, team=team, resources={}, difficulty="hard")
    roll(driver, "2")
    driver.until("space_infantry.combat.specials")
    driver.answer(["demolition"])
    roll(driver, "1", "1", "1", "1", "1")
    roll(driver, *["1"] * 5)
    driver.until("space_infantry.combat.leader")
    fight(driver).foes = fight(driver).foes[:2]
    driver.answer("fight")
    roll(driver, "2")
    assert driver.ask.key == "space_infantry.combat.chits"  # too few enemies now for Special units
    roll(driver, "1", "1", "1", "1")
    roll(driver, "4", "1")
    driver.answer("hand")

    assert "demolition" in ids(driver)
    assert "technician" not in ids(driver)


@pytest.mark.rule("SPI-190")
def test_at_hard_who_fought_in_an_earlier_combat_alone_can_not_be_wounded() -> None:
    driver = briefed(TEAM[:3] + TEAM[5:], {}, difficulty="hard")
    op(driver).team["technician"].fought = True
    put_on(driver, "hall")
    driver.answer("stay")
    roll(driver, "2")
    driver.until("space_infantry.combat.leader")
    driver.answer("fight")
    roll(driver, "2")
    calm(driver, "space_infantry.combat.chits")
    roll(driver, "1", "1", "1", "1")
    roll(driver, *["4"] * len(fight(driver).foes))
    driver.answer("hand")

    assert "technician" not in ids(driver)


def test_at_hard_wounds_fall_on_anybody_where_nobody_is_left_who_fought() -> None:
    driver = in_combat("grunt", team=("demolition", "technician"), resources={}, difficulty="hard")
    op(driver).team["leader"].wounds = 2
    roll(driver, "2")
    driver.until("space_infantry.combat.specials")
    driver.answer([])
    roll(driver, "4")
    driver.answer("hand")

    assert ids(driver) == ["demolition", "technician"]


@pytest.mark.rule("SPI-191", "SPI-R69")
@pytest.mark.parametrize(("level", "dealt"), [("normal", 4), ("hard", 3), ("nightmare", 3)])
def test_at_hard_three_units_at_most_fight_one_enemy(level: str, dealt: int) -> None:
    team = ("assault-1", "assault-2", "assault-3")
    driver = in_combat("boss", team=team, resources={}, difficulty=level)
    fight(driver).foes[0].wounds = -1
    roll(driver, "2")
    roll(driver, "4", "3", "3", "3")
    roll(driver, "1")

    state = op(driver).fight
    alive = state is not None and bool(state.foes)
    assert alive is (dealt == 3)


@pytest.mark.rule("SPI-145", "SPI-191", "SPI-R69")
def test_at_hard_what_a_stymo_pack_doubles_is_dealt_by_its_unit() -> None:
    team = ("assault-1", "assault-2", "assault-3", "assault-4")
    driver = in_combat("boss", team=team, resources={"S": 1}, difficulty="hard")
    fight(driver).foes[0].wounds = -4
    roll(driver, "2")
    roll(driver, "2", "2", "6", "6", "6")
    driver.answer("assault-1")
    roll(driver, "1")

    assert driver.ask.text == "1 of the enemy left; range Melee"
    assert "2 hits lost: 3 units at most on one enemy" in driver.ask.detail
    assert fight(driver).foes[0].wounds == 2


def eight_hits_on_two_walls() -> Driver:
    """At Hard eight hits of seven units on two enemies, one of which gets four and the other three."""
    units = dict(pack().unit)
    units["assault"] = msgspec.structs.replace(units["assault"], skills={"melee": (2,)}, copies=7, cost=9)
    sheet = msgspec.structs.replace(GRUNTS, units=GRUNTS.units | {"wall": Enemy("Wall", 4, (), ())})
    changed = msgspec.structs.replace(pack(), unit=units, enemy={"grunts": sheet})
    team = tuple(f"assault-{one}" for one in range(1, 8))
    driver = in_combat("wall", "wall", team=team, resources={}, changed=changed, difficulty="hard")
    fight(driver).foes[0].wounds = 1
    roll(driver, "2")
    roll(driver, "1", "4", "2", "2", "2", "2", "2", "2")
    assert driver.ask.key == "space_infantry.combat.allot"
    return driver


@pytest.mark.rule("SPI-117", "SPI-191", "SPI-R69")
@pytest.mark.parametrize(("wish", "left"), [("1:4:whole", 0), ("0:4", 1)])
def test_at_hard_the_chosen_enemy_gets_what_it_is_given_before_others_of_as_large_a_share(
    wish: str, left: int
) -> None:
    driver = eight_hits_on_two_walls()
    assert ids(driver) == ["1:4:whole", "0:4"], "what takes out most comes first"
    driver.answer(wish)

    assert "1 hit lost: 3 units at most on one enemy" in driver.ask.detail
    assert driver.ask.text.startswith("Enemy eliminated" if not left else "1 of the enemy left")


def hits_on_a_wall() -> Driver:
    """At Hard a piercing hit and three times three others on an enemy, whose armor is to be drawn for."""
    units = dict(pack().unit)
    units["heavy"] = msgspec.structs.replace(units["heavy"], skills={"melee": (2,)}, piercing=("melee",))
    units["assault"] = msgspec.structs.replace(units["assault"], skills={"melee": (2,)})
    walls = GRUNTS.units | {"wall": Enemy("Wall", 9, (), (), armor=9)}
    sheet = msgspec.structs.replace(GRUNTS, units=walls)
    changed = msgspec.structs.replace(pack(), unit=units, enemy={"grunts": sheet})
    team = ("heavy-1", "assault-1", "assault-2", "assault-3")
    driver = in_combat("wall", team=team, resources={}, changed=changed, difficulty="hard")
    roll(driver, "2")
    roll(driver, "1", "2", "6", "6", "6")
    assert driver.ask.key == "space_infantry.combat.armor"
    return driver


@pytest.mark.rule("SPI-126", "SPI-191", "SPI-R36", "SPI-R69")
def test_at_hard_a_piercing_hit_that_is_lost_passes_no_armor() -> None:
    driver = hits_on_a_wall()
    roll(driver, *["4"] * 9)

    assert "1 hit lost: 3 units at most on one enemy" in driver.ask.detail
    assert fight(driver).foes[0].wounds == 0


@pytest.mark.rule("SPI-197")
def test_no_ammunition_is_kept_since_no_rule_uses_it() -> None:
    assert "ammo" not in str(campaign(briefed())).lower()


@pytest.mark.rule("SPI-198")
def test_depleted_caches_and_explored_nodes_are_marked() -> None:
    driver = briefed(resources={})
    put_on(driver, "store")
    assert "cache G" in driver.board()
    driver.answer("stay")
    driver.answer("look")
    roll(driver, "1")
    driver.until("space_infantry.turn.action")
    board = "\n".join(line for panel in driver.play.board().panels for line in panel.lines)

    assert "+Start" in board
    assert op(driver).places["store"].emptied
    assert "cache G" not in board


@pytest.mark.rule("SPI-199", "SPI-202", "SPI-203", "SPI-R71")
def test_a_face_down_counter_makes_the_node_an_advance_three() -> None:
    driver = briefed()
    down = {name: place.counter for name, place in op(driver).places.items() if place.counter}
    assert down == {"mark": "?"}
    driver.answer("try:mark")
    assert driver.ask.text == "Mark: who tries advance?"
    driver.answer(["assault-1"])
    roll(driver, "6")

    assert driver.ask.text == "1 SL short: use a resource?"


@pytest.mark.rule("SPI-203")
def test_below_a_question_mark_a_sheet_need_print_no_requirement() -> None:
    lab = Counter(1, Effect(EffectKind.OPEN, what="lab"))
    nodes = nodes_with("lab", counter=True, needs="")
    changed = drill_with(nodes=nodes, counters=DRILL.counters | {"C": lab})
    assert list(faults(changed)) == []

    driver = briefed(changed=changed)
    assert "Lab          0/3 advance" in driver.board()
    driver.answer("try:lab")
    assert driver.ask.text == "Lab: who tries advance?"
    driver.answer(["assault-1"])
    roll(driver, "6")
    driver.answer("I")
    driver.answer("enter")
    driver.answer(["C"])
    driver.until("space_infantry.turn.action")
    assert driver.ask.text == "Time marker on 29, Lab: what now?"


@pytest.mark.rule("SPI-201", "SPI-202")
def test_which_special_counters_are_laid_out_face_down_is_told_before_the_first_turn() -> None:
    counters = DRILL.counters | {"A": msgspec.structs.replace(DRILL.counters["A"], count=2)}
    driver = Driver(fresh(drill_with(counters=counters)))
    driver.until("space_infantry.enemy.sheet")
    driver.answer(["grunts"])
    driver.answer("done")
    driver.answer(8)

    assert driver.ask.key == "space_infantry.mission.ready"
    assert "special counters face down on Mark, of A 2, B 1 shuffled" in driver.ask.detail


@pytest.mark.rule("SPI-200", "SPI-201", "SPI-204")
@pytest.mark.parametrize("letter", ["A", "B"])
def test_the_counter_is_flipped_on_entering_and_its_letter_takes_effect(letter: str) -> None:
    driver = briefed()
    attempt(driver, "mark", "assault-1", "fire_team-1")
    roll(driver, "6", "4")
    driver.answer("enter")
    assert isinstance(driver.ask, Draw)
    assert [option.id for option in driver.ask.options] == ["A", "B"]
    driver.answer([letter])

    assert op(driver).places["mark"].counter == letter
    assert (op(driver).found == ["map"]) is (letter == "A")
    assert (driver.ask.key == "space_infantry.encounter.rn") is (letter == "B")


@pytest.mark.rule("SPI-204", "SPI-R71")
def test_the_event_string_below_a_special_counter_is_checked_once_it_was_flipped() -> None:
    driver = briefed(changed=drill_with(nodes=nodes_with("mark", events=("6/A",))))
    op(driver).places["mark"].gathered = 3
    driver.answer("try:mark")
    driver.answer("enter")
    assert driver.ask.key == "space_infantry.counter.flip"
    assert (driver.ask.text, driver.ask.detail) == (
        "Mark: flip the special counter",
        "Team A counter to Mark",
    )
    driver.answer(["A"])

    assert driver.ask.key == "space_infantry.event.rn"


@pytest.mark.rule("SPI-090", "SPI-201")
def test_a_special_counter_may_modify_the_force_that_it_brings() -> None:
    raid = Counter(1, Effect(EffectKind.ENCOUNTER, amount=2, what="A"))
    driver = briefed(changed=drill_with(counters=DRILL.counters | {"B": raid}))
    op(driver).places["mark"].gathered = 3
    driver.answer("try:mark")
    driver.answer("enter")
    driver.answer(["B"])
    roll(driver, "2")

    assert driver.until("space_infantry.encounter.met").text == "Contact, class A: 5 x Grunt"


@pytest.mark.rule("SPI-204", "SPI-R57")
def test_for_a_team_that_a_special_counter_defeats_no_event_of_the_node_is_checked() -> None:
    driver = briefed(("assault-1",), changed=drill_with(nodes=nodes_with("mark", events=("6/A",))))
    op(driver).places["mark"].gathered = 3
    for name, member in op(driver).team.items():
        member.wounds = campaign(driver).roster[name].wounds - 1
    driver.answer("try:mark")
    driver.answer("enter")
    driver.answer(["B"])
    roll(driver, "3")
    driver.until("space_infantry.combat.leader")
    driver.answer("fight")
    attack(driver, "M", ["1", "1"], ["6"] * 4)
    calm(driver, "space_infantry.mission.end")

    assert driver.ask.text == "Mission aborted, 0 survivors"


def test_a_counter_put_right_by_hand_while_one_is_flipped_counts() -> None:
    driver = briefed()
    attempt(driver, "mark", "assault-1", "fire_team-1")
    roll(driver, "6", "4")
    driver.answer("enter")
    op(driver).places["lab"].counter = "A"
    driver.restate()
    assert isinstance(driver.ask, Draw)
    assert [option.id for option in driver.ask.options] == ["B"]


@pytest.mark.rule("SPI-200", "SPI-201")
@pytest.mark.parametrize(("many", "left"), [(1, {"B": 1}), (2, {"A": 1, "B": 1})])
def test_a_counter_that_was_flipped_lies_on_no_other_node(many: int, left: dict[str, int]) -> None:
    counters = DRILL.counters | {"A": msgspec.structs.replace(DRILL.counters["A"], count=many)}
    driver = briefed(changed=drill_with(nodes=nodes_with("lab", counter=True), counters=counters))
    op(driver).places["mark"].counter = "A"
    attempt(driver, "lab", "assault-1", "fire_team-1")
    roll(driver, "6", "4")
    driver.answer("enter")

    assert isinstance(driver.ask, Draw)
    assert {option.id: option.copies for option in driver.ask.options} == left


@pytest.mark.rule("SPI-178")
@pytest.mark.parametrize("nobody", [{}, {"grunt": 0, "tank": 0}])
def test_a_table_that_sends_nobody_is_no_contact(nobody: dict[str, int]) -> None:
    empty = msgspec.structs.replace(GRUNTS, presence=({"A": nobody, "B": nobody, "C": nobody},))
    driver = briefed(changed=msgspec.structs.replace(pack(), enemy={"grunts": empty}), hard_fight="on")
    put_on(driver, "cliff")
    driver.answer("stay")
    driver.until("space_infantry.event.rn")
    roll(driver, "6")
    roll(driver, "3")

    assert driver.ask.key == "space_infantry.turn.action"
    assert driver.ask.detail == "Nobody there"
    assert op(driver).turn == 2


@pytest.mark.rule("SPI-178")
def test_a_second_check_that_sends_nobody_leaves_the_contact_of_the_first() -> None:
    drill = drill_with(nodes=nodes_with("cliff", events=("Auto/A", "Auto/C")))
    alone = msgspec.structs.replace(GRUNTS, presence=({"A": {"grunt": 1}, "B": {}, "C": {}},))
    changed = msgspec.structs.replace(drill, enemy={"grunts": alone})
    driver = briefed(changed=changed, hard_fight="on")
    put_on(driver, "cliff")
    driver.answer("stay")
    roll(driver, "2")
    driver.until("space_infantry.combat.leader")
    driver.answer("fight")
    attack(driver, "M", ["6", "6", "6", "6"], ["2"])
    calm(driver, "space_infantry.encounter.rn")
    roll(driver, "2")
    driver.until("space_infantry.encounter.rn", "space_infantry.turn.action")

    assert op(driver).turn == 3


def test_numbers_are_dice_a_kept_cup_or_a_typed_one() -> None:
    keys = {}
    for source in Numbers:
        driver = briefed(numbers=source.value)
        put_on(driver, "cliff")
        driver.answer("stay")
        keys[source] = driver.ask.kind

    assert keys == {Numbers.DICE: "roll", Numbers.CUP: "draw", Numbers.TYPED: "choose"}


def test_after_a_hard_fight_the_turn_still_ends_with_its_cache() -> None:
    changed = drill_with(nodes=nodes_with("store", events=("Auto/A",)))
    driver = briefed(changed=changed, hard_fight="on")
    put_on(driver, "store")
    driver.answer("stay")
    driver.answer("leave")
    win_against_one(driver)
    calm(driver, "space_infantry.cache.look")

    assert op(driver).turn == 2
