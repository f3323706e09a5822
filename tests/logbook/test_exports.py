"""Sessions leave the journal whole, come back whole, and nothing hostile comes with them."""

import csv
import io
import tracemalloc
import zlib
from codecs import BOM_UTF8
from pathlib import Path

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from companion.engine import BadInput, Journal, Session, Wish
from companion.engine.errors import HereAlready, PackError
from companion.engine.line import Act, seal
from companion.engine.records import Meta, Note, blob_name
from companion.logbook import exports
from companion.logbook.exports import whole
from tests.engine.toy import GAME, PACKS
from tests.logbook.conftest import play_small

GOLDEN = Path(__file__).parent / "golden"


def exported(journal: Journal, name: str) -> list[bytes]:
    return list(exports.lines(whole(journal, journal.session(name))))


def test_an_export_taken_in_elsewhere_is_the_same_session(journal: Journal, tmp_path: Path) -> None:
    name = play_small(journal)
    kept = exports.read(exported(journal, name), "x.jsonl")
    with Journal(tmp_path / "other") as other:
        other.adopt(kept)
        assert whole(other, other.session(name)) == whole(journal, journal.session(name))
        assert exported(other, name) == exported(journal, name)


def test_a_session_that_is_here_already_is_not_taken_in_again(journal: Journal, played: str) -> None:
    with pytest.raises(BadInput, match="is here already"):
        journal.adopt(exports.read(exported(journal, played), "x.jsonl"))


def test_a_session_that_is_here_already_is_so_while_it_is_played(journal: Journal, played: str) -> None:
    kept = whole(journal, journal.session(played))
    with Session.resume(journal, GAME, played), pytest.raises(HereAlready):
        journal.adopt(kept)


@pytest.mark.parametrize("has", ["all", "a part"])
def test_a_session_that_another_takes_in_at_the_same_moment_is_here_already_or_goes_on(
    journal: Journal, played: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, has: str
) -> None:
    kept = whole(journal, journal.session(played))
    part = msgspec.structs.replace(kept, meta=kept.meta.start(), entries=kept.entries[:2], rolls={})
    with Journal(tmp_path / "other") as other:
        looked_up = other.head

        def head(session: str) -> Meta | None:
            found = looked_up(session)
            monkeypatch.undo()
            other.adopt(kept if has == "all" else part)
            return found

        monkeypatch.setattr(other, "head", head)
        if has == "all":
            with pytest.raises(HereAlready):
                other.adopt(kept)
        else:
            assert other.adopt(kept) == len(kept.entries) - 2
        assert whole(other, other.session(played)) == kept


def test_a_session_that_began_otherwise_is_not_the_one_that_is_here(journal: Journal, played: str) -> None:
    kept = whole(journal, journal.session(played))
    other = msgspec.structs.replace(kept.meta, seed=kept.meta.seed + 1).sealed()
    with pytest.raises(BadInput, match="went on otherwise here"):
        journal.adopt(msgspec.structs.replace(kept, meta=other))


def test_a_note_that_an_earlier_copy_has_leaves_the_end_that_was_reached_here(
    journal: Journal, played: str
) -> None:
    kept, head = whole(journal, journal.session(played)), journal.session(played)
    assert head.outcome
    note = Note(1.0, "from elsewhere")
    earlier = msgspec.structs.replace(
        kept, meta=head.start(), entries=kept.entries[:2], rolls={}, notes=(note,)
    )
    assert journal.adopt(earlier) == 0
    assert journal.session(played) == head
    assert journal.notes(played)[-1] == note


def test_an_export_that_begins_with_a_byte_order_mark_is_read(journal: Journal, played: str) -> None:
    first, *rest = exported(journal, played)
    assert exports.read([BOM_UTF8 + first, *rest], "x.jsonl") == whole(journal, journal.session(played))


def test_a_cut_off_export_is_refused(journal: Journal, played: str) -> None:
    lines = exported(journal, played)
    for cut in (0, 1, len(lines) // 2, len(lines) - 1):
        with pytest.raises(BadInput, match="first or last line is missing"):
            exports.read(lines[:cut], "x.jsonl")


def test_a_changed_answer_is_noticed(journal: Journal, played: str) -> None:
    lines = [line.replace(b'"label":"Stones"', b'"label":"Rocks"') for line in exported(journal, played)]
    with pytest.raises(BadInput, match="entries are missing or damaged after 0"):
        exports.read(lines, "x.jsonl")


def test_a_changed_head_is_noticed(journal: Journal, played: str) -> None:
    head, *lines = exported(journal, played)
    assert b'"game":"toy"' in head
    with pytest.raises(BadInput, match="head is damaged"):
        exports.read([head.replace(b'"game":"toy"', b'"game":"tay"'), *lines], "x.jsonl")


def test_an_export_of_another_version_is_refused_with_both(journal: Journal, played: str) -> None:
    head, *lines = exported(journal, played)
    lines.insert(0, b'{"type":"film","name":"what none has yet"}\n')
    with pytest.raises(BadInput, match="export version 2 is not known here, only 1; upgrade this companion"):
        exports.read([head.replace(b'"version":1,', b'"version":2,', 1), *lines], "x.jsonl")


def test_an_export_without_any_one_of_its_lines_is_refused(journal: Journal, played: str) -> None:
    lines = exported(journal, played)
    for at in range(len(lines)):
        with pytest.raises(BadInput, match="first or last line is missing"):
            exports.read(lines[:at] + lines[at + 1 :], "x.jsonl")


def test_a_line_without_an_end_is_not_read(
    journal: Journal, played: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = exported(journal, played)
    monkeypatch.setattr(exports, "LONGEST", max(map(len, lines)))
    exports.read(lines, "x.jsonl")
    monkeypatch.setattr(exports, "LONGEST", max(map(len, lines)) - 1)
    with pytest.raises(BadInput, match="is longer than any session has"):
        exports.read(lines, "x.jsonl")


def test_entries_of_another_session_are_refused(journal: Journal, played: str) -> None:
    head, *lines = exported(journal, played)
    meta = msgspec.convert(msgspec.json.decode(head)["meta"] | {"id": "toy-another"}, Meta).sealed()
    head = msgspec.json.encode({"type": "session", "version": 1, "meta": meta})
    with pytest.raises(BadInput, match="entries are missing or damaged"):
        exports.read([head, *lines], "x.jsonl")


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ({"type": "roll", "seq": 0, "dice": []}, "don't belong to this session"),
        ({"type": "roll", "seq": 999, "dice": []}, "don't belong to this session"),
        ({"type": "blob", "name": blob_name(b"x"), "data": "eA=="}, "don't belong to this session"),
        ({"type": "blob", "name": blob_name(b"x"), "data": "eQ=="}, "is damaged"),
        ({"type": "note", "note": {"at": 1e18}}, "a time that no clock shows"),
    ],
)
def test_a_line_that_is_none_of_the_session_is_refused(
    journal: Journal, played: str, line: dict[str, object], message: str
) -> None:
    *lines, _ = exported(journal, played)
    end = {"type": "end", "lines": len(lines) + 1}
    with pytest.raises(BadInput, match=message):
        exports.read([*lines, msgspec.json.encode(line), msgspec.json.encode(end)], "x.jsonl")


@pytest.mark.parametrize("kind", [b'"session"', b'"roll"', b'"end"'])
def test_a_line_that_is_there_twice_is_not_passed_over(journal: Journal, played: str, kind: bytes) -> None:
    """Of two rolls for one answer the later one counted."""
    *lines, _ = exported(journal, played)
    end = msgspec.json.encode({"type": "end", "lines": len(lines) + 1})
    (line, *_) = [one for one in [*lines, end] if kind in one[:20]]
    with pytest.raises(BadInput, match="in the midst of it, or a roll is there twice"):
        exports.read([*lines, line, end], "x.jsonl")


def test_a_line_that_is_no_json_is_named(journal: Journal, played: str) -> None:
    lines = exported(journal, played)
    lines[3] = b"{nonsense\n"
    with pytest.raises(BadInput, match=r"x.jsonl: line 4: [^;]*$"):
        exports.read(lines, "x.jsonl")
    with pytest.raises(BadInput, match=r"line 1: .*; companion log export writes what is taken in here"):
        exports.read(lines[3:], "x.jsonl")


@pytest.mark.parametrize("name", ["../../etc/passwd", "a/b", "", ".hidden", "a" * 100, "a\nb"])
def test_a_session_name_that_would_be_a_path_is_refused(journal: Journal, played: str, name: str) -> None:
    lines = exported(journal, played)
    head = msgspec.json.decode(lines[0])
    meta = msgspec.convert(head["meta"] | {"id": name}, Meta).sealed()
    lines[0] = msgspec.json.encode({"type": "session", "version": 1, "meta": meta})
    with pytest.raises(BadInput, match="head is damaged"):
        exports.read(lines, "x.jsonl")


@settings(max_examples=300, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(at=st.integers(0, 10_000), new=st.binary(max_size=6))
def test_a_damaged_export_is_refused_or_the_same(
    journal: Journal, tmp_path: Path, at: int, new: bytes
) -> None:
    if not journal.sessions():
        play_small(journal)
    data = b"".join(exported(journal, journal.sessions()[0].id))
    at %= len(data)
    spoilt = data[:at] + new + data[at + len(new) :]
    try:
        kept = exports.read(io.BytesIO(spoilt), "x.jsonl")
    except BadInput:
        return
    sound = whole(journal, journal.sessions()[0])
    assert (kept.meta, kept.entries) == (sound.meta, sound.entries)


@pytest.mark.parametrize("length", [-1, 10**12])
def test_an_undo_of_what_there_is_not_is_refused(journal: Journal, played: str, length: int) -> None:
    kept = whole(journal, journal.session(played))
    undo = msgspec.structs.replace(
        kept.entries[-1], seq=len(kept.entries) + 1, act=Act.UNDO, item=None, length=length
    )
    hostile = msgspec.structs.replace(kept, entries=(*kept.entries, seal(undo, kept.entries[-1].check)))
    with pytest.raises(BadInput, match="an undo back to"):
        exports.read(exports.lines(hostile), "x.jsonl")


def test_an_answer_without_what_was_answered_is_refused(journal: Journal, played: str) -> None:
    kept = whole(journal, journal.session(played))
    bare = msgspec.structs.replace(kept.entries[-1], seq=len(kept.entries) + 1, act=Act.ANSWER, item=None)
    hostile = msgspec.structs.replace(kept, entries=(*kept.entries, seal(bare, kept.entries[-1].check)))
    with pytest.raises(BadInput, match="answer without its item"):
        exports.read(exports.lines(hostile), "x.jsonl")


def test_the_csv_has_a_row_a_die(journal: Journal, played: str) -> None:
    table = exports.rolls_csv(journal, journal.session(played))
    rows = list(csv.DictReader(io.StringIO(table)))
    corrected = next(row for row in rows if row["read"])
    assert corrected["face"] == "6"
    assert corrected["read"] == "5"
    assert corrected["source"] == "camera"
    assert table.replace(played, "SESSION").encode() == (GOLDEN / "rolls.csv").read_bytes()


def test_the_csv_tells_which_dice_count(journal: Journal) -> None:
    """Taken as they lay after an undo, put right after one, or taken back for good."""
    with Session.create(journal, GAME, PACKS, Wish(seed=7, dice="manual")) as session:
        for roll in (["6", "1"], ["6", "1"], ["5", "1"]):
            session.answer(session.n, "dice")
            session.answer(session.n, roll)
            session.undo()
        session.answer(session.n, "stones")
        taken_back = session.meta
    with Session.create(journal, GAME, PACKS, Wish(seed=8, dice="manual")) as session:
        for roll in (["6", "1"], ["6", "1"]):
            session.answer(session.n, "dice")
            session.answer(session.n, roll)
            session.undo()
        session.redo()
        kept = session.meta
    told = [
        [row["counts"] for row in csv.DictReader(io.StringIO(exports.rolls_csv(journal, meta)))]
        for meta in (taken_back, kept)
    ]
    assert told == [["again"] * 4 + ["no"] * 2, ["yes"] * 2 + ["again"] * 2]


@pytest.mark.parametrize("time", [1e20, 1e308, -1.0])
def test_r8_a_time_that_no_clock_shows_is_refused(journal: Journal, played: str, time: float) -> None:
    kept = whole(journal, journal.session(played))
    old = msgspec.structs.replace(kept, meta=msgspec.structs.replace(kept.meta, created=time).sealed())
    with pytest.raises(BadInput, match="no clock shows"):
        exports.read(exports.lines(old), "x.jsonl")


@pytest.mark.parametrize(
    "data",
    [
        zlib.compress(b'{"way":' + b"[],[]," * (4 << 20)),
        zlib.compress(b"[" * 5000),
        b"\x00",
        zlib.compress(b"\xff"),
    ],
    ids=["far too long", "too deep", "not packed", "no text"],
)
def test_r8_packs_that_are_none_or_far_too_long_are_refused(
    journal: Journal, played: str, data: bytes
) -> None:
    kept = whole(journal, journal.session(played))
    head = msgspec.structs.replace(kept.meta, id="toy-other", pack=blob_name(data)).sealed()
    journal.adopt(msgspec.structs.replace(kept, meta=head, blobs=(data,), entries=(), rolls={}))
    tracemalloc.start()
    try:
        with pytest.raises(PackError, match="its packs can't be read"):
            Session.resume(journal, GAME, "toy-other")
        assert tracemalloc.get_traced_memory()[1] < 16 << 20
    finally:
        tracemalloc.stop()


def test_r8_a_game_with_packs_that_could_not_be_read_again_is_not_begun(journal: Journal) -> None:
    packs = msgspec.structs.replace(PACKS, tables={"way": {"dice": {"text": "x" * (3 << 20)}}})
    before = journal.sessions()
    with pytest.raises(PackError):
        Session.create(journal, GAME, packs)
    assert journal.sessions() == before
