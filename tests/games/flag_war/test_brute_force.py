"""R20: the legal destinations of a roll against a walk over every path."""

from __future__ import annotations

from random import Random

import pytest

from companion.engine.asks import Roll
from companion.games.flag_war.state import Leg
from companion.games.flag_war.terrain import Terrain, terrain
from tests.games.driver import Driver
from tests.games.flag_war import brute
from tests.games.flag_war.field import at_roll, fresh, rolled, state
from tests.longrun.flag_war_destinations import differences


def test_the_boards_links_are_those_of_the_ledger() -> None:
    board = fresh().table.terrain

    assert {name: {board.names[near] for near in board.links[board.index[name]]} for name in board.names} == {
        name: set(near) for name, near in brute.LINKS.items()
    }


@pytest.mark.rule("FLG-R23")
@pytest.mark.parametrize("armies", ["2", "4"])
def test_destinations_of_a_roll_agree_with_every_path_walked(armies: str) -> None:
    play = fresh(armies=armies)
    rng = Random(7)

    for _ in range(15):
        assert differences(play, rng, most_men=4) == []


@pytest.mark.rule("FLG-025", "FLG-032")
def test_a_second_count_of_the_same_man_agrees_with_every_path_walked() -> None:
    play = fresh(combined_move="sequential")
    war, rng = play.state, Random(11)
    compared = 0
    while compared < 40:
        brute.scatter(war, rng)
        war.on_turn, war.leg = "N", None
        name = rng.choice(list(war.armies["N"].men))
        man = war.armies["N"].men[name]
        counts = (rng.randint(1, 5), rng.randint(1, 5))
        free = brute.legal(war, "N", name, counts[0]) - {
            one.at for army in war.armies.values() for one in army.men.values()
        }
        if not free:
            continue
        start, man.at = man.at, rng.choice(sorted(free))
        to = man.at
        war.leg = Leg(name, start, counts[0], to)
        for man.at in (to, start):  # he stands there, or is back after a stand-off
            bits = play.table.ends(name, counts[1], play.table.position())
            ours = {space for space, bit in play.table.terrain.bit.items() if bits & bit}
            assert ours == brute.legal_after(war, "N", name, (start, to), counts)
        compared += 1


@pytest.mark.rule("FLG-R16", "FLG-R18", "FLG-R19", "FLG-R20", "FLG-R44")
@pytest.mark.parametrize("seed", range(30))
def test_every_question_of_a_roll_offers_what_brute_force_finds(seed: int) -> None:
    rng = Random(seed)
    driver = at_roll({"armies": "2"})
    war = state(driver)
    brute.scatter(war, rng)
    left, moved, chosen = rng.choice([[1, 2], rng.sample(range(1, 7), 2)]), set[str](), ""
    driver.answer([str(die) for die in left])
    while war.on_turn == "N" and not war.winner:
        found = offers(driver, left, moved)
        match driver.ask.key:
            case "flag_war.move.man" | "flag_war.tao.man":
                done = {"done"} if war.tao else set()
                assert set(driver.ids()) == {*found, *done}
                chosen = rng.choice(sorted(found))
                name, _, count = chosen.partition(":")
                moved.add(name)
                left = [1, 2, 3] if war.tao else [die for die in left if die != int(count)]
                left = left if war.tao or len(left) == 1 else []
                driver.answer(chosen)
            case "flag_war.move.to":
                assert set(driver.ids()) == ends(driver, chosen)
                driver.answer(rng.choice(driver.ids()))
            case "flag_war.tao.use":
                use = rng.choice(driver.ids())
                left = [1, 2, 3] if use == "tao" else left
                driver.answer(use)
            case _ if isinstance(driver.ask, Roll):
                driver.answer([rng.choice("123456") for _ in range(driver.ask.dice[0].count)])
            case _:
                driver.answer()
    assert not left or not offers(driver, left, moved)


def offers(driver: Driver, left: list[int], moved: set[str]) -> set[str]:
    """Whom of North's men some die, or both as a sum, can move."""
    war = state(driver)
    counts = {*left, sum(left)} if len(left) == 2 else {*left}
    men = [name for name, man in war.armies["N"].men.items() if name not in moved and "prison" not in man.at]
    return {f"{name}:{count}" for name in men for count in counts if brute.legal(war, "N", name, count)}


def ends(driver: Driver, chosen: str) -> set[str]:
    """Where the man of an option such as P1:5 may go."""
    name, _, count = chosen.partition(":")
    return brute.legal(state(driver), "N", name, int(count))


def test_a_roll_is_walked_from_where_men_stand_and_from_nowhere_else(monkeypatch: pytest.MonkeyPatch) -> None:
    walked = []
    really = Terrain.simple_ends

    def walk(board: Terrain, start: int, count: int) -> int:
        walked.append((board.names[start], count))
        return really(board, start, count)

    monkeypatch.setattr(Terrain, "simple_ends", walk)
    terrain.cache_clear()  # or what other tests walked would be known already
    rolled("31", N={"P1": "M33", "P2": "M44"})

    assert sorted(walked) == [(space, count) for space in ("M33", "M44") for count in (1, 3, 4)]
