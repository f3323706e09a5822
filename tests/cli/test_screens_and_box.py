"""The box's commands: pictures of every prompt, one-line answers where a device is missing."""

from __future__ import annotations

import signal
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, Any, Self

import pytest

from companion.cli import run
from companion.cli.screens import MOST_PAGES, pages
from companion.engine.asks import AnyAsk, Dice, Draw, Option, Roll
from companion.screens.intents import Quit
from companion.screens.screen import Style
from companion.table.box import POWEROFF
from companion.table.discover import Present
from companion.table.events import Closed, Events, Tick
from companion.table.starts import FAILURES, StartRecord
from tests.cli.conftest import Says

if TYPE_CHECKING:
    from pathlib import Path


def test_every_prompt_of_a_game_becomes_a_picture(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Image = pytest.importorskip("PIL.Image")  # noqa: N806  # a module
    out = tmp_path / "game" / "pictures"
    assert run(["screens", "okinawa", "--out", str(out), "--policy", "first", "--scale", "2"]) == 0
    pictures = sorted(out.glob("*.png"))
    assert pictures[0].name == "0001-okinawa.setup.table-01.png"
    with Image.open(pictures[0]) as picture:
        assert picture.size == (256, 128)
    assert f"{len(pictures)} pictures" in capsys.readouterr().out
    assert not list(out.glob(f"*-{MOST_PAGES}.png")), "each prompt ends where it begins again"


@pytest.mark.parametrize(
    ("ask", "last"),
    [
        (Roll("t.roll", "word " * 30, dice=(Dice("d6", 2, ("1", "2")),)), "1/2 d6: 1"),
        (Roll("t.roll", "short", dice=(Dice("d6", 2, ("1", "2")),)), "1/2 d6: 1"),
        (
            Draw("t.draw", "which?", deck="d", options=tuple(Option(str(n), f"card {n}") for n in range(9))),
            " card 8",
        ),
        (
            Draw("t.draw", "which?", deck="d", options=(Option("a", "card a"), Option("b", "card b"))),
            " card a",
        ),
    ],
)
def test_what_is_rolled_or_drawn_is_pictured_to_the_end_of_its_question(ask: AnyAsk, last: str) -> None:
    screens = list(pages(ask, "title"))
    assert not screens[-1].below
    assert [row.text.rstrip() for row in screens[-1].rows if row.style is Style.BAR] == [last]


@pytest.mark.parametrize(
    ("command", "said"),
    [(["screens", "okinawa", "--out"], "no folder can be"), (["box", "--data"], "sessions can't be kept")],
)
@pytest.mark.parametrize("place", ["file", "file/folder"])
def test_a_file_where_a_folder_is_wanted_is_named(
    tmp_path: Path, command: list[str], said: str, place: str, refuses: Says
) -> None:
    (tmp_path / "file").touch()
    assert f"{tmp_path / place}: {said} there: " in refuses(*command, str(tmp_path / place))


def test_what_can_not_be_played_leaves_no_folder_for_its_pictures(tmp_path: Path, refuses: Says) -> None:
    assert "no policy 'nix'" in refuses("screens", "okinawa", "--policy", "nix", "--out", tmp_path / "new")
    assert not (tmp_path / "new").exists()


def test_a_picture_that_can_not_be_written_is_named(tmp_path: Path, refuses: Says) -> None:
    taken = tmp_path / "0001-okinawa.setup.table-02.png"
    taken.mkdir()
    said = refuses("screens", "okinawa", "--out", tmp_path)
    assert said == f"companion: {taken}: not written: Is a directory\n"


def test_a_demanded_oled_that_is_missing_is_one_line_and_exit_code_three(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = tmp_path / "config.toml"
    settings.write_text("[display]\nenabled = false\n")
    monkeypatch.setenv("COMPANION_CONFIG", str(settings))
    assert run(["play", "flag_war", "--front", "oled", "--dice", "software", "--data", str(tmp_path)]) == 3
    assert capsys.readouterr().err == (
        "companion: --front oled: switched off in the settings; --emulate shows it on this screen\n"
    )


class AnyDevices:
    """Stands in for the devices of a box: what is shown on its screen, and who watches over them."""

    def __init__(self, *_: object) -> None:
        self.shown: list[str] = []
        self.watchdog: object = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def splash(self, headline: str, _lines: object) -> None:
        self.shown.append(headline)

    def watched_by(self, watchdog: object) -> None:
        self.watchdog = watchdog


BoxRun = Callable[..., AnyDevices]


@pytest.fixture
def box(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> BoxRun:
    """Run the command until the box is `done`, with these `keys` and `options`; its devices."""
    settings = tmp_path / "config.toml"
    monkeypatch.setenv("COMPANION_CONFIG", str(settings))
    monkeypatch.setenv("RUNTIME_DIRECTORY", str(tmp_path))

    def run_box(
        done: Quit | Callable[[Events], Closed],
        *options: str,
        page: bool = False,
        keys: bool = False,
        emulated: Callable[[Events], AbstractContextManager[None]] = nullcontext,
    ) -> AnyDevices:
        devices = AnyDevices()

        class AnyBox:
            def __init__(self, *given: Any) -> None:
                _, _, _, self.events, (watchdog, *_), _ = given
                assert devices.watchdog is watchdog

            def run(self) -> Quit | Closed:
                return done if isinstance(done, Quit) else done(self.events)

        settings.write_text(f"[page]\nenabled = {str(page).lower()}\n")
        monkeypatch.setattr("companion.table.discover.discover", lambda _: Present(buttons=keys))
        monkeypatch.setattr("companion.table.devices.Devices", lambda *_: devices)
        monkeypatch.setattr("companion.table.emulator.emulated", emulated)
        monkeypatch.setattr("companion.table.box.Box", AnyBox)
        assert run(["box", "--data", str(tmp_path / "data"), *options]) == 0
        return devices

    return run_box


def test_a_box_that_is_shut_down_says_good_night_and_asks_for_the_power_to_be_cut(
    box: BoxRun, tmp_path: Path
) -> None:
    assert box(Quit(power_off=True)).shown == ["COMPANION", "GOOD NIGHT"]
    assert (tmp_path / POWEROFF).exists()


def test_a_box_at_which_nobody_plays_turns_all_the_same(box: BoxRun, monkeypatch: pytest.MonkeyPatch) -> None:
    def turned(events: Events) -> Closed:
        assert events.get(timeout=5) == Tick()
        return Closed()

    monkeypatch.setattr("companion.table.watchdog.EVERY", 0.01)
    box(turned)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_a_box_that_is_stopped_leaves_the_power_on(
    box: BoxRun, tmp_path: Path, number: signal.Signals
) -> None:
    """So it is by the end of the network over which somebody began it."""

    def stopped(events: Events) -> Closed:
        signal.raise_signal(number)
        while not isinstance(event := events.get(timeout=5), Closed):
            pass
        return event

    usual = signal.signal(number, lambda *_: None)  # nohup has hang-ups ignored, also in what it runs
    try:
        assert box(stopped).shown == ["COMPANION"]
    finally:
        signal.signal(number, usual)
    assert not (tmp_path / POWEROFF).exists()


def test_a_box_that_is_stopped_in_its_first_seconds_counts_as_well_started(
    box: BoxRun, tmp_path: Path
) -> None:
    for _ in range(FAILURES):
        box(lambda _: Closed())
    assert not StartRecord(tmp_path, tmp_path / "data").safe


@pytest.mark.parametrize("options", [(), ("--emulate",)])
def test_r16_why_a_box_comes_up_safe_stands_in_the_terminal_where_no_picture_covers_it(
    box: BoxRun,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    options: tuple[str, ...],
) -> None:
    for _ in range(FAILURES):
        record = StartRecord(tmp_path)
        record.begin()
        record.failed("the pad burns")
    events = iter((Tick(), Closed()))
    monkeypatch.setattr("companion.table.events.next_of", lambda _: next(events))
    emulations = list[Events]()
    shown = box(
        lambda _: Closed(), *options, emulated=lambda events: nullcontext(emulations.append(events))
    ).shown
    assert shown == ["COMPANION", "SAFE MODE", "SAFE MODE"]
    assert "safe mode, devices off: the pad burns; stop it and start it again" in capsys.readouterr().err
    assert not emulations


@pytest.mark.parametrize(
    ("page", "keys", "options", "said"),
    [
        (True, False, (), "No keys here: begin and play on the page, by phone;"),
        (False, False, (), "No keys here and the page is off"),
        (False, True, (), ""),
        (False, False, ("--emulate",), ""),
    ],
)
def test_who_has_nothing_to_press_is_told_what_to_do(
    box: BoxRun,
    capsys: pytest.CaptureFixture[str],
    page: bool,
    keys: bool,
    options: tuple[str, ...],
    said: str,
) -> None:
    box(Quit(power_off=True), *options, page=page, keys=keys)
    told = capsys.readouterr().err
    assert told.startswith(said)
    assert bool(told) is bool(said)
