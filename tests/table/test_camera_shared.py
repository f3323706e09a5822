"""Games over renderings: sure rolls are as labelled, the others are asked, and journals replay."""

import json
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from queue import SimpleQueue

import pytest

from companion.engine import Journal, Session, Wish
from companion.engine.packs import find, merge
from companion.engine.records import RolledDie
from companion.games import load
from companion.table.camera_dice import CameraDice
from companion.table.matching import GAME_FACES
from companion.table.protocol import JsonFront
from companion.table.table import Table
from vision import teach
from vision.camera import open_camera

SHARED = Path("../shared/dice/rendered")
ROLLS = 8

Message = dict[str, object]

pytestmark = pytest.mark.skipif(not SHARED.is_dir(), reason="../shared/dice is not here")


class Player:
    """Answers at random, rolls by the camera, and leaves after some rolls."""

    def __init__(self) -> None:
        self.random = random.Random(5)
        self.rolls = 0
        self.seen = 0
        self._ask: Message = {}
        self._lines: SimpleQueue[str] = SimpleQueue()

    def write(self, text: str) -> None:
        message = json.loads(text)
        line = self._reply(message)
        if line is not None:
            self._lines.put(json.dumps(line))

    def flush(self) -> None:
        pass

    def __iter__(self) -> Iterator[str]:
        while True:
            yield self._lines.get()

    def _reply(self, message: Message) -> object:
        if message["type"] == "ask":
            self._ask = message
            self.rolls += message["kind"] == "roll"
            return {"quit": True} if self.rolls > ROLLS else self._answer(message)
        if message["type"] == "seen":
            self.seen += 1
            dice = [die["faces"] for die in self._ask["dice"] for _ in range(die["count"])]
            faces = [
                face or self.random.choice(own) for face, own in zip(message["faces"], dice, strict=True)
            ]
            return {"n": message["n"], "answer": faces}
        return None

    def _answer(self, ask: Message) -> object:
        match ask:
            case {"kind": "roll"}:
                return None
            case {"kind": "show"}:
                answer: object = True
            case {"kind": "number", "least": least, "most": most}:
                answer = self.random.randint(least, most)
            case {"kind": "choose", "options": options}:
                answer = self.random.choice(options)["id"]
            case {"kind": "pick", "options": options, "least": least, "most": most}:
                count = self.random.randint(least, min(most, len(options)))
                answer = [one["id"] for one in self.random.sample(options, count)]
        return {"n": ask["n"], "answer": answer}


def throws(source: Path, folder: Path) -> list[list[dict[str, str]]]:
    """Put the throws of a labelled folder into another, and say what lies in each."""
    folder.mkdir()
    lines = [json.loads(line) for line in (source / "labels.jsonl").read_text().splitlines()]
    rolls = sorted((line for line in lines if line["kind"] == "roll"), key=lambda line: line["file"])
    for line in rolls:
        (folder / line["file"]).symlink_to((source / line["file"]).resolve())
    return [line["dice"] for line in rolls]


def sure(roll: Sequence[RolledDie]) -> Counter[str]:
    """The faces that were taken with nobody asked."""
    return Counter(die.face for die in roll if die.source == "camera" and die.photo is None)


@pytest.mark.parametrize(
    ("game", "set_name", "folder"), [("okinawa", "okinawa", "okinawa-a"), ("dday_dice", "dday", "dday-a")]
)
def test_a_game_over_photographs(game: str, set_name: str, folder: str, tmp_path: Path) -> None:
    lying = throws(SHARED / folder, tmp_path / "throws")
    teach.from_folder(set_name, SHARED / folder, tmp_path / "dice")
    chosen, player = load(game), Player()
    packs = merge(chosen.name, find(chosen.folder, tmp_path / "packs", ()))
    with Journal(tmp_path) as journal:
        with Session.create(journal, chosen, packs, Wish(seed=3, dice="camera")) as session:
            source = CameraDice(open_camera(tmp_path / "throws"), taught=tmp_path / "dice")
            JsonFront(Table(session, tmp_path), player, player, source).run()
            name, state = session.meta.id, session.state
        with Session.resume(journal, chosen, name) as again:
            assert again.state == state
        rolled = list(journal.rolls(name).values())
    assert rolled
    for dice, roll in zip(lying, rolled, strict=False):
        labelled = Counter(GAME_FACES.get(die["face"], die["face"]) for die in dice)
        assert sure(roll) <= labelled
