"""Overview, components, nodes, units, random numbers, ranges: SPI-001 to SPI-032."""

from __future__ import annotations

import msgspec
import pytest

from companion.engine.asks import Choose, Draw, Roll
from companion.engine.errors import BadAnswer, BadInput
from companion.engine.game import setup as engine_setup
from companion.games.space_infantry import GAME
from companion.games.space_infantry.pack import (
    CHITS,
    CUP_SIZE,
    Card,
    Counter,
    Cup,
    Effect,
    EffectKind,
    Enemy,
    Goal,
    Kind,
    Progress,
    Vehicle,
    Veteran,
    requirement,
)
from companion.games.space_infantry.problems import faults, problems
from companion.games.space_infantry.ranges import event, span
from tests.games.driver import Driver, setup
from tests.games.space_infantry.field import (
    CHITS as MIX,
)
from tests.games.space_infantry.field import (
    DRILL,
    GRUNTS,
    TRAP,
    as_proposed,
    attempt,
    briefed,
    calm,
    campaign,
    drill_with,
    fresh,
    in_combat,
    nodes_with,
    op,
    pack,
    put_on,
    roll,
    through_setup,
)


@pytest.mark.rule("SPI-001")
def test_the_enemy_asks_nobody_anything_but_for_numbers() -> None:
    driver = in_combat("grunt", "grunt")
    decisions = []
    while driver.ask.key != "space_infantry.combat.round":
        if driver.ask.is_chance:
            assert isinstance(driver.ask, Roll)
            driver.answer(["4"] * sum(dice.count for dice in driver.ask.dice))
        else:
            decisions.append(driver.ask.key)
            driver.answer(GAME_ANSWER[driver.ask.key])

    assert not [key for key in decisions if "enem" in key]


GAME_ANSWER: dict[str, object] = {
    "space_infantry.combat.prepare": "go",
    "space_infantry.combat.stimulate": "none",
    "space_infantry.combat.specials": [],
    "space_infantry.combat.allot": "0:2",
    "space_infantry.wounds.accept": "accept",
    "space_infantry.wounds.medikit": "none",
}


@pytest.mark.rule("SPI-002")
def test_a_squad_of_eight_to_ten_fits_the_budget_but_no_number_is_demanded() -> None:
    driver = Driver(fresh())
    driver.until("space_infantry.enemy.sheet")
    driver.answer(["grunts"])
    driver.answer("proposal")
    assert 8 <= len(op(driver).team) <= 11
    driver = Driver(fresh(difficulty="easy"))
    driver.until("space_infantry.enemy.sheet")
    driver.answer(["grunts"])
    cheap = ("scientist", "technician", "zero_g", "engineer", "demolition", "explorer", "shotgun-1")
    for name in (*cheap, "shotgun-2", "shotgun-3", "sniper-1", "sniper-2"):
        driver.answer(name)
    assert len(op(driver).team) == 12
    assert len(op(briefed(("assault-1",))).team) == 2


@pytest.mark.rule("SPI-003")
def test_missions_follow_each_other_and_units_keep_what_they_gained() -> None:
    driver = briefed(missions="2")
    attempt(driver, "exit", "assault-1")
    roll(driver, "6")
    driver.answer("enter")
    driver.until("space_infantry.end.bonus")
    driver.answer("assault-1")
    driver.answer("keep")
    driver.until("space_infantry.mission.choose")
    driver.answer("drill")
    through_setup(driver, ("assault-1",), {})

    assert campaign(driver).roster["assault-1"].ep == 4
    assert [report.success for report in campaign(driver).reports] == [True]
    assert op(driver).team["assault-1"].wounds == 0


@pytest.mark.rule("SPI-R59")
@pytest.mark.parametrize("many", [1, 7, 12])
def test_there_may_be_any_number_of_missions(many: int) -> None:
    missions = {f"mission-{number:03}": DRILL for number in range(1, many + 1)}
    changed = msgspec.structs.replace(pack(), mission=missions)
    assert list(faults(changed)) == []
    driver = Driver(GAME.start(engine_setup(GAME, changed, {}, "")))
    assert driver.ids() == list(missions)
    driver.answer(f"mission-{many:03}")

    assert driver.ask.key == "space_infantry.mission.briefing"


@pytest.mark.rule("SPI-004")
def test_the_shipped_packs_hold_six_missions_five_enemy_sheets_and_a_roster() -> None:
    shipped = setup(GAME).pack
    assert isinstance(shipped, type(pack()))

    assert len(shipped.mission) == 6
    assert len(shipped.enemy) == 5
    assert sum(card.copies for card in shipped.unit.values()) > 10
    assert list(faults(shipped)) == []
    for table in (shipped.mission, shipped.enemy, shipped.unit, shipped.vehicle):
        assert {record.source for record in table.values()} == {"stand-in"}


@pytest.mark.rule("SPI-005", "SPI-008")
def test_a_map_is_a_graph_of_nodes_with_one_start() -> None:
    changed = drill_with(start="nowhere", nodes=nodes_with("lab", links=("x",)))

    assert [(one.path, one.rule) for one in faults(changed)][:3] == [
        ("mission.drill.start", "SPI-008"),
        ("mission.drill.nodes.start.links", "SPI-005"),
        ("mission.drill.nodes.start.needs", "SPI-009"),
    ]
    assert "mission.drill.nodes.lab.links" in [one.path for one in faults(changed)]


@pytest.mark.rule("SPI-006")
@pytest.mark.parametrize(
    ("needs", "events", "told"),
    [
        ("", (), "SPI-009"),
        ("climb", (), "SPI-009"),
        ("magic 2", (), "SPI-009"),
        ("climb 2", ("A",), "SPI-012"),
    ],
)
def test_a_node_has_a_requirement_and_an_event_string(needs: str, events: tuple[str, ...], told: str) -> None:
    changed = drill_with(nodes=nodes_with("cliff", needs=needs, events=events))

    assert [one.rule for one in faults(changed)] == [told]


@pytest.mark.parametrize(
    ("effect", "told"),
    [
        (Effect(EffectKind.OPEN, what="lab"), []),
        (Effect(EffectKind.OPEN, what="nowhere"), ["SPI-079", "SPI-201"]),
        (Effect(EffectKind.OPEN, what="start"), ["SPI-079", "SPI-201"]),
        (Effect(EffectKind.GAIN, 2, "G"), []),
        (Effect(EffectKind.GAIN, 2, "Q"), ["SPI-079", "SPI-201"]),
        (Effect(EffectKind.LOSE, 0, "G"), ["SPI-079", "SPI-201"]),
        (Effect(EffectKind.WOUNDS), ["SPI-079", "SPI-201"]),
        (Effect(EffectKind.TURNS, -2), []),
        (Effect(EffectKind.ENCOUNTER, what="C"), []),
        (Effect(EffectKind.ENCOUNTER, what="E"), ["SPI-079", "SPI-201"]),
    ],
)
def test_what_an_event_or_a_counter_does_can_be_done(effect: Effect, told: list[str]) -> None:
    changed = drill_with(nodes=nodes_with("den", effect=effect), counters={"A": Counter(2, effect)})

    assert sorted(one.rule for one in faults(changed)) == told


def test_class_s_is_an_enemy_of_the_mission_sheet() -> None:
    raid = Effect(EffectKind.ENCOUNTER, what="S")
    nodes = nodes_with("den", events=("4+/E",), effect=raid)
    for force, path in (({}, "nodes.den.effect"), ({"grunt": 1}, "special_force")):
        changed = drill_with(nodes=nodes, special_force=force)

        assert [(one.path, one.rule) for one in faults(changed)] == [(f"mission.drill.{path}", "SPI-089")]


def test_a_node_of_class_s_needs_a_force_on_the_mission_sheet() -> None:
    changed = drill_with(special_force={})

    assert [(one.path, one.rule) for one in faults(changed)] == [
        ("mission.drill.nodes.den.events", "SPI-089")
    ]


def test_an_own_event_of_a_node_needs_an_effect() -> None:
    changed = drill_with(nodes=nodes_with("den", effect=None))

    assert [one.path for one in faults(changed)] == ["mission.drill.nodes.den.effect"]


@pytest.mark.parametrize("part", ["reach", "clear", "end_at"])
def test_the_nodes_of_a_goal_are_on_the_map(part: str) -> None:
    goal = msgspec.structs.replace(DRILL.goal, **{part: "moon" if part == "end_at" else ("moon",)})
    changed = drill_with(goal=goal)

    assert [one.path for one in faults(changed)] == ["mission.drill.goal"]


@pytest.mark.parametrize(("find", "told"), [(("map",), []), (("map", "map"), ["SPI-049"])])
def test_what_is_to_be_found_is_there(find: tuple[str, ...], told: list[str]) -> None:
    goal = msgspec.structs.replace(DRILL.goal, find=find)
    changed = drill_with(goal=goal)

    assert [one.rule for one in faults(changed)] == told


@pytest.mark.parametrize(
    ("vehicle", "told"),
    [
        (Vehicle("Rhino", 1, (3,), (3, 4)), []),
        (Vehicle("Rhino", 4, (0,), (3,)), [("vehicle.rhino", "SPI-017")]),
        (
            Vehicle("Rhino", 0, (3,), (7,)),
            [("vehicle.rhino", "SPI-017"), ("vehicle.rhino.wounds", "SPI-163")],
        ),
    ],
)
def test_a_vehicle_has_skill_levels_and_can_take_damage(vehicle: Vehicle, told: list[object]) -> None:
    changed = msgspec.structs.replace(pack(), vehicle={"rhino": vehicle})

    assert [(one.path, one.rule) for one in faults(changed)] == told


NO_BOX = [("mission.drill.turns", "SPI-052")]


@pytest.mark.parametrize(("turns", "told"), [(0, NO_BOX), (1, []), (30, []), (31, NO_BOX)])
def test_a_mission_begins_on_a_box_of_the_turn_track(turns: int, told: list[object]) -> None:
    changed = drill_with(turns=turns)

    assert [(one.path, one.rule) for one in faults(changed)] == told


@pytest.mark.rule("SPI-007")
def test_special_nodes_are_marked_on_the_map() -> None:
    lines = "\n".join(line for panel in briefed().play.board().panels for line in panel.lines)

    assert "cache G" in lines
    assert ">Start" in lines
    assert "counter ?</text>" in briefed().play.svg()


@pytest.mark.rule("SPI-009")
def test_a_requirement_is_gathered_over_turns() -> None:
    assert requirement("climb 2") == ("climb", 2)
    for text in ("climb ²", "climb 1000", "2"):
        with pytest.raises(ValueError, match="is no requirement"):
            requirement(text)
    driver = briefed()
    attempt(driver, "cliff", "explorer")
    roll(driver, "4")
    driver.answer("accept")
    attempt(driver, "cliff", "explorer")
    assert op(driver).places["cliff"].gathered == 1
    roll(driver, "5")

    assert driver.ask.key == "space_infantry.node.enter"


@pytest.mark.rule("SPI-010", "SPI-011", "SPI-082")
def test_the_event_string_is_checked_while_the_team_stands_there() -> None:
    driver = briefed()
    put_on(driver, "cliff")
    for face in ("2", "3"):
        driver.answer("stay")
        assert driver.ask.key == "space_infantry.event.rn"
        roll(driver, face)
        driver.until("space_infantry.turn.action")
    driver.answer("stay")
    roll(driver, "6")

    assert driver.ask.key == "space_infantry.encounter.rn"


@pytest.mark.rule("SPI-012", "SPI-013")
@pytest.mark.parametrize(
    ("text", "number", "happens"),
    [("6/A", 6, True), ("6/A", 5, False), *(("4+/B", number, number >= 4) for number in (3, 4, 5, 6))],
)
def test_an_enemy_check_is_a_range_and_a_class(text: str, number: int, happens: bool) -> None:
    part = event(text)

    assert part.span.holds(number) is happens
    assert part.force == text[-1]


@pytest.mark.rule("SPI-014", "SPI-032")
@pytest.mark.parametrize("force", ["A", "B"])
def test_auto_needs_no_number(force: str) -> None:
    driver = briefed(changed=drill_with(nodes=nodes_with("hall", events=(f"Auto/{force}",))))
    attempt(driver, "hall", "assault-1", "fire_team-1")
    roll(driver, "6", "4")
    driver.answer("enter")

    assert driver.ask.text == f"Enemy force, class {force}"


@pytest.mark.rule("SPI-015")
def test_classes_bring_more_and_more_enemies() -> None:
    shipped = setup(GAME).pack
    assert isinstance(shipped, type(pack()))
    for sheet in shipped.enemy.values():
        for row in sheet.presence:
            force = [
                sum(sheet.units[kind].wounds * many for kind, many in row[force].items()) for force in "ABC"
            ]
            assert force == sorted(force)


@pytest.mark.rule("SPI-016", "SPI-017", "SPI-018")
@pytest.mark.parametrize(
    ("wounds", "skills", "told"),
    [
        (1, {"fire": (2, 6), "melee": (4,)}, []),
        (1, {"fire": (1,)}, ["SPI-017"]),
        (1, {"fire": (3, 7)}, ["SPI-017"]),
        (0, {"fire": (3,)}, ["SPI-016"]),
        (1, {}, ["SPI-016"]),
    ],
)
def test_cards_have_wounds_and_skills_of_two_to_six(
    wounds: int, skills: dict[str, tuple[int, ...]], told: list[str]
) -> None:
    card = Card("Odd", 10, wounds, Kind.BASIC, skills)
    changed = msgspec.structs.replace(pack(), unit=pack().unit | {"odd": card})

    assert [one.rule for one in faults(changed)] == told


def test_a_second_leader_is_named_with_what_to_do() -> None:
    sergeant = Card("Sergeant", 0, 2, Kind.LEADER, {"command": (3,)})
    (told,) = faults(msgspec.structs.replace(pack(), unit=pack().unit | {"sergeant": sergeant}))

    assert told.message == "the roster has one Team Leader, here leader and sergeant: enter it as unit.leader"


@pytest.mark.rule("SPI-019", "SPI-020")
def test_cards_are_basic_special_or_the_leader() -> None:
    roster = campaign(briefed()).roster

    assert roster["assault-1"].kind is Kind.BASIC
    assert roster["demolition"].kind is Kind.SPECIAL
    assert roster["demolition"].levels["demolitions"] == [3]
    assert roster["leader"].kind is Kind.LEADER
    driver = briefed()
    driver.answer("try:gate")
    assert driver.ids() == ["demolition", "command"]


@pytest.mark.rule("SPI-021", "SPI-022", "SPI-112")
def test_an_enemy_attacks_once_for_each_level() -> None:
    driver = in_combat("tank", "grunt")
    driver.answer(["2"])
    driver.answer("go")
    roll(driver, "1", "1", "1", "1")
    calm(driver, "space_infantry.combat.enemy_chits")

    assert isinstance(driver.ask, Roll)
    assert driver.ask.dice[0].count == 3


@pytest.mark.rule("SPI-017", "SPI-021")
@pytest.mark.parametrize(
    ("enemy", "told"),
    [
        (Enemy("Odd", 1, (2, 6)), []),
        (Enemy("Odd", 0, (3,)), ["SPI-021"]),
        (Enemy("Odd", 1, (7,)), ["SPI-017"]),
        (Enemy("Odd", 1, (), (0,)), ["SPI-017"]),
    ],
)
def test_enemies_have_wounds_and_levels_of_two_to_six(enemy: Enemy, told: list[str]) -> None:
    sheet = msgspec.structs.replace(GRUNTS, units=GRUNTS.units | {"odd": enemy})
    mission = msgspec.structs.replace(DRILL, special=DRILL.special | {"odd": enemy})
    for changed in (
        msgspec.structs.replace(pack(), enemy={"grunts": sheet}),
        msgspec.structs.replace(pack(), mission={"drill": mission}),
    ):
        assert [one.rule for one in faults(changed)] == told


@pytest.mark.rule("SPI-088", "SPI-103")
@pytest.mark.parametrize(
    ("tables", "path"),
    [
        ({"presence": ()}, "presence"),
        ({"presence": (*GRUNTS.presence, {"A": {}, "B": {}})}, "presence"),
        ({"presence": (*GRUNTS.presence, {"A": {"orc": 1}, "B": {}, "C": {}})}, "presence"),
        ({"ranges": ()}, "ranges"),
        ({"ranges": (*GRUNTS.ranges, {"Set": "M", "F": "F"})}, "ranges"),
        ({"ranges": (*GRUNTS.ranges, {"Set": "M", "M": "m", "F": "F"})}, "ranges"),
    ],
)
def test_pack_check_sees_a_table_of_the_enemy_sheet_that_is_not_whole(
    tables: dict[str, object], path: str
) -> None:
    sheet = msgspec.structs.replace(GRUNTS, **tables)
    changed = msgspec.structs.replace(pack(), enemy={"grunts": sheet})

    assert [one.path for one in faults(changed)] == [f"enemy.grunts.{path}"]


@pytest.mark.rule("SPI-040")
@pytest.mark.parametrize("copies", [0, 2])
def test_pack_check_sees_more_or_less_than_one_leader(copies: int) -> None:
    leader = msgspec.structs.replace(pack().unit["leader"], copies=copies)
    changed = msgspec.structs.replace(pack(), unit=pack().unit | {"leader": leader})

    assert [one.path for one in faults(changed)] == ["unit.leader.copies"]
    started = engine_setup(GAME, changed, {})
    with pytest.raises(BadInput, match=r"unit\.leader\.copies"):
        GAME.start(started)
    assert GAME.start(msgspec.structs.replace(started, begun=True)), "it was begun before"


def test_pack_check_sees_a_skill_a_cache_and_a_campaign_that_there_are_not() -> None:
    card = msgspec.structs.replace(pack().unit["leader"], skills={"fire": (3,), "juggle": (4,)})
    changed = drill_with(nodes=nodes_with("lab", cache="Q"))
    changed = msgspec.structs.replace(
        changed, unit=changed.unit | {"leader": card}, campaign={"ours": Progress("normal")}
    )

    assert [(one.path, one.message) for one in faults(changed)] == [
        ("unit.leader.skills.juggle", "no such skill"),
        ("mission.drill.nodes.lab.cache", "Q is no resource"),
    ]
    assert "campaign.ours" in [one.path for one in problems(changed)]


def test_pack_check_sees_a_veteran_who_can_not_be() -> None:
    veteran = Veteran("assault", {"melee": (0,)}, ep=-1)
    changed = msgspec.structs.replace(pack(), veteran={"assault-1": veteran})

    assert [one.path for one in faults(changed)] == ["veteran.assault-1.levels", "veteran.assault-1.ep"]


def test_pack_check_names_a_node_without_a_way_and_a_special_enemy_with_a_name_of_the_sheet() -> None:
    nodes = DRILL.nodes | {"island": msgspec.structs.replace(DRILL.nodes["exit"], links=())}
    changed = drill_with(nodes=nodes, special=DRILL.special | {"grunt": DRILL.special["boss"]})
    found = {one.path: one.message for one in problems(changed)}

    assert found["mission.drill.nodes.island"] == "no way leads here from start"
    assert found["mission.drill.special.grunt"].startswith("grunt of Grunts would be fought as this one")
    assert not list(faults(changed))


def test_pack_check_names_words_that_nothing_goes_by() -> None:
    def told(**tables: object) -> dict[str, str]:
        changed = msgspec.structs.replace(pack(), **tables)
        assert not list(faults(changed))
        return {one.path: one.message for one in problems(changed)}

    heavy = msgspec.structs.replace(pack().unit["heavy"], piercing=("fire", "meele"))
    sniper = msgspec.structs.replace(pack().unit["sniper"], piercing=("melee",))
    found = told(unit=pack().unit | {"heavy": heavy, "sniper": sniper})
    assert found["unit.heavy.piercing"] == "meele means nothing here, only: melee, fire"
    assert found["unit.sniper.piercing"] == "melee means nothing here, only: fire"

    twice = msgspec.structs.replace(pack().unit["sniper"], skills={"demolition": (3,), "Demolitions": (4,)})
    found = told(unit=pack().unit | {"sniper": twice})
    assert found["unit.sniper.skills"] == "demolitions is there 2 times, and only the last of them counts"

    row = GRUNTS.presence[0] | {"D": {"grunt": 1}}
    grunts = msgspec.structs.replace(GRUNTS, ambush=("b", "S"), presence=(row, *GRUNTS.presence[1:]))
    found = told(enemy={"grunts": grunts})
    assert found["enemy.grunts.ambush"] == "b means nothing here, only: A, B, C, S"
    assert found["enemy.grunts.presence"] == "D means nothing here, only: A, B, C"

    rhino = pack().vehicle["rhino"]
    assert told(vehicle={"rhino": rhino, "Rino": rhino})["vehicle.Rino"].startswith("Rino means nothing here")


def test_pack_check_names_links_to_itself_or_again_and_a_soldier_called_like_an_answer() -> None:
    drill = drill_with(nodes=nodes_with("lab", links=("start", "lab", "start")))
    changed = msgspec.structs.replace(drill, unit=pack().unit | {"rhino": pack().unit["explorer"]})

    assert not list(faults(changed))
    assert [(one.path, one.message) for one in problems(changed)] == [
        ("mission.drill.nodes.lab.links", "start is linked 2 times"),
        ("mission.drill.nodes.lab.links", "leads to itself"),
        ("unit.rhino", "the game itself calls something so: give it another name"),
    ]


def test_pack_check_names_what_of_a_mission_never_comes_to_pass() -> None:
    def told(name: str, **changes: object) -> list[tuple[str, str]]:
        changed = drill_with(nodes=nodes_with(name, **changes))
        assert not list(faults(changed))
        return [(one.path, one.message) for one in problems(changed)]

    lab = "mission.drill.nodes.lab"
    assert told("lab", events=("5-2/A", "1-1/A")) == [(f"{lab}.events", "5-2/A happens on no number")]
    assert told("lab", events=("6/A",), effect=Effect(EffectKind.NOTHING)) == [
        (f"{lab}.effect", "no (E) event of the node calls for it")
    ]
    begins = "no special counter is flipped where the team begins"
    assert ("mission.drill.nodes.start.counter", begins) in told("start", counter=True)


@pytest.mark.rule("SPI-049")
def test_nothing_is_found_by_an_event_that_never_comes_or_a_counter_that_is_not_placed() -> None:
    nodes = {name: msgspec.structs.replace(node, counter=False) for name, node in DRILL.nodes.items()}
    goal = msgspec.structs.replace(DRILL.goal, find=("key",))
    found = Effect(EffectKind.FOUND, what="key")

    def told(counters: dict[str, Counter], **changes: object) -> list[str]:
        lab = msgspec.structs.replace(nodes["lab"], **changes)
        changed = drill_with(nodes=nodes | {"lab": lab}, goal=goal, counters=counters)
        return [one.message for one in faults(changed)]

    missing = ["1 key to find, 0 there"]
    assert told({}, effect=found, events=("6/A",)) == missing
    assert told({}, effect=found, events=("6 / E",)) == []
    assert told({"A": Counter(1, found)}) == missing
    assert told({"A": Counter(1, found)}, counter=True) == []
    nodes["start"] = msgspec.structs.replace(nodes["start"], counter=True)
    assert told({"A": Counter(1, found)}) == missing, "none is flipped where the team begins"
    nodes["start"] = DRILL.nodes["start"]
    assert told({"A": Counter(1, Effect(EffectKind.NOTHING, what="key"))}, counter=True) == missing
    goal = msgspec.structs.replace(goal, find=("key", "key"))
    assert told({}, effect=found, events=("6/E",)) == ["2 key to find, 1 there"]
    goal = msgspec.structs.replace(goal, find=("key",))
    nodes["start"] = msgspec.structs.replace(nodes["start"], counter=True)
    assert told({"A": Counter(1, found)}) == missing, "none is flipped where the team begins"


@pytest.mark.rule("SPI-199")
def test_pack_check_names_special_counters_that_no_node_is_marked_for() -> None:
    def told(counters: dict[str, Counter]) -> list[str]:
        changed = drill_with(nodes=nodes_with("mark", counter=False), counters=counters)
        return [one.path for one in problems(changed) if one.rule == "SPI-199"]

    assert told(DRILL.counters) == ["mission.drill.counters"]
    assert told({}) == []


@pytest.mark.rule("SPI-199")
def test_pack_check_sees_fewer_special_counters_than_question_marks() -> None:
    changed = drill_with(nodes=nodes_with("lab", counter=True), counters={})
    assert ("mission.drill.counters", "SPI-199") in [(one.path, one.rule) for one in faults(changed)]


def test_pack_check_names_a_start_that_there_is_not() -> None:
    told = [(one.path, one.message) for one in problems(drill_with(start="gatehouse"))]
    assert ("mission.drill.start", "no node gatehouse") in told


def test_pack_check_reads_what_a_node_with_a_question_mark_asks_for_where_it_asks_for_something() -> None:
    assert not list(faults(drill_with(nodes=nodes_with("mark", needs=""))))
    (told,) = faults(drill_with(nodes=nodes_with("mark", needs="climbing 2")))
    assert (told.path, told.message) == ("mission.drill.nodes.mark.needs", "no skill climbing")


def test_pack_check_wants_no_rhino_where_no_mission_has_one_and_an_enemy_sheet() -> None:
    changed = msgspec.structs.replace(pack(), vehicle={}, enemy={})
    assert [one.path for one in faults(changed)] == ["enemy"]


@pytest.mark.parametrize("goal", [Goal(reach=("lab",)), Goal(clear=("lab",)), Goal(find=("A",))])
def test_a_goal_of_any_kind_is_a_named_one(goal: Goal) -> None:
    assert (goal.named, Goal(end_at="start").named) == (True, False)


def test_pack_check_names_two_soldiers_of_a_name_and_what_the_game_never_looks_up() -> None:
    explorer, hard = pack().unit["explorer"], pack().difficulty["hard"]
    changed = msgspec.structs.replace(
        pack(),
        unit=pack().unit | {"ranger": msgspec.structs.replace(explorer, copies=2), "ranger-2": explorer},
        skill=pack().skill | {"Zero G": pack().skill["climb"]},
        difficulty=pack().difficulty | {"insane": hard},
    )

    assert not list(faults(changed))
    assert [(one.path, one.message) for one in problems(changed)] == [
        ("difficulty.insane", "insane means nothing here, only: easy, normal, hard, nightmare"),
        ("skill.Zero G", "nothing finds it so: write it zero_g"),
        ("unit.ranger-2", "2 soldiers have that name: give it another"),
    ]


@pytest.mark.rule("SPI-009")
def test_pack_check_names_a_node_that_asks_for_no_success_level() -> None:
    changed = drill_with(nodes=nodes_with("cliff", needs="climb 0"))

    assert not list(faults(changed)), "it can be played"
    assert [(one.path, one.message) for one in problems(changed)] == [
        (
            "mission.drill.nodes.cliff.needs",
            "climb 0 asks for no Success Level: whoever comes can enter at once",
        ),
    ]


def test_pack_check_names_a_card_of_which_there_is_none() -> None:
    heavy = msgspec.structs.replace(pack().unit["heavy"], copies=0)
    changed = msgspec.structs.replace(pack(), unit=pack().unit | {"heavy": heavy})

    assert not list(faults(changed)), "it can be played"
    assert [(one.path, one.message) for one in problems(changed)] == [
        ("unit.heavy.copies", "with no such card nobody can buy it"),
    ]


def test_pack_check_names_a_second_cup_which_nobody_draws_from() -> None:
    cup = Cup({"0": 11, "+": 9})
    changed = msgspec.structs.replace(pack(), cup={"mine": cup, "owner": cup})

    assert [(one.path, one.message) for one in problems(changed)] == [
        ("cup.owner", "not this one is drawn from, but cup.mine"),
    ]


def test_pack_check_names_numbers_below_none_but_for_those_that_shift_something() -> None:
    level = msgspec.structs.replace(pack().difficulty["normal"], resources=-1, presence=-1)
    rows = ({"A": {"grunt": -1}, "B": {}, "C": {}},)
    grunts = msgspec.structs.replace(GRUNTS, presence=rows, lowest=-1, range_shift=-1)
    changed = msgspec.structs.replace(
        pack(),
        unit=pack().unit | {"heavy": msgspec.structs.replace(pack().unit["heavy"], cost=-5)},
        enemy={"grunts": grunts},
        difficulty=pack().difficulty | {"normal": level},
    )

    assert [(one.path, one.message) for one in faults(changed)] == [
        ("unit.heavy.cost", "-5 is less than none"),
        ("enemy.grunts.presence.0.A.grunt", "-1 is less than none"),
        ("difficulty.normal.resources", "-1 is less than none"),
    ]


def test_pack_check_names_wounds_and_turns_below_none_once() -> None:
    boss = msgspec.structs.replace(DRILL.special["boss"], wounds=-1)
    changed = msgspec.structs.replace(
        pack(),
        unit=pack().unit | {"heavy": msgspec.structs.replace(pack().unit["heavy"], wounds=-1)},
        mission={"drill": msgspec.structs.replace(DRILL, turns=-1, special={"boss": boss})},
        vehicle={"rhino": msgspec.structs.replace(pack().vehicle["rhino"], wounds=-1)},
    )

    assert [one.path for one in problems(changed)] == [
        "unit.heavy.wounds",
        "mission.drill.turns",
        "mission.drill.special.boss.wounds",
        "vehicle.rhino.wounds",
    ]


@pytest.mark.rule("SPI-123")
def test_armor_icons_are_counted_from_none() -> None:
    tank = msgspec.structs.replace(GRUNTS.units["tank"], armor=-1)
    heavy = msgspec.structs.replace(pack().unit["heavy"], armor=-1)
    changed = msgspec.structs.replace(
        pack(),
        unit=pack().unit | {"heavy": heavy},
        enemy={"grunts": msgspec.structs.replace(GRUNTS, units=GRUNTS.units | {"tank": tank})},
        vehicle={"rhino": msgspec.structs.replace(pack().vehicle["rhino"], armor=-1)},
    )

    paths = ["unit.heavy.armor", "enemy.grunts.units.tank.armor", "vehicle.rhino.armor"]
    assert [one.path for one in faults(changed)] == paths


@pytest.mark.parametrize(
    ("who", "veteran", "path"),
    [
        ("assault-1", Veteran("assault", {"melee": (2,)}), None),
        ("assault-9", Veteran("assault", {"melee": (2,)}), "veteran.assault-9"),
        ("assault-1", Veteran("shotgun", {"melee": (2,)}), "veteran.assault-1.card"),
        ("assault-1", Veteran("assault", {"meele": (2,)}), "veteran.assault-1.levels"),
        ("assault-1", Veteran("assault", {"climb": (2,)}), "veteran.assault-1.levels"),
    ],
)
def test_pack_check_names_a_veteran_who_takes_no_part(who: str, veteran: Veteran, path: str | None) -> None:
    found = [one.path for one in problems(msgspec.structs.replace(pack(), veteran={who: veteran}))]

    assert [one for one in found if one.startswith("veteran")] == [path][: path is not None]


@pytest.mark.rule("SPI-024")
@pytest.mark.parametrize(("foe", "suffered", "left"), [("ogre", "2 wounds", 1), ("troll", "1 wound", 0)])
def test_enemies_may_have_attributes_of_their_sheet(foe: str, suffered: str, left: int) -> None:
    driver = in_combat(foe, resources={"M": 1})
    driver.answer(["2"])
    roll(driver, "3", "3", "1", "1")
    roll(driver, "3")
    assert driver.ask.text.startswith(f"{suffered} ")
    as_proposed(driver)
    driver.answer("none")
    assert driver.ask.key == "space_infantry.combat.round"
    driver.answer()
    foes = op(driver).fight
    assert foes.foes[0].wounds == left


@pytest.mark.rule("SPI-025", "SPI-R01")
def test_a_cup_has_twenty_chits_and_nobody_invents_its_mix() -> None:
    changed = msgspec.structs.replace(pack(), cup={"few": Cup({"0": 3, "+": 1})})
    assert [one.rule for one in faults(changed)] == ["SPI-025"]
    changed = msgspec.structs.replace(pack(), cup={"less than none": Cup({"0": 25, "+": -5})})
    assert [one.rule for one in faults(changed)] == ["SPI-025"]
    changed = msgspec.structs.replace(pack(), cup={"of another set": Cup({"0": 19, "7": 1})})
    assert [one.rule for one in faults(changed)] == ["SPI-025"]
    for many, told in ((19, ["SPI-025"]), (20, []), (21, ["SPI-025"])):
        changed = msgspec.structs.replace(pack(), cup={"one": Cup({"0": many - 2, "+": 2})})
        assert [one.rule for one in faults(changed)] == told
    assert set(CHITS) == {*"0123456", "+"}
    for plus, told in ((9, []), (10, ["SPI-R02"]), (20, ["SPI-R02"])):
        changed = msgspec.structs.replace(pack(), cup={"one": Cup({"0": CUP_SIZE - plus, "+": plus})})
        assert [one.rule for one in faults(changed)] == told

    without = msgspec.structs.replace(pack(), cup={})
    assert [one.rule for one in problems(without)] == ["SPI-G01"]
    with pytest.raises(BadInput, match="SPI-G01"):
        fresh(without, numbers="cup")


def typed(driver: Driver, *chits: str) -> None:
    for chit in chits:
        assert isinstance(driver.ask, Choose)
        driver.answer(chit)


@pytest.mark.rule("SPI-026", "SPI-027", "SPI-R02")
@pytest.mark.parametrize("numbers", ["typed", "cup"])
@pytest.mark.parametrize(("chits", "number"), [("4", 4), ("+56", 11), ("+01", 1), ("++123", 6)])
def test_a_plus_stands_for_two_more_chits(chits: str, number: int, numbers: str) -> None:
    driver = briefed(numbers=numbers)
    attempt(driver, "gate", "demolition")
    if numbers == "typed":
        typed(driver, *chits)
    while isinstance(driver.ask, Draw):
        drawn, chits = chits[: driver.ask.count], chits[driver.ask.count :]
        driver.answer(list(drawn))
    if driver.ask.key == "space_infantry.node.means":
        driver.answer("accept")
    driver.until("space_infantry.turn.action", "space_infantry.node.enter")

    assert op(driver).places["gate"].gathered == min(number // 3, 4)


def test_which_chit_is_typed_next_is_said() -> None:
    driver = briefed(numbers="typed")
    attempt(driver, "hall", "assault-1", "fire_team-1")
    told = []
    for chit in "3+12":
        told.append((driver.ask.text, driver.ask.detail))
        typed(driver, chit)

    two = "2 chits for the team: "
    assert told == [
        (f"{two}1 of 2", "Assault 1"),
        (f"{two}2 of 2", "Fire Team 1"),
        (f"{two}2 of 2, 2 more for +", "Fire Team 1"),
        (f"{two}2 of 2, 1 more for +", "Fire Team 1"),
    ]


def test_how_many_chits_are_drawn_for_a_plus_and_for_whom_is_said() -> None:
    driver = briefed(numbers="cup")
    attempt(driver, "hall", "assault-1", "fire_team-1")
    driver.answer(["2", "+"])

    assert isinstance(driver.ask, Draw)
    assert (driver.ask.count, driver.ask.text) == (2, "2 chits for the team: 2 more")
    assert driver.ask.detail.startswith("Fire Team 1, Fire Team 1; ")


def test_a_title_with_a_comma_is_told_whole() -> None:
    driver = briefed(numbers="cup")
    campaign(driver).roster["assault-1"].title = "Assault, elite"
    attempt(driver, "hall", "assault-1", "fire_team-1")
    driver.answer(["+", "2"])
    assert driver.ask.detail.startswith("Assault, elite, Assault, elite; ")
    driver = briefed(numbers="dice", dice_at_once="1")
    campaign(driver).roster["assault-1"].title = "Assault, elite"
    attempt(driver, "hall", "assault-1", "fire_team-1")
    assert driver.ask.detail == "Assault, elite"
    roll(driver, "2")

    assert driver.ask.detail == "Fire Team 1"


def met(driver: Driver) -> None:
    """Meet an enemy, by chits."""
    put_on(driver, "hall")
    driver.answer("stay")
    driver.answer(["1"])
    driver.until("space_infantry.combat.leader")


def hit(driver: Driver, first: str, second: str) -> None:
    """Fight with chits until those two are to draw for armor."""
    met(driver)
    driver.answer("command")
    driver.answer(["0"])
    driver.answer(["2"])
    driver.answer(["1"] * len({"assault-1", first, second}))
    driver.answer(["4", "4"])
    driver.answer("hand")
    driver.answer(first)
    driver.answer(second)


@pytest.mark.rule("SPI-R03")
def test_whose_armor_a_single_chit_of_the_cup_is_drawn_for_is_said() -> None:
    told = []
    driver = briefed(("heavy-1", "heavy-2", "assault-1"), resources={}, numbers="cup")
    hit(driver, "heavy-1", "heavy-2")
    for _ in range(2):
        assert driver.ask.key == "space_infantry.wounds.armor"
        told.append(driver.ask.detail)
        driver.answer(["2"])

    assert told == [f"Heavy {number}; each goes back before the next" for number in (1, 2)]


@pytest.mark.rule("SPI-R03")
def test_which_of_several_single_chits_of_the_cup_is_drawn_is_said() -> None:
    told = []
    driver = briefed(("heavy-1", "assault-1"), resources={}, numbers="cup")
    campaign(driver).roster["heavy-1"].armor = 2
    hit(driver, "heavy-1", "heavy-1")
    for chit in (["2"], ["+"], ["1", "0"]):
        assert isinstance(driver.ask, Draw)
        told.append((driver.ask.text, driver.ask.count))
        driver.answer(chit)

    text = "Armor of the team: 2 chits, 4+ saves"
    assert told == [(f"{text}: 1 of 2", 1), (f"{text}: 2 of 2", 1), (f"{text}: 2 of 2: 2 more", 2)]


@pytest.mark.rule("SPI-R02", "SPI-R03")
def test_what_to_do_about_an_empty_cup_is_told_where_a_typed_one_may_be() -> None:
    team = ("assault-1", "assault-2", "fire_team-1", "shotgun-1", "shotgun-2")
    driver = briefed(team, resources={}, numbers="typed")
    put_on(driver, "hall")
    driver.answer("stay")
    typed(driver, "6")
    driver.until("space_infantry.combat.leader")
    driver.answer("fight")
    typed(driver, "2")
    told = {}
    for drawn, chit in enumerate("+11" * 13):
        back, _, what = driver.ask.detail.partition(": ")
        if back == "if the cup is empty":
            told[drawn] = what.partition("; ")[0]
        typed(driver, chit)
    # Of twenty chits seven were a +, and no more than those are in the cup again.
    assert told == {
        20: "first put back the chits that lie on no unit, if there are none all of them",
        27: "first put back all chits",
    }

    calm(driver, "space_infantry.combat.round")
    assert campaign(driver).lying == {}


@pytest.mark.rule("SPI-R02")
def test_a_plus_may_be_the_last_chit_of_a_typed_cup() -> None:
    driver = briefed(resources={}, numbers="typed")
    put_on(driver, "den")
    campaign(driver).lying["5"] = 19
    driver.answer("stay")
    told = []
    for chit in "++111":  # alone in the cup again, it comes again
        told.append(driver.ask.detail.startswith("if the cup is empty: "))
        typed(driver, chit)

    assert told == [False, True, True, False, False]


@pytest.mark.rule("SPI-R03")
def test_chits_on_units_stay_out_of_the_cup_until_the_round_is_over() -> None:
    driver = briefed(numbers="cup", resources={})
    met(driver)
    driver.answer("fight")
    driver.answer(["2"])
    assert campaign(driver).cup == MIX
    driver.answer(["1", "1", "1", "2"])
    assert campaign(driver).lying == {"1": 3, "2": 1}
    assert isinstance(driver.ask, Draw)
    assert "1" not in [option.id for option in driver.ask.options]
    assert [chit.ap for chit in op(driver).chits] == [1, 1, 1, 2]
    driver.answer(["0", "0"])
    driver.until("space_infantry.combat.leader")

    assert campaign(driver).cup == MIX
    assert op(driver).chits == []


@pytest.mark.rule("SPI-R02", "SPI-R03")
def test_that_a_plus_goes_back_into_the_cup_before_the_chits_on_units_do_is_told() -> None:
    driver = briefed(("assault-1",), numbers="cup", resources={})
    met(driver)
    driver.answer("fight")
    driver.answer(["2"])
    driver.answer(["1", "+"])
    assert driver.ask.detail == "Assault 1, Assault 1; afterwards each + goes back into the cup"
    driver.answer(["1", "2"])

    assert driver.ask.key == "space_infantry.combat.enemy_chits"
    assert campaign(driver).lying == {"1": 2, "2": 1}
    assert campaign(driver).cup["+"] == MIX["+"]


@pytest.mark.rule("SPI-R03")
@pytest.mark.parametrize(("numbers", "told"), [("typed", True), ("cup", True), ("dice", False)])
def test_when_chits_go_back_from_units_into_the_cup_is_told(numbers: str, told: bool) -> None:
    def draw(*chits: str) -> None:
        for chit in [*chits] if numbers == "typed" else [[*chits]]:
            driver.answer(chit)

    driver = briefed((), numbers=numbers, resources={})
    put_on(driver, "cliff")
    campaign(driver).roster["leader"].levels["advance"] = [3]
    attempt(driver, "top", "leader")
    assert driver.ask.detail == "Leader"
    draw("6")
    driver.answer("enter")
    assert driver.ask.key == "space_infantry.event.rn"
    assert driver.ask.detail.startswith("Chits back into the cup; ") is told
    assert driver.ask.detail.endswith("2 SL, 2/2 on Top; Team A counter to Top")
    draw("2")
    assert driver.ask.text.startswith("Chits back into the cup") is told

    put_on(driver, "hall")
    driver.answer("stay")
    assert (driver.ask.detail == "with no chit left on a unit") is told
    draw("2")
    driver.until("space_infantry.combat.leader")
    driver.answer("fight")
    assert driver.ask.detail == ""
    draw("2")
    assert driver.ask.key == "space_infantry.combat.chits"
    draw("2")
    draw("3", "3", "3")
    assert driver.ask.key == "space_infantry.combat.round"
    assert (driver.ask.detail == "Chits back into the cup") is told


@pytest.mark.rule("SPI-R03")
@pytest.mark.parametrize(("numbers", "told"), [("typed", True), ("cup", True), ("dice", False)])
def test_that_chits_go_back_is_told_before_the_armor_that_an_event_of_the_mission_calls_for(
    numbers: str, told: bool
) -> None:
    trap = msgspec.structs.replace(TRAP, amount=2)
    changed = drill_with(nodes=nodes_with("den", events=("Auto/E",), effect=trap))
    driver = briefed(("heavy-1", "heavy-2", "assault-1"), numbers=numbers, resources={}, changed=changed)
    attempt(driver, "den", "assault-1")
    driver.answer("3" if numbers == "typed" else ["3"])
    driver.answer("enter")
    driver.answer("hand")
    driver.answer("heavy-1")
    driver.answer("heavy-2")

    assert driver.ask.key == "space_infantry.wounds.armor"
    whose = "Heavy 1, Heavy 2" if numbers == "dice" else "Heavy 1"
    first = "with no chit left on a unit; each goes back before the next"
    assert driver.ask.detail == (f"{whose}; {first}" if told else whose)


@pytest.mark.rule("SPI-R02")
def test_of_an_empty_cup_the_chits_that_lie_on_no_unit_go_back_first_which_is_told() -> None:
    driver = briefed(numbers="cup", resources={})
    campaign(driver).cup.update(dict.fromkeys(MIX, 0) | {"+": 1, "3": 1})
    campaign(driver).lying.update({"5": 18})
    attempt(driver, "hall", "assault-1")
    for chit, left, first, then in (
        ("+", "3", "", "; afterwards each + goes back into the cup"),
        ("3", "+", "first put back the chits that lie on no unit; ", ""),
        ("+", "35+", "first put back all chits; ", ""),
    ):
        driver.answer([chit])
        assert isinstance(driver.ask, Draw)
        assert [option.id for option in driver.ask.options] == [*left]
        whose = ", ".join(["Assault 1"] * driver.ask.count)
        assert driver.ask.detail == f"{first}{whose}{then}"
    assert driver.ask.count == 2
    driver.answer(["3", "5"])
    driver.until("space_infantry.node.enter")

    assert op(driver).places["hall"].gathered == (3 + 3 + 5) // 3


@pytest.mark.rule("SPI-R02")
def test_if_all_chits_lie_on_units_they_go_back_into_the_empty_cup() -> None:
    driver = briefed(numbers="cup", resources={})
    campaign(driver).cup.update(dict.fromkeys(MIX, 0))
    campaign(driver).lying.update(MIX)
    attempt(driver, "hall", "assault-1")

    assert isinstance(driver.ask, Draw)
    assert driver.ask.detail == "first put back all chits; Assault 1"
    assert {option.id: option.copies for option in driver.ask.options} == MIX


@pytest.mark.rule("SPI-R03")
def test_a_check_gives_its_chits_back_before_the_event_is_drawn_for() -> None:
    driver = briefed(numbers="cup")
    put_on(driver, "cliff")
    attempt(driver, "top", "assault-1", "fire_team-1")
    driver.answer(["6", "6"])
    driver.answer("enter")

    assert driver.ask.key == "space_infantry.event.rn"
    assert campaign(driver).cup == MIX


def test_a_cup_set_by_hand_under_an_open_draw_is_the_one_that_is_drawn_from() -> None:
    driver = briefed(numbers="cup", resources={})
    campaign(driver).cup["6"] = 0
    attempt(driver, "hall", "assault-1", "fire_team-1")
    assert isinstance(driver.ask, Draw)
    with pytest.raises(BadAnswer, match="'6' can't be in the deck now"):
        driver.ask.accept(["6", "1"])
    campaign(driver).cup["6"] = 1
    driver.restate()
    driver.answer(["6", "1"])

    assert op(driver).places["hall"].gathered == 2
    assert campaign(driver).cup == MIX | {"6": 1}


def test_a_typed_cup_and_a_kept_one_tell_zero_from_one_without_a_second_draw() -> None:
    driver = briefed(numbers="cup")
    put_on(driver, "cliff")
    driver.answer("move:start")
    driver.answer(["0"])

    assert driver.ask.key == "space_infantry.encounter.rn"


@pytest.mark.rule("SPI-028", "SPI-029", "SPI-030", "SPI-031", "SPI-032", "SPI-R05", "SPI-R06")
@pytest.mark.parametrize(
    ("text", "inside", "outside"),
    [
        ("6", (6,), (5, 7)),
        ("2+", (2, 6, 11), (1,)),
        ("1-", (0, 1), (2,)),
        ("1-2", (1, 2), (0, 3)),
        ("Auto", (0, 99), ()),
        (" 4 + ", (4,), (3,)),
    ],
)
def test_ranges(text: str, inside: tuple[int, ...], outside: tuple[int, ...]) -> None:
    assert all(span(text).holds(number) for number in inside)
    assert not any(span(text).holds(number) for number in outside)


@pytest.mark.parametrize("text", ["", "x", "4++", "-3", "4/A/B", "4+/D"])
def test_what_is_no_range_or_event_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="write"):
        event(text if "/" in text else f"{text}/A")
