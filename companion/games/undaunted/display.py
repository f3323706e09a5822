"""The table as text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from companion.engine.game import Board, Panel
from companion.engine.packs import Source
from companion.games.undaunted import cards, victory
from companion.games.undaunted.pack import FACTIONS, deck_title, squad_of
from companion.games.undaunted.state import Counter, Marker, Mine
from companion.games.undaunted.table import Table, bot_of
from companion.wording import BOUND, counted


def board(table: Table) -> Board:
    """Points first, then the bot's row, hands, tiles, cards."""
    state = table.state
    panels = [_score(table)]
    if state.bot:
        panels.append(_bot(table))
    panels += [_player(table, name) for name in state.players if not table.is_bot(name)]
    panels.append(_tiles(table))
    panels += [_cards(table, name) for name in state.players]
    if state.mines:
        panels.append(Panel("Mines", tuple(_mines(table))))
    panels.append(_signs(table))
    now = f", round {state.round}" if state.round else ""
    return Board(f"{table.scenario.title}{now}", tuple(panels))


def _score(table: Table) -> Panel:
    lines = []
    for side in table.state.sides:
        goal = table.scenario.points.get(side)
        aim = f"{table.points(side)} of {goal} points" if goal else f"{table.points(side)} points, pin to win"
        marker = ", initiative" if table.state.initiative == side else ""
        pinned = ", out of reach: counts as pinned" if victory.counts_as_pinned(table, side) else ""
        lines.append(f"{FACTIONS.get(side, side)}: {aim}{pinned}{marker}")
    return Panel("Score", tuple(lines))


def _bot(table: Table) -> Panel:
    """After an undo the whole row is told: cards of one name lie in it, and in an order."""
    bot = bot_of(table)
    now = [f"> {table.title(bot.resolving)}"] if bot.resolving else []
    row = [
        f"{'face down' if one.face_down else table.title(one.card)}{' (sideways)' * one.sideways}"
        for one in bot.row
    ]
    own = table.stand_in_cards()
    signs = [f"stand-in solo cards: {len(own)}"] if own else []
    if table.section and table.section.source is Source.STAND_IN:
        signs.append("stand-in solo section")
    return Panel("Bot row", (*now, *row, *signs), lying=(*now, f"row: {_whole(row) or 'empty'}"))


def _player(table: Table, name: str) -> Panel:
    player = table.state.players[name]
    lines = [f"hand: {_hand(table, name)}"]
    if table.mate(name) and table.side(name).next_commander == name:
        lines.append("command token")
    if player.play:
        lines.append(f"played: {_whole(table.title(card) for card in player.play)}")
    return _of_person(table, name, cards.name_of(table, name), lines)


def _of_person(table: Table, name: str, title: str, lines: list[str]) -> Panel:
    """An undo may show it to another person: of what this one alone knows, it tells how many there are."""
    if table.state.bot:
        return Panel(title, tuple(lines))
    player = table.state.players[name]
    hand = "at the table" if table.kept_at_table(name) else counted(len(player.hand), "card")
    known = {"hand": f"hand: {hand}", "out": f"out: {cards.size(player.removed)}"}
    return Panel(title, tuple(lines), lying=tuple(known.get(one.partition(":")[0], one) for one in lines))


def _hand(table: Table, name: str) -> str:
    """The hand, but not another person's."""
    if table.kept_at_table(name):
        return "at the table"
    if not _is_looking(table, name):
        return counted(len(table.state.players[name].hand), "card")
    return _listed(table, cards.in_hand(table, name))


def _is_looking(table: Table, name: str) -> bool:
    """Whether the screen is that player's: the only person's, else whose turn it is."""
    if table.state.bot is None:
        return table.state.turn == name
    return not table.is_bot(name)


def _tiles(table: Table) -> Panel:
    return Panel("Tiles", tuple(_tile(table, tile) for tile in table.ground.tiles))


def _tile(table: Table, tile: str) -> str:
    printed = table.ground.tiles[tile]
    words = [f"{tile:>3} c{printed.cover}{'h' if printed.hill else ''}"]
    words += [f"*{table.value(tile)}"] if table.value(tile) else []
    for side, one in table.state.sides.items():
        marker = one.markers.get(tile)
        words += [side.upper() if marker is Marker.CONTROLLED else side] if marker else []
        words += [_counter(table, counter) for counter in table.lying(side, tile)]
        words += [f"{side} target"] * (one.target == tile)
    words += ["structure"] * (tile in table.state.structures)
    words += ["no vehicles"] * (tile in table.state.no_vehicles)
    return " ".join(words)


def _counter(table: Table, counter: Counter) -> str:
    """A counter in a few letters, a vehicle with those in it: "us:Ri-a", "it:MT(TC-a)"."""
    words = f"{counter.side}:{_short(table, counter)}"
    if table.type(counter.unit).seats:
        words += f"({' '.join(_short(table, one) for one in table.occupants(counter))})"
    return words + " damaged" * counter.disabled


def _short(table: Table, counter: Counter) -> str:
    """What the title begins with, "!" if suppressed, a dot for each marker on it."""
    title, squad = table.type(counter.unit).title.split(), squad_of(counter.unit)
    letters = title[0][:2] if len(title) == 1 else "".join(word[0] for word in title)
    return f"{letters}{f'-{squad}' * bool(squad)}{'!' * counter.suppressed}{'.' * counter.hits}"


def _mines(table: Table) -> Iterator[str]:
    """Those on one edge in one line, from whichever side they were laid."""
    edges: dict[frozenset[str], list[Mine]] = {}
    for mine in table.state.mines:
        edges.setdefault(frozenset(mine.between), []).append(mine)
    for mines in edges.values():
        yield f"{'-'.join(mines[0].between)} {', '.join(mine.face for mine in mines)}"


def _signs(table: Table) -> Panel:
    """What stands for what on the tiles."""
    side = next(iter(table.state.sides))
    lines = [
        "c2: cover 2, h: hill, *3: worth 3 points",
        f"{side}: scouted, {side.upper()}: controlled",
        f"{side}:Ri-a: Rifleman A, !: suppressed",
        "each dot: a control marker on the unit",
    ]
    if any(table.type(unit).seats for each in table.state.sides.values() for unit in each.counters):
        lines.append("in brackets: who is in the vehicle")
    if units := table.stand_in_units():
        lines.append(f"stand-ins: {', '.join(units)}")
    return Panel("Signs", tuple(lines))


def _cards(table: Table, name: str) -> Panel:
    """A player's piles; of another's removed cards only how many (UND-324)."""
    player = table.state.players[name]
    side = table.side(name)
    bot = table.bot(player.side)
    in_deck = cards.size(player.deck) - len(table.unseen(name))
    where = "hand, deck and discard" if table.kept_at_table(name) else "deck"
    lines = [f"{where} {in_deck}, Fog of War in supply {side.fog}"]
    if player.side == table.scenario.mines:
        lines.append(f"mines in supply {side.mines}")
    if player.discard:
        lines.append(f"discard: {_listed(table, player.discard)}")
    if player.supply:
        lines.append(f"supply: {_listed(table, player.supply)}")
    if player.removed:
        out = _listed(table, player.removed) if _is_looking(table, name) else cards.size(player.removed)
        lines.append(f"out: {out}")
    if bot:
        lines += [
            f"bolster {deck_title(deck)}: {counted(cards.size(pile), 'card')}"
            for deck, pile in bot.bolster.items()
        ]
    return _of_person(table, name, cards.of_whom(table, "cards", name), lines)


def _listed(table: Table, pile: dict[str, int]) -> str:
    words = (
        f"{count} {table.title(card)}" if count > 1 else table.title(card) for card, count in pile.items()
    )
    return _whole(words) or "none"


def _whole(words: Iterable[str]) -> str:
    """A list whose lines do not break within a card."""
    return ", ".join(word.replace(" ", BOUND) for word in words)
