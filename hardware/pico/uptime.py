"""How long the pad has been running: it stays plugged in for weeks. Times are whole milliseconds."""


class Uptime:
    """Milliseconds since the start, from a counter that begins again after days, as `time.ticks_ms` does."""

    def __init__(self, ticks: int, difference) -> None:
        self._ticks, self._difference = ticks, difference
        self._now = 0

    def at(self, ticks: int) -> int:
        """The time when the counter stands at `ticks`; to be asked at least once in three days."""
        self._now += self._difference(ticks, self._ticks)
        self._ticks = ticks
        return self._now
