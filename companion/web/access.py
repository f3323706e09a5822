"""Who may look and who may act: the machine itself, phones that were paired, and perhaps others."""

from __future__ import annotations

import fcntl
import ipaddress
import secrets
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import IntEnum
from hashlib import blake2b
from itertools import count
from pathlib import Path
from threading import Lock
from typing import TypeVar

import msgspec

from companion.engine.errors import BadInput
from companion.engine.files import hand_over, make_folder, mark, write_whole

T = TypeVar("T")

CODE_DIGITS = 6
WRONG_CODES = 30
"""Wrong pairing codes, from all phones together, after which there is a new one."""
TRIES_A_MINUTE = 5
MOST_CLIENTS = 1024
MOST_PHONES = 32


class Role(IntEnum):
    """What a request may do; each may also do what those before it may."""

    NOBODY = 0
    WATCH = 1
    ACT = 2


class Phone(msgspec.Struct, frozen=True):
    """A phone that was paired; `key` is a hash of the secret in its cookie."""

    key: str
    name: str
    since: float


class Refused(BadInput):
    """A pairing that was not granted."""


class Bucket:
    """So many requests at once and so many a second for each client; the oldest clients are forgotten."""

    def __init__(self, burst: float, a_second: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._burst = burst
        self._rate = a_second
        self._clock = clock
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def take(self, client: str) -> bool:
        """Take one of the client's requests; False if it has none left now."""
        now = self._clock()
        left, before = self._left.pop(client, (self._burst, now))
        left = min(self._burst, left + (now - before) * self._rate)
        granted = left >= 1
        self._left[client] = (left - granted, now)
        if len(self._left) > MOST_CLIENTS:
            self._left.popitem(last=False)
        return granted


class Access:
    """The pairing code and the phones that know it.

    Phones are kept in `folder`, so that they stay paired over a restart, and with all companions that
    share it, which may pair and forget them at any time. `lan` says that they can reach the page at all;
    `watchers` lets anybody look. `renewed` is called when there is another code to show.
    """

    def __init__(
        self,
        folder: Path,
        *,
        lan: bool = True,
        watchers: bool = False,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._path = folder / "phones.json"
        self.lan = lan
        self._watchers = watchers
        self._tries = Bucket(TRIES_A_MINUTE, TRIES_A_MINUTE / 60, clock)
        self._wrong = 0
        self._lock = Lock()
        # The file, and what it has; None where that can't be read.
        self._found: tuple[tuple[int, ...] | None, dict[str, Phone] | None] = (None, {})
        self._aside: Path | None = None
        self.code = _new_code()
        self.renewed: Callable[[], None] = lambda: None

    @property
    def phones(self) -> list[Phone]:
        """The paired phones, the oldest first."""
        return sorted(self._known().values(), key=lambda phone: phone.since)

    @property
    def damage(self) -> str:
        """What became of a list of phones that can't be read; empty where it can."""
        damaged = self._path if self._read() is None else self._aside
        again = "the list of phones was damaged, so that all have to pair again; the damaged file is"
        return f"{again} {damaged}" if damaged else ""

    def role(self, client: str, token: str | None) -> Role:
        """What a request from this address with this cookie may do."""
        if is_loopback(client):
            return Role.ACT
        if token is not None and _key(token) in self._known():
            return Role.ACT
        return Role.WATCH if self._watchers else Role.NOBODY

    def pair(self, client: str, code: str, name: str, before: str | None = None) -> str:
        """The secret for a phone's cookie; `Refused` if the code is wrong or was tried too often.

        It takes the place of the one that the phone had `before`.
        """
        with self._lock:
            if not self._tries.take(client):
                raise Refused("Too many tries. Wait a minute, then look at the code again.")
            if not secrets.compare_digest(code.strip().encode(), self.code.encode()):
                self._wrong += 1
                if self._wrong >= WRONG_CODES:
                    self._renew()
                raise Refused("That is not the code that the box shows now.")
            token = secrets.token_urlsafe(32)
            key = _key(token)
            with self._changed() as phones:
                old = phones.pop(_key(before or ""), None)
                if len(phones) >= MOST_PHONES:
                    raise Refused(f"{MOST_PHONES} phones are paired already. Forget one on the page Phones.")
                called = name.strip()[:40] or (old.name if old else "A phone")
                phones[key] = Phone(key, called, round(time.time(), 3))
            return token

    def forget(self, key: str) -> None:
        """A phone may not act any more, nor pair again with the code that it knows."""
        with self._lock:
            with self._changed() as phones:
                phones.pop(key, None)
            self._renew()

    def _renew(self) -> None:
        self._wrong = 0
        self.code = _new_code()
        self.renewed()

    def _known(self) -> dict[str, Phone]:
        """The phones by their keys, as the file has them now; with one that can't be read, all pair again."""
        return self._read() or {}

    def _read(self) -> dict[str, Phone] | None:
        """The same; None for a file that can't be read."""
        seen = mark(self._path)
        if seen != self._found[0]:
            phones = listed(self._path, list[Phone]) if seen else []
            self._found = (seen, None if phones is None else {phone.key: phone for phone in phones})
        return self._found[1]

    @contextmanager
    def _changed(self) -> Iterator[dict[str, Phone]]:
        """The phones to change, which no other companion does meanwhile; kept unless there is an error.

        Raises `Refused` if they can't be kept.
        """
        try:
            make_folder(self._path.parent)
            lock = self._path.with_suffix(".lock")
            with lock.open("a") as others:
                hand_over(self._path.parent, lock)
                fcntl.flock(others, fcntl.LOCK_EX)
                phones = dict(self._known())
                yield phones
                if self._read() is None:
                    self._aside = _put_aside(self._path)
                write_whole(self._path, msgspec.json.encode(list(phones.values())), 0o600)
        except OSError as error:
            raise Refused(f"The box can't write down its phones: {error.strerror}.") from error


def is_loopback(client: str) -> bool:
    """Whether an address is the machine's own."""
    try:
        return ipaddress.ip_address(client).is_loopback
    except ValueError:
        return False


def listed(path: Path, kind: type[list[T]]) -> list[T] | None:
    """What a file of the page's own lists; None for one that can't be read, or is not there."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=kind)
    except (OSError, msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None


def _put_aside(path: Path) -> Path:
    """Give a damaged file a name under which nothing is written; returns it."""
    names = (path.with_name(f"{path.stem}.damaged-{number}{path.suffix}") for number in count(1))
    return path.replace(next(name for name in names if not name.exists()))


def _new_code() -> str:
    return f"{secrets.randbelow(10**CODE_DIGITS):0{CODE_DIGITS}}"


def _key(token: str) -> str:
    return blake2b(token.encode(), digest_size=16).hexdigest()
