"""The lamp says what the box is doing; the buzzer, quiet unless wanted, that it waits for you."""

from enum import StrEnum
from typing import TYPE_CHECKING

import msgspec

from hardware.errors import PinsError

if TYPE_CHECKING:
    from gpiozero import Factory


class Mood(StrEnum):
    """What the lamp shows."""

    OFF = "off"
    WAITING = "waiting"
    READING = "reading"
    FAULT = "fault"


class LampPins(msgspec.Struct, frozen=True):
    """BCM numbers of the lamp and the buzzer, None for one that isn't there."""

    lamp: int | None = 12
    buzzer: int | None = None


class Lamps:
    """An LED: steady while it waits for you, blinking while it reads, a short flash a second on a fault."""

    def __init__(self, pins: LampPins, factory: "Factory") -> None:
        """Take the pins. Raises PinsError if that can't be."""
        from gpiozero import LED, Buzzer, GPIOZeroError

        self._mood = Mood.OFF
        self._lamp: LED | None = None
        self._buzzer: Buzzer | None = None
        try:
            if pins.lamp is not None:
                self._lamp = LED(pins.lamp, pin_factory=factory)
            if pins.buzzer is not None:
                self._buzzer = Buzzer(pins.buzzer, pin_factory=factory)
        except (GPIOZeroError, OSError) as error:
            raise PinsError(f"lamp: {error}") from error

    @property
    def mood(self) -> Mood:
        """What is being shown."""
        return self._mood

    def show(self, mood: Mood) -> None:
        """Show a mood; the one that is shown already goes on undisturbed."""
        if mood is self._mood or self._lamp is None:
            self._mood = mood
            return
        self._mood = mood
        if mood is Mood.WAITING:
            self._lamp.on()
        elif mood is Mood.READING:
            self._lamp.blink(on_time=0.25, off_time=0.25)
        elif mood is Mood.FAULT:
            self._lamp.blink(on_time=0.06, off_time=0.94)
        else:
            self._lamp.off()

    def beep(self) -> None:
        """One short tone, if there is a buzzer."""
        if self._buzzer is not None:
            self._buzzer.beep(on_time=0.04, off_time=0.04, n=1)

    def close(self) -> None:
        """Dark and silent."""
        for device in (self._lamp, self._buzzer):
            if device is not None:
                device.close()
