"""Taught dice: what the face network makes of a set's samples, and what that says of a new die.

Each sample is seen as it lies and turned about. Seen so, each face of each die makes a cloud of features; a
new die belongs to the cloud that it is likeliest from, all clouds being taken to have one shape (Fisher's
linear discriminant).
"""

from __future__ import annotations

import contextlib
import statistics
from collections import Counter, defaultdict
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from vision import align, colours, faces, frames, sets, teach
from vision.align import Aligner
from vision.errors import FrameError
from vision.reading import Box
from vision.sets import Marks

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    from vision.colours import Tone
    from vision.faces import View
    from vision.frames import Frame
    from vision.network import Network
    from vision.sets import DiceSet, DieKind
    from vision.teach import Sample

_TURNS = tuple(range(0, 360, 30))  # degrees by which each sample is turned
_MEMORY = "steep"  # what the files are called in which it is remembered; another name where other things are
_SHARE = 0.08  # of the clouds' mean width that is added to them, since samples are few


class Confusion(msgspec.Struct, frozen=True):
    """How many of a face's samples are taken for another face when they are read with all the others."""

    die: str
    face: str
    said: str
    times: int
    samples: int


class Gallery:
    """The samples of one set. `kinds` are those with samples, `complete` the ones taught in full.

    A die that can be read untaught is not read by samples until all of its faces have some: a few corrected
    ones would draw all others to them. What the network makes of a sample is remembered in the set's
    folder, under the name of the network.
    """

    def __init__(self, dice_set: DiceSet, net: Network, net_name: str) -> None:
        import numpy as np
        from threadpoolctl import threadpool_limits

        assert dice_set.taught is not None
        threadpool_limits(1, user_api="blas")  # such small products gain nothing by threads, which then spin
        self.complete = teach.complete(dice_set)
        self.samples = _usable(dice_set)
        memory = Path(dice_set.taught) / f"{_MEMORY}-{net_name}.npz"
        seen = _seen(self.samples, memory, net, {k.name: _room(k) for k in dice_set.kinds})
        self._kinds = {kind.name: self._with_new_faces(kind) for kind in dice_set.kinds}
        self._features = seen.features
        shown = {sample.die for sample in self.samples}
        self._clouds = {
            name: self._cloud(kind, np.arange(len(self.samples)))
            for name, kind in self._kinds.items()
            if name in shown
        }
        self._aligners = {
            kind.name: self._aligner(kind, seen.templates)
            for kind in self.kinds
            if kind.marks is not Marks.PIPS
        }
        steepness, tones = defaultdict(list), defaultdict(list)
        for sample, tone, steep in zip(self.samples, seen.tones, seen.steepness.tolist(), strict=True):
            steepness[sample.die, sample.face].append(steep)
            tones[sample.die, sample.colour].append(tone)
        self._tones: dict[str, dict[str, Tone]] = defaultdict(dict)
        for (die, colour), some in tones.items():
            if colour is not None:
                self._tones[die][colour] = np.stack(some)
        self._steepness = {face: statistics.fmean(some) for face, some in steepness.items()}

    def _with_new_faces(self, kind: DieKind) -> DieKind:
        """The kind with what samples show that it has not been known to have."""
        shown = [sample.face for sample in self.samples if sample.die == kind.name]
        return sets.checked(msgspec.structs.replace(kind, faces=tuple(dict.fromkeys([*kind.faces, *shown]))))

    @staticmethod
    def usable(dice_set: DiceSet) -> bool:
        """Whether a set has samples to read by."""
        return bool(_usable(dice_set))

    @property
    def kinds(self) -> tuple[DieKind, ...]:
        return tuple(self._kinds[name] for name in self._clouds)

    def _cloud(self, kind: DieKind, rows: NDArray[np.intp]) -> _Clouds:
        """The clouds of a kind's faces, by those of the samples that are given."""
        ours = [row for row in rows if self.samples[row].die == kind.name]
        return _Clouds(self._features[ours].astype(float), [self.samples[row].face for row in ours])

    def nearness(self, looks: View, kind: DieKind) -> NDArray[np.float64]:
        """The logarithm of how likely each look (n) is from each face's cloud; far below any without one."""
        return self._clouds[kind.name].nearness(looks.features, kind.faces)

    def correlations(
        self, frame: Frame, box: Box, lean: NDArray[np.floating], kind: DieKind
    ) -> NDArray[np.float64]:
        """How well the die in a box, if it slopes so, correlates with the prints of a kind's faces; or -1."""
        return self._aligners[kind.name].scores(frame, box, lean)

    def _aligner(self, kind: DieKind, templates: NDArray[np.int8]) -> Aligner:
        import numpy as np

        rows = [n for n, sample in enumerate(self.samples) if sample.die == kind.name]
        of = np.array([kind.faces.index(self.samples[row].face) for row in rows])
        return Aligner(templates[rows], of, len(kind.faces), _room(kind))

    def steepness(self, kind: DieKind, face: str) -> float:
        """How much steeper dice with this face up seem to the network than they lie, by the samples."""
        return max(0.0, self._steepness.get((kind.name, face), 0.0))

    def colour(self, frame: Frame, box: Box, die: str, by: float = 1.0) -> tuple[str | None, float]:
        """The colour of a die of that kind, with its chance; None where colour means nothing.

        `by` is how much more light would make all dice in view look most like the samples. A colour of the
        kind that no sample shows counts by its common name; with one that has none, no die is sure of its
        colour.
        """
        tones = self._tones.get(die, {})
        unseen = [colour for colour in self._kinds[die].colours if colour not in tones]
        common = colours.named(unseen)
        colour, chance = colours.told(frame, box, common | tones, by)
        return colour, chance if common or not unseen else chance / 2

    def gain(self, seen: Sequence[Tone], die: str) -> float:
        """So much more light would make dice of these tones look most like the samples of a kind."""
        return colours.gain(seen, self._tones.get(die, {}))

    def confusions(self) -> tuple[Confusion, ...]:
        """Each sample held against all others: which faces are taken for which, the most frequent first.

        Pips are not read by samples, so none of these are.
        """
        import numpy as np

        seen: Counter[tuple[str, str, str]] = Counter()
        of = Counter((sample.die, sample.face) for sample in self.samples)
        for number, sample in enumerate(self.samples):
            kind = self._kinds[sample.die]
            if kind.marks is Marks.PIPS or of[sample.die, sample.face] < teach.ENOUGH:
                continue
            clouds = self._cloud(kind, np.flatnonzero(np.arange(len(self.samples)) != number))
            said = clouds.likeliest(self._features[number])
            if said != sample.face:
                seen[sample.die, sample.face, said] += 1
        return tuple(
            Confusion(die, face, said, times, of[die, face])
            for (die, face, said), times in seen.most_common()
        )


class _Clouds:
    """Means of faces under one common covariance, by features of samples (n x looks x numbers)."""

    def __init__(self, features: NDArray[np.float64], faces_of: Sequence[str]) -> None:
        import numpy as np

        self._faces = tuple(dict.fromkeys(faces_of))
        of = np.array([self._faces.index(face) for face in faces_of])
        flat = features.reshape(-1, features.shape[-1])
        owner = np.repeat(of, features.shape[1])
        self._means = np.stack([flat[owner == k].mean(axis=0) for k in range(len(self._faces))])
        apart = flat - self._means[owner]
        covariance = apart.T @ apart / len(flat)
        covariance += (_SHARE * np.trace(covariance) / len(covariance) + 1e-6) * np.eye(len(covariance))
        self._round = np.linalg.cholesky(np.linalg.inv(covariance))  # makes the clouds round
        self._means = self._means @ self._round

    def likeliest(self, looks: NDArray[np.floating]) -> str:
        return self._faces[int(self._squares(looks.astype(float)).mean(axis=0).argmin())]

    def nearness(self, looks: NDArray[np.floating], names: Sequence[str]) -> NDArray[np.float64]:
        """Minus half of the squared distances of looks (n) from the means of these faces: n x faces."""
        import numpy as np

        squares = self._squares(looks.astype(float))
        near = np.full((len(looks), len(names)), squares.max() / -2 - 1000)
        for number, face in enumerate(self._faces):
            near[:, names.index(face)] = squares[:, number] / -2
        return near

    def _squares(self, looks: NDArray[np.float64]) -> NDArray[np.float64]:
        """Squared Mahalanobis distances of looks (n) from means (k): n x k."""
        import numpy as np

        apart = (looks @ self._round)[:, None] - self._means[None]
        return np.asarray((apart * apart).sum(axis=2))


def _usable(dice_set: DiceSet) -> tuple[Sample, ...]:
    symbols = {kind.name for kind in dice_set.kinds if kind.marks is Marks.SYMBOLS}
    readable = symbols | teach.complete(dice_set)
    return tuple(sample for sample in teach.samples(dice_set) if sample.die in readable)


class _Seen(NamedTuple):
    """What is remembered of n samples: features (n x turns x 96), templates, tones, steepness.

    Templates are n x turns x pixels, tones n x 3. The steepness (n) is how much more a sample seems to slope
    at each look than all of them together tell: two prints side by side look like two faces with an edge
    between them.
    """

    features: NDArray[np.float32]
    templates: NDArray[np.int8]
    tones: NDArray[np.float64]
    steepness: NDArray[np.float64]


def _seen(samples: Sequence[Sample], memory: Path, net: Network, rooms: dict[str, float]) -> _Seen:
    """Samples as remembered or, where they are new, looked at now and then remembered."""
    import numpy as np

    known = _remembered(memory)
    contents = [frames.stored(sample.file) for sample in samples]
    names = [teach.name_of(content) for content in contents]  # whatever a person calls the files
    fresh = {name: at for at, name in enumerate(names) if name not in known}
    for name, at in fresh.items():
        file = samples[at].file
        try:
            picture = teach.small(frames.decoded(contents[at], str(file)))
        except FrameError as error:
            without = f"companion dice samples remove {memory.parent.name} {file.name}"
            raise FrameError(f"{error}; without it: {without}") from error
        die = _within(picture)
        looks = _looks(picture, net)
        slope = _lean(looks)
        templates = align.templates(picture, die, slope, rooms[samples[at].die])
        steepness = np.asarray(looks.lean[:, 0].mean() - np.hypot(*slope), np.float64)
        known[name] = _Seen(looks.features, templates, colours.tone(picture, die), steepness)
    seen = _Seen(*(np.stack(part) for part in zip(*(known[name] for name in names), strict=True)))
    if fresh:
        with contextlib.suppress(OSError):  # a folder that can't be written to is read more slowly, no more
            np.savez(memory, names=np.array(names), **seen._asdict())
            sets.hand_over(memory)
    return seen


def _remembered(memory: Path) -> dict[str, _Seen]:
    import numpy as np

    try:
        with memory.open("rb") as file, np.load(file, allow_pickle=False) as stored:
            names, parts = stored["names"], [stored[field] for field in _Seen._fields]
            return {str(name): _Seen(*one) for name, *one in zip(names, *parts, strict=True)}
    except Exception:  # noqa: BLE001 - garbled bytes make NumPy raise whatever it meets, it names no end of them
        return {}


def _within(picture: Frame) -> Box:
    """The die's own box in a sample's picture."""
    height, width = picture.shape[:2]
    w, h = width / teach.ROOM, height / teach.ROOM
    return Box((width - w) / 2, (height - h) / 2, w, h)


def _room(kind: DieKind) -> float:
    return align.SYMBOL if kind.marks is Marks.SYMBOLS else align.NUMERAL


def upright(picture: Frame) -> Frame:
    """What the network is shown of a sample as it lies."""
    return _turned(picture, 0, faces.ROOMS[0])


def _looks(picture: Frame, net: Network) -> View:
    """What the network says of a sample, turned by each of _TURNS and cut by turns closer or wider."""
    return faces.view([_turned(picture, turn, faces.ROOMS[n % 2]) for n, turn in enumerate(_TURNS)], net)


def _lean(looks: View) -> NDArray[np.float64]:
    """How a sample's upper face slopes as it lies, by what is said of it turned by each of _TURNS."""
    import numpy as np

    turns = np.radians(_TURNS)
    across, down = looks.lean[:, 1:].T.astype(float)
    cos, sin = np.cos(turns), np.sin(turns)
    return np.array([(cos * across - sin * down).mean(), (sin * across + cos * down).mean()])


def _turned(picture: Frame, turn: float, room: float) -> Frame:
    import cv2
    import numpy as np

    side, size = picture.shape[0], faces.CROP
    scale = size / (side / teach.ROOM * room)
    onto = np.asarray(cv2.getRotationMatrix2D((side / 2, side / 2), turn, scale), np.float64)
    onto[:, 2] += size / 2 - side / 2
    if scale < 0.5:
        picture = np.asarray(cv2.GaussianBlur(picture, (0, 0), 0.4 / scale), np.uint8)
    crop = cv2.warpAffine(picture, onto, (size, size), borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(crop, np.uint8)
