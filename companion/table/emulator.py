"""A panel of pixels where there is none: in a window, or in the terminal."""

from __future__ import annotations

import os
import shutil
import signal
import sys
import textwrap
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from math import inf
from typing import TYPE_CHECKING, Final, TextIO

from companion.engine.errors import DeviceMissing
from companion.screens.intents import Button
from companion.table.events import Closed, Events, Press
from companion.table.keys import keyboard, stop_here, undisturbed
from companion.table.oled_front import OledDisplay
from hardware.display import Display, DisplayThread, Habits

if TYPE_CHECKING:
    import tkinter as tk

    from PIL.Image import Image

SIZE: Final = (128, 64)
SCALE: Final = 5
FRAME: Final = 8
"""Pixels of black around the panel."""

KEYS: Final = {
    "Up": Button.UP,
    "Down": Button.DOWN,
    "Return": Button.OK,
    "KP_Enter": Button.OK,
    "space": Button.OK,
    "BackSpace": Button.BACK,
    "Escape": Button.BACK,
    "Left": Button.BACK,
    "question": Button.WHY,
    "m": Button.MENU,
}
"""Keys of the window, by tkinter's names."""

HELP: Final = "arrows move   Enter OK   Backspace back   ? why   m menu   q quit"


class PicturePanel:
    """A panel that hands each picture to `paint`; it can't be unplugged."""

    size = SIZE

    def __init__(self, paint: Callable[[Image], None]) -> None:
        self._paint = paint
        self._shown = b""

    def display(self, image: Image) -> None:
        """Show the picture, if it is another one."""
        if (picture := image.tobytes()) != self._shown:
            self._shown = picture
            self._paint(image)

    def contrast(self, level: int) -> None:
        """A window has none."""

    def hide(self) -> None:
        """Dark."""
        from PIL import Image

        self.display(Image.new("1", self.size))

    def answers(self) -> bool:
        """Always there."""
        return True

    def is_back(self) -> bool:
        """It was never gone."""
        return True

    def close(self) -> None:
        """Nothing to let go of."""

    def restart(self) -> None:
        """Show the next picture whatever it is; from any thread."""
        self._shown = b""


def text_rows(image: Image, columns: int, lines: int) -> list[str]:
    """A 1-bit picture as text: half blocks if there is room, else braille, 2 x 4 pixels a cell.

    Where there is no room for that either, the right of it is cut off: wrapped lines can't be read.
    """
    width, height = image.size
    lit = image.load()
    assert lit is not None
    if columns >= width and lines >= height // 2:
        blocks = " ▀▄█"
        return [
            "".join(blocks[bool(lit[x, y]) + 2 * bool(lit[x, y + 1])] for x in range(width))
            for y in range(0, height, 2)
        ]
    # Unicode's braille dots, bit by bit: three down at the left, three at the right, then the fourth row.
    dots = ((0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2), (0, 3), (1, 3))
    return [
        "".join(
            chr(0x2800 + sum(bool(lit[x + dx, y + dy]) << bit for bit, (dx, dy) in enumerate(dots)))
            for x in range(0, min(width, 2 * columns), 2)
        )
        for y in range(0, height, 4)
    ]


def terminal_painter(out: TextIO) -> Callable[[Image], None]:
    """Paints at the top of the terminal, with the keys below."""

    def paint(image: Image) -> None:
        columns, lines = shutil.get_terminal_size()
        below = ["", *textwrap.wrap(HELP, columns), ""]
        rows = text_rows(image, columns, lines - len(below))
        out.write("\x1b[H\x1b[2J" + "\r\n".join([*rows, *below]))
        out.flush()

    return paint


@contextmanager
def emulated(events: Events) -> Iterator[OledDisplay]:
    """The OLED as a display of the loop, in a window or else in the terminal, its keys as buttons.

    Raises DeviceMissing where there is neither.
    """
    check_emulated()
    with ExitStack() as stack:
        paint: Callable[[Image], None]
        window = Window(events) if window_possible() else None
        if window is not None and window.fault is None:
            stack.callback(window.close)
            paint = window.paint
        else:
            _check_terminal()
            stack.enter_context(undisturbed())
            stack.enter_context(_keys(events))
            paint = terminal_painter(sys.stdout)
        # No pixel burns in here, so none need move or go dark.
        habits = Habits(off_after=inf, shift_every=inf)
        panel = PicturePanel(paint)
        thread = DisplayThread(Display(lambda: panel, habits))
        stack.callback(thread.close)

        def resized(*_: object) -> None:
            """The terminal has cut or wrapped it; painting waits for a slow one, and a handler must not."""
            panel.restart()
            thread.wake()

        stack.callback(signal.signal, signal.SIGWINCH, signal.signal(signal.SIGWINCH, resized))
        yield OledDisplay(thread)


@contextmanager
def _keys(events: Events) -> Iterator[None]:
    """The terminal's keys as buttons; from Ctrl-Z until the game goes on they are the shell's."""
    with ExitStack() as held:

        def take() -> None:
            held.enter_context(keyboard(events, leave="q"))
            held.callback(signal.signal, signal.SIGTSTP, signal.signal(signal.SIGTSTP, suspend))

        def suspend(*_: object) -> None:
            stop_here(held.close)
            take()
            signal.raise_signal(signal.SIGWINCH)  # the shell's lines stand there: it is drawn anew

        take()
        yield


def check_emulated() -> None:
    """Raises DeviceMissing where there can be neither a window nor a picture in the terminal.

    And ImportError where nothing is there to draw with, which the display's thread would only die of.
    """
    import PIL  # noqa: F401

    if not window_possible():
        _check_terminal()


def _check_terminal() -> None:
    if not all(stream is not None and stream.isatty() for stream in (sys.stdin, sys.stdout)):
        raise DeviceMissing("--emulate: neither a display for a window here, nor a terminal")


def window_possible() -> bool:
    """Whether to try for a window: an X display, and a Python with tkinter.

    macOS lets only the main thread have windows, and that one plays the game.
    """
    if not os.environ.get("DISPLAY") or sys.platform == "darwin":
        return False
    try:
        import tkinter as tk  # noqa: F401  # there too, without its other half, where no Tk was built in
    except ImportError:
        return False
    return True


class Window:
    """The panel in a window of its own, its keys as buttons. tkinter wants one thread: this one's.

    `fault` says why there is no window, None where there is one.
    """

    def __init__(self, events: Events) -> None:
        self.fault: str | None = None
        self._events = events
        self._newest: bytes | None = None
        self._open = threading.Event()
        self._closing = False
        self._thread = threading.Thread(target=self._run, name="window", daemon=True)
        self._thread.start()
        self._open.wait()

    def paint(self, image: Image) -> None:
        """Show a picture; from any thread."""
        large = image.resize((SIZE[0] * SCALE, SIZE[1] * SCALE)).convert("L")
        self._newest = b"P5 %d %d 255 " % large.size + large.tobytes()

    def close(self) -> None:
        """Close the window."""
        self._closing = True
        self._thread.join(timeout=2)

    def _run(self) -> None:
        import tkinter as tk

        try:
            root = tk.Tk(className="companion")
        except tk.TclError as error:
            self.fault = str(error)
            self._open.set()
            return
        root.configure(background="black", padx=FRAME, pady=FRAME)
        label = tk.Label(root, borderwidth=0, background="black")
        label.pack()
        tk.Label(root, text=HELP, foreground="grey", background="black").pack(pady=(FRAME, 0))
        root.bind("<Key>", self._key)
        root.protocol("WM_DELETE_WINDOW", lambda: self._events.put(Closed()))
        self._open.set()
        self._refresh(root, label, None)
        with suppress(tk.TclError):
            root.mainloop()

    def _refresh(self, root: tk.Tk, label: tk.Label, shown: bytes | None) -> None:
        import tkinter as tk

        if self._closing:
            root.destroy()
            return
        newest = self._newest
        if newest is not None and newest is not shown:
            picture = tk.PhotoImage(data=newest, format="ppm")
            label.configure(image=picture)
            label.image = picture  # type: ignore[attr-defined]  # tkinter itself keeps no reference
        root.after(30, self._refresh, root, label, newest)

    def _key(self, event: tk.Event[tk.Misc]) -> None:
        if event.keysym == "q":
            self._events.put(Closed())
        elif (button := KEYS.get(event.keysym)) is not None:
            self._events.put(Press(button, keyboard=True))
