"""Lines with a checksum: `body*CC`, newline. Read by both ends; runs on MicroPython and CPython alike.

CC is the CRC-8 (polynomial 07) of the body in two hex digits. A newline is where a reader that lost its
place finds it again; whatever doesn't add up is counted and dropped.
"""

MOST = 120


def crc8(data: bytes) -> int:
    """CRC-8/SMBUS: polynomial 07, start 0 (check value of b"123456789": f4)."""
    crc = 0
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = (crc << 1) ^ 0x107 if crc & 0x80 else crc << 1
    return crc


def pack(body: str) -> bytes:
    """A body of printable ASCII as a line."""
    raw = body.encode()
    return raw + b"*%02X\n" % crc8(raw)


def unpack(line: bytes) -> "str | None":
    """The body of a line without its newline; None if it is not one of ours or was damaged."""
    raw, star, crc = line[:-3], line[-3:-2], line[-2:]
    if star != b"*" or crc != b"%02X" % crc8(raw):
        return None
    if not all(32 <= byte < 127 for byte in raw):
        return None
    return raw.decode()


class Lines:
    """Cuts a stream of bytes into bodies; keeps at most one unfinished line of MOST bytes."""

    def __init__(self) -> None:
        self.bad = 0
        self._line = b""
        self._too_long = False

    def feed(self, data: bytes) -> "list[str]":
        """The bodies that are whole now."""
        bodies = []
        parts = data.split(b"\n")
        for part in parts[:-1]:
            self._grow(part)
            body = unpack(self._line.rstrip(b"\r"))  # of one that was too long, nothing is left
            if body is not None:
                bodies.append(body)
            elif self._line or self._too_long:
                self.bad += 1
            self._line, self._too_long = b"", False
        self._grow(parts[-1])
        return bodies

    def _grow(self, part: bytes) -> None:
        if self._too_long or len(self._line) + len(part) > MOST:
            self._line, self._too_long = b"", True
        else:
            self._line += part
