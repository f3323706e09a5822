"""The plain front with a camera: rolls come from the tray, doubtful ones are typed."""

import io
from collections.abc import Iterator
from itertools import cycle
from pathlib import Path
from queue import SimpleQueue
from types import SimpleNamespace

import pytest

import vision
from companion.engine import Journal, Session, Wish
from companion.engine.asks import Dice, Roll
from companion.table import lines
from companion.table.camera_dice import CameraDice
from companion.table.events import Seen
from companion.table.lines import LinesFront
from companion.table.table import Table
from tests.engine.toy import GAME, PACKS
from tests.table.film import read, stills
from tests.table.test_camera_play import full_once


class Terminal(io.StringIO):
    """A person who rolls whenever the game asks, and types one of `faces` each time the camera doubts."""

    def __init__(self, *faces: str) -> None:
        super().__init__()
        self._faces = cycle(faces)
        self._lines: SimpleQueue[str] = SimpleQueue()

    def write(self, text: str) -> int:
        if "Which way?" in text:
            self._lines.put("dice\n")
        if "(Enter)" in text:
            self._lines.put("\n")
        if "all faces as they are" in text:
            self._lines.put(next(self._faces))
        return super().write(text)

    def __iter__(self) -> Iterator[str]:
        while True:
            yield self._lines.get()


@pytest.fixture(autouse=True)
def reader(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vision, "read", read)
    monkeypatch.setattr(lines, "LOCKOUT", float("-inf"))  # this person is as fast as the program


def played(tmp_path: Path, tray: dict[tuple[int, int], int], *faces: str) -> str:
    terminal = Terminal(*faces)
    camera = stills(tray)
    with Journal(tmp_path) as journal:
        wish = Wish(settings={"top": "5"}, dice="camera")
        with Session.create(journal, GAME, PACKS, wish) as session:
            LinesFront(Table(session, tmp_path), terminal, terminal, CameraDice(camera)).run()
            assert session.outcome is not None
    return terminal.getvalue()


def test_which_of_too_many_dice_were_rolled_is_an_empty_line(tmp_path: Path) -> None:
    said = played(tmp_path, {(60, 60): 6, (60, 160): 6, (180, 120): 5, (240, 60): 6}, "\n")
    assert "* 4 d6 for 2: these?" in said
    assert "* camera saw: 6 6, others 5 6; empty line: take these, or type all faces as they are" in said
    assert "[3] Height 6" in said


def test_a_sure_roll_is_taken_and_said(tmp_path: Path) -> None:
    assert "Roll to climb: 6 6 (camera)" in played(tmp_path, {(60, 60): 6, (180, 120): 6})


@pytest.mark.parametrize("typed", ["2 6\n", "6\n"])
def test_a_doubtful_roll_is_shown_and_typed(typed: str, tmp_path: Path) -> None:
    text = played(tmp_path, {(60, 60): 2, (180, 120): 0}, typed)
    assert "* camera saw: 2 ?; type what is at each ?, or all faces as they are" in text
    assert "Roll to climb: 2 6" not in text
    assert "Height 6" in text


def test_a_doubtful_roll_that_is_put_again_says_again_what_was_seen(tmp_path: Path) -> None:
    text = played(tmp_path, {(60, 60): 2, (180, 120): 0}, "board\n", "6\n")
    assert text.count("* camera saw: 2 ?; type what is at each ?, or all faces as they are") == 2
    assert "Height 6" in text


def test_the_face_of_a_doubtful_symbol_die_may_be_typed_by_its_place() -> None:
    roll = Roll("toy.roll", "Roll", dice=(Dice("ff", 2, ("blank", "soldier", "tank")),))
    answers: list[object] = []
    table = SimpleNamespace(n=1, kept=None, in_view=Seen(1, ("tank", None), "camera", (1,)))
    table.answer = lambda _, answer: answers.append(answer)
    front = LinesFront(table, (), io.StringIO())
    front._question = roll
    for line in ("2", "soldier", "1 3"):
        front._do(line)
    assert answers == [["tank", "soldier"], ["tank", "soldier"], ["blank", "tank"]]


def test_a_sure_roll_that_the_disk_has_no_room_for_can_be_taken_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    terminal = Terminal("\n")
    wish = Wish(settings={"top": "5"}, dice="camera")
    with Journal(tmp_path) as journal, Session.create(journal, GAME, PACKS, wish) as session:
        full_once(journal, monkeypatch)
        source = CameraDice(stills({(60, 60): 6, (180, 120): 6}))
        LinesFront(Table(session, tmp_path), terminal, terminal, source).run()
        assert session.outcome is not None
    assert "! no room on the disk\n* camera saw: 6 6; empty line: take these" in terminal.getvalue()
