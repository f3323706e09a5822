"""The page for phones beside the box, for as long as it runs."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final, Self

import click

from companion.cli import to_install
from companion.cli.serve import Reach, address_text, page_of, way_in_of
from companion.engine.errors import CompanionError
from companion.screens.console import Console
from companion.screens.screen import WayIn
from companion.table.box import AtBox
from companion.table.config import PageSettings
from companion.table.late import HEAD_START
from companion.table.table import Table

if TYPE_CHECKING:
    from companion.web.house import House

LOOK_AGAIN: Final = 10.0
"""Seconds from look to look at the network, which comes up after the box does and whose addresses change, and
at a port that is taken."""


class BoxPage:
    """Serves the page from a thread, since the loop has signs of life to give; without it the box plays on.

    It is a display of the loop that shows nothing: once drawn, it begins to open `wait` seconds later, so
    that the first prompt does not wait for it.
    """

    def __init__(
        self, settings: PageSettings, folder: Path, wait: float = HEAD_START, box: AtBox | None = None
    ) -> None:
        self._settings = settings
        self._folder = folder
        self._wait = wait
        self._box = box
        self._lock = threading.Lock()
        self._house: House | None = None
        self._table: Table | None = None
        self._shared = ExitStack()
        self._over = threading.Event()
        self._thread: threading.Thread | None = None
        self._way_in = WayIn()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        if self._thread is not None:
            self._thread.join(timeout=2)

    def draw(self, console: Console) -> None:  # noqa: ARG002  # a display's signature
        """The first prompt stands: open."""
        if self._thread is None and self._settings.enabled:
            self._thread = threading.Thread(target=self._serve, name="page", daemon=True)
            self._thread.start()

    def way_in(self) -> WayIn:
        """Where phones find it and the code that they pair with; nothing where there is no page (yet)."""
        return self._way_in

    @contextmanager
    def beside(self, table: Table) -> Iterator[None]:
        """Have a table on the page while it is played here."""
        with self._lock:
            self._table = table
            self._share()
        try:
            yield
        finally:
            with self._lock:
                self._table = None
                self._shared.close()

    def take(self, session: str) -> Table | None:
        """The table of a session that a phone has opened, which goes on at the box; None if none has."""
        with self._lock:
            return self._house.give(session) if self._house is not None else None

    def _share(self) -> None:
        """Put the table on the page, once there are both."""
        if self._house is None or self._table is None:
            return
        self._shared.enter_context(self._house.shared(self._table))
        self._table.page = self.way_in
        self._table.notice = ", ".join(filter(None, (self._table.notice, *self._way_in.lines)))

    def _serve(self) -> None:
        if self._over.wait(self._wait):
            return
        try:
            self._open(Reach(self._settings.lan, self._settings.port, watchers=False))
        except (CompanionError, ImportError, OSError) as error:
            click.echo(f"no page: {to_install(error) or error}", err=True)

    def _open(self, reach: Reach) -> None:
        """Serve until the box stops, from when the port is free: another program may have it for a while."""
        from companion.web.server import PortTaken

        said = False
        while not self._over.is_set():
            try:
                with page_of(self._folder, reach, self._box) as house:
                    self._keep_open(house, reach)
            except PortTaken as error:
                if not said:
                    what = "it is tried again and again; [page] port in the settings takes another"
                    click.echo(f"no page: {error.why}; {what}", err=True)
                    said = True
                self._over.wait(LOOK_AGAIN)

    def _keep_open(self, house: House, reach: Reach) -> None:
        """Until the box stops; says where the page is, and says it again when that has changed."""
        try:
            while not self._over.is_set():
                before, self._way_in = self._way_in, way_in_of(house, reach)
                with self._lock:
                    if is_new := self._house is None:
                        self._house = house
                        self._share()
                    elif self._way_in != before and self._table is not None:
                        self._table.notice = ", ".join(self._way_in.lines)
                if self._way_in != before:
                    click.echo(address_text(house, reach), err=True)
                if is_new:
                    house.reopen()
                self._over.wait(LOOK_AGAIN)
        finally:
            with self._lock:
                self._house, self._way_in = None, WayIn()
                self._shared.close()
