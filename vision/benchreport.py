"""A bench's result as JSON, as Markdown and as pictures."""

from __future__ import annotations

import contextlib
import functools
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from vision.bench import Outcome
from vision.errors import FrameError

if TYPE_CHECKING:
    from vision.bench import Bench, Scored, Share, SourceScore
    from vision.frames import Frame
    from vision.reading import Box

_BINS = 10  # of the reliability diagram
# Dice that were not right and sure: which first, with the colour (BGR) beside, how many, and their size.
_FAILURES = {
    Outcome.WRONG: (60, 60, 255),
    Outcome.INVENTED: (255, 80, 200),
    Outcome.MISSED: (255, 200, 60),
    Outcome.ASKED: (60, 200, 255),
}
_MOST, _ACROSS, _SIDE, _LINE = 160, 16, 96, 16


def write(bench: Bench, folder: Path) -> tuple[Path, ...]:
    """Write bench.json, bench.md, reliability.png and confusion.png into a folder; returns the files.

    Where dice were not right and sure, failures.png shows them, the worst first.
    """
    folder.mkdir(parents=True, exist_ok=True)
    table = folder / "bench.md"
    table.write_text(markdown(bench), encoding="utf-8")
    data = folder / "bench.json"
    data.write_bytes(msgspec.json.format(msgspec.json.encode(bench), indent=1))
    return (data, table, _reliability(bench, folder), *_confusion(bench, folder), *_failures(bench, folder))


def markdown(bench: Bench) -> str:
    """The table of sources: shares in percent with their 95 % intervals."""
    outcomes = [outcome.value for outcome in Outcome]
    split = ["right and sure with a face up", "cocked asked"]
    head = ["source", "images", "dice", *outcomes, *split, "images all right", "ms"]
    rows = [_row(source) for source in (*bench.sources, bench.total)]
    lines = ["| " + " | ".join(cells) + " |" for cells in (head, ["---"] * len(head), *rows)]
    lines += ["", "Shares are in per cent, in brackets their 95 % intervals; ms: the median of an image."]
    if bench.passed_over:
        what = ", ".join(f"{count} of kind {kind}" for kind, count in sorted(bench.passed_over.items()))
        lines += ["", f"Passed over, since no dice set reads them: {what}."]
    return "\n".join([*lines, ""])


def reliability(bench: Bench) -> tuple[tuple[float, Share], ...]:
    """For each tenth of confidence that was given: its mean, and how often the face was right."""
    from vision.bench import share

    listed = [die for image in bench.images for die in image.dice if die.said is not None]
    tenths = []
    for number in range(_BINS):
        inside = [die for die in listed if min(_BINS - 1, int(die.confidence * _BINS)) == number]
        if inside:
            mean = sum(die.confidence for die in inside) / len(inside)
            tenths.append((mean, share(sum(die.said == die.face for die in inside), len(inside))))
    return tuple(tenths)


def _row(source: SourceScore) -> list[str]:
    dice = source.dice[Outcome.RIGHT.value].of
    shares = [
        *(source.dice[outcome.value] for outcome in Outcome),
        source.face_up,
        source.cocked,
        source.whole,
    ]
    return [source.name, str(source.images), str(dice), *map(_percent, shares), f"{source.ms:.1f}"]


def _percent(share: Share) -> str:
    if not share.of:
        return "-"
    return f"{100 * share.count / share.of:.1f} ({100 * share.low:.1f} to {100 * share.high:.1f})"


def _reliability(bench: Bench, folder: Path) -> Path:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(5, 5), layout="constrained")
    room = (-0.03, 1.03)  # most of what is sure, and right, lies at 1
    axes = figure.add_subplot(xlabel="confidence", ylabel="share that was right", xlim=room, ylim=room)
    axes.plot([0, 1], [0, 1], color="0.7")
    for mean, right in reliability(bench):
        axes.plot([mean, mean], [right.low, right.high], color="C0", linewidth=1)
        axes.plot(mean, right.count / right.of, "o", color="C0", markersize=3 + right.of**0.25)
    file = folder / "reliability.png"
    figure.savefig(file, dpi=120)
    return file


def _confusion(bench: Bench, folder: Path) -> tuple[Path, ...]:
    """What was read as what, if there was any die."""
    from matplotlib.figure import Figure

    file = folder / "confusion.png"
    file.unlink(missing_ok=True)  # of a run before
    pairs = Counter((die.face or "-", die.said or "-") for image in bench.images for die in image.dice)
    if not pairs:
        return ()
    faces = sorted({face for pair in pairs for face in pair})
    counts = [[pairs[face, said] for said in faces] for face in faces]
    side = 2 + 0.4 * len(faces)
    figure = Figure(figsize=(side, side), layout="constrained")
    axes = figure.add_subplot(xlabel="read", ylabel="is")
    shades = [[count**0.25 for count in row] for row in counts]
    dark = max(map(max, shades)) / 2
    axes.imshow(shades, cmap="Blues")
    axes.set_xticks(range(len(faces)), faces, rotation=90)
    axes.set_yticks(range(len(faces)), faces)
    for row, line in enumerate(counts):
        for column, count in enumerate(line):
            if count:
                ink = "white" if shades[row][column] > dark else "black"
                axes.text(column, row, str(count), ha="center", va="center", fontsize=7, color=ink)
    figure.savefig(file, dpi=120)
    return (file,)


def _failures(bench: Bench, folder: Path) -> tuple[Path, ...]:
    """A picture of up to 160 dice that were not right and sure, if there are any."""
    import cv2
    import numpy as np

    from vision import frames

    failed = [
        (die, die.box, Path(image.folder, image.file))
        for outcome in _FAILURES
        for image in bench.images
        for die in image.dice
        if die.outcome is outcome and die.box is not None and (die.face or outcome is not Outcome.ASKED)
    ][:_MOST]
    file = folder / "failures.png"
    file.unlink(missing_ok=True)  # of a run before
    if not failed:
        return ()
    load = functools.lru_cache(maxsize=1)(frames.load)  # those of one picture follow each other
    tiles = [_tile(die, box, load(path)) for die, box, path in failed]
    tiles += [np.zeros_like(tiles[0])] * (-len(tiles) % _ACROSS)
    rows = [np.hstack(tiles[start : start + _ACROSS]) for start in range(0, len(tiles), _ACROSS)]
    file.write_bytes(cv2.imencode(".png", np.vstack(rows))[1].tobytes())
    return (file,)


def _tile(die: Scored, box: Box, picture: Frame) -> Frame:
    """One die, and above it what it is and what was read."""
    import cv2
    import numpy as np

    from vision import teach

    tile = np.zeros((_LINE + _SIDE, _SIDE, 3), np.uint8)
    with contextlib.suppress(FrameError):  # a label beside the picture
        tile[_LINE:] = cv2.resize(teach.cut(picture, box), (_SIDE, _SIDE), interpolation=cv2.INTER_AREA)
    words = f"{die.face or '-'} read {die.said or '-'}"
    cv2.putText(tile, words, (3, _LINE - 4), 0, 0.38, _FAILURES[die.outcome], 1, cv2.LINE_AA)
    return tile
