"""The command line: exit codes, errors of one line, and what it does not import."""

import contextlib
import errno
import importlib.util
import io
import json
import marshal
import os
import pty
import re
import select
import signal
import socket
import subprocess
import sys
import termios
import threading
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace
from unittest.mock import Mock

import click
import cv2
import numpy as np
import pytest
from click.shell_completion import ShellComplete

from companion import cli
from companion.__main__ import main as companion_program
from companion.cli import cameras_at_work, group, play, run
from companion.cli.common import merged_packs, owner_packs
from companion.cli.dice_teach import STOP, ask
from companion.engine import (
    BadInput,
    Journal,
    JournalError,
    PackError,
    Session,
    Wish,
    autoplay,
    owner_pack,
    packs,
)
from companion.engine.asks import Script
from companion.engine.card_words import in_words
from companion.engine.game import Outcome, Result
from companion.engine.ledger import Rule
from companion.engine.ledger import load as load_ledger
from companion.games import load, names
from tests.cli.conftest import Says
from vision import DiceSetError, sets

ROOT = Path(__file__).parents[2]
OKINAWA = ("play", "okinawa", "--dice", "software")
BY_ITSELF = [*OKINAWA, "--front", "none", "--auto"]
FOR_CHESS = '[pack]\ngame = "chess"\nname = "x"\nsource = "owner"\n'


@pytest.fixture(autouse=True)
def _data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COMPANION_DATA", str(tmp_path))


def companion(*arguments: str, text: str = "", encoding: str = "utf-8") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "companion", *arguments],
        cwd=ROOT, input=text, capture_output=True, encoding=encoding, timeout=120, check=False,
    )  # fmt: skip


def test_without_a_home_it_is_said_what_names_the_place_and_a_named_one_will_do(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def unknown(_: int) -> None:
        raise KeyError

    monkeypatch.setattr("pwd.getpwuid", unknown)
    for name in ("HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "COMPANION_DATA", "COMPANION_CONFIG"):
        monkeypatch.delenv(name, raising=False)
    assert run(["log", "list"]) == run(["doctor", "--write-config"]) == 2
    assert capsys.readouterr().err.splitlines() == [
        "companion: no HOME is set: --data DIR or COMPANION_DATA names the place of sessions",
        "companion: no HOME is set: COMPANION_CONFIG names the settings file",
    ]
    assert run(["doctor", "--data", str(tmp_path)]) == 0


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["play", "chess"], 2, "no game 'chess'; there are: "),
        (["play", "x" * 300], 2, "xxx'; there are: "),
        (
            ["play", "okinawa", "--set", "mode = dance"],
            2,
            "companion: mode=dance: choose from referee, enemy",
        ),
        (["play", "okinawa", "--set", "speed=9"], 2, "okinawa has no such option"),
        (["play", "okinawa", "--set", "seed = 9"], 2, "it is no option of the game's own: write --seed 9\n"),
        (["simulate", "okinawa", "--set", "--scenario=J"], 2, "the game's own: write --scenario J\n"),
        (["play", "okinawa", "--set", "confirm=on"], 2, "the game's own: write --confirm\n"),
        (["play", "okinawa", "--set", "mode"], 2, "write it like --set"),
        (["play", "okinawa", "--set", "=referee"], 2, "--set =referee: write it like --set"),
        (
            ["play", "okinawa", "--set", "mode=enemy", "--set", "mode = referee"],
            2,
            "--set mode: it can't be both enemy and referee: leave one of them out",
        ),
        (["play", "okinawa", "--pack", "nowhere"], 2, "/nowhere/pack.toml and nowhere\n"),
        (["play", "okinawa", "--pack", "x" * 300], 2, "xxx: not found"),
        (["play", "okinawa", "--dice", "camera", "--camera", "x" * 300], 3, "xxx': File name too long"),
        (["play", "okinawa", "--scenario", "moon"], 2, "--scenario moon: okinawa has"),
        (
            ["play", "undaunted", "--scenario", "hill-314"],
            2,
            "--scenario hill-314: not whole yet: scenario.hill-314: its map:",
        ),
        (
            ["play", "okinawa", "--dice", "software", "--auto", "genius", "--front", "none"],
            2,
            "no policy 'genius'",
        ),
        (["play", "okinawa", "--dice", "serial"], 3, "--dice serial: "),
        (["doctor", "--wait", "nan"], 2, "'--wait': 'nan' is no number of seconds"),
        (["play", "okinawa", "--front", "none", "--dice", "software"], 2, "needs --auto POLICY"),
        (["resume"], 2, "no unfinished session; companion play begins one"),
        (["resume", "nothing"], 2, "no session 'nothing'"),
        *[
            (["play", "okinawa", "--resume", option, "1"], 2, f"was begun: leave {option} out")
            for option in ("--pack", "--scenario", "--set", "--seed")
        ],
        (["play", "okinawa", "--resume", "--dice", "camera"], 2, "was begun: leave --dice out"),
        (["play", "okinawa", "--resume", "--cards", "software"], 2, "was begun: leave --cards out"),
        (
            ["resume", "--dice", "manual"],
            2,
            "leave --dice out; dice that no device reads any more are entered",
        ),
        (["resume", "--seed", "7"], 2, "a session goes on as it was begun: leave --seed out"),
        (["play", "okinawa", "--resume"], 2, "no unfinished session of okinawa; companion play begins one"),
        (["log", "show"], 2, "no sessions yet"),
        (["rules", "okinawa", "spaceship"], 2, "nothing in the rules of okinawa about 'spaceship'"),
        (["pack", "new", "undaunted"], 2, "undaunted: write it undaunted.THING, like dday_dice.omaha or "),
        (["pack", "new", "okinawa."], 2, "okinawa.: write it okinawa.THING, like "),
        (["pack", "new", "okinawa.enemy."], 2, "okinawa.enemy.: write it okinawa.THING, like "),
        (["pack", "new", "okinawa.enemy.\udcff"], 2, ": write it okinawa.THING, like "),
        (["pack", "new", "okinawa.enemy.\n"], 2, ": write it okinawa.THING, like "),
        (["pack", "new", "undaunted.tile. "], 2, "undaunted.tile. : write it undaunted.THING, like "),
        (["pack", "new", "undaunted.tile. x"], 2, "undaunted.tile. x: write it undaunted.THING, like "),
        (["pack", "new", "undaunted. x"], 2, "undaunted. x: write it undaunted.THING, like "),
        (["pack", "show", "okinawa."], 2, "okinawa.: write it okinawa.THING, like undaunted.rifleman or "),
        (["pack", "show", "okinawa.enemy.Z"], 2, "okinawa.enemy.Z: no such record; enemy has A, B, "),
        (["pack", "show", "okinawa.foe.A"], 2, "okinawa.foe.A: no such record; okinawa has action, enemy, "),
        (["pack", "show", "undaunted.nobody"], 2, "undaunted.nobody: no such solo card; there are "),
        (["pack", "show", "undaunted.tile.0A"], 2, "undaunted.tile.0A: no such record; tile has D1, D2, "),
        (["pack", "edit", "flag_war.x"], 2, "x: write it flag_war.TABLE.NAME; the tables are piece, board"),
        (["log", "list", "nosuch"], 2, "no game 'nosuch'; there are: "),
        (["dice", "samples", "list", "nosuch"], 2, "no dice set 'nosuch'; there are d6, "),
        (["simulate", "okinawa", "--games", "-3"], 2, "-3 is not in the range 1<=x<=1000000"),
        (["simulate", "okinawa", "--jobs", "0"], 2, "0 is not in the range 1<=x<=64"),
        (["simulate", "okinawa", "--jobs", "2", "--games", "9" * 26], 2, "is not in the range 1<=x<=1000000"),
        (["simulate", "okinawa", "--jobs", "100000"], 2, "100000 is not in the range 1<=x<=64"),
        (["juggle"], 2, "No such command 'juggle'"),
        (["plya"], 2, "no command 'plya'; did you mean 'play'?"),
        (["dice", "raed"], 2, "no command 'raed'; did you mean 'read'?"),
        (["games"], 0, ""),
        (["--version"], 0, ""),
        (["rules", "okinawa", "067"], 0, ""),
    ],
)
def test_exit_codes_and_one_line_that_says_what_to_do(
    arguments: list[str], code: int, message: str, capfd: pytest.CaptureFixture[str]
) -> None:
    assert run(arguments) == code
    out, err = capfd.readouterr()
    assert message in err
    assert "Traceback" not in out + err
    if code == 0:
        assert out


def test_wrong_usage_is_told_in_two_lines_and_a_group_alone_tells_its_commands(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run(["play", "okinawa", "--bogus"]) == run(["log", "list", "--data", ""]) == 2
    first, *others = capsys.readouterr().err.splitlines()
    assert first.startswith("companion: No such option")
    assert others == [
        "companion play --help tells what it takes; a game's own options go by --set KEY=VALUE",
        "companion: Invalid value for '--data': it is empty: name one",
        "companion log list --help tells what it takes",
    ]
    run(["log"])
    told = capsys.readouterr()
    assert (told.out + told.err).startswith("Usage: companion log ")


def test_too_many_open_files_are_no_fault_of_ours(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def none_left() -> None:
        raise OSError(errno.EMFILE, "Too many open files")

    monkeypatch.setattr("companion.cli.games.known", none_left)
    assert run(["games"]) == 2
    told = capsys.readouterr().err
    assert told == "companion: Too many open files: allow more (ulimit -n 1024), or end another program\n"


def test_a_fault_of_ours_is_a_line_and_with_debug_tells_where(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken() -> None:
        raise KeyError("cog")

    monkeypatch.setattr("companion.cli.games.known", broken)
    assert run(["games"]) == 1
    assert capsys.readouterr().err == (
        "companion: a fault of ours, KeyError: 'cog'; companion --debug tells where\n"
    )
    with pytest.raises(KeyError):
        run(["--debug", "games"])


@pytest.mark.parametrize(
    "seat",
    [
        ["--auto", "genius"],
        ["--emulate", "--front", "json"],
        ["--front", "none"],
        ["--front", "none", "--auto", "first", "--cards", "manual"],
        ["--front", "none", "--auto", "first", "--dice", "manual"],
    ],
)
def test_a_game_that_nobody_can_play_so_leaves_no_session(seat: list[str], says: Says) -> None:
    assert run(["play", "okinawa", "--dice", "software", *seat]) == 2
    assert "No sessions yet" in says("log", "list")


def test_a_page_or_screen_that_can_not_be_leaves_no_session(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    says: Says,
    refuses: Says,
) -> None:
    (tmp_path / "config.toml").write_text("[display]\nenabled = false\n")
    monkeypatch.setenv("COMPANION_CONFIG", str(tmp_path / "config.toml"))
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.setattr("sys.stdin", io.StringIO())
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = str(other.getsockname()[1])
        assert f"port {port}: Address already in use" in refuses(*OKINAWA, "--page", "--port", port)
    assert run(["play", "okinawa", "--dice", "software", "--front", "oled"]) == 3
    assert "--front oled: switched off in the settings" in capsys.readouterr().err
    keys = SimpleNamespace(isatty=lambda: True)
    for stdin, stdout in ((io.StringIO(), sys.stdout), (keys, None), (keys, io.StringIO())):
        with monkeypatch.context() as patch:
            patch.setattr("sys.stdin", stdin)
            patch.setattr("sys.stdout", stdout)
            assert run(["play", "okinawa", "--dice", "software", "--emulate"]) == 3
        assert "neither a display for a window here, nor a terminal" in capsys.readouterr().err
    assert "No sessions yet" in says("log", "list")


def test_where_no_session_comes_about_the_camera_is_let_go(tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "1.png"), np.full((64, 64, 3), 90, np.uint8))
    camera = ("--dice", "camera", "--camera", str(tmp_path), "--data", str(tmp_path / "data"))
    assert run(["play", "okinawa", *camera, "--scenario", "moon"]) == 2
    assert not [thread for thread in threading.enumerate() if thread.name == "camera dice"]


@pytest.mark.parametrize(
    ("module", "name", "extra", "command"),
    [
        ("uvicorn", "uvicorn", "web", ["serve"]),
        ("uvicorn", "uvicorn", "web", ["play", "okinawa", "--page", "--dice", "software"]),
        ("h11", "h11", "web", ["serve"]),
        ("PIL", "Pillow", "oled", ["play", "okinawa", "--emulate", "--dice", "software"]),
        ("PIL", "Pillow", "oled", ["screens", "okinawa", "--out", "pictures"]),
    ],
)
def test_what_is_not_installed_is_said_in_a_line(
    tmp_path: Path, module: str, name: str, extra: str, command: list[str]
) -> None:
    without = f"import sys; sys.modules[{module!r}] = None; from companion.cli import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", without, *command], cwd=tmp_path, env=os.environ | {"PYTHONPATH": str(ROOT)},
        capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert (
        done.stderr == f"companion: this needs {name}: {sys.executable} -m pip install 'companion[{extra}]'\n"
    )
    assert done.returncode == 2
    with Journal(tmp_path) as journal:
        assert journal.sessions() == []


def test_a_game_goes_on_by_its_name_alone_and_in_no_seat_that_can_not_be(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], says: Says
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO())
    for game in ("flag_war", "okinawa"):
        assert run(["play", game, "--dice", "software", "--front", "json"]) == 0
    hello, *_ = says("play", "flag_war", "--resume", "--front", "json").splitlines()
    assert json.loads(hello)["session"].startswith("flag_war-")
    assert run(["resume", "--front", "none"]) == run(["resume", "--auto", "genius"]) == 2
    told = capsys.readouterr().err
    assert "--front none needs --auto" in told
    assert "no policy 'genius'" in told


@pytest.mark.parametrize("command", [["resume"], ["play", "okinawa", "--resume"]])
def test_r4_at_the_table_of_the_newest_session_too_it_is_said_that_the_journal_was_damaged(
    command: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, says: Says
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO())
    run([*OKINAWA, "--front", "json"])
    with (tmp_path / "journal.sqlite").open("r+b") as file:
        file.seek(100)
        file.write(bytes(100))
    told = [json.loads(line) for line in says(*command, "--front", "json").splitlines()]
    assert [line["type"] for line in told] == ["hello", "notice", "ask"]
    assert told[1]["text"].startswith("the journal was damaged: kept ")


def test_of_one_game_its_options_are_listed_too(says: Says) -> None:
    every = says("games")
    one = says("games", "space_infantry")
    options = "  --set difficulty=  normal, easy, hard, nightmare  (first is the default)\n"
    about, _, _ = one.partition("  --set ")
    assert about in every
    assert options not in every
    assert options in one
    assert " to enter or check: companion pack check space_infantry\n" in about
    assert " scenarios: choose, relay, " in about
    assert all(
        int(records) > int(ours) > 0 for records, ours in re.findall(r" (\d+) records, (\d+) of", every)
    )
    assert " 0 things" not in every
    assert max(map(len, every.splitlines())) < 80
    assert every.count("scenarios: ") < len(names())


@pytest.mark.parametrize("game", names())
def test_what_a_game_offers_fits_a_terminal(says: Says, game: str) -> None:
    assert max(map(len, says("games", game).splitlines())) < 80


def test_the_policies_of_a_game_are_told_with_its_options(says: Says) -> None:
    assert "policies: random, first, cautious, bold\n" in says("games", "undaunted")


@pytest.mark.parametrize("game", names())
def test_every_game_can_be_played_with_caution(game: str, says: Says) -> None:
    another = {"space_infantry": "steady", "flag_war": "guard"}.get(game, "cautious")
    ends = set[str]()
    for policy in {"cautious", another}:
        ends.add(says("play", game, "--dice", "software", "--front", "none", "--auto", policy, "--seed", "2"))
    assert len(ends) == 1


def test_a_game_that_is_over_tells_its_end_in_any_seat(says: Says, tmp_path: Path) -> None:
    where = ["--data", str(tmp_path)]
    told = says(*BY_ITSELF, "first", "--seed", "1", *where)
    with Journal(tmp_path) as journal:
        (over,) = journal.sessions()
    assert says("resume", over.id, "--front", "none", *where) == told != ""


def test_who_is_to_play_on_a_game_that_is_over_has_to_be_known_too(refuses: Says) -> None:
    assert run([*BY_ITSELF, "first", "--seed", "1"]) == 0
    assert "no policy 'genius'" in refuses("resume", "okinawa", "--front", "json", "--auto", "genius")


def test_a_name_that_is_no_session_or_several_says_which_there_are(tmp_path: Path, refuses: Says) -> None:
    for seed in ("1", "2"):
        assert run([*BY_ITSELF, "first", "--seed", seed]) == 0
    with Journal(tmp_path) as journal:
        one, other = (meta.id for meta in journal.sessions())
    assert f"'okinawa' may be {one} or {other}: give more of the id" in refuses("log", "show", "okinawa")
    assert "no session 'flag'; companion log list shows all" in refuses("log", "show", "flag")
    for seed in ("3", "4", "5"):
        assert run([*BY_ITSELF, "first", "--seed", seed]) == 0
    assert " or 2 others: give more of the id" in refuses("log", "show", "okinawa")


def test_a_data_directory_that_cannot_be_written_is_named(tmp_path: Path, refuses: Says) -> None:
    (tmp_path / "file").touch()
    said = refuses("log", "list", "--data", str(tmp_path / "file"))
    assert f"{tmp_path / 'file'}: sessions can't be kept there: it is a file and no folder;" in said


@pytest.mark.parametrize(
    "command", ["games", "pack list", "screens flag_war --out x", "simulate flag_war", "dice samples list d6"]
)
def test_a_data_directory_that_no_path_leads_to_is_named(tmp_path: Path, refuses: Says, command: str) -> None:
    said = refuses(*command.split(), "--data", tmp_path / ("a" * 300) / "data")
    assert "aaa/data/" in said
    assert "File name too long; --data DIR or COMPANION_DATA names another place" in said


def test_of_a_data_directory_that_is_closed_to_us_it_is_said_whose_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stat(path: Path, **_: object) -> SimpleNamespace:
        if path != tmp_path:
            raise PermissionError(errno.EACCES, "Permission denied")
        return SimpleNamespace(st_uid=os.getuid() + 1)

    monkeypatch.setattr("pathlib.Path.owner", lambda path: "daemon")
    monkeypatch.setattr("pathlib.Path.stat", stat)
    with pytest.raises(BadInput, match=r"Permission denied; .* is daemon's: sudo -u daemon companion"):
        owner_packs(tmp_path, "okinawa")
    with pytest.raises(PackError, match=r"Permission denied; .* is daemon's: sudo -u daemon companion"):
        packs.owned(tmp_path / "okinawa", "okinawa")
    with pytest.raises(DiceSetError, match="can't be looked at: Permission denied"):
        sets.load("d6", tmp_path / "dice")


def test_of_sessions_that_are_closed_to_us_it_is_said_whose_they_are(
    tmp_path: Path, refuses: Says, monkeypatch: pytest.MonkeyPatch
) -> None:
    def denied(path: Path, *_: object) -> None:
        raise PermissionError(errno.EACCES, "Permission denied", str(path))

    other = os.getuid() + 1
    monkeypatch.setattr("os.getuid", lambda: other)
    monkeypatch.setattr("pathlib.Path.owner", lambda path: "companion")
    whose = "companion's: sudo -u companion companion ..., or --data DIR"
    with Journal(tmp_path) as journal, monkeypatch.context() as patch:
        patch.setattr("pathlib.Path.open", denied)
        with pytest.raises(JournalError, match=f"held: Permission denied; {tmp_path}/locks is {whose}"):
            journal.hold("okinawa-1").__enter__()
    monkeypatch.setattr("pathlib.Path.touch", denied)
    assert f"there: Permission denied; {tmp_path}/opening.lock is {whose}" in refuses(
        "log", "list", "--data", str(tmp_path)
    )


def test_a_session_that_is_played_elsewhere_is_no_fault_of_ours(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    game = load("okinawa")
    with Journal(tmp_path) as journal, Session.create(journal, game, merged_packs(game, tmp_path), Wish()):
        assert run(["resume"]) == 2
    assert "is being played elsewhere; close it there first" in capsys.readouterr().err


def owned(data: Path, game: str, text: str) -> Path:
    """The owner's pack of a game, with that text in it."""
    file = data / "packs" / game / "owner" / "pack.toml"
    file.parent.mkdir(parents=True)
    file.write_bytes(text.encode(errors="surrogateescape"))
    return file


@pytest.mark.parametrize("torn", ["[pack\n", FOR_CHESS, "\udcff", f"x = {'9' * 5000}\n"])
def test_a_torn_pack_is_named_with_its_file(tmp_path: Path, torn: str, refuses: Says) -> None:
    file = owned(tmp_path, "okinawa", torn)
    assert str(file) in refuses("play", "okinawa", "--dice", "software")


OWNERS = '[pack]\ngame = "okinawa"\nname = "owner"\nsource = "owner"\n'
MEND = "mend it there or move it away"
FORGET = "mend it there or take it out with companion pack forget"


@pytest.mark.parametrize(
    ("pack", "said"),
    [
        ("[pack\n", f"(at line 1, column 6); {MEND}\n"),
        (FOR_CHESS, f"this is a pack for chess, not okinawa (at line 2); {MEND}\n"),
        (OWNERS.replace('"owner"\n', '"me"\n'), f"its game, name and source (at line 4); {MEND}\n"),
        (f"{OWNERS}\n[evil.x]\na = 1\n", f"resupply, supply (at line 6); {FORGET} okinawa.evil.x\n"),
        (f"enemy = 3\n{OWNERS}", f"like [enemy.NAME] is wanted (at line 1); {MEND}\n"),
        (f"{OWNERS}[resupply.hammer]\n", f" (at line 5); {FORGET} okinawa.resupply.hammer\n"),
        (
            f"{OWNERS}[enemy.A]\nhealth = 'lots'\n",
            "(at line 6); mend it there or with companion pack edit okinawa.enemy.A\n",
        ),
        (
            f"{OWNERS}[enemy.A]\nhealth = 10000\n",
            "as none on a table is (at line 6); mend it there or with companion pack edit okinawa.enemy.A\n",
        ),
    ],
)
def test_a_torn_pack_is_told_with_its_line_and_what_to_do(
    pack: str, said: str, tmp_path: Path, refuses: Says
) -> None:
    owned(tmp_path, "okinawa", pack)
    assert refuses("play", "okinawa", "--dice", "software").endswith(said)


def test_a_pack_that_is_closed_is_told_with_what_opens_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, refuses: Says
) -> None:
    file = owned(tmp_path, "okinawa", OWNERS)
    read = packs.content

    def closed(path: Path) -> bytes:
        if path == file:
            raise PermissionError(errno.EACCES, "Permission denied")
        return read(path)

    monkeypatch.setattr(packs, "content", closed)
    monkeypatch.setattr(os, "access", lambda path, _: path != file)
    said = refuses("pack", "check", "okinawa")
    assert f"{file}: Permission denied; open it to yourself: chmod u+rwX {file}, or --data DIR" in said
    assert "mend it" not in said


def test_a_record_that_a_game_has_no_questions_about_is_entered_by_its_fields() -> None:
    """`pack check` says of it too what to type."""
    assert "what to change?" in companion("pack", "new", "undaunted.section.any").stdout
    assert "no such scenario" in companion("pack", "new", "undaunted.section.nowhere").stderr


def test_a_record_with_a_wrong_value_is_entered_again_by_its_questions(tmp_path: Path) -> None:
    header = OWNERS.replace("okinawa", "space_infantry")
    file = owned(tmp_path, "space_infantry", f"{header}[vehicle.rhino]\nwounds = 'lots'\n")
    mended = companion("pack", "edit", "space_infantry.vehicle.rhino", text="5\n1\n3\n-\n4\n-\n\n")
    assert f"Saved in {file}" in mended.stdout
    assert "wounds = 5" in file.read_text()


def test_what_the_game_has_no_place_for_stays_while_a_card_is_entered_and_can_be_taken_out(
    tmp_path: Path,
) -> None:
    torn = "[enmy.A]\nhealth = 1\n[enmy.B]\nhealth = 2\n[resupply.hammer]\nname = 'H'\n"
    file = owned(tmp_path, "okinawa", f"{OWNERS}{torn}[enemy.A]\nhealth = 'lots'\n")
    entered = companion("pack", "edit", "okinawa.enemy.A", "--fields", text="health\n3\nsave\n\n")
    assert f"companion pack check now says: {file}: enmy: no such table; " in entered.stdout
    tables = packs.read(file).tables
    assert tables.pop("enemy") == {"A": {"health": 3}}
    assert tables == {
        "enmy": {"A": {"health": 1}, "B": {"health": 2}},
        "resupply": {"hammer": {"name": "H"}},
    }
    for record in ("enmy.A", "enmy.B", "resupply.hammer"):
        told = companion("pack", "check", "okinawa").stderr
        assert f"take it out with companion pack forget okinawa.{record}" in told
        assert companion("pack", "forget", f"okinawa.{record}").returncode == 0
    assert companion("pack", "check", "okinawa").returncode == 0


def test_of_two_wrong_records_one_is_entered_again_and_the_other_is_named(tmp_path: Path) -> None:
    file = owned(tmp_path, "okinawa", f"{OWNERS}[enemy.A]\nhealth = 'lots'\n[enemy.B]\nhealth = 40000\n")
    mended = companion("pack", "edit", "okinawa.enemy.A", "--fields", text="health\n3\nsave\n\n")
    assert mended.returncode == 0
    assert mended.stdout.endswith(
        f"companion pack check now says: {file}: enemy.B.health: the number is larger than 9999, as none on "
        "a table is (at line 10); mend it there or with companion pack edit okinawa.enemy.B\n"
    )
    companion("pack", "edit", "okinawa.enemy.B", "--fields", text="health\n4\nsave\n\n")
    assert companion("pack", "check", "okinawa").returncode == 0


def test_what_an_owner_entered_is_forgotten_and_what_ships_counts_again(
    tmp_path: Path, refuses: Says
) -> None:
    header = OWNERS.replace("okinawa", "space_infantry")
    cards = "[vehicle.rhino]\nwounds = 7\ngunnery = []\n"
    cards += "[unit.medic]\nadvanced = false\ncharges = false\narmor = 0\nwounds = 0\n"
    cards += "[unit.leader]\nwounds = 1\n"
    file = owned(tmp_path, "space_infantry", header + cards)
    assert "wounds: 7" in companion("pack", "show", "space_infantry.vehicle.rhino").stdout

    forgotten = companion("pack", "forget", "space_infantry.vehicle.rhino").stdout
    medic = companion("pack", "forget", "space_infantry.medic").stdout

    assert forgotten == (
        f"Forgotten, in {file}:\n  rhino\n  wounds: 7\n  gunnery: nothing\n"
        "Games that you begin now go by it, those under way by what they began with.\n"
    )
    assert "  medic\n  advanced: no\n  armor: 0\n  wounds: 0\nGames" in medic
    assert "wounds: 7" not in companion("pack", "show", "space_infantry.vehicle.rhino").stdout
    assert file.read_text() == header + "\n[unit.leader]\nwounds = 1\n"
    assert refuses("pack", "forget", "space_infantry.medic") == (
        "companion: space_infantry.medic: not in your pack, which has: unit.leader\n"
    )
    assert "which has: nothing" in refuses("pack", "forget", "okinawa.enemy.A")


def test_which_of_two_records_of_one_name_is_forgotten_has_to_be_said(tmp_path: Path, refuses: Says) -> None:
    header = OWNERS.replace("okinawa", "undaunted")
    file = owned(
        tmp_path, "undaunted", f"{header}[unit.scout]\ninitiative = 6\n[solo.scout]\nunit = 'scout'\n"
    )
    said = refuses("pack", "forget", "undaunted.scout")
    assert said == "companion: undaunted.scout: more than one record: unit.scout, solo.scout\n"
    assert "[unit.scout]" in file.read_text()


def test_a_torn_pack_hides_no_other_game(tmp_path: Path, says: Says) -> None:
    file = owned(tmp_path, "flag_war", "[pack\n")
    told = says("games")
    assert f"can't be played: {file}" in told
    assert "\nundaunted " in told
    assert run(["games", "flag_war"]) == 2


def test_a_torn_pack_hides_no_other_in_list_and_check(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], refuses: Says
) -> None:
    torn = {"flag_war": "[pack\n", "okinawa": f'{OWNERS}[enemy.A]\nhealth="lots"\n'}
    files = {game: owned(tmp_path, game, text) for game, text in torn.items()}
    hint = "; until then {} can't be begun\n"
    assert run(["pack", "check"]) == 2
    out, err = capsys.readouterr()
    assert f"companion: {files['flag_war']}: not TOML: " in err
    assert f"companion: {files['okinawa']}: enemy.A.health: a whole number is wanted" in err
    assert all(hint.format(game) in err for game in torn)
    assert [line for line in out.splitlines() if "stand-ins of our own" in line][-1].startswith("undaunted: ")
    assert run(["pack", "list"]) == 2
    out, err = capsys.readouterr()
    assert err == f"companion: {files['flag_war']}: not TOML: {err.partition('not TOML: ')[2]}"
    assert err.endswith(hint.format("flag_war"))
    assert "flag_war        rulebook" in out
    assert "undaunted       rulebook" in out
    files["flag_war"].unlink()
    files["okinawa"].unlink()
    assert run(["pack", "list"]) == run(["pack", "check"]) == 0
    assert refuses("pack", "check", "--pack", "nosuch").count("companion: ") == 1


def test_an_own_pack_that_cannot_be_looked_at_hides_no_others(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "packs" / "flag_war" / "owner"
    folder.parent.mkdir(parents=True)
    folder.symlink_to(folder)
    for command, code in (("games", 0), ("pack list", 2), ("pack check", 2)):
        assert run(command.split()) == code
        out, err = capsys.readouterr()
        assert f"{folder}" in out + err
        assert any(line.startswith("undaunted") for line in out.splitlines())


def test_a_name_that_the_owner_gave_a_stand_in_on_the_page_stays_when_the_card_is_entered(
    tmp_path: Path,
) -> None:
    owner_pack.add_owned(tmp_path / "packs" / "okinawa", "okinawa", {"scenario": {"R": {"name": "Relief"}}})
    assert companion("pack", "new", "okinawa.scenario.R", text="at once\nno more\n\n").returncode == 0
    kept = packs.owned(tmp_path / "packs" / "okinawa", "okinawa").tables["scenario"]["R"]
    assert (kept["name"], kept["timing"]) == ("Relief", "at once")


def test_a_record_that_no_game_asks_about_is_entered_by_its_fields(tmp_path: Path) -> None:
    def entered(record: str, text: str) -> str:
        run = companion("pack", "new", record, text=text)
        assert run.returncode == 0
        return run.stdout

    assert entered("flag_war.piece.P", "save\n").endswith("Nothing was changed.\n")
    assert "as before" in entered("flag_war.piece.Q", "Queen\n") + entered("flag_war.piece.Q", "")
    assert "Saved in" in entered("space_infantry.difficulty.easy", "points\n90\nsave\n")
    mine = packs.owned(tmp_path / "packs" / "space_infantry", "space_infantry").tables["difficulty"]["easy"]
    assert mine == {"points": 90}
    again = entered("space_infantry.difficulty.easy", "")
    assert "3. points - 90\n" in again
    assert "points, as before" in again  # to be gone through again, or left


def test_a_field_of_what_a_game_asks_about_is_changed_alone(tmp_path: Path) -> None:
    run = companion("pack", "edit", "space_infantry.mission.relay", "--fields", text="title\nMine\nsave\n")
    assert run.returncode == 0
    mine = packs.owned(tmp_path / "packs" / "space_infantry", "space_infantry").tables["mission"]["relay"]
    assert mine == {"title": "Mine"}
    wrong = companion("pack", "edit", "dday_dice.omaha", "--fields")
    assert "omaha: write it dday_dice.TABLE.NAME; the tables are scenario, map, " in wrong.stderr


def test_a_friends_pack_is_listed_and_shown_before_it_is_played_with(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], says: Says
) -> None:
    folder = tmp_path / "packs" / "okinawa"
    head = '[pack]\ngame = "okinawa"\nname = "okinawa"\nsource = "owner"\n'
    for name, text in (("Ann's", f'{head}[enemy.A]\nname = "Her riflemen"\n'), ("torn", "[")):
        (folder / name).mkdir(parents=True)
        (folder / name / "pack.toml").write_text(text)
    data = ["--data", str(tmp_path)]
    assert run(["pack", "list", "okinawa", *data]) == 2
    out, err = capsys.readouterr()
    assert "Ann's/pack.toml, played with by --pack" in out
    assert err.startswith(f"companion: {folder / 'torn' / 'pack.toml'}: not TOML: ")
    assert "can't be begun" not in err
    assert "Her riflemen" not in says("pack", "show", "okinawa.enemy.A", *data)
    assert "Her riflemen" in says("pack", "show", "okinawa.enemy.A", "--pack", "Ann's", *data)


def test_a_nought_of_a_record_is_shown_and_what_says_nothing_is_not(tmp_path: Path, says: Says) -> None:
    assert says("pack", "show", "undaunted.tile.1A", "--data", str(tmp_path)) == "1A [rulebook]\n  cover: 0\n"
    assert in_words("x", {"cost": 0, "hill": False, "note": "", "none": []}) == ["x", "cost: 0"]
    assert in_words("x", {"effects": [{"do": "trade_anywhere"}]}) == ["x", "effects:", "  do trade anywhere"]


def test_a_wrong_value_in_a_pack_is_named_with_its_path(tmp_path: Path, refuses: Says) -> None:
    file = owned(tmp_path, "okinawa", f'{OWNERS}[enemy.A]\nhealth="lots"\n')
    error = refuses("pack", "check", "okinawa")
    assert (
        f"{file}: enemy.A.health: a whole number is wanted, not a text (at line 6); mend it there or with "
        in error
    )
    more = tmp_path / "more.toml"
    head = '[pack]\ngame="okinawa"\nname="more"\nsource="owner"\n'
    more.write_text(f'{head}[enemy.A]\nname="Riflemen"\n')
    assert f"{file}: enemy.A.health: a whole number is wanted" in refuses(
        "pack", "check", "okinawa", "--pack", more
    )
    file.unlink()
    file.mkdir()
    error = refuses("pack", "check", "okinawa")
    assert error.startswith(f"companion: {file}: Is a directory; mend it there or move ")
    file.rmdir()
    more.write_text(f'{head}[enemy.new]\nname="Riflemen"\n')
    error = refuses("pack", "check", "okinawa", "--pack", more)
    assert f"{more}: enemy.new: type, health, fog, damage are missing (at line 5)\n" in error


def test_all_that_is_wrong_in_a_pack_is_told_at_once(tmp_path: Path, refuses: Says) -> None:
    torn = '[enemy.A]\nhealth = "lots"\nfog = 20000\n[enemy.new]\nname = 5\n[enmy.A]\nhealth = 1\n'
    file = owned(tmp_path, "okinawa", f"{OWNERS}{torn}")
    told = refuses("pack", "check", "okinawa").splitlines()
    table, health, fog, name, missing = (line.removeprefix(f"companion: {file}: ") for line in told)
    assert table.startswith("enmy: no such table; ")
    assert table.endswith(f" (at line 10); {FORGET} okinawa.enmy.A")
    assert health == "enemy.A.health: a whole number is wanted, not a text (at line 6)"
    assert fog.endswith("(at line 7); mend it there or with companion pack edit okinawa.enemy.A")
    assert name == "enemy.new.name: a text is wanted, not a whole number (at line 9)"
    assert missing.startswith(
        "enemy.new: type, health, fog, damage are missing (at line 8); mend it there or"
    )
    assert missing.endswith("companion pack edit okinawa.enemy.new; until then okinawa can't be begun")
    begun = refuses("play", "okinawa").splitlines()
    assert begun == [f"{told[0]}; companion pack check tells 4 more"]


def test_a_misspelt_field_in_a_pack_is_named_with_its_path(tmp_path: Path, says: Says) -> None:
    file = owned(
        tmp_path,
        "space_infantry",
        '[pack]\ngame="space_infantry"\nname="owner"\nsource="owner"\n[enemy.cybers]\nambsh=["A"]\n'
        '[enemy.cybers.units]\nwalker={title="Walker", wounds=1, savge=true}\ngun={title="Gun", wounds=1}\n'
        '[mission.mine]\ntitle="Mine"\nbriefing="Out"\nstart="a"\ngoal={reach=["b"], retrun="a"}\n'
        '[mission.mine.nodes]\na={title="A", links=["b"]}\n'
        'b={title="B", links=["a"], needs="climb 1", effect={kind="wounds", amount=1, txt="Acid"}}\n',
    )
    told = says("pack", "check", "space_infantry")
    enemy = ("enemy.cybers.ambsh", "enemy.cybers.units.walker.savge")
    for path in (*enemy, "mission.mine.goal.retrun", "mission.mine.nodes.b.effect.txt"):
        assert f"{file}: {path}: no such field, nothing reads it\n" in told
    assert told.count("no such field") == 4


def test_rules_are_found_by_several_words_with_and_without_quotes(says: Says) -> None:
    quoted = says("rules", "okinawa", "mine field")
    assert "Mine Field" in quoted
    assert says("rules", "okinawa", "mine", "field") == quoted
    assert "OKI-034 " in says("rules", "okinawa", "token", "sandbag"), "words that are nowhere side by side"


@pytest.mark.parametrize(
    ("game", "ruling", "words"),
    [
        ("okinawa", "R50", "? No."),
        ("space_infantry", "R34", "Wounds on enemies when halves do not fit: "),
        ("undaunted", "R21", "A bot card of a suppressed unit is resolved. "),
    ],
)
def test_a_ruling_is_told_with_its_question(game: str, ruling: str, words: str, says: Says) -> None:
    assert words in " ".join(says("rules", game, ruling).split())


def test_a_rule_is_headed_by_its_number_and_its_section(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["rules", "okinawa", "067"]) == 0
    rule = load_ledger(load("okinawa").folder / "ledger.toml").search("OKI-067")[0]
    assert isinstance(rule, Rule)
    assert capsys.readouterr().out.startswith(f"OKI-067  {rule.section}\n")


def test_what_a_check_tells_to_enter_is_a_record_of_a_table(says: Says) -> None:
    told = re.findall(
        r"^  companion pack new undaunted\.(.*)\.NAME", says("pack", "check", "undaunted"), re.MULTILINE
    )
    assert not [table for table in told if "." in table]


def test_a_gap_is_told_as_missing(says: Says) -> None:
    said = " ".join(says("rules", "okinawa", "G24").split())
    assert said.startswith("OKI-G24 Missing: The six faces of an action die: how often each of 1, 2, ")
    assert ". Found: Rulebook: values 1 to 4. " in said


@pytest.mark.parametrize(
    ("game", "name", "words"),
    [
        ("space_infantry", "TB08", "SPI-TB08 EP cost from 6, to 5, ep 3 from 5, to 4, ep 5 "),
        ("space_infantry", "SPI-TB14", "SPI-TB14 Wound allocation on enemies, our ruling applied (derived "),
        ("flag_war", "TB9", "FLG-TB09 "),
        ("space_infantry", "T26", "SPI-T26 Armor Piercing: Weapon trait that switches armor off"),
    ],
)
def test_a_table_or_a_term_that_a_rule_names_can_be_read(
    game: str, name: str, words: str, says: Says
) -> None:
    assert " ".join(says("rules", game, name).split()).startswith(words)


def test_a_game_by_itself_is_logged_and_read_back(says: Says) -> None:
    assert "lost" in says(*BY_ITSELF, "random", "--seed", "1")
    listed = says("log", "list")
    assert listed.startswith("okinawa-")
    assert " lost " in listed
    shown = says("log", "show")
    assert "(software)" in shown
    assert shown.splitlines()[-1].startswith("lost ")


def test_a_log_names_the_scenario_and_the_packs_that_were_played_with(
    says: Says,
) -> None:
    command = ["play", "dday_dice", "--scenario", "omaha", "--dice", "software", "--front", "none"]
    assert run([*command, "--auto", "random", "--seed", "1"]) == 0
    assert "\nscenario: omaha\npacks: rulebook, stand-in\noptions: " in says("log", "show")


def test_r3_a_module_that_a_full_disk_cut_short_as_it_was_compiled_is_told_and_deleted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    torn = tmp_path / "games.pyc"
    torn.write_bytes(importlib.util.MAGIC_NUMBER + bytes(12) + marshal.dumps("a module")[:-1])
    monkeypatch.setattr("companion.cli.__path__", [str(tmp_path), *cli.__path__])
    monkeypatch.delitem(sys.modules, "companion.cli.games", raising=False)
    assert run(["games"]) == 1
    assert f"{torn} was cut short" in capsys.readouterr().err
    assert run(["games"]) == 0


def test_ctrl_c_as_a_compiled_module_is_read_deletes_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    whole = tmp_path / "whole.pyc"
    whole.touch()

    def interrupted() -> None:
        bytecode_path = str(whole)  # noqa: F841 - so does importlib name what it reads
        raise KeyboardInterrupt

    monkeypatch.setattr(group, "invoke", lambda _: interrupted())
    assert (run(["games"]), capsys.readouterr().err.strip()) == (130, "")
    assert whole.exists()


@pytest.mark.parametrize(
    ("module", "ends"),
    [("click", -signal.SIGINT), ("companion.cli.games", 130)],
)
def test_ctrl_c_while_a_command_is_loaded_ends_it_without_a_word(module: str, ends: int) -> None:
    interrupt = "import os, signal, time; os.kill(os.getpid(), signal.SIGINT); time.sleep(5)"
    stand_in = (
        "import importlib.abc, runpy, signal, sys\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"  # it may be ignored where the tests run
        "class Finder(importlib.abc.MetaPathFinder):\n"
        "    def find_spec(self, name, path, target=None):\n"
        f"        if name == {module!r}:\n"
        f"            {interrupt}\n"
        "sys.meta_path.insert(0, Finder())\n"
        "sys.argv[1:] = ['games']\n"
        "runpy.run_module('companion', run_name='__main__')\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", stand_in], cwd=ROOT, capture_output=True, text=True, timeout=120, check=False
    )
    assert (done.returncode, done.stdout, done.stderr.strip()) == (ends, "", "")


def test_a_second_ctrl_c_that_comes_amid_the_end_is_as_good_as_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.cli.main", Mock(side_effect=KeyboardInterrupt))
    usual = signal.getsignal(signal.SIGINT)
    try:
        with pytest.raises(SystemExit) as ended:
            companion_program()
    finally:
        signal.signal(signal.SIGINT, usual)
    assert ended.value.code == 130


def test_what_goes_on_is_read_or_noted_is_the_session_that_was_played_last(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, says: Says
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(""))
    for command in (OKINAWA, ("play", "flag_war", "--dice", "software")):
        assert run([*command, "--front", "json"]) == 0
    with Journal(tmp_path) as journal:
        first, second = (meta.id for meta in journal.sessions())
    monkeypatch.setattr("sys.stdin", io.StringIO('{"n": 1, "answer": true}\n'))
    assert run(["resume", first, "--front", "json"]) == 0
    monkeypatch.setattr("sys.stdin", io.StringIO(""))
    for command in (["resume", "--front", "json"], ["log", "show"], ["log", "note", "Well"]):
        assert first in (said := says(*command))
        assert second not in said


def test_a_list_without_sessions_names_the_game_and_the_place(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["log", "list"]) == run(["log", "list", "undaunted"]) == 0
    first, second = capsys.readouterr().out.splitlines()
    assert first == f"No sessions yet in {tmp_path}. companion play okinawa begins one."
    assert second == f"No sessions of undaunted yet in {tmp_path}. companion play undaunted begins one."
    assert run([*BY_ITSELF, "first"]) == run(["log", "list"]) == 0
    assert "No sessions" not in capsys.readouterr().out


def test_the_same_seed_is_the_same_game(capsys: pytest.CaptureFixture[str]) -> None:
    logs = []
    for _ in range(2):
        run([*BY_ITSELF, "random", "--seed", "4"])
        logs.append(capsys.readouterr().out)
    assert logs[0] == logs[1]


def test_schema_describes_the_state(says: Says) -> None:
    schema = json.loads(says("play", "okinawa", "--schema"))
    assert schema["$defs"]


def commands(group: click.Group) -> Iterator[click.Command]:
    context = click.Context(group)
    for command in filter(None, (group.get_command(context, name) for name in group.list_commands(context))):
        yield command
        if isinstance(command, click.Group):
            yield from commands(command)


def test_every_option_says_what_it_does_and_whether_it_can_be_given_again() -> None:
    options = [one for command in commands(group) for one in command.params if isinstance(one, click.Option)]
    assert len(options) > 100
    assert [one.name for one in options if not one.help] == []
    assert [one.name for one in options if ("can be given again" in one.help) != one.multiple] == []


@pytest.mark.parametrize("group", [[], ["log"], ["pack"], ["dice"], ["dice", "samples"]])
def test_no_line_of_a_list_of_commands_is_cut_off(group: list[str], says: Says) -> None:
    assert "..." not in says(*group, "--help").partition("Commands:")[2]


@pytest.mark.parametrize(
    ("begun", "word", "names"),
    [
        ([], "s", ["serve", "screens", "simulate"]),
        (["log"], "s", ["show", "stats"]),
        (["pack"], "e", ["edit"]),
    ],
)
def test_a_shell_completes_every_command(begun: list[str], word: str, names: list[str]) -> None:
    shell = ShellComplete(group, {}, "companion", "_COMPANION_COMPLETE")
    assert [found.value for found in shell.get_completions(begun, word)] == names


@pytest.mark.parametrize("said", ["OKI-067", "067", "67", "oki-67", "OKI-67 "])
def test_a_rule_is_found_by_its_number_alone(said: str, says: Says) -> None:
    assert re.findall(r"^[A-Z]+-\w+", says("rules", "okinawa", said), re.MULTILINE) == ["OKI-067"]


@pytest.mark.parametrize(
    ("given", "told"),
    [
        (["okinawa", "--policy", "bold"], "no policy 'bold'; okinawa has random, first, cautious"),
        (["okinawa", "--set", "mode=both", "--jobs", "2"], "mode=both: choose from referee, enemy"),
        (
            ["dday_dice", "--scenario", "deadstick"],
            "Operation Deadstick is for 2 to 4: set players=2 (DDD-313)",
        ),
    ],
)
def test_games_that_can_not_be_simulated_so_are_refused_in_one_line(
    given: list[str], told: str, refuses: Says
) -> None:
    assert refuses("simulate", *given) == f"companion: {told}\n"


def test_an_empty_data_variable_is_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    here, home = tmp_path / "here", tmp_path / "home"
    here.mkdir()
    monkeypatch.chdir(here)
    monkeypatch.setenv("COMPANION_DATA", "")
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("XDG_DATA_HOME", str(home))
    auto = ["--auto", "random", "--front", "none", "--dice", "software"]
    assert run(["play", "okinawa", *auto]) == 0
    assert not [*here.iterdir()]
    assert [*home.iterdir()]


def test_the_protocol_writes_nothing_but_json_lines() -> None:
    done = companion("play", "okinawa", "--front", "json", text='{"state":true}\nx\n{"quit":true}\n')
    kinds = [json.loads(line)["type"] for line in done.stdout.splitlines()]
    assert (done.returncode, kinds) == (0, ["hello", "ask", "state", "error"])


def test_plain_lines_without_a_terminal_and_what_goes_on_with_it_at_the_end_of_input() -> None:
    done = companion("play", "okinawa", "--dice", "software", text="\nboard\nwhy\n")
    assert done.returncode == 0
    assert "OKI-" in done.stdout
    assert "Saved. companion resume goes on with okinawa-" in done.stdout.splitlines()[-1]


def test_plain_lines_of_a_game_that_ended_say_how_and_where_its_log_is() -> None:
    done = companion("play", "okinawa", "--dice", "software", "--auto", "cautious", "--seed", "3")
    ended, where = done.stdout.splitlines()[-2:]
    assert ended.startswith("won: Hill 89 is taken")
    assert where.startswith("The game move by move: companion log show okinawa-")


def test_on_a_terminal_how_a_game_ended_is_broken_between_words(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = io.StringIO()
    terminal.isatty = lambda: True
    monkeypatch.setenv("COLUMNS", "50")
    monkeypatch.setattr(sys, "stdout", terminal)
    outcome = Outcome(Result.LOST, "G Machine Gun Nest took the last health", {"objective": 1, "turns": 1})
    session = SimpleNamespace(meta=SimpleNamespace(id="okinawa-1"))
    play._farewell(SimpleNamespace(session=session, outcome=outcome))
    assert terminal.getvalue().splitlines() == [
        "lost: G Machine Gun Nest took the last health",
        "  (objective 1, turns 1)",
        "The game move by move: companion log show",
        "  okinawa-1",
    ]


def test_a_terminal_that_lacks_characters_gets_a_question_mark(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONIOENCODING", "latin-1")
    run([*BY_ITSELF, "first", "--seed", "1"])
    for arguments in (["log", "report"], ["log", "export", "--as", "bgstats"]):
        done = companion(*arguments, encoding="latin-1")
        assert (done.returncode, done.stderr) == (0, "")
        assert "?" in done.stdout


def test_health_can_be_counted_in_a_terminal_without_hearts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONIOENCODING", "ascii")
    typed = "\n\nset health = 3\nboard\n"
    done = companion("play", "okinawa", "--dice", "software", text=typed, encoding="ascii")
    assert (done.returncode, done.stderr) == (0, "")
    assert "  Health ***.\n" in done.stdout


def test_what_programs_read_is_in_utf_8_whatever_the_terminal_shows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONIOENCODING", "latin-1")
    no_name = '{"override": {"path": "Zoë ♥", "value": 1}}\n'
    told = companion("play", "okinawa", "--front", "json", "--dice", "software", text=no_name).stdout
    assert json.loads(told.splitlines()[-1])["message"].startswith("Zoë ♥: there is no Zoë ♥")
    run(["log", "note", "Zoë ♥"])
    (tmp_path / "x.jsonl").write_text(companion("log", "export").stdout, encoding="utf-8")
    assert run(["log", "import", str(tmp_path / "x.jsonl"), "--data", str(tmp_path / "other")]) == 0
    assert "Zoë ♥" in companion("log", "export", "--data", str(tmp_path / "other")).stdout


TOLD_NOBODY = "companion: nothing can be told: standard output is closed\n"


@pytest.mark.parametrize("front", [["--front", "json"], ["--front", "terminal"], []])
def test_r8_without_any_input_a_game_is_saved_and_left(front: list[str]) -> None:
    play = [sys.executable, "-m", "companion", "play", "flag_war", "--dice", "software", *front]
    closed = subprocess.run(
        ["sh", "-c", 'exec "$@" <&-', "sh", *play],
        cwd=ROOT, capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert (closed.returncode, closed.stderr) == (0, "")
    assert companion("log", "list").stdout.count("unfinished") == 1


def test_without_standard_input_or_output_questions_end_and_are_no_fault_of_ours(
    refuses: Says, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", None)
    assert run(["dice", "read", "-"]) == 0
    assert ask("throw the dice") == STOP
    monkeypatch.setattr("sys.stdout", None)
    assert refuses("pack", "new", "okinawa.enemy.A") == TOLD_NOBODY


@pytest.mark.parametrize(
    "command",
    [
        "--help",
        "games okinawa",
        "rules okinawa 67",
        "pack list",
        "log list",
        "play okinawa --schema",
        "simulate flag_war --games 1",
    ],
)
def test_what_is_told_to_a_closed_standard_output_is_no_success(
    refuses: Says, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    monkeypatch.setattr("sys.stdout", None)
    assert refuses(*command.split()) == TOLD_NOBODY


def test_a_standard_output_that_can_only_be_read_is_as_good_as_closed(
    refuses: Says, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Path(os.devnull).open() as reading:
        monkeypatch.setattr("sys.stdout", reading)
        assert refuses("log", "list") == TOLD_NOBODY


def test_r8_without_standard_output_the_oled_is_played_and_where_to_go_on_is_told_beside_it(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.table.oled_play.check_oled", lambda **_: None)
    monkeypatch.setattr("companion.table.oled_play.play_on_oled", lambda *_, **__: None)
    monkeypatch.setattr("sys.stdout", None)
    assert run(["play", "flag_war", "--dice", "software", "--front", "oled"]) == 0
    assert capsys.readouterr().err.startswith("Saved. companion resume goes on with flag_war-")


@pytest.mark.parametrize(
    "front", [["--front", "json"], ["--front", "none", "--auto", "first"], ["--front", "terminal"], []]
)
@pytest.mark.parametrize("again", [False, True])
def test_a_game_that_nothing_can_be_told_of_is_refused_at_once(front: list[str], again: bool) -> None:
    if again:
        companion("play", "flag_war", "--dice", "software", "--front", "json", text="")
    command = ["resume"] if again else ["play", "flag_war", "--dice", "software"]
    line = [sys.executable, "-m", "companion", *command, *front]
    done = subprocess.run(
        ["sh", "-c", 'exec "$@" >&-', "sh", *line], cwd=ROOT, stderr=subprocess.PIPE, text=True, check=False
    )
    assert done.returncode == 2
    assert done.stderr.startswith("companion: nothing can be told: standard output is closed; ")
    assert companion("log", "list").stdout.count("unfinished") == again


@pytest.mark.parametrize(
    "arguments",
    [
        ["--help"],
        ["rules", "okinawa"],
        ["play", "okinawa", "--front", "json", "--dice", "software"],
        ["log", "report", "--pdf", "-"],
    ],
)
def test_r3_what_is_written_to_a_full_disk_ends_in_a_line(arguments: list[str]) -> None:
    pytest.importorskip("matplotlib.font_manager")  # which tells where its first look at the fonts takes long
    companion("play", "flag_war", "--dice", "software", "--front", "json", text="")
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "companion", *arguments],
            cwd=ROOT, stdin=subprocess.DEVNULL, stdout=full, stderr=subprocess.PIPE, text=True, check=False,
        )  # fmt: skip
    assert done.returncode == 2
    assert done.stderr == "companion: not all could be written: No space left on device\n"


@pytest.mark.parametrize("how", ["2>&-", "2</dev/null", "2>/dev/full"])
def test_without_standard_error_a_command_ends_as_it_does_with_it(how: str) -> None:
    line = [sys.executable, "-m", "companion", "simulate", "okinawa", "--games", "1", "--json"]
    for more, code in (([], 0), (["--policy", "nosuch"], 2)):
        done = subprocess.run(
            ["sh", "-c", f'exec "$@" {how}', "sh", *line, *more],
            cwd=ROOT,
            stdout=subprocess.PIPE,
            check=False,
        )
        assert done.returncode == code
        assert not done.stdout if code else json.loads(done.stdout)["games"] == 1


def test_the_commands_of_a_group_are_asked_for_in_vain_where_standard_error_is_full() -> None:
    with Path("/dev/full").open("w") as full:
        line = [sys.executable, "-m", "companion", "log"]
        assert subprocess.run(line, cwd=ROOT, stderr=full, check=False).returncode == 2


@pytest.mark.parametrize("arguments", [["--help"], ["rules", "okinawa"], ["doctor", "--need", "camera"]])
def test_whoever_reads_what_is_said_may_end_early(arguments: list[str]) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "w") as closed:
        done = subprocess.run(
            [sys.executable, "-m", "companion", *arguments],
            cwd=ROOT, stdout=closed, stderr=subprocess.PIPE, text=True, check=False,
        )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")


MEASURED = """
import sys
from companion.cli import run
code = run(sys.argv[1:])
print(*(line.split()[1] for line in open("/proc/self/status") if line.startswith("VmHWM")), file=sys.stderr)
sys.exit(code)
"""


@pytest.mark.parametrize(
    ("front", "refused"), [("json", '"type":"error"'), ("terminal", "! a line of more than")]
)
def test_r8_bytes_that_are_no_text_and_an_endless_line_are_refused(front: str, refused: str) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", MEASURED, "play", "flag_war", "--front", front, "--dice", "software"],
        cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONIOENCODING": "utf-8:strict"},
    ) as process:  # fmt: skip
        process.stdin.write(b"\xff\xc3\n")
        for _ in range(100):
            process.stdin.write(b"[" * (1 << 20))
        out, err = process.communicate(b"\n", timeout=60)
    assert process.returncode == 0, err
    assert refused in out.decode()
    assert int(err) < 100 << 10  # KiB


def test_simulate_counts_the_same_games_in_one_process_or_several() -> None:
    games = ("simulate", "okinawa", "--games", "6", "--seed", "5", "--policy", "cautious")
    one, two = (json.loads(companion(*games, "--jobs", jobs, "--json").stdout) for jobs in "12")
    assert one.pop("games_per_cpu_second") > 0
    assert two.pop("games_per_cpu_second") > 0
    assert json.dumps(one) == json.dumps(two)
    assert (one["games"], one["game"], one["policy"]) == (6, "okinawa", "cautious")
    assert sum(one["results"].values()) == sum(one["reasons"].values()) == 6
    assert one["won_percent"] == round(100 * one["results"].get("won", 0) / 6, 1)
    assert one["asks_longest"] > one["asks_mean"] > one["presses_mean"] > 0
    shown = companion(*games).stdout
    assert f"won: {one['won']}\n" in shown
    assert "results:\n" in shown


@pytest.mark.usefixtures("interruptible")
def test_a_second_ctrl_c_waits_until_a_simulations_processes_are_ended(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ended: list[bool] = []

    class Pool:
        def __init__(self, _: int) -> None:
            pass

        def map(self, *_: object) -> Iterator[object]:
            raise KeyboardInterrupt
            yield

        def shutdown(self, *, cancel_futures: bool) -> None:
            signal.raise_signal(signal.SIGINT)
            ended.append(cancel_futures)

    monkeypatch.setattr("concurrent.futures.ProcessPoolExecutor", Pool)
    assert run(["simulate", "okinawa", "--games", "4", "--jobs", "2"]) == 130
    assert ended == [True]


def test_a_simulation_of_games_among_people_has_no_share_of_wins() -> None:
    games = ("simulate", "flag_war", "--games", "2", "--set", "south=person", "--policy", "raider")
    report = json.loads(companion(*games, "--json").stdout)
    assert report["results"] == {"ended": 2}
    assert report["won_percent"] is None
    assert "won percent: -\n" in companion(*games).stdout


def test_a_simulation_tells_of_the_games_that_ended_and_which_did_not(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], says: Says
) -> None:
    games = ["simulate", "okinawa", "--games", "6", "--seed", "5", "--json"]
    lengths = json.loads(says(*games))
    monkeypatch.setitem(autoplay.steps.__kwdefaults__, "most", lengths["asks_longest"] - 1)
    assert run(games) == 1
    told = capsys.readouterr()
    assert (report := json.loads(told.out))["results"].pop("endless") == 1
    assert sum(report["results"].values()) == 5
    assert 0 < report["asks_mean"] < lengths["asks_mean"]
    assert re.search(r"companion: 1 game without an end: --seed \d+$", told.err.strip())
    monkeypatch.setitem(autoplay.steps.__kwdefaults__, "most", 1)
    assert run(games) == 1
    assert json.loads(capsys.readouterr().out)["asks_mean"] == 0


def test_advice_that_is_no_answer_is_a_fault_of_the_game_that_says_where(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("companion.games.flag_war.play.FlagWar.advise", lambda *_: "nowhere")
    for command in (
        ["simulate", "flag_war", "--games", "1", "--policy", "guard", "--seed", "3"],
        ["play", "flag_war", *BY_ITSELF[2:], "guard", "--seed", "3"],
    ):
        assert run(command) == 1
        said = "flag_war: policy guard fails at flag_war.opening.first: this only wants to be acknowledged"
        assert said in capsys.readouterr().err


def test_a_simulated_game_that_breaks_down_says_at_which_ask_and_with_which_seed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken(_table: object, seat: str) -> Script[None]:
        raise KeyError(seat)
        yield

    monkeypatch.setattr("companion.games.flag_war.script.turn", broken)
    assert run(["simulate", "flag_war", "--games", "3", "--seed", "7"]) == 1
    said = capsys.readouterr().err
    assert re.search(r"the game broke down after flag_war\.\S+: KeyError: '[NS]' \(--seed 7\)", said)


def test_a_policy_that_finds_no_end_is_stopped_and_what_it_played_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, refuses: Says
) -> None:
    monkeypatch.setattr(autoplay, "LONGEST", 50)
    assert "first has given 50 answers and the game goes on" in refuses(
        "play", "flag_war", *BY_ITSELF[2:], "first", "--seed", "3", "--data", str(tmp_path)
    )
    with Journal(tmp_path) as journal:
        assert len(journal.entries(journal.sessions()[0].id)) >= 50


HEAVY = {"cv2", "numpy", "starlette", "matplotlib", "PIL", "rich"}
DEVICES = {"gpiozero", "gpiod", "luma", "serial", "smbus2"}


@pytest.mark.parametrize(
    ("command", "more"),
    [
        ("--help", {"companion.engine"}),
        ("box --help", {"companion.engine"}),
        ("play okinawa --front none --auto random --dice software --seed 1", set()),
        ("games", set()),
    ],
)
def test_nothing_heavy_is_imported_for_help_or_a_game_with_software_dice(
    command: str, more: set[str]
) -> None:
    code = f"import sys; from companion.cli import run; run({command.split()!r})"
    code += "; print(*sys.modules, file=sys.stderr)"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert not (HEAVY | DEVICES | more) & set(done.stderr.split())


@pytest.mark.parametrize(
    ("work", "said"),
    [("time.sleep(1); print('closed')", "closed"), ("time.sleep(600)", "okinawa")],
    ids=["that ends", "that hangs"],
)
def test_the_end_waits_a_while_for_a_camera(work: str, said: str) -> None:
    code = (
        "import sys, threading, time\nfrom companion import cli\n"
        f"def work():\n    {work}\n"
        "threading.Thread(target=work, name='camera 0', daemon=True).start()\n"
        "sys.argv = ['companion', 'games']\ncli.main()\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True, timeout=60
    )
    assert said in done.stdout


def test_a_cameras_program_that_hangs_ends_before_the_end_waits_for_the_camera(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "open")
    code = (
        "from companion import cli\nfrom vision.cameras.csi import open_csi\n"
        "def play(_):\n"
        f"    hangs = 'exec 3>{tmp_path}/open; exec sleep 20'\n"
        "    open_csi(video=['sh', '-c', hangs], still=['false'])\n"
        f"    open('{tmp_path}/open').close()\n"
        "    return 0\n"
        "cli.run = play\ncli.main()\n"
    )
    held = os.open(tmp_path / "open", os.O_RDONLY | os.O_NONBLOCK)
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, check=True, timeout=60)
    assert select.select([held], [], [], 20)[0]  # nobody has it open any more
    os.close(held)


def test_a_camera_at_work_is_not_cut_off_by_pythons_own_end() -> None:
    gate = threading.Event()
    camera = threading.Thread(target=gate.wait, name="camera 0", daemon=True)
    camera.start()
    assert cameras_at_work(patience=0.01)
    gate.set()
    assert not cameras_at_work(patience=20)


def screen_of(terminal: int, until: str, seconds: float = 20) -> str:
    text = ""
    end = time.monotonic() + seconds
    while until not in text and time.monotonic() < end:
        if select.select([terminal], [], [], 0.2)[0]:
            text += os.read(terminal, 65536).decode(errors="replace")
    return text


@contextlib.contextmanager
def in_a_terminal(
    *arguments: str,
    command: Sequence[str] = OKINAWA,
    term: str = "xterm-256color",
    size: tuple[int, int] = (80, 24),
    ends: int | None = 0,
) -> Iterator[tuple[subprocess.Popen[bytes], int]]:
    """A command in a terminal of its own, and our side of that; it has to end, and with that code."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "companion", *command, *arguments],
        cwd=ROOT, stdin=theirs, stdout=theirs, stderr=theirs, process_group=0,
        env=os.environ | {"TERM": term, "COLUMNS": str(size[0]), "LINES": str(size[1])},
    )  # fmt: skip
    os.close(theirs)
    try:
        yield process, ours
        assert process.wait(timeout=20) == ends or ends is None
    finally:
        os.close(ours)


def test_a_terminal_that_is_said_to_have_no_size_is_drawn_on_as_one_that_says_none() -> None:
    with in_a_terminal(size=(0, 0)) as (_, ours):
        assert "Lay out" in screen_of(ours, "Lay out")
        os.write(ours, b"q")
        screen_of(ours, "Saved")


@pytest.mark.parametrize("name", ["TTY_COMPATIBLE", "TTY_INTERACTIVE"])
def test_whatever_the_environment_says_of_terminals_keys_never_count_on_a_screen_that_stays_blank(
    monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setenv(name, "0")
    with in_a_terminal() as (_, ours):
        assert "Lay out" in screen_of(ours, "Lay out")
        os.write(ours, b"q")
        screen_of(ours, "Saved")


@pytest.mark.parametrize("name", ["TTY_COMPATIBLE", "TTY_INTERACTIVE"])
def test_nor_does_a_live_picture_of_the_tray_stay_blank(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setenv(name, "0")
    cv2.imwrite(str(tmp_path / "tray.png"), np.full((60, 80, 3), 90, np.uint8))
    with in_a_terminal(command=["dice", "focus", "--camera", str(tmp_path)]) as (_, ours):
        assert "best sharpness" in screen_of(ours, "best sharpness")


@pytest.mark.parametrize(
    ("command", "until"),
    [
        (["dice", "focus"], "best sharpness"),
        (["play", "okinawa", "--auto", "random", "--dice", "camera"], "none of these dice"),
    ],
    ids=["focus", "play"],
)
def test_what_libjpeg_says_of_an_odd_picture_does_not_stand_on_the_screen(
    tmp_path: Path, command: list[str], until: str
) -> None:
    noise = np.random.default_rng(0).integers(0, 255, (240, 320, 3), dtype=np.uint8)
    jpeg = cv2.imencode(".jpg", noise)[1].tobytes()
    (tmp_path / "throw.jpg").write_bytes(jpeg[:-2] + bytes(11) + jpeg[-2:])
    with in_a_terminal(command=[*command, "--camera", str(tmp_path)], ends=None) as (process, ours):
        shown = screen_of(ours, until)
        process.terminate()
        with contextlib.suppress(OSError):  # of one that has ended
            shown += screen_of(ours, "Saved", seconds=5)
    assert until in shown
    assert "Corrupt JPEG" not in shown


def test_a_game_that_ended_says_how_and_where_its_log_is() -> None:
    with in_a_terminal("--auto", "cautious", "--seed", "3") as (_, ours):
        assert "Game won" in screen_of(ours, "Game won")
        os.write(ours, b"\r\r\r")  # the first ones turn to the text's end
        assert "won: Hill 89 is taken" in screen_of(ours, "log show okinawa-")


def test_r8_bytes_that_are_no_text_for_a_value_set_by_hand_set_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("PYTHONIOENCODING", "utf-8:strict")
    with in_a_terminal() as (_, ours):
        screen_of(ours, "Lay out")
        os.write(ours, b"=")
        screen_of(ours, "> ")
        os.write(ours, b"lap = \xff\n")
        assert "Lay out" in screen_of(ours, "Lay out")
        os.write(ours, b"q")
        assert "companion resume" in screen_of(ours, "companion resume")


def test_the_line_to_set_a_value_is_edited_with_arrows_emptied_with_escape_and_tells_what_is_where() -> None:
    pytest.importorskip("readline")
    with in_a_terminal() as (_, ours):
        screen_of(ours, "Lay out")
        os.write(ours, b"=")
        told = screen_of(ours, "> ")
        assert "health = 4" in told
        assert "spaces: 10 inside" in told
        os.write(ours, b"helth\n")
        assert "There is no helth in the state, only: setting_up" in screen_of(ours, "> ")
        os.write(ours, b"nonsense\x1b")
        time.sleep(1)  # a lone Escape is known by the silence after it
        os.write(ours, b"soldirs\x1b[D\x1b[De\n")
        assert "soldiers.red = 0" in screen_of(ours, "soldiers.red = 0")
        os.write(ours, b"health = 3\n")
        assert "set health" in screen_of(ours, "set health")
        os.write(ours, b"q")
        screen_of(ours, "companion resume")


@pytest.mark.usefixtures("interruptible")
def test_a_value_to_be_set_by_hand_may_be_left_out_refused_or_interrupted() -> None:
    with in_a_terminal(ends=130) as (process, ours):
        before = termios.tcgetattr(ours)
        screen_of(ours, "Lay out")
        for typed, notice in (
            (b"\x04", "software dice, saved"),
            (b" \n", "software dice, saved"),
            (b"lap =\n", "write it"),
        ):
            os.write(ours, b"=")
            screen_of(ours, "> ")
            os.write(ours, typed)
            assert notice in screen_of(ours, "q quit")
        os.write(ours, b"=")
        screen_of(ours, "> ")
        told = ""
        for _ in range(4):  # one that comes between the prompt and the wait for a line ends no wait
            process.send_signal(signal.SIGINT)
            if "companion resume" in (told := screen_of(ours, "companion resume", seconds=5)):
                break
        assert "companion resume" in told
        process.wait(timeout=20)
        assert termios.tcgetattr(ours) == before


@pytest.mark.parametrize("front", [[], ["--front", "oled", "--emulate"]])
def test_a_stopped_game_leaves_the_terminal_as_it_was(
    front: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("DISPLAY", raising=False)
    with in_a_terminal(*front) as (process, ours):
        before = termios.tcgetattr(ours)
        screen_of(ours, "Lay out" if not front else "\x1b[")
        while termios.tcgetattr(ours)[3] & termios.ECHO and process.poll() is None:
            time.sleep(0.01)
        process.terminate()
        left = screen_of(ours, "companion resume")
        process.wait(timeout=20)
        assert termios.tcgetattr(ours) == before
        assert front or "\x1b[?1049l" in left


@pytest.mark.parametrize("command", [("box",), (*OKINAWA, "--front", "oled")], ids=["box", "play"])
def test_the_small_screen_in_a_terminal_is_left_by_the_key_that_it_names(
    command: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = tmp_path / "config.toml"
    settings.write_text("[page]\nenabled = false\n")
    monkeypatch.setenv("COMPANION_CONFIG", str(settings))
    monkeypatch.delenv("DISPLAY", raising=False)
    with in_a_terminal("--emulate", command=command) as (_, ours):
        screen_of(ours, "q quit")
        os.write(ours, b"q")


def test_the_small_screen_is_painted_again_where_its_terminal_gets_another_size(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("DISPLAY", raising=False)
    with in_a_terminal("--front", "oled", "--emulate") as (process, ours):
        screen_of(ours, "q quit")
        screen_of(ours, "all of it", 1)
        process.send_signal(signal.SIGWINCH)
        assert "q quit" in screen_of(ours, "q quit")
        os.write(ours, b"q")


def test_full_screen_in_a_terminal_played_by_keys_and_left_in_order() -> None:
    with in_a_terminal() as (_, ours):
        assert "Lay out" in screen_of(ours, "Lay out")
        os.write(ours, b"?")
        assert "OKI-003" in screen_of(ours, "OKI-003")
        os.write(ours, b"q")
        assert "companion resume" in screen_of(ours, "companion resume")


@pytest.mark.parametrize(("term", "size"), [("dumb", (80, 24)), ("xterm", (20, 5)), ("xterm", (80, 10))])
def test_a_terminal_that_only_prints_lines_or_has_few_is_played_in_plain_lines(
    term: str, size: tuple[int, int]
) -> None:
    with in_a_terminal(term=term, size=size) as (_, ours):
        shown = screen_of(ours, "(Enter)")
        assert "Lay out" in shown
        assert "\x1b" not in shown
        os.write(ours, b"quit\n")
        assert "Saved." in screen_of(ours, "Saved.")


@pytest.mark.parametrize("end", ["\x1b[201~", ""], ids=["whole", "torn"])
def test_what_is_pasted_is_no_keys(end: str) -> None:
    with in_a_terminal() as (_, ours):
        assert "\x1b[?2004h" in screen_of(ours, "Lay out")
        os.write(ours, f"\x1b[200~q\r\r\rq{end}".encode())
        time.sleep(0 if end else 2)
        os.write(ours, b"?")
        assert "OKI-003" in screen_of(ours, "OKI-003")
        os.write(ours, b"q")
        assert "\x1b[?2004l" in screen_of(ours, "companion resume")


def is_stopped(pid: int | str, seconds: float = 20) -> bool:
    """Whether a process is stopped, as by Ctrl-Z, or is so soon."""
    end = time.monotonic() + seconds
    while not (stopped := ") T " in Path(f"/proc/{pid}/stat").read_text()) and time.monotonic() < end:
        time.sleep(0.01)
    return stopped


def test_ctrl_z_gives_the_terminal_back_until_the_game_goes_on() -> None:
    with in_a_terminal() as (process, ours):
        before = termios.tcgetattr(ours)
        assert "Lay out" in screen_of(ours, "Lay out")
        process.send_signal(signal.SIGTSTP)
        assert is_stopped(process.pid)
        assert "\x1b[?1049l" in screen_of(ours, "\x1b[?1049l")
        assert termios.tcgetattr(ours) == before
        process.send_signal(signal.SIGCONT)
        assert "Lay out" in screen_of(ours, "Lay out")
        os.write(ours, b"q")
        assert "companion resume" in screen_of(ours, "companion resume")


@pytest.fixture
def interruptible() -> Iterator[None]:
    """Programs that a test starts hear Ctrl-C; they inherit that nohup ignores it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("interruptible")
def test_an_interrupted_game_says_that_it_is_saved() -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "companion", "play", "okinawa", "--dice", "software", "--front", "json"],
        cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    ) as process:  # fmt: skip
        hello = json.loads(process.stdout.readline())
        process.stdout.readline()
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=30)
    assert (process.returncode, out) == (130, "")
    assert err.strip() == f"Saved. companion resume goes on with {hello['session']}."


@pytest.mark.usefixtures("interruptible")
@pytest.mark.parametrize("after", [0, 0.01, 2])
def test_ctrl_c_ends_a_simulation_in_several_processes(after: float) -> None:
    """Also as they begin."""
    with subprocess.Popen(
        [sys.executable, "-m", "companion", "simulate", "okinawa", "--games", "100000", "--jobs", "2"],
        cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, process_group=0,
    ) as process:  # fmt: skip
        children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
        while not children.read_text():
            time.sleep(0.001)
        time.sleep(after)
        os.killpg(process.pid, signal.SIGINT)
        try:
            out, err = process.communicate(timeout=30)
        finally:
            if process.returncode is None:
                os.killpg(process.pid, signal.SIGKILL)
    assert (process.returncode, out, err.strip()) == (130, "", "okinawa")


def test_as_many_processes_are_started_as_have_something_to_play(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    asked: list[int] = []

    class Pool(ThreadPoolExecutor):
        def __init__(self, processes: int, **_: object) -> None:
            asked.append(processes)
            super().__init__(processes)

    monkeypatch.setattr("concurrent.futures.ProcessPoolExecutor", Pool)
    assert run(["simulate", "okinawa", "--games", "2", "--jobs", "64"]) == 0
    assert asked == [2]
    assert "games: 2\n" in capsys.readouterr().out


def test_an_entry_that_was_put_right_elsewhere_is_not_offered_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def entered(line: str) -> str:
        monkeypatch.setattr("sys.stdin", io.StringIO(line * 60 + "\n"))
        run(["pack", "edit", "okinawa.enemy.A", "--data", str(tmp_path)])
        return capsys.readouterr().out

    monkeypatch.setattr("sys.stdin", io.StringIO())
    assert run(["pack", "edit", "okinawa.enemy.A", "--data", str(tmp_path)]) == 0
    assert capsys.readouterr().out.endswith("\nThe pack is as it was.\n"), "and nothing is kept"
    entered("1\n")
    pack = tmp_path / "packs" / "okinawa" / "owner" / "pack.toml"
    assert "health = 1" in pack.read_text()
    assert "as before" in entered("\n")
    pack.write_text(pack.read_text().replace("health = 1", "health = 3"))
    said = entered("\n")
    assert said.startswith("What you answered before is not offered: the questions go by what the pack")
    assert "as before" not in said
    assert "health = 3" in pack.read_text()


def test_a_name_that_the_rules_have_not_is_refused_without_a_file_that_is_not_there(
    tmp_path: Path, refuses: Says
) -> None:
    told = refuses("pack", "new", "okinawa.resupply.hammer", "--data", tmp_path)
    assert told.startswith(
        "companion: resupply.hammer: no such record: 'hammer' does not fit, only: upgrade,"
    )
    assert "mend it there" not in told


@pytest.mark.parametrize(
    ("command", "record", "is_told"),
    [
        ("edit", "okinawa.enemy.Kawanshi", True),
        ("new", "okinawa.enemy.Kawanshi", False),
        ("edit", "okinawa.enemy.kawanashi", False),
        ("edit", "dday_dice.omaha", False),
        ("edit", "dday_dice.item.Boat", True),
        ("edit", "undaunted.section.la-raye", False),
        ("edit", "space_infantry.skill.Zero-G", False),
        ("edit", "flag_war.piece.p", True),
        ("edit --fields", "okinawa.enemy.a", True),
        ("edit --fields", "okinawa.enemy.A", False),
    ],
)
def test_a_record_that_is_not_there_yet_is_edited_as_a_new_one_and_that_is_said(
    tmp_path: Path, says: Says, command: str, record: str, is_told: bool
) -> None:
    game, _, thing = record.partition(".")
    told = f"{game} has no {thing} yet: this enters a new one.\n"
    assert says("pack", *command.split(), record, "--data", tmp_path).startswith(told) == is_told


def test_what_is_wrong_since_a_card_was_entered_is_said_at_once_and_of_that_card_each_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, says: Says
) -> None:
    def told(*answers: str) -> list[str]:
        monkeypatch.setattr("sys.stdin", io.StringIO("\n".join(answers)))
        said = says("pack", "edit", "okinawa.enemy.H", "--data", str(tmp_path)).splitlines()
        return [line.partition(" now says: ")[2] for line in said if " now says: " in line]

    one_too_many = "enemy: 17 Known Enemies, not 16 [OKI-F13]"
    at_reveal = ("damage", "1", "pawn", "reveal", "no more")
    contradiction = (
        "enemy.H.effects: damage is part of the card's attack, so its when is act, not reveal [OKI-213]"
    )
    card = ("Tank", "armor", "3", "1", "1", "up", "0")
    assert told(*card, *at_reveal, "no", "no", "3", "\n") == [one_too_many, contradiction]
    assert told(*card, *at_reveal, "no", "no", "3", "\n") == [contradiction]
    assert told(*card, "no more", "no", "no", "2", "\n") == []


def test_an_entry_that_asks_by_what_is_known_is_not_said_to_be_changed_elsewhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def entered(command: str, lines: str) -> str:
        monkeypatch.setattr("sys.stdin", io.StringIO(lines))
        run(["pack", command, "undaunted.my-card", "--data", str(tmp_path)])
        return capsys.readouterr().out

    control = "new no control no no no no no 0 no  done save"
    entered("new", f"card rifleman   no {control}".replace(" ", "\n"))
    said = entered("edit", "")
    assert said.startswith("What you answered before is not offered: the questions go by what the pack")


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT])
def test_told_to_stop_while_a_value_is_typed_a_game_gives_the_terminal_back_as_it_was(
    number: signal.Signals,
) -> None:
    usual = signal.signal(number, lambda *_: None)  # nohup has hang-ups ignored, also in what it runs
    with in_a_terminal() as (process, ours):
        signal.signal(number, usual)
        before = termios.tcgetattr(ours)
        screen_of(ours, "Lay out")
        os.write(ours, b"=")
        assert "\n> " in screen_of(ours, "\n> ")
        assert termios.tcgetattr(ours) != before  # the line's editor has it
        told = ""
        for _ in range(6):  # one that comes between the prompt and the wait for a line ends no wait
            process.send_signal(number)
            told += screen_of(ours, "Saved", seconds=3)
            if "Saved" in told:
                break
        assert "Saved" in told
        process.wait(timeout=20)
        assert termios.tcgetattr(ours) == before


def test_told_to_stop_twice_at_once_while_a_value_is_typed_a_game_stops_in_order() -> None:
    with in_a_terminal() as (process, ours):
        before = termios.tcgetattr(ours)
        screen_of(ours, "Lay out")
        os.write(ours, b"=")
        screen_of(ours, "\n> ")
        time.sleep(0.5)  # until it waits for a line
        for number in (signal.SIGSTOP, signal.SIGTERM, signal.SIGQUIT, signal.SIGCONT):
            process.send_signal(number)
        told = screen_of(ours, "Saved")
        assert "fault" not in told
        process.wait(timeout=20)
        assert termios.tcgetattr(ours) == before


def child_of(pid: int | str) -> str:
    return Path(f"/proc/{pid}/task/{pid}/children").read_text().split()[0]


def test_ctrl_z_in_a_game_that_a_script_began_gives_the_terminal_back_too(tmp_path: Path) -> None:
    script = tmp_path / "play.sh"
    script.write_text(f"cd {ROOT}\n{sys.executable} -m companion play okinawa --dice software\n")
    shell, ours = pty.fork()
    if not shell:
        os.execvpe("sh", ["sh", "-i"], os.environ | {"TERM": "xterm-256color", "PS1": "$ ", "ENV": ""})
    screen_of(ours, "$ ")
    os.write(ours, f"sh {script}\n".encode())
    assert "Lay out" in screen_of(ours, "Lay out")
    os.write(ours, b"\x1a")
    assert "\x1b[?1049l" in screen_of(ours, "\x1b[?1049l")
    assert is_stopped(child_of(child_of(shell)))  # else it would stop after fg
    os.write(ours, b"fg\n")
    assert "Lay out" in screen_of(ours, "Lay out")
    os.write(ours, b"q")
    assert "companion resume" in screen_of(ours, "companion resume")
    os.write(ours, b"exit\n")
    os.waitpid(shell, 0)
    os.close(ours)


def test_stand_in_figures_are_said_to_be_in_the_stand_ins_file(says: Says) -> None:
    said = [line for line in says("pack", "check", "dday_dice").splitlines() if "stand-in figures" in line]
    file = load("dday_dice").folder / "packs/stand-in/pack.toml"
    assert len(said) == 7  # a board each
    assert said[0].partition("sector.")[2].startswith("omaha.1, omaha.2, omaha.3, ")
    assert [line for line in said if not line.startswith(f"dday_dice: {file}: sector.")] == []


def test_what_contradicts_the_rest_is_said_to_be_in_the_file_that_says_it(tmp_path: Path, says: Says) -> None:
    """Of the same Sectors the stand-in's file says the figures."""
    mine = tmp_path / "mine.toml"
    mine.write_text(
        '[pack]\ngame = "dday_dice"\nname = "mine"\nsource = "owner"\n'
        '[sector."omaha.1"]\nspecialist = "Nobody"\n'
        '[sector."omaha.2"]\nlinks = [{ to = "99" }]\n'
    )
    said = says("pack", "check", "dday_dice", "--pack", str(mine))
    assert f"dday_dice: {mine}: sector.omaha.1: no Specialist card Nobody" in said
    assert f"dday_dice: {mine}: sector.omaha.2: no Sector 99 on this board" in said
    assert f"{mine}: sector.omaha.1: stand-in figures" not in said


def test_packs_are_listed_and_checked_with_their_files_one_game_alone_or_all(
    says: Says,
) -> None:
    rulebook = load("undaunted").folder / "packs/rulebook/pack.toml"
    said = [line for line in says("pack", "check", "undaunted").splitlines() if not line.startswith("  ")]
    *problems, counts = said
    assert any(line.startswith(f"undaunted: {rulebook}: scenario.") for line in problems)
    found = re.fullmatch(r"undaunted: (\d+) problems; stand-ins of our own: (\d+)", counts)
    assert int(found[1]) == sum(line.partition(": its ")[0].count(", ") + 1 for line in problems)
    assert [line.count("hill-314") for line in problems if "its map: " in line] == [1]
    game = load("undaunted")
    assert int(found[2]) == sum(
        record["source"] == "stand-in"
        for table in merged_packs(game, None).tables.values()
        for record in table.values()
    )
    one = says("pack", "list", "undaunted")
    assert f"{rulebook}\n" in one
    assert "okinawa" not in one
    assert one in says("pack", "list")


def test_checking_packs_counts_as_many_stand_ins_as_the_games_are_listed_with(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run(["pack", "check"]) == run(["games"]) == 0
    said = capsys.readouterr().out
    checked = re.findall(r"stand-ins of our own: (\d+)", said)
    assert checked == re.findall(r"(\d+) of them stand-ins of our own", said)
    assert len(checked) == len(names())


def test_stand_ins_that_are_no_problem_are_named_below_their_count(tmp_path: Path, says: Says) -> None:
    def named() -> list[str]:
        return says("pack", "check", "okinawa", "--data", str(tmp_path)).splitlines()

    assert any(
        line.startswith("  companion pack new okinawa.enemy.NAME: A, B, kawanashi, D, ") for line in named()
    )
    kept = {
        "name": "Infantry",
        "type": "soldier",
        "health": 3,
        "fog": 1,
        "damage": 1,
        "letter": "A",
        "copies": 2,
    }
    card = kept | {"dice": 0, "arrows": [], "effects": [], "plane": False, "shields_soldiers": False}
    owner_pack.add_owned(tmp_path / "packs" / "okinawa", "okinawa", {"enemy": {"A": card}})
    assert any(
        line.startswith("  companion pack new okinawa.enemy.NAME: B, kawanashi, D, ") for line in named()
    )
    below = [line for line in says("pack", "check", "dday_dice").splitlines() if line.startswith("  ")]
    assert not any("omaha.1" in line for line in below), "each is a problem of its own"
    assert any(line.startswith("  companion pack new dday_dice.NAME: omaha, utah, ") for line in below)


def test_what_the_owner_has_to_enter_is_said_with_what_to_type(says: Says) -> None:
    below = [line for line in says("pack", "check", "undaunted").splitlines() if line.startswith("  ")]
    assert any(line.startswith("  companion pack new undaunted.solo.NAME: ") for line in below)
    assert "mortain" in " ".join(below)
    assert says("pack", "check", "space_infantry").endswith("\n  companion pack new space_infantry.cup\n")


@pytest.mark.parametrize(
    ("record", "said"),
    [
        ("okinawa.enemy.A", ["Rifle Squad [stand-in]", "  health: 2"]),
        ("okinawa.A", ["Rifle Squad [stand-in]", "  health: 2"]),
        ("flag_war.piece.M", ["medium artillery [rulebook]", "  count: 2"]),
        ("space_infantry.mission.relay", []),
        ("undaunted.unit.rifleman", ["Rifleman [rulebook]", "  actions: move 1, attack 1, control"]),
        ("undaunted.rifleman", ["1. CONTROL"]),
        ("dday_dice.bazooka", ["Bazooka: 15 Item Points [rulebook]"]),
    ],
)
def test_any_record_of_a_pack_is_shown_in_the_games_own_way_or_field_by_field(
    tmp_path: Path, says: Says, record: str, said: list[str]
) -> None:
    shown = says("pack", "show", record, "--data", str(tmp_path)).splitlines()
    assert len(shown) > 1
    assert set(said) <= set(shown)
