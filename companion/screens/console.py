"""What is on the screen, and what the buttons do to it: one for all displays and keys of a table."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Protocol

from companion.engine.asks import AnyAsk, Choose, Draw, Number, Option, Pick, Roll, Show
from companion.engine.game import Board, Outcome
from companion.screens.by_hand import ByHandView
from companion.screens.dice_views import DrawView, RollView
from companion.screens.intents import STEPS, Button, Intent, Override, Quit, Redo, Reply, Undo
from companion.screens.screen import COLUMNS, ROWS, Row, Screen, Style, WayIn, headline, in_turn, wrapped
from companion.screens.views import ChooseView, Line, NumberView, PickView, ShowView, View

UP_IS_MORE = (NumberView, RollView, ByHandView)
"""Views in which up is another value; text above those is turned back to by the back key."""

SHUT_DOWN = Choose("box.off", "Shut down?", options=(Option("no", "No"), Option("off", "Yes")))
"""Asked before a machine goes down: it is switched on again only by hand."""

LOGGED = 30
"""Lines of the log in the menu: who pressed too soon finds there what was told last."""

PUT_RIGHT = "Put the table right"
"""Above what lies otherwise since an undo or redo."""

PART = 3
"""Seconds that a part of a long title or foot stays."""


class Sight(Protocol):
    """What a console has to know of the table."""

    @property
    def n(self) -> int:
        """The number of the open ask."""

    @property
    def ask(self) -> AnyAsk | None:
        """The open ask, None after the end."""

    @property
    def kept(self) -> Sequence[str] | None:
        """Physical dice or cards that lie there already."""

    @property
    def outcome(self) -> Outcome | None:
        """The end, if it is reached."""

    @property
    def undoable(self) -> str:
        """What an undo would take back."""

    @property
    def redoable(self) -> str:
        """What a redo would take up."""

    @property
    def foot(self) -> str:
        """Dice source, journal, notices: the last row."""

    @property
    def state(self) -> object:
        """The whole state as JSON builtins; None if there is nothing to set by hand."""

    @property
    def phones(self) -> WayIn:
        """How a phone gets to the page of this table."""

    def board(self) -> Board:
        """The table as text."""

    @property
    def changed(self) -> Board | None:
        """What has to be put right on the table since an undo or redo that led here."""

    def why(self) -> Sequence[str]:
        """The rules behind the open ask, in words."""

    def log(self, most: int) -> Sequence[str]:
        """What came last, the newest first, a line each."""


def view_of(question: AnyAsk, kept: Sequence[str] | None = None) -> View:
    """The view of an ask; `kept` are physical dice or cards that lie there already."""
    match question:
        case Show():
            return ShowView(question)
        case Choose():
            return ChooseView(question)
        case Pick():
            return PickView(question)
        case Number():
            return NumberView(question)
        case Roll():
            return RollView(question, kept or ())
        case Draw():
            return DrawView(question, kept or ())
    raise TypeError(f"no view for {question.kind}")


class Console:
    """The screen's state: the view of the open ask, and what lies over it (menu, board, reasons).

    The menu may shut the machine down where there is `power`; outside a `game` there is no board and nothing
    to save.
    `n`, `ask` and `kept` are of what is shown, and of one moment; the table may have moved on since then.
    """

    def __init__(
        self,
        sight: Sight,
        *,
        columns: int = COLUMNS,
        rows: int = ROWS,
        power: bool = False,
        game: bool = True,
    ) -> None:
        self._sight = sight
        self._columns = columns
        self._rows = rows
        self._power = power
        self._game = game
        self.n = -1
        self.ask: AnyAsk | None = None
        self.kept: Sequence[str] | None = None
        self._title = ""
        self._view: View = ShowView(Show("", ""))
        self._over: ShowView | ChooseView | ByHandView | None = None
        self._top, self._top_below = 0, 0
        self._ticks = 0
        self._foot, self._foot_came = "", 0
        self._link = ""
        self.refresh()

    def refresh(self) -> bool:
        """Look at the table again; True if another ask is open now than before."""
        if self._sight.n == self.n:
            return False
        while self.n != self._sight.n:  # a phone may move it between two looks
            self.n, self.ask, self.kept = self._sight.n, self._sight.ask, self._sight.kept
            self._title = self._sight.board().title
            changed = self._sight.changed
        self._over = None
        self._view = self._view_now()
        self._turn_to_start()
        if changed is not None:
            self._lay(_BoardView(changed, PUT_RIGHT))
        return True

    def offer(
        self,
        n: int,
        faces: Sequence[str | None],
        unsure: Sequence[int],
        others: Sequence[Sequence[str | None]] = (),
    ) -> None:
        """Show dice that a reader saw for ask `n`; too late is ignored. For the rest see RollView."""
        if n == self.n and isinstance(self._view, RollView):
            self._view.offer(faces, unsure, others)
            if self._over is None:
                self._follow()
            else:  # the page that is being read stays; below it the bar, a roll's last line, is in sight
                self._top_below = max(0, len(self._view.lines(self._columns)) - self._space)

    @property
    def at(self) -> int | None:
        """The place of the option under the bar, None where there is no choice."""
        view = self._shown
        return view.at if isinstance(view, ChooseView | PickView | DrawView | ByHandView) else None

    def point(self, at: int) -> None:
        """Put the bar on the option of that place, where one is chosen."""
        if isinstance(self._view, ChooseView):
            self._view.at = at
            self._follow()

    @property
    def die(self) -> int | None:
        """The place of the die that is being asked about, if one is."""
        return self._view.at if isinstance(self._view, RollView) and self._over is None else None

    @property
    def picked(self) -> Sequence[str]:
        """The ids of the options that are marked so far, or named as drawn, where several are picked."""
        return self._view.picked if isinstance(self._view, PickView | DrawView) else ()

    def so_far(self, columns: int) -> list[str]:
        """The dice or the number as they stand, where such are said."""
        view = self._shown
        lines = view.so_far(columns) if isinstance(view, RollView | NumberView | ByHandView) else []
        return [line.text.rstrip() for line in lines]

    @property
    def covered(self) -> bool:
        """Whether the menu or something from it lies over the ask."""
        return self._over is not None

    def page(self, columns: int) -> Show | Choose | Number | None:
        """What lies over the ask, if something does: the menu, or what came from it.

        The board is what so many columns have room for.
        """
        if isinstance(self._over, _BoardView):
            return self._over.within(columns)
        return None if self._over is None else self._over.question

    def say(self, key: str) -> bool:
        """What a digit of a keyboard says to the view: a face, a place, part of a number; False: nothing.

        `BadAnswer` for what can't be meant.
        """
        view = self._shown
        said = isinstance(view, RollView | PickView | NumberView | DrawView | ByHandView) and view.say(key)
        if said:
            self._follow()
        return said

    def press(self, button: Button) -> Intent | None:
        """One press; what the player wants by it, if that is complete.

        `BadAnswer` for what can't be meant.
        """
        if button is Button.WHY:
            self._show_why()
        elif button is Button.MENU:
            self._lay(_Menu(self._entries()))
        elif button is Button.BACK:
            self._go_back()
        elif not self._scroll(button):
            return self._press_view(button)
        return None

    def tick(self) -> None:
        """A second has passed: a title or foot too long for its row goes on to its next part."""
        self._ticks += 1

    def screen(self) -> Screen:
        """What a display shows now."""
        lines = self._shown.lines(self._columns)
        self._top = max(0, min(self._top, len(lines) - self._space))
        body = lines[self._top : self._top + self._space]
        if self._sight.foot != self._foot:
            self._foot, self._foot_came = self._sight.foot, self._ticks
        return Screen(
            title=headline(self._title, self._columns - 2, self._ticks // PART),
            rows=tuple(Row(line.text, line.style) for line in body),
            above=self._top > 0,
            below=self._top + self._space < len(lines),
            foot=in_turn(self._foot, self._columns, (self._ticks - self._foot_came) // PART),
            link=self._link if self._over is not None else "",
        )

    @property
    def turned(self) -> float:
        """How far what is shown has been turned to its end: 0 at its start, 1 where its last line is seen."""
        beyond = len(self._shown.lines(self._columns)) - self._space
        return min(1.0, self._top / beyond) if beyond > 0 else 0.0

    @property
    def _shown(self) -> View:
        return self._over or self._view

    @property
    def _space(self) -> int:
        return self._rows - 2

    def _view_now(self) -> View:
        if self.ask is not None:
            return view_of(self.ask, self.kept)
        return ShowView(Show("", ending(self._sight.outcome)))

    def _lay(self, view: ShowView | ChooseView | ByHandView) -> None:
        if self._over is None:
            self._top_below = self._top
        self._over, self._link = view, ""
        self._turn_to_start()

    def _lift(self) -> None:
        """Take away what lies over the ask, which stands there as it was left."""
        self._over = None
        self._top = self._top_below

    def _turn_to_start(self) -> None:
        self._top = 0

    def _go_back(self) -> None:
        if self._over is not None:
            if self._over.back():
                self._turn_to_start()
            else:
                self._lift()
        elif self._view.back():
            self._follow()
        elif self._top and isinstance(self._view, UP_IS_MORE):
            self._turn_to_start()
        else:
            self._lay(_Menu(self._entries()))

    def _press_view(self, button: Button) -> Intent | None:
        answer = self._shown.press(button)
        if answer is None:
            self._follow()
            return None
        if self._over is not None:
            over = self._over
            self._lift()
            if isinstance(over, _Menu):
                return over.choose(str(answer))
            return answer if isinstance(answer, Override) else None
        if self.ask is None:
            return Quit()
        return Reply(self.n, answer)

    def _entries(self) -> list[tuple[Option, Callable[[], Intent | None]]]:
        sight = self._sight
        entries: list[tuple[Option, Callable[[], Intent | None]]] = []
        if sight.undoable:
            entries.append((Option("undo", f"Undo: {sight.undoable}"), Undo))
        if sight.redoable:
            entries.append((Option("redo", f"Redo: {sight.redoable}"), Redo))
        if self._game:
            entries.append((Option("board", "Board"), self._show_board))
        entries.append((Option("why", "Why?"), self._show_why))
        if sight.log(1):
            entries.append((Option("log", "Log"), self._show_log))
        if sight.ask is not None and sight.state is not None:
            entries.append((Option("set", "Set by hand"), self._set_by_hand))
        if sight.phones.lines:
            entries.append((Option("phones", "Phones"), self._show_phones))
        if self._game:
            entries.append((Option("quit", "Save and quit"), Quit))
        if self._power:
            entries.append((Option("off", "Shut down"), self._show_shut_down))
        return entries

    def _show_shut_down(self) -> None:
        no, yes = SHUT_DOWN.options
        self._lay(_Menu([(no, lambda: None), (yes, lambda: Quit(power_off=True))], SHUT_DOWN.text))

    def _show_board(self) -> None:
        self._lay(_BoardView(self._sight.board()))

    def _set_by_hand(self) -> None:
        self._lay(ByHandView(self._sight.state))

    def _show_phones(self) -> None:
        way_in = self._sight.phones
        self._lay(_page("Phones", way_in.lines))
        self._link = way_in.link

    def _show_log(self) -> None:
        self._lay(_ListView(_text("Log", self._sight.log(LOGGED))))

    def _show_why(self) -> None:
        self._lay(_page("Why", self._sight.why()))

    def _focus(self) -> tuple[int, int]:
        """The first and last line of what the cursor stands on; the end of a text without one."""
        lines = self._shown.lines(self._columns)
        at = [place for place, line in enumerate(lines) if line.focus] or [len(lines) - 1]
        return at[0], at[-1]

    def _follow(self) -> None:
        """Keep what was just moved to on the display, also round the ends of a long list."""
        first, last = self._focus()
        if last < self._space:
            self._top = 0
        elif last >= self._top + self._space:
            self._top = min(first, last - self._space + 1)
        else:
            self._top = min(self._top, first)

    def _scroll(self, button: Button) -> bool:
        """Turn the page of a text that is longer than the display; False if the view is to act."""
        first, last = self._focus()
        is_back = STEPS.get(button) == -1 and not isinstance(self._shown, UP_IS_MORE)
        if last >= self._top + self._space and not is_back:
            self._top = min(self._top + self._space - 1, last - self._space + 1)
            return True
        if is_back and (isinstance(self._shown, ShowView) or self._is_text_above(first)):
            self._top = max(0, self._top - 1)
            return True
        return False

    def _is_text_above(self, first: int) -> bool:
        """Whether up turns a text back: some of it is hidden, and no option stands above the bar."""
        above = self._shown.lines(self._columns)[:first]
        return self._top > 0 and all(line.style is Style.TEXT for line in above)


class _Menu(ChooseView):
    """Undo, redo, board, why, log, values by hand, phones, quit and shut down, as far as there is any."""

    def __init__(
        self, entries: Sequence[tuple[Option, Callable[[], Intent | None]]], text: str = "Menu"
    ) -> None:
        super().__init__(Choose("menu", text, options=tuple(option for option, _ in entries)))
        self._actions = {option.id: action for option, action in entries}

    def choose(self, name: str) -> Intent | None:
        return self._actions[name]()


class _ListView(ShowView):
    """Lines below each other; one that is too long goes on further in, to be told from the next."""

    def lines(self, columns: int) -> list[Line]:
        said = [self.question.text, *self.question.detail.splitlines()]
        rows = [Line(row) for line in said for row in wrapped(line, columns, further_in=True)]
        return [*rows, Line("OK", Style.BAR, focus=True)]


class _BoardView(_ListView):
    """The table as text, its panels as a screen has room for them."""

    def __init__(self, board: Board, title: str = "Board") -> None:
        super().__init__(_text(title, ()))
        self._board = board

    def within(self, columns: int) -> Show:
        return _text(self.question.text, _told(self._board, columns))

    def lines(self, columns: int) -> list[Line]:
        return _ListView(self.within(columns)).lines(columns)


def _told(board: Board, columns: int) -> Iterator[str]:
    if board.title:
        yield board.title
    for panel in board.panels:
        yield f"= {panel.title} ="
        yield from panel.within(columns)


def _page(title: str, lines: Sequence[str]) -> ShowView:
    return ShowView(_text(title, lines))


def _text(title: str, lines: Iterable[str]) -> Show:
    return Show("page", title, "\n".join(lines))


def ending(outcome: Outcome | None) -> str:
    """How a game ended, in a few lines."""
    if outcome is None:
        return "No game"
    score = "\n".join(f"{name}: {value}" for name, value in outcome.score.items())
    return f"Game {outcome.result.value}\n{outcome.reason}\n{score}".strip()
