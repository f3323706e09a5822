"""R19: every prompt of every game, with its longest texts, on 21 columns and 8 rows: it wraps or scrolls."""

from __future__ import annotations

from functools import cache
from random import Random
from types import SimpleNamespace
from typing import TYPE_CHECKING, cast

import pytest
from rich.live import Live

from companion.engine.asks import AnyAsk, Number, Roll, Show
from companion.engine.autoplay import at_random, steps
from companion.engine.errors import BadInput
from companion.games import load, names
from companion.screens.console import Console
from companion.screens.intents import Button
from companion.screens.screen import COLUMNS, ROWS, Style
from companion.table import terminal
from companion.table.menu import OneQuestion
from companion.table.oled_front import panel_screen
from hardware.drawing import draw
from hardware.font import load as font
from tests.games.driver import setup

if TYPE_CHECKING:
    from companion.table.table import Table

GAMES = 2
MOST_ASKS = 1500


@cache
def prompts(name: str) -> tuple[AnyAsk, ...]:
    """The distinct prompts of some random games, every scenario once; the longest of each key and kind."""
    game = load(name)
    found: dict[tuple[object, ...], AnyAsk] = {}
    scenarios = game.scenarios(setup(game).pack) or ("",)
    for number, scenario in enumerate([*scenarios, *scenarios[:1] * GAMES]):
        try:
            play = game.start(setup(game, scenario))
        except BadInput:
            continue  # not for one player, or printed data that only its owner has
        rng = Random(number)
        for count, step in enumerate(steps(play, lambda ask, rng=rng: at_random(ask, rng), number)):
            options = getattr(step.ask, "options", ())
            mark = (step.ask.key, step.ask.text, step.ask.detail, len(options))
            found.setdefault(mark, step.ask)
            if count >= MOST_ASKS:
                break
    return tuple(found.values())


def everything_shown(console: Console, *, dice: bool) -> tuple[set[str], set[str]]:
    """All lines that a console has to show of its prompt, and those that a person sees.

    Down moves through options and text; among dice OK goes to the next one, and one that nobody has said
    yet is shown when the cursor comes to it.
    """
    wanted, seen = set[str](), set[str]()
    before = set[tuple[str, ...]]()
    for _ in range(600):
        screen = console.screen()
        rows = tuple(row.text for row in screen.rows)
        seen.update(rows)
        lines = console._shown.lines(COLUMNS)
        wanted.update(line.text for line in lines if line.focus or not dice or line.style is Style.TEXT)
        state = (*rows, str([row.style for row in screen.rows]), str(console._top))
        if state in before:
            break
        before.add(state)
        console.press(Button.OK if dice else Button.DOWN)
    return wanted, seen


@pytest.mark.parametrize("name", names())
def test_every_line_of_every_prompt_can_be_brought_onto_the_display(name: str) -> None:
    hidden = {}
    for ask in prompts(name):
        wanted, seen = everything_shown(Console(OneQuestion(ask, name, "")), dice=isinstance(ask, Roll))
        if wanted - seen:
            hidden[ask.key] = sorted(wanted - seen)[:3]
    assert hidden == {}


@pytest.mark.parametrize("name", names())
def test_every_prompt_can_be_turned_back_to_its_start_before_it_is_answered(name: str) -> None:
    stuck = set[str]()
    for ask in prompts(name):
        console = Console(OneQuestion(ask, name, ""))
        while console._focus()[1] >= console._top + ROWS - 2:
            console.press(Button.OK)
        for _ in range(100 * console.screen().above):
            console.press(Button.BACK if isinstance(ask, Roll | Number) else Button.UP)
            if not console.screen().above:
                break
        if console.screen().above or console.covered:
            stuck.add(ask.key)
    assert stuck == set()


@pytest.mark.parametrize("name", names())
def test_who_reads_what_is_asked_beside_the_small_screen_skips_no_line_of_it(name: str) -> None:
    hidden = {}
    for ask in prompts(name):
        for columns in (36, 26)[: 1 + isinstance(ask, Show)]:  # of terminals with 80 columns and with 60
            wanted, seen = everything_beside(ask, columns)
            if wanted - seen:
                hidden[ask.key, columns] = sorted(wanted - seen)[:3]
    assert hidden == {}


def everything_beside(ask: AnyAsk, columns: int) -> tuple[set[str], set[str]]:
    """All lines of a prompt's text, and those that the full screen shows of it as its pages are turned."""
    table = cast("Table", SimpleNamespace(ask=ask, notice="", kept=None))
    display = terminal.TerminalDisplay(table, Live())
    console = Console(OneQuestion(ask, "", ""))
    wanted = {
        part for line in (ask.text, *ask.detail.splitlines()) for part in terminal._wrapped(line, columns)
    }
    seen, before = set[str](), set[str]()
    while wanted - seen and (state := f"{console.screen()} {console._top}") not in before:
        before.add(state)
        text, _ = display._now(console, columns, ROWS - 2)
        seen.update(text.plain.splitlines())
        console.press(Button.OK if isinstance(ask, Roll) else Button.DOWN)
    return wanted, seen


@pytest.mark.parametrize("name", names())
def test_no_line_is_wider_than_the_display_and_no_word_is_lost(name: str) -> None:
    for ask in prompts(name):
        console = Console(OneQuestion(ask, name, ""))
        lines = [line.text for line in console._shown.lines(COLUMNS)]
        assert all(len(line) <= COLUMNS for line in lines), ask.key
        shown = "".join("".join(lines).split())
        assert "".join(ask.text.split()) in shown, ask.key
        assert "".join(ask.detail.split()) in shown, ask.key


@pytest.mark.parametrize("name", names())
def test_every_prompt_is_drawn_with_letters_that_the_font_has(name: str) -> None:
    face = font("box6x8")
    missing = set[str]()
    for ask in prompts(name):
        screen = panel_screen(Console(OneQuestion(ask, name, "")).screen())
        assert len(screen.rows) == ROWS
        draw(screen, (128, 64))
        missing.update(character for row in screen.rows for character in row.text if character not in face)
        missing.update(
            character for character in ask.text + ask.detail if character not in face and character != "\n"
        )
        for option in getattr(ask, "options", ()):
            missing.update(character for character in option.label + option.detail if character not in face)
    assert missing == set()


@pytest.mark.parametrize(
    "text",
    [
        "short",
        "Not found: oled, buttons, camera, pad (companion doctor says more)",
        "abcdefghijklmnopqrstuvwxyz" * 2,
    ],
)
def test_a_long_notice_goes_by_in_parts(text: str) -> None:
    console = Console(OneQuestion(Show("box.test", "hello"), "test", text))
    parts = []
    for _ in range(60):
        parts.append(console.screen().foot)
        console.tick()
    assert max(map(len, parts)) <= COLUMNS
    assert "".join("".join(dict.fromkeys(parts)).replace("~", "").split()) == "".join(text.split())
