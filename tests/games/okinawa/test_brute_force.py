"""Legal choices counted to every depth of a turn, against a count that shares no code (R20)."""

from __future__ import annotations

from itertools import pairwise, permutations
from random import Random

import msgspec
import pytest

from companion.engine.asks import Choose
from companion.games.okinawa import activation, player_turn
from companion.games.okinawa.cards import EnemyType
from companion.games.okinawa.state import Soldiers, State
from companion.games.okinawa.table import Table
from tests.games.okinawa.field import card, enemy, run, table


def count_with_the_game(laid: Table, depth: int) -> int:
    """How many sequences of `depth` choices the game allows, by doing and taking back each."""
    options = [option.id for option in player_turn.choices(laid) if option.id != "end"]
    if depth == 1:
        return len(options)
    kept = msgspec.json.encode(laid.state)
    total = 0
    for option in options:
        run(player_turn.act(laid, option))
        total += count_with_the_game(laid, depth - 1)
        laid.state = msgspec.json.decode(kept, type=State)
    return total


def count_by_hand(turn: dict, depth: int) -> int:
    """The same, on a plain dictionary: pool, pawn, used and blocked spaces, the Resupply die."""
    after = []
    pool = turn["pool"]
    if turn["pawn"] not in turn["used"] and turn["pawn"] not in turn["blocked"]:
        seen = set()
        for length in range(1, len(pool) + 1):
            for dice in permutations(pool, length):
                if dice not in seen and all(b - a == 1 for a, b in pairwise(dice)):
                    seen.add(dice)
                    after.append({**turn, "pool": less(pool, dice), "used": turn["used"] | {turn["pawn"]}})
    for die in set(pool):
        rest = less(pool, (die,))
        after.append({**turn, "pool": rest, "pawn": (turn["pawn"] + die - 1) % 10 + 1})
        after.extend({**turn, "pool": rest, "blocked": turn["blocked"] - {at}} for at in turn["blocked"])
        if turn["resupply"] == 0:
            after.append({**turn, "pool": rest, "resupply": die})
        if turn["adjusts"]:
            new = [value for value in (die - 1, die + 1) if value in (1, 2, 3, 4)]
            after.extend({**turn, "pool": [*rest, value], "adjusts": turn["adjusts"] - 1} for value in new)
    if turn["resupply"]:
        after.append({**turn, "pool": [*pool, turn["resupply"]], "resupply": 0})
    return len(after) if depth == 1 else sum(count_by_hand(one, depth - 1) for one in after)


def less(pool: list[int], dice: tuple[int, ...]) -> list[int]:
    left = list(pool)
    for die in dice:
        left.remove(die)
    return left


@pytest.mark.rule("OKI-075", "OKI-130")
@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("depth", [1, 2, 3])
def test_the_choices_of_a_turn_are_as_many_as_counted_by_hand(seed: int, depth: int) -> None:
    rng = Random(seed)
    laid = table()
    state = laid.state
    state.soldiers, state.flag = Soldiers(99), 9
    pool = [rng.randint(1, 4) for _ in range(rng.randint(2, 5))]
    blocked = set(rng.sample(range(1, 11), rng.randint(0, 2)))
    turn = {
        "pool": pool,
        "pawn": rng.randint(1, 10),
        "used": set(),
        "blocked": blocked,
        "resupply": rng.choice([0, 1, 3]),
        "adjusts": rng.randint(0, 1),
    }
    state.pool, state.pawn = sorted(pool), turn["pawn"]
    state.resupply_die, state.adjusts = turn["resupply"], turn["adjusts"]
    for space in state.spaces:
        space.action.card = "corpsman"
        space.action.suppressed = space.number in blocked
    assert count_with_the_game(laid, depth) == count_by_hand(turn, depth)


@pytest.mark.rule("OKI-130", "OKI-132")
def test_runs_of_dice_are_all_those_that_permutations_find() -> None:
    for size in range(1, 5):
        for values in permutations((1, 2, 3, 4), size):
            found = {
                dice
                for length in range(1, size + 1)
                for dice in permutations(values, length)
                if all(b == a + 1 for a, b in pairwise(dice))
            }
            assert set(activation.runs(frozenset(values))) == found


Field = tuple[int, int, tuple[tuple[str, int, int], ...]]
"""Beige and red soldiers, and of each face-up card the type, the health left (0: no number) and the fog."""


def field_of(laid: Table) -> Field:
    up = [(one, laid.enemy(one.card)) for stack in laid.state.row for one in stack if one.up]
    row = tuple((printed.type.value, printed.health - one.damage, one.fog) for one, printed in up)
    return laid.state.soldiers.beige, laid.state.soldiers.red, row


def ends_with_the_game(laid: Table, *answers: str) -> set[Field]:
    """What one activation can lead to, by every answer to each of its questions."""
    kept, ends, given = msgspec.json.encode(laid.state), set(), list(answers)
    script = activation.activate(laid, [1])
    try:
        question = next(script)
        while given or not isinstance(question, Choose):
            question = script.send(given.pop(0) if isinstance(question, Choose) else True)
        for option in question.options:
            laid.state = msgspec.json.decode(kept, type=State)
            ends |= ends_with_the_game(laid, *answers, option.id)
    except StopIteration:
        ends.add(field_of(laid))
    laid.state = msgspec.json.decode(kept, type=State)
    return ends


def ends_by_hand(field: Field, icons: dict[str, int], *, attacks: bool = True) -> set[Field]:
    """The same: who can be hit has to be, fog may be scouted before it or after it."""
    (beige, red, row), ends, hit = field, set(), list[Field]()
    soldier = 2 if "destroy-soldier" in icons else icons.get("soldier-damage", 0)
    hit += [(beige - 1, red + (soldier == 1), row)] * (beige > 0 and soldier > 0)
    hit += [(beige, red - 1, row)] * (red > 0 and soldier > 0)
    for at, (kind, health, fog) in enumerate(row):
        damage = health if f"destroy-{kind}" in icons else icons.get(f"{kind}-damage", 0)
        if health and damage and not fog:
            left = ((kind, health - damage, 0),) if damage < health else ()
            hit.append((beige, red, (*row[:at], *left, *row[at + 1 :])))
        if fog and icons.get("scout"):
            scouted = beige, red, (*row[:at], (kind, health, fog - 1), *row[at + 1 :])
            ends |= ends_by_hand(scouted, {**icons, "scout": icons["scout"] - 1}, attacks=attacks)
    for one in hit if attacks else ():
        ends |= ends_by_hand(one, icons, attacks=False)
    return ends if attacks and hit else ends | {field}


@pytest.mark.rule("OKI-137", "OKI-143", "OKI-145", "OKI-147", "OKI-148", "OKI-168", "OKI-R55")
@pytest.mark.parametrize("seed", range(60))
def test_an_activation_can_end_in_all_ways_that_are_found_by_hand(seed: int) -> None:
    rng, laid = Random(seed), table()
    laid.state.soldiers, laid.state.pool = Soldiers(rng.randint(0, 2), rng.randint(0, 1)), [1]
    enemy(laid, 5, "hidden", up=False)
    for space in (2, 3, 4):
        kind, health, fog = rng.choice(list(EnemyType)), rng.randint(0, 3), rng.choice([0, 0, 1, 2])
        enemy(laid, space, f"foe-{space}", fog=fog, type=kind, health=health)
    kinds = ["soldier-damage", "armor-damage", "destroy-soldier", "destroy-armor", "scout"]
    icons = {icon: rng.randint(1, 2) for icon in rng.sample(kinds, rng.randint(1, 3))}
    card(laid, 1, *icons.items())
    assert ends_with_the_game(laid) == ends_by_hand(field_of(laid), icons)
