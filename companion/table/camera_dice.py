"""The camera as a source of dice: it watches the tray while a roll is asked for, and posts what it saw."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from pathlib import Path

from msgspec.structs import replace

from companion.engine.asks import Roll
from companion.engine.records import RolledDie
from companion.table.dice import Post
from companion.table.events import USUAL, Habits, Notice, Seen
from companion.table.matching import Group, groups, lacking, untaught
from companion.table.tray_watch import Job, TrayWatch
from vision import DiceSet, DiceSetError, VisionError, sets, teach
from vision.camera import Camera, is_over

RETRY = 0.3
"""Seconds between looks at a camera that has no picture to give."""

ASK_AFTER = 0.25
"""Seconds between questions whether the camera is well: a small Pi takes longer to read a picture."""

FLAPS = 3
"""Losses in one roll from which on a camera's cable is taken for loose."""

COMES_AND_GOES = "the camera comes and goes: check its cable"


class CameraDice:
    """Reads rolls from a camera, in a thread of its own.

    `taught` is the folder of taught dice sets; which of them lie in the tray follows from what the game calls
    its dice. While the camera is away the player enters the dice, and is told so once a roll. For `pictures`
    and `misread` see TrayWatch.
    """

    def __init__(
        self,
        camera: Camera,
        *,
        taught: Path | None = None,
        pictures: Path | None = None,
        habits: Habits = USUAL,
        misread: Sequence[RolledDie] = (),
    ) -> None:
        self._watch = TrayWatch(camera, pictures, habits, taught, misread)
        self._taught = taught
        self._known: dict[str, None] = {}
        self._rolls = 0
        self._order: tuple[Job, Post] | None = None
        self._changed = threading.Condition()
        self._closed = threading.Event()
        self._trouble: tuple[int, str] | None = None
        self._losses = (0, 0)  # the roll, and how often the camera was lost in it
        # Whose picture may be the one that can't be read, and why.
        self._missed: tuple[Job, str] | None = None
        self._said = threading.Lock()
        self._thread = threading.Thread(target=self._run, name="camera dice", daemon=True)
        self._thread.start()
        threading.Thread(target=self._ask_after, name="camera well", daemon=True).start()

    def watch(self, n: int, roll: Roll, post: Post) -> None:
        """Look for the dice of ask `n` from now on; dice that no set has are left to the player."""
        self._rolls += 1
        try:
            wanted, dice_sets = self._wanted(roll)
        except (VisionError, OSError) as error:  # a failing card may not give what was taught
            self._put(None)
            post(Notice(by_hand(str(error))))
            return
        self._put((Job(n, roll, wanted, dice_sets, self._rolls), post))

    def pass_over(self) -> None:
        """Don't look: the dice lie there already, but what lies there next may be another throw."""
        self._rolls += 1
        self._put(None)

    def rest(self) -> None:
        """Stop looking: the roll is answered."""
        self._put(None)

    def close(self) -> None:
        """Let go of the camera; again does nothing."""
        if self._closed.is_set():
            return
        self._closed.set()
        self._put(None)
        self._thread.join(timeout=3.0)
        self._watch.camera.close()

    def _wanted(self, roll: Roll) -> tuple[tuple[Group, ...], tuple[DiceSet, ...]]:
        """The dice of a roll, and the sets of all dice that this game has asked for, which may lie there too.

        Raises DiceSetError for dice that nobody can read.
        """
        names = dict.fromkeys(set_name(dice.die) for dice in roll.dice)
        ours = [sets.load(name, self._taught) for name in names]
        wanted = groups(roll, ours)
        if wanted is None:
            raise DiceSetError(lacking(roll, ours))
        for dice_set in ours:
            if not teach.samples(dice_set) and (why := untaught(dice_set, dice_set.kinds)):
                raise DiceSetError(why)
        self._known |= names
        return wanted, tuple(sets.load(name, self._taught) for name in self._known)

    def _put(self, order: tuple[Job, Post] | None) -> None:
        with self._changed:
            self._order = order
            self._changed.notify_all()

    def _run(self) -> None:
        while not self._closed.is_set():
            order = self._next_order()
            if order is not None:
                self._look(*order)

    def _next_order(self) -> tuple[Job, Post] | None:
        """Wait until dice are to be looked for; None when all is over."""
        with self._changed:
            self._changed.wait_for(lambda: self._order is not None or self._closed.is_set())
            return self._order

    def _look(self, job: Job, post: Post) -> None:
        """One look at the tray."""
        try:
            events = list(self._watch.look(job))
        except Exception as error:  # noqa: BLE001 - the game goes on by hand, whatever happened here
            if self._watch.camera.stills and not is_over(error):
                self._missed = job, str(error)
            if self._is_open(job):
                self._say((job.n, str(error)), post)
            self._closed.wait(RETRY)
            return
        if self._is_open(job):
            self._is_well(job.n, post)
            if self._missed is not None and self._missed[0] is job:
                says = Notice(f"{self._missed[1]}; is the next one this throw?")
                events = [*map(asked_about, events), says]
            for event in events:
                post(event)
        if self._watch.camera.stills:
            self._finish(job)

    def _ask_after(self) -> None:
        """Say that the camera is gone also where the other thread is busy with its last picture."""
        while not self._closed.wait(ASK_AFTER):
            order = self._next_order()
            trouble = self._watch.camera.trouble
            if order is not None and trouble is not None:
                self._say((order[0].n, str(trouble)), order[1])

    def _say(self, trouble: tuple[int, str], post: Post) -> None:
        """Say once a roll that its dice have to be entered; of a loose cable, nothing more in that roll."""
        n = trouble[0]
        with self._said:
            if self._trouble is None and not self._watch.camera.stills:
                self._losses = (n, self._losses[1] + 1 if self._losses[0] == n else 1)
            roll, losses = self._losses
            if roll == n and losses >= FLAPS:
                trouble = n, COMES_AND_GOES
            if trouble != self._trouble:
                self._trouble = trouble
                post(Notice(by_hand(trouble[1])))

    def _is_well(self, n: int, post: Post) -> None:
        """A picture came: say so if it was said to be gone, unless it went again meanwhile.

        Of pictures that are throws of their own, none was away: what was said of one is over.
        """
        with self._said:
            if self._trouble is None or self._trouble == (n, COMES_AND_GOES):
                return
            if self._watch.camera.trouble is None:
                said, self._trouble = by_hand(self._trouble[1]), None
                post(Notice("", ends=said) if self._watch.camera.stills else Notice("camera is back"))

    def _is_open(self, job: Job) -> bool:
        return self._order is not None and self._order[0] is job

    def _finish(self, job: Job) -> None:
        with self._changed:
            if self._is_open(job):
                self._order = None


def by_hand(why: str) -> str:
    """That dice have to be entered, in a line."""
    return f"dice by hand: {why}"


def asked_about(event: Seen | Notice) -> Seen | Notice:
    """The same, but dice that are seen are not taken before OK: their picture may show the next throw."""
    if isinstance(event, Notice):
        return event
    return replace(event, habits=replace(event.habits, confirm=True))


def set_name(die: str) -> str:
    """The dice set of a game's die: `okinawa.d10` is of the set `okinawa`, `d6` is one by itself."""
    return die.partition(".")[0]
