"""Wounds on the team, given out as the player likes, and the armor of both sides (5.3)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import islice
from typing import NamedTuple

from msgspec.structs import replace

from companion.engine.asks import Choose, Option, Script, ask, offered
from companion.games.space_infantry.checks import title
from companion.games.space_infantry.numbers import in_kind, in_order, numbers
from companion.games.space_infantry.pack import Resource
from companion.games.space_infantry.resources import spend
from companion.games.space_infantry.sharing import Struck, pierced
from companion.games.space_infantry.table import Table
from companion.wording import begun, counted

ARMOR_SAVES = 4
"""A wound is cancelled on this number or more (SPI-124)."""

_HAND = Option("hand", "One by one")
_YES = ("shared", "stopped", "proposed", "accept")
"""Yes to the proposal, as earlier versions put it and, last, as it is put now."""
_UNTREATED = Option("none", "No MediKit")


def armor_saves(
    table: Table, key: str, whom: str, wearers: Sequence[str], why: str = ""
) -> Script[list[bool]]:
    """One number for each wound that armor may stop, in the order of who wears it (SPI-124, SPI-125).

    `why` says what the wounds come of, if that has not been told.
    """
    words = f"armor of {whom}: {in_kind(table, len(wearers))}, 4+ saves"
    text = begun("; ".join(filter(None, (why, words))))
    rule = ("SPI-124", "SPI-125")
    values = yield from numbers(table, key, text, len(wearers), rule, names=in_order(wearers))
    return [value >= ARMOR_SAVES for value in values]


def unstoppable(piercing: int, armor: Iterable[int]) -> str:
    """How many of the wounds to be given out pass the armor that somebody has, in words (SPI-126)."""
    return f"armor is no help against {piercing}" if piercing and any(armor) else ""


def wound_team(table: Table, normal: int, piercing: int, *, anybody: bool, why: str = "") -> Script[None]:
    """Wounds on the team: allotted by the player, then armor, then MediKits (SPI-119 to SPI-126, SPI-R39).

    `anybody` lifts the ban of the higher levels on wounding who did not fight (SPI-190); `why` says what the
    wounds come of, if that has not been told.
    """
    total = normal + piercing
    if not total:
        return
    if table.riding():
        yield from wound_rhino(table, normal, piercing, why or counted(total, "wound"))
        return
    armor = [one.armor for one in table.in_play().values()]
    armor += [one.armor for one in rhino_target(table).values()]
    why = why or unstoppable(piercing, armor)
    allotted = yield from allot(table, total, normal, anybody=anybody, why=why)
    through = pierce_team(table, allotted, piercing)
    on_rhino = allotted.pop("rhino", 0)
    if on_rhino:
        yield from wound_rhino(table, on_rhino - through["rhino"], through["rhino"])
    inflicted = yield from armor_of_team(table, allotted, through)
    yield from medikits(table, inflicted)
    for name, many in inflicted.items():
        mark(table, name, many)


class Target(NamedTuple):
    """Who may be wounded: the wounds left, the armor icons, and how much he would be missed."""

    left: int
    armor: int
    missed: int = 0


def targets(table: Table, *, anybody: bool) -> dict[str, Target]:
    """Whom wounds may be given to; missed most is the Team Leader, then who alone has skills."""
    fit, leader = table.in_play(), table.leader()
    many = Counter(skill for one in fit.values() for skill, levels in one.levels.items() if levels)
    found = {
        name: Target(
            table.left(name),
            one.armor,
            len(many) if name == leader else sum(many[skill] == 1 for skill in one.levels),
        )
        for name, one in fit.items()
    }
    return {name: one for name, one in found.items() if anybody or table.op.team[name].fought} or found


def rhino_target(table: Table) -> dict[str, Target]:
    """The Rhino, if it stands beside the team (SPI-168)."""
    rhino = table.op.rhino
    if rhino is None or not table.rhino_here():
        return {}
    return {"rhino": Target(table.vehicle.wounds - rhino.wounds, table.vehicle.armor)}


def rooms(fit: Mapping[str, Target], normal: int, given: Mapping[str, int]) -> dict[str, int]:
    """How many wounds more everybody can be given: what is left, and what armor may stop (SPI-126).

    That is no more than the `normal` ones, which don't pierce it, without those that others have to stop.
    """
    over = {name: min(max(given.get(name, 0) - one.left, 0), one.armor) for name, one in fit.items()}
    spare = normal - sum(over.values())
    return {
        name: one.left + min(one.armor, max(spare + over[name], 0)) - given.get(name, 0)
        for name, one in fit.items()
    }


def propose(total: int, fit: Mapping[str, Target], normal: int, rhino: int) -> dict[str, int]:
    """A legal allocation that keeps as many as possible in play: who has most room takes the next wound.

    But first whom it can't put out whatever armor does, and of equals whoever is missed least. The Rhino
    gets its share first. What nobody has room for falls on the weakest.
    """
    given = {"rhino": rhino} if rhino else {}
    if not fit:
        return given
    room = rooms(fit, normal, given)
    weakest = min(fit, key=lambda name: (room[name], fit[name].missed))
    for _ in range(total - rhino):
        lasting = {name: one.left - given.get(name, 0) > 1 for name, one in fit.items()}
        name = max(room, key=lambda name: (lasting[name], room[name], -fit[name].missed))
        name = name if room[name] > 0 else weakest
        given[name] = given.get(name, 0) + 1
        room = rooms(fit, normal, given)
    return given


def allot(table: Table, total: int, normal: int, *, anybody: bool, why: str) -> Script[dict[str, int]]:
    """The player's choice: the box's proposal, or wound by wound (SPI-119, SPI-168, SPI-169).

    Of the wounds `normal` are not piercing.
    """
    wish = yield from ask(partial(allot_question, table, total, normal, anybody=anybody, why=why))
    if wish != _HAND.id:
        return proposed(table, total, normal, anybody=anybody)
    given: dict[str, int] = {}
    for _ in range(total):
        name = yield from ask(partial(place_question, table, total, normal, given, anybody=anybody))
        given[name] = given.get(name, 0) + 1
    return given


def proposed(table: Table, total: int, normal: int, *, anybody: bool) -> dict[str, int]:
    """The proposal for the team as it is now, which does not destroy the Rhino (SPI-169)."""
    rhino = sum(min(one.left - 1, total // 2) for one in rhino_target(table).values())
    return propose(total, targets(table, anybody=anybody), normal, rhino)


def room_left(
    table: Table, total: int, normal: int, given: Mapping[str, int], *, anybody: bool
) -> dict[str, int]:
    """How many wounds more each has room for; the Rhino takes half of all at most (SPI-169)."""
    fit = targets(table, anybody=anybody) | rhino_target(table)
    room = rooms(fit, normal, given)
    return room | {name: min(room[name], total // 2 - given.get(name, 0)) for name in rhino_target(table)}


def limits(table: Table, total: int, normal: int, *, anybody: bool) -> str:
    """Who may be given the wounds, in words."""
    room = room_left(table, total, normal, {}, anybody=anybody)
    rhino = room.pop("rhino", 0)
    words = f"at most {rhino} on the Rhino" if rhino else "on anybody who can take them"
    if len(room) < len(table.in_play()):
        return f"{words}, the rest on who fought" if rhino else "only on who fought"
    return words


def allot_question(table: Table, total: int, normal: int, *, anybody: bool, why: str) -> Choose:
    """The box's proposal, or one by one where there is a choice; by an override nobody may be left."""
    proposal = proposed(table, total, normal, anybody=anybody)
    words = ", ".join(f"{many} on {title(table, who)}" for who, many in proposal.items())
    room = room_left(table, total, normal, {}, anybody=anybody)
    others = (_HAND,) if sum(many > 0 for many in room.values()) > 1 else ()
    first, *later = ((Option(yes, f"As proposed: {words}"), *others) for yes in _YES)
    question = Choose(
        "space_infantry.wounds.accept",
        f"{counted(total, 'wound')} on the team: {'as proposed?' if others else 'nobody else can take any'}",
        "; ".join(filter(None, (why, limits(table, total, normal, anybody=anybody)))),
        rule=("SPI-119", "SPI-169", "SPI-190"),
        options=first,
    )
    for options in later:
        question = replace(question, options=options, former=question)
    return question


def place_question(table: Table, total: int, normal: int, given: dict[str, int], *, anybody: bool) -> Choose:
    """On whom the next wound goes; earlier versions forgot MediKits."""
    on_whom = limits(table, total, normal, anybody=anybody)
    room = room_left(table, total, normal, given, anybody=anybody)
    former = room_question(table, total, given, room, on_whom)
    kept = list(kept_in_play(table, room))
    return replace(room_question(table, total, given, room, on_whom, kept), former=former) if kept else former


def kept_in_play(table: Table, room: Mapping[str, int]) -> Iterator[str]:
    """Who has no room, but can be given a wound for a MediKit to negate (SPI-132, SPI-138, SPI-139)."""
    beyond = {name: max(-many, 0) for name, many in room.items()}
    if sum(beyond.values()) >= table.op.resources[Resource.MEDIKIT]:
        return
    for name, soldier, member in table.members():
        if room.get(name, 1) <= 0 and beyond[name] < soldier.wounds - member.treated:
            yield name


def room_question(
    table: Table,
    total: int,
    given: dict[str, int],
    room: dict[str, int],
    on_whom: str,
    kept: Iterable[str] = (),
) -> Choose:
    """On whom the next wound goes: how many more each has room for, or who can only be `kept` in play."""
    options = tuple(
        Option(name, title(table, name), f"{many} more") for name, many in room.items() if many > 0
    )
    options += tuple(Option(name, title(table, name), "if a MediKit negates one") for name in kept if options)
    # Where nobody has room any more, who gets the rest decides whom MediKits can keep in play.
    options = options or tuple(
        Option(name, title(table, name), "beyond its last") for name in room if name != "rhino"
    )
    return Choose(
        "space_infantry.wounds.place",
        f"Wound {sum(given.values()) + 1} of {total}: on whom?",
        on_whom,
        rule=("SPI-119", "SPI-120", "SPI-169"),
        options=options,
    )


def pierce_team(table: Table, allotted: dict[str, int], piercing: int) -> dict[str, int]:
    """How many of everybody's wounds are piercing: armor keeps all it can, first a soldier's."""
    roster = table.campaign.roster
    armor = {name: roster[name].armor if name in roster else table.vehicle.armor for name in allotted}
    order = sorted(allotted, key=lambda name: (name in roster, armor[name]))
    # None of them counts as lost: a MediKit may have to negate what goes beyond the last.
    struck = [Struck(allotted[name], armor[name], allotted[name] + 1) for name in order]
    through = pierced(struck, piercing, saving=True)
    return dict(zip(order, through, strict=True))


def armor_of_team(table: Table, allotted: dict[str, int], through: dict[str, int]) -> Script[dict[str, int]]:
    """What gets through, `through` of it being piercing (SPI-125, SPI-126)."""
    roster = table.campaign.roster
    chances = {
        name: min(allotted[name] - through[name], roster[name].armor)
        for name in sorted(allotted, key=lambda one: roster[one].armor)
    }
    wearers = [roster[name].title for name, many in chances.items() for _ in range(many)]
    saved = yield from armor_saves(table, "space_infantry.wounds.armor", "the team", wearers)
    results = iter(saved)
    left = {name: allotted[name] - sum(islice(results, many)) for name, many in chances.items()}
    return {name: left[name] for name in allotted if left[name]}


def medikits(table: Table, inflicted: dict[str, int]) -> Script[None]:
    """A MediKit negates a wound; each member can use as many as its wounds (SPI-138 to SPI-140)."""
    while (chosen := (yield from offered(partial(medikit_question, table, inflicted)))) != _UNTREATED.id:
        spend(table, Resource.MEDIKIT)
        inflicted[chosen] -= 1
        table.op.team[chosen].treated += 1


def medikit_question(table: Table, inflicted: dict[str, int]) -> Choose:
    """Whose new wounds can be treated, with what they mean."""
    op, held = table.op, table.op.resources[Resource.MEDIKIT]
    options = (
        Option(name, f"MediKit {title(table, name)}", _fate(many, table.left(name)))
        for name, many in (inflicted.items() if held else ())
        if many and name in op.team and op.team[name].treated < table.campaign.roster[name].wounds
    )
    return Choose(
        "space_infantry.wounds.medikit",
        f"{counted(held, 'MediKit')}: treat a wound?",
        "its counter off the Turn Track, a Treated Wound on the unit",
        rule=("SPI-132", "SPI-138", "SPI-139", "SPI-140"),
        options=(_UNTREATED, *options),
    )


def _fate(many: int, left: int) -> str:
    """What so many wounds mean for somebody who can take `left`."""
    if many < left:
        return ""
    return "last wound" if many == left else f"{counted(many, 'wound')}, {left} left"


def mark(table: Table, name: str, many: int) -> None:
    """Wound counters on somebody, out of combat by the last; what is beyond is lost (SPI-120, SPI-121).

    Nothing on who was taken out of the team by an override meanwhile.
    """
    if name not in table.op.team:
        return
    many = min(many, table.left(name))
    if many:
        table.op.team[name].wounds += many
        out = "" if table.left(name) else ", out of combat"
        rule = ("SPI-120", "SPI-121") if out else ("SPI-120",)
        table.note(f"{counted(many, 'wound')} on {title(table, name)}{out}", *rule)


def wound_rhino(table: Table, normal: int, piercing: int, why: str = "") -> Script[None]:
    """Damage to the Rhino; what is beyond its end is ignored (SPI-166, SPI-167, SPI-R62)."""
    rhino = table.op.rhino
    assert rhino is not None
    chances = min(normal, table.vehicle.armor)
    wearers = [table.vehicle.title] * chances
    saved = yield from armor_saves(table, "space_infantry.rhino.armor", "the Rhino", wearers, why)
    rule = "SPI-166" if table.riding() else "SPI-168"  # who rides no more once it is destroyed
    rhino.wounds = min(rhino.wounds + normal + piercing - sum(saved), table.vehicle.wounds)
    table.note(f"Rhino damage {rhino.wounds}/{table.vehicle.wounds}", rule)
    if rhino.wounds == table.vehicle.wounds:
        rhino.inside = False
        table.note("the Rhino is destroyed, the team is on foot", "SPI-167", "SPI-R62")
