"""Games that other distributions bring: they are found, played and written down like ours."""

import re
import sys
from pathlib import Path

import pytest

from companion import games
from companion.games import load, meant, names
from tests.cli.conftest import Says
from tests.longrun.random_games import play_checked, ready

PAGE = Path(games.__file__).with_name("README.md").read_text(encoding="utf-8")
HILL, PACK, LEDGER = re.findall(r"^```(?:python|toml)\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)
"""The game that the page on a new one shows."""
AUTO = ("--auto", "cautious", "--front", "none", "--dice", "software", "--seed", "1")


@pytest.fixture
def hill(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A game's module in a distribution of its own."""
    site = tmp_path / "site"
    info, pack = site / "hill-1.0.dist-info", site / "hill_game" / "packs" / "stand-in"
    info.mkdir(parents=True)
    pack.mkdir(parents=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: hill\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(f"[{games.GROUP}]\nhill = hill_game:GAME\n")
    (pack / "pack.toml").write_text(PACK)
    (site / "hill_game" / "ledger.toml").write_text(LEDGER)
    module = site / "hill_game" / "__init__.py"
    module.write_text(HILL)
    monkeypatch.syspath_prepend(site)
    monkeypatch.delitem(sys.modules, "hill_game", raising=False)
    return module


@pytest.mark.usefixtures("hill")
def test_a_game_of_another_distribution_is_played_and_read_like_ours(says: Says, tmp_path: Path) -> None:
    data = ("--data", str(tmp_path / "data"))
    assert names()[-1] == "hill"
    assert "\nhill            Hill\n                2 records, 2 of them stand-ins" in says("games")
    assert says("play", "hill", *AUTO, *data) == "lost: night falls (height 1, turns 3)\n"
    assert "# Hill\n\n1 session, 1 of them finished; won 0 of 1." in says("log", "stats", "hill", *data)
    assert "It took 3 turns and " in says("log", "report", *data)
    assert says("pack", "check", "hill", *data).startswith("hill: 0 problems")
    assert says("rules", "hill", "2").startswith("HIL-002  Turn\n")
    assert "won: 0\n" in says("simulate", "hill", "--games", "5", "--policy", "cautious", *data)
    play_checked(load("hill"), ready(load("hill")), 1)


@pytest.mark.usefixtures("hill")
@pytest.mark.parametrize(
    ("typed", "name"),
    [
        ("okinawa", "okinawa"),
        ("Okinawa", "okinawa"),
        ("d-day", "dday_dice"),
        ("dday", "dday_dice"),
        ("D-Day Dice", "dday_dice"),
        ("spaceinf", "space_infantry"),
        ("Flag", "flag_war"),
        ("HI", "hill"),
        ("chess", "chess"),
        ("-", "-"),
        ("", ""),
    ],
)
def test_a_game_is_meant_by_its_beginning_and_however_it_is_written(typed: str, name: str) -> None:
    assert meant(typed) == name


def test_a_beginning_of_several_games_means_none_but_a_whole_name_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(games, "_others", lambda _: ["hill", "hill_2", "Hill3"])
    assert [meant(typed) for typed in ("hi", "HILL", "hill2", "Hill3")] == ["hi", "hill", "hill_2", "Hill3"]


def test_wherever_a_game_is_typed_its_beginning_will_do(says: Says, tmp_path: Path) -> None:
    data = ("--data", str(tmp_path / "data"))
    assert says("play", "Flag", *AUTO, *data).startswith(("won", "lost", "ended"))
    assert "flag_war" in says("log", "list", "FLAG", *data)
    assert says("log", "stats", "flag-war", *data) == says("log", "stats", "flag_war", *data)
    assert says("games", "d-day").startswith("dday_dice ")
    assert says("rules", "Okinawa", "67").startswith("OKI-067 ")
    assert says("pack", "check", "flag", *data).startswith("flag_war: ")
    assert says("pack", "show", "Oki.enemy.A", *data) == says("pack", "show", "okinawa.enemy.A", *data)
    assert "won: " in says("simulate", "flag", "--games", "1", *data)


@pytest.mark.parametrize(
    ("module", "why"),
    [
        (None, r"the game hill can't be loaded from hill_game:GAME: \w+: .*hill_game"),
        (
            "import nowhere",
            r"the game hill can't be loaded from hill_game:GAME: ModuleNotFoundError: .*nowhere",
        ),
        (
            "GAME = 1 / 0",
            "the game hill can't be loaded from hill_game:GAME: ZeroDivisionError: division by zero",
        ),
        ("GAME = 9", r"the game hill has to be a Game\(name='hill'\), it is 'int'"),
        (
            HILL.replace('name="hill"', 'name="mound"'),
            r"the game hill has to be a Game\(name='hill'\), it is 'mound'",
        ),
    ],
)
def test_one_that_can_not_be_loaded_hides_no_other(
    module: str | None, why: str, hill: Path, says: Says, refuses: Says, tmp_path: Path
) -> None:
    data = ("--data", str(tmp_path / "data"))
    says("play", "hill", *AUTO, *data)
    del sys.modules["hill_game"]
    if module is None:
        hill.unlink()
    else:
        hill.write_text(module)
    for cache in hill.parent.glob("__pycache__/*"):
        cache.unlink()

    assert "hill" not in names()
    told = says("games")
    assert "\nundaunted " in told
    assert re.search(rf"\nhill\n +can't be played: {why}", told)
    assert re.match(f"companion: {why}", refuses("play", "hill", *AUTO, *data))
    assert "lost" in says("log", "show", *data)


def test_a_game_goes_by_the_name_of_its_folder() -> None:
    assert [load(name).name for name in names()] == names()


def test_a_ledger_that_is_not_there_is_told_once(hill: Path, refuses: Says) -> None:
    ledger = hill.with_name("ledger.toml")
    ledger.unlink()
    mend = "the rules can't be cited: install what the game came with again"
    assert refuses("rules", "hill") == f"companion: {ledger}: No such file or directory; {mend}\n"
