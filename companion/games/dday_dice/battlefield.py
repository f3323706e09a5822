"""The ground: Sectors and the ways between them, built from the packs once a game."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise

import msgspec

from companion.engine.errors import PackError
from companion.engine.packs import Source
from companion.engine.ways import steps
from companion.games.dday_dice.records import ANY, Attributes, DdayPack, Link, Scenario, Sector, Training

_PRINT = tuple(field.name for field in msgspec.structs.fields(Attributes))
_PLAIN = Attributes()
MOST_UNITS = 4
MOST_GUNS = 20
"""Of a Sector: what hundreds could hit is worked out for minutes."""


class Way(msgspec.Struct, frozen=True):
    """From a Sector to a neighbour; `advance` changes rows and costs Courage (DDD-119)."""

    to: str
    courage: int
    mines: bool
    barrier: bool
    advance: bool
    crossing: bool = False

    def drivable(self, there: Sector) -> bool:
        """Landmines, Bunkers and Climbs are not for Vehicles (DDD-097, DDD-098, DDD-302)."""
        return not (self.mines or there.bunker or there.no_vehicle)


class Battlefield(msgspec.Struct, frozen=True):
    """All Sectors in force by their short names; `lines` are random Sectors after a roll of 1 to 6."""

    title: str
    sectors: dict[str, Sector]
    ways: dict[str, tuple[Way, ...]]
    lines: dict[str, tuple[Sector, ...]]
    line_names: dict[str, tuple[str, ...]]
    bare: dict[str, Sector]

    @property
    def bunkers(self) -> tuple[str, ...]:
        """The Bunkers' names."""
        return tuple(name for name, sector in self.sectors.items() if sector.bunker)

    def starts(self, prefix: str = "") -> tuple[str, ...]:
        """Where a Unit may begin, on the board whose names have that prefix."""
        return tuple(n for n, sector in self.sectors.items() if sector.start and n.startswith(prefix))

    def neighbours(self, name: str) -> set[str]:
        """The Sectors beside one, whichever way may be walked."""
        back = {other for other, ways in self.ways.items() if any(way.to == name for way in ways)}
        return back | {way.to for way in self.ways[name]}

    @property
    def stand_in(self) -> bool:
        """Whether any figure of the ground is of our own design."""
        return any(sector.source is Source.STAND_IN for sector in self.sectors.values())


def battlefield(
    pack: DdayPack, scenario: Scenario, tables: str = "1-2-3", *, begun: bool = False
) -> Battlefield:
    """The ground of a scenario; raises `PackError` if a Sector or a start is missing.

    Nor may a Sector name what there is not, but on a board on which a session has `begun` already.
    """
    prefixes = dict.fromkeys(scenario.maps, "")
    if scenario.two_boards:
        prefixes = {board: initial(board) for board in scenario.maps}
    sectors: dict[str, Sector] = {}
    for board, prefix in prefixes.items():
        sectors |= _board(pack, board, prefix, tables, begun=begun)
    ways = _all_ways(sectors, scenario)
    bare = {name: _bare(sector, scenario.training) for name, sector in sectors.items()}
    if scenario.training is not Training.FULL:
        sectors = bare
    random = {name: pack.random[table] for name, table in random_tables(sectors, tables).items()}
    lines = {n: tuple(_overlay(sectors[n], line) for line in table.lines) for n, table in random.items()}
    names = {name: table.names for name, table in random.items()}
    return Battlefield(scenario.title, sectors, ways, lines, names, bare)


def initial(board: str) -> str:
    """What the Sectors of a board begin with where two lie on the table, whatever its title is."""
    return board[0].upper()


def _all_ways(sectors: dict[str, Sector], scenario: Scenario) -> dict[str, tuple[Way, ...]]:
    """Every Sector's ways; in the Practice Run there are no Landmines (DDD-218)."""
    ways = {name: tuple(_ways(sectors, name)) for name in sectors}
    if scenario.two_boards:
        ways = {name: (*ways[name], *_crossings(sectors, ways, name)) for name in sectors}
    if scenario.training is Training.PRACTICE:
        clear = msgspec.structs.replace
        ways = {name: tuple(clear(way, mines=False) for way in there) for name, there in ways.items()}
    return ways


def _board(pack: DdayPack, board: str, prefix: str, tables: str, *, begun: bool) -> dict[str, Sector]:
    sectors: dict[str, Sector] = {}
    for name in pack.map[board].sectors:
        sector = pack.sector.get(f"{board}.{name}")
        if sector is None:
            raise PackError(f"sector.{board}.{name}: not described; companion pack new dday_dice.{board}")
        played = msgspec.structs.replace(sector, random=random_tables({name: sector}, tables).get(name, ""))
        for words, _ in () if begun else faults(pack, board, played):
            raise PackError(f"sector.{board}.{name}: {words}")
        links = tuple(msgspec.structs.replace(link, to=prefix + link.to) for link in sector.links)
        retreat = prefix + sector.retreat if sector.retreat else ""
        sectors[prefix + name] = msgspec.structs.replace(sector, links=links, retreat=retreat)
    if not any(sector.start for sector in sectors.values()):
        raise PackError(f"map.{board}: no start Sector")
    return sectors


def _ways(sectors: dict[str, Sector], name: str) -> Iterator[Way]:
    """Forward by the Sector's own links; sideways by either one's (DDD-118)."""
    here = sectors[name]
    for link in here.links:
        if sectors[link.to].row >= here.row:
            yield _way(sectors, link, name, link.to)
    for other, sector in sectors.items():
        for link in sector.links:
            if link.to == name and sector.row == here.row:
                yield _way(sectors, link, name, other)


def _way(sectors: dict[str, Sector], link: Link, name: str, to: str) -> Way:
    """A Bunker is an Advance from wherever, sideways at the price printed on it (DDD-119, DDD-122)."""
    there = sectors[to]
    forward = there.row > sectors[name].row
    courage = link.courage if forward else 0
    if there.bunker and not forward:
        links = (one for sector in sectors.values() for one in sector.links)
        courage = min((one.courage for one in links if one.to == to and one.courage), default=0)
    return Way(to, courage, link.mines, link.barrier, advance=forward or there.bunker)


def _crossings(sectors: dict[str, Sector], ways: dict[str, tuple[Way, ...]], name: str) -> Iterator[Way]:
    """Operation Deadstick: top row to top row, and Merville's Bunker to Sword's (DDD-320 to DDD-324)."""
    level = _level(sectors, name)
    if level is None:
        return
    for other in sectors:
        if other[0] == name[0] or _level(sectors, other) != level or (level == 0 and name[0] != "M"):
            continue
        prices = [way.courage for there in ways.values() for way in there if way.to == other and way.advance]
        yield Way(other, min(prices, default=0), mines=False, barrier=False, advance=True, crossing=True)


def _level(sectors: dict[str, Sector], name: str) -> int | None:
    """0 for a Bunker, 1 for the top row of Sectors, None below."""
    if sectors[name].bunker:
        return 0
    top = max(s.row for n, s in sectors.items() if n[0] == name[0] and not s.bunker)
    return 1 if sectors[name].row == top else None


def _bare(sector: Sector, training: Training) -> Sector:
    """A Sector whose print is out of force; the shield stays (DDD-217), in Practice guns and mines go."""
    plain = {name: getattr(_PLAIN, name) for name in _PRINT if name != "shield"}
    sector = msgspec.structs.replace(sector, **plain, general_ignores=False)
    if training is Training.PRACTICE:
        sector = msgspec.structs.replace(sector, guns=0, damage=None)
    return sector


def _overlay(sector: Sector, line: Attributes) -> Sector:
    said = {name: getattr(line, name) for name in _PRINT if getattr(line, name) != getattr(_PLAIN, name)}
    return msgspec.structs.replace(sector, **said)


def random_tables(sectors: dict[str, Sector], order: str) -> dict[str, str]:
    """Which table a random Sector uses; `order` rearranges tables 1 to 3 (DDD-R80)."""
    renamed = {f"table_{n}": f"table_{to}" for n, to in enumerate(order.split("-"), 1)}
    return {name: renamed.get(s.random, s.random) for name, s in sectors.items() if s.random}


def faults(pack: DdayPack, board: str, sector: Sector) -> Iterator[tuple[str, str]]:
    """What would end the game in a fault when somebody comes to that Sector: words, ledger id."""
    if not sector.defence:
        yield "no DEF", "DDD-140"
    if sector.guns > MOST_GUNS:
        yield f"{sector.guns} machine guns; a Sector may have {MOST_GUNS}", "DDD-150"
    if sector.specialist and sector.specialist not in pack.specialist:
        yield f"no Specialist card {sector.specialist}", "DDD-008"
    there = pack.map[board].sectors
    for link in sector.links:
        if link.to not in there:
            yield f"no Sector {link.to} on this board to go to", "DDD-114"
    if sector.retreat and sector.retreat not in there:
        yield f"no Sector {sector.retreat} to retreat to", "DDD-299"
    lines: tuple[Attributes, ...] = ()
    if sector.random and sector.random not in pack.random:
        yield f"no random table {sector.random}", "DDD-268"
    elif sector.random:
        table = pack.random[sector.random]
        lines = table.lines
        if len(lines) != 6 or len(table.names) != 6:
            yield f"random table {sector.random} has not six lines with six names", "DDD-268"
    for print_ in (sector, *lines):
        yield from _unknown_cards(pack, print_)


def _unknown_cards(pack: DdayPack, print_: Attributes) -> Iterator[tuple[str, str]]:
    """Cards that a Sector's print names and that there are not."""
    joins = (print_.joins,) if print_.joins else ()
    sacrificed = (name for name in print_.sacrifice if name != ANY)
    for name in (*print_.requires, *sacrificed, *joins):
        if name not in pack.specialist:
            yield f"no Specialist card {name}", "DDD-008"
    for name in filter(None, (print_.free_item, print_.free_item_solo)):
        if name not in pack.item:
            yield f"no Item card {name}", "DDD-008"
    if print_.vehicle and print_.vehicle not in pack.vehicle:
        yield f"no Vehicle card {print_.vehicle}", "DDD-008"


def problems(sectors: dict[str, Sector], starts: Sequence[str]) -> Iterator[tuple[str, str, str]]:
    """What is wrong with a board whose ways all lead somewhere: Sector (or ''), words, ledger id."""
    if not starts:
        yield "", "no start Sector", "DDD-125"
    for name in starts:
        if not sectors[name].soldiers and not sectors[name].specialist:
            yield name, "nobody starts here, no Soldier and no Specialist", "DDD-013"
    bunkers = [name for name, sector in sectors.items() if sector.bunker]
    if not bunkers:
        yield "", "no Bunker", "DDD-124"
    reached = steps(starts, lambda name: (way.to for way in _ways(sectors, name)))
    for name, sector in sectors.items():
        yield from ((name, words, rule) for words, rule in _figures(sector))
        if name not in reached:
            words = "the Bunker can't be reached" if sector.bunker else "no way leads here from a start"
            yield name, words, "DDD-114"
        if not sector.bunker and not any(_ways(sectors, name)):
            yield name, "no way leads on from here", "DDD-120"
        for to, many in Counter(way.to for way in _ways(sectors, name)).items():
            if many > 1:
                yield name, f"the way to {to} is described {many} times, here or there", "DDD-114"
        for link in sector.links:
            if sectors[link.to].row < sector.row:
                yield name, f"the way to {link.to} leads back", "DDD-118"
            if sectors[link.to].row > sector.row and link.courage == 0:
                yield name, f"the Advance to {link.to} has no Courage cost", "DDD-121"


def _figures(sector: Sector) -> Iterator[tuple[str, str]]:
    """Figures of a Sector that contradict each other: words, ledger id."""
    if any(value >= later for value, later in pairwise(sector.defence)):
        yield f"DEF {'/'.join(map(str, sector.defence))}: the lowest comes first", "DDD-142"
    if sector.damage and not sector.guns:
        yield "Special Damage, but no machine gun to do it", "DDD-151"
    if sector.start and 0 < sector.max_units < MOST_UNITS:
        yield f"all {MOST_UNITS} Units may start here, and it holds {sector.max_units}", "DDD-237"
