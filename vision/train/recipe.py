"""The recipe of the shipped networks: `python -m vision.train.recipe SCENES PHOTOGRAPHS OUT`.

SCENES is a folder for generated pictures (made when empty), PHOTOGRAPHS one with a labelled folder a source.
An hour on one core: the finder learns from scenes alone, puts tight boxes round the dice of the photographs,
and learns from both; the face network learns from both, and from what the finder wrongly takes for dice.
"""

from __future__ import annotations

import argparse
import collections
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import torch

from vision import find
from vision.network import Network
from vision.reading import Box
from vision.train import fit_faces, fit_finder, stock
from vision.train.nets import CROP, export

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from vision.train.fit_faces import Crops
    from vision.train.stock import Shot

_SCENES = 60  # files of generated scenes
_UPRIGHT = {"floor_webcam"}  # sources whose camera looks from the side: their pictures are not turned far
_PHOTOGRAPHS = 0.5  # share of photographs in the finder's training
_SHARES = {"scenes": 0.53, "photographs": 0.35, "nothing": 0.12}  # of the face network's


def main() -> None:
    """Make both networks and write them as ONNX."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("scenes", type=Path)
    parser.add_argument("photographs", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--without", action="append", default=[], help="leave a source out, to test on it")
    asked = parser.parse_args()
    if not any(asked.scenes.glob("*.pkl")):
        stock.generate(asked.scenes, 0, _SCENES)
    scenes = stock.generated(asked.scenes)
    folders = [f for f in sorted(asked.photographs.iterdir()) if f.is_dir() and f.name not in asked.without]
    asked.out.mkdir(parents=True, exist_ok=True)
    finder_file, faces_file = asked.out / "finder.onnx", asked.out / "faces.onnx"

    finder = fit_finder.fit(scenes, _even(scenes), seconds=540, start=None, seed=1)
    export(finder, torch.zeros(1, 3, 384, 640), finder_file)
    net = Network(finder_file)
    photographs = [tightened(shot, net) for shot in stock.photographs(folders)]
    shots = scenes + photographs
    finder = fit_finder.fit(shots, _even(shots), seconds=480, start=finder, seed=2, rate=1e-3)
    export(finder, torch.zeros(1, 3, 384, 640), finder_file)

    net = Network(finder_file)
    faces = fit_faces.fit(_stocks(scenes, photographs, net), seconds=1800, start=None, seed=3)
    export(faces, torch.zeros(2, 3, CROP, CROP), faces_file)


def tightened(shot: Shot, net: Network) -> Shot:
    """The photograph with each box that people drew replaced by the finder's, where the two mean the same."""
    found = find.find(shot.picture(), net)
    dice = []
    for die in shot.dice:
        drawn = Box(*die.bbox)
        fits = [c.box for c in found if c.score > 0.4 and find.same(c.box, drawn)]
        dice.append(die._replace(bbox=(*fits[0],)) if fits else die)
    return shot._replace(dice=tuple(dice))


def _even(shots: list[Shot]) -> NDArray[np.float64]:
    """Odds that draw as often from each source of photographs, and from scenes with what is left."""
    per = collections.Counter(shot.source for shot in shots)
    real = len(per) - 1
    share = {source: _PHOTOGRAPHS / real if source else 1 - _PHOTOGRAPHS * (real > 0) for source in per}
    return np.array([share[shot.source] / per[shot.source] for shot in shots])


def _stocks(scenes: list[Shot], photographs: list[Shot], net: Network) -> list[tuple[Crops, float]]:
    by_source: dict[str, list[Shot]] = collections.defaultdict(list)
    for shot in photographs:
        by_source[shot.source].append(shot)
    stocks = [(fit_faces.cut(scenes, seed=1, turn=15, blanks=0.15), _SHARES["scenes"])]
    for source, shots in by_source.items():
        crops = fit_faces.cut(shots, seed=2, turn=25 if source in _UPRIGHT else 180, blanks=0.3)
        stocks.append((fit_faces.mirrored(crops), _SHARES["photographs"] / len(by_source)))
    nothing = [(shot, mistakes(shot, net)) for shot in [*photographs, *scenes[::6]]]
    return [*stocks, (fit_faces.cut_nothing(nothing), _SHARES["nothing"])]


def mistakes(shot: Shot, net: Network) -> list[Box]:
    """What the finder takes for a die, however faintly, where none is labelled."""
    taken = [Box(*box) for box in (*(die.bbox for die in shot.dice), *shot.hands)]
    found = find.find(shot.picture(), net)
    return [c.box for c in found if not any(_touch(c.box, other) for other in taken)]


def _touch(a: Box, b: Box) -> bool:
    return (
        abs(a.x + a.w / 2 - b.x - b.w / 2) < (a.w + b.w) / 2
        and abs(a.y + a.h / 2 - b.y - b.h / 2) < (a.h + b.h) / 2
    )


if __name__ == "__main__":
    main()
