"""Games in a terminal: screens, keys, Ctrl-C and Ctrl-Z, and the terminal is given back as it was."""

import contextlib
import json
import os
import pty
import select
import signal
import subprocess
import sys
import termios
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.cli.program import OKINAWA, ROOT

pytestmark = pytest.mark.usefixtures("own_data")


def screen_of(terminal: int, until: str, seconds: float = 20) -> str:
    text = ""
    end = time.monotonic() + seconds
    while until not in text and time.monotonic() < end:
        if select.select([terminal], [], [], 0.2)[0]:
            text += os.read(terminal, 65536).decode(errors="replace")
    return text


@contextlib.contextmanager
def in_a_terminal(
    *arguments: str,
    command: Sequence[str] = OKINAWA,
    term: str = "xterm-256color",
    size: tuple[int, int] = (80, 24),
    ends: int | None = 0,
) -> Iterator[tuple[subprocess.Popen[bytes], int]]:
    """A command in a terminal of its own, and our side of that; it has to end, and with that code."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "companion", *command, *arguments],
        cwd=ROOT, stdin=theirs, stdout=theirs, stderr=theirs, process_group=0,
        env=os.environ | {"TERM": term, "COLUMNS": str(size[0]), "LINES": str(size[1])},
    )  # fmt: skip
    os.close(theirs)
    try:
        yield process, ours
        assert process.wait(timeout=20) == ends or ends is None
    finally:
        os.close(ours)


def test_a_terminal_that_is_said_to_have_no_size_is_drawn_on_as_one_that_says_none() -> None:
    with in_a_terminal(size=(0, 0)) as (_, ours):
        assert "Lay out" in screen_of(ours, "Lay out")
        os.write(ours, b"q")
        screen_of(ours, "Saved")


@pytest.mark.parametrize("name", ["TTY_COMPATIBLE", "TTY_INTERACTIVE"])
def test_whatever_the_environment_says_of_terminals_keys_never_count_on_a_screen_that_stays_blank(
    monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setenv(name, "0")
    with in_a_terminal() as (_, ours):
        assert "Lay out" in screen_of(ours, "Lay out")
        os.write(ours, b"q")
        screen_of(ours, "Saved")


@pytest.mark.parametrize("name", ["TTY_COMPATIBLE", "TTY_INTERACTIVE"])
def test_nor_does_a_live_picture_of_the_tray_stay_blank(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setenv(name, "0")
    cv2.imwrite(str(tmp_path / "tray.png"), np.full((60, 80, 3), 90, np.uint8))
    with in_a_terminal(command=["dice", "focus", "--camera", str(tmp_path)]) as (_, ours):
        assert "best sharpness" in screen_of(ours, "best sharpness")


@pytest.mark.parametrize(
    ("command", "until"),
    [
        (["dice", "focus"], "best sharpness"),
        (["play", "okinawa", "--auto", "random", "--dice", "camera"], "none of these dice"),
    ],
    ids=["focus", "play"],
)
def test_what_libjpeg_says_of_an_odd_picture_does_not_stand_on_the_screen(
    tmp_path: Path, command: list[str], until: str
) -> None:
    noise = np.random.default_rng(0).integers(0, 255, (240, 320, 3), dtype=np.uint8)
    jpeg = cv2.imencode(".jpg", noise)[1].tobytes()
    (tmp_path / "throw.jpg").write_bytes(jpeg[:-2] + bytes(11) + jpeg[-2:])
    with in_a_terminal(command=[*command, "--camera", str(tmp_path)], ends=None) as (process, ours):
        shown = screen_of(ours, until)
        process.terminate()
        with contextlib.suppress(OSError):  # of one that has ended
            shown += screen_of(ours, "Saved", seconds=5)
    assert until in shown
    assert "Corrupt JPEG" not in shown


def test_a_game_that_ended_says_how_and_where_its_log_is() -> None:
    with in_a_terminal("--auto", "cautious", "--seed", "3") as (_, ours):
        assert "Game won" in screen_of(ours, "Game won")
        os.write(ours, b"\r\r\r")  # the first ones turn to the text's end
        assert "won: Hill 89 is taken" in screen_of(ours, "log show okinawa-")


def test_r8_bytes_that_are_no_text_for_a_value_set_by_hand_set_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("PYTHONIOENCODING", "utf-8:strict")
    with in_a_terminal() as (_, ours):
        screen_of(ours, "Lay out")
        os.write(ours, b"=")
        screen_of(ours, "> ")
        os.write(ours, b"lap = \xff\n")
        assert "Lay out" in screen_of(ours, "Lay out")
        os.write(ours, b"q")
        assert "companion resume" in screen_of(ours, "companion resume")


def test_the_line_to_set_a_value_is_edited_with_arrows_emptied_with_escape_and_tells_what_is_where() -> None:
    pytest.importorskip("readline")
    with in_a_terminal() as (_, ours):
        screen_of(ours, "Lay out")
        os.write(ours, b"=")
        told = screen_of(ours, "> ")
        assert "health = 4" in told
        assert "spaces: 10 inside" in told
        os.write(ours, b"helth\n")
        assert "There is no helth in the state, only: setting_up" in screen_of(ours, "> ")
        os.write(ours, b"nonsense\x1b")
        time.sleep(1)  # a lone Escape is known by the silence after it
        os.write(ours, b"soldirs\x1b[D\x1b[De\n")
        assert "soldiers.red = 0" in screen_of(ours, "soldiers.red = 0")
        os.write(ours, b"health = 3\n")
        assert "set health" in screen_of(ours, "set health")
        os.write(ours, b"q")
        screen_of(ours, "companion resume")


@pytest.mark.usefixtures("interruptible")
def test_a_value_to_be_set_by_hand_may_be_left_out_refused_or_interrupted() -> None:
    with in_a_terminal(ends=130) as (process, ours):
        before = termios.tcgetattr(ours)
        screen_of(ours, "Lay out")
        for typed, notice in (
            (b"\x04", "software dice, saved"),
            (b" \n", "software dice, saved"),
            (b"lap =\n", "write it"),
        ):
            os.write(ours, b"=")
            screen_of(ours, "> ")
            os.write(ours, typed)
            assert notice in screen_of(ours, "q quit")
        os.write(ours, b"=")
        screen_of(ours, "> ")
        told = ""
        for _ in range(4):  # one that comes between the prompt and the wait for a line ends no wait
            process.send_signal(signal.SIGINT)
            if "companion resume" in (told := screen_of(ours, "companion resume", seconds=5)):
                break
        assert "companion resume" in told
        process.wait(timeout=20)
        assert termios.tcgetattr(ours) == before


@pytest.mark.parametrize("front", [[], ["--front", "oled", "--emulate"]])
def test_a_stopped_game_leaves_the_terminal_as_it_was(
    front: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("DISPLAY", raising=False)
    with in_a_terminal(*front) as (process, ours):
        before = termios.tcgetattr(ours)
        screen_of(ours, "Lay out" if not front else "\x1b[")
        while termios.tcgetattr(ours)[3] & termios.ECHO and process.poll() is None:
            time.sleep(0.01)
        process.terminate()
        left = screen_of(ours, "companion resume")
        process.wait(timeout=20)
        assert termios.tcgetattr(ours) == before
        assert front or "\x1b[?1049l" in left


@pytest.mark.parametrize("command", [("box",), (*OKINAWA, "--front", "oled")], ids=["box", "play"])
def test_the_small_screen_in_a_terminal_is_left_by_the_key_that_it_names(
    command: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = tmp_path / "config.toml"
    settings.write_text("[page]\nenabled = false\n")
    monkeypatch.setenv("COMPANION_CONFIG", str(settings))
    monkeypatch.delenv("DISPLAY", raising=False)
    with in_a_terminal("--emulate", command=command) as (_, ours):
        screen_of(ours, "q quit")
        os.write(ours, b"q")


def test_the_small_screen_is_painted_again_where_its_terminal_gets_another_size(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("DISPLAY", raising=False)
    with in_a_terminal("--front", "oled", "--emulate") as (process, ours):
        screen_of(ours, "q quit")
        screen_of(ours, "all of it", 1)
        process.send_signal(signal.SIGWINCH)
        assert "q quit" in screen_of(ours, "q quit")
        os.write(ours, b"q")


def test_full_screen_in_a_terminal_played_by_keys_and_left_in_order() -> None:
    with in_a_terminal() as (_, ours):
        assert "Lay out" in screen_of(ours, "Lay out")
        os.write(ours, b"?")
        assert "OKI-003" in screen_of(ours, "OKI-003")
        os.write(ours, b"q")
        assert "companion resume" in screen_of(ours, "companion resume")


@pytest.mark.parametrize(("term", "size"), [("dumb", (80, 24)), ("xterm", (20, 5)), ("xterm", (80, 10))])
def test_a_terminal_that_only_prints_lines_or_has_few_is_played_in_plain_lines(
    term: str, size: tuple[int, int]
) -> None:
    with in_a_terminal(term=term, size=size) as (_, ours):
        shown = screen_of(ours, "(Enter)")
        assert "Lay out" in shown
        assert "\x1b" not in shown
        os.write(ours, b"quit\n")
        assert "Saved." in screen_of(ours, "Saved.")


@pytest.mark.parametrize("end", ["\x1b[201~", ""], ids=["whole", "torn"])
def test_what_is_pasted_is_no_keys(end: str) -> None:
    with in_a_terminal() as (_, ours):
        assert "\x1b[?2004h" in screen_of(ours, "Lay out")
        os.write(ours, f"\x1b[200~q\r\r\rq{end}".encode())
        time.sleep(0 if end else 2)
        os.write(ours, b"?")
        assert "OKI-003" in screen_of(ours, "OKI-003")
        os.write(ours, b"q")
        assert "\x1b[?2004l" in screen_of(ours, "companion resume")


def is_stopped(pid: int | str, seconds: float = 20) -> bool:
    """Whether a process is stopped, as by Ctrl-Z, or is so soon."""
    end = time.monotonic() + seconds
    while not (stopped := ") T " in Path(f"/proc/{pid}/stat").read_text()) and time.monotonic() < end:
        time.sleep(0.01)
    return stopped


def test_ctrl_z_gives_the_terminal_back_until_the_game_goes_on() -> None:
    with in_a_terminal() as (process, ours):
        before = termios.tcgetattr(ours)
        assert "Lay out" in screen_of(ours, "Lay out")
        process.send_signal(signal.SIGTSTP)
        assert is_stopped(process.pid)
        assert "\x1b[?1049l" in screen_of(ours, "\x1b[?1049l")
        assert termios.tcgetattr(ours) == before
        process.send_signal(signal.SIGCONT)
        assert "Lay out" in screen_of(ours, "Lay out")
        os.write(ours, b"q")
        assert "companion resume" in screen_of(ours, "companion resume")


@pytest.mark.usefixtures("interruptible")
def test_an_interrupted_game_says_that_it_is_saved() -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "companion", "play", "okinawa", "--dice", "software", "--front", "json"],
        cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    ) as process:  # fmt: skip
        hello = json.loads(process.stdout.readline())
        process.stdout.readline()
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=30)
    assert (process.returncode, out) == (130, "")
    assert err.strip() == f"Saved. companion resume goes on with {hello['session']}."


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT])
def test_told_to_stop_while_a_value_is_typed_a_game_gives_the_terminal_back_as_it_was(
    number: signal.Signals,
) -> None:
    usual = signal.signal(number, lambda *_: None)  # nohup has hang-ups ignored, also in what it runs
    with in_a_terminal() as (process, ours):
        signal.signal(number, usual)
        before = termios.tcgetattr(ours)
        screen_of(ours, "Lay out")
        os.write(ours, b"=")
        assert "\n> " in screen_of(ours, "\n> ")
        assert termios.tcgetattr(ours) != before  # the line's editor has it
        told = ""
        for _ in range(6):  # one that comes between the prompt and the wait for a line ends no wait
            process.send_signal(number)
            told += screen_of(ours, "Saved", seconds=3)
            if "Saved" in told:
                break
        assert "Saved" in told
        process.wait(timeout=20)
        assert termios.tcgetattr(ours) == before


def test_told_to_stop_twice_at_once_while_a_value_is_typed_a_game_stops_in_order() -> None:
    with in_a_terminal() as (process, ours):
        before = termios.tcgetattr(ours)
        screen_of(ours, "Lay out")
        os.write(ours, b"=")
        screen_of(ours, "\n> ")
        time.sleep(0.5)  # until it waits for a line
        for number in (signal.SIGSTOP, signal.SIGTERM, signal.SIGQUIT, signal.SIGCONT):
            process.send_signal(number)
        told = screen_of(ours, "Saved")
        assert "fault" not in told
        process.wait(timeout=20)
        assert termios.tcgetattr(ours) == before


def child_of(pid: int | str) -> str:
    return Path(f"/proc/{pid}/task/{pid}/children").read_text().split()[0]


def test_ctrl_z_in_a_game_that_a_script_began_gives_the_terminal_back_too(tmp_path: Path) -> None:
    script = tmp_path / "play.sh"
    script.write_text(f"cd {ROOT}\n{sys.executable} -m companion play okinawa --dice software\n")
    shell, ours = pty.fork()
    if not shell:
        os.execvpe("sh", ["sh", "-i"], os.environ | {"TERM": "xterm-256color", "PS1": "$ ", "ENV": ""})
    screen_of(ours, "$ ")
    os.write(ours, f"sh {script}\n".encode())
    assert "Lay out" in screen_of(ours, "Lay out")
    os.write(ours, b"\x1a")
    assert "\x1b[?1049l" in screen_of(ours, "\x1b[?1049l")
    assert is_stopped(child_of(child_of(shell)))  # else it would stop after fg
    os.write(ours, b"fg\n")
    assert "Lay out" in screen_of(ours, "Lay out")
    os.write(ours, b"q")
    assert "companion resume" in screen_of(ours, "companion resume")
    os.write(ours, b"exit\n")
    os.waitpid(shell, 0)
    os.close(ours)
