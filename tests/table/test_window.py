"""The OLED in a window of a real X server, played by its keys, and what happens where there is none."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

import pytest

pytest.importorskip("PIL")
from PIL import ImageGrab
from PIL.Image import Resampling

from companion.engine import Journal, Session, Wish
from companion.engine.packs import find, merge
from companion.games import load
from companion.screens.console import Console
from companion.screens.intents import Button, Reply
from companion.table.emulator import FRAME, SCALE, SIZE, window_possible
from companion.table.oled_front import panel_screen
from companion.table.table import Table
from hardware.drawing import draw
from tests.table.bench import wait_until

if TYPE_CHECKING:
    from collections.abc import Iterator

    from PIL.Image import Image

HERE = Path(__file__).parents[2]
PLAY = [sys.executable, "-m", "companion", "play", "flag_war", "--front", "oled", "--emulate"]
PLAY += ["--dice", "manual", "--seed", "1", "--data"]

windows = pytest.mark.skipif(
    not (shutil.which("Xvfb") and shutil.which("xdotool") and find_spec("tkinter")),
    reason="wants Xvfb, xdotool and tkinter: apt install xvfb xdotool python3-tk",
)


@pytest.fixture
def display() -> Iterator[str]:
    """The name of an X display of the test's own."""
    read, write = os.pipe()
    server = subprocess.Popen(
        ["Xvfb", "-displayfd", str(write), "-screen", "0", "800x480x24"],
        pass_fds=[write],
        stderr=subprocess.DEVNULL,
    )
    os.close(write)
    with os.fdopen(read) as name:
        yield f":{name.readline().strip()}"
    server.terminate()
    server.wait()


class Player:
    """Somebody at the window."""

    def __init__(self, display: str, folder: Path) -> None:
        self.display = display
        self.environment = {**os.environ, "DISPLAY": display, "COMPANION_CONFIG": str(folder / "none.toml")}
        self.game = subprocess.Popen(
            [*PLAY, str(folder)], cwd=HERE, env=self.environment, stdin=subprocess.DEVNULL
        )

    def do(self, *words: str) -> str:
        command = ["xdotool", *words]
        return subprocess.run(
            command, env=self.environment, capture_output=True, text=True, check=False
        ).stdout

    def take_window(self) -> None:
        """Wait for it and give it the keyboard: there is no window manager here."""
        wait_until(lambda: bool(self.do("search", "--name", "companion")), 60)
        self.do("search", "--name", "companion", "windowfocus")

    def sees(self, picture: Image) -> bool:
        """Whether the window, in the corner of the X display, shows this picture, pixel for pixel."""
        right, bottom = (FRAME + SCALE * length for length in SIZE)
        shot = ImageGrab.grab((FRAME, FRAME, right, bottom), xdisplay=self.display)
        return shot.convert("L").resize(SIZE, Resampling.NEAREST).tobytes() == picture.tobytes()


def drawn(console: Console) -> Image:
    """The panel's picture of a screen, in grey."""
    return draw(panel_screen(console.screen()), SIZE).convert("L")


@windows
def test_the_game_goes_on_by_the_windows_keys(display: str, tmp_path: Path) -> None:
    game = load("flag_war")
    packs = merge(game.name, find(game.folder, tmp_path / "owned", ()))
    player = Player(display, tmp_path / "window")
    with (
        Journal(tmp_path / "beside") as journal,
        Session.create(journal, game, packs, Wish(seed=1, dice="manual")) as session,
    ):
        table = Table(session, tmp_path)
        console = Console(table)
        player.take_window()
        wait_until(lambda: player.sees(drawn(console)), 60)
        keys = [("Up", Button.UP), ("Return", Button.OK), ("Return", Button.OK), ("m", Button.MENU)]
        for key, button in keys:
            player.do("key", key)
            intent = console.press(button)
            if isinstance(intent, Reply):
                table.do(intent)
                console.refresh()
            wait_until(lambda: player.sees(drawn(console)), 60)
        assert session.n == 2
    player.do("key", "q")
    assert player.game.wait(60) == 0
    with Journal(tmp_path / "window") as journal:
        (meta,) = journal.sessions()
        (roll,) = journal.rolls(meta.id).values()
    assert [die.face for die in roll] == ["2"]


def test_a_python_that_was_built_without_tk_opens_no_window(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DISPLAY", ":0")
    monkeypatch.setitem(sys.modules, "_tkinter", None)
    monkeypatch.delitem(sys.modules, "tkinter", raising=False)
    assert not window_possible()


def test_macos_lets_no_thread_but_the_main_one_have_a_window(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DISPLAY", ":0")
    monkeypatch.setitem(sys.modules, "tkinter", ModuleType("tkinter"))
    assert window_possible()
    monkeypatch.setattr(sys, "platform", "darwin")
    assert not window_possible()


def test_with_neither_a_display_nor_a_terminal_it_says_so_in_a_line(tmp_path: Path) -> None:
    environment = {**os.environ, "DISPLAY": ":no-such-display"}
    done = subprocess.run(
        [*PLAY, str(tmp_path)],
        cwd=HERE,
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 3
    assert done.stderr == "companion: --emulate: neither a display for a window here, nor a terminal\n"
