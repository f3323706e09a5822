"""Standard input, output and error: closed, full, of bytes that are no text, read by programs."""

import io
import json
import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from companion.cli import play, run
from companion.cli.dice_teach import STOP, ask
from companion.engine.game import Outcome, Result
from tests.cli.conftest import Says
from tests.cli.program import BY_ITSELF, ROOT, companion

pytestmark = pytest.mark.usefixtures("own_data")


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
