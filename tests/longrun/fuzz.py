"""R8: what comes from outside, mangled: only declared errors, memory bounded.

    python -m tests.longrun.fuzz --inputs 1000000 [protocol typed journal pack override]

Each input is a good one with bytes changed, cut, doubled or spliced with another.
"""

from __future__ import annotations

import argparse
import io
import resource
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from random import Random

from companion.engine import BadAnswer, Journal, PackError, Session, Wish, packs
from companion.engine.database import FILE
from companion.table.events import Typed
from companion.table.lines import LinesFront
from companion.table.protocol import JsonFront
from companion.table.table import Table
from tests.engine.toy import GAME, PACKS, ToyPack
from tests.longrun.play_toy import play_on

Target = Callable[[bytes], object]

LINES = [
    b'{"n": 1, "answer": "dice"}', b'{"n":2,"answer":["1","6"]}', b'{"undo": 1}', b'{"redo":2}',
    b'{"state": true}', b'{"why":true,"board":true}', b'{"n": 3, "answer": true}',
    b'{"override": {"path": "bag.stones", "value": 3}}', b'{"override":{"path":"picked","value":{"a":1}}}',
]  # fmt: skip
TYPED = [
    b"1", b"2", b"dice", b"", b"1 6", b"undo", b"undo 2", b"redo", b"why", b"board", b"help",
    b"set bag.stones = 3", b'set picked = {"a":1}',
]  # fmt: skip
PACK = b"""[pack]
game = "toy"
name = "mine"
source = "owner"
notes = "Mine."
[card.a]
steps = 2
[card."b c"]
steps = 0x10
"""
TROUBLE = [b"\0", b"[" * 50, b'"', b"9" * 40, b"\xff", b"-1", b"null", b"1e999"]
PATHS = [b"height", b"bag.stones", b"deck.0", b"picked.a", b"deck", b"bag"]


def mangled(good: bytes, other: bytes, rng: Random) -> bytes:
    """A good input after a few accidents."""
    data = bytearray(good)
    for _ in range(rng.randint(0, 4)):
        at = rng.randint(0, len(data))
        match rng.randrange(6):
            case 0:
                data[at:at] = rng.randbytes(rng.randint(1, 8))
            case 1:
                del data[at : at + rng.randint(1, 9)]
            case 2:
                data[at:at] = other[rng.randint(0, len(other)) :]
            case 3:
                data = data[:at]
            case 4:
                data[at:at] = rng.choice(TROUBLE)
            case 5 if data:
                data[at % len(data)] ^= 1 << rng.randrange(8)
    return bytes(data)


@contextmanager
def protocol_target(folder: Path) -> Iterator[Target]:
    """Lines to a table that is being played."""
    wish = Wish({"top": "60"}, seed=1)
    with Journal(folder) as journal, Session.create(journal, GAME, PACKS, wish) as session:
        out = io.StringIO()
        front = JsonFront(Table(session, folder), [], out)

        def hear(data: bytes) -> None:
            front._handle(Typed(data.decode(errors="surrogateescape")))
            out.seek(0)
            out.truncate()
            assert not list(session.play.check())
            front._done = False

        yield hear


@contextmanager
def typed_target(folder: Path) -> Iterator[Target]:
    """Lines to the plain front, with dice that are typed in."""
    wish = Wish({"top": "60"}, seed=1, dice="manual")
    with Journal(folder) as journal, Session.create(journal, GAME, PACKS, wish) as session:
        out = io.StringIO()
        front = LinesFront(Table(session, folder), [], out)

        def hear(data: bytes) -> None:
            front._handle(Typed(data.decode(errors="surrogateescape")))
            out.seek(0)
            out.truncate()
            assert not list(session.play.check())
            if session.ask is None:
                session.undo()

        yield hear


@contextmanager
def journal_target(folder: Path) -> Iterator[Target]:
    """Journal files."""
    place = folder / "place"

    def read(data: bytes) -> None:
        place.mkdir()
        (place / FILE).write_bytes(data)
        with Journal(place) as journal:
            for meta in journal.sessions():
                journal.entries(meta.id)
        shutil.rmtree(place)

    yield read


@contextmanager
def pack_target(folder: Path) -> Iterator[Target]:
    """Pack files."""
    file = folder / "pack.toml"

    def read(data: bytes) -> None:
        file.write_bytes(data)
        with suppress(PackError):
            packs.build(packs.merge("toy", [packs.read(file)]), ToyPack)

    yield read


@contextmanager
def override_target(folder: Path) -> Iterator[Target]:
    """Paths and values set by hand."""
    with Journal(folder) as journal, Session.create(journal, GAME, PACKS, Wish(seed=1)) as session:

        def set_by_hand(data: bytes) -> None:
            path, _, value = data.decode(errors="replace").partition("=")
            with suppress(BadAnswer):
                session.override({path: value if len(value) % 2 else len(value)})
            assert not list(session.play.check())

        yield set_by_hand


def seeds_of(name: str, folder: Path) -> list[bytes]:
    """Good inputs to start from."""
    if name == "journal":
        play_on(folder / "good", 1, lambda *_: None, 30)
        return [(folder / "good" / FILE).read_bytes()]
    others = {"protocol": LINES, "typed": TYPED, "pack": [PACK], "override": [path + b"=1" for path in PATHS]}
    return others[name]


TARGETS = {
    "protocol": protocol_target,
    "typed": typed_target,
    "journal": journal_target,
    "pack": pack_target,
    "override": override_target,
}


def fuzz(name: str, inputs: int, seed: int, folder: Path) -> int:
    """Feed `inputs` mangled inputs; returns by how many KiB the process grew. Errors name the input."""
    rng = Random(seed)
    good = seeds_of(name, folder)
    (folder / "target").mkdir()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with TARGETS[name](folder / "target") as target:
        for number in range(inputs):
            data = mangled(rng.choice(good), rng.choice(good), rng)
            try:
                target(data)
            except Exception as error:
                raise AssertionError(f"{name}, input {number} of seed {seed}: {data[:400]!r}") from error
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("targets", nargs="*", default=list(TARGETS))
    parser.add_argument("--inputs", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=1)
    wish = parser.parse_args()
    for name in wish.targets:
        begun = time.monotonic()
        with tempfile.TemporaryDirectory() as folder:
            grown = fuzz(name, wish.inputs, wish.seed, Path(folder))
        seconds = time.monotonic() - begun
        print(f"{name}: {wish.inputs} inputs, {grown} KiB grown, {seconds:.0f} s", flush=True)


if __name__ == "__main__":
    main()
