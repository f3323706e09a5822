"""R1: the process is killed at every write of the journal and at random instants.

    python -m tests.longrun.kills --kills 20000

Each kill is a SIGKILL to a forked player, at one of the statements that it sends to SQLite or after a
random time; then the journal is opened again. Nothing that the player had acknowledged may be missing,
and the state must be the replay of what is there.
"""

from __future__ import annotations

import argparse
import os
import signal
import sqlite3
import struct
import tempfile
import time
from pathlib import Path
from random import Random
from typing import NamedTuple

from companion.engine import Journal, Session
from tests.engine.toy import GAME
from tests.longrun.play_toy import digest, play_on, replayed

_ACK = struct.Struct("40sI16s")


class Report(NamedTuple):
    """Kills, how many of them hit a write, and answers acknowledged before them."""

    kills: int
    at_writes: int
    acknowledged: int


def kills(count: int, seed: int, folder: Path) -> Report:
    """Kill `count` times; an `AssertionError` names the kill that lost something."""
    rng = Random(seed)
    acknowledged = at_writes = 0
    for kill in range(count):
        statement = rng.randint(1, 250) if kill % 4 else 0
        delay = 0.0 if statement else rng.uniform(0.0, 0.05)
        acks = _killed(folder, rng.randrange(1 << 30), statement, delay)
        at_writes += bool(statement)
        acknowledged += len(acks)
        _check(folder, acks, f"kill {kill} of seed {seed}")
        if kill % 50 == 49:  # a fresh file now and then, so that its creation is hit too
            folder = folder.with_name(f"data{kill}")
    return Report(count, at_writes, acknowledged)


def _killed(folder: Path, seed: int, statement: int, delay: float) -> list[tuple[str, int, str]]:
    """What a player that was killed had been told is on disk."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(read)
        _player(folder, seed, statement, write)
    os.close(write)
    if delay:
        time.sleep(delay)
        os.kill(child, signal.SIGKILL)
    with os.fdopen(read, "rb") as pipe:
        data = pipe.read()
    os.waitpid(child, 0)
    whole = len(data) // _ACK.size * _ACK.size
    return [
        (name.rstrip(b"\0").decode(), n, state.decode()) for name, n, state in _ACK.iter_unpack(data[:whole])
    ]


def _player(folder: Path, seed: int, statement: int, out: int) -> None:
    """Plays until it is killed; never returns."""
    countdown = statement
    connect = sqlite3.connect

    def traced(_: str) -> None:
        nonlocal countdown
        countdown -= 1
        if countdown == 0:
            os.kill(os.getpid(), signal.SIGKILL)

    def connecting(*args, **kwargs):
        db = connect(*args, **kwargs)
        db.set_trace_callback(traced)
        return db

    sqlite3.connect = connecting
    try:
        play_on(folder, seed, lambda *ack: os.write(out, _ACK.pack(*(_bytes(one) for one in ack))), 400)
        os._exit(0)
    except BaseException as error:  # noqa: BLE001 - the parent has to hear of it
        os.write(2, f"player: {error!r}\n".encode())
        os._exit(1)


def _bytes(value: object) -> object:
    return value.encode() if isinstance(value, str) else value


def _check(folder: Path, acks: list[tuple[str, int, str]], where: str) -> None:
    with Journal(folder) as journal:
        assert journal.salvaged is None, f"{where}: a kill must not look like damage"
        heads = {meta.id for meta in journal.sessions()}
        for name, n, state in acks[-3:]:
            assert name in heads, f"{where}: session {name} is gone"
            assert replayed(journal, name, n - 1) == state, f"{where}: answer {n - 1} of {name} is gone"
        for name in {name for name, _, _ in acks[-1:]}:
            with Session.resume(journal, GAME, name) as session:
                again = replayed(journal, name, session.n)
                assert digest(session.state) == again, f"{where}: the state is not the replay"


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--kills", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    wish = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        begun = time.monotonic()
        report = kills(wish.kills, wish.seed, Path(folder) / "data")
    print(
        f"{report.kills} kills ({report.at_writes} at a write, the others at a random instant), "
        f"{report.acknowledged} answers acknowledged, none lost, {time.monotonic() - begun:.0f} s"
    )


if __name__ == "__main__":
    main()
