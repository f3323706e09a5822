"""An independent reading of the rules, by trying everything; only state and printed numbers are shared."""

from __future__ import annotations

from itertools import product
from random import Random

from companion.games.undaunted.state import Counter, Marker, State
from companion.games.undaunted.table import Table

SOLDIERS = {"rifleman": 4, "scout": 5, "machine-gunner": 4, "sniper": 6}
DANGER = ("machine-gunner", "sniper", "mortar", "rifleman", "scout")


class Board:
    """The tiles as corners on a grid of half tiles; who touches whom is measured, not looked up."""

    def __init__(self, table: Table) -> None:
        scenario = table.scenario
        self.state: State = table.state
        self.value = dict(scenario.objectives)
        self.cover = {tile: table.pack.tile[tile].cover for tile in table.pack.tile}
        self.hills = {tile for tile in table.pack.tile if table.pack.tile[tile].hill}
        self.squares = {}
        for column, rank in enumerate(scenario.ranks):
            for number, tile in enumerate(rank.tiles):
                top = rank.shift + 2 * number
                self.squares[tile] = {(column, top), (column, top + 1)}
        self.tiles = list(self.squares)

    def touch(self, one: str, other: str) -> bool:
        """Whether two tiles share part of an edge."""
        if one == other:
            return False
        for (a, b), (c, d) in product(self.squares[one], self.squares[other]):
            if abs(a - c) + abs(b - d) == 1:
                return True
        return False

    def distance(self, one: str, other: str) -> int:
        """Steps, by growing a ring around `one`."""
        ring, steps = {one}, 0
        while other not in ring:
            ring = ring | {tile for tile in self.tiles for near in ring if self.touch(tile, near)}
            steps += 1
        return steps

    def on(self, side: str, tile: str) -> list[Counter]:
        return [one for one in self.state.sides[side].counters.values() if one.tile == tile]

    def all_of(self, side: str) -> list[Counter]:
        return [one for tile in self.tiles for one in self.on(side, tile)]

    def marker(self, side: str, tile: str) -> Marker | None:
        return self.state.sides[side].markers.get(tile)

    def controls(self, side: str, tile: str) -> bool:
        return self.marker(side, tile) == "controlled"

    def total(self, target: Counter, start: str) -> int:
        """Base, cover and range."""
        cover = self.cover[target.tile]
        if target.tile in self.hills and start in self.hills:
            cover = 1
        return SOLDIERS[target.unit.rstrip("abc").rstrip("-")] + cover + self.distance(start, target.tile)

    def walks(self, side: str, start: str, most: int, *, free: bool) -> list[list[str]]:
        """Every walk of one to `most` steps, each onto a tile that may be entered."""
        walks: list[list[str]] = []

        def go(path: list[str]) -> None:
            here = path[-1] if path else start
            for tile in self.tiles:
                if self.touch(here, tile) and (free or self.marker(side, tile)):
                    walks.append([*path, tile])
                    if len(path) + 1 < most:
                        go([*path, tile])

        go([])
        return walks


def kind(unit: str) -> str:
    return unit[:-2] if unit[-2] == "-" else unit


def secure(board: Board, bot: str, foe: str, me: Counter) -> bool:
    if not board.controls(bot, me.tile):
        return True
    others = [one for one in board.on(bot, me.tile) if one.unit != me.unit]
    return bool(others) or not any(kind(one.unit) == "rifleman" for one in board.on(foe, me.tile))


def is_place(board: Board, bot: str, foe: str, me: Counter, words: str, tile: str) -> bool:
    """A tile word, told anew."""
    if words.startswith("not "):
        return not is_place(board, bot, foe, me, words[4:], tile)
    riflemen = [one for one in board.on(foe, tile) if kind(one.unit) == "rifleman"]
    worth = board.value.get(tile, 0)
    match words:
        case "objective":
            return worth > 0
        case "uncontrolled objective":
            return worth > 0 and not board.controls(bot, tile) and not board.controls(foe, tile)
        case "enemy controlled objective":
            return worth > 0 and board.controls(foe, tile)
        case "occupied objective":
            free = not board.controls(bot, tile) and not board.controls(foe, tile)
            return worth > 0 and free and bool(board.on(bot, tile) + board.on(foe, tile))
        case "threatened objective":
            return worth > 0 and board.controls(bot, tile) and not board.on(bot, tile) and bool(riflemen)
        case "controlled":
            return board.controls(bot, tile)
        case "scouted":
            return board.marker(bot, tile) is not None
        case "enemy scouted":
            return board.marker(foe, tile) is not None
        case "secure":
            others = [one for one in board.on(bot, tile) if one is not me]
            return not board.controls(bot, tile) or bool(others) or not riflemen
        case "within 1":
            return board.distance(me.tile, tile) <= 1
        case "friend":
            return any(one is not me for one in board.on(bot, tile))
        case "enemy":
            return bool(board.on(foe, tile))
        case "enemy rifleman":
            return bool(riflemen)
    raise AssertionError(words)


def score(board: Board, bot: str, foe: str, me: Counter, tie: str, tile: str) -> int:
    if tie == "value":
        return board.value.get(tile, 0)
    if tie == "cover":
        return board.cover[tile]
    if tie.endswith("population"):
        population = len(board.on(foe, tile)) - len(board.on(bot, tile))
        return population if tie.startswith("high") else -population
    if tie.startswith("near "):
        aims = [one for one in board.tiles if is_place(board, bot, foe, me, tie[5:], one)]
        return -min((board.distance(tile, one) for one in aims), default=0)
    return int(is_place(board, bot, foe, me, tie, tile))


def scatter(table: Table, rng: Random) -> None:
    """A random position: counters anywhere or off the board, markers as they may lie."""
    first, second = table.state.sides
    for side in table.state.sides.values():
        side.markers.clear()
        for counter in side.counters.values():
            counter.tile = rng.choice([*table.ground.tiles, ""])
            counter.suppressed = rng.random() < 0.2
    for tile in table.ground.tiles:
        for name in (first, second):
            if rng.random() < 0.5:
                table.state.sides[name].markers[tile] = Marker.SCOUTED
        owner = rng.choice([first, second, ""])
        if owner:
            table.state.sides[owner].markers[tile] = Marker.CONTROLLED


CONDITIONS = (
    "secure",
    "not secure",
    "enemy: here",
    "enemy: within 1",
    "enemy: rifleman",
    "here: objective",
    "here: controlled",
)
PLACES = (
    "objective",
    "uncontrolled objective",
    "enemy controlled objective",
    "threatened objective",
    "not controlled",
    "not enemy",
    "enemy rifleman",
    "occupied objective",
    "enemy scouted",
    "not secure",
    "not within 1",
    "friend",
)
TIES = (
    "value",
    "cover",
    "not enemy rifleman",
    "low population",
    "high population",
    "scouted",
    "near uncontrolled objective",
    "not friend",
)


def holds(board: Board, bot: str, foe: str, me: Counter, words: str) -> bool:
    match words:
        case "secure":
            return secure(board, bot, foe, me)
        case "not secure":
            return not secure(board, bot, foe, me)
        case "enemy: here":
            return bool(board.on(foe, me.tile))
        case "enemy: within 1":
            return any(board.distance(me.tile, one.tile) <= 1 for one in board.all_of(foe))
        case "enemy: rifleman":
            return any(kind(one.unit) == "rifleman" for one in board.all_of(foe))
        case "here: objective":
            return board.value.get(me.tile, 0) > 0
        case "here: controlled":
            return board.controls(bot, me.tile)
    raise AssertionError(words)


def named(board: Board, me: Counter, words: str, enemy: Counter) -> bool:
    """Whether an enemy is the one that a condition speaks of."""
    match words:
        case "enemy: here":
            return enemy.tile == me.tile
        case "enemy: within 1":
            return board.distance(me.tile, enemy.tile) <= 1
        case "enemy: rifleman":
            return kind(enemy.unit) == "rifleman"
    return True


def words_of(line: dict[str, object], name: str) -> list[str]:
    words = line.get(name, [])
    assert isinstance(words, list)
    return words


def chosen(
    board: Board, bot: str, foe: str, me: Counter, lines: list[dict[str, object]]
) -> tuple[int, set[str]]:
    """The number of the line that applies (0: none) and the tiles or units that stay tied."""
    for number, line in enumerate(lines, 1):
        when, to, toward, ties = (words_of(line, name) for name in ("when", "to", "toward", "ties"))
        if not all(holds(board, bot, foe, me, words) for words in when):
            continue
        do = str(line["do"])
        if do == "control":
            mine = board.controls(bot, me.tile)
            held = board.controls(foe, me.tile) and board.on(foe, me.tile)
            if board.value.get(me.tile, 0) and not mine and not held:
                return number, {me.tile}
        elif do == "attack":
            found = attack(board, foe, me, when, ties, bot)
            if found:
                return number, found
        else:
            found = walk(board, bot, foe, me, do, to, toward, ties)
            if found:
                return number, found
    return 0, set()


def attack(board: Board, foe: str, me: Counter, when: list[str], ties: list[str], bot: str) -> set[str]:
    able = [one for one in board.all_of(foe) if all(named(board, me, words, one) for words in when)]

    def rank(one: Counter) -> tuple[int, ...]:
        prefer = [-score(board, bot, foe, me, tie, one.tile) for tie in ties]
        return (board.total(one, me.tile), *prefer, DANGER.index(kind(one.unit)))

    return {one.unit for one in able if rank(one) == min(map(rank, able))}


def walk(
    board: Board,
    bot: str,
    foe: str,
    me: Counter,
    do: str,
    to: list[str],
    toward: list[str],
    ties: list[str],
) -> set[str]:
    word, steps = do.split()
    walks = board.walks(bot, me.tile, int(steps), free=word == "scout")
    has_to_scout = word == "scout" and not toward
    if has_to_scout:
        walks = [path for path in walks if any(board.marker(bot, tile) is None for tile in path)]
    ends = {path[-1] for path in walks if path[-1] != me.tile}
    ends = {tile for tile in ends if all(is_place(board, bot, foe, me, words, tile) for words in to)}
    if toward:
        aims = [
            tile
            for tile in board.tiles
            if all(is_place(board, bot, foe, me, words, tile) for words in toward)
        ]
        if not aims:
            return set()
        away = {tile: min(board.distance(tile, aim) for aim in aims) for tile in board.tiles}
        ends = {tile for tile in ends if away[tile] < away[me.tile]}
        ends = {tile for tile in ends if away[tile] == min(away[one] for one in ends)}

    def rank(tile: str) -> tuple[int, ...]:
        return tuple(-score(board, bot, foe, me, tie, tile) for tie in ties)

    best = {tile for tile in ends if rank(tile) == min(map(rank, ends))}
    fits_here = all(is_place(board, bot, foe, me, words, me.tile) for words in to)
    stays = fits_here and not toward and not has_to_scout
    return set() if stays and best and rank(me.tile) < rank(min(best)) else best


def random_lines(rng: Random) -> list[dict[str, object]]:
    """A card of up to five lines from the words that this file knows."""
    lines: list[dict[str, object]] = []
    for _ in range(rng.randint(1, 5)):
        line: dict[str, object] = {"when": rng.sample(CONDITIONS, rng.choice([0, 0, 1, 1, 2]))}
        line["do"] = rng.choice(["control", "attack", "move 1", "move 2", "scout 1", "scout 2"])
        if str(line["do"])[-1].isdigit():
            line[rng.choice(["to", "toward"])] = rng.sample(PLACES, rng.choice([1, 1, 2]))
        line["ties"] = rng.sample(TIES, rng.randint(0, 3))
        lines.append(line)
    return lines
