"""The recipe of the shipped networks: `python -m vision.train.recipe SCENES LABELLED OUT`.

SCENES is a folder for generated pictures (made when empty), with folders of pictures of numerals and of
marbled dice within, and one of pictures that `traced.py` made, if there are some;
LABELLED one with a labelled folder a source, at any depth. The finder learns from scenes alone, puts tight
boxes round the dice of the labelled pictures, and learns from both; the face network learns from both, and
from what the finder wrongly takes for dice; the network of glances, a third as large, learns to answer as it
does; the network of numerals goes on from it, with numerals alone.
With `--start` no pips are learnt from dice whose label the earlier face network finds most unlikely.
From `--start vision/data` the face network goes on as it is shipped.
With `--mean`, given several times, networks of faces and of numerals are the mean of those of earlier runs.
With `--only glance` it learns from the face network of `--start`.
With `--fold` a network for measuring is made: every second labelled picture of each source is kept aside.
Beside what the project needs, it wants the packages `torch` and `onnx`.
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

from vision import faces, find
from vision.network import Network
from vision.reading import Box
from vision.train import augment, stock
from vision.train.augment import Stock
from vision.train.crops import Crops, cut, cut_nothing, joined, mirrored
from vision.train.distil import PROBED, distil, thinned
from vision.train.fit import Plan
from vision.train.fit_dice import fit_faces, fit_numerals, mean_of
from vision.train.fit_finder import fit_finder
from vision.train.nets import CROP, WIDE, Faces, Finder, Numerals, export, exported
from vision.train.scenes import ANY, MARBLED, NUMERALS, Label, Wanted

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from vision.train.stock import Shot

Net = TypeVar("Net", bound=nn.Module)

_RATE = 2e-3  # at which networks learn from scratch; half of it where they go on
_SCENES = 80  # files of generated scenes
_MARBLED, _OF_MARBLED = "marbled", 40  # where those of small, marbled dice are, and their files
_NUMERALS, _OF_NUMERALS = "numerals", 50  # where scenes of numerals alone are, and their files
# Degrees by which pictures of cameras that look from the side are turned at most: dice lie upright there.
_TURNS = {"floor_webcam": 25.0, "hextray_pxl": 60.0}
_UPRIGHT = 15.0  # degrees by which generated pictures are turned: there it tells upper faces from front ones
_PATCHES = 8  # parts of pictures a step of the finder's training
_PHOTOGRAPHS = 0.5  # share of labelled pictures in the finder's training
_PICTURE, _CROPS = torch.zeros(1, 3, 384, 640), torch.zeros(2, 3, CROP, CROP)  # what networks are shown
_SHARE_OF_NUMERALS = 0.15  # of labelled pictures in the training on numerals
_UNLIKELY = 0.3  # chance of a label below which who labelled the die has slipped, or its face can't be seen
_SHARES = {"scenes": 0.6, "photographs": 0.3, "nothing": 0.1}  # of the face network's
_TRACED, _SHARE_OF_TRACED = "traced", 0.25  # where scenes with traced light are, and their share of scenes


def main() -> None:
    """Make the networks, or one of them, and write them as ONNX."""
    asked = _asked()
    cv2.setNumThreads(1)
    _draw(asked.scenes, _SCENES, ANY)
    _draw(asked.scenes / _MARBLED, _OF_MARBLED, MARBLED)
    if asked.only in {None, "numerals"}:
        _draw(asked.scenes / _NUMERALS, _OF_NUMERALS, NUMERALS)
    scenes = stock.generated(asked.scenes) + stock.generated(asked.scenes / _MARBLED)
    traced = stock.generated(asked.scenes / _TRACED)
    folders = sorted(file.parent for file in asked.labelled.rglob("labels.jsonl"))
    labelled = stock.photographs(folder for folder in folders if folder.name not in asked.without)
    labelled = [shot for shot in labelled if asked.fold is None or fold(shot.file) != asked.fold]
    asked.out.mkdir(parents=True, exist_ok=True)
    rate = _RATE if asked.start is None else _RATE / 2
    plan = Plan(asked.minutes * 60, torch.device(asked.device), rate, _PATCHES)
    finder_file = asked.finder or _first_finder(scenes, asked.out, plan, asked.workers)
    tight = stock.in_parallel(functools.partial(tightened, finder=finder_file), labelled)
    labelled = [shot for shot in tight if shot is not None]
    if asked.only in {None, "finder"}:
        finder_file = asked.out / "finder.onnx"
        shots = scenes + traced + labelled
        first = None if asked.start is None else _earlier(Finder(), asked.start, "finder")
        finder = fit_finder(shots, _even(shots), plan, start=first, seed=2, workers=asked.workers)
        export(finder, _PICTURE, finder_file)
    plan = plan._replace(rate=rate * (asked.batch / 128) ** 0.5, batch=asked.batch)
    if asked.only in {None, "faces", "glance"}:
        if asked.start is not None:
            trust = functools.partial(believed, file=asked.start / "faces.onnx")
            labelled = stock.in_parallel(trust, labelled)
        stocks = _held(stocks_of(scenes, traced, labelled, finder_file), plan.device)
        if asked.only != "glance":
            export(_faces(asked, stocks, plan), _CROPS, asked.out / "faces.onnx")
        if asked.only != "faces":
            teacher = exported((asked.start if asked.only else asked.out) / "faces.onnx")
            export(distil(teacher, stocks, plan, seed=5), _CROPS, asked.out / "glance.onnx")
    if asked.only in {None, "numerals"}:
        stocks = _held(numerals_of(asked.scenes / _NUMERALS, traced, labelled), plan.device)
        export(_numerals(asked, stocks, plan), _CROPS, asked.out / "numerals.onnx")


def _draw(folder: Path, files: int, wanted: Wanted) -> None:
    """Generate scenes of what is wanted, where there are none yet."""
    if not any(folder.glob("*.pkl")):
        stock.generate(folder, files, wanted=wanted)


def _asked() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("scenes", type=Path)
    parser.add_argument("labelled", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--without", action="append", default=[], help="leave a source out, to test on it")
    parser.add_argument("--fold", type=int, choices=(0, 1), help="keep this half of each source aside")
    parser.add_argument("--finder", type=Path, help="a finder.onnx to start with: boxes are tightened by it")
    parser.add_argument("--start", type=Path, help="an earlier OUT, to go on from its networks")
    parser.add_argument("--mean", type=Path, action="append", default=[], help="an earlier OUT, for the mean")
    one = ("finder", "faces", "glance", "numerals")
    parser.add_argument("--only", choices=one, help="make this network alone")
    parser.add_argument("--minutes", type=float, default=40, help="time for each network")
    parser.add_argument(
        "--seed", type=int, default=0, help="another draws faces and numerals anew, for a mean"
    )
    parser.add_argument("--batch", type=int, default=128, help="dice a step of the others than the finder")
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    parser.add_argument("--workers", type=int, default=0, help="processes that draw pictures for the finder")
    asked = parser.parse_args()
    if asked.only == "glance" and asked.start is None:
        parser.error("--only glance needs --start, whose face network it learns from")
    return asked


def _faces(asked: argparse.Namespace, stocks: list[tuple[Stock, float]], plan: Plan) -> Faces:
    if asked.mean:
        return mean_of([_earlier(Faces(), run, "faces") for run in asked.mean], stocks, plan, seed=3)
    start = None if asked.start is None else _first_faces(asked.start, stocks)
    return fit_faces(stocks, plan, start=start, seed=3 + asked.seed)


def _first_faces(folder: Path, stocks: list[tuple[Stock, float]]) -> Faces:
    """The face network as an earlier run left it; from a folder such as `vision/data`, as it is shipped."""
    if (folder / "faces.pt").exists():
        return _earlier(Faces(), folder, "faces")
    return thinned(exported(folder / "faces.onnx"), augment.batch(stocks, PROBED).pictures, WIDE)


def _numerals(asked: argparse.Namespace, stocks: list[tuple[Stock, float]], plan: Plan) -> Numerals:
    if asked.mean:
        return mean_of([_earlier(Numerals(), run, "numerals") for run in asked.mean], stocks, plan, seed=4)
    return fit_numerals(stocks, plan, start=_first_numerals(asked.start or asked.out), seed=4 + asked.seed)


def _held(stocks: list[tuple[Crops, float]], device: torch.device) -> list[tuple[Stock, float]]:
    return [(Stock(crops, device), share) for crops, share in stocks]


def _first_finder(scenes: list[Shot], out: Path, plan: Plan, workers: int) -> Path:
    """A finder that has learnt from scenes alone, for half the time."""
    plan = plan._replace(seconds=plan.seconds / 2, rate=_RATE)
    finder = fit_finder(scenes, _even(scenes), plan, start=None, seed=1, workers=workers)
    export(finder, _PICTURE, out / "finder.onnx")
    return out / "finder.onnx"


def _earlier(net: Net, folder: Path, name: str) -> Net:
    """The network as an earlier run left it."""
    net.load_state_dict(torch.load(folder / f"{name}.pt", weights_only=True))
    return net


def _first_numerals(folder: Path) -> Numerals:
    """The network of numerals as an earlier run left it, or else with what the face network there has learnt.

    From nothing it learns nothing for very long: numerals lie turned about, among others.
    """
    net, first = Numerals(), Faces()
    if (folder / "numerals.pt").exists():
        _earlier(net, folder, "numerals")
    else:
        _earlier(first, folder, "faces")
        net.body.load_state_dict(first.body.state_dict())
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


def believed(shot: Shot, file: Path) -> Shot:
    """The picture without the faces of pip dice whose label a face network in a file finds most unlikely."""
    read = [die for die in shot.dice if die.kind == "pips" and die.face]
    seen = faces.looks(shot.picture(), [Box(*die.bbox) for die in read], _network(file))
    wrong = []
    for die, view in zip(read, seen, strict=True):
        chances = np.exp(np.log(view.pips + 1e-9).mean(axis=0))
        if chances[int(die.face) - 1] < _UNLIKELY * chances.sum():
            wrong.append(die)
    return shot._replace(
        dice=tuple(d._replace(face="", readable=False) if d in wrong else d for d in shot.dice)
    )


def _central(box: Box, width: int, height: int) -> bool:
    x, y = box.middle
    return abs(x / width - 0.5) < 0.2 and abs(y / height - 0.5) < 0.2


def _even(shots: list[Shot]) -> NDArray[np.float64]:
    """Odds that draw as often from each source of photographs, and from scenes with what is left."""
    per = collections.Counter(shot.source for shot in shots)
    real = len(per) - 1
    share = {source: _PHOTOGRAPHS / real if source else 1 - _PHOTOGRAPHS * (real > 0) for source in per}
    return np.array([share[shot.source] / per[shot.source] for shot in shots])


def stocks_of(
    scenes: list[Shot], traced: list[Shot], labelled: list[Shot], finder: Path
) -> list[tuple[Crops, float]]:
    """What the face network learns from, and the share of each."""
    by_source: dict[str, list[Shot]] = collections.defaultdict(list)
    for shot in labelled:
        by_source[shot.source].append(shot)
    drawn = [(scenes, 1 - _SHARE_OF_TRACED), (traced, _SHARE_OF_TRACED)] if traced else [(scenes, 1.0)]
    stocks = [
        (cut(shots, seed=1, turn=_UPRIGHT, blanks=0.15), _SHARES["scenes"] * share) for shots, share in drawn
    ]
    weights = {name: sum(len(shot.dice) for shot in shots) ** 0.5 for name, shots in by_source.items()}
    for source, shots in by_source.items():
        crops = cut(shots, seed=2, turn=_TURNS.get(source, 180.0), blanks=0.3)
        if all(die.kind == "pips" or not die.face for shot in shots for die in shot.dice):
            crops = mirrored(crops)
        stocks.append((crops, _SHARES["photographs"] * weights[source] / sum(weights.values())))
    # where one die alone is labelled that is no pip die, others may lie beside it
    whole = [shot for shot in labelled if len(shot.dice) > 1 or shot.dice[0].kind == "pips"]
    nothing = stock.in_parallel(functools.partial(mistakes, finder=finder), [*whole, *scenes[::6]])
    stocks.append((joined(nothing), _SHARES["nothing"]))
    return [(crops, share) for crops, share in stocks if len(crops.pictures)]


def numerals_of(scenes: Path, traced: list[Shot], labelled: list[Shot]) -> list[tuple[Crops, float]]:
    """What the network of numerals learns from, generated scenes in a folder first, and the share of each."""
    drawn = cut(_with_numerals(stock.generated(scenes)), seed=5, turn=_UPRIGHT, blanks=0)
    stocks = [(drawn, 1.0)]
    for shots, turn in ((traced, _UPRIGHT), (labelled, 180.0)):
        some = _with_numerals(shots)
        if some:
            stocks = [(crops, share * (1 - _SHARE_OF_NUMERALS)) for crops, share in stocks]
            stocks.append((cut(some, seed=6, turn=turn, blanks=0), _SHARE_OF_NUMERALS))
    return stocks


def _with_numerals(shots: list[Shot]) -> list[Shot]:
    """The shots that show numerals, and of their dice those that do."""
    kept = (shot._replace(dice=tuple(die for die in shot.dice if _readable_numeral(die))) for shot in shots)
    return [shot for shot in kept if shot.dice]


def _readable_numeral(die: Label) -> bool:
    return die.kind in {"d6num", "d10"} and die.readable and die.flat and bool(die.face)


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
    (ax, ay), (bx, by) = a.middle, b.middle
    return abs(ax - bx) < (a.w + b.w) / 2 and abs(ay - by) < (a.h + b.h) / 2


if __name__ == "__main__":
    main()
