"""A board or a card as a player would read it (`companion pack show dday_dice.omaha`)."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from companion.engine.errors import BadInput
from companion.games.dday_dice.describing import describe
from companion.games.dday_dice.records import DdayPack, Item, Link, Sector, Vehicle
from companion.wording import counted


def shown(pack: msgspec.Struct, thing: str) -> list[str]:
    """The lines of that board or card; raises `BadInput` with the boards if there is none such."""
    assert isinstance(pack, DdayPack)
    table, _, name = thing.partition(".")
    thing = name if table in pack.__struct_fields__ and name else thing
    if thing in pack.map:
        return list(_board(pack, thing))
    lines = list(_cards(pack, _plain(thing)))
    if not lines:
        raise BadInput(f"dday_dice.{thing}: no such card, nor a board; boards are {', '.join(pack.map)}")
    return lines


def _plain(name: str) -> str:
    return name.lower().replace("_", " ").replace("-", " ").replace("'", "")


def _cards(pack: DdayPack, wanted: str) -> Iterator[str]:
    for name, specialist in pack.specialist.items():
        if _plain(name) == wanted:
            yield f"{name}: {counted(specialist.cost, 'Star')}, {specialist.kind} [{specialist.source}]"
            yield f"  {specialist.text}"
    found: dict[str, Item | Vehicle] = {**pack.item, **pack.vehicle}
    for name, card in found.items():
        if _plain(name) == wanted:
            yield f"{name}: {counted(card.cost, 'Item Point')} [{card.source}]"
            yield f"  {card.text}"
    for name, award in pack.award.items():
        if _plain(name) == wanted:
            yield f"{name}: Award [{award.source}]"
            yield f"  {award.text}"


def _board(pack: DdayPack, board: str) -> Iterator[str]:
    record = pack.map[board]
    yield f"{record.title} {record.code}".strip()
    for name in record.sectors:
        sector = pack.sector.get(f"{board}.{name}")
        yield f"{name}: not described" if sector is None else _sector(name, sector)


def _sector(name: str, sector: Sector) -> str:
    words = [f"{name} (row {sector.row}): DEF {'/'.join(map(str, sector.defence))}"]
    if sector.guns:
        words.append(counted(sector.guns, "machine gun"))
    if sector.start:
        dials = f"{counted(sector.soldiers, 'Soldier')}, {counted(sector.stars, 'Star')}"
        joined = f", {sector.specialist}" if sector.specialist else ""
        words.append(f"start with {dials}, {sector.courage} Courage{joined}")
    if printed := describe(sector):
        words.append(printed)
    if sector.links:
        words.append(f"ways to {', '.join(map(_link, sector.links))}")
    return f"{'; '.join(words)} [{sector.source}]"


def _link(link: Link) -> str:
    more = [f"{link.courage} Courage"] if link.courage else []
    more += ["mines"] if link.mines else []
    more += ["barrier"] if link.barrier else []
    return f"{link.to} ({', '.join(more)})" if more else link.to
