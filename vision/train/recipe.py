"""The recipe of the shipped networks: `python -m vision.train.recipe SCENES LABELLED OUT`.

SCENES is a folder for generated pictures (made when empty), LABELLED one with a labelled folder a source,
at any depth. The finder learns from scenes alone, puts tight boxes round the dice of the labelled pictures,
and learns from both; the face network learns from both, and from what the finder wrongly takes for dice.
With `--fold` a network for measuring is made: every second labelled picture of each source is kept aside.
"""

from __future__ import annotations

import argparse
import collections
import functools
import zlib
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import cv2
import numpy as np
import torch
from torch import nn

from vision import find
from vision.network import Network
from vision.reading import Box
from vision.train import fit_faces, fit_finder, stock
from vision.train.augment import Stock
from vision.train.crops import Crops, cut, cut_nothing, joined, mirrored
from vision.train.nets import CROP, Faces, Finder, export
from vision.train.scenes import Label

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from vision.train.stock import Shot

Net = TypeVar("Net", bound=nn.Module)

_RATE = 2e-3  # at which networks learn from scratch; half of it where they go on
_SCENES = 80  # files of generated scenes
_UPRIGHT = {"floor_webcam"}  # sources whose camera looks from the side: their pictures are not turned far
_PHOTOGRAPHS = 0.5  # share of labelled pictures in the finder's training
_SHARES = {"scenes": 0.42, "photographs": 0.5, "nothing": 0.08}  # of the face network's


def main() -> None:
    """Make one or both networks and write them as ONNX."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("scenes", type=Path)
    parser.add_argument("labelled", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--without", action="append", default=[], help="leave a source out, to test on it")
    parser.add_argument("--fold", type=int, choices=(0, 1), help="keep this half of each source aside")
    parser.add_argument("--finder", type=Path, help="a finder.onnx to start with: boxes are tightened by it")
    parser.add_argument("--start", type=Path, help="an earlier OUT, to go on from its networks")
    parser.add_argument("--only", choices=("finder", "faces"), help="make this network alone")
    parser.add_argument("--minutes", type=float, default=40, help="time for each network")
    parser.add_argument("--batch", type=int, default=128, help="dice a step of the face network's training")
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    parser.add_argument("--workers", type=int, default=0, help="processes that draw pictures for the finder")
    asked = parser.parse_args()
    cv2.setNumThreads(1)
    if not any(asked.scenes.glob("*.pkl")):
        stock.generate(asked.scenes, _SCENES)
    scenes = stock.generated(asked.scenes)
    folders = sorted(file.parent for file in asked.labelled.rglob("labels.jsonl"))
    labelled = stock.photographs(folder for folder in folders if folder.name not in asked.without)
    labelled = [shot for shot in labelled if asked.fold is None or fold(shot.file) != asked.fold]
    asked.out.mkdir(parents=True, exist_ok=True)
    device, seconds = torch.device(asked.device), asked.minutes * 60
    fit_finder_on = functools.partial(fit_finder.fit, device=device, workers=asked.workers)
    rate = _RATE if asked.start is None else _RATE / 2
    finder_file = asked.finder
    if finder_file is None:
        finder_file = asked.out / "finder.onnx"
        first = fit_finder_on(scenes, _even(scenes), seconds=seconds / 2, start=None, seed=1)
        export(first, torch.zeros(1, 3, 384, 640), finder_file)
    tight = stock.in_parallel(functools.partial(tightened, finder=finder_file), labelled)
    labelled = [shot for shot in tight if shot is not None]
    if asked.only != "faces":
        shots = scenes + labelled
        start = _earlier(Finder(), asked.start, "finder")
        finder = fit_finder_on(shots, _even(shots), seconds=seconds, start=start, seed=2, rate=rate)
        finder_file = asked.out / "finder.onnx"
        export(finder, torch.zeros(1, 3, 384, 640), finder_file)
    if asked.only != "finder":
        stocks = [(Stock(crops, device), share) for crops, share in stocks_of(scenes, labelled, finder_file)]
        faces = fit_faces.fit(
            stocks,
            seconds=seconds,
            start=_earlier(Faces(), asked.start, "faces"),
            seed=3,
            rate=rate * (asked.batch / 128) ** 0.5,
            device=device,
            batch=asked.batch,
        )
        export(faces, torch.zeros(2, 3, CROP, CROP), asked.out / "faces.onnx")


def _earlier(net: Net, folder: Path | None, name: str) -> Net | None:
    """The network as an earlier run left it; None without one."""
    if folder is None:
        return None
    net.load_state_dict(torch.load(folder / f"{name}.pt", weights_only=True))
    return net


def fold(file: str) -> int:
    """Which half a labelled picture belongs to, by its name."""
    return zlib.crc32(file.encode()) & 1


@functools.cache
def _network(file: Path) -> Network:
    return Network(file)


def tightened(shot: Shot, finder: Path) -> Shot | None:
    """The picture with each box that people drew replaced by the finder's, where the two mean the same.

    A single die without a box gets that of the clear one near the picture's middle; None where none is.
    Symbol dice beside the labelled ones are added, without a face.
    """
    picture = shot.picture()
    found = find.find(picture, _network(finder))
    if any(np.isnan(die.bbox).any() for die in shot.dice):
        height, width = picture.shape[:2]
        near = [c for c in found if c.score > 0.4 and _central(c.box, width, height)]
        if len(shot.dice) != 1 or len(near) != 1:
            return None
        return shot._replace(dice=(shot.dice[0]._replace(bbox=(*near[0].box,)),))
    dice = []
    for die in shot.dice:
        drawn = Box(*die.bbox)
        fits = [c.box for c in found if c.score > 0.4 and find.same(c.box, drawn)]
        dice.append(die._replace(bbox=(*fits[0],)) if fits else die)
    if shot.others:
        boxes = [Box(*die.bbox) for die in dice]
        more = [c.box for c in found if c.score > 0.7 and not any(_touch(c.box, box) for box in boxes)]
        dice += [Label("symbols", "", (*box,), readable=False, either=False) for box in more]
    return shot._replace(dice=tuple(dice))


def _central(box: Box, width: int, height: int) -> bool:
    x, y = (box.x + box.w / 2) / width, (box.y + box.h / 2) / height
    return abs(x - 0.5) < 0.2 and abs(y - 0.5) < 0.2


def _even(shots: list[Shot]) -> NDArray[np.float64]:
    """Odds that draw as often from each source of photographs, and from scenes with what is left."""
    per = collections.Counter(shot.source for shot in shots)
    real = len(per) - 1
    share = {source: _PHOTOGRAPHS / real if source else 1 - _PHOTOGRAPHS * (real > 0) for source in per}
    return np.array([share[shot.source] / per[shot.source] for shot in shots])


def stocks_of(scenes: list[Shot], labelled: list[Shot], finder: Path) -> list[tuple[Crops, float]]:
    """What the face network learns from, and the share of each."""
    by_source: dict[str, list[Shot]] = collections.defaultdict(list)
    for shot in labelled:
        by_source[shot.source].append(shot)
    stocks = [(cut(scenes, seed=1, turn=15, blanks=0.15), _SHARES["scenes"])]
    weights = {name: sum(len(shot.dice) for shot in shots) ** 0.5 for name, shots in by_source.items()}
    for source, shots in by_source.items():
        crops = cut(shots, seed=2, turn=25 if source in _UPRIGHT else 180, blanks=0.3)
        if all(die.kind == "pips" or not die.face for shot in shots for die in shot.dice):
            crops = mirrored(crops)
        stocks.append((crops, _SHARES["photographs"] * weights[source] / sum(weights.values())))
    # where one die alone is labelled that is no pip die, others may lie beside it
    whole = [shot for shot in labelled if len(shot.dice) > 1 or shot.dice[0].kind == "pips"]
    nothing = stock.in_parallel(functools.partial(mistakes, finder=finder), [*whole, *scenes[::6]])
    stocks.append((joined(nothing), _SHARES["nothing"]))
    return [(crops, share) for crops, share in stocks if len(crops.pictures)]


def mistakes(shot: Shot, finder: Path) -> Crops:
    """What the finder takes for a die, however faintly, where none is labelled.

    What it is sure of in a scene is a die that was left unlabelled because little of it shows.
    """
    taken = [Box(*box) for box in (*(die.bbox for die in shot.dice), *shot.hands)]
    found = find.find(shot.picture(), _network(finder))
    most = 1.0 if shot.source else 0.5
    wrong = [c.box for c in found if c.score < most and not any(_touch(c.box, other) for other in taken)]
    return cut_nothing(shot, wrong)


def _touch(a: Box, b: Box) -> bool:
    return (
        abs(a.x + a.w / 2 - b.x - b.w / 2) < (a.w + b.w) / 2
        and abs(a.y + a.h / 2 - b.y - b.h / 2) < (a.h + b.h) / 2
    )


if __name__ == "__main__":
    main()
