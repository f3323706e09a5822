"""The Operations phase: SPI-051 to SPI-097."""

from __future__ import annotations

import msgspec
import pytest

from companion.engine.asks import Choose, Roll
from companion.games.space_infantry.pack import Effect, EffectKind, Skill
from tests.games.driver import Driver
from tests.games.space_infantry.field import (
    GRUNTS,
    as_proposed,
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
    win_against_one,
)


@pytest.mark.rule("SPI-052")
def test_the_time_marker_starts_on_30_or_where_the_sheet_says() -> None:
    assert op(briefed()).marker == 30
    short = drill_with(turns=12)
    assert op(briefed(changed=short)).marker == 12


@pytest.mark.rule("SPI-053")
def test_each_later_turn_moves_it_one_box() -> None:
    driver = briefed()
    boxes = []
    for _ in range(3):
        boxes.append(op(driver).marker)
        driver.answer("stay")
        driver.until("space_infantry.turn.action")

    assert boxes == [30, 29, 28]


@pytest.mark.rule("SPI-054", "SPI-R27")
def test_the_turn_on_box_1_is_played_in_full() -> None:
    driver = briefed()
    op(driver).marker = 2
    driver.answer("stay")
    driver.until("space_infantry.turn.action")
    assert op(driver).marker == 1
    driver.answer("stay")
    driver.until("space_infantry.mission.end")


@pytest.mark.rule("SPI-R27")
def test_a_mission_that_is_out_of_time_lasted_thirty_turns() -> None:
    driver = briefed()
    turns = 0
    while driver.ask.key != "space_infantry.mission.end":
        turns += driver.ask.key == "space_infantry.turn.action"
        driver.answer("stay" if driver.ask.key == "space_infantry.turn.action" else True)

    assert (turns, campaign(driver).reports[0].turns, op(driver).turn) == (30, 30, 30)


@pytest.mark.rule("SPI-055", "SPI-073", "SPI-R09")
def test_the_leader_may_make_command_points_in_option_a() -> None:
    driver = briefed()
    attempt(driver, "hall", "assault-1", "command")
    roll(driver, "5", "2")

    assert driver.ask.key == "space_infantry.node.chits.command"
    assert op(driver).command == 5 // 3
    without = briefed(command_points="off")
    without.answer("try:hall")
    assert "command" not in ids(without)
    without = briefed(command_points="off")
    put_on(without, "hall")
    without.answer("stay")
    roll(without, "2")
    without.until("space_infantry.combat.range")


@pytest.mark.rule("SPI-056", "SPI-057", "SPI-R22", "SPI-R28")
def test_a_turn_is_a_try_a_move_or_staying() -> None:
    driver = briefed()
    put_on(driver, "cliff")

    assert ids(driver) == ["move:start", "try:top", "stay"]
    driver.answer("stay")
    assert driver.ask.key == "space_infantry.event.rn"


@pytest.mark.rule("SPI-192", "SPI-R23")
def test_a_node_is_explored_once_it_is_entered_and_the_marker_goes_there() -> None:
    driver = briefed()
    attempt(driver, "lab")
    driver.answer("I")
    driver.answer("stay")
    driver.until("space_infantry.turn.action")
    assert "try:lab" in ids(driver), "open, but nobody has been there"
    driver.answer("try:lab")
    driver.answer("enter")
    assert ">Lab" in driver.board()
    assert driver.ask.text == "Team A counter to Lab"
    driver.until("space_infantry.turn.action")
    assert ids(driver) == ["move:start", "stay"]
    driver.answer("move:start")
    roll(driver, "3")
    assert driver.ask.text == "Team A counter to Start"
    driver.until("space_infantry.turn.action")

    assert ">Start" in driver.board()
    assert "move:lab" in ids(driver)


@pytest.mark.rule("SPI-058", "SPI-R17", "SPI-R20")
def test_option_a_is_chits_then_levels_then_the_event_check() -> None:
    driver = briefed()
    put_on(driver, "cliff")
    attempt(driver, "top", "assault-1", "fire_team-1")

    assert driver.ask.key == "space_infantry.node.chits"
    roll(driver, "3", "4")
    assert driver.ask.key == "space_infantry.node.enter"
    driver.answer("enter")
    assert driver.ask.key == "space_infantry.event.rn"


@pytest.mark.rule("SPI-059", "SPI-060")
def test_the_player_chooses_who_gets_a_chit() -> None:
    driver = briefed()
    driver.answer("try:hall")
    assert ids(driver) == ["assault-1", "fire_team-1", "shotgun-1", "command"]
    driver.answer(["assault-1", "shotgun-1"])

    assert isinstance(driver.ask, Roll)
    assert driver.ask.dice[0].count == 2
    nobody = briefed()
    attempt(nobody, "hall")
    assert nobody.ask.text == "3 SL short: use a resource?"


@pytest.mark.rule("SPI-061", "SPI-062")
def test_new_success_levels_add_to_those_on_the_node() -> None:
    driver = briefed()
    op(driver).places["hall"].gathered = 1
    attempt(driver, "hall", "assault-1", "fire_team-1")
    roll(driver, "3", "4")

    assert driver.ask.key == "space_infantry.node.enter"
    driver.answer("enter")
    assert op(driver).node == "hall"


@pytest.mark.rule("SPI-063", "SPI-195")
def test_what_falls_short_stays_on_the_node() -> None:
    driver = briefed()
    attempt(driver, "gate", "demolition")
    roll(driver, "4")
    driver.answer("accept")
    assert driver.ask.text == "1 SL, 1/4 on Gate: mark it there"
    assert "SPI-063" in driver.ask.rule
    driver.until("space_infantry.turn.action")

    assert op(driver).node == "start"
    assert op(driver).places["gate"].gathered == 1
    assert any("1/4 demolitions" in line for panel in driver.play.board().panels for line in panel.lines)


@pytest.mark.rule("SPI-061", "SPI-063", "SPI-R18")
def test_what_was_gathered_stays_whatever_other_node_the_team_turns_to() -> None:
    driver = briefed()
    attempt(driver, "gate", "demolition")
    roll(driver, "4")
    driver.answer("accept")
    attempt(driver, "exit", "assault-1")
    roll(driver, "2")
    driver.answer("accept")
    attempt(driver, "store", "explorer")
    roll(driver, "3")
    driver.answer("enter")
    driver.answer("leave")
    driver.until("space_infantry.turn.action")
    driver.answer("move:start")
    roll(driver, "3")
    attempt(driver, "gate", "demolition")
    roll(driver, "3")
    driver.answer("accept")
    driver.until("space_infantry.turn.action")

    assert op(driver).places["gate"].gathered == 2


@pytest.mark.rule("SPI-R19", "SPI-R21")
def test_an_open_node_may_be_declined_and_entered_later_without_more() -> None:
    driver = briefed()
    attempt(driver, "hall", "assault-1", "fire_team-1", "shotgun-1")
    roll(driver, "6", "6", "6")
    driver.answer("stay")
    assert driver.ask.text == "4 SL, 3/3 on Hall; mark 3 SL there"
    driver.until("space_infantry.turn.action")
    assert op(driver).places["hall"].gathered == 3
    driver.answer("try:hall")
    assert driver.ask.key == "space_infantry.node.enter"
    driver.answer("stay")

    assert driver.ask.key == "space_infantry.turn.action", "they are marked there already"


@pytest.mark.rule("SPI-062", "SPI-083", "SPI-085")
def test_where_the_team_goes_is_told_before_the_event_is_checked_there() -> None:
    driver = briefed()
    attempt(driver, "den", "assault-1")
    roll(driver, "3")
    driver.answer("enter")

    assert (driver.ask.text, driver.ask.detail) == (
        "Den: event check 4+/E",
        "1 SL, 1/1 on Den; Team A counter to Den",
    )
    assert driver.ask.settled == "", "a hint for who throws the die"


@pytest.mark.rule("SPI-064", "SPI-073")
def test_a_leader_who_commands_makes_no_other_check() -> None:
    driver = briefed()
    campaign(driver).roster["leader"].levels["advance"] = [2]
    attempt(driver, "hall", "leader", "assault-1", "command")

    assert driver.ask.detail == "Leader, Assault 1"
    roll(driver, "2", "3")
    driver.answer("accept")
    driver.until("space_infantry.turn.action")
    assert op(driver).places["hall"].gathered == 1


@pytest.mark.rule("SPI-064")
def test_a_leader_who_does_not_command_tries_a_skill_like_any_unit() -> None:
    driver = briefed()
    campaign(driver).roster["leader"].levels["advance"] = [2]
    attempt(driver, "hall", "leader")
    roll(driver, "2")
    driver.answer("accept")
    driver.until("space_infantry.turn.action")

    assert op(driver).places["hall"].gathered == 1


@pytest.mark.rule("SPI-065", "SPI-067")
@pytest.mark.parametrize(
    ("level", "face", "levels"),
    [(3, "4", 1), (3, "5", 1), (3, "2", 0), (3, "6", 2), (4, "3", 0), (2, "6", 3)],
)
def test_levels_are_points_by_skill_level_without_fractions(level: int, face: str, levels: int) -> None:
    driver = briefed()
    campaign(driver).roster["demolition"].levels["demolitions"] = [level]
    attempt(driver, "gate", "demolition")
    roll(driver, face)
    driver.answer("accept")
    driver.until("space_infantry.turn.action")

    assert op(driver).places["gate"].gathered == levels


@pytest.mark.rule("SPI-066", "SPI-R33")
@pytest.mark.parametrize("chits", ["54", "34", "65"])
def test_several_levels_get_a_chit_each_and_add_up(chits: str) -> None:
    driver = briefed()
    campaign(driver).roster["demolition"].levels["demolitions"] = [3, 4]
    attempt(driver, "gate", "demolition")
    roll(driver, *chits)
    driver.answer("accept")
    driver.until("space_infantry.turn.action")

    assert op(driver).places["gate"].gathered == {"54": 2, "34": 2, "65": 3}[chits]


@pytest.mark.rule("SPI-068", "SPI-069", "SPI-072", "SPI-R16")
@pytest.mark.parametrize(("face", "levels"), [("6", 1), ("5", 0)])
def test_without_the_skill_one_try_a_turn_gives_a_level_on_6(face: str, levels: int) -> None:
    driver = briefed(("assault-1",), resources={})
    turn = op(driver).turn
    driver.answer("try:cliff")
    assert ids(driver) == ["unskilled"]
    driver.answer(["unskilled"])
    roll(driver, face)
    driver.until("space_infantry.turn.action")

    assert op(driver).places["cliff"].gathered == levels
    assert op(driver).turn == turn + 1, "another try takes another turn"


@pytest.mark.rule("SPI-026", "SPI-069")
def test_an_unskilled_try_succeeds_with_more_than_6_too() -> None:
    driver = briefed(("assault-1",), resources={}, numbers="typed")
    driver.answer("try:cliff")
    driver.answer(["unskilled"])
    for face in ("+", "3", "4"):
        driver.answer(face)
    driver.until("space_infantry.turn.action")

    assert op(driver).places["cliff"].gathered == 1


@pytest.mark.rule("SPI-068", "SPI-R16")
def test_with_somebody_skilled_there_is_no_unskilled_try() -> None:
    driver = briefed()
    driver.answer("try:cliff")

    assert "unskilled" not in ids(driver)


@pytest.mark.rule("SPI-068", "SPI-R16")
def test_who_is_out_of_combat_has_a_skill_no_more() -> None:
    driver = briefed()
    op(driver).team["explorer"].wounds = 1
    driver.restate()
    driver.answer("try:cliff")

    assert ids(driver) == ["unskilled"]


@pytest.mark.rule("SPI-070")
def test_no_command_points_on_an_unskilled_try() -> None:
    driver = briefed(("assault-1",), resources={})
    driver.answer("try:gate")

    assert ids(driver) == ["unskilled"]


@pytest.mark.rule("SPI-071", "SPI-141", "SPI-R16")
def test_intelligence_adds_two_levels_even_to_an_unskilled_try() -> None:
    driver = briefed(("assault-1",), resources={"I": 2})
    attempt(driver, "cliff", "unskilled")
    roll(driver, "1")
    assert driver.ask.key == "space_infantry.node.means"
    driver.answer("I")

    assert driver.ask.key == "space_infantry.node.enter"
    assert op(driver).resources["I"] == 1


@pytest.mark.rule("SPI-074", "SPI-075", "SPI-R13")
@pytest.mark.parametrize(("whom", "levels"), [("keep", 0), ("0", 1), ("1", 1)])
def test_a_command_point_adds_one_point_to_any_one_check_of_the_turn(whom: str, levels: int) -> None:
    driver = briefed()
    attempt(driver, "hall", "assault-1", "fire_team-1", "shotgun-1", "command")
    roll(driver, "3", "2", "3", "2")
    assert ids(driver) == ["keep", "0", "1"]
    driver.answer(whom)
    driver.answer("accept")
    driver.until("space_infantry.turn.action")

    assert op(driver).places["hall"].gathered == levels
    assert op(driver).command == 0


@pytest.mark.rule("SPI-074", "SPI-R13")
def test_command_points_are_an_action_point_each_and_several_may_go_to_one_check() -> None:
    driver = briefed(("assault-1", "assault-2"), resources={})
    campaign(driver).roster["leader"].levels["command"] = [2]
    attempt(driver, "hall", "assault-1", "assault-2", "command")
    roll(driver, "6", "4", "2")
    assert ids(driver) == ["keep", "0", "1"]
    driver.answer("0")
    assert op(driver).command == 1
    assert [chit.ap for chit in op(driver).chits] == [6, 6, 2]
    assert ids(driver) == ["keep", "1"]
    driver.answer("1")

    assert op(driver).places["hall"].gathered == 3


@pytest.mark.rule("SPI-074")
def test_a_command_point_too_few_is_of_no_use() -> None:
    driver = briefed(("assault-1", "assault-2"), resources={})
    attempt(driver, "hall", "assault-1", "assault-2", "command")
    roll(driver, "3", "4", "4")
    driver.until("space_infantry.turn.action")

    assert op(driver).places["hall"].gathered == 2


@pytest.mark.rule("SPI-076")
def test_a_starred_skill_takes_no_command_points() -> None:
    assert pack().skill["climb"].starred
    driver = briefed()
    driver.answer("try:cliff")
    assert ids(driver) == ["explorer"]
    assert driver.ask.detail == "no Command Points: climb takes none"


@pytest.mark.rule("SPI-064", "SPI-073", "SPI-075")
@pytest.mark.parametrize(
    ("team", "command", "offered", "told"),
    [
        (("assault-1",), [3], ["leader", "assault-1", "command"], ""),
        ((), [3], ["leader"], "no Command Points: nobody else can use them"),
        (("assault-1",), [], ["leader", "assault-1"], "no Command Points: the leader makes none"),
    ],
)
def test_command_is_not_offered_where_nobody_gains_by_it(
    team: tuple[str, ...], command: list[int], offered: list[str], told: str
) -> None:
    driver = briefed(team)
    campaign(driver).roster["leader"].levels |= {"advance": [3], "command": command}
    driver.answer("try:hall")

    assert ids(driver) == offered
    assert driver.ask.detail == told


@pytest.mark.rule("SPI-076")
@pytest.mark.parametrize("asterisk", [True, False])
def test_a_starred_skill_takes_no_command_points_in_combat_either(asterisk: bool) -> None:
    skills = pack().skill | {"fire": Skill("Fire", starred=asterisk)}
    driver = in_combat("tank", orders="command", changed=msgspec.structs.replace(pack(), skill=skills))
    roll(driver, "6")
    roll(driver, "4")
    calm(driver, "space_infantry.combat.chits")
    driver.answer(["2"] * len(driver.ask.detail.split(",")))
    driver.until("space_infantry.combat.chits.command", "space_infantry.combat.enemy_chits")

    assert driver.ask.key.endswith("command") is not asterisk


@pytest.mark.rule("SPI-077", "SPI-078", "SPI-081")
def test_an_event_happens_once_in_the_whole_game() -> None:
    driver = briefed()
    put_on(driver, "cliff")
    op(driver).places["cliff"].spent.append(0)
    driver.answer("stay")

    driver.until("space_infantry.turn.action")
    assert op(driver).turn == 2


def test_a_leader_put_out_of_combat_by_hand_as_units_are_activated_commands_no_more() -> None:
    driver = briefed()
    driver.until("space_infantry.turn.action")
    driver.answer("try:hall")
    assert "command" in ids(driver)
    leader = campaign(driver).roster["leader"]
    op(driver).team["leader"].wounds = leader.wounds
    driver.restate()

    assert "command" not in ids(driver)


@pytest.mark.rule("SPI-010", "SPI-011", "SPI-079", "SPI-080", "SPI-R30")
def test_an_e_event_does_what_the_briefing_says_and_the_enemy_check_follows() -> None:
    driver = briefed()
    put_on(driver, "den")
    driver.answer("stay")
    roll(driver, "4")
    as_proposed(driver)
    calm(driver, "space_infantry.event.rn")

    assert driver.ask.text == "Den: event check 2+/S"
    assert op(driver).places["den"].spent == [0]


@pytest.mark.rule("SPI-079")
def test_outside_its_range_an_e_event_does_nothing() -> None:
    driver = briefed()
    put_on(driver, "den")
    driver.answer("stay")
    roll(driver, "3")

    assert driver.ask.text == "Den: event check 2+/S"
    assert op(driver).places["den"].spent == []


@pytest.mark.rule("SPI-079")
def test_an_event_may_bring_resources() -> None:
    effect = Effect(EffectKind.GAIN, 2, "M")
    nodes = nodes_with("den", effect=effect, events=("Auto/E",))
    driver = briefed(resources={"G": 1}, changed=drill_with(nodes=nodes))
    put_on(driver, "den")
    driver.answer("stay")
    driver.until("space_infantry.turn.action")

    assert op(driver).resources == {"G": 1, "M": 2, "I": 0, "S": 0, "D": 0}


@pytest.mark.rule("SPI-079")
@pytest.mark.parametrize(
    ("effect", "change"),
    [
        (Effect(EffectKind.NOTHING), {}),
        (Effect(EffectKind.TURNS, -2), {"marker": 28}),
        (Effect(EffectKind.TURNS, 5), {"marker": 30}),
        (Effect(EffectKind.LOSE, 9, "G"), {"G": 0}),
        (Effect(EffectKind.OPEN, what="gate"), {"gate": 4}),
        (Effect(EffectKind.FOUND, what="map"), {"found": ["map"]}),
    ],
)
def test_effects_of_events(effect: Effect, change: dict[str, object]) -> None:
    driver = briefed(changed=drill_with(nodes=nodes_with("den", effect=effect, events=("Auto/E",))))
    put_on(driver, "den")
    driver.answer("stay")
    driver.until("space_infantry.turn.action")
    found = {
        "marker": op(driver).marker + 1,
        "G": op(driver).resources["G"],
        "gate": op(driver).places["gate"].gathered,
        "found": op(driver).found,
    }

    assert found | change == found


def test_an_event_takes_no_more_turns_than_there_are() -> None:
    effect = Effect(EffectKind.TURNS, -40)
    driver = briefed(changed=drill_with(nodes=nodes_with("den", effect=effect, events=("Auto/E",))))
    put_on(driver, "den")
    driver.answer("stay")

    assert driver.ask.text == "Time marker to box 1"
    assert op(driver).marker == 1


@pytest.mark.rule("SPI-082")
def test_a_check_that_failed_is_made_again_and_never_after_it_happened() -> None:
    driver = briefed()
    put_on(driver, "cliff")
    for face in ("2", "3"):
        driver.answer("stay")
        roll(driver, face)
        driver.until("space_infantry.turn.action")
    driver.answer("stay")
    roll(driver, "6")
    end_fight(driver)
    driver.answer("stay")

    driver.until("space_infantry.turn.action")
    assert op(driver).turn == 5


def end_fight(driver: Driver) -> None:
    """The enemies are no more by the end of the first round."""
    win_against_one(driver)
    calm(driver, "space_infantry.turn.action")


@pytest.mark.rule("SPI-057", "SPI-078", "SPI-R28")
@pytest.mark.parametrize(
    ("node", "spent", "told"),
    [
        ("start", [], "no event is left here"),
        ("den", [0], "straight to the event check"),
        ("den", [0, 1], "no event is left here"),
    ],
)
def test_staying_promises_an_event_check_only_where_an_event_is_left(
    node: str, spent: list[int], told: str
) -> None:
    driver = briefed()
    put_on(driver, node)
    op(driver).places[node].spent = spent
    driver.restate()

    assert isinstance(driver.ask, Choose)
    assert [option.detail for option in driver.ask.options if option.id == "stay"] == [told]


@pytest.mark.rule("SPI-083", "SPI-084")
def test_a_failed_try_is_followed_by_the_check_of_the_old_node() -> None:
    driver = briefed()
    put_on(driver, "cliff")
    attempt(driver, "top", "assault-1")
    roll(driver, "1")
    driver.answer("accept")

    assert driver.ask.text == "Cliff: event check 6/A"


@pytest.mark.rule("SPI-083", "SPI-085")
def test_a_successful_try_is_followed_by_the_check_of_the_new_node() -> None:
    driver = briefed()
    put_on(driver, "cliff")
    attempt(driver, "top", "assault-1")
    roll(driver, "6")
    driver.answer("enter")

    assert driver.ask.text == "Top: event check 4+/B+1"


@pytest.mark.rule("SPI-086", "SPI-087")
@pytest.mark.parametrize(
    ("face", "key"), [("6", "space_infantry.encounter.rn"), ("5", "space_infantry.turn.action")]
)
def test_inside_the_range_there_is_an_encounter_outside_nothing(face: str, key: str) -> None:
    driver = briefed()
    put_on(driver, "cliff")
    driver.answer("stay")
    roll(driver, face)

    driver.until(key)


@pytest.mark.rule("SPI-087", "SPI-088")
@pytest.mark.parametrize("text", ["6/A", "5+/A"])
def test_the_force_is_read_by_row_and_class_and_then_fought(text: str) -> None:
    driver = briefed(changed=drill_with(nodes=nodes_with("cliff", events=(text,))))
    put_on(driver, "cliff")
    driver.answer("stay")
    roll(driver, "6")
    roll(driver, "6")

    assert driver.until("space_infantry.encounter.met").text == "Contact, class A: 7 x Grunt"
    driver.answer()
    assert driver.ask.key == "space_infantry.combat.leader"


@pytest.mark.rule("SPI-088")
@pytest.mark.parametrize(
    ("force", "who"), [("A", "4 x Grunt"), ("B", "1 Tank, 3 x Grunt"), ("C", "4 x Tank")]
)
def test_each_class_has_its_own_column(force: str, who: str) -> None:
    driver = briefed(changed=drill_with(nodes=nodes_with("cliff", events=(f"Auto/{force}",))))
    put_on(driver, "cliff")
    driver.answer("stay")
    roll(driver, "3")

    assert driver.until("space_infantry.encounter.met").text == f"Contact, class {force}: {who}"


@pytest.mark.rule("SPI-089")
def test_class_s_stands_on_the_mission_sheet() -> None:
    driver = briefed()
    put_on(driver, "den")
    op(driver).places["den"].spent.append(0)
    driver.answer("stay")
    roll(driver, "2")
    driver.until("space_infantry.combat.leader")

    assert [foe.kind for foe in fight(driver).foes] == ["boss"]


def test_units_of_which_none_come_are_not_told() -> None:
    row = {"A": {"tank": 0, "grunt": 2}, "B": {}, "C": {}}
    sheet = msgspec.structs.replace(GRUNTS, presence=(row,))
    driver = briefed(changed=msgspec.structs.replace(pack(), enemy={"grunts": sheet}))
    put_on(driver, "cliff")
    driver.answer("stay")
    roll(driver, "6")
    roll(driver, "6")

    assert driver.until("space_infantry.encounter.met").text == "Contact, class A: 2 x Grunt"


@pytest.mark.rule("SPI-092", "SPI-189")
@pytest.mark.parametrize(("level", "grunts"), [("easy", 3), ("normal", 4), ("nightmare", 6)])
def test_the_enemy_on_the_way_is_as_many_as_the_level_says(level: str, grunts: int) -> None:
    driver = briefed(("assault-1",), resources={}, difficulty=level)
    put_on(driver, "cliff")
    driver.answer("move:start")
    roll(driver, "1")
    roll(driver, "1")
    roll(driver, "3")

    assert driver.until("space_infantry.encounter.met").text == f"Contact, class A: {grunts} x Grunt"


@pytest.mark.rule("SPI-189", "SPI-R31")
@pytest.mark.parametrize(("level", "grunts"), [("easy", 3), ("hard", 5), ("nightmare", 6)])
def test_a_number_after_the_class_is_added_together_with_the_levels(level: str, grunts: int) -> None:
    driver = briefed(("assault-1",), resources={}, difficulty=level)
    put_on(driver, "top")
    driver.answer("stay")
    roll(driver, "4")
    roll(driver, "3")

    assert f"1 Tank, {grunts} x Grunt" in driver.until("space_infantry.encounter.met").text


@pytest.mark.rule("SPI-090", "SPI-R31")
def test_a_number_after_the_class_modifies_the_force_draw() -> None:
    driver = briefed()
    put_on(driver, "top")
    driver.answer("stay")
    roll(driver, "3")
    assert driver.until("space_infantry.turn.action"), "the check itself is not modified"
    driver.answer("stay")
    roll(driver, "4")
    roll(driver, "3")

    assert "4 x Grunt" in driver.until("space_infantry.encounter.met").text


@pytest.mark.rule("SPI-R04")
def test_a_force_drawn_beyond_the_table_is_its_last_row() -> None:
    driver = briefed()
    put_on(driver, "top")
    driver.answer("stay")
    roll(driver, "4")
    roll(driver, "6")

    assert driver.until("space_infantry.encounter.met").text.endswith("1 Tank, 6 x Grunt")


@pytest.mark.rule("SPI-184", "SPI-R04")
def test_a_force_drawn_below_the_table_is_its_first_row() -> None:
    driver = briefed(difficulty="easy")
    put_on(driver, "hall")
    driver.answer("stay")
    roll(driver, "1")
    roll(driver, "2")

    assert driver.until("space_infantry.encounter.met").text.endswith(": 1 Grunt")


@pytest.mark.rule("SPI-R19")
def test_levels_beyond_what_a_node_wants_are_of_no_use_elsewhere() -> None:
    driver = briefed()
    attempt(driver, "hall", "assault-1", "fire_team-1", "shotgun-1")
    roll(driver, "6", "6", "6")
    driver.answer("enter")

    others = {place.gathered for name, place in op(driver).places.items() if name != "hall"}
    assert others == {0}


@pytest.mark.rule("SPI-R29")
def test_auto_does_not_come_again_once_it_happened() -> None:
    driver = briefed()
    put_on(driver, "hall")
    driver.answer("stay")
    driver.until("space_infantry.encounter.rn")
    end_fight(driver)
    driver.until("space_infantry.turn.action")
    driver.answer("stay")

    assert driver.until("space_infantry.turn.action")


@pytest.mark.rule("SPI-R58")
def test_without_its_leader_the_team_goes_on_but_makes_no_command_points() -> None:
    driver = briefed()
    op(driver).team["leader"].wounds = campaign(driver).roster["leader"].wounds
    driver.restate()
    driver.answer("try:hall")

    assert ids(driver) == ["assault-1", "fire_team-1", "shotgun-1"]


@pytest.mark.rule("SPI-091", "SPI-093", "SPI-094", "SPI-095", "SPI-096", "SPI-R24")
@pytest.mark.parametrize(("faces", "marker"), [("16", 19), ("2", 19), ("5", 19), ("6", 20)])
def test_a_move_to_an_explored_node_ends_the_actions(faces: str, marker: int) -> None:
    driver = briefed()
    op(driver).places["cliff"].explored = True
    op(driver).marker = 20
    driver.restate()
    driver.answer("move:cliff")
    assert driver.ask.key == "space_infantry.move.rn"
    assert driver.ask.text == "Moving: 0 is an encounter, 6+ a turn back"
    for face in faces:
        roll(driver, face)
    driver.until("space_infantry.turn.action")

    assert op(driver).node == "cliff"
    assert (op(driver).turn, op(driver).marker) == (2, marker)


def test_a_node_set_unexplored_by_hand_while_the_team_moves_there_is_explored_as_it_arrives() -> None:
    driver = briefed()
    op(driver).places["cliff"].explored = True
    driver.restate()
    driver.answer("move:cliff")
    op(driver).places["cliff"].explored = False
    driver.restate()
    roll(driver, "2")
    driver.until("space_infantry.turn.action")

    assert op(driver).places["cliff"].explored
    assert list(driver.play.check()) == []


@pytest.mark.rule("SPI-092", "SPI-095", "SPI-R25")
def test_on_a_zero_the_way_is_fought_for_and_the_team_arrives() -> None:
    driver = briefed()
    put_on(driver, "cliff")
    driver.answer("move:start")
    roll(driver, "1")
    roll(driver, "2")
    assert driver.ask.text == "Enemy force, class A"
    roll(driver, "3")
    assert driver.until("space_infantry.encounter.met").text == "Contact, class A: 4 x Grunt"
    end_fight(driver)

    assert op(driver).node == "start"
    assert op(driver).places["cliff"].spent == []


@pytest.mark.rule("SPI-R30", "SPI-R57")
def test_a_team_that_one_event_of_a_node_defeats_is_spared_the_next() -> None:
    driver = briefed((), changed=drill_with(nodes=nodes_with("hall", events=("Auto/A", "6/A"))))
    defeat_one(driver, "hall")
    calm(driver, "space_infantry.mission.end")

    assert op(driver).places["hall"].spent == [0]


@pytest.mark.rule("SPI-R25", "SPI-R57")
def test_a_team_that_is_defeated_on_the_way_does_not_arrive() -> None:
    driver = briefed(())
    op(driver).team["leader"].wounds = 1
    put_on(driver, "cliff")
    driver.answer("move:start")
    roll(driver, "1")
    roll(driver, "2")
    roll(driver, "3")
    driver.until("space_infantry.combat.leader")
    driver.answer("fight")
    attack(driver, "M", ["1"], ["6"] * 4)
    calm(driver, "space_infantry.mission.end")

    assert op(driver).node == "cliff"


@pytest.mark.rule("SPI-094", "SPI-095", "SPI-R26")
def test_on_six_a_turn_is_regained_but_never_above_the_first_box() -> None:
    driver = briefed()
    put_on(driver, "cliff")
    op(driver).marker = 20
    driver.answer("move:start")
    roll(driver, "6")
    assert (op(driver).node, op(driver).marker) == ("start", 21)
    assert driver.ask.text == "An easy way: Time marker back to box 21"

    for turns in (30, 12):
        driver = briefed(changed=drill_with(turns=turns))
        put_on(driver, "cliff")
        driver.answer("move:start")
        roll(driver, "6")
        assert op(driver).marker == turns


@pytest.mark.rule("SPI-054", "SPI-094")
def test_a_turn_regained_on_the_last_box_is_one_more_on_it() -> None:
    driver = briefed()
    put_on(driver, "cliff")
    op(driver).marker = 1
    driver.answer("move:start")
    roll(driver, "6")
    driver.until("space_infantry.turn.action")
    assert op(driver).marker == 1
    driver.answer("stay")

    assert driver.until("space_infantry.mission.end").text.startswith("Mission aborted")


def test_where_the_team_is_put_is_told_before_its_cache_is_searched() -> None:
    driver = briefed()
    op(driver).places["store"].gathered = 1
    driver.answer("try:store")
    driver.answer("enter")

    assert driver.ask.key == "space_infantry.cache.look"
    assert driver.ask.detail == "Team A counter to Store"


@pytest.mark.rule("SPI-051", "SPI-097", "SPI-R50")
def test_a_cache_may_be_searched_at_the_end_of_the_turn() -> None:
    driver = briefed()
    put_on(driver, "store")
    driver.answer("stay")

    assert driver.ask.key == "space_infantry.cache.look"
    assert op(driver).marker == 30
    driver.answer("leave")
    driver.until("space_infantry.turn.action")
    assert op(driver).marker == 29
    assert not op(driver).places["store"].emptied
