"""Joint Operations: four players in two teams."""

from __future__ import annotations

import msgspec
import pytest

from companion.engine.asks import Show
from companion.engine.errors import PackError
from companion.engine.game import Setup
from companion.engine.packs import Source
from companion.games.undaunted import cards, combat, rounds, victory
from companion.games.undaunted.acting import carry_out
from companion.games.undaunted.actions import parse
from companion.games.undaunted.checker import problems
from companion.games.undaunted.pack import FOG, Cards, SoloSection
from companion.games.undaunted.setup import make_table
from companion.games.undaunted.table import Table
from tests.games.driver import Driver
from tests.games.undaunted.field import (
    ARMOUR,
    LA_RAYE,
    NIGHT,
    altered,
    can,
    do,
    fresh,
    ids,
    mine,
    order,
    put,
    run,
    scouted,
    shipped,
    staged,
)


def four(scenario: str = ARMOUR, **settings: str) -> Table:
    return staged(scenario, players="4", **settings)


@pytest.mark.rule("UND-092", "UND-094", "UND-095")
def test_four_players_have_own_decks_and_supplies_and_a_team_shares_fog_of_war() -> None:
    table = fresh(ARMOUR, players="4").table
    assert list(table.state.players) == ["us1", "us2", "ge1", "ge2"]
    first, second = table.state.players["us1"], table.state.players["us2"]
    assert first.deck["rifleman-a"] == 2
    assert second.deck["rifleman-b"] == 2
    assert "rifleman-b" not in first.deck | first.supply
    assert first.supply == {"rifleman-a": 3, "scout-a": 2, "anti-tank-gunner-a": 2}
    assert second.supply == {"rifleman-b": 3, "scout-b": 2, "tank": 2}
    assert table.state.sides["us"].fog == 8
    with pytest.raises(
        PackError,
        match=r"^La Raye can't be played with players=4: no cards of US in scenario\.la-raye\.joint$",
    ):
        fresh(LA_RAYE, players="4")


@pytest.mark.parametrize("players", ["1", "2"])
def test_a_sheet_with_the_cards_of_four_players_alone_is_not_played_by_fewer(players: str) -> None:
    for side, named in (("us", "US"), ("ge", "German")):
        decks = {"decks": shipped().scenario[ARMOUR].decks | {side: {"fog": 2}}}
        says = rf"players={players}: no cards of {named} in scenario\.{ARMOUR}\.decks$"
        with pytest.raises(PackError, match=says):
            altered(ARMOUR, decks, players=players)
        altered(ARMOUR, decks, players="4")


@pytest.mark.rule("UND-094", "UND-121")
def test_a_counter_whose_cards_only_the_other_number_of_players_has_is_not_laid() -> None:
    sheet = shipped().scenario[ARMOUR]
    first, _ = sheet.joint["us"]
    laid = {
        "joint": sheet.joint | {"us": (first, Cards({"rifleman-b": 2}, {"sniper": 1}))},
        "counters": sheet.counters | {"us": {"rifleman-a": "1B", "tank": "1B", "sniper": "2B"}},
    }
    for players, alone in (("1", "tank"), ("2", "tank"), ("4", "sniper")):
        counters = altered(ARMOUR, laid, players=players).state.sides["us"].counters
        assert {"tank", "sniper"} & counters.keys() == {alone}


@pytest.mark.rule("UND-095")
def test_fog_of_war_drawn_with_one_of_a_team_alone_is_all_there_is() -> None:
    first, second = shipped().scenario[ARMOUR].joint["us"]
    without = Cards(second.deck, {card: n for card, n in second.supply.items() if card != FOG})
    table = altered(ARMOUR, {"joint": {"us": (first, without), "ge": (first, first)}}, players="4").table
    assert table.state.sides["us"].fog == first.supply[FOG]


@pytest.mark.rule("UND-126")
def test_a_bot_whose_own_deck_has_a_unit_of_four_players_has_its_counter_where_the_sheet_lays_it() -> None:
    pack = shipped()
    sheet = pack.scenario[ARMOUR]
    second = Cards({"rifleman-b": 2}, {"sniper": 1})
    changed = msgspec.structs.replace(
        sheet,
        joint=sheet.joint | {"ge": (sheet.joint["ge"][0], second)},
        counters=sheet.counters | {"ge": {"sniper": "2B"}},
    )
    section = SoloSection(ARMOUR, "ge", deck=sheet.decks["ge"] | {"sniper": 1}, source=Source.OWNER)
    own = msgspec.structs.replace(
        pack, scenario=pack.scenario | {ARMOUR: changed}, section=pack.section | {"own": section}
    )
    bot = make_table(Setup(own, fresh(ARMOUR, side="us").table.settings, ARMOUR, begun=True))
    assert bot.state.sides["ge"].counters["sniper"].tile == "2B"


@pytest.mark.rule("UND-096", "UND-097")
def test_the_first_commander_has_the_sergeant_or_lieutenant_in_the_deck() -> None:
    table = fresh(ARMOUR, players="4").table
    assert [side.commander for side in table.state.sides.values()] == ["us1", "ge1"]
    night = fresh(NIGHT, players="4").table
    assert night.state.players["lrdg1"].deck["lieutenant"] == 1
    assert [side.commander for side in night.state.sides.values()] == ["lrdg1", "it1"]
    swapped = {side: (second, first) for side, (first, second) in table.scenario.joint.items()}
    table = altered(ARMOUR, {"joint": swapped}, players="4").table
    assert [side.commander for side in table.state.sides.values()] == ["us2", "ge2"]


@pytest.mark.rule("UND-099", "UND-100", "UND-101", "UND-102", "UND-103", "UND-104")
def test_a_round_draws_four_and_three_commanders_bid_and_turns_alternate() -> None:
    game = Driver(fresh(ARMOUR, players="4"))
    game.until("undaunted.draw.us1")
    counts = {}
    for name, hand in (
        ("us1", ["rifleman-a", "rifleman-a", "fog", "leader-a"]),
        ("us2", ["rifleman-b", "rifleman-b", "tank"]),
        ("ge1", ["rifleman-a", "rifleman-a", "fog", "sergeant"]),
        ("ge2", ["rifleman-b", "rifleman-b", "tank"]),
    ):
        assert game.ask.key == f"undaunted.draw.{name}"
        counts[name] = game.ask.count
        game.answer(hand)
    assert counts == {"us1": 4, "us2": 3, "ge1": 4, "ge2": 3}
    assert "US 1" in game.ask.text
    game.answer("fog")
    assert "GE 1" in game.ask.text
    game.answer("sergeant")
    assert (game.ask.key, "draw" in game.ask.detail) == ("undaunted.initiative", False)
    game.until("undaunted.turn.card")
    players = game.play.state.players
    assert [len(one.hand) for one in players.values()] == [3, 3, 3, 3]
    order_of_turns = []
    while game.ask.key == "undaunted.turn.card" and game.play.state.round == 1:
        order_of_turns.append(game.play.state.turn)
        game.answer("end")
    assert order_of_turns == ["ge1", "us1", "ge2", "us2"]


@pytest.mark.parametrize(
    ("sergeants", "said"), [((0, 0), True), ((1, 0), False), ((0, 1), False), ((1, 1), True)]
)
def test_a_team_with_no_first_commander_or_with_two_is_found_by_the_check(
    sergeants: tuple[int, int], said: bool
) -> None:
    sheet = shipped().scenario[ARMOUR]
    team = tuple(
        Cards(cards.deck | {"sergeant": count}, cards.supply)
        for cards, count in zip(sheet.joint["us"], sergeants, strict=True)
    )
    changed = msgspec.structs.replace(sheet, joint=sheet.joint | {"us": team})
    found = problems(msgspec.structs.replace(shipped(), scenario={ARMOUR: changed}))
    assert (
        "scenario.stand-in-armour.joint.us" in {one.path for one in found if one.rule == "UND-097"}
    ) is said


@pytest.mark.parametrize(
    ("players", "draw", "bid", "first"),
    [
        ("1", {"UND-131"}, {"UND-133", "UND-271"}, {"UND-134", "UND-271", "UND-272"}),
        ("2", {"UND-269"}, {"UND-271"}, {"UND-271", "UND-272"}),
        (
            "4",
            {"UND-100", "UND-101"},
            {"UND-102", "UND-271"},
            {"UND-103", "UND-104", "UND-271", "UND-272"},
        ),
    ],
)
def test_the_reasons_of_a_round_are_those_of_so_many_players(
    players: str, draw: set[str], bid: set[str], first: set[str]
) -> None:
    table = fresh(ARMOUR, players=players).table
    setup = run(rounds.lay_out(table)).asks[0].rule
    assert ("UND-123" in setup, "UND-096" in setup) == (players == "1", players == "4")
    people = [name for name in table.state.players if not table.is_bot(name)]
    hands = [["fog", "sergeant", "leader-a", "scout-a"], ["guide", "tank", "scout-b"]]
    if players != "4":
        hands = hands[:1]
    dealt = [hand for _ in table.state.sides for hand in hands][: len(people)]
    drawn = run(rounds.draw_cards(table), *dealt).asks
    assert [set(one.rule) for one in drawn] == [draw] * len(people)
    asks = run(
        rounds.determine_initiative(table),
        *["fog"] * (1 if players == "1" else 2),
        *[["fog"]] * (players == "1"),
    ).asks
    assert (set(asks[0].rule), set(asks[-1].rule)) == (bid, first)


@pytest.mark.rule("UND-098", "UND-105", "UND-106", "UND-107", "UND-108", "UND-R41")
def test_command_passes_with_the_sergeant_from_the_next_round_on() -> None:
    table = four()
    us = table.state.sides["us"]
    table.state.players["us1"].hand = ["sergeant"]
    table.state.players["us1"].deck.pop("sergeant")
    table.state.bids = {"us1": "sergeant"}
    table.state.players["us1"].hand = []
    rounds._put_bid_away(table, "us1")
    assert table.state.players["us2"].discard == {"sergeant": 1}
    assert table.state.players["us1"].discard == {}
    assert (us.commander, us.next_commander) == ("us1", "us2")
    assert rounds.hand_size(table, "us1") == 4
    play = rounds.play_round(table)
    next(play)
    assert us.commander == "us2"
    assert (rounds.hand_size(table, "us1"), rounds.hand_size(table, "us2")) == (3, 4)
    assert table.turn_order()[0 if table.state.initiative == "us" else 1] == "us2"


@pytest.mark.rule("UND-105")
def test_a_played_sergeant_goes_to_the_teammate_at_the_end_of_the_turn() -> None:
    table = four()
    table.state.players["us1"].play = ["sergeant", "rifleman-a"]
    cards.end_of_turn(table, "us1")
    assert "sergeant" in table.state.players["us2"].discard
    assert table.state.players["us1"].discard == {"rifleman-a": 1}


def test_that_command_has_passed_is_said_as_the_next_player_begins() -> None:
    table = four()
    table.state.players["us1"].hand = ["sergeant"]
    run(rounds.player_turn(table, "us1"), "end")
    table.state.players["ge1"].hand = ["rifleman-a"]
    ran = run(rounds.player_turn(table, "ge1"), "end")
    assert ran.asks[0].detail == "Platoon Sergeant goes to US 2's discard pile, the command token with it."


@pytest.mark.rule("UND-105")
def test_that_command_has_passed_in_the_last_turn_is_said_before_a_hand_at_the_table_is_drawn() -> None:
    table = four(hand="table")
    table.state.players["us2"].play = ["sergeant"]
    cards.end_of_turn(table, "us2")
    run(rounds.draw_cards(table))
    ran = run(rounds.determine_initiative(table), "sergeant", "sergeant")
    assert [one.detail for one in ran.asks[:2]] == [
        "Platoon Sergeant goes to US 1's discard pile, the command token with it. Draw 4 cards first.",
        "Draw 4 cards first.",
    ]
    assert ran.texts().count("goes to US 1") == 1
    assert set(ran.asks[0].rule) == {"UND-102", "UND-271", "UND-105", "UND-106", "UND-107"}


def test_that_command_has_passed_is_said_with_one_question_alone() -> None:
    table = four(hand="table")
    run(rounds.player_turn(table, "us1"), "end sergeant")
    asks = run(rounds.player_turn(table, "ge1"), "end sergeant").asks
    asks += run(rounds.player_turn(table, "us2"), "end").asks
    asks += run(rounds.determine_initiative(table), "fog", "fog").asks
    assert [one.detail for one in asks[:4]] == [
        "Platoon Sergeant goes to US 2's discard pile, the command token with it.",
        "Platoon Sergeant goes to GE 2's discard pile, the command token with it.",
        "Draw 4 cards first.",
        "Draw 4 cards first.",
    ]


def test_the_reason_why_command_passes_is_told_where_it_is_said() -> None:
    passes = {"UND-105", "UND-106", "UND-107"}
    table = four(hand="table")
    run(rounds.player_turn(table, "us1"), "end sergeant")
    asks = run(rounds.player_turn(table, "ge1"), "end").asks
    asks += run(rounds.determine_initiative(table), "fog", "sergeant").asks
    assert [passes <= set(one.rule) for one in asks] == [True, False, False, True]


def with_command_passed() -> Table:
    table = four(hand="table")
    put(table, "us", "rifleman-a", "1B")
    put(table, "us", "scout-b", "5B")
    put(table, "ge", "rifleman-a", "6B")
    run(rounds.player_turn(table, "us1"), "end sergeant")
    return table


@pytest.mark.parametrize(
    ("answers", "results"),
    [
        (["leader-a", "bolster-2-squad", ["scout-a"]], []),
        (["rifleman-a", "attack-1", "scout-b", ["1"]], ["US Scout B: missed."]),
    ],
)
def test_that_command_has_passed_is_not_said_again_with_what_a_card_came_to(
    answers: list[object], results: list[str]
) -> None:
    table = with_command_passed()
    ran = run(rounds.player_turn(table, "ge1"), *answers, "end")
    assert [one.text for one in ran.asks if one.key == "undaunted.turn.result"] == results
    assert ran.texts().count("the command token") == 1


def test_a_journal_in_which_it_was_shown_again_goes_on() -> None:
    table = with_command_passed()
    script = rounds.player_turn(table, "ge1")
    question = script.send(None)
    answers: list[object] = ["leader-a", "bolster-2-squad", ["scout-a"]]
    for answer in answers:
        question = script.send(question.accept(answer))
    assert question.former is not None
    assert question.former.fingerprint() == Show("undaunted.turn.result", "").fingerprint()
    question = script.send(question.former.accept(True))
    assert (question.key, question.former) == ("undaunted.turn.card", None)


def test_that_command_passes_is_said_after_a_turn_whose_last_card_came_to_nothing_new() -> None:
    table = four()
    us1, us2, ge1 = (table.state.players[name] for name in ("us1", "us2", "ge1"))
    put(table, "us", "rifleman-a", "1B")
    put(table, "ge", "rifleman-a", "6B")
    us1.hand, ge1.hand, us2.hand = ["sergeant"], ["sergeant"], ["scout-b"]
    run(rounds.player_turn(table, "us1"), "end")
    run(rounds.player_turn(table, "ge1"), "sergeant", "bolster-3", ["scout-a"])
    ran = run(rounds.player_turn(table, "us2"), "end")
    assert ran.asks[0].detail == (
        "GE 1: discard hand and played cards. "
        "Platoon Sergeant goes to GE 2's discard pile, the command token with it."
    )


@pytest.mark.rule("UND-275", "UND-276")
@pytest.mark.parametrize(
    ("hand", "told"),
    [
        (["fog"], "US 1 has no card to play. US 1: discard hand and played cards."),
        ([], "US 1 has no card to play."),
    ],
)
def test_that_a_person_has_no_card_to_play_is_said_as_the_next_begins(hand: list[str], told: str) -> None:
    table = four()
    us1, ge1 = (table.state.players[name] for name in ("us1", "ge1"))
    us1.hand, ge1.hand = hand, ["rifleman-a"]
    assert run(rounds.player_turn(table, "us1")).asks == []
    ran = run(rounds.player_turn(table, "ge1"), "end")
    assert ran.asks[0].detail == told


@pytest.mark.rule("UND-276")
def test_what_is_discarded_after_a_persons_last_card_is_said_as_the_next_begins() -> None:
    table = fresh(players="2").table
    us, ge = (table.state.players[name] for name in ("us", "ge"))
    us.hand, ge.hand = ["sergeant", "fog"], ["rifleman-a", "fog"]
    run(rounds.player_turn(table, "us"), "sergeant", "hunker")
    ran = run(rounds.player_turn(table, "ge"), "rifleman-a", "hunker")
    assert [one.detail for one in ran.asks] == ["US: discard hand and played cards.", ""]

    us.deck, ge.deck = {"fog": 4}, {"fog": 4}
    drawn = run(rounds.draw_cards(table), ["fog"] * 4, ["fog"] * 4)
    last = "GE: discard hand and played cards."
    assert [one.detail for one in drawn.asks] == [last, last]
    assert next(rounds.determine_initiative(table)).detail == ""


@pytest.mark.rule("UND-105", "UND-106")
def test_an_unplayed_sergeant_passes_command_from_a_hand_that_the_box_does_not_see() -> None:
    table = four(hand="table")
    ran = run(rounds.player_turn(table, "us1"), "end sergeant")
    assert ids(ran.asks[0])[-2:] == ["end", "end sergeant"]
    assert table.state.sides["us"].next_commander == "us2"
    assert "sergeant" in cards.in_hand(table, "us2")
    ran = run(rounds.player_turn(table, "us1"), "end")
    assert "end sergeant" not in ids(ran.asks[0])


@pytest.mark.rule("UND-100", "UND-101")
def test_who_does_not_bid_is_told_to_draw_three_to_a_hand_kept_at_the_table() -> None:
    table = four(hand="table")
    run(rounds.draw_cards(table))
    ran = run(rounds.determine_initiative(table), "sergeant", "sergeant")
    assert [one.detail for one in ran.asks[:2]] == ["Draw 4 cards first."] * 2
    assert ran.asks[2].detail.startswith("US 2: draw 3. GE 2: draw 3.")
    assert table.gathered() == ""


@pytest.mark.parametrize(
    ("name", "turn", "over"),
    [
        ("us2", "us1", False),
        ("us2", "ge1", False),
        ("us2", "us2", False),
        ("us2", "ge2", True),
        ("ge1", "us1", False),
        ("ge1", "us2", True),
    ],
)
def test_a_team_has_not_lost_while_the_last_card_may_be_in_a_hand_whose_turn_is_to_come(
    name: str, turn: str, over: bool
) -> None:
    """The order is US 1, GE 1, US 2, GE 2 (UND-104)."""
    table = fresh(ARMOUR, players="4", hand="table").table
    players, side = table.state.players, table.side(name)
    table.scenario = msgspec.structs.replace(table.scenario, points={table.foe(players[name].side): 5})
    for mate in table.mates(players[name].side):
        players[mate].deck = {}
    players[name].deck, side.next_commander = {"rifleman-b": 1}, name
    table.state.turn, table.state.initiative = turn, "us"
    assert (victory.verdict(table) is not None) is over


@pytest.mark.rule("UND-R40")
def test_hunkering_the_sergeant_down_does_not_pass_command() -> None:
    table = four()
    table.state.players["us1"].hand = ["sergeant"]
    run(rounds.play(table, "us1", "sergeant"), "hunker")
    assert table.state.sides["us"].next_commander == "us1"
    assert table.state.players["us1"].supply["sergeant"] == 1


@pytest.mark.rule("UND-109", "UND-110", "UND-111")
def test_bolster_command_and_inspire_stay_with_the_own_cards() -> None:
    table = four()
    first, second = table.state.players["us1"], table.state.players["us2"]
    first.supply, second.supply = {"rifleman-a": 1}, {"rifleman-b": 3}
    ran = do(table, "us1", "sergeant", "bolster 3", ["rifleman-a"])
    assert ids(ran.asks[0]) == ["rifleman-a"]
    first.deck, first.discard = {"rifleman-a": 1}, {}
    second.deck = {"rifleman-b": 2}
    ran = do(table, "us1", "sergeant", "command 2", ["rifleman-a"])
    assert ids(ran.asks[0]) == ["rifleman-a"]
    assert second.deck == {"rifleman-b": 2}
    second.play, first.play = ["rifleman-a"], []
    assert not can(table, "us1", "leader-a", "inspire 1 squad")


@pytest.mark.rule("UND-105", "UND-320")
def test_a_lieutenant_who_is_hit_loses_a_card_that_went_to_the_teammate() -> None:
    table = four(NIGHT)
    lieutenant = put(table, "lrdg", "lieutenant", "D2", owner="lrdg1")
    del table.state.players["lrdg1"].deck["lieutenant"]
    cards.discard(table, "lrdg1", "lieutenant")
    table.state.turn = "it1"
    run(cards.casualty(table, lieutenant))
    assert lieutenant.tile == "D2"
    assert table.state.players["lrdg2"].removed == {"lieutenant": 1}
    assert table.news[-1] == "LRDG Lieutenant card leaves the game, from the discard pile (LRDG 2)."
    run(cards.casualty(table, lieutenant))
    assert lieutenant.tile == ""


@pytest.mark.rule("UND-087", "UND-105")
def test_a_lieutenant_who_is_hit_as_the_teammate_plays_him_loses_the_card_that_was_played() -> None:
    table = four(NIGHT)
    lieutenant = put(table, "lrdg", "lieutenant", "D2", owner="lrdg1")
    table.state.players["lrdg1"].discard = {"lieutenant": 1}
    table.state.players["lrdg2"].play = ["lieutenant"]
    table.state.turn = "lrdg2"
    run(cards.casualty(table, lieutenant))
    assert table.state.players["lrdg2"].play == []
    assert table.state.players["lrdg1"].discard == {"lieutenant": 1}


@pytest.mark.rule("UND-112")
def test_guide_moves_a_teammates_counter() -> None:
    table = four()
    mate = put(table, "us", "rifleman-a", "1B")
    assert mate.owner == "us1"
    scouted(table, "us", "2B")
    ran = do(table, "us2", "guide", "guide 1", "rifleman-a", "2B")
    assert mate.tile == "2B"
    assert "UND-112" in ran.asks[0].rule


@pytest.mark.rule("UND-113")
def test_a_teammates_counter_does_not_trigger_the_teams_mines() -> None:
    table = four(NIGHT)
    mate = put(table, "lrdg", "sapper-a", "D1")
    assert mate.owner == "lrdg2"
    mine(table, "D1", "D2")
    assert not any(table.triggers(mate, one.face) for one in table.state.mines)
    assert table.triggers(put(table, "it", "desert-rifleman-a", "D1"), table.state.mines[0].face)


@pytest.mark.rule("UND-R42")
def test_advance_neither_moves_a_teammates_counter_nor_joins_one() -> None:
    table = four()
    own = put(table, "us", "rifleman-b", "1B", owner="us2")
    mate = put(table, "us", "scout-b", "1B", owner="us1")
    there = put(table, "us", "scout-a", "5B", owner="us1")
    assert not can(table, "us2", "platoon-leader-b", "advance")
    there.owner = "us2"
    ran = do(table, "us2", "platoon-leader-b", "advance", "1B>5B", ["rifleman-b"])
    assert ids(ran.asks[1]) == ["rifleman-b"]
    assert (own.tile, mate.tile) == ("5B", "1B")


@pytest.mark.rule("UND-114", "UND-R42")
def test_grenades_and_attacks_spare_a_teammate_and_bombs_do_not() -> None:
    table = four(NIGHT)
    mate = put(table, "lrdg", "sapper-a", "D2")
    enemy = put(table, "it", "desert-rifleman-a", "D2")
    assert combat.tile_targets(table, "lrdg", parse("grenade 1 1"), "D1", "D2") == [enemy]
    assert [one for one, _ in combat.targets(table, "lrdg", parse("attack 1"), "D1")] == [enemy]
    assert combat.tile_targets(table, "lrdg", parse("bomb 1"), "D1", "D2") == [mate, enemy]


@pytest.mark.rule("UND-115")
def test_a_soldier_may_enter_a_teammates_vehicle() -> None:
    table = four(NIGHT)
    put(table, "lrdg", "scout-car", "D2")
    table.state.sides["lrdg"].counters["scout-car"].owner = "lrdg2"
    rider = put(table, "lrdg", "desert-rifleman-a", "D2", owner="lrdg1")
    do(table, "lrdg1", "desert-rifleman-a", "board", "scout-car:0")
    assert (rider.vehicle, rider.seat) == ("scout-car", 0)
    scouted(table, "lrdg", "D3")
    assert can(table, "lrdg1", "desert-rifleman-a", "drive 2")
    assert order(table, "lrdg1", "desert-rifleman-a", "board").acting() is rider


@pytest.mark.rule("UND-095", "UND-302")
@pytest.mark.parametrize("whom", ["ge1", "ge2"])
def test_who_conceals_says_which_opponent_gets_a_fog_of_war_of_what_the_team_shares(whom: str) -> None:
    table = four()
    put(table, "us", "scout-a", "1B")
    ran = do(table, "us1", "scout-a", "conceal", whom)
    assert ids(ran.asks[0]) == ["ge1", "ge2"]
    left = {name: table.state.players[name].discard for name in ("ge1", "ge2")}
    assert left == {"ge1": {}, "ge2": {}} | {whom: {"fog": 1}}
    assert table.state.sides["ge"].fog == 7


def test_a_journal_in_which_the_commander_got_it_unasked_goes_on() -> None:
    table = four()
    table.state.sides["ge"].commander = "ge2"
    for side, unit, tile in (("us", "scout-a", "1B"), ("us", "rifleman-a", "1B"), ("ge", "rifleman-a", "6B")):
        put(table, side, unit, tile)
    table.state.players["us1"].hand = ["scout-a", "sergeant"]
    script = rounds.player_turn(table, "us1")
    question = script.send(None)
    for answer in ("scout-a", "conceal"):
        question = script.send(question.accept(answer))
    assert question.former is not None
    assert question.former.fingerprint() == Show("undaunted.turn.result", "").fingerprint()
    question = script.send(question.former.accept(True))
    assert (question.key, question.former) == ("undaunted.turn.card", None)
    assert [table.state.players[name].discard for name in ("ge1", "ge2")] == [{}, {"fog": 1}]


def test_nobody_gets_a_fog_of_war_that_is_set_to_be_gone_while_it_is_asked_who_does() -> None:
    table = four()
    put(table, "us", "scout-a", "1B")
    script = carry_out(table, order(table, "us1", "scout-a", "conceal"))
    question = script.send(None)
    table.state.sides["ge"].fog = 0
    with pytest.raises(StopIteration):
        script.send(question.accept("ge2"))
    assert (table.state.players["ge2"].discard, table.news) == ({}, [])
