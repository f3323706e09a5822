"""Dice sources in a chain: one that fails is replaced by the next, and heard again when it returns."""

from __future__ import annotations

from pathlib import Path
from queue import SimpleQueue

import pytest

from companion.engine import Journal, Session, Wish
from companion.engine.asks import Dice, Roll
from companion.table.chain import DiceChain
from companion.table.events import Events, Notice, Seen
from companion.table.loop import Loop
from companion.table.oled_play import beside_pad
from companion.table.serial_dice import SerialDice
from companion.table.table import Table
from tests.engine.toy import GAME, PACKS
from tests.table.bench import Bench, wait_until


class Source:
    """A source that posts what a test tells it to."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.order: tuple[int, Roll, object] | None = None
        self.closed = self.passed = False

    def watch(self, n: int, roll: Roll, post) -> None:
        self.order = (n, roll, post)

    def pass_over(self) -> None:
        self.rest()
        self.passed = True

    def rest(self) -> None:
        self.order = None

    def close(self) -> None:
        self.closed = True

    def sees(self, *faces: str) -> None:
        assert self.order is not None
        n, _, post = self.order
        post(Seen(n, faces, self.name))

    def says(self, text: str) -> None:
        self.order[2](Notice(text))


class Game:
    def __init__(self, folder: Path) -> None:
        self.camera, self.tower = Source("camera"), Source("serial")
        self.journal = Journal(folder)
        self.session = Session.create(self.journal, GAME, PACKS, Wish(seed=1, dice="camera"))
        self.table = Table(self.session, folder)
        self.events: Events = SimpleQueue()
        self.loop = Loop(self.table, self.events, [], DiceChain([self.camera, self.tower]))

    def to_the_next_roll(self) -> None:
        while not isinstance(self.table.ask, Roll):
            self.table.answer(self.table.n, "dice" if self.table.ask.kind == "choose" else True)
        self.loop._look()

    def turn(self) -> None:
        while not self.events.empty():
            self.loop.handle(self.events.get())

    def sources(self) -> list[str]:
        return [dice[0].source for dice in self.journal.rolls(self.session.meta.id).values()]

    def close(self) -> None:
        self.session.close()
        self.journal.close()


def test_the_next_source_takes_over_and_the_first_is_taken_back(tmp_path: Path) -> None:
    game = Game(tmp_path)
    game.to_the_next_roll()
    game.camera.says("camera: unplugged")
    game.turn()
    assert game.table.notice == "camera: unplugged"
    game.tower.sees("3", "4")
    game.turn()
    game.to_the_next_roll()
    game.camera.says("")
    game.camera.sees("1", "2")
    game.turn()
    assert game.sources() == ["serial", "camera"]
    game.close()


def test_two_that_see_the_same_dice_answer_once(tmp_path: Path) -> None:
    game = Game(tmp_path)
    game.to_the_next_roll()
    game.camera.sees("1", "2")
    game.tower.sees("5", "6")
    game.turn()
    assert game.sources() == ["camera"]
    game.close()


def test_once_one_was_heard_none_looks(tmp_path: Path) -> None:
    game = Game(tmp_path)
    game.to_the_next_roll()
    game.camera.sees("1", "2")
    game.turn()
    assert not isinstance(game.table.ask, Roll)
    assert (game.camera.order, game.tower.order) == (None, None)
    game.close()


def test_where_kept_dice_lie_there_none_looks(tmp_path: Path) -> None:
    game = Game(tmp_path)
    game.to_the_next_roll()
    game.camera.sees("1", "2")
    game.turn()
    game.table.undo()
    game.to_the_next_roll()
    assert game.table.kept == ("1", "2")
    assert (game.camera.passed, game.tower.passed) == (True, True)
    game.close()


def test_closing_the_chain_closes_all() -> None:
    camera, tower = Source("camera"), Source("serial")
    chain = DiceChain([camera, tower])
    chain.close()
    assert (camera.closed, tower.closed) == (True, True)


def test_beside_the_boxs_devices_a_tower_is_heard_through_the_pad_they_have(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    closed: list[str] = []
    camera, tower = Source("camera"), SerialDice(lambda: closed.append("tower"))
    with Bench(monkeypatch, ("pad",)) as bench:
        assert beside_pad(tower, bench.devices) is bench.devices.dice
        assert closed == ["tower"]
        both = beside_pad(camera, bench.devices)
        assert both is not None
        seen: list[Seen] = []
        both.watch(3, Roll("t.roll", "Roll", dice=(Dice("d6", 2, tuple("123456")),)), seen.append)
        wait_until(lambda: bench.devices.pad is not None and bench.devices.pad.hello is not None)
        bench.port.say("dice d6 3 5")
        wait_until(lambda: bool(seen))
    assert (seen[0].n, seen[0].faces, seen[0].source) == (3, ("3", "5"), "serial")
    assert beside_pad(camera, None) is camera
    assert beside_pad(None, None) is None
