"""A game whose dice come from a camera: what is taken, what is asked, what the journal keeps (R10, R14)."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from queue import SimpleQueue

import cv2
import numpy as np
import pytest

from companion.engine import Journal, Session, Wish
from companion.engine.errors import JournalFull
from companion.engine.records import RolledDie
from companion.table.camera_dice import CameraDice
from companion.table.events import USUAL, Habits
from companion.table.learning import is_taught
from companion.table.protocol import JsonFront
from companion.table.table import Table
from tests.engine.toy import GAME, PACKS
from tests.table.film import Film, picture, stills
from vision import Box, sets, teach
from vision.camera import CameraError, Fault
from vision.cameras.fake import FakeCamera

pytestmark = pytest.mark.usefixtures("film_reader")

Message = dict[str, object]
SURE = {(60, 60): 6, (180, 120): 6}
COCKED = {(60, 60): 2, (180, 120): 0}
UNLIKE = {(60, 60): 3, (180, 120): 6}
MISREAD = {(60, 60): 1, (180, 120): 2}
TWELVE = {(20 + 48 * n, y): n + 1 for n in range(6) for y in (40, 140)}


class Player:
    """The other side of the table protocol: rolls whenever it may, and answers what it is asked."""

    def __init__(self, says: Callable[[Message], object]) -> None:
        self.says = says
        self.heard: list[Message] = []
        self._lines: SimpleQueue[str] = SimpleQueue()

    def write(self, text: str) -> None:
        message = json.loads(text)
        self.heard.append(message)
        line = self._reply(message)
        if line is not None:
            self._lines.put(json.dumps(line))

    def flush(self) -> None:
        pass

    def __iter__(self) -> Iterator[str]:
        while True:
            yield self._lines.get()

    def _reply(self, message: Message) -> object | None:
        match message:
            case {"type": "ask", "kind": "choose", "n": n}:
                return {"n": n, "answer": "dice"}
            case {"type": "ask", "kind": "show", "n": n}:
                return {"n": n, "answer": True}
        return self.says(message)

    def of_type(self, kind: str) -> list[Message]:
        return [message for message in self.heard if message["type"] == kind]


def played(
    tmp_path: Path,
    camera: FakeCamera,
    says: Callable[[Message], object],
    taught: Path | None = None,
    habits: Habits = USUAL,
) -> tuple[Player, list[list[RolledDie]]]:
    """A whole game of the toy; what was said, and the dice of the journal, roll by roll."""
    player = Player(says)
    with Journal(tmp_path) as journal:
        wish = Wish(settings={"top": "5"}, dice="camera")
        with Session.create(journal, GAME, PACKS, wish) as session:
            source = CameraDice(camera, taught=taught, pictures=tmp_path / "pictures", habits=habits)
            JsonFront(Table(session, tmp_path), player, player, source).run()
            end, name = session.state, session.meta.id
        with Session.resume(journal, GAME, name) as again:
            assert again.state == end
        return player, list(journal.rolls(name).values())


def silent(message: Message) -> None:
    return None


def test_a_sure_roll_is_taken_at_once_and_needs_no_photo(tmp_path: Path) -> None:
    player, (roll,) = played(tmp_path, stills(SURE), silent)
    assert not player.of_type("seen")
    assert {"type": "said", "n": 2, "by": "camera", "answer": ["6", "6"]} in player.of_type("said")
    assert [(die.face, die.source, die.confidence, die.photo) for die in roll] == [
        ("6", "camera", 0.9, None)
    ] * 2
    assert player.of_type("end")


def by_hand(*faces: str) -> Callable[[Message], dict[str, object] | None]:
    return lambda message: {"n": message["n"], "answer": list(faces)} if message["type"] == "seen" else None


def teaching(*faces: str) -> Callable[[Message], object]:
    said = by_hand(*faces)
    return lambda message: (answer := said(message)) and {**answer, "teach": True}


def test_a_doubtful_die_is_shown_with_its_picture_and_answered_by_hand(tmp_path: Path) -> None:
    shown = []

    def look_and_say(message: Message) -> object:
        if message["type"] == "seen":
            shown.append(cv2.imread(message["pictures"][1]))
        return by_hand("2", "5")(message)

    player, (roll,) = played(tmp_path, stills(COCKED), look_and_say)
    (seen,) = player.of_type("seen")
    assert (seen["faces"], seen["doubtful"], seen["by"]) == (["2", None], [1], "camera")
    assert shown[0].shape == (36, 36, 3)
    assert [(die.face, die.source, die.photo is None) for die in roll] == [
        ("2", "camera", True),
        ("5", "manual", False),
    ]


def test_the_photo_of_a_doubtful_die_is_in_the_journal(tmp_path: Path) -> None:
    _, (roll,) = played(tmp_path, stills(COCKED), by_hand("2", "5"))
    with Journal(tmp_path) as journal:
        photo = cv2.imdecode(np.frombuffer(journal.blob(roll[1].photo), np.uint8), cv2.IMREAD_COLOR)
    assert photo.shape == (36, 36, 3)


def test_a_correction_keeps_what_was_read(tmp_path: Path) -> None:
    _, (roll,) = played(tmp_path, stills(COCKED), by_hand("5", "1"))
    assert [(die.face, die.read) for die in roll] == [("5", "2"), ("1", None)]
    assert all(die.photo for die in roll)


@pytest.mark.parametrize(
    ("tray", "said", "journaled"),
    [
        (UNLIKE, ["6", "3"], [("6", "camera", None, False), ("3", "camera", None, False)]),
        (COCKED, ["5", "2"], [("5", "manual", None, True), ("2", "camera", None, False)]),
        (UNLIKE, ["6", "5"], [("6", "camera", None, False), ("5", "camera", "3", True)]),
    ],
    ids=["right", "doubtful", "misread"],
)
def test_dice_that_are_alike_are_said_in_any_order(
    tray: dict[tuple[int, int], int],
    said: list[str],
    journaled: list[tuple[str, str, str | None, bool]],
    tmp_path: Path,
) -> None:
    _, (roll,) = played(tmp_path, stills(tray), by_hand(*said), habits=Habits(confirm=True))
    assert [(die.face, die.source, die.read, die.photo is not None) for die in roll] == journaled


def test_of_dice_that_may_have_been_said_in_another_order_nothing_is_learnt(tmp_path: Path) -> None:
    habits = Habits(confirm=True)
    player, _ = played(
        tmp_path, stills(UNLIKE), teaching("6", "3"), taught=tmp_path / "taught", habits=habits
    )
    assert "nothing to learn from these dice" in [one["text"] for one in player.of_type("notice")]
    assert not (tmp_path / "taught").exists()


@pytest.mark.parametrize(
    ("tray", "said"), [(COCKED, ("2", "5")), (SURE, ("6", "5"))], ids=["doubtful", "sure and wrong"]
)
def test_a_corrected_die_becomes_a_sample_if_the_player_says_so(
    tray: dict[tuple[int, int], int], said: tuple[str, str], tmp_path: Path
) -> None:
    taught = sets.save(sets.load("d6"), tmp_path / "taught")
    lying = picture(TWELVE)
    for (x, y), face in TWELVE.items():
        teach.keep(lying, Box(x, y, 24, 24), "d6", None, str(face), set_folder=tmp_path / "taught" / "d6")
    before = {sample.file for sample in teach.samples(taught)}
    player, _ = played(
        tmp_path, stills(tray), teaching(*said), taught=tmp_path / "taught", habits=Habits(confirm=True)
    )
    (sample,) = (one for one in teach.samples(taught) if one.file not in before)
    assert (sample.die, sample.face) == ("d6", "5")
    assert cv2.imread(str(sample.file)).shape == (36, 36, 3)
    assert "1 sample kept" in [message["text"] for message in player.of_type("notice")]


@pytest.mark.parametrize("habits", [USUAL, Habits(teach=True)], ids=["this time", "always"])
def test_of_a_set_that_is_not_taught_in_full_all_dice_of_the_roll_are_kept(
    habits: Habits, tmp_path: Path
) -> None:
    says = by_hand("2", "5") if habits.teach else teaching("2", "5")
    player, _ = played(tmp_path, stills(COCKED), says, taught=tmp_path / "taught", habits=habits)
    samples = teach.samples(sets.load("d6", tmp_path / "taught"))
    assert [(one.die, one.face) for one in samples] == [("d6", "2"), ("d6", "5")]
    notices = [message["text"] for message in player.of_type("notice")]
    assert "2 samples kept" in notices


def test_a_set_of_numerals_is_taught_once_all_faces_have_samples_and_one_of_pips_always_is() -> None:
    assert is_taught(sets.load("d6"))
    assert not is_taught(sets.load("d10"))


def test_to_teach_a_reader_that_keeps_no_samples_is_to_answer(tmp_path: Path) -> None:
    player, (roll,) = played(tmp_path, stills(COCKED), teaching("2", "5"))
    assert [die.face for die in roll] == ["2", "5"]
    assert player.of_type("end")


def test_of_rolls_that_nobody_has_looked_at_nothing_is_learnt(tmp_path: Path) -> None:
    habits = Habits(teach=True)
    played(tmp_path, stills(SURE), silent, taught=tmp_path / "taught", habits=habits)
    assert not (tmp_path / "taught").exists()


def test_where_more_dice_lie_than_were_asked_for_nothing_is_learnt(tmp_path: Path) -> None:
    three = {(60, 60): 6, (120, 160): 5, (180, 120): 4}
    player, (roll,) = played(
        tmp_path, stills(three), teaching("6", "5"), taught=tmp_path / "taught", habits=Habits(confirm=True)
    )
    (seen,) = player.of_type("seen")
    assert (seen["faces"], seen["doubtful"], seen["others"]) == (["6", "4"], [], [["5"]] * 2)
    assert [(die.face, die.source, die.read) for die in roll] == [
        ("6", "camera", None),
        ("5", "manual", None),
    ]
    assert all(die.photo for die in roll)
    assert not (tmp_path / "taught").exists()


def test_a_sure_roll_waits_for_the_player_who_wants_it_so(tmp_path: Path) -> None:
    player, (roll,) = played(tmp_path, stills(SURE), by_hand("6", "6"), habits=Habits(confirm=True))
    (seen,) = player.of_type("seen")
    assert (seen["faces"], seen["doubtful"]) == (["6", "6"], [])
    assert [(die.source, die.photo) for die in roll] == [("camera", None)] * 2


def test_dice_that_an_undo_left_in_the_tray_are_not_thrown_again(tmp_path: Path) -> None:
    def undo_once(message: Message) -> object:
        if message["type"] == "ask" and message["kind"] == "roll" and "kept" in message:
            return {"n": message["n"], "answer": message["kept"]}
        if message["type"] == "said" and message["by"] == "camera" and not undone:
            undone.append(message)
            return {"undo": 1}
        return None

    undone: list[Message] = []
    _, rolls = played(tmp_path, stills(SURE, MISREAD), undo_once)
    assert undone
    assert [[die.face for die in roll] for roll in rolls] == [["6", "6"], ["6", "6"]]


@pytest.mark.parametrize(
    ("tray", "said", "journaled"),
    [
        (SURE, ["6", "6"], [("6", "camera", None, False), ("6", "camera", None, False)]),
        (SURE, ["6", "5"], [("6", "camera", None, False), ("5", "camera", "6", True)]),
        (COCKED, ["2", "5"], [("2", "camera", None, False), ("5", "manual", None, True)]),
    ],
    ids=["right", "misread", "doubtful"],
)
def test_a_roll_that_is_put_right_after_an_undo_keeps_what_was_read_and_its_photo(
    tray: dict[tuple[int, int], int],
    said: list[str],
    journaled: list[tuple[str, str, str | None, bool]],
    tmp_path: Path,
) -> None:
    def undo_once(message: Message) -> object:
        match message:
            case {"type": "seen", "n": n}:
                return {"n": n, "answer": ["2", "2"]}
            case {"type": "ask", "kind": "roll", "kept": _, "n": n}:
                return {"n": n, "answer": said}
            case {"type": "said", "n": 2}:
                return {"undo": 1}
        return None

    _, rolls = played(tmp_path, stills(tray), undo_once)
    assert len(rolls) == 2
    assert [(die.face, die.source, die.read, die.photo is not None) for die in rolls[-1]] == journaled


@pytest.mark.parametrize(
    ("first", "then", "left", "notices"),
    [
        (("2", "2"), ("2", "5"), ["2"], ["1 sample taken back"]),
        (("5", "3"), ("2", "5"), [], ["2 samples taken back"]),
        (("2", "5"), ("2", "5"), ["2", "5"], []),
    ],
)
def test_what_was_learnt_of_a_slip_is_taken_back_when_it_is_put_right(
    first: Sequence[str], then: Sequence[str], left: list[str], notices: list[str], tmp_path: Path
) -> None:
    def undo_once(message: Message) -> object:
        match message:
            case {"type": "ask", "kind": "roll", "kept": _, "n": n}:
                return {"n": n, "answer": then, "teach": True}
            case {"type": "said", "n": 2}:
                return {"undo": 1}
        return teaching(*first)(message)

    player, rolls = played(tmp_path, stills(COCKED), undo_once, taught=tmp_path / "taught")
    assert len(rolls) == 2
    assert [one.face for one in teach.samples(sets.load("d6", tmp_path / "taught"))] == left
    texts = [str(message["text"]) for message in player.of_type("notice")]
    assert [text for text in texts if "taken back" in text] == notices


def test_an_answer_that_fits_no_dice_is_refused_and_the_right_one_taken(tmp_path: Path) -> None:
    def wrong_then_right(message: Message) -> object:
        if message["type"] == "seen":
            return {"n": message["n"], "answer": ["7"]}
        if message["type"] == "error":
            return {"n": message["n"], "answer": ["2", "5"]}
        return None

    player, (roll,) = played(tmp_path, stills(COCKED), wrong_then_right)
    assert len(player.of_type("error")) == 1
    assert [die.face for die in roll] == ["2", "5"]


def test_without_pictures_left_the_game_goes_on_by_hand(tmp_path: Path) -> None:
    def rescue(message: Message) -> object:
        if message["type"] == "notice" and "by hand" in message["text"]:
            rolls = [ask for ask in player_asks if ask["kind"] == "roll"]
            return {"n": rolls[-1]["n"], "answer": ["6", "6"]}
        if message["type"] == "ask":
            player_asks.append(message)
        return None

    player_asks: list[Message] = []
    low = {(60, 60): 1, (180, 120): 1}
    _, (first, second) = played(tmp_path, stills(low), rescue)
    assert [die.source for die in first] == ["camera"] * 2
    assert [(die.face, die.source, die.confidence) for die in second] == [("6", "front", None)] * 2


def test_a_camera_that_fails_in_mid_game_is_used_again_when_it_is_back(tmp_path: Path) -> None:
    film = Film().rest({}).fault(Fault.FROZEN).rest({}).throw(SURE)
    player, (roll,) = played(tmp_path, film.camera(), silent)
    texts = [message["text"] for message in player.of_type("notice")]
    assert "dice by hand: the camera is frozen" in texts
    assert "camera is back" in texts
    assert [die.face for die in roll] == ["6", "6"]


def test_a_damaged_picture_is_named_and_the_next_one_taken_after_ok(tmp_path: Path) -> None:
    damaged = CameraError(Fault.MISSING, "roll-1.jpg: not a picture, or damaged")
    camera = FakeCamera([damaged, picture(SURE)], stills=True)
    player, (roll,) = played(tmp_path, camera, by_hand("6", "6"))
    assert any("roll-1.jpg" in str(message["text"]) for message in player.of_type("notice"))
    (seen,) = player.of_type("seen")
    assert (seen["faces"], seen["doubtful"]) == (["6", "6"], [])
    assert [(die.face, die.source) for die in roll] == [("6", "camera")] * 2


def test_where_no_samples_can_be_kept_the_game_goes_on_and_says_so(tmp_path: Path) -> None:
    (tmp_path / "taught").write_text("a file where the folder should be")
    player, (roll,) = played(tmp_path, stills(COCKED), teaching("2", "5"), taught=tmp_path / "taught")
    assert [die.face for die in roll] == ["2", "5"]
    assert any("samples can't be kept" in str(message["text"]) for message in player.of_type("notice"))
    assert player.of_type("end")


def full_once(journal: Journal, monkeypatch: pytest.MonkeyPatch) -> None:
    """The journal's disk has no room for the first roll."""
    append, left = journal.append, [JournalFull("no room on the disk")]

    def appending(
        entries: object, rolls: Mapping[int, Sequence[RolledDie]], photos: Sequence[bytes], *head: object
    ) -> None:
        if any(rolls.values()) and left:
            raise left.pop()
        append(entries, rolls, photos)

    monkeypatch.setattr(journal, "append", appending)


def test_a_sure_roll_that_the_disk_has_no_room_for_is_shown_and_asked_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    player = Player(by_hand("6", "6"))
    wish = Wish(settings={"top": "5"}, dice="camera")
    with Journal(tmp_path) as journal, Session.create(journal, GAME, PACKS, wish) as session:
        full_once(journal, monkeypatch)
        JsonFront(Table(session, tmp_path), player, player, CameraDice(stills(SURE))).run()
        assert session.outcome is not None
    assert [(m["n"], m["message"]) for m in player.of_type("error")] == [(2, "no room on the disk")]
    assert [seen["faces"] for seen in player.of_type("seen")] == [["6", "6"]]
