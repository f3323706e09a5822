"""Components and set-up (OKI-001 to OKI-036)."""

from __future__ import annotations

from random import Random

import pytest
from msgspec.structs import replace

from companion.engine import autoplay, game
from companion.engine.asks import Draw, Show
from companion.games.okinawa import GAME, moving, objectives, rondel, setup
from companion.games.okinawa.cards import ActionDeck
from companion.games.okinawa.play import Okinawa
from companion.games.okinawa.table import Table
from tests.games.driver import Driver
from tests.games.driver import setup as prepared
from tests.games.okinawa.field import run, shipped, stop_at


def fresh(**settings: str) -> Table:
    return Table(shipped(), game.setup(GAME, shipped(), settings).settings)


def set_up(**settings: str) -> Table:
    table = fresh(**settings)
    run(setup.set_up(table), ["corsair", "sniper", "sniper"], ["grenade", "medkit", "adjust"])
    return table


def whole_game(seed: int, **settings: str) -> tuple[Okinawa, list[autoplay.Step]]:
    play = Okinawa(game.setup(GAME, shipped(), settings))
    steps = autoplay.steps(play, autoplay.policy(GAME, play, "cautious", Random(seed)), seed)
    return play, list(steps)


@pytest.mark.rule("OKI-001")
def test_the_enemy_turn_asks_only_for_tokens_and_sandbags() -> None:
    play = Okinawa(prepared(GAME))
    steps = autoplay.steps(play, autoplay.policy(GAME, play, "cautious", Random(3)), 3)
    asked = {step.ask.key for step in steps if play.state.enemy_turn and not isinstance(step.ask, Show)}
    assert asked <= {"okinawa.enemy.sandbags", "okinawa.enemy.token"}


@pytest.mark.rule("OKI-002", "OKI-018")
def test_objectives_come_in_order_one_at_a_time_and_hill_89_is_always_the_fourth() -> None:
    play = Okinawa(prepared(GAME))
    seen = []
    for _ in autoplay.steps(play, autoplay.policy(GAME, play, "cautious", Random(1)), 1):
        now = (play.state.number, play.state.objective)
        if now[1] and (not seen or seen[-1] != now):
            seen.append(now)
    numbers = [number for number, _ in seen]
    assert numbers == [shipped().objective[name].number for _, name in seen]
    assert sorted(set(numbers)) == [1, 2, 3, 4]
    assert numbers == sorted(numbers)
    assert seen[-1] == (4, "hill-89")


@pytest.mark.rule("OKI-003", "OKI-004", "OKI-006", "OKI-008", "OKI-009")
def test_ten_basic_cards_lie_on_spaces_1_to_10_basic_side_up_in_the_printed_order() -> None:
    table = fresh()
    run(setup.lay_basic_cards(table))
    spaces = table.state.spaces
    assert [space.number for space in spaces] == list(range(1, 11))
    assert [rondel.is_top(space.number) for space in spaces] == [True] * 5 + [False] * 5
    assert all(table.action(space.action.card).deck is ActionDeck.BASIC for space in spaces)
    assert not any(space.action.veteran for space in spaces)
    assert all(space.number in table.action(space.action.card).spaces for space in spaces)


@pytest.mark.rule("OKI-007")
def test_the_harder_order_is_shuffled() -> None:
    table = fresh(order="shuffled")
    cards = ["scouts", "scouts", "radio", "corpsman", "engineers", "bazooka", *["rifleman"] * 4]
    asked = run(setup.lay_basic_cards(table), cards)
    assert isinstance(asked[0], Draw)
    assert [space.action.card for space in table.state.spaces] == cards


@pytest.mark.rule("OKI-010", "OKI-054")
def test_the_bottom_row_runs_back_under_the_top_row() -> None:
    columns = {rondel.column(number): (number, 11 - number) for number in range(1, 6)}
    assert columns == {1: (1, 10), 2: (2, 9), 3: (3, 8), 4: (4, 7), 5: (5, 6)}
    assert all(rondel.column(bottom) == rondel.column(top) for top, bottom in columns.values())


@pytest.mark.rule("OKI-011")
def test_a_space_keeps_its_number_when_its_card_is_exchanged() -> None:
    table = set_up()
    moving.replace(table, table.state.spaces[3], "sniper")
    assert table.state.spaces[3].number == 4
    assert table.state.spaces[3].action.card == "sniper"


@pytest.mark.rule("OKI-012", "OKI-013", "OKI-014", "OKI-044")
def test_each_objective_comes_from_the_pile_of_its_number_as_it_is_turned_up() -> None:
    for number in (1, 2, 3):
        table = set_up()
        table.state.number = number - 1
        draw = objectives.set_up_objective(table).send(None)
        assert isinstance(draw, Draw)
        assert (draw.deck, draw.count) == (f"objective {number}", 1)
        pile = {name for name, card in shipped().objective.items() if card.number == number}
        assert {one.id for one in draw.options if one.copies} == pile


@pytest.mark.rule("OKI-016")
def test_one_objective_of_each_number_is_played_and_no_other() -> None:
    _, steps = whole_game(1)
    drawn = [step.ask for step in steps if step.ask.key == "okinawa.objective.card"]
    offered = [[one.id for one in ask.options if one.copies] for ask in drawn if isinstance(ask, Draw)]
    numbers = [{shipped().objective[card].number for card in cards} for cards in offered]
    assert numbers == [{1}, {2}, {3}], "what was not drawn before takes no further part"


@pytest.mark.rule("OKI-019", "OKI-020", "OKI-050", "OKI-R62")
def test_the_scenario_of_the_objectives_letter_is_in_play_once_it_is_turned_up() -> None:
    table = set_up()
    assert not table.state.scenario
    run(objectives.set_up_objective(table), ["coast-road"], ["J"])
    assert table.state.scenario == shipped().objective["coast-road"].scenario == "J"
    assert table.scenario == shipped().scenario["J"]


@pytest.mark.rule("OKI-024", "OKI-027")
def test_resupply_tokens_on_the_row_are_random_and_face_up() -> None:
    table = fresh()
    asked = run(setup.set_up(table), ["corsair", "sniper", "sniper"], ["grenade", "medkit", "adjust"])
    draw = next(one for one in asked if one.key == "okinawa.resupply.token")
    assert isinstance(draw, Draw)
    assert draw.count == 3
    assert sum(option.copies for option in draw.options) == 18
    assert [offer.token for offer in table.state.offers] == ["grenade", "medkit", "adjust"]


@pytest.mark.rule("OKI-025", "OKI-026", "OKI-R65")
def test_three_reinforcements_are_drawn_from_a_deck_of_fifteen() -> None:
    table = fresh()
    asked = run(setup.set_up(table), ["corsair", "sniper", "sniper"], ["grenade", "medkit", "adjust"])
    draw = next(one for one in asked if one.key == "okinawa.resupply.card")
    assert isinstance(draw, Draw)
    assert sum(option.copies for option in draw.options) == 15
    listed = [option.id for option in draw.options if option.copies]
    assert all(table.action(card).deck is ActionDeck.REINFORCEMENT for card in listed)
    assert [offer.card for offer in table.state.offers] == ["corsair", "sniper", "sniper"]
    assert len(table.state.reinforcements) == 12


@pytest.mark.rule("OKI-028", "OKI-029")
def test_ten_unknown_enemies_lie_hidden_and_sixteen_known_ones_open() -> None:
    table = fresh()
    setup.fill_decks(table)
    state = table.state
    assert state.deck == len(state.unseen["deck1"]) == 10
    assert not state.discard
    assert not any(table.letter(card) for card in state.unseen["deck1"])
    assert sorted(table.letter(card) for card in state.known) == sorted("ABCDEFGH" * 2)


@pytest.mark.rule("OKI-030", "OKI-031")
def test_one_die_waits_on_resupply_as_a_1_and_the_rest_in_the_supply() -> None:
    state = set_up().state
    assert state.resupply_die == 1
    assert not state.pool
    assert not state.strikes


@pytest.mark.rule("OKI-032", "OKI-033", "OKI-034", "OKI-035", "OKI-036")
def test_the_player_starts_on_1_with_4_health_and_three_tokens() -> None:
    state = set_up().state
    assert state.pawn == 1
    assert state.health == 4
    assert (state.sandbags, state.adjusts, state.rerolls, state.repositions) == (1, 1, 1, 0)
    assert not state.tokens


@pytest.mark.rule("OKI-161")
def test_a_box_with_one_sandbag_gives_no_second_at_the_start() -> None:
    table = fresh(sandbags="2")
    pieces = replace(table.pack.supply["sandbag"], copies=1)
    table.pack = replace(table.pack, supply={**table.pack.supply, "sandbag": pieces})
    assert "4 health, 1 sandbag," in stop_at(setup.set_up(table), "okinawa.setup.table").detail
    assert table.state.sandbags == 1


@pytest.mark.rule("OKI-005", "OKI-008", "OKI-014", "OKI-015", "OKI-017", "OKI-021", "OKI-023", "OKI-031")
def test_the_first_screen_lays_the_table_out() -> None:
    driver = Driver(Okinawa(prepared(GAME)))
    assert isinstance(driver.ask, Show)
    assert driver.ask.key == "okinawa.setup.table"
    for words in (
        "10 Corpsman",
        "1 to 5 above from the left, 6 to 10 below them from the right",
        "A Number Token at each",
        "Room for the Enemy Row between them",
        "Left, at 1 and 10: the Objective Deck, one each of 1, 2 and 3, Hill 89 under them, face down",
        "Flag and Flag Pole beside it",
        "Right, at 5 and 6: the Resupply Card, a die showing 1 on it",
        "All other dice and tokens near by, as supplies",
    ):
        assert words in driver.ask.detail


def test_the_lay_out_can_be_done_as_it_is_told() -> None:
    told = stop_at(setup.set_up(fresh()), "okinawa.setup.table").detail
    for words in ("10 Corpsman", "6 to 10 below", "basic side", "Hill 89 under", "shuffled", "pawn on 1"):
        assert words in told
