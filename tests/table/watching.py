"""A tray that is watched: jobs, films and what comes of them."""

import msgspec
import numpy as np

from companion.engine.asks import Dice, Roll
from companion.table.events import Notice, Seen
from companion.table.matching import groups
from companion.table.tray_watch import Job, TrayWatch
from tests.table.film import Film, Tray, read
from vision import DiceSet, Reading, sets

D6 = tuple("123456")


def leaning(frame: np.ndarray, dice_sets: tuple[DiceSet, ...], *, x: int) -> Reading:
    """The tray as it is read where a die at `x` leans."""
    reading = read(frame, dice_sets)
    dice = (msgspec.structs.replace(die, sure=die.sure and die.bbox.x != x) for die in reading.dice)
    return msgspec.structs.replace(reading, dice=tuple(dice))


def roll(count: int) -> Roll:
    return Roll("demo.roll", f"Roll {count}", dice=(Dice("d6", count, D6),))


def job(n: int, count: int) -> Job:
    dice_sets = (sets.load("d6"),)
    return Job(n, roll(count), groups(roll(count), dice_sets), dice_sets)


def played(watch: TrayWatch, work: Job, frames: int) -> list[Seen | Notice]:
    return [event for _ in range(frames) for event in watch.look(work)]


def seen(events: list[Seen | Notice]) -> list[Seen]:
    return [event for event in events if isinstance(event, Seen)]


def after_a_throw(tray: Tray) -> TrayWatch:
    """A watch that has seen this thrown into an empty tray."""
    film = Film().rest({}).throw(tray)
    watch = TrayWatch(film.camera())
    assert len(seen(played(watch, job(1, len(tray)), len(film.frames)))) == 1
    return watch


def next_seen(watch: TrayWatch, film: Film, work: Job) -> list[Seen]:
    """What a watch makes of the film that follows."""
    watch.camera = film.camera()
    return seen(played(watch, work, len(film.frames)))


def notices(events: list[Seen | Notice]) -> list[str]:
    return [event.text for event in events if isinstance(event, Notice) and event.text]


TWO = {(60, 60): 3, (180, 120): 5}
COCKED = {(60, 60): 3, (180, 120): 0}
ONES = {(200, 60): 1, (100, 180): 1}
SWEPT = {(250, 180): 3, (60, 190): 5}


def asked_and_named(count: int, tray: Tray, *answer: str) -> TrayWatch:
    """A watch that has seen this thrown, asked about it and been told what was entered."""
    film = Film().rest({}).throw(tray)
    watch = TrayWatch(film.camera())
    (found,) = seen(played(watch, job(1, count), len(film.frames)))
    assert not found.is_settled
    assert found.answered is not None
    found.answered(answer)
    return watch


def coloured(frame: np.ndarray, dice_sets: tuple[DiceSet, ...]) -> Reading:
    """Dice of which those that show a 5 or 6 are black."""
    reading = read(frame, dice_sets)
    colours = ("black" if die.face in ("5", "6") else "red" for die in reading.dice)
    dice = (
        msgspec.structs.replace(die, die="d10", colour=colour)
        for die, colour in zip(reading.dice, colours, strict=True)
    )
    return msgspec.structs.replace(reading, dice=tuple(dice))


def blind(frame: np.ndarray, dice_sets: tuple[DiceSet, ...]) -> Reading:
    """The tray as it is read where no die is found at its left."""
    reading = read(frame, dice_sets)
    return msgspec.structs.replace(reading, dice=tuple(die for die in reading.dice if die.bbox.x > 60))
