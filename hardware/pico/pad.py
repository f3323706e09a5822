"""The pad's side of the line: says who it is, reports keys and dice until they are heard, keeps a screen.

Knows no pins and no USB, so that the same code runs in the tests. Times are whole milliseconds.
"""

from lines import Lines, crc8, pack

PROTOCOL = 1
HEARTBEAT = 1000
RESEND = 250
KEPT = 16
HOST_SILENT = 3000
KEY_EXPIRES = 2000
DICE_EXPIRE = 30000
ROWS = 8
COLUMNS = 21
ALONE = [("title", "BOX PAD"), ("plain", "waiting for the box")] + [("plain", "")] * (ROWS - 2)


class Pad:
    """One pad. Give it what came in and what happened; take what is to go out."""

    def __init__(self, uid: str, nonce: str, abilities: str) -> None:
        self._hello = f"HELLO box {PROTOCOL} {uid} {nonce} {abilities}"
        self._lines = Lines()
        self._out = []
        self._seq = 0
        self._waiting = []
        self._beat_at = 0
        self._heard_at = -HOST_SILENT
        self._rows = [("plain", "")] * ROWS
        self._say(self._hello)

    def gain(self, ability: str) -> None:
        """It has something more than at its start, and says so."""
        self._hello += " " + ability
        self._say(self._hello)

    def view(self, now: int) -> "list[tuple[str, str]]":
        """The rows to show, as (style, text): the box's, or that it is silent."""
        return ALONE if self.alone(now) else self._rows

    def alone(self, now: int) -> bool:
        """Whether no box has said anything for a while."""
        return now - self._heard_at >= HOST_SILENT

    def receive(self, data: bytes, now: int) -> None:
        """Take bytes from the box."""
        bad = self._lines.bad
        for body in self._lines.feed(data):
            self._heard_at = now
            self._obey(body.split(" "), body)
        if self._lines.bad != bad:
            self._say(f"NAK {self._lines.bad}")

    def _obey(self, words: "list[str]", body: str) -> None:
        verb = words[0]
        if verb == "WHO":
            self._say(self._hello)
        elif verb == "PING" and len(words) == 2:
            self._say("PONG " + words[1])
        elif verb == "A" and len(words) == 2 and words[1].isdigit():
            self._waiting = [event for event in self._waiting if event[0] != int(words[1])]
        elif verb == "R" and len(words) >= 3 and words[1].isdigit() and int(words[1]) < ROWS:
            text = body.split(" ", 3)[3] if len(words) > 3 else ""
            self._rows[int(words[1])] = (words[2], text[:COLUMNS])

    def key(self, name: str, gesture: str, down_at: int, now: int) -> None:
        """A key was pressed: up, down, ok or back; press, hold or repeat; and when the finger came down."""
        self._event(f"key {name} {gesture}", down_at, now + KEY_EXPIRES)

    def dice(self, die: str, faces: "list[str]", now: int) -> None:
        """The tower counted dice of one kind."""
        self._event("dice " + " ".join([die] + faces), now, now + DICE_EXPIRE)

    def _event(self, what: str, at: int, expires: int) -> None:
        self._seq += 1
        self._waiting = self._waiting[-(KEPT - 1) :] + [[self._seq, what, at, expires, at]]

    def tick(self, now: int, stuck: "list[str] | tuple[()]" = ()) -> None:
        """Send again what the box didn't acknowledge, forget what is stale, give a sign of life.

        Keys that are `stuck` are told with each of these.
        """
        self._waiting = [event for event in self._waiting if now < event[3]]
        for event in self._waiting:
            if now >= event[4]:
                event[4] = now + RESEND
                self._say(f"E {event[0]} {event[1]} {now - event[2]}")
        if now >= self._beat_at:
            self._beat_at = now + HEARTBEAT
            if stuck:
                self._say("STUCK " + " ".join(stuck))
            self._say(f"HB {now} {self.screen_crc():02X}")

    def screen_crc(self) -> int:
        """What stands on the screen, in a byte, so that the box notices a lost row."""
        return crc8("\n".join(style + " " + text for style, text in self._rows).encode())

    def _say(self, body: str) -> None:
        self._out.append(pack(body))
        if len(self._out) > 4 * KEPT:
            self._out.pop(0)

    def take(self) -> bytes:
        """What is to be sent to the box."""
        out, self._out = b"".join(self._out), []
        return out
