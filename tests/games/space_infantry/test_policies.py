"""What the policies `steady` and `rash` answer, a situation at a time."""

from __future__ import annotations

import msgspec
import pytest

from companion.engine.asks import Pick, Show
from companion.games.space_infantry import policies
from companion.games.space_infantry.pack import Goal
from companion.games.space_infantry.state import Foe
from companion.games.space_infantry.table import Table
from tests.games.driver import Driver
from tests.games.space_infantry.field import (
    attack,
    briefed,
    calm,
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
)


def table_of(driver: Driver) -> Table:
    return driver.play.table  # type: ignore[attr-defined, no-any-return]


def says(driver: Driver, policy: str = "steady") -> object:
    return driver.play.advise(driver.ask, policy)


@pytest.mark.parametrize(
    ("goal", "answer"),
    [
        (Goal(reach=("exit",)), "try:exit"),
        (Goal(reach=("top",)), "try:cliff"),
        (Goal(clear=("den",)), "try:den"),
        (Goal(find=("map",)), "try:mark"),
        (Goal(reach=("start",), end_at="lab"), "try:lab"),
    ],
)
def test_the_way_leads_to_what_the_goal_asks_for(goal: Goal, answer: str) -> None:
    assert says(briefed(changed=drill_with(goal=goal))) == answer


def test_it_waits_where_an_event_is_to_come_and_goes_to_the_end_once_all_is_done() -> None:
    driver = briefed(changed=drill_with(goal=Goal(clear=("den",), find=("map",), end_at="start")))
    put_on(driver, "den")
    op(driver).found.append("map")
    op(driver).places["den"].spent = [0]
    driver.restate()
    assert says(driver) == "stay"

    op(driver).places["den"].spent = [0, 1]
    driver.restate()
    assert says(driver) == "move:start"


def test_what_was_found_is_looked_for_no_more() -> None:
    driver = briefed(changed=drill_with(goal=Goal(find=("map",), reach=("lab",))))
    op(driver).found.append("map")
    op(driver).places["lab"].gathered = 1
    op(driver).places["mark"].gathered = 3
    driver.restate()

    assert says(driver) == "try:lab"


def test_the_turns_to_a_node_go_by_who_is_there_for_it() -> None:
    table = table_of(briefed(changed=drill_with(rhino=True), team=("assault-1",)))
    hall = table.op.places["hall"]

    def turns() -> float:
        return policies.turns_for(table, "start", "hall")

    assert turns() == pytest.approx(3 / (3.5 / 3))
    hall.gathered = 2
    assert turns() == 1
    hall.gathered = 0
    table.op.team["assault-1"].wounds = 2
    assert turns() == 18
    hall.explored = True
    assert turns() == 1


def test_a_way_by_vehicle_begins_outside_and_needs_the_vehicle() -> None:
    nodes = nodes_with("yard", needs="pilot 2")
    table = table_of(briefed(changed=drill_with(rhino=True, nodes=nodes), team=("assault-1",)))

    assert policies.turns_for(table, "start", "yard") < 12
    assert policies.turns_for(table, "hall", "yard") == 1000
    assert table.op.rhino is not None
    table.op.rhino.wounds = table.vehicle.wounds
    assert policies.turns_for(table, "hall", "yard") == 12


@pytest.mark.parametrize(("foes", "steady"), [(2, "none"), (3, "assault-1")])
def test_a_stymo_pack_is_for_a_crowd(foes: int, steady: str) -> None:
    driver = in_combat(*["grunt"] * foes, team=("assault-1",), resources={"S": 1})
    roll(driver, "2")
    calm(driver, "space_infantry.combat.chits")
    roll(driver, "4", "4")
    assert driver.ask.key == "space_infantry.combat.stimulate"

    fight(driver).foes = [Foe("grunt")] * foes
    assert says(driver) == (steady if steady == "none" else ids(driver)[1])
    assert says(driver, "rash") == "none"


@pytest.mark.parametrize(
    ("foes", "resources", "answer"),
    [
        (3, {"I": 2, "G": 1}, "I"),
        (3, {"I": 1, "G": 1}, "G"),
        (3, {"I": 1}, "go"),
        (2, {"I": 2, "G": 1}, "go"),
    ],
    ids=["ambush", "keeps one", "no grenade", "few"],
)
def test_a_crowd_is_ambushed_or_bombed(foes: int, resources: dict[str, int], answer: str) -> None:
    driver = in_combat(*["grunt"] * foes, resources=resources)
    roll(driver, "2")
    driver.until("space_infantry.combat.prepare")

    assert says(driver) == answer
    assert says(driver, "rash") == "go"


@pytest.mark.parametrize(("foe", "answer"), [("troll", "shift"), ("gunner", "keep")])
def test_command_points_lead_to_the_range_that_suits_the_team(foe: str, answer: str) -> None:
    """A troll does not shoot and a gunner does nothing else."""
    driver = in_combat(foe, orders="command")
    roll(driver, "4")
    driver.until("space_infantry.combat.range")
    roll(driver, "2")
    driver.until("space_infantry.combat.shift")

    assert says(driver) == answer


@pytest.mark.parametrize(
    ("skills", "answer"), [({"command": (3,)}, "command"), ({"command": (3,), "fire": (4,)}, "fight")]
)
def test_a_leader_who_cannot_fight_commands(skills: dict[str, tuple[int, ...]], answer: str) -> None:
    """He did nothing at all."""
    leader = msgspec.structs.replace(pack().unit["leader"], skills=skills)
    changed = msgspec.structs.replace(pack(), unit=pack().unit | {"leader": leader})
    driver = briefed(changed=changed)
    put_on(driver, "hall")
    driver.answer("stay")
    driver.until("space_infantry.encounter.rn")
    roll(driver, "2")
    driver.until("space_infantry.combat.leader")

    assert says(driver) == answer


def test_a_short_requirement_is_met_by_a_charge_or_by_intelligence() -> None:
    driver = briefed()
    driver.until("space_infantry.turn.action")
    driver.answer("try:gate")
    assert isinstance(driver.ask, Pick)
    assert "demolition" not in says(driver)  # type: ignore[operator]
    driver.answer([])
    driver.until("space_infantry.node.means")
    assert says(driver) == says(driver, "rash") == "demolition"

    op(driver).resources["D"] = 0
    driver.restate()
    assert says(driver) == "I"
    assert says(driver, "rash") == "accept"


def test_a_cache_is_searched_and_what_matters_least_is_left() -> None:
    driver = briefed(resources={"G": 3, "M": 3, "I": 2})
    put_on(driver, "store")
    driver.answer("stay")
    driver.until("space_infantry.cache.look")
    assert says(driver) == "look"
    assert says(driver, "rash") == "leave"

    driver.answer("look")
    roll(driver, "3")
    assert says(driver) == "G"


@pytest.mark.parametrize(
    ("needs", "difficulty", "charges"),
    [("demolition 4", "easy", 2), ("demolition 4", "normal", 0), ("search 4", "easy", 0)],
)
def test_charges_are_taken_where_the_map_asks_for_them_and_there_is_room(
    needs: str, difficulty: str, charges: int
) -> None:
    driver = Driver(fresh(drill_with(nodes=nodes_with("gate", needs=needs)), difficulty=difficulty))
    taken = {}
    while driver.ask.key != "space_infantry.turn.action":
        answer = True if isinstance(driver.ask, Show) else says(driver)
        if driver.ask.key.startswith("space_infantry.resources."):
            taken[driver.ask.key[-1]] = answer
        driver.answer(["grunts"] if driver.ask.key == "space_infantry.enemy.sheet" else answer)

    assert taken.pop("D", 0) == charges
    assert taken == {"G": 2, "M": 3, "I": 2, "S": 1}


def test_who_can_join_fights_only_where_nobody_else_is_left() -> None:
    driver = in_combat("grunt", team=("explorer",))
    roll(driver, "2")
    calm(driver, "space_infantry.combat.specials")
    assert says(driver) == []

    op(driver).team["leader"].wounds = 2
    driver.restate()
    assert says(driver) == ["explorer"]


@pytest.mark.parametrize(("node", "answer"), [("yard", "ride"), ("exit", "foot")])
def test_the_team_rides_where_communications_are_asked_for(node: str, answer: str) -> None:
    driver = briefed(changed=drill_with(rhino=True, goal=Goal(reach=(node,))))

    assert driver.ask.key == "space_infantry.rhino.ride"
    assert says(driver) == answer


@pytest.mark.parametrize(
    ("wounds", "hits", "policy", "answer"),
    [(0, 1, "steady", "none"), (1, 1, "steady", "assault-1"), (1, 1, "rash", "none")],
)
def test_a_medikit_is_for_a_last_wound(wounds: int, hits: int, policy: str, answer: str) -> None:
    driver = in_combat("grunt", "grunt", team=("assault-1",), resources={"M": 1})
    op(driver).team["assault-1"].wounds = wounds
    op(driver).team["leader"].wounds = 2
    attack(driver, "M", ["1"], ["4"] * hits + ["1"] * (2 - hits))
    calm(driver, "space_infantry.wounds.accept")
    driver.answer(ids(driver)[0])
    assert driver.ask.key == "space_infantry.wounds.medikit"

    assert says(driver, policy) == answer


@pytest.mark.parametrize(("explored", "answer"), [(True, "yes"), (False, "no")])
def test_a_mission_without_a_named_goal_is_done_when_all_is_explored(explored: bool, answer: str) -> None:
    driver = briefed(changed=drill_with(goal=Goal()))
    for place in op(driver).places.values():
        place.explored = True
    op(driver).places["lab"].explored = explored
    put_on(driver, "start")
    driver.answer("stay")
    driver.until("space_infantry.turn.objective")

    assert says(driver) == answer
