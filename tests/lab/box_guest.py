"""In the lab's guest: installs the box as a buyer would, plays it by its devices, and breaks them.

Prints one JSON object a step: {"step", "ok", "saw"}. Phases: install, devices, play (until the power is cut),
after.
"""

import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from guest_devices import Camera, Chip, Pad, stalled_disk

HERE = Path("/mnt")
DATA = Path("/var/lib/companion")
HOME = "What shall it be?"
ASKED = ("throw the die", "throw 2 dice")
PROCESSES = Path("/sys/fs/cgroup/system.slice/companion.service/cgroup.procs")
LIMIT = 180.0
"""Seconds that anything may take: the machine is emulated, and the one under it may be busy."""

NOTICED, BACK = 2.0, 10.0
"""Seconds in which a camera's loss is said (R10), and in which a hung box is back at its prompt (R15)."""


def step(name: str, ok: bool, saw: object) -> None:
    """Report; where it failed, with what a person would look at."""
    print(json.dumps({"step": name, "ok": bool(ok), "saw": saw}), flush=True)
    if not ok:
        look_around()


def look_around() -> None:
    """What a person would look at when a step failed; goes to the console."""
    for command in (
        "journalctl -u companion --no-pager -o short-monotonic | grep -v █ | tail -80",
        "ls -l /dev/gpiochip0 /dev/video0 /dev/ttyACM0",
        "gpioinfo",
        "cat /sys/devices/platform/gpio-sim.0/gpiochip0/sim_gpio26/value",
        "id companion",
    ):
        print(f"$ {command}\n{run('sh', '-c', command)}", file=sys.stderr, flush=True)


def run(*command: str) -> str:
    """A command's output, stripped."""
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip()


def until(done: Callable[[], object], seconds: float = LIMIT) -> float | None:
    """How long it took until `done` was true; None if it never was."""
    began = time.monotonic()
    while not done():
        if time.monotonic() - began > seconds:
            return None
        time.sleep(0.1)
    return round(time.monotonic() - began, 1)


def unit(*properties: str) -> dict[str, str]:
    """Properties of the service."""
    shown = run("systemctl", "show", "companion.service", *[f"-p{name}" for name in properties])
    return dict(line.split("=", 1) for line in shown.splitlines())


def active() -> bool:
    return unit("ActiveState")["ActiveState"] == "active"


def entries() -> list[tuple[object, ...]]:
    """The journal's entries, read beside the service."""
    with sqlite3.connect(f"file:{DATA / 'journal.sqlite'}?mode=ro", uri=True) as db:
        return db.execute("SELECT * FROM entries ORDER BY rowid").fetchall()


def rolls() -> list[tuple[object, ...]]:
    """Dice in the journal: face, source, confidence."""
    with sqlite3.connect(f"file:{DATA / 'journal.sqlite'}?mode=ro", uri=True) as db:
        return db.execute("SELECT face, source, confidence FROM rolls ORDER BY rowid").fetchall()


def modules() -> None:
    for name in ("libcomposite", "usb_f_acm", "dummy_hcd", "cdc_acm"):
        subprocess.run(["modprobe", "-q", name], check=False)


def installer(*options: str) -> subprocess.CompletedProcess[str]:
    """systemd/install.sh."""
    return subprocess.run(
        ["bash", "/mnt/systemd/install.sh", *options], capture_output=True, text=True, check=False
    )


def install() -> None:
    """As a buyer does it."""
    began = time.monotonic()
    done = installer("--wheels", "/mnt/wheels", "--no-start")
    print(done.stdout, done.stderr, file=sys.stderr)
    step("installed from wheels", done.returncode == 0, f"{time.monotonic() - began:.0f} s")


def devices() -> None:
    """Started under its unit, played by its devices; each of them taken away, the box itself hung."""
    subprocess.run(["systemctl", "stop", "companion.service"], check=False)
    for file in DATA.glob("*"):
        shutil.rmtree(file) if file.is_dir() else file.unlink()
    # A loopback camera has no name under /dev/v4l/by-id, so it is named in the settings.
    settings = Path("/etc/companion/config.toml")
    settings.write_text(settings.read_text().replace("enabled = true\n#source =", 'source = "/dev/video0" #'))
    modules()
    chip, camera, pad = Chip(), Camera(HERE / "frames"), Pad(HERE / "pad")
    camera.start()
    again = installer("--wheels", "/mnt/wheels")
    unchanged = sum(line.startswith("unchanged") for line in again.stdout.splitlines())
    step(
        "installed again, nothing changed, started",
        again.returncode == 0 and unchanged == 7,
        again.stdout[-200:],
    )
    took = until(active)
    step(
        "ready under its unit", took is not None, f"after {took} s; {unit('NRestarts', 'User', 'StatusText')}"
    )
    exposure = run("systemd-analyze", "security", "--no-pager", "companion.service").splitlines()[-1]
    step("exposure", any(f" {whole}." in exposure for whole in (0, 1)), exposure)
    play_by_devices(chip, camera, pad)
    hang(pad)
    doctor = run("/opt/companion/venv/bin/companion", "doctor", "--json", "--config", "/dev/null")
    step("doctor runs beside it", '"machine"' in doctor, doctor[:900])
    step(
        "log at the end",
        True,
        run("sh", "-c", "journalctl -u companion --no-pager -o cat | grep -v █ | tail -12"),
    )
    step("stopped in order", stop(), unit("Result", "NRestarts"))


def stop() -> bool:
    subprocess.run(["systemctl", "stop", "companion.service"], check=False)
    return unit("Result")["Result"] == "success"


def play_by_devices(chip: Chip, camera: Camera, pad: Pad) -> None:
    """Menu, dice by camera, keys, pad, and each of them taken away and given back."""
    took = until(lambda: HOME in pad.rows())
    step("the home menu stands on the pad's glass", took is not None, pad.rows())
    chip.press("down")
    took = press_until(chip, "ok", lambda: any("Start" in row for row in pad.rows()))
    step("two presses on simulated GPIO lead to a new game", took is not None, pad.rows())
    if took is None:
        return
    took = press_until(chip, "ok", lambda: "one die" in " ".join(body(pad)))
    step("the first roll is asked for", took is not None, pad.rows())
    took = throw(camera, pad)
    step(
        "the die of a photograph is read, or asked", took is not None, {"rolls": rolls(), "rows": pad.rows()}
    )
    hand_in(chip, 1)
    camera_pulled_out(chip, camera, pad)
    buttons_and_pad(chip, pad)
    slow_disk(chip)
    step("no restart until here", unit("NRestarts")["NRestarts"] == "0", unit("NRestarts", "MainPID"))


def body(pad: Pad) -> list[str]:
    """The glass without its title and foot, whose long texts go by in parts."""
    return pad.rows()[1:7]


def changed(pad: Pad, before: list[str]) -> bool:
    """Whether the box shows something else there now."""
    return shows_prompt(pad) and body(pad) != before


def says(pad: Pad, *words: str) -> bool:
    """Whether the glass has any of these words."""
    return any(word in row for row in pad.rows() for word in words)


def press_until(chip: Chip, key: str, done: Callable[[], object]) -> float | None:
    """Press, and again after a while: a press just after the prompt changed is not for it."""
    for _ in range(6):
        chip.press(key)
        took = until(done, LIMIT / 6)
        if took is not None:
            return took
    return None


def throw(camera: Camera, pad: Pad) -> float | None:
    """Put dice into the empty tray until they are read or asked about.

    Dice that lay there before the box looked were not thrown for this roll: then they are thrown again.
    """
    before, asked = len(entries()), body(pad)
    scene = "one" if "one die" in " ".join(asked) else "two"
    until(lambda: says(pad, *ASKED), 60)
    for _ in range(6):
        camera.scene = scene
        took = until(lambda: len(entries()) > before or changed(pad, asked), 40)
        if took is not None:
            return took
        camera.scene = "empty"
        time.sleep(5)
    return None


def hand_in(chip: Chip, count: int) -> None:
    """Press OK until there are so many rolls: what nobody read is entered as the first face."""
    for _ in range(20):
        if len(rolls()) >= count:
            return
        chip.press("ok")
        time.sleep(0.5)


def camera_pulled_out(chip: Chip, camera: Camera, pad: Pad) -> None:
    """In mid-game, at an open roll; the game goes on by hand until it is put back."""
    camera.scene = "empty"
    count = len(rolls())
    camera.unplug()
    took = until(lambda: says(pad, "dice by hand"))
    step(
        "the camera is pulled out in mid-game and it says so",
        took is not None and took <= NOTICED,
        {"after": took, "rows": pad.rows()},
    )
    gone = until(camera.is_gone)
    hand_in(chip, count + 1)
    by_hand = rolls()[count:]
    step(
        "a roll by hand while the camera is away",
        gone is not None and bool(by_hand) and {source for _, source, _ in by_hand} == {"player"},
        {"device gone after": gone, "rolls": by_hand},
    )
    press_until(chip, "ok", lambda: "two dice" in " ".join(body(pad)))
    took = until(lambda: says(pad, "dice by hand"))
    step("the next roll says so again", took is not None, pad.rows())
    camera.plug()
    took = until(lambda: says(pad, "camera is back", *ASKED))
    step("the camera is put back and it says so", took is not None, {"after": took, "rows": pad.rows()})
    count = len(rolls())
    read = throw(camera, pad)
    rows = pad.rows()
    hand_in(chip, count + 1)
    by_camera = rolls()[count:]
    step(
        "the camera is the dice's source again",
        read is not None and any(source == "camera" for _, source, _ in by_camera),
        {"after": read, "rolls": by_camera, "rows": rows},
    )
    camera.scene = "empty"


def buttons_and_pad(chip: Chip, pad: Pad) -> None:
    """Contacts that bounce, and the chip and the pad taken away and given back."""
    count, asked = len(entries()), body(pad)
    time.sleep(1)
    chip.bounce("ok")
    took = until(lambda: changed(pad, asked))
    step("a burst of 17 edges is one press", took is not None and len(entries()) - count <= 1, pad.rows())
    chip.unplug()
    took = until(lambda: says(pad, "no buttons"))
    step("the GPIO chip goes away and it says so", took is not None, pad.rows())
    asked = body(pad)
    pad.press("down")
    pad.press("back")
    took = until(lambda: changed(pad, asked))
    step("meanwhile the pad's keys play", took is not None, pad.rows())
    chip.plug()
    until(lambda: not says(pad, "no buttons"))
    asked = body(pad)
    took = press_until(chip, "back", lambda: changed(pad, asked))
    step("the chip is back and so are the buttons", took is not None, pad.rows())
    pad.unplug()
    time.sleep(3)
    pad.plug()
    took = until(lambda: shows_prompt(pad))
    step("the pad is replugged and shows the prompt", took is not None, {"after": took, "rows": pad.rows()})


def slow_disk(chip: Chip) -> None:
    """The disk takes twice as long for an answer as the watchdog waits for the loop."""
    count, pid = len(entries()), unit("MainPID")["MainPID"]
    states: set[str] = set()
    with stalled_disk():
        chip.press("ok")
        for _ in range(16):
            time.sleep(0.5)
            stats = Path(f"/proc/{pid}/task").glob("*/stat")
            states |= {stat.read_text().rpartition(") ")[2][0] for stat in stats}
    took = until(lambda: len(entries()) > count)
    step(
        "a disk that stalls for eight seconds is waited for",
        "D" in states and took is not None and unit("MainPID")["MainPID"] == pid,
        {"threads were": sorted(states), "answers": len(entries()) - count, **unit("NRestarts")},
    )


def shows_prompt(pad: Pad) -> bool:
    """Whether the box has written on the glass, over the pad's own greeting."""
    return any(row.strip() for row in pad.rows()) and "BOX PAD" not in pad.rows()[0]


def processes() -> list[int]:
    """The service's processes, asked of the kernel: asking systemd takes a while in here."""
    try:
        return [int(line) for line in PROCESSES.read_text().split()]
    except OSError:
        return []


def hang(pad: Pad) -> None:
    """SIGSTOP: the watchdog has to notice, and the same prompt to come back (R15)."""
    until(lambda: shows_prompt(pad))
    time.sleep(2)
    rows, stopped = pad.rows(), processes()
    for process in stopped:
        os.kill(process, signal.SIGSTOP)
    began = time.monotonic()
    took = until(lambda: processes() not in (stopped, []))
    # A face that was turned and not handed in is no answer; the question is the same.
    same = until(lambda: pad.rows()[1:3] == rows[1:3])
    shown = time.monotonic() - began
    until(active)
    step(
        "a hung box is killed and started anew",
        took is not None and active(),
        f"after {took} s; {unit('NRestarts', 'Result')}",
    )
    # A pad that is spoken to shows what it knew: the prompt is the box's own once that says it is ready.
    ready = int(unit("ActiveEnterTimestampMonotonic")["ActiveEnterTimestampMonotonic"]) / 1e6 - began
    step(
        "the same prompt again",
        same is not None and max(shown, ready) <= BACK,
        {"ready after": round(ready, 1), "on the glass after": round(shown, 1), "rows": pad.rows()},
    )


def play() -> None:
    """Started at boot; answers with presses, told to the host one by one, until the power goes."""
    modules()
    took = until(active)
    step(
        "started at power-on",
        took is not None,
        unit("ActiveState", "NRestarts", "ActiveEnterTimestampMonotonic"),
    )
    chip, pad = Chip(), Pad(HERE / "pad")
    took = until(lambda: shows_prompt(pad))
    step("devices that came after the start are taken", took is not None, pad.rows())
    time.sleep(3)
    for _ in range(400):
        chip.press("ok", 0.1)
        step("acknowledged", True, len(entries()))


def power_off() -> None:
    """The menu's wish to shut down reaches the system; here it touches a file instead."""
    drop_in = Path("/run/systemd/system/companion-poweroff.service.d/lab.conf")
    drop_in.parent.mkdir(parents=True)
    drop_in.write_text(
        "[Service]\nExecStart=\nExecStart=/usr/bin/rm -f /run/companion/poweroff\n"
        "ExecStart=+/usr/bin/touch /run/went-off\n"
    )
    run("systemctl", "daemon-reload")
    run("runuser", "-u", "companion", "--", "touch", "/run/companion/poweroff")
    run("systemctl", "stop", "companion.service")
    took = until(Path("/run/went-off").exists)
    step(
        "the menu's wish to shut down is heard",
        took is not None,
        run("systemctl", "status", "companion-poweroff"),
    )


def after() -> None:
    """The boot after the power cut."""
    acknowledged = int((HERE / "acknowledged").read_text())
    took = until(active)
    step("started after the power cut", took is not None, unit("ActiveState", "NRestarts"))
    check = run("sqlite3", str(DATA / "journal.sqlite"), "PRAGMA integrity_check")
    step("journal sound", check == "ok", check)
    kept = len(entries())
    step(
        "every acknowledged answer kept",
        kept >= acknowledged > 0,
        f"{kept} entries, {acknowledged} acknowledged",
    )
    modules()
    chip, pad = Chip(), Pad(HERE / "pad")
    took = until(lambda: shows_prompt(pad))
    step("back at its prompt", took is not None and HOME not in pad.rows(), pad.rows())
    time.sleep(3)
    for _ in range(6):
        chip.press("ok", 0.1)
    step("playing on", until(lambda: len(entries()) > kept) is not None, len(entries()))
    power_off()
    done = installer("--uninstall")
    gone = not Path("/opt/companion").exists() and (DATA / "journal.sqlite").exists()
    step("uninstalled, the sessions kept", done.returncode == 0 and gone, done.stdout[-300:])


{"install": install, "devices": devices, "play": play, "after": after}[sys.argv[1]]()
