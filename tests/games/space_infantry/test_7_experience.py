"""End of the mission and the campaign: SPI-158 to SPI-161, SPI-188."""

from __future__ import annotations

import msgspec
import pytest

from companion.engine.asks import Choose, Show
from companion.engine.game import setup as engine_setup
from companion.engine.packs import Merged, Record, Source, build
from companion.games.space_infantry import GAME
from companion.games.space_infantry.pack import Progress, Skill, Veteran
from companion.games.space_infantry.play import SpaceInfantry
from companion.games.space_infantry.problems import problems
from tests.games.driver import Driver
from tests.games.space_infantry.field import (
    TEAM,
    attempt,
    briefed,
    campaign,
    defeat_one,
    fresh,
    ids,
    op,
    pack,
    put_on,
    roll,
    through_setup,
)


def won(driver: Driver) -> Driver:
    """The exit reached; the bonus is asked for."""
    attempt(driver, "exit", "assault-1")
    roll(driver, "6")
    driver.answer("enter")
    driver.until("space_infantry.end.bonus")
    return driver


def aborted(driver: Driver) -> Driver:
    """Out of time; the bonus is asked for."""
    op(driver).marker = 1
    driver.answer("stay")
    driver.until("space_infantry.end.bonus")
    return driver


def bonus(driver: Driver) -> None:
    """The bonus goes to the leader, and nobody improves a skill."""
    driver.answer("leader")
    if driver.ask.key == "space_infantry.end.improve":
        driver.answer("keep")


def again(driver: Driver) -> None:
    """The next mission is the drill too, with one soldier more than the leader."""
    driver.answer("drill")
    through_setup(driver, ("assault-1",), {})


def experience(driver: Driver) -> dict[str, int]:
    return {name: one.ep for name, one in campaign(driver).roster.items() if one.ep}


@pytest.mark.rule("SPI-158", "SPI-R56")
def test_survivors_of_a_success_get_three_points() -> None:
    driver = briefed(("assault-1", "shotgun-1"))
    op(driver).team["shotgun-1"].wounds = 2
    op(driver).team["assault-1"].wounds = 1
    won(driver)

    assert experience(driver) == {"leader": 3, "assault-1": 3}


@pytest.mark.rule("SPI-159", "SPI-R54", "SPI-R56")
def test_an_aborted_mission_gives_one() -> None:
    driver = briefed(("assault-1", "shotgun-1"))
    op(driver).team["shotgun-1"].wounds = 2
    aborted(driver)

    assert experience(driver) == {"leader": 1, "assault-1": 1}


@pytest.mark.rule("SPI-160")
@pytest.mark.parametrize(("end", "points"), [(won, 4), (aborted, 2)])
def test_one_unit_gets_a_bonus_point(end: object, points: int) -> None:
    assert callable(end)
    survivors = ("leader", *TEAM[:5])
    driver = end(briefed(TEAM[:5]))
    assert set(ids(driver)) == {*survivors}
    driver.answer("assault-1")

    assert experience(driver) == dict.fromkeys(survivors, points - 1) | {"assault-1": points}


@pytest.mark.rule("SPI-161")
@pytest.mark.parametrize(("level", "cost", "spare"), [(6, 3, 0), (5, 5, 1), (4, 9, 0), (3, 15, 0)])
def test_points_better_a_level_at_the_printed_price(level: int, cost: int, spare: int) -> None:
    driver = briefed(("assault-1",))
    soldier = campaign(driver).roster["assault-1"]
    soldier.levels = {"fire": [level], "advance": [2]}
    soldier.ep = cost + spare - 3
    won(driver)
    driver.answer("leader")
    driver.answer("assault-1:fire:0")

    assert soldier.levels["fire"] == [level - 1]
    assert soldier.ep == spare


@pytest.mark.rule("SPI-161", "SPI-R55")
def test_a_level_costs_what_it_costs_and_two_is_the_end() -> None:
    driver = briefed(("assault-1",))
    soldier = campaign(driver).roster["assault-1"]
    soldier.levels, soldier.ep = {"fire": [6, 2], "advance": [2]}, 5
    won(driver)
    driver.answer("leader")
    assert ids(driver) == ["keep", "assault-1:fire:0"]
    driver.answer("assault-1:fire:0")
    assert soldier.ep == 5
    driver.answer("assault-1:fire:0")

    assert soldier.levels["fire"] == [4, 2]
    assert soldier.ep == 0


def test_a_soldier_whose_name_has_a_colon_can_learn() -> None:
    changed = msgspec.structs.replace(pack(), unit=pack().unit | {"squad:a": pack().unit["explorer"]})
    driver = briefed(("assault-1", "squad:a"), changed=changed)
    soldier = campaign(driver).roster["squad:a"]
    soldier.ep = 2
    won(driver)
    driver.answer("leader")
    driver.answer("squad:a:fire:0")

    assert soldier.levels["fire"] == [4]


def test_a_skill_whose_name_has_a_colon_can_be_bettered() -> None:
    explorer = msgspec.structs.replace(pack().unit["explorer"], skills={"eva:suit": (5, 4)})
    changed = msgspec.structs.replace(
        pack(),
        unit=pack().unit | {"explorer": explorer},
        skill=pack().skill | {"eva:suit": Skill("Eva:Suit")},
    )
    driver = briefed(("assault-1", "explorer"), changed=changed)
    soldier = campaign(driver).roster["explorer"]
    soldier.ep = 6
    won(driver)
    driver.answer("leader")
    driver.answer("explorer:eva:suit:1")

    assert (soldier.levels, soldier.ep) == ({"eva:suit": [5, 3]}, 0)


@pytest.mark.rule("SPI-161", "SPI-R55")
def test_points_that_were_kept_can_be_spent_after_any_later_mission() -> None:
    driver = briefed(("assault-1",), missions="3")
    roster = campaign(driver).roster
    roster["sniper-1"].ep = 9  # kept from a mission before; not in the team now
    won(driver).answer("leader")
    assert ids(driver) == ["keep", "sniper-1:search:0"]
    driver.answer("keep")

    again(driver)
    for name, member in op(driver).team.items():
        member.wounds = roster[name].wounds - (name == "leader")
    put_on(driver, "den")
    driver.answer("stay")
    roll(driver, "4")  # the trap's wound is the leader's last
    driver.answer("accept")
    driver.until("space_infantry.end.improve")
    driver.answer("sniper-1:search:0")

    assert roster["sniper-1"].levels["search"] == [3]


@pytest.mark.rule("SPI-003", "SPI-039", "SPI-R55")
def test_of_soldiers_of_one_card_all_that_differ_can_be_bought_and_an_old_session_goes_on() -> None:
    driver = briefed(("assault-1",), missions="2")
    roster = campaign(driver).roster
    roster["assault-3"].ep = 5
    roster["assault-4"].levels["fire"] = [3]
    won(driver).answer("leader")
    driver.answer("drill")
    driver.until("space_infantry.enemy.sheet")
    driver.answer(["grunts"])

    assert isinstance(driver.ask, Choose)
    offered = {one.id: one.detail for one in driver.ask.options if one.id.startswith("assault")}
    assert offered == {
        "assault-1": "basic, 3 EP, stand-in",
        "assault-2": "basic, stand-in",
        "assault-3": "basic, 5 EP, stand-in",
        "assault-4": "basic, fire 3, stand-in",
    }
    assert isinstance(driver.ask.former, Choose)
    former = [one.id for one in driver.ask.former.options]
    assert former == [one for one in ids(driver) if one != "assault-2"]


@pytest.mark.rule("SPI-188", "SPI-R68")
@pytest.mark.parametrize(
    ("begun", "levels"),
    [
        ("easy", ["easy"] * 3 + ["normal"] * 3 + ["hard"] * 3),
        ("normal", ["normal"] * 3 + ["hard"] * 4),  # three successes at Hard lead no further
    ],
)
def test_every_three_successes_lead_one_level_up_as_far_as_hard(begun: str, levels: list[str]) -> None:
    driver = briefed(missions="9", difficulty=begun)
    seen = []
    for number in range(len(levels)):
        seen.append(campaign(driver).difficulty)
        bonus(won(driver))
        if number < 8:
            again(driver)

    assert seen == levels
    assert campaign(driver).difficulty == "hard"


@pytest.mark.rule("SPI-188")
def test_a_mission_that_is_aborted_between_takes_no_success_away() -> None:
    driver = briefed(missions="6")
    levels = []
    for end in (won, won, aborted, won, aborted):
        levels.append(campaign(driver).difficulty)
        bonus(end(driver))
        again(driver)

    assert levels == ["normal"] * 4 + ["hard"]


def test_the_mission_before_a_step_up_is_off_the_table_and_not_held_to_the_next_level() -> None:
    driver = briefed(missions="4", difficulty="easy")
    for number in range(3):
        op(driver).resources = dict.fromkeys("GMISD", 2)
        bonus(won(driver))
        assert list(driver.play.check()) == []
        assert driver.ask.key == "space_infantry.mission.choose"
        assert [panel.title for panel in driver.play.board().panels] == ["Campaign"]
        if number < 2:
            again(driver)

    assert campaign(driver).difficulty == "normal"


@pytest.mark.rule("SPI-188")
def test_the_third_success_in_the_last_mission_does_not_hold_that_mission_to_the_next_level() -> None:
    driver = briefed(missions="3", difficulty="easy")
    for number in range(3):
        op(driver).resources = dict.fromkeys("GMISD", 2)
        bonus(won(driver))
        if number < 2:
            again(driver)

    assert driver.outcome is not None
    assert list(driver.play.check()) == []
    assert "turn 1, Easy" in driver.board()


@pytest.mark.rule("SPI-R68")
@pytest.mark.parametrize("end", [won, aborted])
def test_a_level_set_by_hand_between_missions_is_told_and_not_as_a_step_up(end: object) -> None:
    assert callable(end)
    driver = end(briefed(missions="3", difficulty="easy"))
    bonus(driver)
    campaign(driver).difficulty = "nightmare"
    driver.restate()

    assert driver.ask.key == "space_infantry.mission.choose"
    assert driver.ask.text == "Which mission?"
    assert driver.ask.detail.startswith("Nightmare: 80 points, at most 4 resources")


@pytest.mark.rule("SPI-188", "SPI-R68")
def test_what_was_won_at_hard_leads_nowhere_from_a_level_set_by_hand() -> None:
    driver = briefed(missions="9", difficulty="hard")
    levels = []
    for number in range(7):
        levels.append(campaign(driver).difficulty)
        bonus(won(driver))
        if number == 3:
            campaign(driver).difficulty = "normal"
            driver.restate()
            assert driver.ask.text == "Which mission?"
        again(driver)

    assert [*levels, campaign(driver).difficulty] == ["hard"] * 4 + ["normal"] * 3 + ["hard"]


@pytest.mark.rule("SPI-188")
def test_more_successes_than_three_set_by_hand_lead_one_level_up_too() -> None:
    driver = briefed(missions="2", difficulty="easy")
    campaign(driver).streak = 4
    bonus(won(driver))

    assert driver.ask.text == "Three successes: now Normal. Which mission?"


def test_progression_can_be_switched_off() -> None:
    driver = briefed(missions="4", progression="off")
    for _ in range(3):
        bonus(won(driver))
        again(driver)

    assert campaign(driver).difficulty == "normal"


def test_casualties_come_back_unless_they_are_set_to_be_lost() -> None:
    for casualties, lost in (("return", False), ("lost", True)):
        driver = briefed(("assault-1", "shotgun-1"), casualties=casualties)
        op(driver).team["shotgun-1"].wounds = 2
        op(driver).team["leader"].wounds = 2
        won(driver)
        assert campaign(driver).roster["shotgun-1"].lost is lost
        assert not campaign(driver).roster["leader"].lost


@pytest.mark.parametrize(("casualties", "level"), [("return", 2), ("lost", 3)])
def test_a_new_leader_takes_the_post_of_one_who_was_lost(casualties: str, level: int) -> None:
    driver = briefed(("assault-1",), casualties=casualties)
    leader = campaign(driver).roster["leader"]
    leader.levels["command"] = [2]
    op(driver).team["leader"].wounds = leader.wounds
    won(driver)

    assert leader.levels["command"] == [level]


@pytest.mark.parametrize(
    ("lost", "settings", "told"),
    [
        ("leader", {"missions": "2"}, "Leader; a new Leader with the levels of the card takes the post"),
        ("leader", {"roster": "kept"}, "Leader; a new Leader with the levels of the card takes the post"),
        ("leader", {}, "Leader"),
        ("assault-1", {"missions": "2"}, "Assault 1"),
    ],
)
def test_that_a_new_leader_takes_the_post_is_told_where_one_is_needed(
    lost: str, settings: dict[str, str], told: str
) -> None:
    driver = briefed(("assault-1",), casualties="lost", **settings)
    op(driver).team[lost].wounds = 2
    op(driver).places["exit"].explored = True
    driver.answer("stay")
    driver.until("space_infantry.mission.end")

    assert driver.ask.detail == f"lost, with what they had learned: {told}"


def test_who_is_lost_has_no_experience_in_the_outcome_any_more() -> None:
    driver = briefed(("assault-1", "shotgun-1"), casualties="lost")
    op(driver).team["shotgun-1"].wounds = 2
    campaign(driver).roster["shotgun-1"].ep = 5
    won(driver).answer("assault-1")
    while driver.outcome is None:
        driver.answer("keep")

    assert "Shotgun 1: 0 EP, lost" in driver.board()
    assert {name for name in driver.outcome.score if name.startswith("EP")} == {"EP Leader", "EP Assault 1"}


def test_a_kept_roster_goes_into_the_owners_pack_and_comes_back() -> None:
    driver = briefed(("assault-1",), roster="kept")
    assert driver.play.learned() == {}
    won(driver)
    driver.answer("assault-1")
    learned = driver.play.learned()
    assert set(learned["veteran"]) == {"leader", "assault-1"}

    veterans = build(Merged("space_infantry", learned, {}, {"": Source.OWNER}), type(pack())).veteran
    later = fresh(msgspec.structs.replace(pack(), veteran=veterans), roster="kept")
    assert isinstance(later, SpaceInfantry)
    assert later.state.roster["assault-1"].ep == 4
    assert fresh(msgspec.structs.replace(pack(), veteran=veterans)).state.roster["assault-1"].ep == 0


def kept_on(driver: Driver, **settings: str) -> Driver:
    """The next campaign with the soldiers and the level that this one left."""
    driver.answer("leader")
    while driver.outcome is None:
        driver.answer("keep")
    assert isinstance(driver.play, SpaceInfantry)
    before = {"campaign": msgspec.to_builtins(driver.play.table.pack.campaign)}
    learned = Merged("space_infantry", before | dict(driver.play.learned()), {}, {"": Source.OWNER})
    later = build(learned, type(pack()))
    changed = msgspec.structs.replace(pack(), veteran=later.veteran, campaign=later.campaign)
    return Driver(fresh(changed, **settings))


def told_on_the_way(driver: Driver) -> str:
    """What the briefing says, and then the first turn is there."""
    driver.until("space_infantry.mission.briefing")
    assert isinstance(driver.ask, Show)
    detail = driver.ask.detail
    through_setup(driver, TEAM[:1], {})
    return detail


@pytest.mark.rule("SPI-003", "SPI-188", "SPI-R68")
def test_with_kept_soldiers_successes_of_earlier_campaigns_lead_up_too() -> None:
    settings = {"roster": "kept", "difficulty": "easy"}
    driver, levels, told = briefed(TEAM[:1], **settings), [], []
    for end in (won, aborted, won, won, won, won, won, won):
        levels.append(campaign(driver).difficulty)
        driver = kept_on(end(driver), **settings)
        told.append("progression=off" in told_on_the_way(driver))

    assert levels == ["easy"] * 4 + ["normal"] * 3 + ["hard"]
    assert told == [False] * 3 + [True] * 5


@pytest.mark.rule("SPI-188")
@pytest.mark.parametrize(
    ("settings", "level", "successes"),
    [
        ({"difficulty": "easy"}, "normal", 2),
        ({"difficulty": "hard"}, "hard", 0),
        ({"difficulty": "nightmare"}, "nightmare", 0),
        ({"difficulty": "easy", "progression": "off"}, "easy", 0),
        ({"difficulty": "easy", "roster": "new"}, "easy", 0),
    ],
)
def test_who_sets_a_harder_level_or_no_progression_begins_there(
    settings: dict[str, str], level: str, successes: int
) -> None:
    kept = {"kept": Progress("normal", 2)}
    driver = briefed(changed=msgspec.structs.replace(pack(), campaign=kept), **{"roster": "kept"} | settings)

    assert (campaign(driver).difficulty, campaign(driver).streak) == (level, successes)


@pytest.mark.rule("SPI-188", "SPI-R68")
@pytest.mark.parametrize(
    ("settings", "progress"),
    [
        ({}, {"kept": {"difficulty": "normal", "successes": 1}}),
        ({"difficulty": "nightmare"}, None),
        ({"progression": "off"}, None),
    ],
)
def test_at_nightmare_or_without_progression_the_level_that_was_kept_stays(
    settings: dict[str, str], progress: dict[str, Record] | None
) -> None:
    driver = won(briefed(("assault-1",), roster="kept", **settings))
    driver.answer("assault-1")

    assert isinstance(driver.play, SpaceInfantry)
    assert driver.play.learned().get("campaign") == progress


@pytest.mark.rule("SPI-188")
def test_a_step_up_from_an_earlier_campaign_is_told_with_the_choice_of_the_mission() -> None:
    kept = {"kept": Progress("normal", 3)}
    changed = msgspec.structs.replace(pack(), campaign=kept)
    play = GAME.start(engine_setup(GAME, changed, {"roster": "kept"}, "choose"))

    ask = Driver(play).ask
    assert ask.text == "Three successes: now Hard. Which mission?"
    assert ask.detail.startswith("Your kept soldiers are at Hard: 90 points, at most 6 resources")


@pytest.mark.parametrize(("name", "level"), [("other", "normal"), ("kept", "nightmare"), ("kept", "hrad")])
def test_progress_that_means_nothing_is_a_problem(name: str, level: str) -> None:
    changed = msgspec.structs.replace(pack(), campaign={name: Progress(level)})

    assert any(one.path.startswith(f"campaign.{name}") for one in problems(changed))


def test_a_roster_that_is_not_kept_goes_into_no_pack() -> None:
    driver = won(briefed(("assault-1",)))
    driver.answer("assault-1")
    while driver.outcome is None:
        driver.answer("keep")

    assert driver.play.learned() == {}


def test_what_was_learned_on_another_card_is_not_taken() -> None:
    veterans = {"assault-1": Veteran("shotgun", {"melee": (2,)}, ep=5, missions=2)}
    changed = msgspec.structs.replace(pack(), veteran=veterans)

    assert fresh(changed, roster="kept").state.roster["assault-1"] == fresh().state.roster["assault-1"]


@pytest.mark.rule("SPI-003")
def test_a_kept_soldier_has_the_card_that_the_owner_entered_later_with_what_was_learned() -> None:
    driver = briefed(("assault-1", "explorer"), roster="kept")
    campaign(driver).roster["assault-1"].ep = 15
    won(driver).answer("leader")
    driver.answer("assault-1:melee:0")
    while driver.outcome is None:
        driver.answer("keep")
    assert isinstance(driver.play, SpaceInfantry)
    veterans = build(
        Merged("space_infantry", driver.play.learned(), {}, {"": Source.OWNER}), type(pack())
    ).veteran

    printed = {"melee": (4, 5), "search": (6,)}
    entered = {
        name: msgspec.structs.replace(pack().unit[name], skills=printed) for name in ("assault", "explorer")
    }
    changed = msgspec.structs.replace(pack(), unit=pack().unit | entered, veteran=veterans)
    roster = fresh(changed, roster="kept").state.roster

    assert roster["assault-1"].levels == {"melee": [2, 5], "search": [6]}
    assert roster["explorer"].levels == {"melee": [4, 5], "search": [6]}
    assert (roster["assault-1"].ep, roster["explorer"].ep) == (3, 3)


def test_who_is_lost_does_not_come_back_from_an_earlier_campaign() -> None:
    veterans = {
        "leader": Veteran("leader", {"command": (2,)}, ep=4, missions=1),
        "assault-1": Veteran("assault", {"melee": (2,)}, ep=5, missions=2),
        "assault-2": Veteran("assault", {"melee": (2,)}, ep=6, missions=2),
    }
    changed = msgspec.structs.replace(pack(), veteran=veterans)
    driver = briefed(("assault-1", "shotgun-1"), changed=changed, roster="kept", casualties="lost")
    op(driver).team["assault-1"].wounds = op(driver).team["leader"].wounds = 2
    attempt(driver, "exit", "shotgun-1")
    roll(driver, "6")
    driver.answer("enter")
    driver.until("space_infantry.end.bonus")
    driver.answer("shotgun-1")
    while driver.outcome is None:
        driver.answer("keep")

    learned = driver.play.learned()
    assert set(learned["veteran"]) == {"leader", "assault-1", "assault-2", "shotgun-1"}
    kept = build(Merged("space_infantry", learned, {}, {"": Source.OWNER}), type(pack())).veteran
    later = fresh(msgspec.structs.replace(pack(), veteran=kept), roster="kept").state.roster
    printed = fresh().state.roster
    assert (later["leader"], later["assault-1"]) == (printed["leader"], printed["assault-1"])
    assert (later["assault-2"].ep, later["assault-2"].levels) == (
        6,
        printed["assault-2"].levels | {"melee": [2]},
    )
    assert later["shotgun-1"].ep == 4


@pytest.mark.rule("SPI-003", "SPI-161")
def test_a_veteran_written_by_hand_without_missions_keeps_all_when_he_stays_at_home() -> None:
    veterans = {
        "shotgun-1": Veteran("shotgun", {"melee": (2,)}, ep=5),
        "shotgun-2": Veteran("shotgnu", {"melee": (2,)}, ep=5),
    }
    changed = msgspec.structs.replace(pack(), veteran=veterans)
    driver = won(briefed(("assault-1",), changed=changed, roster="kept"))
    driver.answer("assault-1")
    while driver.outcome is None:
        driver.answer("keep")

    learned = driver.play.learned()["veteran"]
    assert learned["shotgun-1"] == {"card": "shotgun", "levels": {"melee": [2]}, "ep": 5, "missions": 0}
    assert "shotgun-2" not in learned, "the misspelt card is still there to be put right"


def test_who_is_lost_does_not_keep_what_an_end_gave_that_was_undone() -> None:
    kept: dict[str, Record] = {}
    for wounds in (0, 2):
        driver = briefed(("assault-1", "shotgun-1"), roster="kept", casualties="lost")
        op(driver).team["assault-1"].wounds = op(driver).team["leader"].wounds = wounds
        attempt(driver, "exit", "shotgun-1")
        roll(driver, "6")
        driver.answer("enter")
        driver.until("space_infantry.end.bonus")
        driver.answer("shotgun-1")
        while driver.outcome is None:
            driver.answer("keep")
        assert isinstance(driver.play, SpaceInfantry)
        kept |= driver.play.learned()["veteran"]

    assert {name: record["ep"] for name, record in kept.items()} == {
        "leader": 0,
        "assault-1": 0,
        "shotgun-1": 4,
    }


@pytest.mark.parametrize(
    ("settings", "told"),
    [({}, True), ({"roster": "kept"}, False), ({"missions": "2"}, False)],
)
def test_experience_that_ends_with_the_campaign_is_said_to(settings: dict[str, str], told: bool) -> None:
    driver = aborted(briefed(("assault-1",), **settings))
    assert isinstance(driver.ask, Choose)
    assert ("roster=kept" in driver.ask.detail) is told


@pytest.mark.rule("SPI-003", "SPI-R56")
@pytest.mark.parametrize(("casualties", "first"), [("return", "shotgun-1"), ("lost", "shotgun-2")])
def test_who_was_lost_can_not_be_bought_for_the_next_mission(casualties: str, first: str) -> None:
    driver = briefed(("assault-1", "shotgun-1"), casualties=casualties, missions="2")
    op(driver).team["shotgun-1"].wounds = campaign(driver).roster["shotgun-1"].wounds
    bonus(won(driver))
    driver.answer("drill")
    driver.until("space_infantry.enemy.sheet")
    driver.answer(["grunts"])

    assert [one for one in driver.ids() if one.startswith("shotgun")] == [first]


def test_the_board_names_the_missions_that_were_played() -> None:
    board = aborted(briefed(("assault-1",))).board()
    assert "Drill: aborted, 2 back" in board


def test_the_outcome_tells_successes_and_the_rosters_experience() -> None:
    driver = won(briefed(("assault-1",)))
    driver.answer("assault-1")

    assert driver.outcome.score == {
        "successes": 1,
        "missions": 1,
        "survivors": 2,
        "turns": 1,
        "EP Leader": 3,
        "EP Assault 1": 4,
    }


def test_the_outcome_says_why_a_mission_failed() -> None:
    late = aborted(briefed(("assault-1",)))
    late.answer("leader")
    defeated = briefed(())
    defeat_one(defeated, "hall")
    while defeated.outcome is None:
        defeated.answer(ids(defeated)[0] if isinstance(defeated.ask, Choose) else True)
    completed = won(briefed(("assault-1",)))
    completed.answer("leader")

    assert [one.outcome and one.outcome.reason for one in (late, defeated, completed)] == [
        "Drill: out of time",
        "Drill: team defeated",
        "Drill: completed",
    ]


@pytest.mark.parametrize(("ends", "result"), [((won, won), "won"), ((won, aborted), "lost")])
def test_a_campaign_is_won_by_more_missions_completed_than_not(ends: tuple[object, ...], result: str) -> None:
    driver = briefed(("assault-1",), missions="2")
    for end in ends:
        if driver.ask.key == "space_infantry.mission.choose":
            driver.answer("drill")
            through_setup(driver, ("assault-1", "shotgun-1"), {})
        assert callable(end)
        end(driver).answer("leader")
        while driver.outcome is None and driver.ask.key == "space_infantry.end.improve":
            driver.answer("keep")

    assert driver.outcome.result == result
    assert driver.outcome.score["survivors"] == 3, "those of the last mission"
