"""Ranges of values and event strings, as mission sheets print them (chapters 2.1 and 2.4).

>>> span("4+").holds(7), span("6").holds(7), span("1-2").holds(2), span("1-").holds(0)
(True, False, True, True)
>>> event("4+/B+1")
EventString(span=Span(least=4, most=99), force='B', shift=1)
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

MOST = 99
"""Above every random number: what an open range ends with."""

_SPAN = re.compile(r"(?P<low>\d+)(?:-(?P<high>\d+)|(?P<open>[+-]))?")
_EVENT = re.compile(r"(?P<span>[^/]+)/(?P<force>[ABCSE])(?P<shift>[+-]\d+)?")


class Span(NamedTuple):
    """The random numbers from `least` to `most`; `Auto` is all of them."""

    least: int
    most: int

    def holds(self, number: int) -> bool:
        """Is the check successful on this random number?"""
        return self.least <= number <= self.most

    @property
    def automatic(self) -> bool:
        """Does it need no number at all (SPI-032)?"""
        return (self.least, self.most) == (-MOST, MOST)


class EventString(NamedTuple):
    """When something happens on a node, and what: an encounter's class, or E for the mission's own."""

    span: Span
    force: str
    shift: int = 0


@lru_cache
def span(text: str) -> Span:
    """A range as printed: Auto, X-Y, X+, X- or Z (SPI-R05); `ValueError` for anything else."""
    plain = text.replace(" ", "")
    if plain.lower() == "auto":
        return Span(-MOST, MOST)
    found = _SPAN.fullmatch(plain)
    if not found:
        raise ValueError(f"{text!r} is no range: write 6, 4+, 1-, 1-2 or Auto")
    low = int(found["low"])
    if found["high"]:
        return Span(low, int(found["high"]))
    return {"+": Span(low, MOST), "-": Span(-MOST, low), None: Span(low, low)}[found["open"]]


@lru_cache
def event(text: str) -> EventString:
    """A part of an event string, `6/A` or `4+/B+1` (SPI-012, SPI-R31); `ValueError` if it is none."""
    found = _EVENT.fullmatch(text.replace(" ", ""))
    if not found:
        raise ValueError(f"{text!r} is no event: write a range, a slash and A, B, C, S or E, such as 4+/B+1")
    return EventString(span(found["span"]), found["force"], int(found["shift"] or 0))
