"""The command line: exit codes, errors of one line, and what it does not import."""

import errno
import importlib.util
import io
import json
import marshal
import os
import re
import select
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
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
from companion.cli import cameras_at_work, group, run
from companion.cli.common import merged_packs, owner_packs
from companion.engine import BadInput, Journal, JournalError, PackError, Session, Wish, packs
from companion.games import load, names
from tests.cli.conftest import Says
from tests.cli.program import BY_ITSELF, OKINAWA, ROOT
from vision import DiceSetError, sets

pytestmark = pytest.mark.usefixtures("own_data")


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
