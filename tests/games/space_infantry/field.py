"""A drill: a small mission of its own, so that each test says exactly what is on the table."""

from __future__ import annotations

from functools import cache

import msgspec

from companion.engine.asks import Choose, Pick, Roll, Show
from companion.engine.game import setup as engine_setup
from companion.games.space_infantry import GAME
from companion.games.space_infantry.pack import (
    Counter,
    Cup,
    Effect,
    EffectKind,
    Enemy,
    Goal,
    InfantryPack,
    Mission,
    Node,
    Sheet,
)
from companion.games.space_infantry.play import SpaceInfantry
from companion.games.space_infantry.state import Campaign, Fight, Foe, Operation
from tests.games.driver import Driver, setup

TEAM = ("assault-1", "fire_team-1", "shotgun-1", "explorer", "demolition", "technician")
RESOURCES = {"G": 2, "M": 2, "I": 2, "S": 1, "D": 1}

AROUND = ("cliff", "gate", "hall", "store", "mark", "den", "lab", "yard", "exit")
TRAP = Effect(EffectKind.WOUNDS, 1, text="Trap")

DRILL = Mission(
    title="Drill",
    briefing="Reach the exit.",
    start="start",
    goal=Goal(reach=("exit",)),
    nodes={
        "start": Node("Start", AROUND, outside=True),
        "cliff": Node("Cliff", ("start", "top"), "climb 2", ("6/A",)),
        "top": Node("Top", ("cliff",), "advance 2", ("4+/B+1",)),
        "gate": Node("Gate", ("start",), "demolition 4"),
        "hall": Node("Hall", ("start",), "advance 3", ("Auto/A",)),
        "store": Node("Store", ("start",), "search 1", cache="G"),
        "mark": Node("Mark", ("start",), "advance 9", counter=True),
        "den": Node("Den", ("start",), "advance 1", ("4+/E", "2+/S"), effect=TRAP),
        "lab": Node("Lab", ("start",), "science 2"),
        "yard": Node("Yard", ("start",), "communications 2", outside=True),
        "exit": Node("Exit", ("start",), "advance 1"),
    },
    recommended=("engineer",),
    counters={
        "A": Counter(1, Effect(EffectKind.FOUND, what="map", text="A map")),
        "B": Counter(1, Effect(EffectKind.ENCOUNTER, what="A")),
    },
    special={"boss": Enemy("Boss", 3, (3,), (3,))},
    special_force={"boss": 1},
    source="drill",
)  # fmt: skip

GRUNTS = Sheet(
    title="Grunts",
    source="drill",
    units={
        "grunt": Enemy("Grunt", 1, (4,), (4,)),
        "tank": Enemy("Tank", 4, (3, 4), (5,), armor=2),
        "gunner": Enemy("Gunner", 1, (), (2,), piercing=True),
        "ogre": Enemy("Ogre", 3, (3,), (3,), savage=True),
        "troll": Enemy("Troll", 3, (3,), (), regenerating=True),
    },
    presence=tuple(
        {"A": {"grunt": row + 1}, "B": {"tank": 1, "grunt": row}, "C": {"tank": row + 1}} for row in range(7)
    ),
    ranges=(
        {"Set": "M", "M": "M", "F": "M"},
        {"Set": "M", "M": "M", "F": "M"},
        {"Set": "M", "M": "F", "F": "M"},
        {"Set": "F", "M": "F", "F": "F"},
        {"Set": "F", "M": "F", "F": "F"},
        {"Set": "F", "M": "F", "F": "F"},
        {"Set": "F", "M": "F", "F": "F"},
    ),
)

CHITS = {"0": 2, "1": 3, "2": 3, "3": 3, "4": 3, "5": 2, "6": 2, "+": 2}
"""Any mix of twenty: the printed one is not known."""


@cache
def pack() -> InfantryPack:
    """The stand-in roster with the drill, its enemy, and a cup."""
    shipped = setup(GAME).pack
    assert isinstance(shipped, InfantryPack)
    return msgspec.structs.replace(
        shipped, mission={"drill": DRILL}, enemy={"grunts": GRUNTS}, cup={"test": Cup(CHITS)}
    )


def drill_with(**changed: object) -> InfantryPack:
    """The pack, its drill changed so."""
    return msgspec.structs.replace(pack(), mission={"drill": msgspec.structs.replace(DRILL, **changed)})


def nodes_with(name: str, **changed: object) -> dict[str, Node]:
    """The drill's nodes, one of them changed so."""
    return DRILL.nodes | {name: msgspec.structs.replace(DRILL.nodes[name], **changed)}


def fresh(changed: InfantryPack | None = None, **settings: str) -> SpaceInfantry:
    """A campaign that has not begun."""
    play = GAME.start(engine_setup(GAME, changed or pack(), settings, "drill"))
    assert isinstance(play, SpaceInfantry)
    return play


def briefed(
    team: tuple[str, ...] = TEAM,
    resources: dict[str, int] | None = None,
    changed: InfantryPack | None = None,
    **settings: str,
) -> Driver:
    """The first turn's decision, with this team and these resources."""
    driver = Driver(fresh(changed, **settings))
    through_setup(driver, team, RESOURCES if resources is None else resources)
    return driver


def through_setup(driver: Driver, team: tuple[str, ...], resources: dict[str, int]) -> None:
    """Buy the team, take the resources, up to the first decision of the first turn."""
    while driver.ask.key not in {"space_infantry.turn.action", "space_infantry.rhino.ride"}:
        key = driver.ask.key
        if key == "space_infantry.team.buy":
            for name in team:
                driver.answer(name)
            driver.answer("done")
        elif key.startswith("space_infantry.resources."):
            driver.answer(resources.get(key[-1], 0))
        elif key == "space_infantry.enemy.sheet":
            driver.answer(["grunts"])
        else:
            assert isinstance(driver.ask, Show), key
            driver.answer()


def campaign(driver: Driver) -> Campaign:
    """The state of a driver."""
    play = driver.play
    assert isinstance(play, SpaceInfantry)
    return play.state


def op(driver: Driver) -> Operation:
    """The mission in progress."""
    operation = campaign(driver).operation
    assert operation is not None
    return operation


def attempt(driver: Driver, node: str, *units: str) -> None:
    """Try a node with these units activated; the chits are asked for next."""
    driver.until("space_infantry.turn.action")
    driver.answer(f"try:{node}")
    driver.answer(list(units))


def roll(driver: Driver, *faces: str) -> None:
    """Answer the open roll."""
    assert isinstance(driver.ask, Roll), driver.ask.key
    driver.answer(list(faces))


def put_on(driver: Driver, node: str) -> None:
    """The team stands on a node, explored, at its next decision."""
    driver.until("space_infantry.turn.action")
    op(driver).node = node
    op(driver).places[node].explored = True
    driver.restate()


def in_combat(
    *foes: str,
    orders: str = "fight",
    team: tuple[str, ...] = TEAM,
    resources: dict[str, int] | None = None,
    changed: InfantryPack | None = None,
    **settings: str,
) -> Driver:
    """A fight with these foes, its first round's range about to be rolled."""
    driver = briefed(team, resources, changed, **settings)
    put_on(driver, "hall")
    driver.answer("stay")
    driver.until("space_infantry.encounter.rn")
    roll(driver, "2")
    driver.until("space_infantry.combat.leader")
    fight(driver).foes = [Foe(kind) for kind in foes]
    driver.answer(orders)
    return driver


def fight(driver: Driver) -> Fight:
    """The fight in progress."""
    combat = op(driver).fight
    assert combat is not None
    return combat


def calm(driver: Driver, *keys: str) -> None:
    """On to one of these asks: everything shown is seen, nothing is spent, wounds as proposed."""
    quiet = {
        "space_infantry.combat.prepare": "go",
        "space_infantry.combat.stimulate": "none",
        "space_infantry.combat.specials": [],
        "space_infantry.wounds.medikit": "none",
        "space_infantry.node.means": "accept",
        "space_infantry.node.chits.command": "keep",
        "space_infantry.combat.chits.command": "keep",
        "space_infantry.combat.shift": "keep",
    }
    while driver.outcome is None and driver.ask.key not in keys:
        if driver.ask.key == "space_infantry.wounds.accept":
            as_proposed(driver)
            continue
        assert isinstance(driver.ask, Show) or driver.ask.key in quiet, driver.ask.key
        driver.answer(quiet.get(driver.ask.key, True))
    assert driver.outcome is None or not keys, f"the game ended before {' or '.join(keys)}"


def win_against_one(driver: Driver) -> None:
    """Meet the enemy, of whom but one is left, and hit him in the first round."""
    driver.until("space_infantry.encounter.rn", "space_infantry.encounter.met")
    if isinstance(driver.ask, Roll):
        roll(driver, "2")
    driver.until("space_infantry.combat.leader")
    fight(driver).foes = fight(driver).foes[:1]
    driver.answer("fight")
    roll(driver, "4")
    calm(driver, "space_infantry.combat.chits")
    assert isinstance(driver.ask, Roll)
    roll(driver, *["6"] * driver.ask.dice[0].count)
    roll(driver, "2")


def as_proposed(driver: Driver) -> None:
    """The wounds on the team as the box proposes them."""
    assert driver.ask.key == "space_infantry.wounds.accept"
    driver.answer(ids(driver)[0])


def attack(driver: Driver, at: str, ours: list[str], theirs: list[str]) -> None:
    """One round: the range, our chits, their chits; then on to what has to be decided."""
    calm(driver, "space_infantry.combat.range")
    roll(driver, {"M": "2", "F": "4"}[at])
    calm(driver, "space_infantry.combat.chits")
    roll(driver, *ours)
    if theirs:
        calm(driver, "space_infantry.combat.enemy_chits")
        roll(driver, *theirs)


def defeat_one(driver: Driver, node: str) -> None:
    """One alone, with one wound left, meets an enemy on a node and is put out of combat."""
    op(driver).team["leader"].wounds = 1
    put_on(driver, node)
    driver.answer("stay")
    roll(driver, "3")
    driver.until("space_infantry.combat.leader")
    driver.answer("fight")
    attack(driver, "M", ["1"], ["6"] * 4)


def ids(driver: Driver) -> list[str]:
    """The ids of the open ask's options."""
    assert isinstance(driver.ask, Choose | Pick), driver.ask.key
    return [option.id for option in driver.ask.options]


def wounds(driver: Driver) -> dict[str, int]:
    """Who of the team is wounded, and how often."""
    return {name: member.wounds for name, member in op(driver).team.items() if member.wounds}
