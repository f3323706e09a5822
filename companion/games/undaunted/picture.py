"""The table as one SVG picture, light and dark."""

from __future__ import annotations

from html import escape

from companion.engine.svg import picture
from companion.games.undaunted.pack import FACTIONS, squad_of
from companion.games.undaunted.state import Counter, Marker, MineSide
from companion.games.undaunted.table import Table

SIDE = 132
HEIGHT = 96
HALF = HEIGHT // 2
ROW = 13
MARGIN = 12
HEAD = 34

_MINES = {MineSide.PERSONNEL: "✹P", MineSide.ARMOUR: "✹A"}

_STYLE = """
svg { color: #1c1c1c; --paper: #f4f1e8; --first: #3f6b3a; --second: #6a6f78; --gold: #b07a00; }
@media (prefers-color-scheme: dark) {
  svg { color: #ececec; --paper: #23262b; --first: #8fce86; --second: #b9c0cc; --gold: #f2c14e; }
}
rect.tile { fill: var(--paper); stroke: currentColor; stroke-width: 1.5; }
text { fill: currentColor; font: 12px sans-serif; }
.name { font-weight: bold; }
.points { fill: var(--gold); font-weight: bold; }
.first { fill: var(--first); }
.second { fill: var(--second); }
.mine { fill: #c0392b; font-weight: bold; }
"""


def svg(table: Table) -> str:
    """Tiles where they lie, with cover, points (★), flags of control and counters.

    ↓ is suppressed, ✗ damaged, └ sits in the vehicle above, ✹P an anti-personnel mine, ✹A an anti-armour one.
    """
    places = {tile: _corner(table, tile) for tile in table.ground.tiles}
    left = min((x for x, _ in places.values()), default=0)
    top = min((y for _, y in places.values()), default=0)
    width = max((x for x, _ in places.values()), default=0) - left + SIDE + 2 * MARGIN
    height = max((y for _, y in places.values()), default=0) - top + HEIGHT + 2 * MARGIN + HEAD
    body = [_tile(table, tile, x - left + MARGIN, y - top + MARGIN + HEAD) for tile, (x, y) in places.items()]
    mined = dict.fromkeys(frozenset(mine.between) for mine in table.state.mines)
    body += [_mines(table, edge, left - MARGIN, top - MARGIN - HEAD) for edge in mined]
    score = ", ".join(f"{FACTIONS.get(side, side)} {table.points(side)}" for side in table.state.sides)
    head = f"{table.scenario.title}, round {table.state.round}: {score}"
    return picture(head, f"0 0 {width} {height}", _STYLE, [_text(MARGIN, 22, "name", head), *body])


def _corner(table: Table, tile: str) -> tuple[int, int]:
    rank, half = table.ground.place[tile]
    return (half * SIDE // 2, rank * HEIGHT) if table.scenario.rows else (rank * SIDE, half * HALF)


def _tile(table: Table, tile: str, x: int, y: int) -> str:
    """Its name, cover and points; under them a column for each side."""
    printed = table.ground.tiles[tile]
    parts = [
        f'<rect class="tile" x="{x}" y="{y}" width="{SIDE}" height="{HEIGHT}"/>',
        _text(x + 6, y + 16, "name", f"{tile} cover {printed.cover}{' hill' if printed.hill else ''}"),
    ]
    if table.value(tile):
        parts.append(_text(x + SIDE - 26, y + 16, "points", f"★{table.value(tile)}"))
    columns = zip(("first", "second"), (x + 6, x + SIDE // 2 + 3), table.state.sides, strict=True)
    for colour, left, side in columns:
        words = _side(table, side, tile)
        parts += [_text(left, y + 32 + ROW * row, colour, word) for row, word in enumerate(words)]
    lying = ["structure"] * (tile in table.state.structures)
    lying += ["no vehicles"] * (tile in table.state.no_vehicles)
    if lying:
        parts.append(_text(x + 6, y + HEIGHT - 5, "lying", ", ".join(lying)))
    return "".join(parts)


def _side(table: Table, side: str, tile: str) -> list[str]:
    marker = table.marker(side, tile)
    flag = {Marker.CONTROLLED: f"⚑ {side.upper()}", Marker.SCOUTED: f"⚐ {side}"}
    words = [flag[marker]] if marker else []
    for counter in table.lying(side, tile):
        words.append(_counter(table, counter))
        words += [f"└ {_counter(table, one)}" for one in table.occupants(counter)]
    return words + ["◎ target"] * (table.state.sides[side].target == tile)


def _counter(table: Table, counter: Counter) -> str:
    """A few letters, an arrow while it is suppressed, the markers on it, a cross if it is damaged."""
    words = table.type(counter.unit).title.split()
    short = words[0][:5] if len(words) == 1 else "".join(word[0] for word in words)
    marks = "↓" * counter.suppressed + f"+{counter.hits}" * bool(counter.hits) + "✗" * counter.disabled
    return f"{short} {squad_of(counter.unit).upper()}{marks}".rstrip()


def _mines(table: Table, edge: frozenset[str], left: int, top: int) -> str:
    """The mines on one edge beside each other."""
    (ax, ay), (bx, by) = (_corner(table, tile) for tile in edge)
    x, y = (ax + bx + SIDE) // 2 - left, (ay + by + HEIGHT) // 2 - top
    words = [_MINES[mine.face] for mine in table.state.mines if edge == frozenset(mine.between)]
    return _text(x - 9 * len(words), y + 4, "mine", "".join(words))


def _text(x: int, y: int, name: str, words: str) -> str:
    return f'<text x="{x}" y="{y}" class="{name}">{escape(words)}</text>'
