"""The product itself in the lab's virtual machine: `python -m tests.lab [--work FOLDER]`.

Installed by systemd/install.sh from wheels, started by its unit under the real sandbox, played with presses
on a simulated GPIO chip, dice from photographs on a loopback camera, and a pad on a USB gadget that runs the
real firmware; then hung, cut off from its devices, and cut off from its power. Four boots, some minutes
each without KVM. Prints one line a step; ends with 1 if a step failed or never came.
"""

import argparse
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np

HERE = Path(__file__).parent
REPOSITORY = HERE.parents[1]
LAB = REPOSITORY.parent / "shared" / "lab"
DICE = REPOSITORY.parent / "shared" / "dice" / "real"
ROOT = Path.home() / ".cache/companion-lab/root.img"

PLATFORMS = ("2_17", "2_27", "2_28", "2_34")
GUEST = ["--python-version", "3.13", "--implementation", "cp", "--abi", "cp313"]
PHOTOS = {"one": "round_gray/00083_236d1a.jpg", "two": "round_gray/00064_071ebf.jpg"}
SIZE = (640, 480)
VARIANTS = 4
"""Noisy versions of each picture: a camera that sends the same one again and again is taken for frozen."""


def main() -> int:
    """All boots."""
    parser = argparse.ArgumentParser(prog="python -m tests.lab", description=__doc__)
    parser.add_argument("--work", type=Path, help="Keep wheels and image here between runs.")
    parser.add_argument("--installed", action="store_true", help="Take the image in --work as it was left.")
    parser.add_argument("--only", choices=["devices"], help="One boot of those; with --installed.")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        work = options.work or Path(scratch)
        work.mkdir(parents=True, exist_ok=True)
        folder = prepare(work)
        image = work / "box.img"
        steps = []
        if not options.installed:
            subprocess.run(["cp", "--sparse=always", root(), image], check=True)
            steps += boot(folder, image, "install")
        steps += boot(folder, image, "devices")
        if options.only is None:
            steps += power_cut(folder, image)
            steps += boot(folder, image, "after")
    failed = [step["step"] for step in steps if not step["ok"]]
    came = {str(step["step"]) for step in steps} | ({"installed from wheels"} if options.installed else set())
    missing = [name for name in expected() if name not in came]
    print(f"{len(steps)} steps; failed: {failed or 'none'}; never came: {missing or 'none'}")
    return 1 if failed or missing else 0


def expected() -> list[str]:
    """The steps that the guest's script names."""
    return re.findall(r'\bstep\(\s*"([^"]+)"', (HERE / "box_guest.py").read_text())


def root() -> Path:
    """The lab's disk, built if it is missing."""
    if not ROOT.exists():
        subprocess.run([LAB / "make-root.sh", ROOT], check=True)
    return ROOT


def prepare(work: Path) -> Path:
    """The folder that the guest sees: wheels, unit files, firmware, pictures, script."""
    folder = work / "shared"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    shutil.copytree(REPOSITORY / "systemd", folder / "systemd")
    shutil.copytree(REPOSITORY / "hardware" / "pico", folder / "pad", dirs_exist_ok=True)
    shutil.copy(REPOSITORY / "hardware" / "fonts" / "box6x8.hex", folder / "pad")
    shutil.copy(REPOSITORY / "tests" / "hardware" / "pico_host" / "machine.py", folder / "pad")
    for script in ("box_guest.py", "guest_devices.py"):
        shutil.copy(HERE / script, folder)
    pictures(folder / "frames")
    shutil.copytree(wheels(work), folder / "wheels")
    return folder


def wheels(work: Path) -> Path:
    """Wheels of the guest's Python for the box, and one of this checkout."""
    found = work / "wheels"
    if not found.is_dir():
        platforms = [word for one in PLATFORMS for word in ("--platform", f"manylinux_{one}_x86_64")]
        command = [sys.executable, "-m", "pip", "download", "-q", "--only-binary=:all:", *GUEST, *platforms]
        subprocess.run([*command, "-d", found, *requirements()], check=True)
    for old in found.glob("companion-*.whl"):
        old.unlink()
    build = [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "-w", found]
    subprocess.run([*build, REPOSITORY], check=True)
    return found


def requirements() -> list[str]:
    """What `companion[box]` asks for, from pyproject.toml."""
    import tomllib

    project = tomllib.loads((REPOSITORY / "pyproject.toml").read_text())["project"]
    extras = project["optional-dependencies"]
    names = extras["box"][0].partition("[")[2].rstrip("]").split(",")
    wanted = [*project["dependencies"], *(one for name in names for one in extras[name])]
    return [one.partition(";")[0].strip() for one in wanted]


def pictures(folder: Path) -> None:
    """Photographs and an empty tray as YUYV frames of the loopback camera's size, each in noisy variants."""
    folder.mkdir()
    rng = np.random.default_rng(1)
    scenes = {name: cv2.imread(str(DICE / file)) for name, file in PHOTOS.items()}
    scenes["empty"] = cv2.GaussianBlur(scenes["one"], (0, 0), 60)
    for name, picture in scenes.items():
        small = cv2.resize(picture, (SIZE[1], SIZE[1]), interpolation=cv2.INTER_AREA)
        side = (SIZE[0] - SIZE[1]) // 2
        view = cv2.copyMakeBorder(small, 0, 0, side, side, cv2.BORDER_REPLICATE)
        for variant in range(VARIANTS):
            noisy = np.clip(view + rng.normal(0, 1.5, view.shape), 0, 255).astype(np.uint8)
            yuyv = cv2.cvtColor(noisy, cv2.COLOR_BGR2YUV_YUY2)
            (folder / f"{name}-{variant}.yuyv").write_bytes(yuyv.tobytes())


def boot(folder: Path, image: Path, phase: str, seconds: int = 7200) -> list[dict[str, object]]:
    """Boot, let the guest go through a phase, and give its steps."""
    return list(said(start(folder, image, phase, seconds)))


def start(folder: Path, image: Path, phase: str, seconds: int) -> subprocess.Popen[str]:
    """Start the virtual machine with its disk kept."""
    (folder / "main.sh").write_text(f"cd /mnt && PYTHONUNBUFFERED=1 python3 box_guest.py {phase}\n")
    print(f"-- boot: {phase}", flush=True)
    return subprocess.Popen(
        ["timeout", str(seconds), *machine(folder, image)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        start_new_session=True,
    )


def machine(folder: Path, image: Path) -> list[str | Path]:
    """The command of the lab's machine, as its boot.sh has it but for the clock.

    With -icount the guest's time goes by its instructions, two nanoseconds each, which is about a Pi's pace:
    where this machine is slow or busy, everything in there takes longer alike, watchdogs too.
    """
    console = "root=/dev/vda rw console=ttyS0 quiet systemd.show_status=0 net.ifnames=0 systemd.getty_auto=no"
    masked = "systemd.mask=serial-getty@ttyS0.service systemd.mask=getty@tty1.service"
    return [
        *("qemu-system-x86_64", "-accel", "tcg,thread=single", "-icount", "shift=1"),
        *("-cpu", "max", "-m", "1024", "-nographic", "-no-reboot"),
        *("-kernel", LAB / "bzImage", "-append", f"{console} {masked}"),
        *("-drive", f"file={image},if=virtio,format=raw,cache=writeback"),
        *("-virtfs", f"local,path={folder},mount_tag=lab,security_model=none"),
    ]


def said(guest: subprocess.Popen[str]) -> Iterator[dict[str, object]]:
    """The steps that the guest prints, as they come; everything else goes to stderr."""
    assert guest.stdout is not None
    for line in guest.stdout:
        at = line.find('{"step"')
        if at < 0:
            print(line.rstrip(), file=sys.stderr)
            continue
        step = json.loads(line[at:])
        print(f"{'ok  ' if step['ok'] else 'FAIL'} {step['step']}: {step['saw']}", flush=True)
        yield step
    guest.wait()


def power_cut(folder: Path, image: Path) -> list[dict[str, object]]:
    """Boot, let it play, and pull the plug in mid-game: what was acknowledged is told to the next boot."""
    guest = start(folder, image, "play", 7200)
    steps = []
    for step in said(guest):
        steps.append(step)
        if step["step"] == "acknowledged" and int(str(step["saw"])) >= 12:
            time.sleep(0.35)
            os.killpg(guest.pid, signal.SIGKILL)
            break
    guest.wait()
    last = next((step["saw"] for step in reversed(steps) if step["step"] == "acknowledged"), 0)
    (folder / "acknowledged").write_text(str(last))
    return steps


if __name__ == "__main__":
    sys.exit(main())
