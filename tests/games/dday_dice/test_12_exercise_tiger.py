"""N-01 Exercise Tiger and its three trainings (DDD-214 to DDD-233)."""

from __future__ import annotations

import tomllib

import pytest

from companion.games.dday_dice import GAME
from companion.games.dday_dice.combat import combat
from companion.games.dday_dice.effects import Rwb
from companion.games.dday_dice.ending import over
from companion.games.dday_dice.moving import move_units, moves
from companion.games.dday_dice.play import turn
from companion.games.dday_dice.records import Attributes
from companion.games.dday_dice.recruiting import recruit_and_find
from companion.games.dday_dice.rolling import roll_the_dice
from companion.games.dday_dice.state import Status
from companion.games.dday_dice.upkeep import turn_marker, upkeep
from tests.games.dday_dice.beach import act, alone, begin, figures, put, shipped, show, together

LEDGER = tomllib.loads((GAME.folder / "ledger.toml").read_text(encoding="utf-8"))
PRACTICE, BASIC = "tiger_practice", "tiger_basic"
GUNS = ("5", "7", "8", "9", "10", "Bunker")


@pytest.mark.rule("DDD-214")
def test_the_boards_are_numbered_n_01_to_n_08_and_offered_in_that_order() -> None:
    codes = [board.code for board in shipped().map.values() if board.code]

    assert sorted(codes) == [f"N-0{n}" for n in range(1, 9)]
    printed = [
        s.maps[0] for s in shipped().scenario.values() if len(s.maps) == 1 and shipped().map[s.maps[0]].code
    ]
    order = [shipped().map[board].code for board in dict.fromkeys(printed)]
    assert order == sorted(order)


@pytest.mark.rule("DDD-F01", "DDD-F02", "DDD-F03", "DDD-F04", "DDD-F05", "DDD-F06", "DDD-F07")
def test_the_board_is_that_of_the_photograph() -> None:
    battle, unit = alone()
    sectors = battle.field.sectors

    assert [s.defence[0] for s in sectors.values()] == [2, 4, 4, 6, 3, 6, 8, 8, 10, 10, 12]
    assert [n for n, s in sectors.items() if s.shield] == ["4", "6"]
    assert {n: s.guns for n, s in sectors.items() if s.guns} == dict.fromkeys(GUNS, 1)
    assert not any(s.damage for s in sectors.values())
    ways = {(n, way.to): way for n, there in battle.field.ways.items() for way in there}
    assert {tuple(sorted(pair)) for pair, way in ways.items() if way.mines} == {
        ("2", "3"),
        ("5", "7"),
        ("5", "8"),
        ("7", "9"),
        ("10", "8"),
    }
    by_row = {1: 1, 2: 2, 3: 2, 4: 3, 5: 4}
    for (name, _), way in ways.items():
        assert way.courage == (by_row[sectors[name].row] if way.advance else 0), (name, way)
    assert ("7", "10") not in ways
    assert ("8", "9") not in ways
    assert not any(way.barrier for way in ways.values())
    assert battle.field.starts() == ("1",)
    assert figures(unit) == (4, 0, 0, 0)
    assert not battle.field.stand_in


# --- Practice Run


@pytest.mark.rule("DDD-216")
def test_in_the_practice_run_only_the_def_counts() -> None:
    battle, unit = alone(PRACTICE)
    put(battle, unit, "2", soldiers=9, courage=9)

    assert "5" in [way.to for way in moves(battle, unit)]
    act(upkeep(battle, show(unit, "R 1S 1S W 2S 2S B To 1S")))
    assert unit.courage == 9


@pytest.mark.rule("DDD-216", "DDD-223")
@pytest.mark.parametrize("training", [PRACTICE, BASIC])
def test_no_sector_of_a_training_does_what_its_print_says_but_for_the_black_shields(training: str) -> None:
    battle, _ = alone(training)
    plain = Attributes()

    for name in battle.field.sectors:
        place = battle.place(name)
        assert [f for f in Attributes.__struct_fields__ if getattr(place, f) != getattr(plain, f)] == (
            ["shield"] if name in {"4", "6"} else []
        )


@pytest.mark.rule("DDD-217")
@pytest.mark.parametrize("training", [PRACTICE, BASIC])
@pytest.mark.parametrize("sector", ["4", "6"])
def test_black_shields_hold_in_the_trainings(training: str, sector: str) -> None:
    battle, unit = alone(training)
    put(battle, unit, sector, soldiers=9)

    turn_marker(battle, unit)

    assert battle.must_move(unit)


@pytest.mark.rule("DDD-218")
def test_in_the_practice_run_guns_and_mines_are_ignored() -> None:
    battle, unit = alone(PRACTICE)
    put(battle, unit, "5", soldiers=20, courage=9)
    stage = act(combat(battle))
    assert stage.keys == ["combat"]
    assert unit.soldiers == 17

    stage = act(move_units(battle), "move:7")

    assert stage.keys == ["move"]
    assert unit.soldiers == 17


@pytest.mark.rule("DDD-219")
def test_in_the_practice_run_only_soldiers_and_courage_count() -> None:
    battle, unit = alone(PRACTICE)
    put(battle, unit, "1", soldiers=0)

    stage = act(upkeep(battle, show(unit, "R Sk Co W 2S Sk B To Co")))

    assert stage.keys == ["upkeep"]
    assert figures(unit) == (2, 0, 2, 0)

    act(upkeep(battle, show(unit, "R St St W 1S Sk B To Co")))

    assert figures(unit) == (3, 0, 3, 0)


@pytest.mark.rule("DDD-220", "DDD-225", "DDD-229")
@pytest.mark.parametrize("training", [PRACTICE, BASIC, "tiger_advanced"])
def test_the_goal_is_to_survive_in_the_bunker(training: str) -> None:
    battle, unit = alone(training)
    put(battle, unit, "Bunker", soldiers=30)

    act(combat(battle), *([] if training == PRACTICE else [["6"]]))

    outcome = over(battle)
    assert outcome is not None
    assert outcome.result == "won"
    assert unit.soldiers == (18 if training == PRACTICE else 12)


@pytest.mark.rule("DDD-221", "DDD-225", "DDD-R75")
@pytest.mark.parametrize("training", [PRACTICE, BASIC])
def test_in_the_first_trainings_the_others_go_on_when_a_unit_is_killed(training: str) -> None:
    battle, (one, two) = together(training)
    one.status = Status.LOST
    put(battle, two, "4", soldiers=20)
    assert over(battle) is None

    put(battle, two, "Bunker", soldiers=30)
    act(combat(battle), *([] if training == PRACTICE else [["6"]]))

    outcome = over(battle)
    assert outcome is not None
    assert outcome.result == "won"


def test_who_is_wiped_out_by_mines_while_the_others_go_on_is_told_of_it() -> None:
    battle, (one, two) = together(BASIC)
    put(battle, one, "5", soldiers=2, courage=5)
    put(battle, two, "4", soldiers=30)

    act(move_units(battle), "move:7", ["5"], "stay")
    report = act(combat(battle)).asks[-1].text

    assert over(battle) is None
    assert report.startswith("A: 5 lost to mines; wiped out on the way\nB: 6 lost")


@pytest.mark.rule("DDD-229")
def test_in_the_advanced_training_one_killed_unit_loses_for_all() -> None:
    battle, (one, _) = together()
    one.status = Status.LOST

    outcome = over(battle)

    assert outcome is not None
    assert outcome.result == "lost"


# --- Basic Training


@pytest.mark.rule("DDD-223")
def test_basic_training_keeps_guns_and_mines_and_no_other_print() -> None:
    battle, unit = alone(BASIC)
    put(battle, unit, "2", soldiers=30, courage=9)
    assert "5" in [way.to for way in moves(battle, unit)]
    act(upkeep(battle, show(unit, "R 1S 1S W 2S 2S B To 1S")))
    assert unit.courage == 9
    put(battle, unit, "5")
    act(combat(battle), ["4"])
    assert unit.soldiers == 30 + 7 - 7

    stage = act(move_units(battle), "move:7", ["3"])

    assert "mines" in stage.keys
    assert unit.soldiers == 27


@pytest.mark.rule("DDD-224")
def test_basic_training_has_five_regular_and_four_unique_specialists() -> None:
    battle, unit = alone(BASIC)

    assert sorted(unit.hand) == ["Beachmaster", "Corporal", "Medic", "Minesweeper", "Sharpshooter"]
    assert sorted(battle.state.pool_specialists) == ["Captain", "Engineer", "General", "Lieutenant"]

    put(battle, unit, "4", soldiers=9, stars=4)
    act(recruit_and_find(battle, unit), "recruit:Medic")

    assert unit.specialists == ["Medic"]


@pytest.mark.rule("DDD-226")
def test_basic_training_ranks_the_players_by_victory_points() -> None:
    battle, units = together(BASIC)
    for unit, soldiers in zip(units, (9, 5), strict=True):
        put(battle, unit, "Bunker", soldiers=soldiers)
        unit.status = Status.SAFE

    outcome = over(battle)

    assert outcome is not None
    assert outcome.score["vp A"] == outcome.score["vp B"] + 4


@pytest.mark.rule("DDD-227")
def test_basic_training_has_no_items_and_tools_are_worth_nothing() -> None:
    battle, unit = alone(BASIC)
    put(battle, unit, "4", soldiers=1)

    stage = act(upkeep(battle, show(unit, "R To 1S W To 1S B To St")))

    assert battle.state.pool_items == []
    assert (unit.stars, unit.points) == (1, 0), "nor is a Special Find scored"
    assert stage.keys == ["upkeep"]


@pytest.mark.rule("DDD-033", "DDD-227")
def test_a_skull_may_cancel_a_die_with_a_tool_in_basic_training_too() -> None:
    battle, unit = alone(BASIC)
    put(battle, unit, "4", soldiers=1)
    act(upkeep(battle, show(unit, "R Sk St W St 2S B To Co")), "4")
    assert figures(unit) == (3, 2, 1, 0)


@pytest.mark.rule("DDD-R74")
def test_a_white_tool_of_leadership_is_worth_nothing_in_basic_training() -> None:
    battle, unit = alone(BASIC)
    put(battle, unit, "4", soldiers=1)

    act(upkeep(battle, show(unit, "R St 1S W St 1S B St 2S")), "tool")

    assert figures(unit) == (5, 3, 0, 0)


# --- Advanced Training


@pytest.mark.rule("DDD-228")
def test_advanced_training_has_every_feature_and_items() -> None:
    battle, unit = alone()
    put(battle, unit, "5", soldiers=20, points=11)

    assert "find:Grenade" in begin(recruit_and_find(battle, unit)).ids("recruit")
    act(upkeep(battle, show(unit, "R 1S 1S W 2S 2S B To 1S")))
    assert unit.points == 11 + 3


@pytest.mark.rule("DDD-228", "DDD-R11")
def test_in_sector_8_five_dice_are_rolled_and_the_player_says_which() -> None:
    battle, unit = alone()
    put(battle, unit, "8", soldiers=9)

    stage = begin(roll_the_dice(battle, unit), "white", ["star"] * 5, ["r1", "w2"])

    assert [(kind.colour, kind.count) for kind in stage.asks[1].dice] == [
        ("red", 2),
        ("white", 1),
        ("blue", 2),
    ]
    assert len(unit.dice) == 5


@pytest.mark.rule("DDD-230")
@pytest.mark.parametrize(("sector", "name"), [("2", "Scout"), ("3", "Sharpshooter")])
def test_the_specialist_printed_in_sectors_2_and_3_joins_by_himself(sector: str, name: str) -> None:
    battle, unit = alone()
    put(battle, unit, "1", soldiers=9, courage=1)

    act(move_units(battle), f"move:{sector}")

    assert unit.specialists == [name]
    assert unit.stars == 0


@pytest.mark.rule("DDD-078", "DDD-230")
@pytest.mark.parametrize(("sector", "name"), [("2", "Scout"), ("3", "Sharpshooter")])
def test_every_unit_has_its_own_card_of_the_specialist_who_joins_there(sector: str, name: str) -> None:
    battle, (one, two) = together()
    for unit in (one, two):
        put(battle, unit, "1", soldiers=9, courage=1)

    act(move_units(battle), f"move:{sector}", f"move:{sector}")

    assert one.specialists == two.specialists == [name]


@pytest.mark.rule("DDD-231")
@pytest.mark.parametrize(("start", "to"), [("4", "7"), ("8", "10")])
def test_sectors_7_and_10_ask_for_a_sacrifice(start: str, to: str) -> None:
    battle, unit = alone()
    put(battle, unit, start, soldiers=30, courage=9)
    assert to not in [way.to for way in moves(battle, unit)]

    unit.turn.battle_cry = True

    assert to in [way.to for way in moves(battle, unit)]


@pytest.mark.rule("DDD-132", "DDD-231")
def test_sector_7_takes_a_specialist_of_who_comes_sideways_too() -> None:
    battle, unit = alone()
    put(battle, unit, "8", soldiers=30)
    assert "7" not in [way.to for way in moves(battle, unit)]
    unit.specialists = ["Scout"]

    act(move_units(battle), "move:7")

    assert (unit.sector, unit.specialists, unit.courage) == ("7", [], 0)


@pytest.mark.rule("DDD-232")
def test_in_sector_9_nothing_is_found_but_all_can_be_used() -> None:
    battle, unit = alone()
    put(battle, unit, "9", soldiers=30, points=48, items=["Walkie-Talkie"])

    offered = begin(recruit_and_find(battle, unit)).ids("recruit")

    assert offered == ["done", "use:Walkie-Talkie"]


@pytest.mark.rule("DDD-233")
def test_sector_10_brings_a_die_of_soldiers_on_moving_in_only() -> None:
    battle, unit = alone()
    put(battle, unit, "8", soldiers=9, courage=3, specialists=["Minesweeper", "Scout"])

    act(move_units(battle), "move:10", "Scout", ["4"])
    assert unit.soldiers == 13

    stage = act(upkeep(battle, show(unit, "R 1S 1S W St St B To To")))
    assert "entry" not in stage.keys
    assert unit.soldiers == 15


@pytest.mark.rule("DDD-R72")
def test_soldier_and_courage_bonuses_count_in_the_practice_run() -> None:
    battle, unit = alone(PRACTICE)
    put(battle, unit, "1", soldiers=0)

    act(upkeep(battle, show(unit, "R 2S Co W 2S Sk B 2S Co")))

    assert unit.turn.scored == [Rwb.FRESH_TROOPS]
    assert unit.soldiers == 12


@pytest.mark.rule("DDD-R72")
def test_in_the_practice_run_there_are_no_awards_specialists_or_items() -> None:
    battle, unit = alone(PRACTICE)
    put(battle, unit, "1", soldiers=1, stars=9, courage=9, points=48)

    assert act(upkeep(battle, show(unit, "R Sk St W 1S 2S B To Co"))).keys == ["upkeep"]
    assert figures(unit) == (4, 9, 10, 48)
    assert act(recruit_and_find(battle, unit)).keys == []
    assert [unit.hand, battle.state.pool_specialists, battle.state.pool_items] == [[], [], []]


@pytest.mark.rule("DDD-R72")
def test_in_the_practice_run_units_that_may_trade_are_sold_no_award() -> None:
    battle, (one, two) = together(PRACTICE)
    for unit in (one, two):
        put(battle, unit, "1", soldiers=9, courage=9)

    assert begin(recruit_and_find(battle, one)).ids("recruit") == ["done", "give"]


@pytest.mark.parametrize(
    ("scenario", "stars", "text"),
    [(PRACTICE, 9, "A: Trade?"), (BASIC, 1, "A: Trade?"), (BASIC, 2, "A: Recruit or find?")],
)
def test_who_can_only_trade_is_not_asked_to_recruit_or_find(scenario: str, stars: int, text: str) -> None:
    battle, (one, _) = together(scenario)
    one.stars = stars

    question = begin(recruit_and_find(battle, one)).open

    assert question is not None
    assert question.text == text
    assert ("DDD-102" in question.rule) is ("Trade?" in text)


@pytest.mark.rule("DDD-114", "DDD-117", "DDD-118")
def test_the_ways_to_the_bunker_are_those_of_the_ledgers_edges() -> None:
    """R20: every path that the game allows a Unit that nothing stops, against the board's own lines."""
    board = next(one for one in LEDGER["map"] if one["id"] == "tiger")
    lines = {(edge["a"], edge["b"]) for edge in board["edges"]}
    lines |= {(edge["b"], edge["a"]) for edge in board["edges"] if edge["kind"] == "sideways"}

    def brute(path: tuple[str, ...]) -> set[tuple[str, ...]]:
        if path[-1] == "Bunker":
            return {path}
        ends = [b for a, b in lines if a == path[-1] and b not in path]
        return {full for end in ends for full in brute((*path, end))}

    def game(path: tuple[str, ...]) -> set[tuple[str, ...]]:
        if path[-1] == "Bunker":
            return {path}
        battle, unit = alone()
        put(battle, unit, path[-1], visited=list(path))
        unit.turn.battle_cry = True
        return {full for way in moves(battle, unit) for full in game((*path, way.to))}

    assert game(("1",)) == brute(("1",))
    assert len(brute(("1",))) == 128


@pytest.mark.rule("DDD-225", "DDD-095")
def test_in_basic_training_the_vehicle_of_a_lost_unit_works_for_one_combat_more_at_most() -> None:
    battle, (one, two) = together("tiger_basic")
    put(battle, one, "8", soldiers=5, vehicle="Tank")
    put(battle, two, "8", soldiers=20)

    act(combat(battle), ["3"], "done", "done")
    assert (one.status, two.soldiers) == ("lost", 20 - 6 - 3)
    begin(turn(battle))

    assert battle.defence(two, "8", 0) == 8
    assert battle.state.vehicles_gone == ["Tank"]
