"""Combat: SPI-098 to SPI-129. The drill's team fights with leader, Assault, Fire Team and Shotgun."""

from __future__ import annotations

import msgspec
import pytest

from companion.engine.asks import Choose, Pick, Roll
from companion.games.space_infantry.pack import Enemy
from companion.games.space_infantry.state import Edge, Foe, Range
from tests.games.driver import Driver
from tests.games.space_infantry.field import (
    GRUNTS,
    TEAM,
    as_proposed,
    attack,
    briefed,
    calm,
    campaign,
    fight,
    ids,
    in_combat,
    op,
    pack,
    put_on,
    roll,
    wounds,
)

MISS = ["1", "1", "1", "1"]
"""Nobody of leader 4/4, Assault 3/4, Fire Team 5/3 and Shotgun 3/6 hits with this."""


def chits(driver: Driver) -> int:
    """How many chits are asked for."""
    assert isinstance(driver.ask, Roll), driver.ask.key
    return driver.ask.dice[0].count


@pytest.mark.rule("SPI-098")
def test_rounds_go_on_until_the_enemy_is_eliminated() -> None:
    driver = in_combat("grunt")
    attack(driver, "M", MISS, ["1"])
    calm(driver, "space_infantry.combat.leader")
    assert fight(driver).round == 2
    driver.answer("fight")
    attack(driver, "M", ["6", "6", "1", "1"], ["1"])
    calm(driver, "space_infantry.turn.action")
    assert op(driver).fight is None


@pytest.mark.rule("SPI-098", "SPI-121", "SPI-R57")
def test_rounds_go_on_until_the_team_is_defeated() -> None:
    driver = in_combat("grunt")
    for name, member in op(driver).team.items():
        member.wounds = campaign(driver).roster[name].wounds - (name == "assault-1")
    attack(driver, "M", ["1"], ["4"])
    calm(driver, "space_infantry.combat.round")
    assert driver.ask.detail == "1 wound on Assault 1, out of combat"
    assert "SPI-121" in driver.ask.rule
    calm(driver, "space_infantry.mission.end")

    assert driver.ask.text == "Mission aborted, 0 survivors"
    driver.answer()
    assert driver.outcome.result == "lost"


@pytest.mark.rule("SPI-098", "SPI-R57", "SPI-R58")
def test_without_its_leader_the_team_fights_on_and_the_mission_goes_on() -> None:
    driver = in_combat("grunt")
    op(driver).team["leader"].wounds = 1
    attack(driver, "M", MISS, ["4"])
    driver.answer("hand")
    driver.answer("leader")
    calm(driver, "space_infantry.combat.range")
    assert fight(driver).round == 2
    attack(driver, "M", ["6", "1", "1"], ["1"])
    calm(driver, "space_infantry.turn.action")

    assert op(driver).fight is None
    assert op(driver).turn == 2


def test_a_leader_put_out_of_combat_by_hand_as_orders_are_asked_for_gives_none() -> None:
    driver = in_combat("grunt", "grunt")
    attack(driver, "M", MISS, ["1", "1"])
    calm(driver, "space_infantry.combat.leader")
    op(driver).team["leader"].wounds = campaign(driver).roster["leader"].wounds
    driver.restate()

    assert isinstance(driver.ask, Choose)
    assert [(one.id, one.label) for one in driver.ask.options] == [("fight", "Nothing")]
    driver.answer("fight")
    attack(driver, "M", ["1", "1", "1"], ["1", "1"])


@pytest.mark.rule("SPI-099")
def test_a_round_is_command_range_chits_attacks() -> None:
    driver = in_combat("grunt", orders="command")
    keys = []
    for answer in (["1"], ["2"], "go", ["4", "1", "1"], "none", ["1"]):
        keys.append(driver.ask.key.removeprefix("space_infantry.combat."))
        driver.answer(answer)

    assert keys == ["leader_chits", "range", "prepare", "chits", "stimulate", "enemy_chits"]


@pytest.mark.rule("SPI-100", "SPI-101", "SPI-103")
@pytest.mark.parametrize(("face", "there"), [("2", Range.MELEE), ("3", Range.FIRE)])
def test_the_first_range_comes_from_the_column_set(face: str, there: Range) -> None:
    driver = in_combat("grunt")
    assert driver.ask.text == "Round 1: range, column Set"
    roll(driver, face)

    assert fight(driver).range is there


@pytest.mark.rule("SPI-100", "SPI-102")
@pytest.mark.parametrize(("first", "face", "there"), [("2", "2", Range.FIRE), ("4", "2", Range.MELEE)])
def test_later_ranges_come_from_the_column_of_the_current_one(first: str, face: str, there: Range) -> None:
    driver = in_combat("grunt")
    attack(driver, "M" if first == "2" else "F", MISS, ["1"])
    calm(driver, "space_infantry.combat.leader")
    driver.answer("fight")
    roll(driver, face)

    assert fight(driver).range is there


@pytest.mark.rule("SPI-104")
def test_an_attribute_of_the_sheet_shifts_the_range_number() -> None:
    shifted = msgspec.structs.replace(
        pack(), enemy={"grunts": msgspec.structs.replace(GRUNTS, range_shift=1)}
    )
    driver = in_combat("grunt", changed=shifted)
    roll(driver, "2")

    assert fight(driver).range is Range.FIRE


@pytest.mark.rule("SPI-089", "SPI-104")
@pytest.mark.parametrize(("force", "there"), [("S", Range.MELEE), ("B", Range.FIRE)])
def test_an_attribute_of_the_sheet_is_none_of_a_special_enemy(force: str, there: Range) -> None:
    sheet = msgspec.structs.replace(GRUNTS, range_shift=1)
    changed = msgspec.structs.replace(pack(), enemy={"grunts": sheet})
    driver = in_combat("boss" if force == "S" else "grunt", changed=changed)
    fight(driver).force = force
    roll(driver, "2")

    assert fight(driver).range is there


@pytest.mark.rule("SPI-R04")
@pytest.mark.parametrize(("shift", "face", "row"), [(-4, "2", 0), (1, "6", -1)])
@pytest.mark.parametrize(("there", "elsewhere"), [(Range.MELEE, "F"), (Range.FIRE, "M")])
def test_a_range_number_off_the_table_is_its_nearest_row(
    shift: int, face: str, row: int, there: Range, elsewhere: str
) -> None:
    ranges = [dict.fromkeys(("Set", "M", "F"), elsewhere) for _ in GRUNTS.ranges]
    ranges[row] = dict.fromkeys(("Set", "M", "F"), there.value)
    sheet = msgspec.structs.replace(GRUNTS, ranges=tuple(ranges), range_shift=shift)
    driver = in_combat("grunt", changed=msgspec.structs.replace(pack(), enemy={"grunts": sheet}))
    roll(driver, face)

    assert fight(driver).range is there


@pytest.mark.rule("SPI-105", "SPI-R14")
@pytest.mark.parametrize(("melee", "there"), [(3, Range.FIRE), (2, Range.MELEE)])
@pytest.mark.parametrize(("command", "left"), [("5", 0), ("6", 1)])
def test_command_points_are_plus_or_minus_on_the_range(
    melee: int, there: Range, command: str, left: int
) -> None:
    ranges = tuple({"Set": "M" if row <= melee else "F", "M": "M", "F": "F"} for row in range(7))
    sheet = msgspec.structs.replace(GRUNTS, ranges=ranges)
    changed = msgspec.structs.replace(pack(), enemy={"grunts": sheet})
    driver = in_combat("grunt", changed=changed, orders="command")
    roll(driver, command)
    roll(driver, "3")
    assert driver.ask.key == "space_infantry.combat.shift"
    driver.answer("shift")

    assert fight(driver).range is there
    assert op(driver).command == left


@pytest.mark.rule("SPI-074", "SPI-075")
def test_a_command_point_makes_a_shot_of_two_points_at_level_three_a_hit() -> None:
    driver = in_combat("grunt", orders="command", team=("fire_team-1",), resources={})
    roll(driver, "3")
    roll(driver, "4")
    roll(driver, "2")
    driver.answer("0")
    roll(driver, "1")

    assert driver.ask.text.startswith("Enemy eliminated; ")


@pytest.mark.rule("SPI-R32")
@pytest.mark.parametrize(("lower", "offered"), [(0, True), (-1, False)])
def test_an_attribute_can_put_the_range_number_off_the_table_and_command_points_start_from_there(
    lower: int, offered: bool
) -> None:
    ranges = (GRUNTS.ranges[0], *GRUNTS.ranges[3:])
    sheet = msgspec.structs.replace(GRUNTS, ranges=ranges, lowest=2, range_shift=lower)
    driver = in_combat(
        "grunt", changed=msgspec.structs.replace(pack(), enemy={"grunts": sheet}), orders="command"
    )
    roll(driver, "5")
    assert op(driver).command == 1
    roll(driver, "2")

    assert (driver.ask.key == "space_infantry.combat.shift") is offered


def test_command_points_taken_away_by_hand_change_no_range_any_more() -> None:
    driver = in_combat("grunt", orders="command")
    roll(driver, "6")
    roll(driver, "2")
    assert driver.ask.text == "Range Melee, 2 CP: change it?"
    op(driver).command = 0
    driver.restate()

    assert ids(driver) == ["keep"]


@pytest.mark.rule("SPI-106")
def test_every_basic_unit_gets_a_chit() -> None:
    driver = in_combat("grunt")
    roll(driver, "2")
    driver.answer("go")

    assert driver.ask.detail == "Leader, Assault 1, Fire Team 1, Shotgun 1"


@pytest.mark.rule("SPI-020", "SPI-107", "SPI-109", "SPI-R07")
@pytest.mark.parametrize(
    ("threshold", "enemies", "basics", "joins"),
    [("5", 3, 3, False), ("5", 4, 3, False), ("4", 4, 3, True), ("5", 5, 3, True), ("5", 1, 2, True)],
)
def test_special_units_fight_against_many_or_beside_few(
    threshold: str, enemies: int, basics: int, joins: bool
) -> None:
    team = (*TEAM[:basics], "demolition")
    driver = in_combat(*["grunt"] * enemies, team=team, special_units_enemy_threshold=threshold)
    roll(driver, "2")
    driver.answer("go")

    assert (driver.ask.key == "space_infantry.combat.specials") is joins


@pytest.mark.rule("SPI-107", "SPI-R08")
def test_a_wounded_enemy_is_one_of_the_many_too() -> None:
    driver = in_combat(*["tank"] * 5, team=(*TEAM[:3], "demolition"), resources={})
    fight(driver).foes[0].wounds = 3
    roll(driver, "2")

    assert driver.ask.key == "space_infantry.combat.specials"


@pytest.mark.rule("SPI-107")
def test_special_units_may_stay_out_even_if_nobody_else_fights() -> None:
    driver = in_combat("grunt", orders="command", team=("demolition", "technician"), resources={})
    roll(driver, "2")
    roll(driver, "2")
    assert driver.ask.key == "space_infantry.combat.specials"
    driver.answer([])
    assert driver.ask.key == "space_infantry.combat.enemy_chits"


def test_who_is_put_out_or_taken_out_by_hand_as_special_units_are_chosen_does_not_fight() -> None:
    driver = in_combat("grunt", team=("assault-1", "demolition", "technician", "explorer"), resources={})
    roll(driver, "2")
    assert driver.ask.key == "space_infantry.combat.specials"
    del op(driver).team["demolition"]
    op(driver).team["technician"].wounds = 1
    op(driver).team["assault-1"].wounds = 2
    driver.restate()
    assert ids(driver) == ["explorer"]
    driver.answer(["explorer"])

    assert chits(driver) == 1


@pytest.mark.rule("SPI-108", "SPI-R08", "SPI-R12")
def test_the_leader_is_no_basic_unit_in_that_count() -> None:
    driver = in_combat("grunt", team=("assault-1", "assault-2", "demolition"))
    roll(driver, "2")
    driver.answer("go")
    assert driver.ask.key == "space_infantry.combat.specials"
    driver.answer(["demolition"])
    assert chits(driver) == 4
    driver = in_combat("grunt", "grunt", "grunt", team=("assault-1", "assault-2", "assault-3", "demolition"))
    roll(driver, "2")
    driver.answer("go")
    assert driver.ask.key == "space_infantry.combat.chits"


@pytest.mark.rule("SPI-107", "SPI-R08")
def test_who_is_out_of_combat_is_not_counted_and_the_count_is_made_anew_each_round() -> None:
    driver = in_combat("tank", team=("assault-1", "assault-2", "assault-3", "demolition"))
    attack(driver, "F", ["1", "1", "1", "1"], ["1"])
    calm(driver, "space_infantry.combat.leader")
    op(driver).team["assault-3"].wounds = campaign(driver).roster["assault-3"].wounds
    driver.answer("fight")
    roll(driver, "4")
    driver.until("space_infantry.combat.specials")


@pytest.mark.rule("SPI-R12")
@pytest.mark.parametrize(("orders", "many"), [("fight", 4), ("command", 3)])
def test_the_leader_commands_or_fights_and_not_both(orders: str, many: int) -> None:
    driver = in_combat("tank", orders=orders)
    if orders == "command":
        roll(driver, "1")
    roll(driver, "2")
    calm(driver, "space_infantry.combat.chits")

    assert chits(driver) == many


@pytest.mark.rule("SPI-R12")
@pytest.mark.parametrize(("command_points", "levels"), [("off", [3]), ("on", [])])
def test_a_leader_who_makes_no_command_points_fights_and_is_not_asked(
    command_points: str, levels: list[int]
) -> None:
    driver = briefed(command_points=command_points)
    campaign(driver).roster["leader"].levels["command"] = levels
    put_on(driver, "hall")
    driver.answer("stay")
    roll(driver, "2")
    driver.until("space_infantry.combat.range")
    roll(driver, "2")
    calm(driver, "space_infantry.combat.chits")

    assert driver.ask.detail == "Leader, Assault 1, Fire Team 1, Shotgun 1"


@pytest.mark.rule("SPI-R12")
@pytest.mark.parametrize(
    ("melee", "fire", "words"),
    [([4], [4], "Fight"), ([4], [], "Fight"), ([], [4], "Fight"), ([], [], "Nothing")],
)
def test_that_a_leader_can_fight_is_said_only_of_one_who_can(
    melee: list[int], fire: list[int], words: str
) -> None:
    driver = in_combat("tank")
    attack(driver, "M", MISS, ["1", "1"])
    calm(driver, "space_infantry.combat.leader")
    campaign(driver).roster["leader"].levels |= {"melee": melee, "fire": fire}
    driver.restate()

    assert isinstance(driver.ask, Choose)
    assert [one.label for one in driver.ask.options] == ["Command Points", words]


@pytest.mark.rule("SPI-110")
def test_a_unit_with_several_levels_gets_as_many_chits() -> None:
    driver = in_combat("grunt", team=("heavy-1", "assault-1", "assault-2"))
    roll(driver, "4")
    driver.answer("go")

    assert chits(driver) == 5


@pytest.mark.rule("SPI-066", "SPI-110", "SPI-116", "SPI-122")
def test_the_hits_of_all_levels_of_a_unit_add_up() -> None:
    driver = in_combat("troll", team=("assault-1",))
    campaign(driver).roster["assault-1"].levels["melee"] = [3, 4]
    attack(driver, "M", ["1", "3", "4"], ["1"])
    calm(driver, "space_infantry.combat.round")

    assert driver.ask.text.endswith("; 2 hits, 0 out")


@pytest.mark.rule("SPI-111", "SPI-112")
def test_every_active_enemy_gets_a_chit_for_each_attack_at_this_range() -> None:
    driver = in_combat("tank", "grunt", "gunner", "gunner")
    attack(driver, "M", MISS, [])
    calm(driver, "space_infantry.combat.enemy_chits")
    assert chits(driver) == 3
    driver = in_combat("tank", "grunt", "gunner", "gunner")
    attack(driver, "F", MISS, [])
    assert chits(driver) == 4


def test_a_hundred_attacks_of_the_enemy_can_be_thrown() -> None:
    driver = in_combat(*["tank"] * 50)
    attack(driver, "M", MISS, [])
    calm(driver, "space_infantry.combat.enemy_chits")

    assert chits(driver) == 100


def test_who_is_taken_out_of_the_team_by_hand_while_chits_are_drawn_is_missed_by_nobody() -> None:
    driver = in_combat("tank", team=("assault-1", "fire_team-1"))
    calm(driver, "space_infantry.combat.range")
    roll(driver, "2")
    calm(driver, "space_infantry.combat.chits")
    del op(driver).team["assault-1"]
    driver.restate()
    roll(driver, "1", "1", "1")

    assert driver.ask.key == "space_infantry.combat.stimulate"
    assert ids(driver) == ["none", "leader", "fire_team-1"]


@pytest.mark.rule("SPI-113")
def test_who_is_shot_in_a_round_still_strikes_in_it() -> None:
    driver = in_combat("grunt")
    attack(driver, "M", ["6", "6", "1", "1"], ["4"])
    calm(driver, "space_infantry.turn.action")

    assert sum(wounds(driver).values()) == 1


@pytest.mark.rule("SPI-114")
@pytest.mark.parametrize(("at", "hits"), [("M", 2), ("F", 1)])
def test_the_range_decides_between_melee_and_fire(at: str, hits: int) -> None:
    driver = in_combat("tank")
    attack(driver, at, ["1", "3", "3", "3"], [])
    calm(driver, "space_infantry.combat.enemy_chits")
    assert chits(driver) == {"M": 2, "F": 1}[at]
    roll(driver, *["1"] * chits(driver))
    calm(driver, "space_infantry.combat.armor")

    assert chits(driver) == min(hits, 2)


@pytest.mark.rule("SPI-115", "SPI-116")
def test_each_success_level_is_a_wound() -> None:
    driver = in_combat("tank")
    attack(driver, "M", ["4", "6", "1", "1"], ["1", "1"])
    calm(driver, "space_infantry.combat.armor")
    roll(driver, "1", "1")

    assert fight(driver).foes[0].wounds == 3


@pytest.mark.rule("SPI-115", "SPI-116", "SPI-R36")
@pytest.mark.parametrize(("at", "foes", "theirs", "wounded"), [
    ("F", ["gunner"], ["6"], 3),
    ("F", ["gunner", "gunner"], ["6", "2"], 4),
    ("M", ["ogre"], ["6"], 4),
    ("F", ["ogre"], ["6"], 2),
])  # fmt: skip
def test_each_success_level_of_the_enemy_is_a_wound_on_the_team(
    at: str, foes: list[str], theirs: list[str], wounded: int
) -> None:
    driver = in_combat(*foes)
    attack(driver, at, MISS, theirs)
    calm(driver, "space_infantry.wounds.accept")

    assert driver.ask.text == f"{wounded} wounds on the team: as proposed?"


@pytest.mark.rule("SPI-117", "SPI-118", "SPI-R36")
def test_no_enemy_takes_more_than_half_and_the_rest_is_spread() -> None:
    driver = in_combat("tank", "tank", "tank")
    attack(driver, "M", ["4", "6", "1", "6"], ["1"] * 6)

    assert driver.ask.key == "space_infantry.combat.armor"
    roll(driver, *["1"] * chits(driver))
    assert [foe.wounds for foe in fight(driver).foes] == [2, 2, 1]


@pytest.mark.rule("SPI-117", "SPI-118")
def test_the_player_chooses_whom_the_most_goes_to() -> None:
    driver = in_combat("grunt", "tank", "tank", "tank")
    attack(driver, "M", ["4", "6", "5", "6"], ["1"] * 7)
    assert isinstance(driver.ask, Choose)

    assert driver.ask.text == "6 wounds on 4 of the enemy"
    assert set(ids(driver)) == {"0:3", "1:3", "0:2", "1:2"}
    driver.answer("1:3")
    roll(driver, *["1"] * chits(driver))
    assert [(foe.kind, foe.wounds) for foe in fight(driver).foes] == [("tank", 3), ("tank", 1), ("tank", 1)]


@pytest.mark.rule("SPI-118")
def test_the_player_chooses_who_gets_the_odd_ones() -> None:
    driver = in_combat("grunt", "tank", "tank")
    attack(driver, "M", ["4", "6", "5", "3"], ["1"] * 5)
    driver.answer("1:2")
    assert isinstance(driver.ask, Pick)
    assert (ids(driver), driver.ask.least, driver.ask.most) == (["0", "2"], 1, 1)
    driver.answer(["2"])
    calm(driver, "space_infantry.combat.armor")
    roll(driver, *["1"] * chits(driver))

    assert [(foe.kind, foe.wounds) for foe in fight(driver).foes] == [("tank", 2), ("tank", 2)]


@pytest.mark.rule("SPI-119", "SPI-162")
def test_wounds_are_given_out_where_no_pack_has_a_rhino() -> None:
    driver = in_combat("grunt", changed=msgspec.structs.replace(pack(), vehicle={}))
    attack(driver, "M", MISS, ["4"])
    driver.answer("hand")
    driver.answer("shotgun-1")
    calm(driver, "space_infantry.combat.leader")
    assert wounds(driver) == {"shotgun-1": 1}


@pytest.mark.rule("SPI-119", "SPI-120")
def test_the_player_spreads_the_own_wounds_as_liked() -> None:
    driver = in_combat("grunt", "grunt", "grunt")
    attack(driver, "M", MISS, ["4", "4", "4"])
    assert driver.ask.text.startswith("3 wounds ")
    driver.answer("hand")
    for name in ("technician", "assault-1", "assault-1"):
        driver.answer(name)
    driver.answer("none")
    driver.until("space_infantry.combat.leader")

    assert wounds(driver) == {"technician": 1, "assault-1": 2}


@pytest.mark.rule("SPI-119")
def test_the_proposal_keeps_everybody_in_play_if_that_can_be() -> None:
    driver = in_combat("grunt", "grunt", "grunt")
    attack(driver, "M", MISS, ["4", "4", "4"])
    as_proposed(driver)
    driver.answer("none")
    driver.until("space_infantry.combat.leader")

    assert set(wounds(driver).values()) == {1}
    assert not set(wounds(driver)) & {"explorer", "demolition", "technician"}


@pytest.mark.rule("SPI-119")
@pytest.mark.parametrize(
    ("team", "hurt", "proposed"),
    [
        (("assault-1", "assault-2"), {}, "1 on Assault 1"),
        (("assault-1",), {"leader": 1, "assault-1": 1}, "1 on Assault 1"),
        (("assault-1",), {"assault-1": 1}, "1 on Leader"),
        (("explorer", "assault-1", "assault-2"), {"leader": 1, "assault-1": 1, "assault-2": 1},
         "1 on Assault 1"),
    ],
    ids=["not on the leader first", "not the leader out", "but nobody out", "nor who alone has a skill"],
)  # fmt: skip
def test_the_proposal_spares_whom_the_team_can_spare_least(
    team: tuple[str, ...], hurt: dict[str, int], proposed: str
) -> None:
    driver = in_combat("grunt", team=team, resources={})
    for name, many in hurt.items():
        op(driver).team[name].wounds = many
    attack(driver, "M", ["1"] * (1 + len(set(team) - {"explorer"})), ["4"])
    calm(driver, "space_infantry.wounds.accept")

    assert driver.ask.options[0].label == f"As proposed: {proposed}"


@pytest.mark.rule("SPI-119")
def test_the_proposal_does_not_bank_on_armor() -> None:
    driver = in_combat("grunt", "grunt", team=("heavy-1", "assault-1", "assault-2"), resources={})
    attack(driver, "M", ["1"] * 4, ["4", "4"])

    assert driver.ask.options[0].label == "As proposed: 1 on Heavy 1, 1 on Assault 1"


def test_a_journal_may_have_said_yes_to_the_proposal_by_another_name() -> None:
    driver = in_combat("grunt", team=("assault-1",), resources={})
    attack(driver, "M", MISS[:2], ["4"])
    calm(driver, "space_infantry.wounds.accept")
    names, form = [], driver.ask.former
    while isinstance(form, Choose):
        names += [option.id for option in form.options]
        form = form.former
    assert names == ["proposed", "hand", "stopped", "hand", "shared", "hand"]
    driver.replayed("proposed")

    assert wounds(driver) == {"assault-1": 1}


@pytest.mark.rule("SPI-120", "SPI-121", "SPI-193")
def test_the_last_wound_puts_a_unit_out_of_combat() -> None:
    driver = in_combat("grunt", "grunt")
    attack(driver, "M", MISS, ["4", "4"])
    driver.answer("hand")
    driver.answer("assault-1")
    driver.answer("assault-1")
    driver.answer("none")
    driver.until("space_infantry.combat.leader")
    driver.answer("fight")
    roll(driver, "2")
    calm(driver, "space_infantry.combat.chits")

    assert "Assault 1" not in driver.ask.detail
    assert any("Assault 1     out" in line for panel in driver.play.board().panels for line in panel.lines)


@pytest.mark.rule("SPI-122", "SPI-R33")
@pytest.mark.parametrize(
    ("theirs", "hits"), [(["2", "5"], "1 wound "), (["3", "3"], "1 wound "), (["3", "4"], "2 wounds ")]
)
def test_each_chit_of_a_multiple_attack_is_divided_by_its_own_level(theirs: list[str], hits: str) -> None:
    driver = in_combat("tank")
    attack(driver, "M", MISS, theirs)

    assert driver.ask.text.startswith(hits)


@pytest.mark.rule("SPI-R33")
@pytest.mark.parametrize(
    ("foes", "shown"),
    [
        (("tank", "grunt"), "Tank (level 3), Tank (level 4), Grunt"),
        (("tank",), "Tank (level 3), Tank (level 4)"),
        (("grunt",) * 3, ""),
    ],
)
def test_whose_the_numbers_of_the_enemy_are_is_said_where_they_differ(
    foes: tuple[str, ...], shown: str
) -> None:
    driver = in_combat(*foes)
    calm(driver, "space_infantry.combat.range")
    roll(driver, "2")
    calm(driver, "space_infantry.combat.chits")
    roll(driver, *MISS)
    calm(driver, "space_infantry.combat.enemy_chits")

    assert driver.ask.detail == shown


@pytest.mark.parametrize(
    ("face", "without"), [("2", {"explorer": "no Melee skill"}), ("4", {"zero_g": "no Fire skill"})]
)
def test_a_special_unit_without_the_skill_of_the_range_is_offered_as_such(
    face: str, without: dict[str, str]
) -> None:
    driver = in_combat(*["grunt"] * 5, team=("explorer", "zero_g"), resources={})
    roll(driver, face)
    assert isinstance(driver.ask, Pick)
    assert {one.id: one.detail for one in driver.ask.options if one.detail} == without
    driver.answer(list(without))
    assert chits(driver) == 1


@pytest.mark.parametrize(("face", "words"), [("2", "Melee: "), ("4", "Fire: ")])
def test_the_range_is_told_with_who_joins_and_with_the_chits(face: str, words: str) -> None:
    driver = in_combat(*["grunt"] * 5, resources={})
    roll(driver, face)
    assert driver.ask.key == "space_infantry.combat.specials"
    assert driver.ask.text.startswith(words)
    driver.answer([])
    assert driver.ask.text == f"{words}4 dice for the team"
    roll(driver, *MISS)

    assert driver.ask.text == f"{words}5 enemy attacks"


def test_whose_the_armor_is_is_said_where_several_draw() -> None:
    driver = in_combat("tank", "tank", team=("heavy-1", "heavy-2", "assault-1"))
    attack(driver, "M", [*MISS], ["4", "4", "4", "4"])
    driver.answer("hand")
    driver.answer("heavy-1")
    driver.answer("heavy-2")
    while driver.ask.key == "space_infantry.wounds.place":
        driver.answer("assault-1" if "assault-1" in driver.ids() else "heavy-1")

    assert driver.ask.key == "space_infantry.wounds.armor"
    assert driver.ask.detail == "Heavy 1, Heavy 2"


@pytest.mark.rule("SPI-124")
@pytest.mark.parametrize(
    ("before", "ours", "shown"),
    [
        (0, ["1", "3", "1", "4"], ""),
        (0, ["1", "6", "1", "4"], "Tank (2 hits, 4 left), Tank (2 hits, 4 left), Tank (1 hit, 4 left)"),
        (1, ["1", "3", "1", "4"], "Tank (1 hit, 3 left), Tank (1 hit, 4 left)"),
    ],
)
def test_which_enemy_of_a_kind_draws_for_armor_is_said_where_they_are_not_hit_alike(
    before: int, ours: list[str], shown: str
) -> None:
    driver = in_combat("tank", "tank")
    fight(driver).foes[0].wounds = before
    attack(driver, "M", ours, ["1", "1", "1", "1"])
    calm(driver, "space_infantry.combat.armor", "space_infantry.combat.allot")
    if driver.ask.key == "space_infantry.combat.allot":
        driver.answer(driver.ids()[0])

    assert driver.ask.key == "space_infantry.combat.armor"
    assert driver.ask.detail == shown


@pytest.mark.rule("SPI-023", "SPI-123", "SPI-124", "SPI-125")
@pytest.mark.parametrize(("faces", "through"), [("25", 2), ("33", 3), ("34", 2), ("46", 1)])
def test_armor_saves_on_4_for_as_many_wounds_as_icons(faces: str, through: int) -> None:
    driver = in_combat("tank")
    attack(driver, "M", ["1", "6", "1", "3"], ["1", "1"])
    assert driver.ask.key == "space_infantry.combat.armor"
    assert chits(driver) == 2
    roll(driver, *faces)

    assert fight(driver).foes[0].wounds == through


@pytest.mark.rule("SPI-121")
@pytest.mark.parametrize(("before", "left"), [(2, 1), (3, 0)])
def test_an_enemy_is_out_by_its_last_wound_and_not_before(before: int, left: int) -> None:
    driver = in_combat("tank")
    fight(driver).foes[0].wounds = before
    foes = op(driver).fight
    attack(driver, "M", ["1", "3", "1", "1"], ["1", "1"])
    calm(driver, "space_infantry.combat.armor")
    roll(driver, "1")

    assert len(foes.foes) == left


@pytest.mark.rule("SPI-123", "SPI-124", "SPI-125")
def test_armor_of_the_own_units_saves_too() -> None:
    driver = in_combat("grunt", "grunt", team=("heavy-1", "assault-1", "assault-2"))
    attack(driver, "M", MISS, ["4", "4"])
    driver.answer("hand")
    driver.answer("heavy-1")
    driver.answer("heavy-1")
    assert chits(driver) == 1
    roll(driver, "4")
    driver.answer("none")
    driver.until("space_infantry.combat.leader")

    assert wounds(driver) == {"heavy-1": 1}


@pytest.mark.rule("SPI-124", "SPI-125")
@pytest.mark.parametrize(("faces", "wounded"), [("41", {"heavy-2": 1}), ("14", {"heavy-1": 1})])
def test_each_draw_for_armor_is_for_its_own_wearer(faces: str, wounded: dict[str, int]) -> None:
    driver = in_combat("grunt", "grunt", team=("heavy-1", "heavy-2", "assault-1"), resources={})
    attack(driver, "M", MISS, ["4", "4"])
    driver.answer("hand")
    driver.answer("heavy-1")
    driver.answer("heavy-2")
    assert driver.ask.detail == "Heavy 1, Heavy 2"
    roll(driver, *faces)
    driver.until("space_infantry.combat.leader")

    assert wounds(driver) == wounded


@pytest.mark.rule("SPI-126")
def test_armor_is_useless_against_armor_piercing_weapons() -> None:
    driver = in_combat("tank", team=("heavy-1", "assault-1", "assault-2"))
    campaign(driver).roster["heavy-1"].levels["fire"] = [2]
    attack(driver, "F", ["1", "6", "1", "1"], ["1"])
    assert fight(driver).foes[0].wounds == 3
    driver = in_combat("gunner", team=("heavy-1", "assault-1", "assault-2"))
    attack(driver, "F", ["1", "1", "1", "1", "1"], ["2"])
    driver.answer("hand")
    driver.answer("heavy-1")
    driver.answer("none")
    driver.until("space_infantry.combat.leader")
    assert wounds(driver) == {"heavy-1": 1}


@pytest.mark.rule("SPI-027", "SPI-124")
def test_armor_saves_on_more_than_a_single_chit_says_too() -> None:
    driver = briefed(("heavy-1",), {}, numbers="typed")
    put_on(driver, "den")
    for answer in ("stay", "4", "hand", "heavy-1", *"+56"):
        driver.answer(answer)
    driver.until("space_infantry.event.rn")

    assert wounds(driver) == {}


@pytest.mark.rule("SPI-126")
def test_the_armor_of_the_own_units_is_useless_against_claws_that_pierce_it() -> None:
    claws = GRUNTS.units | {"grunt": Enemy("Claws", 1, (4,), piercing=True)}
    changed = msgspec.structs.replace(pack(), enemy={"grunts": msgspec.structs.replace(GRUNTS, units=claws)})
    driver = in_combat("grunt", team=("heavy-1", "assault-1", "assault-2"), resources={}, changed=changed)
    attack(driver, "M", MISS, ["4"])
    driver.answer("hand")
    driver.answer("heavy-1")
    driver.until("space_infantry.combat.leader")

    assert wounds(driver) == {"heavy-1": 1}


@pytest.mark.rule("SPI-117", "SPI-126")
def test_piercing_wounds_are_not_wasted_on_more_than_armor_could_stop() -> None:
    walkers = GRUNTS.units | {"grunt": Enemy("Walker", 1, (), (4,), armor=1)}
    changed = msgspec.structs.replace(
        pack(), enemy={"grunts": msgspec.structs.replace(GRUNTS, units=walkers)}
    )
    driver = in_combat(*["grunt"] * 4, team=("heavy-1", "assault-1", "assault-2"), changed=changed)
    attack(driver, "F", ["4", "3", "4", "4", "4"], ["1"] * 4)

    # 5 wounds, 2 from the Heavy: one Walker takes 2, of which armor stops 1 at most, the others 1 each.
    assert driver.ask.key == "space_infantry.combat.armor"
    assert chits(driver) == 2


@pytest.mark.rule("SPI-119", "SPI-126")
def test_how_many_wounds_pass_armor_is_told_as_they_are_given_out() -> None:
    driver = in_combat("tank", "gunner", "grunt", team=("heavy-1", "assault-1", "assault-2"))
    attack(driver, "F", ["1", "1", "4", "4", "4"], ["1", "4", "4"])
    assert driver.ask.key == "space_infantry.combat.allot"
    assert driver.ask.detail == "at most 1 on one, the rest equally; armor is no help against 1"
    driver.answer(ids(driver)[0])
    calm(driver, "space_infantry.combat.odd", "space_infantry.wounds.accept")

    assert driver.ask.text == "3 wounds on the team: as proposed?"
    assert driver.ask.detail.startswith("armor is no help against 2; ")


def test_where_one_is_left_to_take_the_wounds_nobody_is_asked_for_a_yes() -> None:
    driver = in_combat("gunner")
    for name in TEAM:
        op(driver).team[name].wounds = campaign(driver).roster[name].wounds
    attack(driver, "F", ["1"], ["4"])
    calm(driver, "space_infantry.wounds.accept")

    assert driver.ask.text == "2 wounds on the team: nobody else can take any"
    assert [option.label for option in driver.ask.options] == ["As proposed: 2 on Leader"]


ONE_HEAVY = ("heavy-1", "assault-1", "assault-2")
TWO_HEAVIES = ("heavy-1", "heavy-2", "assault-1")


def pierced_team(hurt: dict[str, int], foes: tuple[str, ...], team: tuple[str, ...] = ONE_HEAVY) -> Driver:
    """A Heavy or two and others under fire that passes armor, about to be wounded."""
    driver = in_combat(*foes, team=team, resources={})
    for name, many in hurt.items():
        op(driver).team[name].wounds = many
    calm(driver, "space_infantry.combat.range")
    roll(driver, "4")
    calm(driver, "space_infantry.combat.chits")
    roll(driver, *["1"] * chits(driver))
    calm(driver, "space_infantry.combat.enemy_chits")
    roll(driver, *["2" if foe == "gunner" else "4" for foe in foes])
    calm(driver, "space_infantry.wounds.accept")
    return driver


@pytest.mark.rule("SPI-118", "SPI-R34")
def test_of_those_who_may_get_the_odd_wounds_the_weakest_come_first() -> None:
    driver = in_combat("troll", "tank", "grunt", "ogre", resources={})
    attack(driver, "M", ["4", "1", "1", "4"], ["1"] * 5)
    driver.answer("0:1")

    assert isinstance(driver.ask, Pick)
    assert [one.label for one in driver.ask.options] == ["Grunt", "Ogre", "Tank"]


@pytest.mark.rule("SPI-119", "SPI-125", "SPI-126")
def test_armor_makes_no_room_for_wounds_that_pierce_it() -> None:
    driver = pierced_team({"heavy-1": 1}, ("gunner", "gunner"))
    driver.answer("hand")
    assert isinstance(driver.ask, Choose)
    assert {one.id: one.detail for one in driver.ask.options}["heavy-1"] == "1 more"
    driver.answer("heavy-1")
    assert "heavy-1" not in ids(driver)

    # Of a piercing wound and another one the Heavy can take both: armor may stop the other.
    driver = pierced_team({"heavy-1": 1}, ("gunner", "grunt"))
    driver.answer("hand")
    driver.answer("heavy-1")
    assert "heavy-1" in ids(driver)


@pytest.mark.rule("SPI-119", "SPI-126")
def test_the_proposal_gives_nobody_piercing_wounds_beyond_the_last() -> None:
    hurt = {"leader": 1, "heavy-1": 1, "assault-1": 1, "assault-2": 2}
    driver = pierced_team(hurt, ("gunner", "gunner"))
    as_proposed(driver)

    assert wounds(driver) == hurt | {"heavy-1": 2, "assault-1": 2}


@pytest.mark.rule("SPI-119", "SPI-125", "SPI-126")
def test_one_wound_that_armor_may_stop_makes_room_on_one_soldier_alone() -> None:
    driver = pierced_team({"heavy-1": 1, "heavy-2": 1}, ("gunner", "gunner", "grunt"), TWO_HEAVIES)
    driver.answer("hand")
    driver.answer("heavy-1")
    assert isinstance(driver.ask, Choose)
    room = {one.id: one.detail for one in driver.ask.options}
    assert (room["heavy-1"], room["heavy-2"]) == ("1 more", "2 more")
    driver.answer("heavy-1")
    assert isinstance(driver.ask, Choose)
    assert {one.id: one.detail for one in driver.ask.options}["heavy-2"] == "1 more"


@pytest.mark.rule("SPI-125", "SPI-126")
def test_two_icons_make_room_for_two_wounds_beyond_what_is_left() -> None:
    driver = pierced_team({"heavy-1": 1}, ("gunner", "grunt", "grunt"))
    campaign(driver).roster["heavy-1"].armor = 2
    driver.restate()
    driver.answer("hand")
    driver.answer("heavy-1")
    driver.answer("heavy-1")

    assert isinstance(driver.ask, Choose)
    assert {one.id: one.detail for one in driver.ask.options}["heavy-1"] == "1 more"


@pytest.mark.rule("SPI-119", "SPI-126")
@pytest.mark.parametrize(
    ("plain", "words"),
    [(1, "2 on Heavy 1, 1 on Heavy 2, 1 on Leader"), (2, "2 on Heavy 1, 2 on Heavy 2")],
)
def test_the_proposal_counts_each_wound_that_armor_may_stop_once(plain: int, words: str) -> None:
    foes = ("gunner",) * (4 - plain) + ("grunt",) * plain
    driver = pierced_team({"leader": 1, "heavy-1": 1, "heavy-2": 1, "assault-1": 2}, foes, TWO_HEAVIES)

    assert isinstance(driver.ask, Choose)
    assert driver.ask.options[0].label == f"As proposed: {words}"


def test_where_nobody_has_armor_piercing_wounds_are_like_others() -> None:
    driver = in_combat("gunner", "grunt")
    attack(driver, "F", MISS, ["4", "4"])

    assert driver.ask.text == "3 wounds on the team: as proposed?"
    assert "armor" not in driver.ask.detail


def ambushed(edge: Edge) -> Driver:
    """One grunt and the team, one side with the advantage."""
    driver = in_combat("grunt")
    fight(driver).edge = edge
    return driver


@pytest.mark.rule("SPI-127", "SPI-128")
def test_the_team_in_ambush_strikes_first_and_only_survivors_strike_back() -> None:
    driver = ambushed(Edge.TEAM)
    attack(driver, "M", ["6", "1", "1", "1"], [])
    calm(driver, "space_infantry.turn.action")

    assert wounds(driver) == {}


@pytest.mark.rule("SPI-127", "SPI-128")
def test_an_enemy_in_ambush_strikes_first_too() -> None:
    driver = ambushed(Edge.ENEMY)
    for name in ("assault-1", "fire_team-1", "shotgun-1"):
        op(driver).team[name].wounds = 1
    roll(driver, "2")
    driver.answer("go")
    roll(driver, "4")
    driver.answer("hand")
    driver.answer("assault-1")
    driver.answer("none")
    calm(driver, "space_infantry.combat.chits")

    assert "Assault 1" not in driver.ask.detail


@pytest.mark.rule("SPI-128")
def test_where_nobody_who_fought_is_left_after_an_ambush_it_is_told() -> None:
    driver = in_combat("grunt", team=("assault-1", "demolition"), resources={})
    fight(driver).edge = Edge.ENEMY
    for name in ("leader", "assault-1"):
        op(driver).team[name].wounds = campaign(driver).roster[name].wounds - (name == "assault-1")
    roll(driver, "2")
    driver.answer([])
    roll(driver, "4")
    driver.answer("hand")
    driver.answer("assault-1")

    assert driver.ask.key == "space_infantry.combat.round"
    assert "nobody who fought is left to strike back" in driver.ask.detail
    assert "no hits" not in driver.ask.detail


@pytest.mark.rule("SPI-128", "SPI-135")
def test_a_grenade_is_thrown_even_where_nobody_who_fought_is_left_after_an_ambush() -> None:
    driver = in_combat("grunt", team=("demolition",), resources={"G": 1})
    fight(driver).edge = Edge.ENEMY
    op(driver).team["leader"].wounds = 1
    roll(driver, "2")
    driver.answer("G")
    driver.answer([])
    roll(driver, "4")
    driver.answer("hand")
    driver.answer("leader")
    calm(driver, "space_infantry.combat.grenade")
    roll(driver, "2")
    calm(driver, "space_infantry.turn.action")

    assert op(driver).fight is None


@pytest.mark.rule("SPI-099", "SPI-107", "SPI-R08")
def test_in_an_enemy_ambush_basic_units_are_counted_before_it_wounds_anybody() -> None:
    driver = in_combat("grunt", team=("assault-1", "assault-2", "assault-3", "demolition"), resources={})
    fight(driver).edge = Edge.ENEMY
    op(driver).team["assault-1"].wounds = 1
    roll(driver, "2")
    roll(driver, "4")
    driver.answer("hand")
    driver.answer("assault-1")
    calm(driver, "space_infantry.combat.chits", "space_infantry.combat.specials")

    assert driver.ask.key == "space_infantry.combat.chits"
    assert driver.ask.detail == "Leader, Assault 2, Assault 3"


@pytest.mark.rule("SPI-127", "SPI-128", "SPI-190")
@pytest.mark.parametrize("joins", [True, False])
def test_in_an_enemy_ambush_at_hard_a_special_unit_can_be_wounded_if_it_fights(joins: bool) -> None:
    driver = in_combat("grunt", team=("assault-1", "demolition"), resources={}, difficulty="hard")
    fight(driver).edge = Edge.ENEMY
    roll(driver, "2")
    driver.answer(["demolition"] if joins else [])
    roll(driver, "4")
    driver.answer("hand")
    assert ("demolition" in ids(driver)) is joins
    driver.answer("demolition" if joins else "leader")
    calm(driver, "space_infantry.combat.chits")

    assert driver.ask.detail == "Leader, Assault 1"


@pytest.mark.rule("SPI-128")
def test_who_is_out_by_an_ambush_throws_no_grenade_any_more() -> None:
    driver = in_combat("grunt", team=(), resources={"G": 1})
    fight(driver).edge = Edge.ENEMY
    op(driver).team["leader"].wounds = 1
    roll(driver, "2")
    driver.answer("G")
    roll(driver, "4")
    calm(driver, "space_infantry.mission.end")

    assert driver.ask.text == "Mission aborted, 0 survivors"


@pytest.mark.rule("SPI-129")
def test_from_the_second_round_on_attacks_are_simultaneous() -> None:
    driver = ambushed(Edge.TEAM)
    attack(driver, "M", MISS, ["1"])
    calm(driver, "space_infantry.combat.leader")
    driver.answer("fight")
    attack(driver, "M", ["6", "6", "1", "1"], ["4"])
    calm(driver, "space_infantry.turn.action")

    assert sum(wounds(driver).values()) == 1


@pytest.mark.rule("SPI-R46")
def test_a_sheet_may_give_the_enemy_the_ambush_and_intelligence_evens_it() -> None:
    sly = msgspec.structs.replace(pack(), enemy={"grunts": msgspec.structs.replace(GRUNTS, ambush=("A",))})
    driver = in_combat("grunt", changed=sly)
    assert fight(driver).edge is Edge.ENEMY
    roll(driver, "4")
    assert isinstance(driver.ask, Choose)
    assert driver.ask.options[-1].detail == "one Intelligence off the Turn Track: both strike at once"
    driver.answer("I")

    assert driver.ask.key == "space_infantry.combat.chits", "a second Intelligence gains nothing"
    roll(driver, "4", "1", "1", "1")
    roll(driver, "4")
    calm(driver, "space_infantry.turn.action")
    assert sum(wounds(driver).values()) == 1


@pytest.mark.rule("SPI-127", "SPI-R46")
def test_a_force_that_the_sheet_gives_no_ambush_has_none() -> None:
    sly = msgspec.structs.replace(pack(), enemy={"grunts": msgspec.structs.replace(GRUNTS, ambush=("B",))})

    assert fight(in_combat("grunt", changed=sly)).edge is Edge.NOBODY


@pytest.mark.rule("SPI-088", "SPI-R04")
def test_the_first_row_of_the_force_table_is_for_the_sheets_lowest_number() -> None:
    late = msgspec.structs.replace(pack(), enemy={"grunts": msgspec.structs.replace(GRUNTS, lowest=1)})
    driver = briefed(changed=late)
    put_on(driver, "hall")
    driver.answer("stay")
    driver.until("space_infantry.encounter.rn")
    roll(driver, "2")
    driver.until("space_infantry.combat.leader")

    assert [foe.kind for foe in fight(driver).foes] == ["grunt", "grunt"]


@pytest.mark.rule("SPI-075", "SPI-R13")
def test_command_points_vanish_at_the_end_of_the_round() -> None:
    driver = in_combat("tank", orders="command")
    roll(driver, "6")
    calm(driver, "space_infantry.combat.range")
    assert op(driver).command == 2
    attack(driver, "F", ["2", "2", "2"], ["1"])
    calm(driver, "space_infantry.combat.round")
    assert driver.ask.text == "1 of the enemy left; 2 Command Points made; range Fire"

    assert op(driver).command == 0


@pytest.mark.rule("SPI-190", "SPI-R37")
@pytest.mark.parametrize(
    ("level", "allowed"), [("easy", True), ("normal", True), ("hard", False), ("nightmare", False)]
)
def test_wounds_may_go_to_who_did_not_fight_but_not_at_hard(level: str, allowed: bool) -> None:
    driver = briefed(difficulty=level)
    put_on(driver, "hall")
    driver.answer("stay")
    roll(driver, "1")
    roll(driver, "1")
    driver.until("space_infantry.combat.leader")
    driver.answer("fight")
    fight(driver).foes = [Foe("grunt")]
    attack(driver, "M", MISS, ["4"])
    driver.answer("hand")

    assert ("technician" in ids(driver)) is allowed


@pytest.mark.rule("SPI-R38")
def test_armor_is_fresh_every_round() -> None:
    driver = in_combat("tank")
    attack(driver, "M", ["1", "6", "1", "3"], ["1", "1"])
    assert chits(driver) == 2
    roll(driver, "4", "4")
    calm(driver, "space_infantry.combat.leader")
    driver.answer("fight")
    attack(driver, "F", ["6"] * 4, ["1"])

    assert driver.ask.key == "space_infantry.combat.armor"
    assert chits(driver) == 2


@pytest.mark.rule("SPI-R38")
def test_a_soldiers_armor_is_fresh_every_round_too() -> None:
    driver = in_combat("grunt", team=("heavy-1",), resources={})
    for at, ours in (("M", ["1"] * 2), ("F", ["1"] * 3)):
        attack(driver, at, ours, ["4"])
        driver.answer("hand")
        driver.answer("heavy-1")
        assert driver.ask.key == "space_infantry.wounds.armor"
        roll(driver, "4")
        calm(driver, "space_infantry.combat.leader")
        driver.answer("fight")

    assert wounds(driver) == {}


@pytest.mark.rule("SPI-R35")
def test_wounds_beyond_what_an_enemy_has_left_are_lost() -> None:
    driver = in_combat("grunt", "tank", "tank", "tank")
    attack(driver, "M", ["4", "6", "5", "6"], ["1"] * 7)
    driver.answer("0:3")
    roll(driver, *["1"] * chits(driver))

    assert [(foe.kind, foe.wounds) for foe in fight(driver).foes] == [("tank", 1), ("tank", 1), ("tank", 1)]
