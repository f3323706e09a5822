"""Setting a mission up: SPI-033 to SPI-050."""

from __future__ import annotations

import msgspec
import pytest

from companion.engine.asks import Choose, Draw, Number
from companion.engine.errors import BadAnswer
from companion.engine.override import assign
from companion.games.space_infantry import GAME
from companion.games.space_infantry.briefing import points_left
from companion.games.space_infantry.events import goals_met
from companion.games.space_infantry.pack import Counter, Effect, EffectKind, Goal
from companion.games.space_infantry.play import CHOOSE, SpaceInfantry
from tests.games.driver import Driver, setup
from tests.games.space_infantry.field import (
    DRILL,
    GRUNTS,
    TEAM,
    attempt,
    briefed,
    campaign,
    drill_with,
    fresh,
    ids,
    nodes_with,
    op,
    pack,
    put_on,
    roll,
    through_setup,
)


def at_team(**settings: str) -> Driver:
    """The sheet is drawn, the team is being bought."""
    driver = Driver(fresh(**settings))
    driver.until("space_infantry.enemy.sheet")
    driver.answer(["grunts"])
    return driver


def left(driver: Driver) -> int:
    play = driver.play
    assert isinstance(play, SpaceInfantry)
    return points_left(play.table)


@pytest.mark.rule("SPI-033")
def test_a_mission_is_set_up_in_the_printed_order() -> None:
    driver = Driver(fresh())
    keys = []
    answers: dict[str, object] = {
        "space_infantry.enemy.sheet": ["grunts"],
        "space_infantry.team.buy": "proposal",
    }
    while driver.ask.key != "space_infantry.turn.action":
        keys.append(driver.ask.key.removeprefix("space_infantry."))
        fallback = 0 if isinstance(driver.ask, Number) else True
        driver.answer(answers.get(driver.ask.key, fallback))

    kinds = [f"resources.{kind}" for kind in "GMISD"]
    assert keys == ["mission.briefing", "enemy.sheet", "team.buy", *kinds, "mission.ready"]


@pytest.mark.rule("SPI-043", "SPI-044", "SPI-046")
def test_what_lies_on_the_table_is_told_before_the_first_turn() -> None:
    driver = Driver(fresh())
    driver.answer(True)
    driver.answer(["grunts"])
    for chosen in ("assault-1", "explorer", "done"):
        driver.answer(chosen)
    for many in (2, 0, 1, 0, 0):
        driver.answer(many)
    assert driver.ask.key == "space_infantry.mission.ready"
    assert driver.ask.detail.split("; ") == [
        "Put the Team A counter on Start, the Time marker on box 30",
        "beside the sheet: Leader, Assault 1, Explorer",
        "on the Turn Track: Grenades 2, Intelligence 1",
        "special counters face down on Mark, of A 1, B 1 shuffled",
    ]
    assert driver.ask.rule[1:] == tuple(f"SPI-{n}" for n in ("037", "044", "052", "043", "046", "201", "202"))


@pytest.mark.rule("SPI-046", "SPI-202")
def test_nothing_is_told_of_resources_or_special_counters_where_there_are_none() -> None:
    driver = Driver(fresh(drill_with(nodes=nodes_with("mark", counter=False))))
    driver.answer()
    driver.answer(["grunts"])
    for answer in ("done", 0, 0, 0, 0, 0):
        driver.answer(answer)

    words = "Put the Team A counter on Start, the Time marker on box 30; beside the sheet: Leader"
    assert driver.ask.detail == words


@pytest.mark.rule("SPI-025")
@pytest.mark.parametrize(("numbers", "told"), [("typed", True), ("cup", True), ("dice", False)])
def test_that_all_chits_go_into_the_cup_is_told_before_the_first_turn(numbers: str, told: bool) -> None:
    driver = Driver(fresh(numbers=numbers))
    driver.answer()
    driver.answer(["grunts"])
    for answer in ("done", 0, 0, 0, 0, 0):
        driver.answer(answer)
    assert driver.ask.key == "space_infantry.mission.ready"

    assert ("all 20 chits into the cup" in driver.ask.detail) is told
    assert ("SPI-025" in driver.ask.rule) is told


@pytest.mark.rule("SPI-035")
def test_any_mission_may_be_chosen_unless_one_is_named() -> None:
    driver = Driver(GAME.start(setup(GAME)))

    assert driver.ask.key == "space_infantry.mission.choose"
    assert ids(driver) == ["relay", "hive", "patrol", "convoy", "station", "warlord"]
    assert Driver(GAME.start(setup(GAME, "hive"))).ask.key == "space_infantry.mission.briefing"


@pytest.mark.rule("SPI-036")
def test_the_briefing_is_shown_first() -> None:
    assert "Reach the exit." in Driver(fresh()).ask.detail


@pytest.mark.rule("SPI-037")
def test_one_enemy_sheet_is_drawn_for_the_whole_mission() -> None:
    sheets = {"others": msgspec.structs.replace(GRUNTS, title="Others"), "grunts": GRUNTS}
    driver = Driver(fresh(msgspec.structs.replace(pack(), enemy=sheets)))
    driver.until("space_infantry.enemy.sheet")

    assert isinstance(driver.ask, Draw)
    assert [option.id for option in driver.ask.options] == ["others", "grunts"]
    driver.answer(["grunts"])
    assert op(driver).sheet == "grunts"
    assert driver.ask.key == "space_infantry.team.buy"
    assert driver.ask.detail.startswith("against Grunts")
    through_setup(driver, TEAM, {})
    put_on(driver, "hall")
    driver.answer("stay")
    driver.until("space_infantry.encounter.rn")


@pytest.mark.rule("SPI-038", "SPI-040", "SPI-185")
def test_the_budget_is_110_and_the_leader_is_free_and_always_there() -> None:
    driver = at_team()

    assert list(op(driver).team) == ["leader"]
    assert left(driver) == 110
    driver.answer("assault-1")
    assert left(driver) == 110 - pack().unit["assault"].cost


@pytest.mark.rule("SPI-040")
def test_the_leader_is_free_whatever_the_card_says_it_costs() -> None:
    units = pack().unit | {"leader": msgspec.structs.replace(pack().unit["leader"], cost=30)}
    driver = Driver(fresh(msgspec.structs.replace(pack(), unit=units)))
    driver.until("space_infantry.enemy.sheet")
    driver.answer(["grunts"])

    assert list(op(driver).team) == ["leader"]
    assert left(driver) == 110


@pytest.mark.rule("SPI-039")
def test_nobody_is_sold_beyond_the_budget() -> None:
    driver = at_team()
    for name in ("heavy-1", "heavy-2", "assault-1", "assault-2", "assault-3", "fire_team-1"):
        driver.answer(name)
    assert left(driver) == 18
    driver.answer("shotgun-1")

    assert left(driver) == 7
    assert ids(driver) == ["done", "scientist"]
    with pytest.raises(BadAnswer):
        driver.answer("engineer")


@pytest.mark.rule("SPI-039", "SPI-040")
def test_the_budget_may_be_spent_to_the_last_point_on_units_of_both_kinds() -> None:
    costs = {"assault": 60, "demolition": 50, "explorer": 51}
    cards = pack().unit
    units = {name: msgspec.structs.replace(cards[name], cost=cost) for name, cost in costs.items()}
    driver = Driver(fresh(msgspec.structs.replace(pack(), unit=cards | units)))
    driver.until("space_infantry.enemy.sheet")
    driver.answer(["grunts"])
    driver.answer("assault-1")
    assert "demolition" in ids(driver)
    assert "explorer" not in ids(driver)
    driver.answer("demolition")

    assert list(op(driver).team) == ["leader", "assault-1", "demolition"]
    assert left(driver) == 0
    assert ids(driver) == ["done"]


@pytest.mark.rule("SPI-041")
def test_recommended_units_are_proposed_but_not_forced() -> None:
    driver = at_team()
    driver.answer("proposal")
    assert "engineer" in op(driver).team
    assert left(driver) >= 0

    driver = at_team()
    driver.answer("done")
    assert list(op(driver).team) == ["leader"]


@pytest.mark.rule("SPI-039", "SPI-041", "SPI-042")
def test_the_proposal_has_whoever_of_a_kind_has_learned_most_and_nobody_who_is_not_for_sale() -> None:
    driver = Driver(fresh(drill_with(recommended=("medic", "assault"))))
    driver.until("space_infantry.enemy.sheet")
    driver.answer(["grunts"])
    roster = campaign(driver).roster
    roster["assault-3"].levels["melee"] = [2]
    roster["sniper-1"].lost = roster["sniper-2"].lost = True
    driver.answer("proposal")

    assert list(op(driver).team)[:2] == ["leader", "assault-3"]
    assert not {"medic", "sniper-1", "sniper-2"} & op(driver).team.keys()
    assert left(driver) in range(min(card.cost for card in pack().unit.values() if card.kind == "basic"))


@pytest.mark.rule("SPI-041")
@pytest.mark.parametrize(
    ("recommended", "told"),
    [
        (("engineer", "zero_g"), "against Grunts; recommended: Engineer, Zero-G"),
        (("medic", "engineer"), "against Grunts; recommended: Engineer"),
        ((), "against Grunts"),
    ],
)
def test_whom_the_sheet_recommends_is_told_as_the_team_is_chosen(
    recommended: tuple[str, ...], told: str
) -> None:
    driver = Driver(fresh(drill_with(recommended=recommended)))
    driver.until("space_infantry.enemy.sheet")
    driver.answer(["grunts"])

    assert driver.ask.detail == told


def test_a_last_point_is_told_as_one() -> None:
    level = msgspec.structs.replace(pack().difficulty["normal"], points=15)
    driver = Driver(fresh(msgspec.structs.replace(pack(), difficulty={"normal": level})))
    driver.until("space_infantry.enemy.sheet")
    driver.answer(["grunts"])
    assert driver.ask.text == "Team: 15 points left"
    driver.answer("assault-1")
    assert driver.ask.text == "Team: 1 point left"


@pytest.mark.rule("SPI-042", "SPI-R11")
def test_the_medic_is_not_for_sale() -> None:
    assert "medic" in pack().unit
    assert not any("medic" in one for one in ids(at_team()))


@pytest.mark.rule("SPI-043", "SPI-044", "SPI-192")
def test_the_team_stands_on_start_and_its_cards_are_listed() -> None:
    driver = briefed(("assault-1",))
    panels = {panel.title: "\n".join(panel.lines) for panel in driver.play.board().panels}

    assert op(driver).node == "start"
    assert "Assault 1" in panels["Team"]
    assert ">Start" in panels["Map"]


@pytest.mark.rule("SPI-045", "SPI-046", "SPI-151")
def test_up_to_eight_resources_of_any_kinds_are_taken() -> None:
    driver = at_team()
    driver.answer("proposal")
    assert isinstance(driver.ask, Number)
    with pytest.raises(BadAnswer):
        driver.answer(9)
    driver.answer(8)
    driver.until("space_infantry.turn.action")
    assert op(driver).resources == {"G": 8, "M": 0, "I": 0, "S": 0, "D": 0}
    assert "Grenades 8" in "\n".join(driver.play.board().panels[0].lines)


def test_resources_set_by_hand_as_a_whole_while_they_are_taken_are_gone_on_with() -> None:
    driver = at_team()
    driver.answer("proposal")
    assign(campaign(driver), "operation.resources", {"G": 1, "M": 2, "I": 0, "S": 0, "D": 0})
    driver.restate()
    driver.answer(3)

    assert op(driver).resources == {"G": 3, "M": 2, "I": 0, "S": 0, "D": 0}


def test_resources_without_a_kind_that_is_still_to_be_taken_are_refused_when_set_by_hand() -> None:
    driver = at_team()
    driver.answer("proposal")
    assign(campaign(driver), "operation.resources", {"G": 1, "M": 2, "I": 0, "S": 0})

    assert list(driver.play.check()) == ["resources without D"]


@pytest.mark.rule("SPI-047", "SPI-062")
def test_an_unexplored_node_is_entered_only_once_its_requirement_is_met() -> None:
    driver = briefed()
    assert "move:exit" not in ids(driver)
    attempt(driver, "exit", "assault-1")
    roll(driver, "2")
    driver.answer("accept")
    driver.until("space_infantry.turn.action")
    assert op(driver).node == "start"
    attempt(driver, "exit", "assault-1")
    roll(driver, "3")
    assert driver.ask.key == "space_infantry.node.enter"


@pytest.mark.rule("SPI-048")
def test_the_event_check_follows_the_activations() -> None:
    driver = briefed()
    attempt(driver, "cliff", "explorer")
    roll(driver, "4")
    driver.answer("I")
    driver.answer("enter")

    assert driver.ask.key == "space_infantry.event.rn"


@pytest.mark.rule("SPI-034", "SPI-049", "SPI-050")
def test_a_met_objective_completes_the_mission_and_experience_follows() -> None:
    driver = briefed()
    attempt(driver, "exit", "assault-1")
    roll(driver, "6")
    driver.answer("enter")
    driver.until("space_infantry.mission.end")

    assert driver.ask.text.startswith("Mission completed")
    driver.answer()
    assert driver.ask.key == "space_infantry.end.bonus"
    driver.answer("leader")
    driver.answer("keep")
    assert driver.outcome.result == "won"


@pytest.mark.rule("SPI-036", "SPI-049")
@pytest.mark.parametrize("end_at", ["", "start"])
def test_objectives_that_only_the_briefing_knows_are_met_when_the_player_says_so(end_at: str) -> None:
    driver = briefed(changed=drill_with(goal=Goal(end_at=end_at)))
    driver.answer("stay")
    assert driver.ask.key == "space_infantry.turn.objective"
    driver.answer("no")
    attempt(driver, "exit", "assault-1")
    roll(driver, "6")
    driver.answer("enter")
    if end_at:
        driver.until("space_infantry.turn.action")
        driver.answer("move:start")
        roll(driver, "3")
    driver.until("space_infantry.turn.objective")
    driver.answer("yes")

    assert driver.ask.text.startswith("Mission completed")


@pytest.mark.rule("SPI-049")
@pytest.mark.parametrize("left_out", range(7))
def test_every_part_of_an_objective_has_to_be_met(left_out: int) -> None:
    goal = Goal(reach=("exit", "lab"), clear=("hall",), find=("map", "key"), end_at="lab")
    key = Counter(1, Effect(EffectKind.FOUND, what="key"))
    driver = briefed(changed=drill_with(goal=goal, counters={**DRILL.counters, "K": key}))
    operation, play = op(driver), driver.play
    assert isinstance(play, SpaceInfantry)
    steps = (
        lambda: setattr(operation.places["exit"], "explored", True),
        lambda: setattr(operation.places["lab"], "explored", True),
        lambda: setattr(operation.places["hall"], "explored", True),
        lambda: operation.places["hall"].spent.append(0),
        lambda: operation.found.append("map"),
        lambda: operation.found.append("key"),
        lambda: setattr(operation, "node", "lab"),
    )
    for at, step in enumerate(steps):
        if at != left_out:
            step()
    assert not goals_met(play.table)
    steps[left_out]()

    assert goals_met(play.table)


@pytest.mark.rule("SPI-049")
def test_a_node_without_events_is_not_over_before_the_team_has_been_there() -> None:
    driver = briefed(changed=drill_with(goal=Goal(clear=("exit",))))
    driver.answer("stay")
    assert driver.ask.key == "space_infantry.turn.action", "the mission goes on"
    attempt(driver, "exit", "assault-1")
    roll(driver, "6")
    driver.answer("enter")

    assert driver.until("space_infantry.mission.end").text.startswith("Mission completed")


@pytest.mark.rule("SPI-034", "SPI-049", "SPI-054")
def test_passing_the_last_box_aborts_the_mission_and_experience_follows() -> None:
    driver = briefed()
    op(driver).marker = 1
    driver.answer("stay")
    why = driver.until("space_infantry.mission.told")
    assert (why.text, why.rule) == ("The last box is passed: aborted", ("SPI-049", "SPI-054"))
    driver.answer()

    assert driver.ask.text.startswith("Mission aborted")
    driver.answer()
    assert driver.ask.key == "space_infantry.end.bonus"
    assert campaign(driver).reports[0].success is False


def test_one_who_is_left_is_one_survivor() -> None:
    driver = briefed()
    op(driver).marker = 1
    for name, member in op(driver).team.items():
        member.wounds = campaign(driver).roster[name].wounds if name != "assault-1" else 0
    driver.answer("stay")
    driver.until("space_infantry.mission.end")

    assert driver.ask.text == "Mission aborted, 1 survivor"


def test_the_cards_of_the_roster_and_the_rhino_say_that_they_are_stand_ins() -> None:
    driver = Driver(GAME.start(setup(GAME, "convoy")))
    driver.until("space_infantry.enemy.sheet")
    driver.answer(["cybers"])
    assert isinstance(driver.ask, Choose)
    assert {one.detail for one in driver.ask.options[2:]} == {"basic, stand-in", "special, stand-in"}

    driver.answer("proposal")
    driver.until("space_infantry.resources.G")
    panels = {panel.title: panel.lines for panel in driver.play.board().fitted().panels}
    assert panels["Team"][-1] == "stand-in cards"
    assert "Rhino (stand-in) 0/6 damage, team on" in panels["Mission"]


def test_a_card_of_ones_own_is_no_stand_in() -> None:
    cards = {name: msgspec.structs.replace(card, source="owner") for name, card in pack().unit.items()}
    mixed = cards | {"assault": pack().unit["assault"]}
    own, some = (
        briefed(("assault-1",), changed=msgspec.structs.replace(pack(), unit=unit)) for unit in (cards, mixed)
    )

    assert "stand-in" not in own.board()
    assert "stand-in cards, some" in some.board()
    changed = msgspec.structs.replace(pack(), unit=cards)
    driver = Driver(fresh(changed))
    driver.until("space_infantry.enemy.sheet")
    driver.answer(["grunts"])
    assert isinstance(driver.ask, Choose)
    assert {one.detail for one in driver.ask.options[2:]} == {"basic", "special"}


def test_a_session_of_one_mission_is_named_by_it_and_a_campaign_by_none() -> None:
    assert [GAME.board("drill", {"missions": many}) for many in ("1", "3")] == ["drill", ""]
    assert GAME.board(CHOOSE, {}) == ""
    assert [GAME.titled(pack(), one) for one in ("drill", CHOOSE)] == ["Drill", "chosen at the table"]


def test_a_stand_in_says_so_before_it_is_played() -> None:
    driver = Driver(GAME.start(setup(GAME, "relay")))
    assert "stand-in" in driver.ask.text
    assert "stand-in" in driver.play.board().title


@pytest.mark.rule("SPI-049")
@pytest.mark.parametrize(
    ("found", "met"),
    [([], False), (["map", "map"], False), (["map", "key"], False), (["map", "key", "map"], True)],
)
def test_as_many_of_each_as_the_mission_asks_for_have_to_be_found(found: list[str], *, met: bool) -> None:
    maps, key = msgspec.structs.replace(DRILL.counters["A"], count=2), Effect(EffectKind.FOUND, what="key")
    counters = DRILL.counters | {"A": maps, "K": Counter(1, key)}
    goal = Goal(find=("map", "map", "key"))
    driver = briefed(changed=drill_with(goal=goal, counters=counters))
    op(driver).found = found

    assert isinstance(driver.play, SpaceInfantry)
    assert goals_met(driver.play.table) is met
    assert goal.named
