"""Turn sequence and Phase 1 (DDD-014 to DDD-028)."""

from __future__ import annotations

import pytest

from companion.engine.asks import RESTATED, Choose, Pick, Roll
from companion.engine.errors import BadAnswer
from companion.games.dday_dice.battle import Battle
from companion.games.dday_dice.changes import all_changes
from companion.games.dday_dice.dice import Face, Result
from companion.games.dday_dice.play import turn
from companion.games.dday_dice.recruiting import recruit_and_find
from companion.games.dday_dice.rolling import roll_the_dice
from tests.games.dday_dice.beach import act, alone, begin, put, show, together

FIRST = ["skull", "star", "soldier1", "soldier2", "courage", "tool"]


@pytest.mark.rule("DDD-014", "DDD-015", "DDD-016")
def test_all_units_finish_a_phase_before_the_next_begins() -> None:
    battle, (one, two) = together()
    put(battle, one, "1", soldiers=9)
    put(battle, two, "1", soldiers=9)
    calm = ["soldier1", "soldier1", "courage", "courage", "soldier1", "soldier1"]
    each = [calm, ["r1", "r2"], []]

    stage = act(turn(battle), *each, *each, "done", "done", "stay", "stay", "done", "done")

    assert stage.keys == [
        *["roll.1", "roll.lock", "roll.again.2"] * 2,
        *["upkeep"] * 2,
        *["recruit"] * 2,
        *["move"] * 2,
        *["combat.after"] * 2,
        "combat",
    ]


@pytest.mark.rule("DDD-018", "DDD-028")
def test_all_six_dice_with_six_faces_are_rolled() -> None:
    battle, unit = alone()

    stage = begin(roll_the_dice(battle, unit))

    ask = stage.open
    assert isinstance(ask, Roll)
    assert [(kind.die, kind.count, kind.colour) for kind in ask.dice] == [
        ("dday.red", 2, "red"),
        ("dday.white", 2, "white"),
        ("dday.blue", 2, "blue"),
    ]
    assert ask.dice[0].faces == ("skull", "star", "soldier1", "soldier2", "courage", "tool")
    assert ask.locked == ()


@pytest.mark.rule("DDD-019")
def test_there_are_at_most_three_rolls() -> None:
    battle, unit = alone()

    stage = act(roll_the_dice(battle, unit), FIRST, ["r1", "r2"], ["w1"], ["tool"], ["w1"], ["star"])

    assert stage.keys == ["roll.1", "roll.lock", "roll.again.2", "roll.2", "roll.again.3", "roll.3"]


@pytest.mark.rule("DDD-020")
@pytest.mark.parametrize("too_few_or_many", [[], ["r1"], ["r1", "r2", "w1"]])
def test_exactly_two_dice_are_locked(too_few_or_many: list[str]) -> None:
    battle, unit = alone()
    stage = begin(roll_the_dice(battle, unit), FIRST)

    assert isinstance(stage.open, Pick)
    with pytest.raises(BadAnswer, match="pick 2"):
        stage.open.accept(too_few_or_many)


@pytest.mark.rule("DDD-021")
def test_dice_are_locked_after_the_opening_roll_only() -> None:
    battle, unit = alone()

    stage = act(roll_the_dice(battle, unit), FIRST, ["r1", "b2"], ["w1"], ["tool"], ["w2"], ["star"])

    assert stage.keys.count("roll.lock") == 1
    assert [die.id for die in unit.dice if die.locked] == ["r1", "b2"]


@pytest.mark.rule("DDD-022")
def test_a_locked_die_is_never_offered_again_and_must_still_show_its_face() -> None:
    battle, unit = alone()

    stage = begin(roll_the_dice(battle, unit), FIRST, ["r1", "b2"], ["w1"])

    assert "r1" not in stage.ids("roll.again.2")
    assert "b2" not in stage.ids("roll.again.2")
    assert isinstance(stage.open, Roll)
    assert [(die.die, die.face) for die in stage.open.locked] == [
        ("dday.red", "skull"),
        ("dday.red", "star"),
        ("dday.white", "soldier2"),
        ("dday.blue", "courage"),
        ("dday.blue", "tool"),
    ]
    assert [(kind.die, kind.count) for kind in stage.open.dice] == [("dday.white", 1)]


@pytest.mark.rule("DDD-023")
@pytest.mark.parametrize("again", [[], ["w1"], ["r2", "w1", "w2", "b1"]])
def test_any_number_of_the_unlocked_dice_is_rolled_again(again: list[str]) -> None:
    battle, unit = alone()
    stage = begin(roll_the_dice(battle, unit), FIRST, ["r1", "b2"])

    assert isinstance(stage.open, Pick)
    assert stage.open.accept(again) == tuple(again)


@pytest.mark.rule("DDD-024")
def test_a_die_kept_at_roll_2_may_be_rolled_at_roll_3() -> None:
    battle, unit = alone()

    act(roll_the_dice(battle, unit), FIRST, ["r1", "b2"], ["w1"], ["star"], ["r2"], ["tool"])

    assert [die.face for die in unit.dice] == ["skull", "tool", "star", "soldier2", "courage", "tool"]


@pytest.mark.rule("DDD-024")
def test_all_that_are_not_locked_may_be_rolled_at_roll_3() -> None:
    battle, unit = alone()

    question = begin(roll_the_dice(battle, unit), FIRST, ["r1", "b2"], ["w1"], ["star"]).open

    assert isinstance(question, Pick)
    assert [option.id for option in question.options] == ["r2", "w1", "w2", "b1"]
    assert (question.least, question.most) == (0, 4)


@pytest.mark.rule("DDD-025")
def test_a_player_may_stop_after_the_first_roll() -> None:
    battle, unit = alone()

    stage = act(roll_the_dice(battle, unit), FIRST, ["r1", "b2"], [])

    assert stage.keys == ["roll.1", "roll.lock", "roll.again.2"]


@pytest.mark.rule("DDD-027")
def test_the_dice_as_they_lie_are_the_final_tally() -> None:
    battle, unit = alone()

    act(roll_the_dice(battle, unit), FIRST, ["r1", "b2"], ["w1", "w2"], ["tool", "tool"], [])

    assert [die.face for die in unit.dice] == ["skull", "star", "tool", "tool", "courage", "tool"]


def test_what_cards_added_to_the_last_tally_is_gone() -> None:
    battle, unit = alone()
    unit.extra = [Result(Face.TOOL)]

    begin(roll_the_dice(battle, unit))

    assert unit.extra == []


@pytest.mark.rule("DDD-017")
def test_phase_3_offers_recruits_items_an_award_and_a_trade() -> None:
    battle, (one, two) = together()
    put(battle, one, "1", soldiers=5, stars=2, courage=6, points=5)
    put(battle, two, "1", soldiers=5)

    stage = begin(recruit_and_find(battle, one))

    offered = stage.ids("recruit")
    assert {"recruit:Corporal", "find:Walkie-Talkie", "award", "give"} <= set(offered)


def lock_text(battle: Battle) -> str:
    unit = show(battle.state.units[0], "R St St W St To B Co Co")
    stage = begin(roll_the_dice(battle, unit), ["star", "star", "star", "tool", "courage", "courage"])
    assert stage.open is not None
    return f"{stage.open.text}|{stage.open.detail}"


def test_after_a_roll_the_screen_shows_the_tally_its_worth_and_bonuses_in_reach() -> None:
    text = lock_text(alone()[0])

    assert "R St St W St To B Co Co" in text
    assert "+0 Soldiers, +3 Stars, +2 Courage, +1 IP" in text
    assert "Leadership needs B Star" in text


@pytest.mark.parametrize("where", ["lock", "again", "single"])
def test_a_question_about_dice_is_asked_anew_when_they_were_overridden(where: str) -> None:
    battle, unit = alone()
    put(battle, unit, "4", soldiers=9, specialists=["Corporal"])
    script = roll_the_dice(battle, unit)
    ask = next(script)
    answers = {"lock": [FIRST], "again": [FIRST, ["r1", "r2"]], "single": [FIRST, ["r1", "r2"], []]}[where]
    for answer in answers:
        ask = script.send(ask.accept(answer))
    assert "W 1S 2S" in ask.text

    unit.dice[2].face = Face.TOOL
    ask = script.send(RESTATED)

    assert "W To 2S" in ask.text


def test_dice_that_a_sector_holds_stay_even_in_a_mulligan() -> None:
    battle, unit = alone("utah", "1", soldier_mulligan="yes")
    put(battle, unit, "6", soldiers=9)

    stage = begin(roll_the_dice(battle, unit), ["skull", "star", "star", "tool", "courage", "tool"], "yes")

    assert isinstance(stage.open, Roll)
    assert [die.face for die in stage.open.locked] == ["skull"]


def test_a_roll_says_which_dice_if_not_all_six() -> None:
    battle, unit = alone()
    put(battle, unit, "1", specialists=["General"])
    act(roll_the_dice(battle, unit), FIRST, ["r1"], [])

    stage = begin(roll_the_dice(battle, unit), FIRST, ["r1"], ["r2", "w1", "w2", "b1", "b2"])

    assert [ask.text for ask in stage.asks if isinstance(ask, Roll)] == [
        "Roll 1: all dice",
        "Roll 2: 1 red, 2 white, 2 blue",
    ]


@pytest.mark.parametrize(
    ("scenario", "detail"),
    [
        ("tiger_practice", "+3 Soldiers, +1 Courage; Reinforcements needs B 1 Sold"),
        ("tiger_basic", "+3 Soldiers, +0 Stars, +1 Courage; 1 Skull; Reinforcements needs B 1 Sold"),
        (
            "tiger_advanced",
            "+3 Soldiers, +0 Stars, +1 Courage, +1 IP; 1 Skull; Reinforcements needs B 1 Sold",
        ),
    ],
)
def test_what_a_roll_is_worth_leaves_out_what_does_not_count(scenario: str, detail: str) -> None:
    battle, unit = alone(scenario)
    faces = ["soldier1", "skull", "soldier1", "soldier1", "courage", "tool"]

    ask = begin(roll_the_dice(battle, unit), faces).open

    assert isinstance(ask, Pick)
    assert ask.detail == detail


def test_what_a_roll_is_worth_knows_where_no_battle_cry_is_scored() -> None:
    battle, unit = alone("pointe_du_hoc", "1")
    put(battle, unit, "9")

    ask = begin(roll_the_dice(battle, unit), ["courage", "star"] * 3).open

    assert isinstance(ask, Pick)
    assert ask.detail == "+0 Soldiers, +3 Stars, +3 Courage, +0 IP; Leadership!"


def test_who_changes_a_tally_sees_what_cards_have_added() -> None:
    battle, unit = alone("pointe_du_hoc", "1")
    put(battle, unit, "9", items=["Grappling Hook", "Rangefinder"])
    show(unit, "R Sk Sk W St St B Sk 2S")

    ask = begin(all_changes(battle), "use:Grappling Hook", "white").open

    assert isinstance(ask, Choose)
    assert ask.detail == "+2 Soldiers, +2 Stars, +0 Courage, +0 IP; 4 Skulls; Dead Man's Gift!"


def test_a_result_without_a_colour_brings_no_bonus_into_reach() -> None:
    battle, unit = alone()
    put(battle, unit, "1", specialists=["Scout", "Captain"])
    show(unit, "R To 1S W To Co B Co 2S")

    ask = begin(all_changes(battle)).open

    assert isinstance(ask, Choose)
    assert "Special Find needs B Tool" in ask.detail
