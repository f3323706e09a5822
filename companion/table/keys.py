"""The keyboard as buttons: reads a terminal key by key, without waiting for Enter."""

from __future__ import annotations

import os
import re
import select
import signal
import sys
import termios
import threading
import tty
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from companion.screens.intents import Button
from companion.table.events import Closed, Events, Press, Typed

KEYS = {
    "\x1b[A": Button.UP,
    "\x1b[B": Button.DOWN,
    "\x1bOA": Button.UP,
    "\x1bOB": Button.DOWN,
    "\r": Button.OK,
    "\n": Button.OK,
    "\x7f": Button.BACK,
    "\b": Button.BACK,
    "\x1b": Button.BACK,
    "\x1b[D": Button.BACK,
    "?": Button.WHY,
    "m": Button.MENU,
}


ORDERS = tuple(
    one
    for one in signal.Signals
    if one.name.removeprefix("SIG")
    in {"TERM", "HUP", "QUIT", "ALRM", "VTALRM", "PROF", "USR1", "USR2", "IO", "PWR", "STKFLT", "XCPU"}
)
"""Signals that would end the program on the spot, as far as this system has them; QUIT is Ctrl-\\."""

_PASTE, _PASTED = "\x1b[200~", "\x1b[201~"
"""Around what is pasted, where a terminal was told to say so (mode 2004): it is no keys."""

ERRORS = 2
"""The number of standard error, whatever `sys.stderr` is."""

_STILL = 0.5
"""Seconds of silence after which a paste is over, wherever its end went."""

_KEY = re.compile(r"\x1b\[[0-?]*[ -/]*[@-~]?|\x1bO.?|\x1b[^\x1b]|.", re.DOTALL)
"""A key: ECMA-48's control sequence with its parameters, SS3 and a character, or a character.

With Alt, an Escape comes before a character: that is another key, neither Back nor the character.
"""

_BEGUN = re.compile(rb"\x1b(?:\[[0-?]*[ -/]*|O)?\Z")
"""A sequence that may go on: over a slow line its rest comes by itself."""

_REST = 0.05
"""Seconds to wait for it; a lone Escape is Back then."""


def split(data: str) -> Iterator[str]:
    """Single keys from what a terminal sent, escape sequences whole."""
    for match in _KEY.finditer(data):
        yield match[0]


@contextmanager
def stopped_in_order(events: Events, *others: signal.Signals) -> Iterator[None]:
    """Orders to stop and `others` are events meanwhile: display, lamp or terminal would stay as they are.

    One that is to go unheard, as nohup wants of a hang-up, stays so. For the main thread.
    """
    with _orders_to(lambda: events.put(Closed()), *others):
        yield


@contextmanager
def line_ended_in_order(events: Events) -> Iterator[None]:
    """The same while a line is typed, which ends with `EOFError`: its editor gives the terminal back then.

    A second order, which may come in the midst of that, ends nothing more.
    """
    is_ended = False

    def end() -> None:
        nonlocal is_ended
        before, is_ended = is_ended, True
        events.put(Closed())
        if not before:
            raise EOFError

    with _orders_to(end):
        yield


@contextmanager
def interrupted_in_order() -> Iterator[None]:
    """Orders to stop are as Ctrl-C meanwhile, also where that itself goes unheard. For the main thread."""

    def interrupt() -> None:
        if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
            raise KeyboardInterrupt
        signal.raise_signal(signal.SIGINT)

    with _orders_to(interrupt):
        yield


@contextmanager
def _orders_to(stop: Callable[[], None], *others: signal.Signals) -> Iterator[None]:
    heard = [one for one in (*ORDERS, *others) if signal.getsignal(one) is not signal.SIG_IGN]
    usual = {one: signal.signal(one, lambda *_: stop()) for one in heard}
    try:
        yield
    finally:
        for one, handler in usual.items():
            signal.signal(one, handler)


@contextmanager
def keyboard(events: Events, leave: str = "") -> Iterator[None]:
    """While it is open, keys become `Press` and `Typed` events; the terminal is restored afterwards.

    The key `leave`, if one is named, ends the input. Orders to stop have to be events meanwhile, or the
    terminal would be left without an echo: see `stopped_in_order`. For the main thread.
    """
    fd = sys.stdin.fileno()
    before = termios.tcgetattr(fd)
    wake, stop = os.pipe()
    reader = threading.Thread(target=_read, args=(fd, wake, events, leave), name="keyboard", daemon=True)
    try:
        with uninterrupted():
            tty.setcbreak(fd)
            _mark_pastes("h")
            reader.start()
        yield
    finally:
        with uninterrupted():
            os.write(stop, b"x")
            if reader.is_alive():
                reader.join(timeout=1)
            os.close(stop)
            os.close(wake)
            _mark_pastes("l")
            termios.tcsetattr(fd, termios.TCSADRAIN, before)


@contextmanager
def uninterrupted() -> Iterator[None]:
    """Ctrl-C counts only afterwards: amid this it would leave a terminal half given back.

    For the main thread.
    """
    came: list[int] = []
    usual = signal.signal(signal.SIGINT, lambda number, _: came.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, usual)
        if came:
            signal.raise_signal(signal.SIGINT)


def stop_here(give_back: Callable[[], object]) -> None:
    """Stop, as Ctrl-Z asks for, with the terminal as the shell had it, to which `give_back` gives it.

    A script that the game was started by has stopped already: the terminal is the shell's again.
    """
    usual = signal.signal(signal.SIGTTOU, signal.SIG_IGN)
    give_back()
    signal.raise_signal(signal.SIGTSTP)
    signal.signal(signal.SIGTTOU, usual)


@contextmanager
def undisturbed() -> Iterator[None]:
    """Keep off a full screen what libraries in C say, as libjpeg of each picture through a bad cable.

    Where standard error is no terminal, it is not on the screen.
    """
    if not os.isatty(ERRORS):
        yield
        return
    kept, nowhere = os.dup(ERRORS), os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, ERRORS)
    os.close(nowhere)
    try:
        yield
    finally:
        os.dup2(kept, ERRORS)
        os.close(kept)


def _mark_pastes(switch: str) -> None:
    if sys.stdout is not None and sys.stdout.isatty():
        sys.stdout.write(f"\x1b[?2004{switch}")
        sys.stdout.flush()


def _read(fd: int, wake: int, events: Events, leave: str = "") -> None:
    pasting = False
    while True:
        ready, _, _ = select.select([fd, wake], [], [], _STILL if pasting else None)
        if wake in ready:
            return
        if not ready:
            pasting = False
            continue
        data = _received(fd)
        while _BEGUN.search(data) and select.select([fd], [], [], _REST)[0] and (rest := _received(fd)):
            data += rest
        if not data:
            events.put(Closed())
            return
        for key in split(data.decode(errors="replace")):
            if pasting or key == _PASTE:
                pasting = key != _PASTED
                continue
            events.put(_event_of(key, leave))


def _event_of(key: str, leave: str) -> Press | Typed | Closed:
    if key == leave:
        return Closed()
    button = KEYS.get(key)
    return Typed(key) if button is None else Press(button, keyboard=True)


def _received(fd: int) -> bytes:
    """What has come; nothing where the terminal is gone."""
    try:
        return os.read(fd, 256)
    except OSError:
        return b""
