"""`companion simulate`."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from companion.cli import run
from companion.engine import Journal, autoplay
from companion.engine.asks import Script
from tests.cli.conftest import Says
from tests.cli.program import BY_ITSELF, ROOT, companion

pytestmark = pytest.mark.usefixtures("own_data")


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
