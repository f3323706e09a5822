"""The beach as one SVG picture: Sectors in rows from the sea up, ways, Units."""

from __future__ import annotations

from html import escape

from companion.engine.packs import Source
from companion.engine.svg import picture
from companion.games.dday_dice.battle import Battle
from companion.games.dday_dice.state import Status

BOX_W, BOX_H, GAP_X, GAP_Y = 118, 62, 26, 40
STYLE = (
    "svg{color:#1b1f24;background:#fbf9f4;font:12px sans-serif}"
    ".box{fill:#efe6cf;stroke:currentColor}.shield{stroke-width:3}.bunker{fill:#d9d9d9}"
    ".way{stroke:currentColor;opacity:.45}.mines{stroke:#b00020;stroke-dasharray:5 4;opacity:.9}"
    ".barrier{stroke:#8a5a00;stroke-width:4;opacity:.8}.unit{fill:#1f5fa8}text{fill:currentColor}"
    ".on{fill:#fff;font-weight:bold}.cost{font-size:11px}"
    "@media(prefers-color-scheme:dark){svg{color:#e6e3da;background:#16181b}"
    ".box{fill:#2b2f36}.bunker{fill:#444a52}.unit{fill:#6fa8e8}.on{fill:#10141a}.mines{stroke:#ff6b7d}}"
)


def svg(battle: Battle) -> str:
    """One self-contained SVG; dark where the reader's screen is."""
    spots = _spots(battle)
    width = max(x for x, _ in spots.values()) + BOX_W + GAP_X
    height = max(y for _, y in spots.values()) + BOX_H + GAP_Y
    title = battle.field.title + (" (stand-in board)" if battle.stand_in else "")
    parts = [
        f'<text x="{GAP_X}" y="16">{escape(title)}{battle.which_turn}</text>',
        *_ways(battle, spots),
        *(_box(battle, name, spot) for name, spot in spots.items()),
    ]
    return picture(title, f"0 0 {width} {height + 20}", STYLE, parts)


def _spots(battle: Battle) -> dict[str, tuple[int, int]]:
    """Where each Sector's box is: the last row on top, each row centred."""
    rows: dict[tuple[str, int], list[str]] = {}
    for name, sector in battle.field.sectors.items():
        side = name[0] if battle.scenario.two_boards else ""
        rows.setdefault((side, sector.row), []).append(name)
    widest = max(len(names) for names in rows.values())
    sides = sorted({side for side, _ in rows})
    order = sorted(key for key in rows if key[0] == sides[0])
    if len(sides) > 1:
        order += sorted((key for key in rows if key[0] == sides[1]), reverse=True)
    spots = {}
    for level, key in enumerate(reversed(order)):
        names = rows[key]
        indent = (widest - len(names)) * (BOX_W + GAP_X) // 2
        for column, name in enumerate(names):
            spots[name] = (GAP_X + indent + column * (BOX_W + GAP_X), 30 + level * (BOX_H + GAP_Y))
    return spots


def _ways(battle: Battle, spots: dict[str, tuple[int, int]]) -> list[str]:
    lines = []
    for name, ways in battle.field.ways.items():
        for way in ways:
            if not way.advance and way.to < name:
                continue
            (x1, y1), (x2, y2) = (_middle(spots[one]) for one in (name, way.to))
            kind = "way" + (" mines" if way.mines else "") + (" barrier" if way.barrier else "")
            lines.append(f'<line class="{kind}" x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}"/>')
            if way.courage:
                # Nearer to where the way begins: in the middle it may cross another one.
                x, y = (3 * x1 + 2 * x2) // 5 + 4, (3 * y1 + 2 * y2) // 5 + 4
                lines.append(f'<text class="cost" x="{x}" y="{y}">{way.courage}</text>')
    return lines


def _middle(spot: tuple[int, int]) -> tuple[int, int]:
    return spot[0] + BOX_W // 2, spot[1] + BOX_H // 2


def _box(battle: Battle, name: str, spot: tuple[int, int]) -> str:
    x, y = spot
    place = battle.place(name)
    kind = "box" + (" shield" if place.shield else "") + (" bunker" if place.bunker else "")
    guns = f", guns {battle.guns(name)}" if battle.guns(name) else ""
    words = escape(f"DEF {'/'.join(map(str, battle.defences(name)))}{guns}")
    label = escape(battle.label(name)) + ("*" if place.source is Source.STAND_IN else "")
    there = (u for u in battle.state.units if u.sector == name and u.status is not Status.LOST)
    units = "".join(
        f'<circle class="unit" cx="{x + 16 + 24 * n}" cy="{y + 49}" r="10"/>'
        f'<text class="on" x="{x + 12 + 24 * n}" y="{y + 53}">{escape(unit.name)}</text>'
        for n, unit in enumerate(there)
    )
    size = f'width="{BOX_W}" height="{BOX_H}"'
    return (
        f"<g><title>{escape(battle.printed(name) or label)}</title>"
        f'<rect class="{kind}" x="{x}" y="{y}" {size} rx="6"/>'
        f'<text x="{x + 8}" y="{y + 17}">{label}</text>'
        f'<text x="{x + 8}" y="{y + 33}">{words}</text>{units}</g>'
    )
