"""Enemy Unknown: reading solo cards, the terms on them, and whom the bot attacks."""

from __future__ import annotations

import msgspec
import pytest

from companion.games.undaunted import bot, combat
from companion.games.undaunted.actions import parse
from companion.games.undaunted.language import FACES, condition, place, who
from companion.games.undaunted.printer import card_text, condition_text, failed_text
from companion.games.undaunted.sight import Sight
from companion.games.undaunted.solo import Choice, Decision
from companion.games.undaunted.state import Counter, Marker
from companion.games.undaunted.table import Table
from tests.games.undaunted.field import (
    ARMOUR,
    NIGHT,
    Ran,
    altered,
    can,
    controlled,
    decide,
    fresh,
    line,
    mine,
    options,
    put,
    resolve,
    row,
    run,
    scouted,
    solo,
    staged,
    sub,
    teach,
)


def board() -> Table:
    """La Raye, the bot's Riflemen B on 3B, the tiles around scouted; both sides have Riflemen elsewhere."""
    table = staged()
    put(table, "ge", "rifleman-b", "3B")
    put(table, "us", "rifleman-b", "17B")
    scouted(table, "ge", "3B", "6A", "13B", "16B", "8A")
    return table


def see(table: Table, card: str = "rifleman-b") -> Sight:
    return Sight(table, "ge", card, table.counter("ge", card))


def label(decision: Decision) -> str:
    return decision.effect.label if decision.effect else ""


# Layout


@pytest.mark.rule("UND-164", "UND-165", "UND-166", "UND-167", "UND-168", "UND-169", "UND-170")
def test_a_card_shows_title_scenarios_special_rules_lines_keywords_and_tiebreakers() -> None:
    table = fresh().table
    card = table.solo("rifleman-a")
    assert card is not None
    text = card_text(card, table.pack)
    assert text[0] == "RIFLEMAN (La Raye; any bot) [stand-in]"
    assert text[1] == "1. CONTROL"
    assert text[3] == "3. Its tile is secure: MOVE 1"
    assert text[5] == "   B. to an uncontrolled objective [not enemy rifleman, value, cover]"
    special = card_text(solo("rifleman", line("control"), box=("never attack above 9",)), table.pack)
    assert special[1] == "  ! never attack above 9"


# Which line


@pytest.mark.rule("UND-159", "UND-171", "UND-172")
def test_the_first_line_whose_condition_holds_is_resolved() -> None:
    table = board()
    told = decide(table, "rifleman-b", line("attack", when=["enemy: here"]), line("attack"), line("control"))
    assert label(told) == "2"
    assert told.passed == (("1", "no enemy is on its tile"),)
    put(table, "us", "scout-a", "3B")
    assert label(decide(table, "rifleman-b", line("attack", when=["enemy: here"]), line("attack"))) == "1"


@pytest.mark.rule("UND-172")
@pytest.mark.parametrize(("side", "text"), [("ge", "needs 2"), ("us", "enemy needs 2")])
def test_who_has_to_pin_the_other_needs_no_points(side: str, text: str) -> None:
    table = fresh().table
    controlled(table, "us", "2B", "13B")
    assert see(table).holds(condition(text))
    other = {"us": "ge", "ge": "us"}[side]
    for points in ({other: 5, side: 0}, {other: 5}):
        sheet = altered("la-raye", {"points": points, "pins": (side,)}).table
        controlled(sheet, "us", "2B", "13B")
        assert not see(sheet).holds(condition(text))


@pytest.mark.parametrize("text", ["suppressed", "on board", "here: not objective"])
def test_a_card_without_a_counter_is_nowhere_and_never_suppressed(text: str) -> None:
    assert not see(board(), "leader-b").holds(condition(text))


@pytest.mark.rule("UND-172")
def test_all_words_of_a_condition_are_about_one_and_the_same_unit() -> None:
    table = board()
    put(table, "us", "scout-a", "6A")
    assert not see(table).holds(condition("enemy: rifleman, within 1"))
    put(table, "us", "rifleman-a", "6A")
    assert see(table).holds(condition("enemy: rifleman, within 1"))


@pytest.mark.rule("UND-160")
def test_no_line_no_deed() -> None:
    table = board()
    teach(table, solo("rifleman", line("control")))
    before = table.state.sides["ge"].counters["rifleman-b"].tile
    ran = resolve(table, "rifleman-b")
    assert ran.asks[0].text == "Rifleman B: nothing"
    assert table.state.sides["ge"].counters["rifleman-b"].tile == before


def test_that_fog_of_war_does_nothing_is_said_once() -> None:
    (said,) = resolve(board(), "fog").asks
    assert (said.text, said.detail) == ("Fog of War: nothing", "")


@pytest.mark.rule("UND-173", "UND-R24")
def test_a_condition_that_could_hold_for_some_choice_is_enough() -> None:
    table = board()
    put(table, "us", "scout-a", "17B")
    put(table, "us", "scout-b", "13B")
    told = decide(table, "rifleman-b", line("attack", when=["enemy: within 1"]))
    assert options(told) == {"scout-b"}


@pytest.mark.rule("UND-173", "UND-R24")
def test_a_defence_is_measured_with_the_lines_own_action() -> None:
    table = staged(ARMOUR)
    put(table, "ge", "mortar", "1B")
    put(table, "us", "rifleman-a", "12B")
    table.state.sides["ge"].target = "12B"
    plain = combat.targets(table, "ge", parse("attack 1"), "1B")[0][1].total
    assert combat.targets(table, "ge", parse("blast 1"), "1B")[0][1].total == 4 < plain
    easy = ["enemy: defence at most 4"]
    assert label(decide(table, "mortar", line("blast", when=easy))) == "1"
    assert decide(table, "mortar", line("attack 1", when=easy)).effect is None
    either = line("", sub("attack 1"), sub("blast"), when=easy)
    assert label(decide(table, "mortar", either)) == "1B"
    put(table, "ge", "tank", "1B")
    put(table, "us", "tank", "1B")
    against = combat.targets(table, "ge", parse("antitank 3"), "1B")[0][1].total
    armoured = [f"enemy: vehicle, defence at most {against}"]
    assert options(decide(table, "tank", line("antitank 3", when=armoured))) == {"tank"}
    armoured = [f"enemy: vehicle, defence at most {against - 1}"]
    assert decide(table, "tank", line("antitank 3", when=armoured)).effect is None


@pytest.mark.rule("UND-174", "UND-176", "UND-R26")
def test_a_line_that_would_not_achieve_its_aim_does_not_apply() -> None:
    table = board()
    told = decide(table, "rifleman-b", line("move", toward=["spawn"]), line("attack"))
    assert label(told) == "1"
    del table.state.sides["ge"].markers["8A"]  # 13B is left, which is as far away
    told = decide(table, "rifleman-b", line("move", toward=["spawn"]), line("attack"))
    assert label(told) == "2"
    scouted(table, "ge", "8A")
    table.state.sides["ge"].counters["rifleman-b"].tile = "5B"
    told = decide(table, "rifleman-b", line("move", toward=["spawn"]), line("attack"))
    assert label(told) == "2"
    assert "no closer" in told.passed[0][1]
    assert decide(table, "rifleman-b", line("move", to=["spawn"])).effect is None
    told = decide(table, "rifleman-b", line("move", toward=["threatened objective"]))
    assert told.passed == (("1", "no tile is a threatened objective"),)


@pytest.mark.rule("UND-R26")
def test_a_unit_on_the_best_tile_stays_there() -> None:
    table = staged()
    scouted(table, "ge", *table.ground.tiles)
    put(table, "ge", "rifleman-b", "13B")
    best = line("move 1", to=["objective"], ties=["value"])
    told = decide(table, "rifleman-b", best, line("attack"))
    assert told.passed[0] == ("1", "it is on the best tile already")
    assert options(decide(table, "rifleman-b", line("move 1", to=["objective"]))) == {"2B", "16B"}
    by_cover = line("move 1", sub(ties=["value"]), sub(ties=["cover"]), to=["objective"])
    assert label(decide(table, "rifleman-b", by_cover)) == "1B"
    put(table, "ge", "rifleman-b", "16B")
    assert options(decide(table, "rifleman-b", best)) == {"6A", "13B"}


@pytest.mark.rule("UND-R26")
def test_guide_takes_nobody_off_the_best_tile() -> None:
    table = staged()
    scouted(table, "ge", *table.ground.tiles)
    put(table, "ge", "rifleman-b", "13B")
    at = put(table, "ge", "rifleman-a", "12B")
    best = line("guide 1", to=["uncontrolled objective"], ties=["value"])
    told = decide(table, "guide", best)
    assert told.effect is not None
    assert [(one.counter, one.tile) for one in told.effect.choices] == [(at, "5B")]
    at.tile = ""
    assert decide(table, "guide", best).effect is None


@pytest.mark.rule("UND-175", "UND-188", "UND-189")
def test_the_bot_never_moves_where_it_has_not_scouted() -> None:
    table = board()
    table.state.sides["ge"].markers = {"3B": Marker.SCOUTED}
    scouted(table, "us", *table.ground.tiles)
    controlled(table, "us", "6A")
    assert decide(table, "rifleman-b", line("move", to=["objective"])).effect is None
    assert decide(table, "guide", line("guide 1", to=["objective"])).effect is None
    scouted(table, "ge", "16B")
    assert options(decide(table, "rifleman-b", line("move", to=["objective"]))) == {"16B"}
    assert options(decide(table, "guide", line("guide 1", to=["objective"]))) == {"16B"}


@pytest.mark.rule("UND-175", "UND-188")
@pytest.mark.parametrize("do", ["suppress", "guide", "stalk"])
def test_a_unit_takes_no_action_that_neither_its_card_nor_its_line_gives_a_number(do: str) -> None:
    table = board()
    told = decide(table, "rifleman-b", line(do), line("move 1"))
    assert told.passed == (("1", f"it has no {do}"),)


@pytest.mark.rule("UND-175", "UND-364")
def test_the_bot_never_drives_onto_rough_terrain() -> None:
    table = staged(NIGHT)
    put(table, "it", "medium-tank", "D1")
    put(table, "it", "crewman-a", "D1", vehicle="medium-tank", seat=0)
    scouted(table, "it", "D4", "D2")
    assert table.ground.tiles["D4"].rough
    told = decide(table, "crewman-a", line("drive 1", to=["not enemy"]))
    assert options(told) == {"D2"}
    assert decide(table, "crewman-a", line("drive 1", to=["cover at least 2"])).effect is None


@pytest.mark.rule("UND-177")
def test_scouting_what_is_scouted_is_no_effect() -> None:
    table = board()
    put(table, "ge", "scout-b", "3B")
    assert decide(table, "scout-b", line("scout 1")).effect is None
    del table.state.sides["ge"].markers["16B"]
    assert options(decide(table, "scout-b", line("scout 1"))) == {"16B"}


@pytest.mark.rule("UND-177", "UND-182")
def test_tiebreakers_choose_among_tiles_to_scout_and_not_whether_to() -> None:
    table = staged()
    scouted(table, "ge", "17B")
    put(table, "ge", "scout-b", "17B")
    best = line("scout 1", to=["not enemy"], ties=["cover"])
    assert options(decide(table, "scout-b", best)) == {"2B", "7A"}
    scouted(table, "ge", *table.ground.tiles)
    assert decide(table, "scout-b", line("move 1", to=["not enemy"], ties=["cover"])).effect is None


@pytest.mark.rule("UND-177")
def test_navigating_closer_through_scouted_tiles_alone_is_no_effect() -> None:
    table = staged(NIGHT)
    put(table, "it", "scout-car", "D1")
    put(table, "it", "desert-scout-a", "D1", vehicle="scout-car")
    scouted(table, "it", *table.ground.tiles)
    closer = line("navigate 2", toward=["structure"])
    told = decide(table, "desert-scout-a", closer)
    assert told.passed == (("1", "every tile in reach is scouted"),)
    del table.state.sides["it"].markers["D2"]
    told = decide(table, "desert-scout-a", closer)
    assert told.effect is not None
    assert all("D2" in choice.path for choice in told.effect.choices)


@pytest.mark.rule("UND-178", "UND-191")
def test_the_bot_controls_only_to_claim_points_and_by_the_changed_rule() -> None:
    table = board()
    at = table.state.sides["ge"].counters["rifleman-b"]
    assert decide(table, "rifleman-b", line("control")).effect is None
    at.tile = "6A"
    controlled(table, "ge", "6A")
    assert decide(table, "rifleman-b", line("control")).passed == (("1", "the bot controls tile 6A already"),)
    assert decide(table, "leader-b", line("control")).passed == (("1", "it has no counter on foot"),)
    scouted(table, "ge", "6A")
    assert label(decide(table, "rifleman-b", line("control"))) == "1"
    controlled(table, "us", "6A")
    assert label(decide(table, "rifleman-b", line("control"))) == "1"
    put(table, "us", "scout-a", "6A")
    assert decide(table, "rifleman-b", line("control")).passed == (("1", "an enemy holds tile 6A"),)
    table.state.sides["us"].markers.clear()
    assert label(decide(table, "rifleman-b", line("control"))) == "1"
    controlled(table, "ge", "6A")
    assert decide(table, "rifleman-b", line("control")).effect is None


@pytest.mark.rule("UND-178")
def test_the_bot_claims_the_first_point_of_a_radio_tile_without_an_objective_marker() -> None:
    table = altered("la-raye", {"radio": "3B", "raises_radio": "ge"}).table
    put(table, "ge", "rifleman-b", "3B")
    assert decide(table, "rifleman-b", line("control")).effect is None
    controlled(table, "ge", "3B", "8A")
    put(table, "ge", "rifleman-a", "8A")
    assert decide(table, "rifleman-a", line("control")).effect is None, "it is no radio tile"
    teach(table, solo("rifleman", line("control")))
    resolve(table, "rifleman-b")
    assert table.value("3B") == 1


@pytest.mark.rule("UND-178")
def test_the_bot_adds_nothing_to_a_radio_tile_that_the_other_side_alone_raises() -> None:
    table = altered("la-raye", {"radio": "3B", "raises_radio": "us"}).table
    put(table, "ge", "rifleman-b", "3B")
    controlled(table, "ge", "3B")
    assert decide(table, "rifleman-b", line("control")).effect is None
    table = altered("la-raye", {"radio": "3B", "raises_radio": "us"}, side="ge").table
    put(table, "ge", "rifleman-b", "3B")
    controlled(table, "ge", "3B")
    assert not can(table, "ge", "rifleman-b", "control")


@pytest.mark.rule("UND-179")
def test_the_condition_names_the_target_even_if_another_is_easier() -> None:
    table = board()
    put(table, "us", "rifleman-a", "6A")
    put(table, "us", "scout-a", "3B")
    easier = combat.targets(table, "ge", parse("attack 1"), "3B")
    assert min(easier, key=lambda pair: pair[1].total)[0].unit == "scout-a"
    put(table, "us", "machine-gunner-a", "3B")
    told = decide(table, "rifleman-b", line("attack", when=["enemy: rifleman, within 1"]))
    assert options(told) == {"rifleman-a"}
    unless = line("attack", when=["enemy: rifleman, within 1"], at=["any"])
    assert options(decide(table, "rifleman-b", unless)) == {"machine-gunner-a"}


@pytest.mark.rule("UND-179")
def test_a_move_towards_an_enemy_goes_to_the_one_of_the_condition() -> None:
    table = staged()
    scouted(table, "ge", *table.ground.tiles)
    put(table, "ge", "rifleman-b", "13B")
    put(table, "us", "scout-a", "17B")
    put(table, "us", "sniper", "5B")
    closer = line("move 1", when=["enemy: sniper, within 2"], toward=["enemy"])
    assert options(decide(table, "rifleman-b", closer)) == {"12B", "8A"}
    unless = line("move 1", when=["enemy: sniper, within 2"], toward=["enemy"], at=["any"])
    assert options(decide(table, "rifleman-b", unless)) == {"17B"}
    otherwise = line("move 1", when=["enemy: sniper, within 2"], toward=["enemy scout"])
    assert options(decide(table, "rifleman-b", otherwise)) == {"17B"}
    onto = line("move 1", when=["tile: enemy, within 1", "enemy: sniper"], to=["enemy"])
    assert decide(table, "rifleman-b", onto).passed == (("1", "no tile in reach is occupied by an enemy"),)
    there = line("move 1", when=["enemy: scout, within 1"], to=["enemy"], ties=["value"])
    assert options(decide(table, "rifleman-b", there)) == {"17B"}
    put(table, "us", "rifleman-a", "17B")  # beside the one that is meant
    assert options(decide(table, "rifleman-b", there)) == {"17B"}


@pytest.mark.rule("UND-179")
def test_a_tile_that_is_selected_or_aimed_at_holds_the_enemy_of_the_condition() -> None:
    table = staged()
    put(table, "ge", "mortar", "11B")
    put(table, "us", "scout-a", "6A")
    put(table, "us", "sniper", "2B")
    named = ["enemy: sniper"]
    for do in ("target", "select 5"):
        assert options(decide(table, "mortar", line(do, when=named, to=["enemy"]))) == {"2B"}
        unless = line(do, when=named, to=["enemy"], at=["any"])
        assert options(decide(table, "mortar", unless)) == {"2B", "6A"}


@pytest.mark.rule("UND-177", "UND-182")
def test_a_target_marker_stays_on_the_tile_that_the_ties_prefer() -> None:
    table = staged()
    put(table, "ge", "mortar", "11B")
    put(table, "us", "scout-a", "6A")
    put(table, "us", "sniper", "2B")
    put(table, "us", "rifleman-a", "2B")
    lines = line("target", to=["enemy"], ties=["high population"]), line("blast 1")
    for marker, then in (("6A", "1"), ("2B", "2"), ("17B", "1")):
        table.state.sides["ge"].target = marker
        assert label(decide(table, "mortar", *lines)) == then
    table.state.sides["ge"].target = "6A"
    teach(table, solo("mortar", *lines))
    assert resolve(table, "mortar").asks[0].text == "Mortar: puts its target marker on 2B"
    assert decide(table, "mortar", lines[0]).passed == (("1", "it aims at the best tile already"),)
    assert decide(table, "mortar", line("target", to=["hill"])).passed == (("1", "no tile to aim at"),)


@pytest.mark.rule("UND-177")
def test_a_target_marker_stays_where_another_tile_is_only_as_good() -> None:
    table = staged()
    put(table, "ge", "mortar", "11B")
    put(table, "us", "scout-a", "6A")
    put(table, "us", "rifleman-a", "2B")
    lines = line("target", to=["enemy"], ties=["high population"]), line("blast 1")
    assert options(decide(table, "mortar", *lines)) == {"6A", "2B"}
    for marker in ("6A", "2B"):
        table.state.sides["ge"].target = marker
        assert label(decide(table, "mortar", *lines)) == "2"
    table.state.sides["ge"].counters["mortar"].tile = "17B"  # where it came back onto the board, beside 2B
    assert label(decide(table, "mortar", *lines)) == "2"


@pytest.mark.rule("UND-188", "UND-311")
def test_the_bots_mortar_fires_at_its_own_target_marker_alone() -> None:
    table = staged()
    put(table, "ge", "mortar", "11B")
    put(table, "us", "rifleman-a", "2B")
    table.state.sides["us"].target = "2B"
    blast = line("blast 1")
    assert decide(table, "mortar", blast).passed == (("1", "no target marker on the board"),)
    table.state.sides["ge"].target = "6A"
    assert decide(table, "mortar", blast).effect is None
    table.state.sides["ge"].target = "2B"
    assert options(decide(table, "mortar", blast)) == {"2B"}


def test_a_defence_that_a_move_goes_by_is_not_measured_with_an_attack_of_a_line_above() -> None:
    table = staged()
    scouted(table, "ge", *table.ground.tiles)
    put(table, "ge", "rifleman-b", "13B")
    put(table, "us", "scout-a", "17B")
    at_tanks = line("antitank 2", when=["enemy: vehicle"])
    move = line("move 1", toward=["enemy"], at=["defence at most 9"])
    assert options(decide(table, "rifleman-b", at_tanks, move)) == {"17B"}


@pytest.mark.rule("UND-179")
@pytest.mark.parametrize(
    ("condition", "unit"),
    [
        ("here: enemy", "scout-a"),
        ("here: enemy sniper", "sniper"),
        ("here: objective, enemy sniper", "sniper"),
        ("here: enemy sniper, enemy scout", "scout-a"),
        ("tile: enemy, spawn", "rifleman-a"),
        ("tile: enemy mortar, objective", "mortar"),
        ("here: not enemy mortar", "mortar"),
        ("here: objective", "mortar"),
    ],
)
def test_a_condition_about_a_tile_with_an_enemy_names_the_target_too(condition: str, unit: str) -> None:
    table = board()
    table.state.sides["ge"].counters["rifleman-b"].tile = "16B"
    table.state.sides["us"].counters["rifleman-b"].tile = ""
    for enemy, tile in (("sniper", "16B"), ("scout-a", "16B"), ("mortar", "13B"), ("rifleman-a", "5B")):
        put(table, "us", enemy, tile)
    assert options(decide(table, "rifleman-b", line("attack", when=[condition]))) == {unit}


@pytest.mark.rule("UND-180", "UND-181")
def test_the_first_sub_line_that_applies_and_else_the_line_does_not() -> None:
    table = board()
    three = line(
        "move 1",
        sub(to=["threatened objective"]),
        sub(to=["worth at least 2"]),
        sub(to=["objective"]),
        when=["secure"],
    )
    told = decide(table, "rifleman-b", three)
    assert label(told) == "1B"
    nothing = line("move 1", sub(to=["threatened objective"]), sub(to=["worth at least 9"]), when=["secure"])
    told = decide(table, "rifleman-b", nothing, line("attack"))
    assert label(told) == "2"
    assert [one[0] for one in told.passed] == ["1A", "1B"]


@pytest.mark.rule("UND-182", "UND-194", "UND-195")
def test_tiebreakers_apply_in_their_printed_order() -> None:
    table = board()
    cover_first = line("move 1", to=["objective"], ties=["cover", "value"])
    value_first = line("move 1", to=["objective"], ties=["value", "cover"])
    value_only = line("move 1", to=["objective"], ties=["value"])
    assert options(decide(table, "rifleman-b", cover_first)) == {"16B"}
    assert options(decide(table, "rifleman-b", value_only)) == {"6A", "13B"}
    put(table, "us", "scout-a", "6A")
    told = decide(table, "rifleman-b", line("move 1", to=["objective"], ties=["value", "not enemy"]))
    assert options(told) == {"13B"}
    assert options(decide(table, "rifleman-b", value_first)) == {"6A", "13B"}


@pytest.mark.rule("UND-182", "UND-230")
@pytest.mark.parametrize(
    ("ties", "inspired"),
    [
        ([], [0]),
        (["machine-gunner"], [3]),
        (["not scout", "matching"], [2]),
        (["matching", "not scout"], [2]),
        (["matching"], [0]),
        (["suppressed", "machine-gunner"], [3]),
    ],
)
def test_tiebreakers_say_which_card_is_inspired_and_else_the_leftmost(
    ties: list[str], inspired: list[int]
) -> None:
    table = board()
    row(table, "scout-b", "rifleman-a", "rifleman-b", "machine-gunner-a", deal=False)
    decision = decide(table, "leader-b", line("inspire 1 any", ties=ties))
    assert decision.effect is not None
    assert [list(one.row) for one in decision.effect.choices] == [inspired]


@pytest.mark.rule("UND-183", "UND-184", "UND-R27")
def test_coming_closer_takes_the_closest_tile_then_the_tiebreakers() -> None:
    table = board()
    put(table, "ge", "scout-b", "11B")
    told = decide(table, "scout-b", line("scout 2", toward=["worth at least 2", "not spawn"]))
    away = {tile: min(steps["6A"], steps["13B"]) for tile, steps in table.ground.distance.items()}
    assert {away[tile] for tile in options(told)} == {0}
    put(table, "ge", "scout-b", "4B")
    told = decide(table, "scout-b", line("scout 2", toward=["hill"], ties=["cover"]))
    assert told.effect is None
    told = decide(table, "scout-b", line("scout 1", toward=["enemy"], ties=["cover"]))
    assert options(told) == {"7A"}
    plain = decide(table, "scout-b", line("scout 1", toward=["enemy"]))
    assert options(plain) == {"7A", "12B"}


@pytest.mark.rule("UND-182")
@pytest.mark.parametrize(("tie", "tile"), [("near enemy", "5B"), ("far from enemy", "8A")])
def test_near_and_far_mean_the_nearest_of_several(tie: str, tile: str) -> None:
    table = staged()
    scouted(table, "ge", *table.ground.tiles)
    put(table, "ge", "rifleman-b", "11B")
    put(table, "us", "rifleman-a", "4B")
    put(table, "us", "rifleman-b", "6A")
    assert options(decide(table, "rifleman-b", line("move 1", to=["not enemy"], ties=[tie]))) == {tile}


@pytest.mark.rule("UND-R27")
def test_closeness_is_measured_straight_over_the_board_but_each_step_must_be_legal() -> None:
    table = board()
    table.state.sides["ge"].markers = {"8A": Marker.SCOUTED}
    table.state.sides["ge"].counters["rifleman-b"].tile = "11B"
    told = decide(table, "rifleman-b", line("move 1", toward=["worth at least 2", "not spawn"]))
    assert options(told) == {"8A"}


@pytest.mark.rule("UND-R28")
def test_a_whole_action_is_planned_as_one_path() -> None:
    table = board()
    put(table, "ge", "scout-b", "5B")
    told = decide(table, "scout-b", line("scout 2", to=["worth at least 2", "not spawn"]))
    assert told.effect is not None
    paths = {choice.tile: choice.path for choice in told.effect.choices}
    assert paths == {"13B": ("12B", "13B")}


@pytest.mark.rule("UND-R28", "UND-177", "UND-182")
def test_all_shortest_paths_are_ways_to_scout() -> None:
    table = board()
    put(table, "ge", "scout-b", "3B")
    put(table, "us", "scout-a", "2B")
    scouted(table, "ge", "2B")
    del table.state.sides["ge"].markers["13B"]
    told = decide(table, "scout-b", line("scout 2", to=["enemy scout"]))
    assert told.effect is not None
    assert [choice.path for choice in told.effect.choices] == [("13B", "2B")]
    closer = decide(table, "scout-b", line("scout 2", toward=["enemy scout"]))
    assert closer.effect is not None
    words = [choice.words for choice in closer.effect.choices]
    assert sorted(words) == ["scouts from 3B to 2B by 13B", "scouts from 3B to 2B by 16B"]


def test_who_marks_no_tile_on_the_way_has_one_way_to_each() -> None:
    table = staged()
    put(table, "ge", "sniper", "8A")
    told = decide(table, "sniper", line("stalk 2", to=["objective", "not worth at least 2"]))
    assert told.effect is not None
    ways = {choice.words for choice in told.effect.choices}
    assert ways == {f"stalks from 8A to {tile}" for tile in ("2B", "16B", "7A")}


@pytest.mark.rule("UND-R28", "UND-177")
def test_who_has_to_scout_takes_a_longer_path_where_the_direct_one_is_scouted() -> None:
    table = staged()
    put(table, "ge", "scout-b", "8A")
    put(table, "us", "scout-a", "11B")
    scouted(table, "ge", "8A", "11B")
    told = decide(table, "scout-b", line("scout 2", to=["enemy scout"]))
    assert told.effect is not None
    assert [choice.path for choice in told.effect.choices] == [("5B", "11B")]
    assert [choice.words for choice in told.effect.choices] == ["scouts from 8A to 11B by 5B"]
    assert decide(table, "scout-b", line("scout 1", to=["enemy scout"])).effect is None
    scouted(table, "ge", "5B")
    assert decide(table, "scout-b", line("scout 2", to=["enemy scout"])).effect is None


def test_of_paths_to_the_same_tile_the_bot_takes_the_one_with_the_fewest_mines() -> None:
    table = staged(NIGHT)
    put(table, "it", "desert-scout-a", "D1")
    mine(table, "D1", "D2")
    told = decide(table, "desert-scout-a", line("scout 2", to=["path to victory", "not structure"]))
    assert told.effect is not None
    assert [choice.path for choice in told.effect.choices] == [("D5", "D6")]


@pytest.mark.rule("UND-177")
def test_who_has_to_scout_goes_over_a_mine_where_the_path_without_one_is_scouted() -> None:
    table = staged(NIGHT)
    put(table, "it", "desert-scout-a", "D1")
    scouted(table, "it", "D2", "D6")
    mine(table, "D1", "D5")
    told = decide(table, "desert-scout-a", line("scout 2", to=["path to victory", "not structure"]))
    assert told.effect is not None
    assert [choice.path for choice in told.effect.choices] == [("D5", "D6")]


@pytest.mark.rule("UND-185", "UND-186")
def test_then_goes_on_with_that_line_or_the_next_below_that_applies() -> None:
    table = board()
    put(table, "us", "rifleman-a", "6A")
    put(table, "us", "scout-a", "13B")
    lines = (
        line("move 1", to=["objective", "not worth at least 2"], then=3),
        line("attack"),
        line("control", when=["enemy: here"]),
        line("control", when=["initiative"]),
        line("control"),
        line("attack"),
    )
    teach(table, solo("rifleman", *lines))
    ran = resolve(table, "rifleman-b")
    assert [one.text for one in ran.asks] == ["Rifleman B: moves from 3B to 16B", "Rifleman B: controls 16B"]
    assert ran.asks[1].detail.endswith("Line 5.")
    assert ran.asks[1].because == (
        "Not 3: no enemy is on its tile.",
        "Not 4: the bot does not have the initiative.",
    )


@pytest.mark.rule("UND-185", "UND-186")
def test_then_goes_on_with_a_line_above_but_never_twice_with_the_same() -> None:
    table = board()
    scouted(table, "ge", "2B")
    put(table, "us", "rifleman-a", "6A")
    moves = line("move 1", to=["uncontrolled objective", "not worth at least 2"], then=1)
    teach(table, solo("rifleman", line("control", then=2), moves, line("attack", when=["initiative"])))
    ran = resolve(table, "rifleman-b")
    assert [one.text for one in ran.asks] == ["Rifleman B: moves from 3B to 16B", "Rifleman B: controls 16B"]


@pytest.mark.rule("UND-009", "UND-172")
def test_an_enemy_that_an_attack_cannot_target_has_no_total_defence_however_low() -> None:
    table = board()
    table.state.sides["us"].counters["rifleman-b"].tile = ""
    put(table, "us", "tank", "3B")
    moves = line("move 1", when=["enemy: defence at most 20"])
    assert decide(table, "rifleman-b", moves).effect is None
    put(table, "us", "scout-a", "3B")
    assert label(decide(table, "rifleman-b", moves)) == "1"


@pytest.mark.rule("UND-199", "UND-225")
def test_the_own_bolster_deck_of_a_condition_is_that_of_the_cards_squad() -> None:
    table = board()
    own = line("bolster own", when=["bolster: own"])
    assert options(decide(table, "rifleman-b", own)) == {"b"}
    bot.bot_of(table).bolster["b"].clear()
    assert decide(table, "rifleman-b", own).effect is None
    assert options(decide(table, "scout-a", own)) == {"a"}


@pytest.mark.rule("UND-286", "UND-R46")
def test_a_card_whose_unit_has_nowhere_to_enter_may_still_hunker_down() -> None:
    table = board()
    table.scenario = msgspec.structs.replace(table.scenario, spawns={})
    counter = put(table, "ge", "rifleman-b", "")
    told = decide(table, "rifleman-b", line("attack"), line("hunker"))
    assert told.passed == (("1", "it has nowhere to enter the board"),)
    assert label(told) == "2"
    counter.tile = "3B"
    assert label(decide(table, "rifleman-b", line("attack"), line("hunker"))) == "1"


@pytest.mark.rule("UND-182", "UND-293")
@pytest.mark.parametrize(
    ("do", "known", "ways"),
    [
        ("move 2", ("13B", "8A", "12B"), [("13B", "12B")]),
        ("scout 2", ("13B", "8A"), [("13B", "12B")]),
        ("scout 2", ("6A",), [("13B", "12B"), ("8A", "12B")]),
    ],
)
def test_ways_to_a_tile_that_scout_the_same_tiles_are_one_way(
    do: str, known: tuple[str, ...], ways: list[tuple[str, ...]]
) -> None:
    table = board()
    put(table, "us", "rifleman-b", "12B")
    table.state.sides["ge"].markers.clear()
    scouted(table, "ge", *known)
    told = decide(table, "rifleman-b", line(do, to=["enemy"]))
    assert told.effect is not None
    assert [choice.path for choice in told.effect.choices] == ways


@pytest.mark.rule("UND-187")
def test_boxed_text_holds_every_time_the_card_is_resolved() -> None:
    table = board()
    at = table.state.sides["ge"].counters["rifleman-b"]
    never = ("never leave controlled objective", "never enter cover at least 2", "never attack above 5")
    moves = line("move 1", to=["objective"], ties=["cover"])
    assert options(decide(table, "rifleman-b", moves)) == {"16B"}
    assert "16B" not in options(decide(table, "rifleman-b", moves, box=never))
    at.tile = "6A"
    controlled(table, "ge", "6A")
    assert decide(table, "rifleman-b", moves, box=never).effect is None
    put(table, "us", "scout-a", "16B")
    assert decide(table, "rifleman-b", line("attack"), box=never).effect is None
    assert label(decide(table, "rifleman-b", line("attack"))) == "1"
    assert label(decide(table, "rifleman-b", line("attack"), box=never[:2])) == "1"
    teach(table, solo("rifleman", moves, box=never))
    assert "Special: never leave" in resolve(table, "rifleman-b").asks[0].detail


@pytest.mark.rule("UND-187")
def test_a_tile_that_a_unit_may_never_leave_it_may_enter() -> None:
    table = board()
    at = table.state.sides["ge"].counters["rifleman-b"]
    controlled(table, "ge", "6A", "8A")
    never = ("never leave controlled",)
    moves = line("move 1", to=["not objective"])
    assert options(decide(table, "rifleman-b", moves, box=never)) == {"8A"}
    at.tile = "8A"
    assert options(decide(table, "rifleman-b", moves)) == {"3B"}
    assert decide(table, "rifleman-b", moves, box=never).effect is None


@pytest.mark.rule("UND-187")
@pytest.mark.parametrize(("most", "attacks"), [(8, False), (9, True)])
def test_a_total_that_the_box_never_attacks_above_is_still_attacked(most: int, attacks: bool) -> None:
    table = board()
    ((_, against),) = combat.targets(table, "ge", parse("attack 1"), "3B")
    assert against.total == 9
    told = decide(table, "rifleman-b", line("attack"), box=(f"never attack above {most}",))
    assert bool(told.effect) is attacks


@pytest.mark.rule("UND-187")
def test_boxed_text_holds_for_every_step_of_a_movement() -> None:
    table = board()
    put(table, "ge", "scout-b", "5B")
    beyond = line("scout 2", to=["worth at least 2", "not spawn"])
    controlled(table, "us", "12B", "8A")
    told = decide(table, "scout-b", beyond, box=("never enter enemy controlled",))
    assert told.effect is None
    assert told.passed == (("1", "no tile in reach is worth 2 points or more and not a spawn tile"),)
    table.state.sides["us"].markers.clear()
    put(table, "us", "scout-a", "12B")
    table.state.sides["ge"].markers.clear()
    told = decide(table, "scout-b", beyond, box=("never enter enemy",))
    assert told.effect is not None
    assert [choice.path for choice in told.effect.choices] == [("8A", "13B")]
    controlled(table, "ge", "8A")
    told = decide(table, "scout-b", beyond, box=("never leave controlled",))
    assert told.effect is not None
    assert [choice.path for choice in told.effect.choices] == [("12B", "13B")]


@pytest.mark.rule("UND-187")
@pytest.mark.parametrize(
    ("box", "ways"),
    [
        ((), {("2B", "13B"), ("3B", "13B"), ("3B", "6A")}),
        (("never enter controlled",), {("2B", "13B"), ("3B", "13B")}),
        (("never leave objective",), {("3B", "13B"), ("3B", "6A")}),
    ],
)
def test_boxed_text_holds_for_every_way_to_advance(box: tuple[str, ...], ways: set[tuple[str, ...]]) -> None:
    table = staged()
    for unit, tile in (("rifleman-a", "6A"), ("rifleman-b", "3B"), ("scout-a", "13B"), ("scout-b", "2B")):
        put(table, "ge", unit, tile)
    controlled(table, "ge", "6A")
    told = decide(table, "platoon-leader-b", line("advance"), box=box)
    assert told.effect is not None
    assert {choice.path for choice in told.effect.choices} == ways


@pytest.mark.rule("UND-183", "UND-R26")
def test_those_who_advance_come_closer_from_where_they_stand_or_stay_on_the_better_tile() -> None:
    table = staged()
    for unit, tile in (("rifleman-b", "3B"), ("rifleman-a", "6A"), ("scout-b", "16B"), ("scout-a", "17B")):
        put(table, "ge", unit, tile)
    assert options(decide(table, "platoon-leader-b", line("advance", toward=["spawn"]))) == {"3B"}
    best = line("advance", to=["objective"], ties=["value"])
    assert options(decide(table, "platoon-leader-b", best)) == {"6A"}
    assert decide(table, "leader-a", best).passed == (("1", "it is on the best tile already"),)
    table.state.sides["ge"].counters["scout-b"].suppressed = True
    table.state.sides["ge"].counters["rifleman-b"].suppressed = True
    assert decide(table, "platoon-leader-b", best).passed == (("1", "there is nowhere it may go"),)


@pytest.mark.rule("UND-190")
def test_a_bot_scout_pays_a_fog_of_war_for_each_new_tile() -> None:
    table = board()
    put(table, "ge", "scout-b", "5B")
    table.state.sides["ge"].markers = {"5B": Marker.SCOUTED}
    scouted(table, "us", *table.ground.tiles)
    teach(table, solo("scout", line("scout 2", to=["worth at least 2", "not spawn"])))
    ran = resolve(table, "scout-b", ["0"])
    assert table.state.players["ge"].discard == {"fog": 2, "scout-b": 1}
    assert len(table.state.sides["ge"].markers) == 3
    assert "Fog of War from supply to discard (Bot)" in ran.texts()
    assert ran.asked() == ["bot.random", "bot.card"]


@pytest.mark.rule("UND-192", "UND-363", "UND-365")
def test_a_seats_stronger_action_is_used_unless_the_vehicle_is_disabled() -> None:
    table = staged(NIGHT)
    tank = put(table, "it", "medium-tank", "D12")
    put(table, "it", "crewman-a", "D12", vehicle="medium-tank", seat=1)
    put(table, "lrdg", "desert-rifleman-a", "D11")
    told = decide(table, "crewman-a", line("attack"))
    assert told.effect is not None
    assert told.effect.action is not None
    assert told.effect.action.x == 2
    tank.disabled = True
    told = decide(table, "crewman-a", line("attack"))
    assert told.effect is not None
    assert told.effect.action is not None
    assert told.effect.action.x == 1


@pytest.mark.rule("UND-188", "UND-192", "UND-363")
@pytest.mark.parametrize("do", ["antitank", "antitank 2"])
def test_what_a_seat_alone_gives_is_done_from_that_seat(do: str) -> None:
    table = staged(NIGHT, side="lrdg")
    put(table, "lrdg", "scout-car", "D11")
    put(table, "lrdg", "desert-rifleman-a", "D11", vehicle="scout-car")
    crewman = put(table, "it", "crewman-a", "D12")
    assert decide(table, "crewman-a", line(do)).passed == (("1", "it has no seat to antitank from"),)
    put(table, "it", "medium-tank", "D12")
    crewman.vehicle = "medium-tank"
    assert decide(table, "crewman-a", line(do)).effect is None
    crewman.seat = 1
    told = decide(table, "crewman-a", line(do))
    assert told.effect is not None
    assert told.effect.action == parse("antitank 2")
    assert options(told) == {"scout-car"}


@pytest.mark.rule("UND-188")
def test_who_sits_in_a_vehicle_moves_nowhere_on_foot() -> None:
    table = staged(NIGHT)
    scouted(table, "it", *table.ground.tiles)
    put(table, "it", "medium-tank", "D12")
    crewman = put(table, "it", "crewman-a", "D12", vehicle="medium-tank", seat=1)
    walk = line("move 1", to=["objective"])
    assert decide(table, "crewman-a", walk).passed == (("1", "it sits in a vehicle"),)
    crewman.vehicle = ""
    assert decide(table, "crewman-a", walk).effect is not None


@pytest.mark.rule("UND-076", "UND-192")
def test_a_seats_stronger_attack_of_short_range_takes_no_far_target_from_the_bot() -> None:
    table = staged(NIGHT)
    tank = table.type("medium-tank")
    gunner = msgspec.structs.replace(tank.seats[1], actions=("attack 3 0",))
    tank = msgspec.structs.replace(tank, seats=(tank.seats[0], gunner))
    table.pack = msgspec.structs.replace(table.pack, unit={**table.pack.unit, "medium-tank": tank})
    put(table, "it", "medium-tank", "D12")
    put(table, "it", "crewman-a", "D12", vehicle="medium-tank", seat=1)
    far = put(table, "lrdg", "desert-rifleman-a", "D11")
    told = decide(table, "crewman-a", line("attack"))
    assert told.effect is not None
    assert told.effect.action == parse("attack 1")
    far.tile = "D12"
    told = decide(table, "crewman-a", line("attack"))
    assert told.effect is not None
    assert told.effect.action == parse("attack 3 0")


# Terms


@pytest.mark.rule("UND-193")
def test_scouted_is_the_bots_and_enemy_scouted_the_players() -> None:
    table = staged()
    scouted(table, "ge", "3B")
    scouted(table, "us", "2B")
    sight = see(table)
    assert [tile for tile in table.ground.tiles if sight.place(place("scouted"), tile)] == ["3B"]
    assert [tile for tile in table.ground.tiles if sight.place(place("enemy scouted"), tile)] == ["2B"]


@pytest.mark.rule("UND-196", "UND-R30")
@pytest.mark.parametrize("count", [2, 3, 4, 5, 7, 10, 12])
def test_randomly_gives_each_choice_the_same_number_of_faces(count: int) -> None:
    table = staged()
    choices = tuple(Choice(str(number)) for number in range(count))
    shares = dict.fromkeys(range(count), 0)
    again = 0
    for number in range(10 if count <= 10 else 100):
        faces = list(str(number)) if count <= 10 else [str(number // 10), str(number % 10)]
        script = bot.choose(table, "Rifleman", choices, bot.Why(""))
        next(script)
        try:
            script.send(tuple(faces))
            again += 1
        except StopIteration as end:
            shares[int(end.value.words)] += 1
    assert len(set(shares.values())) == 1
    assert again < count


@pytest.mark.rule("UND-197", "UND-198")
def test_an_enemy_is_a_player_counter_but_no_empty_north_african_vehicle() -> None:
    table = staged(NIGHT)
    car = put(table, "lrdg", "scout-car", "D2")
    put(table, "it", "medium-tank", "D12")
    assert table.units("lrdg") == []
    sight = Sight(table, "it", "desert-rifleman-a", None)
    assert not sight.place(place("enemy"), "D2")
    put(table, "lrdg", "crewman-a", "D2", vehicle="scout-car")
    assert table.units("lrdg") == [car]
    assert sight.place(place("enemy"), "D2")


@pytest.mark.rule("UND-204", "UND-205", "UND-211")
def test_an_empty_vehicle_is_still_a_counter_on_its_tile() -> None:
    table = staged(NIGHT)
    sight = Sight(table, "it", "desert-rifleman-a", put(table, "it", "desert-rifleman-a", "D12"))
    put(table, "lrdg", "scout-car", "D6")
    assert sight.place(place("occupied objective"), "D6")
    put(table, "lrdg", "desert-rifleman-a", "D2")
    controlled(table, "it", "D2")
    assert sight.threatened("D2")
    assert not sight.secure("D2")
    put(table, "it", "medium-tank", "D2")
    assert not sight.threatened("D2")
    assert sight.secure("D2")


@pytest.mark.rule("UND-199", "UND-200")
def test_matching_is_the_same_squad_across_factions() -> None:
    table = staged()
    enemy, other = put(table, "us", "rifleman-b", "2B"), put(table, "us", "rifleman-a", "2B")
    sight = Sight(table, "ge", "leader-b", None)
    assert sight.who(who("matching"), enemy)
    assert not sight.who(who("matching"), other)
    assert sight.card_fits("matching", "scout-b")
    assert not sight.card_fits("matching", "scout-a")
    without_squad = Sight(table, "ge", "sergeant", None)
    assert not without_squad.card_fits("matching", "fog")
    assert not without_squad.who(who("matching"), put(table, "us", "sniper", "2B"))


@pytest.mark.rule("UND-199", "UND-200")
def test_spawn_markers_match_by_squad_too() -> None:
    table = staged()
    spawns = {"us": {"b": "2B", "all": "17B"}, "ge": {"scout-b": "5B", "a": "8A"}}
    table.scenario = msgspec.structs.replace(table.scenario, spawns=spawns)

    def matching(card: str) -> set[str]:
        sight = Sight(table, "ge", card, None)
        return {tile for tile in table.ground.tiles if sight.place(place("matching spawn"), tile)}

    assert matching("leader-b") == {"2B", "5B"}
    assert matching("sergeant") == set()


@pytest.mark.rule("UND-201", "UND-202", "UND-203", "UND-204")
def test_kinds_of_objectives() -> None:
    table = staged()
    scouted(table, "ge", "2B")
    scouted(table, "us", "7A")
    controlled(table, "ge", "6A", "3B")
    controlled(table, "us", "13B", "8A")
    put(table, "us", "scout-a", "16B")
    put(table, "ge", "scout-a", "6A")
    put(table, "ge", "scout-b", "7A")
    put(table, "ge", "rifleman-b", "11B")
    sight = see(table)

    def tiles(words: str) -> set[str]:
        return {tile for tile in table.ground.tiles if sight.place(place(words), tile)}

    assert tiles("objective") == {"2B", "16B", "6A", "13B", "7A", "5B"}
    assert tiles("controlled objective") == {"6A"}
    assert tiles("enemy controlled objective") == {"13B"}
    assert tiles("controlled by anyone") == {"6A", "3B", "13B", "8A"}
    assert tiles("occupied objective") == {"16B", "7A"}
    assert tiles("uncontrolled objective") == {"2B", "16B", "7A", "5B"}
    controlled(table, "ge", "2B")
    controlled(table, "us", "7A")
    assert tiles("controlled objective") == {"2B", "6A"}
    assert tiles("enemy controlled objective") == {"7A", "13B"}


@pytest.mark.rule("UND-213")
def test_the_path_to_victory_is_that_of_the_scenarios_section() -> None:
    table = staged(NIGHT)
    sight = Sight(table, "it", "desert-rifleman-a", None)
    path = {tile for tile in table.ground.tiles if sight.place(place("path to victory"), tile)}
    assert path == {"D8", "D11", "D6"}


@pytest.mark.rule("UND-205", "UND-344", "UND-R22", "UND-R23")
def test_a_threatened_objective_is_the_bots_empty_of_it_and_under_riflemen() -> None:
    table = staged()
    controlled(table, "ge", "6A")
    sight = see(table)
    put(table, "us", "scout-a", "6A")
    assert not sight.threatened("6A")
    rifle = put(table, "us", "rifleman-a", "6A", suppressed=True)
    assert not sight.secure("6A")
    for pile in table.piles("us"):
        assert isinstance(pile, dict)
        pile.pop("rifleman-a", None)
    assert sight.threatened("6A")
    put(table, "ge", "scout-b", "6A")
    assert not sight.threatened("6A")
    table.state.sides["ge"].counters["scout-b"].tile = ""
    rifle.tile = "13B"
    assert not sight.threatened("13B")
    controlled(table, "us", "13B")
    assert not sight.threatened("13B")  # it is the player's
    rifle.tile = "3B"
    controlled(table, "ge", "3B")
    assert not sight.threatened("3B")  # it is no objective


@pytest.mark.rule("UND-206", "UND-207", "UND-212", "UND-362")
def test_a_structure_with_a_demolition_unit_on_it_is_threatened_and_never_secure() -> None:
    table = staged(NIGHT)
    controlled(table, "it", "D8")
    guard = put(table, "it", "desert-rifleman-a", "D8")
    sight = Sight(table, "it", "desert-rifleman-a", guard)
    assert sight.secure("D8")
    put(table, "lrdg", "desert-rifleman-a", "D8")
    assert not sight.threatened("D8")
    put(table, "lrdg", "sapper-a", "D8")
    assert sight.threatened("D8")
    table.state.sides["it"].markers.clear()
    assert not sight.threatened("D8")
    controlled(table, "lrdg", "D8")
    assert not sight.threatened("D8")
    assert sight.secure("D8")
    table.state.sides["lrdg"].markers.clear()
    controlled(table, "it", "D8")
    put(table, "it", "desert-rifleman-b", "D8")
    assert not sight.secure("D8")
    del table.state.structures["D8"]
    assert sight.secure("D8")


@pytest.mark.rule("UND-206")
def test_no_structure_is_threatened_by_who_does_not_score_by_demolition() -> None:
    table = staged(NIGHT, side="it")
    table.state.sides["lrdg"].markers["D8"] = Marker.CONTROLLED
    put(table, "it", "sapper-a", "D8")
    assert not Sight(table, "lrdg", "desert-rifleman-a", None).threatened("D8")


def test_a_tile_is_within_so_many_steps_of_the_units_own() -> None:
    table = staged()
    put(table, "ge", "rifleman-b", "3B")
    near = {tile for tile in table.ground.tiles if see(table).place(place("within 1"), tile)}
    assert near == {"3B", *table.ground.links["3B"]}


@pytest.mark.parametrize(("points", "holds"), [(2, False), (3, True)])
def test_who_has_points_needs_only_the_rest(points: int, holds: bool) -> None:
    table = staged()
    controlled(table, "ge", "6A")
    assert see(table).holds(condition(f"needs {points}")) is holds


@pytest.mark.rule("UND-208")
@pytest.mark.parametrize(("enemies", "friends", "population"), [(2, 1, 1), (1, 3, -2), (0, 0, 0)])
def test_population_is_player_units_minus_bot_units(enemies: int, friends: int, population: int) -> None:
    table = staged()
    units = ["rifleman-a", "rifleman-b", "scout-a", "scout-b"]
    for unit in units[:enemies]:
        put(table, "us", unit, "13B")
    for unit in units[:friends]:
        put(table, "ge", unit, "13B")
    assert see(table).population("13B") == population


@pytest.mark.rule("UND-209", "UND-210")
def test_roll_takes_the_dies_action_and_does_not_roll_for_a_single_one() -> None:
    table = board()
    teach(table, solo("sergeant", line(roll={"0-4": "bolster a", "5-9": "command 2"})))
    ran = resolve(table, "sergeant", ["7"], ["scout-a"], ["leader-a"])
    assert ran.asked()[0] == "bot.roll"
    assert "Command 2" in ran.texts()
    table.state.players["ge"].deck, table.state.players["ge"].discard = {}, {}
    bot.bot_of(table).row.clear()
    ran = resolve(table, "sergeant", ["rifleman-a"])
    assert ran.asked() == ["draw.bolster", "bot.card"]
    none = decide(table, "sergeant", line(roll={"0-4": "recon", "5-9": "control"}))
    assert none.passed == (("1", "no result of the roll can be carried out"),)


@pytest.mark.rule("UND-209")
@pytest.mark.parametrize("face", FACES)
def test_each_face_of_a_roll_stands_for_the_action_that_is_printed_for_it(face: str) -> None:
    table = board()
    teach(table, solo("sergeant", line(roll={"0-3": "bolster a", "4": "bolster b", "5-9": "conceal"})))
    squad = "a" if face in "0123" else "b" if face == "4" else ""
    resolve(table, "sergeant", [face], *([f"scout-{squad}"] for _ in squad))
    drawn = {f"scout-{squad}": 1} if squad else {}
    assert table.state.players["ge"].discard == {"sergeant": 1, **drawn}
    assert table.state.sides["us"].fog == (8 if squad else 7)


@pytest.mark.rule("UND-210")
def test_one_action_on_several_results_is_not_rolled_for_where_no_other_can_be_done() -> None:
    table = board()
    lines = line(roll={"0-2": "command 2", "3-5": "recon", "6-8": "command 2", "9": "recon"})
    teach(table, solo("sergeant", lines))
    ran = resolve(table, "sergeant", ["scout-a"], ["leader-a"])
    assert ran.asked()[0] == "bot.no_roll"
    assert ran.asks[0].text.endswith(": COMMAND 2 alone can be done, no roll")
    assert "bot.roll" not in ran.asked()
    assert "Command 2" in ran.texts()


def test_what_the_faces_of_a_roll_stand_for_is_told_with_those_that_are_rolled_again() -> None:
    table = board()
    lines = line(roll={"0-2": "bolster a", "3-5": "command 2", "6-9": "recon"})
    teach(table, solo("sergeant", lines))
    ran = resolve(table, "sergeant", ["8"], ["4"], ["scout-a"], ["leader-a"])
    assert [one.key for one in ran.asks[:2]] == ["undaunted.bot.roll"] * 2
    assert ran.asks[1].detail.startswith("0-2 BOLSTER from deck A; 3-5 COMMAND 2; 6-9 roll again. Line 1.")


@pytest.mark.parametrize(
    ("count", "shares"),
    [
        (2, "0-4 A; 5-9 B."),
        (3, "0-2 A; 3-5 B; 6-8 C; 9 roll again."),
        (4, "0-1 A; 2-3 B; 4-5 C; 6-7 D; 8-9 roll again."),
        (6, "0 A; 1 B; 2 C; 3 D; 4 E; 5 F; 6-9 roll again."),
    ],
)
def test_which_faces_are_rolled_again_among_equals_is_told(count: int, shares: str) -> None:
    ran = run(combat.randomly(staged(), "roll", "ABCDEF"[:count]), ["1"])
    assert ran.roll().detail == shares


@pytest.mark.rule("UND-196", "UND-R30")
def test_which_of_two_dice_is_the_tens_is_told_where_more_are_tied_than_a_die_has_faces() -> None:
    ran = run(combat.randomly(staged(), "roll", "ABCDEFGHIJK"), ["9", "0"])
    assert ran.end == 10
    assert ran.roll().detail.startswith("The first die is the tens: 00-08 A; 09-17 B; ")
    assert ran.roll().detail.endswith("; 90-98 K; 99 roll again.")


@pytest.mark.rule("UND-168", "UND-179", "UND-182")
@pytest.mark.parametrize(
    ("card", "do", "of_line", "own", "found"),
    [
        (
            "rifleman-b",
            "attack",
            {"when": ["enemy: rifleman"]},
            {"when": ["enemy: not on objective"]},
            {"rifleman-b"},
        ),
        ("rifleman-b", "attack", {"at": ["rifleman"]}, {"at": ["not on objective"]}, {"rifleman-b"}),
        ("rifleman-b", "move 1", {"to": ["objective"]}, {"to": ["not enemy"]}, {"13B", "16B"}),
        ("rifleman-b", "move 1", {"toward": ["objective", "not enemy"]}, {"ties": ["value"]}, {"13B"}),
        ("rifleman-b", "move 1", {"ties": ["value"]}, {"to": ["not enemy"]}, {"13B"}),
        ("guide", "guide 1", {"who": ["scout"]}, {"who": ["not on objective"]}, {"3B", "12B", "13B"}),
    ],
)
def test_what_a_sub_line_leaves_open_its_line_says(
    card: str, do: str, of_line: dict[str, object], own: dict[str, object], found: set[str]
) -> None:
    table = board()
    put(table, "us", "scout-a", "3B")
    put(table, "us", "rifleman-a", "6A")
    put(table, "ge", "scout-a", "5B")
    put(table, "ge", "scout-b", "8A")
    scouted(table, "ge", "12B")
    assert options(decide(table, card, line(do, sub(**own), **of_line))) == found
    for alone in (of_line, own):
        assert options(decide(table, card, line(do, **alone))) != found


@pytest.mark.rule("UND-185")
def test_a_sub_line_goes_on_with_the_line_that_its_line_names() -> None:
    table = board()
    moves = line(
        "move 1", sub(to=["threatened objective"]), sub(to=["worth at least 2"], ties=["cover"]), then=3
    )
    put(table, "us", "rifleman-a", "13B")
    teach(table, solo("rifleman", moves, line("attack"), line("control")))
    ran = resolve(table, "rifleman-b", ["0"])
    assert [one.text for one in ran.asks[1:]] == [
        "Rifleman B: moves from 3B to 6A",
        "Rifleman B: controls 6A",
    ]


@pytest.mark.rule("UND-180", "UND-209")
def test_a_sub_line_with_a_keyword_of_its_own_does_not_roll_for_its_line() -> None:
    table = board()
    subs = (sub("command 2", when=["initiative"]), sub(when=["not initiative"]))
    teach(table, solo("sergeant", line("", *subs, roll={"0-4": "bolster a", "5-9": "bolster b"})))
    table.state.initiative = "ge"
    assert "bot.roll" not in resolve(table, "sergeant", ["scout-a"], ["leader-a"]).asked()
    table.state.initiative = "us"
    assert resolve(table, "sergeant", ["7"], ["scout-b"]).asked()[0] == "bot.roll"


@pytest.mark.rule("UND-211", "UND-R25")
def test_secure_asks_whether_the_tile_is_safe_without_the_acting_unit() -> None:
    table = board()
    table.state.sides["ge"].counters["rifleman-b"].tile = "6A"
    sight = see(table)
    put(table, "us", "rifleman-a", "6A")
    assert sight.secure("6A")
    controlled(table, "us", "6A")
    assert sight.secure("6A")
    table.state.sides["us"].markers.clear()
    controlled(table, "ge", "6A")
    assert not sight.secure("6A")
    put(table, "ge", "scout-a", "6A")
    assert sight.secure("6A")
    table.state.sides["ge"].counters["scout-a"].tile = ""
    put(table, "us", "scout-a", "6A")
    table.state.sides["us"].counters["rifleman-a"].tile = ""
    assert sight.secure("6A")


@pytest.mark.rule("UND-211", "UND-R25")
def test_of_a_guided_unit_too_secure_asks_about_the_tile_without_it() -> None:
    table = board()
    guarded = table.state.sides["ge"].counters["rifleman-b"]
    guarded.tile = "6A"
    controlled(table, "ge", "6A")
    put(table, "us", "rifleman-a", "6A")
    away = line("guide 1", to=["not enemy"], who=["on secure"])
    assert decide(table, "guide", away).effect is None
    assert decide(table, "guide", line("bolster a", when=["friend: on secure"])).effect is None
    keep = ("never leave not secure",)
    assert decide(table, "guide", line("guide 1", to=["not enemy"]), box=keep).effect is None
    put(table, "ge", "rifleman-a", "6A")
    assert _guided(decide(table, "guide", away)) == {"rifleman-a", "rifleman-b"}


@pytest.mark.rule("UND-179", "UND-R24")
def test_a_friend_in_the_condition_is_the_one_that_is_guided() -> None:
    table = board()
    put(table, "ge", "scout-a", "8A")
    guide = line("guide 1", when=["friend: scout"], to=["scouted"])
    assert _guided(decide(table, "guide", guide)) == {"scout-a"}
    anyone = line("guide 1", when=["friend: scout"], who=["any"], to=["scouted"])
    assert _guided(decide(table, "guide", anyone)) == {"scout-a", "rifleman-b"}
    for when in ("not friend: machine-gunner", "tile: enemy rifleman"):
        others = line("guide 1", when=[when], to=["scouted"])
        assert _guided(decide(table, "guide", others)) == {"scout-a", "rifleman-b"}
    put(table, "ge", "scout-a", "8A", suppressed=True)
    assert decide(table, "guide", guide).effect is None


def test_whom_guide_moves_is_no_friend_of_its_own() -> None:
    table = staged()
    scouted(table, "ge", *table.ground.tiles)
    put(table, "ge", "rifleman-b", "17B")
    put(table, "ge", "scout-a", "8A", suppressed=True)
    assert options(decide(table, "guide", line("guide 1", toward=["friend"]))) == {"13B", "12B"}
    near = line("guide 1", to=["not friend"], ties=["near friend"])
    assert options(decide(table, "guide", near)) == {"13B", "12B"}


@pytest.mark.rule("UND-R26")
def test_whom_guide_moves_is_no_friend_on_the_tile_where_it_stands_either() -> None:
    table = staged()
    scouted(table, "ge", *table.ground.tiles)
    put(table, "ge", "rifleman-b", "13B")
    alone = line("guide 1", to=["objective", "not friend"], ties=["value"])
    assert decide(table, "guide", alone).passed == (("1", "it is on the best tile already"),)
    put(table, "ge", "scout-a", "13B", suppressed=True)
    assert options(decide(table, "guide", alone)) == {"2B", "16B"}


def test_of_whom_a_soldier_guides_the_soldier_itself_is_a_friend() -> None:
    table = staged()
    scouted(table, "ge", "12B", "8A")
    put(table, "ge", "scout-a", "5B")
    put(table, "ge", "rifleman-a", "12B")
    apart = line("guide 1", to=["not friend"], who=["scout"])
    assert options(decide(table, "rifleman-a", apart)) == {"8A"}


def test_a_tiebreaker_about_the_unit_is_asked_of_one_that_is_about_to_enter_too() -> None:
    table = staged()
    scouted(table, "ge", "12B")
    assert options(decide(table, "rifleman-a", line("move 1", ties=["on objective"]))) == {"12B"}


@pytest.mark.parametrize(
    ("words", "tiles"),
    [
        ("spawn", {"D12"}),
        ("enemy spawn", {"D1"}),
        ("mined", {"D2", "D4"}),
        ("structure", {"D6"}),
        ("not structure", {"D1", "D2", "D3", "D4", "D5", "D7", "D8", "D9", "D10", "D11", "D12"}),
    ],
)
def test_words_for_what_lies_on_a_tile_besides_units(words: str, tiles: set[str]) -> None:
    table = staged(NIGHT, side="lrdg")
    table.state.structures = {"D6": Counter("fort", "", "", "D6")}
    mine(table, "D2", "D4")
    sight = see_it(table)
    assert {tile for tile in table.ground.tiles if sight.place(place(words), tile)} == tiles


def test_conditions_of_the_unit_itself() -> None:
    table = staged(NIGHT, side="lrdg")
    rifleman = table.state.sides["it"].counters["desert-rifleman-a"]
    words = [condition(text) for text in ("on board", "suppressed", "not suppressed")]
    assert [see_it(table).holds(word) for word in words] == [False, False, True]
    rifleman.tile, rifleman.suppressed = "D5", True
    assert [see_it(table).holds(word) for word in words] == [True, True, False]


def see_it(table: Table) -> Sight:
    return Sight(table, "it", "desert-rifleman-a", table.counter("it", "desert-rifleman-a"))


def _guided(decision: Decision) -> set[str]:
    assert decision.effect is not None
    return {one.counter.unit for one in decision.effect.choices if one.counter}


@pytest.mark.rule("UND-211", "UND-R25")
def test_the_vehicle_that_a_soldier_sits_in_is_no_other_unit() -> None:
    table = staged(NIGHT, side="lrdg")
    table.state.structures.clear()
    put(table, "it", "medium-tank", "D8")
    crewman = put(table, "it", "crewman-a", "D8", vehicle="medium-tank")
    put(table, "lrdg", "desert-rifleman-a", "D8")
    controlled(table, "it", "D8")
    sight = Sight(table, "it", "crewman-a", crewman)
    words = [condition(text) for text in ("secure", "here: friend", "friend: here")]
    assert [sight.holds(word) for word in words] == [False, False, False]
    put(table, "it", "desert-scout-a", "D8")
    assert [sight.holds(word) for word in words] == [True, True, True]


@pytest.mark.rule("UND-205", "UND-206", "UND-211", "UND-R22")
def test_a_soldier_in_a_vehicle_counts_with_what_only_on_foot_can_be_done() -> None:
    table = staged(NIGHT, side="lrdg")
    scout = put(table, "it", "desert-scout-a", "D6")
    controlled(table, "it", "D6", "D8")
    put(table, "lrdg", "scout-car", "D6")
    put(table, "lrdg", "desert-scout-a", "D6", vehicle="scout-car")
    sight = Sight(table, "it", "desert-scout-a", scout)
    assert sight.secure("D6")
    put(table, "lrdg", "desert-rifleman-a", "D6", vehicle="scout-car", seat=1)
    assert not sight.secure("D6")
    scout.tile = "D5"
    assert sight.threatened("D6")
    assert not sight.threatened("D8")
    for unit in ("scout-car", "desert-scout-a"):
        put(table, "lrdg", unit, "D8")
    put(table, "lrdg", "sapper-a", "D8", vehicle="scout-car", seat=1)
    assert sight.threatened("D8")


@pytest.mark.rule("UND-215")
def test_the_dice_of_an_action_are_no_range_to_select_a_target_in() -> None:
    table = board()
    put(table, "ge", "machine-gunner-a", "8A")
    near = options(decide(table, "machine-gunner-a", line("select")))
    assert near == {"8A", *table.ground.links["8A"]}


@pytest.mark.rule("UND-215")
def test_the_widest_of_its_movements_is_the_range_to_select_a_target_in() -> None:
    table = staged(NIGHT)
    put(table, "it", "scout-car", "D1")
    put(table, "it", "machine-gunner-a", "D1", vehicle="scout-car")
    printed = table.actions("machine-gunner-a", table.counter("it", "machine-gunner-a"))
    assert {"Drive 2", "Navigate 1", "Move 1"} <= {*map(str, printed)}
    assert options(decide(table, "machine-gunner-a", line("select"))) == {*table.ground.near("D1", 2)}


@pytest.mark.rule("UND-214", "UND-215", "UND-216")
def test_select_a_target_takes_a_tile_in_range_for_the_lines_below() -> None:
    table = board()
    put(table, "ge", "scout-b", "11B")
    told = decide(table, "scout-b", line("select", to=["objective", "not spawn"], ties=["value"]))
    assert options(told) == {"13B"}
    assert decide(table, "scout-b", line("select 1", to=["objective", "not spawn"])).effect is None
    put(table, "ge", "scout-b", "8A")
    several = {"2B", "16B", "6A", "13B", "7A"}
    assert options(decide(table, "scout-b", line("select", to=["objective", "not spawn"]))) == several
    most = line("select", to=["objective", "not spawn"], ties=["value", "cover", "near scouted", "enemy"])
    assert options(decide(table, "scout-b", most)) == {"6A", "13B"}
    put(table, "ge", "scout-b", "11B")
    teach(
        table,
        solo(
            "scout",
            line("select", to=["objective", "not spawn"], ties=["value"], then=2),
            line("scout 1", toward=["selected"]),
        ),
    )
    ran = resolve(table, "scout-b")
    assert [one.text for one in ran.asks] == ["Scout B: selects 13B", "Scout B: scouts from 11B to 8A"]


def test_no_tile_is_the_selected_one_before_a_line_selects_any() -> None:
    table = board()
    put(table, "ge", "scout-b", "11B")
    told = decide(table, "scout-b", line("scout 1", toward=["selected"]), line("bolster a"))
    assert label(told) == "2"


def test_a_command_card_can_control_nothing() -> None:
    told = decide(board(), "leader-b", line("control"), line("bolster a"))
    assert told.passed == (("1", "it has no counter on foot"),)


@pytest.mark.rule("UND-214")
def test_a_command_card_has_no_tile_to_select_a_target_from() -> None:
    table = board()
    told = decide(table, "leader-b", line("select 2", to=["objective"]), line("bolster a"))
    assert label(told) == "2"
    assert told.passed == (("1", "it has no tile to select from"),)


def test_no_tile_and_no_unit_is_within_reach_of_a_command_card() -> None:
    table = board()
    for near in ("tile: objective, within 9", "enemy: within 9", "here: not scouted"):
        told = decide(table, "leader-b", line("bolster a", when=[near]))
        assert told.effect is None
        assert label(decide(table, "scout-b", line("bolster a", when=[near]))) == "1"


def test_a_command_card_has_no_tile_to_work_on_mines_from() -> None:
    told = decide(board(), "leader-b", line("mine 1 remove"), line("bolster a"))
    assert label(told) == "2"
    assert told.passed == (("1", "it has no tile to work on"),)


def test_where_no_friend_is_what_a_guide_may_move_nobody_is_said_to_be_stuck() -> None:
    table = board()
    told = decide(table, "guide", line("guide 1", who=["sniper"]), line("guide 1", to=["hill"]))
    assert told.passed == (("1", "there is no friend that it may guide"), ("2", "no tile in reach is a hill"))


def test_edges_that_are_free_but_lead_to_no_tile_the_line_wants_are_not_called_taken() -> None:
    table = staged(NIGHT, side="it")
    put(table, "lrdg", "sapper-a", "D2")
    put(table, "it", "desert-rifleman-a", "D12")
    told = decide(table, "sapper-a", line("mine 1 personnel", to=["enemy"]), line("mine 1 remove"))
    assert told.passed == (
        ("1", "no edge for a mine towards a tile that is occupied by an enemy"),
        ("2", "no mine to take away"),
    )


# Targets


@pytest.mark.rule("UND-217")
@pytest.mark.parametrize("do", ["attack", "suppress 4", "strafe 2", "grenade 1 3", "bomb 2"])
def test_the_bot_attacks_the_lowest_total_defence(do: str) -> None:
    table = board()
    put(table, "us", "rifleman-a", "16B")
    put(table, "us", "scout-a", "8A")
    scouts = table.state.sides["us"].counters["scout-a"]
    scouts.tile = "3B"
    table.state.sides["us"].counters["rifleman-b"].tile = "17B"
    whole_tile = do.startswith(("grenade", "bomb"))
    assert options(decide(table, "rifleman-b", line(do))) == {"3B" if whole_tile else "scout-a"}
    scouts.tile = "8A"
    assert options(decide(table, "rifleman-b", line(do))) == {"16B" if whole_tile else "rifleman-a"}


@pytest.mark.rule("UND-217")
@pytest.mark.parametrize("do", ["attack", "suppress 4", "strafe 2"])
def test_a_scout_in_the_open_is_attacked_before_riflemen_in_cover(do: str) -> None:
    table = staged()
    put(table, "ge", "rifleman-a", "13B")
    put(table, "us", "rifleman-a", "2B")
    put(table, "us", "scout-a", "3B")
    against = {one.unit: total.total for one, total in combat.targets(table, "ge", parse("attack 1"), "13B")}
    assert against == {"rifleman-a": 4 + 2 + 1, "scout-a": 5 + 0 + 1}
    assert options(decide(table, "rifleman-a", line(do))) == {"scout-a"}


@pytest.mark.rule("UND-217")
@pytest.mark.parametrize("do", ["antitank 3", "demolition 3"])
def test_of_two_vehicles_too_the_bot_takes_the_one_easier_to_hit(do: str) -> None:
    table = staged(NIGHT, side="it")
    sapper = msgspec.structs.replace(table.type("sapper-a"), actions=(do,))
    table.pack = msgspec.structs.replace(table.pack, unit={**table.pack.unit, "sapper": sapper})
    put(table, "lrdg", "sapper-a", "D7")
    for vehicle, soldier in (("medium-tank", "crewman-a"), ("scout-car", "desert-rifleman-a")):
        put(table, "it", vehicle, "D7")
        put(table, "it", soldier, "D7", vehicle=vehicle)
    assert options(decide(table, "sapper-a", line(do))) == {"scout-car"}


@pytest.mark.rule("UND-218", "UND-219")
@pytest.mark.parametrize(
    ("do", "unit"),
    [
        ("attack 1", "rifleman-a"),
        ("suppress 4", "rifleman-a"),
        ("strafe 2", "rifleman-a"),
        ("grenade 1 3", "rifleman-a"),
        ("bomb 2", "rifleman-a"),
        ("antitank 3", "tank"),
    ],
)
def test_each_combat_keyword_has_its_kind_of_defence(do: str, unit: str) -> None:
    table = staged(ARMOUR)
    put(table, "ge", "tank", "6B")
    for one in ("rifleman-a", "tank"):
        put(table, "us", one, "6B")
    told = decide(table, "tank", line(do))
    assert told.effect is not None
    met = {choice.counter.unit if choice.counter else choice.tile for choice in told.effect.choices}
    assert met == {unit if not do.startswith(("grenade", "bomb")) else "6B"}
    table.state.sides["us"].counters[unit].tile = ""
    assert decide(table, "tank", line(do)).effect is None


@pytest.mark.rule("UND-220")
def test_demolition_hits_armour_or_structures_on_its_own_tile() -> None:
    table = staged(NIGHT, side="it")
    put(table, "lrdg", "sapper-a", "D7")
    assert decide(table, "sapper-a", line("demolition")).effect is None
    put(table, "lrdg", "sapper-a", "D8")
    told = decide(table, "sapper-a", line("demolition"))
    assert told.effect is not None
    assert [one.words for one in told.effect.choices] == ["Demolition 3 on the structure on D8"]
    put(table, "it", "desert-rifleman-a", "D8")
    put(table, "it", "scout-car", "D8")
    put(table, "it", "crewman-a", "D8", vehicle="scout-car")
    assert options(decide(table, "sapper-a", line("demolition"))) == {"scout-car"}
    put(table, "lrdg", "sapper-a", "D7")
    assert decide(table, "sapper-a", line("demolition")).effect is None


@pytest.mark.rule("UND-179", "UND-197")
def test_a_line_that_speaks_of_an_enemy_demolishes_no_structure() -> None:
    table = staged(NIGHT, side="it")
    put(table, "lrdg", "sapper-a", "D8")
    put(table, "it", "desert-rifleman-a", "D8")
    assert options(decide(table, "sapper-a", line("demolition"))) == {"structure"}
    assert decide(table, "sapper-a", line("demolition", when=["enemy: here"])).effect is None
    for when in ("enemy: any", "not enemy: vehicle"):
        assert options(decide(table, "sapper-a", line("demolition", when=[when]))) == {"structure"}
    assert options(decide(table, "sapper-a", line("demolition", when=["enemy: here"], at=["any"])))
    put(table, "it", "medium-tank", "D8")
    put(table, "it", "crewman-a", "D8", vehicle="medium-tank")
    assert options(decide(table, "sapper-a", line("demolition", when=["enemy: here"]))) == {"medium-tank"}


@pytest.mark.rule("UND-221", "UND-224")
def test_equal_totals_go_to_the_more_dangerous_and_then_to_the_die() -> None:
    table = board()
    table.state.sides["us"].counters["rifleman-b"].tile = "16B"
    put(table, "us", "machine-gunner-a", "16B")
    put(table, "us", "mortar", "16B")
    assert table.section is not None
    assert table.section.danger.index("machine-gunner") < table.section.danger.index("mortar")
    assert options(decide(table, "rifleman-b", line("attack"))) == {"machine-gunner-a"}
    put(table, "us", "machine-gunner-b", "16B")
    assert options(decide(table, "rifleman-b", line("attack"))) == {"machine-gunner-a", "machine-gunner-b"}
    teach(table, solo("rifleman", line("attack")))
    ran = resolve(table, "rifleman-b", ["7"], ["1"])
    assert ran.asked()[:2] == ["bot.random", "attack.roll"]
    assert "Machine Gunner B" in ran.asks[1].text


@pytest.mark.parametrize(("rolled", "came"), [("1", "US Scout A: missed."), ("0", "US Scout A card")])
def test_what_came_of_the_bots_attack_names_the_attacker_as_its_dice_may_be_rolled_unseen(
    rolled: str, came: str
) -> None:
    table = staged()
    put(table, "ge", "rifleman-b", "5B")
    put(table, "us", "scout-a", "4B")
    teach(table, solo("rifleman", line("attack")))
    (told,) = [
        one for one in resolve(table, "rifleman-b", [rolled]).asks if one.key == "undaunted.bot.result"
    ]
    assert told.text.startswith(f"Rifleman B: {came}")


@pytest.mark.rule("UND-182")
@pytest.mark.parametrize(
    ("ties", "target"), [(["mortar"], "mortar"), (["not machine-gunner", "mortar"], "mortar")]
)
def test_a_tiebreaker_that_names_a_target_comes_before_the_danger_list(ties: list[str], target: str) -> None:
    table = board()
    table.state.sides["us"].counters["rifleman-b"].tile = ""
    for unit in ("machine-gunner-a", "mortar"):
        put(table, "us", unit, "16B")
    assert options(decide(table, "rifleman-b", line("attack"))) == {"machine-gunner-a"}
    assert options(decide(table, "rifleman-b", line("attack", ties=ties))) == {target}


@pytest.mark.rule("UND-182", "UND-217")
def test_for_a_tiebreaker_about_friends_beside_a_target_the_attacker_is_none() -> None:
    table = staged()
    put(table, "ge", "machine-gunner-a", "4B")
    put(table, "us", "scout-a", "4B")
    put(table, "us", "rifleman-b", "12B")
    beside = line("attack 1", ties=["friend"])
    assert options(decide(table, "machine-gunner-a", beside)) == {"rifleman-b"}
    put(table, "ge", "scout-b", "4B")
    assert options(decide(table, "machine-gunner-a", beside)) == {"scout-a"}


@pytest.mark.rule("UND-221")
def test_a_unit_that_the_danger_list_leaves_out_is_the_least_dangerous() -> None:
    table = board()
    table.state.sides["us"].counters["rifleman-b"].tile = "16B"
    put(table, "us", "anti-tank-gunner", "16B")
    assert table.section is not None
    assert "anti-tank-gunner" not in table.section.danger
    assert options(decide(table, "rifleman-b", line("attack"))) == {"rifleman-b"}


@pytest.mark.rule("UND-222", "UND-223")
def test_a_vehicle_is_as_dangerous_as_its_most_dangerous_soldier_who_is_hit() -> None:
    table = staged(NIGHT)
    car = put(table, "lrdg", "scout-car", "D2")
    put(table, "lrdg", "crewman-a", "D2", vehicle="scout-car", seat=0)
    put(table, "lrdg", "sapper-a", "D2", vehicle="scout-car", seat=1)
    assert table.section is not None
    assert combat.danger(table, car) == table.section.danger.index("sapper") == 0
    table.state.turn = "it"
    hit(table, "it", car)
    assert table.state.players["lrdg"].removed == {"sapper-a": 1}
    assert "UND-223" in table.rules()


def hit(table: Table, side: str, vehicle: Counter, *answers: object) -> Ran:
    """A hit of a side on a vehicle."""
    attack = combat.Attack(side, parse("antitank 1"), vehicle.tile)
    return run(combat.strike(table, attack, vehicle, lambda: combat.Defence(1), "test"), ["0"], *answers)


@pytest.mark.rule("UND-223", "UND-224")
def test_among_equally_dangerous_soldiers_in_a_vehicle_the_die_picks() -> None:
    table = staged(NIGHT)
    car = put(table, "lrdg", "scout-car", "D2")
    put(table, "lrdg", "crewman-a", "D2", vehicle="scout-car", seat=0)
    put(table, "lrdg", "crewman-b", "D2", vehicle="scout-car", seat=1)
    table.state.players["lrdg"].deck = {"crewman-a": 1, "crewman-b": 1}
    table.state.turn = "it"
    ran = hit(table, "it", car, ["5"])
    assert ran.asked() == ["antitank.roll", "bot.random"]
    assert table.state.players["lrdg"].removed == {"crewman-b": 1}


@pytest.mark.rule("UND-R29")
def test_the_bot_attacks_even_a_total_above_nine() -> None:
    table = board()
    put(table, "ge", "rifleman-b", "11B")
    target = put(table, "us", "rifleman-b", "17B")
    against = combat.defence(table, target, parse("attack 1"), "11B")
    assert against is not None
    assert against.total == 10
    assert options(decide(table, "rifleman-b", line("attack"))) == {"rifleman-b"}


def test_a_bot_turn_without_dice_takes_one_press_a_card_and_no_decision() -> None:
    table = board()
    moves = line("move", to=["cover at least 2"], ties=["cover", "objective"])
    teach(table, solo("rifleman", line("control"), moves))
    table.state.players["ge"].deck = {"rifleman-b": 2, "fog": 1}
    ran = run(bot.turn(table, "ge"), ["rifleman-b", "fog", "rifleman-b"])
    assert [one.kind for one in ran.asks] == ["draw", "show", "show", "show"]


# How it is told


@pytest.mark.parametrize(
    ("text", "failed"),
    [
        ("secure", "its tile is not secure"),
        ("not secure", "its tile is secure"),
        ("suppressed", "it is not suppressed"),
        ("on board", "it is not on the board"),
        ("initiative", "the bot does not have the initiative"),
        ("needs 1", "the bot does not need 1 point or fewer"),
        ("enemy needs 2", "the enemy does not need 2 points or fewer"),
        ("enemy: machine-gunner, within 1", "no enemy is a machine gunner and within 1 tile"),
        ("not enemy: on objective", "an enemy is on an objective"),
        ("enemy: on scouted", "no enemy is on a tile that is scouted"),
        ("friend: not suppressed, matching", "no friend is not suppressed and of its squad"),
        ("here: not controlled", "its tile is controlled"),
        ("here: objective, enemy", "its tile is not all of this: an objective and occupied by an enemy"),
        ("tile: path to victory, not scouted", "no tile is on the path to victory and not scouted"),
        ("row: fog", "no Fog of War is in the row"),
        ("row: anti-tank-gunner", "no anti tank gunner card is in the row"),
        ("bolster: own", "its squad's bolster deck has no cards"),
        ("bolster: any", "no bolster deck has cards"),
        ("not bolster: any", "some bolster deck has cards"),
    ],
)
def test_why_a_condition_does_not_hold_reads_well(text: str, failed: str) -> None:
    assert failed_text(text) == failed


def test_a_movement_that_crosses_no_mine_is_told_once() -> None:
    table = board()
    mine(table, "2B", "16B")
    teach(table, solo("rifleman", line("move 1", to=["objective"], ties=["value", "not enemy"])))
    put(table, "us", "rifleman-a", "13B")
    (told,) = resolve(table, "rifleman-b").asks
    assert told.text not in told.detail


@pytest.mark.parametrize(
    ("text", "holds", "failed"),
    [
        ("here: objective", "its tile is an objective", "its tile is not an objective"),
        ("bolster any", "some bolster deck has cards", "no bolster deck has cards"),
    ],
)
def test_a_condition_is_told_as_it_is_asked_for_and_its_opposite_where_it_fails(
    text: str, holds: str, failed: str
) -> None:
    assert (condition_text(text), failed_text(text)) == (holds, failed)
