"""The lamp says what the box is doing; the buzzer, quiet unless wanted, that it waits for you."""

from contextlib import contextmanager, suppress
from enum import StrEnum
from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gpiozero import LED, Buzzer, Factory


class Mood(StrEnum):
    """What the lamp shows."""

    WAITING = "waiting"
    READING = "reading"
    FAULT = "fault"


class LampPins(msgspec.Struct, frozen=True):
    """BCM numbers of the lamp and the buzzer, None if there is no buzzer."""

    lamp: int = 12
    buzzer: int | None = None


class Lamps:
    """An LED: steady while it waits for you, blinking while it reads, a short flash a second on a fault.

    `faults` says, by name, why the lamp or the buzzer could not be had; each does without the other.
    """

    def __init__(self, pins: LampPins, factory: "Factory") -> None:
        import gpiozero

        self._mood: Mood | None = None
        self._lamp: LED | None = None
        self._buzzer: Buzzer | None = None
        self.faults: dict[str, str] = {}
        with self._taking("lamp"):
            self._lamp = gpiozero.LED(pins.lamp, pin_factory=factory)
        if pins.buzzer is not None:
            with self._taking("buzzer"):
                self._buzzer = gpiozero.Buzzer(pins.buzzer, pin_factory=factory)

    @contextmanager
    def _taking(self, name: str) -> "Iterator[None]":
        from gpiozero import GPIOZeroError

        try:
            yield
        except (GPIOZeroError, OSError) as error:
            self.faults[name] = f"{name}: {error}"

    def show(self, mood: Mood) -> None:
        """Show a mood; the one that is shown already goes on undisturbed."""
        if mood is self._mood or self._lamp is None:
            return
        self._mood = mood
        with self._harmless():
            if mood is Mood.WAITING:
                self._lamp.on()
            elif mood is Mood.READING:
                self._lamp.blink(on_time=0.25, off_time=0.25)
            else:
                self._lamp.blink(on_time=0.06, off_time=0.94)

    @staticmethod
    @contextmanager
    def _harmless() -> "Iterator[None]":
        """A lamp that can't be lit is no reason to stop a game."""
        from gpiozero import GPIOZeroError

        with suppress(GPIOZeroError, OSError):
            yield

    def beep(self) -> None:
        """One short tone, if there is a buzzer."""
        if self._buzzer is not None:
            with self._harmless():
                self._buzzer.beep(on_time=0.04, off_time=0.04, n=1)

    def close(self) -> None:
        """Dark and silent: a Raspberry Pi's kernel keeps the level of a pin that is given back."""
        for device in (self._lamp, self._buzzer):
            if device is not None:
                with self._harmless():
                    device.off()
                with self._harmless():
                    device.close()
