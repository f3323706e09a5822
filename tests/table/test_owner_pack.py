"""Cards that are entered at the table: kept in the owner's pack, and never at the cost of an answer."""

import errno
import os
import threading
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import get_type_hints

import msgspec
import pytest

from companion.engine import Journal, PackError, Session, Wish, packs
from companion.engine.game import Problem
from companion.engine.owner_pack import add_owned, alone, note_forgotten
from companion.engine.packs import (
    Merged,
    Tables,
    build,
    find,
    merge,
    owned,
    owned_path,
    parse,
    read,
    unread,
    write,
)
from companion.engine.shelf import Shelf
from companion.table.table import Table
from tests.engine.toy import GAME, PACKS, Toy, ToyPack


class Learner(Toy):
    """The toy game, where the stones in the bag are a card that was entered."""

    def learned(self) -> Tables:
        stones = self.state.bag.stones
        return {"card": {"z": {"steps": stones}}} if stones else {}


LEARNER = msgspec.structs.replace(GAME, start=Learner)


@pytest.fixture
def session(tmp_path: Path) -> Iterator[Session]:
    with (
        Journal(tmp_path) as journal,
        Session.create(journal, LEARNER, PACKS, Wish(seed=7)) as session,
    ):
        yield session


def play(table: Table, *answers: object) -> None:
    for answer in answers:
        table.answer(table.n, answer)


def kept(folder: Path) -> object:
    return tomllib.loads((folder / "owner" / "pack.toml").read_text()).get("card")


def test_who_enters_cards_beside_another_waits_for_them_and_loses_none(tmp_path: Path) -> None:
    path = owned_path(tmp_path)
    with alone(path):
        file = owned(tmp_path, "toy")
        other = threading.Thread(target=add_owned, args=(tmp_path, "toy", {"card": {"b": {"steps": 2}}}))
        other.start()
        other.join(timeout=0.2)
        file.tables["card"] = {"a": {"steps": 1}}
        write(file)
    other.join(timeout=10)
    assert kept(tmp_path) == {"a": {"steps": 1}, "b": {"steps": 2}}


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can enter cards for another user")
def test_what_root_enters_in_anothers_folder_is_that_ones(tmp_path: Path) -> None:
    os.chown(tmp_path, 65534, 65534)
    folder = tmp_path / "packs" / "toy"
    add_owned(folder, "toy", {"card": {"a": {"steps": 1}}})
    note_forgotten(folder, "card", "b", {"steps": 2})
    there = {place.name: place.stat().st_uid for place in tmp_path.rglob("*")}
    assert there == dict.fromkeys(("packs", "toy", "owner", "pack.lock", "pack.toml", "forgotten"), 65534)


def test_where_no_file_can_be_locked_a_pack_is_not_saved_and_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr("fcntl.flock", refuse)
    with pytest.raises(PackError, match=r"owner/pack\.toml: not saved: No locks available"):
        add_owned(tmp_path, "toy", {"card": {"a": {"steps": 1}}})


def test_a_pack_that_cannot_be_written_is_a_notice_and_everybody_hears_the_answers(
    session: Session, tmp_path: Path
) -> None:
    folder = tmp_path / "packs"
    folder.write_text("in the way")
    table, told = Table(session, folder), []
    table.observe(lambda news: told.extend(said.answer for said in news))
    play(table, "stones", 2, True)
    assert told == ["stones", 2, True]
    assert "owner/pack.toml: not saved" in table.notice
    folder.unlink()
    play(table, "stones")
    assert kept(folder) == {"z": {"steps": 2}}
    assert table.notice == ""


def test_a_card_that_the_owner_corrected_stays_so_when_its_session_goes_on(
    session: Session, tmp_path: Path
) -> None:
    play(Table(session, tmp_path), "stones", 2, True)
    add_owned(tmp_path, "toy", {"card": {"z": {"steps": 9}}})
    again = Table(session, tmp_path)
    again.settle()
    play(again, "stones", 0, True)
    assert kept(tmp_path) == {"z": {"steps": 9}}
    play(again, "stones", 1)
    assert kept(tmp_path) == {"z": {"steps": 3}}


def test_a_card_that_the_owner_corrected_stays_so_when_its_entry_is_undone_and_redone(
    session: Session, tmp_path: Path
) -> None:
    table = Table(session, tmp_path)
    play(table, "stones", 2)
    add_owned(tmp_path, "toy", {"card": {"z": {"steps": 9}}})
    table.undo()
    table.redo()
    assert kept(tmp_path) == {"z": {"steps": 9}}
    table.undo()
    play(table, 3)
    assert kept(tmp_path) == {"z": {"steps": 3}}


def test_of_a_corrected_card_only_what_its_session_says_otherwise_now_is_written(tmp_path: Path) -> None:
    def said(copies: int) -> Tables:
        return {"card": {"z": {"name": "Tank", "dice": (1, 2), "copies": copies}}}

    add_owned(tmp_path, "toy", said(1))
    right = {"name": "Sherman", "dice": [1, 3], "copies": 1, "fog": 2}
    add_owned(tmp_path, "toy", {"card": {"z": right}}, {}, said(1))
    add_owned(tmp_path, "toy", said(2), {}, said(1))
    assert kept(tmp_path) == {"z": right | {"copies": 2}}


def test_of_a_stand_in_the_owners_name_and_what_is_not_asked_stay_when_it_is_entered_in_a_game(
    tmp_path: Path,
) -> None:
    add_owned(tmp_path, "toy", {"card": {"z": {"name": "Ha-Go", "solo": False, "health": 9}}})
    entered = {"name": "Tank", "health": 4}
    add_owned(tmp_path, "toy", {"card": {"z": entered}}, {}, {})
    assert kept(tmp_path) == {"z": {"name": "Ha-Go", "health": 4, "solo": False}}
    again = {"name": "Bunker", "health": 5}
    add_owned(tmp_path, "toy", {"card": {"z": again}}, {}, {"card": {"z": entered}})
    assert kept(tmp_path) == {"z": {"name": "Ha-Go", "health": 5, "solo": False}}


def test_a_session_with_cards_that_were_entered_goes_on_where_the_owners_pack_is_torn(
    session: Session, tmp_path: Path
) -> None:
    play(Table(session, tmp_path), "stones", 2, True)
    (pack,) = tmp_path.rglob("pack.toml")
    pack.write_text("torn = ")
    again = Table(session, tmp_path)
    again.settle()
    play(again, "stones")
    assert str(pack) in again.notice
    assert pack.read_text() == "torn = "


def test_a_card_that_was_not_kept_before_a_stop_is_kept_when_its_session_goes_on(
    session: Session, tmp_path: Path
) -> None:
    for answer in ("stones", 2):
        session.answer(session.n, answer)
    Table(session, tmp_path).settle()
    assert kept(tmp_path) == {"z": {"steps": 2}}


def test_a_card_that_the_owner_forgot_is_not_put_back_when_its_session_goes_on(
    session: Session, tmp_path: Path
) -> None:
    play(Table(session, tmp_path), "stones", 2, True)
    Shelf(LEARNER, tmp_path).forget("card", "z")

    again = Table(session, tmp_path)
    again.settle()
    play(again, "stones", 0, True)
    assert kept(tmp_path) is None
    again.undo(3)
    assert "still in your pack" not in again.notice
    play(again, 3)
    assert kept(tmp_path) == {"z": {"steps": 3}}


def test_a_card_that_the_owner_put_right_before_it_was_forgotten_is_not_put_back_either(
    session: Session, tmp_path: Path
) -> None:
    play(Table(session, tmp_path), "stones", 2, True)
    shelf = Shelf(LEARNER, tmp_path)
    shelf.add({"card": {"z": {"steps": 4}}})
    (tmp_path / "owner" / "forgotten").write_bytes(b"half a mark\xff")
    shelf.forget("card", "z")

    again = Table(session, tmp_path)
    again.settle()
    play(again, "stones", 0, True)
    assert kept(tmp_path) is None


def test_an_undo_of_a_card_that_was_forgotten_meanwhile_does_not_say_that_the_pack_has_it(
    session: Session, tmp_path: Path
) -> None:
    table = Table(session, tmp_path)
    play(table, "stones", 2, True)
    Shelf(LEARNER, tmp_path).forget("card", "z")
    table.undo(2)
    assert table.notice == ""


class Namer(Toy):
    """The toy game, where the stones in the bag are a card to which the game gave a name."""

    def learned(self) -> Tables:
        stones = self.state.bag.stones
        return {"card": {"own-stone": {"steps": (stones, stones)}}} if stones else {}


@pytest.fixture
def two(tmp_path: Path) -> Iterator[list[Session]]:
    """Two sessions that are open at once."""
    namer = msgspec.structs.replace(GAME, start=Namer)
    with Journal(tmp_path) as journal:
        sessions = [Session.create(journal, namer, PACKS, Wish(seed=7)) for _ in "12"]
        yield sessions
        for session in sessions:
            session.close()


def test_cards_that_two_open_sessions_call_alike_are_both_kept(two: list[Session], tmp_path: Path) -> None:
    folder = tmp_path / "packs"
    one, other = (Table(session, folder) for session in two)
    play(one, "stones", 1, True)
    play(other, "stones", 2, True)
    assert kept(folder) == {"own-stone": {"steps": [1, 1]}, "own-stone-2": {"steps": [2, 2]}}
    play(other, "stones", 3, True)
    assert kept(folder) == {"own-stone": {"steps": [1, 1]}, "own-stone-2": {"steps": [5, 5]}}

    for session in reversed(two):
        play(Table(session, folder), "stones", 2, True)
    assert kept(folder) == {"own-stone": {"steps": [3, 3]}, "own-stone-2": {"steps": [7, 7]}}


def test_the_same_card_entered_in_two_open_sessions_is_kept_once(two: list[Session], tmp_path: Path) -> None:
    for session in two:
        play(Table(session, tmp_path / "packs"), "stones", 2)
    assert kept(tmp_path / "packs") == {"own-stone": {"steps": [2, 2]}}


def test_that_the_pack_keeps_a_card_whose_entry_was_undone_is_told(
    two: list[Session], tmp_path: Path
) -> None:
    folder = tmp_path / "packs"
    table = Table(two[0], folder)
    play(table, "stones", 1, True)
    assert table.notice == ""
    table.undo(2)
    assert table.notice == "still in your pack: card.own-stone, though undone"
    assert kept(folder) == {"own-stone": {"steps": [1, 1]}}
    table.tell()
    assert table.notice.startswith("still in your pack")
    table.redo(2)
    assert table.notice == ""


def test_another_notice_stays_when_what_was_told_of_the_pack_is_over(
    two: list[Session], tmp_path: Path
) -> None:
    table = Table(two[0], tmp_path)
    play(table, "stones", 1)
    table.undo()
    table.notice = "no camera"
    table.tell()
    play(table, 2)
    assert table.notice == "no camera"


@pytest.mark.parametrize(
    ("taken", "free"),
    [(["Own Award 1"], "Own Award 2"), (["own-gun", "own-gun-2"], "own-gun-3"), (["own-8"], "own-9")],
)
def test_the_next_free_name_counts_on_as_the_games_do(taken: list[str], free: str, tmp_path: Path) -> None:
    for name in taken:
        add_owned(tmp_path, "toy", {"card": {name: {"steps": 1}}})
    add_owned(tmp_path, "toy", {"card": {taken[0]: {"steps": 2}}}, {})
    assert kept(tmp_path) == {name: {"steps": 1 + (name == free)} for name in (*taken, free)}


def test_what_a_terminal_would_obey_in_somebodys_pack_is_blank(tmp_path: Path) -> None:
    file = tmp_path / "pack.toml"
    file.write_text(
        '[pack]\ngame = "toy"\nname = "shared"\nsource = "owner"\n'
        '[card."z\\u009b2J"]\nname = "Rifle\\u001b]0;mine\\u0007man\\rX"\ntext = ["""two\nlines\\u001b"""]\n'
    )
    records = read(file).tables["card"]
    assert records == {"z 2J": {"name": "Rifle ]0;mine man X", "text": ["two\nlines "]}}


def test_a_pack_that_an_editor_begins_with_a_mark_of_its_bytes_order_is_read(tmp_path: Path) -> None:
    file = tmp_path / "pack.toml"
    file.write_text('[pack]\ngame = "toy"\nname = "shared"\nsource = "owner"\n', encoding="utf-8-sig")
    assert read(file).header.name == "shared"


@pytest.mark.parametrize(
    ("record", "where"),
    [
        ('[card.z]\ntitle = "{}"\n', "card.z.title"),
        ('[card.z]\nsteps = [{{ "{}" = 1 }}]\n', "a name in card.z.steps.0"),
        ('[card."{}"]\n', "a name in card"),
    ],
)
def test_a_text_or_name_without_end_in_a_pack_is_refused_with_its_place(
    record: str, where: str, tmp_path: Path
) -> None:
    """Names may be read as numbers, of which Python reads but so many digits."""
    head = '[pack]\ngame = "toy"\nname = "shared"\nsource = "owner"\n'
    file = tmp_path / "pack.toml"
    with pytest.raises(PackError, match=f"pack.toml: {where}: 4001 characters; a text may have 4000"):
        parse((head + record.format("9" * 4001)).encode(), file)
    parse((head + record.format("9" * 4000)).encode(), file)


def test_a_number_in_a_pack_that_no_table_counts_to_is_refused_with_its_place(tmp_path: Path) -> None:
    """It can be entered again like any other value that is wrong."""
    file = owned_path(tmp_path)
    file.parent.mkdir()
    text = '[pack]\ngame = "toy"\nname = "shared"\nsource = "owner"\n[card.z]\nsteps = -{}\n'
    for large in (10_000, 10**400):
        file.write_text(text.format(large))
        wanted = r"pack.toml: card.z.steps: the number is larger than 9999.* \(at line 6\)"
        with pytest.raises(PackError, match=wanted) as refused:
            build(merge("toy", [read(file)]), ToyPack)
        assert (refused.value.record, refused.value.is_torn) == ("toy.card.z", False)
    file.write_text(text.format(9_999))
    assert build(merge("toy", [read(file)]), ToyPack).card["z"].steps == -9_999


def test_what_could_not_be_read_again_is_not_written(tmp_path: Path) -> None:
    add_owned(tmp_path, "toy", {"card": {"z": {"steps": 9_999}}})
    with pytest.raises(PackError, match=r"card.z.steps: the number is larger than 9999"):
        add_owned(tmp_path, "toy", {"card": {"z": {"steps": 10_000}}})
    with pytest.raises(PackError, match=r"card.z.steps: 4001 characters; a text may have 4000"):
        add_owned(tmp_path, "toy", {"card": {"z": {"steps": "x" * 4001}}})
    assert owned(tmp_path, "toy").tables["card"]["z"] == {"steps": 9_999}


def test_what_is_entered_leaves_what_was_entered_before(tmp_path: Path) -> None:
    for name, steps in (("y", 1), ("z", 2), ("y", 3)):
        add_owned(tmp_path, "toy", {"card": {name: {"steps": steps}}})
    assert kept(tmp_path) == {"y": {"steps": 3}, "z": {"steps": 2}}


def test_a_pack_that_is_named_twice_is_read_once(tmp_path: Path) -> None:
    add_owned(tmp_path, "toy", {"card": {"z": {"steps": 2}}})
    found = find(tmp_path, tmp_path, ["owner", str(owned_path(tmp_path))])
    assert [file.path for file in found] == [owned_path(tmp_path)]


class Step(msgspec.Struct, frozen=True):
    steps: int


class Ways(msgspec.Struct, frozen=True):
    ways: tuple[Step, ...]
    last: Step | None = None
    named: dict[str, Step] = {}


class WaysPack(msgspec.Struct, frozen=True):
    card: dict[str, Ways]


def test_a_misspelt_field_in_a_list_a_table_or_what_may_be_missing_is_named_with_its_place() -> None:
    ways = [{"steps": 1}, {"steps": 2, "stesp": 3}]
    card = {"ways": ways, "last": {"step": 1}, "named": {"b": {"steps": 1}, "c": {"seps": 1}}}
    wrong = ["card.a.ways.1.stesp", "card.a.last.step", "card.a.named.c.seps"]
    assert list(unread(Merged("toy", {"card": {"a": card}}, {}, {}), WaysPack)) == wrong


def test_of_a_record_that_is_entered_all_is_told_that_contradicts_it_and_nothing_of_others(
    tmp_path: Path,
) -> None:
    said = [Problem(f"card.{name}", "is contradictory") for name in ("b.steps", "a", "ab", "a.steps")]
    shelf = Shelf(msgspec.structs.replace(GAME, problems=lambda _: said), tmp_path)
    assert shelf.problems("card", "a", {"steps": 1}) == [str(said[1]), str(said[3])]
    wrong = "card.new.steps: a whole number is wanted, not a text"
    assert shelf.problems("card", "new", {"steps": "many"}) == [wrong], "nor that it is missing"


@pytest.mark.parametrize("name", ["nobodys", "x" * 300])
def test_a_pack_that_is_not_there_is_named_with_where_it_was_looked_for(tmp_path: Path, name: str) -> None:
    with pytest.raises(PackError, match=f"--pack {name}: not found; looked for .* and {name}"):
        find(tmp_path, tmp_path, [name])


def test_a_pack_of_another_game_is_refused_with_its_file(tmp_path: Path) -> None:
    file = tmp_path / "pack.toml"
    file.write_text('[pack]\ngame = "chess"\nname = "shared"\nsource = "owner"\n')
    with pytest.raises(PackError, match=r"pack\.toml: pack\.game: this is a pack for chess, not toy"):
        merge("toy", [read(file)])


def test_a_record_that_says_nothing_is_refused_with_its_file(tmp_path: Path) -> None:
    file = tmp_path / "pack.toml"
    file.write_text('[pack]\ngame = "toy"\nname = "shared"\nsource = "owner"\n[card.z]\n')
    with pytest.raises(PackError, match=r"pack\.toml: card\.z: steps is missing"):
        build(merge("toy", [read(file)]), ToyPack)


def test_a_pack_of_hundreds_of_records_looks_its_types_up_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is read anew for each field that is entered, and that was most of the time it took."""
    asked: list[object] = []
    monkeypatch.setattr(packs, "get_type_hints", lambda kind: asked.append(kind) or get_type_hints(kind))
    cards = {f"c{n}": {"steps": 1, "source": "owner"} for n in range(300)}
    assert len(build(Merged("toy", {"card": cards}, {}, {}), ToyPack).card) == 300
    assert len(asked) < 10
