"""Normandy's base rules: units, markers, setup, rounds, movement and support actions."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
import pytest

from companion.engine.asks import Choose, Pick, Show
from companion.games.undaunted import GAME, cards, movement, rounds, sheet
from companion.games.undaunted.actions import parse
from companion.games.undaunted.ground import Ground
from companion.games.undaunted.pack import Rank, squad_of
from companion.games.undaunted.play import Undaunted
from companion.games.undaunted.state import Marker, Player
from companion.games.undaunted.table import Table
from tests.games import driver
from tests.games.driver import Driver
from tests.games.undaunted.field import (
    LA_RAYE,
    NIGHT,
    altered,
    can,
    controlled,
    do,
    fresh,
    ids,
    mine,
    put,
    run,
    scouted,
    staged,
)


def two() -> Table:
    return staged(players="2")


def us(table: Table) -> Player:
    return table.state.players["us"]


# Units, cards, counters, tiles


@pytest.mark.rule("UND-251", "UND-253")
def test_units_have_three_to_five_cards_and_a_counter_and_command_cards_none() -> None:
    table = fresh(players="2").table
    for side in table.state.sides:
        for unit in table.state.sides[side].counters:
            count = table.printed[side][unit]
            assert 3 <= count <= 5
        for card in ("sergeant", "leader-a", "guide"):
            assert not table.type(card).has_counter
            assert table.unit_of(card) not in table.state.sides[side].counters


@pytest.mark.rule("UND-252")
@pytest.mark.parametrize(
    ("card", "squad"), [("sniper", ""), ("mortar", ""), ("sergeant", ""), ("guide", ""), ("scout-c", "c")]
)
def test_squad_letters(card: str, squad: str) -> None:
    assert squad_of(card) == squad


@pytest.mark.rule("UND-255", "UND-279", "UND-280", "UND-288", "UND-343")
def test_fog_of_war_can_only_be_bid() -> None:
    table = two()
    us(table).hand = ["fog", "scout-a"]
    assert rounds.playable(table, "us") == ["scout-a"]
    assert table.type("fog").actions == ()
    assert table.type("fog").initiative == 1
    assert "fog" in ids(rounds._which_bid(table, "us"))
    assert "fog" not in ids(rounds._which_card(table, "us"))


@pytest.mark.rule("UND-256")
def test_a_counter_is_ready_or_suppressed() -> None:
    play = fresh(players="2")
    counter = put(play.table, "us", "rifleman-a", "17B")
    assert play.table.type(counter.unit).defence == 4
    assert "us:Ri-a " in str(play.board())
    counter.suppressed = True
    assert "us:Ri-a! " in str(play.board())


@pytest.mark.rule("UND-258")
def test_designations_are_only_names() -> None:
    table = two()
    ranks = tuple(Rank(tuple(f"x{tile}" for tile in rank.tiles), rank.shift) for rank in table.scenario.ranks)
    renamed = msgspec.structs.replace(table.scenario, ranks=ranks, objectives={})
    other = Ground(renamed, {f"x{name}": tile for name, tile in table.pack.tile.items()})
    for tile, links in table.ground.links.items():
        assert other.links[f"x{tile}"] == tuple(f"x{one}" for one in links)
        assert other.tiles[f"x{tile}"] == table.ground.tiles[tile]


@pytest.mark.rule("UND-259", "UND-260", "UND-289")
@pytest.mark.parametrize("marker", list(Marker))
def test_both_sides_of_the_marker_let_units_move_in(marker: Marker) -> None:
    table = two()
    put(table, "us", "rifleman-a", "2B")
    assert not can(table, "us", "rifleman-a", "move 1")
    table.state.sides["us"].markers = {"16B": marker}
    assert can(table, "us", "rifleman-a", "move 1")
    ran = do(table, "us", "rifleman-a", "move 1", "16B")
    assert ids(ran.asks[0]) == ["16B"]


@pytest.mark.rule("UND-289", "UND-290")
@pytest.mark.parametrize(("card", "action"), [("rifleman-a", "move 1"), ("guide", "guide 1")])
@pytest.mark.parametrize("lay", [scouted, controlled])
def test_a_marker_of_the_other_side_alone_lets_nobody_move_in(
    card: str, action: str, lay: Callable[..., None]
) -> None:
    table = two()
    put(table, "us", "rifleman-a", "2B")
    lay(table, "ge", *table.ground.tiles)
    assert not can(table, "us", card, action)
    scouted(table, "us", "16B")
    whom = ["rifleman-a"] * (card == "guide")
    assert ids(do(table, "us", card, action, *whom, "16B").asks[-1]) == ["16B"]


@pytest.mark.rule("UND-260", "UND-263")
def test_a_controlled_marker_gives_the_points() -> None:
    table = two()
    scouted(table, "us", "5B")
    assert not table.controls("us", "5B")
    assert table.points("us") == 0
    controlled(table, "us", "5B")
    assert table.controls("us", "5B")
    assert table.points("us") == 3


@pytest.mark.rule("UND-261")
def test_both_may_scout_a_tile_and_one_may_control_it() -> None:
    play = fresh(players="2")
    scouted(play.table, "us", "13B")
    scouted(play.table, "ge", "13B")
    assert list(play.check()) == []
    controlled(play.table, "us", "13B")
    assert list(play.check()) == []
    controlled(play.table, "ge", "13B")
    assert "both sides control 13B" in list(play.check())
    scouted(play.table, "us", "13B")
    put(play.table, "us", "rifleman-a", "13B")
    do(play.table, "us", "rifleman-a", "control")
    assert [play.table.controls(side, "13B") for side in ("us", "ge")] == [True, False]


@pytest.mark.rule("UND-262")
def test_a_spawn_marker_names_its_units_the_most_particular_first() -> None:
    table = two()
    markers = {"all": "17B", "b": "2B", "scout": "7A", "scout-b": "16B"}
    table.scenario = msgspec.structs.replace(table.scenario, spawns={"us": markers})
    spawns = {unit: table.spawn(one) for unit, one in table.state.sides["us"].counters.items()}
    assert spawns == {"rifleman-a": "17B", "rifleman-b": "2B", "scout-a": "7A", "scout-b": "16B"}


@pytest.mark.rule("UND-289", "UND-290", "UND-292", "UND-296")
@pytest.mark.parametrize(
    ("card", "action"),
    [("rifleman-a", "move 2"), ("guide", "guide 2"), ("scout-a", "scout 2"), ("sniper", "stalk 2")],
)
def test_a_movement_of_x_goes_up_to_x_tiles(card: str, action: str) -> None:
    table = two()
    scouted(table, "us", *table.ground.tiles)
    counter = put(table, "us", "rifleman-a" if card == "guide" else card, "2B")
    whom = ["rifleman-a"] * (card == "guide")
    do(table, "us", card, action, *whom, "13B", "8A")
    assert counter.tile == "8A"
    counter.tile = "2B"
    ran = do(table, "us", card, action, *whom, "13B", "stay")
    assert counter.tile == "13B"
    assert ["stay" in ids(one) for one in ran.asks[-2:]] == [False, True]


@pytest.mark.rule("UND-289")
def test_a_movement_ends_where_there_is_nowhere_to_go_on() -> None:
    table = two()
    scouted(table, "us", "13B")
    put(table, "us", "rifleman-a", "2B")
    assert do(table, "us", "rifleman-a", "move 2", "13B").asked() == ["move.to"]


# Setup


@pytest.mark.rule("UND-265")
@pytest.mark.parametrize("side", ["us", "ge"])
def test_the_initiative_marker_starts_with_the_side_that_the_sheet_names(side: str) -> None:
    assert altered(LA_RAYE, {"initiative": side}).state.initiative == side


@pytest.mark.rule("UND-264", "UND-266", "UND-267")
def test_setup_follows_the_sheet() -> None:
    state = fresh(players="2").state
    for side in ("us", "ge"):
        player = state.players[side]
        assert sum(player.deck.values()) == 9
        assert player.hand == []
        assert player.supply == {"rifleman-a": 4, "rifleman-b": 4, "scout-a": 2, "scout-b": 2}
        assert state.sides[side].fog == 8
    assert "supply: 4 Rifleman A" in str(fresh(players="2").board().fitted())


@pytest.mark.rule("UND-264")
def test_the_sheet_is_in_the_order_of_setting_up() -> None:
    table = altered(LA_RAYE, {"radio": "2B", "raises_radio": "us"}, players="2").table
    starts = [
        *("Columns", "Objectives", "Radio marker", "US on", "US scouted", "US spawn", "German on"),
        *("German scouted", "German controlled", "German spawn", "Initiative marker"),
        *("Deck of US", "Supply of US", "US supply", "Deck of GE", "Supply of GE", "German supply"),
    ]
    lines = list(sheet.lines(table))
    assert [line[: len(start)] for line, start in zip(lines, starts, strict=True)] == starts


# Rounds


def opened(us_hand: list[str], ge_hand: list[str]) -> Driver:
    game = Driver(fresh(players="2"))
    game.until("undaunted.draw.us")
    game.answer(us_hand)
    game.answer(ge_hand)
    return game


FOGGY = ["scout-a", "rifleman-a", "fog", "fog"]


@pytest.mark.rule("UND-268", "UND-269", "UND-271", "UND-274", "UND-275", "UND-276", "UND-277")
def test_a_round_of_two_draws_bids_and_turns() -> None:
    game = opened(FOGGY, ["scout-a", "rifleman-b", "fog", "fog"])
    players = game.play.state.players
    assert [len(one.hand) for one in players.values()] == [4, 4]
    game.answer("rifleman-a")
    assert game.play.state.bids == {"us": "rifleman-a"}
    game.answer("scout-a")
    assert game.play.state.initiative == "ge"
    game.until("undaunted.turn.card")
    assert game.play.state.turn == "ge"
    assert players["us"].discard == {"rifleman-a": 1}
    game.answer("rifleman-b")
    game.answer("hunker")
    assert players["ge"].hand == players["ge"].play == []
    assert players["ge"].discard == {"scout-a": 1, "fog": 2}
    assert game.play.state.turn == "us"
    game.answer("end")
    assert game.play.state.round == 2
    assert players["us"].hand == []


@pytest.mark.rule("UND-275")
def test_a_turn_goes_on_card_by_card_until_none_can_be_played() -> None:
    table = two()
    player = us(table)
    put(table, "us", "rifleman-a", "2B")
    put(table, "ge", "rifleman-a", "5B")
    player.hand, player.discard = ["rifleman-a", "scout-a", "fog"], {}
    ran = run(rounds.player_turn(table, "us"), "rifleman-a", "hunker", "scout-a", "hunker")
    assert ran.asked().count("turn.card") == 2
    assert player.discard == {"fog": 1}


@pytest.mark.rule("UND-276", "UND-277")
def test_at_the_end_of_a_turn_hand_and_play_area_are_discarded() -> None:
    table = two()
    player = us(table)
    player.hand, player.play, player.discard = ["rifleman-a", "fog"], ["scout-a", "rifleman-a"], {"fog": 1}
    player.deck = {"leader-a": 1}
    table.state.turn = "us"
    run(rounds.player_turn(table, "us"), "end")
    assert (player.hand, player.play) == ([], [])
    assert player.discard == {"rifleman-a": 2, "scout-a": 1, "fog": 2}


@pytest.mark.rule("UND-270", "UND-301")
def test_an_empty_deck_is_the_shuffled_discard_pile_never_the_play_area() -> None:
    table = two()
    player = us(table)
    player.deck, player.discard, player.play = {"scout-a": 1}, {"fog": 2}, ["rifleman-a"]
    ran = run(cards.draw(table, "us", 3, player.hand.append), ["scout-a"], ["fog", "fog"])
    assert [one.count for one in ran.asks] == [1, 2]
    assert ids(ran.asks[1]) == ["fog"]
    assert player.hand == ["scout-a", "fog", "fog"]
    assert player.play == ["rifleman-a"]
    assert run(cards.draw(table, "us", 1, player.hand.append)).asks == []


@pytest.mark.rule("UND-278", "UND-287")
def test_a_card_is_used_for_one_action_or_to_hunker_down() -> None:
    table = two()
    put(table, "us", "rifleman-a", "2B")
    us(table).hand = ["rifleman-a", "rifleman-a"]
    ran = run(rounds.play(table, "us", "rifleman-a"), "control")
    assert {"control", "hunker"} == set(ids(ran.asks[0]))
    assert us(table).play == ["rifleman-a"]
    before = us(table).supply["rifleman-a"]
    run(rounds.play(table, "us", "rifleman-a"), "hunker")
    assert us(table).supply["rifleman-a"] == before + 1
    assert us(table).hand == []


@pytest.mark.parametrize(
    ("action", "answers", "rules"),
    [
        ("control", [], ("UND-038", "UND-039", "UND-040")),
        ("attack-1", ["scout-a", ["0"]], ("UND-309", "UND-319", "UND-320", "UND-321")),
        ("attack-1", ["scout-a", ["1"]], ("UND-309",)),
    ],
)
def test_what_a_card_came_to_can_tell_why(action: str, answers: list[object], rules: tuple[str, ...]) -> None:
    table = two()
    put(table, "us", "rifleman-a", "2B")
    put(table, "ge", "scout-a", "16B")
    us(table).hand = ["rifleman-a", "rifleman-a"]
    ran = run(rounds.player_turn(table, "us"), "rifleman-a", action, *answers, "end")
    (told,) = [one for one in ran.asks if one.key == "undaunted.turn.result"]
    assert told.rule == rules


@pytest.mark.rule("UND-282", "UND-283", "UND-284")
def test_a_suppressed_unit_can_only_be_made_ready_or_hunker_down() -> None:
    table = two()
    counter = put(table, "us", "rifleman-a", "2B", suppressed=True)
    scouted(table, "us", "16B")
    us(table).hand = ["rifleman-a", "rifleman-a"]
    assert rounds.legal_orders(table, "us", "rifleman-a") == []
    ran = run(rounds.play(table, "us", "rifleman-a"), "hunker")
    assert ids(ran.asks[0]) == ["ready", "hunker"]
    assert counter.suppressed
    run(rounds.play(table, "us", "rifleman-a"), "ready")
    assert not counter.suppressed
    assert counter.tile == "2B"
    assert us(table).play == ["rifleman-a"]


@pytest.mark.parametrize(
    ("suppressed", "rules"),
    [
        (False, ("UND-278", "UND-309", "UND-292", "UND-293", "UND-306", "UND-307", "UND-302", "UND-287")),
        (True, ("UND-278", "UND-282", "UND-283", "UND-287")),
    ],
)
def test_who_asks_why_is_told_what_the_actions_do_that_a_card_offers(
    suppressed: bool, rules: tuple[str, ...]
) -> None:
    table = two()
    put(table, "us", "scout-a", "2B", suppressed=suppressed)
    put(table, "ge", "rifleman-a", "5B")
    us(table).hand = ["scout-a", "fog"]
    assert rounds.which_action(table, "us", "scout-a").rule == rules


def test_a_unit_without_a_spawn_marker_is_said_to_have_none() -> None:
    table = staged(players="2")
    table.scenario = msgspec.structs.replace(table.scenario, spawns={"us": {"a": "17B"}})
    us(table).hand = ["scout-a", "scout-b", "leader-a"]
    assert rounds.which_action(table, "us", "scout-a").detail == "It would enter on 17B."
    assert rounds.which_action(table, "us", "scout-b").detail == "No spawn marker is for it: it can't enter."
    assert rounds.which_action(table, "us", "leader-a").detail == ""


def test_a_squad_action_of_a_card_without_a_squad_is_named_plainly() -> None:
    table = staged(players="2")
    us(table).hand, us(table).supply = ["leader"], {"scout-a": 1}
    labels = [option.label for option in rounds.which_action(table, "us", "leader").options]
    assert labels == ["Bolster 2 squad", "hunker down"]


@pytest.mark.rule("UND-285")
@pytest.mark.parametrize("unit", ["rifleman-a", "rifleman-b"])
def test_a_counter_enters_at_its_own_squads_spawn_marker(unit: str) -> None:
    table = two()
    spawns = {**table.scenario.spawns, "us": {"a": "17B", "b": "12B"}}
    table.scenario = msgspec.structs.replace(table.scenario, spawns=spawns)
    us(table).hand = [unit]
    run(rounds.play(table, "us", unit), "control")
    assert table.state.sides["us"].counters[unit].tile == spawns["us"][unit[-1]]


@pytest.mark.rule("UND-285", "UND-286", "UND-326")
def test_a_counter_enters_on_its_spawn_tile_when_its_card_acts() -> None:
    table = two()
    counter = table.state.sides["us"].counters["rifleman-a"]
    put(table, "ge", "scout-a", "12B")
    us(table).hand = ["rifleman-a", "rifleman-a"]
    run(rounds.play(table, "us", "rifleman-a"), "hunker")
    assert counter.tile == ""
    ran = run(rounds.play(table, "us", "rifleman-a"), "attack-1", "scout-a", ["1"])
    assert counter.tile == "17B"
    assert "Place US Rifleman A on 17B" in ran.roll().detail
    cards.lose_counter(table, counter)
    us(table).hand = ["rifleman-a"]
    run(rounds.play(table, "us", "rifleman-a"), "control")
    assert counter.tile == "17B"


# Movement


@pytest.mark.rule("UND-290", "UND-291")
def test_guide_moves_any_counter_that_is_not_suppressed_onto_known_tiles() -> None:
    table = two()
    put(table, "us", "rifleman-a", "17B", suppressed=True)
    moved = put(table, "us", "scout-a", "17B")
    scouted(table, "us", "2B")
    ran = do(table, "us", "guide", "guide 1", "scout-a", "2B")
    assert ids(ran.asks[0]) == ["scout-a"]
    assert ids(ran.asks[1]) == ["2B"]
    assert moved.tile == "2B"


@pytest.mark.rule("UND-292", "UND-293", "UND-294")
@pytest.mark.parametrize(("lay", "lies"), [(scouted, Marker.SCOUTED), (controlled, Marker.CONTROLLED)])
def test_scout_marks_new_tiles_and_takes_a_fog_of_war_for_each(
    lay: Callable[..., None], lies: Marker
) -> None:
    table = two()
    scout = put(table, "us", "scout-a", "17B")
    lay(table, "us", "2B")
    do(table, "us", "scout-a", "scout 2", "2B", "16B")
    assert scout.tile == "16B"
    assert table.state.sides["us"].markers == {"2B": lies, "16B": Marker.SCOUTED}
    assert us(table).discard == {"fog": 1}
    assert table.state.sides["us"].fog == 7


@pytest.mark.rule("UND-293", "UND-294")
@pytest.mark.parametrize("lay", [scouted, controlled])
def test_a_tile_that_the_other_side_alone_has_marked_is_new_to_a_scout(lay: Callable[..., None]) -> None:
    table = two()
    put(table, "us", "scout-a", "17B")
    lay(table, "ge", "2B")
    do(table, "us", "scout-a", "scout 1", "2B")
    assert table.marker("us", "2B") is Marker.SCOUTED
    assert us(table).discard == {"fog": 1}


@pytest.mark.rule("UND-295")
def test_scout_takes_what_fog_there_is() -> None:
    table = two()
    table.state.sides["us"].fog = 1
    put(table, "us", "scout-a", "17B")
    do(table, "us", "scout-a", "scout 2", "13B", "3B")
    assert us(table).discard == {"fog": 1}
    assert set(table.state.sides["us"].markers) == {"13B", "3B"}


@pytest.mark.rule("UND-292")
def test_moving_may_stop_early() -> None:
    table = two()
    scout = put(table, "us", "scout-a", "17B")
    ran = do(table, "us", "scout-a", "scout 2", "13B", "stay")
    assert "stay" not in ids(ran.asks[0])
    assert scout.tile == "13B"


@pytest.mark.rule("UND-296")
def test_stalk_goes_anywhere_and_leaves_no_marker() -> None:
    table = two()
    sniper = put(table, "us", "sniper", "17B")
    ran = do(table, "us", "sniper", "stalk 1", "13B")
    assert set(ids(ran.asks[0])) == set(table.ground.links["17B"])
    assert sniper.tile == "13B"
    assert table.state.sides["us"].markers == {}


@pytest.mark.rule("UND-297")
@pytest.mark.parametrize("way", ["move", "guide"])
def test_a_moved_mortar_loses_its_target_marker(way: str) -> None:
    table = two()
    put(table, "us", "mortar", "17B")
    scouted(table, "us", "2B")
    table.state.sides["us"].target = "5B"
    if way == "move":
        do(table, "us", "mortar", "move 1", "2B")
    else:
        do(table, "us", "guide", "guide 1", "mortar", "2B")
    assert table.state.sides["us"].target == ""
    assert "Take the target marker off the board." in table.news


def test_where_a_tile_can_be_entered_its_cover_and_points_are_told_those_of_most_first() -> None:
    table = two()
    put(table, "us", "rifleman-a", "16B")
    scouted(table, "us", "2B", "3B", "6A")
    ran = do(table, "us", "rifleman-a", "move 1", "2B")
    (question,) = ran.asks
    assert isinstance(question, Choose)
    cover = {tile: table.ground.tiles[tile].cover for tile in ("6A", "2B", "3B")}
    told = [(one.id, one.detail) for one in question.options]
    assert told == [
        ("6A", f"cover {cover['6A']}, worth 2"),
        ("2B", f"cover {cover['2B']}, worth 1"),
        ("3B", f"cover {cover['3B']}"),
    ]


def test_a_mortar_that_moves_without_a_target_has_no_marker_to_lose() -> None:
    table = two()
    put(table, "us", "mortar", "17B")
    scouted(table, "us", "2B")
    do(table, "us", "mortar", "move 1", "2B")
    assert "Take the target marker off the board." not in table.news


@pytest.mark.rule("UND-297")
def test_the_target_marker_stays_where_another_unit_moves() -> None:
    table = two()
    put(table, "us", "mortar", "17B")
    put(table, "us", "rifleman-a", "17B")
    scouted(table, "us", "2B")
    table.state.sides["us"].target = "5B"
    do(table, "us", "rifleman-a", "move 1", "2B")
    assert table.state.sides["us"].target == "5B"


# Support


@pytest.mark.rule("UND-298", "UND-299")
def test_bolster_takes_up_to_x_cards_of_the_squad_from_the_supply() -> None:
    table = two()
    ran = do(table, "us", "leader-b", "bolster 2 squad", ["rifleman-b", "scout-b"])
    assert {squad_of(one.split()[0]) for one in ids(ran.asks[0])} == {"b"}
    assert (ran.asks[0].least, ran.asks[0].most) == (1, 2)
    assert us(table).discard == {"rifleman-b": 1, "scout-b": 1}
    assert us(table).supply["rifleman-b"] == 3
    ran = do(table, "us", "sergeant", "bolster 3", ["rifleman-a", "rifleman-a 2", "rifleman-a 3"])
    assert us(table).discard["rifleman-a"] == 3
    assert "fog" not in ids(ran.asks[0])


def test_cards_with_blanks_in_their_names_are_bolstered_and_inspired_too() -> None:
    table = two()
    gun = table.type("mortar")
    table.pack = msgspec.structs.replace(table.pack, unit={**table.pack.unit, "field gun": gun})
    us(table).supply = {"field gun-a": 2, "scout-a": 1}
    do(table, "us", "leader-a", "bolster 2 squad", ["field gun-a", "field gun-a 2"])
    assert (us(table).discard, us(table).supply) == ({"field gun-a": 2}, {"scout-a": 1})
    us(table).play = ["field gun-a"]
    do(table, "us", "leader-a", "inspire 1 squad", ["field gun-a"])
    assert "field gun-a" in us(table).hand


def with_a_scout_in_hand(*more: str) -> Table:
    """At the start of La Raye: the scout stands on 17B, 2B is scouted."""
    table = fresh(players="2").table
    us(table).hand = ["scout-a", *more]
    return table


@pytest.mark.parametrize(("second", "results"), [("2B", []), ("stay", []), ("16B", ["16B"])])
def test_what_a_scout_has_marked_on_the_way_is_told_once(second: str, results: list[str]) -> None:
    table = with_a_scout_in_hand("leader-a")
    ran = run(rounds.player_turn(table, "us"), "scout-a", "scout-2", "13B", second, "end")
    assert ran.texts().count("Scouted marker on 13B") == 1
    assert [one.text for one in ran.asks if one.key == "undaunted.turn.result"] == [
        f"Scouted marker on {tile}, Fog of War from supply to discard (US)." for tile in results
    ]


def test_after_a_last_card_whose_results_are_told_the_turn_is_said_to_end() -> None:
    table = with_a_scout_in_hand("fog")
    ran = run(rounds.player_turn(table, "us"), "scout-a", "scout-2", "13B", "stay")
    assert ran.asks[-1].text == "No card left to play: the turn ends."
    assert "UND-275" in ran.asks[-1].rule
    assert ran.texts().count("Scouted marker on 13B") == 1


def test_a_journal_in_which_a_scouts_markers_were_shown_again_goes_on() -> None:
    script = rounds.player_turn(with_a_scout_in_hand("leader-a"), "us")
    question = script.send(None)
    for answer in ("scout-a", "scout-2", "13B", "2B"):
        question = script.send(question.accept(answer))
    assert question.former is not None
    assert question.former.fingerprint() == Show("undaunted.turn.result", "").fingerprint()
    question = script.send(question.former.accept(True))
    assert question.key == "undaunted.turn.card"


def test_asked_why_a_movement_over_a_mine_that_goes_on_tells_the_mines_rules() -> None:
    table = staged(NIGHT)
    put(table, "it", "desert-scout-a", "D1")
    mine(table, "D1", "D2")
    ran = do(table, "it", "desert-scout-a", "scout 2", "D2", ["1", "1", "1"], "stay")
    assert "Take the mine off the edge D1-D2." in ran.asks[2].detail
    assert "UND-063" in ran.asks[2].rule


@pytest.mark.rule("UND-300")
def test_command_draws_into_the_hand_for_this_turn() -> None:
    table = two()
    us(table).hand, us(table).discard = ["sergeant"], {"fog": 1}
    assert can(table, "us", "sergeant", "command 2")
    ran = do(table, "us", "sergeant", "command 2", "2", ["scout-a", "rifleman-a"])
    assert ran.asks[1].count == 2
    assert {"scout-a", "rifleman-a"} <= set(rounds.playable(table, "us"))


@pytest.mark.rule("UND-300")
def test_command_may_draw_fewer_than_it_says() -> None:
    table = two()
    us(table).hand, us(table).discard = ["sergeant"], {"fog": 2}
    ran = do(table, "us", "sergeant", "command 3", "1", ["scout-a"])
    assert (ran.asks[0].text, ids(ran.asks[0])) == ("US: draw how many?", ["3", "2", "1"])
    assert (us(table).hand, us(table).discard) == (["sergeant", "scout-a"], {"fog": 2})
    us(table).deck = {"rifleman-a": 2}
    do(table, "us", "sergeant", "command 3", "1", ["rifleman-a"])
    assert (us(table).deck, us(table).discard) == ({"rifleman-a": 1}, {"fog": 2})


@pytest.mark.rule("UND-300", "UND-301")
def test_command_may_draw_fewer_after_the_discard_pile_is_shuffled_too() -> None:
    table = with_an_almost_empty_deck()
    ran = do(table, "us", "sergeant", "command 3", ["scout-a"], "1", ["fog"])
    assert ids(ran.asks[1]) == ["on", "1", "enough"]
    assert (us(table).hand, us(table).deck) == (["sergeant", "scout-a", "fog"], {"fog": 1})


def with_an_almost_empty_deck() -> Table:
    table = two()
    us(table).hand, us(table).deck, us(table).discard = ["sergeant"], {"scout-a": 1}, {"fog": 2}
    return table


@pytest.mark.rule("UND-300")
def test_command_may_stop_before_the_discard_pile_is_shuffled() -> None:
    table = with_an_almost_empty_deck()
    ran = do(table, "us", "sergeant", "command 2", ["scout-a"], "enough")
    assert ran.asks[1].text == "The deck is out: shuffle the discard pile and draw 1 more?"
    assert (us(table).hand, us(table).discard) == (["sergeant", "scout-a"], {"fog": 2})


@pytest.mark.rule("UND-300", "UND-301")
def test_command_need_not_shuffle_the_discard_pile_where_the_deck_is_empty() -> None:
    table = with_an_almost_empty_deck()
    us(table).deck.clear()
    assert can(table, "us", "sergeant", "command 2")
    ran = do(table, "us", "sergeant", "command 2", "enough")
    assert ran.asks[0].text == "The deck is out: shuffle the discard pile and draw 2?"
    assert "draw none" in str(ran.asks[0])
    assert (us(table).hand, us(table).discard) == (["sergeant"], {"fog": 2})
    do(table, "us", "sergeant", "command 2", "on", ["fog", "fog"])
    assert us(table).hand == ["sergeant", "fog", "fog"]
    us(table).deck, us(table).discard = {}, {"scout-a": 1}
    ran = do(table, "us", "sergeant", "command 2", "on", ["scout-a"])
    assert ran.asks[0].text == "The deck is out: shuffle the discard pile and draw 1?"
    assert ids(ran.asks[0]) == ["on", "enough"]


def test_at_a_hand_that_is_kept_at_the_table_command_tells_how_many_at_most() -> None:
    table = staged(players="2", hand="table")
    do(table, "us", "sergeant", "command 2")
    assert table.news == ["US: draw up to 2."]


@pytest.mark.rule("UND-302")
def test_conceal_gives_the_opponent_a_fog_of_war_if_there_is_one() -> None:
    table = two()
    put(table, "us", "scout-a", "17B")
    do(table, "us", "scout-a", "conceal")
    assert table.state.players["ge"].discard == {"fog": 1}
    assert table.state.sides["ge"].fog == 7
    table.state.sides["ge"].fog = 1
    assert can(table, "us", "scout-a", "conceal")
    table.state.sides["ge"].fog = 0
    assert not can(table, "us", "scout-a", "conceal")


@pytest.mark.rule("UND-304", "UND-305")
def test_inspire_brings_back_played_cards_of_the_squad() -> None:
    table = two()
    us(table).play = ["rifleman-a", "rifleman-b", "leader-a"]
    ran = do(table, "us", "leader-a", "inspire 1 squad", ["rifleman-a"])
    assert ids(ran.asks[0]) == ["rifleman-a"]
    assert us(table).hand == ["rifleman-a"]
    assert us(table).play == ["rifleman-b", "leader-a"]
    us(table).play = ["rifleman-b"]
    assert not can(table, "us", "leader-a", "inspire 1 squad")


@pytest.mark.rule("UND-304")
@pytest.mark.parametrize("back", [["rifleman-a"], ["rifleman-a", "scout-a"]])
def test_inspire_2_brings_back_one_or_two(back: list[str]) -> None:
    table = two()
    us(table).play = ["rifleman-a", "rifleman-a", "scout-a", "leader-a"]
    ran = do(table, "us", "leader-a", "inspire 2 squad", back)
    assert isinstance(ran.asks[0], Pick)
    assert (ran.asks[0].least, ran.asks[0].most) == (1, 2)
    assert us(table).hand == back


@pytest.mark.rule("UND-304")
def test_a_card_with_inspire_brings_back_another_of_its_kind() -> None:
    table = staged(NIGHT, players="2")
    player = table.state.players["lrdg"]
    player.hand, player.play = ["air-liaison"], ["air-liaison"]
    ran = run(rounds.play(table, "lrdg", "air-liaison"), "inspire-1", ["air-liaison"])
    assert ids(ran.asks[1]) == ["air-liaison"]
    assert (player.hand, player.play) == (["air-liaison"], ["air-liaison"])


def test_the_fog_of_war_of_recon_is_told_once_who_draws_by_hand_and_an_older_journal_goes_on() -> None:
    """It was told again after the draw, and who took one off each time had taken two."""
    play = Undaunted(msgspec.structs.replace(driver.setup(GAME), draws_by_hand=True))
    game = Driver(play)
    game.until("undaunted.draw.us")
    game.answer(["scout-a", "fog", "rifleman-a", "rifleman-b"])
    game.answer("scout-a")
    game.answer(["fog"])
    game.until("undaunted.turn.card")
    us = play.state.players["us"]
    us.hand[us.hand.index("rifleman-a")] = "scout-b"
    game.restate()
    game.answer("scout-b")
    assert game.answer("recon").detail == "A Fog of War from your hand leaves the game."

    assert game.answer(["sergeant"]).key == "undaunted.turn.card"
    assert "Fog" not in game.ask.detail
    assert game.replayed(True).key == "undaunted.turn.card"


@pytest.mark.parametrize(("tile", "label"), [("7A", "Scout B 9+"), ("17B", "Scout B 0")])
def test_whom_only_a_0_hits_is_offered_so(tile: str, label: str) -> None:
    table = staged()
    put(table, "us", "rifleman-a", "5B")
    put(table, "ge", "scout-b", tile)

    ran = do(table, "us", "rifleman-a", "attack 1", "scout-b", ["1"])

    (option,) = ran.asks[0].options
    assert option.label == label, option
    assert ("only a 0 hits" in option.detail) == label.endswith(" 0")


@pytest.mark.rule("UND-281", "UND-306", "UND-307")
def test_recon_trades_a_fog_of_war_in_hand_for_a_card() -> None:
    table = two()
    put(table, "us", "scout-a", "17B")
    us(table).hand = ["scout-a"]
    assert not can(table, "us", "scout-a", "recon")
    us(table).hand = ["fog", "scout-a"]
    do(table, "us", "scout-a", "recon", ["rifleman-a"])
    assert us(table).removed == {"fog": 1}
    assert us(table).hand == ["scout-a", "rifleman-a"]


@pytest.mark.rule("UND-308")
def test_the_target_marker_lies_at_least_three_tiles_away() -> None:
    table = two()
    put(table, "us", "mortar", "17B")
    ran = do(table, "us", "mortar", "target", "6A")
    assert all(table.ground.distance["17B"][tile] >= 3 for tile in ids(ran.asks[0]))
    assert table.state.sides["us"].target == "6A"


# The hand kept at the table


def test_with_the_hand_at_the_table_only_what_is_played_is_told() -> None:
    game = Driver(fresh(LA_RAYE, hand="table"))
    game.until("undaunted.bid")
    assert "Draw 4" in game.ask.detail
    assert set(game.ids()) == set(game.play.state.players["us"].deck)
    game.answer("scout-a")
    game.answer(["fog"])
    game.until("undaunted.turn.card")
    assert game.play.state.players["us"].hand == []
    game.answer("rifleman-a")
    game.answer("attack-1")
    game.answer("rifleman-a")
    game.answer(["1"])
    assert list(game.play.check()) == []
    game.answer()
    game.answer("end")
    assert sum(game.play.state.players["us"].deck.values()) == 9


def test_what_comes_back_into_a_hand_at_the_table_is_among_the_cards_that_it_may_hold() -> None:
    table = staged(players="2", hand="table")
    us(table).deck, us(table).play = {"fog": 1}, ["rifleman-a", "rifleman-b"]
    do(table, "us", "leader-a", "inspire 1 squad", ["rifleman-a"])
    assert (us(table).hand, us(table).deck) == ([], {"fog": 1, "rifleman-a": 1})
    assert cards.in_hand(table, "us") == {"fog": 1, "rifleman-a": 1}


def test_a_hand_at_the_table_is_not_counted_as_the_deck() -> None:
    game = Driver(fresh(LA_RAYE, hand="table"))
    game.until("undaunted.bid")
    assert "[Your cards]\nhand, deck and discard 9, Fog of War in\n" in game.board()
    assert "[Bot cards]\ndeck 9, Fog of War in supply 8\n" in game.board()


def test_reach_takes_the_fewest_steps_and_knows_the_mines_on_the_way() -> None:
    table = staged("stand-in-night", players="2")
    scout = put(table, "it", "desert-scout-a", "D1")
    mine(table, "D1", "D2")
    found = movement.paths(table, scout, parse("scout 2"))
    assert found["D2"] == [("D2",)]
    assert found["D6"] == [("D2", "D6"), ("D5", "D6")]
    assert [movement.mines_on(table, scout, path) for path in found["D6"]] == [1, 0]
    assert "D1" not in found
