"""The stock of labelled pictures that training draws from: generated scenes on disk, and real photographs."""

from __future__ import annotations

import pickle
from typing import TYPE_CHECKING, NamedTuple

import cv2
import numpy as np

from vision.labels import read_labels
from vision.train.scenes import Label, scene

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from vision.frames import Frame

SIZE = (512, 448)  # pixels of a generated scene
_AT_ONCE = 250  # scenes a file


class Shot(NamedTuple):
    """One labelled picture; `source` names the folder of a photograph and is empty for a generated scene."""

    encoded: bytes
    dice: tuple[Label, ...]
    hands: tuple[tuple[float, float, float, float], ...]
    source: str = ""
    file: str = ""

    def picture(self) -> Frame:
        """The decoded picture, BGR."""
        decoded = cv2.imdecode(np.frombuffer(self.encoded, np.uint8), cv2.IMREAD_COLOR)
        assert decoded is not None
        return np.asarray(decoded, np.uint8)


def generate(folder: Path, first: int, last: int) -> None:
    """Write files of generated scenes, each from the seed in its name."""
    folder.mkdir(parents=True, exist_ok=True)
    for number in range(first, last):
        rng = np.random.default_rng(1000 + number)
        scenes = [scene(rng, size=SIZE) for _ in range(_AT_ONCE)]
        shots = [
            (cv2.imencode(".jpg", s.picture, [cv2.IMWRITE_JPEG_QUALITY, 96])[1].tobytes(), s.dice, s.hands)
            for s in scenes
        ]
        (folder / f"{number:03d}.pkl").write_bytes(pickle.dumps(shots))


def generated(folder: Path) -> list[Shot]:
    """Every scene that `generate` wrote there."""
    shots: list[Shot] = []
    for file in sorted(folder.glob("*.pkl")):
        for encoded, dice, hands in pickle.loads(file.read_bytes()):  # noqa: S301  # our own files
            shots.append(Shot(encoded, tuple(Label(*die) for die in dice), tuple(hands)))
    return shots


def photographs(folders: Iterable[Path]) -> list[Shot]:
    """The photographs of pip dice whose boxes are known; each folder holds a labels.jsonl."""
    shots = []
    for folder in folders:
        for labelled in read_labels(folder):
            if labelled.kind == "d6" and all(die.bbox is not None for die in labelled.dice):
                dice = tuple(
                    Label(
                        "pips", str(die.face), (die.bbox.x, die.bbox.y, die.bbox.w, die.bbox.h), True, False
                    )
                    for die in labelled.dice
                    if die.bbox is not None
                )
                shots.append(Shot(labelled.path.read_bytes(), dice, (), folder.name, labelled.path.name))
    return shots
