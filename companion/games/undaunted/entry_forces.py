"""Entering a scenario that no pack knows: theatre, sides, decks, goals, mines (UND-G14)."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import msgspec

from companion.engine import packs
from companion.engine.asks import Option, Pick, Script, ask
from companion.engine.packs import Record, Source
from companion.games.undaunted.entry_questions import choose, number, title, yes
from companion.games.undaunted.pack import FACTIONS, FOG, Pack, Scenario, Theatre, of_squad, squad_of
from companion.wording import counted

PACKS = Path(__file__).parent / "packs"
ANY_SQUAD = "none"


_OF_EXPANSION = ("no_vehicles", "structures", "demolishes")
"""What is asked for of a scenario of the expansion alone."""
UNASKED = ("title", "expansion", "tiles", "raises_radio", "notes", *_OF_EXPANSION)
"""What nobody is asked for, but may have written into the own pack by hand."""


def enter_forces(pack: Pack, name: str) -> Script[Record]:
    """What the sheet says beside the map; what is not asked stays as the owner wrote it.

    What there is not is recorded too, so that nothing of a stand-in is left in its place.
    """
    known = pack.scenario.get(name)
    written: Record = msgspec.to_builtins(Scenario(name.replace("-", " ").title(), expansion=True))
    if known is not None:
        is_own = known.source is not Source.STAND_IN
        written |= msgspec.to_builtins(known) if is_own else put_right(known, name)
    record: Record = {field: written[field] for field in UNASKED}
    record |= {"joint": {}, "mines": "", "mine_supply": 0, "mines_laid": []}
    record["theatre"] = yield from choose("theatre", "Of which base game?", Theatre)
    record["number"] = yield from number("The scenario's number?", 1, 300)
    sides = yield from _sides()
    record["initiative"] = yield from choose("initiative", "Who starts with the initiative?", sides)
    decks: dict[str, object] = {}
    supplies: dict[str, object] = {}
    points: dict[str, int] = {}
    least, or_pins = (0, " 0: it has to pin") if record["theatre"] == Theatre.NORMANDY else (1, "")
    for side in sides:
        decks[side] = yield from enter_cards(pack, f"{FACTIONS[side]} starting deck")
        supplies[side] = yield from enter_cards(pack, f"{FACTIONS[side]} supply")
        points[side] = yield from number(f"{FACTIONS[side]}: points to win?{or_pins}", least, 30)
    record |= {"decks": decks, "supplies": supplies, "points": points}
    if (yield from yes("joint", "Enter the cards of four players, two a side, too?")):
        record["joint"] = yield from _joint(pack, sides)
    record["pins"] = [side for side in sides if not points[side]]
    if (yield from yes("mines", "Are there mines?")):
        record["mines"] = yield from choose("mines", "Who controls them?", sides)
        record["mine_supply"] = yield from number("How many mines are in the supply?", 0)
    return record


def put_right(scenario: Scenario, name: str) -> Record:
    """What the owner says otherwise than the pack that it ships in, nothing where it does not ship."""
    file = PACKS / ("stand-in" if scenario.source is Source.STAND_IN else "rulebook") / "pack.toml"
    printed = packs.read(file).tables["scenario"].get(name)
    if printed is None:
        return {}
    shipped, now = (msgspec.to_builtins(one) for one in (msgspec.convert(printed, Scenario), scenario))
    return {field: now[field] for field in now if now[field] != shipped[field]}


def _joint(pack: Pack, sides: Iterable[str]) -> Script[Record]:
    """The two players' decks and supplies of each side (UND-094)."""
    joint: Record = {}
    for side in sides:
        players: list[Record] = []
        for player in (f"{FACTIONS[side]} 1", f"{FACTIONS[side]} 2"):
            deck = yield from enter_cards(pack, f"{player} starting deck")
            players.append({"deck": deck, "supply": (yield from enter_cards(pack, f"{player} supply"))})
        joint[side] = players
    return joint


def _sides() -> Script[tuple[str, ...]]:
    options = tuple(Option(side, words) for side, words in FACTIONS.items())
    return (yield from ask(Pick("undaunted.entry.sides", "Which two sides?", "", (), options, 2, 2)))


def enter_cards(pack: Pack, whose: str) -> Script[dict[str, int]]:
    """Cards of a deck or supply, one kind after the other; none of a kind that reads like another's squad."""
    kinds = [kind for kind in pack.unit if not squad_of(kind)]
    found: dict[str, int] = {}
    while not found or (yield from yes("card", f"{whose}: {counted(len(found), 'kind')}. Another?")):
        kind = yield from choose("kind", f"{whose}: which card?", kinds, pack)
        squad = ANY_SQUAD
        if kind != FOG:
            squad = yield from choose(
                "squad", f"{title(kind, pack)}: of which squad?", (ANY_SQUAD, "a", "b", "c", "t")
            )
        card = of_squad(kind, "" if squad == ANY_SQUAD else squad)
        found[card] = yield from number(f"{title(card, pack)}: how many?", 1)
    return found
