"""The table as one SVG picture."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from textwrap import wrap

from companion.engine.svg import picture
from companion.games.okinawa import rondel
from companion.games.okinawa.board import aim_text, enemy_text
from companion.games.okinawa.state import FIRST_POST, FULL_HEALTH, Space
from companion.games.okinawa.table import Table, place_name

WIDE, HIGH, GAP = 150, 88, 8
LEFT, TOP = 12, 46
LETTERS = 26  # of the small kind, that fit across a card
FITTING = {"small": LETTERS, "": 21, "head": 18}  # and of each kind; a longer line is squeezed
_STYLE = """
svg { color: #222; font: 12px system-ui, sans-serif } text { fill: currentColor }
.small { font-size: 10px } .card { fill: none; stroke: currentColor }
.enemy { fill: #c9402f22; stroke: #c9402f }
.free { fill: none; stroke: #8886; stroke-dasharray: 4 }
.down { fill: #8884; stroke: #888 } .pawn { fill: #2f6fc9 } .hit { fill: #c9402f } .head { font-weight: 600 }
@media (prefers-color-scheme: dark) { svg { color: #ddd } }
"""


def svg(table: Table) -> str:
    """The Battlefield as a picture, light and dark, with nothing outside itself."""
    width, height = LEFT * 2 + 5 * (WIDE + GAP), TOP + 3 * (HIGH + GAP) + 60
    name = table.objective.name if table.state.objective else "Set-up"
    head = f"{name}: flag {table.state.flag}, turn {table.state.turn}"
    parts = (_text(LEFT, 20, head, "head"), *_parts(table, height))
    return picture(head, f"0 0 {width} {height}", _STYLE, parts)


def _parts(table: Table, height: int) -> Iterator[str]:
    state = table.state
    hearts = "♥" * state.health + "♡" * (FULL_HEALTH - state.health)
    held = [f"sandbags {state.sandbags}", f"adjust {state.adjusts}", f"re-roll {state.rerolls}"]
    held += [f"reposition {state.repositions}"] * (state.repositions > 0)
    held += map(table.token, state.tokens)
    dice = f"dice {' '.join(map(str, state.pool)) or '-'}, on Resupply {state.resupply_die or '-'}"
    yield _text(LEFT, 38, f"{hearts} {dice}; {', '.join(held)}" if table.refereed else hearts)
    for space in state.spaces:
        yield from _space(table, space)
    yield from _enemies(table)
    beside = [
        f"{place_name(place)}: {enemy_text(table, one)}"
        for place, one in table.exposed()
        if not place.isdigit()
    ]
    if beside:
        yield _text(LEFT, height - 34, "; ".join(beside))
    fallen = f"Fallback: cards {len(state.fallback)}, soldiers {len(state.fallback_soldiers)}"
    yield _text(LEFT, height - 14, f"{fallen}. * stand-in card" if table.has_stand_ins() else fallen)


def _space(table: Table, space: Space) -> Iterator[str]:
    state, action = table.state, space.action
    x = LEFT + (rondel.column(space.number) - 1) * (WIDE + GAP)
    y = TOP if rondel.is_top(space.number) else TOP + 2 * (HIGH + GAP)
    yield _box(x, y, "card")
    yield _on_card(
        x, y + 18, f"{space.number} {table.action(action.card).name if action.card else ''}", "head"
    )
    if action.card:
        does = table.side_text(action).replace(" (stand-in)", "*")
        for line, words in enumerate(wrap(does, LETTERS)):
            yield _text(x + 8, y + 34 + 12 * line, words, "small")
    marks = ["veteran"] * action.veteran + ["rotated"] * action.rotated + ["suppressed"] * action.suppressed
    marks += [f"die {action.die}"] * bool(action.die) + ["mine"] * (space.number in state.mines)
    yield _on_card(x, y + 60, ", ".join(marks), "small")
    for index in range(state.strikes.count(space.number)):
        yield f'<circle class="hit" cx="{x + 16 + 16 * index}" cy="{y + 76}" r="6"/>'
    if state.pawn == space.number:
        yield f'<circle class="pawn" cx="{x + WIDE - 18}" cy="{y + 70}" r="11"/>'


def _enemies(table: Table) -> Iterator[str]:
    state = table.state
    y = TOP + HIGH + GAP
    yield _box(LEFT, y, "enemy" if state.soldiers else "down")
    yield _text(LEFT + 8, y + 18, "1 Soldiers", "head")
    yield _text(LEFT + 8, y + 36, state.soldiers.words)
    for index, stack in enumerate(state.row):
        x = LEFT + (index + 1) * (WIDE + GAP)
        if not stack:
            yield _box(x, y, "free")
            continue
        yield _box(x, y, "enemy" if stack[0].up else "down")
        yield _on_card(x, y + 18, f"{index + FIRST_POST} {table.look_of(stack[0])}", "head")
        if stack[0].up:
            words = enemy_text(table, stack[0]).removeprefix(table.look_of(stack[0])).strip()
            yield _on_card(x, y + 34, words)
            yield _on_card(x, y + 48, aim_text(table, str(index + FIRST_POST), stack[0]), "small")
        if len(stack) > 1:
            yield _text(x + 8, y + 76, f"{len(stack) - 1} under it")


def _box(x: int, y: int, look: str) -> str:
    return f'<rect class="{look}" x="{x}" y="{y}" width="{WIDE}" height="{HIGH}" rx="6"/>'


def _on_card(x: int, y: int, words: str, look: str = "") -> str:
    """A line on the card whose left side is at `x`, squeezed where it would run into the next card."""
    return _text(x + 8, y, words, look, WIDE - 16 if len(words) > FITTING[look] else 0)


def _text(x: int, y: int, words: str, look: str = "", width: int = 0) -> str:
    kind = f' class="{look}"' if look else ""
    squeezed = f' textLength="{width}" lengthAdjust="spacingAndGlyphs"' if width else ""
    return f'<text x="{x}" y="{y}"{kind}{squeezed}>{escape(words)}</text>'
