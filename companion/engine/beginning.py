"""What a session starts from: packs and options as they were when it was begun."""

from __future__ import annotations

import zlib
from contextlib import suppress
from functools import lru_cache

import msgspec

from companion.engine.errors import BadInput, CompanionError, NotKept, PackError
from companion.engine.game import Game, Play, Setup
from companion.engine.journal import Journal
from companion.engine.packs import Merged, Tables, build, find, merge, spare
from companion.engine.records import MANUAL, Meta, blob_name
from companion.engine.run import KEPT
from companion.wording import plain_throughout

LARGEST_PACKS = 1 << 21
"""Bytes of the packs of a session before they are compressed; those of our games have a fiftieth."""


def packed(packs: Merged) -> bytes:
    """Packs as a session keeps them; `PackError` if they are larger than it may."""
    text = msgspec.json.encode(packs.tables)
    if len(text) > LARGEST_PACKS:
        raise PackError(f"{packs.game}: packs of {len(text)} bytes; a game may have {LARGEST_PACKS}")
    return zlib.compress(text)


def setup_again(journal: Journal, game: Game, meta: Meta) -> Setup:
    """What a session started from; packs that were lost since are put back if they are still the same."""
    try:
        return setup_of(journal, game, meta)
    except NotKept as error:
        owner = journal.folder / "packs" / game.name
        with suppress(PackError):
            named = sorted(spare(owner).keys() & set(meta.packs))
            files = find(game.folder, owner, named)  # an owner's pack may have come of this very session
            data = packed(merge(game.name, [one for one in files if one.path.parent.name in meta.packs]))
            if blob_name(data) == meta.pack:
                journal.keep(data)
                return setup_of(journal, game, meta)
        raise NotKept(f"{error}; companion log restore takes it from a backup") from error


def setup_of(journal: Journal, game: Game, meta: Meta) -> Setup:
    """What a session started from, its packs as they were then.

    An option that the game has learnt since is as it was when there was none: mostly at its default.
    """
    settings = {one.name: meta.settings.get(one.name, one.before or one.default) for one in game.settings}
    of = f"{meta.id}, of version {meta.version or '?'}"
    for one in game.settings:
        if settings[one.name] not in one.choices:
            raise BadInput(f"{of}: {one.name}={settings[one.name]} is no option of {game.name} now; {KEPT}")
    try:
        pack = _unpacked(journal.blob(meta.pack), game.name, game.pack_type)
    except (zlib.error, msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise PackError(f"{meta.id}: its packs can't be read: {error}") from error
    except PackError as error:
        raise PackError(f"{of}: {error}; {KEPT}") from error
    return Setup(pack, settings, meta.scenario, begun=True, draws_by_hand=meta.cards == MANUAL)


@lru_cache(maxsize=1)  # who reads many sessions back meets the same packs in most
def _unpacked(data: bytes, game: str, pack_type: type[msgspec.Struct]) -> msgspec.Struct:
    text = zlib.decompressobj().decompress(data, LARGEST_PACKS)
    tables = msgspec.convert(plain_throughout(msgspec.json.decode(text)), Tables)  # of anybody's journal
    return build(Merged(game, tables, {}, {}), pack_type)


def start_again(game: Game, start: Setup) -> Play:
    """The play of a session that is there; `PackError` if its packs, which may be anybody's, don't do."""
    try:
        return game.start(start)
    except CompanionError:
        raise
    except Exception as error:
        raise PackError(f"{game.name}: its packs can't be played: {type(error).__name__}: {error}") from error
