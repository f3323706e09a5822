"""`companion serve` and the page beside a game: for phones at the table."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from io import StringIO
from pathlib import Path
from socket import socket
from typing import TYPE_CHECKING, Final, NamedTuple, TypeVar
from urllib.parse import urlsplit

import click

from companion import games
from companion.cli.common import data_dir, data_option
from companion.engine.errors import BadInput
from companion.screens.screen import WayIn
from companion.web.network import EVERYWHERE, LOOPBACK, pairing_address

if TYPE_CHECKING:
    from companion.table.box import AtBox
    from companion.table.table import Table
    from companion.web.house import House

F = TypeVar("F", bound=Callable[..., object])

PORT: Final = 8080

NO_NETWORK: Final = "No network for phones"


class Reach(NamedTuple):
    """Who reaches the page: this machine alone or its network too, on which port, and who may watch."""

    lan: bool
    port: int
    watchers: bool


def reach_options(command: F) -> F:
    """`--lan`, `--port`, `--watchers`."""
    options = (
        click.option("--lan", is_flag=True, help="Let phones in this network in; they pair with a code."),
        click.option("--port", type=click.IntRange(1, 65535), help=f"The page's port (default: {PORT})."),
        click.option("--watchers", is_flag=True, help="With --lan: let anybody watch without pairing."),
    )
    for option in reversed(options):
        command = option(command)
    return command


def reach_of(page: bool, lan: bool, port: int | None, watchers: bool) -> Reach | None:
    """What `--page` and its companions ask for; `--lan` asks for the page too.

    `BadInput` for watchers without it, since nobody would see a game that this machine alone shows, and for
    the port of no page.
    """
    if watchers and not lan:
        raise BadInput("--watchers: nobody else reaches the page without --lan")
    if port is not None and not (page or lan):
        raise BadInput(f"--port {port}: there is no page without --page or --lan")
    return Reach(lan, port or PORT, watchers) if page or lan else None


@click.command()
@reach_options
@data_option
def serve(lan: bool, port: int | None, watchers: bool, data: Path | None) -> None:
    """The page for phones: play, enter cards, read the logbook. Without --lan for this machine alone."""
    from companion.web.server import Server

    reach = reach_of(page=True, lan=lan, port=port, watchers=watchers)
    assert reach is not None
    with closing(_listen(reach)) as sock:
        house = _house(data_dir(data), reach)
        house.reopen()
        if house.journal.salvaged is not None:  # a damaged entry is met where it is read
            click.echo(f"companion: {house.journal.salvaged}", err=True)
        if house.access.damage:
            click.echo(f"companion: {house.access.damage}", err=True)
        house.access.renewed = lambda: click.echo(address_text(house, reach))
        house.access.renewed()
        Server(house).run(sockets=[sock])


def check_port(reach: Reach) -> None:
    """`BadInput` if the page can't be served there."""
    _listen(reach).close()


def _listen(reach: Reach) -> socket:
    from companion.web.server import listen

    return listen(EVERYWHERE if reach.lan else LOOPBACK, reach.port)


@contextmanager
def page_of(data: Path, reach: Reach, box: AtBox | None = None) -> Iterator[House]:
    """Serve the page in a thread of its own, beside whatever is played here."""
    from companion.web.server import Beside

    with closing(_listen(reach)) as sock:
        house = _house(data, reach, box)
        beside = Beside(house, sock)
        beside.start()
        try:
            yield house
        finally:
            beside.stop()


@contextmanager
def page_beside(table: Table, data: Path | None, reach: Reach) -> Iterator[None]:
    """Serve the page of a table while it is played here."""
    with page_of(data_dir(data), reach) as house, house.shared(table):
        click.echo(address_text(house, reach), err=True)
        table.page = lambda: way_in_of(house, reach)
        table.notice = ", ".join(filter(None, (table.notice, *table.phones.lines)))

        def renewed() -> None:
            table.notice = ", ".join(table.phones.lines)
            table.tell()

        house.access.renewed = renewed
        yield


def way_in_of(house: House, reach: Reach) -> WayIn:
    """Where phones find the page and the code that they pair with."""
    if not reach.lan:
        return WayIn((f"Page {LOOPBACK}:{reach.port}",))
    code = house.access.code
    link = pairing_address(reach.port, code)
    if link is None:
        return WayIn((NO_NETWORK,))
    return WayIn((f"Page {urlsplit(link).netloc}", f"code {code}"), link)


def address_text(house: House, reach: Reach) -> str:
    """Where the page is; with --lan also a QR code and the pairing code."""
    import segno

    here = f"The page: http://{LOOPBACK}:{reach.port}/"
    if not reach.lan:
        return here
    address = pairing_address(reach.port, house.access.code)
    if address is None:
        return f"{here}\n{NO_NETWORK}  code {house.access.code}\n"
    picture = StringIO()
    segno.make_qr(address).terminal(picture, compact=True)
    plain = address.partition("pair")[0]
    return f"{here}\nPhones: {plain}  code {house.access.code}\n{picture.getvalue()}"


def _house(data: Path, reach: Reach, box: AtBox | None = None) -> House:
    from companion.web.access import Access
    from companion.web.house import House, Library
    from companion.web.table_pages import draw

    access = Access(data / "page", lan=reach.lan, watchers=reach.watchers)
    return House(data, Library(games.names, games.load), access, draw, box)
