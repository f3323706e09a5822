"""How far it is from one place to another, on a board where some lie next to each other."""

from __future__ import annotations

from collections.abc import Callable, Iterable


def steps(starts: Iterable[str], near: Callable[[str], Iterable[str]]) -> dict[str, int]:
    """The fewest steps to each place that can be reached, the nearest first.

    >>> steps("a", {"a": "bc", "b": "c", "c": "ad", "d": ""}.get)
    {'a': 0, 'b': 1, 'c': 1, 'd': 2}
    """
    found = dict.fromkeys(starts, 0)
    reached = list(found)
    for place in reached:  # it grows as we go
        for other in near(place):
            if other not in found:
                found[other] = found[place] + 1
                reached.append(other)
    return found
