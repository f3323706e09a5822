"""Where the page is in the network."""

from __future__ import annotations

import fcntl
import socket
import struct
from collections.abc import Iterator
from contextlib import suppress
from typing import Final

LOOPBACK, EVERYWHERE = "127.0.0.1", "0.0.0.0"  # noqa: S104 - only with --lan, behind pairing

SIOCGIFFLAGS: Final = 0x8913
SIOCGIFADDR: Final = 0x8915
IFF_LOOPBACK: Final = 0x8
IFF_RUNNING: Final = 0x40
IFREQ: Final = 40
"""Bytes of a struct ifreq, of which the name is the first 16. Source: linux/if.h, linux/sockios.h."""


def pairing_address(port: int, code: str) -> str | None:
    """What a phone opens to pair; None where there is no network."""
    address = lan_address()
    return address and f"http://{address}:{port}/pair?code={code}"


def lan_address() -> str | None:
    """The machine's address in its own network, None where it is in none; nothing is sent to find it."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            # Connecting a datagram socket only looks up the route (192.0.2.1 is nobody, RFC 5737).
            probe.connect(("192.0.2.1", 9))
        except OSError:  # there is no way out: a hotspot of phones alone, or no network
            return next(_own_addresses(probe), None)
        address: str = probe.getsockname()[0]
        return address


def _own_addresses(probe: socket.socket) -> Iterator[str]:
    """The addresses of this machine's interfaces that run, where it tells as Linux does: netdevice(7)."""
    for _, name in socket.if_nameindex():
        request = name.encode().ljust(IFREQ, b"\0")
        with suppress(OSError):
            (flags,) = struct.unpack_from("H", fcntl.ioctl(probe, SIOCGIFFLAGS, request), 16)
            if flags & (IFF_RUNNING | IFF_LOOPBACK) == IFF_RUNNING:
                yield socket.inet_ntoa(fcntl.ioctl(probe, SIOCGIFADDR, request)[20:24])
