"""R18: twenty thousand answers and a day idle at the box's own devices; threads and files stay as they are.

Memory grows by what the session keeps of each answer, to be able to undo it, and by nothing else.

python -m tests.longrun.box_turns --turns 20000
"""

from __future__ import annotations

import argparse
import gc
import os
import statistics
import sys
import tempfile
import threading
import time
from array import array
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import msgspec
import pytest

from companion.engine import Journal, Session, Wish
from companion.engine.asks import Choose, Option, Script, ask
from companion.engine.game import Outcome
from companion.table import loop as loops
from companion.table.devices import button_of
from companion.table.events import Press, Tick
from companion.table.loop import Loop
from companion.table.table import Table
from hardware.keys import Gesture, Key
from hardware.keys import Press as KeyPress
from tests.engine.toy import GAME, PACKS, Toy
from tests.table.bench import Bench

KEPT = 0.5
"""KiB that a session may keep in memory of an answer: its words, for log and undo."""

FILLED = 8000
"""Turns after which SQLite's page cache (2 MB) is full, so that nothing grows but what a session keeps."""


DAY = 24 * 60 * 60
"""Seconds."""


class Sample(msgspec.Struct, frozen=True):
    """What the process holds: threads, open files, resident memory in KiB."""

    threads: int
    files: int
    memory: int

    @classmethod
    def now(cls) -> Sample:
        gc.collect()
        pages = int(Path("/proc/self/statm").read_text().split()[1])
        return cls(
            threading.active_count(),
            len(list(Path("/proc/self/fd").iterdir())),
            pages * os.sysconf("SC_PAGESIZE") // 1024,
        )


class Endless(Toy):
    """Left or right, for ever: what grows is not the game's."""

    def script(self) -> Script[Outcome]:
        while True:
            self.state.turn += 1
            options = tuple(Option(way, f"Go {way}") for way in ("left", "right", "back"))
            yield from ask(Choose("toy.way", f"Turn {self.state.turn}: which way?", options=options))


@contextmanager
def at_the_box() -> Iterator[Loop]:
    """The endless game at the box's own devices."""
    game = msgspec.structs.replace(GAME, start=Endless)
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.setattr(loops, "LOCKOUT", 0.0)
        with (
            Bench(monkeypatch, ("oled", "buttons", "pad")) as bench,
            Journal(Path(folder)) as journal,
            Session.create(journal, game, PACKS, Wish(seed=1)) as session,
        ):
            table = Table(session, Path(folder))
            yield Loop(table, bench.events, bench.devices.displays(table))


def play(turns: int, warm: int) -> tuple[list[Sample], Sequence[float]]:
    """So many answers, each DOWN and OK; a sample after `warm` of them and one at the end.

    Also the CPU time from each press to the frame handed over, in ms.
    """
    samples: list[Sample] = []
    spent = array("f")
    with at_the_box() as loop:
        for turn in range(turns):
            for key in (Key.DOWN, Key.OK):
                began = time.thread_time()
                press = KeyPress(key, Gesture.PRESS, time.monotonic())
                loop.handle(Press(button_of(press), press.at))
                loop._draw()
                spent.append((time.thread_time() - began) * 1000)
            if turn in (warm, turns - 1):
                samples.append(Sample.now())
        assert loop.table.n > turns
    return samples, spent


def idle(seconds: int, warm: int) -> list[Sample]:
    """Nobody plays, the loop hears of each second; a sample after `warm` of them and one at the end."""
    samples: list[Sample] = []
    with at_the_box() as loop:
        for second in range(seconds):
            loop.handle(Tick())
            loop._draw()
            if second in (warm, seconds - 1):
                samples.append(Sample.now())
    return samples


def main(arguments: list[str]) -> int:
    """Play, wait and print; 1 if something grew or a press took over 10 ms."""
    parser = argparse.ArgumentParser(prog="box_turns")
    parser.add_argument("--turns", type=int, default=20_000)
    turns = parser.parse_args(arguments).turns
    warm = min(FILLED, turns // 2)
    (before, after), spent = play(turns, warm)
    median, worst = statistics.median(spent), statistics.quantiles(spent, n=100)[98]
    print(f"{turns} turns: {before} -> {after}")
    print(f"press to frame handed over: median {median:.2f} ms CPU, 99 of 100 under {worst:.2f} ms")
    each = (after.memory - before.memory) / (turns - warm)
    print(f"after {warm} turns {each:.2f} KiB of memory an answer")
    grown = after.threads > before.threads or after.files > before.files or each > KEPT
    before, after = idle(DAY, DAY // 10)
    print(f"a day idle: {before} -> {after}")
    grown = grown or after.threads > before.threads or after.files > before.files
    grown = grown or after.memory > before.memory * 1.02
    return 1 if grown or worst > 10 else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
