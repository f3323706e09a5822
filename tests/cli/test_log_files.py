"""`companion log`: report, stats, note, export, import, backup and restore, as a player types them."""

import errno
import io
import os
import re
import shutil
import sqlite3
import tempfile
import zipfile
from collections.abc import Callable
from contextlib import closing, redirect_stdout
from pathlib import Path
from threading import Thread

import msgspec
import pytest

from companion.cli import run
from companion.cli.common import MEMORY, _copy_journal, _room
from companion.cli.log import log_lines
from companion.engine import Journal, Session, Wish, files, packs, salvage, store
from companion.engine.clock import Stamp, local
from companion.engine.database import FILE, mended
from companion.engine.line import Act, Entry, Item, seal
from companion.engine.records import Note, RolledDie
from companion.games import load
from companion.logbook.markdown import safe
from companion.logbook.trace import retrace
from companion.table.table import logged
from companion.wording import begun
from tests.cli.conftest import Says
from tests.engine.disk import disk_full_at

Companion = Callable[..., int]

BY_ITSELF = ["play", "flag_war", "--auto", "random", "--front", "none", "--dice", "software", "--seed"]


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data directory where one game was played."""
    data = tmp_path_factory.mktemp("played") / "data"
    with redirect_stdout(io.StringIO()):
        assert run([*BY_ITSELF, "3", "--data", str(data)]) == 0
    return data


@pytest.fixture
def companion(played: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Companion:
    """Run a command in a copy of that directory."""
    shutil.copytree(played, tmp_path / "data")
    monkeypatch.setenv("COMPANION_DATA", str(tmp_path / "data"))
    return lambda *arguments: run([str(one) for one in arguments])


def test_a_report_goes_to_stdout_or_to_files(companion: Companion, tmp_path: Path, says: Says) -> None:
    assert says("log", "report").startswith("# The flag war")
    page, sheet, text = (tmp_path / f"report.{ending}" for ending in ("html", "pdf", "md"))
    assert companion("log", "report", "--html", page, "--pdf", sheet, "--md", text) == 0
    assert page.read_text().startswith("<!doctype html>")
    assert sheet.read_bytes().startswith(b"%PDF")
    assert text.read_text().startswith("# The flag war")


def test_a_report_to_a_file_is_not_printed_too_and_one_that_can_not_be_written_is_refused(
    companion: Companion, tmp_path: Path, capsys: pytest.CaptureFixture[str], refuses: Says
) -> None:
    page, sheet = tmp_path / "r.html", tmp_path / "r.pdf"
    assert companion("log", "report", "--html", page) == companion("log", "report", "--pdf", sheet) == 0
    assert companion("log", "stats", "--html", page) == 0
    assert page.read_text().startswith("<!doctype html>")
    assert capsys.readouterr() == ("", f"Written: {page}\nWritten: {sheet}\nWritten: {page}\n")
    said = refuses("log", "report", "--md", tmp_path / "none/r.md")
    assert "none/r.md: not written: No such file or directory" in said


@pytest.mark.parametrize(
    ("first", "one", "second", "other"),
    [("--html", "r", "--pdf", "data/../r"), ("--md", "r", "--pdf", "r"), ("--html", "-", "--md", "-")],
)
@pytest.mark.usefixtures("companion")
def test_two_forms_of_a_report_go_to_two_files(
    tmp_path: Path,
    refuses: Says,
    monkeypatch: pytest.MonkeyPatch,
    first: str,
    one: str,
    second: str,
    other: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    told = refuses("log", "report", first, one, second, other)
    assert (
        told == f"companion: {first} and {second} both write to {other}: name another file for one of them\n"
    )
    assert not Path(one).exists()


@pytest.mark.parametrize("command", ["report", "report --html -", "report --pdf -", "export", "stats"])
def test_what_can_not_be_written_to_a_closed_standard_output_is_no_success(
    companion: Companion, refuses: Says, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    monkeypatch.setattr("sys.stdout", None)
    assert refuses("log", *command.split()) == "companion: nothing can be told: standard output is closed\n"


@pytest.mark.parametrize(
    "command",
    [("report", "--html"), ("report", "--pdf"), ("export", "--out")],
    ids=" ".join,
)
def test_r3_a_full_disk_leaves_the_report_or_export_that_is_there(
    companion: Companion, tmp_path: Path, capsys: pytest.CaptureFixture[str], command: tuple[str, ...]
) -> None:
    out = tmp_path / "out"
    assert companion("log", *command, out) == 0
    before, names = out.read_bytes(), set(tmp_path.iterdir())
    with disk_full_at(len(before) - 1):
        assert companion("log", *command, out) == 2
    assert f"{out}: not written: File too large" in capsys.readouterr().err
    assert out.read_bytes() == before
    assert set(tmp_path.iterdir()) == names


def test_a_report_that_is_stopped_leaves_no_file_of_its_own_beside_the_older_one(
    companion: Companion, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "out"
    out.write_text("older")
    names = set(tmp_path.iterdir())

    def stopped(_: Path) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(files, "sync", stopped)
    assert companion("log", "report", "--md", out) != 0
    assert out.read_text() == "older"
    assert set(tmp_path.iterdir()) == names


def test_two_that_write_one_file_at_once_both_write_it_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "out"
    sync = files.sync

    def second_comes(path: Path) -> None:
        monkeypatch.setattr(files, "sync", sync)
        other = Thread(target=files.write_out, args=(out, b"second"))
        other.start()
        other.join()
        assert out.read_bytes() == b"second"
        sync(path)

    monkeypatch.setattr(files, "sync", second_comes)
    files.write_out(out, b"first")
    assert out.read_bytes() == b"first"
    assert [*tmp_path.iterdir()] == [out]


def test_a_draft_that_a_kill_left_beside_a_file_goes_with_the_next_one_but_none_of_just_now(
    tmp_path: Path,
) -> None:
    left, fresh, other = (tmp_path / name for name in (".a[b].9.new", ".a[b].8.new", ".ab.7.new"))
    for draft in (left, fresh, other):
        draft.touch()
    for draft in (left, other):
        os.utime(draft, (0, 0))
    files.write_out(tmp_path / "a[b]", b"whole")
    assert {*tmp_path.iterdir()} == {tmp_path / "a[b]", fresh, other}


def test_a_report_or_export_may_be_seen_by_those_who_saw_the_older_one(
    companion: Companion, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    for mode in (0o600, 0o664):
        out.write_text("older")
        out.chmod(mode)
        assert companion("log", "report", "--md", out) == 0
        assert out.read_text() != "older"
        assert out.stat().st_mode & 0o777 == mode


@pytest.mark.parametrize("locked", ["file", "folder"])
def test_a_report_overwrites_no_file_that_takes_no_writes_and_asks_nothing_of_its_folder(
    companion: Companion, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, locked: str
) -> None:
    out = tmp_path / "out"
    out.write_text("older")
    guarded = out if locked == "file" else tmp_path
    guarded.chmod(0o555)
    uid = os.geteuid()
    if uid == 0:  # whom no mode stops
        monkeypatch.setattr(os, "access", lambda path, mode: mode != os.W_OK or Path(path) != guarded)
    before = out.stat().st_ino
    assert companion("log", "report", "--md", out) == (2 if locked == "file" and uid else 0)
    guarded.chmod(0o755)
    assert out.stat().st_ino == before, "not replaced by another file"


def test_a_report_goes_into_a_pipe_and_through_a_link_too(companion: Companion, tmp_path: Path) -> None:
    pipe, link, file = (tmp_path / name for name in ("pipe", "link", "file"))
    os.mkfifo(pipe)
    link.symlink_to(file)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        assert companion("log", "report", "--md", pipe) == companion("log", "report", "--md", link) == 0
        assert os.read(reader, 1 << 16).startswith(b"# The flag war")
    finally:
        os.close(reader)
    assert file.read_text().startswith("# The flag war")
    assert link.is_symlink()


@pytest.mark.filterwarnings("error")
def test_what_a_pdf_can_not_set_as_it_is_written_is_said_in_a_line(
    companion: Companion, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert companion("log", "note", "Zoë won", "--people", "Ωμέγα, 李雷, 李雷, שש") == 0
    assert companion("log", "report", "--pdf", tmp_path / "r.pdf") == 0
    assert capsys.readouterr().err == (
        f"Written: {tmp_path / 'r.pdf'}\ncompanion: the PDF does not show 李雷ש as written; --html does\n"
    )


def test_a_pdf_goes_to_stdout_too(
    companion: Companion, tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes], monkeypatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert companion("log", "report", "--pdf", "-") == 0
    assert capfdbinary.readouterr().out.startswith(b"%PDF")
    assert not (tmp_path / "-").exists()


def test_statistics_of_the_game_played_last(companion: Companion, says: Says) -> None:
    assert "1 session, 1 of them finished" in says("log", "stats")


def test_a_note_is_in_the_report(companion: Companion, says: Says) -> None:
    assert companion("log", "note", "Great fun", "--rating", "9", "--people", "Ann, Bob") == 0
    out = says("log", "report")
    assert "9/10 Great fun" in out
    assert "Ann, Bob" in out


def test_the_place_alone_is_a_note_and_nobody_is_no_player(companion: Companion, tmp_path: Path) -> None:
    assert companion("log", "note", "--place", "Kiel") == 0
    assert companion("log", "note", "--people", "Ann, ,Bob,") == 0
    assert companion("log", "note", "--people", " ,") == companion("log", "note", "--place", "\udce9") == 2
    with Journal(tmp_path / "data") as journal:
        notes = journal.notes(journal.sessions()[0].id)
    assert [(note.place, note.people) for note in notes] == [("Kiel", ()), ("", ("Ann", "Bob"))]


def test_an_empty_note_is_wrong_usage(companion: Companion, refuses: Says) -> None:
    assert companion("log", "note") == companion("log", "note", " ") == 2
    assert "nothing to note" in refuses("log", "note", "--place", " \n")


def test_a_note_goes_to_the_session_that_its_first_word_names(
    companion: Companion, says: Says, refuses: Says
) -> None:
    with Journal(Path(os.environ["COMPANION_DATA"])) as journal:
        first = journal.sessions()[0].id
    assert companion(*BY_ITSELF, "4") == 0
    assert says("log", "note", first, "The older one") == f"Noted: {first}\n"
    assert says("log", "note", first[:-2], "--rating", "3") == f"Noted: {first}\n"
    assert "'flag_war-2' may be" in refuses("log", "note", "flag_war-2", "Great fun"), "and is no text"
    assert first not in says("log", "note", "well-played")
    assert companion("log", "note", first) == 2
    told = refuses("log", "note", "flag_war", "Great fun")
    assert "quotes" in told
    assert "with some of its date, such as okinawa-2026" in told
    slip = first[:-2] + "xx"
    for words in ([slip, "--rating", "8"], [slip, "Great fun"]):
        assert f"no session '{slip}'" in refuses("log", "note", *words)


def test_an_exported_session_is_taken_in_elsewhere(
    companion: Companion, tmp_path: Path, says: Says, refuses: Says
) -> None:
    file, other = tmp_path / "s.jsonl", tmp_path / "other"
    assert companion("log", "export", "--out", file) == 0
    assert companion("log", "import", file, "--data", other) == 0
    there = says("log", "report", "--data", other)
    assert says("log", "report") == there
    assert "is here already" in refuses("log", "import", file, "--data", other)


def test_what_else_is_new_of_a_session_that_is_here_is_not_called_no_lines(
    companion: Companion, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, other = tmp_path / "s.jsonl", tmp_path / "other"
    for note in ("Great fun", "Greater still"):
        assert companion("log", "note", note) == 0
        assert companion("log", "export", "--out", file) == 0
        assert companion("log", "import", file, "--data", other) == 0
    assert capsys.readouterr().out.endswith(": what it lacked taken in\n")


def test_a_file_that_is_not_taken_in_does_not_keep_the_others_out(
    companion: Companion, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, other = tmp_path / "s.jsonl", tmp_path / "other"
    assert companion("log", "export", "--out", file) == 0
    assert companion("log", "import", tmp_path / "missing", file, file, "--data", other) == 2
    out, err = capsys.readouterr()
    assert out.count("taken in") == 1
    assert "missing: No such file" in err
    assert "is here already" in err


def test_what_a_terminal_would_obey_in_a_file_from_elsewhere_is_not_told_to_it(
    companion: Companion, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "strange.jsonl"
    file.write_text('{"type": "\\u0007\\u009b2J"}\n')
    assert companion("log", "import", str(file)) == 2
    assert "Invalid value '  2J'" in capsys.readouterr().err

    backup = tmp_path / "backup.zip"
    assert companion("log", "backup", str(backup)) == 0
    with zipfile.ZipFile(backup, "a") as pack:
        pack.writestr("packs/\x07\x9b2J.toml", "old")
    strange = tmp_path / "data" / "packs" / "\x07\x9b2J.toml"
    strange.parent.mkdir(exist_ok=True)
    strange.write_text("new")
    companion("log", "restore", str(backup))
    assert "packs/  2J.toml is another one here" in capsys.readouterr().err


def test_what_was_told_in_several_lines_is_one_line_of_the_log() -> None:
    item = Item(Act.ANSWER, "show", "k", "", True, "keys", "A: 2 lost\nB: 1 lost", "seen")
    entry = Entry("s", 1, Act.ANSWER, Stamp(0, 100, "one"), item)
    line = "   1     0:00  A: 2 lost; B: 1 lost: seen (keys)"
    assert list(log_lines([entry], {}, {})) == [line]
    below = ["               C: wiped out"]
    assert list(log_lines([entry], {}, {1: ["C: wiped out"]})) == [line, *below], "it fits no small screen"


@pytest.mark.parametrize("game", ["okinawa", "undaunted", "space_infantry"])
def test_the_log_and_the_report_have_what_did_not_fit_a_small_screen(
    game: str, tmp_path: Path, says: Says
) -> None:
    where = ("--data", str(tmp_path))
    auto = ("--auto", "cautious", "--front", "none", "--dice", "software", "--seed", "11")
    assert run(["play", game, *auto, *where]) == 0
    shown, told = says("log", "show", *where), says("log", "report", *where)
    with Journal(tmp_path) as journal:
        moments = retrace(journal, load(game), journal.sessions()[0]).moments
    rest = {line for moment in moments for line in moment.beside}
    assert rest
    for line in rest:
        assert f"               {line}\n" in shown
        assert safe(begun(line)) in told


def test_the_log_says_when_who_answered_and_how_surely_dice_were_read() -> None:
    roll = Item(Act.ANSWER, "roll", "k", "", ["4", "2"], "camera", "Roll two:", "4, 2")
    stamps = (
        Stamp(0, 100, "one"),
        Stamp(0, 165.9, "one"),
        Stamp(3600, 2, "two"),
        Stamp(3600, 2, "two", synced=False),
    )
    acts = (Act.ANSWER, Act.ANSWER, Act.UNDO, Act.REDO)
    entries = [
        Entry("s", number, act, stamp, roll if number else None)
        for number, (act, stamp) in enumerate(zip(acts, stamps, strict=True))
    ]
    dice = [
        RolledDie("d6", "4", "camera", 0.99, photo="a"),
        RolledDie("d6", "2", "camera", 0.71, read="3", photo="b"),
        RolledDie("d6", "2", "keys"),
    ]
    hour = f"{local(3600):%H:%M}"
    assert list(log_lines(entries, {1: dice}, {})) == [
        "   0     0:00  answer",
        "   1     1:05  Roll two: 4, 2 (camera, sure 71%, 2 asked, 1 corrected)",
        f"   2    {hour}  undo: 4, 2 (camera)",
        f"   3   {hour}?  redo: 4, 2 (camera)",
    ]


def test_of_several_games_the_newest_is_shown_and_one_game_is_listed(
    companion: Companion, says: Says
) -> None:
    assert run(["play", "okinawa", "--auto", "first", "--front", "none", "--dice", "software"]) == 0
    for command, begins in (
        (["list", "flag_war"], "flag_war-"),
        (["show"], "okinawa-"),
        (["show", "f"], "flag"),
    ):
        shown = says("log", *command)
        assert shown.startswith(begins)
        assert ("okinawa" in shown) == begins.startswith("okinawa")
    assert says("log", "stats", "flag_war").startswith("# The flag war")


def test_r8_a_session_of_no_calendar_can_be_listed_and_reported(
    companion: Companion, tmp_path: Path, says: Says
) -> None:
    with Journal(tmp_path / "data") as journal:
        (meta,) = journal.sessions()
        journal.update(msgspec.structs.replace(meta, created=1e20))
    for command in (["list"], ["show"], ["report"], ["export", "--as", "bgstats"]):
        assert "1970-01-01" in says("log", *command)


@pytest.mark.parametrize(("form", "begins"), [("csv", "session,game,entry"), ("md", "# The flag war")])
def test_other_forms_of_a_session(companion: Companion, form: str, begins: str, says: Says) -> None:
    assert says("log", "export", "--as", form).startswith(begins)


def test_what_a_terminal_would_obey_is_blank_wherever_a_session_of_others_is_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COMPANION_DATA", str(tmp_path))
    game, evil = load("okinawa"), "\x1b]0;owned\x07\x9b2J"
    item = Item(Act.ANSWER, "choose", evil, "", evil, evil, evil, evil)
    with Journal(tmp_path) as journal:
        merged = packs.merge(game.name, packs.find(game.folder, tmp_path))
        with Session.create(journal, game, merged, Wish(seed=1)) as session:
            name = session.meta.id
        journal.append([seal(Entry(name, 1, Act.ANSWER, Stamp(0, 0), item), "")], {})
        journal.note(name, Note(0, evil))
    assert run(["resume", name, "--front", "json"]) == 1, "its rules ask something else"
    with Journal(tmp_path) as journal:
        ended = {"outcome": "won", "reason": evil, "score": {evil: 1}}
        journal.update(msgspec.structs.replace(journal.session(name), **ended))
    for command in ("log list", "log show", "log report", "log stats", "log export --as md"):
        assert run(command.split()) == 0
    shown = "".join((*capsys.readouterr(), item.title, logged(item)))
    assert shown.count("]0;owned") > 8
    assert not {"\x1b", "\x07", "\x9b"} & set(shown)


def test_a_link_and_a_qr_code_for_bg_stats(companion: Companion, capsys: pytest.CaptureFixture[str]) -> None:
    assert companion("log", "export", "--as", "bgstats") == 0
    said = capsys.readouterr()
    link, *code = said.out.splitlines()
    assert link.startswith("https://app.bgstatsapp.com/createPlay.html?data=%7B")
    assert len(code) > 20
    assert not said.err


@pytest.mark.parametrize("columns", ["80", "120"])
def test_a_qr_code_that_a_terminal_is_too_narrow_for_is_not_torn(
    companion: Companion,
    columns: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("companion.cli.log_files.is_terminal", lambda stream: True)
    monkeypatch.setenv("COLUMNS", columns)
    assert companion("log", "export", "--as", "bgstats") == 0
    said = capsys.readouterr()
    code = said.out.splitlines()[1:]
    assert all(len(line) <= int(columns) for line in code)
    assert bool(code) == (columns == "120")
    assert ("this terminal has 80" in said.err) == (columns == "80")
    file = tmp_path / "link"
    assert companion("log", "export", "--as", "bgstats", "--out", file) == 0
    assert len(file.read_text().splitlines()) > 1, "a file has room"


def test_a_link_of_a_game_that_is_not_over_says_so(
    companion: Companion, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with Journal(tmp_path / "data") as journal:
        (meta,) = journal.sessions()
        journal.update(meta.start())
    assert companion("log", "export", "--as", "bgstats") == 0
    said = capsys.readouterr()
    assert said.out.startswith("https://app.bgstatsapp.com/createPlay.html?data=%7B")
    assert said.err == "companion: this game is not over yet: the link says that it was not won\n"


def test_a_note_that_is_not_in_utf_8_is_refused_in_a_line(companion: Companion, refuses: Says) -> None:
    assert companion("log", "note", "caf\udce9") == 2
    assert "has to be in UTF-8" in refuses("log", "note", "--people", "J\udcfcrgen")


def test_a_link_too_long_for_a_qr_code_is_given_alone(
    companion: Companion, capsys: pytest.CaptureFixture[str]
) -> None:
    assert companion("log", "note", "--people", ", ".join("ABCDEFGH" * 10 for _ in range(40))) == 0
    capsys.readouterr()
    assert companion("log", "export", "--as", "bgstats") == 0
    said = capsys.readouterr()
    assert said.out.startswith("https://app.bgstatsapp.com/createPlay.html?data=%7B")
    assert said.err == "companion: the link is too long for a QR code; shorten the notes\n"


def test_a_backup_is_taken_back_on_another_machine(
    companion: Companion, tmp_path: Path, says: Says, capsys: pytest.CaptureFixture[str]
) -> None:
    assert re.search(r": 1 session, [1-9]\d* kB\n$", says("log", "backup", tmp_path / "b.zip"))
    capsys.readouterr()
    assert companion("log", "restore", tmp_path / "b.zip", "--data", tmp_path / "other") == 0
    assert capsys.readouterr() == ("taken back: 1 session, 0 files; here already: 0\n", "")


def test_where_nothing_is_kept_there_is_no_backup_and_it_is_said_where_that_was_looked_for(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bare = tmp_path / "bare"
    bare.mkdir()
    for place in (tmp_path / "mistyped", bare):
        assert run(["log", "backup", str(tmp_path / "b.zip"), "--data", str(place)]) == 2
        assert f"{place}: no sessions, packs or taught dice are there; --data DIR" in capsys.readouterr().err
        assert run(["log", "report", "--data", str(place)]) == 2
        assert f"no sessions yet in {place};" in capsys.readouterr().err
    assert [*tmp_path.rglob("*")] == [bare]
    (bare / "packs").mkdir()
    (bare / "packs" / "mine.toml").touch()
    assert run(["log", "backup", str(tmp_path / "b.zip"), "--data", str(bare)]) == 0


@pytest.mark.parametrize("command", [("log", "backup", "b.zip"), ("log", "show"), ("log", "report")])
def test_r4_what_is_found_damaged_only_as_a_session_is_read_is_told_then(
    companion: Companion,
    command: tuple[str, ...],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "data" / FILE
    whole = file.read_bytes()
    file.write_bytes(whole.replace(b'"seq":20,"act":"answer"', b'"seq":20,"act":"anzwer"'))
    assert file.read_bytes() != whole
    assert companion("log", "list") == 0
    assert not capsys.readouterr().err
    assert companion(*command) == 0
    assert "companion: the journal was damaged: kept 19 entries of 1 sessions" in capsys.readouterr().err


@pytest.mark.parametrize(
    "command",
    [
        ["play", "okinawa", "--dice", "software", "--set", "nosuch=1"],
        ["play", "okinawa", "--dice", "software", "--scenario", "moon"],
        ["play", "okinawa", "--dice", "software", "--pack", "nosuch"],
        ["play", "okinawa", "--resume"],
        ["resume"],
        ["log", "note", "Well"],
        ["log", "note"],
        ["log", "import", __file__],
        ["log", "import", "missing"],
        ["log", "restore", __file__],
        ["log", "restore", "missing"],
    ],
)
def test_what_is_refused_makes_nothing(command: list[str], tmp_path: Path) -> None:
    bare = tmp_path / "bare"
    bare.mkdir()
    for place in (tmp_path / "mistyped", bare):
        assert run([*command, "--data", str(place)]) == 2
    assert [*tmp_path.rglob("*")] == [bare]


def test_what_a_restore_left_out_and_what_was_damaged_in_a_backup_is_told(
    companion: Companion, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pack, saved, hurt = tmp_path / "data/packs/okinawa/mine/pack.toml", tmp_path / "b.zip", tmp_path / "h.zip"
    pack.parent.mkdir(parents=True)
    pack.write_text("# as it was")
    assert companion("log", "backup", saved) == 0
    pack.write_text("# as it is")
    with zipfile.ZipFile(saved) as whole, zipfile.ZipFile(hurt, "w") as torn:
        for name in whole.namelist():
            torn.writestr(name, whole.read(name).replace(b"SQLite format 3", bytes(15)))
    assert companion("log", "restore", hurt) == 0
    told = capsys.readouterr().err
    assert "packs/okinawa/mine/pack.toml is another one here and was kept" in told
    assert "companion: the journal was damaged: kept " in told
    assert f"the damaged file is {hurt}" in told


@pytest.mark.parametrize(("pack", "is_own"), [("owner", True), ("mine", False)])
def test_how_to_have_the_cards_of_both_is_told_where_a_restore_met_other_ones_of_the_owner(
    companion: Companion, tmp_path: Path, capsys: pytest.CaptureFixture[str], pack: str, is_own: bool
) -> None:
    path, saved = tmp_path / "data/packs/okinawa" / pack / "pack.toml", tmp_path / "b.zip"
    path.parent.mkdir(parents=True)
    path.write_text("# as it was")
    assert companion("log", "backup", saved) == 0
    path.write_text("# as it is")
    capsys.readouterr()
    assert companion("log", "restore", saved) == 0
    assert ("To have the cards of both: unpack the file" in capsys.readouterr().err) == is_own


def test_a_session_that_was_played_on_elsewhere_is_brought_back(
    companion: Companion, tmp_path: Path, says: Says, refuses: Says
) -> None:
    file, other = tmp_path / "s.jsonl", tmp_path / "other"
    assert companion("log", "export", "--out", file) == 0
    assert companion("log", "import", file, "--data", other) == 0
    assert companion("log", "note", "On the train", "--data", other) == 0
    assert companion("log", "backup", tmp_path / "b.zip", "--data", other) == 0
    assert companion("log", "export", "--out", file, "--data", other) == 0
    with Journal(tmp_path / "data") as journal:
        (meta,) = journal.sessions()
        with journal.hold(meta.id):
            err = refuses("log", "import", file, tmp_path / "missing")
            assert "is being played elsewhere" in err
            assert "missing: No such file" in err
    assert f"{meta.id} is now as in the backup\n" in says("log", "restore", tmp_path / "b.zip")
    assert companion("log", "import", file) == 2
    assert "On the train" in says("log", "report")


def test_what_is_no_export_or_backup_is_refused_in_a_line(
    companion: Companion, tmp_path: Path, refuses: Says
) -> None:
    (tmp_path / "x").write_bytes(b"\x80nonsense")
    for command, file in (("import", "x"), ("restore", "x"), ("import", "missing")):
        assert len(refuses("log", command, tmp_path / file).splitlines()) == 1
    for command, why in (
        ("import", "sessions are taken in from files alone"),
        ("restore", "a backup is taken back from a file alone"),
    ):
        assert refuses("log", command, "-") == f"companion: -: {why}: name one\n"


def test_a_session_without_an_answer_is_taken_in_with_its_start(
    companion: Companion, tmp_path: Path, says: Says, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "s.jsonl"
    monkeypatch.setattr("sys.stdin", io.StringIO())
    assert companion("play", "flag_war", "--dice", "manual", "--front", "json") == 0
    assert companion("log", "export", "--out", file) == 0
    assert says("log", "import", file, "--data", tmp_path / "other").endswith(": its start taken in\n")


def test_a_backup_of_which_a_session_is_left_out_is_not_called_taken_back_whole(
    companion: Companion, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with Journal(tmp_path / "data") as journal:
        meta = journal.sessions()[0]
        journal.begin(msgspec.structs.replace(meta, id="../../far"), journal.blob(meta.pack))
    assert companion("log", "backup", tmp_path / "b.zip") == 0
    assert companion("log", "restore", tmp_path / "b.zip", "--data", tmp_path / "other") == 2
    told = capsys.readouterr()
    assert "taken back: 1 session" in told.out
    assert "../../far: the session's head is damaged" in told.err


def test_a_session_of_a_game_that_is_gone_still_has_a_report(
    companion: Companion, tmp_path: Path, says: Says
) -> None:
    from companion.engine import Journal
    from companion.engine.records import Meta

    with Journal(tmp_path / "data") as journal:
        meta: Meta = msgspec.structs.replace(journal.sessions()[0], game="gone")
        journal.update(meta)
    assert "The game gone is not installed here" in says("log", "report")


def written(folder: Path) -> dict[Path, int]:
    """When each file in a folder was last written; reading changes nothing of it."""
    return {file: file.stat().st_mtime_ns for file in folder.rglob("*")}


def test_a_backup_replaces_no_device_and_follows_a_link(
    companion: Companion, tmp_path: Path, refuses: Says
) -> None:
    pipe, link, file = tmp_path / "pipe", tmp_path / "link.zip", tmp_path / "backup.zip"
    os.mkfifo(pipe)
    link.symlink_to(file)
    assert "pipe is not a plain file: name another one" in refuses("log", "backup", pipe)
    assert pipe.is_fifo()
    assert companion("log", "backup", link) == 0
    assert link.is_symlink()
    assert companion("log", "restore", file, "--data", tmp_path / "new") == 0


@pytest.mark.parametrize(
    "command",
    [("log", "backup"), ("dice", "mat", "--out"), ("doctor", "--write-config")],
    ids=" ".join,
)
def test_a_dash_is_no_file_where_standard_output_is_not_written_to(
    companion: Companion,
    tmp_path: Path,
    refuses: Says,
    monkeypatch: pytest.MonkeyPatch,
    command: tuple[str, ...],
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COMPANION_CONFIG", str(tmp_path / "config.toml"))
    before = list(tmp_path.iterdir())
    assert refuses(*command, "-") == "companion: -: this is written to a file alone: name one\n"
    assert list(tmp_path.iterdir()) == before


@pytest.mark.parametrize(
    "own", ["journal.sqlite", "link.zip", "hard.zip", "journal.sqlite-wal", "packs/okinawa/owner/pack.toml"]
)
def test_nothing_is_written_over_what_the_companion_keeps_itself(
    companion: Companion, tmp_path: Path, refuses: Says, own: str
) -> None:
    data = tmp_path / "data"
    pack, journal = data / "packs/okinawa/owner/pack.toml", data / "journal.sqlite"
    pack.parent.mkdir(parents=True)
    pack.write_text("# mine")
    (data / "link.zip").symlink_to(journal)
    (data / "hard.zip").hardlink_to(journal)
    file, before = data / own, journal.read_bytes()
    commands = (
        ("log", "backup"),
        ("log", "export", "--out"),
        ("log", "report", "--md"),
        ("dice", "mat", "--out"),
        ("dice", "focus", "--png"),
    )
    for command in commands:
        assert f"{file} is the companion's own file: name another one" in refuses(*command, file)
    assert (pack.read_text(), journal.read_bytes()) == ("# mine", before)
    assert companion("log", "backup", data / "backup.zip") == 0


def test_a_file_of_another_kind_is_refused_with_what_takes_it(
    companion: Companion, tmp_path: Path, refuses: Says
) -> None:
    backup, session = tmp_path / "b.zip", tmp_path / "s.jsonl"
    assert companion("log", "backup", backup) == companion("log", "export", "--out", session) == 0
    assert "companion log restore takes a backup" in refuses("log", "import", backup)
    assert "companion log import takes an exported session" in refuses("log", "restore", session)
    told = f"companion: {session}: File is not a zip file; companion dice samples export writes what is"
    assert refuses("dice", "samples", "import", session).startswith(told)


def test_a_backup_takes_the_place_of_no_other_file(
    companion: Companion, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    letter, photos, empty = tmp_path / "letter.txt", tmp_path / "photos.zip", tmp_path / "empty"
    letter.write_text("Dear")
    empty.touch()
    with zipfile.ZipFile(photos, "w") as other:
        other.writestr("1.jpg", b"x")
    before = photos.read_bytes()
    assert companion("log", "backup", letter) == companion("log", "backup", photos) == 2
    assert "letter.txt is there and no backup of the companion: name another file" in capsys.readouterr().err
    assert (letter.read_text(), photos.read_bytes()) == ("Dear", before)
    assert companion("log", "backup", empty) == 0


def test_a_backup_to_what_can_not_be_looked_at_is_refused_in_a_line_and_to_a_broken_link_is_written(
    companion: Companion, tmp_path: Path, refuses: Says
) -> None:
    assert "bbb: not written: File name too long" in refuses("log", "backup", tmp_path / ("b" * 300))
    assert companion("log", "backup", "/proc/self/mem") == 2
    assert companion("doctor", "--write-config", tmp_path / ("c" * 300)) == 2
    circle = tmp_path / "circle.zip"
    circle.symlink_to(circle)
    assert companion("log", "backup", circle) == 0
    assert zipfile.is_zipfile(circle)


def make_read_only(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let its disk take no writes any more, as a failing card's."""
    flags = os.statvfs(folder)[:8]
    monkeypatch.setattr(os, "statvfs", lambda _: os.statvfs_result((*flags, os.ST_RDONLY, 255)))


def test_of_a_read_only_disk_that_has_lost_a_sector_what_it_still_gives_is_backed_up(
    companion: Companion, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    data, read = tmp_path / "data", os.pread
    inode = (data / "journal.sqlite").stat().st_ino

    def dying(file: int, length: int, start: int) -> bytes:
        if start == 0 and os.fstat(file).st_ino == inode:
            raise OSError(errno.EIO, "Input/output error")
        return read(file, length, start)

    make_read_only(data, monkeypatch)
    monkeypatch.setattr(os, "pread", dying)
    assert companion("log", "backup", tmp_path / "backup.zip") == 0
    said = capsys.readouterr()
    assert "1 session," in said.out
    assert "the journal was damaged" in said.err


@pytest.mark.skipif(not MEMORY.is_dir(), reason="only Linux has files in memory there")
def test_of_a_read_only_disk_that_has_the_folder_for_passing_files_too_a_copy_is_read(
    companion: Companion, tmp_path: Path, says: Says, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As a failing card has it, where /tmp lies on it."""
    make_read_only(tmp_path / "data", monkeypatch)
    monkeypatch.setattr(tempfile, "tempdir", None)
    monkeypatch.setattr("tempfile._candidate_tempdir_list", lambda: [str(tmp_path / "none")])
    assert says("log", "list").startswith("flag_war-")
    assert companion("log", "backup", tmp_path / "backup.zip") == 0


def test_a_copy_is_made_in_memory_only_where_the_usual_folder_is_full_and_there_is_such_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    usual, memory = str(tmp_path), tmp_path / "memory"
    monkeypatch.setattr(tempfile, "tempdir", usual)
    monkeypatch.setattr("companion.cli.common.MEMORY", memory)
    for is_full, is_memory, room in ((True, False, usual), (True, True, memory), (False, True, usual)):
        monkeypatch.setattr(files, "is_full", lambda _, full=is_full: full)
        if is_memory:
            memory.mkdir(exist_ok=True)
        assert _room() == room


def test_of_a_read_only_disk_of_which_no_copy_can_be_made_that_is_told(
    companion: Companion, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    data = tmp_path / "data"
    make_read_only(data, monkeypatch)
    with disk_full_at(0):
        assert companion("log", "list") != 0
    assert f"{data}: sessions can't be copied to be read: File too large" in capsys.readouterr().err


def test_of_a_disk_that_refuses_all_writes_and_does_not_count_as_read_only_a_copy_is_read(
    companion: Companion, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """As an ext4 after an error, since Linux 6.12."""
    data, touch = tmp_path / "data", Path.touch

    def failing(path: Path, mode: int = 0o666, exist_ok: bool = True) -> None:
        if path.parent == data:
            raise OSError(errno.EIO, "Input/output error")
        touch(path, mode, exist_ok)

    def refused(*_: object, **__: object) -> None:
        raise OSError(errno.EIO, "Input/output error")

    monkeypatch.setattr(Path, "touch", failing)
    monkeypatch.setattr("companion.engine.files.TemporaryFile", refused)
    assert companion("log", "backup", tmp_path / "backup.zip") == 0
    said = capsys.readouterr()
    assert "1 session," in said.out
    assert "is on a disk that takes no writes; this is read from a copy" in said.err
    monkeypatch.setattr("companion.engine.salvage.readable", refused)
    assert companion("log", "backup", tmp_path / "backup.zip") != 0
    assert "Input/output error; restart this machine, then try again" in capsys.readouterr().err


def test_of_a_read_only_disk_a_copy_is_read_and_backed_up(
    companion: Companion,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    says: Says,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    data = tmp_path / "data"
    (data / "opening.lock").unlink()
    before = written(data)
    make_read_only(data, monkeypatch)
    assert companion("log", "show") == 0
    said = capsys.readouterr()
    assert "flag_war-" in said.out
    assert "is on a disk that takes no writes; this is read from a copy" in said.err
    assert "1 session," in says("log", "backup", tmp_path / "backup.zip")
    assert written(data) == before


@pytest.mark.parametrize("closed_to", [os.W_OK, os.R_OK | os.W_OK], ids=["writing", "reading"])
def test_of_anothers_journal_that_may_be_read_alone_a_copy_is_read(
    companion: Companion,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    closed_to: int,
) -> None:
    data = tmp_path / "data"
    before, touch = written(data), Path.touch

    def refused(path: Path) -> None:
        if path.parent == data:
            raise PermissionError(errno.EACCES, "Permission denied", str(path))
        touch(path)

    monkeypatch.setattr(Path, "touch", refused)
    monkeypatch.setattr(
        os, "access", lambda path, mode: not (data in (Path(path), Path(path).parent) and mode & closed_to)
    )
    is_readable = closed_to == os.W_OK
    assert companion("log", "backup", tmp_path / "backup.zip") == (0 if is_readable else 2)
    said = capsys.readouterr()
    assert ("data is not yours to write; this is read from a copy" in said.err) == is_readable
    assert ("1 session," in said.out) == is_readable
    assert ("sessions can't be kept there: Permission denied" in said.err) != is_readable
    assert written(data) == before


def test_what_is_copied_to_be_read_is_of_one_moment_while_the_other_plays_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game, room, readable = load("flag_war"), tmp_path / "room", salvage.readable
    merged = packs.merge("flag_war", packs.find(game.folder, tmp_path))
    with Journal(tmp_path / "live") as live, Session.create(live, game, merged):

        def plays_on(path: Path) -> list[bytes]:
            found = [*readable(path)]
            with closing(sqlite3.connect(live.path)) as db:  # the log goes into the file, and begins anew
                db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            return found

        monkeypatch.setattr(salvage, "readable", plays_on)
        room.mkdir()
        _copy_journal(live.folder, room)
        with Journal(room) as copy:
            assert copy.sessions() == live.sessions()
            assert copy.salvaged is None


def test_of_a_read_only_disk_the_log_is_copied_too_that_lies_beside_what_the_journal_links_to(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    data, elsewhere = tmp_path / "data", tmp_path / "elsewhere"
    game = load("flag_war")
    merged = packs.merge("flag_war", packs.find(game.folder, data))
    with Journal(tmp_path / "live") as live, Session.create(live, game, merged):
        shutil.copytree(tmp_path / "live", elsewhere)
    assert (elsewhere / f"{FILE}-wal").stat().st_size
    data.mkdir()
    (data / FILE).symlink_to(elsewhere / FILE)
    make_read_only(data, monkeypatch)
    assert run(["log", "list", "--data", str(data)]) == 0
    assert capsys.readouterr().out.startswith("flag_war-")


def test_of_a_disk_that_became_read_only_while_the_journal_was_mended_the_mended_one_is_read(
    companion: Companion, tmp_path: Path, says: Says, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = tmp_path / "data"
    (data / FILE).replace(mended(data / FILE))
    make_read_only(data, monkeypatch)
    assert "1 session," in says("log", "backup", tmp_path / "backup.zip")


@pytest.mark.skipif(not MEMORY.is_dir(), reason="only Linux has files in memory there")
def test_of_a_disk_without_a_free_byte_a_copy_is_read_and_backed_up(
    companion: Companion,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    says: Says,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    data, connect = tmp_path / "data", store.connect

    def without_room(path: Path) -> sqlite3.Connection:
        if path.is_relative_to(tmp_path):
            raise error
        return connect(path)

    error = sqlite3.OperationalError("disk I/O error")
    error.sqlite_errorcode = sqlite3.SQLITE_IOERR
    monkeypatch.setattr(store, "connect", without_room)
    assert companion("log", "list") != 0
    assert "is read from a copy" not in capsys.readouterr().err
    for module in (files, store):
        monkeypatch.setattr(module, "is_full", lambda folder: folder != MEMORY)
    assert companion("log", "list") == 0
    said = capsys.readouterr()
    assert said.out.startswith("flag_war-")
    assert said.err == f"companion: {data} is on a disk that takes no writes; this is read from a copy\n"
    assert "1 session," in says("log", "backup", tmp_path / "backup.zip")
