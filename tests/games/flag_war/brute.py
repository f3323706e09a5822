"""Legal destinations by walking every path, step by step, on a board written down a second time.

Shares nothing with the game but the names of spaces: the oracle of R20.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from random import Random

from companion.games.flag_war.state import War

ENTRY = {"N": "M04", "E": "M48", "S": "M84", "W": "M40"}
BUNKERS = {f"{seat}-O{at}" for seat in "NESW" for at in (3, 6)}


def spaces() -> list[str]:
    """All 237 names."""
    names = [f"M{row}{col}" for row in range(9) for col in range(9)]
    for seat in "NESW":
        names += [f"{seat}-F{row}{col}" for row in range(5) for col in range(5)]
        names += [f"{seat}-O{at}" for at in range(1, 9)]
        names += [f"{seat}-I{at}" for at in range(1, 6)]
        names.append(f"{seat}-flag")
    return names


def neighbours(name: str) -> list[str]:
    """What is one step away, worked out from the name alone (FLG-TB07)."""
    if name[0] == "M":
        row, col = int(name[1]), int(name[2])
        near = [f"M{row + a}{col + b}" for a, b in _CROSS if 0 <= row + a < 9 and 0 <= col + b < 9]
        return near + [f"{seat}-O8" for seat, entry in ENTRY.items() if entry == name]
    seat, part = name.split("-")
    if part == "flag":
        return [f"{seat}-I5"]
    if part[0] == "I":
        at = int(part[1])
        return [
            f"{seat}-F02" if at == 1 else f"{seat}-I{at - 1}",
            f"{seat}-flag" if at == 5 else f"{seat}-I{at + 1}",
        ]
    if part[0] == "O":
        at = int(part[1])
        return [
            f"{seat}-F42" if at == 1 else f"{seat}-O{at - 1}",
            ENTRY[seat] if at == 8 else f"{seat}-O{at + 1}",
        ]
    row, col = int(part[1]), int(part[2])
    near = [f"{seat}-F{row + a}{col + b}" for a, b in _CROSS if 0 <= row + a < 5 and 0 <= col + b < 5]
    return near + {"F02": [f"{seat}-I1"], "F42": [f"{seat}-O1"]}.get(part, [])


_CROSS = ((-1, 0), (1, 0), (0, -1), (0, 1))
LINKS = {name: neighbours(name) for name in spaces()}


def is_road(name: str) -> bool:
    """Roads are the spaces O and I of a base."""
    return name[1:3] in {"-O", "-I"}


def scatter(war: War, rng: Random) -> None:
    """Men put anywhere they may stand, many of them on roads and in pairs."""
    roads = [name for name in LINKS if is_road(name)]
    held: dict[str, tuple[str, int]] = {}
    for seat, army in war.armies.items():
        for man in army.men.values():
            while True:
                at = rng.choice(roads) if rng.random() < 0.5 else rng.choice(list(LINKS))
                owner, many = held.get(at, (seat, 0))
                if many == 0 or (many == 1 and owner == seat and is_road(at)):
                    break
            held[at] = (owner, many + 1)
            man.at = at


def legal(war: War, seat: str, name: str, count: int) -> set[str]:
    """Where a man may end a count, by the rules of grids, roads and blockades."""
    start = war.armies[seat].men[name].at
    return {path[-1] for path in paths(war, (start,), count) if _may_land(war, seat, path[-1])}


def legal_after(war: War, seat: str, name: str, leg: tuple[str, str], counts: tuple[int, int]) -> set[str]:
    """Where a man may end his second count from where he stands; his first led from `leg[0]` to `leg[1]`."""
    at = war.armies[seat].men[name].at
    ways = (path for path in paths(war, leg[:1], counts[0]) if path[-1] == leg[1])
    ends = {path[-1] for way in ways for path in paths(war, (*way, at), counts[1])}
    return {at for at in ends if _may_land(war, seat, at)}


def paths(war: War, been: tuple[str, ...], left: int) -> Iterator[tuple[str, ...]]:
    """Every way of `left` more steps that enters no space twice and passes no blockade."""
    many = Counter(man.at for army in war.armies.values() for man in army.men.values())
    return _paths({at for at, number in many.items() if number == 2}, been, left)


def _paths(blocked: set[str], been: tuple[str, ...], left: int) -> Iterator[tuple[str, ...]]:
    if left == 0:
        yield been
        return
    for near in LINKS[been[-1]]:
        if near not in been and not (left > 1 and near in blocked):
            yield from _paths(blocked, (*been, near), left - 1)


def _may_land(war: War, seat: str, at: str) -> bool:
    owners = [other for other, army in war.armies.items() for man in army.men.values() if man.at == at]
    if not owners:
        return True
    if owners[0] == seat:
        return is_road(at) and len(owners) == 1
    return not (at in BUNKERS and len(owners) == 1)
