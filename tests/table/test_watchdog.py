"""R15 and R16 in a process: ready, alive, stopped in its tracks, safe after two deaths; a manager hears."""

from __future__ import annotations

import ctypes
import json
import os
import signal
import socket
import sqlite3
import subprocess
import sys
import threading
import time
from contextlib import closing
from itertools import count
from pathlib import Path
from queue import SimpleQueue
from types import SimpleNamespace
from typing import TYPE_CHECKING

import pytest

from companion.cli.box import _safe_mode
from companion.engine.journal import Journal
from companion.engine.packs import find, merge
from companion.engine.records import Meta
from companion.engine.session import Session, Wish
from companion.engine.store import is_being_written
from companion.games import load
from companion.table import watchdog
from companion.table.events import Closed, Tick
from companion.table.playing import Playing
from companion.table.starts import FAILURES, StartRecord
from companion.table.watchdog import Heart, Watchdog
from tests.engine.toy import GAME, PACKS

if TYPE_CHECKING:
    from collections.abc import Iterator

HERE = Path(__file__).parents[2]
PERIOD = 1.0
OFF = "".join(
    f"[{name}]\nenabled = false\n" for name in ("display", "buttons", "lamp", "pad", "camera", "page")
)


class Manager:
    """systemd's end of the notify socket, and the service under it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.address = str(folder / "notify")
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.socket.bind(self.address)
        self.process: subprocess.Popen[str] | None = None
        (folder / "config.toml").write_text(OFF)

    def start(self) -> subprocess.Popen[str]:
        environment = {
            **os.environ,
            "NOTIFY_SOCKET": self.address,
            "WATCHDOG_USEC": str(int(PERIOD * 1e6)),
            "COMPANION_CONFIG": str(self.folder / "config.toml"),
        }
        environment.pop("WATCHDOG_PID", None)
        self.bury()
        self.process = subprocess.Popen(
            [sys.executable, "-m", "companion", "box", "--data", str(self.folder / "data")],
            cwd=HERE,
            env=environment,
            stdin=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        )
        return self.process

    def hears(self, word: str, seconds: float) -> bool:
        """Whether a message with `word` comes within the time."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            self.socket.settimeout(left)
            try:
                if word in self.socket.recv(1000).decode():
                    return True
            except TimeoutError:
                break
        return False

    def drain(self) -> None:
        self.socket.setblocking(False)
        try:
            while True:
                self.socket.recv(1000)
        except BlockingIOError:
            return

    def bury(self) -> None:
        if self.process is not None:
            self.process.kill()
            self.process.communicate()
            self.process = None

    def close(self) -> None:
        self.bury()
        self.socket.close()


@pytest.fixture
def manager(tmp_path: Path) -> Iterator[Manager]:
    manager = Manager(tmp_path)
    yield manager
    manager.close()


def test_it_says_ready_and_then_lives_until_the_loop_is_stopped(manager: Manager) -> None:
    process = manager.start()
    assert manager.hears("READY=1", 20)
    assert manager.hears("WATCHDOG=1", 5 * PERIOD)
    process.send_signal(signal.SIGSTOP)
    time.sleep(0.1)
    manager.drain()
    assert not manager.hears("WATCHDOG=1", 2 * PERIOD)
    process.send_signal(signal.SIGCONT)
    assert manager.hears("WATCHDOG=1", 5 * PERIOD)
    starts = manager.folder / "data" / "starts.json"
    assert json.loads(starts.read_text())["failed"] == 1
    process.send_signal(signal.SIGTERM)
    assert manager.hears("STOPPING=1", 20)
    assert process.wait(20) == 0
    assert json.loads(starts.read_text())["failed"] == 0


STEADY_AT_ONCE = """
import sys
from companion.table import watchdog
watchdog.STEADY = 0.0
from companion.cli import run
run(["box", "--config", sys.argv[1], "--data", sys.argv[2]])
"""


def test_r16_a_box_that_has_run_for_a_while_may_be_unplugged(tmp_path: Path) -> None:
    config, starts = tmp_path / "config.toml", tmp_path / "starts.json"
    config.write_text(OFF)
    starts.write_text('{"failed":1}')
    with subprocess.Popen([sys.executable, "-c", STEADY_AT_ONCE, config, tmp_path], cwd=HERE) as process:
        end = time.monotonic() + 20
        while json.loads(starts.read_text())["failed"] and time.monotonic() < end:
            time.sleep(0.05)
        process.kill()
    assert json.loads(starts.read_text())["failed"] == 0


def test_after_two_deaths_the_third_start_is_safe_and_lives(manager: Manager) -> None:
    for _ in range(2):
        manager.start()
        assert manager.hears("READY=1", 20)
        manager.bury()
        manager.drain()
    process = manager.start()
    assert manager.hears("WATCHDOG=1", 20)
    process.send_signal(signal.SIGTERM)
    assert process.communicate(timeout=20)[1].startswith("safe mode, devices off"), "no keys are looked for"


def test_r16_a_session_at_which_the_box_dies_is_not_on_the_table_again_after_the_safe_start(
    manager: Manager,
) -> None:
    """Else nobody would ever get to the menu."""
    data = manager.folder / "data"
    with Journal(data) as journal, Session.create(journal, GAME, PACKS) as session:
        session.answer(1, "stones")
    Playing(data).begin(session.meta.id)
    (data / "starts.json").write_text(f'{{"failed":{FAILURES}}}')
    process = manager.start()
    assert manager.hears("WATCHDOG=1", 20)
    process.send_signal(signal.SIGTERM)
    assert process.wait(20) == 0
    assert Playing(data).interrupted() == ""
    with Journal(data) as journal:
        assert [meta.id for meta in journal.sessions() if not meta.outcome] == [session.meta.id]


def test_r16_a_disk_that_takes_nothing_is_no_way_round_safe_mode(
    manager: Manager, monkeypatch: pytest.MonkeyPatch
) -> None:
    (manager.folder / "data").touch()  # where the data folder would be
    (manager.folder / "run").mkdir()
    monkeypatch.setenv("RUNTIME_DIRECTORY", str(manager.folder / "run"))
    for _ in range(2):
        process = manager.start()
        said = process.communicate(timeout=20)[1]
        assert process.returncode == 2
        assert "sessions can't be kept there" in said.splitlines()[-1]
    process = manager.start()
    assert manager.hears("WATCHDOG=1", 20)
    process.send_signal(signal.SIGTERM)
    said = process.communicate(timeout=20)[1]
    assert "safe mode, devices off: JournalError: " in said
    assert "sessions can't be kept there" in said


AT_THE_FIRST_PROMPT = """
import os, sys
from pathlib import Path
def as_uri(path):  # as from Python 3.14 on: ssl, email and all
    from urllib.request import pathname2url
    return "file://" + pathname2url(str(path))
Path.as_uri = as_uri
from companion.cli.box import _safe_mode
from companion.engine.journal import Journal
from companion.engine.packs import find, merge
from companion.engine.session import Session, Wish
from companion.games import load
from companion.table import watchdog
def ready(*lines):
    print(*sys.modules, flush=True)
    os._exit(0)
watchdog.notify = ready
from companion.cli import run
run(["box", "--config", sys.argv[1], "--data", sys.argv[2]])
"""
WAIT = {
    "asyncio",
    "cv2",
    "email",
    "gpiozero",
    "jinja2",
    "numpy",
    "PIL",
    "ssl",
    "starlette",
    "uvicorn",
    "vision",
}


def test_the_first_prompt_of_a_session_taken_up_again_waits_for_nothing_that_it_does_not_need(
    tmp_path: Path,
) -> None:
    game = load("flag_war")
    packs = merge(game.name, find(game.folder, tmp_path, ()))
    with (
        Journal(tmp_path) as journal,
        Session.create(journal, game, packs, Wish(seed=1, dice="camera")) as session,
    ):
        Playing(tmp_path).begin(session.meta.id)
    config = tmp_path / "config.toml"
    config.write_text(
        "[display]\nenabled = false\n[pad]\nenabled = false\n[camera]\nsource = '/dev/no camera'\n"
    )
    start = subprocess.run(
        [sys.executable, "-c", AT_THE_FIRST_PROMPT, config, tmp_path],
        cwd=HERE,
        env={**os.environ, "GPIOZERO_PIN_FACTORY": "mock"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    imported = set(start.stdout.split())
    assert "companion.games.flag_war.script" in imported
    assert {name.partition(".")[0] for name in imported} & WAIT == set()


def test_r16_the_whole_reason_of_safe_mode_goes_by_on_the_screen(tmp_path: Path) -> None:
    reason = "BadInput: /etc/companion/config.toml: display.rotate: quarter turns, 0 to 3"
    record, events, shown = StartRecord(tmp_path), SimpleQueue(), {}
    record.failed(reason)
    for _ in range(3 * 3):
        events.put(Tick())
    events.put(Closed())
    devices = SimpleNamespace(splash=lambda headline, lines: shown.update({lines: headline}))
    _safe_mode(record, devices, events, Watchdog())  # what it uses of them
    assert len(shown) > 1
    assert "".join("".join(lines[:2]) for lines in shown).replace(" ", "") == reason.replace(" ", "")


def test_a_start_that_fails_leaves_its_reason_for_the_safe_one(manager: Manager) -> None:
    (manager.folder / "config.toml").write_text("[display]\ndriver = 'lcd'\n")
    for _ in range(2):
        assert manager.start().wait(20) == 2
    process = manager.start()
    assert manager.hears("WATCHDOG=1", 20)
    process.send_signal(signal.SIGTERM)
    assert "display.driver" in process.communicate(timeout=20)[1]


def wait_uninterruptibly(fifo: Path) -> None:
    """Sleep in the kernel until somebody reads from `fifo`, as a thread does whose disk does not answer."""
    libc = ctypes.CDLL(None)
    actions, words = ctypes.create_string_buffer(256), (ctypes.c_char_p * 2)(b"true", None)
    libc.posix_spawn_file_actions_init(actions)
    libc.posix_spawn_file_actions_addopen(actions, 1, bytes(fifo), os.O_WRONLY, 0)
    child = ctypes.c_int()
    assert libc.posix_spawnp(ctypes.byref(child), b"true", actions, None, words, None) == 0
    os.waitpid(child.value, 0)


class TestALoopThatIsHeldUp:
    """It has a tick to take and does not take it."""

    @pytest.fixture
    def heard(self, monkeypatch: pytest.MonkeyPatch) -> SimpleQueue[str]:
        heard: SimpleQueue[str] = SimpleQueue()
        monkeypatch.setattr(watchdog, "notify", heard.put)
        return heard

    def test_by_the_disk_it_is_said_to_live(self, tmp_path: Path, heard: SimpleQueue[str]) -> None:
        fifo = tmp_path / "disk"
        os.mkfifo(fifo)
        loop = threading.Thread(target=wait_uninterruptibly, args=[fifo])
        loop.start()
        with Heart(SimpleQueue(), every=0.01):
            assert heard.get(timeout=20) == "WATCHDOG=1"
            fifo.read_bytes()
            loop.join()

    def test_r15_by_another_companion_that_writes_it_is_said_to_live(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, heard: SimpleQueue[str]
    ) -> None:
        monkeypatch.setattr(watchdog, "waits_for_disk", lambda: False)
        with (
            Journal(tmp_path) as journal,
            closing(sqlite3.connect(journal.path, isolation_level=None, check_same_thread=False)) as other,
            Heart(SimpleQueue(), every=0.05),
        ):
            other.execute("BEGIN IMMEDIATE")
            threading.Timer(1.0, other.execute, ["COMMIT"]).start()
            journal.begin(Meta(id="toy-1", game="toy", created=0.0, seed=1, pack="", settings={}), b"")
            assert not is_being_written(), "else a loop that hangs later is said to live"
        assert heard.qsize() > 10

    def test_by_work_it_is_said_to_live_for_a_while(
        self, monkeypatch: pytest.MonkeyPatch, heard: SimpleQueue[str]
    ) -> None:
        monkeypatch.setattr(watchdog, "waits_for_disk", lambda: False)
        monkeypatch.setattr(watchdog, "LONGEST", 0.5)
        with Heart(SimpleQueue(), every=0.1):
            end = time.thread_time() + 1.0
            while time.thread_time() < end:
                pass
        assert 1 <= heard.qsize() <= 5

    def test_by_work_each_time_anew(self, monkeypatch: pytest.MonkeyPatch, heard: SimpleQueue[str]) -> None:
        """However often it was held up before."""
        used = count()
        monkeypatch.setattr(watchdog, "used_time", lambda loop: next(used))
        monkeypatch.setattr(watchdog, "LONGEST", 3.0)
        events: SimpleQueue[Tick] = SimpleQueue()

        class Turns(threading.Event):
            """Twelve seconds, with a tick taken in each fourth."""

            seconds = 0

            def wait(self, timeout: float | None = None) -> bool:
                self.seconds += 1
                if self.seconds % 4 == 1 and not events.empty():
                    events.get()
                return self.seconds > 12

        heart = Heart(events, every=1.0)
        heart._loop, heart._stop = Path("/proc/self/task/0"), Turns()
        heart._run()
        assert heard.qsize() == 9

    def test_by_nothing_it_is_left_to_the_manager(
        self, monkeypatch: pytest.MonkeyPatch, heard: SimpleQueue[str]
    ) -> None:
        monkeypatch.setattr(watchdog, "waits_for_disk", lambda: False)
        with Heart(SimpleQueue(), every=0.01):
            time.sleep(0.5)
        assert heard.qsize() <= 1  # the time to fall asleep


class TestWorkers:
    """The manager hears nothing more once a thread has died or hangs."""

    @pytest.fixture
    def heard(self, monkeypatch: pytest.MonkeyPatch) -> list[str]:
        heard: list[str] = []
        monkeypatch.setattr("companion.table.watchdog.notify", lambda *lines: heard.append("\n".join(lines)))
        return heard

    def test_a_dead_worker_silences_the_loop(self, heard: list[str]) -> None:
        now, beat = [0.0], [0.0]
        watchdog = Watchdog(patience=5.0, clock=lambda: now[0])
        watchdog.watch("buttons", lambda: beat[0])
        for now[0] in (0.0, 1.0, 4.0):
            watchdog.turn()
        assert sum("WATCHDOG=1" in line for line in heard) == 3
        now[0] = 5.1
        watchdog.turn()
        assert heard[-1] == "STATUS=no sign of life from: buttons"
        beat[0] = 5.1
        watchdog.turn()
        assert heard[-1] == "WATCHDOG=1"

    def test_ready_is_said_once(self, heard: list[str]) -> None:
        now = [0.0]
        watchdog = Watchdog(clock=lambda: now[0])
        for now[0] in range(10):
            watchdog.turn()
        assert sum("READY=1" in line for line in heard) == 1

    def test_a_start_counts_as_good_once_after_twenty_seconds(self, heard: list[str]) -> None:
        now, good = [1000.0], []
        watchdog = Watchdog(clock=lambda: now[0])
        watchdog.on_steady = lambda: good.append(now[0])
        for now[0] in range(1000, 1060):
            watchdog.turn()
        assert good == [1021]


def test_what_a_thread_does_is_read_behind_its_name_whatever_that_is(tmp_path: Path) -> None:
    (tmp_path / "stat").write_text("7 (a) R (b) D 1 7 7 0 -1 64 90 0 0 0 30 12 0 0 20 0 1 0 1000 0 0\n")
    assert watchdog.used_time(tmp_path) == 30 + 12
    assert watchdog._fields(tmp_path)[0] == b"D"


def test_a_thread_that_ends_as_it_is_looked_at_is_neither_held_up_nor_at_work() -> None:
    assert watchdog.used_time(Path("/proc/self/task/0")) == 0
    assert watchdog._fields(Path("/proc/self/task/0"))[0] != b"D"


def test_a_tick_comes_four_times_as_often_as_the_manager_wants_to_hear(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("WATCHDOG_USEC", "2000000")
    monkeypatch.delenv("WATCHDOG_PID", raising=False)
    assert Heart(SimpleQueue())._every == 0.5


def test_a_loop_that_hangs_finds_one_tick_not_a_thousand() -> None:
    events: SimpleQueue[object] = SimpleQueue()
    with Heart(events, every=0.001):
        time.sleep(0.1)
    assert events.qsize() == 1
    assert isinstance(events.get(), Tick)
