"""What a person sees: the board in 40 columns, the picture, prompts short enough for the OLED."""

from __future__ import annotations

from pathlib import Path
from random import Random
from xml.etree import ElementTree as ET

import msgspec
import pytest

from companion.engine import autoplay
from companion.engine.asks import RESTATED, Choose, Script
from companion.engine.game import Board
from companion.engine.packs import Source
from companion.games.undaunted import GAME, bot, cards, combat, display, rounds, sheet
from companion.games.undaunted.acting import carry_out
from companion.games.undaunted.actions import parse
from companion.games.undaunted.combat import injured
from companion.games.undaunted.play import Undaunted
from companion.games.undaunted.state import MineSide, glance
from companion.games.undaunted.table import Table
from companion.wording import BOUND
from tests.games.driver import Driver
from tests.games.undaunted.field import (
    ARMOUR,
    LA_RAYE,
    NIGHT,
    altered,
    controlled,
    do,
    fresh,
    ids,
    line,
    mine,
    order,
    put,
    row,
    run,
    scouted,
    solo,
    staged,
    teach,
)

GOLDEN = Path(__file__).parent / "golden"


def board_text(play: Undaunted) -> str:
    board = play.board().fitted()
    blocks = [f"[{panel.title}]\n" + "\n".join(panel.lines) for panel in board.panels]
    return "\n\n".join([board.title, *blocks]) + "\n"


def test_the_board_of_la_raye_after_some_fighting() -> None:
    play = fresh()
    put(play.table, "us", "rifleman-a", "13B", suppressed=True)
    put(play.table, "ge", "scout-a", "13B", hits=2)
    controlled(play.table, "us", "2B")
    play.state.players["us"].hand = ["rifleman-a", "fog"]
    play.state.players["us"].play = ["leader-b"]
    play.state.players["ge"].removed = {"scout-a": 1}
    row(play.table, "scout-a", "rifleman-b")[0].sideways = True
    play.state.round = 3
    assert board_text(play) == (GOLDEN / "la_raye.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize("scenario", ["la-raye", ARMOUR, NIGHT])
@pytest.mark.parametrize("players", ["1", "4"])
def test_boards_keep_to_forty_columns_and_prompts_to_the_oled(scenario: str, players: str) -> None:
    if (scenario, players) == ("la-raye", "4"):
        scenario, players = "la-raye", "2"
    play = fresh(scenario, players=players)
    decide = autoplay.policy(GAME, play, "random", Random(5))
    for step in autoplay.steps(play, decide, 5):
        assert len(step.ask.text) <= 75, step.ask.text
        if isinstance(step.ask, Choose):
            assert all(len(option.label) <= 22 for option in step.ask.options)
        assert all(len(line) <= 40 for panel in play.board().fitted().panels for line in panel.lines)


def test_the_sheet_tells_all_that_has_to_be_laid_out() -> None:
    words = " ".join(sheet.lines(fresh().table))
    for part in (
        "Columns from the left: 2B 16B 6A; 17B 13B 3B (half a tile up); 7A 12B 8A (2 half tiles up);",
        "Objectives: 2B 1, 16B 1, 6A 2, 13B 2, 7A 1, 5B 3.",
        "US on 17B: Rifleman A, Rifleman B, Scout A, Scout B.",
        "German controlled: 5B.",
        "Bot deck, shuffled, face down: 1 Platoon Sergeant,",
        "Initiative marker: US.",
        "US spawn: all on 17B.",
        "Your supply: 4 Rifleman A, 4 Rifleman B, 2 Scout A, 2 Scout B.",
        "German supply: 8 Fog of War.",
        "Bolster deck A, shuffled, face down: 4 Rifleman A, 2 Scout A.",
    ):
        assert part in words
    assert "Supply of Bot" not in words
    assert "Your deck, shuffled, face down: " in words
    armour = " ".join(sheet.lines(fresh(ARMOUR, specialists="yes").table))
    assert "Your supply: 2 Rifleman A, 2 Rifleman B, 2 Scout A" in armour
    assert "2 Grenadier A, 2 Grenadier B." in armour
    assert "No vehicles on 7B." in armour
    assert "Not a published scenario" in armour
    assert "LRDG mines: 6 in supply." in " ".join(sheet.lines(fresh(NIGHT).table))
    joint = " ".join(sheet.lines(fresh(ARMOUR, players="4").table))
    assert "Supply of GE 2: 3 Rifleman B, 2 Scout B, 2 Tank." in joint
    assert "German command token: GE 1." in joint


def test_each_thing_to_lay_out_stands_on_a_line_of_its_own() -> None:
    shown = Driver(fresh()).ask
    assert shown.detail.splitlines() == list(sheet.lines(fresh().table))


def test_the_sheet_tells_who_enters_where() -> None:
    spawns = {"us": {"all": "17B", "b": "2B", "sniper": "7A", "scout-a": "13B"}, "ge": {"all": "5B"}}
    words = " ".join(sheet.lines(altered(LA_RAYE, {"spawns": spawns}).table))
    assert "US spawn: all on 17B, squad B on 2B, Sniper on 7A, Scout A on 13B." in words


def test_a_lost_card_is_not_taken_for_its_counter_nor_are_markers_forgotten() -> None:
    table = fresh().table
    player, bot = table.state.players["ge"], table.state.bot
    player.deck, player.discard = {}, {"rifleman-a": 1}
    counter = put(table, "ge", "rifleman-a", "8A", hits=1)
    run(cards.casualty(table, counter))
    assert table.news == ["German Rifleman A card leaves the game, from the discard pile."]
    assert bot is not None
    bot.bolster.clear()
    run(cards.casualty(table, counter))
    words = "German Rifleman A: take the counter and its control markers off the board."
    assert table.news[1:] == [words]


def test_a_counter_that_enters_and_goes_on_is_not_said_to_be_placed_where_it_entered() -> None:
    table = fresh().table
    table.state.sides["us"].counters["rifleman-a"].tile = ""
    ran = do(table, "us", "rifleman-a", "move 1", "2B")
    assert (ran.asks[0].text, ran.asks[0].detail) == (
        "US Rifleman A on 17B: move to? (1 left)",
        "Place it there first.",
    )
    assert table.news == ["US Rifleman A has entered on 17B."]


def test_a_unit_that_enters_to_guide_another_is_told_to_be_placed_before_that_one_moves() -> None:
    table = staged(players="2")
    put(table, "us", "scout-a", "")
    put(table, "us", "rifleman-a", "17B")
    scouted(table, "us", "17B", "2B")
    _, to = do(table, "us", "scout-a", "guide 1", "rifleman-a", "2B").asks
    assert (to.detail, to.news) == ("Place US Scout A on 17B.", "Place US Scout A on 17B.")


def test_what_a_step_brought_is_news_with_the_next_one_and_not_where_the_first_begins() -> None:
    table = staged()
    put(table, "us", "scout-a", "")
    first, then = do(table, "us", "scout-a", "scout 2", "2B", "stay").asks
    assert (first.detail, first.news) == ("Place it there first.", "")
    assert then.detail.startswith("Scouted marker on 2B")
    assert then.news == then.detail


def test_a_card_and_its_number_stay_on_one_line_of_the_board() -> None:
    table = fresh().table
    player = table.state.players["us"]
    player.hand = ["fog", "leader-a", "scout-b"]
    player.supply = {"rifleman-a": 4, "rifleman-b": 4, "scout-a": 2}
    lines = [line for panel in display.board(table).fitted().panels for line in panel.lines]
    assert "hand: Fog of War, Squad Leader A," in lines
    assert "supply: 4 Rifleman A, 4 Rifleman B," in lines


def test_an_action_says_for_which_squad_it_is_and_how_far_it_reaches() -> None:
    table = fresh(ARMOUR, specialists="yes").table
    put(table, "ge", "rifleman-a", "1B")
    put(table, "us", "rifleman-b", "1B")
    put(table, "us", "scout-b", "2B")
    labels = {}
    put(table, "ge", "rifleman-b", "1B")
    for side, card in (
        ("us", "leader-a"),
        ("us", "platoon-leader-b"),
        ("us", "grenadier-a"),
        ("ge", "submachine-gunner-b"),
    ):
        player = table.state.players[side]
        player.hand, player.play = [card], ["scout-a"]
        question = rounds.which_action(table, side, card)
        labels |= {one.label: one.detail for one in question.options}
    assert {"Bolster 2 squad A", "Inspire 1 squad A", "Advance B", "Bolster 1 squad B"} < labels.keys()
    assert labels["Grenade 2 1"] == "1 tile away at most"
    assert labels["Attack 3 0"] == "own tile only"


@pytest.mark.parametrize(
    ("card", "words", "text", "detail"),
    [
        (
            "leader-a",
            "bolster 2 squad",
            "Bolster 2 squad A: which cards?",
            "From supply to the discard pile.",
        ),
        (
            "leader-a",
            "inspire 1 squad",
            "Inspire 1 squad A: which cards?",
            "From the play area back to the hand.",
        ),
        ("platoon-leader-b", "advance", "Advance B: which way?", ""),
    ],
)
def test_what_is_asked_of_an_action_names_the_squad_as_its_option_did_and_where_cards_go(
    card: str, words: str, text: str, detail: str
) -> None:
    table = fresh(ARMOUR).table
    put(table, "us", "rifleman-b", "1B")
    put(table, "us", "scout-b", "2B")
    player = table.state.players["us"]
    player.hand, player.play = [card], ["scout-a"]
    asked = next(carry_out(table, order(table, "us", card, words)))
    assert (asked.text, asked.detail) == (text, detail)


def test_the_board_names_no_round_before_the_first() -> None:
    game = Driver(fresh())
    assert game.board().startswith("La Raye\n")
    game.answer()
    assert game.board().startswith("La Raye, round 1\n")


def test_a_draw_from_an_empty_deck_says_to_shuffle_the_discard_pile_first() -> None:
    table = fresh().table
    player = table.state.players["us"]
    player.deck, player.discard = {"scout-a": 1}, {"fog": 2}
    ran = run(cards.draw(table, "us", 3, player.hand.append), ["scout-a"], ["fog", "fog"])
    assert [one.detail for one in ran.asks] == ["", "Shuffle your discard pile, it is the new deck."]
    table.state.players["ge"].deck, table.state.players["ge"].discard = {}, {"fog": 1}
    (asked,) = run(cards.draw(table, "ge", 1, player.hand.append), ["fog"]).asks
    assert asked.detail == "Shuffle the bot's discard pile, it is the new deck."


def test_an_override_under_an_open_decision_changes_its_choices() -> None:
    game = Driver(fresh())
    game.until("undaunted.draw.us")
    for answer in (["scout-a", "rifleman-a", "fog", "fog"], "scout-a", ["fog"], True, "rifleman-a"):
        game.answer(answer)
    assert "control" in game.ids()
    game.play.state.sides["us"].counters["rifleman-a"].suppressed = True
    game.restate()
    assert game.ids() == ["ready", "hunker"]


def test_no_mine_is_laid_whose_supply_was_set_to_none_meanwhile() -> None:
    table = staged(NIGHT)
    put(table, "lrdg", "sapper-a", "D1")
    laying = carry_out(table, order(table, "lrdg", "sapper-a", "mine 2"))
    next(laying)
    for answer in ("lay", "D2:personnel"):
        asked = laying.send(answer)
    assert "D2:armour" in ids(asked)
    table.state.sides["lrdg"].mines = 0
    assert ids(laying.send(RESTATED)) == ["enough"]


def test_who_was_taken_off_the_board_meanwhile_enters_it_before_a_vehicle() -> None:
    table = staged(NIGHT)
    put(table, "lrdg", "scout-car", "D1")
    soldier = put(table, "lrdg", "desert-rifleman-a", "D1")
    boarding = carry_out(table, order(table, "lrdg", "desert-rifleman-a", "board"))
    next(boarding)
    soldier.tile = ""
    assert ids(boarding.send(RESTATED)) == ["scout-car:0", "scout-car:1"]
    with pytest.raises(StopIteration):
        boarding.send("scout-car:0")
    assert (soldier.tile, soldier.vehicle) == ("D1", "scout-car")


def test_a_card_that_was_another_is_put_right_as_it_is_played_and_the_other_can_be() -> None:
    game = Driver(fresh())
    game.until("undaunted.draw.us")
    for answer in (["scout-a", "rifleman-a", "fog", "fog"], "scout-a", ["fog"], True, "rifleman-a"):
        game.answer(answer)
    player = game.play.state.players["us"]
    player.hand = ["scout-b"]
    assert game.restate().text == "Rifleman A is in the hand no more."
    assert game.ids() == ["back"]
    assert game.play.advise(game.ask, "bold") == "back"
    game.answer("back")
    assert game.ask.key == "undaunted.turn.card"
    assert game.ids() == ["scout-b", "end"]


def test_of_a_card_of_somebody_whose_turn_it_is_not_by_hand_nothing_is_advised() -> None:
    game = Driver(fresh())
    game.until("undaunted.draw.us")
    for answer in (["scout-a", "rifleman-a", "fog", "fog"], "scout-a", ["fog"], True, "rifleman-a"):
        game.answer(answer)
    assert game.ask.key == "undaunted.turn.action"
    assert game.play.advise(game.ask, "bold") is not None
    game.play.state.turn = "ge"
    assert game.restate().key == "undaunted.turn.action"
    assert game.play.advise(game.ask, "bold") is None


def under_way(table: Table, name: str, card: str, action: str) -> Script[None]:
    table.state.turn = name
    return carry_out(table, order(table, name, card, action))


def test_counters_put_right_as_a_guide_or_an_advance_is_asked_for_change_who_can_go() -> None:
    table = staged(ARMOUR, players="2")
    foot, scout = put(table, "us", "rifleman-b", "1B"), put(table, "us", "scout-b", "1B")
    put(table, "us", "rifleman-a", "5B")
    scouted(table, "us", *table.ground.tiles)
    guide = under_way(table, "us", "guide", "guide 1")
    assert ids(next(guide)) == ["rifleman-a", "rifleman-b", "scout-b"]
    scout.tile = ""
    assert ids(guide.send(RESTATED)) == ["rifleman-a", "rifleman-b"]
    scout.tile = "1B"
    advance = under_way(table, "us", "platoon-leader-b", "advance")
    assert "1B>5B" in ids(next(advance))
    foot.tile = scout.tile = "2B"
    assert "1B>5B" not in ids(advance.send(RESTATED))
    foot.tile = scout.tile = "1B"
    assert ids(advance.send("1B>5B")) == ["rifleman-b", "scout-b"]
    foot.tile = "5B"
    assert ids(advance.send(RESTATED)) == ["scout-b"]


def test_a_sapper_taken_off_the_board_as_mines_are_asked_for_lays_them_where_it_enters() -> None:
    table = staged(NIGHT, players="2")
    sapper = put(table, "lrdg", "sapper-a", "D6")
    mine = under_way(table, "lrdg", "sapper-a", "mine 2")
    assert ids(next(mine)) == ["lay"]
    sapper.tile = ""
    assert mine.send(RESTATED).text == "Lay mines or take them away?"
    assert mine.send("lay").text == "Mine on which edge of D1? (2 left)"
    mine.send("D2:personnel")
    assert [one.between for one in table.state.mines] == [("D1", "D2")]


def test_cards_put_right_as_a_bolster_is_asked_for_can_be_taken() -> None:
    table = staged(ARMOUR, players="2")
    table.state.players["us"].supply = {"scout-a": 1}
    bolster = under_way(table, "us", "leader-a", "bolster 1")
    assert ids(next(bolster)) == ["scout-a"]
    table.state.players["us"].supply = {"rifleman-a": 1}
    assert ids(bolster.send(RESTATED)) == ["rifleman-a"]


def test_mines_seats_and_the_target_marker_put_right_as_they_are_asked_for_count() -> None:
    table = staged(NIGHT, players="2")
    sapper = put(table, "lrdg", "sapper-a", "D2")
    put(table, "lrdg", "scout-car", "D2")
    mine(table, "D2", "D1")
    lift = under_way(table, "lrdg", "sapper-a", "mine 1")
    assert "lift" in ids(next(lift))
    assert ids(lift.send("lift")) == ["0"]
    mine(table, "D2", "D3")
    again = lift.send(RESTATED)
    assert (ids(again), again.text) == (["0", "1"], "Take which mine away? (1 left)")
    seats = under_way(table, "lrdg", "sapper-a", "board")
    assert len(ids(next(seats))) > 1
    sapper.vehicle = "scout-car"
    assert ids(seats.send(RESTATED)) == ["out"]
    table = staged(LA_RAYE, players="2")
    put(table, "us", "mortar", "17B")
    aim = under_way(table, "us", "mortar", "target")
    tile = ids(next(aim))[0]
    table.state.sides["us"].target = tile
    assert tile not in ids(aim.send(RESTATED))


def test_a_sapper_put_right_as_a_mine_is_laid_lays_it_where_it_stands() -> None:
    table = staged(NIGHT, players="2")
    sapper = put(table, "lrdg", "sapper-a", "D2")
    lay = under_way(table, "lrdg", "sapper-a", "mine 1")
    next(lay)
    assert "D6:armour" in ids(lay.send("lay"))
    sapper.tile = "D1"
    assert "D6:armour" not in ids(lay.send(RESTATED))
    with pytest.raises(StopIteration):
        lay.send("D2:armour")
    assert table.state.mines[-1].between == ("D1", "D2")


def test_a_soldier_put_into_a_vehicle_as_it_is_asked_who_is_hit_there_can_be() -> None:
    table = staged(NIGHT, players="2")
    car = put(table, "it", "scout-car", "D1")
    first = put(table, "it", "crewman-a", "D1", vehicle="scout-car", seat=0)
    other = put(table, "it", "desert-rifleman-a", "D1")
    hit = injured(table, "lrdg", car)
    assert ids(next(hit)) == ["crewman-a"]
    first.vehicle, other.vehicle = "", "scout-car"
    assert ids(hit.send(RESTATED)) == ["desert-rifleman-a"]
    with pytest.raises(StopIteration) as end:
        hit.send("desert-rifleman-a")
    assert end.value.value is other


def test_a_vehicle_left_by_hand_as_its_attack_is_rolled_loses_nobody() -> None:
    table = staged(NIGHT, players="2")
    put(table, "lrdg", "sapper-a", "D2")
    car = put(table, "it", "scout-car", "D1")
    soldier = put(table, "it", "crewman-a", "D1", vehicle="scout-car", seat=0)
    fire = combat.fire(table, combat.Attack("lrdg", parse("antitank 3"), "D2"), car)
    next(fire)
    soldier.vehicle = ""
    with pytest.raises(StopIteration) as end:
        fire.send(["0", "0", "0"])
    assert end.value.value
    assert table.state.players["it"].removed == {}
    assert not car.disabled


def test_a_target_put_right_as_its_attack_is_rolled_has_the_defence_of_where_it_stands() -> None:
    table = staged(players="2")
    put(table, "us", "rifleman-a", "17B")
    target = put(table, "ge", "rifleman-a", "5B")
    attack = under_way(table, "us", "rifleman-a", "attack 1")
    next(attack)
    assert (begun := attack.send("rifleman-a")).detail == "Defence 4 + cover 1 + range 2 = 7."
    target.tile = ""
    assert attack.send(RESTATED) == begun
    target.tile = "16B"
    assert attack.send(RESTATED).detail == "Defence 4 + cover 2 + range 2 = 8."
    with pytest.raises(StopIteration):
        attack.send(("7",))
    assert table.news[-1].endswith("missed.")


def test_who_is_put_elsewhere_as_a_grenade_is_rolled_for_another_is_not_hit_by_it() -> None:
    table = staged(ARMOUR, players="2")
    put(table, "us", "grenadier-a", "1B")
    put(table, "ge", "rifleman-a", "2B")
    other = put(table, "ge", "scout-b", "2B")
    grenade = under_way(table, "us", "grenadier-a", "grenade 1 1")
    next(grenade)
    assert "Rifleman A" in grenade.send("2B").text
    other.tile = ""
    with pytest.raises(StopIteration):
        grenade.send(("1",))


def test_who_is_put_off_the_board_as_the_bot_rolls_among_targets_is_none() -> None:
    table = staged()
    put(table, "ge", "rifleman-b", "3B")
    first, second = put(table, "us", "rifleman-a", "13B"), put(table, "us", "rifleman-b", "13B")
    teach(table, solo("rifleman", line("attack")))
    attack = bot.resolve(table, "ge", row(table, "rifleman-b")[-1])
    assert "5-9 Attack 1 on Rifleman B" in next(attack).detail
    second.tile = ""
    attack.send(RESTATED)
    assert "Attack 1 on US Rifleman A" in attack.send(("7",)).text
    assert first.tile == "13B"


def test_a_mine_or_structure_that_was_taken_off_by_hand_as_it_is_rolled_for_ends_no_game() -> None:
    table = staged(NIGHT, players="2")
    scouted(table, "it", "D5")
    put(table, "it", "desert-rifleman-a", "D1")
    mine(table, "D1", "D5")
    move = under_way(table, "it", "desert-rifleman-a", "move 1")
    next(move)
    assert "mine" in move.send("D5").text
    table.state.mines.clear()
    with pytest.raises(StopIteration):
        move.send(("1", "1", "1"))
    put(table, "lrdg", "sapper-a", "D8")
    demolition = under_way(table, "lrdg", "sapper-a", "demolition 3")
    next(demolition)
    demolition.send("structure:D8")
    table.state.structures.clear()
    with pytest.raises(StopIteration):
        demolition.send(("0", "0", "0"))
    assert table.points("lrdg") == 2


def test_a_pile_put_right_as_it_is_asked_which_card_of_it_is_lost_changes_the_choice() -> None:
    table = fresh(ARMOUR, players="2", specialists="yes").table
    pile = table.state.players["us"].discard
    pile |= {"rifleman-b": 1, "grenadier-b": 1}
    lost = cards.casualty(table, table.state.sides["us"].counters["rifleman-b"])
    assert ids(next(lost)) == ["rifleman-b", "grenadier-b"]
    del pile["grenadier-b"]
    assert ids(lost.send(RESTATED)) == ["rifleman-b"]


def test_a_pile_put_right_under_an_open_draw_is_drawn_from() -> None:
    game = Driver(fresh())
    game.until("undaunted.draw.us")
    state = game.play.state
    whole = msgspec.structs.replace(
        state.players["us"], deck={"rifleman-a": 1, "scout-a": 1}, discard={"fog": 2}
    )
    state.players["us"] = whole
    game.restate()
    assert game.ask.count == 2
    game.answer(["rifleman-a", "scout-a"])
    game.answer(["fog", "fog"])
    assert state.players["us"].hand == ["rifleman-a", "scout-a", "fog", "fog"]
    assert whole.deck == {}


def test_a_bolster_deck_put_right_as_the_bot_draws_from_it_is_drawn_from() -> None:
    table = staged()
    box = bot.bot_of(table)
    draw = bot.bolster(table, "ge", "a")
    assert ids(next(draw)) == ["rifleman-a", "scout-a"]
    box.bolster = {"a": {"scout-a": 1, "rifleman-b": 2}}
    assert ids(draw.send(RESTATED)) == ["rifleman-b", "scout-a"]
    with pytest.raises(StopIteration):
        draw.send(("scout-a",))
    assert box.bolster == {"a": {"rifleman-b": 2}}
    assert table.state.players["ge"].discard == {"scout-a": 1}


@pytest.mark.rule("UND-117")
@pytest.mark.parametrize("turn", ["us1", "us2", "ge1", "ge2"])
def test_another_persons_hand_is_not_shown_nor_the_teammates(turn: str) -> None:
    play = fresh(ARMOUR, players="4")
    for player in play.state.players.values():
        player.hand = ["tank"]
    play.state.turn = turn
    assert [line for line in board_text(play).splitlines() if line.startswith("hand: ")] == [
        "hand: Tank" if name == turn else "hand: 1 card" for name in play.state.players
    ]


@pytest.mark.parametrize(
    ("settings", "hand"),
    [
        ({"players": "2"}, "3 cards"),
        ({}, "Tank, 2 Scout A"),
        ({"players": "2", "hand": "table"}, "at the table"),
    ],
)
def test_an_undo_into_another_persons_turn_tells_no_card_that_this_one_alone_knows(
    settings: dict[str, str], hand: str
) -> None:
    play = fresh(**settings)
    us, ge = play.state.players.values()
    us.hand, us.play, us.removed, play.state.turn = ["scout-a", "scout-a"], ["tank"], {"rifleman-a": 1}, "ge"
    now = play.board()
    us.hand, us.play, us.removed, play.state.turn = (
        ["tank", "scout-a", "scout-a"],
        [],
        {"rifleman-a": 2},
        "us",
    )
    ge.hand = ["scout-b"]
    told = play.board().since(now)
    assert told is not None
    lines = [line.replace(BOUND, " ") for panel in told.panels for line in panel.lines]
    assert (f"hand: {hand}" in lines) is (hand != "at the table")
    assert "no more: played" in lines
    out = [line for line in lines if line.startswith("out: ")]
    assert out == (["out: 2"] if settings else ["out: 2 Rifleman A"])


@pytest.mark.rule("UND-324")
@pytest.mark.parametrize(
    ("players", "turn", "seen"), [("1", "us", "us"), ("1", "ge", "us"), ("2", "ge", "ge")]
)
def test_only_the_own_removed_cards_are_shown(players: str, turn: str, seen: str) -> None:
    play = fresh(players=players)
    play.state.players["us"].removed = {"scout-a": 1, "fog": 1}
    play.state.players["ge"].removed = {"rifleman-b": 1, "fog": 2}
    play.state.turn = turn
    shown = {"us": "out: Scout A, Fog of War", "ge": "out: Rifleman B, 2 Fog of War"}
    hidden = {"us": "out: 2", "ge": "out: 3"}
    other = "ge" if seen == "us" else "us"
    text = board_text(play).splitlines()
    assert [line for line in text if line.startswith("out: ")] == [
        shown[name] if name == seen else hidden[name] for name in play.state.players
    ]
    assert shown[other] not in text


def test_mines_and_a_solo_section_of_ones_own_are_on_the_board_as_they_are() -> None:
    play = fresh(NIGHT)
    assert "[Mines]" not in board_text(play)
    mine(play.table, "D6", "D5")
    assert "[Mines]\nD6-D5 anti-personnel\n" in board_text(play)
    assert play.table.section is not None
    play.table.section = msgspec.structs.replace(play.table.section, source=Source.OWNER)
    assert "stand-in solo section" not in board_text(play)


def test_of_two_mines_on_an_edge_both_are_told_after_an_undo() -> None:
    play = fresh(NIGHT)
    mine(play.table, "D6", "D5")
    one = play.board()
    mine(play.table, "D5", "D6", MineSide.ARMOUR)
    assert told_after(one, play.board()) == {"Mines": ("D6-D5 anti-personnel, anti-armour",)}
    assert told_after(play.board(), one) == {"Mines": ("D6-D5 anti-personnel",)}


def test_the_bots_row_is_told_as_a_whole_after_an_undo() -> None:
    """A card of another squad has not taken the place of one, and the cards lie in an order."""
    play = fresh()
    lying = row(play.table, "scout-b", "rifleman-b", deal=False)
    then = play.board()
    lying.clear()
    row(play.table, "rifleman-a", "scout-b", deal=False)[0].sideways = True
    assert told_after(then, play.board()) == {"Bot row": ("row: Rifleman A (sideways), Scout B",)}
    lying.clear()
    assert told_after(then, play.board()) == {"Bot row": ("row: empty",)}


def told_after(was: Board, now: Board) -> dict[str, tuple[str, ...]]:
    """What has to be put right, panel by panel."""
    told = now.since(was)
    assert told is not None
    return {panel.title: tuple(line.replace(BOUND, " ") for line in panel.lines) for panel in told.panels}


def test_stand_ins_are_marked_wherever_they_are_seen() -> None:
    play = fresh(ARMOUR)
    assert "stand-in solo cards" in board_text(play)
    assert "stand-in solo section" in board_text(play)
    steps = list(autoplay.steps(play, autoplay.policy(GAME, play, "random", Random(1)), 1))
    assert "stand-ins" in steps[0].ask.detail
    cards = [step.ask for step in steps if step.ask.key == "undaunted.bot.card"]
    assert all("(stand-in card)" in one.detail or "Fog of War" in one.text for one in cards)


def test_units_whose_values_no_source_gives_say_so_on_a_printed_map_too() -> None:
    play = fresh(players="2", specialists="yes")
    told = "Stand-ins, with values of our own: Grenadier, Submachine Gunner."
    assert told in sheet.lines(play.table)
    assert "stand-ins: Grenadier, Submachine Gunner" in board_text(play).splitlines()
    assert "tand-ins" not in board_text(fresh(players="2"))
    assert not [line for line in sheet.lines(fresh(players="2").table) if "tand-in" in line]


def test_board_and_picture_show_vehicles_who_is_in_them_and_what_else_lies_there() -> None:
    play = altered(NIGHT, {"no_vehicles": ("D9",)})
    car = play.table.state.sides["lrdg"].counters["scout-car"]
    car.disabled = True
    put(play.table, "it", "crewman-a", "D12", vehicle="medium-tank", suppressed=True)
    play.table.state.sides["it"].target = "D5"
    board = board_text(play)
    for words in ("lrdg:SC() damaged", "it:MT(TC-a!)", "D8 c1 *2 IT structure", "it target", "no vehicles"):
        assert words in board
    assert "in brackets: who is in the vehicle" in board
    assert "in brackets" not in board_text(fresh())
    texts = [node.text for node in ET.fromstring(play.svg()).iter()]
    for words in ("SC ✗", "MT", "└ TC A↓", "structure", "no vehicles", "◎ target"):
        assert words in texts


def test_no_two_units_of_a_side_look_alike_on_the_board() -> None:
    for scenario in (LA_RAYE, ARMOUR, NIGHT):
        table = fresh(scenario).table
        for side in table.state.sides.values():
            signs = [display._short(table, one) for one in side.counters.values()]
            assert len(set(signs)) == len(signs), signs


def test_the_picture_is_one_svg_of_its_own_for_light_and_dark() -> None:
    play = fresh(NIGHT)
    mine(play.table, "D1", "D2", MineSide.ARMOUR)
    text = play.svg()
    root = ET.fromstring(text)
    words = " ".join(node.text or "" for node in root.iter())
    assert root.tag.endswith("svg")
    assert all(tile in words for tile in play.table.ground.tiles)
    assert "Medium Tank" not in words
    assert "✹A" in words
    assert "prefers-color-scheme: dark" in text
    assert "http" not in text.replace("http://www.w3.org/2000/svg", "")


def test_mines_on_one_edge_are_drawn_beside_each_other_with_the_side_that_is_up() -> None:
    play = fresh(NIGHT)
    mine(play.table, "D1", "D2", MineSide.ARMOUR)
    mine(play.table, "D2", "D1")
    mine(play.table, "D2", "D3")
    drawn = [node.text for node in ET.fromstring(play.svg()).iter() if node.get("class") == "mine"]
    assert drawn == ["✹A✹P", "✹P"]


def test_one_card_is_told_as_one() -> None:
    play = fresh()
    assert play.state.bot is not None
    play.state.bot.bolster["a"] = {"rifleman-a": 1}
    assert "bolster A: 1 card\n" in board_text(play)
    other = fresh(players="2")
    for player in other.state.players.values():
        player.hand = ["fog"]
    assert "hand: 1 card\n" in board_text(other)


def test_a_report_names_the_factions_as_the_box_does_and_counts_tiles_and_counters() -> None:
    state = fresh().state
    state.sides["us"].counters["scout-a"].tile = ""
    seen = glance(state)
    assert seen.figures == {
        "US tiles controlled": 0,
        "US counters on the board": 3,
        "German tiles controlled": 1,
        "German counters on the board": 4,
    }
    assert (seen.turn, seen.who) == ("", "")
    state.round = 2
    assert glance(state).turn == "Round 2"


def test_of_two_players_it_is_seen_who_is_asked_and_a_lone_one_needs_no_name() -> None:
    for players, who in (("1", ""), ("2", "GE")):
        state = fresh(players=players).state
        state.turn = "ge"
        assert glance(state).who == who


def test_while_cards_are_bid_the_first_is_asked_who_has_still_to_bid_and_can() -> None:
    state = fresh(players="2").state
    assert glance(state).who == "US"
    state.players["us"].hand.clear()
    state.players["us"].deck.clear()
    assert glance(state).who == "GE"
    state.bids["ge"] = "sergeant"
    assert glance(state).who == ""


@pytest.mark.parametrize(("scenario", "card"), [(ARMOUR, "sergeant"), (NIGHT, "lieutenant")])
def test_the_board_says_who_has_each_command_token(scenario: str, card: str) -> None:
    play = fresh(scenario, players="4")
    first, second = play.state.sides
    cards.discard(play.table, f"{first}1", card)
    panels = {panel.title: panel.lines for panel in play.board().panels}
    with_token = {title for title, lines in panels.items() if "command token" in lines}
    assert with_token == {f"{first.upper()} 2", f"{second.upper()} 1"}
    assert "command token" not in board_text(fresh(scenario, players="2"))


def test_the_board_counts_the_mines_in_supply_of_who_controls_them() -> None:
    play = fresh(NIGHT, players="2")
    play.state.sides["lrdg"].mines = 4
    panels = {panel.title: panel.lines for panel in play.board().panels}
    assert "mines in supply 4" in panels["Cards of LRDG"]
    assert not any("mines" in one for one in panels["Cards of IT"])
