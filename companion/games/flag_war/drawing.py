"""The battlefield as text of at most 40 columns, and as SVG."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from html import escape

from companion.engine.game import Board, Panel
from companion.engine.svg import picture
from companion.games.flag_war.pack import SEAT_NAMES, SEATS, Square, rescue_squares
from companion.games.flag_war.state import Player, captives, standing_on
from companion.games.flag_war.table import Table
from companion.games.flag_war.terrain import field_square, flag_square, main_square, prison

CELL = 20
_MARGIN = 1
COLOURS = {"N": "#c0392b", "E": "#2471a3", "S": "#1e8449", "W": "#b7950b"}
"""Ours: which four colours the published game has is not known (FLG-G03)."""

_STYLE = """
svg{color:#222;background:#fff}
.light{fill:#fff}.dark{fill:#ddd}
.space{stroke:currentColor;stroke-width:.5}
.ink{fill:currentColor}
.line{fill:none;stroke:currentColor}
text{font:9px sans-serif;text-anchor:middle}
.man{fill:#fff;font-weight:bold;font-size:8px}
@media (prefers-color-scheme:dark){svg{color:#ddd;background:#181818}.light{fill:#333}.dark{fill:#222}}
"""


def board(table: Table) -> Board:
    """Who holds which flags and prisoners, the main area, and each base, those that persons lead first.

    The main area comes last while none of their men is in it: a small terminal shows no more than one area.
    """
    war = table.war
    turn = f", turn {war.turn}: {SEAT_NAMES[war.on_turn]}" if war.on_turn else ""
    title = f"{table.terrain.ground.title} ({table.terrain.ground.source} board){turn}"
    seats = [
        seat
        for seat in SEATS
        if seat in war.armies or war.flags[seat] or _anyone(table, f"{seat}-", war.armies)
    ]
    led = [seat for seat in war.armies if war.armies[seat].player is Player.PERSON] or list(war.armies)
    seats.sort(key=lambda seat: seat not in led)
    bases = [_area(table, f"Base {SEAT_NAMES[seat]}", _base(table, seat), f"{seat}-") for seat in seats]
    main = _area(table, "Main area", _grid(table, table.terrain.ground.main, main_square, {}), "M")
    areas = [main, *bases] if _anyone(table, "M", led) else [*bases, main]
    return Board(title, (Panel("War", tuple(_standing(table))), *areas, _signs(table)))


def _area(table: Table, title: str, lines: Iterable[str], begins: str) -> Panel:
    """A map; where there is no room for it, who stands on which of the spaces whose names begin so."""
    here = {space for space in table.terrain.names if space.startswith(begins)}
    men = [
        f"{seat}{name} {man.at}"
        for seat, army in table.war.armies.items()
        for name, man in army.men.items()
        if man.at in here
    ]
    return Panel(title, tuple(lines), tuple(_in_pairs(men)) or ("nobody",), tuple(men))


def _signs(table: Table) -> Panel:
    """What stands for what on the board, and how its spaces are called."""
    kinds = [f"{kind}: {piece.name}" for kind, piece in table.pieces.items()]
    pairs = _in_pairs(kinds)
    ground = table.terrain.ground
    spaces = (
        "F23: field, row 2, column 3",
        f"I{ground.inner_road} to I1: inner road, from the flag",
        f"O1 to O{ground.outer_road}: outer road, from the field",
        "M45: main area, row 4, column 5",
    )
    of_maps = (
        "NP1: pawn 1 of North, NPP: two pawns",
        "@: access to the prison, o: bunker",
        ":: where a freed prisoner is put",
    )
    return Panel("Signs", (*pairs, *of_maps, *spaces), (*pairs, "NP1: pawn 1 of North", *spaces))


def _in_pairs(words: Sequence[str]) -> list[str]:
    return [", ".join(words[at : at + 2]) for at in range(0, len(words), 2)]


def _anyone(table: Table, area: str, seats: Iterable[str]) -> bool:
    """Whether soldiers of these armies stand on squares whose names begin so."""
    armies = table.war.armies
    return any(man.at.startswith(area) for seat in seats for man in armies[seat].men.values())


def _standing(table: Table) -> Iterator[str]:
    war = table.war
    if war.on_turn:
        dice = f", dice {' '.join(map(str, war.dice))}" if war.dice else ""
        yield f"Turn {war.turn}: {SEAT_NAMES[war.on_turn]}{dice}"
    for seat in SEATS:
        flags = " ".join(war.flags[seat]) or "-"
        if seat in war.armies:
            held = " ".join(f"{other}{name}" for other, name, _ in captives(war, seat)) or "-"
            yield f"{SEAT_NAMES[seat]} ({war.armies[seat].player}) flags {flags}"
            yield f"  prison {held}"
        elif war.flags[seat]:
            yield f"{SEAT_NAMES[seat]} (empty) flags {flags}"
    for seat, army in war.armies.items():
        for name, man in army.men.items():
            if man.flag:
                yield f"{seat}{name} carries the flag of {man.flag}"


def _sign(table: Table, space: str, empty: str = "  .") -> str:
    men = standing_on(table.war, space)
    if not men:
        return empty
    seat, name, _ = men[0]
    return f"{seat}{name}" if len(men) == 1 else f"{seat}{name[0]}{men[1][1][0]}"


def _grid(
    table: Table, size: Square, name: Callable[[Square], str], marks: Mapping[Square, str]
) -> Iterator[str]:
    """Rows and columns with their numbers; `marks` are the signs of squares that are no plain ones."""
    rows, cols = size
    yield "   " + " ".join(f"{col:>3}" for col in range(cols))
    for row in range(rows):
        signs = (_sign(table, name((row, col)), marks.get((row, col), "  .")) for col in range(cols))
        yield f"{row:>2} {' '.join(signs)}"


def _base(table: Table, seat: str) -> Iterator[str]:
    ground = table.terrain.ground
    flag = _sign(table, flag_square(seat)).strip()
    yield f"flag {flag}  inner road {_road(table, seat, 'I', range(ground.inner_road, 0, -1))}"
    marks = dict.fromkeys(rescue_squares(ground), "  :") | {ground.access: "  @"}
    yield from _grid(table, ground.field, partial(field_square, seat), marks)
    half = ground.outer_road // 2
    yield f"outer {_road(table, seat, 'O', range(1, half + 1))}"
    yield f"      {_road(table, seat, 'O', range(half + 1, ground.outer_road + 1))}"


def _road(table: Table, seat: str, letter: str, order: range) -> str:
    bunkers = table.terrain.ground.bunkers if letter == "O" else ()
    return " ".join(_sign(table, f"{seat}-{letter}{at}", "  o" if at in bunkers else "  .") for at in order)


def svg(table: Table) -> str:
    """The whole battlefield; bunkers are circles, access squares are marked, colours are ours.

    Men are named as on the board in text, NC1: two colours may look alike.
    """
    places = table.terrain.places
    left = min(x for x, _ in places.values()) - _MARGIN - 1
    top = min(y for _, y in places.values()) - _MARGIN - 1
    wide = max(x for x, _ in places.values()) + _MARGIN + 2 - left
    high = max(y for _, y in places.values()) + _MARGIN + 2 - top
    box = f"{left * CELL} {top * CELL} {wide * CELL} {high * CELL}"
    title = f"{table.terrain.ground.title} ({table.terrain.ground.source})"
    parts = [_space(table, name) for name in table.terrain.names]
    for seat in SEATS:
        parts += _flags(table, seat)
        parts += _prison(table, seat)
    for name in table.terrain.names:
        parts += _men(table, name)
    parts.append(f'<text class="ink" x="{(left + 5) * CELL}" y="{(top + 1) * CELL}">{escape(title)}</text>')
    return picture(title, box, _STYLE, parts)


def _space(table: Table, name: str) -> str:
    terrain = table.terrain
    x, y = terrain.places[name]
    bit = terrain.bit[name]
    even = terrain.roads & bit or name in terrain.flag_squares or _even(name)
    shape = (
        f'<rect class="space {"light" if even else "dark"}" x="{x * CELL}" y="{y * CELL}" '
        f'width="{CELL}" height="{CELL}"><title>{name}</title></rect>'
    )
    middle = f'cx="{x * CELL + CELL // 2}" cy="{y * CELL + CELL // 2}"'
    if terrain.bunkers & bit:
        shape += f'<circle class="line" {middle} r="{CELL * 0.45:.0f}"/>'
    if name in terrain.access.values():
        shape += f'<circle class="ink" {middle} r="2"/>'
    if name in terrain.flag_squares:
        colour = COLOURS[terrain.flag_squares[name]]
        shape += (
            f'<rect x="{x * CELL + 1}" y="{y * CELL + 1}" width="{CELL - 2}" height="{CELL - 2}" '
            f'fill="none" stroke="{colour}" stroke-width="2"/>'
        )
    return shape


def _even(name: str) -> bool:
    """Light squares of a grid, by row and column (FLG-R02)."""
    return (int(name[-2]) + int(name[-1])) % 2 == 0


def _flags(table: Table, seat: str) -> Iterator[str]:
    x, y = table.terrain.places[flag_square(seat)]
    for number, flag in enumerate(table.war.flags[seat]):
        at = x * CELL + number * 5 + 1
        yield f'<path d="M{at} {y * CELL + 9}v-8l5 3l-5 3z" fill="{COLOURS[flag]}" stroke="currentColor"/>'


def _prison(table: Table, seat: str) -> Iterator[str]:
    """The box beside the access square, with the number of its prisoners."""
    if seat not in table.war.armies:
        return
    terrain = table.terrain
    x, y = terrain.places[terrain.access[seat]]
    around = [terrain.places[square] for square in terrain.rescue[seat]]
    px, py = 4 * x - sum(at for at, _ in around), 4 * y - sum(at for _, at in around)
    held = sum(1 for _ in captives(table.war, seat))
    yield (
        f'<rect class="line" x="{px * CELL}" y="{py * CELL}" width="{CELL}" height="{CELL}" '
        f'stroke-dasharray="3"><title>{prison(seat)}</title></rect>'
        f'<text class="ink" x="{px * CELL + CELL // 2}" y="{py * CELL + 13}">{held}</text>'
    )


def _men(table: Table, space: str) -> Iterator[str]:
    """Who stands there; the names of two lie over both of them."""
    names = []
    men = standing_on(table.war, space)
    x, y = table.terrain.places[space]
    for number, (seat, name, man) in enumerate(men):
        shift = 0 if len(men) == 1 else (-4 if number == 0 else 4)
        cx, cy = x * CELL + CELL // 2 + shift, y * CELL + CELL // 2 + shift
        yield (
            f'<circle cx="{cx}" cy="{cy}" r="8" fill="{COLOURS[seat]}" stroke="currentColor">'
            f"<title>{SEAT_NAMES[seat]} {name}</title></circle>"
        )
        names.append(
            f'<text class="man" x="{cx}" y="{cy + 3}" textLength="14" lengthAdjust="spacingAndGlyphs">'
            f"{seat}{name}</text>"
        )
        if man.flag:
            yield f'<path d="M{cx} {cy - 5}v-8l6 3l-6 3z" fill="{COLOURS[man.flag]}" stroke="currentColor"/>'
    yield from names
