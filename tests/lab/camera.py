"""USB cameras under a real kernel: `python -m tests.lab.camera` boots the lab's virtual machine for it.

Takes a minute or two and some hundred megabytes of wheels. Ends with 1 if a step took over two seconds to
notice a fault (R10), or never came.
"""

import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

LAB = Path("../shared/lab")
HERE = Path(__file__).parent
REPOSITORY = HERE.parent.parent

WHEELS = ("opencv-python-headless>=4.11,<6", "numpy>=1.26", "msgspec>=0.19")
GUEST_PYTHON = (
    "--python-version",
    "313",
    "--platform",
    "manylinux_2_28_x86_64",
    "--platform",
    "manylinux2014_x86_64",
)

MAIN = """
modprobe vivid n_devs=1 node_types=0x1 num_inputs=1 input_types=0
modprobe v4l2loopback devices=1 video_nr=9 exclusive_caps=1
cd /mnt && PYTHONPATH=/mnt/site:/mnt PYTHONDONTWRITEBYTECODE=1 python3 camera_guest.py
"""

NOTICED = {"pulled out": "missing", "stalled": "silent", "frozen": "frozen", "black": "black"}
"""Steps that are faults, and what they have to be called."""


def prepare(folder: Path) -> None:
    """Put the guest's script, our package and its wheels into the folder that the guest sees."""
    (folder / "main.sh").write_text(MAIN)
    shutil.copy(HERE / "camera_guest.py", folder)
    shutil.copytree(REPOSITORY / "vision", folder / "vision", ignore=shutil.ignore_patterns("train", "data"))
    target = ["--target", str(folder / "site"), "--only-binary=:all:", *GUEST_PYTHON]
    subprocess.run([sys.executable, "-m", "pip", "install", "-q", *target, *WHEELS], check=True)


def steps(folder: Path) -> list[dict[str, object]]:
    """Boot, and what the guest printed."""
    booted = subprocess.run([LAB / "boot.sh", folder, "400"], capture_output=True, text=True, check=False)
    lines = [line for line in booted.stdout.splitlines() if '{"step"' in line]
    return [json.loads(line[line.index("{") :]) for line in lines]


def main() -> int:
    """Run all steps and print them."""
    with tempfile.TemporaryDirectory() as scratch:
        prepare(Path(scratch))
        seen = {str(step["step"]): step for step in steps(Path(scratch))}
    for step in seen.values():
        print(step)
    failed = [
        name
        for name, fault in NOTICED.items()
        if name not in seen or seen[name].get("fault") != fault or float(str(seen[name]["after"])) > 2
    ]
    missing = [f"after {mode}" for mode in ("stalled", "frozen", "black") if f"after {mode}" not in seen]
    print("failed:", ", ".join(failed + missing) or "none")
    return 1 if failed or missing else 0


if __name__ == "__main__":
    sys.exit(main())
