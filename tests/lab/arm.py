"""Dice read as a Pi's processors would: `python -m tests.lab.arm [--every N] [--cpu NAME ...]`.

Debian trixie's Python for arm64, the versions of OpenCV and NumPy that are here, and qemu-user. Each one
(a Cortex-A53 has no arithmetic of half precision, an A76 has) reads every N-th labelled picture, and so does
this machine. Prints what differs; ends with 1 if a die does: in face, in outcome, or by not being there.
Takes some seconds a picture. Needs mmdebstrap, qemu-user-static and root.
"""

import argparse
import json
import math
import os
import subprocess
import sys
import tempfile
from importlib.metadata import version
from pathlib import Path

REPOSITORY = Path(__file__).parents[2]
DICE = REPOSITORY.parent / "shared" / "dice"
CACHE = Path.home() / ".cache/companion-lab"

CORES = {"cortex-a53": "Zero 2 W, 3", "cortex-a72": "4", "cortex-a76": "5"}
PACKAGES = ("opencv-python-headless", "numpy", "msgspec", "click", "rich", "platformdirs", "tomli-w")
PLATFORMS = ("2_17", "2_27", "2_28", "2_34")
NEAR = 3.0
"""Pixels that a die's place may differ by."""

Die = dict[str, object]


def main() -> int:
    """Each processor in turn."""
    parser = argparse.ArgumentParser(prog="python -m tests.lab.arm", description=__doc__)
    parser.add_argument("--every", type=int, default=8, help="Take each so many-th picture.")
    parser.add_argument("--cpu", nargs="+", default=["cortex-a53", "cortex-a76"], help="As QEMU names them.")
    options = parser.parse_args()
    failed = False
    with tempfile.TemporaryDirectory() as scratch:
        sample(Path(scratch), options.every)
        ours = read(Path(scratch), [sys.executable])
        for cpu in options.cpu:
            theirs = read(Path(scratch), emulated(cpu), PYTHONPATH=f"{REPOSITORY}:{site()}")
            unlike, furthest = compared(ours, theirs)
            dice = sum(map(len, ours.values()))
            print(f"{cpu} (Pi {CORES.get(cpu, '?')}): {len(ours)} pictures, {dice} dice; ", end="")
            print(f"{len(unlike)} differ; confidence by {furthest:.4f} at most")
            print(*unlike, sep="\n", end="\n" if unlike else "")
            failed |= bool(unlike)
    return int(failed)


def sample(folder: Path, every: int) -> None:
    """Some of the labelled pictures, of every source that needs no teaching."""
    for labels in sorted(DICE.rglob("labels.jsonl")):
        lines = labels.read_text().splitlines()
        if any(json.loads(line)["kind"] == "teach" for line in lines):
            continue
        source = folder / labels.parent.name
        source.mkdir()
        taken = lines[::every]
        (source / labels.name).write_text("\n".join(taken) + "\n")
        for line in taken:
            name = json.loads(line)["file"]
            (source / name).symlink_to(labels.parent / name)


def read(folder: Path, python: list[str | Path], **environment: str) -> dict[str, list[Die]]:
    """What `companion dice bench` says of each picture's dice."""
    command = [*python, "-m", "companion", "dice", "bench", folder, "--json"]
    done = subprocess.run(
        command, stdout=subprocess.PIPE, check=True, cwd=REPOSITORY, env=os.environ | environment
    )
    return {f"{one['source']}/{one['file']}": one["dice"] for one in json.loads(done.stdout)["images"]}


def compared(ours: dict[str, list[Die]], theirs: dict[str, list[Die]]) -> tuple[list[Die], float]:
    """Dice that came out otherwise, and by how much the others are trusted more or less, at most."""
    unlike: list[Die] = []
    furthest = 0.0
    for file, dice in ours.items():
        there = theirs.get(file, [])
        if len(dice) != len(there):
            unlike.append({"file": file, "dice": len(dice), "there": len(there)})
        for one, other in zip(dice, there, strict=False):
            same = all(one[name] == other[name] for name in ("outcome", "face", "said"))
            if not same or math.dist(middle(one), middle(other)) > NEAR:
                unlike.append({"file": file, "here": one, "there": other})
            furthest = max(furthest, abs(float(str(one["confidence"])) - float(str(other["confidence"]))))
    return unlike, furthest


def middle(die: Die) -> tuple[float, float]:
    """Where it lies; nowhere for one without a box."""
    box = die["box"]
    return (box[0] + box[2] / 2, box[1] + box[3] / 2) if isinstance(box, list) else (0.0, 0.0)


def emulated(cpu: str) -> list[str | Path]:
    """The command of Debian's Python on another processor; it is fetched if it is not there yet."""
    root = CACHE / "arm64"
    if not root.exists():
        CACHE.mkdir(parents=True, exist_ok=True)
        extract = ["mmdebstrap", "--mode=root", "--variant=extract", "--architectures=arm64"]
        packages = "--include=base-files,libstdc++6,python3"
        subprocess.run([*extract, packages, "trixie", root.with_suffix(".new")], check=True)
        root.with_suffix(".new").rename(root)
    return ["qemu-aarch64-static", "-cpu", cpu, "-L", root, root / "usr/bin/python3.13"]


def site() -> Path:
    """The same versions as here, built for that processor."""
    wanted = [f"{name}=={version(name)}" for name in PACKAGES]
    folder = CACHE / ("arm64-" + "-".join(one.partition("==")[2] for one in wanted))
    if not folder.exists():
        platforms = [word for one in PLATFORMS for word in ("--platform", f"manylinux_{one}_aarch64")]
        command = [sys.executable, "-m", "pip", "install", "-q", "--only-binary=:all:", *platforms]
        subprocess.run([*command, "--python-version", "3.13", "--target", folder, *wanted], check=True)
    return folder


if __name__ == "__main__":
    sys.exit(main())
