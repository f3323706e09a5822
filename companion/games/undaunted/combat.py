"""Attacks: total defence, the exact chance, dice, hits (UND-309 to UND-327)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cache

import msgspec

from companion.engine.asks import Choose, Dice, Option, Roll, Script, ask
from companion.games.undaunted import cards
from companion.games.undaunted.actions import NO_RANGE_BONUS, Action, Kind
from companion.games.undaunted.language import FACES
from companion.games.undaunted.pack import type_name
from companion.games.undaunted.state import Counter
from companion.games.undaunted.table import Table
from companion.wording import begun, counted

ALWAYS = "0"
"""The face that hits whatever the total defence is (UND-317)."""

OUT_OF_REACH = 99
"""Stands for the total defence of what can't be attacked at all."""


class Defence(msgspec.Struct, frozen=True):
    """What the dice have to reach, and how it is made up (UND-312)."""

    base: int
    cover: int = 0
    distance: int = 0

    @property
    def total(self) -> int:
        """The number that one die has to show."""
        return self.base + self.cover + self.distance

    @property
    def words(self) -> str:
        """How it is made up, part by part."""
        return f"Defence {self.base} + cover {self.cover} + range {self.distance} = {self.total}"

    @property
    def reachable(self) -> bool:
        """Whether a die can show so much; else nothing but the 0 hits."""
        return self.total < len(FACES)

    @property
    def needed(self) -> str:
        """What to throw, such as "7+"."""
        return f"{self.total}+" if self.reachable else ALWAYS

    def __str__(self) -> str:
        return f"{self.base}+{self.cover}+{self.distance}={self.total}"


class Attack(msgspec.Struct, frozen=True):
    """Which side attacks, with which action and from where; the rest is for the player to read.

    Who has no counter, as an aircraft, attacks from no tile: nothing is far away from it.
    `told` is how many of the news are told with the dice, else all: what comes of each roll at several
    targets is told once, after the last.
    """

    side: str
    action: Action
    start: str
    who: str = ""
    why: str = ""
    rule: tuple[str, ...] = ()
    told: int | None = None


@cache
def chance(dice: int, total: int) -> Fraction:
    """The exact chance that one of the dice shows `total` or more, or the 0 (UND-316, UND-317).

    >>> chance(2, 8)
    Fraction(51, 100)
    """
    hitting = sum(hits(face, total) for face in FACES)
    return 1 - Fraction(len(FACES) - hitting, len(FACES)) ** dice


def hits(face: str, total: int) -> bool:
    """Whether a die with that face hits."""
    return face == ALWAYS or int(face) >= total


def percent(part: Fraction) -> str:
    """A chance as the player reads it, exact to the last digit.

    >>> percent(chance(3, 10))
    '27.1%'
    """
    return f"{float(part * 100):g}%"


def base_defence(table: Table, target: Counter, kind: Kind) -> int | None:
    """The value that this kind of attack is measured against; None if it can't target the counter."""
    printed = table.type(target.unit)
    match kind:
        case Kind.ANTITANK:
            return printed.armour
        case Kind.DEMOLITION:
            return printed.structure if printed.armour is None else printed.armour
        case _:
            return printed.defence


def defence(table: Table, target: Counter, action: Action, start: str) -> Defence | None:
    """Total defence of a target against an action from `start`; None where it is no legal target."""
    base = base_defence(table, target, action.kind)
    if base is None or not _may_target(table, target, action, start):
        return None
    near = not start or action.kind in NO_RANGE_BONUS
    distance = 0 if near else table.ground.distance[start][target.tile]
    return Defence(base, cover(table, target.tile, start, action.kind), distance)


def _may_target(table: Table, target: Counter, action: Action, start: str) -> bool:
    if action.kind is Kind.DEMOLITION and target.tile != start:
        return False
    if action.kind is Kind.SUPPRESS and target.suppressed:
        return False
    if not start:
        return True
    within = action.y is None or table.ground.distance[start][target.tile] <= action.y
    return within and target.tile in table.ground.distance[start]


def cover(table: Table, tile: str, start: str, kind: Kind) -> int:
    """The cover bonus; a hill gives 1 against attackers on a hill and against Blast (UND-327).

    A bomb comes from no tile (UND-082).
    """
    printed = table.ground.tiles[tile]
    on_hill = bool(start) and table.ground.tiles[start].hill and kind is not Kind.BOMB
    if printed.hill and (kind is Kind.BLAST or on_hill):
        return 1
    return printed.cover


def targets(table: Table, side: str, action: Action, start: str) -> list[tuple[Counter, Defence]]:
    """Every legal target of a side's action from a tile, in the order of the counters."""
    enemies = table.units(table.foe(side))
    if action.kind is Kind.DEMOLITION and table.scenario.demolishes == side:
        enemies += table.state.structures.values()
    found = []
    for enemy in enemies:
        against = defence(table, enemy, action, start)
        if against is not None:
            found.append((enemy, against))
    return found


def tile_targets(table: Table, side: str, action: Action, start: str, tile: str) -> list[Counter]:
    """Whom an attack on a whole tile meets.

    A grenade spares friends, a teammate's counters too (UND-036, UND-114); bombs and Blast hit everyone
    on foot there (UND-079, UND-310).
    """
    sides = [table.foe(side)] if action.kind is Kind.GRENADE else list(table.state.sides)
    there = [counter for one in sides for counter in table.units(one, tile)]
    return [one for one in there if defence(table, one, action, start) is not None]


def fire(table: Table, attack: Attack, target: Counter) -> Script[bool]:
    """One roll against one target, and what comes of it; whether it hit."""
    first = defence(table, target, attack.action, attack.start)
    assert first is not None

    def against() -> Defence:
        now = defence(table, target, attack.action, attack.start) if target.tile else None
        return now or first  # where it was, if it was put out of reach by hand meanwhile

    who = f"{attack.who}: " if attack.who else ""
    words = f"{who}{attack.action} on {_target_name(table, target)}"
    return (yield from strike(table, attack, target, against, words))


def strike(
    table: Table, attack: Attack, target: Counter, against: Callable[[], Defence], words: str
) -> Script[bool]:
    """Roll the dice of an attack, `against` says what it has to reach now, and carry out a hit."""
    rolled = yield from ask(lambda: _attack_roll(table, attack, against(), words))
    total = against().total
    hit = any(hits(face, total) for face in rolled)
    if not hit:
        table.news.append(begun(f"{_target_name(table, target)}: missed."))
    elif attack.action.kind is Kind.SUPPRESS:
        _suppress(table, target)
    else:
        yield from _hit(table, attack.side, target)
    return hit


def _suppress(table: Table, target: Counter) -> None:
    if not target.tile:  # taken off by hand while it was rolled for
        table.news.append(f"{table.name(target)} is on the board no more.")
        return
    target.suppressed = True
    table.news.append(f"{table.name(target)} is suppressed: turn it over.")


def _target_name(table: Table, target: Counter) -> str:
    return table.name(target) if target.side else f"the structure on {target.tile}"


def _attack_roll(table: Table, attack: Attack, against: Defence, words: str) -> Roll:
    base = "UND-032" if attack.action.kind is Kind.ANTITANK else "UND-312"
    odds = percent(chance(attack.action.x, against.total))
    hitting = f"{against.needed} or a {ALWAYS}" if against.reachable else f"only a {ALWAYS}"
    return Roll(
        f"undaunted.{attack.action.kind}.roll",
        f"{words}, {hitting} hits, {odds}",
        table.gathered(f"{against.words}.", attack.why, until=attack.told),
        attack.rule or (base, "UND-316", "UND-317"),
        dice=(Dice("d10", attack.action.x, FACES),),
    )


def _hit(table: Table, side: str, target: Counter) -> Script[None]:
    if not target.side:
        _destroy(table, side, target)
        return
    if table.type(target.unit).seats:
        soldier = yield from injured(table, side, target)
        if soldier is None:  # taken out by hand while it was rolled for
            table.news.append(f"{table.name(target)}: hit, but nobody sits in it any more.")
            return
        target = soldier
    stays = yield from cards.casualty(table, target)
    bot = table.state.bot
    marked = bot and target.tile and target.side == bot.side and table.state.initiative != bot.side
    marked = marked and target.hits < table.most_hits(target)  # set by hand, all may lie there
    if marked and stays and table.own_turn(side) and side != target.side:
        target.hits += 1
        table.news.append(f"Put a control marker on {table.name(target)}.")
        table.behind.append("UND-146")


def _destroy(table: Table, side: str, structure: Counter) -> None:
    """A structure that was hit is gone and scores for those who demolish (UND-362).

    What its objective marker says; without one, what the sheet says of the structure.
    """
    table.state.structures.pop(structure.tile, None)  # it may have been taken off by hand by now
    worth = table.value(structure.tile) or table.scenario.structures.get(structure.tile, 1)
    table.state.sides[side].destroyed += worth
    points = counted(worth, "point")
    table.behind.append("UND-362")
    table.news.append(f"The structure on {structure.tile} is destroyed, take it off the board: {points}.")


def injured(table: Table, chooser: str, vehicle: Counter) -> Script[Counter | None]:
    """The soldier in a hit vehicle whom the attacker picks to be injured (UND-057), if any still sits there.

    The bot picks the most dangerous, among equals by the die (UND-223, UND-224).
    """
    inside = table.occupants(vehicle)
    if not inside:
        return None
    if table.bot(chooser):
        table.behind.append("UND-223")
        worst = min(danger(table, one) for one in inside)
        inside = [one for one in inside if danger(table, one) == worst]
        words = [table.title(one.unit) for one in inside]
        return inside[(yield from randomly(table, f"Who in the {table.title(vehicle.unit)} is hit?", words))]
    picked = yield from ask(lambda: _whom_inside(table, chooser, vehicle))
    return table.state.sides[vehicle.side].counters[picked]


def _whom_inside(table: Table, chooser: str, vehicle: Counter) -> Choose:
    options = tuple(Option(one.unit, table.title(one.unit)) for one in table.occupants(vehicle))
    text = f"{chooser.upper()}: who in the {table.title(vehicle.unit)} is hit?"
    return Choose("undaunted.vehicle.injured", text, "", ("UND-057",), options)


def randomly(table: Table, text: str, words: Sequence[str], why: str = "") -> Script[int]:
    """Which of several, by equal shares of the faces, else roll again (UND-196, UND-R30)."""
    if len(words) == 1:
        return 0
    dice, numbers = (1, 10) if len(words) <= len(FACES) else (2, 100)
    share = numbers // len(words)
    left = numbers - share * len(words)
    told = [f"{_faces(share * n, share, dice)} {one}" for n, one in enumerate(words)]
    told += [f"{_faces(numbers - left, left, dice)} roll again"] * bool(left)
    tens = "The first die is the tens: " * (dice > 1)
    question = Roll(
        "undaunted.bot.random",
        text,
        f"{tens}{'; '.join(told)}. {table.gathered(why)}".rstrip(),
        ("UND-196", "UND-224", "UND-R30"),
        dice=(Dice("d10", dice, FACES),),
    )
    while True:
        rolled = yield from ask(question)
        number = int("".join(rolled)) // share
        if number < len(words):
            return number


def _faces(first: int, count: int, dice: int) -> str:
    """So many numbers on, as they are read off the dice: "3-5", "7" or "00-08"."""
    last = first + count - 1
    return f"{first:0{dice}}" + f"-{last:0{dice}}" * (count > 1)


def danger(table: Table, counter: Counter) -> int:
    """A unit's place in the scenario's danger list, 0 the most dangerous (UND-221, UND-222)."""
    order = table.section.danger if table.section else ()
    ranks = [order.index(name) for name in _dangerous(table, counter) if name in order]
    return min(ranks, default=len(order))


def _dangerous(table: Table, counter: Counter) -> list[str]:
    if table.type(counter.unit).seats:
        return [type_name(one.unit) for one in table.occupants(counter)]
    return [type_name(counter.unit)]


def area_attack(table: Table, attack: Attack, tile: str) -> Script[None]:
    """A separate attack on each counter of a tile (UND-037, UND-080, UND-310)."""
    rule = _AREA_RULES[attack.action.kind]
    attack = msgspec.structs.replace(attack, rule=rule, told=len(table.news))
    for target in tile_targets(table, attack.side, attack.action, attack.start, tile):
        if target.tile == tile:  # not put elsewhere by hand while another was rolled for
            yield from fire(table, attack, target)


_AREA_RULES = {
    Kind.GRENADE: ("UND-035", "UND-036", "UND-037"),
    Kind.BOMB: ("UND-079", "UND-080", "UND-081", "UND-082"),
    Kind.BLAST: ("UND-310", "UND-314", "UND-315"),
}
