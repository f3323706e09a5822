"""A session as a link that the BG Stats app opens, and that link as a QR code.

The format is BG Stats' own: https://www.bgstatsapp.com/support/push-plays-to-bg-stats-from-other-apps-or-websites/
Nothing is sent anywhere: the link is for the player to open.
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import quote

import msgspec

from companion.engine.clock import calendar
from companion.engine.errors import CompanionError, pip
from companion.engine.game import Game, Result
from companion.engine.journal import Journal
from companion.engine.records import people_of, place_of
from companion.logbook.trace import Trace, titled

if TYPE_CHECKING:
    from segno import QRCode

URL = "https://app.bgstatsapp.com/createPlay.html?data="
SOURCE = "The companion"
"""BG Stats remembers a player's matches by this name: it stays."""
UNFINISHED = "this game is not over yet: the link says that it was not won"
LONGEST_COMMENT = 200
LONGEST_QUOTED = 450
"""Characters of a comment, and of what becomes of it in the link, where one of another script takes nine:
the QR code has to stay readable from a screen."""


class _Player(msgspec.Struct, frozen=True, rename="camel", omit_defaults=True):
    name: str
    source_player_id: str
    winner: bool
    start_player: bool
    score: int | None = None


class _Game(msgspec.Struct, frozen=True, rename="camel"):
    name: str
    source_game_id: str
    highest_wins: bool
    no_points: bool


class _Played(msgspec.Struct, frozen=True, rename="camel", omit_defaults=True):
    source_name: str
    source_play_id: str
    play_date: str
    game: _Game
    players: list[_Player]
    duration_min: int = 0
    location: str = ""
    board: str = ""
    comments: str = ""


def link(journal: Journal, game: Game | None, trace: Trace) -> str:
    """The link of a session, whose game may not be installed; who played and where comes from its notes.

    It has no length where the end was lost: what is left took less than the game.
    """
    meta, notes = trace.meta, trace.notes
    board = game.board(meta.scenario, meta.settings) if game else meta.scenario
    people = people_of(notes) or ("Player",)
    # Where nobody won or lost against the box, it does not know who of the people has which points.
    score = None if meta.outcome == Result.ENDED else next(iter(meta.score.values()), None)
    # The app's Android version wants `winner` and `startPlayer` of every player, though both are optional.
    won = meta.outcome == Result.WON
    players = [_Player(name, name, won, nth == 0, score) for nth, name in enumerate(people)]
    play = _Played(
        source_name=SOURCE,
        source_play_id=meta.id,
        play_date=f"{calendar(meta.created):%Y-%m-%d %H:%M:%S}",
        game=_Game(game.title if game else meta.game, meta.game, highest_wins=True, no_points=score is None),
        players=players,
        duration_min=0 if trace.is_cut else round(trace.seconds / 60),
        location=place_of(notes),
        board=titled(journal, game, meta, board) if board else "",
        comments=_cut("; ".join(filter(None, (meta.reason, *(note.text for note in notes))))),
    )
    return URL + _quoted(play)


def _quoted(value: _Played | str) -> str:
    return quote(msgspec.json.encode(value).decode(), safe="")


def _cut(comment: str) -> str:
    comment = comment[:LONGEST_COMMENT]
    while len(_quoted(comment)) > LONGEST_QUOTED:
        comment = comment[:-1]
    return comment


def qr(text: str) -> QRCode:
    """A QR code of a link, as small as it can be; `CompanionError` if it does not fit or segno is missing."""
    try:
        import segno
    except ImportError as error:
        raise CompanionError(f"QR codes need segno: {pip('install', 'companion[web]')}") from error
    try:
        return segno.make_qr(text, error="L")
    except segno.DataOverflowError as error:
        raise CompanionError("the link is too long for a QR code; shorten the notes") from error
