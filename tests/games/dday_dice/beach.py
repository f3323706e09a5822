"""Sets a beach up as a test wants it, and plays parts of a turn with every answer given."""

from __future__ import annotations

from copy import copy
from functools import cache
from typing import TypeVar

import msgspec

from companion.engine import packs
from companion.engine.asks import AnyAsk, Choose, Pick, Script, Show
from companion.engine.game import setup
from companion.games.dday_dice import GAME
from companion.games.dday_dice.battle import Battle
from companion.games.dday_dice.dice import TINY, Colour, Result, full_set
from companion.games.dday_dice.moving import moves
from companion.games.dday_dice.play import start
from companion.games.dday_dice.records import DdayPack
from companion.games.dday_dice.setup import set_up
from companion.games.dday_dice.state import Unit

T = TypeVar("T")

ADVANCED = "tiger_advanced"
FACES = {short: face for face, short in TINY.items()}
COLOURS = {"R": Colour.RED, "W": Colour.WHITE, "B": Colour.BLUE, "-": Colour.NONE}


@cache
def shipped() -> DdayPack:
    """The packs that ship, merged."""
    merged = packs.merge(GAME.name, packs.find(GAME.folder, GAME.folder / "nowhere"))
    return packs.build(merged, DdayPack)


class Stage:
    """The asks that came while a part of the game was played, and what it returned."""

    def __init__(self) -> None:
        self.asks: list[AnyAsk] = []
        self.result: object = None
        self.open: AnyAsk | None = None

    @property
    def keys(self) -> list[str]:
        return [ask.key.removeprefix("dday_dice.") for ask in self.asks]

    def ids(self, key: str) -> list[str]:
        """The ids of the last ask with that key."""
        ask = next(ask for ask in reversed(self.asks) if ask.key == f"dday_dice.{key}")
        assert isinstance(ask, Choose | Pick)
        return [option.id for option in ask.options]


def act(script: Script[T], *answers: object) -> Stage:
    """Play a script to its end with these answers in turn; shows are seen."""
    stage = _play(script, *answers)
    assert stage.open is None, f"also asked: {stage.open}"
    return stage


def begin(script: Script[T], *answers: object) -> Stage:
    """Play a script up to the ask that these answers leave open."""
    stage = _play(script, *answers)
    assert stage.open is not None, "nothing more was asked"
    return stage


def _play(script: Script[T], *answers: object) -> Stage:
    stage = Stage()
    left = list(answers)
    answer: object = None
    while True:
        try:
            ask = script.send(answer)
        except StopIteration as end:
            stage.result = end.value
            break
        stage.asks.append(ask)
        if isinstance(ask, Show):
            answer = True
        elif left:
            answer = ask.accept(left.pop(0))
        else:
            stage.open = ask
            break
    assert not left, f"never asked for: {left}; asked {stage.keys}"
    return stage


def beach(scenario: str = ADVANCED, *answers: object, **settings: str) -> Battle:
    """A battle that has been set up; `answers` are for what set-up asks."""
    battle = start(setup(GAME, shipped(), settings, scenario)).battle
    act(set_up(battle), *answers)
    battle.state.turn = 1
    return battle


def alone(scenario: str = ADVANCED, *answers: object, **settings: str) -> tuple[Battle, Unit]:
    """A solo game and its Unit."""
    battle = beach(scenario, *answers, **settings)
    return battle, battle.state.units[0]


def together(
    scenario: str = ADVANCED, *answers: object, players: int = 2, **settings: str
) -> tuple[Battle, list[Unit]]:
    """A game for several and their Units."""
    battle = beach(scenario, *answers, players=str(players), **settings)
    return battle, battle.state.units


def put(battle: Battle, unit: Unit, sector: str, **fields: object) -> Unit:
    """A Unit in a Sector on its first chevron, with these dials and cards."""
    unit.sector = sector
    if sector not in unit.visited:
        unit.visited.append(sector)
    unit.stay, unit.combats = 1, 0
    for name, value in fields.items():
        assert hasattr(unit, name), name
        setattr(unit, name, copy(value))  # a list of a test's parameters stays as it is
        if name == "specialists":
            unit.hand = [one for one in unit.hand if one not in unit.specialists]
            pool = battle.state.pool_specialists
            battle.state.pool_specialists = [one for one in pool if one not in unit.specialists]
        if name == "items":
            battle.state.pool_items = [one for one in battle.state.pool_items if one not in unit.items]
    return unit


def show(unit: Unit, dice: str, locked: str = "") -> Unit:
    """Dice as they lie: 'R Sk St W 2S To B Co Co'; `locked` by their ids, 'r1 b2'."""
    unit.dice = full_set()
    words = dice.split()
    faces = [FACES[word] for word in words if word in FACES]
    assert len(faces) == 6, dice
    for die, face in zip(unit.dice, faces, strict=True):
        die.face = face
        die.locked = die.id in locked.split()
    return unit


def results(text: str) -> list[Result]:
    """A tally: 'R Sk St W 2S' as dice; after '-' colourless results without a die."""
    found = []
    colour = Colour.NONE
    for word in text.split():
        if word in COLOURS:
            colour = COLOURS[word]
        else:
            die = len(found) if colour is not Colour.NONE else -1
            found.append(Result(FACES[word], colour, die))
    return found


def ways(battle: Battle, unit: Unit) -> set[str]:
    """The Sectors that a Unit may move to."""
    return {way.to for way in moves(battle, unit)}


def figures(unit: Unit) -> tuple[int, int, int, int]:
    """Soldiers, Stars, Courage, Item Points."""
    return unit.soldiers, unit.stars, unit.courage, unit.points


def with_sector(battle: Battle, name: str, **print_: object) -> None:
    """Print something else in a Sector of this battle."""
    sectors = dict(battle.field.sectors)
    sectors[name] = msgspec.structs.replace(sectors[name], **print_)
    battle.field = msgspec.structs.replace(battle.field, sectors=sectors)
