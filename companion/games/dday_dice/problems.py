"""What a pack lacks or contradicts (`companion pack check`)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import msgspec

from companion.engine.game import Problem
from companion.engine.packs import Source
from companion.games.dday_dice.battlefield import faults
from companion.games.dday_dice.battlefield import problems as ground_problems
from companion.games.dday_dice.records import DdayPack, Scenario, Sector

GAPS = {
    "omaha": "DDD-G03",
    "utah": "DDD-G04",
    "gold": "DDD-G05",
    "juno": "DDD-G06",
    "sword": "DDD-G07",
    "pointe_du_hoc": "DDD-G08",
    "merville": "DDD-G09",
}


def scenarios(pack: msgspec.Struct) -> tuple[str, ...]:
    """The scenarios of a pack in the book's order, our own beaches last; the first is the default."""
    assert isinstance(pack, DdayPack)
    return tuple(sorted(pack.scenario, key=lambda name: pack.scenario[name].source is Source.STAND_IN))


def problems(pack: msgspec.Struct) -> Iterator[Problem]:
    """Boards that are stand-ins or broken, lists that name unknown cards, Awards without a text."""
    assert isinstance(pack, DdayPack)
    for name, scenario in pack.scenario.items():
        yield from _lists(pack, name, scenario)
    for board in pack.map:
        yield from _board(pack, board)
    for name, award in pack.award.items():
        if award.source is not Source.OWNER:
            words = "the printed text is unknown; enter it when the card is drawn"
            yield Problem(f"award.{name}", words, "DDD-G02")


def _lists(pack: DdayPack, name: str, scenario: Scenario) -> Iterator[Problem]:
    known: dict[str, Mapping[str, object]] = {
        "regular": pack.specialist,
        "unique": pack.specialist,
        "joined": pack.specialist,
        "special_items": pack.item,
        "withheld": pack.item,
        "maps": pack.map,
    }
    for field, table in known.items():
        for one in getattr(scenario, field):
            if one not in table:
                yield Problem(f"scenario.{name}.{field}", f"no such card or board: {one}", "DDD-008")
    if not scenario.maps:
        yield Problem(f"scenario.{name}.maps", "a scenario without a board", "DDD-008")


def _board(pack: DdayPack, board: str) -> Iterator[Problem]:
    names = pack.map[board].sectors
    sectors = {name: pack.sector[f"{board}.{name}"] for name in names if f"{board}.{name}" in pack.sector}
    for name in names:
        if name not in sectors:
            yield Problem(f"sector.{board}.{name}", "not described", GAPS.get(board, ""))
        elif sectors[name].source is Source.STAND_IN and board in GAPS:
            words = f"stand-in figures: companion pack new dday_dice.{board}"
            yield Problem(f"sector.{board}.{name}", words, GAPS[board])
    for name, sector in sectors.items():
        for words, rule in faults(pack, board, sector):
            yield Problem(f"sector.{board}.{name}", words, rule)
    starts = [name for name, sector in sectors.items() if sector.start]
    for name, words, rule in ground_problems(_without_dead_ends(sectors), starts):
        yield Problem(f"sector.{board}.{name}" if name else f"map.{board}", words, rule)


def _without_dead_ends(sectors: dict[str, Sector]) -> dict[str, Sector]:
    """The Sectors without their ways to any that is not described."""
    return {
        name: msgspec.structs.replace(sector, links=tuple(one for one in sector.links if one.to in sectors))
        for name, sector in sectors.items()
    }
