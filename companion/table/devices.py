"""The devices of a box, opened as the settings say, all talking into one queue."""

from __future__ import annotations

import threading
import time
from collections import defaultdict, deque
from collections.abc import Callable
from contextlib import suppress
from functools import cached_property, partial
from typing import TYPE_CHECKING, Final, Self

import msgspec

from companion.engine.asks import Roll
from companion.screens.console import Console
from companion.screens.intents import Button
from companion.screens.screen import COLUMNS
from companion.table.config import Config
from companion.table.dice import CAMERA, SERIAL
from companion.table.discover import Present
from companion.table.events import Events, Notice, Press
from companion.table.loop import Display
from companion.table.oled_front import OledDisplay, panel_screen
from companion.table.serial_dice import SerialDice
from companion.table.table import Table
from companion.table.watchdog import Watchdog
from hardware import keys, serial_pad
from hardware.buttons import Buttons, pin_factory
from hardware.display import Display as Oled
from hardware.display import DisplayThread
from hardware.drawing import splash
from hardware.lamps import Lamps, Mood
from hardware.pad_link import PadDice
from hardware.serial_pad import SerialPad

if TYPE_CHECKING:
    from gpiozero import Factory

LOOK_EVERY: Final = 2.0
"""Seconds from look to look for devices that were not there."""

STANDS: Final = 30.0
"""Seconds for which a device that came and went has to stand, one way or the other, to be believed."""

FLAPS: Final = 3
"""Losses within that time from which on a contact is taken for loose."""

REMIND: Final = 10.0
"""Seconds after which a device that is still broken is mentioned again."""

GREETING: Final = 2.0
"""Seconds that a device gets to answer for the first time before it is called broken."""

STUCK: Final = "down for too long: stuck?"
LOOSE: Final = "comes and goes: check its wires and plug"

SAID: Final = {STUCK: "{} stuck", LOOSE: "{}: loose contact"}
"""What is said of a device by its fault; of others that there is none."""

MEANT: Final = {
    (keys.Key.OK, keys.Gesture.HOLD): Button.WHY,
    (keys.Key.BACK, keys.Gesture.HOLD): Button.MENU,
    (keys.Key.UP, keys.Gesture.TURN): Button.LEFT,
    (keys.Key.DOWN, keys.Gesture.TURN): Button.RIGHT,
}


def button_of(press: keys.Press) -> Button:
    """What a press on the box's keys means: hold OK asks why, hold back opens the menu."""
    return MEANT.get((press.key, press.gesture), Button(press.key.value))


class Devices:
    """What is attached, as displays and a dice source for the loop, and presses on its queue.

    A device that fails says so in a `Notice` and is taken again when it returns; one that was not there
    at the start is taken when it comes (`look` finds it). None of them raises into the game.
    """

    def __init__(
        self,
        config: Config,
        present: Present,
        events: Events,
        look: Callable[[Config], Present] | None = None,
    ) -> None:
        self._config = config
        self.present = present
        self._events = events
        self._look = look
        self._look_at = time.monotonic() + LOOK_EVERY
        self._found: Present | None = None
        self.screen: DisplayThread | None = None
        self.buttons: Buttons | None = None
        self.pad: SerialPad | None = None
        self.lamps: Lamps | None = None
        self.dice = SerialDice()
        self.pressed = False
        self._contacts = Contacts()
        self._opened_at: dict[str, float] = {}
        self._said = ""
        self._said_at = 0.0
        self._lit_by: Factory | None = None
        self._headline = ""
        self._sinks: list[Display] = []
        self._watchdog: Watchdog | None = None

    def __enter__(self) -> Self:
        self._open(self.present)
        return self

    def __exit__(self, *_: object) -> None:
        if not self._headline:  # nobody plays behind a prompt that would be left standing
            self.splash("STOPPED", ("all is saved",))
        for device in (self.lamps, self.buttons, self.pad, self.screen):
            if device is not None:
                device.close()

    def displays(self, table: Table | None = None) -> list[Display]:
        """What a loop draws on; without a table, the box's own menu is shown."""
        lamp: list[Display] = [_LampDisplay(self, table)] if self._config.lamp.enabled else []
        return [self, *lamp]

    def draw(self, console: Console) -> None:
        """Show the console wherever there is a panel, and look after the devices."""
        self._headline = ""
        self._take_newcomers()
        for sink in self._sinks:
            sink.draw(console)
        if self.present.buttons and self.buttons is None:
            self._open_buttons()  # after the prompt: gpiozero takes a third of a second on a small Pi
        self._report()

    def _open(self, present: Present) -> None:
        if present.oled and self.screen is None:
            self._open_screen()
        if present.pad and self.pad is None:
            self._open_pad()

    def _take_newcomers(self) -> None:
        if self._found is not None:
            self.present, self._found = self._found, None
            self._open(self.present)
        camera = self.present.camera or not self._config.camera.enabled
        complete = camera and None not in (self.screen, self.buttons, self.pad)
        if self._look is not None and not complete and time.monotonic() >= self._look_at:
            self._look_at = float("inf")
            threading.Thread(target=self._look_around, args=[self._look], name="look", daemon=True).start()

    def _look_around(self, look: Callable[[Config], Present]) -> None:
        """In a thread of its own: a bus that hangs must not hold up the game."""
        try:
            self._found = look(self._config)
        finally:  # also where a device goes as it is looked at
            self._look_at = time.monotonic() + LOOK_EVERY

    def splash(self, headline: str, lines: tuple[str, ...]) -> None:
        """A picture instead of a screen: at the start, in safe mode, at the end.

        Other lines below the headline that stands there are no reason to be bright again.
        """
        before, self._headline = self._headline, headline
        if self.screen is not None:
            show = self.screen.turn if headline == before else self.screen.show
            show(splash(headline, lines, self.screen.display.size))

    def watched_by(self, watchdog: Watchdog) -> None:
        """Let the watchdog ask every thread for a sign of life, also of devices that come later."""
        self._watchdog = watchdog
        for name, worker in (("screen", self.screen), ("buttons", self.buttons), ("pad", self.pad)):
            if worker is not None:
                watchdog.watch(name, _beat_of(worker))

    def _opened(self, name: str, worker: DisplayThread | Buttons | SerialPad) -> None:
        self._opened_at[name] = time.monotonic()
        if self._watchdog is not None:
            self._watchdog.watch(name, _beat_of(worker))

    def _open_screen(self) -> None:
        settings = self._config.display
        self.screen = DisplayThread(Oled.at(settings.wiring, settings.habits))
        self._sinks.append(OledDisplay(self.screen))
        self._opened("screen", self.screen)

    def _open_buttons(self) -> None:
        settings = self._config.buttons
        self.buttons = Buttons(self._pressed, settings.pins, settings.timing)
        try:
            self.buttons.open(time.monotonic())
        except OSError as error:
            self._events.put(Notice(str(error)))
        self.buttons.start()
        self._opened("buttons", self.buttons)

    @property
    def has_tower(self) -> bool:
        """Whether there is a dice tower, which is on the pad."""
        hello = self.pad.hello if self.pad is not None else None
        return hello is not None and hello.has_tower

    @property
    def readers(self) -> list[str]:
        """What reads dice here now, the best first; design 5.1's order of `auto`."""
        return [*([CAMERA] if self.present.camera else []), *([SERIAL] if self.has_tower else [])]

    def light(self, mood: Mood) -> None:
        """Show a mood on the lamp, taking its pin anew where the buttons' chip came back."""
        factory = self._lamp_factory()
        if factory is not self._lit_by:
            if self.lamps is not None:
                self.lamps.close()  # one that blinks would keep its pin
            self._lit_by, self.lamps = factory, None
            if factory is not None:
                self.lamps = Lamps(self._config.lamp.pins, factory)
                if self.lamps.faults:
                    self._events.put(Notice(", ".join(self.lamps.faults.values())))
        if self.lamps is not None:
            self.lamps.show(mood)

    def _lamp_factory(self) -> Factory | None:
        """The buttons' pins, of which the lamp's are some; its own where buttons are switched off."""
        if self._config.buttons.enabled:
            return self.buttons.factory if self.buttons is not None else None
        return self._own_factory

    @cached_property
    def _own_factory(self) -> Factory | None:
        with suppress(OSError):  # no chip, or nothing installed to drive it: no lamp
            return pin_factory()
        return None

    def _open_pad(self) -> None:
        self.pad = serial_pad.SerialPad(self._from_pad, self._config.pad.port)
        self.pad.start()
        self._sinks.append(_PadDisplay(self.pad))
        self._opened("pad", self.pad)

    def _pressed(self, press: keys.Press, *, seen: bool = False) -> None:
        """Take a press; one at a dark display only lights it, unless what is asked was `seen` elsewhere."""
        self.pressed = True
        was_lit = self.screen is None or self.screen.wake()
        if was_lit or seen:
            self._events.put(Press(button_of(press), press.at))

    def _from_pad(self, event: keys.Press | PadDice) -> None:
        """A pad with an OLED keeps a press at a dark one to itself."""
        if isinstance(event, keys.Press):
            hello = self.pad.hello if self.pad is not None else None
            self._pressed(event, seen=hello is not None and hello.has_oled)
        else:
            self.dice.heard(event)

    def faults(self) -> dict[str, str]:
        """What is attached and does not work at the moment, and why."""
        found = {}
        if self.screen is not None and self._is_due("screen"):
            found["display"] = self.screen.display.fault
        if self.buttons is not None:
            found["buttons"] = self.buttons.fault
            found |= {f"{key} key": STUCK for key in self.buttons.stuck}
        if self.pad is not None and self._is_due("pad"):
            found["pad"] = self.pad.fault
        if self.pad is not None:
            found |= {f"pad's {key} key": STUCK for key in self.pad.stuck}
        return {name: fault for name, fault in found.items() if fault}

    def _is_due(self, name: str) -> bool:
        """Whether a device has had its time to answer."""
        return time.monotonic() - self._opened_at[name] >= GREETING

    def _report(self) -> None:
        """Say what failed or came back; what stays broken is said again, since other notices come and go."""
        now = time.monotonic()
        faults = self._contacts.judged(self.faults(), now)
        said = ", ".join(SAID.get(why, "no {}").format(name) for name, why in faults.items())
        is_broken = any(why != LOOSE for why in faults.values())
        if said != self._said or (is_broken and now - self._said_at >= REMIND):
            before, self._said, self._said_at = self._said, said, now
            self._events.put(Notice(said, ends=before))


class Contacts:
    """Tells a contact that is loose, which comes and goes, from a device that is gone."""

    def __init__(self) -> None:
        self._before: dict[str, str] = {}
        self._lost_at: dict[str, deque[float]] = defaultdict(partial(deque, maxlen=FLAPS))
        self._changed_at: dict[str, float] = {}
        self._loose: set[str] = set()

    def judged(self, faults: dict[str, str], now: float) -> dict[str, str]:
        """The faults of this moment, a loose contact's named so whether it is broken just now or not."""
        for name in faults.keys() ^ self._before.keys():
            self._changed_at[name] = now
            if name in faults:
                self._lost_at[name].append(now)
        self._before = faults
        flapping = {name for name, at in self._lost_at.items() if len(at) == FLAPS and now - at[0] <= STANDS}
        standing = {name for name in self._loose if now - self._changed_at[name] >= STANDS}
        self._loose = self._loose - standing | flapping
        return faults | dict.fromkeys(sorted(self._loose), LOOSE)


def _beat_of(worker: DisplayThread | Buttons | SerialPad) -> Callable[[], float]:
    return lambda: worker.beat


class _PadDisplay:
    """The pad's own OLED, which draws rows of text alone: neither a scroll mark nor a QR code."""

    def __init__(self, pad: SerialPad) -> None:
        self._pad = pad

    def draw(self, console: Console) -> None:
        screen = console.screen()
        title = (screen.title.ljust(COLUMNS - 2) + screen.marks).rstrip()
        screen = msgspec.structs.replace(screen, title=title, link="")
        self._pad.show([(row.style.value, row.text) for row in panel_screen(screen).rows])


class _LampDisplay:
    """The lamp: reads while dice are awaited, waits otherwise; one tone at each new ask."""

    def __init__(self, devices: Devices, table: Table | None) -> None:
        self._devices = devices
        self._table = table
        self._n = 0

    def draw(self, console: Console) -> None:  # noqa: ARG002  # a display's signature
        self._devices.light(self._mood())
        if self._table is not None and self._table.n != self._n:
            self._n = self._table.n
            if self._devices.lamps is not None:
                self._devices.lamps.beep()

    def _mood(self) -> Mood:
        if self._devices.faults():
            return Mood.FAULT
        if self._table is not None and isinstance(self._table.ask, Roll):
            return Mood.READING
        return Mood.WAITING
