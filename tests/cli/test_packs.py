"""`companion pack`: what is entered, forgotten, listed, checked and shown."""

import errno
import io
import os
import re
from pathlib import Path

import pytest

from companion.cli import run
from companion.cli.common import merged_packs
from companion.engine import owner_pack, packs
from companion.engine.card_words import in_words
from companion.games import load, names
from tests.cli.conftest import Says
from tests.cli.program import companion

pytestmark = pytest.mark.usefixtures("own_data")


FOR_CHESS = '[pack]\ngame = "chess"\nname = "x"\nsource = "owner"\n'


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


def test_what_a_check_tells_to_enter_is_a_record_of_a_table(says: Says) -> None:
    told = re.findall(
        r"^  companion pack new undaunted\.(.*)\.NAME", says("pack", "check", "undaunted"), re.MULTILINE
    )
    assert not [table for table in told if "." in table]


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
