"""The full-screen terminal: the OLED's twin, the board beside it, the log below."""

from __future__ import annotations

import signal
from collections.abc import Sequence
from contextlib import ExitStack
from itertools import accumulate, zip_longest
from typing import NamedTuple, Self

from rich.cells import set_cell_size
from rich.console import Console as Terminal
from rich.console import Group, RenderableType
from rich.layout import Layout
from rich.live import Live
from rich.panel import Panel
from rich.table import Table as Grid
from rich.text import Text

from companion.engine.asks import AnyAsk, Choose, Draw, Number, Option, Pick, Roll, Show
from companion.engine.errors import BadAnswer, StaleAnswer
from companion.engine.game import Panel as Section
from companion.screens.console import Console, ending
from companion.screens.screen import COLUMNS, ROWS, Screen, Style, narrowed
from companion.screens.views import wanted
from companion.table.by_line import line_for
from companion.table.die_picture import die_picture
from companion.table.events import Changed, Closed, Events, Typed
from companion.table.keys import (
    keyboard,
    line_ended_in_order,
    stop_here,
    stopped_in_order,
    undisturbed,
    uninterrupted,
)
from companion.table.lines import dice_lines, hints, numbered
from companion.table.table import Table
from companion.table.typed import assignment
from companion.wording import fitted

HELP = "arrows, Enter  Backspace back  0-9 pick  ? why  m menu  r redo  = set  q quit"

NARROW_HELP = "Enter  ? why  m menu  q quit"
"""Where the other has no room: the menu has the rest."""

SUSPEND = "\x1a"
"""Ctrl-Z, which comes as a signal."""

KEYS = 9
"""Options that a single digit can choose."""

NARROWEST = 25
"""Columns of the board's narrowest column of text; with less room, the last panels are in the menu alone."""

MORE_OF_BOARD = "more: Board in the menu"

LEAST = (max(COLUMNS + 4, len(NARROW_HELP)), ROWS + 3)
"""Columns and lines of the box's screen in its frame, with the keys in a line below it."""

_FRAMES = 8  # columns of the frames round the box's screen and the board
_FRAMED = 3  # lines of a frame with one of text in it
_GAP = 2  # columns between two columns of text
_WORTH_IT = 20  # columns of a wider one that still say something


class _Asked(NamedTuple):
    """The lines of what is asked, those of each option, and which of them the bar stands on."""

    text: list[str]
    options: list[list[Text]]
    at: int | None

    def whole(self, columns: int, room: int) -> list[Text] | None:
        """All of it, options side by side if need be; None where there is no room for it."""
        lines = abreast(self.options, columns, room - len(self.text))
        return None if lines is None else [*map(Text, self.text), *lines]


class TerminalDisplay:
    """Draws console, board and log with rich."""

    def __init__(self, table: Table, live: Live) -> None:
        self._table = table
        self._live = live

    def draw(self, console: Console) -> None:
        self._live.update(self._layout(console), refresh=True)

    def _layout(self, console: Console) -> RenderableType:
        """The box's screen and what is asked; beside them the board and the log, where there is room.

        What is asked alone, where the box's screen has none.
        """
        width, height = self._live.console.size
        if not has_room(width, height):
            return self._alone(console, width, height)
        wide = width >= COLUMNS + _FRAMES + _WORTH_IT
        top = max(ROWS + 2, min(height * 2 // 3, height - 9) if wide else 0)
        layout = Layout()
        layout.split_column(Layout(name="top", size=top), Layout(name="below"), Layout(name="foot", size=1))
        twin = self._twin(console.screen())
        half, room = max(1, width // 2 - 4), height - top - 3
        asked = self._asked(console, half)
        beside = wide and (not asked.options or asked.whole(half, room) is not None)
        text, sign = self._now(console, half if beside else max(1, width - 4), room)
        now = Panel(text, title="now", title_align="left", border_style="cyan")
        now.subtitle, now.subtitle_align = sign or None, "right"
        keys = HELP if width >= len(HELP) else NARROW_HELP
        layout["below"].visible = height - top > _FRAMED
        layout["foot"].update(Text(keys, style="dim", no_wrap=True))
        if not wide:
            layout["top"].update(twin)
            layout["below"].update(now)
            return layout
        board = self._picture(console, top - 2) or self._board(top - 2, width - COLUMNS - _FRAMES)
        log = Panel(self._log_text(height - top), title="log", title_align="left", border_style="dim")
        layout["top"].split_row(Layout(twin, size=COLUMNS + 4), Layout(board))
        layout["below"].split_row(Layout(now), Layout(log, visible=beside))
        return layout

    def _alone(self, console: Console, columns: int, height: int) -> Text:
        """What is asked; below it the dice or the number so far, else what there is more of."""
        below = console.so_far(columns)
        text, sign = self._now(console, columns, height - len(below))
        if sign and not below and height > 1:
            text, sign = self._now(console, columns, height - 1)
            below = [sign]
        return Text("\n").join([text, *map(Text, below)])

    def _now(self, console: Console, columns: int, height: int) -> tuple[Text, str]:
        """The open ask, its options numbered as the keys 1 to 9 choose them, so far as there is room.

        Or the menu or page that lies over it, which has more room here than on the box's screen; no digit
        chooses there. And what there is more of.
        """
        asked = self._asked(console, columns)
        if (whole := asked.whole(columns, height)) is not None:
            return Text("\n").join(whole), ""
        text, options, at = asked
        turned = 0 if self._table.notice else console.turned  # the next press takes the notice away
        above, sign = fitting(text, height - min(sum(map(len, options)), 3), turned)
        focus = [len(lines) for lines in options[: None if at is None else at + 1]]
        lines = [line for parts in options for line in parts]
        below, more = around(lines, sum(focus[:-1]), sum(focus), height - len(above))
        return Text("\n").join([*map(Text, above), *below]), ", ".join(filter(None, (sign, more)))

    def _asked(self, console: Console, columns: int) -> _Asked:
        over = console.page(columns)
        question = over or console.ask
        if question is None:
            return _Asked(ending(self._table.outcome).splitlines(), [], None)
        notice = [f"* {self._table.notice}"] if self._table.notice else []
        said = [*notice, *question.text.splitlines(), *question.detail.splitlines()]
        answers = offered(question, console.kept, console.picked, KEYS if over is None else 0)
        text = [part for line in said for part in _wrapped(line, columns)]
        options = [_wrapped(line, columns) for line in answers]
        if isinstance(question, Show):
            return _Asked([*text, *(part for line in options for part in line)], [], None)
        at = place_of_bar(question, console)
        styles = ["bold" if place == at else "" for place in range(len(options))]
        shown = [[Text(line, style) for line in one] for one, style in zip(options, styles, strict=True)]
        return _Asked(text, shown, at)

    def _twin(self, screen: Screen) -> RenderableType:
        rows = [Text(set_cell_size(screen.title, COLUMNS - 2) + screen.marks, style="bold")]
        for row in screen.rows:
            style = "reverse" if row.style is Style.BAR else ""
            rows.append(Text(set_cell_size(row.text, COLUMNS), style))
        rows += [Text("")] * (ROWS - 1 - len(rows))
        rows.append(Text(screen.foot, style="dim"))
        return Panel(Group(*rows), border_style="cyan", height=ROWS + 2, padding=(0, 0, 0, 1))

    def _picture(self, console: Console, height: int) -> RenderableType | None:
        """What is asked about as the reader saw it, in the place of the board: a die, or which of many."""
        seen = self._table.in_view
        if seen is None:
            return None
        many = next((at for at, others in enumerate(seen.others) if others and at not in seen.doubtful), None)
        die, title = (many, "these?") if console.die is None else (console.die, f"die {console.die + 1}")
        picture = None if die is None else die_picture(seen, die, 2 * height)
        return picture and Panel(picture, title=title, border_style="yellow")

    def _board(self, height: int, room: int) -> RenderableType:
        """The board's panels in columns of `height` lines; lines wrap if not all has room, maps never."""
        board = self._table.board()
        whole = any(map(_is_map, board.panels))
        for many in range(1, max(1, room // NARROWEST) + 1):
            wrapped = room // many - 3
            sections = [_section(panel, None if _is_map(panel) else wrapped) for panel in board.panels]
            columns = in_columns(sections, height, whole=whole)
            shown = side_by_side(columns, room)
            if _is_all(shown, columns):
                break
        grid = Grid.grid(padding=(0, _GAP))
        for _, width in shown:
            grid.add_column(no_wrap=True, overflow="crop", width=width)
        grid.add_row(*(Text("\n").join(lines) for lines, _ in shown))
        sign = None if _is_all(shown, columns) else MORE_OF_BOARD
        title = Text(board.title, overflow="ellipsis")
        return Panel(grid, title=title, subtitle=sign, subtitle_align="right", border_style="green")

    def _log_text(self, height: int) -> Text:
        return Text("\n".join(self._table.log(height)), overflow="ellipsis", no_wrap=True)


def has_room(width: int, height: int) -> bool:
    """Whether the box's screen can be shown in a terminal of that size; plain lines need less."""
    return width >= LEAST[0] and height >= LEAST[1]


def offered(
    question: AnyAsk, kept: Sequence[str] | None = None, picked: Sequence[str] = (), keys: int = KEYS
) -> list[str]:
    """The options of an ask, numbered as the digits choose them, and how several are handed in."""
    match question:
        case Draw(options=options) if kept:
            return [*_marked(options, picked), f"  (Enter: {question.label(kept)}, as drawn before)"]
        case Choose(options=options) | Draw(options=options, count=1):
            return numbered(options, keys)
        case Pick(options=options, least=least, most=most):
            return [*_marked(options, picked), f"  Done: {len(picked)} of {wanted(least, most)} (Enter here)"]
        case Number(least=least, most=most):
            return [f"  ({least} to {most}, then Enter)"]
        case Draw(options=options, count=count):
            return [*_marked(options, picked), f"  ({len(picked)} of {count}, then Enter)"]
        case Roll(dice=dice):
            return dice_lines(dice) + ([f"  (Enter: {' '.join(kept)}, as they lie)"] if kept else [])
    return hints(question)


def _marked(options: Sequence[Option], picked: Sequence[str]) -> list[str]:
    """Options with a mark each time that they are picked."""
    lines = zip(numbered(options, KEYS), options, strict=True)
    return [line + " [x]" * picked.count(option.id) for line, option in lines]


def fitting(lines: list[str], room: int, turned: float) -> tuple[list[str], str]:
    """The lines there is room for, so far `turned` from the first to the last, and a word of the rest."""
    room = max(1, room)
    start = round(turned * max(0, len(lines) - room))
    marks = "^" * (start > 0) + "v" * (start + room < len(lines))
    return lines[start : start + room], marks and f"{marks} more text"


def place_of_bar(question: AnyAsk, console: Console) -> int | None:
    """Which of what is offered the bar stands on: an option, or the dice of a roll that have the next one."""
    if not isinstance(question, Roll) or console.die is None:
        return console.at
    ends = accumulate(one.count for one in question.dice)
    return next(at for at, end in enumerate(ends) if console.die < end)


def around(lines: Sequence[Text], first: int, end: int, room: int) -> tuple[list[Text], str]:
    """The lines there is room for, from `first` to before `end` among them, and a word of the rest."""
    room = max(1, room)
    start = max(0, min(first, end + 1 - room, len(lines) - room))
    marks = "^" * (start > 0) + "v" * (start + room < len(lines))
    return [*lines[start : start + room]], marks and f"{marks} more options"


def abreast(options: Sequence[Sequence[Text]], columns: int, room: int) -> list[Text] | None:
    """Options below each other, else side by side; None where there is no room for all of them."""
    lines = [line for parts in options for line in parts]
    if len(lines) <= room:
        return lines
    if len(lines) > len(options) or room < 1:
        return None
    for rows in range(room, 0, -1):
        parts = [lines[at : at + rows] for at in range(0, len(lines), rows)]
        widths = [max(line.cell_len for line in part) for part in parts]
        if sum(widths) + _GAP * (len(parts) - 1) <= columns:
            return [_row(cells, widths) for cells in zip_longest(*parts, fillvalue=Text())]
    return None


def _row(cells: Sequence[Text], widths: Sequence[int]) -> Text:
    row = Text()
    for cell, width in zip(cells, widths, strict=True):
        row.append_text(cell).append(" " * (width - cell.cell_len + _GAP))
    row.rstrip()
    return row


def _section(panel: Section, columns: int | None) -> list[Text]:
    """A panel's title and lines, wrapped to so many columns unless it is a drawing."""
    lines = [line for long in panel.lines for line in (_wrapped(long, columns) if columns else [long])]
    return [Text(panel.title, style="bold green"), *map(Text, lines)]


def _is_map(panel: Section) -> bool:
    """Whether its lines stand below each other for a reason."""
    return any("   " in line.strip() for line in panel.lines)


def _wrapped(line: str, columns: int) -> list[str]:
    return narrowed(fitted(line, columns).split("\n"), columns)


def in_columns(sections: Sequence[list[Text]], height: int, *, whole: bool) -> list[list[Text]]:
    """Lines below each other in columns, a title never the last; a `whole` section is not broken if possible.

    It goes below the first that it has room with: what comes last must not be lost beside empty columns.
    """
    columns: list[list[Text]] = [[]]
    for section in sections:
        if whole:
            roomy = (column for column in columns if len(column) + len(section) <= height)
            if (column := next(roomy, None)) is not None:
                column += section
                continue
            columns.append([])
        for at, line in enumerate(section):
            is_title = at == 0 and len(section) > 1
            if height - len(columns[-1]) < (2 if is_title else 1):
                columns.append([])
            columns[-1].append(line)
    return [column for column in columns if column]


def side_by_side(columns: Sequence[list[Text]], room: int) -> list[tuple[list[Text], int]]:
    """The columns there is room for, and how wide each is; the first that is too wide is cut, if worth it."""
    shown: list[tuple[list[Text], int]] = []
    for lines in columns:
        width = max((line.cell_len for line in lines), default=0)
        if room < min(width, _WORTH_IT):
            break
        shown.append((lines, min(width, room)))
        room -= width + _GAP
    return shown


def _is_all(shown: Sequence[tuple[list[Text], int]], columns: Sequence[list[Text]]) -> bool:
    """Whether there was room for all columns in their whole width."""
    return len(shown) == len(columns) and all(
        line.cell_len <= width for lines, width in shown for line in lines
    )


class TerminalFront:
    """Keyboard and screen of one terminal, and the keys that are no buttons.

    Digits choose an option, name a die's face or a card, or write a number, `=` sets a value of the state by
    hand, `r` redoes, `q` saves and leaves.
    """

    def __init__(self, table: Table, events: Events) -> None:
        self._table = table
        self._events = events
        # That a screen can be drawn is known here; rich would ask the environment, and draw none in silence.
        terminal = Terminal(force_terminal=True, force_interactive=True)
        self._live = Live(console=terminal, screen=True, auto_refresh=False)
        self._held = ExitStack()
        self._screen = ExitStack()
        self.display = TerminalDisplay(table, self._live)

    def __enter__(self) -> Self:
        with ExitStack() as if_refused:
            if_refused.enter_context(stopped_in_order(self._events))
            if_refused.callback(self._give_back)
            self._take()
            self._held = if_refused.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        self._held.close()

    def _take(self) -> None:
        """Draw on the terminal and read its keys."""
        with uninterrupted(), ExitStack() as if_refused:
            signal.signal(signal.SIGWINCH, lambda *_: self._events.put(Changed()))
            signal.signal(signal.SIGTSTP, lambda *_: self._events.put(Typed(SUSPEND)))
            if_refused.enter_context(undisturbed())
            if_refused.enter_context(keyboard(self._events))
            if_refused.callback(self._live.stop)
            self._live.start()
            self._screen = if_refused.pop_all()

    def _give_back(self) -> None:
        """Leave the terminal as it was."""
        with uninterrupted():
            self._screen.close()
            signal.signal(signal.SIGWINCH, signal.SIG_DFL)
            signal.signal(signal.SIGTSTP, signal.SIG_DFL)

    def typed(self, key: str, console: Console) -> None:
        """A key that is no button, as the console stood when it came."""
        if key == "q":
            self._events.put(Closed())
        elif key == "r":
            with self._table.still_at(console.n):
                self._table.redo()
        elif key == "=":
            self._override()
        elif key == SUSPEND:
            self._suspend()
        elif key.isdecimal():
            self._number(key, console)

    def _number(self, key: str, console: Console) -> None:
        """A digit: an option or the card by its place; else the console knows what it says, or `BadAnswer`.

        Below the menu, or what came from it, nothing is answered unseen.
        """
        place = int(key) - 1
        match None if console.covered else console.ask:
            case Choose(options=options) if 0 <= place < len(options):
                self._table.answer(console.n, options[place].id)
            case Draw(options=options, count=1) if 0 <= place < len(options):
                self._table.answer(console.n, [options[place].id])
            case _ if not console.say(key):
                raise BadAnswer(f"{key} means nothing here")

    def _suspend(self) -> None:
        """Stop; the screen is back when the game goes on."""
        stop_here(self._give_back)
        self._take()

    def _override(self) -> None:
        """Ask for a line on the ordinary screen, below what can be set; no phone waits for it."""
        with self._table.lock:
            n, state = self._table.n, self._table.state
        self._give_back()
        text = ""
        try:
            with line_ended_in_order(self._events):
                text = line_for(state, self._live.console)
        except (EOFError, UnicodeDecodeError):
            pass
        except SystemError:  # two orders to stop at once, of which neither may have been heard
            self._events.put(Closed())
        self._take()
        if text:
            path, value = assignment(text)
            try:
                with self._table.still_at(n):
                    self._table.override(path, value)
            except StaleAnswer as error:
                raise BadAnswer(f"the table has moved on: look at {path} before you set it again") from error
