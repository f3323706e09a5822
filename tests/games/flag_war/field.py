"""A war laid out by hand: men where a test wants them, everybody else off the board."""

from __future__ import annotations

from companion.engine.asks import Choose
from companion.games.flag_war import GAME
from companion.games.flag_war.play import FlagWar
from companion.games.flag_war.state import War
from tests.games.driver import Driver, setup

PEOPLE = {"north": "person", "east": "person", "south": "person", "west": "person"}


def fresh(scenario: str = "", **settings: str) -> FlagWar:
    """A war that has not begun; people lead all armies."""
    play = GAME.start(setup(GAME, scenario, **(PEOPLE | settings)))
    assert isinstance(play, FlagWar)
    return play


def begun(driver: Driver) -> Driver:
    """The opening rolled: the North begins."""
    driver.until("flag_war.opening.roll")
    for die in ("6", "1", "1", "1")[: len(state(driver).armies)]:
        driver.answer([die])
    driver.until("flag_war.turn.roll", "flag_war.rescue.whom", "flag_war.news")
    return driver


def at_roll(settings: dict[str, str] | None = None, **armies: dict[str, str]) -> Driver:
    """North is about to roll; each army has just the men named, on the spaces named."""
    driver = begun(Driver(fresh(**(settings or {}))))
    for seat, army in state(driver).armies.items():
        for man in army.men.values():
            man.at = ""
        for name, space in armies.get(seat, {}).items():
            army.men[name].at = space
    return driver


def rolled(dice: str, settings: dict[str, str] | None = None, **armies: dict[str, str]) -> Driver:
    """As `at_roll`, and the dice have fallen."""
    driver = at_roll(settings, **armies)
    driver.answer(list(dice))
    return driver


def move(driver: Driver, man: str, to: str = "") -> None:
    """Move such as `P1:5` to a space or to the first offered; to the only one the game goes by itself."""
    driver.until("flag_war.move.man", "flag_war.tao.man")
    driver.answer(man)
    if driver.outcome is None and driver.ask.key == "flag_war.move.to":
        driver.answer(to or driver.ids()[0])


def ways(driver: Driver, man: str) -> set[str]:
    """Where a man may go with a count (none if he is not offered); changes nothing that matters later."""
    driver.until("flag_war.move.man", "flag_war.tao.man")
    if man not in driver.ids():
        return set()
    play = driver.play
    assert isinstance(play, FlagWar)
    name, _, count = man.partition(":")
    ends = play.table.ends(name, int(count), play.table.position())
    return {space for space, bit in play.table.terrain.bit.items() if ends & bit}


def state(driver: Driver) -> War:
    """The war of a driver."""
    play = driver.play
    assert isinstance(play, FlagWar)
    return play.state


def at(driver: Driver, seat: str, name: str) -> str:
    """Where a man is."""
    return state(driver).armies[seat].men[name].at


def labels(driver: Driver) -> dict[str, str]:
    """The open ask's options: id to label."""
    assert isinstance(driver.ask, Choose)
    return {option.id: option.label for option in driver.ask.options}
