"""Capturing enemy soldiers: FLG-056 to FLG-070, and the odds of table FLG-TB05."""

from __future__ import annotations

import tomllib

import pytest

from companion.engine.asks import Choose, Roll, Show
from companion.games.flag_war import GAME, battle
from companion.games.flag_war.asking import note, tell
from companion.games.flag_war.captures import capture
from companion.games.flag_war.play import FlagWar
from tests.games.driver import Driver
from tests.games.flag_war.field import at, at_roll, fresh, labels, move, rolled, state, ways

PIECES = fresh().pack.piece
LEDGER = tomllib.loads((GAME.folder / "ledger.toml").read_text(encoding="utf-8"))
ODDS = next(table["rows"] for table in LEDGER["table"] if table["id"] == "FLG-TB05")


def attack(attacker: str, *foes: str) -> Driver:
    """North's man on N-O4 lands with a 1 on South's men on N-O5."""
    driver = rolled("16", N={attacker: "N-O4"}, S=dict.fromkeys(foes, "N-O5") | {"P6": "S-O1"})
    move(driver, f"{attacker}:1", "N-O5")
    return driver


def dice(driver: Driver, *throws: str) -> None:
    """Answer the battle's rolls."""
    for throw in throws:
        driver.until("flag_war.battle.roll")
        driver.answer(list(throw))


@pytest.mark.rule("FLG-056", "FLG-057", "FLG-058", "FLG-R39")
@pytest.mark.parametrize("attacker", ["P1", "C1", "M1", "H1"])
def test_a_lone_pawn_is_taken_by_anybody_who_lands_on_it(attacker: str) -> None:
    driver = attack(attacker, "P1")

    assert at(driver, "S", "P1") == "N-prison"
    assert at(driver, "N", attacker) == "N-O5"
    assert driver.ask.rule == ("FLG-058", "FLG-069", "FLG-R20")


def test_the_rules_of_what_was_told_are_not_told_again() -> None:
    driver = attack("P1", "P1")
    assert "FLG-058" in driver.ask.rule
    driver.answer()
    play = driver.play
    assert isinstance(play, FlagWar)
    note(play.table, "South P6 moves", "FLG-016")

    assert next(tell(play.table)).rule == ("FLG-016",)


@pytest.mark.rule("FLG-059")
@pytest.mark.parametrize("attacker", ["P1", "C1", "M1", "H1"])
def test_a_lone_carrier_is_taken_by_anybody_who_lands_on_it(attacker: str) -> None:
    driver = attack(attacker, "C1")

    assert at(driver, "S", "C1") == "N-prison"
    assert driver.ask.rule == ("FLG-059", "FLG-069", "FLG-R20")


@pytest.mark.rule("FLG-058", "FLG-059", "FLG-R27", "FLG-R39")
@pytest.mark.parametrize("foe", ["P1", "C1"])
@pytest.mark.parametrize(("start", "space"), [("M44", "M45"), ("N-I5", "N-flag")])
def test_on_a_grid_and_on_a_flag_square_they_are_taken_as_on_a_road(start: str, space: str, foe: str) -> None:
    driver = rolled("16", N={"H1": start}, S={foe: space, "P6": "S-O1"})
    move(driver, "H1:1", space)

    assert at(driver, "S", foe) == "N-prison"
    assert at(driver, "N", "H1") == space


@pytest.mark.rule("FLG-057", "FLG-060")
@pytest.mark.parametrize("foe", ["M1", "H1"])
def test_artillery_is_fought_with_dice(foe: str) -> None:
    driver = attack("P1", foe)

    assert driver.ask.key == "flag_war.battle.odds"
    assert at(driver, "S", foe) == "N-O5"


@pytest.mark.rule("FLG-061", "FLG-062", "FLG-R38")
@pytest.mark.parametrize("attacker", ["P1", "C1"])
@pytest.mark.parametrize(("die", "wins"), [("2", True), ("3", None), ("4", False)])
def test_pawns_and_carriers_fight_with_a_fixed_three(attacker: str, die: str, wins: bool | None) -> None:
    driver = attack(attacker, "M1")
    dice(driver, die)

    assert (at(driver, "S", "M1") == "N-prison") is (wins is True)
    assert (at(driver, "N", attacker) == "S-prison") is (wins is False)


@pytest.mark.rule("FLG-063", "FLG-064", "FLG-R41")
def test_a_medium_rolls_one_die_and_a_heavy_the_sum_of_two() -> None:
    driver = attack("H1", "M1")
    driver.until("flag_war.battle.roll")
    assert isinstance(driver.ask, Roll)
    assert driver.ask.dice[0].count == 2
    driver.answer(["2", "5"])
    assert isinstance(driver.ask, Roll)
    assert driver.ask.dice[0].count == 1
    driver.answer(["6"])

    assert driver.ask.rule == ("FLG-067", "FLG-068", "FLG-069", "FLG-R20")
    assert at(driver, "S", "M1") == "N-prison"


@pytest.mark.rule("FLG-065", "FLG-R40")
def test_a_blockade_defends_with_the_sum_of_both() -> None:
    driver = attack("M1", "P1", "M1")
    dice(driver, "6")
    assert driver.ask.text == "South rolls 1 die, plus 3"
    dice(driver, "2")
    assert driver.ask.rule == ("FLG-067", "FLG-045", "FLG-069", "FLG-R20")
    assert at(driver, "S", "P1") == at(driver, "S", "M1") == "N-prison"

    driver = attack("H1", "P1", "P2")
    dice(driver, "43")
    assert at(driver, "S", "P1") == at(driver, "S", "P2") == "N-prison"

    driver = attack("H1", "P1", "P2")
    dice(driver, "23")
    assert at(driver, "N", "H1") == "S-prison"


@pytest.mark.rule("FLG-066", "FLG-R32", "FLG-R33", "FLG-R36")
def test_adjacent_blockades_fight_pair_against_pair() -> None:
    driver = rolled("16", N={"M1": "N-O4", "M2": "N-O4"}, S={"P1": "N-O5", "P2": "N-O5", "P6": "S-O1"})
    move(driver, "M1:1", "N-O5")
    dice(driver, "54")

    assert at(driver, "S", "P1") == at(driver, "S", "P2") == "N-prison"
    assert at(driver, "N", "M1") == "N-O5"
    assert at(driver, "N", "M2") == "N-O4"


@pytest.mark.rule("FLG-066", "FLG-068", "FLG-R33")
def test_a_pair_that_attacks_and_loses_is_captured_whole() -> None:
    driver = rolled("16", N={"P1": "N-O4", "P2": "N-O4"}, S={"H1": "N-O5", "H2": "N-O5", "P6": "S-O1"})
    move(driver, "P1:1", "N-O5")
    dice(driver, "6661")

    assert at(driver, "N", "P1") == at(driver, "N", "P2") == "S-prison"


@pytest.mark.rule("FLG-066")
def test_a_man_of_a_blockade_fights_a_lone_man_alone() -> None:
    driver = rolled("16", N={"P1": "N-O4", "P2": "N-O4"}, S={"M1": "N-O5", "P6": "S-O1"})
    move(driver, "P1:1", "N-O5")
    dice(driver, "5")

    assert at(driver, "N", "P1") == "S-prison"
    assert at(driver, "N", "P2") == "N-O4"


@pytest.mark.rule("FLG-066", "FLG-R32")
def test_a_man_of_a_blockade_fights_one_that_is_not_adjacent_alone() -> None:
    men = {"N": {"M1": "N-O4", "M2": "N-O4"}, "S": {"P1": "N-O7", "P2": "N-O7", "P6": "S-O1"}}
    driver = rolled("36", **men)
    move(driver, "M1:3", "N-O7")
    dice(driver, "5")

    assert at(driver, "N", "M1") == "S-prison"
    assert at(driver, "N", "M2") == "N-O4"


@pytest.mark.rule("FLG-R34")
def test_beside_a_blockade_a_third_man_fights_alone() -> None:
    driver = rolled(
        "21", N={"M1": "N-O4", "M2": "N-O4", "P3": "N-O7"}, S={"P1": "N-O5", "P2": "N-O5", "P6": "S-O1"}
    )
    driver.answer("dice")
    move(driver, "P3:2", "N-O5")
    driver.until("flag_war.move.man")

    assert at(driver, "N", "P3") == "S-prison"


@pytest.mark.rule("FLG-067", "FLG-068", "FLG-069", "FLG-R37")
def test_the_higher_value_wins_and_the_loser_goes_to_the_winners_prison() -> None:
    driver = attack("P1", "M1")
    dice(driver, "5")

    told = driver.until("flag_war.news")
    assert told.text == "3 loses to 5; North P1 to South's prison; North: 6 can't be moved"
    assert told.rule == ("FLG-067", "FLG-068", "FLG-069", "FLG-R20")
    assert at(driver, "N", "P1") == "S-prison"
    assert at(driver, "S", "M1") == "N-O5"


@pytest.mark.rule("FLG-009", "FLG-069")
@pytest.mark.parametrize("captor", "NESW")
def test_every_base_has_a_prison_for_all_whom_its_army_captures(captor: str) -> None:
    play = fresh(armies="4")
    others = [seat for seat in "NESW" if seat != captor]
    losers = [(seat, name, play.state.armies[seat].men[name]) for seat in others for name in ("P1", "H1")]

    capture(play.table, captor, losers, "FLG-068")

    assert {man.at for _, _, man in losers} == {f"{captor}-prison"}
    assert list(play.check()) == []


@pytest.mark.rule("FLG-R35")
def test_equal_values_send_the_attacker_back() -> None:
    driver = rolled("16", N={"M1": "N-O4", "P1": "M44"}, S={"M1": "N-O5", "P6": "S-O1"})
    move(driver, "M1:1", "N-O5")
    dice(driver, "4", "4")
    assert driver.ask.rule == ("FLG-R35",)
    assert driver.ask.text == "4 to 4: a tie, North M1 back to N-O4"
    driver.until("flag_war.move.man")

    assert at(driver, "N", "M1") == "N-O4"
    assert at(driver, "S", "M1") == "N-O5"
    assert driver.ids() == ["P1:6"], "the die is used up"


@pytest.mark.rule("FLG-016", "FLG-025")
def test_in_sequential_play_a_stand_off_leaves_the_attacker_the_other_die() -> None:
    driver = rolled("31", {"combined_move": "sequential"}, N={"M1": "M44"}, S={"M1": "M47", "P6": "S-O1"})
    move(driver, "M1:3", "M47")
    dice(driver, "4", "4")

    assert ways(driver, "M1:1") == {"M34", "M43", "M54"}


@pytest.mark.rule("FLG-R35")
def test_in_sequential_play_a_stand_off_leads_back_to_where_that_count_began() -> None:
    foes = {"P1": "N-O4", "M1": "M04", "P6": "S-O1"}
    driver = rolled("25", {"combined_move": "sequential"}, N={"H1": "N-O2"}, S=foes)
    move(driver, "H1:2", "N-O4")
    move(driver, "H1:5", "M04")
    dice(driver, "12", "3")

    assert driver.ask.text == "3 to 3: a tie, North H1 back to N-O4"
    assert at(driver, "S", "P1") == "N-prison"
    assert at(driver, "N", "H1") == "N-O4"


@pytest.mark.rule("FLG-025", "FLG-R32")
def test_in_sequential_play_after_a_stand_off_of_pairs_the_partner_may_try_again() -> None:
    pairs = {"N": {"P1": "N-O4", "P2": "N-O4"}, "S": {"P1": "N-O5", "P2": "N-O5", "P6": "S-O1"}}
    driver = rolled("11", {"combined_move": "sequential"}, **pairs)
    move(driver, "P1:1", "N-O5")

    assert ways(driver, "P1:1") == {"N-O3"}, "where he has been he does not go twice"
    assert ways(driver, "P2:1") == {"N-O3", "N-O5"}


@pytest.mark.rule("FLG-070")
def test_the_flag_of_a_losing_carrier_goes_to_the_captor() -> None:
    driver = rolled("16", {"armies": "3"}, N={"P1": "M44"}, S={"C1": "M45", "P6": "S-O1"}, E={"P1": "E-O1"})
    state(driver).armies["S"].men["C1"].flag = "E"
    state(driver).flags["E"] = []

    move(driver, "P1:1", "M45")

    assert driver.ask.text.startswith("South C1 to North's prison; East's flag to North's flag square")
    assert driver.ask.rule == ("FLG-059", "FLG-069", "FLG-070", "FLG-R20")
    assert at(driver, "S", "C1") == "N-prison"
    assert state(driver).flags["N"] == ["N", "E"]
    assert state(driver).armies["S"].men["C1"].flag == ""


@pytest.mark.rule("FLG-065")
@pytest.mark.parametrize("row", ODDS, ids=lambda row: f"{row['attacker']}-{row['defender']}")
def test_odds_are_those_of_the_table(row: dict[str, int | str]) -> None:
    found = battle.odds(
        battle.strength(str(row["attacker"]), PIECES), battle.strength(str(row["defender"]), PIECES)
    )

    whole = int(row["of"])
    assert found == pytest.approx(
        (int(row["win"]) / whole, int(row["tie"]) / whole, int(row["loss"]) / whole)
    )


def test_a_carrier_is_told_first_whom_he_takes_and_where_a_flag_is() -> None:
    driver = rolled("16", N={"C1": "N-O4", "C2": "S-I5"}, S={"P1": "N-O5", "P6": "S-O1"})
    driver.answer("C1:1")
    assert list(labels(driver).values()) == ["N-O5: take South P1", "N-O3"]
    driver = rolled("16", N={"C2": "S-I5"}, S={"P6": "S-O1"})
    driver.answer("C2:1")
    assert list(labels(driver).values()) == ["S-flag: take a flag", "S-I4"]
    driver = rolled("16", N={"C2": "N-I5"}, S={"P6": "S-O1"})
    state(driver).armies["N"].men["C2"].flag = "S"
    state(driver).flags["S"] = []
    driver.restate()
    driver.answer("C2:1")
    assert list(labels(driver).values()) == ["N-flag: bring the flag home", "N-I4"]


def test_odds_and_dice_are_told_before_a_battle() -> None:
    driver = rolled("16", N={"H1": "N-O4"}, S={"P1": "N-O5", "M1": "N-O5", "P6": "S-O1"})
    driver.answer("H1:1")
    assert labels(driver)["N-O5"] == "N-O5: fight South P1+M1"
    driver.answer("N-O5")

    assert isinstance(driver.ask, Show)
    assert driver.ask.text == "Battle! North H1 (2 dice) against South P1+M1 (3 + 1 die)"
    assert driver.ask.detail == "wins 50%, ties and goes back 12%, is captured 38%"


@pytest.mark.parametrize(
    ("men", "foes", "chances"),
    [
        (["M1"], ["P1", "H1"], "win 1%, tie and back 1%, captured 98%"),
        (["H1"], ["H1", "H2"], "win 4%, tie and back 2%, captured 94%"),
        (["H1", "H2"], ["H1", "H2"], "H1+H2: win 46%, tie and back 8%, captured 46%"),
        (["P1", "P2"], ["H1", "H2"], "P1+P2: win 1%, tie and back 1%, captured 99%"),
        (["P1", "P2"], ["P1", "P3"], "P1+P2: win 0%, tie and back 100%, captured 0%"),
    ],
)
def test_what_is_unlikely_is_not_told_as_out_of_the_question(
    men: list[str], foes: list[str], chances: str
) -> None:
    """By the counts of throws of FLG-TB05."""
    there = dict.fromkeys(foes, "N-O5")
    driver = rolled("16", N=dict.fromkeys(men, "N-O4"), S={**there, "P6": "S-O1"})
    driver.answer(f"{men[0]}:1")

    assert isinstance(driver.ask, Choose)
    assert driver.ask.options[0].detail == chances
    driver.answer("N-O5")
    assert isinstance(driver.ask, Show)
    told = chances.rpartition(": ")[2]
    words = told.replace("win", "wins").replace("tie and back", "ties and goes back")
    assert driver.ask.detail == words.replace("captured", "is captured")


def test_a_move_that_nobody_was_asked_about_is_told_before_its_battle() -> None:
    driver = rolled("16", N={"P1": "N-O4", "H1": "N-O3", "H2": "N-O3"}, S={"M1": "N-O5", "P6": "S-O1"})
    driver.answer("P1:1")

    assert driver.ask.text == "North P1 moves 1: N-O4 to N-O5"
    driver.answer()
    assert driver.ask.key == "flag_war.battle.odds"


@pytest.mark.rule("FLG-066", "FLG-R33")
def test_that_both_of_a_pair_fight_and_may_be_captured_is_told_before_the_battle() -> None:
    driver = rolled("16", N={"P1": "N-O4", "P2": "N-O4"}, S={"M1": "N-O5", "M2": "N-O5", "P6": "S-O1"})
    driver.answer("P1:1")
    assert isinstance(driver.ask, Choose)
    assert driver.ask.options[0].detail == "P1+P2: win 28%, tie and back 14%, captured 58%"
    driver.answer("N-O5")

    assert driver.ask.text == "Battle! North P1+P2 (6) against South M1+M2 (2 dice)"


@pytest.mark.parametrize("policy", ["raider", "guard"])
def test_the_boxs_carrier_throws_no_flag_away_where_it_can_hardly_win_its_flag_square(policy: str) -> None:
    driver = at_roll({"north": policy}, N={"C1": "N-I4", "P1": "M44"}, S={"H1": "N-flag"})
    war = state(driver)
    war.armies["N"].men["C1"].flag, war.flags["S"] = "S", []
    driver.answer(["2", "5"])
    driver.until("flag_war.turn.roll")

    assert war.armies["N"].men["C1"].flag == "S"


@pytest.mark.parametrize("policy", ["raider", "guard"])
@pytest.mark.parametrize(
    ("man", "foe", "fights"), [("H1", "M1", True), ("P1", "H1", False), ("P1", "C1", True)]
)
def test_the_box_fights_where_it_has_more_to_win_than_to_lose(
    policy: str, man: str, foe: str, fights: bool
) -> None:
    driver = rolled("36", N={man: "M44"}, S={foe: "M47", "P6": "S-O1"})
    driver.answer(f"{man}:3")

    assert (driver.play.advise(driver.ask, policy) == "M47") is fights


@pytest.mark.parametrize("policy", ["raider", "guard"])
def test_the_box_makes_no_attack_that_cannot_win(policy: str) -> None:
    side_by_side = {"C1": "S-O3", "C2": "S-O3", "P1": "M44"}
    driver = rolled("11", N=side_by_side, S={"C1": "S-O2", "C2": "S-O2", "P6": "S-F44"})

    assert driver.play.advise(driver.ask, policy) == "P1:2"
    driver.answer("C1:1")
    assert driver.play.advise(driver.ask, policy) == "S-O4"
