"""Measures a reader on harmed photographs of pip dice: `python -m vision.train.harms LABELLED`.

Each picture of pip dice in LABELLED is read once for each harm, with the harm done to it; all harms unless
some are named with `--harm`. `--weights` names a folder of other networks than the shipped ones.
Each harm's line says of each source which share of the dice is right and sure, how many are sure and wrong
(and after the + sure where no die is), and how many pictures are all right.
"""

from __future__ import annotations

import argparse
import functools
import zlib
from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import cv2
import msgspec
import numpy as np

from vision import bench, frames, labels, sets
from vision.bench import Outcome
from vision.errors import LabelError, VisionError
from vision.reader import WEIGHTS, Reader
from vision.reading import Box
from vision.train import stock

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from vision.bench import ImageScore
    from vision.frames import Frame
    from vision.labels import Labelled

_PIPS = "d6"  # the kind of a picture in which all dice have pips
_AS_IS = ((1.0, 0.0), (0.0, 1.0))


class Harm(NamedTuple):
    """What is done to a picture, and where its points go: relative to its middle, in sides of the picture."""

    do: Callable[[Frame, np.random.Generator], NDArray[np.generic]]
    onto: tuple[tuple[float, float], tuple[float, float]] = _AS_IS

    def done_to(self, picture: Frame, seed: int) -> Frame:
        """The harmed picture; the same seed gives the same."""
        harmed = self.do(picture, np.random.default_rng(seed))
        return np.ascontiguousarray(np.clip(harmed, 0, 255), np.uint8)

    def moved(self, box: Box, before: tuple[int, ...], after: tuple[int, ...]) -> Box:
        """Where a box lies in the harmed picture; `before` and `after` are the shapes of the pictures."""
        turn, (old, new) = np.array(self.onto), (np.array(shape[1::-1], float) for shape in (before, after))
        middle = (turn @ (np.array(box.middle) / old - 0.5) + 0.5) * new
        width, height = np.abs(turn) @ (np.array([box.w, box.h]) / old) * new
        return Box(float(middle[0] - width / 2), float(middle[1] - height / 2), float(width), float(height))


def _scaled(across: float, down: float) -> Harm:
    how = cv2.INTER_AREA if across < 1 else cv2.INTER_CUBIC
    return Harm(lambda seen, _: np.asarray(cv2.resize(seen, None, fx=across, fy=down, interpolation=how)))


def _jpeg(quality: int) -> Harm:
    def do(seen: Frame, _: np.random.Generator) -> Frame:
        stored = cv2.imencode(".jpg", seen, [cv2.IMWRITE_JPEG_QUALITY, quality])[1]
        return np.asarray(cv2.imdecode(stored, cv2.IMREAD_COLOR), np.uint8)

    return Harm(do)


def _tinted(*gains: float) -> Harm:
    return Harm(lambda seen, _: seen * np.array(gains))


def _hue(turn: int) -> Harm:
    def do(seen: Frame, _: np.random.Generator) -> NDArray[np.generic]:
        hsv = np.asarray(cv2.cvtColor(seen, cv2.COLOR_BGR2HSV))
        hsv[..., 0] = (hsv[..., 0].astype(int) + turn // 2) % 180
        return np.asarray(cv2.cvtColor(hsv, cv2.COLOR_HSV2BGR))

    return Harm(do)


def _grey(seen: Frame, _: np.random.Generator) -> NDArray[np.generic]:
    return np.asarray(cv2.cvtColor(cv2.cvtColor(seen, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR))


def _chroma(seen: Frame, _: np.random.Generator) -> NDArray[np.generic]:
    """Colours a quarter as fine as the light."""
    height, width = seen.shape[:2]
    parts = np.asarray(cv2.cvtColor(seen, cv2.COLOR_BGR2YCrCb))
    coarse = cv2.resize(parts, None, fx=0.25, fy=0.25, interpolation=cv2.INTER_AREA)
    parts[..., 1:] = cv2.resize(coarse, (width, height), interpolation=cv2.INTER_LINEAR)[..., 1:]
    return np.asarray(cv2.cvtColor(parts, cv2.COLOR_YCrCb2BGR))


def _shaken(seen: Frame, rng: np.random.Generator) -> NDArray[np.generic]:
    """Drawn out along a line of a hundredth of the picture's longer side."""
    length = max(3, max(seen.shape) // 100)
    line, middle, angle = np.zeros((length, length), np.float32), (length - 1) / 2, rng.uniform(0, np.pi)
    x, y = middle * np.cos(angle), middle * np.sin(angle)
    ends = [(round(middle + s * x), round(middle + s * y)) for s in (-1, 1)]
    cv2.line(line, ends[0], ends[1], 1.0)
    return np.asarray(cv2.filter2D(seen, -1, line / line.sum()))


def _blurred(seen: Frame, _: np.random.Generator) -> NDArray[np.generic]:
    return np.asarray(cv2.GaussianBlur(seen, (0, 0), max(seen.shape) / 450))


def _sharpened(seen: Frame, _: np.random.Generator) -> NDArray[np.generic]:
    fine = seen - np.asarray(cv2.GaussianBlur(seen, (0, 0), max(seen.shape) / 600), np.float64)
    return np.asarray(seen + 1.5 * fine)


def _far(seen: Frame) -> NDArray[np.float64]:
    """How far each pixel lies from the middle: 1 in the corners."""
    down, across = (np.linspace(-1, 1, side) for side in seen.shape[:2])
    return np.asarray(np.hypot(across, down[:, None])[..., None] / 2**0.5)


def _lamp(seen: Frame, rng: np.random.Generator) -> NDArray[np.generic]:
    """A lamp's gleam somewhere, as wide as a sixth of the picture."""
    height, width = seen.shape[:2]
    x, y = rng.uniform(0.2, 0.8, 2) * (width, height)
    away = np.hypot(np.arange(width) - x, np.arange(height)[:, None] - y)
    return np.asarray(seen + 160 * np.exp(-((away / (max(seen.shape) / 12)) ** 2))[..., None])


HARMS = {
    "none": Harm(lambda seen, _: seen),
    "smaller": _scaled(0.6, 0.6),
    "larger": _scaled(2, 2),
    "squashed": _scaled(1, 0.85),
    "jpeg-25": _jpeg(25),
    "jpeg-10": _jpeg(10),
    "dark": _tinted(0.33),
    "washed-out": Harm(lambda seen, _: 0.45 * seen + 130.0),
    "blue": _tinted(1.25, 0.95, 0.7),
    "yellow": _tinted(0.6, 0.95, 1.1),
    "grey": Harm(_grey),
    "hue-60": _hue(60),
    "hue-180": _hue(180),
    "chroma": Harm(_chroma),
    "noise": Harm(lambda seen, rng: seen + rng.normal(0, 12, seen.shape)),
    "blurred": Harm(_blurred),
    "shaken": Harm(_shaken),
    "sharpened": Harm(_sharpened),
    "vignette": Harm(lambda seen, _: seen * (1 - 0.7 * _far(seen) ** 2)),
    "lamp": Harm(_lamp),
    "negative": Harm(lambda seen, _: 255 - seen),
    "mirrored": Harm(lambda seen, _: seen[:, ::-1], ((-1.0, 0.0), (0.0, 1.0))),
    "quarter-turn": Harm(lambda seen, _: np.rot90(seen, -1), ((0.0, -1.0), (1.0, 0.0))),
    "half-turn": Harm(lambda seen, _: seen[::-1, ::-1], ((-1.0, 0.0), (0.0, -1.0))),
}


def measured(folder: Path, weights: Path, harm: str) -> list[ImageScore]:
    """Every picture of pip dice at or under a folder, read by these networks with a harm done to it.

    Raises LabelError where there is none.
    """
    pictures = [
        (source.name, labelled)
        for source in bench.sources(folder)
        for labelled in labels.read_labels(source)
        if labelled.kind == _PIPS
    ]
    if not pictures:
        raise LabelError(f"{folder} has no picture of kind {_PIPS}")
    return stock.in_parallel(functools.partial(scored, weights=weights, harm=harm), pictures)


def scored(picture: tuple[str, Labelled], *, weights: Path, harm: str) -> ImageScore:
    """A picture of a source, read by these networks with a harm done to it."""
    source, labelled = picture
    seen = frames.load(labelled.path)
    harmed = HARMS[harm].done_to(seen, zlib.crc32(labelled.path.name.encode()))
    dice = tuple(
        msgspec.structs.replace(die, bbox=HARMS[harm].moved(die.bbox, seen.shape, harmed.shape))
        if die.bbox
        else die
        for die in labelled.dice
    )
    reading = _reader(weights).read(harmed, sets.load(_PIPS))
    return bench.score(source, msgspec.structs.replace(labelled, dice=dice), reading)


@functools.cache
def _reader(weights: Path) -> Reader:
    return Reader(weights)


def told(scores: Sequence[ImageScore]) -> str:
    """A line: each source, and all together."""
    groups: dict[str, list[ImageScore]] = defaultdict(list)
    for one in scores:
        groups[one.source].append(one)
        groups["all"].append(one)
    cells = []
    for name, some in groups.items():
        outcomes = [die.outcome for one in some for die in one.dice]
        wrong, invented = outcomes.count(Outcome.WRONG), outcomes.count(Outcome.INVENTED)
        right, of = outcomes.count(Outcome.RIGHT), len(outcomes) - invented
        cells.append(f"{name} {right / max(1, of):.1%} {wrong}+{invented} {sum(one.whole for one in some)}")
    return " | ".join(cells)


def main() -> None:
    """Print a line a harm."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("labelled", type=Path)
    parser.add_argument("--harm", action="append", choices=HARMS, help="one harm of these")
    parser.add_argument("--weights", type=Path, default=WEIGHTS)
    asked = parser.parse_args()
    try:
        for harm in asked.harm or HARMS:
            print(f"{harm:13}{told(measured(asked.labelled, asked.weights, harm))}", flush=True)
    except VisionError as error:
        parser.error(str(error))


if __name__ == "__main__":
    main()
