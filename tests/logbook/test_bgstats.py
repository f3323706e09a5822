"""BG Stats opens our link: every field that its page asks for, and a QR code a phone can read."""

import json
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import msgspec
import pytest

from companion import games
from companion.engine import CompanionError, Game, Journal, Session, Wish, packs
from companion.engine.records import Meta, Note
from companion.logbook import bgstats
from companion.logbook.trace import retrace
from tests.logbook.conftest import TOY


def play_in(journal: Journal, meta: Meta, game: Game = TOY) -> dict[str, Any]:
    """What BG Stats is told of a session."""
    url = bgstats.link(journal, game, retrace(journal, game, meta))
    play: dict[str, Any] = json.loads(parse_qs(urlsplit(url).query)["data"][0])
    return play


def test_the_link_holds_the_play_as_bg_stats_wants_it(journal: Journal, played: str) -> None:
    trace = retrace(journal, TOY, journal.session(played))
    url = bgstats.link(journal, TOY, trace)
    assert urlsplit(url)._replace(query="").geturl() == "https://app.bgstatsapp.com/createPlay.html"
    play = json.loads(parse_qs(urlsplit(url).query)["data"][0])
    turns = trace.meta.score["turns"]
    assert play == {
        "sourceName": "The companion",
        "sourcePlayId": played,
        "playDate": "2027-01-15 08:00:00",
        "durationMin": 4,
        "location": "Kitchen",
        "comments": "the top; A *close* climb",
        "game": {"name": "Toy", "sourceGameId": "toy", "highestWins": True, "noPoints": False},
        "players": [
            {"name": "Ann", "sourcePlayerId": "Ann", "winner": True, "startPlayer": True, "score": turns},
            {"name": "Bob", "sourcePlayerId": "Bob", "winner": True, "startPlayer": False, "score": turns},
        ],
    }


def test_among_people_alone_nobody_has_won_and_no_points_are_given_to_all(
    journal: Journal, played: str
) -> None:
    play = play_in(journal, msgspec.structs.replace(journal.session(played), outcome="ended"))
    assert play["game"]["noPoints"] is True
    assert [(one["winner"], "score" in one) for one in play["players"]] == [(False, False)] * 2


def test_the_newest_note_of_who_played_and_where_holds_and_one_without_words_is_no_comment(
    journal: Journal, played: str
) -> None:
    journal.note(played, Note(1_800_000_200, "", 9, ("Cem",), "Attic"))
    journal.note(played, Note(1_800_000_300, "Fine"))
    play = play_in(journal, journal.session(played))
    assert [one["name"] for one in play["players"]] == ["Cem"]
    assert play["location"] == "Attic"
    assert play["comments"] == "the top; A *close* climb; Fine"


def test_a_play_whose_end_was_lost_has_no_length(journal: Journal, played: str) -> None:
    for lost in (
        f"UPDATE sessions SET entries = entries - 1 WHERE id = '{played}'",
        f"DELETE FROM entries WHERE session = '{played}' AND seq > (SELECT entries FROM sessions)",
    ):
        journal.store._db.execute(lost)
    play = play_in(journal, journal.session(played))
    assert "durationMin" not in play
    assert play["players"][0]["winner"] is True


@pytest.mark.parametrize(
    ("scenario", "missions", "board"),
    [("patrol", "1", "Lost Patrol"), ("patrol", "3", None), ("choose", "1", None)],
)
def test_the_board_is_the_one_mission_that_was_played(
    journal: Journal, scenario: str, missions: str, board: str | None
) -> None:
    game = games.load("space_infantry")
    shipped = packs.merge(game.name, packs.find(game.folder, Path("/nowhere")))
    wish = Wish(scenario=scenario, settings={"missions": missions})
    with Session.create(journal, game, shipped, wish) as session:
        play = play_in(journal, session.meta, game)

    assert play.get("board") == board


@pytest.mark.parametrize("letter", ["x", "ü", "李", '"', "\n"])
def test_a_long_comment_is_cut_so_that_the_qr_code_stays_readable(
    journal: Journal, played: str, letter: str
) -> None:
    journal.note(played, Note(0, letter * 5000))
    url = bgstats.link(journal, TOY, retrace(journal, TOY, journal.session(played)))
    assert bgstats.qr(url).version <= 24


def test_a_text_too_long_for_any_qr_code_is_refused() -> None:
    with pytest.raises(CompanionError, match="too long for a QR code"):
        bgstats.qr("x" * 5000)
