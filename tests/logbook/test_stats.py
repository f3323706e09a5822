"""Statistics over all sessions of a game, golden."""

from pathlib import Path

import msgspec
import pytest

from companion.cli import run
from companion.engine import Evidence, Journal, Session, Wish, packs
from companion.engine.beginning import _unpacked
from companion.engine.records import RolledDie
from companion.games import load
from companion.logbook import html, markdown
from companion.logbook.report import report
from companion.logbook.stats import Reader, Way, stats
from tests.engine.toy import PACKS
from tests.logbook.conftest import TOY, play_small

GOLDEN = Path(__file__).parent / "golden"


@pytest.fixture
def some(journal: Journal) -> Journal:
    for seed in range(3):
        play_small(journal, seed=seed, top="20" if seed else "60")
    return journal


def test_the_statistics_in_markdown(some: Journal) -> None:
    assert markdown.of_stats(stats(some, TOY)) == (GOLDEN / "stats.md").read_text()


def test_packs_that_many_sessions_were_played_with_are_built_once(
    some: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Half of the time of these statistics it was, session by session and twice."""
    built: list[str] = []

    def noting(merged: packs.Merged, pack_type: type[msgspec.Struct]) -> msgspec.Struct:
        built.append(merged.game)
        return packs.build(merged, pack_type)

    monkeypatch.setattr("companion.engine.beginning.build", noting)
    _unpacked.cache_clear()
    assert stats(some, TOY).sessions == 3
    assert built == ["toy"]


def test_the_reader_is_judged_by_what_it_asked_and_what_people_said(some: Journal) -> None:
    reader = stats(some, TOY).reader
    assert (reader.read, reader.asked, reader.corrected, reader.sure) == (6, 3, 3, 3)
    assert str(reader).startswith("Of 6 dice read, it was sure of 3, ")
    assert str(Reader(1, 0, 0)).startswith("Of 1 die read, it was sure of 1, ")


def test_the_reader_is_judged_by_games_that_are_not_over_too(journal: Journal) -> None:
    with Session.create(journal, TOY, PACKS, Wish(seed=7, dice="manual")) as session:
        session.answer(session.n, "dice")
        read = RolledDie("d6", "6", "camera", 0.9), RolledDie("d6", "1", "camera", 0.9)
        session.answer(session.n, ["6", "1"], "camera", Evidence(read, ()))
    assert stats(journal, TOY).reader.sure == 2


def test_each_source_of_dice_is_judged_by_itself(some: Journal) -> None:
    assert {die.row.source for die in stats(some, TOY).dice} == {"player", "camera"}


def test_dice_that_are_taken_as_they_lay_before_an_undo_fell_once(journal: Journal) -> None:
    with Session.create(journal, TOY, PACKS, Wish(seed=7, dice="manual")) as session:
        for _ in range(3):
            session.answer(session.n, "dice")
            session.answer(session.n, ["6", "1"])
            session.undo()
        assert report(journal, TOY, session.meta).dice == ()
    (die,) = stats(journal, TOY).dice
    assert (die.row.total, die.row.faces["6"], die.row.faces["1"]) == (2, 1, 1)


def test_dice_that_a_person_takes_as_they_lay_before_an_undo_stay_the_cameras(journal: Journal) -> None:
    read = RolledDie("d6", "6", "camera", 0.9), RolledDie("d6", "1", "camera", 0.9)
    with Session.create(journal, TOY, PACKS, Wish(seed=7, dice="manual")) as session:
        session.answer(session.n, "dice")
        session.answer(session.n, ["6", "1"], "camera", Evidence(read, ()))
        session.undo()
        session.answer(session.n, "dice")
        session.answer(session.n, ["6", "1"])
    found = stats(journal, TOY)
    assert found.reader.read == 2
    assert [(die.row.source, die.row.total) for die in found.dice] == [("camera", 2)]


@pytest.mark.parametrize("said", [(0, 1), (0, 0, 1, 1)])
def test_dice_that_are_put_right_after_an_undo_fell_once_as_they_were_said_last(
    said: tuple[int, ...], journal: Journal
) -> None:
    """Also where they were misread: of two dice that were read one was wrong, not one of four."""
    with Session.create(journal, TOY, PACKS, Wish(seed=7, dice="manual")) as session:
        session.answer(session.n, "dice")
        read = RolledDie("d6", "6", "camera", 0.9), RolledDie("d6", "1", "camera", 0.9)
        mended = read[0], msgspec.structs.replace(read[1], face="2", read="1")
        for dice in ((read, mended)[at] for at in said):
            session.answer(session.n, [die.face for die in dice], "camera", Evidence(dice, ()))
            session.undo()
            session.answer(session.n, "dice")
    found = stats(journal, TOY)
    assert (found.reader.read, found.reader.corrected) == (2, 1)
    assert {face: count for face, count in found.dice[0].row.faces.items() if count} == {"2": 1, "6": 1}


def test_dice_of_software_fell_only_where_their_roll_stands(journal: Journal) -> None:
    with Session.create(journal, TOY, PACKS, Wish(seed=7, dice="software")) as session:
        session.answer(session.n, "dice")
        session.answer(session.n, True)
        assert stats(journal, TOY).dice[0].row.total == 2
        session.undo()
        session.answer(session.n, "stones")
    assert stats(journal, TOY).dice == ()


def test_dice_of_software_that_come_again_after_an_undo_fell_where_they_stand(journal: Journal) -> None:
    """They are no dice that still lie there: the same decision has software roll them anew."""
    with Session.create(journal, TOY, PACKS, Wish(seed=7, dice="software")) as session:
        session.answer(session.n, "dice")
        session.undo()
        session.answer(session.n, "dice")
        session.answer(session.n, True)
    assert stats(journal, TOY).dice[0].row.total == 2


def test_games_are_told_apart_by_their_packs_and_by_what_was_not_always_the_same(
    journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    play_small(journal)
    (meta,) = journal.sessions()
    bare = msgspec.structs.replace(meta, settings={}, packs=("toy",))
    easy = msgspec.structs.replace(bare, settings={"top": "20"})
    for metas, ways in (
        ([easy, easy], ["packs: toy"]),
        ([bare, easy], ["packs: toy", "top: -", "top: 20"]),
        ([meta], []),
    ):
        monkeypatch.setattr(journal, "sessions", lambda metas=metas: metas)
        assert [way.name for way in stats(journal, TOY).ways] == ways


def test_values_of_an_option_stand_in_its_own_order(
    journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = load("space_infantry")
    dice = ("10", "2", "all", "gone", "1")
    meta = journal.session(play_small(journal))
    metas = [msgspec.structs.replace(meta, game=game.name, settings={"dice_at_once": one}) for one in dice]
    monkeypatch.setattr(journal, "sessions", lambda: metas)
    names = [way.name.removeprefix("dice_at_once: ") for way in stats(journal, game).ways]
    assert names == ["gone", "all", "1", "2", "10"]


def test_games_that_are_not_over_and_those_of_another_game_are_no_wins(journal: Journal) -> None:
    play_small(journal)
    for game in (TOY, msgspec.structs.replace(TOY, name="other")):
        with Session.create(journal, game, PACKS, Wish(seed=7)) as session:
            session.answer(session.n, "stones")
    assert stats(journal, TOY).lead == "2 sessions, 1 of them finished; won 1 of 1."


def test_a_game_that_was_lost_is_no_win(journal: Journal, monkeypatch: pytest.MonkeyPatch) -> None:
    won = journal.session(play_small(journal))
    outcomes = [msgspec.structs.replace(won, outcome=outcome) for outcome in ("won", "lost", "ended")]
    monkeypatch.setattr(journal, "sessions", lambda: outcomes)
    assert stats(journal, TOY).lead.endswith("won 1 of 2, 1 neither won nor lost.")


def test_games_of_people_against_each_other_are_not_counted_as_not_won(
    journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    won = journal.session(play_small(journal))
    metas = [
        msgspec.structs.replace(won, outcome=outcome, settings={"players": players})
        for players, outcome in (("1", "won"), ("1", "lost"), ("2", "ended"), ("2", "ended"))
    ]
    monkeypatch.setattr(journal, "sessions", lambda: metas)
    told = stats(journal, TOY)
    assert told.lead.endswith("won 1 of 2, 2 neither won nor lost.")
    assert {way.name: (way.played, way.wins) for way in told.ways} == {
        "players: 1": (2, "1 of 2"),
        "players: 2": (2, "-"),
    }
    monkeypatch.setattr(journal, "sessions", lambda: metas[2:])
    assert stats(journal, TOY).lead == "2 sessions, 2 of them finished; 2 neither won nor lost."


def test_games_that_can_not_be_played_through_again_do_not_count_as_games_of_no_turns(
    journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    meta = msgspec.structs.replace(journal.session(play_small(journal)), packs=("toy",))
    monkeypatch.setattr(journal, "sessions", lambda: [meta])
    (way,) = stats(journal, TOY).ways
    lost = msgspec.structs.replace(meta, pack="lost")
    monkeypatch.setattr(journal, "sessions", lambda: [meta, lost])
    (both,) = stats(journal, TOY).ways
    assert (both.played, both.turns) == (2, way.turns)
    monkeypatch.setattr(journal, "sessions", lambda: [lost])
    told = stats(journal, TOY)
    assert told.ways[0].turns_told == "-"
    assert {die.fairness for die in told.dice} == {None}, "it may have faces that never came up"
    assert markdown.of_stats(told).count(" | - |") == 1
    assert html.of_stats(told).count("<td>-</td>") == 1


def test_dice_that_people_enter_are_judged_together(journal: Journal) -> None:
    with Session.create(journal, TOY, PACKS, Wish(seed=7, dice="manual")) as session:
        for by in ("player", "phone", "manual"):
            session.answer(session.n, "dice", by)
            session.answer(session.n, ["1", "2"], by)
            session.answer(session.n, True, by)
        (row,) = report(journal, TOY, session.meta).dice
    (die,) = stats(journal, TOY).dice
    assert (die.row.source, die.row.total) == (row.source, row.total) == ("player", 6)


def test_dice_of_which_nobody_knows_how_often_they_have_a_face_are_not_judged(journal: Journal) -> None:
    game = msgspec.structs.replace(TOY, uneven=("d6",))
    for source in ("manual", "software"):
        with Session.create(journal, game, PACKS, Wish(seed=7, dice=source)) as session:
            session.answer(session.n, "dice")
            session.answer(session.n, ["1", "1"] if source == "manual" else True)
    by_hand, software = stats(journal, game).dice
    assert by_hand.fairness is None
    assert (by_hand.row.source, by_hand.row.even) == ("player", False)
    assert (software.row.source, software.row.even) == ("software", True)
    said = markdown.of_stats(stats(journal, game))
    assert "How often these dice have each face is not known here, so nothing can be said of them.\n" in said
    assert said.count("chi-square") == 1


def test_dice_of_which_nobody_can_tell_what_else_is_on_them_are_not_judged(journal: Journal) -> None:
    with Session.create(journal, TOY, PACKS, Wish(seed=7, dice="manual")) as session:
        session.answer(session.n, "dice")
        session.answer(session.n, ["1", "1"])
    (row,) = report(journal, None, session.meta).dice
    assert (row.faces, row.even) == ({"1": 2}, False)


def test_a_share_of_wins_is_given_only_from_ten_games_on(journal: Journal) -> None:
    play_small(journal)
    assert stats(journal, TOY).lead.endswith("won 1 of 1.")
    for seed in range(9):
        play_small(journal, seed=seed)
    assert stats(journal, TOY).lead.endswith("won 10 of 10 (100%).")


def test_all_but_one_of_many_games_are_not_told_as_all_nor_one_as_none() -> None:
    assert Way("All games", 400, 400, 399, 0, 0).wins == "399 of 400 (99%)"
    assert Way("All games", 400, 400, 1, 0, 0).wins == "1 of 400 (1%)"
    assert Way("All games", 400, 400, 0, 0, 0).wins == "0 of 400 (0%)"


def test_games_of_several_scenarios_are_counted_by_scenario(tmp_path: Path) -> None:
    auto = ["--auto", "random", "--front", "none", "--dice", "software", "--data", str(tmp_path)]
    for scenario in ("omaha", "tiger_practice", "omaha"):
        assert run(["play", "dday_dice", "--scenario", scenario, *auto]) == 0
    with Journal(tmp_path) as journal:
        played = {way.name: way.played for way in stats(journal, load("dday_dice")).ways}
    assert (played["scenario: Omaha Beach"], played["scenario: Exercise Tiger: Practice Run"]) == (2, 1)


def test_no_session_has_statistics_too(journal: Journal) -> None:
    none = stats(journal, TOY)
    assert markdown.of_stats(none).startswith("# Toy\n\n0 sessions, 0 of them finished.")
    assert "<figure>" not in html.of_stats(none)


def test_the_page_of_statistics_has_its_plots(some: Journal) -> None:
    page = html.of_stats(stats(some, TOY))
    assert page.count("<figure>") == 2
    assert "<script" not in page
