"""The stock of labelled pictures that training draws from: generated scenes on disk, and real photographs."""

from __future__ import annotations

import functools
import math
import multiprocessing
import pickle
from concurrent.futures import ProcessPoolExecutor
from typing import TYPE_CHECKING, NamedTuple, TypeVar

import cv2
import numpy as np

from vision import sets
from vision.labels import read_labels
from vision.train.scenes import ANY, SYMBOLS, Label, scene

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    from vision.frames import Frame
    from vision.labels import LabelledDie
    from vision.train.scenes import Scene, Wanted

Item = TypeVar("Item")
Result = TypeVar("Result")

SIZE = (512, 448)  # pixels of a generated scene
# What the dice of labelled pictures are to the networks, by the die's name or that of the picture's kind.
_KINDS = {"d6": "pips", "action": "d6num", "d6num": "d6num", "d10": "d10", "dday": "symbols"}
_DDAY = sets.load("dday").kinds[0].faces


class Shot(NamedTuple):
    """One labelled picture; `source` names the folder of a photograph and is empty for a generated scene.

    `others` says that symbol dice lie in it that have no labels.
    """

    encoded: bytes
    dice: tuple[Label, ...]
    hands: tuple[tuple[float, float, float, float], ...]
    source: str = ""
    file: str = ""
    others: bool = False

    def picture(self) -> Frame:
        """The decoded picture, BGR."""
        decoded = cv2.imdecode(np.frombuffer(self.encoded, np.uint8), cv2.IMREAD_COLOR)
        assert decoded is not None
        return np.asarray(decoded, np.uint8)


def in_parallel(work: Callable[[Item], Result], items: Iterable[Item]) -> list[Result]:
    """What the work makes of each item, in order, by one process a core."""
    clean = multiprocessing.get_context("forkserver")  # a fork of a process with PyTorch's threads hangs
    with ProcessPoolExecutor(mp_context=clean, initializer=cv2.setNumThreads, initargs=(1,)) as pool:
        return list(pool.map(work, items))


def generate(folder: Path, files: int, *, each: int = 250, wanted: Wanted = ANY) -> None:
    """Write files of so many generated scenes each, from the seed in their names, of what is wanted."""
    folder.mkdir(parents=True, exist_ok=True)
    in_parallel(functools.partial(_generate, folder, each, wanted), range(files))


def _generate(folder: Path, each: int, wanted: Wanted, number: int) -> None:
    rng = np.random.default_rng(1000 + number)
    scenes = [scene(rng, size=SIZE, wanted=wanted) for _ in range(each)]
    write(folder, number, scenes)


def write(folder: Path, number: int, scenes: Iterable[Scene]) -> None:
    """A file of scenes, as `generated` reads them."""
    shots = [
        (cv2.imencode(".jpg", s.picture, [cv2.IMWRITE_JPEG_QUALITY, 96])[1].tobytes(), s.dice, s.hands)
        for s in scenes
    ]
    (folder / f"{number:03d}.pkl").write_bytes(pickle.dumps(shots))


def generated(folder: Path) -> list[Shot]:
    """Every scene that was written there."""
    shots: list[Shot] = []
    for file in sorted(folder.glob("*.pkl")):
        for encoded, dice, hands in pickle.loads(file.read_bytes()):  # noqa: S301  # our own files
            shots.append(Shot(encoded, tuple(Label(*die) for die in dice), tuple(hands)))
    return shots


def photographs(folders: Iterable[Path]) -> list[Shot]:
    """The labelled pictures of folders that hold a labels.jsonl; a box that nobody drew is all NaN.

    Left out are pictures of several dice of which some have no box.
    """
    shots = []
    for folder in folders:
        for labelled in read_labels(folder):
            boxes = [die.bbox for die in labelled.dice]
            if len(boxes) == 1 or (boxes and None not in boxes):
                dice = tuple(_label(die, labelled.kind) for die in labelled.dice)
                name = labelled.path.name
                shots.append(Shot(labelled.path.read_bytes(), dice, (), folder.name, name, labelled.others))
    return shots


def _label(die: LabelledDie, image_kind: str) -> Label:
    kind = _KINDS.get(die.die or image_kind, "other")
    face = "" if kind == "other" or die.face is None else die.face
    if kind == "symbols" and face:
        face = f"s{SYMBOLS + _DDAY.index(face)}"
    box = (math.nan,) * 4 if die.bbox is None else (*die.bbox,)
    return Label(kind, face, box, readable=bool(face), either=False, flat=bool(face) or kind == "other")
