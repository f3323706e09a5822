"""Mode `enemy`: the player reports the own turn, the box does the rest."""

from __future__ import annotations

import pytest

from companion.engine.asks import Choose, Number, Show
from companion.games.okinawa import dice, effects, enemy_turn, objectives, reports, rondel, setup, tokens
from companion.games.okinawa.cards import Arrow, Happening, ScenarioEffect, Timing
from companion.games.okinawa.play import Okinawa
from companion.games.okinawa.state import Enemy, Soldiers
from companion.games.okinawa.table import Captured, GameOver, Table
from tests.games.driver import setup as prepared
from tests.games.okinawa.field import GAME, enemy, ids, run, scenario, stop_at, table, texts


def own() -> Table:
    return table(mode="enemy")


def test_set_up_leaves_the_players_side_to_the_player() -> None:
    laid = Okinawa(prepared(GAME, mode="enemy")).table
    asked = run(setup.set_up(laid))
    assert [one.key for one in asked] == ["okinawa.setup.own"]
    assert [space.number for space in laid.state.spaces] == list(range(1, 11))
    assert not laid.state.offers


@pytest.mark.rule("OKI-007", "OKI-253", "OKI-255", "OKI-256", "OKI-R66")
@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({}, ""),
        ({"sandbags": "2"}, "But take 2 sandbags"),
        ({"riflemen": "random"}, "But replace 2 Riflemen with random Reinforcements"),
        (
            {"sandbags": "0", "riflemen": "chosen", "order": "shuffled"},
            "But shuffle the Basic cards, replace 2 Riflemen with chosen Reinforcements, take 0 sandbags",
        ),
    ],
)
def test_what_the_options_change_of_the_players_own_set_up_is_told(
    options: dict[str, str], told: str
) -> None:
    (shown,) = run(setup.set_up(Okinawa(prepared(GAME, mode="enemy", **options)).table))
    assert shown.detail == told


@pytest.mark.rule("OKI-043", "OKI-038")
@pytest.mark.parametrize(("pawn", "hurt"), [("7", "no hit"), ("3", "1 damage")])
@pytest.mark.parametrize("laps", [0, 1])
def test_a_turn_is_enemy_dice_then_a_report_that_ends_with_pawn_and_laps(
    pawn: str, hurt: str, laps: int
) -> None:
    laid = own()
    asked = run(reports.reported_turn(laid), ["3", "0"], "done", pawn, laps)
    assert [one.key for one in asked if not isinstance(one, Show)] == [
        "okinawa.enemy.dice",
        "okinawa.report.what",
        "okinawa.report.pawn",
        "okinawa.report.laps",
    ]
    assert laid.state.strikes == [3, 10]
    assert (str(laid.state.pawn), laid.state.flag) == (pawn, 2 - laps)
    strikes = enemy_turn.random_strikes(laid).send(None)
    assert strikes.text.startswith(f"Strikes 3 10, dice back; you on {pawn}: {hurt}. ")


@pytest.mark.rule("OKI-228")
def test_a_pawn_that_went_back_made_at_least_a_lap() -> None:
    laid = own()
    laid.state.pawn = 9
    asked = run(reports.reported_turn(laid), ["3", "0"], "done", "2", 1)
    laps = asked[3]
    assert isinstance(laps, Number)
    assert laps.least == 1
    assert laid.state.flag == 1


@pytest.mark.rule("OKI-228", "OKI-R20")
def test_a_pawn_that_goes_along_with_a_swap_may_be_back_without_a_lap() -> None:
    laid = table(mode="enemy", swap_pawn="goes")
    laid.state.pawn = 9
    run(reports.reported_turn(laid), ["3", "0"], "done", "3", 0)
    assert (laid.state.pawn, laid.state.flag) == (3, 2)


@pytest.mark.rule("OKI-R36", "OKI-227")
def test_a_lap_that_is_reported_before_the_last_defeat_makes_it_no_capture() -> None:
    laid = own()
    state = laid.state
    state.flag, state.pawn, state.soldiers = 1, 9, Soldiers(0, 1)
    run(reports.reported_turn(laid), ["3"], "lap", "gone:red", "done", "2")
    assert (state.flag, state.soldiers, state.pawn) == (0, Soldiers(), 2)


@pytest.mark.rule("OKI-051", "OKI-R63", "OKI-227")
def test_a_loops_effects_happen_as_its_lap_is_reported() -> None:
    laid = own()
    laid.state.pawn, laid.state.soldiers = 9, Soldiers(0, 1)
    scenario(laid, Timing.LOOP_END, Happening(ScenarioEffect.SPAWN, 1))
    asked = run(reports.reported_turn(laid), ["3"], "lap", "gone:red", "done", "2", 0)
    assert [one.key for one in asked[2:]] == [
        "okinawa.scenario.acts",
        "okinawa.report.what",
        "okinawa.report.what",
        "okinawa.report.pawn",
        "okinawa.report.laps",
    ]
    assert laid.state.soldiers == Soldiers(1), "who came with the lap"


@pytest.mark.rule("OKI-228")
def test_laps_that_were_reported_are_not_asked_for_again() -> None:
    laid = own()
    laid.state.pawn, laid.state.flag = 9, 4
    asked = run(reports.reported_turn(laid), ["3", "0"], "lap", "done", "2", 2)
    laps = next(one for one in asked if one.key == "okinawa.report.laps")
    assert isinstance(laps, Number)
    assert (laps.least, laps.most, laps.text) == (0, 2, "More laps in this turn")
    assert laid.state.flag == 1
    asked = run(reports.reported_turn(laid), "roll", ["3", "0"], "lap", "done", "3")
    assert laid.state.flag == 0
    assert asked[-1].key == "okinawa.report.pawn"
    assert "lap" not in ids(asked[-2]), "the last lap is done"


@pytest.mark.rule("OKI-116", "OKI-228")
@pytest.mark.parametrize(("removed", "most"), [(0, 3), (4, 4)])
def test_no_more_laps_are_reported_than_six_dice_can_make(removed: int, most: int) -> None:
    laid = own()
    laid.state.flag = 7
    del laid.state.spaces[10 - removed :]
    asked = run(reports.reported_turn(laid), ["3", "0"], "done", "2", most)
    laps = next(one for one in asked if one.key == "okinawa.report.laps")
    assert isinstance(laps, Number)
    assert laps.most == most
    laid.state.flag = 7
    asked = run(reports.reported_turn(laid), "roll", ["3", "0"], *["lap"] * most, "done", "2")
    offers = [one for one in asked if one.key == "okinawa.report.what"]
    assert ["lap" in ids(one) for one in offers] == [True] * most + [False]
    assert asked[-1].key == "okinawa.report.pawn", "there can be no more"
    laid.state.flag = 7
    asked = run(reports.reported_turn(laid), "roll", ["3", "0"], *["lap"] * (most - 1), "done", "2", 1)
    assert (asked[-2].key, asked[-2].most) == ("okinawa.report.laps", 1)


def test_at_flag_0_laps_are_not_asked() -> None:
    laid = own()
    laid.state.flag = 0
    asked = run(reports.reported_turn(laid), ["3", "0"], "done", "2")
    assert asked[-1].key == "okinawa.report.pawn"


def test_what_can_be_reported_follows_the_table() -> None:
    laid = own()
    laid.state.soldiers = Soldiers(1, 1)
    enemy(laid, 2, "seen")
    enemy(laid, 3, "foggy", fog=1)
    enemy(laid, 4, "hidden", up=False)
    enemy(laid, 5, "plane", health=0, plane=True)
    assert [option.id for option in reports.happenings(laid)] == [
        "hit:beige",
        "gone:beige",
        "gone:red",
        "hit:2",
        "gone:2",
        "scout:3",
        "gone:3",
        "gone:5",
    ]


def test_cards_that_look_alike_are_told_apart_by_where_they_lie() -> None:
    laid = own()
    laid.state.row = [[Enemy("G", up=True, fog=1)], [Enemy("F", up=True)], [Enemy("F", up=True)], []]
    laid.state.row[3] = [Enemy("G", up=True, fog=1)]
    shown = [(option.label, option.detail) for option in reports.happenings(laid)]
    assert len(set(shown)) == len(shown), shown
    assert ("Fog off G Machine Gun Nest", "Space 5: fog 1, damage 0") in shown
    asked = run(dice.roll_enemy_dice(laid), ["1", "2", "3"], ["4"])
    assert [one.text.partition("for F ")[2] for one in asked] == ["Mortar (Space 3)", "Mortar (Space 4)"]
    run(reports.report(laid, "scout:5"))
    assert laid.take_news() == "G Machine Gun Nest (Space 5): no fog left"


@pytest.mark.rule("OKI-183")
def test_that_a_suppressed_token_is_off_is_reported_wherever_the_pawn_stands() -> None:
    laid = own()
    effects.suppress(laid, frozenset({4}))
    run(reports.reported_turn(laid), ["9", "9"], "free:4", "done", "1", 0)
    assert not any(space.action.suppressed for space in laid.state.spaces)


@pytest.mark.rule("OKI-R20")
def test_a_swap_is_reported_where_it_takes_a_suppressed_token_along() -> None:
    laid = own()
    laid.state.strikes, laid.state.pawn = [1], 1
    assert "swap" not in ids(stop_at(enemy_turn.enemy_turn(laid), "okinawa.enemy.token", 0))
    effects.suppress(laid, frozenset({3}))
    laid.state.strikes = [1]
    assert "swap" in ids(stop_at(enemy_turn.enemy_turn(laid), "okinawa.enemy.token", 0))
    run(reports.reported_turn(laid), ["9", "9"], "swap", ["3", "7"], "done", "1", 0)
    laid.take_news()
    effects.suppress(laid, frozenset({3, 7}))
    assert laid.take_news() == "Suppressed: Action Space 3"
    assert [space.number for space in laid.state.spaces if space.action.suppressed] == [3, 7]


@pytest.mark.rule("OKI-R20", "OKI-R13")
def test_a_swap_that_takes_the_pawn_along_is_reported_in_the_enemy_turn_too() -> None:
    laid = table(mode="enemy", swap_pawn="goes")
    laid.state.pawn, laid.state.strikes = 3, [8]
    enemy(laid, 3, arrows=(Arrow.UP,))
    run(enemy_turn.enemy_turn(laid), "swap", ["3", "7"], "go", "go")
    assert (laid.state.pawn, laid.state.health) == (7, 4)


def test_reports_change_the_table() -> None:
    laid = own()
    seen = enemy(laid, 2, "seen")
    foggy = enemy(laid, 3, "foggy", fog=2)
    laid.state.spaces[3].action.suppressed = True
    for answers in (("hit:beige",), ("scout:3",), ("hit:2", 2), ("free:4",), ("health", 2)):
        run(reports.report(laid, answers[0]), *answers[1:])
    assert laid.state.soldiers == Soldiers(1, 1)
    assert (seen.damage, foggy.fog) == (2, 1)
    assert not laid.state.spaces[3].action.suppressed
    assert laid.state.health == 2
    run(reports.report(laid, "gone:2"))
    assert laid.state.row[0] == []


@pytest.mark.rule("OKI-166", "OKI-167")
def test_reported_damage_is_from_1_to_what_the_card_can_take_and_the_last_point_is_not_asked() -> None:
    laid = own()
    seen = enemy(laid, 2, "seen", health=3)
    (asked,) = run(reports.report(laid, "hit:2"), 1)
    assert isinstance(asked, Number)
    assert (asked.least, asked.most, seen.damage) == (1, 3, 1)
    (asked,) = run(reports.report(laid, "hit:2"), 1)
    assert isinstance(asked, Number)
    assert (asked.least, asked.most, seen.damage) == (1, 2, 2)
    assert run(reports.report(laid, "hit:2")) == []
    assert laid.state.row[0] == []


def test_a_reported_health_starts_at_what_it_was() -> None:
    laid = own()
    laid.state.health = 3
    (asked,) = run(reports.report(laid, "health"), 3)
    assert isinstance(asked, Number)
    assert asked.start == 3


def test_a_reported_health_of_0_loses() -> None:
    with pytest.raises(GameOver, match="you reported no health left"):
        run(reports.report(own(), "health"), 0)


@pytest.mark.rule("OKI-097", "OKI-098")
@pytest.mark.parametrize(("kept", "gone"), [(3, 4), (5, 4), (2, 1), (7, 6)])
def test_a_removed_space_is_reported_and_the_pawn_goes_to_the_one_that_is_kept(kept: int, gone: int) -> None:
    laid = own()
    laid.state.pawn = gone
    run(reports.report(laid, "space"), f"{kept}-{gone}")
    assert gone not in rondel.numbers(laid.state)
    assert laid.state.pawn == kept


@pytest.mark.rule("OKI-095", "OKI-100", "OKI-R22")
@pytest.mark.parametrize("suppressed", [3, 4])
def test_a_suppressed_token_goes_from_either_space_that_the_machine_gun_team_covers(suppressed: int) -> None:
    laid = own()
    for number in (suppressed, 5):
        rondel.space_of(laid.state, number).action.suppressed = True
    run(reports.report(laid, "space"), "3-4")
    assert [space.number for space in laid.state.spaces if space.action.suppressed] == [5]
    laid.take_news()
    effects.suppress(laid, frozenset({3}))
    assert laid.take_news() == "Suppressed: Action Space 3"


@pytest.mark.rule("OKI-R15")
def test_of_a_pawn_that_moved_since_the_box_was_told_nothing_is_said_as_a_space_is_removed() -> None:
    laid = own()
    laid.state.pawn = 5
    (asked,) = run(reports.report(laid, "space"), "4-5")
    assert isinstance(asked, Choose)
    assert "pawn" not in "".join(option.detail for option in asked.options)
    assert asked.detail == "If the pawn's space goes, the pawn goes to the other"


@pytest.mark.rule("OKI-R17", "OKI-R22")
def test_what_goes_with_a_removed_space_is_told_as_it_is_reported() -> None:
    laid = own()
    del laid.state.spaces[0]
    laid.state.strikes, laid.state.mines, laid.state.pawn = [4, 4, 8], [4, 7], 2
    for number in (3, 8):
        rondel.space_of(laid.state, number).action.suppressed = True
    (asked,) = run(reports.report(laid, "space"), "3-4")
    assert isinstance(asked, Choose)
    assert {"5-6", "6-5", "10-2", "2-10"}.isdisjoint(ids(asked)), "both lie in one row"
    told = {option.id: option.detail for option in asked.options}
    assert told["4-5"] == "Number Token 5 leaves the game"
    assert told["3-2"] == "the Suppressed token on 3 goes back; Number Token 2 leaves the game"
    assert told["3-4"] == (
        "the Suppressed token on 3 goes back; Number Token 4 leaves the game; "
        "the red dice on 4 go back; the Mine Field on 4 goes"
    )
    assert told["8-7"] == (
        "the Suppressed token on 8 goes back; Number Token 7 leaves the game; the Mine Field on 7 goes"
    )


@pytest.mark.rule("OKI-227")
def test_reporting_the_last_enemy_gone_captures() -> None:
    laid = own()
    laid.state.soldiers = Soldiers(0, 1)
    with pytest.raises(Captured):
        run(reports.report(laid, "gone:red"))
    asked = run(objectives.capture(laid), ["stone-village"], ["L"])
    assert "take a Resupply and ready your cards" in texts(asked)


@pytest.mark.rule("OKI-102", "OKI-108", "OKI-R13")
def test_what_a_grenade_hits_before_the_enemy_dice_is_reported_from_the_second_turn_on() -> None:
    laid = own()
    laid.state.turn = 1
    question = stop_at(reports.reported_turn(laid), "okinawa.report.token")
    assert question.text == "Enemy dice come next. A token first?"
    assert ids(question) == ["roll", "gone:beige"], "a Grenade turns no soldier red"
    asked = run(reports.reported_turn(laid), "gone:beige", "roll", ["4"], "done", "1", 0)
    assert [one.key for one in asked[:3]] == [*["okinawa.report.token"] * 2, "okinawa.enemy.dice"]
    assert laid.state.strikes == [4], "one soldier is left to roll"


def test_without_enemy_dice_nothing_is_asked_before_them() -> None:
    laid = own()
    laid.state.turn, laid.state.soldiers = 1, Soldiers()
    enemy(laid, 2)
    assert run(reports.reported_turn(laid), "done", "1", 0)[0].key == "okinawa.report.what"


def test_the_enemy_turn_takes_reports_between_its_steps_and_asks_for_sandbags() -> None:
    laid = own()
    laid.state.pawn = 3
    laid.state.strikes = [3]
    enemy(laid, 4, "seen", health=2, arrows=(Arrow.UP_LEFT,))
    question = stop_at(enemy_turn.enemy_turn(laid), "okinawa.enemy.token", 0)
    assert ids(question) == ["go", "gone:beige", "hit:4", "gone:4"]
    assert question.text == "Strikes 3, die back; you on 3: 1 damage, 3 health left. A token now?"
    laid.state.strikes, laid.state.health = [3], 4
    run(enemy_turn.enemy_turn(laid), 0, "gone:4", "go")
    assert laid.state.health == 3


def test_what_the_player_gets_is_said() -> None:
    laid = own()
    tokens.gain(laid, "adjust")
    tokens.gain(laid, "reroll")
    run(tokens.upgrade(laid))
    assert laid.take_news().splitlines() == [
        "Take a token: adjust",
        "Take a token: re-roll",
        "Upgrade one of your Action cards",
    ]


def test_the_resupply_of_a_capture_is_told_with_the_set_up_not_with_the_next_reveal() -> None:
    laid = own()
    laid.state.soldiers = Soldiers()
    asked = run(objectives.capture(laid), ["stone-village"], ["L"])
    told = next(one for one in asked if one.key == "okinawa.objective.setup")
    lines = told.detail.splitlines()
    assert "After the set-up: take a Resupply and ready your cards" in lines
    assert "An Action Space that the Machine Gun Team removes is reported in your turn" in lines
    assert laid.state.news == []


def test_a_fallen_back_card_returns_hidden() -> None:
    laid = own()
    laid.state.row[0] = [Enemy("A", up=True)]
    objectives.fall_back(laid)
    assert laid.state.fallback == [Enemy("A")]
