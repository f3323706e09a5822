"""The service as systemd reads it, and the installer as a person runs it."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from companion.table.box import POWEROFF

HERE = Path(__file__).parents[2] / "systemd"
UNITS = ["companion.service", "companion-poweroff.service", "companion-poweroff.path"]

needs_systemd = pytest.mark.skipif(
    shutil.which("systemd-analyze") is None, reason="systemd-analyze is not installed"
)
needs_shellcheck = pytest.mark.skipif(
    shutil.which("shellcheck") is None, reason="shellcheck is not installed"
)
needs_bash = pytest.mark.skipif(shutil.which("bash") is None, reason="bash is not installed")


def machine(folder: Path) -> Path:
    """A root directory with the units in it and every program that they start."""
    units = folder / "etc/systemd/system"
    units.mkdir(parents=True)
    for name in UNITS:
        shutil.copy(HERE / name, units)
    for program in ["opt/companion/venv/bin/companion", "usr/bin/rm", "usr/bin/systemctl"]:
        path = folder / program
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("#!/bin/sh\n")
        path.chmod(0o755)
    for own in [Path("/usr/lib/systemd/system"), Path("/lib/systemd/system")]:
        if own.is_dir():
            shutil.copytree(own, folder / "usr/lib/systemd/system", symlinks=True)
            break
    return folder


def verify(root: Path) -> str:
    """What `systemd-analyze verify` says: it returns 0 for unknown keys, so what counts is its stderr."""
    command = ["systemd-analyze", "verify", "--man=no", f"--root={root}", *UNITS]
    return subprocess.run(command, capture_output=True, text=True, check=False).stderr


@needs_systemd
def test_the_units_are_sound(tmp_path: Path) -> None:
    assert verify(machine(tmp_path)) == ""


@needs_systemd
@pytest.mark.parametrize(
    ("right", "wrong"), [("WatchdogSec=4", "WatchdogSec=often"), ("UMask=", "Umbrella=")]
)
def test_the_check_notices_a_wrong_key_or_value(tmp_path: Path, right: str, wrong: str) -> None:
    root = machine(tmp_path)
    unit = root / "etc/systemd/system/companion.service"
    unit.write_text(unit.read_text().replace(right, wrong))
    assert verify(root) != ""


@needs_systemd
@pytest.mark.parametrize("unit", UNITS[:2])
def test_exposure_is_two_or_lower(unit: str) -> None:
    command = [
        "systemd-analyze",
        "security",
        "--offline=true",
        "--threshold=20",
        "--no-pager",
        str(HERE / unit),
    ]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stdout.splitlines()[-1]


def test_every_kind_of_device_that_the_box_uses_is_allowed_and_loaded_before() -> None:
    """By the names under which their drivers stand in /proc/devices: spidev registers itself as spi."""
    unit = (HERE / "companion.service").read_text()
    kinds = {"gpiochip", "i2c", "spi", "video4linux", "media", "dma_heap", "ttyACM", "ttyUSB"}
    assert set(re.findall(r"^DeviceAllow=char-(\w+) rw$", unit, re.MULTILINE)) == kinds
    assert "PrivateDevices" not in re.sub(r"^#.*$", "", unit, flags=re.MULTILINE)
    modules = (HERE / "companion.modules-load").read_text()
    assert {"i2c-dev", "cdc_acm", "uvcvideo", "spidev"} <= set(modules.splitlines())


def test_lgpio_has_a_folder_that_it_may_write_to() -> None:
    """Else it can't even be imported: the root of the file system is read-only to the box."""
    unit = (HERE / "companion.service").read_text().splitlines()
    folder = next(line for line in unit if line.startswith("RuntimeDirectory=")).partition("=")[2]
    assert f"Environment=LG_WD=/run/{folder}" in unit


def keys(unit: str) -> dict[str, str]:
    """A unit's keys; of one that stands several times, the first."""
    lines = [line.partition("=") for line in (HERE / unit).read_text().splitlines() if line[:1] != "#"]
    return {key: value for key, _, value in reversed(lines)}


def test_r15_a_box_that_hangs_or_fails_is_back_within_ten_seconds_however_often() -> None:
    """Systemd itself gives up after five starts in ten seconds: too few for safe mode and a screen again."""
    service = keys("companion.service")
    seconds = [float(service[key]) for key in ("WatchdogSec", "TimeoutAbortSec")]
    assert sum(seconds) <= 5
    assert service["RestartSec"].endswith("ms")
    assert (service["Restart"], service["StartLimitIntervalSec"]) == ("on-failure", "0")


def test_the_wish_to_shut_down_is_looked_for_where_the_box_leaves_it_and_obeyed_once() -> None:
    service, path = keys("companion.service"), keys("companion-poweroff.path")
    wish = f"/run/{service['RuntimeDirectory']}/{POWEROFF}"
    assert (path["PathExists"], service["RuntimeDirectoryPreserve"]) == (wish, "yes")
    assert keys("companion-poweroff.service")["ExecStart"] == f"/usr/bin/rm -f {wish}"


@needs_shellcheck
def test_the_installer_and_the_gate_pass_shellcheck() -> None:
    scripts = [str(path) for path in (*HERE.glob("*.sh"), *(HERE.parent / ".ci").glob("*"))]
    result = subprocess.run(["shellcheck", *scripts], capture_output=True, text=True, check=False)
    assert (result.returncode, result.stdout) == (0, "")


def install(root: Path, *options: str) -> list[str]:
    result = subprocess.run(
        ["bash", str(HERE / "install.sh"), *options],
        env={**os.environ, "DESTDIR": str(root)},
        capture_output=True,
        text=True,
        check=True,
    )
    return result.stdout.splitlines()


def tree(root: Path) -> dict[str, bytes]:
    return {str(path.relative_to(root)): path.read_bytes() for path in root.rglob("*") if path.is_file()}


def call(
    tmp_path: Path, lines: str, *changed: tuple[str, str], umask: int = -1
) -> subprocess.CompletedProcess[str]:
    """Run `lines` after what `install.sh` declares, in a file: bash 5.3 names no source for a text."""
    functions = (HERE / "install.sh").read_text().partition("\nif ((remove))")[0]
    for old, new in changed:
        functions = functions.replace(old, new)
    script = tmp_path / "install.sh"
    script.write_text(f"{functions}\n{lines}\n")
    return subprocess.run(["bash", script], capture_output=True, text=True, check=False, umask=umask)


@needs_bash
def test_installing_twice_changes_nothing_and_uninstalling_leaves_nothing(tmp_path: Path) -> None:
    first = install(tmp_path)
    installed = tree(tmp_path)
    again = install(tmp_path)
    assert len(installed) == 7
    assert all(line.startswith("installed") for line in first)
    assert all(line.startswith("unchanged") for line in again)
    assert tree(tmp_path) == installed
    assert len(install(tmp_path, "--uninstall")) == 7
    assert tree(tmp_path) == {}
    assert install(tmp_path, "--uninstall") == []


@needs_bash
def test_an_environment_that_was_cut_short_is_made_anew_for_all_to_read(tmp_path: Path) -> None:
    venv = tmp_path / "venv"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(venv)], check=True)

    def made() -> str:
        lines = f"venv={venv}\nmake_venv"
        result = call(tmp_path, lines, ("/usr/bin/python3", sys.executable), umask=0o077)
        result.check_returncode()
        return result.stdout

    assert made() == f"making     {venv}\n"
    subprocess.run([venv / "bin" / "pip", "--version"], capture_output=True, check=True)
    assert made() == ""
    unreadable = [path for path in venv.rglob("*") if not path.stat().st_mode & 0o004]
    assert unreadable == [], "by others, as the box's user is"


@needs_bash
def test_a_file_changed_by_hand_is_put_right(tmp_path: Path) -> None:
    install(tmp_path)
    rule = tmp_path / "usr/lib/udev/rules.d/70-companion.rules"
    rule.write_text("# edited\n")
    assert "installed  /usr/lib/udev/rules.d/70-companion.rules" in install(tmp_path)
    assert rule.read_bytes() == (HERE / "70-companion.rules").read_bytes()


@needs_bash
@pytest.mark.parametrize(("user", "data"), [("companion", "/var/lib/companion"), ("pi", "")])
def test_the_boxs_user_has_the_boxs_sessions_and_settings(tmp_path: Path, user: str, data: str) -> None:
    (tmp_path / "id").write_text(f"#!/bin/sh\necho {user}\n")
    (tmp_path / "companion").write_text('#!/bin/sh\necho "$COMPANION_DATA,$COMPANION_CONFIG,$*"\n')
    for program in tmp_path.iterdir():
        program.chmod(0o755)
    script = tmp_path / "started"
    script.write_text((HERE / "companion.sh").read_text().replace("/opt/companion/venv/bin", str(tmp_path)))
    environment = {"PATH": f"{tmp_path}:{os.environ['PATH']}"}
    result = subprocess.run(
        ["sh", str(script), "log", "list"], env=environment, capture_output=True, text=True, check=True
    )
    config = "/etc/companion/config.toml" if data else ""
    assert result.stdout == f"{data},{config},log list\n"


RASPI_CONFIG = "sed -i 's/^#\\? *dtparam=i2c_arm=.*$/dtparam=i2c_arm=on/' \"$boot_config\""
"""What `raspi-config nonint do_i2c 0` does to the lines that are there. Source: its set_config_var."""


@needs_bash
@pytest.mark.parametrize("before", ["dtparam=audio=on\n[cm5]\ndtoverlay=dwc2\n", "dtparam=audio=on\n[cm5]"])
def test_the_i2c_speed_is_set_once_for_every_board_and_taken_back(tmp_path: Path, before: str) -> None:
    config = tmp_path / "config.txt"
    config.write_text(before)

    def config_after(name: str) -> list[str]:
        call(tmp_path, f"boot_config={config}\n{name}").check_returncode()
        return config.read_text().splitlines()

    lines = config_after("set_i2c_speed")
    assert lines[:-5] == before.splitlines()
    assert lines[-4:-1] == ["[all]", "dtparam=i2c_arm=on", "dtparam=i2c_arm_baudrate=400000"]
    assert config_after(f"{RASPI_CONFIG}; set_i2c_speed") == lines
    config.write_text("\n".join([*lines[:-4], "dtparam=i2c_arm=on,i2c_arm_baudrate=400000", lines[-1], ""]))
    assert config_after(f"{RASPI_CONFIG}; set_i2c_speed") == lines, "also where an older installer had set it"
    assert config_after("reset_i2c_speed") == before.splitlines()


@needs_bash
@pytest.mark.parametrize(("code", "said"), [(0, ""), (1, "needs Python 3.11 or newer as /")])
def test_the_python_that_is_looked_at_is_the_one_that_is_used(tmp_path: Path, code: int, said: str) -> None:
    """Another one, built by hand, may come first on the path."""
    old = tmp_path / "python3"
    old.write_text(f"#!/bin/sh\nexit {code}\n")
    old.chmod(0o755)
    result = call(tmp_path, "check_machine", ("/usr/bin/python3", str(old)), ('"$(id -u)"', "0"))
    assert result.returncode == code
    assert said in result.stderr


@needs_bash
def test_where_there_is_no_network_the_box_that_is_there_stays_as_it_is(tmp_path: Path) -> None:
    pip = tmp_path / "bin" / "pip"
    pip.parent.mkdir()
    pip.write_text("#!/bin/sh\necho no network >&2\nexit 1\n")
    pip.chmod(0o755)
    stubs = f"venv={tmp_path}; check_machine() {{ :; }}; make_venv() {{ :; }}; put() {{ echo put; }}"
    result = call(tmp_path, f"{stubs}\ndo_install")
    assert result.returncode == 1
    assert "put" not in result.stdout
    assert "--wheels FOLDER" in result.stderr


@needs_bash
def test_an_unknown_option_is_refused_with_the_usage() -> None:
    result = subprocess.run(
        ["bash", str(HERE / "install.sh"), "--upside-down"], capture_output=True, text=True, check=False
    )
    assert result.returncode == 2
    assert result.stderr.startswith("Usage:")
