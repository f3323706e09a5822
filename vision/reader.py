"""Reading a frame: find the dice, read their faces, say which of them a person must be asked about."""

from __future__ import annotations

import functools
import hashlib
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING

from vision import colours, faces, find, frames, lean, sets, shaken, teach, verdict
from vision.network import Network
from vision.reading import Reading
from vision.sets import Marks
from vision.taught import Gallery, upright
from vision.verdict import Asked, Sight

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from vision.faces import View
    from vision.find import Candidate
    from vision.frames import Frame
    from vision.reading import Box, Die
    from vision.sets import DiceSet

WEIGHTS = Path(__file__).parent / "data"
_FEW = 6  # dice that there is time to look at in full, by the network that also tells slopes better
_FACES = "faces.onnx"


def _network(file: str) -> functools.cached_property[Network]:
    return functools.cached_property(lambda reader: Network(reader.weights / file))


class Reader:
    """Reads frames with the networks in a folder of `weights`, loaded with the first frame that needs them.

    `finder` finds dice, `glance` sees them first where all that are asked for have pips, `faces` reads them,
    and `numerals` what is on those with numerals.
    """

    finder, glance = _network("finder.onnx"), _network("glance.onnx")
    faces, numerals = _network(_FACES), _network("numerals.onnx")

    def __init__(self, weights: Path = WEIGHTS) -> None:
        self.weights = weights
        self._busy = threading.Lock()
        self._galleries: dict[str | None, tuple[DiceSet, frozenset[Path], Gallery | None]] = {}

    def read(
        self,
        frame: Frame,
        dice_set: DiceSet | str | Iterable[DiceSet | str],
        *,
        expect: Mapping[str, int] | None = None,
    ) -> Reading:
        """Read every die in a frame; see `vision.read`."""
        started = time.thread_time()
        frames.check(frame)
        with self._busy:
            asked = [self._asked(one) for one in sets.together(dice_set)]
            found = find.find(frame, self.finder)
            dice = self._dice(frame, found, asked)
        sure = all(die.sure or die.foreign for die in dice) and _as_expected(dice, expect or {})
        sure = sure and all(map(_can_be_told, asked))
        return Reading(dice=dice, sure=sure, ms=(time.thread_time() - started) * 1000)

    def _dice(self, frame: Frame, candidates: Sequence[Candidate], asked: Sequence[Asked]) -> tuple[Die, ...]:
        height, width = frame.shape[:2]
        boxes = [candidate.box for candidate in candidates]
        marks = {kind.marks for one in asked for kind in one.dice_set.kinds}
        if marks == {Marks.PIPS} and len(boxes) > _FEW:
            looks = faces.glances(frame, boxes, self.faces, self.glance)
        else:
            looks = faces.looks(frame, boxes, self.faces)
        seen = [one for one in zip(candidates, looks, strict=True) if not verdict.is_none(*one)]
        slopes = lean.slopes([look for _, look in seen], [candidate.box for candidate, _ in seen], width)
        rough = lean.roughness(slopes)
        tones = functools.cache(lambda: [colours.tone(frame, candidate.box) for candidate, _ in seen])
        gain = functools.cache(lambda gallery, kind: gallery.gain(tones(), kind.name))
        dice = []
        for (candidate, first), slope in zip(seen, slopes, strict=True):
            box = candidate.box
            partial = find.crowded(candidate, candidates) or find.cut_off(box, width, height)
            sight = Sight(frame, box, slope=slope, rough=rough, partial=partial, gain=gain)
            look = self._with_numerals(frame, box, first, marks)
            die = verdict.judge(sight, look, asked)
            if not (die.sure or die.foreign or partial):
                closer = faces.closer(frame, box, look, self.faces)
                die = verdict.judge(sight, self._with_numerals(frame, box, closer, marks), asked)
            dice.append(die)
        told = _unless_shaken(frame, dice, asked)
        return tuple(sorted(told, key=lambda die: (die.bbox.y, die.bbox.x)))

    def _with_numerals(self, frame: Frame, box: Box, look: View, marks: set[Marks]) -> View:
        """The view with what the network of numerals says, where the die may have some that are asked for."""
        if Marks.NUMERALS not in marks:
            return look
        if look.kinds[:, faces.WITH_NUMERALS].sum(axis=1).mean() < verdict.NO_NUMERAL:
            return look
        return faces.with_numerals(frame, box, look, self.numerals)

    def gallery(self, dice_set: DiceSet) -> Gallery | None:
        """What the samples of a taught set look like to this reader; None while there are too few."""
        if not Gallery.usable(dice_set):
            return None
        name = hashlib.sha256((self.weights / _FACES).read_bytes()).hexdigest()[:12]
        return Gallery(dice_set, self.faces, name)

    def marks(self, samples: Iterable[Frame]) -> Marks:
        """What these samples of a six-sided die have on it; any other die is read as one of symbols."""
        kinds = faces.view([upright(sample) for sample in samples], self.faces).kinds.mean(axis=0)
        known = {faces.PIPS: Marks.PIPS, faces.D6_NUMERALS: Marks.NUMERALS}
        return known.get(int(kinds.argmax()), Marks.SYMBOLS)

    def _asked(self, dice_set: DiceSet) -> Asked:
        changed = teach.changed(dice_set)
        known = self._galleries.get(dice_set.taught)
        if known is None or known[:2] != (dice_set, changed):
            known = (dice_set, changed, self.gallery(dice_set))
            self._galleries[dice_set.taught] = known
        return Asked(dice_set, known[2])


def _unless_shaken(frame: Frame, dice: Sequence[Die], asked: Sequence[Asked]) -> Sequence[Die]:
    """The dice, none with numerals sure where the camera moved: pips and symbols are read all the same."""
    kinds = {kind.name for one in asked for kind in one.dice_set.kinds if kind.marks is Marks.NUMERALS}
    numerals = [die for die in dice if die.sure and die.die in kinds]
    if numerals and shaken.is_shaken(frame, [die.bbox for die in numerals]):
        return [verdict.in_doubt(die) if die in numerals else die for die in dice]
    return dice


def read(
    frame: Frame,
    dice_set: DiceSet | str | Iterable[DiceSet | str],
    *,
    expect: Mapping[str, int] | None = None,
) -> Reading:
    """Read every die in a frame (height x width x 3, uint8, BGR).

    `dice_set` is a set, or the name of one that is built in, or several of these. `expect` says how many dice
    of a kind the game waits for; another count makes the reading unsure. Raises FrameError for a picture that
    is none, DiceSetError for a set that can't be used.
    """
    return _default().read(frame, dice_set, expect=expect)


@functools.cache
def _default() -> Reader:
    return Reader()


def _can_be_told(asked: Asked) -> bool:
    """Whether all kinds of a set are known by sight: what was never taught is taken for something foreign."""
    shown = {kind.name for kind in asked.gallery.kinds} if asked.gallery else set()
    return all(kind.marks is not Marks.SYMBOLS or kind.name in shown for kind in asked.dice_set.kinds)


def _as_expected(dice: tuple[Die, ...], expect: Mapping[str, int]) -> bool:
    return all(sum(die.die == kind for die in dice) == count for kind, count in expect.items())
