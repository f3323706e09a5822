"""One key from its level: debounced, with press, hold and repeat. Times are whole milliseconds."""

SETTLE = 8
HOLD = 600
REPEAT_AFTER = 450
REPEAT_EVERY = 120
STUCK = 15000


class Key:
    """Look at its level every few milliseconds; `down_at` is when the finger came down for a gesture."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._repeats = name in ("up", "down")
        self._raw = self._down = True
        self._armed = False
        self._since = self.down_at = self._act_at = 0

    def look(self, down: bool, now: int) -> str:
        """The gesture that is seen from the key's level `now`; an empty string if it is none."""
        if down != self._raw:
            self._raw, self._since = down, now
        if self._raw != self._down and now - self._since >= SETTLE:
            return self._settled()
        if self._down and self._armed and now >= self._act_at:
            return self._held(now)
        return ""

    def stuck(self, now: int) -> bool:
        """Whether it has been down for so long, perhaps since the start, that nobody presses it."""
        return self._down and now - self.down_at >= STUCK

    def _settled(self) -> str:
        self._down = self._raw
        if self._down:
            self.down_at, self._armed = self._since, True
            self._act_at = self.down_at + (REPEAT_AFTER if self._repeats else HOLD)
            return "press" if self._repeats else ""
        return "press" if self._armed and not self._repeats else ""

    def _held(self, now: int) -> str:
        if not self._repeats:
            self._armed = False
            return "hold"
        self._act_at = now + REPEAT_EVERY
        self._armed = now - self.down_at < STUCK
        return "repeat"
