"""The Rhino: SPI-162 to SPI-176."""

from __future__ import annotations

import msgspec
import pytest

from companion.engine.asks import Choose, Pick, Roll
from companion.games.space_infantry.attacks import count_hits
from companion.games.space_infantry.pack import Effect, EffectKind, InfantryPack, Vehicle
from companion.games.space_infantry.play import SpaceInfantry
from companion.games.space_infantry.state import Check, Edge
from companion.games.space_infantry.wounds import wound_team
from tests.games.driver import Driver
from tests.games.space_infantry.field import (
    DRILL,
    attempt,
    briefed,
    calm,
    campaign,
    fight,
    fresh,
    ids,
    op,
    pack,
    roll,
    wounds,
)

RHINO = Vehicle("Rhino", 4, (3,), (3, 4))


def motorised(armor: int = 0) -> InfantryPack:
    """The drill with a Rhino, and a pilot's node; its yard has an enemy."""
    yard = msgspec.structs.replace(DRILL.nodes["yard"], events=("Auto/A",))
    lab = msgspec.structs.replace(DRILL.nodes["lab"], needs="pilot 2", outside=True)
    mission = msgspec.structs.replace(DRILL, rhino=True, nodes=DRILL.nodes | {"yard": yard, "lab": lab})
    vehicle = msgspec.structs.replace(RHINO, armor=armor)
    return msgspec.structs.replace(pack(), mission={"drill": mission}, vehicle={"rhino": vehicle})


def indoors() -> Driver:
    """The first turn, at a start that is inside."""
    changed = motorised()
    drill = changed.mission["drill"]
    nodes = drill.nodes | {"start": msgspec.structs.replace(DRILL.nodes["start"], outside=False)}
    mission = msgspec.structs.replace(drill, nodes=nodes)
    return briefed(changed=msgspec.structs.replace(changed, mission={"drill": mission}))


def mounted(seat: str = "ride", armor: int = 0, resources: dict[str, int] | None = None) -> Driver:
    """The first turn, with the team in its seat."""
    driver = briefed(resources=resources, changed=motorised(armor))
    assert driver.ask.key == "space_infantry.rhino.ride"
    driver.answer(seat)
    return driver


def in_the_yard(seat: str, *foes: str, orders: str = "fight", armor: int = 0) -> Driver:
    """A fight outside, in or beside the Rhino; the range is about to be rolled."""
    driver = briefed(changed=motorised(armor))
    op(driver).node = "yard"
    op(driver).places["yard"].explored = True
    driver.answer(seat)
    driver.answer("stay")
    roll(driver, "2")
    driver.until("space_infantry.combat.leader")
    force = fight(driver)
    force.foes = [type(force.foes[0])(kind) for kind in foes]
    driver.answer(orders)
    return driver


def chits(driver: Driver) -> str:
    calm(driver, "space_infantry.combat.chits")
    return driver.ask.detail


def miss(driver: Driver) -> None:
    """The team's chits of a round hit nobody; the enemy's are next."""
    calm(driver, "space_infantry.combat.chits")
    assert isinstance(driver.ask, Roll)
    roll(driver, *["1"] * driver.ask.dice[0].count)
    calm(driver, "space_infantry.combat.enemy_chits")


@pytest.mark.rule("SPI-162")
def test_only_missions_that_allow_it_have_the_rhino() -> None:
    assert op(briefed()).rhino is None
    assert op(mounted()).rhino is not None


@pytest.mark.rule("SPI-162")
@pytest.mark.parametrize(("changed", "team"), [(motorised(), "Leader, Rhino"), (None, "Leader")])
def test_that_the_rhino_lies_beside_the_sheet_is_told_before_the_first_turn(
    changed: InfantryPack | None, team: str
) -> None:
    driver = Driver(fresh(changed))
    driver.until("space_infantry.enemy.sheet")
    driver.answer(["grunts"])
    driver.answer("done")
    driver.answer(8)

    assert driver.ask.key == "space_infantry.mission.ready"
    assert f"beside the sheet: {team};" in driver.ask.detail


@pytest.mark.rule("SPI-165", "SPI-170")
@pytest.mark.parametrize(
    ("seat", "words"), [("ride", ["Nothing", "Leave the Rhino"]), ("foot", ["Fight", "Board the Rhino"])]
)
def test_what_the_leaders_chits_can_be_for_goes_by_the_seat(seat: str, words: list[str]) -> None:
    driver = in_the_yard(seat, "grunt")
    roll(driver, "2")
    miss(driver)
    roll(driver, "1")
    calm(driver, "space_infantry.combat.leader")

    assert isinstance(driver.ask, Choose)
    assert [one.label for one in driver.ask.options] == ["Command Points", *words]
    assert [one.detail for one in driver.ask.options] == [
        "each is 1 AP for one check, or 1 on the range number",
        "",
        "needs 1 CP, the rest is lost",
    ]


@pytest.mark.rule("SPI-163")
@pytest.mark.parametrize("seat", ["foot", "ride"])
@pytest.mark.parametrize(("needs", "faces"), [("pilot 2", ["6"]), ("gunnery 2", ["3", "4"])])
def test_its_pilot_and_gunner_come_with_it(seat: str, needs: str, faces: list[str]) -> None:
    changed = motorised()
    drill = changed.mission["drill"]
    lab = msgspec.structs.replace(drill.nodes["lab"], needs=needs)
    mission = msgspec.structs.replace(drill, nodes=drill.nodes | {"lab": lab})
    driver = briefed(changed=msgspec.structs.replace(changed, mission={"drill": mission}))
    driver.answer(seat)
    driver.answer("try:lab")
    assert ids(driver)[0] == "rhino"
    driver.answer(["rhino"])
    roll(driver, *faces)

    assert driver.ask.key == "space_infantry.node.enter"


@pytest.mark.rule("SPI-165", "SPI-168", "SPI-R17")
@pytest.mark.parametrize(("seat", "able"), [("foot", ["rhino", "assault-1"]), ("ride", ["rhino"])])
def test_beside_the_rhino_a_soldier_who_has_its_pilots_skill_can_use_it_too(
    seat: str, able: list[str]
) -> None:
    driver = mounted(seat)
    campaign(driver).roster["assault-1"].levels["pilot"] = [4]
    driver.answer("try:lab")

    assert ids(driver) == able


@pytest.mark.rule("SPI-165")
def test_inside_the_rhino_the_leader_can_command_on_a_node_that_asks_for_it() -> None:
    changed = motorised()
    drill = changed.mission["drill"]
    lab = msgspec.structs.replace(drill.nodes["lab"], needs="command 2")
    mission = msgspec.structs.replace(drill, nodes=drill.nodes | {"lab": lab})
    driver = briefed(changed=msgspec.structs.replace(changed, mission={"drill": mission}))
    driver.answer("ride")
    driver.answer("try:lab")
    driver.answer(["leader"])
    roll(driver, "6")

    assert driver.ask.key == "space_infantry.node.enter"


@pytest.mark.rule("SPI-164")
def test_at_every_outside_node_the_team_rides_or_walks() -> None:
    driver = mounted("ride")
    assert op(driver).rhino is not None
    driver.answer("stay")
    assert driver.until("space_infantry.rhino.ride").key == "space_infantry.rhino.ride"
    driver = briefed(changed=motorised())
    driver.answer("foot")
    op(driver).node = "hall"
    op(driver).places["hall"].explored = True
    op(driver).places["hall"].spent.append(0)
    driver.restate()
    driver.answer("stay")

    assert driver.until("space_infantry.turn.action").key == "space_infantry.turn.action"


@pytest.mark.parametrize(("seat", "first"), [("ride", ["ride", "foot"]), ("foot", ["foot", "ride"])])
def test_where_the_team_is_comes_first_and_a_session_from_before_goes_on(seat: str, first: list[str]) -> None:
    driver = mounted(seat)
    driver.answer("stay")
    driver.until("space_infantry.rhino.ride")
    assert ids(driver) == first
    question = driver.ask.former or driver.ask
    assert isinstance(question, Choose)
    assert [option.id for option in question.options] == ["ride", "foot"]


@pytest.mark.rule("SPI-165")
def test_riders_use_no_skill_but_command_and_communications() -> None:
    driver = mounted("ride")
    driver.answer("try:hall")
    assert driver.ask.key == "space_infantry.node.means"
    driver = mounted("ride")
    driver.answer("try:yard")
    assert ids(driver) == ["technician", "command"]


def test_a_node_whose_skill_nobody_can_use_from_inside_says_so_unless_it_is_open() -> None:
    for seat, gathered, words in (
        ("ride", 2, "advance 2/3 Success Levels, nobody can use it now"),
        ("ride", 3, "advance 3/3 Success Levels"),
        ("foot", 0, "advance 0/3 Success Levels"),
    ):
        driver = mounted(seat)
        op(driver).places["hall"].gathered = gathered
        driver.restate()
        assert isinstance(driver.ask, Choose)
        assert next(one.detail for one in driver.ask.options if one.id == "try:hall") == words


@pytest.mark.rule("SPI-166")
def test_damage_to_riders_goes_to_the_rhino() -> None:
    driver = in_the_yard("ride", "grunt", "grunt")
    roll(driver, "2")
    assert chits(driver) == "Rhino (level 3), Rhino (level 4)"
    roll(driver, "1", "1")
    roll(driver, "4", "4")
    assert driver.ask.text.endswith("; Rhino damage 2/4")
    driver.until("space_infantry.combat.leader")

    assert wounds(driver) == {}
    rhino = op(driver).rhino
    assert (rhino.wounds, rhino.inside) == (2, True)


@pytest.mark.parametrize(("text", "told"), [("Mine", "Mine"), ("", "3 wounds")])
def test_what_the_rhinos_armor_is_drawn_for_is_told_to_riders(text: str, told: str) -> None:
    changed = motorised(armor=2)
    drill = changed.mission["drill"]
    mine = Effect(EffectKind.WOUNDS, 3, text=text)
    start = msgspec.structs.replace(drill.nodes["start"], events=("Auto/E",), effect=mine)
    mission = msgspec.structs.replace(drill, nodes=drill.nodes | {"start": start})
    driver = briefed(changed=msgspec.structs.replace(changed, mission={"drill": mission}))
    driver.answer("ride")
    driver.answer("stay")

    assert driver.ask.text == f"{told}; armor of the Rhino: 2 dice, 4+ saves"


@pytest.mark.rule("SPI-167", "SPI-R30", "SPI-R62")
def test_riders_whose_rhino_a_mine_destroys_meet_the_enemy_of_that_node_on_foot() -> None:
    changed = motorised()
    drill = changed.mission["drill"]
    mine = Effect(EffectKind.WOUNDS, 9, text="Mine")
    start = msgspec.structs.replace(drill.nodes["start"], events=("Auto/E", "Auto/A"), effect=mine)
    mission = msgspec.structs.replace(drill, nodes=drill.nodes | {"start": start})
    driver = briefed(changed=msgspec.structs.replace(changed, mission={"drill": mission}))
    driver.answer("ride")
    driver.answer("stay")
    roll(driver, "2")
    driver.until("space_infantry.combat.leader")
    assert ids(driver) == ["command", "fight"], "there is no Rhino to board"
    driver.answer("fight")
    roll(driver, "2")

    assert chits(driver) == "Leader, Assault 1, Fire Team 1, Shotgun 1"
    assert wounds(driver) == {}


@pytest.mark.rule("SPI-167", "SPI-R62")
def test_damage_beyond_its_end_is_ignored_and_the_team_is_on_foot_unhurt() -> None:
    driver = in_the_yard("ride", "grunt", "grunt", "grunt")
    rhino = op(driver).rhino
    rhino.wounds = 3
    roll(driver, "2")
    chits(driver)
    roll(driver, "1", "1")
    roll(driver, "4", "4", "4")
    driver.until("space_infantry.combat.round")
    assert "SPI-166" in driver.ask.rule
    assert "SPI-168" not in driver.ask.rule, "the team was not beside it"
    driver.until("space_infantry.combat.leader")

    assert rhino.wounds == 4
    assert not rhino.inside
    assert wounds(driver) == {}


@pytest.mark.rule("SPI-168", "SPI-169")
@pytest.mark.parametrize(("wounds", "most"), [(0, 2), (3, 1)])
def test_beside_the_rhino_the_soldiers_take_at_least_half_and_all_that_it_can_not(
    wounds: int, most: int
) -> None:
    driver = in_the_yard("foot", *["grunt"] * 5)
    rhino = op(driver).rhino
    rhino.wounds = wounds
    roll(driver, "2")
    miss(driver)
    roll(driver, "4", "4", "4", "4", "4")
    assert driver.ask.detail.endswith(f"at most {most} on the Rhino")
    driver.answer("hand")
    for _ in range(most):
        driver.answer("rhino")
    assert "rhino" not in ids(driver)


@pytest.mark.rule("SPI-169")
def test_of_one_wound_the_rhino_beside_the_last_soldier_can_take_nothing() -> None:
    driver = in_the_yard("foot", "grunt")
    team, roster = op(driver).team, campaign(driver).roster
    for name in list(team)[1:]:
        team[name].wounds = roster[name].wounds
    roll(driver, "2")
    miss(driver)
    roll(driver, "4")

    assert driver.ask.text == "1 wound on the team: nobody else can take any"
    assert len(ids(driver)) == 1


@pytest.mark.rule("SPI-125", "SPI-168")
def test_beside_the_team_the_rhinos_armor_is_room_for_wounds_as_a_soldiers_is() -> None:
    driver = in_the_yard("foot", *["grunt"] * 6, armor=2)
    rhino = op(driver).rhino
    rhino.wounds = 3
    roll(driver, "2")
    miss(driver)
    roll(driver, *["4"] * 6)
    assert driver.ask.detail.endswith("at most 3 on the Rhino")
    driver.answer("hand")
    for _ in range(3):
        driver.answer("rhino")
    assert "rhino" not in ids(driver)
    for name in ("assault-1", "shotgun-1", "technician"):
        driver.answer(name)
    roll(driver, "4", "4")

    assert rhino.wounds == 4


@pytest.mark.rule("SPI-119", "SPI-126")
def test_beside_the_rhino_piercing_wounds_fall_on_who_has_no_armor() -> None:
    driver = in_the_yard("foot", "grunt", "grunt", "gunner", "gunner", armor=2)
    roll(driver, "4")
    miss(driver)
    roll(driver, "4", "4", "2", "2")
    assert driver.ask.detail.startswith("armor is no help against 2; ")
    driver.answer("hand")
    for name in ("rhino", "rhino", "assault-1", "shotgun-1"):
        driver.answer(name)

    assert driver.ask.key == "space_infantry.rhino.armor"
    assert isinstance(driver.ask, Roll)
    assert driver.ask.dice[0].count == 2


@pytest.mark.rule("SPI-126", "SPI-169")
def test_the_rhinos_armor_makes_no_room_for_wounds_that_pierce_it() -> None:
    driver = in_the_yard("foot", *["gunner"] * 6, armor=2)
    rhino = op(driver).rhino
    rhino.wounds = 3
    roll(driver, "4")
    miss(driver)
    roll(driver, *["2"] * 6)
    assert "at most 1 on the Rhino" in driver.ask.detail
    driver.answer("hand")
    driver.answer("rhino")

    assert "rhino" not in ids(driver)


@pytest.mark.rule("SPI-126", "SPI-166")
@pytest.mark.parametrize(("plain", "drawn"), [(0, 0), (1, 1), (3, 2)])
def test_of_riders_the_rhinos_armor_stops_no_wound_that_pierces_it(plain: int, drawn: int) -> None:
    driver = in_the_yard("ride", *["gunner"] * 2, *["grunt"] * plain, armor=2)
    roll(driver, "4")
    miss(driver)
    roll(driver, "2", "2", *["4"] * plain)
    if drawn:
        assert driver.ask.key == "space_infantry.rhino.armor"
        assert isinstance(driver.ask, Roll)
        assert driver.ask.dice[0].count == drawn
        roll(driver, *["4"] * drawn)

    rhino = op(driver).rhino
    assert rhino.wounds == 2 + plain - drawn


@pytest.mark.rule("SPI-169")
def test_the_rhino_takes_half_at_most_of_more_wounds_than_there_is_room_for() -> None:
    driver = in_the_yard("foot", *["grunt"] * 4)
    for name, member in op(driver).team.items():
        member.wounds = campaign(driver).roster[name].wounds - (name == "assault-1")
    driver.restate()
    roll(driver, "2")
    miss(driver)
    roll(driver, *["4"] * 4)
    driver.answer("hand")
    for name in ("rhino", "rhino", "assault-1"):
        driver.answer(name)

    assert ids(driver) == ["assault-1"]


@pytest.mark.rule("SPI-119", "SPI-169")
@pytest.mark.parametrize(("damage", "proposed"), [(0, 2), (2, 1), (3, 0)])
def test_the_proposal_gives_the_rhino_what_it_outlives(damage: int, proposed: int) -> None:
    driver = in_the_yard("foot", *["grunt"] * 4)
    rhino = op(driver).rhino
    rhino.wounds = damage
    roll(driver, "2")
    miss(driver)
    roll(driver, *["4"] * 4)
    driver.answer(ids(driver)[0])

    assert rhino.wounds == damage + proposed


@pytest.mark.rule("SPI-170", "SPI-171", "SPI-R60")
@pytest.mark.parametrize(("face", "inside"), [("3", False), ("6", False), ("2", True)])
def test_changing_seats_in_combat_takes_a_command_point_and_voids_the_rest(face: str, inside: bool) -> None:
    driver = in_the_yard("ride", "grunt", orders="board")
    roll(driver, face)
    rhino = op(driver).rhino

    assert rhino.inside is inside
    assert op(driver).command == 0
    assert op(driver).news[-1] == ("no CP: nobody changes seats" if inside else "the team is on foot")


@pytest.mark.rule("SPI-170", "SPI-R60")
def test_beside_the_rhino_the_team_can_get_in_for_a_command_point() -> None:
    driver = in_the_yard("foot", "grunt", orders="board")
    roll(driver, "6")
    rhino = op(driver).rhino

    assert rhino.inside
    assert op(driver).news[-1] == "the team is in the Rhino"


@pytest.mark.rule("SPI-165", "SPI-R61")
@pytest.mark.parametrize(("seat", "offered"), [("ride", ["go", "I"]), ("foot", ["go", "G", "I"])])
def test_from_inside_no_grenade_is_thrown(seat: str, offered: list[str]) -> None:
    driver = in_the_yard(seat, "grunt")
    roll(driver, "2")
    assert driver.ask.key == "space_infantry.combat.prepare"

    assert ids(driver) == offered


@pytest.mark.rule("SPI-172", "SPI-R67")
@pytest.mark.parametrize(
    ("seat", "faces", "levels"), [("ride", "2", 1), ("foot", "2", 0), ("ride", "16", 0), ("ride", "5", 2)]
)
def test_communications_from_inside_get_one_point_more(seat: str, faces: str, levels: int) -> None:
    driver = mounted(seat, resources={})
    driver.answer("try:yard")
    driver.answer(["technician"])
    for face in faces:
        roll(driver, face)
    told = f"{op(driver).news} {driver.ask.text} {driver.ask.detail}"
    calm(driver, "space_infantry.node.enter", "space_infantry.rhino.ride")

    assert op(driver).places["yard"].gathered == levels
    assert ("+1 AP inside the Rhino" in told) is (seat == "ride")


@pytest.mark.rule("SPI-172")
def test_a_leader_who_commands_nobody_on_the_radio_is_told_of_no_point() -> None:
    driver = mounted("ride", resources={})
    driver.answer("try:yard")
    driver.answer(["command"])
    roll(driver, "6")

    assert "+1 AP" not in f"{op(driver).news} {driver.ask.text} {driver.ask.detail}"


@pytest.mark.rule("SPI-172")
def test_each_who_is_on_the_radio_inside_gets_the_point() -> None:
    driver = mounted("ride", resources={})
    campaign(driver).roster["explorer"].levels["communications"] = [3]
    driver.answer("try:yard")
    driver.answer(["explorer", "technician"])
    roll(driver, "2", "2")
    driver.until("space_infantry.node.enter")

    assert op(driver).places["yard"].gathered == 2


def on_the_radio(*levels: int, seat: str = "ride") -> Driver:
    """A Technician with so many levels of Communications, about to be activated."""
    driver = mounted(seat, resources={})
    campaign(driver).roster["technician"].levels["communications"] = list(levels)
    driver.answer("try:yard")
    return driver


@pytest.mark.rule("SPI-172", "SPI-R44")
@pytest.mark.parametrize(("levels", "faces"), [((3, 3), "22"), ((3, 5), "23"), ((3, 3, 3), "552")])
def test_the_bonus_from_inside_goes_on_one_chit_of_a_unit(levels: tuple[int, ...], faces: str) -> None:
    driver = on_the_radio(*levels)
    assert isinstance(driver.ask, Pick)
    assert [(one.id, one.detail) for one in driver.ask.options if one.id != "command"] == [
        ("technician:once", "+1 AP on one chit")
    ]
    driver.answer(["technician:once"])
    roll(driver, *faces)
    while driver.ask.key == "space_infantry.node.radio":
        driver.answer("0")
    driver.until("space_infantry.node.enter", "space_infantry.rhino.ride")
    without = sum(int(face) // level for face, level in zip(faces, levels, strict=True))

    assert op(driver).places["yard"].gathered == min(without + 1, 2)


@pytest.mark.rule("SPI-172", "SPI-R44")
@pytest.mark.parametrize(("chosen", "gathered"), [("0", 1), ("1", 0)])
def test_the_player_chooses_the_chit_that_the_bonus_goes_on(chosen: str, gathered: int) -> None:
    driver = on_the_radio(3, 5)
    driver.answer(["technician:once"])
    roll(driver, "2", "3")
    assert driver.ask.text == "Technician: +1 AP on which?"
    assert ids(driver) == ["0", "1"]
    driver.answer(chosen)
    driver.until("space_infantry.rhino.ride")

    assert op(driver).places["yard"].gathered == gathered


@pytest.mark.rule("SPI-172")
@pytest.mark.parametrize(
    ("levels", "faces", "asked"),
    [((3, 3), "22", False), ((3, 4), "45", False), ((3, 4), "55", True)],
)
def test_which_chit_is_asked_only_where_it_matters(
    levels: tuple[int, ...], faces: str, *, asked: bool
) -> None:
    driver = on_the_radio(*levels)
    driver.answer(["technician:once"])
    roll(driver, *faces)

    assert (driver.ask.key == "space_infantry.node.radio") is asked


@pytest.mark.rule("SPI-074", "SPI-172")
@pytest.mark.parametrize(
    ("levels", "faces", "command", "asked"),
    [((3, 5), "43", True, True), ((3, 5), "43", False, False), ((3, 3), "44", True, False)],
)
def test_which_chit_matters_too_where_command_points_may_fill_it(
    levels: tuple[int, ...], faces: str, *, command: bool, asked: bool
) -> None:
    driver = on_the_radio(*levels)
    driver.answer(["technician:once", *["command"] * command])
    roll(driver, *["3"] * command, *faces)

    assert (driver.ask.key == "space_infantry.node.radio") is asked


@pytest.mark.rule("SPI-172")
def test_on_foot_no_chit_is_marked_for_the_bonus() -> None:
    assert "technician" in ids(on_the_radio(3, 3, seat="foot"))


@pytest.mark.rule("SPI-172")
def test_from_inside_the_pilot_gets_no_point_more() -> None:
    driver = mounted("ride", resources={})
    driver.answer("try:lab")
    driver.answer(["rhino"])
    roll(driver, "2")
    driver.until("space_infantry.rhino.ride")

    assert op(driver).places["lab"].gathered == 0


@pytest.mark.rule("SPI-R61")
@pytest.mark.parametrize("face", ["2", "4"])
def test_from_inside_the_gunner_alone_attacks_at_either_range(face: str) -> None:
    driver = in_the_yard("ride", "grunt")
    roll(driver, face)

    assert chits(driver) == "Rhino (level 3), Rhino (level 4)"


@pytest.mark.rule("SPI-173", "SPI-R63")
def test_the_gunner_fires_beside_the_team_at_either_range() -> None:
    for face in ("2", "4"):
        driver = in_the_yard("foot", "grunt")
        roll(driver, face)
        assert chits(driver).endswith("Rhino (level 3), Rhino (level 4)")


@pytest.mark.rule("SPI-074", "SPI-173")
def test_a_command_point_makes_a_shot_of_the_gunner_a_hit() -> None:
    driver = in_the_yard("ride", "tank", orders="command")
    roll(driver, "3")
    roll(driver, "4")
    chits(driver)
    roll(driver, "2", "2")
    assert isinstance(driver.ask, Choose)
    assert [one.label for one in driver.ask.options] == ["Spend no more", "Rhino +1 AP"]
    driver.answer("0")
    roll(driver, "2")
    calm(driver, "space_infantry.combat.leader")

    assert fight(driver).foes[0].wounds == 1


@pytest.mark.rule("SPI-074", "SPI-075")
def test_a_command_point_can_go_to_the_gunner_on_a_node_too() -> None:
    changed = motorised()
    drill = changed.mission["drill"]
    lab = msgspec.structs.replace(drill.nodes["lab"], needs="gunnery 2")
    mission = msgspec.structs.replace(drill, nodes=drill.nodes | {"lab": lab})
    driver = briefed(resources={}, changed=msgspec.structs.replace(changed, mission={"drill": mission}))
    driver.answer("foot")
    driver.answer("try:lab")
    driver.answer(["rhino", "command"])
    roll(driver, "3", "2", "2")
    driver.answer("0")
    driver.until("space_infantry.rhino.ride")

    assert op(driver).places["lab"].gathered == 1


@pytest.mark.rule("SPI-R08")
def test_beside_two_basic_units_the_rhino_is_no_third() -> None:
    driver = in_the_yard("foot", "grunt")
    shotgun = campaign(driver).roster["shotgun-1"]
    op(driver).team["shotgun-1"].wounds = shotgun.wounds
    roll(driver, "4")
    driver.answer("go")

    assert driver.ask.key == "space_infantry.combat.specials"


@pytest.mark.rule("SPI-R69")
def test_both_shots_of_the_rhino_are_of_one_unit() -> None:
    play = in_the_yard("foot", "tank").play
    assert isinstance(play, SpaceInfantry)
    shots = [Check(who, skill, 4, 4) for who, skill in (*[("rhino", "gunnery")] * 2, ("assault-1", "fire"))]

    assert count_hits(play.table, shots, []).by_unit == ((0, 2), (1, 0))


@pytest.mark.rule("SPI-127", "SPI-128", "SPI-R61")
def test_in_an_ambush_from_inside_whom_the_gunner_puts_out_does_not_strike_back() -> None:
    driver = in_the_yard("ride", "grunt", "grunt")
    roll(driver, "4")
    driver.answer("I")
    calm(driver, "space_infantry.combat.chits")
    roll(driver, "3", "4")
    driver.until("space_infantry.combat.round")

    assert driver.ask.text.startswith("Enemy eliminated")


@pytest.mark.rule("SPI-174")
def test_machine_guns_pass_armor() -> None:
    driver = in_the_yard("ride", "tank")
    roll(driver, "4")
    chits(driver)
    roll(driver, "3", "4")
    roll(driver, "1")

    assert driver.ask.key == "space_infantry.combat.round"
    assert fight(driver).foes[0].wounds == 2


@pytest.mark.rule("SPI-176")
def test_coming_out_of_doors_the_team_may_be_inside_before_the_event_check() -> None:
    driver = indoors()
    attempt(driver, "yard", "technician")
    roll(driver, "6")
    driver.answer("enter")
    driver.answer("ride")

    assert driver.ask.key == "space_infantry.encounter.rn"
    rhino = op(driver).rhino
    assert rhino.inside


@pytest.mark.rule("SPI-164")
@pytest.mark.parametrize("seat", ["ride", "foot"])
def test_at_an_outside_node_just_entered_the_team_rides_or_walks_before_the_event_check(seat: str) -> None:
    driver = mounted({"ride": "foot", "foot": "ride"}[seat])
    attempt(driver, "yard", "technician")
    roll(driver, "6")
    driver.answer("enter")
    assert driver.ask.text == "Yard: inside the Rhino or on foot?"
    driver.answer(seat)

    assert driver.ask.key == "space_infantry.encounter.rn"
    rhino = op(driver).rhino
    assert rhino.inside == (seat == "ride")


def test_after_a_move_between_outside_nodes_the_seat_is_asked_for_once() -> None:
    driver = mounted("foot")
    op(driver).places["yard"].explored = True
    driver.restate()
    driver.answer("move:yard")
    roll(driver, "3")
    driver.until("space_infantry.rhino.ride")
    assert op(driver).turn == 2


@pytest.mark.rule("SPI-175")
@pytest.mark.parametrize("outside", ["start", "yard"])
def test_wherever_it_was_left_the_rhino_is_at_hand_out_of_doors(outside: str) -> None:
    changed = motorised()
    drill = changed.mission["drill"]
    hall = msgspec.structs.replace(drill.nodes["hall"], links=("start", "yard"))
    yard = msgspec.structs.replace(drill.nodes["yard"], links=("start", "hall"))
    mission = msgspec.structs.replace(drill, nodes=drill.nodes | {"hall": hall, "yard": yard})
    driver = briefed(changed=msgspec.structs.replace(changed, mission={"drill": mission}))
    driver.answer("foot")
    op(driver).node = "hall"
    op(driver).places["hall"].explored = op(driver).places["yard"].explored = True
    driver.restate()
    driver.answer(f"move:{outside}")
    roll(driver, "3")

    assert driver.ask.key == "space_infantry.rhino.ride"
    assert driver.ask.detail.endswith("; no event check here: the next turn asks again")
    driver.answer("ride")
    rhino = op(driver).rhino
    assert rhino.inside


def test_the_question_for_the_rhino_tells_where_time_marker_and_team_are_put_before() -> None:
    driver = briefed(resources={}, changed=motorised())
    assert driver.ask.text == "Time marker on 30, Start: inside the Rhino or on foot?"
    driver.answer("ride")
    op(driver).places["yard"].gathered = 2
    driver.answer("try:yard")
    driver.answer("enter")

    assert driver.ask.text == "Yard: inside the Rhino or on foot?"
    assert driver.ask.detail.startswith("Team A counter to Yard; inside: Command")


@pytest.mark.parametrize(
    ("seat", "told"),
    [("ride", "Team A counter to Store; the Rhino stays outside"), ("foot", "Team A counter to Store")],
)
def test_who_rode_is_told_that_the_rhino_stays_outside(seat: str, told: str) -> None:
    driver = mounted(seat, resources={})
    op(driver).places["store"].gathered = 1
    driver.answer("try:store")
    driver.answer("enter")
    driver.answer("leave")
    assert driver.ask.text == told
    rhino = op(driver).rhino
    assert not rhino.inside


@pytest.mark.rule("SPI-125", "SPI-126", "SPI-168", "SPI-169")
def test_a_piercing_wound_that_the_rhino_takes_pierces_nobodys_armor() -> None:
    driver = in_the_yard("foot", "grunt")
    play = driver.play
    assert isinstance(play, SpaceInfantry)
    roster = play.table.campaign.roster
    roster["technician"] = msgspec.structs.replace(roster["technician"], armor=1)
    script = wound_team(play.table, 1, 1, anybody=True)
    script.send(None)
    for answer in ("hand", "rhino"):
        script.send(answer)
    asked = script.send("technician")

    assert asked.key == "space_infantry.wounds.armor"
    rhino = op(driver).rhino
    assert rhino.wounds == 1


@pytest.mark.rule("SPI-R62")
def test_who_loses_the_rhino_in_an_ambush_is_on_foot_from_the_next_round() -> None:
    driver = in_the_yard("ride", "grunt")
    fight(driver).edge = Edge.ENEMY
    rhino = op(driver).rhino
    rhino.wounds = 3
    roll(driver, "4")
    calm(driver, "space_infantry.combat.enemy_chits")
    roll(driver, "4")
    assert driver.ask.detail == "The Rhino is destroyed, the team is on foot", "nor is an attack told of"
    calm(driver, "space_infantry.combat.leader")

    assert rhino.wounds == 4
    assert fight(driver).round == 2


@pytest.mark.rule("SPI-128", "SPI-168", "SPI-R62")
@pytest.mark.parametrize("damage", [0, 3])
def test_after_an_ambush_beside_the_rhino_the_team_strikes_back_even_if_it_is_lost(damage: int) -> None:
    driver = in_the_yard("foot", "grunt", "grunt")
    fight(driver).edge = Edge.ENEMY
    rhino = op(driver).rhino
    rhino.wounds = damage
    roll(driver, "2")
    calm(driver, "space_infantry.combat.enemy_chits")
    roll(driver, "4", "4")
    driver.answer("hand")
    driver.answer("rhino")
    driver.answer("assault-1")

    assert chits(driver).startswith("Leader, Assault 1, ")
    assert fight(driver).round == 1


@pytest.mark.rule("SPI-164", "SPI-167")
def test_in_a_rhino_that_is_destroyed_nobody_rides_at_the_next_outside_node() -> None:
    driver = mounted("foot")
    rhino = op(driver).rhino
    rhino.wounds = 4
    attempt(driver, "yard", "technician")
    roll(driver, "6")
    driver.answer("enter")

    assert driver.ask.key == "space_infantry.encounter.rn"


@pytest.mark.rule("SPI-168", "SPI-169", "SPI-170", "SPI-R63")
def test_indoors_the_rhino_that_was_left_outside_takes_no_part_in_a_fight() -> None:
    driver = in_the_yard("foot", "grunt", "grunt")
    op(driver).node = "hall"
    roll(driver, "2")
    assert "Rhino" not in chits(driver)
    miss(driver)
    roll(driver, "4", "4")
    driver.answer("hand")
    assert "rhino" not in ids(driver)
    driver.answer("assault-1")
    driver.answer("shotgun-1")
    calm(driver, "space_infantry.combat.leader")

    assert ids(driver) == ["command", "fight"]


@pytest.mark.rule("SPI-147", "SPI-165")
@pytest.mark.parametrize(("seat", "who"), [("ride", []), ("foot", ["demolition", "technician"])])
def test_only_on_foot_a_specialist_sets_a_demo_charge(seat: str, who: list[str]) -> None:
    driver = mounted(seat, resources={"D": 1, "I": 1})
    driver.answer("try:gate")
    if driver.ask.key == "space_infantry.node.activate":
        driver.answer([])

    assert ids(driver) == ["accept", "I", *who]


@pytest.mark.rule("SPI-068", "SPI-R16")
def test_indoors_the_rhinos_pilot_is_of_no_use_but_nobody_tries_unskilled_for_it() -> None:
    driver = indoors()
    driver.answer("try:lab")

    assert driver.ask.key == "space_infantry.node.means"


@pytest.mark.rule("SPI-068", "SPI-R16")
def test_what_neither_the_team_nor_the_rhinos_crew_can_is_tried_unskilled() -> None:
    driver = mounted("foot")
    op(driver).team["explorer"].wounds = campaign(driver).roster["explorer"].wounds
    driver.answer("try:cliff")

    assert ids(driver) == ["unskilled"]


@pytest.mark.rule("SPI-068", "SPI-R16")
def test_a_destroyed_rhino_is_no_skill_of_the_teams_any_more() -> None:
    driver = mounted("foot")
    rhino = op(driver).rhino
    rhino.wounds = 4
    driver.answer("try:lab")

    assert ids(driver) == ["unskilled"]


@pytest.mark.rule("SPI-123", "SPI-124", "SPI-166")
def test_the_rhinos_own_armor_saves() -> None:
    driver = briefed(changed=motorised(armor=1))
    op(driver).node = "yard"
    op(driver).places["yard"].explored = True
    driver.answer("ride")
    driver.answer("stay")
    roll(driver, "2")
    driver.until("space_infantry.combat.leader")
    driver.answer("fight")
    roll(driver, "2")
    chits(driver)
    roll(driver, "1", "1")
    roll(driver, "4", "4", "1")
    assert driver.ask.key == "space_infantry.rhino.armor"
    roll(driver, "4")

    rhino = op(driver).rhino
    assert rhino.wounds == 1
