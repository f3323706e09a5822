"""What the page serves: the games, the data directory, and the tables that are open."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import RLock
from typing import TYPE_CHECKING, Final

import msgspec

from companion.engine.errors import BadInput, CompanionError, JournalError
from companion.engine.files import mark, write_whole
from companion.engine.game import Game
from companion.engine.journal import Journal
from companion.engine.packs import Merged, always, find, merge
from companion.engine.records import Meta, Note
from companion.engine.session import Session, Wish
from companion.table.events import Begun, PutAway
from companion.table.table import Table
from companion.web.access import Access, listed
from companion.web.live import Draw, Live

if TYPE_CHECKING:
    from companion.table.box import AtBox

MOST_TABLES = 8
"""Sessions that can be open at once."""
AT_ONCE: Final = 3.0
"""Seconds that a phone waits until the box has put a session away."""


class Library(msgspec.Struct, frozen=True):
    """The games there are: their names, and how one is loaded (`BadInput` for an unknown name)."""

    names: Callable[[], Iterable[str]]
    load: Callable[[str], Game]


class House:
    """Opens sessions as tables, one at a time for each, and closes them.

    Every table has a journal of its own, since its thread commits while others read. `journal` is for
    reading back and for notes. A `box` with this page takes over what phones begin while it plays nothing.
    """

    def __init__(
        self, data: Path, library: Library, access: Access, draw: Draw, box: AtBox | None = None
    ) -> None:
        self.data = data
        self.library = library
        self.access = access
        self.box = box
        self.journal = Journal(data)
        self._lock = RLock()
        self._draw = draw
        self._open_list = data / "page" / "open.json"
        self._live: dict[str, Live] = {}
        self._own: dict[str, Journal] = {}
        self._merged: dict[str, tuple[dict[Path, tuple[int, ...] | None], Merged]] = {}

    def hush(self) -> None:
        """End all streams, so that a server that stops need not cut them off."""
        for live in self.tables:
            live.close()

    def close(self) -> None:
        """Close the tables that were opened here, to be opened again next time, and the journal."""
        with self._lock:  # a session that a phone begins just now is one of them
            for name, journal in self._own.items():
                self._put_away(name, journal)
            self._own.clear()
            self.journal.close()

    # Games and packs

    def game(self, name: str) -> Game:
        """A game by name; `BadInput` with the names there are."""
        return self.library.load(name)

    def owner_packs(self, game: str) -> Path:
        """Where the owner's packs of a game lie."""
        return self.data / "packs" / game

    def merged(self, game: Game) -> Merged:
        """The packs that a game is played with, read again where a file of theirs is another than before."""
        folder = self.owner_packs(game.name)
        files = {path: mark(path) for path in always(game.folder, folder)}
        known = self._merged.get(game.name)
        if known is None or known[0] != files:
            known = self._merged[game.name] = (files, merge(game.name, find(game.folder, folder)))
        return known[1]

    # Tables

    @property
    def tables(self) -> list[Live]:
        """The tables that are open, the first opened first."""
        return list(self._live.values())

    def adopt(self, table: Table) -> Live:
        """Put a table on the page."""
        live = Live(table, self._draw)
        self._live[table.session.meta.id] = live
        return live

    @contextmanager
    def shared(self, table: Table) -> Iterator[None]:
        """Show a table that is played elsewhere, as long as it is played."""
        live = self.live(table.session.meta.id) or self.adopt(table)
        try:
            yield
        finally:
            with table.lock:  # what a phone has answered is on disk then, and no other answer is taken
                del self._live[table.session.meta.id]
                live.close()

    def live(self, name: str) -> Live | None:
        """The open table of that session."""
        return self._live.get(name)

    def owns(self, live: Live) -> bool:
        """Whether a table was opened here and is played nowhere else."""
        return live.table.session.meta.id in self._own

    @property
    def box_plays(self) -> bool:
        """Whether the box is in a game, so that it takes no other over."""
        return any(not self.owns(live) and live.table.outcome is None for live in self.tables)

    def reopen(self) -> None:
        """Open the sessions again that were open when the page stopped; what can't be opened is left."""
        for name in listed(self._open_list, list[str]) or ():
            with suppress(CompanionError):
                self._resumed(name)
        with self._lock:
            if self._own:  # only now: where it is stopped before, all are opened the next time
                self._remember()

    def begin(self, game: Game, wish: Wish, form: str = "") -> Live:
        """A new session; `BadInput`, `PackError` or `JournalError` if it can't be.

        The one that it began, as long as that is open, for a `form` that is sent again as it was.
        """
        sent = (form, game.name, wish)
        with self._lock:
            begun = (live for live in self.tables if form and live.sent == sent)
            if (live := next(begun, None)) is None:
                packs = self.merged(game)
                live = self._open(lambda journal: Session.create(journal, game, packs, wish))
                live.sent = sent
                self._remember()
        return self._offered(live)

    def resume(self, name: str) -> Live:
        """A session that was left, at the ask that was open; the open table if it is on one."""
        with self._lock:
            live = self._resumed(name)
            if self.owns(live):
                self._remember()
        return self._offered(live)

    def give(self, name: str) -> Table | None:
        """Let a table that was opened here be played elsewhere from now on, as it stands; None for others."""
        with self._lock:
            if self._own.pop(name, None) is None:
                return None
            self._remember()
            return self._live[name].table

    def _offered(self, live: Live) -> Live:
        """The same, once the box knows of it; until that takes it over, and otherwise, it is played here."""
        if self.box is not None and self.owns(live):
            self.box.tell(Begun(live.table.session.meta.id))
        return live

    def _resumed(self, name: str) -> Live:
        with self._lock:
            if name in self._live:
                return self._live[name]
            meta = self.meta(name)
            game = self.game(meta.game)
            return self._open(lambda journal: Session.resume(journal, game, meta.id))

    def leave(self, name: str) -> None:
        """Put a session away; it can be resumed here or elsewhere. One that is away stays so.

        `BadInput` for a table of others that are not the box whose page this is.
        """
        with self._lock:
            if (live := self.live(name)) is None:
                return
            if (journal := self._own.pop(name, None)) is not None:
                self._put_away(name, journal)
                self._remember()
                return
        if self.box is None:
            raise BadInput("this session is played at the table; it ends there")
        self.box.tell(PutAway(name))
        live.wait_over(AT_ONCE)

    def meta(self, name: str) -> Meta:
        """A session's head, by its whole id."""
        meta = self.journal.head(name)
        if meta is None:
            raise BadInput(f"there is no session {name}")
        return meta

    def note(self, session: str, note: Note) -> None:
        """Keep a player's note; once, where it is sent again as it was."""
        with self._lock:
            newest = self.journal.notes(session)[-1:]
            if note not in [msgspec.structs.replace(one, at=note.at) for one in newest]:
                self.journal.note(session, note)

    def _open(self, seat: Callable[[Journal], Session]) -> Live:
        with self._lock:
            oldest = next((name for name in self._own if self._live[name].table.outcome is not None), None)
            is_full = len(self._live) >= MOST_TABLES
            if is_full and oldest is None:
                raise BadInput(f"{MOST_TABLES} sessions are open already; put one away first")
            journal = Journal(self.data)
            try:
                session = seat(journal)
            except BaseException:
                journal.close()
                raise
            if is_full and oldest is not None:  # a game that is over makes room for one that could be opened
                self.leave(oldest)
            self._own[session.meta.id] = journal
            live = self.adopt(Table(session, self.owner_packs(session.game.name)))
            live.table.settle()
            return live

    def _put_away(self, name: str, journal: Journal) -> None:
        live = self._live.pop(name)
        # What software said after the last answer follows from it, and is said again where it is not written.
        with journal, live.table.lock, suppress(JournalError):
            live.close()
            live.table.session.close()

    def _remember(self) -> None:
        """Note which sessions are open; where that can't be written, they are resumed by hand."""
        with suppress(OSError):
            write_whole(self._open_list, msgspec.json.encode(list(self._own)))
