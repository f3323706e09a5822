"""Legal destinations by walking every path, step by step, on a board written down a second time.

Shares nothing with the game but the names of spaces: the oracle of R20.
"""

from __future__ import annotations

from collections import Counter
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
    men = [(other, man.at) for other, army in war.armies.items() for man in army.men.values()]
    many = Counter(at for _, at in men)
    owner = {at: other for other, at in men}
    blocked = {at for at, number in many.items() if number == 2}
    ends: set[str] = set()

    def walk(at: str, left: int, been: frozenset[str]) -> None:
        if left == 0:
            ends.add(at)
            return
        for near in LINKS[at]:
            if near not in been and not (left > 1 and near in blocked):
                walk(near, left - 1, been | {near})

    start = war.armies[seat].men[name].at
    walk(start, count, frozenset({start}))
    return {at for at in ends if _may_land(at, seat, many[at], owner.get(at, ""))}


def _may_land(at: str, seat: str, many: int, owner: str) -> bool:
    if many == 0:
        return True
    if owner == seat:
        return is_road(at) and many == 1
    return not (at in BUNKERS and many == 1)
