"""A zip whose end was cut off, as by a stick that is pulled out too early: its list of files written anew.

The list stands at the end of a zip; before each file stands nearly the same again (APPNOTE.TXT of PKWARE,
4.3.7, 4.3.12 and 4.3.16).
"""

from __future__ import annotations

import shutil
from struct import Struct
from typing import BinaryIO

LOCAL = Struct("<4s14xL4xHH")
"""What stands before a file: mark, its packed size, and how long its name and what follows that are."""
LISTED = Struct("<4s2s26s10xL")
"""The same in the list: mark, who wrote it, what stands before the file, and where that is."""
END = Struct("<4s4xHHLLH")
"""The end of a zip: mark, the number of files twice, the list's size and place, and no comment."""


def listed_anew(torn: BinaryIO, out: BinaryIO) -> None:
    """Write to `out` all that `torn` has, zeros for what lacks of its last file, and a list of its files.

    `struct.error` where it is larger, or has more files, than such a list can tell.
    """
    shutil.copyfileobj(torn, out)
    size, at, listed = out.tell(), 0, list[bytes]()
    while at < size:
        out.seek(at)
        head = out.read(LOCAL.size)
        if len(head) < LOCAL.size:
            break
        mark, packed, name, more = LOCAL.unpack(head)
        names = out.read(name + more)
        if mark != b"PK\3\4" or len(names) < name + more:
            break
        listed.append(LISTED.pack(b"PK\1\2", b"\x14\0", head[4:], at) + names)
        at = out.tell() + packed
    start = max(at, size)
    out.seek(start)
    out.write(b"".join(listed))
    out.write(END.pack(b"PK\5\6", len(listed), len(listed), out.tell() - start, start, 0))
